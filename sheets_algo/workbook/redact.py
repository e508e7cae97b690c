"""Sanitising of text before it is shown: removal of credentials, and of characters that control a terminal.

Titles, names and cells are written by people, and messages of libraries may quote credentials.
"""

from __future__ import annotations

import json
import re
from typing import Any

_SECRETS = (
    re.compile(r"-----BEGIN.*?(-----END[^-]*-----|$)", re.DOTALL),
    re.compile(r"\beyJ[-\w]+(\.[-\w]+)*"),  # a JWT
    re.compile(r"\bya29\.[-\w.]+"),  # Google's access tokens
    re.compile(r"(?i)\bbearer\s+[-\w.~+/=]{12,}"),
    re.compile(r"(?i)\bwebhooks/\d+/[-\w]+"),  # addresses of Discord's webhooks
    re.compile(r"(?i)\b(assertion|access_token|private_key|refresh_token|client_secret)\b\W*[-\w.~+/=]+"),
)


def redact(text: str) -> str:
    """Replace everything that looks like a key, a token or an assertion by `…`."""
    for secret in _SECRETS:
        text = secret.sub("…", text)
    return text


def printable(text: str) -> str:
    """Replace each character that controls a terminal by a space; line breaks stay."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else " " for char in text)


def one_line(text: str) -> str:
    """Return the text on one line, without control characters or repeated spaces."""
    return " ".join(printable(text).split())


def json_text(data: Any, indent: int | None = None) -> str:
    """Return data as JSON in ASCII, the same text in every encoding; other characters are escaped."""
    return json.dumps(data, indent=indent, default=str)
