"""A ruleset for tests, with two request tabs: harvests fill barns, building costs grain and adds barns.

It is registered nowhere: `from tests.helpers.village_ruleset import forms, run, workbook`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.columns import Kind, TabDeclaration, number, reference, result, text, yes_no
from engine.forecast import Kinds, Measure, Replicates
from engine.receipt import Block, Line, ReceiptText
from engine.rng import Rng
from engine.ruleset import LogSink, NewRow, Outcome, Ruleset, Update, no_op
from scripts.support.workbooks import NOW, SECRET, changed, library, season_grid
from sheets_algo.forms.base import Form, FormResult
from sheets_algo.forms.request_columns import Request, request_tab
from sheets_algo.forms.row_reader import RowReader
from sheets_algo.forms.settings_tab import SettingRow, SettingsTab, settings_tab
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import PassContext, Plan
from sheets_algo.steps import HEADERS_TO_READ, STEPS, tabs_to_read
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.store import Workbook
from sheets_algo.workbook.values import Value
from tests.helpers.tabs import key


@dataclass(frozen=True, slots=True, kw_only=True)
class Barn:
    """One row of the Barns tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration("Barns", key="name", one="barn")

    name: str = text("Barn", id="HAM-01", required=True)
    grain: float = number("Grain", id="HAM-02", low=0, high=1e6, default=0)
    thatched: bool = yes_no("Thatched", id="HAM-03")
    notes: str = text("Notes", id="HAM-04")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruin:
    """One row of the Ruins tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration("Ruins", key="name", one="ruin", optional=True)

    name: str = text("Ruin", id="HAM-09", required=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(SettingRow):
    """One row of the Hamlet Settings tab."""

    tab: ClassVar[TabDeclaration] = settings_tab("Hamlet Settings")


@dataclass(frozen=True, slots=True, kw_only=True)
class HarvestRequest(Request):
    """One row of the Harvest Requests tab, which fills a barn."""

    tab: ClassVar[TabDeclaration] = request_tab("Harvest Requests", "")

    barn: str = reference("Barn", "Barns", id="HAM-05", required=True)
    sheaves: float = number("Sheaves", id="HAM-06", low=0, high=1e6, required=True)
    grain: float = result("Grain Now", id="HAM-06", kind=Kind.NUMBER)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildingRequest(Request):
    """One row of the Building Requests tab: barns are built, and paid with the grain of another one."""

    tab: ClassVar[TabDeclaration] = request_tab("Building Requests", "")

    payer: str = reference("Payer", "Barns", id="HAM-07", required=True)
    first: str = text("First Barn", id="HAM-08", required=True)
    second: str = text("Second Barn", id="HAM-08")


@dataclass(frozen=True, slots=True)
class Harvest:
    barn: Barn
    sheaves: float


@dataclass(frozen=True, slots=True)
class Building:
    payer: Barn
    names: tuple[str, ...]


COST = 10.0
"""The grain that a barn costs."""


class Harvesting(Ruleset[Harvest]):
    """The rules of harvests: each brings its sheaves and up to nine more."""

    def resolve(self, inputs: Harvest, rng: Rng, log: LogSink = no_op) -> Outcome:
        grain = inputs.barn.grain + inputs.sheaves + rng.whole(1, 0, 9)
        summary = f"{inputs.barn.name} holds {grain:g}"
        return Outcome(
            winner="",
            summary=summary,
            receipt=_receipt("Harvest", summary),
            figures={"Grain Now": grain},
            updates=(Update("Barns", inputs.barn.name, "Grain", inputs.barn.grain, grain),),
        )

    def replicates(self, inputs: Harvest, seed: int, first: int, count: int) -> Replicates:
        generators = (Rng(seed, first + number) for number in range(count))
        more = np.array([rng.whole(1, 0, 9) for rng in generators], np.int64)
        return Replicates(
            None,
            {"Grain": Measure(inputs.barn.grain + inputs.sheaves + more, "sheaves")},
            {"Harvest": Kinds(np.where(more >= 5, 0, 1), ("good", "bad"))},
            ("Grain",),
        )


class Builders(Ruleset[Building]):
    """The rules of building: each new barn contains half of its cost."""

    def resolve(self, inputs: Building, rng: Rng, log: LogSink = no_op) -> Outcome:
        grain_left = inputs.payer.grain - COST * len(inputs.names)
        if inputs.names[0] == "Bug":
            grain_left = 1 / 0
        return Outcome(
            winner="",
            summary=f"{' and '.join(inputs.names)} built",
            receipt=_receipt("Building", " and ".join(inputs.names)),
            figures={},
            updates=(Update("Barns", inputs.payer.name, "Grain", inputs.payer.grain, grain_left),),
            rows=tuple(map(_new_row, inputs.names)),
        )

    def replicates(self, inputs: Building, seed: int, first: int, count: int) -> Replicates:
        return Replicates(None, {"Cost": Measure(np.full(count, COST * len(inputs.names)), "sheaves")}, {})


def _new_row(name: str) -> NewRow:
    """Return the new row of a barn; a ruin goes to a tab of its own."""
    if name == "Ruin":
        return NewRow("Ruins", {"Ruin": name})
    return NewRow("Barns", {"Barn": name, "Grain": COST / 2, "Notes": ""})


def _receipt(title: str, words: str) -> ReceiptText:
    return ReceiptText(title, (Block("", (Line("Result", words),)),))


class _HamletForm(Form[Any]):
    ruleset_key = "hamlet"
    database = (Barn, Ruin, Setting)

    def __init__(self) -> None:
        tables: Mapping[str, Any] = {"constants": {"cost": COST}}
        self.settings = SettingsTab(Setting, tables, {}, (), lambda settings: None)


class HarvestForm(_HamletForm):
    """The form of harvests."""

    key = "hamlet"
    prefix = "H-"
    request = HarvestRequest
    inputs = Harvest
    ruleset = Harvesting()

    def read(self, row: Any, book: Any) -> FormResult[Harvest]:
        reading = RowReader(book)
        asked = reading.row(row, HarvestRequest)
        barn = reading.referenced(Barn, asked, "barn")
        warnings = reading.finish()
        assert asked.record is not None
        assert barn is not None
        return FormResult(Harvest(barn, asked.record.sheaves), warnings=warnings)


class BuildingForm(_HamletForm):
    """The form of buildings."""

    key = "hamlet-building"
    prefix = "B-"
    request = BuildingRequest
    inputs = Building
    ruleset = Builders()

    def read(self, row: Any, book: Any) -> FormResult[Building]:
        reading = RowReader(book)
        asked = reading.row(row, BuildingRequest)
        payer = reading.referenced(Barn, asked, "payer")
        names = [asked.values[name] for name in ("first", "second") if asked.values.get(name)]
        for attribute, name in zip(("first", "second"), names, strict=False):
            if book.find(Barn, name):
                reading.add(row.problem(attribute, "HAM-08", f"there is a barn {name} already"))
        if payer and payer.grain < COST * len(names):
            reading.add(row.problem("payer", "HAM-07", f"{payer.name} holds {payer.grain:g}, less than it takes"))
        warnings = reading.finish()
        assert payer is not None
        return FormResult(Building(payer, tuple(names)), warnings=warnings)


def forms() -> tuple[HarvestForm, BuildingForm]:
    return HarvestForm(), BuildingForm()


def pass_context(**more: Any) -> PassContext:
    fingerprints = {"hamlet": library().fingerprint("jousts")}
    return changed(PassContext(forms=forms(), fingerprints=fingerprints, secret=SECRET, steps=STEPS), **more)


def read(book: Workbook) -> Snapshot:
    return book.read(tabs_to_read(type(form) for form in forms()), HEADERS_TO_READ)


def run(book: Workbook, **more: Any) -> Plan:
    """Make one pass and commit it."""
    snapshot = read(book)
    plan = plan_pass(snapshot, pass_context(**more), NOW)
    if plan.writes.changes:
        book.commit(snapshot, plan.writes.changes)
    return plan


HARVESTS = ["Request", "Barn", "Sheaves", "Action", "Seed", "Ready", "Status", "Message", "Grain Now", "Ruled At"]
BUILDINGS = [
    "Request",
    "Payer",
    "First Barn",
    "Second Barn",
    "Action",
    "Seed",
    "Ready",
    "Status",
    "Message",
    "Ruled At",
]
BARNS = ["Barn", "Grain", "Thatched", "Notes"]

Grid = list[list[Value]]


def harvest(id: str, barn: str, sheaves: float, action: str = "Rule") -> list[Value]:
    return [id, barn, sheaves, action, 1, True]


def building(id: str, payer: str, first: str, second: str | None = None, action: str = "Rule") -> list[Value]:
    return [id, payer, first, second, action, 1, True]


def grids(
    barns: Sequence[Sequence[Value]], harvests: Sequence[list[Value]] = (), buildings: Sequence[list[Value]] = ()
) -> dict[str, Grid]:
    """Return the cells of each tab."""
    return {
        "Harvest Requests": [list(HARVESTS), *harvests],
        "Building Requests": [list(BUILDINGS), *buildings],
        "Barns": [list(BARNS), *map(list, barns)],
        "Receipts": season_grid(),
    }


def workbook(*cells: Any, **more: Any) -> MemoryWorkbook:
    return MemoryWorkbook(grids(*cells, **more))


def barns(book: Workbook) -> dict[Value, list[Value]]:
    """Return the rest of each barn's row by the barn, in sheet order."""
    sheet = read(book).sheet(key("Barns"))
    assert sheet is not None
    return {row[0]: list(row[1:]) for number, row in sorted(sheet.rows.items()) if number > 1 and row}
