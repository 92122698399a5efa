"""Commands on a Dask cluster give what one process gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from pokermodel.cli.main import cli
from pokermodel.evaluation import rollout
from pokermodel.executors import Dask

from ..common.clusters import Cluster
from ..common.clusters import cluster as cluster


def run(*args: object) -> Result:
    found = CliRunner().invoke(cli, [str(each) for each in args])
    assert found.exit_code == 0, found.output
    return found


def figures(*args: object) -> dict[str, Any]:
    """What a command prints as JSON."""
    report: dict[str, Any] = json.loads(run(*args, "--json").stdout)
    return report


def test_a_tournament(cluster: Cluster, tmp_path: Path) -> None:
    """And its hands, which the client writes: workers share no disk."""
    arguments = ("tournament", "--players", "som,random,call", "--deals", 9, "--seed", 3, "--block", 4)
    found = []
    for name, more in (("here", ()), ("there", ("--cluster", cluster.address))):
        folder, kept = tmp_path / name, tmp_path / f"{name}.jsonl"
        report = figures(*arguments, "--export", folder, "--checkpoint", kept, *more)
        found.append((report, kept.read_bytes(), [(path.name, path.read_text()) for path in sorted(folder.iterdir())]))
    assert found[0] == found[1]
    assert len(found[0][2]) == 3


def test_an_experiment(cluster: Cluster) -> None:
    arguments = ("experiment", "gom", "--deals", 2)
    here, there = figures(*arguments), figures(*arguments, "--cluster", cluster.address)
    assert here.pop("seconds") > 0
    assert there.pop("seconds") > 0
    assert here == there


def test_income_rates(cluster: Cluster, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    boards, orbits = np.empty((rollout._BOARDS, 5), np.uint8), np.empty(rollout._BOARDS, np.uint8)
    rollout.fill_canonical_boards(boards, orbits)

    def fill_some(to: Any, counts: Any) -> None:
        to[:], counts[:] = boards[:20], orbits[:20]

    monkeypatch.setattr(rollout, "fill_canonical_boards", fill_some)
    monkeypatch.setattr(rollout, "_BOARDS", 20)
    monkeypatch.setattr(rollout, "_BOARDS_A_CHUNK", 7)
    tables = []
    for name, more in (("here", ("--jobs", 2)), ("there", ("--cluster", cluster.address))):
        run("income-rates", "--deals", 10_000, "--output", tmp_path / name, *more)
        tables.append((tmp_path / name).read_text())
    assert tables[0] == tables[1]
    with Dask(cluster.address) as dask:
        one, two = (rollout.simulate_rates(10_000, 5, executor=each) for each in (None, dask))
    np.testing.assert_array_equal(one.rates, two.rates)
    np.testing.assert_array_equal(one.errors, two.errors)


def test_what_does_the_work_is_said_once(cluster: Cluster) -> None:
    arguments = ["tournament", "--players", "call,raise", "--deals", "1", "--jobs", "2", "--cluster", cluster.address]
    found = CliRunner().invoke(cli, arguments)
    assert found.exit_code == 2
    assert "--jobs and --cluster both say what does the work" in found.output
