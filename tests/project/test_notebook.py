"""The notebook of the documentation runs, and shows what it says."""

from __future__ import annotations

import ast
import json
import warnings
from importlib.util import find_spec
from pathlib import Path

import pytest

from pokermodel._support.frames import LIBRARIES
from tests.common.patience import PATIENCE

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "howto" / "notebook.ipynb"
#: What it shows, cell by cell.
SHOWN = [
    *("Hand", "Observation", "WeightTable", "WeightTable", "int", "Profile", "Advice", "Scores", "TournamentResult"),
    *("DataFrame",) * 3,
]

needs_frames = pytest.mark.skipif(
    not any(map(find_spec, LIBRARIES)), reason=f"neither {' nor '.join(LIBRARIES)} is installed"
)


def code_cells() -> list[dict]:
    return [cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


def test_it_is_kept_without_outputs():
    cells = code_cells()
    assert cells
    for cell in cells:
        assert cell["outputs"] == []
        assert cell["execution_count"] is None


@needs_frames
def test_its_code(tmp_path, monkeypatch):
    """Without Jupyter: the value at the end of each cell is asked to show itself."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    shown = []
    for number, cell in enumerate(code_cells()):
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop()
        assert isinstance(last, ast.Expr)
        exec(compile(tree, f"cell {number}", "exec"), names)
        value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
        shown.append(type(value).__name__)
        if type(value).__module__.startswith("pokermodel"):
            assert value._repr_html_().startswith("<")
    assert shown == SHOWN
    assert (tmp_path / "eve.svg").read_text(encoding="utf-8").startswith("<svg ")


@needs_frames
def test_it_runs_in_jupyter(tmp_path):
    for library in ("nbformat", "nbclient", "ipykernel"):
        if find_spec(library) is None:
            pytest.skip(f"{library} is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Jupyter's own
        import nbformat
        from nbclient import NotebookClient

        notebook = nbformat.read(NOTEBOOK, as_version=4)
        nbformat.validate(notebook)
        resources = {"metadata": {"path": str(tmp_path)}}
        NotebookClient(notebook, timeout=int(PATIENCE), kernel_name="python3", resources=resources).execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for cell, kind in zip(cells, SHOWN, strict=True):
        (result,) = [output for output in cell.outputs if output.output_type == "execute_result"]
        assert ("text/html" in result.data) == (kind != "int")
        assert not [output for output in cell.outputs if output.output_type == "stream"]
