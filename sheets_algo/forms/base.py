"""Base class of forms, which read a ruleset's requests from a workbook."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, cast

import msgspec
import numpy as np

from engine.case import CaseRules
from engine.columns import ValueList, columns, loosely, row_label, tab_of
from engine.dated import DatedChange
from engine.declare import settable_words, table_of
from engine.receipt import SeasonOptions
from engine.ruleset import Plain, Ruleset
from engine.settings import Raw, RulesetTables, Setting, own_numbers
from engine.terrain import Feature
from sheets_algo.database.cell_text import ReadError
from sheets_algo.database.cells import read_value
from sheets_algo.database.headers import key_of
from sheets_algo.database.problems import Problem
from sheets_algo.database.records import Database, Vocabulary
from sheets_algo.database.tables import Edit, Row
from sheets_algo.database.typed_numbers import certain
from sheets_algo.forms.request_columns import Request
from sheets_algo.forms.row_reader import RowReader
from sheets_algo.forms.settings_tab import SettingRow, SettingsTab
from sheets_algo.workbook.tab_key import TabKey

if TYPE_CHECKING:
    from sheets_algo.config.maps import MapFolder

Written = Mapping[tuple[str, str, str], Plain]
"""Values of rulings in cells of the database, by tab, row (loosely spelled) and header."""
Inputs = TypeVar("Inputs")
Record = TypeVar("Record")
Built = TypeVar("Built")


class NotAtHand(ValueError):
    """A missing or changed file that the inputs of a ruling name; the text says what to do.

    Args:
        text: What is missing and what to do, a clause.
        needs: The required option: `--maps DIR`.
    """

    def __init__(self, text: str, needs: str) -> None:
        super().__init__(text)
        self.needs = needs


COMPARISON_BATTLES = 100
"""Number of comparison battles of a ruling, for a percentile accurate to ten points (FC-07)."""


@dataclass(frozen=True, slots=True)
class DeadLeader:
    """A dead leader who would lead again (LDR-11)."""

    row: Row  # The row of the leader; its attribute `status` tells the place of his death
    named: Row  # The row that names him in its attribute `leader`


@dataclass(frozen=True, slots=True)
class FormResult(Generic[Inputs]):
    """A request that can be ruled."""

    inputs: Inputs  # The inputs of the ruleset
    remarks: tuple[str, ...] = ()  # The strategy messages to show with the result (STRAT-06)
    warnings: tuple[Problem, ...] = ()  # The problems that do not prevent the request from being ruled
    # The request's other rows by tab name, in the order in which `RowResult.row` counts them; None for a part that has
    # no row, such as a flank of a board's link.
    rows: Mapping[str, Sequence[Row | None]] = field(default_factory=dict)
    # The dead leaders; in some seasons a moderator must decide about them.
    dead_leaders: tuple[DeadLeader, ...] = ()


@dataclass(frozen=True, slots=True)
class CellAction:
    """An action that changes cells of people once, at the request of a row, without a ruling (REQ-14)."""

    id: str  # Id of its rule
    changes: str  # The subject of its changes, on which decisions of moderators may rest: `sides`
    # Both take a form, a row of it and the database, and raise `Rejected` if a cell that matters cannot be read.
    edits: Callable[[Any, Row, Database], Sequence[Edit]]  # Returns the cells that it changes
    result: Callable[[Any, Row, Database], str]  # Returns the new state, a clause; blank if it is not reached


@dataclass(frozen=True, slots=True)
class Legend:
    """Explanation of a ruling's terms or colours, shown in a new workbook (RCPT-03)."""

    title: str  # The heading
    lines: Sequence[str]  # The explanations, one for each term or colour
    # The red, green and blue values of each line, None for a line without; empty for terms.
    colours: Sequence[tuple[int, int, int] | None] = ()
    labels: Sequence[str] = ()  # The sign before each line on its colour, as on a map of lines; empty for a key
    columns: tuple[str, ...] = ()  # The headers whose notes contain the lines too


@dataclass(frozen=True, slots=True)
class FormSource:
    """Tables and helpers from which the forms of one ruleset are built."""

    raw: Raw  # The ruleset's parsed tables, content by file name without ending
    open_maps: Callable[[Sequence[Feature]], MapFolder]  # The function that opens the maps folder for a terrain legend
    dated: Sequence[DatedChange] = ()  # The numbers that count from a date on (SET-07)
    released: Raw = field(default_factory=dict)  # The tables of the release, from which `raw` may differ
    # Cached results of functions on the tables, shared by the forms of all passes.
    made: dict[Callable[[Raw], Any], Any] = field(default_factory=dict, repr=False, compare=False)

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
        changed = own_numbers(raw, settable(self.released or self.raw), words)
        return SettingsTab(record, raw, words, declared, build, self.dated, dates, differing=changed)

    def settings_of(
        self, record: type[SettingRow], tables: RulesetTables, declared: Sequence[type], dates: Collection[str] = ()
    ) -> SettingsTab:
        """Return the reader of the settings tab of some tables."""
        settable = [cls for cls in declared if table_of(cls).file in tables.files]
        words = {name: allowed for cls in settable for name, allowed in settable_words(cls).items()}
        return self.settings_tab(record, tables.settable, words, declared, tables.having, dates)

    def built(self, make: Callable[[Raw], Built]) -> Built:
        """Return the result of a function on the tables, computed once for all forms and passes."""
        if make not in self.made:
            self.made[make] = make(self.raw)
        return cast(Built, self.made[make])


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
    tabs: ClassVar[tuple[TabKey, ...]]
    """All tabs, in workbook order; from the record classes."""

    ruleset: Ruleset[Inputs]
    vocabulary: Vocabulary = Vocabulary()
    settings: SettingsTab | None = None
    """Reader of the ruleset's settings tab, None if it has none."""
    drawn_once: ClassVar[str] = ""
    """Attribute of the column, and title of the receipt, that names what luck draws once (REQ-13); blank for none.

    Such draws are not news, so they are posted nowhere.
    """
    derived: ClassVar[frozenset[str]] = frozenset()
    """Attributes of the inputs that follow from rows which rulings may write; people type all others (LUCK-09)."""
    decides_in_order: ClassVar[bool] = False
    """True if requests are decided in the order of their rows, each on what those above have left."""
    cell_actions: ClassVar[Mapping[str, CellAction]] = {}
    """Actions of its rows that change cells of people."""

    def __init__(self, source: FormSource) -> None:
        """Build the ruleset, and the data of a subclass, from its tables.

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
            cls.tabs = tuple(key_of(record) for record in cls.records())
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

    def check(self, database: Database) -> Iterator[Problem]:
        """Yield the problems of the database tabs, including rows that no request uses."""
        for record in self.database:
            yield from database.problems_of(record)
        if self.settings:
            yield from self.settings.read(database).problems

    def in_season(self, options: SeasonOptions) -> Self:
        """Return the form as it reads requests of a season; its tables stay those of every season."""
        return self

    def subject(self, inputs: Inputs) -> str:
        """Return parties, place and time of a request, which identify the same war under any id; blank for none."""
        return ""

    def parties(self, inputs: Inputs) -> tuple[str, ...]:
        """Return the parties that a request shares with others whose order matters (LUCK-10)."""
        return ()

    def risks(self, inputs: Inputs) -> tuple[str, ...]:
        """Return the parties that a request may destroy, which would make their other requests impossible (FC-31)."""
        return self.parties(inputs)

    def leaders(self, inputs: Inputs) -> tuple[tuple[str, str, str], ...]:
        """Return the cells that say that a leader of a request is dead: tab, row (loosely spelled) and header."""
        return ()

    def after(self, inputs: Inputs, written: Written) -> Inputs:
        """Return the inputs of a request after rulings that have written cells of the database.

        Args:
            written: The values that the rulings have left, by tab, row and header.

        Raises:
            ValueError: A column does not accept its value.
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
            date: Its year or turn, None if it has none (SET-07).
        """
        if self.settings is None:
            return ()
        result = self.settings.in_force(reading.database, row, date)
        reading.add(*result.problems)
        return result.settings

    def forecast(self, inputs: Inputs) -> str:
        """Return the expected outcome in one line, blank if the ruleset has to simulate it."""
        return self.ruleset.forecast(inputs)

    def comparison_battles(self, inputs: Inputs, rulings: int, *, is_compiled: bool = False) -> int:
        """Return the number of other battles that a ruling is compared with, 0 if they would take too long (FC-07)."""
        return COMPARISON_BATTLES

    def motives(self, inputs: Inputs) -> Sequence[str]:
        """Return the motives of a war, one or one a side; none if the ruleset has no motives."""
        return ()

    def row_result(self, results: Sequence[Mapping[str, Plain]]) -> Mapping[str, Plain]:
        """Return the result of a row of another tab, from the results of all its parts."""
        return results[0]

    @property
    def has_own_maps(self) -> bool:
        """Return True if moderators have maps of their own."""
        return False

    def own_maps(self, inputs: Inputs | None = None) -> Iterable[str]:
        """Return the maps of a request, None for all, that replace the release's of their names (MAP-04)."""
        return ()

    def own_rows(self, inputs: Inputs) -> Iterable[str]:
        """Return the rows of the workbook that differ from entries of the tables with the same name (SET-06)."""
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

        Raises:
            NotAtHand: Something outside the tables that it names is missing, or has changed.
            ValueError: The text is invalid, or names something that the tables lack.
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
            ValueError: A setting names something that the tables lack.
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
                    cells[attribute] = (
                        column.default if after in (None, "") else read_value(column, certain(column, after), lists)
                    )
    changed = {name: part for name, part in cells.items() if part is not parts[name]}
    return dataclasses.replace(value, **changed) if changed else value


def _encode(inputs: Any) -> str:
    """Encode inputs as JSON, without optional parts that are blank: dates (SET-07), presets, Month, Relief, owners."""
    text = msgspec.json.encode(inputs, enc_hook=_encode_array, order="deterministic").decode()
    nulls = (f',"{name}":null' for name in ("released", "offset", "month", "relief", "map_range"))
    blanks = ("since", "estimate", "party", "taken_for", "member")
    lists = [f',"{name}":[]' for name in ("presets", "allies")]
    for left_out in (*(f',"{name}":""' for name in blanks), ',"owner":"","occupied_by":""', *lists, *nulls):
        text = text.replace(left_out, "")  # as part of a text, the quotes would be escaped
    return text


def _encode_array(value: Any) -> None:
    """Encode an array as null; the inputs name its source, from which it is restored."""
    if not isinstance(value, np.ndarray):
        raise NotImplementedError(f"{type(value).__name__} cannot be frozen")


def _keep_value(kind: type, value: Any) -> Any:
    return value
