"""Toy rulesets, with which tests and chores of the program do without the games that come with it.

They are plug-ins as docs/new-ruleset.md describes them: `jousts` has one request tab, one database tab and one draw,
`rounds` is played in turns, and in `plots` players have secrets. Programs that find `INSTALLED` on their path have them
installed; pytest does.
"""

from __future__ import annotations

import sys
from pathlib import Path

TOYS = Path(__file__).parent
INSTALLED = str(TOYS / "installed")
"""The folder that declares them."""


NAMES = ("jousts", "rounds", "plots")


def install() -> None:
    """Let this process find the toys, before it looks for rulesets."""
    if INSTALLED not in sys.path:
        sys.path.append(INSTALLED)
