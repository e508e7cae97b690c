"""Texts of cells: the shared strings, with rich text joined, phonetic runs omitted and `_x000D_` decoded."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sheets_algo.workbook.xlsx.file import xml
from sheets_algo.workbook.xlsx.file.guard import Limits

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
