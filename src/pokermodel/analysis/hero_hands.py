"""A hand as one of its players sees it in a list: position, cards, the kind of pot, and what they won.

The player is the one who is asked for, or whom the history names: most formats write the cards of one player in all of
their hands ("Dealt to Robin [Ah Kd]"), also where they folded. That is `Hand.hero`. Where no hand of a source has one,
`HeroFinder` goes by whose cards are known though they did not show them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from pokermodel.cards import holding_text
from pokermodel.game import POSITIONS, ROUNDS, SEATS, Act, Hand, position_names
from pokermodel.game.pot_types import pot_type

__all__ = ["SORTS", "HeroFinder", "HeroHand", "HeroTotals", "hero_of", "place_of", "sorted_rows"]

#: A history names whose cards it has in so many of the hands that they were dealt in.
_SHARE = 0.6
_ORDER = (*SEATS, *POSITIONS[2:], *POSITIONS[:2])
#: Of one in so many hands the cards of several are known who did not show them: then no player is named by theirs.
_OPEN = 10


def hero_of(hand: Hand) -> str | None:
    """Return the hero of a hand, if their cards are known; else None."""
    hero = hand.hero
    return hero if hero is not None and hand.players.index(hero) in hand.holdings else None


class HeroHand(NamedTuple):
    """A hand as one of its players sees it."""

    name: str  #: The player.
    #: As `pokermodel.game.position_names` has it: ``"UTG"`` to ``"BB"``, in limit ``"early"`` to ``"big blind"``.
    position: str
    holding: str | None  #: Their cards; None if they are not known.
    pot_type: str  #: See `pokermodel.game.pot_types.pot_type`.
    street: str  #: The last betting round that they saw.
    #: `net`, `all_in_ev`: what they won or lost after the rake, and the same on average over the cards to come when
    #: the last money went in, in the money of the source. The latter is None where cards are not known.
    net: float
    all_in_ev: float | None
    net_bb: float  #: The former in big blinds; in limit these are small bets.

    @classmethod
    def of(cls, hand: Hand, name: str, row: Mapping[str, Any] | None = None) -> HeroHand:
        """That of a player of the hand, given what `pokermodel.histories.hand_row` has of it, where that is there.

        Raises
        ------
        ValueError
            If the player is not in the hand, or the hand breaks the rules or cannot be paid out.
        """
        if name not in hand.players:
            raise ValueError(f"{name!r} is not in hand {hand.id}: its players are {', '.join(hand.players)}")
        return cls.of_all(hand, row)[hand.players.index(name)]

    @classmethod
    def of_all(cls, hand: Hand, row: Mapping[str, Any] | None = None) -> list[HeroHand]:
        """Those of all players of a hand, by seat."""
        last, preflop = [hand.last_round] * len(hand.players), []
        for decision in hand.replay():
            if decision.round == 0:
                preflop.append(decision.act)
            if decision.act is Act.FOLD:
                last[decision.seat] = decision.round
        net, ev = (hand.net, hand.all_in_ev) if row is None else (row["net"], row["all_in_ev"])
        kind, where = pot_type(hand, preflop), position_names(hand.spec)
        found = []
        for seat, name in enumerate(hand.players):
            holding = hand.holdings.get(seat)
            text = None if holding is None else holding_text(holding)
            bb = hand.net_chips[seat] / hand.spec.small_bet
            found.append(cls(name, where[seat], text, kind, ROUNDS[last[seat]], net[seat], ev[seat], bb))
        return found

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return self._asdict()


class HeroFinder:
    """Finds out whom histories name as the player whose cards they were dealt, unless a name is given.

    That is the `Hand.hero` of a hand or, where it has none, who is the hero of most of the other hands among those who
    play in it. If no hand has a hero, it is the player whose cards are known in most hands without a showdown.
    """

    def __init__(self, name: str | None = None) -> None:
        self.name = name
        self._heroes: Counter[str] = Counter()
        self._dealt: Counter[str] = Counter()
        self._known: Counter[str] = Counter()
        self._named: set[str] = set()
        self._hands = self._open = 0

    def see(self, hand: Hand) -> None:
        """Take a hand into account: its hero, or whose cards are known, and who is the only one not to show them."""
        if self.name is not None:
            return
        if hand.hero is not None:
            self._heroes[hand.hero] += 1
        if self._heroes:
            return
        self._hands += 1
        self._dealt.update(hand.players)
        known = [seat for seat in hand.holdings if seat not in hand.mucked]
        self._known.update(hand.players[seat] for seat in known)
        hidden = [seat for seat in known if seat not in hand.shown]
        if len(hidden) == 1:
            self._named.add(hand.players[hidden[0]])
        self._open += len(hidden) > 1

    def of(self, hand: Hand) -> str | None:
        """The hero of a hand; None without one, or if the wanted player is not in it."""
        if self.name is not None:
            return self.name if self.name in hand.players else None
        if self._heroes:
            others = [name for name in hand.players if name in self._heroes]
            return hand.hero or max(others, key=lambda name: self._heroes[name], default=None)
        if self._open * _OPEN > self._hands:  # a source that has the cards of everybody
            return None
        there = [name for name in hand.players if name in self._named]
        there = [name for name in there if self._known[name] >= _SHARE * self._dealt[name]]
        with_cards = [name for name in there if hand.players.index(name) in hand.holdings]
        return max(with_cards or there, key=lambda name: self._known[name], default=None)


def place_of(position: str) -> int:
    """A place to sort a position by: as players act before the flop."""
    return _ORDER.index(position)


def _of_hero(name: str) -> Callable[[Mapping[str, Any]], Any]:
    return lambda row: None if row["hero"] is None else row["hero"][name]


#: What hands can be sorted by, and whether the largest are first.
SORTS: Mapping[str, tuple[Callable[[Mapping[str, Any]], Any], bool]] = {
    "number": (lambda row: row["number"], False),
    "time": (lambda row: None if row["time"] is None else row["time"].timestamp(), False),
    "pot": (lambda row: row["pot"], True),
    "loss": (_of_hero("net"), False),
    "win": (_of_hero("net"), True),
    "loss-bb": (_of_hero("net_bb"), False),
    "win-bb": (_of_hero("net_bb"), True),
    "position": (
        lambda row: None if row["hero"] is None else place_of(row["hero"]["position"]),
        False,
    ),
    "holding": (_of_hero("holding"), False),
}


def sorted_rows(rows: Iterable[dict[str, Any]], by: str) -> list[dict[str, Any]]:
    """Sort rows of `hand_row` with their ``hero`` by one of `SORTS`; unknown ones last, equal ones in their order."""
    key, down = SORTS[by]
    found = list(rows)
    known = [row for row in found if key(row) is not None]
    return sorted(known, key=key, reverse=down) + [row for row in found if key(row) is None]


class HeroTotals:
    """The heroes' winnings in hands of a list.

    Attributes
    ----------
    hands, rake_unknown : int
        Number of hands, of all heroes, and of those without a stated rake.
    """

    def __init__(self) -> None:
        self.hands = self.rake_unknown = 0
        self._by_name: dict[str, dict[str, Any]] = {}

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a hand, as `sorted_rows` has it."""
        self.hands += 1
        self.rake_unknown += row["rake"] is None
        hero = row["hero"]
        if hero is None:
            return
        of_one = self._by_name.setdefault(hero["name"], {**_nothing(), "without_cards": _nothing()})
        for each in (of_one, of_one["without_cards"]) if hero["holding"] is None else (of_one,):
            each["hands"] += 1
            each["limit"] += row["structure"] == "limit"
            each["net"][row["currency"]] = round(each["net"].get(row["currency"], 0.0) + hero["net"], 9)
            each["net_bb"] = round(each["net_bb"] + hero["net_bb"], 9)

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """By name of the hero, those with the most hands first.

        Returns
        -------
        dict of str to dict
            ``hands`` and among them ``limit``, ``net`` by currency and ``net_bb``, in big blinds and in limit in small
            bets. ``without_cards`` has the same for the hands in which the hero's cards are unknown.
        """
        return dict(sorted(self._by_name.items(), key=lambda each: -each[1]["hands"]))


def _nothing() -> dict[str, Any]:
    return {"hands": 0, "limit": 0, "net": {}, "net_bb": 0.0}
