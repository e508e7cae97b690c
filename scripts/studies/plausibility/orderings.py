"""Sixteen ordering checks that hold whatever history says: more men never hurt, walls help, a mirror favours no side.

They need no rows: the cases are made here and typed into a workbook by the same adapter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean

import numpy as np

from plausibility import arms
from plausibility.adapter import Numbers
from plausibility.ages import (
    BREECH_LOADERS,
    COLD_STEEL_AND_BOWS,
    FOOT,
    GUNS,
    HORSE,
    SHIPS,
    Duel,
    duels,
    horse_against_foot,
    neighbours,
)
from plausibility.cases import Army, Case
from plausibility.curve import even
from plausibility.evaluation import changed
from plausibility.fights import Arena, Prediction, Raw
from plausibility.metrics import CURVE, NOISE

RUNS = 4000
"""Battles of a point; its odds are then known to 0.015, half of the tolerated noise."""
SIEGE_RUNS = 400
"""Battles of a siege, fewer because sieges are long."""
HUGE_RUNS = 20
"""Battles of the largest wars, which are only checked to be possible."""
HOURS_A_DAY, DAYS_A_WEEK = 12, 7
LEAST_RISE = 0.01
"""Minimum difference that counts as strictly rising."""


@dataclass(frozen=True, slots=True)
class Check:
    """Result of one ordering check.

    Args:
        name: The statement that is checked.
        short: The amount by which it fails, in its own unit; it holds at 0 or below.
        found: The values found.
    """

    name: str
    short: float
    found: str

    @property
    def holds(self) -> bool:
        """Return True if the ordering holds."""
        return self.short <= 0


@dataclass(frozen=True, slots=True)
class Judge:
    """Context of the checks: an arena, one set of numbers, and `runs` battles per case."""

    arena: Arena
    raw: Raw
    numbers: Numbers
    seed: int
    runs: int = RUNS

    def fight(self, cases: Sequence[Case], most: int = RUNS) -> list[Prediction]:
        """Return the prediction of each case, fought `most` times at most."""
        return self.arena.predict(self.raw, self.numbers, cases, min(self.runs, most), self.seed)

    def odds(self, cases: Sequence[Case]) -> list[float]:
        """Return the attacker's chance in each case."""
        return [prediction.p_attacker for prediction in self.fight(cases)]

    def with_numbers(self, **numbers: object) -> Judge:
        """Return a copy with other numbers of the adapter, by path with `__` for `/`."""
        paths = {path.replace("__", "/"): value for path, value in numbers.items()}
        return replace(self, numbers=changed(self.numbers, paths))


def checked(arena: Arena, raw: Raw, numbers: Numbers, seed: int = 0, runs: int = RUNS) -> list[Check]:
    """Run all sixteen checks in order; a check may have several parts."""
    judge = Judge(arena, raw, numbers, seed, runs)
    return [check for part in CHECKS for check in part(judge)]


def mirror(judge: Judge) -> Iterator[Check]:
    """Check 1: identical sides have equal odds."""
    case = even("mirror")
    swapped = replace(
        case,
        attacker=replace(case.attacker, name=case.defender.name),
        defender=replace(case.defender, name=case.attacker.name),
    )
    (odds,), (other,) = judge.odds([case]), judge.odds([swapped])
    yield Check("1 mirror: 0.40 to 0.52", beyond(odds, 0.40, 0.52), f"{odds:.3f}")
    yield Check("1 mirror: the same under swapped names", abs(odds - other), f"{odds:.3f}, {other:.3f}")


def more_men(judge: Judge) -> Iterator[Check]:
    """Check 2: more men never hurt, and no jump is large."""
    odds = judge.odds([even(f"ratio {ratio:.3f}", ratio) for ratio in CURVE])
    yield Check("2 more men never hurt", fall(odds) - NOISE, joined(odds))
    steepest = max(after - before for before, after in pairwise(odds))
    yield Check("2 no jump above 0.25", steepest - 0.25 - NOISE, f"{steepest:.3f}")


def defences(judge: Judge) -> Iterator[Check]:
    """Check 3: works never hurt their holder, and the best are worth something."""
    for header, field in (("Mobile Defenses", "mobile_defences"), ("Fortifications", "fortifications")):
        words = judge.raw["ordered"]["lists"][header]["worst_to_best"]
        for posture in ("HD", "PD"):
            cases = [even(f"{word} {posture}", 2.0, posture=posture, **{field: word}) for word in words]
            odds = judge.odds(cases)
            yield Check(f"3 {header} never hurt, {posture}", fall([-chance for chance in odds]) - NOISE, joined(odds))
            worth = odds[0] - odds[-1]
            yield Check(f"3 the best {header} worth 0.10, {posture}", 0.10 - NOISE - worth, f"{worth:.3f}")


PLAIN = {"map": "Plain", "at": [200, 200], "gap_km": 3.0}
DEFENDER_HIGH = {"map": "Hill", "at": [122, 200], "gap_km": 3.0}
PLAIN_IN_REACH = PLAIN | {"gap_km": 1.0}
ATTACKER_HIGH = {"map": "Hill", "at": [276, 200], "gap_km": 2.0}
ACROSS_WATER = {"map": "Normal River", "at": [200, 200], "gap_km": 3.0}
ACROSS_CLIFFS = {"map": "Mountain", "at": [169, 200], "gap_km": 3.0}


def ground(judge: Judge) -> Iterator[Check]:
    """Check 4: high ground never hurts; water and cliffs never help the side that attacks across them."""
    middle = even("ground", posture="PD")  # on Position, or both would meet in the water
    case = replace(middle, attacker=narrow(middle.attacker), defender=narrow(middle.defender))

    def at(place: Mapping[str, object]) -> float:
        return judge.with_numbers(grounds__land__Hill=place).odds([case])[0]

    for says, place, level, sign in (
        ("high ground never hurts the defender", DEFENDER_HIGH, PLAIN, 1),
        ("high ground never hurts the attacker", ATTACKER_HIGH, PLAIN_IN_REACH, -1),
        ("attacking across water never helps", ACROSS_WATER, PLAIN, 1),
        ("attacking across cliffs never helps", ACROSS_CLIFFS, PLAIN, 1),
    ):
        odds, flat = at(place), at(level)
        yield Check(f"4 {says}", sign * (odds - flat) - NOISE, f"{odds:.3f}, on the plain {flat:.3f}")


def narrow(army: Army) -> Army:
    """Return the army on the narrowest front, so that all of it stands on the ground in question."""
    return replace(army, front_km=0.1)


def quality(judge: Judge) -> Iterator[Check]:
    """Check 5: better training and leaders raise the odds."""
    middle = even("quality")
    trained = [replace(middle, id=f"training {n}", attacker=replace(middle.attacker, training=n)) for n in (3, 5, 7)]
    odds = judge.odds(trained)
    yield Check("5 training 3, 5, 7 rises", fall(odds) + LEAST_RISE, joined(odds))
    yield Check("5 training 7 against 5: 0.60 to 0.85", beyond(odds[2], 0.60, 0.85), f"{odds[2]:.3f}")
    led = [replace(middle, id=f"leader {n}", attacker=replace(middle.attacker, skill=n)) for n in (2, 5, 8)]
    odds = judge.odds(led)
    yield Check("5 leader 2, 5, 8 rises", fall(odds) + LEAST_RISE, joined(odds))


def cost_of_numbers(judge: Judge) -> Iterator[Check]:
    """Check 6: the losses of the bigger side, in men."""
    for says, ratio in (("attacker", 2.0), ("defender", 0.5)):
        (prediction,) = judge.fight([even(f"cost {says}", ratio)])
        bigger, smaller = prediction.men_lost if ratio > 1 else prediction.men_lost[::-1]
        cost = bigger / max(smaller, 1.0)
        name = f"6 twice the men lose 0.7 to 2 times as many, bigger {says}"
        yield Check(name, beyond(cost, 0.7, 2.0), f"{cost:.2f}")


def shares_lost(judge: Judge) -> Iterator[Check]:
    """Check 7: the losses of winners and losers."""
    predictions = judge.fight([even(f"shares {ratio:.3f}", ratio) for ratio in (2 / 3, 1.0, 3 / 2)])
    more, winner, loser = (
        fmean(getattr(found, name) for found in predictions) for name in ("loser_more", "winner_loss", "loser_loss")
    )
    yield Check("7 the loser loses more in 70 to 95 %", beyond(more, 0.70, 0.95), f"{more:.3f}")
    yield Check("7 winner's median 4 to 14 %", beyond(winner, 0.04, 0.14), f"{winner:.3f}")
    yield Check("7 loser's median 12 to 40 %", beyond(loser, 0.12, 0.40), f"{loser:.3f}")


def hours(judge: Judge) -> Iterator[Check]:
    """Check 8: the duration of battles."""
    sizes = [2_500, 5_000, 10_000, 20_000, 40_000, 80_000, 160_000]
    lasted = [prediction.hours for prediction in judge.fight([even(f"hours {size}", middle=size) for size in sizes])]
    power = float(np.polyfit(np.log(sizes), np.log(np.maximum(lasted, 0.5)), 1)[0])
    yield Check("8 hours grow by a power of 0.3 to 0.65", beyond(power, 0.3, 0.65), f"{power:.2f} ({joined(lasted)})")
    middle = lasted[sizes.index(20_000)]
    yield Check("8 20,000 against 20,000: 3 to 9 hours", beyond(middle, 3, 9), f"{middle:g}")


SPEARS = Army(
    name="Spears",
    size=20_000,
    types=("Tribal spearmen", "", ""),
    shares=(1.0, 0.0, 0.0),
    civilization="Iron Age",
    training=6,
)
RIFLES = replace(SPEARS, name="Rifles", size=1_800, types=("Breech-loader infantry", "", ""), civilization="Industrial")


def firepower(judge: Judge) -> Iterator[Check]:
    """Check 9: rifles behind barricades and in the open."""
    opened = even("open order", attacker=SPEARS, defender=RIFLES, year=1879)
    behind = replace(
        opened,
        id="barricades",
        attacker=replace(SPEARS, size=3_500),
        defender=replace(RIFLES, size=150),
        posture="FD",
        mobile_defences="Trenches",
    )
    held = [1 - chance for chance in judge.odds([opened, behind])]
    short = held[0] + NOISE - held[1]
    yield Check("9 150 behind barricades hold more often", short, f"{held[1]:.3f}, open {held[0]:.3f}")


GARRISON = Army(
    name="Garrison",
    size=8_000,
    types=("Byzantine and Genoese foot", "", "Light gun"),
    shares=(0.98, 0.0, 0.02),
    civilization="Medieval",
    training=6,
    skill=7,
)
BESIEGER = replace(
    GARRISON,
    name="Besieger",
    size=75_000,
    types=("Janissary and azap", "Sipahi", "Great bombard"),
    shares=(0.88, 0.10, 0.02),
    training=7,
    skill=8,
)


def walls(judge: Judge) -> Iterator[Check]:
    """Check 10: a garrison of 1453, with walls and without."""
    behind = even("walls", attacker=BESIEGER, defender=GARRISON, year=1453, kind="siege", posture="FD")
    behind = replace(behind, fortifications="Curtain Walls", urbanization="City (Pre-Modern)")
    bare = replace(behind, id="no walls", kind="land", fortifications="none", posture="HD")
    stood, fell = judge.fight([behind, bare], most=SIEGE_RUNS)
    short = max(0.95 - fell.p_attacker, fell.hours_most - HOURS_A_DAY)
    found = f"{fell.p_attacker:.3f}, 95 % within {fell.hours_most:g} h"
    yield Check("10 without walls it falls within a day in 95 %", short, found)
    days = stood.hours / HOURS_A_DAY
    yield Check("10 with walls the siege lasts weeks", 2 * DAYS_A_WEEK - days, f"{days:.1f} days")


def rout(judge: Judge) -> Iterator[Check]:
    """Check 11: 168 men against 6,000."""
    few = Army(
        name="Few",
        size=168,
        types=("Sword-and-buckler and arquebus", "Spanish lancer", "Falconet"),
        shares=(0.61, 0.37, 0.02),
        civilization="Early Modern",
        training=7,
        skill=7,
    )
    many = Army(
        name="Many",
        size=6_000,
        types=("Royal retinue (lightly armed)", "", ""),
        shares=(1.0, 0.0, 0.0),
        civilization="Iron Age",
        training=3,
        skill=4,
    )
    case = even("rout", attacker=few, defender=many, year=1532, surprise=3.0, urbanization="City (Pre-Modern)")
    names = [unit["Name"] for unit in judge.raw["units"]["units"]]
    armour = judge.raw["units"]["units"][names.index(many.types[0])]["Defense"]
    same = {f"units/units/{names.index(kind)}/Defense": armour for kind in few.types}
    level = replace(case, surprise=0.0, attacker=replace(few, training=5), defender=replace(many, training=5))
    (before,) = judge.odds([case])
    (after,) = replace(judge, raw=changed(judge.raw, same)).odds([level])
    yield Check("11 168 against 6,000 can happen", 0.05 - before, f"{before:.3f}")
    yield Check("11 with surprise, armour and training levelled below 0.05", after - 0.05, f"{after:.3f}")


def extremes(judge: Judge) -> Iterator[Check]:
    """Check 12: the smallest and the largest wars can be fought."""
    middle = even("extremes")

    def sized(attackers: int, defenders: int) -> Case:
        armies = (replace(middle.attacker, size=attackers), replace(middle.defender, size=defenders))
        return replace(middle, id=f"{attackers} against {defenders}", attacker=armies[0], defender=armies[1])

    crew = replace(GARRISON, types=("Marine", "", ""), shares=(1.0, 0.0, 0.0), ship_type="Galley")

    def at_sea(attackers: int, defenders: int) -> Case:
        armies = [replace(crew, name=f"{ships}", size=150 * ships, ships=ships) for ships in (attackers, defenders)]
        case = replace(middle, id=f"{attackers} ships against {defenders}", attacker=armies[0], defender=armies[1])
        return replace(case, kind="naval", terrain="Sea", climate="Ocean", attrition="At Sea")

    largest = 15_000_000
    lands = [sized(1, 1), sized(1, largest), sized(largest, 1), sized(largest, largest)]
    seas = [at_sea(1, 1), at_sea(1, 500), at_sea(500, 1), at_sea(500, 500)]
    predictions = judge.fight([*lands, *seas], most=HUGE_RUNS)
    shares = [share for found in predictions for share in (*found.low, *found.losses, *found.high)]
    short = 0.0 if all(0 <= share <= 1 for share in shares) else math.inf  # NaN is in no range
    yield Check("12 1 to 15,000,000 men, 1 to 500 ships", short, f"losses {min(shares):.3f} to {max(shares):.3f}")


DUELS = 60_000
"""Battles of all pairs of units of a check together."""


WOODEN = ("galley", "galleon", "ship of the line")


def ages(judge: Judge) -> Iterator[Check]:
    """Check 13: equal numbers of a later age are not worse, and a revolution in arms decides (UNIT-16).

    Horse is the exception of history: foot learned to stand against it, with pikes, bows and firearms.
    """
    for name, kinds in (("foot", FOOT), ("cavalry", HORSE), ("artillery", GUNS), ("ships", SHIPS)):
        yield _least(judge, f"13 {name} has 0.45 against the age before", 0.45, [*neighbours(kinds)])
    revolution = [(rifle, other) for rifle in BREECH_LOADERS for other in COLD_STEEL_AND_BOWS]
    yield _least(judge, "13 breech-loaders have 0.95 against cold steel and bows", 0.95, revolution)
    guns = [(ship, galley) for age in list(SHIPS)[2:] for ship in SHIPS[age] for galley in SHIPS["galley"]]
    yield _least(judge, "13 ships of the line and later ones have 0.90 against galleys", 0.90, guns)
    armour = [(ship, old) for age in list(SHIPS)[3:] for ship in SHIPS[age] for wood in WOODEN for old in SHIPS[wood]]
    yield _least(judge, "13 armoured ships have 0.90 against wooden ones", 0.90, armour)
    lances = [("Companion cavalry", "Hoplite"), ("Norman Knight", "Huscarl"), ("French knight", "Levy Spearman")]
    yield _least(judge, "13 lances have 0.40 against foot without pikes", 0.40, lances)
    odds = horse_against_foot(judge.arena, judge.raw, judge.numbers, judge.runs // 10, judge.seed)
    values = list(odds.values())
    yield Check("13 horse against foot falls from age to age", fall([-v for v in values]) - NOISE, joined(values))
    yield Check("13 horse has at most 0.10 against magazine rifles", values[-1] - 0.10, f"{values[-1]:.3f}")


def _least(judge: Judge, name: str, bound: float, pairs: Sequence[Duel]) -> Check:
    odds = duels(judge.arena, judge.raw, judge.numbers, pairs, min(judge.runs, DUELS // len(pairs)), judge.seed)
    worst = min(odds, key=lambda pair: odds[pair])
    return Check(name, bound - odds[worst], f"least {odds[worst]:.3f}, {worst[0]} against {worst[1]}")


def columns_matter(judge: Judge) -> Iterator[Check]:
    """Check 14: range, speed and a unit's Defense never hurt, and matter in the situation that they are made for."""
    for what, odds in arms.worth(judge.arena, judge.raw, judge.numbers, judge.runs, judge.seed).items():
        yield Check(f"14 more {what} never hurts", fall(odds) - NOISE, joined(odds))
        worth = odds[-1] - odds[0]
        yield Check(f"14 {what} is worth 0.10: {arms.MADE_FOR[what]}", 0.10 - worth, f"{worth:.3f}")


POOR = 0.05
"""Odds that a maneuver at least loses against the best one where it is out of place."""


def maneuvers(judge: Judge) -> Iterator[Check]:
    """Check 15: each maneuver is the best of five where the rules say so, and poor elsewhere (R-67, R-69, R-89)."""
    gaps = dict.fromkeys(("Position", "Feigned Retreat", "Hit and run"), 0.0)
    for situation in arms.SITUATIONS:
        found = arms.tried(judge.arena, judge.raw, judge.numbers, situation, judge.runs, judge.seed)
        odds = {maneuver: arms.won(prediction, situation.side) for maneuver, prediction in found.items()}
        own, best = odds[situation.best], max(odds.values())
        if situation.best == "Normal":  # without a second attacker of the same target, Pillaging is the same
            best -= NOISE
        yield Check(f"15 {situation.best} is best: {situation.name}", best - own, joined([*odds.values()]))
        gaps = {maneuver: min(gap, odds[maneuver] - best) for maneuver, gap in gaps.items()}
    for maneuver, gap in gaps.items():
        yield Check(f"15 {maneuver} is poor elsewhere", POOR + gap, f"{gap:.3f}")


STORM_RUNS = 1000


def storms(judge: Judge) -> Iterator[Check]:
    """Check 16: walls that are held cost equal men the battle; three for one storm a castle and pay for it (R-69)."""

    def attack(walls: str, ratio: float, maneuver: str = "Position") -> Prediction:
        runs = min(judge.runs, STORM_RUNS)
        return arms.storm(judge.arena, judge.raw, judge.numbers, walls, ratio, maneuver, runs, judge.seed)

    for walls, most in (("Castle", 0.25), ("Bunker", 0.10)):
        odds = attack(walls, 1.0).p_attacker
        yield Check(f"16 equal men have at most {most:.2f} against a {walls.lower()}", odds - most, f"{odds:.3f}")
    storm = attack("Castle", 3.0)
    odds = storm.p_attacker
    yield Check("16 three for one take a castle in 0.4 to 0.8", beyond(odds, 0.4, 0.8), f"{odds:.3f}")
    lost, in_the_open = storm.men_lost[0], attack("none", 3.0).men_lost[0]
    found = f"{lost:.0f} and {in_the_open:.0f} men"
    yield Check("16 the storm costs half as much again as a battle in the open", 1.5 * in_the_open - lost, found)
    for walls in judge.raw["ordered"]["lists"]["Fortifications"]["worst_to_best"][1:]:
        held, left = attack(walls, 2.0).p_attacker, attack(walls, 2.0, "Normal").p_attacker
        name = f"16 Position does not hurt behind {walls}"
        yield Check(name, held - left - NOISE, f"{held:.3f}, Normal {left:.3f}")


CHECKS: Sequence[Callable[[Judge], Iterator[Check]]] = (
    mirror,
    more_men,
    defences,
    ground,
    quality,
    cost_of_numbers,
    shares_lost,
    hours,
    firepower,
    walls,
    rout,
    extremes,
    ages,
    columns_matter,
    maneuvers,
    storms,
)


def beyond(value: float, low: float, high: float) -> float:
    """Return how far a value is outside a range; 0 or below inside."""
    return max(low - value, value - high)


def fall(values: Sequence[float]) -> float:
    """Return the largest fall from one value to the next; below 0 if they rise."""
    return max(before - after for before, after in pairwise(values))


def joined(values: Sequence[float]) -> str:
    """Return the values in one line."""
    return " ".join(f"{value:.3g}" for value in values)
