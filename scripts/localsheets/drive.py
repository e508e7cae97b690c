"""Drive v3: files, who may use them, comments; and the one path of v2 that gspread uploads CSV to."""

from __future__ import annotations

import base64
import binascii
import copy
from typing import Any

from localsheets import drive_files as shown
from localsheets.calls import Answer, Call, Route
from localsheets.clock import written
from localsheets.drive_errors import DriveError, not_allowed, not_found
from localsheets.drive_exports import EXPORTS
from localsheets.drive_files import masked
from localsheets.drive_search import search
from localsheets.oauth import Caller
from localsheets.store import RANK, SPREADSHEET, File, Permission, Store, is_robot, new_id, permission_id

BASE = "/drive/v3/files"
ROLES = tuple(RANK)
TYPES = ("user", "group", "domain", "anyone")
DELETED = Answer(204, b"", "text/html")
UNTITLED = "Untitled"


class Drive:
    """Answers from a store.

    Attributes:
        routes: The paths it answers. Unknown parameters and fields are ignored, as Drive does.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._comments = 0
        one = f"{BASE}/{{id}}"
        table = (
            ("POST", BASE, self.create),
            ("GET", BASE, self.files),
            ("GET", one, self.get),
            ("PATCH", one, self.update),
            ("DELETE", one, self.delete),
            ("POST", f"{one}/copy", self.copy),
            ("GET", f"{one}/export", self.export),
            ("POST", f"{one}/permissions", self.share),
            ("GET", f"{one}/permissions", self.permissions),
            ("GET", f"{one}/permissions/{{permission}}", self.permission),
            ("PATCH", f"{one}/permissions/{{permission}}", self.reshare),
            ("DELETE", f"{one}/permissions/{{permission}}", self.unshare),
            ("POST", f"{one}/comments", self.comment),
            ("GET", f"{one}/comments", self.comments),
            ("GET", "/drive/v3/about", self.about),
            ("PUT", "/upload/drive/v2/files/{id}", self.upload),
        )
        self.routes = tuple(Route(method, pattern, "drive", handler) for method, pattern, handler in table)

    def create(self, call: Call, caller: Caller) -> Answer:
        """files.create: an empty spreadsheet, a folder, or a file with nothing inside. A parent need not exist."""
        self._refuse_if_full(caller)
        asked = call.json()
        title, mime = str(asked.get("name", UNTITLED)), asked.get("mimeType", "application/octet-stream")
        if mime == SPREADSHEET:
            file = self.store.make(title, caller.email)
        else:
            file = self.store.add(File(id=new_id(), name=title, mime=mime), caller.email)
        file.parents = [self._parent(it, caller) for it in asked.get("parents", ["root"])]
        return self._file(call, caller, file)

    def files(self, call: Call, caller: Caller) -> Answer:
        """files.list, newest first."""
        try:
            is_meant = search(query) if (query := call.one("q")) else lambda file: True
        except ValueError:
            raise _invalid("q") from None
        visible = [it for it in self.store.files.values() if it.id not in self.store.private and it.role(caller.email)]
        files = [shown.resource(it, caller.email) for it in visible]
        files = [it for it in files if is_meant(self._for_search(it, caller))]
        key, _, direction = (call.one("orderBy") or "modifiedTime desc").split(",")[0].partition(" ")
        files.sort(key=lambda it: str(it.get(key, "")), reverse=direction == "desc")
        page, token = self._page(call, files, 100, 1000)
        said = {"kind": "drive#fileList", "incompleteSearch": False, "files": page} | token
        brief = {"files": [{name: it[name] for name in shown.BRIEF} for it in page]}
        return Answer.of(masked(said, call.one("fields"), said | brief))

    def get(self, call: Call, caller: Caller, id: str) -> Answer:
        """files.get."""
        return self._file(call, caller, self._open(id, caller))

    def update(self, call: Call, caller: Caller, id: str) -> Answer:
        """files.update: name, bin, folders."""
        file = self._open(id, caller, "writer")
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
        gone = [self._parent(it, caller) for it in (call.one("removeParents") or "").split(",") if it]
        new = [self._parent(it, caller) for it in (call.one("addParents") or "").split(",") if it]
        if new:
            file.parents = new  # a file has one folder
        else:
            file.parents = [it for it in file.parents if it not in gone]
        self.store.touch(file)
        return self._file(call, caller, file)

    def delete(self, call: Call, caller: Caller, id: str) -> Answer:
        """files.delete, past the bin; only the owner may."""
        self._open(id, caller, "owner")
        del self.store.files[id]
        return DELETED

    def copy(self, call: Call, caller: Caller, id: str) -> Answer:
        """files.copy: everything inside, nobody else's rights, no comments."""
        self._refuse_if_full(caller)
        file = self._open(id, caller)
        asked = call.json()
        title = str(asked.get("name", f"Copy of {file.title}"))
        made = File(id=new_id(), name=title, mime=file.mime)
        if file.spreadsheet:
            made.spreadsheet = file.spreadsheet.copy(made.id, title)
        made.parents = [self._parent(it, caller) for it in asked.get("parents", file.parents or ["root"])]
        return self._file(call, caller, self.store.add(made, caller.email))

    def export(self, call: Call, caller: Caller, id: str) -> Answer:
        """files.export."""
        file = self._open(id, caller)
        made = EXPORTS.get(call.one("mimeType") or "")
        if made is None or file.spreadsheet is None:
            raise DriveError(400, "badRequest", "The requested conversion is not supported.", location="convertTo")
        return Answer(200, made(file.spreadsheet), call.one("mimeType") or "", {"Content-Disposition": "attachment"})

    def upload(self, call: Call, caller: Caller, id: str) -> Answer:
        """v2 files.update with a CSV file: one tab is left, with what the file says."""
        file = self._open(id, caller, "writer")
        if file.spreadsheet is None or not call.headers.get("content-type", "").startswith("text/csv"):
            raise DriveError(400, "badRequest", "Bad Request")
        file.spreadsheet.import_csv(call.body.decode("utf-8", "replace"))
        self.store.touch(file)
        return Answer.of(shown.resource_v2(file, caller.email))

    def share(self, call: Call, caller: Caller, id: str) -> Answer:
        """permissions.create."""
        file = self._open(id, caller, "writer")
        asked = call.json()
        type, role = asked.get("type"), asked.get("role")
        if type not in TYPES:
            raise _invalid("permission.type", "The specified type is invalid or not supported.")
        if role not in ROLES:
            raise _invalid("permission.role", "The specified role is invalid or not supported.")
        who = {"anyone": "", "domain": asked.get("domain", "")}.get(type, asked.get("emailAddress", ""))
        if type != "anyone" and not who:
            field = "domain" if type == "domain" else "emailAddress"
            message = f"The {field} field is required for permissions of type {type}."
            raise DriveError(400, "required", message, location=f"permission.{field}")
        if role == "owner" and who != file.owner:
            self._check_transfer(call, caller, file)
        made = file.share(role, type, who)
        if asked.get("pendingOwner"):
            made["pendingOwner"] = True
        return self._permission(call, made, "drive#permission")

    def permissions(self, call: Call, caller: Caller, id: str) -> Answer:
        """permissions.list."""
        file = self._open(id, caller)
        found = [shown.permission(it) for it in file.permissions]
        page, token = self._page(call, found, 100, 100)
        said = {"kind": "drive#permissionList", "permissions": page} | token
        brief = {"permissions": [{name: it[name] for name in shown.BRIEF_PERMISSION} for it in page]}
        return Answer.of(masked(said, call.one("fields"), said | brief))

    def permission(self, call: Call, caller: Caller, id: str, permission: str) -> Answer:
        """permissions.get."""
        return self._permission(call, self._find(self._open(id, caller), permission))

    def reshare(self, call: Call, caller: Caller, id: str, permission: str) -> Answer:
        """permissions.update: another role, or the file offered to a new owner, or taken by them."""
        file = self._open(id, caller, "writer")
        found, asked = self._find(file, permission), call.json()
        role = asked.get("role", found["role"])
        if role not in ROLES:
            raise _invalid("permission.role", "The specified role is invalid or not supported.")
        if role == "owner" and found["role"] != "owner":
            self._check_transfer(call, caller, file, found)
            found.pop("pendingOwner", None)
            file.give_to(found)
        elif found["role"] == "owner" and role != "owner":
            raise not_allowed()
        found["role"] = role
        if "pendingOwner" in asked:
            found["pendingOwner"] = bool(asked["pendingOwner"])
        return self._permission(call, found)

    def unshare(self, call: Call, caller: Caller, id: str, permission: str) -> Answer:
        """permissions.delete: an editor may, or whose it is; the owner's stays."""
        file = self._open(id, caller)
        found = self._find(file, permission)
        is_own = found["id"] == permission_id("user", caller.email)
        if found["role"] == "owner" or not (is_own or RANK[file.role(caller.email) or "reader"] >= RANK["writer"]):
            raise not_allowed()
        file.permissions.remove(found)
        return DELETED

    def comment(self, call: Call, caller: Caller, id: str) -> Answer:
        """comments.create."""
        file = self._open(id, caller, "commenter")
        asked, self._comments = call.json(), self._comments + 1
        now = written(self.store.clock.now())
        made = {
            "kind": "drive#comment",
            "id": f"AAAA{self._comments:07d}",
            "createdTime": now,
            "modifiedTime": now,
            "author": shown.user(caller.email, caller.email),
            "htmlContent": str(asked.get("content", "")),
            "content": str(asked.get("content", "")),
            "deleted": False,
            "replies": [],
        } | ({"anchor": asked["anchor"]} if asked.get("anchor") else {})
        file.comments.append(made)
        return Answer.of(masked(made, _required(call), made))

    def comments(self, call: Call, caller: Caller, id: str) -> Answer:
        """comments.list."""
        page, token = self._page(call, self._open(id, caller).comments, 20, 100)
        said = {"kind": "drive#commentList", "comments": page} | token
        return Answer.of(masked(said, _required(call), said))

    def about(self, call: Call, caller: Caller) -> Answer:
        """about.get."""
        limit = "0" if self.store.is_full and is_robot(caller.email) else "16106127360"
        quota = {"limit": limit, "usage": "0", "usageInDrive": "0", "usageInDriveTrash": "0"}
        said = {"kind": "drive#about", "user": shown.user(caller.email, caller.email), "storageQuota": quota}
        return Answer.of(masked(said, _required(call), said))

    def _open(self, id: str, caller: Caller, need: str = "reader") -> File:
        """A file the caller sees, 404 for any other; 403 where their role is too low."""
        file = self.store.files.get(id)
        role = file.role(caller.email) if file else None
        if file is None or role is None or id in self.store.private:
            raise not_found(id)
        if RANK[role] < RANK[need]:
            raise not_allowed(f"The user does not have sufficient permissions for file {id}.")
        return file

    def _file(self, call: Call, caller: Caller, file: File) -> Answer:
        said = shown.resource(file, caller.email)
        return Answer.of(masked(said, call.one("fields"), {name: said[name] for name in shown.BRIEF}))

    def _permission(self, call: Call, found: Permission, kind: str = "drive#permission") -> Answer:
        said = shown.permission(found)
        return Answer.of(masked(said, call.one("fields"), {name: said[name] for name in shown.BRIEF_PERMISSION}))

    def _find(self, file: File, permission: str) -> Permission:
        for found in file.permissions:
            if found["id"] == permission:
                return found
        raise DriveError(404, "notFound", f"Permission not found: {permission}.", location="permissionId")

    def _check_transfer(self, call: Call, caller: Caller, file: File, to: Permission | None = None) -> None:
        if not call.flag("transferOwnership"):
            message = "The transferOwnership parameter must be enabled when the permission role is 'owner'."
            raise DriveError(403, "forbidden", message, location="transferOwnership")
        is_taken = to is not None and to.get("pendingOwner") and to.get("emailAddress") == caller.email
        if file.owner != caller.email and not is_taken:
            raise not_allowed(f"The user does not have sufficient permissions for file {file.id}.")

    def _refuse_if_full(self, caller: Caller) -> None:
        if self.store.is_full and is_robot(caller.email):
            message = "The user's Drive storage quota has been exceeded."
            raise DriveError(403, "storageQuotaExceeded", message, "usageLimits")

    def _parent(self, id: str, caller: Caller) -> str:
        return shown.root(caller.email) if id == "root" else str(id)

    def _for_search(self, file: dict[str, Any], caller: Caller) -> dict[str, Any]:
        """With what a query may ask for and an answer does not show."""
        by_role: dict[str, list[str]] = {"writer": [], "reader": []}
        for it in file.get("permissions", ()):
            by_role.setdefault(it["role"], []).append(it.get("emailAddress", ""))
        parents = [*file["parents"], *(["root"] if shown.root(caller.email) in file["parents"] else [])]
        owners = [it["emailAddress"] for it in file["owners"]]
        more = {"owners": [*owners, "me"] if file["ownedByMe"] else owners, "sharedWithMe": not file["ownedByMe"]}
        writers = [*by_role["writer"], *owners]
        return file | more | {"parents": parents, "writers": writers, "readers": [*by_role["reader"], *writers]}

    def _page(self, call: Call, items: list[Any], usual: int, most: int) -> tuple[list[Any], dict[str, str]]:
        """The part of a list that is asked for, and where the rest begins."""
        try:
            size = int(call.one("pageSize") or usual)
            start = int(base64.urlsafe_b64decode(token)) if (token := call.one("pageToken")) else 0
        except (ValueError, binascii.Error):
            raise _invalid("pageToken") from None
        if not 1 <= size <= most:
            message = f"Invalid value '{size}'. Values must be within the range: [1, {most}]"
            raise DriveError(400, "invalidParameter", message, location="pageSize")
        end = start + size
        rest = {"nextPageToken": base64.urlsafe_b64encode(str(end).encode()).decode()} if end < len(items) else {}
        return copy.deepcopy(items[start:end]), rest


def _required(call: Call) -> str:
    fields = call.one("fields")
    if fields is None:
        message = "The 'fields' parameter is required for this method."
        raise DriveError(400, "required", message, location="fields")
    return fields


def _invalid(location: str, message: str = "Invalid Value") -> DriveError:
    return DriveError(400, "invalid", message, location=location)
