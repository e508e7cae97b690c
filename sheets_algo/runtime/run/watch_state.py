"""State of a watched workbook that is kept between passes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sheets_algo.forecasts.queue import ForecastQueue
from sheets_algo.ruling.plan import PendingLuck, Plan
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.ruling.requests.status_columns import WrittenStatus
from sheets_algo.runtime.after_commit.artifacts import Logs, RulingPictures
from sheets_algo.runtime.after_commit.log_completion import LogCompletion
from sheets_algo.runtime.after_commit.pass_note import identity


@dataclass(slots=True, eq=False)
class PendingCommit:
    """Commit of rulings whose outcome is unknown: it may have been carried out, or may be yet."""

    guard: int  # The number of its first receipt
    plan: Plan  # The plan that the commit writes
    logs: Logs  # The log files of its rulings
    pictures: RulingPictures  # The pictures of its rulings

    def is_done(self, receipts: Receipts) -> bool:
        """Return True if the receipts in the workbook are those of this commit."""
        planned = [*(ruling.receipt for ruling in self.plan.rulings), *self.plan.writes.promises]
        written = [receipts.by_seq.get(receipt.seq) for receipt in planned]
        return [identity(receipt) for receipt in written] == [identity(receipt) for receipt in planned]


@dataclass(slots=True)
class WatchState:
    """State of a workbook between passes; no repair and no ruling depends on it."""

    # The content of each request in the last pass (`PassFindings.known`); None rules a request at first sight.
    known: Mapping[str, str] | None = field(default_factory=dict)
    doubts: list[PendingCommit] = field(default_factory=list)  # The commits with unknown outcome, the oldest first
    repairs: int = 0  # The number of consecutive passes that only repaired cells
    # The number of consecutive looks in which nothing could be written, since cells changed (RCP-35).
    stale_looks: int = 0
    forecasts: ForecastQueue = field(default_factory=ForecastQueue)  # The forecasts that are done or under way
    owed: tuple[PendingLuck, ...] = ()  # The rulings whose logs were incomplete after the last pass
    completion: LogCompletion = field(default_factory=LogCompletion)  # The last lines of those logs, ready or under way
    # The statuses after the last pass (`PassFindings.statuses`).
    last_statuses: Mapping[str, WrittenStatus] = field(default_factory=dict)
    # The digests of the maps that were drawn before rulings, by request.
    previews: Mapping[str, str] = field(default_factory=dict)

    def remember(self, plan: Plan) -> None:
        """Keep from a plan what the next pass compares with, if it compares at all."""
        self.stale_looks = 0
        self.repairs = self.repairs + 1 if plan.writes.repaired else 0
        self.owed = tuple(owed for owed in plan.owes.owed if owed.form)
        self.last_statuses = plan.findings.statuses
        if self.known is not None:
            self.known = plan.findings.known

    def discard_superseded(self, guard: int | None) -> None:
        """Discard the commits with a guard that a later commit has used, since they can no longer be carried out."""
        for commit in [commit for commit in self.doubts if commit.guard == guard]:
            commit.logs.discard()
            self.doubts.remove(commit)

    def pop_carried_out(self, receipts: Receipts) -> PendingCommit | None:
        """Return a commit of unknown outcome that proves to be carried out, if any; forget those that are over."""
        over = [commit for commit in self.doubts if commit.guard < receipts.next_seq]  # by this or another commit
        self.doubts = [commit for commit in self.doubts if commit not in over]
        done = next((commit for commit in over if commit.is_done(receipts)), None)
        for commit in over:
            if commit is not done:
                commit.logs.discard()
        return done
