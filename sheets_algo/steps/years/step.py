"""Step of a game with years: each ends once, in order, after the wars before it (YRS-01, YRS-02, YRS-03)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar, Self

from sheets_algo.database.changes import shows
from sheets_algo.database.moments import read_deadline
from sheets_algo.database.problems import Problem, message, shorten_list
from sheets_algo.database.records import END_ANYWAY, Database
from sheets_algo.database.tables import Edit, Row
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import EndedWar, PastRuling, YearlyForm
from sheets_algo.forms.databases import by_ruleset
from sheets_algo.forms.request_columns import is_ready, request_id
from sheets_algo.ruling.plan import Answer, Contents
from sheets_algo.ruling.receipts.receipt_rows import WarSides
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.request_tab import RequestTab, ValidRequest, refused
from sheets_algo.ruling.requests.overrides import INPUT
from sheets_algo.ruling.requests.row_states import edits_of
from sheets_algo.ruling.requests.status_columns import StatusCells
from sheets_algo.ruling.step import PassState, Result, Step, StepFindings, Undoing, open_tabs
from sheets_algo.steps.years.asked import AskedIn, AskedRows

NAMED = 5
"""Maximum number of wars that the Message of a year names."""
KEPT = "The year waits, with all that it does, and ends by itself once this is mended"


class YearsStep(Step):
    """The years of one pass.

    Args:
        contents: The contents of the pass.
    """

    naming: ClassVar = {AskedIn: "asked_in"}

    def __init__(self, contents: Contents) -> None:
        self._contents = contents
        self._now = datetime.fromisoformat(contents.now)
        self._problems: list[Problem] = []
        self._tabs: dict[str, RequestTab] = {}
        """The request tabs of the pass, by key of the form."""
        self._open: dict[str, Row] = {}
        """The waiting requests of the pass, by id."""

    @classmethod
    def of(cls, contents: Contents) -> Self | None:
        """Return the step of a workbook whose tab of years has rows, or had some."""
        keys = {form.key for form in _forms(contents)}
        is_used = any(contents.tables[key].rows for key in keys)
        is_used = is_used or any(ruling.ruleset in keys for ruling in contents.receipts.rulings)
        return cls(contents) if is_used else None

    def before(self, state: PassState) -> bool:
        """Take players' requests until a year ends, and tick it at its deadline; return True if it ends (YRS-03)."""
        for row, is_ticked, deadline in self._unruled():
            if is_ticked or (deadline is not None and deadline <= self._now):
                is_all = self._take(state, row, min(deadline or self._now, self._now), is_ticked)
                if is_all and not is_ticked:
                    state.changes.set(row, "ready", True)
        return bool(state.changes.size)

    def _take(self, state: PassState, row: Row, until: datetime, is_ticked: bool) -> bool:
        """Take players' requests until a year ends, after it is ticked; return False if some are left (YRS-15)."""
        receipts, year = self._contents.receipts, int(_year_of(row))
        is_promised = any(promise.request == request_id(row) for promise in receipts.promises)
        is_taken = is_promised or any(sealed.turn == year for _, sealed in receipts.sealed)
        if row.is_blank("asked_in") or (is_ticked and is_taken):
            return True
        if not self._tabs:
            for forms in by_ruleset(self._contents.context.forms):
                open_tabs(state, forms)
        tabs = {tab.form.request: tab for tab in self._tabs.values()}
        asked = self._asked(row)
        return asked.is_readable and asked.take(state, tabs, until, year)

    def _asked(self, row: Row) -> AskedRows:
        """Return players' requests in the tabs of a row of years."""
        form = next(form for form in _forms(self._contents) if form.request is row.table.record)
        return AskedRows(self._contents, form, row, self._tabs[form.key].database)

    def open(self, state: PassState, tab: RequestTab) -> RequestTab:
        """Note a request tab."""
        self._tabs[tab.form.key] = tab
        return tab

    def order(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return the rows of years in the order of the years."""
        forms = [form for form in _forms(self._contents) if rows and rows[0].table.record is form.request]
        return sorted(rows, key=lambda row: (_year_of(row), row.number)) if forms else rows

    def reject(
        self, state: PassState, tab: RequestTab, row: Row, id: str, problems: tuple[Problem, ...]
    ) -> Answer | None:
        """Answer a year blocked by rows of the database, which ends once these are corrected (YRS-16)."""
        errors = [problem for problem in problems if problem.is_error]
        is_own = any(problem.cell.tab == row.table.title or problem.is_pending for problem in errors)
        if is_own or not isinstance(tab.form, YearlyForm):
            return None
        return replace(
            refused(row, id, problems), is_misread=True, cells=StatusCells(row, id, "Invalid", message(problems, KEPT))
        )

    def admit(self, state: PassState, tab: RequestTab, request: ValidRequest, former: Result | None) -> Result:
        """Return a year with the results of rulings; refuse a finished one, and let it wait for the wars above."""
        form = tab.form
        if not isinstance(form, YearlyForm):
            edits = edits_of(form, request.row, tab.database, state.receipts) if state.receipts.sent else ()
            return replace(request, remarks=(*request.remarks, *edits, *self._late(state, request)))
        receipts, year = state.log.with_new, form.year_of(request.inputs)
        last = last_year(form, receipts)
        if last is not None and year <= last[1]:
            says = f"the year {last[1]} is over already, by {last[0].request} (receipt {last[0].seq})"
            allowed = f"Enter a year after {last[1]}, or undo {last[0].request} first"
            return refused(request.row, request.id, (request.row.problem("year", "YRS-02", says, allowed=allowed),))
        if typed := [each for each in request.overrides if each.decision.kind == INPUT]:
            says, allowed = "a year reads the cells of the database themselves", "Type the cell, or decide a Result"
            problems = tuple(each.row.problem("kind", "YRS-01", says, allowed=allowed) for each in typed)
            return refused(request.row, request.id, problems)
        waiting = [id for id, row in self._open.items() if _year_of(row) <= year]
        is_promised = any(promise.request == request.id for promise in receipts.promises)
        if waiting and not (is_promised or state.is_rehearsal or tab.action(request.row) == END_ANYWAY):
            names = ", ".join(shorten_list(waiting, NAMED))
            return replace(request.answer("Waiting", f"The year ends once {names} is ruled"), is_next=True)
        own = {each.key for each in self._contents.context.forms if each.ruleset_key == form.ruleset_key}
        ruling = last[0] if last else None
        inputs = form.with_past(
            request.content.inputs,
            last[1] if last else None,
            tuple(past_rulings(receipts, ruling, own.__contains__)),
            tuple(ended_wars(receipts, ruling)),
        )
        return replace(request, content=replace(request.content, inputs=inputs), inputs=form.serialize(inputs))

    def answered(self, state: PassState, tab: RequestTab, row: Row, answer: Answer) -> None:
        """Note a waiting request, and add the rows that a year proposes."""
        if isinstance(tab.form, YearlyForm):
            if answer.ruling and not state.is_rehearsal:
                self._offer(state, tab.form, answer.ruling.receipt)
        elif answer.cells.status == "Waiting":
            self._open[request_id(row)] = row
        else:
            self._open.pop(request_id(row), None)

    def finish(self) -> StepFindings:
        """Return the problems of deadlines, and the next one."""
        unruled = [deadline for _, is_ticked, deadline in self._unruled() if deadline and not is_ticked]
        deadlines = [deadline for deadline in unruled if deadline > self._now]
        for form in _forms(self._contents):
            for row in self._contents.tables[form.key].rows:
                if not (row.is_blank("asked_in") or self._contents.receipts.is_settled(request_id(row))):
                    self._problems += self._asked(row).problems
        return StepFindings(problems=tuple(dict.fromkeys(self._problems)), deadline=min(deadlines, default=None))

    def undo(self, form: Form[Any], database: Database, ruling: StoredReceipt) -> Undoing:
        """Refuse to undo a year before later ones; clear its proposed rows without a tick."""
        if not isinstance(form, YearlyForm):
            return Undoing()
        last = last_year(form, self._contents.receipts)
        if last is not None and last[0].seq > ruling.seq:
            return Undoing(
                (f"The year {last[1]} ended after it; undo {last[0].request} first (receipt {last[0].seq}).",)
            )
        return Undoing((), tuple(self._offered(form, ruling)))

    def _unruled(self) -> Iterator[tuple[Row, bool, datetime | None]]:
        """Yield the unruled years, each with its tick and its deadline; note wrong deadlines."""
        for form in _forms(self._contents):
            for row in self._contents.tables[form.key].rows:
                is_ticked = is_ready(row)
                if isinstance(is_ticked, Problem) or self._contents.receipts.is_settled(request_id(row)):
                    continue
                deadline = read_deadline(row, "YRS-03")
                if isinstance(deadline, Problem):
                    self._problems.append(deadline)
                elif _year_of(row) > float("-inf"):
                    yield row, is_ticked, deadline

    def _late(self, state: PassState, request: ValidRequest) -> Iterator[str]:
        """Yield a warning if a request's year is over, so that it counts in the next one (YRS-02)."""
        for form in _forms(self._contents):
            year = getattr(request.content.inputs, "year", None)
            if form.ruleset_key != request.form.ruleset_key or year is None:
                continue
            last = last_year(form, state.log.with_new)
            if last is not None and year <= last[1]:
                yield f"The year {last[1]} is over (receipt {last[0].seq}), so its wounded return with the next year."

    def _offer(self, state: PassState, form: YearlyForm[Any], receipt: StoredReceipt) -> None:
        """Add the rows that a year proposes below the requests of their tab."""
        cells = [change.cell for change in receipt.changes]
        for offered in form.offers(form.deserialize(receipt.inputs), cells):
            tab = next((tab for tab in self._tabs.values() if tab.form.request is offered.record), None)
            if tab is None or not tab.table.header_row:
                continue
            rows, receipts = tab.table.rows, state.log.with_new
            if offered.is_alone and not all(receipts.is_settled(request_id(row)) for row in rows):
                continue
            values = tab.known_cells(offered.cells)
            state.changes.add(tab.database.add(offered.record, values, tab.table.next_request), values)

    def _offered(self, form: YearlyForm[Any], ruling: StoredReceipt) -> Iterator[Edit]:
        """Yield the cells of a year's unticked proposed rows, for clearing."""
        cells = [change.cell for change in ruling.changes]
        for offered in form.offers(form.deserialize(ruling.inputs), cells):
            for table in (table for table in self._contents.tables.values() if table.record is offered.record):
                for row in table.rows:
                    names = [name for name in offered.cells if name in table.places]
                    if is_ready(row) is False and all(shows(row.value(name), offered.cells[name]) for name in names):
                        yield from (Edit(row, name, None) for name in names)


def _forms(contents: Contents) -> Iterator[YearlyForm[Any]]:
    """Yield the forms of years whose tab the workbook has."""
    for form in contents.context.forms:
        if isinstance(form, YearlyForm) and form.key in contents.tables and contents.tables[form.key].sheet:
            yield form


def _year_of(row: Row) -> float:
    """Return the year of a request's row; one without a year is of every year."""
    value = row.value("year")
    return value if isinstance(value, int | float) else float("-inf")


SIDES = ("Side A", "Side B")


def last_year(form: YearlyForm[Any], receipts: Receipts) -> tuple[StoredReceipt, int] | None:
    """Return the ruling in force of the last year, with the year; None before the first one."""
    years = (ruling for ruling in reversed(receipts.rulings) if ruling.ruleset == form.key)  # they end in order
    last = next((ruling for ruling in years if not receipts.is_undone(ruling)), None)
    return None if last is None else (last, form.year_of(last.inputs))


def past_rulings(
    receipts: Receipts, last: StoredReceipt | None, is_of_ruleset: Callable[[str], bool]
) -> Iterator[PastRuling]:
    """Yield the rulings in force of a ruleset, and the edits of people, in order.

    Args:
        last: The ruling of the last year.
        is_of_ruleset: Returns True for the key of a form of the ruleset.
    """
    for receipt in receipts.by_seq.values():
        if receipt.kind not in ("Ruling", "Edits") or not is_of_ruleset(receipt.ruleset):
            continue
        if receipt.kind == "Ruling" and receipts.is_undone(receipt):
            continue
        yield PastRuling(
            form=receipt.ruleset if receipt.kind == "Ruling" else "",
            inputs=receipt.inputs,
            winner=receipt.winner,
            casualties=receipt.figures.casualties,
            changes=tuple((change.cell, change.before) for change in receipt.changes),
            is_new=last is None or receipt.seq > last.seq,
        )


def ended_wars(receipts: Receipts, last: StoredReceipt | None) -> Iterator[EndedWar]:
    """Yield the wars whose end was typed since the last year; later changes of the terms do not count."""
    for declared in receipts.sides.values():
        ended: tuple[StoredReceipt, WarSides] | None = None
        for receipt, sides in declared:
            ended = (ended or (receipt, sides)) if sides.winner else None
        if ended is None or (last is not None and ended[0].seq < last.seq):
            continue
        sides = declared[-1][1]
        one, other = (tuple(dict.fromkeys(member.name for member in side)) for side in (sides.a, sides.b))
        winners, losers = (other, one) if sides.winner == SIDES[1] else (one, other)
        is_won, war = sides.winner in SIDES, declared[-1][0].war
        yield EndedWar(war=war, winners=winners, losers=losers, is_won=is_won, terms=sides.terms)
