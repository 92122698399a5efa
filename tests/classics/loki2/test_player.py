"""Loki-2 at the table."""

from __future__ import annotations

import numpy as np
import pytest

from pokermodel.cards import card_indices, holding_index
from pokermodel.classics.experiments import get_experiment
from pokermodel.classics.loki2.decision_thresholds import BettingThresholds
from pokermodel.classics.loki2.player import Loki2Player, Parts, ReadingOptions, TrialOptions, select_act
from pokermodel.classics.simulation import Loki1Rules
from pokermodel.evaluation import BoardAnalysis
from pokermodel.game import Act, GameSpec
from pokermodel.tables.arena import Deal, deal_cards, play_hand, tournament
from pokermodel.tables.players import CommonKnowledge, kinds, make_player

PARTS = ("b", "r", "br", "s", "sr", "sb", "sbr")


@pytest.mark.parametrize(("chance", "act"), [(0.05, Act.FOLD), (0.10, Act.CALL), (0.74, Act.CALL), (0.75, Act.RAISE)])
def test_the_selector(chance, act):
    assert select_act((0.1, 0.65, 0.25), chance) == act


def test_the_selector_keeps_to_the_triple():
    rng = np.random.default_rng(1)
    acts = [select_act((0.2, 0.5, 0.3), chance) for chance in rng.random(20_000)]
    np.testing.assert_allclose(np.bincount(acts, minlength=3) / len(acts), (0.2, 0.5, 0.3), atol=0.01)


# --------------------------------------------------------------------------------------------------- names


def test_noise_is_the_readers_own_unless_told():
    """By rank, triples have noise from the start."""
    for options, noise in {"r": 0.0, "r?system=rank": 0.45, "r?system=rank&noise=.1": 0.1, "r?noise=.2": 0.2}.items():
        assert make_player(f"loki2:{options}")._make().reader.noise == noise


@pytest.mark.parametrize("parts", PARTS)
def test_parts_are_switched_by_name(parts):
    player = make_player(f"loki2:{parts}?tightness=tight&shift=5&field=maximum&specific=1")
    assert isinstance(player, Loki2Player)
    assert (player.parts.betting, player.parts.reweighting) == ("b" in parts, "r" in parts)
    assert (player.simulator is not None) == ("s" in parts)
    assert (player.loki.tightness, player.loki.shift) == ("tight", 5.0)
    assert (player.reading.field, player.reading.specific) == ("maximum", True)
    options = set(kinds()[f"loki2:{parts}"].options)
    assert ("trials" in options) == ("s" in parts)
    assert ("noise" in options) == ("r" in parts)
    assert ("raise_shift" in options) == ("b" in parts)
    assert ("make1" in options) == ("b" not in parts)  # Loki-1's rules, which then decide


def test_options_reach_the_simulator():
    player = make_player("loki2:sr?trials=20&dealing=published&stop=none&make1=.4&make2=.7&semi_bluff=0")
    simulator = player.simulator
    assert (player.simulating.trials, simulator.dealing, simulator.stop) == (20, "published", "none")
    assert isinstance(simulator.policy, Loki1Rules)
    assert make_player("loki2:s?play_out=call").simulator.policy == "call"
    assert make_player("loki2:sb").simulator.policy == "triples"
    assert make_player("loki2:s?noticed=1").simulating.noticed


def test_those_who_play_on_as_loki1_read_as_loki1():
    seen = {}

    class Spy(Loki2Player):
        def _images(self, view):
            key = view.hand_id, self.parts.reweighting, self.parts.betting
            seen.setdefault(key, super()._images(view))
            return seen[key]

    spec = GameSpec.ring(3, 1, 2)
    for number in range(6):
        deal = deal_cards(3, np.random.default_rng(number))
        for parts in ((False, False), (True, False), (True, True)):
            spy = Spy(Parts(parts[1], parts[0]), simulating=TrialOptions(noticed=True, trials=10))
            play_hand(spec, "ABC", [spy, make_player("call"), make_player("call")], deal, hand_id=str(number))
    by_rules = [seen[key] for key in seen if key[1:] == (False, False)]
    assert by_rules
    for key, images in seen.items():
        if key[1:] == (True, False):
            np.testing.assert_array_equal(images, seen[key[0], False, False])
        if key[1:] == (True, True):
            assert not np.array_equal(images[0], seen[key[0], False, False][0])


def test_aggression_moves_where_it_raises():
    usual, bold = (make_player(f"loki2:b?raise_shift={shift}").generator.borders for shift in (0, -0.1))
    for bets in range(3):
        assert bold.at(bets).raise_low == pytest.approx(usual.at(bets).raise_low - 0.1)
        assert bold.at(bets)[2:] == usual.at(bets)[2:]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("loki2", "unknown player 'loki2'"),
        ("loki2:bs", "unknown player 'loki2:bs'"),
        ("loki2:b?trials=5", "unknown option 'trials' of player loki2:b"),
        ("loki2:s?trials=0", "expected a whole number, 1 or more"),
        ("loki2:s?trials=1", "trials must be 2 or more"),
        ("loki2:s?dealing=badly", "expected one of joint, published"),
        ("loki2:r?noise=2", "noise"),
    ],
)
def test_what_there_is_not(text, message):
    with pytest.raises(ValueError, match=message):
        make_player(text)


def test_wrong_arguments():
    with pytest.raises(ValueError, match="unknown play-out 'fold'"):
        Loki2Player(simulating=TrialOptions(play_out="fold"))


# --------------------------------------------------------------------------------------------------- playing

SIX = GameSpec.ring(6, 1, 2)


class Watched(Loki2Player):
    """Loki-2 that keeps what it went by."""

    def __init__(self, *options):
        super().__init__(*options)
        self.chances = []
        self.worths = []
        self.tables_seen = []

    def _worth(self, view, session):
        worth = super()._worth(view, session)
        tables = [session.table(seat).values for seat in view.opponents]
        self.worths.append((worth, self.generator.worth(view.holding, BoardAnalysis(view.board), tables)))
        self.tables_seen.append((view.holding, tables))
        self.chances.append((view.hand_id, self._chance))
        return worth


def play(hero, others="loki1", seed=1, hands=25, spec=SIX):
    rng = np.random.default_rng(seed)
    names = [f"p{k}" for k in range(spec.players)]
    players = [hero, *(make_player(others) for _ in names[1:])]
    for number in range(hands):
        deal = deal_cards(spec.players, rng)
        play_hand(spec, names, players, deal, hand_id=str(number), entropy=seed + number)


@pytest.mark.parametrize("reweighting", [False, True])
def test_it_bets_by_what_the_generator_says(reweighting):
    hero = Watched(Parts(reweighting=reweighting, simulation=False))
    play(hero)
    assert len(hero.worths) > 10
    for ours, generators in hero.worths:
        assert ours == pytest.approx(generators, abs=1e-12)
    by_hand = dict(hero.chances)
    assert all(by_hand[hand] == chance for hand, chance in hero.chances)  # one number for the whole hand
    assert len(set(by_hand.values())) == len(by_hand)


@pytest.mark.parametrize("public", [False, True])
def test_its_own_cards_are_taken_out_of_the_tables(public):
    hero = Watched(Parts(simulation=False), ReadingOptions(public_models=public))
    play(hero)
    for (high, low), tables in hero.tables_seen:
        for table in tables:
            mine = [holding_index((card, other)) for card in (high, low) for other in range(52) if other != card]
            assert (table[mine] == 0).all() != public


@pytest.mark.parametrize("parts", PARTS)
def test_tournaments_of_every_kind(parts):
    options = "?trials=20" if "s" in parts else ""
    text = f"loki2:{parts}{options}*2,loki1,call"
    one, two = (tournament(text, 3, seed=5, block=2, jobs=jobs) for jobs in (1, 2))
    assert one.failure is None
    assert abs(one.payoffs.sum()) < 1e-9
    np.testing.assert_array_equal(one.payoffs, two.payoffs)


def test_specific_models_learn_from_hands_it_was_not_in():
    hero = Loki2Player(Parts(simulation=False), ReadingOptions(specific=True))
    play(hero, "raise", hands=10)
    counted = [hero._sessions["p0"].reader.frequencies.counts(f"p{k}") for k in range(6)]
    assert None not in counted
    assert all(counts.values.sum() >= 10 for counts in counted)  # an act in every hand at least


def test_the_simulation_folds_what_cannot_win_and_bets_what_cannot_lose():
    hands = {"2c3d": Act.FOLD, "TsJs": Act.RAISE}  # nothing, and a royal flush
    for text, wanted in hands.items():
        seen = []

        class Eager(Loki2Player):
            def act(self, view, seen=seen):
                act = super().act(view)
                if view.round == 3:
                    seen.append(act)
                    return act
                return Act.CALL

        deal = Deal(
            tuple(tuple(sorted(card_indices(cards), reverse=True)) for cards in ("AhAd", text)),
            card_indices("QsKsAs8h9d"),
        )
        play_hand(
            GameSpec.heads_up(1, 2),
            ["bold", "hero"],
            [make_player("raise"), Eager(simulating=TrialOptions(trials=64))],
            deal,
        )
        assert seen[-1 if wanted == Act.FOLD else 0] == wanted  # a check may come first


def test_the_mixed_field_pairs_every_style_with_its_twin():
    experiment = get_experiment("loki2-mixed")
    for row in experiment.rows:
        assert len(row.players) == len(row.twins) == (4 if "average" in row.label else 1)
        for player, twin in zip(row.players, row.twins, strict=True):
            ours, theirs = make_player(player), make_player(twin)
            assert (ours.loki.tightness, ours.loki.shift) == (theirs.loki.tightness, theirs.loki.shift)
            if not ours.parts.betting:
                assert (ours.loki.make1, ours.loki.make2) == (theirs.loki.make1, theirs.loki.make2)
            else:
                shift = ours.generator.borders.one_bet.raise_low - BettingThresholds.own().one_bet.raise_low
                assert np.sign(shift) == np.sign(theirs.loki.make1 - 0.5)


def test_another_reader_learns_from_whole_hands():
    """BPP as the eyes of a player with a session of its own: it knows the hands that were played."""
    plain = Parts(simulation=False)
    players = [Loki2Player(plain, ReadingOptions(model="bpp")), Loki2Player(plain)]
    common = CommonKnowledge()
    spec = GameSpec.ring(2, 1, 2)
    for number in range(4):
        deal = deal_cards(2, np.random.default_rng(number))
        play_hand(spec, ("Ann", "Bob"), players, deal, hand_id=str(number), common=common)
    (session,) = players[0]._sessions.values()
    assert session.reader.tables.hands == 4
