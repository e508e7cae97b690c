"""All of it at once: tracks, scenarios and the curve under some tables and some adapter, as often as one likes."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

from engine.autoalgo.tables import Tables
from plausibility import metrics
from plausibility.adapter import Numbers, known_as
from plausibility.archetypes import SLOTS
from plausibility.cases import TRACKS, Battle, Scenario
from plausibility.curve import curve_of
from plausibility.fights import Arena, Prediction, Raw
from plausibility.spelling import Spelling

CURVE_RUNS = 10
"""The curve has few points, so it is fought this many times as often as a row."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What came of it.

    Args:
        metrics: By key.
        tracks: Track to the battles' predictions.
        scenarios: Predictions.
        curve: Posture to ratio to the attacker's chance.
    """

    metrics: metrics.Metrics
    tracks: Mapping[str, Sequence[Prediction]]
    scenarios: Sequence[Prediction]
    curve: Mapping[str, Mapping[float, float]]


@dataclass
class Bench:
    """The rows, read once, and where they are fought.

    Args:
        battles: Rows of battles.
        scenarios: Rows of scenarios.
        arena: Keeps what numbers do not change.
    """

    battles: Sequence[Battle] = ()
    scenarios: Sequence[Scenario] = ()
    arena: Arena = field(default_factory=Arena)
    notes: list[str] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        """Spell the rows as the engine does."""
        spelling = Spelling(self.arena.lists())
        self.battles = [replace(it, case=spelling.case(it.case)) for it in self.battles]
        self.scenarios = [replace(it, case=spelling.case(it.case)) for it in self.scenarios]
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
        """Fight everything under these numbers.

        Args:
            raw: Tables as `Library.raw("autoalgo")` gives them, with whatever was changed (`changed`).
            numbers: The adapter's (`adapter_numbers()`), likewise.
            runs: Battles of each row.
            seed: The same seed compares like with like.
            tracks: Which to fight.
            with_curve: Whether to fight the equal-quality curve too.

        Raises:
            ValueError: A row cannot be typed into a workbook.
            Slip: The tables do not fit together.
        """
        fought: dict[str, list[Prediction]] = {}
        for track in tracks if self.battles else ():
            cases = [battle.case.on_track(track) for battle in self.battles]
            fought[track] = self.arena.predict(raw, numbers, cases, runs, seed)
        scenarios = self.arena.predict(raw, numbers, [it.case for it in self.scenarios], runs, seed)
        curve = curve_of(self.arena, raw, numbers, CURVE_RUNS * runs, seed) if with_curve else {}
        found = metrics.battle_metrics(
            {track: list(zip(self.battles, them, strict=True)) for track, them in fought.items()}
        )
        found |= metrics.scenario_metrics(list(zip(self.scenarios, scenarios, strict=True)))
        found |= metrics.curve_metrics(curve) if curve else {}
        return Evaluation(found, fought, scenarios, curve)

    def _unknown_units(self) -> list[str]:
        """A sentence for each archetype that the catalogue lacks and what it is taken for."""
        tables = self.arena.library.build("autoalgo", Tables.of)
        taken = {
            (kind, known_as(kind, slot, case.year, tables, army.civilization))
            for case in (*(it.case for it in self.battles), *(it.case for it in self.scenarios))
            for army in case.armies
            for slot, kind in zip(SLOTS, (*army.types, army.ship_type), strict=True)
            if kind
        }
        aliases = tables.unit_aliases
        return [
            f'"{a}" is no unit of the catalogue; taken for {b}.' for a, b in sorted(taken) if aliases.get(a, a) != b
        ]

    def fold_metrics(self, evaluation: Evaluation, fold: int, folds: int) -> metrics.Metrics:
        """The metrics of the rows of one fold alone."""
        own = [place for place, battle in enumerate(self.battles) if fold_of(battle.case.id, folds) == fold]
        stylised = [place for place, it in enumerate(self.scenarios) if fold_of(it.case.id, folds) == fold]
        by_track = {
            track: [(self.battles[place], them[place]) for place in own] for track, them in evaluation.tracks.items()
        }
        return metrics.battle_metrics(by_track) | metrics.scenario_metrics(
            [(self.scenarios[place], evaluation.scenarios[place]) for place in stylised]
        )

    def only(self, fold: int, folds: int) -> Bench:
        """The rows of one fold."""
        return self._having(lambda row: fold_of(row, folds) == fold)

    def without(self, fold: int, folds: int) -> Bench:
        """All rows but those of one fold."""
        return self._having(lambda row: fold_of(row, folds) != fold)

    def _having(self, takes: Callable[[str], bool]) -> Bench:
        battles = [it for it in self.battles if takes(it.case.id)]
        return Bench(battles, [it for it in self.scenarios if takes(it.case.id)], self.arena)


def merged(parts: Sequence[tuple[Bench, Evaluation]]) -> metrics.Metrics:
    """The metrics of several benches together, each fought under numbers of its own."""
    by_track: dict[str, list[tuple[Battle, Prediction]]] = {}
    for bench, it in parts:
        for track, them in it.tracks.items():
            by_track.setdefault(track, []).extend(zip(bench.battles, them, strict=True))
    scenarios = [pair for bench, it in parts for pair in zip(bench.scenarios, it.scenarios, strict=True)]
    return metrics.battle_metrics(by_track) | metrics.scenario_metrics(scenarios)


def fold_of(id: str, folds: int) -> int:
    """The fold of a row, 0 to `folds` - 1, by a hash of its id; adding rows moves none."""
    return int.from_bytes(hashlib.sha256(f"fold {id}".encode()).digest()[:8], "big") % folds


def changed(content: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A copy with numbers in their places: `changed(raw, {"strategy/fortune/side": 0.3, "units/units/3/Power/1": 2})`.

    Raises:
        KeyError: A path names no place.
    """
    made: Any = dict(content)
    for path, value in changes.items():
        at = made
        *steps, last = path.split("/")
        for step in steps:
            key = int(step) if isinstance(at, list) else step
            at[key] = list(at[key]) if isinstance(at[key], list) else dict(at[key])
            at = at[key]
        key = int(last) if isinstance(at, list) else last
        if isinstance(at, dict) and key not in at:
            raise KeyError(path)
        at[key] = value
    return dict(made)


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
"""Of fighting."""


def write_battles(out: TextIO, tracks: Mapping[str, Sequence[Prediction]]) -> None:
    """The predictions of battles as CSV."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(BATTLE_COLUMNS)
    for track, them in tracks.items():
        for it in them:
            row = (it.p_attacker, *it.losses, it.hours, it.winner_loss, it.loser_loss, it.loser_more, *_spread(it))
            writer.writerow((it.id, track, *map(_written, row)))


def write_scenarios(out: TextIO, scenarios: Sequence[Scenario], them: Sequence[Prediction]) -> None:
    """The predictions of scenarios as CSV: sieges in days, everything else in hours."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(SCENARIO_COLUMNS)
    for scenario, it in zip(scenarios, them, strict=True):
        is_siege = scenario.case.kind == "siege"
        time = ("", _written(it.hours / HOURS_A_DAY)) if is_siege else (_written(it.hours), "")
        ships = [
            _written(lost) if army.ships else "" for lost, army in zip(it.ships_lost, scenario.case.armies, strict=True)
        ]
        odds = map(_written, (it.p_attacker, *it.losses))
        writer.writerow((it.id, *odds, *time, *ships, *map(_written, _spread(it))))


def write_curve(out: TextIO, curve: Mapping[str, Mapping[float, float]]) -> None:
    """The equal-quality curve as CSV."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("posture", "ratio", "p_attacker_win"))
    for posture, odds in curve.items():
        for ratio, chance in odds.items():
            writer.writerow((posture, _written(ratio), _written(chance)))


def save(path: Path, write: Any, *what: Any) -> None:
    """Write a CSV file by one of the functions above."""
    with path.open("w", encoding="utf-8", newline="") as out:
        write(out, *what)


def _spread(it: Prediction) -> tuple[float, float, float, float]:
    return it.low[0], it.high[0], it.low[1], it.high[1]


def _written(value: float) -> str:
    return f"{value:.6g}"
