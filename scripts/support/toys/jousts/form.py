"""Form of jousts: the Joust Requests tab, and how a row of it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.columns import TabDeclaration, folded, reference, result, text, whole
from scripts.support.toys.jousts.rules import Joust, JoustInputs, JoustTable, JoustTables, Knight
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import Form, FormResult, FormSource
from sheets_algo.forms.request_columns import Request, request_tab
from sheets_algo.forms.row_reader import RowReader
from sheets_algo.forms.settings_tab import SettingRow, settings_tab


@dataclass(frozen=True, slots=True, kw_only=True)
class JoustRequest(Request):
    """One row of the Joust Requests tab: one joust."""

    tab: ClassVar[TabDeclaration] = request_tab("Joust Requests", "One row is one joust.", one="joust")

    name: str = text("Joust", id="JO-01", required=True, decides=False, note="The title of its receipt.")
    challenger: str = reference("Challenger", "Knights", id="JO-01", required=True, note="Who rolls.")
    challenged: str = reference("Challenged", "Knights", id="JO-01", required=True, note="Who is on guard.")
    die: int | None = whole("Die", id="JO-02", low=1, high=1000, note="The moderator's roll; blank: drawn.")
    guard: int | None = whole("Guard", id="JO-02", low=1, high=1000, note="The other roll; blank: drawn.")
    winner: str = result("Winner", id="JO-02", note="Who won.")


@dataclass(frozen=True, slots=True, kw_only=True)
class JoustSetting(SettingRow):
    """One row of the Joust Settings tab."""

    tab: ClassVar[TabDeclaration] = settings_tab("Joust Settings")


class JoustForm(Form[JoustInputs]):
    """Reader of jousts."""

    ruleset: Joust

    key = "jousts"
    declared = (JoustTable,)
    prefix = "J-"
    request = JoustRequest
    database = (Knight, JoustSetting)
    inputs = JoustInputs

    def __init__(self, source: FormSource) -> None:
        self.tables = source.built(JoustTables)
        self.ruleset = Joust(self.tables)
        self.settings = source.settings_tab(JoustSetting, dict, {}, self.declared, self.tables.having)

    def read(self, row: Row, database: Database) -> FormResult[JoustInputs]:
        """Read one joust with its knights."""
        reading = RowReader(database)
        request = reading.row(row, JoustRequest)
        challenger = reading.referenced(Knight, request, "challenger")
        challenged = reading.referenced(Knight, request, "challenged")
        settings = self.read_settings(reading, row)
        if challenger and challenger == challenged:
            reading.add(row.problem("challenged", "JO-01", "nobody fights alone", allowed="Name two knights"))
        warnings = reading.finish()
        assert request.record is not None
        assert challenger is not None
        assert challenged is not None
        joust = JoustInputs(
            name=request.record.name,
            challenger=challenger,
            challenged=challenged,
            die=request.record.die,
            guard=request.record.guard,
            settings=settings,
        )
        return FormResult(joust, warnings=warnings)

    def forecast(self, inputs: JoustInputs) -> str:
        """Return the exact odds."""
        return f"{inputs.challenger.name} wins {100 * self.ruleset.chance(inputs):.1f} %"

    def subject(self, inputs: JoustInputs) -> str:
        """Return both knights."""
        return "|".join(sorted(self.parties(inputs)))

    def parties(self, inputs: JoustInputs) -> tuple[str, ...]:
        """Return both knights."""
        return tuple(folded(knight.name) for knight in (inputs.challenger, inputs.challenged))
