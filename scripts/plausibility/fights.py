"""Cases fought many times over by the compiled kernel, and what is written down of it.

Nothing here is the engine's: the ruleset's form reads the adapter's workbook, `Battlefield` deploys each war and fights
it. What does not depend on changed numbers is kept, so that tables and adapter can be tried in a loop.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

from engine.autoalgo.ends import Ends
from engine.autoalgo.haste import WORTH_COMPILING, compiled_kernel
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.kernel import Kernel
from engine.autoalgo.replicates import Battlefield
from engine.autoalgo.tables import Tables
from engine.fields import tab_of
from engine.terrain import Feature
from plausibility.adapter import Numbers, ships_of, workbook_of
from plausibility.cases import Case
from sheets_algo.book import Book
from sheets_algo.forecasts.refining import threads_at_hand
from sheets_algo.forms.autoalgo import AutoalgoForm
from sheets_algo.forms.base import Filled
from sheets_algo.library import Library
from sheets_algo.maps import MapFolder
from sheets_algo.problems import Rejected

Raw = Mapping[str, Any]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """What the engine says of one case, over all its runs.

    Args:
        id: Of the case.
        p_attacker: Share of the runs that the attacker won; one that was not decided counts one half.
        losses: Median share of the men that each side lost: killed, died and captured.
        low: 10 % point of the losses.
        high: 90 % point.
        winner_loss: Median of the side that won, over the runs.
        loser_loss: Of the side that lost.
        loser_more: Share of the runs in which the loser lost the larger share.
        hours: Median of the hours from the first contact to the decision; of a siege, of all its hours.
        hours_most: 95 % point of them.
        ships_lost: Median for each side, in ships of the file.
        men_lost: Mean for each side.
    """

    id: str
    p_attacker: float
    losses: tuple[float, float]
    low: tuple[float, float]
    high: tuple[float, float]
    winner_loss: float
    loser_loss: float
    loser_more: float
    hours: float
    hours_most: float
    ships_lost: tuple[float, float]
    men_lost: tuple[float, float]


KEPT = 40
"""Readings of cases that are kept: about 1 MB each."""


def machine(battles: int = WORTH_COMPILING) -> Kernel:
    """The battle as machine code, kept where forecasts keep it; Python where few battles are not worth the compiler."""
    return compiled_kernel(str(user_cache_path("sheets-algo") / "kernel"), battles)


@dataclass
class Arena:
    """Where cases are fought; what numbers do not change is kept from call to call.

    Args:
        library: The tables, maps and schemas of the project.
        kernel: Who fights.
        threads: How many fight side by side.
    """

    library: Library = field(default_factory=Library)
    kernel: Kernel = field(default_factory=machine)
    threads: int = 0
    _folders: dict[Any, MapFolder] = field(default_factory=dict)
    _wars: dict[str, list[WarInputs]] = field(default_factory=dict)

    def predict(self, raw: Raw, numbers: Numbers, cases: Sequence[Case], runs: int, seed: int) -> list[Prediction]:
        """Fight each case; same arguments, same answer, whatever else is fought.

        Args:
            raw: The ruleset's parsed tables, file name without `.json` to content, with whatever was changed.
            numbers: Of the adapter, as `adapter.json` holds them.
            cases: Each with an id of its own.
            runs: Battles of each.
            seed: 0 or above.

        Raises:
            ValueError: A case cannot be typed into a workbook, or the form refuses it.
            Slip: The tables do not fit together.
        """
        form = AutoalgoForm(raw, self._maps, functools.partial(self.library.slips, "autoalgo"))
        wars = self._read(form, raw, numbers, cases)

        def fight(place: int) -> Prediction:
            field = Battlefield.of(wars[place], form.tables, seed_of(seed, cases[place].id))
            return predicted(cases[place], field, runs, self.kernel)

        with ThreadPoolExecutor(self.threads or threads_at_hand()) as pool:
            return list(pool.map(fight, range(len(cases))))

    def lists(self) -> Mapping[str, Sequence[str]]:
        """Every value that the engine's lists allow, by list."""
        tables = self.library.build("autoalgo", Tables.of)
        terrains = MapFolder(self.library.maps_folder, tables.terrain).names
        return {name: words.values for name, words in tables.lists.items()} | {"Terrain": terrains}

    def _read(self, form: AutoalgoForm, raw: Raw, numbers: Numbers, cases: Sequence[Case]) -> list[WarInputs]:
        """The inputs of each case: what the cells become depends on adapter, units and the legend of the maps."""
        named = [numbers, raw["units"], raw["terrain"], raw["values"], repr(cases)]
        key = hashlib.sha256(json.dumps(named, sort_keys=True).encode()).hexdigest()
        if key not in self._wars:
            self._wars[key] = read_wars(form, numbers, cases)
            if len(self._wars) > KEPT:
                del self._wars[next(iter(self._wars))]
        return self._wars[key]

    def _maps(self, legend: Sequence[Feature]) -> MapFolder:
        colours = tuple(feature.rgb for feature in legend)
        if colours not in self._folders:
            self._folders[colours] = MapFolder(self.library.maps_folder, legend)
        return self._folders[colours]


def read_wars(form: AutoalgoForm, numbers: Numbers, cases: Sequence[Case]) -> list[WarInputs]:
    """Each case through the workbook and the form.

    Raises:
        ValueError: The form refuses a case; every problem is said.
    """
    workbook = workbook_of(cases, numbers, form.tables)
    snapshot = workbook.read([tab_of(record).name for record in form.records()])
    book = Book(snapshot, form.records(), form.vocabulary)
    wars = []
    for row in book.table(form.request):
        try:
            filled: Filled[WarInputs] = form.read(row, book)
        except Rejected as rejection:
            raise ValueError("\n".join(str(problem) for problem in rejection.problems)) from rejection
        wars.append(filled.inputs)
    return wars


def seed_of(seed: int, id: str) -> int:
    """Luck of its own for each case."""
    return int.from_bytes(hashlib.sha256(f"history\n{seed}\n{id}".encode()).digest()[:8], "big")


def predicted(case: Case, field: Battlefield, runs: int, kernel: Kernel) -> Prediction:
    """Fight a case and write down what came of it."""
    ends = field.fight(0, runs, kernel).ends
    hours = ends.hours if case.kind == "siege" else fighting_hours(ends)
    men = np.array([army.size for army in case.armies], np.float64)
    lost = (ends.killed + ends.died + ends.captured) / men
    attacker_won = ends.winner == 0
    won = np.where(ends.decided == 0, 0.5, attacker_won)
    rows = np.arange(runs)
    of_winner, of_loser = lost[rows, ends.winner], lost[rows, 1 - ends.winner]
    factors = [army.ships / ships if ships else 0.0 for army, ships in zip(case.armies, ships_of(case), strict=True)]
    sunk = np.median(ends.sunk, axis=0) * factors
    return Prediction(
        id=case.id,
        p_attacker=float(won.mean()),
        losses=_pair(np.median(lost, axis=0)),
        low=_pair(np.quantile(lost, 0.1, axis=0)),
        high=_pair(np.quantile(lost, 0.9, axis=0)),
        winner_loss=float(np.median(of_winner)),
        loser_loss=float(np.median(of_loser)),
        loser_more=float((of_loser > of_winner).mean()),
        hours=float(np.median(hours)),
        hours_most=float(np.quantile(hours, 0.95)),
        ships_lost=_pair(sunk),
        men_lost=_pair((lost * men).mean(axis=0)),
    )


def fighting_hours(ends: Ends) -> Floats:
    """From the first contact to the decision of each battle (R-29), at least half an hour."""
    last = np.where(ends.decided == 0, ends.hours, ends.decided)
    first = np.where(ends.first_contact == 0, last, ends.first_contact)
    hours: Floats = np.maximum(last - first, 0.5)
    return hours


def _pair(values: Floats) -> tuple[float, float]:
    return float(values[0]), float(values[1])
