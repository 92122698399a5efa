"""All statistics of a betting structure, compiled into one function that walks through the acts of a hand.

The words of `pokermodel.learning.definitions` are turned into local variables, which are kept up to date only if a
definition asks for them. Conditions that several definitions begin with are asked once. What comes out is the loop that
one would write by hand: an interpreter of expressions, or a function for each statistic, costs several times as much.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from pokermodel.game import POSITIONS
from pokermodel.learning.definitions import ACT, Statistic, parsed
from pokermodel.reading.features import CountedAct

__all__ = [
    *("ActCounter", "AgainstCounter", "compile_acts", "compile_acts_against", "source_of"),
]

#: Adds to the counters of each seat, given acts, positions of the seats, and the sets that take the counters.
ActCounter: TypeAlias = Callable[[Sequence[CountedAct], Sequence[int], Sequence[set[int]]], None]
#: The same of acts against a seat.
AgainstCounter: TypeAlias = Callable[[Sequence[CountedAct], Sequence[int], Sequence[set[int]], int], None]
#: Where the counts of each block begin.
Places: TypeAlias = Mapping[str, int]

_POSITIONS = {name.replace(" ", "_"): str(number) for number, name in enumerate(POSITIONS)}
#: What stands for a word in the loop before the flop, and in the one after it.
_PLAIN = {
    "street": "street",
    "folds": "act == 0",
    "calls": "act == 1",
    "raises": "act == 2",
    "put_in": "put_in",
    "to_call": "to_call",
    "bets": "bets",
    "bets_to_call": "bets_to_call",
    "can_raise": "can_raise",
    "position": "positions[seat]",
    "players": "len(positions)",
    **_POSITIONS,
    "last_raiser": "seat == raiser",
    "acted": "seat in acted",
    "own_bet": "own.get(seat, 0)",
    "size": "(100 * (put_in - to_call) // max(pot + to_call, 1) if act == 2 else 0)",
    "size_faced": "faced",
}
_BEFORE = _PLAIN | {
    "street": "0",
    "unopened": "unopened",
    "is_opener": "seat == opener",
    "faces_steal": "stealer >= 0",
    "raise_called": "called",
    "leads": "False",
    "faces_cbet": "False",
    "checked": "False",
    "aggressor": "False",
    "aggressor_behind": "False",
    "aggressor_checked": "False",
    "checked_through": "False",
}
_AFTER = _PLAIN | {
    "unopened": "False",
    "is_opener": "False",
    "faces_steal": "False",
    "raise_called": "called",
    "leads": "seat == leader",
    "faces_cbet": "raiser == bettor >= 0",
    "checked": "seat in checked",
    "aggressor": "seat == aggressor",
    "aggressor_behind": "-1 < behind != seat",
    "aggressor_checked": "-1 < passed != seat",
    "checked_through": "through",
}
assert _BEFORE.keys() == _AFTER.keys() == ACT.keys()


class _Keeping(NamedTuple):
    """Lines that keep words up to date.

    Attributes
    ----------
    words : frozenset of str
        What they are there for, in the loop that they are of.
    begin, round : tuple of str
        When a hand begins, and when a round does; `begin` of those after the flop: when the flop does.
    acted, raised, always : tuple of str
        After an act that is no fold; then, after one that raises; and after any act. Acts of a kind are asked for once,
        whatever is kept up after them.
    later : frozenset of str
        For which words after the flop they are there, too.
    """

    words: frozenset[str]
    begin: tuple[str, ...] = ()
    round: tuple[str, ...] = ()
    acted: tuple[str, ...] = ()
    raised: tuple[str, ...] = ()
    always: tuple[str, ...] = ()
    later: frozenset[str] = frozenset()


# who raises after a continuation bet ends it, but for the player who made it
_CBETS = frozenset(("leads", "faces_cbet"))
_AGGRESSORS = frozenset(("aggressor", "aggressor_behind", "aggressor_checked"))
_LAST_RAISER = frozenset(("last_raiser",))
_STEALING = "positions[seat] in (0, 4, 5)"
assert [POSITIONS[k] for k in (0, 4, 5)] == ["small blind", "cutoff", "button"]
_AGAINST = "(raiser == against if to_call and raiser >= 0 else against not in gone)"
_FACED = "faced = 100 * (put_in - to_call) // max(pot + to_call, 1)"
_KEPT_BEFORE = (
    _Keeping(
        frozenset(("faces_steal",)),
        ("stealer = -1",),
        acted=(f"stealer = seat if unopened and act == 2 and can_raise and {_STEALING} else -1",),
    ),
    _Keeping(frozenset(("unopened", "faces_steal")), ("unopened = True",), acted=("unopened = False",)),
    _Keeping(frozenset(("is_opener",)), ("opener = -1",), raised=("if bets == 1:", "    opener = seat")),
    _Keeping(
        frozenset(("raise_called",)),
        ("called = False",),
        acted=("if bets > 1 and put_in:", "    called = True"),
        raised=("called = False",),
    ),
    _Keeping(frozenset(("acted",)), ("acted = set()",), always=("acted.add(seat)",)),
    _Keeping(frozenset(("own_bet",)), ("own = {}",), raised=("own[seat] = bets + 1",)),
    _Keeping(frozenset(("size_faced",)), ("faced = 0",), raised=(_FACED,)),
    _Keeping(
        _LAST_RAISER,
        ("raiser = -1",),
        raised=("raiser = seat",),
        later=_CBETS | _AGGRESSORS | _LAST_RAISER | {"checked_through"},
    ),
)
_KEPT_AFTER = (
    _Keeping(
        frozenset(("raise_called",)),
        round=("called = False",),
        acted=("if bets and put_in:", "    called = True"),
        raised=("called = False",),
    ),
    _Keeping(frozenset(("acted",)), round=("acted = set()",), always=("acted.add(seat)",)),
    _Keeping(frozenset(("own_bet",)), round=("own = {}",), raised=("own[seat] = bets + 1",)),
    _Keeping(frozenset(("size_faced",)), round=("faced = 0",), raised=(_FACED,)),
    _Keeping(
        _CBETS,
        ("leader = bettor = -1",),
        ("leader = raiser if now == 0 or raiser == bettor else -1", "bettor = -1"),
        raised=("if seat == leader and not to_call:", "    bettor = seat"),
    ),
    _Keeping(_AGGRESSORS, ("aggressor = -1",), ("if raiser >= 0:", "    aggressor = raiser")),
    # who is all-in acts no more
    _Keeping(
        frozenset(("aggressor_behind", "aggressor_checked")),
        ("acting = {each[:2] for each in acts[first:]}",),
        ("behind = aggressor if (aggressor, street) in acting else -1", "passed = -1"),
        always=("if seat == behind:", "    behind = -1", "    if act == 1 and not to_call:", "        passed = seat"),
    ),
    _Keeping(frozenset(("checked_through",)), round=("through = raiser < 0",)),
    # last, since the others ask at the beginning of a round who raised last in the one before
    _Keeping(
        _CBETS | _AGGRESSORS | _LAST_RAISER | {"checked_through"}, round=("raiser = -1",), raised=("raiser = seat",)
    ),
    _Keeping(
        frozenset(("checked",)),
        ("checked = set()",),
        ("checked.clear()",),
        always=("if to_call:", "    checked.discard(seat)", "elif act == 1:", "    checked.add(seat)"),
    ),
)


def compile_acts(statistics: Iterable[Statistic], places: Places) -> ActCounter:
    """Compile what is asked at each act.

    Parameters
    ----------
    statistics : iterable of Statistic
        Those that follow from tables, and those of the hand as a whole, are left out.
    places : mapping of str to int
        By name of their blocks: the counter of successes. That of opportunities is the next one.
    """
    return _made("count", source_of(statistics, places))


def compile_acts_against(statistics: Iterable[Statistic], places: Places) -> AgainstCounter:
    """Compile what is asked at each act against one of the players, who is the last argument, as a seat.

    These are the acts that face their bet or raise; where there is none, those of others while they are in the hand.
    Parameters are those of `compile_acts`.
    """
    return _made("count", source_of(statistics, places, against=True))


def source_of(statistics: Iterable[Statistic], places: Places, *, against: bool = False) -> str:
    """The function that `compile_acts` compiles, as text, or `compile_acts_against`."""
    of_acts = [each for each in statistics if each.streets and not each.table]
    before = [each for each in of_acts if 0 in each.streets]
    after = [each for each in of_acts if each.streets != (0,)]
    words, later = _words(before), _words(after)
    once, always = "found = once[seat]", []
    if against:
        words, later = words | _LAST_RAISER, later | _LAST_RAISER
        once = f"found = once[seat] if {_AGAINST} else set()"
        always = ["if act == 0:", "    gone.add(seat)"]
    early = [keeping for keeping in _KEPT_BEFORE if keeping.words & words or keeping.later & later]
    late = [keeping for keeping in _KEPT_AFTER if keeping.words & later]
    unpacked = "seat, street, act, to_call, bets, bets_to_call, can_raise, put_in, _, pot"
    head = [*(line for keeping in early for line in keeping.begin), "first = 0"]
    lines = ["def count(acts, positions, once):"]
    if against:
        lines, head = ["def count(acts, positions, once, against):"], ["gone = set()", *head]
    lines += _in(1, head)
    lines += _in(1, [f"for {unpacked} in acts:"])
    lines += _in(2, ["if street:", "    break", "first += 1", once])
    lines += _in(2, _tree([(each, str(places[each.key]), str(places[each.key] + 1)) for each in before], _BEFORE))
    lines += _in(2, _kept(early) + always)
    if after:
        lines += _in(1, [line for keeping in late for line in keeping.begin])
        lines += _in(1, ["now = 0", f"for {unpacked} in acts[first:]:"])
        changes = [line for keeping in late for line in keeping.round]
        lines += _in(2, ["if street != now:", *_in(1, [*changes, "now = street"]), once])
        lines += _in(2, _tree([(each, *_by_street(each, places)) for each in after], _AFTER))
        lines += _in(2, _kept(late) + always)
    return "\n".join(lines)


def _words(statistics: Iterable[Statistic]) -> set[str]:
    """The words that definitions of acts have."""
    return {
        node.id
        for each in statistics
        for text in (each.opportunity, each.success)
        for node in ast.walk(parsed(text, tuple(ACT)))
        if isinstance(node, ast.Name)
    }


def _kept(kept: Sequence[_Keeping]) -> list[str]:
    """What is kept up after an act."""
    always = [line for each in kept for line in each.always]
    acted = [line for each in kept for line in each.acted]
    raised = [line for each in kept for line in each.raised]
    after_raise = ["if act == 2:", *_in(1, raised)] if raised else []
    return always + (["if act:", *_in(1, [*acted, *after_raise])] if acted else after_raise)


def _by_street(statistic: Statistic, places: Places) -> tuple[str, str]:
    """What gives the counters of successes and opportunities in a round after the flop."""
    found = {street: places[name] for name, street in statistic.blocks().items()}
    firsts = [found.get(street, -1) for street in range(4)]
    return f"{(*firsts,)}[street]", f"{(*(first + 1 for first in firsts),)}[street]"


_Counted = tuple[Statistic, str, str]


def _tree(counted: Sequence[_Counted], words: Mapping[str, str]) -> list[str]:
    """Lines that ask for all opportunities, and for successes where there is one."""
    asked = []
    for each, success, opportunity in counted:
        tests = _conjuncts(each, each.opportunity, words)
        if words is _AFTER and each.streets != (1, 2, 3):
            tests.insert(0, f"street in {each.streets}")
        asked.append((tests, _code(each, each.success, words), success, opportunity))
    return _asked(asked)


def _asked(asked: Sequence[tuple[list[str], str, str, str]]) -> list[str]:
    """Lines that ask for conditions, that first by which most definitions are told apart.

    Conditions change nothing, so that their order is free. What holds where one of them does not is its ``else``.
    """
    lines: list[str] = []
    for tests, made, success, opportunity in asked:
        if not tests:
            lines += [f"found.add({opportunity})", f"if {made}:", f"    found.add({success})"]
    rest = [each for each in asked if each[0]]
    while rest:
        often = Counter(test for tests, *_ in rest for test in dict.fromkeys(tests))
        test = max(often, key=lambda each: often[each] + often[_opposite(each)])
        if test.startswith("not ") and _opposite(test) in often:
            test = _opposite(test)
        other = _opposite(test)
        lines += [f"if {test}:", *_in(1, _asked(_without(rest, test)))]
        if other in often:
            lines += ["else:", *_in(1, _asked(_without(rest, other)))]
        rest = [each for each in rest if test not in each[0] and other not in each[0]]
    return lines


def _opposite(test: str) -> str:
    """A condition that holds where another one does not."""
    return test.removeprefix("not ") if test.startswith("not ") else f"not {test}"


def _without(asked: Sequence[tuple[list[str], str, str, str]], test: str) -> list[tuple[list[str], str, str, str]]:
    """Those that have a condition, without it."""
    return [([each for each in tests if each != test], *rest) for tests, *rest in asked if test in tests]  # type: ignore[misc]


def _conjuncts(statistic: Statistic, text: str, words: Mapping[str, str]) -> list[str]:
    """The conditions that all have to hold; none of one that always does."""
    tree = parsed(text, tuple(statistic.words)).body
    parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
    return [_unparsed(part, words) for part in parts if not (isinstance(part, ast.Constant) and part.value)]


def _code(statistic: Statistic, text: str, words: Mapping[str, str]) -> str:
    return _unparsed(parsed(text, tuple(statistic.words)).body, words)


class _Renamed(ast.NodeTransformer):
    def __init__(self, words: Mapping[str, str]) -> None:
        self._words = words

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.parse(self._words[node.id], mode="eval").body


def _unparsed(node: ast.expr, words: Mapping[str, str]) -> str:
    copy = ast.parse(ast.unparse(node), mode="eval")
    return ast.unparse(_Renamed(words).visit(copy))


def _in(depth: int, lines: Iterable[str]) -> list[str]:
    return [" " * 4 * depth + line for line in lines]


def _made(name: str, source: str) -> Callable[..., None]:
    """The function of a text, every word of which is from here: definitions have been parsed and written anew."""
    found: dict[str, Callable[..., None]] = {}
    exec(compile(source, "<statistics>", "exec"), found)
    return found[name]
