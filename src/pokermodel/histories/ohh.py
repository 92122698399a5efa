"""Read and write hold'em in the Open Hand History format (OHH), version 1.4.7, which trackers import.

An ``.ohh`` file is a sequence of JSON objects with one hand each, and a blank line between them
(https://hh-specs.handhistory.org). An amount is the chips that an action puts in, not the total of a bet. There is no
action for the return of an uncalled bet, which is in no pot. Betting rounds that are dealt twice appear twice. The
format has no field for the big bet of limit, which is assumed to be twice the big blind.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields as spec_fields
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from functools import partial
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from pokermodel._support.forms import makes
from pokermodel._support.patterns import regex
from pokermodel.cards import card_text
from pokermodel.errors import HistoryError
from pokermodel.game import BOARD_CARDS, POSITIONS, Act, BettingStructure, Decision, GameSpec, Hand, State, positions
from pokermodel.game.pots import pots, uncalled
from pokermodel.game.winnings import showdown_ranks
from pokermodel.histories._exact import JSON, Money, decimal_text, exact_amount
from pokermodel.histories._lines import Line, text_lines
from pokermodel.histories._sniff import STRING, begins_ohh
from pokermodel.histories._words import LineError, cards
from pokermodel.histories._writing import ErrorSink, texts
from pokermodel.histories.blocks import MOST_WITHOUT
from pokermodel.histories.draft import Draft
from pokermodel.histories.files import Sink
from pokermodel.histories.index import ReaderMark
from pokermodel.histories.replay import hand_of

__all__ = ["dumps", "dumps_all", "hands", "loads", "write"]

_VERSION = "1.4.7"
_BRACES = regex(r"[{}]")
_MOST_TEXT = 1 << 24  # characters of a hand
_STREETS = ("Preflop", "Flop", "Turn", "River")
_SHOWDOWN = "Showdown"
_BET_TYPES = {"NL": BettingStructure.NO_LIMIT, "PL": BettingStructure.POT_LIMIT, "FL": BettingStructure.LIMIT}
_ACTS = {"Fold": Act.FOLD, "Check": Act.CALL, "Call": Act.CALL, "Bet": Act.RAISE, "Raise": Act.RAISE}
#: Actions that tell nothing of the hand itself, or again what the pots say.
_BESIDE = {"Added Chips", "Sits Down", "Stands Up", "Payout"}
_TO_POT = "Add to Pot", "Added To Pot"
_OTHERS = {"Dealt Cards", "Shows Cards", "Mucks Cards", "Post Ante", "Post Dead", "Post SB", "Post BB", *_TO_POT}
_KNOWN = {*_ACTS, *_OTHERS, "Straddle", "Post Extra Blind"}
_OWN = "_pokermodel"  # our own entry, for what no field of the format has
_RUN_TWICE, _OBSERVED = "Run_It_Twice", "Observed"
_CENT = Fraction(1, 100)


def hands(
    path: Path, file: BufferedReader, skipped: Sink | None = None, mark: ReaderMark | None = None
) -> Iterator[Hand]:
    """Read the hands of a file. Each hand is replayed, and its amounts and winnings are compared.

    Parameters
    ----------
    path : Path
        Path for error messages.
    file : io.BufferedReader
        The file, which is read on demand.
    skipped : Sink, optional
        Receives the errors of hands that cannot be read; None raises them.
    mark : ReaderMark, optional
        Says where the file goes on.

    Yields
    ------
    Hand
        ``source`` is the name of the site in lower case, and ``stated_payoffs`` are after the rake.

    Raises
    ------
    HistoryError
        If a hand is damaged, breaks the rules, contradicts its own amounts, or is not hold'em; or there is no hand.
    """
    mark = ReaderMark() if mark is None else mark
    found = bool(mark.start)
    last = mark.start[1] if mark.start else 0

    def leave_out(what: str, line: int | None = None, hand: str | None = None) -> None:
        error = HistoryError(what, str(path), line, hand)
        if skipped is None:
            raise error
        skipped.append(error)

    for block in _blocks(text_lines(file, mark.start)):
        found = True
        for given in _read(block):
            if isinstance(given, Hand):
                last = block.line
                mark.at = block.at
                yield given
            else:
                leave_out(given.reason, given.line, given.hand)
        if block.cut or block.line - last >= MOST_WITHOUT:
            what = (
                f"{_MOST_TEXT:,} characters without the end of a hand"
                if block.cut
                else f"{MOST_WITHOUT:,} lines without a hand"
            )
            leave_out(f"{what} : the rest of the file is not read")
            return
    if not found:
        leave_out('no hand found: expected {"ohh": {...}}')


def loads(text: str) -> Hand:
    """Read one hand.

    Parameters
    ----------
    text : str
        A JSON object.

    Raises
    ------
    HistoryError
        As `hands` does, or if there are several.
    """
    found = list(hands(Path("<text>"), BufferedReader(BytesIO(text.encode()))))
    if len(found) != 1:
        raise HistoryError(f"expected one hand, got {len(found)}", "<text>")
    return found[0]


# -------------------------------------------------------------------------------------------------------- reading


class _Block(NamedTuple):
    """Lines from where an object begins to where it ends."""

    line: int
    at: tuple[int, ...]
    text: str
    cut: bool = False  # too long


def _blocks(lines: Iterable[Line]) -> Iterator[_Block]:
    """Divide a text into objects, and lines that are none. An object that is cut short ends where another begins."""
    block: list[str] = []
    first, depth, size, blank = Line(0, ""), 0, 0, True
    for line in lines:
        text = line.text
        if block and ((blank and text.strip() == "{") or begins_ohh(text)):
            yield _Block(first.number, first.at, "\n".join(block))
            block = []
        blank = not text.strip()
        if not block:
            if blank:
                continue
            first, depth, size = line, 0, 0
        block.append(text)
        size += len(text)
        depth += sum(1 if brace == "{" else -1 for brace in _BRACES.findall(STRING.sub("", text)))
        if depth <= 0 or size > _MOST_TEXT:
            yield _Block(first.number, first.at, "\n".join(block), depth > 0)
            block = []
            if depth > 0:
                return
    if block:
        yield _Block(first.number, first.at, "\n".join(block))


def _read(block: _Block) -> Iterator[Hand | HistoryError]:
    """Yield the hands of a block, of which there is one nearly always, or what is wrong with them."""
    if block.cut:
        return
    place, text = 0, block.text.strip("\ufeff\0 \t\r\n")
    while place < len(text):
        start = place
        try:
            content, place = JSON.raw_decode(text, start)
        except json.JSONDecodeError as error:
            yield HistoryError(f"not JSON, as OHH must be: {error.msg}", None, block.line + error.lineno - 1)
            return
        except (ValueError, RecursionError) as error:  # a number too long for Python, or lists too deep
            what = "lists are nested too deeply" if isinstance(error, RecursionError) else str(error)
            yield HistoryError(what, None, block.line)
            return
        line = block.line + text.count("\n", 0, start)
        try:
            yield _hand(content)
        except ValueError as error:
            yield HistoryError(str(error), None, line, _number(content))
        while place < len(text) and text[place].isspace():
            place += 1


def _number(content: Any) -> str | None:
    """Return the number of a hand; None if there is none."""
    number = content["ohh"].get("game_number") if _is_hand(content) else None
    return str(number) if isinstance(number, str | int) else None


def _is_hand(content: object) -> bool:
    return isinstance(content, dict) and isinstance(content.get("ohh"), dict)


class _Fields:
    """An object of the JSON; what is missing or of the wrong kind raises a `ValueError` that says where."""

    def __init__(self, content: object, where: str) -> None:
        if not isinstance(content, dict):
            raise ValueError(f"{where} must be an object, got {_short(content)}")
        self._content = content
        self.where = where

    def _wrong(self, key: str, expected: str) -> ValueError:
        said = _short(self._content[key]) if key in self._content else "nothing"
        return ValueError(f"{self.where}: {key} must be {expected}, got {said}")

    def get(self, key: str) -> object:
        return self._content.get(key)

    def text(self, key: str) -> str:
        if not isinstance(value := self.get(key), str):
            raise self._wrong(key, "text")
        return value

    def whole(self, key: str) -> int:
        if type(value := self.get(key)) is not int:
            raise self._wrong(key, "a whole number")
        return value

    def player(self, names: dict[int, str], where: str = "") -> str:
        """Return the name of the player whose id stands here."""
        number = self.whole("player_id")
        if number not in names:
            raise ValueError(f"{where}there is no player with the id {number}")
        return names[number]

    def money(self, key: str, default: Money | None = None) -> Fraction:
        """Return an amount, 0 or more; where there is none, the default."""
        value = self._content.get(key)
        if value is None and default is not None:
            return Fraction(default)
        try:
            amount = exact_amount(value)
        except ValueError:
            amount = None
        if amount is None or amount < 0:
            raise self._wrong(key, "an amount, 0 or more")
        return Fraction(amount)

    def objects(self, key: str) -> list[_Fields]:
        if not isinstance(values := self.get(key), list):
            raise self._wrong(key, "a list")
        return [_Fields(value, f"{key}[{place}]") for place, value in enumerate(values)]

    def cards(self, key: str) -> tuple[int, ...]:
        """Return cards; none where the field is empty, null or not there."""
        value = self._content.get(key) or []
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, list) or not all(isinstance(card, str) for card in value):
            raise self._wrong(key, "a list of cards, as in ['As', 'Td']")
        try:
            return cards(" ".join(value))
        except ValueError as error:
            raise ValueError(f"{self.where}: {error}") from None


def _short(value: object) -> str:
    text = str(value) if isinstance(value, Decimal) else repr(value)
    return text if len(text) <= 40 else f"{text[:40]}..."


def _hand(content: object) -> Hand:
    """Build a hand from the JSON; raises `ValueError`."""
    if not _is_hand(content):
        raise ValueError(f'expected {{"ohh": {{...}}}}, got {_short(content)}')
    assert isinstance(content, dict)
    fields = _Fields(content["ohh"], "ohh")
    if (game := fields.text("game_type")) != "Holdem":
        raise ValueError(f"only hold'em is supported, got game_type {game[:40]!r}")
    own = _Own(fields.get(_OWN))
    owner = fields.get("hero_player_id")
    draft = Draft(0, [], one=1)
    places: list[str] = []  # of the actions: the draft knows them as lines
    draft.source, draft.id = _source(fields.text("site_name")), _number(content) or ""
    draft.currency = fields.text("currency") if fields.get("currency") is not None else ""
    draft.winnings.coin = _CENT if draft.currency else Fraction(1)
    draft.time, draft.table = _time(fields), _table(fields)
    draft.folds_early = True
    draft.winnings.uncalled_collected = None
    draft.seats.button = fields.whole("dealer_seat")
    names = _seat(draft, fields)
    draft.seats.hero = names.get(owner) if type(owner) is int else None
    rounds = sorted(fields.objects("rounds"), key=lambda each: each.whole("id"))
    _play(draft, fields, rounds)
    if own.spec is not None:
        draft.rules = own.spec, own.unit
        own.check(fields)
    streets = dict.fromkeys((*_STREETS, _SHOWDOWN), 0)
    again: list[tuple[int, ...]] = [(), ()]  # what was dealt a second and a third time
    draft.deal_holes()
    for each in rounds:
        street = each.text("street")
        if street not in streets:
            raise ValueError(f"{each.where}: street must be one of {', '.join(streets)}, got {street[:20]!r}")
        streets[street] += 1
        if streets[street] > 3 or (street not in _STREETS[1:] and streets[street] > 2):
            raise ValueError(f"{each.where}: only boards that are run up to three times are supported")
        new = each.cards("cards")
        if street in _STREETS[1:] and streets[street] > 1:
            again[streets[street] - 2] += new
        elif street in _STREETS[1:]:
            draft.deal_board(new)
        for action in each.objects("actions"):
            draft.line = len(places)
            places.append(f"{street}, action {action.get('action_number')}")
            try:
                if street != _SHOWDOWN or action.text("action") in _KNOWN:
                    _act(draft, action, names)
            except ValueError as error:
                raise ValueError(f"{places[-1]}: {error}") from None
    for run, board in enumerate(again, 2):
        if board:
            draft.deal_run(run, board)
    _collect(draft, fields, names)
    try:
        hand = hand_of(draft)
    except LineError as error:
        raise ValueError(f"{places[error.line]}: {error}") from None
    return own.applied(hand)


def _source(site: str) -> str:
    return "".join(site.split()).lower() or "ohh"


def _table(fields: _Fields) -> str | None:
    """Name of the table; trackers want one, and what has none is written with that of the site."""
    name = fields.get("table_name")
    return name if isinstance(name, str) and name != fields.text("site_name") else None


def _time(fields: _Fields) -> datetime | None:
    if fields.get("start_date_utc") in (None, ""):
        return None
    text = fields.text("start_date_utc")
    try:
        time = datetime.fromisoformat(text)
        return time if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f"start_date_utc must be a time, as 2020-04-07T14:32:50Z, got {text[:40]!r}") from None


def _seat(draft: Draft, fields: _Fields) -> dict[int, str]:
    """Report the seats; return the names of the players by their ids."""
    names: dict[int, str] = {}
    for player in fields.objects("players"):
        number, name = player.whole("id"), player.text("name")
        if number in names:
            raise ValueError(f"{player.where}: another player has the id {number}")
        names[number] = name
        stack = None if player.get("starting_stack") is None else player.money("starting_stack")
        draft.seats.sit(player.whole("seat"), name, stack)
    return names


def _play(draft: Draft, fields: _Fields, rounds: Sequence[_Fields]) -> None:
    """Report the game."""
    limit = _Fields(fields.get("bet_limit"), "bet_limit")
    kind = limit.text("bet_type")
    if kind not in _BET_TYPES:
        raise ValueError(f"bet_limit: bet_type must be one of {', '.join(_BET_TYPES)}, got {kind[:20]!r}")
    draft.cap = limit.money("bet_cap", 0) or None
    small, big = fields.money("small_blind_amount"), fields.money("big_blind_amount")
    if _BET_TYPES[kind].fixed:
        # some writers have the bets there, as sites have them in their titles
        posts = [action for each in rounds for action in each.objects("actions") if action.get("action") == "Post BB"]
        posted = max((post.money("amount") for post in posts if post.get("is_allin") is not True), default=big)
        small, big = posted, 2 * posted
    if not big:
        raise ValueError("ohh: big_blind_amount must be more than 0")
    draft.play(str(_BET_TYPES[kind]), small, big)


def _act(draft: Draft, action: _Fields, names: dict[int, str]) -> None:
    """Report an action."""
    what = action.text("action")
    if what in _BESIDE:
        return
    if what not in _KNOWN:
        raise ValueError(f"unknown action {what[:20]!r}: expected one of {', '.join(sorted(_KNOWN | _BESIDE))}")
    money = action.money("amount", 0)
    if what in _TO_POT:
        draft.winnings.added += money
        return
    name = action.player(names)
    holding = action.cards("cards") or None
    if what in _ACTS:
        draft.act(name, _ACTS[what], money)
    elif what == "Dealt Cards":
        draft.seats.deal(name, holding or ())
    elif what == "Shows Cards":
        draft.seats.show(name, holding or ())
    elif what == "Mucks Cards":
        draft.seats.deal(name, holding or ())
        draft.seats.muck(name)
    elif what in ("Post Ante", "Post Dead"):
        draft.seats.post(name, Fraction(), money)
    elif what == "Straddle":
        draft.seats.straddle(name, draft.seats.live.get(name, 0) + money)
    elif what == "Post Extra Blind":  # of a newcomer: what is more than a big blind is dead
        live = min(money, draft.least_bet)
        draft.seats.post(name, live, money - live, big=live == draft.least_bet)
    else:
        draft.seats.post(name, money, big=what == "Post BB")


def _collect(draft: Draft, fields: _Fields, names: dict[int, str]) -> None:
    """Report the pots and who won them."""
    pots = fields.objects("pots")
    draft.winnings.pot = sum((pot.money("amount") for pot in pots), Fraction())
    if any(pot.get("rake") is not None for pot in pots):
        draft.winnings.rake = sum((pot.money("rake", 0) + pot.money("jackpot", 0) for pot in pots), Fraction())
    for pot in pots:
        for win in pot.objects("player_wins"):
            draft.winnings.collect(win.player(names, f"{pot.where}: "), win.money("win_amount"))


def _is_list(value: object, *kinds: type) -> bool:
    return isinstance(value, list) and all(type(each) in kinds for each in value)


#: Attributes of a hand that our own entry may state, and what they can be.
_REPLACED: dict[str, Callable[[object], bool]] = {
    "source": lambda value: isinstance(value, str),
    "stated_payoffs": lambda value: value is None or _is_list(value, int, float),
    "mucked": lambda value: _is_list(value, int),
    "hero": lambda value: value is None,
}


class _Own:
    """Our own entry: what a hand has that no field of the format has.

    Attributes
    ----------
    spec : GameSpec or None
        The game, if it is not the usual one; the seats are then in the order of their numbers.
    """

    def __init__(self, content: object) -> None:
        self.spec: GameSpec | None = None
        self.unit = Fraction(1)
        self._replaced: dict[str, Any] = {}
        if content is None:
            return
        fields = _Fields(content, _OWN)
        try:
            for name, fits in _REPLACED.items():
                if isinstance(content, dict) and name in content:
                    value = self._replaced[name] = _plain(content[name])
                    if not fits(value):
                        raise ValueError(f"{name} cannot be {_short(value)}")
            self.unit = Fraction(fields.text("unit"))
            self.spec = GameSpec(**_plain(fields.get("spec")))
        except (TypeError, ValueError, ZeroDivisionError) as error:
            raise ValueError(f"{_OWN}: {error}") from None
        if self.unit <= 0:
            raise ValueError(f"{_OWN}: unit must be more than 0, got {self.unit}")

    def check(self, fields: _Fields) -> None:
        """Raise `ValueError` unless all amounts are whole chips."""
        each = [player.money("starting_stack", 0) for player in fields.objects("players")]
        for part in fields.objects("rounds"):
            each += [action.money("amount", 0) for action in part.objects("actions")]
        if any((amount / self.unit).denominator != 1 for amount in each):
            raise ValueError(f"{_OWN}: unit must make all amounts whole, got {self.unit}")

    def applied(self, hand: Hand) -> Hand:
        """Return the hand with the fields of this object, and without stacks if none is known."""
        unknown = {"stacks": None} if set(hand.stacks or ()) == {None} else {}
        changes = {**self._replaced, **unknown}
        return _replace(hand, **changes) if changes else hand


def _plain(value: Any) -> Any:
    """What the JSON has, with numbers as Python's own."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return float(value) if isinstance(value, Decimal) else value


def _replace(hand: Hand, **changes: Any) -> Hand:
    """Return a hand that differs in what is named."""
    kind, content = hand.__reduce__()
    names = ("source", "id", "spec", "players", "actions", "board", "holdings", "stacks", "stated_payoffs", "mucked")
    more = ("unit", "currency", "time", "second_board", "added", "hero", "table", "third_board")
    again = kind(**{**dict(zip((*names, *more), content, strict=True)), **changes})
    again._played(hand._final())
    return again


# -------------------------------------------------------------------------------------------------------- writing


@makes("ohh", Hand)
def dumps(hand: Hand, *, hero: str | None = None, stack: Money | None = None) -> str:
    """Write a hand as a JSON object, on one line.

    Reading the text returns an equal hand. What no field of the format says is kept in an entry ``_pokermodel``, which
    other programs pass over: a game that is not the usual one, such as one with another cap or another rule for short
    all-ins, and winnings of fractions of a cent.

    Parameters
    ----------
    hero : str, optional
        Whose history it is, for trackers. Default: the hand's hero or, where it has none, the one player whose cards
        are known although they did not show them. A hand without a hero is marked as observed.
    stack : int or Fraction, optional
        What players begin with whose stacks are not known, in the money of the hand. Trackers want a number; without,
        the text has ``null`` there.

    Raises
    ------
    ValueError
        If the hand breaks the rules or is not finished, an amount is no finite decimal, or somebody puts in
        `stack` or more; or if the winnings are not those of the pot.
    """
    return _Writer(hand, hero, stack).text()


def dumps_all(hands: Iterable[Hand]) -> str:
    """Write hands as the text of an ``.ohh`` file; errors are those of `write`."""
    return "".join(write(hands))


def write(
    hands: Iterable[Hand], skipped: ErrorSink | None = None, *, hero: str | None = None, stack: Money | None = None
) -> Iterator[str]:
    """Write hands as pieces of the text of an ``.ohh`` file, one for each hand.

    Parameters
    ----------
    skipped : ErrorSink, optional
        Receives the errors of hands that the format cannot express, which are left out; None raises them.
    stack : int or Fraction, optional
        As for `dumps`.

    Raises
    ------
    ValueError
        As `dumps` does, without `skipped`.
    """
    for number, each in enumerate(texts(hands, partial(dumps, hero=hero, stack=stack), skipped)):
        gap = "\n" if number else ""
        yield f"{gap}{each}\n"


class _Writer:
    """Writes a hand."""

    def __init__(self, hand: Hand, hero: str | None, stack: Money | None) -> None:
        self._hand = hand
        self._hero = hero
        self._stack = stack
        self._unit = Fraction(hand.unit)

    def text(self) -> str:
        hand = self._hand
        try:
            hand = self._hand = self._with_hero(self._with_stacks())
            content = self._content()
            text = _json({"ohh": content})
            if self._may_be_usual() and self._reads(text):
                return text
            content[_OWN] = self._own()
            text = _json({"ohh": content})
            if not self._reads(text):
                raise ValueError("it reads as another hand")
        except ValueError as error:
            reason = str(error).removeprefix(f"hand {hand.id}: ")
            raise ValueError(f"hand {hand.id}: Open Hand History cannot express it: {reason}") from None
        return text

    def _with_stacks(self) -> Hand:
        """Return the hand with the stack that was given where none is known, and without stacks if there are none."""
        hand = self._hand
        stacks = hand.stacks or (None,) * len(hand.players)
        if self._stack is None or None not in stacks:
            return _replace(hand, stacks=None) if hand.stacks and set(stacks) == {None} else hand
        chips = Fraction(self._stack) / self._unit
        if chips.denominator != 1 or chips <= max(hand._final().committed):
            raise ValueError(f"a stack of {float(self._stack):.12g}: expected whole chips, more than anybody puts in")
        return _replace(hand, stacks=[int(chips) if each is None else each for each in stacks])

    def _with_hero(self, hand: Hand) -> Hand:
        """Return the hand with the hero who is asked for."""
        if self._hero is None or self._hero == hand.hero:
            return hand
        return _replace(hand, hero=self._hero if self._hero in hand.players else None)

    def _may_be_usual(self) -> bool:
        """Whether our own entry may not be needed. It is needed wherever this is False."""
        hand, spec = self._hand, self._hand.spec
        usual = GameSpec(spec.blinds, spec.bets, spec.first, structure=spec.structure)
        rules = ("odd_chips", "cap_heads_up", "reopening", "min_raise", "stacks", "short_ante")
        return hand.stated_payoffs is not None and all(getattr(spec, name) == getattr(usual, name) for name in rules)

    def _reads(self, text: str) -> bool:
        """Whether a text reads as this hand; of one that our own entry does not complete, an error is no either."""
        content = JSON.decode(text)
        try:
            return _hand(content) == self._hand
        except ValueError:
            if _OWN in content["ohh"]:
                raise
            return False

    def _own(self) -> dict[str, object]:
        """Return our own entry."""
        hand, spec = self._hand, self._hand.spec
        usual = GameSpec(spec.blinds, spec.bets, spec.first, structure=spec.structure)
        game = {field.name: getattr(spec, field.name) for field in spec_fields(GameSpec)}
        for name in ("site", "stake"):  # which follow from the hand
            del game[name]
        needed = ("blinds", "bets", "first", "structure")
        own: dict[str, object] = {
            "unit": str(self._unit),
            "spec": {name: value for name, value in game.items() if name in needed or value != getattr(usual, name)},
            "stated_payoffs": hand.stated_payoffs,
            "mucked": sorted(hand.mucked),
        }
        if _source(hand.source) != hand.source:
            own["source"] = hand.source
        if hand.hero is None:  # who is written is only for trackers
            own["hero"] = None
        return own

    def _money(self, chips: Money) -> Fraction:
        return Fraction(chips) * self._unit

    def _content(self) -> dict[str, object]:
        hand, spec = self._hand, self._hand.spec
        end = hand._final()
        if not end.over:
            raise ValueError(f"the hand is not over: it is the turn of {hand.players[end.seat]}")
        n = spec.players
        stacks = hand.stacks or (None,) * n
        antes = spec.antes or (0,) * n
        small = min((blind for blind in spec.blinds if 0 < blind < spec.bets[0]), default=Fraction(spec.bets[0], 2))
        hero = self._hero_seat(end)
        flags = [_RUN_TWICE] * bool(hand.second_board) + [_OBSERVED] * (hero is None)
        kinds = {structure: name for name, structure in _BET_TYPES.items()}
        rounds = [*self._betting(), *self._other_runs(), *self._showdown(end)]
        return {
            "spec_version": _VERSION,
            "internal_version": _VERSION,
            "site_name": hand.source,
            "network_name": hand.source,
            "tournament": False,
            "game_number": hand.id,
            "start_date_utc": None if hand.time is None else hand.time.isoformat().replace("+00:00", "Z"),
            "table_name": hand.source if hand.table is None else hand.table,
            "game_type": "Holdem",
            "bet_limit": {"bet_type": kinds[spec.structure], "bet_cap": 0},
            "table_size": n,
            "currency": hand.currency,
            "dealer_seat": (spec.first[1] - 1) % n + 1,
            "small_blind_amount": self._money(small),
            "big_blind_amount": self._money(spec.bets[0]),
            "ante_amount": self._money(min(antes)),
            "hero_player_id": hero,
            "flags": flags,
            "players": [
                {
                    "id": seat,
                    "seat": seat + 1,
                    "name": name,
                    "starting_stack": None if stack is None else self._money(stack),
                }
                for seat, (name, stack) in enumerate(zip(hand.players, stacks, strict=True))
            ],
            "rounds": [{"id": number, **each} for number, each in enumerate(rounds)],
            "pots": self._pots(end),
        }

    def _hero_seat(self, end: State) -> int | None:
        hand = self._hand
        if self._hero is not None or hand.hero is not None:
            return None if hand.hero is None else hand.players.index(hand.hero)
        hidden = [
            seat for seat in hand.holdings if not (end.showdown and seat in end.active and seat not in hand.mucked)
        ]
        return hidden[0] if len(hidden) == 1 else None

    def _action(
        self, seat: int, what: str, chips: int = 0, all_in: bool = False, known: bool = False
    ) -> dict[str, object]:
        """Return an action, with the cards of the seat if they are known and are to be said."""
        action: dict[str, object] = {
            "player_id": seat,
            "action": what,
            "amount": self._money(chips),
            "is_allin": all_in,
        }
        if known and seat in self._hand.holdings:
            action["cards"] = [card_text(card) for card in self._hand.holdings[seat]]
        return action

    def _betting(self) -> list[dict[str, object]]:
        """Return the rounds up to the end of the board."""
        hand = self._hand
        actions: list[list[dict[str, object]]] = [self._posts()]
        decisions = list(hand.replay())
        posted = {action["player_id"] for action in actions[0]}
        for seat in range(hand.spec.players):
            silent = seat not in posted and all(decision.seat != seat for decision in decisions)
            if silent or seat in hand.holdings:
                actions[0].append(self._action(seat, "Dealt Cards", known=True))
        if hand.added:
            actions[0].append(
                {"action": "Added To Pot", "amount": self._money(Fraction(hand.added)), "is_allin": False}
            )
        actions += [[] for _ in range(BOARD_CARDS.index(len(hand.board)))]
        for decision in decisions:
            actions[decision.round].append(self._done(decision))
        board = [card_text(card) for card in hand.board]
        return [
            _round(_STREETS[street], board[BOARD_CARDS[street - 1] : BOARD_CARDS[street]] if street else [], done)
            for street, done in enumerate(actions)
        ]

    def _posts(self) -> list[dict[str, object]]:
        """Return antes, dead blinds, blinds and straddles."""
        hand, spec = self._hand, self._hand.spec
        n = spec.players
        start = State(spec, hand.stacks)
        put = start.committed
        antes = spec.antes or (0,) * n
        stacks = hand.stacks or (None,) * n
        ante = min(antes)
        posts = []
        dead = [chips if stack is None else min(chips, stack) for chips, stack in zip(antes, stacks, strict=True)]
        for seat, chips in enumerate(dead):
            all_in = chips == stacks[seat]
            for what, part in ("Post Ante", min(chips, ante)), ("Post Dead", chips - min(chips, ante)):
                if part:
                    posts.append(self._action(seat, what, part, all_in))
        where = [POSITIONS[position] for position in positions(spec)]
        kinds = {"small blind": "Post SB", "big blind": "Post BB"}
        order = sorted(range(n), key=lambda seat: (POSITIONS.index(where[seat]) > 1, (seat - spec.first[1]) % n))
        if n == 2:
            order.sort(key=lambda seat: where[seat] == "big blind")
        for seat in order:
            if live := put[seat] - dead[seat]:
                other = "Straddle" if spec.blinds[seat] > spec.bets[0] else "Post Extra Blind"
                posts.append(self._action(seat, kinds.get(where[seat], other), live, put[seat] == stacks[seat]))
        return posts

    def _done(self, decision: Decision) -> dict[str, object]:
        name = "raise" if decision.name == "bet" and not decision.round else decision.name
        all_in = (
            decision.stacks[decision.seat] == decision.put_in and not decision.out_of_turn and decision.act != Act.FOLD
        )
        return self._action(decision.seat, name.capitalize(), decision.put_in, all_in)

    def _other_runs(self) -> Iterator[dict[str, object]]:
        """Yield the rounds that are dealt a second and a third time."""
        hand = self._hand
        for board in (hand.second_board, hand.third_board):
            shared = next((k for k, (one, two) in enumerate(zip(hand.board, board, strict=False)) if one != two), 5)
            for street in range(1, len(_STREETS)):
                new = board[max(shared, BOARD_CARDS[street - 1]) : BOARD_CARDS[street]]
                if new:
                    yield _round(_STREETS[street], [card_text(card) for card in new], [])

    def _showdown(self, end: State) -> Iterator[dict[str, object]]:
        hand = self._hand
        if not end.showdown:
            return
        actions = []
        for seat in end.active:
            if seat in hand.mucked or seat in hand.holdings:
                actions.append(self._action(seat, "Mucks Cards" if seat in hand.mucked else "Shows Cards", known=True))
        yield _round(_SHOWDOWN, [], actions)

    def _pots(self, end: State) -> list[dict[str, object]]:
        """Return the pots: main pot, side pots, and who wins how much of each, after the rake."""
        divided = _divided(self._hand, end)
        wins = self._wins(end)
        paid = [dict.fromkeys(winners, Fraction()) for _, winners in divided]
        grid = self._grid()
        for (amount, winners), shares in zip(divided, paid, strict=True):
            for seat, share in winners.items():
                shares[seat] = self._money(amount * share) // grid * grid
        for seat in range(self._hand.spec.players):
            won = wins.get(seat, Fraction())
            mine = [shares for shares in paid if seat in shares]
            if mine:
                mine[0][seat] += won - sum(shares[seat] for shares in mine)
            elif won:  # the source pays by another rule
                paid[0][seat] = won
        amounts = [self._money(amount) for amount, _ in divided]
        rakes = [amount - sum(shares.values()) for amount, shares in zip(amounts, paid, strict=True)]
        rakes[0] += self._money(Fraction(self._hand.added))
        if any(rake < 0 for rake in rakes) or any(share < 0 for shares in paid for share in shares.values()):
            amounts, paid, rakes = [sum(amounts, Fraction())], [wins], [sum(rakes, Fraction())]
        if rakes[0] < 0:
            raise ValueError(f"players win {float(-rakes[0]):.12g} more than is in the pot")
        return [
            {
                "number": number,
                "amount": amount,
                "rake": rake,
                "player_wins": [{"player_id": seat, "win_amount": share} for seat, share in shares.items()],
            }
            for number, (amount, rake, shares) in enumerate(zip(amounts, rakes, paid, strict=True))
        ]

    def _grid(self) -> Fraction:
        """Return the smallest part of the money that is paid: a cent, or a chip if it is less."""
        digits = decimal_text(self._unit).partition(".")[2]
        return min(_CENT, Fraction(1, 10 ** len(digits)))

    def _wins(self, end: State) -> dict[int, Fraction]:
        """Return what each winner gets, in money: by the source, or else by the rules."""
        hand = self._hand
        stated = self._shares(hand.stated_payoffs, end) if hand.stated_payoffs is not None else None
        wins = self._shares(hand.payoffs, end) if stated is None else stated
        if wins is None:
            raise ValueError("the payoffs are not those of the pot")
        return wins

    def _shares(self, payoffs: Sequence[float], end: State) -> dict[int, Fraction] | None:
        """Return what each winner gets, given the payoffs; None if somebody would get less than nothing."""
        grid = self._grid()
        exact = {
            seat: self._money(Fraction(payoff).limit_denominator(10**6) + chips - extra)
            for seat, (payoff, chips, extra) in enumerate(zip(payoffs, end.committed, uncalled(end), strict=True))
        }
        if min(exact.values()) <= -grid:
            return None
        winners = [seat for seat in exact if exact[seat] >= grid / 2]
        if not winners:  # nobody had anything to win
            return {end.active[0]: Fraction()}
        wins = {seat: exact[seat] // grid * grid for seat in winners}
        each, odd = divmod(round((sum(exact.values()) - sum(wins.values())) / grid), len(winners))
        for place, seat in enumerate(sorted(winners, key=lambda seat: (wins[seat] - exact[seat], seat))):
            wins[seat] += (each + (place < odd)) * grid  # what is over goes to those who lack most
        return wins


def _divided(hand: Hand, end: State) -> list[tuple[int, dict[int, Fraction]]]:
    """Return the pots without an uncalled bet: their chips, and the shares of those who win them."""
    boards = [hand.board, *filter(None, (hand.second_board, hand.third_board))]
    ranks = [[0] * hand.spec.players]
    if end.showdown:
        ranks = [showdown_ranks(end, board, hand.holdings, hand.mucked) for board in boards]
    divided: list[tuple[int, dict[int, Fraction]]] = []
    for chips, seats in pots(end):
        shares: dict[int, Fraction] = {}
        for each in ranks:
            best = max(each[seat] for seat in seats)
            winners = [seat for seat in seats if each[seat] == best]
            for seat in winners:
                shares[seat] = shares.get(seat, Fraction()) + Fraction(1, len(winners) * len(ranks))
        divided.append((int(chips), shares))
    chips, shares = divided.pop()
    divided.append((int(chips) - sum(uncalled(end)), shares))
    return [pot for pot in divided if pot[0]] or divided[:1]


def _round(street: str, board: list[str], actions: list[dict[str, object]]) -> dict[str, object]:
    numbered = [{"action_number": number, **action} for number, action in enumerate(actions, 1)]
    return {"street": street, "cards": board, "actions": numbered}


def _json(value: object) -> str:
    """Return a value as JSON in ASCII; fractions are exact decimals."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(key)}: {_json(each)}' for key, each in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_json, value))}]"
    return decimal_text(value) if isinstance(value, Fraction) else json.dumps(value, allow_nan=False)
