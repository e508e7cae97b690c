"""The terms of a battle's numbers, for the lines below its events and for programs that compute them again (VAR-05).

The battle keeps the terms of an event while it computes it; what never changes is read from the battle's inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

from engine.autoalgo.aftermath.inputs import is_at_sea
from engine.autoalgo.battle import events as kinds
from engine.autoalgo.battle.attrition import overcrowding
from engine.autoalgo.battle.blow import Attack, Blows, Hearts, UnitBlow, blow_of, fall, lose_heart, morale_left
from engine.autoalgo.battle.events import Happening
from engine.autoalgo.battle.state import SHIP, Battle, Tunables
from engine.autoalgo.inputs import TYPES, WarInputs
from engine.autoalgo.names import Names
from engine.autoalgo.setup.strategy import belligerent
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import SideVariables
from engine.calculation import POINTS, WHOLE, Calculation, KeyFormula, Part
from engine.rule import ABSENT, FormulaTemplate, explain

MOST_FLANKS = 1_000
"""Formulas with names of flanks that are kept."""
WEAPONS = ("long", "medium", "short")
"""The weapons of a unit, in the order of `Units.power`."""


def overcrowding_terms(
    rule: Callable[[float, float, float, float], float], men: float, people: float, capacity: float, most: float
) -> tuple[Calculation, ...]:
    """Return the terms of an overcrowding by its rule (ATT-04, OCC-05), or that there are no supplies (R-56)."""
    return explain(rule, men, people, capacity, most) or (NO_SUPPLIES.of(most),)


@dataclass(frozen=True)
class BattleTerms:
    """The terms of the numbers of one battle.

    Args:
        war: The war's inputs.
        battle: The battle, for what does not change in it.
        tunables: Its constant inputs.
        variables: The attacker's and the defender's.
        tables: The numbers of the rules.
        names: Names of the sides and flanks.
    """

    war: WarInputs
    battle: Battle
    tunables: Tunables
    variables: tuple[SideVariables, SideVariables]
    tables: Tables
    names: Names

    @cached_property
    def units(self) -> Mapping[str, list[Any]]:
        """Return the numbers of the unit types by name, as lists, which are read faster than arrays."""
        return {name: numbers.tolist() for name, numbers in self.tunables.units._asdict().items()}

    def of(self, happening: Happening, sickened: Sequence[Happening]) -> Iterator[Calculation]:
        """Yield the terms of an event of the battle.

        Args:
            happening: The event.
            sickened: The flanks that an outbreak of disease strikes.
        """
        if happening.kind == kinds.ATTACK:
            yield from self._attack(happening)
        elif happening.kind == kinds.ATTRITION:
            yield from self._attrition(happening)
        elif happening.kind == kinds.DISEASE:
            yield from self._disease(happening, sickened)
        elif happening.kind == kinds.SIEGE:
            rate = self.tunables.country.siege_rate
            divisor = self.tunables.numbers.siege_divisor
            yield CAPACITY_IN_SIEGE.of(1.0 - rate / divisor, 1.0, rate, divisor)
        elif happening.kind == kinds.SIDE_CUT:
            yield CAPACITY_CUT.of(self.tunables.numbers.cut_capacity_left)

    def opening(self) -> Iterator[Calculation]:
        """Yield the morale with which the flanks begin, its limits, and what the sides have to eat (STRAT-04, ATT).

        To be read before the first hour, which may change the Capacity.
        """
        numbers, country = self.tunables.numbers, self.tunables.country
        yield RETREATS_BELOW.of(numbers.retreat_below)
        yield ROUTED_BELOW.of(numbers.rout_below)
        for side, name in enumerate(self.names.sides):
            yield people_who_feed(name).of(float(country.local_population[side]))
            capacity, present = self.variables[side].capacity.value, float(self.battle.capacity[side])
            if is_at_sea(self.war, self.tables):
                yield fleet_capacity(name).of(present, capacity, self._berths(side), max(map(self._berths, (0, 1))))
            else:
                yield land_capacity(name).of(present, capacity)
        for flank, side in enumerate(self.names.side_of):
            men = int(self.battle.men_start[flank])
            bonus = self.variables[side].morale_bonus.value
            morale = float(self.battle.morale_start[flank])
            yield start_morale(self.names.flank_of(flank)).of(morale, men, numbers.morale_a_man, bonus)

    def _berths(self, side: int) -> float:
        """Return the people whom a side's ships carry at the start (ATT-03)."""
        own = self.battle.side == side
        return int(self.battle.ships_start[own].sum()) * float(self.tunables.units.ship_capacity[side])

    def _attack(self, happening: Happening) -> Iterator[Calculation]:
        """Yield the blow of each type, the men who fall, those who lose heart, and the target's morale (ATK)."""
        terms = happening.terms
        attack = Attack(*terms[kinds.STRUCK : kinds.WEAPON])
        values: list[float] = [ABSENT] * len(TYPES)
        for kind, name in enumerate(TYPES):
            if (weapon := int(terms[kinds.WEAPON + kind])) >= 0:
                place = kinds.BLOWS + kind * kinds.BLOW
                yield (blow := blow_terms(name, weapon).of(UnitBlow(*terms[place : place + kinds.BLOW])))
                values[kind] = blow.value
        blows, hearts = Blows(*values), Hearts(*self.units["psychology"][happening.side])
        yield (fallen := FALL.of(blows, attack.mercy, attack.draw))
        yield (shaken := LOSE_HEART.of(blows, hearts, attack.flanking, attack.panic))
        target = self.names.flank_of(happening.target)
        if fallen.value >= attack.men:
            yield last_men(target).of(attack.men)
        else:
            a_man = self.tunables.numbers.morale_a_man
            yield morale_terms(target).of(attack.morale, fallen.value, shaken.value, a_man)

    def _attrition(self, happening: Happening) -> Iterator[Calculation]:
        """Yield the overcrowding of a side, and the dead of one of its flanks (ATT-04, ATT-05, R-26)."""
        terms, country = happening.terms, self.tunables.country
        men, load, people = terms[kinds.MEN], terms[kinds.SHARE], float(country.local_population[happening.side])
        most = self.tunables.numbers.overcrowding_most
        yield from overcrowding_terms(overcrowding, terms[kinds.SIDE_MEN], people, terms[kinds.CAPACITY], most)
        yield STARVED.of(happening.amount, country.attrition, terms[kinds.DIE], men, load, 1.0, terms[kinds.DRAW], men)
        yield self._wasted(happening)

    def _disease(self, happening: Happening, sickened: Sequence[Happening]) -> Iterator[Calculation]:
        """Yield the chance of an outbreak, the share that dies, and the dead of each flank (DIS-02, DIS-03, R-26)."""
        terms, side, carrier = happening.terms, happening.side, happening.target
        constant = self.tables.constant
        own, other = belligerent(self.war, side).nation, belligerent(self.war, carrier).nation
        disease = self.tables.disease[other.endemic_disease]
        is_endemic = own.endemic_disease == other.endemic_disease
        country, variables = self.tunables.country, self.variables[side]
        yield OUTBREAK.of(
            float(country.outbreak[side, carrier]) * terms[kinds.MEN],
            disease.outbreak,
            max(variables.maximum_military.value, 1.0),
            variables.resistance.value,
            constant("DIS-02", "familiarity_endemic" if is_endemic else "familiarity_strange"),
            constant("DIS-02", "divisor"),
            terms[kinds.MEN],
        )
        yield OUTBREAK_DRAWN.of(terms[kinds.DRAW])
        yield DIE_OF_DISEASE.of(
            terms[kinds.SHARE],
            disease.infectivity,
            disease.reproduction,
            disease.deadliness,
            1.0,
            2.0,
            constant("DIS-03", "men_divisor"),
            self.tables.disease_losses(own.medicine),
            terms[kinds.DIE],
        )
        for struck in sickened:
            name, men = self.names.flank_of(struck.flank), struck.terms[kinds.MEN]
            yield dead_of_disease(name).of(struck.amount, men, terms[kinds.SHARE], struck.terms[kinds.DRAW], men)
            yield self._wasted(struck)

    def _wasted(self, happening: Happening) -> Calculation:
        """Return the points of morale that a flank loses with its dead (ATT-06)."""
        a_man = self.tunables.numbers.morale_a_man
        return morale_lost(self.names.flank_of(happening.flank)).of(happening.amount * a_man, happening.amount, a_man)


@cache
def blow_terms(unit: str, weapon: int) -> FormulaTemplate:
    """Return the terms of a unit type's blow with a weapon (ATK-02 to ATK-04)."""
    return FormulaTemplate(
        blow_of, unit, power=f"{WEAPONS[weapon]} Power", men="crews" if unit == TYPES[SHIP] else "men"
    )


FALL, LOSE_HEART = FormulaTemplate(fall), FormulaTemplate(lose_heart)


@lru_cache(MOST_FLANKS)
def morale_terms(flank: str) -> FormulaTemplate:
    """Return the terms of the morale that an attack leaves to a flank (ATK-06)."""
    return FormulaTemplate(morale_left, f"morale of {flank}")


@lru_cache(MOST_FLANKS)
def start_morale(flank: str) -> KeyFormula:
    """Return the formula of the morale with which a flank begins (STRAT-04)."""
    parts = (Part("", "men", WHOLE), Part("×", "a man"), Part("×", "Morale Bonus"))
    return KeyFormula(f"morale of {flank}", "STRAT-04", parts, POINTS)


@lru_cache(MOST_FLANKS)
def morale_lost(flank: str) -> KeyFormula:
    """Return the formula of the morale that the dead of hunger or disease cost a flank (ATT-06)."""
    return KeyFormula(f"morale lost by {flank}", "ATT-06", (Part("", "dead", WHOLE), Part("×", "a man")), WHOLE)


@lru_cache(MOST_FLANKS)
def dead_of_disease(flank: str) -> KeyFormula:
    """Return the formula of a flank's dead of an outbreak (DIS-03, R-26)."""
    parts = (Part("", "men", WHOLE), Part("×", "share"), Part("−", "draw"), Part("rounded up"))
    return KeyFormula(f"dead of {flank}", "DIS-03, R-26", (*parts, Part("at most", form=WHOLE)), WHOLE)


@lru_cache(MOST_FLANKS)
def last_men(flank: str) -> KeyFormula:
    """Return the men whom so many kills end (ATK-08)."""
    return KeyFormula(f"no more than the men of {flank}", "ATK-08", (), WHOLE)


@lru_cache(MOST_FLANKS)
def land_capacity(side: str) -> KeyFormula:
    """Return the formula of a side's Capacity before the first hour (VAR-CAP)."""
    return KeyFormula(f"Capacity of {side}", "VAR-CAP", (Part("", "Capacity"),))


@lru_cache(MOST_FLANKS)
def fleet_capacity(side: str) -> KeyFormula:
    """Return the formula of a side's Capacity at sea before the first hour (VAR-CAP, ATT-03)."""
    parts = (Part("", "Capacity"), Part("×", "berths", WHOLE), Part("÷", "berths of the larger fleet", WHOLE))
    return KeyFormula(f"Capacity of {side}", "VAR-CAP, ATT-03", parts)


@lru_cache(MOST_FLANKS)
def people_who_feed(side: str) -> KeyFormula:
    """Return the people whose supplies feed a side (ATT-02, ATT-03)."""
    return KeyFormula(f"people who feed {side}", "ATT-02, ATT-03", (), WHOLE)


RETREATS_BELOW = KeyFormula("share of its morale at the start below which a flank retreats", "ATK-07", ())
ROUTED_BELOW = KeyFormula("share below which it is routed", "ATK-07", ())
CAPACITY_IN_SIEGE = KeyFormula(
    "share of its Capacity left each hour",
    "SIEGE-02",
    (Part(""), Part("−", parts=(Part("", "Siege Rate"), Part("÷")))),
)
CAPACITY_CUT = KeyFormula("share of its Capacity left", "SUP-03", ())
NO_SUPPLIES = KeyFormula("overcrowding without any supplies", "R-56", ())
STARVED = KeyFormula(
    "dead",
    "ATT-05, R-26",
    (
        Part("", "Attrition"),
        Part("+", "die"),
        Part("×", "men", WHOLE),
        Part("×", parts=(Part("", "overcrowding"), Part("−"))),
        Part("−", "draw"),
        Part("rounded up"),
        Part("at most", form=WHOLE),
    ),
    WHOLE,
)
OUTBREAK = KeyFormula(
    "chance of an outbreak",
    "DIS-02",
    (
        Part("", "Outbreak"),
        Part("÷", "maximum military", WHOLE),
        Part("÷", "resistance"),
        Part("÷", "familiarity"),
        Part("÷"),
        Part("×", "men", WHOLE),
    ),
)
OUTBREAK_DRAWN = KeyFormula("the draw below it", "DIS-02", ())
DIE_OF_DISEASE = KeyFormula(
    "share of the men who die",
    "DIS-03",
    (
        Part("", "Infectivity"),
        Part("×", "Reproduction"),
        Part("×", "Deadliness"),
        Part("+"),
        Part("log"),
        Part("÷", parts=(Part(""), Part("log"))),
        Part("÷"),
        Part("×", "Medicine"),
        Part("×", "die"),
    ),
)
