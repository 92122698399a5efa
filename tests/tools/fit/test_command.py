"""``python -m tools.fit --prior`` and ``--kind``, and what they make as an option of the adaptive reader."""

from __future__ import annotations

import io
import json
import random
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from pokermodel.cli.main import cli
from pokermodel.histories.phh import dumps_all
from pokermodel.library import Book
from pokermodel.reading import PopulationModel, default_prior, read_prior
from tests.common.books import played
from tools.fit.__main__ import main

NAMES = [f"p{k}" for k in range(20)]


def run(*args: object) -> Result:
    return CliRunner().invoke(cli, [str(each) for each in args])


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hands of players who act at random."""
    rng = random.Random(2)
    path = tmp_path_factory.mktemp("fit") / "hands.phhs"
    path.write_text(dumps_all(played(k, k, rng.sample(NAMES, 3)) for k in range(160)))
    return path


@pytest.fixture(scope="module")
def prior(history: Path) -> Path:
    """The prior of the package with a kind of table for these hands; one that cannot be read is left out."""
    damaged, out = history.with_name("damaged.phhs"), history.with_name("mine.npz")
    damaged.write_text("[1]\nvariant = 'NS'\n")
    with redirect_stdout(io.StringIO()) as printed, redirect_stderr(io.StringIO()) as shown:
        main([str(history), str(damaged), "--out", str(out), "--kind", "at random"])
    assert "1 hands or files left out" in shown.getvalue()
    assert "160 hands to fit" in shown.getvalue()
    limit, sized = (len(game.kinds) for game in default_prior().games.values())
    assert (
        printed.getvalue()
        == f"{out}: {limit + 1} kinds of limit, {sized} kinds of no limit, {read_prior(out).digest[:12]}\n"
    )
    return out


def test_a_kind_of_table_is_added(history: Path, prior: Path, tmp_path: Path) -> None:
    """To the prior of the package, or to another one."""
    assert read_prior(prior).about == {**default_prior().about, "kinds": {"at random": 160}}
    out = tmp_path / "more.npz"
    main([str(history), "--out", str(out), "--kind", "again", "--prior", str(prior)])
    assert read_prior(out).games["limit"].kinds.names[-2:] == ("at random", "again")


def test_all_kinds_are_fitted_anew(history: Path, prior: Path, tmp_path: Path) -> None:
    """In the game of the hands; likelihoods, and the kinds of the other game, stay."""
    out, again = tmp_path / "all.npz", tmp_path / "again.npz"
    for each in (out, again):
        main([str(history), "--out", str(each), "--prior", str(prior)])
    assert out.read_bytes() == again.read_bytes()
    before, found = read_prior(prior), read_prior(out)
    assert found.about == before.about
    assert len(found.games["limit"].kinds) == 1
    for name, game in before.games.items():
        for one, other in zip(game.likelihood.weights, found.games[name].likelihood.weights, strict=True):
            np.testing.assert_array_equal(one, other)
    assert found.games["no limit"].kinds.names == before.games["no limit"].kinds.names


def test_too_few_hands_are_refused(tmp_path: Path) -> None:
    few, out = tmp_path / "few.phhs", tmp_path / "none.npz"
    few.write_text(dumps_all(played(k, k, NAMES[:3]) for k in range(5)))
    with pytest.raises(SystemExit, match="a kind of table needs 120 hands of one game, got 5 of limit, 0 of no limit"):
        main([str(few), "--out", str(out), "--kind", "x"])
    assert not out.exists()


def test_read_and_score_use_it(history: Path, prior: Path) -> None:
    figures = [
        json.loads(run("score", history, "--json", *more).stdout)
        for more in ((), ("--model", f"adaptive?prior={prior}"))
    ]
    assert [each["model"] for each in figures] == ["adaptive", f"adaptive?prior={prior}"]
    assert figures[0]["action_log_loss"] > figures[1]["action_log_loss"]  # who acts at random is no person
    first = [run("read", history, "--json", *more).stdout for more in ((), ("--model", f"adaptive?prior={prior}"))]
    assert first[0] != first[1]


def test_a_book_keeps_to_its_prior(history: Path, prior: Path, tmp_path: Path) -> None:
    books = []
    for jobs in (1, 2):
        book = tmp_path / f"{jobs}.db"
        found = run("learn", history, "--book", book, "--for", f"adaptive?prior={prior}", "--jobs", jobs)
        assert found.exit_code == 0, found.output
        with Book(book) as known:
            books.append(known.knowledge(PopulationModel.with_prior(read_prior(prior))))
    assert books[0].to_bytes() == books[1].to_bytes()
    assert books[0].hands == 160
    ours = run("read", history, "--book", tmp_path / "1.db", "--model", f"adaptive?prior={prior}")
    assert ours.exit_code == 0, ours.output
    refused = run("read", history, "--book", tmp_path / "1.db")
    assert refused.exit_code != 0
    said = str(refused.exception or refused.output)
    assert f"was learnt with the prior {read_prior(prior).digest[:12]}, not {default_prior().digest[:12]}" in said


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("loki1", "unknown option 'prior' of model loki1"),
        ("adaptive", "this is no prior"),
    ],
)
def test_what_is_no_prior_is_refused(model: str, said: str, history: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.npz"
    other.write_text("nothing")
    refused = run("read", history, "--model", f"{model}?prior={other}")
    assert refused.exit_code != 0
    assert said in refused.output + str(refused.exception)
