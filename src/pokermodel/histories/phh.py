"""Read and write hold'em of fixed limit and no limit in the Poker Hand History file format (PHH).

A ``.phh`` file is a TOML document with one hand, a ``.phhs`` file has a table for each of several hands. The format
leaves the rules to its reference implementation, PokerKit, and so does this module. Antes are dead money. With two
players, the lists of blinds and antes name the second player first. Negative blinds are posted by newcomers and do not
change the first player to act. The call of a short blind is the amount that the blind has. A raise reopens the betting
if it is as large as the largest before it. In fixed limit four raises over the big blind are allowed; a hand with the
usual three or fewer gets a cap of three. Pot limit, for which the format has no variant, is written as no limit.

Documents of nothing but plain fields are known to ``phh.h``, too, which reads, plays and pays a hand many
times as fast. What that refuses is read here, or is wrong; ``tests/histories/test_phh_hands.py`` compares the two.
"""

from __future__ import annotations

import codecs
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from io import BufferedReader, BytesIO
from math import lcm
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from pokermodel._core.phh_hands import rebuild
from pokermodel._support.forms import makes
from pokermodel._support.patterns import regex
from pokermodel._support.toml import MOST_BYTES, TomlError, read_toml
from pokermodel.cards import card_indices, cards_text
from pokermodel.errors import HistoryError
from pokermodel.game import Act, Action, BettingStructure, GameSpec, Hand, State
from pokermodel.game.rounds import BOARD_CARDS
from pokermodel.histories._exact import DIGITS, JSON, Money, decimal_text, exact_amount, exact_number
from pokermodel.histories._sniff import VARIANT
from pokermodel.histories._writing import ErrorSink, texts
from pokermodel.histories.files import Sink
from pokermodel.histories.index import ReaderMark

__all__ = [
    "append",
    "count_tables",
    "dumps",
    "dumps_all",
    "hands",
    "loads",
    "pokerkit_game",
    "write",
]

_SECTION = regex(rb"[ \t]*\[[ \t]*(?![\[_])(?P<name>[^\[\]\n]+?)[ \t]*\][ \t]*(?:#.*)?\r?(?=\n|$)")
_A_SECTION = regex(rb"^" + _SECTION.pattern, re.MULTILINE)
_UNKNOWN = "??"
_CAPS = (3, 4, 4, 4)
_MOST_RAISES = 4  # as in PokerKit, in every round
_MOST_PLAYERS = 23
_ONE = Fraction(1)
_DATE = ("year", "month", "day")
_MIDNIGHT = time()
_ACTIONS = [[Action(seat, act) for act in Act] for seat in range(_MOST_PLAYERS)]
#: Names of the entries of our own table, for what no field of the format has.
_OWN = "_pokermodel"
_HOUSE = (
    *("max_raises", "odd_chips", "cap_heads_up", "full_blind", "reopening", "structure", "min_raise", "short_ante"),
    "stacks",
)
_USUAL_HOUSE = _HOUSE[:5]
_SEATS = {f"p{number}": number - 1 for number in range(1, 100)} | {f"p0{number}": number - 1 for number in range(1, 10)}
VARIANTS = {"FT": BettingStructure.LIMIT, "NT": BettingStructure.NO_LIMIT}
_RAISE = regex(r"\s*p[0-9]+\s+cbr\s+(?P<amount>\S+)")


# a line of TOML whose value is one in JSON, too, but for the quotes and a comma after the last entry of a list, which
# may go over several lines; or a line without a value
_TEXT = r"""'[^'\\\x00-\x1f\x7f]*'|"[^"\\\x00-\x1f\x7f]*\""""
_PLAIN = regex(
    r"""[ \t]*(?:(?P<key>[A-Za-z_][A-Za-z_0-9-]*)[ \t]*=[ \t]*"""
    rf"""(?P<value>[0-9]{{1,15}}|true|false|{_TEXT}"""
    rf"""|\[(?:[^\[\]{{}}#'"\\\x00-\x08\x0b-\x1f\x7f]++|{_TEXT}|\r\n)*+\])"""
    r"""[ \t]*)?(?:#[^\x00-\x08\x0a-\x1f\x7f]*)?(?:\r?\n|\Z)"""
)
_LAST_COMMA = regex(r"(?<=[^\s\[,]),\s*\]\Z")


class _EncodingError(ValueError):
    """A line that is not UTF-8."""

    def __init__(self, line: int) -> None:
        self.line = line
        super().__init__()


class _FieldError(ValueError):
    """An error in a field."""

    def __init__(self, message: str, field: str) -> None:
        self.field = field
        super().__init__(message)


def hands(
    path: Path, file: BufferedReader, skipped: Sink | None = None, mark: ReaderMark | None = None
) -> Iterator[Hand]:
    """Read the hands of a file. Each hand is replayed.

    Parameters
    ----------
    path : Path
        Path for error messages; its name without the suffix is the id of a hand without an id.
    file : io.BufferedReader
        The file, which is read on demand.
    skipped : Sink, optional
        Receives the errors of hands that cannot be read; None raises them.
    mark : ReaderMark, optional
        Says where the file goes on.

    Yields
    ------
    Hand
        Amounts are whole chips of ``unit``, the largest unit that makes them whole. ``stated_payoffs`` is the
        difference of finishing and starting stacks, where the file gives both.

    Raises
    ------
    HistoryError
        If a hand is damaged, is not hold'em of fixed limit or no limit, or breaks the rules.
    """
    mark = ReaderMark() if mark is None else mark
    for name, before, lines, at in _split(file, mark.start):
        if lines is None:
            what = f"{MOST_BYTES:,} bytes without the end of a hand: the rest of the file is not read"
            raise HistoryError(what, str(path))
        document = b"".join(lines)
        name_of_hand = name or path.name.partition(".")[0]
        try:
            hand = _usual(document, name_of_hand)
            if hand is None:
                part = _decoded(document)
                hand = _load(part, name_of_hand)
        except _EncodingError as error:
            line, wrong = error.line, "not UTF-8, as PHH must be"
        except _FieldError as error:
            line, wrong = _line_of(part, error.field), str(error)
        except TomlError as error:
            line, wrong = error.line, str(error)
        except RecursionError:  # of JSON's parser
            line, wrong = 1, "lists or tables are nested too deeply"
        except ValueError as error:
            line, wrong = 1, str(error)
        else:
            mark.at = at
            yield hand
            continue
        reason = HistoryError(wrong, str(path), before + line, name or None)
        if skipped is None:
            raise reason from None
        skipped.append(reason)


def loads(text: str) -> Hand:
    """Read one hand.

    Parameters
    ----------
    text : str
        The contents of a ``.phh`` file.

    Raises
    ------
    HistoryError
        As `hands` does.
    """
    found = list(hands(Path("<text>"), BufferedReader(BytesIO(text.encode()))))
    if len(found) != 1:
        raise HistoryError(f"expected one hand, got {len(found)}", "<text>")
    return found[0]


def _split(
    file: BufferedReader, start: Sequence[int] = ()
) -> Iterator[tuple[str, int, list[bytes] | None, tuple[int, ...]]]:
    """Yield for each hand its name, the number of lines before it, its lines, and where it begins.

    The lines are None where there are far too many of them. A file without tables is one hand. `start` is where a table
    begins, if it is not the file: the place of its first byte, and the number of lines before it.
    """
    place, first = start or (0, 0)
    name, before, lines, size = "", 0, list[bytes](), 0
    at: tuple[int, ...] = ()
    # whether there are tables: not after a variant
    tables = True if start else None
    here = bool(start)  # at the first line of a hand that is not read yet
    for number, line in enumerate(file, first):
        begins = place, number
        place += len(line)
        line = line if number else line.removeprefix(codecs.BOM_UTF8)
        section = None if tables is False else _SECTION.match(line)
        if section is None:
            lines.append(line)
            size += len(line)
            if size > MOST_BYTES:
                yield name, before, None, at
                return
            if tables is None and VARIANT.match(line):
                tables = False
            continue
        if tables and not here:
            yield name, before, lines, at
        here = False
        name, tables = section["name"].decode(errors="replace").strip("\"' \t"), True
        before, lines, size, at = number, [line[section.end() :]], 0, begins  # the rest of the line is an empty one
    yield name, before, lines, at


class Places:
    """Where a file can be cut: before a table, where there are tables; see `pokermodel.histories.spans.Places`."""

    _tables: bool | None = None  # whether there are, as far as that is known
    _words_before = False  # the first one, which are none of a hand, and go with it

    def allow(self, content: bytes) -> bool:
        """Whether there are tables."""
        if self._tables is None:
            content = content.removeprefix(codecs.BOM_UTF8)
            section, variant = _A_SECTION.search(content), VARIANT.search(content)
            self._tables = section is not None and (variant is None or section.start() < variant.start())
            self._words_before = section is not None and section.start() > 0
        return self._tables

    def begins(self, line: bytes) -> bool:
        """Whether a table begins, but for the first one that is asked about where there are words before it."""
        found = _SECTION.match(line) is not None
        if found and self._words_before:
            self._words_before = False
            return False
        return found

    def lines(self, content: bytes) -> int:
        """Number of lines."""
        return content.count(b"\n")


def _decoded(document: bytes) -> str:
    try:
        return document.decode()
    except UnicodeDecodeError as error:
        raise _EncodingError(document.count(b"\n", 0, error.start) + 1) from None


def _usual(document: bytes, name: str) -> Hand | None:
    """Build a hand in which everything is usual; None if there is anything else to it, or something is wrong."""
    parts = rebuild(document, _usual_game, _ACTIONS, Action)
    if parts is None:
        return None
    own, number, when, currency, chips, players, actions, board, holdings, mucked, stated, payoffs, end, table = parts
    try:
        played = None if when is None else _usual_time(*when)
    except ValueError:
        return None
    house = _House("phh", {}) if own is None else _usual_house(own)
    if house.hero is not None and house.hero not in players:
        return None
    return Hand._checked(
        *(house.source, name if number is None else number, players, actions, board, holdings, stated, played, end),
        *(payoffs, mucked, _usual_unit(chips), currency or "", house.hero),
        table or None,
    )


def _line_of(text: str, field: str) -> int:
    found = re.search(rf"^[ \t]*{re.escape(field)}[ \t]*=", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def _toml(text: str) -> dict[str, Any]:
    return read_toml(text, "PHH", exact_number)


def _parsed(text: str) -> dict[str, Any]:
    """Parse a TOML document. Where every line has one plain value, as in nearly all files, JSON's parser does it."""
    fields: dict[str, Any] = {}
    place = 0
    while place < len(text):
        line = _PLAIN.match(text, place)
        if line is None:
            return _toml(text)
        place = line.end()
        key, value = line["key"], line["value"]
        if key is None:
            continue
        first = value[0]
        if key in fields or (first != "'" and ("null" in value or ("'" in value and '"' in value))):
            return _toml(text)
        if first == "'":
            fields[key] = value[1:-1]
        else:
            try:
                if first == "[":
                    value = _LAST_COMMA.sub("]", value.replace("'", '"'))
                fields[key], end = JSON.raw_decode(value)
            except ValueError:
                return _toml(text)
            if end != len(value):
                return _toml(text)
    return fields


def _load(text: str, name: str) -> Hand:
    """Build a hand from a TOML document; raises `ValueError`."""
    fields = _parsed(text)
    variant = fields.get("variant")
    if not isinstance(variant, str) or variant not in VARIANTS:
        said = "there is no variant" if variant is None else f"variant {variant!r} is not supported"
        raise _FieldError(f"{said}: expected 'FT' or 'NT', hold'em of fixed limit or no limit", "variant")
    structure = VARIANTS[variant]
    own = fields.get(_OWN, {})
    if not isinstance(own, dict):
        raise _FieldError(f"{_OWN} must be a table, got {own!r}", _OWN)

    starting = _amounts(fields, "starting_stacks")
    n = len(starting)
    antes, blinds = (_finite_amounts(fields, key, n) for key in ("antes", "blinds_or_straddles"))
    keys = ("small_bet", "big_bet") if structure.fixed else ("min_bet", "min_bet")
    small, big = (_finite_amount(fields.get(key), key) for key in keys)
    if fields.get("ante_trimming_status", False) is not False and len(set(antes)) > 1:
        raise _FieldError("antes that differ and are trimmed are not supported", "ante_trimming_status")
    lines = _list(fields, "actions")
    amounts = [*antes, *blinds, small, big, *(stack for stack in starting if stack is not None)]
    unit = _unit(own, amounts if structure.fixed else amounts + _raised_to(lines))
    stacks = [None if stack is None else _chips(stack, unit) for stack in starting]
    parts = (tuple([_chips(amount, unit) for amount in part]) for part in (antes, blinds, (small, big)))
    spec = _game(*parts, structure.fixed, _raises_before_flop(lines) if structure.fixed else 0)
    try:
        if "structure" in own and BettingStructure(own["structure"]).fixed is not structure.fixed:
            raise ValueError(f"a hand of {structure} cannot be {own['structure']}")
        if own:
            spec = replace(spec, **{key: own[key] for key in _HOUSE if key in own})
    except ValueError as error:
        raise _FieldError(f"{_OWN}: {error}", _OWN) from None

    play = _Play(spec, stacks, unit)
    for number, line in enumerate(lines, 1):
        try:
            play.step(line)
        except ValueError as error:
            raise _FieldError(f"action {number}, {line!r}: {error}", "actions") from None
    try:
        hand = Hand(
            _string(own, "source", "phh"),
            str(fields.get("hand", name)),
            spec,
            _players(fields, n),
            play.actions,
            tuple(play.board),
            play.holdings,
            None if all(stack is None for stack in stacks) else stacks,
            _stated_payoffs(fields, own, starting, unit),
            play.mucked,
            unit.numerator if unit.denominator == 1 else unit,
            _string(fields, "currency", ""),
            _time(fields),
            _string(own, "second_board", ""),
            float(_finite_amounts(own, "added", 1)[0]) if "added" in own else 0,
            _string(own, "hero", "") if "hero" in own else None,
            _table(fields),
            _string(own, "third_board", ""),
        )
        if play.end.over:
            hand._played(play.end)
        hand.payoffs  # noqa: B018  # a hand that cannot be paid out is not complete
    except _FieldError:
        raise
    except ValueError as error:
        raise _FieldError(str(error), "actions") from None
    return hand


def _list(fields: dict[str, Any], key: str, n: int | None = None) -> list[Any]:
    values = fields.get(key)
    if not isinstance(values, list):
        raise _FieldError(f"{key} must be a list, got {values!r}", key)
    if n is not None and len(values) != n:
        raise _FieldError(f"{key} must have {n} entries, one a player, got {len(values)}", key)
    return values


def _string(fields: dict[str, Any], key: str, default: str) -> str:
    value = fields.get(key, default)
    if not isinstance(value, str):
        raise _FieldError(f"{key} must be text, got {value!r}", key)
    return value


def _table(fields: dict[str, Any]) -> str | None:
    """Return the name of the table, which may be a number."""
    name = fields.get("table")
    if name is not None and type(name) not in (int, str):
        raise _FieldError(f"table must be text or a whole number, got {str(name)[:40]!r}", "table")
    return None if name is None else str(name) or None


def _time(fields: dict[str, Any]) -> datetime | None:
    """Return when the hand was played; None without a date. A date without a time of day is its beginning."""
    if not all(key in fields for key in _DATE):
        return None
    try:
        day = date(*(fields[key] for key in _DATE))
    except (TypeError, ValueError, OverflowError):
        said = "-".join(str(fields[key])[:20] for key in _DATE)
        raise _FieldError(f"year, month and day must be numbers of a date, got {said}", "year") from None
    clock = fields.get("time", _MIDNIGHT)
    if not isinstance(clock, time):
        raise _FieldError(f"time must be a time of day, got {str(clock)[:40]!r}", "time")
    found = datetime.combine(day, clock)
    zone = _string(fields, "time_zone", "")
    if zone == "UTC":
        return found.replace(tzinfo=UTC)
    if not zone:
        return found
    from zoneinfo import ZoneInfo  # which takes longer to load than a hand to read

    try:
        return found.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    except (LookupError, ValueError, OSError, OverflowError):  # a zone that is not known here
        return found


@lru_cache(256)
def _usual_time(
    year: int, month: int, day: int, clock: tuple[int, int, int] | None, zone: str | None
) -> datetime | None:
    """Return when a hand was played, by the numbers in its fields; raises `ValueError`."""
    at = _MIDNIGHT if clock is None else time(*clock)
    return _time({"year": year, "month": month, "day": day, "time": at, "time_zone": zone or ""})


@lru_cache(256)
def _usual_unit(chips: int) -> Fraction | int:
    """Return the value of a chip, of which a unit of money has so many."""
    return Fraction(1, chips) if chips > 1 else 1


def _amount(value: object, key: str) -> Money | None:
    """Return an amount of money; None if it is infinite."""
    try:
        return exact_amount(value)
    except ValueError as error:
        raise _FieldError(f"{key}: {error}", key) from None


def _finite_amount(value: object, key: str) -> Money:
    amount = _amount(value, key)
    if amount is None:
        raise _FieldError(f"{key}: only stacks can be infinite", key)
    return amount


def _amounts(fields: dict[str, Any], key: str, n: int | None = None) -> list[Money | None]:
    return [_amount(value, key) for value in _list(fields, key, n)]


def _finite_amounts(fields: dict[str, Any], key: str, n: int) -> list[Money]:
    return [_finite_amount(value, key) for value in _list(fields, key, n)]


def _unit(own: dict[str, Any], amounts: Iterable[Money]) -> Fraction:
    """Return the value of a chip: from our own table, or the largest 1/n for which all amounts are whole."""
    if "unit" not in own:
        parts = lcm(*[amount.denominator for amount in amounts])
        return _ONE if parts == 1 else Fraction(1, parts)
    try:
        unit = Fraction(_string(own, "unit", ""))
    except (ValueError, ZeroDivisionError):
        unit = Fraction(0)
    if unit <= 0 or any((amount / unit).denominator != 1 for amount in amounts):
        raise _FieldError(f"unit must be a fraction that makes all amounts whole, got {own['unit']!r}", _OWN)
    return unit


def _chips(amount: Money, unit: Fraction) -> int:
    """An amount that is a whole number of chips."""
    return amount if unit is _ONE and type(amount) is int else int(amount / unit)


def _raised_to(lines: list[Any]) -> list[Money]:
    """Amounts of bets and raises; what is none is found later."""
    amounts = []
    for line in lines:
        if isinstance(line, str) and (match := _RAISE.match(line)):
            try:
                amounts.append(_bet(match["amount"]))
            except ValueError:
                continue
    return amounts


@lru_cache(1 << 12)  # the same sizes occur over and over
def _bet(text: str) -> Money:
    """The amount of a bet or raise."""
    digits = text.replace(",", "")
    if digits.isascii() and digits.isdecimal() and len(digits) < DIGITS:
        return int(digits)
    try:
        return _finite_amount(Decimal(digits), "cbr")
    except InvalidOperation:
        raise ValueError(f"{text!r} is not an amount") from None


@lru_cache(256)
def pokerkit_game(
    antes: tuple[int, ...], blinds: tuple[int, ...], bets: tuple[int, int], structure: BettingStructure
) -> GameSpec:
    """Return the game with PokerKit's rules; its antes and blinds of two players begin with the second one.

    Raises `ValueError` if they are no game.
    """
    if len(blinds) == 2:
        antes, blinds = antes[::-1], blinds[::-1]
    n = len(blinds)
    highest = max(range(n), key=lambda seat: (blinds[seat], seat), default=0)
    small, big = bets
    try:
        return GameSpec(
            blinds=tuple(map(abs, blinds)),
            bets=(small, small, big, big),
            first=((highest + 1) % max(n, 1), 0, 0, 0),
            max_raises=_CAPS if structure.fixed else structure.max_raises,
            antes=tuple(antes),
            full_blind=False,
            reopening="full",
            structure=structure,
        )
    except ValueError as error:
        raise _FieldError(str(error), "blinds_or_straddles") from None


@lru_cache(256)
def _game(antes: tuple[int, ...], blinds: tuple[int, ...], bets: tuple[int, int], fixed: bool, raises: int) -> GameSpec:
    """Return the game of a hand with so many raises before the flop."""
    spec = pokerkit_game(antes, blinds, bets, BettingStructure.LIMIT if fixed else BettingStructure.NO_LIMIT)
    if fixed and raises > spec.max_raises[0]:
        spec = replace(spec, max_raises=(_MOST_RAISES, *spec.max_raises[1:]))
    return spec


class _House(NamedTuple):
    """What our own table says of a usual hand."""

    source: str
    rules: dict[str, Any]
    hero: str | None = None


@lru_cache(256)
def _usual_house(own: str) -> _House:
    """Return what our own table says, given what stands between its braces; raises `ValueError` unless it is usual."""
    table = _toml(f"own = {{{own}}}")["own"]
    source = _string(table, "source", "phh")
    hero = _string(table, "hero", "") if "hero" in table else None
    if not table.keys() <= {"source", "hero", *_USUAL_HOUSE}:
        raise ValueError(f"house rules {', '.join(table)} are not usual")
    return _House(source, {key: table[key] for key in _USUAL_HOUSE if key in table}, hero)


@lru_cache(256)
def _usual_game(
    antes: tuple[int, ...], blinds: tuple[int, ...], bets: tuple[int, int], fixed: bool, raises: int, own: str | None
) -> GameSpec:
    """Return the same of a usual hand, with what our own table has between its braces; raises `ValueError`."""
    spec = _game(antes, blinds, bets, fixed, raises)
    return spec if own is None else replace(spec, **_usual_house(own).rules)


def _raises_before_flop(lines: list[Any]) -> int:
    count = 0
    for line in lines:
        words = line.split() if isinstance(line, str) else []
        if words[:2] == ["d", "db"]:
            break
        count += words[1:2] == ["cbr"]
    return count


def _players(fields: dict[str, Any], n: int) -> list[str]:
    names = _list(fields, "players", n) if "players" in fields else [""] * n
    if not all(isinstance(name, str) for name in names):
        raise _FieldError(f"players must be names, got {names}", "players")
    names = [name or f"p{seat}" for seat, name in enumerate(names, 1)]
    if len(set(names)) != n:
        raise _FieldError(f"players must have different names, got {names}", "players")
    return names


def _stated_payoffs(
    fields: dict[str, Any], own: dict[str, Any], starting: list[Money | None], unit: Fraction
) -> list[float] | None:
    if "stated_payoffs" in own:
        return [float(value) for value in _finite_amounts(own, "stated_payoffs", len(starting))]
    if "finishing_stacks" not in fields:
        return None
    finishing = _amounts(fields, "finishing_stacks", len(starting))
    payoffs = []
    for before, after in zip(starting, finishing, strict=True):
        if before is None or after is None:
            return None
        payoffs.append(float(after - before if unit is _ONE else (after - before) / unit))
    return payoffs


@lru_cache(1 << 14)
def _words(line: str) -> list[str]:
    """The words of an action, without a comment."""
    words = line.split()
    comment = next((k for k, word in enumerate(words) if word.startswith("#")), len(words))
    return words[:comment]


@lru_cache(1 << 12)  # there are 2,652 holdings in either order
def _two_cards(text: str) -> tuple[int, ...]:
    cards = card_indices(text)
    if len(cards) != 2:
        raise ValueError(f"expected two cards, got {text!r}")
    return cards


@lru_cache(1 << 12)
def _board_cards(text: str) -> tuple[int, ...]:
    return card_indices(text)


class _Play:
    """Walks through the actions of a hand; a step that does not fit raises `ValueError`."""

    def __init__(self, spec: GameSpec, stacks: Sequence[int | None], unit: Fraction) -> None:
        self.actions: list[Action] = []
        self.board: list[int] = []
        self.holdings: dict[int, tuple[int, ...]] = {}
        self.mucked: set[int] = set()
        self._dealt: set[int] = set()
        self._unit = unit
        self._fixed = spec.structure.fixed
        try:
            self._walk = _Walk(spec, stacks)
        except ValueError as error:
            raise _FieldError(str(error), "starting_stacks") from None
        self._state = self._walk.state

    @property
    def end(self) -> State:
        """The state after the actions so far."""
        return self._state

    def step(self, line: object) -> None:
        if not isinstance(line, str):
            raise ValueError("expected text")
        words = _words(line)
        n = len(words)
        first, verb = (words[0], words[1]) if n > 1 else ("", "")
        if n == 4 and first == "d" and verb == "dh":
            self._deal(self._seat(words[2]), words[3])
        elif n == 3 and first == "d" and verb == "db":
            self._deal_board(words[2])
        elif n == 2 and verb == "f":
            self._act(self._seat(first), Act.FOLD)
        elif n == 2 and verb == "cc":
            self._act(self._seat(first), Act.CALL)
        elif n == 3 and verb == "cbr":
            self._raise(self._seat(first), words[2])
        elif n in (2, 3) and verb == "sm":
            self._show(self._seat(first), *words[2:])
        elif n:
            raise ValueError("expected d dh, d db, f, cc, cbr or sm, as in 'p1 cbr 20'")

    def _seat(self, player: str) -> int:
        n = self._state.players
        number = _SEATS.get(player, n)
        if number >= n:
            raise ValueError(f"{player!r} is not a player, expected p1 to p{n}")
        return number

    def _deal(self, seat: int, text: str) -> None:
        if seat in self._dealt:
            raise ValueError("has been dealt cards already")
        self._dealt.add(seat)
        self._know(seat, text)

    def _know(self, seat: int, text: str) -> None:
        """Note a player's cards, if both are known."""
        if _UNKNOWN in (text[:2], text[2:]):
            for half in text[:2], text[2:]:
                if half != _UNKNOWN:
                    card_indices(half)
            return
        cards = _two_cards(text)
        known = self.holdings.setdefault(seat, cards)
        if known is not cards and set(known) != set(cards):
            raise ValueError(f"shows {text}, but was dealt {cards_text(known)}")

    def _deal_board(self, text: str) -> None:
        state = self._state
        expected = 5 if state.showdown else len(self.board) if state.over else BOARD_CARDS[state.round]
        cards = _board_cards(text)
        if len(self.board) + len(cards) > expected:
            raise ValueError(f"expected no more than {expected} cards on the board at this point")
        self.board += cards

    def _act(self, seat: int, act: Act, to: int | None = None) -> int:
        """Act; return the seat's bet in this round, in chips, which is only known of fixed limit."""
        state = self._state
        if seat != state.seat:
            raise ValueError("the betting is over" if state.over else f"it is the turn of p{state.seat + 1}")
        if len(self.board) != BOARD_CARDS[state.round]:
            raise ValueError(f"{len(self.board)} cards on the board, expected {BOARD_CARDS[state.round]}")
        if self._fixed:
            bet = self._walk.act(act, to)
        else:
            bet = -1
            state.act(act, to)
        self.actions.append(Action(seat, act, to=to))
        return bet

    def _raise(self, seat: int, text: str) -> None:
        amount = _bet(text)
        if not self._fixed:
            self._act(seat, Act.RAISE, _chips(amount, self._unit))
            return
        legal = self._act(seat, Act.RAISE) * self._unit
        if amount != legal:
            raise ValueError(f"at fixed limit the bet goes to {decimal_text(legal)}, not {text}")

    def _show(self, seat: int, text: str = "") -> None:
        if not self._state.over:
            raise ValueError(f"shows or mucks, but it is the turn of p{self._state.seat + 1}")
        if seat not in self._state.active:
            raise ValueError("has folded before")
        if not text:
            self.mucked.add(seat)
        elif text != "-":
            self._know(seat, text)


@makes("phh", Hand)
def dumps(hand: Hand) -> str:
    """Write a hand as the text of a ``.phh`` file.

    Reading the text returns an equal hand, if the seats are in the order of the format: counted from the first to act
    after the flop. House rules, the source and the hero, for which PHH has no fields, are kept in a table
    ``_pokermodel``, which other readers ignore.

    Returns
    -------
    str
        A TOML document.

    Raises
    ------
    ValueError
        If PHH cannot express the hand (a player that left out of turn, an unusual betting order or bet sizes, amounts
        without a finite decimal), or the hand breaks the rules.
    """
    return "".join(f"{line}\n" for line in _Writer(hand).lines())


def dumps_all(hands: Iterable[Hand]) -> str:
    """Write hands as the text of a ``.phhs`` file; parameters and errors are those of `dumps`."""
    return "".join(write(hands))


def write(hands: Iterable[Hand], skipped: ErrorSink | None = None) -> Iterator[str]:
    """Write hands as pieces of the text of a ``.phhs`` file, one for each hand.

    Parameters
    ----------
    skipped : ErrorSink, optional
        Receives the errors of hands that PHH cannot express, which are left out; None raises them.

    Raises
    ------
    ValueError
        As `dumps` does, without `skipped`.
    """
    for number, text in enumerate(texts(hands, dumps, skipped), 1):
        gap = "\n" if number > 1 else ""
        yield f"{gap}[{number}]\n{text}"


def count_tables(path: str | os.PathLike[str]) -> int:
    """Count the hands of a ``.phhs`` file, which need not be there; they are not read.

    Raises `ValueError` if there is something else in it.

    Returns
    -------
    int
        0 if there is no file, or an empty one.
    """
    try:
        with open(path, "rb") as file:
            lines = file.readlines()
    except FileNotFoundError:
        return 0
    tables = sum(_SECTION.match(line) is not None for line in lines)
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith(b"#")), b"")
    if first and not _SECTION.match(first):
        raise ValueError(f"{os.fspath(path)} is no file of several hands in PHH: expected one, or none")
    return tables


def append(path: str | os.PathLike[str], hand: Hand, number: int) -> None:
    """Add a hand to a ``.phhs`` file, which is made if there is none.

    Raises `ValueError` as `dumps`; nothing is written then, and `OSError` if the file cannot be written.

    Parameters
    ----------
    path : path-like
        The file: of several hands in PHH, as `dumps_all` writes it.
    number : int
        Of its table: one that no other hand of the file has.
    """
    text = f"[{number}]\n{dumps(hand)}"
    with open(path, "a", encoding="utf-8", newline="\n") as file:
        file.write(("\n" if file.tell() else "") + text)


class _Writer:
    """Writes a hand in the terms of PHH."""

    def __init__(self, hand: Hand) -> None:
        spec = hand.spec
        self._hand = hand
        self._unit = Fraction(hand.unit)
        if len(set(spec.first[1:])) != 1:
            self._refuse("another first to act on each street")
        self._seats = [(spec.first[1] + k) % spec.players for k in range(spec.players)]  # by position
        if spec.bets[0] != spec.bets[1] or spec.bets[2] != spec.bets[3]:
            self._refuse(f"bets of {spec.bets}")
        self._fixed = spec.structure.fixed
        if not self._fixed and spec.bets[0] != spec.bets[2]:
            self._refuse(f"least bets of {spec.bets}")
        self._blinds, self._antes = (
            [amounts[seat] for seat in self._seats] for amounts in (spec.blinds, spec.antes or (0,) * spec.players)
        )
        if spec.players == 2:
            self._blinds.reverse()
            self._antes.reverse()
        structure = BettingStructure.LIMIT if self._fixed else BettingStructure.NO_LIMIT
        self._usual = pokerkit_game(tuple(self._antes), tuple(self._blinds), (spec.bets[0], spec.bets[2]), structure)
        if self._seats[self._usual.first[0]] != spec.first[0]:
            self._refuse(f"a hand in which seat {spec.first[0]} is the first to act before the flop")

    def _refuse(self, what: str) -> NoReturn:
        raise ValueError(f"hand {self._hand.id}: PHH cannot express {what}")

    def lines(self) -> Iterator[str]:
        hand, spec = self._hand, self._hand.spec
        actions = self._actions()
        yield "variant = 'FT'" if self._fixed else "variant = 'NT'"
        yield f"antes = {self._money(self._antes)}"
        yield f"blinds_or_straddles = {self._money(self._blinds)}"
        if self._fixed:
            yield f"small_bet = {self._money(spec.bets[0])}"
            yield f"big_bet = {self._money(spec.bets[2])}"
        else:
            yield f"min_bet = {self._money(spec.bets[0])}"
        stacks = [hand.stacks[seat] if hand.stacks else None for seat in self._seats]
        yield f"starting_stacks = {self._money(stacks)}"
        yield "actions = ["
        yield from (f"  '{action}'," for action in actions)
        yield "]"
        number = hand.id.isascii() and hand.id.isdecimal() and str(int(hand.id[:18])) == hand.id
        yield f"hand = {hand.id if number else _quoted(hand.id)}"
        yield f"players = [{', '.join(_quoted(hand.players[seat]) for seat in self._seats)}]"
        finishing = self._finishing(stacks)
        if finishing:
            yield f"finishing_stacks = {self._money(finishing)}"
        if hand.currency:
            yield f"currency = {_quoted(hand.currency)}"
        if hand.table is not None:
            yield f"table = {_quoted(hand.table)}"
        yield from self._played()
        own = self._own(stacks, finishing is not None)
        if own:
            yield f"{_OWN} = {{ {', '.join(f'{key} = {value}' for key, value in own.items())} }}"

    def _played(self) -> Iterator[str]:
        """Yield when the hand was played."""
        when = self._hand.time
        if when is None:
            return
        if when.tzinfo is not None:
            when = when.astimezone(UTC)
        yield from (f"{key} = {getattr(when, key)}" for key in _DATE)
        yield f"time = {when.time().isoformat()}"
        if when.tzinfo is not None:
            yield "time_zone = 'UTC'"

    def _money(self, chips: object) -> str:
        if isinstance(chips, list):
            return f"[{', '.join(map(self._money, chips))}]"
        if chips is None:
            return "inf"
        assert isinstance(chips, int | float)
        try:
            return decimal_text(Fraction(chips) * self._unit)
        except ValueError as error:
            self._refuse(str(error))

    def _finishing(self, stacks: list[int | None]) -> list[float] | None:
        """Return the finishing stacks in chips, if they are exact."""
        stated = self._hand.stated_payoffs
        if stated is None:
            return None
        finishing: list[float] = []
        for seat, stack in zip(self._seats, stacks, strict=True):
            if stack is None or (Fraction(stated[seat]) * self._unit * 10**6).denominator != 1:
                return None
            if Fraction(stack + stated[seat]) != stack + Fraction(stated[seat]):
                return None
            finishing.append(stack + stated[seat])
        return finishing

    def _actions(self) -> list[str]:
        """Return deals, actions and the showdown, in order."""
        hand = self._hand
        board = cards_text(hand.board)
        position = {seat: f"p{place}" for place, seat in enumerate(self._seats, 1)}
        known = {seat: cards_text(cards) for seat, cards in hand.holdings.items()}
        lines = [f"d dh {position[seat]} {known.get(seat, 2 * _UNKNOWN)}" for seat in self._seats]
        walk = _Walk(hand.spec, hand.stacks)
        dealt = 0
        for decision in hand.replay():
            while dealt < decision.round:
                lines.append(f"d db {board[2 * BOARD_CARDS[dealt] : 2 * BOARD_CARDS[dealt + 1]]}")
                dealt += 1
            if decision.out_of_turn:
                self._refuse(f"that {decision.player} left out of turn")
            amount = walk.act(decision.act, None if self._fixed else decision.to)
            verb = ("f", "cc", f"cbr {self._money(amount)}")[decision.act]
            lines.append(f"{position[decision.seat]} {verb}")
        state = walk.state
        if not state.showdown:
            if board[2 * BOARD_CARDS[dealt] :]:
                self._refuse("that cards were dealt to the board after the end")
            return lines
        for street in range(dealt, 3):  # all players are all-in
            cards = board[2 * BOARD_CARDS[street] : 2 * BOARD_CARDS[street + 1]]
            lines += [f"d db {cards}"] if cards else []
        for seat in state.active:
            shown = "" if seat in hand.mucked else f" {known.get(seat, '-')}"
            lines.append(f"{position[seat]} sm{shown}")
        return lines

    def _own(self, stacks: list[int | None], finishing: bool) -> dict[str, str]:
        """Return the entries of our own table as TOML: what the other fields do not have."""
        hand, spec = self._hand, self._hand.spec
        own = {}
        if hand.source != "phh":
            own["source"] = _quoted(hand.source)
        amounts = [*self._blinds, *self._antes, spec.bets[0], spec.bets[2], *(s for s in stacks if s is not None)]
        if not self._fixed:
            amounts += [action.to for action in hand.actions if action.to is not None]
        if _unit({}, (amount * self._unit for amount in amounts)) != self._unit:
            own["unit"] = _quoted(str(self._unit))
        raises = sum(decision.act is Act.RAISE and not decision.round for decision in hand.replay())
        usual = self._usual
        if self._fixed and raises > _CAPS[0]:
            usual = replace(usual, max_raises=(_MOST_RAISES, *_CAPS[1:]))
        for key in _HOUSE[:-1]:
            value = getattr(spec, key)
            if value != getattr(usual, key):
                own[key] = json.dumps(value)
        if spec.stacks:
            own["stacks"] = str([spec.stacks[seat] for seat in self._seats])
        if hand.second_board:
            own["second_board"] = _quoted(cards_text(hand.second_board))
        if hand.third_board:
            own["third_board"] = _quoted(cards_text(hand.third_board))
        if hand.stated_payoffs is not None and not finishing:
            own["stated_payoffs"] = f"[{', '.join(str(hand.stated_payoffs[seat]) for seat in self._seats)}]"
        if hand.added:
            own["added"] = f"[{hand.added}]"
        if hand.hero is not None:
            own["hero"] = _quoted(hand.hero)
        return own


class _Walk:
    """The state of a hand, with the bets of the round, which the format needs."""

    def __init__(self, spec: GameSpec, stacks: Sequence[int | None] | None) -> None:
        self.state = State(spec, stacks)
        antes = spec.antes or (0,) * spec.players
        deep = stacks or (None,) * spec.players
        # chips of each seat that are not bets of this round: at first the ante
        self._before = [ante if stack is None else min(ante, stack) for ante, stack in zip(antes, deep, strict=True)]

    def act(self, act: Act, to: int | None = None) -> int:
        """Apply an act of the seat to act; return its bet in this round, in chips."""
        state = self.state
        seat, betting_round = state.seat, state.round
        state.act(act, to)
        bet = state.committed[seat] - self._before[seat]
        if state.round != betting_round:
            self._before = list(state.committed)
        return bet


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
