"""The program with one of its safeguards taken away, to see that schedules notice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from gspread.urls import SPREADSHEET_VALUES_APPEND_URL

from sheets_algo import desk, intents
from sheets_algo.reconcile import Reconciled
from sheets_algo.workbook.base import ChangeSet, UnknownOutcome
from sheets_algo.workbook.google import spreadsheet, writing
from sheets_algo.workbook.google.access import Access
from sheets_algo.workbook.google.api import Api
from sheets_algo.workbook.google.budget import Budget
from tests.live.runner import Makes, clean, killed_under, played
from tests.live.schedules import WATCHED, Event, Schedule

TIMES = 3
"""How often a careless client sends a write."""

Request = Mapping[str, Any]
Patches = Callable[[], AbstractContextManager[Any]]


@dataclass(frozen=True)
class Mutant:
    """A careless program.

    Args:
        schedules: Make what it does not get through; by the requests of the whole program, which a mutant may not send.
        api: What it sends requests with.
        patches: What else is changed.
    """

    schedules: tuple[Callable[[], Schedule], ...]
    api: type[Api] = Api
    patches: tuple[Patches, ...] = ()

    @contextmanager
    def at_work(self) -> Iterator[Makes]:
        with ExitStack() as stack:
            for change in self.patches:
                stack.enter_context(change())
            yield Careless(self.api)


@dataclass
class Careless(Makes):
    """Makes a mutant's parts."""

    kind: type[Api] = field(default=Api)

    def api(self, id: str, access: Access, budget: Budget, **more: Any) -> Api:
        return self.kind(id, access, budget, **more)


class Resends(Api):
    """Sends a write without an answer again, as clients do that retry every method."""

    def batch_update(self, body: Request, *, fields: str = "") -> dict[str, Any]:
        return resent(lambda: super(Resends, self).batch_update(body, fields=fields))


class Appends(Api):
    """Adds rows by values:append, a call of its own for each tab, as gspread's `append_rows` does."""

    def batch_update(self, body: Request, *, fields: str = "") -> dict[str, Any]:
        rows = [it["appendCells"] for it in body["requests"] if "appendCells" in it]
        rest = [it for it in body["requests"] if "appendCells" not in it]
        answer = super().batch_update({**body, "requests": rest}, fields=fields)
        for added in rows:
            resent(lambda added=added: self._append(added))  # type: ignore[misc]
        return answer

    def _append(self, added: Request) -> dict[str, Any]:
        titles = {
            it["properties"].get("sheetId", 0): it["properties"]["title"]
            for it in self.get(fields="sheets.properties")["sheets"]
        }
        values = [[_plain(cell.get("userEnteredValue", {})) for cell in row["values"]] for row in added["rows"]]
        url = SPREADSHEET_VALUES_APPEND_URL % (self.spreadsheet, titles[added["sheetId"]])
        sent = self._client.request("post", url, params={"valueInputOption": "RAW"}, json={"values": values})
        return dict(sent.json())


def resent(send: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Send until there is an answer."""
    for _ in range(TIMES - 1):
        try:
            return send()
        except UnknownOutcome:
            continue
    return send()


def _plain(entered: Request) -> Any:
    return next(iter(entered.values()), "")


def without_guards(*keys: str) -> Patches:
    """Batches whose slots of these keys are left out."""
    whole = writing.requests

    def requests(*args: Any) -> list[writing.Request]:
        return [it for it in whole(*args) if _key(it) not in keys]

    return replaced(writing, "requests", requests)


def _key(request: Request) -> str:
    made: Request = request.get("createDeveloperMetadata", {}).get("developerMetadata", {})
    return str(made.get("metadataKey", ""))


def replaced(owner: object, name: str, by: Callable[..., Any]) -> Patches:
    """A program in which something else stands in the place of one of its functions."""
    return lambda: patch.object(owner, name, by)


def without_projecting() -> AbstractContextManager[Any]:
    """A status is written once, beside the row of that moment, and never looked at again."""
    whole = desk.project

    def project(changes: Any, book: Any, form: Any, it: Any) -> None:
        if it.row.is_blank("status") or it.row.value("status") == "Waiting":
            whole(changes, book, form, it)

    return patch.object(desk, "project", project)


SLOTS, TURNS = "sheets-algo", "sheets-algo-write"


def watched(*events: Event) -> Schedule:
    """One watcher, and what happens in the middle of its looks."""
    return Schedule(WATCHED, events)


def late() -> Schedule:
    """The write that rules the last war arrives late."""
    return watched(Event("A", clean().last, "fault", "503", "late", 4))


def rival() -> Schedule:
    """Another watcher rules the last war between look and write."""
    return watched(*[Event("A", clean().last, "look", "B")] * 2)


def lost() -> Schedule:
    """A ruling is carried out, and its answer lost."""
    return watched(Event("A", clean().ruling, "fault", "reset", "after"))


def dead() -> Schedule:
    """A process is killed after a ruling."""
    return watched(Event("A", clean().ruling + 1, "crash"))


def lost_rows() -> Schedule:
    """The same as `lost`, two requests later: rows are added there by a call of its own."""
    return watched(Event("A", clean().ruling + 2, "fault", "reset", "after"))


def stopped_in_doubt() -> Schedule:
    """A watcher is told to stop while its ruling has no answer."""
    ruling = clean().ruling
    return watched(Event("A", ruling, "fault", "reset", "late", 1, 300), Event("A", ruling, "stop"))


def id_typed_meanwhile() -> Schedule:
    """A person types an id into the row without one, between a run's look and its first write."""
    act = Event("R", clean(("R",)).first, "act", "copy an id onto the request without one")
    return Schedule(("R", "R"), (act,))


def killed_while_nations_are_sorted() -> Schedule:
    """Rows are moved between look and write, and the process is killed before the answer."""
    return killed_under(WATCHED, clean().ruling, "sort nations")


def moved(deed: str) -> Callable[[], Schedule]:
    """Rows are moved between look and write."""
    return lambda: watched(Event("A", clean().ruling, "act", deed))


without_repairs = replaced(intents, "reconcile", lambda *of: Reconciled(ChangeSet()))
"""What rows moved under stays where it is."""

without_intents = replaced(intents.Intent, "rows", lambda self: iter(()))
"""Nothing in the spreadsheet tells what a write meant."""

ids_with_rulings = replaced(desk._Pass, "_give_ids", lambda self: False)
"""A request is ruled in the same batch that gives it its id."""


def _unfenced(self: Any, error: Exception, turn: int | None, owner: str) -> None:
    raise error


without_fencing = replaced(spreadsheet.GoogleWorkbook, "_fence", _unfenced)
"""A write without an answer is left to itself."""

without_comparing = replaced(spreadsheet, "refuse_stale", lambda *of: None)
"""Nobody looks whether the rows are still those that were read."""

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
}


def noticed(mutant: Mutant) -> dict[str, list[str]]:
    """What a careless program does wrong, by schedule; that its guards are missing does not count."""
    schedules = [make() for make in mutant.schedules]
    with mutant.at_work() as makes:
        found = {str(schedule): played(schedule, makes) for schedule in schedules}
    wrong = {schedule: [it for it in what if not it.startswith("the guard of")] for schedule, what in found.items()}
    return {schedule: what for schedule, what in wrong.items() if what}
