"""Capabilities of some games. A form opts in by its base class, and the program asks `isinstance(form, TurnForm)`."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from engine.battle_map import Rgb, Scene
from engine.casualties import Casualties
from engine.columns import columns, folded, tab_of
from engine.place_map import MapPlace
from engine.players import players_in
from engine.receipt import Block, Line
from engine.ruleset import Outcome, Plain
from sheets_algo.database.problems import CauseKind, CellName, LapseCause
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form, Inputs

_NUMBER = re.compile(r"([-−]?)(\d[\d,]*(?:\.\d+)?)(?![\w.])")
"""A number at the beginning of a text, as receipts write it."""


@dataclass(frozen=True, slots=True)
class PairedBars:
    """Two series of figures for a comparison row by row."""

    title: str  # Their subject
    series: tuple[str, str]  # The names of both
    rows: tuple[tuple[str, float, float], ...]  # Label and both figures of each row
    total: tuple[str, float, float] | None = None  # Label and both figures of their sum; None for none


def leading_number(text: str) -> float | None:
    """Return the number with which a text begins, e.g. 20 of `20 (40 ÷ 2)`; None if it begins otherwise."""
    match = _NUMBER.match(text)
    return float(f"{'-' if match[1] else ''}{match[2].replace(',', '')}") if match else None


def figures_of(lines: Iterable[Line]) -> dict[str, float]:
    """Return the figures of the lines of a receipt that begin with one, by label."""
    numbers = ((line.label, leading_number(line.text)) for line in lines)
    return {label: number for label, number in numbers if label and number is not None}


@dataclass(frozen=True, slots=True)
class CurrentTurn:
    """The turn of an order that is carried out now."""

    number: int  # The number of the turn
    whose: str = ""  # The player in that turn, blank for all
    ends: bool = False  # True if the order ends it
    is_begun: bool = True  # False before the first turn of a game has ended; until then any turn may be typed
    # The cells of the database that hold the number of those whose turn it is; the last ruling that changed one began
    # the turn.
    counters: tuple[CellName, ...] = ()
    players: tuple[str, ...] = ()  # The player whose turn an order ends that ends it for all


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerOrders:
    """Orders that players may send themselves, in a Google Form or a tab of their own (TRN-11)."""

    whose: str  # The attribute of the column that names the player
    players: type  # The record class of the tab of players
    contact: str  # The attribute of its column with their addresses
    orders: frozenset[str]  # The allowed values of the column `order`
    cells: tuple[str, ...]  # The attributes of the columns that they fill


class TurnForm(Form[Inputs]):
    """A form of orders that are carried out turn by turn (REQ-10)."""

    decides_in_order = True
    turn_column: ClassVar[str]
    """Attribute of the column in which people type an order's turn."""
    end_of_turn: ClassVar[Mapping[str, str]] = {}
    """Cells of a request that ends the turn of all, by attribute; empty if no deadline can end one (TRN-03)."""

    objects: ClassVar[Mapping[str, Sequence[CauseKind]]] = {}
    """Causes that remove the subject of an order, by attribute of the cell that names it (REQ-18)."""

    player_orders: ClassVar[PlayerOrders | None] = None
    """Orders that players may give themselves; None if only moderators write orders."""

    @abstractmethod
    def current_turn(self, row: Row, database: Database) -> CurrentTurn | None:
        """Return the turn in which an order would be carried out now; None if it has none, or an error."""

    @abstractmethod
    def turn_of_all(self, database: Database) -> CurrentTurn | None:
        """Return the turn that a request `end_of_turn` would end now; None if it would end none."""

    def begin(self, database: Database, turn: int) -> None:
        """Start the first turn of a game that has none yet, while a database is read."""

    def gone(self, row: Row, database: Database) -> Iterator[tuple[str, LapseCause]]:
        """Yield the reasons why an order's subject is out of the game, each as a clause with its cause (REQ-18)."""
        values = database.read(row, self.request).values
        for attribute, kinds in self.objects.items():
            yield from (reason for kind in kinds for reason in self.why_gone(kind, values.get(attribute, ""), database))

    def why_gone(self, kind: CauseKind, name: str, database: Database) -> Iterator[tuple[str, LapseCause]]:
        """Yield the reasons why the row with a name is out of the game, each as a clause with its cause."""
        tab = tab_of(kind.record).name
        record: type[Any] = next(record for record in self.database if tab_of(record).name == tab)
        for row in database.find(record, name):
            read = database.read(row, record).record
            if read and kind.gone and (why := kind.gone(read)):
                yield why, kind.of(name)

    def parties(self, inputs: Inputs) -> tuple[str, ...]:
        """Return the turn: the order of the requests of one matters to each (LUCK-10)."""
        return (f"{self.turn_column} {getattr(inputs, self.turn_column, None) or 'unknown'}",)


EVERYBODY = ""
"""The reader of reports of turns that are for all players."""


class SecretForm(Form[Inputs]):
    """A form with secrets: each player has a report of turns with the part of the results that he may know."""

    @abstractmethod
    def readers(self, database: Database) -> Mapping[str, int]:
        """Return the readers of reports, each with the last finished turn; the blank name is everybody's."""

    @abstractmethod
    def players(self, database: Database) -> Mapping[str, Sequence[str]]:
        """Return the players of each reader, ids of Discord and names, by his name in small letters (TRN-09)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRuling:
    """A ruling in force of the same ruleset, as the form of years reads it."""

    form: str  # The key of its form
    inputs: str  # Serialised
    winner: str  # As of `Outcome.winner`
    casualties: Sequence[Casualties]  # Of each army
    changes: Sequence[tuple[CellName, Plain]]  # The cells that it changed, with the value before
    is_new: bool  # True if it came after the last year


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedWar:
    """A war of several battles that has ended since the last year, by the tab Wars."""

    war: str
    winners: tuple[str, ...]  # Nations of one side, the winner's if there is one
    losers: tuple[str, ...]  # Nations of the other side
    is_won: bool  # False without a winner
    terms: str  # As they were typed


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedRow:
    """A request row that a ruling proposes; people tick or delete it."""

    record: type  # The record class of the tab
    cells: Mapping[str, Plain]  # By attribute
    is_alone: bool = False  # True if it is proposed only while the tab has no open row


@dataclass(frozen=True, slots=True)
class AskedRow:
    """A request of players in a Form, which becomes a row of a tab (YRS-15)."""

    one: str  # Its name in answers, in small letters: `war`
    record: type[Any]  # The record class of the tab
    whose: str  # The attribute of the column that names the nation; of a tab without it, the question Nation does
    cells: tuple[str, ...]  # The attributes of the columns that players fill
    thing: tuple[str, ...]  # The attributes that identify its subject
    changes: tuple[str, ...] = ()  # The cells of an existing row that it changes; blank if it adds a row


class YearlyForm(Form[Inputs]):
    """A form of the years of a game, whose inputs follow from the rulings since the last year (YRS-01)."""

    asked: ClassVar[Sequence[AskedRow]]
    """Kinds of rows that players may request; the first is the default of a Form."""
    players_of: ClassVar[tuple[type, str]]
    """Record class of the tab of the players' nations, and attribute of its column with their addresses."""

    @abstractmethod
    def year_of(self, inputs: str) -> int:
        """Return the year that a request ends, from its serialised inputs."""

    @abstractmethod
    def with_past(
        self, inputs: Inputs, last: int | None, rulings: Sequence[PastRuling], wars: Sequence[EndedWar]
    ) -> Inputs:
        """Return the inputs of a year with the results of rulings.

        Args:
            last: The last year that is over; None before the first one.
            rulings: All rulings in force, and the changes of people that were accepted, in order.
            wars: The wars that have ended since.
        """

    @abstractmethod
    def offers(self, inputs: Inputs, cells: Iterable[CellName]) -> Iterable[OfferedRow]:
        """Return the rows that a ruling proposes.

        Args:
            cells: The cells that it changed.
        """


@dataclass(frozen=True, slots=True)
class BoardRows:
    """The rows of a strategy board's strategies, one for each flank."""

    record: type  # The record class of their tab, one of `Form.parts`
    side: str  # The attribute of the column that names the side
    columns: tuple[str, ...]  # The attributes of the columns that a board gives, in its order; all others stay blank
    kept: tuple[str, ...] = ()  # The attributes of columns that all rows of a side share, which stay as they are
    # The attribute of the column that names the army of a flank, a last cell of the rows of a side that has several.
    army: str = ""

    @property
    def others(self) -> list[str]:
        """Return the attributes of the columns of people that a board leaves blank, in declared order."""
        declared = columns(self.record)
        return [name for name, column in declared if name not in self.columns and not column.place.is_programs]


class StrategyBoard(Protocol):
    """A strategy board: the placements in the rows of a request, for changes with the mouse."""

    def data(
        self, sides: Sequence[str] = (), *, is_blank: bool = False, has_other_maps: bool = True
    ) -> Mapping[str, Any]:
        """Return the data of its page.

        Args:
            sides: The sides to show, all if none is named.
            is_blank: True to ignore the rows: the page begins with the default placements.
            has_other_maps: True to add other maps than that of the request, as many as have room.
        """

    @property
    def sides(self) -> Mapping[str, str]:
        """Return the name of each side with the nation that fights on it."""

    @property
    def scene(self) -> Scene | None:
        """Return the picture of the placements, None if there are none."""


class BoardForm(Form[Inputs]):
    """A form whose requests are placed on strategy boards."""

    board_rows: ClassVar[BoardRows]

    @abstractmethod
    def board(self, row: Row, database: Database) -> StrategyBoard:
        """Return the strategy board of a request.

        Raises:
            Rejected: The request has errors that no board can show.
        """

    @abstractmethod
    def ruled_board(self, request: str, inputs: str, outcome: Outcome, database: Database) -> StrategyBoard:
        """Return the strategy board of a ruling."""


class PictureForm(Form[Inputs]):
    """A form whose pictures show each side in its own colour."""

    @abstractmethod
    def colours(self, database: Database) -> Mapping[str, Rgb]:
        """Return the colours by name; they are not inputs of a ruling."""


@dataclass(frozen=True, slots=True)
class WorldRows:
    """Places and nations of a game's map, as its rows have them."""

    places: tuple[MapPlace, ...] = ()  # The places with a pixel
    rows: Mapping[str, Row] = field(default_factory=dict)  # The row of each place by name
    holders: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # Owner and occupier of each place, now
    colours: Mapping[str, Rgb] = field(default_factory=dict)  # The colour of each nation
    capitals: Mapping[str, str] = field(default_factory=dict)  # The place of each nation's capital


class MapForm(Form[Inputs]):
    """A form whose places lie on a map of the game."""

    @abstractmethod
    def world(self, database: Database) -> WorldRows:
        """Return the rows of the map (MAP-09)."""

    @abstractmethod
    def place_table(self, database: Database) -> Table:
        """Return the table of its places, with or without a pixel."""


class ChartForm(Form[Inputs]):
    """A form with receipts whose figures are drawn on pages."""

    course: ClassVar[tuple[str, str]] = ("", "")
    """Title and column of the figure whose course is shown, of each row whose rulings write it; blank for none."""

    @abstractmethod
    def bars(self, blocks: Sequence[Block]) -> PairedBars | None:
        """Return the figures of the blocks of a receipt that are drawn as bars; None for none."""


class WarForm(Form[Inputs]):
    """A form of wars between the nations of players, each in several rows, with ranked words and units."""

    @property
    @abstractmethod
    def ranks(self) -> Mapping[str, Sequence[str]]:
        """Return the ranked value lists by name, each from worst to best."""

    @abstractmethod
    def presets(self, inputs: Inputs) -> Sequence[str]:
        """Return the blank cells that a preset has filled, with the values."""

    @abstractmethod
    def players(self, database: Database) -> Mapping[str, Sequence[str]]:
        """Return the players of each nation, ids of Discord and names, by its name in small letters (NAT-28)."""


def typed_players(table: Table) -> Mapping[str, Sequence[str]]:
    """Return the players of each row of a tab, by its name in small letters.

    An id that is a number is left out, since its last digits are lost.
    """
    if "player" not in table.places:
        return {}
    cells = {row.name: row.value("player") for row in table}
    return {folded(name): players_in(cell) for name, cell in cells.items() if isinstance(cell, str)}
