#!/usr/bin/env python3
"""Search for layouts of flanks that win by themselves (R-85, R-115, R-116, R-118).

Two equal armies of 10,000 men meet on a plain in each of four ages. Five sensible layouts meet each other; then the
search looks for the layout that wins most against all five: it begins at random and changes the best ones, in some
restarts. What it finds is fought once more with other luck, so that no figure is what the search happened to like.

With --ambush a layout may have flanks in ambush, and every pixel hides them, which no map of the game does.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MEN = 10_000
MANEUVERS = ["Normal", "Position", "Feigned Retreat", "Hit and run"]
SIDES = ("attacker", "defender")


@dataclass(frozen=True)
class Group:
    """Flanks in a line."""

    flanks: int  # Number of flanks
    aside: float = 0.0  # Pixels of the middle to the east of the side's own middle
    ahead: float = 0.0  # Pixels toward the enemy from the side's default line
    apart: float = 10.0  # Pixels from one flank to the next
    maneuver: str = "Normal"  # The maneuver of all


Layout = tuple[Group, ...]

SENSIBLE: dict[str, Layout] = {
    "three flanks": (Group(3),),
    "three on Position": (Group(3, maneuver="Position"),),
    "two lines": (Group(3), Group(3, ahead=-10)),
    "wings ahead": (Group(1), Group(2, ahead=8, apart=40)),
    "six in a line": (Group(6),),
}


def main() -> int:
    """Fight, search and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--battles", type=int, default=100, help="battles of a pair while searching (100)")
    parser.add_argument("--judged", type=int, default=1000, help="battles of a pair that are printed (1000)")
    parser.add_argument("--restarts", type=int, default=4, help="searches for each age and side (4)")
    parser.add_argument("--steps", type=int, default=60, help="layouts of a search (60)")
    parser.add_argument("--age", default="", help="one age only")
    parser.add_argument("--ambush", action="store_true", help="flanks in ambush too, on a plain that hides them")
    parser.add_argument("--seed", type=int, default=1, help="another seed searches otherwise (1)")
    args = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    from engine.autoalgo.setup.tables import Tables
    from scripts.support.pinned_tables import SHIPPED, raw_tables
    from scripts.support.small_battles import machine_code

    raw = raw_tables(config=SHIPPED)
    if args.ambush:
        MANEUVERS.extend(["Ambush"] * 4)  # as often as all others together
        raw["terrain"]["roles"]["cover"].append("Plain")
    tables = Tables.of(raw)
    with machine_code() as kernel:
        for age, types, shares in armies(tables):
            if args.age not in age:
                continue
            arena = Arena(types, shares, tables, kernel)
            print(f"\n## {age}\n")
            for name, row in arena.matrix(args.judged):
                print(f"| {name} | {' | '.join(f'{share:.2f}' for share in row)} |", flush=True)
            for side in (0, 1):
                luck = random.Random(f"{args.seed} {age} {side}")
                found = max((arena.searched(side, luck, args) for _ in range(args.restarts)), key=lambda pair: pair[0])
                shares = arena.against_all(side, found[1], args.judged, seed=11)
                listed = ", ".join(f"{share:.2f}" for share in shares)
                print(f"{SIDES[side]}: {listed}: {words(found[1])}", flush=True)
            shares = arena.shares
    return 0


def armies(tables: Any) -> Iterator[tuple[str, tuple[Any, ...], tuple[float, ...]]]:
    """Yield the name, the types and their shares of an army of each age."""
    units = tables.units
    yield "spears", (units["Hoplite"], None, None), (1.0, 0.0, 0.0)
    yield "knights", (units["Huscarl"], units["Norman Knight"], None), (0.7, 0.3, 0.0)
    yield "muskets", (units["Line infantry (flintlock)"], None, None), (1.0, 0.0, 0.0)
    yield "rifles", (units["Breech-loader infantry"], None, None), (1.0, 0.0, 0.0)


def words(layout: Layout) -> str:
    """Return a layout in words."""
    return "; ".join(
        f"{own.flanks} at {own.aside:g} aside, {own.ahead:g} ahead, {own.apart:g} apart, {own.maneuver}"
        for own in layout
    )


@dataclass
class Arena:
    """The battles of one age."""

    types: tuple[Any, ...]
    shares: tuple[float, ...]
    tables: Any
    kernel: Any

    def won(self, attacker: Layout, defender: Layout, battles: int, seed: int) -> float:
        """Return the share of battles that the attacker wins."""
        from engine.autoalgo.series.replicates import Battlefield
        from scripts.support.small_battles import army, war

        apart = self.tables.strategy.from_middle
        flanks = orders(attacker, True, 200 - apart), orders(defender, False, 200 + apart)
        sides = [
            army(name, MEN, types=self.types, shares=self.shares, flanks=own)
            for name, own in zip("AB", flanks, strict=True)
        ]
        try:
            field = Battlefield.of(war(*sides), self.tables, seed=seed)
        except ValueError:  # an ambush too near to this enemy
            return math.nan
        winner = field.fight(0, battles, self.kernel).ends.winner
        return float((winner == 0).mean())

    def against_all(self, side: int, layout: Layout, battles: int, seed: int = 7) -> list[float]:
        """Return the share of battles that a layout wins against each sensible one."""
        if side == 0:
            return [self.won(layout, other, battles, seed) for other in SENSIBLE.values()]
        return [1.0 - self.won(other, layout, battles, seed) for other in SENSIBLE.values()]

    def matrix(self, battles: int) -> Iterator[tuple[str, list[float]]]:
        """Yield what each sensible layout wins as the attacker against each of them."""
        for name, layout in SENSIBLE.items():
            yield name, self.against_all(0, layout, battles)

    def searched(self, side: int, luck: random.Random, args: Any) -> tuple[float, Layout]:
        """Return the layout that a search finds, with the least share that it wins against a sensible one."""
        best, least = (), -1.0
        for step in range(args.steps):
            layout = random_layout(luck) if step < args.steps // 4 or not best else changed(best, luck)
            shares = self.against_all(side, layout, args.battles)
            share = min(shares)
            if not any(map(math.isnan, shares)) and (share > least or not best):
                best, least = layout, share
        return least, best


def random_layout(luck: random.Random) -> Layout:
    """Return any layout of at most 15 flanks in at most three groups."""
    groups = []
    for _ in range(luck.choice((1, 1, 2, 3))):
        own = Group(
            luck.choice((1, 1, 2, 3, 4, 5)),
            luck.choice((0.0, 0.0, luck.uniform(-60, 60))),
            luck.choice((0.0, luck.uniform(-30, 60))),
            luck.choice((0.0, 1.0, 10.0, luck.uniform(0, 40))),
            luck.choice(MANEUVERS),
        )
        groups.append(replace(own, ahead=luck.uniform(20, 90)) if own.maneuver == "Ambush" else own)
    return tuple(groups)


def changed(layout: Layout, luck: random.Random) -> Layout:
    """Return a layout with one thing changed."""
    groups = list(layout)
    place = luck.randrange(len(groups))
    kind = luck.randrange(7)
    own = groups[place]
    if kind == 0:
        groups[place] = replace(own, flanks=max(1, own.flanks + luck.choice((-2, -1, 1, 2, 6))))
    elif kind == 1:
        groups[place] = replace(own, aside=own.aside + luck.gauss(0, 10))
    elif kind == 2:
        groups[place] = replace(own, ahead=own.ahead + luck.gauss(0, 10))
    elif kind == 3:
        groups[place] = replace(own, apart=max(0.0, luck.choice((0.0, own.apart + luck.gauss(0, 5)))))
    elif kind == 4:
        groups[place] = replace(own, maneuver=luck.choice(MANEUVERS))
    elif kind == 5 and len(groups) < 4:
        groups.append(random_layout(luck)[0])
    elif len(groups) > 1:
        groups.pop(place)
    return tuple(groups)


def orders(layout: Layout, north: bool, most: float) -> tuple[Any, ...]:
    """Return the flanks of a layout, within the half of the map where they may start (R-116)."""
    from engine.autoalgo.inputs import FlankOrder

    toward = 1 if north else -1
    found = []
    for own in layout:
        first = own.aside - own.apart * (own.flanks - 1) / 2
        y = (182 if north else 218) + toward * own.ahead
        if own.maneuver != "Ambush":
            y = min(max(y, 0.0), most) if north else max(min(y, 399.0), most)
        for place in range(own.flanks):
            x = min(max(200 + first + own.apart * place, 0.0), 399.0)
            found.append(FlankOrder(x=round(x, 1), y=round(y, 1), maneuver=own.maneuver))
    return tuple(found)


if __name__ == "__main__":
    sys.exit(main())
