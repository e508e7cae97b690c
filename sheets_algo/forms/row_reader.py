"""Reader of the rows that a request names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeVar

from sheets_algo.database.problems import PROBLEMS_COUNTED, CellRef, Problem, Rejected
from sheets_algo.database.records import Database, ReadRow
from sheets_algo.database.tables import Row

Record = TypeVar("Record")


class RowReader:
    """Reader of the rows that one request names, which collects problems instead of stopping at the first."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.failed = False
        """True if an error was added."""
        self.dead: dict[CellRef, Any] = {}
        """The dead leaders (`DeadLeader`), by the row that names them."""
        self._problems: dict[Problem, None] = {}

    def add(self, *problems: Problem) -> None:
        """Add problems; duplicates are ignored.

        Raises:
            Rejected: An error was added, and the maximum number of problems is exceeded.
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

    def records(
        self, record: type[Record], is_needed: Callable[[ReadRow[Record]], bool] = lambda read: True
    ) -> list[Record]:
        """Return the records of all readable rows of a tab; problems of the tab and of needed rows are added."""
        table = self.database.table(record)
        self.add(*table.header_problems)
        reads = [self.database.read(row, record) for row in table]
        for read in filter(is_needed, reads):
            self.add(*read.problems)
        return [read.record for read in reads if read.record is not None]

    def cells(
        self, record: type[Any], attributes: Sequence[str], is_needed: Callable[[Row], bool] = lambda row: True
    ) -> Iterator[Mapping[str, Any]]:
        """Yield the values of needed rows of a tab, with defaults for blank cells; problems of some columns are added.

        Args:
            attributes: Those columns: in the others a cell that cannot be read counts as blank.
        """
        table = self.database.table(record)
        self.add(*table.header_problems)
        defaults = {each.name: each.default for each in fields(record)}
        others = [name for name in table.places if name not in attributes]
        for row in filter(is_needed, table):
            read, ignored = self.database.read(row, record), {row.cell(name) for name in others}
            self.add(*(problem for problem in read.problems if problem.cell not in ignored))
            yield {**defaults, **read.filled, **read.values}

    def rows_of(self, record: type[Record], request: Row) -> list[Row]:
        """Return the rows of another tab that belong to a request."""
        self.add(*self.database.table(record).header_problems)
        return list(self.database.table(record).rows_of(request))

    def finish(self) -> tuple[Problem, ...]:
        """Return the warnings.

        Raises:
            Rejected: An error was added.
        """
        if self.failed:
            raise Rejected(self._problems, self.dead.values())
        return tuple(self._problems)


def by_name(records: Iterable[Record]) -> tuple[Record, ...]:
    """Sort records by name, so that the order of the rows in a tab affects neither seed nor draws."""
    return tuple(sorted(records, key=attrgetter("name")))


def typed_fields(record: Any, inputs: type) -> dict[str, Any]:
    """Return a row's values for the fields of inputs with the names of its columns.

    Args:
        record: The row as it was read.
        inputs: A dataclass.
    """
    return {field.name: getattr(record, field.name) for field in fields(inputs) if hasattr(record, field.name)}
