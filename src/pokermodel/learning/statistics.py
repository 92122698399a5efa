"""Statistics of players: what one hand adds to those of each of its players, as counts that can be added.

What is counted stands in `pokermodel.learning.definitions`, and where, in `pokermodel.learning.layout`. A counter is a
number below `CONTEXTS`; `PlayerCounts` says which stands for what. Each betting structure has counters of its own, so
that figures of one are never added to those of another. Actions by contexts are counted in limit alone; what comes
behind `SIZE` on a page, sizes of bets among it, is counted outside limit alone.

Numbers from `CONTEXTS` on count actions in richer contexts (`pokermodel.reading.contexts`). Few of these are ever
met, so that they are kept apart. All counts are whole numbers: the order in which hands are learnt does not matter.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product, zip_longest
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.evaluator import evaluate
from pokermodel._core.hand_counts import pack, renumbered
from pokermodel._core.hand_counts import seats as seats_of
from pokermodel.cards import CLASS_OF_HOLDING, holding_index
from pokermodel.evaluation.hand_types import HAND_TYPES, SCHEMES, hand_type
from pokermodel.game import BOARD_CARDS, POSITIONS, Act, BettingStructure, Decision, Hand, positions
from pokermodel.learning.amounts import ALL_IN, ALL_IN_SIZE, RAKE, RAKE_SIZE
from pokermodel.learning.bet_sizes import SIZES, size_counters
from pokermodel.learning.counting import ActCounter, HandCounter, compile_acts, compile_hand
from pokermodel.learning.definitions import TABLES as WORDS
from pokermodel.learning.definitions import Statistic, forgetting, parsed, statistics
from pokermodel.learning.layout import (
    ACTIONS,
    CONTEXTS,
    PAGE_ENDS,
    PAGES,
    TABLES,
    Layout,
    layout_of,
    page_of,
    renumbering,
)
from pokermodel.learning.order import played, site_of_place
from pokermodel.reading.contexts import COARSE, ContextCounts
from pokermodel.reading.features import CountedAct, Replay
from pokermodel.reading.frequencies import ActionCounts

__all__ = [
    "ACTIONS",
    "CONTEXTS",
    "DEPTHS",
    "DEPTH_EDGES",
    "FLOPS",
    "MOST_SMALL_BETS",
    "PAGES",
    "POSITIONS",
    "SHOWDOWN",
    "SHOWDOWN_SQUARES",
    "SHOWDOWN_WON",
    "SIZE",
    "SQUARES",
    "WON",
    "Cells",
    "Contribution",
    "HandCounts",
    "PlayerCounts",
    "PlayerStatistics",
    "action_of",
    "cells_of",
    "context_counts",
    "contributions",
    "depth_of",
    "ev_of",
    "page_of",
    "position_of",
    "positions",
    "square",
    "structure_of",
    "totals",
]

#: Most small bets that may be won or lost in a hand, so that sums of squares fit into 64 bits.
MOST_SMALL_BETS = 1_000_000

# ------------------------------------------------------------------------------------------------- counters

#: Where that begins which is counted outside limit alone, and sizes of bets in it.
SIZE, _SIZES = TABLES["acts"].first, TABLES[f"sizes:{next(iter(SIZES))}"].first
_BY_PAGE = {page: structure for structure, page in PAGES.items()}
_HANDS = TABLES["hands"].first
_POSITIONS, _ACTS, _DEPTHS = TABLES["positions"].first, TABLES["acts"].first, TABLES["depths"].first
_SHOWN, _SHOWN_PREFLOP, _SHOWN_POSTFLOP = (
    TABLES[name].first for name in ("showdowns", "shown_preflop", "shown_postflop")
)
#: Counters of winnings, in millionths of a small bet, and of their squares, in thousandths. These, and what follows,
#: are counters of limit; those of other structures are on their pages.
WON, SQUARES = TABLES["money"].first, TABLES["money"].first + 1
#: The same of hands in which the player was at the showdown, which `SHOWDOWN` counts.
SHOWDOWN_WON, SHOWDOWN_SQUARES = TABLES["showdown_money"].first, TABLES["showdown_money"].first + 1
_RESULTS = tuple(WORDS["results"])
#: Counter of flops seen, without which there is no act after the flop.
FLOPS, SHOWDOWN, _SHOWDOWNS_WON, _FLOPS_WON = (TABLES["results"].first + k for k in range(len(_RESULTS)))

# ----------------------------------------------------------------------------------------------- stack depths

#: How deep a player sits: their stack at the beginning of a hand, as far as another player's covers it, in big blinds.
DEPTHS = ("below 20", "20 to 50", "50 to 100", "100 and more", "unknown")
#: Big blinds at which they meet; an edge belongs to the class above it.
DEPTH_EDGES = (20, 50, 100)
_UNKNOWN_DEPTH = len(DEPTHS) - 1

# ------------------------------------------------------------------------------------------------ what is added up


class Cells(NamedTuple):
    """Counters whose sums are the two numbers that a statistic is made of.

    Attributes
    ----------
    success, opportunity : tuple of int
    """

    success: tuple[int, ...]
    opportunity: tuple[int, ...]


def cells_of(statistic: Statistic, structure: BettingStructure, street: int | None = None) -> Cells:
    """The counters of a statistic other than a mean of money, in a betting round, by default the sum of all."""
    return _cells(statistic, layout_of(structure), street)


@lru_cache(4096)
def _cells(statistic: Statistic, layout: Layout, street: int | None) -> Cells:
    if not statistic.table:
        firsts = [
            layout.blocks[name].first for name, round in statistic.blocks().items() if street is None or street == round
        ]
        return Cells((*firsts,), (*(first + 1 for first in firsts),))
    page, found = PAGES[layout.structure], []
    for text in (statistic.success, statistic.opportunity):
        code = compile(parsed(text, tuple(statistic.words)), "<statistic>", "eval")
        rounds = statistic.streets if street is None else (street,)
        found.append(
            tuple(
                [
                    page + counter
                    for counter, words in _table(statistic.table, layout.structure)
                    if (not rounds or words.get("street") in rounds) and eval(code, {"__builtins__": {}}, words)
                ]
            )
        )
    return Cells(*found)


@cache
def _table(name: str, structure: BettingStructure) -> tuple[tuple[int, dict[str, Any]], ...]:
    """The counters of a table, each with what the words for its cells stand for there."""
    if name == "results":
        return tuple((FLOPS + k, {word: word == here for word in _RESULTS}) for k, here in enumerate(_RESULTS))
    acts: dict[str, Any]
    found = []
    if name == "shown_postflop":
        table = TABLES[name]
        for counter, (street, bets, act, made) in _numbered(table.first, table.shape):
            acts = {"calls": act == 0, "raises": act == 1, "busted": made < len(SCHEMES[25].busted)}
            found.append((counter, {"street": street + 1, "bets_to_call": bets, **acts}))
        return tuple(found)
    # of limit, where acts are counted with all their contexts, those of the same kind
    table = TABLES["actions" if structure.fixed else "acts"]
    for counter, (street, bets, *_, act) in _numbered(table.first, table.shape):
        acts = {"folds": act == Act.FOLD, "calls": act == Act.CALL, "raises": act == Act.RAISE}
        found.append((counter, {"street": street, "facing": bets > 0, **acts}))
    return tuple(found)


def _numbered(first: int, shape: tuple[int, ...]) -> Iterable[tuple[int, tuple[int, ...]]]:
    """The counters of a table with the index of each."""
    return enumerate(product(*map(range, shape)), first)


@cache
def _shown_postflop(street: int, bets: int, act: int) -> int:
    """The first of the counters, by type of hand, of an act with a holding that was shown; the flop is 0."""
    return _SHOWN_POSTFLOP + ((street * 3 + bets) * 2 + act - 1) * len(HAND_TYPES)


def action_of(counter: int) -> tuple[int, int, int]:
    """Round, bets to call (0, 1, 2 or more) and act of the counter of an action."""
    return counter // 54, counter // 18 % 3, counter % 3


def context_counts(counters: Mapping[int, int]) -> ContextCounts:
    """The actions by contexts, of counts by counter; counters of anything else are ignored."""
    coarse = np.zeros(ACTIONS, dtype=np.int64)
    rich = {}
    for counter, count in counters.items():
        if counter >= CONTEXTS:
            rich[counter - CONTEXTS] = count
        elif counter < ACTIONS:
            coarse[counter] = count
    return ContextCounts(coarse.reshape(TABLES["actions"].shape), rich)


class PlayerCounts:
    """All counts of a player in one betting structure, but those of the richer contexts.

    Parameters
    ----------
    counters : mapping of int to int
        Counts by counter, each below `CONTEXTS`; missing ones are 0, and those of other structures are ignored.

    Attributes
    ----------
    actions : ndarray of int64, shape (4, 3, 3, 2, 3)
        By round, bets to call (0, 1, 2 or more), own previous action in the hand (none, call or check, raise or
        bet), whether that one had bets to call, and act.
    showdowns : ndarray of int64, shape (169,)
        How often each class of holdings was shown.
    shown_preflop : ndarray of int64, shape (3, 2, 169)
        What was done before the flop with holdings that were shown in the end: by bets to call, act (call, raise)
        and class.
    shown_postflop : ndarray of int64, shape (3, 3, 2, 25)
        The same by round from the flop, bets to call, act and type of the hand at that time
        (`pokermodel.evaluation.hand_types.HAND_TYPES`).
    positions : ndarray of int64, shape (6,)
        Hands dealt in, by `POSITIONS`.
    acts : ndarray of int64, shape (4, 2, 3)
        By round, nothing or something to call, and act.
    depths : ndarray of int64, shape (5,)
        Hands dealt in, by `DEPTHS`; zeros in limit, where they are not counted.

    Notes
    -----
    Outside limit `actions`, `shown_preflop` and `shown_postflop`, which go by bets to call, are zeros.
    """

    __slots__ = (
        *("_counts", "_rest", "_values", "actions", "acts", "depths", "positions", "showdowns", "shown_postflop"),
        *("shown_preflop", "structure"),
    )

    def __init__(self, counters: Mapping[int, int], structure: BettingStructure = BettingStructure.LIMIT) -> None:
        page, size = PAGES[structure], SIZE if structure.fixed else _SIZES
        values = np.zeros(size, dtype=np.int64)
        places = np.fromiter(counters, dtype=np.int64, count=len(counters)) - page
        counts = np.fromiter(counters.values(), dtype=np.int64, count=len(counters))
        below = (places >= 0) & (places < size)
        values[places[below]] = counts[below]
        beyond = (places >= size) & (places + page < PAGE_ENDS[structure])
        self.structure = structure
        self._values = values
        self._counts: list[int] = values.tolist()  # single ones are read several times as quickly
        # few of many: sizes, and what statistics count that came later
        self._rest = dict(zip(places[beyond].tolist(), counts[beyond].tolist(), strict=True))
        self.actions = self._part("actions")
        self.showdowns = self._part("showdowns")
        self.shown_preflop = self._part("shown_preflop")
        self.shown_postflop = self._part("shown_postflop")
        self.positions = self._part("positions")
        if structure.fixed:
            self.acts = np.stack([self.actions[:, 0], self.actions[:, 1:].sum(axis=1)], axis=1).sum(axis=(2, 3))
            self.depths = np.zeros(len(DEPTHS), dtype=np.int64)
        else:
            self.acts, self.depths = self._part("acts"), self._part("depths")

    def sizes(self, key: str) -> tuple[list[int], int, dict[int, int]]:
        """How often bets and raises of a kind of `SIZES` had which size; nothing in limit.

        By class of the kind's scale; how many were all of the player's chips, which are in no class; and by bin of the
        scale, in order, those that are not 0.
        """
        kind, first = SIZES[key], TABLES[f"sizes:{key}"].first
        found = {counter - first + kind.first: self._rest[counter] for counter in self._rest}
        classes = [found.get(kind.first + k, 0) for k in range(len(kind.scale.classes))]
        of_bin = {k - kind.bins: found[k] for k in sorted(found) if 0 <= k - kind.bins < kind.scale.bins and found[k]}
        return classes, found.get(kind.all_in, 0), of_bin

    def _part(self, name: str) -> NDArray[np.int64]:
        table = TABLES[name]
        return self._values[table.first : table.first + table.size].reshape(table.shape)

    def __getitem__(self, name: str) -> int:
        """A plain number: "hands", "flops", "showdowns", "showdowns_won" or "flops_won"."""
        return int(self._values[_HANDS if name == "hands" else FLOPS + _RESULTS.index(name)])

    def total(self, counters: Sequence[int]) -> int:
        """The sum of some counts, by their counters, which are those of the structure; see `cells_of`."""
        page, counts = PAGES[self.structure], self._counts
        size, found = len(counts), 0
        for counter in counters:
            place = counter - page
            found += counts[place] if place < size else self._rest.get(place, 0)
        return found

    def pair(self, statistic: Statistic, street: int | None = None) -> tuple[int, int]:
        """How often a player did something, and how often they could have; in a betting round, or in all."""
        success, opportunity = cells_of(statistic, self.structure, street)
        return self.total(success), self.total(opportunity)

    @property
    def counts(self) -> ActionCounts:
        """The actions in Loki-1's twelve contexts."""
        return ActionCounts(self.actions.sum(axis=(2, 3)))

    def _block(self, name: str, size: int) -> list[int]:
        """The counts of a block that has no place of its own."""
        first = layout_of(self.structure).blocks[name].first - PAGES[self.structure]
        if first + size <= len(self._values):
            return self._counts[first : first + size]
        rest = self._rest
        return [rest.get(k, 0) for k in range(first, first + size)]

    @property
    def rake(self) -> float:
        """What the player paid of the rake, in small bets: in proportion to what they collected."""
        return RAKE.value(self._block("rake", RAKE_SIZE)) / 1e6

    @property
    def unstated_rakes(self) -> int:
        """Hands whose rake is not stated: what was won in them is before it."""
        return self._block("rake", 1)[0]

    @property
    def all_ins(self) -> tuple[int, int]:
        """All-ins in which the player was and cards were to come: with the cards of all known, and others."""
        known, unknown = self._block("all_in", 2)
        return known, unknown

    @property
    def ev_small_bets(self) -> float:
        """Winnings in small bets, with what all-ins were worth when the last money went in: all-in EV."""
        return (int(self._values[WON]) + ALL_IN[0].value(self._block("all_in", ALL_IN_SIZE))) / 1e6

    @property
    def squared_ev_small_bets(self) -> float:
        """Sum of the squares of the all-in EV of each hand, in small bets."""
        return (int(self._values[SQUARES]) + ALL_IN[1].value(self._block("all_in", ALL_IN_SIZE))) / 1e3

    @property
    def small_bets(self) -> float:
        """Winnings after the rake in small bets; outside limit, here and above, in big blinds."""
        return int(self._values[WON]) / 1e6

    @property
    def squared_small_bets(self) -> float:
        """Sum of the squares of the winnings of each hand, in small bets."""
        return int(self._values[SQUARES]) / 1e3

    @property
    def showdown_small_bets(self) -> float:
        """Winnings in small bets, of the hands in which the player was at the showdown."""
        return int(self._values[SHOWDOWN_WON]) / 1e6

    @property
    def squared_showdown_small_bets(self) -> float:
        """Sum of the squares of the winnings of each of these hands, in small bets."""
        return int(self._values[SHOWDOWN_SQUARES]) / 1e3


# --------------------------------------------------------------------------------------------------- one hand


class Contribution(NamedTuple):
    """What one hand adds to the counts of one of its players."""

    name: str
    #: Winnings after the rake in millionths of a small bet, outside limit of a big blind.
    won: int
    #: Counters that go up by one each: of the hand, of the position, and then, in the order in which the player acted,
    #: of each action as `PlayerCounts.actions` has it and by its richer context. Outside limit the depth follows the
    #: position, and acts are counted without contexts.
    counters: tuple[int, ...]


class HandCounts(NamedTuple):
    """What one hand adds to the counts of its players.

    Attributes
    ----------
    names : tuple of str
        Of the players, by seat.
    added : bytes
        What it adds, by seat: winnings in eight bytes, how many counters go up by one in two, and each of these in two,
        all little-endian.
    time, place, stake
        When and for what it was played, as `Played` has it.
    layout : Layout
        What was counted of it, and by which counters.
    """

    names: tuple[str, ...]
    added: bytes
    time: int | None
    place: bytes
    stake: str
    layout: Layout

    @property
    def site(self) -> str:
        """The poker site where it was played; "" if it was none."""
        return site_of_place(self.place)

    @property
    def players(self) -> tuple[Contribution, ...]:
        """What it adds to the counts of each player, by seat, by the counters of this build.

        Raises
        ------
        ValueError
            If the bytes are not what a hand adds.
        """
        table = to_build(self.layout)
        added = self.added if table is None else renumbered(self.added, table)
        return tuple([Contribution(name, *each) for name, each in zip(self.names, seats_of(added), strict=True)])


@lru_cache(64)
def _to_layout(source: Layout, target: Layout) -> NDArray[np.uint16] | None:
    return renumbering(source, target.blocks)


def to_build(layout: Layout) -> NDArray[np.uint16] | None:
    """What becomes of the counters of a layout in this build: see `renumbering`."""
    return _to_layout(layout, layout_of(layout.structure))


class PlayerStatistics:
    """How often each player did what, in which contexts and with which holdings.

    This is the one kind of knowledge that a book keeps player by player, and does not turn into bytes.
    """

    kind: ClassVar[str] = "statistics"
    structures: ClassVar[frozenset[BettingStructure]] = frozenset(BettingStructure)
    #: Of the content of its piece. What was counted of a hand stands in the book beside it (`Layout`).
    version: ClassVar[int] = 4

    @staticmethod
    def evidence(hand: Hand, decisions: Sequence[Decision]) -> HandCounts:
        """What a hand adds to the counts of its players, see `contributions`."""
        layout = layout_of(hand.spec.structure)
        return HandCounts(hand.players, _packed(hand, decisions), *played(hand), layout)


def square(won: int) -> int:
    """The square of winnings in millionths of a small bet, in thousandths."""
    return (won * won + 500_000_000) // 1_000_000_000


def totals(added: Iterable[Contribution]) -> Counter[int]:
    """By how much counters go up for one player, given what hands add to them."""
    counts: Counter[int] = Counter()
    for _, won, counters in added:
        counts.update(counters)
        page = page_of(counters[0])
        counts[page + WON] += won
        counts[page + SQUARES] += square(won)
        if page + SHOWDOWN in counters:
            counts[page + SHOWDOWN_WON] += won
            counts[page + SHOWDOWN_SQUARES] += square(won)
    return counts


def structure_of(added: Contribution) -> BettingStructure:
    """The betting structure of the hand."""
    return _BY_PAGE[page_of(added.counters[0])]


def position_of(added: Contribution) -> int:
    """Where the player sat, as an index into `POSITIONS`."""
    return added.counters[1] - page_of(added.counters[0]) - _POSITIONS


def depth_of(added: Contribution) -> int:
    """How deep the player sat, as an index into `DEPTHS`; not counted in limit."""
    return added.counters[2] - page_of(added.counters[0]) - _DEPTHS


def contributions(hand: Hand, decisions: Sequence[Decision]) -> tuple[Contribution, ...]:
    """Count one hand, given its replay, by seat.

    `ValueError` if the hand breaks the rules, is not finished or cannot be paid out.
    """
    return PlayerStatistics.evidence(hand, decisions).players


def _packed(hand: Hand, decisions: Sequence[Decision]) -> bytes:
    """What a hand adds, as `HandCounts.added` has it."""
    spec = hand.spec
    fixed, small_bet = spec.structure.fixed, spec.small_bet
    acts, folds = Replay.of(hand, decisions).counted
    seats = positions(spec)
    counters = [[_HANDS, _POSITIONS + seat] for seat in seats]
    once: list[set[int]] = [set() for _ in seats]
    parts: list[Sequence[list[int] | set[int]]] = [counters, once]
    if fixed:
        _count_actions(acts, counters)
    else:
        _count_sizes(hand, decisions, acts, counters)
    count, count_hand = _compiled.get(spec.structure) or _compile(spec.structure)
    count(acts, seats, once)
    showdown = _count_results(hand, decisions, folds, once)
    if showdown:
        parts.append(_count_shown(hand, acts if fixed else ()))
    if count_hand is not None:
        raises = sum([act == Act.RAISE for _, street, act, *_ in acts if not street])
        for seat, found in zip(seats, once, strict=True):
            count_hand(seat, len(seats), FLOPS in found, SHOWDOWN in found, _FLOPS_WON in found, raises, found)
    net = hand.net_chips
    won = [round(chips * 1_000_000 / small_bet) for chips in net]
    last = decisions[-1].round if decisions else 0
    evs = hand._all_in_ev(last, net) if showdown else net
    rake = hand.rake_chips
    if rake != 0 or evs is not net:
        parts.append(_count_money(hand, rake, None if evs is net else evs, won))
    return pack(won, parts, PAGES[spec.structure])


def _count_money(
    hand: Hand, rake: float | None, evs: Sequence[float | None] | None, won: Sequence[int]
) -> list[list[int]]:
    """Count, by seat, what was paid of the rake, and by how much all-in EV is more than what was won."""
    spec = hand.spec
    millionths, page, blocks = 1_000_000 / spec.small_bet, PAGES[spec.structure], layout_of(spec.structure).blocks
    counters: list[list[int]] = [[] for _ in won]
    if rake is None:
        for found in counters:
            found.append(blocks["rake"].first - page)
    elif rake:
        first = blocks["rake"].first - page
        for paid, found in zip(hand.rake_paid_chips or (), counters, strict=True):
            if paid:
                found += [first + k for k in RAKE.counters(round(paid * millionths))]
    if evs is not None:
        first = blocks["all_in"].first - page
        left = hand._final().active
        for seat in left:
            ev, found = evs[seat], counters[seat]
            if ev is None:
                found.append(first + 1)
                continue
            value = round(ev * millionths)
            more, squares = value - won[seat], square(value) - square(won[seat])
            found += [first, *(first + k for k in (*ALL_IN[0].counters(more), *ALL_IN[1].counters(squares)))]
    return counters


def ev_of(added: Contribution, structure: BettingStructure) -> int:
    """The all-in EV of a hand in millionths of a small bet: what was won, where no cards decided."""
    first = layout_of(structure).blocks["all_in"].first
    counts: list[int] = []
    for counter in added.counters:
        if 0 <= counter - first < ALL_IN_SIZE:
            counts = counts or [0] * ALL_IN_SIZE
            counts[counter - first] += 1
    return added.won + ALL_IN[0].value(counts) if counts else added.won


_compiled: dict[BettingStructure, tuple[ActCounter, HandCounter | None]] = {}
forgetting(_compiled.clear)


def _compile(structure: BettingStructure) -> tuple[ActCounter, HandCounter | None]:
    """What counts the statistics of a structure, on its page."""
    blocks = layout_of(structure).blocks
    places = {name: block.first - PAGES[structure] for name, block in blocks.items()}
    wanted = statistics(structure).values()
    _compiled[structure] = found = compile_acts(wanted, places), compile_hand(wanted, places)
    return found


def _count_actions(acts: Sequence[CountedAct], counters: Sequence[list[int]]) -> None:
    """Count in which context each action was done."""
    for seat, _, act, _, _, _, _, _, context, _ in acts:
        # as `PlayerCounts.actions` is indexed, and by the richer context
        counters[seat] += (context // COARSE * 3 + act, CONTEXTS + 3 * context + act)


def _count_sizes(
    hand: Hand, decisions: Sequence[Decision], acts: Sequence[CountedAct], counters: Sequence[list[int]]
) -> None:
    """Count how deep each player sits, acts without their contexts, and the sizes of bets and raises."""
    for found, depth in zip(counters, _depths(hand), strict=True):
        found.append(_DEPTHS + depth)
    for seat, street, act, to_call, *_ in acts:
        counters[seat].append(_ACTS + 6 * street + 3 * (to_call > 0) + act)
    for seat, counter in size_counters(hand.spec, decisions):
        counters[seat].append(_SIZES + counter)


def _depths(hand: Hand) -> list[int]:
    """How deep each player sits, as indices into `DEPTHS`."""
    stacks = hand.stacks or (None,) * len(hand.players)
    known = sorted([stack for stack in stacks if stack is not None])
    *_, second, most = 0, 0, *known
    edges = [edge * hand.spec.small_bet for edge in DEPTH_EDGES]
    found = []
    for own in stacks:
        covered = second if own == most else most
        if own is None or (covered < own and len(known) < len(stacks)):
            found.append(_UNKNOWN_DEPTH)
        else:
            found.append(bisect(edges, min(own, covered)))
    return found


def _count_results(
    hand: Hand, decisions: Sequence[Decision], folds: Mapping[int, int], once: Sequence[set[int]]
) -> bool:
    """Count flops and showdowns, seen and won; return whether there was a showdown."""
    flop = [seat for seat in range(len(once)) if folds.get(seat, 1)]
    showdown = len(once) - len(folds) > 1
    if len(flop) < 2:
        return showdown
    payoffs, invested = hand.payoffs, _invested(hand, decisions)
    *_, second, most = sorted(invested)
    for seat in flop:
        chips, found = invested[seat], once[seat]
        # what comes back of a bet that nobody could call was not won
        won = payoffs[seat] + (second if chips == most else chips) > 1e-6
        found.add(FLOPS)
        if won:
            found.add(_FLOPS_WON)
        if showdown and seat not in folds:
            found.add(SHOWDOWN)
            if won:
                found.add(_SHOWDOWNS_WON)
    return showdown


def _invested(hand: Hand, decisions: Sequence[Decision]) -> list[int]:
    """Chips that each seat put in."""
    if not decisions:
        return _forced(hand)
    situation = decisions[-1].situation
    chips = list(situation.committed)
    chips[situation.seat] += decisions[-1].put_in
    return chips


def _forced(hand: Hand) -> list[int]:
    """Blinds and antes, as far as they could be paid."""
    due = [sum(money) for money in zip_longest(hand.spec.blinds, hand.spec.antes, fillvalue=0)]
    stacks = hand.stacks or [None] * len(due)
    return [money if stack is None else min(money, stack) for money, stack in zip(due, stacks, strict=True)]


def _count_shown(hand: Hand, acts: Sequence[CountedAct]) -> list[list[int]]:
    """Count, by seat, the holdings that were shown, and what was done with them."""
    counters: list[list[int]] = [[] for _ in hand.players]
    shown = {seat: hand.holdings[seat] for seat in hand.shown if seat not in hand.mucked}
    classes = {seat: _class_of(holding) for seat, holding in shown.items()}
    boards = [hand.board[:cards] for cards in BOARD_CARDS]
    for seat, number in classes.items():
        counters[seat].append(_SHOWN + number)
    for seat, street, act, _, _, bets, *_ in acts:
        if seat in shown:
            if street:
                made = hand_type(evaluate(boards[street] + shown[seat]))
                counters[seat].append(_shown_postflop(street - 1, bets, act) + made)
            else:
                counters[seat].append(_SHOWN_PREFLOP + (bets * 2 + act - 1) * 169 + classes[seat])
    return counters


@cache  # there are few
def _class_of(holding: tuple[int, int]) -> int:
    return int(CLASS_OF_HOLDING[holding_index(holding)])
