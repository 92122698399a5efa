"""Freeze what the package says, to the bit, before it is rebuilt; and say afterwards what differs.

    python tools/freeze.py write FOLDER    # every part as JSON, and their hashes
    python tools/freeze.py check FOLDER    # the same again, beside them; status 1 if a part differs

Parts go through the front door alone, the commands and what `import pokermodel` gives, so that they outlive a rebuild
of what is behind it: scores of every reader, tournaments by seed, books as player, statistic and counts, and the JSON
of reads, profiles, nodes and advice. Hands are the one that ships, made-up ones, and those of seeded tournaments. Where
``POKERMODEL_DATA`` names a folder of real histories, some of these are read, too.

Keys that are renamed on purpose stand in `RENAMED`, old name to new; they are replaced in what was frozen before it is
compared. Hashes hold for one machine and one build of NumPy: they are no test that could pass elsewhere.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from click.testing import CliRunner

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import pokermodel as pm  # noqa: E402
from pokermodel.cli.main import cli  # noqa: E402
from pokermodel.learning import kinds  # noqa: E402
from pokermodel.reading import reader_kinds  # noqa: E402
from tests.common import desk  # noqa: E402

#: Keys of JSON that were renamed, by part or for all ("").
RENAMED: dict[str, dict[str, str]] = {}
#: What says nothing of values.
_PASSING = frozenset({"seconds", "version"})
#: Keys that are gone: what was frozen of them does not count.
_GONE = frozenset({"incomplete"})
#: Keys that were added since: nothing was frozen of them.
_ADDED = frozenset({"to_learn_again"})
_TOURNAMENTS = {
    "ring": ("loki1*2,som,bpl,simple,som?contexts=rich,gom?field=product,loki1?deceptive=1,bpp,call", 6, "limit"),
    "loki-2": ("loki2:br,loki2:sbr?trials=60,loki2:s?trials=60&noticed=1,loki2:r?specific=1,bpm,random", 4, "limit"),
    "heads-up": ("loki2:sr?trials=60&model=adaptive,myopic?deals=200", 6, "limit"),
    "no-limit": ("myopic?deals=100,call,raise,random", 6, "no-limit:50"),
}
#: Readers by options besides their defaults.
_VARIANTS = (
    *("loki1?field=product", "loki1?crude_potential=exact1&initial=income", "som?contexts=rich", "som?showdowns=1"),
    *("som?contexts=previous", "loki2?noise=.4&system=B", "loki2:som?system=rank", "loki2?preflop=product"),
    *("own?contexts=previous", "loki2?calibrated=0"),
)


def plain(value: Any) -> Any:
    """JSON without what passes, and with keys in one order."""
    if isinstance(value, dict):
        return {key: plain(value[key]) for key in sorted(value) if key not in _PASSING | _ADDED | _GONE}
    return [plain(each) for each in value] if isinstance(value, list) else value


def renamed(value: Any, names: dict[str, str]) -> Any:
    """JSON with other names for some keys."""
    if isinstance(value, dict):
        return {names.get(key, key): renamed(each, names) for key, each in value.items()}
    return [renamed(each, names) for each in value] if isinstance(value, list) else value


def command(*arguments: object) -> Any:
    """What a command prints as JSON, or what it says instead."""
    found = CliRunner().invoke(cli, [*map(str, arguments)])
    try:
        return (
            [json.loads(line) for line in found.stdout.splitlines()]
            if "--jsonl" in arguments
            else json.loads(found.stdout)
        )
    except json.JSONDecodeError:
        return {"status": found.exit_code, "said": found.stdout + found.stderr, "raised": repr(found.exception)}


def attempt(make: Callable[[], Any]) -> Any:
    """What is made, or why it is not."""
    try:
        return make()
    except ValueError as refused:
        return {"refused": str(refused)}


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


def parts(folder: Path) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Everything that is frozen, by name."""
    desk.lay(folder)
    sources: dict[str, Path] = {
        "example": folder / "hands.phh",
        "cash": folder / "cash.phhs",
        "match": folder / "match.log",
        "irc": folder / "holdem.199504.tgz",
    }
    for name, (players, deals, game) in _TOURNAMENTS.items():
        hands = folder / f"tournament-{name}"

        def play(players: str = players, deals: int = deals, game: str = game, hands: Path = hands) -> Any:
            options = ("--seed", 5, "--game", game, "--export", hands, "--json")
            return command("tournament", "--players", players, "--deals", deals, *options)

        yield f"tournament {name}", play
        sources[name] = hands
    if data := os.environ.get("POKERMODEL_DATA"):
        real = Path(data)
        sources |= {
            "acpc": real / "acpc-2014-3p-limit",
            "sites-limit": real / "sites-limit",
            "sites-no-limit": real / "sites-nolimit",
            "pluribus": real / "phh" / "pluribus.dev.tgz",
        }

    def hands_of(path: Path, most: int) -> list[pm.Hand]:
        found = []
        for hand in pm.open_hands(path, strict=False):
            found.append(hand)
            if len(found) == most:
                break
        return found

    for source, path in sources.items():
        most = 150 if source in ("ring", "loki-2", "heads-up", "no-limit") else 120
        for model in (*reader_kinds(), *_VARIANTS):

            def score(model: str = model, path: Path = path, most: int = most) -> Any:
                hands = hands_of(path, most)
                return [
                    attempt(lambda frozen=frozen: pm.score(hands, model, frozen=frozen).to_dict())
                    for frozen in (False, True)
                ]

            yield f"score {source} {model}", score

        def learn(source: str = source, path: Path = path, most: int = most) -> Any:
            with pm.Book(folder / f"{source}.db") as book:
                book.learn(hands_of(path, most), kinds=kinds())
            return book_counts(folder / f"{source}.db")

        yield f"book {source}", learn
        book = folder / f"{source}.db"

        def profiles(book: Path = book) -> Any:
            with pm.Book(book) as opened:
                names = sorted(opened)[:4]
            return [
                command("profile", name, "--book", book, "--json", *more)
                for name in names
                for more in ((), ("--by", "position"), ("--by", "street"), ("--ranges",))
            ] + [command("profile", "--book", book, "--json")]

        yield f"profiles {source}", profiles
        for model in ("loki1", "som", "loki2", "bpp", "adaptive", "contexts"):

            def read(model: str = model, path: Path = path, book: Path = book) -> Any:
                hands = hands_of(path, 3)
                hero = next((hand.players[seat] for hand in hands for seat in hand.holdings), None)
                found = [command("read", path, "--hand", k + 1, "--model", model, "--json") for k in range(len(hands))]
                known = ("--book", book) if reader_kinds()[model].needs else ()
                found.append(command("read", path, "--model", model, *known, "--weights", "--json"))
                if hero is not None:
                    found.append(command("read", path, "--model", model, "--hero", hero, "--json"))
                return found

            yield f"read {source} {model}", read

        def nodes(path: Path = path) -> Any:
            hand = hands_of(path, 1)[0]
            return command("nodes", path, "--player", hand.players[0], "--json")

        yield f"nodes {source}", nodes


def frozen() -> Iterator[tuple[str, Any, float]]:
    """Every part: its name, what it says now, and the seconds that it took."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        for name, make in parts(here):
            start = time.monotonic()
            text = json.dumps(plain(attempt(make))).replace(str(here), "FOLDER")
            yield name, json.loads(text), time.monotonic() - start


def digest(value: Any) -> str:
    """A hash of JSON."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


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
    return "" if old == new and type(old) is type(new) else f"{where}: {str(old)[:200]}, now {str(new)[:200]}"


def main() -> int:
    """Write or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("write", "check"))
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    known = given.folder / "parts"
    known.mkdir(exist_ok=True)
    hashes: dict[str, str] = {}
    differ = 0
    for name, value, seconds in frozen():
        file = known / f"{name.replace('/', '_').replace(' ', '_')}.json"
        if given.what == "write":
            file.write_text(json.dumps(value, sort_keys=True))
            hashes[name] = digest(value)
            print(f"{hashes[name][:16]}  {name}  {seconds:.1f} s", flush=True)
            continue
        before = plain(json.loads(file.read_text()))
        for part in ("", name):
            before = renamed(before, RENAMED.get(part, {}))
        if digest(before) != digest(value):
            differ += 1
            print(f"differs: {name}: {difference(before, value)}", flush=True)
    if given.what == "write":
        (given.folder / "hashes.json").write_text(json.dumps(hashes, indent=1, sort_keys=True) + "\n")
        print(f"{len(hashes)} parts, all together {digest(hashes)}")
        return 0
    print(f"{differ} parts differ" if differ else "nothing differs")
    return bool(differ)


if __name__ == "__main__":
    sys.exit(main())
