"""Completion of the logs of written rulings with their luck (FC-06).

The comparison takes longer than the ruling, so it follows the commit. The tab Pending names the receipts with
incomplete logs. The next process, usually the one that ruled, computes the last lines between two passes, and its next
pass writes them. For that it replays the ruling from its receipt, and rewrites its files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.ruleset import Event, MachineCode, no_op
from sheets_algo.database.problems import shortened
from sheets_algo.forms.base import Form
from sheets_algo.replays.luck_report import comparison_replicates, luck_lines
from sheets_algo.replays.replay import CannotReplay, ReplayNeeds, other_tables, replay
from sheets_algo.ruling.plan import PendingLuck, Progress, Ruling
from sheets_algo.runtime.after_commit.compiled_rules import use_machine_code
from sheets_algo.runtime.after_commit.ruling_files import DRAWN_MOST, FileWriter, MadeFiles
from sheets_algo.runtime.session.session import Session

GIVEN_UP = "The log of {} cannot be completed: {}"

Steps = Iterator[Sequence[Event] | None]
"""Yields None after each part of the work, and at the end the last lines of a log."""


@dataclass(slots=True)
class LogCompletion:
    """The last lines of logs, finished or in progress; those of complete logs are dropped."""

    # The lines that a pass may write, by number of the receipt; none if there is no comparison.
    ready: dict[int, Sequence[Event]] = field(default_factory=dict)
    # The written files; none for a ruling that cannot be replayed.
    made: MadeFiles = field(default_factory=MadeFiles)
    _under_way: dict[int, Steps] = field(default_factory=dict)
    _compiled: dict[str, MachineCode] = field(default_factory=dict)
    _failures: list[str] = field(default_factory=list)

    def work(
        self,
        session: Session,
        owed: Sequence[PendingLuck],
        progress: Progress = no_op,
        is_over: Callable[[], bool] = lambda: False,
        total: int = 0,
    ) -> tuple[str, ...]:
        """Compute last lines in the order of the receipts until all are ready or the time is over.

        Args:
            progress: Called with each request that is begun.
            is_over: Returns True when the time is over; called after every few battles.
            total: The number of rulings that were compared at once by their pass; 0 for older rulings.

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
            steps = self._under_way.setdefault(seq, self._last_lines(session, ruling, ruling.form, total or len(owed)))
            try:
                lines = next((lines for lines in steps if lines is not None or is_over()), ())
            except Exception as error:  # one log must not block the others
                why = str(error) if isinstance(error, CannotReplay) else shortened(f"{type(error).__name__}: {error}")
                self._failures.append(GIVEN_UP.format(ruling.receipt.request, why))
                self.made |= MadeFiles({seq: ()})
                lines = ()
            if lines is not None:
                self.ready[seq] = lines
                del self._under_way[seq]
        failures, self._failures = tuple(self._failures), []
        return failures

    def _last_lines(self, session: Session, owed: PendingLuck, form: Form[Any], total: int) -> Steps:
        """Yield the last lines of a log, and write the files of the ruling.

        Raises:
            CannotReplay: The ruling cannot be repeated: the rules have other numbers, or it has another result.
        """
        receipt, fingerprint = owed.receipt, session.library.fingerprint(form.ruleset_key)
        if receipt.rules_fingerprint != fingerprint:
            missing = other_tables(receipt, fingerprint)
            raise ReplayNeeds(f"Receipt {receipt.seq} ({receipt.request}) cannot be played again", missing)
        log: list[str] = []
        outcome = replay(receipt, form, log.extend).in_season(owed.options)
        if (outcome.winner, outcome.figures) != (receipt.winner, receipt.figures.values):
            raise CannotReplay("it has another result now than when it was ruled.")
        lines: Sequence[Event] = ()
        if session.is_luck_told and not receipt.overrides:  # otherwise it is not a battle of its seed
            inputs = form.deserialize(receipt.inputs)
            code = use_machine_code(form, inputs, self._compiled)
            fought = []
            for part in comparison_replicates(form, inputs, int(receipt.seed), total, code):
                fought.append(part)
                yield None
            lines = luck_lines(fought, log.extend)
        ruling = Ruling(receipt, outcome.painted(owed.colours), form, luck=tuple(lines))
        made = FileWriter(session).write(ruling, log, draws=total <= DRAWN_MOST)
        self.made |= made
        self._failures += made.failures
        yield lines
