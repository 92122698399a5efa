"""Open Hand History, read and written."""

from __future__ import annotations

import io
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel.errors import HistoryError
from pokermodel.game import Act, Action, GameSpec, Hand
from pokermodel.histories import ohh, open_hands
from tests.common.damage import Drawn, damaged
from tests.common.formats import MODULES
from tests.common.random_hands import wild_hand
from tests.histories.cases import CASES

#: Made up after the examples of the specification: numbers of seats with gaps, no uncalled bet returned, rake.
CASH = json.loads(CASES["ohh/usual"].text)["ohh"]


def cash(**changes):
    """The hand on one line, with other fields."""
    return json.dumps({"ohh": CASH | changes})


def beside(before: dict[str, object], after: dict[str, object], **layout: Any) -> str:
    """The hand in an object with other entries around it, as converters and home games wrap it."""
    return json.dumps({**before, "ohh": CASH, **after}, **layout)


def stream(text: str | bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(text.encode() if isinstance(text, str) else text))


def read(text: str | bytes, skipped=None) -> list[Hand]:
    return list(ohh.hands(Path("some.ohh"), stream(text), skipped))


def test_what_is_written_of_it() -> None:
    hand = ohh.loads(cash())
    content = json.loads(ohh.dumps(hand))["ohh"]
    assert ohh.loads(ohh.dumps(hand)) == hand
    assert "_pokermodel" not in content
    assert content["hero_player_id"] == 3
    assert content["flags"] == []
    assert content["pots"] == CASH["pots"]
    assert content["bet_limit"] == {"bet_type": "NL", "bet_cap": 0}
    assert [each["street"] for each in content["rounds"]] == ["Preflop", "Flop"]
    assert content["rounds"][1]["actions"] == [
        {"action_number": number, "player_id": player, "action": what, "amount": amount, "is_allin": False}
        for number, player, what, amount in (
            (1, 0, "Check", 0),
            (2, 3, "Bet", 0.1),
            (3, 0, "Raise", 0.3),
            (4, 3, "Raise", 1),
            (5, 0, "Fold", 0),
        )
    ]


def test_limit_takes_the_bets_from_the_big_blind() -> None:
    text = ohh.dumps(pm.example_hand())
    spec = ohh.loads(text).spec
    assert spec.bets == (10, 10, 20, 20)
    content = json.loads(text)
    del content["ohh"]["_pokermodel"]
    assert ohh.loads(json.dumps(content)).spec.bets == (10, 10, 20, 20)


def test_side_pots_and_all_ins() -> None:
    spec = GameSpec.no_limit(3, 5, 10)
    acts = [Action(2, Act.RAISE, to=100), Action(0, Act.CALL), Action(1, Act.RAISE, to=190), Action(2, Act.CALL)]
    cards = {0: "AsAd", 1: "KsKd", 2: "QsQd"}
    hand = Hand("x", "1", spec, ("A", "B", "C"), acts, "2c3c4h8h9s", cards, (50, 200, 190))
    content = json.loads(ohh.dumps(hand))["ohh"]
    assert content["pots"] == [
        {"number": 0, "amount": 150, "rake": 0, "player_wins": [{"player_id": 0, "win_amount": 150}]},
        {"number": 1, "amount": 280, "rake": 0, "player_wins": [{"player_id": 1, "win_amount": 280}]},
    ]
    preflop = content["rounds"][0]["actions"]
    assert [(each["action"], each["amount"]) for each in preflop if each["is_allin"]] == [("Call", 45), ("Call", 90)]
    assert [each["street"] for each in content["rounds"]] == ["Preflop", "Flop", "Turn", "River", "Showdown"]
    assert ohh.loads(json.dumps({"ohh": content})).payoffs == hand.payoffs


def test_two_boards() -> None:
    spec = GameSpec.no_limit(2, 5, 10)
    acts = [Action(0, Act.RAISE, to=100), Action(1, Act.CALL)]
    cards = {0: "AsAd", 1: "KsKd"}
    hand = Hand("x", "1", spec, "AB", acts, "2c3c4h8h9s", cards, (100, 100), second_board="2c3c4hKh9d")
    content = json.loads(ohh.dumps(hand))["ohh"]
    assert content["flags"] == ["Run_It_Twice", "Observed"]
    assert [(each["street"], each["cards"]) for each in content["rounds"]] == [
        ("Preflop", []),
        ("Flop", ["2c", "3c", "4h"]),
        ("Turn", ["8h"]),
        ("River", ["9s"]),
        ("Turn", ["Kh"]),
        ("River", ["9d"]),
        ("Showdown", []),
    ]
    assert ohh.loads(json.dumps({"ohh": content})).second_board == hand.second_board


def test_straddles_newcomers_and_antes() -> None:
    spec = GameSpec((5, 10, 20, 0, 10), (10,) * 4, (3, 0, 0, 0), antes=(1, 1, 1, 1, 6), structure="no limit")
    acts = [Action(seat, Act.FOLD) for seat in (3, 4, 0, 1)]
    hand = Hand("x", "1", spec, "ABCDE", acts, stacks=(100,) * 5)
    content = json.loads(ohh.dumps(hand))["ohh"]
    posts = [(each["player_id"], each["action"], each["amount"]) for each in content["rounds"][0]["actions"][:10]]
    assert posts == [
        *((seat, "Post Ante", 1) for seat in range(5)),
        (4, "Post Dead", 5),
        (0, "Post SB", 5),
        (1, "Post BB", 10),
        (2, "Straddle", 20),
        (4, "Post Extra Blind", 10),
    ]
    del content["_pokermodel"]
    again = ohh.loads(json.dumps({"ohh": content}))
    assert (again.spec, again.actions, again.payoffs) == (hand.spec, hand.actions, hand.payoffs)


def test_who_the_hero_is() -> None:
    hand = pm.example_hand()  # Farid's cards are known although they were not shown
    for hero, expected in ((None, "Farid"), ("Eve", "Eve"), ("Nobody", None)):
        content = json.loads(ohh.dumps(hand, hero=hero))["ohh"]
        assert content["hero_player_id"] == (hand.players.index(expected) if expected else None)
        assert ("Observed" in content["flags"]) == (expected is None)


def test_the_hero_of_a_hand_is_kept() -> None:
    hand = ohh.loads(cash())
    assert hand.hero == "Cid"
    for hero, expected in ((None, "Cid"), ("Cid", "Cid"), ("Eve", "Eve"), ("Nobody", None)):
        again = ohh.loads(ohh.dumps(hand, hero=hero))
        assert again.hero == expected
        assert (again == hand) == (expected == "Cid")


def test_who_is_only_taken_for_the_hero_is_not_the_hand_s() -> None:
    hand = pm.example_hand()  # names nobody; that of whoever's cards were not shown is for trackers
    assert json.loads(ohh.dumps(hand))["ohh"]["hero_player_id"] is not None
    assert ohh.loads(ohh.dumps(hand)) == hand
    assert hand.hero is None
    with pytest.raises(pm.HistoryError, match="_pokermodel: hero cannot be 'Eve'"):
        ohh.loads(ohh.dumps(hand).replace('"hero": null', '"hero": "Eve"'))


def test_stacks_that_are_not_known() -> None:
    spec = GameSpec.ring(3, 5, 10)
    hand = Hand("x", "1", spec, "ABC", [Action(2, Act.CALL), Action(0, Act.FOLD), Action(1, Act.RAISE), Action(2, 0)])
    assert {player["starting_stack"] for player in json.loads(ohh.dumps(hand))["ohh"]["players"]} == {None}
    assert ohh.loads(ohh.dumps(hand)).stacks is None
    assert ohh.loads(ohh.dumps(hand, stack=400)).stacks == (400, 400, 400)
    with pytest.raises(ValueError, match=r"hand 1: Open Hand History cannot express it: a stack of 20: expected whole"):
        ohh.dumps(hand, stack=20)


def test_thirds_are_paid_in_cents() -> None:
    spec = GameSpec.no_limit(4, 5, 10)
    acts = [Action(2, Act.CALL), Action(3, Act.FOLD), Action(0, Act.CALL), Action(1, Act.CALL)]
    acts += [Action(seat, Act.CALL) for _ in range(3) for seat in (0, 1, 2)]
    acts[1] = Action(3, Act.CALL)
    acts[4:4] = []
    flop = [Action(0, Act.CALL), Action(1, Act.CALL), Action(2, Act.CALL), Action(3, Act.FOLD)]
    acts = acts[:4] + flop + acts[7:]
    hand = Hand("x", "1", spec, "ABCD", acts, "TcJcQcKcAc", {0: "2d3d", 1: "2h3h", 2: "2s3s"}, (100,) * 4)
    (pot,) = json.loads(ohh.dumps(hand))["ohh"]["pots"]
    assert pot["rake"] == 0
    assert [win["win_amount"] for win in pot["player_wins"]] == [13.34, 13.33, 13.33]
    assert ohh.loads(ohh.dumps(hand)) == hand


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_everything_is_kept(seed: int) -> None:
    hand = wild_hand(random.Random(seed))
    text = ohh.dumps(hand)
    again = ohh.loads(text)
    assert again == hand
    assert ohh.dumps(again) == text
    assert hand.to_ohh() == text


@settings(max_examples=60)
@given(st.integers(0, 2**32))
@example(61218)  # two boards, of which each leaves an odd cent
@example(12790)  # a short stack with an ante has put in most, and is not in the last pot
def test_the_money_adds_up(seed: int) -> None:
    """What trackers check: actions less the uncalled bet are the pots, which are winnings and rake."""
    hand = wild_hand(random.Random(seed))
    assume(not any(action.out_of_turn for action in hand.actions))  # who leaves has not been called, either
    content = json.loads(ohh.dumps(hand), parse_float=Fraction, parse_int=Fraction)["ohh"]
    put = dict.fromkeys(range(len(hand.players)), Fraction())
    live = dict(put)
    for each in content["rounds"]:
        for action in each["actions"]:
            put[int(action["player_id"])] += action["amount"]
            if action["action"] not in ("Post Ante", "Post Dead"):
                live[int(action["player_id"])] += action["amount"]
    second, highest = sorted(live.values())[-2:]
    assert sum(put.values()) - (highest - second) == sum(pot["amount"] for pot in content["pots"])
    for pot in content["pots"]:
        assert pot["rake"] >= 0
        assert pot["amount"] == pot["rake"] + sum(win["win_amount"] for win in pot["player_wins"])
    stacks = [player["starting_stack"] for player in content["players"]]
    for seat, stack in enumerate(stacks):
        went = any(
            action["is_allin"] for each in content["rounds"] for action in each["actions"]
            if action["player_id"] == seat
        )  # fmt: skip
        assert went == (stack is not None and put[seat] == stack)


def showdown(*actions: dict[str, object]) -> str:
    """A hand that all check down and that is shown, with more actions in its last round."""
    shown = [
        {"player_id": 0, "action": "Shows Cards", "cards": ["Kd", "Kh"]},
        {"player_id": 5, "action": "Shows Cards", "cards": ["Qd", "Qh"]},
    ]
    checks = [{"player_id": seat, "action": "Check"} for seat in (0, 5)]
    posts = [
        {"player_id": 5, "action": "Post SB", "amount": 0.01},
        {"player_id": 0, "action": "Post BB", "amount": 0.02},
        {"player_id": 5, "action": "Call", "amount": 0.01},
        {"player_id": 0, "action": "Check"},
    ]
    board = (["2c", "7d", "As"], ["3c"], ["9s"])
    streets = [("Preflop", [], posts), *zip(("Flop", "Turn", "River"), board, [checks] * 3, strict=True)]
    rounds = [
        {"id": place, "street": street, "cards": cards, "actions": done}
        for place, (street, cards, done) in enumerate([*streets, ("Showdown", [], [*shown, *actions])])
    ]
    won = [{"number": 0, "amount": 0.04, "rake": 0, "player_wins": [{"player_id": 0, "win_amount": 0.04}]}]
    return cash(rounds=rounds, pots=won, dealer_seat=10)


@pytest.mark.parametrize(
    "action",
    [
        {"player_id": 0, "action": "Payout", "amount": 0.04, "is_allin": True},
        {"player_id": 0, "action": "Payout", "amount": 0.03},
        {"player_id": 0, "action": "Cash Out", "amount": 0.04},
        {"player_id": 99, "action": "Rabbit Hunt", "cards": ["xx"], "amount": "much"},
        {"action": "Bad Beat Jackpot"},
    ],
)
def test_what_follows_the_cards_that_are_shown_changes_nothing(action: dict[str, object]) -> None:
    hand = ohh.loads(showdown(action))
    assert hand == ohh.loads(showdown())
    assert dict(zip(hand.players, hand.payoffs, strict=True)) == {"Eve": -2, "Ann": 2}


def test_what_follows_the_cards_is_an_action() -> None:
    with pytest.raises(HistoryError, match=r"Showdown, action 9: .*: action must be text, got 7"):
        ohh.loads(showdown({"action_number": 9, "player_id": 0, "action": 7}))
    with pytest.raises(HistoryError, match="there is no player with the id 99"):
        ohh.loads(showdown({"player_id": 99, "action": "Mucks Cards"}))


def test_an_action_before_the_showdown_is_known() -> None:
    rounds = json.loads(showdown())["ohh"]["rounds"]
    rounds[1]["actions"].insert(0, {"action_number": 1, "player_id": 5, "action": "Insure"})
    what = (
        "Flop, action 1: unknown action 'Insure': expected one of Add to Pot, .*, Call, Check, .*, Payout, .*Straddle"
    )
    with pytest.raises(HistoryError, match=what):
        ohh.loads(cash(rounds=rounds))


# --- files -------------------------------------------------------------------------------------------------------


def test_several_hands(tmp_path) -> None:
    text = ohh.dumps_all([ohh.loads(cash()), ohh.loads(cash(game_number="8600"))])
    assert text.count("\n\n") == 1
    path = tmp_path / "hands.ohh"
    path.write_text(text)
    source = open_hands(path)
    assert source.format == "ohh"
    assert [hand.id for hand in source] == ["8599", "8600"]
    assert source[1].id == "8600"


@pytest.mark.parametrize(
    "text",
    [
        f"{cash()}\n\n{cash()}\n",
        f"\ufeff{cash()}\r\n\r\n{cash()}\r\n",
        f"{cash()}\n{cash()}",
        f"{cash()}{cash()}",
        json.dumps(json.loads(cash()), indent=4) + "\n\n" + json.dumps(json.loads(cash()), indent=1),
        f"{cash()}\n\n{cash()}\n".encode("utf-16"),
        f"{beside({'id': 'a1'}, {})}\n{beside({}, {'id': 'a2'})}\n",
        f"\ufeff{beside({'id': 7, 'tags': ['}', '{'], 'by': {'ohh': {'x': None}}}, {'n': 1.5})}\n{cash()}\n",
        f"{beside({'id': 'a1'}, {}, indent=2)}\n{beside({'id': 'a2'}, {'more': {}}, indent=1)}\n",
    ],
)
def test_layouts(text: str | bytes) -> None:
    assert read(text) == [ohh.loads(cash())] * 2
    head = text.encode() if isinstance(text, str) else text
    assert MODULES["ohh"].sniff(head, "x.txt")


def test_reading_goes_on_in_the_middle() -> None:
    text = "\n\n".join(cash(game_number=str(number)) for number in range(5))
    from pokermodel.histories.index import ReaderMark

    mark = ReaderMark()
    places = {hand.id: mark.at for hand in ohh.hands(Path("x"), stream(text), mark=mark)}
    for number, at in places.items():
        file = stream(text)
        file.seek(at[0])
        assert next(ohh.hands(Path("x"), file, mark=ReaderMark(at))).id == number


def test_an_object_that_is_cut_short_costs_no_other() -> None:
    pretty = json.dumps(json.loads(cash()), indent=2)
    for first in (cash()[:500], pretty[:500]):
        for second in (cash(), pretty, beside({"id": "a1", "by": {"name": "x"}}, {})):
            skipped: list[HistoryError] = []
            assert len(read(f"{first}\n\n{second}\n\n{second}", skipped)) == 2
            assert len(skipped) == 1


def test_damage_is_reported_where_it_is() -> None:
    text = f"{cash()}\n\n{cash(pots=[])}\n\n{cash()}\n"
    skipped: list[HistoryError] = []
    assert len(read(text, skipped)) == 2
    (error,) = skipped
    assert (error.path, error.line, error.hand) == ("some.ohh", 3, "8599")
    with pytest.raises(HistoryError) as caught:
        read(text)
    assert str(caught.value) == str(error)


def test_what_is_no_hand_history() -> None:
    for text, what in (
        ("", "no hand found"),
        ("hello\n", "some.ohh:1: not JSON"),
        ("[1]", 'expected {"ohh": {...}}, got [1]'),
        ('{"ohh": 1}', "expected"),
        ('{"ohh": {"a": NaN}}', "NaN is no JSON"),
        ('{"ohh": ' + "[" * 100_000, "too deeply"),
        ('{"ohh": {"game_type": ' + "1" * 5000 + "}}", "digits"),
    ):
        with pytest.raises(HistoryError) as caught:
            read(text)
        assert what in str(caught.value)
    assert not MODULES["ohh"].sniff(b"", "x")
    for other in (b'{"hand": {}}', b'{"hands": [{"ohh": {}}]}', b'["ohh", {}]', b'"ohh": {}', b'{"a": "ohh"}'):
        assert not MODULES["ohh"].sniff(other, "x.json")
    assert MODULES["ohh"].sniff(b"", "x.OHH")


@given(st.data())
def test_mangled_files(data: st.DataObject) -> None:
    text = "\n\n".join([cash(), ohh.dumps(wild_hand(random.Random(data.draw(st.integers(0, 99)))))]).encode()
    text = damaged(text, Drawn(data), 3)
    skipped: list[HistoryError] = []
    for hand in read(text, skipped):  # whatever it is, no other error
        assert abs(sum(hand.payoffs)) < 1e-6
    if skipped:
        with pytest.raises(HistoryError):
            read(text)


# --- the real thing ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("folder", "most"),
    [("sites-limit", 66), ("sites-nolimit", 60), ("acpc-dealer", 40), ("big-game", 40), ("irc-199504", 40)],
)
def test_real_hands_are_kept(data_dir: Path, folder: str, most: int) -> None:
    count = 0
    for hand in open_hands(data_dir / folder, strict=False):
        text = ohh.dumps(hand)
        assert ohh.loads(text) == hand
        count += 1
        if count == most:
            break
    assert count == most
