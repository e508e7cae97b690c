"""Differences between a worksheet as read and as edited that the plan does not explain.

A tab is read as it was and as it is side by side, piece by piece; rows whose bytes are equal are not parsed, so that a
large tab costs little. What is planned has to be there exactly: a cell is one value.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import islice
from typing import TypeVar
from xml.etree.ElementTree import Element, iterparse

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.values import Value
from sheets_algo.workbook.xlsx.edit.book import Origin
from sheets_algo.workbook.xlsx.edit.pictures import AFTER_DRAWING
from sheets_algo.workbook.xlsx.file.areas import area, cell
from sheets_algo.workbook.xlsx.file.markup import Markup, as_utf8, masked
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.read.excerpt import Indistinct, RowScanner
from sheets_algo.workbook.xlsx.verify.trees import in_children, is_ordered, is_same, local, tree

_OF_THE_VALUE = frozenset({"t", "cm", "vm", "r"})  # attributes of a cell that a new value may change
_AFTER_DRAWING = frozenset(name.decode() for name in AFTER_DRAWING)
LINK_ID, _SPACE = "/relationships}id", "{http://www.w3.org/XML/1998/namespace}space"
_STYLED = {"c": ("s", "cellXfs"), "row": ("s", "cellXfs"), "col": ("style", "cellXfs"), "cfRule": ("dxfId", "dxfs")}
"""Elements of a worksheet with a number of a style: its attribute, and the list it counts in."""
AROUND = "the text around its first element is not as it was"
_FIRST = re.compile(rb"<[A-Za-z_]")
_ROOT = re.compile(rb"""<((?:[A-Za-z_][\w.-]*:)?worksheet)(?=[\s>])[^>"']*+(?:"[^"]*+"[^>"']*+|'[^']*+'[^>"']*+)*+>""")
T = TypeVar("T")
Cells = Mapping[int, Mapping[int, Value]]
"""Planned values by row, then by column."""


@dataclass(frozen=True, slots=True)
class TabPlan:
    """Planned changes of one tab."""

    cells: Cells  # Planned values by row, then by column
    dropped: frozenset[str]  # Addresses of formulas whose result is removed
    drawings: frozenset[str]  # Ids of the tab's relationships to drawings, if it gets pictures
    style_count: int  # Number of cell styles that the workbook has
    # Lists of styles to the number of those before the ones of a new tab's template.
    offsets: Mapping[str, int] = field(default_factory=dict)


def around(head: bytes, tail: bytes) -> tuple[bytes, bytes]:
    """Return the text before the first element of a part, and after it: declaration, comments, instructions.

    Args:
        head: Beginning of the part, at least to its first tag.
        tail: End of the part, at least from its last tag.
    """
    first = _FIRST.search(masked(head))
    return head[: first.start() if first else None], tail[masked(tail).rfind(b">") + 1 :]


def in_worksheet(part: str, package: Package, edited: Package, plan: TabPlan) -> Iterator[str]:
    """Yield each difference of a worksheet, to be put after the name of the tab; of its rows, the first one."""
    try:
        trees, roots, rows = _read_together(package.chunks(part), edited.chunks(part), plan)
    except Indistinct:  # everything is parsed
        trees, roots, rows = _read_whole(as_utf8(package.part(part)), edited.part(part), plan)
    if roots[0][0] != roots[1][0]:
        yield ": its first tag is not as it was"
    if roots[0][1] != roots[1][1]:
        yield f": {AROUND}"
    yield from (f": {difference}" for difference in _in_frame(*trees, plan))
    yield from rows


_Pair = tuple[T, T]
"""Something of a worksheet as read and as edited."""
_Root = tuple[bytes, tuple[bytes, bytes]]
"""First tag of a worksheet, and the text around its first element."""


def _read_whole(old: bytes, new: bytes, plan: TabPlan) -> tuple[_Pair[Element], _Pair[_Root], list[str]]:
    """Parse a worksheet wholly, since its rows cannot be told apart by their tags, or are not in their order.

    Returns:
        The trees without rows, the text around them, and the differences of rows.
    """
    trees = tree(old), tree(new)
    row_lists = [list(_take_rows(root)) for root in trees]
    roots = (Markup(old).root.text, around(old, old)), (Markup(new).root.text, around(new, new))
    is_moved = _is_moved(*([number for number, _ in rows] for rows in row_lists))
    before, after = map(dict, row_lists)
    return trees, roots, [": its rows are not in their order"] * is_moved + [*_in_rows(before, after, plan)]


def _read_together(
    old: Iterable[bytes], new: Iterable[bytes], plan: TabPlan
) -> tuple[_Pair[Element], _Pair[_Root], list[str]]:
    """Read a worksheet as read and as edited side by side, each in pieces; rows that are equal are not parsed.

    Returns:
        The trees without rows, the text around them, and the first differences of rows.

    Raises:
        Indistinct: Its rows cannot be told apart by their tags, or are not in their order.
    """
    readers = RowScanner(old), RowScanner(new)
    rows: list[str] = []
    for before, after in _different_rows(readers):
        rows = rows or [*islice(_in_rows(before, after, plan), 1)]
    roots = [(_root(reader)[0], around(reader.head, reader.tail)) for reader in readers]
    # 100,000 rules that are the same bytes need not become two trees.
    tails = [b"</%bsheetData></%bworksheet>" % (reader.prefix, reader.prefix) for reader in readers]
    if readers[0].tail != readers[1].tail or plan.drawings:
        tails = [reader.tail for reader in readers]
    old_frame, new_frame = (tree(reader.head + tail) for reader, tail in zip(readers, tails, strict=True))
    return (old_frame, new_frame), (roots[0], roots[1]), rows


def _take_rows(root: Element) -> Iterator[tuple[int, Element]]:
    """Yield number and element of each row, and remove the rows from the tree."""
    number = 0
    for body in (child for child in root if local(child) == "sheetData"):
        rows = [child for child in body if local(child) == "row"]
        body[:] = [child for child in body if local(child) != "row"]
        body.text = (body.text or "").strip() or None
        for row in rows:
            number = int(row.get("r") or number + 1)
            yield number, row


def _root(rows: RowScanner) -> re.Match[bytes]:
    """Return the first tag of the worksheet; group 1 is its name."""
    match = _ROOT.search(rows.head)
    if match is None:
        raise Indistinct
    return match


_Rows = Mapping[int, Element]
"""Rows by number."""


def _different_rows(readers: tuple[RowScanner, RowScanner]) -> Iterator[_Pair[_Rows]]:
    """Yield the rows that are not the same bytes, some at a time, parsed between start and end tag of the worksheet.

    Raises:
        Indistinct: The rows cannot be told apart by their tags, or are not in their order.
    """
    rests = _Rest(readers[0]), _Rest(readers[1])
    while held := [rest.block.numbers[-1] for rest in rests if rest.block]:
        rows = [rest.take(min(held)) for rest in rests]
        different = [number for number in rows[0] | rows[1] if rows[0].get(number) != rows[1].get(number)]
        old, new = (
            _parse({number: row_elements[number] for number in different if number in row_elements}, _root(reader))
            for row_elements, reader in zip(rows, readers, strict=True)
        )
        yield old, new


class _Rest:
    """Rows of a worksheet that are not compared yet."""

    def __init__(self, reader: RowScanner) -> None:
        self._following = reader.blocks()
        self.block = next(self._following, None)
        """Block of the next row, None after the last one."""
        self.at = 0
        """Index of the next row in the block."""

    def take(self, last: int) -> dict[int, bytes]:
        """Return the rows of the block up to a number, by number."""
        if self.block is None:
            return {}
        block, start, stop = self.block, self.at, bisect_right(self.block.numbers, last)
        self.at = stop
        if stop == len(block.numbers):
            self.block, self.at = next(self._following, None), 0
        return {block.numbers[at]: block.row(at) for at in range(start, stop)}


def _parse(rows: Mapping[int, bytes], root: re.Match[bytes]) -> dict[int, Element]:
    return dict(zip(rows, tree(root[0] + b"".join(rows.values()) + b"</%b>" % root[1]), strict=True))


def _in_frame(old: Element, new: Element, plan: TabPlan) -> Iterator[str]:
    """Yield each difference around the rows: views, columns, protection, formats, drawings ..."""
    dimensions = [next((child for child in root if local(child) == "dimension"), None) for root in (old, new)]
    if dimensions[0] is not None and dimensions[1] is not None:
        expected = area(dimensions[0].get("ref", ""))
        for row, values in plan.cells.items():
            for column, value in values.items():
                expected = expected.including(row, column) if expected and value is not None else expected
        if expected and area(dimensions[1].get("ref", "")) == expected:
            dimensions[1].set("ref", dimensions[0].get("ref", ""))
    names = [local(child) for child in new]
    is_shown = any(local(element) == "drawing" for element in new.iter())
    if "drawing" in names and "drawing" not in map(local, old):
        at = names.index("drawing")
        is_planned = not plan.drawings.isdisjoint(new[at].attrib.values())
        if is_planned and _AFTER_DRAWING.isdisjoint(names[:at]) and _AFTER_DRAWING.issuperset(names[at + 1 :]):
            new.remove(new[at])
    yield from in_children(old, new)
    if plan.drawings and not is_shown:
        yield "it does not show its drawing"


def _in_rows(old: _Rows, new: _Rows, plan: TabPlan) -> Iterator[str]:
    for number in {**old, **new}:
        yield from _in_row(number, old.get(number), new.get(number), plan)


def _in_row(number: int, old: Element | None, new: Element | None, plan: TabPlan) -> Iterator[str]:
    planned = plan.cells.get(number, {})
    cells = list(_cells_of(old)), list(_cells_of(new))
    before, after = map(dict, cells)
    attributes = dict(old.attrib) if old is not None else {"r": str(number)}
    if new is not None and planned and "spans" not in new.attrib:
        attributes.pop("spans", None)
    is_expected = bool(planned) if old is None else new is not None
    if not is_expected or (new is not None and new.attrib != attributes):
        yield f": row {number} has other attributes than before"
    if _is_moved(*([column for column, _ in pairs] for pairs in cells)):
        yield f": the cells of row {number} are not in their order"
    if any(text not in _texts(old) for text in _texts(new)):
        yield f": row {number} has a text beside its cells"
    others = _others(old), _others(new)
    if len(others[0]) != len(others[1]) or not all(map(is_same, *others)):
        yield f": row {number} has other extensions than before"
    for column in before | after:
        one, other = before.get(column), after.get(column)
        if column in planned:
            is_right = _is_planned(one, other, planned[column], plan.style_count)
        else:
            if one is not None and a1(number, column) in plan.dropped:
                _drop_result(one)
            is_right = one is not None and other is not None and is_same(one, other)
        if not is_right:
            yield f"!{a1(number, column)} is not as planned"


def _cells_of(row: Element | None) -> Iterator[tuple[int, Element]]:
    column = 0
    for child in row if row is not None else ():
        if local(child) == "c":
            column = (cell(child.get("r", "")) or (0, column + 1))[1]
            yield column, child


def _is_moved(old: Sequence[int], new: Sequence[int]) -> bool:
    """Return True if numbers were in order and are not, or if more of them are there twice."""
    return (is_ordered(old) and not is_ordered(new)) or len(new) - len(set(new)) > len(old) - len(set(old))


def _texts(row: Element | None) -> list[str]:
    """Return the texts between the cells of a row, and after it."""
    texts = [] if row is None else [row.text, *(child.tail for child in row), row.tail]
    return [text.strip() for text in texts if text and text.strip()]


def _others(row: Element | None) -> list[Element]:
    return [child for child in row if local(child) != "c"] if row is not None else []


def in_new_worksheet(part: str, edited: Package, origin: Origin, plan: TabPlan) -> Iterator[str]:
    """Yield each difference of a new worksheet from its template, after the name of the tab.

    Its rows are forgotten one by one: a new tab can have hundreds of thousands.
    """
    template = tree(origin.content)
    for element in template.iter():
        attribute, of = _STYLED.get(local(element), ("", ""))
        if (index := element.get(attribute)) is not None:
            element.set(attribute, str(int(index) + plan.offsets.get(of, 0)))
    rows, numbers = dict(_take_rows(template)), list[int]()
    for event, root in iterparse(BytesIO(edited.part(part)), ("end", "comment", "pi")):
        if event != "end":
            yield ": it has a comment or an instruction"
        elif local(root) == "row":
            numbers.append(int(root.get("r") or (numbers[-1] if numbers else 0) + 1))
            yield from _in_row(numbers[-1], rows.pop(numbers[-1], None), root, plan)
            root.clear()
    for number, row in rows.items():
        yield from _in_row(number, row, None, plan)
    for _ in _take_rows(root):
        pass
    if not is_ordered(numbers):
        yield ": its rows are not in their order"
    if (template.tag, template.attrib) != (root.tag, root.attrib):
        yield ": its first tag is not as in its template"
    _name_links(template, {id: kind for kind, (id, _) in origin.notes.items()})
    _name_links(root, {link.id: link.kind for link in edited.relationships(part) if link.kind in origin.notes})
    yield from (f": {difference}" for difference in _in_frame(template, root, plan))


def _name_links(root: Element, kinds: Mapping[str, str]) -> None:
    """Put the kind of a relationship in place of its id."""
    for child in root:
        for name, id in child.attrib.items():
            child.set(name, kinds.get(id, id) if name.endswith(LINK_ID) else id)


def _is_planned(old: Element | None, new: Element | None, value: Value, style_count: int) -> bool:
    """Return True if a cell is one value, which is read back elsewhere, and differs in nothing else from before."""
    if new is None:
        return old is None and value is None
    names = ["is", "t"] if isinstance(value, str) else [] if value is None else ["v"]
    if (
        isinstance(value, str)
        and value != value.strip()
        and not any(_SPACE in element.attrib for element in new.iter())
    ):
        return False  # Excel would drop the space
    kind = {str: "inlineStr", bool: "b"}.get(type(value))
    is_value = [local(element) for element in new.iter()][1:] == names and len(new) == bool(names)
    kept = {key: held for key, held in new.attrib.items() if key not in ("t", "r")}
    if old is not None:
        expected = {key: held for key, held in old.attrib.items() if key not in _OF_THE_VALUE}
    else:
        style = kept.get("s", "")
        expected = {"s": style} if style.isdecimal() and int(style) < style_count else {}
    return is_value and new.get("t") == kind and kept == expected


def _drop_result(element: Element) -> None:
    for name in ("t", "vm"):
        element.attrib.pop(name, None)
    for child in list(element):
        if local(child) in ("v", "is"):
            element.remove(child)
