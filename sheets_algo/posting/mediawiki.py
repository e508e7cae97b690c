"""A channel of a MediaWiki wiki: a page for each receipt, or a section on one page, each exactly once.

Shapes and conflicts: `wiki_session.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.channel import Channel, Post, PostRefused, RemarkedPost, Unanswered, read_secret
from sheets_algo.posting.http import TIMEOUT_S, hide_addresses, in_time
from sheets_algo.posting.wiki_session import WikiSession, wiki_error

NOT_IN_TITLES = re.compile(r"[#<>\[\]|{}_:/\x00-\x20\x7f\ufffd]+|~{3,}|%(?=[0-9A-Fa-f]{2})|&(?=#?\w+;)")
"""Characters that are invalid in a title, or would change its namespace."""
TITLE_MOST = 255
"""Maximum bytes of a title."""


@dataclass(frozen=True)
class WikiChannel(Channel):
    """A channel that writes into a wiki."""

    is_repeatable: ClassVar[bool] = True
    settings: ChannelSettings
    timeout_s: float = TIMEOUT_S  # Maximum seconds for a post, with all its requests

    def send(self, post: Post, former: str = "") -> str:
        """Write a receipt unless it exists; return the title of its page."""
        title = title_of(self.settings.page, post)
        is_page_each = self.settings.is_page_each
        if is_page_each and former:  # below the earlier post of the war
            title, is_page_each = former, False
        return self._with_nations(post, lambda wiki: wiki.write(title, post, is_page_each))

    def correct(self, post: Post, reference: str, former: str = "") -> str:
        """Write an undo below the mark of its ruling, unless it exists."""
        ruling = post.undoes
        if ruling is None:
            return self.send(post)
        title = reference or title_of(self.settings.page, ruling)
        return self._with_nations(post, lambda wiki: wiki.correct(title, post, ruling))

    def _with_nations(self, post: Post, write: Callable[[WikiSession], str]) -> str:
        """Write a post and then the pages of its nations; return the title of its page.

        Raises:
            RemarkedPost: It was written, and a person should read a remark.
        """
        remarks: list[str] = []

        def work(wiki: WikiSession) -> str:
            title = write(wiki)
            for nation in post.nations if self.settings.nation_page else ():
                wiki.update_nation(_fill(self.settings.nation_page, {"nation": nation.name}), nation, post)
            remarks.extend(wiki.remarks)
            return title

        title = self._in_time(work)
        if remarks:
            raise RemarkedPost(title, " ".join(remarks))
        return title

    def describe(self) -> str:
        """Log in, and return a sentence on the account's right to edit; nothing is written."""
        rights = self._in_time(lambda wiki: " ".join(wiki.rights))
        needed = ["edit", "createpage", *(["bot"] if self.settings.bot else [])]
        needed += ["upload"] if self.settings.picture else []
        if missing := [right for right in needed if right not in rights.split()]:
            raise PostRefused(f"{self.settings.user} is logged in, but lacks the right {' and '.join(missing)}.")
        return f"{self.settings.user} is logged in and may edit; nothing was written."

    def _in_time(self, work: Callable[[WikiSession], str]) -> str:
        """Log in and run an action within a time limit; turn every error into one of a channel, without the secret."""
        secret = read_secret(self.settings)
        hide_addresses()
        result = in_time(lambda: work(WikiSession(self.settings, secret)), self.timeout_s)
        if result is None:
            raise Unanswered(f"The wiki did not answer within {self.timeout_s:g} seconds.")
        if isinstance(result, Exception):
            raise wiki_error(result, self.settings, secret) from None
        return str(result)


def title_of(page: str, post: Post) -> str:
    """Return the title of a receipt's page."""
    return _fill(page, {"request": post.request, "war": post.war})


def _fill(title: str, names: Mapping[str, str]) -> str:
    """Return a title filled with names, which cannot lead to another namespace, page or section."""
    for name, text in names.items():
        title = title.replace("{" + name + "}", NOT_IN_TITLES.sub(" ", text).strip())
    return " ".join(title.split()).encode()[:TITLE_MOST].decode(errors="ignore").rstrip()
