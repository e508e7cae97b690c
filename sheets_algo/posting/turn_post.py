"""The post that announces the deadline of a turn, or reminds of it (TRN-08)."""

from __future__ import annotations

import hashlib
from datetime import datetime

from engine.columns import folded
from engine.receipt import Block, Line, without_markup
from sheets_algo.database.cell_text import shown
from sheets_algo.forms.capabilities import SecretForm, TurnForm
from sheets_algo.posting.channel import Post, PostRefused
from sheets_algo.ruling.receipts.posts import REMINDER, PostEntry
from sheets_algo.ruling.requests.turns_tab import TurnEntry, TurnsTab
from sheets_algo.runtime.session import OpenWorkbook
from sheets_algo.workbook.redact import one_line


def turn_post(seen: OpenWorkbook, entry: PostEntry) -> Post:
    """Return the post of a row about a deadline, from that row and the tab Turns as it is now.

    Raises:
        PostRefused: The row was changed by hand so that it cannot be read.
    """
    game, _, number = entry.request.rpartition(" ")
    what, _, deadline = entry.odds.partition(" ")
    form = next((form for form in seen.forms if form.ruleset_key == game and isinstance(form, TurnForm)), None)
    try:
        turn, moment = int(number), datetime.fromisoformat(deadline)
    except ValueError:
        turn, moment, form = 0, datetime.min, None
    if form is None:
        raise PostRefused("The row names no deadline of a turn.")
    known = TurnsTab(seen.snapshot, seen.forms).of(game, turn)
    name = f"{form.turn_column.capitalize()} {turn}"
    ends = "ends in less than a day" if what == REMINDER else "takes orders"
    title = f"{name} {ends}, until {moment:%Y-%m-%d %H:%M} UTC"
    missing = _missing(known) if what == REMINDER and not isinstance(form, SecretForm) else ""
    lines = (Line("Has not ordered", missing),) if missing else (Line("", "Orders that come later are of the next."),)
    digest = hashlib.sha256(f"{seen.receipts.season} {folded(entry.request)} {entry.odds}".encode())
    told = "\n".join(f"* {without_markup(f'{line.label}: {line.text}' if line.label else line.text)}" for line in lines)
    return Post(
        number=0,
        mark=f"T-{digest.hexdigest()[:12]}",
        kind="Turn",
        request=entry.request,
        war=name,
        ruleset=game,
        winner="",
        time=entry.time,
        wiki=f"== {without_markup(title)} ==\n{told}",
        title=title,
        blocks=(Block("", lines),),
    )


def _missing(known: TurnEntry | None) -> str:
    """Return who has not ordered, as the tab Turns says now."""
    return one_line(shown(known.row.value("missing"))) if known else ""
