"""The command `report`: a turn as one player, or everybody, may see it, as text, Markdown or HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from engine.receipt import ReceiptText
from sheets_algo.commands.opening import new_session
from sheets_algo.commands.output import write_file
from sheets_algo.commands.report import Report
from sheets_algo.pages.turn_report_page import turn_report_page
from sheets_algo.replays.turn_report import turn_report
from sheets_algo.runtime.session.session import opened

ENDINGS = {".txt": "text", ".md": "markdown", ".html": "html"}
"""Formats by the ending of a file."""


def report(
    *, reader: str, turn: int | None, format: str | None, out: Path | None, verbose: bool, **options: Any
) -> Report:
    """Report a turn as one player, or everybody, may see it, or write it into a file.

    Args:
        reader: The player's name in the game; blank for everybody.
        turn: The number of the turn; None for the last one that is over.
        format: The format; None for that of the file's ending, or text.
        out: The file; None prints the report.
    """
    book = opened(new_session(**options))
    turn_text = turn_report(book.snapshot, book.forms, book.receipts, reader, turn)
    chosen = format or (ENDINGS[out.suffix.casefold()] if out else "text")
    text = FORMATS[chosen](turn_text)
    data = {"title": turn_text.title, "format": chosen, "report": text}
    if out is None:
        return Report(data, text.splitlines())
    write_file("report", out, text + "\n")
    return Report(data | {"file": str(out)}, [f"report   {out}"])


FORMATS: Mapping[str, Callable[[ReceiptText], str]] = {
    "text": ReceiptText.text,
    "markdown": ReceiptText.markdown,
    "html": turn_report_page,
}
"""Functions that print a report, by format."""
