"""One pass over a snapshot: forms, problems, rulings, and what to write. Pure: equal arguments, equal plan.

Receipts are the truth. A request is ruled if it is ready, valid and has no receipt; everything the program shows
beside people's cells is a projection, computed anew on every pass and written where it differs.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.fields import loosely, tab_of
from engine.luck import Luck
from engine.outcome import Event, Listener, Outcome, silent
from sheets_algo.book import RULE_AGAIN, Book
from sheets_algo.changes import Changes
from sheets_algo.forecasts.how_lucky import LuckOf, untold
from sheets_algo.forecasts.tab import Cells, ForecastBook, ForecastRow, Foretold, Wanted, line, war_of
from sheets_algo.forms.base import Filled, Form, book_of, by_ruleset, request_id
from sheets_algo.ids import Ids, Lost
from sheets_algo.intents import Pending, PendingRow, noted
from sheets_algo.ledger import ReceiptBook, season_trouble
from sheets_algo.owned import added, edited
from sheets_algo.plans import Answer, Owed, Plan, Ruling
from sheets_algo.problems import Cell, Problem, Rejected, Severity, quoted, shortened
from sheets_algo.projection import UNDONE, WAITING, Shown, message, project, row_digest, typed_digest, war_digest
from sheets_algo.receipts import Figures, LogRow, PartResult, Receipt, ReceiptRow, Receipts
from sheets_algo.seeds import Secret
from sheets_algo.tables import Row, Table
from sheets_algo.values import Trouble, read_value
from sheets_algo.workbook.base import Address, SeasonMismatch, Snapshot, WorkbookError
from sheets_algo.writing import Writer, blocked_says


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What a pass needs beside the snapshot.

    Args:
        forms: One a request tab, in the order in which the tabs are read.
        fingerprints: Ruleset name to the SHA-256 of its tables.
        secret: The season's.
        log_lines_most: Upper bound of a ruling's share of the Log tab.
        known: What the pass before saw in each request; one that shows something else is Waiting, since somebody may
            still be typing. None rules at first sight.
        shown: What the pass before showed of each request that is not ruled: digest of its row, and status.
        most: Characters that a pass may write before it leaves the rest to the next one; None for all. What belongs to
            one request is never divided.
        foretold: Forecasts that are ready to be written, by `Wanted.key`; working them out is nothing for a pass.
        luck_of: Says at the end of a ruling's log how lucky it was (FC-06); that takes longer than the ruling.
        owes_luck: How lucky a ruling was is said after it is written, since that takes longer than the ruling.
        last_lines: Of logs that are to be completed, where they are ready, by number of the receipt.
        is_trial: Nothing will be written, so a row without an id is ruled as if it had been given one.
        blocked: Cells that take no value, and why: what a ruling must write there keeps it from being ruled, what is
            only shown there is left out (RCP-31).
    """

    forms: Sequence[Form[Any]]
    fingerprints: Mapping[str, str]
    secret: Secret
    log_lines_most: int = 500
    known: Mapping[str, str] | None = None
    shown: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    most: int | None = None
    foretold: Mapping[tuple[str, str, str], Foretold] = field(default_factory=dict)
    luck_of: LuckOf = untold
    owes_luck: bool = False
    last_lines: Mapping[int, Sequence[Event]] = field(default_factory=dict)
    is_trial: bool = False
    blocked: Mapping[Address, str] = field(default_factory=dict)


def tabs_to_read(forms: Iterable[type[Form[Any]]]) -> tuple[str, ...]:
    """Every tab that a pass needs whole."""
    records = (record for form in forms for record in form.records())
    return tuple(dict.fromkeys(tab_of(record).name for record in (*records, ReceiptRow, ForecastRow, PendingRow)))


FORETELLING = "Its odds are being worked out; nothing is ruled"
HEADERS_TO_READ = (LogRow.tab.name,)
"""Tabs of which a pass needs only the header row."""


Ear = Callable[[Form[Any], str], Listener]
"""Gives each request that is ruled someone who hears its log while it runs (LOG-01)."""


def deaf(form: Form[Any], request: str) -> Listener:
    """Nobody hears."""
    return silent


def plan(snapshot: Snapshot, desk: Desk, now: str, listen: Ear = deaf) -> Plan:
    """Everything that one pass over a snapshot does.

    Args:
        snapshot: Of at least `tabs_to_read` and the headers of `HEADERS_TO_READ`.
        desk: Rulesets, tables, secret.
        now: Time of the pass, UTC, ISO 8601.
        listen: Who hears the logs.

    Raises:
        SeasonMismatch: The secret is another season's, or the season's row is gone.
        ReceiptDamaged: A receipt was changed by hand so that it cannot be read.
        ForeignTab: A tab called Log is not the program's.
    """
    return _Pass(snapshot, desk, now, listen).plan()


def pending(snapshot: Snapshot, forms: Iterable[Form[Any]], receipts: Receipts) -> int:
    """How many rows are ready and have no receipt: the most that a pass will rule."""
    tables = (Table(form.request, snapshot.sheet(tab_of(form.request).name)) for form in forms)
    return sum(_open(table.rows, receipts) for table in tables)


def _open(rows: Iterable[Row], receipts: Receipts) -> int:
    return sum(1 for row in rows if is_ready(row) is True and receipts.ruling_of(request_id(row)) is None)


def check(snapshot: Snapshot, forms: Iterable[Form[Any]]) -> tuple[Problem, ...]:
    """Every problem of the database and of every request without a receipt, ready or not; nothing is rolled.

    Raises:
        ReceiptDamaged: A receipt was changed by hand so that it cannot be read.
    """
    receipts = ReceiptBook(snapshot, Changes()).receipts
    forms = tuple(forms)
    problems: dict[Problem, None] = dict.fromkeys(unsettled(snapshot, forms))
    asked = _asked_tables(snapshot, forms)
    for group in by_ruleset(forms):
        book = book_of(snapshot, group)
        problems |= dict.fromkeys(edited(receipts, _database(group), book))
        for form in group:
            table = book.table(form.request)
            problems |= dict.fromkeys((*table.header_problems, *form.check(book)))
            ids = Ids(form.prefix, table, _others(asked, form))
            for row in table:
                ruling = receipts.ruling_of(request_id(row))
                problems |= dict.fromkeys(ids.shared(row) or ids.taken(row, ruling, form.key))
                if ruling is None:
                    problems |= dict.fromkeys(_problems_of(form, book, row))
    return tuple(problems)


def unsettled(snapshot: Snapshot, forms: Iterable[Form[Any]]) -> tuple[Problem, ...]:
    """Cells of earlier writes that are not where they belong (RCP-33), and ruled requests whose row is gone (REQ-09).

    Raises:
        ReceiptDamaged: A receipt was changed by hand so that it cannot be read.
    """
    forms = tuple(forms)
    lost = Lost(ReceiptBook(snapshot, Changes()).receipts, _asked_tables(snapshot, forms))
    return (*Pending.read(snapshot, map(type, forms)).found, *lost.problems())


def _asked_tables(snapshot: Snapshot, forms: Iterable[Form[Any]]) -> Mapping[str, Table]:
    """The request tab of each form, by its key."""
    return {form.key: Table(form.request, snapshot.sheet(tab_of(form.request).name)) for form in forms}


def _others(tables: Mapping[str, Table], form: Form[Any]) -> Sequence[Table]:
    """Those of the other forms."""
    return [table for key, table in tables.items() if key != form.key]


def _database(forms: Iterable[Form[Any]]) -> tuple[type, ...]:
    """The database tabs of forms that share some."""
    return tuple(dict.fromkeys(record for form in forms for record in form.database))


def _problems_of(form: Form[Any], book: Book, row: Row) -> tuple[Problem, ...]:
    try:
        return form.read(row, book).warnings
    except Rejected as rejection:
        return rejection.problems


STATUSES = ("Waiting", "Invalid", "Done", "Undone", "Failed")
"""Statuses that a program writes; any other text was typed by a person."""


def _disputed(shown: Shown) -> Problem:
    """Two programs see different things in one request (REQ-05)."""
    return shown.row.warning(
        "status",
        "REQ-05",
        f"another program has written {quoted(str(shown.row.value('status')))} where this one wrote"
        f" {quoted(shown.status)}; it is left as it is",
        allowed="Let both run the same version, settings and maps, and restart the one that is wrong",
    )


def _orphans(form: Form[Any], book: Book) -> Iterator[Problem]:
    """The first row of each request that does not exist, and the first that names none: a slip loses a strategy."""
    known = {loosely(id) for id in book.table(form.request).typed("request")}
    for record in form.parts:
        table = book.table(record)
        lost = [rows[0] for id, rows in table.by_request.items() if id not in known]
        for row in (*lost, *[row for row in table if row.is_blank("request")][:1]):
            at = row.cell("request")
            yield from (problem for problem in book.read(row, record).problems if problem.cell == at)


@dataclass
class _Pass:
    snapshot: Snapshot
    desk: Desk
    now: str
    listen: Ear
    changes: Changes = field(init=False)
    of_tabs: list[Problem] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    known: dict[str, str] = field(default_factory=dict)
    is_partial: bool = False
    left: int = 0
    wanted: dict[str, Wanted] = field(default_factory=dict)
    told: dict[str, Cells] = field(default_factory=dict)
    shown: dict[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.changes = Changes(self.desk.blocked)
        self.forecasts = ForecastBook(self.snapshot, self.changes)
        self.book = ReceiptBook(self.snapshot, self.changes)
        self.pending = Pending.read(self.snapshot, map(type, self.desk.forms))
        forms = {form.key: form for form in self.desk.forms}
        owed = filter(None, map(self.book.receipts.by_seq.get, self.pending.owed))
        self.owed = [Owed(it, forms.get(it.ruleset)) for it in owed]
        trouble = season_trouble(self.book.receipts, self.desk.secret)
        if trouble:
            raise SeasonMismatch(trouble)
        self.asked = _asked_tables(self.snapshot, self.desk.forms)
        self.lost = Lost(self.book.receipts, self.asked)
        self.writer = Writer(
            changes=self.changes,
            book=self.book,
            blocked=self.desk.blocked,
            secret=self.desk.secret,
            log_lines_most=self.desk.log_lines_most,
            now=self.now,
        )

    def plan(self) -> Plan:
        if self.pending.repairs:
            return self._repair()
        if not (self.snapshot.revision or self.desk.is_trial) and self._give_ids():
            changes = noted(self.pending, self.changes.finish(None, self._season), self.now)
            return Plan(
                (), changes, self.pending.problems, known=self.desk.known or {}, is_partial=True, owed=tuple(self.owed)
            )
        self.of_tabs += self.pending.problems
        for place, why in self.desk.blocked.items():
            says = blocked_says(why)
            self.of_tabs.append(Problem(cell=Cell(*place), says=says, id="RCP-31", severity=Severity.WARNING))
        answers = tuple(answer for group in by_ruleset(self.desk.forms) for answer in self._answers(group))
        for cells in self.told.values():
            self.forecasts.append(cells, self.now)
        ruled = [answer.ruling for answer in answers if answer.ruling] if self.desk.owes_luck else []
        self._complete_logs()
        self.owed += [Owed(it.receipt, it.form) for it in ruled]
        return Plan(
            answers,
            noted(
                self.pending,
                self.changes.finish(self.book.guard, self._season),
                self.now,
                [it.receipt.seq for it in self.owed],
            ),
            tuple(dict.fromkeys(self.of_tabs)),
            tuple(self.failures),
            {**(self.desk.known or {}), **self.known} if self.is_partial else self.known,
            self.is_partial,
            self.left,
            tuple(self.wanted.values()),
            tuple(self.told.values()),
            owed=tuple(self.owed),
            shown=self.shown,
        )

    def _complete_logs(self) -> None:
        """Complete the logs whose last lines are ready (FC-06)."""
        lines = self.desk.last_lines
        for receipt in (it.receipt for it in self.owed if it.receipt.seq in lines):
            self.book.log_on(receipt, lines[receipt.seq])
        self.owed = [it for it in self.owed if it.receipt.seq not in lines]

    def _repair(self) -> Plan:
        """Plan the repair of an earlier write and nothing else: rows in the wrong state are not ruled (RCP-33)."""
        repairs = self.pending.repairs
        count = len(repairs.cells) + len(repairs.rows)
        return Plan(
            (),
            noted(self.pending, repairs, self.now),
            self.pending.problems,
            known=self.desk.known or {},
            is_partial=True,
            owed=tuple(self.owed),
            repaired=count,
        )

    def _give_ids(self) -> bool:
        """Give ids to the ready rows that have none, and do nothing else; whether there were any.

        Where rows may be moved while the program writes, an id may come to stand beside another row. So a request is
        ruled when a later look has found the id beside the row that it was given to.
        """
        for forms in by_ruleset(self.desk.forms):
            book = book_of(self.snapshot, forms)
            for form in forms:
                table = book.table(form.request)
                ids = self._ids(form, book)
                for row in table:
                    if not request_id(row) and is_ready(row) is True and not self._refused_without_id(form, book, row):
                        self.changes.set(row, "request", ids.fresh())
        return bool(self.changes.size)

    def _ids(self, form: Form[Any], book: Book) -> Ids:
        table = book.table(form.request)
        return Ids(form.prefix, table, _others(self.asked, form), self._named_elsewhere(form, book))

    def _refused_without_id(self, form: Form[Any], book: Book, row: Row) -> tuple[Problem, ...]:
        """Why a row gets no id: its cell takes none, or it looks like a request that was ruled."""
        obstacles = tuple(self.writer.obstacles_of(row, "request"))
        return obstacles or self._lookalike(form, book, row)

    def _lookalike(self, form: Form[Any], book: Book, row: Row) -> tuple[Problem, ...]:
        if book.read(row, form.request).values.get("action", "Rule") != "Rule":
            return ()
        found = self.lost.lookalike(row, form.key)
        if found or not self.lost:
            return found
        try:
            return self.lost.lookalike(row, form.key, form.freeze(form.read(row, book).inputs))
        except Rejected:
            return ()

    @property
    def _season(self) -> str:
        """The digest that the receipts have; of a season that this pass begins, its own."""
        begun = self.book.receipts.season
        return begun or ("" if self.book.guard is None else self.desk.secret.digest)

    def _answers(self, forms: Sequence[Form[Any]]) -> Iterator[Answer]:
        """Of one ruleset: its request tabs in order, each row on the database as the rows before leave it."""
        book = book_of(self.snapshot, forms)
        forms = [form for form in forms if book.table(form.request).sheet]  # nobody need play by every ruleset
        if not forms:
            return
        self.of_tabs += edited(self.book.receipts, _database(forms), book)
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
                project(self.changes, book, form, answer.shown)
                self._remember(answer.shown)
            yield answer

    def _is_disputed(self, shown: Shown) -> bool:
        """Tell whether another program has replaced the status that this one wrote, in a row that has not changed.

        It sees other tabs, maps or settings; its word is newer, and two programs that take turns never come to rest.
        """
        if self.pending.intents:  # a status may be this program's own, beside the wrong row
            return False
        found = str(shown.row.value("status") or "")
        wrote = (row_digest(shown.row), shown.status)
        return found in STATUSES and found != shown.status and self.desk.shown.get(loosely(shown.request)) == wrote

    def _remember(self, shown: Shown) -> None:
        """Remember the status shown for a request without a ruling, unless its cell takes no value."""
        row = shown.row
        is_blocked = (row.table.name, row.number, row.table.places.get("status", 0)) in self.desk.blocked
        if shown.request and shown.ruled is None and not is_blocked:
            self.shown[loosely(shown.request)] = (row_digest(row), shown.status)

    def _asked(self, form: Form[Any], book: Book) -> Iterator[tuple[Ids, Row]]:
        """The rows of one request tab, as long as there is room."""
        table = book.table(form.request)
        self.of_tabs += table.header_problems
        self.of_tabs += _orphans(form, book)
        ids = self._ids(form, book)
        for row in self._affordable(table):
            yield ids, row

    def _affordable(self, table: Table) -> Iterator[Row]:
        """Rows as long as there is room; whoever comes later is answered by the next pass."""
        for number, row in enumerate(table):
            if not self._has_room():
                self.left += _open(table.rows[number:], self.book.receipts)
                return
            yield row

    def _has_room(self, times: int = 1) -> bool:
        """Whether the pass may write more; statuses may follow where no further ruling may."""
        if self.desk.most is None or self.changes.size < times * self.desk.most:
            return True
        self.is_partial = True
        return False

    def _named_elsewhere(self, form: Form[Any], book: Book) -> Iterator[str]:
        """Ids that no new request may get: it would take over another one's ruling or flanks."""
        yield from (receipt.request for receipt in self.book.receipts.by_seq.values())
        for record in form.parts:
            yield from book.table(record).typed("request")

    def _answer(self, form: Form[Any], book: Book, row: Row, ids: Ids) -> Answer:
        id = request_id(row)
        ruled = self.book.receipts.ruling_of(id) if id else None
        shared = ids.shared(row)
        if shared:
            own = ruled if ruled and ruled.ruleset == form.key else None
            return Answer(Shown(row, id, "Invalid", message(shared), own), shared)
        taken = ids.taken(row, ruled, form.key)
        if taken:
            return Answer(Shown(row, id, "Invalid", message(taken)), taken)
        if ruled:
            return Answer(self._standing(row, ruled))
        ready = is_ready(row)
        if isinstance(ready, Problem):
            return Answer(Shown(row, id, "Invalid", message([ready])), (ready,))
        if not ready:
            return Answer(Shown(row, id, "", ""))
        wrong = self._refused_without_id(form, book, row) if not id else self._lookalike(form, book, row)
        wrong = wrong or tuple(it for it in self.pending.problems if it.cell == row.cell("request"))
        if wrong:  # ruled under an id that nobody sees, or under a second one, it would be ruled again
            return Answer(Shown(row, id, "Invalid", message(wrong)), wrong)
        if not id:
            id = ids.fresh()
            self.changes.set(row, "request", id)
            book.write(row, "request", id)
        return self._resolved(form, book, row, id)

    def _standing(self, row: Row, ruled: Receipt) -> Shown:
        undo = self.book.receipts.undo_of(ruled.request)
        if undo and undo.seq > ruled.seq:
            return Shown(row, ruled.request, "Undone", UNDONE.format(undo.seq), ruled)
        return Shown(row, ruled.request, "Done", ruled.figures.message, ruled)

    def _resolved(self, form: Form[Any], book: Book, row: Row, id: str) -> Answer:
        try:
            filled = form.read(row, book)
        except Rejected as rejection:
            return Answer(Shown(row, id, "Invalid", message(rejection.problems)), rejection.problems)
        # What is resolved is what verify will thaw, not what the form happened to build.
        inputs = form.freeze(filled.inputs)
        asked = book.read(row, form.request).values
        is_settled = self._is_settled(row, id, filled)
        if asked.get("action", "Rule") not in ("Rule", RULE_AGAIN):
            wanted = Wanted(form, id, war_of(form, row), inputs, self.desk.fingerprints[form.ruleset_key])
            return self._forecast(wanted, row, filled, is_settled)
        if not is_settled:
            said = message(filled.warnings, WAITING, filled.remarks)
            return Answer(Shown(row, id, "Waiting", said), filled.warnings)
        given = asked.get("seed")
        seed = int(given) if given is not None else self.desk.secret.seed(id, inputs)
        try:
            tell = self.listen(form, id)
            outcome = form.ruleset.resolve(form.thaw(inputs), Luck(seed), tell)
            lucky = self.desk.luck_of(form, form.thaw(inputs), seed, tell)
            rows = [added(form, book, it) for it in outcome.rows]
            obstacles = tuple(self.writer.obstacles(form, book, rows, outcome.updates))
        except WorkbookError:  # the world's fault, and not this war's: its log cannot be written
            raise
        except Exception as bug:  # one war that hits a bug of ours must not stop the season's others
            self.failures.append(f"{id}: {traceback.format_exc()}")
            what = f"{type(bug).__name__}: {shortened(str(bug))}"
            said = f"The program failed on this request ({what}); nothing was ruled"
            return Answer(Shown(row, id, "Failed", said), filled.warnings)
        if obstacles:
            return Answer(Shown(row, id, "Invalid", message((*obstacles, *filled.warnings))), obstacles)
        said = message(filled.warnings, outcome.summary, filled.remarks)
        figures = Figures(said, outcome.figures, _parts(outcome, filled), war_digest(row))
        source = "season" if given is None else "given"
        begun = Receipt(
            seq=0,
            kind="Ruling",
            request=id,
            seed=str(seed),
            seed_source=source,
            inputs=inputs,
            figures=figures,
            rules_fingerprint=self.desk.fingerprints[form.ruleset_key],
        )
        receipt = self.writer.record(form, book, begun, outcome, rows, lucky)
        return Answer(Shown(row, id, "Done", said, receipt), filled.warnings, Ruling(receipt, outcome, form))

    def _forecast(self, wanted: Wanted, row: Row, filled: Filled[Any], is_settled: bool) -> Answer:
        """What the odds are: as they stand in the sheet, or as they were worked out since (FC-04)."""
        own = loosely(wanted.request)
        self.wanted.pop(own, None)  # it may be asked again, after a ruling
        self.told.pop(own, None)
        exactly = wanted.form.forecast(wanted.form.thaw(wanted.inputs))
        foretold = self.desk.foretold.get(wanted.key)
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
        return Answer(Shown(row, wanted.request, status, said), filled.warnings)

    def _is_settled(self, row: Row, id: str, filled: Filled[Any]) -> bool:
        """Whether nobody has changed the request since the pass before."""
        digest = self.known[loosely(id)] = typed_digest(row, (it for rows in filled.rows.values() for it in rows))
        return self.desk.known is None or self.desk.known.get(loosely(id)) == digest


def _parts(outcome: Outcome, filled: Filled[Any]) -> tuple[PartResult, ...]:
    return tuple(
        PartResult(result.tab, row_digest(filled.rows[result.tab][result.row]), result.values)
        for result in outcome.results
    )


def is_ready(row: Row) -> bool | Problem:
    """Whether Ready is ticked, or what is wrong with what stands there."""
    if row.is_blank("ready"):
        return False
    column = dict(row.table.columns)["ready"]
    try:
        return bool(read_value(column, row.value("ready"), {}))
    except Trouble as trouble:
        return row.trouble("ready", column, trouble)
