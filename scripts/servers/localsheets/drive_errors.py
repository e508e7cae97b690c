"""Errors in Drive's format: with a list of reasons."""

from __future__ import annotations

from typing import Any

from localsheets.calls import Answer
from localsheets.errors import ApiError

REASONS = {
    400: "badRequest", 401: "authError", 403: "insufficientFilePermissions", 404: "notFound", 429: "rateLimitExceeded",
    500: "internalError", 503: "backendError",
}  # fmt: skip


class DriveError(Exception):
    """An answer of Drive other than 200.

    Attributes:
        code: The HTTP status.
        reason: Drive's name of the error, "notFound".
        domain: "global", or "usageLimits" for exceeded limits.
        location: The parameter that is meant, if one is.
        more: Fields that newer errors add: status, details.
    """

    def __init__(
        self,
        code: int,
        reason: str,
        message: str,
        domain: str = "global",
        location: str | None = None,
        more: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
        self.domain = domain
        self.location = location
        self.more = more or {}

    @classmethod
    def of(cls, error: ApiError) -> DriveError:
        """Return Drive's error for one of the Sheets API."""
        more: dict[str, Any] = {"status": error.status} if error.code == 401 or error.details else {}
        if error.details:
            more["details"] = error.details
        match error.code, error.status:
            case 401, _:
                return cls(401, "authError", error.message, location="Authorization", more=more)
            case 429, _:
                return cls(429, "rateLimitExceeded", "Rate Limit Exceeded", "usageLimits")
            case 403, "RESOURCE_EXHAUSTED":
                return cls(403, "userRateLimitExceeded", "User Rate Limit Exceeded.", "usageLimits")
            case 403, _ if error.details:
                disabled = "disabled" in error.message
                domain = "usageLimits" if disabled else "global"
                reason = "accessNotConfigured" if disabled else "insufficientPermissions"
                return cls(403, reason, error.message, domain, more=more)
        return cls(error.code, REASONS.get(error.code, "backendError"), error.message, more=more)

    def answer(self) -> Answer:
        """Return the answer with the error as JSON."""
        first: dict[str, Any] = {"message": self.message, "domain": self.domain, "reason": self.reason}
        if self.location:
            is_header = self.location == "Authorization"
            first |= {"location": self.location, "locationType": "header" if is_header else "parameter"}
        error = {"code": self.code, "message": self.message, "errors": [first], **self.more}
        return Answer.of({"error": error}, self.code)


def not_found(id: str) -> DriveError:
    """Return the error for a file that does not exist, or that the caller may not see."""
    return DriveError(404, "notFound", f"File not found: {id}.", location="fileId")


def not_allowed(message: str = "The user does not have sufficient permissions for this file.") -> DriveError:
    """Return the error for a caller who sees the file and may not do that with it."""
    return DriveError(403, "insufficientFilePermissions", message)
