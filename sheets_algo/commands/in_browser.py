"""The command `verify` on a file in a browser's memory, for the page on which players verify."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from engine.errors import ExpectedError
from sheets_algo.commands.verification import verification
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.pages.verdict_page import notes_html, verdict_html
from sheets_algo.ruling.replays.replay import CANNOT, Verdict
from sheets_algo.runtime.season_secret import FEWEST_BYTES, VARIABLE
from sheets_algo.runtime.session import Session
from sheets_algo.workbook.redact import one_line
from sheets_algo.workbook.xlsx import XlsxWorkbook


def verify_file(path: str, secret: str, head: str, on_verdict: Callable[[str, bool, int], None]) -> tuple[str, str]:
    """Recompute the rulings of a workbook.

    Args:
        path: The XLSX file.
        secret: The season secret, blank for none.
        head: A head of the receipts that the player noted, blank for none.
        on_verdict: Called with each verdict as HTML, whether it is equal, and the number of receipts.

    Returns:
        What is said of all receipts together, or why nothing could be computed, as HTML; and the result of all.
    """
    if 0 < (size := len(secret.strip().encode())) < FEWEST_BYTES:
        return notes_html([f"A season secret has at least {FEWEST_BYTES} bytes, and this one has {size}."]), CANNOT
    os.environ[VARIABLE] = secret
    file = Path(path)
    library = ConfigLoader()

    def tell(verdict: Verdict, total: int) -> None:
        on_verdict(verdict_html(verdict), verdict.is_equal, total)

    try:
        session = Session(workbook=XlsxWorkbook(file), folder=file.parent, library=library)
        found = verification(session, on_verdict=tell, head=head.strip())
    except ExpectedError as error:
        return notes_html([one_line(str(error))]), CANNOT
    return notes_html(found.notes), found.result
