"""Logs of PokerNow in CSV, of home games in chips or in cents: no limit, pot limit and limit hold'em.

Each row has an entry, its time and its number; the newest stands first. Calls, bets, raises and posts say what the
player has put in during the round. Nothing says whose log it is: the owner is the player who shows the cards that
"Your hand is" deals, in this hand or in others of the log. Bounties are paid outside the pot and are left out.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from io import BufferedReader
from pathlib import Path
from typing import NamedTuple

from pokermodel._support.patterns import regex
from pokermodel.errors import HistoryError
from pokermodel.game import Act, Hand
from pokermodel.histories._exact import Money
from pokermodel.histories._header import stated_game
from pokermodel.histories._lines import mended, text_lines
from pokermodel.histories._words import CENT, ONE, LineError, amount
from pokermodel.histories._words import cards as usual_cards
from pokermodel.histories.draft import Draft
from pokermodel.histories.files import Sink
from pokermodel.histories.index import ReaderMark
from pokermodel.histories.replay import hand_of

__all__ = ["hands"]

_MOST = 1 << 26  # characters of a log, which is read from its end
_LONGEST = 10_000  # characters of an entry, of which what follows is not looked at
_SUITS = str.maketrans({"♠": "s", "♥": "h", "♦": "d", "♣": "c", "\ufe0f": None})
_MONEY = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,3}|[0-9]{1,12})(?:\.[0-9]{1,6})?"
_WHOLE_ROW = regex(r'"(?:[^"]|"")*+"[,;\t](?:[^"]|"[^"]*")*+')
_START = regex(
    r"-- starting hand #(?P<number>[0-9]+)(?: +\(id: (?P<id>[^)]*)\))? +\(?(?P<game>.*?)\)? \((?P<who>.*)\) --"
)
_MARK = regex(r"-- (?P<what>starting|ending) hand #(?P<number>[0-9]+)")
_DEALER = regex(r'dealer: "(?P<who>.+)"')
_SEATS = regex(rf'#(?P<number>[0-9]{{1,4}}) "(?P<who>(?:(?!" \().)+)" \((?P<stack>{_MONEY})\)(?: \| |\s*$)')
_BOARD = regex(r"(?:Flop|Turn|River)(?: \((?P<again>[^)]*)\))?: *(?P<cards>.+)", re.IGNORECASE)
_RETURNED = regex(rf'Uncalled bet of (?P<money>{_MONEY}) returned to "(?P<who>.+)"')
_LOGIN = regex(r'The player "(?P<who>.+)" changed the ID from (?P<old>\S+) to (?P<new>\S+) because')
_BOMB = regex(rf"(?:posts a bet of|calls) (?P<money>{_MONEY}) \(bomb pot bet\)")
_POST = regex(rf"posts an? (?P<what>.+) of (?P<money>{_MONEY})")
_ACT = regex(rf"(?P<what>calls|bets|raises to) (?P<to>{_MONEY})")
_SHOWS = regex(r'"[^"].* shows an? ')
_SHOW = regex(r"shows an? (?P<cards>.+)\.")
_SHOWN = regex(r'"(?P<who>.+)" shows an? (?P<cards>.+, .+)\.')
_WON = regex(rf"collected (?P<money>{_MONEY}) from pot")
_YOURS = "Your hand is "
_ALL_IN = " and go all in"


class _Row(NamedTuple):
    """An entry of the log, and the line where its row ends."""

    line: int
    text: str
    at: str
    order: str


def hands(
    path: Path, file: BufferedReader, skipped: Sink | None = None, mark: ReaderMark | None = None
) -> Iterator[Hand]:
    """Read the hands of a log, in the order in which they were played. A log is read whole.

    Parameters
    ----------
    path, file, skipped
        As of `pokermodel.histories.ohh.hands`.
    mark : ReaderMark, optional
        Is not set: reading cannot go on in the middle.

    Raises
    ------
    HistoryError
        If a hand is damaged, breaks the rules, contradicts its own amounts, or is not hold'em; if there is no hand, or
        the log has more than 64 million characters.
    """
    found = False
    log = _Log(path)
    for what in log.read(_rows(path, file)):
        found = True
        if isinstance(what, Hand):
            yield what
        elif skipped is None:
            raise what
        else:
            skipped.append(what)
    if not found:
        error = HistoryError("no hand found: expected a log of PokerNow, a CSV with entry,at,order", str(path))
        if skipped is None:
            raise error
        skipped.append(error)


def _rows(path: Path, file: BufferedReader) -> list[_Row]:
    """The rows in the order of time."""
    size, quotes, delimiter = 0, 0, ""
    rows: list[_Row] = []
    open_row: list[str] = []  # of an entry of several lines
    for line in text_lines(file):
        size += len(line.text) + 1
        if size > _MOST:
            raise HistoryError(f"a log of more than {_MOST:,} characters is not read", str(path))
        delimiter = delimiter or max(",;\t", key=line.text.count) * bool(line.text.strip())
        if _WHOLE_ROW.fullmatch(line.text):  # so that a quotation mark that is lost costs no other row
            open_row, quotes = [], 0
        open_row.append(line.text)
        quotes += line.text.count('"')
        if quotes % 2 == 0:
            entry, at, order, *_ = [*_fields("\n".join(open_row), delimiter), "", "", ""]
            if entry := entry.strip():
                rows.append(_Row(line.number, entry[:_LONGEST], at.strip(), order.strip()))
            open_row = []
    timed = [(row.at, int(row.order) if row.order.isdecimal() else 0) for row in rows if row.at[:1].isdecimal()]
    return rows if timed and timed[0] < timed[-1] else rows[::-1]


def _fields(text: str, delimiter: str) -> list[str]:
    """The fields of a row; none if it is no CSV."""
    try:
        return next(csv.reader([text], delimiter=delimiter or ","), [])
    except csv.Error:
        return []


class _Log:
    """What is known of a log beyond a hand: its owner, the blinds, and the game, which is in the name of the file."""

    def __init__(self, path: Path) -> None:
        self._path = str(path)
        game = re.match(r"poker_now_log_([\w-]+)", path.stem)
        self._table = None if game is None else game[1]
        self._owner = ""
        self._blinds: tuple[Money, Money] = (0, 0)

    def read(self, rows: Sequence[_Row]) -> Iterator[Hand | HistoryError]:
        """Yield the hands, and what is wrong with others."""
        blocks: list[list[_Row]] = []
        lost: list[HistoryError] = []
        started = ""
        for row in rows:
            mark = _MARK.match(row.text)
            if mark is not None and mark["what"] == "starting":
                blocks.append([])
                started = mark["number"]
            elif mark is not None and mark["number"] != started:
                what = f"hand #{mark['number']} ends, but does not start: expected '-- starting hand #{mark['number']}'"
                lost.append(HistoryError(what, self._path, row.line, mark["number"]))
            if blocks and (started or _SHOWS.match(row.text)):  # cards may be shown when the hand is over
                blocks[-1].append(row)
            if mark is not None and mark["what"] == "ending":
                started = ""
        self._owner = _owner(blocks)
        yield from lost
        self._blinds = next(filter(None, map(_blinds, blocks)), (0, 0))  # a bomb pot has none of its own
        yield from map(self._hand, blocks)

    def _hand(self, block: list[_Row]) -> Hand | HistoryError:
        draft = Draft(block[0].line, [], one=ONE)
        try:
            _Reading(draft, block, self._table, self._owner, self._blinds).read()
            hand = hand_of(draft)
        except ValueError as error:
            line = error.line if isinstance(error, LineError) else draft.line
            return HistoryError(str(error), self._path, line, draft.id or None)
        self._blinds = _blinds(block) or self._blinds
        return hand


def _cards(text: str) -> tuple[int, ...]:
    return usual_cards(mended([text])[0].translate(_SUITS))


def _holding(text: str) -> tuple[int, ...]:
    """One card or two; raises `ValueError` for more, which are of another game."""
    found = _cards(text)
    if len(found) > 2:
        raise ValueError(f"only hold'em is supported, got {len(found)} cards: {text[:40]!r}")
    return found


def _blinds(block: list[_Row]) -> tuple[Money, Money] | None:
    """The small and the big blind of a hand: all of them, not what is left of a stack; None if it has none."""
    found: dict[str, list[Money]] = {"small blind": [0], "big blind": [0]}
    for row in block:
        post = _POST.search(row.text)
        if post is not None and row.text.startswith('"') and _ALL_IN not in row.text:
            for kind, words in ("small blind", "missing small blind"), ("big blind", "missed big blind"):
                if post["what"] in (kind, words):
                    found[kind].append(amount(post["money"]))
    small, big = max(found["small blind"]), max(found["big blind"])
    return (small, big) if big else None


def _owner(blocks: list[list[_Row]]) -> str:
    """Who has shown what the log deals to its owner, most often, and never anything else; empty if nobody has."""
    agreed: dict[str, int] = {}
    others: set[str] = set()
    for block in blocks:
        yours = next((row.text.removeprefix(_YOURS) for row in block if row.text.startswith(_YOURS)), "")
        for shown in filter(None, (_SHOWN.fullmatch(row.text) for row in block)) if yours else ():
            if {*shown["cards"].split(", ")} == {*yours.split(", ")}:
                agreed[shown["who"]] = agreed.get(shown["who"], 0) + 1
            else:
                others.add(shown["who"])
    return max(agreed.keys() - others, key=lambda who: (agreed[who], who), default="")


class _Reading:
    """The rows of a hand, which are reported to a draft, given the owner of the log and the last blinds."""

    def __init__(
        self, draft: Draft, block: list[_Row], table: str | None, owner: str, blinds: tuple[Money, Money]
    ) -> None:
        self._draft, self._block = draft, block
        self._owner, self._blinds = owner, blinds
        draft.table = table
        self._names: dict[str, str] = {}  # of the players with their IDs
        self._again: dict[str, tuple[int, ...]] = {}  # boards of other runs
        self._put: dict[str, Money] = {}  # in the round, without blinds

    def read(self) -> None:
        """Report all rows; raises `ValueError`."""
        draft = self._draft
        start = _START.fullmatch(self._block[0].text)
        if start is None:
            raise ValueError(
                f"expected '-- starting hand #1 (id: x) No Limit Texas Hold'em (dealer: \"A @ x\") --', got "
                f"{self._block[0].text[:70]!r}"
            )
        draft.source, draft.id = "pokernow", start["id"] or start["number"]
        game = stated_game(start["game"])
        if game is None or game.structure is None:
            raise ValueError(f"only hold'em is supported, got {start['game'][:70]!r}")
        draft.structure, draft.time = game.structure, _time(self._block[0].at)
        draft.folds_early, draft.winnings.rake, draft.winnings.coin = True, 0, ONE
        draft.deal_holes()
        for row in self._block[1:]:
            draft.line = row.line
            if row.text.startswith("Player stacks: "):
                self._seat(row.text.removeprefix("Player stacks: "))
            elif row.text.startswith('"'):
                self._read_player(row.text)
            else:
                self._read_table(row.text)
        draft.line = self._block[0].line
        if not self._names:
            raise ValueError("the log does not say who plays: expected 'Player stacks: #1 \"A @ x\" (100) | ...'")
        dealer = _DEALER.fullmatch(start["who"])
        if dealer is not None and dealer["who"] in self._names:
            draft.seats.button = draft.seats.numbers[self._names[dealer["who"]]]
        else:  # a dead button, or a player who has left
            draft.seats.place_button()
        for run, board in zip((2, 3), self._again.values(), strict=False):
            draft.deal_run(run, board)

    def _seat(self, text: str) -> None:
        seats = list(_SEATS.finditer(text))
        if "".join(seat[0] for seat in seats) != text or not seats:
            raise ValueError(f'expected stacks, as \'#1 "A @ x" (100) | #2 "B @ y" (50)\', got {text[:70]!r}')
        plain = [seat["who"].rpartition(" @ ")[0] or seat["who"] for seat in seats]
        for seat, name in zip(seats, plain, strict=True):
            self._names[seat["who"]] = name if plain.count(name) == 1 else seat["who"]
            self._draft.seats.sit(int(seat["number"]), self._names[seat["who"]], amount(seat["stack"]))
            self._draft.seats.deal(self._names[seat["who"]])
        if "." in text:
            self._draft.winnings.coin = CENT
        small, big = _blinds(self._block) or (0, 0)
        small, big = small or self._blinds[0], big or self._blinds[1]
        if not big:
            raise ValueError("neither this hand nor another says the blinds: expected 'posts a big blind of 10'")
        self._draft.bets = (big, 2 * big) if self._draft.structure.fixed else (small, big)

    def _read_table(self, text: str) -> None:
        """Report what is not of a player: cards, and what is returned."""
        draft = self._draft
        if board := _BOARD.fullmatch(text):
            again, dealt = (board["again"] or "").lower(), _cards(board["cards"])
            if "board" in again:
                raise ValueError("two boards are dealt from the flop on, which is another game than hold'em")
            if again:
                self._again[again] = dealt
            else:
                draft.deal_board(dealt)
                self._put = dict.fromkeys(self._names.values(), 0)
        elif text.startswith(_YOURS):
            self._deal(_holding(text.removeprefix(_YOURS)))
        elif returned := _RETURNED.fullmatch(text):
            draft.winnings.give_back(self._name(returned["who"]), amount(returned["money"]))
        elif login := _LOGIN.match(text):
            nick = login["who"].rpartition(" @ ")[0]
            self._names[f"{nick} @ {login['new']}"] = self._name(f"{nick} @ {login['old']}")

    def _name(self, who: str) -> str:
        if who not in self._names:
            raise ValueError(f"{who} has no seat")
        return self._names[who]

    def _deal(self, holding: tuple[int, ...]) -> None:
        """Report the cards of the owner, if it is known who that is."""
        shown = {found["who"]: found["cards"] for row in self._block if (found := _SHOWN.fullmatch(row.text))}
        same = [who for who, text in shown.items() if {*_cards(text)} == {*holding}]
        owner = same[0] if same else self._owner if self._owner not in shown else ""
        if owner in self._names:
            self._draft.seats.hero = self._names[owner]
            self._draft.seats.deal(self._names[owner], holding)

    def _read_player(self, text: str) -> None:
        """Report what a player does."""
        draft = self._draft
        who = next((who for who in self._names if text.startswith(f'"{who}" ')), None)
        if who is None:
            return  # talk of the table
        name, what = self._names[who], text[len(who) + 3 :].replace(_ALL_IN, "").strip()
        if bomb := _BOMB.fullmatch(what):
            draft.seats.post(name, 0, amount(bomb["money"]))
        elif post := _POST.fullmatch(what):
            self._post(name, post["what"], amount(post["money"]))
        elif won := _WON.match(what):
            draft.winnings.collect(name, amount(won["money"]))
        elif show := _SHOW.fullmatch(what):
            draft.seats.show(name, _holding(show["cards"]))
        elif act := _ACT.fullmatch(what):
            total, before = amount(act["to"]), self._put.get(name, draft.seats.live.get(name, 0))
            self._put[name] = total
            if act["what"] == "calls":
                draft.act(name, Act.CALL, total - before)
            else:
                draft.act(name, Act.RAISE, to=total)
        elif what in ("folds", "checks"):
            draft.act(name, Act.FOLD if what == "folds" else Act.CALL, 0)
        elif what.startswith(("calls", "bets", "raises", "posts")):
            raise ValueError(
                f"expected 'calls 10', 'bets 10', 'raises to 10' or 'posts an ante of 1', got {what[:60]!r}"
            )

    def _post(self, name: str, what: str, money: Money) -> None:
        draft = self._draft
        if what == "straddle":
            draft.seats.straddle(name, money)
        elif what in ("ante", "missing small blind"):
            draft.seats.post(name, 0, money)
        elif what in ("small blind", "big blind", "missed big blind"):
            draft.seats.post(name, money - draft.seats.live.get(name, 0), big=what != "small blind")
        else:
            raise ValueError(f"expected a blind, a straddle or an ante, got {what[:40]!r}")


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
