"""What the sources leave open about trials: strength, potential, triples, turn cards, feedback, close values."""

from __future__ import annotations

import numpy as np
import pytest

import pokermodel as pm
from pokermodel._core.playout import FIELD_TOTAL, Strengths
from pokermodel.cards import N_HOLDINGS, card_indices, live_holdings
from pokermodel.classics.loki1.preflop import Strategy, preflop_action, preflop_thresholds
from pokermodel.classics.loki2.modeled import modeled_generator
from pokermodel.classics.loki2.preflop import preflop_borders
from pokermodel.classics.loki2.triples import TripleGenerator, TripleSpot
from pokermodel.classics.simulation import Advice, Feedback, Simulator, StrengthCache, close_acts
from pokermodel.classics.simulation.advice import BranchEstimate
from pokermodel.game import Act, GameSpec, Hand, State
from pokermodel.tables.arena import deal_cards, play_hand, tournament
from pokermodel.tables.players import make_player


def whole(weights):
    share = weights / weights.sum()
    return np.where(share > 0, np.maximum(np.floor(share * (FIELD_TOTAL - N_HOLDINGS)), 1), 0)


def limped(players, then=()):
    state = State(GameSpec.ring(players, 1, 2))
    while state.round == 0:
        state.act(Act.CALL)
    for act in then:
        state.act(act)
    return state


# ------------------------------------------------------------------------------------------ strength and potential


@pytest.mark.parametrize("potential", ["crude", "none"])
@pytest.mark.parametrize("flop", ["7c8d2h", "QcTc2c", pytest.param("9s9h9d", marks=pytest.mark.native)])
def test_strengths_without_exact_potentials(flop, potential):
    rng = np.random.default_rng(5)
    board = card_indices(flop)
    few = np.zeros(N_HOLDINGS)
    few[:4] = 1  # of deuces and a trey: most holdings of some boards meet nothing of it
    fields = np.array([whole(rng.random(N_HOLDINGS) ** 6 * live_holdings(board)), few])
    strengths = Strengths(board, potential)
    strengths.bind(fields)
    assert strengths.potential == potential
    for come in ("", "3s", "Ah", "Kh4d"):
        cards = board + card_indices(come)
        analysis = pm.BoardAnalysis(cards)
        live = np.flatnonzero(analysis.live)
        outs = analysis.crude_potentials() if potential == "crude" else np.zeros(N_HOLDINGS)
        for k, weights in enumerate(fields):
            found = np.array([strengths.worth(int(h), cards[3:], k) for h in live])
            np.testing.assert_allclose(found[:, 0], analysis.strengths(weights)[live], rtol=1e-5, atol=1e-6)
            np.testing.assert_allclose(found[:, 1], outs[live], rtol=1e-6)
            assert (found[:, 2] == 0).all()
    assert strengths.nbytes > 0
    strengths.clear()
    assert strengths.nbytes == 0


def test_an_unknown_potential_is_refused():
    with pytest.raises(ValueError, match="unknown potential 'some': expected one of exact, crude, none"):
        Strengths(card_indices("7c8d2h"), "some")
    for options in ({"strength": "x"}, {"potential": "x"}):
        with pytest.raises(ValueError, match="expected one of"):
            Simulator(**options)


@pytest.mark.native
@pytest.mark.parametrize("strength", ["tables", "uniform"])
@pytest.mark.parametrize("potential", ["exact", "crude", "none"])
def test_players_of_a_trial_go_by_the_strength_and_potential_that_are_asked_for(strength, potential):
    # a generator without chance in it: fold below .3, call, raise from .6 on
    bins = np.zeros((3, 10, 3))
    bins[:, :3, 0], bins[:, 3:6, 1], bins[:, 6:, 2] = 1, 1, 1
    generator = TripleGenerator(table=bins, pot_odds=False, showdown_odds=False, semi_bluff=False)
    rng = np.random.default_rng(8)
    tables = list(np.maximum(rng.random((3, N_HOLDINGS)) ** 4, 0.01))
    root, board = limped(3, [Act.CALL]), card_indices("7c8c2h")
    simulator = Simulator(generator=generator, strength=strength, potential=potential)
    advice = simulator.run((root, board), "Ah9h", tables, trials=40, rng=3, log=True)
    log, seen = advice.log, set()
    for trial in range(advice.trials):
        for acts in log.acts[trial]:
            state = root.copy()
            for k, act in enumerate(acts):
                cards = tuple(log.boards[trial, : state.round + 2].tolist())
                holding = tuple(log.cards[trial, state.seat].tolist())
                others = [tables[seat] for seat in state.active if seat != state.seat]
                all_others = [tables[seat] for seat in root.active if seat != state.seat]
                field = np.mean([t / t.sum() for t in (t * live_holdings(board) for t in all_others)], axis=0)
                analysis = pm.BoardAnalysis(cards)
                hs = analysis.strength(holding, None if strength == "uniform" else field) ** len(others)
                ppot = 0.0
                if state.round < 3 and potential == "exact":
                    ppot = analysis.potential(holding, None if strength == "uniform" else field).ppot
                elif state.round < 3 and potential == "crude":
                    ppot = analysis.crude_potentials()[pm.cards.holding_index(holding)]
                value = hs + (1 - hs) * ppot
                if k and min(abs(value - 0.3), abs(value - 0.6)) > 1e-5:
                    expected = Act.FOLD if value < 0.3 else Act.CALL if value < 0.6 else Act.RAISE
                    assert act == (expected if expected in state.legal() else Act.CALL)
                    seen.add((state.round, act))
                state.act(act)
    assert len(seen) >= 8


def test_crude_trials_take_less_memory_than_exact_ones():
    root, board = limped(4), card_indices("Tc8c2h")
    sizes = {}
    for potential in ("exact", "crude", "none"):
        cache = StrengthCache()
        Simulator(potential=potential, cache=cache, stop="none").run((root, board), "Jh9h", {}, 500, rng=1)
        sizes[potential] = cache.nbytes
    assert sizes["none"] < sizes["crude"] < sizes["exact"] / 2


# ------------------------------------------------------------------------------------------------------ turn cards


@pytest.mark.parametrize("opponents", [1, 9])
@pytest.mark.parametrize(("flop", "n"), [("Tc8c2h", 47), ("Tc8c2h3s", 46)])
@pytest.mark.parametrize("jobs", [1, 3])
def test_runouts_of_trials_come_once_in_a_cycle_whatever_the_chunks(opponents, flop, n, jobs):
    root, board = limped(opponents + 1), card_indices(flop)
    while root.round + 2 < len(board):
        root.act(Act.CALL)
    simulator = Simulator(policy="call", stop="none", stratified=True, jobs=jobs)
    for seed in (1, 2):
        advice = simulator.run((root, board), "Jh9h", {}, 2 * 47 * 46 + 10, seed, log=True)
        come = advice.log.boards[:, len(board) :].astype(int)
        whole = come[: len(come) // n * n].reshape(-1, n, come.shape[1])
        assert all(len(set(cycle[:, 0])) == n for cycle in whole)
        if come.shape[1] == 2:
            for square in range(2):
                pairs = come[square * n * (n - 1) :][: n * (n - 1)]
                assert len(np.unique(pairs, axis=0)) == n * (n - 1)


def test_stratified_trials_keep_their_means_and_seeds():
    rng = np.random.default_rng(8)
    root, board = limped(4, [Act.RAISE]), card_indices("Tc8c2h")
    tables = list(rng.random((4, N_HOLDINGS)) ** 12)
    for dealing in ("joint", "published"):
        plain, even = (Simulator(stop="none", dealing=dealing, stratified=on) for on in (False, True))
        one, other = (each.run((root, board), "Jh9h", tables, 20_000, rng=1) for each in (plain, even))
        errors = np.hypot(one.standard_error[1:], other.standard_error[1:])
        assert (np.abs(one.ev - other.ev)[1:] < 4 * errors).all()
        threads = Simulator(stop="none", dealing=dealing, stratified=True, jobs=3)
        jobs = threads.run((root, board), "Jh9h", tables, 20_000, rng=1)
        np.testing.assert_array_equal(jobs.ev, other.ev)
        np.testing.assert_array_equal(jobs.standard_error, other.standard_error)
        shorter = threads.run((root, board), "Jh9h", tables, 3000, rng=1, log=True)
        longer = even.run((root, board), "Jh9h", tables, 5000, rng=1, log=True)
        np.testing.assert_array_equal(shorter.log.boards, longer.log.boards[:3000])


def test_stratified_trials_have_the_mean_of_all_runouts():
    """Against the enumeration of an opponent's few holdings with every turn and river."""
    root, board = limped(2), card_indices("Tc8c2h")
    table = np.zeros(N_HOLDINGS)
    held = {"KsKd": 3.0, "AcQc": 1.0, "9s7s": 2.0}
    for holding, weight in held.items():
        table[pm.cards.holding_index(holding)] = weight
    pot, won, total = root.pot / 2, 0.0, 0.0
    own = card_indices("Jh9h")
    for holding, weight in held.items():
        theirs = card_indices(holding)
        share = pm.equity(["Jh9h", holding], board="Tc8c2h").equity[0]  # over 45 cards, for each of which weight counts
        won += weight * share * pot
        total += weight
        assert not set(own) & set(theirs)
    advice = Simulator(policy="call", stop="none", stratified=True).run(
        (root, board), "Jh9h", {1 - root.seat: table}, 47 * 46, rng=3
    )
    assert advice.ev[1] == pytest.approx(won / total, abs=4 * advice.standard_error[1])


def test_errors_of_stratified_samples_are_what_they_say():
    # everybody calls and one card is to come: it decides much, so that stratifying it helps much
    root, board = limped(2), card_indices("Tc8c2h")
    while root.round < 2:
        root.act(Act.CALL)
    board = (*board, card_indices("3s")[0])
    spread, said = {}, {}
    for stratified in (False, True):
        simulator = Simulator(policy="call", stop="none", stratified=stratified)
        runs = [simulator.run((root, board), "JcQc", ["22+, A8s+", None], 250, seed) for seed in range(300)]
        spread[stratified] = np.std([run.ev[1:] for run in runs], axis=0, ddof=1)
        said[stratified] = np.sqrt(np.mean([run.standard_error[1:] ** 2 for run in runs], axis=0))
        np.testing.assert_allclose(said[stratified], spread[stratified], rtol=0.15)
    assert (spread[True] < 0.8 * spread[False]).all()


@pytest.mark.parametrize("places", [1, 2])
def test_stratified_errors_by_least_squares(places):
    rng = np.random.default_rng(2)
    n = 37  # seven cycles of five cards and two trials
    runouts = np.concatenate([np.column_stack([rng.permutation(5), 7 + rng.permutation(5)]) for _ in range(8)])
    runouts = runouts[:n, :places].astype(np.uint8)
    values, weights = rng.normal(size=(n, 2)) + runouts[:, :1], rng.uniform(0.5, 1.5, n)
    found = BranchEstimate.of(values, weights, runouts)
    plain = BranchEstimate.of(values, weights)
    np.testing.assert_array_equal(found.mean, plain.mean)
    np.testing.assert_array_equal(found.deviation, plain.deviation)
    both = np.column_stack([values, values[:, 1] - values[:, 0]])
    parts = weights[:, None] * (both - weights @ both / weights.sum())
    dummies = np.hstack([runouts[:, [place]] == np.unique(runouts[:, place]) for place in range(places)]).astype(float)
    residuals = parts - dummies @ np.linalg.lstsq(dummies, parts, rcond=None)[0]
    around = (residuals**2).sum(axis=0) / (n - np.linalg.matrix_rank(dummies))
    between = np.maximum(0, (parts**2).sum(axis=0) / (n - 1) - around)
    errors = np.sqrt(n * around + 2 * (1 - 2 / 5) * between) / weights.sum()
    np.testing.assert_allclose([*found.error, found.difference_error], errors, rtol=1e-7)
    assert (found.error < plain.error).all()
    few = 10 * places - 1
    one, other = (BranchEstimate.of(values[:few], weights[:few], each) for each in (None, runouts[:few]))
    np.testing.assert_array_equal(one.error, other.error)  # too little to judge by: as for independent trials


def test_trials_without_holdings_count_nothing():
    root, board = limped(3), card_indices("Tc8c2h")
    tables = [None, "AsKs, AsQs", "22+"]
    plain, even = (
        Simulator(stop="none", stratified=on).run((root, board), "Jh9h", tables, 4000, rng=1, log=True)
        for on in (False, True)
    )
    errors = np.hypot(plain.standard_error[1:], even.standard_error[1:])
    assert (np.abs(plain.ev - even.ev)[1:] < 4 * errors).all()
    log = even.log
    void = log.weights == 0
    ace = (log.boards[:, 3:] == card_indices("As")[0]).any(axis=1)
    assert void[ace].all()
    assert not void[~np.isin(log.boards[:, 3:], card_indices("AsKsQs")).any(axis=1)].any()
    assert (log.values[void] == 0).all()
    assert (log.cards[void] == 255).all()
    assert all(log.acts[k] == ((), ()) for k in np.flatnonzero(void))
    assert all(log.acts[k][0] for k in np.flatnonzero(~void))


# --------------------------------------------------------------------------------------------------------- tilts


def test_tilts_multiply_and_normalise():
    spot = TripleSpot(1, 12, 2, 2, 1, 1, True)
    plain = TripleGenerator()
    values = np.linspace(0, 1, 21)
    tilts = np.array([[1, 1, 1], [3, 1, 0.5], [1, 1, 1]])
    before, after = plain.apply(spot, values), plain.tilted(tilts).apply(spot, values)
    expected = before * tilts[1]
    np.testing.assert_allclose(after, expected / expected.sum(axis=1, keepdims=True), atol=1e-15)
    np.testing.assert_array_equal(plain.tilted(np.ones((3, 3))).apply(spot, values), before)
    free = TripleSpot(1, 12, 0, 2, 0, 0, True)
    np.testing.assert_array_equal(plain.tilted(tilts).apply(free, values), plain.apply(free, values))


@pytest.mark.parametrize(("tilts", "message"), [
    (np.ones(3), r"shape \(3, 3\)"),
    (np.zeros((3, 3)), "a tilt must be"),
    (np.full((3, 3), np.nan), "a tilt must be"),
])  # fmt: skip
def test_bad_tilts(tilts, message):
    with pytest.raises(ValueError, match=message):
        TripleGenerator(tilts=tilts)


def test_a_tilted_generator_keeps_its_rules():
    table = np.zeros((3, 4, 3))
    table[..., 1] = 1
    for generator in (
        TripleGenerator(table=table),
        TripleGenerator(form="reweighting", least=0.05, noise=0.3, field="maximum", crude_potential="exact1"),
        TripleGenerator(pot_odds=False, semi_bluff=False, two_bet_limit=True),
    ):
        spot = TripleSpot(2, 12, 4, 4, 1, 1, True)
        same = generator.tilted(np.ones((3, 3)))
        np.testing.assert_allclose(
            same.apply(spot, [0.1, 0.5, 0.9], 0.4), generator.apply(spot, [0.1, 0.5, 0.9], 0.4), atol=1e-15
        )
        assert (same.form, same._field, same._crude_potential) == (
            generator.form,
            generator._field,
            generator._crude_potential,
        )


# ------------------------------------------------------------------------------------------------------- feedback


def advice_of(acts, seat=0):
    nothing = np.zeros(3)
    return Advice(
        nothing, nothing, nothing, 0.0, 100, Act.CALL, "trials", np.asarray(acts, np.uint64), np.zeros(2), seat
    )


def facing_a_bet():
    """Bob, in the second seat, folds to a bet on the flop."""
    acts = [(0, Act.CALL), (1, Act.CALL), (1, Act.RAISE), (0, Act.FOLD)]
    hand = Hand("test", "1", GameSpec.heads_up(1, 2), ("Bob", "Ann"), acts, "7c8d2h")
    return list(hand.replay())


def test_feedback_moves_expectations_towards_what_is_done():
    *_, fold = facing_a_bet()
    assert (fold.player, fold.act, fold.situation.facing) == ("Bob", Act.FOLD, 1)
    feedback, base = Feedback(), np.array([0.2, 0.6, 0.2])
    rng = np.random.default_rng(1)
    often = np.array([0.5, 0.4, 0.1])
    for _ in range(4000):
        tilted = base * feedback.tilts("Bob")[1]
        counts = np.zeros((2, 2, 4, 3, 3))
        counts[1, 0, 1, 1] = np.round(1000 * tilted / tilted.sum())
        feedback.expect(("Bob", "Ann"), advice_of(counts, seat=1), 1)
        feedback.observe(fold._replace(act=Act(int(rng.choice(3, p=often)))))
    found = base * feedback.tilts("Bob")[1]
    np.testing.assert_allclose(found / found.sum(), often, atol=0.05)
    np.testing.assert_array_equal(feedback.tilts("Bob")[[0, 2]], 1)
    np.testing.assert_array_equal(feedback.tilts("Ann"), 1)


def test_feedback_learns_nothing_of_what_was_not_expected():
    *_, fold = facing_a_bet()
    feedback = Feedback()
    feedback.observe(fold)
    few = np.zeros((2, 2, 4, 3, 3))
    few[1, 0, 1, 1] = 3
    feedback.expect(("Bob", "Ann"), advice_of(few, seat=1), 1)
    feedback.observe(fold)  # too few acts in the trials
    many = np.full((2, 2, 4, 3, 3), 100)
    feedback.expect(("Bob", "Ann"), advice_of(many, seat=0), 1)
    feedback.observe(fold)  # the hero's own
    feedback.expect(("Bob", "Ann"), advice_of(many, seat=1), 1)
    feedback.begin()
    feedback.observe(fold)  # another hand
    np.testing.assert_array_equal(feedback.tilts("Bob"), 1)


# --------------------------------------------------------------------------------------------------- close values


def test_close_acts():
    ev = np.array([0.0, 0.3, 0.35])
    assert close_acts(ev, True, True, 0.0) == [Act.RAISE]
    assert close_acts(ev, True, True, 0.1) == [Act.CALL, Act.RAISE]
    assert close_acts(ev, True, True, 0.4) == [Act.FOLD, Act.CALL, Act.RAISE]
    assert close_acts(ev, False, True, 0.4) == [Act.CALL, Act.RAISE]
    assert close_acts(np.array([0.0, 0.3, np.nan]), True, False, 0.1) == [Act.CALL]


# ------------------------------------------------------------------------------------------------------ for players


@pytest.mark.parametrize(("text", "message"), [
    ("loki2:sr?trial_triples=printed", "unknown option 'trial_triples'"),
    ("loki2:b?trial_potential=none", "unknown option 'trial_potential'"),
    ("loki2:sb?play_out=call&feedback=1", "need play-outs by triples"),
    ("loki2:s?preflop=triples", "unknown option 'preflop'"),
    ("loki2:s?close=-1", "close must be 0 or more small bets, got -1"),
    ("loki2:s?trial_strength=some", "expected one of tables, uniform"),
    ("loki2:s?seconds=0", "seconds must be a positive number, got 0"),
    ("loki2:b?seconds=2", "unknown option 'seconds'"),
])  # fmt: skip
def test_switches_that_do_not_fit(text, message):
    with pytest.raises(ValueError, match=message):
        make_player(text)


def test_switches_reach_the_simulator():
    simulator = make_player("loki2:s?trial_strength=uniform&trial_potential=crude&stratified=1&seconds=2").simulator
    assert (simulator.strength, simulator.potential, simulator.stratified) == ("uniform", "crude", True)
    assert simulator.seconds == 2
    spot, weak = TripleSpot(1, 10, 2, 2, 1, 1, True), (0.36, 0.0, 0.36)  # has the showdown odds, .357

    def folds(generator):
        return generator.core.triple(spot, *weak, False)[0]

    usual = make_player("loki2:sb")
    assert folds(usual.generator) == folds(usual.simulator.generator) == 0
    for options in ("showdown_odds=0", "trial_showdown_odds=0"):
        player = make_player(f"loki2:sb?{options}")
        assert (folds(player.generator) > 0) == (options == "showdown_odds=0")
        assert folds(player.simulator.generator) > 0.9
        assert folds(player._trial_self) > 0.9
    for form in ("printed", "reweighting"):
        player = make_player(f"loki2:sb?trial_triples={form}")
        assert (player.generator.form, player._trial_self.form, player.simulator.generator.form) == ("own", form, form)


def test_opponents_of_trials_can_be_those_that_the_reader_knows():
    hand = pm.example_hand()
    for model, form in (("loki2:som", "reweighting"), ("som", "reweighting"), ("bpp", None)):
        session = pm.OpponentModeler(model)
        for decision in hand.replay():
            if decision.round == 2:
                break
            session.observe(decision)
        generator = modeled_generator(session.reader, session.spot(decision), hand.players[0])
        assert (generator and generator.form) == form


@pytest.mark.native
@pytest.mark.parametrize("options", [
    "trial_triples=printed",
    "trial_triples=reweighting",
    "trial_opponents=modeled&specific=1",
    "feedback=1&trial_opponents=modeled",
    "preflop=triples&close=.2&stratified=1",
])  # fmt: skip
def test_every_switch_plays_the_same_games_for_the_same_seed(options):
    text = f"loki2:sb?trials=20&{options},loki1,call,raise"
    one, two = (tournament(text, 3, seed=5, block=2, jobs=jobs) for jobs in (1, 2))
    assert one.failure is None
    np.testing.assert_array_equal(one.payoffs, two.payoffs)


def test_feedback_follows_whom_it_plays():
    player = make_player("loki2:sb?trials=100&feedback=1")
    others = [make_player("call"), make_player("raise")]
    for number in range(12):
        play_hand(GameSpec.ring(3, 1, 2), "ABC", [player, *others], deal_cards(3, np.random.default_rng(number)))
    calling = player._feedback["A"].tilts("B")
    assert (calling[1] != 1).any()
    assert calling[1, Act.CALL] == calling[1].max()  # who always calls is expected to call more and more


def test_close_values_are_chosen_at_random():
    """With a margin that nothing exceeds, all acts are equally likely."""
    acts = np.zeros(3)
    player = make_player("loki2:s?trials=2&close=1000000")
    for number in range(60):
        deal = deal_cards(3, np.random.default_rng(number))
        table = [player, make_player("raise"), make_player("call")]
        played = play_hand(GameSpec.ring(3, 1, 2), "ABC", table, deal, entropy=number)
        for decision in played.decisions:
            if decision.seat == 0 and decision.round and len(decision.situation.legal) == 3:
                acts[decision.act] += 1
    assert acts.sum() > 40
    assert (acts > acts.sum() / 3 - 3 * np.sqrt(acts.sum() * 2 / 9)).all()


# ------------------------------------------------------------------------------------------------ before the flop

THRESHOLDS = preflop_thresholds("five or more", "moderate", 3)


@pytest.mark.parametrize(("num_bets", "put_in", "bets", "rate", "act"), [
    (1, 0, 1, THRESHOLDS[Strategy.MAKE2] + 60, Act.RAISE),
    (1, 0, 1, THRESHOLDS[Strategy.MAKE1] + 60, Act.CALL),
    (1, 0, 1, THRESHOLDS[Strategy.MAKE1] - 60, Act.FOLD),
    (1, 0, 0, -1000.0, Act.CALL),  # a free flop
    (2, 0, 2, THRESHOLDS[Strategy.MAKE2] + 60, Act.CALL),
    (2, 0, 2, THRESHOLDS[Strategy.MAKE1] + 60, Act.FOLD),
    (2, 1, 2, THRESHOLDS[Strategy.MAKE1] + 60, Act.CALL),  # has put a bet in
    (3, 0, 2, THRESHOLDS[Strategy.MAKE4] + 60, Act.RAISE),
])  # fmt: skip
def test_triples_before_the_flop_do_what_loki1_does_away_from_its_thresholds(num_bets, put_in, bets, rate, act):
    generator = TripleGenerator(preflop_borders(THRESHOLDS, num_bets=num_bets, bets_put_in=put_in))
    triple = generator.core.triple(TripleSpot(0, 6, 2 * bets, 2, bets, num_bets, True), rate, 0.0, rate, False)
    assert triple[act] > 0.97
    strategy = next((strategy for strategy, least in THRESHOLDS.items() if rate >= least), Strategy.MAKE0)
    asked = {"to_call": 2 * bets, "bets_to_call": bets, "num_bets": num_bets, "bets_put_in": put_in}
    assert preflop_action(strategy, **asked) == act


def test_triples_before_the_flop_are_smooth_at_a_threshold():
    generator = TripleGenerator(preflop_borders(THRESHOLDS, num_bets=1, bets_put_in=0))
    spot, threshold = TripleSpot(0, 6, 2, 2, 1, 1, True), THRESHOLDS[Strategy.MAKE2]
    raises = [
        generator.core.triple(spot, rate, 0.0, rate, False)[2] for rate in (threshold - 25, threshold, threshold + 25)
    ]
    assert raises == pytest.approx([0.25, 0.5, 0.75])
