"""What a solution says is true: against pairs of holdings, closed forms, and the three spots of the benchmarks."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from pokermodel import simd
from pokermodel._support.saved import read_saved, saved_bytes
from pokermodel.cards import holding_index
from pokermodel.solving import Lock, Solution, Subgame, solve
from tests.common.solving import IP, OOP, Pairs


def river(**more):
    sizes = {"bets": ["50%", "100%", "all-in"], "raises": ["60%", "all-in"], **more}
    return Subgame("QsJh2h8c3d", 200, 900, (OOP, IP), **sizes)


def turn(**more):
    last = {"river": {"bets": ["50%", "100%", "all-in"], "raises": ["60%", "all-in"]}}
    return Subgame("QsJh2h8c", 110, 950, (OOP, IP), streets=last, **more)


THIRTY = (
    "AcQc,AdQd,KsQh,QdTd,JdJc,Js9s,8d8h,8s7s,2d2c,AhTh,9h7h,7h6h,5h4h,AsKs,AdKd,KcTc,KdTh,Tc9c,Td9d,9s8s,7d6d,6c5c,5s4s,"
    "4c3c,AcJc,QhTc,KhJd,AsJs,Ah5h,Kh3h"
)
THIRTY_MORE = (
    "AhQh,AsQd,KdQd,QcTc,JsTs,JdTd,Jc9c,8h7h,Th9h,AsAd,KcKh,TdTs,9c9d,7c7s,6h6d,AhKh,AdKs,KhTs,Ac5c,Ad4d,As3s,Kc9c,Ks8s,"
    "Qh9h,Js8s,Tc8d,9d8c,7s6s,5d4d,6h5h"
)


@pytest.mark.parametrize(
    ("structure", "board", "rake", "bits"),
    [
        ("no limit", "QsJh2h8c", 0.05, 32),
        ("no limit", "QsJh2h8c3d", 0.0, 16),
        ("limit", "QsJh2h8c", 0.0, 16),
        ("pot limit", "QsJh2h8c3d", 0.05, 32),
    ],
)
def test_pair_by_pair(structure, board, rake, bits):
    """Values and best responses, of strategies that are far from an equilibrium."""
    more = {"small_bet": 10, "big_bet": 20, "cap": 2} if structure == "limit" else {"bets": ["75%"], "raises": ["100%"]}
    game = Subgame(board, 60, (150, 130), (THIRTY, THIRTY_MORE), structure=structure, rake=rake, rake_cap=5.0, **more)
    solution = solve(game, target=1e-9, iterations=7, bits=bits, jobs=1)
    pairs = Pairs(solution)
    for player in range(2):
        assert solution.value(player) == pytest.approx(pairs.value(player), abs=1e-4 * game.pot)
        assert solution.best_response(player).value == pytest.approx(
            pairs.value(player, best=True), abs=1e-4 * game.pot
        )
    gap = sum(solution.best_response(p).value - solution.value(p) for p in range(2)) / 2
    assert solution.exploitability == pytest.approx(100 * gap / game.pot, abs=1e-3)


@pytest.mark.parametrize("node", ["r:0", "r:0:c:b45", "r:0:c:c:9d", "r:0:b45:c:Ah:c"])
def test_a_node_pair_by_pair(node):
    """What a node is worth with each holding, and by how much the best answer from there on would do better."""
    game = Subgame("QsJh2h8c", 60, (150, 130), (THIRTY, THIRTY_MORE), bets=["75%"], raises=["100%"])
    solution = solve(game, target=1e-9, iterations=7, jobs=1)
    pairs = Pairs(solution)
    place = solution.tree.place(node)
    for player in range(2):
        found = solution.ev(node, player)
        reach = solution.reach(node, 1 - player)[pairs.holdings[1 - player]]
        apart = pairs.apart if player == 0 else pairs.apart.T
        alive = pairs._alive(player, place.cards)
        masses = (apart @ (reach * pairs._alive(1 - player, place.cards))) * alive
        some = masses > 1e-6
        plays, best = (
            pairs._walk(node, place.node, place.cards, player, reach, mode, Fraction(1)) for mode in (False, True)
        )
        put = float(solution.tree.put[place.node, player]) * game.unit
        held = pairs.holdings[player][some]
        np.testing.assert_allclose(found.of_holdings[held], plays[some] / masses[some] + put, atol=1e-3)
        np.testing.assert_allclose(found.gap[held], (best - plays)[some] / masses[some], atol=1e-3)
        own = solution.reach(node, player)[held] * masses[some]
        assert found.mean_gap == pytest.approx(own @ found.gap[held] / own.sum(), abs=1e-3)
        assert found.mean_gap > 0.01


def test_pair_by_pair_from_the_flop():
    """With boards that stand for others, and all-ins that run out two streets."""
    first, second = "QQ,AsKs,AhKh,AdKd,AcKc", "JJ,TsTh,TdTc,9s8s,9h8h,9d8d,9c8c"
    later: dict[str, list[str]] = {"bets": [], "raises": []}
    game = Subgame("Qs2s5h", 10, 25, (first, second), bets=["100%"], raises=["all-in"],
                   streets={"turn": {"ip": later}, "river": later})  # fmt: skip
    assert game.size().boards[1] < 49
    solution = solve(game, target=1e-9, iterations=12, jobs=1)
    pairs = Pairs(solution)
    assert solution.value(0) == pytest.approx(pairs.value(0), abs=1e-3)
    assert solution.best_response(1).value == pytest.approx(pairs.value(1, best=True), abs=1e-3)


def test_names_of_suits_do_not_matter():
    first, second = "QQ,AKs,T9s:.5,76s", "JJ,KQs,98s"
    plain = Subgame("QsJh2h", 20, 40, (first, second), bets=["75%"], raises=["all-in"])
    lock = Lock("r:0:c:b15", {"f": "QQ:.5", "b40": 0.0}, 0.0)
    fewer, more = (solve(game, iterations=5, target=1e-9, jobs=1) for game in (plain, plain.with_locks([lock])))
    assert fewer.subgame.size().boards[1] == 36
    assert more.subgame.size().boards[1] == 49
    assert fewer.value(0) == pytest.approx(more.value(0), abs=2e-3)
    for node in "r:0", "r:0:c:b15", "r:0:c:c:Kd", "r:0:c:c:Kc:c", "r:0:c:c:9d:c:b15", "r:0:c:c:9d:c:c:4c":
        np.testing.assert_allclose(fewer.strategy(node), more.strategy(node), atol=0.02)
        one, other = fewer.ev(node), more.ev(node)
        np.testing.assert_allclose(one.of_holdings, other.of_holdings, atol=0.2)
        assert one.mean == pytest.approx(other.mean, abs=0.02)


def test_flop_boards_that_are_solved():
    spot = Subgame("QsJh2h", 55, 975, (OOP, IP), bets=["50%"], raises=["60%"], streets={
        "turn": {"bets": ["75%"]}, "river": {"bets": ["75%"]}})  # fmt: skip
    size = spot.size()
    assert size.boards == (1, 36, 1429)
    assert size.decisions == (12, 66, 206)
    assert size.bytes_32 == pytest.approx(2600e6, rel=0.05)
    assert size.bytes_16 < 0.52 * size.bytes_32


# ------------------------------------------------------------------------------------------- closed forms


def test_nuts_and_air_against_a_bluff_catcher():
    """A bet b into p: b / (b + p) bluffs for each value bet, calls p / (b + p) (Chen and Ankenman 2006)."""
    # two pairs of kings are the nuts, two of fives air, and queens beat one and lose to the other
    game = Subgame("KsKd7h2c2d", 100, 100, ("KcKh:1,5c5h,5s5d,5c5d,5h5s", "QcQh"), bets=["100%"], raises=[])
    solution = solve(game, target=0.01, iterations=20_000)
    strategy = solution.strategy()
    bet = 1
    assert solution.acts()[bet].to == 100
    assert strategy[holding_index("KcKh"), bet] > 0.99
    bluffs = sum(strategy[holding_index(held), bet] for held in ("5c5h", "5s5d", "5c5d", "5h5s"))
    assert bluffs == pytest.approx(0.5, abs=0.02)  # for one value bet
    call = solution.strategy("r:0:b100")[holding_index("QcQh")]
    assert call[1] == pytest.approx(0.5, abs=0.02)
    # of five hands one wins 100 + 50, and air is worth nothing
    assert solution.value(0) == pytest.approx(150 / 5, abs=0.1)


def test_ace_king_queen():
    """The half-street game of Chen and Ankenman with a pot of two bets: bluffs 1/3 of queens, calls 1/3 of kings."""
    game = Subgame("7h7d7s7c2d", 100, 50, ("AsAd,KsKd,QsQd", "AhAc,KhKc,QhQc"), bets=["50%"], raises=[],
                   streets={"ip": {"bets": []}})  # fmt: skip
    solution = solve(game, target=0.005, iterations=50_000)
    # with independent cards (both may have the same rank) a bet of half the pot is called so often that queens are
    # indifferent, and bluffed so often that kings are
    queens = solution.strategy()[holding_index("QsQd")]
    kings = solution.strategy("r:0:b50")[holding_index("KhKc")]
    aces = solution.strategy("r:0:b50")[holding_index("AhAc")]
    assert aces[1] > 0.99
    assert 0 < queens[1] < 1
    worth = solution.ev().of_acts[holding_index("QsQd")]
    assert worth[0] == pytest.approx(worth[1], abs=0.5)
    assert 0 < kings[1] < 1
    assert solution.ev("r:0:b50").of_acts[holding_index("KhKc")] == pytest.approx(0.0, abs=0.5)


# ------------------------------------------------------------------------------------------- the three spots


def test_river_of_the_benchmarks():
    solution = solve(river(), target=0.1)
    assert solution.subgame.size().decisions == (20,)
    assert solution.iterations <= 220
    assert solution.exploitability <= 0.1
    assert solution.value(0) == pytest.approx(81.2258, abs=0.2)
    assert solution.value(0) + solution.value(1) == pytest.approx(200, abs=1e-3)
    half = solve(river(), target=0.1, bits=16)
    assert half.memory <= 0.52 * solution.memory
    assert half.iterations <= 1.1 * solution.iterations
    assert half.value(0) == pytest.approx(81.2258, abs=0.2)


@pytest.mark.slow
def test_turn_of_the_benchmarks():
    solution = solve(turn())
    assert solution.subgame.size().decisions == (16, 112)
    assert solution.iterations <= 160
    assert solution.value(0) == pytest.approx(41.39, abs=0.55)


@pytest.mark.parametrize("level", simd.available())
def test_vector_levels_agree(level):
    before = simd.level()
    try:
        simd.use("portable")
        one = solve(river(), iterations=10, target=1e-9)
        simd.use(level)
        other = solve(river(), iterations=10, target=1e-9)
    finally:
        simd.use(before)
    np.testing.assert_array_equal(one.strategy("r:0:b100"), other.strategy("r:0:b100"))
    assert one.exploitability == other.exploitability


@pytest.mark.parametrize("bits", [32, 16])
def test_threads_change_nothing(bits):
    game = Subgame("QsJh2h8c", 60, 150, (THIRTY, THIRTY_MORE), bets=["75%"], raises=["100%"])
    found = [solve(game, iterations=20, target=1e-9, jobs=jobs, bits=bits) for jobs in (1, 2, 3)]
    for each in found[1:]:
        assert each.exploitability == found[0].exploitability
        for one, other in zip(each._solver.numbers("regret"), found[0]._solver.numbers("regret"), strict=True):
            np.testing.assert_array_equal(one[0], other[0])
        np.testing.assert_array_equal(each.strategy("r:0:c:c:Kd:c"), found[0].strategy("r:0:c:c:Kd:c"))


def test_after_a_check_one_may_fold():
    """What a strategy does after an act that it hardly ever takes is next to arbitrary; who answers best may fold."""
    root = solve(river(), iterations=2, target=1e-9).ev()
    check = [act.name for act in root.acts].index("check")
    assert np.nanmin(root.of_acts[:, check]) < -1
    assert np.nanmin(root.best_of_acts[:, check]) >= -1e-3


def test_values_of_a_node():
    solution = solve(river(), target=0.05)
    root = solution.ev()
    assert root.mean == pytest.approx(solution.value(0), abs=1e-3)
    assert np.nansum(root.frequencies) == pytest.approx(1)
    assert np.nansum(root.frequencies * np.nan_to_num(root.act_means)) == pytest.approx(root.mean, abs=1e-3)
    assert np.nanmin(root.gap) >= -1e-3
    assert root.mean_gap == pytest.approx(solution.best_response(0).value - solution.value(0), abs=1e-3)
    best = solution.best_response(0)
    np.testing.assert_allclose(root.best_of_acts.max(axis=1), best.of_holdings, atol=1e-3, equal_nan=True)
    assert np.nanmin(root.best_of_acts - root.of_acts) >= -1e-3
    faced = solution.ev("r:0:b100")
    assert [act.name for act in faced.acts] == ["fold", "call", "raise", "raise"]
    assert np.nanmax(np.abs(faced.of_acts[:, 0])) < 1e-3  # a fold is worth 0
    waiting = solution.ev("r:0:b100", 0)
    assert waiting.mean + faced.mean == pytest.approx(300, abs=1e-2)
    assert waiting.acts == ()
    taken = solution.range("r:0:b100", 0)
    assert taken.total < solution.range("r:0", 0).total
    with pytest.raises(ValueError, match="there is no node 'r:0:b7'"):
        solution.ev("r:0:b7")
    with pytest.raises(ValueError, match="nobody acts at node"):
        solution.ev("r:0:c:c")


def test_to_frame():
    pandas = pytest.importorskip("pandas")
    frame = solve(river()).to_frame("r:0:b100")
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame)[:6] == ["holding", "weight", "f", "c", "b340", "b900"]
    assert np.allclose(frame[["f", "c", "b340", "b900"]].dropna().sum(axis=1), 1)


def test_it_shows_itself():
    shown = solve(river())._repr_html_()
    assert "bet 100" in shown
    assert "exploitable by <b>0." in shown
    assert shown.count("<figure") == 3
    assert "out of position: strategy" in shown
    assert "linear-gradient(to right,#d65550" in shown  # the largest bet comes first


# ------------------------------------------------------------------------------------------- files


def test_a_saved_solution_goes_on(tmp_path):
    lock = Lock("r:0:b100", {"f": 0.5, "c": 0.4, "b340": 0.1, "b900": 0.0}, 0.3)
    path = tmp_path / "spot.solution"
    first = solve(river().with_locks([lock]), iterations=30, target=1e-9)
    first.save(path)
    whole = solve(river().with_locks([lock]), iterations=60, target=1e-9)
    loaded = Solution.load(path)
    assert loaded.checks == first.checks
    assert loaded.value(0) == first.value(0)
    again = solve(loaded.subgame, target=1e-9, iterations=30, start=loaded)
    assert again.iterations == 60
    np.testing.assert_array_equal(again.strategy("r:0:b100"), whole.strategy("r:0:b100"))


def test_files_of_something_else(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"something else")
    with pytest.raises(ValueError, match="not a solution that pokermodel saved"):
        Solution.load(path)
    solution = solve(river(), iterations=10)
    solution.save(path)
    with np.load(path) as archive:
        arrays = dict(archive)
    about = arrays["about"].tobytes().replace(b'"version": 1', b'"version": 2')
    arrays["about"] = np.frombuffer(about, dtype=np.uint8)
    with path.open("wb") as file:
        np.savez(file, **arrays)
    with pytest.raises(ValueError, match="a solution of version 2, and this pokermodel reads version 1"):
        Solution.load(path)
    arrays["about"] = np.frombuffer(about.replace(b'"version": 2', b'"version": 1'), dtype=np.uint8)
    arrays["regret_0"] = arrays["regret_0"][:-16]
    with path.open("wb") as file:
        np.savez(file, **arrays)
    with pytest.raises(ValueError, match="a damaged solution: its digest is another"):
        Solution.load(path)


def rewritten(path, **changes):
    """The file with other arrays, and with its digest."""
    arrays, about = read_saved(path, "solution", "pokermodel solution", 1)
    more = changes.pop("about", {})
    path.write_bytes(saved_bytes(about | more, arrays | changes))
    return path


@pytest.mark.parametrize("bits", [32, 16])
def test_numbers_that_cannot_be_are_refused(tmp_path, bits):
    """With a digest that fits, as a faulty program would write it."""
    path = tmp_path / "spot.solution"
    solve(river(), iterations=10, bits=bits).save(path)
    content = path.read_bytes()
    arrays, _ = read_saved(path, "solution", "pokermodel solution", 1)
    changes = [
        {name: np.full_like(arrays[name], value)}
        for name in arrays
        if name.startswith(("average", "regret", "ranges")) and arrays[name].size
        for value in (np.nan, np.inf, -1)
        if value != -1 or not name.startswith("regret_0")
    ]
    assert len(changes) >= 8
    about = ({"iterations": -1}, {"iterations": "x"}, {"target": float("nan")}, {"bits": 17}, {"checks": [[1, 2]]})
    more = ({"spot": 5}, {"spot": "pot"}, {"locks": [5]}, {"locks": None}, {"dealt": "Zz"}, {"played": []})
    changes += [{"about": each} for each in (*about, *more, {"checks": [[1, -2.0, 3.0]]}, {"checks": 5})]
    for change in changes:
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"^[^\n]*spot\.solution: a damaged solution: [^\n]+$"):
            Solution.load(rewritten(path, **change))
    path.write_bytes(content)
    assert Solution.load(rewritten(path)).iterations == 10


def test_one_bit_that_flips_is_seen(tmp_path):
    path = tmp_path / "spot.solution"
    solve(river(), iterations=10).save(path)
    content = path.read_bytes()
    rng = np.random.default_rng(1)
    places = [*range(64), *range(len(content) - 400, len(content), 2), *rng.integers(len(content), size=100)]
    for at in places:
        path.write_bytes(content[:at] + bytes([content[at] ^ 1 << int(rng.integers(8))]) + content[at + 1 :])
        try:
            loaded = Solution.load(path)
        except ValueError as error:
            assert "\n" not in str(error)  # noqa: PT017
        else:
            assert loaded.iterations == 10  # of what nothing depends on, as a time of change


def test_16_bits_come_as_far_as_32():
    """Rounded to the nearest they ended at .03% of the pot, and more iterations made it worse."""
    far = solve(river(), target=0.02, iterations=2000)
    half = solve(river(), target=0.02, bits=16, iterations=2000)
    assert half.exploitability <= 0.02
    assert half.iterations <= 1.1 * far.iterations
    again = solve(river(), target=0.02, bits=16, iterations=2000)
    assert np.array_equal(again.strategy(), half.strategy(), equal_nan=True)
