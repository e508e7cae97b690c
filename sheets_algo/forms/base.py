"""A form: how one ruleset's requests are read from the workbook. The desk knows forms, never a ruleset's name."""

from __future__ import annotations

import functools
import operator
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
import numpy as np

from engine.fields import Place, choice, loosely, result, text, whole, yes_no
from engine.outcome import Ruleset
from sheets_algo.book import Book, Read, Vocabulary
from sheets_algo.forms.settings import SettingsTab
from sheets_algo.problems import Problem, Rejected
from sheets_algo.tables import Row
from sheets_algo.values import shown
from sheets_algo.workbook.base import Snapshot

Inputs = TypeVar("Inputs")
Record = TypeVar("Record")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The columns that every request tab shares."""

    request: str = text(
        "Request",
        id="REQ-01",
        place=Place.FIRST,
        note="The id, unique and for good: a ruling is found by it wherever its row moves. Blank: given when ready.",
    )
    action: str = choice(
        "Action",
        "Action",
        id="REQ-02",
        default="Rule",
        place=Place.CONTROL,
        note="Rule: rule it once and for all. Forecast: only say what may come. Rule again: where the program asks.",
    )
    seed: int | None = whole(
        "Seed",
        id="REQ-03",
        low=0,
        high=2**64 - 1,
        place=Place.CONTROL,
        note="Blank: drawn from the season secret. A number replays a known ruling and is named on the receipt.",
    )
    ready: bool = yes_no(
        "Ready", id="REQ-04", place=Place.CONTROL, note="Tick it: nothing happens to a row without it."
    )
    status: str = result("Status", id="REQ-05", place=Place.STATUS, note="Waiting, Invalid, Done, Undone or Failed.")
    message: str = result(
        "Message", id="REQ-06", place=Place.STATUS, note="Every problem with its cell, or the result in one line."
    )
    ruled_at: str = result("Ruled At", id="REQ-07", place=Place.LAST, note="When it was ruled, UTC.")


BATTLES_BESIDE = 100
"""Of its seed, with which a ruling is compared: enough for a percentile that is sure to ten points (FC-07)."""


@dataclass(frozen=True, slots=True)
class Filled(Generic[Inputs]):
    """A request that can be ruled.

    Args:
        inputs: What the ruleset resolves.
        remarks: What the moderator should see besides the result: the strategy messages (STRAT-06).
        warnings: Problems that do not keep it from being ruled.
        rows: Tab name to the request's other rows, in the order in which `RowResult.row` counts them.
    """

    inputs: Inputs
    remarks: tuple[str, ...] = ()
    warnings: tuple[Problem, ...] = ()
    rows: Mapping[str, Sequence[Row]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Legend:
    """What the words or the colours of a ruling mean; a new workbook shows it (RCPT-03).

    Args:
        title: What is explained.
        lines: One a word or colour.
        colours: Red, green, blue of each line; empty where there are none.
        columns: Headers whose notes carry the lines too.
    """

    title: str
    lines: Sequence[str]
    colours: Sequence[tuple[int, int, int]] = ()
    columns: tuple[str, ...] = ()


class Form(ABC, Generic[Inputs]):
    """One ruleset's requests: its tabs, how they are read, what they are resolved with.

    Subclasses take the ruleset's parsed tables (file name without ending to content), a way to load terrain maps and
    what the schemas say of a table that settings changed. A ruleset with several request tabs has a form for each:
    they share its tables, its settings tab and its database tabs, and see one another's rulings.
    """

    key: ClassVar[str]
    """What receipts call it, for good; no other form has it. The ruleset's name for a ruleset's first form."""
    ruleset_key: ClassVar[str]
    """The ruleset's name, as in `config/tables/<name>/`; the form's `key` where it is not declared."""
    prefix: ClassVar[str]
    """Of its request ids: `W-`."""
    request: ClassVar[type[Request]]
    parts: ClassVar[tuple[type, ...]] = ()
    """Further tabs whose rows name a request in a column `request`."""
    database: ClassVar[tuple[type, ...]]
    inputs: ClassVar[type]
    """The class of what is resolved, for freezing and thawing."""

    ruleset: Ruleset[Inputs]
    vocabulary: Vocabulary
    settings: SettingsTab
    """Reads the ruleset's settings tab."""

    def __init_subclass__(cls) -> None:
        """Name the ruleset of a form that is its ruleset's only or first one, and prepare msgspec for its inputs.

        msgspec looks a class up when it first converts to it, and ends the process if several threads do so at once:
        watchers of several spreadsheets do. Here, while the module is imported, there is one thread.
        """
        super().__init_subclass__()
        if not hasattr(cls, "ruleset_key") and hasattr(cls, "key"):
            cls.ruleset_key = cls.key
        if hasattr(cls, "inputs"):
            msgspec.json.Decoder(cls.inputs)

    @classmethod
    def records(cls) -> tuple[type, ...]:
        """Every tab, in workbook order."""
        return (cls.request, *cls.parts, *cls.database)

    @abstractmethod
    def read(self, row: Row, book: Book) -> Filled[Inputs]:
        """Read one request.

        Raises:
            Rejected: It cannot be ruled; every problem is in it.
        """

    def check(self, book: Book) -> Iterator[Problem]:
        """Every problem of the database tabs, whether a request uses the row or not."""
        for record in self.database:
            yield from book.problems_of(record)
        yield from self.settings.read(book).problems

    def forecast(self, inputs: Inputs) -> str:
        """What may come of it in one line, where the ruleset can say so without playing; blank where it cannot."""
        return ""

    def battles_beside(self, inputs: Inputs) -> int:
        """How many other battles of its seed a ruling is compared with; none where that takes too long (FC-07)."""
        return BATTLES_BESIDE

    @property
    def ranks(self) -> Mapping[str, Sequence[str]]:
        """The value lists that have a rank, by name, each from worst to best."""
        return {}

    def legends(self) -> Sequence[Legend]:
        """What a moderator looks up beside a receipt."""
        return ()

    def freeze(self, inputs: Inputs) -> str:
        """Inputs as canonical JSON: equal inputs give equal text, whatever was typed to give them."""
        return _written(self.thaw(_written(inputs)))  # a default of 100 and a typed 100.0 are both 100.0 when thawed

    def thaw(self, frozen: str) -> Inputs:
        """Inputs from their frozen text.

        Raises:
            ValueError: It is not such a text, or what it names no longer exists.
        """
        try:
            content = msgspec.json.decode(frozen, type=dict[str, Any])
            self.complete(content)
            thawed: Inputs = msgspec.convert(content, type=self.inputs, dec_hook=_put_back)
        except (msgspec.MsgspecError, KeyError, TypeError) as error:
            raise ValueError(f"its inputs are not as they were written ({error})") from error
        return thawed

    def complete(self, frozen: dict[str, Any]) -> None:
        """Put the arrays back that freezing left out, as the frozen rest names them; the settings must still be some.

        Raises:
            ValueError: What is named no longer exists.
        """
        self.settings.thawed(frozen)


def by_ruleset(forms: Iterable[Form[Any]]) -> list[tuple[Form[Any], ...]]:
    """The forms of each ruleset, in the order of its first one."""
    groups: dict[str, tuple[Form[Any], ...]] = {}
    for form in forms:
        groups[form.ruleset_key] = (*groups.get(form.ruleset_key, ()), form)
    return list(groups.values())


def book_of(snapshot: Snapshot, forms: Sequence[Form[Any]]) -> Book:
    """The tabs of the forms of one ruleset: what one changes there, the others see."""
    records = dict.fromkeys(record for form in forms for record in form.records())
    return Book(snapshot, records, vocabulary_of(forms))


def vocabulary_of(forms: Sequence[Form[Any]]) -> Vocabulary:
    """What the tables of one ruleset say about the cells of its forms."""
    return functools.reduce(operator.or_, (form.vocabulary for form in forms))


def _written(inputs: Any) -> str:
    return msgspec.json.encode(inputs, enc_hook=_left_out, order="deterministic").decode()


def _left_out(value: Any) -> None:
    """An array is not frozen: what it came from is named beside it."""
    if not isinstance(value, np.ndarray):
        raise NotImplementedError(f"{type(value).__name__} cannot be frozen")


def _put_back(kind: type, value: Any) -> Any:
    return value


class Reading:
    """Reads what one request names and collects every problem instead of stopping at the first."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._problems: dict[Problem, None] = {}

    def add(self, *problems: Problem) -> None:
        """Note problems; each is kept once."""
        self._problems |= dict.fromkeys(problems)

    def row(self, row: Row, record: type[Record]) -> Read[Record]:
        """A row as a record, its problems noted."""
        read = self.book.read(row, record)
        self.add(*read.problems)
        return read

    def named(self, record: type[Record], name: str) -> Record | None:
        """The record of a name that a reference gave; None when there is none or it is wrong (noted)."""
        rows = self.book.find(record, name)
        if rows:
            return self.row(rows[0], record).record
        return self.book.builtin(record, name)

    def rows_of(self, record: type[Record], request: str) -> list[Row]:
        """The rows of another request-side tab that belong to a request."""
        self.add(*self.book.table(record).header_problems)
        return list(self.book.table(record).by_request.get(loosely(request), ()))

    @property
    def failed(self) -> bool:
        """Whether an error was noted."""
        return any(problem.is_error for problem in self._problems)

    def finish(self) -> tuple[Problem, ...]:
        """The warnings, when there was no error.

        Raises:
            Rejected: There was one.
        """
        if self.failed:
            raise Rejected(self._problems)
        return tuple(self._problems)


def request_id(row: Row) -> str:
    """A request's id as text: an id 7.0 is `7`."""
    return shown(row.value("request"))
