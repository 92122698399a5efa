"""Experiments with Loki-2: Peña (1999), section 4.3 and chapter 5, and Billings et al. (1999).

Figures of the AAAI papers are read off printed curves.
"""

from __future__ import annotations

from collections.abc import Mapping

from pokermodel.experiments.claims import Above, Additive, Order, Size
from pokermodel.experiments.registry import register
from pokermodel.experiments.tournaments import Part, Row, TournamentExperiment

_AAAI99 = "Billings et al. 1999 (AAAI)"
_ICML99 = "Billings et al. 1999 (ICML)"
_THESIS = "Peña 1999"
_LOKI2 = {
    "B": ("b", {_AAAI99: 0.025, _THESIS: 0.041}),
    "R": ("r", {_AAAI99: 0.023, _ICML99: 0.031, _THESIS: 0.055}),
    "B+R": ("br", {_AAAI99: 0.044, _THESIS: 0.085}),
    "S": ("s", {_AAAI99: 0.077, _ICML99: 0.093, _THESIS: 0.098}),
    "S+R": ("sr", {_ICML99: 0.095, _THESIS: 0.120}),
    "S+B": ("sb", {_THESIS: 0.075}),
    "S+B+R": ("sbr", {_AAAI99: 0.083, _THESIS: 0.110}),
}
#: Styles of Loki-1 in the mixed field. The source only names them: tight and loose, passive and aggressive. The options
#: are ours, as are the options of players that bet by triples.
_TIGHT, _LOOSE = "tightness=tight", "tightness=loose&shift=-100"
_PASSIVE, _AGGRESSIVE = "make1=0.6&make2=0.95", "make1=0.4&make2=0.75"
_STYLES = {
    "T/P": (_TIGHT, _PASSIVE, "raise_shift=0.1"),
    "T/A": (_TIGHT, _AGGRESSIVE, "raise_shift=-0.1"),
    "L/A": (_LOOSE, _AGGRESSIVE, "raise_shift=-0.1"),
    "L/P": (_LOOSE, _PASSIVE, "raise_shift=0.1"),
}
_MIXED: Mapping[str, tuple[str, Mapping[str, float]]] = {
    "B": ("b", {"T/P": 0.034, "T/A": 0.038, "L/A": 0.066, "L/P": 0.042, "average": 0.045}),
    "R": ("r", {"T/P": 0.054, "T/A": 0.055, "L/A": 0.110, "L/P": 0.063, "average": 0.070}),
    "B+R": ("br", {"T/P": 0.063, "T/A": 0.073, "L/A": 0.160, "L/P": 0.090, "average": 0.096}),
    "S": ("s", {"average": 0.036}),
}


def _homogeneous() -> TournamentExperiment:
    """Return the experiment with two modified players among eight of Loki-1, and of Loki-2 with B and R."""
    parts = [Part(label, f"loki2:{parts}*2,loki1*8") for label, (parts, _) in _LOKI2.items()]
    rows = [Row(label, label, f"loki2:{parts}", published) for label, (parts, published) in _LOKI2.items()]
    parts.append(Part("always-call S", "loki2:s?play_out=call*2,loki1*8"))
    rows.append(Row("always-call S", "always-call S", "loki2:s?play_out=call", {_THESIS: 0.057}))
    # ours: the sources do not say whether opponents react to the first act of a play-out
    for label, kind in (("S noticed", "s"), ("S+R noticed", "sr"), ("S+B noticed", "sb")):
        player = f"loki2:{kind}?noticed=1"
        parts.append(Part(label, f"{player}*2,loki1*8"))
        rows.append(Row(label, label, player))
    for label, player, published in (("S v B+R", "loki2:s", 0.023), ("S+B+R v B+R", "loki2:sbr", 0.087)):
        parts.append(Part(label, f"{player}*2,loki2:br*8"))
        rows.append(Row(label, label, player, {_THESIS: published}))
    return TournamentExperiment(
        "loki2",
        "Loki-2's parts, two players among eight of Loki-1 (or of B+R)",
        "Peña 1999, section 4.3 and chapter 5; Billings et al. 1999",
        2_500,
        tuple(parts),
        tuple(rows),
        (
            Above(("B", "R", "B+R", "S", "S+B+R")),
            Above(("B+R",), ("B", "R")),
            Additive("B+R", ("B", "R"), 0.03),
            Additive("S+B+R", ("S", "B+R")),
            Above(("always-call S",)),
            Above(("S",), ("always-call S",)),
            Above(("S+B+R v B+R",)),
            Size(_THESIS, 0.04),
        ),
    )


def _mixed() -> TournamentExperiment:
    """Return the experiment with five pairs of Loki-1 and a modified twin, each pair of one style."""
    parts, rows = [], []
    for label, (kind, published) in _MIXED.items():
        twins, players = {}, []
        for style, (tightness, rules, triples) in _STYLES.items():
            usual = f"loki1?{tightness}&{rules}"
            twin = f"loki2:{kind}?{tightness}&{triples if 'b' in kind else rules}"
            twins[style] = twin, usual
            copies = "*2" if style == "T/P" else ""
            players += [usual + copies, twin + copies]
            rows.append(
                Row(
                    f"{label} {style}",
                    label,
                    twin,
                    {_THESIS: published[style]} if style in published else {},
                    usual,
                )
            )
        rows.append(
            Row(
                f"{label} average",
                label,
                tuple(twin for twin, _ in twins.values()),
                {_THESIS: published["average"]},
                tuple(usual for _, usual in twins.values()),
            )
        )
        parts.append(Part(label, ",".join(players)))
    return TournamentExperiment(
        "loki2-mixed",
        "Loki-2's parts in a mixed field: what each style gains over its twin of Loki-1",
        "Peña 1999, section 4.3",
        2_500,
        tuple(parts),
        tuple(rows),
        (
            Above(tuple(f"{label} average" for label in _MIXED)),
            *(
                Above((f"{label} L/A",), tuple(f"{label} {style}" for style in ("T/P", "T/A", "L/P")), confident=False)
                for label in ("B", "R", "B+R")
            ),
            Order(("B+R average", "R average", "B average")),
            Size(_THESIS, 0.04),
        ),
    )


register(_homogeneous())
register(_mixed())
