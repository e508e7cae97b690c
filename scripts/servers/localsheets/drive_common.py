"""Helpers of all parts of Drive: opening files, paging lists, refusing parameters."""

from __future__ import annotations

import base64
import binascii
import copy
from typing import Any

from localsheets.calls import Answer, Call
from localsheets.drive_errors import DriveError, not_allowed, not_found
from localsheets.oauth import Caller
from localsheets.store import RANK, File, Store

DELETED = Answer(204, b"", "text/html")


def opened(store: Store, id: str, caller: Caller, need: str = "reader") -> File:
    """Return a file that the caller may see.

    Raises:
        DriveError: 404 for any other file; 403 if the caller's role is too low.
    """
    file = store.files.get(id)
    role = file.role(caller.email) if file else None
    if file is None or role is None or id in store.private:
        raise not_found(id)
    if RANK[role] < RANK[need]:
        raise not_allowed(f"The user does not have sufficient permissions for file {id}.")
    return file


def page(call: Call, items: list[Any], usual: int, most: int) -> tuple[list[Any], dict[str, str]]:
    """Return the requested part of a list, and the token of the rest.

    Args:
        call: The request, with `pageSize` and `pageToken`.
        items: The whole list.
        usual: The default number of items on a page.
        most: The most items on a page.

    Raises:
        DriveError: 400 if the parameters are invalid.
    """
    try:
        start = int(base64.urlsafe_b64decode(token)) if (token := call.one("pageToken")) else 0
    except (ValueError, binascii.Error):
        raise invalid("pageToken") from None
    end = start + sized(call, usual, most)
    rest = {"nextPageToken": base64.urlsafe_b64encode(str(end).encode()).decode()} if end < len(items) else {}
    return copy.deepcopy(items[start:end]), rest


def sized(call: Call, usual: int, most: int) -> int:
    """Return the `pageSize` of a request.

    Raises:
        DriveError: 400 if it is no number or out of range.
    """
    try:
        size = int(call.one("pageSize") or usual)
    except ValueError:
        raise invalid("pageSize") from None
    if not 1 <= size <= most:
        message = f"Invalid value '{size}'. Values must be within the range: [1, {most}]"
        raise DriveError(400, "invalidParameter", message, location="pageSize")
    return size


def invalid(location: str, message: str = "Invalid Value") -> DriveError:
    """Return the 400 for a parameter or field."""
    return DriveError(400, "invalid", message, location=location)
