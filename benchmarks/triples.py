"""Probability triples: all holdings of a board from Python, one after the other from C, and whole re-weightings.

    python -m benchmarks.triples

The C part needs a C compiler, ``cc``.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import pokermodel as pm
from benchmarks import best_times, report
from pokermodel.game import Act
from pokermodel.modeling import Spot, TripleGenerator, multiply_by_triples

BET = Spot(round=1, pot=6, to_call=2, bet=2, bets_to_call=1, num_bets=1, can_raise=True)
REPEATS = 200

# What a simulation does at each decision: the situation from the state of the rules, then one triple. The sum keeps
# the work from being optimised away.
SINGLE = """
#include "pokermodel/triples.h"

double run(const double *values, const double *potentials, int n, int repeats)
{
    static const pm_generator own = {
        {{.60, .40, -1, -1}, {.95, .75, .60, .40}, {.99, .85, .80, .60}},
        0, 0, PM_OWN, PM_POT_ODDS | PM_SHOWDOWN_ODDS | PM_SEMI_BLUFF, 0, 0};
    static const pm_table table = {
        .blinds = {1, 2}, .limit = {PM_DEEP, PM_DEEP, PM_DEEP}, .bets = {2, 2, 4, 4}, .max_raises = {3, 4, 4, 4},
        .first = {2, 0, 0, 0}, .players = 3, .cap_heads_up = 1};
    pm_state state;
    double sum = 0;
    int i, k;
    pm_begin(&state, &table);
    for (k = 0; k < 3; k++)
        pm_act(&state, PM_CALL);
    pm_act(&state, PM_RAISE);
    for (k = 0; k < repeats; k++)
        for (i = 0; i < n; i++) {
            pm_held held = {values[i], potentials[i], values[i]};
            pm_spot spot = pm_spot_of(&state);
            pm_triple t = pm_triple_of(&own, &spot, &held, 0);
            sum += t.p[(i + k) & 1];
        }
    return sum;
}
"""


def compiled(folder: str) -> ctypes.CDLL:
    source, library = Path(folder, "single.c"), Path(folder, "single.so")
    source.write_text(SINGLE)
    subprocess.run(
        ["cc", "-O3", "-shared", "-fPIC", f"-I{pm.get_include()}", str(source), "-o", str(library)], check=True
    )
    found = ctypes.CDLL(str(library))
    found.run.restype = ctypes.c_double
    return found


def main() -> None:
    analysis = pm.BoardAnalysis("3h4cJh")
    weights = np.random.default_rng(1).random(1326) * analysis.live
    own, reweighting = TripleGenerator(), TripleGenerator(form="reweighting")
    values, potentials, effectives = own.evaluate(analysis, [weights])
    live = np.flatnonzero(analysis.live)
    held = [np.ascontiguousarray(column[live]) for column in (values, potentials)]
    pointers = [column.ctypes.data_as(ctypes.c_void_p) for column in held]
    with tempfile.TemporaryDirectory() as folder:
        library = compiled(folder)
        cases = {
            "one by one in C, own form": lambda: library.run(*pointers, len(live), REPEATS),
            "all holdings, own form": lambda: own.apply(BET, values, potentials, effectives),
            "all holdings, re-weighting form": lambda: reweighting.apply(BET, values, potentials),
            "all holdings, with their evaluation": lambda: own.triples(BET, analysis, [weights]),
            "a whole re-weighting, board known": lambda: multiply_by_triples(
                weights, reweighting.triples(BET, analysis, [weights]), Act.CALL
            ),
        }
        units = dict.fromkeys(cases, 1326) | {"one by one in C, own form": len(live) * REPEATS}
        report("probability triples", best_times(cases), units, "triple")


if __name__ == "__main__":
    main()
