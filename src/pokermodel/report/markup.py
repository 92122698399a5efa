"""Text from outside in HTML and SVG."""

from __future__ import annotations

from html import escape

__all__ = ["markup", "name_markup"]

# What XML 1.0 does not allow even by its number: control characters, surrogates and two non-characters.
_FORBIDDEN = {
    code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    for code in (*range(0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF)
    if chr(code) not in "\t\n"
}


def markup(text: str) -> str:
    """Write text so that HTML and XML show it as it is, within elements and quoted attributes.

    Characters that XML does not allow are shown as Python writes them.

    Examples
    --------
    >>> markup('<b title="x">')
    '&lt;b title=&quot;x&quot;&gt;'
    """
    return escape(text.translate(_FORBIDDEN))


def name_markup(name: str) -> str:
    """Write a name for HTML: lines break within it, and its direction changes nothing around it."""
    return f'<bdi style="overflow-wrap:anywhere">{markup(name)}</bdi>'
