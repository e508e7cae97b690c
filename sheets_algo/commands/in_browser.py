"""The command `verify` on a file in a browser's memory, for the page on which players verify."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from engine.errors import ExpectedError
from sheets_algo.commands.verification import verification
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.pages.verdict_page import findings_html, sentence_html
from sheets_algo.replays.replay import CANNOT
from sheets_algo.runtime.session.season_secret import FEWEST_BYTES, VARIABLE
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.redact import one_line
from sheets_algo.workbook.xlsx import XlsxWorkbook


def let_signatures_be_checked() -> None:
    """Import the checker of signatures, which expects a type of OpenSSL that a browser lacks (LUCK-05)."""
    importlib.import_module("hmac")  # this module searches for OpenSSL itself and needs no stand-in
    name = "_hashlib"
    if importlib.util.find_spec(name) is None:
        sys.modules[name] = ModuleType(name)
        sys.modules[name].HASH = object  # type: ignore[attr-defined]
        try:
            importlib.import_module("sheets_algo.ruling.luck.bls")
        finally:
            del sys.modules[name]


def verify_file(
    path: str, secret: str, head: str, on_begin: Callable[[int, int], None], on_verdict: Callable[[bool], None]
) -> tuple[str, str]:
    """Recompute the rulings of a workbook.

    Args:
        secret: The season secret, blank for none.
        head: A head of the receipts that the player noted, blank for none.
        on_begin: Called with the number of rulings and of signatures.
        on_verdict: Called after each ruling; True if the result is equal.

    Returns:
        The content of the page as HTML, and the overall result.
    """
    if 0 < (size := len(secret.strip().encode())) < FEWEST_BYTES:
        return sentence_html(f"A season secret has at least {FEWEST_BYTES} bytes, and this one has {size}."), CANNOT
    os.environ[VARIABLE] = secret
    file = Path(path)
    library = ConfigLoader()
    let_signatures_be_checked()
    try:
        session = Session(workbook=XlsxWorkbook(file), folder=file.parent, library=library)
        outcome = verification(
            session, on_verdict=lambda verdict, _: on_verdict(verdict.is_equal), head=head.strip(), on_begin=on_begin
        )
    except ExpectedError as error:
        return sentence_html(one_line(str(error))), CANNOT
    return findings_html(outcome.page), outcome.result
