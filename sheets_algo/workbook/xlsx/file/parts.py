"""A package that is being changed: parts written, added and removed, and the lists that name them kept consistent."""

from __future__ import annotations

import posixpath

from sheets_algo.workbook.xlsx.file.guard import part_key
from sheets_algo.workbook.xlsx.file.markup import Markup, MarkupEdits, any_tag
from sheets_algo.workbook.xlsx.file.package import Package, Relationship, relationships_part
from sheets_algo.workbook.xlsx.file.text import attribute

CONTENT_TYPES = "[Content_Types].xml"
DECLARATION = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
PACKAGE_RELATIONSHIPS = b"http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "application/vnd.openxmlformats-officedocument."
TYPES = {
    "worksheet": f"{_OFFICE}spreadsheetml.worksheet+xml",
    "comments": f"{_OFFICE}spreadsheetml.comments+xml",
    "drawing": f"{_OFFICE}drawing+xml",
    "vmlDrawing": f"{_OFFICE}vmlDrawing",
    "image": "image/png",
    "list": "application/vnd.openxmlformats-package.relationships+xml",
}
"""Content type of a part by the kind of the relationships that lead to it, and of a list of relationships."""

_TRANSITIONAL = {
    "main": b"http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    "relationships": b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "drawing": b"http://schemas.openxmlformats.org/drawingml/2006/main",
    "spreadsheetDrawing": b"http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing",
}
_STRICT = {
    what: space.replace(b"schemas.openxmlformats.org", b"purl.oclc.org/ooxml").replace(b"/2006", b"")
    for what, space in _TRANSITIONAL.items()
}


class Parts:
    """The parts of a package with the changes made so far."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.changed: dict[str, bytes] = {}
        self.added: dict[str, bytes] = {}
        self.removed: set[str] = set()
        root = Markup(package.part(package.workbook_part)).root.text
        self._spaces = _STRICT if _STRICT["main"] in root else _TRANSITIONAL

    def count_names(self) -> int:
        """Return the number of names that the workbook defines."""
        markup = Markup(self.package.part(self.package.workbook_part))
        return sum(1 for _ in any_tag(markup.name(b"definedName")).finditer(markup.view))

    def namespace(self, what: str) -> bytes:
        """Return the URI of `main`, `relationships`, `drawing` or `spreadsheetDrawing`, strict in a strict workbook."""
        return self._spaces[what]

    def relation_prefix(self, markup: Markup) -> tuple[bytes, bytes]:
        """Return the prefix of relationship ids in a part, and the declaration needed to use it, blank if none."""
        prefix = markup.prefix_of(_TRANSITIONAL["relationships"], _STRICT["relationships"])
        return (prefix, b"") if prefix else (b"r:", b' xmlns:r="%b"' % self.namespace("relationships"))

    def read(self, name: str) -> bytes:
        """Return the current content of a part."""
        for contents in (self.added, self.changed):
            if name in contents:
                return contents[name]
        return self.package.part(name)

    def write(self, name: str, content: bytes) -> None:
        """Add a part, or replace the existing one of that name."""
        if name in self.package:
            self.changed[name] = content
        else:
            self.added[name] = content

    def remove(self, name: str) -> None:
        """Remove a part and its entry among the content types."""
        self.removed.add(name)
        markup = Markup(self.read(CONTENT_TYPES))
        edits = MarkupEdits()
        for tag in markup.tags(b"Override"):
            if part_key(tag.get(b"PartName") or "") == part_key(name):
                edits.replace(tag.start, markup.after(tag, b"Override"), b"")
        if edits:
            self.write(CONTENT_TYPES, edits.apply(markup.data))

    def free_name(self, pattern: str) -> str:
        """Return the first unused name of a pattern, e.g. `xl/media/image4.png` for `xl/media/image{}.png`."""
        # A tab that is listed without its part must not get that of a new tab.
        led_to = {part_key(link.target) for link in self.package.relationships(self.package.workbook_part)}
        number = 1
        while (name := pattern.format(number)) in self.package or name in self.added or part_key(name) in led_to:
            number += 1
        return name

    def declare(self, part: str, kind: str) -> None:
        """State the content type of a new part, to which relationships of this kind lead."""
        element = b'Override PartName="/%b" ContentType="%b"' % (attribute(part), attribute(TYPES[kind]))
        self._add_element(CONTENT_TYPES, b"Types", element)

    def declare_extension(self, extension: str, kind: str) -> None:
        """State the content type of all parts with an extension, unless the package states it."""
        declared = (tag.get(b"Extension") or "" for tag in Markup(self.read(CONTENT_TYPES)).tags(b"Default"))
        if extension not in (extension_declared.lower() for extension_declared in declared):
            element = b'Default Extension="%b" ContentType="%b"' % (attribute(extension), attribute(TYPES[kind]))
            self._add_element(CONTENT_TYPES, b"Types", element, first=True)

    def relationships(self, source: str) -> tuple[Relationship, ...]:
        """Return the current relationships of a part, with targets as part names."""
        name = relationships_part(source)
        if name not in self.changed and name not in self.added:
            return self.package.relationships(source)
        return self.package.relationships_in(self.read(name), source)

    def relate(self, source: str, kind: str, target: str) -> str:
        """Add a relationship between two parts, e.g. of the kind `worksheet`; return its id."""
        taken = {relationship.id.lower() for relationship in self.relationships(source)}
        if source == self.package.workbook_part:
            taken |= {entry.relationship_id.lower() for entry in self.package.sheets}
        number = 1
        while f"rid{number}" in taken:
            number += 1
        name = relationships_part(source)
        if name not in self.package and name not in self.added:
            empty = b'<Relationships xmlns="%b"></Relationships>' % PACKAGE_RELATIONSHIPS
            self.write(name, DECLARATION + empty)
            self.declare_extension("rels", "list")  # some programs name each of their own lists instead
        type_uri = self.namespace("relationships") + b"/" + kind.encode()
        path = posixpath.relpath(target, posixpath.dirname(source) or ".")
        values = (b"rId%d" % number, type_uri, attribute(path))
        self._add_element(name, b"Relationships", b'Relationship Id="%b" Type="%b" Target="%b"' % values)
        return f"rId{number}"

    def unrelate(self, source: str, relationship_id: str) -> None:
        """Remove a relationship."""
        name = relationships_part(source)
        markup = Markup(self.read(name))
        edits = MarkupEdits()
        for tag in markup.tags(b"Relationship"):
            if tag.get(b"Id") == relationship_id:
                edits.replace(tag.start, markup.after(tag, b"Relationship"), b"")
        self.write(name, edits.apply(markup.data))

    def _add_element(self, part: str, root: bytes, element: bytes, *, first: bool = False) -> None:
        """Add an empty element to the root of a small part, at its end or its start."""
        markup = Markup(self.read(part))
        edits = MarkupEdits()
        new_element = b"<" + markup.prefix + element + b"/>"
        if markup.root.is_empty:
            root_element = markup.root.start_tag().text + new_element + b"</" + markup.name(root) + b">"
            edits.replace(markup.root.start, markup.root.end, root_element)
        else:
            edits.insert(markup.root.end if first else markup.close(root, markup.root.end)[0], new_element)
        self.write(part, edits.apply(markup.data))
