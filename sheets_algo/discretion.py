"""Words that may be shown: no credentials, which a library might quote, and nothing that a terminal would obey.

Titles, names and cells are written by people. What they hold goes through here just before it is printed.
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
    re.compile(r"(?i)\b(assertion|access_token|private_key|refresh_token|client_secret)\b\W*[-\w.~+/=]+"),
)


def discreet(text: str) -> str:
    """A text with `…` for everything that looks like a key, a token or an assertion."""
    for secret in _SECRETS:
        text = secret.sub("…", text)
    return text


def printable(text: str) -> str:
    """A text with a blank for each sign that a terminal obeys instead of showing it; line breaks stay."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in text)


def one_line(text: str) -> str:
    """Likewise, on one line, with one blank at a time."""
    return " ".join(printable(text).split())


def json_text(data: Any, indent: int | None = None) -> str:
    """Data as JSON, in which such signs are escaped."""
    text = json.dumps(data, ensure_ascii=False, indent=indent, default=str)
    return "".join(sign if sign.isprintable() or sign == "\n" else json.dumps(sign)[1:-1] for sign in text)
