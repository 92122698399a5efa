import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.float64]
_Bytes = NDArray[np.uint8]

def factors(values: _Floats, mu: float, sigma: float, compensate: bool, falling: bool, out: _Floats) -> None: ...
def triples(
    values: _Floats,
    raises: tuple[float, float, float] | None,
    calls: tuple[float, float, float] | None,
    exempt: _Bytes | None,
    compensate: bool,
    may_raise: bool,
    out: _Floats,
) -> None: ...
def forecast(
    values: _Floats,
    potentials: _Floats,
    weights: _Floats,
    raises: tuple[float, float, float] | None,
    calls: tuple[float, float, float] | None,
    odds: float | None,
    compensate: bool,
    may_raise: bool,
    out: _Floats,
) -> None: ...
def reweight(
    weights: _Floats,
    values: _Floats,
    mu: float,
    sigma: float,
    exempt: _Bytes | None,
    live: _Bytes | None,
    compensate: bool,
    falling: bool,
    least: float,
    out: _Floats,
) -> None: ...
def posterior(weights: _Floats, likelihoods: _Floats, least: float, out: _Floats) -> float: ...
def mean_triple(weights: _Floats, triples: _Floats, out: _Floats) -> bool: ...
def correct(theta: _Floats, predicted: _Floats, legal: int, out: _Floats) -> None: ...
def learn_act(theta: _Floats, information: _Floats, predicted: _Floats, legal: int, act: int) -> None: ...
