"""Build the extension against the pokermodel that is installed. Warnings are errors, Cython's and the compiler's."""

import os
import sys

import pokermodel
from Cython.Build import cythonize
from Cython.Compiler import Options
from setuptools import Extension, setup

Options.warning_errors = True
LANGUAGE = os.environ.get("HOLDEMTOOLS_LANGUAGE", "c")
# -ffp-contract=off: the kernels give the same bits here as in pokermodel
STRICT = ["/O2"] if sys.platform == "win32" else ["-O3", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]
STANDARD = {("win32", "c"): ["/std:c11"]}.get((sys.platform, LANGUAGE), [])
# what Cython writes is not all used, nor all initialised by name
GENERATED = [] if sys.platform == "win32" else ["-Wno-unused-function", "-Wno-missing-field-initializers"]

setup(
    ext_modules=cythonize(
        [
            Extension(
                "holdemtools.kernels",
                ["holdemtools/kernels.pyx"],
                include_dirs=[pokermodel.get_include()],
                extra_compile_args=[*STRICT, *STANDARD, *GENERATED],
                language=LANGUAGE,
            )
        ],
        depfile=True,
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "initializedcheck": False,
            "cdivision": True,
            "freethreading_compatible": True,
        },
    ),
)
