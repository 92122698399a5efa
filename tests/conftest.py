"""Fixtures for all tests."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from pokermodel._support.options import Registry
from tests.common import books, wings
from tests.common.databases import new_databases
from tests.common.needed import pytest_runtest_makereport as pytest_runtest_makereport

#: A project of its own, which tests/project/test_linking.py builds and tests.
collect_ignore = ["downstream"]
if not wings.PRESENT:
    collect_ignore += ["classics", "tables"]

# a busy machine is no reason to fail; `--hypothesis-profile=thorough` has as many examples as usual
settings.register_profile("thorough", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("pokermodel", settings.get_profile("thorough"), max_examples=40)
settings.load_profile("pokermodel")


def pytest_configure(config: pytest.Config) -> None:
    """Hear requests to stop: tests make them, and whatever started the tests may have had them ignored or held back.

    A shell has what it starts in the background ignore the keyboard, and a supervisor may do the same with others.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for number, usual in (signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, usual)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT, signal.SIGTERM])


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """As many processes as cores for folders of tests; none for single files, which would wait for them longer."""
    return 0 if any(".py" in argument for argument in config.args) else None


@pytest.fixture(scope="session", autouse=True)
def cache_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep nothing in the cache of whoever runs the tests, and no compiled modules where Python keeps none.

    The many processes that tests start would compile all of them, each time: they share a folder instead.
    """
    base = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POKERMODEL_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("POKERMODEL_HOME", str(tmp_path_factory.mktemp("home")))
        if os.environ.get("PYTHONDONTWRITEBYTECODE"):
            patch.delenv("PYTHONDONTWRITEBYTECODE")
            all_workers = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
            patch.setenv("PYTHONPYCACHEPREFIX", str(all_workers / "compiled"))
        yield


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real hand histories, which are not part of the project."""
    named = os.environ.get("POKERMODEL_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parent.parent.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"real hand histories not found at {folder}: set POKERMODEL_DATA to their folder")
    return folder


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where the wings were left out, leave out the modules of tests that import them."""
    if wings.PRESENT or collection_path.suffix != ".py":
        return None
    return wings.imported_by(collection_path) or None


@pytest.fixture(autouse=not wings.PRESENT)
def without_wings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip a test that asks for a reader, a player or an adviser of the wings, where these were left out."""
    monkeypatch.setattr(Registry, "__getitem__", wings.skipping(Registry.__getitem__))


@contextmanager
def postgresql() -> Iterator[Callable[[], str]]:
    """Make empty databases on the server of POKERMODEL_POSTGRESQL; skip the test where there is none."""
    if "POKERMODEL_POSTGRESQL" not in os.environ:
        pytest.skip("no PostgreSQL: set POKERMODEL_POSTGRESQL to the URL of a database for tests")
    pytest.importorskip("psycopg")
    with new_databases() as new:
        yield new


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where to put a book: a file; a database of PostgreSQL."""
    if request.param == "sqlite":
        yield str(tmp_path / "players")
        return
    with postgresql() as new:
        yield new()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def backend(request: pytest.FixtureRequest) -> Iterator[None]:
    """Where `books.empty_book` makes its books."""
    if request.param == "sqlite":
        yield
        return
    with postgresql() as new, pytest.MonkeyPatch.context() as patch:
        patch.setattr(books, "empty", new)
        yield
