"""Players who read their opponents by any reader."""

from __future__ import annotations

import re

import numpy as np
import pytest

import pokermodel as pm
from pokermodel.classics.bpp.class_tables import BayesTables
from pokermodel.classics.loki1.player import Loki1Player
from pokermodel.classics.loki2.player import Loki2Player, ReadingOptions
from pokermodel.game import GameSpec
from pokermodel.reading import ReaderKind, make_reader, reader_kinds, register
from pokermodel.reading import registry as readers
from pokermodel.reading.baselines import Uniform
from pokermodel.tables.arena import deal_cards, play_hand, tournament
from pokermodel.tables.players import CommonKnowledge, kinds, make_player

SEEING = [name for name, kind in reader_kinds().items() if make_reader(kind).infers_holdings]
BLIND = [name for name in reader_kinds() if name not in SEEING]
#: Players whose opponents a reader reads.
PLAYERS = [name for name, kind in kinds().items() if "model" in kind.options]


def test_there_are_readers_of_both_kinds():
    assert {"loki1", "som", "loki2", "loki2:som", "loki2:contexts", "bpp"} <= set(SEEING)
    assert {"frequencies", "contexts"} <= set(BLIND)
    assert {"loki1", "simple", "loki2:b", "loki2:r", "loki2:s", "loki2:sbr"} <= set(PLAYERS)
    assert not {"bpm", "bpp", "call"} & set(PLAYERS)


@pytest.mark.parametrize("model", SEEING)
def test_any_reader_that_infers_holdings_can_be_a_players_eyes(model):
    text = f"loki1?model={model},loki2:s?model={model}&trials=20,loki2:b?model={model},call"
    result = tournament(text, deals=2, seed=4)
    assert result.failure is None
    assert abs(result.payoffs.sum()) < 1e-9
    loki1, loki2 = (make_player(part) for part in text.split(",")[:2])
    for session in (loki1._session(), loki2._make("me")):
        assert session.model == model
        assert type(session.reader) is type(pm.OpponentModeler(model).reader)
    assert loki1._session().public_models  # they share it
    assert loki2._make("me").public_models == session.reader.public_tables
    assert loki2._make("me").folded_tables


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("model", [*BLIND, "loki9", "", "loki2:som?noise=.4"])
def test_readers_without_tables_are_refused(player, model):
    message = "expected a model that infers holdings, without options: " + ", ".join(SEEING)
    if "?" in model:
        message = "is no player"
    with pytest.raises(ValueError, match=re.escape(message)):
        make_player(f"{player}?model={model}")


@pytest.mark.parametrize("make", [Loki1Player, lambda model: Loki2Player(reading=ReadingOptions(model=model))])
def test_the_same_from_python(make):
    with pytest.raises(ValueError, match="model 'contexts' says nothing of holdings: a player needs one that does"):
        make(model="contexts")
    with pytest.raises(ValueError, match="unknown model 'loki9'"):
        make(model="loki9")
    make(model="loki2:som?noise=.4")  # here it may have options


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("loki2:r?model=bpp&noise=.3", "noise does not go with model 'bpp'"),
        ("loki2:r?model=bpp&system=B", "system does not go with model 'bpp'"),
        ("loki2:b?model=som&specific=1", "specific does not go with model 'som'"),
        ("loki1?model=bpp&crude_potential=exact1", "unknown option 'crude_potential' of model bpp"),
        ("loki1?contexts=108", "unknown option 'contexts' of model gom"),
        ("loki2:br?showdowns=1", "unknown option 'showdowns' of model loki2"),
        ("loki2:sbr?model=bpp&initial=income", "unknown option 'initial' of model bpp"),
    ],
)
def test_options_that_would_do_nothing(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        make_player(text)


def test_options_that_do_something():
    player = make_player("loki1?model=loki2&field=maximum&crude_potential=exact1")
    reader = player._session().reader
    assert (reader.field, reader.crude_potential) == ("maximum", "exact1")
    assert make_player("loki2:r?model=loki2:contexts&public_models=1")._make("me").public_models
    assert make_player("loki2:s?model=loki2&field=maximum")._make("me").reader.field == "maximum"


@pytest.mark.parametrize(
    ("player", "model"),
    [
        *(("som", "som"), ("loki1?model=loki2:som", "loki2:som"), ("loki2:b?specific=1", "som")),
        *(("loki2:br?specific=1", "loki2:som"), ("loki2:s?model=som", "som")),
    ],
)
def test_options_are_handed_on_to_the_reader(player, model):
    start = "&" if "?" in player else "?"
    made = make_player(f"{player}{start}showdowns=1&contexts=108&initial=income")
    plain = make_player(player)
    readers = [(each._make() if isinstance(each, Loki2Player) else each._session()).reader for each in (made, plain)]
    theirs = pm.OpponentModeler(f"{model}?initial=income&contexts=108&showdowns=1").reader
    assert [type(reader) for reader in readers] == [type(theirs)] * 2
    assert [reader.learns_shown for reader in readers] == [True, False]
    assert [type(reader.frequencies) is type(theirs.frequencies) for reader in readers] == [True, False]
    assert [reader.prior("Ann") is None for reader in readers] == [False, True]


def test_players_with_other_readers_share_no_tables():
    spec, common = GameSpec.ring(4, 1, 2), CommonKnowledge()
    texts = ("som", "som?initial=income", "loki2:b?specific=1&initial=income", "loki2:b?specific=1&contexts=108")
    players = [make_player(text) for text in texts]
    play_hand(spec, "abcd", players, deal_cards(4, np.random.default_rng(1)), common=common)
    assert len(common._sessions) == 3


def test_the_model_of_a_name_is_that_model():
    """``som`` is ``loki1?model=som``, hand for hand."""
    spec = GameSpec.ring(4, 1, 2)

    def hands(*texts):
        players, common = [make_player(text) for text in texts], CommonKnowledge()
        return [
            play_hand(spec, "abcd", players, deal_cards(4, np.random.default_rng(k)), hand_id=str(k), common=common)
            for k in range(20)
        ]

    played = hands("som", "som", "bpl", "raise")
    assert played == hands("loki1?model=som", "som", "bpl", "raise")
    assert played != hands("loki1?model=uniform", "loki1?model=uniform", "bpl", "raise")


@pytest.mark.parametrize("text", ["loki2:b?model=bpp", "loki1?model=bpp"])
def test_what_is_learnt_from_whole_hands_is_learnt(text):
    """From the hands that were played, once each, whether the tables are shared or one's own."""
    spec, tables, common = GameSpec.ring(3, 1, 2), BayesTables(), CommonKnowledge()
    players = [make_player(text), make_player("random"), make_player("call")]
    for number in range(12):
        deal = deal_cards(3, np.random.default_rng(number))
        tables.learn(play_hand(spec, "abc", players, deal, hand_id=str(number), common=common).to_hand().public())
    hero = players[0]
    session = hero._sessions["a"] if text.startswith("loki2") else hero._shared()
    assert session.reader.tables.hands == 12
    assert session.reader.tables.to_bytes() == tables.to_bytes()


def test_a_reader_of_another_package(monkeypatch):
    monkeypatch.setattr(readers._REGISTRY, "_kinds", reader_kinds())
    register(ReaderKind("mine", lambda known: Uniform(), "nothing is known of anybody"))
    result = tournament("loki1?model=mine,loki2:s?model=mine&trials=10,call", deals=1, seed=1)
    assert result.failure is None
