"""What CI installs is not missed in silence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.common.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
TESTS = """
import pytest

@pytest.fixture
def browser():
    pytest.importorskip("a_library_that_nobody_has", reason="the browser is missing")

def test_fixture(browser):
    pass

@pytest.mark.skipif(True, reason="the browser is missing, too")
def test_mark():
    pass

def test_other():
    pytest.skip("there is no server")

@pytest.mark.xfail(reason="the browser cannot", strict=True)
def test_expected_to_fail():
    assert False
"""


def test_skips_that_are_failures(tmp_path):
    (tmp_path / "conftest.py").write_text("from tests.common.needed import pytest_runtest_makereport\n")
    (tmp_path / "test_skips.py").write_text(TESTS)
    environment = {"POKERMODEL_NEEDED": "Java,browser", "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", ".", "."]
    found = subprocess.run(
        command, cwd=tmp_path, env=os.environ | environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert "= 1 skipped, 1 xfailed, 2 errors in " in found.stdout, found.stdout
    assert "the browser is missing, but POKERMODEL_NEEDED names it" in found.stdout
    assert "the browser is missing, too, but POKERMODEL_NEEDED names it" in found.stdout
