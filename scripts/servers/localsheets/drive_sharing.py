"""Drive v3: permissions and comments of files."""

from __future__ import annotations

import re

from localsheets import drive_files as shown
from localsheets.calls import Answer, Call, Route
from localsheets.clock import written
from localsheets.drive_common import DELETED, invalid, opened, page, required
from localsheets.drive_errors import DriveError, not_allowed
from localsheets.drive_files import masked
from localsheets.oauth import Caller
from localsheets.store import RANK, File, Permission, Store, permission_id

ROLES = tuple(RANK)
TYPES = ("user", "group", "domain", "anyone")
MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


class Sharing:
    """Permissions and comments of the files in a store.

    Attributes:
        routes: The routes.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._comments = 0
        one = "/drive/v3/files/{id}"
        table = (
            ("POST", f"{one}/permissions", self.share),
            ("GET", f"{one}/permissions", self.permissions),
            ("GET", f"{one}/permissions/{{permission}}", self.permission),
            ("PATCH", f"{one}/permissions/{{permission}}", self.reshare),
            ("DELETE", f"{one}/permissions/{{permission}}", self.unshare),
            ("POST", f"{one}/comments", self.comment),
            ("GET", f"{one}/comments", self.comments),
        )
        self.routes = tuple(Route(method, pattern, "drive", handler) for method, pattern, handler in table)

    def share(self, call: Call, caller: Caller, id: str) -> Answer:
        """Answer permissions.create."""
        file = opened(self.store, id, caller, "writer")
        asked = call.json()
        type, role = asked.get("type"), asked.get("role")
        if type not in TYPES:
            raise invalid("permission.type", "The specified type is invalid or not supported.")
        if role not in ROLES:
            raise invalid("permission.role", "The specified role is invalid or not supported.")
        address = {"anyone": "", "domain": asked.get("domain", "")}.get(type, asked.get("emailAddress", ""))
        if type != "anyone" and not address:
            field = "domain" if type == "domain" else "emailAddress"
            message = f"The {field} field is required for permissions of type {type}."
            raise DriveError(400, "required", message, location=f"permission.{field}")
        mail = asked.get("emailAddress")
        if mail and (type not in ("user", "group") or not MAIL.fullmatch(mail)):
            message = "The specified emailAddress is invalid or not applicable for the given permission type."
            raise invalid("permission.emailAddress", message)
        if role == "owner" and address != file.owner:
            self._check_transfer(call, caller, file)
        permission = file.share(role, type, address)
        self.store.note(file)
        if asked.get("pendingOwner"):
            permission["pendingOwner"] = True
        return self._permission(call, permission, "drive#permission")

    def permissions(self, call: Call, caller: Caller, id: str) -> Answer:
        """Answer permissions.list."""
        file = opened(self.store, id, caller)
        found = [shown.permission(permission) for permission in file.permissions]
        part, token = page(call, found, 100, 100)
        said = {"kind": "drive#permissionList", "permissions": part} | token
        brief = {"permissions": [{name: permission[name] for name in shown.BRIEF_PERMISSION} for permission in part]}
        return Answer.of(masked(said, call.one("fields"), said | brief))

    def permission(self, call: Call, caller: Caller, id: str, permission: str) -> Answer:
        """Answer permissions.get."""
        return self._permission(call, self._find(opened(self.store, id, caller), permission))

    def reshare(self, call: Call, caller: Caller, id: str, permission: str) -> Answer:
        """Answer permissions.update: another role, or an offer of ownership, or its acceptance."""
        file = opened(self.store, id, caller, "writer")
        found, asked = self._find(file, permission), call.json()
        role = asked.get("role", found["role"])
        if role not in ROLES:
            raise invalid("permission.role", "The specified role is invalid or not supported.")
        if role == "owner" and found["role"] != "owner":
            self._check_transfer(call, caller, file, found)
            found.pop("pendingOwner", None)
            file.give_to(found)
        elif found["role"] == "owner" and role != "owner":
            raise not_allowed()
        found["role"] = role
        self.store.note(file)
        if "pendingOwner" in asked:
            found["pendingOwner"] = bool(asked["pendingOwner"])
        return self._permission(call, found)

    def unshare(self, call: Call, caller: Caller, id: str, permission: str) -> Answer:
        """Answer permissions.delete: by an editor, or by the account itself; the owner's stays."""
        file = opened(self.store, id, caller)
        found = self._find(file, permission)
        is_own = found["id"] == permission_id("user", caller.email)
        if found["role"] == "owner" or not (is_own or RANK[file.role(caller.email) or "reader"] >= RANK["writer"]):
            raise not_allowed()
        former = file.viewers
        file.permissions.remove(found)
        self.store.note(file, former)
        return DELETED

    def comment(self, call: Call, caller: Caller, id: str) -> Answer:
        """Answer comments.create."""
        file = opened(self.store, id, caller, "commenter")
        asked, self._comments = call.json(), self._comments + 1
        now = written(self.store.clock.now())
        comment = {
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
        file.comments.append(comment)
        return Answer.of(masked(comment, required(call), comment))

    def comments(self, call: Call, caller: Caller, id: str) -> Answer:
        """Answer comments.list."""
        part, token = page(call, opened(self.store, id, caller).comments, 20, 100)
        said = {"kind": "drive#commentList", "comments": part} | token
        return Answer.of(masked(said, required(call), said))

    def _permission(self, call: Call, found: Permission, kind: str = "drive#permission") -> Answer:
        said = shown.permission(found)
        return Answer.of(masked(said, call.one("fields"), {name: said[name] for name in shown.BRIEF_PERMISSION}))

    def _find(self, file: File, permission: str) -> Permission:
        for found in file.permissions:
            if found["id"] == permission:
                return found
        raise DriveError(404, "notFound", f"Permission not found: {permission}.", location="permissionId")

    def _check_transfer(self, call: Call, caller: Caller, file: File, new_owner: Permission | None = None) -> None:
        if not call.flag("transferOwnership"):
            message = "The transferOwnership parameter must be enabled when the permission role is 'owner'."
            raise DriveError(403, "forbidden", message, location="transferOwnership")
        is_taken = (
            new_owner is not None and new_owner.get("pendingOwner") and new_owner.get("emailAddress") == caller.email
        )
        if file.owner != caller.email and not is_taken:
            raise not_allowed(f"The user does not have sufficient permissions for file {file.id}.")
