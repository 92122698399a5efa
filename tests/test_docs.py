"""What the documentation shows is what happens."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import pkgutil
import re
from pathlib import Path

import numpy as np
import pytest

import pokermodel as pm

ROOT = Path(__file__).resolve().parent.parent
MODULES = ["pokermodel"] + [
    module.name
    for module in pkgutil.walk_packages(pm.__path__, "pokermodel.")
    if not module.name.startswith("pokermodel._core") and not module.name.endswith("__main__")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(name), raise_on_error=False)
    assert failed == 0


def test_python_in_the_readme():
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(block, "README.md", "exec"), names)
    assert eval("pm.evaluate('AsKsQsJsTs')", names) == 7462
    assert f"{pm.hand_strength('AdQc', '3h4cJh'):.3f}" in block
    assert f"{pm.hand_potential('AdQc', '3h4cJh', lookahead=2).ppot:.3f}" in block


def test_cython_in_the_readme(tmp_path):
    build = pytest.importorskip("Cython.Build", reason="Cython is not installed")
    setuptools = pytest.importorskip("setuptools", reason="setuptools is not installed")
    (block,) = re.findall(r"```cython\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    source = tmp_path / "readme_hands.pyx"
    source.write_text(block)
    extension = setuptools.Extension("readme_hands", [str(source)], include_dirs=[pm.get_include()])
    found = build.cythonize([extension], language_level=3, quiet=True, build_dir=str(tmp_path))
    command = setuptools.Distribution({"ext_modules": found}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = str(tmp_path), str(tmp_path)
    command.ensure_finalized()
    command.run()
    spec = importlib.util.spec_from_file_location("readme_hands", command.get_ext_fullpath("readme_hands"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert pm.cards.card_text(module.best_card(pm.card_indices("TsJsQsKs2c2d"))) == "As"


def test_commands_in_the_readme():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first, second = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)[0].splitlines()
    assert first == "pip install . && pokermodel read"
    assert "pytest" in second


def test_every_public_name_is_there_and_explained():
    for name in pm.__all__:
        value = getattr(pm, name)
        assert name == "__version__" or value.__doc__, name
    assert set(pm.__all__) <= set(dir(pm))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = pm.nothing


def test_headers_are_where_they_are_said_to_be():
    names = {path.name for path in Path(pm.get_include(), "pokermodel").glob("*.h")}
    assert {"cards.h", "evaluator.h", "rules.h"} <= names


def test_the_example_hand():
    hand = pm.example_hand()
    assert sum(hand.payoffs) == 0
    assert hand.players[int(np.argmax(hand.payoffs))] == "Eve"
    assert sorted(hand.shown) == [1, 4]
