"""The pages of a season's site: HTML and Atom from templates and plain data, with previews for links (Open Graph).

A page runs no script and requests only its style sheet and pictures beside it; all texts are escaped.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from sheets_algo.pages.html import asset, environment

NAME_MOST = 80
"""Maximum number of characters of a name in a table or a link; a page of its own shows more."""
TEXT_MOST = 1_000
"""Maximum number of characters of one line of a receipt or a log; the CSV files have all of it."""
_UNSHOWN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
"""Characters that neither HTML nor XML may hold."""


def site_page(template: str, data: Mapping[str, Any]) -> str:
    """Return a page."""
    return _UNSHOWN.sub("\ufffd", _environment().get_template(template).render(data))


@cache
def site_style() -> str:
    """Return the style sheet of a site: that of replay pages, with rules for its own pages."""
    return "".join(map(asset, ("page.css", "site/site.css")))


@cache
def templates_digest() -> str:
    """Return a digest of all templates, which tells when pages must be rewritten."""
    folder = files("sheets_algo.pages").joinpath("site")
    texts = (f"{file.name}\0{file.read_text('utf-8')}" for file in sorted(folder.iterdir(), key=lambda file: file.name))
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def shortened_name(text: str, most: int = NAME_MOST) -> str:
    """Return a text of at most so many characters, with an ellipsis if it is longer."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _count(number: int | None) -> str:
    return "–" if number is None else f"{number:,}"


@cache
def _environment() -> Environment:
    site = environment("site")
    site.filters |= {"short": shortened_name, "count": _count}
    site.globals["text_most"] = TEXT_MOST
    return site


MOST = 300
"""Maximum number of characters of title and text; chats show fewer."""


def picture_address(site: str, page: str, picture: str) -> str:
    """Return the address of a picture of a site.

    Args:
        site: The address of the site; blank if unknown, for the path from the page.
    """
    return f"{site}/{picture}" if site else f"{'../' * page.count('/')}{picture}"


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a page."""

    title: str
    text: str  # A sentence, or a few
    picture: str = ""  # The address of its picture; blank for none. Most chats want all of it, not only the path.

    def tags(self) -> Markup:
        """Return the tags for the head of the page."""
        title, text = (shortened_name(text, MOST) for text in (self.title, self.text))
        card = "summary_large_image" if self.picture else ""
        named = [
            ("name", "description", text),
            ("property", "og:title", title),
            ("property", "og:description", text),
            ("property", "og:image", self.picture),
            ("name", "twitter:card", card),
        ]
        return Markup("\n").join(Markup('<meta {}="{}" content="{}">').format(*tag) for tag in named if tag[2])
