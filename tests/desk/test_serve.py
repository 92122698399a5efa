"""What a server needs before its first answer."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("uvicorn", reason="the extra desk is not installed")

#: Packages that take long to import, and that no screen needs.
SLOW = {"joblib", "pandas", "pyarrow", "rich", "scipy"}


def test_nothing_is_imported_that_no_screen_needs():
    command = "import sys, pokermodel.desk.serve; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True).stdout.split()
    assert "pokermodel.desk.app" in found
    assert SLOW.intersection(found) == set()
