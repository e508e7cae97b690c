"""XML of package parts: expat with everything refused that only an attack needs, names compared without prefixes.

A part may use any prefix and either family of namespaces (transitional or strict), so elements are known by their
local name within the namespaces listed here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from xml.parsers import expat

SHEET_NAMESPACES = (
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    "http://purl.oclc.org/ooxml/spreadsheetml/main",
)
RELATION_ATTRIBUTES = tuple(
    f"{space} id"
    for space in (
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        "http://purl.oclc.org/ooxml/officeDocument/relationships",
    )
)

StartHandler = Callable[[str, dict[str, str]], None]

_PROLOG = re.compile(rb"(?:\s+|<\?.*?\?>|<!--.*?-->)*+", re.DOTALL)


class Refused(Exception):
    """The part is not XML that is read here; the text says why, without file and part."""


def new_parser() -> expat.XMLParserType:
    """An expat parser that names elements and attributes "namespace local" and refuses a DOCTYPE."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.buffer_text = True
    return parser


def feed(parser: expat.XMLParserType, chunks: Iterable[bytes]) -> None:
    """Run the parser over a whole part.

    Raises:
        Refused: The part is not well-formed, or has a DOCTYPE.
    """
    try:
        for chunk in chunks:
            parser.Parse(chunk, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise Refused(f"it is not well-formed XML ({error})") from error
    except (LookupError, ValueError) as error:
        raise Refused(f"its encoding is not known ({error})") from error


def elements(content: bytes) -> list[tuple[str, str, dict[str, str]]]:
    """Namespace, local name and attributes of every element of a small part, in order.

    Raises:
        Refused: The part is not well-formed, or has a DOCTYPE.
    """
    found: list[tuple[str, str, dict[str, str]]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        space, _, local = name.rpartition(" ")
        found.append((space, local, attributes))

    parser = new_parser()
    parser.StartElementHandler = start
    feed(parser, (content,))
    return found


def refuse_doctype(content: bytes) -> None:
    """Refuse a DOCTYPE, and with it every entity, in a part that is edited as bytes.

    Raises:
        Refused: One stands before the first element, in UTF-8 or UTF-16.
    """
    head = content[: 1 << 16]
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")):
        head = head.replace(b"\0", b"")
    head = head.lstrip(b"\xef\xbb\xbf\xff\xfe")
    prolog = _PROLOG.match(head)
    if prolog and head.startswith(b"<!", prolog.end()):
        _refuse_doctype()


def _refuse_doctype(*_: object) -> None:
    raise Refused("it declares a DOCTYPE or ENTITY, which no workbook needs")
