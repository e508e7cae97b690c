"""An XLSX file as a package: its parts, their relationships, its tabs, and writing it.

No location of a part is assumed: the workbook is found through the relationships of the package; tabs, strings and
styles through those of the workbook. Part names are compared as OPC requires, ignoring case and a leading slash. Where
a program stored them with backslashes, they have slashes here, and the file keeps its own.
"""

from __future__ import annotations

import hashlib
import posixpath
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote
from zipfile import ZipInfo

from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.xlsx.file import xml
from sheets_algo.workbook.xlsx.file.archive import Damaged, inflate, write_archive
from sheets_algo.workbook.xlsx.file.cells import CellDecoder, clip
from sheets_algo.workbook.xlsx.file.dates import format_kinds
from sheets_algo.workbook.xlsx.file.guard import Limits, check_archive, check_size, part_key, refusal
from sheets_algo.workbook.xlsx.file.os_errors import clear_os_errors
from sheets_algo.workbook.xlsx.file.text import read_strings

__all__ = ["Limits", "Package", "Relationship", "SheetEntry"]

_TRUE = ("1", "true", "on")


@dataclass(frozen=True, slots=True)
class Relationship:
    """A reference from a part to another part or to an external target."""

    id: str  # Identifier, unique within the part
    type: str  # URI of the type as in the file, transitional or strict
    target: str  # Name of the part with the package's capitals; if it is external or missing, the target as in the file
    external: bool = False  # True if the target is outside the package

    @property
    def kind(self) -> str:
        """Last word of the type, e.g. `worksheet`, the same in the transitional and strict families."""
        return self.type.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """A tab as the workbook lists it."""

    name: str  # Name of the tab
    part: str  # Name of its part, blank if it has none, as a module of macros
    relationship_id: str  # Identifier of the workbook's relationship to the part
    state: str  # `visible`, `hidden` or `veryHidden`
    is_worksheet: bool  # True if the tab has cells (chart sheets, dialogs and old macro sheets have none)


class Package:
    """A checked XLSX file in memory; `name` is used in messages.

    Raises:
        WorkbookUnavailable: The file is not a workbook that may be read; the message gives the reason.
    """

    def __init__(self, data: bytes, name: str, limits: Limits = Limits()) -> None:  # noqa: B008 - frozen
        self.data = data
        self.name = name
        self.limits = limits
        self._archive = check_archive(data, name, limits)
        self.names: tuple[str, ...] = tuple(_with_slashes(entry.orig_filename) for entry in self._archive.infolist())
        self._entries = {part_key(entry.orig_filename): entry for entry in self._archive.infolist()}
        self._defaults: dict[str, str] = {}
        self._overrides: dict[str, str] = {}
        self._relationships: dict[str, tuple[Relationship, ...]] = {}
        self._read_content_types()
        self.workbook_part: str = self._find_workbook()
        self.sheets: tuple[SheetEntry, ...] = ()
        self.uses_1904: bool = False
        self._read_workbook()

    @classmethod
    def open(cls, path: Path, limits: Limits = Limits()) -> Package:  # noqa: B008 - frozen
        """Read and check a file.

        Raises:
            WorkbookUnavailable: There is no such file, it may not be read, or the guard refuses it.
        """
        with clear_os_errors(path.name, "read"):
            state = path.stat()
            if not stat.S_ISREG(state.st_mode):
                raise refusal(path.name, "it is a folder or device, not a file")
            check_size(state.st_size, path.name, limits)
            return cls(path.read_bytes(), path.name, limits)

    def __contains__(self, part: str) -> bool:
        """Return True if the package has a part of that name."""
        return part_key(part) in self._entries

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the file as read, in hexadecimal."""
        return hashlib.sha256(self.data).hexdigest()

    def part(self, name: str) -> bytes:
        """Return the content of a part with its checksum verified; it may not have a DOCTYPE.

        Raises:
            WorkbookUnavailable: There is no such part, or it declares a DOCTYPE or ENTITY.
        """
        file = BytesIO()  # joined pieces would be held beside the whole
        for piece in self.chunks(name):
            file.write(piece)
        content = file.getvalue()
        try:
            xml.refuse_doctype(content)
        except xml.Refused as refused:
            raise self.refusal(name, str(refused)) from refused
        return content

    def index_part(self, name: str) -> bytes:
        """Return the content of a part that is read as a whole, such as the styles, under the limit for such parts.

        Raises:
            WorkbookUnavailable: There is no such part, it is too large, or it declares a DOCTYPE or ENTITY.
        """
        size, limit = self._entry(name).file_size, self.limits.index
        if size > limit:
            raise self.refusal(name, f"it unpacks to {size:,} bytes, and the limit for such a part is {limit:,}")
        return self.part(name)

    def chunks(self, name: str) -> Iterator[bytes]:
        """Yield the content of a part in pieces, for parts that are too large to hold at once.

        Raises:
            WorkbookUnavailable: There is no such part.
        """
        entry = self._entry(name)
        try:
            yield from inflate(self._archive, entry)
        except Damaged as damage:
            raise refusal(self.name, f"it is damaged: {damage}") from damage

    def size(self, name: str) -> int:
        """Return the number of bytes of a part's content.

        Raises:
            WorkbookUnavailable: There is no such part.
        """
        return self._entry(name).file_size

    def checksum(self, name: str) -> tuple[str, int, int]:
        """Return the name of a part, and checksum and length of its content as the directory states them."""
        entry = self._entry(name)
        return name, entry.CRC, entry.file_size

    def refusal(self, part: str, reason: str) -> WorkbookUnavailable:
        """Return the error for this file because of one of its parts."""
        return refusal(self.name, f"its part {part} cannot be read: {reason}")

    def without_part(self, entry: SheetEntry) -> WorkbookUnavailable:
        """Return the error for this file because of a tab that is needed and has no part."""
        remedy = "restore a backup, or delete the tab and save the workbook anew"
        return refusal(self.name, f"it is damaged: its tab {clip(entry.name)} has no part in the file; {remedy}")

    def relationships(self, part: str) -> tuple[Relationship, ...]:
        """Return the relationships of a part in file order; `""` means the package itself.

        They are parsed on first use and kept.

        Raises:
            WorkbookUnavailable: The relationships are not well-formed.
        """
        key = part_key(part)
        if key not in self._relationships:
            self._relationships[key] = self._read_relationships(part)
        return self._relationships[key]

    def _read_relationships(self, part: str) -> tuple[Relationship, ...]:
        source = relationships_part(part)
        if source not in self:
            return ()
        try:
            return self.relationships_in(self.index_part(source), part)
        except xml.Refused as refused:
            raise self.refusal(source, str(refused)) from refused

    def relationships_in(self, content: bytes, part: str) -> tuple[Relationship, ...]:
        """Return the relationships in the content of a list of those of a part.

        Raises:
            xml.Refused: It is not well-formed.
        """
        folder, targets = posixpath.dirname(_with_slashes(part).lstrip("/")), []
        for _, local, attributes in xml.elements(content, ("Relationship",)):
            if local == "Relationship":
                external = attributes.get("TargetMode", "").lower() == "external"
                target = attributes.get("Target", "")
                target = target if external else self._resolve(folder, target)
                targets.append(Relationship(attributes.get("Id", ""), attributes.get("Type", ""), target, external))
        return tuple(targets)

    def content_type(self, part: str) -> str:
        """Return the content type that the package states for a part, blank if none."""
        key = part_key(part)
        return self._overrides.get(key) or self._defaults.get(key.rpartition(".")[2], "")

    @cached_property
    def shared_strings(self) -> Sequence[str]:
        """Texts that cells refer to by number, read on first use.

        Raises:
            WorkbookUnavailable: The part is not well-formed, or exceeds the limits.
        """
        part = self.related("sharedStrings")
        if not part:
            return ()
        try:
            return read_strings(self.chunks(part), self.limits)
        except xml.Refused as refused:
            raise self.refusal(part, str(refused)) from refused

    @cached_property
    def format_kinds(self) -> Sequence[str]:
        """Kind of value that each cell style shows, from `dates.format_kinds`, read on first use; empty without styles.

        Raises:
            xml.Refused: The styles are not well-formed.
        """
        part = self.related("styles")
        return format_kinds(self.index_part(part)) if part else ()

    @cached_property
    def decoder(self) -> CellDecoder:
        """Decoder of the workbook's cells.

        Raises:
            WorkbookUnavailable: The styles or the shared strings are not well-formed.
        """
        try:
            kinds = self.format_kinds
        except xml.Refused as refused:
            raise self.refusal(self.related("styles"), str(refused)) from refused
        return CellDecoder(self.shared_strings, kinds, self.uses_1904)

    def related(self, kind: str) -> str:
        """Return the part to which the workbook has a relationship of this kind, blank if there is none."""
        for relationship in self.relationships(self.workbook_part):
            if relationship.kind == kind and not relationship.external and relationship.target in self:
                return relationship.target
        return ""

    def write(
        self,
        file: BinaryIO,
        changed: Mapping[str, bytes],
        removed: Collection[str] = (),
        added: Mapping[str, bytes] | None = None,
    ) -> None:
        """Write the package with some parts changed; the content of every other one stays.

        Args:
            file: File open for writing, at its start.
            changed: New content of existing parts, which keep their positions.
            removed: Names of the parts to leave out.
            added: New parts, written at the end.
        """
        other = {**changed, **dict.fromkeys(removed)}
        other = {self._entry(name).orig_filename: content for name, content in other.items()}
        write_archive(file, self._archive, other, {name.lstrip("/"): part for name, part in (added or {}).items()})

    def _entry(self, name: str) -> ZipInfo:
        entry = self._entries.get(part_key(name))
        if entry is None:
            raise refusal(self.name, f"it is damaged: its part {name or '(unnamed)'} is missing")
        return entry

    def _elements(self, part: str, wanted: Collection[str]) -> list[tuple[str, str, dict[str, str]]]:
        try:
            return xml.elements(self.index_part(part), wanted)
        except xml.Refused as refused:
            raise self.refusal(part, str(refused)) from refused

    def _resolve(self, folder: str, target: str) -> str:
        """Return the name of a target's part, relative to a folder, with the package's capitals if the part exists."""
        if target.startswith("#"):
            return target
        path = posixpath.normpath(posixpath.join("/", folder, target.replace("\\", "/"))).lstrip("/")
        for candidate in (path, unquote(path)):
            if entry := self._entries.get(part_key(candidate)):
                return _with_slashes(entry.orig_filename)
        return path

    def _read_content_types(self) -> None:
        for _, local, attributes in self._elements("[Content_Types].xml", ("Default", "Override")):
            kind = attributes.get("ContentType", "")
            if local == "Default":
                self._defaults[attributes.get("Extension", "").lower()] = kind
            elif local == "Override":
                self._overrides[part_key(attributes.get("PartName", ""))] = kind

    def _find_workbook(self) -> str:
        for relationship in self.relationships(""):
            if relationship.kind == "officeDocument" and relationship.target in self:
                return relationship.target
        raise refusal(self.name, "it is not a workbook: its package names no main part that is there")

    def _read_workbook(self) -> None:
        elements = self._elements(self.workbook_part, ("workbookPr", "sheet"))
        space, root, _ = elements[0]
        if root != "workbook" or space not in xml.SHEET_NAMESPACES:
            content = f"a {root} of {space or 'no namespace'}, not a workbook of Office"
            raise refusal(self.name, f"it is not a workbook: its main part holds {content}")
        related = {relationship.id: relationship for relationship in self.relationships(self.workbook_part)}
        sheets = []
        for space, local, attributes in elements:
            if space not in xml.SHEET_NAMESPACES:
                continue
            if local == "workbookPr":
                self.uses_1904 = attributes.get("date1904", "0").strip().lower() in _TRUE
            elif local == "sheet" and "name" in attributes:
                sheets.append(self._sheet_entry(attributes, related))
            if len(sheets) > self.limits.entries:
                raise refusal(self.name, f"it lists more than {self.limits.entries:,} tabs, the limit")
        if not sheets:
            raise refusal(self.name, "it has no sheets")
        by_part: dict[str, SheetEntry] = {}
        for entry in sheets:
            if entry.part and (other := by_part.setdefault(entry.part, entry)) is not entry:
                tabs = f"its tabs {other.name} and {entry.name}"
                raise refusal(self.name, f"it is damaged: {tabs} are stored in one part, {entry.part}")
        self.sheets = tuple(sheets)

    def _sheet_entry(self, attributes: Mapping[str, str], related: Mapping[str, Relationship]) -> SheetEntry:
        relation_id = next((attributes[key] for key in xml.RELATION_ATTRIBUTES if key in attributes), "")
        relationship = related.get(relation_id)
        part = relationship.target if relationship and not relationship.external and relationship.target in self else ""
        return SheetEntry(
            name=attributes["name"],
            part=part,
            relationship_id=relation_id,
            state=attributes.get("state", "visible"),
            is_worksheet=bool(part and relationship and relationship.kind == "worksheet"),
        )


def relationships_part(part: str) -> str:
    """Return the name of the list of a part's relationships."""
    folder, base = posixpath.split(_with_slashes(part).lstrip("/"))
    return posixpath.join(folder, "_rels", f"{base}.rels")


def _with_slashes(name: str) -> str:
    return name.replace("\\", "/")
