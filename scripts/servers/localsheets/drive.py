"""Drive v3: files."""

from __future__ import annotations

from localsheets.calls import Answer, Call, Route
from localsheets.drive_common import BRIEF, SPREADSHEET, answered, invalid, opened, page, resource
from localsheets.drive_errors import DriveError
from localsheets.drive_exports import XLSX, as_xlsx
from localsheets.drive_search import search
from localsheets.oauth import Caller
from localsheets.store import File, Store, new_id

BASE = "/drive/v3/files"
UNTITLED = "Untitled"


class Drive:
    """The part of the Drive API about files.

    Attributes:
        routes: The routes. Unknown parameters and fields are ignored, as Drive does.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        one = f"{BASE}/{{id}}"
        table = (
            ("POST", BASE, self.create),
            ("GET", BASE, self.files),
            ("GET", one, self.get),
            ("DELETE", one, self.delete),
            ("POST", f"{one}/copy", self.copy),
            ("GET", f"{one}/export", self.export),
        )
        self.routes = tuple(Route(method, pattern, "drive", handler) for method, pattern, handler in table)

    def create(self, call: Call, caller: Caller) -> Answer:
        """Answer files.create: an empty spreadsheet, whatever its parents."""
        asked = call.json()
        if asked.get("mimeType") != SPREADSHEET:
            raise invalid("mimeType")
        return self._file(call, caller, self.store.make(str(asked.get("name") or UNTITLED), caller.email))

    def files(self, call: Call, caller: Caller) -> Answer:
        """Answer files.list, newest first."""
        try:
            is_meant = search(query) if (query := call.one("q")) else lambda file: True
        except ValueError:
            raise invalid("q") from None
        visible = [
            file for file in self.store.files.values() if file.id not in self.store.private and file.role(caller.email)
        ]
        files = [file for each in visible if is_meant(file := resource(each, caller.email))]
        key, _, direction = (call.one("orderBy") or "modifiedTime desc").split(",")[0].partition(" ")
        files.sort(key=lambda file: str(file.get(key, "")), reverse=direction == "desc")
        part, token = page(call, files, 100, 1000)
        said = {"kind": "drive#fileList", "incompleteSearch": False, "files": part} | token
        return answered(call, said, said | {"files": [{name: file[name] for name in BRIEF} for file in part]})

    def get(self, call: Call, caller: Caller, id: str) -> Answer:
        """Answer files.get."""
        return self._file(call, caller, opened(self.store, id, caller))

    def delete(self, call: Call, caller: Caller, id: str) -> Answer:
        """Answer files.delete, without the bin; only the owner may."""
        self.store.note(opened(self.store, id, caller, "owner"))
        del self.store.files[id]
        return Answer(204, b"", "text/html")

    def copy(self, call: Call, caller: Caller, id: str) -> Answer:
        """Answer files.copy: the whole content, without permissions."""
        file, new = opened(self.store, id, caller), new_id()
        title = str(call.json().get("name", f"Copy of {file.title}"))
        copy = File(id=new, spreadsheet=file.spreadsheet.copy(new, title))
        return self._file(call, caller, self.store.add(copy, caller.email))

    def export(self, call: Call, caller: Caller, id: str) -> Answer:
        """Answer files.export."""
        file = opened(self.store, id, caller)
        if call.one("mimeType") != XLSX:
            raise DriveError(400, "badRequest", "The requested conversion is not supported.", location="convertTo")
        return Answer(200, as_xlsx(file.spreadsheet), XLSX, {"Content-Disposition": "attachment"})

    def _file(self, call: Call, caller: Caller, file: File) -> Answer:
        said = resource(file, caller.email)
        return answered(call, said, {name: said[name] for name in BRIEF})
