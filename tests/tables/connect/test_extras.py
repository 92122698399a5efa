"""What is said when another system is not installed."""

from __future__ import annotations

import sys

import pytest

from pokermodel.tables.connect._extras import import_extra


def test_the_extra_is_named():
    with pytest.raises(ModuleNotFoundError) as raised:
        import_extra("a_system_of_others.games", "others")
    assert str(raised.value) == (
        'pokermodel.tables.connect.others needs a_system_of_others: expected pip install "pokermodel[others]"'
    )


def test_what_the_other_system_misses_is_not_blamed_on_the_extra(tmp_path, monkeypatch):
    (tmp_path / "a_broken_system.py").write_text("import a_library_of_its_own\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'a_library_of_its_own'$"):
        import_extra("a_broken_system", "others")


@pytest.mark.parametrize(
    ("module", "needs"),
    [("openspiel", "pyspiel"), ("rlcard", "rlcard"), ("pettingzoo", "pettingzoo")],
)
def test_connectors_name_their_extra(module, needs, monkeypatch):
    for name in [
        name for name in sys.modules if name.startswith("pokermodel.tables.connect.") or name.split(".")[0] == needs
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, needs, None)
    with pytest.raises(ModuleNotFoundError, match=rf'needs {needs}: expected pip install "pokermodel\[{module}\]"'):
        __import__(f"pokermodel.tables.connect.{module}")
