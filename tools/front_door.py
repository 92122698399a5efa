"""Write the stub of the package, ``src/pokermodel/__init__.pyi``, from the list of its names.

    python tools/front_door.py           # write it
    python tools/front_door.py --check   # status 1 if it is not what the list says

Type checkers and editors read the stub; Python reads the list in ``__init__.py``. A test compares the two.
"""

from __future__ import annotations

import argparse
import pkgutil
import sys
from pathlib import Path

import pokermodel

#: They import the package; a program that uses them imports them itself.
WINGS = ("classics", "tables")
STUB = Path(__file__).resolve().parent.parent / "src" / "pokermodel" / "__init__.pyi"


def stub() -> str:
    """Return the text of the stub."""
    lines = ["# Written by tools/front_door.py from the list in __init__.py: do not edit.", ""]
    rooms = sorted({each.name for each in pkgutil.iter_modules(pokermodel.__path__) if not each.name.startswith("_")})
    lines += [f"from pokermodel import {room} as {room}" for room in rooms if room not in WINGS]
    for module, names in sorted(pokermodel._FRONT_DOOR.items()):
        lines += [f"from pokermodel.{module} import {name} as {name}" for name in sorted(names)]
    lines += ["", "__version__: str", ""]
    return "\n".join(lines)


def main() -> int:
    """Write or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        return int(STUB.read_text(encoding="utf-8") != stub())
    STUB.write_text(stub(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
