#!/usr/bin/env python3
"""Effects of ground, works, pace, maneuvers, flanks, disease and more in a war as it is typed, in points of the odds.

Each lever is two wars that differ in nothing else, fought with the same luck; the side that pulls it gets its odds, and
the change with its error (95 %). Armies are of the catalogue's units, of generic nations without leaders. `Source` and
`History` are the two rule sets, `History` that of a season that init begins. Needs machine code.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "levers.md"
LINE = ((190, None), (200, None), (210, None))
FRONTS = (182, 218)
"""Y of the default places of attacker and defender."""


@dataclass(frozen=True, slots=True)
class Force:
    """An army: units of foot, horse and guns, their shares, men, its flanks (none: the default three), its disease."""

    types: tuple[str, str, str]
    shares: tuple[float, float, float]
    men: int = 10_000
    flanks: tuple[Mapping[str, Any], ...] = ()
    defenses: str = "none"
    scaled: tuple[tuple[str, float], ...] = ()
    disease: str = "none"


@dataclass(frozen=True, slots=True)
class War:
    """A war of two forces, attacker first, on a map, with the location's fortifications."""

    forces: tuple[Force, Force]
    map: str = "Plain"
    walls: str = "none"


@dataclass(frozen=True, slots=True)
class Lever:
    """Two wars that differ in what a side does: without and with it."""

    kind: str
    says: str
    without: War
    having: War
    side: int


def foot(unit: str, men: int = 10_000) -> Force:
    """Return an army of foot."""
    return Force((unit, "", ""), (1.0, 0.0, 0.0), men)


def horse(unit: str, men: int = 10_000) -> Force:
    """Return an army of horse."""
    return Force(("", unit, ""), (0.0, 1.0, 0.0), men)


def mixed(unit: str, riders: str, share: float, men: int = 10_000) -> Force:
    """Return an army of foot and horse."""
    return Force((unit, riders, ""), (1.0 - share, share, 0.0), men)


MUSKETS, SPEARS, RIFLES = (
    foot("Line infantry (flintlock)"),
    foot("Frankish foot"),
    foot("Breech-loader infantry"),
)
IMPI, LEGION, ARCHERS = foot("Zulu Impi", 20_000), foot("Legionary"), horse("Mongol horse archer")
KNIGHTS = mixed("Crusader foot", "French knight", 0.3, 12_000)
NORMANS, FYRD = mixed("Norman foot and archers", "Norman Knight", 0.3), foot("Huscarl and fyrd")
CANNAE = mixed("Mixed African, Gallic and Iberian foot", "Numidian and heavy horse", 0.25)
ROMANS = mixed("Legionary (manipular)", "Roman and allied horse", 0.08)
FOREST = (140, 202)
"""Middle of the woods on the map Hard Coast."""


def ordered(force: Force, side: int, *maneuvers: str, x: int = 200, y: int | None = None) -> Force:
    """Return a force in a line with these maneuvers, at its default places or around a point."""
    first = x - 5 * (len(maneuvers) - 1)
    flanks = [
        {"x": first + 10 * place, "y": FRONTS[side] if y is None else y, "maneuver": maneuver}
        for place, maneuver in enumerate(maneuvers)
    ]
    return replace(force, flanks=tuple(flanks))


def standing(force: Force, side: int) -> Force:
    """Return a force in three flanks on Position."""
    return ordered(force, side, *["Position"] * 3)


def arms_apart(
    force: Force, side: int, foot: str, horse: str, *, centre: int = 1, wide: int = 10, ahead: int = 0
) -> Force:
    """Return a force with its foot in the centre and half its horse on each wing, so far apart and ahead.

    Args:
        centre: Flanks of foot, 10 pixels apart.
    """
    toward = 1 if side == 0 else -1
    flanks = []
    for kind, places, y, maneuver, men in (
        ("infantry", [200 + 10 * place - 5 * (centre - 1) for place in range(centre)], FRONTS[side], foot, 0),
        ("cavalry", [200 - wide, 200 + wide], FRONTS[side] + toward * ahead, horse, 1),
    ):
        parts = divided(round(force.shares[men] * force.men), len(places))
        flanks += [{"x": x, "y": y, kind: part, "maneuver": maneuver} for x, part in zip(places, parts, strict=True)]
    return replace(force, flanks=tuple(flanks))


def divided(men: int, parts: int) -> list[int]:
    """Return men divided evenly."""
    return [men // parts + (part < men % parts) for part in range(parts)]


def two(own: Force, enemy: Force, side: int, **more: Any) -> War:
    """Return a war in which `own` attacks (side 0) or defends (side 1)."""
    return War((own, enemy) if side == 0 else (enemy, own), **more)


def levers() -> Iterator[Lever]:
    """Yield every lever."""
    yield from grounds()
    yield from works()
    yield from reach_and_pace()
    yield from maneuvers()
    yield from surprise()
    yield from numbers_of_flanks()
    yield from diseases()


def grounds() -> Iterator[Lever]:
    """Yield the grounds, for a defender who stands where default flanks stand, and in the woods."""
    stands = ("Position",) * 3
    for name, force in (("muskets", MUSKETS), ("spears", SPEARS)):
        for map in ("Hill", "Hillcountry", "Mountain", "Mountain Pass", "Normal River", "River with Bridge"):
            for maneuver in ("Normal", "Position"):
                own = force if maneuver == "Normal" else ordered(force, 1, *stands)
                yield Lever(
                    "Ground", f"{name} defend: {map}, {maneuver}", two(own, force, 1), two(own, force, 1, map=map), 1
                )
        x, y = FOREST
        fought = [
            War((ordered(force, 0, *["Normal"] * 3, x=x, y=y - 18), ordered(force, 1, *stands, x=x, y=y)), map=map)
            for map in ("Plain", "Hard Coast")
        ]
        yield Lever("Ground", f"{name} defend: woods, Position", *fought, 1)
        yield Lever(
            "Ground",
            f"{name} defend on the plain: Position",
            two(force, force, 1),
            two(ordered(force, 1, *stands), force, 1),
            1,
        )


def works() -> Iterator[Lever]:
    """Yield works, kept and left, and what standing behind them adds."""
    for name, own, enemy in (
        ("muskets against muskets", MUSKETS, MUSKETS),
        ("spears against spears", SPEARS, SPEARS),
        ("2,000 rifles against 20,000 spears", replace(RIFLES, men=2_000), IMPI),
    ):
        stands, leaves = (ordered(own, 1, *[maneuver] * 3) for maneuver in ("Position", "Normal"))
        for what in ("Earthenworks", "Trenches", "Gabions"):
            held, left = replace(stands, defenses=what), replace(leaves, defenses=what)
            yield Lever("Works", f"{name}: {what}, Position", two(own, enemy, 1), two(held, enemy, 1), 1)
            yield Lever("Works", f"{name}: {what}, left", two(held, enemy, 1), two(left, enemy, 1), 1)
        castle = two(stands, enemy, 1, walls="Castle")
        yield Lever("Works", f"{name}: Castle, Position", two(own, enemy, 1), castle, 1)
        yield Lever("Works", f"{name}: Castle, left", castle, two(leaves, enemy, 1, walls="Castle"), 1)
    for name, own in (("muskets", MUSKETS), ("spears", SPEARS), ("rifles", RIFLES)):
        few, many = standing(replace(own, men=7_000), 1), replace(own, men=40_000)
        held = two(replace(few, defenses="Gabions"), many, 1)
        yield Lever("Works", f"7,000 {name} against 40,000: Gabions, Position", two(few, many, 1), held, 1)


def reach_and_pace() -> Iterator[Lever]:
    """Yield ranges and speeds of the whole army multiplied."""
    for name, force in (("muskets", MUSKETS), ("spears", SPEARS), ("knights and foot", KNIGHTS)):
        for what, factors in (("range", (4,)), ("speed", (0.5, 2, 4))):
            for factor in factors:
                own = replace(force, scaled=((what, factor),))
                yield Lever(
                    "Reach and pace", f"{name}: {what} × {factor:g}", two(force, force, 0), two(own, force, 0), 0
                )


def maneuvers() -> Iterator[Lever]:
    """Yield each maneuver with troops who could, and with troops who could not."""
    every = ("Hit and run",) * 3, ("Feigned Retreat",) * 3
    for what, name, own, enemy, side in (
        (0, "could: horse archers against legionaries (Carrhae)", ARCHERS, replace(LEGION, men=20_000), 0),
        (0, "could: horse archers against knights and foot", ARCHERS, KNIGHTS, 0),
        (0, "could not: muskets against muskets", MUSKETS, MUSKETS, 0),
        (0, "could not: knights against huscarls", horse("Norman Knight", 5_000), FYRD, 0),
        (1, "could: horse archers against knights and foot (Manzikert)", ARCHERS, KNIGHTS, 0),
        (1, "could: Norman horse against the shield wall (Hastings)", NORMANS, FYRD, 0),
        (1, "could not: muskets against muskets", MUSKETS, MUSKETS, 0),
        (1, "could not: spears against horse", SPEARS, ARCHERS, 1),
    ):
        having = ordered(own, side, *every[what])
        if what == 1 and own is NORMANS:
            plain, having = (arms_apart(own, side, "Normal", horse) for horse in ("Normal", "Feigned Retreat"))
        else:
            plain = own
        yield Lever(f"{every[what][0]}", name, two(plain, enemy, side), two(having, enemy, side), side)
    for name, own, enemy in (
        ("could: horse on the wings (Cannae)", CANNAE, ROMANS),
        ("could: Norman foot and knights", NORMANS, FYRD),
        ("could a little: sabres beside muskets", mixed("Line infantry (flintlock)", "Sabre cavalry", 0.18), MUSKETS),
    ):
        line = arms_apart(own, 1, "Normal", "Normal")
        hammer = arms_apart(own, 1, "Position", "Normal")
        around = arms_apart(own, 1, "Normal", "Normal", wide=24, ahead=16)
        later = arms_apart(own, 1, "Normal", "Normal", ahead=-60)
        yield Lever("Hammer: foot on Position", name, two(line, enemy, 1), two(hammer, enemy, 1), 1)
        yield Lever("Envelopment: horse wide and ahead", name, two(line, enemy, 1), two(around, enemy, 1), 1)
        yield Lever("Horse held back 15 km", name, two(line, enemy, 1), two(later, enemy, 1), 1)
        wings, close, wide = (
            two(arms_apart(own, 0, "Normal", "Normal", centre=3, wide=aside, ahead=ahead), against, 0)
            for aside, ahead, against in ((20, 0, enemy), (20, 0, standing(enemy, 1)), (80, 16, standing(enemy, 1)))
        )
        yield Lever("Horse in flanks of its own", name, two(own, enemy, 0), wings, 0)
        yield Lever("Envelopment: horse 20 km aside", f"{name}; enemy on Position", close, wide, 0)
    for name, own in (("could not: spears without horse", SPEARS), ("could not: muskets without horse", MUSKETS)):
        hammer = ordered(own, 1, "Normal", "Position", "Normal")
        yield Lever("Hammer: foot on Position", name, two(own, own, 1), two(hammer, own, 1), 1)
    for name, force in (("muskets", MUSKETS), ("spears", SPEARS), ("rifles", RIFLES)):
        for what, enemy in (("", force), ("; enemy on Position", standing(force, 1))):
            held = two(kept_back(force), enemy, 0)
            yield Lever("Reserve of a tenth, 10 km behind", f"{name}{what}", two(force, enemy, 0), held, 0)


def kept_back(force: Force, behind: int = 40) -> Force:
    """Return an attacking force of foot with nine tenths in two flanks and one tenth as a reserve so far behind."""
    front, rear = round(0.45 * force.men), round(0.1 * force.men)
    places = ((190, FRONTS[0], front), (210, FRONTS[0], force.men - front - rear), (200, FRONTS[0] - behind, rear))
    return replace(force, flanks=tuple({"x": x, "y": y, "infantry": men, "maneuver": "Normal"} for x, y, men in places))


def surprise() -> Iterator[Lever]:
    """Yield an enemy whom the side finds on the march, its flanks so many pixels behind each other."""
    for name, force in (("muskets", MUSKETS), ("spears", SPEARS), ("knights and foot", KNIGHTS)):
        for apart in (14, 28, 42):
            column = tuple({"x": 200, "y": FRONTS[1] + apart * place, "maneuver": "Normal"} for place in range(3))
            says = f"{name}: the enemy in column, {apart / 4:g} km between flanks"
            yield Lever("Surprise", says, two(force, force, 0), two(force, replace(force, flanks=column), 0), 0)


def numbers_of_flanks() -> Iterator[Lever]:
    """Yield other numbers of flanks than three."""
    for count in (1, 6, 9, 12, 30, 99):
        apart = min(10, 360 / count)
        flanks = tuple(
            {"x": 200 + apart * (place - (count - 1) / 2), "y": FRONTS[0], "maneuver": "Normal"}
            for place in range(count)
        )
        own = replace(MUSKETS, flanks=flanks)
        yield Lever("Flanks", f"muskets in {count} against 3", two(MUSKETS, MUSKETS, 0), two(own, MUSKETS, 0), 0)


def diseases() -> Iterator[Lever]:
    """Yield a disease that only one nation carries, in a battle and behind walls."""
    few, many = replace(MUSKETS, men=4_000), replace(MUSKETS, men=20_000)
    for name, own, enemy, walls in (
        ("spears defend", SPEARS, SPEARS, "none"),
        ("muskets defend", MUSKETS, MUSKETS, "none"),
        ("4,000 muskets in a Castle against 20,000", few, many, "Castle"),
    ):
        sick = two(replace(own, disease="Smallpox"), enemy, 1, walls=walls)
        yield Lever("Disease", f"{name}: their own Smallpox", two(own, enemy, 1, walls=walls), sick, 1)


class Judge:
    """Fights wars by one rule set; each war once."""

    def __init__(self, rules: str, battles: int, kernel: Any) -> None:
        """Build the tables."""
        from engine.autoalgo.setup.source import RULES
        from engine.settings import Setting
        from scripts.support.pinned_tables import shipped_tables
        from sheets_algo.config.loader import ConfigLoader
        from sheets_algo.config.maps import MapFolder

        self.tables = shipped_tables().having((Setting(name=RULES, value=rules),))
        self.maps = MapFolder(ConfigLoader().maps_folder, self.tables.terrain)
        self.battles, self.kernel = battles, kernel
        self.fought: dict[War, Any] = {}

    def change(self, lever: Lever) -> tuple[float, float, float]:
        """Return the odds of a lever's side without it, their change, and its error (95 %)."""
        before, after = (self.won(war) == lever.side for war in (lever.without, lever.having))
        changes = after.astype(float) - before
        error = 1.96 * float(changes.std(ddof=1)) / math.sqrt(self.battles)
        return float(before.mean()), float(changes.mean()), error

    def won(self, war: War) -> Any:
        """Return the winner of each battle."""
        key = repr(war)
        if key not in self.fought:
            from engine.autoalgo.fight.battlefield import Battlefield

            inputs = self.inputs(war)
            self.fought[key] = (
                Battlefield.of(inputs, self.tables, seed=7).fight(0, self.battles, self.kernel).ends.winner
            )
        return np.asarray(self.fought[key])

    def inputs(self, war: War) -> Any:
        """Return the engine's inputs of a war."""
        from scripts.support.small_battles import war as inputs_of

        location = replace(self.tables.defaults.location, fortifications=war.walls, terrain=war.map)
        sides = [self.side(name, force) for name, force in zip("AB", war.forces, strict=True)]
        return inputs_of(*sides, ground=self.maps.load(war.map), location=location)

    def side(self, name: str, force: Force) -> Any:
        """Return one side."""
        from engine.autoalgo.inputs import FlankOrder
        from scripts.support.small_battles import army

        units = [scaled(self.tables.units[unit], force.scaled) if unit else None for unit in force.types]
        flanks = tuple(FlankOrder(**flank) for flank in force.flanks)
        own = army(name, force.men, types=units, shares=force.shares, flanks=flanks, disease=force.disease)
        return replace(own, military=replace(own.military, mobile_defenses=force.defenses))


def scaled(unit: Any, factors: Sequence[tuple[str, float]]) -> Any:
    """Return a unit with its ranges or its speed multiplied."""
    for what, factor in factors:
        columns = ("long_range", "medium_range", "short_range") if what == "range" else ("speed",)
        unit = replace(unit, **{column: getattr(unit, column) * factor for column in columns})
    return unit


def table(battles: int, kernel: Any) -> Iterator[str]:
    """Yield the rows of the table."""
    from engine.autoalgo.setup.source import HISTORY, SOURCE

    judges = [Judge(rules, battles, kernel) for rules in (SOURCE, HISTORY)]
    yield "| Kind | Lever | Source: odds | points | History: odds | points |"
    yield "|---|---|--:|--:|--:|--:|"
    for lever in levers():
        cells = [
            f"{odds:.2f} | {100 * by:+.1f} ± {100 * error:.1f}" for odds, by, error in (j.change(lever) for j in judges)
        ]
        yield f"| {lever.kind} | {lever.says} | {' | '.join(cells)} |"


def main() -> int:
    """Fight, and print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--battles", type=int, default=1000, help="battles of each war (1000)")
    parser.add_argument("--write", action="store_true", help=f"write the table into {PAGE.relative_to(ROOT)}")
    args = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "studies")]
    from scripts.support.small_battles import machine_code

    with machine_code() as kernel:
        lines = []
        for line in table(max(args.battles, 2), kernel):
            lines.append(line)
            if not args.write:
                print(line, flush=True)
    if args.write:
        page = PAGE.read_text(encoding="utf-8")
        pattern = re.compile(r"(<!-- figures: levers -->\n).*?(\n<!-- end -->)", re.DOTALL)
        filled = pattern.sub(lambda found: "\n".join((found[1], *lines)) + f"\n{found[2]}", page)
        PAGE.write_text(filled, encoding="utf-8")
        print(PAGE.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
