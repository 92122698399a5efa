"""Rows as files of Arrow."""

from __future__ import annotations

import pytest

from pokermodel._support.frames import write_parquet


def test_a_link_stays_a_link(tmp_path):
    pytest.importorskip("pyarrow")
    link = tmp_path / "link.parquet"
    link.symlink_to(tmp_path / "real.parquet")
    assert write_parquet(link, [{"n": 1}, {"n": 2}], {"n": "int64"}) == 2
    assert link.is_symlink()
    assert (tmp_path / "real.parquet").stat().st_size
