"""Why nothing may be ruled or posted from a workbook as it was read: what a pass asks before it rules."""

from __future__ import annotations

from sheets_algo.ruling.receipts.chain import hold, secret_trouble
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.record import noted_heads
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.errors import WorkbookUnavailable


def season_hold(session: Session, receipts: Receipts) -> str:
    """Return why a season is held, in sentences; blank if it is not.

    It is held if receipts are gone or were changed, and on a computer that lacks the season's secret or has another
    one, so that a copy of a workbook posts nothing.

    Raises:
        WorkbookUnavailable: The store cannot be asked for the heads that it has noted.
    """
    if held := hold(receipts, noted_heads(session, receipts.season, asks=True)):
        return str(held)
    try:
        secret = season_secret.find(session.folder, receipts.season)
    except WorkbookUnavailable as error:
        return str(error)
    return secret_trouble(receipts, secret) if secret else ""
