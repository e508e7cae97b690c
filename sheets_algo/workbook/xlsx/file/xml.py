"""XML of package parts: a parser that refuses features only attacks need, and names compared without prefixes.

A part may use any prefix and either family of namespaces (transitional or strict), so elements are identified by their
local name within the namespaces listed here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from xml.parsers import expat

from sheets_algo.workbook.xlsx.file.archive import PIECE

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

_LONGEST_TOKEN = 8_000_000
_MOST_ELEMENTS = 150_000
"""Maximum number of elements of one list: Excel keeps twice 65,490 formats, and 65,530 links of a tab."""
_TOO_MANY = f"it has more than {_MOST_ELEMENTS:,} elements, the limit"
_ENCODING = re.compile(r"utf-8|utf-16(le|be)?|us-ascii|iso-8859-\d+|windows-125\d", re.IGNORECASE)
_CHOICE = "http://schemas.openxmlformats.org/markup-compatibility/2006 Choice"
_PROLOG = re.compile(rb"(?:\s+|<\?.*?\?>|<!--.*?-->)*+", re.DOTALL)


class Refused(Exception):
    """XML that is not read; the message gives the reason, without file and part."""


def new_parser() -> expat.XMLParserType:
    """Return an expat parser that names elements "namespace local" and refuses a DOCTYPE or an odd encoding."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.XmlDeclHandler = _refuse_encoding
    parser.buffer_text = True
    return parser


def feed(parser: expat.XMLParserType, chunks: Iterable[bytes]) -> None:
    """Parse a whole part.

    Raises:
        Refused: The part is not well-formed, has a DOCTYPE, or has a tag or comment longer than any real workbook's.
    """
    size = 0
    try:
        for chunk in chunks:
            parser.Parse(chunk, False)
            size += len(chunk)
            if size - parser.CurrentByteIndex > _LONGEST_TOKEN:  # bytes of a token that is not complete yet
                raise Refused(f"it has a tag or comment of more than {_LONGEST_TOKEN:,} bytes, the limit")
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise Refused(f"it is not well-formed XML ({error})") from error


def elements(content: bytes, wanted: Collection[str]) -> list[tuple[str, str, dict[str, str]]]:
    """Return namespace, local name and attributes of the elements of a part, in order.

    Where a program stored its own extension and a replacement of it for other programs, the latter counts.

    Args:
        wanted: Local names of the elements to return besides the root.

    Raises:
        Refused: The part is not well-formed, has a DOCTYPE, or has more elements than any real workbook.
    """
    if sum(1 for _ in _opening(frozenset(wanted)).finditer(content)) > _MOST_ELEMENTS:
        raise Refused(_TOO_MANY)  # before a parser makes something of each
    items: list[tuple[str, str, dict[str, str]]] = []

    choices = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal choices
        space, _, local = name.rpartition(" ")
        if name == _CHOICE:
            choices += 1
            parser.EndElementHandler = end
        elif choices:
            pass
        elif local in wanted or not items:
            items.append((space, local, attributes))
            if len(items) > _MOST_ELEMENTS:
                raise Refused(_TOO_MANY)

    def end(name: str) -> None:
        nonlocal choices
        choices -= name == _CHOICE

    parser = new_parser()
    parser.StartElementHandler = start
    feed(parser, pieces(content))
    parser.StartElementHandler = None  # else parser and handler keep each other, and with them what was found
    return items


@cache
def _opening(names: frozenset[str]) -> re.Pattern[bytes]:
    """Return a pattern of the beginning of elements of these local names, whatever their prefix."""
    return re.compile(rf"<(?:[^<>\s/:]+:)?(?:{'|'.join(sorted(names))})[\s/>]".encode())


def pieces(content: bytes) -> Iterator[bytes]:
    """Yield a part in pieces of `PIECE`."""
    return (content[at : at + PIECE] for at in range(0, len(content), PIECE))


def root_prefixes(content: bytes) -> set[str]:
    """Check that a part is well-formed; return the prefixes that it declares for the namespace of its root.

    Raises:
        Refused: The part is not well-formed or has a DOCTYPE.
    """
    declared: defaultdict[str, set[str]] = defaultdict(set)
    root: list[str] = []

    def start(name: str, _: dict[str, str]) -> None:
        root.append(name.rpartition(" ")[0])
        parser.StartElementHandler = None

    parser = new_parser()
    parser.StartElementHandler = start
    parser.StartNamespaceDeclHandler = lambda prefix, uri: declared[uri or ""].add(prefix or "(none)")
    feed(parser, pieces(content))
    return declared[root[0]]


def refuse_doctype(content: bytes) -> None:
    """Refuse a DOCTYPE, and thus all entities, in a part that is edited as bytes.

    Raises:
        Refused: There is a DOCTYPE before the first element, in UTF-8 or UTF-16.
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


def _refuse_encoding(_version: str, encoding: str | None, _standalone: int) -> None:
    """Refuse encodings that expat does not know, or knows only partly."""
    if encoding is not None and not _ENCODING.fullmatch(encoding):
        raise Refused(f"its encoding {encoding} is not known; UTF-8 and UTF-16 are")
