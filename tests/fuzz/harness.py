"""Run one fuzz target in Python under Atheris, or on files; `tools/fuzz.py` does it for all.

    python -m tests.fuzz.harness TARGET [--planted] [--kernels FOLDER] [libFuzzer's arguments]

Lines of readers that are run count as coverage, and so do the C headers where kernels are built for it (`--kernels`).
Inputs change as libFuzzer changes them, or are damaged as the tests damage texts.
"""

from __future__ import annotations

import random
import sys
from contextlib import nullcontext
from itertools import count

import atheris

import pokermodel._core
from tests.common.damage import Dice, damaged

_SEARCHED = [f"pokermodel.{name}" for name in ("histories", "game", "solving", "journal", "_support")]


def main() -> None:
    arguments = sys.argv[1:]
    name = arguments.pop(0)
    planted = "--planted" in arguments
    if planted:
        arguments.remove("--planted")
    if "--kernels" in arguments:
        at = arguments.index("--kernels")
        pokermodel._core.__path__.insert(0, arguments[at + 1])
        del arguments[at : at + 2]
    atheris.enabled_hooks.add("str")
    with atheris.instrument_imports(include=_SEARCHED):
        from tests.fuzz.doors import TARGETS

    def changed(data: bytes, most: int, seed: int) -> bytes:
        rng = random.Random(seed)
        if rng.random() < 0.4:
            return bytes(atheris.Mutate(data, most))
        return damaged(data, Dice(rng), 1)[:most]  # libFuzzer puts several on top of each other

    target, tried = TARGETS[name], count(1)

    def check(data: bytes) -> None:
        number = next(tried)
        try:
            target.check(data)
        except Exception:
            print(f"#{number} fails", flush=True)  # libFuzzer has not said yet how many there were
            raise

    with target.planted() if planted else nullcontext():
        atheris.Setup([sys.argv[0], *arguments], check, custom_mutator=changed)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
