"""A session of hands as one of its players decided: what every decision was worth, and what it lost.

Luck and skill are separated in two steps. The luck of cards after the last money went in is the difference between the
result and the all-in EV of a hand. The loss by decisions is the sum of their differences in value from the best action.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np

from pokermodel.analysis.hero_hands import HeroHand
from pokermodel.analysis.range import RangeShape
from pokermodel.analysis.verdict import judged
from pokermodel.cards import cards_text, holding_text
from pokermodel.game import POSITIONS, ROUNDS, Act, Decision, Hand
from pokermodel.reading.session import OpponentModeler
from pokermodel.reading.width import Width
from pokermodel.worth.continuing import Continuing
from pokermodel.worth.verdict import VerdictAdviser
from pokermodel.worth.worth import METHODS, MISTAKES, Verdict, Worth

__all__ = [
    "GROUPS",
    "KINDS",
    "STUDY_COLUMNS",
    "Group",
    "HandWanted",
    "StudiedDecision",
    "StudiedHand",
    "Study",
    "study_hand",
]

#: Kinds of errors: what was done instead of what is worth most.
KINDS = (
    "folded too much",
    "called too wide",
    "called instead of raising",
    "checked instead of betting",
    "bet too often",
    "raised too often",
    "bet too small",
    "bet too big",
)
#: By what decisions are grouped: an attribute of a decision.
GROUPS = ("street", "position", "pot_type", "kind")


@dataclass(frozen=True, slots=True)
class StudiedOpponent:
    """A player who is in the hand at a decision of the hero's, with the width of their range, as `Width` has it.

    The figures are None before they have acted.
    """

    player: str
    top_hands: tuple[str, ...]  #: The likeliest ones.
    share: float | None = None
    share_here: float | None = None
    usual_share: float | None = None
    combos: float | None = None
    hands: int | None = None  #: How many of theirs have been learnt; None where that was not asked.
    composition: Mapping[str, float] | None = None  #: As `RangeShape.to_dict` has it.

    @property
    def width(self) -> Width | None:
        """The width of the range; None before they have acted."""
        if self.share is None or self.share_here is None or self.combos is None:
            return None
        return Width(self.share, self.share_here, self.usual_share, self.combos)


@dataclass(frozen=True, slots=True)
class StudiedDecision:
    """A decision of the hero, as plain data."""

    #: `number`, `index`: of the hand in its file, and of the act in the hand, both from 1, as ``pokermodel read``
    #: has them.
    number: int
    index: int
    #: `file`, `id`: of the hand; a hand of a book has no file here.
    file: str
    id: str
    #: `hero`, `position`, `pot_type`, `street`, `board`, `holding`: as everywhere else.
    hero: str
    position: str
    pot_type: str
    street: str
    board: str
    holding: str
    #: `pot`, `to_call`: in big blinds, or small bets in limit.
    pot: float
    to_call: float
    opponents: tuple[StudiedOpponent, ...]  #: Who is in.
    #: `act`, `best`: what was done, and what is worth most: "fold", "check" or "call", "bet" or "raise".
    act: str
    #: `to`, `best_to`: what a bet or raise goes to, in big blinds.
    to: float | None
    best: str
    best_to: float | None
    #: `ev`, `best_ev`: in big blinds; 0 for a fold. None where nothing is said of the act.
    ev: float | None
    best_ev: float
    #: `lost`, `ci95`, `p`: by how much the action is worth less than the best one, in big blinds, the 95% interval of
    #: that, and the probability that it is worth less at all. None where the reader has not seen anybody answer at the
    #: price.
    lost: float | None
    ci95: tuple[float, float] | None
    p: float | None
    word: str  #: The verdict in a word, as `Verdict.word` has it.
    kind: str | None  #: One of `KINDS`; None where the best was done.
    method: str  #: How the difference was found.
    #: `needed`, `equity`: shares of the pot.
    needed: float
    equity: float
    #: What every act is worth, as `Worth.to_dict` has it, with ``name`` and ``to`` in big blinds.
    acts: tuple[dict[str, Any], ...]
    unit: float  #: A big blind in the money of the source.
    currency: str
    tournament: bool
    #: What acts are worth against the opponent as the reader knows them, as `Verdict.against` has it.
    against: dict[str, Any] | None = None
    average: bool | None = None  #: Whether a mistake is one against average players, too.
    not_judged: str = ""  #: Why it is not judged.
    continuing: Mapping[str, Any] | None = None  #: Before the flop: who continues, as `Continuing.to_dict` has it.

    @property
    def bet(self) -> str:
        """The unit of all amounts: ``"sb"``, small bets in limit, or ``"bb"``, big blinds."""
        return "sb" if self.position in POSITIONS else "bb"

    @property
    def mistake(self) -> float:
        """Its loss if it was a mistake, else 0."""
        return self.lost or 0.0 if self.word in MISTAKES else 0.0

    @property
    def others(self) -> tuple[str, ...]:
        """Names of the opponents, in order."""
        return tuple(sorted(other.player for other in self.opponents))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """Make one from the result of `to_dict`, or from its JSON."""
        made = dict(plain)
        made["opponents"] = tuple(
            StudiedOpponent(**{**each, "top_hands": tuple(each["top_hands"])}) for each in made["opponents"]
        )
        made["acts"] = tuple(made["acts"])
        made["ci95"] = None if made["ci95"] is None else tuple(made["ci95"])
        return cls(**made)


@dataclass(frozen=True, slots=True)
class StudiedHand:
    """A hand of the hero."""

    number: int  #: In its file, from 1.
    file: str
    id: str
    hero: str
    #: `net`, `all_in_ev`: in big blinds, after the rake; the latter is the former where cards did not decide, or are
    #: not known.
    net: float
    all_in_ev: float
    net_money: float  #: In the money of the source.
    currency: str
    tournament: bool  #: Whether it is one of a tournament, so that EV is in chips.
    known: bool  #: Whether the hero's cards are: there are no decisions without.
    decisions: tuple[StudiedDecision, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """Make one from the result of `to_dict`, or from its JSON."""
        return cls(**{**plain, "decisions": tuple(StudiedDecision.from_dict(each) for each in plain["decisions"])})


class HandWanted(NamedTuple):
    """A hand that is to be studied, and where it stands."""

    file: str
    number: int
    hand: Hand


def study_hand(
    wanted: HandWanted,
    session: OpponentModeler,
    name: str,
    adviser: VerdictAdviser,
    seed: int = 0,
    place: tuple[int, ...] = (),
) -> tuple[StudiedHand, dict[int, Verdict]]:
    """Study a hand as one of its players decided.

    Parameters
    ----------
    session : OpponentModeler
        Reads it, and learns nothing.
    seed, place : int, tuple of int
        Where the draws of a decision begin: ``SeedSequence(seed, spawn_key=(*place, index))``.

    Returns
    -------
    StudiedHand
    dict of int to Verdict
        The whole verdict on each of its decisions, by `Decision.index`.
    """
    hand = wanted.hand
    seat = hand.players.index(name)
    of = HeroHand.of(hand, name)
    unit = hand.spec.small_bet
    ev = hand.all_in_ev_chips[seat]
    net = hand.net_chips[seat]
    verdicts: dict[int, Verdict] = {}
    decisions: list[StudiedDecision] = []
    if seat in hand.holdings:
        for decision, verdict in _decisions(wanted, session, of, seat, adviser, seed, place):
            verdicts[decision.index - 1] = verdict
            decisions.append(decision)
    studied = StudiedHand(
        wanted.number,
        wanted.file,
        hand.id,
        name,
        net / unit,
        (net if ev is None else ev) / unit,
        hand.net[seat],
        hand.currency,
        _tournament(hand),
        seat in hand.holdings,
        tuple(decisions),
    )
    return studied, verdicts


def _tournament(hand: Hand) -> bool:
    """Whether chips are those of a tournament."""
    return hand.stake == "chips"


def _decisions(
    wanted: HandWanted,
    session: OpponentModeler,
    of: HeroHand,
    seat: int,
    adviser: VerdictAdviser,
    seed: int,
    place: tuple[int, ...],
) -> Iterator[tuple[StudiedDecision, Verdict]]:
    hand = wanted.hand
    holding = hand.holdings[seat]
    session.hero = of.name
    session.start(hand.players)
    if not session.public_models:
        session.hold(holding)
    before: list[Decision] = []
    for decision in hand.replay():
        # a fold with nothing to call is none of the acts that are looked at: it is a slip of the finger; and there is
        # none where there was no choice
        chosen = decision.act in decision.legal and len(decision.legal) > 1
        if decision.seat == seat and not decision.out_of_turn and chosen:
            spot = session.spot(decision).held(holding)
            rng = np.random.SeedSequence(seed, spawn_key=(*place, decision.index))
            try:
                verdict = judged(adviser, session, before, decision, holding, rng)
            except ValueError:  # no holding of an opponent is left, so that nothing can be said
                verdict = None
            if verdict is not None and verdict.made is not None:
                opponents = []
                for other in decision.active:
                    if other != seat and (shape := RangeShape.of(spot.range(other), decision.board)) is not None:
                        top = tuple(each for each, _ in shape.tops[:3])
                        name, width = hand.players[other], session.width(other)
                        of_range = {} if width is None else width._asdict()
                        made, known = dict(shape.composition) or None, verdict.hands.get(name)
                        opponents.append(StudiedOpponent(name, top, **of_range, hands=known, composition=made))
                studied = _studied(wanted, of, decision, verdict, verdict.made, tuple(opponents))
                if decision.round == 0:
                    found = Continuing.of(spot, decision.act, decision.to, np.random.SeedSequence(decision.index))
                    studied = replace(studied, continuing=found.to_dict())
                yield studied, verdict
        session.observe(decision)
        before.append(decision)


def _studied(
    wanted: HandWanted,
    of: HeroHand,
    decision: Decision,
    verdict: Verdict,
    done: Worth,
    opponents: tuple[StudiedOpponent, ...],
) -> StudiedDecision:
    hand, situation = wanted.hand, decision.situation
    unit = verdict.unit
    fixed = situation.spec.structure.fixed
    names = situation.act_names

    def size(act: Act, to: int | None) -> float | None:
        return None if to is None or fixed or act != Act.RAISE else to / unit

    best, equity = verdict.best, verdict.equity
    assert equity is not None
    acts = tuple(
        {**each.to_dict(), "name": names[each.act], "to": size(each.act, each.to), "made": each is done}
        for each in verdict.acts
    )
    lost = None if verdict.loss is None else max(0.0, verdict.loss)
    return StudiedDecision(
        wanted.number,
        decision.index + 1,
        wanted.file,
        hand.id,
        of.name,
        of.position,
        of.pot_type,
        ROUNDS[decision.round],
        cards_text(decision.board),
        holding_text(hand.holdings[decision.seat]),
        decision.pot / unit,
        decision.to_call / unit,
        opponents,
        names[decision.act],
        size(decision.act, decision.to),
        names[best.act],
        size(best.act, best.to),
        done.ev if done.seen else None,
        best.ev,
        lost,
        verdict.ci95,
        verdict.p,
        verdict.word,
        _kind(decision, done, best) if lost else None,
        verdict.method if done.method == best.method == "exact" and not lost else _compared(done, best),
        verdict.needed,
        equity,
        acts,
        hand.money(unit),
        hand.currency,
        _tournament(hand),
        verdict.against,
        verdict.average,
        verdict.reason_not_judged,
    )


def _compared(done: Worth, best: Worth) -> str:
    """The less exact method of two."""
    return max(done.method, best.method, key=METHODS.index)


def _kind(decision: Decision, done: Worth, best: Worth) -> str | None:
    """What kind of error it is to do one act instead of another."""
    if done.act == best.act:
        if done.to is None or best.to is None or done.to == best.to:
            return None
        return "bet too small" if done.to < best.to else "bet too big"
    if done.act == Act.FOLD:
        return "folded too much"
    if done.act == Act.CALL:
        if best.act == Act.FOLD:
            return "called too wide"
        return "called instead of raising" if decision.to_call else "checked instead of betting"
    return "raised too often" if decision.to_call else "bet too often"


class Group(NamedTuple):
    """Decisions that have something in common."""

    name: str
    #: `decisions`, `mistakes`, `probable`, `unclear`: how many there are, and how many of them are mistakes, probably
    #: mistakes, or nobody can tell, those that are not judged included.
    decisions: int
    mistakes: int
    probable: int
    unclear: int
    #: `lost`, `ci95`: what the mistakes lost in big blinds, and the 95% interval of that.
    lost: float
    ci95: tuple[float, float]
    most: float  #: The most that the unclear ones can have lost, in big blinds.
    #: `expected`, `expected_ci95`: what all decisions are expected to have lost, in big blinds, and its 95%
    #: interval. Errors of decisions against the same opponents are added, since what is not known of these
    #: moves all of them.
    expected: float = 0.0
    expected_ci95: tuple[float, float] = (0.0, 0.0)
    not_judged: int = 0  #: How many are not judged.

    @classmethod
    def of(cls, name: str, decisions: Sequence[StudiedDecision]) -> Self:
        """Add decisions up, as if their errors were independent of each other."""
        words = Counter(each.word for each in decisions)
        mistakes = [each for each in decisions if each.mistake]
        lost = math.fsum(each.mistake for each in mistakes)
        half = math.sqrt(math.fsum(((each.ci95[1] - each.ci95[0]) / 2) ** 2 for each in mistakes if each.ci95))
        known = [each for each in decisions if each.ci95]
        expected = math.fsum(sum(each.ci95 or ()) / 2 for each in known)
        off: dict[tuple[str, ...], float] = defaultdict(float)
        for each in known:
            low, high = each.ci95 or (0.0, 0.0)
            off[each.others] += (high - low) / 2
        about = math.hypot(*off.values())
        unclear = [each.ci95[1] for each in decisions if each.word == "cannot tell" and each.ci95]
        return cls(
            name,
            len(decisions),
            len(mistakes),
            words["probably a mistake"],
            words["cannot tell"] + words["not judged"],
            lost,
            (lost - half, lost + half),
            math.fsum(unclear),
            expected,
            (expected - about, expected + about),
            words["not judged"],
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return self._asdict()


@dataclass
class Study:
    """The results of all hands.

    Attributes
    ----------
    hands : list of StudiedHand
    """

    hands: list[StudiedHand] = field(default_factory=list)

    def add(self, hands: Iterable[StudiedHand]) -> None:
        """Add hands."""
        self.hands.extend(hands)

    @property
    def decisions(self) -> list[StudiedDecision]:
        """All of them, as they were made."""
        return [decision for hand in self.hands for decision in hand.decisions]

    @property
    def heroes(self) -> list[str]:
        """Whose decisions they are, those with the most hands first."""
        return [name for name, _ in Counter(hand.hero for hand in self.hands).most_common()]

    @property
    def unknown(self) -> list[StudiedHand]:
        """Hands in which the hero's cards are not known."""
        return [hand for hand in self.hands if not hand.known]

    @property
    def bet(self) -> str:
        """The unit of sums: that of all decisions, or ``"bets"`` where there are both."""
        units = {each.bet for each in self.decisions}
        return "bets" if len(units) > 1 else next(iter(units), "bb")

    @property
    def tournament(self) -> bool:
        """Whether any hand is one of a tournament: EV is in chips, and prizes do not enter."""
        return any(hand.tournament for hand in self.hands)

    def worst(self, most: int | None = None) -> list[StudiedDecision]:
        """The mistakes, the costliest first."""
        return self._costliest(MISTAKES)[:most]

    def probable(self, most: int | None = None) -> list[StudiedDecision]:
        """Probable mistakes, the costliest first."""
        return self._costliest(("probably a mistake",))[:most]

    def _costliest(self, words: Sequence[str]) -> list[StudiedDecision]:
        """Decisions of which the verdict is one of some words, the costliest first."""
        found = [each for each in self.decisions if each.word in words]
        return sorted(found, key=lambda each: (-(each.lost or 0.0), each.file, each.number, each.index))

    def total(self) -> Group:
        """All decisions together."""
        return Group.of("all", self.decisions)

    def groups(self, by: str) -> list[Group]:
        """Decisions by one of `GROUPS`: those that lost the most first, streets in their order."""
        found: dict[str, list[StudiedDecision]] = defaultdict(list)
        for each in self.decisions:
            name = getattr(each, by)
            if name is not None:
                found[name].append(each)
        groups = [Group.of(name, some) for name, some in found.items()]
        if by == "street":
            return sorted(groups, key=lambda group: ROUNDS.index(group.name))
        return sorted(groups, key=lambda group: (-group.lost, group.name))

    @property
    def net(self) -> float:
        """The winnings in big blinds."""
        return math.fsum(hand.net for hand in self.hands)

    @property
    def all_in_ev(self) -> float:
        """The winnings on average over the cards that came after the last money went in, in big blinds."""
        return math.fsum(hand.all_in_ev for hand in self.hands)

    @property
    def luck(self) -> float:
        """The result less all-in EV, in big blinds."""
        return self.net - self.all_in_ev

    def course(self) -> list[tuple[int, float, float, float]]:
        """Number of hands so far, what was won, its all-in EV, and what mistakes lost: all in big blinds."""
        rows, net, ev, lost = [], 0.0, 0.0, 0.0
        for k, hand in enumerate(self.hands, 1):
            net, ev = net + hand.net, ev + hand.all_in_ev
            lost += math.fsum(decision.mistake for decision in hand.decisions)
            rows.append((k, net, ev, lost))
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON: totals, groups, and every decision, mistakes first."""
        worst = [*self.worst(), *self.probable()]
        known = {(each.file, each.number, each.index) for each in worst}
        rest = [each for each in self.decisions if (each.file, each.number, each.index) not in known]
        return {
            "heroes": self.heroes,
            "hands": len(self.hands),
            "without_cards": len(self.unknown),
            "tournament": self.tournament,
            "icm": False,
            "net": self.net,
            "all_in_ev": self.all_in_ev,
            "luck": self.luck,
            "total": self.total().to_dict(),
            "by": {by: [group.to_dict() for group in self.groups(by)] for by in GROUPS},
            "decisions": [each.to_dict() for each in (*worst, *rest)],
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for every decision, mistakes first, by `STUDY_COLUMNS`."""
        for plain in self.to_dict()["decisions"]:
            low, high = plain["ci95"] or (None, None)
            flat = {**plain, "ci95_low": low, "ci95_high": high}
            yield {name: flat[name] for name in STUDY_COLUMNS}


#: Columns of `Study.rows` and their types, as Arrow names them.
STUDY_COLUMNS: Mapping[str, str] = {
    **dict.fromkeys(("file", "id"), "string"),
    **dict.fromkeys(("number", "index"), "int64"),
    **dict.fromkeys(("hero", "position", "pot_type", "street", "board", "holding", "act", "best"), "string"),
    **dict.fromkeys(("pot", "to_call", "to", "best_to", "ev", "best_ev"), "float64"),
    **dict.fromkeys(("lost", "ci95_low", "ci95_high", "p"), "float64"),
    "word": "string",
    **dict.fromkeys(("kind", "method"), "string"),
    **dict.fromkeys(("needed", "equity", "unit"), "float64"),
    "currency": "string",
    "tournament": "bool_",
}
