"""A channel that is a program of a moderator: it gets each post as JSON on standard input.

Its exit code is the outcome of the post: 0 posted, and the first line of its output is the id; 75 try again later; 64
refused for good; any other, or none within a minute, unknown.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.channel import Channel, NotReady, NotSent, Post, PostRefused, Unanswered
from sheets_algo.runtime.session.season_secret import VARIABLE
from sheets_algo.workbook.redact import one_line

TIMEOUT_S = 60.0
LATER, NEVER = 75, 64
"""Exit codes EX_TEMPFAIL and EX_USAGE of sysexits.h."""
REFERENCE_MOST = 200


@dataclass(frozen=True)
class CommandChannel(Channel):
    """A channel that runs a program."""

    settings: ChannelSettings
    timeout_s: float = TIMEOUT_S  # The maximum time of the program in seconds

    def send(self, post: Post, former: str = "") -> str:
        """Run the program with a post; return the first line of its output."""
        return self._run(post_data(post))

    def correct(self, post: Post, reference: str, former: str = "") -> str:
        """Run the program with an undo, which names the id of the ruling's post."""
        return self._run(post_data(post) | {"corrects": reference})

    def describe(self) -> str:
        """Return a sentence on the program, without running it."""
        program = self.settings.command[0]
        if not shutil.which(program):
            raise PostRefused(f"there is no program {program}: correct command in the settings.")
        return f"the program {program} is there; it is not run to find out more."

    def _run(self, data: Mapping[str, Any]) -> str:
        program = one_line(self.settings.command[0])
        environment = {name: text for name, text in os.environ.items() if name not in (VARIABLE, *self.settings.hidden)}
        try:
            done = subprocess.run(
                self.settings.command,
                input=json.dumps(data, ensure_ascii=False).encode(errors="replace"),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=self.timeout_s,
                env=environment,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise Unanswered(f"{program} did not end within {self.timeout_s:g} seconds.") from None
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "its arguments cannot be used"
            raise NotReady(f"{program} cannot be run ({why}).") from None
        if done.returncode == LATER:
            raise NotSent(f"{program} asks for another attempt (exit code {LATER}).")
        if done.returncode == NEVER:
            raise PostRefused(f"{program} refuses the post (exit code {NEVER}).")
        if done.returncode:
            raise Unanswered(f"{program} ended with exit code {done.returncode}.")
        lines = done.stdout[:10_000].decode(errors="replace").splitlines()
        return one_line(lines[0])[:REFERENCE_MOST] if lines else ""


def post_data(post: Post) -> dict[str, Any]:
    """Return a post as data for programs; docs/posting-programs.md lists the names."""
    return {
        "number": post.number,
        "mark": post.mark,
        "kind": post.kind,
        "request": post.request,
        "war": post.war,
        "ruleset": post.ruleset,
        "winner": post.winner,
        "time": post.time,
        "title": post.title,
        "headline": post.headline,
        "sentences": [*post.sentences],
        "players": [*post.players],
        "wiki": post.wiki,
        "text": post.text,
        "blocks": [asdict(block) for block in post.blocks],
        "picture": base64.b64encode(post.picture).decode(),
        "link": post.link,
        "undoes": post_data(post.undoes) | {"picture": ""} if post.undoes else None,
    }
