"""Files of a site, and paging: lists, logs and receipts are split or shortened, so that no page is large."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from markupsafe import escape

from engine.receipt import Block
from sheets_algo.pages.site_page import TEXT_MOST, shortened_name

SEASON_PICTURE = "season.png"
"""Place of the picture of the season."""
VERIFY_PAGE = "verify/index.html"
"""Place of the page on which players verify receipts, if there is one."""


@dataclass(frozen=True, slots=True)
class SiteFile:
    """A file of a site."""

    path: str  # Its place in the folder of the site, with slashes
    key: str  # A digest of the content's dependencies
    make: Callable[[], bytes] = field(compare=False)  # Returns the content


def key_of(content: bytes) -> str:
    """Return the key of a file that depends only on its content."""
    return hashlib.sha256(content).hexdigest()


Item = TypeVar("Item")
Data = Mapping[str, Any]

LISTED = 60
"""Wars or nations of one page of a list; more go onto further pages."""
ROOM = 60_000
"""Maximum bytes that the lines of a log, a receipt or a table of numbers take on one page."""
ESCAPED_MOST = 5
"""Maximum bytes of a character on a page: a quotation mark takes as many."""
MORE = "… further lines are in rulings.csv"
NAME = 60
"""Maximum number of characters of a name in a list."""
LINE_SIZES = (TEXT_MOST, 300, NAME)
"""Maximum number of characters of a line of a receipt, and less if the whole receipt is too long for a page."""


def page_path(address: str, number: int, first: int = 1) -> str:
    """Return the path of one page of several; the first has the bare address."""
    return f"{address}.html" if number == first else f"{address}/{number}.html"


def page_links(address: str, count: int, number: int, first: int = 1) -> list[Data]:
    """Return the links between several pages, the one with the bare address first."""
    order = range(1, count + 1) if first == 1 else range(count, 0, -1)
    return [
        {"number": place, "page": page_path(address, each, first), "here": each == number}
        for place, each in enumerate(order, start=1)
    ]


def listed_parts(rows: Sequence[Item]) -> list[Sequence[Item]]:
    """Split rows into parts that do not change when rows are added; there is at least one."""
    return [rows[first : first + LISTED] for first in range(0, max(1, len(rows)), LISTED)]


def weight_of(value: Any) -> int:
    """Estimate the bytes of a value on a page."""
    if isinstance(value, Mapping):
        return 120 + sum(map(weight_of, value.values()))
    if isinstance(value, list | tuple):
        return 30 + sum(map(weight_of, value))
    return len(str(escape(value)).encode(errors="replace"))


def weighed_parts(rows: Sequence[Data], weigh: Callable[[Data], int] = weight_of) -> Iterator[list[Data]]:
    """Split rows into parts for one page each; the first parts do not change when rows are added."""
    part: list[Data] = []
    size = 0
    for row in rows:
        weight = weigh(row)
        if part and size + weight > ROOM:
            yield part
            part, size = [], 0
        part.append(row)
        size += weight
    if part:
        yield part


def _signs(blocks: Sequence[Data]) -> int:
    """Return the number of characters of blocks, plus some for each line: far faster than their weight."""
    lines = [line for block in blocks for line in (("", block["heading"]), *block["lines"])]
    return sum(len(label) + len(text) + 20 for label, text in lines)


def fitted_blocks(blocks: Sequence[Block]) -> Sequence[Data]:
    """Return the blocks of a receipt for a page; if they are too long for one, their lines are shortened."""
    fitted: list[dict[str, Any]] = []
    for most in LINE_SIZES:
        fitted = [
            {
                "heading": shortened_name(block.heading, most),
                "lines": [(shortened_name(line.label, most), shortened_name(line.text, most)) for line in block.lines],
            }
            for block in blocks
        ]
        if _signs(fitted) * ESCAPED_MOST <= ROOM or weight_of(fitted) <= ROOM:
            break
    sizes = [weight_of(block) for block in fitted]
    while sum(sizes) > ROOM:
        longest = sizes.index(max(sizes))
        lines = fitted[longest]["lines"]
        fitted[longest]["lines"] = [*lines[: len(lines) // 2], ("", MORE)] if len(lines) > 1 else []
        sizes[longest] = weight_of(fitted[longest]) if len(lines) > 1 else 0
    return [block for block, size in zip(fitted, sizes, strict=True) if size]
