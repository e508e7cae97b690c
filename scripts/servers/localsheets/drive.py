"""Drive v3: files."""

from __future__ import annotations

from localsheets import drive_files as shown
from localsheets.calls import Answer, Call, Route
from localsheets.drive_common import DELETED, invalid, opened, page
from localsheets.drive_errors import DriveError
from localsheets.drive_exports import EXPORTS
from localsheets.drive_files import masked
from localsheets.drive_search import search
from localsheets.oauth import Caller
from localsheets.store import SPREADSHEET, File, Store, new_id

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
        """Answer files.create: an empty spreadsheet, a folder, or a file without content. A parent need not exist."""
        asked = call.json()
        title, mime = str(asked.get("name") or UNTITLED), asked.get("mimeType", "application/octet-stream")
        if mime == SPREADSHEET:
            file = self.store.make(title, caller.email)
        else:
            file = self.store.add(File(id=new_id(), name=title, mime=mime), caller.email)
        file.parents = [self._parent(parent, caller) for parent in asked.get("parents", ["root"])]
        return self._file(call, caller, file)

    def files(self, call: Call, caller: Caller) -> Answer:
        """Answer files.list, newest first."""
        try:
            is_meant = search(query) if (query := call.one("q")) else lambda file: True
        except ValueError:
            raise invalid("q") from None
        visible = [
            file for file in self.store.files.values() if file.id not in self.store.private and file.role(caller.email)
        ]
        files = [shown.resource(file, caller.email) for file in visible]
        files = [file for file in files if is_meant(file)]
        key, _, direction = (call.one("orderBy") or "modifiedTime desc").split(",")[0].partition(" ")
        files.sort(key=lambda file: str(file.get(key, "")), reverse=direction == "desc")
        part, token = page(call, files, 100, 1000)
        said = {"kind": "drive#fileList", "incompleteSearch": False, "files": part} | token
        brief = {"files": [{name: file[name] for name in shown.BRIEF} for file in part]}
        return Answer.of(masked(said, call.one("fields"), said | brief))

    def get(self, call: Call, caller: Caller, id: str) -> Answer:
        """Answer files.get."""
        return self._file(call, caller, opened(self.store, id, caller))

    def delete(self, call: Call, caller: Caller, id: str) -> Answer:
        """Answer files.delete, without the bin; only the owner may."""
        self.store.note(opened(self.store, id, caller, "owner"))
        del self.store.files[id]
        return DELETED

    def copy(self, call: Call, caller: Caller, id: str) -> Answer:
        """Answer files.copy: the whole content, without permissions."""
        file = opened(self.store, id, caller)
        asked = call.json()
        title = str(asked.get("name", f"Copy of {file.title}"))
        copy = File(id=new_id(), name=title, mime=file.mime)
        if file.spreadsheet:
            copy.spreadsheet = file.spreadsheet.copy(copy.id, title)
        copy.parents = [self._parent(parent, caller) for parent in asked.get("parents", file.parents or ["root"])]
        return self._file(call, caller, self.store.add(copy, caller.email))

    def export(self, call: Call, caller: Caller, id: str) -> Answer:
        """Answer files.export."""
        file = opened(self.store, id, caller)
        convert = EXPORTS.get(call.one("mimeType") or "")
        if convert is None or file.spreadsheet is None:
            raise DriveError(400, "badRequest", "The requested conversion is not supported.", location="convertTo")
        return Answer(200, convert(file.spreadsheet), call.one("mimeType") or "", {"Content-Disposition": "attachment"})

    def _file(self, call: Call, caller: Caller, file: File) -> Answer:
        said = shown.resource(file, caller.email)
        return Answer.of(masked(said, call.one("fields"), {name: said[name] for name in shown.BRIEF}))

    def _parent(self, id: str, caller: Caller) -> str:
        return shown.root(caller.email) if id == "root" else str(id)
