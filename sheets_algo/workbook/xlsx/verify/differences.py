"""The differences between a package as read and as edited that the plan does not explain.

Changed parts are compared as trees, with comments. A tab is read as it was and as it is side by side, piece by piece;
rows whose bytes are equal are not parsed, so that a large tab costs little. What is planned has to be there exactly: a
cell is one value, a table grows by the rows that are written.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import islice, pairwise
from operator import eq
from typing import TypeVar
from xml.etree.ElementTree import Element, iterparse

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.values import Value
from sheets_algo.workbook.xlsx.edit.book import Origin
from sheets_algo.workbook.xlsx.edit.patch import Patch
from sheets_algo.workbook.xlsx.edit.pictures import AFTER_DRAWING, OWN_MEDIA
from sheets_algo.workbook.xlsx.file.areas import area, cell
from sheets_algo.workbook.xlsx.file.guard import part_key
from sheets_algo.workbook.xlsx.file.markup import Markup, as_utf8, masked
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.file.parts import CONTENT_TYPES
from sheets_algo.workbook.xlsx.file.strings import decode
from sheets_algo.workbook.xlsx.read.excerpt import Indistinct, RowScanner
from sheets_algo.workbook.xlsx.verify.styles import in_styles, sizes_of_styles
from sheets_algo.workbook.xlsx.verify.trees import in_children, is_ordered, is_own_picture, is_same, local, tree

_OF_THE_VALUE = frozenset({"t", "cm", "vm", "r"})  # attributes of a cell that a new value may change
_AFTER_DRAWING = frozenset(name.decode() for name in AFTER_DRAWING)
_NEW_EXTENSIONS = frozenset({"rels", "png", "vml"})
_ID, _SPACE = "/relationships}id", "{http://www.w3.org/XML/1998/namespace}space"
_STYLED = {"c": ("s", "cellXfs"), "row": ("s", "cellXfs"), "col": ("style", "cellXfs"), "cfRule": ("dxfId", "dxfs")}
"""Elements of a worksheet with a number of a style: its attribute, and the list it counts in."""
_AROUND = "what stands around its first element is not as it was"
_FIRST = re.compile(rb"<[A-Za-z_]")
_ROOT = re.compile(rb"""<((?:[A-Za-z_][\w.-]*:)?worksheet)(?=[\s>])[^>"']*+(?:"[^"]*+"[^>"']*+|'[^']*+'[^>"']*+)*+>""")

T = TypeVar("T")


_Cells = Mapping[int, Mapping[int, Value]]
"""Planned values by row, then by column."""


@dataclass(frozen=True, slots=True)
class _TabPlan:
    """Planned changes of one tab."""

    cells: _Cells  # Planned values by row, then by column
    dropped: frozenset[str]  # Addresses of formulas whose result is removed
    drawings: frozenset[str]  # Ids of the tab's relationships to drawings, if it gets pictures
    style_count: int  # Number of cell styles that the workbook has
    # Lists of styles to the number of those that stand before the ones of a new tab's template.
    offsets: Mapping[str, int] = field(default_factory=dict)


def unplanned(package: Package, edited: Package, patch: Patch) -> Iterator[str]:
    """Yield a description of every difference that the patch does not plan, in the parts that it changes or removes.

    Args:
        package: The package as read.
        patch: The planned changes.
    """
    tabs = {part_key(entry.part): entry.name for entry in edited.sheets if entry.is_worksheet}
    template = next((origin.styles for origin in patch.new_tabs.values() if origin.styles), b"")
    own_media = {media for part in patch.changed for media in _own_media(package, part)}
    for part in patch.changed:
        if name := tabs.get(part_key(part)):
            plan = _plan_of(name, part, edited, patch)
            yield from (f"{name}{found}" for found in _in_worksheet(part, package, edited, plan))
            continue
        old, new = as_utf8(package.part(part)), edited.part(part)
        if _around(old, old) != _around(new, new):
            yield f"the part {part}: {_AROUND}"
        if part == package.workbook_part:
            yield from _in_workbook(old, new, edited, patch)
        elif template and part == package.related("styles"):
            yield from in_styles(old, new, template)
        elif part == CONTENT_TYPES or part.endswith(".rels"):
            yield from _in_list(part, old, new, patch.removed | own_media, patch.added)
        else:
            yield from _in_other(part, old, new, _cells_around(part, package, patch))
    for part in patch.added:
        if name := tabs.get(part_key(part)):
            plan, origin = _plan_of(name, part, edited, patch), patch.new_tabs[name]
            if origin.styles:
                plan = replace(plan, offsets=sizes_of_styles(package.index_part(package.related("styles"))))
            yield from (f"{name}{found}" for found in _in_new_worksheet(part, edited, origin, plan))
    for part in patch.removed - own_media:
        if not posixpath.basename(part).startswith(OWN_MEDIA):
            yield f"the part {part} is removed"


def _plan_of(tab: str, part: str, edited: Package, patch: Patch) -> _TabPlan:
    is_pictured = any(picture.tab == tab for picture in patch.pictures)
    links = edited.relationships(part) if is_pictured else ()
    return _TabPlan(
        cells=_cells_of_tab(tab, patch),
        dropped=frozenset(a1(row, column) for name, row, column in patch.dropped if name == tab),
        drawings=frozenset(link.id for link in links if link.kind == "drawing"),
        style_count=len(edited.format_kinds),
    )


def _cells_of_tab(tab: str, patch: Patch) -> _Cells:
    cells: dict[int, dict[int, Value]] = {}
    for name, row, column, value in patch.placed:
        if name == tab:
            cells.setdefault(row, {})[column] = value
    return cells


def _cells_around(table: str, package: Package, patch: Patch) -> _Cells:
    """Return the planned cells of the tab that has a table."""
    for tab in {name for name, *_ in patch.placed}:
        parts = (entry.part for entry in package.sheets if entry.name == tab)
        if any(link.target == table for part in parts for link in package.relationships(part)):
            return _cells_of_tab(tab, patch)
    return {}


def _around(head: bytes, tail: bytes) -> tuple[bytes, bytes]:
    """Return what stands before the first element of a part, and after it: declaration, comments, instructions.

    Args:
        head: Beginning of the part, at least to its first tag.
        tail: End of the part, at least from its last tag.
    """
    first = _FIRST.search(masked(head))
    return head[: first.start() if first else None], tail[masked(tail).rfind(b">") + 1 :]


def _in_worksheet(part: str, package: Package, edited: Package, plan: _TabPlan) -> Iterator[str]:
    """Yield each difference of a worksheet, to be put after the name of the tab; of its rows, the first one."""
    try:
        trees, roots, rows = _read_together(package.chunks(part), edited.chunks(part), plan)
    except Indistinct:  # everything is parsed
        trees, roots, rows = _read_whole(as_utf8(package.part(part)), edited.part(part), plan)
    if roots[0][0] != roots[1][0]:
        yield ": its first tag is not as it was"
    if roots[0][1] != roots[1][1]:
        yield f": {_AROUND}"
    yield from (f": {difference}" for difference in _in_frame(*trees, plan))
    yield from rows


_Pair = tuple[T, T]
"""Something of a worksheet as read and as edited."""

_Root = tuple[bytes, tuple[bytes, bytes]]
"""First tag of a worksheet, and what stands around its first element."""


def _read_whole(old: bytes, new: bytes, plan: _TabPlan) -> tuple[_Pair[Element], _Pair[_Root], list[str]]:
    """Parse a worksheet wholly, since its rows cannot be told apart by their tags, or are not in their order.

    Returns:
        The trees without rows, what stands around them, and the differences of rows.
    """
    trees = tree(old), tree(new)
    found = [list(_taken_rows(root)) for root in trees]
    roots = (Markup(old).root.text, _around(old, old)), (Markup(new).root.text, _around(new, new))
    is_moved = _is_moved(*([number for number, _ in rows] for rows in found))
    before, after = map(dict, found)
    return trees, roots, [": its rows are not in their order"] * is_moved + [*_in_rows(before, after, plan)]


def _read_together(
    old: Iterable[bytes], new: Iterable[bytes], plan: _TabPlan
) -> tuple[_Pair[Element], _Pair[_Root], list[str]]:
    """Read a worksheet as read and as edited side by side, each in pieces; rows that are equal are not parsed.

    Returns:
        The trees without rows, what stands around them, and the first differences of rows.

    Raises:
        Indistinct: Its rows cannot be told apart by their tags, or are not in their order.
    """
    readers = RowScanner(old), RowScanner(new)
    rows: list[str] = []
    for before, after in _different_rows(readers):
        rows = rows or [*islice(_in_rows(before, after, plan), 1)]
    roots = [(_root(reader)[0], _around(reader.head, reader.tail)) for reader in readers]
    # 100,000 rules that are the same bytes need not become two trees.
    tails = [b"</%bsheetData></%bworksheet>" % (reader.prefix, reader.prefix) for reader in readers]
    if readers[0].tail != readers[1].tail or plan.drawings:
        tails = [reader.tail for reader in readers]
    old_frame, new_frame = (tree(reader.head + tail) for reader, tail in zip(readers, tails, strict=True))
    return (old_frame, new_frame), (roots[0], roots[1]), rows


def _taken_rows(root: Element) -> Iterator[tuple[int, Element]]:
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
    found = _ROOT.search(rows.head)
    if found is None:
        raise Indistinct
    return found


_Rows = Mapping[int, Element]
"""Rows by number."""


def _different_rows(readers: tuple[RowScanner, RowScanner]) -> Iterator[_Pair[_Rows]]:
    """Yield the rows that are not the same bytes, some at a time, parsed between start and end tag of the worksheet.

    Raises:
        Indistinct: The rows cannot be told apart by their tags, or are not in their order.
    """
    rests = _Rest(readers[0]), _Rest(readers[1])
    while held := [rest.block.numbers[-1] for rest in rests if rest.block]:
        if same := _same_bytes(*rests):
            for rest in rests:
                rest.skip(same)
            continue
        rows = [rest.take(min(held)) for rest in rests]
        different = [number for number in rows[0] | rows[1] if rows[0].get(number) != rows[1].get(number)]
        old, new = (
            _parsed({number: found[number] for number in different if number in found}, _root(reader))
            for found, reader in zip(rows, readers, strict=True)
        )
        yield old, new


class _Rest:
    """Rows of a worksheet that are not compared yet.

    Args:
        reader: Scanner of the rows.
    """

    def __init__(self, reader: RowScanner) -> None:
        self._following = reader.blocks()
        self.block = next(self._following, None)
        """Block of the next row, None after the last one."""
        self.at = 0
        """Offset of the next row in the block."""

    def skip(self, size: int) -> None:
        """Leave out rows of so many bytes."""
        self.at += size
        if self.block and self.at == len(self.block.text):
            self.block, self.at = next(self._following, None), 0

    def take(self, last: int) -> dict[int, bytes]:
        """Return the rows of the block up to a number, by number."""
        if self.block is None:
            return {}
        text, offsets, numbers = self.block.text, self.block.offsets, self.block.numbers
        start, stop = bisect_left(offsets, self.at), bisect_right(numbers, last)
        ends = pairwise(offsets[start : stop + 1])
        self.skip(offsets[stop] - self.at)
        return {number: text[at:end] for number, (at, end) in zip(numbers[start:stop], ends, strict=True)}


def _same_bytes(one: _Rest, other: _Rest) -> int:
    """Return the number of bytes in which two blocks are the same up to the end of one of them; 0 if they differ."""
    if one.block is None or other.block is None:
        return 0
    texts = one.block.text, other.block.text
    size = min(len(texts[0]) - one.at, len(texts[1]) - other.at)
    is_same = texts[0][one.at : one.at + size] == texts[1][other.at : other.at + size]
    # In the other one a row has to end there too, and not the space after it only.
    ends = one.block.tag.match(texts[0], one.at + size), other.block.tag.match(texts[1], other.at + size)
    return size if is_same and (any(ends) or len(texts[0]) - one.at == len(texts[1]) - other.at) else 0


def _parsed(rows: Mapping[int, bytes], root: re.Match[bytes]) -> dict[int, Element]:
    """Return the elements of rows by number."""
    return dict(zip(rows, tree(root[0] + b"".join(rows.values()) + b"</%b>" % root[1]), strict=True))


def _in_frame(old: Element, new: Element, plan: _TabPlan) -> Iterator[str]:
    """Yield each difference of what stands around the rows: views, columns, protection, formats, drawings ..."""
    dimensions = [next((child for child in root if local(child) == "dimension"), None) for root in (old, new)]
    if dimensions[0] is not None and dimensions[1] is not None:
        expected = area(dimensions[0].get("ref", ""))
        for row, values in plan.cells.items():
            for column, value in values.items():
                expected = expected.including(row, column) if expected and value is not None else expected
        if expected and area(dimensions[1].get("ref", "")) == expected:
            dimensions[1].set("ref", dimensions[0].get("ref", ""))
    names = [local(child) for child in new]
    is_shown = any(local(found) == "drawing" for found in new.iter())
    if "drawing" in names and "drawing" not in map(local, old):
        at = names.index("drawing")
        is_planned = not plan.drawings.isdisjoint(new[at].attrib.values())
        if is_planned and _AFTER_DRAWING.isdisjoint(names[:at]) and _AFTER_DRAWING.issuperset(names[at + 1 :]):
            new.remove(new[at])
    yield from in_children(old, new)
    if plan.drawings and not is_shown:
        yield "it does not show its drawing"


def _in_rows(old: _Rows, new: _Rows, plan: _TabPlan) -> Iterator[str]:
    """Yield each difference of some rows."""
    kept = {number for number in old if number in new and number not in plan.cells}
    is_kept = _differ_as_dropped([old[number] for number in kept], [new[number] for number in kept], plan)
    for number in {**old, **new}:
        if not is_kept or number not in kept:
            yield from _in_row(number, old.get(number), new.get(number), plan)


def _differ_as_dropped(old: Sequence[Element], new: Sequence[Element], plan: _TabPlan) -> bool:
    """Return True if rows without planned cells differ only in the results that are removed."""
    for row in old:
        for child in row:
            if child.get("r") in plan.dropped and local(child) == "c":
                _drop_result(child)
    return all(map(eq, _content(old), _content(new)))


def _in_row(number: int, old: Element | None, new: Element | None, plan: _TabPlan) -> Iterator[str]:
    """Yield each difference of a row."""
    planned = plan.cells.get(number, {})
    cells = list(_cells_of(old)), list(_cells_of(new))
    before, after = map(dict, cells)
    attributes = dict(old.attrib) if old is not None else {"r": str(number)}
    if new is not None and planned and "spans" not in new.attrib:
        attributes.pop("spans", None)
    is_expected = bool(planned) if old is None else new is not None
    if not is_expected or (new is not None and new.attrib != attributes):
        yield f": row {number} has other attributes than before"
    if _is_moved(*([column for column, _ in found] for found in cells)):
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
    """Yield column and element of each cell of a row."""
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


def _in_new_worksheet(part: str, edited: Package, origin: Origin, plan: _TabPlan) -> Iterator[str]:
    """Yield each difference of a new worksheet from its template, after the name of the tab.

    Its rows are forgotten one by one: a new tab can have hundreds of thousands.
    """
    template = tree(origin.content)
    for element in template.iter():
        attribute, of = _STYLED.get(local(element), ("", ""))
        if (index := element.get(attribute)) is not None:
            element.set(attribute, str(int(index) + plan.offsets.get(of, 0)))
    rows, numbers = dict(_taken_rows(template)), list[int]()
    for event, root in iterparse(BytesIO(edited.part(part)), ("end", "comment", "pi")):
        if event != "end":
            yield ": it has a comment or an instruction"
        elif local(root) == "row":
            numbers.append(int(root.get("r") or (numbers[-1] if numbers else 0) + 1))
            yield from _in_row(numbers[-1], rows.pop(numbers[-1], None), root, plan)
            root.clear()
    for number, row in rows.items():
        yield from _in_row(number, row, None, plan)
    for _ in _taken_rows(root):
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
            child.set(name, kinds.get(id, id) if name.endswith(_ID) else id)


def _is_planned(old: Element | None, new: Element | None, value: Value, style_count: int) -> bool:
    """Return True if a cell is one value, which is read back elsewhere, and differs in nothing else from before."""
    if new is None:
        return old is None and value is None
    names = ["is", "t"] if isinstance(value, str) else [] if value is None else ["v"]
    if isinstance(value, str) and value != value.strip() and not any(_SPACE in found.attrib for found in new.iter()):
        return False  # Excel would drop the space
    kind = {str: "inlineStr", bool: "b"}.get(type(value))
    is_value = [local(found) for found in new.iter()][1:] == names and len(new) == bool(names)
    kept = {key: held for key, held in new.attrib.items() if key not in ("t", "r")}
    if old is not None:
        expected = {key: held for key, held in old.attrib.items() if key not in _OF_THE_VALUE}
    else:
        style = kept.get("s", "")
        expected = {"s": style} if style.isdecimal() and int(style) < style_count else {}
    return is_value and new.get("t") == kind and kept == expected


def _drop_result(found: Element) -> None:
    """Remove the result from a formula's cell."""
    for name in ("t", "vm"):
        found.attrib.pop(name, None)
    for child in list(found):
        if local(child) in ("v", "is"):
            found.remove(child)


def _in_workbook(old: bytes, new: bytes, edited: Package, patch: Patch) -> Iterator[str]:
    """Yield each difference of the workbook part, besides new tabs and the request to calculate."""
    if Markup(old).root.text != Markup(new).root.text:
        yield "the first tag of the workbook is not as it was"
    trees = tree(old), tree(new)
    lists = [next(child for child in root if local(child) == "sheets") for root in trees]
    taken = {sheet.get("sheetId") for sheet in lists[0]}
    parts = {link.id: link.target for link in edited.relationships(edited.workbook_part) if link.kind == "worksheet"}
    for sheet, (name, origin) in zip(list(lists[1])[len(lists[0]) :], patch.new_tabs.items(), strict=False):
        lists[1].remove(sheet)
        values = {"id" if key.endswith(_ID) else key: value for key, value in sheet.attrib.items()}
        number, part = values.pop("sheetId", ""), parts.get(values.pop("id", ""))
        expected = {"name": name} | ({} if origin.state == "visible" else {"state": origin.state})
        if values != expected or not number.isdecimal() or number in taken or part not in patch.added:
            yield f"the workbook: its entry of the tab {name} is not as planned"
        taken.add(number)
    requests = [next((child for child in root if local(child) == "calcPr"), None) for root in trees]
    if requests[1] is not None and requests[1].get("fullCalcOnLoad") in ("1", "true"):
        if requests[0] is None and len(requests[1].attrib) == 1:
            trees[1].remove(requests[1])
        elif requests[0] is not None:
            _copy_attribute(requests[0], requests[1], "fullCalcOnLoad")
    elif patch.dropped:
        yield "the workbook does not ask for a calculation"
    yield from (f"the workbook: {difference}" for difference in in_children(*trees))


def _in_list(part: str, old: bytes, new: bytes, gone: Collection[str], added: Collection[str]) -> Iterator[str]:
    """Yield each entry of content types or relationships that comes or goes without its part.

    Args:
        part: Name of the list.
        old: The list as read.
        new: The list as edited.
        gone: Parts that are removed, or that the drawing need not show any more.
        added: Parts that are added.
    """
    trees = tree(old), tree(new)
    before, after = (Counter(tuple(sorted(child.attrib.items())) for child in root) for root in trees)
    lost = [(dict(entry), gone) for entry in before - after]
    gained = [(dict(entry), added) for entry in after - before]
    for entry, parts in (*lost, *gained):
        base = posixpath.basename(entry.get("PartName") or entry.get("Target", ""))
        is_new_type = parts is added and entry.get("Extension") in _NEW_EXTENSIONS
        if not (base in map(posixpath.basename, parts) or base.startswith(OWN_MEDIA) or is_new_type):
            yield f"the part {part}: its entry {base or entry.get('Extension', '')} is not as planned"


def _in_other(part: str, old: bytes, new: bytes, cells: _Cells) -> Iterator[str]:
    """Yield each difference of a table from what planned cells make of it, or of a drawing, besides our pictures."""
    trees = tree(old), tree(new)
    if local(trees[0]) == "table":
        _grow(*trees, cells)
    elif local(trees[0]) == "wsDr":
        for root in trees:
            for anchor in [child for child in root if is_own_picture(child)]:
                root.remove(anchor)
    if trees[0].attrib != trees[1].attrib:
        yield f"the part {part}: its first tag is not as it was"
    yield from (f"the part {part}: {difference}" for difference in in_children(*trees))


def _grow(old: Element, new: Element, cells: _Cells) -> None:
    """Make of a table what is planned: as many more rows as it has now, if they are written, and headers as written."""
    before, after = area(old.get("ref", "")), area(new.get("ref", ""))
    if before is None or after is None:
        return
    added = range(before.bottom + 1, after.bottom + 1)
    if added and all(any(before.left <= column <= before.right for column in cells.get(row, {})) for row in added):
        firsts = {local(found): found for found in reversed(list(old.iter()))}
        for found in (firsts.get(name) for name in ("table", "autoFilter", "sortState")):
            region = area(found.get("ref", "")) if found is not None else None
            if found is not None and region and region.bottom == before.bottom:
                found.set("ref", str(region._replace(bottom=after.bottom)))
    if old.get("headerRowCount") == "0":
        return
    columns = ([found for found in root.iter() if local(found) == "tableColumn"] for root in (old, new))
    for column, (one, other) in enumerate(zip(*columns, strict=False), start=before.left):
        written = cells.get(before.top, {}).get(column)
        if isinstance(written, str):
            one.set("name", other.get("name", "") if decode(other.get("name", "")) == written else written)


def _own_media(package: Package, part: str) -> Iterator[str]:
    """Yield the parts that only the program's own pictures in a drawing show; other programs give them other names."""
    targets = {found.id: found.target for found in package.relationships(part) if found.kind == "image"}
    if not targets:
        return
    own, others = set[str](), set[str]()
    for anchor in tree(package.part(part)):
        values = {value for found in anchor.iter() for value in found.attrib.values()}
        (own if is_own_picture(anchor) else others).update(values & targets.keys())
    yield from (targets[id] for id in own - others)


def _copy_attribute(source: Element, target: Element, name: str) -> None:
    value = source.get(name)
    if value is None:
        target.attrib.pop(name, None)
    else:
        target.set(name, value)


def _content(elements: Iterable[Element]) -> Iterator[tuple[str, dict[str, str], int, str | None, str | None]]:
    """Yield what elements hold; the number of their children tells also where each ends."""
    return (
        (found.tag, found.attrib, len(found), found.text, found.tail)
        for element in elements
        for found in element.iter()
    )
