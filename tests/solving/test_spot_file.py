"""Spot files: what is written is read again."""

from __future__ import annotations

import time
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


PLAIN = 'board = "QsJh2h8c3d"\npot = 200\nstack = 900\nranges = ["QQ,AK", "JJ,T9s"]\n'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("pot = 200", "a" + ".a" * 40_000 + " = 1"),
        ("pot = 200", "[a" + ".a" * 40_000 + "]"),
        *[
            ("200", number)
            for number in ("1" * 400, "1" * 5000, "5e-324", "1e308", "1e400", "nan", "-inf", "1979-05-27")
        ],
        *[("200", value) for value in ("07:32:00", "1979-05-27T07:32:00Z", "[" * 5000, "[" * 5000 + "]" * 5000)],
        *[
            ("900", number)
            for number in ("1" * 400, "5e-324", "1979-05-27", "[1979-05-27, 3]", "{ a = 1 }", "[]", "[[]]")
        ],
        ("stack = 900", "stack = 900\nmost_raises = 1979-05-27"),
        ("stack = 900", "stack = 900\nleast = 1979-05-27"),
        ("stack = 900", "stack = 900\nrake_cap = 07:32:00"),
        ("stack = 900", f"stack = 900\nall_in_share = {'9' * 400}"),
        ("stack = 900", 'stack = 900\nbig_bet = 1e308\nstructure = "limit"'),
        ("stack = 900", "stack = 900\nbets = [1979-05-27]"),
        ("stack = 900", "stack = 900\nriver = 1979-05-27"),
        ("stack = 900", "stack = 900\noop.donk = 1979-05-27"),
        ("stack = 900", "stack = 900\nfolded = 1979-05-27"),
        ("stack = 900", "stack = 900\nfolded = [1979-05-27]"),
        ("stack = 900", 'stack = 900\n[[lock]]\nnode = "r:0"\nstrategy = [1979-05-27, 1]\n'),
        ("stack = 900", 'stack = 900\n[[lock]]\nnode = "r:0"\nstrategy = { f = 07:32:00 }\n'),
        ("stack = 900", 'stack = 900\n[[lock]]\nnode = "r:0"\nstrategy = [[0.5, 0.5], [1]]\n'),
        ("QQ,AK", "QQ:1e308,AK:1e308"),
        ("QQ,AK", "QQ:5e-324"),
        ("QQ,AK", "QQ:" + "9" * 400),
        ("ranges", "#" * (1 << 24) + "\nranges"),
    ],
)
def test_every_value_that_cannot_be_is_refused_in_a_line(tmp_path, old, new):
    """In little time, whatever its size."""
    path = tmp_path / "spot.toml"
    path.write_text(PLAIN.replace(old, new))
    began = time.process_time()
    with pytest.raises(ValueError, match=r"^[^\n]*spot\.toml: [^\n]{1,300}$"):
        Subgame.from_toml(path).solver()
    assert time.process_time() - began < 2


def test_a_byte_order_mark_and_a_great_most_are_taken(tmp_path):
    path = tmp_path / "spot.toml"
    path.write_text(PLAIN + "most_raises = 2147483648\n", encoding="utf-8-sig")
    assert Subgame.from_toml(path).size() == Subgame.from_toml(PLAIN).size()
