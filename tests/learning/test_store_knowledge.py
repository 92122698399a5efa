"""Knowledge of any kind in a book: each hand once for each kind, all or nothing, and never lost."""

from __future__ import annotations

import gc
import json
import pickle
import random
import re
import subprocess
from contextlib import contextmanager

import pytest

import pokermodel as pm
from pokermodel.classics.bpp.class_tables import BayesTables
from pokermodel.cli import main
from pokermodel.errors import BookError
from pokermodel.learning import _pieces, _tables, evidence, kinds, knowledge, register, select_kinds, store
from pokermodel.learning.evidence import HandEvidence
from pokermodel.learning.store import Learnt
from pokermodel.reading import PopulationModel
from tests.common.books import HANDS, SPEC, STATISTICS, contents, learnt
from tests.common.books import empty_book as new_book

on_both = pytest.mark.usefixtures("backend")
BOTH = ("statistics", "bpp")


class Pots:
    """A kind of knowledge for tests: chips won by player, and how many batches they came in."""

    kind = "pots"
    version = 3

    def __init__(self):
        self.won = {}
        self.batches = 0

    @staticmethod
    def evidence(hand, decisions):
        assert [decision.index for decision in decisions] == list(range(len(hand.actions)))
        return dict(zip(hand.players, hand.payoffs, strict=True)) if hand.board else None

    def update(self, evidence):
        assert None not in evidence
        self.batches += 1
        for payoffs in evidence:
            for name, chips in payoffs.items():
                self.won[name] = self.won.get(name, 0) + max(chips, 0)

    def merge(self, other):
        self.batches += other.batches
        for name, chips in other.won.items():
            self.won[name] = self.won.get(name, 0) + chips

    def to_bytes(self):
        return json.dumps([self.won, self.batches], sort_keys=True).encode()

    @classmethod
    def from_bytes(cls, content):
        found = cls()
        found.won, found.batches = json.loads(content)
        return found


@pytest.fixture
def pots(monkeypatch):
    kinds()  # those that readers bring are registered when they are asked for
    monkeypatch.setattr(knowledge, "_KINDS", dict(knowledge._KINDS))
    register(Pots)


def won(hands):
    """What `Pots` knows of hands."""
    known = Pots()
    known.update([found for hand in hands if (found := Pots.evidence(hand, list(hand.replay()))) is not None])
    return known.won


# ------------------------------------------------------------------------------------------------------------ kinds


def test_kinds(pots):
    assert set(kinds()) == {"statistics", "adaptive", "bpp", "pots"}
    assert select_kinds(["pots", "bpp", Pots]) == {"pots": Pots, "bpp": BayesTables}
    assert select_kinds("bpp") == {"bpp": BayesTables}
    assert list(select_kinds()) == ["statistics", "adaptive"]  # whatever else is registered
    expected = re.escape(", ".join(kinds()))
    with pytest.raises(ValueError, match=rf"unknown kind of knowledge 'nets': expected one of {expected}$"):
        select_kinds(["nets"])
    with pytest.raises(ValueError, match="no kind of knowledge to learn"):
        select_kinds([])
    register(Pots)  # once more is no harm
    again = type("Pots", (Pots,), {"__module__": Pots.__module__})  # as when its module is loaded again
    register(again)
    assert select_kinds("pots") == {"pots": again}
    with pytest.raises(ValueError, match=r"there is another kind of knowledge 'pots': .*\.Pots$"):
        register(type("Others", (Pots,), {}))
    for name in "", "a,b":
        with pytest.raises(ValueError, match="cannot name a kind of knowledge"):
            register(type("Others", (Pots,), {"kind": name}))


@on_both
def test_one_pass_for_all_kinds(pots, monkeypatch):
    replays = []
    monkeypatch.setattr(evidence, "check_hand", counting(evidence.check_hand, replays))
    book = new_book()
    assert book.learn(HANDS[:6], kinds=kinds()) == Learnt(6, 0)
    assert len(replays) == 6
    assert book.learn(HANDS[:6], kinds=kinds()).new_to == dict.fromkeys(kinds(), 0)
    assert len(replays) == 6
    assert contents(book) == contents(learnt(HANDS[:6]))
    assert book.knowledge(BayesTables).to_bytes() == learnt(HANDS[:6], ["bpp"]).knowledge(BayesTables).to_bytes()
    assert book.knowledge(Pots).won == won(HANDS[:6])
    assert book.knowledge(Pots) is not book.knowledge(Pots)


def counting(function, calls):
    def called(*arguments):
        calls.append(arguments)
        return function(*arguments)

    return called


@on_both
def test_each_kind_learns_each_hand_once():
    book = new_book()
    assert book.knowledge(Pots) is None
    first = book.learn(HANDS[:6], kinds=STATISTICS)
    assert (first, first.new_to) == (Learnt(6, 0), {"statistics": 6})
    second = book.learn(HANDS[:8], kinds=["statistics", Pots])
    assert (second, second.new_to) == (Learnt(8, 0), {"statistics": 2, "pots": 8})
    third = book.learn([*HANDS[:8], *HANDS[:2]], kinds=["statistics", Pots])
    assert (third, third.new_to) == (Learnt(0, 10), {"statistics": 0, "pots": 0})
    assert book.hands == 8
    assert book.knowledge(Pots).won == won(HANDS[:8])


@on_both
def test_which_hands_are_known():
    """So that nobody works out what they say; by kind, of knowledge about all players."""
    book, identities = new_book(), list(map(store.identity, HANDS[:6]))
    assert book.known(kinds().values(), identities) == {name: set() for name in kinds()}
    book.learn(HANDS[:4], kinds=STATISTICS)
    book.learn(HANDS[2:5], kinds=["bpp"])
    found = [HandEvidence(store.identity(HANDS[5]), {"pots": {"Ann": 1}})]
    book.learn_evidence(found, [Pots], name="Ann")
    assert book.known([*kinds().values(), Pots], identities) == {
        "statistics": set(identities[:4]),
        "bpp": set(identities[2:5]),
        "adaptive": set(),
        "pots": set(),
    }


@on_both
def test_what_is_learnt_by_default():
    """The statistics, and what the default reader starts from."""
    book = new_book()
    assert book.kinds == frozenset()
    assert book.learn(HANDS[:6]).new_to == {"statistics": 6, "adaptive": 6}
    assert book.kinds == {"statistics", "adaptive"}
    assert contents(book) == contents(learnt(HANDS[:6]))


@on_both
@pytest.mark.parametrize(
    ("kind", "models"),
    [
        ("statistics", ["frequencies", "own", "contexts", "shown", "som", "loki2:som"]),
        ("adaptive", ["adaptive"]),
        ("bpp", ["bpp"]),
    ],
)
def test_a_reader_needs_a_book_that_has_learnt_for_it(kind, models):
    every, *others = [kind, *({"statistics", "adaptive", "bpp"} - {kind})]
    empty, without, book = new_book(), learnt(HANDS[:6], others), learnt(HANDS[:6], [every])
    for model in models:
        assert pm.OpponentModeler(model, book).model == model
        for lacking in empty, without:
            with pytest.raises(ValueError, match=rf"has learnt nothing for model '{model}': run `.* --for {kind}`$"):
                pm.OpponentModeler(model, lacking)
    assert pm.OpponentModeler("uniform", empty).model == "uniform"  # which starts from nothing


@on_both
def test_tables_of_bpp():
    book = new_book()
    assert book.knowledge(BayesTables) is None
    assert book.learn(HANDS[:6], kinds=["bpp"]) == Learnt(6, 0)
    assert book.learn(HANDS[:8], kinds=["bpp"]) == Learnt(2, 6)
    again = book.knowledge(BayesTables).to_bytes()
    assert book.learn([*HANDS[:8], *HANDS[:2]], kinds=["bpp"]) == Learnt(0, 10)
    assert book.knowledge(BayesTables).to_bytes() == again
    expected = BayesTables()
    expected.fit(HANDS[:6], passes=2)
    expected.fit(HANDS[6:8], passes=2)
    assert again == expected.to_bytes()
    assert book.knowledge(BayesTables).hands == 8
    assert book.hands == len(book) == 0  # the statistics of players are another kind


def test_evidence_is_that_of_another_process():
    """What a hand says survives being pickled, and teaches the same."""
    book, other = new_book(), new_book()
    book.learn(HANDS[:10], kinds=kinds())
    identities = list(map(store.identity, HANDS[:10]))
    found = evidence.gather(HANDS[:10], identities, kinds(), dict.fromkeys(kinds(), ()))
    assert other.learn_evidence(pickle.loads(pickle.dumps(found)), kinds().values()) == Learnt(10, 0)
    assert contents(other) == contents(book)
    assert other.knowledge(BayesTables).to_bytes() == book.knowledge(BayesTables).to_bytes()


def test_a_hand_in_which_nobody_could_act_counts_as_one():
    """Two players whom the blinds put all in."""
    spec = pm.GameSpec.heads_up(5, 10)
    hand = pm.Hand("t", "1", spec, ("Ann", "Bob"), [], "2c7d9hTsKd", {0: "3h4h", 1: "AsAh"}, stacks=[5, 10])
    book = new_book()
    assert book.learn([hand], kinds=kinds()) == Learnt(1, 0)
    assert book.knowledge(BayesTables).hands == 1
    assert (book.knowledge(PopulationModel).hands, book.knowledge(PopulationModel).players) == (1, ())
    assert book.profile("Bob").statistics["wtsd"].denominator == 1


@on_both
def test_batches(monkeypatch):
    monkeypatch.setattr(store, "BATCH", 2)
    told, book = [], new_book()
    assert book.learn(HANDS[:5], kinds=[Pots], progress=told.append) == Learnt(5, 0)
    assert told == [2, 4, 5]
    assert book.knowledge(Pots).won == won(HANDS[:5])
    assert book.knowledge(Pots).batches == sum(any(hand.board for hand in HANDS[k : min(k + 2, 5)]) for k in (0, 2, 4))


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_rests_for_a_batch_alone(monkeypatch, enabled):
    class Watch(Pots):
        kind = "watch"
        wrong = False

        @staticmethod
        def evidence(hand, decisions):
            assert not gc.isenabled()
            if Watch.wrong:
                raise ValueError("wrong")

    monkeypatch.setattr(store, "BATCH", 3)
    between = []
    (gc.enable if enabled else gc.disable)()
    try:
        with pm.Book("sqlite://") as book:
            book.learn(HANDS[:7], kinds=[Watch], progress=lambda _: between.append(gc.isenabled()))
            Watch.wrong = True
            with pytest.raises(ValueError, match="wrong"):
                book.learn(HANDS[7:9], kinds=[Watch])
            assert [*between, gc.isenabled()] == [enabled] * 4
    finally:
        gc.enable()


def test_hands_that_cannot_be_learnt_keep_their_place(monkeypatch):
    """What is learnt together does not depend on where it was worked out."""
    monkeypatch.setattr(store, "BATCH", 2)
    bad = pm.Hand("t", "1", SPEC, ("Ann", "Bob", "Cid"), [(0, pm.Act.CALL)])
    shown = [hand for hand in HANDS if hand.board]
    hands = [bad, shown[0], shown[1], bad, bad, shown[2], shown[3]]
    book, other, skipped = new_book(), new_book(), []
    assert book.learn(hands, kinds=[Pots], skipped=skipped) == Learnt(4, 0)
    assert [str(error) for error in skipped] == [str(skipped[0])] * 3
    found = evidence.gather(hands, list(map(store.identity, hands)), {"pots": Pots}, {"pots": ()}, [])
    assert [each is None for each in found] == [hand is bad for hand in hands]
    assert other.learn_evidence(found, [Pots]) == Learnt(4, 0)
    assert book.knowledge(Pots).to_bytes() == other.knowledge(Pots).to_bytes()
    assert book.knowledge(Pots).batches == 4  # one of the first two, one, one, and the last


@on_both
def test_all_kinds_of_a_batch_or_none(monkeypatch):
    """Hands are skipped for all kinds, and a batch is written for all kinds."""
    refused = HANDS[3]

    class Choosy(Pots):
        @staticmethod
        def evidence(hand, decisions):
            if hand is refused:
                raise ValueError("not this one")
            return Pots.evidence(hand, decisions)

    book, skipped = new_book(), []
    assert book.learn(HANDS[:6], kinds=["statistics", Choosy], skipped=skipped) == Learnt(5, 0)
    assert list(map(str, skipped)) == ["not this one"]
    assert book.hands == 5
    with pytest.raises(ValueError, match="not this one"):
        book.learn(HANDS[:6], kinds=["statistics", Choosy])
    assert book.learn(HANDS[:6], kinds=BOTH).new_to == {"statistics": 1, "bpp": 6}

    monkeypatch.setattr(store, "BATCH", 10)
    known = contents(book), book.knowledge(Pots).won

    for method in "update", "to_bytes":
        broken = type("Broken", (Pots,), {method: lambda self, *rest: 1 / 0})
        with pytest.raises(ZeroDivisionError):
            book.learn(HANDS[:12], kinds=["statistics", broken])
        assert (contents(book), book.knowledge(Pots).won) == known
    mark, marked = _pieces.mark, []

    def fails(connection, number, hands):
        mark(connection, number, hands)
        marked.append(number)
        raise RuntimeError("no more")

    monkeypatch.setattr(_pieces, "mark", fails)
    with pytest.raises(RuntimeError):
        book.learn(HANDS[:12], kinds=["statistics", Pots])
    assert marked
    assert (contents(book), book.knowledge(Pots).won) == known


@pytest.mark.parametrize("name", ["Ann\0Bob", "\ud800"])
def test_names_that_no_book_takes(name):
    odd = pm.Hand("t", "odd", SPEC, (name, "Dee", "Eve"), HANDS[0].actions, HANDS[0].board, HANDS[0].holdings)
    book, skipped = new_book(), []
    assert book.learn([odd, *HANDS[:3]], kinds=kinds(), skipped=skipped) == Learnt(3, 0)
    assert len(skipped) == 1
    assert book.knowledge(BayesTables).to_bytes() == learnt(HANDS[:3], ["bpp"]).knowledge(BayesTables).to_bytes()
    with pytest.raises(ValueError, match="is not text that can be kept"):
        book.learn_evidence([], [Pots], name=name)
    assert book.knowledge(Pots, name) is None
    tables = BayesTables()
    tables.learn(odd)
    with pytest.raises(ValueError, match="not text that can be kept"):
        tables.to_bytes()


# ------------------------------------------------------------------------------------------------- several writers


@on_both
def test_who_is_slower_starts_again(monkeypatch):
    """And works out again only what somebody else has written meanwhile."""
    book, updates = new_book(), []
    book.learn(HANDS[:1], kinds=kinds())
    update = BayesTables.update

    def slow(tables, found):
        updates.append(len(found))
        if len(updates) == 1:
            book.learn(HANDS[:3], kinds=BOTH)
        if len(updates) == 3:
            book.learn(HANDS[:4], kinds=STATISTICS)
        update(tables, found)

    monkeypatch.setattr(BayesTables, "update", slow)
    found = book.learn(HANDS[:5], kinds=BOTH)
    assert (found, found.new_to) == (Learnt(2, 3), {"statistics": 1, "bpp": 2})
    assert updates == [4, 2, 2]  # in vain; what somebody else was quicker with; once more
    assert contents(book) == contents(learnt(HANDS[:5]))
    assert book.knowledge(BayesTables).hands == 5


@on_both
def test_a_piece_that_another_one_made_first():
    """Two writers find nothing, and both make the piece."""
    book, made = new_book(), []

    class Slow(Pots):
        def update(self, evidence):
            if not made:
                made.append(book.learn(HANDS[:3], kinds=[Pots]))
            super().update(evidence)

    assert book.learn(HANDS[:5], kinds=[Slow]) == Learnt(2, 3)
    assert book.knowledge(Pots).won == won(HANDS[:5])


# ---------------------------------------------------------------------------------------------------------- merging


@on_both
def test_books_of_different_hands_are_added():
    one, two, three = new_book(), new_book(), new_book()
    one.learn(HANDS[:4], kinds=BOTH)
    two.learn(HANDS[4:8], kinds=BOTH)
    first, second = (book.knowledge(BayesTables) for book in (one, two))
    found = one.merge(two)
    assert (found, found.new_to, found.left) == (Learnt(4, 0), {"statistics": 4, "bpp": 4}, ())
    first.merge(second)
    assert one.knowledge(BayesTables).to_bytes() == first.to_bytes()
    three.merge(one)  # into an empty one
    assert three.knowledge(BayesTables).to_bytes() == first.to_bytes()
    found = three.merge(two)  # all of which it has
    assert (found, found.new_to, found.left) == (Learnt(0, 4), {"statistics": 0, "bpp": 0}, ())
    assert three.knowledge(BayesTables).to_bytes() == first.to_bytes()
    assert three.learn(HANDS[2:10], kinds=["bpp"]) == Learnt(2, 6)
    assert three.merge(new_book()) == Learnt(0, 0)
    assert three.merge(three).left == ()


@on_both
def test_books_that_share_hands_are_added_as_far_as_possible():
    one, two = new_book(), new_book()
    one.learn(HANDS[:5], kinds=BOTH)
    two.learn(HANDS[4:8], kinds=BOTH)
    before = one.knowledge(BayesTables).to_bytes()
    found = one.merge(two)
    assert (found, found.new_to) == (Learnt(3, 1), {"statistics": 3, "bpp": 0})
    assert found.left == (("bpp", ""),)  # says so
    assert one.knowledge(BayesTables).to_bytes() == before
    assert contents(one) == contents(learnt(HANDS[:8]))
    assert one.learn(HANDS[:8], kinds=BOTH).new_to == {"statistics": 0, "bpp": 3}  # from the hands themselves
    assert one.merge(two).left == ()


@on_both
def test_kinds_that_nobody_registered():
    one, two = new_book(), new_book()
    two.learn(HANDS[:4], kinds=[Pots])
    assert one.merge(two).new_to == {"statistics": 0, "pots": 4}  # as it is
    assert one.knowledge(Pots).won == won(HANDS[:4])
    three = new_book()
    three.learn(HANDS[4:8], kinds=[Pots])
    found = one.merge(three)
    assert (found.new_to, found.left) == ({"statistics": 0, "pots": 0}, (("pots", ""),))
    assert one.knowledge(Pots).won == won(HANDS[:4])


@on_both
def test_pieces_by_name(pots):
    one, two = new_book(), new_book()
    for book, name, hands in (
        (one, "Ann", HANDS[:4]),
        (one, "", HANDS[:4]),
        (two, "Ann", HANDS[4:8]),
        (two, "Bob", HANDS),
    ):
        found = [HandEvidence(store.identity(hand), {"pots": Pots.evidence(hand, [*hand.replay()])}) for hand in hands]
        assert book.learn_evidence(found, [Pots], name=name) == Learnt(len(hands), 0)
    assert one.merge(two).new_to == {"statistics": 0, "pots": 44}
    assert {name: known.won for name, known in one.knowledge_by_name(Pots).items()} == {
        "": won(HANDS[:4]),
        "Ann": won(HANDS[:8]),
        "Bob": won(HANDS),
    }
    assert one.knowledge(Pots, "Cid") is None


@on_both
def test_what_is_learnt_while_books_are_merged_is_not_lost(pots, monkeypatch):
    one, two = new_book(), new_book()
    one.learn(HANDS[:2], kinds=[Pots])
    two.learn(HANDS[2:4], kinds=[Pots])
    transaction, begun = one._database.transaction, []

    @contextmanager
    def interrupted(write=False):
        with transaction(write) as connection:
            yield connection
        if not begun and not write:
            begun.append(True)
            one.learn(HANDS[4:6], kinds=[Pots])  # somebody else, meanwhile
            two.learn(HANDS[6:8], kinds=[Pots])

    monkeypatch.setattr(one._database, "transaction", interrupted)
    one._merge_piece(two, "pots", "")
    assert begun
    assert one.knowledge(Pots).won == won(HANDS[:6])
    assert one.learn(HANDS[:8], kinds=[Pots]) == Learnt(2, 6)
    assert one.knowledge(Pots).won == won(HANDS[:8])


# ---------------------------------------------------------------------------------------------------------- damage


def change(book, table, **values):
    with book._database.transaction(write=True) as connection:
        connection.execute(table.update().values(**values))


@on_both
def test_damaged_knowledge():
    book, other = new_book(), new_book()
    book.learn(HANDS[:2], kinds=["bpp"])
    change(book, _tables.KNOWLEDGE, content=b"nothing")
    for read in (
        lambda: book.knowledge(BayesTables),
        lambda: book.knowledge_by_name(BayesTables),
        lambda: book.learn(HANDS[:3], kinds=["bpp"]),
        lambda: other.merge(book),
    ):
        with pytest.raises(BookError, match=r"is damaged: what is known of 'bpp' is not what was written"):
            read()
    assert other.knowledge(BayesTables) is None


@on_both
def test_knowledge_that_its_class_cannot_read(monkeypatch):
    book = new_book()
    with monkeypatch.context() as patch:
        patch.setattr(BayesTables, "to_bytes", lambda tables: b"nothing")
        book.learn(HANDS[:2], kinds=["bpp"])
    for read in lambda: book.knowledge(BayesTables), lambda: book.learn(HANDS[:3], kinds=["bpp"]):
        with pytest.raises(BookError, match=r"is damaged: .*no tables of BPP"):
            read()
    assert book.learn(HANDS[:2], kinds=["bpp"]) == Learnt(0, 2)  # for which it need not be read


@on_both
def test_knowledge_of_another_version():
    book = new_book()
    book.learn(HANDS[:2], kinds=[Pots])
    newer = type("Newer", (Pots,), {"version": 4})
    with pytest.raises(BookError, match="'pots' is kept in version 3, and this pokermodel knows version 4"):
        book.knowledge(newer)
    with pytest.raises(BookError, match="version 3"):
        book.learn(HANDS[:3], kinds=[newer])


def test_tables_of_bpp_with_any_byte_changed():
    """Whatever is read of damaged bytes, it is tables or a `ValueError`."""
    tables = BayesTables()
    tables.learn(HANDS[0])
    content = tables.to_bytes()
    rng, refused = random.Random(1), []
    for _ in range(400):
        damaged = bytearray(content)
        for _ in range(rng.choice((1, 1, 3))):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        if rng.random() < 0.1:
            del damaged[rng.randrange(len(damaged)) :]
        try:
            assert BayesTables.from_bytes(bytes(damaged)).hands == 1
        except ValueError as error:
            refused.append(str(error))
    assert len(refused) > 200
    assert all("no tables of BPP" in reason for reason in refused)


@on_both
@pytest.mark.parametrize(
    ("table", "values"),
    [
        (_tables.PLAYERS, {"recent": "?!"}),
        (_tables.PLAYERS, {"recent": "\xe4"}),
        (_tables.COUNTERS, {"count": -1}),
        (_tables.LEARNT, {"added": b"\1"}),
        (_tables.LEARNT, {"added": b"\1\2\3\4" + bytes(10)}),  # a player who is not there
        (_tables.LEARNT, {"added": bytes(12) + b"\xff\xff"}),
        (_tables.LEARNT, {"added": None}),
    ],
)
def test_damaged_statistics(table, values):
    book, other = learnt(HANDS[:3]), new_book()
    names = list(book)
    change(book, table, **values)
    said = []
    for read in (
        *(lambda name=name: book.profile(name).to_dict() for name in names),
        *(lambda name=name: (book[name], book.recent(name), book.contexts(name)) for name in names),
        book.population,
        lambda: book.learn(HANDS[:4], kinds=STATISTICS),
        lambda: other.merge(book),
    ):
        try:
            read()
        except BookError as error:
            said.append(str(error))
    assert said
    assert all("is damaged: " in each for each in said)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE players SET recent = X'ff'",
        "UPDATE players SET recent = CAST(X'ff' AS TEXT)",
        "UPDATE players SET name = CAST(X'ff' || CAST(id AS BLOB) AS TEXT)",
        "UPDATE players SET name = CAST(id AS BLOB)",
        "UPDATE counters SET count = 'many'",
        "UPDATE counters SET counter = counter + 100000",
        "UPDATE learnt SET added = 7",
        "UPDATE learnt SET identity = number",
        "UPDATE knowledge SET version = 'new'",
        "UPDATE knowledge SET revision = 'often'",
        "UPDATE knowledge SET content = 1.5",
        "DROP TABLE players",
        "DROP TABLE knowledge",
        "DROP TABLE learnt",
    ],
)
def test_a_file_in_which_nothing_is_as_it_should_be(tmp_path, statement):
    """Of SQLite, which keeps anything in any column."""
    book, other = pm.Book(tmp_path / "book"), new_book()
    book.learn(HANDS[:3], kinds=kinds())
    names = list(book)
    with book._database.transaction(write=True) as connection:
        connection.exec_driver_sql(statement)
    said = []
    for read in (
        lambda: [book.profile(name).to_dict() for name in names if name in book],
        lambda: [(book[name], book.recent(name), book.contexts(name)) for name in names if name in book],
        lambda: (list(book), len(book), book.population(), book.hands),
        lambda: book.knowledge(BayesTables),
        lambda: list(book.contributions()),
        lambda: book.learn(HANDS[:4], kinds=kinds()),
        lambda: other.merge(book),
    ):
        try:
            read()
        except BookError as error:
            said.append(str(error))
    assert said
    book.close()


# ----------------------------------------------------------------------------------------------------- the commands


def run(capsys, *args):
    with pytest.raises(SystemExit) as left:
        main([*map(str, args)])
    output = capsys.readouterr()
    return subprocess.CompletedProcess(args, left.value.code, output.out, output.err)


def test_commands(data_dir, tmp_path, capsys):
    hands, book = data_dir / "irc-199504" / "sample300", tmp_path / "book"
    example = data_dir / "bovada-limit"
    said = run(capsys, "learn", hands, "--for", "bpp", "--book", book)
    assert said.returncode == 0, said.stderr
    assert "300 new hands, 0 known" in said.stderr
    with pm.Book(book) as learnt_book:
        assert learnt_book.knowledge(BayesTables).hands == 300
        assert learnt_book.hands == 0
    assert "0 new hands, 300 known" in run(capsys, "learn", hands, "--for", "bpp", "--book", book).stderr
    read = json.loads(run(capsys, "read", "--model", "bpp", "--book", book, "--json").stdout)
    plain = json.loads(run(capsys, "read", "--model", "bpp", "--json").stdout)
    assert read["model"] == "bpp"
    assert read["steps"][0]["predicted"] != plain["steps"][0]["predicted"]
    assert sum(read["steps"][0]["predicted"]) == pytest.approx(1)
    informed, ignorant = (
        json.loads(run(capsys, "score", example, "--model", "bpp", "--frozen", "--json", *more).stdout)
        for more in (("--book", book), ())
    )
    assert informed["action_log_loss"] < ignorant["action_log_loss"]
