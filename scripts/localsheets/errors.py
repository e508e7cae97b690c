"""Errors as Google words them: a status, a sentence, and sometimes which field is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest"


class ApiError(Exception):
    """An answer that is not 200.

    Attributes:
        code: The HTTP status.
        status: Google's name for it, "INVALID_ARGUMENT".
        message: The sentence.
        details: What Google adds below it, or None.
    """

    def __init__(self, code: int, status: str, message: str, details: Sequence[dict[str, Any]] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.message = message
        self.details = list(details) if details is not None else None

    def body(self) -> dict[str, Any]:
        """The JSON of the answer."""
        error: dict[str, Any] = {"code": self.code, "message": self.message, "status": self.status}
        if self.details is not None:
            error["details"] = self.details
        return {"error": error}


def invalid(message: str) -> ApiError:
    """400 with a sentence alone."""
    return ApiError(400, "INVALID_ARGUMENT", message)


def violations(*found: tuple[str, str]) -> ApiError:
    """400 for a body that does not fit the schema: (field, description) of each misfit."""
    fields = [{"field": field, "description": said} if field else {"description": said} for field, said in found]
    return ApiError(
        400,
        "INVALID_ARGUMENT",
        "\n".join(said for _, said in found),
        [{"@type": BAD_REQUEST, "fieldViolations": fields}],
    )


def bad_mask(path: str) -> ApiError:
    """400 for a field mask that names no field."""
    said = f"Error expanding 'fields' parameter. Cannot find matching fields for path '{path}'."
    return ApiError(
        400,
        "INVALID_ARGUMENT",
        "Request contains an invalid argument.",
        [{"@type": BAD_REQUEST, "fieldViolations": [{"field": path, "description": said}]}],
    )


def not_found(message: str = "Requested entity was not found.") -> ApiError:
    """404."""
    return ApiError(404, "NOT_FOUND", message)
