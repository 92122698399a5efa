"""PokerKit: its states driven by our players, and its hands as ours.

A state is followed by its operations, so that somebody else may drive it: a `StateSeat` catches up when it is asked.
The rules are PokerKit's: four raises in every round of fixed limit, and an all-in reopens the betting if it is as large
as the largest bet so far. Ranges of PokerKit are read and written by `pokermodel.WeightTable.from_pokerkit` and
`pokermodel.WeightTable.to_pokerkit`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import cast

try:
    import pokerkit
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        'PokerKit is not installed: pip install "pokermodel[pokerkit]"', name="pokerkit"
    ) from error

from pokermodel._support.checks import check_kind
from pokermodel.errors import HistoryError
from pokermodel.game import Act, BettingStructure, GameSpec, Hand
from pokermodel.game.structure import NO_CAP
from pokermodel.histories import HandSource, phh, source_of
from pokermodel.tables.players import Answer, Player, Seat

__all__ = ["StateSeat", "from_history", "game_of", "histories_source", "play", "to_history"]

_STRUCTURES = {
    pokerkit.BettingStructure.FIXED_LIMIT: BettingStructure.LIMIT,
    pokerkit.BettingStructure.POT_LIMIT: BettingStructure.POT_LIMIT,
    pokerkit.BettingStructure.NO_LIMIT: BettingStructure.NO_LIMIT,
}
_BOARD = (0, 3, 1, 1)  # cards of each street
#: What a state waits for when it is nobody's turn, in the order in which it is looked for.
_BETWEEN = (
    "post_ante",
    "post_blind_or_straddle",
    "collect_bets",
    "burn_card",
    "deal_hole",
    "deal_board",
    "select_runout_count",
    "show_or_muck_hole_cards",
    "kill_hand",
    "push_chips",
    "pull_chips",
)


def game_of(state: pokerkit.State) -> GameSpec:
    """Return the game of a state.

    Returns
    -------
    GameSpec
        Without stacks, which are ``state.starting_stacks``.

    Raises
    ------
    ValueError
        If it is not Texas hold'em, amounts are no whole numbers, or antes that differ are trimmed.
    """
    check_kind("a state of PokerKit's", state, pokerkit.State, "a pokerkit.State")
    streets = state.streets
    if (
        tuple(street.board_dealing_count for street in streets) != _BOARD
        or [len(street.hole_dealing_statuses) for street in streets] != [2, 0, 0, 0]
        or len(state.hand_types) != 1
        or not issubclass(state.hand_types[0], pokerkit.StandardHighHand)
        or len(state.deck) != 52
        or state.starting_board_count != 1
    ):
        raise ValueError(
            "only states of Texas hold'em are supported: two cards each, and a board of three, one and one"
        )
    if state.ante_trimming_status and len(set(state.antes)) > 1:
        raise ValueError("antes that differ and are trimmed are not supported")
    structure = _STRUCTURES[state.betting_structure]
    bets = [street.min_completion_betting_or_raising_amount for street in streets]
    amounts = (*state.antes, *state.blinds_or_straddles, *bets, *state.starting_stacks)
    if not all(isinstance(amount, int) for amount in amounts):
        raise ValueError(f"amounts must be whole numbers, got {next(a for a in amounts if not isinstance(a, int))}")
    if bets[0] != bets[1] or bets[2] != bets[3]:
        raise ValueError(f"bets of {', '.join(map(str, bets))} are not supported: expected two by two alike")
    spec = phh.pokerkit_game(tuple(state.antes), tuple(state.blinds_or_straddles), (bets[0], bets[2]), structure)
    caps = [street.max_completion_betting_or_raising_count for street in streets]
    most = tuple(NO_CAP if cap is None else cap for cap in caps)
    return replace(spec, max_raises=cast("tuple[int, int, int, int]", most))


class StateSeat:
    """One of our players in a seat of a PokerKit state, which anybody may drive.

    Parameters
    ----------
    player : Player
        The player who sits there and goes on learning from hand to hand.

    Attributes
    ----------
    player : Player
        As given.
    seat : Seat
        The seat that informs the player.
    state : pokerkit.State or None
        The state of the hand that is being played.

    Examples
    --------
    >>> from pokerkit import Automation, FixedLimitTexasHoldem
    >>> from pokermodel.tables.players import make_player
    >>> state = FixedLimitTexasHoldem.create_state(tuple(Automation), True, 0, (5, 10), 10, 20, 1000, 2)
    >>> seat = StateSeat(make_player("raise"))
    >>> seat.begin(state, 1)
    >>> seat.move()
    CompletionBettingOrRaisingTo(commentary=None, player_index=1, amount=20)
    """

    def __init__(self, player: Player) -> None:
        self.player = player
        self.seat = Seat(player)
        self.state: pokerkit.State | None = None
        self._seen = 0  # operations
        self._cards: list[str] = []  # of the board
        self._shown: dict[int, str] = {}

    def begin(
        self,
        state: pokerkit.State,
        index: int,
        names: Sequence[str] | None = None,
        *,
        hand_id: str = "1",
        seed: int | None = None,
    ) -> None:
        """Begin a hand, when its hole cards have been dealt. The player sees no other cards than their own.

        Parameters
        ----------
        state : pokerkit.State
            The state, before the first act or later.
        index : int
            Which player of it this is.
        names : sequence of str, optional
            Names of all players, the same for the same people from hand to hand. Default: p1, p2 and so on.
        hand_id : str
            Id of the hand.
        seed : int, optional
            Of all that the player draws in this hand. Without, one is drawn.

        Raises
        ------
        ValueError
            If the game is not supported, see `game_of`, the player cannot play it, or has not got two known cards.
        """
        spec = game_of(state)
        if not 0 <= index < spec.players:
            raise ValueError(f"there is no player {index}, expected 0 to {spec.players - 1}")
        holding = _dealt(state, index)
        players = [f"p{number}" for number in range(1, spec.players + 1)] if names is None else names
        stacks = cast("tuple[int, ...]", tuple(state.starting_stacks))
        self.seat.begin(spec, players, index, holding, source="pokerkit", hand_id=hand_id, stacks=stacks, seed=seed)
        self.state, self._seen, self._cards, self._shown = state, 0, [], {}
        self._catch_up()

    def _playing(self) -> pokerkit.State:
        if self.state is None:
            raise ValueError("no hand is being played: call begin() first")
        return self.state

    def _catch_up(self) -> None:
        """Tell the player what has happened since."""
        operations = self._playing().operations
        fixed = self.seat.hand.spec.structure.fixed
        for operation in operations[self._seen :]:
            match operation:
                case pokerkit.BoardDealing() if len(self._cards) < 5:  # a second board comes later
                    self._cards += [repr(card) for card in operation.cards]
                    self.seat.deal("".join(self._cards))
                case pokerkit.Folding():
                    self._observe(operation.player_index, Act.FOLD)
                case pokerkit.CheckingOrCalling():
                    self._observe(operation.player_index, Act.CALL)
                case pokerkit.CompletionBettingOrRaisingTo():
                    self._observe(operation.player_index, Act.RAISE, None if fixed else operation.amount)
                case pokerkit.HoleCardsShowingOrMucking() if operation.hole_cards:
                    self._shown[operation.player_index] = "".join(map(repr, operation.hole_cards))
            self._seen += 1

    def _observe(self, index: int, act: Act, to: int | None = None) -> None:
        if index != self.seat.hand.state.seat:
            raise ValueError(f"player {index} acts, but by the rules it is the turn of {self.seat.hand.state.seat}")
        self.seat.observe(act, to)

    def act(self) -> Answer:
        """Ask the player what to do: it is their turn. The state is not changed.

        Returns
        -------
        Answer
            What the state allows: sizes are bounded by its least and most, and where it refuses a raise that the rules
            allow (it forgets short all-ins that add up to a full raise), it is a call.

        Raises
        ------
        IllegalAct
            If the answer is not among what the rules offer.
        ValueError
            If no hand is being played, or it is not the player's turn.
        """
        state = self._playing()
        self._catch_up()
        if state.actor_index != self.seat.number:
            turn = "nobody's turn" if state.actor_index is None else f"the turn of player {state.actor_index}"
            raise ValueError(f"it is {turn}, not of player {self.seat.number}")
        act, to = self.seat.act()
        if act != Act.RAISE:
            return Answer(act)
        if not state.can_complete_bet_or_raise_to():
            return Answer(Act.CALL)
        if to is None:
            return Answer(act)
        least = cast(int, state.min_completion_betting_or_raising_to_amount)
        most = cast(int, state.max_completion_betting_or_raising_to_amount)
        return Answer(act, min(max(to, least), most))

    def move(self) -> pokerkit.Operation:
        """Ask the player what to do, and do it in the state.

        Raises
        ------
        ValueError
            As `act` does.
        """
        state = self._playing()
        act, to = self.act()
        if act == Act.FOLD:
            return state.fold()
        return state.check_or_call() if act == Act.CALL else state.complete_bet_or_raise_to(to)

    def end(self) -> None:
        """Tell the player how the hand ended.

        Raises
        ------
        ValueError
            If no hand is being played, or it is not over.
        """
        state = self._playing()
        if state.status:
            raise ValueError("the hand is not over: the state is still active")
        self._catch_up()
        in_showdown = self.seat.hand.state.active if self.seat.hand.state.showdown else ()
        shown = {index: cards for index, cards in self._shown.items() if index in in_showdown}
        self.seat.end([float(payoff) for payoff in state.payoffs], shown)
        self.state = None


def _dealt(state: pokerkit.State, index: int) -> str:
    """Return the two cards of a player, which they may have mucked since."""
    cards = [
        repr(card)
        for operation in state.operations
        if isinstance(operation, pokerkit.HoleDealing) and operation.player_index == index
        for card in operation.cards
    ]
    if len(cards) != 2 or any("?" in card for card in cards):
        raise ValueError(f"player {index} must have two known cards, got {''.join(cards) or 'none'}")
    return "".join(cards)


def play(
    state: pokerkit.State,
    players: Sequence[Player | StateSeat],
    names: Sequence[str] | None = None,
    *,
    hand_id: str = "1",
    seed: int | None = None,
) -> tuple[float, ...]:
    """Play a state to its end with players of this package. Cards that it does not deal itself come from its deck.

    Parameters
    ----------
    state : pokerkit.State
        A state of Texas hold'em, usually a new one.
    players : sequence of Player or StateSeat
        Who plays, in the order of the state. Give the same `StateSeat` again for the next hand.
    names : sequence of str, optional
        Their names. Default: p1, p2 and so on.
    hand_id : str
        Id of the hand.
    seed : int, optional
        Seed of all that the players draw in this hand. The same seed gives the same actions.

    Raises
    ------
    ValueError
        As `StateSeat.begin` does, or if there is not one player for each seat.
    IllegalAct
        If a player answers with what the rules do not offer.
    """
    check_kind("a state of PokerKit's", state, pokerkit.State, "a pokerkit.State")
    if len(players) != state.player_count:
        raise ValueError(f"a state of {state.player_count} players needs as many, got {len(players)}")
    seats = [player if isinstance(player, StateSeat) else StateSeat(player) for player in players]
    game_of(state)
    while state.status and state.actor_index is None:  # deal
        _go_on(state)
    for index, seat in enumerate(seats):
        seat.begin(state, index, names, hand_id=hand_id, seed=seed)
    while state.status:
        if state.actor_index is None:
            _go_on(state)
        else:
            seats[state.actor_index].move()
    for seat in seats:
        seat.end()
    return tuple([float(payoff) for payoff in state.payoffs])


def _go_on(state: pokerkit.State) -> None:
    """Do what a state waits for when it is nobody's turn."""
    for name in _BETWEEN:
        if getattr(state, f"can_{name}")():
            getattr(state, name)()
            return
    raise ValueError("the state is active, but waits for nothing that is known here")


# --------------------------------------------------------------------------------------------------------- hands


def to_history(hand: Hand) -> pokerkit.HandHistory:
    """Return a hand as PokerKit has it.

    Returns
    -------
    pokerkit.HandHistory
        House rules and the source are in its user-defined fields, which `from_history` reads.

    Raises
    ------
    ValueError
        As `pokermodel.histories.phh.dumps` does, or if it is no `Hand`.

    Examples
    --------
    >>> import pokermodel as pm
    >>> history = to_history(pm.example_hand())
    >>> history.variant, history.players[0]
    ('FT', 'Ada')
    >>> from_history(history) == pm.example_hand()
    True
    """
    check_kind("a hand to convert", hand, Hand, "a Hand, as open_hands has them")
    return pokerkit.HandHistory.loads(phh.dumps(hand))


def from_history(history: pokerkit.HandHistory) -> Hand:
    """Return a hand of PokerKit's as ours.

    Raises
    ------
    HistoryError
        If it is not hold'em of fixed limit or no limit, breaks the rules, or is not complete.
    ValueError
        If it is no hand of PokerKit's.
    """
    check_kind("a hand of PokerKit's", history, pokerkit.HandHistory, "a pokerkit.HandHistory, as to_history makes one")
    return phh.loads(history.dumps())


def histories_source(
    histories: Iterable[pokerkit.HandHistory], strict: bool = True, name: str = "pokerkit"
) -> HandSource:
    """Return hands of PokerKit's as a source, as `pokermodel.open_hands` returns those of a file.

    Files of PokerKit (``.phh``, ``.phhs``) are opened by `pokermodel.open_hands` itself.

    Parameters
    ----------
    histories : iterable of pokerkit.HandHistory
        The hands, which are kept.
    strict : bool
        As for `pokermodel.open_hands`.
    name : str
        The name in place of the path in errors.

    Examples
    --------
    >>> import pokermodel as pm
    >>> source = histories_source([to_history(pm.example_hand())])
    >>> [hand.id for hand in source.select("player=Eve")]
    ['1']
    """
    check_kind("what holds hands of PokerKit's", histories, Iterable, "several pokerkit.HandHistory")
    kept = tuple(histories)

    def hands(start: int) -> Iterator[tuple[int, Hand | HistoryError]]:
        for number in range(start, len(kept)):
            try:
                yield number, from_history(kept[number])
            except HistoryError as error:
                yield number, HistoryError(error.reason, name, number + 1, error.hand)

    return source_of(name, "phh", hands, strict)
