"""How Sphinx builds the documentation: ``sphinx-build -W -b html docs docs/_build``."""

import sys
from importlib.metadata import version as version_of
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))

import figures  # noqa: E402

figures.draw_all(HERE / "_figures")

project = "pokermodel"
author = "The pokermodel developers"
copyright = f"2026, {author}"
version = release = version_of("pokermodel")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx.ext.mathjax",
    "sphinx.ext.viewcode",
    "numpydoc",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
nitpicky = False

myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
# outside the documentation, README and CHANGELOG link to files of the repository
suppress_warnings = ["myst.xref_missing"]

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # numpydoc's sections say them, with shapes and units
autosummary_generate = False  # numpydoc brings it along
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
numpydoc_xref_param_type = False
intersphinx_mapping = {}

html_theme = "furo"
html_title = f"pokermodel {release}"
html_theme_options = {"source_view_link": ""}
