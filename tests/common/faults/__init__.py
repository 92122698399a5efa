"""Faults at every place, for the tests that try a few and for ``tools/inject_faults.py``, which tries them all.

Each module does one kind of harm and looks afterwards: what is wrong raises `AssertionError`, and what is counted is
returned.
"""
