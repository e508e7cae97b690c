"""One spreadsheet that answers as Google Sheets v4 does: bodies in, bodies out, no HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from localsheets import answers, exports, mask, snapshots, updates, values
from localsheets.a1 import Area
from localsheets.book import Book
from localsheets.errors import ApiError, bad_mask, invalid
from localsheets.messages import SCHEMA
from localsheets.sheet import Sheet, new_properties

Json = dict[str, Any]
Body = Mapping[str, Any]
T = TypeVar("T")


class Spreadsheet:
    """One spreadsheet with the methods of the Sheets API.

    Every change is made on a draft that replaces the state at the end: all of a request or nothing.

    Attributes:
        id: Google's file id.
        owner: E-mail of the owner, whom no protection stops; while it is empty protections stop nobody.
    """

    def __init__(self, id: str, book: Book) -> None:
        self.id = id
        self._book = book

    @classmethod
    def new(
        cls, id: str, title: str, *, locale: str = "en_US", time_zone: str = "Etc/GMT", owner: str = ""
    ) -> Spreadsheet:
        """Return a spreadsheet with one empty tab."""
        book = Book(answers.new_properties(title, locale, time_zone), owner, [Sheet(new_properties(0, "Sheet1"))])
        return cls(id, book)

    @property
    def title(self) -> str:
        """Return the spreadsheet's title."""
        return str(self._book.properties["title"])

    @title.setter
    def title(self, title: str) -> None:
        self._book.properties = {**self._book.properties, "title": title}

    @property
    def owner(self) -> str:
        """Return the owner's e-mail."""
        return self._book.owner

    @owner.setter
    def owner(self, owner: str) -> None:
        self._book.owner = owner

    def copy(self, id: str, title: str) -> Spreadsheet:
        """Return an independent copy under another id."""
        twin = Spreadsheet(id, self._book.copy())
        twin.title = title
        return twin

    def to_json(self) -> Json:
        """Return the whole state, for a snapshot."""
        return {"id": self.id, **snapshots.dump(self._book)}

    @classmethod
    def from_json(cls, data: Body) -> Spreadsheet:
        """Return the spreadsheet that `to_json` wrote."""
        return cls(data["id"], snapshots.load(data))

    @classmethod
    def create(cls, id: str, body: Body, owner: str = "") -> Spreadsheet:
        """Answer `POST /v4/spreadsheets`: a spreadsheet with the tabs that a body lists.

        Raises:
            ApiError: 400 for an invalid body.
        """
        return cls(id, updates.create(SCHEMA.read("Spreadsheet", body), owner))

    def get(
        self,
        *,
        ranges: Sequence[str] = (),
        include_grid_data: bool = False,
        fields: str | None = None,
        caller: str = "",
    ) -> Json:
        """Answer `spreadsheets.get`; cells named in `fields` are included whatever `include_grid_data` says."""
        places = [self._book.locate(text) for text in ranges] or None
        return self._shown(places, include_grid_data, fields, caller)

    def values_get(self, range: str, **render: str | None) -> Json:
        """Answer `values.get`: a ValueRange; `render` are options as of `_options`, here and below."""
        options = _options(**render)
        return values.read(self._book, *self._book.locate(range), options)

    def values_update(
        self,
        range: str,
        body: Body,
        *,
        value_input: str | None,
        include_values: bool = False,
        caller: str = "",
        **render: str | None,
    ) -> Json:
        """Answer `values.update`."""
        data = SCHEMA.read("ValueRange", body, "data")
        how = _input(value_input)
        options = _options(data.get("majorDimension"), **render)

        def change(book: Book) -> Json:
            _check_same_range(book, range, data)
            sheet, area = book.locate(range)
            rows = data.get("values", [])
            written = values.write(book, sheet, area, rows, data.get("majorDimension"), how, caller)
            return self._updated(book, written, include_values, options)

        return self._changed(change)

    def values_append(
        self,
        range: str,
        body: Body,
        *,
        value_input: str | None,
        insert_data: str | None = None,
        include_values: bool = False,
        caller: str = "",
        **render: str | None,
    ) -> Json:
        """Answer `values.append`."""
        data = SCHEMA.read("ValueRange", body, "data")
        how = _input(value_input)
        insertion = _chosen("InsertDataOption", "insert_data_option", insert_data)
        options = _options(data.get("majorDimension"), **render)

        def change(book: Book) -> Json:
            _check_same_range(book, range, data)
            sheet, area = book.locate(range)
            rows, major = data.get("values", []), data.get("majorDimension")
            table, written = values.append(book, sheet, area, rows, major, how, insertion, caller)
            found = {"tableRange": table} if table else {}
            updates_ = self._updated(book, written, include_values, options)
            return {"spreadsheetId": self.id, **found, "updates": updates_}

        return self._changed(change)

    def values_clear(self, range: str, body: Body | None = None, *, caller: str = "") -> Json:
        """Answer `values.clear`."""

        def change(book: Book) -> Json:
            cleared = values.clear(book, *book.locate(range), caller)
            return {"spreadsheetId": self.id, "clearedRange": cleared}

        return self._changed(change)

    def values_batch_get(self, ranges: Sequence[str], **render: str | None) -> Json:
        """Answer `values.batchGet`: one ValueRange for each range, in order."""
        options = _options(**render)
        found = [values.read(self._book, *self._book.locate(text), options) for text in ranges]
        return {"spreadsheetId": self.id, **({"valueRanges": found} if found else {})}

    def values_batch_update(self, body: Body, *, caller: str = "") -> Json:
        """Answer `values.batchUpdate`: every range or none."""
        asked = SCHEMA.read("BatchUpdateValuesRequest", body)

        def change(book: Book) -> Json:
            how = _input(asked.get("valueInputOption"))
            render = _options(None, asked.get("responseValueRenderOption"), asked.get("responseDateTimeRenderOption"))
            all_written, responses = [], []
            for number, item in enumerate(asked.get("data", [])):
                rows, major = item.get("values", []), item.get("majorDimension")
                with _item("data", number):
                    written = values.write(book, *book.locate(item.get("range", "")), rows, major, how, caller)
                all_written.append(written)
                options = {**render, "majorDimension": major}
                responses.append(self._updated(book, written, asked.get("includeValuesInResponse", False), options))
            totals = values.counts("totalUpdated", all_written)
            if tabs := len({written.sheet.id for written in all_written if written.cells}):
                totals["totalUpdatedSheets"] = tabs
            return {"spreadsheetId": self.id, **totals, **({"responses": responses} if responses else {})}

        return self._changed(change)

    def values_batch_clear(self, body: Body, *, caller: str = "") -> Json:
        """Answer `values.batchClear`."""
        ranges = SCHEMA.read("BatchClearValuesRequest", body).get("ranges", [])

        def change(book: Book) -> Json:
            cleared = []
            for number, text in enumerate(ranges):
                with _item("range", number):
                    cleared.append(values.clear(book, *book.locate(text), caller))
            return {"spreadsheetId": self.id, **({"clearedRanges": cleared} if cleared else {})}

        return self._changed(change)

    def batch_update(self, body: Body, *, caller: str = "") -> Json:
        """Answer `spreadsheets.batchUpdate`: all requests in order, or none of them."""
        asked = SCHEMA.read("BatchUpdateSpreadsheetRequest", body)

        def change(book: Book) -> Json:
            return {"spreadsheetId": self.id, "replies": updates.apply(book, asked.get("requests", []), caller)}

        answer = self._changed(change)
        if asked.get("includeSpreadsheetInResponse"):
            ranges, has_grid = asked.get("responseRanges", []), asked.get("responseIncludeGridData", False)
            answer["updatedSpreadsheet"] = self.get(ranges=ranges, include_grid_data=has_grid, caller=caller)
        return answer

    def export(self, separator: str = ",") -> str:
        """Return the first tab as people see it, as CSV or TSV."""
        return exports.separated(self._book, separator)

    def sheets(self) -> list[tuple[str, list[list[Any]]]]:
        """Return title and unformatted values of every tab: for exports and for tests, not part of Google's API."""
        options = {"valueRenderOption": "UNFORMATTED_VALUE"}
        return [
            (sheet.title, values.read(self._book, sheet, Area(), options).get("values", []))
            for sheet in self._book.sheets
        ]

    def _changed(self, change: Callable[[Book], T]) -> T:
        """Make a change on a draft; keep the draft if nothing was refused."""
        draft = self._book.copy()
        answer = change(draft)
        self._book = draft
        return answer

    def _shown(self, places: Any, include_grid_data: bool, fields: str | None, caller: str) -> Json:
        wanted = mask.parse(fields, "Spreadsheet") if fields else {}
        if fields is not None and not wanted:
            raise bad_mask(fields)
        has_grid = include_grid_data or "data" in wanted.get("sheets", {})
        return answers.spreadsheet(self._book, self.id, places, has_grid, wanted, caller)

    def _updated(self, book: Book, written: values.Written, include_values: bool, options: Body) -> Json:
        answer = {"spreadsheetId": self.id, **written.answer()}
        if include_values:
            answer["updatedData"] = values.read(book, written.sheet, written.box, options)
        return answer


@contextmanager
def _item(name: str, number: int) -> Iterator[None]:
    """Add the item's name and number to a refusal inside."""
    try:
        yield
    except ApiError as error:
        raise ApiError(error.code, error.status, f"Invalid {name}[{number}]: {error.message}", error.details) from error


def _input(option: str | None) -> str:
    found = _chosen("ValueInputOption", "value_input_option", option)
    if found is None:
        raise invalid("'valueInputOption' is required but not specified")
    return found


def _options(
    major_dimension: str | None = None, value_render: str | None = None, date_time_render: str | None = None
) -> Json:
    return {
        "majorDimension": _chosen("Dimension", "major_dimension", major_dimension),
        "valueRenderOption": _chosen("ValueRenderOption", "value_render_option", value_render),
        "dateTimeRenderOption": _chosen("DateTimeRenderOption", "date_time_render_option", date_time_render),
    }


def _chosen(kind: str, field: str, value: str | None) -> str | None:
    """Return an option of a query; an unknown one is refused as in a body."""
    if not value:
        return None
    return str(SCHEMA.check(kind, value, field))


def _check_same_range(book: Book, range: str, data: Body) -> None:
    """Refuse a body that names another range than the path."""
    if (other := data.get("range")) and book.locate(other) != book.locate(range):
        raise invalid(f"Requested writing within range [{range}], but the body says range [{other}].")
