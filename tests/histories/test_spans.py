"""Sources cut into spans that are read apart: what comes is what reading them in one go gives."""

from __future__ import annotations

import codecs
import gzip
import os
import pickle
from pathlib import Path

import pytest

from pokermodel.game import Hand
from pokermodel.histories import SourceReport, Span, SpanTally, open_hands, phh, source
from pokermodel.histories import blocks as text
from tests.common.histories import PHH, write

from .test_index import FILES, log, sections, stars

DAMAGED = gzip.compress("".join(f"{stars()}\n{k}" for k in range(10)).encode())[:-30]  # behind what is looked at first
MORE: dict[str, dict[str, str | bytes]] = {
    "cut off": {"a.txt.gz": DAMAGED, "b.txt": stars(), "c.txt.gz": DAMAGED[:40]},
    "one hand": {"a.phhs": codecs.BOM_UTF8 + f"{PHH}\n[2]\nnothing = 1\n".encode(), "b.phhs": f"# no\n{PHH}"},
    "mixed lines": {"a.txt": f"what is this?\n{stars(3)}\n\n{'x' * 5000}\n{stars(4)}", "b.txt": stars() + log()},
    "western": {"a.txt": stars().replace("Ann", "J\xfcrgen").encode("cp1252") + stars(2).encode()},
    "words before": {"a.phhs": f"{'# words' * 200}\nx = 1\n[1]\n{PHH}[2]\n{PHH}", "b.phhs": f"# {'-' * 9}\n[1]\n{PHH}"},
    "too long": {"a.phhs": f"[1]\n{PHH}[2]\n{PHH}{'#' * 3000}\n[3]\n{PHH}", "b.phhs": sections()},
}


def walked(path: Path) -> tuple[list[Hand], list[str], dict[str, object]]:
    source = open_hands(path, strict=False, index=False)
    hands = list(source)
    never = {part.error for part in source._parts}  # those of files that cannot be opened are in the report
    return hands, [str(error) for error in source.skipped if error not in never], report(source.report())


def report(found: SourceReport) -> dict[str, object]:
    return found.to_dict()


def in_spans(path: Path, size: int) -> tuple[list[Hand], list[str], dict[str, object], int]:
    """The same of spans, each pickled; and how many there are."""
    source = open_hands(path, strict=False, index=False)
    hands, skipped = [], []
    spans = 0
    for some in source.spans(size):
        for span in pickle.loads(pickle.dumps(some)):
            assert isinstance(span, Span)
            tally = SpanTally([])
            found = list(span.read(tally))
            spans += 1
            if source.count(span.part, tally):
                hands += found
                skipped += map(str, tally.sink)  # type: ignore[call-overload]
    assert source.share_read == 1
    return hands, skipped, report(source.report()), spans


@pytest.mark.parametrize("size", [1, 700, 4000, 1 << 20])
@pytest.mark.parametrize("form", [*FILES, *MORE])
def test_spans_are_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, size: int) -> None:
    """Hands, what is wrong with others and in which line, and what became of the files."""
    monkeypatch.setattr(phh, "MOST_BYTES", 2500)
    monkeypatch.setattr(source, "_HANDS_A_SPAN", 10)
    path = write(tmp_path / form, {**FILES, **MORE}[form])
    hands, skipped, said = walked(path)
    assert hands
    *found, spans = in_spans(path, size)
    assert found[0] == hands
    assert found[1] == skipped
    assert found[2] == said
    if size == 1 and form in ("phh", "site", "gzip", "archive"):
        assert spans > len(hands) / 2
    if form == "irc":
        assert spans == 6
    elif size == 1 << 20 and form != "mixed":
        assert spans == sum(file["hands"] > 0 for file in said["files"])  # type: ignore[attr-defined]


def test_a_span_is_of_some_size(tmp_path: Path) -> None:
    path = write(tmp_path, {"a.txt": stars() * 20, "b.txt": stars()}) / "a.txt"
    sizes = [[span.size for span in some] for some in open_hands(path).spans(20_000)]
    assert sum(map(sum, sizes)) == path.stat().st_size
    assert all(10_000 <= sum(some) <= 40_000 for some in sizes[:-1])


def test_small_files_go_together(tmp_path: Path) -> None:
    source = open_hands(write(tmp_path, {f"{k}.phh": PHH for k in range(50)}))
    assert [len(some) for some in source.spans()] == [50]
    assert [len(some) for some in source.spans(2 * len(PHH))] == [2] * 25


def test_many_months_are_read_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MONTHS_AT_ONCE", 2)
    path = write(tmp_path, FILES["irc"])
    *found, spans = in_spans(path, 1 << 20)
    assert found == [*walked(path)]
    assert spans == 2
    assert {span.form for some in open_hands(path).spans() for span in some} == {"irc"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such pipes")
def test_a_pipe_in_spans(tmp_path: Path) -> None:
    import threading

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(stars(3),))
    writer.start()
    hands, skipped, *_ = in_spans(pipe, 700)
    writer.join()
    plain = tmp_path / "plain.txt"
    plain.write_text(stars(3))
    assert hands == walked(plain)[0]
    assert len(skipped) == 1


def test_what_remembers_is_not_cut(tmp_path: Path) -> None:
    path = write(tmp_path, FILES["memory"])
    assert in_spans(path, 100)[3] == 1
    assert not text.Places(text.TextFormats({})).allow("wide".encode("utf-16"))


@pytest.mark.parametrize(
    "folder",
    [
        *("sites-limit", "irc-199504/sample300", "bovada-limit", "acpc-dealer"),
        *(pytest.param(folder, marks=pytest.mark.slow) for folder in ("sites-nolimit", "phh")),
    ],
)
def test_real_histories_in_spans(data_dir: Path, folder: str) -> None:
    hands, skipped, said = walked(data_dir / folder)
    *found, spans = in_spans(data_dir / folder, 3000)
    assert found == [hands, skipped, said]
    assert spans >= 1
