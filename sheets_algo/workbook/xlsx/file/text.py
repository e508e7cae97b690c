"""Escaping of texts in the parts of a package, for XML and for Excel, and its reversal."""

from __future__ import annotations

import re
from html import escape  # escape of xml.sax imports urllib, ssl and email: 30 ms

_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")


def cell_xml(text: str) -> bytes:
    """Return a text escaped for the content of an XML element and for Excel."""
    return escape(escape_codes(text), quote=False).encode()


def escape_codes(text: str) -> str:
    """Escape parts of a text that look like Excel's escapes: `_x0041_` becomes `_x005F_x0041_`."""
    return _ESCAPE.sub("_x005F_", text)


def attribute(text: str) -> bytes:
    """Return a text escaped for an attribute in double quotes."""
    escaped = escape(text, quote=False).replace('"', "&quot;")
    return escaped.replace("\n", "&#10;").replace("\t", "&#9;").encode()


def plain(raw: bytes) -> str:
    """Return the text of an element's content or an attribute, with entities, CDATA and comments resolved."""
    if b"<" not in raw and b"&" not in raw:
        return raw.decode("utf-8", "replace")
    parts = _SECTION.split(raw.decode("utf-8", "replace"))
    return "".join(part if number % 2 else _ENTITY.sub(_character, part) for number, part in enumerate(parts) if part)


_SECTION = re.compile(r"(?:<!--.*?-->|<\?.*?\?>)+|<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_ENTITY = re.compile("&(#[0-9]+|#x[0-9A-Fa-f]+|amp|lt|gt|quot|apos);")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def _character(match: re.Match[str]) -> str:
    name = match[1]
    if not name.startswith("#"):
        return _NAMED[name]
    code = int(name[2:], 16) if name[1] == "x" else int(name[1:])
    return chr(code) if code <= 0x10FFFF else "\ufffd"
