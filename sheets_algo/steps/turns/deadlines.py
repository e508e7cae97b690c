"""Turns that end at a deadline: which one is due, the request that ends it, and what the tab Turns shows (TRN-03)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from engine.columns import columns
from engine.ruleset import Plain
from sheets_algo.database.changes import Changes
from sheets_algo.database.moments import read_time, utc_text
from sheets_algo.database.records import END_ANYWAY, Database
from sheets_algo.forms.capabilities import CurrentTurn, TurnForm
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.ruling.step import ANNOUNCEMENT, REMINDER, Announcement, Audience
from sheets_algo.steps.turns.turns_tab import ENDED, TurnEntry, TurnsTab

REMINDS = timedelta(days=1)
"""Time from a reminder to the deadline of an announced turn."""
REMINDED = ", reminded"
OVER = "Over"
LATE_S = 3_600
"""Seconds after the end of a turn in which an order says that the turn before ended without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTurn:
    """The current turn of a game, which the tab Turns names."""

    entry: TurnEntry
    turn: CurrentTurn
    now: datetime  # The time of the pass
    is_void: bool  # True if its deadline was over when the turn began, or began again

    @property
    def is_over(self) -> bool:
        """Return True if its deadline has been reached."""
        return self.entry.deadline is not None and self.entry.deadline <= self.now and not self.is_void

    @property
    def is_due(self) -> bool:
        """Return True if it ends now."""
        return self.is_over and not self.entry.asks

    @property
    def end(self) -> str:
        """Return how a receipt names the end, a clause: `at the deadline of 2026-11-28T20:00:00Z`."""
        return f"at the deadline of {self.entry.deadline_text}"


class Deadlines:
    """The deadlines of one pass."""

    def __init__(
        self, turns: TurnsTab, receipts: Receipts, changes: Changes, now: str, publish: Callable[[Announcement], bool]
    ) -> None:
        self.turns, self._receipts, self._changes, self._publish = turns, receipts, changes, publish
        self._now = datetime.fromisoformat(now)
        self.next: datetime | None = None
        """When the next turn ends, or players are reminded of its end."""

    def of(self, form: TurnForm[Any], database: Database) -> OpenTurn | None:
        """Return the current turn of a game; None if it has none, or the tab does not name it."""
        turn = form.turn_of_all(database) if form.end_of_turn and self.turns.all_of(form.ruleset_key) else None
        entry = self.turns.of(form.ruleset_key, turn.number) if turn else None
        if turn is None or entry is None:
            return None
        is_past = entry.deadline is not None and entry.deadline <= self._now
        began = self._receipts.beginning(turn.counters)
        is_void = is_past and began is not None and utc_text(entry.deadline or self._now) < began.time
        if entry.deadline and not is_past:
            self._expect(entry.deadline)
        return OpenTurn(entry=entry, turn=turn, now=self._now, is_void=is_void)

    def late(self, form: TurnForm[Any], turn: int) -> str:
        """Return how an order of a turn is told that the turn before ended shortly ago, without it; blank if not."""
        ended = self.ended(form, turn - 1)
        moment = read_time(ended)
        if moment is None or (self._now - moment).total_seconds() > LATE_S:
            return ""
        name = form.turn_column
        return f"Of {name} {turn}: {name} {turn - 1} ended at {ended}, when this was not ticked"

    def ended(self, form: TurnForm[Any], turn: int) -> str:
        """Return when a turn ended, blank if the tab Turns does not say so."""
        entry = self.turns.of(form.ruleset_key, turn)
        return entry.ended if entry else ""

    def announce(self, form: TurnForm[Any], entry: TurnEntry) -> None:
        """Post the deadline of the current turn, and a reminder a day before it, each once (TRN-08)."""
        deadline, said = entry.deadline, str(entry.row.value("announced") or "")
        if deadline is None or deadline <= self._now:
            return
        is_new, reminds_at = not said.startswith(entry.deadline_text), deadline - REMINDS
        if not is_new and (said.endswith(REMINDED) or reminds_at > self._now):
            if not said.endswith(REMINDED):
                self._expect(reminds_at)
            return
        what = ANNOUNCEMENT if is_new else REMINDER
        request, what = f"{form.ruleset_key} {entry.turn}", f"{what} {entry.deadline_text}"
        if self._publish(Announcement(audience=Audience.TURNS, form=form, request=request, what=what)):
            is_last = reminds_at <= self._now
            self._changes.set(entry.row, "announced", f"{entry.deadline_text}{REMINDED if is_last else ''}")
            if not is_last:
                self._expect(reminds_at)

    def _expect(self, moment: datetime) -> None:
        self.next = min(self.next or moment, moment)

    def show(self, form: TurnForm[Any], current: int | None, status: str, ordered: str, missing: str) -> None:
        """Write the program's cells of all turns of a game.

        Args:
            current: The number of the current turn; None if the game has none.
        """
        for entry in self.turns.all_of(form.ruleset_key):
            cells: tuple[str, str, str] = ("", "", "")
            is_past = entry.turn < current if current is not None else entry.row.value("status") == OVER
            if is_past or (current is None and entry.ended):
                cells = str(entry.row.value("status")) if entry.ended else OVER, "", ""
            elif current is None or entry.turn == current:
                cells = status, ordered, missing
            for attribute, value in zip(("status", "ordered", "missing"), cells, strict=True):
                self._changes.set(entry.row, attribute, value)

    def show_end(self, entry: TurnEntry, seq: int) -> None:
        """Write that a turn has ended, and by which receipt."""
        self._changes.set(entry.row, "status", ENDED.format(utc_text(self._now), seq))
        for attribute in ("ordered", "missing"):
            self._changes.set(entry.row, attribute, "")


def end_request(form: TurnForm[Any], open_turn: OpenTurn) -> Mapping[str, Plain]:
    """Return the cells of the request by which a turn ends at its deadline, without its id."""
    cells: dict[str, Plain] = {
        **form.end_of_turn,
        form.turn_column: open_turn.entry.turn,
        "action": END_ANYWAY,
        "ready": True,
    }
    if "notes" in dict(columns(form.request)):
        cells["notes"] = f"Ended {open_turn.end}"
    return cells
