"""Rulings with moderators' decisions: freezing and execution, and comparison with the outcome without them.

The luck is that of the ruling without decisions, since the seed is computed from the inputs without them (OVR-13).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from engine.columns import Field, Kind, ValueList, column, columns, loosely, tab_of
from engine.decisions import DecidableResult, DecidedDraw, DecidedValue, RulingDecisions, WrongDecision
from engine.receipt import Block, Line, ReceiptText, on_one_line
from engine.rng import Rng
from engine.ruleset import Event, LogSink, MachineCode, Outcome, Plain, Update, no_op
from engine.suggest import nearest
from sheets_algo.database.cell_text import ReadError, as_text
from sheets_algo.database.cells import read_value
from sheets_algo.database.problems import Problem, Rejected, one_of
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Edit, Row
from sheets_algo.forms.base import Form, FormResult
from sheets_algo.forms.edits import BadEdit, cell_of
from sheets_algo.ruling.requests.overrides import DECODER, DRAW, INPUT, RESULT, Decision, DecisionRow, FrozenDecisions
from sheets_algo.ruling.requests.program_cells import with_edits
from sheets_algo.workbook.snapshot import Snapshot

CodeOf = Callable[[Form[Any], Any], MachineCode]
"""Function of form and inputs that returns the machine code of the form's ruleset, empty without any."""
HEADING = "Moderator's decisions"
"""Heading of the section of a receipt."""
KIND = "decision"
"""Kind of an event that names a decision."""
RULES = {INPUT: "OVR-10", DRAW: "OVR-11", RESULT: "OVR-12"}
"""The rule of each kind of decision."""
DRAW_FIELD = Field(header="Value", kind=Kind.NUMBER, id="OVR-11", low=0, high=1)


def freeze(
    form: Form[Any], snapshot: Snapshot, database: Database, row: Row, request: str, overrides: Sequence[DecisionRow]
) -> tuple[FrozenDecisions, FormResult[Any] | None]:
    """Return the decisions about a request for its receipt, and the request read with decided cells.

    Raises:
        Rejected: A decided cell does not exist, or takes no such value.
    """
    rows = tuple(override.decision for override in overrides)
    cells = decided_cells(form, database, request, overrides)
    if not cells:
        return FrozenDecisions(rows=rows), None
    content = read_with(form, snapshot, database, row, cells)
    return FrozenDecisions(rows=rows, inputs=form.serialize(content.inputs)), content


def decided_cells(
    form: Form[Any], database: Database, request: str, overrides: Sequence[DecisionRow]
) -> list[tuple[DecisionRow, Edit]]:
    """Return the edits of the cells that are decided for a request, each with its row (OVR-10).

    Raises:
        Rejected: A decided cell does not exist.
    """
    cells = (override for override in overrides if override.decision.kind == INPUT)
    return [(override, _edit(override, form, database, request)) for override in cells]


def _edit(override: DecisionRow, form: Form[Any], database: Database, request: str) -> Edit:
    """Return the edit of a decided cell (OVR-10)."""
    what, value = override.decision.what, override.row.value("value")
    try:
        edit, rest = cell_of(f"{what}=", form, database, request)
        if rest:
            raise BadEdit("the value belongs into the column Value.")
        if edit.attribute == tab_of(edit.row.table.record).key:
            raise BadEdit(f"{edit.column.header} names the row; change another column.")
    except BadEdit as error:
        says = str(error).replace(f"{what}=", what)
        raise Rejected([override.row.problem("what", "OVR-10", says)]) from error
    return replace(edit, value=value if isinstance(value, bool | int | float) else as_text(value))


def read_with(
    form: Form[Any], snapshot: Snapshot, database: Database, row: Row, edits: Sequence[tuple[DecisionRow, Edit]]
) -> FormResult[Any]:
    """Read a request with decided cells, in the database after the earlier rulings.

    Raises:
        Rejected: It has errors with them.
    """
    book = with_edits(form, snapshot, database, (edit for _, edit in edits))
    same = next(other for other in book.table(form.request) if other.number == row.number)
    try:
        return form.read(same, book)
    except Rejected as rejection:
        errors = [problem for problem in rejection.problems if problem.is_error]
        raise Rejected(_refusal(problem, edits) for problem in errors) from rejection


def _refusal(problem: Problem, edits: Sequence[tuple[DecisionRow, Edit]]) -> Problem:
    """Return the problem of a decided cell at the row that decides it; another cell's at the first such row."""
    matches = (override for override, edit in edits if edit.row.cell(edit.attribute) == problem.cell)
    override = next(matches, None)
    if override is not None:
        return override.row.problem("value", "OVR-10", problem.says, allowed=problem.allowed, nearest=problem.nearest)
    return edits[0][0].row.problem("value", "OVR-10", f"with this value, {problem}")


def resolve(
    form: Form[Any], inputs: str, rng: Rng, overrides: str, log: LogSink = no_op, code_of: CodeOf | None = None
) -> Outcome:
    """Resolve a request; with decisions, the outcome names them beside the values without them.

    Args:
        inputs: The inputs without decisions, serialised.
        overrides: The decisions, serialised; blank for none.
        code_of: Returns the machine code for a request without decisions; None for Python.

    Raises:
        WrongDecision: A decision cannot be carried out.
        ValueError: The inputs or the decisions cannot be read.
    """
    if not overrides:
        read = form.deserialize(inputs)
        return form.ruleset.resolve_with(code_of(form, read) if code_of else MachineCode(), read, rng, log)
    frozen = DECODER.decode(overrides)
    without = form.ruleset.resolve(form.deserialize(inputs), rng)
    outcome = _carry_out(form, form.deserialize(frozen.inputs or inputs), rng, frozen.rows, log)
    log(("", HEADING, "-" * len(HEADING), *(_event_text(decision) for decision in frozen.rows)))
    return _beside(outcome, without, frozen.rows)


def _carry_out(form: Form[Any], inputs: Any, rng: Rng, rows: Sequence[Decision], log: LogSink) -> Outcome:
    """Carry out the decisions about draws and results; names unknown to the ruleset are database fields."""
    ruleset = form.ruleset
    named = ruleset.results(inputs)
    draws = [decision for decision in rows if decision.kind == DRAW]
    results = [decision for decision in rows if decision.kind == RESULT]
    if draws and not ruleset.names_draws:
        says = f"the draws of {form.key} have no names"
        raise WrongDecision(draws[0].what, says, allowed="Where a column takes a die, decide it with the Kind Input")
    values, typed = _results(results, named) if named else ({}, {})
    decided = RulingDecisions(tuple(map(_draw, draws)), values)
    if not decided.draws and not decided.results:
        outcome = ruleset.resolve(inputs, rng, log)
    else:
        try:
            outcome = ruleset.decided(inputs, rng, decided, log)
        except WrongDecision as error:
            error.what = typed.get(error.what, error.what)
            raise
    return _with_fields(outcome, results, form) if results and not named else outcome


def _draw(decision: Decision) -> DecidedDraw:
    value: float = _value(decision, DRAW_FIELD, {})
    if not value < 1:
        says = f"{as_text(decision.value)} is out of range"
        raise WrongDecision(decision.what, says, allowed="Enter a number from 0 to less than 1", is_value=True)
    return DecidedDraw(decision.what, value, f": {_because(decision)}")


def _results(
    rows: Iterable[Decision], named: Sequence[DecidableResult]
) -> tuple[dict[str, DecidedValue], dict[str, str]]:
    """Return the decided results by the first of their names (OVR-12), and the names that were typed for them."""
    spellings = {loosely(name): result for result in named for name in result.names}
    values: dict[str, DecidedValue] = {}
    typed: dict[str, str] = {}
    for decision in rows:
        result = spellings.get(loosely(decision.what))
        if result is None:
            names = [result.names[-1] for result in named]
            raise WrongDecision(decision.what, "there is no such result", names)
        name = result.names[0]
        if name in values:
            raise WrongDecision(decision.what, "is decided by another row already", allowed="Keep one of them")
        typed[name] = decision.what
        if result.words:
            word = {loosely(word): meant for word, meant in result.words.items()}.get(loosely(as_text(decision.value)))
            if word is None:
                says = f'"{as_text(decision.value)}" is not allowed'
                raise WrongDecision(decision.what, says, tuple(result.words), is_value=True)
            values[name] = word
        else:
            kind = Kind.WHOLE if result.is_whole else Kind.NUMBER
            field = Field(header="Value", kind=kind, id="OVR-12", low=result.low, high=result.high, unit=result.unit)
            values[name] = _value(decision, field, {})
    return values, typed


def _value(decision: Decision, field: Field, lists: dict[str, ValueList]) -> Any:
    try:
        return read_value(field, decision.value, lists)
    except ReadError as error:
        choices = (error.nearest,) if error.nearest else ()
        raise WrongDecision(decision.what, error.says, choices, error.allowed, is_value=True) from error


def _with_fields(outcome: Outcome, rows: Sequence[Decision], form: Form[Any]) -> Outcome:
    """Return an outcome in which decisions replace single written database fields (OVR-12).

    A decision about an unchanged field has no effect: a refusal would reveal the ruling beforehand.
    """
    updates = {loosely(_field_name(update)): update for update in outcome.updates}
    for decision in rows:
        value = _field_value(decision, form)
        name = loosely(decision.what)
        if name in updates:
            updates[name] = replace(updates[name], after=value)
    return replace(outcome, updates=tuple(updates.values()))


def _field_name(update: Update) -> str:
    return f"{update.tab}!{update.row}!{update.field}"


def _field_value(decision: Decision, form: Form[Any]) -> Plain:
    """Return the decided value of a database field, read as its column reads a cell."""
    tab, _, rest = loosely(decision.what).partition("!")
    header = rest.rpartition("!")[2]
    for record in form.database:
        for attribute, declared in columns(record) if loosely(tab_of(record).name) == tab else ():
            if loosely(declared.header) == header:
                value = _value(decision, column(record, attribute), dict(form.vocabulary.lists))
                return value if isinstance(value, str | bool | int | float) else as_text(decision.value)
    raise WrongDecision(decision.what, "there is no such field", allowed="Write Tab!Row!Column of the database")


def problem_of(error: WrongDecision, overrides: Sequence[DecisionRow]) -> Problem:
    """Return the problem of a decision that cannot be carried out, at its row."""
    names = {loosely(override.decision.what): override for override in overrides if override.decision.kind != INPUT}
    override = names.get(loosely(error.what), overrides[0])
    rule = RULES[override.decision.kind]
    typed = as_text(override.decision.value) if error.is_value else override.decision.what
    near = nearest(typed, error.choices) or nearest(typed.rpartition(",")[2].strip(), error.choices)
    allowed = error.allowed or one_of(error.choices)
    return override.row.problem("value" if error.is_value else "what", rule, error.says, allowed=allowed, nearest=near)


def _beside(outcome: Outcome, without: Outcome, rows: Sequence[Decision]) -> Outcome:
    """Return an outcome whose receipt and log name the decisions and, beside each number, its value without them."""
    which = "without the decision" if len(rows) == 1 else "without the decisions"
    receipt = outcome.receipt
    blocks = tuple(_compare_blocks(receipt, without.receipt, which))
    fields = {_field_name(update): update for update in without.updates}
    lines = [Line(decision.kind, _sentence(decision, _field_without(decision, fields, which))) for decision in rows]
    results, would_be = ((one.figures, one.updates, one.losses) for one in (outcome, without))
    is_same = blocks == receipt.blocks and results == would_be
    if without.receipt.headline != receipt.headline:
        lines.append(Line("", f"{which.capitalize()}: {without.receipt.headline}"))
    elif is_same:
        lines.append(Line("", f"Nothing here would be different {which}."))
    authors = " and ".join(dict.fromkeys(on_one_line(decision.by) for decision in rows))
    comparison = f"the same {which}" if is_same else f"the receipt says what would be different {which}"
    if outcome.summary != without.summary:
        comparison = f"{which}: {without.summary}"
    events = (Event(None, "", "", KIND, None, RULES[decision.kind], _event_text(decision)) for decision in rows)
    return replace(
        outcome,
        summary=f"{outcome.summary} (decided by {authors}; {comparison})",
        receipt=replace(receipt, blocks=(*blocks, Block(HEADING, tuple(lines)))),
        events=(*events, *outcome.events),
    )


def _compare_blocks(receipt: ReceiptText, without: ReceiptText, which: str) -> Iterator[Block]:
    """Yield the blocks of a receipt, each changed line with its text without decisions."""
    others: dict[tuple[str, str], list[Line]] = defaultdict(list)
    for block in without.blocks:
        for line in block.lines:
            others[block.heading, line.label].append(line)
    for block in receipt.blocks:
        lines = []
        for line in block.lines:
            same = others[block.heading, line.label] if line.label else []
            lines.append(line.beside(same.pop(0), which) if same else line)
        yield Block(block.heading, tuple(lines))


def _field_without(decision: Decision, fields: dict[str, Update], which: str) -> str:
    """Return the value of a decided database field without the decision, blank for any other decision."""
    update = next((update for name, update in fields.items() if loosely(name) == loosely(decision.what)), None)
    return f"; {which} {as_text(update.after) or 'blank'}" if update and decision.kind == RESULT else ""


def _sentence(decision: Decision, more: str = "") -> str:
    """Return a decision in a sentence, with reason and author."""
    return f"{on_one_line(decision.text)}{more}. {_because(decision)}"


def _because(decision: Decision) -> str:
    return on_one_line(f"Reason: {decision.reason.rstrip('.')}. By: {decision.by}")


def _event_text(decision: Decision) -> str:
    return f"the moderator decides: {decision.kind}, {_sentence(decision)}"
