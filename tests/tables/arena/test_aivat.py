"""AIVAT: the luck that is taken out has mean 0, and is most of the luck."""

import math
from itertools import permutations

import numpy as np
import pytest

from pokermodel.cards import card_indices, cards_text, holding_text, live_holdings
from pokermodel.evaluation.equity import equity
from pokermodel.evaluation.ranks import evaluate_many
from pokermodel.game import BOARD_CARDS, Act, GameSpec, LiveHand, State
from pokermodel.tables.arena import Deal, TableHand, deal_cards, play_hand, tournament
from pokermodel.tables.arena.aivat import _expected, _representative, _Side, adjusted_payoffs, board_luck
from pokermodel.tables.players import CommonKnowledge, make_player
from pokermodel.tables.players.strategies import SharesStrategy
from pokermodel.tables.players.typical import FrozenSession

LIMIT = GameSpec.heads_up(1, 2)
NO_LIMIT = GameSpec.no_limit(2, 1, 2, stacks=(100, 100))
NAMES = ("Ann", "Bo")


def games(first, second, spec=LIMIT, number=24, seed=1):
    """Games, and what both strategies are, where they are known."""
    players = make_player(first), make_player(second)
    known = {
        seat: player.strategy(name, spec)
        for seat, (player, name) in enumerate(zip(players, NAMES, strict=True))
        if player.strategy_is_exact
    }
    for game in range(number):
        deal = deal_cards(2, np.random.default_rng([seed, game]))
        yield play_hand(spec, NAMES, players, deal, entropy=seed, streams=[(game, 0), (game, 1)]), known


@pytest.mark.parametrize(
    ("first", "second", "spec"),
    [
        ("call", "call", LIMIT),
        ("raise", "raise", LIMIT),
        ("raise", "call", LIMIT),
        ("random", "call", LIMIT),
        ("random", "random", LIMIT),
        ("typical", "call", LIMIT),
        ("typical", "random?fold=0", LIMIT),
        ("random", "random", NO_LIMIT),
        ("typical", "call", NO_LIMIT),
        ("typical", "random", NO_LIMIT),
    ],
)
@pytest.mark.parametrize("known", [(), (0,), (1,), (0, 1)])
def test_the_mean_stays(first, second, spec, known):
    """What is taken out is 0 on average, whoever's strategy is known."""
    taken = []
    for hand, strategies in games(first, second, spec):
        some = {seat: strategies[seat] for seat in known}
        worth = adjusted_payoffs(hand, some)
        assert worth[0] == -worth[1]
        taken.append(hand.payoffs[0] - worth[0])
    error = np.std(taken, ddof=1) / math.sqrt(len(taken))
    assert abs(np.mean(taken)) <= 4.5 * error + 1e-9


def test_games_of_equals_are_worth_nothing_and_vary_little():
    """Two who call everything play for the cards alone: nearly all of it is luck that is known."""
    plain, left = [], []
    for hand, strategies in games("call", "call", number=60):
        plain.append(hand.payoffs[0])
        left.append(adjusted_payoffs(hand, strategies)[0])
    assert np.var(left) < 0.2 * np.var(plain)


@pytest.mark.parametrize("spec", [LIMIT, NO_LIMIT])
def test_who_says_what_they_do_as_they_learn_is_known(spec):
    """Before each act, with all that they have learnt by then."""
    players, common = (make_player("myopic"), make_player("random")), CommonKnowledge()
    known = {1: players[1].strategy("Bo", spec)}
    plain, taken = [], []
    for game in range(30):
        deal, expectations = deal_cards(2, np.random.default_rng([4, game])), []
        streams = [(game, 0), (game, 1)]
        hand = play_hand(
            spec, NAMES, players, deal, hand_id=str(game), common=common, streams=streams, expectations=expectations
        )
        assert len(expectations) == len(hand.decisions)
        worth = adjusted_payoffs(hand, known, expectations)[0]
        plain.append(hand.payoffs[0])
        taken.append(hand.payoffs[0] - worth)
        if any(expectations):
            assert adjusted_payoffs(hand, {}, expectations)[0] != adjusted_payoffs(hand, {})[0]
    error = np.std(taken, ddof=1) / math.sqrt(len(taken))
    assert abs(np.mean(taken)) <= 4.5 * error
    assert np.var(np.array(plain) - taken) < np.var(plain)


def test_a_tournament_by_aivat_has_an_eighth_of_the_variance():
    """Of duplicate deals, whose mean it keeps."""
    plain = tournament("typical,call", 60, seed=5)
    known = tournament("typical,call", 60, seed=5, variance="aivat")
    assert known.variance == "aivat"
    assert known.to_dict()["variance"] == "aivat"
    assert np.array_equal(known.acts, plain.acts)  # the same games
    assert np.allclose(known.payoffs.sum(axis=1), 0)
    assert np.var(known.samples("typical")) < np.var(plain.samples("typical")) / 8
    difference = plain.samples("typical") - known.samples("typical")
    assert abs(difference.mean()) < 4.5 * difference.std(ddof=1) / math.sqrt(len(difference))


def test_the_result_does_not_depend_on_the_number_of_processes(tmp_path):
    one = tournament("random,call", 6, seed=3, block=3, variance="aivat")
    kept = tmp_path / "kept"
    two = tournament("random,call", 6, seed=3, block=3, jobs=2, variance="aivat", resume=kept)
    assert np.array_equal(one.payoffs, two.payoffs)
    with pytest.raises(ValueError, match="another tournament"):
        tournament("random,call", 6, seed=3, block=3, resume=kept)


def side(known, board=None, holdings=None):
    """The first player's side of a game, whose strategy may be known."""
    hand, _ = next(games("call", "call"))
    deal = Deal(hand.deal.holdings if holdings is None else holdings, hand.deal.board if board is None else board)
    return _Side(hand._replace(deal=deal), 0, (), known)


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("round_", [2, 3])
def test_the_luck_of_a_card_is_0_over_all_that_can_come(known, round_):
    """Counted out, each card as often as the holdings that the player might have leave it in the deck."""
    usual = side(known)
    before = usual.hand.deal.board[: BOARD_CARDS[round_ - 1]]
    luck, chances = [], []
    for card in sorted(set(range(52)) - {*before, *usual.hand.deal.holdings[1]}):
        rest = [other for other in range(52) if other not in (*before, card)]
        each = side(known, (*before, card, *rest)[:5])
        each.reach = each.reach * live_holdings(before)
        left = each.reach @ live_holdings((*before, card))
        if left > 0:
            chances.append(left)
            luck.append(each.dealt(State(LIMIT), round_))
    assert len(luck) == 52 - len(before) - (2 if known else 4)
    assert max(luck) > 0
    assert np.dot(luck, chances) / sum(chances) == pytest.approx(0.0, abs=1e-9)


def test_the_luck_of_two_holdings_is_that_of_who_has_which():
    first, second = (tuple(card_indices(text)) for text in ("AsKd", "Ah7c"))
    luck = [
        each.mean(each.value(State(LIMIT), 0))
        for each in (side(False, None, pair) for pair in permutations((first, second)))
    ]
    assert luck[0] > 0
    assert sum(luck) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("spec", [LIMIT, NO_LIMIT])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_luck_of_an_act_is_0_over_all_that_a_strategy_may_do(spec, seat):
    """By either side: of the player's own act over all holdings that they might have, of the other's with theirs."""
    (hand, strategies), *_ = games("typical", "typical", spec)
    decision = hand.decisions[0]
    session = FrozenSession(strategies[decision.seat])
    session.start(hand.players)
    expected = session.reader.expected(session.spot(decision))
    luck, chances = [], []
    for number, choice in enumerate(expected.actions):
        if not (expected.strategy[:, number] > 0).any():
            continue
        found = _Side(hand, seat, (), known=True)
        state, opponent = State(spec), found.opponent
        to = _representative(state, choice)
        put_in = decision.situation.to_call if to is None else to - decision.situation.in_round
        made = decision._replace(act=choice.act, put_in=put_in)
        share = (
            found.mean(expected.strategy[:, number]) if seat == decision.seat else expected.strategy[opponent, number]
        )
        chances.append(share)
        luck.append(found.acted(state, made, expected) if share > 0 else 0.0)
    assert sum(chances) == pytest.approx(1.0)
    assert max(luck) > 0.05
    assert np.dot(luck, chances) == pytest.approx(0.0, abs=1e-6)


def test_either_side_is_corrected_by_acts_of_both():
    """To correct acts of both players leaves less variance than to correct those of one."""
    both, own = [], []
    for hand, strategies in games("typical", "typical", number=60):
        expected = _expected(hand, strategies)
        sides = []
        for seat in (0, 1):
            mine = [each if made.seat == seat else None for each, made in zip(expected, hand.decisions, strict=True)]
            sides.append((1 - 2 * seat) * _Side(hand, seat, mine, known=True).adjusted())
        own.append(np.mean(sides))
        both.append(adjusted_payoffs(hand, strategies)[0])
    assert np.var(both) < 0.8 * np.var(own)


@pytest.mark.parametrize("round_", range(4))
def test_what_holdings_win_is_their_equity(round_):
    usual = side(True)
    board, theirs = usual.hand.deal.board[: BOARD_CARDS[round_]], usual.hand.deal.holdings[1]
    for holding in np.flatnonzero(live_holdings((*board, *theirs)))[::250]:
        expected = 2 * equity([holding_text(int(holding)), cards_text(theirs)], board).equity[0] - 1
        assert usual.wins(round_)[holding] == pytest.approx(expected, abs=1e-6)


def test_strategies_that_are_not_the_players_are_found_out():
    hand, _ = next(games("call", "call"))
    with pytest.raises(ValueError, match="never does with their cards"):
        adjusted_payoffs(hand, {0: SharesStrategy(0, 0, 1)})


@pytest.mark.parametrize("board", ["2c7d9sQsJh", "KhKs2d3d4c", "3h4h5h6h7h"])
def test_of_an_all_in_between_two_the_board_is_all_the_luck_there_is(board):
    """Whatever comes: what is left is what the holdings win of the pot on average."""
    deal = Deal((tuple(card_indices("AsAh")), tuple(card_indices("KdKc"))), tuple(card_indices(board)))
    live = LiveHand(NO_LIMIT, NAMES)
    live.deal(deal.board)
    live.act(Act.RAISE, 100)
    live.act(Act.CALL)
    ranks = evaluate_many([[*holding, *deal.board] for holding in deal.holdings])
    hand = TableHand("", "1", NO_LIMIT, NAMES, deal, tuple(live.decisions), live.state.payoffs(ranks.tolist()))
    luck = _Side(hand, 0, (None, None), known=False)
    of_holdings = luck.mean(luck.value(State(NO_LIMIT), 0))
    share = equity(["AsAh", "KdKc"]).equity[0]
    assert luck.adjusted() + of_holdings == pytest.approx(100 * (2 * share - 1), abs=1e-3)


RING = {
    "limit": GameSpec.ring(3, 1, 2),
    "no limit": GameSpec.no_limit(3, 1, 2, stacks=(40,) * 3),
}


@pytest.mark.parametrize("game", sorted(RING))
@pytest.mark.parametrize("players", ["call*3", "random*3", "typical,random,call"])
def test_the_mean_stays_among_three(players, game):
    plain, known = (tournament(players, 40, seed=2, spec=RING[game], variance=each) for each in ("duplicate", "aivat"))
    assert np.array_equal(known.acts, plain.acts)
    assert np.allclose(known.payoffs.sum(axis=1), 0)
    taken = (plain.payoffs - known.payoffs) / plain.games_per_deal
    error = taken.std(axis=0, ddof=1) / math.sqrt(len(taken))
    assert taken.any()
    assert (np.abs(taken.mean(axis=0)) <= 4.5 * error).all()


def three(board, acts, spec=RING["limit"]):
    """A game of three whose board begins so; what is not said of it is any card that is left."""
    holdings = tuple(tuple(card_indices(text)) for text in ("AsKd", "Ah7c", "QhTh"))
    rest = [card for card in range(52) if card not in (*board, *sum(holdings, ()))]
    live = LiveHand(spec, ("Ann", "Bo", "Cy"))
    live.deal((*board, *rest)[:5])
    for act, to in acts:
        live.act(act, to)
    deal = Deal(holdings, (*board, *rest)[:5])
    return TableHand("", "1", spec, ("Ann", "Bo", "Cy"), deal, tuple(live.decisions), (0.0, 0.0, 0.0))


@pytest.mark.parametrize(("known", "street"), [("2c7d9s", 2), ("2c7d9sQs", 3)])
def test_the_luck_of_a_card_among_three_is_0_over_all_that_can_come(known, street):
    """Of two who are left on the flop, with a third whose cards do not come, either."""
    acts = [Act.CALL] * 3 + [Act.RAISE, Act.FOLD, Act.CALL] + [Act.CALL] * 2
    before, lines = card_indices(known), [(act, None) for act in acts[: 6 + 2 * (street - 2)]]
    held = {card for holding in three(before, []).deal.holdings for card in holding}
    earlier = board_luck(three(before, lines))
    luck = [
        board_luck(three((*before, card), [*lines, (Act.CALL, None)])) - earlier
        for card in sorted(set(range(52)) - {*before, *held})
    ]
    assert np.ptp(luck, axis=0).max() > 1
    assert np.mean(luck, axis=0) == pytest.approx(np.zeros(3), abs=1e-9)


def test_of_an_all_in_the_board_is_all_the_luck_there_is():
    """What is left is what the holdings win of the pot on average."""
    spec, board = RING["no limit"], card_indices("2c7d9sQsJh")
    hand = three(board, [(Act.RAISE, 40), (Act.CALL, None), (Act.CALL, None)], spec)
    ranks = evaluate_many([[*holding, *board] for holding in hand.deal.holdings])
    won = np.where(ranks == ranks.max(), 120 / (ranks == ranks.max()).sum(), 0) - 40
    shares = equity([cards_text(holding) for holding in hand.deal.holdings], "").equity
    assert won - board_luck(hand) == pytest.approx(120 * np.array(shares) - 40, abs=12)


def test_a_broken_off_game_is_refused():
    with pytest.raises(ValueError, match="finished games"):
        adjusted_payoffs(three((), [])._replace(payoffs=()), {})
    with pytest.raises(ValueError, match="variance"):
        tournament("call*2", 2, seed=1, variance="less")
