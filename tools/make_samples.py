"""Make the hands that ship with the package: two sessions of forty hands at a table of six, and a match of 3,000.

    python tools/make_samples.py

Players of different temper play by rules of thumb: charts before the flop, and after it the chance to be ahead and to
come from behind, with sizes, bluffs and mistakes that are drawn. One session is no limit and one is limit, written as
PokerStars does for one of the players, the hero. The last hand of no limit is arranged: on the river the hero calls a
bet with nothing. The match is heads-up no limit, written as the dealer of the ACPC does and compressed, with the cards
of one player and those of showdowns. The other player, Kit, folds too much to bets on the turn. The same seed gives the
same bytes.
"""

from __future__ import annotations

import argparse
import lzma
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path

import numpy as np

import pokermodel as pm
from pokermodel.cards import card_indices, cards_text, holding_index
from pokermodel.evaluation.preflop import income_shares
from pokermodel.game import Act, Decision, GameSpec, LiveHand, Situation
from pokermodel.game.pots import uncalled
from pokermodel.histories import acpc

DATA = Path(pm.__file__).parent / "data" / "samples"
HERO = "Robin"
HANDS, MATCH_HANDS = 40, 3000
BOARDS = (0, 3, 4, 5)
STREETS = ("HOLE CARDS", "FLOP", "TURN", "RIVER")
SHARES = income_shares()


@dataclass(frozen=True)
class Arranged:
    """An arranged hand: cards by name, the board, and all actions with the amounts that are raised to."""

    held: dict[str, str]
    board: str
    acts: tuple[tuple[Act, int | None], ...]


@dataclass(frozen=True)
class Temper:
    """How somebody plays.

    Attributes
    ----------
    width : float
        How many holdings they play, by those of a careful player.
    force : float
        How often they bet and raise where others check and call.
    hold : float
        How much less than the price asks they call with, as a share of the pot.
    bluffs : float
        Of the holdings that are worth nothing, the share that they bet.
    fear : float
        How much more than the price asks they need to call a bet on the turn, as a share of the pot.
    """

    width: float
    force: float
    hold: float
    bluffs: float
    fear: float = 0.0


REGULAR = Temper(1.0, 0.75, 0.0, 0.3)
CAREFUL = Temper(0.7, 0.6, -0.05, 0.12)
CALLING = Temper(2.2, 0.25, 0.14, 0.05)
WILD = Temper(1.7, 0.95, 0.04, 0.5)
TIMID = Temper(1.0, 0.6, 0.06, 0.25, fear=0.3)
NO_LIMIT = {HERO: REGULAR, "Ash": CAREFUL, "Blake": CALLING, "Casey": WILD, "Drew": REGULAR, "Ellis": CALLING}
LIMIT = {HERO: REGULAR, "Flint": WILD, "Gale": CALLING, "Hollis": CAREFUL, "Indigo": CALLING, "Jules": REGULAR}
FOLD, CALL = (Act.FOLD, None), (Act.CALL, None)
# the hero calls a bet on the river with a straight draw that came to nothing
RIVER_CALL = Arranged(
    {HERO: "6s5s", "Ellis": "Ac9c"},
    "Kh9s4d2dAd",
    (
        *((Act.RAISE, 250), FOLD, FOLD, FOLD, FOLD, CALL),
        *(CALL, (Act.RAISE, 275), CALL),
        *(CALL, CALL),
        *((Act.RAISE, 550), CALL),
    ),
)
MATCH = {"Sam": REGULAR, "Kit": TIMID}
# who opens how many holdings, by how many players act behind them before the flop
OPENS = {5: 0.15, 4: 0.19, 3: 0.26, 2: 0.42, 1: 0.36, 0: 0.3}


def _bet(situation: Situation) -> int:
    """What the player would have put in in this round after a call."""
    return situation.in_round + situation.to_call


class Played:
    """A hand that was played: how it went, the cards of everybody, and who won what after the rake."""

    def __init__(self, live: LiveHand, held: dict[int, tuple[int, int]], board: tuple[int, ...]) -> None:
        self.live, self.held = live, held
        end = live.state
        self.streets = 4 if end.showdown else end.round + 1
        self.board = board[: BOARDS[self.streets - 1]]
        self.back = uncalled(end)
        self.pot = end.pot - sum(self.back)
        seats = range(len(live.players))
        self.ranks = [pm.evaluate((*held[seat], *board)) for seat in seats]
        # no flop, no drop; a twentieth, 3 dollars at most; none in a match
        self.rake = min(self.pot // 20, 300) if self.streets > 1 and len(seats) > 2 else 0
        paid = end.payoffs(self.ranks) if end.showdown else end.payoffs()
        got = [int(x) + chips for x, chips in zip(paid, end.committed, strict=True)]
        largest = max(seats, key=lambda seat: got[seat] - self.back[seat])
        got[largest] -= self.rake
        self.won = got


class Table:
    """A table of six, whose players keep their seats and chips.

    Parameters
    ----------
    tempers : dict of str to Temper
        The players, in the order of their seats.
    limit : bool
        Whether bets have no sizes.
    rng : Generator
    """

    def __init__(self, tempers: dict[str, Temper], limit: bool, rng: np.random.Generator) -> None:
        self.tempers = tempers
        self.limit = limit
        self.rng = rng
        self.acts: list[tuple[Act, int | None]] = []  # of an arranged hand, still to come
        self.small, self.big = (100, 200) if limit else (50, 100)  # cents
        self.start = (80 if limit else 100) * (2 * self.big if limit else self.big)
        self.chips = {name: int(self.start * rng.uniform(0.6, 1.3)) // 25 * 25 for name in tempers}

    def play(self, number: int, button: int, arranged: Arranged | None = None) -> Played:
        """Play a hand, and pay it."""
        names = list(self.tempers)
        names = names[button + 1 :] + names[: button + 1]
        for name in names:
            if self.chips[name] < self.start * 0.4:
                self.chips[name] = self.start
        stacks = [self.chips[name] for name in names]
        if self.limit:
            spec = GameSpec.ring(6, self.small, self.big)
        else:
            spec = GameSpec.no_limit(6, self.small, self.big, stacks=stacks)
        deck = self.rng.permutation(52).tolist()
        held = {seat: (deck[2 * seat], deck[2 * seat + 1]) for seat in range(6)}
        live, board = LiveHand(spec, names, source="PokerStars", hand_id=str(number), stacks=stacks), tuple(deck[12:17])
        self.acts = list(arranged.acts) if arranged else []
        if arranged:
            shown = {names.index(name): card_indices(cards) for name, cards in arranged.held.items()}
            board = card_indices(arranged.board)
            rest = [card for card in deck if card not in {*board, *chain(*shown.values())}]
            held = {seat: shown.get(seat) or (rest.pop(), rest.pop()) for seat in range(6)}
        played = self._played(live, held, board)
        for seat, won in enumerate(played.won):
            self.chips[names[seat]] += won - live.state.committed[seat]
        return played

    def _played(self, live: LiveHand, held: dict[int, tuple[int, int]], board: tuple[int, ...]) -> Played:
        live.deal(board)
        while not live.state.over:
            situation = live.situation()
            live.act(*self._choose(situation, held[situation.seat]))
        return Played(live, held, board)

    def _choose(self, situation: Situation, cards: tuple[int, int]) -> tuple[Act, int | None]:
        """What the player does."""
        if self.acts:
            return self.acts.pop(0)
        temper = self.tempers[situation.player]
        if situation.round == 0:
            wish, size = self._before_the_flop(situation, temper, cards)
        else:
            wish, size = self._after_it(situation, temper, cards)
        if wish == Act.RAISE and Act.RAISE not in situation.legal:
            wish = Act.CALL
        if wish == Act.FOLD and not situation.to_call:
            wish = Act.CALL
        if wish != Act.RAISE or self.limit:
            return wish, None
        least, most = situation.least_raise, situation.most_raise
        to = round(size / (self.big // 4)) * (self.big // 4)
        to = min(max(to, least), most)
        return wish, most if to > 0.7 * most else to

    def _before_the_flop(self, situation: Situation, temper: Temper, cards: tuple[int, int]) -> tuple[Act, float]:
        best = 1.0 - float(SHARES[holding_index(cards)]) + self.rng.normal(0.0, 0.015)  # 0 is the best holding
        raises = situation.num_bets - 1
        behind = 5 - (situation.seat - 2) % 6
        limped = raises == 0 and situation.pot > 1.5 * self.big + self.small
        if raises == 0:
            width = temper.width * OPENS[behind]
            if best < width * (0.5 + temper.force / 2) or (best < width and temper.force > 0.5):
                return Act.RAISE, self.big * (3.0 if self.rng.random() < 0.4 else 2.5) + (self.big if limped else 0)
            return (Act.CALL if best < width and (temper.force < 0.5 or limped) else Act.FOLD), 0.0
        if raises == 1:
            if best < 0.05 * (0.6 + temper.force) or self.rng.random() < 0.04 * temper.bluffs:
                return Act.RAISE, 3.2 * _bet(situation)
            call = 0.17 * temper.width * (2.0 if situation.seat == 1 else 1.0)
            return (Act.CALL if best < call else Act.FOLD), 0.0
        if best < 0.022 / raises + 0.004:
            return Act.RAISE, 2.4 * _bet(situation)
        return (Act.CALL if best < 0.06 * temper.width / raises else Act.FOLD), 0.0

    def _after_it(self, situation: Situation, temper: Temper, cards: tuple[int, int]) -> tuple[Act, float]:
        board, others = situation.board, len(situation.active) - 1
        ahead = pm.hand_strength(cards, board) ** others
        behind = pm.evaluation.hand_potential(cards, board).ppot if situation.round < 3 else 0.0
        worth = ahead + (1 - ahead) * behind + self.rng.normal(0.0, 0.04)
        pot, owed = situation.pot, situation.to_call
        sizes = [0.33, 0.5, 0.66, 0.75, 1.0]
        part = sizes[min(4, max(0, int(self.rng.normal(2.0 + 1.5 * (worth - 0.6), 1.0))))]
        if not owed:
            value = worth > 0.72 - 0.12 * temper.force and self.rng.random() < 0.5 + temper.force / 2
            bluff = worth < 0.45 and self.rng.random() < temper.bluffs * (0.55 if others == 1 else 0.2)
            return (Act.RAISE if value or bluff else Act.CALL), _bet(situation) + part * pot
        price = owed / (pot + owed)
        raised = situation.num_bets
        if worth > 0.9 + 0.03 * raised and self.rng.random() < (0.2 + temper.force / 2) / raised:
            return Act.RAISE, _bet(situation) + (0.6 + 0.3 * self.rng.random()) * (pot + owed)
        need = price + 0.12 + 0.1 * raised + 0.1 * (owed > pot / 3) - temper.hold
        if behind > 0.17 and situation.round < 3:
            need -= 0.08
        if situation.round == 2:
            need += temper.fear
        return (Act.CALL if worth > need else Act.FOLD), 0.0


class Match(Table):
    """A match of two, each hand of it with new stacks of 200 big blinds."""

    def __init__(self, tempers: dict[str, Temper], rng: np.random.Generator) -> None:
        super().__init__(tempers, False, rng)
        self.spec = acpc.usual_game(2, "no limit")
        self.small, self.big = 50, 100

    def play(self, number: int, button: int) -> Played:
        """Play a hand. The first seat has the big blind."""
        names = list(self.tempers)[:: -1 if button else 1]
        live = LiveHand(self.spec, names, source="ACPC", hand_id=str(number), stacks=self.spec.stacks)
        deck = self.rng.permutation(52).tolist()
        return self._played(live, {0: (deck[0], deck[1]), 1: (deck[2], deck[3])}, tuple(deck[4:9]))

    def _before_the_flop(self, situation: Situation, temper: Temper, cards: tuple[int, int]) -> tuple[Act, float]:
        best = 1.0 - float(SHARES[holding_index(cards)]) + self.rng.normal(0.0, 0.015)
        raises = situation.num_bets - 1
        opens, calls = (0.8, 0.62, 0.3, 0.1), (1.0, 0.66, 0.42, 0.2)  # by the raises before
        if best < temper.width * (opens[raises] if not raises else 0.09 / raises) and raises < 3:
            return Act.RAISE, 2.5 * self.big if not raises else 3.2 * _bet(situation)
        return (Act.CALL if best < temper.width * calls[min(raises, 3)] and raises else Act.FOLD), 0.0


# ------------------------------------------------------------------------------------------- as PokerStars writes


def _money(cents: int) -> str:
    return f"${cents // 100}" if cents % 100 == 0 else f"${cents / 100:.2f}"


def _cards(cards: tuple[int, ...]) -> str:
    text = cards_text(cards)
    return " ".join(text[k : k + 2] for k in range(0, len(text), 2))


def text_of(played: Played, table: Table, places: list[str], number: int, when: datetime) -> str:
    """A hand as text. `places` are the names by the seats of the table, from 1."""
    live, end, names = played.live, played.live.state, list(played.live.players)
    low, high = (table.big, 2 * table.big) if table.limit else (table.small, table.big)
    game = "Limit" if table.limit else "No Limit"
    stakes = f"{_money(low)}/{_money(high)} USD"
    lines = [
        f"PokerStars Hand #{number}: Hold'em {game} ({stakes}) - {when:%Y/%m/%d %H:%M:%S} ET",
        f"Table '{'Lyra' if table.limit else 'Cetus'}' 6-max Seat #{places.index(names[5]) + 1} is the button",
    ]
    for place, name in enumerate(places, 1):
        lines.append(f"Seat {place}: {name} ({_money(live.stacks[names.index(name)])} in chips)")
    lines.append(f"{names[0]}: posts small blind {_money(table.small)}")
    lines.append(f"{names[1]}: posts big blind {_money(table.big)}")
    lines.append("*** HOLE CARDS ***")
    hero = names.index(HERO)
    lines.append(f"Dealt to {HERO} [{_cards(played.held[hero])}]")
    street = 0
    left = dict(enumerate(live.stacks))
    left[0], left[1] = left[0] - table.small, left[1] - table.big
    for decision in live.decisions:
        while street < decision.round:
            street += 1
            lines.append(_street(street, played.board))
        left[decision.seat] -= decision.put_in
        lines.append(f"{decision.player}: {_done(decision)}{' and is all-in' if not left[decision.seat] else ''}")
    lines += [_street(later, played.board) for later in range(street + 1, played.streets)] if end.showdown else []
    for seat, chips in enumerate(played.back):
        if chips:
            lines.append(f"Uncalled bet ({_money(chips)}) returned to {names[seat]}")
    shown = _shown(played)
    if end.showdown:
        lines.append("*** SHOW DOWN ***")
        for seat in sorted(end.active, key=lambda each: (each - _first(played)) % 6):
            how = f"shows [{_cards(played.held[seat])}]" if seat in shown else "mucks hand"
            lines.append(f"{names[seat]}: {how}")
    collected = {seat: won - played.back[seat] for seat, won in enumerate(played.won) if won > played.back[seat]}
    lines += [f"{names[seat]} collected {_money(chips)} from pot" for seat, chips in collected.items()]
    if not end.showdown:
        (winner,) = collected
        lines.append(f"{names[winner]}: doesn't show hand")
    lines += ["*** SUMMARY ***", f"Total pot {_money(played.pot)} | Rake {_money(played.rake)}"]
    if played.board:
        lines.append(f"Board [{_cards(played.board)}]")
    for place, name in enumerate(places, 1):
        lines.append(_summary(place, name, names.index(name), played, shown, collected))
    return "\n".join(lines) + "\n\n\n"


def _street(street: int, board: tuple[int, ...]) -> str:
    before = "" if street == 1 else f"[{_cards(board[: BOARDS[street - 1]])}] "
    return f"*** {STREETS[street]} *** {before}[{_cards(board[BOARDS[street - 1] : BOARDS[street]])}]"


def _done(decision: Decision) -> str:
    name = decision.name
    if name in ("fold", "check"):
        return f"{name}s"
    if name in ("call", "bet"):
        return f"{name}s {_money(decision.put_in)}"
    to = decision.situation.in_round + decision.put_in
    return f"raises {_money(decision.put_in - decision.to_call)} to {_money(to)}"


def _first(played: Played) -> int:
    """Who shows first: who bet or raised last in the last round, else the first one to act."""
    rounds = [each for each in played.live.decisions if each.round == played.live.state.round]
    bets = [each.seat for each in rounds if each.act == Act.RAISE]
    return bets[-1] if bets else min(played.live.state.active)


def _shown(played: Played) -> set[int]:
    """Who shows: in turn, whoever is not beaten by what is seen; all of an all-in."""
    end = played.live.state
    if not end.showdown:
        return set()
    if end.round < 3:
        return set(end.active)
    shown, best = set(), 0
    for seat in sorted(end.active, key=lambda each: (each - _first(played)) % 6):
        if played.ranks[seat] >= best:
            shown.add(seat)
            best = played.ranks[seat]
    return shown


def _summary(place: int, name: str, seat: int, played: Played, shown: set[int], collected: dict[int, int]) -> str:
    role = {5: " (button)", 0: " (small blind)", 1: " (big blind)"}.get(seat, "")
    head = f"Seat {place}: {name}{role}"
    if seat not in played.live.state.active:
        fold = next(each for each in played.live.decisions if each.seat == seat and each.act == Act.FOLD)
        when = "before Flop" if fold.round == 0 else f"on the {STREETS[fold.round].title()}"
        free = " (didn't bet)" if not played.live.state.committed[seat] else ""
        return f"{head} folded {when}{free}"
    if not played.live.state.showdown:
        return f"{head} collected ({_money(collected[seat])})"
    if seat not in shown:
        return f"{head} mucked"
    won = f"won ({_money(collected[seat])})" if seat in collected else "lost"
    return f"{head} showed [{_cards(played.held[seat])}] and {won}"


def match(tempers: dict[str, Temper], seed: int) -> str:
    """Play a match, and return its log, with the cards of the first player, and of both at a showdown."""
    hero = next(iter(tempers))
    table = Match(tempers, np.random.default_rng(seed))
    lines = ["# name/game/hands/seed made.up holdem.nolimit.2p.reverse_blinds.game"]
    for number in range(MATCH_HANDS):
        played = table.play(number, number % 2)
        live, known = played.live, played.live.state.active if played.live.state.showdown else ()
        letters, street = "", 0
        for decision in live.decisions:
            letters += "/" * (decision.round - street)
            street = decision.round
            letters += f"r{decision.to_in_hand}" if decision.act == Act.RAISE else "fcr"[decision.act]
        letters += "/" * (played.streets - 1 - street)
        cards = [held if seat in known or live.players[seat] == hero else () for seat, held in played.held.items()]
        won = [got - put for got, put in zip(played.won, live.state.committed, strict=True)]
        lines.append(acpc.log_line(number, letters, cards, played.board, won, live.players))
    return "\n".join(lines) + "\n"


def session(tempers: dict[str, Temper], limit: bool, seed: int) -> str:
    """Play the hands of a session, and return them as text."""
    rng = np.random.default_rng(seed)
    table = Table(tempers, limit, rng)
    places = list(tempers)
    when = datetime(2026, 3, 14 if limit else 7, 20, 4, 11)
    parts, number = [], 260_300_000_000 + 7919 * seed
    for count in range(HANDS):
        arranged = RIVER_CALL if count == HANDS - 1 and not limit else None
        played = table.play(number, count % 6, arranged)
        parts.append(text_of(played, table, places, number, when))
        when += timedelta(seconds=int(rng.integers(35, 95)))
        number += int(rng.integers(900, 9000))
    return "".join(parts)


def main() -> None:
    """Write the sessions and the match among the package's data."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=DATA)
    given = parser.parse_args()
    for name, tempers, limit, seed in (("no-limit", NO_LIMIT, False, 8), ("limit", LIMIT, True, 11)):
        path = given.out / f"{name}.txt"
        path.write_text(session(tempers, limit, seed), encoding="ascii")
        print(path)
    path = given.out / "heads-up.log.xz"
    path.write_bytes(lzma.compress(match(MATCH, seed=5).encode(), preset=9 | lzma.PRESET_EXTREME))
    print(path)


if __name__ == "__main__":
    main()
