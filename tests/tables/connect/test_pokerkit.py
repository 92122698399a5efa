"""PokerKit's states driven by our players, and its hands."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from typing import Any

import pytest

import pokermodel as pm
from pokermodel.errors import HistoryError
from pokermodel.game import Act, BettingStructure
from pokermodel.histories import open_hands, phh
from pokermodel.tables.players import Answer, Player, make_player

pokerkit = pytest.importorskip("pokerkit", reason="PokerKit is not installed")

from pokermodel.tables.connect import pokerkit as kit  # noqa: E402
from tests.core.test_rules_pokerkit import AUTOMATIONS, GAMES, QUICK_GAMES  # noqa: E402

STRUCTURES = [BettingStructure.LIMIT, BettingStructure.POT_LIMIT, BettingStructure.NO_LIMIT]


class Sized(Player):
    """Acts and sizes at random, from the randomness of its seat alone."""

    structures = tuple(BettingStructure)

    def begin(self, start):
        self.rng = start.rng

    def act(self, view):
        act = self.rng.choice([act for act in view.legal for _ in range((1, 5, 3)[act])])
        if act != Act.RAISE or view.spec.structure.fixed:
            return Act(act)
        sizes = [view.least_raise, view.most_raise, min(view.most_raise, 2 * view.least_raise)]
        return Answer(Act.RAISE, int(self.rng.choice(sizes)))


def state_of(structure, stacks, blinds=(5, 10), antes=0, games=QUICK_GAMES, automations=AUTOMATIONS):
    bets = (10, 20) if structure.fixed else (10,)
    return games[structure].create_state(
        *(automations, False, antes, blinds, *bets, stacks, len(stacks)),
        divmod=lambda pot, winners: (Fraction(pot, winners), 0),
    )


def random_state(structure: BettingStructure, rng: random.Random) -> Any:
    random.seed(rng.random())  # PokerKit's deck
    n = rng.randint(2, 6)
    stacks = [rng.randint(1, rng.choice([60, 400])) for _ in range(n)]
    straddled = n > 3 and not structure.fixed and rng.random() < 0.2
    return state_of(structure, stacks, (5, 10, 20) if straddled else (5, 10), rng.choice([0, 0, 3]))


def replayed(state: Any) -> pm.Hand:
    """A state that is over, as a hand of ours."""
    acts: list[pm.Action] = []
    dealt: dict[int, str] = {}
    board = ""
    fixed = state.betting_structure is pokerkit.BettingStructure.FIXED_LIMIT
    for each in state.operations:
        match each:
            case pokerkit.HoleDealing():
                dealt[each.player_index] = dealt.get(each.player_index, "") + "".join(map(repr, each.cards))
            case pokerkit.BoardDealing():
                board += "".join(map(repr, each.cards))
            case pokerkit.Folding():
                acts.append(pm.Action(each.player_index, Act.FOLD))
            case pokerkit.CheckingOrCalling():
                acts.append(pm.Action(each.player_index, Act.CALL))
            case pokerkit.CompletionBettingOrRaisingTo():
                acts.append(pm.Action(each.player_index, Act.RAISE, to=None if fixed else each.amount))
    names = [f"p{number}" for number in range(1, state.player_count + 1)]
    return pm.Hand("kit", "1", kit.game_of(state), names, acts, board, dealt, state.starting_stacks)


def check(structure: BettingStructure, seed: int) -> str:
    """Play a hand between our players in PokerKit; by our rules it pays the same. Returns what happened."""
    rng = random.Random(seed)
    state = random_state(structure, rng)
    players = [Sized() if rng.random() < 0.7 else make_player(rng.choice(["call", "raise"])) for _ in state.stacks]
    paid = kit.play(state, players, seed=seed)
    hand = replayed(state)
    assert paid == pytest.approx(hand.payoffs, abs=1e-9)
    assert paid == pytest.approx([float(payoff) for payoff in state.payoffs])
    return "showdown" if hand.showdown else "no showdown"


@pytest.mark.parametrize("structure", STRUCTURES)
def test_payoffs_are_ours(structure):
    assert {check(structure, seed) for seed in range(100)} == {"showdown", "no showdown"}


@pytest.mark.slow
@pytest.mark.parametrize("structure", STRUCTURES)
def test_payoffs_of_many_hands_are_ours(structure):
    assert {check(structure, seed) for seed in range(1_000, 4_400)} == {"showdown", "no showdown"}


def test_the_same_seed_makes_the_same_acts():
    acts = []
    for seed in (1, 1, 2):
        random.seed(5)
        state = state_of(BettingStructure.NO_LIMIT, [500] * 4)
        kit.play(state, [Sized() for _ in range(4)], seed=seed)
        acts.append(replayed(state).actions)
    assert acts[0] == acts[1] != acts[2]


def test_the_game_is_pokerkits():
    spec = kit.game_of(state_of(BettingStructure.LIMIT, [200, 100]))
    assert (spec.blinds, spec.first) == ((10, 5), (1, 0, 0, 0))
    assert spec.max_raises == (4, 4, 4, 4)
    spec = kit.game_of(state_of(BettingStructure.NO_LIMIT, [200] * 4, (5, 10, 20), 1))
    assert (spec.blinds, spec.antes, spec.first) == ((5, 10, 20, 0), (1, 1, 1, 1), (3, 0, 0, 0))


class Watcher(Player):
    """Calls, and notes what it is told."""

    structures = tuple(BettingStructure)

    def __init__(self):
        self.told = []

    def begin(self, start):
        self.told.append((start.seat, start.players, pm.cards.cards_text(start.holding)))

    def act(self, view):
        assert pm.cards.cards_text(view.holding) == self.told[0][2]
        return Act.CALL

    def observe(self, decision):
        self.told.append(decision.name)

    def end(self, end):
        self.told.append((end.payoffs, pm.cards.cards_text(end.board), dict(end.shown)))


def test_a_seat_in_a_state_that_somebody_else_drives():
    """Its cards are dealt by hand, and the other player acts by hand."""
    automations = tuple(
        each
        for each in AUTOMATIONS
        if each not in (pokerkit.Automation.HOLE_DEALING, pokerkit.Automation.BOARD_DEALING)
    )
    state = state_of(BettingStructure.NO_LIMIT, [300, 300], automations=automations, games=GAMES)
    player = Watcher()
    seat = kit.StateSeat(player)
    with pytest.raises(ValueError, match="player 0 must have two known cards, got none"):
        seat.begin(state, 0)
    with pytest.raises(ValueError, match=r"no hand is being played: call begin\(\) first"):
        seat.act()
    state.deal_hole("AsAd")
    state.deal_hole("????")
    with pytest.raises(ValueError, match="player 1 must have two known cards, got"):
        seat.begin(state, 1)
    with pytest.raises(ValueError, match="there is no player 2, expected 0 to 1"):
        seat.begin(state, 2)
    seat.begin(state, 0, ("Ann", "Bob"))
    with pytest.raises(ValueError, match="it is the turn of player 1, not of player 0"):
        seat.act()
    state.complete_bet_or_raise_to(30)  # Bob, on the button
    assert seat.act() == (Act.CALL, None)
    assert state.actor_index == 0  # nothing was done
    assert seat.move().amount == 20
    state.deal_board("2c7d9h")
    seat.move()
    with pytest.raises(ValueError, match="the hand is not over"):
        seat.end()
    state.complete_bet_or_raise_to(50)
    state.fold()
    seat.end()
    ann = (0, ("Ann", "Bob"), "AsAd")
    assert player.told == [ann, "raise", "call", "check", "bet", "fold", ((-30.0, 30.0), "2c7d9h", {})]


def test_what_is_shown_is_told():
    random.seed(3)
    state = state_of(BettingStructure.LIMIT, [200] * 3, games=GAMES)
    players = [Watcher() for _ in range(3)]
    kit.play(state, players, ("Ann", "Bob", "Cid"))
    payoffs, board, shown = players[0].told[-1]
    assert sum(payoffs) == 0
    assert len(board) == 10
    shows = {
        each.player_index: set(pm.cards.card_indices("".join(map(repr, each.hole_cards))))
        for each in state.operations
        if isinstance(each, pokerkit.HoleCardsShowingOrMucking) and each.hole_cards
    }
    assert {seat: set(cards) for seat, cards in shown.items()} == shows
    assert 0 < len(shows) < 3  # somebody mucks


def test_players_who_learn_keep_their_seats():
    seats = [kit.StateSeat(make_player("som")), kit.StateSeat(make_player("call"))]
    for number in range(3):
        order = seats if number % 2 else seats[::-1]
        state = state_of(BettingStructure.LIMIT, [1000, 1000])
        paid = kit.play(state, order, [f"name {id(seat)}" for seat in order], hand_id=str(number), seed=number)
        assert sum(paid) == 0


def test_a_state_without_automations_is_played_to_its_end():
    state = state_of(BettingStructure.NO_LIMIT, [100, 60, 80], automations=(), games=GAMES)
    paid = kit.play(state, [make_player(name) for name in ("call", "raise", "call")], seed=1)
    assert not state.status
    assert sum(paid) == 0


def test_raises_that_pokerkit_forgets_are_calls(monkeypatch):
    state = state_of(BettingStructure.LIMIT, [200, 200])
    seat = kit.StateSeat(make_player("raise"))
    seat.begin(state, 1)
    monkeypatch.setattr(type(state), "can_complete_bet_or_raise_to", lambda self, to=None: False)
    assert seat.act() == (Act.CALL, None)


@pytest.mark.parametrize(
    ("state", "what"),
    [
        (
            lambda: pokerkit.PotLimitOmahaHoldem.create_state(AUTOMATIONS, True, 0, (5, 10), 10, 100, 2),
            "only states of Texas hold'em",
        ),
        (
            lambda: pokerkit.NoLimitShortDeckHoldem.create_state(AUTOMATIONS, True, 0, (5, 10), 10, 100, 2),
            "only states of Texas hold'em",
        ),
        (
            lambda: pokerkit.NoLimitTexasHoldem.create_state(AUTOMATIONS, True, (1, 2), (5, 10), 10, 100, 2),
            "antes that differ and are trimmed",
        ),
        (
            lambda: pokerkit.NoLimitTexasHoldem.create_state(AUTOMATIONS, True, 0, (0.5, 1), 1, 100, 2),
            "amounts must be whole numbers, got 0.5",
        ),
    ],
)
def test_states_that_are_not_supported(state, what):
    with pytest.raises(ValueError, match=what):
        kit.play(state(), [make_player("call")] * 2)


def test_there_is_a_player_for_each_seat_who_can_play():
    with pytest.raises(ValueError, match="a state of 3 players needs as many, got 1"):
        kit.play(state_of(BettingStructure.LIMIT, [100] * 3), [make_player("call")])
    with pytest.raises(ValueError, match="limit"):
        kit.play(state_of(BettingStructure.NO_LIMIT, [100] * 2), [make_player("loki1"), make_player("call")])


# --- hands -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", [None, "", pm.Hand])
@pytest.mark.parametrize(
    ("convert", "expected"),
    [
        (kit.game_of, "a pokerkit.State"),
        (lambda what: kit.play(what, []), "a pokerkit.State"),
        (kit.to_history, "a Hand, as open_hands has them"),
        (kit.from_history, "a pokerkit.HandHistory, as to_history makes one"),
        (lambda what: list(kit.histories_source([what])), "a pokerkit.HandHistory, as to_history makes one"),
    ],
)
def test_what_is_nothing_to_convert(convert, expected, what):
    with pytest.raises(ValueError, match=f" is {re.escape(repr(what))}: expected {expected}$"):
        convert(what)


def test_no_hands_to_convert():
    with pytest.raises(ValueError, match=r"hands of PokerKit's is None: expected several pokerkit\.HandHistory"):
        kit.histories_source(None)


def test_hands_there_and_back():
    hand = pm.example_hand()
    history = kit.to_history(hand)
    assert isinstance(history, pokerkit.HandHistory)
    assert history.players == list(hand.players)
    *_, end = history
    assert tuple(end.payoffs) == hand.payoffs
    assert kit.from_history(history) == hand


def test_hands_of_states():
    for structure in (BettingStructure.LIMIT, BettingStructure.NO_LIMIT):
        random.seed(7)
        game = GAMES[structure](AUTOMATIONS, True, 0, (5, 10), *((10, 20) if structure.fixed else (10,)))
        state = game([300, 200, 400], 3)
        paid = kit.play(state, [Sized() for _ in range(3)], seed=2)
        hand = kit.from_history(pokerkit.HandHistory.from_game_state(game, state))
        assert hand.payoffs == paid
        assert hand.actions == replayed(state).actions


def test_histories_are_a_source():
    hands = [pm.example_hand()] * 3
    omaha = pokerkit.HandHistory.loads(phh.dumps(hands[0]).replace("'FT'", "'FO/8'"))
    histories = [kit.to_history(hand) for hand in hands]
    source = kit.histories_source([*histories[:2], omaha, histories[2]], strict=False)
    assert (source.format, len(source)) == ("phh", 3)
    assert list(source) == hands
    assert source.share_read == 1.0
    assert source[2] == source[-1] == hands[2]
    assert [error.line for error in source.skipped] == [3]
    assert source.report().skipped == 1
    assert len(list(source.select("street=river"))) == 3
    strict = kit.histories_source([histories[0], omaha], name="mine")
    with pytest.raises(HistoryError, match=r"mine:2: .*variant 'FO/8' is not supported"):
        list(strict)


def test_files_of_pokerkit_are_opened_as_they_are(tmp_path):
    path = tmp_path / "two.phhs"
    with path.open("wb") as file:
        pokerkit.HandHistory.dump_all([kit.to_history(pm.example_hand())] * 2, file)
    assert list(open_hands(path)) == [pm.example_hand()] * 2


def test_ranges_there_and_back():
    theirs = pokerkit.parse_range("22+", "AKs")
    table = pm.WeightTable.from_pokerkit(theirs)
    assert table == pm.WeightTable.from_text("22+, AKs")
    assert table.to_pokerkit() == theirs
