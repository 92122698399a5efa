"""Text histories of Entraction, fixed-limit hold'em: a table of names, actions and amounts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path

from pokermodel.game import Act, Hand
from pokermodel.histories._files import Sink
from pokermodel.histories._text import MONEY, Draft, amount, begins, cards, read_blocks, text_lines

__all__ = ["hands", "sniff"]

_START = re.compile(r"Game # (?P<id>[0-9]+) - (?P<rest>.*)")
_GAME = re.compile(rf"Texas Hold'em Fixed Limit (?P<currency>[A-Z]{{3}}) (?P<small>{MONEY})/(?P<large>{MONEY}) - ")
_SEAT = re.compile(rf"(?P<name>.+?)\s+\((?:[A-Z]{{3}} )?(?P<stack>{MONEY}) in seat (?P<number>[0-9]+)\)$")
_BUTTON = re.compile(r"Dealer:\s+(?P<name>.+)$")
_BLIND = re.compile(rf"(?P<what>Small|Big) Blind:\s+(?P<name>.+?)\s+\((?P<money>{MONEY})\)$")
_STREET = re.compile(r"(?:Flop|Turn|River)\s{2,}(?P<cards>\S.*)$")
_DEALT = re.compile(r"(?P<name>.+) was dealt:\s+(?P<cards>.+)$")
_ACTION = re.compile(rf"(?P<what>Check|Fold|Call|Bet|Raise|All-in|Payback)(?:\s+\((?P<money>{MONEY})\))?$")
_WIN = re.compile(rf"(?P<name>.+) wins:\s+(?:[A-Z]{{3}} )?(?P<money>{MONEY})$")
_RAKE = re.compile(rf"Rake:\s+(?:[A-Z]{{3}} )?(?P<rake>{MONEY})$")
_ACTS = {"Fold": Act.FOLD, "Check": Act.CALL, "Call": Act.CALL, "Bet": Act.RAISE, "Raise": Act.RAISE}


def sniff(head: bytes, name: str) -> bool:
    """Whether this looks like a history of Entraction.

    Parameters
    ----------
    head : bytes
        The beginning of the file.
    name : str
        The file's name; not looked at.
    """
    return begins(head, _START)


def hands(path: Path, file: BufferedReader, skipped: Sink | None = None) -> Iterator[Hand]:
    """Read the hands of a file. Every one is replayed, and its amounts and winnings compared.

    Parameters
    ----------
    path : Path
        For messages.
    file : io.BufferedReader
        The file, which is read as hands are asked for.
    skipped : Sink, optional
        Takes what is wrong with hands that cannot be read; None: raise it.

    Yields
    ------
    Hand
        Its ``stated_payoffs`` are after the rake.

    Raises
    ------
    HistoryError
        If a hand is damaged, breaks the rules, contradicts its own amounts, or is not fixed-limit hold'em.
    """
    return read_blocks(path, text_lines(file), skipped, _START, _read)


def _read(draft: Draft, header: re.Match[str]) -> None:
    draft.source, draft.id = "entraction", header["id"]
    game = _GAME.match(header["rest"])
    if game is None:
        raise ValueError(f"only fixed-limit hold'em is supported, got {header['rest'][:70]!r}")
    draft.bets = amount(game["small"]), amount(game["large"])
    draft.currency = game["currency"]
    numbers: dict[str, int] = {}
    for line in draft.lines():
        if seat := _SEAT.match(line):
            numbers[seat["name"]] = int(seat["number"])
            draft.seat(int(seat["number"]), seat["name"], amount(seat["stack"]))
        elif button := _BUTTON.match(line):
            draft.button = numbers.get(button["name"])
        elif blind := _BLIND.match(line):
            draft.post(blind["name"], amount(blind["money"]), big=blind["what"] == "Big")
            draft.deal_holes()
        elif street := _STREET.match(line):
            draft.deal_board(cards(street["cards"]))
        elif dealt := _DEALT.match(line):
            draft.dealt(dealt["name"], cards(dealt["cards"]))
        elif won := _WIN.match(line):
            draft.collect(won["name"], amount(won["money"]))
        elif rake := _RAKE.match(line):
            draft.rake = amount(rake["rake"])
        elif (said := draft.subject(line, " ")) and (action := _ACTION.match(said[1])):
            money = amount(action["money"] or "0")
            if action["what"] == "Payback":
                draft.give_back(said[0], money)
            else:
                draft.act(said[0], _ACTS.get(action["what"]), None if action["what"] == "Fold" else money)
