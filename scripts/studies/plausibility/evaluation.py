"""Evaluation of tables and adapter: tracks, scenarios and the equal-quality curve, repeatable in a loop."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

from engine.autoalgo.setup.tables import Tables
from plausibility import metrics
from plausibility.adapter import Numbers, known_as
from plausibility.archetypes import SLOTS
from plausibility.cases import TRACKS, Battle, Scenario
from plausibility.curve import curve_of
from plausibility.fights import Arena, Prediction, Raw
from plausibility.spelling import Spelling

CURVE_RUNS = 10
"""Factor on the runs of a row for the points of the curve, which are few."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Results of an evaluation.

    Args:
        metrics: The metrics by key.
        tracks: The predictions of the battles by track.
        scenarios: The predictions of the scenarios.
        curve: The attacker's chance by posture and ratio.
    """

    metrics: metrics.Metrics
    tracks: Mapping[str, Sequence[Prediction]]
    scenarios: Sequence[Prediction]
    curve: Mapping[str, Mapping[float, float]]


@dataclass
class Bench:
    """Rows to evaluate, read once, and the arena where they are fought.

    Args:
        battles: The rows of battles.
        scenarios: The rows of scenarios.
        arena: The arena, which caches what does not depend on changed numbers.
        notes: Sentences on words and units that were replaced.
    """

    battles: Sequence[Battle] = ()
    scenarios: Sequence[Scenario] = ()
    arena: Arena = field(default_factory=Arena)
    notes: list[str] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        """Spell the rows as the engine does."""
        spelling = Spelling(self.arena.lists())
        self.battles = [replace(battle, case=spelling.case(battle.case)) for battle in self.battles]
        self.scenarios = [replace(scenario, case=spelling.case(scenario.case)) for scenario in self.scenarios]
        self.notes += spelling.notes + self._unknown_units()

    def evaluate(
        self,
        raw: Raw,
        numbers: Numbers,
        *,
        runs: int = 200,
        seed: int = 0,
        tracks: Sequence[str] = TRACKS,
        with_curve: bool = True,
    ) -> Evaluation:
        """Fight all rows under some numbers.

        Args:
            raw: The tables as `Library.raw("autoalgo")` returns them, possibly changed (`changed`).
            numbers: The numbers of the adapter (`adapter_numbers()`), possibly changed.
            runs: The battles of each row.
            seed: The seed; use the same one for comparisons.
            tracks: The tracks to fight.
            with_curve: True to fight the equal-quality curve too.

        Raises:
            ValueError: A row cannot be typed into a workbook.
            TableError: The tables do not fit together.
        """
        fought: dict[str, list[Prediction]] = {}
        for track in tracks if self.battles else ():
            cases = [battle.case.on_track(track) for battle in self.battles]
            fought[track] = self.arena.predict(raw, numbers, cases, runs, seed)
        scenarios = self.arena.predict(raw, numbers, [scenario.case for scenario in self.scenarios], runs, seed)
        curve = curve_of(self.arena, raw, numbers, CURVE_RUNS * runs, seed) if with_curve else {}
        found = metrics.battle_metrics(
            {track: list(zip(self.battles, predictions, strict=True)) for track, predictions in fought.items()}
        )
        found |= metrics.scenario_metrics(list(zip(self.scenarios, scenarios, strict=True)))
        found |= metrics.curve_metrics(curve) if curve else {}
        return Evaluation(found, fought, scenarios, curve)

    def _unknown_units(self) -> list[str]:
        """Return a sentence for each archetype that the catalogue lacks, with the unit that replaces it."""
        tables = self.arena.library.build("autoalgo", Tables.of)
        replaced = {
            (kind, known_as(kind, slot, case.year, tables, army.civilization))
            for case in (*(battle.case for battle in self.battles), *(scenario.case for scenario in self.scenarios))
            for army in case.armies
            for slot, kind in zip(SLOTS, (*army.types, army.ship_type), strict=True)
            if kind
        }
        aliases = tables.unit_aliases
        return [
            f'"{name}" is no unit of the catalogue; taken for {unit}.'
            for name, unit in sorted(replaced)
            if aliases.get(name, name) != unit
        ]

    def fold_metrics(self, evaluation: Evaluation, fold: int, folds: int) -> metrics.Metrics:
        """Return the metrics of the rows of one fold."""
        battles = [place for place, battle in enumerate(self.battles) if fold_of(battle.case.id, folds) == fold]
        scenarios = [place for place, scenario in enumerate(self.scenarios) if fold_of(scenario.case.id, folds) == fold]
        by_track = {
            track: [(self.battles[row], found[row]) for row in battles] for track, found in evaluation.tracks.items()
        }
        return metrics.battle_metrics(by_track) | metrics.scenario_metrics(
            [(self.scenarios[place], evaluation.scenarios[place]) for place in scenarios]
        )


def fold_of(id: str, folds: int) -> int:
    """Return the fold of a row, 0 to `folds` - 1, by a hash of its id; new rows do not move others."""
    return int.from_bytes(hashlib.sha256(f"fold {id}".encode()).digest()[:8], "big") % folds


def changed(content: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy with new numbers: `changed(raw, {"strategy/fortune/side": 0.3, "units/units/3/Power/1": 2})`.

    Raises:
        KeyError: A path names no place.
    """
    result: Any = dict(content)
    for path, value in changes.items():
        node = result
        *steps, last = path.split("/")
        for step in steps:
            key = int(step) if isinstance(node, list) else step
            node[key] = list(node[key]) if isinstance(node[key], list) else dict(node[key])
            node = node[key]
        key = int(last) if isinstance(node, list) else last
        if isinstance(node, dict) and key not in node:
            raise KeyError(path)
        node[key] = value
    return dict(result)


BATTLE_COLUMNS = (
    "battle_id", "track", "p_attacker_win", "att_loss_frac_median", "def_loss_frac_median", "duration_hours",
    "winner_loss_frac_median", "loser_loss_frac_median", "loser_loses_more_share",
    "att_loss_p10", "att_loss_p90", "def_loss_p10", "def_loss_p90",
)  # fmt: skip
SCENARIO_COLUMNS = (
    "scenario_id", "p_attacker_win", "att_loss_frac_median", "def_loss_frac_median", "duration_hours", "duration_days",
    "att_ships_lost", "def_ships_lost", "att_loss_p10", "att_loss_p90", "def_loss_p10", "def_loss_p90",
)  # fmt: skip
HOURS_A_DAY = 12
"""Hours of fighting per day."""


def write_battles(out: TextIO, tracks: Mapping[str, Sequence[Prediction]]) -> None:
    """Write the predictions of battles as CSV."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(BATTLE_COLUMNS)
    for track, predictions in tracks.items():
        for found in predictions:
            losses = (found.winner_loss, found.loser_loss, found.loser_more, *_spread(found))
            row = (found.p_attacker, *found.losses, found.hours, *losses)
            writer.writerow((found.id, track, *map(_text, row)))


def write_scenarios(out: TextIO, scenarios: Sequence[Scenario], predictions: Sequence[Prediction]) -> None:
    """Write the predictions of scenarios as CSV: sieges in days, everything else in hours."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(SCENARIO_COLUMNS)
    for scenario, found in zip(scenarios, predictions, strict=True):
        is_siege = scenario.case.kind == "siege"
        time = ("", _text(found.hours / HOURS_A_DAY)) if is_siege else (_text(found.hours), "")
        ships = [
            _text(lost) if army.ships else "" for lost, army in zip(found.ships_lost, scenario.case.armies, strict=True)
        ]
        odds = map(_text, (found.p_attacker, *found.losses))
        writer.writerow((found.id, *odds, *time, *ships, *map(_text, _spread(found))))


def write_curve(out: TextIO, curve: Mapping[str, Mapping[float, float]]) -> None:
    """Write the equal-quality curve as CSV."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("posture", "ratio", "p_attacker_win"))
    for posture, odds in curve.items():
        for ratio, chance in odds.items():
            writer.writerow((posture, _text(ratio), _text(chance)))


def save(path: Path, write: Any, *content: Any) -> None:
    """Write a CSV file with one of the functions above."""
    with path.open("w", encoding="utf-8", newline="") as out:
        write(out, *content)


def _spread(prediction: Prediction) -> tuple[float, float, float, float]:
    return prediction.low[0], prediction.high[0], prediction.low[1], prediction.high[1]


def _text(value: float) -> str:
    return f"{value:.6g}"
