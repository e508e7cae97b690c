"""Parts as trees, for checks: made by a parser that had no part in the editing, with comments and instructions kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, zip_longest
from operator import lt
from xml.etree.ElementTree import Element, TreeBuilder, XMLParser

from sheets_algo.workbook.xlsx.edit.pictures import OWN_NAME


def tree(content: bytes) -> Element:
    """Parse a part.

    Raises:
        xml.etree.ElementTree.ParseError: It is not well-formed.
    """
    parser = XMLParser(target=TreeBuilder(insert_comments=True, insert_pis=True))
    parser.feed(content)
    root: Element = parser.close()
    return root


def local(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return _without_namespace(str(element.tag))


@lru_cache(maxsize=1024)
def _without_namespace(tag: str) -> str:
    return tag.rpartition("}")[2]


def children(parent: Element | None, name: str) -> Iterator[Element]:
    """Yield the children of an element that have a name; none of no element."""
    return (child for child in (() if parent is None else parent) if local(child) == name)


def is_ordered(numbers: Sequence[int]) -> bool:
    """Return True if each number is larger than the one before."""
    return all(map(lt, numbers, islice(numbers, 1, None)))


def is_own_picture(anchor: Element) -> bool:
    """Return True if an anchor of a drawing holds a picture of the program."""
    return any(element.get("name", "").startswith(f"{OWN_NAME} ") for element in anchor.iter())


def is_same(one: Element, other: Element) -> bool:
    """Return True if two elements hold the same, the space between elements aside."""
    return all(
        this.tag == that.tag
        and this.attrib == that.attrib
        and len(this) == len(that)
        and (this.tail or "").strip() == (that.tail or "").strip()
        and (this.text == that.text or (len(this) > 0 and (this.text or "").strip() == (that.text or "").strip()))
        for this, that in zip(one.iter(), other.iter(), strict=False)
    )


def is_filled(element: Element) -> bool:
    """Return True if an element has children, or a text in it or after it."""
    return len(element) > 0 or bool((element.text or "").strip() or (element.tail or "").strip())


def items(styles: Element, name: str) -> list[Element]:
    """Return the elements of a list of styles, without comments."""
    return [item for child in styles if local(child) == name for item in child.findall("{*}*")]


def in_children(old: Element, new: Element) -> Iterator[str]:
    """Yield the first tag of a tree, and its first child, that are not as they were."""
    if old.attrib != new.attrib or (old.text or "").strip() != (new.text or "").strip():
        yield "its first tag is not as it was"
    for one, other in zip_longest(old, new):
        if one is None or other is None or not is_same(one, other):
            yield f"its element {local(other if one is None else one)} is not as it was"
            return
