"""Writes whose cells went astray are put right from the spreadsheet alone, by what stands in the Pending tab."""

from __future__ import annotations

import random
from dataclasses import replace

import openpyxl
import pytest

from scripts.support.workbooks import NOW, check, column, example, forms, grids, pass_context, read
from sheets_algo.forms.rulesets import form_entries, load_all
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.repair.intents import Intent, PendingTab, with_note
from sheets_algo.steps import HEADERS_TO_READ, tabs_to_read
from sheets_algo.workbook.changes import AppendRow, ChangeSet
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.snapshot import NO_NEEDS, Snapshot
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.values import Value
from sheets_algo.workbook.xlsx import XlsxWorkbook
from tests.helpers.example_budget import BUDGET
from tests.helpers.tabs import key, keys

Grid = list[list[Value]]
REQUESTS, NATIONS, LEADERS, FLANKS = "War Requests", "Nations", "Leaders", "Flanks"
TABS = (REQUESTS, NATIONS, LEADERS, FLANKS)
ROUNDS = "Round Requests"


class Loose(MemoryWorkbook):
    """A spreadsheet that takes writes by coordinates, as Google does, whatever stands there by then."""

    def read(self, tabs, headers_only=(), needs=NO_NEEDS):  # type: ignore[no-untyped-def]
        return replace(super().read(tabs, headers_only), revision="")

    def land(self, changes: ChangeSet) -> None:
        """A batch is carried out: cells by coordinates, rows below the last one, the note as it is while open."""
        note = changes.note
        covered = [self.value(*place) for place in note.covers] if note else []
        for cell in changes.cells:
            self.type_in(cell.tab.name, cell.row, cell.column, cell.value)
        for new in changes.tabs:
            self.rearrange(new.tab.name, [new.header])
        for row in changes.rows:
            last = max(self.grid(row.tab), default=0)
            for place, value in enumerate(row.values, start=1):
                self.type_in(row.tab.name, last + 1, place, value)
        if note:
            rows = [list(row) for row in note.open]
            rows += [[] for _ in range(len(covered) + 1 - len(rows))]
            for row, value in zip(rows[1:], covered, strict=False):
                row += [*[None] * (len(note.open[0]) - 1 - len(row)), value]
            self.rearrange(note.tab.name, rows)

    def value(self, tab: TabKey, row: int, column: int) -> Value:
        cells = self.grid(tab).get(row, ())
        return cells[column - 1] if column <= len(cells) else None

    def grid(self, tab: TabKey) -> dict[int, tuple[Value, ...]]:
        sheet = self.read([tab]).sheet(tab)
        return dict(sheet.rows) if sheet else {}

    def rearrange(self, tab: str, rows: Grid) -> None:
        self._tabs = [*(held for held in self._tabs if key(held.title) != key(tab)), _tab(tab, rows)]

    def rows(self, tab: str) -> Grid:
        found = self.grid(key(tab))
        return [list(found.get(number, ())) for number in range(1, max(found, default=0) + 1)]


def _tab(name, rows):  # type: ignore[no-untyped-def]
    return MemoryWorkbook({name: [list(row) for row in rows]})._tabs[0]


def season() -> dict[str, Grid]:
    """The wars of 1066; two have no id, one asks for a column that moves."""
    rows = example("1066")
    del rows[REQUESTS][1]["Request"], rows[REQUESTS][3]["Request"]
    made: dict[str, Grid] = grids(rows)
    for number, row in enumerate(made[REQUESTS]):
        row.append("Remarks" if number == 0 else f"remark {number}")
    return made


def everything(book: MemoryWorkbook) -> Snapshot:
    return book.read(tabs_to_read(form_entries()), HEADERS_TO_READ)


def passes(book: Loose, most: int = 20) -> int:
    """Passes of new processes, each with nothing but the spreadsheet, until nothing is left to do; how many wrote."""
    for number in range(most):
        snapshot = everything(book)
        made = plan_pass(snapshot, pass_context(), NOW)
        if not made.writes.changes:
            return number
        book.land(made.writes.changes)
    raise AssertionError("it never comes to rest")


def people(book: Loose) -> dict[str, dict[str, dict[str, Value]]]:
    """Tab to row to header to cell, of what people typed and of what rulings change; rows by what tells them apart."""
    found: dict[str, dict[str, dict[str, Value]]] = {}
    for tab, name_header in ((REQUESTS, "War"), (NATIONS, "Name"), (LEADERS, "Name")):
        head, *rows = book.rows(tab)
        theirs = [str(header) for header in head]
        kept = {
            header
            for header in theirs
            if tab != REQUESTS
            or header in ("Request", "War", "Year", "Attacker", "Defender", "Location", "Motive", "Ready", "Remarks")
        }
        cells = [dict(zip(theirs, [*row, *[None] * len(theirs)], strict=False)) for row in rows]
        found[tab] = {
            str(row[name_header]): {
                header: row[header] for header in sorted(kept) if header and row[header] not in (None, "", False)
            }
            for row in cells
            if row.get(name_header)
        }
    return found


def moved(rows: Grid, how: str, luck: random.Random) -> Grid:
    """What a person does to a tab."""
    head, *body = rows
    width = max(map(len, rows))
    squared = [[*row, *[None] * (width - len(row))] for row in rows]
    place = luck.randrange(width + 1)
    match how:
        case "shuffle":
            return [head, *luck.sample(body, len(body))]
        case "insert row":
            at = luck.randrange(len(body) + 1)
            return [head, *body[:at], [], *body[at:]]
        case "insert column":
            return [[*row[:place], None, *row[place:]] for row in squared]
        case "move column":
            order = luck.sample(range(width), width)
            return [[row[at] for at in order] for row in squared]
        case _:
            return rows


HOW = ("shuffle", "insert row", "insert column", "move column", "nothing")


def astray(seed: int, moves: list[tuple[str, str]], later: list[tuple[str, str]], at: int) -> tuple[Loose, Loose]:
    """A season in which the write of pass number `at` landed on moved rows, and one in which it did not."""
    luck = random.Random(seed)
    book, quiet = Loose(season()), Loose(season())
    for number in range(at + 1):
        changes = plan_pass(everything(book), pass_context(), NOW).writes.changes
        if not changes:
            break
        if number == at:
            for tab, how in moves:
                book.rearrange(tab, moved(book.rows(tab), how, luck))
        book.land(changes)
    for tab, how in later:
        book.rearrange(tab, moved(book.rows(tab), how, luck))
    return book, quiet


def drawn(luck: random.Random) -> list[tuple[str, str]]:
    return [(luck.choice(TABS), luck.choice(HOW)) for _ in range(luck.randrange(4))]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(round(12 * BUDGET)))
def test_the_next_process_repairs_a_write_anywhere_rcp_33(seed):
    luck = random.Random(seed)
    moves, later, at = drawn(luck), drawn(luck), luck.randrange(4)
    book, quiet = astray(seed, moves, later, at)

    passes(book)
    passes(quiet)

    wars = [str(row[4]) for row in book.rows("Receipts")[1:] if row[2] == "Ruling"]
    assert len(wars) == len(set(wars)) == 5
    found, expected = people(book), people(quiet)
    for tab in (REQUESTS,):  # which war got which id depends on the order of the rows
        for rows in (found[tab], expected[tab]):
            for row in rows.values():
                row.pop("Request")
    assert found.keys() == expected.keys()
    assert found[REQUESTS] == expected[REQUESTS]
    ids = column(book, REQUESTS, "Request")
    assert len({id for id in ids if id}) == 5


def round_astray(seed: int, second_tax: object) -> Loose:
    """Return a round of Anna's with a second tax, after a write that landed while people moved its rows."""
    luck = random.Random(seed)
    rows = example("rounds")
    orders = [{"Order": "Set tax", "Tax %": 15}, {"Order": "Set tax", "Tax %": second_tax}, {"Order": "End round"}]
    rows[ROUNDS] = [
        {"Request": f"R-{number}", "Player": "Anna", "Ready": True, "Notes": f"note {number}"} | order
        for number, order in enumerate(orders, start=1)
    ]
    book = Loose(grids(rows))
    first = plan_pass(everything(book), pass_context(), NOW).writes.changes

    book.rearrange(ROUNDS, moved(book.rows(ROUNDS), luck.choice(HOW), luck))
    book.land(first)
    book.rearrange(ROUNDS, moved(book.rows(ROUNDS), luck.choice(HOW), luck))
    passes(book)
    return book


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(round(12 * BUDGET)))
def test_a_displaced_lapse_is_reported_once_and_never_ruled_req_18(seed):
    """Tax is set once a round; the second order lapses with it, and rows move while that is written."""
    book = round_astray(seed, 16)

    rulings = [row[3] for row in book.rows("Receipts")[1:] if row[2] == "Ruling"]
    statuses = dict(zip(column(book, ROUNDS, "Request"), column(book, ROUNDS, "Status"), strict=True))
    assert rulings == ["R-1", "R-3"]
    assert {id: status for id, status in statuses.items() if status} == {"R-1": "Done", "R-2": "Lapsed", "R-3": "Done"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(round(12 * BUDGET)))
def test_a_displaced_turn_of_a_refused_order_ends_no_round_req_12(seed):
    """The second order is refused, so the round does not end, and rows move."""
    book = round_astray(seed, "much")

    assert [row[3] for row in book.rows("Receipts")[1:] if row[2] == "Ruling"] == ["R-1"]
    statuses = dict(zip(column(book, ROUNDS, "Request"), column(book, ROUNDS, "Status"), strict=True))
    assert {id: status for id, status in statuses.items() if status} == {
        "R-1": "Done",
        "R-2": "Invalid",
        "R-3": "Waiting",
    }


def test_an_id_displaced_onto_a_ruled_war_yields_and_nothing_is_ruled_twice():
    book = Loose(season())
    passes(book)
    before = people(book)
    receipts = len(book.rows("Receipts"))
    rows = book.rows(REQUESTS)
    new = list(rows[1])
    heads = rows[0]
    for header, value in (("Request", None), ("War", "Gate Fulford"), ("Status", None), ("Ruled At", None)):
        new[heads.index(header)] = value
    book.rearrange(REQUESTS, [*rows, new])
    given = plan_pass(everything(book), pass_context(), NOW).writes.changes
    assert [(cell.tab.name, cell.row) for cell in given.cells] == [(REQUESTS, len(rows) + 1)]

    book.rearrange(REQUESTS, [heads, new, *rows[1:]])  # sorted before the write arrives
    book.land(given)
    assert check(everything(book), forms())[0].id == "RCP-33"
    passes(book)

    assert len(book.rows("Receipts")) <= receipts + 1
    after = people(book)[REQUESTS]
    assert {war: row["Request"] for war, row in after.items() if war != "Gate Fulford"} == {
        war: row["Request"] for war, row in before[REQUESTS].items()
    }


def test_no_war_is_ruled_in_a_pass_with_new_ids_or_repairs():
    book = Loose(season())
    gives = plan_pass(everything(book), pass_context(), NOW)
    heads = book.rows(REQUESTS)[0]
    assert {heads[cell.column - 1] for cell in gives.writes.changes.cells} == {"Request"}
    assert (gives.rulings, gives.writes.changes.rows, gives.owes.is_partial) == ((), (), True)

    book.rearrange(REQUESTS, [heads, [], *book.rows(REQUESTS)[1:]])
    book.land(gives.writes.changes)
    repairs = plan_pass(everything(book), pass_context(), NOW)
    assert {heads[cell.column - 1] for cell in repairs.writes.changes.cells} == {"Request"}
    assert (repairs.rulings, repairs.writes.repaired > 0, repairs.owes.is_partial) == ((), True, True)

    book.land(repairs.writes.changes)
    assert len(plan_pass(everything(book), pass_context(), NOW).rulings) == 5


def test_displaced_cells_of_a_spreadsheet_are_repaired_in_its_copy_as_a_file(tmp_path):
    book = Loose(season())
    passes(book)
    heads, *rows = book.rows(REQUESTS)
    new = list(rows[0])
    for header, value in (("Request", None), ("War", "Gate Fulford"), ("Status", None), ("Ruled At", None)):
        new[heads.index(header)] = value
    book.rearrange(REQUESTS, [heads, *rows, new])
    given = plan_pass(everything(book), pass_context(), NOW).writes.changes
    book.rearrange(REQUESTS, [heads, new, *rows])
    book.land(given)

    file = openpyxl.Workbook()
    file.remove(file.worksheets[0])
    for sheet in everything(book).sheets.values():
        made = file.create_sheet(sheet.title)
        for row in book.rows(sheet.title):
            made.append(row)
    file.save(tmp_path / "season.xlsx")
    workbook = XlsxWorkbook(tmp_path / "season.xlsx")
    for _ in range(3):
        snapshot = everything(workbook)
        workbook.commit(snapshot, plan_pass(snapshot, pass_context(), NOW).writes.changes)

    snapshot = everything(workbook)
    assert not plan_pass(snapshot, pass_context(), NOW).writes.changes
    pending = snapshot.sheet(key("Pending"))
    assert pending is not None
    assert list(pending.rows) == [1]
    requests = snapshot.sheet(key(REQUESTS))
    assert requests is not None
    ids = {row[1]: row[0] for number, row in requests.rows.items() if number > 1}
    assert {war: id for war, id in ids.items() if war != "Gate Fulford"} == {row[1]: row[0] for row in rows}


@pytest.mark.parametrize("tab", [REQUESTS, NATIONS])
def test_rcp_40_rcp_41_rcp_42_rcp_43_rcp_44_rcp_45_an_intent_survives_a_round_trip(tab):
    snapshot = everything(Loose(season()))
    changes = (
        plan_pass(snapshot, pass_context(), NOW).writes.changes
        if tab == REQUESTS
        else ChangeSet(rows=(AppendRow(key(NATIONS), ("x",)),))
    )
    intent = Intent.of(snapshot, changes, NOW, load_all())
    assert intent is not None
    noted_ = with_note(PendingTab(snapshot, load_all()), changes, NOW)
    assert noted_.note is not None

    found = PendingTab.read(
        Loose({"Pending": [list(row) for row in noted_.note.open]}).read(keys("Pending")), load_all()
    )

    assert tuple(replace(pending, covered=()) for pending in found.intents) == (
        replace(
            intent,
            changes=replace(intent.changes, cells=tuple(replace(cell, before=None) for cell in intent.changes.cells)),
        ),
    )
    assert not found.problems


def test_an_edited_pending_row_is_reported_and_stops_nothing():
    book = Loose(
        {**season(), "Pending": [["Kind", "Part", "Time", "Text", "Details"], ["Write", 1, NOW, "", "rubbish"]]}
    )

    made = plan_pass(replace(read(book), revision="x"), pass_context(), NOW)

    assert "RCP-40" in [problem.id for problem in made.findings.of_tabs]
    assert made.rulings
