"""Subgames: what is said of them, and what is refused."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from pokermodel.solving import Menu, Solution, Subgame, solve
from pokermodel.solving.menu import read_size
from pokermodel.weights import WeightTable

SPOT = """
board = "QsJh2h8c3d"
pot = 200
stack = 900
ranges = ["QQ,AK,98s", "JJ,KK:.5,T9s"]
bets = ["50%", "100%", "all-in"]
raises = ["60%", "all-in"]
"""


def acts_of(spot, *nodes):
    """Parts of the names of the acts at nodes, of a tree that is not solved."""

    solution = Solution(spot)
    return [" ".join(act.part for act in solution.acts(node)) for node in nodes]


def test_menus_by_street_and_player():
    text = SPOT.replace("3d", "") + '[turn]\nbets = ["75%"]\nip.bets = []\n[oop]\ndonk = false\nraises = ["least"]\n'
    spot = Subgame.from_toml(text)
    assert spot.menu("turn", "oop") == Menu(("75%",), ("least",), False)
    assert spot.menu("turn", "ip") == Menu((), ("60%", "all-in"))
    assert spot.menu("river", "oop") == Menu(("50%", "100%", "all-in"), ("least",), False)
    again = Subgame.from_toml(spot.to_toml())
    assert all(again.menu(s, p) == spot.menu(s, p) for s in ("turn", "river") for p in ("oop", "ip"))


def test_sizes():
    assert read_size("50%") == ("pot", 0.5)
    assert read_size("pot") == ("pot", 1.0)
    assert read_size(" All-in ") == ("all-in", 0.0)
    assert read_size("min") == read_size("least") == ("least", 0.0)
    assert read_size("33.3%")[1] == pytest.approx(0.333)
    assert read_size("3x") == ("times", 3.0)
    assert read_size("2.5 X") == ("times", 2.5)
    assert read_size("12.5") == read_size("12.5c") == ("to", 12.5)


@pytest.mark.parametrize("text", ["-5%", "0%", "half", "", "1x", "0c", "0", "5bb", "x", "3x%", "1e5", "1" * 400])
def test_a_wrong_size_names_the_forms(text):
    with pytest.raises(ValueError, match=r"'50%'.*'3x'.*'12.5' or '12.5c'.*'all-in', 'least' or 'geometric'"):
        read_size(text)


def test_multiples_are_of_the_bet_that_is_faced():
    spot = Subgame("QsJh2h8c3d", 200, 5000, ("QQ", "JJ"), bets=["50%"], raises=["3x", "2.5x"], most_raises=3)
    nodes = "r:0", "r:0:b100", "r:0:b100:b250", "r:0:b100:b300"
    assert acts_of(spot, *nodes) == ["c b100", "f c b250 b300", "f c b625 b750", "f c b750 b900"]
    turn = Subgame("QsJh2h8c", 200, 5000, ("QQ", "JJ"), bets=["50%"], raises=["3x"], most_raises=2)
    # each street counts its own bets: 300 in on the turn, a bet of 400 on the river, raised to 1,200 there
    assert acts_of(turn, "r:0:b100:b300:c:3d", "r:0:b100:b300:c:3d:b700") == ["c b700", "f c b1500"]


@pytest.mark.parametrize("row", ["bets", "donk"])
def test_a_first_bet_is_no_multiple(row):
    with pytest.raises(ValueError, match=f"menu of flop, oop: {row} 3x: no bet is faced"):
        Subgame("QsJh2h8c3d", 200, 900, ("QQ", "JJ"), **{row: ["50%", "3x"]})


def test_amounts_are_put_in_on_the_street():
    spot = Subgame("QsJh2h8c", 20, 200, ("QQ", "JJ"), bets=["12.5", "500c"], raises=["40c", "5"], most_raises=2)
    assert acts_of(spot, "r:0", "r:0:b12.5") == ["c b12.5 b200", "f c b25 b40"]  # at least the rules' least
    assert acts_of(spot, "r:0:b12.5:c:3d") == ["c b25 b200"]
    fine = Subgame("QsJh2h8c3d", 2000, 9000, ("QQ", "JJ"), bets=["12.125"], raises=[])
    assert acts_of(fine, "r:0") == ["c b12.125"]


def test_donk_bets_have_sizes_of_their_own():
    spot = Subgame.from_toml(SPOT.replace("3d", "") + 'donk = ["25%"]\nturn.donk = false\n')
    assert spot.menu("river", "oop").leads == ("25%",)
    assert spot.menu("turn", "oop").leads == ()
    again = Subgame.from_toml(spot.to_toml())
    assert all(again.menu(s, p) == spot.menu(s, p) for s in ("turn", "river") for p in ("oop", "ip"))
    nodes = "r:0:c:b100:c:3d", "r:0:b100:c:3d", "r:0:c:b100:c:3d:c"
    assert acts_of(spot, *nodes) == ["c b200", "c b300 b500 b900", "c b300 b500 b900"]
    assert Menu(donk=[]) == Menu(donk=())
    assert Menu().leads == Menu().bets
    with pytest.raises(ValueError, match="donk must be a list of sizes or true or false, got 'half'"):
        Menu(donk="half")


def test_in_limit_a_lead_needs_no_sizes():
    given = {"structure": "limit", "small_bet": 10, "big_bet": 20, "bets": []}
    spot = Subgame("QsJh2h8c", 60, None, ("QQ", "JJ"), **given)
    assert acts_of(spot, "r:0:c:b20:c:3d") == ["c b40"]
    without = Subgame("QsJh2h8c", 60, None, ("QQ", "JJ"), donk=False, **given)
    assert acts_of(without, "r:0:c:b20:c:3d") == ["c"]


def test_what_sizes_mean():
    """A bet of 50% is half the pot; a raise of 60% the call and 60% of the pot after it."""
    spot = Subgame("QsJh2h8c3d", 200, 900, ("QQ", "JJ"), bets=["50%"], raises=["60%"])
    assert acts_of(spot, "r:0", "r:0:b100", "r:0:b100:b340") == ["c b100", "f c b340", "f c b900"]
    least = Subgame("QsJh2h8c3d", 200, 900, ("QQ", "JJ"), bets=["least", "1%"], raises=["least"], least=10)
    assert acts_of(least, "r:0", "r:0:b10", "r:0:b10:b20") == ["c b10", "f c b20", "f c b30"]


def test_geometric_sizes_are_all_in_on_the_river():
    spot = Subgame("QsJh2h", 100, 1300, ("QQ", "88"), bets=["geometric"], raises=[])
    # three bets of a share x of the pot: (1 + 2 x)^3 = 27
    assert acts_of(spot, "r:0", "r:0:b100:c:2c", "r:0:b100:c:2c:b400:c:2d") == ["c b100", "c b400", "c b1300"]


def test_a_bet_that_leaves_little_is_all_in():
    bets = {"bets": ["100%"], "raises": []}
    # after a bet of 100 and a call the pot is 300: 60 behind are 20% of it
    assert acts_of(Subgame("QsJh2h8c3d", 100, 160, ("QQ", "JJ"), **bets), "r:0") == ["c b160"]
    assert acts_of(Subgame("QsJh2h8c3d", 100, 161, ("QQ", "JJ"), **bets), "r:0") == ["c b100"]
    assert acts_of(Subgame("QsJh2h8c3d", 100, 160, ("QQ", "JJ"), all_in_share=0.1, **bets), "r:0") == ["c b100"]


def test_the_smaller_stack_counts():
    spot = Subgame("QsJh2h8c3d", 100, (5000, 300), ("QQ", "JJ"), bets=["all-in"], raises=[])
    assert acts_of(spot, "r:0", "r:0:c") == ["c b300", "c b300"]


def test_donk_bets():
    more = {"bets": ["50%"], "raises": []}
    spot = Subgame("QsJh2h8c", 100, 1000, ("QQ", "JJ"), **more)
    lead = ["r:0:c:c:2c", "r:0:c:b50:c:2c", "r:0:b50:c:2c", "r:0:c:b50:c:2c:c"]
    assert acts_of(spot, *lead) == ["c b50", "c b150", "c b150", "c b150"]
    without = Subgame("QsJh2h8c", 100, 1000, ("QQ", "JJ"), donk=False, **more)
    assert acts_of(without, *lead) == ["c b50", "c", "c b150", "c b150"]


def test_limit():
    spot = Subgame("QsJh2h8c", 60, None, ("QQ", "JJ"), structure="limit", small_bet=10, big_bet=20, cap=3)
    assert acts_of(spot, "r:0", "r:0:b20", "r:0:b20:b40", "r:0:b20:b40:b60") == ["c b20", "f c b40", "f c b60", "f c"]
    again = Subgame.from_toml(spot.to_toml())
    assert again.size() == spot.size()
    short = Subgame("QsJh2h8c", 60, 50, ("QQ", "JJ"), structure="limit", small_bet=10, big_bet=20, cap=3)
    assert acts_of(short, "r:0:b20:b40") == ["f c b50"]


def test_pot_limit():
    spot = Subgame(
        "QsJh2h8c3d", 100, 1000, ("QQ", "JJ"), structure="pot limit", bets=["50%", "150%"], raises=["all-in"]
    )
    assert acts_of(spot, "r:0", "r:0:b100") == ["c b50 b100", "f c b400"]
    with pytest.raises(ValueError, match="bets 150% have no legal size: pot limit allows 100% at most"):
        Subgame("QsJh2h8c3d", 100, 1000, ("QQ", "JJ"), structure="pot limit", bets=["150%"])


def test_amounts_need_not_be_whole():
    spot = Subgame("QsJh2h8c3d", 5.5, 97.25, ("QQ", "JJ"), bets=["50%"], raises=[])
    assert acts_of(spot, "r:0") == ["c b2.75"]


def test_ranges_of_any_kind():
    table = WeightTable.from_text("QQ")
    assert Subgame("QsJh2h8c3d", 1, 1, (table, table.values)).ranges[0]["QQ"] == 1.0
    assert np.count_nonzero(Subgame("QsJh2h8c3d", 1, 1, (table, table)).ranges[0].values) == 3


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"QsJh2h8c3d"', '"QsJh"', "board must have 3 to 5 cards, got 2"),
        ('"QsJh2h8c3d"', "5", "board must be a text such as 'QsJh2h', got 5"),
        ("pot = 200", "pot = 0", "pot must be above 0, got 0"),
        ("pot = 200", "pot = true", "pot must be a number, got True"),
        ("pot = 200\n", "", "pot is missing"),
        ("stack = 900\n", "", "stack is missing: what each player has behind"),
        ("stack = 900", "stack = -5", "a stack must be above 0, got -5"),
        ("stack = 900", "stacks = [1, 2, 3]", "stacks must be one number or two, got 3"),
        ("stack = 900", "stack = 900\nstacks = [1, 2]", "a spot has stack or stacks, not both"),
        ("stack = 900", "stak = 900", "unknown key 'stak'"),
        ('"JJ,KK:.5,T9s"', '"J"', "the range of the player in position: column 1"),
        ('"QQ,AK,98s"', '"QsQh"', "the range of the player out of position is dead on the board QsJh2h8c3d"),
        (', "JJ,KK:.5,T9s"]', "]", "ranges must be two"),
        ('"50%"', '"0%"', "menu of flop, oop: unknown size '0%'"),
        ("stack = 900", 'stack = 900\nstructure = "fixed"', "structure must be one of limit, pot limit, no limit"),
        ("stack = 900", 'stack = 900\nstructure = "limit"', "limit needs small_bet and big_bet"),
        ("stack = 900", "stack = 900\nrake = 5", "rake must be a share of the pot below 1"),
        ("stack = 900", "stack = 900\ncap = 0", "cap must be 1 to 20"),
        ("stack = 900", "stack = 900\nleast = 0", "least must be above 0"),
        ("stack = 900", "stack = 900\nlock = 5", "locks must be written as"),
        ("stack = 900", "stack = 900\nturn = 5", "turn must be a table, got 5"),
        ("stack = 900", "stack = 900\nturn.bet = []", "unknown key 'bet' in turn: expected one of bets, raises, donk"),
    ],
)
def test_what_is_refused(old, new, message):
    assert old in SPOT
    with pytest.raises(ValueError, match=message) as error:
        Subgame.from_toml(SPOT.replace(old, new))
    assert "\n" not in str(error.value)


def test_a_tree_that_is_too_large():
    sizes = [f"{k}%" for k in range(5, 65, 5)]
    spot = Subgame("QsJh2h", 10, 10_000, ("QQ", "JJ"), bets=sizes, raises=sizes)
    with pytest.raises(ValueError, match="the betting tree has more than 5,000,000 nodes"):
        spot.size()


def test_raises_may_be_few():
    menu = {"bets": ["75%"], "raises": ["60%"]}
    spot = Subgame("QsJh2h8c3d", 200, 90000, ("QQ", "JJ"), **menu)
    few = Subgame("QsJh2h8c3d", 200, 90000, ("QQ", "JJ"), most_raises=2, **menu)
    assert few.size().decisions < spot.size().decisions
    assert acts_of(few, "r:0", "r:0:b150") == ["c b150", "f c b450"]
    assert acts_of(few, "r:0:b150:b450") == ["f c"]
    assert Subgame.from_toml(few.to_toml()).most_raises == 2
    with pytest.raises(ValueError, match="most_raises must be 1 or more"):
        Subgame("QsJh2h8c3d", 200, 900, ("QQ", "JJ"), most_raises=0)


@pytest.mark.parametrize("board", ["QsJh2h8c3d", "QsJh2h"])
def test_a_tree_of_very_long_lines_is_refused(board):
    """On a thread with little room for a stack, too: growing recurses."""
    refused = []

    def grow():
        spot = Subgame(board, 2, 1000, ("QQ,AK", "JJ,T9s"), bets=["least"], raises=["least"])
        for ask in (spot.size, lambda: solve(spot)):
            try:
                ask()
            except ValueError as error:
                refused.append(str(error))

    before = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=grow)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert refused == ["the betting tree has lines of more than 256 acts: expected fewer or larger sizes"] * 2
    few = Subgame("QsJh2h8c3d", 2, 1000, ("QQ,AK", "JJ,T9s"), bets=["least"], raises=["least"], most_raises=80)
    assert few.size().nodes > 240
