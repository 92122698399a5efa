"""A solution as a page: one HTML file that needs no network, to walk through the tree.

The street of the root stands in the page whole, and later streets behind the cards that were asked for; the page says
which cards it does not have. A turn with all rivers would be a hundred megabytes where ranges are a reader's. Each node
is deflated and in Base64; a browser unpacks it when it is shown.
"""

from __future__ import annotations

import base64
import math
import zlib
from typing import Any

import numpy as np

from pokermodel._support.words import counted
from pokermodel.analysis.solution import SolutionReport, SolvedNode
from pokermodel.cards import CLASS_OF_HOLDING, CLASSES, HOLDINGS, cards_text
from pokermodel.reading.width import Width
from pokermodel.report.document import asset, document, json_text
from pokermodel.report.hands_page import MOST_BYTES
from pokermodel.report.palette import LEVELS, act_names, act_rules, level_rules
from pokermodel.report.strategy import act_words, strategy_rows
from pokermodel.report.words import width_words

__all__ = ["solution_data", "solution_page"]

_LOCKS = 40  # of a list; a reader's are at every node


def solution_page(report: SolutionReport, *, lines: tuple[str, ...] = ()) -> str:
    """Draw a solution as a page, a whole HTML file in ASCII. `lines` come first, such as the strategy of one holding.

    Raises
    ------
    ValueError
        If the page would have more than 100 MB.
    """
    data = solution_data(report) | {"lines": list(lines)}
    size = sum(map(len, data["nodes"].values()))
    if size > MOST_BYTES:
        most = f"{MOST_BYTES / 1e6:,.0f}"
        raise ValueError(f"the page would have {size / 1e6:,.0f} MB, expected at most {most}: name fewer cards")
    return document(
        "solution",
        title=f"{report.solution.subgame.board}, solved",
        script=asset("elements.js")
        + asset("solution.js")
        + "drawSolution(JSON.parse(document.getElementById('data').textContent));\n",
        style=asset("ranges.css") + asset("solution.css") + level_rules(("w",)) + act_rules(),
        data=data,
    )


def solution_data(report: SolutionReport) -> dict[str, Any]:
    """Gather what the page shows, as plain data for JSON.

    Returns
    -------
    dict
        ``title``, ``about`` (lines), ``names`` of the players, ``start``, ``classes``, ``holdings`` and
        ``class_of_holding``, ``levels`` of the colours of ranges, ``locks`` (node, player, confidence and acts, in
        words), ``left_out`` (what the page does not have, in words, or None), and ``nodes``: by name, JSON that is
        deflated and in Base64.
    """
    game = report.solution.subgame
    return {
        "title": f"{game.board}, pot {game.pot:g}",
        "about": _about(report),
        "names": list(report.names),
        "start": report.start,
        "classes": list(CLASSES),
        "holdings": "".join(HOLDINGS),
        "class_of_holding": CLASS_OF_HOLDING.tolist(),
        "levels": LEVELS,
        "locks": _locks(report),
        "more_locks": max(0, len(report.solution.subgame.locks) - _LOCKS),
        "left_out": _left_out(report),
        "nodes": {name: _packed(_node(node, report)) for name, node in report.nodes.items()},
    }


def _about(report: SolutionReport) -> list[str]:
    """What was solved, how far it may be off, and what it is worth."""
    game, found = report.solution.subgame, report.summary
    stacks = " and ".join(f"{stack:g}" for stack in dict.fromkeys(game.stacks))
    rake = f", rake {game.rake:.3g} of the pot" if game.rake else ""
    cap = f", {game.rake_cap:g} at most" if game.rake and math.isfinite(game.rake_cap) else ""
    lines = [
        f"{str(game.structure).capitalize()}, stacks {stacks}{rake}{cap}.",
        f"Exploitable by {found['exploitability']:.3g}% of the pot after {counted(found['iterations'], 'iteration')}"
        f" ({found['seconds']:.1f} s, {found['memory'] / 1e6:.1f} MB with {report.solution.bits} bits).",
        f"EV: {', '.join(f'{name} {value:.4g}' for name, value in zip(report.names, found['ev'], strict=True))}.",
    ]
    if "worst_case" in found:
        worst = (f"{name} {value:.4g}" for name, value in zip(report.names, found["worst_case"], strict=True))
        lines.append(f"In the worst case, if the locks are wrong: {', '.join(worst)}.")
    if report.gain is not None:
        name, gain = report.names[report.gain.player], report.gain
        lines.append(
            f"Beside the equilibrium the answer to the locks gains {name} {gain.gain:.4g} if they are right, and loses"
            f" {gain.loss:.4g} in the worst case."
        )
    return lines


def _locks(report: SolutionReport) -> list[dict[str, Any]]:
    """What each lock says, by the holdings that come to it."""
    found = []
    tree, game = report.solution.tree, report.solution.subgame
    here = [lock for lock in game.locks if lock.confidence > 0 and "*" not in lock.node]
    every = [lock for lock in game.locks if lock.confidence > 0 and "*" in lock.node]
    for lock in (here + every)[:_LOCKS]:
        place = next(tree.places(lock.node))
        player = int(tree.player[place.node])
        acts = tree.acts(place.node)
        model = np.nan_to_num(lock.probabilities(tuple(act.part for act in acts), place.cards))
        weights = report.solution.range(place.name, player).values
        shares = weights @ model / max(float(weights.sum()), 1e-300)
        found.append(
            {
                "node": place.name,
                "here": place.name in report.nodes,
                "every": "*" in lock.node,
                "player": report.names[player],
                "confidence": lock.confidence,
                "acts": ", ".join(f"{act} {share:.0%}" for act, share in zip(acts, shares, strict=True)),
            }
        )
    return found


def _left_out(report: SolutionReport) -> str | None:
    """What the page does not have, in words."""
    if not report.left_out:
        return None
    cards = [name.rsplit(":", 1)[1] for name in report.nodes if _dealt(name)]
    behind = ", ".join(dict.fromkeys(cards))
    here = f" and what lies behind {behind}" if cards else ""
    out = "It leaves out what lies behind other cards: name them with --cards."
    return f"This page has the street of the root{here}. {out}"


def _dealt(name: str) -> bool:
    """Whether the last part of a node's name is a card."""
    part = name.rsplit(":", 1)[1]
    return len(part) == 2 and part[0] in "23456789TJQKA" and part[1] in "cdhs" and not name.endswith("r:0")


def _node(node: SolvedNode, report: SolutionReport) -> dict[str, Any]:
    """What the page shows of a node."""
    words = act_words(node)
    digits = 3 - math.floor(math.log10(report.solution.subgame.pot))  # a ten-thousandth of the pot, or less

    def worth(value: float, more: int = 0) -> float | None:
        return None if not math.isfinite(value) else round(float(value), digits + more) + 0.0

    found: dict[str, Any] = {
        "name": node.name,
        "kind": node.kind,
        "board": cards_text(node.board),
        "pot": _short(node.pot),
        "to_call": _short(node.to_call),
        "player": node.player,
        "confidence": node.confidence,
        "ev": [worth(value) for value in node.ev],
        "gap": [worth(value, 1) for value in node.mean_gap],
        "equities": None if node.equities is None else [_short(value) for value in node.equities],
        "ranges": [_thousandths(node.class_weights(player)) for player in range(2)],
        "widths": [_width_words(report.width(node, player)) for player in range(2)],
        "groups": [
            [[group.name, _short(group.share), [_short(share) for share in group.acts]] for group in groups]
            for groups in node.groups
        ],
    }
    if node.kind == "deal":
        found["cards"] = [
            [each.card, None if each.ev is None else [worth(value) for value in each.ev],
             [[act, _short(share)] for act, share in each.acts], f"{node.name}:{each.card}" in report.nodes]
            for each in node.cards
        ]  # fmt: skip
    if node.player is None or not node.acts:
        return found
    colors = act_names([act.name for act in node.acts])
    found["acts"] = [
        {"words": said, "part": act.part, "color": color, "share": _short(share), "ev": worth(ev)}
        for said, act, color, share, ev in zip(
            words, node.acts, colors, node.frequencies.tolist(), node.act_means.tolist(), strict=True
        )
    ]
    found["strategy"] = strategy_rows(node)
    found["class_ev"] = [worth(value) for value in node.class_ev(node.player).tolist()]
    weights = node.ranges[node.player].values
    most = float(weights.max()) or 1.0
    found["rows"] = [
        [
            int(k),
            round(float(weights[k]) / most, 4),
            [_short(p, 3) for p in node.strategy[k].tolist()],
            worth(node.of_holdings[node.player][k]),
            [worth(ev) for ev in node.of_acts[k].tolist()],
            worth(node.gap[node.player][k], 1),
        ]
        for k in np.flatnonzero(weights > 0)
    ]
    return found


def _width_words(width: Width) -> str:
    """How wide a range is; nothing reached the root of a spot that was given but what is there."""
    return width_words(width, width.share_here == 1.0)


def _thousandths(values: Any) -> list[float | None]:
    """Weights of classes over the largest one; None where no holding of a class is possible."""
    most = float(np.nanmax(values, initial=0.0)) or 1.0
    return [None if value != value else round(value / most, 3) for value in values.tolist()]


def _short(value: float, digits: int = 4) -> float | None:
    """A number as short as it is shown; None where it is nan."""
    value = float(value)
    return None if not math.isfinite(value) else float(f"{value:.{digits}g}")


def _packed(data: dict[str, Any]) -> str:
    return base64.b64encode(zlib.compress(json_text(data).encode("ascii"))).decode()
