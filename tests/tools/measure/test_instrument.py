"""How true verdicts are, on sessions by players of known policy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("Cython", reason="Cython is not installed")
pytest.importorskip("setuptools", reason="setuptools is not installed")

from pokermodel.game import Act
from tools.measure import instrument
from tools.measure.generated import TUNING


def row(word: str, true: str, *, number: int = 1, lost: float = 2.0, street: str = "river") -> dict[str, Any]:
    """A decision: a bet was folded, and the verdict prefers a call by 2 bb."""
    call = {"act": "call", "to": None, "ev": 2.0, "seen": True}
    verdict = {"number": number, "index": 8, "word": word, "street": street, "method": "exact", "lost": lost}
    verdict |= {"pot": 12.0, "best": "call", "best_to": None, "unit": 100, "ci95": [1.0, 3.0], "acts": [call]}
    truth = {"word": true, "lost": 2.5, "options": [[0, None], [1, None]], "values": [0.0, 1.5]}
    truth |= {"more": [[0.0, 0.0], [2.0, 0.5]]}
    return {"seed": 1, "limit": False, "fast": verdict, "again": verdict, "truth": truth}


def test_tables_count_what_is_true() -> None:
    rows = [row("mistake", "true", number=k) for k in range(3)]
    rows += [row("mistake", "false", number=3, lost=6.0), row("cannot tell", "true", number=4)]
    found = {
        title: [dict(zip(head, line, strict=True)) for line in lines]
        for title, head, lines in instrument.tables(rows, "fast")
    }
    everything = found["Named mistakes"][-1]
    assert everything["mistakes"] == "4"
    assert everything["true"].startswith("75.0%")
    assert everything["false"].startswith("25.0%")
    assert everything["false, of bb"].startswith("50.0%")
    words = {line["verdict"]: line for line in found["Every word"]}
    assert words["mistake"]["share"] == "80.0%"
    assert found["True differences in the interval"][-1]["inside"].startswith("95.4%")
    assert found["Without a verdict"][0]["cannot tell"].startswith("20.0%")
    assert found["Without a verdict"][0]["not judged"].startswith("0.0%")


def test_values_before_the_flop_are_compared_with_the_true_ones() -> None:
    (*_, (title, _, lines)) = instrument.tables([row("mistake", "true", street="pre-flop")], "fast")
    assert title.startswith("Values before the flop")
    assert lines[0] == ["all", "1", "+0.50 ± 0.00"]


def test_mistakes_that_another_seed_takes_back_are_counted() -> None:
    rows = [row("mistake", "true") for _ in range(4)]
    rows[0] = {**rows[0], "again": {**rows[0]["again"], "word": "right"}}
    _, head, lines = instrument.kept(rows, "fast", "again")
    cells = dict(zip(head, lines[0], strict=True))
    assert cells["taken back"].startswith("25.0%")
    assert cells["still one"].startswith("75.0%")


@pytest.mark.parametrize("hands", ["4", pytest.param("6", marks=pytest.mark.slow)])
def test_a_run_goes_on_from_its_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str], hands: str) -> None:
    out, journal = tmp_path / "out.json", tmp_path / "journal"
    options = ["tune", "--sessions", "1", "--hands", hands, "--every", "2", "--deals", "256", "--resume", str(journal)]
    assert instrument.main([*options, "--json", str(out)]) == 0
    first, size = capsys.readouterr().out, journal.stat().st_size
    assert "these figures are no report" in first
    found = json.loads(out.read_text(encoding="utf-8"))
    assert found["seeds"] == [TUNING[0]]
    assert found["decisions"]
    for each in found["decisions"]:
        assert each["truth"]["deals"] == 256
        assert each["fast"]["number"] % 2 == 0  # the other hands are learnt from
        assert [Act.FOLD, None] in each["truth"]["options"] or each["fast"]["to_call"] == 0
    assert instrument.main(options) == 0
    assert capsys.readouterr().out == first
    assert journal.stat().st_size == size


def test_too_few_deals_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        instrument.main(["tune", "--deals", "10"])
    assert "expected 256 or more, got 10" in capsys.readouterr().err
