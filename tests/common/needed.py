"""Tests that may not be skipped: where everything is installed that they need, as in CI, a skip is a mistake."""

from __future__ import annotations

import os

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """A test fails that is skipped for a reason with a word of POKERMODEL_NEEDED, which has words with commas."""
    report = yield
    if report.skipped and call.excinfo is not None and isinstance(call.excinfo.value, pytest.skip.Exception):
        needed = os.environ.get("POKERMODEL_NEEDED", "").split(",")
        reason = str(call.excinfo.value)
        if any(word and word in reason for word in needed):
            report.outcome = "failed"
            report.longrepr = f"{reason}, but POKERMODEL_NEEDED names it"
    return report
