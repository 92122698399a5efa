"""Spot files: what is written is read again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pokermodel.solving import Lock, Menu, Subgame

SPOT = """
board = "QsJh2h8c3d"
pot = 200
stack = 900
ranges = ["QQ,AK,98s", "JJ,KK:.5,T9s"]
bets = ["50%", "100%", "all-in"]
raises = ["60%", "all-in"]
"""


def test_a_spot_file():
    spot = Subgame.from_toml(SPOT)
    assert spot.board == "QsJh2h8c3d"
    assert (spot.pot, spot.stacks) == (200, (900, 900))
    assert spot.ranges[1]["KK"] == 0.5
    assert spot.menu("river", "ip") == Menu(("50%", "100%", "all-in"), ("60%", "all-in"))
    assert spot.size().decisions == (20,)
    again = Subgame.from_toml(spot.to_toml())
    assert again.to_toml() == spot.to_toml()
    assert again.size() == spot.size()


def test_a_spot_file_on_disk(tmp_path):
    path = tmp_path / "spot.toml"
    path.write_text(SPOT)
    assert Subgame.from_toml(path).pot == Subgame.from_toml(str(path)).pot == 200
    path.write_text("pot = ")
    with pytest.raises(ValueError, match=r"spot\.toml: not a spot file: "):
        Subgame.from_toml(path)
    with pytest.raises(OSError, match=r"missing\.toml"):
        Subgame.from_toml(Path("missing.toml"))


def test_locks_in_files():
    text = (
        SPOT
        + '[[lock]]\nnode = "r:0:b100"\nconfidence = .3\nstrategy = { f = .5, call = "AA:.5", b340 = 0, b900 = 0 }\n'
    )
    spot = Subgame.from_toml(text)
    assert spot.locks[0].confidence == 0.3
    assert Subgame.from_toml(spot.to_toml()).to_toml() == spot.to_toml()
    whole = spot.with_locks([Lock("r:0", np.full((1326, 4), 0.25))])
    with pytest.raises(ValueError, match="which a spot file cannot say"):
        whole.to_toml()
