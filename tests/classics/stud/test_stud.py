"""Five-card stud: rules, tables of cards, networks and players, against enumeration and textbook versions."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pokermodel as pm
from pokermodel._core import stud_counts, stud_games, stud_match, stud_observations, stud_player, stud_rules
from pokermodel._core.hand_types import STATES, Types
from pokermodel._core.stud_games import MOST_ACTS
from pokermodel._core.stud_player import ACTS, SITUATIONS
from pokermodel.classics.bpp.estimators import showdown_only
from pokermodel.classics.stud import (
    Acting,
    Reader,
    StudHand,
    StudNetwork,
    StudPlayer,
    StudSpec,
    card_tables,
    default_counts,
    default_tables,
    exact_win,
    hand_state,
    play_match,
    read_cards,
)
from pokermodel.classics.stud.defaults import prior_of
from pokermodel.classics.stud.game import showing
from pokermodel.classics.stud.tables import kernel_types
from pokermodel.evaluation.hand_types import SCHEMES, hand_type
from pokermodel.game import Act

FOLD, CALL, RAISE = Act.FOLD, Act.CALL, Act.RAISE
SMALL_DECK = "AcAdKcKdQcQhJcJdTcTs9c9d"  # twelve cards, with all kinds of hands but three of a kind and above


def cards(text):
    return tuple(pm.cards.card_indices(text))


# ------------------------------------------------------------------------------------------------- types and states


def textbook_state(held, scheme=25):
    """The name of the state of two to four cards, from the words of its definition."""
    names = SCHEMES[scheme]
    ranks = [card // 4 for card in held]
    counts = Counter(ranks)
    kinds = sorted(counts.values(), reverse=True)
    if kinds[0] == 4:
        return "four of a kind"
    if kinds[0] == 3:
        return "three of a kind"
    if kinds[:2] == [2, 2]:
        return "two pair"
    if kinds[0] == 2:
        (pair,) = (rank for rank, n in counts.items() if n == 2)
        return names.pairs[int(names.pair_class[pair])]
    windows = [{12, 0, 1, 2, 3}] + [set(range(low, low + 5)) for low in range(9)]
    straight = any(set(ranks) <= window for window in windows)
    flush = len({card % 4 for card in held}) == 1
    draw = {(0, 0): "", (0, 1): ", straight draw", (1, 0): ", flush draw", (1, 1): ", straight and flush draw"}
    return names.busted[int(names.busted_class[max(ranks)])] + draw[flush, straight]


@given(st.lists(st.integers(0, 51), min_size=2, max_size=4, unique=True), st.sampled_from([9, 17, 25]))
def test_states_are_what_they_are_called(held, scheme):
    assert SCHEMES[scheme].states(len(held))[hand_state(held, scheme)] == textbook_state(held, scheme)


def test_all_states_occur():
    for n in (1, 2, 3):
        found = {hand_state(held) for held in combinations(range(52), n)}
        assert found == set(range(len(SCHEMES[25].states(n))))


@given(st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True))
def test_five_cards_have_a_type(held):
    assert hand_state(held) == hand_type(pm.evaluate(held))


# -------------------------------------------------------------------------------------------------- tables of cards


@pytest.mark.native
@pytest.mark.parametrize(("scheme", "same", "alone"), [(9, 0.4348, 0.4325), (17, 0.1297, 0.1448), (25, 0.0660, 0.0854)])
def test_both_end_with_the_same_type(scheme, same, alone):
    tables = card_tables(scheme)
    assert int(tables.pairs.sum()) == 2_598_960 * 1_533_939 == 3_986_646_103_440
    assert (tables.pairs == tables.pairs.T).all()
    assert (tables.pairs.sum(axis=1) == tables.finals * 1_533_939).all()
    assert tables.pairs.trace() / tables.pairs.sum() == pytest.approx(same, abs=5e-5)
    assert (tables.final**2).sum() == pytest.approx(alone, abs=5e-5)
    assert tables.finals.sum() == 2_598_960
    assert tables.subsets.sum(axis=(1, 2)).tolist() == [2_598_960 * n for n in (10, 10, 5, 1)]
    assert tables.rests.sum(axis=(1, 2)).tolist() == [math.comb(52, n) * n for n in (2, 3, 4, 5)]


@pytest.mark.native
def test_what_the_opponent_has_given_our_hand():
    tables = card_tables(25)
    for name, given_same, prior in (
        ("pair of 9", 0.0075, 0.0325),
        ("two pair", 0.0493, 0.0475),
        ("A high", 0.1720, 0.1935),
        ("flush", 0.00253, 0.00197),
    ):
        k = SCHEMES[25].types.index(name)
        assert tables.opponent[k, k] == pytest.approx(given_same, abs=5e-5)
        assert tables.final[k] == pytest.approx(prior, abs=5e-5)


def test_what_becomes_of_a_hand():
    tables = card_tables(25)
    names = SCHEMES[25].types
    state = hand_state("As9s5s2s")
    assert SCHEMES[25].states(4)[state] == "A high, flush draw"
    finals = tables.subsets[2, state] / tables.subsets[2, state].sum()
    assert finals[names.index("flush")] + finals[names.index("straight flush")] == pytest.approx(9 / 48)
    queens = tables.subsets[0, hand_state("QsQd")] / tables.subsets[0, hand_state("QsQd")].sum()
    expected = {"pair of Q": 0.7184, "two pair": 0.1616, "three of a kind": 0.1078}
    expected |= {"full house": 0.0098, "four of a kind": 0.0024}
    assert {name: round(float(p), 4) for name, p in zip(names, queens, strict=True) if p} == expected


@pytest.mark.parametrize("deck", [pytest.param(SMALL_DECK, marks=pytest.mark.native), "AcAdAhAsKcKdKhKsQcQdJc"])
def test_tables_of_a_small_deck(deck):
    tables = card_tables(17, deck)
    hands = list(combinations(sorted(cards(deck)), 5))
    finals = {held: hand_state(held, 17) for held in hands}
    assert tables.finals.tolist() == [list(finals.values()).count(k) for k in range(17)]
    subsets, rests, pairs = (np.zeros_like(t) for t in (tables.subsets, tables.rests, tables.pairs))
    for n in (2, 3, 4, 5):
        for held, final in finals.items():
            for part in combinations(held, n):
                subsets[n - 2, hand_state(part, 17), final] += 1
        for part in combinations(sorted(cards(deck)), n):
            for down in part:
                rests[n - 2, hand_state(part, 17), hand_state([c for c in part if c != down], 17)] += 1
    for one in hands:
        for two in hands:
            if not set(one) & set(two):
                pairs[finals[one], finals[two]] += 1
    assert (tables.subsets == subsets).all()
    assert (tables.rests == rests).all()
    assert (tables.pairs == pairs).all()


def test_bad_decks():
    with pytest.raises(ValueError, match="10 to 52 cards"):
        card_tables(9, "AcAd")
    with pytest.raises(ValueError, match="unknown scheme 10"):
        card_tables(10)


# -------------------------------------------------------------------------------------------------------- networks


@pytest.mark.parametrize(("arc", "expected"), [
    (False, (0.8773, 0.5805, 0.8391, 0.7924)),
    (True, (0.8790, 0.5909, 0.8383, 0.7914)),
])  # fmt: skip
def test_probability_of_winning(arc, expected):
    network = StudNetwork.of(25, arc)
    spots = (("QsQh7c2d", "Kc8d3h"), ("Ac8d3h2s", "KcTc5c"), ("QsQh7c", "Kc7d"), ("QsQh", "As"))
    for (own, up), win in zip(spots, expected, strict=True):
        found = network.win_probability(len(cards(own)) - 2, hand_state(own), hand_state(up))
        assert found == pytest.approx(win, abs=5e-5)


@pytest.mark.parametrize(("arc", "one"), [(False, 0.555970), (True, 0.552554)])
def test_the_toy_of_two_classes(arc, one):
    current, upcards = np.zeros((4, 36, 2)), np.zeros((4, 36, 36))
    current[0, 1], current[0, 0] = [0.2, 0.7], [0.8, 0.3]
    upcards[0, :2, 1], upcards[0, :2, 0] = [0.3, 0.6], [0.7, 0.4]
    given_ours = np.array([[0.62, 0.38], [0.57, 0.43]])
    tables = SimpleNamespace(final=np.array([0.6, 0.4]), current=current, upcards=upcards, opponent=given_ours)
    network = StudNetwork(tables, arc)
    bets = np.zeros(36)
    bets[:2] = 0.25, 0.65
    assert network.win_probability(0, 1, 1, bets) == pytest.approx(one, abs=1e-6)
    if not arc:
        passes = np.zeros(36)
        passes[:2] = 0.75, 0.35
        assert network.win_probability(0, 0, 0, passes) == pytest.approx(0.462264, abs=1e-6)
    with pytest.raises(ValueError, match="impossible"):
        network.win_probability(0, 1, 2)
    with pytest.raises(ValueError, match="0 to 3"):
        network.win_probability(4, 1, 1)
    with pytest.raises(ValueError, match="own is no state"):
        network.win_probability(0, 36, 1)


@pytest.mark.parametrize("arc", [False, pytest.param(True, marks=pytest.mark.native)])
def test_against_all_deals_of_a_small_deck(arc):
    """What the network says of itself: hands dealt together or each from a deck, and a hand like his that shows."""
    deck = sorted(cards(SMALL_DECK))
    tables = card_tables(17, deck)
    network = StudNetwork(tables, arc)
    likelihood = np.linspace(0.2, 1, 36)
    hands = list(combinations(deck, 5))
    finals = {held: hand_state(held, 17) for held in hands}
    n = 3
    state_of = {part: hand_state(part, 17) for part in combinations(deck, n)}
    shows: dict[int, Counter] = {}  # what shows of all sets of three with a state
    for part, state in state_of.items():
        for down in part:
            shows.setdefault(state, Counter())[hand_state([c for c in part if c != down], 17)] += 1
    # by final type and state, all hands and parts: what does not depend on the other hand
    parts = Counter((finals[held], state_of[part]) for held in hands for part in combinations(held, n))
    own, up = hand_state("AcAdKc", 17), hand_state("QcJd", 17)
    pairs = Counter((finals[one], finals[two]) for one in hands for two in hands if not arc or not set(one) & set(two))
    sizes = Counter(finals.values())
    won = total = 0.0
    for (ours, his), number in pairs.items():
        for (final, state), count in parts.items():
            if final != his:
                continue
            shown = shows[state][up] / sum(shows[state].values())
            weight = number * parts[ours, own] / sizes[ours] * count / sizes[his] * shown * likelihood[state]
            won += weight * (1.0 if ours > his else 0.5 if ours == his else 0.0)
            total += weight
    assert network.win_probability(n - 2, own, up, likelihood) == pytest.approx(won / total, abs=1e-12)


def xmlbif(network, round, actions, names):
    """The network of a round in the XML Bayesian Interchange Format (XMLBIF 0.3), for an engine of others."""
    kinds = list(names)
    states = [f"s{k}" for k in range(len(network.scheme.states(round + 2)))]
    shown = [f"u{k}" for k in range(len(network.scheme.states(round + 1)))]
    types = [f"t{k}" for k in range(len(network.scheme.types))]
    current = network.tables.current[round, : len(states)].T
    upcards = network.tables.upcards[round, : len(states), : len(shown)]
    win = np.stack([1 - network.win, network.win], axis=2)
    outcomes = {
        "BPP_Final": types,
        "OPP_Final": types,
        "BPP_Win": ["no", "yes"],
        "BPP_Current": states,
        "OPP_Current": states,
        "OPP_Upcards": shown,
    }
    definitions = [
        ("BPP_Final", (), network.tables.final),
        ("OPP_Final", ("BPP_Final",), network.given) if network.arc else ("OPP_Final", (), network.tables.final),
        ("BPP_Win", ("BPP_Final", "OPP_Final"), win),
        ("BPP_Current", ("BPP_Final",), current),
        ("OPP_Current", ("OPP_Final",), current),
        ("OPP_Upcards", ("OPP_Current",), upcards),
    ]
    for number, table in enumerate(actions, 1):
        outcomes[f"OPP_Action_{number}"] = kinds
        definitions.append((f"OPP_Action_{number}", ("OPP_Current",), table[: len(states)]))
    lines = ['<?xml version="1.0"?>', '<BIF VERSION="0.3">', "<NETWORK>", f"<NAME>round {round + 1}</NAME>"]
    for name, values in outcomes.items():
        listed = "".join(f"<OUTCOME>{value}</OUTCOME>" for value in values)
        lines.append(f'<VARIABLE TYPE="nature"><NAME>{name}</NAME>{listed}</VARIABLE>')
    for name, parents, table in definitions:
        given = "".join(f"<GIVEN>{parent}</GIVEN>" for parent in parents)
        values = [repr(value) for value in table.ravel().tolist()]
        lines.append(f"<DEFINITION><FOR>{name}</FOR>{given}<TABLE>{' '.join(values)}</TABLE></DEFINITION>")
    return "\n".join([*lines, "</NETWORK>", "</BIF>", ""])


@pytest.mark.native
@pytest.mark.filterwarnings("ignore:Setting the shape on a NumPy array:DeprecationWarning")  # the engine's own
@pytest.mark.parametrize(("scheme", "arc", "round"), [(9, False, 0), (17, True, 1), (25, True, 2), (25, False, 3)])
def test_against_a_general_engine(scheme, arc, round, tmp_path):
    gum = pytest.importorskip("pyagrum", reason="pyAgrum is not installed")
    network = StudNetwork.of(scheme, arc)
    table = default_tables(scheme).probabilities()[[3 * round, 3 * round + 1]]
    path = tmp_path / "stud.bifxml"
    path.write_text(xmlbif(network, round, table, ["fold", "call", "raise"]))
    net = gum.loadBN(str(path))
    held, seen = "QsQh7c2d5h"[: 2 * round + 4], "Kc8d3hTs"[: 2 * round + 2]
    own, up = hand_state(held, scheme), hand_state(seen, scheme)
    engine = gum.LazyPropagation(net)
    engine.setEvidence({
        "BPP_Current": f"s{own}", "OPP_Upcards": f"u{up}", "OPP_Action_1": "call", "OPP_Action_2": "raise"
    })  # fmt: skip
    engine.makeInference()
    win, state = network.posterior(round, own, up, table[0, :, 1] * table[1, :, 2])
    assert win == pytest.approx(engine.posterior("BPP_Win")[1], abs=1e-9)
    n = len(SCHEMES[scheme].states(round + 2))
    np.testing.assert_allclose(state[:n], engine.posterior("OPP_Current").toarray(), atol=1e-9)
    assert not state[n:].any()


# ------------------------------------------------------------------------------------------------- by single cards


@pytest.mark.parametrize(("own", "up"), [
    ("AcKd", "Qc"), ("AcAd", "Kc"), ("AcKd9c", "QcQh"), ("Tc9cJd", "AdKc"), ("AcKd9cTs", "QcQhJd"),
    ("AcKcQcJcTc", "AdKdQhJd"),
])  # fmt: skip
def test_exact_wins(own, up):
    deck = set(cards(SMALL_DECK))
    ours, shown = cards(own), cards(up)
    rest = sorted(deck - set(ours) - set(shown))
    belief = np.zeros(52)
    belief[rest] = np.random.default_rng(1).random(len(rest))
    missing = 5 - len(ours)
    won = Fraction(0)
    for down in rest:
        left = [card for card in rest if card != down]
        count, points = 0, 0
        for more in combinations(left, missing):
            for others in combinations([card for card in left if card not in more], missing):
                one, two = pm.evaluate(ours + more), pm.evaluate((down, *shown, *others))
                points += (one > two) + (one >= two)
                count += 2
        won += Fraction(points, count) * Fraction(float(belief[down]))
    expected = float(won) / belief.sum()
    assert exact_win(own, up, belief, SMALL_DECK) == pytest.approx(expected, abs=1e-12)


def test_carried_belief():
    table = default_tables(25).probabilities()
    acts = [(0, 0, 2), (1, 4, 1), (1, 4, 2)]
    belief = read_cards("AsKs2d", "QcJc", acts, table)
    assert belief.sum() == pytest.approx(1)
    assert (belief > 0).sum() == 47
    joint = {}
    for down in range(52):
        if down in cards("AsKs2dQcJc"):
            continue
        first, second = hand_state([down, *cards("Qc")]), hand_state([down, *cards("QcJc")])
        joint[down] = table[0, first, 2] * table[4, second, 1] * table[4, second, 2]
    for down, weight in joint.items():
        assert belief[down] == pytest.approx(weight / sum(joint.values()))
    assert exact_win("AsKs2d", "QcJc", belief) < exact_win("AsKs2d", "QcJc", np.ones(52))


@pytest.mark.parametrize("act", [(3, 10, 1), (-1, 0, 1), (0, -5, 1), (0, 12, 1), (0, 0, -1), (0, 0, 3)], ids=str)
def test_impossible_acts(act):
    with pytest.raises(
        ValueError, match=r"act 1 is \(.*\): expected a round 0 to 0, a situation 0 to 11 and an act 0 to 2"
    ):
        read_cards("AsKs", "2c", [(0, 0, 2), act], default_tables(25).probabilities())


def test_bad_cards():
    with pytest.raises(ValueError, match="do not go together"):
        read_cards("AsKs", "As", [], default_tables(25).probabilities())
    with pytest.raises(ValueError, match="no card face down"):
        exact_win("AsKs", "Qs", np.zeros(52))
    with pytest.raises(ValueError, match="two to five cards"):
        exact_win("AsKs", "QsJs", np.ones(52))


# ----------------------------------------------------------------------------------------------------------- rules


def textbook_showing(up):
    """Pairs and the like, then ranks, the more frequent and then the higher ones first."""
    counts = Counter(card // 4 for card in up)
    groups = sorted(((n, rank) for rank, n in counts.items()), reverse=True)
    return [n for n, _ in groups], [rank for _, rank in groups]


@given(st.integers(1, 4), st.randoms(use_true_random=False))
def test_the_higher_showing_hand(n, rng):
    dealt = rng.sample(range(52), 2 * n)
    one, two = dealt[:n], dealt[n:]
    if rng.random() < 0.5:  # of few ranks, so that hands are alike now and then
        one, two = ([card % 12 for card in part] for part in (one, two))
        if len({*one}) < n or len({*two}) < n:
            return
    left, right = textbook_showing(one), textbook_showing(two)
    assert (showing(one) > showing(two)) == (left > right)
    assert (showing(one) == showing(two)) == (left == right)


class Textbook:
    """The rules again, in the words of the game."""

    def __init__(self, spec, dealt, tie):
        self.spec, self.dealt, self.tie = spec, dealt, tie
        self.paid = [spec.ante, spec.ante]
        self.round, self.loser = -1, None
        self.deal()

    def deal(self):
        self.round += 1
        self.bets, self.passed, self.turn = 0, False, None
        if self.round < 4:
            ranks = [textbook_showing(held[1 : self.round + 2]) for held in self.dealt]
            self.turn = self.tie if ranks[0] == ranks[1] else int(ranks[1] > ranks[0])

    def act(self, act):
        me, he = self.turn, 1 - self.turn
        behind = self.paid[he] - self.paid[me]
        if act == FOLD:
            self.loser, self.turn = me, None
        elif act == CALL and (behind or self.passed):
            self.paid[me] += behind
            self.deal()
        else:
            if act == RAISE:
                self.paid[me] += behind + self.spec.bets[self.round]
                self.bets += 1
            else:
                self.passed = True
            self.turn = he

    def payoff(self):
        if self.loser is not None:
            return -self.paid[0] if self.loser == 0 else self.paid[1]
        one, two = (pm.evaluate(tuple(held)) for held in self.dealt)
        return self.paid[1] if one > two else -self.paid[0] if two > one else 0


@settings(max_examples=200)
@given(st.randoms(use_true_random=False))
def test_the_rules(rng):
    spec = StudSpec(ante=rng.randint(0, 3), bets=(2, 2, 4, 4), max_bets=rng.randint(1, 4))
    dealt = rng.sample(range(52), 10)
    dealt = tuple(dealt[:5]), tuple(dealt[5:])
    tie = rng.randint(0, 1)
    state, book, acts = spec.start(dealt, tie), Textbook(spec, dealt, tie), []
    while not state.over:
        assert state.player == book.turn
        assert state.round == book.round
        assert list(state.chips) == book.paid
        owed = book.paid[1 - book.turn] - book.paid[book.turn]
        assert state.owed == owed
        legal = ([FOLD] if owed else []) + [CALL] + ([RAISE] if book.bets < spec.max_bets else [])
        assert list(state.legal()) == legal
        act = rng.choice(legal[1:] if owed and rng.random() < 0.7 else legal)
        acts.append(act)
        state.act(act)
        book.act(act)
    assert book.turn is None
    assert state.payoffs() == (book.payoff(), -book.payoff())
    assert state.showdown == (book.loser is None)
    hand = StudHand(spec, dealt, tuple(acts), tie)
    assert hand.payoffs == state.payoffs()
    assert [decision.act for decision in hand.replay()] == acts
    assert all(decision.act in decision.legal for decision in hand.replay())
    assert f"{hand.payoffs[0]:+d}" in str(hand)


def test_names_of_acts():
    hand = StudHand(StudSpec(), (cards("2c3c4c5c7d"), cards("AcKdQhJs9c")), (CALL, RAISE, RAISE, CALL, RAISE, FOLD))
    assert [decision.name for decision in hand.replay()] == ["pass", "bet", "raise", "call", "bet", "fold"]
    assert [decision.player for decision in hand.replay()] == [1, 0, 1, 0, 1, 0]
    assert hand.payoffs == (-5, 5)


def test_bad_hands():
    dealt = cards("2c3c4c5c7d"), cards("AcKdQhJs9c")
    with pytest.raises(ValueError, match="not over after 1 acts"):
        StudHand(StudSpec(), dealt, (CALL,))
    with pytest.raises(ValueError, match="act 0: act 0 is not allowed"):
        StudHand(StudSpec(), dealt, (FOLD,))
    with pytest.raises(ValueError, match="the hand is over"):
        StudHand(StudSpec(), dealt, (RAISE, FOLD, CALL))
    with pytest.raises(ValueError, match="occurs twice"):
        StudSpec().start((dealt[0], dealt[0]))
    with pytest.raises(ValueError, match="1 to 4 bets"):
        StudSpec(max_bets=5)
    with pytest.raises(ValueError, match="four bets"):
        StudSpec(bets=(1, 2, 3))
    with pytest.raises(ValueError, match="players 0 and 1"):
        StudSpec().start(dealt, tie=2)
    with pytest.raises(ValueError, match="chances"):
        StudHand(StudSpec(), dealt, (RAISE, FOLD), chances=((0.1, 0.2, 0.7),))
    with pytest.raises(ValueError, match="not over"):
        StudSpec().start(dealt).payoffs()


# --------------------------------------------------------------------------------------------------------- players


def textbook_chances(acting, spec, round, chips, me, bets, win):
    """Fold, call and raise without bluffs, from the formulas."""
    owed = chips[1 - me] - chips[me]
    unit = spec.bets[round]
    later = sum(acting.later * bet for bet in spec.bets[round + 1 :])
    pay, pot = owed + later, sum(chips) + owed + 2 * later
    capped = bets >= spec.max_bets
    if acting.rule == "curves":
        x = win - pay / pot
        k = acting.steepness
        fold = math.exp(-k * (x - acting.fold[round])) if owed else 0.0
        call, bet = math.exp(-k * abs(x - acting.call[round])), math.exp(k * (x - acting.bet[round]))
        total = fold + call + bet
        fold, call, bet = fold / total, call / total, bet / total
    else:
        ew_pass = win * pot - pay
        ew_bet = win * (pot + 2 * unit) - (pay + unit)
        if acting.rule == "deterministic":
            options = {RAISE: ew_bet} if not capped else {}
            options = {FOLD: 0.0, CALL: ew_pass, **options} if owed else {CALL: ew_pass, **options}
            best = max(options.values())
            chosen = next(act for act in (CALL, RAISE, FOLD) if options.get(act) == best)
            fold, call, bet = (float(chosen == act) for act in (FOLD, CALL, RAISE))
        else:
            s = acting.sharpness
            fold = 1 / (1 + math.exp(s * ew_pass / unit)) if owed else 0.0
            bet = (1 - fold) / (1 + math.exp(-s * (ew_bet - ew_pass) / unit))
            call = 1 - fold - bet
    return (fold, call + bet, 0.0) if capped else (fold, call, bet)


def test_the_curves():
    """Printed beside their formula."""
    for x, expected in (
        (-0.2, (0.978, 0.018, 0.004)), (0, (0.450, 0.450, 0.100)), (0.1, (0.100, 0.736, 0.164)),
        (0.3, (0.010, 0.075, 0.915)),
    ):  # fmt: skip
        # facing a bet of 4 in a pot of 12, in the last round: a call is worth nothing at .25
        found = textbook_chances(Acting(), StudSpec(), 3, (4, 8), 0, 1, 0.25 + x)
        assert 4 / 16 == 0.25
        np.testing.assert_allclose(found, expected, atol=5e-4)


def test_odds_and_the_decision_network():
    """Bets beat passes above one half, passes beat folds above what is paid by what is won."""
    acting = Acting(rule="deterministic")
    for win, act in ((0.24, FOLD), (0.26, CALL), (0.49, CALL), (0.51, RAISE)):
        assert textbook_chances(acting, StudSpec(), 3, (4, 8), 0, 1, win)[act] == 1.0


@pytest.mark.parametrize(("later", "rounds"), [(0.6, 3), (0.0, 0)])
def test_without_antes(later, rounds):
    """Nothing in the pot, and nothing to come: it costs nothing to stay in."""
    player, spec = StudPlayer(acting=Acting(later=later, bluffing="none")), StudSpec(ante=0)
    start = spec.start((cards("2c3c4d5h7s"), cards("AcKdQhJs9c")))
    choice = player.choose(start, [CALL, CALL] * rounds)
    x = choice.win
    call, bet = math.exp(-10 * abs(x - 0.1)), math.exp(10 * (x - 0.25))
    assert choice.chances == pytest.approx((0, call / (call + bet), bet / (call + bet)))
    assert np.isfinite(play_match(player, player, 200, spec=spec).games.chances[:, 0]).all()


@pytest.mark.parametrize("steepness", [1e3, 5e3, 1e5, 1e300])
def test_steep_curves(steepness):
    """The highest curve is what is done, however far below 1 all of them are."""
    acting = Acting(steepness=steepness, bluffing="none")
    apart = Acting(steepness=steepness, bluffing="none", call=(-3.0,) * 4, bet=(2.0,) * 4, fold=(-2.0,) * 4)
    start = StudSpec().start((cards("2c3c4d5h7s"), cards("AcKdQhJs9c")))
    for player in (StudPlayer(acting=acting), StudPlayer(acting=apart)):
        for acts in ([CALL, CALL] * 3, [CALL, CALL] * 3 + [RAISE], [RAISE], [CALL, CALL]):
            chances = player.choose(start, acts).chances
            assert sum(chances) == pytest.approx(1)
            assert max(chances) == pytest.approx(1)
    games = play_match(StudPlayer(acting=acting), StudPlayer(acting=apart), 100).games
    for number, hand in enumerate(games):
        assert np.isfinite(hand.chances).all(), number


PLAYERS = [
    StudPlayer(Reader.parse("net9"), Acting(bluffing="none")),
    StudPlayer(Reader.parse("net17+arc/act4"), Acting(rule="randomised", bluffing="none")),
    StudPlayer(Reader.parse("net25/act2"), Acting(rule="deterministic", bluffing="none")),
    StudPlayer(Reader.parse("carry"), Acting(bluffing="none", later=1.0)),
    StudPlayer(Reader.parse("net9+carry+cards"), Acting(bluffing="none")),
]


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: f"{player.reader}")
def test_games_are_what_a_textbook_would_play(player):
    """Every decision of some games again: networks in numpy, formulas in words, belief card by card."""
    spec, acting, reader = StudSpec(), player.acting, player.reader
    match = play_match(player, StudPlayer(), 60, seed=4)
    for number, hand in enumerate(match.games):
        assert hand.payoffs[0] == match.payoffs[number // 2, number % 2]
        acts: list[tuple[int, int, int]] = []
        state = spec.start(hand.cards, hand.tie)
        bets, round, likelihood = 0, 0, np.ones(36)
        for decision, chances, win in zip(hand.replay(), hand.chances, hand.wins, strict=True):
            if decision.round != round:
                round, bets, likelihood = decision.round, 0, np.ones(36)
            column, situation = situation_of(reader.form, decision, bets >= 4)
            if decision.player == 1:
                if column is not None:
                    acts.append((round, situation, column))
                    likelihood = likelihood * player.table[situation, :, column]
            else:
                own, up = hand.cards[0][: round + 2], hand.cards[1][1 : round + 2]
                mine, shown = hand_state(own, reader.scheme), hand_state(up, reader.scheme)
                network = reader.network
                if reader.carries:
                    belief = read_cards(own, up, acts, player.table, reader.scheme)
                    expected = sum(
                        p * network.winning[round, mine, k] / network.both[round, mine, k]
                        for p, k in (
                            (belief[d], hand_state([d, *up], reader.scheme)) for d in np.flatnonzero(belief).tolist()
                        )
                    )
                    if reader.by_cards and round == 3:
                        expected = exact_win(own, up, belief)
                else:
                    expected = network.win_probability(round, mine, shown, likelihood)
                assert win == pytest.approx(expected, abs=1e-12)
                usual = textbook_chances(acting, spec, round, state.chips, 0, bets, expected)
                assert chances == pytest.approx(usual, abs=1e-9)
                again = player.choose(spec.start(hand.cards, hand.tie), hand.acts[: decision.number])
                assert again.chances == chances
                assert again.win == win
            assert chances[decision.act] > 0
            bets += decision.act == RAISE
            state.act(decision.act)


@pytest.mark.parametrize("reader", ["carry", "net25+carry", "carry+cards"])
def test_an_impossible_act_says_nothing(reader):
    """A carried belief is what it was before an act that the tables hold for impossible with every card."""
    table = default_tables(25).probabilities().copy()
    never = table.copy()
    never[1] = [0.5, 0.5, 0.0]
    start = StudSpec().start((cards("AcAdAh2s3h"), cards("KcQdJh8s4c")))
    assert start.player == 0
    surprised = StudPlayer(Reader.parse(reader), opponent=never)
    same = never.copy()
    same[1] = 1 / 3  # raised with all hands alike
    unmoved = StudPlayer(Reader.parse(reader), opponent=same)
    for acts in ([RAISE, RAISE], [RAISE, RAISE, CALL], [RAISE, RAISE, CALL] + [CALL, CALL] * 2):
        assert surprised.choose(start, acts).win == pytest.approx(unmoved.choose(start, acts).win, abs=1e-12)


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: f"{player.reader}")
def test_games_are_judged_as_they_were_played(player):
    games = play_match(player, StudPlayer(), 100, seed=4).games
    for who, judge in ((0, player), (1, StudPlayer())):
        wins = games.judged(judge, who)
        his = (np.arange(24) < (games.lengths & 127)[:, None]) & ((games.acts >> 2 & 1) == who)
        np.testing.assert_array_equal(wins[his], games.wins[his])
        assert np.isnan(wins[~his]).all()
    games.acts[7, 0] ^= 4
    with pytest.raises(ValueError, match="game 7 breaks the rules"):
        games.judged(player, 0)


def change(column, game, place, value):
    """Put something else into a column of games."""
    return lambda games: getattr(games, column)[game].__setitem__(place, value)


def longer(games):
    games.lengths[5] |= 127


def shorter(games):
    games.lengths[5] -= 1


def shown_or_not(games):
    games.lengths[5] ^= 128


def raises_only(games):
    games.acts[5:] = RAISE | 1 << 2


def folds_for_nothing(games):
    games.acts[5, 0] &= 252


@pytest.mark.parametrize(
    "break_it",
    [
        *(change("cards", 5, (1, 3), card) for card in (52, 200, 255)),
        lambda games: games.cards[5].__setitem__((0, 0), games.cards[5, 1, 4]),
        *(change("acts", 5, 0, code) for code in (3, 255)),
        lambda games: games.acts[5].__setitem__(0, games.acts[5, 0] ^ 4),
        longer,
        shorter,
        shown_or_not,
        raises_only,
        folds_for_nothing,
    ],
)
def test_games_that_break_the_rules(break_it):
    games = play_match(StudPlayer(), StudPlayer(), 10).games
    break_it(games)
    for observer in (0, 1):
        with pytest.raises(ValueError, match="game 5 breaks the rules"):
            games.observed(observer, Reader())
        with pytest.raises(ValueError, match="game 5 breaks the rules"):
            games.judged(StudPlayer(), observer)


@pytest.mark.parametrize("bit", range(3, 7))
def test_acts_that_say_what_they_are_not(bit):
    """Their round, and whether there was a bet to call or no raise was allowed."""
    games = play_match(StudPlayer(), StudPlayer(), 10).games
    games.acts[5, 0] ^= 1 << bit
    with pytest.raises(ValueError, match="game 5 breaks the rules"):
        games.observed(0, Reader())


def test_games_of_other_stakes():
    games = play_match(StudPlayer(), StudPlayer(), 100).games
    with pytest.raises(ValueError, match="breaks the rules"):
        replace(games, spec=StudSpec(max_bets=1)).observed(0, Reader())


def test_blocks_of_games_are_checked_alike(monkeypatch):
    monkeypatch.setattr("pokermodel.classics.stud.match._BLOCK", 4)
    games = play_match(StudPlayer(), StudPlayer(), 10).games
    games.cards[17, 0, 0] = 99
    with pytest.raises(ValueError, match="game 17 breaks the rules"):
        games.observed(0, Reader())


def situation_of(form, decision, capped):
    """Column and row of an act in the tables."""
    facing = decision.owed > 0
    if form == "ctx":
        return int(decision.act), 3 * decision.round + (facing + (facing and capped))
    names = {"act2": (("pass", "call"), ("bet", "raise")), "act4": (("pass",), ("bet",), ("call",), ("raise",))}[form]
    return next((k for k, some in enumerate(names) if decision.name in some), None), decision.round


def test_a_player_wins_nothing_against_himself():
    for player in (*PLAYERS, StudPlayer(acting=Acting(bluffing="context", bluffs=0.25, explores=0.02))):
        match = play_match(player, player, 200, seed=2)
        assert not match.payoffs.sum(axis=1).any()
        assert match.payoffs.any()


def test_deals_do_not_depend_on_how_many_there_are(monkeypatch):
    few, many = (play_match(PLAYERS[0], StudPlayer(), n, seed=3) for n in (50, 80))
    assert (few.payoffs == many.payoffs[:50]).all()
    assert few.games.cards.tobytes() == many.games.cards[:100].tobytes()
    assert many.samples.shape == (80,)
    assert many.estimate.mean == pytest.approx(many.payoffs.mean() / 2)
    dealt = Counter(play_match(PLAYERS[0], PLAYERS[0], 5200, seed=1).games.cards[::2].ravel().tolist())
    assert len(dealt) == 52
    assert max(abs(n - 1000) for n in dealt.values()) < 5 * math.sqrt(1000)
    with pytest.raises(ValueError, match="1 or more"):
        play_match(StudPlayer(), StudPlayer(), 0)


@pytest.mark.native
def test_bluffs():
    honest, original = (StudPlayer(acting=Acting(bluffing=kind)) for kind in ("none", "last round"))
    context = StudPlayer(acting=Acting(bluffing="context", bluffs=0.25))
    assert not any(hand.bluffs for hand in play_match(honest, honest, 200).games)
    for player in (original, context):
        seen = 0
        for hand in play_match(player, honest, 3000, seed=5).games:
            first = {}
            for k, decision in enumerate(hand.replay()):
                if decision.player != 0:
                    assert k not in hand.bluffs
                    continue
                chances = hand.chances[k]
                assert sum(chances) == pytest.approx(1)
                if k in hand.bluffs:
                    seen += 1
                    assert decision.act == RAISE
                    assert decision.round == 3 if player is original else decision.round >= 2
                    if player is original:
                        assert 3 not in first
                first[decision.round] = k
        assert seen > 5
    # as often as it says: the first decision of the last round raises at least with the chance of a bluff
    start = StudSpec().start((cards("2c3c4d5h7s"), cards("AcKdQhJs9c")))
    acts = [CALL, CALL] * 3 + [RAISE]
    plain, bluffing = (player.choose(start, acts) for player in (honest, original))
    assert bluffing.bluff == 0.05
    assert plain.bluff == 0.0
    assert bluffing.chances[RAISE] == pytest.approx(plain.chances[RAISE] * 0.95 + 0.05)
    assert bluffing.chances[FOLD] == pytest.approx(plain.chances[FOLD] * 0.95)
    folds, calls = np.zeros((2, 12, 36, 3))
    folds[..., FOLD], calls[..., CALL] = 1, 1
    for table, share in ((folds, 0.25), (calls, 0.0)):
        acting = Acting(bluffing="context", bluffs=0.25)
        assert StudPlayer(acting=acting, opponent=table).choose(start, acts).bluff == share
    explorer = StudPlayer(acting=Acting(bluffing="none", explores=0.02)).choose(start, acts)
    assert explorer.chances[FOLD] == pytest.approx(0.98 * plain.chances[FOLD])


def test_a_player_who_acts_on_a_table():
    table = prior_of(default_counts(25))
    robot = StudPlayer(acting=Acting(rule="table"), own=table)
    games = play_match(robot, StudPlayer(), 10_000, seed=6).games
    counts = games.true_counts(0, Reader())
    seen = counts.sum(axis=2)
    often = seen > 500
    assert often.sum() > 10
    error = np.sqrt(table * (1 - table) / np.maximum(seen, 1)[..., None])
    assert (np.abs(counts / np.maximum(seen, 1)[..., None] - table)[often] <= 5 * error[often] + 1e-9).all()


# ---------------------------------------------------------------------------------------------------- observations


@pytest.mark.parametrize("name", ["net25", "net17/act2", pytest.param("net9/act4", marks=pytest.mark.native)])
def test_what_is_observed(name):
    reader = Reader.parse(name)
    games = play_match(StudPlayer(Reader.parse("net9")), StudPlayer(), 150, seed=8).games
    for observer in (0, 1):
        hands, places = games.observed(observer, reader)
        all_shown, _ = games.observed(observer, reader, reveal=True)
        assert (all_shown.shown >= 0).all()
        he, at = 1 - observer, 0
        counts = np.zeros(hands.shape)
        for number, hand in enumerate(games):
            acts, survival, round, bets = [], [], 0, 0
            for decision, chances in zip(hand.replay(), hand.chances, strict=True):
                if decision.round != round:
                    round, bets = decision.round, 0
                if decision.player == observer:
                    survival = [s * (1 - chances[FOLD]) for s in survival]
                else:
                    column, row = situation_of(reader.form, decision, bets >= 4)
                    if column is not None:
                        acts.append((decision.round, row, column))
                        survival.append(1.0)
                bets += decision.act == RAISE
            if not acts:
                assert number not in places
                continue
            assert places[at] == number
            one = hands.select(np.array([at]))
            at += 1
            seen = {*hand.cards[observer][: round + 2], *hand.cards[he][1 : round + 2]}
            rows: Counter = Counter()
            for down in sorted({*range(52)} - seen):
                rows[tuple(hand_state([down, *hand.cards[he][1 : r + 2]], reader.scheme) for r, _, _ in acts)] += 1
            cells = one.cells.reshape(len(one.prior), len(acts))
            found = {}
            for cell, prior in zip(cells, one.prior, strict=True):
                for (_, row, column), c in zip(acts, cell.tolist(), strict=True):
                    assert (c // hands.shape[2] // 36, c % hands.shape[2]) == (row, column)
                found[tuple((cell // hands.shape[2] % 36).tolist())] = prior
            assert found == pytest.approx({key: n / (52 - len(seen)) for key, n in rows.items()})
            np.testing.assert_allclose(one.survival, survival, atol=1e-12)
            held = tuple(hand_state(hand.cards[he][: r + 2], reader.scheme) for r, _, _ in acts)
            assert (one.shown[0] >= 0) == hand.showdown
            if hand.showdown:
                assert tuple((cells[one.shown[0]] // hands.shape[2] % 36).tolist()) == held
            for state, (_, row, column) in zip(held, acts, strict=True):
                counts[row, state, column] += 1
        assert at == len(hands)
        assert (showdown_only(all_shown) == counts).all()
        assert (games.true_counts(he, reader) == counts).all()


# -------------------------------------------------------------------------------------------------------- defaults


def test_defaults():
    for scheme in SCHEMES:
        counts = default_counts(scheme)
        assert counts[::3, :, FOLD].sum() == 0  # nothing to fold to
        assert counts[2::3, :, RAISE].sum() == 0  # no raise is allowed
        for form, shape in (("ctx", (12, 36, 3)), ("act2", (4, 36, 2)), ("act4", (4, 36, 4))):
            tables = default_tables(scheme, form)
            assert tables.shape == shape
            np.testing.assert_allclose(tables.probabilities().sum(axis=2), 1)
        free = default_tables(scheme).probabilities()[::3]
        assert (free[..., FOLD] == 0).all()
        assert (free[..., RAISE] > 0).all()
    with pytest.raises(ValueError, match="unknown form"):
        prior_of(counts, "act3")
    with pytest.raises(ValueError, match="unknown scheme"):
        default_counts(10)


def test_bad_players():
    with pytest.raises(ValueError, match="unknown reader 'net'"):
        Reader.parse("net")
    with pytest.raises(ValueError, match="unknown scheme 10"):
        Reader.parse("net10")
    with pytest.raises(ValueError, match="unknown form 'act3'"):
        Reader.parse("net9/act3")
    with pytest.raises(ValueError, match="card by card"):
        Reader.parse("net9+cards")
    with pytest.raises(ValueError, match="unknown rule"):
        Acting(rule="none")
    with pytest.raises(ValueError, match="unknown kind of bluff"):
        Acting(bluffing="often")
    with pytest.raises(ValueError, match="tables must have shape"):
        StudPlayer(opponent=np.ones((4, 36, 2)))
    with pytest.raises(ValueError, match='rule "table"'):
        StudPlayer(acting=Acting(rule="table"))
    with pytest.raises(ValueError, match="between 0 and 1"):
        _ = StudPlayer(acting=replace(Acting(), bluffs=2.0)).kernel


def test_order_does_not_matter_for_a_state():
    for held in permutations(cards("9s8s7s6d")):
        assert hand_state(held) == hand_state("6d7s8s9s")


# ------------------------------------------------------------------------------------------- what the kernels refuse

TYPES = kernel_types(SCHEMES[25])
RULES = 1, (2, 2, 4, 4), 3  # ante, bets, how many a round
HALF = np.full((4, STATES, STATES), 0.5)
THIRD = np.full((SITUATIONS, STATES, ACTS), 1 / 3)


def core_player(**other):
    still = (0.0,) * 4
    arguments = {"form": "ctx", "carries": True, "by_cards": False, "winning": HALF, "both": HALF, "upcards": HALF}
    arguments |= {"opponent": THIRD, "own": THIRD, "rule": "curves", "fold": still, "call": still, "bet": still}
    arguments |= {"steepness": 1, "sharpness": 1, "later": 1, "bluffing": "none", "bluffs": 0, "explores": 0}
    assert other.keys() <= arguments.keys()
    return stud_player.Player(TYPES, *(arguments | other).values())


@pytest.mark.parametrize(("arguments", "message"), [
    ({"form": "act3"}, "unknown form 'act3': expected one of ctx, act2, act4"),
    ({"rule": "none"}, "unknown rule 'none': expected one of"),
    ({"bluffing": "often"}, "unknown kind of bluff 'often': expected one of none"),
    *(({name: HALF[:3]}, rf"{name} must have shape \(4, 36, 36\), got \(3, 36, 36\)")
      for name in ("winning", "both", "upcards")),
    *(({name: THIRD[:, :35].copy()}, rf"{name} must have shape .*, got \({SITUATIONS}, 35,")
      for name in ("opponent", "own")),
    ({"bluffs": math.nan}, "between 0 and 1"),
    ({"explores": 1.5}, "between 0 and 1"),
    ({"steepness": -1}, "must be finite and 0 or more"),
    ({"steepness": math.inf}, "must be finite and 0 or more"),
    ({"sharpness": math.nan}, "must be finite and 0 or more"),
    ({"later": -0.1}, "must be finite and 0 or more"),
    ({"carries": False, "by_cards": True}, "only by a belief that is carried"),
    ({"call": (0.0,) * 3}, "four numbers, one a round, got 3"),
])  # fmt: skip
def test_core_refuses_a_player(arguments, message):
    core_player()
    with pytest.raises(ValueError, match=message):
        core_player(**arguments)


def test_core_refuses():
    scheme, deck = SCHEMES[25], sorted(cards(SMALL_DECK))
    types, high, pairs = scheme.type_of_rank, scheme.busted_class, scheme.pair_class
    square, by_type = np.zeros((4, STATES, STATES), np.int64), np.zeros((TYPES.types,) * 2, np.int64)
    hands = [cards("AcKcQcJc9d"), cards("AdKdQdJd9c")]
    player, weights = core_player(), np.ones(52)
    start = stud_rules.StudState(*RULES, hands, 0)
    for call, message in (
        (lambda: Types(types[1:], high, pairs, False), "tables of 7463, 13 and 13 entries"),
        (lambda: Types(types, high, np.zeros(13, np.uint8), False), "types do not fit"),
        (lambda: stud_counts.card_tables(TYPES, deck[::-1], square, square, by_type), "ascending order"),
        (lambda: stud_counts.card_tables(TYPES, deck, square[:3], square, by_type), r"shape \(4, 36, 36\)"),
        (
            lambda: stud_counts.card_tables(TYPES, deck, square, square, by_type[1:]),
            r"table of pairs must have shape \(25, 25\)",
        ),
        (
            lambda: stud_counts.card_tables(TYPES, [*deck[:-1], 52], square, square, by_type),
            "card index 52 is out of range",
        ),
        (lambda: stud_rules.StudState(-1, *RULES[1:], hands, 0), "ante must be 0 to 1,000,000 chips, got -1"),
        (lambda: stud_rules.StudState(1, (2, 2, 0, 4), 3, hands, 0), "four bets of 1 to"),
        (lambda: stud_rules.StudState(1, (2, 2, 4, 4), 5, hands, 0), "1 to 4 bets"),
        (lambda: stud_rules.StudState(*RULES, [hands[0], hands[1][:4]], 0), "five cards each"),
        (lambda: stud_rules.StudState(*RULES, hands, 2), "players 0 and 1, got 2"),
        (lambda: player.choose(start, [RAISE, FOLD]), "the hand is over"),
        (lambda: player.choose(start, [7]), "act 7 is not allowed"),
        (
            lambda: stud_counts.win_by_cards(hands[0][:3], hands[1][:2], weights[1:], range(52)),
            "each of 52 cards, got 51",
        ),
        (lambda: stud_counts.win_by_cards(hands[0][:3], hands[1][:3], weights, range(52)), "one fewer of the opponent"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_core_refuses_games_of_another_shape():
    n, acts = 2, MOST_ACTS
    words, player = np.arange(4, dtype=np.uint64), core_player()
    kept = {
        "cards": np.empty((n, 2, 5), np.uint8),
        "acts": np.empty((n, acts), np.uint8),
        "lengths": np.empty(n, np.uint8),
        "chances": np.empty((n, acts, 3)),
        "wins": np.empty((n, acts)),
    }
    room = {
        "shown": np.empty(n, np.intp),
        "prior": np.empty(50 * n),
        "survival": np.empty(12 * n),
        "cells": np.empty(600 * n, np.intp),
        "first_row": np.empty(n + 1, np.intp),
        "first_action": np.empty(n + 1, np.intp),
        "games": np.empty(n, np.intp),
    }

    def play(payoffs=(1, 2), **other):
        stud_match.play(player, player, *RULES, words, np.empty(payoffs, np.int32), **kept | other)

    def judge(who=0, **other):
        given = kept | other
        stud_games.judge(player, who, *RULES, *(given[name] for name in ("cards", "acts", "lengths", "wins")))

    def check(**other):
        stud_games.check_games(*RULES, *((kept | other)[name] for name in ("cards", "acts", "lengths")))

    def observe(form="ctx", observer=0, **other):
        given = kept | other
        games = [given[name] for name in ("cards", "acts", "lengths", "chances")]
        stud_observations.observations(
            TYPES, form, 3, observer, False, *games, *((room | other)[name] for name in room)
        )

    play()
    judge()
    check()
    observe()
    with pytest.raises(ValueError, match="payoffs must have two columns"):
        play(payoffs=(1, 3))
    with pytest.raises(ValueError, match="2 deals are 4 games, got columns of 2"):
        play(payoffs=(2, 2))
    for name, array in kept.items():
        less = {name: array[:-1]}
        with pytest.raises(ValueError, match="columns of one length"):
            play(**less)
        if name != "cards":  # without which nothing is kept
            with pytest.raises(ValueError, match="all of them or none"):
                play(**{name: None})
        if name != "chances":
            with pytest.raises(ValueError, match="columns of one length"):
                judge(**less)
        if name not in ("chances", "wins"):
            with pytest.raises(ValueError, match="columns of one length"):
                check(**less)
        if name != "wins":
            with pytest.raises(ValueError, match="columns of one length"):
                observe(**less)
    for name, array in room.items():
        with pytest.raises(ValueError, match="room for 50 candidates"):
            observe(**{name: array[:-1]})
    with pytest.raises(ValueError, match="unknown form 'act3'"):
        observe(form="act3")
    with pytest.raises(ValueError, match="players 0 and 1, got 2"):
        judge(who=2)
    with pytest.raises(ValueError, match="players 0 and 1, got -1"):
        observe(observer=-1)
