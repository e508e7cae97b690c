"""The differences of a worksheet from what the plan makes of it: planned cells are undone, the rest is compared.

Of rows that are the same bytes nothing is parsed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.values import Plain
from sheets_algo.workbook.xlsx.edit.pictures import AFTER_DRAWING
from sheets_algo.workbook.xlsx.file.areas import area
from sheets_algo.workbook.xlsx.file.cells import parse_number
from sheets_algo.workbook.xlsx.file.text import decode
from sheets_algo.workbook.xlsx.verify.plan import PlannedCell, cells_of
from sheets_algo.workbook.xlsx.verify.sheet_rows import SheetRows
from sheets_algo.workbook.xlsx.verify.trees import children, in_children, is_filled, is_ordered, is_same, local

_OF_THE_VALUE = frozenset({"t", "cm", "vm"})  # attributes of a cell that a new value may change
_AFTER_DRAWING = frozenset(name.decode() for name in AFTER_DRAWING)
LINK_ID, _SPACE = "/relationships}id", "{http://www.w3.org/XML/1998/namespace}space"
_STYLED = {"c": ("s", "cellXfs"), "row": ("s", "cellXfs"), "col": ("style", "cellXfs"), "cfRule": ("dxfId", "dxfs")}
"""Elements of a worksheet with a number of a style: its attribute, and the list it counts in."""
AROUND = "the text around its first element is not as it was"

Columns = Sequence[tuple[int, int, str | None]]
"""First and last column, and style, of columns that have a style."""


class Expected(NamedTuple):
    """The planned differences of a worksheet."""

    cells: Mapping[int, Mapping[int, PlannedCell]]  # Planned cells by row, then by column
    dropped: frozenset[tuple[int, int]]  # Rows and columns of formulas whose result is removed
    drawings: frozenset[str]  # Ids of the tab's relationships to drawings, if it gets pictures
    style_count: int  # Number of cell styles that the workbook has
    notes: Mapping[str, str]  # Kind of each relationship of a new tab to a part of its template, by id


def in_worksheet(old: SheetRows, new: SheetRows, plan: Expected) -> Iterator[str]:
    """Yield each difference of a worksheet, to be put after the name of the tab.

    Args:
        old: The tab as read, or as in the template of a new tab.
    """
    # 100,000 rules that are the same bytes need not become two trees.
    is_same_tail = old.head and new.head and old.tail == new.tail and not plan.drawings
    frames = old.frame(old.end_tags if is_same_tail else None), new.frame(new.end_tags if is_same_tail else None)
    name_links(frames[1], plan.notes)
    if old.root != new.root and old.root:
        yield ": its first tag is not as it was"
    elif (frames[0].tag, frames[0].attrib) != (frames[1].tag, frames[1].attrib):
        yield ": its first tag is not as in its template"
    if old.root and old.around != new.around:
        yield f": {AROUND}"
    if _is_moved(old.order, new.order):
        yield ": its rows are not in their order"
    columns = [(int(col.get("min", 0)), int(col.get("max", 0)), col.get("style")) for col in _columns(frames[0])]
    yield from (f": {difference}" for difference in _in_frame(*frames, plan))
    unseen = plan.cells.keys() | {row for row, _ in plan.dropped}
    for number, one, other in old.different(new):
        unseen.discard(number)
        yield from _in_row(number, one, other, plan, columns)
    for number in sorted(unseen):
        yield from _in_row(number, old.parsed(number), new.parsed(number), plan, columns)


def _columns(frame: Element) -> Iterator[Element]:
    """Yield the descriptions of columns that have a style."""
    for cols in children(frame, "cols"):
        yield from (col for col in children(cols, "col") if col.get("style"))


def shifted(template: Element, sizes: Mapping[str, int]) -> Element:
    """Return the worksheet of a template with the numbers of its styles as in the workbook.

    Args:
        sizes: Number of items of each list of styles before those of the template.
    """
    for element in template.iter():
        attribute, of = _STYLED.get(local(element), ("", ""))
        if (index := element.get(attribute)) is not None:
            element.set(attribute, str(int(index) + sizes.get(of, 0)))
    return template


def _in_frame(old: Element, new: Element, plan: Expected) -> Iterator[str]:
    """Yield each difference around the rows: views, columns, protection, formats, drawings ..."""
    dimensions = [next((child for child in root if local(child) == "dimension"), None) for root in (old, new)]
    if dimensions[0] is not None and dimensions[1] is not None:
        expected = area(dimensions[0].get("ref", ""))
        for row, planned in plan.cells.items():
            for column, (value, _) in planned.items():
                expected = expected.including(row, column) if expected and value is not None else expected
        if expected and area(dimensions[1].get("ref", "")) == expected:
            dimensions[1].set("ref", dimensions[0].get("ref", ""))
    names = [local(child) for child in new]
    is_shown = any(local(element) == "drawing" for element in new.iter())
    if "drawing" in names and "drawing" not in map(local, old):
        at = names.index("drawing")
        is_planned = len(new[at].attrib) == 1 and plan.drawings.issuperset(new[at].attrib.values())
        is_planned = is_planned and not is_filled(new[at])
        if is_planned and _AFTER_DRAWING.isdisjoint(names[:at]) and _AFTER_DRAWING.issuperset(names[at + 1 : at + 2]):
            new.remove(new[at])
    yield from in_children(old, new)
    if plan.drawings and not is_shown:
        yield "it does not show its drawing"


def _in_row(
    number: int,
    old: Element | None,
    new: Element | None,
    plan: Expected,
    columns: Columns,
) -> Iterator[str]:
    planned = plan.cells.get(number, {})
    cells = list(cells_of(old)), list(cells_of(new))
    before, after = map(dict, cells)
    attributes = dict(old.attrib) if old is not None else {"r": str(number)}
    if new is not None and planned and "spans" not in new.attrib:
        attributes.pop("spans", None)
    has_value = any(value is not None for value, _ in planned.values())
    if (new is not None) != (old is not None or has_value) or (new is not None and new.attrib != attributes):
        yield f": row {number} has other attributes than before"
    if _is_moved(*([column for column, _ in pairs] for pairs in cells)):
        yield f": the cells of row {number} are not in their order"
    if any(text not in _texts(old) for text in _texts(new)):
        yield f": row {number} has a text beside its cells"
    others = _others(old), _others(new)
    if len(others[0]) != len(others[1]) or not all(map(is_same, *others)):
        yield f": row {number} has other extensions than before"
    for column in {**before, **after, **planned}:
        one, other = before.get(column), after.get(column)
        if column in planned:
            style = planned[column].style or _default_style(old, column, columns)
            style = style if style and style.isdecimal() and int(style) < plan.style_count else None
            is_right = _is_planned(one, other, planned[column].value, style, a1(number, column))
        else:
            if one is not None and (number, column) in plan.dropped:
                _drop_result(one)
            is_right = one is not None and other is not None and is_same(one, other)
        if not is_right:
            yield f"!{a1(number, column)} is not as planned"


def _is_moved(old: Sequence[int], new: Sequence[int]) -> bool:
    """Return True if numbers were in order and are not, or if more of them are there twice."""
    return (is_ordered(old) and not is_ordered(new)) or len(new) - len(set(new)) > len(old) - len(set(old))


def _texts(row: Element | None) -> list[str]:
    """Return the texts between the cells of a row, and after it."""
    texts = [] if row is None else [row.text, *(child.tail for child in row), row.tail]
    return [text.strip() for text in texts if text and text.strip()]


def _others(row: Element | None) -> list[Element]:
    return [child for child in row if local(child) != "c"] if row is not None else []


def name_links(root: Element, kinds: Mapping[str, str]) -> None:
    """Put the kind of a relationship in place of its id."""
    for child in root:
        for name, id in child.attrib.items():
            child.set(name, kinds.get(id, id) if name.endswith(LINK_ID) else id)


def _default_style(row: Element | None, column: int, columns: Columns) -> str | None:
    """Return the style that a new cell has from its row, else from its column."""
    if row is not None and row.get("customFormat") in ("1", "true"):
        return row.get("s")
    return next((style for first, last, style in columns if first <= column <= last), None)


def _is_planned(old: Element | None, new: Element | None, value: Plain, style: str | None, address: str) -> bool:
    """Return True if a cell holds exactly one value, the planned one, and differs in nothing else from before.

    Args:
        style: Style of the cell if the file lacked it.
    """
    if new is None:
        return old is None and value is None
    names = ["is", "t"] if isinstance(value, str) else [] if value is None else ["v"]
    elements = [*new.iter()][1:]
    if [local(element) for element in elements] != names or len(new) != bool(names):
        return False
    spaces = [space for element in elements for space in element.attrib.items()]
    beside = [new.text, *(element.tail for element in elements), *(element.text for element in elements[:-1])]
    if spaces not in ([], [(_SPACE, "preserve")]) or any(text and text.strip() for text in beside):
        return False
    text, kind = (elements[-1].text or "") if elements else "", ""
    match value:
        case str():  # Excel would drop a space at the ends of other texts
            keeps_space = value == value.strip() or bool(spaces)
            kind, is_value = "inlineStr", decode(text) == value and keeps_space
        case bool():
            kind, is_value = "b", text == str(int(value))
        case None:
            is_value = old is not None
        case _:
            is_value = parse_number(text) == value
    expected = {"s": style} if style else {}
    if old is not None:
        expected = {key: held for key, held in old.attrib.items() if key not in _OF_THE_VALUE}
    expected = {"r": address} | expected | ({"t": kind} if kind else {})
    return is_value and new.attrib == expected


def _drop_result(element: Element) -> None:
    for name in ("t", "vm"):
        element.attrib.pop(name, None)
    for child in list(element):
        if local(child) in ("v", "is"):
            element.remove(child)
