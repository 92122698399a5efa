"""Figures of pages in the documentation: screenshots where there is a browser, pictures elsewhere."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def tool():
    spec = spec_from_file_location("page_figures", ROOT / "tools" / "page_figures.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_without_a_browser_there_are_pictures(tool, tmp_path, monkeypatch):
    monkeypatch.setattr(tool, "chromium", lambda: None)
    (tmp_path / "page.png").write_bytes(b"of a build before")
    tool.draw_all(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.svg" for name in tool.FIGURES}
    text = "".join(ElementTree.parse(tmp_path / "page.svg").getroot().itertext())
    assert "Eve bets on the turn" in text


@pytest.mark.slow
def test_screenshots(tool, tmp_path):
    if tool.chromium() is None:
        pytest.skip("neither Chromium nor playwright is installed")
    (tmp_path / "page.svg").write_text("of a build before")
    tool.draw_all(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.png" for name in tool.FIGURES}
    start = (tmp_path / "page.png").read_bytes()[:24]
    assert start[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(start[16:20], "big") == tool.SIZE["width"]
    assert int.from_bytes(start[20:24], "big") >= tool.SIZE["height"]


def test_every_figure_is_shown(tool):
    pages = [path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md")]
    for name in tool.FIGURES:
        assert any(f"_figures/{name}.*)" in page for page in pages), name
