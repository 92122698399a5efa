"""`Filter`: which hands are meant."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel.cards import RANKS, holding_index
from pokermodel.game import POSITIONS, ROUNDS, SEATS, Hand, positions, seat_names
from pokermodel.game.pot_types import pot_type
from pokermodel.histories import Filter, open_hands
from pokermodel.histories.filter import _KEYS, _OPS, TEXTURES
from pokermodel.library.rows import Place, Rows, rows_of
from tests.common.random_hands import wild_hand


def at(time: datetime | None, **changes: object) -> Hand:
    """The example, played at some time."""
    hand = pm.example_hand()
    values = dict(
        zip(("source", "id", "spec", "players", "actions", "board", "holdings"), hand._content(), strict=False)
    )
    return Hand(**{**values, "time": time, **changes})  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------------- the grammar


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("", ""),
        ("  \n", ""),
        ("pot=3bet  hero='Big \"Al\"'", 'hero="Big \\"Al\\"" pot=3-bet'),
        ("seat=btn,co,BTN seat=CO,BTN", "seat=BTN,CO"),
        ("lost>005.50BB won<1.0 size>=0.10", "won<1 lost>5.5bb size>=0.1"),
        ("stake='0.10/0.20 USD' stake!=1/2", 'stake="0.1/0.2 USD" stake!=1/2'),
        ("since='1995-04-07 12:30+02:00' until=1995", "since=1995-04-07T10:30 until=1995"),
        ("player=a=b player!=A,a", "player=a=b player!=A,a"),
        ("site=PokerStars structure=NO-LIMIT showdown!=Yes", "showdown!=yes structure=no-limit site=pokerstars"),
        ('hero=""', 'hero=""'),
        ("street=FLOP,turn street<river", "street=flop,turn street<river"),
        ("players>=03 pot=single-raised", "pot=raised players>=3"),
        ("table='a\\'b,c d\\\\'", 'table="a\'b,c d\\\\"'),
    ],
)
def test_one_canonical_text(text: str, canonical: str) -> None:
    assert str(Filter(text)) == canonical
    assert Filter(canonical) == Filter(text)
    assert hash(Filter(canonical)) == hash(Filter(text))


AMOUNTS = st.builds(
    lambda number, digits, unit: f"{number:.{digits}f}{unit}",
    *(st.floats(0, 1e6), st.integers(0, 3), st.sampled_from(["", "bb", "BB"])),
)
MOMENTS = st.builds(
    lambda time, size: time.strftime("%Y-%m-%dT%H:%M:%S")[:size],
    *(st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)), st.sampled_from([4, 7, 10, 16, 19])),
)
NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
VALUES: dict[str, st.SearchStrategy[str]] = {
    **dict.fromkeys(("vs", "player", "hero", "site", "table", "id"), NAMES),
    "seat": st.sampled_from([*SEATS, "early", "middle", "cutoff", "button", "small-blind", "big-blind"]),
    **dict.fromkeys(("won", "lost", "size"), AMOUNTS),
    "pot": st.sampled_from(["walk", "limped", "raised", "3-bet", "4bet", "12-bet", "bomb", "all-in-blinds"]),
    "street": st.sampled_from(ROUNDS),
    "showdown": st.sampled_from(["yes", "no"]),
    "players": st.integers(2, 23).map(str),
    "structure": st.sampled_from(["limit", "pot-limit", "no-limit"]),
    "stake": st.builds(
        "{}/{}{}".format, st.integers(1, 50), st.sampled_from(["1", "0.20", "400"]), st.sampled_from(["", " USD", "€"])
    ),
    **dict.fromkeys(("since", "until", "session"), MOMENTS),
    "tag": NAMES,
    "ev": AMOUNTS,
    **dict.fromkeys(("depth", "evlost"), AMOUNTS),
    **dict.fromkeys(("made", "faced"), st.integers(0, 300).map("{}%".format)),
    "left": st.integers(0, 23).map(str),
    "reached": st.sampled_from(ROUNDS),
    "relative": st.sampled_from(["first", "between", "last"]),
    "line": st.text("fxcbr/*?", min_size=1, max_size=9),
    "cards": st.sampled_from(["TT+", "AKs", "A2s+", "AhKh", "random", "22-55", "QJ"]),
    "board": st.sampled_from(TEXTURES),
    **dict.fromkeys(("chance", "did"), st.sampled_from(["vpip", "fold_to_cbet:flop"])),
    "verdict": st.sampled_from(["right", "mistake", "big-mistake", "probably", "cannot-tell", "not-judged"]),
}
#: Keys of which a hand says nothing by itself.
OF_BOOK = {"tag", "verdict", "evlost", "session", "chance", "did"}


def quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


@st.composite
def terms(draw: Any, keys: list[str]) -> str:
    """A term with one of the keys, every value in quotes."""
    key = draw(st.sampled_from(keys))
    op = draw(st.sampled_from(_KEYS[key].ops))
    many = op in ("=", "!=") and _KEYS[key].ops != ("=",)
    values = draw(st.lists(VALUES[key], min_size=1, max_size=3 if many else 1))
    return f"{key}{op}{','.join(map(quoted, values))}"


FILTERS = st.builds(
    lambda hero, some: " ".join([*hero, *some]),
    st.lists(terms(["hero"]), max_size=1),
    st.lists(terms([key for key in VALUES if key != "hero"]), max_size=5),
)


def test_every_key_has_values() -> None:
    assert VALUES.keys() == _KEYS.keys()


@given(FILTERS)
def test_the_canonical_text_is_the_filter(text: str) -> None:
    found = Filter(text)
    again = Filter(str(found))
    assert again == found
    assert str(again) == str(found) == str(pickle.loads(pickle.dumps(found))) == str(copy.deepcopy(found))


def refused(text: str) -> tuple[Filter | None, str]:
    """The filter of a text, or why it is none."""
    try:
        return Filter(text), ""
    except ValueError as error:
        return None, str(error)


@given(st.text(st.sampled_from("herotplas=!<>,\"'\\ 3-b5%"), max_size=30))
def test_any_text_is_a_filter_or_one_line(text: str) -> None:
    found, said = refused(text)
    if found is None:
        assert len(said.splitlines()) == 1
        assert "expected" in said
    else:
        assert Filter(str(found)) == found


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("colour=red", "at 'colour=red', character 1", "there is no key 'colour': expected hero, vs, player"),
        ("pot=3-bet hero", "at 'hero', character 11", "expected a key, one of = != < <= > >=, and a value"),
        ("=5", "at '=5', character 1", "expected a key"),
        ("pot=", "at the end", "expected a value, walk, limped, raised, 3-bet"),
        ("pot=9bets", "at '9bets', character 5", "'9bets': expected walk, limped"),
        ("pot=2-bet", "character 5", "expected walk"),
        ("pot>3-bet", "character 1", "pot has no >: expected = !="),
        ("lost>5%", "at '5%', character 6", "expected an amount of money, as 12.50, or of big blinds, as 20bb"),
        ("lost>5bb,10bb", "character 1", "lost> takes one value, got 2"),
        ("lost>-5", "character 6", "expected an amount"),
        ("size>=12.", "character 7", "expected an amount"),
        ("seat=dealer", "character 6", "expected UTG, UTG"),
        ("street=fourth", "character 8", "expected pre-flop, flop, turn, river"),
        ("since=1995-13", "character 7", "expected a date or a time"),
        ("since=yesterday", "character 7", "expected a date or a time"),
        ("until=9999", "character 7", "expected a date or a time"),
        ("since>1995", "character 1", "since has no >: expected ="),
        ("since=1995,1996", "character 1", "since= takes one value, got 2"),
        ("stake=10", "character 7", "expected small and big bet"),
        ("players=many", "character 9", "expected a number"),
        ("player=", "at the end", "expected a value, the name of a player"),
        ('player=""', "character 8", "expected the name of a player"),
        ('player="Ann"b', "at 'b', character 13", "expected a blank or a comma after a value"),
        ('player="Ann', "character 8", "expected a value, the name of a player; one with blanks or commas in quotes"),
        ("hero=Ann hero=Bob", "", "the heroes Ann and Bob: expected one"),
        ('hero="" lost>5', "at lost>5", 'hero="" means none: expected hero=NAME'),
        ("x" * 10_001, "", "10,001 characters: expected 10,000 at most"),
    ],
)
def test_what_is_no_filter(text: str, where: str, what: str) -> None:
    with pytest.raises(ValueError, match="filter") as error:
        Filter(text)
    assert where in str(error.value)
    assert what in str(error.value)
    assert len(str(error.value).splitlines()) == 1


def test_a_filter_is_a_value() -> None:
    assert not Filter()
    assert not Filter('hero=""')
    assert Filter("showdown=no")
    assert Filter("hero=Ann").hero == "Ann"
    assert Filter("player=Ann").hero is None
    assert Filter("pot=3-bet").with_hero("Big Al") == Filter("pot=3-bet hero='Big Al'").with_hero("Big Al")
    with pytest.raises(ValueError, match="the hero is 'Bob', but the filter has hero=Ann: expected one"):
        Filter("hero=Ann").with_hero("Bob")
    assert Filter("hero=Ann lost>5 pot=3-bet").keys == {"hero", "lost", "pot"}
    assert repr(Filter("pot=3bet")) == "Filter('pot=3-bet')"
    with pytest.raises(AttributeError, match="cannot be changed"):
        Filter().hero = "Ann"
    with pytest.raises(ValueError, match="a filter is 5: expected text"):
        Filter(5)  # type: ignore[arg-type]


# --------------------------------------------------------------------------------------------------------- matching


@pytest.mark.parametrize(
    ("since", "until", "inside", "outside"),
    [
        ("1995", "1995", ["1995-01-01T00:00", "1995-12-31T23:59:59.9"], ["1994-12-31T23:59:59", "1996-01-01T00:00"]),
        ("1995-12", "1995-12", ["1995-12-01", "1995-12-31T23:59"], ["1995-11-30T23:59", "1996-01-01"]),
        ("1995-02-28", "1995-02-28", ["1995-02-28T23:59:59"], ["1995-02-27T23:59:59", "1995-03-01"]),
        ("1995-02-28 12:30", "1995-02-28 12:30", ["1995-02-28T12:30:59"], ["1995-02-28T12:29:59", "1995-02-28T12:31"]),
        ("1995-02-28T12:30:05", "1995-02-28T12:30:05", ["1995-02-28T12:30:05.5"], ["1995-02-28T12:30:06"]),
        ("1995-02-28T12:30+02:00", "", ["1995-02-28T10:30"], ["1995-02-28T10:29"]),
        ("", "1995-04-01", ["1995-04-01T23:59", "1970-01-01"], ["1995-04-02"]),
    ],
)
def test_dates(since: str, until: str, inside: list[str], outside: list[str]) -> None:
    given = {"since": since, "until": until}
    means = Filter(" ".join(f"{key}='{text}'" for key, text in given.items() if text))
    for text, expected in [(text, True) for text in inside] + [(text, False) for text in outside]:
        time = datetime.fromisoformat(text)
        assert means(at(time)) is means(at(time.replace(tzinfo=UTC))) is expected, text
    assert not means(at(None))


def test_positions() -> None:
    hand = pm.example_hand()
    where = [POSITIONS[place].replace(" ", "-") for place in positions(hand.spec)]
    assert where == ["small-blind", "big-blind", "middle", "middle", "cutoff", "button"]
    everywhere = [each.replace(" ", "-") for each in POSITIONS]
    for name, place in zip(hand.players, where, strict=True):
        assert [each for each in everywhere if Filter(f"hero={name} seat={each}")(hand)] == [place]
        assert Filter(f"hero={name} seat={','.join(everywhere)}")(hand)
        assert not Filter(f"hero={name} seat!={place}")(hand)


def test_stakes_of_every_structure() -> None:
    hand = pm.example_hand()
    cents = at(None, unit=Fraction(1, 100), currency="USD")
    assert Filter("stake=10/20")(hand)
    assert Filter("stake=0.10/0.2")(cents)
    assert Filter("stake='0.1/0.2 USD'")(cents)
    assert not Filter("stake='0.1/0.2 EUR'")(cents)
    assert not Filter("stake=10/20")(cents)
    blinds = at(None, spec=pm.GameSpec.no_limit(6, 5, 10), actions=[], board=(), holdings={})
    assert Filter("stake=5/10")(blinds)
    assert not Filter("stake=10/10")(blinds)


def test_whose_hands_they_are() -> None:
    hand = at(None, hero="Eve")
    assert Filter("seat=cutoff")(hand) == Filter("hero=Eve seat=cutoff")(hand)
    assert Filter("vs=Boris")(hand)
    assert not Filter("vs=Eve")(hand)
    assert Filter("player=Eve")(hand)
    assert not Filter("hero=Nemo lost>0")(hand)
    assert Filter("seat=cutoff,button,middle")(at(None), "Eve")
    with pytest.raises(ValueError, match=r"hand .* names no hero, and lost>0 is about one: expected hero=NAME"):
        Filter("player=Eve lost>0")(at(None))


HANDS = [wild_hand(random.Random(seed), seed) for seed in range(150)]


def net(hand: Hand, seat: int, bb: bool) -> float:
    return hand.net_chips[seat] / hand.spec.bets[0] if bb else hand.net_chips[seat] * float(hand.unit)


@cache
def rows(hand: Hand) -> Rows:
    """The row of a hand in a book, whose figures are worked out another way."""
    return rows_of([(hand, Place())])


def flop_words(flop: tuple[int, ...]) -> set[str]:
    """By what players see."""
    if not flop:
        return set()
    ranks, suits = [RANKS[card // 4] for card in flop], [card % 4 for card in flop]
    high = next(rank for rank in reversed(RANKS) if rank in ranks)
    ladder = "A" + RANKS
    straight = any(set(ranks) <= set(ladder[k : k + 5]) for k in range(len(ladder) - 4)) and len(set(ranks)) == 3
    pairs = {1: "trips", 2: "paired", 3: "unpaired"}[len(set(ranks))]
    return {
        *({1: "monotone", 2: "two-tone", 3: "rainbow"}[len(set(suits))], pairs, f"{high}-high"),
        *(["connected"] if straight else []),
    }


def brute(key: str, hand: Hand, name: str, value: str) -> float | None:
    """What a hand has beside a value: below 0, 0 or above 0; None where it is not known."""
    seat = hand.players.index(name)
    found = rows(hand)
    of = {column: int(values[seat]) for column, values in found.of_seats.items()}
    cards = hand.holdings.get(seat)
    amount, bb = value.lower().removesuffix("bb"), value.lower().endswith("bb")
    kinds: dict[str, Callable[[], float | None]] = {
        "hero": lambda: 0 if value in hand.players else 1,
        "vs": lambda: 0 if value in set(hand.players) - {name} else 1,
        "player": lambda: 0 if value in hand.players else 1,
        "seat": lambda: 0 if value in (
            seat_names(positions(hand.spec))[seat], POSITIONS[positions(hand.spec)[seat]].replace(" ", "-"),
        ) else 1,
        "won": lambda: round(net(hand, seat, bb) - float(amount), 9),
        "lost": lambda: round(-net(hand, seat, bb) - float(amount), 9),
        "size": lambda: round(hand.pot_chips * (1 / hand.spec.bets[0] if bb else float(hand.unit)) - float(amount), 9),
        "pot": lambda: int(pot_type(hand).replace("single-", "").replace(" ", "-") != value.replace("4bet", "4-bet")),
        "street": lambda: ROUNDS.index(ROUNDS[hand.last_round]) - ROUNDS.index(value),
        "showdown": lambda: int(("no", "yes")[hand.showdown] != value),
        "players": lambda: len(hand.players) - int(value),
        "structure": lambda: int(hand.spec.structure.replace(" ", "-") != value),
        "stake": lambda: int(hand.stake.split()[0] != value.replace("0.20", "0.2")),
        "site": lambda: int((hand.spec.site or hand.source).lower() != value.lower()),
        "table": lambda: int(hand.table != value),
        "id": lambda: int(hand.id != value),
        "since": lambda: None if hand.time is None else 0 if hand.time.isoformat() >= value else -1,
        "until": lambda: None if hand.time is None else 0 if hand.time.isoformat()[: len(value)] <= value else 1,
        "cards": lambda: None if cards is None else int(not pm.ranges.parse_range(value)[holding_index(cards)]),
        "line": lambda: int(not fnmatchcase(found.lines[seat], value.replace("[", "[[]"))),
        "reached": lambda: int(of["street"]) - ROUNDS.index(value),
        "relative": lambda: int(("", "first", "between", "last")[of["relative"]] != value) if of["relative"] else None,
        "left": lambda: int(found.of_hands["seen"][0]) - int(value),
        "made": lambda: round(of["made"] - float(value.rstrip("%")), 9) if of["made"] else None,
        "faced": lambda: round(of["faced"] - float(value.rstrip("%")), 9) if of["faced"] else None,
        "depth": lambda: None if of["depth"] < 0 else round(of["depth"] / 100 - float(amount), 9),
        "ev": lambda: None if (ev := hand.all_in_ev_chips[seat]) is None else round(
            (ev / hand.spec.bets[0] if bb else ev * float(hand.unit)) - float(amount), 9
        ),
        "board": lambda: int(value not in flop_words(hand.board[:3])),
    }  # fmt: skip
    return kinds[key]()


@pytest.mark.parametrize("key", [key for key in VALUES if key not in OF_BOOK])
def test_what_fits_a_term(key: str) -> None:
    """By a second way to say what a hand has, for values that hands have and others."""
    rng = random.Random(key)
    likely: dict[str, list[str]] = {
        **dict.fromkeys(("hero", "vs", "player"), sorted({name for hand in HANDS for name in hand.players})),
        "seat": ["UTG", "BTN", "SB", "BB", "CO", "early", "middle", "cutoff", "button", "small-blind", "big-blind"],
        **{name: ["0", "5bb", "20", "2.5BB", "40", "1bb"] for name in ("won", "lost", "size")},
        "pot": ["walk", "limped", "raised", "3-bet", "4bet", "bomb", "all-in-blinds"],
        "street": list(ROUNDS),
        "showdown": ["yes", "no"],
        "players": ["2", "3", "6", "9"],
        "structure": ["limit", "pot-limit", "no-limit"],
        "stake": sorted({hand.stake.split()[0] for hand in HANDS}),
        "site": sorted({hand.source for hand in HANDS}),
        "table": sorted({hand.table for hand in HANDS if hand.table}) or ["Cetus"],
        "id": [hand.id for hand in HANDS[:3]],
        "ev": ["0", "5bb", "20", "1bb"],
        "cards": ["22+", "A2+,K2+", "72s", "random"],
        "line": ["f", "r*", "c/*", "*", "x?", "*b*"],
        "reached": list(ROUNDS),
        "relative": ["first", "between", "last"],
        "left": ["0", "2", "3"],
        **{size: ["50%", "100%", "33.5%", "0"] for size in ("made", "faced")},
        "depth": ["5bb", "10", "20bb", "50bb", "50"],
        "board": list(TEXTURES),
        **dict.fromkeys(("since", "until"), sorted({t.isoformat()[:10] for h in HANDS if (t := h.time) is not None})),
    }
    outcomes = set()
    for hand in HANDS:
        for op in _KEYS[key].ops:
            many = 2 if op in ("=", "!=") and _KEYS[key].ops != ("=",) else 1
            values = [rng.choice(likely[key]) for _ in range(rng.randint(1, many))]
            name = rng.choice(hand.players)
            found = [brute(key, hand, name, value) for value in values]
            if op == "!=":
                expected = 0 not in found
            else:
                expected = any(each is not None and _OPS[op](each, 0) for each in found)
            means = Filter(f"{key}{op}{','.join(map(quoted, values))}")
            assert means(hand, name) is expected, (means, hand, name)
            outcomes.add((op, expected))
    assert len(outcomes) == 2 * len(_KEYS[key].ops) or key in ("id", "table", "site")


@given(
    st.lists(terms([key for key in VALUES if key not in {"hero"} | OF_BOOK]), max_size=4),
    *(st.sampled_from(HANDS), st.randoms()),
)
def test_a_hand_fits_all_terms(some: list[str], hand: Hand, rng: random.Random) -> None:
    name = rng.choice(hand.players)
    assert Filter(" ".join(some))(hand, name) is all(Filter(term)(hand, name) for term in some)


def test_a_source_selects() -> None:
    from importlib import resources

    path = resources.files("pokermodel").joinpath("data/samples/no-limit.txt")
    source = open_hands(str(path))
    numbers = [number for number, _ in source.select("pot=3-bet").select("street>=turn").numbered()]
    assert numbers == [number for number, _ in source.select(Filter("street>=turn pot=3bet")).numbered()]
    assert 0 < len(numbers) < len(list(source))
