"""Weights before a player has acted."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel.cards import holding_index
from pokermodel.classics.loki1.initial import INCOME_MU, INCOME_SIGMA, income_weights
from pokermodel.classics.loki1.reweighting import LEAST_WEIGHT
from pokermodel.evaluation.preflop import income_rates_by_holding

#: Billings et al. (AAAI 1998, Table 2), first column.
PRINTED = dict(
    zip(
        ("Jc4h", "AcJc", "5h2h", "6s5s", "5s5h", "5s3s", "AcQd", "7s5s", "QsTs"),
        (0.01, 1.00, 0.20, 0.60, 0.70, 0.40, 1.00, 0.60, 0.90),
        strict=True,
    )
)
HOLDINGS = [holding_index(cards) for cards in PRINTED]


def errors(mu, sigma):
    """Fitted less printed weights: (..., 9)."""
    rates = income_rates_by_holding()[HOLDINGS]
    fitted = np.clip((rates - mu[..., None] + sigma[..., None]) / (2 * sigma[..., None]), LEAST_WEIGHT, 1)
    return fitted - np.array(list(PRINTED.values()))


def test_the_ramp_fits_the_printed_weights():
    """To a twentieth, but for QsTs: its income rate is almost that of AcQd, its weight .1 less."""
    off = dict(zip(PRINTED, income_weights()[HOLDINGS] - list(PRINTED.values()), strict=True))
    assert off.pop("QsTs") == pytest.approx(0.10)
    assert max(map(abs, off.values())) < 0.055
    assert sum(error**2 for error in off.values()) < 0.005


def test_no_other_ramp_fits_them_better():
    """Among whole numbers, by trying all that come into question."""
    mu, sigma = np.meshgrid(np.arange(-150.0, 151), np.arange(50.0, 501), indexing="ij")
    squares = (errors(mu, sigma) ** 2).sum(axis=-1)
    best = np.unravel_index(squares.argmin(), squares.shape)
    assert (mu[best], sigma[best]) == (INCOME_MU, INCOME_SIGMA)
    assert np.sqrt(squares.min() / 9) == pytest.approx(0.04, abs=0.001)  # as documented


def test_they_are_weights():
    weights = income_weights()
    assert (weights.shape, weights.min(), weights.max()) == ((1326,), LEAST_WEIGHT, 1.0)
    assert not weights.flags.writeable
