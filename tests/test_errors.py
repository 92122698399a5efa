from __future__ import annotations

import pickle

import pytest

from pokermodel.errors import HistoryError, RangeError, UnknownPlayerError


@pytest.mark.parametrize(
    "error",
    [
        *(HistoryError("no hand", "a.log", 7), HistoryError("no hand"), HistoryError("no", "a.log", 7, "71")),
        RangeError("no class", "AXs", 2),
        UnknownPlayerError("nobody"),
    ],
)
def test_errors_survive_a_process_boundary(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_errors_say_where():
    assert str(HistoryError("no hand", "a.log", 7)) == "a.log:7: no hand"
    assert str(HistoryError("no hand", "a.log")) == "a.log: no hand"
    assert str(HistoryError("no bets", "a.log", 7, "71")) == "a.log:7: hand 71: no bets"
    assert str(HistoryError("hand 71: no bets", "a.log", 7, "71")) == "a.log:7: hand 71: no bets"
    assert str(RangeError("no class", "AXs", 2)) == "column 2: no class"
