"""Range text: a textbook reader, PokerKit and eval7 as oracles, and properties."""

from __future__ import annotations

import itertools
import pickle
import re
from fractions import Fraction

import eval7
import numpy as np
import pokerkit
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pokerkit.analysis import parse_range as pokerkit_range

from pokermodel.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS, HOLDINGS_OF_CLASS, holding_index
from pokermodel.errors import RangeError
from pokermodel.ranges import (
    DIALECTS,
    as_weights,
    format_range,
    from_dialect,
    from_pio,
    from_pokerkit,
    parse_range,
    to_dialect,
    to_eval7,
    to_pio,
    to_pokerkit,
    top_holdings,
)

RANKS = "23456789TJQKA"
SUITS = "cdhs"
#: A ranking that is easy to follow: AA, AKs, AQs, ..., row by row through the grid.
BY_ROW = -np.arange(169.0)


def textbook(high: str, low: str, suffix: str = "") -> set[frozenset[str]]:
    """Holdings of a class, as sets of card texts."""
    pairs = (frozenset((high + a, low + b)) for a, b in itertools.product(SUITS, SUITS))
    return {
        holding
        for holding in pairs
        if len(holding) == 2 and (high == low or not suffix or (len({c[1] for c in holding}) == 1) == (suffix == "s"))
    }


def covered(weights) -> dict[frozenset[str], float]:
    return {frozenset((HOLDINGS[i][:2], HOLDINGS[i][2:])): float(weights[i]) for i in np.flatnonzero(weights)}


def same(text: str, *kinds: tuple[str, ...], weight: float = 1.0) -> None:
    expected = set().union(*(textbook(*kind) for kind in kinds))
    assert covered(parse_range(text, ranking=BY_ROW)) == dict.fromkeys(expected, weight), text


SUFFIXES = ["s", "o", ""]
EVERYTHING = "22+," + ",".join(f"{rank}2+" for rank in RANKS[1:])
PAIRS_OF_RANKS = [(high, low) for high in range(13) for low in range(high)]


# -- reading ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_class(suffix):
    for high, low in PAIRS_OF_RANKS:
        kind = RANKS[high], RANKS[low], suffix
        same("".join(kind), kind)
        same(RANKS[low] + RANKS[high] + suffix.upper(), kind)
        same("".join(kind).lower().replace("t", "10"), kind)


def test_every_pair_and_holding():
    for rank in RANKS:
        same(rank * 2, (rank, rank))
        same(rank * 2 + "o", (rank, rank))
    for index, name in enumerate(HOLDINGS):
        for text in (name, name[2:] + name[:2], name.lower(), name.upper(), name[:2] + " " + name[2:]):
            assert np.flatnonzero(parse_range(text)).tolist() == [index]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_plus(suffix):
    for high, low in PAIRS_OF_RANKS:
        kickers = [(RANKS[high], RANKS[kicker], suffix) for kicker in range(low, high)]
        same(f"{RANKS[high]}{RANKS[low]}{suffix}+", *kickers)
    for rank in range(13):
        same(RANKS[rank] * 2 + "+", *((better, better) for better in RANKS[rank:]))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_minus(suffix):
    for high, low in PAIRS_OF_RANKS:
        kickers = [(RANKS[high], RANKS[kicker], suffix) for kicker in range(low + 1)]
        same(f"{RANKS[high]}{RANKS[low]}{suffix}-", *kickers)
    for rank in range(13):
        same(RANKS[rank] * 2 + "-", *((worse, worse) for worse in RANKS[: rank + 1]))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_wildcard(suffix):
    """A card of a rank with any that is no higher: with a suffix no pair."""

    def kinds(high):
        pair = [] if suffix else [(RANKS[high], RANKS[high])]
        return [*pair, *((RANKS[high], RANKS[low], suffix) for low in range(high))]

    for high, rank in enumerate(RANKS):
        for text in (f"{rank}x", f"{rank}X", f"{rank}*", f"x{rank}"):
            same(text + suffix, *kinds(high))
        same(f"{rank}x{suffix}+", *itertools.chain(*map(kinds, range(high, 13))))
        same(f"{rank}x{suffix}-", *itertools.chain(*map(kinds, range(high + 1))))


def test_every_holding_with_its_suits_behind():
    for name in HOLDINGS:
        for text in (name[0] + name[2] + name[1] + name[3], name[2] + name[0] + name[3] + name[1]):
            assert parse_range(text).tolist() == parse_range(name).tolist()
    assert parse_range("KQ♠♠").tolist() == parse_range("KsQs").tolist()


@pytest.mark.parametrize(
    ("text", "usual"),
    [
        ("88-:0.5, AA", "88-22:0.5, AA"),
        ("88- ; A5s-", "88-22, A5s-A2s"),
        ("0.5(A5s-)", "0.5(A5s-A2s)"),
        ("[50]K9o\u2013[/50]", "[50]K9o-K2o[/50]"),
        ("50:88-, 20:Kxs", "50:88-22, 20:K2s+"),
        ("JJ- 77", "JJ-77"),
        ("top 15%", "15%"),
        ("Top15%/ir2, AA", "15%/ir2, AA"),
    ],
)
def test_spellings_of_other_programs(text, usual):
    assert parse_range(text).tolist() == parse_range(usual).tolist()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_span(suffix):
    for (high, low), (other_high, other_low) in itertools.product(PAIRS_OF_RANKS, PAIRS_OF_RANKS):
        text = f"{RANKS[high]}{RANKS[low]}{suffix}-{RANKS[other_high]}{RANKS[other_low]}{suffix}"
        if high == other_high:
            kickers = range(min(low, other_low), max(low, other_low) + 1)
            same(text, *((RANKS[high], RANKS[kicker], suffix) for kicker in kickers))
        elif high - low == other_high - other_low:
            tops = range(min(high, other_high), max(high, other_high) + 1)
            same(text, *((RANKS[top], RANKS[top - high + low], suffix) for top in tops))
        else:
            with pytest.raises(RangeError, match=r"^column [45]: the ends of a span must be"):
                parse_range(text)
    for first, last in itertools.product(range(13), range(13)):
        ranks = RANKS[min(first, last) : max(first, last) + 1]
        same(RANKS[first] * 2 + "-" + RANKS[last] * 2, *((rank, rank) for rank in ranks))


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("AKs", 1.0),
        ("AKs:0.5", 0.5),
        ("AKs:.5", 0.5),
        ("AKs:50%", 0.5),
        ("AKs : 5e-1", 0.5),
        ("AKs@50", 0.5),
        ("AKs@50%", 0.5),
        ("AKs @ 50.", 0.5),
        ("AKs@12.5", 0.125),
        ("AKs:2", 2.0),
        ("0.5(AKs)", 0.5),
        ("50%(AKs)", 0.5),
        ("50% ( AKs )", 0.5),
        ("[50]AKs[/50]", 0.5),
        ("[50.0]AKs[/50]", 0.5),
        ("[ 50% ] AKs [ / 50.0 ]", 0.5),
        ("AKs:1e-300", 1e-300),
        ("AKs@0.1", 0.001),
        ("0.5(50%(AKs))", 0.25),
        ("[50]AKs:0.5[/50]", 0.25),
        ("0.5([50]AKs@50[/50])", 0.125),
    ],
)
def test_weights(text, weight):
    same(text, ("A", "K", "s"), weight=weight)
    # Outside of groups the weight is 1 again.
    assert covered(parse_range(f"{text},AhKd"))[frozenset(("Ah", "Kd"))] == 1.0


def test_percentages_are_rounded_once():
    for percent in ("14.1", "28.999999999999996", "0.07", "1e-3", "70"):
        digits = percent.partition("e")
        expected = float(f"{digits[0]}e{int(digits[2] or 0) - 2}")
        for text in (f"AA@{percent}", f"{percent}%(AA)", f"[{percent}]AA[/{percent}]", f"AA:{percent}%"):
            assert parse_range(text)[-1] == expected


@pytest.mark.parametrize("text", ["random", "ANY", "*", "XX", "xx", "Random", "100%", "100.0%", EVERYTHING])
def test_every_holding(text):
    assert parse_range(text).tolist() == [1.0] * 1326


def test_signs_of_suits():
    expected = parse_range("AsKs:0.5, 10h9h, QdQc:0.25")
    for selector in "", "\ufe0e", "\ufe0f":
        text = f"A♠{selector}K♤{selector}:0.5, 10♥{selector} 9h, Qd Q♣{selector}:0.25"
        assert (parse_range(text) == expected).all()


def test_any_with_a_weight():
    assert set(parse_range("random:0.25")) == {0.25}
    assert set(parse_range("10%(*:0.5)")) == {0.05}


@pytest.mark.parametrize("separator", [",", ";", " ", "\n", ", ", " ;\t", "\r\n", "\u00a0", ",,", " , ; "])
def test_separators(separator):
    expected = parse_range("22+,AhKh:0.5,A5s-A2s")
    text = separator.join(["22+", "AhKh:0.5", "A5s-A2s"])
    assert (parse_range(text) == expected).all()
    assert (parse_range(separator + text + separator) == expected).all()


@pytest.mark.parametrize("dash", ["-", " - ", "\u2013", "\u2014"])
def test_dashes_of_web_pages(dash):
    assert (parse_range(f"JJ{dash}77 A5s{dash}A2s") == parse_range("77-JJ A2s-A5s")).all()


@pytest.mark.parametrize("text", ["", " ", "\n", ",", " ; , ", "AA:0", "0(AA)", "[0]22+[/0]", "0%", "0.5()"])
def test_the_empty_range(text):
    assert not parse_range(text, ranking=BY_ROW).any()


def test_the_later_item_wins():
    weights = parse_range("random:0.1, 22+, 55:0, AhKh:0.5, AKs:0.7, AsKs:0.2")
    assert weights[holding_index("5h5d")] == 0.0
    assert weights[holding_index("6h6d")] == 1.0
    assert weights[holding_index("AhKh")] == 0.7
    assert weights[holding_index("AsKs")] == 0.2
    assert weights[holding_index("7h2d")] == 0.1


ITEMS = st.sampled_from(
    ["random", "22+", "AA-JJ:0.5", "AT+@30", "0.2(A5s-A2s, AhKh)", "T9s-54s", "12%", "KhQd:0", "[7]K2+[/7]"]
)


@given(st.lists(ITEMS, max_size=6), st.lists(ITEMS, max_size=6))
def test_later_items_win_wherever_they_say_something(earlier, later):
    both = parse_range(",".join(earlier + later), ranking=BY_ROW)
    first = parse_range(",".join(earlier), ranking=BY_ROW)
    # On two grounds: what the later items cover does not depend on the ground, the rest is the ground.
    on_one, on_two = (parse_range(",".join([f"*:{ground}", *later]), ranking=BY_ROW) for ground in (1000, 2000))
    untouched = on_one != on_two
    assert (both == np.where(untouched, first, on_one)).all()


# -- rankings --------------------------------------------------------------------------------------


def test_percentages_by_hand():
    # 1,326 * 0.75% = 9.945: the six of AA, and 3.945 of the four of AKs.
    weights = parse_range("0.75%", ranking=BY_ROW)
    assert weights[holding_index("AsAh")] == 1.0
    assert weights[holding_index("AsKs")] == pytest.approx(3.945 / 4, rel=1e-12)
    assert np.count_nonzero(weights) == 10
    halved = parse_range("0.75%:0.5 7%(KK)", ranking=BY_ROW)
    assert halved[holding_index("AsKs")] == pytest.approx(3.945 / 8, rel=1e-12)


@pytest.mark.parametrize("percent", ["7.5", "0.1", "12.3", "33.4", "66.6", "99.9"])
def test_shares_at_the_border_are_rounded_once(percent):
    """1,326 * 7.5% = 99.45, of which 3.45 are of a class of four: 0.8625 each, and not 0.8625000000000007."""
    shares = {Fraction(percent) * 1326 / 100 - whole for whole in range(1326)}
    expected = {float(share / size) for share in shares for size in (4, 6, 12, 16) if 0 < share < size}
    weights = set(parse_range(f"{percent}%"))
    assert weights <= {0.0, 1.0} | expected
    assert weights - {0.0, 1.0}
    assert (top_holdings(float(percent)) == parse_range(f"{percent}%")).all()


def test_weights_are_written_as_they_were_meant():
    assert format_range(parse_range("7.5%"), compact=True) == "99+,ATs+,AQo+,KTs+,QTs+,JTs:0.8625"
    assert format_range(parse_range("0.7(0.1(AA:0.3)), [70]KK:0.1[/70]")) == "AA:0.021,KK:0.07"
    assert format_range(parse_range("0.75%:0.1", ranking=BY_ROW)) == "AA:0.1,AKs:0.098625"


def test_classes_of_equal_rank_share_the_border():
    ranking = np.zeros(169)
    ranking[CLASSES.index("AA")] = 1.0
    weights = top_holdings(50, ranking)
    assert set(weights[HOLDINGS_OF_CLASS[0]]) == {1.0}
    rest = np.delete(weights, HOLDINGS_OF_CLASS[0])
    assert np.ptp(rest) == 0.0
    assert weights.sum() == pytest.approx(663)


@given(st.floats(0, 100), st.lists(st.integers(-5, 5), min_size=169, max_size=169))
def test_top_holdings(percent, ranking):
    weights = top_holdings(percent, ranking)
    assert weights.sum() == pytest.approx(1326 * percent / 100, abs=1e-9)
    values = np.array([ranking[c] for c in range(169)])
    shares = np.array([weights[members[0]] for members in HOLDINGS_OF_CLASS])
    for members, share in zip(HOLDINGS_OF_CLASS, shares, strict=True):
        assert set(weights[members]) == {share}
    # Never less for a better class, equal for equal ones, and at most one level between 0 and 1.
    order = np.argsort(-values)
    assert (np.diff(shares[order]) <= 0).all()
    assert len(set(values[(shares > 0) & (shares < 1)])) <= 1


def test_named_rankings_are_income_rates():
    from pokermodel.evaluation.preflop import income_rates

    for players in (2, 4, 7, 10):
        expected = top_holdings(15, income_rates(players))
        for text in (f"15%/ir{players}", f"15% / IR{players}", f"30%/ir2 *:0 15%/ir{players}"):
            assert (parse_range(text) == expected).all()
        assert (parse_range("15%", ranking=f"ir{players}") == expected).all()
    assert (parse_range("15%") == parse_range("15%/ir7")).all()
    assert parse_range("2%/ir2")[HOLDINGS_OF_CLASS[0]].all()


@pytest.mark.parametrize(
    ("text", "ranking", "words"),
    [
        ("AA 101%", BY_ROW, "column 4: 101% of the holdings: expected 0 to 100"),
        ("AA 101%/ir7", BY_ROW, "column 4: 101%"),
        ("AA 1e999%", BY_ROW, "column 4: inf%"),
        ("AA 10%/ir1", BY_ROW, "column 8: "),
        ("AA 10%/ir24", BY_ROW, "column 8: "),
        ("AA 10%/ir999", BY_ROW, "column 8: unknown ranking 'ir999': expected 'irN'"),
        ("AA 10% / sklansky", BY_ROW, "column 10: unknown ranking 'sklansky'"),
        ("AA 10%/", BY_ROW, "column 8: unknown ranking ''"),
        ("10%", "best", "column 1: unknown ranking 'best'"),
        ("10%", [1, 2, 3], "column 1: a ranking is 169 numbers"),
        ("10%", np.full(169, np.nan), "column 1: a ranking is 169 numbers"),
    ],
)
def test_bad_rankings(text, ranking, words):
    with pytest.raises(RangeError, match=f"^{words}"):
        parse_range(text, ranking=ranking)


@pytest.mark.parametrize("percent", [-1.0, 100.5, float("nan"), float("inf")])
def test_top_holdings_of_bad_percentages(percent):
    with pytest.raises(ValueError, match="expected 0 to 100"):
        top_holdings(percent, BY_ROW)


# -- errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("hello", 1, "expected holdings, as 'AKs', .* found 'hello'"),
        ("AA,KK,A", 7, "found 'A'"),
        ("AA KKK", 6, "expected a separator"),
        ("AKsQQ", 4, "expected a separator .* found 'QQ'"),
        ("AhKhQh", 5, "expected a separator"),
        ("randomAA", 7, "expected a separator"),
        ("15%AA", 4, "expected a separator"),
        ("0.5(AA)KK", 8, "expected a separator"),
        ("[50]AA[/50]KK", 12, "expected a separator"),
        ("AA[50]KK[/50]", 3, "expected a separator"),
        ("AhKh+", 5, "expected a separator"),
        ("22++", 4, "expected a separator"),
        ("AAs", 3, "'AAs': a pair cannot be suited"),
        ("QQ AAs+", 6, "a pair cannot be suited"),
        ("KK-AAs", 6, "a pair cannot be suited"),
        ("AhAh", 3, "the card Ah cannot be held twice"),
        ("10h 10H", 5, "the card Th cannot be held twice"),
        ("Ah", 1, "expected holdings"),
        ("Ah 10x", 1, "expected holdings"),
        ("JJ- 0.5(77)", 5, "the other end of the span, .* found '0.5"),
        ("88- A5s-", 5, "the ends of a span"),
        ("KKss", 2, "the card Ks cannot be held twice"),
        ("KQso", 4, "expected a separator"),
        ("AA AXo-A5o", 8, "the ends of a span"),
        ("A5s-Axs", 5, "the ends of a span"),
        ("Axx", 3, "expected a separator"),
        ("A*A", 3, "expected a separator"),
        ("A-", 1, "found 'A-'"),
        ("top 15", 1, "or '15%', found 'top'"),
        ("AA top", 4, "found 'top'"),
        ("top 101%", 5, "101% of the holdings: expected 0 to 100"),
        ("JJ-AhKh", 4, "the other end of the span"),
        ("A5s-A2o", 5, "the ends of a span"),
        ("A5s-A2", 5, "the ends of a span"),
        ("AA-AK", 4, "the ends of a span"),
        ("AK-AA", 4, "the ends of a span"),
        ("K9s-Q7s", 5, "the ends of a span"),
        ("AA:", 4, "expected a weight, .* found the end of the text"),
        ("AA:,KK", 4, "expected a weight, .* found ','"),
        ("AA:-0.5", 4, "expected a weight, a finite number >= 0, found '-0.5'"),
        ("AA:nan", 4, "expected a weight"),
        ("AA:inf", 4, "expected a weight"),
        ("AA@", 4, "expected a weight"),
        ("AA:1e999", 4, "too large"),
        ("1e999(AA)", 1, "too large"),
        ("1e200(1e200(AA))", 7, "too large"),
        ("1e200(AA:1e200)", 7, "too large"),
        ("AA:0.5:0.5", 7, "expected a separator"),
        ("AA:1.2.3", 7, "expected a separator"),
        ("0.5(AA", 1, r"'0.5\(' is never closed"),
        ("KK 0.5( 50%(AA)", 4, r"'0.5\(' is never closed"),
        ("[50]AA", 1, r"'\[50\]' is never closed"),
        ("AA)", 3, r"'\)' closes nothing"),
        ("AA[/50]", 3, r"'\[/50\]' closes nothing"),
        ("[50]AA[/40]", 7, r"'\[/40\]' does not close '\[50\]' at column 1"),
        ("KK [50]AA)", 10, r"'\)' does not close '\[50\]' at column 4"),
        ("0.5(AA[/50]", 7, r"'\[/50\]' does not close '0.5\(' at column 1"),
        ("(AA)", 1, "expected holdings"),
        ("77 (AA)", 4, "expected holdings"),
        ("0.5", 1, "expected holdings"),
        ("[]AA[/]", 1, "expected holdings"),
        ("-JJ", 1, "expected holdings"),
        ("AA\nKK\nxyz", 7, "found 'xyz'"),
        ("\u212aK", 1, "expected holdings"),
        ("AA A♠\ufe0fA♤", 7, "the card As cannot be held twice"),
        ("AA♠", 3, "expected a separator .*, found '♠'"),
        ("AA A♠X♥\ufe0f", 4, "found 'A♠X♥\ufe0f'"),
    ],
)
def test_errors_know_the_column(text, column, words):
    with pytest.raises(RangeError, match=words) as caught:
        parse_range(text, ranking=BY_ROW)
    assert caught.value.column == column
    assert caught.value.text == text
    assert str(caught.value) == f"column {column}: {caught.value.reason}"


def test_errors_can_be_sent_between_processes():
    with pytest.raises(RangeError) as caught:
        parse_range("AA,xyz")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.text, copy.column) == (str(caught.value), "AA,xyz", 4)


@given(st.lists(st.sampled_from(["AA", "T9s-54s", "AhKh:0.25", "50%(KK)", "*", "AT+"]), max_size=5), st.integers(0, 9))
def test_the_column_is_that_of_the_culprit(items, place):
    before = ",".join(items[:place])
    text = ",".join([*items[:place], "QzQy", *items[place:]])
    with pytest.raises(RangeError) as caught:
        parse_range(text)
    assert caught.value.column == len(before) + (2 if before else 1)


FRAGMENTS = [
    "AA",
    "AKs",
    "T9",
    "AhKh",
    "10",
    "22",
    "+",
    "-",
    ":",
    "@",
    "%",
    "(",
    ")",
    "[",
    "]",
    "[/",
    "50",
    "0.5",
    "e9",
]
FRAGMENTS += [" ", ",", ";", "\n", "random", "*", "x", "/", "ir7", ".", "\u2013", "\u0000", "\u00bd", "\u0663"]


@settings(max_examples=400)
@given(st.one_of(st.text(max_size=30), st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join)))
@example("9" * 5000 + "(AA)")
@example("AA:1e" + "9" * 5000)
@example("0.5(" * 5000)
@example("[50]" * 3000 + "AA" + "[/50]" * 3000)
@example("." * 1000)
def test_any_text_is_a_range_or_a_range_error(text):
    try:
        weights = parse_range(text, ranking=BY_ROW)
    except RangeError as error:
        assert 1 <= error.column <= len(text) + 1  # noqa: PT017 - either outcome is right
    else:
        assert weights.shape == (1326,)
        assert np.isfinite(weights).all()
        assert (weights >= 0).all()
        assert (parse_range(format_range(weights)) == weights).all()


# -- the other libraries as oracles ----------------------------------------------------------------

CLASS_TEXT = st.sampled_from(list(CLASSES) + [name[:2] for name in CLASSES if len(name) == 3])


@st.composite
def shared_items(draw, shifted: bool, mixed: bool):
    """An item in the syntax that PokerKit (shifted) or eval7 (mixed) shares with us."""
    name = draw(CLASS_TEXT)
    suffix = name[2:]
    form = draw(st.sampled_from(["plain", "plus", "span", "holding"]))
    if form == "plus":
        return name + "+"
    if form == "holding":
        return draw(st.sampled_from(HOLDINGS))
    if form == "span":
        high, low = RANKS.index(name[0]), RANKS.index(name[1])
        if high == low:
            return f"{name}-{draw(st.sampled_from(RANKS)) * 2}"
        if mixed:
            return f"{name}-{name[0]}{RANKS[draw(st.integers(0, high - 1))]}{suffix}"
        if shifted:
            step = draw(st.integers(-low, 12 - high))
            return f"{name}-{RANKS[high + step]}{RANKS[low + step]}{suffix}"
    return name


@given(st.lists(shared_items(shifted=True, mixed=False), max_size=5), st.sampled_from([",", ";", " "]))
def test_agreement_with_pokerkit(items, separator):
    text = separator.join(items)
    expected = pokerkit_range(text)
    weights = parse_range(text)
    assert to_pokerkit(weights) == expected
    assert (from_pokerkit(expected) == weights).all()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(shared_items(shifted=False, mixed=True), min_size=1, max_size=4),
    st.sampled_from(["", "0.25", "40%", "1", "12.5%"]),
)
def test_agreement_with_eval7(items, weight):
    text = ",".join(items)
    text = f"{weight}({text}), AhKh" if weight else text
    # eval7 lists a holding once for every item that covers it; the last is the one that counts for us.
    listed = {frozenset(map(str, hand)): value for hand, value in eval7.HandRange(text).hands}
    assert covered(parse_range(text)) == pytest.approx(listed)


# -- writing ---------------------------------------------------------------------------------------

WEIGHTS = st.one_of(
    st.just(0.0),
    st.just(1.0),
    st.sampled_from([0.5, 0.85, 1 / 3, 0.01, 1e-5, 1e22, 5e-324, 1.7976931348623157e308]),
    st.floats(0, 1),
    st.floats(0, allow_infinity=False),
)


@st.composite
def weight_vectors(draw):
    """Weights of classes, of holdings, or of both."""
    weights = np.zeros(1326)
    for index, weight in draw(st.dictionaries(st.integers(0, 168), WEIGHTS, max_size=40)).items():
        weights[HOLDINGS_OF_CLASS[index]] = weight
    for index, weight in draw(st.dictionaries(st.integers(0, 1325), WEIGHTS, max_size=40)).items():
        weights[index] = weight
    if draw(st.booleans()):
        weights[weights == 0] = draw(WEIGHTS)
    return weights


@settings(max_examples=150, deadline=None)
@given(weight_vectors())
def test_round_trips_are_exact(weights):
    for write in (format_range, to_eval7):
        assert (parse_range(write(weights)) == weights).all(), write
    assert (parse_range(format_range(weights, compact=True)) == weights).all()
    assert (from_pio(to_pio(weights)) == weights).all()


def test_round_trip_of_weights_that_all_differ():
    rng = np.random.default_rng(7)
    weights = rng.random(1326) * 10.0 ** rng.integers(-320, 308, 1326)
    for write in (format_range, to_eval7):
        assert (parse_range(write(weights)) == weights).all()
    assert (from_pio(to_pio(weights)) == weights).all()


@settings(max_examples=50, deadline=None)
@given(weight_vectors(), st.integers(1, 17))
def test_fewer_digits(weights, digits):
    written = parse_range(format_range(weights, digits=digits))
    normal = weights > 1e-300
    assert np.allclose(written[normal], weights[normal], rtol=10.0 ** (1 - digits), atol=0)
    assert (from_pio(to_pio(weights, digits=digits)) == written).all()


def test_what_is_written():
    weights = parse_range("AKo:0.5, 22+, AKs, QJs:0.85, 77:0, AhKs:0.25")
    assert format_range(weights) == (
        "AA,KK,QQ,JJ,TT,99,88,66,55,44,33,22,AKs,"
        "AsKh:0.5,AsKd:0.5,AsKc:0.5,AhKs:0.25,AhKd:0.5,AhKc:0.5,"
        "AdKs:0.5,AdKh:0.5,AdKc:0.5,AcKs:0.5,AcKh:0.5,AcKd:0.5,QJs:0.85"
    )
    assert format_range(parse_range("K9o:0.25,AA:0.85,K9s,22")) == "AA:0.85,22,K9s,K9o:0.25"
    assert to_eval7(parse_range("AA:0.85 KK:0.85 AKs")) == "AKs,0.85(AA,KK)"
    gto = to_dialect(parse_range("AA:0.85 KK:0.85 AKs QQ:0.125"), "gto+")
    assert gto == "AKs,[85.0]AA,KK[/85.0],[12.5]QQ[/12.5]"
    assert format_range(np.zeros(1326)) == ""
    assert format_range(np.full(1326, 1 / 3), digits=2).startswith("AA:0.33,KK:0.33,")
    assert format_range(parse_range("AA:0.9999"), digits=2) == "AA"
    assert to_eval7(parse_range("AA:1e-20")) == "0.00000000000000000001(AA)"


@pytest.mark.parametrize(
    "text",
    [
        "random",
        "random:0.5",
        "22+",
        "22+,A2s+",
        "TT-77:0.5",
        "AT+",
        "AT+,K9s+,KQo",
        "A2s+,AJo+",
        "AK-AT:0.3,A9s-A6s,A9o:0.1",
        "99+,77-22:0.2,A5s-A2s,T9s,98s,AhKh:0.5",
        "AK,K2+,32",
    ],
)
def test_compact_text_is_what_people_write(text):
    written = format_range(parse_range(text), compact=True)
    assert (parse_range(written) == parse_range(text)).all()
    assert len(written) <= len(text)


@given(weight_vectors())
@settings(max_examples=40, deadline=None)
def test_compact_text_is_never_longer(weights):
    assert len(format_range(weights, compact=True)) <= len(format_range(weights))


def test_every_class_is_named_before_its_holdings():
    written = format_range(np.ones(1326)).split(",")
    assert sorted(written) == sorted(CLASSES)
    assert written[:14] == [rank * 2 for rank in RANKS[::-1]] + ["AKs"]


@settings(max_examples=25, deadline=None)
@given(st.dictionaries(st.integers(0, 168), st.sampled_from([0.25, 0.5, 1.0, 0.01, 1e-6]), max_size=30))
def test_eval7_reads_what_is_written_for_it(classes):
    weights = np.zeros(1326)
    for index, weight in classes.items():
        weights[HOLDINGS_OF_CLASS[index]] = weight
    listed = eval7.HandRange(to_eval7(weights)).hands
    assert len(listed) == np.count_nonzero(weights)
    assert {frozenset(map(str, hand)): weight for hand, weight in listed} == covered(weights)


@settings(max_examples=40, deadline=None)
@given(weight_vectors(), st.sampled_from([0.0, 0.01, 0.5]))
def test_pokerkit_reads_what_is_written_for_it(weights, threshold):
    inside = to_pokerkit(weights, threshold)
    assert pokerkit_range(format_range(weights > threshold)) == inside
    assert (from_pokerkit(inside) == (weights > threshold)).all()


def test_ranges_of_pokerkit_that_are_none():
    with pytest.raises(ValueError, match="not a card"):
        from_pokerkit([frozenset(pokerkit.Card.parse("As??"))])
    with pytest.raises(ValueError, match="a holding is two cards"):
        from_pokerkit([frozenset(pokerkit.Card.parse("AsKd2c"))])


def test_pio_order():
    weights = np.arange(1326.0)
    text = to_pio(weights)
    assert text.startswith("0 1 2 3")
    assert text.endswith(" 1325")
    assert (from_pio(f"\n{text}\n".replace(" ", "\n")) == weights).all()


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("", 1, "expected 1326 numbers, found 0"),
        ("1 2 3", 6, "expected 1326 numbers, found 3"),
        ("1 -2 3", 3, "expected a weight, a finite number >= 0, found '-2'"),
        ("1 nan", 3, "expected a weight"),
        ("1 1e999", 3, "expected a weight"),
        ("0x1", 1, "expected a weight"),
        ("0 " * 1327, 2653, "found more"),
    ],
)
def test_bad_pio_vectors(text, column, words):
    with pytest.raises(RangeError, match=words) as caught:
        from_pio(text)
    assert caught.value.column == column


@pytest.mark.parametrize("write", [format_range, to_eval7, to_pio, to_pokerkit, as_weights])
@pytest.mark.parametrize(
    ("values", "words"),
    [
        (np.zeros(169), r"shape \(1326,\), got \(169,\)"),
        (np.zeros((1326, 1)), r"shape \(1326,\)"),
        (1.0, r"shape \(1326,\), got \(\)"),
        ("AA", "1326 numbers, got str"),
        ([None] * 3, "shape|numbers"),
        (np.full(1326, -1.0), "the weight of 2d2c is -1.0: expected a finite number >= 0"),
        (np.where(np.arange(1326) == 1325, np.nan, 1.0), "the weight of AsAh is nan"),
        (np.where(np.arange(1326) == 1325, np.inf, 1.0), "the weight of AsAh is inf"),
    ],
)
def test_bad_weights(write, values, words):
    with pytest.raises(ValueError, match=words):
        write(values)


@pytest.mark.parametrize("digits", [0, -3])
def test_bad_digits(digits):
    with pytest.raises(ValueError, match="digits must be 1 or more"):
        format_range(np.ones(1326), digits=digits)


def test_as_weights_copies_and_cleans():
    values = np.full(1326, -0.0)
    weights = as_weights(values)
    assert not np.signbit(weights).any()
    assert not np.shares_memory(weights, values)
    live = np.zeros(1326, dtype=bool)
    assert not as_weights(np.full(1326, np.nan), live).any()


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("pio", "AA:0.75,22:0.004,AKs,AhKd:0.5"),
        ("gto+", "AKs,[75.0]AA[/75.0],[0.4]22[/0.4],[50.0]AhKd[/50.0]"),
        ("texassolver", "AA:0.75,AKs,AhKd:0.5"),
        ("flopzilla", "AKs,[75.0]AA[/75.0],[0.4]22[/0.4],[50.0]AhKd[/50.0]"),
        ("equilab", "100:AKs,75:AA,0.4:22,50:AhKd"),
    ],
)
def test_what_programs_are_given(dialect, text):
    weights = parse_range("AA:3, AKs:4, AhKd:2, 22:0.016, 33:0.00001")
    assert to_dialect(weights, dialect) == text
    plain = dialect if dialect == "texassolver" else "pio"
    assert format_range(from_dialect(text, dialect)) == to_dialect(weights, plain)


def test_numbers_of_pio_are_in_its_order():
    """PioSOLVER documents its hand list as 2d2c 2h2c 2h2d ..."""
    numbers = to_dialect(parse_range("2d2c:2, 2h2d:1, AsAh:4"), "pio-numbers").split(" ")
    assert len(numbers) == 1326
    assert (numbers[0], numbers[1], numbers[2], numbers[-1]) == ("0.5", "0", "0.25", "1")


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("flopzilla", "AA-22,AKs-A2s,AKo-A9o,A5o-A4o,KQs"),
        ("equilab", "22+,A2s+,A9o+,A5o-A4o,KQs"),
        ("holdem resources", "22+, A2s+, A9o+, A5o, A4o, KQs"),
    ],
)
def test_classes_are_joined_as_the_programs_do(dialect, text):
    weights = parse_range("22+, A2s+, A9o+, A5o, A4o, KQs")
    assert to_dialect(weights, dialect) == text
    assert (parse_range(text) == weights).all()


def class_vectors():
    """Weights of classes."""
    weights = st.dictionaries(st.integers(0, 168), WEIGHTS, min_size=1, max_size=60)
    return weights.map(lambda chosen: np.array([chosen.get(int(index), 0.0) for index in CLASS_OF_HOLDING]))


@settings(max_examples=120, deadline=None)
@given(st.data(), st.sampled_from(DIALECTS))
def test_programs_are_given_weights_up_to_1(data, dialect):
    hrc = dialect == "holdem resources"
    weights = data.draw((class_vectors() if hrc else weight_vectors()).filter(lambda weights: weights.any()))
    text = to_dialect(weights, dialect)
    read = from_dialect(text, dialect)
    assert read.max() == 1.0
    off = {"texassolver": 0.00505, "holdem resources": 0.00500000001}.get(dialect, 0.00005000001)
    assert np.abs(read - weights / weights.max()).max() <= off
    assert to_dialect(read, dialect) == text
    assert "\n" not in text
    if dialect != "pio-numbers":  # any dialect is recognised
        assert (parse_range(text) == read).all()
    if dialect == "texassolver":  # reads nothing but classes and holdings, without spaces
        assert all(re.fullmatch(r"(..|..[so]|....)(:[0-9.]+)?", item) for item in text.split(","))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        # Power-Equilab
        ("100:22+,A2s+,24:A4o,92:K8o,98s", "22+,A2s+,A4o:0.24,K8o:0.92,98s:0.92"),
        ("41:AA,88,J6s,32:K7s,1:Kd2d", "AA:0.41,88:0.41,J6s:0.41,K7s:0.32,Kd2d:0.01"),
        ("59:AA,88,44:33,83:44", "AA:0.59,88:0.59,33:0.44,44:0.83"),
        ("44:33-22,7:88", "33-22:0.44,88:0.07"),
        ("100.000000:random,50.000000:AA", "random,AA:0.5"),
        # Flopzilla
        ("[99]K9s,QTs,T9s[/99],[97]A9s-A8s,KTs[/97],88-44", "K9s:0.99,QTs:0.99,T9s:0.99,A9s-A8s:0.97,KTs:0.97,88-44"),
        # HoldemResources Calculator
        ("55+, 44:0.61, A3s+, AQo+, AJo:0.41, T9s", "55+,44:0.61,A3s+,AQo+,AJo:0.41,T9s"),
        # what looks like the first, and is none
        ("44:33", "44:33"),
        ("99:0.5,AA", "AA,99:0.5"),
        ("55:50%,AA", "AA,55:0.5"),
    ],
)
def test_ranges_as_programs_keep_them(text, same):
    assert format_range(parse_range(text)) == format_range(parse_range(same))


def test_pairs_after_a_weight_are_told_by_the_dialect():
    assert format_range(from_dialect("44:33", "equilab")) == "33:0.44"
    assert format_range(from_dialect("44:33", "pio")) == "44:33"


def test_ranges_that_no_program_reads():
    with pytest.raises(ValueError, match=r"expected one of pio, .*, equilab, holdem resources"):
        to_dialect(np.ones(1326), "monker")
    with pytest.raises(ValueError, match="unknown dialect 'monker'"):
        from_dialect("AA", "monker")
    with pytest.raises(ValueError, match="weight 0"):
        to_dialect(np.zeros(1326), "pio")
    with pytest.raises(ValueError, match="one weight for all holdings of AKs, got 0 for AcKc and 1 for AhKh"):
        to_dialect(parse_range("QQ+, AhKh"), "holdem resources")
    assert to_dialect(parse_range("AA:100, AKs:50, AhKh:50.1"), "holdem resources") == "AA, AKs:0.50"


@pytest.mark.parametrize("text", ["AA:0.5", "100:AA:0.5", "100:AA,50%:KK"])
def test_weights_stand_before_or_behind(text):
    with pytest.raises(RangeError, match="expected a separator"):
        from_dialect(text, "equilab")


@pytest.mark.parametrize("text", [None, 3, b"AA"])
def test_what_is_no_text(text):
    with pytest.raises(RangeError, match=re.escape(f"expected the text of a range, got {text!r}")):
        parse_range(text)
