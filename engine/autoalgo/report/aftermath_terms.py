"""The terms of leaders' survival, of the occupation and of Stability, for the log and `explain` (VAR-05)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from engine.autoalgo.aftermath import decided
from engine.autoalgo.aftermath.consequences import occupier_after
from engine.autoalgo.aftermath.inputs import AftermathInputs, SideInputs, occupying_type
from engine.autoalgo.aftermath.occupation import Occupied, Occupier
from engine.autoalgo.aftermath.result import Aftermath
from engine.autoalgo.aftermath.stability import hardship, shaken_innate
from engine.autoalgo.battle.draw_ids import (
    LEADER_DANGER,
    LEADER_SURVIVAL,
    OCCUPATION_ATTRITION,
    OCCUPATION_OUTBREAK,
    OCCUPATION_SEVERITY,
    STABILITY,
)
from engine.autoalgo.battle.state import Battle, Tunables
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.setup.strategy import belligerent
from engine.autoalgo.setup.table_parts import Band
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import SideVariables
from engine.calculation import POINTS, WHOLE, Calculation, KeyFormula, Part
from engine.rng import Rng, draw


@dataclass(frozen=True)
class AftermathTerms:
    """The terms of the numbers that follow a battle; a number that a moderator decided has none (OVR-12).

    Args:
        war: The war's inputs.
        inputs: The numbers that the aftermath depends on.
        battle: The battle after its last hour.
        tunables: Its constant inputs.
        variables: The attacker's and the defender's.
        aftermath: Result of the battle and the occupation.
        tables: The numbers of the rules.
        rng: The draws of the ruling.
    """

    war: WarInputs
    inputs: AftermathInputs
    battle: Battle
    tunables: Tunables
    variables: tuple[SideVariables, SideVariables]
    aftermath: Aftermath
    tables: Tables
    rng: Rng

    def duration(self) -> Iterator[Calculation]:
        """Yield the hours of a day, and the most hours of a battle (RCPT-01, R-13)."""
        yield HOURS_A_DAY.of(self.tables.strategy.hours_per_day)
        yield HOURS_MOST.of(self.tunables.numbers.hours_most)

    def survival(self, side: int) -> Iterator[Calculation]:
        """Yield the terms of a commander's chance to survive, and the draw that decides (LEAD-10, R-08)."""
        if self.aftermath.decisions.of(decided.LEADER, side) is not None:
            return
        command, rates, losses = self._side(side).command, self.inputs.survival, self.aftermath.losses[side]
        chance = next(fate.chance for fate in self.aftermath.fates[side])
        yield SURVIVES.of(
            chance,
            self._draw(LEADER_DANGER, side) * rates.luck_most,
            command.martial,
            rates.martial_weight,
            command.training,
            rates.training_divisor,
            command.age,
            rates.age_divisor,
            rates.divisor,
            losses.left,
            losses.men,
            0.0,
            1.0,
        )
        yield SURVIVAL_DRAWN.of(self._draw(LEADER_SURVIVAL, side))

    def occupation_begins(self) -> Iterator[Calculation]:
        """Yield the terms of the score, morale and Efficiency with which an occupation begins (OCC-01, R-22)."""
        winner, start = self.aftermath.winner, self.aftermath.occupation.history[0]
        own, enemy = belligerent(self.war, winner).nation, belligerent(self.war, 1 - winner).nation
        disease = self.tables.disease[enemy.endemic_disease]
        yield START_SCORE.of(
            start.score,
            self.variables[winner].occupation_base.value,
            self.variables[1 - winner].occupation_base.value,
            1.0,
            disease.power,
            self.tables.occupation_medicine(own.medicine),
        )
        occupier, conquest = self._occupier(), self._side(winner).conquest
        share = self.inputs.occupation.morale_share_most
        yield START_MORALE.of(start.morale, self._morale_left(), conquest.morale_full, share)
        if start.morale > 0.0:
            kind = occupying_type(self.war, winner, self.battle, self.variables[winner], self.tables)
            yield START_EFFICIENCY.of(start.efficiency, self.variables[winner].efficiency[kind].value)
        else:
            yield NO_EFFICIENCY.of(0.0)
        fed = conquest.local_population * float(self.battle.capacity[winner])
        if fed:
            capacity = float(self.battle.capacity[winner])
            men, most = self.aftermath.losses[winner].left, conquest.overcrowding_most
            yield OVERCROWDING.of(occupier.overload, men, conquest.local_population, capacity, most)
        else:
            yield NO_SUPPLIES.of(occupier.overload)

    def occupation_round(self, number: int) -> Iterator[Calculation]:
        """Yield the terms of a round, from 1: score, morale and Efficiency (OCC-03, OCC-04, R-22)."""
        before, after = self.aftermath.occupation.history[number - 1 : number + 1]
        occupier = self._occupier()
        yield SCORE.of(after.score, before.efficiency, 1.0, before.score)
        if before.morale > 0.0:
            worn = (before.morale, before.morale, occupier.morale_full)
            yield MORALE.of(after.morale, *worn, after.exhausted, after.sickened)
            yield EFFICIENCY.of(after.efficiency, *worn, occupier.morale, before.efficiency)

    def occupation_hunger(self, number: int) -> Iterator[Calculation]:
        """Yield the terms of the morale that natural attrition costs in a round (OCC-05)."""
        before, after = self.aftermath.occupation.history[number - 1 : number + 1]
        occupier, rates = self._occupier(), self.inputs.occupation
        yield HUNGER.of(
            after.exhausted,
            occupier.attrition,
            self._draw(OCCUPATION_ATTRITION, 0, number) * rates.attrition_spread,
            occupier.men,
            occupier.overload,
            1.0,
            rates.points_a_man,
            *self._worn(before, occupier),
        )

    def occupation_disease(self, number: int) -> Iterator[Calculation]:
        """Yield the terms of the morale that an outbreak of disease costs in a round (OCC-06)."""
        before, after = self.aftermath.occupation.history[number - 1 : number + 1]
        occupier, rates, winner = self._occupier(), self.inputs.occupation, self.aftermath.winner
        own, enemy = belligerent(self.war, winner).nation, belligerent(self.war, 1 - winner).nation
        disease = self.tables.disease[enemy.endemic_disease]
        is_endemic = own.endemic_disease == enemy.endemic_disease
        yield OUTBREAK.of(
            occupier.outbreak_chance,
            disease.outbreak,
            self.variables[winner].resistance.value,
            rates.familiarity_endemic if is_endemic else rates.familiarity_strange,
            rates.outbreak_divisor,
        )
        yield OUTBREAK_DRAWN.of(self._draw(OCCUPATION_OUTBREAK, 0, number))
        yield SICKNESS.of(
            after.sickened,
            disease.infectivity,
            disease.reproduction,
            disease.deadliness,
            1.0,
            2.0,
            self.tables.disease_losses(own.medicine),
            self._draw(OCCUPATION_SEVERITY, 0, number) * rates.severity_most,
            rates.sickness_points,
            *self._worn(before, occupier),
            after.exhausted,
        )

    def occupation_ends(self) -> Iterator[Calculation]:
        """Yield the terms of the occupation's result, and where its band begins and ends (OCC-08, R-23)."""
        if self.aftermath.decisions.of(decided.OCCUPATION) is not None:
            return
        occupation = self.aftermath.occupation
        bonus = self._side(self.aftermath.winner).conquest.bonus
        yield LEAST_GROWTH.of(self.inputs.occupation.change_least)
        factor = () if bonus == 1.0 else (bonus,)
        yield result_formula(bonus != 1.0).of(occupation.result, occupation.history[-1].score, *factor, 1.0)
        yield from _limits(occupation.band.name, self.tables.occupation_bands)

    def stability(self, side: int) -> Iterator[Calculation]:
        """Yield the terms of a nation's new Stability (STAB-04), and where its band begins and ends (R-23)."""
        if self.aftermath.decisions.of(decided.STABILITY, side) is not None:
            return
        home, rates = self._side(side).home, self.inputs.stability
        is_loser, losses = side != self.aftermath.winner, self.aftermath.losses[side]
        felt = self.aftermath.occupation.result if is_loser else 1.0
        share = losses.casualties / home.maximum_military
        yield CASUALTIES.of(
            min(share, rates.casualties_most), losses.casualties, home.maximum_military, rates.casualties_most
        )
        toll = hardship(share, home.economy, felt, rates)
        yield hardship_formula(is_loser).of(
            toll,
            min(share, rates.casualties_most),
            rates.casualties_divisor,
            home.economy,
            rates.economy_least,
            *((felt,) if is_loser else ()),
            rates.casualties_weight,
        )
        lost_capital = is_loser and bool(home.is_capital)
        lost_leader = bool(home.leads_both) and any(fate.is_killed for fate in self.aftermath.fates[side])
        totalitarian = bool(home.is_totalitarian)
        yield stability_formula(lost_capital, lost_leader).of(
            self.aftermath.stability[side].after,
            home.stability,
            home.innate,
            *((shaken_innate(1.0, True, False, totalitarian, rates),) if lost_capital else ()),
            *((shaken_innate(1.0, False, True, totalitarian, rates),) if lost_leader else ()),
            toll,
            self._draw(STABILITY, side) * rates.luck_most,
            rates.low,
            rates.high,
        )
        yield from _limits(self.aftermath.stability[side].band, self.tables.stability_bands)

    def _side(self, side: int) -> SideInputs:
        return (self.inputs.attacker, self.inputs.defender)[side]

    def _draw(self, purpose: int, index: int, hour: int = 0) -> float:
        return draw(self.rng.seed, self.rng.replicate, hour, purpose, index)

    def _occupier(self) -> Occupier:
        """Return the winner as the battle left him."""
        winner, morale = self.aftermath.winner, self._morale_left()
        left, capacity = self.aftermath.losses[winner].left, float(self.battle.capacity[winner])
        return occupier_after(self._side(winner).conquest, left, morale, capacity, self.inputs.occupation)

    def _morale_left(self) -> float:
        """Return the points of morale of all flanks of the winner (R-70)."""
        morale = 0.0
        for flank in range(self.battle.side.shape[0]):  # not sum(): its rounding differs between versions of Python
            if self.battle.side[flank] == self.aftermath.winner:
                morale += float(self.battle.morale[flank])
        return morale

    def _worn(self, before: Occupied, occupier: Occupier) -> tuple[float, float, float]:
        return before.morale, before.morale, occupier.morale_full


@cache
def result_formula(has_bonus: bool) -> KeyFormula:
    """Return the formula of an occupation's result (OCC-08)."""
    bonus = (Part("×", "Attack of the national leader"),) if has_bonus else ()
    return KeyFormula("result", "OCC-08", (Part("", "score"), *bonus, Part("+"), Part("log")))


@cache
def hardship_formula(is_loser: bool) -> KeyFormula:
    """Return the formula of the points of Stability that casualties cost (STAB-04); the loser feels the occupation."""
    economy = Part("×", parts=(Part("", "Economy"), Part("at least")))
    parts = (
        Part("", "casualties"),
        Part("÷", parts=(Part(""), economy)),
        *((Part("×", "occupation"),) if is_loser else ()),
        Part("×"),
    )
    return KeyFormula("hardship", "STAB-04", parts)


@cache
def stability_formula(lost_capital: bool, lost_leader: bool) -> KeyFormula:
    """Return the formula of a nation's new Stability (STAB-02 to STAB-04, R-74)."""
    parts = (
        Part("", "before"),
        Part("×", "Innate Stability"),
        *((Part("×", "capital lost"),) if lost_capital else ()),
        *((Part("×", "national leader killed"),) if lost_leader else ()),
        Part("−", "hardship"),
        Part("+", "draw"),
        Part("at least"),
        Part("at most"),
        Part("to one decimal"),
    )
    lost = (*(("STAB-02",) if lost_capital else ()), *(("STAB-03",) if lost_leader else ()))
    return KeyFormula("Stability", ", ".join((*lost, "STAB-04")), parts)


def _limits(name: str, bands: tuple[Band, ...]) -> Iterator[Calculation]:
    """Yield where a band begins, and where the next one does."""
    place = next(place for place, band in enumerate(bands) if band.name == name)
    for band in bands[place : place + 2]:
        yield KeyFormula(f"{band.name} begins at", "R-23", ()).of(band.first)


HOURS_A_DAY = KeyFormula("hours a day", "RCPT-01", (), WHOLE)
HOURS_MOST = KeyFormula("hours after which an attack is abandoned", "R-13", (), WHOLE)
SURVIVES = KeyFormula(
    "chance to survive",
    "LEAD-10",
    (
        Part("", "danger"),
        Part("−", parts=(Part("", "Martial"), Part("×"))),
        Part("+", parts=(Part("", "Tactical Training"), Part("÷"))),
        Part("+", parts=(Part("", "age"), Part("÷"))),
        Part("÷"),
        Part("+", parts=(Part("", "men left", WHOLE), Part("÷", "men", WHOLE))),
        Part("at least"),
        Part("at most"),
    ),
)
SURVIVAL_DRAWN = KeyFormula("the draw that must be below it", "R-08", ())
START_SCORE = KeyFormula(
    "score",
    "OCC-01, R-21",
    (
        Part("", "Occupation Base"),
        Part("÷", "Occupation Base of the loser"),
        Part("÷", parts=(Part(""), Part("+", parts=(Part("", "Power of the loser's disease"), Part("×", "Medicine"))))),
    ),
)
START_MORALE = KeyFormula(
    "morale",
    "R-22, R-70",
    (
        Part("", "morale left", POINTS),
        Part("at most", parts=(Part("", "morale of all flanks at the start", POINTS), Part("×"))),
    ),
    POINTS,
)
START_EFFICIENCY = KeyFormula("Efficiency", "OCC-02", (Part("", "Efficiency of the type that occupies"),))
NO_EFFICIENCY = KeyFormula("Efficiency without morale", "R-22", ())
OVERCROWDING = KeyFormula(
    "overcrowding",
    "ATT-04, OCC-05",
    (
        Part("", "men", WHOLE),
        Part("÷", parts=(Part("", "people who feed them", WHOLE), Part("×", "Capacity"))),
        Part("at most"),
    ),
)
NO_SUPPLIES = KeyFormula("overcrowding without any supplies", "R-56", ())
SCORE = KeyFormula("score", "OCC-03", (Part("", "Efficiency"), Part("+"), Part("×", "score before")))
_WORN = (Part("", "morale before", POINTS), Part("×", "itself", POINTS), Part("÷", "morale at the start", POINTS))
MORALE = KeyFormula(
    "morale", "OCC-04, R-22", (*_WORN, Part("−", "hunger", POINTS), Part("−", "disease", POINTS)), POINTS
)
EFFICIENCY = KeyFormula(
    "Efficiency", "OCC-04, R-22", (*_WORN, Part("÷", "morale after the battle", POINTS), Part("×", "Efficiency before"))
)
HUNGER = KeyFormula(
    "morale lost by hunger",
    "OCC-05",
    (
        Part("", "Attrition"),
        Part("+", "die"),
        Part("×", "men", WHOLE),
        Part("×", parts=(Part("", "overcrowding"), Part("−"))),
        Part("×", "a man"),
        Part("at most", parts=_WORN),
    ),
    POINTS,
)
OUTBREAK = KeyFormula(
    "chance of an outbreak",
    "OCC-06",
    (Part("", "Outbreak"), Part("÷", parts=(Part("", "resistance"), Part("×", "familiarity"), Part("×")))),
)
OUTBREAK_DRAWN = KeyFormula("the draw below it", "OCC-06", ())
SICKNESS = KeyFormula(
    "morale lost by disease",
    "OCC-06",
    (
        Part("", "Infectivity"),
        Part("×", "Reproduction"),
        Part("×", "Deadliness"),
        Part("+"),
        Part("log"),
        Part("÷", parts=(Part(""), Part("log"))),
        Part("×", "Medicine"),
        Part("×", "die"),
        Part("×"),
        Part("at most", parts=(*_WORN, Part("−", "hunger", POINTS))),
    ),
    POINTS,
)
LEAST_GROWTH = KeyFormula("a round that adds less ends the occupation:", "OCC-07", ())
CASUALTIES = KeyFormula(
    "casualties",
    "STAB-04, R-24",
    (Part("", "killed and captured", WHOLE), Part("÷", "maximum military", WHOLE), Part("at most")),
)
