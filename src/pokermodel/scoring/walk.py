"""The walk through the hands: first what is forecast, then what happened, then what is learnt from it."""

from __future__ import annotations

import pickle
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from pokermodel._support.arrays import Floats
from pokermodel._support.checks import check_choice
from pokermodel._support.forms import text_of
from pokermodel._support.frames import to_frame
from pokermodel._support.words import counted
from pokermodel.cards import holding_index, shared_live_holdings
from pokermodel.executors import Executor, Processes
from pokermodel.game import Act, Decision, Hand
from pokermodel.reading.adaptive.prior import Prior
from pokermodel.reading.adaptive.sizes import size_class, size_room
from pokermodel.reading.features import Replay
from pokermodel.reading.registry import read_reader
from pokermodel.reading.session import OpponentModeler
from pokermodel.scoring.measures import LEAST_PROBABILITY, LEAST_SHARE, Score

__all__ = ["Scores", "score"]

_SPAN = 1000  # hands that are sent at a time

_What: TypeAlias = Literal["models", "streets", "players", "learning_curve", "calibration"]


def _with_interval(name: str) -> tuple[str, str, str]:
    return name, f"{name}_low", f"{name}_high"


# Columns of data frames, by what has a row.
_ACTIONS = ("decisions", *_with_interval("action_log_loss"), "action_accuracy", "uniform_log_loss")
_BITS = ("holdings", *_with_interval("bits_gained"))
_SIZES = (
    *("sizes", *_with_interval("size_log_loss"), "uniform_size_log_loss"),
    *(*_with_interval("total_log_loss"), "uniform_total_log_loss"),
)
_COLUMNS: Mapping[_What, tuple[str, ...]] = {
    "models": (
        *(
            "model",
            "available",
            "reason",
            *_ACTIONS,
            "action_accuracy_low",
            "action_accuracy_high",
            "calibration_error",
        ),
        *(*_BITS, *_SIZES),
    ),
    "streets": ("model", "street", *_ACTIONS, *_BITS),
    "players": ("model", "player", *_ACTIONS, *_BITS),
    "learning_curve": ("model", "hands_seen", "below", *_ACTIONS, *_BITS),
    "calibration": ("model", "act", "low", "high", "decisions", "predicted", "observed"),
}


def _rows(score: dict[str, Any], what: _What) -> Iterator[dict[str, Any]]:
    """Rows of a model for a data frame, from `Score.to_dict`; intervals are pairs."""
    if what == "models":
        yield dict.fromkeys(_SIZES) | score
    elif what in ("streets", "players"):
        for name, part in score[what].items():
            yield {"model": score["model"], what.removesuffix("s"): name, **part}
    else:
        for part in score[what]:
            yield {"model": score["model"], **part}


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Give the ends of intervals columns of their own."""
    found: dict[str, Any] = {}
    for key, value in row.items():
        if key.endswith("_ci95"):
            name = key.removesuffix("_ci95")
            found[f"{name}_low"], found[f"{name}_high"] = (None, None) if value is None else value
        else:
            found[key] = value
    return found


class Scores(Mapping[str, Score]):
    """The scores of several readers on the same hands, by name.

    Attributes
    ----------
    learnt : int
        Hands that were only learnt from.
    hands : int
        Hands that were scored.
    unoffered : int
        Actions that the rules did not offer, as folds of players who could have checked: not predicted.
    out_of_turn : int
        Players who left out of turn: not predicted.
    passed : int
        Hands that were not selected: they are learnt from, unless `frozen`.
    skipped : list of ValueError
        The errors of hands that were left out.
    interrupted : bool
        Whether the walk was ended by the user, so that the last hands are missing.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._scores = {name: Score(name) for name in names}
        self.learnt = self.hands = self.passed = self.unoffered = self.out_of_turn = 0
        self.skipped: list[ValueError] = []
        self.interrupted = False

    def __getitem__(self, name: str) -> Score:
        return self._scores[name]

    def __repr__(self) -> str:
        told = ", ".join(f"{name} {score.action_log_loss:.4f}" for name, score in self.items() if score.decisions)
        return f"<Scores of {counted(self.hands, 'hand')}: {told or 'nothing was predicted'}>"

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def join(self, others: Scores) -> None:
        """Take over the scores that other readers got on the same hands."""
        self._scores |= others._scores
        self.hands, self.unoffered, self.out_of_turn = others.hands, others.unoffered, others.out_of_turn

    def absorb(self, others: Scores) -> None:
        """Add the scores that the same readers got on other hands."""
        if not self.hands:  # the first ones are taken as they are
            self._scores = dict(others._scores)
        else:
            for name, each in others._scores.items():
                self._scores[name].absorb(each)
        self.hands += others.hands
        self.unoffered += others.unoffered
        self.out_of_turn += others.out_of_turn

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON: what is common to all, and ``models``, a list of `Score.to_dict`."""
        return {
            "learnt_hands": self.learnt,
            "scored_hands": self.hands,
            "not_selected": self.passed,
            "skipped_hands": len(self.skipped),
            "unpredicted": {"unoffered": self.unoffered, "out_of_turn": self.out_of_turn},
            "least_probability": LEAST_PROBABILITY,
            "least_share": LEAST_SHARE,
            "interrupted": self.interrupted,
            "models": [self._row(each) for each in self._scores.values()],
        }

    def reason(self, name: str) -> str:
        """Return why a model has no score, or none of some of the hands; empty if it has one of all of them.

        Parameters
        ----------
        name : str
            Of the model.
        """
        score = self._scores[name]
        if score.reason or score.available:
            return score.reason
        return str(self.skipped[0]) if self.skipped else "no hand was scored"

    def _row(self, score: Score) -> dict[str, Any]:
        return score.to_dict() | {"reason": self.reason(score.name)}

    def to_frame(self, what: _What = "models", *, library: str | None = None) -> Any:
        """Return a data frame of the scores; `library` and errors are those of `WeightTable.to_frame`.

        Parameters
        ----------
        what : {"models", "streets", "players", "learning_curve", "calibration"}
            What has a row: each model, or of each model each betting round, player, step of the learning curve, or act
            and tenth of probability. Intervals are columns of their own, ``..._low`` and ``..._high``; the others are
            those of `Score.to_dict`. Where bets have no sizes, theirs are empty.
        """
        check_choice("kind of row", what, get_args(_What))
        found = [_flat(row) for each in self._scores.values() for row in _rows(self._row(each), what)]
        return to_frame(found, _COLUMNS[what], library)

    def _repr_html_(self) -> str:
        return text_of(self, "html")


def score(
    hands: Iterable[Hand],
    models: str | Iterable[str] | Mapping[str, OpponentModeler] = "adaptive",
    *,
    book: Mapping[str, Any] | None = None,
    prior: str | Path | Prior | None = None,
    warmup: int = 0,
    frozen: bool = False,
    which: Callable[[Hand], bool] | None = None,
    progress: Callable[[int], None] | None = None,
    jobs: int | None = 1,
    executor: Executor | None = None,
) -> Scores:
    """Score readers on hands in the order in which they were played.

    Every act is predicted before it is seen, and every hand is scored before it is learnt.

    Parameters
    ----------
    hands : iterable of Hand
        They are taken as they are needed. Hands that break the rules, cannot be paid out or are of a game that none of
        the readers reads are left out and listed as skipped. A reader that alone does not read a game has no score of
        it: `Score.available` and `Scores.reason` say so.
    models : str, iterable of str, or mapping of str to OpponentModeler
        Names of readers with their options, separated by commas or one by one; see
        `pokermodel.reading.reader_kinds`. Or sessions by name, which have no hero.
    book : Book or mapping of str to ActionCounts, optional
        The initial knowledge of readers made by name. It is only read.
    prior : str, Path or Prior, optional
        The prior of readers made by name, if they have one. Default: that of the package.
    warmup : int
        Number of hands that are first learnt from without being scored.
    frozen : bool
        Learn nothing from the hands that are scored.
    which : callable, optional
        Returns whether a hand is scored, as `pokermodel.histories.Filter` does. Readers learn from the others, too.
        By default all are scored.
    progress : callable, optional
        Called after every hand with the number of hands so far.
    jobs : int or None
        Number of processes; None is one per processor. Readers walk beside each other, and where nothing is learnt,
        with `frozen`, so do parts of the hands. The result does not depend on it. Other processes have copies of
        sessions.
    executor : Executor, optional
        The executor, as `pokermodel.executors.Dask`, instead of `jobs` processes. A book must be one that its
        workers reach.

    Returns
    -------
    Scores
        After a KeyboardInterrupt, of the hands that were whole before it.

    Raises
    ------
    ValueError
        If there is no such reader, `warmup` is negative, a session has a hero, or a reader says what is no forecast.

    Examples
    --------
    >>> import pokermodel as pm
    >>> scores = pm.score([pm.example_hand()], "som,contexts")
    >>> scores["som"].decisions, scores["contexts"].holdings
    (28, 0)
    """
    if warmup < 0:
        raise ValueError(f"warmup must be 0 or more hands, got {warmup}")
    executor = executor or Processes(jobs)
    sessions = _sessions(models, book, prior)
    walk = _Walk(sessions, warmup, frozen, which, progress)
    if executor.here:
        walk.here(hands)
    else:
        walk.on(executor, hands)
    return walk.scores


class _Hand(NamedTuple):
    """A hand that can be scored, and whether it is; if not, it is only learnt from."""

    hand: Hand
    scored: bool


class _Models(NamedTuple):
    """Some of the models as far as they have walked: their sessions, and what came of it."""

    sessions: dict[str, OpponentModeler]
    scores: Scores


class _Batch(NamedTuple):
    """Hands that follow one another, pickled once for all models.

    `seen` are the hands of their players before them; `learnt` and `passed` are as in `Scores`.
    """

    hands: bytes
    seen: dict[str, int]
    learnt: int
    passed: int


class _Step(NamedTuple):
    """Hands for some of the models to walk through."""

    models: _Models
    batch: _Batch
    learn: bool


class _Walk:
    """A walk through hands, here or elsewhere.

    Where nothing is learnt any more, the sums of every `_SPAN` hands are formed apart, so that they are the same to
    the bit wherever that is done.
    """

    def __init__(
        self,
        sessions: dict[str, OpponentModeler],
        warmup: int,
        frozen: bool,
        which: Callable[[Hand], bool] | None,
        progress: Callable[[int], None] | None,
    ) -> None:
        self.scores = Scores(sessions)
        self._sessions = sessions
        self._frozen, self._which = frozen, which
        self._progress = progress
        self._cold = warmup  # hands that are still to be learnt only
        self._seen: Counter[str] = Counter()
        self._taken = 0  # hands

    def _next(self, hand: Hand) -> tuple[_Hand, Replay] | None:
        """Look at a hand; None if it is left out."""
        try:
            decisions = Replay(hand.replay())
            _ = hand.payoffs
            if not any(_reads(each, hand) for each in self._sessions.values()):
                _refuse(hand, self._sessions)
        except ValueError as error:
            self.scores.skipped.append(error)
            return None
        return _Hand(hand, not self._cold and (self._which is None or self._which(hand))), decisions

    def _count(self, learnt: int, passed: int) -> None:
        self.scores.learnt += learnt
        self.scores.passed += passed

    def _tell(self) -> None:
        self._taken += 1
        if self._progress is not None:
            self._progress(self._taken)

    def here(self, hands: Iterable[Hand]) -> None:
        """Walk in this process."""
        models = _Models(self._sessions, Scores(self._sessions))
        count = 0  # of the hands from which nothing is learnt
        try:
            for hand in hands:
                if (found := self._next(hand)) is None:
                    continue
                learn = not self._frozen or self._cold > 0
                _take(*found, models, self._seen, learn)
                self._count(self._cold > 0, not self._cold and not found[0].scored)
                self._cold -= self._cold > 0
                count += not learn
                if count == _SPAN:
                    self.scores.absorb(models.scores)
                    models, count = _Models(self._sessions, Scores(self._sessions)), 0
                self._tell()
        except KeyboardInterrupt:
            self.scores.interrupted = True
        self.scores.absorb(models.scores)

    def on(self, executor: Executor, hands: Iterable[Hand]) -> None:
        """Walk by an executor: models beside each other, and, where nothing is learnt, hands too."""
        rest = iter(hands)
        models = [_Models({name: each}, Scores([name])) for name, each in self._sessions.items()]
        try:
            while (not self._frozen or self._cold) and (batch := self._batch(rest)):
                steps = [_Step(each, batch, True) for each in models]
                # a model alone is not sent about
                models = [*map(_walk, steps)] if len(steps) == 1 else [*executor.map(_walk, steps)]
                self._count(batch.learnt, batch.passed)
            if self._frozen:
                self._apart(executor, rest, [each.sessions for each in models])
        except KeyboardInterrupt:
            self.scores.interrupted = True
        if not self._frozen:
            for each in models:
                self.scores.join(each.scores)

    def _batch(self, hands: Iterator[Hand]) -> _Batch | None:
        """Take the next hands, which end with the warm-up if nothing is learnt later; None at the end."""
        some: list[_Hand] = []
        cold = self._cold
        while len(some) < _SPAN:
            if (hand := next(hands, None)) is None:
                break
            if (found := self._next(hand)) is not None:
                some.append(found[0])
                self._tell()
                self._cold -= self._cold > 0
                if cold and not self._cold and self._frozen:
                    break
        if not some:
            return None
        names = {name for hand, _ in some for name in hand.players}
        before = {name: self._seen[name] for name in names}
        for each, _ in some:
            self._seen.update(each.players)
        learnt = cold - self._cold
        passed = len(some) - learnt - sum(scored for _, scored in some)
        return _Batch(pickle.dumps(some, pickle.HIGHEST_PROTOCOL), before, learnt, passed)

    def _apart(self, executor: Executor, hands: Iterator[Hand], sessions: list[dict[str, OpponentModeler]]) -> None:
        """Score the rest, of which nothing is learnt."""
        sent: deque[_Batch] = deque()

        def steps() -> Iterator[_Step]:
            while batch := self._batch(hands):
                sent.append(batch)
                for each in sessions:
                    yield _Step(_Models(each, Scores(each)), batch, False)

        with closing(executor.map(_walk_apart, steps())) as found:
            while several := list(islice(found, len(sessions))):  # so that all have the same hands if it is ended
                part = Scores([])
                for each in several:
                    part.join(each)
                self.scores.absorb(part)
                batch = sent.popleft()
                self._count(batch.learnt, batch.passed)


def _walk(step: _Step) -> _Models:
    """Walk through hands; return the models as far as they have come."""
    seen = Counter(step.batch.seen)
    for each in pickle.loads(step.batch.hands):
        _take(each, Replay(each.hand.replay()), step.models, seen, step.learn)
    return step.models


def _walk_apart(step: _Step) -> Scores:
    return _walk(step).scores


def _take(hand: _Hand, decisions: Replay, models: _Models, seen: Counter[str], learn: bool) -> None:
    """Score a hand, if it is to be, and learn from it."""
    able = {name: each for name, each in models.sessions.items() if _reads(each, hand.hand)}
    if hand.scored:
        for name in models.sessions.keys() - able.keys():
            models.scores[name].leave_out(_why_not(hand.hand))
        _score(hand.hand, decisions, able, models.scores, seen)
    if learn and able:
        public = hand.hand.public()
        for each in able.values():
            each.learn(public, decisions)
    seen.update(hand.hand.players)


def _sessions(
    models: str | Iterable[str] | Mapping[str, OpponentModeler],
    book: Mapping[str, Any] | None,
    prior: str | Path | Prior | None,
) -> dict[str, OpponentModeler]:
    """Sessions by name, which learn at the end of a hand alone."""
    if isinstance(models, Mapping):
        if book is not None or prior is not None:
            raise ValueError("sessions have a book and a prior of their own: expected names of readers")
        sessions = dict(models)
    else:
        names = models.split(",") if isinstance(models, str) else list(models)
        if not all(names):
            raise ValueError(f"a model without a name in {','.join(names)!r}")
        if len(set(names)) != len(names):
            raise ValueError(f"a model is named twice in {','.join(names)!r}")
        kinds = {name: read_reader(name)[0] for name in names}
        told: dict[str, dict[str, Any]] = {
            name: {"prior": prior} if prior is not None and "prior" in kinds[name].options else {} for name in names
        }
        sessions = {
            name: OpponentModeler(name, book, calibrated=kind.corrected, **told[name]) for name, kind in kinds.items()
        }
    for name, each in sessions.items():
        if each.hero is not None:
            raise ValueError(f"only what is public is scored: the session {name!r} has a hero, {each.hero!r}")
        each.learning = False
    return sessions


def _reads(session: OpponentModeler, hand: Hand) -> bool:
    """Whether the reader of a session reads the game of a hand."""
    return hand.spec.structure.fixed or session.reader.reads_sizes


def _why_not(hand: Hand) -> str:
    """Why a reader is not scored on a hand."""
    return f"it reads limit alone, not {hand.spec.structure}"


def _refuse(hand: Hand, sessions: Mapping[str, OpponentModeler]) -> None:
    """Raise `ValueError` for a hand that no reader reads."""
    raise ValueError(f"hand {hand.id}: none of {', '.join(sessions)} can be scored: {_why_not(hand)}")


def _score(
    hand: Hand,
    decisions: Replay,
    sessions: Mapping[str, OpponentModeler],
    scores: Scores,
    seen: Mapping[str, int],
) -> None:
    """Walk through one hand. What comes of it is added at its end: forecasts take long, and may be interrupted."""
    number = scores.hands
    holdings = {seat: holding_index(cards) for seat, cards in hand.holdings.items()}
    said = {name: _said(scores[name], each, hand, decisions, holdings) for name, each in sessions.items()}
    for name in said:
        scores[name].hands += 1
    shown = set(hand.shown)
    folded = {action.seat for action in hand.actions if action.act == Act.FOLD}
    fixed = hand.spec.structure.fixed
    for name, (forecasts, gained) in said.items():
        score = scores[name]
        for decision, predicted, sizes in forecasts:
            situation = decision.situation
            player = situation.player
            score.add_action(number, situation.round, player, seen[player], situation.legal, predicted, decision.act)
            if not fixed:
                score.add_size(number, None if sizes is None else (sizes, *_size(decision)))
        for seat, bits in gained.items():
            player = hand.players[seat]
            score.add_holding(number, player, seen[player], seat in shown, seat in folded, bits)
    out_of_turn = [each.out_of_turn for each in decisions]
    offered = [each.act in each.situation.legal for each in decisions]
    scores.out_of_turn += sum(out_of_turn)
    scores.unoffered += sum(not (fine or left) for fine, left in zip(offered, out_of_turn, strict=True))
    scores.hands += 1


def _said(
    score: Score, session: OpponentModeler, hand: Hand, decisions: Replay, holdings: Mapping[int, int]
) -> tuple[list[tuple[Decision, Floats, Floats | None]], dict[int, list[tuple[int, float]]]]:
    """What a session forecasts in a hand, and by seat the bits that its tables have of holdings that are known."""
    forecasts: list[tuple[Decision, Floats, Floats | None]] = []
    gained: dict[int, list[tuple[int, float]]] = {}
    known = holdings if session.reader.infers_holdings else {}
    session.start(hand.players)
    for decision, (predicted, sizes, update) in zip(decisions, session.steps(decisions), strict=True):
        if predicted is not None and len(decision.situation.legal) > 1:  # where there is no choice nothing is foretold
            forecasts.append((decision, predicted, sizes))
        situation = decision.situation
        seat = situation.seat
        if seat in known and not decision.out_of_turn:
            before = gained.setdefault(seat, [])
            if update.weights is None and before and before[-1][0] == situation.round:
                before.append(before[-1])  # the same table on the same board
                continue
            bits = score.bits(session.weights(seat), shared_live_holdings(situation.board), known[seat])
            before.append((situation.round, bits))
    return forecasts, gained


def _size(decision: Decision) -> tuple[NDArray[np.bool_], int]:
    """Which classes of sizes a bet or raise could have been of, and of which it is."""
    assert decision.to is not None
    return size_room(decision.situation), size_class(decision.situation, decision.to)
