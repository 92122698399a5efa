"""Experiments with the Bayesian Poker Program.

Carlton (2000), chapter 4; the two programs that it met first (Korb, Nicholson and Jitnah 1999); and the value of tables
for each opponent.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokermodel._support.arrays import Floats
from pokermodel.classics.bpp.hidden_hands import HandSet
from pokermodel.classics.experiments.estimators import ALL_CARDS, EM, ESTIMATORS, PUBLISHED, SHOWDOWNS
from pokermodel.classics.experiments.registry import register
from pokermodel.classics.experiments.stud import StudRun, stud_experiment
from pokermodel.classics.stud.defaults import default_tables, uniform
from pokermodel.classics.stud.match import Games
from pokermodel.classics.stud.players import STYLES, Acting, Reader, StudPlayer
from pokermodel.evaluation.hand_types import SCHEMES
from pokermodel.game import Act

_BLUFFER = Acting(bluffing="context", bluffs=0.25)


# ------------------------------------------------------------------------------------- hand types, arc, decisions


def _types(run: StudRun) -> None:
    matches = (
        ("arc alone", "net9+arc", "net9"),
        ("types alone", "net17", "net9"),
        ("both", "net17+arc", "net9"),
        ("both, against types alone", "net17+arc", "net17"),
        ("25 types, against 17", "net25", "net17"),
        ("belief carried, against 25 types with the arc", "carry", "net25+arc"),
    )
    for table, form in (("acts in two classes, as published", "/act2"), ("acts by context", "")):
        won = {}
        for label, one, two in matches:
            first, second = (StudPlayer(Reader.parse(name + form)) for name in (one, two))
            won[label], _ = run.play(first, second, run.deals, (run.seed,))
            run.show(table, label, won[label])
            run.finished()
        run.claim(f"{table}: the arc alone is about even, between -.05 and +.02", won["arc alone"], -0.05, 0.02)
        run.claim(f"{table}: types alone win", won["types alone"])
        run.claim(f"{table}: both win", won["both"])
        run.claim(f"{table}: both win more than types alone", won["both, against types alone"])


def _decision(run: StudRun) -> None:
    curves, best, drawn = (
        StudPlayer(PUBLISHED, Acting(rule=rule, bluffing="none")) for rule in ("curves", "deterministic", "randomised")
    )
    matches = {
        "best expected winnings, against curves": (best, curves),
        "drawn, against curves": (drawn, curves),
        "best, against drawn": (best, drawn),
        "for comparison: 17 types and the arc, against 9": (curves, StudPlayer(Reader(9), curves.acting)),
    }
    won = {}
    for label, (one, two) in matches.items():
        won[label], _ = run.play(one, two, run.deals, (run.seed,))
        run.show("units per game", label, won[label])
        run.finished()
    first, second, _, types = won.values()
    run.claim("the decision network wins, deterministic", first)
    run.claim("the decision network wins, randomised", second)
    run.claim("it is the largest improvement: more than types and arc", first - types)


# -------------------------------------------------------------------------------------------- program opponents

_SCHEME = 17
#: Hands that the player of rules calls with but does not bet.
_FAIR = ("K high", "A high")


def rule_table() -> Floats:
    """The strategy of a player of fixed rules: float64 (12, 36, 3), by situation, state and action (ours).

    They bet and raise with a pair or better, check and call with king or ace high, and otherwise check, or fold to a
    bet. Of the rules of the program's opponent nothing is printed (Korb, Nicholson and Jitnah 1999).
    """
    table = uniform()
    for round in range(4):
        for state, name in enumerate(SCHEMES[_SCHEME].states(round + 2)):
            busted = name.split(",")[0] in SCHEMES[_SCHEME].busted
            fair = name.startswith(_FAIR)
            act = Act.CALL if busted and fair else Act.FOLD if busted else Act.RAISE
            free, facing, last = 3 * round, 3 * round + 1, 3 * round + 2
            for situation in (free, facing, last):
                done = act
                if situation == free and act == Act.FOLD:
                    done = Act.CALL
                if situation == last and act == Act.RAISE:
                    done = Act.CALL
                table[situation, state] = 0.0
                table[situation, state, done] = 1.0
    return table


def _programs(run: StudRun) -> None:
    bpp = StudPlayer(PUBLISHED, Acting())
    opponents = {
        # acts say nothing to it, since it believes that every act is as likely with any hand: what is left is the
        # chance to win by the cards alone, on the same curves
        "by probability alone": StudPlayer(PUBLISHED, Acting(), uniform()),
        "by rules": StudPlayer(Reader(_SCHEME), Acting(rule="table", bluffing="none"), own=rule_table()),
    }
    for label, opponent in opponents.items():
        won, _ = run.play(bpp, opponent, run.deals, (run.seed,))
        run.show("units per game, of the program", f"against a player {label}", won)
        run.claim(f"the program beats a player {label}", won)
        run.finished()


# --------------------------------------------------------------------------------------------- learning opponents

#: Numbers of deals between updates of the tables, which are more frequent at the beginning.
_LESSONS = (50, 50, 100, 300)
_LATER = 500


def _blocks(deals: int) -> list[int]:
    blocks: list[int] = []
    for size in (*_LESSONS, *[_LATER] * (deals // _LATER + 1)):
        blocks.append(min(size, deals - sum(blocks)))
    return [size for size in blocks if size > 0]


class _Learner:
    """A player that learns tables for each opponent, or one table for all of them."""

    def __init__(self, player: StudPlayer, estimator: str, specific: bool) -> None:
        self.player = player
        self.estimator = ESTIMATORS.get(estimator)
        self.specific = specific
        self.tables = dict.fromkeys(STYLES, default_tables(player.reader.scheme))
        self._seen: dict[str, list[tuple[HandSet, HandSet]]] = {}

    def learn(self, games: Mapping[str, Games]) -> None:
        """Update the tables by a block of games against each opponent."""
        if self.estimator is None:
            return
        reader = self.player.reader
        for opponent, played in games.items():
            hands = tuple(played.observed(0, reader, reveal=reveal)[0] for reveal in (False, True))
            kept = self._seen.setdefault(opponent if self.specific else "", [])
            kept.append((hands[0], hands[1]))
        base = default_tables(reader.scheme)
        for group, parts in self._seen.items():
            seen, shown = HandSet.join([part[0] for part in parts]), HandSet.join([part[1] for part in parts])
            self._seen[group] = [(seen, shown)]
            members = [group] if self.specific else list(STYLES)
            learnt = base.with_counts(self.estimator(seen, shown, base, self.tables[members[0]]))
            self.tables |= dict.fromkeys(members, learnt)


_REPLICATES = 2


def _specific(run: StudRun) -> None:
    kinds = {
        "never learns": ("", True),
        f"generic, {SHOWDOWNS}": (SHOWDOWNS, False),
        f"generic, {EM}": (EM, False),
        f"specific, {SHOWDOWNS}": (SHOWDOWNS, True),
        f"specific, {EM}": (EM, True),
        f"specific, {ALL_CARDS}": (ALL_CARDS, True),
    }
    opponents = {style: StudPlayer(PUBLISHED, acting) for style, acting in STYLES.items()}
    for table, reader in (("17 types with the arc", PUBLISHED), ("belief carried, 25 types", Reader.parse("carry"))):
        won: dict[str, list[Floats]] = {label: [] for label in kinds}  # by replicate and style: (style, deals)
        for replicate in range(_REPLICATES):
            for label, (estimator, specific) in kinds.items():
                learner = _Learner(StudPlayer(reader, _BLUFFER), estimator, specific)
                samples: dict[str, list[Floats]] = {style: [] for style in STYLES}
                for number, deals in enumerate(_blocks(run.deals)):
                    games = {}
                    for k, (style, opponent) in enumerate(opponents.items()):
                        player = learner.player.knowing(learner.tables[style])
                        seed = (run.seed, replicate, k, number)
                        found, games[style] = run.play(player, opponent, deals, seed)
                        samples[style].append(found)
                    learner.learn(games)
                won[label].append(np.array([np.concatenate(samples[style]) for style in STYLES]))
            run.finished()
        whole = {label: np.concatenate(parts, axis=1) for label, parts in won.items()}
        for label, values in whole.items():
            run.show(table, f"{label}, mean of four styles", values.mean(axis=0))
            for style, row in zip(STYLES, values, strict=True):
                run.show(table, f"{label}, {style}", row)
        mean = {label: values.mean(axis=0) for label, values in whole.items()}
        for one, two in (
            (f"specific, {SHOWDOWNS}", f"generic, {SHOWDOWNS}"),
            (f"specific, {EM}", f"generic, {EM}"),
            (f"specific, {EM}", f"generic, {SHOWDOWNS}"),
            (f"specific, {EM}", f"specific, {SHOWDOWNS}"),
        ):
            run.claim(f"{table}: {one} above {two}", mean[one] - mean[two])


register(
    stud_experiment(
        "bpp-types",
        "What finer types of hands and the dependence of the hands are worth to the Bayesian Poker Program",
        "Carlton 2000, chapter 4",
        50_000,
        12,
        _types,
    )
)
register(
    stud_experiment(
        "bpp-decision",
        "The decision network against betting curves",
        "Carlton 2000, chapter 4",
        50_000,
        4,
        _decision,
    )
)
register(
    stud_experiment(
        "bpp-programs",
        "The Bayesian Poker Program against a player by probability alone, and one by rules",
        "Korb, Nicholson and Jitnah 1999",
        50_000,
        2,
        _programs,
    )
)
register(
    stud_experiment(
        "bpp-specific",
        "Tables for each opponent against tables for all, learnt from showdowns or from all hands",
        "after Carlton 2000",
        10_000,
        2 * _REPLICATES,
        _specific,
    )
)
