"""Write what is usual among players of published histories: ``python tools/usual_rates.py FILE... --about TEXT``.

The result goes to ``src/pokermodel/data/usual_rates.json``, or to ``--out``. Each betting structure is counted apart,
and in it hands between two players and at larger tables.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from pathlib import Path

import pokermodel as pm
from pokermodel.learning.rates import Population, rates_data
from pokermodel.learning.statistics import PlayerCounts, contributions, totals

OUT = Path(__file__).resolve().parent.parent / "src" / "pokermodel" / "data" / "usual_rates.json"


def main() -> None:
    """Count all hands, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--about", required=True, help="what the hands are")
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    games: dict[str, list[Population]] = defaultdict(list)
    for file in arguments.files:  # players of different files are different ones
        counts: dict[tuple[str, str], dict[str, Counter[int]]] = defaultdict(lambda: defaultdict(Counter))
        for hand in pm.open_hands(file, strict=False):
            try:
                added = contributions(hand, list(hand.replay()))
            except ValueError:
                continue
            structure = hand.spec.structure
            game = f"{structure}{' heads-up' if hand.spec.players == 2 else ''}"
            for each in added:
                counts[game, structure][each.name].update(totals([each]))
        for (game, structure), players in counts.items():
            of_game = {name: PlayerCounts(found, structure) for name, found in players.items()}
            games[game].append(Population.of(structure, of_game))
    arguments.out.write_text(rates_data(dict(sorted(games.items())), arguments.about), encoding="utf-8")


if __name__ == "__main__":
    main()
