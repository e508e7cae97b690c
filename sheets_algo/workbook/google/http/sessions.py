"""HTTP sessions for requests to Google: the connect timeout, and when a proxy is used."""

from __future__ import annotations

from ipaddress import ip_address

import requests
from urllib3.exceptions import LocationParseError
from urllib3.util import Url, parse_url

PIECE = 2**20
MOST_BYTES = 32 * PIECE
"""The longest answer that is read, about 100,000 requests: a spreadsheet must not take the memory of all others."""
CONNECT_S = 10.0
"""Longest time to open a connection, in seconds."""


class AnswerTooLong(OSError):
    """An answer is longer than any that a game needs."""


def whole(response: requests.Response) -> requests.Response:
    """Return a streamed answer with its body.

    Raises:
        AnswerTooLong: It has more than `MOST_BYTES`, unpacked; the rest is not read.
    """
    pieces, size = [], 0
    for piece in response.iter_content(PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > MOST_BYTES:
            response.close()
            raise AnswerTooLong
    response._content = b"".join(pieces)  # where `content` keeps what it has read itself
    return response


def session(url: str) -> requests.Session:
    """Return a session for requests to `url`, which uses no proxy for a server on this machine."""
    session_ = requests.Session()
    session_.trust_env = not is_local(url)
    session_.auth = _keep_headers
    return session_


def is_local(url: str) -> bool:
    """Return True if an address is on this machine."""
    host = _parts(url).host or ""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.casefold() == "localhost"


def is_unencrypted(url: str) -> bool:
    """Return True if others on the network could read what is sent to an address."""
    return _parts(url).scheme == "http" and not is_local(url)


def _parts(url: str) -> Url:
    """Parse an address as requests does, so that both see the same host; return an empty Url if it is malformed."""
    try:
        return parse_url(url)
    except LocationParseError:
        return Url()


def _keep_headers(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Keep a password in ~/.netrc from replacing the token."""
    return request
