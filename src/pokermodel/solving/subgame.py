"""Subgames: what a solver is given."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from pokermodel._core.solver import SubgameSolver
from pokermodel._support.arrays import Floats
from pokermodel._support.checks import check_least
from pokermodel._support.toml import MOST_BYTES
from pokermodel.cards import CardsLike, card_indices, cards_text, holding_index
from pokermodel.game import BettingStructure, Decision
from pokermodel.game.structure import NO_CAP
from pokermodel.reading.reader import Spot
from pokermodel.solving.folded import beside, card_chances
from pokermodel.solving.inputs import LimitBets, read_folded, read_limit, read_number, read_ranges, read_stacks, unit_of
from pokermodel.solving.lock import Lock
from pokermodel.solving.menu import PLAYERS, STREETS, Menu, read_menus, read_size
from pokermodel.solving.played_street import PlayedNode, played_street
from pokermodel.solving.samples import dealt_scale, sampled_cards
from pokermodel.solving.spot_file import read_spot, spot_text
from pokermodel.weights import WeightTable

__all__ = ["Subgame", "SubgameSize"]

_CARDS = 52
_LEAST_DEALT = 8  # cards of a sample; of them the two players may hold four


class SubgameSize(NamedTuple):
    """How large a subgame is, before anything is allocated."""

    nodes: int  #: of the betting tree, which has no cards
    boards: tuple[int, ...]  #: boards that are solved, by street
    decisions: tuple[int, ...]  #: of the tree, by street
    holdings: tuple[int, int]  #: of the two players
    bytes_32: int  #: memory for regrets and averages with 32 bits
    bytes_16: int  #: and with 16


class Subgame:
    """Two players after the flop, with their ranges, and what they may bet.

    Amounts are in any unit. Players act out of position first, and so stand in every pair.

    Parameters
    ----------
    board : cards
        Three to five.
    pot : float
        Chips in the middle.
    stacks : float or pair of float
        Chips behind of each player; only the smaller stack is in play. Optional in limit: no player is then ever
        all-in.
    ranges : pair of WeightTable, str or array_like
        Weights of the player out of position and of the one in position; a text is a range.
    structure : BettingStructure or {"no limit", "pot limit", "limit"}
    bets, raises : sequence of str
        Sizes on all streets, of both players; see `Menu`. Limit has one size and needs none.
    donk : bool or sequence of str
        Whether the player out of position may bet first into the last aggressor of the street before, or the sizes of
        such bets.
    streets : mapping
        Differences of menus: ``{"turn": {"bets": ["75%"], "ip": {"raises": ["all-in"]}}, "oop": {"donk": False}}``.
    rake, rake_cap : float
        Share of both players' chips in the pot that the house takes, and its maximum.
    small_bet, big_bet : float
        In limit, a bet on the flop, and on turn and river.
    cap : int
        In limit, bets and raises of a street.
    most_raises : int, optional
        Bets and raises of a street in the tree; default: as many as chips, or in limit the cap, allow.
    least : float
        Outside limit, the least bet; default: the smallest difference of two amounts.
    all_in_share : float
        A bet that leaves at most this share of the pot after a call is all-in.
    locks : iterable of Lock
        Strategies that players are believed to have.
    folded : sequence of WeightTable, str or array_like
        Ranges of players who folded: their likely cards are rarer in both ranges and in the deals. Each player's part
        neglects the others, and so pairs of cards; see `pokermodel.solving.folded`.

    Attributes
    ----------
    played : PlayedNode or None
        The decision for which `from_spot` made the subgame.
    whole : pair of WeightTable or None
        The ranges with the holdings that `trim` left out; None where it left none out.
    dealt : tuple of int or None
        The cards that are dealt, if they are some of those that could be (`deal`).
    suits_alike : bool
        Whether boards that differ by names of suits alone are solved once, where ranges and locks allow it. For
        strategies that are filled in and tell suits apart, set it to False.

    Raises
    ------
    ValueError
        If an argument is wrong, or a range has no holding that the board leaves.

    Examples
    --------
    >>> spot = Subgame("QsJh2h8c3d", pot=200, stacks=900, ranges=("QQ,AK", "JJ,T9s"), bets=["50%", "all-in"])
    >>> spot.size().decisions
    (10,)
    """

    __slots__ = (
        *("_board", "_menus", "all_in_share", "big_bet", "cap", "least", "locks", "pot", "rake", "rake_cap", "ranges"),
        *(
            "dealt",
            "folded",
            "most_raises",
            "played",
            "small_bet",
            "stacks",
            "structure",
            "suits_alike",
            "unit",
            "whole",
        ),
    )

    def __init__(
        self,
        board: CardsLike,
        pot: float,
        stacks: float | Sequence[float] | None = None,
        ranges: Sequence[Any] = (),
        *,
        structure: BettingStructure | str = BettingStructure.NO_LIMIT,
        bets: Sequence[str] | None = None,
        raises: Sequence[str] | None = None,
        donk: bool | Sequence[str] = True,
        streets: Mapping[str, Any] | None = None,
        rake: float = 0.0,
        rake_cap: float | None = None,
        small_bet: float | None = None,
        big_bet: float | None = None,
        cap: int = 4,
        most_raises: int | None = None,
        least: float | None = None,
        all_in_share: float = 0.2,
        locks: Iterable[Lock] = (),
        folded: Sequence[Any] = (),
    ) -> None:
        self._board = card_indices(board)
        if not 3 <= len(self._board) <= 5:
            raise ValueError(f"board must have 3 to 5 cards, got {len(self._board)}")
        try:
            self.structure = BettingStructure(structure)
        except ValueError:
            names = ", ".join(BettingStructure)
            raise ValueError(f"structure must be one of {names}, got {structure!r}") from None
        self.pot = read_number("pot", pot, strict=True)
        self.rake = read_number("rake", rake)
        if self.rake >= 1:
            raise ValueError(f"rake must be a share of the pot below 1, such as .05, got {rake!r}")
        self.rake_cap = math.inf if rake_cap is None else read_number("rake_cap", rake_cap)
        self.all_in_share = read_number("all_in_share", all_in_share)
        fixed = self.structure.fixed
        limit = read_limit(small_bet, big_bet, cap, fixed=fixed, flop=len(self._board) == 3)
        self.small_bet, self.big_bet, self.cap = limit
        self.stacks = read_stacks(stacks, limit.most_in if fixed else None)
        self.least = None if least is None else read_number("least", least, strict=True)
        self.most_raises = None if most_raises is None else check_least("most_raises", most_raises, 1)
        amounts = [self.pot, *self.stacks, self.small_bet, self.big_bet, self.least]
        self.ranges = read_ranges(ranges, self._board)
        top: dict[str, Any] = {"bets": bets, "raises": raises, "donk": donk}
        self._menus = read_menus({key: value for key, value in top.items() if value is not None}, streets or {})
        sizes = {size for m in self._menus.values() for size in (*m.bets, *m.raises, *m.leads)}
        amounts += [number for kind, number in map(read_size, sizes) if kind == "to"]
        self.unit = unit_of(self.pot, [amount for amount in amounts if amount])
        if self.structure is BettingStructure.POT_LIMIT:
            for menu in self._menus.values():
                menu.check_pot_limit()
        self.locks = tuple(locks)
        self.folded = read_folded(folded, self._board)
        self.whole: tuple[WeightTable, WeightTable] | None = None
        self.dealt: tuple[int, ...] | None = None
        self.played: PlayedNode | None = None
        self.suits_alike = True

    @property
    def board(self) -> str:
        """Cards of the board as text."""
        return cards_text(self._board)

    @property
    def cards(self) -> tuple[int, ...]:
        """Cards of the board as indices."""
        return self._board

    @property
    def root(self) -> tuple[tuple[int, ...], float, int]:
        """The start of a tree: cards, the value of a chip of the rules, and the chips of each player."""
        return self._board, self.unit, self.chips(min(self.stacks))

    @property
    def first_street(self) -> int:
        """The street of the root: 0 flop, 1 turn, 2 river."""
        return len(self._board) - 3

    def menu(self, street: str, player: str) -> Menu:
        """The menu of a player, ``"oop"`` or ``"ip"``, on a street."""
        return self._menus[street, player]

    def __repr__(self) -> str:
        stacks = " and ".join(f"{stack:g}" for stack in sorted(set(self.stacks)))
        return f"<Subgame {self.board}, pot {self.pot:g}, stack {stacks}, {self.structure}>"

    def with_locks(self, locks: Iterable[Lock]) -> Subgame:
        """Replace the locks; the rest of the subgame stays."""
        other = self._copy()
        other.locks = tuple(locks)
        return other

    def with_ranges(self, ranges: Sequence[Any]) -> Subgame:
        """Replace the ranges; the rest of the subgame stays."""
        other = self._copy()
        other.ranges = read_ranges(ranges, self._board)
        return other

    def with_menu(self, street: str, player: str, menu: Menu) -> Subgame:
        """Replace the menu of a player, ``"oop"`` or ``"ip"``, on a street; the rest of the subgame stays.

        Its sizes are to be among those that the player has there.
        """
        other = self._copy()
        other._menus = {**self._menus, (street, player): menu}
        return other

    def _copy(self) -> Subgame:
        other = object.__new__(Subgame)
        for name in Subgame.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    def trim(self, least: float, keep: Mapping[int, CardsLike] | None = None) -> Subgame:
        """Leave out holdings that are least probable: each takes as long as any other.

        Parameters
        ----------
        least : float
            Holdings of less than this share, 0 to 1, of the largest weight of their range are left out.
        keep : mapping of int to cards, optional
            For each player, 0 out of position and 1 in position, a holding that stays in any case.
        """
        other = self._copy()
        tables = []
        for player, table in enumerate(self.ranges):
            values = np.array(table.trim(least=least).values)
            if keep is not None and player in keep:
                kept = holding_index(keep[player])
                values[kept] = max(values[kept], table.values[kept])
            tables.append(WeightTable.of_known(values, table.dead))
        other.whole = self.ranges if self.whole is None else self.whole
        other.ranges = tables[0], tables[1]
        return other

    def deal(self, most: int, holding: CardsLike, player: int | None = None) -> Subgame:
        """Let some cards stand for all that could be dealt: a flop takes as long as pairs of them.

        Suits come as often as they should, and ranks about once each. Among such samples, the chosen one keeps a
        holding's share of the pot without bets, and its variance from card to card. They are the same for both deals of
        a flop. Other players' cards are neglected: a holding that has a card of the sample gets somewhat too little
        weight, and the others somewhat too much.

        Parameters
        ----------
        most : int
            Cards at most.
        holding : cards
            Two cards; they are not dealt.
        player : int, optional
            Who has them, 0 out of position and 1 in position: what they win is looked at against the range of the other
            one. Default: against both ranges.

        Raises
        ------
        ValueError
            If there are fewer than 8 cards, or players who folded count.
        """
        check_least("most", most, _LEAST_DEALT)
        if self.folded:
            raise ValueError("cards that are dealt cannot be sampled where players who folded count")
        other = self._copy()
        own = card_indices(holding)
        left = [card for card in range(_CARDS) if card not in {*self._board, *own}]
        if len(self._board) == 5 or len(left) <= most:
            return other
        tables = self.ranges if player is None else (self.ranges[1 - player],)
        weights = sum(np.array(table.values) / table.values.sum() for table in tables)
        other.dealt = sampled_cards(self._board, own, weights, most)
        return other

    # -- of a decision -----------------------------------------------------------------------------

    @classmethod
    def from_spot(
        cls,
        spot: Spot,
        made: Decision | None = None,
        *,
        also: Iterable[int] = (),
        bets: Sequence[str] | None = None,
        raises: Sequence[str] | None = None,
        floor: float = 1e-4,
        folded: bool = False,
        money: Callable[[float], float] = float,
        **more: Any,
    ) -> Self:
        """Take board, pot, stacks and both players' ranges from a decision.

        The subgame begins with the street of the decision, before the first bet. The reader gives the ranges of the
        streets before, and the solver the strategies of this one. The answer is at the node that the actions of the
        street lead to, ``subgame.played.node``. A tree from the decision itself would begin with an open bet, and would
        mix the reader's view of that bet with the solver's answer.

        No cards of a player are used, not even the hero's, because the hero alone knows them. Solve with the hero's
        whole range and read one row; never with two cards as a range. Bets and raises that were made in the street are
        in the menu of their player.

        Parameters
        ----------
        spot : Spot
            After the flop, with a reader. `pokermodel.reading.spot_of` makes one of a decision of a finished hand.
        made : Decision, optional
            The action made there. Its size is in the menu, too.
        also : iterable of int
            Further amounts that bets and raises of the player to act go to, in chips counted from the beginning of the
            round.
        bets, raises : sequence of str, optional
            Sizes outside limit. Default: bets of 50% and 100% and all-in, raises of 60% and all-in; from the flop
            on, one size of each, 50% and 60%. A size of the default within a tenth of one that was made makes room.
        floor : float
            Least weight of a possible holding, as a share of the largest weight of its range. A reader's table may be 0
            for a holding of the tree, even the hero's own, and such a holding would get no value.
        folded : bool
            Whether the cards of players who folded count as gone, by the last tables that they had. The session has to
            keep them (`OpponentModeler.folded_tables`).
        money : callable
            Converts chips to amounts of the subgame, as `Hand.money` does. Default: chips.
        **more
            Arguments of `Subgame`, as `rake`; they replace those of the spot.

        Raises
        ------
        ValueError
            If the decision is before the flop, if the street began with more than two players, or one of them is
            all-in, if a stack is not known outside limit, or a range is dead.

        Examples
        --------
        >>> import pokermodel as pm
        >>> from pokermodel.reading import spot_of
        >>> acts = [(0, 2), (1, 1), (1, 1), (0, 1), (1, 1), (0, 1), (1, 2), (0, 2), (1, 1)]  # 1 a call, 2 a raise
        >>> hand = pm.Hand("", "1", pm.GameSpec.heads_up(5, 10), ["Ann", "Bo"], acts, "QsJh2h8c3d")
        >>> spot = Subgame.from_spot(spot_of(pm.OpponentModeler(), hand, 7))
        >>> spot.board, spot.pot, spot.played.node, spot.played.names
        ('QsJh2h8c3d', 40.0, 'r:0:b20', ('Bo', 'Ann'))
        """
        given, played = played_street(spot, made, also, floor, bets, raises, money, folded=folded)
        found = cls(**_beside(given, more))
        found.played = played
        return found

    # -- for the kernels ---------------------------------------------------------------------------

    def chips(self, amount: float) -> int:
        """An amount in the whole chips that the rules count in."""
        return round(amount / self.unit)

    def _sizes(self, row: bool | Iterable[str]) -> Any:
        """Sizes for the kernels, amounts in the chips of the rules."""
        if isinstance(row, bool):
            return row
        return [(kind, self.chips(x) if kind == "to" else x) for kind, x in map(read_size, row)]

    def solver(self) -> SubgameSolver:
        """The tree and the boards, counted; nothing is allocated yet. `ValueError` if the tree is too large."""
        least = 1 if self.least is None else max(1, self.chips(self.least))
        bets = [least] * 4
        most = [NO_CAP if self.most_raises is None else min(self.most_raises, NO_CAP)] * 4
        if self.structure.fixed:
            bets = [self.chips(bet) for bet in (self.small_bet, self.small_bet, self.big_bet, self.big_bet)]
            most = [self.cap if self.most_raises is None else min(self.cap, self.most_raises)] * 4
        none: tuple[Any, Any, bool] = ((), (), True)
        menu: list[list[Any]] = [[none, none]]
        for street in STREETS:
            rows = [self._menus[street, player] for player in PLAYERS]
            menu.append([tuple([self._sizes(row) for row in (m.bets, m.raises, m.donk)]) for m in rows])
        return SubgameSolver(
            self._board,
            self.chips(self.pot),
            self.chips(min(self.stacks)),
            str(self.structure),
            bets,
            most,
            menu,
            self.all_in_share,
            self.rake,
            self.rake_cap / self.unit,
            *self.weights(),
            self.suits_alike and all(lock.symmetric for lock in self.locks),
            deals=self.deals if self.folded or self.dealt else None,
            again=self.again,
        )

    def weights(self) -> tuple[Floats, Floats]:
        """The weights of both players' holdings, by what players who folded leave of them: each float64 (1326,)."""
        first, second = (np.array(table.values) for table in self.ranges)
        if self.folded:
            factors = beside(self.folded, (first, second))
            first, second = first * factors[0], second * factors[1]
        return np.ascontiguousarray(first), np.ascontiguousarray(second)

    @property
    def deals(self) -> Floats:
        """The relative probability of each card in the deal: float64 (52,); 1 without folded ranges.

        Below 0 for cards that are not looked at.
        """
        if self.dealt is not None:
            found = np.full(_CARDS, -1.0)
            found[[*self._board, *self.dealt]] = dealt_scale(self.dealt, self._board, self.weights())
            return found
        return card_chances(self.folded, self._board, self.weights()) if self.folded else np.ones(_CARDS)

    @property
    def again(self) -> float:
        """How much likelier any card of a second deal is, besides."""
        if self.dealt is None or len(self._board) > 3:
            return 1.0
        first, second = (dealt_scale(self.dealt, self._board, self.weights(), before) for before in range(2))
        return second / first

    def size(self) -> SubgameSize:
        """How large it is, before anything is allocated; `ValueError` if the tree is too large."""
        solver = self.solver()
        size: dict[str, Any] = solver.size
        return SubgameSize(
            size["nodes"],
            size["boards"],
            size["decisions"],
            size["holdings"],
            solver.memory(False),
            solver.memory(True),
        )

    # -- files -------------------------------------------------------------------------------------

    @classmethod
    def from_toml(cls, source: str | Path) -> Self:
        """Read a spot file, given as its text or its path; a text without ``=`` is a path, too.

        Raises
        ------
        ValueError
            If it is no TOML, a key is unknown or missing, or its value is not as expected.
        OSError
            If the file cannot be read.
        """
        if not isinstance(source, Path) and "=" in source:
            return cls(**read_spot(source))
        path = Path(source)
        try:
            with path.open(encoding="utf-8") as file:
                return cls(**read_spot(file.read(MOST_BYTES + 1)))
        except UnicodeDecodeError:
            raise ValueError(f"{path}: expected a text file") from None
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None

    def to_toml(self) -> str:
        """Write it as a spot file, which `from_toml` reads; `ValueError` if a lock's strategy is an array."""
        streets = STREETS[self.first_street :]
        menus = {(street, player): self.menu(street, player) for street in streets for player in PLAYERS}
        return spot_text(_values(self), menus, self.locks)


def _values(subgame: Subgame) -> dict[str, Any]:
    """What a spot file says of a subgame, but for menus and locks; None for what goes without saying."""
    fixed, most = subgame.structure.fixed, LimitBets(subgame.small_bet, subgame.big_bet, subgame.cap).most_in
    return {
        "board": subgame.board,
        "pot": subgame.pot,
        "stacks": None if fixed and subgame.stacks == (most, most) else subgame.stacks,
        "ranges": [table.to_text() for table in subgame.ranges],
        "folded": [table.to_text() for table in subgame.folded] or None,
        "structure": str(subgame.structure),
        "small_bet": subgame.small_bet if fixed else None,
        "big_bet": subgame.big_bet if fixed else None,
        "cap": subgame.cap if fixed else None,
        "rake": subgame.rake or None,
        "rake_cap": subgame.rake_cap if math.isfinite(subgame.rake_cap) else None,
        "most_raises": subgame.most_raises,
        "least": subgame.least,
        "all_in_share": subgame.all_in_share,
    }


def _beside(given: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of a played street and others, which go before; but bets that were made there stay what they were."""
    if "all_in_share" in given and "all_in_share" in more:
        more = {**more, "all_in_share": min(more["all_in_share"], given["all_in_share"])}
    streets = {key: dict(table) for key, table in more.get("streets", {}).items()}
    for street, players in given.get("streets", {}).items():
        table = streets.setdefault(street, {})
        for player, menu in players.items():
            own = dict(table.get(player, {}))
            for row, sizes in menu.items():
                asked = own.get(row, table.get(row))
                made = [size for size in sizes if size not in given[row]]
                own[row] = sizes if asked is None else tuple(dict.fromkeys([*made, *asked]))
            table[player] = own
    return {**given, **more, **({"streets": streets} if streets else {})}
