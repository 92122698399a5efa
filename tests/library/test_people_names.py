"""Players by name and site, and names that are one player's."""

from __future__ import annotations

import json
from collections import Counter

import pytest

import pokermodel as pm
from pokermodel.cli import main
from pokermodel.library import Learnt
from tests.common.books import FREE, HANDS, STATISTICS, at, exported, learnt

on_both = pytest.mark.usefixtures("backend")
NO_SITE, STARS, WINAMAX = HANDS[:12], [at("pokerstars", hand) for hand in HANDS[12:20]], HANDS[20:26]
WINAMAX = [at("winamax", hand) for hand in WINAMAX]


def counts(profile):
    """Numerators and denominators by key."""
    found = profile.statistics.items()
    return Counter(
        {(key, which): getattr(each, which) for key, each in found for which in ("numerator", "denominator")}
    )


def added(*profiles):
    together = Counter()
    for profile in profiles:
        together.update(counts(profile))
    return {key: pytest.approx(count) for key, count in together.items()}


@on_both
def test_a_name_at_two_sites_is_two_players():
    book = learnt([*NO_SITE, *STARS, *WINAMAX])
    assert "Ann@pokerstars" in book
    assert sorted(name for name in book if name.startswith("Ann")) == ["Ann@", "Ann@pokerstars", "Ann@winamax"]
    for hands, name in (NO_SITE, "Ann@"), (STARS, "Ann@pokerstars"), (WINAMAX, "Ann@winamax"):
        alone = learnt(hands).profile("Ann")
        assert counts(book.profile(name)) == counts(alone)
        assert book.recent(name) == alone.recent
        assert book.profile(name).name == name
        assert book.contexts(name).rich == learnt(hands).contexts("Ann").rich
    expected = r"several players are called 'Ann': expected one of Ann@, Ann@pokerstars, Ann@winamax"
    for ask in (book.profile, book.profiles, book.course, lambda name: book.breakdown("position", name)):
        with pytest.raises(ValueError, match=expected):
            ask("Ann")
    # counts of a name alone, which readers ask for who know no site, are those of all who have it
    parts = [book[name] for name in ("Ann@", "Ann@pokerstars", "Ann@winamax")]
    assert book["Ann"].values.tolist() == sum(part.values for part in parts).tolist()
    assert len(book) == len(list(book)) == len({*book})


@on_both
def test_a_player_of_one_site_needs_none():
    book = learnt(STARS)
    assert list(book) == list(learnt(HANDS[12:20]))
    assert book.profile("Ann").name == "Ann"
    assert book.profile("Ann@pokerstars").name == "Ann"
    assert counts(book.profile("Ann@pokerstars")) == counts(book.profile("Ann"))
    for unknown in ("Ann@winamax", "Ann@", "ann", "Ann@pokerstars@"):
        assert unknown not in book
        with pytest.raises(KeyError):
            book.profile(unknown)


@on_both
def test_a_name_that_looks_like_a_name_at_a_site():
    """Names may have an @; the text of a player means nobody else."""
    names = {"Ann": "Bob@winamax", "Bob": "Bob", "Cid": "C@d", "Dee": "Dee", "Eve": "Eve"}

    def renamed(hand):
        players = [names[name] for name in hand.players]
        return pm.Hand("test", hand.id, hand.spec, players, hand.actions, hand.board, hand.holdings)

    book = learnt([*map(renamed, NO_SITE), *WINAMAX])
    whole = {name: book.profile(name) for name in book}
    assert {"Bob@winamax", "Bob@winamax@", "C@d"} <= {*book}
    assert counts(whole["Bob@winamax@"]) == counts(learnt(NO_SITE).profile("Ann"))
    assert counts(whole["Bob@winamax"]) == counts(learnt(WINAMAX).profile("Bob"))
    assert len(whole) == len(book)


@on_both
def test_two_names_of_one_player():
    book = learnt([*STARS, *WINAMAX])
    alone = {name: book.profile(name) for name in book}
    number = len(book)
    book.alias("Ann@pokerstars", "Bob@winamax")
    joined = book.profile("Ann@pokerstars")
    assert counts(joined) == added(alone["Ann@pokerstars"], alone["Bob@winamax"])
    assert joined.hands == alone["Ann@pokerstars"].hands + alone["Bob@winamax"].hands
    assert counts(book.profile("Bob@winamax")) == counts(joined)
    assert book.profile("Bob@winamax").name == book.profile("Ann@pokerstars").name
    assert len(book) == len(list(book)) == number - 1
    assert "Bob@winamax" not in list(book)
    assert "Bob@winamax" in book
    assert len(joined.recent) <= 20
    for by in ("position", "month"):
        groups = book.breakdown(by, "Bob@winamax")
        assert sum(profile.hands for profile in groups.values()) == joined.hands
    assert sum(period.profile.hands for period in book.course("Bob@winamax").periods) == joined.hands
    book.check()
    # what is learnt later goes to the name, and with it to the player
    book.learn([at("winamax", HANDS[30])], kinds=STATISTICS)
    assert book.profile("Ann@pokerstars").hands == joined.hands + HANDS[30].players.count("Bob")
    # and who was joined can be told apart again
    book.alias("Bob@winamax", None)
    assert counts(book.profile("Ann@pokerstars")) == counts(alone["Ann@pokerstars"])
    assert len(book) == number


@on_both
def test_losses_of_two_names_are_added():
    """A sum of counters leaves out what is below 0; winnings are."""
    book = learnt(FREE)
    losers = sorted(book, key=lambda name: book.profile(name, "no limit").statistics["big_blinds"].numerator)[:2]
    lost = [book.profile(name, "no limit").statistics["big_blinds"].numerator for name in losers]
    assert max(lost) < 0
    book.alias(*losers)
    found = book.profile(losers[1], "no limit").statistics["big_blinds"].numerator
    assert found == pytest.approx(sum(lost))


@on_both
def test_chains_of_names():
    book = learnt(HANDS[:12])
    alone = {name: book.profile(name) for name in ("Ann", "Bob", "Cid")}
    book.alias("Ann", "Bob")
    book.alias("Bob", "Cid")  # of whomever Bob is
    assert {book.profile(name).name for name in alone} == {"Ann"}
    assert counts(book.profile("Cid")) == added(*alone.values())
    with pytest.raises(ValueError, match="Cid@ is 'Ann' already"):
        book.alias("Ann", "Cid")
    with pytest.raises(ValueError, match="Ann@ is 'Ann' already"):
        book.alias("Ann", "Ann")
    book.alias("Dee", "Ann")  # all names of Ann's go along
    assert {book.profile(name).name for name in (*alone, "Dee")} == {"Dee"}
    with pytest.raises(KeyError, match="Zoe"):
        book.alias("Ann", "Zoe")
    with pytest.raises(KeyError, match="Zoe"):
        book.alias("Zoe", "Ann")
    book.check()


@on_both
def test_merging_keeps_the_names_that_a_book_knows():
    mine, theirs = learnt([*STARS, *WINAMAX]), learnt([*STARS, *NO_SITE])
    mine.alias("Ann@pokerstars", "Ann@winamax")
    theirs.alias("Bob@pokerstars", "Bob@")
    assert mine.merge(theirs) == Learnt(len(NO_SITE), len(STARS))
    assert mine.profile("Ann@winamax").name == "Ann@pokerstars"
    assert mine.profile("Bob@").name == "Bob@"
    mine.alias("Ann@winamax", None)
    assert exported(mine) == exported(learnt([*STARS, *WINAMAX, *NO_SITE]))


def test_the_command(tmp_path, capsys):
    path = str(tmp_path / "book")
    with pm.Book(path) as book:
        book.learn([*STARS, *WINAMAX], kinds=STATISTICS)
        number = len(book)

    def said(*arguments, status=0):
        with pytest.raises(SystemExit, match=str(status)):
            main([*arguments])
        return capsys.readouterr()

    error = said("profile", "Ann", "--book", path, status=2).err
    assert error == "Error: several players are called 'Ann': expected one of Ann@pokerstars, Ann@winamax\n"
    line = "Ann@winamax is another name of Ann@pokerstars\n"
    assert said("book", "alias", path, "Ann@pokerstars=Ann@winamax").out == line
    joined = json.loads(said("profile", "Ann", "--book", path, "--json").out)
    assert joined["name"] == "Ann"
    assert said("book", "alias", path, "Ann@winamax=").out == "Ann@winamax is a player of their own\n"
    apart = json.loads(said("profile", "Ann@pokerstars", "--book", path, "--json").out)
    assert apart["hands"] < joined["hands"]
    said("book", "alias", path, "Ann@pokerstars=Bob@winamax")
    everybody = json.loads(said("profile", "--book", path, "--json").out)
    assert len(everybody["players"]) == number - 1
    for text, expected in {
        "Ann": "expected NAME=OTHER",
        "Zoe=Ann@winamax": "the book has no player 'Zoe'",
        "Ann=Cid@winamax": "several players are called 'Ann'",
    }.items():
        assert expected in said("book", "alias", path, text, status=2).err
