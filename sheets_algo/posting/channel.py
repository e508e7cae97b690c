"""The protocol of a channel: its posts, the three ways in which sending can fail, and its secret.

A secret comes from the environment or a file, and is hidden from messages and tracebacks.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from engine.battle_map import Rgb
from engine.errors import ExpectedError
from engine.receipt import Block
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.workbook.findings import Finding, ok, permission_problem, warn


@dataclass(frozen=True, slots=True)
class NationNow:
    """The state of a nation after a ruling or an undo."""

    name: str  # The nation
    stability: str  # Its Stability after all receipts
    war: str  # The title of the last war that changed it and was not undone; blank for none


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A receipt to post."""

    # Its number, 0 for odds; in a workbook with games that have secrets, its number among those that everybody may
    # read.
    number: int = 0
    mark: str  # A unique text: its number and some digits
    # `Ruling`, `Undo`, `Odds` of an announced war, `Turn` of a deadline, `Report` of a turn, or `Standing`
    kind: str
    request: str
    war: str  # The name of the war
    part_of: str = ""  # The name of the war of several battles that it is part of; blank for none
    ruleset: str  # The rules
    winner: str = ""  # `Attacker`, `Defender` or blank
    time: str  # The time of the ruling, UTC, ISO 8601
    wiki: str  # The receipt in wiki markup
    title: str  # The title of the receipt
    blocks: tuple[Block, ...]  # The items of the receipt, without markup
    headline: str = ""  # The result in a sentence; blank if the receipt does not begin with one
    sentences: tuple[str, ...] = ()  # At most three sentences about it
    players: tuple[str, ...] = ()  # The ids of Discord and the names of the players of its nations
    recipient: str = ""  # The id of Discord of the one player who may read it; blank for everybody
    colour: Rgb | None = None  # The colour of the winner's flag, if there is one
    picture: bytes = b""  # The map of the battle as PNG; empty if there is none
    replay: bytes = b""  # The replay page as HTML; empty if it is not attached, or if there is none
    link: str = ""  # The address of the war's page on the season's site; blank if there is none
    nations: tuple[NationNow, ...] = ()  # The nations whose Stability it changed, as they are now
    undoes: Post | None = None  # The ruling that it undoes
    text: str = ""  # The text of the channel's template; blank without one

    @property
    def first_line(self) -> str:
        """Return the title and the headline: `Hastings, 1066: Normandy takes Southeast England`."""
        return f"{self.title}: {self.headline}" if self.headline else self.title


class Channel(ABC):
    """A place to which posts are sent. It never names its secret in an error, nor lets an error of a library do so."""

    is_repeatable: ClassVar[bool] = False
    """True if a repeated post appears only once."""
    settings: ChannelSettings

    @abstractmethod
    def send(self, post: Post, former: str = "") -> str:
        """Send a post that was not sent before, and return its id, blank if it has none.

        Args:
            former: The id of an earlier post of the same war, whose thread this one belongs to; blank if there is none.

        Raises:
            RemarkedPost: It was sent, and a person should read a remark.
            NotSent: It was not sent, and may be sent later.
            PostRefused: It was not sent, and would be refused again.
            Unanswered: It may have been sent.
        """

    def correct(self, post: Post, reference: str, former: str = "") -> str:
        """Send the undo of a ruling that was posted, by default as a post of its own; returns and raises as `send`.

        A correction that changes the post of the ruling can be repeated: it raises NotSent where no answer came.

        Args:
            reference: The id of the ruling's post; blank if it is not known.
            former: As in `send`.
        """
        return self.send(post, former)

    def edit(self, post: Post, reference: str) -> bool:
        """Change a message into a post; return False if it is gone. It can be repeated, so it raises NotSent."""
        raise PostRefused("This kind of channel edits no messages.")

    def preview(self, post: Post) -> str:
        """Return a post as it would appear, as text."""
        return post.text or post.wiki

    def examine(self) -> Iterator[Finding]:
        """Yield findings about access to the channel, without posting; none prevents rulings."""
        name, file = f"post: {self.settings.name}", self.settings.secret_file
        if file is not None and file.exists() and (why := permission_problem(file, "and could post in your name")):
            yield warn(name, why)
        try:
            yield ok(name, self.describe())
        except (NotSent, PostRefused, Unanswered) as error:
            yield warn(name, str(error))

    @abstractmethod
    def describe(self) -> str:
        """Return a sentence on the destination of posts, from a query without posting.

        Raises:
            NotSent: It accepts no posts, for another reason than the next two.
            PostRefused: It refuses posts, or a person must add something.
            Unanswered: It does not answer.
        """


class RemarkedPost(ExpectedError):
    """A post that was sent, with a remark for a person."""

    def __init__(self, reference: str, text: str) -> None:
        super().__init__(text)
        self.reference = reference


class NotSent(ExpectedError):
    """A post that was not sent.

    Args:
        text: The reason, a sentence.
        after_s: The seconds after which it may be sent again; None if the channel did not say.
    """

    def __init__(self, text: str, after_s: float | None = None) -> None:
        super().__init__(text)
        self.after_s = after_s


class NotReady(NotSent):
    """A post that was not sent, until a person has corrected something on this computer."""


class PostRefused(ExpectedError):
    """A post that was not sent and would be refused again; the text is a sentence."""


class Unanswered(ExpectedError):
    """A post that may have been sent: there was no clear answer.

    Args:
        text: The reason, a sentence.
        is_repeatable: False if it must not be sent again even to a channel where a repeated post appears once.
    """

    def __init__(self, text: str, *, is_repeatable: bool = True) -> None:
        super().__init__(text)
        self.is_repeatable = is_repeatable


LONGEST = 4_000
"""Maximum number of characters of a secret."""


@dataclass(frozen=True, slots=True)
class ChannelSecret:
    """A secret, whose representation does not contain it."""

    text: str = field(repr=False)

    def without(self, message: str) -> str:
        """Return a message in which the secret is replaced by `…`."""
        return message.replace(self.text, "…")


def read_secret(channel: ChannelSettings) -> ChannelSecret:
    """Return the secret of a channel.

    Raises:
        NotReady: The secret is missing, or cannot be read.
    """
    if channel.secret_env:
        text, place = os.environ.get(channel.secret_env, ""), f"the environment variable {channel.secret_env}"
    else:
        place = f"the file {channel.secret_file}"
        try:
            assert channel.secret_file is not None
            text = channel.secret_file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is not a text"
            raise NotReady(f"The secret of {channel.name} cannot be read from {place} ({why}).") from None
    text = text.strip()
    if not text or len(text) > LONGEST or not text.isprintable():
        raise NotReady(f"There is no secret of {channel.name} in {place}: put it there, on one line.")
    return ChannelSecret(text)
