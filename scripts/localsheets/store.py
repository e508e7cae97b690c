"""What the server holds: files, who may do what with each, comments. A spreadsheet's inside is `spreadsheet.py`'s."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from localsheets.clock import Clock
from localsheets.errors import ApiError
from localsheets.spreadsheet import Spreadsheet

SPREADSHEET = "application/vnd.google-apps.spreadsheet"
FOLDER = "application/vnd.google-apps.folder"
PERSON = "moderator@example.com"
"""Owns what a person made: seeds, and spreadsheets made through `/_control`."""
ROBOT = "sheets-algo@local-sheets.iam.gserviceaccount.com"
"""The account of a key file nobody named, and of a made-up token."""
RANK = {"reader": 1, "commenter": 2, "writer": 3, "fileOrganizer": 4, "organizer": 5, "owner": 6}

Permission = dict[str, Any]
"""As Drive shows it, without `kind`: id, type, role, emailAddress, domain, displayName."""


@dataclass(slots=True, kw_only=True)
class File:
    """One file of Drive.

    Attributes:
        spreadsheet: None for folders and whatever else is no spreadsheet.
        created: Unix seconds, as `modified`.
    """

    id: str
    name: str
    mime: str = SPREADSHEET
    spreadsheet: Spreadsheet | None = None
    parents: list[str] = field(default_factory=list)
    permissions: list[Permission] = field(default_factory=list)
    comments: list[dict[str, Any]] = field(default_factory=list)
    created: float = 0
    modified: float = 0
    is_trashed: bool = False

    @property
    def title(self) -> str:
        """A spreadsheet's name in Drive is its title."""
        return self.spreadsheet.title if self.spreadsheet else self.name

    @property
    def owner(self) -> str:
        """E-mail of who owns it."""
        return next((it["emailAddress"] for it in self.permissions if it["role"] == "owner"), "")

    def rename(self, title: str) -> None:
        """Change the name, which both APIs show."""
        self.name = title
        if self.spreadsheet:
            self.spreadsheet.title = title

    def role(self, email: str) -> str | None:
        """The highest role an account has here, through its own permission, its domain's or everybody's."""
        roles = [it["role"] for it in self.permissions if _includes(it, email)]
        return max(roles, key=RANK.__getitem__, default=None)

    def share(self, role: str, type: str = "user", who: str = "") -> Permission:
        """Give a role; a second one for the same address replaces the first."""
        permission: Permission = {"id": permission_id(type, who), "type": type, "role": role}
        if type == "domain":
            permission |= {"domain": who, "displayName": who}
        elif type != "anyone":
            permission |= {"emailAddress": who, "displayName": who.partition("@")[0], "deleted": False}
        self.permissions = [it for it in self.permissions if it["id"] != permission["id"]] + [permission]
        if role == "owner":
            self.give_to(permission)
        return permission

    def give_to(self, permission: Permission) -> None:
        """Make it the owner's; who was the owner may still edit."""
        for it in self.permissions:
            if it["role"] == "owner":
                it["role"] = "writer"
        permission["role"] = "owner"
        if self.spreadsheet:
            self.spreadsheet.owner = permission["emailAddress"]

    def to_json(self) -> dict[str, Any]:
        """Everything, for a snapshot on disk."""
        return {
            "id": self.id,
            "name": self.title,
            "mimeType": self.mime,
            "parents": self.parents,
            "permissions": self.permissions,
            "comments": self.comments,
            "created": self.created,
            "modified": self.modified,
            "trashed": self.is_trashed,
            "spreadsheet": self.spreadsheet.to_json() if self.spreadsheet else None,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> File:
        """What `to_json` gave."""
        inside = data["spreadsheet"]
        return cls(
            id=data["id"],
            name=data["name"],
            mime=data["mimeType"],
            spreadsheet=Spreadsheet.from_json(inside) if inside else None,
            parents=list(data["parents"]),
            permissions=list(data["permissions"]),
            comments=list(data["comments"]),
            created=data["created"],
            modified=data["modified"],
            is_trashed=data["trashed"],
        )


class Store:
    """All files.

    Attributes:
        private: Ids that nobody is let into, whether there is such a file or not.
        is_full: Service accounts cannot create files, as Google has it today.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.files: dict[str, File] = {}
        self.private: set[str] = set()
        self.is_full = False

    def add(self, file: File, owner: str, shares: Iterable[str] = ()) -> File:
        """Keep a new file, with its owner and those who may edit it."""
        file.created = file.modified = self.clock.now()
        file.share("owner", "user", owner)
        for email in shares:
            file.share("writer", *(("anyone",) if email == "anyone" else ("user", email)))
        self.files[file.id] = file
        return file

    def make(self, title: str, owner: str, shares: Iterable[str] = (), id: str | None = None) -> File:
        """A new, empty spreadsheet."""
        id = id or new_id()
        return self.add(File(id=id, name=title, spreadsheet=Spreadsheet.new(id, title)), owner, shares)

    def spreadsheet(self, id: str, email: str, need: str = "reader") -> tuple[File, Spreadsheet]:
        """The spreadsheet, for somebody who may read it, or as the Sheets API refuses.

        Raises:
            ApiError: 404 for no such id; 403 when it is not shared so far with the account.
        """
        file = self.files.get(id)
        if id in self.private:
            raise forbidden()
        if file is None or file.spreadsheet is None:
            raise ApiError(404, "NOT_FOUND", "Requested entity was not found.")
        if RANK[file.role(email) or "reader"] < RANK[need] or file.role(email) is None:
            raise forbidden()
        return file, file.spreadsheet

    def touch(self, file: File) -> None:
        """Note that it was modified now."""
        file.modified = self.clock.now()

    def to_json(self) -> dict[str, Any]:
        """The whole state."""
        files = [file.to_json() for file in self.files.values()]
        return {"files": files, "private": sorted(self.private), "full": self.is_full}

    def take(self, data: dict[str, Any]) -> None:
        """Become what `to_json` gave."""
        self.files = {it["id"]: File.from_json(it) for it in data["files"]}
        self.private = set(data.get("private", ()))
        self.is_full = bool(data.get("full", False))


def forbidden() -> ApiError:
    """The Sheets API's 403 for a file that is not shared."""
    return ApiError(403, "PERMISSION_DENIED", "The caller does not have permission")


def is_robot(email: str) -> bool:
    """Whether an address is a service account's."""
    return email.endswith(".gserviceaccount.com")


def new_id() -> str:
    """44 characters, as Google's."""
    return "1" + secrets.token_urlsafe(33)[:43]


def permission_id(type: str, who: str) -> str:
    """The same account has the same permission id on every file."""
    if type == "anyone":
        return "anyoneWithLink"
    digits = str(int.from_bytes(hashlib.sha256(f"{type}:{who}".encode()).digest()[:8]))
    return digits.zfill(20) + ("k" if type == "domain" else "")


def _includes(permission: Permission, email: str) -> bool:
    match permission["type"]:
        case "anyone":
            return True
        case "domain":
            return email.endswith("@" + permission["domain"])
        case _:
            return bool(permission["emailAddress"].lower() == email.lower())
