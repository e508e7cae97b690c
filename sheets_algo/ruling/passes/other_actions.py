"""Answers to requests that ask for something else than a ruling or a forecast: Switch sides, and Preview."""

from __future__ import annotations

from sheets_algo.database.problems import Rejected
from sheets_algo.database.records import RULE, SWITCH_SIDES
from sheets_algo.database.tables import Edit, Row
from sheets_algo.ruling.passes.plan import Answer, PassContext
from sheets_algo.ruling.passes.reader import RequestReader
from sheets_algo.ruling.passes.request_tab import RequestTab, refused
from sheets_algo.ruling.passes.writer import PlanWriter
from sheets_algo.ruling.requests.status_columns import (
    NO_FILE,
    NO_PICTURE,
    NOTHING_RULED,
    PREVIEWED,
    SWITCHED,
    SWITCHING,
    StatusCells,
    message,
)


def switch_sides(tab: RequestTab, row: Row, id: str, *, reader: RequestReader, writer: PlanWriter, held: str) -> Answer:
    """Let the sides of a request change places, and take back what asked for it, in one commit (REQ-14).

    Each cell is written only if it still shows what was read, so that a commit that is repeated, or arrives late, does
    not switch them back.

    Args:
        reader: The reader of the pass.
        writer: The writer of the pass.
        held: Why nothing is changed because of the workbook, in sentences; blank if it is.
    """
    if decisions := reader.overrides.rows_of(id):
        says = f"moderators' decisions name the sides of {id} as they are"
        problem = decisions[0].problem("what", "REQ-14", says, allowed=f"Remove them before {SWITCH_SIDES}")
        return refused(row, id, (problem,))
    try:
        edits = (*tab.form.switch_sides(row, tab.database), Edit(row, "action", RULE), Edit(row, "ready", False))
    except Rejected as rejection:
        return refused(row, id, rejection.problems)
    if obstacles := tuple(p for edit in edits for p in writer.obstacles_of(edit.row, edit.attribute)):
        return refused(row, id, obstacles)
    if held:
        return Answer(StatusCells(row, id, "Waiting", NOTHING_RULED.format(held)))
    if not reader.know(row, id, dict.fromkeys(edit.row for edit in edits if edit.row.table is not row.table)):
        return Answer(StatusCells(row, id, "Waiting", SWITCHING))
    for edit in edits:
        writer.changes.set(edit.row, edit.attribute, edit.value)
        tab.database.write(edit.row, edit.attribute, edit.value)
    return Answer(StatusCells(row, id, "", SWITCHED.format(tab.form.sides_text(row))))


def preview(tab: RequestTab, row: Row, id: str, context: PassContext) -> Answer:
    """Answer with the picture of a request before its ruling and with its messages, whatever is wrong (REQ-15)."""
    remarks: tuple[str, ...] = ()
    try:
        content = tab.form.read(row, tab.database)
        remarks, problems = content.remarks, content.warnings
    except Rejected as rejection:
        problems = rejection.problems
    try:
        board = tab.form.board(row, tab.database)
    except Rejected as rejection:
        return refused(row, id, rejection.problems)
    scene = board.scene if board else None
    status = "Invalid" if any(problem.is_error for problem in problems) else ""
    text = NO_PICTURE if scene is None else PREVIEWED.format(context.writing.preview_name(id) or NO_FILE)
    return Answer(StatusCells(row, id, status, message(problems, text, remarks)), problems, preview=scene)
