"""The public package: its names, for those who import them and for type checkers."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pokermodel as pm

PACKAGE = Path(pm.__file__).parent
ROOT = Path(__file__).resolve().parents[2]


def test_every_public_name_is_there():
    for name in pm.__all__:
        assert getattr(pm, name) is not None
        assert name in dir(pm)
    with pytest.raises(AttributeError, match="module 'pokermodel' has no attribute 'nonsense'"):
        pm.nonsense  # noqa: B018


def test_the_front_door_is_small_and_its_stub_is_written_from_the_list():
    stub = Path(pm.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    done = subprocess.run([sys.executable, ROOT / "tools" / "front_door.py", "--check"], check=False)
    assert done.returncode == 0, "run tools/front_door.py"
    assert all(f" as {name}\n" in stub for name in pm.__all__ if name != "__version__")
    errors = {
        name for name in pm.__all__ if isinstance(getattr(pm, name), type) and issubclass(getattr(pm, name), Exception)
    }
    assert len(set(pm.__all__) - errors) <= 32
    assert {"read_hand", "verdict", "study"} <= set(pm.__all__)


def test_no_type_checker_sees_a_module_getattr():
    """It would make every name of the module known, misspelt ones too."""
    found = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if not path.with_suffix(".pyi").exists()  # which type checkers read instead
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name == "__getattr__"
    ]
    assert found == []


@pytest.mark.slow
def test_a_type_checker_knows_the_public_names_and_no_others(tmp_path):
    pytest.importorskip("mypy")
    lines = ["import pokermodel as pm", "pm.nonsense", *(f"reveal_type(pm.{name})" for name in pm.__all__)]
    (tmp_path / "user.py").write_text("\n".join(lines))
    options = ["--strict", "--config-file=", "--cache-dir=cache", "--follow-imports=silent"]
    run = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "user.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    said = dict(re.findall(r"^user\.py:(\d+): (.*)$", run.stdout, re.MULTILINE))
    assert said.pop("2", "").startswith('error: Module has no attribute "nonsense"'), run.stdout + run.stderr
    assert len(said) == len(pm.__all__)
    for line, found in said.items():
        assert found.startswith("note: Revealed type is "), found
        assert '"Any"' not in found, lines[int(line) - 1]


def test_docstrings_say_what_they_are_about():
    """What `help` shows stands alone: it does not send the reader to another docstring first."""
    package = Path(pm.__file__).parent
    found = []
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node) or ""
                if text.startswith(("As `", "The same")):
                    found.append(f"{path.relative_to(package)}:{node.lineno if hasattr(node, 'lineno') else 1}")
    for path in sorted(package.rglob("*.pyx")):
        text = path.read_text(encoding="utf-8")
        found += [f"{path.relative_to(package)}: {line}" for line in re.findall(r'"""(?:As `|The same).*', text)]
    assert found == []
