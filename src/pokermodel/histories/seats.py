"""Who sits where, takes part, posts and shows, as the text of a hand says it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pokermodel.cards import cards_text
from pokermodel.histories._exact import Money

__all__ = ["Seats"]


class Seats:
    """The players of a hand. Amounts are as those of `Draft`.

    Attributes
    ----------
    numbers : dict of str to int
        Number of the seat of each player, in the order of the text.
    stacks : dict of str to Money or None
        Each player's stack before the hand; None if unknown.
    hero : str or None
        The owner of the text, if it names them. They need not take part.
    second_small_counts : bool
        Whether a small blind that a newcomer posts counts as a bet; otherwise it is dead.
    live, dead : dict of str to Money
        Each player's posts that count as a bet, and those that do not.
    small, straddled : str or None
        The first small blind, and the last straddler.
    big : set of str
        Players who post a big blind.
    shown, mucked : set of str
        Players who show both cards, and who muck at the showdown.
    folded : set of str
        Players who have folded by the summary, which counts if the lines of the betting leave it out.
    guessed : list of str
        Players whose seat the text leaves out.
    """

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.stacks: dict[str, Money | None] = {}
        self.button: int | None = None
        self.hero: str | None = None
        self.second_small_counts = False
        self.dealt: set[str] = set()
        self.live: dict[str, Money] = {}
        self.dead: dict[str, Money] = {}
        self.small: str | None = None
        self.straddled: str | None = None
        self.big: set[str] = set()
        self.holdings: dict[str, tuple[int, ...]] = {}
        self.shown: set[str] = set()
        self.mucked: set[str] = set()
        self.folded: set[str] = set()
        self.guessed: list[str] = []
        self._names: dict[int, str] = {}
        self._dealt_to: set[str] = set()
        self._longest: list[str] = []
        self._letters: set[str] = set()  # of all names

    def sit(self, number: int, name: str, stack: Money | None) -> None:
        """Report a player in a seat, who takes part only if the text has more about them.

        The stack is None if it is not known.
        """
        if self.numbers.get(name) == number and self.stacks[name] == stack and not self.dealt:
            return  # the same line again
        if number in self._names or name in self.numbers:
            raise ValueError(f"seat {number}, {name}: a seat or name occurs twice in one hand")
        self._names[number] = name
        self.numbers[name] = number
        self.stacks[name] = stack
        self._longest = []
        self._letters.update(name)

    def sit_after(self, before: str, name: str, seats: int) -> None:
        """Report a player whose seat the text leaves out: they get the next free one, and their stack is not known.

        Raises `ValueError` if no seat is free.
        """
        start = self.numbers.get(before, 0)
        free = [(start + step) % seats + 1 for step in range(seats)]
        number = next((number for number in free if number not in self._names), None)
        if number is None:
            raise ValueError(f"{name} has no seat, and none is free")
        self.sit(number, name, None)
        self.guessed.append(name)

    def name_at(self, number: int) -> str:
        """Name of the player in a seat."""
        if number not in self._names:
            why = "" if self._names else ": the text lists no seats, as where there is only the summary of a hand"
            raise ValueError(f"seat {number} is empty{why}")
        return self._names[number]

    def subject(self, line: str, separator: str) -> tuple[str, str] | None:
        """Split a line that begins with a player's name; names may contain anything."""
        if separator[0] not in self._letters:  # as in nearly all hands: the name ends where the first one begins
            name, found, rest = line.partition(separator)
            return (name, rest.strip()) if found and name in self.numbers else None
        if not self._longest:
            self._longest = sorted(self.numbers, key=len, reverse=True)
        for name in self._longest:
            if line.startswith(name) and line.startswith(separator, len(name)):
                return name, line[len(name) + len(separator) :].strip()
        return None

    def deal(self, name: str, holding: tuple[int, ...] = ()) -> None:
        """Report a player who takes part, and their cards, if both are known."""
        if name not in self.numbers:
            raise ValueError(f"{name} has no seat")
        self.dealt.add(name)
        if len(holding) > 1:
            self.count_cards(name, len(holding))
            known = self.holdings.setdefault(name, holding)
            if set(known) != set(holding):
                raise ValueError(f"{name} has {cards_text(holding)}, but had {cards_text(known)} before")

    def count_cards(self, name: str, number: int) -> None:
        """Report how many cards a player is dealt, known or not; raises `ValueError` if it is no hold'em."""
        if number > 2:
            raise ValueError(f"{name} has {number} cards, and in hold'em two: it is another game")

    def deal_to(self, name: str, holding: tuple[int, ...]) -> None:
        """Report cards that the text deals to a player face up; without other such players, to its owner."""
        self.deal(name, holding)
        if len(holding) == 2:
            self._dealt_to.add(name)

    def show(self, name: str, holding: tuple[int, ...]) -> None:
        """Report a player who shows both cards, or one of them."""
        self.deal(name, holding)
        if len(holding) == 2:
            self.shown.add(name)

    def muck(self, name: str) -> None:
        """Report a player who mucks at the showdown."""
        self.mucked.add(name)

    def post(self, name: str, live: Money, dead: Money = 0, big: bool = False) -> None:
        """Report a blind or an ante.

        Parameters
        ----------
        live, dead : Money
            Amounts that count as a bet, and that do not.
        big : bool
            Whether this is a big blind, or what a newcomer posts instead of one.
        """
        self.deal(name)
        if live and not big:
            if self.small is not None and not self.second_small_counts:
                live, dead = 0, dead + live
            elif self.small is None:
                self.small = name
        self.live[name] = self.live[name] + live if name in self.live else live
        self.dead[name] = self.dead[name] + dead if name in self.dead else dead
        if big:
            self.big.add(name)

    def straddle(self, name: str, live: Money) -> None:
        """Report a blind above the big blind, after which the next seat is the first to act.

        Parameters
        ----------
        live : Money
            The straddle, any blind that the player posted before included.
        """
        self.deal(name)
        self.live[name] = live
        self.straddled = name

    def post_usual_blinds(self, names: Collection[str], small: Money, big: Money) -> None:
        """Report that these players take part, and that those after the button post the blinds."""
        if self.button is None or len(names) < 2:
            raise ValueError("the text does not say who posts the blinds")
        button = self.button
        order = sorted(names, key=lambda name: (self.numbers[name] <= button, self.numbers[name]))
        for name in order:
            self.deal(name)
        if len(order) == 2 and self.numbers[order[1]] == button:
            order.reverse()
        self.post(order[0], small)
        self.post(order[1], big, big=True)

    def place_button(self, later: Sequence[str] = ()) -> None:
        """Infer who has the button from the blinds, in a text that does not say it.

        Parameters
        ----------
        later : sequence of str
            Who acts in the first round behind the flop in which anybody does, in order. Newcomers who post a big blind
            between the button and the small blind act before it there.
        """
        first = self.small or next((name for name in self.numbers if name in self.big), None)
        if first is None:
            raise ValueError("the text says neither who has the button nor who posts a blind")
        order = sorted(self.dealt, key=self.numbers.__getitem__)
        place = order.index(first) - (len(order) > 2 or first != self.small)
        before = later[: later.index(first)] if first in later else ()
        while order[place] in self.big and order[place] in before:
            place -= 1
        self.button = self.numbers[order[place]]

    def has_button(self, name: str) -> bool:
        """Whether a player has the button."""
        return self.numbers[name] == self.button

    def owner(self) -> str | None:
        """The player whose history it is; None if the text names none, or they do not take part."""
        named = self.hero
        if named is None and len(self._dealt_to) == 1:
            (named,) = self._dealt_to
        return named if named in self.dealt else None

    def in_order(self, numbered: bool = False) -> list[str]:
        """Return who takes part, from the first blind on, or in the order of seats; raises `ValueError`."""
        if self.button is None:
            raise ValueError("the text does not say who has the button")
        button = self.button
        numbers = sorted(self.numbers[name] for name in self.dealt)
        if len(numbers) < 2:
            few = "1 player takes" if numbers else "nobody takes"
            raise ValueError(f"{few} part, expected 2 or more")
        if numbered:
            return [self._names[number] for number in numbers]
        if button not in numbers and len(numbers) > 2 and self.small is not None:
            button = self.numbers[self.small] - 1  # in the seat of somebody who left the text may have an older one
        numbers = [number for number in numbers if number > button] + [n for n in numbers if n <= button]
        if len(numbers) == 2 and numbers[1] == button and self._names[numbers[0]] in self.big:
            numbers.reverse()  # between two players the button has the small blind
        return [self._names[number] for number in numbers]
