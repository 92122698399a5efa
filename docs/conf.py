"""How Sphinx builds the documentation: ``sphinx-build -W -b html docs docs/_build``."""

import sys
from importlib.metadata import version as version_of
from pathlib import Path

from docutils import nodes
from latex2mathml.converter import convert
from sphinx import addnodes

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))

import figures  # noqa: E402
import page_figures  # noqa: E402
import statistics_table  # noqa: E402

figures.draw_all(HERE / "_figures")
page_figures.draw_all(HERE / "_figures")
statistics_table.write(HERE / "_figures")

project = "pokermodel"
author = "The pokermodel developers"
copyright = f"2026, {author}"
version = release = version_of("pokermodel")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
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

autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_mock_imports = ["pettingzoo", "pyspiel", "rlcard"]  # other systems, of which the reference says nothing
autodoc_typehints = "none"  # numpydoc's sections say them, with shapes and units
autosummary_generate = False  # numpydoc brings it along
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
numpydoc_xref_param_type = False
intersphinx_mapping = {}

html_theme = "furo"
html_title = f"pokermodel {release}"
html_theme_options = {"source_view_link": ""}
html_static_path = ["_static"]
html_css_files = ["wide.css"]  # lines of code are up to 120 characters long
html_math_renderer = "mathml"

LONGEST_VALUE = 100


def write_math(translator, node):
    """Write a formula as the browser itself draws it, so that pages need no script from elsewhere."""
    block = isinstance(node, nodes.math_block)
    formula = convert(node.astext(), display="block" if block else "inline")
    translator.body.append(f'<div class="math">{formula}</div>' if block else formula)
    raise nodes.SkipNode


def leave_out_long_values(app, domain, kind, content):
    """Show the value of a constant unless it is a table or a list that fills lines."""
    if kind == "data":
        for part in list(content.parent.findall(addnodes.desc_annotation)):
            value = part.astext().strip()
            if value.startswith("=") and (len(value) > LONGEST_VALUE or "..." in value):
                part.parent.remove(part)


def setup(app):
    """Tell Sphinx how formulas are written and which values are shown."""
    app.add_html_math_renderer("mathml", (write_math, None), (write_math, None))
    app.connect("object-description-transform", leave_out_long_values)
