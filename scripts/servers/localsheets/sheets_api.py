"""The Sheets API v4: routes to the methods of a spreadsheet."""

from __future__ import annotations

from typing import Any

from localsheets.calls import Call, Route
from localsheets.oauth import Caller
from localsheets.spreadsheet import Spreadsheet
from localsheets.store import File, Store, new_id

BASE = "/v4/spreadsheets"
READING = ("majorDimension", "valueRenderOption", "dateTimeRenderOption")
WRITING = (
    "valueInputOption", "insertDataOption", "includeValuesInResponse", "responseValueRenderOption",
    "responseDateTimeRenderOption",
)  # fmt: skip


class SheetsApi:
    """The Sheets API over the files of a store.

    Attributes:
        routes: The routes.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        one, values = f"{BASE}/{{id}}", f"{BASE}/{{id}}/values"
        self.routes = (
            Route("POST", BASE, "write", self.create),
            Route("GET", f"{values}:batchGet", "read", self.values_batch_get, ("ranges", *READING)),
            Route("POST", f"{values}:batchUpdate", "write", self.values_batch_update),
            Route("POST", f"{values}:batchClear", "write", self.values_batch_clear),
            Route("POST", f"{values}/{{range:path}}:append", "write", self.values_append, WRITING),
            Route("POST", f"{values}/{{range:path}}:clear", "write", self.values_clear),
            Route("GET", f"{values}/{{range:path}}", "read", self.values_get, READING),
            Route("PUT", f"{values}/{{range:path}}", "write", self.values_update, WRITING),
            Route("POST", f"{one}:batchUpdate", "write", self.batch_update),
            Route("GET", one, "read", self.get, ("ranges", "includeGridData", "excludeTablesInBandedRanges")),
        )

    def create(self, call: Call, caller: Caller) -> dict[str, Any]:
        """Answer spreadsheets.create."""
        made = Spreadsheet.create(new_id(), call.json())
        self.store.add(File(id=made.id, name=made.title, spreadsheet=made), caller.email)
        return made.get(fields=call.one("fields"), caller=caller.email)

    def get(self, call: Call, caller: Caller, id: str) -> dict[str, Any]:
        """Answer spreadsheets.get."""
        return self._read(id, caller).get(
            ranges=call.many("ranges"),
            include_grid_data=call.flag("includeGridData"),
            fields=call.one("fields"),
            caller=caller.email,
        )

    def batch_update(self, call: Call, caller: Caller, id: str) -> dict[str, Any]:
        """Answer spreadsheets.batchUpdate."""
        return self._write(id, caller).batch_update(call.json(), caller=caller.email)

    def values_get(self, call: Call, caller: Caller, id: str, range: str) -> dict[str, Any]:
        """Answer spreadsheets.values.get."""
        return self._read(id, caller).values_get(range, **_reading(call))

    def values_batch_get(self, call: Call, caller: Caller, id: str) -> dict[str, Any]:
        """Answer spreadsheets.values.batchGet."""
        return self._read(id, caller).values_batch_get(call.many("ranges"), **_reading(call))

    def values_update(self, call: Call, caller: Caller, id: str, range: str) -> dict[str, Any]:
        """Answer spreadsheets.values.update."""
        inside = self._write(id, caller)
        return inside.values_update(range, call.json(), **_writing(call), caller=caller.email)

    def values_append(self, call: Call, caller: Caller, id: str, range: str) -> dict[str, Any]:
        """Answer spreadsheets.values.append."""
        insert = call.one("insertDataOption")
        inside = self._write(id, caller)
        return inside.values_append(range, call.json(), insert_data=insert, **_writing(call), caller=caller.email)

    def values_clear(self, call: Call, caller: Caller, id: str, range: str) -> dict[str, Any]:
        """Answer spreadsheets.values.clear."""
        return self._write(id, caller).values_clear(range, call.json(), caller=caller.email)

    def values_batch_update(self, call: Call, caller: Caller, id: str) -> dict[str, Any]:
        """Answer spreadsheets.values.batchUpdate."""
        return self._write(id, caller).values_batch_update(call.json(), caller=caller.email)

    def values_batch_clear(self, call: Call, caller: Caller, id: str) -> dict[str, Any]:
        """Answer spreadsheets.values.batchClear."""
        return self._write(id, caller).values_batch_clear(call.json(), caller=caller.email)

    def _read(self, id: str, caller: Caller) -> Spreadsheet:
        return self.store.spreadsheet(id, caller.email)[1]

    def _write(self, id: str, caller: Caller) -> Spreadsheet:
        return self.store.spreadsheet(id, caller.email, "writer")[1]


def _reading(call: Call) -> dict[str, str | None]:
    return {
        "major_dimension": call.one("majorDimension"),
        "value_render": call.one("valueRenderOption"),
        "date_time_render": call.one("dateTimeRenderOption"),
    }


def _writing(call: Call) -> dict[str, Any]:
    return {
        "value_input": call.one("valueInputOption"),
        "include_values": call.flag("includeValuesInResponse"),
        "value_render": call.one("responseValueRenderOption"),
        "date_time_render": call.one("responseDateTimeRenderOption"),
    }
