"""Secrets of channels, from the environment or a file, hidden from messages and tracebacks."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.channel import NotReady

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
