"""The player that solves: what it plays by, and what it does where it has nothing to play by."""

import numpy as np
import pytest

from pokermodel.cards import card_indices, holding_index
from pokermodel.game import Act, Action, GameSpec, Hand
from pokermodel.reading.reader import Spot
from pokermodel.solving import Lock
from pokermodel.solving.tree import CARDS_OF
from pokermodel.tables.arena import tournament
from pokermodel.tables.blueprint import Blueprint, BlueprintGame, resolve
from pokermodel.tables.blueprint.blueprint import blueprint_path
from pokermodel.tables.blueprint.resolving import blueprint_subgame
from pokermodel.tables.players import Seat, make_player
from pokermodel.tables.players.myopic import MyopicPlayer
from pokermodel.tables.players.ring import RingPlayer
from pokermodel.tables.players.solver import SolverPlayer
from pokermodel.tables.players.typical import FrozenSession
from tests.common.blueprints import known_blueprint

SPEC = GameSpec.heads_up(5, 10)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("blueprint") / "tiny.npz"
    known_blueprint().save(path)
    return path


@pytest.fixture(scope="module")
def no_limit_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("blueprint") / "no-limit.npz"
    known_blueprint(20).save(path)
    return path


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERMODEL_CACHE", str(tmp_path / "cache"))


def _play(player, acts, board, holding="AsKs", number=0, seed=1, spec=SPEC, stacks=None):
    """Its answer after some acts."""
    seat = Seat(player)
    seat.begin(spec, ("Ann", "Bo"), number, holding, seed=seed, stacks=stacks)
    for act in acts:
        cards = (0, 3, 4, 5)[seat.hand.state.round]
        if cards:
            seat.deal(board[: 2 * cards])
        seat.observe(act)
    cards = (0, 3, 4, 5)[seat.hand.state.round]
    if cards:
        seat.deal(board[: 2 * cards])
    return seat.act().act


def test_it_draws_its_acts_from_the_blueprint(file):
    blueprint = Blueprint.load(file)
    player = SolverPlayer(file, solve="never")
    drawn = [_play(player, [Act.CALL, Act.CALL, Act.CALL], "Qs7h2h", "Jh8h", seed=seed) for seed in range(300)]
    wanted = blueprint.strategy([Act.CALL] * 3, "Qs7h2h")[holding_index("Jh8h")]
    assert wanted.max() < 0.98  # else nothing is drawn
    acts = [act for act, _ in blueprint.tree.acts(blueprint.tree.find([Act.CALL] * 3))]
    for act, share in zip(acts, wanted, strict=True):
        assert drawn.count(act) / 300 == pytest.approx(share, abs=4 * np.sqrt(0.25 / 300))


def test_it_plays_what_it_solved_to_the_end_of_the_hand(file):
    player = SolverPlayer(file, solve="turn", iterations=2)
    board = "Qs7h2h9c3d"
    _play(player, [Act.CALL] * 4, board, number=1)
    first = player._resolved
    assert first is not None
    assert first.player == 0
    assert first.solution.subgame.cards == card_indices(board[:8])
    seat = Seat(player)
    seat.begin(SPEC, ("Ann", "Bo"), 0, "AsKs", seed=1)
    for act in [Act.CALL] * 4:
        cards = (0, 3, 4, 5)[seat.hand.state.round]
        if cards:
            seat.deal(board[: 2 * cards])
        seat.observe(act)
    seat.deal(board[:8])
    seat.observe(Act.CALL)  # Bo, out of position
    seat.act()
    kept = player._resolved
    assert kept is not first
    assert kept.player == 1
    seat.observe(Act.CALL)
    seat.deal(board)
    seat.observe(Act.CALL)
    seat.act()
    assert player._resolved is kept


def test_seats_are_told_apart_by_the_button(file):
    """The ACPC lists the big blind first."""
    spec = GameSpec.heads_up(5, 10, button=1)
    one = [_play(SolverPlayer(file, "river"), [Act.CALL] * 6, "Qs7h2h9c3d", number=1, seed=s) for s in range(8)]
    other = [
        _play(SolverPlayer(file, "river"), [Act.CALL] * 6, "Qs7h2h9c3d", number=0, seed=s, spec=spec) for s in range(8)
    ]
    assert one == other


def test_it_finds_the_blueprint_in_the_cache(file):
    player = SolverPlayer(solve="never")
    assert player.blueprint(SPEC) is None
    Blueprint.load(file).save(blueprint_path(BlueprintGame.limit()))
    found = player.blueprint(SPEC)
    assert found is not None
    assert found.about == Blueprint.load(file).about


@pytest.mark.parametrize(
    ("spec", "stacks"),
    [(SPEC, None), (GameSpec.no_limit(2, 5, 10, stacks=(1000, 1000)), None), (GameSpec.heads_up(1, 3), None)],
)
def test_without_a_blueprint_it_plays_as_myopic_does(spec, stacks):
    for seed in range(3):
        acts = [_play(player, [], "", "9s9h", seed=seed, spec=spec) for player in (SolverPlayer(), MyopicPlayer())]
        assert acts[0] == acts[1]


def test_with_short_stacks_it_plays_as_myopic_does(file):
    player = SolverPlayer(file)
    _play(player, [], "", "9s9h", stacks=(60, 60))
    assert player._myopic is not None
    player = SolverPlayer(file)
    _play(player, [], "", "9s9h", stacks=(240, 1000))
    assert player._myopic is None


@pytest.mark.parametrize(("first", "hands", "iterations"), [("turn", 1, 4), ("river", 12, 60)])
def test_with_locks_it_answers_what_the_reader_knows(file, first, hands, iterations):
    player = SolverPlayer(file, first, iterations, locks="adaptive", risk=1e6)
    seat = Seat(player)
    board = "Qs7h2h9c3d"
    rows = []
    for hand in range(hands):
        seat.begin(SPEC, ("Ann", "Bo"), 1, "5c4c", seed=hand, hand_id=str(hand))
        while not seat.hand.state.over:
            cards = (0, 3, 4, 5)[seat.hand.state.round]
            if cards:
                seat.deal(board[: 2 * cards])
            mine = seat.hand.state.seat == 1
            if mine and cards:
                seat.act()
            seat.observe(Act.CALL)
        solution = player._resolved.solution
        rows.append(solution.strategy("r:0")[~np.isin(CARDS_OF, card_indices(board)).any(axis=1)])
        confidences = [lock.confidence for lock in solution.subgame.locks]
        assert all(solution.player(lock.node.replace("*", "3d")) == 1 for lock in solution.subgame.locks)
        seat.end(shown={0: "KdJd", 1: "5c4c"}, board=board)
    assert solution.subgame.pot == 20
    assert solution.subgame.big_bet == 20
    if hands > 1:  # who has seen somebody who never folds does not play as on the first hand
        assert max(confidences) > 0.3
        assert np.abs(rows[-1] - rows[0]).mean() > 0.02


def _hand(seat, hand, holding, board, shown):
    """What the player does in a hand in which the other one calls everything."""
    seat.begin(SPEC, ("Ann", "Bo"), 1, holding, seed=hand, hand_id=str(hand))
    made = []
    while not seat.hand.state.over:
        cards = (0, 3, 4, 5)[seat.hand.state.round]
        if cards:
            seat.deal(board[: 2 * cards])
        if seat.hand.state.seat == 1:
            made.append((seat.hand.state.round, seat.act().act))
            seat.observe(made[-1][1])
        else:
            seat.observe(Act.CALL)
    seat.end(shown=shown, board=board)
    return made


PURSE_HANDS = [(hand, ("5c4c", "AsKs", "QhJd")[hand % 3]) for hand in range(18)]


def _made(player, number, holding):
    """What it does in a hand that it loses, as far as somebody is seen."""
    return _hand(Seat(player), number, holding, "Qs7h2h9c3d", {0: "QdQc", 1: holding})


@pytest.fixture(scope="module")
def plainly(file):
    """What those do in each hand who play with locks at any price, and without any."""
    others = RingPlayer(solve="never"), SolverPlayer(file, "river", 20)
    return [[_made(each, *hand) for each in others] for hand in PURSE_HANDS]


@pytest.mark.parametrize(("risk", "streets"), [(None, 4), (1e6, 3)])
def test_it_answers_the_person_as_long_as_the_purse_has_something(file, plainly, risk, streets):
    """By play-outs on all streets; with a risk on those before it solves."""
    bold = SolverPlayer(file, "river", 20, locks="adaptive", purse=3.0, risk=risk)
    purses, alike, as_plain = [], [], []
    for hand, others in zip(PURSE_HANDS, plainly, strict=True):
        was_bold = bool(bold.purse_of("Ann"))
        made = [_made(bold, *hand), *others]
        known = streets if was_bold or risk is None else 3
        before = [[each for each in acts if each[0] < known] for acts in made]
        (alike if was_bold else as_plain).append(before[0] == before[1 if was_bold else 2])
        purses.append(bold.purse_of("Ann").left)
    assert all(alike)
    assert alike  # it was bold, and lost
    assert as_plain
    assert all(as_plain)
    gone = next(k for k, left in enumerate(purses) if left <= 0)
    assert len(set(purses[gone:])) == 1  # what it plays without locks is not counted
    assert min(purses) > -3.0 - 24.0


def test_with_a_risk_locks_stay_when_the_purse_is_empty(file):
    board = "Qs7h2h9c3d"
    shown = {0: "QdQc", 1: "5c4c"}
    for risk, locked in ((5.0, True), (None, False)):
        player = SolverPlayer(file, "river", 20, locks="adaptive", risk=risk)
        player.purse_of("Ann").left = 0.0
        asked = []
        inner = player._believed
        player._believed = lambda *given, inner=inner, asked=asked: asked.append(given) or inner(*given)
        _hand(Seat(player), 0, "5c4c", board, shown)
        assert bool(asked) == locked


def test_a_risk_is_kept(file):
    blueprint = Blueprint.load(file)
    node = blueprint.tree.find([Act.CALL] * 6)
    board = "Qs7h2h9c3d"
    subgame = blueprint_subgame(blueprint, node, board)
    folds = Lock("r:0:b4", {"fold": 0.95, "call": 0.05, "b8": 0.0}, 0.9)
    options = {"iterations": 200, "sure": 1.0}
    free = resolve(blueprint, node, board, 0, **options)
    bold = resolve(blueprint, node, board, 0, subgame=subgame.with_locks([folds]), **options)
    kept = resolve(blueprint, node, board, 0, subgame=subgame.with_locks([folds]), risk=2.0, **options)
    best = [each.solution.best_response(1).value for each in (free, kept, bold)]
    assert best[0] <= best[1] <= best[0] + 0.02 * subgame.pot
    assert best[2] > best[0] + 0.02 * subgame.pot


@pytest.mark.parametrize("solve", ["never", "river"])
def test_it_can_be_asked_what_it_does_with_each_holding(file, solve):
    player = SolverPlayer(file, solve, iterations=20)
    reader = player.strategy("Ann", SPEC)
    assert player.strategy_is_exact
    board = "Qs7h2h9c3d"
    hand = Hand("", "1", SPEC, ("Ann", "Bo"), [Action(k, Act.CALL) for k in (0, 1, 1, 0, 1, 0, 1, 0)], board)
    decisions = list(hand.replay())
    for index in 0, 2, 6, 7:
        triples = reader.expect(Spot.of(decisions[: index + 1])).triples
        assert np.nansum(triples, axis=1)[holding_index("AsKs")] == pytest.approx(1.0)
        assert np.isnan(triples[holding_index("QsJd"), 0]) == (index > 0)
        blueprint = Blueprint.load(file)
        node = blueprint.tree.find([Act.CALL] * index)
        if solve == "never":
            row = blueprint.strategy(node, hand.board[: (0, 3, 4, 5)[decisions[index].round]])
            assert triples[:, 1:] == pytest.approx(row[:, -2:], nan_ok=True)
    assert SolverPlayer(file, locks="adaptive").strategy("Ann", SPEC) is None
    assert SolverPlayer().strategy("Ann", SPEC) is None


def test_whoever_asks_it_pays_for_no_solution_of_the_other_seat(file, monkeypatch):
    """A walk and AIVAT observe the acts of both."""
    solved = []
    inner = SolverPlayer.solved

    def noted(self, blueprint, node, board, view=None):
        solved.append(int(blueprint.tree.player[node]))
        return inner(self, blueprint, node, board, view)

    monkeypatch.setattr(SolverPlayer, "solved", noted)
    session = FrozenSession(SolverPlayer(file, "river", iterations=4).strategy("Ann", SPEC))
    hand = Hand("", "1", SPEC, ("Ann", "Bo"), [Action(k, Act.CALL) for k in (0, 1, 1, 0, 1, 0, 1, 0)], "Qs7h2h9c3d")
    session.start(hand.players)
    for decision in hand.replay():
        session.observe(decision)
    assert solved == [0]
    others = np.asarray(session.table("Bo").values)
    assert set(others[others > 0]) == {others.max()}


def test_who_plays_and_who_asks_need_one_solution(file, monkeypatch):
    """A tournament by AIVAT asks for what was played."""
    solved = []

    def noted(blueprint, node, board, player, **options):
        solved.append((node, board, player))
        return resolve(blueprint, node, board, player, **options)

    monkeypatch.setattr("pokermodel.tables.players.solver.resolve", noted)
    tournament([f"solver?blueprint={file}&solve=river&iterations=4", "call"], 6, seed=3, variance="aivat")
    assert len(solved) == len(set(solved)) > 3


def test_without_a_blueprint_its_luck_is_that_of_the_cards():
    """It plays as another player then, who cannot be asked; its games can be counted even so."""
    spec = GameSpec.no_limit(2, 1, 2, stacks=(40, 40))
    found = tournament("solver,call", 3, seed=1, spec=spec, variance="aivat")
    assert np.allclose(found.payoffs.sum(axis=1), 0)


def test_matches_do_not_depend_on_workers(file):
    players = [f"solver?blueprint={file}&solve=river", "call"]
    one = tournament(players, deals=4, seed=3, jobs=1)
    two = tournament(players, deals=4, seed=3, jobs=2)
    assert one.to_dict() == two.to_dict()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("solver?blueprint=nowhere.npz", "nowhere.npz: there is no such blueprint"),
        ("solver?solve=flop", "expected one of turn, river, never"),
        ("solver?sure=2", "sure must be 0 to 1"),
        ("solver?seconds=0", "seconds must be above 0"),
        ("solver?locks=som", "expected one of adaptive"),
        ("solver?locks=adaptive&risk=0", "risk must be above 0"),
        ("solver?locks=adaptive&purse=0", "purse must be above 0 small bets"),
    ],
)
def test_bad_options_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        make_player(text)


# ------------------------------------------------------------------------------------------------- no limit

DEEP = GameSpec.no_limit(2, 50, 100, stacks=(2000, 2000))


def test_in_no_limit_it_draws_acts_and_sizes_from_the_blueprint(no_limit_file):
    player = SolverPlayer(no_limit_file)
    blueprint = Blueprint.load(no_limit_file)
    row = blueprint.strategy()[holding_index("9s9h")]
    assert row.max() < 0.98  # else nothing is drawn
    drawn = []
    for seed in range(200):
        seat = Seat(player)
        seat.begin(DEEP, ("Ann", "Bo"), 0, "9s9h", seed=seed)
        answer = seat.act()
        drawn.append((answer.act, answer.to))
    for (act, put), share in zip(blueprint.tree.acts(0), row, strict=True):
        to = put if act == Act.RAISE else None
        assert drawn.count((act, to)) / 200 == pytest.approx(share, abs=4 * np.sqrt(0.25 / 200))


def test_in_no_limit_it_takes_the_blueprint_with_the_nearest_stacks(no_limit_file, tmp_path):
    player = SolverPlayer()
    assert player.blueprint(DEEP) is None
    folder = tmp_path / "cache" / "blueprints"
    folder.mkdir(parents=True)
    (folder / "no-limit-20bb.npz").write_bytes(no_limit_file.read_bytes())
    assert player.blueprint(DEEP) is not None
    assert player.blueprint(DEEP, 1000) is not None
    assert player.blueprint(DEEP, 4100) is None  # too deep for it
    assert player.blueprint(SPEC) is None


def test_in_no_limit_it_follows_what_stacks_there_are(no_limit_file):
    """Without stacks of the game, or with others, those of the hand count."""
    player = SolverPlayer(no_limit_file)
    spec = GameSpec.no_limit(2, 50, 100)
    _play(player, [], "", spec=spec, stacks=(24000, 18000))
    assert player._table is None
    _play(player, [], "", spec=spec, stacks=(2400, 1800))
    assert player._table is not None


@pytest.mark.parametrize("solve", ["river", "never"])
def test_in_no_limit_its_luck_can_be_taken_out(no_limit_file, solve):
    """AIVAT raises an error where an act is one that the strategy never chooses."""
    for opponent in "random?fold=0.2", "shove":
        players = [f"solver?blueprint={no_limit_file}&solve={solve}&iterations=5", opponent]
        found = tournament(players, 6, seed=3, spec=DEEP, variance="aivat")
        plain = tournament(players, 6, seed=3, spec=DEEP)
        assert np.isfinite(found.samples(players[0])).all()
        assert found.samples(players[0]).sum() != pytest.approx(plain.samples(players[0]).sum())


def test_a_match_of_no_limit_is_the_same_with_any_number_of_workers(no_limit_file):
    players = [f"solver?blueprint={no_limit_file}&solve=river&iterations=5", "random?fold=0.2"]
    one = tournament(players, 6, seed=4, spec=DEEP, jobs=1)
    two = tournament(players, 6, seed=4, spec=DEEP, jobs=2)
    assert (one.samples(players[0]) == two.samples(players[0])).all()


def test_limits_of_a_table_bound_it_unless_an_option_does(file):
    player = SolverPlayer(file, iterations=20)
    player.keep_within(0.5)
    assert (player.seconds, player.strategy_is_exact) == (0.5, False)
    own = SolverPlayer(file, seconds=2.0)
    own.keep_within(0.5)
    assert own.seconds == 2.0
    assert make_player("call").keep_within(0.5) is None


def test_without_time_it_draws_its_acts_from_the_blueprint(file):
    """The clock starts before anything else is done: what finds the ranges counts, too."""
    played = {}
    for seconds in 1e-9, None:
        player = SolverPlayer(file, "river" if seconds else "never", seconds=seconds)
        played[seconds] = [
            _play(player, [Act.CALL] * 6, "Qs7h2h9c3d", ["AsKs", "5c4c", "9d9s", "QdJd"][k % 4], 1, seed=k)
            for k in range(12)
        ]
    assert played[1e-9] == played[None]


def test_locks_are_for_limit(no_limit_file):
    with pytest.raises(ValueError, match="locks are for limit"):
        _play(SolverPlayer(no_limit_file, locks="adaptive"), [], "", spec=DEEP)
