#!/usr/bin/env python3
"""Compare forecasts and "How lucky it was" with rulings under other secrets (FC-01, FC-06).

Wars as moderators type them (`scripts/support/plain_wars.py`). Each is forecast once, and ruled under each of several
secrets. Printed is how the forecasts fit the rulings, and what would be expected of perfect ones.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
BATTLES, OTHERS = 400, 100
"""Battles of a forecast, and others that a ruling is compared with."""
BINS = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
"""Bounds of the forecasts that are counted together."""
QUANTILES = (5, 50, 95)


def main() -> int:
    """Fight and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wars", type=int, default=120, help="wars (120)")
    parser.add_argument("--secrets", type=int, default=20, help="secrets, each of which rules every war (20)")
    args = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    from engine.autoalgo.resolve import Autoalgo
    from scripts.support.pinned_tables import shipped_tables

    print(*lines([*measured(Autoalgo(shipped_tables()), args.wars, args.secrets)]), sep="\n")
    return 0


def measured(ruleset: Any, wars: int, secrets: int) -> Iterator[dict[str, Any]]:
    """Yield what is measured of each war, of its rulings one figure a secret."""
    from engine.forecast import ATTACKER, percentile
    from engine.ruleset import MachineCode
    from scripts.support.plain_wars import plain_wars
    from sheets_algo.config.loader import ConfigLoader
    from sheets_algo.config.maps import MapFolder
    from sheets_algo.forecasts.machine_code import numba_compiler
    from sheets_algo.ruling.forecast.forecast_rows import forecast_seed
    from sheets_algo.ruling.luck.draw import Secret

    folder = MapFolder(ConfigLoader().maps_folder, ruleset.tables.terrain)
    maps = {name: folder.load(name) for name in folder.names if name != "Sea"}
    code, battles = MachineCode(), wars * (BATTLES + secrets * (1 + OTHERS))
    for number, inputs in enumerate(plain_wars(wars, ruleset.tables, maps)):
        if not number:
            ruleset.compile(inputs, numba_compiler(None, battles), code)  # if it pays
        request, text = f"W-{number:04}", repr((inputs.name, inputs.year, number))
        forecast = ruleset.series(inputs, forecast_seed(request, text), code)(0, BATTLES)
        (losses,) = (name for name in forecast.headlines if "ttacker" in name and "loss" in name.casefold())
        bounds = np.percentile(forecast.numbers[losses].values, QUANTILES)
        won, others, ranks, below = [], [], [], []
        for secret in range(secrets):
            seed = Secret(f"odds {secret}".encode()).seed(request, text)
            fought = ruleset.series(inputs, seed, code)(0, 1 + OTHERS)
            won.append(float(fought.winner[0] == ATTACKER))
            others.append(float(np.mean(fought.winner[1:] == ATTACKER)))
            lost = fought.numbers[losses].values
            ranks.append(percentile(lost[1:], lost[0]))
            below.append([(lost[0] < bound) + (lost[0] == bound) / 2 for bound in bounds])
        told = float(np.mean(forecast.winner == ATTACKER))
        yield {"told": told, "won": won, "others": others, "ranks": ranks, "below": below}


def lines(wars: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of the tables."""
    told = np.array([war["told"] for war in wars])
    won, others, ranks = (np.array([war[name] for war in wars]) for name in ("won", "others", "ranks"))
    count, battles = won.size, others.shape[1] * OTHERS
    share = others.mean(axis=1)
    possible = float(np.mean(share * (1 - share)) * battles / (battles - 1))
    below = np.array([war["below"] for war in wars]).mean(axis=(0, 1))
    first, second = others[:, ::2].mean(axis=1), others[:, 1::2].mean(axis=1)  # else the error of one is in both
    tells = np.corrcoef(told - first, won.mean(axis=1) - second)[0, 1]
    yield "| Figure | Found | Perfect |"
    yield "|---|--:|--:|"
    brier = np.mean((told[:, None] - won) ** 2)
    yield f"| Brier score of {len(wars):,} forecasts for {count:,} rulings | {brier:.4f} | {possible:.4f} |"
    for quantile, found in zip(QUANTILES, below, strict=True):
        yield f"| Rulings below the {quantile} % of attacker's losses | {found:.3f} | {quantile / 100:.3f} |"
    yield f"| *How lucky*, mean percentile | {ranks.mean():.1f} | 50.0 |"
    yield f"| *How lucky*, its standard deviation | {ranks.std():.1f} | {100 / 12**0.5:.1f} |"
    bound = 1.96 * len(wars) ** -0.5
    yield f"| Correlation of a forecast's error with the rulings | {tells:+.2f} | 0 ± {bound:.2f} at 95 % |"
    yield ""
    yield "| Forecast for the attacker | Wars | Said | Won |"
    yield "|---|--:|--:|--:|"
    for low, high in pairwise(BINS):
        chosen = (told >= low) & ((told < high) | (high == BINS[-1]))
        if chosen.any():
            said, came = told[chosen].mean(), won[chosen].mean()
            yield f"| {100 * low:.0f} to {100 * high:.0f} % | {chosen.sum()} | {said:.3f} | {came:.3f} |"


if __name__ == "__main__":
    sys.exit(main())
