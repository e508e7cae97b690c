"""Drive v3: files; and the one path of v2 to which gspread uploads CSV."""

from __future__ import annotations

from typing import Any

from localsheets import drive_files as shown
from localsheets.calls import Answer, Call, Route
from localsheets.drive_common import DELETED, invalid, opened, page, required
from localsheets.drive_errors import DriveError
from localsheets.drive_exports import EXPORTS
from localsheets.drive_files import masked
from localsheets.drive_search import search
from localsheets.oauth import Caller
from localsheets.store import SPREADSHEET, File, Store, is_robot, new_id

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
            ("PATCH", one, self.update),
            ("DELETE", one, self.delete),
            ("POST", f"{one}/copy", self.copy),
            ("GET", f"{one}/export", self.export),
            ("GET", "/drive/v3/about", self.about),
            ("PUT", "/upload/drive/v2/files/{id}", self.upload),
        )
        self.routes = tuple(Route(method, pattern, "drive", handler) for method, pattern, handler in table)

    def create(self, call: Call, caller: Caller) -> Answer:
        """Answer files.create: an empty spreadsheet, a folder, or a file without content. A parent need not exist."""
        self._refuse_if_full(caller)
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
        files = [file for file in files if is_meant(self._for_search(file, caller))]
        key, _, direction = (call.one("orderBy") or "modifiedTime desc").split(",")[0].partition(" ")
        files.sort(key=lambda file: str(file.get(key, "")), reverse=direction == "desc")
        part, token = page(call, files, 100, 1000)
        said = {"kind": "drive#fileList", "incompleteSearch": False, "files": part} | token
        brief = {"files": [{name: file[name] for name in shown.BRIEF} for file in part]}
        return Answer.of(masked(said, call.one("fields"), said | brief))

    def get(self, call: Call, caller: Caller, id: str) -> Answer:
        """Answer files.get."""
        return self._file(call, caller, opened(self.store, id, caller))

    def update(self, call: Call, caller: Caller, id: str) -> Answer:
        """Answer files.update: name, bin, folders."""
        file = opened(self.store, id, caller, "writer")
        asked = call.json()
        if "parents" in asked:
            message = (
                "The parents field is not directly writable in update requests. Use the addParents and removeParents "
                "parameters instead."
            )
            raise DriveError(403, "fieldNotWritable", message)
        if "name" in asked:
            file.rename(str(asked["name"]))
        file.is_trashed = bool(asked.get("trashed", file.is_trashed))
        gone = [self._parent(parent, caller) for parent in (call.one("removeParents") or "").split(",") if parent]
        new = [self._parent(parent, caller) for parent in (call.one("addParents") or "").split(",") if parent]
        if new:
            file.parents = new  # a file has only one folder
        else:
            file.parents = [parent for parent in file.parents if parent not in gone]
        self.store.touch(file, caller.email)
        return self._file(call, caller, file)

    def delete(self, call: Call, caller: Caller, id: str) -> Answer:
        """Answer files.delete, without the bin; only the owner may."""
        self.store.note(opened(self.store, id, caller, "owner"))
        del self.store.files[id]
        return DELETED

    def copy(self, call: Call, caller: Caller, id: str) -> Answer:
        """Answer files.copy: the whole content, without permissions and comments."""
        self._refuse_if_full(caller)
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

    def upload(self, call: Call, caller: Caller, id: str) -> Answer:
        """Answer v2 files.update with a CSV file: it becomes the only tab."""
        file = opened(self.store, id, caller, "writer")
        if file.spreadsheet is None or not call.headers.get("content-type", "").startswith("text/csv"):
            raise DriveError(400, "badRequest", "Bad Request")
        file.spreadsheet.import_csv(call.body.decode("utf-8", "replace"))
        self.store.touch(file, caller.email)
        return Answer.of(shown.resource_v2(file, caller.email))

    def about(self, call: Call, caller: Caller) -> Answer:
        """Answer about.get."""
        limit = "0" if self.store.is_full and is_robot(caller.email) else "16106127360"
        quota = {"limit": limit, "usage": "0", "usageInDrive": "0", "usageInDriveTrash": "0"}
        said = {"kind": "drive#about", "user": shown.user(caller.email, caller.email), "storageQuota": quota}
        return Answer.of(masked(said, required(call), said))

    def _file(self, call: Call, caller: Caller, file: File) -> Answer:
        said = shown.resource(file, caller.email)
        return Answer.of(masked(said, call.one("fields"), {name: said[name] for name in shown.BRIEF}))

    def _refuse_if_full(self, caller: Caller) -> None:
        if self.store.is_full and is_robot(caller.email):
            message = "The user's Drive storage quota has been exceeded."
            raise DriveError(403, "storageQuotaExceeded", message, "usageLimits")

    def _parent(self, id: str, caller: Caller) -> str:
        return shown.root(caller.email) if id == "root" else str(id)

    def _for_search(self, file: dict[str, Any], caller: Caller) -> dict[str, Any]:
        """Return a file with what a query may ask for and an answer does not show."""
        by_role: dict[str, list[str]] = {"writer": [], "reader": []}
        for permission in file.get("permissions", ()):
            by_role.setdefault(permission["role"], []).append(permission.get("emailAddress", ""))
        parents = [*file["parents"], *(["root"] if shown.root(caller.email) in file["parents"] else [])]
        owners = [owner["emailAddress"] for owner in file["owners"]]
        more = {"owners": [*owners, "me"] if file["ownedByMe"] else owners, "sharedWithMe": not file["ownedByMe"]}
        writers = [*by_role["writer"], *owners]
        return file | more | {"parents": parents, "writers": writers, "readers": [*by_role["reader"], *writers]}
