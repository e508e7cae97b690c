"""Tables (list objects) of a worksheet: their position, and their parts after a row is appended below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from sheets_algo.workbook.xlsx.file.areas import Area, area
from sheets_algo.workbook.xlsx.file.markup import Markup, MarkupEdits
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.file.text import decode, escape_codes


@dataclass(frozen=True, slots=True)
class XlsxTable:
    """A table of a worksheet."""

    part: str  # Name of its part
    name: str  # Name of the table in formulas
    area: Area  # Cells of the table, header and totals included
    columns: tuple[str, ...]  # Names of the columns, from the left
    header_rows: int  # Number of header rows, 0 or 1
    totals_rows: int  # Number of totals rows, 0 or 1

    def is_header(self, row: int, column: int) -> bool:
        """Return True if the cell holds a column's name."""
        return bool(self.header_rows) and row == self.area.top and self.area.holds(row, column)

    def is_filled_by(self, written: Iterable[tuple[int, int]]) -> bool:
        """Return True if one of some cells is below the header, so that an empty table is empty no more."""
        return any(self.area.holds(*cell) and not self.is_header(*cell) for cell in written)

    def with_added_row(self) -> XlsxTable:
        """Return the table with one more row."""
        return replace(self, area=self.area._replace(bottom=self.area.bottom + 1))

    def rows(self, items: tuple[str, ...], row: int) -> Iterator[tuple[int, int]]:
        """Yield first and last row of each item that a structured reference in `row` names, by default the data."""
        top, bottom = self.area.top, self.area.bottom
        data = top + self.header_rows, bottom - self.totals_rows
        for item in items or ("#data",):
            if item == "#this row" and data[0] <= row <= data[1]:
                yield row, row
            elif item == "#headers":
                yield top, data[0] - 1
            elif item == "#totals":
                yield data[1] + 1, bottom
            elif item == "#data":
                yield data
            else:
                yield top, bottom


def tables_of(package: Package, sheet_part: str) -> tuple[XlsxTable, ...]:
    """Return the tables of a worksheet."""
    parts = [link.target for link in package.relationships(sheet_part) if link.kind == "table" and not link.external]
    return tuple(table for part in parts if part in package and (table := _read(part, package.part(part))))


def pivots_of(package: Package, sheet_part: str) -> tuple[Area, ...]:
    """Return the cells of each pivot table of a worksheet."""
    links = (link for link in package.relationships(sheet_part) if link.kind == "pivotTable" and link.target in package)
    places = (Markup(package.part(link.target)).first(b"location") for link in links)
    return tuple(region for place in places if place and (region := area(place.get(b"ref") or "")))


def resize_table(content: bytes, table: XlsxTable, written: Iterable[tuple[int, int]]) -> bytes:
    """Return the table's part in the height of `table`, with filter and sorting extended to its last row.

    Args:
        written: Cells that get a value; one in an empty table ends its blank row, which is shown to be filled in.
    """
    markup = Markup(content)
    old_area = area(markup.root.get(b"ref") or "")
    root = markup.root
    if root.get(b"insertRow") and table.is_filled_by(written):
        root = root.without(b"insertRow")
    if old_area is None or (old_area == table.area and root == markup.root):
        return content
    edits = MarkupEdits()
    tags = [root, *(tag for local in (b"autoFilter", b"sortState") if (tag := markup.first(local)))]
    for tag in tags:
        tag_area = area(tag.get(b"ref") or "")
        if tag_area and tag_area.bottom == old_area.bottom:
            edits.replace(
                tag.start, tag.end, tag.with_attribute(b"ref", str(tag_area._replace(bottom=table.area.bottom))).text
            )
    return edits.apply(markup.data)


def rename_columns(content: bytes, names: dict[int, str]) -> bytes:
    """Return the table's part with new names for some columns, numbered from 0."""
    markup = Markup(content)
    edits = MarkupEdits()
    for number, tag in enumerate(markup.tags(b"tableColumn", markup.root.end)):
        if number in names:
            name = escape_codes(names[number]).replace("\n", "_x000a_").replace("\t", "_x0009_")  # as Excel does
            edits.replace(tag.start, tag.end, tag.with_attribute(b"name", name).text)
    return edits.apply(markup.data)


def _read(part: str, content: bytes) -> XlsxTable | None:
    markup = Markup(content)
    attributes = markup.root.attributes()
    table_area = area(attributes.get("ref", ""))
    if table_area is None:
        return None
    columns = tuple(decode(tag.get(b"name") or "") for tag in markup.tags(b"tableColumn", markup.root.end))
    return XlsxTable(
        part=part,
        name=attributes.get("displayName") or attributes.get("name", ""),
        area=table_area,
        columns=columns,
        header_rows=0 if attributes.get("headerRowCount") == "0" else 1,
        totals_rows=0 if attributes.get("totalsRowCount", "0") == "0" else 1,
    )
