"""What is learnt of opponents at stud, kept in a book."""

from __future__ import annotations

import signal

import numpy as np
import pytest
import sqlalchemy as sa

import pokermodel as pm
from pokermodel.classics.bpp.estimators import expectation_maximization, showdown_only
from pokermodel.classics.stud import (
    STYLES,
    Acting,
    Reader,
    StudPlayer,
    default_tables,
    learn_opponent,
    opponent_tables,
    play_match,
)
from pokermodel.classics.stud.opponents import ObservedGame, opponent_counts
from pokermodel.errors import BookError
from pokermodel.library import Learnt, knowledge, schema
from tests.common.patience import PATIENCE
from tests.library.test_book_safety import start

READER = Reader.parse("net17+arc")
TIGHT, LOOSE = (StudPlayer(READER, STYLES[style]) for style in ("T/A", "L/P"))


def played(opponent, deals, seed):
    return play_match(StudPlayer(READER), opponent, deals, seed=seed).games


@pytest.fixture(scope="module")
def games():
    return played(TIGHT, 150, 1)


@pytest.fixture(scope="module")
def others():
    return played(LOOSE, 100, 2)


def counted(book):
    """All that a book knows of opponents at stud."""
    with book._database.transaction() as connection:
        pieces = connection.execute(sa.select(schema.KNOWLEDGE).order_by("kind", "name")).all()
        hands = connection.execute(sa.select(schema.MET)).all()
    return [
        (row.kind, row.name, row.content, {each.identity for each in hands if each[:2] == (row.kind, row.name)})
        for row in pieces
    ]


@pytest.mark.parametrize("name", ["net25", "net17/act2", "net9/act4"])
def test_what_is_kept_is_what_was_learnt(database, games, name):
    reader = Reader.parse(name)
    base = default_tables(reader.scheme, reader.form)
    seen, _ = games.observed(0, reader)
    with pm.Book(database) as book:
        assert learn_opponent(book, "Ann", games, reader) == Learnt(300, 0)
        assert learn_opponent(book, "Ann", games, reader, estimator="showdown_only") == Learnt(300, 0)
    with pm.Book(database, create=False) as book:
        expected = expectation_maximization(seen, base, steps=100, tolerance=2e-3).counts
        np.testing.assert_array_equal(opponent_tables(book, "Ann", reader).counts, expected)
        shown = opponent_tables(book, "Ann", reader, estimator="showdown_only")
        np.testing.assert_array_equal(shown.counts, showdown_only(seen))
        np.testing.assert_array_equal(shown.prior, base.prior)
        for unknown in (opponent_tables(book, "Bob", reader), opponent_tables(book, "Ann", Reader(17, form="act4"))):
            assert unknown.counts.sum() == 0
        assert book.hands == len(book) == 0  # hold'em is another matter


def test_games_count_once(database, games, others, monkeypatch):
    monkeypatch.setattr(knowledge, "_ABOUT", 70)
    with pm.Book(database) as book:
        assert learn_opponent(book, "Ann", games.first(120), READER) == Learnt(120, 0)
        first = opponent_tables(book, "Ann", READER).counts
        assert learn_opponent(book, "Ann", games, READER) == Learnt(180, 120)
        assert (opponent_tables(book, "Ann", READER).counts >= first).all()
        before = counted(book)
        assert learn_opponent(book, "Ann", games, READER) == Learnt(0, 300)
        assert counted(book) == before
        # the same games show somebody else, too; and each opponent is one of all
        assert learn_opponent(book, "Hero", games, READER, observer=1) == Learnt(300, 0)
        assert learn_opponent(book, "Bob", others, READER) == Learnt(200, 0)
        apart = sum(opponent_tables(book, name, READER).counts for name in ("Ann", "Bob", "Hero"))
        np.testing.assert_allclose(opponent_tables(book, reader=READER).counts, apart, rtol=1e-12)
        # nobody acts more often than he did
        acts = (
            games.true_counts(1, READER).sum()
            + games.true_counts(0, READER).sum()
            + others.true_counts(1, READER).sum()
        )
        assert apart.sum() == pytest.approx(acts)


def test_a_game_that_is_twice_in_a_log(games):
    log = type(games)(games.spec, *(np.tile(column, (2,) + (1,) * (column.ndim - 1)) for column in (
        games.cards, games.acts, games.lengths, games.chances, games.wins)))  # fmt: skip
    with pm.Book("sqlite://") as once, pm.Book("sqlite://") as twice:
        learn_opponent(once, "Ann", games, READER)
        assert learn_opponent(twice, "Ann", log, READER) == Learnt(300, 300)
        assert counted(once) == counted(twice)


def test_books_are_added(database, games, others):
    with pm.Book(database) as one, pm.Book("sqlite://") as two, pm.Book("sqlite://") as three:
        learn_opponent(one, "Ann", games, READER)
        learn_opponent(two, "Ann", others, READER)
        learn_opponent(two, "Bob", others, READER)
        ann = opponent_tables(one, "Ann", READER) + opponent_tables(two, "Ann", READER)
        one.merge(two)
        np.testing.assert_array_equal(opponent_tables(one, "Ann", READER).counts, ann.counts)
        np.testing.assert_array_equal(
            opponent_tables(one, "Bob", READER).counts, opponent_tables(two, "Bob", READER).counts
        )
        merged = counted(one)
        one.merge(two)  # all of which it has
        one.merge(one)
        assert counted(one) == merged
        assert learn_opponent(one, "Ann", others, READER) == Learnt(0, 200)
        three.merge(one)  # into an empty one
        assert counted(three) == merged
        # a game of Ann's in both: hers stay as they are here, Bob's do not
        with pm.Book("sqlite://") as four:
            learn_opponent(four, "Ann", others.first(2), READER)
            before = opponent_tables(four, "Ann", READER).counts
            four.merge(two)
            np.testing.assert_array_equal(opponent_tables(four, "Ann", READER).counts, before)
            assert opponent_tables(four, "Bob", READER).counts.sum() > 0
            assert learn_opponent(four, "Ann", others, READER) == Learnt(198, 2)


KILLED = """
import os
import signal
from pokermodel.library import knowledge
from tests.classics.stud.test_opponents import READER, TIGHT, learn_opponent, played

batches = []

def dies(connection, *rest):
    write(connection, *rest)
    batches.append(rest)
    if len(batches) == 2:
        os.kill(os.getpid(), signal.SIGKILL)

write, knowledge.write_pieces, knowledge._ABOUT = knowledge.write_pieces, dies, 100
learn_opponent(pm.Book(arguments[0]), "Ann", played(TIGHT, 150, 1), READER)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_killed_before_a_batch_is_finished(database, games, monkeypatch):
    with start(KILLED, database) as process:
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGKILL, errors
    monkeypatch.setattr(knowledge, "_ABOUT", 100)
    with pm.Book(database) as book, pm.Book("sqlite://") as whole:
        learn_opponent(whole, "Ann", games.first(100), READER)
        assert counted(book) == counted(whole)
        assert learn_opponent(book, "Ann", games, READER) == Learnt(200, 100)
        learn_opponent(whole, "Ann", games, READER)
        assert counted(book) == counted(whole)


def test_a_player_starts_from_the_book(database):
    """Who folds to every bet is found out, and bluffed."""
    timid = np.zeros((12, 36, 3))
    timid[::3, :, pm.Act.CALL] = timid[1::3, :, pm.Act.FOLD] = timid[2::3, :, pm.Act.FOLD] = 1
    opponent = StudPlayer(acting=Acting(rule="table"), own=timid)
    player = StudPlayer(acting=Acting(bluffing="context", bluffs=0.25))
    with pm.Book(database) as book:
        learn_opponent(book, "Tim", play_match(player, opponent, 500, seed=3).games)
    with pm.Book(database) as book:
        knowing = player.knowing(opponent_tables(book, "Tim"))
    found = knowing.table[1:3] - default_tables().probabilities()[1:3]
    assert found[0, :, pm.Act.FOLD].mean() > 0.05
    won, usual = (play_match(each, opponent, 1000, seed=4).samples for each in (knowing, player))
    assert (won - usual).mean() > 0


def test_what_is_refused(games):
    with pm.Book("sqlite://") as book:
        with pytest.raises(ValueError, match="unknown estimator 'weights'"):
            learn_opponent(book, "Ann", games, estimator="weights")
        with pytest.raises(ValueError, match="unknown estimator 'weights'"):
            opponent_tables(book, estimator="weights")
        for name in ("", "a\0b"):
            with pytest.raises(ValueError, match="is not text"):
                learn_opponent(book, name, games)
        assert counted(book) == []
        learn_opponent(book, "Ann", games, READER)
        kind, sizes = opponent_counts(READER, "em"), opponent_counts(Reader(17, form="act4"), "em")
        content = book.knowledge(kind, "Ann").to_bytes()
        with pytest.raises(ValueError, match=f"{len(content)} bytes of 'stud 17 act4 em' are not"):
            sizes.from_bytes(content)
        with book._database.transaction(write=True) as connection:
            connection.execute(schema.KNOWLEDGE.update().values(content=content[:-8]))
        with pytest.raises(BookError, match=r"is damaged: .* bytes of 'stud 17 ctx em' are not"):
            opponent_tables(book, "Ann", READER)
        with pytest.raises(ValueError, match="bytes of 'stud 17 ctx em' are not"):
            kind.from_bytes(content[:-8])
        with pytest.raises(ValueError, match="counts must be 0 or more"):
            kind.from_bytes(b"\xff" * len(content))  # not a number


def test_games_of_several_sets(games, others):
    """Evidence can come from anywhere."""
    kind = opponent_counts(READER, "em")
    (one, _), (two, _) = (each.observed(0, READER) for each in (games, others))
    together = [*(ObservedGame(one, k) for k in range(5)), *(ObservedGame(two, k) for k in (7, 3))]
    known = kind()
    known.update(together)
    expected = kind()
    hands = one.select(np.arange(5)) + two.select(np.array([7, 3]))
    expected.counts = expectation_maximization(hands, kind().tables(), steps=100, tolerance=2e-3).counts
    np.testing.assert_array_equal(known.counts, expected.counts)
    with pm.Book("sqlite://") as book:
        evidence = [(bytes([k]), game) for k, game in enumerate(together)]
        assert book.learn_about("Ann", kind, evidence) == Learnt(7, 0)
        np.testing.assert_array_equal(opponent_tables(book, "Ann", READER).counts, known.counts)
