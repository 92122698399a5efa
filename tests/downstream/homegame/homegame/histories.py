"""A history format: entry point ``pokermodel.histories``.

A file begins with ``KITCHEN TABLE``. A hand of two players is a line, the button first::

    7 Ann Bob rc/cc/rf AsKd QhJh 2c7d9hTs
"""

from pokermodel.errors import HistoryError
from pokermodel.game import Act, Action, GameSpec, Hand, State
from pokermodel.histories import HistoryFormat, register

SPEC = GameSpec.heads_up(5, 10)
ACTS = {"f": Act.FOLD, "c": Act.CALL, "r": Act.RAISE}


def sniff(head, name):
    return head.startswith(b"KITCHEN TABLE")


def hands(path, file, skipped=None, *, mark=None):
    for line, text in enumerate(file, 1):
        words = text.decode("utf-8", "replace").split()
        if line == 1 or not words:
            continue
        try:
            yield read(*words)
        except (TypeError, ValueError, KeyError) as error:
            damaged = HistoryError(f"not a hand of two players: {error}", str(path), line, words[0])
            if skipped is None:
                raise damaged from None
            skipped.append(damaged)


def read(number, button, other, betting, holding, others, board=""):
    state, actions = State(SPEC), []
    for letter in betting.replace("/", ""):
        actions.append(Action(state.seat, ACTS[letter]))
        state.act(ACTS[letter])
    hand = Hand("kitchen", number, SPEC, (button, other), actions, board, {0: holding, 1: others})
    if sum(hand.payoffs):  # which raises an error for a hand that is not over
        raise ValueError("chips are lost")
    return hand


register(HistoryFormat("kitchen", "notes of a kitchen table", sniff, hands))
