"""What is wrong with new relationships, with the notes of new tabs, and with the pictures that a patch places."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator

from sheets_algo.workbook.xlsx.edit.patch import Patch
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.verify.trees import is_own_picture, is_same, local, tree

_TYPES = {
    "worksheet": "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml",
    "comments": "application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml",
    "drawing": "application/vnd.openxmlformats-officedocument.drawing+xml",
    "vmlDrawing": "application/vnd.openxmlformats-officedocument.vmlDrawing",
    "image": "image/png",
}
"""Content type of a part by the kind of the relationships that lead to it."""
_RELATIONSHIPS = "application/vnd.openxmlformats-package.relationships+xml"
_EMU_PER_PIXEL = 9525
_AT_ITS_CORNER = {"colOff": "0", "rowOff": "0"}


def invalid(package: Package, edited: Package, patch: Patch) -> Iterator[str]:
    """Yield what is wrong with new relationships, with notes, and with placed pictures.

    Args:
        package: The package as read.
        edited: The edited package.
        patch: The planned changes.

    Raises:
        ParseError: A part is not well-formed.
    """
    yield from _in_relationships(package, edited, patch)
    for name in patch.new_tabs:
        yield from _in_notes(name, edited, patch)
    for tab in dict.fromkeys(picture.tab for picture in patch.pictures):
        if not _is_illustrated(tab, edited, patch):
            yield f"the tab {tab} does not show its pictures as planned"


def _in_relationships(package: Package, edited: Package, patch: Patch) -> Iterator[str]:
    """Yield each new relationship that does not lead to a part of its kind, and each new part without a single one."""
    shown = Counter[str]()
    for part in (*patch.added, *patch.changed):
        folder, is_list, source = part.rpartition("_rels/")
        if not is_list:
            continue
        if part in patch.added:
            yield from _in_type(part, _RELATIONSHIPS, edited)
        source = folder + source.removesuffix(".rels")
        old, new = package.relationships(source), edited.relationships(source)
        for link in set(new) - set(old):
            if link.external:
                yield f"the part {part} leads out of the file, to {link.target}"
            elif link.target not in edited:
                yield f"the part {part} leads to {link.target}, which is not there"
            else:
                yield from _in_type(link.target, _TYPES.get(link.kind, ""), edited)
                shown[link.target] += link.kind != "image"
        if len(new) - len({link.id for link in new}) > len(old) - len({link.id for link in old}):
            ids = [link.id for link in new]
            yield f"the part {source} has two relationships {next(id for id in ids if ids.count(id) > 1)}"
    for part in patch.added:
        if part not in shown and "_rels/" not in part:
            yield f"the part {part} is shown nowhere"
        elif shown[part] > 1:
            yield f"the part {part} is shown twice"


def _in_type(part: str, expected: str, edited: Package) -> Iterator[str]:
    """Yield what is wrong with the content type of a part."""
    if (found := edited.content_type(part)) != expected:
        yield f"the part {part} has the content type {found}" if found else f"the part {part} has no content type"


def _in_notes(name: str, edited: Package, patch: Patch) -> Iterator[str]:
    """Yield each part of a new tab, such as its notes, that is not as in its template."""
    notes = patch.new_tabs[name].notes
    links = [link for entry in edited.sheets if entry.name == name for link in edited.relationships(entry.part)]
    drawings = {"drawing"} if any(picture.tab == name for picture in patch.pictures) else set()
    if sorted(link.kind for link in links) != sorted(notes.keys() | drawings):
        yield f"the tab {name} does not have the parts of its template"
    for link in links:
        if link.kind in notes and not is_same(tree(notes[link.kind][1]), tree(edited.part(link.target))):
            yield f"the part {link.target} is not as in its template"


def _is_illustrated(tab: str, edited: Package, patch: Patch) -> bool:
    """Return True if a tab's drawing holds the program's pictures as planned: which, where, and in which order."""
    planned = [(found.row, found.column, found.png, {_size(found.png)}) for found in patch.pictures if found.tab == tab]
    parts = (entry.part for entry in edited.sheets if entry.name == tab)
    drawings = [link.target for part in parts for link in edited.relationships(part) if link.kind == "drawing"]
    return any(
        list(_pictures(drawing, edited)) == planned
        and (drawing not in patch.added or all(map(is_own_picture, tree(edited.part(drawing)))))
        for drawing in drawings
        if drawing in edited
    )


def _size(png: bytes) -> tuple[str, str]:
    """Return width and height of a PNG as a drawing states them."""
    width, height = struct.unpack(">2L", png[16:24])
    return str(width * _EMU_PER_PIXEL), str(height * _EMU_PER_PIXEL)


def _pictures(drawing: str, edited: Package) -> Iterator[tuple[int, int, bytes, set[tuple[str, str]]]]:
    """Yield row, column, PNG and stated sizes of each picture of the program that begins at the corner of a cell."""
    targets = {link.id: link.target for link in edited.relationships(drawing)}
    for anchor in filter(is_own_picture, tree(edited.part(drawing))):
        texts = {local(found): found.text or "" for found in reversed(list(anchor.iter()))}
        ids = [value for found in anchor.iter() for name, value in found.attrib.items() if name.endswith("}embed")]
        images = [edited.part(target) for id in ids if (target := targets.get(id, "")) in edited]
        sizes = {(found.get("cx", ""), found.get("cy", "")) for found in anchor.iter() if local(found) == "ext"}
        if texts.items() >= _AT_ITS_CORNER.items():
            yield int(texts["row"]) + 1, int(texts["col"]) + 1, b"".join(images), sizes
