"""A session with a wiki: pages are read with their sections, and changed only on the revision read.

A receipt carries a comment with its mark. The page itself shows whether it is there, so a lost answer does no harm. A
new page is made with `createonly`. An existing one is changed section by section, on the revision that was read: an
edit of a whole page would overwrite later edits of the same account, since MediaWiki sees no conflict in them. Shapes:
https://www.mediawiki.org/wiki/API:Edit, API:Parse, API:Revisions, API:Login, API:Upload and API:Allimages;
codes of errors: https://www.mediawiki.org/wiki/API:Errors_and_warnings.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import requests

from engine.receipt import without_markup
from sheets_algo.config.installation import missing
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.channel import ChannelSecret, NationNow, NotReady, NotSent, Post, PostRefused, Unanswered
from sheets_algo.workbook.redact import one_line

API = "/api.php"
MAXLAG_S = 5
"""Seconds that the wiki's copies may lag behind before it asks to wait."""
REQUEST_S = (10.0, 30.0)
"""Maximum seconds for a connection, and for a pause in an answer."""
LINK = "The war on the season's site"
"""Label of the link to the war's page."""


def mark_of_post(post: Post) -> str:
    """Return the comment that marks a post on its page."""
    return f"<!-- sheets-algo {post.mark} -->"


class WikiSession:
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
        self.remarks: list[str] = []
        self._settings, self._secret = settings, secret
        self._always = {"assert": "bot" if settings.bot else "user", "maxlag": MAXLAG_S}

    @property
    def rights(self) -> tuple[str, ...]:
        """Return the rights of the account."""
        return tuple(self._site.rights)

    def write(self, title: str, post: Post, is_page_each: bool) -> str:
        """Write a receipt as a page of its own, or as the last section of a page; return the title."""
        page = self._read(title)
        if mark_of_post(post) in page.text:
            return page.title
        link = f"\n* [{post.link} {LINK}]" if post.link else ""
        whole = post.text or post.wiki + link
        heading, _, rest = whole.partition("\n")
        if post.picture and self._settings.picture:
            with self._remarking("The picture"):
                picture = f"[[File:{self._upload(post.picture)}|thumb]]\n"
                whole, rest = picture + whole, picture + rest
        if page.revision is None:
            text = f"{mark_of_post(post)}\n{whole}" if is_page_each else f"{heading}\n{mark_of_post(post)}\n{rest}"
            self._edit(page, post, text, createonly=1)
        elif is_page_each:
            raise PostRefused(f'The page "{page.title}" is there already, and not by this receipt: rename one of them.')
        else:
            start, _, index = page.last_section
            self._edit(
                page, post, f"{page.part(start).rstrip()}\n\n{heading}\n{mark_of_post(post)}\n{rest}", section=index
            )
        return page.title

    def correct(self, title: str, post: Post, ruling: Post) -> str:
        """Write an undo below the mark of its ruling, or at the end of the page if that is gone; return the title."""
        page = self._read(title)
        if mark_of_post(post) in page.text:
            return page.title
        line = f"\n: '''{one_line(post.text or post.wiki)}''' {mark_of_post(post)}"
        place = page.text.find(mark_of_post(ruling))
        if page.revision is None:
            raise PostRefused(f'The page "{page.title}" with the receipt is gone, so there is nothing to correct.')
        start, end, index = page.last_section if place < 0 else page.section_at(place)
        part = page.part(start, end)
        below = part.replace(mark_of_post(ruling), f"{mark_of_post(ruling)}{line}", 1)
        self._edit(page, post, f"{part.rstrip()}\n{line}" if place < 0 else below, section=index)
        return page.title

    def update_nation(self, title: str, nation: NationNow, post: Post) -> None:
        """Write Stability and last war of a nation into parameters of the template on its page, and nothing else."""
        template = self._settings.nation_template
        values = {
            self._settings.nation_stability: without_markup(nation.stability),
            self._settings.nation_war: without_markup(nation.war),
        }
        with self._remarking(f'"{title}"'):
            page = self._read(title)
            text = None if page.revision is None else with_parameters(page.text, template, values)
            if text is None:
                why = "is not there" if page.revision is None else f"does not have {{{{{template}}}}} exactly once"
                self.remarks.append(f'The page "{page.title}" {why}: nothing was written there.')
            elif text != page.text:
                self._edit(page, post, *page.changed_section(text))

    @contextmanager
    def _remarking(self, what: str) -> Iterator[None]:
        """Turn a refusal of an addition to the receipt into a remark, since the receipt itself is posted."""
        try:
            yield
        except Exception as error:
            problem = wiki_error(error, self._settings, self._secret)
            if not isinstance(problem, PostRefused):
                raise
            self.remarks.append(f"{what}: {problem}")

    def _upload(self, picture: bytes) -> str:
        """Return the name of a picture on the wiki, which is uploaded unless it exists."""
        digest = hashlib.sha1(picture, usedforsecurity=False).hexdigest()  # the wiki knows files by it
        images = self._call("GET", "query", list="allimages", aisha1=digest, ailimit=1)["query"]["allimages"]
        if images:
            return str(images[0]["name"]).replace("_", " ")
        name = f"Sheets-algo {digest[:16]}.png"
        given: dict[str, Any] = {"action": "upload", "format": "json", "filename": name, "ignorewarnings": 1}
        given |= {"comment": "Map of a battle", "text": "", "token": self._site.get_token("csrf"), **self._always}
        reply = json.loads(self._site.raw_call("api", given, {"file": (name, picture)}))
        if reply.get("error", {}).get("code") != "fileexists-no-change":  # an upload whose answer was lost
            self._site.handle_api_result(reply)
            if reply.get("upload", {}).get("result") != "Success":
                raise PostRefused(f"The wiki refuses the picture ({one_line(', '.join(reply.get('upload', reply)))}).")
        return name

    def _read(self, title: str) -> WikiPage:
        """Return the current page; for a moved page, its target."""
        reply = self._call(
            "GET", "query", prop="revisions", titles=title, rvprop="ids|content", rvslots="main", redirects=1
        )
        (page,) = reply["query"]["pages"].values()
        for moved in reply["query"].get("redirects", ()):
            self.remarks.append(f'"{moved["from"]}" was moved to "{moved["to"]}": correct page in the settings.')
        if "invalid" in page or "special" in page:
            raise PostRefused(f'"{one_line(title)[:100]}" cannot be the title of a page.')
        if "revisions" not in page:
            return WikiPage(page["title"], None, "", ())
        (revision,) = page["revisions"]
        text, id = str(revision["slots"]["main"]["*"]), int(revision["revid"])
        parsed = self._call("GET", "parse", oldid=id, prop="sections")["parse"]["sections"]
        headings = (item for item in parsed if str(item["index"]).isdecimal() and item["byteoffset"] is not None)
        # The offset counts characters, whatever its name says.
        sections = tuple((int(item["byteoffset"]), int(item["level"]), int(item["index"])) for item in headings)
        return WikiPage(page["title"], id, text, sections)

    def _edit(self, page: WikiPage, post: Post, text: str, section: int | None = None, **how: Any) -> None:
        """Change a page, or a section of it, unless it was edited after the reading."""
        how |= {} if section is None else {"section": section}
        summary = one_line(f"{post.request}: {post.title}")[:200]
        base = {} if page.revision is None else {"baserevid": page.revision, "nocreate": 1}
        reply = self._call(
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
        if reply.get("result") != "Success":
            raise refused_edit(reply)

    def _call(self, method: str, action: str, **arguments: Any) -> Mapping[str, Any]:
        reply: Mapping[str, Any] = self._site.api(action, method, **arguments, **self._always)
        return reply


@dataclass(frozen=True, slots=True)
class WikiPage:
    """One revision of a page."""

    title: str
    revision: int | None  # Its revision; None if there is no such page
    text: str  # Its wikitext
    sections: tuple[tuple[int, int, int], ...]  # Place, level and number of each section

    def part(self, start: int, end: int | None = None) -> str:
        """Return the text of a section between two places."""
        part = self.text[start:end]
        if start and not part.startswith("="):
            raise PostRefused(f'The sections of "{self.title}" cannot be distinguished.')
        return part

    def changed_section(self, text: str) -> tuple[str, int | None]:
        """Return the edit that gives the page another text: of the only changed section, or of the whole page.

        Below a section that is written the wiki leaves one blank line; where there is none, the whole page is written.
        """
        place = next((at for at, (old, new) in enumerate(zip(self.text, text, strict=False)) if old != new), 0)
        start, end, index = self.section_at(place)
        rest = "" if end is None else self.text[end:]
        part = text[start : len(text) - len(rest)]
        is_joined_alike = not rest or part == f"{part.rstrip()}\n\n"
        return (part.rstrip(), index) if is_joined_alike and text.endswith(rest) else (text, None)

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


def with_parameters(text: str, template: str, values: Mapping[str, str]) -> str | None:
    """Return a wiki text in which parameters of a template have new values; one that is missing is added.

    Args:
        values: The values by parameter, in wiki markup without pipes.

    Returns:
        The text, or None unless it has the template exactly once.

    Raises:
        ImportError: The library that reads wiki texts is not installed.
    """
    import mwparserfromhell  # an extra

    code = mwparserfromhell.parse(text)
    templates = [each for each in code.filter_templates() if each.name.matches(template)]
    if len(templates) != 1:
        return None
    for name, value in values.items():
        templates[0].add(name, value, preserve_spacing=True)
    return str(code)


READ_AGAIN = "Somebody made, moved or deleted the page in the same moment, so it is read again"
ASKS_AGAIN = "The wiki asks for another attempt"
LATER = {
    "ratelimited": "The wiki limits how often the account may edit, so it is written later",
    "actionthrottledtext": "The wiki limits how often the account may edit, so it is written later",
    "readonly": "The wiki cannot be edited now, so it is written later",
    "maxlag": "The wiki is busy, so it is written later",
    "editconflict": "Somebody edited the page in the same moment, so it is read again",
    "articleexists": READ_AGAIN,
    "missingtitle": READ_AGAIN,
    "badtoken": ASKS_AGAIN,
    "unknownerror": ASKS_AGAIN,
}
"""Codes of temporary errors, with the sentence for each."""
NO_PASSWORD = ("NeedToken", "WrongToken", "Throttled", "Aborted")
"""Results of a login that do not concern the password."""
REFUSALS = {
    "protected": "The page is protected: let the account edit it, or name another page",
    "cascadeprotected": "The page is protected: let the account edit it, or name another page",
    "titleblacklist": "The wiki forbids this title: name another page",
    "abusefilter": "A filter of the wiki refuses the text: ask an administrator to leave the account out of it",
    "spam": "A filter of the wiki refuses the text: ask an administrator to leave the account out of it",
    "blocked": "The account is blocked: ask an administrator of the wiki",
    "autoblocked": "The account is blocked: ask an administrator of the wiki",
    "captcha": "The wiki asks for a captcha: ask an administrator to give the account the right skipcaptcha",
    "contenttoobig": 'The page is full: archive sections, or write a page for each receipt: page = "Wars/{request}"',
    "confirmemail": "The wiki wants a confirmed e-mail address: confirm it in the account's preferences",
    "cantcreate": "The account may not make pages: tick Create, edit, and move pages in Special:BotPasswords",
    "assert": "The account is not logged in as it should be: check its right bot, or write bot = false",
    "uploaddisabled": "The wiki takes no pictures: write picture = false",
    "permissiondenied": "The account lacks a right: tick it in Special:BotPasswords, or ask an administrator",
}
"""Prefixes of error codes, with the sentence for each."""


def refused_edit(reply: Mapping[str, Any]) -> PostRefused:
    """Return the error of an edit that the wiki silently refused, by a captcha or a filter."""
    code = next((name for name in reply if name in REFUSALS), "")
    says = one_line(str(reply.get("info") or reply.get("code") or ", ".join(reply)))[:200]
    return PostRefused(f"{REFUSALS[code] if code else 'The wiki refuses the edit'} ({says}).")


def wiki_error(
    error: Exception, settings: ChannelSettings, secret: ChannelSecret
) -> NotSent | PostRefused | Unanswered:
    """Return the error of a channel for one of a library, in a sentence without the secret."""
    if isinstance(error, NotSent | PostRefused | Unanswered):
        return error
    if isinstance(error, ImportError):
        return NotReady(f"{settings.name}: {missing('What talks to wikis', 'wiki')}")
    from mwclient import errors

    if isinstance(error, errors.LoginError) and error.code in NO_PASSWORD:
        return NotSent(f"The wiki asks for another login ({one_line(str(error.code))[:50]}).")
    if isinstance(error, errors.LoginError):
        return PostRefused(f"The wiki refuses the login of {settings.user}: check user and bot password.")
    if isinstance(error, errors.APIError):
        code, says = str(error.code or ""), secret.without(one_line(str(error.info or "")))[:200]
        if code in LATER or code.startswith("internal_api_error"):
            return NotSent(f"{LATER.get(code, ASKS_AGAIN)} ({code}: {says}).")
        advice = next((advice for start, advice in REFUSALS.items() if code.startswith(start)), "The wiki refuses it")
        return PostRefused(f"{advice} ({code}: {says}).")
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return NotSent(f"The wiki answered with the status {error.response.status_code}.")
    return Unanswered(f"The answer of the wiki broke off, or was none ({type(error).__name__}).")
