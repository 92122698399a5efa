"""Fit a prior to hand histories, from a clone: a whole one, its kinds of tables, or one more kind.

    python -m tools.fit FILE... --out PRIOR [--seed 1] [--note TEXT] [--passes 6] [--joint-passes 5]
    python -m tools.fit FILE... --out PRIOR --prior PRIOR
    python -m tools.fit FILE... --out PRIOR --kind NAME [--prior PRIOR]

A FILE is a hand history, or a folder or an archive of hand histories. Hands are taken in the order of the FILEs. Hands
that nobody showed count, too; where bets have sizes, all known cards are used. Limit and the other structures are
fitted apart, each if there are hands of it. The same hands and seed give the same file.

With --prior alone a prior gets all kinds of tables anew, in the games of these hands, which may be those of programs.
With --kind it gets one kind more: the level at which people act at these tables. Its likelihoods stay as they are.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

# before NumPy is imported: several threads of its linear algebra add up in another order than one
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from pokermodel._support.files import write_bytes
from pokermodel._support.words import counted
from pokermodel.histories import open_hands
from pokermodel.reading.adaptive.evidence import PlayedHand
from pokermodel.reading.adaptive.levels import add_kind, whole_hand
from pokermodel.reading.adaptive.prior import default_prior, read_prior
from tools.fit.kinds import with_kinds
from tools.fit.options import FitOptions
from tools.fit.prior import fit_prior


def read(files: Sequence[Path]) -> list[PlayedHand]:
    """Gather the hands of files for a fit; print for each file how many there are, and how many are left out."""
    hands: list[PlayedHand] = []
    for file in files:
        errors: list[ValueError] = []
        before = len(hands)
        for hand in open_hands(file, strict=False).read(errors):
            try:
                found = whole_hand(hand)
            except ValueError as error:
                errors.append(error)
                continue
            if found is not None:
                hands.append(found)
        left_out = f", {len(errors):,} hands or files left out, first: {errors[0]}" if errors else ""
        print(f"{file}: {len(hands) - before:,} hands{left_out}", file=sys.stderr)
    print(f"{len(hands):,} hands to fit", file=sys.stderr)
    return hands


def show(done: int, passes: int, loss: float) -> None:
    """Print what came of a pass."""
    print(f"pass {done} of {passes}: {loss:.4f} nats an act", file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit what the command line names, and write the prior."""
    usual = FitOptions()
    parser = argparse.ArgumentParser(prog="python -m tools.fit", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--out", type=Path, required=True, metavar="PRIOR", help="the file to write")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same prior [%(default)s]")
    parser.add_argument("--note", default="", help="what the hands are; the prior keeps it")
    parser.add_argument("--passes", type=int, default=usual.passes, help="for the network alone [%(default)s]")
    parser.add_argument(
        "--joint-passes", type=int, default=usual.joint_passes, help="together with players' effects [%(default)s]"
    )
    parser.add_argument("--kind", metavar="NAME", help="add this kind of table, or replace it, instead of a whole fit")
    parser.add_argument(
        "--prior", type=Path, help="the prior that gets the kind [the one of the package], or all kinds"
    )
    given = parser.parse_args(arguments)
    options = FitOptions(passes=given.passes, joint_passes=given.joint_passes)
    about = {"note": given.note, "seed": given.seed}
    try:
        hands = read(given.files)
        if given.kind is None and given.prior is None:
            prior = fit_prior(hands, rng=given.seed, options=options, about=about, step=show)
            what = f"{prior.about['hands']:,} hands of {prior.about['players']:,} players"
        else:
            known = default_prior() if given.prior is None else read_prior(given.prior)
            prior = with_kinds(known, hands) if given.kind is None else add_kind(known, hands, given.kind)
            kinds = {name: len(game.kinds or ()) for name, game in prior.games.items()}
            what = ", ".join(f"{counted(number, 'kind')} of {name}" for name, number in kinds.items())
    except ValueError as error:
        sys.exit(f"Error: {error}")
    write_bytes(given.out, prior.to_bytes())
    print(f"{given.out}: {what}, {prior.digest[:12]}")


if __name__ == "__main__":
    main()
