"""Fights of cases by the compiled kernel, and the predictions drawn from them.

The engine is used as it is: the ruleset's form reads the adapter's workbook, `Battlefield` deploys each war and fights
it. What does not depend on changed numbers is cached, so that tables and adapter can be tried in a loop.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.autoalgo.aftermath.battle_end import Ends, men_lost
from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.fight.kernel import Kernel
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.series.compile import compiled_kernel
from engine.autoalgo.setup.tables import Tables
from engine.terrain import Feature
from plausibility.adapter import Numbers, Typed, ships_of, workbook_of
from plausibility.cases import Case
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.config.maps import MapFolder
from sheets_algo.database.problems import Rejected
from sheets_algo.database.records import Database
from sheets_algo.forecasts.machine_code import MANY, cache_folder, numba_compiler
from sheets_algo.forecasts.sampling import available_threads
from sheets_algo.forms.autoalgo.form import AutoalgoForm
from sheets_algo.forms.base import FormResult, FormSource

Raw = Mapping[str, Any]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """Result of one case over all its runs.

    Args:
        id: The id of the case.
        p_attacker: The share of the runs that the attacker won; an undecided one counts one half, but before
            fortifications it is the defender's.
        losses: The median share of the men that each side lost: killed, died and captured.
        low: The 10 % quantile of the losses.
        high: The 90 % quantile of the losses.
        winner_loss: The median loss of the winning side.
        loser_loss: The median loss of the losing side.
        loser_more: The share of the runs in which the loser lost the larger share.
        hours: The median of the hours from the first contact to the decision; of a siege, of all its hours.
        hours_most: The 95 % quantile of the hours.
        ships_lost: The median loss of each side, in ships of the file.
        men_lost: The mean loss of each side, in men.
        losses_if: The median losses in the battles that the attacker won, and in those that the defender won; of all
            battles where that side won none.
        hours_if: The median hours likewise.
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
    losses_if: tuple[tuple[float, float], tuple[float, float]]
    hours_if: tuple[float, float]


KEPT = 40
"""Maximum number of cached lists of inputs, about 1 MB each."""


def machine(battles: int = MANY) -> Kernel:
    """Return the kernel as machine code in the cache of forecasts, or as Python if compiling does not pay off."""
    return compiled_kernel(numba_compiler(str(cache_folder()), battles))


@dataclass
class Arena:
    """Place where cases are fought; what does not depend on numbers is cached between calls.

    Args:
        library: The tables, maps and schemas of the project.
        kernel: The kernel that fights.
        threads: The number of threads; 0 for one per processor.
        typed: The function that types the rows of a case; None for the adapter.
    """

    library: ConfigLoader = field(default_factory=ConfigLoader)
    kernel: Kernel = field(default_factory=machine)
    threads: int = 0
    typed: Typed | None = None
    _folders: dict[Any, MapFolder] = field(default_factory=dict)
    _wars: dict[str, list[WarInputs]] = field(default_factory=dict)
    _last: tuple[Raw, AutoalgoForm] | None = None

    def predict(self, raw: Raw, numbers: Numbers, cases: Sequence[Case], runs: int, seed: int) -> list[Prediction]:
        """Fight each case; the result depends only on the arguments.

        Args:
            raw: The ruleset's parsed tables by file name without `.json`, possibly changed.
            numbers: The numbers of the adapter, as in `adapter.json`.
            cases: The cases, each with an id of its own.
            runs: The battles of each case.
            seed: The seed, 0 or above.

        Raises:
            ValueError: A case cannot be typed into a workbook, or the form refuses it.
            TableError: The tables do not fit together.
        """
        form = self._form_of(raw)
        wars = self._read(form, raw, numbers, cases)

        def fight(place: int) -> Prediction:
            field = Battlefield.of(wars[place], form.tables, seed_of(seed, cases[place].id))
            return predicted(cases[place], field, runs, self.kernel)

        with ThreadPoolExecutor(self.threads or available_threads()) as pool:
            return list(pool.map(fight, range(len(cases))))

    def lists(self) -> Mapping[str, Sequence[str]]:
        """Return every value that the engine's lists allow, by list."""
        tables = self.library.build("autoalgo", Tables.of)
        terrains = MapFolder(self.library.maps_folder, tables.terrain).names
        return {name: words.values for name, words in tables.lists.items()} | {"Terrain": terrains}

    def _read(self, form: AutoalgoForm, raw: Raw, numbers: Numbers, cases: Sequence[Case]) -> list[WarInputs]:
        """Return the inputs of each case, which depend on adapter, units, values and the legend of the maps."""
        dependencies = [numbers, raw["units"], raw["terrain"], raw["values"], repr(cases)]
        key = hashlib.sha256(json.dumps(dependencies, sort_keys=True).encode()).hexdigest()
        if key not in self._wars:
            self._wars[key] = read_wars(form, numbers, cases, self.typed)
            if len(self._wars) > KEPT:
                del self._wars[next(iter(self._wars))]
        return self._wars[key]

    def _form_of(self, raw: Raw) -> AutoalgoForm:
        """Return the form with these tables, the last one if they are the same object: many cases share them."""
        if self._last is None or self._last[0] is not raw:
            form = AutoalgoForm(FormSource(raw, self._maps))
            self._last = raw, form
        return self._last[1]

    def _maps(self, legend: Sequence[Feature]) -> MapFolder:
        colours = tuple(feature.rgb for feature in legend)
        if colours not in self._folders:
            self._folders[colours] = MapFolder(self.library.maps_folder, legend)
        return self._folders[colours]


def read_wars(
    form: AutoalgoForm, numbers: Numbers, cases: Sequence[Case], typed: Typed | None = None
) -> list[WarInputs]:
    """Return the inputs of each case, read by the form from a workbook.

    Raises:
        ValueError: The form refuses a case; the text lists every problem.
    """
    workbook = workbook_of(cases, numbers, form.tables, typed)
    snapshot = workbook.read(form.tabs)
    book = Database(snapshot, form.records(), form.vocabulary)
    wars = []
    for row in book.table(form.request):
        try:
            filled: FormResult[WarInputs] = form.read(row, book)
        except Rejected as rejection:
            raise ValueError("\n".join(str(problem) for problem in rejection.problems)) from rejection
        wars.append(filled.inputs)
    return wars


def seed_of(seed: int, id: str) -> int:
    """Return a seed of its own for each case."""
    return int.from_bytes(hashlib.sha256(f"history\n{seed}\n{id}".encode()).digest()[:8], "big")


def predicted(case: Case, field: Battlefield, runs: int, kernel: Kernel) -> Prediction:
    """Fight a case and return its prediction."""
    ends = field.fight(0, runs, kernel).ends
    hours = ends.hours if case.kind == "siege" else fighting_hours(ends)
    men = np.array([army.size for army in case.armies], np.float64)
    lost = men_lost(ends) / men
    attacker_won = ends.winner == 0
    is_undecided = (ends.decided == 0) & (case.fortifications == "none")
    won = np.where(is_undecided, 0.5, attacker_won)
    rows = np.arange(runs)
    of_winner, of_loser = lost[rows, ends.winner], lost[rows, 1 - ends.winner]
    factors = [army.ships / ships if ships else 0.0 for army, ships in zip(case.armies, ships_of(case), strict=True)]
    sunk = np.median(ends.sunk, axis=0) * factors
    won_by = [of_side if of_side.any() else slice(None) for of_side in (attacker_won, ~attacker_won)]
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
        losses_if=(_pair(np.median(lost[won_by[0]], axis=0)), _pair(np.median(lost[won_by[1]], axis=0))),
        hours_if=(float(np.median(hours[won_by[0]])), float(np.median(hours[won_by[1]]))),
    )


def fighting_hours(ends: Ends) -> Floats:
    """Return the hours from the first contact to the decision of each battle (R-29), at least half an hour."""
    last = np.where(ends.decided == 0, ends.hours, ends.decided)
    first = np.where(ends.first_contact == 0, last, ends.first_contact)
    hours: Floats = np.maximum(last - first, 0.5)
    return hours


def _pair(values: Floats) -> tuple[float, float]:
    return float(values[0]), float(values[1])
