"""Build the compiled kernels; everything else is declared in pyproject.toml."""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

TRACE = bool(os.environ.get("POKERMODEL_TRACE"))  # line tracing, for debuggers and profilers
COVERAGE = bool(os.environ.get("POKERMODEL_COVERAGE"))  # counters, for tools/measure_coverage.py
SAFE = bool(os.environ.get("POKERMODEL_SAFE"))  # bounds checks and the like, for debugging
SANITIZE = os.environ.get("POKERMODEL_SANITIZE")  # for example "address,undefined"

INCLUDE = "src/pokermodel/include"
HEADERS = sorted(map(str, Path(INCLUDE, "pokermodel").rglob("*.h")))
SHARED = "pokermodel._core._shared"  # one copy of Cython's memoryview code for all kernels

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": SAFE,
    "wraparound": SAFE,
    "initializedcheck": SAFE,
    "cdivision": not SAFE,
    "linetrace": TRACE,
    "freethreading_compatible": True,
    "subinterpreters_compatible": "no",  # a module's C tables and types are there once for each process
    "embedsignature": True,
    "embedsignature.format": "python",
}


def flags(ours: bool) -> tuple[list[str], list[str]]:
    if sys.platform == "win32":
        return ["/O2", "/std:c11"], ["/Brepro"]  # no time of day in what is built
    rounded = "-ffp-contract=off"  # products are rounded before they are added: the same bits on every machine
    if ours and (SANITIZE or COVERAGE):  # both at once, too; not Cython's own code, of which most is never run
        compile_args, link_args = ["-O1", "-g1", rounded, "-fno-omit-frame-pointer"], []
        if SANITIZE:
            link_args += [f"-fsanitize={SANITIZE}"]
            compile_args += [*link_args, "-fno-sanitize-recover=all"]  # what is found ends the process
            if "address" in SANITIZE:  # which finds these, too; each is compiled into every access
                compile_args += ["-fno-sanitize=null,object-size"]
        if COVERAGE:  # -O1: quick enough for tests, though a line that needs no jump counts with its condition
            link_args += ["--coverage"]
            # threads may take counts from each other, not all of them: only whether there are any is asked
            compile_args += ["--coverage", "-fprofile-update=single"]
        return compile_args, link_args
    here = f"-ffile-prefix-map={os.getcwd()}=."  # where it is built is no part of the result
    return ["-O3", "-g0", rounded, "-fvisibility=hidden", here], []


def extension(name: str, sources: list[str]) -> Extension:
    compile_args, link_args = flags(ours=name != SHARED)
    macros = [("CYTHON_TRACE_NOGIL", "1"), ("CYTHON_USE_SYS_MONITORING", "0")] if TRACE else []
    return Extension(
        name,
        sources,
        include_dirs=[INCLUDE],
        depends=HEADERS,
        define_macros=macros,
        extra_compile_args=compile_args,
        extra_link_args=link_args,
    )


KERNELS = sorted(path.stem for path in Path("src/pokermodel/_core").glob("*.pyx"))

setup(
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
    ext_modules=cythonize(
        [
            extension(SHARED, ["src/pokermodel/_core/_shared.c"]),
            *(extension(f"pokermodel._core.{name}", [f"src/pokermodel/_core/{name}.pyx"]) for name in KERNELS),
        ],
        include_path=["src"],
        compiler_directives=DIRECTIVES,
        shared_utility_qualified_name=SHARED,
        nthreads=0 if TRACE else (os.cpu_count() or 1),
    ),
)
