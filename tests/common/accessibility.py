"""What a screen reader, a keyboard and weak eyes need of a page, looked at in a browser."""

from __future__ import annotations

from pathlib import Path

#: A function of JavaScript that returns what is wrong with the page.
PROBLEMS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
