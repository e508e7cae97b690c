"""Rulings of map games: from a spreadsheet row to a receipt in the same spreadsheet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.ruleset import Outcome
    from sheets_algo.season.season import Season

__all__ = ["open_season", "rule"]
__version__ = "0.2.0"


def open_season(workbook: str | Path, **options: Any) -> Season:
    """Read a workbook as data, see `sheets_algo.season.season.open_season`."""
    from sheets_algo.season import season

    return season.open_season(workbook, **options)


def rule(inputs: str | Mapping[str, Any], *, ruleset: str, seed: int = 0) -> Outcome:
    """Rule one request without a workbook, see `sheets_algo.season.season.rule`."""
    from sheets_algo.season import season

    return season.rule(inputs, ruleset=ruleset, seed=seed)
