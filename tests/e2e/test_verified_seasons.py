"""Seasons as `init` begins them, with its options in pairs: `run`, `verify`, and the page on which players verify."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, product
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from localbeacon.chain import SigningChain
from localbeacon.server import LocalBeacon

from scripts.support.browser import browser, pyodide
from scripts.support.moderator import BOOK, Moderator, shown
from sheets_algo.commands.init import EVERY
from sheets_algo.config.settings import DECLARATIONS, Settings
from sheets_algo.forms.capabilities import TurnForm
from sheets_algo.forms.rulesets import load_all, ruleset_names
from tests.helpers.example_budget import spread
from tests.helpers.verify_page import player_at

Season = Mapping[str, Any]
"""A value for each option of a season."""
KINDS = {name: kind for name, kind in get_type_hints(Settings).items() if DECLARATIONS[name].is_fixed}
"""The settings that `init` fixes, of which `beacon_chain` goes with the luck of a beacon."""
OPTIONS: Mapping[str, Sequence[Any]] = {
    "ruleset": [*ruleset_names(), EVERY],
    "overrides": [False, True],
    **{
        name: sorted(get_args(kind), key=DECLARATIONS[name].default.__ne__)
        for name, kind in KINDS.items()
        if get_origin(kind) is Literal
    },
}
"""Each option with its values, the default first."""
CHAIN = SigningChain()


def pairs(season: Season) -> set[Any]:
    """Return each two options of a season with their values."""
    return {*combinations(season.items(), 2)}


def pairwise(options: Mapping[str, Sequence[Any]]) -> Iterator[Season]:
    """Yield seasons until each two values of different options were together: the defaults, then whatever adds most."""
    seasons = [dict(zip(options, values, strict=True)) for values in product(*options.values())]
    missing = set(chain.from_iterable(map(pairs, seasons)))
    while missing:
        season = max(seasons, key=lambda season: len(missing & pairs(season)))
        missing -= pairs(season)
        yield season


SEASONS = [*pairwise(OPTIONS)]


WITH_TURNS = {EVERY, *(form.ruleset_key for form in load_all() if issubclass(form, TurnForm))}
SHORT = [season for season in SEASONS if season["luck"] != "beacon" or season["ruleset"] not in WITH_TURNS]
"""Those that need no hours: in a game with turns each order waits for a round of its own, five minutes ahead."""


def test_each_pair_of_option_values_occurs_in_a_season() -> None:
    for (one, its), (other, others) in combinations(OPTIONS.items(), 2):
        assert {(season[one], season[other]) for season in SEASONS} == {*product(its, others)}


def begun(moderator: Moderator, season: Season) -> str:
    """Begin a season; return its secret, which is new."""
    (moderator.folder / "chain.json").write_text(json.dumps(CHAIN.info()))
    settings = {name: value for name, value in season.items() if name in KINDS}
    if season["luck"] == "beacon":
        settings["beacon_chain"] = "chain.json"
    words = ["--ruleset", season["ruleset"], *(["--overrides"] if season["overrides"] else [])]
    variables = {f"SHEETS_ALGO_{name.upper()}": value for name, value in settings.items()}
    said = moderator.types("init", BOOK, "--json", *words, **variables)
    assert said.code == 0, said.err
    return Path(moderator.folder, said.data["secret_file"]).read_text(encoding="utf-8").strip()


def ruled(moderator: Moderator) -> int:
    """Rule all requests, those that are promised rounds of a beacon after their time; return how many."""
    with LocalBeacon(CHAIN) as beacon:
        said = moderator.types("run", BOOK, "--wait", "--json", SHEETS_ALGO_BEACONS=beacon.url)
    assert said.code == 0, said.out + said.err
    rows = said.data["requests"]
    assert not any("Promised" in row["message"] for row in rows)
    return sum(row["status"] == "Done" for row in rows)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as found:
        yield found


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("season", spread(SHORT, 7), ids=lambda season: "-".join(map(str, season.values())))
def test_all_receipts_are_equal_at_a_terminal_and_in_a_browser(
    moderator: Moderator, season: Season, chromium: Any
) -> None:
    moderator = replace(moderator, config=None)
    secret = begun(moderator, season)
    rulings = ruled(moderator)

    verified = moderator.types("verify", BOOK)
    made = moderator.types("verify", BOOK, "--site", "public", "--pyodide", pyodide())
    with player_at(moderator.folder / "public", chromium, 390) as player:
        player.verifies(moderator.book, secret)

        assert rulings == sum(row["Kind"] == "Ruling" for row in shown(moderator.book, "Receipts")) > 0
        equal = f"{rulings} of {rulings} receipts equal."
        assert (verified.code, made.code) == (0, 0), verified.out + verified.err + made.err
        assert equal in verified.out.splitlines()
        assert player.text("#notes .total") == f"All {rulings} results come out again."
        assert player.tab.locator("body").get_attribute("data-result") == "equal"
        assert player.tab.evaluate("document.documentElement.scrollWidth") == 390
