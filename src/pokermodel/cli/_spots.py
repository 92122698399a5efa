"""Spots for ``pokermodel solve`` and ``convert``: spot files, an action of a hand, and a street of each hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pokermodel.cli._numbers import Numbers
from pokermodel.cli._options import (
    ACT,
    ALL_IN_SHARE,
    BETS,
    DONK,
    HAND,
    HERO,
    MOST_RAISES,
    RAISES,
    Known,
    book,
    model,
    together,
)

if TYPE_CHECKING:
    from pokermodel import reading
    from pokermodel.game import Decision, Hand
    from pokermodel.reading import OpponentModeler
    from pokermodel.reading.width import Width
    from pokermodel.solving import Lock, PlayedNode, Solution, Subgame
    from pokermodel.solving.many import Spot

__all__ = [
    "OF_HANDS",
    "At",
    "OfHand",
    "of_hand",
    "spot_file",
    "spot_files",
    "spots_of_boards",
    "spots_of_files",
    "spots_of_hands",
]

#: The options that say which hands spots come from, and how they are read.
OF_HANDS = (
    *("--hand", "--act", "--hero", "--board", "--model", "--book"),
    *("--bets", "--raises", "--donk", "--most-raises", "--all-in-share"),
)


class OfHand(NamedTuple):
    """The hand and action of a spot, the model that reads the hand, and the sizes of the tree."""

    numbers: Numbers | None
    act: int | None
    hero: str | None
    model: str
    book: str | None
    bets: list[str] | None
    raises: list[str] | None
    donk: list[str] | None
    most_raises: int | None
    all_in_share: float | None
    board: str | None

    @property
    def menu(self) -> dict[str, Any]:
        """The sizes, as `Subgame.from_spot` takes them."""
        share = None if self.all_in_share is None else self.all_in_share / 100
        given = {"donk": self.donk, "most_raises": self.most_raises, "all_in_share": share}
        given = {key: value for key, value in given.items() if value is not None}
        return {"bets": self.bets, "raises": self.raises, **given}

    @property
    def known(self) -> Known:
        """Who reads, and what is known of players."""
        return Known(self.model, self.book)


_SIZES = BETS, RAISES, DONK, MOST_RAISES, ALL_IN_SHARE
RUNOUT = click.option(
    "--board", metavar="CARDS", help="Another board, as far as the street of the action: with the flop, as Jd3d2h8c."
)
#: `OF_HANDS`, as the parameter ``asked``.
of_hand = together("asked", OfHand, HAND, ACT, HERO, model(), book(), *_SIZES, RUNOUT)


class At(NamedTuple):
    """An action of a hand, and the spot before it."""

    subgame: Subgame
    played: PlayedNode
    hand: Hand
    decision: Decision
    holding: tuple[int, int]
    spot: reading.Spot

    @classmethod
    def of(cls, file: Path, asked: OfHand) -> At:
        """The spot of the action that is asked about; ValueError if there is none."""
        from pokermodel.cards import card_indices
        from pokermodel.cli._reading import read_before
        from pokermodel.game import BOARD_CARDS
        from pokermodel.reading.street import spot_of
        from pokermodel.solving import Subgame

        act, hero = asked.act, asked.hero
        if act is None or not hero:
            raise click.UsageError("an action of a hand needs --act K and --hero NAME")
        hand, session = read_before(file, asked.numbers or Numbers.read("1"), asked.known)
        decisions = list(hand.replay())
        if hero not in hand.players:
            raise ValueError(f"{hero!r} is not in the hand: its players are {', '.join(hand.players)}")
        holding = hand.holdings.get(hand.players.index(hero))
        if holding is None:
            raise ValueError(f"the cards of {hero} are not known in the hand: there is no row to read")
        if act > len(decisions):
            raise ValueError(f"the hand has no act {act}: it has {len(decisions)}")
        decision = decisions[act - 1]
        if decision.player != hero:
            theirs = [str(d.index + 1) for d in decisions if d.player == hero and d.round]
            words = f"expected one of {hero} after the flop ({', '.join(theirs) or 'there is none'})"
            raise ValueError(f"act {act} is one of {decision.player}: {words}")
        if asked.board is not None:
            dealt = BOARD_CARDS[decision.round]
            if len(card_indices(asked.board)) != dealt:
                raise ValueError(f"--board {asked.board}: expected {dealt} cards, as act {act} has on the board")
            hand = hand.on_board(asked.board, act)
            decision = list(hand.replay())[-1]
        spot = spot_of(session, hand, decision)
        subgame = Subgame.from_spot(spot, decision, **asked.menu, money=hand.money)
        assert subgame.played is not None
        return cls(subgame, subgame.played, hand, decision, holding, spot)

    def widths(self) -> tuple[Width | None, Width | None]:
        """How wide both ranges are as the street begins, out of position first."""
        from pokermodel.reading.street import street_widths

        found, players = street_widths(self.spot), self.spot.situation.players
        first, second = (found[players.index(name)] for name in self.played.names)
        return first, second

    def opponent(self) -> tuple[Lock, ...]:
        """The model's forecasts for the other player at all of their nodes."""
        from pokermodel.solving import locks_from

        return locks_from(self.spot, self.subgame, 1 - self.played.player)

    def to_dict(self, found: Solution) -> dict[str, Any]:
        """The row of the hero's cards, as JSON has it."""
        return {
            "id": self.hand.id,
            "act_number": self.decision.index + 1,
            "hero": self.decision.player,
            "players": list(self.played.names),
            "done": self.played.done,
            "currency": self.hand.currency,
            **found.row(self.holding, self.played.node),
        }


def spot_file(path: Path) -> Subgame:
    """Read a spot file."""
    from pokermodel.solving import Subgame

    try:
        return Subgame.from_toml(path)
    except ValueError as error:
        if path.suffix == ".toml":
            raise
        raise ValueError(f"{error}; of a hand history --act and --hero, or --street, say what to solve") from None


def spots_of_boards(path: Path, least: float) -> list[Spot] | None:
    """The spots of a file with several boards; None if it has one, or is none of ours."""
    from pokermodel._support.toml import MOST_BYTES
    from pokermodel.solving.many import board_spots

    try:
        with path.open(encoding="utf-8") as file:
            found = board_spots(file.read(MOST_BYTES + 1))
    except UnicodeDecodeError:
        return None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return (
        None
        if found is None
        else [
            each if each.subgame is None or not least else replace(each, subgame=each.subgame.trim(least / 100))
            for each in found
        ]
    )


def spot_files(paths: Sequence[Path]) -> list[Path]:
    """The spot files that were named, and those of folders, ``*.toml``, in the order of their names."""
    found = []
    for path in paths:
        files = sorted(path.rglob("*.toml")) if path.is_dir() else [path]
        if not files:
            raise ValueError(f"{path}: there is no spot file in the folder, with a name that ends in .toml")
        found += files
    return found


def spots_of_files(files: Sequence[Path], trim: float | None) -> Iterator[Spot]:
    """Read spot files."""
    from pokermodel.solving import Subgame
    from pokermodel.solving.many import Spot

    for file in files:
        try:
            yield Spot(str(file), _trimmed(Subgame.from_toml(file), trim))
        except (ValueError, OSError) as error:
            yield Spot(str(file), None, str(error))


def spots_of_hands(
    hands: Iterator[tuple[int, Hand, OpponentModeler]], file: Path, street: str, asked: OfHand, trim: float | None
) -> Iterator[Spot]:
    """A street of each hand of a file that two players begin and somebody acts in; of the hero's, if one is named."""
    from pokermodel.game import ROUNDS
    from pokermodel.reading.street import spot_of
    from pokermodel.solving import Subgame
    from pokermodel.solving.many import Spot

    for number, hand, session in hands:
        decision = _decision(hand, ROUNDS.index(street), asked.hero)
        if decision is None:
            continue
        name = f"{file}#{number}"
        about: dict[str, Any] = {"number": number, "id": hand.id, "act_number": decision.index + 1}
        try:
            spot = spot_of(session, hand, decision)
            game = Subgame.from_spot(spot, decision, **asked.menu, money=hand.money)
        except ValueError as error:
            yield Spot(name, None, str(error))
            continue
        assert game.played is not None
        about |= {"players": list(game.played.names), "node": game.played.node, "done": game.played.done}
        row = None if asked.hero is None else hand.holdings.get(decision.seat)
        kept = {} if row is None else {game.played.player: row}
        yield Spot(name, _trimmed(game, trim, kept), None, about, row)


def _decision(hand: Hand, street: int, hero: str | None) -> Decision | None:
    """The first act of a street, or the hero's first one, if two players begin it."""
    acts = [each for each in hand.replay() if each.round == street]
    if not acts or len(acts[0].situation.active) != 2:
        return None
    asked = (each for each in acts if not each.out_of_turn and hero in (None, each.player))
    return next(asked, None)


def _trimmed(game: Subgame, trim: float | None, keep: dict[int, tuple[int, int]] | None = None) -> Subgame:
    return game if trim is None else game.trim(trim, keep)
