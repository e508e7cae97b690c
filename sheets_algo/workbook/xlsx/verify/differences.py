"""The differences between a package as read and as edited that the plan does not explain.

Changed parts are compared as trees, with comments; a table grows by the rows that are written.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from xml.etree.ElementTree import Element

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.xlsx.edit.book import Origin
from sheets_algo.workbook.xlsx.edit.patch import Patch
from sheets_algo.workbook.xlsx.edit.pictures import OWN_MEDIA
from sheets_algo.workbook.xlsx.file.areas import area
from sheets_algo.workbook.xlsx.file.markup import Markup, as_utf8, masked
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.file.parts import CONTENT_TYPES, PACKAGE_RELATIONSHIPS
from sheets_algo.workbook.xlsx.file.text import decode, plain
from sheets_algo.workbook.xlsx.formulas.dependents import stale_formulas
from sheets_algo.workbook.xlsx.read.tables import XlsxTable, tables_of
from sheets_algo.workbook.xlsx.verify.plan import TabPlan, plan_tab, titles_meant
from sheets_algo.workbook.xlsx.verify.sheet_rows import SheetRows, around
from sheets_algo.workbook.xlsx.verify.styles import in_styles, sizes_of_styles
from sheets_algo.workbook.xlsx.verify.trees import children, in_children, is_filled, is_own_picture, local, tree
from sheets_algo.workbook.xlsx.verify.worksheets import AROUND, LINK_ID, Expected, in_worksheet, name_links, shifted

_NEW_EXTENSIONS = frozenset({"rels", "png", "vml"})
_ENTRIES = ["Id", "Type", "Target"], ["PartName", "ContentType"], ["Extension", "ContentType"]
"""Attributes of new entries of relationships and content types."""
_NO_LINKS = b'<Relationships xmlns="%b"/>' % PACKAGE_RELATIONSHIPS


@dataclass(frozen=True)
class Copy:
    """An edited copy beside its original, with what is planned."""

    package: Package
    edited: Package
    changes: ChangeSet
    patch: Patch
    changed: frozenset[str]  # Names of the parts that have other content than in the original
    removed: frozenset[str]  # Names of the parts that only the original has
    added: frozenset[str]  # Names of the parts that only the copy has
    _planned: dict[str, SheetRows] = field(default_factory=dict)

    @cached_property
    def parts(self) -> Mapping[str, str]:
        """Name of the part of each tab with cells, by title; of two of one title, the first."""
        return {entry.name: entry.part for entry in reversed(self.edited.sheets) if entry.is_worksheet}

    @cached_property
    def keys(self) -> Mapping[str, list[TabKey]]:
        """Keys by which changes name tabs, by title; blank of tabs that are missing."""
        keys: dict[str, list[TabKey]] = {}
        for key, title in titles_meant(self.changes, [entry.name for entry in self.package.sheets]).items():
            keys.setdefault(title, []).append(key)
        return keys

    @cached_property
    def plans(self) -> Mapping[str, TabPlan]:
        """Planned content of each tab that is changed, by title."""
        keys = {title: keys for title, keys in self.keys.items() if title in self.parts}
        self._planned.update((title, self.old_rows(title)) for title in keys)
        return {
            title: plan_tab(keys[title], self.changes, old, self.tables(title), self.edited.format_kinds)
            for title, old in self._planned.items()
        }

    def old_rows(self, title: str) -> SheetRows:
        """Return a tab as it was, or as it is in its template; the rows that its plan has read are let go."""
        if old := self._planned.pop(title, None):
            return old
        if origin := self.patch.new_tabs.get(title):
            sizes = sizes_of_styles(self.package.index_part(self.package.related("styles"))) if origin.styles else {}
            template = shifted(tree(origin.content), sizes)
            name_links(template, {id: kind for kind, (id, _) in origin.notes.items()})
            return SheetRows.of_tree(template)
        return SheetRows.of(as_utf8(self.package.part(self.parts[title])))

    def tables(self, title: str) -> tuple[XlsxTable, ...]:
        """Return the tables of a tab as they were; none of a new tab."""
        return () if title in self.patch.new_tabs else tables_of(self.package, self.parts[title])


def unplanned(copy: Copy) -> Iterator[str]:
    """Yield a description of every difference from the plan, in parts that differ and in those that should."""
    package, edited = copy.package, copy.edited
    for title in copy.keys.keys() - copy.parts.keys():
        yield f"the tab {title or copy.keys[title][0]} is missing"
    touched = copy.plans.keys() | {title for title, *_ in copy.patch.dropped}
    for title in sorted(touched & copy.parts.keys()):
        yield from _in_tab(title, copy)
    yield from _outdated(copy)
    template = next((origin.styles for origin in copy.patch.new_tabs.values() if origin.styles), b"")
    own_media = {media for part in copy.changed for media in _own_media(package, part)}
    drawings = {
        link.target
        for title, plan in copy.plans.items()
        for link in (edited.relationships(copy.parts[title]) if plan.pictures else ())
        if link.kind == "drawing"
    }
    tables = {table.part: (plan, table) for plan in copy.plans.values() for table in plan.tables}
    wanted = {package.workbook_part} if copy.changes.tabs or copy.patch.dropped else set()
    wanted |= {package.related("styles")} if template else set()
    for part in sorted((copy.changed - {copy.parts.get(title) for title in touched}) | wanted | tables.keys()):
        old, new = as_utf8(package.part(part)), edited.part(part)
        if around(old) != around(new):
            yield f"the part {part}: {AROUND}"
        if part == package.workbook_part:
            yield from _in_workbook(old, new, copy)
        elif template and part == package.related("styles"):
            yield from in_styles(old, new, template)
        elif part == CONTENT_TYPES or part.endswith(".rels"):
            yield from _in_list(part, old, new, copy.removed | own_media, copy.added)
        elif part in tables or part in drawings:
            yield from _in_other(part, old, new, *tables.get(part, (None, None)))
        else:
            yield f"the part {part} is not as it was"
    for part in (part for part in copy.added if part.endswith(".rels")):
        yield from _in_list(part, _NO_LINKS, edited.part(part), (), copy.added)
    for part in copy.removed - own_media:
        if not posixpath.basename(part).startswith(OWN_MEDIA):
            yield f"the part {part} is removed"


def _outdated(copy: Copy) -> Iterator[str]:
    """Yield each formula that reads a planned cell, directly or through others, and whose result was not removed."""
    titles = [entry.name for entry in copy.edited.sheets]
    numbers = {title: number for number, title in reversed([*enumerate(titles)])}
    changed = [
        (numbers[title], row, column)
        for title, plan in copy.plans.items()
        for row, cells in plan.cells.items()
        for column in cells
    ]
    for number, cell in stale_formulas(copy.patch.formulas, copy.patch.names, changed).surely:
        if cell.results and (titles[number], cell.row, cell.column) not in copy.patch.dropped:
            yield f"{titles[number]}!{a1(cell.row, cell.column)} shows an outdated result"


def _in_tab(title: str, copy: Copy) -> Iterator[str]:
    """Yield each difference of a tab from what is planned."""
    part, plan, origin = copy.parts[title], copy.plans.get(title, TabPlan()), copy.patch.new_tabs.get(title)
    links = copy.edited.relationships(part)
    expected = Expected(
        cells=plan.cells,
        dropped=frozenset((row, column) for name, row, column in copy.patch.dropped if name == title),
        drawings=frozenset(link.id for link in links if link.kind == "drawing" and plan.pictures),
        style_count=len(copy.edited.format_kinds),
        notes={link.id: link.kind for link in links if origin and link.kind in origin.notes},
    )
    new = copy.edited.part(part)
    if origin and masked(new) != new and masked(origin.content) == origin.content:
        yield f"{title}: it has a comment or an instruction"
    for difference in in_worksheet(copy.old_rows(title), SheetRows.of(new), expected):
        yield f"{title}{difference}"


def _in_workbook(old: bytes, new: bytes, copy: Copy) -> Iterator[str]:
    """Yield each difference of the workbook part, besides new tabs and the request to calculate."""
    if Markup(old).root.text != Markup(new).root.text:
        yield "the first tag of the workbook is not as it was"
    trees = tree(old), tree(new)
    lists = [next(child for child in root if local(child) == "sheets") for root in trees]
    taken = {sheet.get("sheetId") for sheet in lists[0]}
    links = copy.edited.relationships(copy.edited.workbook_part)
    parts = {link.id: link.target for link in links if link.kind == "worksheet"}
    names = [tab.tab.name for tab in copy.changes.tabs]
    if names != [*copy.patch.new_tabs] or len(lists[1]) != len(lists[0]) + len(names):
        yield "the workbook: its list of tabs is not as planned"
    for sheet, (name, origin) in zip(list(lists[1])[len(lists[0]) :], copy.patch.new_tabs.items(), strict=False):
        lists[1].remove(sheet)
        values = {"id" if key.endswith(LINK_ID) else key: value for key, value in sheet.attrib.items()}
        number, part = values.pop("sheetId", ""), parts.get(values.pop("id", ""))
        expected = {"name": name} | ({} if origin.state == "visible" else {"state": origin.state})
        is_free = number.isdecimal() and number not in taken
        if values != expected or not is_free or part not in copy.added or is_filled(sheet):
            yield f"the workbook: its entry of the tab {name} is not as planned"
        taken.add(number)
    yield from _in_names(*trees, len(lists[0]), [*copy.patch.new_tabs.values()])
    requests = [next((child for child in root if local(child) == "calcPr"), None) for root in trees]
    if requests[1] is not None and requests[1].get("fullCalcOnLoad") in ("1", "true"):
        if requests[0] is None and len(requests[1].attrib) == 1 and not is_filled(requests[1]):
            trees[1].remove(requests[1])
        elif requests[0] is not None:
            requests[0].set("fullCalcOnLoad", requests[1].get("fullCalcOnLoad", ""))
    elif copy.patch.dropped:
        yield "the workbook does not ask for a calculation"
    yield from (f"the workbook: {difference}" for difference in in_children(*trees))


def _in_names(old: Element, new: Element, count: int, origins: Sequence[Origin]) -> Iterator[str]:
    """Yield the faults of the names of new tabs, and make the names what they were.

    Args:
        count: Number of tabs before; the new ones come after them.
    """
    expected = [
        ({"name": plain(name), "localSheetId": str(number)}, plain(text))
        for number, origin in enumerate(origins, start=count)
        for name, text in origin.names
    ]
    holder = next(children(new, "definedNames"), None)
    if holder is None or not expected:
        yield from ["the workbook: the names of its new tabs are missing"] * bool(expected)
        return
    added = list(holder)[-len(expected) :]
    if [(name.attrib, name.text) for name in added] != expected or any((name.tail or "").strip() for name in added):
        yield "the workbook: the names of its new tabs are not as planned"
    for name in added:
        holder.remove(name)
    if next(children(old, "definedNames"), None) is None and not holder.attrib and not is_filled(holder):
        new.remove(holder)


def _in_list(part: str, old: bytes, new: bytes, gone: Collection[str], added: Collection[str]) -> Iterator[str]:
    """Yield each entry of content types or relationships that comes or goes without its part, or is there twice.

    Args:
        gone: Parts that are removed, or that the drawing need not show any more.
    """
    trees = tree(old), tree(new)
    before, after = (Counter(frozenset(child.attrib.items()) for child in root) for root in trees)
    for root, own, others, parts in ((trees[0], before, after, gone), (trees[1], after, before, added)):
        for child in [child for child in root if frozenset(child.attrib.items()) not in others]:
            entry = child.attrib
            base = posixpath.basename(entry.get("PartName") or entry.get("Target", ""))
            is_new_type = parts is added and entry.get("Extension") in _NEW_EXTENSIONS
            is_named = base in map(posixpath.basename, parts) or base.startswith(OWN_MEDIA) or is_new_type
            is_plain = own[frozenset(entry.items())] == 1 and [*entry] in _ENTRIES and not is_filled(child)
            if not is_named or (parts is added and not is_plain):
                yield f"the part {part}: its entry {base or entry.get('Extension', '')} is not as planned"
            root.remove(child)
    yield from (f"the part {part}: {difference}" for difference in in_children(*trees))


def _in_other(part: str, old: bytes, new: bytes, plan: TabPlan | None, table: XlsxTable | None) -> Iterator[str]:
    """Yield each difference of a table from what is planned for it, or of a drawing, besides our pictures."""
    trees = tree(old), tree(new)
    if plan and table:
        _grow(*trees, plan, table)
    elif local(trees[0]) == "wsDr":
        for root in trees:
            for anchor in [child for child in root if is_own_picture(child)]:
                root.remove(anchor)
    yield from (f"the part {part}: {difference}" for difference in in_children(*trees))


def _grow(old: Element, new: Element, plan: TabPlan, table: XlsxTable) -> None:
    """Make of a table what is planned: as high as it becomes, and headers as written."""
    before = area(old.get("ref", "")) or table.area
    firsts = {local(element): element for element in reversed(list(old.iter()))}
    for element in (firsts.get(name) for name in ("table", "autoFilter", "sortState")):
        region = area(element.get("ref", "")) if element is not None else None
        if element is not None and region and region.bottom == before.bottom != table.area.bottom:
            element.set("ref", str(region._replace(bottom=table.area.bottom)))
    if "insertRow" in old.attrib and table.is_filled_by(
        (row, column) for row, cells in plan.cells.items() for column in cells
    ):
        old.attrib.pop("insertRow", None)
    if not table.header_rows:
        return
    columns = ([element for element in root.iter() if local(element) == "tableColumn"] for root in (old, new))
    for column, (one, other) in enumerate(zip(*columns, strict=False), start=before.left):
        written = plan.cells.get(before.top, {}).get(column)
        if written and isinstance(written.value, str) and decode(one.get("name", "")) != written.value:
            name = other.get("name", "")
            one.set("name", name if decode(name) == written.value else written.value)


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
