"""The ACPC's dealer: cards, rules, logs, and what it makes of players who misbehave."""

from __future__ import annotations

import io
import re
import socket
import threading
import time
from contextlib import contextmanager, suppress
from itertools import chain, repeat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokermodel.cards import cards_text
from pokermodel.game import Act, GameSpec
from pokermodel.histories import acpc, open_hands
from pokermodel.histories.acpc import usual_game
from pokermodel.tables.arena import Deal, play_hand
from pokermodel.tables.connect.acpc import (
    Deck,
    Listener,
    LocalSeat,
    MatchPlayer,
    PlayerError,
    SeatError,
    TimeLimits,
    deal_match,
    hand_seed,
    join_match,
    parse_state,
)
from pokermodel.tables.players import CommonKnowledge, Player, make_player
from tests.common.patience import PATIENCE

LIMIT, NO_LIMIT = usual_game(2), usual_game(2, "no limit")
LONG = TimeLimits(response=PATIENCE)


# -------------------------------------------------------------------------------------------------------- cards


def mersenne_twister(seed):
    """MT19937 as Matsumoto and Nishimura (1998) describe it, with the seeding of 2002."""
    words = [seed]
    for k in range(1, 624):
        words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + k) & 0xFFFFFFFF)
    while True:
        for k in range(624):
            mixed = words[k] & 0x80000000 | words[(k + 1) % 624] & 0x7FFFFFFF
            words[k] = words[(k + 397) % 624] ^ mixed >> 1 ^ (0x9908B0DF if mixed & 1 else 0)
        for word in list(words):
            word ^= word >> 11
            word ^= word << 7 & 0x9D2C5680
            word ^= word << 15 & 0xEFC60000
            yield word ^ word >> 18


def test_the_textbook_generator():
    generator = mersenne_twister(5489)
    assert [next(generator) for _ in range(10_000)][::9999] == [3499211612, 4123659995]  # of the C++ standard


@pytest.mark.parametrize(("seed", "players"), [(0, 2), (1, 3), (77, 10), (2**32 - 1, 6)])
def test_cards_follow_from_the_seed(seed, players):
    generator, deck = mersenne_twister(seed), Deck(seed)
    for _ in range(60):
        left = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
        cards = []
        for _ in range(2 * players + 5):
            at = next(generator) % len(left)
            cards.append(left[at])
            left[at] = left[-1]
            left.pop()
        dealt = deck.deal(players)
        assert [cards_text(holding) for holding in dealt.holdings] == [
            first + second for first, second in zip(cards[: 2 * players : 2], cards[1 : 2 * players : 2], strict=True)
        ]
        assert cards_text(dealt.board) == "".join(cards[2 * players :])


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seeds_of_decks(seed):
    with pytest.raises(ValueError, match="seed of a deck must be 0 to 4294967295"):
        Deck(seed)


# ------------------------------------------------------------------------------------- the competition's own logs


class Scripted:
    """A seat that answers with given acts, one after the other."""

    def __init__(self, name, acts):
        self.name, self.acts, self.told = name, acts, []

    def send(self, line, within):
        self.told.append(line)

    def read(self, within):
        return f"{self.told[-1]}:{next(self.acts)}"

    def close(self):
        pass


def scripted(players, text):
    """Seats that share a list of acts, in the order of the match."""
    acts = iter(re.findall(r"[fcr]\d*|\S", text))
    return [Scripted(f"p{k + 1}", acts) for k in range(players)]


def again(log, spec, limits):
    """Deal the match of a log again."""
    name, game, hands, seed = log.splitlines()[0].split()[2:]
    betting = [line.split(":")[2].replace("/", "") for line in log.splitlines() if line.startswith("STATE:")]
    found = io.StringIO()
    seats = scripted(spec.players, "".join(betting))
    deal_match(spec, seats, int(hands), int(seed), log=found, match=name, game=game, limits=limits)
    return found.getvalue(), seats


@pytest.mark.parametrize(
    ("log", "game"),
    [
        ("2p.limit", "holdem.limit.2p.reverse_blinds"),
        ("3p.limit", "holdem.limit.3p"),
        ("2p.nolimit", "holdem.nolimit.2p.reverse_blinds"),
        ("3p.nolimit", "holdem.nolimit.3p"),
    ],
)
def test_the_dealer_of_the_competition(data_dir, log, game):
    """The same seed and the same acts make the same log, to the last byte."""
    text = (data_dir / "acpc-dealer" / f"{log}.log").read_text()
    spec = GameSpec.from_acpc((data_dir / "acpc-random" / f"{game}.game").read_text())
    assert spec == usual_game(spec.players, "no limit" if "nolimit" in log else "limit")
    assert again(text, spec, TimeLimits(response=20))[0] == text


def test_the_messages_of_the_competition(data_dir):
    """What each seat was told in the first hands of a match whose messages are known."""
    import gzip

    folder = data_dir / "acpc-random"
    text = (folder / "2p.limit.h1000.r0.hands0-699.log").read_text()
    betting = [line.split(":")[2].replace("/", "") for line in text.splitlines() if line.startswith("STATE:")]
    seats = scripted(2, "".join(betting))
    found = io.StringIO()
    deal_match(LIMIT, seats, 700, 0, log=found)
    ours = [line for line in found.getvalue().splitlines() if line.startswith("STATE:")]
    assert ours == [line for line in text.splitlines() if line.startswith("STATE:")]
    with gzip.open(folder / "2p.limit.h1000.r0.hands0-699.actions.log.gz", "rt") as file:
        sent = [line.split() for line in file if line.startswith("TO ")]
    for number, seat in enumerate(seats, 1):
        assert seat.told == [words[-1] for words in sent if words[1] == str(number)]


# --------------------------------------------------------------------------------------------- made-up matches


def test_a_log_and_what_seats_are_told(tmp_path):
    seats = scripted(2, "crc cc cc cc rf")
    log = tmp_path / "match.log"
    with log.open("w") as file:
        score = deal_match(LIMIT, seats, 2, 11, log=file, match="match", game="some.game")
    assert log.read_text().splitlines() == [
        "# name/game/hands/seed match some.game 2 11",
        "#--t_response 600000",
        "#--t_hand 600000",
        "#--t_per_hand 7000",
        "STATE:0:crc/cc/cc/cc:3c4d|9d6c/6d7hAs/Ks/Td:-20|20:p1|p2",
        "STATE:1:rf:5c9c|Qc9h:-10|10:p2|p1",
        "SCORE:-10|10:p1|p2",
    ]
    assert (score.hands, score.chips, score.changed) == (2, [-10.0, 10.0], [0, 0])
    told = [seat.told for seat in seats]
    assert told[0][0] == "MATCHSTATE:0:0::3c4d|"
    assert told[1][3] == "MATCHSTATE:1:0:crc/:|9d6c/6d7hAs"
    assert told[0][9] == "MATCHSTATE:0:0:crc/cc/cc/cc:3c4d|9d6c/6d7hAs/Ks/Td"
    assert told[0][-1] == "MATCHSTATE:1:1:rf:|Qc9h"
    first, second = open_hands(log)
    assert first.payoffs == (-20, 20)
    assert second.players == ("p2", "p1")


@pytest.mark.parametrize(
    ("spec", "acts", "betting", "changed"),
    [
        (LIMIT, ["c", "f", "c", "c"], "cc/cc/", 1),  # nothing to fold to
        (LIMIT, ["r", "r", "r", "r", "f"], "rrrc/c", 2),  # over the cap, and nothing to fold to
        (LIMIT, ["r20", "call", "x", "", "f"], "rc/cc/", 3),
        (LIMIT, ["fold"], "f", 0),
        (NO_LIMIT, ["r", "c", "c", "c", "r", "f"], "cc/cc/", 3),
        (NO_LIMIT, ["r1", "r-5", "f"], "r200r300f", 2),  # least raises
        (NO_LIMIT, ["r99999", "f"], "r20000f", 1),
        (NO_LIMIT, ["r300", "r20000", "r20000"], "r300r20000c///", 1),
        (NO_LIMIT, ["r" + "9" * 40, "f"], "r20000f", 1),
        (usual_game(3, "no limit"), ["r5000", "r7000", "r8000", "f", "f"], "r5000r9900r14800ff", 2),
    ],
)
def test_acts_that_are_not_legal(spec, acts, betting, changed):
    said = []
    acts = iter([*acts, *20 * ["c"]])
    log = io.StringIO()
    score = deal_match(spec, [Scripted(f"p{k}", acts) for k in range(spec.players)], 1, 0, log=log, say=said.append)
    assert f"STATE:0:{betting}" in log.getvalue()
    assert sum(score.changed) == len(said) >= changed
    assert all(re.match(r"hand 0: seat [123], p[012], (answered|raised)", text) for text in said)


def test_a_player_of_ours_at_a_table_of_another_game():
    seats = [LocalSeat(MatchPlayer(make_player("call"), name=name, game=usual_game(3))) for name in "ab"]
    with pytest.raises(
        SeatError, match="hand 0: seat 1, a refuses what it is told: hand 0: 2 players, and this is a ga"
    ):
        deal_match(LIMIT, seats, 1, 0)
    for seat in seats:
        seat.close()


answers = st.lists(st.text("fcrx0129-:", max_size=6) | st.from_regex(r"[fcr][0-9]{0,6}", fullmatch=True), max_size=40)


@settings(max_examples=40)
@given(st.sampled_from([LIMIT, NO_LIMIT, usual_game(3, "no limit")]), answers, st.integers(0, 2**32 - 1))
def test_whatever_is_answered_the_log_keeps_the_rules(spec, texts, seed):
    """And the payoffs, which are compared when it is read."""
    acts = chain(texts, repeat("c"))
    log = io.StringIO()
    game = "nolimit" if spec.structure != "limit" else "limit"
    score = deal_match(spec, [Scripted(f"p{k}", acts) for k in range(spec.players)], 3, seed, log=log, game=game)
    hands = list(acpc.hands(Path("log"), io.BufferedReader(io.BytesIO(log.getvalue().encode()))))
    assert len(hands) == 3
    assert sum(score.chips) == pytest.approx(0)
    won = dict.fromkeys(score.names, 0.0)
    for hand in hands:
        for name, payoff in zip(hand.players, hand.payoffs, strict=True):
            won[name] += payoff
    assert list(won.values()) == pytest.approx(score.chips)


def test_little_is_said_of_each_seat():
    said = []
    deal_match(LIMIT, [Scripted("a", iter(40 * "x")), Scripted("b", iter(40 * "c"))], 3, 0, say=said.append)
    assert len(said) == 10
    assert said[-1].endswith("(no more is said of this seat)")


def test_stacks_that_no_game_bounds():
    spec = GameSpec.from_acpc(NO_LIMIT.to_acpc().replace("stack = 20000 20000\n", ""))
    log = io.StringIO()
    deal_match(spec, scripted(2, "r5000 r99999999999 c ccc ccc"), 1, 0, log=log)
    assert "STATE:0:r5000r2147483647c/cc/cc/cc:" in log.getvalue()


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"spec": GameSpec.pot_limit(2, 1, 2)}, "cannot be pot limit"),
        ({"spec": usual_game(3)}, "a game of 3 players, and 2 sit at the table"),
        ({"hands": 0}, "1 hand or more"),
        ({"seats": [Scripted("a", None), Scripted("a", None)]}, "different names, got a, a"),
        ({"seats": [Scripted("a b", None), Scripted("c", None)]}, "the name 'a b' cannot be in a log"),
        ({"seats": [Scripted("a:b", None), Scripted("c", None)]}, "the name 'a:b' cannot be in a log"),
    ],
)
def test_matches_that_cannot_be(change, what):
    match = {"spec": LIMIT, "seats": scripted(2, ""), "hands": 1, "seed": 0, **change}
    with pytest.raises(ValueError, match=what):
        deal_match(**match)


# ---------------------------------------------------------------------------------------------- our players


@contextmanager
def seated(kinds, spec, seed=1, remote=()):
    """Seats at a table, some of them at the other end of a connection; and what those came to."""
    players = [MatchPlayer(make_player(kind), name=f"p{k}", game=spec, seed=seed) for k, kind in enumerate(kinds)]
    listeners = {k: Listener(f"p{k}") for k in remote}
    results = {}

    def join(k):
        results[k] = join_match("127.0.0.1", listeners[k].port, players[k])

    threads = [threading.Thread(target=join, args=(k,)) for k in remote]
    for thread in threads:
        thread.start()
    seats = [listeners[k].accept(PATIENCE) if k in remote else LocalSeat(player) for k, player in enumerate(players)]
    yield seats, results
    for seat in seats:
        seat.close()
    for thread in threads:
        thread.join(PATIENCE)
    for player in players:
        player.close()


def in_the_arena(kinds, spec, hands, seed, cards):
    """The same match in the arena: chips by seat, and the acts of each hand."""
    deck, common = Deck(cards), CommonKnowledge()
    players = [make_player(kind) for kind in kinds]
    chips, acts = [0.0] * len(kinds), []
    for number in range(hands):
        seats = [(position + number) % len(kinds) for position in range(len(kinds))]
        dealt = deck.deal(len(kinds))
        deal = Deal(tuple((max(pair), min(pair)) for pair in dealt.holdings), dealt.board)
        names, sitting = [f"p{k}" for k in seats], [players[k] for k in seats]
        about = {"hand_id": str(number), "entropy": hand_seed(seed, number), "common": common}
        played = play_hand(spec, names, sitting, deal, **about)
        for seat, won in zip(seats, played.payoffs, strict=True):
            chips[seat] += won
        acts.append(tuple((decision.act, decision.to_in_hand) for decision in played.decisions))
    return chips, acts


@pytest.mark.parametrize(
    ("kinds", "structure", "hands"),
    [
        (("loki2:br", "som"), "limit", 12),
        (("random", "raise"), "no limit", 60),
        (("bpp", "call", "random"), "limit", 12),
        (("random", "random", "call"), "no limit", 40),
        (("random", "call", "bpl", "raise", "random", "gom"), "limit", 10),
        (("random", "call", "raise", "random", "random", "call"), "no limit", 20),
    ],
)
def test_a_match_over_connections_is_one_in_the_arena(kinds, structure, hands):
    """Two clients of ours, the others in the dealer's process; twice, with the same log."""
    spec = usual_game(len(kinds), structure)
    chips, acts = in_the_arena(kinds, spec, hands, 1, cards=7)
    logs = []
    for remote in ((0, 1), (0, len(kinds) - 1)):
        log = io.StringIO()
        with seated(kinds, spec, remote=remote) as (seats, results):
            score = deal_match(spec, seats, hands, 7, log=log)
        logs.append(log.getvalue())
        assert score.chips == pytest.approx(chips)
        assert score.changed == [0] * len(kinds)
        for k in remote:
            assert results[k].chips == pytest.approx(chips[k])
            assert results[k].complete
            assert results[k].reason == f"the dealer closed the connection after {hands} hands"
    assert logs[0] == logs[1]
    betting = [line.split(":")[2] for line in logs[0].splitlines() if line.startswith("STATE:")]
    assert len(betting) == len(acts) == hands
    for text, done in zip(betting, acts, strict=True):
        fixed = spec.structure.fixed
        letters = ["fcr"[act] + (str(amount) if act == Act.RAISE and not fixed else "") for act, amount in done]
        assert text.replace("/", "") == "".join(letters)


def test_a_player_of_ours_who_fails_ends_the_match():
    class Failing(Player):
        def act(self, view):
            raise RuntimeError("no")

    seats = [
        LocalSeat(MatchPlayer(player, name=name)) for player, name in ((make_player("call"), "a"), (Failing(), "b"))
    ]
    with pytest.raises(PlayerError, match="player b failed in hand 0: RuntimeError: no"):
        deal_match(LIMIT, seats, 1, 0)
    for seat in seats:
        seat.close()


# ----------------------------------------------------------------------------------------------------- bad peers


class Peer:
    """A program at the other end, which does what a test says."""

    def __init__(self, connection):
        self.connection = connection
        self.file = connection.makefile("rb")

    def send(self, text):
        self.connection.sendall(text if isinstance(text, bytes) else text.encode())

    def line(self):
        return self.file.readline().decode().removesuffix("\r\n")

    def turn(self):
        """The next message in which it is the peer's turn, in a hand of calls; None at the end."""
        while line := self.line():
            state = parse_state(line)
            acts = sum(map(len, state.rounds))
            last = acts == 8 or state.rounds[-1][-1:] == ((Act.FOLD, None),)
            first = 1 if len(state.rounds) == 1 else 0
            if not last and (first + len(state.rounds[-1])) % 2 == state.position:
                return line
        return None


def met(script, *, limits=LONG, hands=3, version=True, within=PATIENCE):
    """A match of a program and a caller: what the dealer said, the log, the score and the error."""
    listener = Listener("peer")

    def run():
        with suppress(OSError), socket.create_connection(("127.0.0.1", listener.port), timeout=PATIENCE) as connection:
            peer = Peer(connection)
            with peer.file:
                if version:
                    peer.send("VERSION:2.0.0\r\n")
                script(peer)

    thread = threading.Thread(target=run)
    thread.start()
    said, log, score, error = [], io.StringIO(), None, None
    ours = MatchPlayer(make_player("call"), name="ours")
    seat = None
    try:
        seat = listener.accept(within, said.append)
        score = deal_match(LIMIT, [LocalSeat(ours), seat], hands, 0, log=log, limits=limits, say=said.append)
    except SeatError as reason:
        error = str(reason)
    if seat is not None:
        seat.close()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    ours.close()
    assert error is None or (len(error) < 200 and "\n" not in error)
    assert log.getvalue().count("SCORE") == (score is not None)
    return said, log.getvalue(), score, error


def call(peer):
    while line := peer.turn():
        peer.send(line + ":c\r\n")


def test_a_peer_that_calls():
    said, _, score, error = met(call)
    assert (said, error, score.hands) == ([], None, 3)


@pytest.mark.parametrize(
    ("first", "what"),
    [
        (b"HELLO\r\n", "peer sent 'HELLO': expected VERSION:2.0.0 first"),
        (b"\r\n", "peer sent '': expected VERSION:2.0.0"),
        (b"\x16\x03\x01\x02\n", "expected VERSION:2.0.0"),
        (b"VERSION:2.0.0", "closed in the middle of a line: 'VERSION:2.0.0'"),
        (b"", "peer closed the connection"),
        (b"x" * 200_000, "bytes without the end of a line: expected at most 65,536"),
    ],
)
def test_what_is_no_player(first, what):
    assert what in met(lambda peer: peer.send(first), version=False)[3]


def test_a_peer_that_says_nothing():
    _, _, _, error = met(lambda peer: peer.line(), version=False, within=0.1)
    assert error == "peer sent no version of the protocol within 0.1 s"
    with pytest.raises(SeatError, match=r"nobody has not connected within 0\.05 s"):
        Listener("nobody").accept(0.05)


def test_another_version():
    def script(peer):
        peer.send("VERSION:1.0.0\n")
        call(peer)

    said, _, score, error = met(script, version=False)
    assert said == ["peer speaks VERSION:1.0.0, and this is a dealer of VERSION:2.0.0: the match goes on"]
    assert (error, score.hands) == (None, 3)


def test_comments_second_versions_old_states_and_other_ways_to_write():
    """All of these are skipped, and the answer behind them counts."""

    def script(peer):
        old = []
        while line := peer.turn():
            peer.send("# a comment\r\n; another\n")
            peer.send("VERSION:2.0.0\r\n" if not old else f"{old[-1]}:f\r\n")
            old.append(line)
            head, position, number, rest = line.split(":", 3)
            peer.send(f"{head}:0{position}:00{number}:{rest}:c\n")

    said, log, score, error = met(script)
    assert said == ["hand 0: seat 2, peer, sent 'VERSION:2.0.0': expected an answer to a state, skipped"]
    assert (error, score.hands, score.changed) == (None, 3, [0, 0])
    assert log.count("cc/cc/cc/cc") == 3


def test_garbage_ends_the_match():
    def script(peer):
        peer.turn()
        peer.send("no sense\r\n" * 2000)
        peer.line()

    said, _, _, error = met(script, limits=TimeLimits())
    assert error == "hand 0: seat 2, peer sent 1,000 lines that are no answers: the match ends without a score"
    assert len(said) == 10


def test_a_half_line_and_silence():
    def script(peer):
        line = peer.turn()
        peer.send(line[:9])
        peer.line()

    assert "hand 0: seat 2, peer has not answered within 0.2 s" in met(script, limits=TimeLimits(response=0.2))[3]


def test_a_line_in_pieces():
    def script(peer):
        while line := peer.turn():
            for k in range(0, len(line), 9):
                peer.send(line[k : k + 9])
            peer.send(":c\r")
            peer.send("\n")

    assert met(script)[2].hands == 3


@pytest.mark.parametrize("limits", [TimeLimits(hand=0.15), TimeLimits(per_hand=0.1), TimeLimits(response=0.05)])
def test_delays(limits):
    """They add up, over the hand and over the match."""

    def script(peer):
        while line := peer.turn():
            time.sleep(0.07)
            peer.send(line + ":c\r\n")

    _, log, _, error = met(script, limits=limits)
    assert re.fullmatch(
        r"hand [01]: seat 2, peer has not answered within [\d.]+ s: the match ends without a score", error
    )
    assert log.count("STATE") == int(error[5])


def test_closed_connections():
    def at_once(peer):
        peer.turn()

    def in_a_line(peer):
        peer.send(peer.turn()[:5])

    def between_hands(peer):
        for _ in range(4):
            peer.send(peer.turn() + ":c\r\n")
        peer.line()

    assert "hand 0: seat 2, peer closed the connection" in met(at_once)[3]
    assert "hand 0: seat 2, peer: closed in the middle of a line: 'MATCH'" in met(in_a_line)[3]
    _, log, _, error = met(between_hands)
    assert "hand 1: seat 2, peer closed the connection" in error
    assert log.count("STATE") == 1


def test_a_hundred_megabytes_without_the_end_of_a_line():
    sent = 0

    def script(peer):
        nonlocal sent
        peer.turn()
        block = b"x" * (1 << 20)
        for _ in range(100):
            peer.send(block)
            sent += len(block)

    _, _, _, error = met(script, limits=TimeLimits())
    assert re.search(r"hand 0: seat 2, peer: \d+,\d+ bytes without the end of a line: expected at most 65,536", error)
    assert sent < 20 << 20  # what the connection keeps; no more was read


def send_on(seat):
    for _ in range(10**5):
        seat.send("x" * 10_000, 0.1)


def test_a_peer_that_does_not_read():
    """Its messages pile up in the connection, and then the match ends."""
    listener = Listener("peer")
    with socket.create_connection(("127.0.0.1", listener.port)) as connection:
        connection.sendall(b"VERSION:2.0.0\r\n")
        seat = listener.accept(PATIENCE)
        with pytest.raises(SeatError, match=r"peer has not read its messages for 0\.1 s"):
            send_on(seat)
        seat.close()
