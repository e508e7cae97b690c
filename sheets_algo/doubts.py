"""A watcher's memory of a workbook between passes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sheets_algo.followups import FollowUps
from sheets_algo.forecasts.slices import Slices
from sheets_algo.keepsakes import Logs, Pictures
from sheets_algo.plans import Owed, Plan
from sheets_algo.receipts import Receipt, Receipts


@dataclass(slots=True, eq=False)
class Doubt:
    """A commit of rulings that may have been carried out, or may be yet: what is to become of its files.

    Args:
        guard: Number of its first receipt.
        plan: Where it comes from.
        logs: Of its rulings.
        pictures: Of its rulings.
    """

    guard: int
    plan: Plan
    logs: Logs
    pictures: Pictures

    def is_over(self, receipts: Receipts) -> bool:
        """Tell whether its guard has been used, by this commit or another one."""
        return self.guard < receipts.next_seq

    def is_done(self, receipts: Receipts) -> bool:
        """Whether what stands in the workbook is its work."""
        written = [receipts.by_seq.get(ruling.receipt.seq) for ruling in self.plan.rulings]
        planned = [ruling.receipt for ruling in self.plan.rulings]
        return [_name_of(it) for it in written] == [_name_of(it) for it in planned]


def _name_of(receipt: Receipt | None) -> tuple[str, ...]:
    return (receipt.request, receipt.seed, receipt.inputs_fingerprint, receipt.time) if receipt else ()


@dataclass(slots=True)
class Memory:
    """Memory of a workbook between passes; no repair and no ruling depends on it.

    Args:
        known: What the pass before saw in each request (`Desk.known`); None rules at first sight.
        doubts: Commits to which no answer came, the oldest first.
        repairs: Passes in a row that did nothing but put cells right.
        forecasts: Done or under way.
        shown: What the pass before showed of requests (`Desk.shown`).
        owed: Rulings whose logs are to be completed, as the pass before left them.
        followups: Their last lines, ready or under way.
    """

    known: Mapping[str, str] | None = field(default_factory=dict)
    doubts: list[Doubt] = field(default_factory=list)
    repairs: int = 0
    forecasts: Slices = field(default_factory=Slices)
    owed: tuple[Owed, ...] = ()
    followups: FollowUps = field(default_factory=FollowUps)
    shown: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def saw(self, plan: Plan) -> None:
        """The next pass compares with what this one saw, if it compares at all."""
        self.repairs = self.repairs + 1 if plan.repaired else 0
        self.owed = tuple(it for it in plan.owed if it.form)
        self.shown = plan.shown
        if self.known is not None:
            self.known = plan.known

    def overtake(self, guard: int | None) -> None:
        """A later commit was let through with the same guard, so the earlier one is not carried out any more."""
        for doubt in [it for it in self.doubts if it.guard == guard]:
            doubt.logs.discard()
            self.doubts.remove(doubt)

    def carried_out(self, receipts: Receipts) -> Doubt | None:
        """A commit without an answer whose work stands in the workbook; those that came to nothing are forgotten."""
        over = [doubt for doubt in self.doubts if doubt.is_over(receipts)]
        self.doubts = [doubt for doubt in self.doubts if doubt not in over]
        done = next((doubt for doubt in over if doubt.is_done(receipts)), None)
        for doubt in over:
            if doubt is not done:
                doubt.logs.discard()
        return done
