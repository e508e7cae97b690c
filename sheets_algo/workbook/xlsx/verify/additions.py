"""What is wrong with the parts that a patch adds, with relationships, and with the pictures that it places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import BytesIO
from xml.etree.ElementTree import ParseError, iterparse

from sheets_algo.workbook.xlsx.edit.patch import Patch
from sheets_algo.workbook.xlsx.edit.pictures import AFTER_DRAWING
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.verify.trees import is_own_picture, local, tree

_CHILDREN = (
    *("sheetPr", "dimension", "sheetViews", "sheetFormatPr", "cols", "sheetData", "sheetCalcPr", "sheetProtection"),
    *("protectedRanges", "scenarios", "autoFilter", "sortState", "dataConsolidate", "customSheetViews", "mergeCells"),
    *("phoneticPr", "conditionalFormatting", "dataValidations", "hyperlinks", "printOptions", "pageMargins"),
    *("pageSetup", "headerFooter", "rowBreaks", "colBreaks", "customProperties", "cellWatches", "ignoredErrors"),
    *("smartTags", "drawing", *(name.decode() for name in AFTER_DRAWING)),
)
"""Elements of a worksheet in the order of the format (ECMA-376 part 1, 18.3.1.99)."""

_INDEXES = {"c": ("s", "cellXfs"), "row": ("s", "cellXfs"), "col": ("style", "cellXfs"), "cfRule": ("dxfId", "dxfs")}
"""Elements of a worksheet with a number of a style: its attribute, and the list it counts in."""


def invalid(package: Package, edited: Package, patch: Patch) -> Iterator[str]:
    """Yield what is wrong with added parts, with new relationships, and with placed pictures.

    Args:
        package: The package as read.
        edited: The edited package.
        patch: The planned changes.
    """
    yield from _in_relationships(package, edited, patch)
    styles = _sizes_of_styles(edited) if patch.new_tabs else {}
    for part in patch.added:
        kind = edited.content_type(part)
        if not kind:
            yield f"the part {part} has no content type"
        elif kind.endswith(("xml", "vmlDrawing")):
            try:
                yield from _in_markup(part, edited, styles)
            except ParseError as error:
                yield f"the part {part} is not well-formed XML ({error})"
    for tab in dict.fromkeys(picture.tab for picture in patch.pictures):
        if not _is_illustrated(tab, edited, patch):
            yield f"the tab {tab} does not show its pictures as planned"


def _in_relationships(package: Package, edited: Package, patch: Patch) -> Iterator[str]:
    """Yield each new relationship that leads nowhere, and each part with two new ones of one id."""
    for part in (*patch.added, *patch.changed):
        folder, is_list, source = part.rpartition("_rels/")
        if not is_list:
            continue
        source = folder + source.removesuffix(".rels")
        old, new = package.relationships(source), edited.relationships(source)
        for link in set(new) - set(old):
            if not link.external and link.target not in edited:
                yield f"the part {part} leads to {link.target}, which is not there"
        if len(new) - len({link.id for link in new}) > len(old) - len({link.id for link in old}):
            ids = [link.id for link in new]
            yield f"the part {source} has two relationships {next(id for id in ids if ids.count(id) > 1)}"


def _in_markup(part: str, edited: Package, styles: Mapping[str, int]) -> Iterator[str]:
    """Yield each id of a relationship that an added part names and does not have, and what is wrong in a worksheet.

    That is the order of its elements, and styles that are not there. Rows are forgotten one by one: a new tab can have
    hundreds of thousands.

    Raises:
        ParseError: It is not well-formed.
    """
    ids = {link.id for link in edited.relationships(part)}
    order: list[int] = []
    path: list[str] = []
    for event, element in iterparse(BytesIO(edited.part(part)), ("start", "end")):
        if event == "end":
            path.pop()
            if path:
                element.clear()
            continue
        name = local(element)
        for attribute, value in element.attrib.items():
            if "/relationships}" in attribute and value not in ids:
                yield f"the part {part} refers to {value}, which is not there"
        if path[:1] == ["worksheet"]:
            attribute, names = _INDEXES.get(name, ("", ""))
            index = element.get(attribute)
            if index is not None and not (index.isdecimal() and int(index) < styles.get(names, 0)):
                yield f"the part {part} has a style {index}, of {styles.get(names, 0)}"
            if len(path) == 1:
                order.append(_CHILDREN.index(name) if name in _CHILDREN else -1)
        path.append(name)
    if -1 in order or order != sorted(order):
        yield f"the elements of the part {part} are not in their order"


def _sizes_of_styles(edited: Package) -> dict[str, int]:
    """Return the size of each list of styles."""
    part = edited.related("styles")
    return {local(child): len(child) for child in tree(edited.index_part(part))} if part else {}


def _is_illustrated(tab: str, edited: Package, patch: Patch) -> bool:
    """Return True if a tab's drawing holds the program's pictures as planned: which, where, and in which order."""
    planned = [(found.row, found.column, found.png) for found in patch.pictures if found.tab == tab]
    parts = (entry.part for entry in edited.sheets if entry.name == tab)
    drawings = [link.target for part in parts for link in edited.relationships(part) if link.kind == "drawing"]
    return any(list(_pictures(drawing, edited)) == planned for drawing in drawings if drawing in edited)


def _pictures(drawing: str, edited: Package) -> Iterator[tuple[int, int, bytes]]:
    """Yield row, column and PNG of each picture of the program in a drawing."""
    targets = {link.id: link.target for link in edited.relationships(drawing)}
    for anchor in filter(is_own_picture, tree(edited.part(drawing))):
        texts = {local(found): found.text or "" for found in reversed(list(anchor.iter()))}
        ids = [value for found in anchor.iter() for name, value in found.attrib.items() if name.endswith("}embed")]
        images = [edited.part(target) for id in ids if (target := targets.get(id, "")) in edited]
        yield int(texts["row"]) + 1, int(texts["col"]) + 1, b"".join(images)
