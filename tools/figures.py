"""Draw the figures of the documentation: ``python tools/figures.py docs/_figures``. Needs matplotlib."""

from __future__ import annotations

import ast
import json
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib
import numpy as np
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

import pokermodel as pm
from pokermodel.analysis.player import PlayerReports
from pokermodel.cards import holding_index
from pokermodel.classics.experiments import run_experiment
from pokermodel.classics.loki1.reweighting import reweighting_factors
from pokermodel.classics.loki2.triples import TripleGenerator, TripleSpot
from pokermodel.classics.report.experiment_page import published_beside
from pokermodel.learning.thresholds import postflop_threshold
from pokermodel.report.player_page import difference_chart, strength_charts
from pokermodel.report.results import calibration_of, learning_curves
from pokermodel.solving import Solution
from pokermodel.tables.report.tournament_page import winnings_charts

matplotlib.use("svg")
import matplotlib.pyplot as plt

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "pokermodel"
RANKS = "AKQJT98765432"
INK, RED, BLUE, GREY = "#333333", "#b2182b", "#2166ac", "#888888"

plt.rcParams.update(
    {"svg.hashsalt": "pokermodel", "svg.fonttype": "path", "font.size": 9, "axes.spines.top": False}
    | {"axes.spines.right": False, "figure.facecolor": "white", "axes.facecolor": "white"}
)


def example(axes_of):
    """What Eve can hold after each of her actions in the hand that ships with the package."""
    modeler = pm.OpponentModeler(model="loki1")
    tables = []
    for decision in pm.example_hand().replay():
        modeler.observe(decision)
        if decision.player == "Eve" and decision.act != pm.Act.FOLD:
            tables.append((decision, modeler.table("Eve")))
    chosen = [next(entry for entry in reversed(tables) if entry[0].round == street) for street in range(4)]
    figure, axes = axes_of(1, 4, (10, 2.9))
    for axis, (decision, table) in zip(axes, chosen, strict=True):
        axis.imshow(table.grid(), cmap="Reds", vmin=0, vmax=1)
        axis.set_xticks(range(13), RANKS)
        axis.set_yticks(range(13), RANKS)
        axis.tick_params(length=0, labelsize=6)
        board = f" on {pm.cards.cards_text(decision.board)}" if decision.board else ""
        axis.set_title(f"{decision.name}{board}\n{table.entropy_bits():.1f} bits", fontsize=8)
        for spine in axis.spines.values():
            spine.set_visible(False)
    return figure


def ramps(axes_of):
    """Loki-1's re-weighting factor by the value of a holding."""
    figure, (axis,) = axes_of(1, 1, (5, 2.8))
    values = np.linspace(0, 1, 401)
    cases = [
        ([0.10, 0.70, 0.20], pm.Act.RAISE, RED, "raise by one who raises 20%"),
        ([0.50, 0.30, 0.20], pm.Act.CALL, BLUE, "call by one who folds 50%"),
        ([0.10, 0.70, 0.20], pm.Act.CALL, GREY, "call by one who folds 10%"),
    ]
    for frequencies, act, color, label in cases:
        threshold = postflop_threshold(frequencies, act)
        axis.plot(values, reweighting_factors(values, threshold.mu, threshold.sigma), color=color, label=label)
    axis.set(xlabel="value of the holding", ylabel="factor of its weight", xlim=(0, 1), ylim=(0, 1.05))
    axis.legend(frameon=False, fontsize=8, loc="lower right")
    return figure


def triple(axes_of):
    """The probability triple by the value of a holding, with one bet to call."""
    figure, (axis,) = axes_of(1, 1, (5, 2.8))
    values = np.linspace(0, 1, 401)
    spot = TripleSpot(round=1, pot=6, to_call=2, bet=2, bets_to_call=1, num_bets=1, can_raise=True)
    triples = TripleGenerator(form="reweighting").apply(spot, values, 0.0)
    axis.stackplot(values, triples.T, colors=[GREY, "#92c5de", RED], labels=["fold", "call", "raise"], alpha=0.85)
    axis.set(xlabel="value of the holding", ylabel="probability", xlim=(0, 1), ylim=(0, 1))
    axis.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


# ------------------------------------------------------------------------------------------ architecture


def iterations(axes_of):
    """How often a solver bluffs, iteration by iteration, and how far from an equilibrium two numbers of bits come."""
    figure, (left, right) = axes_of(1, 2, (9, 2.9))
    spot = pm.Subgame("QsJh2h8c3d", 200, 900, ("AA,KK,55,44", "66,77,99,TT"), bets=["100%"], raises=[])
    solution, bluff = Solution(spot), holding_index("4c4s")
    rows, weight, before = [], 0.0, 0.0
    for t in range(150):
        solution.learn(1)
        average = solution.strategy()[bluff, 1]
        kept = (t / (t + 1)) ** 2 * weight  # how much the iterations before count
        rows.append((t + 1, (average * (kept + 1) - before * kept), average))
        weight, before = kept + 1, average
    t, current, average = np.array(rows).T
    left.plot(t, current.clip(0, 1), color=GREY, linewidth=0.8, label="the strategy of the iteration")
    left.plot(t, average, color=RED, label="the average")
    left.axhline(0.5, color=INK, linewidth=0.8, linestyle=":", label="in equilibrium")
    left.set(xlabel="iteration", ylabel="44 bets", ylim=(-0.03, 1.03), xlim=(0, 150))
    left.legend(frameon=False, fontsize=8, loc="upper right")
    menus = {"bets": ["50%", "100%", "all-in"], "raises": ["60%", "all-in"]}
    ranges = "22+,A2s+,A9o+,K9s+,KTo+,Q9s+,J9s+,T9s", "22+,A2s+,A2o+,K5s+,K9o+,Q8s+,QTo+,J8s+,T8s+,97s+,86s+"
    for bits, color in ((32, BLUE), (16, RED)):
        found = pm.solve(pm.Subgame("QsJh2h8c3d", 200, 900, ranges, **menus), 0.01, bits=bits, iterations=2000)
        right.loglog(*np.array([check[:2] for check in found.checks]).T, color=color, label=f"{bits} bits")
    right.set(xlabel="iterations", ylabel="exploitability, % of the pot", xlim=(10, None))
    right.legend(frameon=False, fontsize=8)
    return figure


def confidence(axes_of):
    """What a lock gains if it is right, and what it costs at worst, by how far it is believed."""
    figure, (axis,) = axes_of(1, 1, (5.5, 2.9))
    ranges = "22+,A2s+,A9o+,K9s+,KTo+,Q9s+,J9s+,T9s", "22+,A2s+,A2o+,K5s+,K9o+,Q8s+,QTo+,J8s+,T8s+,97s+,86s+"
    spot = pm.Subgame("QsJh2h8c3d", 200, 900, ranges, bets=["50%", "100%"], raises=["60%"])
    free = pm.solve(spot, 0.05)
    known = [free.strategy(node) for node in ("r:0:b100", "r:0:b200")]
    model = []
    for node, strategy in zip(("r:0:b100", "r:0:b200"), known, strict=True):
        folds_more = np.nan_to_num(strategy, nan=1 / strategy.shape[1])
        taken = np.minimum(0.2, 1 - folds_more[:, 0])
        folds_more[:, 1:] *= ((1 - folds_more[:, 0] - taken) / np.maximum(1 - folds_more[:, 0], 1e-9))[:, None]
        folds_more[:, 0] += taken
        model.append(pm.Lock(node, folds_more / folds_more.sum(axis=1, keepdims=True)))
    person = free.with_strategy(model)
    shares = (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
    answers = [pm.solve(spot, 0.1, locks=[pm.Lock(lock.node, lock.strategy, c) for lock in model]) for c in shares]
    gain = [answer.value(0, against=person) - free.value(0, against=person) for answer in answers]
    worst = [answer.worst_case(0) - free.worst_case(0) for answer in answers]
    axis.axhline(0, color=GREY, linewidth=0.8)
    axis.plot(shares, np.array(gain) / 2, color=BLUE, marker="o", markersize=3, label="against who folds so much")
    axis.plot(shares, np.array(worst) / 2, color=RED, marker="o", markersize=3, label="in the worst case")
    axis.set(xlabel="confidence of the locks", ylabel="beside the equilibrium,\n% of the pot")
    axis.legend(frameon=False, fontsize=8)
    return figure


def room_of(path):
    """The room of a module: a folder of the package, or a file beside the folders."""
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else path.stem


def imports(path):
    """Rooms that a Python file imports when it is imported itself: not those for its types alone, nor later ones.

    Commands import what they need when they run, so that all of them start quickly: there, every import counts.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree) if room_of(path) == "cli" else tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pokermodel"):
            base = node.module.split(".")[1:]
            yield from base[:1] or (name.name for name in node.names)


def rooms():
    """Which room uses which: as the code has it."""
    uses = defaultdict(set)
    for path in sorted(PACKAGE.rglob("*.py")):
        room = room_of(path)
        if path.name in {"__init__.py", "__main__.py"} and path.parent == PACKAGE:
            continue
        uses[room] |= {name for name in imports(path) if name != room}
    return {room: used & set(uses) for room, used in uses.items()}


def layers(uses):
    """Rooms by height: each above all that it uses. Raises `ValueError` where the arrows run in a circle."""
    height = {}
    while len(height) < len(uses):
        ready = [room for room in uses if room not in height and uses[room] <= height.keys()]
        if not ready:
            raise ValueError(f"these import each other: {', '.join(sorted(uses.keys() - height.keys()))}")
        height |= {room: max((height[used] + 1 for used in uses[room]), default=0) for room in ready}
    return height


def reduced(uses):
    """The arrows without those that others imply."""

    def reach(room):
        return uses[room].union(*(reach(used) for used in uses[room]))

    return {
        room: {used for used in uses[room] if not any(used in reach(other) for other in uses[room])} for room in uses
    }


def architecture(axes_of):
    """The rooms of the package, drawn from its imports; an arrow points to what is used."""
    uses = {room: used for room, used in rooms().items() if not room.startswith("_") or room == "_core"}
    uses = {room: used & uses.keys() for room, used in uses.items()}
    height = layers(uses)
    rows = defaultdict(list)
    place: dict[str, tuple[float, float]] = {}
    for room in sorted(uses, key=lambda room: (height[room], room)):
        rows[height[room]].append(room)
    for level, row in sorted(rows.items()):
        # above what they use, on average, so that arrows cross little
        row.sort(key=lambda room: np.mean([place[used][0] for used in uses[room]] or [0]))
        place |= {room: ((k + 0.5) / len(row) * 10, level * 1.1) for k, room in enumerate(row)}
    figure, (axis,) = axes_of(1, 1, (9, 0.72 * len(rows) + 0.5))
    for room, used in reduced(uses).items():
        for other in used:
            start, end = place[room], place[other]
            axis.add_patch(
                FancyArrowPatch(
                    (start[0], start[1] - 0.22),
                    (end[0], end[1] + 0.22),
                    arrowstyle="-|>",
                    mutation_scale=7,
                    color="#b0b0b0",
                    linewidth=0.8,
                )
            )
    for room, (x, y) in place.items():
        width = 0.085 * len(room) + 0.35
        axis.add_patch(
            FancyBboxPatch(
                (x - width / 2, y - 0.2), width, 0.4, boxstyle="round,pad=0.02", facecolor="#f2f2f2", edgecolor=INK
            )
        )
        axis.text(x, y, room, ha="center", va="center", fontsize=8, color=INK)
    axis.set(xlim=(0, 10), ylim=(-0.5, max(height.values()) * 1.1 + 0.5))
    axis.axis("off")
    return figure


def scored():
    """What `pokermodel score --json` said of the adaptive reader, of each set of hands: see docs/scores.md."""
    return json.loads((Path(__file__).parents[1] / "docs" / "_data" / "adaptive.json").read_text())


def calibration(axes_of):
    """How often acts were done beside how often they were forecast by the adaptive reader."""
    sets = scored()
    figure, axes = axes_of(1, len(sets), (9, 3.2))
    for axis, (name, report) in zip(axes, sets.items(), strict=True):
        axis.plot([0, 1], [0, 1], color="lightgrey", zorder=0)
        for act, color in ("fold", GREY), ("call", BLUE), ("raise", RED):
            rows = [row for row in report["calibration"] if row["act"] == act and row["decisions"] >= 20]
            predicted, observed, n = (
                np.array([row[key] for row in rows]) for key in ("predicted", "observed", "decisions")
            )
            half = 1.96 * np.sqrt(observed * (1 - observed) / n)
            axis.errorbar(predicted, observed, half, color=color, fmt="o", markersize=3, linewidth=1, label=act)
        axis.set(title=name, xlabel="forecast", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes[0].set_ylabel("done")
    axes[0].legend(frameon=False, fontsize=8, loc="upper left")
    return figure


def learning(axes_of):
    """Log-loss of the adaptive reader by how often the player had been seen."""
    figure, (axis,) = axes_of(1, 1, (5, 2.8))
    for (name, report), color in zip(scored().items(), (RED, BLUE, GREY), strict=True):
        rows = [row for row in report["learning_curve"] if row["decisions"] >= 100]
        if len(rows) < 2:
            continue
        seen = [max(row["hands_seen"], 0.5) for row in rows]
        loss = np.array([row["action_log_loss"] for row in rows])
        low, high = np.array([row["action_log_loss_ci95"] for row in rows]).T
        axis.plot(seen, loss, color=color, marker="o", markersize=3, label=name)
        axis.fill_between(seen, low, high, color=color, alpha=0.15, linewidth=0)
    axis.set(xscale="log", xlabel="hands of the player seen before", ylabel="log-loss of the next act")
    axis.legend(frameon=False, fontsize=8)
    return figure


# ------------------------------------------------------------------------------------- charts of pages


@cache
def played():
    """A tournament, what was scored on its hands, and a report of one of its players."""
    with TemporaryDirectory() as folder, pm.Book("sqlite://") as book:
        result = pm.tables.tournament("loki1,bpm,call", 60, seed=1, export=folder)
        scores = pm.score(pm.open_hands(folder), "adaptive,contexts")
        book.learn(pm.open_hands(folder))
        report = PlayerReports(book, ranges=True).of(book.profile("loki1"))
    return result, scores.to_dict()["models"], report


def page_calibration():
    """The calibration of a reader, as on the page of scores."""
    return calibration_of(played()[1][0])


def page_learning():
    """The learning curves of two readers, as on the page of scores."""
    return next(learning_curves(played()[1]))


def page_winnings():
    """Winnings over the deals, as on the page of a tournament."""
    return next(winnings_charts(played()[0]))


def page_experiment():
    """Figures beside published ones, as on the page of an experiment."""
    return published_beside(run_experiment("gom", 60, seed=1).to_dict()["rows"])


def page_differences():
    """Where a player differs from others, as on their page."""
    return difference_chart(played()[2])


def page_strength():
    """What a player does with holdings of each strength on the flop, as on their page."""
    return next(strength_charts(played()[2].ranges.postflop))


CHARTS = {
    "page-calibration": page_calibration,
    "page-learning": page_learning,
    "page-winnings": page_winnings,
    "page-experiment": page_experiment,
    "page-differences": page_differences,
    "page-strength": page_strength,
}

FIGURES = {
    "example": example,
    "ramps": ramps,
    "triple": triple,
    "architecture": architecture,
    "calibration": calibration,
    "learning": learning,
    "solving-iterations": iterations,
    "solving-confidence": confidence,
}


def draw_all(folder):
    """Write every figure as SVG into a folder: with matplotlib, and those of pages as pages have them."""

    def axes_of(rows, columns, size):
        figure, axes = plt.subplots(rows, columns, figsize=size, squeeze=False, layout="constrained")
        return figure, axes[0]

    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, draw in FIGURES.items():
        figure = draw(axes_of)
        figure.savefig(Path(folder) / f"{name}.svg", metadata={"Date": None})
        plt.close(figure)
    for name, draw in CHARTS.items():
        (Path(folder) / f"{name}.svg").write_text(draw().picture(), encoding="utf-8")


if __name__ == "__main__":
    draw_all(sys.argv[1])
