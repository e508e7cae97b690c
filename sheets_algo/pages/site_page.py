"""The pages of a season's site: HTML and Atom from templates and plain data, previews for links, permanent addresses.

A page runs no script and requests only its style sheet and pictures beside it; all texts are escaped.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from engine.columns import loosely
from engine.receipt import Block, Line, ReceiptText
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


_ESCAPED = re.compile(r"&#(\d{2,3});")
_ITEM = re.compile(r"(?:'''(.*?):''' )?(.*)", re.DOTALL)
TITLE, HEADING, BULLET = re.compile(r"== (.*) =="), re.compile(r"=== (.*) ==="), "* "
BOLD = "'''"


def read_receipt(wiki: str) -> ReceiptText:
    """Return a receipt, as `ReceiptText.wiki` wrote it.

    An unknown line is kept as text. Markup inside texts, which was escaped (RCP-08),
    is shown as it was typed.
    """
    title, account, blocks = "", list[str](), [Block("", ())]
    for line in wiki.split("\n"):
        if match := HEADING.fullmatch(line):
            blocks.append(Block(_literal(match[1]), ()))
        elif not title and (match := TITLE.fullmatch(line)):
            title = _literal(match[1])
        elif blocks == [Block("", ())] and line and not line.startswith(BULLET):
            account.append(_literal(line.removeprefix(BOLD).removesuffix(BOLD)))
        elif line:
            label, text = _ITEM.fullmatch(line.removeprefix(BULLET)).groups()  # type: ignore[union-attr] # all optional
            item = Line(_literal(label or ""), _literal(text))
            blocks[-1] = Block(blocks[-1].heading, (*blocks[-1].lines, item))
    return ReceiptText(title, tuple(block for block in blocks if block.heading or block.lines), tuple(account))


def _literal(text: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1])), text)


LONGEST = 60
"""Maximum number of characters of an address without its ending."""
PORTS = tuple(f"{port}{number}" for port in ("com", "lpt") for number in range(10))
RESERVED = ("index", "con", "prn", "aux", "nul", *PORTS)
"""Reserved addresses: those of lists, and those of Windows."""


def addresses(names: Iterable[str]) -> dict[str, str]:
    """Return an address for each name, in lower case; of equal ones the first keeps it.

    Args:
        names: Names in the order of the season, so that a later one changes no earlier address.
    """
    by_name: dict[str, str] = {}
    taken = set(RESERVED)
    counts: dict[str, int] = {}
    for name in dict.fromkeys(names):
        plain = unicodedata.normalize("NFKD", name[:1_000]).encode("ascii", "ignore").decode().casefold()
        stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST].strip("-") or "page"
        address = stem
        while address in taken:
            counts[stem] = counts.get(stem, 1) + 1
            address = f"{stem}-{counts[stem]}"
        taken.add(address)
        by_name[name] = address
    return by_name


def war_addresses(rulings: Iterable[tuple[int, str]]) -> Mapping[int, str]:
    """Return the address of each ruling's page by the number of its receipt; a second ruling of a war has another.

    Args:
        rulings: Number and request of each ruling that everybody may read, in order.
    """
    times: dict[str, int] = {}
    names: dict[int, str] = {}
    for seq, request in rulings:
        number = times[loosely(request)] = times.get(loosely(request), 0) + 1
        names[seq] = request if number == 1 else f"{request} {number}"
    by_name = addresses(names.values())
    return {seq: by_name[name] for seq, name in names.items()}
