"""What a text becomes in a cell: characters that XML or Excel cannot hold are replaced visibly, nothing is cut."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape  # that of xml.sax brings urllib, ssl and email along: 30 ms

LONGEST = 32_767
"""Most UTF-16 units a cell holds."""

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LINE_END = re.compile("\r\n?")
_ESCAPE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")


class TooLong(ValueError):
    """A text that no cell holds; the text says how long it is."""


@dataclass(frozen=True, slots=True)
class CellText:
    """A text ready for a cell.

    Args:
        text: As it will read back.
        replaced: How many characters were replaced by a visible sign; line ends are not counted.
    """

    text: str
    replaced: int


def cell_text(text: str) -> CellText:
    """Prepare a text for a cell.

    Carriage returns become line feeds; control characters become their pictures (U+2400 and following), lone
    surrogates, U+FFFE and U+FFFF become U+FFFD.

    Raises:
        TooLong: It has more than 32,767 UTF-16 units.
    """
    fitting, replaced = _FORBIDDEN.subn(_visible, _LINE_END.sub("\n", text))
    units = len(fitting) if fitting.isascii() else len(fitting.encode("utf-16-le")) // 2
    if units > LONGEST:
        raise TooLong(f"the text has {units:,} characters; a cell holds {LONGEST:,}")
    return CellText(fitting, replaced)


def cell_xml(text: str) -> bytes:
    """The characters of a prepared text inside an XML element, what looks like Excel's escapes escaped."""
    return escape(escape_codes(text), quote=False).encode()


def escape_codes(text: str) -> str:
    """The text with what only looks like an escape escaped: `_x0041_` as `_x005F_x0041_`."""
    return _ESCAPE.sub("_x005F_", text)


def attribute(text: str) -> bytes:
    """A text inside an attribute with double quotes."""
    escaped = escape(text, quote=False).replace('"', "&quot;")
    return escaped.replace("\n", "&#10;").replace("\t", "&#9;").encode()


def plain(raw: bytes) -> str:
    """The text of an element's content or an attribute: entities, CDATA sections and comments resolved."""
    if b"<" not in raw and b"&" not in raw:
        return raw.decode("utf-8", "replace")
    parts = _SECTION.split(raw.decode("utf-8", "replace"))
    return "".join(part if number % 2 else _ENTITY.sub(_character, part) for number, part in enumerate(parts) if part)


_SECTION = re.compile(r"(?:<!--.*?-->|<\?.*?\?>)+|<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_ENTITY = re.compile("&(#[0-9]+|#x[0-9A-Fa-f]+|amp|lt|gt|quot|apos);")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def _visible(match: re.Match[str]) -> str:
    code = ord(match[0])
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"


def _character(match: re.Match[str]) -> str:
    name = match[1]
    if not name.startswith("#"):
        return _NAMED[name]
    code = int(name[2:], 16) if name[1] == "x" else int(name[1:])
    return chr(code) if code <= 0x10FFFF else "\ufffd"
