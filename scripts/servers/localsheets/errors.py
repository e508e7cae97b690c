"""Errors in Google's format: a status, a sentence, and sometimes the field that is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest"


class ApiError(Exception):
    """An answer of the Sheets API other than 200.

    Attributes:
        code: The HTTP status.
        status: Google's name of the status, "INVALID_ARGUMENT".
        message: The sentence.
        details: Google's details, or None.
    """

    def __init__(self, code: int, status: str, message: str, details: Sequence[dict[str, Any]] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.message = message
        self.details = list(details) if details is not None else None

    def body(self) -> dict[str, Any]:
        """Return the JSON of the answer."""
        error: dict[str, Any] = {"code": self.code, "message": self.message, "status": self.status}
        if self.details is not None:
            error["details"] = self.details
        return {"error": error}


def invalid(message: str) -> ApiError:
    """Return a 400 with a sentence alone."""
    return ApiError(400, "INVALID_ARGUMENT", message)


def violations(*found: tuple[str, str]) -> ApiError:
    """Return a 400 for a body that does not fit the schema: (field, description) of each violation."""
    fields = [
        {"field": field, "description": description} if field else {"description": description}
        for field, description in found
    ]
    return ApiError(
        400,
        "INVALID_ARGUMENT",
        "\n".join(description for _, description in found),
        [{"@type": BAD_REQUEST, "fieldViolations": fields}],
    )


def bad_mask(path: str) -> ApiError:
    """Return a 400 for a field mask that names no field."""
    description = f"Error expanding 'fields' parameter. Cannot find matching fields for path '{path}'."
    return ApiError(
        400,
        "INVALID_ARGUMENT",
        "Request contains an invalid argument.",
        [{"@type": BAD_REQUEST, "fieldViolations": [{"field": path, "description": description}]}],
    )


def not_found(message: str = "Requested entity was not found.") -> ApiError:
    """Return a 404."""
    return ApiError(404, "NOT_FOUND", message)
