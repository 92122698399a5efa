"""C and Cython of the measurements, compiled when they are needed."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from types import ModuleType

import pokermodel

HERE = Path(__file__).parent


def compiler() -> list[str]:
    """Command of the C compiler; `FileNotFoundError` if there is none."""
    command = shlex.split(os.environ.get("CC", "")) or [shutil.which("cc") or shutil.which("gcc") or ""]
    if not shutil.which(command[0]):
        raise FileNotFoundError("there is no C compiler: install gcc or clang, or set CC")
    return command


def compiler_version() -> str:
    run = subprocess.run([*compiler(), "--version"], capture_output=True, text=True, check=True)
    return run.stdout.splitlines()[0]


def shared_library(source: str, folder: Path, include: str | None = None) -> Path:
    """Compile one C file of this folder into `folder`."""
    target = folder / Path(source).with_suffix(".so").name
    command = [*compiler(), "-O3", "-shared", "-fPIC", "-o", str(target), str(HERE / source)]
    if include is not None:
        command += ["-I", include]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(f"{source} does not compile:\n{run.stderr.strip()}")
    return target


def load(source: str, folder: Path, include: str | None = None) -> ctypes.CDLL:
    """Compile and load one C file of this folder."""
    return ctypes.CDLL(str(shared_library(source, folder, include)))


@cache
def outside_module(flags: str) -> ModuleType:
    """Build the project in `outside` against the pokermodel that is imported, in a process of its own, and load it."""
    compiler()
    for needed in ("Cython", "setuptools"):
        importlib.import_module(needed)
    path = os.pathsep.join(filter(None, [str(Path(pokermodel.__file__).parents[1]), *sys.path]))
    with tempfile.TemporaryDirectory() as folder:
        project = shutil.copytree(HERE / "outside", Path(folder, "project"))
        run = subprocess.run(
            [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"],
            cwd=project,
            env={**os.environ, "PYTHONPATH": path, "OUTSIDE_FLAGS": flags},
            capture_output=True,
            text=True,
        )
        if run.returncode:
            raise RuntimeError(f"the outside project does not build:\n{(run.stdout + run.stderr).strip()}")
        (built,) = project.glob("kernels.*.*")
        spec = importlib.util.spec_from_file_location("kernels", built)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module
