"""A book taken into another one: its hands as rows, and what readers learnt from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from pokermodel.learning.knowledge import Knowledge, find_kind
from pokermodel.learning.statistics import PlayerStatistics
from pokermodel.library.bits import A_PAIR
from pokermodel.library.pieces import WHOLE, write_pieces
from pokermodel.library.rows import BATCH, HandRow, Place, Rows, Stake
from pokermodel.library.schema import HANDS, MET, PLAYERS, SEATS_TABLE, STAKES, TEXTS
from pokermodel.library.store import Added, Learnt, Store

__all__ = ["merge"]

_OF_HANDS = ("structure", "players", "street", "showdown", "pot", "kind", "raises", "rake", "seen")
_OF_SEATS = (
    *("seat", "position", "name", "relative", "shown", "street", "net", "ev", "all_in", "rake", "depth", "acts"),
    *("made", "faced"),
)


def merge(book: Store, other: Store) -> Learnt:
    """Add the hands of another book, and what readers learnt from them; see `Book.merge`."""
    before = book.hands
    both = {kind: book.pieces.learnt(kind) for kind in other.kinds | book.kinds}
    added, numbers = Added(0, 0), dict[int, int]()
    last = 0
    while True:
        rows, theirs = _rows(other, last, book.bits)
        if not theirs:
            break
        identities = [row.identity for row in rows.hands]
        new = len(book.add_rows(rows))
        added += (new, len(theirs) - new)
        ours = book.numbers(identities)
        numbers.update((number, ours[each]) for each, number in zip(identities, theirs, strict=True))
        last = theirs[-1]
    left, new_to = [], {PlayerStatistics.kind: added.new}
    for name in sorted(other.kinds - {PlayerStatistics.kind}):
        learnt = other.pieces.learnt(name)
        theirs_learnt = [number for number in numbers if learnt.has(number)]
        fresh = [numbers[number] for number in theirs_learnt if not both[name].has(numbers[number])]
        kind = cast(type[Knowledge] | None, find_kind(name))
        if len(fresh) < len(theirs_learnt) or kind is None:
            if fresh:
                left.append(name)
        elif fresh:
            _merge_kind(book, other, kind, fresh)
            new_to[name] = len(fresh)
    assert book.hands == before + added.new
    left += _merge_people(book, other)
    return Learnt(added.new, added.known, new_to, tuple(left))


def _merge_kind(book: Store, other: Store, kind: Any, fresh: list[int]) -> None:
    """Add what a kind of knowledge has learnt from hands that this book has not learnt for it."""
    while True:
        before = book.pieces.learnt(kind.kind)
        own, theirs = book.knowledge(kind), other.knowledge(kind)
        assert theirs is not None
        if own is None:
            own = theirs
        else:
            own.merge(theirs)
        in_pieces = hasattr(kind, "learn_pieces")
        version = kind.piece_version if in_pieces else kind.version
        pieces = own.pieces() if in_pieces else {WHOLE: own.to_bytes()}
        if book.pieces.put(kind.kind, version, pieces, numbers=fresh, before=before):
            return


def _merge_people(book: Store, other: Store) -> list[str]:
    """Add what is known of players by hands of other games, where no hand is in both; return the kinds of others."""
    left: dict[str, bool] = {}
    met = sa.select(MET.c.identity)
    with other._database.transaction() as connection:
        pairs = connection.execute(sa.select(MET.c.kind, MET.c.name).distinct().order_by(MET.c.kind, MET.c.name)).all()
    for name, player in pairs:
        kind: Any = find_kind(name)
        which = MET.c.kind == name, MET.c.name == player
        with other._database.transaction() as connection:
            theirs = set(map(bytes, connection.scalars(met.where(*which))))
        with book._database.transaction() as connection:
            ours = set(map(bytes, connection.scalars(met.where(*which))))
        if theirs <= ours:
            continue
        if theirs & ours or kind is None:
            left[name] = True
            continue
        own, more = book.knowledge(kind, player) or kind(), other.knowledge(kind, player)
        own.merge(more)
        with book._database.transaction(write=True) as connection:
            write_pieces(connection, kind.version, {(name, "player", player): own.to_bytes()})
            connection.execute(MET.insert(), [{"kind": name, "name": player, "identity": each} for each in theirs])
    return list(left)


def _rows(book: Store, after: int, bits: Mapping[str, int]) -> tuple[Rows, list[int]]:
    """Some hands behind a number, as rows of the bits that are named, and their numbers."""
    site, room, table = (TEXTS.alias(name) for name in ("s", "w", "t"))
    query = (
        sa.select(HANDS, site.c.text.label("of"), room.c.text.label("at_room"), table.c.text.label("at_table"), STAKES)
        .join(site, site.c.id == HANDS.c.site)
        .join(room, room.c.id == HANDS.c.room)
        .join(table, table.c.id == HANDS.c.game_table)
        .join(STAKES, STAKES.c.id == HANDS.c.stake)
        .where(HANDS.c.id > after)
        .order_by(HANDS.c.id)
        .limit(BATCH)
    )
    line = TEXTS.alias("l")
    with book._database.transaction() as connection:
        hands = connection.execute(query).all()
        numbers = [row[0] for row in hands]
        asked = (
            sa.select(SEATS_TABLE, PLAYERS.c.name.label("called"), line.c.text.label("betting"))
            .join(PLAYERS, PLAYERS.c.id == SEATS_TABLE.c.player)
            .join(line, line.c.id == SEATS_TABLE.c.line)
            .where(SEATS_TABLE.c.hand > after, SEATS_TABLE.c.hand <= (numbers[-1] if numbers else 0))
            .order_by(SEATS_TABLE.c.hand, SEATS_TABLE.c.seat)
        )
        seats = connection.execute(asked).mappings().all()
        pairs = range(max(book.bits.values()) // A_PAIR + 1)
        columns = [f"{which}_{pair}" for which in ("could", "did") for pair in pairs]
        asked_bits = f"SELECT {', '.join(columns)} FROM _seats WHERE hand > {after} AND hand <= "
        found = connection.exec_driver_sql(f"{asked_bits}{numbers[-1] if numbers else 0} ORDER BY hand, seat").all()
        place = {number: k for k, number in enumerate(numbers)}
        players: list[list[str]] = [[] for _ in numbers]
        for seat in seats:
            players[place[seat["hand"]]].append(seat["called"])
        rows = [
            HandRow(
                *(bytes(each.identity), Place(), each.of, each.at_room, each.number, each.time, each.at_table),
                Stake(each.text, each.small_bet, each.currency),
                *(each.hero, each.board, each.line, tuple(players[k])),
            )
            for k, each in enumerate(hands)
        ]
        of_seats = {name: _column([seat[name] for seat in seats]) for name in _OF_SEATS if name != "ev"}
        of_seats["ev"] = _column([seat["net"] if seat["ev"] is None else seat["ev"] for seat in seats])
        of_seats["hand"] = _column([place[seat["hand"]] for seat in seats])
        by_name = dict(zip(columns, _column(list(zip(*found, strict=True))), strict=True)) if found else {}
        return (
            Rows(
                rows,
                list(range(len(rows))),
                {name: _column([getattr(each, name) for each in hands]) for name in _OF_HANDS},
                [seat["betting"] for seat in seats],
                [seat["cards"] for seat in seats],
                of_seats,
                [bytes(seat["detail"]) for seat in seats],
                *(_moved(by_name, which, book.bits, bits, len(seats)) for which in ("could", "did")),
            ),
            numbers,
        )


def _column(values: Sequence[Any]) -> NDArray[np.int64]:
    return np.array(values, dtype=np.int64)


def _moved(
    columns: Mapping[str, NDArray[np.int64]], which: str, source: Mapping[str, int], target: Mapping[str, int], n: int
) -> NDArray[np.int64]:
    """Bits where another book has them."""
    found = np.zeros((max(target.values()) // A_PAIR + 1, n), dtype=np.int64)
    for name, bit in source.items():
        if name in target and columns:
            pair, into = divmod(target[name], A_PAIR)
            found[pair] |= (columns[f"{which}_{bit // A_PAIR}"] >> bit % A_PAIR & 1) << into
    return found
