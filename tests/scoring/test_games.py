"""Scores in games that some readers do not read, and yardsticks for all of them."""

from __future__ import annotations

import io
import json
from math import log

import pytest
from click.testing import CliRunner
from rich.console import Console

import pokermodel as pm
from pokermodel.cli.main import cli
from pokermodel.histories import phh
from pokermodel.report.scores import print_scores
from pokermodel.scoring import score
from tests.common.books import HANDS
from tests.common.six_handed import HANDS as SIX_HANDED

BASELINES = "uniform,call,frequencies,own,contexts"


@pytest.mark.parametrize("jobs", [1, 2])
def test_yardsticks_are_there_where_bets_have_sizes(jobs: int) -> None:
    found = score(SIX_HANDED * 5, f"{BASELINES},own?contexts=previous,shown", jobs=jobs)
    assert found.hands == 5 * len(SIX_HANDED)
    assert found.skipped == []
    assert all(each.available and not each.reason for each in found.values())
    acts = {name: each for name, each in found.items() if name != "shown"}
    assert len({each.decisions for each in acts.values()}) == 1
    for each in acts.values():
        assert each.size_log_loss is not None
        assert each.total_log_loss is not None
    uniform = found["uniform"].to_dict()
    assert uniform["action_log_loss"] == pytest.approx(uniform["uniform_log_loss"])
    assert uniform["size_log_loss"] == pytest.approx(uniform["uniform_size_log_loss"])
    # what is repeated is learnt, sizes too
    assert found["own"].size_log_loss < uniform["size_log_loss"]
    assert found["frequencies"].size_log_loss < uniform["size_log_loss"]
    assert found["own"].action_log_loss < log(3)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_reader_of_limit_alone_does_not_stop_the_others(jobs: int) -> None:
    found = score(SIX_HANDED, "loki1,uniform", jobs=jobs)
    alone = score(SIX_HANDED, "uniform")
    assert found["uniform"].to_dict() == alone["uniform"].to_dict()
    models = {each["model"]: each for each in found.to_dict()["models"]}
    assert models["uniform"]["available"] is True
    assert models["loki1"]["available"] is False
    assert models["loki1"]["reason"] == "it reads limit alone, not no limit"
    assert models["loki1"]["decisions"] == 0
    assert found.skipped == []


def test_hands_of_both_games() -> None:
    found = score([*HANDS[:20], *SIX_HANDED], "loki1,uniform")
    loki1 = found["loki1"]
    assert (loki1.hands, loki1.left_out) == (20, len(SIX_HANDED))
    assert loki1.available
    assert found.reason("loki1") == "it reads limit alone, not no limit"
    assert loki1.to_dict()["decisions"] == score(HANDS[:20], "loki1")["loki1"].decisions
    assert found["uniform"].hands == 20 + len(SIX_HANDED)


def test_nothing_scored_is_no_score() -> None:
    found = score(SIX_HANDED, "loki1")
    assert found.hands == 0
    assert len(found.skipped) == len(SIX_HANDED)
    (row,) = found.to_dict()["models"]
    assert row["available"] is False
    assert row["reason"].endswith("none of loki1 can be scored: it reads limit alone, not no limit")
    assert repr(found["loki1"]) == "<Score of loki1: not available>"
    assert score([], "uniform").reason("uniform") == "no hand was scored"


def test_rows_say_what_is_not_available() -> None:
    found = score(SIX_HANDED, "loki1,uniform")
    said = io.StringIO()
    print_scores(found, Console(file=said, width=120))
    assert "loki1 is not available: it reads limit alone, not no limit" in said.getvalue()
    rows = [line.split() for line in said.getvalue().splitlines()]
    assert ["loki1", "not", "available"] in rows
    assert "not available" in found._repr_html_()


def test_json_of_the_command(tmp_path) -> None:
    path = tmp_path / "hands.phhs"
    path.write_text(phh.dumps_all(SIX_HANDED))
    said = CliRunner().invoke(cli, ["score", str(path), "--model", "loki1,uniform,own", "--json"])
    assert said.exit_code == 0
    models = json.loads(said.stdout)["models"]
    assert [(each["model"], each["available"], bool(each["reason"])) for each in models] == [
        *(("loki1", False, True), ("uniform", True, False), ("own", True, False)),
    ]


def test_sessions_read_no_limit_by_yardsticks() -> None:
    for name in BASELINES.split(","):
        session = pm.OpponentModeler(name)
        for decision in SIX_HANDED[0].replay():
            assert session.observe(decision) is not None
