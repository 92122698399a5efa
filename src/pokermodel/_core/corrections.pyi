from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pokermodel.game import Situation
from pokermodel.reading.calibration import Forecast

def forecast(
    theta: NDArray[np.float64], situation: Situation, predicted: NDArray[np.float64], out: NDArray[np.float64]
) -> None: ...
def learn_acts(theta: NDArray[np.float64], information: NDArray[np.float64], said: Iterable[Forecast]) -> None: ...
def live_weights(weights: NDArray[np.float64], live: NDArray[np.uint8], out: NDArray[np.float64]) -> None: ...
def shares_of_largest(weights: NDArray[np.float64], live: NDArray[np.uint8], out: NDArray[np.float64]) -> float: ...
def log_information(
    weights: NDArray[np.float64], live: NDArray[np.uint8], holding: int, exponent: float
) -> tuple[float, float]: ...
