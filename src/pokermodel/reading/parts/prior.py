"""What is known of people before any of them is met: a likelihood, and how much populations and players differ.

A prior is a file. The one that ships with the package is read when it is first needed; `pokermodel fit` makes others.
"""

from __future__ import annotations

import hashlib
import io
import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.likelihood import EFFECTS, WEIGHTS, Likelihood
from pokermodel.reading.parts.situations import FACTOR_CELLS, SITUATION_ROWS

__all__ = ["Prior", "default_prior", "read_prior"]

_SHIPPED = "prior.npz"


class Prior:
    """A likelihood, with how much populations and players differ.

    Parameters
    ----------
    weights : sequence of array_like
        Of the `Likelihood`, as `pokermodel._core.likelihood.WEIGHTS` names them.
    scales : mapping of str to float
        ``population`` and ``player``: standard deviations of effects, in units of the loadings;
        ``population_strength`` and ``player_strength``: observations that a factor of 1 is worth.
    about : mapping of str to object
        What it was fitted on and how: plain data, for people to read.

    Raises
    ------
    ValueError
        If an array has another shape, or a number is out of range.

    Attributes
    ----------
    likelihood : Likelihood
    scales, about : dict
    """

    #: Version of the file, and of the features that the weights are for.
    version: ClassVar[int] = 1
    _NAMES: ClassVar[tuple[str, ...]] = ("population", "player", "population_strength", "player_strength")

    def __init__(
        self, weights: tuple[NDArray[Any], ...] | list[NDArray[Any]], scales: dict[str, float], about: dict[str, Any]
    ) -> None:
        # the file has the loadings in single precision
        self.likelihood = Likelihood([*weights[:-1], np.asarray(weights[-1], dtype=np.float32)])
        if (rows := len(self.likelihood.weights[0])) != SITUATION_ROWS:
            raise ValueError(f"a situation has {SITUATION_ROWS} rows, got {rows}")
        if not all(np.isfinite(each).all() for each in self.likelihood.weights):
            raise ValueError("a likelihood has finite weights")
        if set(scales) != set(self._NAMES):
            raise ValueError(f"the scales are {', '.join(self._NAMES)}, got {', '.join(scales) or 'none'}")
        for name, value in scales.items():
            if not 0 < value < np.inf:
                raise ValueError(f"the scale {name} must be a finite number above 0, got {value}")
        self.scales = {name: float(scales[name]) for name in self._NAMES}
        self.about = dict(about)
        #: Strengths of the factors, of four contexts of the population and four of the player: float64 (8,).
        self.strengths = np.repeat([self.scales["population_strength"], self.scales["player_strength"]], 4)
        self._digest: str | None = None

    def __repr__(self) -> str:
        return f"<Prior {self.digest[:12]} fitted on {self.about.get('hands', 0):,} hands>"

    @property
    def digest(self) -> str:
        """What tells it from all other priors, as hexadecimal digits. What it says about itself does not count."""
        if self._digest is None:
            made = hashlib.sha256(json.dumps([self.version, FACTOR_CELLS, EFFECTS, self.scales]).encode())
            for each in self.likelihood.weights:
                made.update(np.ascontiguousarray(each).tobytes())
            self._digest = made.hexdigest()
        return self._digest

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (list(self.likelihood.weights), self.scales, self.about)

    def to_bytes(self) -> bytes:
        """The prior as a file; the same prior gives the same bytes."""
        file = io.BytesIO()
        arrays = dict(zip(WEIGHTS, self.likelihood.weights, strict=True))
        arrays["loadings"] = arrays["loadings"].astype(np.float32)
        said = json.dumps({"version": self.version, "scales": self.scales, "about": self.about}, sort_keys=True)
        np.savez_compressed(file, allow_pickle=False, said=np.frombuffer(said.encode(), dtype=np.uint8), **arrays)
        return file.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """Read what `to_bytes` made.

        Raises
        ------
        ValueError
            If it is something else, damaged, or of another version.
        """
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
                said = json.loads(arrays["said"].tobytes())
                if said["version"] != cls.version:
                    raise ValueError(f"its version is {said['version']}, expected {cls.version}")
                weights = [arrays[name] for name in WEIGHTS]
                return cls(weights, said["scales"], said["about"])
        except Exception as error:  # numpy, zipfile, zlib and json have many ways to say it
            raise ValueError(f"this is no prior: {error}") from None


@cache
def default_prior() -> Prior:
    """The prior that ships with the package."""
    return Prior.from_bytes((files("pokermodel") / "data" / _SHIPPED).read_bytes())


def read_prior(path: str | Path) -> Prior:
    """Read a prior from a file.

    Raises
    ------
    ValueError
        If it cannot be read, or is no prior; the message names the file.
    """
    return _read(Path(path).resolve(), _stamp(Path(path)))


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError as error:
        raise ValueError(f"{path}: no prior can be read: {error.strerror}") from None
    return found.st_mtime_ns, found.st_size


@cache
def _read(path: Path, stamp: tuple[int, int]) -> Prior:
    try:
        return Prior.from_bytes(path.read_bytes())
    except OSError as error:
        raise ValueError(f"{path}: no prior can be read: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
