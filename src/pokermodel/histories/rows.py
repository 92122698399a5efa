"""Hands and decisions as rows of a table: what `HandSource.to_frame` and ``pokermodel list`` have of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pokermodel.cards import cards_text, holding_text
from pokermodel.game import ROUNDS, Hand, position_names

__all__ = ["DECISION_COLUMNS", "HAND_COLUMNS", "decision_rows", "hand_row"]

#: Columns of `hand_row` and of `decision_rows`, in their order.
HAND_COLUMNS = (
    *("number", "source", "id", "time", "table", "stake", "small_bet", "structure"),
    *("currency", "pot", "uncalled", "rake", "street"),
    *("board", "showdown", "all_in", "players", "holdings", "net", "all_in_ev"),
)
DECISION_COLUMNS = (
    *("number", "id", "time", "stake", "small_bet", "index", "round", "board", "player", "position", "opponents"),
    *("pot", "to_call", "bets_to_call", "action", "put_in", "out_of_turn", "holding"),
)


def hand_row(number: int, hand: Hand) -> dict[str, Any]:
    """Return the row of a hand.

    Parameters
    ----------
    number : int
        Number of the hand in its source, from 1.

    Returns
    -------
    dict
        ``table`` is the name of the table, or None. ``structure`` is ``"limit"``, ``"pot limit"`` or ``"no limit"``.
        Amounts are in the money of the source. ``pot`` is the matched amount; ``uncalled`` went back; ``rake`` is None
        if not stated. Four entries have a value for each seat: ``players``, ``holdings`` (the shown ones), ``net`` (the
        result after the rake) and ``all_in_ev`` (its mean over the cards to come when the last money went in, see
        `Hand.all_in_ev`). ``all_in`` is the street after which no player could bet, or None.

    Raises
    ------
    ValueError
        If the hand breaks the rules or cannot be paid out.
    """
    shown = {seat: holding_text(hand.holdings[seat]) for seat in hand.shown if seat not in hand.mucked}
    return {
        "number": number,
        "source": hand.source,
        "id": hand.id,
        "time": hand.time,
        "table": hand.table,
        "stake": hand.stake,
        "small_bet": hand.money(hand.spec.bets[0]),
        "structure": str(hand.spec.structure),
        "currency": hand.currency,
        "pot": hand.pot,
        "uncalled": hand.uncalled,
        "rake": hand.rake,
        "street": ROUNDS[hand.last_round],
        "board": cards_text(hand.board),
        "showdown": hand.showdown,
        "all_in": None if hand.all_in is None else ROUNDS[hand.all_in],
        "players": list(hand.players),
        "holdings": [shown.get(seat) for seat in range(len(hand.players))],
        "net": list(hand.net),
        "all_in_ev": list(hand.all_in_ev),
    }


def decision_rows(number: int, hand: Hand) -> Iterator[dict[str, Any]]:
    """Yield a row for each decision of a hand: the situation and what was done. Parameters are those of `hand_row`."""
    where = position_names(hand.spec)
    stake, small_bet = hand.stake, hand.money(hand.spec.bets[0])
    for decision in hand.replay():
        holding = hand.holdings.get(decision.seat)
        yield {
            "number": number,
            "id": hand.id,
            "time": hand.time,
            "stake": stake,
            "small_bet": small_bet,
            "index": decision.index,
            "round": ROUNDS[decision.round],
            "board": cards_text(decision.board),
            "player": decision.player,
            "position": where[decision.seat],
            "opponents": len(decision.active) - 1,
            "pot": hand.money(decision.pot),
            "to_call": hand.money(decision.to_call),
            "bets_to_call": decision.bets_to_call,
            "action": decision.name,
            "put_in": hand.money(decision.put_in),
            "out_of_turn": decision.out_of_turn,
            "holding": None if holding is None else holding_text(holding),
        }
