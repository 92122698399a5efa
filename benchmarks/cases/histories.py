"""Reading hand histories, replay and payoffs included.

The larger ones are not part of the project: the environment variable POKERMODEL_DATA names their folder.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tarfile
import tempfile
import warnings
from functools import partial
from importlib import resources
from itertools import islice
from pathlib import Path

import pokermodel as pm
from benchmarks.registry import Run, UnavailableError, at_most, case
from pokermodel.learning import kinds

EXAMPLE = Path(str(resources.files("pokermodel") / "data" / "example.phh"))


def read_and_replay(path: Path) -> tuple[int, int]:
    """Hands and decisions of one pass over a source."""
    hands = decisions = 0
    for hand in pm.open_hands(path, strict=False):
        hands += 1
        decisions += sum(1 for _ in hand.replay())
        _ = hand.payoffs
    return hands, decisions


def data(name: str) -> Path:
    """A file or folder of the histories."""
    if "POKERMODEL_DATA" not in os.environ:
        raise UnavailableError("POKERMODEL_DATA does not name the folder of the histories")
    path = Path(os.environ["POKERMODEL_DATA"], name)
    if not path.exists():
        raise UnavailableError(f"{path} does not exist")
    return path


def real(name: str) -> Run:
    path = data(name)
    hands, decisions = read_and_replay(path)
    return Run(lambda: read_and_replay(path), hands, f"{hands:,} hands, {decisions:,} decisions")


MONTH = "irc-199504/holdem.199504.dev.tgz"
case("histories: a month of the IRC database", "hand", at_most(1 / 40_000), rounds=3).ours(partial(real, MONTH))
case("histories: ACPC matches of three players", "hand", rounds=3).ours(partial(real, "acpc-2014-3p-limit"))


learn = case(
    "histories: a month of the IRC database, learnt into a new SQLite file", "hand", at_most(1 / 15_000), rounds=3
)


@learn.ours
def learn_month() -> Run:
    path, read = data(MONTH), real(MONTH)

    def learn() -> None:
        with tempfile.TemporaryDirectory() as folder, pm.Book(Path(folder, "book")) as book:
            book.learn(pm.open_hands(path, strict=False), kinds=kinds())

    return Run(learn, read.units, read.note)


phh = case("histories: a PHH file of one hand", "hand")


@phh.ours
def example() -> Run:
    return Run(lambda: read_and_replay(EXAMPLE))


@phh.peer("pokerkit")
def example_with_pokerkit() -> Run:
    from pokerkit import HandHistory

    def read() -> int:
        with EXAMPLE.open("rb") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return sum(1 for _ in HandHistory.load(file))

    return Run(read)


PLURIBUS = 1000


def pluribus() -> Path:
    """Hands of Pluribus, no limit, as one file."""
    folder = tempfile.mkdtemp()
    path = Path(folder, "pluribus.phhs")
    with tarfile.open(data("phh/pluribus.dev.tgz")) as archive:
        texts = (archive.extractfile(member) for member in archive if member.isfile())
        hands = islice((text.read().decode() for text in texts if text), PLURIBUS)
        path.write_text("\n".join(f"[{number}]\n{text}" for number, text in enumerate(hands, 1)))
    atexit.register(shutil.rmtree, folder)
    return path


sized = case("histories: no-limit hands of Pluribus in PHH", "hand", at_most(1 / 10_000), rounds=3)


@sized.ours
def pluribus_read() -> Run:
    path = pluribus()
    return Run(lambda: read_and_replay(path), PLURIBUS, "six players, all cards known")


@sized.peer("pokerkit")
def pluribus_with_pokerkit() -> Run:
    from pokerkit import HandHistory

    path = pluribus()

    def read() -> int:
        with path.open("rb") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return sum(1 for hand in HandHistory.load_all(file) for _ in hand)

    return Run(read, PLURIBUS)


STARS = (
    "cash.Flop.NLHE-FR-USD-0.01-0.02-201005.microgrind.hh",
    "cash.Flop.NLHE-6max-USD-0.05-0.10-200911.hh",
    "tour.Flop.NLHE-USD-STT-20-201006.DONturbo.hh",
)


site = case("histories: text of PokerStars", "hand", at_most(1 / 20_000), rounds=3)


@site.ours
def stars_read() -> Run:
    paths = [data(f"sites-nolimit/pokerstars/{name}") for name in STARS]
    hands, decisions = map(sum, zip(*map(read_and_replay, paths), strict=True))
    return Run(lambda: [read_and_replay(path) for path in paths], hands, f"{hands:,} hands, {decisions:,} decisions")


case("histories: text of twenty sites, most files of few hands", "hand", at_most(1 / 1_000), rounds=3).ours(
    partial(real, "sites-nolimit")
)


FILES = 1000


def one_hand_files(apart: bool) -> Run:
    """Hands of PokerStars in a folder: a file each, or all in one."""
    text = (data(f"sites-nolimit/pokerstars/{STARS[1]}").read_text(encoding="utf-8-sig")).replace("\r\n", "\n")
    usual = next(part for part in text.split("\n\n\n") if part.strip())
    number = usual[usual.index("#") + 1 : usual.index(":")]
    texts = [usual.replace(number, str(1_000_000 + each), 1).strip() + "\n\n\n" for each in range(FILES)]
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    for name, part in enumerate(texts if apart else ["".join(texts)]):
        (folder / f"{name}.txt").write_text(part, encoding="utf-8")
    return Run(lambda: sum(1 for _ in pm.open_hands(folder, index=False)), FILES)


apart = case("histories: text of PokerStars, a file for each hand", "hand", at_most(40e-6), rounds=3)
apart.ours(partial(one_hand_files, True))
apart.peer("one file")(partial(one_hand_files, False))


case("histories: no-limit matches of the ACPC's dealer", "hand", at_most(1 / 20_000), rounds=3).ours(
    partial(real, "deepstack-hunl/deepstack_vs_humans.dev.log.gz")
)
