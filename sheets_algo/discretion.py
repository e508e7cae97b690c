"""Words without credentials: nothing of ours says any, but a library or an answer that is quoted might."""

from __future__ import annotations

import re

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
