"""A channel of the library Apprise: ntfy, e-mail, Telegram, Slack and a hundred more, in plain text.

Apprise reports only a guess whether a message arrived: a post is sent at most once, and is Unsure if in doubt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sheets_algo.config.installation import missing
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.channel import Channel, NotReady, Post, PostRefused, Unanswered, read_secret
from sheets_algo.posting.http import TIMEOUT_S, hide_addresses, in_time
from sheets_algo.posting.markdown import BLANK, text_of
from sheets_algo.workbook.redact import one_line

TITLE_MOST = 200


@dataclass(frozen=True)
class AppriseChannel(Channel):
    """A channel that sends by Apprise."""

    settings: ChannelSettings  # Its settings; the secret is an address of Apprise, such as `ntfy://...`
    timeout_s: float = TIMEOUT_S  # Maximum seconds for a post

    def send(self, post: Post, former: str = "") -> str:
        """Send a post, which gets no id."""
        title, body = _message(post)
        service = self._service()
        answer = in_time(lambda: bool(service.notify(title=title, body=body, body_format="text")), self.timeout_s)
        if answer is not True:
            why = "says that it failed" if answer is False else "did not end" if answer is None else "failed itself"
            raise Unanswered(f"Apprise {why}.")
        return ""

    def preview(self, post: Post) -> str:
        """Return title and text of a message."""
        return "\n".join(_message(post))

    def describe(self) -> str:
        """Return a sentence on the kind of address, without contacting the service."""
        self._service()
        return "Apprise knows this kind of address; whether the service takes posts is seen at the first."

    def _service(self) -> Any:
        secret = read_secret(self.settings)
        hide_addresses()
        try:
            import apprise  # an extra
        except ImportError:
            raise NotReady(f"{self.settings.name}: {missing('Apprise', 'apprise')}") from None
        service = apprise.Apprise()
        if not service.add(secret.text):
            raise PostRefused("Apprise does not know this kind of address: see its list of services.")
        return service


def _message(post: Post) -> tuple[str, str]:
    """Return title and text of a post without working mentions, such as those of a nation called @everyone."""
    whole = text_of(post.title, post.blocks) if post.blocks else post.wiki
    sentences = "\n".join(map(one_line, post.sentences))
    body = post.text or "\n\n".join(filter(None, (sentences, post.link or whole)))
    return one_line(post.first_line)[:TITLE_MOST].replace("@", f"@{BLANK}"), body.replace("@", f"@{BLANK}")
