"""Statistics of players: what one hand adds to those of each of its players, as counts that can be added.

A counter is a number below `CONTEXTS`; `PlayerCounts` says which stands for what. Each betting structure has counters
of its own, so that figures of one are never added to those of another: those of limit begin at 0, those of the others
where `PAGES` says, and count the same in the same order. Actions by contexts are counted in limit alone; what comes
behind `SIZE` on a page, sizes of bets among it, is counted outside limit alone.

Numbers from `CONTEXTS` on count actions in richer contexts (`pokermodel.reading.contexts`). Few of these are ever
met, so that they are kept apart. All counts are whole numbers: the order in which hands are learnt does not matter.
`PROPORTIONS` says which counts make the usual statistics.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import zip_longest
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel._core.evaluator import evaluate
from pokermodel._core.hand_counts import pack
from pokermodel._core.hand_counts import seats as seats_of
from pokermodel.cards import CLASS_OF_HOLDING, holding_index
from pokermodel.evaluation.hand_types import HAND_TYPES, SCHEMES, hand_type
from pokermodel.game import BOARD_CARDS, POSITIONS, Act, BettingStructure, Decision, Hand, positions
from pokermodel.learning.bet_sizes import SIZE_COUNTERS, SIZES, size_counters
from pokermodel.learning.order import played
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
    "PROPORTIONS",
    "SHOWDOWN",
    "SHOWDOWN_SQUARES",
    "SHOWDOWN_WON",
    "SIZE",
    "SQUARES",
    "WON",
    "Contribution",
    "HandCounts",
    "PlayerCounts",
    "PlayerStatistics",
    "Proportion",
    "action_of",
    "context_counts",
    "contributions",
    "counters_of",
    "depth_of",
    "page_of",
    "position_of",
    "positions",
    "proportions",
    "square",
    "structure_of",
    "totals",
]

#: Most small bets that may be won or lost in a hand, so that sums of squares fit into 64 bits.
MOST_SMALL_BETS = 1_000_000

# ------------------------------------------------------------------------------------------------- counters

_SHAPES = {
    # round; bets to call (0, 1, 2+); own previous action (none, call, raise); it had bets to call; act
    "actions": (4, 3, 3, 2, 3),
    "statistics": (13,),
    "showdowns": (169,),  # by class of holding: hands in which it was shown
    # what was done with holdings that were shown later: bets to call; act (call, raise); class of holding or type
    "shown_preflop": (3, 2, 169),
    "shown_postflop": (3, 3, 2, 25),  # flop, turn, river first
    # since version 3
    "positions": (6,),  # hands dealt in, by `POSITIONS`
    "preflop_lines": (6,),
    "postflop_lines": (3, 6),  # flop, turn, river first
    "showdown_money": (2,),
}
_STATISTICS = (
    *("hands", "vpip", "vpip_chances", "pfr", "pfr_chances", "three_bets", "three_bet_chances"),
    *("flops", "showdowns", "showdowns_won", "flops_won"),
    *("millionths", "squares"),
)
_PREFLOP_LINES = (
    *("steals", "steal_chances", "folds_to_steal", "steals_faced", "folds_to_three_bet", "three_bets_faced"),
)
_POSTFLOP_LINES = ("cbets", "cbet_chances", "folds_to_cbet", "cbets_faced", "check_raises", "check_raise_chances")

_FIRST: dict[str, int] = {}
SIZE = 0
for _name, _shape in _SHAPES.items():
    _FIRST[_name] = SIZE
    SIZE += int(np.prod(_shape))
#: What is counted outside limit alone, behind all that is counted in limit.
_FREE_SHAPES = {
    "acts": (4, 2, 3),  # round; nothing or something to call; act
    "depths": (5,),  # hands dealt in, by `DEPTHS`
    "raise_lines": (4,),
    "sizes": (SIZE_COUNTERS,),
}
_RAISE_LINES = ("four_bets", "four_bet_chances", "squeezes", "squeeze_chances")
_FREE_SIZE = SIZE
for _name, _shape in _FREE_SHAPES.items():
    _FIRST[_name] = _FREE_SIZE
    _FREE_SIZE += int(np.prod(_shape))
#: Counters below this one are actions.
ACTIONS = _FIRST["statistics"]
#: The counter of an act in a context of `RICH` is this, plus three times the context's number, plus the act.
CONTEXTS = 1 << 14
#: Where the counters of each betting structure begin.
PAGES: Mapping[BettingStructure, int] = {
    BettingStructure.LIMIT: 0,
    BettingStructure.NO_LIMIT: 1 << 11,
    BettingStructure.POT_LIMIT: (1 << 11) + (CONTEXTS - (1 << 11)) // 2,
}
assert PAGES[BettingStructure.NO_LIMIT] + _FREE_SIZE <= PAGES[BettingStructure.POT_LIMIT]
_BY_PAGE = {page: structure for structure, page in PAGES.items()}
_NO_LIMIT_PAGE, _POT_LIMIT_PAGE = PAGES[BettingStructure.NO_LIMIT], PAGES[BettingStructure.POT_LIMIT]
_AT = {name: ACTIONS + k for k, name in enumerate(_STATISTICS)}
_AT |= {name: _FIRST["preflop_lines"] + k for k, name in enumerate(_PREFLOP_LINES)}
_AT |= {name: _FIRST["showdown_money"] + k for k, name in enumerate(("showdown_millionths", "showdown_squares"))}
_AT |= {name: _FIRST["raise_lines"] + k for k, name in enumerate(_RAISE_LINES)}
#: Counters by betting round from the flop on.
_AFTER_FLOP = {
    name: tuple(_FIRST["postflop_lines"] + 6 * street + k for street in range(3))
    for k, name in enumerate(_POSTFLOP_LINES)
}
_HANDS = _AT["hands"]
_VPIP, _PFR, _THREE_BETS = _AT["vpip"], _AT["pfr"], _AT["three_bets"]
_VPIP_CHANCES, _PFR_CHANCES, _THREE_BET_CHANCES = _AT["vpip_chances"], _AT["pfr_chances"], _AT["three_bet_chances"]
_FLOPS_WON = _AT["flops_won"]
_SHOWDOWNS_WON = _AT["showdowns_won"]
_POSITIONS, _LINES = _FIRST["positions"], _FIRST["postflop_lines"]
_SHOWN, _SHOWN_PREFLOP, _SHOWN_POSTFLOP = _FIRST["showdowns"], _FIRST["shown_preflop"], _FIRST["shown_postflop"]
_STEALS, _STEAL_CHANCES = _AT["steals"], _AT["steal_chances"]
_FOLDS_TO_STEAL, _STEALS_FACED = _AT["folds_to_steal"], _AT["steals_faced"]
_FOLDS_TO_THREE_BET, _THREE_BETS_FACED = _AT["folds_to_three_bet"], _AT["three_bets_faced"]
_FOUR_BETS, _FOUR_BET_CHANCES = _AT["four_bets"], _AT["four_bet_chances"]
_SQUEEZES, _SQUEEZE_CHANCES = _AT["squeezes"], _AT["squeeze_chances"]
_ACTS, _DEPTHS, _SIZES = _FIRST["acts"], _FIRST["depths"], _FIRST["sizes"]
#: Counters of winnings, in millionths of a small bet, and of their squares, in thousandths. These, and what follows,
#: are counters of limit; those of other structures are on their pages.
WON, SQUARES = _AT["millionths"], _AT["squares"]
#: The same of hands in which the player was at the showdown, which `SHOWDOWN` counts.
SHOWDOWN_WON, SHOWDOWN_SQUARES = _AT["showdown_millionths"], _AT["showdown_squares"]
SHOWDOWN = _AT["showdowns"]
#: Counter of flops seen, without which there is no act after the flop.
FLOPS = _AT["flops"]

# ----------------------------------------------------------------------------------------------- positions

#: Indices into `POSITIONS`.
_SMALL_BLIND, _BIG_BLIND, _EARLY, _MIDDLE, _CUTOFF, _BUTTON = range(len(POSITIONS))
_STEALING = frozenset((_SMALL_BLIND, _CUTOFF, _BUTTON))
#: Acts as plain numbers.
_FOLD, _CALL, _RAISE = map(int, Act)

#: How deep a player sits: their stack at the beginning of a hand, as far as another player's covers it, in big blinds.
DEPTHS = ("below 20", "20 to 50", "50 to 100", "100 and more", "unknown")
#: Big blinds at which they meet; an edge belongs to the class above it.
DEPTH_EDGES = (20, 50, 100)
_UNKNOWN_DEPTH = len(DEPTHS) - 1

# --------------------------------------------------------------------------------------- the usual statistics


class Proportion(NamedTuple):
    """A statistic that says how often a player did what they could have done.

    Attributes
    ----------
    name : str
        Its usual abbreviation.
    meaning : str
        What is divided by what.
    made, chances : str
        The counts, by their names in `PlayerCounts`.
    rounds : tuple of int
        The betting rounds in which it is counted; none for what is counted once a hand.
    limit : bool
        Whether it is counted in limit, too.
    """

    name: str
    meaning: str
    made: str
    chances: str
    rounds: tuple[int, ...] = ()
    limit: bool = True


_AFTER = (1, 2, 3)
#: The proportions of a player, by key. What is a chance, and what was made of it, is counted by `contributions`.
PROPORTIONS: Mapping[str, Proportion] = {
    "vpip": Proportion("VPIP", "called or raised pre-flop / acted", "vpip", "vpip_chances", (0,)),
    "pfr": Proportion("PFR", "raised pre-flop / could have", "pfr", "pfr_chances", (0,)),
    "three_bet": Proportion("3-bet", "raised the first raiser / could have", "three_bets", "three_bet_chances", (0,)),
    "fold_to_three_bet": Proportion(
        "Fold to 3-bet", "folded to a 3-bet / raised first, faced one", "folds_to_three_bet", "three_bets_faced", (0,)
    ),
    "four_bet": Proportion("4-bet", "raised a 3-bet / could have", "four_bets", "four_bet_chances", (0,), limit=False),
    "squeeze": Proportion(
        "Squeeze", "raised a raise and a call / could have", "squeezes", "squeeze_chances", (0,), limit=False
    ),
    "steal": Proportion("Steal", "raised first, late / folded to", "steals", "steal_chances", (0,)),
    "fold_to_steal": Proportion(
        "Fold to steal", "folded a blind to a steal / faced one", "folds_to_steal", "steals_faced", (0,)
    ),
    "cbet": Proportion("CBet", "bet as last raiser / could have", "cbets", "cbet_chances", _AFTER),
    "fold_to_cbet": Proportion("Fold to CBet", "folded to a CBet / faced one", "folds_to_cbet", "cbets_faced", _AFTER),
    "check_raise": Proportion(
        "Check-raise", "raised after a check / could have", "check_raises", "check_raise_chances", _AFTER
    ),
    "wtsd": Proportion("WTSD", "showdowns / flops seen", "showdowns", "flops"),
    "w_sd": Proportion("W$SD", "won or shared / showdowns", "showdowns_won", "showdowns"),
    "wwsf": Proportion("WWSF", "won or shared / flops seen", "flops_won", "flops"),
}


def proportions(structure: BettingStructure) -> dict[str, Proportion]:
    """The proportions that are counted in a betting structure, by key."""
    return {key: each for key, each in PROPORTIONS.items() if each.limit or not structure.fixed}


@cache
def counters_of(
    count: str,
    structure: BettingStructure,
    street: int | None = None,
    facing: bool | None = None,
    act: Act | None = None,
) -> tuple[int, ...]:
    """The counters whose sum is a count.

    Parameters
    ----------
    count : str
        One of the plain numbers, as in `Proportion`; ``"acts"``; or, in limit, ``"shown_raises"`` or
        ``"shown_bluffs"``: bets and raises on the river with holdings that were shown, and those without a pair.
    structure : BettingStructure
    street : int, optional
        A betting round. Default, of what is counted by round: the sum of all.
    facing : bool, optional
        Of acts, whether there is something to call.
    act : Act, optional
        Of acts, which.

    Returns
    -------
    tuple of int
    """
    page = PAGES[structure]
    if count == "acts":
        assert street is not None
        assert facing is not None
        assert act is not None
        if structure.fixed:
            _, _, previous, faced, acts = _SHAPES["actions"]
            bets = (1, 2) if facing else (0,)
            found = [
                ((street * 3 + each) * previous * faced + before) * acts + act
                for each in bets
                for before in range(previous * faced)
            ]
        else:
            found = [_ACTS + 6 * street + 3 * facing + act]
    elif count in ("shown_raises", "shown_bluffs"):
        river, types = 2, range(len(HAND_TYPES) if count == "shown_raises" else len(SCHEMES[25].busted))
        found = [_shown_postflop(river, bets, Act.RAISE) + each for bets in range(3) for each in types]
    elif count in _AFTER_FLOP:
        found = list(_AFTER_FLOP[count]) if street is None else [_AFTER_FLOP[count][street - 1]]
    else:
        found = [_AT[count]]
    return tuple([page + counter for counter in found])


@cache
def _shown_postflop(street: int, bets: int, act: int) -> int:
    """The first of the counters, by type of hand, of an act with a holding that was shown; the flop is 0."""
    return _SHOWN_POSTFLOP + ((street * 3 + bets) * 2 + act - 1) * len(HAND_TYPES)


def page_of(counter: int) -> int:
    """Where the counters of the betting structure begin that a counter below `CONTEXTS` is one of: see `PAGES`."""
    return 0 if counter < _NO_LIMIT_PAGE else _NO_LIMIT_PAGE if counter < _POT_LIMIT_PAGE else _POT_LIMIT_PAGE


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
    return ContextCounts(coarse.reshape(_SHAPES["actions"]), rich)


class PlayerCounts:
    """All counts of a player in one betting structure, but those of the richer contexts.

    Parameters
    ----------
    counters : mapping of int to int
        Counts by counter, each below `CONTEXTS`; missing ones are 0, and those of other structures are ignored.
    structure : BettingStructure

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
        Hands dealt in, by `POSITIONS`. Hands that only books before version 5 have learnt are not in it.
    acts : ndarray of int64, shape (4, 2, 3)
        By round, nothing or something to call, and act.
    depths : ndarray of int64, shape (5,)
        Hands dealt in, by `DEPTHS`; zeros in limit, where they are not counted.

    Notes
    -----
    Outside limit `actions`, `shown_preflop` and `shown_postflop`, which go by bets to call, are zeros.
    """

    __slots__ = (
        *("_sizes", "_values", "actions", "acts", "depths", "positions", "showdowns", "shown_postflop"),
        *("shown_preflop", "structure"),
    )

    def __init__(self, counters: Mapping[int, int], structure: BettingStructure = BettingStructure.LIMIT) -> None:
        page, size = PAGES[structure], SIZE if structure.fixed else _SIZES
        values = np.zeros(size, dtype=np.int64)
        places = np.fromiter(counters, dtype=np.int64, count=len(counters)) - page
        counts = np.fromiter(counters.values(), dtype=np.int64, count=len(counters))
        below = (places >= 0) & (places < size)
        values[places[below]] = counts[below]
        beyond = (places >= size) & (places < (size if structure.fixed else _FREE_SIZE))
        self.structure = structure
        self._values = values
        # few of many
        self._sizes = dict(zip((places[beyond] - size).tolist(), counts[beyond].tolist(), strict=True))
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

        Returns
        -------
        classes : list of int
            By class of the kind's scale.
        all_in : int
            How many were all of the player's chips, which are in no class.
        bins : dict of int to int
            By bin of the scale, in order; those that are not 0.
        """
        kind, found = SIZES[key], self._sizes
        classes = [found.get(kind.first + k, 0) for k in range(len(kind.scale.classes))]
        of_bin = {k - kind.bins: found[k] for k in sorted(found) if 0 <= k - kind.bins < kind.scale.bins and found[k]}
        return classes, found.get(kind.all_in, 0), of_bin

    def _part(self, name: str) -> NDArray[np.int64]:
        shape = _SHAPES.get(name) or _FREE_SHAPES[name]
        return self._values[_FIRST[name] : _FIRST[name] + int(np.prod(shape))].reshape(shape)

    def __getitem__(self, statistic: str) -> int:
        """One of the plain numbers: "hands", "vpip", ...; of those counted by round after the flop, the sum."""
        if (counters := _AFTER_FLOP.get(statistic)) is not None:
            return int(self._values[list(counters)].sum())
        return int(self._values[_AT[statistic]])

    def total(self, counters: Sequence[int]) -> int:
        """The sum of some counts, by their counters, which are those of the structure; see `counters_of`."""
        return int(self._values[np.array(counters, dtype=np.int64) - PAGES[self.structure]].sum())

    def in_round(self, statistic: str, round: int) -> int:
        """One of the plain numbers in a betting round: 0 pre-flop, 1 flop, 2 turn, 3 river."""
        return int(self._values[_AFTER_FLOP[statistic][round - 1] if round else _AT[statistic]])

    @property
    def counts(self) -> ActionCounts:
        """The actions in Loki-1's twelve contexts."""
        return ActionCounts(self.actions.sum(axis=(2, 3)))

    @property
    def small_bets(self) -> float:
        """Winnings in small bets; outside limit, here and below, in big blinds."""
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
    #: Winnings in millionths of a small bet; outside limit of a big blind.
    won: int
    #: Counters that go up by one each: of the hand, of the position, and then, in the order in which the player acted,
    #: of each action as `PlayerCounts.actions` has it and by its richer context. Of hands that books before version 5
    #: have learnt positions are missing, and of those that version 1 has learnt the richer contexts, too. Outside limit
    #: the depth follows the position, and acts are counted without contexts.
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
        When and for what it was played, as `Played` has it. The place is None of a hand that was learnt before version
        5 of the book: of such a hand positions, and what is counted with them, are missing.
    """

    names: tuple[str, ...]
    added: bytes
    time: int | None = None
    place: bytes | None = None
    stake: str = ""

    @property
    def players(self) -> tuple[Contribution, ...]:
        """What it adds to the counts of each player, by seat.

        Raises
        ------
        ValueError
            If the bytes are not what a hand adds.
        """
        seats = seats_of(self.added)
        return tuple([Contribution(name, *each) for name, each in zip(self.names, seats, strict=True)])


class PlayerStatistics:
    """How often each player did what, in which contexts and with which holdings.

    This is the one kind of knowledge that a book keeps player by player, and does not turn into bytes.
    """

    kind: ClassVar[str] = "statistics"
    structures: ClassVar[frozenset[BettingStructure]] = frozenset(BettingStructure)
    version: ClassVar[int] = 3  # 2: richer contexts; 3: positions, and what is done in them and after the flop

    @staticmethod
    def evidence(hand: Hand, decisions: Sequence[Decision]) -> HandCounts:
        """What a hand adds to the counts of its players, see `contributions`."""
        return HandCounts(hand.players, _packed(hand, decisions), *played(hand))


def square(won: int) -> int:
    """The square of winnings in millionths of a small bet, in thousandths."""
    return (won * won + 500_000_000) // 1_000_000_000


def totals(added: Iterable[Contribution]) -> Counter[int]:
    """By how much counters go up for one player, given what hands add to them."""
    counts: Counter[int] = Counter()
    for _, won, counters in added:
        counts.update(counters)
        page = page_of(counters[0]) if counters else 0
        counts[page + WON] += won
        counts[page + SQUARES] += square(won)
        if page + SHOWDOWN in counters:
            counts[page + SHOWDOWN_WON] += won
            counts[page + SHOWDOWN_SQUARES] += square(won)
    return counts


def structure_of(added: Contribution) -> BettingStructure:
    """The betting structure of the hand."""
    return _BY_PAGE[page_of(added.counters[0])] if added.counters else BettingStructure.LIMIT


def position_of(added: Contribution) -> int | None:
    """Where the player sat, as an index into `POSITIONS`; None if that was not counted."""
    return _place(added, 1, _POSITIONS, len(POSITIONS))


def depth_of(added: Contribution) -> int | None:
    """How deep the player sat, as an index into `DEPTHS`; None if that was not counted, as in limit."""
    return _place(added, 2, _DEPTHS, len(DEPTHS))


def _place(added: Contribution, index: int, first: int, number: int) -> int | None:
    """Which of some counters, which stands at an index, a hand adds to."""
    if len(added.counters) <= index:
        return None
    place = added.counters[index] - page_of(added.counters[0]) - first
    return place if 0 <= place < number else None


def contributions(hand: Hand, decisions: Sequence[Decision]) -> tuple[Contribution, ...]:
    """Count one hand.

    Parameters
    ----------
    hand : Hand
    decisions : sequence of Decision
        Its replay.

    Returns
    -------
    tuple of Contribution
        By seat.

    Raises
    ------
    ValueError
        If the hand breaks the rules, is not finished or cannot be paid out.
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
        _count_reraises(acts, once)
    preflop, raiser = _count_before_flop(acts, seats, once)
    _count_after_flop(acts[preflop:], raiser, counters)
    if _count_results(hand, decisions, folds, once):
        parts.append(_count_shown(hand, acts if fixed else ()))
    won = [round(payoff * 1_000_000 / small_bet) for payoff in hand.payoffs]
    return pack(won, parts, 0 if fixed else PAGES[spec.structure])


def _count_actions(acts: Sequence[CountedAct], counters: Sequence[list[int]]) -> None:
    """Count in which context each action was done."""
    for seat, _, act, _, _, _, _, _, context in acts:
        # as `PlayerCounts.actions` is indexed, and by the richer context
        counters[seat] += (context // COARSE * 3 + act, CONTEXTS + 3 * context + act)


def _count_sizes(
    hand: Hand, decisions: Sequence[Decision], acts: Sequence[CountedAct], counters: Sequence[list[int]]
) -> None:
    """Count how deep each player sits, acts without their contexts, and the sizes of bets and raises."""
    for found, depth in zip(counters, _depths(hand), strict=True):
        found.append(_DEPTHS + depth)
    for seat, street, act, to_call, _, _, _, _, _ in acts:
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


def _count_reraises(acts: Sequence[CountedAct], once: Sequence[set[int]]) -> None:
    """Count fourth bets and squeezes before the flop, each once."""
    called = False  # whether the last raise has been called
    for seat, street, act, to_call, bets, _, can_raise, put_in, _ in acts:
        if street:
            return
        raises = act == _RAISE
        if to_call and can_raise:
            if bets == 3:
                once[seat].add(_FOUR_BET_CHANCES)
                if raises:
                    once[seat].add(_FOUR_BETS)
            elif bets == 2 and called:
                once[seat].add(_SQUEEZE_CHANCES)
                if raises:
                    once[seat].add(_SQUEEZES)
        if raises:
            called = False
        elif act == _CALL and bets > 1 and put_in:
            called = True


def _count_before_flop(acts: Sequence[CountedAct], seats: Sequence[int], once: Sequence[set[int]]) -> tuple[int, int]:
    """Count what was done before the flop, each once; return how many acts that were, and who raised last or -1."""
    unopened = True  # nobody has called or raised
    stealer = opener = raiser = -1  # who raised when all before them had folded; who made the first raise, and the last
    for number, (seat, street, act, to_call, bets, _, can_raise, put_in, _) in enumerate(acts):
        if street:
            return number, raiser
        found = once[seat]
        found.add(_VPIP_CHANCES)
        if can_raise:
            found.add(_PFR_CHANCES)
        if bets == 2:
            if can_raise and to_call:
                found.add(_THREE_BET_CHANCES)
                if act == _RAISE:
                    found.add(_THREE_BETS)
        elif bets == 3 and seat == opener and to_call:
            found.add(_THREE_BETS_FACED)
            if act == _FOLD:
                found.add(_FOLDS_TO_THREE_BET)
        if unopened:
            if can_raise and seats[seat] in _STEALING:
                found.add(_STEAL_CHANCES)
                if act == _RAISE:
                    found.add(_STEALS)
                    stealer = seat
            unopened = act == _FOLD
        elif stealer >= 0:
            if to_call and seats[seat] <= _BIG_BLIND:
                found.add(_STEALS_FACED)
                if act == _FOLD:
                    found.add(_FOLDS_TO_STEAL)
            if act != _FOLD:
                stealer = -1
        if act == _RAISE:
            found.update((_VPIP, _PFR))
            raiser = seat
            if bets == 1:
                opener = seat
        elif act == _CALL and put_in > 0:
            found.add(_VPIP)
    return len(acts), raiser


def _count_after_flop(acts: Sequence[CountedAct], raiser: int, counters: Sequence[list[int]]) -> None:
    """Count continuation bets and check-raises, and folds to them, given who raised last before the flop."""
    now = line = 0  # the round, and the first of its counters
    leader = bettor = -1  # who may make a continuation bet in this round, and who has made one
    checked: set[int] = set()
    faced: set[int] = set()
    for seat, street, act, to_call, bets, _, can_raise, _, _ in acts:
        if street != now:
            # who was raised after a continuation bet, or made none, does not continue in the next round
            leader = raiser if now == 0 or raiser == bettor else -1
            now, line = street, _LINES + 6 * (street - 1)
            raiser = bettor = -1
            checked.clear()
            faced.clear()
        if not to_call:
            if seat == leader and can_raise:
                counters[seat].append(line + 1)
                if act == _RAISE:
                    counters[seat].append(line)
                    bettor = seat
            if act == _CALL:
                checked.add(seat)
        else:
            if raiser == bettor >= 0 and bets == 1 and seat not in faced:
                faced.add(seat)
                counters[seat].append(line + 3)
                if act == _FOLD:
                    counters[seat].append(line + 2)
            if seat in checked:
                checked.remove(seat)
                if can_raise:
                    counters[seat].append(line + 5)
                    if act == _RAISE:
                        counters[seat].append(line + 4)
        if act == _RAISE:
            raiser = seat


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
    for seat, street, act, _, _, bets, _, _, _ in acts:
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
