"""Battles of a forecast as a pandas DataFrame, one row per battle, and as a CSV file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.forecast import ATTACKER, DEFENDER, NOBODY, Real, Replicates
from sheets_algo.forecasts.report import ForecastCase
from sheets_algo.workbook.csv_files import write_frame

if TYPE_CHECKING:
    import pandas

WINNERS = {ATTACKER: "attacker", DEFENDER: "defender", NOBODY: "nobody"}


def battle_frame(request: str, change: str, battles: Replicates) -> pandas.DataFrame:
    """Return a DataFrame: request, change, number of the battle, winner, and all numbers and words.

    Args:
        change: The change of its cells; blank for none.
    """
    import pandas

    columns: dict[str, object] = {"request": request, "change": change, "battle": range(len(battles))}
    if battles.winner is not None:
        columns["winner"] = [WINNERS[side] for side in battles.winner.tolist()]
    for name, measure in battles.numbers.items():
        columns[name] = pandas.array(measure.values, dtype="Int64" if _is_whole(measure.values) else "Float64")
    for name, kinds in battles.words.items():
        columns[name] = [kinds.names[code] if code >= 0 else None for code in kinds.codes.tolist()]
    return pandas.DataFrame(columns)


def write_battles(file: Path, answers: Iterable[tuple[Sequence[ForecastCase], Sequence[Replicates]]]) -> None:
    """Write the battles of some requests as CSV; requests of other rulesets have other columns, blank where missing.

    Raises:
        OSError: The file cannot be written.
    """
    import pandas

    frames = [
        battle_frame(case.war.request, case.label, battles)
        for cases, fought in answers
        for case, battles in zip(cases, fought, strict=True)
    ]
    write_frame(file, pandas.concat(frames))


def _is_whole(values: Real) -> bool:
    return bool(np.all(np.isnan(values) | (values == np.trunc(values))))
