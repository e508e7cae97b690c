"""Turns that end at a deadline: the due one, the request that ends it, and the tab Turns (TRN-03)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from engine.columns import columns
from engine.ruleset import Plain
from sheets_algo.database.moments import read_time, utc_text
from sheets_algo.database.records import END_ANYWAY, Database
from sheets_algo.forms.capabilities import CurrentTurn, TurnForm
from sheets_algo.ruling.step import ANNOUNCEMENT, REMINDER, Announcement, Audience, PassState
from sheets_algo.steps.turns.turns_tab import ENDED, TurnEntry, TurnsTab

REMINDS = timedelta(days=1)
"""Time from a reminder to the deadline of an announced turn."""
REMINDED = ", reminded"
OVER = "Over"
LATE_S = 3_600
"""Seconds after the end of a turn during which an order reports that it missed it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTurn:
    """The current turn of a game in the tab Turns."""

    entry: TurnEntry
    turn: CurrentTurn
    now: datetime  # The time of the pass
    is_void: bool  # True if its deadline had passed when the turn began, or began again

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
        """Return a receipt's clause on the end: `at the deadline of 2026-11-28T20:00:00Z`."""
        return f"at the deadline of {self.entry.deadline_text}"


class Deadlines:
    """The deadlines of one game in one pass."""

    def __init__(self, form: TurnForm[Any], turns: TurnsTab, state: PassState) -> None:
        self._form, self._turns, self._state = form, turns, state
        self._now = datetime.fromisoformat(state.contents.now)
        self.next: datetime | None = None
        """The time of the turn's end, or of the next reminder."""

    def open_turn(self, database: Database) -> OpenTurn | None:
        """Return the current turn; None if the game has none, or the tab lacks it."""
        turn = self._form.turn_of_all(database) if self._form.end_of_turn and self._entries else None
        entry = self._entry(turn.number) if turn else None
        if turn is None or entry is None:
            return None
        is_past = entry.deadline is not None and entry.deadline <= self._now
        began = self._state.receipts.beginning(turn.counters)
        is_void = is_past and began is not None and utc_text(entry.deadline or self._now) < began.time
        if entry.deadline and not is_past:
            self._expect(entry.deadline)
        return OpenTurn(entry=entry, turn=turn, now=self._now, is_void=is_void)

    def late(self, turn: int) -> Iterator[str]:
        """Yield a remark on an order that just missed the end of the previous turn."""
        ended, name = self.ended(turn - 1), self._form.turn_column
        moment = read_time(ended)
        if moment is not None and (self._now - moment).total_seconds() <= LATE_S:
            yield f"Of {name} {turn}: {name} {turn - 1} ended at {ended}, when this was not ticked"

    def ended(self, turn: int) -> str:
        """Return the time of a turn's end, blank if the tab Turns lacks it."""
        entry = self._entry(turn)
        return entry.ended if entry else ""

    def announce(self, entry: TurnEntry) -> None:
        """Post the deadline of the current turn, and a reminder a day before it, each once (TRN-08)."""
        deadline, said = entry.deadline, str(entry.row.value("announced") or "")
        if deadline is None or deadline <= self._now:
            return
        is_new, reminds_at = not said.startswith(entry.deadline_text), deadline - REMINDS
        if not is_new and (said.endswith(REMINDED) or reminds_at > self._now):
            if not said.endswith(REMINDED):
                self._expect(reminds_at)
            return
        what = f"{ANNOUNCEMENT if is_new else REMINDER} {entry.deadline_text}"
        request = f"{self._form.ruleset_key} {entry.turn}"
        if self._state.publish(Announcement(audience=Audience.TURNS, form=self._form, request=request, what=what)):
            is_last = reminds_at <= self._now
            self._state.changes.set(entry.row, "announced", f"{entry.deadline_text}{REMINDED if is_last else ''}")
            if not is_last:
                self._expect(reminds_at)

    def _expect(self, moment: datetime) -> None:
        self.next = min(self.next or moment, moment)

    def show(self, current: int | None, status: str, ordered: str, missing: str) -> None:
        """Write the program's cells of all turns.

        Args:
            current: The number of the current turn; None if the game has none.
        """
        for entry in self._entries:
            cells: tuple[str, str, str] = ("", "", "")
            is_past = entry.turn < current if current is not None else entry.row.value("status") == OVER
            if is_past or (current is None and entry.ended):
                cells = str(entry.row.value("status")) if entry.ended else OVER, "", ""
            elif current is None or entry.turn == current:
                cells = status, ordered, missing
            for attribute, value in zip(("status", "ordered", "missing"), cells, strict=True):
                self._state.changes.set(entry.row, attribute, value)

    def show_end(self, entry: TurnEntry, seq: int) -> None:
        """Write the end of a turn, with its receipt."""
        self._state.changes.set(entry.row, "status", ENDED.format(utc_text(self._now), seq))
        for attribute in ("ordered", "missing"):
            self._state.changes.set(entry.row, attribute, "")

    @property
    def _entries(self) -> Sequence[TurnEntry]:
        return self._turns.all_of(self._form.ruleset_key)

    def _entry(self, turn: int) -> TurnEntry | None:
        return self._turns.of(self._form.ruleset_key, turn)


def end_request(form: TurnForm[Any], open_turn: OpenTurn) -> Mapping[str, Plain]:
    """Return the cells of the request that ends a turn at its deadline, without its id."""
    cells: dict[str, Plain] = {
        **form.end_of_turn,
        form.turn_column: open_turn.entry.turn,
        "action": END_ANYWAY,
        "ready": True,
    }
    if "notes" in dict(columns(form.request)):
        cells["notes"] = f"Ended {open_turn.end}"
    return cells
