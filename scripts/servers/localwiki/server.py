"""The api.php of a MediaWiki on this machine: login, pages, sections, edits, uploads, and ways to fail.

Shapes from https://www.mediawiki.org/wiki/API:Login, API:Tokens, API:Revisions, API:Parse, API:Edit, API:Upload,
API:Allimages and API:Errors_and_warnings; how edits conflict from includes/EditPage.php of MediaWiki 1.39. Texts are
not merged, as on a wiki without diff3.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from email import message_from_bytes
from email.policy import HTTP
from typing import Any
from urllib.parse import parse_qsl

from faulty.server import KINDS, Answer, Asked, FaultyServer

HEADING = re.compile(r"^(={1,6})[^\n]*?\1[ \t]*$", re.MULTILINE)
ERRORS = {
    "maxlag": "Waiting for db: 7 seconds lagged.",
    "ratelimited": "You've exceeded your rate limit.",
    "readonly": "The wiki is currently in read-only mode.",
    "badtoken": "Invalid CSRF token.",
    "protectedpage": "This page has been protected to prevent editing or other actions.",
    "abusefilter-disallowed": "This action has been automatically identified as harmful.",
    "blocked": "You have been blocked from editing.",
    "uploaddisabled": "Uploads are disabled.",
    "articleexists": "The article you tried to create has been created already.",
    "missingtitle": "The page you specified doesn't exist.",
}
"""Code of an error to its text; each can be told to happen at an edit."""
TOKEN = "a-token+\\"


@dataclass
class WikiPage:
    """A page.

    Args:
        revisions: Number and text of each revision, the oldest first.
    """

    revisions: list[tuple[int, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Return the text as it is now."""
        return self.revisions[-1][1]


class LocalWiki(FaultyServer):
    """A wiki with one account.

    Args:
        user: The name of its bot password.
        password: The bot password.
        silence_s: Most seconds of a request that gets no answer.
    """

    kinds = (*KINDS, *ERRORS)

    def __init__(self, user: str = "Herald@post", password: str = "only-tests-know", silence_s: float = 30.0) -> None:
        super().__init__(silence_s)
        self.user, self.password = user, password
        self.rights = ["edit", "createpage", "bot"]
        self.pages: dict[str, WikiPage] = {}
        self.moved: dict[str, str] = {}
        self.files: dict[str, bytes] = {}
        self.edits = self.uploads = 0
        self.refuses_uploads = False
        self._last = 100

    @property
    def api(self) -> str:
        """Return the address of api.php."""
        return f"{self.url}/w/api.php"

    def put(self, title: str, text: str) -> None:
        """Write a page as a person does."""
        self._last += 1
        self.pages.setdefault(title, WikiPage()).revisions.append((self._last, text))

    def error(self, kind: str) -> Answer:
        """Return the answer of a fault."""
        return _error(kind, ERRORS[kind]) if kind in ERRORS else super().error(kind)

    def carry_out(self, asked: Asked) -> Answer:
        """Answer a request for api.php."""
        given, files = _read(asked)
        is_in = "session=herald" in asked.headers.get("cookie", "")
        needed = {"user": is_in, "bot": is_in and "bot" in self.rights}
        if asked.path != "/w/api.php":
            return Answer(404, b"<html>Not Found</html>")
        if "assert" in given and not needed[given["assert"]]:
            return _error(f"assert{given['assert']}failed", "You are no longer logged in, or not as a bot.")
        match given.get("action"):
            case "login":
                return self._login(given)
            case "query":
                return _json({"query": self._query(given, is_in)})
            case "parse":
                return self._parse(int(given["oldid"]))
            case "edit":
                return self._edit(given)
            case "upload":
                return self._upload(given, files)
        return _error("badvalue", "Unrecognized value for parameter action.")

    def _login(self, given: Mapping[str, str]) -> Answer:
        if "lgtoken" not in given:
            return _json({"login": {"result": "NeedToken", "token": TOKEN}})
        if (given["lgname"], given["lgpassword"], given["lgtoken"]) != (self.user, self.password, TOKEN):
            return _json({"login": {"result": "Failed", "reason": "Incorrect username or password entered."}})
        return _json(
            {"login": {"result": "Success", "lgusername": self.user}}, {"Set-Cookie": "session=herald; path=/"}
        )

    def _query(self, given: Mapping[str, str], is_in: bool) -> dict[str, Any]:
        found: dict[str, Any] = {}
        wanted = given.get("meta", "").split("|")
        if "tokens" in wanted:
            found["tokens"] = {f"{given['type']}token": TOKEN}
        if "siteinfo" in wanted:
            found["general"] = {"generator": "MediaWiki 1.39.17", "sitename": "Local"}
            found["namespaces"] = {"0": {"id": 0, "*": ""}}
        if "userinfo" in wanted:
            found["userinfo"] = (
                {"id": 1, "name": self.user, "rights": self.rights, "groups": []} if is_in else {"anon": ""}
            )
        if "titles" in given:
            title = self.moved.get(given["titles"], given["titles"])
            page = self.pages.get(title)
            about: dict[str, Any] = {"title": title}
            if page:
                id, text = page.revisions[-1]
                about["revisions"] = [{"revid": id, "slots": {"main": {"contentmodel": "wikitext", "*": text}}}]
            else:
                about["missing"] = ""
            found["pages"] = {"1" if page else "-1": about}
            if title != given["titles"]:
                found["redirects"] = [{"from": given["titles"], "to": title}]
        if "allimages" in given.get("list", ""):
            same = [name for name, file in self.files.items() if hashlib.sha1(file).hexdigest() == given["aisha1"]]
            found["allimages"] = [{"name": name.replace(" ", "_"), "title": f"File:{name}"} for name in same]
        return found

    def _parse(self, id: int) -> Answer:
        text = next(text for page in self.pages.values() for at, text in page.revisions if at == id)
        sections = [
            {"level": str(len(found[1])), "index": str(index), "byteoffset": found.start()}
            for index, found in enumerate(HEADING.finditer(text), start=1)
        ]
        return _json({"parse": {"sections": sections}})

    def _edit(self, given: Mapping[str, str]) -> Answer:
        title, text, page = given["title"], given["text"], self.pages.get(given["title"])
        if given.get("token") != TOKEN:
            return _error("badtoken", ERRORS["badtoken"])
        if hashlib.md5(text.encode()).hexdigest() != given.get("md5", ""):
            return _error("badmd5", "The supplied MD5 hash was incorrect.")
        if page is None:
            if "nocreate" in given:
                return _error("missingtitle", "The page you specified doesn't exist.")
            return self._saved(title, text.rstrip())
        if "createonly" in given:
            return _error("articleexists", "The article you tried to create has been created already.")
        base = next((text for id, text in page.revisions if id == int(given["baserevid"])), None)
        if base is None:
            return _error("nosuchrevid", "There is no revision with that ID.")
        whole = text if "section" not in given else _with_section(base, int(given["section"]), text)
        if whole.rstrip() == page.text:
            return _json({"edit": {"result": "Success", "nochange": "", "title": title}})
        if base != page.text and "section" in given:  # without a section, an account's own later edits are overwritten
            return _error("editconflict", "Edit conflict.")
        return self._saved(title, whole.rstrip())

    def _upload(self, given: Mapping[str, str], files: Mapping[str, bytes]) -> Answer:
        if given.get("token") != TOKEN:
            return _error("badtoken", ERRORS["badtoken"])
        if self.refuses_uploads:
            return _error("uploaddisabled", ERRORS["uploaddisabled"])
        name, content = given["filename"], files["file"]
        if self.files.get(name) == content:
            return _error("fileexists-no-change", f"The upload is an exact duplicate of the current version of {name}.")
        self.files[name] = content
        self.uploads += 1
        return _json({"upload": {"result": "Success", "filename": name.replace(" ", "_")}})

    def _saved(self, title: str, text: str) -> Answer:
        self.put(title, text)
        self.edits += 1
        return _json({"edit": {"result": "Success", "title": title, "newrevid": self._last}})


def _read(asked: Asked) -> tuple[dict[str, str], dict[str, bytes]]:
    """Return the parameters and the files of a request."""
    kind = asked.headers.get("content-type", "")
    if not kind.startswith("multipart/form-data"):
        return dict(asked.query) | dict(parse_qsl(asked.body.decode(), keep_blank_values=True)), {}
    given, files = dict(asked.query), {}
    parsed = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + asked.body, policy=HTTP)
    for part in parsed.iter_parts():
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        name = str(part.get_param("name", header="content-disposition"))
        if part.get_filename():
            files[name] = content
        else:
            given[name] = content.decode()
    return given, files


def _with_section(text: str, number: int, new: str) -> str:
    """Return a text with another section, which has all those below it."""
    headings = [*HEADING.finditer(text)]
    if number == 0:
        end = headings[0].start() if headings else len(text)
        return new.rstrip() + "\n\n" + text[end:] if headings else new
    heading = headings[number - 1]
    after = (other.start() for other in headings[number:] if len(other[1]) <= len(heading[1]))
    end = next(after, len(text))
    return text[: heading.start()] + new.rstrip() + "\n\n" + text[end:]


def _error(code: str, info: str) -> Answer:
    return _json({"error": {"code": code, "info": info, "*": "See api.php for API usage."}})


def _json(body: Any, headers: dict[str, str] | None = None) -> Answer:
    return Answer(200, json.dumps(body).encode(), {"Content-Type": "application/json", **(headers or {})})
