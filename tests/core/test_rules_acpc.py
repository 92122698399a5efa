"""The rules of no limit against the dealer of the Annual Computer Poker Competition: its logs, act by act."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pokermodel.game import Act, Action, BettingStructure, GameSpec, Hand, State

ACTS = {"f": Act.FOLD, "c": Act.CALL, "r": Act.RAISE}
LOGS = {
    "acpc-dealer/2p.nolimit.log": 300,
    "acpc-dealer/3p.nolimit.log": 200,
    "acpc-random/2p.nolimit.h1000.r0.log": 1_000,
}


def states(log: Path) -> Iterator[tuple[str, str, str, list[float]]]:
    """Number, betting, cards and payoffs of each hand."""
    for line in log.read_text().splitlines():
        if line.startswith("STATE:"):
            _, number, betting, cards, payoffs, _ = line.split(":")
            yield number, betting, cards, [float(payoff) for payoff in payoffs.split("|")]


def played(spec: GameSpec, betting: str) -> tuple[list[Action], list[int]]:
    """The actions of a hand, and the amounts over the hand that the log has for raises."""
    state = State(spec)
    actions, amounts = [], []
    for letter, amount in re.findall(r"([fcr])(\d*)", betting):
        to = None
        if letter == "r":
            amounts.append(int(amount))
            to = amounts[-1] - state.round_base
        assert ACTS[letter] in state.legal()
        actions.append(Action(state.seat, ACTS[letter], to=to))
        state.act(ACTS[letter], to)
    assert state.over
    return actions, amounts


@pytest.mark.parametrize(("log", "hands"), LOGS.items())
def test_every_hand_is_paid_as_the_dealer_paid_it(data_dir: Path, log: str, hands: int) -> None:
    players = int(Path(log).name[0])
    blinds = ".reverse_blinds" if players == 2 else ""
    spec = GameSpec.from_acpc((data_dir / f"acpc-random/holdem.nolimit.{players}p{blinds}.game").read_text())
    assert spec.structure is BettingStructure.NO_LIMIT
    assert spec.stacks == (20_000,) * players
    number = sizes = showdowns = 0
    for id_, betting, cards, stated in states(data_dir / log):
        actions, amounts = played(spec, betting)
        holdings, *board = cards.split("/")
        hand = Hand(
            "acpc",
            id_,
            spec,
            [f"p{seat}" for seat in range(players)],
            actions,
            "".join(board),
            dict(enumerate(holdings.split("|"))),
            stated_payoffs=stated,
        )
        assert hand.payoffs == pytest.approx(stated, abs=1e-6)
        raises = [decision for decision in hand.replay() if decision.act == Act.RAISE]
        assert [decision.to_in_hand for decision in raises] == amounts
        for decision in raises:
            least, most = decision.raise_range
            assert least <= decision.to <= most
        number += 1
        sizes += len(set(amounts))
        showdowns += len(hand.shown) > 1
    assert number == hands
    assert sizes > hands
    assert showdowns > hands / 4
