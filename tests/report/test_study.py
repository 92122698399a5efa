"""Studies in words and as pages."""

from __future__ import annotations

import csv
import html
import io
import re
from dataclasses import replace

import pytest

from pokermodel.analysis.study import StudiedDecision, StudiedHand, StudiedOpponent, Study
from pokermodel.report.study import (
    act_cells,
    decision_words,
    how_words,
    study_csv,
    study_page,
    study_text,
    verdict_line,
    why_words,
)

ACTS = (
    {"act": "fold", "name": "fold", "to": None, "ev": 0.0, "method": "exact", "of_method": 0.0, "of_ranges": 0.0,
     "of_menu": 0.0, "error": 0.0, "seen": True, "made": True},
    {"act": "call", "name": "call", "to": None, "ev": 21.2, "method": "exact", "of_method": 0.0, "of_ranges": 0.4,
     "of_menu": 0.0, "error": 0.4, "seen": True, "made": False},
    {"act": "raise", "name": "raise", "to": 60.0, "ev": 90.0, "method": "simulated", "of_method": 1.0, "of_ranges": 1.0,
     "of_menu": 1.0, "error": 3.0, "seen": False, "made": False},
)  # fmt: skip
FOLD = StudiedDecision(
    7, 3, "session.txt", "x1", "<Hero>", "BTN", "3-bet", "turn", "Qs7h2cKd", "AhKh", 27.0, 14.45,
    (StudiedOpponent("Bob & Co", ("KQ", "QJ", "TT"), 0.02, 0.37, 0.03, 29.0),),
    "fold", None, "call", None, 0.0, 21.2, 21.2, (20.8, 21.6), 1.0, "big mistake",
    "folded too much", "exact", 0.349, 0.849, ACTS, 0.02, "USD", False,
)  # fmt: skip
CLOSE = replace(
    FOLD, index=5, lost=0.3, ci95=(-0.2, 0.8), p=0.7, word="cannot tell", act="bet", to=3.0, best="check",
    kind="bet too often", method="simulated", to_call=0.0, best_ev=1.0, ev=0.7,
)  # fmt: skip
RIGHT = replace(FOLD, index=6, lost=0.0, ci95=(0.0, 0.0), p=0.0, word="right", act="call", kind=None, ev=21.2)
UNSEEN = replace(
    FOLD, index=8, lost=None, ci95=None, p=None, word="not judged", act="raise", to=60.0, ev=None, kind=None,
    not_judged="nobody has been seen to answer at such a price",
)  # fmt: skip


def named(decision, name):
    """The same against an opponent of another name."""
    return replace(decision, opponents=(replace(decision.opponents[0], player=name),))


#: A mistake against Casey, of whom 47 hands are known.
ALONE = replace(FOLD, opponents=(replace(FOLD.opponents[0], player="Casey", hands=47),), average=False)


def study(*decisions, **options):
    hand = StudiedHand(7, "session.txt", "x1", "<Hero>", -4.0, 3.0, -0.08, "USD", False, True, decisions)
    return Study([replace(hand, **options)])


@pytest.mark.parametrize(
    ("decision", "line"),
    [
        (FOLD, "Big mistake: folding lost about 21 bb (21 to 22); call"),
        (CLOSE, "Cannot tell: betting 3 bb can have lost up to 0.8 bb; perhaps check"),
        (RIGHT, "Right: call"),
        (ALONE, "Big mistake: folding lost about 21 bb (21 to 22); call. Against Casey only (47 hands)"),
        (UNSEEN, "Not judged: nobody has been seen to answer at such a price"),
    ],
)
def test_a_verdict_in_a_line(decision, line):
    assert verdict_line(decision) == line


def test_what_a_decision_was_about():
    need = "you need 35% of the pot and have 85%"
    later = "Bob & Co: 37% of what reached this point · 29 combos · (2% of all hands), most like KQ QJ TT"
    assert decision_words(FOLD) == f"{later}; {need}"
    alone = replace(FOLD, board="", opponents=(*FOLD.opponents, StudiedOpponent("Cid", ("AA",))))
    assert decision_words(alone).endswith("; Cid: left to answer; you need 35% of the pot to call")
    assert "85%" not in why_words(alone)
    asked = replace(alone, continuing={"left": 1, "all_fold": 0.38, "equity": 0.612})
    later_words = "1 left to answer, who folds 38.0% of the time; your hand has 61.2% against those who continue"
    assert decision_words(asked).endswith(
        f"· 29 combos, most like KQ QJ TT; you need 35% of the pot to call; {later_words}"
    )
    held = {"full house or better": 0.71, "two overcards": 0.09, "nothing": 0.2}
    river = replace(FOLD, street="river", opponents=(replace(FOLD.opponents[0], composition=held),))
    made = "29 combos: 71% full house or better, 29% air · (2% of all hands)"
    assert decision_words(river) == f"Bob & Co: 37% of what reached this point · {made}; {need}"
    before = "Bob & Co: 2% of hands (usual 3%) · 29 combos, most like KQ QJ TT"
    assert decision_words(replace(FOLD, board="")) == f"{before}; {need}"
    quiet = (StudiedOpponent("Cid", ("AA",)), StudiedOpponent("Dot", ("AA",)))
    some = replace(FOLD, opponents=(*FOLD.opponents, *quiet), to_call=0.0)
    assert (
        decision_words(some) == f"{later}; Cid, Dot: any two cards; your hand wins 85% of the pot if nobody bets again"
    )
    rare = replace(FOLD, opponents=(StudiedOpponent("Cid", ("AA",), 0.0004, 0.1, None, 0.5),))
    assert decision_words(rare) == f"Cid: a line hardly anyone takes: the range is a guess; {need}"
    assert how_words(FOLD) == "No betting follows this call. Only the ranges can be off."
    assert "many times" in how_words(CLOSE)
    against = {"evs": [0.0, 20.0, 25.5], "equilibrium": [0.0, 21.0, 20.0], "confidence": 0.4, "risk": 1.5}
    assert how_words(replace(FOLD, against=against)).endswith(
        "(by 40%): raise to 60 bb is best. Against a balanced opponent it is call, by 1.00 bb; "
        "to go by this player can lose 1.50 bb."
    )
    agreed = replace(FOLD, against={**against, "equilibrium": [0.0, 20.0, 21.0]})
    assert how_words(agreed).endswith("(by 40%); against a balanced opponent raise to 60 bb is best, too.")


BETS = (
    {**ACTS[1], "name": "check", "ev": 3.0, "made": True},
    {**ACTS[2], "name": "bet", "to": 30.0, "ev": 9.0, "seen": True, "folds": 0.62},
    {**ACTS[2], "name": "bet", "to": 10.0, "ev": 5.0, "seen": True, "folds": 0.4},
)

FIVE = tuple(StudiedOpponent(name, ("AA",), 0.4, 0.5, None, 99.0) for name in ("Bob", "Cid", "Dot", "Eve"))


def made(place):
    return tuple({**each, "made": k == place} for k, each in enumerate(BETS))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "A call costs 14.45 bb of a pot of 41.45 bb, 35% of it; your hand wins 85%."),
        (
            {"act": "call", "best": "fold", "equity": 0.2, "acts": made(0)[:1] + ACTS[:1]},
            "A call costs 14.45 bb of a pot of 41.45 bb, 35% of it; your hand wins 20%, which is less.",
        ),
        (
            {"act": "call", "best": "fold", "equity": 0.4, "acts": made(0)[:1] + ACTS[:1]},
            "if nobody bet any more, but it will have to fold to later bets.",
        ),
        (
            {"act": "check", "best": "bet", "best_to": 30.0, "acts": made(0), "equity": 0.7},
            "A bet of 30 bb wins the pot at once 62% of the time, when everybody folds; your hand can be called, too",
        ),
        (
            {"act": "check", "best": "bet", "best_to": 30.0, "acts": made(0), "equity": 0.2},
            "when everybody folds; when it is called, it was a bluff.",
        ),
        (
            {"act": "check", "best": "bet", "best_to": 30.0, "acts": made(0), "equity": 0.35},
            "if it is called, your hand still has a chance: it wins 35%",
        ),
        (
            {"act": "bet", "to": 10.0, "best": "bet", "best_to": 30.0, "acts": made(2)},
            "the bet of 10 bb that you made does 40% of the time",
        ),
        (
            {"act": "bet", "to": 10.0, "best": "bet", "best_to": 30.0, "acts": made(2)},
            "it wins 85% against what they can have; and who calls pays more.",
        ),
        (  # of five players a fifth of the pot is an even share
            {"act": "check", "best": "bet", "best_to": 30.0, "acts": made(0), "equity": 0.4, "opponents": FIVE},
            "your hand can be called, too: it wins 40% against what they can have, where an even share is 20%.",
        ),
        (
            {"act": "check", "best": "bet", "best_to": 30.0, "acts": made(0), "equity": 0.1, "opponents": FIVE},
            "when it is called, it was a bluff.",
        ),
        (  # 27 are in the pot, of which a short stack can win 15.55
            {"needed": 14.45 / 30, "equity": 0.6},
            "A call costs 14.45 bb of a pot of 30 bb, 48% of it (of larger bets you win as much as you have); your",
        ),
        (  # it costs .4 bb now, and 3 in all
            {"act": "call", "best": "fold", "equity": 0.34, "lost": 3.0, "method": "simulated", "acts": ACTS[:2]},
            "which is less; most of what a call loses goes into the pot later, when there are more bets.",
        ),
        (
            {"act": "bet", "to": 10.0, "best": "check", "best_to": None, "acts": made(2)},
            "A bet of 10 bb makes everybody fold 40% of the time, and a check lets weaker hands go on or bet.",
        ),
        ({"lost": 0.0}, ""),
    ],
)
def test_why_it_was_better(options, words):
    assert words in why_words(replace(FOLD, **options))
    if words:
        assert why_words(replace(FOLD, **options)) in study_page(study(replace(FOLD, **options)))


def test_an_exact_value_has_no_part_of_trials():
    """The ranges alone can be off, but for the deals of an all-in against several."""
    assert act_cells(FOLD) == [
        ("fold", "+0.00", "", "exact", "made"),
        ("call", "+21.20", "± 0.40", "exact (ranges 0.40)", ""),
        ("raise to 60 bb", "not known", "", "simulated (trials 1.00, ranges 1.00, menu 1.00)", ""),
    ]
    dealt = replace(FOLD, acts=({**ACTS[1], "of_method": 0.3, "error": 0.5},))
    assert act_cells(dealt)[0][2:4] == ("± 0.50", "exact (deals 0.30, ranges 0.40)")


def test_nobody_knows_the_kind_of_pot_before_the_flop():
    """A hand that has four raises in the end had one when somebody called."""
    assert "BTN, 3-bet pot: AhKh on Qs7h2cKd" in study_text(study(FOLD))
    text = study_text(study(replace(FOLD, street="pre-flop", board="", pot_type="5-bet")))
    assert "pre-flop, BTN: AhKh, 14.45 to call" in text


def test_a_player_who_is_not_known_is_not_answered():
    evs = [0.0, 20.0, 25.5]
    known = replace(FOLD, against={"evs": evs, "equilibrium": evs, "confidence": 0.01, "risk": 0.0})
    assert how_words(known) == how_words(FOLD)


def test_the_whole_in_words():
    text = study_text(study(CLOSE, FOLD, RIGHT, UNSEEN))
    assert "1 hand, 4 decisions: won -4.0 bb, +3.0 by all-in EV" in text
    assert "luck of the cards after all-ins was -7.0" in text
    assert "1 mistake lost 21.2 bb (20.8 to 21.6), 2120.0 bb per 100 hands." in text
    assert "Cannot tell: 2 decisions, 1 of them not judged; the others lost 0.8 bb at most." in text
    assert text.endswith("\nNot judged\n  hand 7, action 8: nobody has been seen to answer at such a price")
    assert "Cannot tell: 1 decision, which lost 0.8 bb at most." in study_text(study(CLOSE))
    assert "Cannot tell: 1 decision, 1 of them not judged.\n" in study_text(study(UNSEEN))
    assert "hand 7, action 3: Big mistake: folding" in text
    assert "action 5" not in text  # no list is filled with what is no mistake
    likely = replace(CLOSE, word="probably a mistake")
    assert "Probably mistakes\n  1. hand 7, action 5: Probably a mistake" in study_text(study(likely))
    assert "folded too much" in text
    assert "No mistakes." in study_text(study(RIGHT))
    assert "cards are not known" in study_text(study(known=False))
    assert "ICM" in study_text(study(RIGHT, tournament=True))
    two = Study([*study(RIGHT).hands, *study(RIGHT, hero="Zed").hands, *study(RIGHT, hero="Zed").hands])
    said = "These are hands of several players, added up: Zed (2), <Hero> (1); --hero NAME studies one."
    assert said in study_text(two)
    assert "several players" not in study_text(study(RIGHT))
    limit = replace(FOLD, position="middle")  # as positions of limit are called
    assert "1 mistake lost 21.2 sb (20.8 to 21.6), 2120.0 sb per 100 hands." in study_text(study(limit))
    assert not re.search(r"\bbb\b", study_text(study(limit)))
    assert re.findall(r"(?:EV|lost), (\w+)<", study_page(study(limit))) == ["sb"] * 6
    assert "2 mistakes lost 42.4 bets" in study_text(study(FOLD, limit))
    assert "Casey\\x1b[31m only (47 hands)" in study_text(study(named(ALONE, "Casey\x1b[31m")))  # steers no terminal
    assert "The worst" not in study_text(study(RIGHT))


def test_a_command_may_be_copied():
    """Whatever the player and the file are called."""
    decision = replace(FOLD, hero="Big Al", file="my hands.txt")
    page = html.unescape(study_page(study(decision)))
    assert "pokermodel read 'my hands.txt' --hand 7 --hero 'Big Al'" in page


def test_every_decision_as_csv():
    rows = list(csv.DictReader(io.StringIO(study_csv(study(CLOSE, FOLD, UNSEEN)))))
    assert [row["index"] for row in rows] == ["3", "5", "8"]
    assert rows[0]["lost"] == "21.2"
    assert rows[2]["lost"] == ""


def test_the_page_explains_the_worst_and_escapes_names():
    likely = replace(CLOSE, word="probably a mistake")
    page = study_page(study(FOLD, likely, RIGHT, UNSEEN))
    assert page.isascii()
    assert "<Hero>" not in page.replace("<bdi", "")
    assert "&lt;Hero&gt;" in page
    assert "Bob &amp; Co: 37% of what reached this point" in page
    assert page.count('class="verdict"') == 2
    assert page.index("Hand 7, action 3") < page.index("Hand 7, action 5")
    assert "not known" in page  # what a raise is worth that nobody has been seen to answer
    assert study_page(study(FOLD, CLOSE), 1).count('class="verdict"') == 1
    assert "No mistakes." in study_page(study(RIGHT))
