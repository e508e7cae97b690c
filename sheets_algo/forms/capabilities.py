"""Capabilities of some games. A form opts in by its base class, and the program asks `isinstance(form, TurnForm)`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from engine.battle_map import Rgb, Scene
from engine.casualties import Casualties
from engine.columns import columns, tab_of
from engine.place_map import MapPlace
from engine.receipt import Block
from engine.ruleset import Outcome, Plain
from sheets_algo.database.causes import CauseKind, CellName, LapseCause
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.bars import PairedBars
from sheets_algo.forms.base import Form, Inputs


@dataclass(frozen=True, slots=True)
class CurrentTurn:
    """The turn in which an order would be carried out now."""

    number: int  # The number of the turn
    whose: str = ""  # Who is in that turn, blank for all who play
    ends: bool = False  # True if the order ends it
    is_begun: bool = True  # False before the first turn of a game has ended; until then any turn may be typed
    # The cells of the database that hold the number of those whose turn it is; the last ruling that changed one began
    # the turn.
    counters: tuple[CellName, ...] = ()
    players: tuple[str, ...] = ()  # Whose turn an order ends that ends it for all


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerOrders:
    """Orders that players may give themselves, in a Google Form or a tab of their own (TRN-11)."""

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
    """Causes by which what an order is about is gone, by attribute of the cell that names it (REQ-18)."""

    player_orders: ClassVar[PlayerOrders | None] = None
    """Orders that players may give themselves; None if only moderators write orders."""

    @abstractmethod
    def current_turn(self, row: Row, database: Database) -> CurrentTurn | None:
        """Return the turn in which an order would be carried out now; None if it has none, or a mistake."""

    @abstractmethod
    def turn_of_all(self, database: Database) -> CurrentTurn | None:
        """Return the turn that a request `end_of_turn` would end now; None if it would end none."""

    def begin(self, database: Database, turn: int) -> None:
        """Let a game that is in no turn begin with one, for as long as a database is read; others are in theirs."""

    def gone(self, row: Row, database: Database) -> Iterator[tuple[str, LapseCause]]:
        """Yield why what an order is about is out of the game, each as a clause with its cause (REQ-18)."""
        values = database.read(row, self.request).values
        for attribute, kinds in self.objects.items():
            yield from (reason for kind in kinds for reason in self.why_gone(kind, values.get(attribute, ""), database))

    def why_gone(self, kind: CauseKind, name: str, database: Database) -> Iterator[tuple[str, LapseCause]]:
        """Yield why the row with a name is out of the game, as a clause with its cause."""
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
    """A form of which players may not know all that a ruling found; each has a report of its turns."""

    @abstractmethod
    def readers(self, database: Database) -> Mapping[str, int]:
        """Return who may ask for a report, each with the last turn that is over; the blank name is everybody's."""

    @abstractmethod
    def players(self, database: Database) -> Mapping[str, Sequence[str]]:
        """Return who plays as each reader, ids of Discord and names, by the reader's name in small letters (TRN-09)."""


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
    """A war of several battles that has ended since the last year, as the tab Wars says."""

    war: str
    winners: tuple[str, ...]  # Nations of one side; of a war that nobody won too
    losers: tuple[str, ...]  # Nations of the other side
    is_won: bool  # False if nobody has won
    terms: str  # As they were typed


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedRow:
    """A row that a ruling offers in a request tab; people tick it or delete it."""

    record: type  # The record class of the tab
    cells: Mapping[str, Plain]  # By attribute
    is_alone: bool = False  # True if it is offered only while the tab has no open row


@dataclass(frozen=True, slots=True)
class AskedRow:
    """Something that players may ask for in a Form, which becomes a row of a tab (YRS-15)."""

    one: str  # What it is called in answers, in small letters: `war`
    record: type[Any]  # The record class of the tab
    whose: str  # The attribute of the column that names the nation; of a tab without it, the question Nation does
    cells: tuple[str, ...]  # The attributes of the columns that players fill
    thing: tuple[str, ...]  # Those of which two answers of a player that are alike are about one thing
    changes: tuple[str, ...] = ()  # The cells that it changes of a row that is there; blank if it adds a row


class YearlyForm(Form[Inputs]):
    """A form of the years of a game, whose inputs follow from the rulings since the last year (YRS-01)."""

    asked: ClassVar[Sequence[AskedRow]]
    """Kinds of rows that players may ask for; the first is the default of a Form."""
    players_of: ClassVar[tuple[type, str]]
    """Record class of the tab of those for whom players ask, and attribute of its column with their addresses."""

    @abstractmethod
    def year_of(self, inputs: str) -> int:
        """Return the year that a request ends, from its serialised inputs."""

    @abstractmethod
    def with_past(
        self, inputs: Inputs, last: int | None, rulings: Sequence[PastRuling], wars: Sequence[EndedWar]
    ) -> Inputs:
        """Return the inputs of a year with what rulings have left.

        Args:
            last: The last year that is over; None before the first one.
            rulings: All rulings in force, and the changes of people that were accepted, in order.
            wars: The wars that have ended since.
        """

    @abstractmethod
    def offers(self, inputs: Inputs, cells: Iterable[CellName]) -> Iterable[OfferedRow]:
        """Return the rows that a ruling offers.

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
    """A strategy board: what is placed in the rows of a request, to be placed with the mouse."""

    def data(
        self, sides: Sequence[str] = (), *, is_blank: bool = False, has_other_maps: bool = True
    ) -> Mapping[str, Any]:
        """Return what its page needs.

        Args:
            sides: The sides that are shown, all if none is named.
            is_blank: True to leave out what the rows have: the page begins as the rules do without rows.
            has_other_maps: True to add other maps than that of the request, as many as have room.
        """

    @property
    def sides(self) -> Mapping[str, str]:
        """Return the name of each side with the nation that fights on it."""

    @property
    def scene(self) -> Scene | None:
        """Return the picture of what is placed, None if nothing is."""


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
    """A form whose pictures show sides in colours of their own."""

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
        """Return what its rows say about the map (MAP-09)."""

    @abstractmethod
    def place_table(self, database: Database) -> Table:
        """Return the table of its places, with or without a pixel."""


class ChartForm(Form[Inputs]):
    """A form of whose receipts pages draw figures."""

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
        """Return which blank cells a preset has filled, and what with."""

    @abstractmethod
    def players(self, database: Database) -> Mapping[str, Sequence[str]]:
        """Return who plays each nation, ids of Discord and names, by the nation's name in small letters (NAT-28)."""
