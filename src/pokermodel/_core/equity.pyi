import numpy as np
from numpy.typing import NDArray

from pokermodel._core.dealing import Deals

def count_deals(deals: Deals, words: NDArray[np.uint64], trials: int, won: NDArray[np.float64]) -> None: ...
def count_runouts(deals: Deals, won: NDArray[np.float64]) -> None: ...
