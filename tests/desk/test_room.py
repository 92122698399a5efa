"""What the room of the Desk has none of: figures, sentences, SQL, NumPy."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import pokermodel
from tests.project.test_architecture import imported

ROOM = Path(pokermodel.__file__).parent / "desk"
MODULES = sorted(ROOM.glob("*.py"))
LABEL = 60  # characters


def trees():
    return [(path, ast.parse(path.read_text(encoding="utf-8"))) for path in MODULES]


def docstrings(tree):
    """The texts of a module that its users do not see."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def test_it_imports_no_numpy_and_sql_for_its_work_alone():
    for path, tree in trees():
        nodes = list(ast.walk(tree))
        names = {alias.name.split(".")[0] for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        names |= {node.module.split(".")[0] for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
        assert "numpy" not in names, path
        assert path.name == "work.py" or "sqlalchemy" not in names, path
        assert "pokermodel.report.words" not in [name for name, _ in imported(tree.body, False)]


def test_it_has_labels_and_no_sentences():
    """Errors for programmers aside, which begin with what was wrong."""
    found = []
    for path, tree in trees():
        hidden = set(docstrings(tree))
        raised = {each for node in ast.walk(tree) if isinstance(node, ast.Raise) for each in ast.walk(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in hidden | raised:
                text = node.value
                if len(text) > LABEL or re.search(r"[a-z]\. [A-Z]", text):
                    found.append((path.name, text))
    assert found == []


@pytest.mark.parametrize("path", [path for path in MODULES if path.name != "work.py"], ids=lambda path: path.stem)
def test_it_reckons_nothing(path):
    """No figure that is shown is made here. `work` alone adds up the times of its own jobs."""
    text = path.read_text(encoding="utf-8")
    assert "sum(" not in text
    assert "round(" not in text
