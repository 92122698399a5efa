"""Fixtures for all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# a busy machine is no reason to fail
settings.register_profile("pokermodel", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pokermodel")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real hand histories, which are not part of the project."""
    named = os.environ.get("POKERMODEL_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parent.parent.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"real hand histories not found at {folder}: set POKERMODEL_DATA to their folder")
    return folder
