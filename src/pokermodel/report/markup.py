"""Text from outside in HTML and SVG."""

from __future__ import annotations

from html import escape
from itertools import chain

__all__ = ["markup", "name_markup", "shortened", "visible"]

# What XML 1.0 does not allow even by its number: control characters, surrogates and two non-characters.
_FORBIDDEN = (range(0x20), range(0x7F, 0xA0), range(0xD800, 0xE000), (0xFFFE, 0xFFFF))
# What breaks a line, or turns the direction of the text around it.
_STEERING = ((0x061C, 0x200E, 0x200F), range(0x2028, 0x202F), range(0x2066, 0x206A))
_SHOWN = {
    code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    for code in chain(*_FORBIDDEN, *_STEERING)
    if chr(code) not in "\t\n"
}


def visible(text: str) -> str:
    r"""Show characters that cannot be shown as they are: as Python writes them.

    These are characters that XML does not allow, and those that break a line or change its direction.

    Examples
    --------
    >>> print(visible("\u202eevil\x1b"))
    \u202eevil\x1b
    """
    return text if text.isprintable() else text.translate(_SHOWN)


def shortened(text: str, most: int) -> str:
    """Return text of at most so many characters, with an ellipsis at the end if some were left out."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def markup(text: str) -> str:
    """Write text so that HTML and XML show it as it is, within elements and quoted attributes.

    Characters that cannot be shown as they are become `visible`.

    Examples
    --------
    >>> markup('<b title="x">')
    '&lt;b title=&quot;x&quot;&gt;'
    """
    return escape(visible(text))


def name_markup(name: str) -> str:
    """Write a name for HTML: it may break across lines, and its writing direction stays inside it."""
    return f'<bdi style="overflow-wrap:anywhere">{markup(name)}</bdi>'
