"""Pages: HTML files that need no other file and no network, or screens in the frame of the Desk.

Pages are templates of Jinja2, which escapes what is put into them. A content security policy lets the browser use the
style and the script of the page and nothing else, and ask nothing of any network.
"""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import jinja2
from markupsafe import Markup

from pokermodel._core.json_text import dumps
from pokermodel.report.markup import markup, shortened, visible
from pokermodel.report.palette import color_rules

__all__ = ["Framed", "Page", "asset", "document", "embedded", "json_text"]

_TITLE = 200  # characters of the title of a window
_MASKED = "pokermodel"  # the title where names are hidden


class Page:
    """A page: what a template shows, before it stands in a file of its own or in the frame of the Desk.

    Raises `ValueError` if the script or the style is not in ASCII, or has what ends its element.

    Parameters
    ----------
    template : str
        Name of a template in ``report/templates``, without its ending. It extends ``base``, whose block ``body`` it
        fills.
    title : str
        Title of the window. A long one is cut.
    script : str
        The script of the page, which runs when all of the page is there.
    style : str
        Rules of style after those that all pages share.
    data : dict or list, optional
        What the script shows: it stands in the page as JSON, in the element ``data``. Numbers that JSON does not have
        become null.
    **context
        Values of the template. All of it is text, and is escaped, except `markupsafe.Markup`.

    Notes
    -----
    The policy does not allow attributes ``style`` and ``on...``: elements have classes, and the script adds listeners.
    """

    def __init__(
        self, template: str, *, title: str, script: str = "", style: str = "", data: Any = None, **context: Any
    ) -> None:
        self._template, self._title, self._data, self._context = template, title, data, context
        self._script = script
        self._style = f"{color_rules()}{asset('chart.css')}{asset('base.css')}{style}"
        for name, text in (("script", script), ("style", self._style)):
            if not text.isascii() or f"</{name}" in text.lower() or "<!--" in text:
                raise ValueError(
                    f"the {name} of a page must be in ASCII and not end its element: got {title!r} with such"
                )

    def document(self) -> str:
        """Return the page as a whole HTML file, in ASCII, which needs no other file."""
        rules = ["default-src 'none'", "img-src data:", f"style-src '{_digest(self._style)}'"]
        rules += [f"script-src '{_digest(self._script)}'"] if self._script else []
        policy = "; ".join([*rules, "base-uri 'none'", "form-action 'none'"])
        return self._rendered(frame=None, policy=policy, style=Markup(self._style), script=Markup(self._script))

    def framed(self, frame: Mapping[str, Any]) -> Framed:
        """Return the page in the frame of the Desk, and the files of style and script that it names.

        Parameters
        ----------
        frame : mapping
            Values of the template ``frame`` around the page.
        """
        style, script = self._style + asset("frame.css"), self._script
        files = {}
        for text, ending in ((style, "css"), (script, "js"), (asset("frame.js"), "js")):
            if text:
                files[f"{hashlib.sha256(text.encode()).hexdigest()[:32]}.{ending}"] = text
        links = [(name, name.endswith(".js")) for name in files]
        return Framed(self._rendered(frame=frame, links=links, script=""), files)

    def _rendered(self, **values: Any) -> str:
        masked = values["frame"] is not None and values["frame"].get("masked")
        page = (
            _templates()
            .get_template(self._template)
            .render(
                {
                    **self._context,
                    **values,
                    "title": _MASKED if masked else shortened(visible(self._title), _TITLE),
                    "data": None if self._data is None else Markup(embedded(self._data)),
                }
            )
        )
        return page.encode("ascii", "xmlcharrefreplace").decode()


class Framed(NamedTuple):
    """A page in the frame of the Desk: its HTML, and by name the texts that it has the browser ask for."""

    html: str
    files: dict[str, str]


def document(template: str, **values: Any) -> str:
    """Make a whole HTML file of a template, in ASCII; parameters and errors are those of `Page`."""
    return Page(template, **values).document()


def asset(name: str) -> str:
    """Return the text of a file in ``report/templates``: a style sheet or a script."""
    return resources.files("pokermodel.report").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def _templates() -> jinja2.Environment:
    """The templates: what they show is escaped, and a name that is not there is an error."""
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(lambda name: asset(f"{name}.html.jinja")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["name"] = _name
    return environment


def _shown(value: Any) -> Any:
    """What a template shows of a value: text with `visible` characters, and nothing of None."""
    if value is None:
        return ""
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _name(text: str) -> Markup:
    """A name or whatever else comes from outside: lines break within it, and it changes no direction around it."""
    return Markup(f'<bdi class="name">{markup(text)}</bdi>')


def _digest(text: str) -> str:
    """What a content security policy calls an element by."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def embedded(data: Any) -> str:
    """JSON that can stand in an element of HTML: in ASCII, with no character that begins or ends markup."""
    return json_text(data).replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def json_text(data: Any) -> str:
    """JSON in ASCII as short as it can be, with null for numbers that JSON does not have."""
    try:
        return dumps(data, compact=True)
    except ValueError:  # rare, and to look at every number takes longer than to write it
        return dumps(_finite(data), compact=True)


def _finite(data: Any) -> Any:
    """Data with None for numbers that JSON does not have."""
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
