"""Declarations of input tabs and columns on record classes.

Reader, validation, workbook template, documentation and the `schema` command all come from these declarations::

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Nation:
        '''One row of the Nations tab.'''

        tab: ClassVar[TabDeclaration] = TabDeclaration("Nations", key="name", about="...")

        name: str = text("Name", required=True, id="NAT-01")
        stability: float = number("Stability", low=0, high=200, default=100, id="NAT-02")
        trade: str = choice("Trade", "Trade", default="Minor", id="NAT-21")
"""

from __future__ import annotations

import dataclasses
import functools
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

PER_CENT = "per cent"
"""Unit of columns in per cent: 12.5 is 12.5 %."""


LARGER_THAN_SHARES = 10
"""A number that neither a share nor a factor may be (NUM-03)."""


class Kind(Enum):
    """Ways in which a column's cells are read."""

    TEXT = "text"
    NUMBER = "number"
    WHOLE = "whole number"
    COUNT = "whole number or share"
    CHOICE = "choice"
    CHOICES = "list of choices"
    REFERENCE = "reference"
    REFERENCES = "list of references"
    NUMBERS = "list of numbers"
    YES_NO = "yes or no"
    TIME = "time of day"
    COLOUR = "colour"


class ColumnPlace(Enum):
    """Groups of columns in their order in a new workbook; the group also determines who writes a column."""

    FIRST = 0
    PERSON = 1
    CONTROL = 2  # columns for people that every ruleset shares: Action, Seed, Ready
    KEPT = 3  # written by the program, like all later groups; a later pass needs the value: Ready Since
    STATUS = 4  # recomputed on every pass, like all later groups: Status, Message
    RESULT = 5
    LAST = 6
    ANSWER = 7  # columns for people at the end of a tab of the program: Action of Posts

    @property
    def is_programs(self) -> bool:
        """Return True if the program writes the column and people only read it."""
        return ColumnPlace.KEPT.value <= self.value < ColumnPlace.ANSWER.value

    @property
    def is_computed(self) -> bool:
        """Return True if the program recomputes the column on every pass, so that none of its values can be lost."""
        return ColumnPlace.STATUS.value <= self.value < ColumnPlace.ANSWER.value


@dataclass(frozen=True, slots=True)
class TabDeclaration:
    """Declaration of one tab of the workbook."""

    name: str  # The tab's name in the workbook
    key: str = ""  # The attribute that names a row and must be unique; blank where rows have no name
    about: str = ""  # One sentence for the documentation and the template
    optional: bool = False  # True if the workbook may lack the tab
    program_only: bool = False  # True if only the program writes the tab (Receipts, Log)
    one: str = "row"  # The word for a single row in a sentence: `nation`, `unit type`
    limits: str = ""  # The rules' ignorance of its names and numbers, a clause for messages
    unique: bool = True  # True if no two rows may share a name
    told_by: tuple[str, ...] = ()  # Attributes that identify a row in messages, in tabs without a key
    # The attribute of a list of names, the first of which distinguishes rows that share a name; blank for none.
    within: str = ""
    # The attribute of a text by which rows of other tabs may name a row too, if no other row has it; blank for none.
    title: str = ""
    # The attributes of the columns that a new workbook shows beside the required ones; all others are in closed groups.
    # None for a tab that shows all.
    in_view: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Declaration of one column."""

    header: str  # The header in row 1, spelled as in the rules
    kind: Kind  # The way its cells are read
    id: str  # The id of the rule that declares it; printed with every problem
    note: str = ""  # Its meaning in one or two sentences: the header's note in the workbook and the docs' text
    low: float | None = None  # The smallest number allowed; None for no bound
    high: float | None = None  # The greatest number allowed; None for no bound
    choices: str = ""  # The name of the value list that a choice or a list of choices comes from
    to: str = ""  # The tab whose rows a reference may name
    also: tuple[str, ...] = ()  # Words that a reference accepts besides row names: `default` (DB-10)
    # Words that a text may not be, because references mean something else by them (DB-10).
    reserved: tuple[str, ...] = ()
    count: int = 0  # The length of a list of numbers, or the greatest number of choices (0 for any number)
    numeric: bool = False  # True if a choice may also be typed as a number between `low` and `high`
    several: bool = False  # True if a reference may name several rows of a side, the first of which leads (WRS-02)
    words: str = ""  # The value list whose words, and numbers such as `~5000`, a reference accepts too
    makes: str = ""  # The tab to which a ruling of the row adds a row of this name
    zero_means_none: bool = False  # True if 0 is accepted as "none on purpose" (MD-08); the record then holds "0"
    or_zero: bool = False  # True if a cell may also be 0 although that is below `low`
    default: Any = None  # The value of a blank cell
    required: bool = False  # True if a blank cell is a problem
    column_required: bool = False  # True if the tab must have the column even though a cell of it may be blank
    lenient: bool = False  # True if a value that cannot be read counts as blank, with a warning (LDR-03, DB-09)
    aliases: tuple[str, ...] = ()  # Other spellings of the header
    # The greatest length of a text or name, an emoji counted as two characters, as spreadsheets count.
    longest: int = 2_000
    place: ColumnPlace = ColumnPlace.PERSON  # The column's group, which also says who writes it
    # The number's unit, for the docs: `people`, `km/h`. It decides how a cell formatted as per cent is read.
    unit: str = ""
    is_any_unit: bool = False  # True if a text may be a number whose unit follows from another cell of its row
    shares: bool = False  # True if a plain number between 0 and 1 is refused, since a share may be meant by it (NUM-03)
    additions: str = ""  # Additions to the value between rulings, `recruits`, which make an increase no mistake
    # True if a new value makes the row a new request (REQ-16); None for the default: True for people's cells in a
    # request tab, False for those of the request's other rows.
    decides: bool | None = None

    @property
    def is_in_per_cent(self) -> bool:
        """Return True if the column's numbers are per cent."""
        return self.unit == PER_CENT

    @property
    def has_shares(self) -> bool:
        """Return True if a per cent sign has a meaning: in per cent, or if no number from 10 on is allowed (NUM-03)."""
        return self.is_format_needed or (self.high is not None and self.high < LARGER_THAN_SHARES)

    @property
    def is_format_needed(self) -> bool:
        """Return True if the meaning of a number depends on the cell's format as per cent."""
        return self.is_in_per_cent or self.is_any_unit or self.kind is Kind.COUNT

    @property
    def is_number(self) -> bool:
        """Return True if a cell of the column may be a number."""
        return self.numeric or self.is_whole or self.kind is Kind.NUMBER

    @property
    def is_whole(self) -> bool:
        """Return True if the column's numbers are whole."""
        return self.kind in (Kind.WHOLE, Kind.COUNT)


@dataclass(frozen=True, slots=True)
class ValueList:
    """The allowed values of a choice, from the tables."""

    name: str  # The list's name, as in `Field.choices`
    values: tuple[str, ...]  # The canonical spellings in the sheet's order
    # A one-line meaning by canonical spelling, for the values that have one.
    meanings: Mapping[str, str] = dataclasses.field(default_factory=dict)
    aliases: Mapping[str, str] = dataclasses.field(default_factory=dict)  # The canonical spelling by other spelling
    source: str = ""  # Origin of the values, a clause for messages; blank for the tables

    def canonical(self, spelling: str) -> str | None:
        """Return the allowed value of a spelling, ignoring case and extra spaces; None if not allowed."""
        return _spellings(self.values, tuple(self.aliases.items())).get(loosely(spelling))


@functools.cache
def _spellings(values: tuple[str, ...], aliases: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return {loosely(other): value for other, value in aliases} | {loosely(value): value for value in values}


APOSTROPHES = "`´ʹʻʼʽˈ‘’‛′＇ꞌ"
DASHES = "‐‑‒–—―−﹘﹣－"
ALIKE = str.maketrans(dict.fromkeys(APOSTROPHES, "'") | dict.fromkeys(DASHES, "-"))
"""Variants of apostrophe and hyphen by keyboards, phones and spreadsheets."""


def folded(value: str) -> str:
    """Return a text case-folded, with spaces collapsed; seeds and promises depend on it, so it never changes."""
    return " ".join(value.split()).casefold()


def loosely(value: str) -> str:
    """Return a name, header or list value in its form for comparison (DB-07, inputs 1.6).

    Capitals, repeated spaces, the kinds of apostrophes and dashes, and the composition of accents do not matter.
    """
    return plain_signs(folded(value))


def plain_signs(text: str) -> str:
    """Return a text with plain apostrophes and hyphens and composed accents."""
    return text if text.isascii() and "`" not in text else unicodedata.normalize("NFC", text).translate(ALIKE)


def _field(kind: Kind, header: str, id: str, note: str = "", **more: Any) -> Any:
    """Return a dataclass field that declares a column; `more` are attributes of `Field`."""
    declared = Field(header=header, kind=kind, id=id, note=note, **more)
    return dataclasses.field(default=declared.default, metadata={"field": declared})


text = functools.partial(_field, Kind.TEXT, default="")
number = functools.partial(_field, Kind.NUMBER, low=0)
whole = functools.partial(_field, Kind.WHOLE, low=0)
count = functools.partial(_field, Kind.COUNT, low=0)
"""Declare a column of whole numbers from 0, or shares of a whole (R-124)."""
numbers = functools.partial(_field, Kind.NUMBERS)
"""Declare a column of `count` numbers in one cell, read as a tuple."""
yes_no = functools.partial(_field, Kind.YES_NO, default=False)
"""Declare a column of checkboxes or of the words yes and no."""
time_of_day = functools.partial(_field, Kind.TIME)
"""Declare a column of clock times, read as the text `HH:MM`."""
colour = functools.partial(_field, Kind.COLOUR)
"""Declare a column of colours, read as red, green and blue from 0 to 255."""


def choice(header: str, choices: str, *rule: str, **more: Any) -> Any:
    """Declare a column that holds one value of a list from the tables."""
    return _field(Kind.CHOICE, header, *rule, choices=choices, **more)


def listed(header: str, *rule: str, **more: Any) -> Any:
    """Declare a column that holds one value of the list of its own name."""
    return choice(header, header, *rule, **more)


def choices(header: str, choices: str, *rule: str, **more: Any) -> Any:
    """Declare a column that holds several values of a list from the tables, each at most once, read as a tuple."""
    return _field(Kind.CHOICES, header, *rule, choices=choices, **{"default": (), **more})


def reference(header: str, to: str, *rule: str, **more: Any) -> Any:
    """Declare a column that names a row of another tab."""
    return _field(Kind.REFERENCE, header, *rule, to=to, **more)


def references(header: str, to: str, *rule: str, **more: Any) -> Any:
    """Declare a column that names several rows of another tab, separated by ;, /, | or line breaks (DB-05).

    A cell is read as a tuple of texts.
    """
    return _field(Kind.REFERENCES, header, *rule, to=to, default=(), **more)


def result(header: str, *rule: str, kind: Kind = Kind.TEXT, **more: Any) -> Any:
    """Declare a column that the program writes; its value is never read into a record."""
    return _field(kind, header, *rule, **{"place": ColumnPlace.RESULT, **more})


def columns(record: type[Any]) -> tuple[tuple[str, Field], ...]:
    """Return attribute and column of every declared field, in their order in a new workbook."""
    hashable: type = record  # mypy checks type[Any] for hashability as if it were an instance
    return _columns(hashable)


@functools.cache
def _columns(record: type) -> tuple[tuple[str, Field], ...]:
    declared = [(item.name, item.metadata["field"]) for item in dataclasses.fields(record) if "field" in item.metadata]
    return tuple(sorted(declared, key=lambda pair: pair[1].place.value))


def column(record: type[Any], attribute: str) -> Field:
    """Return the column of one attribute."""
    return dict(columns(record))[attribute]


def columns_in_view(record: type[Any]) -> tuple[str, ...]:
    """Return the attributes of the columns that a new workbook shows at once, including all required ones."""
    chosen = tab_of(record).in_view
    return tuple(name for name, field in columns(record) if not chosen or field.required or name in chosen)


def row_label(name: str, within: str) -> str:
    """Return the label of a row that shares its name with rows of others: `Guard (England)`."""
    return f"{name} ({within})"


def tab_of(record: type[Any]) -> TabDeclaration:
    """Return the tab that a record class declares."""
    declared: TabDeclaration = record.tab
    return declared
