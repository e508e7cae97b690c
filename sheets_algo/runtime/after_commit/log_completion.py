"""Completion of the logs of rulings that are written: how lucky each of them was (FC-06).

Working that out takes longer than the ruling, so it is done after the commit. The tab Pending names the receipts whose
logs are incomplete. The next process, usually the one that ruled, works out the last lines between two passes, and its
next pass writes them. If the process that ruled has died, the next one also makes the log file and the picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.ruleset import Event, MachineCode, no_op
from sheets_algo.database.problems import shortened
from sheets_algo.forms.base import Form
from sheets_algo.replays.luck_report import comparison_replicates, luck_lines
from sheets_algo.replays.replay import CannotReplay, replay
from sheets_algo.ruling.plan import PendingLuck, Progress, Ruling
from sheets_algo.runtime.after_commit.artifacts import (
    DRAWN_MOST,
    RulingPictures,
    complete_log,
    is_drawn,
    maps_of,
    picture_path,
)
from sheets_algo.runtime.session.session import Session

GIVEN_UP = "How lucky {} was cannot be said: {}"
UNSAVED = "The log of {} cannot be completed in {} ({})."

Steps = Iterator[Sequence[Event] | None]
"""Yields None after each part of the work, and at the end the last lines of a log."""


@dataclass(slots=True)
class LogCompletion:
    """The last lines of logs that are ready or being worked out; those of logs that are complete are dropped."""

    # The lines that a pass may write, by number of the receipt; none where nothing can be said.
    ready: dict[int, Sequence[Event]] = field(default_factory=dict)
    _under_way: dict[int, Steps] = field(default_factory=dict)
    _compiled: dict[str, MachineCode] = field(default_factory=dict)
    _failures: list[str] = field(default_factory=list)

    def work(
        self,
        session: Session,
        owed: Sequence[PendingLuck],
        progress: Progress = no_op,
        is_over: Callable[[], bool] = lambda: False,
    ) -> tuple[str, ...]:
        """Work out last lines in the order of the receipts until all are ready or the time is over.

        Args:
            progress: Called with each request that is begun.
            is_over: Returns True when the time is over; called after every few battles.

        Returns:
            A sentence for each log that cannot be completed.
        """
        numbers = {ruling.receipt.seq for ruling in owed}
        self.ready = {seq: lines for seq, lines in self.ready.items() if seq in numbers}
        self._under_way = {seq: steps for seq, steps in self._under_way.items() if seq in numbers}
        for ruling in owed:
            seq = ruling.receipt.seq
            if ruling.form is None or seq in self.ready:
                continue
            if is_over():
                break
            progress("Luck", ruling.receipt.request, len(owed))
            steps = self._under_way.setdefault(seq, self._last_lines(session, ruling, ruling.form, len(owed)))
            try:
                lines = next((lines for lines in steps if lines is not None or is_over()), ())
            except Exception as error:  # one log must not keep the others from being completed
                why = str(error) if isinstance(error, CannotReplay) else f"{type(error).__name__}: {error}"
                self._failures.append(GIVEN_UP.format(ruling.receipt.request, shortened(why)))
                lines = ()
            if lines is not None:
                self.ready[seq] = lines
                del self._under_way[seq]
        failures, self._failures = tuple(self._failures), []
        return failures

    def _last_lines(self, session: Session, owed: PendingLuck, form: Form[Any], total: int) -> Steps:
        """Yield the last lines of a log, and complete the log file; a missing log file or picture is made.

        Raises:
            CannotReplay: The ruling cannot be repeated: the rules have other numbers, or it has another result.
        """
        receipt = owed.receipt
        if receipt.rules_fingerprint != session.library.fingerprint(form.ruleset_key):
            raise CannotReplay("the rules have other numbers now than when it was ruled.")
        ruled: list[str] = []
        last: list[str] = []
        outcome = replay(receipt, form, ruled.extend).in_season(owed.options)
        if (outcome.winner, outcome.figures) != (receipt.winner, receipt.figures.values):
            raise CannotReplay("it has another result now than when it was ruled.")
        lines: Sequence[Event] = ()
        if session.is_luck_told and not receipt.overrides:  # else it is not a battle of its seed
            inputs = form.deserialize(receipt.inputs)
            code = use_machine_code(form, inputs, self._compiled)
            fought = []
            for part in comparison_replicates(form, inputs, int(receipt.seed), total, code):
                fought.append(part)
                yield None
            lines = luck_lines(fought, last.extend)
        self._keep(session, Ruling(receipt, outcome.painted(owed.colours), form), ruled, last, total <= DRAWN_MOST)
        yield lines

    def _keep(self, session: Session, ruling: Ruling, ruled: Sequence[str], last: Sequence[str], draws: bool) -> None:
        """Complete the log file, and with `draws` draw the picture if it is missing."""
        logs, request = session.folder / "logs", ruling.receipt.request
        try:
            complete_log(logs, session.clock(), ruling.form, request, ruled, last)
        except OSError as error:
            self._failures.append(UNSAVED.format(request, logs, error.strerror))
        is_wanted = draws and session.draws_pictures and maps_of(ruling.outcome)
        if is_wanted and not is_drawn(picture_path(session, ruling.receipt), ruling.receipt):
            _, unsaved = RulingPictures([ruling]).save(session, no_op)
            self._failures += [unsaved] if unsaved else []


def use_machine_code(form: Form[Any], inputs: Any, compiled: dict[str, MachineCode], battles: int = 0) -> MachineCode:
    """Return the machine code of a ruleset, empty until there is some; it is made in the background where that pays.

    Args:
        inputs: The inputs of a war that is about to be fought.
        compiled: What was returned before, by the key of the form; what is looked for now is added.
        battles: The number of battles that will be fought; compilation pays from some number on.
    """
    if form.key not in compiled:
        from sheets_algo.forecasts.compiled import use_cached_code  # slow to import

        compiled[form.key] = MachineCode()
        use_cached_code(form, inputs, compiled[form.key], battles)
    return compiled[form.key]
