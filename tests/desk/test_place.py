"""Where the Desk of a book is kept."""

from __future__ import annotations

import os
import socket
import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from pokermodel.desk.place import hold, keep, kept, place_folder


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_place_stays(tmp_path):
    """The same name, port and secrets each time, for the user alone."""
    first = kept(tmp_path)
    assert kept(tmp_path) == first
    assert len(first.name) == 12
    assert first.host == f"{first.name}.localhost:{first.port}"
    assert first.url == f"http://{first.host}"
    assert first.cookie != first.bearer
    (file,) = tmp_path.iterdir()
    assert mode(file) == 0o600
    file.chmod(0o644)
    kept(tmp_path)
    assert mode(file) == 0o600


def test_all_get_the_same_place(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(lambda _: kept(tmp_path), range(32)))) == 1
    assert len(list(tmp_path.iterdir())) == 1


def test_another_port(tmp_path):
    """The name stays. Both secrets are new: the old port's program may have got the old ones."""
    first = kept(tmp_path)
    moved = keep(tmp_path, first, 4321)
    assert kept(tmp_path) == moved
    assert (moved.port, moved.name) == (4321, first.name)
    assert not {moved.cookie, moved.bearer} & {first.cookie, first.bearer}
    assert mode(tmp_path / "place.json") == 0o600


def test_the_same_port(tmp_path):
    """Browsers keep their secret; that of programs went to what had the port in between."""
    first = kept(tmp_path)
    again = keep(tmp_path, first, first.port)
    assert (again.port, again.name, again.cookie) == (first.port, first.name, first.cookie)
    assert again.bearer != first.bearer


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[" * 4000, "x" * 9000, '{"name": "a", "port": 1, "cookie": "c", "bearer": "b"}', '"name"', "\xff"],
)
def test_a_damaged_place(tmp_path, text):
    (tmp_path / "place.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match=r"place\.json: expected name, port, cookie and bearer of a Desk; delete"):
        kept(tmp_path)


def test_each_book_has_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERMODEL_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    one = place_folder("players")
    assert mode(one) == 0o700
    assert place_folder(str(tmp_path / "players")) == one
    assert len({one, place_folder("others"), place_folder("postgresql://localhost/players")}) == 3
    assert kept(one).cookie != kept(place_folder("others")).cookie


def test_a_port_is_held():
    """For both addresses of this machine, until it is let go."""
    held = hold(0)
    port = held[0].getsockname()[1]
    try:
        with pytest.raises(OSError, match="in use"):
            hold(port)
    finally:
        for each in held:
            each.close()
    for each in hold(port):
        each.close()


@pytest.mark.skipif(os.name != "posix" or not socket.has_ipv6, reason="needs ::1")
def test_a_port_that_another_program_has_on_the_other_address():
    with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as other:
        try:
            other.bind(("::1", 0))
        except OSError:
            pytest.skip("there is no ::1 here")
        other.listen()
        with pytest.raises(OSError, match="in use"):
            hold(other.getsockname()[1])
