"""What plain models foretell of no-limit acts: anchors for the losses of readers.

    pip install -e ".[anchors]"
    python -m tools.measure.anchors FILE... [--fit-share .8 | --fit N [N ...]] [--prior PRIOR] [--json OUT]

The first hands of each file fit the models, and are what is known of its people when its other hands begin; these are
foretold one after the other, each before it is counted. No model sees a card that the table does not see.

- `trees`: gradient boosting (`HistGradientBoostingClassifier` of scikit-learn) of the features of the betting and the
  board and of what the player did in earlier hands: a model of fold, call and raise, and one of the class of a raise's
  size.
- `counts`: frequencies by context, everybody's as the beginning of the population's, these as that of the player's.
- `mean`: the mean of the two.
- `adaptive`: with `--prior`, the reader of that name. Fit the prior on the same first hands.

Losses are in nats. A decision's is that of the choice plus, if it is a raise, that of its size; the interval beside it,
of 95%, is over hands. Probabilities are at least 0.001, as `pokermodel score` has it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokermodel.game import Act, Hand
from pokermodel.histories import open_hands
from pokermodel.reading import SIZE_CLASSES, OpponentModeler, Prior, read_prior, read_reader
from pokermodel.reading.adaptive.names import population
from pokermodel.reading.adaptive.situations import BoardFeatures, board_features
from pokermodel.reading.adaptive.sizes import (
    CLASS_OF,
    SIZE_CONTEXTS,
    SizeRange,
    size_cell,
    size_context,
    size_range,
)
from pokermodel.reading.features import BETS, ROUND, BettingHistory, Feature, Features, Grid
from pokermodel.scoring import LEAST_PROBABILITY

SIZE_GROUPS = 4

Floats = NDArray[np.float64]

ACTS, CLASSES = len(Act), len(SIZE_CLASSES)
ANCHORS = ("trees", "counts", "mean")
#: The twelve contexts by position.
CONTEXTS = Grid(ROUND, BETS, Feature("position", 7, lambda f: min(f.position, 6)))
#: What a player's statistics are by: the round, and whether there is a bet to call.
SIDES = 8
#: Observations that everybody's frequencies are worth to a population's, and these to a player's: of six variants.
STRENGTHS = (30.0, 20.0)
#: Of sizes: everybody's to a population's, these to a player's in a group of contexts, and these in a context.
SIZE_STRENGTHS = (20.0, 10.0, 10.0)
#: Of the boosting: the best of three variants on hands that no figure is reported of.
TREES: dict[str, Any] = {
    "learning_rate": 0.05,
    "max_iter": 150,
    "max_leaf_nodes": 15,
    "min_samples_leaf": 100,
    "l2_regularization": 5.0,
    "early_stopping": False,
}


# -------------------------------------------------------------------------------------------------- decisions


def size_group(context: int) -> int:
    """The group of a context of sizes: before or after the flop, first or further raise."""
    street, further = divmod(context // 3, 3)
    return 2 * (street > 0) + (further > 0)


class Seen(NamedTuple):
    """A decision, as the table saw it."""

    player: str
    features: Features
    board: BoardFeatures
    legal: tuple[bool, ...]
    act: int
    room: tuple[bool, ...] | None  # of a raise: the classes of sizes that there was room for
    size: int  # the class of a raise's size, else -1

    @property
    def side(self) -> int:
        """The round, and whether there is a bet to call."""
        return 2 * self.features.round + (self.features.bets > 0)


class SeenHand(NamedTuple):
    """A hand, as the table saw it."""

    population: str
    decisions: list[Seen]


def room_of(cells: SizeRange) -> tuple[bool, ...]:
    """The classes of sizes that have a cell with room."""
    return tuple((np.bincount(CLASS_OF, cells.mask(), CLASSES) > 0).tolist())


def see(hand: Hand) -> SeenHand:
    """The decisions of a no-limit or pot-limit hand; `ValueError` if it breaks the rules."""
    history, found = BettingHistory(len(hand.players)), []
    for decision in hand.replay():
        situation = decision.situation
        if not decision.out_of_turn and decision.act in situation.legal:
            room, size = None, -1
            if decision.act == Act.RAISE:
                assert decision.to is not None
                room = room_of(size_range(situation))
                size = int(CLASS_OF[size_cell(situation, decision.to)])
            legal = tuple(act in situation.legal for act in Act)
            seen = board_features(situation.board)
            features = history.features(situation)
            found.append(Seen(situation.player, features, seen, legal, int(decision.act), room, size))
        history.add(decision)
    return SeenHand(population(hand.spec), found)


# ----------------------------------------------------------------------------------------------------- counts


def _zeros(*shape: int) -> Callable[[], Floats]:
    return partial(np.zeros, shape)


@dataclass(slots=True)
class Tally:
    """How often somebody did what."""

    contexts: Floats = field(default_factory=_zeros(CONTEXTS.size, ACTS))
    sides: Floats = field(default_factory=_zeros(SIDES, ACTS))
    sizes: Floats = field(default_factory=_zeros(SIZE_CONTEXTS, CLASSES))
    groups: Floats = field(default_factory=_zeros(SIZE_GROUPS, CLASSES))

    def add(self, seen: Seen) -> None:
        """Count a decision."""
        self.contexts[CONTEXTS.encode(seen.features), seen.act] += 1
        self.sides[seen.side, seen.act] += 1
        if seen.room is not None:
            context = size_context(seen.features)
            self.sizes[context, seen.size] += 1
            self.groups[size_group(context), seen.size] += 1


def shrink(before: Floats, counts: Floats, strength: float) -> Floats:
    """Frequencies by row: counts, and so many observations of what was believed before."""
    found: Floats = (counts + strength * before) / (counts.sum(axis=-1, keepdims=True) + strength)
    return found


class Tallies:
    """What is known of populations and players, on top of what everybody did.

    Parameters
    ----------
    everybody : Tally
    """

    def __init__(self, everybody: Tally) -> None:
        self.everybody = everybody
        self.populations: dict[str, Tally] = {}
        self.players: dict[str, Tally] = {}
        self.nobody = Tally()

    def learn(self, hand: SeenHand) -> None:
        """Count the decisions of a hand."""
        among = self.populations.setdefault(hand.population, Tally())
        for seen in hand.decisions:
            among.add(seen)
            self.players.setdefault(seen.player, Tally()).add(seen)

    def choice(self, among: Tally, own: Tally, context: int) -> Floats:
        """Frequencies of fold, call and raise in a context."""
        found = shrink(np.full(ACTS, 1 / ACTS), self.everybody.contexts[context], ACTS)
        found = shrink(found, among.contexts[context], STRENGTHS[0])
        return shrink(found, own.contexts[context], STRENGTHS[1])

    def size(self, among: Tally, own: Tally, context: int) -> Floats:
        """Frequencies of the classes of sizes in a context."""
        found = shrink(np.full(CLASSES, 1 / CLASSES), self.everybody.sizes[context], CLASSES)
        found = shrink(found, among.sizes[context], SIZE_STRENGTHS[0])
        found = shrink(found, own.groups[size_group(context)], SIZE_STRENGTHS[1])
        return shrink(found, own.sizes[context], SIZE_STRENGTHS[2])

    def statistics(self, among: Tally, own: Tally) -> tuple[Floats, Floats]:
        """What a player does: how often they fold, call and raise by side, and their sizes by group."""
        sides = shrink(np.full((SIDES, ACTS), 1 / ACTS), self.everybody.sides, ACTS)
        sides = shrink(shrink(sides, among.sides, STRENGTHS[0]), own.sides, STRENGTHS[1])
        groups = shrink(np.full((SIZE_GROUPS, CLASSES), 1 / CLASSES), self.everybody.groups, CLASSES)
        return sides, shrink(shrink(groups, among.groups, SIZE_STRENGTHS[0]), own.groups, SIZE_STRENGTHS[1])


@dataclass(slots=True)
class Rows:
    """Decisions as models take them; those of raises a second time, for their sizes."""

    hands: list[int] = field(default_factory=list)
    inputs: list[NDArray[np.float32]] = field(default_factory=list)
    legal: list[tuple[bool, ...]] = field(default_factory=list)
    acts: list[int] = field(default_factory=list)
    counted: list[Floats] = field(default_factory=list)
    raises: list[int] = field(default_factory=list)  # which of the decisions they are
    size_inputs: list[NDArray[np.float32]] = field(default_factory=list)
    room: list[tuple[bool, ...]] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    counted_sizes: list[Floats] = field(default_factory=list)

    def add(self, number: int, seen: Seen, tallies: Tallies, among: Tally, known: _Known) -> None:
        """Add a decision, of a hand with a number."""
        own, (sides, groups) = known
        side = seen.side
        inputs = np.concatenate(
            [
                seen.features,
                seen.board,
                seen.legal,
                sides[:, :: ACTS - 1].ravel(),
                sides[side, :: ACTS - 1],
                np.log1p([own.sides.sum(), own.sides[side].sum()]),
            ]
        ).astype(np.float32)
        self.hands.append(number)
        self.inputs.append(inputs)
        self.legal.append(seen.legal)
        self.acts.append(seen.act)
        self.counted.append(tallies.choice(among, own, CONTEXTS.encode(seen.features)))
        if seen.room is not None:
            context = size_context(seen.features)
            group = size_group(context)
            self.raises.append(len(self.acts) - 1)
            told = np.concatenate([inputs, seen.room, groups[group], [np.log1p(own.groups[group].sum())]])
            self.size_inputs.append(told.astype(np.float32))
            self.room.append(seen.room)
            self.sizes.append(seen.size)
            self.counted_sizes.append(tallies.size(among, own, context))


_Known = tuple[Tally, tuple[Floats, Floats]]


def follow(
    hands: Iterable[SeenHand], tallies: Tallies, rows: Rows | None = None, who: Callable[[str], bool] | None = None
) -> None:
    """Go through hands, each counted after all of its decisions were added to rows.

    Parameters
    ----------
    hands : iterable of SeenHand
    tallies : Tallies
        What is known before, and then what is known after.
    rows : Rows, optional
        Takes the decisions.
    who : callable, optional
        Whether a player's decisions are taken. Default: everybody's are.
    """
    for number, hand in enumerate(hands):
        if rows is not None:
            among = tallies.populations.get(hand.population, tallies.nobody)
            known: dict[str, _Known] = {}
            for seen in hand.decisions:
                if who is not None and not who(seen.player):
                    continue
                if seen.player not in known:
                    own = tallies.players.get(seen.player, tallies.nobody)
                    known[seen.player] = own, tallies.statistics(among, own)
                rows.add(number, seen, tallies, among, known[seen.player])
        tallies.learn(hand)


# ----------------------------------------------------------------------------------------------------- models


class Constant:
    """Foretells the only class that there was."""

    def __init__(self, only: int) -> None:
        self.classes_ = np.array([only])

    def predict_proba(self, inputs: NDArray[np.float32]) -> Floats:
        """Give the only class probability 1, as models of scikit-learn do."""
        return np.ones((len(inputs), 1))


def boosted(inputs: Sequence[NDArray[np.float32]], classes: Sequence[int], **options: Any) -> Any:
    """Gradient boosting, fitted."""
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier  # type: ignore[import-untyped]
    except ImportError:
        raise SystemExit('the trees are those of scikit-learn: pip install "pokermodel[anchors]"') from None
    if len(set(classes)) < 2:
        return Constant(classes[0] if classes else 0)
    model = HistGradientBoostingClassifier(**{**TREES, "random_state": 1, **options})
    return model.fit(np.array(inputs), np.array(classes))


def foretold(model: Any, inputs: Sequence[NDArray[np.float32]], width: int) -> Floats:
    """A model's probabilities, 0 of classes that it does not know: float64 (n, width)."""
    found = np.zeros((len(inputs), width))
    if len(inputs):
        found[:, model.classes_] = model.predict_proba(np.array(inputs))
    return found


def masked(given: Floats, room: Any) -> Floats:
    """Probabilities of what there is room for; all of it alike where it was given none."""
    found: Floats = given * room
    found = np.where(found.sum(axis=1, keepdims=True) > 0, found, np.asarray(room, dtype=np.float64))
    found /= found.sum(axis=1, keepdims=True)
    return found


class Losses(NamedTuple):
    """Losses of decisions, in nats, and of the sizes of those that are raises."""

    choice: Floats
    size: Floats


def act_losses(given: Floats, room: Any, chosen: Sequence[int]) -> Floats:
    """Losses of what was chosen among that which there was room for. Anything else has the least probability."""
    where = np.arange(len(chosen)), np.asarray(chosen, dtype=np.intp)
    room = np.asarray(room, dtype=bool).reshape(given.shape)
    floored = np.where(room, np.maximum(given, LEAST_PROBABILITY), 0.0)
    floored /= floored.sum(axis=1, keepdims=True)
    return -np.log(np.where(room[where], floored[where], LEAST_PROBABILITY))


class Anchors:
    """The models, fitted.

    Parameters
    ----------
    sources : iterable of list of SeenHand
        Hands to fit them on; people of one source are not those of another.
    choice, size : dict, optional
        Options of the boosting.
    """

    def __init__(
        self,
        sources: Iterable[list[SeenHand]],
        choice: dict[str, Any] | None = None,
        size: dict[str, Any] | None = None,
    ) -> None:
        sources = list(sources)
        self.everybody = Tally()
        for hands in sources:
            for hand in hands:
                for seen in hand.decisions:
                    self.everybody.add(seen)
        rows = Rows()
        for hands in sources:
            follow(hands, Tallies(self.everybody), rows)
        self.decisions, self.raises = len(rows.acts), len(rows.sizes)
        self.choice_model = boosted(rows.inputs, rows.acts, **(choice or {}))
        self.size_model = boosted(rows.size_inputs, rows.sizes, **(size or {}))

    def losses(
        self, warm: Iterable[SeenHand], test: Iterable[SeenHand], who: Callable[[str], bool] | None = None
    ) -> tuple[Rows, dict[str, Losses]]:
        """What the anchors lose on hands, after those of `warm` were seen, and what knowing nothing loses."""
        tallies, rows = Tallies(self.everybody), Rows()
        follow(warm, tallies)
        follow(test, tallies, rows, who)
        legal = np.array(rows.legal, dtype=np.float64).reshape(-1, ACTS)
        room = np.array(rows.room, dtype=np.float64).reshape(-1, CLASSES)
        choice = {
            "uniform": masked(legal, legal),
            "trees": masked(foretold(self.choice_model, rows.inputs, ACTS), legal),
            "counts": masked(np.array(rows.counted).reshape(-1, ACTS), legal),
        }
        size = {
            "uniform": masked(room, room),
            "trees": masked(foretold(self.size_model, rows.size_inputs, CLASSES), room),
            "counts": masked(np.array(rows.counted_sizes).reshape(-1, CLASSES), room),
        }
        for each in (choice, size):
            each["mean"] = (each["trees"] + each["counts"]) / 2
        return rows, {
            name: Losses(act_losses(choice[name], legal, rows.acts), act_losses(size[name], room, rows.sizes))
            for name in ("uniform", *ANCHORS)
        }


def adaptive_losses(
    prior: Prior, warm: Iterable[Hand], test: Iterable[Hand], who: Callable[[str], bool] | None = None
) -> Losses:
    """What the reader `adaptive` loses on the same hands, in the order of `Anchors.losses`."""
    session = OpponentModeler("adaptive", prior=prior, calibrated=read_reader("adaptive")[0].corrected)
    session.learning = False  # but for what follows
    for hand in warm:
        session.learn(hand.public())
    given: list[Floats] = []
    legal: list[list[bool]] = []
    acts: list[int] = []
    sizes: list[Floats] = []
    rooms: list[tuple[bool, ...]] = []
    classes: list[int] = []
    for hand in test:
        decisions = list(hand.replay())
        session.start(hand.players)
        for decision in decisions:
            situation = decision.situation
            offered = not decision.out_of_turn and decision.act in situation.legal
            if offered and (who is None or who(situation.player)):
                predicted = session.predict(situation)
                assert predicted is not None
                given.append(np.array(predicted))
                legal.append([act in situation.legal for act in Act])
                acts.append(int(decision.act))
                if decision.act == Act.RAISE:
                    by_class = session.predict_sizes(situation)
                    assert by_class is not None
                    assert decision.to is not None
                    sizes.append(by_class)
                    rooms.append(room_of(size_range(situation)))
                    classes.append(int(CLASS_OF[size_cell(situation, decision.to)]))
            session.observe(decision)
        session.learn(hand.public(), decisions)
    return Losses(
        act_losses(np.array(given).reshape(-1, ACTS), legal, acts),
        act_losses(np.array(sizes).reshape(-1, CLASSES), rooms, classes),
    )


# ----------------------------------------------------------------------------------------------------- report


def total(rows: Rows, losses: Losses) -> Floats:
    """The loss of each decision: of the choice and, of a raise, of its size."""
    found = losses.choice.copy()
    found[rows.raises] += losses.size
    return found


def half_interval(values: Floats, hands: Sequence[int]) -> float:
    """Half the interval of 95% of a mean over decisions, those of a hand taken together."""
    apart = np.bincount(hands, values - values.mean())
    return float(1.96 * np.sqrt((apart**2).sum()) / len(values))


def summary(rows: Rows, losses: dict[str, Losses]) -> dict[str, Any]:
    """Means of losses by model, each total beside that of the last model, too."""
    if not rows.acts:
        return {"decisions": 0, "raises": 0, "models": {}}
    totals = {name: total(rows, each) for name, each in losses.items()}
    last = totals[list(losses)[-1]]
    models = {
        name: {
            "choice": float(each.choice.mean()),
            "size": float(each.size.mean()) if len(each.size) else 0.0,
            "total": float(totals[name].mean()),
            "total_half_interval": half_interval(totals[name], rows.hands),
            "above_last": float((totals[name] - last).mean()),
            "above_last_half_interval": half_interval(totals[name] - last, rows.hands),
        }
        for name, each in losses.items()
    }
    return {"decisions": len(rows.acts), "raises": len(rows.raises), "models": models}


def table(found: dict[str, dict[str, Any]]) -> str:
    """Summaries by file, as a Markdown table."""
    lines = ["| hands | model | choice | size | total | above the last |", "|---|---|---|---|---|---|"]
    for name, each in found.items():
        for model, is_ in each["models"].items():
            where = f"{name} ({each['decisions']:,})" if model == "uniform" else ""
            above = f"{is_['above_last']:+.4f} ± {is_['above_last_half_interval']:.4f}" if is_["above_last"] else ""
            of = f"{is_['total']:.4f} ± {is_['total_half_interval']:.4f}"
            lines.append(f"| {where} | {model} | {is_['choice']:.4f} | {is_['size']:.4f} | {of} | {above} |")
    return "\n".join(lines)


def read(path: str) -> list[Hand]:
    """The hands of a file that are of games where bets have sizes, keep to the rules and can be paid out."""
    found = []
    for hand in open_hands(path).read([]):
        if hand.spec.structure.fixed:
            continue
        try:
            see(hand)
            _ = hand.payoffs
        except ValueError:
            continue
        found.append(hand)
    return found


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser("tools.measure.anchors", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("files", nargs="+", metavar="FILE", help="histories of no limit or pot limit")
    parser.add_argument("--fit-share", type=float, default=0.8, help="of each file, from its beginning (default .8)")
    parser.add_argument("--fit", type=int, nargs="+", metavar="N", help="hands to fit on instead, for each file")
    parser.add_argument("--prior", type=Path, help="score the reader `adaptive`, too, with this prior")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args(argv)
    if options.fit is not None and len(options.fit) != len(options.files):
        parser.error(f"--fit has {len(options.fit)} numbers for {len(options.files)} files")
    if not 0 < options.fit_share < 1:
        parser.error(f"--fit-share is {options.fit_share}, expected a number between 0 and 1")
    hands = [read(path) for path in options.files]
    counts = options.fit or [int(options.fit_share * len(each)) for each in hands]
    for path, each, count in zip(options.files, hands, counts, strict=True):
        if not 0 <= count < len(each):
            parser.error(f"{path} has {len(each)} hands, and {count} are to be fitted on")
    seen = [[see(hand) for hand in each] for each in hands]
    anchors = Anchors([each[:count] for each, count in zip(seen, counts, strict=True)])
    prior = read_prior(options.prior) if options.prior else None
    found = {}
    for path, each, decisions, count in zip(options.files, hands, seen, counts, strict=True):
        rows, losses = anchors.losses(decisions[:count], decisions[count:])
        if prior is not None:
            losses["adaptive"] = adaptive_losses(prior, each[:count], each[count:])
        found[path] = {"fitted_hands": count, "hands": len(each) - count, **summary(rows, losses)}
    print(f"fitted on {anchors.decisions:,} decisions, {anchors.raises:,} raises")
    print(table(found))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
