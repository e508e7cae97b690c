"""Base class of forms, which read a ruleset's requests from a workbook, and helpers for reading rows."""

from __future__ import annotations

import dataclasses
import functools
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar, cast

import msgspec
import numpy as np

from engine.battle_map import Rgb, Scene
from engine.case import CaseRules
from engine.columns import (
    ColumnPlace,
    Kind,
    TabDeclaration,
    ValueList,
    choice,
    columns,
    loosely,
    result,
    row_label,
    tab_of,
    text,
    whole,
    yes_no,
)
from engine.dated import DatedChange
from engine.receipt import Block, SeasonOptions
from engine.ruleset import Outcome, Plain, Ruleset
from engine.settings import Raw, Setting, own_numbers
from engine.terrain import Feature
from sheets_algo.database.cells import ReadError, read_value, shown
from sheets_algo.database.problems import PROBLEMS_COUNTED, Problem, Rejected
from sheets_algo.database.records import Database, ReadRow, Vocabulary
from sheets_algo.database.tables import Row
from sheets_algo.forms.bars import PairedBars
from sheets_algo.forms.settings_tab import SettingRow, SettingsTab
from sheets_algo.workbook.snapshot import Snapshot

if TYPE_CHECKING:
    from sheets_algo.config.maps import MapFolder
    from sheets_algo.database.tables import Edit

Written = Mapping[tuple[str, str, str], Plain]
"""Values that rulings have left in cells of the database, by tab, row (loosely spelled) and header."""
Inputs = TypeVar("Inputs")
Record = TypeVar("Record")
Built = TypeVar("Built")

ACTION_NOTE = "Rule: rule it once and for all. Forecast: only say what may come. Rule again: where the program asks."


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Columns shared by all request tabs."""

    request: str = text(
        "Request",
        id="REQ-01",
        place=ColumnPlace.FIRST,
        note="The id, unique and for good: a ruling is found by it wherever its row moves. Blank: given when ready.",
    )
    action: str = choice(
        "Action",
        "Action",
        id="REQ-02",
        default="Rule",
        place=ColumnPlace.CONTROL,
        note=ACTION_NOTE,
    )
    seed: int | None = whole(
        "Seed",
        id="REQ-03",
        low=0,
        high=2**64 - 1,
        place=ColumnPlace.CONTROL,
        decides=True,
        note="Blank: drawn from the season secret. A number replays a known ruling and is named on the receipt.",
    )
    ready: bool = yes_no(
        "Ready", id="REQ-04", place=ColumnPlace.CONTROL, note="Tick it: nothing happens to a row without it."
    )
    status: str = result(
        "Status", id="REQ-05", place=ColumnPlace.STATUS, note="Waiting, Invalid, Done, Changed, Undone or Failed."
    )
    message: str = result(
        "Message", id="REQ-06", place=ColumnPlace.STATUS, note="Every problem with its cell, or the result in one line."
    )
    ruled_at: str = result("Ruled At", id="REQ-07", place=ColumnPlace.LAST, note="When it was ruled, UTC.")


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRequest(Request):
    """Columns shared by the request tabs of games with turns."""

    ready_since: int = result(
        "Ready Since",
        id="REQ-10",
        place=ColumnPlace.KEPT,
        kind=Kind.WHOLE,
        note="Of an order that was refused: the turn that it belongs to, in which it was first ready. Once that is"
        " over, it stays refused.",
    )


class NotAtHand(ValueError):
    """Something that the inputs of a ruling name is not here, or is another than it was; the text says what to do.

    Args:
        text: What is missing and what to do, a clause.
        needs: What the program has to be given: `--maps DIR`.
    """

    def __init__(self, text: str, needs: str) -> None:
        super().__init__(text)
        self.needs = needs


def request_tab(name: str, about: str, *, optional: bool = False) -> TabDeclaration:
    """Return the declaration of a request tab."""
    # Ids need not be unique here, since `Ids` reports duplicates (REQ-01).
    return TabDeclaration(name, key="request", one="request", unique=False, about=about, optional=optional)


COMPARISON_BATTLES = 100
"""Battles that a ruling is compared with: enough for a percentile that is accurate to ten points (FC-07)."""


@dataclass(frozen=True, slots=True)
class DeadLeader:
    """A leader who is dead and shall lead again (LDR-11)."""

    row: Row  # The row of the leader; its attribute `status` says where he was killed
    named: Row  # The row that names him in its attribute `leader`


@dataclass(frozen=True, slots=True)
class FormResult(Generic[Inputs]):
    """A request that can be ruled."""

    inputs: Inputs  # The inputs of the ruleset
    remarks: tuple[str, ...] = ()  # The strategy messages that are shown with the result (STRAT-06)
    warnings: tuple[Problem, ...] = ()  # The problems that do not prevent the request from being ruled
    # The request's other rows by tab name, in the order in which `RowResult.row` counts them.
    rows: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    # The leaders who are dead, for whom a moderator has to decide in a season that wants it.
    dead_leaders: tuple[DeadLeader, ...] = ()


@dataclass(frozen=True, slots=True)
class CurrentTurn:
    """The turn in which an order would be carried out now."""

    number: int  # The number of the turn
    whose: str = ""  # Who is in that turn, blank for all who play
    ends: bool = False  # True if the order ends it
    is_begun: bool = True  # False before the first turn of a game has ended; until then any turn may be typed


@dataclass(frozen=True, slots=True)
class Legend:
    """Explanation of a ruling's terms or colours, shown in a new workbook (RCPT-03)."""

    title: str  # The heading
    lines: Sequence[str]  # The explanations, one for each term or colour
    colours: Sequence[tuple[int, int, int]] = ()  # The red, green and blue values of each line; empty for terms
    columns: tuple[str, ...] = ()  # The headers whose notes contain the lines too


@dataclass(frozen=True, slots=True)
class FormSource:
    """Tables and helpers from which the forms of one ruleset are built."""

    raw: Raw  # The ruleset's parsed tables, content by file name without ending
    open_maps: Callable[[Sequence[Feature]], MapFolder]  # The function that opens the maps folder for a terrain legend
    dated: Sequence[DatedChange] = ()  # The numbers that count from a date on (SET-07)
    released: Raw = field(default_factory=dict)  # The tables of the release, which `raw` may have otherwise
    _built: dict[Callable[[Raw], Any], Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def settings_tab(
        self,
        record: type[SettingRow],
        settable: Callable[[Raw], Raw],
        words: Mapping[str, tuple[str, ...]],
        declared: Iterable[type],
        build: Callable[[Sequence[Setting]], object],
        dates: Collection[str] = (),
    ) -> SettingsTab:
        """Return the reader of the settings tab, which names the moderator's own numbers; arguments as there (SET-06).

        `settable` returns the part of the tables that settings may replace.
        """
        raw = settable(self.raw)
        own = own_numbers(raw, settable(self.released or self.raw), words)
        return SettingsTab(record, raw, words, declared, build, self.dated, dates, own=own)

    def built(self, make: Callable[[Raw], Built]) -> Built:
        """Return what a function makes of the tables, once for all forms of the ruleset."""
        if make not in self._built:
            self._built[make] = make(self.raw)
        return cast(Built, self._built[make])


@dataclass(frozen=True, slots=True)
class BoardRows:
    """The rows in which a strategy board's strategies stand, one for each flank."""

    record: type  # The record class of their tab, one of `Form.parts`
    side: str  # The attribute of the column that names the side
    columns: tuple[str, ...]  # The attributes of the columns that a board gives, in its order; all others stay blank

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


class Form(ABC, Generic[Inputs]):
    """Reader of one request tab of a ruleset, with the tab's database tabs and the ruleset itself.

    Subclasses take a `FormSource` and set `ruleset`. A ruleset with several request tabs has a form for each; these
    share its tables, its settings tab and its database tabs, and each sees the others' rulings.
    """

    key: ClassVar[str]
    """Unique name of the form in receipts, which never changes; the ruleset's name for a ruleset's first form."""
    ruleset_key: ClassVar[str]
    """The ruleset's name, as in `config/tables/<name>/`; the form's `key` unless declared."""
    declared: ClassVar[tuple[type, ...]] = ()
    """The record classes of the ruleset's table files; the JSON Schemas are made from them."""
    cases: ClassVar[CaseRules | None] = None
    """The functions that cases of the ruleset may call; None if there can be no cases."""
    prefix: ClassVar[str]
    """Prefix of the form's request ids: `W-`."""
    request: ClassVar[type[Request]]
    parts: ClassVar[tuple[type, ...]] = ()
    """Record classes of further tabs whose rows name a request in a column `request`."""
    database: ClassVar[tuple[type, ...]] = ()
    inputs: ClassVar[type]
    """Class of the ruleset's inputs, for serialisation."""
    inputs_by_kind: ClassVar[Mapping[str, type]] = {}
    """Further classes of inputs, by the value of their attribute `kind`."""
    tabs: ClassVar[tuple[str, ...]]
    """Names of all tabs, in workbook order; from the record classes."""

    board_rows: ClassVar[BoardRows | None] = None
    """The rows of strategy boards, None if the ruleset has none."""

    ruleset: Ruleset[Inputs]
    vocabulary: Vocabulary = Vocabulary()
    settings: SettingsTab | None = None
    """Reader of the ruleset's settings tab, None if it has none."""
    drawn_once: ClassVar[str] = ""
    """Attribute of the column, and title of the receipt, that names what luck draws once (REQ-13); blank for none."""
    turn_column: ClassVar[str] = ""
    """Attribute of the column in which people type an order's turn; blank in a ruleset without turns."""
    follows_rulings: ClassVar[bool] = False
    """True if `after` gives all that a request reads after other rulings, so that receipts alone tell it (LUCK-09)."""

    course: ClassVar[tuple[str, str]] = ("", "")
    """Title and column of the figure whose course pages show, of each row whose rulings write it; blank for none."""

    def __init__(self, source: FormSource) -> None:
        """Build the ruleset, and what else a subclass needs, from its tables.

        Raises:
            TableError: The tables do not fit together.
        """

    def __init_subclass__(cls) -> None:
        """Set the default `ruleset_key` and the tabs, and prepare msgspec for the inputs.

        msgspec inspects a class on the first conversion to it and ends the process if several threads (watchers of
        several spreadsheets) do so at once; during the import there is only one thread.
        """
        super().__init_subclass__()
        if not hasattr(cls, "ruleset_key") and hasattr(cls, "key"):
            cls.ruleset_key = cls.key
        if hasattr(cls, "request"):
            cls.tabs = tuple(tab_of(record).name for record in cls.records())
        if hasattr(cls, "inputs"):
            for inputs in (cls.inputs, *cls.inputs_by_kind.values()):
                msgspec.json.Decoder(inputs)

    @classmethod
    def records(cls) -> tuple[type, ...]:
        """Return the record classes of all tabs, in workbook order."""
        return (cls.request, *cls.parts, *cls.database)

    @abstractmethod
    def read(self, row: Row, database: Database) -> FormResult[Inputs]:
        """Read one request.

        Raises:
            Rejected: The request cannot be ruled; the exception has all its problems.
        """

    def switch_sides(self, row: Row, database: Database) -> Sequence[Edit]:
        """Return the cells that change when the sides of a request change places (REQ-14); none without sides.

        Raises:
            Rejected: A cell that has to change cannot be read.
        """
        return ()

    def row_result(self, results: Sequence[Mapping[str, Plain]]) -> Mapping[str, Plain]:
        """Return what a row of another tab shows that stands for several things; the first one's where none does."""
        return results[0]

    def sides_text(self, row: Row) -> str:
        """Return who fights whom, as the row of a request says it, for an answer to `Switch sides`."""
        return ""

    def check(self, database: Database) -> Iterator[Problem]:
        """Yield the problems of the database tabs, including rows that no request uses."""
        for record in self.database:
            yield from database.problems_of(record)
        if self.settings:
            yield from self.settings.read(database).problems

    def in_season(self, options: SeasonOptions) -> Self:
        """Return the form as it reads requests of a season; its tables stay those of every season."""
        return self

    def current_turn(self, row: Row, database: Database) -> CurrentTurn | None:
        """Return the turn in which an order would be carried out now; None if it has none, or a mistake (REQ-10)."""
        return None

    """True if a season can be begun by rules of a name, `init --rules` (R-98)."""
    has_secrets: ClassVar[bool] = False
    is_news: ClassVar[bool] = True
    """False if its rulings, such as draws of leaders, are posted nowhere."""
    """True if players may not know all that a ruling found; then each has a report of its turns."""

    def readers(self, database: Database) -> Mapping[str, int]:
        """Return who may ask for a report of a turn, each with the last turn that is over; empty without secrets.

        The blank name is everybody's.
        """
        return {}

    def subject(self, inputs: Inputs) -> str:
        """Return who fights whom, where and when, by which the same war is known under any id; blank for nothing."""
        return ""

    def parties(self, inputs: Inputs) -> tuple[str, ...]:
        """Return what a request shares with those whose order matters to it (LUCK-10).

        By default that is its turn, in a game with turns; nothing in others.
        """
        turn = getattr(inputs, self.turn_column, None) if self.turn_column else None
        return (f"{self.turn_column} {turn or 'unknown'}",) if self.turn_column else ()

    def leaders(self, inputs: Inputs) -> tuple[tuple[str, str, str], ...]:
        """Return the cells that say that a leader of a request is dead: tab, row (loosely spelled) and header."""
        return ()

    def after(self, inputs: Inputs, written: Written) -> Inputs:
        """Return the inputs of a request as they are after rulings that have written cells of the database.

        Args:
            inputs: The inputs before.
            written: The values that the rulings have left, by tab, row and header.

        Raises:
            ValueError: A column takes no such value.
        """
        records = {tab_of(record).name: record for record in self.database}
        try:
            changed: Inputs = _with_cells(inputs, records, written, self.vocabulary.lists)
        except ReadError as error:
            raise ValueError(error.says) from error
        return changed

    def read_settings(self, reading: RowReader, row: Row, **date: int | None) -> tuple[Setting, ...]:
        """Return the settings in force for a request, and add their problems.

        Args:
            reading: The reader of the request.
            row: Its row.
            date: Its year or turn, None if it has none (SET-07).
        """
        if self.settings is None:
            return ()
        found = self.settings.in_force(reading.database, row, date)
        reading.add(*found.problems)
        return found.settings

    def forecast(self, inputs: Inputs) -> str:
        """Return the expected outcome in one line, blank if the ruleset has to simulate it."""
        return ""

    def comparison_battles(self, inputs: Inputs, rulings: int, *, is_compiled: bool = False) -> int:
        """Return the number of other battles that a ruling is compared with, 0 if they would take too long (FC-07).

        Args:
            inputs: The inputs of the ruling.
            rulings: The number of rulings that are compared at once.
            is_compiled: True if machine code fights them.
        """
        return COMPARISON_BATTLES

    @property
    def ranks(self) -> Mapping[str, Sequence[str]]:
        """Return the ranked value lists by name, each from worst to best."""
        return {}

    def board(self, row: Row, database: Database) -> StrategyBoard | None:
        """Return the strategy board of a request, None if the ruleset has none.

        Raises:
            Rejected: The request has errors that no board can show.
        """
        return None

    def ruled_board(self, request: str, inputs: str, outcome: Outcome, database: Database) -> StrategyBoard | None:
        """Return the strategy board of a ruling, None if the ruleset has none."""
        return None

    def colours(self, database: Database) -> Mapping[str, Rgb]:
        """Return the colours in which pictures show sides, by name; they are no inputs of a ruling."""
        return {}

    def players(self, database: Database) -> Mapping[str, Sequence[str]]:
        """Return who plays each nation, ids of Discord and names, by the nation's name in small letters (NAT-28)."""
        return {}

    def bars(self, blocks: Sequence[Block]) -> PairedBars | None:
        """Return the figures of a receipt that pages draw as bars; None for none.

        Args:
            blocks: The blocks of the receipt, as it is written.
        """
        return None

    def motives(self, inputs: Inputs) -> Sequence[str]:
        """Return the motives of a war, one or one a side; none if the ruleset has no motives."""
        return ()

    def legends(self) -> Sequence[Legend]:
        """Return the explanations of the terms and colours of receipts."""
        return ()

    def serialize(self, inputs: Inputs) -> str:
        """Return inputs as canonical JSON: equal inputs give equal text, however they were typed."""
        return _encode(
            self.deserialize(_encode(inputs))
        )  # decoding makes a default of 100 and a typed 100.0 both 100.0

    def deserialize(self, frozen: str) -> Inputs:
        """Return the inputs of a serialised text.

        Args:
            frozen: The JSON text of the inputs.

        Raises:
            NotAtHand: Something outside the tables that it names is missing, or has changed.
            ValueError: The text is invalid, or names what the tables do not have.
        """
        try:
            content = msgspec.json.decode(frozen, type=dict[str, Any])
            self.complete(content)
            wanted = self.inputs_by_kind.get(content.get("kind", ""), self.inputs)
            inputs: Inputs = msgspec.convert(content, type=wanted, dec_hook=_keep_value)
        except (msgspec.MsgspecError, KeyError, TypeError) as error:
            raise ValueError(f"its inputs have been changed ({error})") from error
        return inputs

    def complete(self, frozen: dict[str, Any]) -> None:
        """Check the settings of decoded inputs, and restore arrays that were left out of the text.

        Args:
            frozen: The decoded inputs, which are changed in place.

        Raises:
            NotAtHand: Something outside the tables that the inputs name is missing, or has changed.
            ValueError: A setting names what the tables do not have.
        """
        if self.settings:
            self.settings.deserialize(frozen)


def _with_cells(value: Any, records: Mapping[str, type], written: Written, lists: Mapping[str, ValueList]) -> Any:
    """Return inputs in which the rows of the database have other cells."""
    if isinstance(value, tuple):
        return tuple(_with_cells(part, records, written, lists) for part in value)
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return value
    parts = {part.name: getattr(value, part.name) for part in dataclasses.fields(value)}
    cells = {name: _with_cells(part, records, written, lists) for name, part in parts.items()}
    for tab, record in records.items():
        if issubclass(record, type(value)) and tab_of(record).key in cells:
            owners = cells.get(tab_of(record).within) or ("",)
            name = cells[tab_of(record).key]
            label = row_label(name, owners[0]) if tab_of(record).within else name
            for attribute, column in columns(record):
                place = tab, loosely(label), column.header
                if attribute in cells and place in written:
                    after = written[place]
                    cells[attribute] = column.default if after in (None, "") else read_value(column, after, lists)
    changed = {name: part for name, part in cells.items() if part is not parts[name]}
    return dataclasses.replace(value, **changed) if changed else value


def by_ruleset(forms: Iterable[Form[Any]]) -> list[tuple[Form[Any], ...]]:
    """Group forms by ruleset, in the order of each ruleset's first form."""
    groups: dict[str, tuple[Form[Any], ...]] = {}
    for form in forms:
        groups[form.ruleset_key] = (*groups.get(form.ruleset_key, ()), form)
    return list(groups.values())


def open_database(snapshot: Snapshot, forms: Sequence[Form[Any]]) -> Database:
    """Return a database that is shared by the forms of one ruleset."""
    records = dict.fromkeys(record for form in forms for record in form.records())
    return Database(snapshot, records, vocabulary_of(forms))


def vocabulary_of(forms: Sequence[Form[Any]]) -> Vocabulary:
    """Return the union of the vocabularies of one ruleset's forms."""
    return functools.reduce(operator.or_, (form.vocabulary for form in forms))


def _encode(inputs: Any) -> str:
    """Encode inputs as JSON, without the date of settings that have none (SET-07)."""
    text = msgspec.json.encode(inputs, enc_hook=_encode_array, order="deterministic").decode()
    return text.replace(',"since":""', "").replace(',"released":null', "")  # in a text the quotes would be escaped


def _encode_array(value: Any) -> None:
    """Encode an array as null; the inputs name its source, from which it is restored."""
    if not isinstance(value, np.ndarray):
        raise NotImplementedError(f"{type(value).__name__} cannot be frozen")


def _keep_value(kind: type, value: Any) -> Any:
    return value


class RowReader:
    """Reader of the rows that one request names, which collects problems instead of stopping at the first."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.failed = False
        """True if an error was added."""
        self._problems: dict[Problem, None] = {}

    def add(self, *problems: Problem) -> None:
        """Add problems; duplicates are ignored.

        Raises:
            Rejected: An error was added, and these are more problems than are looked for.
        """
        self._problems |= dict.fromkeys(problems)
        self.failed = self.failed or any(problem.is_error for problem in problems)
        if self.failed and len(self._problems) > PROBLEMS_COUNTED:
            raise Rejected(self._problems)

    def row(self, row: Row, record: type[Record]) -> ReadRow[Record]:
        """Read a row as a record and add its problems."""
        read = self.database.read(row, record)
        self.add(*read.problems)
        return read

    def named(self, record: type[Record], name: str) -> Record | None:
        """Return the record with a name; None if there is none, or if it has errors, which are added."""
        rows = self.database.find(record, name)
        if rows:
            return self.row(rows[0], record).record
        return self.database.builtin(record, name)

    def referenced(self, record: type[Record], row: ReadRow[Any], attribute: str) -> Record | None:
        """Return the record that a cell of a row names; None if it is blank or has errors, which are added."""
        name = row.values.get(attribute)
        return self.named(record, name) if name else None

    def rows_of(self, record: type[Record], request: str) -> list[Row]:
        """Return the rows of another tab that belong to a request."""
        self.add(*self.database.table(record).header_problems)
        return list(self.database.table(record).by_request.get(loosely(request), ()))

    def finish(self) -> tuple[Problem, ...]:
        """Return the warnings.

        Raises:
            Rejected: An error was added.
        """
        if self.failed:
            raise Rejected(self._problems)
        return tuple(self._problems)


def request_id(row: Row) -> str:
    """Return a request's id as text: the id 7.0 is `7`."""
    return shown(row.value("request"))
