#!/usr/bin/env python3
"""Whether sieges change smoothly: the same luck before and after a step of 5 % in one thing that a moderator types.

Each fort of the grid is besieged many times, then again with a step in each of its numbers. A line is printed for each
kind of step with the greatest change of odds, days and losses, and the share of random forts whose outcome is certain.
Exit status: 0 if all are within the limits of the law, else 1.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from engine.autoalgo.fight.kernel import Kernel
    from engine.autoalgo.inputs import WarInputs

ROOT = Path(__file__).resolve().parents[2]
SEED = 7
STEP = 1.05
ODDS, DAYS, LOSSES = 0.04, 0.15, 0.20
"""Greatest change that a step may make: of the odds, and as a share of days and of losses."""
FEW = 1_000
"""Sieges of each fort at first; a change of less than half of the limit is small, whatever the luck."""
CERTAIN, FORTS, CERTAIN_MOST = 0.01, 200, 0.25
"""Odds below this, or above 1 less this, are certain; random forts, and the share of them that may be."""
RATIOS = (0.2, 0.4, 0.7, 1.0, 1.4, 2.0, 3.0, 5.0, 8.0, 15.0, 30.0, 60.0)
WORKS = ("Hillfort", "Palisade", "Castle", "Curtain Walls", "Bastion Fort", "Star Fort", "Bunker")
CLIMATES = ("Temperate", "Tropical", "Continental", "Arid")
GROUNDS = ("Plain", "Forest", "High ground")


@dataclass(frozen=True, slots=True)
class Fort:
    """A siege as a moderator types it; sizes in men, guns as a share of the besiegers; without relief, luck has it."""

    besiegers: float
    garrison: float
    works: str = "Castle"
    ground: str = "Plain"
    climate: str = "Temperate"
    month: str | None = None
    guns: float = 0.02
    residents: float = 0
    besieger_ships: int = 0
    garrison_ships: int = 0
    relief: float = 0
    relief_day: int = 20

    @property
    def is_coast(self) -> bool:
        """Return True if ships are there."""
        return self.besieger_ships + self.garrison_ships > 0


class Course(NamedTuple):
    """What many sieges of a fort come to: means over all."""

    odds: float
    days: float
    lost: tuple[float, float]


def inputs_of(fort: Fort) -> WarInputs:
    """Return the war of a fort: soldiers of one kind, guns of the age, one flank a side."""
    from engine.autoalgo.inputs import Relief
    from engine.autoalgo.records import Location
    from scripts.support.pinned_tables import shipped_tables
    from scripts.support.small_battles import FEATURES, GALLEY, SOLDIER, army, ground_of_codes, line, terrain, unit, war

    gun = unit(name="Gun", power=(1.2, 1.2, 0.0), long_range=1_000.0)
    types, shares = (SOLDIER, None, gun if fort.guns else None), (1 - fort.guns, 0.0, fort.guns)
    ships = {"ship": GALLEY} if fort.is_coast else {}
    flanks = line("Normal", y=182), line("Position", y=218)
    own = army(
        "A", round(fort.besiegers), types=types, shares=shares, flanks=flanks[0], ships=fort.besieger_ships, **ships
    )
    other = army("B", round(fort.garrison), flanks=flanks[1], ships=fort.garrison_ships, **ships)
    ground = terrain(fort.ground)
    if fort.is_coast:
        codes = ground.codes.copy()
        codes[:, 280:] = FEATURES["Water"]
        ground = ground_of_codes(codes)
    place: Location = replace(
        shipped_tables().defaults.location,
        fortifications=fort.works,
        climate=fort.climate,
        local_population=round(fort.residents),
    )
    relief = Relief(men=round(fort.relief), day=fort.relief_day) if fort.relief else None
    return replace(war(own, other, location=place, ground=ground), month=fort.month, relief=relief)


def course_of(fort: Fort, battles: int, kernel: Kernel) -> Course:
    """Return what so many sieges of a fort come to, always with the same luck."""
    from engine.autoalgo.aftermath.battle_end import men_lost
    from engine.autoalgo.fight.battlefield import Battlefield
    from scripts.support.pinned_tables import shipped_tables

    ends = Battlefield.of(inputs_of(fort), shipped_tables(), SEED).fight(0, battles, kernel).ends
    lost = men_lost(ends).mean(axis=0)
    return Course(
        float(np.mean(ends.winner == 0)),
        float(ends.hours.mean()) / 12,
        (float(lost[0]) / round(fort.besiegers), float(lost[1]) / round(fort.garrison)),
    )


def steps_of(fort: Fort) -> Iterator[tuple[str, Fort]]:
    """Yield the forts that a step in one number makes of a fort: 5 %, one more of a small count."""
    yield "besiegers", replace(fort, besiegers=fort.besiegers * STEP)
    yield "garrison", replace(fort, garrison=fort.garrison * STEP)
    yield "both", replace(fort, besiegers=fort.besiegers * STEP, garrison=fort.garrison * STEP)
    yield "guns", replace(fort, guns=fort.guns * STEP if fort.guns else 0.001)
    yield "residents", replace(fort, residents=fort.residents * STEP if fort.residents else 1)
    if fort.relief:
        yield "relief", replace(fort, relief=fort.relief * STEP)
        yield "day of relief", replace(fort, relief_day=fort.relief_day + 1)
    if fort.is_coast:
        yield "besieger's ships", replace(fort, besieger_ships=fort.besieger_ships + 1)
        yield "garrison's ships", replace(fort, garrison_ships=fort.garrison_ships + 1)


def grid() -> list[Fort]:
    """Return the forts of the grid."""
    forts = [
        Fort(ratio * garrison, garrison, works)
        for ratio, garrison, works in product(RATIOS, (150, 4_000), ("Palisade", "Castle", "Star Fort"))
    ]
    forts += [Fort(4_000 * ratio, 4_000, works) for ratio, works in product((1.0, 4.0), WORKS)]
    forts += [
        Fort(4_000 * ratio, 4_000, "Castle", ground, climate, month)
        for ratio, ground, climate, month in product((1.4, 5.0), GROUNDS, CLIMATES, (None, "January"))
    ]
    forts += [
        Fort(4_000 * ratio, 4_000, "Curtain Walls", guns=guns) for ratio, guns in product((2.0, 6.0), (0, 0.01, 0.08))
    ]
    forts += [
        Fort(4_000 * ratio, 4_000, residents=people) for ratio, people in product((2.0, 6.0), (0, 9_990, 60_000, 1e6))
    ]
    forts += [
        Fort(4_000 * ratio, 4_000, besieger_ships=own, garrison_ships=other)
        for ratio, own, other in product((1.4, 3.0, 10.0), (0, 5, 60), (0, 5, 60))
        if own + other
    ]
    forts += [
        Fort(men, men / 4, climate=climate) for men, climate in product((20_000, 80_000, 195_000, 400_000), CLIMATES)
    ]
    forts += [
        Fort(12_000, 4_000, relief=12_000 * ratio, relief_day=day)
        for ratio, day in product((0.1, 0.7, 4.0), (2, 20, 90))
    ]
    return list(dict.fromkeys(forts))


def random_forts(count: int = FORTS, seed: int = 1) -> list[Fort]:
    """Return random forts: sizes and ratios evenly by their logarithms, words and guns evenly."""
    chance = random.Random(seed)
    forts = []
    for _ in range(count):
        garrison = 10 ** chance.uniform(2.0, 4.5)
        ratio = 10 ** chance.uniform(-0.3, 1.5)
        forts.append(
            Fort(
                round(garrison * ratio),
                round(garrison),
                chance.choice(WORKS),
                chance.choice(GROUNDS),
                chance.choice(CLIMATES),
                guns=chance.choice((0, 0.01, 0.02, 0.05)),
                residents=10 ** chance.uniform(2.0, 5.5),
            )
        )
    return forts


def changes(before: Course, after: Course) -> tuple[float, float, float]:
    """Return the change of odds, and of days and losses as a share; a loss below a hundredth counts as that."""
    losses = [abs(new - old) / max(old, 0.01) for old, new in zip(before.lost, after.lost, strict=True)]
    return abs(after.odds - before.odds), abs(after.days - before.days) / max(before.days, 1.0), max(losses)


def is_certain(odds: float) -> bool:
    """Return True if the odds leave no doubt."""
    return not CERTAIN <= odds <= 1.0 - CERTAIN


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--battles", type=int, default=10_000, help="sieges of each fort whose change is not small (10,000)"
    )
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth fort (1)")
    args = parser.parse_args(arguments)
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "studies")]
    from plausibility.fights import machine

    kernel = machine()
    remembered = cache(lambda fort, battles: course_of(fort, battles, kernel))
    worst: dict[str, list[tuple[float, Fort]]] = {}
    for fort in grid()[:: args.every]:
        for name, stepped in steps_of(fort):
            for battles in (FEW, args.battles):
                found = changes(*(remembered(each, battles) for each in (fort, stepped)))
                if all(value < most / 2 for value, most in zip(found, (ODDS, DAYS, LOSSES), strict=True)):
                    break
            seen = worst.setdefault(name, [(0.0, fort)] * len(found))
            worst[name] = [
                max(old, (new, fort), key=lambda pair: pair[0]) for old, new in zip(seen, found, strict=True)
            ]
    is_smooth = True
    for name, found in worst.items():
        print(
            f"{name}: "
            + ", ".join(
                f"{what} {value:.3f}" for what, (value, _) in zip(("odds", "days", "losses"), found, strict=True)
            )
        )
        for (value, fort), most in zip(found, (ODDS, DAYS, LOSSES), strict=True):
            if value > most:
                print(f"  beyond {most}: {fort}")
                is_smooth = False
    share = sum(is_certain(course_of(fort, 1_000, kernel).odds) for fort in random_forts()) / FORTS
    print(f"certain outcomes of {FORTS} random forts: {share:.2f}")
    return 0 if is_smooth and share <= CERTAIN_MOST else 1


if __name__ == "__main__":
    sys.exit(main())
