"""One pass over a snapshot: forms, problems, rulings, and what to write. Pure: equal arguments, equal plan.

Receipts are the truth. A request is ruled if it is ready, valid and has no receipt; everything the program shows
beside people's cells is a projection, computed anew on every pass and written where it differs.
"""

from __future__ import annotations

import hashlib
import hmac
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.fields import columns, loosely, tab_of
from engine.luck import Luck
from engine.outcome import Event, Listener, Outcome, Plain, Update, silent
from sheets_algo.book import Book
from sheets_algo.changes import Changes
from sheets_algo.forms.base import Filled, Form, request_id
from sheets_algo.ids import Ids
from sheets_algo.problems import Problem, Rejected
from sheets_algo.receipts import Change, Figures, LogRow, PartResult, Receipt, ReceiptRow, Receipts, cell_text
from sheets_algo.tables import Row, Table
from sheets_algo.values import Trouble, read_value, shown
from sheets_algo.workbook.base import ChangeSet, Snapshot, WorkbookError


@dataclass(frozen=True, slots=True)
class Secret:
    """The season secret: who has it can derive every seed, who has not can try no variant."""

    key: bytes

    @property
    def digest(self) -> str:
        """SHA-256, printed in the workbook from the start."""
        return hashlib.sha256(self.key).hexdigest()

    def seed(self, request: str, inputs: str) -> int:
        """64 bits for a request and its frozen inputs."""
        mac = hmac.new(self.key, f"{loosely(request)}\n{inputs}".encode(), hashlib.sha256)
        return int.from_bytes(mac.digest()[:8], "big")


class SeasonMismatch(WorkbookError):
    """The season secret at hand is not the one whose digest stands in the workbook."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """One request resolved in this pass."""

    receipt: Receipt
    outcome: Outcome
    form: Form[Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one request row.

    Args:
        request: Its id.
        row: Where it stands.
        status: As projected.
        message: As projected.
        problems: Errors and warnings.
        ruling: When it was resolved in this pass.
    """

    request: str
    row: Row
    status: str
    message: str
    problems: tuple[Problem, ...] = ()
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything one pass found and writes."""

    answers: tuple[Answer, ...]
    changes: ChangeSet
    failures: tuple[str, ...] = ()

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """In the order of their receipts."""
        return tuple(answer.ruling for answer in self.answers if answer.ruling)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Each once, in reading order."""
        return tuple(dict.fromkeys(problem for answer in self.answers for problem in answer.problems))


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What a pass needs beside the snapshot.

    Args:
        forms: One a ruleset, in the order in which their tabs are read.
        fingerprints: Ruleset name to the SHA-256 of its tables.
        secret: Season secret.
        log_lines_most: Upper bound of a ruling's share of the Log tab.
    """

    forms: Sequence[Form[Any]]
    fingerprints: Mapping[str, str]
    secret: Secret
    log_lines_most: int = 500

    def tabs(self) -> tuple[str, ...]:
        """Every tab that is read whole."""
        records = (record for form in self.forms for record in form.records())
        return tuple(dict.fromkeys(tab_of(record).name for record in (*records, ReceiptRow)))

    def tabs_by_header(self) -> tuple[str, ...]:
        """Tabs of which only the header row is needed."""
        return (tab_of(LogRow).name,)


def plan(snapshot: Snapshot, desk: Desk, now: str, listen: Callable[[str], Listener] = lambda request: silent) -> Plan:
    """Everything that one pass over a snapshot does.

    Args:
        snapshot: Of at least `desk.tabs()` and the headers of `desk.tabs_by_header()`.
        desk: Rulesets, tables, secret.
        now: Time of the pass, UTC, ISO 8601.
        listen: Gives each request that is ruled someone who hears its log while it runs (LOG-01).

    Raises:
        SeasonMismatch: The secret is another season's.
        ValueError: A receipt was changed by hand so that it cannot be read.
    """
    return _Pass(snapshot, desk, now, listen).plan()


@dataclass
class _Pass:
    snapshot: Snapshot
    desk: Desk
    now: str
    listen: Callable[[str], Listener]
    changes: Changes = field(default_factory=Changes)
    failures: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.receipts_table = Table(ReceiptRow, self.snapshot.sheet(tab_of(ReceiptRow).name))
        self.log_table = Table(LogRow, self.snapshot.sheet(tab_of(LogRow).name))
        self.receipts = Receipts.read(self.receipts_table)
        self.next_seq = self.receipts.next_seq
        self.guard: int | None = None
        if self.receipts.season not in ("", self.desk.secret.digest):
            raise SeasonMismatch(
                f"the season secret at hand (SHA-256 {self.desk.secret.digest[:12]}...) is not this workbook's"
                f" ({self.receipts.season[:12]}...); use the secret this season began with"
            )

    def plan(self) -> Plan:
        answers = tuple(answer for form in self.desk.forms for answer in self._answers(form))
        return Plan(answers, self.changes.finish(self.guard), tuple(self.failures))

    def _answers(self, form: Form[Any]) -> Iterator[Answer]:
        if self.snapshot.sheet(tab_of(form.request).name) is None:
            return
        book = Book(self.snapshot, form.records(), form.vocabulary)
        table = book.table(form.request)
        ids = Ids(form.prefix, table)
        for row in table:
            answer, figures = self._answer(form, book, row, ids)
            self._project(book, form, answer, figures)
            yield answer

    def _answer(self, form: Form[Any], book: Book, row: Row, ids: Ids) -> tuple[Answer, Figures | None]:
        id = request_id(row)
        shared = ids.shared(row)
        if shared:
            return Answer(id, row, "Invalid", _message(shared), shared), None
        ruled = self.receipts.ruling_of(id) if id else None
        if ruled:
            return self._answered(row, ruled)
        ready = _is_ready(row)
        if isinstance(ready, Problem):
            return Answer(id, row, "Invalid", _message([ready]), (ready,)), None
        if not ready:
            return Answer(id, row, "", ""), None
        if not id:
            id = ids.fresh()
            self.changes.set(row, "request", id)
        return self._resolved(form, book, row, id)

    def _answered(self, row: Row, ruled: Receipt) -> tuple[Answer, Figures | None]:
        undo = self.receipts.undo_of(ruled.request)
        if undo and undo.seq > ruled.seq:
            message = f"Undone by receipt {undo.seq}. To have it ruled anew, give the row a new Request id"
            return Answer(ruled.request, row, "Undone", message), None
        return Answer(ruled.request, row, "Done", ruled.figures.message), ruled.figures

    def _resolved(self, form: Form[Any], book: Book, row: Row, id: str) -> tuple[Answer, Figures | None]:
        try:
            filled = form.read(row, book)
        except Rejected as rejection:
            return Answer(id, row, "Invalid", _message(rejection.problems), rejection.problems), None
        inputs = form.freeze(filled.inputs)
        asked = book.read(row, form.request).record
        if asked is None or asked.action != "Rule":
            said = form.forecast(form.thaw(inputs)) or "Forecasts of this ruleset are not made by a pass"
            return Answer(id, row, "", _message(filled.warnings, said, filled.remarks), filled.warnings), None
        seed = asked.seed if asked.seed is not None else self.desk.secret.seed(id, inputs)
        try:
            # What is resolved is what verify will thaw, not what the form happened to build.
            outcome = form.ruleset.resolve(form.thaw(inputs), Luck(seed), self.listen(id))
        except Exception as bug:  # one war that hits a bug of ours must not stop the season's others
            self.failures.append(f"{id}: {traceback.format_exc()}")
            message = f"The program failed on this request ({type(bug).__name__}: {bug}); nothing was ruled"
            return Answer(id, row, "Failed", message, filled.warnings), None
        figures = Figures(
            _message(filled.warnings, outcome.summary, filled.remarks), outcome.figures, _parts(outcome, filled)
        )
        receipt = self._record(form, book, id, seed, inputs, outcome, figures)
        ruling = Ruling(receipt, outcome, form)
        return Answer(id, row, "Done", figures.message, filled.warnings, ruling), figures

    def _record(
        self, form: Form[Any], book: Book, id: str, seed: int, inputs: str, outcome: Outcome, figures: Figures
    ) -> Receipt:
        if not self.receipts.season and self.guard is None:
            self._append_receipt(season_receipt(self._numbered(), self.desk.secret, self.now))
        receipt = Receipt(
            seq=self._numbered(),
            kind="Ruling",
            request=id,
            war=outcome.receipt.title,
            ruleset=form.key,
            winner=outcome.winner,
            wiki=outcome.receipt.wiki(),
            seed=str(seed),
            inputs_fingerprint=hashlib.sha256(inputs.encode()).hexdigest(),
            rules_fingerprint=self.desk.fingerprints[form.key],
            changes=tuple(self._change(form, book, update) for update in outcome.updates),
            inputs=inputs,
            figures=figures,
            time=self.now,
        )
        self._append_receipt(receipt)
        self._append_log(receipt, outcome.events)
        return receipt

    def _numbered(self) -> int:
        seq = self.next_seq
        self.guard = seq if self.guard is None else self.guard
        self.next_seq += 1
        return seq

    def _append_receipt(self, receipt: Receipt) -> None:
        for cells in receipt.rows():
            self.changes.append(self.receipts_table, cells)

    def _append_log(self, receipt: Receipt, events: Sequence[Event]) -> None:
        most = self.desk.log_lines_most
        shown_events = events if len(events) <= most else events[: most - 1]
        for event in shown_events:
            self.changes.append(self.log_table, _log_cells(receipt, event))
        if len(shown_events) < len(events):
            rest = len(events) - len(shown_events)
            text = f"{rest} more lines stand in the log file of this ruling"
            self.changes.append(self.log_table, {"seq": receipt.seq, "request": receipt.request, "text": text})

    def _change(self, form: Form[Any], book: Book, update: Update) -> Change:
        """Write one database field and say what stood in its cell."""
        record = next(record for record in form.database if tab_of(record).name == update.tab)
        attribute = next(name for name, column in columns(record) if column.header == update.field)
        row = book.find(record, update.row)[0]
        before = row.value(attribute)
        self.changes.set(row, attribute, update.after)
        book.write(row, attribute, update.after)
        return Change(update.tab, update.row, update.field, _plain(before), update.after)

    def _project(self, book: Book, form: Form[Any], answer: Answer, figures: Figures | None) -> None:
        row = answer.row
        values = dict(figures.values) if figures else {}
        ruled = answer.ruling.receipt if answer.ruling else self.receipts.ruling_of(answer.request)
        for attribute, column in columns(form.request):
            if not column.place.is_programs:
                continue
            if attribute == "status":
                value: Plain = answer.status
            elif attribute == "message":
                value = answer.message
            elif attribute == "ruled_at":
                value = ruled.time if ruled and answer.status == "Done" else ""
            else:
                value = values.get(column.header)
            if value not in (None, "") or attribute in row.table.places:
                self.changes.set(row, attribute, value)
        self._project_parts(book, form, answer, figures)

    def _project_parts(self, book: Book, form: Form[Any], answer: Answer, figures: Figures | None) -> None:
        if not answer.request or (answer.status == "Invalid" and self.receipts.ruling_of(answer.request)):
            return  # two rows share the id of a ruling: its other rows keep what they show
        for record in form.parts:
            shown_parts = [part for part in figures.parts if part.tab == tab_of(record).name] if figures else []
            for row in book.table(record).by_request.get(loosely(answer.request), ()):
                digest = row_digest(row)
                part = next((part for part in shown_parts if part.digest == digest), None)
                if part:
                    shown_parts.remove(part)
                elif answer.status == "Done":
                    continue
                for attribute, column in columns(record):
                    if column.place.is_programs and (part or attribute in row.table.places):
                        self.changes.set(row, attribute, part.values.get(column.header) if part else None)


def season_receipt(seq: int, secret: Secret, now: str) -> Receipt:
    """The first receipt of a season: the digest of its secret."""
    wiki = f"The SHA-256 of this season's secret is {secret.digest}."
    return Receipt(seq=seq, kind="Season", wiki=wiki, inputs_fingerprint=secret.digest, time=now)


def row_digest(row: Row) -> str:
    """Of a row's own cells: finds it again wherever it moves."""
    cells = [shown(row.value(name)) for name, column in row.table.columns if not column.place.is_programs]
    return hashlib.sha256("\x1f".join(cells).encode()).hexdigest()[:16]


def _parts(outcome: Outcome, filled: Filled[Any]) -> tuple[PartResult, ...]:
    return tuple(
        PartResult(result.tab, row_digest(filled.rows[result.tab][result.row]), result.values)
        for result in outcome.results
    )


def _is_ready(row: Row) -> bool | Problem:
    """Whether Ready is ticked, or what is wrong with what stands there."""
    if row.is_blank("ready"):
        return False
    column = dict(row.table.columns)["ready"]
    try:
        return bool(read_value(column, row.value("ready"), {}))
    except Trouble as trouble:
        return row.trouble("ready", column, trouble)


def _message(problems: Sequence[Problem], first: str = "", remarks: Sequence[str] = ()) -> str:
    lines = [line for line in (first, *remarks) if line] + [str(problem) for problem in problems]
    return cell_text(lines, "... and {} more; the command check shows all")


def _log_cells(receipt: Receipt, event: Event) -> Mapping[str, Plain]:
    return {
        "seq": receipt.seq,
        "request": receipt.request,
        "hour": event.hour,
        "side": event.side,
        "flank": event.flank,
        "event": event.kind,
        "amount": event.amount,
        "rule": event.id,
        "text": event.text,
    }


def _plain(value: Any) -> Plain:
    return value if isinstance(value, (bool, int, float, str)) else shown(value) or None
