"""The plan of one pass over a snapshot: problems, rulings and changes. Pure: equal arguments give an equal plan.

Receipts are the truth. A request is ruled if it is ready, valid and has no receipt. The program's columns are computed
anew on every pass and written where they differ.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.columns import loosely, tab_of
from engine.rng import Rng
from engine.ruleset import Event, LogSink, Outcome, no_op
from sheets_algo.database.cells import ReadError, read_value
from sheets_algo.database.problems import CellRef, Problem, Rejected, Severity, quoted, shortened
from sheets_algo.database.records import RULE_AGAIN, Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form, FormResult, by_ruleset, open_database, request_id
from sheets_algo.ruling.changes import Changes
from sheets_algo.ruling.forecast_rows import (
    Cells,
    ForecastLog,
    ForecastRow,
    PendingForecast,
    ReadyForecast,
    line,
    war_of,
)
from sheets_algo.ruling.intents import PendingRow, PendingTab, with_note
from sheets_algo.ruling.luck_report import LuckOf, no_luck_lines
from sheets_algo.ruling.plan import Answer, Owed, Plan, Ruling
from sheets_algo.ruling.program_cells import added_row, find_edits
from sheets_algo.ruling.receipt_log import ReceiptLog, season_trouble
from sheets_algo.ruling.receipts import Figures, LogRow, PartResult, ReceiptRow, Receipts, StoredReceipt
from sheets_algo.ruling.request_ids import Ids, LostRequests
from sheets_algo.ruling.seeds import Secret
from sheets_algo.ruling.status_columns import (
    UNDONE,
    WAITING,
    StatusCells,
    message,
    row_digest,
    typed_digest,
    war_digest,
    write_status,
)
from sheets_algo.ruling.writer import PlanWriter, blocked_says
from sheets_algo.workbook.base import Address, SeasonMismatch, Snapshot, WorkbookError


@dataclass(frozen=True, slots=True, kw_only=True)
class PassContext:
    """The context of a pass: rulesets, tables, secret, and what the passes before it found.

    Args:
        forms: The forms, one a request tab, in the order in which the tabs are read.
        fingerprints: The SHA-256 of each ruleset's tables, by name of the ruleset.
        secret: The season secret.
        log_lines_most: The most lines of one ruling in the Log tab.
        known: A digest of each request in the pass before; a request that has changed since is Waiting, because
            somebody may still be typing. None rules at first sight.
        shown: The digest of the row and the status of each request without a ruling, after the pass before.
        most: The characters that a pass may write before it leaves the rest to the next one; None for no limit. The
            cells of one request are never divided.
        foretold: The forecasts that are ready to be written, by `PendingForecast.key`.
        luck_of: Returns the lines at the end of a ruling's log that say how lucky it was (FC-06).
        owes_luck: Whether these lines follow after the commit, since they take longer than the ruling.
        last_lines: These lines, where they are ready, by number of the receipt.
        is_trial: Whether nothing will be written; then a row without an id is ruled as if it had one.
        blocked: The cells that take no value, and the reasons. A ruling that must write one of them is refused; a
            cell that is only shown is left out (RCP-31).
    """

    forms: Sequence[Form[Any]]
    fingerprints: Mapping[str, str]
    secret: Secret
    log_lines_most: int = 500
    known: Mapping[str, str] | None = None
    shown: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    most: int | None = None
    foretold: Mapping[tuple[str, str, str], ReadyForecast] = field(default_factory=dict)
    luck_of: LuckOf = no_luck_lines
    owes_luck: bool = False
    last_lines: Mapping[int, Sequence[Event]] = field(default_factory=dict)
    is_trial: bool = False
    blocked: Mapping[Address, str] = field(default_factory=dict)


def tabs_to_read(forms: Iterable[type[Form[Any]]]) -> tuple[str, ...]:
    """Return the names of the tabs that a pass needs whole."""
    records = (record for form in forms for record in form.records())
    return tuple(dict.fromkeys(tab_of(record).name for record in (*records, ReceiptRow, ForecastRow, PendingRow)))


FORETELLING = "Its odds are being worked out; nothing is ruled"
HEADERS_TO_READ = (LogRow.tab.name,)
"""Names of the tabs of which a pass needs only the header row."""


LogFactory = Callable[[Form[Any], str], LogSink]
"""Returns the sink of a request's log, which is written while the request is resolved (LOG-01)."""


def no_log(form: Form[Any], request: str) -> LogSink:
    """Return a sink that ignores the log."""
    return no_op


def plan_pass(snapshot: Snapshot, context: PassContext, now: str, logs: LogFactory = no_log) -> Plan:
    """Plan one pass over a snapshot.

    Args:
        snapshot: The tabs of `tabs_to_read`, and the headers of `HEADERS_TO_READ`.
        context: The context of the pass.
        now: The time of the pass, UTC, ISO 8601.
        logs: Returns the sink of each request's log.

    Raises:
        SeasonMismatch: The secret is another season's, or the season's row is gone.
        ReceiptDamaged: A receipt was changed by hand so that it cannot be read.
        ForeignTab: A tab called Log is not the program's.
    """
    return Planner(snapshot, context, now, logs).plan()


def pending(snapshot: Snapshot, forms: Iterable[Form[Any]], receipts: Receipts) -> int:
    """Return the number of rows that are ready and have no receipt: the most that a pass will rule."""
    tables = (Table(form.request, snapshot.sheet(tab_of(form.request).name)) for form in forms)
    return sum(_open(table.rows, receipts) for table in tables)


def _open(rows: Iterable[Row], receipts: Receipts) -> int:
    return sum(1 for row in rows if is_ready(row) is True and receipts.ruling_of(request_id(row)) is None)


def check(snapshot: Snapshot, forms: Iterable[Form[Any]]) -> tuple[Problem, ...]:
    """Return every problem of the database and of every request without a receipt, ready or not; rule nothing.

    Raises:
        ReceiptDamaged: A receipt was changed by hand so that it cannot be read.
    """
    receipts = ReceiptLog(snapshot, Changes()).receipts
    forms = tuple(forms)
    problems: dict[Problem, None] = dict.fromkeys(unsettled(snapshot, forms))
    asked = _asked_tables(snapshot, forms)
    for group in by_ruleset(forms):
        book = open_database(snapshot, group)
        problems |= dict.fromkeys(find_edits(receipts, _database(group), book))
        for form in group:
            table = book.table(form.request)
            problems |= dict.fromkeys((*table.header_problems, *form.check(book)))
            ids = Ids(form.prefix, table, _others(asked, form))
            for row in table:
                ruling = receipts.ruling_of(request_id(row))
                problems |= dict.fromkeys(ids.duplicate_problems(row) or ids.conflict_problems(row, ruling, form.key))
                if ruling is None:
                    problems |= dict.fromkeys(_problems_of(form, book, row))
    return tuple(problems)


def unsettled(snapshot: Snapshot, forms: Iterable[Form[Any]]) -> tuple[Problem, ...]:
    """Return the problems of displaced cells of earlier commits (RCP-33) and of ruled requests without a row (REQ-09).

    Raises:
        ReceiptDamaged: A receipt was changed by hand so that it cannot be read.
    """
    forms = tuple(forms)
    lost = LostRequests(ReceiptLog(snapshot, Changes()).receipts, _asked_tables(snapshot, forms))
    return (*PendingTab.read(snapshot, map(type, forms)).found, *lost.problems())


def _asked_tables(snapshot: Snapshot, forms: Iterable[Form[Any]]) -> Mapping[str, Table]:
    """Return the request tab of each form, by its key."""
    return {form.key: Table(form.request, snapshot.sheet(tab_of(form.request).name)) for form in forms}


def _others(tables: Mapping[str, Table], form: Form[Any]) -> Sequence[Table]:
    """Return the tables of the other forms."""
    return [table for key, table in tables.items() if key != form.key]


def _database(forms: Iterable[Form[Any]]) -> tuple[type, ...]:
    """Return the database tabs of some forms, each once."""
    return tuple(dict.fromkeys(record for form in forms for record in form.database))


def _problems_of(form: Form[Any], database: Database, row: Row) -> tuple[Problem, ...]:
    try:
        return form.read(row, database).warnings
    except Rejected as rejection:
        return rejection.problems


STATUSES = ("Waiting", "Invalid", "Done", "Undone", "Failed")
"""Statuses that a program writes; any other text was typed by a person."""


def _disputed(cells: StatusCells) -> Problem:
    """Return the problem of a request in which two programs see different things (REQ-05)."""
    return cells.row.warning(
        "status",
        "REQ-05",
        f"another program has written {quoted(str(cells.row.value('status')))} where this one wrote"
        f" {quoted(cells.status)}; it is left as it is",
        allowed="Let both run the same version, settings and maps, and restart the one that is wrong",
    )


def _orphans(form: Form[Any], database: Database) -> Iterator[Problem]:
    """Yield a problem for the first row of each request that does not exist, and for the first without a request."""
    known = {loosely(id) for id in database.table(form.request).texts("request")}
    for record in form.parts:
        table = database.table(record)
        lost = [rows[0] for id, rows in table.by_request.items() if id not in known]
        for row in (*lost, *[row for row in table if row.is_blank("request")][:1]):
            at = row.cell("request")
            yield from (problem for problem in database.read(row, record).problems if problem.cell == at)


@dataclass
class Planner:
    """The planning of one pass; arguments as in `plan_pass`."""

    snapshot: Snapshot
    context: PassContext
    now: str
    listen: LogFactory
    changes: Changes = field(init=False)
    of_tabs: list[Problem] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    known: dict[str, str] = field(default_factory=dict)
    is_partial: bool = False
    left: int = 0
    wanted: dict[str, PendingForecast] = field(default_factory=dict)
    told: dict[str, Cells] = field(default_factory=dict)
    shown: dict[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.changes = Changes(self.context.blocked)
        self.forecasts = ForecastLog(self.snapshot, self.changes)
        self.book = ReceiptLog(self.snapshot, self.changes)
        self.pending = PendingTab.read(self.snapshot, map(type, self.context.forms))
        forms = {form.key: form for form in self.context.forms}
        owed = filter(None, map(self.book.receipts.by_seq.get, self.pending.owed))
        self.owed = [Owed(it, forms.get(it.ruleset)) for it in owed]
        trouble = season_trouble(self.book.receipts, self.context.secret)
        if trouble:
            raise SeasonMismatch(trouble)
        self.asked = _asked_tables(self.snapshot, self.context.forms)
        self.lost = LostRequests(self.book.receipts, self.asked)
        self.writer = PlanWriter(
            changes=self.changes,
            book=self.book,
            blocked=self.context.blocked,
            secret=self.context.secret,
            log_lines_most=self.context.log_lines_most,
            now=self.now,
        )

    def plan(self) -> Plan:
        """Return the plan: a repair, new ids, or rulings and statuses."""
        if self.pending.repairs:
            return self._repair()
        if not (self.snapshot.revision or self.context.is_trial) and self._give_ids():
            changes = with_note(self.pending, self.changes.finish(None, self._season), self.now)
            return Plan(
                (),
                changes,
                self.pending.problems,
                known=self.context.known or {},
                is_partial=True,
                owed=tuple(self.owed),
            )
        self.of_tabs += self.pending.problems
        for place, why in self.context.blocked.items():
            says = blocked_says(why)
            self.of_tabs.append(Problem(cell=CellRef(*place), says=says, id="RCP-31", severity=Severity.WARNING))
        answers = tuple(answer for group in by_ruleset(self.context.forms) for answer in self._answers(group))
        for cells in self.told.values():
            self.forecasts.append(cells, self.now)
        ruled = [answer.ruling for answer in answers if answer.ruling] if self.context.owes_luck else []
        self._complete_logs()
        self.owed += [Owed(it.receipt, it.form) for it in ruled]
        return Plan(
            answers,
            with_note(
                self.pending,
                self.changes.finish(self.book.guard, self._season),
                self.now,
                [it.receipt.seq for it in self.owed],
            ),
            tuple(dict.fromkeys(self.of_tabs)),
            tuple(self.failures),
            {**(self.context.known or {}), **self.known} if self.is_partial else self.known,
            self.is_partial,
            self.left,
            tuple(self.wanted.values()),
            tuple(self.told.values()),
            owed=tuple(self.owed),
            shown=self.shown,
        )

    def _complete_logs(self) -> None:
        """Complete the logs whose last lines are ready (FC-06)."""
        lines = self.context.last_lines
        for receipt in (it.receipt for it in self.owed if it.receipt.seq in lines):
            self.book.append_events(receipt, lines[receipt.seq])
        self.owed = [it for it in self.owed if it.receipt.seq not in lines]

    def _repair(self) -> Plan:
        """Plan the repair of an earlier write and nothing else: rows in the wrong state are not ruled (RCP-33)."""
        repairs = self.pending.repairs
        count = len(repairs.cells) + len(repairs.rows)
        return Plan(
            (),
            with_note(self.pending, repairs, self.now),
            self.pending.problems,
            known=self.context.known or {},
            is_partial=True,
            owed=tuple(self.owed),
            repaired=count,
        )

    def _give_ids(self) -> bool:
        """Give ids to the ready rows that have none, and do nothing else; return True if there were any.

        Where people may move rows while the program writes, an id may land on another row. So a request is ruled only
        when a later pass has found the id beside the row that it was given to.
        """
        for forms in by_ruleset(self.context.forms):
            book = open_database(self.snapshot, forms)
            for form in forms:
                table = book.table(form.request)
                ids = self._ids(form, book)
                for row in table:
                    if not request_id(row) and is_ready(row) is True and not self._refused_without_id(form, book, row):
                        self.changes.set(row, "request", ids.next_free())
        return bool(self.changes.size)

    def _ids(self, form: Form[Any], database: Database) -> Ids:
        table = database.table(form.request)
        return Ids(form.prefix, table, _others(self.asked, form), self._named_elsewhere(form, database))

    def _refused_without_id(self, form: Form[Any], database: Database, row: Row) -> tuple[Problem, ...]:
        """Why a row gets no id: its cell takes none, or it looks like a request that was ruled."""
        obstacles = tuple(self.writer.obstacles_of(row, "request"))
        return obstacles or self._lookalike(form, database, row)

    def _lookalike(self, form: Form[Any], database: Database, row: Row) -> tuple[Problem, ...]:
        if database.read(row, form.request).values.get("action", "Rule") != "Rule":
            return ()
        found = self.lost.lookalike_problems(row, form.key)
        if found or not self.lost:
            return found
        try:
            return self.lost.lookalike_problems(row, form.key, form.serialize(form.read(row, database).inputs))
        except Rejected:
            return ()

    @property
    def _season(self) -> str:
        """Return the season's digest: that of the receipts, or its own if this pass begins the season."""
        begun = self.book.receipts.season
        return begun or ("" if self.book.guard is None else self.context.secret.digest)

    def _answers(self, forms: Sequence[Form[Any]]) -> Iterator[Answer]:
        """Yield the answers of one ruleset: tab by tab, each row on the database as the rows before it left it."""
        book = open_database(self.snapshot, forms)
        forms = [form for form in forms if book.table(form.request).sheet]  # nobody need play by every ruleset
        if not forms:
            return
        self.of_tabs += find_edits(self.book.receipts, _database(forms), book)
        answers = [
            (form, ids, self._answer(form, book, row, ids)) for form in forms for ids, row in self._asked(form, book)
        ]
        if any(answer.ruling for _, _, answer in answers):
            # What was refused or forecast before the last ruling is said of the database as it is left.
            answers = [
                (form, ids, self._answer(form, book, it.shown.row, ids) if it.shown.status in ("", "Invalid") else it)
                for form, ids, it in answers
            ]
        for form, _, answer in answers:
            if self._is_disputed(answer.shown):
                self.of_tabs.append(_disputed(answer.shown))
                self._remember(answer.shown)
            elif answer.ruling or self._has_room(2):
                write_status(self.changes, book, form, answer.shown)
                self._remember(answer.shown)
            yield answer

    def _is_disputed(self, cells: StatusCells) -> bool:
        """Tell whether another program has replaced the status that this one wrote, in a row that has not changed.

        It sees other tabs, maps or settings; its word is newer, and two programs that take turns never come to rest.
        """
        if self.pending.intents:  # a status may be this program's own, beside the wrong row
            return False
        found = str(cells.row.value("status") or "")
        wrote = (row_digest(cells.row), cells.status)
        return found in STATUSES and found != cells.status and self.context.shown.get(loosely(cells.request)) == wrote

    def _remember(self, cells: StatusCells) -> None:
        """Remember the status shown for a request without a ruling, unless its cell takes no value."""
        row = cells.row
        is_blocked = (row.table.name, row.number, row.table.places.get("status", 0)) in self.context.blocked
        if cells.request and cells.ruled is None and not is_blocked:
            self.shown[loosely(cells.request)] = (row_digest(row), cells.status)

    def _asked(self, form: Form[Any], database: Database) -> Iterator[tuple[Ids, Row]]:
        """Yield the rows of one request tab, as long as there is room."""
        table = database.table(form.request)
        self.of_tabs += table.header_problems
        self.of_tabs += _orphans(form, database)
        ids = self._ids(form, database)
        for row in self._affordable(table):
            yield ids, row

    def _affordable(self, table: Table) -> Iterator[Row]:
        """Yield rows as long as there is room; the next pass answers the others."""
        for number, row in enumerate(table):
            if not self._has_room():
                self.left += _open(table.rows[number:], self.book.receipts)
                return
            yield row

    def _has_room(self, times: int = 1) -> bool:
        """Return True if the pass may write more; statuses may follow where no further ruling may."""
        if self.context.most is None or self.changes.size < times * self.context.most:
            return True
        self.is_partial = True
        return False

    def _named_elsewhere(self, form: Form[Any], database: Database) -> Iterator[str]:
        """Yield the ids that no new request may get, since it would take over another one's ruling or flanks."""
        yield from (receipt.request for receipt in self.book.receipts.by_seq.values())
        for record in form.parts:
            yield from database.table(record).texts("request")

    def _answer(self, form: Form[Any], database: Database, row: Row, ids: Ids) -> Answer:
        id = request_id(row)
        ruled = self.book.receipts.ruling_of(id) if id else None
        shared = ids.duplicate_problems(row)
        if shared:
            own = ruled if ruled and ruled.ruleset == form.key else None
            return Answer(StatusCells(row, id, "Invalid", message(shared), own), shared)
        taken = ids.conflict_problems(row, ruled, form.key)
        if taken:
            return Answer(StatusCells(row, id, "Invalid", message(taken)), taken)
        if ruled:
            return Answer(self._standing(row, ruled))
        ready = is_ready(row)
        if isinstance(ready, Problem):
            return Answer(StatusCells(row, id, "Invalid", message([ready])), (ready,))
        if not ready:
            return Answer(StatusCells(row, id, "", ""))
        wrong = self._refused_without_id(form, database, row) if not id else self._lookalike(form, database, row)
        wrong = wrong or tuple(it for it in self.pending.problems if it.cell == row.cell("request"))
        if wrong:  # ruled under an id that nobody sees, or under a second one, it would be ruled again
            return Answer(StatusCells(row, id, "Invalid", message(wrong)), wrong)
        if not id:
            id = ids.next_free()
            self.changes.set(row, "request", id)
            database.write(row, "request", id)
        return self._resolved(form, database, row, id)

    def _standing(self, row: Row, ruled: StoredReceipt) -> StatusCells:
        undo = self.book.receipts.undo_of(ruled.request)
        if undo and undo.seq > ruled.seq:
            return StatusCells(row, ruled.request, "Undone", UNDONE.format(undo.seq), ruled)
        return StatusCells(row, ruled.request, "Done", ruled.figures.message, ruled)

    def _resolved(self, form: Form[Any], database: Database, row: Row, id: str) -> Answer:
        try:
            filled = form.read(row, database)
        except Rejected as rejection:
            return Answer(StatusCells(row, id, "Invalid", message(rejection.problems)), rejection.problems)
        # What is resolved is what verify will thaw, not what the form happened to build.
        inputs = form.serialize(filled.inputs)
        asked = database.read(row, form.request).values
        is_settled = self._is_settled(row, id, filled)
        if asked.get("action", "Rule") not in ("Rule", RULE_AGAIN):
            wanted = PendingForecast(form, id, war_of(form, row), inputs, self.context.fingerprints[form.ruleset_key])
            return self._forecast(wanted, row, filled, is_settled)
        if not is_settled:
            said = message(filled.warnings, WAITING, filled.remarks)
            return Answer(StatusCells(row, id, "Waiting", said), filled.warnings)
        given = asked.get("seed")
        seed = int(given) if given is not None else self.context.secret.seed(id, inputs)
        try:
            tell = self.listen(form, id)
            outcome = form.ruleset.resolve(form.deserialize(inputs), Rng(seed), tell)
            lucky = self.context.luck_of(form, form.deserialize(inputs), seed, tell)
            rows = [added_row(form, database, it) for it in outcome.rows]
            obstacles = tuple(self.writer.obstacles(form, database, rows, outcome.updates))
        except WorkbookError:  # the world's fault, and not this war's: its log cannot be written
            raise
        except Exception as bug:  # one war that hits a bug of ours must not stop the season's others
            self.failures.append(f"{id}: {traceback.format_exc()}")
            what = f"{type(bug).__name__}: {shortened(str(bug))}"
            said = f"The program failed on this request ({what}); nothing was ruled"
            return Answer(StatusCells(row, id, "Failed", said), filled.warnings)
        if obstacles:
            return Answer(StatusCells(row, id, "Invalid", message((*obstacles, *filled.warnings))), obstacles)
        said = message(filled.warnings, outcome.summary, filled.remarks)
        figures = Figures(said, outcome.figures, _parts(outcome, filled), war_digest(row))
        source = "season" if given is None else "given"
        begun = StoredReceipt(
            seq=0,
            kind="Ruling",
            request=id,
            seed=str(seed),
            seed_source=source,
            inputs=inputs,
            figures=figures,
            rules_fingerprint=self.context.fingerprints[form.ruleset_key],
        )
        receipt = self.writer.record(form, database, begun, outcome, rows, lucky)
        return Answer(StatusCells(row, id, "Done", said, receipt), filled.warnings, Ruling(receipt, outcome, form))

    def _forecast(self, wanted: PendingForecast, row: Row, filled: FormResult[Any], is_settled: bool) -> Answer:
        """Answer a request for odds: from the sheet, or from the forecasts that are ready (FC-04)."""
        own = loosely(wanted.request)
        self.wanted.pop(own, None)  # it may be asked again, after a ruling
        self.told.pop(own, None)
        exactly = wanted.form.forecast(wanted.form.deserialize(wanted.inputs))
        foretold = self.context.foretold.get(wanted.key)
        cells = self.forecasts.standing(wanted)
        if cells is None and foretold is not None and not foretold.failure:
            cells = self.told[own] = foretold.cells
        if cells is not None:
            status, said = "", exactly or line(cells)
        elif foretold is not None:
            self.failures.append(f"{wanted.request}: {foretold.failure}")
            status, said = "Failed", f"The program failed on this forecast ({foretold.failure.splitlines()[0]})"
        else:
            status, said = "Waiting", exactly or FORETELLING
            if is_settled:
                self.wanted[own] = wanted
        said = message(filled.warnings, said, filled.remarks)
        return Answer(StatusCells(row, wanted.request, status, said), filled.warnings)

    def _is_settled(self, row: Row, id: str, filled: FormResult[Any]) -> bool:
        """Return True if nobody has changed the request since the pass before."""
        digest = self.known[loosely(id)] = typed_digest(row, (it for rows in filled.rows.values() for it in rows))
        return self.context.known is None or self.context.known.get(loosely(id)) == digest


def _parts(outcome: Outcome, filled: FormResult[Any]) -> tuple[PartResult, ...]:
    return tuple(
        PartResult(result.tab, row_digest(filled.rows[result.tab][result.row]), result.values)
        for result in outcome.results
    )


def is_ready(row: Row) -> bool | Problem:
    """Return whether Ready is ticked, or the problem of its cell."""
    if row.is_blank("ready"):
        return False
    column = dict(row.table.columns)["ready"]
    try:
        return bool(read_value(column, row.value("ready"), {}))
    except ReadError as trouble:
        return row.read_problem("ready", column, trouble)
