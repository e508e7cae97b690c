"""Texts in the parts of a package: shared strings, and escaping for XML and for Excel."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape  # escape of xml.sax imports urllib, ssl and email: 30 ms

from sheets_algo.workbook.xlsx.file import xml
from sheets_algo.workbook.xlsx.file.guard import Limits

_ESCAPABLE = re.compile("_(?=x[0-9A-Fa-f]{4}_)")


def cell_xml(text: str) -> bytes:
    """Return a text escaped for the content of an XML element and for Excel."""
    return escape(escape_codes(text), quote=False).encode()


def escape_codes(text: str) -> str:
    """Escape parts of a text that look like Excel's escapes: `_x0041_` becomes `_x005F_x0041_`."""
    return _ESCAPABLE.sub("_x005F_", text)


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


_ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")
_SURROGATE = re.compile("[\ud800-\udfff]")


def decode(text: str) -> str:
    """Replace escapes such as `_x000D_` by their characters; `_x005F_x000D_` becomes the text `_x000D_`."""
    if "_x" not in text:
        return text
    decoded = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    if _SURROGATE.search(decoded):
        # Surrogate pairs become one character; a lone surrogate is replaced, since it cannot be encoded.
        return decoded.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return decoded


def read_strings(chunks: Iterable[bytes], limits: Limits) -> list[str]:
    """Read the shared strings of a workbook.

    Raises:
        xml.Refused: The part is not well-formed, or has too many strings or one that is too long.
    """
    items = frozenset(f"{space} si" for space in xml.SHEET_NAMESPACES)
    texts = frozenset(f"{space} t" for space in xml.SHEET_NAMESPACES)
    phonetic = frozenset(f"{space} rPh" for space in xml.SHEET_NAMESPACES)
    strings: list[str] = []
    pieces: list[str] = []
    room = limits.text
    is_phonetic = False

    def start(name: str, _: dict[str, str]) -> None:
        nonlocal is_phonetic, room
        if name in texts:
            if not is_phonetic:
                parser.CharacterDataHandler = characters
        elif name in items:
            room = limits.text
            if len(strings) >= limits.cells:
                raise xml.Refused(f"it has more than {limits.cells:,} texts, the limit")
        elif name in phonetic:
            is_phonetic = True

    def end(name: str) -> None:
        nonlocal is_phonetic
        if name in texts:
            parser.CharacterDataHandler = None
        elif name in items:
            strings.append(decode("".join(pieces)))
            pieces.clear()
        elif name in phonetic:
            is_phonetic = False

    def characters(text: str) -> None:
        nonlocal room
        room -= len(text)
        if room < 0:
            raise xml.Refused(f"its text {len(strings)} is longer than {limits.text:,} characters, the limit")
        pieces.append(text)

    parser = xml.new_parser()
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    xml.feed(parser, chunks)
    return strings
