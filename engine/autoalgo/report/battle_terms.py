"""The terms of a battle's numbers, for the lines below its events and for programs that recompute them (VAR-05).

The battle keeps the terms of an event while it computes it; constant ones come from the battle's inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, TypeVar

from engine.autoalgo.aftermath.inputs import is_at_sea
from engine.autoalgo.battle import events as kinds
from engine.autoalgo.battle.attrition import camp_share, overcrowding, starved
from engine.autoalgo.battle.blow import (
    Attack,
    Blows,
    Hearts,
    Outflanking,
    Panic,
    UnitBlow,
    blow_of,
    fall,
    lose_heart,
    morale_beyond,
    morale_left,
)
from engine.autoalgo.battle.disease import dead_of_disease, outbreak_chance, share_of_dead
from engine.autoalgo.battle.events import Happening, SiegeStart, Toll
from engine.autoalgo.battle.flank import averaged, has_works, morale_of_dead
from engine.autoalgo.battle.siege_law import (
    breach_an_hour,
    by_odds,
    capacity_under_siege,
    captured_on_terms,
    chance_of_siege,
    days_in_store,
    killed_in_siege,
    leaving_weight,
    load_in_siege,
    odds_at_works,
    odds_in_open,
    quality,
    relief_weight,
    sally_weight,
    share_fallen,
    storm_weight,
    terms_weight,
    unfed_camp,
    unfed_garrison,
)
from engine.autoalgo.battle.state import LAND_TYPES, POSITION, SHIP, Battle, SiegeDay, Tunables
from engine.autoalgo.battle.supply import capacity_when_cut
from engine.autoalgo.battle.tactics import got_round
from engine.autoalgo.inputs import TYPES, WarInputs
from engine.autoalgo.names import Names
from engine.autoalgo.setup.deploy import (
    breach_rate_of,
    outbreak_of,
    quality_terms,
    severity_of,
    start_capacity,
    start_morale,
    variables_of_armies,
)
from engine.autoalgo.setup.standing import ground_of, on_standing
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import SideVariables
from engine.calculation import WHOLE, Calculation, stated
from engine.formula_template import FormulaTemplate
from engine.rule import ABSENT, explain, remember

Numbers = TypeVar("Numbers", bound=tuple[float, ...])

MOST_FLANKS = 1_000
"""Formulas with names of flanks that are kept."""
WEAPONS = ("long", "medium", "short")
"""The weapons of a unit, in the order of `Units.power`."""


def overcrowding_terms(
    rule: Callable[[float, float, float, float], float], men: float, people: float, capacity: float, most: float
) -> tuple[Calculation, ...]:
    """Return the terms of an overcrowding by its rule (ATT-04, OCC-05), or a note that supplies are missing (R-56)."""
    return explain(rule, men, people, capacity, most) or (stated("overcrowding without any supplies", "R-56", most),)


@dataclass(frozen=True)
class BattleTerms:
    """The terms of the numbers of one battle."""

    war: WarInputs  # The war's inputs
    battle: Battle  # The battle before its first hour
    tunables: Tunables  # Its constant inputs
    variables: tuple[SideVariables, SideVariables]  # The attacker's and the defender's
    tables: Tables  # The numbers of the rules
    names: Names  # Names of the sides and flanks

    @cached_property
    def units(self) -> Mapping[str, list[Any]]:
        """Return the numbers of the unit types by name, as lists, which are read faster than arrays."""
        return {name: numbers.tolist() for name, numbers in self.tunables.units._asdict().items()}

    def of(self, happening: Happening, sickened: Sequence[Happening]) -> Iterator[Calculation]:
        """Yield the terms of an event of the battle.

        Args:
            sickened: The flanks struck by an outbreak of disease.
        """
        if happening.kind == kinds.ATTACK:
            yield from self._attack(happening)
        elif happening.kind == kinds.ATTRITION:
            yield from self._attrition(happening)
        elif happening.kind == kinds.DISEASE:
            yield from self._disease(happening, sickened)
        elif happening.kind == kinds.SIEGE:
            yield from self._siege(happening)
        elif happening.kind == kinds.PANIC:
            panic, target = numbers_of(Panic, happening.terms), self.names.flank_of(happening.target)
            name = f"morale taken beyond that of {target}"
            yield terms_of(morale_beyond, name).of(panic, self.tunables.constants.strat_04.morale_a_man)
        elif happening.kind == kinds.FOUND:
            yield stated("share of its men in ambush", "R-118", happening.terms[0])
            yield stated("the draw", "R-118", happening.terms[1])
        elif happening.kind in SIEGE_WEIGHTS:
            yield from self._day_of_siege(happening)
        elif happening.kind in (kinds.FELL, kinds.FELL_IN_SALLY, kinds.FELL_TO_RELIEF, kinds.RELIEF_FELL):
            toll = numbers_of(Toll, happening.terms)
            yield from explain(killed_in_siege, toll.men, toll.share, toll.draw)
            if happening.kind != kinds.RELIEF_FELL:
                yield self._wasted(happening)
        elif happening.kind == kinds.SIDE_CUT:
            yield stated("share of its Capacity left", "SUP-03", capacity_when_cut(self.tunables.constants.sup_03))

    def opening(self) -> Iterator[Calculation]:
        """Yield the initial morale and averages of the flanks, and the food of both sides (STRAT-04, R-123, ATT)."""
        constants, country = self.tunables.constants, self.tunables.country
        berths = [self._berths(side) if is_at_sea(self.war, self.tables) else 0 for side in (0, 1)]
        yield stated(
            "share of its morale at the start below which a flank retreats", "ATK-07", constants.atk_07.retreating_below
        )
        yield stated("share below which it is routed", "ATK-07", constants.atk_07.routed_below)
        if (winter := self.tables.climate.winter_share(self.war.location.climate, self.war.month)) != 1.0:
            yield stated("share of the people around who feed an army in winter", "R-114", winter)
        for side, name in enumerate(self.names.sides):
            yield stated(f"people who feed {name}", "ATT-02, ATT-03", float(country.local_population[side]), WHOLE)
            capacity = self.variables[side].capacity.value
            yield terms_of(start_capacity, f"Capacity of {name}").of(capacity, berths[side], max(berths))
        of_armies = variables_of_armies(self.war, self.variables, self.tables)
        hearts = [(of.morale_bonus.value, of.drill) for of in of_armies]
        for flank in range(self.battle.side.shape[0]):
            men = int(self.battle.men_start[flank])
            army = int(self.battle.army[flank])
            name, heart = self.names.flank_of(flank), hearts[army]
            yield terms_of(start_morale, f"morale of {name}").of(men, constants.strat_04.morale_a_man, *heart)
            stands = bool(self.battle.maneuver[flank] == POSITION)
            shares = [share or ABSENT for share in self.battle.share[flank].tolist()]
            if constants.r_123.applies and shares.count(ABSENT) < LAND_TYPES - 1:
                protected = has_works(self.battle, flank, on_water=0)
                fields = {"Speed": "speed_kmh", "Shock": "shock", "Defense": "defense" if protected else "open_defense"}
                for variable, of_types in fields.items():
                    values = zip(self.units[of_types][army], shares, strict=False)
                    of_present = [value if share else ABSENT for value, share in values]
                    yield terms_of(averaged, f"{variable} of {name}").of(*of_present, *shares)
            if self.tunables.traits.ground[flank, 0 if stands else 1] != 1.0:
                ground = ground_of(self.war, self.battle, flank, stands, self.tables)
                yield terms_of(on_standing, f"ground of {name}").of(*ground)

    def _berths(self, side: int) -> int:
        """Yield the capacity of a side's ships in people at the start (ATT-03)."""
        crews = self.battle.ships_start * self.tunables.units.ship_capacity[self.battle.army]
        return int(sum(crews[self.battle.side == side].tolist()))

    def _attack(self, happening: Happening) -> Iterator[Calculation]:
        """Yield the worth of flanking, the blow of each type, men killed and demoralised, the target's morale (ATK)."""
        terms = happening.terms
        attack = numbers_of(Attack, terms)
        values: list[float] = [ABSENT] * len(TYPES)
        by = numbers_of(Outflanking, terms, kinds.OUTFLANKING)
        if got_round(by) != 1.0:
            shares = ("on_foot", "mounted", "gunners", "afloat", "held")
            yield from explain(got_round, by._replace(**{share: ABSENT for share in shares if not getattr(by, share)}))
        for kind, name in enumerate(TYPES):
            if (weapon := int(terms[kinds.WEAPONS + kind])) >= 0:
                struck = numbers_of(UnitBlow, terms, kinds.BLOWS + kind * kinds.BLOW)
                yield (blow := blow_terms(name, weapon).of(struck))
                values[kind] = blow.value
        blows, hearts = Blows(*values), Hearts(*self.units["psychology"][int(self.battle.army[happening.flank])])
        yield (fallen := FALL.of(blows, attack.mercy, attack.contact, attack.draw))
        yield (shaken := LOSE_HEART.of(blows, hearts, attack.flanking, attack.panic, attack.up))
        target = self.names.flank_of(happening.target)
        if fallen.value >= attack.men:
            yield stated(f"no more than the men of {target}", "ATK-08", attack.men, WHOLE)
        else:
            a_man = self.tunables.constants.strat_04.morale_a_man
            name = f"morale of {target}"
            yield terms_of(morale_left, name).of(attack.morale, fallen.value, shaken.value, a_man)

    def _siege(self, happening: Happening) -> Iterator[Calculation]:
        """Yield the terms of a siege: food, lines and breach, or the remaining Capacity (R-100, SIEGE-02)."""
        constants, country = self.tunables.constants, self.tunables.country
        if not constants.r_100.applies:
            yield from explain(capacity_under_siege, country.siege_rate, constants.siege_02)
            return
        siege, people = numbers_of(SiegeStart, happening.terms), float(country.local_population[happening.side])
        if happening.hour == 1 and (chance := explain(chance_of_siege, country.storming, siege.outside)):
            yield from (*chance, stated("the draw of the day", "R-100", siege.draw))
        yield from explain(days_in_store, people, siege.capacity, siege.garrison, constants.r_100)
        yield from explain(unfed_garrison, siege.besiegers, siege.garrison, country.berths)
        yield from explain(unfed_camp, siege.besiegers, float(country.local_population[0]), siege.besiegers_capacity)
        of_armies = variables_of_armies(self.war, self.variables, self.tables)
        if country.breach_rate:
            rate = remember(breach_rate_of, self.war, of_armies, self.tables)
            yield from explain(breach_an_hour, siege.gunners, siege.garrison, rate)
        ground = self.tunables.traits.ground
        yield from explain(quality, *quality_terms(self.war, self.battle, ground, of_armies, self.tables))

    def _day_of_siege(self, happening: Happening) -> Iterator[Calculation]:
        """Yield the chance of an event on a day of a siege, and the deciding draw (R-100)."""
        numbers, terms = self.tunables.constants.r_100, happening.terms
        day = numbers_of(SiegeDay, terms)
        mind, fight, men = terms[kinds.SIEGE_DRAWS : kinds.SIEGE_DRAWS + 3]
        weight = SIEGE_WEIGHTS[happening.kind]
        yield from explain(weight, day, numbers)
        yield CHANCE_IN_A_DAY.of(weight(day, numbers))
        yield stated("the draw of the day", "R-100", mind)
        if happening.kind in SIEGE_FIGHTS:
            yield from explain(by_odds, SIEGE_FIGHTS[happening.kind](day))
            yield stated("the draw of the fight", "R-100", fight)
        elif happening.kind in (kinds.STARVED_OUT, kinds.TERMS_MADE):
            yield from explain(captured_on_terms, day)
            yield CAPTURED.of(men, captured_on_terms(day), fight)
        if happening.kind in (*SIEGE_FIGHTS, kinds.RELIEF):
            yield from self._shares_fallen(happening.kind, day)

    def _shares_fallen(self, kind: int, day: SiegeDay) -> Iterator[Calculation]:
        """Yield the shares of both sides killed in a storm, a sally or a fight against a relief (R-100, WAR-19)."""
        besiegers, defenders = self.names.sides
        enemies, walls = day.garrison, day.walls if kind == kinds.STORM else 0.0
        if kind == kinds.RELIEF:
            defenders, enemies = f"the relief of {defenders}", day.coming
        numbers = self.tunables.constants.r_100
        fights = ((besiegers, day.besiegers, enemies, 0.0), (defenders, enemies, day.besiegers, walls))
        for name, *fight in fights:
            yield from (share.renamed(f"share of {name} who fall") for share in explain(share_fallen, *fight, numbers))

    def _attrition(self, happening: Happening) -> Iterator[Calculation]:
        """Yield the overcrowding of a side, and the dead of one of its flanks (ATT-04, ATT-05, R-26)."""
        toll, constants, country = numbers_of(Toll, happening.terms), self.tunables.constants, self.tunables.country
        if toll.side_men:
            people, most = float(country.local_population[happening.side]), constants.att_04.load_most
            yield from overcrowding_terms(overcrowding, toll.side_men, people, toll.capacity, most)
        else:
            share = camp_share(happening.side)
            yield from explain(load_in_siege, country.camp, share, toll.unfed, toll.days, constants.r_100)
        yield STARVED.of(country.attrition, toll.die, toll.men, toll.share, toll.draw)
        yield self._wasted(happening)

    def _disease(self, happening: Happening, sickened: Sequence[Happening]) -> Iterator[Calculation]:
        """Yield the chance of an outbreak, the share of deaths, and the dead of each flank (DIS-02, DIS-03, R-26)."""
        toll, side, carrier = numbers_of(Toll, happening.terms), happening.side, happening.target
        a_man = remember(outbreak_of, self.war, side, carrier, self.variables, self.tables)
        yield from explain(outbreak_chance, a_man, toll.men)
        yield stated("the draw below it", "DIS-02", toll.draw)
        yield from explain(share_of_dead, remember(severity_of, self.war, side, carrier, self.tables), toll.die)
        for struck in sickened:
            name, own = self.names.flank_of(struck.flank), numbers_of(Toll, struck.terms)
            yield terms_of(dead_of_disease, f"dead of {name}").of(own.men, toll.share, own.draw)
            yield self._wasted(struck)

    def _wasted(self, happening: Happening) -> Calculation:
        """Return the points of morale that a flank loses with its dead (ATT-06)."""
        name = f"morale lost by {self.names.flank_of(happening.flank)}"
        return terms_of(morale_of_dead, name).of(happening.amount, self.tunables.constants.strat_04.morale_a_man)


def numbers_of(record: Callable[..., Numbers], terms: Sequence[float], place: int = 0) -> Numbers:
    """Return a record of numbers kept with an event, from a place of its terms on."""
    return record(*terms[place : place + len(record._fields)])  # type: ignore[attr-defined]


@cache
def blow_terms(unit: str, weapon: int) -> FormulaTemplate:
    """Return the terms of a unit type's blow with a weapon (ATK-02 to ATK-04)."""
    return FormulaTemplate(
        blow_of, unit, power=f"{WEAPONS[weapon]} Power", men="crews" if unit == TYPES[SHIP] else "men"
    )


@lru_cache(MOST_FLANKS)
def terms_of(function: Callable[..., float], name: str) -> FormulaTemplate:
    """Return the terms of a rule's result for one side or flank, named `name`."""
    return FormulaTemplate(function, name)


FALL, LOSE_HEART, STARVED = FormulaTemplate(fall), FormulaTemplate(lose_heart), FormulaTemplate(starved)
CAPTURED = FormulaTemplate(killed_in_siege, "captured")
CHANCE_IN_A_DAY = FormulaTemplate(by_odds, "chance in a day")
SIEGE_WEIGHTS: Mapping[int, Callable[..., float]] = {
    kinds.STORM: storm_weight,
    kinds.SALLY: sally_weight,
    kinds.STARVED_OUT: terms_weight,
    kinds.TERMS_MADE: terms_weight,
    kinds.RELIEF: relief_weight,
    kinds.RELIEVED: relief_weight,
    kinds.LIFTED: leaving_weight,
}
"""The weight of each kind of event of a siege in a day."""
SIEGE_FIGHTS: Mapping[int, Callable[..., float]] = {kinds.STORM: odds_at_works, kinds.SALLY: odds_in_open}
"""The odds of the besiegers in each kind of fight of a siege."""
