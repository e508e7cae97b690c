"""A channel that is a wiki of MediaWiki: a page for each receipt, or a section on one page, each exactly once.

A receipt carries a comment with its mark. Whether it is there is read from the page, so a lost answer is no matter. A
new page is made with `createonly`. An existing one is changed section by section, on the revision that was read: an
edit of a whole page would overwrite later edits of the same account, since MediaWiki sees no conflict in them. Shapes:
https://www.mediawiki.org/wiki/API:Edit, API:Parse, API:Revisions and API:Login.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlsplit

import requests

from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.channel import Channel, NotSent, Post, PostRefused, Unanswered
from sheets_algo.posting.http import TIMEOUT_S, hide_addresses, in_time
from sheets_algo.posting.secret import ChannelSecret, read_secret, secret_warning
from sheets_algo.workbook.findings import Finding, ok, warn
from sheets_algo.workbook.redact import one_line

API = "/api.php"
MAXLAG_S = 5
"""Seconds that the wiki's copies may lag behind before it asks to wait."""
REQUEST_S = (10.0, 30.0)
"""Most seconds for a connection, and for a pause in an answer."""
NOT_IN_TITLES = re.compile(r"[#<>\[\]|{}_:/\x00-\x20\x7f\ufffd]+|~{3,}|%(?=[0-9A-Fa-f]{2})|&(?=#?\w+;)")
"""What may not stand in a title, or would make it one of another place."""
TITLE_MOST = 255
"""Most bytes of a title."""
LATER = {"ratelimited", "actionthrottledtext", "readonly", "maxlag", "editconflict", "badtoken", "unknownerror"}
"""Codes of errors after which another attempt may succeed, beside those of the wiki itself."""
LINK = "The war on the season's site"
"""What the link to the war's page is called."""
MISSING = "the extra is missing: pip install 'sheets-algo[wiki]'"


@dataclass(frozen=True)
class WikiChannel(Channel):
    """A channel that writes into a wiki.

    Args:
        settings: Its settings.
        timeout_s: Most seconds for a post, with all its requests.
    """

    is_repeatable: ClassVar[bool] = True
    settings: ChannelSettings
    timeout_s: float = TIMEOUT_S

    def send(self, post: Post, former: str = "") -> str:
        """Write a receipt, unless it is there; return the title of its page."""
        title = title_of(self.settings.page, post)
        is_page_each = self.settings.is_page_each
        if is_page_each and former:  # below what was posted of the war before
            title, is_page_each = former, False
        return self._in_time(lambda wiki: wiki.write(title, post, is_page_each))

    def correct(self, post: Post, reference: str, former: str = "") -> str:
        """Write an undo below the mark of its ruling, unless it is there."""
        ruling = post.undoes
        if ruling is None:
            return self.send(post)
        title = reference or title_of(self.settings.page, ruling)
        return self._in_time(lambda wiki: wiki.correct(title, post, ruling))

    def examine(self) -> Iterator[Finding]:
        """Log in, and yield whether the account may edit; nothing is written."""
        name = f"post: {self.settings.name}"
        if warning := secret_warning(self.settings):
            yield warn(name, warning)
        try:
            rights = self._in_time(lambda wiki: " ".join(wiki.rights))
        except (NotSent, PostRefused, Unanswered) as error:
            yield warn(name, str(error))
            return
        needed = ["edit", "createpage", *(["bot"] if self.settings.bot else [])]
        if missing := [right for right in needed if right not in rights.split()]:
            yield warn(name, f"{self.settings.user} is logged in, but lacks the right {' and '.join(missing)}.")
        else:
            yield ok(name, f"{self.settings.user} is logged in and may edit; nothing was written.")

    def _in_time(self, work: Any) -> str:
        """Log in and do something, within a time; turn every error into one of a channel, without the secret."""
        secret = read_secret(self.settings)
        hide_addresses()
        found = in_time(lambda: work(_Wiki(self.settings, secret)), self.timeout_s)
        if found is None:
            raise Unanswered(f"The wiki did not answer within {self.timeout_s:g} seconds.")
        if isinstance(found, Exception):
            raise _error(found, self.settings, secret) from None
        return str(found)


class _Wiki:
    """A wiki with a session that is logged in."""

    def __init__(self, settings: ChannelSettings, secret: ChannelSecret) -> None:
        import mwclient  # an extra

        address = urlsplit(settings.address)
        self._site = mwclient.Site(
            address.netloc,
            path=address.path.removesuffix(API.removeprefix("/")),
            scheme=address.scheme,
            max_retries=0,  # the poster tries again
            do_init=False,
            clients_useragent="sheets-algo",
            connection_options={"timeout": REQUEST_S, "allow_redirects": False},
        )
        self._site.login(settings.user, secret.text)
        self._always = {"assert": "bot" if settings.bot else "user", "maxlag": MAXLAG_S}

    @property
    def rights(self) -> tuple[str, ...]:
        """Return the rights of the account."""
        return tuple(self._site.rights)

    def write(self, title: str, post: Post, is_page_each: bool) -> str:
        """Write a receipt as a page of its own, or as the last section of a page; return the title."""
        page = self._read(title)
        if _mark(post) in page.text:
            return page.title
        link = f"\n* [{post.link} {LINK}]" if post.link else ""
        whole = post.text or post.wiki + link
        heading, _, rest = whole.partition("\n")
        if page.revision is None:
            text = f"{_mark(post)}\n{whole}" if is_page_each else f"{heading}\n{_mark(post)}\n{rest}"
            self._edit(page, post, text, createonly=1)
        elif is_page_each:
            raise PostRefused(f'The page "{page.title}" is there already, and not by this receipt: rename one of them.')
        else:
            start, _, index = page.last_section
            self._edit(page, post, f"{page.part(start).rstrip()}\n\n{heading}\n{_mark(post)}\n{rest}", section=index)
        return page.title

    def correct(self, title: str, post: Post, ruling: Post) -> str:
        """Write an undo below the mark of its ruling, or at the end of the page if that is gone; return the title."""
        page = self._read(title)
        if _mark(post) in page.text:
            return page.title
        line = f"\n: '''{one_line(post.text or post.wiki)}''' {_mark(post)}"
        place = page.text.find(_mark(ruling))
        if page.revision is None:
            raise PostRefused(f'The page "{page.title}" with the receipt is gone, so there is nothing to correct.')
        start, end, index = page.last_section if place < 0 else page.section_at(place)
        part = page.part(start, end)
        below = part.replace(_mark(ruling), f"{_mark(ruling)}{line}", 1)
        self._edit(page, post, f"{part.rstrip()}\n{line}" if place < 0 else below, section=index)
        return page.title

    def _read(self, title: str) -> _Page:
        """Return a page as it is now; of one that was moved, the new one."""
        found = self._call(
            "GET", "query", prop="revisions", titles=title, rvprop="ids|content", rvslots="main", redirects=1
        )
        (page,) = found["query"]["pages"].values()
        if "invalid" in page or "special" in page:
            raise PostRefused(f'"{one_line(title)[:100]}" cannot be the title of a page.')
        if "revisions" not in page:
            return _Page(page["title"], None, "", ())
        (revision,) = page["revisions"]
        text, id = str(revision["slots"]["main"]["*"]), int(revision["revid"])
        parsed = self._call("GET", "parse", oldid=id, prop="sections")["parse"]["sections"]
        own = (item for item in parsed if str(item["index"]).isdecimal() and item["byteoffset"] is not None)
        # The offset counts characters, whatever its name says.
        sections = tuple((int(item["byteoffset"]), int(item["level"]), int(item["index"])) for item in own)
        return _Page(page["title"], id, text, sections)

    def _edit(self, page: _Page, post: Post, text: str, **how: Any) -> None:
        """Change a page, or a section of it, if it is still as it was read."""
        summary = one_line(f"{post.request}: {post.title}")[:200]
        base = {} if page.revision is None else {"baserevid": page.revision, "nocreate": 1}
        found = self._call(
            "POST",
            "edit",
            title=page.title,
            text=text,
            md5=hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(),
            summary=summary,
            bot=1,
            watchlist="nochange",
            token=self._site.get_token("csrf"),
            **base,
            **how,
        )["edit"]
        if found.get("result") != "Success":
            says = one_line(str(found.get("info") or found.get("code") or ", ".join(found)))[:200]
            raise PostRefused(f"The wiki refuses the edit ({says}).")

    def _call(self, method: str, action: str, **arguments: Any) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self._site.api(action, method, **arguments, **self._always)
        return found


@dataclass(frozen=True, slots=True)
class _Page:
    """A page as it was read.

    Args:
        title: Its title.
        revision: Its revision; None if there is no such page.
        text: Its wikitext.
        sections: Place, level and number of each section.
    """

    title: str
    revision: int | None
    text: str
    sections: tuple[tuple[int, int, int], ...]

    def part(self, start: int, end: int | None = None) -> str:
        """Return the text of a section between two places."""
        part = self.text[start:end]
        if start and not part.startswith("="):
            raise PostRefused(f'The sections of "{self.title}" cannot be told apart.')
        return part

    @property
    def last_section(self) -> tuple[int, int | None, int]:
        """Return begin, end and number of the last section; of the whole text if it has no headings."""
        start, _, index = self.sections[-1] if self.sections else (0, 0, 0)
        return start, None, index

    def section_at(self, place: int) -> tuple[int, int | None, int]:
        """Return begin, end and number of the innermost section around a place."""
        before = [section for section in self.sections if section[0] <= place]
        start, level, index = before[-1] if before else (0, 9, 0)
        end = next((at for at, its_level, _ in self.sections if at > start and its_level <= level), None)
        if not before:
            end = self.sections[0][0] if self.sections else None
        return start, end, index


def title_of(page: str, post: Post) -> str:
    """Return the title of a receipt's page: names in it lead to no other namespace, page or section."""
    title = page
    for name, text in (("request", post.request), ("war", post.war)):
        title = title.replace("{" + name + "}", NOT_IN_TITLES.sub(" ", text).strip())
    title = " ".join(title.split())
    return title.encode()[:TITLE_MOST].decode(errors="ignore").rstrip()


def _mark(post: Post) -> str:
    return f"<!-- sheets-algo {post.mark} -->"


def _error(error: Exception, settings: ChannelSettings, secret: ChannelSecret) -> NotSent | PostRefused | Unanswered:
    """Return the error of a channel for one of a library, in a sentence without the secret."""
    if isinstance(error, NotSent | PostRefused | Unanswered):
        return error
    if isinstance(error, ImportError):
        return NotSent(f"{settings.name}: {MISSING}.")
    from mwclient import errors

    if isinstance(error, errors.LoginError):
        return PostRefused(f"The wiki refuses the login of {settings.user}: check user and bot password.")
    if isinstance(error, errors.APIError):
        code, says = str(error.code or ""), secret.without(one_line(str(error.info or "")))[:200]
        if code in LATER or code.startswith("internal_api_error"):
            return NotSent(f"The wiki asks for another attempt ({code}: {says}).")
        return PostRefused(f"The wiki refuses it ({code}: {says}).")
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return NotSent(f"The wiki answered with the status {error.response.status_code}.")
    return Unanswered(f"The answer of the wiki broke off, or was none ({type(error).__name__}).")
