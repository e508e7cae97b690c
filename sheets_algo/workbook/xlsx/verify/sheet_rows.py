"""A worksheet as its rows and what is around them, so that rows that are the same bytes need not be parsed."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, zip_longest
from xml.etree.ElementTree import Element, tostring

from sheets_algo.workbook.xlsx.file.areas import Area, area
from sheets_algo.workbook.xlsx.file.markup import masked, without_extensions
from sheets_algo.workbook.xlsx.verify.trees import is_ordered, local, tree

_FIRST = re.compile(rb"<[A-Za-z_]")
_ROOT = re.compile(rb"""<((?:[A-Za-z_][\w.-]*:)?)worksheet(?=[\s>])[^>"']*+(?:"[^"]*+"[^>"']*+|'[^']*+'[^>"']*+)*+>""")
_VALUE = re.compile(rb"<(?:[^<>\s/:]+:)?(?:f[\s/>]|[vt](?:\s[^>]*)?(?<!/)>[^<])")
_END = 1 << 200  # behind every number of a row
_AT_ONCE = 256  # rows that are parsed together


def around(part: bytes) -> tuple[bytes, bytes]:
    """Return the text before the first element of a part, and after it: declaration, comments, instructions."""
    view = masked(part)
    first = _FIRST.search(view)
    return part[: first.start() if first else None], part[view.rfind(b">") + 1 :]


@dataclass(frozen=True, slots=True)
class SheetRows:
    """A worksheet as its rows and what is around them."""

    order: Sequence[int]  # Number of each row, in file order
    numbers: Sequence[int]  # Numbers of the rows in their order, each once
    starts: Sequence[int]  # Offset of each of these rows in `text`, and the end of the last one
    text: bytes  # Holder of the rows
    root: bytes  # First tag of the worksheet, blank if it was made from a tree
    around: tuple[bytes, bytes]  # Text before and after its element
    head: bytes  # Everything before the rows
    tail: bytes  # Everything after the rows, with the end tag

    @staticmethod
    def of(part: bytes) -> SheetRows:
        """Split a worksheet in UTF-8 by the tags of its rows; one whose rows they do not distinguish is parsed.

        Raises:
            xml.etree.ElementTree.ParseError: It is not well-formed.
        """
        root = _ROOT.search(part)
        prefix = root[1] if root else b""
        row = re.compile(rb"<%brow(?=[\s/>])(?:[^>]*?\sr\s*=\s*[\"'](\d{1,9})[\"'])?" % re.escape(prefix))
        start, end = part.find(b"?>", 0, 256) + 2, part.find(b"</%bsheetData" % prefix)
        is_plain = root and end >= 0 and all(part.find(mark, start, end) < 0 for mark in (b"<!", b"<?", b"extLst"))
        numbers, starts = array("q"), array("q")
        for tag in row.finditer(part, 0, end) if is_plain else ():
            numbers.append(int(tag[1] or -1))
            starts.append(tag.start())
        starts.append(end)
        if root and numbers and numbers[0] >= 0 and is_ordered(numbers):
            ends = part[: starts[0]], part[end:]
            return SheetRows(numbers, numbers, starts, part, root[0], around(part), *ends)
        return SheetRows.of_tree(tree(part), root[0] if root else b"", around(part))

    @staticmethod
    def of_tree(sheet: Element, root: bytes = b"", text_around: tuple[bytes, bytes] = (b"", b"")) -> SheetRows:
        """Take the rows out of the tree of a worksheet."""
        order, rows, number = list[int](), dict[int, bytes](), 0
        for body in (child for child in sheet if local(child) == "sheetData"):
            for row in [child for child in body if local(child) == "row"]:
                number = int(row.get("r") or number + 1)
                order.append(number)
                rows[number] = tostring(row)
                body.remove(row)
        numbers = sorted(rows)
        texts = [rows[number] for number in numbers]
        starts = [*accumulate(map(len, texts), initial=0)]
        return SheetRows(order, numbers, starts, b"".join(texts), root, text_around, b"", tostring(sheet))

    def row(self, number: int) -> bytes | None:
        """Return the bytes of a row, None if there is none; what follows it up to the next one belongs to it."""
        at = bisect_left(self.numbers, number)
        return self._at(at) if at < len(self.numbers) and self.numbers[at] == number else None

    def parsed(self, number: int) -> Element | None:
        """Return the element of a row, None if there is none."""
        text = self.row(number)
        return None if text is None else self.parse([text])[0]

    def parse(self, rows: Sequence[bytes]) -> Element:
        """Return an element whose children are some of the rows."""
        root, prefix = (self.root, self.prefix) if self.root else (b"<worksheet>", b"")
        return tree(b"%b%b</%bworksheet>" % (root, b"".join(rows), prefix))

    def frame(self, tail: bytes | None = None) -> Element:
        """Return the worksheet without its rows, and with another end if one is given."""
        return tree(self.head + (self.tail if tail is None else tail))

    @property
    def prefix(self) -> bytes:
        """Prefix of the elements, with colon."""
        name = _ROOT.match(self.root)
        return name[1] if name else b""

    @property
    def end_tags(self) -> bytes:
        """The end of a worksheet without elements after its rows."""
        return b"</%bsheetData></%bworksheet>" % (self.prefix, self.prefix)

    def merged(self) -> Iterator[Area]:
        """Yield the ranges of merged cells, of which there may be 100,000."""
        whole = _ROOT.search(self.tail)  # of a worksheet that was made from a tree, whose prefixes are other ones
        prefix = whole[1] if whole else self.prefix
        view = without_extensions(masked(self.tail), prefix + b"extLst")
        for match in re.finditer(rb"""<%bmergeCell\s(?:[^>]*?\s)?ref\s*=\s*["']([^"']*)""" % prefix, view):
            if region := area(match[1].decode()):
                yield region

    def valued_from_last(self) -> Iterator[int]:
        """Yield the number of each row that holds a value or a formula, from the last one up."""
        for at in reversed(range(len(self.numbers))):
            if _VALUE.search(self.text, self.starts[at], self.starts[at + 1]):
                yield self.numbers[at]

    def different(self, other: SheetRows) -> Iterator[tuple[int, Element | None, Element | None]]:
        """Yield number and elements of each row that is not the same bytes in another worksheet."""
        pairs: list[tuple[int, bytes | None, bytes | None]] = []
        at = to = 0
        while at < len(self.numbers) or to < len(other.numbers):
            old = self.numbers[at] if at < len(self.numbers) else _END
            new = other.numbers[to] if to < len(other.numbers) else _END
            number, one, two = min(old, new), None, None
            if old == number:
                one, at = self._at(at), at + 1
            if new == number:
                two, to = other._at(to), to + 1
            if one != two:
                pairs.append((number, one, two))
            if len(pairs) == _AT_ONCE:
                yield from self._parse_pairs(other, pairs)
                pairs.clear()
        yield from self._parse_pairs(other, pairs)

    def _parse_pairs(
        self, other: SheetRows, pairs: Sequence[tuple[int, bytes | None, bytes | None]]
    ) -> Iterator[tuple[int, Element | None, Element | None]]:
        old = iter(self.parse([one for _, one, _ in pairs if one is not None]))
        new = iter(other.parse([two for _, _, two in pairs if two is not None]))
        for number, one, two in pairs:
            yield number, None if one is None else next(old), None if two is None else next(new)
        for one_more, two_more in zip_longest(old, new):  # elements of another prefix behind a row
            yield pairs[-1][0], one_more, two_more

    def _at(self, at: int) -> bytes:
        return self.text[self.starts[at] : self.starts[at + 1]]
