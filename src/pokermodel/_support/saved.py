"""Files of arrays that say what they are: an archive of NumPy's, with an ``about`` in JSON."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["read_saved"]


def read_saved(path: Path, what: str, form: str, version: int) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Read the arrays of a file, and what it says of itself.

    Parameters
    ----------
    what : str
        What it should be, in words: "solution".
    form, version : str, int
        What ``format`` and ``version`` of the file have to be.

    Raises
    ------
    ValueError
        If it is no such file, or one of another version.
    OSError
        If it cannot be read.
    """
    content = path.read_bytes()
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        about = json.loads(arrays["about"].tobytes())
        found = about["format"], about["version"]
    except (ValueError, OSError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        raise ValueError(f"{path}: not a {what} that pokermodel saved") from None
    if found[0] != form:
        raise ValueError(f"{path}: not a {what} that pokermodel saved")
    if found[1] != version:
        raise ValueError(f"{path}: a {what} of version {found[1]}, and this pokermodel reads version {version}")
    return arrays, about
