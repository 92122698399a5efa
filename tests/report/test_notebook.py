"""What a notebook shows of hands, readings and results."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from importlib.util import find_spec

import numpy as np
import pytest

import pokermodel as pm
from pokermodel._support.frames import LIBRARIES
from pokermodel.classics.simulation import Advice, Position
from pokermodel.game import Act, Action, GameSpec, Hand, Situation
from pokermodel.histories import phh
from pokermodel.report.html import heat_map
from pokermodel.report.words import said_of
from pokermodel.tables.arena.hand import Failure
from pokermodel.worth.verdict import VerdictAdviser
from pokermodel.worth.worth import Verdict, Worth

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "&amp;</div></table>",
    "שלום\u202e עולם",
    "👩‍👩‍👧 🂡",
    "\x00\x1b[2J\ud800",
    "x" * 10_000,
]
TAGS = {"div", "table", "tr", "th", "td", "b", "bdi", "span", "figure", "figcaption"}


class Page(HTMLParser):
    """What is in HTML: it must be closed properly, of known elements, and with styles alone."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []
        assert "http" not in text
        assert "url(" not in text
        text.encode()

    def handle_starttag(self, tag, attributes):
        assert tag in TAGS
        assert {name for name, _ in attributes} <= {"style", "title"}
        if tag == "tr":
            self.rows.append([])
        elif tag in ("th", "td"):
            self.rows[-1].append("")
        self._open.append(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.text += data
        if any(tag in ("th", "td") for tag in self._open):
            self.rows[-1][-1] += data


def page(value) -> Page:
    return Page(value._repr_html_())


def shown(name: str) -> str:
    """A name as HTML can have it."""
    for char in "\x00\x1b\ud800\u202e":
        name = name.replace(char, char.encode("unicode_escape").decode())
    return name


def named(hand: Hand, name: str) -> Hand:
    """The same hand with another name for who acts first."""
    players = [name if player == "Carmen" else player for player in hand.players]
    more = {"stacks": hand.stacks, "unit": hand.unit, "currency": hand.currency}
    return Hand(name, name, hand.spec, players, hand.actions, hand.board, hand.holdings, **more)


@pytest.fixture(scope="module")
def hand():
    return pm.example_hand()


def test_a_hand(hand):
    found = page(hand)
    assert found.text.strip().startswith("PHH hand 1: limit hold'em 10/20")
    table = {row[0]: row for row in found.rows}
    assert table["Eve"] == ["Eve", "cutoff", "1,000", "9♥ 8♥", "+255"]
    assert table["Ada"] == ["Ada", "small blind", "1,000", "", "-5"]
    assert table["river"] == ["river", "T♥ 7♥ 2♣ K♣ J♦", "Boris bets 20, Eve raises 40, Farid folds, Boris calls 20"]
    acts = sum(row[2].count(",") + 1 for row in found.rows if row[0] in ("pre-flop", "flop", "turn", "river"))
    assert acts == len(hand.actions)


def test_amounts_are_in_the_money_of_the_source(hand):
    more = {"stacks": hand.stacks, "unit": Fraction(1, 100), "currency": "USD"}
    found = page(Hand("a", "1", hand.spec, hand.players, hand.actions, hand.board, hand.holdings, **more))
    table = {row[0]: row for row in found.rows}
    assert table["Eve"][2:] == ["10", "9♥ 8♥", "+2.55"]
    assert "Boris bets 0.2, Eve raises 0.4" in table["river"][2]
    assert "hold'em 0.1/0.2 USD" in found.text


def test_hands_that_go_no_further(hand):
    """A hand is shown as far as it goes."""
    unfinished = Hand("a", "7", hand.spec, hand.players, hand.actions[:9], hand.board[:3])
    found = page(unfinished)
    assert "no result: hand 7: " in found.text
    assert [row[0] for row in found.rows[-2:]] == ["pre-flop", "flop"]
    illegal = Hand("a", "8", hand.spec, hand.players, [*hand.actions[:2], Action(0, Act.RAISE)], ())
    found = page(illegal)
    assert "no result: hand 8, action 2: " in found.text
    assert found.rows[-1][2] == "Carmen raises 20, Dmitri folds"
    assert page(Hand("a", "9", hand.spec, hand.players, [])).rows[-1] == ["round", "board", "actions"]


def test_cards_after_the_last_act():
    spec = GameSpec((5, 10), (10, 10, 10, 10), (0, 1, 1, 1), structure="no limit", stacks=(100, 100))
    acts = [Action(0, Act.RAISE, to=100), Action(1, Act.CALL)]
    found = page(Hand("a", "1", spec, ("Ann", "Bob"), acts, "2c7d9hKsKd", {0: "AsAh", 1: "QsQh"}))
    assert found.rows[-1] == ["", "2♣ 7♦ 9♥ K♠ K♦", ""]
    assert {row[0]: row[-1] for row in found.rows}["Ann"] == "+100"


def test_an_observation(hand):
    session = pm.OpponentModeler("loki1")
    for decision in hand.replay():
        observation = session.observe(decision)
        found = page(observation)
        for _, line in said_of(observation.facts(), observation.decision):
            assert line in found.text
        assert observation.reason in found.text
        maps = 1 + observation.reweighted
        assert len(found.rows) == 13 * maps
        assert heat_map(observation.after, title="after the action") in observation._repr_html_()


def test_a_profile(hand):
    with pm.Book("sqlite://") as book:
        book.learn([hand])
        profile = book.profile("Eve")
    found = page(profile)
    names = [statistic.name for statistic in profile.statistics.values()]
    assert [row[0] for row in found.rows[1 : 1 + len(names)]] == names
    assert found.rows[1][1:4] == ["100.0%", "20.7% to 100.0%", "1 / 1"]
    assert "1 holding shown" in found.text
    assert len(found.rows) == 1 + len(names) + 13


def test_a_profile_with_sizes():
    spec = GameSpec((5, 10), (10, 10, 10, 10), (0, 1, 1, 1), structure="no limit", stacks=(1000, 1000))
    acts = [Action(0, Act.RAISE, to=30), Action(1, Act.FOLD)]
    with pm.Book("sqlite://") as book:
        book.learn([Hand("a", "1", spec, ("Ann", "Bob"), acts)])
        profile = book.profile("Ann")
    found = page(profile)
    assert "no holding shown" in found.text
    start = found.rows.index(["size", "median", "95% interval", "bets", "all-in"])
    assert found.rows[start + 1] == ["Open", "3 bb", "", "1", "0%"]


def test_advice(hand):
    session = pm.OpponentModeler("loki2", folded_tables=True)
    for decision in hand.replay():
        if decision.player == "Eve" and decision.name == "raise":
            break
        session.observe(decision)
    position = Position.before(hand, decision.index)
    advice = pm.classics.Simulator().run(position, "9h8h", session.simulation_tables(), trials=50, rng=1)
    found = page(advice)
    assert [row[0] for row in found.rows] == ["act", "fold", "check or call", "bet or raise"]
    for row, ev, error in zip(found.rows[2:], advice.ev[1:], advice.standard_error[1:], strict=True):
        assert row[1:] == [f"{ev:+.3f}", f"± {1.96 * error:.3f}"]
    assert re.findall(r"<b>([^<+]*)</b>", advice._repr_html_())[0] == "bet or raise"
    assert f"{advice.trials} trials" in found.text


def test_advice_without_a_raise():
    nothing = np.array([0.0, 1.5, np.nan])
    counts = np.zeros((2, 2, 4, 3, 3), dtype=np.uint64)
    advice = Advice(nothing, nothing, nothing, np.nan, 1, Act.CALL, "trials", counts, np.zeros(2), 0)
    found = page(advice)
    assert found.rows[-1] == ["bet or raise", "not allowed", ""]
    assert "over the same deals" not in found.text
    assert "1 trial; all trials were done" in found.text
    for stopped, why in (("obvious", "the best act was obvious"), ("time", "the time was over")):
        assert f"1 trial; {why}" in page(replace(advice, stopped=stopped)).text


def test_a_verdict():
    """Of a real decision: pocket aces on the button; what is best is said first."""
    spec = GameSpec.no_limit(3, 50, 100, stacks=(10_000, 10_000, 10_000))
    session = pm.OpponentModeler("adaptive", hero="Cy")
    session.start(("Ann", "Bob", "Cy"))
    session.hold("AsAh")
    state = pm.game.State(spec, (10_000, 10_000, 10_000))
    situation = Situation.of(state, ("Ann", "Bob", "Cy"), ())
    found = VerdictAdviser(fast=True).advise(session.spot(situation).held("AsAh"), 1)
    shown = page(found)
    assert f"{found.best.ev:+.2f}" in shown.text
    assert shown.rows[0] == ["act", "EV", "error", "lost", "method"]
    assert len(shown.rows) == 1 + len(found.acts)
    assert shown.rows[1][:2] == ["fold", "+0.00"]
    assert [row[3] for row in shown.rows].count("best") == 1
    assert "units of 100 chips" in shown.text


def test_a_verdict_that_is_not_sure():
    """A verdict names the actions that it cannot tell apart, and those without a value."""
    acts = (
        Worth(Act.FOLD, None, 0.0, "exact", 0.0, 0.0, 0.0, True),
        Worth(Act.CALL, None, 0.2, "exact", 0.0, 0.4, 0.0, True),
        Worth(Act.RAISE, 250, 21.0, "simulated", 1.0, 0.4, 0.0, False),
    )
    shown = page(Verdict(acts, np.full((3, 3), 0.5), 0.349, 0.36, 100.0))
    assert shown.rows[1][3] == "0.20 \u00b1 0.50, cannot tell"
    assert shown.rows[3] == ["bet or raise to 250", "not known", "", "", ""]
    assert "a call needs 34.9%" in shown.text
    assert "nobody has been seen" in shown.text


def test_scores(hand):
    scores = pm.score([hand], "loki1,uniform")
    found = page(scores)
    assert "1 hand scored, 0 learnt before" in found.text
    assert [row[:2] for row in found.rows[1:]] == [["loki1", "28"], ["uniform", "28"]]
    assert found.rows[1][2] == f"{scores['loki1'].action_log_loss:.3f}"


def test_scores_with_sizes():
    spec = GameSpec((5, 10), (10, 10, 10, 10), (0, 1, 1, 1), structure="no limit", stacks=(1000, 1000))
    acts = [Action(0, Act.RAISE, to=30), Action(1, Act.FOLD)]
    scores = pm.score([Hand("a", "1", spec, ("Ann", "Bob"), acts)], "adaptive")
    found = page(scores)
    assert found.rows[-2][0] == "where bets have sizes"
    assert found.rows[-1][1] == f"{scores['adaptive'].total_log_loss:.3f}"
    if any(map(find_spec, LIBRARIES)):
        assert scores.to_frame()["total_log_loss"].to_list() == [scores["adaptive"].total_log_loss]


def test_a_tournament():
    result = pm.tables.tournament("call,random", deals=3, seed=1)
    found = page(result)
    assert "3 deals, 6 games, seed 1" in found.text
    assert [row[:2] for row in found.rows[1:]] == [
        [name, f"{result.estimate(name).mean:+.4f}"] for name in ("call", "random")
    ]
    none = replace(result, payoffs=result.payoffs[:0], squares=result.squares[:0], interrupted=True)
    assert page(none).rows[1] == ["call", "", "", ""]
    assert "(interrupted)" in page(none).text


@pytest.mark.parametrize(
    "name", HOSTILE, ids=["script", "attribute", "entity", "direction", "emoji", "control", "long"]
)
def test_hostile_names(hand, name):
    """A name is text, whatever it looks like."""
    strange = named(hand, name)
    decision = next(strange.replay())
    found = page(strange)
    assert sum(row[0] == shown(name) for row in found.rows) == 1
    assert shown(name) in page(pm.OpponentModeler("uniform").observe(decision)).text
    if "\ud800" not in name:  # no database takes it
        with pm.Book("sqlite://") as book:
            book.learn([strange])
            (other,) = set(book) - set(hand.players)
            assert shown(other) in page(book.profile(other)).text
    assert shown(name) in page(pm.score([strange], {name: pm.OpponentModeler("uniform")})).text
    result = pm.tables.tournament("call,random", deals=2, seed=1)
    failure = Failure(name, name, name, None)
    result = replace(result, names=(name, "b"), kinds=(name, "b"), failure=failure)
    assert page(result).text.count(shown(name)) == 4


@pytest.mark.parametrize("library", LIBRARIES)
def test_frames(hand, library):
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    scores = pm.score([hand, phh.loads(phh.dumps(hand))], "loki1,uniform")
    found = {name: score.to_dict() for name, score in scores.items()}
    models = scores.to_frame(library=library)
    assert type(models).__module__.partition(".")[0] == library
    assert models["model"].to_list() == ["loki1", "uniform"]
    assert models["action_log_loss"].to_list() == [each["action_log_loss"] for each in found.values()]
    assert models["action_log_loss_low"].to_list() == [each["action_log_loss_ci95"][0] for each in found.values()]
    for what in ("streets", "players", "learning_curve", "calibration"):
        frame = scores.to_frame(what, library=library)
        assert len(frame) == sum(len(each[what]) for each in found.values())
        assert set(frame["model"].to_list()) <= set(found)
    players = scores.to_frame("players", library=library)
    assert players["player"].to_list() == [name for each in found.values() for name in each["players"]]
    decisions = scores.to_frame("streets", library=library)["decisions"].to_list()
    assert decisions[:4] == [part["decisions"] for part in found["loki1"]["streets"].values()]
    with pytest.raises(ValueError, match="unknown kind of row"):
        scores.to_frame("acts", library=library)
    with pytest.raises(ValueError, match="unknown library"):
        scores.to_frame(library="numpy")

    result = pm.tables.tournament("call*2", deals=2, seed=1)
    frame = result.to_frame(library=library)
    rows = result.to_dict()["players"]
    assert frame["player"].to_list() == [row["name"] for row in rows] == list(result.names)
    assert frame["kind"].to_list() == ["call", "call"]
    assert frame["small_bets_per_game"].to_list() == [row["small_bets_per_game"] for row in rows]
    assert frame["low"].to_list() == [row["ci95"][0] for row in rows]
    with pytest.raises(ValueError, match="unknown library"):
        result.to_frame(library="numpy")
