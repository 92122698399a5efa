"""`pokermodel._support.forms`: values know their forms, rooms above make them."""

from __future__ import annotations

import subprocess
import sys

import pytest

import pokermodel as pm
from pokermodel._support import forms as _forms
from pokermodel.histories import acpc, ohh, phh


class Value:
    pass


class Special(Value):
    pass


@pytest.fixture
def registry(monkeypatch):
    monkeypatch.setattr(_forms, "_makers", {})
    monkeypatch.setattr(_forms, "_modules", {})


@pytest.mark.usefixtures("registry")
def test_what_is_registered_makes_the_form_of_a_kind_and_of_what_inherits_from_it():
    @_forms.makes("shout", Value)
    def shout(value):
        return type(value).__name__.upper()

    assert _forms.form_of(Value(), "shout") == "VALUE"
    assert _forms.text_of(Special(), "shout") == "SPECIAL"
    _forms.makes("shout", Special)(lambda value: "s")
    assert (_forms.form_of(Value(), "shout"), _forms.form_of(Special(), "shout")) == ("VALUE", "s")


@pytest.mark.usefixtures("registry")
def test_a_form_that_nothing_makes_is_an_error():
    _forms.makes("shout", Special)(str)
    with pytest.raises(LookupError, match="nothing makes 'shout' of a Value"):
        _forms.form_of(Value(), "shout")
    with pytest.raises(LookupError, match="nothing makes 'whisper' of a Special"):
        _forms.form_of(Special(), "whisper")


@pytest.mark.usefixtures("registry")
def test_modules_are_imported_in_order_and_no_further_than_need_be(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    for name, kind in (("forms_first", "Special"), ("forms_second", "Value"), ("forms_third", "Value")):
        (tmp_path / f"{name}.py").write_text(
            f"from pokermodel._support import forms as _forms\nfrom {__name__} import {kind}\n"
            f"_forms.makes('shout', {kind})(lambda value: '{name}')\n"
        )
    monkeypatch.setitem(sys.modules, __name__, sys.modules[Value.__module__])
    names = ("forms_first", "forms_second", "forms_third")
    _forms.made_by("shout", *names)
    try:
        assert not {*names} & {*sys.modules}
        assert _forms.form_of(Special(), "shout") == "forms_first"
        assert {*names} & {*sys.modules} == {"forms_first"}
        assert _forms.form_of(Value(), "shout") == "forms_second"
        assert {*names} & {*sys.modules} == {"forms_first", "forms_second"}
    finally:
        for name in names:
            sys.modules.pop(name, None)


@pytest.mark.parametrize(
    "asked",
    [
        "hand._repr_html_().startswith('<div')",
        "hand.to_phh().startswith('variant')",
        "hand.to_ohh().startswith('{')",
        "table._repr_html_().startswith('<figure')",
        "type(table.__rich__()).__name__ == 'HeatMap'",
    ],
)
def test_values_show_and_write_themselves_after_a_plain_import(asked):
    given = "hand = pm.example_hand(); table = pm.WeightTable()"
    found = "import sys; assert not [name for name in sys.modules if name.startswith('pokermodel.report')]"
    done = subprocess.run(
        [sys.executable, "-c", f"import pokermodel as pm; {given}; {found}; assert {asked}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_hands_write_themselves_by_the_writers_of_their_formats():
    hand = pm.example_hand()
    assert (hand.to_phh(), hand.to_acpc(), hand.to_ohh()) == (phh.dumps(hand), acpc.dumps(hand), ohh.dumps(hand))
