"""Values of formulas without a stored result, computed by a headless LibreOffice on a copy of the workbook.

Nothing that LibreOffice saves reaches the moderator's file: only values of formula cells without a stored result are
used, and only for reading.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.snapshot import Sheet
from sheets_algo.workbook.staleness import cell_of
from sheets_algo.workbook.tab_key import folded
from sheets_algo.workbook.values import Uncalculated
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.read.reader import read_sheet

TIME_LIMIT_S = 180
"""Seconds after which LibreOffice is stopped."""

PRIVATE = "SHEETS_ALGO_"
"""Beginning of the names of variables that no other program gets: the season secret is one."""
_PATHS = ("/Applications/LibreOffice.app/Contents/MacOS/soffice", r"C:\Program Files\LibreOffice\program\soffice.exe")


def has_uncalculated(sheet: Sheet) -> bool:
    """Return True if a sheet has a formula without a value."""
    return any(isinstance(value, Uncalculated) for row in sheet.rows.values() for value in row)


def recalculated(package: Package) -> Package:
    """Return a copy of a workbook with every formula computed, as LibreOffice saves it.

    Raises:
        WorkbookUnavailable: LibreOffice is not installed, fails, or takes longer than `TIME_LIMIT_S`.
    """
    soffice = _soffice(package.name)
    with tempfile.TemporaryDirectory(prefix="sheets-algo-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder, "in", "workbook" + (Path(package.name).suffix or ".xlsx"))
        result = Path(folder, "out", "workbook.xlsx")
        copy.parent.mkdir()
        copy.write_bytes(package.data)
        _convert(soffice, copy, result.parent, Path(folder, "profile"), package.name)
        if not result.exists():
            raise _failure(package.name, "LibreOffice could not open it")
        return Package(result.read_bytes(), package.name, package.limits)


def with_values(sheet: Sheet, computed: Package, rows: int | None = None) -> Sheet:
    """Return a sheet with values in place of its uncalculated formulas.

    Args:
        sheet: Sheet as read from the workbook itself.
        computed: Result of `recalculated` for that workbook.
        rows: Number of rows that were read, None for all.

    Returns:
        The sheet; a formula that LibreOffice could not compute stays uncalculated.
    """
    entry = next((entry for entry in computed.sheets if folded(entry.name) == folded(sheet.title)), None)
    if entry is None:
        return sheet
    other, filled = read_sheet(computed, entry, rows), dict(sheet.rows)
    for row, cells in sheet.rows.items():
        if any(isinstance(cell, Uncalculated) for cell in cells):
            filled[row] = tuple(
                cell if not isinstance(cell, Uncalculated) or (value := cell_of(other, row, column)) is None else value
                for column, cell in enumerate(cells, start=1)
            )
    return Sheet(sheet.title, filled, sheet.merged)


def _soffice(name: str) -> str:
    program = shutil.which("soffice") or shutil.which("libreoffice")
    program = program or next((path for path in _PATHS if os.access(path, os.X_OK)), None)
    if program is None:
        raise _failure(name, "LibreOffice (the command soffice) is not installed")
    return program


def _convert(soffice: str, copy: Path, out: Path, profile: Path, name: str) -> None:
    """Run LibreOffice with its own profile, so that it is independent of one that is open."""
    command = [
        soffice,
        f"-env:UserInstallation={profile.as_uri()}",
        "--headless",
        "--norestore",
        "--convert-to",
        "xlsx:Calc MS Excel 2007 XML",
        "--outdir",
        str(out),
        str(copy),
    ]
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={variable: value for variable, value in os.environ.items() if not variable.startswith(PRIVATE)},
    ) as process:
        try:
            process.wait(TIME_LIMIT_S)
        except subprocess.TimeoutExpired as error:
            raise _failure(name, f"LibreOffice took longer than {TIME_LIMIT_S} seconds") from error
        finally:
            _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill LibreOffice if it still runs: `soffice` is a script, and the program is its child in the same session."""
    if process.poll() is not None:
        return
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)


def _failure(name: str, reason: str) -> WorkbookUnavailable:
    return WorkbookUnavailable(
        f"{name}: its formulas cannot be calculated: {reason}; open and save the file in Excel or LibreOffice instead."
    )
