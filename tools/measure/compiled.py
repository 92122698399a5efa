"""Compile `_known.pyx` where it is first needed: tools are no part of what is installed."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from shutil import rmtree
from types import ModuleType

import pokermodel as pm

SOURCE = Path(__file__).with_name("_known.pyx")
BUILT = Path(__file__).parents[2] / "build" / "tools"


@cache
def known() -> ModuleType:
    """The compiled players.

    Raises
    ------
    ModuleNotFoundError
        If Cython or setuptools are not installed.
    """
    text = b"".join(path.read_bytes() for path in (SOURCE, *sorted(Path(pm.get_include()).rglob("*.h"))))
    name = sha256(text + sys.version.encode() + os.environ.get("CFLAGS", "").encode()).hexdigest()[:16]
    place = BUILT / name
    if not (found := list(place.glob("_known.*"))):
        found = [_compile(place)]
    spec = spec_from_file_location("_known", found[0])
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _compile(place: Path) -> Path:
    """Compile into a folder, which is there only when all is done."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    BUILT.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=BUILT))
    extra = [] if sys.platform == "win32" else ["-g0", "-ffp-contract=off"]
    extension = Extension("_known", [str(SOURCE)], include_dirs=[pm.get_include()], extra_compile_args=extra)
    directives = {"language_level": 3, "boundscheck": False, "wraparound": False, "cdivision": True}
    modules = cythonize(
        [extension], include_path=[str(Path(pm.__file__).parents[1])], build_dir=str(folder),
        compiler_directives=directives, quiet=True,
    )  # fmt: skip
    command = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(folder / "lib"), str(folder / "temp")
    command.ensure_finalized()
    command.run()
    (built,) = (folder / "lib").glob("_known.*")
    with suppress(OSError):  # another process was faster
        os.replace(folder / "lib", place)
    rmtree(folder)
    return place / built.name
