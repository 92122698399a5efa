"""The compiler of CI that compiles the same only once."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / ".ci/cc-once"

pytestmark = pytest.mark.skipif(
    not SCRIPT.exists() or not shutil.which("gcc") or not shutil.which("bash"), reason="no checkout, gcc or bash"
)


@pytest.fixture
def compiled(tmp_path):
    """Compile in a folder of its own each time; the object, and how often something was compiled so far."""
    objects, log = tmp_path / "objects", tmp_path / "log"
    objects.mkdir()
    log.touch()
    counting = tmp_path / "counting"
    counting.write_text(f'#!/bin/sh\ncase " $* " in *" -c "*) echo >> {log} ;; esac\nexec gcc "$@"\n')
    counting.chmod(0o755)
    environment = {**os.environ, "COMPILER": f"{counting} -DGIVEN", "OBJECTS": str(objects)}

    def compile_file(text, *options, header="#define NUMBER 1\n", linked=False):
        folder = tmp_path / f"place {len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        (folder / "number.h").write_text(header)
        (folder / "one.c").write_text(text)
        what = ["-shared", "-o", "one.so"] if linked else ["-c", "-o", "one.o"]
        command = [SCRIPT, "-fPIC", f"-I{folder}", f"-ffile-prefix-map={folder}=.", "one.c", *what, *options]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        made = folder / what[-1]
        return made.read_bytes() if made.exists() else done.stderr, len(log.read_text())

    return compile_file


TEXT = '#include "number.h"\nint number(void) { return NUMBER; }\n'


def test_the_same_is_compiled_once(compiled):
    first, times = compiled(TEXT)
    assert (first[:4], times) == (b"\x7fELF", 1)
    assert compiled(TEXT) == (first, 1)
    assert compiled(f"/* says nothing */ {TEXT}") == (first, 1)


def test_what_differs_is_compiled(compiled):
    first, _ = compiled(TEXT)
    other, times = compiled(TEXT, header="#define NUMBER 2\n")
    assert (other != first, times) == (True, 2)
    assert compiled(TEXT, "-DNUMBER=1")[1] == 3  # as one would compile it by hand, whatever comes of it
    assert compiled(TEXT, "-O2")[1] == 4
    assert compiled(TEXT, "-O3")[1] == 5
    assert compiled(TEXT) == (first, 5)


def test_what_fails_says_why_each_time(compiled):
    for text in ("int number(void) { return none; }\n", '#include "none.h"\n'):
        for _ in range(2):
            said, _ = compiled(text)
            assert "none" in said


def test_what_is_linked_is_left_to_the_compiler(compiled):
    for _ in range(2):
        made, times = compiled(TEXT, linked=True)
        assert (made[:4], times) == (b"\x7fELF", 0)
