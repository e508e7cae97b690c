"""Files taken apart by `zipfile` and `ElementTree`, which know nothing of the store."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree


class Link(NamedTuple):
    """A relationship."""

    id: str
    kind: str
    target: str


class Tab(NamedTuple):
    """A tab as the workbook lists it."""

    name: str
    part: str
    state: str
    is_worksheet: bool


class Opened:
    """A file taken apart."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            self.parts = {name.replace("\\", "/"): archive.read(name) for name in archive.namelist()}
        self.names = tuple(self.parts)
        self.workbook_part = next(link.target for link in self.relationships("") if link.kind == "officeDocument")

    def part(self, name: str) -> bytes:
        """Return the content of a part."""
        return self.parts[name]

    def relationships(self, part: str) -> list[Link]:
        """Return the relationships of a part, in order."""
        folder, name = posixpath.split(part)
        listed = self.parts.get(posixpath.join(folder, "_rels", f"{name}.rels"))
        return [
            Link(
                link.get("Id", ""),
                link.get("Type", "").rpartition("/")[2],
                posixpath.normpath(posixpath.join("/", folder, link.get("Target", "")))[1:],
            )
            for link in (ElementTree.fromstring(listed) if listed else ())
        ]

    def content_type(self, part: str) -> str:
        """Return the content type of a part, blank if none is stated."""
        stated = list(ElementTree.fromstring(self.parts["[Content_Types].xml"]))
        of_name = [entry.get("ContentType", "") for entry in stated if entry.get("PartName") == f"/{part}"]
        ending = part.rpartition(".")[2]
        return [*of_name, *(entry.get("ContentType", "") for entry in stated if entry.get("Extension") == ending), ""][
            0
        ]

    @cached_property
    def sheets(self) -> list[Tab]:
        """The tabs, in order."""
        links = {link.id: link for link in self.relationships(self.workbook_part)}
        tabs = []
        for sheet in ElementTree.fromstring(self.parts[self.workbook_part]).iterfind("{*}sheets/{*}sheet"):
            id = next((value for name, value in sheet.attrib.items() if name.endswith("relationships}id")), "")
            link = links.get(id, Link("", "", ""))
            target = link.target if link.target in self.parts else ""
            is_worksheet = bool(target) and link.kind == "worksheet"
            tabs.append(Tab(sheet.get("name", ""), target, sheet.get("state", "visible"), is_worksheet))
        return tabs

    def with_parts(
        self, changed: Mapping[str, bytes], removed: Collection[str] = (), added: Mapping[str, bytes] | None = None
    ) -> bytes:
        """Return the file with other parts."""
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in {**self.parts, **changed, **(added or {})}.items():
                if name not in removed:
                    archive.writestr(name, content)
        return file.getvalue()


def opened(data: bytes | Path) -> Opened:
    """Take a file apart."""
    return Opened(data if isinstance(data, bytes) else data.read_bytes())


def parts_of(data: bytes) -> dict[str, bytes]:
    """Return the content of each part, by its name."""
    return opened(data).parts
