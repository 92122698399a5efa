"""Knowledge of any kind in a book: each hand once for each kind, all or nothing, and never lost."""

from __future__ import annotations

import json
import random
import re
import subprocess

import pytest

import pokermodel as pm
from pokermodel.classics.bpp.class_tables import BayesTables
from pokermodel.cli import main
from pokermodel.errors import BookError
from pokermodel.learning import kinds, knowledge, register, select_kinds
from pokermodel.learning.identity import identity
from pokermodel.library import Learnt
from pokermodel.reading import PopulationModel
from tests.common.books import HANDS, SPEC, STATISTICS, contents, in_batches_of, learnt
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
def test_all_kinds_learn_the_same_hands(pots):
    book = new_book()
    assert book.learn(HANDS[:6], kinds=kinds()) == Learnt(6, 0)
    assert book.learn(HANDS[:6], kinds=kinds()).new_to == dict.fromkeys(kinds(), 0)
    assert contents(book) == contents(learnt(HANDS[:6]))
    assert book.knowledge(BayesTables).to_bytes() == learnt(HANDS[:6], ["bpp"]).knowledge(BayesTables).to_bytes()
    assert book.knowledge(Pots).won == won(HANDS[:6])
    assert book.knowledge(Pots) is not book.knowledge(Pots)


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
        for lacking in (empty,) if kind == "statistics" else (empty, without):  # of which a book has those of all hands
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
    assert book.hands == 8


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
    in_batches_of(2, monkeypatch)
    told, book = [], new_book()
    assert book.learn(HANDS[:5], kinds=[Pots], progress=told.append) == Learnt(5, 0)
    assert told == [2, 4, 5]
    assert book.knowledge(Pots).won == won(HANDS[:5])
    assert book.knowledge(Pots).batches == sum(any(hand.board for hand in HANDS[k : min(k + 2, 5)]) for k in (0, 2, 4))


@on_both
def test_a_kind_refuses_a_hand_for_itself_alone():
    refused = HANDS[3]

    class Choosy(Pots):
        @staticmethod
        def evidence(hand, decisions):
            if hand is refused:
                raise ValueError("not this one")
            return Pots.evidence(hand, decisions)

    book, skipped = new_book(), []
    assert book.learn(HANDS[:6], kinds=["statistics", Choosy], skipped=skipped).new_to["statistics"] == 6
    assert list(map(str, skipped)) == ["not this one"]
    assert book.knowledge(Pots).won == won([*HANDS[:3], *HANDS[4:6]])
    with pytest.raises(ValueError, match="not this one"):
        new_book().learn(HANDS[:6], kinds=["statistics", Choosy])


@on_both
def test_what_a_kind_cannot_learn_changes_nothing_of_it():
    book = learnt(HANDS[:6], ["statistics", Pots])
    known = book.knowledge(Pots).to_bytes()
    for method in "update", "to_bytes":
        broken = type("Broken", (Pots,), {method: lambda self, *rest: 1 / 0})
        with pytest.raises(ZeroDivisionError):
            book.learn(HANDS[:12], kinds=["statistics", broken])
        assert book.knowledge(Pots).to_bytes() == known
    book.learn(HANDS[:12], kinds=[Pots])
    assert book.knowledge(Pots).won == won(HANDS[:12])


@pytest.mark.parametrize("name", ["Ann\0Bob", "\ud800"])
def test_names_that_no_book_takes(name):
    odd = pm.Hand("t", "odd", SPEC, (name, "Dee", "Eve"), HANDS[0].actions, HANDS[0].board, HANDS[0].holdings)
    book, skipped = new_book(), []
    assert book.learn([odd, *HANDS[:3]], kinds=kinds(), skipped=skipped) == Learnt(3, 0)
    assert len(skipped) == 1
    assert book.knowledge(BayesTables).to_bytes() == learnt(HANDS[:3], ["bpp"]).knowledge(BayesTables).to_bytes()
    with pytest.raises(ValueError, match="is not text that can be kept"):
        book.learn_about(name, Pots, [])
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
    assert found.new_to["bpp"] == 2
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

    assert book.learn(HANDS[:5], kinds=[Slow]).new_to == {"pots": 2}
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
    assert (found, found.new_to, found.left) == (Learnt(0, 4), {"statistics": 0}, ())
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
    assert (found, found.new_to) == (Learnt(3, 1), {"statistics": 3})
    assert found.left == ("bpp",)  # says so
    assert one.knowledge(BayesTables).to_bytes() == before
    assert contents(one) == contents(learnt(HANDS[:8]))
    assert one.learn(HANDS[:8], kinds=BOTH).new_to == {"statistics": 0, "bpp": 3}  # from the hands themselves
    assert one.merge(two).left == ()


@on_both
def test_kinds_that_nobody_registered():
    one, two = new_book(), new_book()
    two.learn(HANDS[:4], kinds=[Pots])
    found = one.merge(two)
    assert (found.new_to, found.left) == ({"statistics": 4}, ("pots",))
    assert one.knowledge(Pots) is None


@on_both
def test_pieces_by_name(pots):
    one, two = new_book(), new_book()
    for book, name, hands in (
        (one, "Ann", HANDS[:4]),
        (two, "Ann", HANDS[4:8]),
        (two, "Bob", HANDS),
    ):
        found = [(identity(hand), Pots.evidence(hand, [*hand.replay()])) for hand in hands]
        assert book.learn_about(name, Pots, found) == Learnt(len(hands), 0)
        assert book.learn_about(name, Pots, found) == Learnt(0, len(hands))
    assert one.merge(two).left == ()
    assert {name: known.won for name, known in one.knowledge_by_name(Pots).items()} == {
        "Ann": won(HANDS[:8]),
        "Bob": won(HANDS),
    }
    assert one.knowledge(Pots, "Cid") is None
    assert one.merge(two).left == ()  # all of which it has
    three = new_book()
    three.learn_about("Bob", Pots, [(identity(HANDS[0]), None), (b"another one", {"Bob": 3})])
    assert one.merge(three).left == ("pots",)


# ---------------------------------------------------------------------------------------------------------- damage


def change(book, table, **values):
    with book._database.transaction(write=True) as connection:
        connection.execute(table.update().values(**values))


@on_both
def test_knowledge_that_its_class_cannot_read(monkeypatch):
    book = new_book()
    with monkeypatch.context() as patch:
        patch.setattr(BayesTables, "to_bytes", lambda tables: b"nothing")
        book.learn(HANDS[:2], kinds=["bpp"])
    for read in (
        lambda: book.knowledge(BayesTables),
        lambda: book.learn(HANDS[:3], kinds=["bpp"]),
        lambda: new_book().merge(book),
    ):
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


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE _players SET name = CAST(X'ff' || CAST(id AS BLOB) AS TEXT)",
        "UPDATE _seats SET detail = 'many'",
        "UPDATE _seats SET net = 'much'",
        "UPDATE _seats SET could_0 = X'ff'",
        "UPDATE _hands SET structure = 'draw'",
        "UPDATE _knowledge SET version = 'new'",
        "UPDATE _knowledge SET content = 1.5",
        "UPDATE _learnt SET last = 'all'",
        "DROP TABLE _players",
        "DROP TABLE _knowledge",
        "DROP TABLE _learnt",
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
        assert learnt_book.hands == 300
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
