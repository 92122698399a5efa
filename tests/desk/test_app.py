"""What requests are answered with that cannot be done."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("starlette", reason="the extra desk is not installed")

from starlette.requests import Request

from pokermodel.desk.app import _refused


def test_an_error_of_the_machine():
    """Such as a note on a full disk: what is wrong, in which file, and no more."""
    request = Request({"type": "http", "headers": [(b"accept", b"application/json")]})
    answer = _refused(None, request, OSError(28, "No space left on device", "/home/robin/book.db"))
    assert (answer.status_code, json.loads(answer.body)) == (507, {"error": "the disk is full"})
