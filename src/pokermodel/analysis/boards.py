"""A spot on many boards: what each of them and each class of flop is worth to both players, and what they do there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pokermodel.cards import card_indices
from pokermodel.evaluation.equity import equity
from pokermodel.histories.filter import TEXTURES, textures
from pokermodel.solving import Solution
from pokermodel.solving.solution import mass_beside
from pokermodel.solving.tree import ROOT

__all__ = ["BoardsReport", "board_classes", "board_figures", "board_value"]

_CHECKED = f"{ROOT}:c"
_SIDES = ("oop", "ip")


def board_classes(board: str) -> tuple[str, ...]:
    """The classes of a board's flop, in the words of filters: suits, pairs, whether a straight is possible, top rank.

    Examples
    --------
    >>> board_classes("QsJh2h")
    ('two-tone', 'unpaired', 'Q-high')
    """
    flop = card_indices(board)[:3]
    return textures([card // 4 for card in flop], len({card % 4 for card in flop}))


def board_figures(solution: Solution) -> dict[str, Any]:
    """The figures of a solution in a report on many boards, besides its summary, as JSON.

    Returns
    -------
    dict
        ``equity`` of both ranges, as shares of the pot without further bets; ``pairs``, the weight of all pairs of
        holdings, and so of the board; ``checked_to``, actions of the player in position after a check, as ``root`` has
        those of the other, or None without a check.
    """
    game = solution.subgame
    first, second = game.weights()
    shares = equity(game.ranges, game.cards, jobs=1).equity
    checked = None
    if solution.tree.is_decision(solution.tree.find(_CHECKED).node):
        checked = solution.ev(_CHECKED).shares()
    return {
        "equity": [float(share) for share in shares],
        "pairs": float(first @ mass_beside(second)),
        "checked_to": checked,
    }


def board_value(pot: float, entry: Mapping[str, Any]) -> dict[str, Any]:
    """The row of a board in a report, from what `solve_spots` yields with `board_figures`.

    Returns
    -------
    dict
        ``board``, ``classes``, ``weight``, ``ev_oop``, ``equity_oop``, ``realised_oop``, the same of ``ip``,
        ``exploitability``, and by name of an action, as ``oop bet 100``, how often it is taken.
    """
    row = {"board": entry["board"], "classes": " ".join(board_classes(entry["board"])), "weight": entry["weight"]}
    for side, ev, share in zip(_SIDES, entry["ev"], entry["equity"], strict=True):
        row |= {f"ev_{side}": ev, f"equity_{side}": share, f"realised_{side}": _ratio(ev, share * pot)}
    row["exploitability"] = entry["exploitability"]
    for side, acts in zip(_SIDES, (entry["root"], entry["checked_to"] or ()), strict=True):
        for act in acts:
            name = f"{side} {act['act']}" + ("" if act["to"] is None else f" {act['to']:g}")
            row[name] = act["frequency"]
    return row


@dataclass(frozen=True, slots=True, eq=False)
class BoardsReport:
    """A spot on many boards.

    Attributes
    ----------
    pot : float
    rows : list of dict
        Of `board_value`.
    chances : list of float
        With which weight each board counts in means: what it stands for, by the pairs of holdings that it leaves.
    """

    pot: float
    rows: list[dict[str, Any]]
    chances: list[float]

    @classmethod
    def of(cls, pot: float, entries: Sequence[Mapping[str, Any]]) -> BoardsReport:
        """The report of the results of `solve_spots`."""
        return cls(
            pot, [board_value(pot, each) for each in entries], [each["weight"] * each["pairs"] for each in entries]
        )

    @property
    def actions(self) -> list[str]:
        """Names of all actions, those of the player out of position first."""
        names = dict.fromkeys(name for row in self.rows for name in row if " " in name)
        return sorted(names, key=lambda name: _SIDES.index(name.split()[0]))

    @property
    def columns(self) -> list[str]:
        """Names of the columns of rows."""
        return [*("board", "classes", "weight"), *_figures(), "exploitability", *self.actions]

    def whole(self) -> dict[str, Any]:
        """Means over all boards; ``realised`` divides winnings by the pot times the equity."""
        return self._mean("all", lambda _: True)

    def classes(self) -> list[dict[str, Any]]:
        """Means by class of the flop, of classes that occur; a board is in several."""
        there = {name for row in self.rows for name in row["classes"].split()}
        return [
            self._mean(name, lambda row, name=name: name in row["classes"].split())  # type: ignore[misc]
            for name in TEXTURES
            if name in there
        ]

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON has it."""
        return {"pot": self.pot, "all": self.whole(), "classes": self.classes(), "boards": self.rows}

    def _mean(self, name: str, inside: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        some = [(row, chance) for row, chance in zip(self.rows, self.chances, strict=True) if inside(row)]
        found: dict[str, Any] = {"name": name, "boards": len(some), "share": _ratio(_sum(some), sum(self.chances))}
        for side in _SIDES:
            ev, share = (_ratio(_sum(some, f"{kind}_{side}"), _sum(some)) for kind in ("ev", "equity"))
            realised = None if ev is None or share is None else _ratio(ev, share * self.pot)
            found |= {f"ev_{side}": ev, f"equity_{side}": share, f"realised_{side}": realised}
        for action in self.actions:
            known = [(row, chance) for row, chance in some if row.get(action) is not None]
            found[action] = _ratio(_sum(known, action), _sum(known))
        return found


def _figures() -> list[str]:
    return [f"{kind}_{side}" for side in _SIDES for kind in ("ev", "equity", "realised")]


def _sum(rows: Iterable[tuple[Mapping[str, Any], float]], name: str | None = None) -> float:
    return sum(chance * (1.0 if name is None else row[name]) for row, chance in rows)


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole > 0 else None
