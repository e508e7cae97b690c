"""Answers to the rows of the request tabs: refused, ruled before, not ready, waiting, or ruled now."""

from __future__ import annotations

import math
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from engine.battle_map import Rgb
from engine.columns import loosely, tab_of
from engine.decisions import WrongDecision
from engine.ruleset import Outcome, Plain
from sheets_algo.database.problems import Problem, Rejected, quoted, shortened
from sheets_algo.database.records import PREVIEW, RULE, RULE_AGAIN, SWITCH_SIDES, Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form, FormResult, by_ruleset, open_database, request_id
from sheets_algo.forms.edits import Edit
from sheets_algo.ruling.luck.draw import Draw
from sheets_algo.ruling.passes.order_turns import OrderTurns
from sheets_algo.ruling.passes.plan import Answer, LogFactory, Ruling, mark_of
from sheets_algo.ruling.passes.promise_answers import Awaited, PromiseAnswers
from sheets_algo.ruling.passes.receipt_log import other_rules
from sheets_algo.ruling.passes.writer import PlanWriter
from sheets_algo.ruling.receipts.former_columns import gone
from sheets_algo.ruling.receipts.receipts import Figures, PartResult, StoredReceipt
from sheets_algo.ruling.repair.intents import PendingTab
from sheets_algo.ruling.requests.dead_leaders import dead_leader_problem
from sheets_algo.ruling.requests.decisions import freeze, problem_of, rule
from sheets_algo.ruling.requests.overrides import DecisionRow, Overrides
from sheets_algo.ruling.requests.program_cells import DatabaseEdit, added_row, edit_problems, find_edits
from sheets_algo.ruling.requests.request_ids import Ids, LostRequests, ShownResults
from sheets_algo.ruling.requests.request_tabs import (
    count_unruled,
    is_ready,
    misspelt_request_tabs,
    orphan_problems,
    request_tables,
)
from sheets_algo.ruling.requests.status_columns import (
    NEXT_LOOK,
    NO_FILE,
    NO_PICTURE,
    NOTHING_RULED,
    PREVIEWED,
    SWITCHED,
    SWITCHING,
    UNDONE,
    WAITING,
    StatusCells,
    message,
    row_digest,
    typed_digest,
    war_digest,
)
from sheets_algo.workbook.base import WorkbookError


@dataclass(frozen=True, slots=True)
class RequestTab:
    """A request tab with the database of its ruleset, which the rulings of the pass change, and with its ids."""

    form: Form[Any]
    database: Database
    ids: Ids
    turns: OrderTurns

    @property
    def table(self) -> Table:
        """Return the tab as a table."""
        return self.database.table(self.form.request)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidRequest:
    """A ready request without mistakes.

    Args:
        form: The form of its ruleset.
        row: Its row.
        id: Its id.
        seed: The seed that a moderator gave, if any.
        content: The content as the form has read it.
        inputs: The inputs, serialised.
        is_settled: True if nobody has changed it since the pass before.
        overrides: The moderators' decisions about its ruling.
    """

    form: Form[Any]
    row: Row
    id: str
    seed: int | None
    content: FormResult[Any]
    inputs: str
    is_settled: bool
    overrides: tuple[DecisionRow, ...] = ()

    def answer(self, status: str, text: str) -> Answer:
        """Return an answer with a status and a Message, to which the remarks and warnings are added."""
        text = message(self.content.warnings, text, self.content.remarks)
        return Answer(StatusCells(self.row, self.id, status, text), self.content.warnings)


class RequestAnswers:
    """The answers and rulings of one pass.

    Args:
        pending: The writes to the workbook that are not verified yet.
        writer: The writer of the rulings.
        logs: Returns the sink of each request's log.
        held: Why nothing is ruled because of the workbook, in sentences; blank if it is.
        is_damaged: True if not every receipt can be read, so that results in rows say nothing.
    """

    def __init__(
        self,
        pending: PendingTab,
        writer: PlanWriter,
        logs: LogFactory,
        *,
        held: str = "",
        is_damaged: bool = False,
    ) -> None:
        self._pending, self._snapshot = pending, pending.snapshot
        self._writer, self._context, self._changes = writer, writer.context, writer.changes
        self._receipts, self._logs, self._held, self._is_damaged = writer.log.receipts, logs, held, is_damaged
        self._results = ShownResults(self._receipts)
        self._tables = request_tables(self._snapshot, self._context.forms)
        self._lost = LostRequests(self._receipts, self._tables)
        self._overrides = Overrides(self._snapshot, self._receipts, self._tables.values())
        self.known: dict[str, str] = {}
        self.left = 0
        self.must_look_again = False
        self._edits: tuple[DatabaseEdit, ...] = ()
        self._colours: dict[str, Mapping[str, Rgb]] = {}
        had = {} if self._context.accepts_columns else self._receipts.columns
        self._gone = {form.key: tuple(gone(form, self._snapshot, had)) for form in self._context.forms}
        self.problems: list[Problem] = [*misspelt_request_tabs(self._snapshot)]
        self.problems += dict.fromkeys(problem for problems in self._gone.values() for problem in problems)
        self.problems += self._overrides.problems
        self.failures: list[str] = []
        self.promises = PromiseAnswers(writer.log, self._context, writer.now, self._snapshot)
        self._waiting_turns: set[str] = set()

    def give_ids(self) -> bool:
        """Give ids to the ready rows that have none; return True if there were any.

        Where people may move rows while the program writes, an id may land on another row. So a request is ruled only
        when a later pass has found the id beside the row that it was given to.
        """
        for forms in by_ruleset(self._context.forms):
            for tab in self._tabs(forms):
                for row in tab.table:
                    if not request_id(row) and is_ready(row) is True and not self._obstacles(tab, row):
                        self._changes.set(row, "request", tab.ids.next_free())
        return bool(self._changes.size)

    def answer(self, forms: Sequence[Form[Any]]) -> list[tuple[RequestTab, Answer | ValidRequest]]:
        """Answer the requests of one ruleset, row by row, each on the database as the rulings before left it.

        A request that asks for something else than a ruling is returned as it was read.
        """
        tabs = self._tabs(forms)
        if not tabs:
            return []
        self._edits = tuple(find_edits(self._receipts, [tab.form for tab in tabs], tabs[0].database))
        answers = [(tab, row, answer) for tab in tabs for row, answer in self._answers(tab)]
        if any(isinstance(answer, Answer) and answer.ruling for _, _, answer in answers):
            # What was refused or asks for a forecast is answered on the database as the last ruling left it. But
            # nothing more is ruled: else an order that was refused in its turn would be carried out in the next one.
            answers = [
                (tab, row, self._answer(tab, row, answer) if _is_open(answer) else answer)
                for tab, row, answer in answers
            ]
        self.problems += edit_problems(self._edits)  # those that a ruling has not accepted
        return [(tab, answer) for tab, _, answer in answers]

    def colours(self, form: Form[Any]) -> Mapping[str, Rgb]:
        """Return the colours of the sides in a form's pictures, which are read once a pass."""
        if form.key not in self._colours:
            self._colours[form.key] = form.colours(open_database(self._snapshot, [form]))
        return self._colours[form.key]

    def _tabs(self, forms: Sequence[Form[Any]]) -> list[RequestTab]:
        """Return the request tabs of one ruleset that the workbook has; nobody need play by every ruleset."""
        database = open_database(self._snapshot, forms)
        return [
            RequestTab(
                form,
                database,
                Ids(form, table, self._tables, self._ids_elsewhere(form, database)),
                OrderTurns(form, database, self._receipts),
            )
            for form in forms
            if (table := database.table(form.request)).sheet
        ]

    def _ids_elsewhere(self, form: Form[Any], database: Database) -> Iterator[str]:
        """Yield the ids that no new request may get, since it would take over another one's ruling or flanks."""
        yield from (receipt.request for receipt in self._receipts.by_seq.values())
        for record in form.parts:
            yield from database.table(record).texts("request")

    def _rows(self, tab: RequestTab) -> Iterator[Row]:
        """Yield the rows of a tab in the order of their promises, then as they stand, as long as there is room.

        The next pass answers the others.
        """
        self.problems += tab.table.header_problems
        self.problems += orphan_problems(tab.form, tab.database)
        order = self.promises.order
        rows = tab.table.rows
        if order:
            rows = sorted(rows, key=lambda row: order.get(loosely(request_id(row)), math.inf))
        for number, row in enumerate(rows):
            if not self._changes.has_room():
                self.left += count_unruled(rows[number:], self._receipts)
                return
            yield row

    def _answer(self, tab: RequestTab, row: Row, former: Answer | ValidRequest | None = None) -> Answer | ValidRequest:
        """Answer a request; beside an order that is refused, keep the turn that it belongs to (REQ-10).

        Args:
            tab: The tab of the request.
            row: The row of the request.
            former: The answer before the other rulings of this pass; None lets the request be ruled.
        """
        turn = tab.turns.turn_of(row)  # before a ruling ends it
        answer = self._answer_row(tab, row, former)
        if isinstance(answer, Answer) and (answer.ruling or answer.awaited is not None):
            tab.turns.close(row)
        if isinstance(answer, Answer) and turn is not None:
            if answer.is_refused and is_ready(row) is True and tab.turns.is_order(row):
                self._keep_turn(tab, row, turn)
            elif not answer.shown.status and not row.is_blank("ready_since"):
                self._keep_turn(tab, row, None)
        return answer

    def _answers(self, tab: RequestTab) -> list[tuple[Row, Answer | ValidRequest]]:
        """Answer the requests of a tab, row by row; a turn that ends is followed by the orders that waited for it."""
        found: dict[int, tuple[Row, Answer | ValidRequest]] = {}

        def look(row: Row) -> None:
            answer = self._answer(tab, row)
            found[row.number] = (row, answer)
            if isinstance(answer, Answer) and answer.ruling and tab.turns.ends(row):
                for other, waiting in tuple(found.values()):
                    if isinstance(waiting, Answer) and waiting.is_later and not tab.turns.awaited(other):
                        look_again(other)

        def look_again(row: Row) -> None:
            if self._changes.has_room():
                look(row)
            else:
                self.must_look_again = True

        for row in self._rows(tab):
            look(row)
        for row in tab.turns.held:  # an order below it may be ruled by now
            if not tab.turns.is_held(row):
                look_again(row)
        return [found[number] for number in sorted(found)]

    def _keep_turn(self, tab: RequestTab, row: Row, turn: int | None) -> None:
        self._changes.set(row, "ready_since", turn)
        tab.database.write(row, "ready_since", turn)

    def _answer_row(self, tab: RequestTab, row: Row, former: Answer | ValidRequest | None) -> Answer | ValidRequest:
        id = request_id(row)
        ruled = self._receipts.ruling_of(id) if id else None
        if problems := tab.ids.duplicate_problems(row):
            return _refused(row, id, problems, ruled if ruled and ruled.ruleset == tab.form.key else None)
        if problems := tab.ids.conflict_problems(row, ruled):
            return _refused(row, id, problems)
        if ruled:
            return self._standing(row, ruled)
        if (problem := self._results.problem(row)) and _action(tab, row) != RULE_AGAIN:
            return self._without_receipt(row, id, problem)
        ready = is_ready(row)
        if isinstance(ready, Problem):
            return _refused(row, id, (ready,))
        if not ready:
            switched = SWITCHED.format(tab.form.sides_text(row))  # said as long as it is so and nobody asks for more
            return Answer(StatusCells(row, id, "", switched if row.value("message") == switched else ""))
        if problems := self._obstacles(tab, row):
            return _refused(row, id, problems)
        if not id and self._held:  # a new id might be that of a receipt that is gone
            return Answer(StatusCells(row, id, "Waiting", NOTHING_RULED.format(self._held)))
        if not id:
            id = tab.ids.next_free()
            self._changes.set(row, "request", id)
            tab.database.write(row, "request", id)
        if _action(tab, row) == SWITCH_SIDES:
            return self._switch_sides(tab, row, id)
        if _action(tab, row) == PREVIEW:
            return self._preview(tab, row, id)
        is_order = tab.turns.is_order(row)
        if is_order and (problem := self._other_rules(tab, row)):
            return _refused(row, id, (problem,))
        if is_order and (problem := tab.turns.problem(row, is_trial=self._context.is_trial)):
            return self._past(tab, row, id, problem, former)
        if is_order and (later := tab.turns.awaited(row)):
            self._know(row, id)
            return Answer(StatusCells(row, id, "Waiting", later), is_later=True)
        if is_order and self._receipts.luck.is_beacon and not row.is_blank("seed"):
            says = "a typed seed decides nothing in a season with beacon luck"
            return _refused(row, id, (row.problem("seed", "LUCK-07", says, allowed="Clear the cell"),))
        try:
            request = self._read(tab, row, id, is_order)
        except Rejected as rejection:
            return _refused(row, id, rejection.problems)
        if not is_order:
            return request
        if former is None:
            held = tab.turns.is_held(row)
            return request.answer("Waiting", held) if held else self._rule(tab, request)
        self.must_look_again = True
        return request.answer("Waiting", NEXT_LOOK)

    def _switch_sides(self, tab: RequestTab, row: Row, id: str) -> Answer:
        """Let the sides of a request change places, and take back what asked for it, in one commit (REQ-14).

        Each cell is written only if it still shows what was read, so that a commit that is repeated, or arrives late,
        does not switch them back.
        """
        if decisions := self._overrides.rows_of(id):
            says = f"moderators' decisions name the sides of {id} as they are"
            problem = decisions[0].problem("what", "REQ-14", says, allowed=f"Remove them before {SWITCH_SIDES}")
            return _refused(row, id, (problem,))
        try:
            edits = (*tab.form.switch_sides(row, tab.database), Edit(row, "action", RULE), Edit(row, "ready", False))
        except Rejected as rejection:
            return _refused(row, id, rejection.problems)
        if obstacles := tuple(p for edit in edits for p in self._writer.obstacles_of(edit.row, edit.attribute)):
            return _refused(row, id, obstacles)
        if self._held:
            return Answer(StatusCells(row, id, "Waiting", NOTHING_RULED.format(self._held)))
        known = self._context.known
        parts = dict.fromkeys(edit.row for edit in edits if edit.row.table is not row.table)
        if self._know(row, id, parts) != (known or {}).get(loosely(id)) and known is not None:
            return Answer(StatusCells(row, id, "Waiting", SWITCHING))
        for edit in edits:
            self._changes.set(edit.row, edit.attribute, edit.value)
            tab.database.write(edit.row, edit.attribute, edit.value)
        return Answer(StatusCells(row, id, "", SWITCHED.format(tab.form.sides_text(row))))

    def _preview(self, tab: RequestTab, row: Row, id: str) -> Answer:
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
            return _refused(row, id, rejection.problems)
        scene = board.scene if board else None
        status = "Invalid" if any(problem.is_error for problem in problems) else ""
        name = self._context.preview_name(id)
        text = NO_PICTURE if scene is None else PREVIEWED.format(name or NO_FILE)
        return Answer(StatusCells(row, id, status, message(problems, text, remarks)), problems, preview=scene)

    def _without_receipt(self, row: Row, id: str, problem: Problem) -> Answer:
        """Refuse a row that shows a result without a receipt; the result stays, since it is evidence (RCP-19)."""
        if self._is_damaged:  # its receipt may be one that cannot be read
            status, text = (str(row.value(attribute) or "") for attribute in ("status", "message"))
            return Answer(StatusCells(row, id, status, text, keeps_result=True), is_blocked=True)
        text = message((problem,), remarks=(self._held,))
        return Answer(StatusCells(row, id, "Invalid", text, keeps_result=True), (problem,), is_blocked=True)

    def _standing(self, row: Row, ruled: StoredReceipt) -> Answer:
        undo = self._receipts.undo_of(ruled.request)
        if undo and undo.seq > ruled.seq:
            return Answer(StatusCells(row, ruled.request, "Undone", UNDONE.format(undo.seq), ruled))
        if late := self._overrides.late(ruled):
            return Answer(StatusCells(row, ruled.request, "Done", message(late, ruled.figures.message), ruled), late)
        return Answer(StatusCells(row, ruled.request, "Done", ruled.figures.message, ruled))

    def _other_rules(self, tab: RequestTab, row: Row) -> Problem | None:
        """Return the problem of a season whose rulings were made by another version of the rules (RCP-17)."""
        problem = other_rules(tab.form, self._receipts, accepts=self._context.accepts_rules)
        return row.problem("action", problem.id, problem.says, allowed=problem.allowed) if problem else None

    def _obstacles(self, tab: RequestTab, row: Row) -> tuple[Problem, ...]:
        """Return the reasons why a request would be ruled again later, under an id that nobody sees or a second one."""
        if not request_id(row) and (obstacles := tuple(self._writer.obstacles_of(row, "request"))):
            return obstacles
        unsure = (problem for problem in self._pending.problems if problem.cell == row.cell("request"))
        return self._lookalike(tab, row) or self._drawn_before(tab, row) or tuple(unsure)

    def _lookalike(self, tab: RequestTab, row: Row) -> tuple[Problem, ...]:
        """Return the problem of a row that looks like a request that was ruled under another id (REQ-08)."""
        form = tab.form
        if not self._lost or not self._is_first_ruling(tab, row):
            return ()
        if problems := self._lost.lookalike_problems(row, form.key):
            return problems
        try:
            return self._lost.lookalike_problems(row, form.key, form.serialize(form.read(row, tab.database).inputs))
        except Rejected:
            return ()

    def _drawn_before(self, tab: RequestTab, row: Row) -> tuple[Problem, ...]:
        """Return the problem of a request for what an undone ruling has drawn already, under another id (REQ-13)."""
        form, attribute = tab.form, tab.form.drawn_once
        if not attribute or not self._is_first_ruling(tab, row):
            return ()
        name = str(tab.database.read(row, form.request).values.get(attribute, ""))
        for ruling in self._receipts.of_kind("Ruling"):
            is_same = ruling.ruleset == form.key and loosely(ruling.war) == loosely(name)
            if is_same and self._receipts.is_undone(ruling):
                says = f"{quoted(name)} was drawn by receipt {ruling.seq} for {ruling.request}, which is undone"
                allowed = f'Choose Action "{RULE_AGAIN}" if luck is to draw anew, or clear Ready'
                return (row.problem(attribute, "REQ-13", says, allowed=allowed),)
        return ()

    def _is_first_ruling(self, tab: RequestTab, row: Row) -> bool:
        """Return True if a request asks for a ruling and not for another one of the same."""
        return _action(tab, row) == RULE

    def _read(self, tab: RequestTab, row: Row, id: str, is_order: bool) -> ValidRequest:
        """Read a request, and the decisions about its ruling if it asks for one.

        Raises:
            Rejected: It has mistakes, or the decisions have.
        """
        form, known = tab.form, self._context.known
        content = form.read(row, tab.database)
        overrides, problems = self._overrides.pending(id) if is_order else ((), ())
        if problems:
            raise Rejected(problems)
        content = replace(content, warnings=(*content.warnings, *self._gone[form.key]))
        parts = (part for rows in content.rows.values() for part in rows)
        digest = self._know(row, id, (*parts, *(override.row for override in overrides)))
        return ValidRequest(
            form=form,
            row=row,
            id=id,
            seed=tab.database.read(row, form.request).values.get("seed"),
            content=content,
            inputs=form.serialize(content.inputs),
            is_settled=known is None or known.get(loosely(id)) == digest,
            overrides=overrides,
        )

    def _know(self, row: Row, id: str, parts: Iterable[Row] = ()) -> str:
        """Keep the digest of what was typed for a request until the next pass, and return it."""
        digest = self.known[loosely(id)] = typed_digest(row, parts)
        return digest

    def _past(
        self, tab: RequestTab, row: Row, id: str, problem: Problem, former: Answer | ValidRequest | None
    ) -> Answer:
        """Refuse an order whose turn is over, and go on to say why it was refused in its turn (REQ-10).

        A mistake of its row is named as long as it is there, another reason as one of its turn.
        """
        reasons = former.problems if isinstance(former, Answer) else ()
        if isinstance(former, Answer) and problem in reasons:
            return former
        if reasons and self._context.is_trial:  # one error for one mistake: the turn is not over yet
            return _refused(row, id, reasons)
        name = tab.form.turn_column
        then = f"Refused in {name} {tab.turns.turn_of(row)}: "
        kept = str(row.value("message") or "").splitlines()
        try:
            mistakes: tuple[Problem, ...] = ()
            self._read(tab, row, id, is_order=True)
        except Rejected as rejection:
            told = {*kept, *map(str, reasons)}
            mistakes = tuple(
                mistake for mistake in rejection.problems if str(mistake) in told and mistake.cell != row.cell(name)
            )
        history = [then + str(reason) for reason in reasons if reason not in mistakes]
        history += [line for line in kept if line.startswith(then)]
        text = message(mistakes, str(problem), tuple(dict.fromkeys(history)))
        is_told = former is None and text == row.value("message")
        return Answer(StatusCells(row, id, "Invalid", text), (problem, *mistakes), is_past=is_told)

    def _rule(self, tab: RequestTab, request: ValidRequest) -> Answer:
        """Rule a request, unless nothing may be ruled, or somebody may still be typing."""
        if self._held:
            return request.answer("Waiting", NOTHING_RULED.format(self._held))
        if not request.is_settled:
            return request.answer("Waiting", WAITING)
        form, database, row, id = tab.form, tab.database, request.row, request.id
        if problems := self._dead_leaders(tab, request):
            return replace(_refused(row, id, problems), is_blocked=True)
        warnings, inputs = request.content.warnings, request.inputs
        draw = self._draw(tab, request) if self._receipts.luck.is_beacon else None
        if isinstance(draw, Awaited):
            return replace(request.answer("Waiting", draw.text), awaited=draw.until)
        seed = self.promises.seed(id, inputs, draw) if draw else self._context.secret.seed(id, inputs)
        seed = seed if request.seed is None else int(request.seed)
        content, overrides = request.content, ""
        try:
            if request.overrides:
                frozen, decided = freeze(form, self._snapshot, database, row, id, request.overrides)
                content, overrides = decided or content, frozen.encode()
            sink = self._logs(form, id)
            # What is resolved is what verify will deserialize, not what the form happened to build.
            outcome = rule(form, inputs, seed, overrides, sink).in_season(self._receipts.options)
            is_battle_0 = not overrides  # else it is not the one that other battles of its seed are compared with
            last_lines = self._context.luck_of(form, form.deserialize(inputs), seed, sink) if is_battle_0 else ()
            rows = [added_row(form, database, new) for new in outcome.rows]
            obstacles = tuple(self._writer.obstacles(form, database, rows, outcome.updates))
        except Rejected as rejection:
            return replace(_refused(row, id, rejection.problems), is_blocked=True)
        except WrongDecision as error:
            return replace(_refused(row, id, (problem_of(error, request.overrides),)), is_blocked=True)
        except WorkbookError:  # the world's fault, and not this war's: its log cannot be written
            raise
        except Exception as bug:  # one war that hits a bug of ours must not stop the season's others
            self.failures.append(f"{id}: {traceback.format_exc()}")
            what = f"{type(bug).__name__}: {shortened(str(bug))}"
            text = f"The program failed on this request ({what}); nothing was ruled"
            return Answer(StatusCells(row, id, "Failed", text), warnings)
        if obstacles:
            cells = StatusCells(row, id, "Invalid", message((*obstacles, *warnings)))
            return Answer(cells, obstacles, is_blocked=True)
        text = message(warnings, outcome.summary, request.content.remarks)
        begun = StoredReceipt(
            seq=0,
            kind="Ruling",
            request=id,
            seed=str(seed),
            seed_source=draw.text if draw else "season" if request.seed is None else "given",
            inputs=inputs,
            overrides=overrides,
            figures=Figures(text, outcome.figures, _parts(outcome, content, form, database), war_digest(row)),
            rules_fingerprint=self._context.fingerprints[form.ruleset_key],
            rules_version=form.ruleset.version,
        )
        receipt = self._writer.record(form, database, begun, outcome, rows, last_lines, self._edits)
        self._edits = ()
        mark = mark_of(receipt, self._context.forms)
        ruling = Ruling(receipt, outcome.painted(self.colours(form)), form, self._receipts.options, last_lines, mark)
        return Answer(StatusCells(row, id, "Done", text, receipt), warnings, ruling)

    def _dead_leaders(self, tab: RequestTab, request: ValidRequest) -> tuple[Problem, ...]:
        """Return the problems of leaders who are dead, in a season that refuses them; decided cells count (LDR-11)."""
        dead = request.content.dead_leaders
        if self._receipts.options.dead_leaders != "refuse" or not dead:
            return ()
        if request.overrides:
            try:
                row, overrides = request.row, request.overrides
                _, decided = freeze(tab.form, self._snapshot, tab.database, row, request.id, overrides)
            except Rejected as rejection:
                return rejection.problems
            dead = dead if decided is None else decided.dead_leaders
        return tuple(dead_leader_problem(leader, self._writer.log.with_new) for leader in dead)

    def _draw(self, tab: RequestTab, request: ValidRequest) -> Draw | Awaited:
        """Return the round that decides a request; orders of a game with turns are decided in their order (LUCK-03)."""
        form = request.form
        is_next = form.ruleset_key not in self._waiting_turns
        draw = self.promises.decide(
            form,
            request.row,
            request.id,
            request.inputs,
            is_next=is_next,
            as_read=partial(self._as_read, request),
            database=tab.database,
        )
        if isinstance(draw, Awaited) and form.turn_column:
            self._waiting_turns.add(form.ruleset_key)
        return draw

    def _as_read(self, request: ValidRequest) -> str:
        """Return the inputs of a request before the rulings of this pass, blank if it was not valid."""
        form = request.form
        database = open_database(
            self._snapshot, [item for item in self._context.forms if item.ruleset_key == form.ruleset_key]
        )
        row = next(row for row in database.table(form.request) if row.number == request.row.number)
        try:
            return form.serialize(form.read(row, database).inputs)
        except Rejected:
            return ""


def _action(tab: RequestTab, row: Row) -> str:
    return str(tab.database.read(row, tab.form.request).values.get("action", RULE))


def _is_open(answer: Answer | ValidRequest) -> bool:
    if isinstance(answer, ValidRequest):
        return True
    return answer.shown.status == "Invalid" and not (answer.is_blocked or answer.is_past)


def _refused(row: Row, id: str, problems: tuple[Problem, ...], ruled: StoredReceipt | None = None) -> Answer:
    return Answer(StatusCells(row, id, "Invalid", message(problems), ruled), problems)


def _parts(outcome: Outcome, content: FormResult[Any], form: Form[Any], database: Database) -> tuple[PartResult, ...]:
    """Return the results in the request's other rows, which are found as they stand in the workbook, not as decided."""
    tables = {tab_of(record).name: database.table(record) for record in form.parts}
    by_row: dict[tuple[str, int], list[Mapping[str, Plain]]] = {}
    for result in outcome.results:
        number = content.rows[result.tab][result.row].number
        by_row.setdefault((result.tab, number), []).append(result.values)
    return tuple(
        PartResult(tab, row_digest(Row(tables[tab], number)), form.row_result(results))
        for (tab, number), results in by_row.items()
    )
