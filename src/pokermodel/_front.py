"""Two functions of the front door that belong to the package as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pokermodel.game import Hand

__all__ = ["example_hand", "get_include"]


def get_include() -> str:
    """Folder of the C headers, for ``include_dirs`` of an extension that uses pokermodel's kernels."""
    from pathlib import Path

    return str(Path(__file__).parent / "include")


def example_hand() -> Hand:
    """The hand that ships with the package: six players, 10-20 limit, made up."""
    from importlib import resources

    from pokermodel.histories import open_hands

    with resources.as_file(resources.files("pokermodel") / "data" / "example.phh") as path:
        return next(iter(open_hands(path)))
