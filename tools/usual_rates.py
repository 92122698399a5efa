"""Write what is usual among players of published histories: ``python tools/usual_rates.py FILE... --about TEXT``.

The result goes to ``src/pokermodel/data/usual_rates.json``, or to ``--out``. Each betting structure is counted apart,
and in it hands between two players and at larger tables.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

import pokermodel as pm
from pokermodel.game import BettingStructure
from pokermodel.learning.rates import ENOUGH_CHANCES, ENOUGH_PLAYERS, Population, UsualRate, rates

OUT = Path(__file__).resolve().parent.parent / "src" / "pokermodel" / "data" / "usual_rates.json"


def rates_data(games: Mapping[str, Sequence[Population]], about: str) -> str:
    """The text of the file that `pokermodel.learning.rates.usual_rates` reads.

    Parameters
    ----------
    games : mapping of str to sequence of Population
        By structure, and ``" heads-up"`` between two players: populations whose players are pooled.
    about : str
        What they are.
    """
    found: dict[str, dict[str, tuple[float, float, int]]] = {}
    for game, populations in games.items():
        made, chances = (np.concatenate([getattr(each, name) for each in populations]) for name in ("made", "chances"))
        for column, rate in enumerate(rates(populations[0].structure)):
            usual = UsualRate.of(made[:, column], chances[:, column])
            if usual is not None and (chances[:, column] >= ENOUGH_CHANCES).sum() >= ENOUGH_PLAYERS:
                found.setdefault(game, {})[rate.key] = round(usual.value, 4), round(usual.strength, 1), usual.players
    text = json.dumps({"about": about, "games": found}, indent=1)
    return re.sub(r"\[[^]]+\]", lambda each: f"[{' '.join(each[0][1:-1].split())}]", text) + "\n"


def main() -> None:
    """Count all hands, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--about", required=True, help="what the hands are")
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    games: dict[str, list[Population]] = defaultdict(list)
    for file in arguments.files:  # players of different files are different ones
        for tables in ("heads-up", ""):
            with pm.Book("sqlite://") as book:
                hands = pm.open_hands(file, strict=False)
                book.add((hand for hand in hands if (hand.spec.players == 2) == bool(tables)), skipped=[])
                for structure in BettingStructure:
                    found = book.rates(structure)
                    if found.names:
                        games[f"{structure} {tables}".strip()].append(found)
    arguments.out.write_text(rates_data(dict(sorted(games.items())), arguments.about), encoding="utf-8")


if __name__ == "__main__":
    main()
