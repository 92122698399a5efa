"""The money of a finished hand by its text, and its agreement with the replay.

A text states the amounts that players collect, mostly after the rake, and returns of uncalled bets. Some have the pot
and the rake, the stacks afterwards, or only the result of each player. Sites differ in what an amount includes. So the
sums are compared first, and missing amounts follow from them: the rake, and bets that are returned without a line. Then
the winnings of each player are compared with the rules.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from pokermodel.game import Hand
from pokermodel.histories._exact import Money
from pokermodel.histories._words import CENT, plain

__all__ = ["Replayed", "Winnings"]

_LEAST_POT_OF_BETS = 4  # in rakes, where the text says how much of it each player has put in
_LEAST_POT = 10  # coins, of which a site may take one


class Replayed(NamedTuple):
    """The money of a hand by its replay.

    Attributes
    ----------
    players : sequence of str
        By seat.
    committed, uncalled : sequence of int
        Chips that each player put in, and the uncalled part of them.
    unit : Money
        The money value of a chip.
    slack : Money
        Tolerance for amounts of the text.
    left_out : mapping of str to Money
        Bets of the text that were not replayed, since they are against players whose time ran out.
    spared : mapping of str to Money
        Chips that the rules require of a player beyond all other stacks, and the text does not.
    """

    players: Sequence[str]
    committed: Sequence[int]
    uncalled: Sequence[int]
    unit: Money
    showdown: bool
    slack: Money
    left_out: Mapping[str, Money]
    spared: Mapping[str, Money]


class Winnings:
    """Pot, rake and winnings by the text. Amounts are as those of `Draft`.

    Parameters
    ----------
    names : collection of str
        The players who have a seat, now or later.
    one : int
        How many parts are a unit of the currency.

    Attributes
    ----------
    staked : Money or None
        Sum of all chips put in, with or without uncalled bets.
    fees : tuple of Money
        Fees in the stated rake beside the rake itself; the collected amounts show whether they are paid.
    rounding : Money
        Unit of rounding of the winnings, if chips have fractions; else 0.
    uncalled_collected : bool or None
        Whether the winner's amount includes an uncalled bet that the text does not return. None: if more is collected
        than the others called.
    coin : Money
        The smallest coin of the currency, by which pots are divided.
    least_pot : int
        In rakes, where the text does not state the rake.
    unstated : bool
        Whether the text has no winnings, as one written during the hand.
    own_division : bool
        Whether the site has divided the pot by a rule of its own, so that only the sum of the winnings can be compared.
    """

    def __init__(self, names: Collection[str], one: int) -> None:
        self.rake: Money | None = None
        self.pot: Money | None = None
        self.staked: Money | None = None
        self.fees: tuple[Money, ...] = ()
        self.added: Money = 0
        self.rounding: Money = 0
        self.uncalled_collected: bool | None = False
        self.coin: Money = CENT
        self.least_pot = 10
        self.own_division = self.unstated = False
        self._names, self._one = names, one
        self._collected: dict[str, Money] = {}
        self._summed_up: dict[str, Money] = {}  # what was collected by the summary
        self._collections = 0
        self._returned: dict[str, Money] = {}
        self._ends: dict[str, Money] = {}
        self._nets: dict[str, Money] = {}

    # --------------------------------------------------------------------------------------- what the text says

    def collect(self, name: str, won: Money, summary: bool = False) -> None:
        """Report a player who collects a pot, or a part of it.

        Parameters
        ----------
        summary : bool
            Whether the summary says so, which counts if no line above does.
        """
        if name not in self._names:
            raise ValueError(f"{name} has no seat")
        collected = self._summed_up if summary else self._collected
        collected[name] = collected[name] + won if name in collected else won
        self._collections += 1

    def take_rake_from_collected(self) -> None:
        """Report that what is collected has the rake in it, which winners have paid by what they have won."""
        collected, rake = sum(self._collected.values()), self.rake
        if not rake or not collected:
            return
        left = rake
        for name, won in list(self._collected.items())[1:]:
            share = won * rake // collected // self.coin * self.coin
            self._collected[name] = won - share
            left -= share
        self._collected[next(iter(self._collected))] -= left

    def give_back(self, name: str, money: Money) -> None:
        """Report the return of an uncalled bet."""
        self._returned[name] = self._returned.get(name, 0) + money

    def end(self, name: str, stack: Money) -> None:
        """Report what a player has after the hand, rake and uncalled bets settled."""
        self._ends[name] = stack

    def net(self, name: str, money: Money) -> None:
        """Report what a player has won or, less than 0, lost, in a text that does not say who collects what."""
        self._nets[name] = money

    @property
    def collected(self) -> Mapping[str, Money]:
        """The amount that each winner collects."""
        return self._collected or self._summed_up

    # ------------------------------------------------------------------------------------- beside the replay

    def settle(self, played: Replayed) -> list[float] | None:
        """Compare the sums with a replay; return what each seat won or lost by the text, in chips, after the rake.

        None: the text does not state it. Raises `ValueError` if the text does not say who wins, or its sums are not
        those of the replay.
        """
        self._collected = self._collected or self._summed_up
        unit = played.unit
        if self.unstated:
            return None
        if self._nets and not self._collected:
            for name, chips, extra in zip(played.players, played.committed, played.uncalled, strict=True):
                won = self._nets.get(name, 0) + (chips - extra) * unit
                if won:
                    self.collect(name, won)
        if not self._collected and sum(self._returned.values()) < sum(played.committed) * unit:
            raise ValueError("the text does not say who wins")
        self._settle_returns(played)
        self._settle_rake(sum(played.committed) * unit - sum(played.uncalled) * unit)
        paid = self._collected.keys() | self._returned.keys()
        return [
            float((self._collected.get(name, 0) + self._returned.get(name, 0) - chips * unit) / unit)
            if name in paid
            else float(-chips)
            for name, chips in zip(played.players, played.committed, strict=True)
        ]

    def _settle_returns(self, played: Replayed) -> None:
        """Compare the pot and what is returned, and infer bets that are returned without a line in the text."""
        unit = played.unit
        excess = {name: chips * unit for name, chips in zip(played.players, played.uncalled, strict=True) if chips}
        for name, money in played.left_out.items():
            if self._returned.get(name) == money:
                del self._returned[name]
            elif name in self._returned:
                self._returned[name] -= money
        for name, money in played.spared.items():
            self._returned.setdefault(name, money)
        if not played.showdown and self._returned.keys() == excess.keys():
            for name, money in excess.items():  # what others put in against it may be in what is returned
                extra = max(self._returned[name] - money, 0)
                self._returned[name] -= extra
                if extra and extra + money == self._collected.get(name):  # the text has what is won twice
                    continue
                self._collected[name] = self._collected.get(name, 0) + extra
                self.pot = self.pot + extra if self.pot is not None else None
        pot = sum(played.committed) * unit - sum(excess.values())
        if not self._returned:
            self._return(excess, pot)
        elif self._returned != excess:
            wrong = ", ".join(f"{self._plain(money)} to {name}" for name, money in self._returned.items())
            right = ", ".join(f"{self._plain(money)} to {name}" for name, money in excess.items()) or "nothing"
            raise ValueError(f"{wrong} is returned as uncalled, expected {right}")
        whole = pot + sum(excess.values())
        pots = (pot, whole, pot - (self.rake or 0), pot + self.added, whole + self.added)
        after_rake = self.rake is None and self.pot == sum(self._collected.values())  # which the text does not state
        stated = self.pot
        if (
            stated is not None
            and not after_rake
            and not any(-played.slack <= stated - each <= played.slack for each in pots)
        ):
            raise ValueError(f"the text has a pot of {self._plain(stated)}, the replay one of {self._plain(pot)}")

    def _return(self, excess: Mapping[str, Money], pot: Money) -> None:
        """Return uncalled bets, of which the text says nothing, and which the winnings may include."""
        collected = sum(self._collected.values())
        included = self.uncalled_collected
        if self.staked == pot:
            included = False
        if included is None:
            included = collected > pot
        whole = collected + (self.rake or 0) == pot + self.added + sum(excess.values())
        for name, money in excess.items():
            rest = self._collected.get(name, 0) - money
            if (included or whole) and rest >= 0:
                self._collected[name] = rest if rest >= self.rounding else 0
            self._returned[name] = money

    def _settle_rake(self, pot: Money) -> None:
        """Compare the rake with what is not collected, or infer it."""
        self._undo_rounding(pot)
        rake = pot + self.added - sum(self._collected.values())
        if self.rake is not None and rake in (self.rake - fee for fee in self.fees):
            self.rake = rake  # the text states a fee that nobody pays
        most = max(pot, _LEAST_POT * self.coin)
        least_pot = _LEAST_POT_OF_BETS if self.staked == pot else self.least_pot
        if not 0 <= least_pot * rake <= most if self.rake is None else rake != self.rake:
            collected = self._plain(sum(self._collected.values(), 0))
            said = "" if self.rake is None else f" and a rake of {self._plain(self.rake)}"
            raise ValueError(f"the text has {collected} collected{said}, the replay a pot of {self._plain(pot)}")
        self.rake = rake

    def _undo_rounding(self, pot: Money) -> None:
        """Correct the largest of the winnings by what all were rounded."""
        off = sum(self._collected.values()) - pot + (self.rake or 0)
        most = self.rounding * self._collections
        if off and -most <= 2 * off <= most:
            self._collected[max(self._collected, key=lambda name: self._collected[name])] -= off

    def compare(self, hand: Hand, played: Replayed, had: Mapping[str, Money | None]) -> None:
        """Compare the winnings of each player, and what they have afterwards, with the replay.

        Raises `ValueError` if they differ.

        Parameters
        ----------
        played : Replayed
            That `settle` took.
        had : mapping of str to Money or None
            The stack of each player before the hand.
        """
        if self.unstated:
            hand.payoffs  # noqa: B018  # raises an error where the cards do not tell them
            return
        assert self.rake is not None
        seats = zip(hand.players, hand.payoffs, played.committed, played.uncalled, strict=True)
        for name, payoff, committed, extra in seats:
            theirs = self._collected.get(name, 0)
            ours = int(payoff) if payoff.is_integer() else Fraction(payoff).limit_denominator(1000)
            chips_won = ours + committed - extra
            if chips_won or theirs:
                won = chips_won * played.unit
                # the site divides whole coins, and takes the rake from each pot by rules of its own
                odd = self.coin * len(self._collected)  # coins that are left over, all of which may go to one seat
                most = won + self.added + odd
                fair = won - self.rake - odd < theirs < most and (theirs > 0) == (won > 0)
                if not (fair or self.own_division):
                    raise ValueError(
                        f"{name} collects {self._plain(theirs)}, expected {self._plain(won)} before the rake"
                    )
            before = had[name]
            if name in self._ends and before is not None:
                put = committed * played.unit - self._returned.get(name, 0)
                has = before - put + theirs
                if self._ends[name] != has:
                    raise ValueError(
                        f"{name} has {self._plain(self._ends[name])} after the hand, expected {self._plain(has)}"
                    )

    def _plain(self, money: Money) -> str:
        return plain(money, self._one)
