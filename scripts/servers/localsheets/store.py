"""The server's files: who may do what with each."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from localsheets.clock import Clock
from localsheets.errors import ApiError
from localsheets.spreadsheet import Spreadsheet

SPREADSHEET = "application/vnd.google-apps.spreadsheet"
FOLDER = "application/vnd.google-apps.folder"
PERSON = "moderator@example.com"
"""The owner of files that a person made: seeds, and spreadsheets made through `/_control`."""
ROBOT = "sheets-algo@local-sheets.iam.gserviceaccount.com"
"""The account of a key file without a name, and of a made-up token."""
RANK = {"reader": 1, "commenter": 2, "writer": 3, "fileOrganizer": 4, "organizer": 5, "owner": 6}

Permission = dict[str, Any]
"""A permission as Drive shows it, without `kind`: id, type, role, emailAddress, domain, displayName."""


@dataclass(slots=True, kw_only=True)
class Weather:
    """Settings of how Drive reports changes; by default at once and once.

    Attributes:
        late_s: The seconds until a change is reported, with those of the same file meanwhile.
        again: The number of last changes that the next question gets once more.
        first: Tokens below this number are refused.
        silent: Note no changes: those of this time are never reported.
    """

    late_s: float = 0
    again: int = 0
    first: int = 1
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a file.

    Attributes:
        number: Its place in the order of all changes.
        time: The time in Unix seconds.
        viewers: The e-mails of those who see or saw the file.
    """

    number: int
    time: float
    viewers: frozenset[str]


@dataclass(slots=True, kw_only=True)
class File:
    """One file of Drive.

    Attributes:
        spreadsheet: The content; None for folders and other files.
        created: The time in Unix seconds, as `modified`.
    """

    id: str
    name: str
    mime: str = SPREADSHEET
    spreadsheet: Spreadsheet | None = None
    parents: list[str] = field(default_factory=list)
    permissions: list[Permission] = field(default_factory=list)
    created: float = 0
    modified: float = 0
    modified_by: str = ""
    is_trashed: bool = False

    @property
    def viewers(self) -> frozenset[str]:
        """Return the e-mails that the file is shared with, the owner's included."""
        return frozenset(found["emailAddress"] for found in self.permissions if "emailAddress" in found)

    @property
    def title(self) -> str:
        """Return the file's name, which is a spreadsheet's title."""
        return self.spreadsheet.title if self.spreadsheet else self.name

    @property
    def owner(self) -> str:
        """Return the owner's e-mail."""
        return next(
            (permission["emailAddress"] for permission in self.permissions if permission["role"] == "owner"), ""
        )

    def rename(self, title: str) -> None:
        """Change the name, which both APIs show."""
        self.name = title
        if self.spreadsheet:
            self.spreadsheet.title = title

    def role(self, email: str) -> str | None:
        """Return the highest role of an account here: by its own permission, its domain's or everybody's."""
        roles = [permission["role"] for permission in self.permissions if _includes(permission, email)]
        return max(roles, key=RANK.__getitem__, default=None)

    def share(self, role: str, type: str = "user", address: str = "") -> Permission:
        """Give a role; a second one for the same address replaces the first."""
        permission: Permission = {"id": permission_id(type, address), "type": type, "role": role}
        if type == "domain":
            permission |= {"domain": address, "displayName": address}
        elif type != "anyone":
            permission |= {"emailAddress": address, "displayName": address.partition("@")[0], "deleted": False}
        self.permissions = [other for other in self.permissions if other["id"] != permission["id"]] + [permission]
        if role == "owner":
            self.give_to(permission)
        return permission

    def give_to(self, permission: Permission) -> None:
        """Make a permission the owner's; the former owner may still edit."""
        for other in self.permissions:
            if other["role"] == "owner":
                other["role"] = "writer"
        permission["role"] = "owner"
        if self.spreadsheet:
            self.spreadsheet.owner = permission["emailAddress"]

    def to_json(self) -> dict[str, Any]:
        """Return the whole file, for a snapshot on disk."""
        return {
            "id": self.id,
            "name": self.title,
            "mimeType": self.mime,
            "parents": self.parents,
            "permissions": self.permissions,
            "created": self.created,
            "modified": self.modified,
            "trashed": self.is_trashed,
            "spreadsheet": self.spreadsheet.to_json() if self.spreadsheet else None,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> File:
        """Return the file that `to_json` wrote."""
        spreadsheet_data = data["spreadsheet"]
        return cls(
            id=data["id"],
            name=data["name"],
            mime=data["mimeType"],
            spreadsheet=Spreadsheet.from_json(spreadsheet_data) if spreadsheet_data else None,
            parents=list(data["parents"]),
            permissions=list(data["permissions"]),
            created=data["created"],
            modified=data["modified"],
            is_trashed=data["trashed"],
        )


class Store:
    """All files of the server.

    Attributes:
        private: Ids of files that nobody may open, whether they exist or not.
        changes: The last change of each file, by its id, after the one that is reported until that is due;
            `last_change` is the number of the latest.
        weather: How Drive reports changes.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.files: dict[str, File] = {}
        self.private: set[str] = set()
        self.weather = Weather()
        self.changes: dict[str, tuple[Change, ...]] = {}
        self.last_change = 0

    def add(self, file: File, owner: str, shares: Iterable[str] = ()) -> File:
        """Keep a new file, with its owner and those who may edit it."""
        file.created = file.modified = self.clock.now()
        file.modified_by = owner
        file.share("owner", "user", owner)
        for email in shares:
            file.share("writer", *(("anyone",) if email == "anyone" else ("user", email)))
        self.files[file.id] = file
        self.note(file)
        return file

    def make(self, title: str, owner: str, shares: Iterable[str] = (), id: str | None = None) -> File:
        """Make a new, empty spreadsheet."""
        id = id or new_id()
        return self.add(File(id=id, name=title, spreadsheet=Spreadsheet.new(id, title)), owner, shares)

    def spreadsheet(self, id: str, email: str, need: str = "reader") -> tuple[File, Spreadsheet]:
        """Return the spreadsheet for an account that has the needed role.

        Raises:
            ApiError: 404 for an unknown id; 403 if the account's role is too low.
        """
        file = self.files.get(id)
        if id in self.private:
            raise forbidden()
        if file is None or file.spreadsheet is None:
            raise ApiError(404, "NOT_FOUND", "Requested entity was not found.")
        if RANK[file.role(email) or "reader"] < RANK[need] or file.role(email) is None:
            raise forbidden()
        return file, file.spreadsheet

    def touch(self, file: File, email: str) -> None:
        """Set the time of modification to now, and its author."""
        file.modified, file.modified_by = self.clock.now(), email
        self.note(file)

    def note(self, file: File, former: frozenset[str] = frozenset()) -> None:
        """Note a change for all who see the file, and for those who saw it before."""
        now, noted = self.clock.now(), self.changes.get(file.id, ())
        viewers = file.viewers | former | (noted[-1].viewers if noted else frozenset())
        if self.weather.silent:
            return
        if noted and noted[-1].time > now - self.weather.late_s:  # reported with the earlier change
            self.changes[file.id] = (*noted[:-1], replace(noted[-1], viewers=viewers))
            return
        self.last_change += 1
        self.changes[file.id] = (*noted[-1:], Change(self.last_change, now, viewers))

    def to_json(self) -> dict[str, Any]:
        """Return the whole state."""
        files = [file.to_json() for file in self.files.values()]
        return {"files": files, "private": sorted(self.private)}

    def take(self, data: dict[str, Any]) -> None:
        """Load a state that `to_json` returned."""
        self.files = {file["id"]: File.from_json(file) for file in data["files"]}
        self.private = set(data.get("private", ()))


def forbidden() -> ApiError:
    """Return the Sheets API's 403 for a file that is not shared."""
    return ApiError(403, "PERMISSION_DENIED", "The caller does not have permission")


def new_id() -> str:
    """Return a new id of 44 characters, as Google's."""
    return "1" + secrets.token_urlsafe(33)[:43]


def permission_id(type: str, address: str) -> str:
    """Return an account's permission id, which is the same on every file."""
    if type == "anyone":
        return "anyoneWithLink"
    digits = str(int.from_bytes(hashlib.sha256(f"{type}:{address}".encode()).digest()[:8]))
    return digits.zfill(20) + ("k" if type == "domain" else "")


def _includes(permission: Permission, email: str) -> bool:
    match permission["type"]:
        case "anyone":
            return True
        case "domain":
            return email.endswith("@" + permission["domain"])
        case _:
            return bool(permission["emailAddress"].lower() == email.lower())
