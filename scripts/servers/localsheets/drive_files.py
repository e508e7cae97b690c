"""Files, permissions and accounts in Drive's format, and the part of them that `fields` selects."""

from __future__ import annotations

import hashlib
from typing import Any

from localsheets.clock import written
from localsheets.drive_errors import DriveError
from localsheets.store import RANK, SPREADSHEET, File, Permission, permission_id

BRIEF = ("kind", "id", "name", "mimeType")
"""The fields of a file that are shown when `fields` is not given."""


def resource(file: File, email: str) -> dict[str, Any]:
    """Return all that v3 says about a file."""
    role = RANK[file.role(email) or "reader"]
    said: dict[str, Any] = {
        "kind": "drive#file",
        "id": file.id,
        "name": file.title,
        "mimeType": file.mime,
        "starred": False,
        "trashed": file.is_trashed,
        "explicitlyTrashed": file.is_trashed,
        "parents": file.parents or [root(file.owner)],
        "spaces": ["drive"],
        "version": "1",
        "webViewLink": link(file),
        "createdTime": written(file.created),
        "modifiedTime": written(file.modified),
        "owners": [user(file.owner, email)],
        "lastModifyingUser": user(file.modified_by or file.owner, email),
        "shared": len(file.permissions) > 1,
        "ownedByMe": file.owner == email,
        "capabilities": {
            "canCopy": True,
            "canComment": role >= RANK["commenter"],
            "canDelete": role >= RANK["owner"],
            "canEdit": role >= RANK["writer"],
            "canRename": role >= RANK["writer"],
            "canShare": role >= RANK["writer"],
            "canTrash": role >= RANK["owner"],
        },
        "size": "1024",
    }
    if role >= RANK["writer"]:
        said["permissions"] = [permission(found) for found in file.permissions]
        said["permissionIds"] = [found["id"] for found in file.permissions]
    return said


def permission(found: Permission) -> dict[str, Any]:
    """Return all that Drive says about a permission."""
    said = {"kind": "drive#permission", **found}
    if found["type"] == "anyone":
        said["allowFileDiscovery"] = False
    elif found["type"] != "domain":
        said["pendingOwner"] = found.get("pendingOwner", False)
    return said


def user(email: str, caller: str) -> dict[str, Any]:
    """Return an account in Drive's format."""
    return {
        "kind": "drive#user",
        "displayName": email.partition("@")[0],
        "me": email == caller,
        "permissionId": permission_id("user", email),
        "emailAddress": email,
    }


def link(file: File) -> str:
    """Return the address of a file in a browser."""
    if file.mime == SPREADSHEET:
        return f"https://docs.google.com/spreadsheets/d/{file.id}/edit?usp=drivesdk"
    return f"https://drive.google.com/file/d/{file.id}/view?usp=drivesdk"


def root(email: str) -> str:
    """Return the id of an account's top folder."""
    return "0A" + hashlib.sha256(email.encode()).hexdigest()[:15] + "Uk9PVA"


def masked(said: dict[str, Any], fields: str | None, usual: dict[str, Any]) -> dict[str, Any]:
    """Return the part of an answer that `fields` selects: `kind,files(id,name)`, `file/name`, `*`.

    Args:
        said: The whole answer.
        fields: The mask, None if not given.
        usual: The answer if `fields` is not given.

    Raises:
        DriveError: 400 if the mask is invalid.
    """
    if fields is None:
        return usual
    wanted: dict[str, Any] = {}
    rest = _read(fields.replace(" ", ""), wanted)
    if rest:
        raise DriveError(400, "invalidParameter", f"Invalid field selection {fields}", location="fields")
    return _part(said, wanted) or {}


def _read(text: str, tree: dict[str, Any]) -> str:
    """Read `a/b(c,d),e` into a tree; return the rest of the text."""
    while text and text[0] != ")":
        place, name = tree, ""
        while text and text[0] not in ",)":
            letter, text = text[0], text[1:]
            if letter == "/":
                place, name = place.setdefault(name, {}), ""
            elif letter == "(":
                place, name = place.setdefault(name, {}), ""
                text = _read(text, place)
                if not text.startswith(")"):
                    return "("
                text = text[1:]
            else:
                name += letter
        if name:
            place.setdefault(name, {})
        if text.startswith(","):
            text = text[1:]
    return text


def _part(said: Any, wanted: dict[str, Any]) -> Any:
    if not wanted or "*" in wanted:
        return said
    if isinstance(said, list):
        return [_part(item, wanted) for item in said]
    if not isinstance(said, dict):
        return said
    return {name: _part(value, wanted[name]) for name, value in said.items() if name in wanted}
