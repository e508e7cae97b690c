"""A file of a site, and the places of some."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

SEASON_PICTURE = "season.png"
"""Place of the picture of the season."""
VERIFY_PAGE = "verify/index.html"
"""Place of the page on which players verify receipts, if there is one."""


@dataclass(frozen=True, slots=True)
class SiteFile:
    """A file of a site."""

    path: str  # Its place in the folder of the site, with slashes
    key: str  # A digest of the content's dependencies
    make: Callable[[], bytes] = field(compare=False)  # Returns the content


def key_of(content: bytes) -> str:
    """Return the key of a file that depends only on its content."""
    return hashlib.sha256(content).hexdigest()
