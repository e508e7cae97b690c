"""The differences between a package as read and as edited that the plan does not explain.

Changed parts are compared as trees, with comments; a table grows by the rows that are written.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.values import Value
from sheets_algo.workbook.xlsx.edit.patch import Patch
from sheets_algo.workbook.xlsx.edit.pictures import OWN_MEDIA
from sheets_algo.workbook.xlsx.file.areas import area
from sheets_algo.workbook.xlsx.file.guard import part_key
from sheets_algo.workbook.xlsx.file.markup import Markup, as_utf8
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.file.parts import CONTENT_TYPES
from sheets_algo.workbook.xlsx.file.strings import decode
from sheets_algo.workbook.xlsx.verify.styles import in_styles, sizes_of_styles
from sheets_algo.workbook.xlsx.verify.trees import in_children, is_own_picture, local, tree
from sheets_algo.workbook.xlsx.verify.worksheets import (
    AROUND,
    LINK_ID,
    Cells,
    TabPlan,
    around,
    in_new_worksheet,
    in_worksheet,
)

_NEW_EXTENSIONS = frozenset({"rels", "png", "vml"})


def unplanned(package: Package, edited: Package, patch: Patch) -> Iterator[str]:
    """Yield a description of every difference that the patch does not plan, in the parts that it changes or removes."""
    tabs = {part_key(entry.part): entry.name for entry in edited.sheets if entry.is_worksheet}
    template = next((origin.styles for origin in patch.new_tabs.values() if origin.styles), b"")
    own_media = {media for part in patch.changed for media in _own_media(package, part)}
    for part in patch.changed:
        if name := tabs.get(part_key(part)):
            plan = _plan_of(name, part, edited, patch)
            yield from (f"{name}{difference}" for difference in in_worksheet(part, package, edited, plan))
            continue
        old, new = as_utf8(package.part(part)), edited.part(part)
        if around(old, old) != around(new, new):
            yield f"the part {part}: {AROUND}"
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
            yield from (f"{name}{difference}" for difference in in_new_worksheet(part, edited, origin, plan))
    for part in patch.removed - own_media:
        if not posixpath.basename(part).startswith(OWN_MEDIA):
            yield f"the part {part} is removed"


def _plan_of(tab: str, part: str, edited: Package, patch: Patch) -> TabPlan:
    is_pictured = tab in patch.pictures
    links = edited.relationships(part) if is_pictured else ()
    return TabPlan(
        cells=_cells_of_tab(tab, patch),
        dropped=frozenset(a1(row, column) for name, row, column in patch.dropped if name == tab),
        drawings=frozenset(link.id for link in links if link.kind == "drawing"),
        style_count=len(edited.format_kinds),
    )


def _cells_of_tab(tab: str, patch: Patch) -> Cells:
    cells: dict[int, dict[int, Value]] = {}
    for name, row, column, value in patch.placed:
        if name == tab:
            cells.setdefault(row, {})[column] = value
    return cells


def _cells_around(table: str, package: Package, patch: Patch) -> Cells:
    """Return the planned cells of the tab that has a table."""
    for tab in {name for name, *_ in patch.placed}:
        parts = (entry.part for entry in package.sheets if entry.name == tab)
        if any(link.target == table for part in parts for link in package.relationships(part)):
            return _cells_of_tab(tab, patch)
    return {}


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
        values = {"id" if key.endswith(LINK_ID) else key: value for key, value in sheet.attrib.items()}
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
        gone: Parts that are removed, or that the drawing need not show any more.
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


def _in_other(part: str, old: bytes, new: bytes, cells: Cells) -> Iterator[str]:
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


def _grow(old: Element, new: Element, cells: Cells) -> None:
    """Make of a table what is planned: as many more rows as it has now, if they are written, and headers as written."""
    before, after = area(old.get("ref", "")), area(new.get("ref", ""))
    if before is None or after is None:
        return
    added = range(before.bottom + 1, after.bottom + 1)
    if added and all(any(before.left <= column <= before.right for column in cells.get(row, {})) for row in added):
        firsts = {local(element): element for element in reversed(list(old.iter()))}
        for element in (firsts.get(name) for name in ("table", "autoFilter", "sortState")):
            region = area(element.get("ref", "")) if element is not None else None
            if element is not None and region and region.bottom == before.bottom:
                element.set("ref", str(region._replace(bottom=after.bottom)))
    if old.get("headerRowCount") == "0":
        return
    columns = ([element for element in root.iter() if local(element) == "tableColumn"] for root in (old, new))
    for column, (one, other) in enumerate(zip(*columns, strict=False), start=before.left):
        written = cells.get(before.top, {}).get(column)
        if isinstance(written, str):
            one.set("name", other.get("name", "") if decode(other.get("name", "")) == written else written)


def _own_media(package: Package, part: str) -> Iterator[str]:
    """Yield the parts that only the program's own pictures in a drawing show; other programs give them other names."""
    targets = {link.id: link.target for link in package.relationships(part) if link.kind == "image"}
    if not targets:
        return
    names, others = set[str](), set[str]()
    for anchor in tree(package.part(part)):
        values = {value for element in anchor.iter() for value in element.attrib.values()}
        (names if is_own_picture(anchor) else others).update(values & targets.keys())
    yield from (targets[id] for id in names - others)


def _copy_attribute(source: Element, target: Element, name: str) -> None:
    value = source.get(name)
    if value is None:
        target.attrib.pop(name, None)
    else:
        target.set(name, value)
