"""The program with one of its safeguards removed, to check that schedules detect it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from gspread.urls import SPREADSHEET_VALUES_APPEND_URL

from scripts.support.live.people import FORGET
from scripts.support.live.runner import clean_run, killed_while_moving, play_schedule
from scripts.support.live.schedules import WATCHED, Event, Schedule
from sheets_algo.ruling import step
from sheets_algo.ruling.passes import planner
from sheets_algo.ruling.receipts import chain
from sheets_algo.ruling.repair import intents
from sheets_algo.ruling.repair.reconcile import WriteCheck
from sheets_algo.ruling.requests import row_states, status_columns
from sheets_algo.ruling.requests.row_states import ShownResults
from sheets_algo.runtime.session import record
from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.errors import UnknownOutcome
from sheets_algo.workbook.google.commit import guard, precheck, spreadsheet_writer, writing
from sheets_algo.workbook.google.commit.precheck import Precheck
from sheets_algo.workbook.google.http.api import Api

TIMES = 3
"""The most times that a careless client sends a write."""

Request = Mapping[str, Any]
Patches = Callable[[], AbstractContextManager[Any]]


@dataclass(frozen=True)
class Mutant:
    """A program without a safeguard.

    Args:
        schedules: Functions that make the schedules it breaks; requests are numbered as in the whole program.
        api: The class that it sends requests with.
        patches: Further changes.
    """

    schedules: tuple[Callable[[], Schedule], ...]
    api: type[Api] = Api
    patches: tuple[Patches, ...] = ()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        with ExitStack() as stack:
            for change in self.patches:
                stack.enter_context(change())
            yield


class Resends(Api):
    """An API client that repeats a write without an answer, as clients do that retry every method."""

    def batch_update(self, body: Request, **options: Any) -> dict[str, Any]:
        return resend(lambda: super(Resends, self).batch_update(body, **options))


class Appends(Api):
    """An API client that adds rows by values:append, a call for each tab, as gspread's `append_rows` does."""

    def batch_update(self, body: Request, **options: Any) -> dict[str, Any]:
        rows = [request["appendCells"] for request in body["requests"] if "appendCells" in request]
        rest = [request for request in body["requests"] if "appendCells" not in request]
        answer = super().batch_update({**body, "requests": rest}, **options)
        for added in rows:
            resend(lambda added=added: self._append(added))  # type: ignore[misc]
        return answer

    def _append(self, added: Request) -> dict[str, Any]:
        titles = {
            sheet["properties"].get("sheetId", 0): sheet["properties"]["title"]
            for sheet in self.get(fields="sheets.properties")["sheets"]
        }
        values = [[_plain(cell.get("userEnteredValue", {})) for cell in row["values"]] for row in added["rows"]]
        url = SPREADSHEET_VALUES_APPEND_URL % (self.spreadsheet, titles[added["sheetId"]])
        sent = self._client.request("post", url, params={"valueInputOption": "RAW"}, json={"values": values})
        return dict(sent.json())


def resend(send: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Repeat a request until there is an answer."""
    for _ in range(TIMES - 1):
        try:
            return send()
        except UnknownOutcome:
            continue
    return send()


def _plain(entered: Request) -> Any:
    return next(iter(entered.values()), "")


def without_guards(*keys: str) -> Patches:
    """Return a patch that leaves the slots of these keys out of batches."""
    original = writing.requests

    def requests(*args: Any) -> list[writing.Request]:
        return [request for request in original(*args) if _key(request) not in keys]

    return replace(writing, "requests", requests)


def _key(request: Request) -> str:
    slot: Request = request.get("createDeveloperMetadata", {}).get("developerMetadata", {})
    return str(slot.get("metadataKey", ""))


def replace(owner: object, name: str, by: Callable[..., Any]) -> Patches:
    """Return a patch of one function of the program."""
    return lambda: patch.object(owner, name, by)


def without_projecting() -> AbstractContextManager[Any]:
    """Write a status once, beside the row of that moment, and never check it again."""
    original = status_columns.write_status

    def project(changes: Any, parts: Any, answer: Any) -> None:
        if answer.row.is_blank("status") or answer.row.value("status") == "Waiting":
            original(changes, parts, answer)

    return patch.object(status_columns, "write_status", project)


SLOTS, TURNS = "sheets-algo", "sheets-algo-write"


def watched(*events: Event) -> Schedule:
    """Return the schedule of one watcher, with events in the middle of its looks."""
    return Schedule(WATCHED, events)


def late() -> Schedule:
    """Return a schedule: the write that rules the last war arrives late."""
    return watched(Event("A", clean_run().last, "fault", "503", "late", 4))


def rival() -> Schedule:
    """Return a schedule: another watcher rules the last war between look and write."""
    return watched(*[Event("A", clean_run().last, "look", "B")] * 2)


def lost() -> Schedule:
    """Return a schedule: a ruling is carried out, and its answer lost."""
    return watched(Event("A", clean_run().ruling, "fault", "reset", "after"))


def dead() -> Schedule:
    """Return a schedule: a process is killed after a ruling."""
    return watched(Event("A", clean_run().ruling + 1, "crash"))


def lost_rows() -> Schedule:
    """Return a schedule as `lost`, two requests later: rows are added there by a call of its own."""
    return watched(Event("A", clean_run().ruling + 2, "fault", "reset", "after"))


def stopped_in_doubt() -> Schedule:
    """Return a schedule: a watcher is told to stop while its ruling has no answer."""
    ruling = clean_run().ruling
    return watched(Event("A", ruling, "fault", "reset", "late", 1, 300), Event("A", ruling, "stop"))


def id_typed_meanwhile() -> Schedule:
    """Return a schedule: a person types a missing id between a run's look and its first write."""
    act = Event("R", clean_run(("R",)).first, "act", "copy an id onto the request without one")
    return Schedule(("R", "R"), (act,))


def killed_while_nations_are_sorted() -> Schedule:
    """Return a schedule: rows are moved between look and write, and the process is killed before the answer."""
    return killed_while_moving(WATCHED, clean_run().ruling, "sort nations")


def moved(deed: str) -> Callable[[], Schedule]:
    """Return a maker of schedules: rows are moved between look and write."""
    return lambda: watched(Event("A", clean_run().ruling, "act", deed))


without_repairs = replace(intents, "reconcile", lambda *args: WriteCheck(ChangeSet()))
"""A patch: values beside which rows moved stay where they are."""

without_intents = replace(intents.Intent, "rows", lambda self: iter(()))
"""A patch: the spreadsheet does not record the intent of a write."""

ids_with_rulings = replace(planner, "give_ids", lambda state: False)
"""A patch: a request is ruled in the same batch that gives it its id."""


def _unfenced(self: Any, error: Exception, turn: int | None, owner: str) -> None:
    raise error


without_fencing = replace(spreadsheet_writer.SpreadsheetWriter, "_fence", _unfenced)
"""A patch: a write without an answer is not followed up."""

without_comparing = replace(spreadsheet_writer, "refuse_stale", lambda *args: None)
"""A patch: rows are not compared with those that were read."""

without_chain = replace(chain, "_broken", lambda receipts: iter(()))
"""A patch: no receipt is compared with the digest that the next one holds."""

without_record = replace(record, "_recorded_heads", lambda session, season: ())
"""A patch: the record beside a workbook is not read."""

without_evidence = replace(ShownResults, "problem", lambda self, row: None)
"""A patch: results that a row shows say nothing."""


def _refuse_next_slot(precheck: Precheck, changes: ChangeSet) -> None:
    if changes.guard is not None and guard.slot_id(changes.guard) in precheck.slots:
        raise precheck.used_guard(changes.guard)


without_highest_guard = replace(precheck, "refuse_unknown_receipt", _refuse_next_slot)
"""A patch: only the guard of the next number counts, as in earlier versions."""

BEGUN = ("R", "R")
LAST_GONE = "Receipts: the last row is deleted"


without_comparing_cells = replace(row_states, "_differences", lambda ruling, cells: {})
"""A patch: a row is ruled by its id alone, whatever it says now."""

with_pasted_ticks = replace(step, "_waits_for_tick", lambda copy, tables, receipts: False)
"""A patch: a copy is ruled by the tick that was pasted with it."""


def retyped() -> Schedule:
    """Return a schedule: another war is typed over a row that was ruled."""
    return Schedule((*WATCHED, "type another war over a request", "A", "A"))


def shifted() -> Schedule:
    """Return a schedule: rows that come from formulas are shifted beside their typed ids."""
    return Schedule((*WATCHED, "insert above plans", "A", "A"), season="planned wars")


def pasted() -> Schedule:
    """Return a schedule: a ruled row is copied, and the copy becomes another war."""
    return Schedule((*WATCHED, "copy a request as another war", "A", "A", "A"))


def called_otherwise() -> Schedule:
    """Return a schedule: a receipt in the middle is changed, and the request is as it was before its ruling."""
    earlier = "War Requests: as it was 9 looks ago"
    return Schedule(("A", "A", "Receipts: a ruling is called something else", earlier, "R", "R"))


def gone_and_forgotten() -> Schedule:
    """Return a schedule: two receipts of one batch are gone, and a row no longer shows the result of the first."""
    return Schedule((*BEGUN, LAST_GONE, LAST_GONE, FORGET, "R", "R"))


def accepted() -> Schedule:
    """Return a schedule: what is gone is accepted, while a row still shows the result."""
    return Schedule((*BEGUN, LAST_GONE, "what is gone is accepted", "R", "R"))


def everything_back() -> Schedule:
    """Return a schedule: spreadsheet and guards are as they were before the rulings; only a record tells."""
    return Schedule(("A", "A", "A", "everything: as it was 9 looks ago, metadata too", "A", "A", "A"))


MUTANTS: Mapping[str, Mutant] = {
    "without the guard": Mutant((late, rival), patches=(without_guards(SLOTS, TURNS),)),
    "without turns": Mutant((lost,), patches=(without_guards(TURNS),)),
    "with blind resend": Mutant((lost,), Resends),
    "with blind resend and without the guard": Mutant((lost,), Resends, (without_guards(SLOTS, TURNS),)),
    "with values:append": Mutant((lost_rows, dead), Appends),
    "with status by row number only": Mutant(
        (moved("sort nations"), moved("insert above requests")),
        patches=(without_comparing, without_projecting, without_repairs),
    ),
    "without repairs": Mutant((moved("sort nations"),), patches=(without_repairs,)),
    "without fencing": Mutant((stopped_in_doubt,), patches=(without_fencing,)),
    "without the two-look rule": Mutant((id_typed_meanwhile,), patches=(ids_with_rulings,)),
    "without intents": Mutant((killed_while_nations_are_sorted,), patches=(without_intents,)),
    "without the chain": Mutant((called_otherwise,), patches=(without_chain,)),
    "without the highest guard": Mutant((gone_and_forgotten,), patches=(without_highest_guard,)),
    "without the row's evidence": Mutant((accepted,), patches=(without_evidence,)),
    "without the record": Mutant((everything_back,), patches=(without_record,)),
    "that trusts ids alone": Mutant((retyped, shifted), patches=(without_comparing_cells,)),
    "that counts ticks that were pasted": Mutant((pasted,), patches=(with_pasted_ticks,)),
}


def detect(mutant: Mutant) -> dict[str, list[str]]:
    """Return the violations of a careless program by schedule, apart from its missing guards.

    A program that fails with an error of its own, as one whose methods are called otherwise by now, proves nothing.
    """
    schedules = [make() for make in mutant.schedules]
    with mutant.at_work():
        found = {str(schedule): play_schedule(schedule, mutant.api) for schedule in schedules}
    wrong = {
        schedule: [violation for violation in what if not violation.startswith(("the guard of", "The program failed"))]
        for schedule, what in found.items()
    }
    return {schedule: what for schedule, what in wrong.items() if what}
