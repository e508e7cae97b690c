"""Tables (list objects) of a worksheet: where they lie, and what their part becomes when a row is appended below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sheets_algo.workbook.xlsx.areas import Area, area
from sheets_algo.workbook.xlsx.markup import Edits, Markup
from sheets_algo.workbook.xlsx.package import Package
from sheets_algo.workbook.xlsx.strings import decode
from sheets_algo.workbook.xlsx.text import escape_codes


@dataclass(frozen=True, slots=True)
class Table:
    """One table.

    Args:
        part: Its part.
        name: As formulas call it.
        area: All of it, header and totals included.
        columns: Names, from the left.
        header_rows: 0 or 1.
        totals_rows: 0 or 1.
    """

    part: str
    name: str
    area: Area
    columns: tuple[str, ...]
    header_rows: int
    totals_rows: int

    def is_header(self, row: int, column: int) -> bool:
        """Whether the cell holds a column's name."""
        return bool(self.header_rows) and row == self.area.top and self.area.holds(row, column)

    def taller(self) -> Table:
        """The table with one more row."""
        return replace(self, area=self.area._replace(bottom=self.area.bottom + 1))

    def rows(self, items: tuple[str, ...], row: int) -> Iterator[tuple[int, int]]:
        """First and last row of the items that a structured reference in `row` names; the data if it names none."""
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


def tables_of(package: Package, sheet_part: str) -> tuple[Table, ...]:
    """The tables of a worksheet."""
    parts = [
        found.target for found in package.relationships(sheet_part) if found.kind == "table" and not found.external
    ]
    return tuple(table for part in parts if part in package and (table := _read(part, package.part(part))))


def grown(content: bytes, table: Table) -> bytes:
    """The table's part as tall as `table`, its filter and its sorting reaching as far down as its data."""
    markup = Markup(content)
    where = area(markup.root.get(b"ref") or "")
    if where is None or where == table.area:
        return content
    edits = Edits()
    tags = [markup.root, *(tag for local in (b"autoFilter", b"sortState") if (tag := markup.first(local)))]
    for tag in tags:
        held = area(tag.get(b"ref") or "")
        if held and held.bottom == where.bottom:
            edits.replace(
                tag.start, tag.end, tag.with_attribute(b"ref", str(held._replace(bottom=table.area.bottom))).text
            )
    return edits.apply(markup.data)


def renamed(content: bytes, names: dict[int, str]) -> bytes:
    """The table's part with new names for some columns, counted from 0."""
    markup = Markup(content)
    edits = Edits()
    for number, tag in enumerate(markup.tags(b"tableColumn", markup.root.end)):
        if number in names:
            edits.replace(tag.start, tag.end, tag.with_attribute(b"name", _escaped(names[number])).text)
    return edits.apply(markup.data)


def _escaped(name: str) -> str:
    """A column's name as an attribute holds it, its line ends written as Excel does."""
    return escape_codes(name).replace("\n", "_x000a_").replace("\t", "_x0009_")


def _read(part: str, content: bytes) -> Table | None:
    markup = Markup(content)
    facts = markup.root.attributes()
    where = area(facts.get("ref", ""))
    if where is None:
        return None
    columns = tuple(decode(tag.get(b"name") or "") for tag in markup.tags(b"tableColumn", markup.root.end))
    return Table(
        part=part,
        name=facts.get("displayName") or facts.get("name", ""),
        area=where,
        columns=columns,
        header_rows=0 if facts.get("headerRowCount") == "0" else 1,
        totals_rows=0 if facts.get("totalsRowCount", "0") == "0" else 1,
    )
