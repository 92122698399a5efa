"""Packages of others that a connector needs, and the extra that installs them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["import_extra"]


def import_extra(module: str, extra: str) -> Any:
    """Import a module that an extra of the package installs.

    Raises `ModuleNotFoundError` if it is not installed; the message names the extra.
    """
    package = module.partition(".")[0]
    try:
        import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise  # something that it imports itself is missing
        said = f'pokermodel.tables.connect.{extra} needs {package}: expected pip install "pokermodel[{extra}]"'
        raise ModuleNotFoundError(said, name=package) from None
    return import_module(module)
