"""Freeze the values that the package computes, to the bit, before a rebuild; afterwards show what differs.

    python tools/freeze.py write FOLDER            # every part as a JSON file in FOLDER/parts
    python tools/freeze.py check FOLDER            # compute them again and compare; status 1 if a part differs
    python tools/freeze.py check FOLDER --quick    # the cheap parts of every kind: some 80 seconds of processor time
    python tools/freeze.py check FOLDER --only '(study|solve) .*'    # the parts whose names match
    python tools/freeze.py list FOLDER             # names of the parts, with q for those of --quick

Parts use only the front door: commands and what ``import pokermodel`` gives. So they outlive a rebuild of what lies
behind it. They hold scores of every reader, tournaments by seed, books as player, statistic and counts, and the JSON of
reads, profiles, exploits, nodes, lists, studies, solutions and a coach. Hands are the samples that ship, made-up ones,
and those of seeded tournaments. If ``POKERMODEL_DATA`` names a folder of real histories, some of these are read, too.

A part has a name of its own, which does not depend on the commands that it runs. Four tables hold what a rebuild
changes on purpose: `COMMANDS`, `RENAMED`, `LEFT_OUT` and `CHANGED`. Parts are written with the commands of the commit
at which the values were frozen. A renamed command or option is one line in `COMMANDS` and no change of a part.

Values hold for one machine and one build of NumPy: they are no test that could pass elsewhere. Each part is computed in
a process of its own, since what caches hold decides on the last bit of some values. The clock of the solver stands
still, so that no limit of time decides how far a solution gets on a busy machine.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pkgutil
import re
import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import pokermodel as pm  # noqa: E402
from pokermodel.cli.main import cli  # noqa: E402
from pokermodel.game import GameSpec  # noqa: E402
from pokermodel.reading import reader_kinds  # noqa: E402
from tests.common import coached, desk, studied  # noqa: E402

#: Pieces of command lines that were renamed: what a part has, and what it is now. A piece is a whole line of a part, or
#: enough of it to be found in no other, as "nodes {hands} --player {player}": "profile {player} --nodes {hands}".
#: Quote words with blanks as in a shell.
COMMANDS: dict[str, str] = {
    "--no-hero": "--where 'hero=\"\"'",
    "--player Blake --player Drew": "--where 'player=Blake player=Drew'",
    "--player Blake --position BTN --position CO": "--where 'hero=Blake seat=BTN,CO'",
    "--min-pot 20 --max-pot 80": "--where 'size>=20 size<=80'",
    "--street turn --showdown": "--where 'street>=turn showdown=yes'",
    "--street flop --no-showdown": "--where 'street>=flop showdown=no'",
    "--since '2026-03-08 01:20' --until '2026-03-08 01:30'": (
        "--where 'since=2026-03-08T01:20 until=2026-03-08T01:30'"
    ),
    "--stake 2/4": "--where stake=2/4",
    "--lost --min-loss 5bb": "--where 'lost>=5bb'",
    "--won": "--where 'won>0'",
    "versus {session} --json": "profile --history {session} --against Robin --json",
    "versus {session} --against Blake": "profile Blake --history {session} --against Robin",
    "versus {limit-session} --hero Robin": "profile --history {limit-session} --against Robin",
    "nodes {hands} --player {player}": "profile {player} --history {hands} --nodes",
    "--json --ranges": "--json --all",
    "solve {river} --export": "convert {river} --to",
    "--against model": "--lock model",
    "--save {saved}": "--out {saved}",
    "--continue {saved}": "{saved}",
}
#: Keys of JSON that were renamed, old name to new, by a pattern of parts' names (".*" for all).
RENAMED: dict[str, dict[str, str]] = {}
#: Keys that are not compared, by a pattern of parts' names: they were added since, or hold no values.
LEFT_OUT: dict[str, frozenset[str]] = {
    ".*": frozenset({"seconds", "version", "to_learn_again", "incomplete"}),
    "solve .*": frozenset({"key"}),  # a digest of the file's path, too
    # Limit has the package's own verdict, and with it the price of a call.
    "read example (adaptive|bpp|contexts)": frozenset({"price"}),
}
#: Keys whose values changed on purpose, by a pattern of parts' names. Write the reason beside each entry.
CHANGED: dict[str, frozenset[str]] = {
    # What the hero won is a part of the filter now, and hands that it leaves out are counted.
    "list (lost|won)": frozenset({"not_selected"}),
    # The key of a spot is the digest of the journal.
    "solve (several spots|.* of a session)": frozenset({"key"}),
    # A position is the hero's: Blake's here.
    "list in position": frozenset({"hero", "heroes"}),
    # The package's own verdict is the default adviser: in limit, where Loki-1's rules and a simulation advised, and of
    # readers that named the price alone where bets have sizes.
    "read example (adaptive|bpp|contexts)": frozenset({"advice"}),
    "read session contexts": frozenset({"advice", "price"}),
    "coach limit": frozenset({"acts", "to", "ev", "cost"}),
}

_TOURNAMENTS = {
    "ring": ("loki1*2,som,bpl,simple,som?contexts=rich,gom?field=product,loki1?deceptive=1,bpp,call", 6, "limit"),
    "loki-2": ("loki2:br,loki2:sbr?trials=60,loki2:s?trials=60&noticed=1,loki2:r?specific=1,bpm,random", 4, "limit"),
    "heads-up": ("loki2:sr?trials=60&model=adaptive,myopic?deals=200", 6, "limit"),
    "no-limit": ("myopic?deals=100,call,raise,random", 6, "no-limit:50"),
    # Players whose faults are found and answered.
    "faults": ("random,call,raise", 40, "limit"),
    "no-limit faults": ("call,raise", 100, "no-limit:100"),
}
#: Readers with other options than their defaults.
_VARIANTS = (
    *("loki1?field=product", "loki1?crude_potential=exact1&initial=income", "som?contexts=rich", "som?showdowns=1"),
    *("som?contexts=previous", "loki2?noise=.4&system=B", "loki2:som?system=rank", "loki2?preflop=product"),
    *("own?contexts=previous", "loki2?calibrated=0"),
)
#: Readers whose reports are frozen.
_READERS = ("loki1", "som", "loki2", "bpp", "adaptive", "contexts")
#: Hands of a source that are scored and learnt.
_MOST = 120
#: Kinds of knowledge that books learn.
_KNOWLEDGE = ("statistics", "adaptive", "bpp")

_RIVER = """
board = "QsJh2h8c3d"
pot = 200
stack = 900
ranges = ["QQ,AK,98s,22", "JJ,KK:.5,T9s,AA"]
bets = ["50%", "all-in"]
raises = ["60%"]
"""
_LOCK = '[[lock]]\nnode = "r:0:b100"\nstrategy = { f = 1.0, c = 0.0, b340 = 0 }\nconfidence = .5\n'
#: Spots to solve.
_SPOTS = {
    "river": _RIVER,
    "rake": _RIVER + "rake = .05\nrake_cap = 3\n",
    "uneven": _RIVER.replace("stack = 900", "stacks = [900, 500]"),
    "pot-limit": _RIVER.replace('"all-in"', '"100%"') + 'structure = "pot limit"\n',
    "locked": _RIVER + _LOCK,
    "turn": _RIVER.replace("8c3d", "8c"),
    "flop": _RIVER.replace("8c3d", "").replace('["50%", "all-in"]', '["75%"]').replace('["60%"]', "[]"),
}
#: Solutions: what is solved, and how.
_SOLUTIONS = {
    **{f"spot {name}": f"solve {{{name}}} --target .1 --jobs 1 --json" for name in ("river", "rake", "uneven")},
    **{f"spot {name}": f"solve {{{name}}} --target 1 --jobs 1 --json" for name in ("pot-limit", "locked", "turn")},
    "spot flop": "solve {flop} --target 2 --jobs 1 --json",
    "spot of the sample": "solve {sample} --jobs 1 --json",
    "spot without thin holdings": "solve {river} --least 60 --jobs 1 --json",
    "spot with a lock": "solve {river} --lock 'r:0:b100 f=1,c=0,b340=0 @.5' --jobs 1 --json",
    "spot within a risk": "solve {locked} --risk 1 --jobs 1 --json",
    "several spots": "solve {river} {turn} {rake} --jobs 1 --json",
    "spot for Pio": "solve {river} --export pio",
    "spot for GTO+": "solve {river} --export gto+",
    "decision": "solve {session} --hand 2 --act 14 --hero Robin --jobs 1 --json",
    "decision, other sizes": (
        "solve {session} --hand 2 --act 14 --hero Robin --bets all-in --raises '' --jobs 1 --json"
    ),
    "decision, thin holdings": "solve {session} --hand 2 --act 14 --hero Robin --least 20 --jobs 1 --json",
    "decision, another reader": "solve {session} --hand 2 --act 14 --hero Robin --model uniform --jobs 1 --json",
    "decision, with a book": "solve {session} --hand 2 --act 14 --hero Robin --book {book} --jobs 1 --json",
    "decision against the model": (
        "solve {session} --hand 2 --act 14 --hero Robin --against model --target .01 --jobs 1 --json"
    ),
    "decision against the model within a risk": (
        "solve {session} --hand 2 --act 14 --hero Robin --against model --risk .01 --jobs 1 --json"
    ),
    "decision in limit": "solve {limit-session} --hand 24 --act 13 --hero Robin --jobs 1 --json",
    "rivers of a session": "solve {session} --street river --hand 1-12 --jobs 1 --json",
    "turns of a session": (
        "solve {session} --street turn --hand 1-2 --bets 75% --raises '' --target 2 --jobs 1 --json"
    ),
}
#: Hands by what is known of them.
_LISTS = {
    "all": "list {session} --json",
    "everybody's": "list {session} --no-hero --json",
    "of two players": "list {session} --player Blake --player Drew --json",
    "in position": "list {session} --player Blake --position BTN --position CO --json",
    "by pot": "list {session} --min-pot 20 --max-pot 80 --json",
    "by round": "list {session} --street turn --showdown --json",
    "without a showdown": "list {session} --street flop --no-showdown --json",
    "by time": "list {session} --since '2026-03-08 01:20' --until '2026-03-08 01:30' --json",
    "by stake": "list {cash} {session} {limit-session} --stake 2/4 --json",
    "lost": "list {session} --lost --min-loss 5bb --sort loss --json",
    "won": "list {session} --won --sort win-bb --json",
}
_PEOPLE = {
    "versus session": "versus {session} --json",
    "versus session Blake": "versus {session} --against Blake --json",
    "versus limit-session": "versus {limit-session} --hero Robin --json",
}
_RANGES = {
    "range text": "range 'QQ+, AKs:0.5, 98s-65s, 15%' --board 2c7d9h --dead As --json",
    "equity of ranges": "equity 'QQ+, AKs' JJ-99 --board 2c7d9h --jobs 1 --json",
    "equity of three": "equity AhKh 'QQ+:.5, 87s' random --trials 20000 --seed 3 --jobs 1 --json",
}
_STUDIES = {
    "made up": "study {made-up} --hero Hero --fast --json",
    "session": "study {session} --hero Robin --fast --json",
    "session, eight hands": "study {eight} --hero Robin --fast --json",
    "session, another seed": "study {eight} --hero Robin --fast --seed 1 --json",
    "session, a book": "study {eight} --hero Robin --fast --book {book} --json",
    "limit-session": "study {limit-session} --hero Robin --fast --json",
    "limit-session, eight hands": "study {eight-limit} --hero Robin --fast --json",
}
_COACHED = {
    "no-limit": (GameSpec.no_limit(3, 1, 2, stacks=(100,) * 3), "call", 1),
    "no-limit heads-up": (GameSpec.no_limit(2, 1, 2, stacks=(100,) * 2), "call", 2),
    "limit": (GameSpec.ring(3, 1, 2), "call", 3),
}
#: What --quick leaves out: most of real histories, and the longest parts of each kind.
_LONG = (
    *("(score|book|profiles|read|nodes) (acpc|pluribus|sites-limit)( .*)?", "(score|nodes) sites-no-limit( .*)?"),
    *("(score|read) ring .*", "profiles (cash|example|limit-session|loki-2|ring|sites-no-limit)"),
    *("study session", "study session, (?!eight).*", "study limit-session", "exploits faults"),
    *("read session adaptive", "coach no-limit heads-up"),
)

# --------------------------------------------------------------------------------------------------------- values


class Part(NamedTuple):
    """A name and what computes the value."""

    name: str
    make: Callable[[], Any]

    @property
    def quick(self) -> bool:
        """Whether it is one of the cheap ones."""
        return not any(re.fullmatch(pattern, self.name) for pattern in _LONG)

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{re.sub('[ /]', '_', self.name)}.json"


def command(line: str, **values: object) -> Any:
    """What a command prints as JSON, or its text; messages of errors are words and no values.

    Parameters
    ----------
    line : str
        Without the name of the program; words may have fields, as ``{hands}``.
    **values : object
        What stands for the fields.
    """
    for old, new in COMMANDS.items():
        line = line.replace(old, new)
    words = [word.format(**values) for word in shlex.split(line)]
    found = CliRunner().invoke(cli, words)
    try:
        return json.loads(found.stdout)
    except json.JSONDecodeError:
        return {"status": found.exit_code, "text": found.stdout}


def attempt(make: Callable[[], Any]) -> Any:
    """A value, or that there is none for such input."""
    try:
        return make()
    except ValueError:
        return {"refused": True}


def book_counts(path: Path) -> dict[str, Any]:
    """A book as player, betting structure, statistic and counts."""
    with pm.Book(path) as book:
        found: dict[str, Any] = {}
        for name in sorted(book):
            for structure, profile in book.profiles(name).items():
                totals = profile.totals
                found[f"{name}: {structure}"] = {
                    "figures": {key: [each.numerator, each.denominator] for key, each in profile.statistics.items()},
                    "by round": {
                        street: {key: [each.numerator, each.denominator] for key, each in figures.items()}
                        for street, figures in profile.by_round().items()
                    },
                    "tables": {
                        key: getattr(totals, key).ravel().tolist()
                        for key in (
                            *("actions", "acts", "depths", "positions", "showdowns", "shown_preflop"),
                            "shown_postflop",
                        )
                    },
                    "everything": profile.to_dict(),
                }
        return found


def coach_says(spec: GameSpec, against: str, hands: int) -> list[dict[str, Any]]:
    """The worth and the cost of every action that a coach looks at, of somebody who calls."""
    return [
        {
            "round": view.round,
            "holding": pm.cards.cards_text(view.holding),
            "acts": [each.act.name.lower() for each in verdict.acts],
            "to": [each.to for each in verdict.acts],
            "ev": [each.ev for each in verdict.acts],
            "cost": [
                None if judged.loss is None else [judged.loss, judged.loss_error]
                for judged in (verdict.judge(each.act, each.to) for each in verdict.acts)
            ],
        }
        for view, verdict in coached.verdicts(spec, against, hands)
    ]


def strategies(path: Path) -> dict[str, Any]:
    """A solution in Python: its strategies, ranges and values at some nodes."""
    spot = pm.Subgame.from_toml(path)
    solution = pm.solve(spot, 0.5, jobs=1)
    held = [table.values > 0 for table in spot.ranges]
    nodes = ("r:0", "r:0:c", "r:0:b100")
    return {
        "measured": solution.measure(),
        "values": [solution.value(player) for player in (0, 1)],
        "worst case": [solution.worst_case(player) for player in (0, 1)],
        "nodes": {
            node: {
                "strategy": solution.strategy(node)[held[solution.player(node)]].tolist(),
                "ranges": [solution.range(node, player).values[held[player]].tolist() for player in (0, 1)],
            }
            for node in nodes
        },
    }


# ---------------------------------------------------------------------------------------------- files and parts


def apart(make: Callable[[], Any]) -> Any:
    """A value that can be written as JSON, computed in a process whose caches hold no more than those of this one."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(write, "w") as out:
            try:
                json.dump(attempt(make), out)
            except Exception as error:  # other parts can still be compared
                json.dump({"raised": repr(error)}, out)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as found:
        text = found.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"raised": "the process was killed"}


def import_everything() -> None:
    """Import all modules of the package, so that no part has to."""
    for module in pkgutil.walk_packages(pm.__path__, "pokermodel."):
        if not module.name.endswith("__main__"):
            with suppress(ImportError):  # what extras need that are not installed
                importlib.import_module(module.name)


class Files:
    """Hands and books that parts share: each is made when a part first needs it."""

    def __init__(self, folder: Path) -> None:
        desk.lay(folder)
        self.folder = folder
        self.hands = {
            "example": folder / "hands.phh",
            "cash": folder / "cash.phhs",
            "session": folder / "no-limit.txt",
            "limit-session": folder / "limit.txt",
            "match": folder / "match.log",
            "irc": folder / "holdem.199504.tgz",
        }
        if data := os.environ.get("POKERMODEL_DATA"):
            real = Path(data)
            self.hands |= {
                "acpc": real / "acpc-2014-3p-limit",
                "sites-limit": real / "sites-limit",
                "sites-no-limit": real / "sites-nolimit",
                "pluribus": real / "phh" / "pluribus.dev.tgz",
            }

    @property
    def sources(self) -> list[str]:
        """Names of all hands that parts read."""
        return [*self.hands, *(name for name in _TOURNAMENTS if "faults" not in name)]

    def once(self, path: Path, make: Callable[[Path], object]) -> Path:
        """A file or folder, which is made if it is not there."""

        def build() -> None:
            make(path)

        if not path.exists():
            apart(build)
        return path

    def tournament(self, name: str, hands: Path) -> Any:
        """The result of a tournament, whose hands are written."""
        players, deals, game = _TOURNAMENTS[name]
        line = "tournament --players {players} --deals {deals} --seed 5 --game {game} --export {hands} --json"
        return command(line, players=players, deals=deals, game=game, hands=hands)

    def path(self, source: str) -> Path:
        """The file or folder of some hands."""
        if source in self.hands:
            return self.hands[source]
        return self.once(self.folder / f"tournament-{source}", partial(self.tournament, source))

    def first(self, source: str, most: int) -> list[pm.Hand]:
        """The first hands of a source."""
        return list(islice(pm.open_hands(self.path(source), strict=False), most))

    def book(self, source: str) -> Path:
        """A book that has learnt from a source."""
        self.path(source)

        def learn(path: Path) -> None:
            with pm.Book(path) as book:
                book.learn(self.first(source, _MOST), kinds=_KNOWLEDGE)

        return self.once(self.folder / f"{source}.db", learn)

    def some(self, source: str, hands: int) -> Path:
        """The first hands of a session of PokerStars, as a file of its own."""
        whole = self.path(source)

        def write(path: Path) -> None:
            path.write_text("".join(re.split("(?m)^(?=PokerStars )", whole.read_text())[: hands + 1]))

        return self.once(self.folder / f"{hands}-{whole.name}", write)

    def spot(self, name: str) -> Path:
        """A spot file."""
        return self.once(self.folder / f"{name}.toml", lambda path: path.write_text(_SPOTS[name]))

    def fields(self, line: str) -> dict[str, Path]:
        """Files that a command line names."""
        made: dict[str, Callable[[], Path]] = {
            **{name: partial(self.path, name) for name in self.hands},
            **{name: partial(self.spot, name) for name in _SPOTS},
            "sample": lambda: self.folder / "spot.toml",
            "eight": lambda: self.some("session", 8),
            "eight-limit": lambda: self.some("limit-session", 8),
            "made-up": lambda: self.once(self.folder / "made-up.phhs", studied.write),
            "book": lambda: self.book("session"),
        }
        return {name: made[name]() for name in re.findall("{([^}]*)}", line)}

    def run(self, line: str) -> Any:
        """What a command prints that reads files of here."""
        return command(line, **self.fields(line))


def parts(files: Files) -> Iterator[Part]:
    """Everything that is frozen."""
    for name in _TOURNAMENTS:
        yield Part(f"tournament {name}", partial(files.tournament, name, files.folder / f"tournament-{name}"))
    for source in files.sources:
        yield from parts_of(files, source)
    lines = {
        **{f"list {name}": line for name, line in _LISTS.items()},
        **_PEOPLE,
        **_RANGES,
        **{f"solve {name}": line for name, line in _SOLUTIONS.items()},
        **{f"study {name}": line for name, line in _STUDIES.items()},
    }
    for name, line in lines.items():
        yield Part(name, partial(files.run, line))
    yield Part("solve in Python", lambda: strategies(files.spot("turn")))
    yield Part("solve on", lambda: solved_on(files))
    yield Part("solve spot in 16 bits", lambda: in_16_bits(files.spot("river")))
    for name, (spec, against, hands) in _COACHED.items():
        yield Part(f"coach {name}", partial(coach_says, spec, against, hands))
    for name, player in (("faults", "random"), ("no-limit faults", "call")):
        line = "profile {player} --book {book} --exploits --json"
        yield Part(
            f"exploits {name}",
            lambda name=name, player=player, line=line: command(line, player=player, book=files.book(name)),
        )


def parts_of(files: Files, source: str) -> Iterator[Part]:
    """What is frozen of each source of hands."""
    for model in (*reader_kinds(), *_VARIANTS):

        def score(model: str = model) -> Any:
            hands = files.first(source, _MOST)
            return [
                attempt(lambda frozen=frozen: pm.score(hands, model, frozen=frozen).to_dict())
                for frozen in (False, True)
            ]

        yield Part(f"score {source} {model}", score)
    yield Part(f"book {source}", lambda: book_counts(files.book(source)))
    yield Part(f"profiles {source}", lambda: profiles(files.book(source)))
    for model in _READERS:
        yield Part(f"read {source} {model}", partial(reads, files, source, model))

    def nodes() -> Any:
        (hand,) = files.first(source, 1)
        return command("nodes {hands} --player {player} --json", hands=files.path(source), player=hand.players[0])

    yield Part(f"nodes {source}", nodes)


def profiles(book: Path) -> list[Any]:
    """The profiles of some players of a book, and its list of players."""
    with pm.Book(book) as opened:
        names = sorted(opened)[:4]
    options = ("", " --by position", " --by street", " --ranges")
    lines = [f"profile {{player}} --book {{book}} --json{more}" for more in options]
    found = [command(line, player=name, book=book) for name in names for line in lines]
    return [*found, command("profile --book {book} --json", book=book)]


def reads(files: Files, source: str, model: str) -> list[Any]:
    """How a reader reads some hands: for everybody, with weights, and for the first whose cards are known."""
    fields: dict[str, Any] = {"hands": files.path(source), "model": model}
    known = ""
    if reader_kinds()[model].needs:
        known, fields["book"] = " --book {book}", files.book(source)
    hands = files.first(source, 3)
    hero = next((hand.players[seat] for hand in hands for seat in hand.holdings), None)
    line = "read {hands} --hand {number} --model {model} --json"
    found = [command(line, number=number, **fields) for number in range(1, len(hands) + 1)]
    found.append(command(f"read {{hands}} --model {{model}}{known} --weights --json", **fields))
    if hero is not None:
        found.append(command("read {hands} --model {model} --hero {hero} --json", hero=hero, **fields))
    return found


def in_16_bits(path: Path) -> Any:
    """A solution whose numbers have 16 bits, as a command prints it."""
    return json.loads(json.dumps(pm.solve(pm.Subgame.from_toml(path), 0.1, bits=16, jobs=1).summary()))


def solved_on(files: Files) -> list[Any]:
    """A solution that is saved, and the same solved further."""
    fields = {"spot": files.spot("river"), "saved": files.folder / "saved.npz"}
    lines = (
        "solve {spot} --target 5 --save {saved} --jobs 1 --json",
        "solve --continue {saved} --target .1 --jobs 1 --json",
    )
    return [command(line, **fields) for line in lines]


# -------------------------------------------------------------------------------------------------- comparison


def without(value: Any, keys: frozenset[str]) -> Any:
    """JSON without some keys."""
    if isinstance(value, dict):
        return {key: without(each, keys) for key, each in value.items() if key not in keys}
    return [without(each, keys) for each in value] if isinstance(value, list) else value


def renamed(value: Any, names: dict[str, str]) -> Any:
    """JSON with other names for some keys."""
    if isinstance(value, dict):
        return {names.get(key, key): renamed(each, names) for key, each in value.items()}
    return [renamed(each, names) for each in value] if isinstance(value, list) else value


def compared(name: str, old: Any, new: Any) -> tuple[Any, Any]:
    """Both values of a part as they are compared: with new names, and without the keys that are not compared."""

    def of(table: dict[str, Any]) -> list[Any]:
        return [entry for pattern, entry in table.items() if re.fullmatch(pattern, name)]

    for names in of(RENAMED):
        old = renamed(old, names)
    left_out = frozenset().union(*of(LEFT_OUT), *of(CHANGED))
    return without(old, left_out), without(new, left_out)


def difference(old: Any, new: Any, where: str = "") -> str:
    """The first place where two JSON values differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        if old.keys() != new.keys():
            return f"{where}: keys {sorted(old.keys() ^ new.keys())[:6]}"
        return next((found for key in old if (found := difference(old[key], new[key], f"{where}.{key}"))), "")
    if isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            return f"{where}: {len(old)} items, now {len(new)}"
        pairs = enumerate(zip(old, new, strict=True))
        return next((found for k, (a, b) in pairs if (found := difference(a, b, f"{where}[{k}]"))), "")
    same = json.dumps(old) == json.dumps(new)  # which tells 1 from 1.0, and not NaN from NaN
    return "" if same else f"{where}: {str(old)[:200]}, now {str(new)[:200]}"


def computed(part: Part, folder: Path) -> tuple[Any, float]:
    """The value of a part, and the processor time that it took."""
    before = os.times()
    text = json.dumps(apart(part.make)).replace(str(folder), "FOLDER")
    after = os.times()
    seconds = after.children_user - before.children_user + after.children_system - before.children_system
    return json.loads(text), seconds


def write(part: Part, file: Path, value: Any) -> str:
    """Freeze a part; its name."""
    file.write_text(json.dumps(value, sort_keys=True))
    return part.name


def check(part: Part, file: Path, value: Any) -> str:
    """Where a part differs first from what was frozen, if it does."""
    if not file.exists():
        return f"not frozen: {part.name}"
    found = difference(*compared(part.name, json.loads(file.read_text()), value))
    return f"differs: {part.name}: {found}" if found else ""


def main() -> int:
    """Write, check or list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("write", "check", "list"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", metavar="REGEX", default=".*", help="parts whose whole names match")
    parser.add_argument("--quick", action="store_true", help="the cheap parts of every kind")
    given = parser.parse_args()
    time.perf_counter = lambda: 0.0  # that of the solver: no solution ends before its other limits
    import_everything()
    known = given.folder / "parts"
    known.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        all_parts = list(parts(Files(Path(folder))))
        chosen = [each for each in all_parts if re.fullmatch(given.only, each.name) and (each.quick or not given.quick)]
        if given.what == "list":
            print(*(f"{'q' if each.quick else ' '} {each.name}" for each in chosen), sep="\n")
            return 0
        lines, total = 0, 0.0
        for part in chosen:
            value, seconds = computed(part, Path(folder))
            total += seconds
            line = (write if given.what == "write" else check)(part, known / part.file, value)
            if line:
                lines += 1
                print(f"{line}  ({seconds:.1f} s)", flush=True)
    print(f"{len(chosen)} parts in {total:.0f} s of processor time")
    if given.what == "write":
        return 0
    gone = {each.name for each in known.iterdir()} - {each.file for each in all_parts}
    if gone:
        print(f"frozen, but no parts any more: {', '.join(sorted(gone))}")
    print(f"{lines} parts differ" if lines else "nothing differs")
    return bool(lines or gone)


if __name__ == "__main__":
    sys.exit(main())
