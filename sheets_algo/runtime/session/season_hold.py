"""Obstacles to all rulings and posts from a workbook, which a pass checks first."""

from __future__ import annotations

from sheets_algo.ruling.receipts.chain import hold, secret_trouble
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.record import noted_heads
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.errors import WorkbookUnavailable


def season_hold(session: Session, receipts: Receipts) -> str:
    """Return the reasons why a season is held, in sentences; blank if it is not.

    It is held if receipts are gone or were changed, if the workbook is a copy that nobody has accepted, and on a
    computer that lacks the season's secret or has another one.

    Raises:
        WorkbookUnavailable: The heads noted in the store cannot be read.
    """
    if held := hold(receipts, noted_heads(session, receipts.record_key, asks=True)):
        return str(held)
    try:
        secret = season_secret.find(session.folder, receipts.season)
    except WorkbookUnavailable as error:
        return str(error)
    return secret_trouble(receipts, secret) if secret else ""
