"""The IRC poker database: limit hold'em between people and programs on Internet Relay Chat, from 1995 on.

A month of a channel is a folder with three tables, keyed by a time stamp: ``hdb`` (a line per hand: board, players and
pot at the end of each betting round), ``hroster`` (a line per hand: the players dealt in) and ``pdb`` (a file per
player: the actions in each round as letters, bankroll, chips put in and won). The order of the actions of different
players is not recorded. It is reconstructed by walking through the hand with the rules of the game: the rules determine
the player to act, and that player's next letter is the action. Every hand is checked against the pots of ``hdb`` and
the chips that each player put in and won.

Facts that the tables do not state are inferred:

- Amounts. The bets follow from the rules and the stakes of the channel, and the stakes from what players put in.
- When a player left. A quit (``Q``) or kick (``K``) follows the last action of the round. It is taken for a fold if the
  player's turn comes again, and otherwise for leaving out of turn, right after that action. A player that was paid has
  left after the end of the hand.
- All-ins. ``A`` follows the action that took the last chips, so the stack is the sum of the chips put in. A few players
  were all-in with less than their bankroll.
- The cap is three raises before the flop and four bets and raises later. It does not apply between the last two
  players, and the server allowed a few raises more (as many as `GameSpec.max_raises` of the hand).
- Odd chips of a split pot go to the winners in the earliest seats, one each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple, cast

from pokermodel._core.irc_hands import divide_lines, keep_rosters, number_lines, rebuild, sort_lines
from pokermodel._support.patterns import regex
from pokermodel.cards import CARDS
from pokermodel.errors import HistoryError
from pokermodel.game import Act, Action, GameSpec, Hand, State
from pokermodel.histories import files as containers
from pokermodel.histories._time import epoch_time
from pokermodel.histories.files import Files, Sink
from pokermodel.histories.index import ReaderMark

if TYPE_CHECKING:
    import sqlite3

__all__ = ["hands"]

_LABEL = regex(r"hand (\S+?):? ")
_INDEX = {text: index for index, text in enumerate(CARDS)}
_ACTS = {"f": Act.FOLD, "Q": Act.FOLD, "K": Act.FOLD, "k": Act.CALL, "c": Act.CALL, "b": Act.RAISE, "r": Act.RAISE}
_LEAVING = "QK"
_STREETS = ("before the flop", "on the flop", "on the turn", "on the river")
_POTS = ("flop", "turn", "river")  # of hdb
_USUAL_BET = 10  # of channel #holdem: blinds 5 and 10, bets 10 and 20
_SAMPLE = 20  # hands that determine the stakes of a channel
_CAPS = (3, 4, 4, 4)
_BATCH = 256  # hands that are looked up together
_AT_ONCE = 300  # lines of hdb whose hands are looked up together, where reading does not begin with the first one
_EXTRA_RAISES = 4  # raises beyond the cap that are accepted; the server has allowed two
_ACTIONS = [[Action(seat, act) for act in Act] for seat in range(23)]


# the tables by time stamp, with the place of each line: of pdb, the file's number above that of the line
_TABLES = (
    *("PRAGMA journal_mode = OFF", "PRAGMA cache_size = -32768"),
    "CREATE TABLE hdb (time BLOB PRIMARY KEY, number INTEGER) WITHOUT ROWID",
    "CREATE TABLE hroster (time BLOB PRIMARY KEY, players BLOB) WITHOUT ROWID",
    "CREATE TABLE pdb (time BLOB, place INTEGER, line BLOB)",
)
_ORPHANS = """
    SELECT time, min(place) AS first FROM pdb WHERE time NOT IN (SELECT time FROM hdb) GROUP BY time ORDER BY first
"""
_FILE = 32  # bits of a place below the number of the file
_LINE = 80  # bytes that a line in memory takes, besides its own
_CHUNK = 1 << 14  # bytes of pdb that are read at once


class _Row(NamedTuple):
    """A line of pdb, of one player."""

    name: str
    streets: list[str]  # letters of each round, without those of the blind
    all_in: bool
    bankroll: int
    put_in: int
    won: int
    cards: tuple[int, ...]


class _Table(NamedTuple):
    """The lines of one hand in the tables."""

    id: str
    pots: list[tuple[int, int]]  # players and pot at the start of flop, turn and river, and at the end
    board: tuple[int, ...]
    rows: list[_Row]  # by seat
    blinds: int  # number of blinds posted


class _Found(NamedTuple):
    """What the tables have for a time stamp."""

    number: int  # of the first line of hdb
    roster: bytes | None  # the players of hroster
    lines: list[int | bytes]  # the place and the text of each line of pdb


class _Tables:
    """The lines of the tables by time stamp: in memory, or if they are too many, in a temporary file."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self._rosters: dict[bytes, bytes] = {}
        self._lines: dict[bytes, list[int | bytes]] = {}
        self._size = 0
        self._file: sqlite3.Connection | None = None

    def close(self) -> None:
        """Close the temporary file."""
        if self._file is not None:
            self._file.close()

    def add_hands(self, data: bytes, number: int) -> int:
        """Add lines of hdb, and return the number after them: the first one of a time stamp counts."""
        after = number_lines(data, number, self._numbers)
        self._grow(len(data), after - number)
        return after

    def add_rosters(self, data: bytes) -> None:
        """Add lines of hroster: the last one of a time stamp counts."""
        keep_rosters(data, self._rosters)
        self._grow(len(data), data.count(b"\n"))

    def add_lines(self, data: bytes, place: int, wanted: Collection[bytes] | None) -> int:
        """Add lines of pdb, and return the place after them."""
        after = sort_lines(data, place, self._lines, wanted)
        self._grow(len(data), after - place)
        return after

    def _grow(self, size: int, lines: int) -> None:
        self._size += size + _LINE * lines
        if self._size > 2 * containers.IN_MEMORY:  # what the cache of the temporary file takes
            self._spill()

    def _spill(self) -> None:
        """Move what is in memory to the temporary file."""
        if self._file is None:
            import sqlite3

            self._file = sqlite3.connect("", isolation_level=None)  # of which only the cache is in memory
            for statement in _TABLES:
                self._file.execute(statement)
            self._file.execute("BEGIN")
        pdb = ((time, *row) for time, rows in self._lines.items() for row in zip(*[iter(rows)] * 2, strict=True))
        self._file.executemany("INSERT OR IGNORE INTO hdb VALUES (?, ?)", self._numbers.items())
        self._file.executemany("INSERT OR REPLACE INTO hroster VALUES (?, ?)", self._rosters.items())
        self._file.executemany("INSERT INTO pdb VALUES (?, ?, ?)", pdb)
        self._numbers, self._rosters, self._lines, self._size = {}, {}, {}, 0

    def finish(self) -> None:
        """Prepare the search, when all lines have been added."""
        if self._file is not None:
            self._spill()
            self._file.execute("COMMIT")
            self._file.execute("CREATE INDEX by_time ON pdb (time)")

    def find(self, times: Collection[bytes]) -> dict[bytes, _Found]:
        """Return what there is for time stamps of hdb, up to some hundreds."""
        if self._file is None:
            numbers, rosters, lines = self._numbers, self._rosters, self._lines
            return {time: _Found(numbers[time], rosters.get(time), lines.get(time, [])) for time in times}
        some = f"({','.join('?' * len(times))})"
        keys = list(times)
        numbers = dict(self._file.execute(f"SELECT time, number FROM hdb WHERE time IN {some}", keys))
        rosters = dict(self._file.execute(f"SELECT time, players FROM hroster WHERE time IN {some}", keys))
        lines = {}
        query = f"SELECT time, place, line FROM pdb WHERE time IN {some} ORDER BY rowid"
        for time, place, line in self._file.execute(query, keys):
            lines.setdefault(time, []).extend((place, line))
        return {time: _Found(numbers[time], rosters.get(time), lines.get(time, [])) for time in times}

    def orphans(self) -> Iterator[tuple[bytes, int]]:
        """Yield time stamps that are not in hdb, each with the place of the first line of pdb, in this order."""
        if self._file is not None:
            yield from self._file.execute(_ORPHANS)
            return
        for time, lines in self._lines.items():
            if time not in self._numbers:
                yield time, cast("int", lines[0])


class _Month:
    """The tables of one folder: ``hdb``, ``hroster`` and ``pdb``.

    Raises `HistoryError` if ``hroster`` or ``pdb`` is missing, or a file cannot be read.

    Parameters
    ----------
    folder : str
        Name of the folder; empty for the root.
    only : range, optional
        Lines of ``hdb`` whose hands are read; by default all.
    """

    def __init__(self, files: Files, folder: str, bet: int | None = None, only: range | None = None) -> None:
        self._root = files.path
        self._prefix = f"{folder}/" if folder else ""
        self.source = f"irc/{folder.rpartition('/')[2] or files.path.name}"
        self._files = files
        self.behind: list[HistoryError] = []  # what tables are damaged with behind their ends
        self._pdb = [name for name in files.names if name.startswith(f"{self._prefix}pdb/")]
        if f"{self._prefix}hroster" not in files.names or not self._pdb:
            what = "an IRC poker database needs three tables side by side: hdb, hroster and the folder pdb"
            raise HistoryError(what, str(self._root / folder))
        self._tables = _Tables()
        try:
            self._fill(only)
            self._bet = self._find_stakes() if bet is None else bet
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the temporary file."""
        self._tables.close()

    def _fill(self, only: range | None) -> None:
        """Read the tables, so that the lines of a hand are found by its time stamp."""
        wanted = None
        if only is not None:
            wanted = {time for lines in self._hdb() for number, _, time in lines if number in only}
        for block in self._blocks(f"{self._prefix}hroster"):
            self._tables.add_rosters(block)
        for file, name in enumerate(self._pdb):
            place = (file << _FILE) + 1
            for block in self._blocks(name):
                place = self._tables.add_lines(block, place, wanted)
        number = 1
        for block in self._blocks(f"{self._prefix}hdb"):
            number = self._tables.add_hands(block, number)
        self._tables.finish()

    def _blocks(self, name: str) -> Iterator[bytes]:
        """Read a file in blocks of whole lines."""
        with self._files.open(name, behind=self.behind) as file:
            rest = b""
            while data := file.read1(_CHUNK):
                block, end, rest = (rest + data).rpartition(b"\n")
                if end:
                    yield block + end
            if rest:
                yield rest

    def _hdb(self) -> Iterator[list[tuple[int, bytes, bytes]]]:
        """Read hdb in parts: number, line and time stamp of each line that is not empty."""
        number = 1
        for block in self._blocks(f"{self._prefix}hdb"):
            lines, number = divide_lines(block, number)
            yield lines

    def _batches(self, begin: int = 1, end: int | None = None) -> Iterator[tuple[int, bytes, bytes, _Found]]:
        """Yield some of the lines of hdb that are not empty: number, line, time stamp, and what the tables have."""
        for lines in self._hdb():  # open until the last hand: the file tells how far reading is
            wanted = [entry for entry in lines if entry[0] >= begin and (end is None or entry[0] < end)]
            for first in range(0, len(wanted), _BATCH):
                batch = wanted[first : first + _BATCH]
                found = self._tables.find([time for _, _, time in batch])
                for number, line, time in batch:
                    yield number, line, time, found[time]
            if end is not None and lines and lines[-1][0] >= end:
                return

    def _find_stakes(self) -> int:
        """Return the small bet: compare what players put in with what the same letters cost at the usual stakes."""
        votes: Counter[Fraction] = Counter()
        for number, line, _, found in self._batches():
            try:
                table = self._table(number, line, found)
                if any(row.all_in for row in table.rows):
                    continue
                walk = _Walk(table, _spec(len(table.rows), table.blinds, _USUAL_BET), None)
            except ValueError:
                continue
            both = zip(table.rows, walk.state.committed, strict=True)
            ratios = {Fraction(row.put_in, ours) for row, ours in both if ours}
            if len(ratios) == 1:
                votes[ratios.pop()] += 1
                if votes.total() == _SAMPLE:
                    break
        if not votes:
            return _USUAL_BET
        bet = _USUAL_BET * votes.most_common(1)[0][0]
        # two chips or more, for a small blind of a whole chip
        return bet.numerator if bet.denominator == 1 and bet % 2 == 0 and bet else _USUAL_BET

    def _pdb_error(self, message: str, place: int) -> HistoryError:
        file, number = divmod(place, 1 << _FILE)
        return HistoryError(message, str(self._root / self._pdb[file]), number, _hand_of(message))

    def _hdb_error(self, message: str, number: int) -> HistoryError:
        return HistoryError(message, str(self._root / f"{self._prefix}hdb"), number, _hand_of(message))

    def _table(self, number: int, said: bytes, found: _Found) -> _Table:
        """Collect one hand from the tables; raises `HistoryError`."""
        line = said.decode("latin-1")  # names are kept as bytes
        fields = line.split()
        if len(fields) < 8:
            what = "expected time stamp, game set, game, players dealt, players/pot four times, and the board"
            raise self._hdb_error(f"{what}, got {line[:80]!r}", number)
        time, _, game, dealt, *texts = fields[:8]
        label = f"hand {time}-{game}"
        try:
            players = int(dealt)
            int(time), int(game)
            pots = []
            for text in texts:
                left, _, pot = text.partition("/")
                pots.append((int(left), int(pot)))
            board = tuple([_INDEX[card] for card in fields[8:]])
        except ValueError:
            raise self._hdb_error(f"{label}: not a number where one is expected in {line[:80]!r}", number) from None
        except KeyError as error:
            message = f"{label}: {error.args[0]!r} on the board is not a card, expected text as in 'As'"
            raise self._hdb_error(message, number) from None
        if found.roster is None:
            raise self._hdb_error(f"{label}: no line for {time} in hroster", number)
        roster = found.roster.decode("latin-1").split()
        if roster[:1] != [dealt] or len(roster) != players + 1:
            raise self._hdb_error(f"{label}: {dealt} players dealt, but hroster says {' '.join(roster)!r}", number)

        seats: dict[int, _Row] = {}
        blinds: list[int] = []
        for place, said in cast("Iterator[tuple[int, bytes]]", zip(*[iter(found.lines)] * 2, strict=True)):
            row, seat, blind = self._row(said, place, players, label)
            if seat in seats:
                raise self._pdb_error(f"{label}: {row.name} is in position {seat + 1}, as {seats[seat].name} is", place)
            seats[seat] = row
            if blind:
                blinds.append(seat)
        if sorted(row.name for row in seats.values()) != sorted(roster[1:]):
            odd = Counter(roster[1:])
            odd.subtract(row.name for row in seats.values())
            missing, extra = sorted(odd.keys() & +odd), sorted((-odd).keys())
            raise self._hdb_error(
                f"{label}: hroster and pdb disagree"
                + (f"; not in pdb: {' '.join(missing)}" if missing else "")
                + (f"; not in hroster: {' '.join(extra)}" if extra else ""),
                number,
            )
        blinds.sort()
        if blinds not in ([0], [0, 1]):
            posted = " and ".join(str(seat + 1) for seat in blinds) or "no seat"
            raise self._hdb_error(f"{label}: blinds by {posted}, expected position 1, or positions 1 and 2", number)
        return _Table(f"{time}-{game}", pots, board, [seats[seat] for seat in range(players)], len(blinds))

    def _row(self, text: bytes, place: int, players: int, label: str) -> tuple[_Row, int, bool]:
        """Read one line of pdb: the row, its seat, whether it posted a blind; raises `HistoryError`."""
        line = " ".join(text.decode("latin-1").split(None, 2))
        fields = line.split()
        try:
            if len(fields) not in (11, 13):
                raise ValueError
            name, _, dealt, position, first, flop, turn, river, bankroll, put_in, won, *texts = fields
            cards = tuple([_INDEX[text] for text in texts])
            seat = int(position) - 1
            if int(dealt) != players or not 0 <= seat < players:
                raise self._pdb_error(
                    f"{label}: {name} in position {position} of {dealt}, but {players} were dealt in", place
                )
            blind = first[0] == "B"
            all_in = "A" in first or "A" in flop or "A" in turn or "A" in river
            if blind:
                first = first[1:].removeprefix("A")
            streets = ["" if text == "-" else text for text in (first, flop, turn, river)]
            row = _Row(name, streets, all_in, int(bankroll), int(put_in), int(won), cards)
        except HistoryError:
            raise
        except ValueError:
            what = "name, time stamp, players, position, four rounds, bankroll, put in, won, and two cards or none"
            raise self._pdb_error(f"{label}: expected {what}, got {line[:80]!r}", place) from None
        except KeyError as error:
            message = f"{label}: {error.args[0]!r} is not a card, expected text as in 'As'"
            raise self._pdb_error(message, place) from None
        return row, seat, blind

    def hands(self, skipped: Sink | None, mark: ReaderMark, begin: int = 1, end: int | None = None) -> Iterator[Hand]:
        """Rebuild the hands in the order of ``hdb``, of some of its lines; see the function `hands`."""
        game = partial(_spec, bet=self._bet)
        for number, line, time, found in self._batches(begin, end):
            try:
                if found.number != number:
                    what = f"hand {time.decode('latin-1')} has been on line {found.number} already"
                    raise self._hdb_error(what, number)
                hand = self._usual(line, found, game) or self._rebuilt(number, line, found)
            except HistoryError as error:
                if skipped is None:
                    raise
                skipped.append(error)
                continue
            mark.at = number, self._bet
            yield hand
        if end is not None:
            return
        for time, place in self._tables.orphans():
            orphan = self._pdb_error(f"hand {time.decode('latin-1')} is not in hdb", place)
            if skipped is None:
                raise orphan
            skipped.append(orphan)

    def _usual(self, line: bytes, found: _Found, game: Callable[[int, int], GameSpec]) -> Hand | None:
        """Rebuild a hand in which everybody acts in turn; None if there is anything else to it."""
        parts = None if found.roster is None else rebuild(line, found.roster, found.lines, game, _ACTIONS)
        if parts is None:
            return None
        name, seconds, players, actions, board, holdings, stated, payoffs, end = parts
        return Hand._checked(
            self.source, name, players, actions, board, holdings, stated, epoch_time(seconds), end, payoffs
        )

    def _rebuilt(self, number: int, line: bytes, found: _Found) -> Hand:
        """Rebuild any hand; raises `HistoryError`."""
        table = self._table(number, line, found)
        try:
            return _rebuild(table, self.source, self._bet)
        except ValueError as error:
            raise self._hdb_error(str(error), number) from None


def _hand_of(message: str) -> str | None:
    """Return the id of the hand with which a message begins."""
    found = _LABEL.match(message)
    return found and found[1]


def hands(files: Files, folder: str, skipped: Sink | None = None, mark: ReaderMark | None = None) -> Iterator[Hand]:
    """Rebuild the hands of one folder, in the order of ``hdb``.

    Parameters
    ----------
    files : Files
        The folder or archive of the database.
    folder : str
        A folder that `tables` found.
    skipped : Sink, optional
        Receives the errors of hands that cannot be rebuilt; None raises them.
    mark : ReaderMark, optional
        Says where the folder goes on.

    Yields
    ------
    Hand
        The ``id`` is time stamp and game number, as in ``"797210868-192"``, and ``time`` is that of the stamp;
        ``stated_payoffs`` are the amounts won less those put in, by the players' lines.

    Raises
    ------
    HistoryError
        If a table is missing or cannot be read, and for the first hand whose lines are damaged, that cannot have been
        played as its letters state, or whose pots, bets or winnings differ from those stated. A hand that only has
        lines of players is reported after the last hand.
    """
    import sqlite3  # which no other format needs

    mark = ReaderMark() if mark is None else mark
    first, bet = mark.start or (1, None)
    try:
        if bet is not None:  # few hands are likely wanted
            some = range(first, first + _AT_ONCE)
            with closing(_Month(files, folder, bet, some)) as month:
                yield from month.hands(skipped, mark, first, some.stop)
            first = some.stop
        with closing(_Month(files, folder, bet)) as month:
            yield from month.hands(skipped, mark, first)
        if month.behind:
            raise month.behind[0]
    except sqlite3.Error as failure:
        error = HistoryError(f"the tables cannot be joined in a temporary file: {failure}", str(files.path / folder))
        if skipped is None:
            raise error from None
        skipped.append(error)
    except HistoryError as error:  # of a hand, or of the whole month
        if skipped is None:
            raise
        skipped.append(error)


@cache
def _spec(players: int, blinds: int, bet: int) -> GameSpec:
    """Return the server's game with one blind (of a small bet) or two; the first seat acts first after the flop."""
    posted = (bet // 2, bet) if blinds == 2 else (bet,)
    return GameSpec(
        blinds=posted + (0,) * (players - blinds),
        bets=(bet, bet, 2 * bet, 2 * bet),
        first=(blinds % players, 0, 0, 0),
        max_raises=_CAPS,
        odd_chips="first",
        cap_heads_up=False,
        reopening="any",
    )


def _rebuild(table: _Table, source: str, bet: int) -> Hand:
    """Rebuild a hand and check its chips; raises `ValueError`."""
    rows = table.rows
    try:
        stacks = [_stack(row) for row in rows]
        walk = _Walk(table, _spec(len(rows), table.blinds, bet), stacks)
        _check_pots(table, walk)
        for row, ours in zip(rows, walk.state.committed, strict=True):
            if row.put_in != ours:
                raise ValueError(f"{row.name} put in {row.put_in}, but the actions come to {ours}")
    except ValueError as error:
        raise ValueError(f"hand {table.id}: {error}") from None
    hand = Hand(
        source,
        table.id,
        walk.spec,
        [row.name for row in rows],
        walk.actions,
        table.board,
        {seat: row.cards for seat, row in enumerate(rows) if row.cards},
        stacks,
        [row.won - row.put_in for row in rows],
        walk.mucked,
        time=epoch_time(int(table.id.partition("-")[0])),
    )
    hand._played(walk.state)
    for row, payoff in zip(rows, hand.payoffs, strict=True):
        if payoff != row.won - row.put_in:
            what = f"{row.name} won {row.won}, but by cards and actions it is {payoff + row.put_in:g}"
            raise ValueError(f"hand {table.id}: {what}")
    return hand


def _stack(row: _Row) -> int | None:
    """Return the chips of a player at the start, or None if they are not known; raises `ValueError`."""
    if row.all_in:
        return row.put_in
    if row.bankroll <= 0:
        return None
    if row.put_in > row.bankroll:
        raise ValueError(f"{row.name} put in {row.put_in} of a bankroll of {row.bankroll}, but was not all-in")
    return row.bankroll


def _check_pots(table: _Table, walk: _Walk) -> None:
    """Compare the pots with those of hdb; raises `ValueError`."""
    *streets, (_, last) = table.pots
    pot = walk.state.pot
    if last != pot:
        raise ValueError(f"the pot at the end is {last}, but the actions come to {pot}")
    for place, stated in enumerate(streets):
        where = _POTS[place]
        if place < len(walk.reached):
            if stated != walk.reached[place]:
                ours = "{} players and {}".format(*walk.reached[place])
                raise ValueError(f"the {where} starts with {stated[0]} players and {stated[1]}, but it is {ours}")
        elif stated[1] and not (walk.state.showdown and stated[1] == pot):
            # with all players all-in, a round without betting may be stated or not
            raise ValueError(f"the {where} starts with {stated[1]} in the pot, but was not reached")


class _Walk:
    """The letters of a hand, put in order by the rules, and their cost in chips.

    Raises `ValueError` if the letters are not a legal hand.

    Parameters
    ----------
    spec : GameSpec
        The game; `max_raises` is raised where the letters require it.
    stacks : list of int or None, or None
        As `State` takes them.

    Attributes
    ----------
    actions : list of Action
        The actions, in order.
    reached : list of (int, int)
        Players and pot at the start of each round after the first.
    """

    def __init__(self, table: _Table, spec: GameSpec, stacks: list[int | None] | None) -> None:
        self.spec = spec
        self._rows = table.rows
        self._stacks = stacks
        self._leaving: set[tuple[int, int]] = set()  # round and seat of players that left out of turn
        while not self._attempt():
            pass

    def _attempt(self) -> bool:
        """Walk through the hand; return False if it must be walked again with other assumptions, which are kept."""
        self.state = state = State(self.spec, self._stacks)
        self.actions: list[Action] = []
        self.reached: list[tuple[int, int]] = []
        self.mucked: list[int] = []
        for betting_round in range(len(_STREETS)):
            letters = [row.streets[betting_round] for row in self._rows]
            taken = [0] * len(letters)
            if not (self._play(betting_round, letters, taken) and self._close(betting_round, letters, taken)):
                return False
            if not state.over:
                self.reached.append((len(state.active), state.pot))
        return True

    def _play(self, betting_round: int, letters: list[str], taken: list[int]) -> bool:
        """Walk through a betting round; `taken` counts the used letters of each seat."""
        state, actions, rows, leaving = self.state, self.actions, self._rows, self._leaving
        opened = betting_round == 0
        raises = 0
        while (seat := state.seat) >= 0 and state.round == betting_round:
            place = taken[seat]
            letter = letters[seat][place : place + 1]
            if not letter or (letter in _LEAVING and rows[seat].won):
                self._without_letter(letters, taken)
                continue
            act = _ACTS.get(letter)
            if act is None:
                raise ValueError(f"{self._who(seat, betting_round)} does {letter!r}, which is not an action")
            taken[seat] = place + 1
            if act is Act.RAISE:
                if (letter == "r") != opened:
                    wrong = "raises without a bet" if letter == "r" else "bets after a bet"
                    raise ValueError(f"{self._who(seat, betting_round)} {wrong}")
                opened = True
                raises += 1
            try:
                chips = state.act(act)
            except ValueError:
                if act is Act.RAISE and self._lift_cap(betting_round, raises):
                    return False
                raise ValueError(f"{self._who(seat, betting_round)} cannot raise again") from None
            if act is not Act.FOLD:
                if act is Act.CALL and (letter == "k") != (chips == 0):
                    wrong = f"checks, but has {chips} to call" if chips else "calls, but there is nothing to call"
                    raise ValueError(f"{self._who(seat, betting_round)} {wrong}")
                if letters[seat].startswith("A", place + 1):
                    taken[seat] = place + 2
            actions.append(_ACTIONS[seat][act])
            if leaving and (betting_round, seat) in leaving and not letters[seat][taken[seat] :].strip(_LEAVING):
                taken[seat] = len(letters[seat])
                self._leave(seat)
        return True

    def _without_letter(self, letters: list[str], taken: list[int]) -> None:
        """Handle the turn of a player whose letters are used up: another player must have left before."""
        state = self.state
        for seat in state.active:
            following = letters[seat][taken[seat] :]
            if seat == state.seat or self._rows[seat].won or seat in state.all_in:
                continue
            if following and not following.strip(_LEAVING):
                taken[seat] = len(letters[seat])
                self._leave(seat)
                return
        if state.legal() != (Act.CALL,):
            raise ValueError(f"{self._who(state.seat, state.round)} has no action in turn")
        # nothing to call and no opponent to bet against: the server did not ask
        self.actions.append(_ACTIONS[state.seat][Act.CALL])
        state.act(Act.CALL)

    def _leave(self, seat: int) -> None:
        if self.state.over:
            self.mucked.append(seat)
        else:
            out_of_turn = seat != self.state.seat
            self.state.leave(seat)
            self.actions.append(Action(seat, Act.FOLD, out_of_turn=out_of_turn))

    def _lift_cap(self, betting_round: int, raises: int) -> bool:
        """Allow a number of raises in a round, if it is more than before and not beyond what the server has allowed."""
        caps = list(self.spec.max_raises)
        if not caps[betting_round] < raises <= _CAPS[betting_round] + _EXTRA_RAISES:
            return False
        caps[betting_round] = raises
        self.spec = replace(self.spec, max_raises=(caps[0], caps[1], caps[2], caps[3]))
        return True

    def _close(self, betting_round: int, letters: list[str], taken: list[int]) -> bool:
        """Handle the letters that are left at the end of a round."""
        state = self.state
        for seat, text in enumerate(letters):
            rest = text[taken[seat] :]
            if not rest:
                continue
            if rest.strip(_LEAVING):
                raise ValueError(f"{self._who(seat, betting_round)} still does {rest!r} when the round is over")
            row = self._rows[seat]
            if seat not in state.active or row.won or seat in state.all_in:
                continue
            if state.over and (not state.showdown or row.cards):
                continue
            if state.over and not taken[seat]:  # in a round that was not played
                self.mucked.append(seat)
            elif (betting_round, seat) not in self._leaving:
                self._leaving.add((betting_round, seat))
                return False
            else:
                raise ValueError(f"{self._who(seat, betting_round)} leaves after the end of the betting")
        return True

    def _who(self, seat: int, betting_round: int) -> str:
        return f"{self._rows[seat].name} {_STREETS[betting_round]}"
