"""What a pass leaves open: commits without an answer, and writes under which people moved rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sheets_algo.forecasts.slices import Slices
from sheets_algo.healing import healed
from sheets_algo.keepsakes import Logs, Pictures
from sheets_algo.places import Place, opened
from sheets_algo.plans import Plan
from sheets_algo.receipts import Receipt, Receipts
from sheets_algo.rulesets import RULESETS
from sheets_algo.workbook.base import ChangeSet, Snapshot, StaleWorkbook, UnknownOutcome, WorkbookError, a1

LOOKS = 6
"""How often a displaced write is looked at before people are asked to: they may move rows under what mends it too."""

HEALED = "Rows were moved while the program wrote: {} cells were put right."
LATER = "Rows were moved while the program wrote; the next look puts that right. {}"
MOVED_AGAIN = "Rows were moved while the program wrote, and again since: look at {}."


@dataclass(slots=True, eq=False)
class Doubt:
    """A commit that may have been carried out, or may be yet.

    Args:
        snapshot: What it was planned on.
        changes: What was sent.
        plan: Where the changes come from.
        logs: Of its rulings.
        pictures: Of its rulings.
        is_overtaken: A later commit was let through, so this one comes no more.
    """

    snapshot: Snapshot
    changes: ChangeSet
    plan: Plan
    logs: Logs
    pictures: Pictures
    is_overtaken: bool = False

    def is_over(self, receipts: Receipts) -> bool:
        """Whether its fate is sealed: its guard has been used, by whichever commit, or a later one was let through."""
        if self.changes.guard is None:
            return self.is_overtaken
        return self.changes.guard < receipts.next_seq

    def is_done(self, receipts: Receipts) -> bool:
        """Whether what stands in the workbook is its work."""
        written = [receipts.by_seq.get(ruling.receipt.seq) for ruling in self.plan.rulings]
        planned = [ruling.receipt for ruling in self.plan.rulings]
        return bool(planned) and [_name_of(it) for it in written] == [_name_of(it) for it in planned]


def _name_of(receipt: Receipt | None) -> tuple[str, ...]:
    return (receipt.request, receipt.seed, receipt.inputs_fingerprint, receipt.time) if receipt else ()


@dataclass(slots=True)
class Memory:
    """What is remembered of a workbook from one pass to the next; a pass without it rules at first sight.

    Args:
        known: What the pass before saw in each request (`Desk.known`).
        doubts: Commits to which no answer came, the oldest first.
        displaced: Writes under which rows were moved, with what they were planned on, until they are put right.
        forecasts: Done or under way.
    """

    known: Mapping[str, str] | None = field(default_factory=dict)
    doubts: list[Doubt] = field(default_factory=list)
    displaced: list[tuple[Snapshot, ChangeSet]] = field(default_factory=list)
    forecasts: Slices = field(default_factory=Slices)

    def saw(self, plan: Plan) -> None:
        """The next pass compares with what this one saw, if it compares at all."""
        if self.known is not None:
            self.known = plan.known

    def overtake(self, guard: int | None) -> None:
        """A later commit was let through: whatever was in doubt comes no more, and has not come with the same guard."""
        for doubt in self.doubts:
            doubt.is_overtaken = True
            if guard is not None and doubt.changes.guard == guard:
                doubt.logs.discard()
        self.doubts = [doubt for doubt in self.doubts if guard is None or doubt.changes.guard != guard]

    def carried_out(self, snapshot: Snapshot, receipts: Receipts) -> Doubt | None:
        """A commit without an answer whose work stands in the workbook; those that came to nothing are forgotten."""
        for doubt in self.doubts:
            # Whether one without a receipt was carried out does not matter; where it went does.
            if doubt.changes.guard is None and healed(doubt.snapshot, doubt.changes, snapshot, RULESETS):
                self.doubts.remove(doubt)
                return doubt
        over = [doubt for doubt in self.doubts if doubt.is_over(receipts)]
        self.doubts = [doubt for doubt in self.doubts if not doubt.is_over(receipts)]
        done = next((doubt for doubt in over if doubt.is_done(receipts)), None)
        for doubt in over:
            if doubt is not done:
                doubt.logs.discard()
        return done


def put_right_at_once(place: Place, memory: Memory, snapshot: Snapshot, changes: ChangeSet) -> tuple[str, ...]:
    """Put a write right that may have been displaced; it stands, so whatever keeps us from it is told, not raised.

    Args:
        place: Workbook and surroundings.
        memory: Keeps what is not yet right.
        snapshot: What the write was planned on.
        changes: What was written.

    Returns:
        What was done, in sentences.
    """
    memory.displaced.append((snapshot, changes))
    try:
        return put_right(place, memory)
    except WorkbookError as error:
        return (LATER.format(error),)


def put_right(place: Place, memory: Memory) -> tuple[str, ...]:
    """Put displaced writes right, also those that were made to put others right.

    Returns:
        What was done, in sentences.

    Raises:
        WorkbookError: The workbook cannot be read or written; what is not yet right stays in the memory.
    """
    remarks: list[str] = []
    for _ in range(LOOKS):
        if not memory.displaced:
            return tuple(remarks)
        found = opened(place).snapshot
        mended = healed(*memory.displaced[-1], found, RULESETS)
        if not mended:
            del memory.displaced[-1]
            continue
        try:
            committed = place.workbook.commit(found, mended)
        except UnknownOutcome:
            memory.displaced.append((found, mended))
        except StaleWorkbook:  # moved again: looked at once more
            continue
        else:
            remarks.append(HEALED.format(len(mended.cells)))
            if committed.is_displaced:
                memory.displaced.append((found, mended))
    cells = {f"{cell.tab}!{a1(cell.row, cell.column)}" for _, changes in memory.displaced for cell in changes.cells}
    memory.displaced.clear()
    return (*remarks, MOVED_AGAIN.format(", ".join(sorted(cells))))
