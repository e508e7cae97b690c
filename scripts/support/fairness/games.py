"""A dishonest moderator of any ruleset: he changes whatever cell, row, setting or decision gives him another result."""

from __future__ import annotations

import copy
import functools
import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from scripts.support.beacon_rounds import after_round
from scripts.support.fairness.season import INPUTS, Season, outcome_of, program
from scripts.support.fairness.strategies import HIS_ROUNDS, Deed, Strategy
from scripts.support.smallest_war import war_rows
from scripts.support.workbooks import Rows, example, grids, season_grid
from sheets_algo.forms.rulesets import ruleset_names
from sheets_algo.ruling.luck.draw import Secret
from sheets_algo.steps.promises.step import PromisesStep
from sheets_algo.workbook.memory import MemoryWorkbook

CHANGES = 12
"""Changes that he tries in a season."""
DECISION = {"Reason": "so", "By": "me"}


class Other(str):
    """Any result but one: equal to each that is neither blank nor the honest one."""

    __slots__ = ()

    def __eq__(self, result: object) -> bool:
        """Return True for another result."""
        return bool(result) and str.__ne__(self, str(result))

    def __ne__(self, result: object) -> bool:
        """Return True for the honest result, or none."""
        return not self == result

    __hash__ = str.__hash__


def rows_of(game: str) -> Rows:
    """Return the rows of a season of a game: its example; of wars three of the same armies, with all that they read."""
    if game != "autoalgo":
        return {**example(game), "Overrides": []}
    rows = war_rows()
    first = rows["War Requests"][0]
    rows["War Requests"] = [
        first | {"Request": f"W-{place}", "War": f"Quarrel {place}", "Year": 1000 + place} for place in (1, 2, 3)
    ]
    rows["Nations"][0] |= {"Leader": "King", "Stability": 100}
    rows["Nations"] += [rows["Nations"][0] | {"Name": "Third", "Leader": None}]
    rows["Militaries"][0] |= {"Leader": "Duke"}
    rows["Militaries"][1] |= {"Leader": "Earl", "Transport": "Galley", "Ship Number": 5}
    rows["Militaries"] += [{"Nation": "Third", "Name": "Host of Third", "Size": 9_000}]
    leaders = {"King": "Left", "Duke": "Left", "Earl": "Right"}
    rows["Leaders"] = [{"Name": name, "Nation": nation, "Attack": 5} for name, nation in leaders.items()]
    rows["Locations"] += [{"Name": "Moor", "Terrain": "Hill"}]
    flank = {"Request": "W-3", "Side": "Attacker", "Flank": "all", "X": 200, "Y": 150}
    return rows | {"Flanks": [flank], "Autoalgo Settings": [], "Overrides": []}


def begun(game: str, number: int) -> Season:
    """Return a season of a game under a secret of its own."""
    secret = Secret(f"the secret of {game} {number}".encode())
    rows = rows_of(game)
    book = MemoryWorkbook(grids(rows) | {"Receipts": season_grid(INPUTS, secret)})
    return Season(number, book, replace(program(), secret=secret))


@functools.cache
def honest_results(game: str, number: int) -> Mapping[str, str]:
    """Return what comes of each request of a season in which nobody does anything, in the order of the rulings."""
    season = begun(game, number)
    season.look(123)
    season.finish()
    return {ruling.request: outcome_of(ruling) for ruling in season.receipts.rulings}


def changes(season: Season, target: str, rows: Rows, rng: random.Random) -> Iterator[Deed]:
    """Yield random changes of what a request reads: a cell, a row that is deleted or copied, a decision about any."""
    promises = [promise for promise in season.receipts.promises if promise.request == target]
    inputs = " ".join(f"{promise.inputs} {promise.request}" for promise in promises)
    filled = [
        (tab, number)
        for tab, listed in rows.items()
        for number, row in enumerate(listed, start=2)
        if any(isinstance(value, str) and value in inputs for value in itertools.islice(row.values(), 2))
    ]
    while True:
        tab, number = rng.choice(filled)
        record = rows[tab][number - 2]
        kind = rng.random()
        if kind < 0.1:
            cells: dict[str, Any] = dict.fromkeys(record)
        elif kind < 0.2:
            number = len(rows[tab]) + 2
            key = next(iter(record))
            cells = dict(record) | {key: f"{record[key]}x" if rng.random() < 0.5 else record[key]}
        elif kind < 0.3:
            tab, number = "Overrides", 2
            request = rng.choice([promise.request for promise in season.receipts.promises])
            cells = DECISION | {"Request": request, "Kind": rng.choice(("Result", "Draw", "Input"))}
            cells |= {"What": rng.choice(("Winner", "Left Captured", "Roll", "Dice")), "Value": rng.choice((1, "Left"))}
        else:
            header = rng.choice([header for header in record if header != "Ready"])
            cells = {header: _other_value(record[header], [row.get(header) for row in rows[tab]], rng)}
        yield functools.partial(_write, tab=tab, number=number, cells=cells)


def _other_value(value: Any, column: list[Any], rng: random.Random) -> Any:
    """Return another value for a cell: another one of its column, another number, or a blank."""
    others = [other for other in column if other not in (value, None, "")]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return rng.choice((value + 1, 2 * value + 1, 0, None, *others[:2]))
    return rng.choice((None, *others))


def _write(season: Season, tab: str, number: int, cells: Mapping[str, Any]) -> None:
    with suppress(ValueError):  # a game's tab may lack a header
        season.write(tab, number, cells)


def _hold(season: Season, rows: Rows, *requests: str, ready: bool) -> None:
    """Take Ready away from requests of any tab, or give it back."""
    for tab, listed in rows.items():
        for number, row in enumerate(listed, start=2):
            if tab.endswith("Requests") and row["Request"] in requests:
                season.edit(tab, number, "Ready", ready)


def _cheat(
    game: str,
    *,
    between: bool,
    at_once: int = 1,
    patched: Callable[[], AbstractContextManager[Any]] | None = None,
) -> Callable[[Season, str], str]:
    """Return a strategy that tries changes for another result of a request that the season's number chooses.

    Args:
        between: True if he has the requests before ruled first.
        at_once: How many changes he makes at once.
        patched: Makes his program one that asks nothing about promises; None for the program as it is.
    """

    def play(season: Season, want: str) -> str:
        rows, rng = copy.deepcopy(rows_of(game)), random.Random(season.number)
        target = target_of(game, season.number)
        season.look(123)
        later: list[str] = []
        if between:
            later = [*honest_results(game, season.number)]
            later = later[later.index(target) :]
            _hold(season, rows, *later, ready=False)
            season.run(after_round(123))
        ideas = changes(season, target, rows, rng)
        number = 123
        for number, next_ in itertools.pairwise(HIS_ROUNDS):
            deeds = [[next(ideas) for _ in range(at_once)] for _ in range(CHANGES)]
            tried = [_tried(season, each, patched, rows, later) for each in ([], *deeds)]
            results = [_results(trial, target, number) for trial in tried]
            best = next((place for place, (result, _) in enumerate(results) if result == want), None)
            again = next((place for place, (_, is_new) in enumerate(results) if is_new), None)
            chosen = again if best is None else best
            if chosen is not None:  # else nothing that he can do changes anything
                season.book, season.program = tried[chosen].book, tried[chosen].program
            if best is not None or again is None:
                break
            season.look(next_)
        _hold(season, rows, *later, ready=True)
        season.finish(number)
        return target

    return play


def _tried(
    season: Season,
    deeds: list[Deed],
    patched: Callable[[], AbstractContextManager[Any]] | None,
    rows: Rows,
    held: list[str],
) -> Season:
    """Return a copy in which he has changed something, and made what he held back ready."""
    trial = season.copy()
    for deed in deeds:
        deed(trial)
    _hold(trial, rows, *held, ready=True)
    if patched:
        trial.program = patched
    return trial


def _results(season: Season, target: str, number: int) -> tuple[str, bool]:
    """Return what would come of a request now that a round is out, and whether it would be promised anew."""
    trial = season.copy()
    trial.run(after_round(number))
    ruling, known = trial.receipts.ruling_in_force(target), trial.receipts
    is_new = any(promise.request == target and promise.seq > season.receipts.head.seq for promise in known.promises)
    return outcome_of(ruling) if ruling else "", is_new


def target_of(game: str, number: int) -> str:
    """Return the request whose result he wants to be another, never the first one."""
    requests = [*honest_results(game, number)]
    return requests[1 + number % (len(requests) - 1)]


def _deaf() -> AbstractContextManager[Any]:
    return patch.object(PromisesStep, "_changes", lambda *_: ())


NEW_PROMISE = "receipt: what people changed, or what was not ruled in its order"
OF_GAMES = tuple(
    strategy
    for game in ruleset_names()
    for strategy in (
        Strategy(
            f"{game}: changes any cell, row or decision after the round",
            _cheat(game, between=False),
            NEW_PROMISE,
            game=game,
        ),
        Strategy(
            f"{game}: does so between two rulings",
            _cheat(game, between=True),
            NEW_PROMISE,
            game=game,
        ),
        Strategy(
            f"{game}: makes two changes between two rulings",
            _cheat(game, between=True, at_once=2),
            NEW_PROMISE,
            game=game,
        ),
        Strategy(
            f"{game}: makes one, with a program that asks nothing about promises",
            _cheat(game, between=True, patched=_deaf),
            "`verify`: the promise was for other inputs",
            "verify",
            game=game,
        ),
    )
)
