"""Statistics as data: what is an opportunity, and what is made of it, in words that are checked and hashed.

The conditions of a `Statistic` are text. `ACT` has the words for conditions on each action, and `HAND` those for
conditions on a finished hand. A statistic that follows from an existing table selects its cells by the words of
`TABLES`. Text has two advantages over functions. A book keeps counts for years and must notice a changed definition:
text has a fingerprint, but the meanings of two functions cannot be compared. And all definitions are evaluated
together, as NumPy expressions over the actions of many hands (`pokermodel.library.bits`). Common parts are computed
once.

The name of a statistic identifies its counts, never a number that another definition could move. Each book chooses
their place in its rows (`pokermodel.library.bits`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from typing import Any, Literal, NamedTuple, TypeAlias

from pokermodel._support.checks import check_choice
from pokermodel._support.options import Registry
from pokermodel.game import POSITIONS, ROUNDS, BettingStructure

__all__ = [
    *("ACT", "HAND", "MONEY", "RESERVED", "TABLES", "VOCABULARY"),
    *("Shown", "Statistic", "fingerprint", "forgetting", "other_statistics", "parsed", "register", "registry"),
    *("statistics", "words_of"),
]

#: How a statistic is shown: how often of what could be, one number by another, or a mean of winnings.
Shown: TypeAlias = Literal["proportion", "ratio", "mean"]

#: Version of the words below: goes up when one of them means something else. It is part of all fingerprints.
VOCABULARY = 1
_POSITION_WORDS = {name.replace(" ", "_"): str(number) for number, name in enumerate(POSITIONS)}

#: What is known of an act, before it and of itself. Numbers are whole, and other facts true or false.
ACT: Mapping[str, str] = {
    "street": "the betting round: 0 before the flop, 1 flop, 2 turn, 3 river",
    "folds": "the act is a fold",
    "calls": "it is a call, or a check",
    "raises": "it is a bet or a raise",
    "put_in": "chips that it puts in",
    "to_call": "chips to call",
    "bets": "bets and raises made in the round before it; before the flop the big blind is the first",
    "bets_to_call": "bets to call: 0, 1, or 2 for two and more",
    "can_raise": "it is a bet or raise, or the rules offered one",
    "position": "where the player sits, one of the words that follow",
    **{word: f"the position {word.replace('_', ' ')!r}, as a number" for word in _POSITION_WORDS},
    "players": "how many were dealt in",
    "unopened": "before the flop: nobody has called or raised",
    "is_opener": "before the flop: the player made the first raise",
    "faces_steal": "before the flop: the only one who has called or raised is a player who stole, that is, raised from "
    "the cutoff, the button or the small blind when all before had folded",
    "raise_called": "somebody has called the last bet or raise of the round; blinds are none",
    "leads": "after the flop: the player raised last before the flop, and in every round since made the continuation "
    "bet and raised last",
    "faces_cbet": "after the flop: the player who bet or raised last in the round made the continuation bet",
    "checked": "after the flop: the player has checked in this round, and not acted since",
    "last_raiser": "the player made the last bet or raise of the round",
    "acted": "the player has acted in the round before",
    "own_bet": "the number of the player's last bet or raise in the round; before the flop the first raise is 2. 0 "
    "without one",
    "size": "by how much it bets or raises, in per cent of the pot after a call; 0 if it does neither",
    "size_faced": "the same of the last bet or raise of the round; 0 without one",
    "aggressor": "after the flop: the player bet or raised last in the rounds before",
    "aggressor_behind": "after the flop: another player bet or raised last in the rounds before, has not acted in this "
    "one, and will",
    "aggressor_checked": "after the flop: another player bet or raised last in the rounds before, and began this one "
    "with a check",
    "checked_through": "after the flop: nobody bet or raised in the round before; blinds are neither",
}

#: What is known of a player's hand when it is over.
HAND: Mapping[str, str] = {
    "position": ACT["position"],
    **{word: ACT[word] for word in _POSITION_WORDS},
    "players": ACT["players"],
    "saw_flop": "they saw the flop, all-in or not",
    "showdown": "they came to the showdown",
    "won": "they saw the flop, and won some of the pot",
    "preflop_raises": "raises made before the flop, by anybody; blinds are none",
}

#: Tables that are counted anyway, with the words for their cells.
TABLES: Mapping[str, Mapping[str, str]] = {
    "acts": {
        "street": ACT["street"],
        "facing": "there was something to call",
        "folds": ACT["folds"],
        "calls": ACT["calls"],
        "raises": ACT["raises"],
    },
    "results": {
        "flops": "flops seen",
        "showdowns": "showdowns",
        "showdowns_won": "showdowns of which some of the pot was won",
        "flops_won": "flops seen of which some of the pot was won",
    },
    "shown_postflop": {
        "street": ACT["street"],
        "bets_to_call": ACT["bets_to_call"],
        "calls": ACT["calls"],
        "raises": ACT["raises"],
        "busted": "the holding, shown later, had not even a pair",
    },
}

#: What means are made of: sums over hands, which may be added and subtracted.
MONEY: Mapping[str, str] = {
    "won": "what was won after the rake, in small bets; outside limit in big blinds",
    "ev": "the same with what all-ins were worth on average over the cards to come, when the last money went in",
    "won_in_showdowns": "the same of hands in which the player came to the showdown",
    "hands": "hands dealt in",
    "showdowns": "hands in which the player came to the showdown",
}

_ALL = frozenset(BettingStructure)
_LIMIT = frozenset([BettingStructure.LIMIT])
_FREE = _ALL - _LIMIT
_MONEY_TABLE = "money"


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic of players: its counts and its display.

    Attributes
    ----------
    key : str
        Its identifier: ``"three_bet"``.
    name : str
        Its usual abbreviation: ``"3-bet"``.
    meaning : str
        Numerator and denominator, in a few words.
    opportunity, success : str
        The conditions of the denominator and, among its cases, of the numerator: expressions of Python over the words
        of `ACT`, with ``and``, ``or``, ``not``, comparisons, whole numbers and their arithmetic. Each counts at most
        once a hand, or once a round if there are several `streets`, if any action meets it.
    streets : tuple of int
        The betting rounds of its actions; several are counted apart. None: one condition on the finished hand, in the
        words of `HAND`.
    table : str
        The table that it follows from; "" if it has counts of its own. Opportunity and success then select the cells to
        add, in the words of `TABLES`. For the table ``"money"`` they are sums, in the words of `MONEY`.
    structures : frozenset of BettingStructure
        The betting structures in which it is counted.
    shown : {"proportion", "ratio", "mean"}
        Its form: a proportion of 0 to 1; a ratio, which can be more; a mean of money.
    profile, rate : bool
        Whether profiles show it, and whether comparisons of players use it (`pokermodel.learning.rates`).
    total : bool
        Whether a display without rounds adds them. Otherwise the first round has the key and name, and each later one
        has these with the round: ``"cbet"`` is the flop's, and ``"cbet_turn"`` the turn's.
    definition : str
        The opportunity, for the documentation.
    made : str
        The success, for the documentation.

    Raises
    ------
    ValueError
        If an expression has something else in it, or something does not go together.
    """

    key: str
    name: str
    meaning: str
    opportunity: str
    success: str
    streets: tuple[int, ...] = ()
    table: str = ""
    structures: frozenset[BettingStructure] = _ALL
    shown: Shown = "proportion"
    profile: bool = True
    rate: bool = True
    total: bool = True
    definition: str = ""
    made: str = ""

    def __post_init__(self) -> None:
        """Check it, before anything is counted by it."""
        what = f"the statistic {self.key!r}"
        if not re.fullmatch(r"[a-z][a-z0-9_]*", self.key):
            raise ValueError(f"{what}: expected a key of small letters, digits and _")
        check_choice(f"{what}: shown", self.shown, ("proportion", "ratio", "mean"))
        if self.table not in ("", _MONEY_TABLE):
            check_choice(f"{what}: table", self.table, TABLES)
        if (self.table == _MONEY_TABLE) != (self.shown == "mean"):
            raise ValueError(f"{what}: a mean is of the table {_MONEY_TABLE!r}, and nothing else is")
        if not self.structures or not self.structures <= _ALL:
            raise ValueError(f"{what}: structures are {set(self.structures)}: expected some of {', '.join(_ALL)}")
        if list(self.streets) != sorted(set(self.streets) & {0, 1, 2, 3}):
            raise ValueError(f"{what}: streets are {self.streets}: expected some of 0, 1, 2 and 3, in order")
        if len(self.streets) > 1 and 0 in self.streets and not self.table:
            raise ValueError(f"{what}: streets are {self.streets}: before the flop is asked by itself")
        for which in ("opportunity", "success"):
            try:
                parsed(getattr(self, which), tuple(self.words))
            except ValueError as error:
                raise ValueError(f"{what}: {which}: {error}") from None

    @property
    def words(self) -> Mapping[str, str]:
        """The words of its expressions, with what they mean."""
        if self.table:
            return MONEY if self.table == _MONEY_TABLE else TABLES[self.table]
        return ACT if self.streets else HAND

    @property
    def by_street(self) -> bool:
        """Whether its counts are kept by betting round."""
        return len(self.streets) > 1

    def figures(self) -> dict[str, int | None]:
        """The keys of a display without rounds, and the round of each; None for all."""
        if self.total or not self.by_street:
            return {self.key: None}
        first, *rest = self.streets
        return {self.key: first, **{f"{self.key}_{ROUNDS[street]}": street for street in rest}}

    def blocks(self) -> dict[str, int | None]:
        """The names of its counts, two for each name (success, opportunity), and the betting round of each.

        A statistic that is computed from a table has no counts. The round is None for what is counted once a hand.
        """
        if self.table:
            return {}
        if self.by_street:
            return {f"{self.key}:{ROUNDS[street]}": street for street in self.streets}
        return {self.key: self.streets[0] if self.streets else None}

    @property
    def fingerprint(self) -> str:
        """The fingerprint of this definition among others of the same key: 16 hexadecimal digits."""
        texts = [ast.unparse(parsed(each, tuple(self.words))) for each in (self.opportunity, self.success)]
        return fingerprint("statistic", VOCABULARY, *texts, self.streets)


def fingerprint(*parts: object) -> str:
    """16 hexadecimal digits for what a definition consists of."""
    return blake2b(repr(parts).encode(), digest_size=8).hexdigest()


# ----------------------------------------------------------------------------------------------------- expressions

_MOST_LETTERS = 2000  # of an expression
_MOST_DEPTH = 60
_PARTS = (
    *(ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Add, ast.Sub),
    *(ast.Mult, ast.FloorDiv, ast.Mod, ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In),
    *(ast.NotIn, ast.Name, ast.Load, ast.Constant, ast.Tuple),
)


@cache
def parsed(text: str, words: tuple[str, ...]) -> ast.Expression:
    """The syntax of an expression over some words. Do not change it: it is the same for everybody.

    Raises
    ------
    ValueError
        If it is no expression, or has a word, a constant or anything else in it that it may not have.

    Examples
    --------
    >>> import ast
    >>> ast.unparse(parsed("raises  and(bets==2)", ("raises", "bets")))
    'raises and bets == 2'
    """
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"{text!r} is no expression") from None
    level: list[ast.AST] = [tree]
    for _ in range(_MOST_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    if level or len(text) > _MOST_LETTERS:
        raise ValueError(
            f"{text[:40]!r} goes on for too long: expected {_MOST_LETTERS} letters at most, or fewer terms"
        )
    for node in ast.walk(tree):
        if not isinstance(node, _PARTS):
            raise ValueError(
                f"{text!r} has {ast.unparse(node) if isinstance(node, ast.expr) else type(node).__name__!r} in it: "
                "expected words, whole numbers, comparisons, and, or, not, + - * // %"
            )
        if isinstance(node, ast.Name) and node.id not in words:
            raise ValueError(f"{text!r}: unknown word {node.id!r}: expected one of {', '.join(words)}")
        if isinstance(node, ast.Constant) and type(node.value) not in (int, bool):
            raise ValueError(f"{text!r} has {node.value!r} in it: expected whole numbers")
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv | ast.Mod):
            right = node.right
            if not (isinstance(right, ast.Constant) and right.value):
                raise ValueError(f"{text!r} divides by {ast.unparse(right)}: expected a number that is not 0")
    compared = [
        pair
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for pair in zip(node.ops, node.comparators, strict=True)
    ]
    after_in = {right for how, right in compared if isinstance(how, ast.In | ast.NotIn)}
    if after_in != {node for node in ast.walk(tree) if isinstance(node, ast.Tuple)}:
        raise ValueError(f"{text!r}: several numbers, and nothing else, stand after in, as in bets in (1, 2)")
    return tree


@cache
def words_of(text: str) -> frozenset[str]:
    """The words that an expression has in it."""
    return frozenset(re.findall(r"[a-z_]+", text))


# ------------------------------------------------------------------------------------------------------ registry


class _Entry(NamedTuple):
    name: str
    statistic: Statistic


_MARKS = ",?&=:"
#: Names of tables, beside which statistics are kept.
RESERVED = frozenset(
    (
        *(
            "actions",
            "acts",
            "all_in",
            "contexts",
            "rake",
            "depths",
            "hands",
            "money",
            "positions",
            "results",
            "showdown_money",
            "flop",
            "showdown",
        ),
        *("showdowns", "shown_postflop", "shown_preflop"),
    )
)
_REGISTRY = Registry[_Entry]("statistic", _MARKS, "pokermodel.statistics", RESERVED)
_forgotten: list[Callable[[], None]] = []
_known: tuple[Statistic, ...] | None = None


def register(statistic: Statistic) -> None:
    """Have a statistic counted of every hand that is learnt from now on; raises `ValueError` if its key is taken.

    Other packages call it in a module, and name that module in an entry point of the group ``pokermodel.statistics``.
    """
    _REGISTRY.register(_Entry(statistic.key, statistic))
    _forget()


def forgetting(forget: Callable[[], None]) -> Callable[[], None]:
    """Register a function that clears a cache derived from the definitions. It is called when they change."""
    _forgotten.append(forget)
    return forget


def _forget() -> None:
    global _known
    _known = None
    for forget in _forgotten:
        forget()


def registry() -> tuple[Statistic, ...]:
    """All statistics, in the order in which they are shown."""
    global _known
    if _known is None:
        found = tuple(entry.statistic for entry in _REGISTRY.kinds().values())
        _known = found
    return _known


def statistics(structure: BettingStructure) -> dict[str, Statistic]:
    """The statistics of a betting structure by key, in the order in which they are shown."""
    return {each.key: each for each in registry() if structure in each.structures}


@contextmanager
def other_statistics(*found: Statistic) -> Iterator[None]:
    """Have other statistics than those that are registered, for as long as the block lasts."""
    global _REGISTRY
    before = _REGISTRY
    other: Registry[Any] = Registry("statistic", _MARKS, taken=RESERVED)
    for each in found:
        other.register(_Entry(each.key, each))
    _REGISTRY = other
    _forget()
    try:
        yield
    finally:
        _REGISTRY = before
        _forget()


def _money(unit: str, short: str, structures: frozenset[BettingStructure]) -> Iterator[Statistic]:
    """Means of winnings: of all hands, with the EV of all-ins, of those taken to a showdown, and of the rest."""
    where = "" if structures is _LIMIT else "Outside limit: "
    for prefix, of, meaning, hands, won, definition, made in (
        (
            *("", "hand", f"{unit} won / hands", "hands", "won", "hands dealt in."),
            f"{unit} won after the rake, less those put in",
        ),
        (
            *("ev_", "hand EV", f"{unit} of all-in EV / hands", "hands", "ev", "hands dealt in."),
            f"{unit} won, or what an all-in was worth when the last money went in",
        ),
        (
            *("showdown_", "SD", "won in showdowns / showdowns", "showdowns", "won_in_showdowns"),
            *("hands in which they come to the showdown.", "the same of these hands"),
        ),
        (
            *("other_", "no SD", "won in other hands / other hands", "hands - showdowns", "won - won_in_showdowns"),
            *("all other hands.", "the same of these"),
        ),
    ):
        key, name = prefix + unit.replace(" ", "_"), f"{short}/{of}"
        yield Statistic(
            *(key, name, meaning, hands, won),
            table=_MONEY_TABLE,
            structures=structures,
            shown="mean",
            rate=False,
            definition=where + (definition if where else definition.capitalize()),
            made=f"{made[0].upper()}{made[1:]}.",
        )


_PREFLOP, _AFTER = (0,), (1, 2, 3)


def _by_pot() -> Iterator[Statistic]:
    """Showdowns won, by the raises before the flop."""
    for key, pot, raises, what in (
        ("limped", "limped", "== 0", "nobody raised"),
        ("single_raised", "single-raised", "== 1", "there was one raise"),
        ("three_bet", "3-bet", "== 2", "there were two raises"),
        ("four_bet", "4-bet", ">= 3", "there were three raises or more"),
    ):
        yield Statistic(
            *(f"w_sd_{key}", f"W$SD, {pot}", f"won or shared / showdowns in {pot} pots"),
            opportunity=f"showdown and preflop_raises {raises}",
            success="won",
            rate=False,
            definition=f"They come to the showdown of a pot in which {what} before the flop.",
            made="They win some of the pot.",
        )


def _by_size() -> Iterator[Statistic]:
    """Continuation bets by what they are of the pot, and folds to them. Sizes that are common are inside a class."""
    sizes = (
        ("small", "{} < 40", "less than 40% of the pot"),
        ("medium", "40 <= {} < 70", "40% of the pot to less than 70%"),
        ("large", "{} >= 70", "70% of the pot or more"),
    )
    for key, size, what in sizes:
        yield Statistic(
            *(f"{key}_cbet", f"CBet, {key}", f"CBet of {what} / could have"),
            opportunity="leads and not to_call and can_raise",
            success=f"raises and {size.format('size')}",
            streets=_AFTER,
            structures=_FREE,
            rate=False,
            total=False,
            definition="Outside limit: as of CBet.",
            made=f"They bet {what}.",
        )
    for key, size, what in sizes:
        yield Statistic(
            *(f"fold_to_{key}_cbet", f"Fold to CBet, {key}", f"folded to a CBet of {what} / faced one"),
            opportunity=f"to_call and faces_cbet and bets == 1 and {size.format('size_faced')}",
            success="folds",
            streets=_AFTER,
            structures=_FREE,
            rate=False,
            total=False,
            definition=f"Outside limit: they face a continuation bet of {what} that nobody has raised.",
            made="They fold. (10)",
        )


for _statistic in (
    Statistic(
        *("vpip", "VPIP", "called or raised pre-flop / acted"),
        opportunity="True",
        success="raises or (calls and put_in > 0)",
        streets=_PREFLOP,
        definition="A hand in which the player acts before the flop.",
        made="They call or raise; a check in the big blind is neither.",
    ),
    Statistic(
        *("pfr", "PFR", "raised pre-flop / could have"),
        opportunity="can_raise",
        success="raises",
        streets=_PREFLOP,
        definition="A hand in which they can raise before the flop.",
        made="They raise.",
    ),
    Statistic(
        *("rfi", "RFI", "raised first in / folded to"),
        opportunity="can_raise and unopened",
        success="raises",
        streets=_PREFLOP,
        definition="All before them have folded, and they can raise: they may be first to come in.",
        made="They raise.",
    ),
    Statistic(
        *("limp", "Limp", "called the big blind / could have"),
        opportunity="bets == 1 and to_call",
        success="calls",
        streets=_PREFLOP,
        definition="Nobody has raised before the flop, and they have something to call.",
        made="They call, behind others or first in; the small blind that completes has limped.",
    ),
    Statistic(
        *("cold_call", "Cold call", "called a raise, nothing put in / could have"),
        opportunity="bets >= 2 and to_call and not acted and position not in (small_blind, big_blind)",
        success="calls",
        streets=_PREFLOP,
        definition="Somebody has raised before the flop, and they have put in nothing: they are in no blind, and it is "
        "their first act.",
        made="They call. (7)",
    ),
    Statistic(
        *("three_bet", "3-bet", "raised the first raiser / could have"),
        opportunity="can_raise and bets == 2 and to_call",
        success="raises",
        streets=_PREFLOP,
        definition="They can raise when there was one raise.",
        made="They raise.",
    ),
    Statistic(
        *("fold_to_three_bet", "Fold to 3-bet", "folded to a 3-bet / raised first, faced one"),
        opportunity="bets == 3 and is_opener and to_call",
        success="folds",
        streets=_PREFLOP,
        definition="They made the first raise, somebody raised again, and it is their turn before a fourth bet.",
        made="They fold. (1)",
    ),
    Statistic(
        *("four_bet", "4-bet", "raised a 3-bet / could have"),
        opportunity="can_raise and bets == 3 and to_call",
        success="raises",
        streets=_PREFLOP,
        structures=_FREE,
        definition="Outside limit: they can raise when there were two raises.",
        made="They raise. (6)",
    ),
    Statistic(
        *("fold_to_four_bet", "Fold to 4-bet", "folded to a 4-bet / made the 3-bet, faced one"),
        opportunity="bets == 4 and own_bet == 3 and to_call",
        success="folds",
        streets=_PREFLOP,
        structures=_FREE,
        definition="Outside limit: they made the second raise, somebody raised again, and it is their turn before a "
        "fifth bet.",
        made="They fold.",
    ),
    Statistic(
        *("squeeze", "Squeeze", "raised a raise and a call / could have"),
        opportunity="can_raise and bets == 2 and to_call and raise_called",
        success="raises",
        streets=_PREFLOP,
        structures=_FREE,
        definition="Outside limit: they can raise when there was one raise, and it has been called.",
        made="They raise.",
    ),
    Statistic(
        *("steal", "Steal", "raised first, late / folded to"),
        opportunity="can_raise and unopened and position in (cutoff, button, small_blind)",
        success="raises",
        streets=_PREFLOP,
        definition="They are in the cutoff, on the button or in the small blind, all before them have folded, and they "
        "can raise.",
        made="They raise.",
    ),
    Statistic(
        *("fold_to_steal", "Fold to steal", "folded a blind to a steal / faced one"),
        opportunity="faces_steal and to_call and position in (small_blind, big_blind)",
        success="folds",
        streets=_PREFLOP,
        definition="They are in a blind, and the only one who has called or raised before them is a player who steals.",
        made="They fold. (2)",
    ),
    Statistic(
        *("cbet", "CBet", "bet as last raiser / could have"),
        opportunity="leads and not to_call and can_raise",
        success="raises",
        streets=_AFTER,
        total=False,
        definition="Flop: they raised last before the flop, nobody has bet, and they can. Turn and river: they made "
        "the continuation bet of the round before, raised last in it, nobody has bet, and they can.",
        made="They bet. (3)",
    ),
    Statistic(
        *("fold_to_cbet", "Fold to CBet", "folded to a CBet / faced one"),
        opportunity="to_call and faces_cbet and bets == 1",
        success="folds",
        streets=_AFTER,
        total=False,
        definition="They face a continuation bet that nobody has raised.",
        made="They fold. (4)",
    ),
    Statistic(
        *("raise_cbet", "Raise CBet", "raised a CBet / could have"),
        opportunity="to_call and faces_cbet and bets == 1 and can_raise",
        success="raises",
        streets=_AFTER,
        total=False,
        definition="They face a continuation bet that nobody has raised, and can raise.",
        made="They raise.",
    ),
    *_by_size(),
    Statistic(
        *("delayed_cbet", "Delayed CBet", "bet the turn, no CBet / could have"),
        opportunity="aggressor and checked_through and not to_call and can_raise",
        success="raises",
        streets=(2,),
        definition="Turn: they raised last before the flop, all have checked the flop, nobody has bet, and they can.",
        made="They bet.",
    ),
    Statistic(
        *("donk", "Donk bet", "bet before the last raiser / could have"),
        opportunity="aggressor_behind and not checked_through and not to_call and can_raise",
        success="raises",
        streets=_AFTER,
        total=False,
        definition="Another player bet or raised last in the round before and has still to act in this one, nobody has "
        "bet, and they can.",
        made="They bet. (8)",
    ),
    Statistic(
        *("probe", "Probe bet", "bet, last raiser passed a round / could have"),
        opportunity="aggressor_behind and checked_through and not to_call and can_raise",
        success="raises",
        streets=(2, 3),
        total=False,
        definition="Turn and river: the round before was checked by all, another player bet or raised last in the "
        "rounds before it and has still to act in this one, nobody has bet, and they can.",
        made="They bet.",
    ),
    Statistic(
        *("float", "Float bet", "bet when the last raiser checked / could have"),
        opportunity="aggressor_checked and not checked_through and not to_call and can_raise",
        success="raises",
        streets=_AFTER,
        total=False,
        definition="Another player bet or raised last in the round before and has checked in this one before them, "
        "nobody has bet, and they can. On the flop that is a bet against a missed CBet.",
        made="They bet. (9)",
    ),
    Statistic(
        *("check_raise", "Check-raise", "raised after a check / could have"),
        opportunity="to_call and checked and can_raise",
        success="raises",
        streets=_AFTER,
        definition="They have checked in this round, after the flop, somebody has bet, and they can raise. It is their "
        "first act since the check.",
        made="They raise. (5)",
    ),
    Statistic(
        *("af", "AF", "bets, raises / calls, post-flop"),
        opportunity="calls and facing",
        success="raises",
        streets=_AFTER,
        table="acts",
        shown="ratio",
        rate=False,
        definition="Calls after the flop.",
        made="Bets and raises after the flop; their ratio can be above 1.",
    ),
    Statistic(
        *("afq", "AFq", "bets, raises / these, calls, folds"),
        opportunity="raises or folds or (calls and facing)",
        success="raises",
        streets=_AFTER,
        table="acts",
        definition="Bets, raises, calls and folds after the flop.",
        made="Bets and raises.",
    ),
    Statistic(
        *("wtsd", "WTSD", "showdowns / flops seen"),
        opportunity="flops",
        success="showdowns",
        table="results",
        definition="They see the flop, all-in players included.",
        made="They come to the showdown.",
    ),
    Statistic(
        *("w_sd", "W$SD", "won or shared / showdowns"),
        opportunity="showdowns",
        success="showdowns_won",
        table="results",
        definition="They come to the showdown.",
        made="They win some of the pot.",
    ),
    Statistic(
        *("wwsf", "WWSF", "won or shared / flops seen"),
        opportunity="flops",
        success="flops_won",
        table="results",
        definition="They see the flop.",
        made="They win some of the pot, at the showdown or without.",
    ),
    *_by_pot(),
    *_money("small bets", "sb", _LIMIT),
    *_money("big blinds", "bb", _FREE),
    Statistic(
        *("fold_to_bet", "Fold to bet", "folded to a bet or raise / faced one"),
        opportunity="facing",
        success="facing and folds",
        streets=_AFTER,
        table="acts",
        profile=False,
        definition="There is something to call, after the flop.",
        made="They fold.",
    ),
    Statistic(
        *("shown_bluff", "Bluffs shown, river", "bets, raises on the river without a pair / those shown"),
        opportunity="raises",
        success="raises and busted",
        streets=(3,),
        table="shown_postflop",
        structures=_LIMIT,
        profile=False,
        definition="In limit: a bet or raise on the river with a holding that was shown later.",
        made="It was made without a pair.",
    ),
):
    register(_statistic)
