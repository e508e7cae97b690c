"""The posts of turns: of a deadline, or a reminder of it (TRN-08), and of the report of a player (TRN-09)."""

from __future__ import annotations

import hashlib
from datetime import datetime

from engine.columns import folded
from engine.players import discord_ids
from engine.receipt import Block, Line, without_markup
from sheets_algo.database.cell_text import as_text
from sheets_algo.forms.capabilities import SecretForm, TurnForm
from sheets_algo.forms.databases import open_database
from sheets_algo.posting.channel import Post, PostRefused
from sheets_algo.replays.turn_report import NoReport, turn_report
from sheets_algo.ruling.step import REMINDER
from sheets_algo.runtime.session.session import OpenWorkbook
from sheets_algo.steps.posts.post_row import PostEntry
from sheets_algo.steps.turns.turns_tab import TurnsTab
from sheets_algo.workbook.redact import one_line


def turn_post(workbook: OpenWorkbook, entry: PostEntry) -> Post:
    """Return the post of a row about a deadline, from that row and the current tab Turns.

    Raises:
        PostRefused: The row was changed by hand and is unreadable.
    """
    game, _, number = entry.request.rpartition(" ")
    what, _, deadline = entry.odds.partition(" ")
    form = next((form for form in workbook.forms if form.ruleset_key == game and isinstance(form, TurnForm)), None)
    try:
        turn, moment = int(number), datetime.fromisoformat(deadline)
    except ValueError:
        turn, moment, form = 0, datetime.min, None
    if form is None:
        raise PostRefused("The row names no deadline of a turn.")
    known = TurnsTab(workbook.snapshot, workbook.forms).of(game, turn)
    name = f"{form.turn_column.capitalize()} {turn}"
    ends = "ends in less than a day" if what == REMINDER else "takes orders"
    title = f"{name} {ends}, until {moment:%Y-%m-%d %H:%M} UTC"
    is_named = what == REMINDER and not isinstance(form, SecretForm)
    missing = one_line(as_text(known.row.value("missing"))) if known and is_named else ""
    lines = (Line("Has not ordered", missing),) if missing else (Line("", "Orders that come later are of the next."),)
    digest = hashlib.sha256(f"{workbook.receipts.season} {folded(entry.request)} {entry.odds}".encode())
    text = "\n".join(f"* {without_markup(f'{line.label}: {line.text}' if line.label else line.text)}" for line in lines)
    return Post(
        mark=f"T-{digest.hexdigest()[:12]}",
        kind="Turn",
        request=entry.request,
        war=name,
        ruleset=game,
        time=entry.time,
        wiki=f"== {without_markup(title)} ==\n{text}",
        title=title,
        blocks=(Block("", lines),),
    )


def report_post(workbook: OpenWorkbook, entry: PostEntry) -> Post:
    """Return the post of the report of a turn, which goes to the player of its row alone (TRN-09).

    Raises:
        PostRefused: The row was changed by hand, its player no longer plays there, or the turn cannot be reported.
    """
    game, number, reader = [*entry.request.split(" ", 2), "", ""][:3]
    player = entry.odds.rpartition(" ")[2]
    form = next((form for form in workbook.forms if form.ruleset_key == game and isinstance(form, SecretForm)), None)
    if form is None or not number.isdecimal():
        raise PostRefused("The row names no report of a turn.")
    forms = [other for other in workbook.forms if other.ruleset_key == game]
    if player not in discord_ids(form.players(open_database(workbook.snapshot, forms)).get(folded(reader), ())):
        raise PostRefused(f"{one_line(reader)[:80]} has another Player by now.")
    try:
        report = turn_report(workbook.snapshot, forms, workbook.receipts, reader, int(number))
    except NoReport as error:
        raise PostRefused(str(error)) from None
    digest = hashlib.sha256(f"{workbook.receipts.season} {folded(entry.request)} {entry.odds}".encode())
    return Post(
        mark=f"P-{digest.hexdigest()[:12]}",
        kind="Report",
        request=report.title,
        war=report.title,
        ruleset=game,
        time=entry.time,
        wiki=report.wiki(),
        title=report.title,
        blocks=report.blocks,
        recipient=player,
    )
