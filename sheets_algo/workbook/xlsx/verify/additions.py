"""Faults of new relationships, of the notes of new tabs, and of the pictures that a patch places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from sheets_algo.workbook.changes import Picture
from sheets_algo.workbook.xlsx.edit.pictures import anchor_of
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.file.parts import TYPES, Parts
from sheets_algo.workbook.xlsx.verify.differences import Copy
from sheets_algo.workbook.xlsx.verify.trees import is_own_picture, is_same, local, tree

_DRAWING = b'<p:wsDr xmlns:p="%b">%b</p:wsDr>'


def invalid(copy: Copy) -> Iterator[str]:
    """Yield the faults of new relationships, notes and placed pictures.

    Raises:
        xml.etree.ElementTree.ParseError: A part is not well-formed.
    """
    yield from _in_relationships(copy)
    for name in copy.patch.new_tabs:
        yield from _in_notes(name, copy)
    for tab, plan in copy.plans.items():
        if plan.pictures and not _is_illustrated(tab, copy):
            yield f"the tab {tab} does not show its pictures as planned"


def _in_relationships(copy: Copy) -> Iterator[str]:
    """Yield each new relationship that does not lead to a part of its kind, and each new part without a single one."""
    uses, edited = Counter[str](), copy.edited
    for part in (*copy.added, *copy.changed):
        folder, is_list, source = part.rpartition("_rels/")
        if not is_list:
            continue
        if part in copy.added:
            yield from _in_type(part, TYPES["list"], edited)
        source = folder + source.removesuffix(".rels")
        old, new = copy.package.relationships(source), edited.relationships(source)
        for link in set(new) - set(old):
            if link.external:
                yield f"the part {part} leads out of the file, to {link.target}"
            elif not link.id.startswith("rId"):
                yield f"the part {part} has a relationship without an id"
            elif link.target not in edited:
                yield f"the part {part} leads to {link.target}, which is not there"
            else:
                yield from _in_type(link.target, TYPES.get(link.kind, ""), edited)
                uses[link.target] += link.kind != "image"
        if len(new) - len({link.id for link in new}) > len(old) - len({link.id for link in old}):
            ids = [link.id for link in new]
            yield f"the part {source} has two relationships {next(id for id in ids if ids.count(id) > 1)}"
    for part in (name for name in edited.names if copy.removed and name.endswith(".rels")):
        folder, _, source = part.rpartition("_rels/")
        for link in edited.relationships(folder + source.removesuffix(".rels")):
            if link.target in copy.removed and not link.external:
                yield f"the part {part} leads to {link.target}, which is removed"
    for part in copy.added:
        if part not in uses and "_rels/" not in part:
            yield f"the part {part} is shown nowhere"
        elif uses[part] > 1:
            yield f"the part {part} is shown twice"


def _in_type(part: str, expected: str, edited: Package) -> Iterator[str]:
    """Yield the fault of a part's content type."""
    if (actual := edited.content_type(part)) != expected:
        yield f"the part {part} has the content type {actual}" if actual else f"the part {part} has no content type"


def _in_notes(name: str, copy: Copy) -> Iterator[str]:
    """Yield each part of a new tab, such as its notes, that is not as in its template."""
    notes, edited = copy.patch.new_tabs[name].notes, copy.edited
    links = edited.relationships(copy.parts[name]) if name in copy.parts else ()
    drawings = {"drawing"} if name in copy.plans and copy.plans[name].pictures else set()
    if sorted(link.kind for link in links) != sorted(notes.keys() | drawings):
        yield f"the tab {name} does not have the parts of its template"
    for link in links:
        if link.kind in notes and not is_same(tree(notes[link.kind][1]), tree(edited.part(link.target))):
            yield f"the part {link.target} is not as in its template"


def _is_illustrated(tab: str, copy: Copy) -> bool:
    """Return True if a tab's drawing holds the program's pictures as planned: which, where, and in which order."""
    planned, edited = copy.plans[tab].pictures, copy.edited
    for drawing in (
        link.target
        for link in edited.relationships(copy.parts[tab])
        if link.kind == "drawing" and link.target in edited
    ):
        root = tree(edited.part(drawing))
        anchors, ids = list(root), [element.get("id") for element in root.iter() if local(element) == "cNvPr"]
        pictures = [anchor for anchor in anchors if is_own_picture(anchor)]
        is_whole = drawing not in copy.added or (pictures == anchors and not root.attrib)
        if len(pictures) == len(planned) and pictures == anchors[-len(planned) :] and is_whole:
            return all(ids.count(id) == 1 for id in ids[-len(planned) :]) and all(
                _is_in_place(anchor, number, picture, drawing, edited)
                for number, (anchor, picture) in enumerate(zip(pictures, planned, strict=True), start=1)
            )
    return False


def _is_in_place(anchor: Element, number: int, picture: Picture, drawing: str, edited: Package) -> bool:
    """Return True if an element of a drawing shows a picture, and is in all else as its template."""
    relationships = [
        value for element in anchor.iter() for name, value in element.attrib.items() if name.endswith("}embed")
    ]
    ids = [element.get("id", "") for element in anchor.iter() if local(element) == "cNvPr"]
    if len(relationships) != 1 or len(ids) != 1:
        return False
    images = [link.target for link in edited.relationships(drawing) if link.id == relationships[0]]
    parts = Parts(edited)
    planned = anchor_of(parts, b"p:", number, picture, ids[0], relationships[0])
    template = tree(_DRAWING % (parts.namespace("spreadsheetDrawing"), planned))[0]
    return images != [] and edited.part(images[0]) == picture.png and is_same(template, anchor)
