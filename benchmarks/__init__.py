"""Measurements: ratios to public peers (``python -m benchmarks``), and the guard against slower kernels.

``python -m benchmarks.guard`` counts instructions, on any machine and however busy it is; see its module.
"""
