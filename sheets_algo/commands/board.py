"""The command `board`: the strategy board of a request."""

from __future__ import annotations

from sheets_algo.forms.base import StrategyBoard, open_database
from sheets_algo.ruling.lookup import NotFound, row_of
from sheets_algo.ruling.replay import replay
from sheets_algo.runtime.session import OpenWorkbook


def board_of(seen: OpenWorkbook, request: str) -> StrategyBoard:
    """Return the board of a request: as it was ruled, or as its rows have it, whatever is wrong with them.

    Raises:
        NotFound: There is no such request, or its ruleset has no board.
        Rejected: The request has errors that no board can show.
    """
    receipt = seen.receipts.receipts.ruling_of(request)
    if receipt is not None:
        form = seen.form_of(receipt)
        database = open_database(seen.snapshot, [form])
        found = form.ruled_board(receipt.request, receipt.inputs, replay(receipt, form), database)
    else:
        form, database, row = row_of(seen.snapshot, seen.forms, request)
        found = form.board(row, database)
    if found is None:
        raise NotFound(f"{request} has no board: it is no war of flanks.")
    return found
