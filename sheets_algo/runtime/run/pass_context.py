"""The context of a pass: the arguments of planning besides the workbook, and what a watcher knows between passes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from engine.ruleset import Event, LogSink, MachineCode, no_op
from sheets_algo.forecasts.process_code import code_of
from sheets_algo.forecasts.queue import ForecastQueue
from sheets_algo.forms.base import COMPARISON_BATTLES, Form
from sheets_algo.replays.luck_report import how_lucky
from sheets_algo.ruling.luck.draw import Secret
from sheets_algo.ruling.plan import (
    NO_SECRET,
    ComparisonBattles,
    KnownBefore,
    PassContext,
    Plan,
    WriteOptions,
    read_contents,
)
from sheets_algo.ruling.requests.status_columns import WrittenStatus
from sheets_algo.ruling.step import Step, steps_of
from sheets_algo.runtime.after_commit.artifacts import picture_folder, preview_path
from sheets_algo.runtime.session.record import noted_heads
from sheets_algo.runtime.session.session import OpenWorkbook, Session
from sheets_algo.steps import STEPS
from sheets_algo.workbook.template_spec import TabSpec


@dataclass(slots=True)
class WatchState:
    """State of a workbook between passes; no repair and no ruling depends on it."""

    # The content of each request in the last pass (`PassFindings.known`); None rules a new request at once.
    known: Mapping[str, str] | None = field(default_factory=dict)
    repairs: int = 0  # The number of consecutive passes that only repaired cells
    # The number of consecutive attempts without a write, since cells changed (RCP-35).
    stale_looks: int = 0
    forecasts: ForecastQueue = field(default_factory=ForecastQueue)  # The forecasts that are done or under way
    # The statuses after the last pass (`PassFindings.statuses`).
    last_statuses: Mapping[str, WrittenStatus] = field(default_factory=dict)
    # The digests of the maps that were drawn before rulings, by request.
    previews: Mapping[str, str] = field(default_factory=dict)

    def remember(self, plan: Plan) -> None:
        """Keep the digests of a plan for the next pass, if it compares any."""
        self.stale_looks = 0
        self.repairs = self.repairs + 1 if plan.writes.repaired else 0
        self.last_statuses = plan.findings.statuses
        if self.known is not None:
            self.known = plan.findings.known


NO_SEASON = Secret(b"nothing is ruled before a season has begun")
CODE_WAIT_S = 60.0
"""Seconds that many rulings wait for machine code, with which they end sooner than with Python meanwhile."""


def pass_context(
    session: Session, workbook: OpenWorkbook, secret: Secret, state: WatchState, *, asks: bool = False
) -> PassContext:
    """Return the context of a pass.

    Args:
        asks: True to read the heads that the store notes.
    """
    return PassContext(
        forms=workbook.forms,
        fingerprints={form.ruleset_key: session.library.fingerprint(form.ruleset_key) for form in workbook.forms},
        secret=secret,
        steps=STEPS,
        before=KnownBefore(
            known=state.known,
            last_statuses=state.last_statuses,
            noted=noted_heads(session, workbook.receipts.record_key, asks=asks),
        ),
        writing=WriteOptions(
            log_lines_most=session.log_lines_most,
            most=session.most,
            accepts_rules=session.accepts_rules,
            accepts_columns=session.accepts_columns,
            preview_name=partial(_preview_name, session),
            channels=session.channels,
            looks=_looks(session),
        ),
        fought=ComparisonBattles(finished_forecasts=state.forecasts.finished),
    )


def steps_of_workbook(session: Session, workbook: OpenWorkbook) -> tuple[Step, ...]:
    """Return the steps of a workbook outside a pass, such as for an undo."""
    context = pass_context(session, workbook, NO_SECRET, WatchState(known=None))
    return steps_of(read_contents(workbook.snapshot, context, session.now(), lambda *_: no_op, workbook.receipts))


def begin_posts(session: Session, workbook: OpenWorkbook) -> None:
    """Begin the record of the posts of a season before a ruling or an undo is written here (PST-15)."""
    if session.channels:
        from sheets_algo.runtime.session.post_notes import begin_record  # not in a program without the step of posts

        begin_record(session, workbook.receipts)


def _looks(session: Session) -> Mapping[str, TabSpec]:
    """Return the formats of tabs that are created when needed, by name."""
    if not session.channels:
        return {}
    from sheets_algo.template.posts_tab import posts_tab  # not in the program that verifies in a browser

    looks = posts_tab()
    return {looks.name: looks}


def luck_options(session: Session, total: int, *, is_watched: bool) -> dict[str, Any]:
    """Return the options for comparison battles.

    Args:
        total: The number of requests; many wait for machine code, but no watcher does.
    """

    def code(form: Form[Any], inputs: Any) -> MachineCode:
        return code_of(form, inputs, total * COMPARISON_BATTLES, wait_s=0.0 if is_watched else CODE_WAIT_S)

    def luck_of(form: Form[Any], inputs: Any, seed: int, log: LogSink) -> tuple[Event, ...]:
        return how_lucky(form, inputs, seed, log, total, code(form, inputs))

    return {"luck_of": luck_of, "code_of": code} if session.is_luck_told else {}


def _preview_name(session: Session, request: str) -> str:
    """Return the name of a preview's file with its folder, which does not reveal where the program runs."""
    if not session.draws_pictures:
        return ""
    path = preview_path(picture_folder(session), session.workbook.name, request)
    return f"{path.parent.name}/{path.name}"
