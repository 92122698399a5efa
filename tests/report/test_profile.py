"""What is printed of a player."""

from __future__ import annotations

import io

from rich.console import Console

from pokermodel.cards import class_index
from pokermodel.learning.profile import Profile
from pokermodel.report.profile import print_profile
from tests.common.made_counts import made_profile


def printed(profile: Profile, width: int = 80, depth: str | None = None) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=depth, force_terminal=depth is not None)
    print_profile(profile, console)
    return console.file.getvalue()


def shown(**counts: int) -> Profile:
    """A player who showed classes of holdings so many times."""
    return made_profile({}, showdowns={class_index(name): count for name, count in counts.items()})


def test_holdings_shown_are_counts():
    text = printed(shown(AA=2, KK=11, AKs=1, T9o=1200))
    below = text[text.index("holdings shown") :].splitlines()
    assert text.splitlines()[-len(below)].startswith("1,214 holdings shown")
    rows = {line[:1]: line.split()[1:] for line in below[2:15]}
    assert "".join(rows) == "AKQJT98765432"
    assert rows["A"][:3] == ["2", "1", "."]
    assert rows["K"][:3] == [".", "11", "."]
    assert rows["9"][4] == "1k"
    figures = [cell for row in rows.values() for cell in row if cell != "."]
    assert sorted(figures) == ["1", "11", "1k", "2"]
    assert below[15:] == ["number = times shown, . = never", "T9o 1,200, KK 11, AA 2, AKs 1"]


def test_where_there_is_little_room_a_digit_is_a_count():
    lines = printed(shown(AA=2, KK=11), width=40).splitlines()
    row = {line[:1]: line.split()[1:] for line in lines if line[:2] in ("A ", "K ")}
    assert row["A"][0] == "2"
    assert row["K"][1] == "+"
    assert any("+ = more than 9" in line for line in lines)


def test_in_colour_the_counts_are_in_words():
    """Cells show their class there, and the colour alone would not say how often it was shown."""
    text = printed(shown(AA=2, KK=11, AKs=1), width=80, depth="truecolor")
    assert "KK 11, AA 2, AKs 1" in text
    assert "times shown" in text


def test_nothing_shown():
    assert printed(made_profile({})).rstrip().endswith("no holding shown")
    assert "1 holding shown" in printed(shown(AA=1))
