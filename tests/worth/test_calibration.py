"""How far measured differences are believed: less against strangers."""

import math

import pytest

from pokermodel.worth.calibration import FITS, NO_FIT, RAISED, Fit, fit_of, stranger_of

FIT = Fit(0.8, 0.3, 0.5, 0.1, 0.2, 1.5, 2.0)
OF = 4.0, 1.0, 0.5, 10.0  # a difference, half its interval, the part by the deals, the pot


def test_the_more_is_learnt_the_less_of_a_stranger_is_left():
    found = [stranger_of([acts]) for acts in (0, 1, 100, 300, 1_000, 100_000)]
    assert found == sorted(found, reverse=True)
    assert (found[0], found[3]) == (1.0, 0.5)
    assert found[-1] < 0.01
    assert stranger_of([0, 300]) == 0.75


@pytest.mark.parametrize("acts", [[], [-1.0], [5.0, -1.0], [math.nan]])
def test_acts_that_make_no_sense(acts):
    with pytest.raises(ValueError, match="expected the learnt acts of each opponent"):
        stranger_of(acts)


def test_intervals_grow_and_losses_shrink_against_strangers():
    shares = [0.0, 0.2, 0.5, 1.0]
    errors, losses = [FIT.error(*OF, each) for each in shares], [FIT.loss(4.0, each) for each in shares]
    assert errors == sorted(errors)
    assert errors[-1] == pytest.approx(FIT.strange * errors[0])
    assert losses == sorted(losses, reverse=True)
    assert losses[0] == pytest.approx(3.2)
    assert losses[-1] == pytest.approx(2.0)
    assert FIT._replace(less=0.9).loss(4.0, 1.0) == 0.0


def test_every_part_of_an_error_widens_it():
    none = Fit(1.0, 0.0, 0.0, 0.0, 0.0)
    assert none.error(*OF, 1.0) == pytest.approx(1.0)
    for wider in ({"units": 0.1}, {"pot": 0.1}, {"part": 0.1}, {"wide": 1.1}, {"strange": 1.1}):
        assert none._replace(**wider).error(*OF, 1.0) > 1.0
    assert NO_FIT.error(*OF, 1.0) == none.error(*OF, 1.0)


def test_shipped_fits_are_sane():
    for fit in FITS.values():
        assert 0.0 <= fit.keep <= 1.0
        assert fit.strange > 1.0
        assert min(fit.units, fit.pot, fit.part, fit.wide) >= 0.0
    raised, unraised = (fit_of("simulated", False, street, "raise for call") for street in (RAISED, "pre-flop"))
    assert max(raised.loss(1.0, 1.0), unraised.loss(1.0, 1.0)) <= 0.401  # aces that raise are no mistake
    assert fit_of("simulated", False, "turn", "fold for call") == FITS["simulated", False, "turn", ""]
    assert fit_of("exact", False, "river", "") == NO_FIT
