#!/usr/bin/env python3
"""How often a side of so many flanks beats the same men in three, by the rules of source and of history (R-85).

Two equal armies of 10,000 men meet on a plain; each figure is the mean of the battles in which the flanks attack and of
those in which they defend, with the same luck for all. Flanks stand in a line, or where flanks without a place stand,
all on one point. Decoys are flanks of one man or a few, 8 pixels before the line. Below come fewer archers against many
swordsmen in three flanks.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MEN = 10_000
COUNTS = (1, 2, 3, 4, 6, 9, 12, 18, 30, 99)
UNEVEN = ((8_000, 1_000, 1_000), (9_000, 1_000), (4_000, 2_000, 2_000, 2_000), (6_000, *[1_000] * 4), (9_992, *[1] * 8))
SWORDS = {"Longbowman": 24_489, "Mongol horse archer": 18_228}
"""Swordsmen against whom `MEN` of a unit of archers win about half of the battles."""
DECOYS = ((3, 1), (9, 1), (9, 20), (30, 1))
"""Decoys before three flanks, and the men of each."""
Flanks = tuple[Any, ...]
Side = tuple[tuple[Any, ...], tuple[float, ...], int]
"""Units, their shares, and men."""


def main() -> int:
    """Fight and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--battles", type=int, default=400, help="battles for each figure, half of them as attacker")
    args = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    from engine.autoalgo.setup.source import HISTORY, RULES, SOURCE
    from engine.settings import Setting
    from scripts.support.pinned_tables import shipped_tables
    from scripts.support.small_battles import machine_code

    with machine_code() as kernel:
        print("| Army | Flanks | Source | History |\n|---|---|--:|--:|")
        for name, own, enemy, with_counts in (*equal(shipped_tables()), *unlike(shipped_tables())):
            for what, place in strategies(with_counts):
                share = []
                for rules in (SOURCE, HISTORY):
                    tables = shipped_tables().having((Setting(name=RULES, value=rules),))
                    share.append(won(own, enemy, place, tables, kernel, max(args.battles // 2, 1)))
                print(f"| {name} | {what} | {share[0]:.2f} | {share[1]:.2f} |", flush=True)
    return 0


def equal(tables: Any) -> Iterator[tuple[str, Side, Side, bool]]:
    """Yield name, both sides, and whether flanks are uneven too, of each kind of army against itself."""
    for name, types, shares in armies(tables):
        side = types, shares, MEN
        yield name, side, side, name in ("archers", "swords", "muskets")


def unlike(tables: Any) -> Iterator[tuple[str, Side, Side, bool]]:
    """Yield the same for archers against swordsmen."""
    on_foot = 1.0, 0.0, 0.0
    for name, men in SWORDS.items():
        unit, is_mounted = tables.units[name], name != "Longbowman"
        own = ((None, unit, None), (0.0, 1.0, 0.0), MEN) if is_mounted else ((unit, None, None), on_foot, MEN)
        yield f"{name}, {men:,} swords", own, ((tables.units["Huscarl"], None, None), on_foot, men), False


def armies(tables: Any) -> Iterator[tuple[str, tuple[Any, ...], tuple[float, ...]]]:
    """Yield name, types and shares of each kind of army."""
    from scripts.support.small_battles import ARCHER

    units = tables.units
    yield "archers", (ARCHER, None, None), (1.0, 0.0, 0.0)
    yield "swords", (units["Huscarl"], None, None), (1.0, 0.0, 0.0)
    yield "muskets", (units["Line infantry (flintlock)"], None, None), (1.0, 0.0, 0.0)
    yield "pikes and shot", (units["Pike and shot"], None, None), (1.0, 0.0, 0.0)
    yield "breech-loaders", (units["Breech-loader infantry"], None, None), (1.0, 0.0, 0.0)
    yield "horse archers", (None, units["Mongol horse archer"], None), (0.0, 1.0, 0.0)
    yield "swords and riders", (units["Huscarl"], units["Norman Knight"], None), (0.7, 0.3, 0.0)


def strategies(with_counts: bool) -> Iterator[tuple[str, Callable[[bool], Flanks]]]:
    """Yield name and flanks, in the north or the south, of each strategy; with counts, uneven ones too."""
    for count in COUNTS:
        yield f"{count}", lambda north, count=count: line([None] * count, north)
    for count in (9, 12, 99):
        yield f"{count} on one point", lambda north, count=count: line([None] * count, north, ahead=-12, apart=0)
    for men in UNEVEN if with_counts else ():
        yield " + ".join(f"{own:,}" for own in men), lambda north, men=men: line(men, north)
    for decoys, men in DECOYS if with_counts else ():
        yield f"3 behind {decoys} of {men}", lambda north, decoys=decoys, men=men: behind(decoys, men, north)


def behind(decoys: int, men: int, north: bool) -> Flanks:
    """Return three flanks 8 pixels behind a line of decoys."""
    rest = MEN - decoys * men
    main = [rest // 3 + (place < rest % 3) for place in range(3)]
    return (*line([men] * decoys, north, ahead=8), *line(main, north))


def line(men: Sequence[int | None], north: bool, ahead: float = 0, apart: float = 10) -> Flanks:
    """Return flanks side by side, at most so many pixels apart."""
    from engine.autoalgo.inputs import FlankOrder

    apart = min(apart, 360 / max(len(men) - 1, 1))
    first = 200 - apart * (len(men) - 1) / 2
    y = 182 + ahead if north else 218 - ahead
    return tuple(FlankOrder(x=first + apart * place, y=y, infantry=own) for place, own in enumerate(men))


def won(own: Side, enemy: Side, place: Callable[[bool], Flanks], tables: Any, kernel: Any, count: int) -> float:
    """Return the share of battles that the flanks win against an enemy in three."""
    from engine.autoalgo.fight.battlefield import Battlefield
    from scripts.support.small_battles import army, war

    found = 0.0
    for side in (0, 1):
        flanks = [place(side == 0), line([None] * 3, side == 1)]
        sides = [
            army(name, men, types=types, shares=shares, flanks=rows)
            for name, (types, shares, men), rows in zip("AB", (own, enemy), flanks, strict=True)
        ]
        inputs = war(*(sides if side == 0 else reversed(sides)))
        winner = Battlefield.of(inputs, tables, seed=7).fight(0, count, kernel).ends.winner
        found += float((winner == side).mean()) / 2
    return found


if __name__ == "__main__":
    sys.exit(main())
