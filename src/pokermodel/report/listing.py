"""Hands as lines of text: one for each, in columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from pokermodel._support.words import counted, printable

__all__ = ["hand_lines", "hero_words"]

_COLUMNS = ("number", "id", "time", "stake", "players", "pot", "rake", "street", "showed", "result")
_OF_HERO = (
    *("number", "id", "time", "stake", "hero", "position", "cards", "board", "type", "street", "pot", "rake", "net"),
    *("bb", "EV"),
)
_RIGHT = frozenset(("number", "players", "pot", "rake", "net", "bb", "sb", "EV"))
_SEEN = 100  # hands after which the widths of the columns are settled
_WIDEST = 24  # columns of an id


def hand_lines(rows: Iterable[Mapping[str, Any]], *, hero: bool = False) -> Iterator[str]:
    """Yield hands as lines of text, with a line of headings before them if there are any.

    Rows are those of `HandSource.to_frame`, and are taken as they are needed. With `hero`, each also has a `HeroHand`
    as dict or None; what they won is in big blinds or, in limit, in small bets, and the unit stands above or beside it.
    The result has those who won something, with their winnings after the rake, and of an all-in their all-in EV, too.
    The rake is ``?`` where the source does not say it.
    """
    rows = iter(rows)
    seen = list(islice(rows, _SEEN))
    if not seen:
        return
    unit = "sb" if all(_bet(row) == "sb" for row in seen) else "bb"
    columns = tuple(unit if name == "bb" else name for name in _OF_HERO) if hero else _COLUMNS
    lines = (_hero_cells(row, unit) if hero else _cells(row) for row in chain(seen, rows))
    first = list(islice(lines, len(seen)))
    widths = [max(map(len, column)) for column in zip(columns, *first, strict=True)]
    widths[1] = min(widths[1], _WIDEST)
    for line in chain([columns], first, lines):
        padded = (
            cell.rjust(width) if name in _RIGHT else cell.ljust(width)
            for name, cell, width in zip(columns, line, widths, strict=True)
        )
        yield "  ".join(padded).rstrip()


def _bet(row: Mapping[str, Any]) -> str:
    """The unit of bets in a hand."""
    return "sb" if row["structure"] == "limit" else "bb"


def _cells(row: Mapping[str, Any]) -> Sequence[str]:
    time = row["time"]
    players = row["players"]
    seats = range(len(players))
    shown = [f"{printable(players[k])} {row['holdings'][k]}" for k in seats if row["holdings"][k]]
    won = [f"{printable(players[k])} {row['net'][k]:+.12g}{_ev(row, k)}" for k in seats if row["net"][k] > 0]
    return (
        f"{row['number']}",
        printable(row["id"]),
        "" if time is None else f"{time:%Y-%m-%d %H:%M}",
        row["stake"],
        f"{len(players)}",
        f"{row['pot']:.12g}",
        "?" if row["rake"] is None else f"{row['rake']:.12g}",
        row["street"],
        ", ".join(shown),
        ", ".join(won),
    )


def _hero_cells(row: Mapping[str, Any], unit: str) -> Sequence[str]:
    """What a player won is in the money of the source, and in bets: of the unit, or it is said; EV is of all-ins."""
    number, name, time, stake, _, pot, rake, *_ = _cells(row)
    hero = row["hero"]
    first = (number, name, time, stake)
    if hero is None:
        return (*first, "", "", "", row["board"], "", row["street"], pot, rake, "", "", "")
    ev = hero["all_in_ev"] if row["all_in"] is not None else None
    return (
        *(*first, printable(hero["name"]), hero["position"], hero["holding"] or "", row["board"], hero["pot_type"]),
        *(hero["street"], pot, rake, f"{hero['net']:+.12g}"),
        f"{hero['net_bb']:+.1f}{'' if _bet(row) == unit else f' {_bet(row)}'}",
        "" if ev is None else f"{ev:+.2f}",
    )


def hero_words(name: str, of_one: Mapping[str, Any]) -> str:
    """A player's winnings in the hands of a list, in a line; see `pokermodel.analysis.hero_hands.HeroTotals`."""
    without = of_one["without_cards"]
    text = f"{printable(name)}: {_sum(of_one)}"
    return f"{text}; of these {_sum(without)} without their cards" if without["hands"] else text


def _sum(found: Mapping[str, Any]) -> str:
    other = " chips" if len(found["net"]) > 1 else ""  # beside money it has to be said what the other number is
    money = ", ".join(f"{net:+.12g}{f' {currency}' if currency else other}" for currency, net in found["net"].items())
    limit, hands = found["limit"], found["hands"]
    unit = "bb" if not limit else "sb" if limit == hands else "bets"  # small bets and big blinds added up
    return f"{money} ({found['net_bb']:+.1f} {unit}) in {counted(hands, 'hand')}"


def _ev(row: Mapping[str, Any], seat: int) -> str:
    """What an all-in was worth to a player on average."""
    ev = row["all_in_ev"][seat]
    return "" if row["all_in"] is None or ev is None else f" (EV {ev:+.2f})"
