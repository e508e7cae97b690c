"""How connections are made: how long they may take to come about, and through which door they go."""

from __future__ import annotations

from ipaddress import ip_address

import requests
from urllib3.exceptions import LocationParseError
from urllib3.util import Url, parse_url

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
    host = _parts(url).host or ""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.casefold() == "localhost"


def is_open(url: str) -> bool:
    """Whether others on the way could read what is sent to an address."""
    return _parts(url).scheme == "http" and not is_here(url)


def _parts(url: str) -> Url:
    """An address as requests takes it apart, so that both see the same host; nothing of one that is none."""
    try:
        return parse_url(url)
    except LocationParseError:
        return Url()


def _as_it_is(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Keeps a password that ~/.netrc has for any host from taking the token's place."""
    return request
