"""What fewer sizes lose: against closed forms, and games that are solved one by one."""

import pytest

from pokermodel.solving import Subgame, solve
from pokermodel.solving.size_choice import compare_sizes

SMALL = {"board": "QsJh2h8c3d", "pot": 200, "stacks": 900, "ranges": ("QQ,AK,98s", "JJ,KK:.5,T9s")}


@pytest.mark.parametrize(("share", "worth"), [("50%", 1 + 1 / 3), ("100%", 1.5), ("200%", 1 + 2 / 3)])
def test_a_polar_range_bets_as_much_as_it_can(share, worth):
    """Nuts and air against hands between them: who calls is indifferent, so that each bet wins the pot.

    A bet of the share s of the pot has s / (1 + s) bluffs for each hand of value.
    """
    menus = {"streets": {"oop": {"bets": []}}, "bets": ["50%", "100%", "200%"], "raises": []}
    spot = Subgame("2c2d7h9sJd", 100, 1000, ("AA", "22,65s"), **menus)
    solution, found = compare_sizes(spot, 1, target=0.01)
    value = 1 / (1 + 4)  # one combination of quads, four of air
    assert {(each.street, each.player, each.row) for each in found} == {("river", 1, "bets")}
    one = next(each for each in found if each.sizes == (share,))
    assert one.ev == pytest.approx(100 * value * worth, abs=0.05)
    assert one.loss == pytest.approx(100 * value * (1 + 2 / 3 - worth), abs=0.05)
    assert solution.value(1) == pytest.approx(100 * value * (1 + 2 / 3), abs=0.05)
    assert [each.sizes for each in found] == [("200%",), ("100%",), ("50%",)]


def test_each_choice_is_the_game_with_these_sizes():
    bets, raises = ("33%", "75%", "all-in"), ("60%", "all-in")
    spot = Subgame(**SMALL, bets=bets, raises=raises)
    _, found = compare_sizes(spot, target=0.05)
    assert len(found) == 2 * (3 + 3 + 2)
    for each in found:
        menu = {"bets": bets, "raises": raises, each.row: each.sizes}
        alone = solve(Subgame(**SMALL, bets=bets, raises=raises, streets={("oop", "ip")[each.player]: menu}), 0.05)
        assert each.ev == pytest.approx(alone.value(each.player), abs=1e-9)
        assert each.loss >= -each.error  # who has fewer sizes can do no better
        assert each.error <= 2 * 0.05 / 100 * 200
    for row in ("bets", "raises"):
        for player in range(2):
            of_row = [each for each in found if (each.row, each.player) == (row, player)]
            for pair in (each for each in of_row if len(each.sizes) == 2):
                for one in (each for each in of_row if len(each.sizes) == 1 and each.sizes[0] in pair.sizes):
                    assert pair.loss <= one.loss + pair.error + one.error


def test_what_is_refused():
    with pytest.raises(ValueError, match="limit has one size"):
        compare_sizes(Subgame("QsJh2h8c3d", 60, None, ("QQ", "JJ"), structure="limit", big_bet=20))
    with pytest.raises(ValueError, match="most must be 1 or more"):
        compare_sizes(Subgame(**SMALL), 0)
