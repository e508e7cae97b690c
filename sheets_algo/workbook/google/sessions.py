"""How connections are made: how long they may take to come about, and through which door they go."""

from __future__ import annotations

from urllib.parse import urlsplit

import requests

CONNECT_S = 10.0
"""How long a connection may take to come about."""


def session(url: str) -> requests.Session:
    """A session for requests to `url`: a server on this machine is not asked through a proxy."""
    made = requests.Session()
    made.trust_env = not is_here(url)
    made.auth = _as_it_is
    return made


def is_here(url: str) -> bool:
    """Whether an address is this machine's own."""
    return urlsplit(url).hostname in ("127.0.0.1", "localhost", "::1")


def _as_it_is(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Keeps a password that ~/.netrc has for any host from taking the token's place."""
    return request
