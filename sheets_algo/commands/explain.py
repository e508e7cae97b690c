"""The command `explain`."""

from __future__ import annotations

from typing import Any

from engine.ruleset import Event
from sheets_algo.commands.opening import new_session
from sheets_algo.commands.report import Report, explained_data, problem_data
from sheets_algo.database.problems import Rejected, problem_lines
from sheets_algo.forms.capabilities import WarForm
from sheets_algo.replays.replay import replay_as_ruled
from sheets_algo.ruling.receipts.lookup import row_of
from sheets_algo.runtime.session.session import opened


def explain(*, request: str, verbose: bool, **options: Any) -> Report:
    """Report how each variable of a request was computed, and why its ruling came out as it did."""
    session = new_session(**options)
    book = opened(session, with_details=True)
    receipt = book.receipts.ruling_of(request)
    events: tuple[Event, ...] = ()
    why: tuple[str, ...] = ()
    if receipt:
        form = book.form_of(receipt)
        fingerprint = session.library.fingerprint(form.ruleset_key)
        outcome = replay_as_ruled(receipt, form, fingerprint, book.receipts.options)
        explained, events, why = outcome.explained, outcome.events, outcome.why
        inputs = form.deserialize(receipt.inputs)
    else:
        form, database, row = row_of(book.snapshot, book.forms, request)
        try:
            inputs = form.deserialize(form.serialize(form.read(row, database).inputs))
            explained = form.ruleset.explain(inputs)
        except Rejected as rejection:
            problems = [problem_data(problem) for problem in rejection.problems]
            return Report({"request": request, "problems": problems}, [*problem_lines(rejection.problems)], 1)
    rules = form.ruleset.rules_name(inputs)
    presets = [*form.presets(inputs)] if isinstance(form, WarForm) else []
    data = explained_data(request, explained, events, why) | ({"rules": rules} if rules else {})
    data |= {"presets": presets} if presets else {}
    lines = [*([f"Rules: {rules}"] if rules else []), *presets, *(variable.line() for variable in explained)]
    timeline = [line for event in events for line in (event.line(), *event.calculation_lines())]
    for title, section in (("Timeline", timeline), ("Why", why)):
        lines += ["", title, "-" * len(title), *section] if section else []
    return Report(data, lines)
