"""Every problem of a workbook, found without ruling or writing anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from engine.battle_map import Scene
from sheets_algo.database.problems import PROBLEMS_COUNTED, Problem, Rejected
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import Form, by_ruleset, open_database, request_id
from sheets_algo.ruling.changes import Changes
from sheets_algo.ruling.former_columns import gone
from sheets_algo.ruling.intents import PendingTab
from sheets_algo.ruling.order_turns import OrderTurns
from sheets_algo.ruling.overrides import Overrides
from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.program_cells import edit_problems, find_edits
from sheets_algo.ruling.receipt_log import ReceiptLog, other_rules
from sheets_algo.ruling.request_ids import Ids, LostRequests
from sheets_algo.ruling.request_tabs import misspelt_request_tabs, request_tables
from sheets_algo.workbook.base import Snapshot


def check(snapshot: Snapshot, forms: Iterable[Form[Any]], trial: Plan | None = None) -> tuple[Problem, ...]:
    """Return every problem of the database and of every request without a receipt, ready or not; rule nothing.

    Args:
        snapshot: The tabs that a pass reads.
        forms: The forms.
        trial: The plan of a pass that writes nothing. It tells which requests are refused, each on the database as the
            rulings before leave it; what is only worth a warning there depends on luck and is left out.

    Returns:
        The problems, each once; the first `PROBLEMS_COUNTED` and one more if there are more.

    Raises:
        ReceiptDamaged: A receipt was changed by hand so that it cannot be read.
    """
    problems: dict[Problem, None] = {}
    for problem in _found(snapshot, tuple(forms), trial):
        problems[problem] = None
        if len(problems) > PROBLEMS_COUNTED:
            break
    return tuple(problems)


def _found(snapshot: Snapshot, forms: tuple[Form[Any], ...], trial: Plan | None) -> Iterator[Problem]:
    """Yield every problem, some of them several times."""
    answers = {answer.shown.row.cell("request"): answer for answer in trial.answers} if trial else {}
    receipts = ReceiptLog(snapshot, Changes()).receipts
    yield from (*unsettled(snapshot, forms), *misspelt_request_tabs(snapshot))
    yield from (problem for form in forms if (problem := other_rules(form, receipts)))
    yield from (problem for form in forms for problem in gone(form, snapshot, receipts.columns))
    tables = request_tables(snapshot, forms)
    overrides = Overrides(snapshot, receipts, tables.values())
    yield from overrides.problems
    for group in by_ruleset(forms):
        database = open_database(snapshot, group)
        yield from edit_problems(find_edits(receipts, group, database))
        for form in group:
            table = database.table(form.request)
            yield from table.header_problems
            yield from form.check(database)
            ids, turns = Ids(form, table, tables), OrderTurns(form, database, receipts)
            for row in table:
                ruling = receipts.ruling_of(request_id(row))
                yield from ids.duplicate_problems(row) or ids.conflict_problems(row, ruling)
                if ruling is None:
                    own, answer = _request_problems(form, database, row), answers.get(row.cell("request"))
                    if answer and answer.shown.status:
                        errors = [problem for problem in answer.problems if problem.is_error]
                        own = (*errors, *(problem for problem in own if not problem.is_error))
                    elif form.turn_column and turns.awaited(row):  # once ready, it waits for its turn
                        own = tuple(problem for problem in own if problem.cell != row.cell(form.turn_column))
                    yield from own
                    yield from overrides.pending(request_id(row))[1]


def planned_scenes(snapshot: Snapshot, forms: Iterable[Form[Any]]) -> Mapping[str, Scene]:
    """Return the picture of each request that has a board and is not ruled, by id, or by row if it has none (REQ-15).

    Raises:
        ReceiptDamaged: A receipt was changed by hand so that it cannot be read.
    """
    receipts, scenes = ReceiptLog(snapshot, Changes()).receipts, {}
    for group in by_ruleset(forms):
        database = open_database(snapshot, group)
        for form in group:
            for row in database.table(form.request):
                if receipts.ruling_of(request_id(row)) is not None:
                    continue
                with suppress(Rejected):  # a board cannot show it
                    board = form.board(row, database)
                    if board and (scene := board.scene):
                        scenes[request_id(row) or f"row {row.number}"] = scene
    return scenes


def unsettled(snapshot: Snapshot, forms: Iterable[Form[Any]]) -> tuple[Problem, ...]:
    """Return the problems of displaced cells of earlier commits (RCP-33) and of ruled requests without a row (REQ-09).

    Raises:
        ReceiptDamaged: A receipt was changed by hand so that it cannot be read.
    """
    forms = tuple(forms)
    lost = LostRequests(ReceiptLog(snapshot, Changes()).receipts, request_tables(snapshot, forms))
    return (*PendingTab.read(snapshot, map(type, forms)).found, *lost.problems())


def _request_problems(form: Form[Any], database: Database, row: Row) -> tuple[Problem, ...]:
    try:
        return form.read(row, database).warnings
    except Rejected as rejection:
        return rejection.problems
