"""Experiments with Loki-2: Peña (1999), section 4.3 and chapter 5, and Billings et al. (1999).

Figures of the AAAI papers are read off printed curves. The sources leave the field of their measurements open, so each
table can be played under several readings of Loki-1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pokermodel.classics.experiments.claims import Above, Additive, Order, WithinTolerance
from pokermodel.classics.experiments.registry import register
from pokermodel.classics.experiments.tournaments import FigureRow, Part, TournamentExperiment

_AAAI99 = "Billings et al. 1999 (AAAI)"
_ICML99 = "Billings et al. 1999 (ICML)"
_SYMPOSIUM99 = "Billings et al. 1999 (Spring Symposium)"
_THESIS = "Peña 1999"
_LOKI2 = {
    "B": ("b", {_AAAI99: 0.025, _THESIS: 0.041}),
    "R": ("r", {_AAAI99: 0.023, _ICML99: 0.031, _THESIS: 0.055}),
    "B+R": ("br", {_AAAI99: 0.044, _THESIS: 0.085}),
    "S": ("s", {_AAAI99: 0.077, _ICML99: 0.093, _SYMPOSIUM99: 0.1075, _THESIS: 0.098}),
    "S+R": ("sr", {_ICML99: 0.095, _THESIS: 0.120}),
    "S+B": ("sb", {_THESIS: 0.075}),
    "S+B+R": ("sbr", {_AAAI99: 0.083, _THESIS: 0.110}),
}
#: Simulation as published: how it deals, and when it ends.
_PUBLISHED = ("dealing=published", "stop=published")
#: Styles of Loki-1 in the mixed field. The source only names them: tight and loose, passive and aggressive. The options
#: are ours, as are the options of players that bet by triples.
_TIGHT, _LOOSE = ("tightness=tight",), ("tightness=loose", "shift=-100")
_PASSIVE, _AGGRESSIVE = ("make1=0.6", "make2=0.95"), ("make1=0.4", "make2=0.75")
_STYLES = {
    "T/P": (_TIGHT, _PASSIVE, ("raise_shift=0.1",)),
    "T/A": (_TIGHT, _AGGRESSIVE, ("raise_shift=-0.1",)),
    "L/A": (_LOOSE, _AGGRESSIVE, ("raise_shift=-0.1",)),
    "L/P": (_LOOSE, _PASSIVE, ("raise_shift=0.1",)),
}
_MIXED: Mapping[str, tuple[str, Mapping[str, float]]] = {
    "B": ("b", {"T/P": 0.034, "T/A": 0.038, "L/A": 0.066, "L/P": 0.042, "average": 0.045}),
    "R": ("r", {"T/P": 0.054, "T/A": 0.055, "L/A": 0.110, "L/P": 0.063, "average": 0.070}),
    "B+R": ("br", {"T/P": 0.063, "T/A": 0.073, "L/A": 0.160, "L/P": 0.090, "average": 0.096}),
    "S": ("s", {"average": 0.036}),
}


def _text(name: str, *options: str) -> str:
    """Return the text of a player."""
    return f"{name}?{'&'.join(options)}" if options else name


@dataclass(frozen=True, slots=True)
class _Reading:
    """What Loki-1 is taken to have been.

    Attributes
    ----------
    suffix, words : str
        End of the experiments' names, and of their titles.
    field : str
        Loki-1 in the field.
    options : tuple of str
        Options of Loki-1 in the field.
    hero : tuple of str
        Options of the modified players.
    by_rules : tuple of str
        Further options of those among them that act by Loki-1's rules after the flop, which are those with R alone.
    """

    suffix: str
    words: str
    field: str = "loki1"
    options: tuple[str, ...] = ()
    hero: tuple[str, ...] = ()
    by_rules: tuple[str, ...] = ()

    @property
    def loki1(self) -> str:
        """The text of Loki-1."""
        return _text(self.field, *self.options)

    def loki2(self, parts: str, *options: str) -> str:
        """Return the text of a modified player."""
        by_rules = self.by_rules if parts == "r" else ()
        return _text(f"loki2:{parts}", *self.hero, *by_rules, *(_PUBLISHED if "s" in parts else ()), *options)


_READINGS = (
    _Reading("", ""),
    _Reading("-no-showdown-odds", ", none with showdown odds", "loki1", ("showdown_odds=0",), ("showdown_odds=0",)),
    _Reading("-income", ", tables begin with income rates", "loki1", ("initial=income",), ("initial=income",)),
    _Reading("-specific", ", with specific models", "som", (), ("specific=1",)),
    _Reading("-deceptive", ", with deceptive rules", "loki1", ("deceptive=1",), (), ("deceptive=1",)),
)


def _homogeneous(reading: _Reading) -> TournamentExperiment:
    """Return the experiment with two modified players among eight of Loki-1, and of Loki-2 with B and R."""
    parts: list[Part] = []
    rows: list[FigureRow] = []

    def add(label: str, player: str, published: Mapping[str, float] | None = None, field: str = "") -> None:
        others = field or reading.loki1
        parts.append(Part(label, f"{player}*2,{others}*8"))
        rows.append(FigureRow(label, label, player, published or {}, control=others))

    for label, (kind, published) in _LOKI2.items():
        add(label, reading.loki2(kind), published)
    add("always-call S+R", reading.loki2("sr", "play_out=call"), {_THESIS: 0.057})
    add("always-call S+B+R", reading.loki2("sbr", "play_out=call"), {_THESIS: 0.057})
    add("always-call S", reading.loki2("s", "play_out=call"))
    # the first routine for triples, of one page: the thesis prints four rules, and draws acts in trials alone from them
    add("S, printed triples", reading.loki2("sb", "trial_triples=printed"), {_SYMPOSIUM99: 0.088})
    among = reading.loki2("br")
    for label, kind, figure in (("S v B+R", "s", 0.023), ("S+B+R v B+R", "sbr", 0.087)):
        add(label, reading.loki2(kind), {_THESIS: figure}, among)
    # ours: dealing by the product of all tables, and a rule to stop by standard errors
    for kind in ("s", "sr", "sb", "sbr"):
        add(f"{'+'.join(kind.upper())} joint", _text(f"loki2:{kind}", *reading.hero))
    if not reading.suffix:
        # ours, contrary to the source: opponents react to the first act of a trial
        for kind in ("s", "sr", "sb"):
            add(f"{'+'.join(kind.upper())} noticed", _text(f"loki2:{kind}", "noticed=1"))
    return TournamentExperiment(
        f"loki2{reading.suffix}",
        f"Loki-2's parts, two players among eight of Loki-1 (or of B+R){reading.words}",
        "Peña 1999, section 4.3 and chapter 5; Billings et al. 1999",
        2_500,
        tuple(parts),
        tuple(rows),
        (
            Above(("B", "R", "B+R", "S", "S+B+R")),
            Above(("B+R",), ("B", "R")),
            Additive("B+R", ("B", "R"), 0.03),
            Additive("S+B+R", ("S", "B+R")),
            Above(("always-call S+R",)),
            Above(("S+R",), ("always-call S+R",)),
            Above(("S+B+R v B+R",)),
            WithinTolerance(_THESIS, 0.04),
        ),
    )


def _mixed(reading: _Reading) -> TournamentExperiment:
    """Return the experiment with five pairs of Loki-1 and a modified twin, each pair of one style."""
    parts, rows = [], []
    for label, (kind, published) in _MIXED.items():
        twins, players = {}, []
        for style, (tightness, rules, triples) in _STYLES.items():
            usual = _text(reading.field, *tightness, *rules, *reading.options)
            twin = reading.loki2(kind, *tightness, *(triples if "b" in kind else rules))
            twins[style] = twin, usual
            copies = "*2" if style == "T/P" else ""
            players += [usual + copies, twin + copies]
            rows.append(
                FigureRow(
                    f"{label} {style}",
                    label,
                    twin,
                    {_THESIS: published[style]} if style in published else {},
                    usual,
                )
            )
        rows.append(
            FigureRow(
                f"{label} average",
                label,
                tuple(twin for twin, _ in twins.values()),
                {_THESIS: published["average"]},
                tuple(usual for _, usual in twins.values()),
            )
        )
        parts.append(Part(label, ",".join(players)))
    return TournamentExperiment(
        f"loki2-mixed{reading.suffix}",
        f"Loki-2's parts in a mixed field: what each style gains over its twin of Loki-1{reading.words}",
        "Peña 1999, section 4.3",
        2_500,
        tuple(parts),
        tuple(rows),
        (
            Above(tuple(f"{label} average" for label in _MIXED)),
            *(
                Above((f"{label} L/A",), tuple(f"{label} {style}" for style in ("T/P", "T/A", "L/P")))
                for label in ("B", "R", "B+R")
            ),
            Order(("B+R average", "R average", "B average")),
            WithinTolerance(_THESIS, 0.04),
        ),
    )


#: What the twins of a style won, Loki-1 and B+R, read off the figure; C, for conservative, is passive.
_AAAI99_MIXED = {"T/C": (0.015, 0.031), "T/A": (0.016, 0.036), "L/C": (-0.066, -0.039), "L/A": (-0.088, 0.045)}


def _mixed_1999(reading: _Reading) -> TournamentExperiment:
    """Return the earlier experiment in a mixed field: four styles, each in Loki-1 and in its twin with B and R.

    Four pairs are eight of ten players. Which the other two were is not printed; ours are a second pair of the first
    style, as in the thesis.
    """
    rows, players, twins = [], [], []
    for label, figures in _AAAI99_MIXED.items():
        tightness, rules, triples = _STYLES[label.replace("C", "P")]
        usual = _text(reading.field, *tightness, *rules, *reading.options)
        twin = reading.loki2("br", *tightness, *triples)
        copies = "*2" if label == "T/C" else ""
        players += [usual + copies, twin + copies]
        twins.append((twin, usual))
        rows += [
            FigureRow(f"{label} Loki-1", "B+R", usual, {_AAAI99: figures[0]}),
            FigureRow(f"{label} B+R", "B+R", twin, {_AAAI99: figures[1]}),
            FigureRow(f"{label} gain", "B+R", twin, {_AAAI99: round(figures[1] - figures[0], 3)}, usual),
        ]
    won, lost = zip(*twins, strict=True)
    rows.append(FigureRow("average gain", "B+R", won, {_AAAI99: 0.050}, lost))
    return TournamentExperiment(
        f"loki2-mixed-1999{reading.suffix}",
        f"Loki-2's triples in a mixed field, as first published: both twins of each style{reading.words}",
        "Billings et al. 1999 (AAAI), Fig 4",
        2_500,
        (Part("B+R", ",".join(players)),),
        tuple(rows),
        (
            Above(("average gain",)),
            Above(("L/A gain",), ("T/C gain", "T/A gain", "L/C gain")),
            WithinTolerance(_AAAI99, 0.04),
        ),
    )


for _each in _READINGS:
    register(_homogeneous(_each))
    register(_mixed(_each))
    register(_mixed_1999(_each))
