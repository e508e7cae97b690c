"""Games beside the core: what tests of all games have to know of each, from `tests/games/<game>/facts.py`."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from scripts.support.workbooks import library
from sheets_algo.forms.rulesets import ruleset_names

FACTS = sorted((Path(__file__).parents[1] / "games").glob("*/facts.py"))
EXAMPLES = ("1066", *(name for name in ruleset_names() if name in library().examples))
"""The names of an example of each ruleset."""


def facts(name: str) -> list[Any]:
    """Return the facts of a name, of each game."""
    return [*facts_by_game(name).values()]


def facts_by_game(name: str) -> dict[str, Any]:
    """Return the facts of a name by game."""
    return {file.parent.name: runpy.run_path(str(file))[name] for file in FACTS}


WITHOUT_HOURS = (
    ("jousts", "Joust Requests"),
    *((game, tab) for game, tab in facts_by_game("WITHOUT_HOURS").items() if tab),
)
"""Names of examples and their request tabs whose rulings have pages without hours, which show all that there is."""
WITH_SECRETS = ("plots", *(game for game, has_secrets in facts_by_game("WITH_SECRETS").items() if has_secrets))
"""Names of examples of games whose players have secrets."""
