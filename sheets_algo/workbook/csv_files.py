"""CSV files: all that the program writes, for spreadsheets by default."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sheets_algo.workbook.atomic_file import atomic_write

if TYPE_CHECKING:
    import pandas

_NUMBER = re.compile(r"-[0-9]+(\.[0-9]+)?")
_CALCULATED = re.compile(r"[\s\x00-\x1f\ufeff]*[=+\-@＝＋－＠]")
_SEPARATORS = re.compile(r"([;\t\r\n])")
"""Signs that separate cells in spreadsheets with other settings than commas."""


def csv_bytes(headers: Sequence[str], rows: Iterable[Sequence[Any]], *, is_exact: bool = False) -> bytes:
    """Return a table as CSV, UTF-8 with commas and a header; None is blank.

    All texts are in quotation marks: without them, spreadsheets that also split at semicolons and tabs, or begin a
    row at a carriage return, would begin a cell inside a name.

    Args:
        is_exact: True to leave texts unchanged; otherwise those that a spreadsheet would calculate get an apostrophe.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    for row in (headers, *rows):
        writer.writerow(row if is_exact else map(_as_text, row))
    return text.getvalue().encode(errors="replace")


def write_frame(file: Path, frame: pandas.DataFrame, *, is_exact: bool = False) -> None:
    """Write a DataFrame as CSV.

    Raises:
        OSError: The file cannot be written.
    """
    cells = frame.astype(object).where(frame.notna(), None)
    with atomic_write(file) as new:
        new.write_bytes(csv_bytes(list(frame.columns), cells.itertuples(index=False, name=None), is_exact=is_exact))


def _as_text(value: Any) -> Any:
    """Return a value with an apostrophe before a formula-like text; numbers stay numbers."""
    if not isinstance(value, str) or _NUMBER.fullmatch(value):
        return value
    text = "".join(f"'{cell}" if _CALCULATED.match(cell) else cell for cell in _SEPARATORS.split(value))
    return f"'{text}" if text.startswith(("\t", "\r", "\n")) else text
