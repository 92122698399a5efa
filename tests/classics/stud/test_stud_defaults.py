"""The script that writes how the program of five-card stud plays against itself."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel._core.hand_types import STATES
from pokermodel._core.stud_player import SITUATIONS
from pokermodel.classics.stud.defaults import default_counts, prior_of
from pokermodel.evaluation.hand_types import SCHEMES
from tools import stud_defaults
from tools.stud_defaults import main, make_defaults


def test_the_command_writes_defaults(tmp_path, monkeypatch):
    monkeypatch.setattr(stud_defaults, "GAMES", 200)
    monkeypatch.setattr(stud_defaults, "ESTIMATES", 2)
    path = tmp_path / "defaults.csv"
    main([str(path)])
    header, *rows = path.read_text().splitlines()
    assert header == "types,situation,state,fold,call,raise"
    read = {scheme: np.zeros((SITUATIONS, STATES, 3), np.int64) for scheme in SCHEMES}
    for row in rows:
        scheme, situation, state, *counts = map(int, row.split(","))
        assert sum(counts) > 0
        read[scheme][situation, state] = counts
    for scheme, counts in read.items():
        np.testing.assert_array_equal(counts, make_defaults(scheme))
        acts = counts.sum(axis=(1, 2))
        assert (acts[np.arange(12) % 3 == 0] > 0).all()
    with pytest.raises(SystemExit, match=r"usage: python tools/stud_defaults.py FILE"):
        main([])


@pytest.mark.slow
def test_defaults_can_be_made_again():
    made, shipped = make_defaults(9), default_counts(9)
    assert made.sum() == pytest.approx(shipped.sum(), rel=0.01)
    np.testing.assert_allclose(prior_of(made), prior_of(shipped), atol=0.1)
