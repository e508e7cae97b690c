"""Forms of plots: orders, of which players may not know all, and ratings, which are for everybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from engine.columns import TabDeclaration, ValueList, choice, reference, result, text, whole
from engine.dated import TURN
from engine.receipt import Block
from scripts.support.toys.plots.rules import (
    END,
    END_ALL,
    MOST,
    ORDERS,
    STEAL,
    House,
    PlotInputs,
    Plots,
    PlotTable,
    PlotTables,
    Ranking,
    RankInputs,
)
from sheets_algo.database.problems import CauseKind
from sheets_algo.database.records import TURN_ACTIONS, Database, Vocabulary
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import Form, FormResult, FormSource
from sheets_algo.forms.capabilities import (
    ChartForm,
    CurrentTurn,
    PairedBars,
    SecretForm,
    TurnForm,
    leading_number,
    typed_players,
)
from sheets_algo.forms.request_columns import OrderRequest, Request, request_tab
from sheets_algo.forms.row_reader import RowReader, by_name
from sheets_algo.forms.settings_tab import SettingRow, settings_tab

TURN_OF = CauseKind(House, ("turn",))
Inputs = TypeVar("Inputs")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotRequest(OrderRequest):
    """One row of the Plot Requests tab: one order."""

    tab: ClassVar[TabDeclaration] = request_tab("Plot Requests", "One row is one order of a house.", one="order")

    turn: int | None = whole("Turn", id="PL-01", low=1, high=MOST, note="Blank: the current one.")
    house: str = reference("House", "Houses", id="PL-01", default="", note="Who orders; blank: all.")
    order: str = choice("Order", "Order", id="PL-01", required=True, note="What is to be done.")
    target: str = reference("Target", "Houses", id="PL-02", default="", note="Steal: from whom.")
    die: int | None = whole("Die", id="PL-02", low=1, high=1000, note="The moderator's roll; blank: drawn.")
    notes: str = text("Notes", id="PL-01", decides=False, note="Anything.")
    result: str = result("Result", id="PL-01", note="What came of it.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RankRequest(Request):
    """One row of the Rank Requests tab: one finished game."""

    tab: ClassVar[TabDeclaration] = request_tab("Rank Requests", "One row is one finished game.", one="game")

    game: str = text("Game", id="PL-04", required=True, decides=False, note="The title of its receipt.")
    standing: str = text("Standing", id="PL-04", required=True, note="The houses, the best first: A > B > C.")
    result: str = result("Result", id="PL-04", note="Who won.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotSetting(SettingRow):
    """One row of the Plot Settings tab."""

    tab: ClassVar[TabDeclaration] = settings_tab("Plot Settings")


class _PlotBase(Form[Inputs]):
    ruleset_key = "plots"
    database = (House, PlotSetting)

    def __init__(self, source: FormSource) -> None:
        self.tables = source.built(PlotTables)
        self.settings = source.settings_tab(PlotSetting, dict, {}, (PlotTable,), self.tables.having, (TURN,))
        lists = (ValueList("Order", ORDERS), TURN_ACTIONS)
        self.vocabulary = Vocabulary(lists={values.name: values for values in lists})


class PlotForm(_PlotBase[PlotInputs], TurnForm[PlotInputs], SecretForm[PlotInputs]):
    """Reader of orders."""

    key = "plots"
    declared = (PlotTable,)
    prefix = "P-"
    request = PlotRequest
    turn_column = "turn"
    end_of_turn: ClassVar = {"order": END_ALL}
    inputs = PlotInputs

    def __init__(self, source: FormSource) -> None:
        super().__init__(source)
        self.ruleset = Plots(self.tables)

    def read(self, row: Row, database: Database) -> FormResult[PlotInputs]:
        """Read one order with its houses."""
        reading = RowReader(database)
        read = reading.row(row, PlotRequest)
        current = self.current_turn(row, database)
        turn = current.number if current else 1
        settings = self.read_settings(reading, row, turn=turn)
        kind = read.values.get("order")
        own, target = (reading.referenced(House, read, attribute) for attribute in ("house", "target"))
        if kind == END_ALL:
            houses = by_name([house for house in reading.records(House) if house.turn == turn])
        else:
            houses = (own,) if own else ()
        if kind == STEAL and (target is None or target == own):
            reading.add(row.problem("target", "PL-02", "thieves need another house", allowed="Name one"))
        if not houses:
            reading.add(row.problem("house", "PL-01", "no house gives this order", allowed="Name one"))
        warnings = reading.finish()
        assert read.record is not None
        order = PlotInputs(
            kind=read.record.order,
            turn=turn,
            houses=houses,
            target=target if kind == STEAL else None,
            die=read.record.die,
            settings=settings,
        )
        return FormResult(order, warnings=warnings)

    def current_turn(self, row: Row, database: Database) -> CurrentTurn | None:
        """Return the turn of the order's house; None if the game is in none."""
        values = database.read(row, PlotRequest).values
        if values.get("order") == END_ALL:
            return self.turn_of_all(database)
        for house in _houses(database):
            if house.name == values.get("house") and house.turn:
                return CurrentTurn(
                    house.turn, house.name, values.get("order") == END, counters=TURN_OF.of(house.name).cells
                )
        return None

    def turn_of_all(self, database: Database) -> CurrentTurn | None:
        """Return the earliest turn of any house."""
        turn = min((house.turn for house in _houses(database) if house.turn), default=None)
        if turn is None:
            return None
        names = tuple(house.name for house in _houses(database) if house.turn == turn)
        counters = tuple(cell for name in names for cell in TURN_OF.of(name).cells)
        return CurrentTurn(turn, ends=True, players=names, counters=counters)

    def readers(self, database: Database) -> Mapping[str, int]:
        """Return the houses; for everybody a turn is over when it is for all."""
        last = {house.name: (house.turn or 1) - 1 for house in _houses(database)}
        return {"": min(last.values(), default=0)} | last

    def players(self, database: Database) -> Mapping[str, Sequence[str]]:
        """Return who plays each house."""
        return typed_players(database.table(House))


class RankForm(_PlotBase[RankInputs], ChartForm[RankInputs]):
    """Reader of finished games."""

    key = "plots-rank"
    prefix = "K-"
    request = RankRequest
    inputs = RankInputs
    course = ("Ranks", "Rank")

    def __init__(self, source: FormSource) -> None:
        super().__init__(source)
        self.ruleset = Ranking()

    def read(self, row: Row, database: Database) -> FormResult[RankInputs]:
        """Read one finished game with its houses."""
        reading = RowReader(database)
        request = reading.row(row, RankRequest).record
        settings = self.read_settings(reading, row)
        names = [name.strip() for name in request.standing.split(">")] if request else []
        standing = tuple(house for house in (reading.named(House, name) for name in names) if house)
        if request and (len(standing) < 2 or len({*names}) != len(standing)):
            reading.add(row.problem("standing", "PL-04", "this is not a standing", allowed="Write houses as A > B"))
        warnings = reading.finish()
        assert request is not None
        return FormResult(RankInputs(game=request.game, standing=standing, settings=settings), warnings=warnings)

    def check(self, database: Database) -> Any:
        """Yield nothing, since the form of orders checks the shared database."""
        return iter(())

    def bars(self, blocks: Sequence[Block]) -> PairedBars | None:
        """Return the ranks before and after the game."""
        halves = ((line.label, line.text.partition(" → ")) for block in blocks for line in block.lines)
        read = ((name, leading_number(before), leading_number(after)) for name, (before, _, after) in halves)
        rows = tuple((name, before, after) for name, before, after in read if before is not None and after is not None)
        return PairedBars("Ranks", ("Before", "After"), rows) if rows else None


def _houses(database: Database) -> list[House]:
    return RowReader(database).records(House, lambda read: False)
