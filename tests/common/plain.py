"""Hands as plain data that people can read and compare, and JSON in which it fits on few lines."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from pokermodel.cards import cards_text
from pokermodel.game import BOARD_CARDS, Decision, GameSpec, Hand

__all__ = ["json_text", "plain"]

_WIDTH = 120
#: Parameters of a game that are there only where they are not the usual ones of its structure.
_HOUSE_RULES = {each.name for each in fields(GameSpec) if each.compare} - {
    *("blinds", "antes", "stacks"),  # which stand with the seats
    *("structure", "bets", "first"),
}


def plain(hand: Hand) -> dict[str, Any]:
    """Everything that a history says of a hand, with amounts in its money.

    ``payoff`` is what a seat wins or loses by the rules, before the rake, and ``net`` what the history states, where
    that differs. What is not known, empty or as usual is left out.
    """
    return {
        "about": _without_none(
            source=hand.source,
            id=hand.id,
            table=hand.table,
            hero=hand.hero,
            time=hand.time and hand.time.isoformat(),
        ),
        "game": _game(hand),
        "seats": {name: _seat(hand, seat) for seat, name in enumerate(hand.players)},
        "actions": _streets(hand),
        **{name: cards_text(getattr(hand, name)) for name in ("second_board", "third_board") if getattr(hand, name)},
        "money": _without_none(
            pot=_number(hand.pot),
            uncalled=_number(hand.uncalled) or None,
            rake=None if hand.rake is None else _number(hand.rake),
            added=_money(hand, hand.added) or None,
        ),
    }


def json_text(value: Any, indent: int = 0, before: int = 0) -> str:
    """JSON in which everything that fits on a line is on one."""
    line = json.dumps(value, ensure_ascii=False)
    if not value or not isinstance(value, dict | list) or indent + before + len(line) < _WIDTH:
        return line
    blanks = " " * (indent + 1)
    if isinstance(value, dict):
        keys = [f"{json.dumps(key, ensure_ascii=False)}: " for key in value]
        items = [key + json_text(each, indent + 1, len(key)) for key, each in zip(keys, value.values(), strict=True)]
    else:
        items = [json_text(each, indent + 1) for each in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    return f"{first}\n{blanks}" + f",\n{blanks}".join(items) + f"\n{' ' * indent}{last}"


def _without_none(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _number(amount: float) -> float:
    """An amount to a millionth, whole ones as whole numbers."""
    amount = round(float(amount), 6)
    return int(amount) if amount.is_integer() else amount


def _money(hand: Hand, chips: float) -> float:
    return _number(hand.money(chips))


def _game(hand: Hand) -> dict[str, Any]:
    """The parameters of the game without those of seats, and without house rules that are the usual ones."""
    spec = hand.spec
    usual = GameSpec(spec.blinds, spec.bets, spec.first, structure=spec.structure)
    rules = {name: getattr(spec, name) for name in sorted(_HOUSE_RULES) if getattr(spec, name) != getattr(usual, name)}
    return {
        "structure": str(spec.structure),
        "stake": hand.stake,
        "unit": str(hand.unit),
        "bets": [_money(hand, bet) for bet in spec.bets],
        "first": list(spec.first),
        **{name: list(value) if isinstance(value, tuple) else value for name, value in rules.items()},
    }


def _seat(hand: Hand, seat: int) -> dict[str, Any]:
    spec = hand.spec
    stack = None if hand.stacks is None else hand.stacks[seat]
    net = None if hand.stated_payoffs is None else _money(hand, hand.stated_payoffs[seat])
    payoff = _money(hand, hand.payoffs[seat])
    return _without_none(
        stack=None if stack is None else _money(hand, stack),
        blind=_money(hand, spec.blinds[seat]) or None,
        ante=_money(hand, spec.antes[seat]) or None if spec.antes else None,
        cards=cards_text(hand.holdings[seat]) if seat in hand.holdings else None,
        shows=True if seat in hand.shown and seat not in hand.mucked else None,
        mucks=True if seat in hand.mucked else None,
        payoff=payoff,
        net=None if net == payoff else net,
    )


def _streets(hand: Hand) -> list[str]:
    """What was done in each round, behind the cards that were dealt for it."""
    actions: list[list[str]] = [[] for _ in BOARD_CARDS]
    for decision in hand.replay():
        actions[decision.round].append(_action(hand, decision))
    cards = [cards_text(hand.board[a:b]) for a, b in zip((0, *BOARD_CARDS), BOARD_CARDS, strict=False)]
    streets = [": ".join(filter(None, (dealt, ", ".join(done)))) for dealt, done in zip(cards, actions, strict=True)]
    while streets and not streets[-1]:
        streets.pop()
    return streets


def _action(hand: Hand, decision: Decision) -> str:
    words = [decision.player, decision.name]
    if amount := decision.put_in if decision.to is None else decision.to:
        words.append(f"{_money(hand, amount)}")
    if decision.out_of_turn:
        words.append("out of turn")
    return " ".join(words)
