"""The rules of five-card stud for two players (``pokermodel/stud/stud_rules.h``)."""

from cython cimport final

from libc.stdint cimport uint8_t, uint64_t

from pokermodel._core.cards cimport take_cards
from pokermodel._core.evaluator cimport tables
from pokermodel._core.rules cimport PM_CALL, PM_FOLD, PM_RAISE


cdef int take_spec(int ante, object bets, int max_bets, pm_stud_spec *spec) except -1:
    """Check the stakes and copy them."""
    cdef int k
    if len(bets) != 4 or min(bets) < 1 or max(bets) > 1_000_000:
        raise ValueError(f"a game has four bets of 1 to 1,000,000 chips, got {bets}")
    if not 0 <= ante <= 1_000_000:
        raise ValueError(f"the ante must be 0 to 1,000,000 chips, got {ante}")
    if not 1 <= max_bets <= 4:
        raise ValueError(f"1 to 4 bets may be allowed in a round, got {max_bets}")
    spec.ante = ante
    spec.max_bets = max_bets
    for k in range(4):
        spec.bet[k] = bets[k]
    return 0


cdef int check_player(int player) except -1:
    if player != 0 and player != 1:
        raise ValueError(f"there are players 0 and 1, got {player}")
    return 0


def showing(up):
    """Return the strength of the cards face up, as an integer that is higher for the higher of two hands.

    Only hands of equally many cards can be compared.

    Raises
    ------
    ValueError
        If there are not 1 to 4 different cards.
    """
    cdef uint8_t cards[4]
    cdef uint64_t seen = 0
    cdef int n = take_cards(up, cards, 1, 4, "a showing hand", &seen, "")
    return pm_stud_showing(cards, n)


@final
cdef class StudState:
    """The state of a hand of stud: whose turn it is, and which acts are legal.

    Parameters
    ----------
    ante : int
        Chips of each player.
    bets : sequence of int
        Size of a bet in each of the four rounds, in chips.
    max_bets : int
        Bets and raises allowed in a round.
    cards : sequence of two sequences of int
        The five cards of each player, the card face down first.
    tie : int
        The player who acts first if the showing hands are equal.

    Raises
    ------
    ValueError
        If a number is out of range, or a card occurs twice.
    """

    def __cinit__(self, int ante, bets, int max_bets, cards, int tie):
        cdef uint8_t dealt[10]
        cdef uint64_t seen = 0
        cdef int k
        take_spec(ante, bets, max_bets, &self.c.spec)
        if len(cards) != 2 or len(cards[0]) != 5 or len(cards[1]) != 5:
            raise ValueError("two players have five cards each")
        take_cards([*cards[0], *cards[1]], dealt, 10, 10, "a hand of two players", &seen, "")
        check_player(tie)
        for k in range(10):
            self.c.card[k // 5][k % 5] = dealt[k]
        self.c.tie = tie
        pm_stud_begin(&self.c)

    @property
    def player(self):
        """The player to act; None once the hand is over."""
        return None if self.c.seat < 0 else self.c.seat

    @property
    def round(self):
        """0 to 3; 4 at the showdown."""
        return self.c.round

    @property
    def chips(self):
        """Chips that each player has put in."""
        return self.c.chips[0], self.c.chips[1]

    @property
    def owed(self):
        """Chips to call; 0 once the hand is over."""
        return pm_stud_owed(&self.c) if self.c.seat >= 0 else 0

    @property
    def over(self):
        """Whether the hand is over."""
        return self.c.seat < 0

    @property
    def showdown(self):
        """Whether the hand is over and ended with a showdown."""
        return self.c.seat < 0 and self.c.folded < 0

    def legal(self):
        """Return the legal acts: 0 fold, 1 call or pass, 2 raise or bet."""
        if self.c.seat < 0:
            return ()
        acts = [PM_FOLD, PM_CALL] if pm_stud_owed(&self.c) else [PM_CALL]
        if not pm_stud_capped(&self.c):
            acts.append(PM_RAISE)
        return tuple(acts)

    def act(self, int act):
        """Let the player to act do something.

        Raises
        ------
        ValueError
            If the act is not legal.
        """
        legal = self.legal()
        if act not in legal:
            raise ValueError("the hand is over" if not legal else f"act {act} is not allowed: expected one of {legal}")
        pm_stud_act(&self.c, act)

    def payoffs(self):
        """Return the chips that each player wins.

        Raises
        ------
        ValueError
            If the hand is not over.
        """
        if self.c.seat >= 0:
            raise ValueError("the hand is not over")
        won = pm_stud_payoff(&self.c, tables())
        return won, -won
