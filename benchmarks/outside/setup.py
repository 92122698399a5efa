"""Build the module as docs/howto/link.md says, with the optimization that OUTSIDE_FLAGS names."""

import os

import pokermodel
from Cython.Build import cythonize
from setuptools import Extension, setup

setup(
    name="outside",
    ext_modules=cythonize(
        [
            Extension(
                "kernels",
                ["kernels.pyx"],
                include_dirs=[pokermodel.get_include()],
                extra_compile_args=["-ffp-contract=off", *os.environ["OUTSIDE_FLAGS"].split()],
            )
        ],
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
