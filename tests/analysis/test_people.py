"""Lists of players and what is said of one, from rows."""

from __future__ import annotations

import json
from itertools import islice

import pytest

import pokermodel as pm
from pokermodel.analysis.people import PLAYER_SORTS, join_player, player_list, player_view, seated_players
from pokermodel.analysis.player import PlayerReports
from pokermodel.errors import UnknownPlayerError
from pokermodel.learning.winnings import Winnings
from pokermodel.library import Book
from pokermodel.report.people import player_body, players_body
from tests.common.desk import MATCH, SESSIONS, lay


@pytest.fixture(scope="module")
def hands(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hands")
    lay(folder)
    return [hand for name in SESSIONS for hand in pm.open_hands(folder / name)]


@pytest.fixture
def book(hands):
    with Book("sqlite://") as found:
        found.add(hands)
        yield found


def test_figures_are_those_of_a_profile(book, hands):
    with Book("sqlite://") as learnt:
        learnt.learn(hands, kinds=["statistics"])
        for each in player_list(book).players:
            profile = learnt.profile(each.name)
            for key in ("vpip", "pfr"):
                assert getattr(each, key).to_dict() == profile.statistics[key].to_dict()
            view = player_view(book, each.site, each.name)
            one = view.player
            assert (one.hands, one.style, one.vpip, one.pfr) == (each.hands, each.style, each.vpip, each.pfr)
            assert one.won == pytest.approx(each.won)
            (report,) = view.reports
            mine, other = report.profile, profile
            won, wanted = report.winnings.to_dict(), Winnings.of(profile).to_dict()
            for name in ("net", "rake", "all_in_ev", "hands", "all_ins", "unknown_all_ins", "unstated_rakes"):
                assert won[name] == pytest.approx(wanted[name], abs=1e-5), name
            for key, figure in mine.statistics.items():
                wanted = other.statistics[key].to_dict()
                assert figure.to_dict() == pytest.approx(wanted, abs=1e-5), (each.name, key)
            assert mine.totals.showdowns.tolist() == other.totals.showdowns.tolist()
            assert [leak.key for leak in report.leaks.found] == [
                leak.key for leak in leaks(learnt, each.name) if leak.rate.key != "shown_bluff"
            ]


def test_a_style_is_what_the_list_has(tmp_path, hands):
    """Hands without a hero, as of a match in which both play nearly everything, make nobody tight."""
    lay(tmp_path, match=True)
    with Book("sqlite://") as book:
        book.add([*hands, *islice(pm.open_hands(tmp_path / MATCH), 300)])
        for each in player_list(book).players:
            assert player_view(book, each.site, each.name).player.style == each.style, each.name


def test_ranges_are_those_of_the_command(tmp_path, hands):
    """By what the book keeps of the player and their population alone, the reader says the same as with everybody."""
    with Book(tmp_path / "b.db") as book:
        book.learn(hands, kinds=["statistics", "adaptive"])
        for name in ("Casey", "Gale"):
            (report,) = player_view(book, "pokerstars", name).reports
            wanted = PlayerReports(book, ranges=True).of(book.profile(name)).ranges.to_dict()
            told = report.ranges.to_dict()
            assert told["known"]
            assert told["preflop"] == wanted["preflop"]
            assert told["game"] == wanted["game"]


def leaks(learnt, name):
    return PlayerReports(learnt).of(learnt.profile(name)).leaks.found


def test_lists_are_sorted_and_go_on(book):
    for sort, small in PLAYER_SORTS.items():
        everybody = player_list(book, sort=sort)
        assert everybody.total == len(everybody.players) == 10
        values = [
            {"hands": each.hands, "won": each.won, "lost": each.won}.get(sort, getattr(each, sort, None))
            for each in everybody.players
        ]
        values = [each if isinstance(each, int | float) else each.value for each in values]
        assert values == sorted(values, reverse=not small)
        found, after = [], None
        while True:
            part = player_list(book, sort=sort, after=after, most=3)
            found += part.players
            after = part.next
            if after is None:
                break
        assert [each.name for each in found] == [each.name for each in everybody.players]
    for wrong in ({"sort": "luck"}, {"after": "x"}, {"where": "won>what"}, {"where": 'hero=""', "sort": "won"}):
        with pytest.raises(ValueError, match=r"expected"):
            player_list(book, **wrong)


def test_a_leak_leads_to_its_hands(book):
    """As many hands as it counts chances, where a hand has one."""
    view = player_view(book, "pokerstars", "Ellis")
    (leak,) = view.reports[0].leaks.found
    assert len(book.select(view.hands[leak.rate.key]).hands) == leak.chances
    html = player_body(view).document()
    assert f"chance%3D{leak.rate.key}" in html
    assert json.loads(json.dumps(view.to_dict()))["exploits"]["found"][0]["key"] == leak.key


def test_positions_add_up(book):
    for name in ("Casey", "Gale"):
        view = player_view(book, "pokerstars", name, by="position")
        assert sum(each.hands for each in view.groups) == view.reports[0].profile.hands
        assert "By position" in player_body(view, by="position").document()
    with pytest.raises(ValueError, match="unknown division"):
        player_view(book, "pokerstars", "Casey", by="luck")


def test_the_report_of_a_player_is_kept_until_there_are_more_hands(book, hands, monkeypatch):
    """Nothing is counted anew as long as hands are the same; what is not of all hands is not kept."""
    with Book("sqlite://") as few:
        few.add(hands[:-1])
        before = player_view(few, "pokerstars", "Gale").to_dict()
        with monkeypatch.context() as patched:
            patched.setattr("pokermodel.library.people.Seats.course", None)
            assert player_view(few, "pokerstars", "Gale").to_dict() == before
            with pytest.raises(TypeError):
                player_view(few, "pokerstars", "Gale", "hero=Robin")
        few.add(hands[-1:])
        assert player_view(few, "pokerstars", "Gale").to_dict() == player_view(book, "pokerstars", "Gale").to_dict()
        assert player_view(few, "pokerstars", "Gale").to_dict() != before


def test_names_that_are_one_person(book):
    """Their hands are added up, the join can be undone, and filters know it."""
    apart = {each.name: each for each in player_list(book).players}
    join_player(book, "pokerstars", "Gale", "Casey")
    together = player_list(book)
    assert together.total == 9
    (one,) = [each for each in together.players if each.person == "Casey"]
    assert one.hands == apart["Gale"].hands + apart["Casey"].hands
    assert one.won == pytest.approx(apart["Gale"].won + apart["Casey"].won)
    assert one.vpip.numerator == apart["Gale"].vpip.numerator + apart["Casey"].vpip.numerator
    view = player_view(book, "pokerstars", "Gale")
    assert sorted(each.name for each in view.names) == ["Casey", "Gale"]
    assert len(view.reports) == 2
    assert len(book.select("hero=Casey").hands) == one.hands
    book.mine.join("pokerstars", "Gale", "Big Al")  # a person whose name is nobody's here
    seats = seated_players(book, "pokerstars", _number(book, int(book.select("player=Gale").hands[0])))
    assert "Gale" in {each.name for each in seats}  # by which the page is found
    with pytest.raises(ValueError, match="unknown player: 'Nobody'"):
        join_player(book, "pokerstars", "Gale", "Nobody")
    join_player(book, "pokerstars", "Gale", "")
    assert player_list(book).total == 10
    assert player_view(book, "pokerstars", "Gale").names[0].person == ""


def test_a_player_who_is_not_there(book):
    """An error has their name; that a filter leaves them out is another error."""
    with pytest.raises(UnknownPlayerError, match=r"^the book has no player 'Nobody': expected"):
        player_view(book, "pokerstars", "Nobody")
    with pytest.raises(ValueError, match=r"^Gale is in none of these hands$") as raised:
        player_view(book, "pokerstars", "Gale", "pot=4-bet")
    assert not isinstance(raised.value, UnknownPlayerError)


def test_tags_and_notes_are_listed(book):
    book.mine.tag("player", "pokerstars", "Casey", "fish")
    book.mine.note("player", "pokerstars", "Casey", "<b>calls</b>")
    (each,) = [each for each in player_list(book).players if each.name == "Casey"]
    assert (each.tags, each.note) == (("fish",), "<b>calls</b>")
    assert "&lt;b&gt;calls" in players_body(player_list(book)).document()
    site, number = "pokerstars", book.select("player=Casey").hands[0]
    number = _number(book, int(number))
    seats = seated_players(book, site, number)
    assert [each.tags for each in seats if each.name == "Casey"] == [("fish",)]
    assert seated_players(book, site, "0") == []


def _number(book, row):
    with book.reading() as connection:
        return connection.exec_driver_sql(f"SELECT number FROM hands WHERE hand = {row + 1}").scalar()
