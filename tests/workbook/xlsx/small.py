"""Small workbooks written out by hand."""

from __future__ import annotations

import io
import shutil
import subprocess
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from PIL import Image

from sheets_algo.workbook.tab_key import TabKey

S = TabKey.named("S")
"""The tab of most of them."""

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"

# Style 0 plain, 1 bold, 2 a date, 3 two decimals.
STYLES = (
    f'<styleSheet xmlns="{MAIN}"><fonts count="2"><font><sz val="11"/></font><font><b/><sz val="11"/></font></fonts>'
    '<fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders>'
    '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0"/>'
    '<xf numFmtId="0" fontId="1"/><xf numFmtId="14" fontId="0"/><xf numFmtId="2" fontId="0"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
)


def sheet(rows: str, *, head: str = "", tail: str = "") -> str:
    """A worksheet around some rows."""
    declared = f'xmlns="{MAIN}" xmlns:r="{RELATIONS}"'
    return f'<?xml version="1.0"?><worksheet {declared}>{head}<sheetData>{rows}</sheetData>{tail}</worksheet>'


def rows(*lines: Mapping[str, str]) -> str:
    """Rows from column letters to what stands in the cell: `=A1*2|5` is a formula with its result, else a value."""
    return "".join(
        f'<row r="{number}">{"".join(_cell(f"{column}{number}", held) for column, held in line.items())}</row>'
        for number, line in enumerate(lines, start=1)
    )


def workbook(
    sheets: Mapping[str, str | bytes],
    *,
    names: str = "",
    tables: Mapping[str, str] | None = None,
    workbook_tail: str = "",
    workbook_head: str = "",
    more: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """A whole file.

    Args:
        sheets: Tab name to worksheet.
        names: `definedName` elements.
        tables: Tab name to the table on it.
        workbook_tail: What follows in the workbook part.
        workbook_head: What stands before the tabs there.
        more: Further parts, or others in place of these.
    """
    tables = tables or {}
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{TYPES}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{TYPES}.styles+xml"/>'
        + "".join(
            f'<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType="{TYPES}.worksheet+xml"/>'
            for number in range(1, len(sheets) + 1)
        )
        + "</Types>",
        "_rels/.rels": _relations(("rId1", "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}">{workbook_head}<sheets>'
        + "".join(
            f'<sheet name="{name}" sheetId="{number}" r:id="rId{number}"/>'
            for number, name in enumerate(sheets, start=1)
        )
        + f"</sheets>{f'<definedNames>{names}</definedNames>' if names else ''}{workbook_tail}</workbook>",
        "xl/_rels/workbook.xml.rels": _relations(
            *((f"rId{number}", "worksheet", f"worksheets/sheet{number}.xml") for number in range(1, len(sheets) + 1)),
            ("rId90", "styles", "styles.xml"),
        ),
        "xl/styles.xml": STYLES,
    }
    for number, (name, content) in enumerate(sheets.items(), start=1):
        parts[f"xl/worksheets/sheet{number}.xml"] = content
        if name in tables:
            parts[f"xl/worksheets/_rels/sheet{number}.xml.rels"] = _relations(
                ("rId1", "table", f"../tables/table{number}.xml")
            )
            parts[f"xl/tables/table{number}.xml"] = tables[name]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, held in (parts | dict(more or {})).items():
            archive.writestr(part, held)
    return file.getvalue()


def table(name: str, ref: str, *columns: str, totals: bool = False, more: str = "") -> str:
    """A table's part with a filter over its data."""
    listed = "".join(f'<tableColumn id="{number}" name="{column}"/>' for number, column in enumerate(columns, start=1))
    counted = ' totalsRowCount="1"' if totals else ""
    return (
        f'<table xmlns="{MAIN}" id="1" name="{name}" displayName="{name}" ref="{ref}"{counted}>'
        f'<autoFilter ref="{ref}"/><tableColumns count="{len(columns)}">{listed}</tableColumns>{more}</table>'
    )


def office_versions(files: Sequence[Path], to: str, folder: Path) -> list[Path]:
    """Where LibreOffice's conversions of some files are, if it made them.

    The test is skipped, with the reason, where there is no LibreOffice.

    Args:
        files: The workbooks, their names without suffix all different.
        to: The format, e.g. `pdf` or `csv:Text`.
        folder: Where they go.
    """
    program = shutil.which("soffice")
    if program is None:
        pytest.skip("LibreOffice (soffice) is not installed, so nothing can be opened in it")
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    command = [program, profile, "--headless", "--convert-to", to, "--outdir", str(folder)]
    subprocess.run([*command, *map(str, files)], check=True, capture_output=True, timeout=300)
    return [folder / f"{file.stem}.{to.partition(':')[0]}" for file in files]


def png(color: str = "red", size: tuple[int, int] = (40, 30)) -> bytes:
    """A picture of one colour."""
    file = io.BytesIO()
    Image.new("RGB", size, color).save(file, "png")
    return file.getvalue()


def _cell(address: str, held: str) -> str:
    if held.startswith("="):
        formula, _, result = held[1:].partition("|")
        return f'<c r="{address}"><f>{formula}</f><v>{result or 0}</v></c>'
    if held.replace(".", "").replace("-", "").isdecimal():
        return f'<c r="{address}"><v>{held}</v></c>'
    return f'<c r="{address}" t="inlineStr"><is><t>{held}</t></is></c>'


def _relations(*relations: tuple[str, str, str]) -> str:
    listed = "".join(
        f'<Relationship Id="{key}" Type="{RELATIONS}/{kind}" Target="{target}"/>' for key, kind, target in relations
    )
    return f'<Relationships xmlns="{PACKAGE}">{listed}</Relationships>'
