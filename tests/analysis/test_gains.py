"""Gains of answers to a player: as the command works them out, kept with their stamp, and shown with the profile."""

from __future__ import annotations

import pytest

import pokermodel as pm
from pokermodel.analysis import gains
from pokermodel.analysis.exploits import Exploit
from pokermodel.analysis.gains import hands_of, keep_gains, kept_gains, with_gains, work_out
from pokermodel.analysis.people import player_list, player_view
from pokermodel.analysis.player import PlayerReports
from pokermodel.library import Book
from pokermodel.report.people import gain_notes, player_body
from tests.common.desk import MATCH, lay


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hands")
    lay(folder, match=True)
    with Book("sqlite://") as found:
        found.learn(pm.open_hands(folder / MATCH))
        yield found


@pytest.fixture
def kit(book):
    """Site and name."""
    (found,) = [each for each in player_list(book).players if each.name == "Kit"]
    return found.site, found.name


def quick(rules, session, player, spec, hands, usual, *, open_size):
    """What stands for the work of half a minute."""
    of = 2.0, 1.0, 3.0, 0.5, None, 4.0, None, 0.6, 0.5, None, None, 24, 0.5
    return tuple(Exploit(rule.key, "played out", *of) for rule in rules)


@pytest.mark.slow
def test_they_are_those_of_the_command(book, kit):
    report = PlayerReports(book, exploits=True, ranges=True).of(book.profile("Kit"))
    (found,) = work_out(book, *kit).values()
    assert found.exploits == report.exploits
    assert [each.acts.tolist() for each in found.postflop] == [each.acts.tolist() for each in report.ranges.postflop]


def test_what_is_kept_is_shown(book, kit, monkeypatch):
    monkeypatch.setattr(gains, "exploits_of", quick)
    view = player_view(book, *kit)
    assert kept_gains(book, *kit) == {}
    (note,) = gain_notes(view, 0)
    assert (note.button, note.fields["player"]) == ("work out", "Kit")
    assert gain_notes(view, 0, waiting=True)[0].button == ""
    assert gain_notes(view, 5)[0].text == "What answers gain is as of 5 hands."
    found = work_out(book, *kit)
    keep_gains(book, *kit, found)
    keep_gains(book, *kit, found)
    kept = kept_gains(book, *kit)
    assert {key: each.to_dict() for key, each in kept.items()} == {key: each.to_dict() for key, each in found.items()}
    assert hands_of(kept) == view.played == 3000
    assert gain_notes(view, hands_of(kept)) == []
    shown = with_gains(view, kept)
    (report,) = shown.reports
    assert len(report.exploits) == len(report.leaks.found) > 0
    assert shown.to_dict()["exploits"]["computed"]
    assert len(report.ranges.postflop) == 6
    assert "After the flop" in player_body(shown).document()
    assert "After the flop" not in player_body(view).document()


def test_what_is_of_another_version_or_damaged_is_not_shown(book, kit, monkeypatch):
    monkeypatch.setattr(gains, "exploits_of", quick)
    keep_gains(book, *kit, work_out(book, *kit))
    monkeypatch.setattr(gains, "revision", lambda: "another")
    assert kept_gains(book, *kit) == {}
    monkeypatch.undo()
    assert kept_gains(book, *kit)
    for harm in (b"{[", b"[]", b"7"):
        monkeypatch.setattr(gains, "_read", lambda *_, harm=harm: harm)
        assert kept_gains(book, *kit) == {}


def test_a_leak_without_a_gain_leaves_the_arithmetic(book, kit, monkeypatch):
    """Leaks that were found since have none: then none is shown, and ranges are."""
    monkeypatch.setattr(gains, "exploits_of", quick)
    ((name, found),) = work_out(book, *kit).items()
    view = player_view(book, *kit)
    (report,) = with_gains(view, {name: found._replace(exploits=found.exploits[1:])}).reports
    assert report.exploits is None
    assert report.ranges.postflop
    assert with_gains(view, {}).reports == view.reports
