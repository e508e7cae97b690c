"""Check of the styles of new tabs, which come after the workbook's own, each as in the template."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from sheets_algo.workbook.xlsx.verify.trees import in_children, is_filled, is_same, items, local, tree

_LISTS = ("numFmts", "fonts", "fills", "borders", "cellXfs", "dxfs")
_OF_XF = {"fontId": "fonts", "fillId": "fills", "borderId": "borders"}
_FIRST_FORMAT = 164
"""Minimum number of a format that is not built in."""


def sizes_of_styles(styles: bytes) -> dict[str, int]:
    """Return the size of each list of styles."""
    root = tree(styles)
    return {name: len(items(root, name)) for name in _LISTS}


def in_styles(old: bytes, new: bytes, template: bytes) -> Iterator[str]:
    """Yield each difference of the styles from those that were there, followed by those of the template."""
    sizes, trees, source = sizes_of_styles(old), (tree(old), tree(new)), tree(template)
    formats: dict[str, str] = {}
    for name in _LISTS:
        added, expected = items(trees[1], name)[sizes[name] :], items(source, name)
        if name == "numFmts":
            numbers = [item.get("numFmtId", "") for item in added]
            formats = dict(zip((item.get("numFmtId", "") for item in expected), numbers, strict=False))
            taken = {item.get("numFmtId") for item in items(trees[0], name)}
            is_free = len(set(numbers) - taken) == len(numbers)
            if not is_free or not all(number.isdecimal() and int(number) >= _FIRST_FORMAT for number in numbers):
                yield f"the styles: their {name} are not as in the template"
        for item in expected:
            _renumber(item, name, sizes, formats)
        if len(added) != len(expected) or not all(map(is_same, expected, added)):
            yield f"the styles: their {name} are not as in the template"
        if added:
            yield from _in_list(name, *trees, sizes[name])
    yield from (f"the styles: {difference}" for difference in in_children(*trees))


def _renumber(item: Element, name: str, sizes: dict[str, int], formats: dict[str, str]) -> None:
    """Give an item of the template the numbers that it has among the workbook's."""
    if name in ("numFmts", "cellXfs") and (number := item.get("numFmtId")) is not None:
        item.set("numFmtId", formats.get(number, number))
    for attribute, other in _OF_XF.items():
        if name == "cellXfs" and (number := item.get(attribute)) is not None:
            item.set(attribute, str(int(number) + sizes[other]))


def _in_list(name: str, old: Element, new: Element, size: int) -> Iterator[str]:
    """Yield the faults of the first tag of a list, and make the list what it was."""
    before, after = (next((child for child in root if local(child) == name), None) for root in (old, new))
    if after is None:
        return
    if after.get("count") != str(len(items(new, name))):
        yield f"the styles: their {name} are counted wrongly"
    for item in items(new, name)[size:]:
        after.remove(item)
    after.attrib.pop("count", None)
    if before is not None:
        before.attrib.pop("count", None)
    elif not after.attrib and not is_filled(after):
        new.remove(after)
