"""``pokermodel fit`` and ``--prior``."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pokermodel.cli.main import cli
from pokermodel.histories.phh import dumps_all
from pokermodel.learning.store import Book
from pokermodel.reading import PopulationModel, default_prior, read_prior
from tests.common.books import played

NAMES = [f"p{k}" for k in range(20)]


def run(*args: object) -> Result:
    return CliRunner().invoke(cli, [str(each) for each in args])


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hands of players who act at random."""
    rng = random.Random(2)
    path = tmp_path_factory.mktemp("fit") / "hands.phhs"
    path.write_text(dumps_all(played(k, k, rng.sample(NAMES, 3)) for k in range(320)))
    return path


@pytest.fixture(scope="module")
def prior(history: Path) -> Path:
    out = history.with_name("mine.npz")
    found = run("fit", history, "--out", out, "--passes", 1, "--joint-passes", 1, "--note", "at random")
    assert found.exit_code == 0, found.output
    assert "320 hands to fit" in found.output
    assert "pass 2 of 2: " in found.output
    assert f"{out}: 320 hands of 20 players, {read_prior(out).digest[:12]}" in found.output
    return out


def test_a_fit_says_what_it_was_fitted_on(prior: Path) -> None:
    assert read_prior(prior).about == {"note": "at random", "seed": 1, "hands": 320, "players": 20}


def test_a_kind_of_table_is_added(history: Path, prior: Path, tmp_path: Path) -> None:
    """To the prior of the package, or to another one."""
    out = tmp_path / "more.npz"
    found = run("fit", history, "--out", out, "--kind", "at random")
    assert found.exit_code == 0, found.output
    shipped = default_prior().games
    assert f"{out}: {len(shipped['limit'].kinds) + 1} kinds of limit, " in found.output
    assert "at random" in read_prior(out).games["limit"].kinds.names
    figures = [json.loads(run("score", history, "--json", "--frozen", *more).stdout) for more in ((), ("--prior", out))]
    assert figures[0]["action_log_loss"] > figures[1]["action_log_loss"] + 0.03
    assert run("fit", history, "--out", out, "--kind", "at random", "--prior", prior).exit_code == 0
    assert read_prior(out).about["note"] == "at random"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--prior", "{prior}"), "--prior is for --kind"),
        (("--kind", "x", "--passes", 1), "--kind fits nothing anew"),
        (("--kind", "x", "--min-pot", 10**6), "a kind of table needs 120 hands of one game, got 0 of limit"),
    ],
)
def test_what_does_not_go_with_a_kind(history: Path, prior: Path, tmp_path: Path, options: tuple, said: str) -> None:
    given = [str(each).format(prior=prior) for each in options]
    found = run("fit", history, "--out", tmp_path / "more.npz", *given)
    assert found.exit_code != 0
    assert said in found.output
    assert not (tmp_path / "more.npz").exists()


def test_read_and_score_use_it(history: Path, prior: Path) -> None:
    figures = [json.loads(run("score", history, "--json", *more).stdout) for more in ((), ("--prior", prior))]
    assert figures[0]["model"] == figures[1]["model"] == "adaptive"
    assert figures[0]["action_log_loss"] > figures[1]["action_log_loss"]  # who acts at random is no person
    first = [run("read", history, "--json", *more).stdout for more in ((), ("--prior", prior))]
    assert first[0] != first[1]


def test_a_book_keeps_to_its_prior(history: Path, prior: Path, tmp_path: Path) -> None:
    books = []
    for jobs in (1, 2):
        book = tmp_path / f"{jobs}.db"
        found = run("learn", history, "--book", book, "--for", "adaptive", "--prior", prior, "--jobs", jobs)
        assert found.exit_code == 0, found.output
        with Book(book) as known:
            books.append(known.knowledge(PopulationModel.with_prior(read_prior(prior))))
    assert books[0].to_bytes() == books[1].to_bytes()
    assert books[0].hands == 320
    ours = run("read", history, "--book", tmp_path / "1.db", "--prior", prior)
    assert ours.exit_code == 0, ours.output
    refused = run("read", history, "--book", tmp_path / "1.db")
    assert refused.exit_code != 0
    said = str(refused.exception or refused.output)
    assert f"was learnt with the prior {read_prior(prior).digest[:12]}, not {default_prior().digest[:12]}" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--model", "loki1"), "model 'loki1' has no prior"),
        ((), "this is no prior"),
    ],
)
def test_what_is_no_prior_is_refused(arguments: tuple[str, ...], said: str, history: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.npz"
    other.write_text("nothing")
    refused = run("read", history, "--prior", other, *arguments)
    assert refused.exit_code != 0
    assert said in refused.output + str(refused.exception)


def test_too_few_hands_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "few.phhs"
    path.write_text(dumps_all([played(1, 1)]))
    refused = run("fit", path, "--out", tmp_path / "none.npz")
    assert refused.exit_code == 1
    assert "0 players were seen in 30 hands or more" in refused.output
    assert not (tmp_path / "none.npz").exists()
