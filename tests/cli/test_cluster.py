"""Commands on a Dask cluster give what one process gives."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from functools import partialmethod
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from pokermodel.cli.main import cli
from pokermodel.executors import Dask
from pokermodel.histories import HandSource, phh
from pokermodel.library import Book
from tests.common.books import HANDS, in_batches_of, known, played_free
from tests.common.clusters import Cluster
from tests.common.clusters import cluster as cluster
from tests.common.clusters import new_cluster as new_cluster
from tests.common.faults.clusters import KINDS, FaultyCluster
from tests.common.histories import POKERSTARS, tar
from tests.common.patience import PATIENCE


def run(*args: object) -> Result:
    found = CliRunner().invoke(cli, [str(each) for each in args])
    assert found.exit_code == 0, found.output
    return found


def figures(*args: object) -> dict[str, Any]:
    """What a command prints as JSON."""
    report: dict[str, Any] = json.loads(run(*args, "--json").stdout)
    return report


@pytest.fixture
def histories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """A large file, as it were, and a folder of small ones, with damage; read in many spans."""
    monkeypatch.setattr(HandSource, "spans", partialmethod(HandSource.spans, 4000))
    in_batches_of(16, monkeypatch)  # of which tables depend that are learnt from many hands at once
    free = [played_free(k, k, ("Ann", "Bob", "Cid"), stacks=(9000, 8000, 7000)) for k in range(5)]
    folder, large = tmp_path / "folder", tmp_path / "large.phhs"
    folder.mkdir()
    large.write_text(phh.dumps_all([*HANDS, *free, *HANDS[:3]]))
    (folder / "damaged.phhs").write_text(phh.dumps_all(HANDS[:20]).replace("p2 f'", "p2 g'", 3))
    (folder / "site.txt").write_text("".join(POKERSTARS.replace("#71", f"#{k}") for k in range(20)))
    (folder / "no.txt").write_text("no hands")
    (folder / "more.tgz").write_bytes(tar({"a.phhs": phh.dumps_all(HANDS[30:])}))
    return [large, folder]


def test_reading(cluster: Cluster, histories: list[Path]) -> None:
    """Lines of JSON of all hands, and what was left out."""
    asked = "read", histories[1], "--all", "--out", "-.jsonl"
    one, two = run(*asked), run(*asked, "--cluster", cluster.address)
    assert len(one.stdout.splitlines()) > 20
    assert (one.stdout, one.stderr) == (two.stdout, two.stderr)


def test_learning(cluster: Cluster, histories: list[Path], tmp_path: Path) -> None:
    found = []
    ways: dict[str, tuple[object, ...]] = {"one": (), "two": ("--jobs", 2), "dask": ("--cluster", cluster.address)}
    for name, more in ways.items():
        book = tmp_path / f"{name}.db"
        said = run("learn", *histories, "--book", book, "--json", *more)
        found.append((json.loads(said.stdout), said.stderr, known(book)))
    assert found[0] == found[1] == found[2]
    assert found[0][0]["skipped"] == 3
    assert len(found[0][2]) == 3
    again = figures("learn", *histories, "--book", tmp_path / "one.db", "--cluster", cluster.address)
    assert (again["new"], again["known"]) == (0, found[0][0]["new"] + found[0][0]["known"])


def test_learning_goes_on_when_a_worker_is_killed(
    new_cluster: Cluster, histories: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was sent twice is learnt once."""
    run("learn", *histories, "--book", tmp_path / "here.db")
    first = new_cluster.start_worker()
    learn, batches = Book.add_rows, []

    def killing(*arguments: Any, **options: Any) -> Any:
        batches.append(len(arguments[1].hands))
        if len(batches) == 2:
            first.kill()
            first.wait()
            new_cluster.start_worker()
        return learn(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Book, "add_rows", killing)
        run("learn", *histories, "--book", tmp_path / "there.db", "--cluster", new_cluster.address)
    assert len(batches) > 4
    assert known(tmp_path / "here.db") == known(tmp_path / "there.db")


@pytest.mark.parametrize("kinds", [("duplicate result", "swap"), pytest.param(KINDS, marks=pytest.mark.slow)])
def test_learning_through_faults(tmp_path: Path, kinds: Sequence[str]) -> None:
    """Some of those that tools/inject_faults.py tries by hundreds."""
    pytest.importorskip("distributed", reason="distributed is not installed")
    faulty = FaultyCluster(tmp_path)
    try:
        for kind in kinds:
            faulty.fault(kind)
    finally:
        faulty.close()


@pytest.mark.parametrize("more", [(), ("--frozen", "--warmup", 20)])
def test_a_score(cluster: Cluster, histories: list[Path], more: tuple[object, ...]) -> None:
    arguments = ("score", *histories, "--model", "som,loki1", *more)
    assert figures(*arguments) == figures(*arguments, "--cluster", cluster.address)


def test_a_tournament(cluster: Cluster, tmp_path: Path) -> None:
    """And its hands, which the client writes: workers share no disk."""
    arguments = ("tournament", "--players", "som,random,call", "--deals", 9, "--seed", 3, "--block", 4)
    found = []
    for name, more in (("here", ()), ("there", ("--cluster", cluster.address))):
        folder, kept = tmp_path / name, tmp_path / f"{name}.jsonl"
        report = figures(*arguments, "--export", folder, "--resume", kept, *more)
        found.append((report, kept.read_bytes(), [(path.name, path.read_text()) for path in sorted(folder.iterdir())]))
    assert found[0] == found[1]
    assert len(found[0][2]) == 3


def test_an_experiment(cluster: Cluster) -> None:
    arguments = ("experiment", "gom", "--deals", 2)
    here, there = figures(*arguments), figures(*arguments, "--cluster", cluster.address)
    assert here.pop("seconds") > 0
    assert there.pop("seconds") > 0
    assert here == there


def test_what_does_the_work_is_said_once(cluster: Cluster) -> None:
    arguments = ["tournament", "--players", "call,raise", "--deals", "1", "--jobs", "2", "--cluster", cluster.address]
    found = CliRunner().invoke(cli, arguments)
    assert found.exit_code == 2
    assert "--jobs and --cluster both say what does the work" in found.output


def test_a_scheduler_that_is_restarted_is_one_line(new_cluster: Cluster, tmp_path: Path) -> None:
    """The result is right, and nothing of the libraries' own logging is in front of it."""
    arguments = ("tournament", "--players", "call,random", "--deals", "40", "--seed", "3")
    expected = figures(*arguments)
    command = [sys.executable, "-m", "pokermodel", *arguments, "--json"]
    worker = new_cluster.start_worker()
    with Dask(new_cluster.address) as dask:
        assert dask._client is not None
        worker.send_signal(signal.SIGSTOP)  # so that the work is under way for as long as it is wanted
        more = ("--cluster", new_cluster.address)
        process = subprocess.Popen([*command, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not dask._client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)):
            assert process.poll() is None
    for each in (new_cluster.scheduler, worker):
        each.kill()
        each.wait()
    new_cluster.start_scheduler()
    new_cluster.start_worker()
    out, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, json.loads(out)) == (0, expected), errors
    (line,) = errors.splitlines()
    assert line.startswith(f"Warning: {new_cluster.address}: the connection to the scheduler was lost: 1 item of work")


def test_solve(cluster: Cluster, tmp_path: Path) -> None:
    for k in range(3):
        (tmp_path / f"{k}.toml").write_text(
            f'board = "QsJh2h8c3d"\npot = {100 + k}\nstack = 300\nranges = ["QQ,AK,98s", "JJ,T9s"]\nbets = ["75%"]\n'
        )
    one, many = (
        figures("solve", tmp_path, *where)["spots"] for where in (["--jobs", 1], ["--cluster", cluster.address])
    )
    for entry in (*one, *many):
        entry.pop("seconds")
    assert one == many
    assert len(one) == 3


@pytest.mark.slow
def test_a_cluster_whose_start_is_interrupted_leaves_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by Ctrl-C in the tests."""
    started = []
    start = subprocess.Popen

    def noted(*command: object, **options: object) -> subprocess.Popen[bytes]:
        started.append(start(*command, **options))  # type: ignore[call-overload]
        return started[-1]

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tests.common.clusters.subprocess.Popen", noted)
    monkeypatch.setattr("tests.common.clusters.socket.create_connection", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Cluster(tmp_path)
    assert [process.returncode is not None for process in started] == [True]
