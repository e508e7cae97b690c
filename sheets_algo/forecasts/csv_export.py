"""CSV export of a forecast, one row per battle, for spreadsheets and notebooks."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from engine.forecast import ATTACKER, DEFENDER, NOBODY, Replicates
from sheets_algo.forecasts.report import ForecastCase
from sheets_algo.workbook.atomic_file import atomic_write

WINNERS = {ATTACKER: "attacker", DEFENDER: "defender", NOBODY: "nobody"}


def write_battles(file: Path, answers: Iterable[tuple[Sequence[ForecastCase], Sequence[Replicates]]]) -> None:
    """Write one row per battle: request, change, number of the battle, winner, numbers and words.

    Requests of different rulesets have different columns; missing values stay blank.

    Args:
        file: The file to write.
        answers: The cases of each request and their battles.

    Raises:
        OSError: The file cannot be written.
    """
    parts = [
        (case.war.request, case.label, battles)
        for cases, fought in answers
        for case, battles in zip(cases, fought, strict=True)
    ]
    headers = dict.fromkeys(("request", "change", "battle"))
    for _, _, battles in parts:
        headers |= dict.fromkeys(_columns(battles))
    with atomic_write(file) as new, new.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(headers), restval="", lineterminator="\n")
        writer.writeheader()
        for request, label, battles in parts:
            writer.writerows(_rows(request, label, battles))


def _rows(request: str, label: str, battles: Replicates) -> Iterator[dict[str, Any]]:
    columns = _columns(battles)
    for battle, values in enumerate(zip(*columns.values(), strict=True)):
        own = {"request": request, "change": label, "battle": battle}
        yield own | dict(zip(columns, values, strict=True))


def _columns(battles: Replicates) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {}
    if battles.winner is not None:
        columns["winner"] = [WINNERS[side] for side in battles.winner.tolist()]
    for name, measure in battles.numbers.items():
        columns[name] = [_number(value) for value in measure.values.tolist()]
    for name, kinds in battles.words.items():
        columns[name] = [kinds.names[code] if code >= 0 else "" for code in kinds.codes.tolist()]
    return columns


def _number(value: float) -> float | int | str:
    """Return a whole number without a point, NaN as a blank."""
    return "" if math.isnan(value) else int(value) if value.is_integer() else value
