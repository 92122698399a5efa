"""Which hands are meant: a filter, one value that is read from text and written back in one canonical form."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, NoReturn, Self

from pokermodel._support.patterns import regex
from pokermodel.cards import RANKS, holding_index
from pokermodel.game import POSITIONS, ROUNDS, SEATS, Act, BettingStructure, Hand, positions, seat_names
from pokermodel.game.pot_types import pot_type

__all__ = ["TEXTURES", "Filter", "beginnings", "fits_line", "textures"]

_MOST = 10_000  # characters of a filter
_BLANKS = regex(r"\s*")
_HEAD = regex(r"(?P<key>[^\s=!<>,\"']+)(?P<op>!=|<=|>=|=|<|>)")
_BARE = regex(r"[^\s,\"'\\=<>!][^\s,\"'\\]*")
_QUOTED = regex(r"\"((?:[^\"\\]|\\[\s\S])*)\"|'((?:[^'\\]|\\[\s\S])*)'")
_ESCAPED = regex(r"\\([\s\S])")
_OPS: Mapping[str, Callable[[float, float], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_EQUAL = ("=", "!=")
_ALL = tuple(_OPS)


class Filter:
    """Says of a hand whether it is meant. It cannot be changed, and equals one of the same canonical text.

    A filter is terms ``key op value`` with blanks between them, and a hand has to fit all of them. ``op`` is one of
    ``=``, ``!=``, ``<``, ``<=``, ``>`` and ``>=``. A comma means "or" (``seat=CO,BTN``). Quotes go around a value with
    blanks, commas or quotes (``table="Cetus 6"``); in quotes a backslash stands before a quote or a backslash. The
    same text is the option ``--where`` of the commands.

    Parameters
    ----------
    text : str
        The terms; empty for all hands. The keys:

        - ``hero``: the player whose hands they are. ``vs``, ``seat``, ``won`` and ``lost`` are about the hero, who is
          otherwise the player whom the hand names as the one whose history it is. ``hero=""`` stands for no player.
        - ``vs``: an opponent who was dealt in. ``player``: a player who was dealt in, the hero or another.
        - ``seat``: the hero's, ``UTG`` to ``BB``, or ``early``, ``middle``, ``cutoff``, ``button``, ``small-blind``
          and ``big-blind``.
        - ``won``, ``lost``: what the hero won or lost, after the rake, in money or in big blinds (``20bb``), which in
          limit are small bets.
        - ``pot``: the kind of pot: ``walk``, ``limped``, ``raised``, ``3-bet``, ``4-bet`` and so on, ``bomb``, or
          ``all-in-blinds``. ``size``: what was matched in all pots, before the rake, as ``won``.
        - ``street``: the last one that was reached; a showdown has reached the river.
        - ``showdown``: ``yes`` or ``no``. ``players``: how many were dealt in.
        - ``structure``: ``limit``, ``pot-limit`` or ``no-limit``. ``stake``: as in ``2/4`` or ``"2/4 USD"``.
        - ``site``, ``table``, ``id``: as the history names them.
        - ``cards``: the hero's, as a range: ``cards=TT+,AKs``. ``reached``: the last betting round that they were in.
        - ``line``: what the hero did, a letter an action and ``/`` between rounds: ``f`` fold, ``x`` check, ``c`` call,
          ``b`` bet, ``r`` raise; ``*`` stands for any of them, ``?`` for one letter: ``line=r/b/*``.
        - ``relative``: where the hero acts after the flop among those who saw it: ``first``, ``between`` or ``last``.
          ``left``: how many saw the flop.
        - ``made``, ``faced``: the largest bet or raise after the flop that the hero made or faced, in per cent of the
          pot after a call: ``faced>=75%``. ``depth``: the hero's stack as far as another one covers it: ``depth<40bb``.
        - ``ev``: what the hero won with all-ins at their EV, as ``won``.
        - ``board``: the flop: ``rainbow``, ``two-tone`` or ``monotone``; ``unpaired``, ``paired`` or ``trips``;
          ``connected``; and ``A-high`` to ``2-high``.
        - ``tag``, ``verdict``, ``evlost``, ``session``, which a book alone knows: a tag of the hand; a verdict on a
          decision of the hero, and what they lost by it; and a time in the hero's session. ``chance``, ``did``, of a
          book alone, too: the hero had a chance of a statistic, or did it: ``did=fold_to_cbet:flop``.
        - ``since``, ``until``: when the hand was played, at the earliest and at the latest, in UTC unless the text has
          another time zone: ``1995``, ``1995-04``, ``1995-04-07`` or ``1995-04-07T12:30``. ``until`` includes the whole
          period. A hand without a time is not meant.

    Attributes
    ----------
    hero : str or None
        The name that the text gives the hero; None if it gives none.

    Raises
    ------
    ValueError
        If the text is no filter. The message says where, and what was expected.

    Examples
    --------
    >>> import pokermodel as pm
    >>> [Filter(text)(pm.example_hand()) for text in ("hero=Eve street>=flop", "hero=Eve seat=button")]
    [True, False]
    >>> str(Filter("pot=4-bet,3bet   hero='Eve'"))
    'hero=Eve pot=3-bet,4-bet'
    """

    __slots__ = ("_terms", "_text", "hero")

    hero: str | None
    _terms: tuple[_Term, ...]
    _text: str

    def __init__(self, text: str = "") -> None:
        if not isinstance(text, str):
            raise ValueError(f"a filter is {text!r}: expected text, as 'hero=Robin pot=3-bet'")
        terms = tuple(sorted(set(_read(text)), key=lambda term: (_PLACE[term.key], _ALL.index(term.op), term.values)))
        put = object.__setattr__
        put(self, "_terms", terms)
        put(self, "_text", " ".join(map(str, terms)))
        put(self, "hero", _only_hero(terms))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a filter cannot be changed: {name} is read-only")

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        return type(self), (self._text,)

    def __str__(self) -> str:
        """The canonical text: terms and values in one order and one spelling, each once."""
        return self._text

    def __repr__(self) -> str:
        return f"Filter({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Filter) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __bool__(self) -> bool:
        """Whether the filter leaves any hand out."""
        return any(term.key != "hero" or self.hero for term in self._terms)

    @property
    def keys(self) -> frozenset[str]:
        """The keys that the terms have."""
        return frozenset(term.key for term in self._terms)

    def values(self, key: str) -> tuple[str, ...]:
        """The values that a key equals in any term."""
        equal = (term for term in self._terms if (term.key, term.op) == (key, "="))
        return tuple(value.text for term in equal for value in term.values)

    @property
    def terms(self) -> tuple[_Term, ...]:
        """The terms, in the order of the canonical text."""
        return self._terms

    @property
    def needs_hero(self) -> bool:
        """Whether a term is about the hero, besides ``hero`` itself."""
        return any(_KEYS[term.key].of_hero for term in self._terms)

    def with_hero(self, name: str) -> Filter:
        """Return the filter with this hero in place of its own; empty for none.

        Raises
        ------
        ValueError
            If it has another hero.
        """
        if self.hero not in (None, name):
            raise ValueError(f"the hero is {name!r}, but the filter has hero={_quoted(self.hero or '')}: expected one")
        return Filter(f"{self._text} hero={_quoted(name)}")

    def without(self, *keys: str) -> Filter:
        """Return the filter without the terms of some keys."""
        return Filter(" ".join(str(term) for term in self._terms if term.key not in keys))

    def with_player(self, name: str) -> Filter:
        """Return the filter with a player who was dealt in, the hero or another."""
        return Filter(f"{self._text} player={_quoted(name)}")

    def __call__(self, hand: Hand, hero: str | None = None) -> bool:
        """Whether a hand is meant.

        Parameters
        ----------
        hero : str, optional
            The hero of a filter that gives none; empty for no player. Default: the one whom the hand names.

        Raises
        ------
        ValueError
            If a term is about the hero, and there is none; or if the hand breaks the rules.
        """
        names = (self.hero, hero, hand.hero)
        name = next((name for name in names if name is not None), None)
        seat = hand.players.index(name) if name in hand.players else None
        if seat is None and self.needs_hero:
            if name:
                return False
            first = next(term for term in self._terms if _KEYS[term.key].of_hero)
            raise ValueError(
                f"hand {hand.id} names no hero, and {first} is about one: expected hero=NAME in the filter"
            )
        return all(term.fits(hand, seat or 0) for term in self._terms)


# ------------------------------------------------------------------------------------------------------- the grammar


class _Term(NamedTuple):
    """A term of a filter; it fits hands of which one of the values holds."""

    key: str
    op: str
    values: tuple[_Value, ...]

    def __str__(self) -> str:
        return f"{self.key}{self.op}{','.join(_quoted(value.text) for value in self.values)}"

    def fits(self, hand: Hand, seat: int) -> bool:
        """Whether a hand fits it, given the seat of the hero."""
        key = _KEYS[self.key]
        has = key.of(hand, seat)
        if self.op in _EQUAL:
            return any(key.sign(each, value.meant) == 0 for each in has for value in self.values) == (self.op == "=")
        (value,) = self.values
        return any(_OPS[self.op](key.sign(each, value.meant), 0) for each in has)


class _Value(NamedTuple):
    """A value of a term: its canonical text, and what hands are compared with."""

    text: str
    meant: Any


def _read(text: str) -> Iterator[_Term]:
    """Read the terms of a filter."""
    if len(text) > _MOST:
        raise ValueError(f"a filter has {len(text):,} characters: expected {_MOST:,} at most")
    at = _skip(text, 0)
    while at < len(text):
        head = _HEAD.match(text, at)
        if head is None:
            raise _wrong(text, at, "expected a key, one of = != < <= > >=, and a value, as pot=3-bet")
        name, op = head["key"], head["op"]
        key = _KEYS.get(name)
        if key is None:
            raise _wrong(text, at, f"there is no key {name!r}: expected {', '.join(_KEYS)}")
        if op not in key.ops:
            raise _wrong(text, at, f"{name} has no {op}: expected {' '.join(key.ops)}")
        values, end = _read_values(text, head.end(), key)
        if len(values) > 1 and (op not in _EQUAL or key.ops == ("=",)):
            raise _wrong(text, at, f"{name}{op} takes one value, got {len(values)}")
        yield _Term(name, op, tuple(sorted(set(values))))
        at = _skip(text, end)


def _read_values(text: str, at: int, key: _Key) -> tuple[list[_Value], int]:
    """Read values with commas between them; return also where they end."""
    values = []
    while True:
        quoted, bare = _QUOTED.match(text, at), _BARE.match(text, at)
        if quoted is not None:
            end = quoted.end()
            value = _ESCAPED.sub(r"\1", quoted[1] if quoted[1] is not None else quoted[2])
        elif bare is not None:
            value, end = bare[0], bare.end()
        else:
            raise _wrong(text, at, f"expected a value, {key.expected}; one with blanks or commas in quotes")
        try:
            values.append(key.read(value))
        except ValueError as error:
            raise _wrong(
                text, at, f"{value!r} {error}" if str(error) else f"{value!r}: expected {key.expected}"
            ) from None
        if end == len(text) or text[end].isspace():
            return values, end
        if text[end] != ",":
            raise _wrong(text, end, "expected a blank or a comma after a value")
        at = end + 1


def _skip(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    assert found is not None
    return found.end()


def _wrong(text: str, at: int, what: str) -> ValueError:
    where = "at the end" if at >= len(text) else f"at {text[at : at + 20]!r}, character {at + 1}"
    return ValueError(f"the filter {where}: {what}")


def _quoted(value: str) -> str:
    """A value as a filter has it, in quotes where it needs them."""
    if _BARE.fullmatch(value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _only_hero(terms: Iterable[_Term]) -> str | None:
    """The hero of the terms, who is one."""
    names = [term.values[0].text for term in terms if term.key == "hero"]
    if len(names) > 1:
        raise ValueError(f"the filter has the heroes {' and '.join(map(_quoted, names))}: expected one")
    about = next((term for term in terms if _KEYS[term.key].of_hero), None)
    if names == [""] and about is not None:
        raise ValueError(f'the filter at {about}: it is about the hero, and hero="" means none: expected hero=NAME')
    return names[0] if names else None


def beginnings(text: str) -> list[str]:
    """How a term can go on that begins with a text: its key, or its value, where there are few.

    Examples
    --------
    >>> beginnings("st"), beginnings("showdown=")
    (['street=', 'structure=', 'stake='], ['showdown=yes', 'showdown=no'])
    """
    head = _HEAD.match(text)
    if head is None:
        return [f"{key}=" for key in _KEYS if key.startswith(text)]
    words = _KEYS[head["key"]].words if head["key"] in _KEYS else ()
    return [f"{head[0]}{word}" for word in words if word.startswith(text[head.end() :])]


# ------------------------------------------------------------------------------------------------------- the values


class _Amount(NamedTuple):
    """An amount of money, or of big blinds."""

    number: Fraction
    bb: bool


class _Stake(NamedTuple):
    """Small and big bet, or the blinds, in the money of the source, and its name; "" for any."""

    small: Fraction
    big: Fraction
    currency: str


class _Period(NamedTuple):
    """The beginning of a period, and the time from which it is over."""

    start: datetime
    end: datetime


def _name(text: str) -> _Value:
    if not text:
        raise ValueError
    return _Value(text, text)


def _hero(text: str) -> _Value:
    return _Value(text, text)


def _site(text: str) -> _Value:
    return _name(text.casefold())


def _choice(names: Iterable[str]) -> Callable[[str], _Value]:
    """One of several words, in whatever case."""
    known = {name.casefold(): _Value(name, name) for name in names}

    def read(text: str) -> _Value:
        found = known.get(text.casefold())
        if found is None:
            raise ValueError
        return found

    return read


def _street(text: str) -> _Value:
    found = _choice(ROUNDS)(text).text
    return _Value(found, ROUNDS.index(found))


_POTS = ("walk", "limped", "raised", "bomb", "all-in-blinds")
_BET = regex(r"0*(?P<number>[1-9][0-9]{0,3})-?bet")


def _pot(text: str) -> _Value:
    bet = _BET.fullmatch(text.casefold())
    if bet is not None and int(bet["number"]) > 2:
        name = f"{bet['number']}-bet"
        return _Value(name, name)
    return _choice(_POTS)("raised" if text.casefold() == "single-raised" else text)


def _pots(hand: Hand, seat: int) -> tuple[str]:
    kind = pot_type(hand)
    return ("raised" if kind == "single-raised" else kind.replace(" ", "-"),)


_NUMBER = regex(r"0*(?P<whole>[0-9]{1,15})(?:\.(?P<part>[0-9]{1,15}))?(?P<unit>bb|%)?")


def _amount(text: str) -> _Value:
    found = _NUMBER.fullmatch(text.casefold())
    if found is None or found["unit"] == "%":
        raise ValueError
    number = f"{found['whole']}.{found['part'] or ''}".rstrip("0").rstrip(".")
    return _Value(f"{number}{found['unit'] or ''}", _Amount(Fraction(number), found["unit"] == "bb"))


def _amounts(money: float, bb: float) -> tuple[tuple[float, float]]:
    """An amount that a hand has, in money and in big blinds."""
    return ((money, bb),)


def _amount_sign(has: tuple[float, float], meant: _Amount) -> float:
    """Whether an amount is above another, up to what floating-point numbers leave out."""
    return round(has[meant.bb] - float(meant.number), 9)


def _won(hand: Hand, seat: int) -> tuple[tuple[float, float]]:
    return _amounts(hand.net[seat], hand.net_chips[seat] / hand.spec.small_bet)


def _lost(hand: Hand, seat: int) -> tuple[tuple[float, float]]:
    return _amounts(-hand.net[seat], -hand.net_chips[seat] / hand.spec.small_bet)


def _size(hand: Hand, seat: int) -> tuple[tuple[float, float]]:
    return _amounts(hand.pot, hand.pot_chips / hand.spec.small_bet)


def _count(text: str) -> _Value:
    if not (text.isascii() and text.isdecimal() and len(text) < 4):
        raise ValueError
    return _Value(str(int(text)), int(text))


_STAKE = regex(
    r"(?P<small>[0-9]{1,15}(?:\.[0-9]{1,15})?)/(?P<big>[0-9]{1,15}(?:\.[0-9]{1,15})?)(?: ?(?P<currency>\S+))?"
)


def _stake(text: str) -> _Value:
    found = _STAKE.fullmatch(text.strip())
    if found is None:
        raise ValueError
    small, big = (_amount(found[name]).text for name in ("small", "big"))
    currency = found["currency"] or ""
    return _Value(f"{small}/{big} {currency}".strip(), _Stake(Fraction(small), Fraction(big), currency))


def _stake_of(hand: Hand, seat: int) -> tuple[_Stake]:
    small, big = hand.spec.stakes
    unit = Fraction(hand.unit)
    return (_Stake(small * unit, big * unit, hand.currency),)


def _stake_sign(has: _Stake, meant: _Stake) -> int:
    return int(has[:2] != meant[:2] or meant.currency not in ("", has.currency))


_WHEN = regex(
    r"(?P<year>[0-9]{4})(?:-(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2})"
    r"(?:[T ](?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}))?"
    r"(?P<zone>Z|[+-][0-9]{2}:?[0-9]{2})?)?)?)?"
)


def _period(text: str) -> _Value:
    """A year, a month, a day, a minute or a second."""
    found = _WHEN.fullmatch(text.strip())
    if found is None:
        raise ValueError
    year, month, day, hour, minute, second = (int(part) if part else None for part in found.groups()[:6])
    try:
        start = datetime(year or 0, month or 1, day or 1, hour or 0, minute or 0, second or 0, tzinfo=UTC)
        if found["zone"] not in (None, "Z"):
            start = start.replace(tzinfo=datetime.strptime(found["zone"], "%z").tzinfo).astimezone(UTC)
        if day is None:
            months = 12 if month is None else 1
            place = start.year * 12 + start.month - 1 + months
            end = start.replace(year=place // 12, month=place % 12 + 1)
        else:
            unit = "days" if hour is None else "minutes" if second is None else "seconds"
            end = start + timedelta(**{unit: 1})
    except (ValueError, OverflowError):
        raise ValueError from None
    size = [4, 7, 10, 16, 19][sum(part is not None for part in (month, day, hour, second))]
    return _Value(start.strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0")[:size], _Period(start, end))


def _times(hand: Hand, seat: int) -> tuple[datetime, ...]:
    if hand.time is None:
        return ()
    return (hand.time.replace(tzinfo=UTC) if hand.time.tzinfo is None else hand.time.astimezone(UTC),)


_LINE = regex(r"[fxcbr/*?]{1,64}")


def _pattern(text: str) -> _Value:
    """A line of betting in which ``*`` and ``?`` stand for others."""
    found = text.casefold()
    if not _LINE.fullmatch(found):
        raise ValueError
    while "**" in found:
        found = found.replace("**", "*")
    return _Value(found, found)


def _line_sign(has: str, meant: str) -> int:
    return int(not fits_line(has, meant))


def fits_line(line: str, pattern: str) -> bool:
    """Whether a line of betting is of a pattern, in time that is their product at most."""
    reached = {0}
    for letter in line:
        reached = _opened(pattern, reached)
        reached = {
            place if pattern[place] == "*" else place + 1
            for place in reached
            if place < len(pattern) and (pattern[place] in ("*", letter) or (pattern[place] == "?" and letter != "/"))
        }
    return len(pattern) in _opened(pattern, reached)


def _opened(pattern: str, places: set[int]) -> set[int]:
    """Places of a pattern, and those behind the stars on which they are."""
    found = set(places)
    for place in places:
        while place < len(pattern) and pattern[place] == "*":
            place += 1
            found.add(place)
    return found


def _lines(hand: Hand, seat: int) -> tuple[str]:
    found = ""
    for each in hand.replay():
        if each.seat == seat and not each.out_of_turn:
            found += "/" * (each.round - found.count("/"))
            found += "f" if each.act == Act.FOLD else ("xc" if each.act == Act.CALL else "br")[each.to_call > 0]
    return (found[:63],)


def _reached(hand: Hand, seat: int) -> tuple[int]:
    folds = [each.round for each in hand.replay() if each.seat == seat and each.act == Act.FOLD]
    return (folds[0] if folds else hand.last_round,)


def _flop_seats(hand: Hand) -> list[int]:
    """Who saw the flop, in the order in which they act."""
    gone = {each.seat for each in hand.replay() if each.round == 0 and each.act == Act.FOLD}
    n, first = len(hand.players), hand.spec.first[1]
    found = [seat for k in range(n) if (seat := (first + k) % n) not in gone]
    return found if len(found) > 1 else []


_RELATIVE = ("first", "between", "last")


def _relative(hand: Hand, seat: int) -> tuple[str, ...]:
    seats = _flop_seats(hand)
    if seat not in seats:
        return ()
    return (_RELATIVE[0 if seat == seats[0] else 2 if seat == seats[-1] else 1],)


def _percent(text: str) -> _Value:
    found = _NUMBER.fullmatch(text.casefold())
    if found is None or found["unit"] == "bb":
        raise ValueError
    number = f"{found['whole']}.{found['part'] or ''}".rstrip("0").rstrip(".")
    return _Value(f"{number}%", Fraction(number))


def _sizes(hand: Hand, seat: int, *, made: bool) -> tuple[int, ...]:
    """The largest bet or raise after the flop that a seat made or faced."""
    largest, faced, now = 0, 0, 0
    for each in hand.replay():
        if each.round == 0 or each.out_of_turn:
            continue
        if each.round != now:
            now, faced = each.round, 0
        size = 100 * (each.put_in - each.to_call) // max(each.pot + each.to_call, 1) if each.act == Act.RAISE else 0
        if each.seat == seat:
            largest = max(largest, size if made else faced if each.to_call else 0)
        faced = size if each.act == Act.RAISE else faced
    return (largest,) if largest else ()


def _blinds(text: str) -> _Value:
    """A number of big blinds."""
    value = _amount(text)
    return _Value(f"{value.text.removesuffix('bb')}bb", value.meant.number)


def _depth(hand: Hand, seat: int) -> tuple[Fraction, ...]:
    """How deep a seat sits, as far as another one covers it, in whole hundredths of a big blind."""
    stacks = hand.stacks or ()
    known = [stack for place, stack in enumerate(stacks) if stack is not None and place != seat]
    own = stacks[seat] if stacks else None
    if own is None or (max(known, default=0) < own and len(known) + 1 < len(stacks)):
        return ()
    return (Fraction(100 * min(own, max(known, default=0)) // hand.spec.small_bet, 100),)


def _evs(hand: Hand, seat: int) -> tuple[tuple[float, float], ...]:
    chips = hand.all_in_ev_chips[seat]
    return () if chips is None else _amounts(hand.money(chips), chips / hand.spec.small_bet)


def _number_sign(has: float, meant: Fraction) -> float:
    return round(float(has) - float(meant), 9)


def _cards(text: str) -> _Value:
    """A part of a range."""
    from pokermodel.ranges import format_range, parse_range

    weights = parse_range(text)
    if not weights.any():
        raise ValueError
    return _Value(format_range((weights > 0).astype(float)), frozenset((weights > 0).nonzero()[0].tolist()))


def _holdings(hand: Hand, seat: int) -> tuple[int, ...]:
    cards = hand.holdings.get(seat)
    return () if cards is None else (holding_index(cards),)


_SUITS = ("monotone", "two-tone", "rainbow")
_PAIRS = ("trips", "paired", "unpaired")
_HIGH = tuple(f"{rank}-high" for rank in reversed(RANKS))
TEXTURES = (*_SUITS, *_PAIRS, "connected", *_HIGH)


def textures(ranks: Sequence[int], suits: int) -> tuple[str, ...]:
    """Words for a flop, given the ranks of its cards, 0 to 12, and how many suits they are of."""
    different = len(set(ranks))
    words = (_SUITS[suits - 1], _PAIRS[different - 1], _HIGH[12 - max(ranks)])
    # three ranks that a straight can have, the ace high or low
    low = [-1 if rank == 12 else rank for rank in ranks]
    straight = different == 3 and min(max(each) - min(each) for each in (ranks, low)) <= 4
    return (*words, "connected") if straight else words


def _textures(hand: Hand, seat: int) -> tuple[str, ...]:
    flop = hand.board[:3]
    return textures([card // 4 for card in flop], len({card % 4 for card in flop})) if flop else ()


def _of_book(hand: Hand, seat: int) -> NoReturn:
    raise ValueError(f"hand {hand.id}: tags, verdicts, sessions and statistics are known to a book alone: expected one")


def _others(hand: Hand, seat: int) -> tuple[str, ...]:
    return (*hand.players[:seat], *hand.players[seat + 1 :])


def _structures(hand: Hand, seat: int) -> tuple[str]:
    return (hand.spec.structure.replace(" ", "-"),)


def _sites(hand: Hand, seat: int) -> tuple[str]:
    return ((hand.spec.site or hand.source).casefold(),)


def _seats(hand: Hand, seat: int) -> tuple[str, str]:
    where = positions(hand.spec)
    return seat_names(where)[seat], POSITIONS[where[seat]].replace(" ", "-")


def _sign(has: Any, meant: Any) -> float:
    """Below 0, 0 or above 0, as what a hand has is below, equal to or above what is meant."""
    return int(has > meant) - int(has < meant)


class _Key(NamedTuple):
    """What a key says of a hand."""

    read: Callable[[str], _Value]  #: Reads the text of a value; raises an empty `ValueError` if it is none.
    expected: str
    #: What a hand has, one or several, or nothing where that is not known, given the seat of the hero.
    of: Callable[[Hand, int], Iterable[Any]]
    ops: tuple[str, ...] = _EQUAL
    sign: Callable[[Any, Any], float] = _sign  #: Compares what a hand has with what is meant.
    of_hero: bool = False
    words: tuple[str, ...] = ()


_POSITIONS = tuple(name.replace(" ", "-") for name in POSITIONS)
_STRUCTURES = tuple(name.replace(" ", "-") for name in BettingStructure)
_SEATS = (*SEATS, *_POSITIONS)
_YES = ("yes", "no")
_AMOUNT = "an amount of money, as 12.50, or of big blinds, as 20bb"
_SEAT = f"UTG, UTG+1 and so on, LJ, HJ, CO, BTN, SB, BB, {', '.join(_POSITIONS)}"
_POT = "walk, limped, raised, 3-bet, 4-bet and so on, bomb or all-in-blinds"
_DATE = "a date or a time, as 1995, 1995-04, 1995-04-07 or 1995-04-07T12:30"
_PLAYER = "the name of a player"
_LINES = "the letters f x c b r, / between rounds, and * or ? for any, as r/b/*"
_PERCENT = "per cent of the pot, as 75%"
_STATISTIC = "the key of a statistic and perhaps a betting round, as fold_to_cbet:flop"
_VERDICTS = ("right", "mistake", "big-mistake", "probably", "cannot-tell", "not-judged")

#: The keys, in the order of the canonical text.
_KEYS: Mapping[str, _Key] = {
    "hero": _Key(_hero, _PLAYER, lambda hand, seat: (*hand.players, ""), ("=",)),
    "vs": _Key(_name, _PLAYER, _others, of_hero=True),
    "player": _Key(_name, _PLAYER, lambda hand, seat: hand.players),
    "seat": _Key(_choice(_SEATS), _SEAT, _seats, of_hero=True, words=_SEATS),
    "won": _Key(_amount, _AMOUNT, _won, _ALL, _amount_sign, of_hero=True),
    "lost": _Key(_amount, _AMOUNT, _lost, _ALL, _amount_sign, of_hero=True),
    "pot": _Key(_pot, _POT, _pots, words=(*_POTS[:3], "3-bet", "4-bet", *_POTS[3:])),
    "size": _Key(_amount, _AMOUNT, _size, _ALL, _amount_sign),
    "street": _Key(_street, ", ".join(ROUNDS), lambda hand, seat: (hand.last_round,), _ALL, words=ROUNDS),
    "showdown": _Key(_choice(_YES), "yes or no", lambda hand, seat: (_YES[not hand.showdown],), words=_YES),
    "players": _Key(_count, "a number", lambda hand, seat: (len(hand.players),), _ALL),
    "structure": _Key(_choice(_STRUCTURES), ", ".join(_STRUCTURES), _structures, words=_STRUCTURES),
    "stake": _Key(_stake, "small and big bet, or blinds, as 2/4 or '2/4 USD'", _stake_of, _EQUAL, _stake_sign),
    "site": _Key(_site, "the name of a site", _sites),
    "table": _Key(_name, "the name of a table", lambda hand, seat: (hand.table or "",)),
    "id": _Key(_name, "the id of a hand", lambda hand, seat: (hand.id,)),
    "cards": _Key(
        _cards, "a range, as TT+ or AKs", _holdings, sign=lambda has, meant: int(has not in meant), of_hero=True
    ),
    "line": _Key(_pattern, _LINES, _lines, sign=_line_sign, of_hero=True),
    "reached": _Key(_street, ", ".join(ROUNDS), _reached, _ALL, of_hero=True, words=ROUNDS),
    "relative": _Key(_choice(_RELATIVE), "first, between or last", _relative, of_hero=True, words=_RELATIVE),
    "left": _Key(_count, "a number", lambda hand, seat: (len(_flop_seats(hand)),), _ALL),
    "made": _Key(_percent, _PERCENT, partial(_sizes, made=True), _ALL, _number_sign, of_hero=True),
    "faced": _Key(_percent, _PERCENT, partial(_sizes, made=False), _ALL, _number_sign, of_hero=True),
    "depth": _Key(_blinds, "a number of big blinds, as 100bb", _depth, _ALL, _number_sign, of_hero=True),
    "ev": _Key(_amount, _AMOUNT, _evs, _ALL, _amount_sign, of_hero=True),
    "board": _Key(_choice(TEXTURES), f"{', '.join(TEXTURES[:7])}, A-high to 2-high", _textures, words=TEXTURES[:7]),
    "tag": _Key(_name, "a tag", _of_book),
    "verdict": _Key(_choice(_VERDICTS), ", ".join(_VERDICTS), _of_book, of_hero=True, words=_VERDICTS),
    "evlost": _Key(_blinds, "a number of big blinds, as 2bb", _of_book, _ALL, _number_sign, of_hero=True),
    "session": _Key(_period, _DATE, _of_book, ("=",), of_hero=True),
    "chance": _Key(_name, _STATISTIC, _of_book, of_hero=True),
    "did": _Key(_name, _STATISTIC, _of_book, of_hero=True),
    "since": _Key(_period, _DATE, _times, ("=",), lambda time, meant: -(time < meant.start)),
    "until": _Key(_period, _DATE, _times, ("=",), lambda time, meant: int(time >= meant.end)),
}
_PLACE = {key: place for place, key in enumerate(_KEYS)}
