"""The terms of leaders' survival, of the occupation and of Stability, for the log and `explain` (VAR-05)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.autoalgo.aftermath import decided
from engine.autoalgo.aftermath.casualties import fates_of, is_taken, pursued, wounded_share
from engine.autoalgo.aftermath.consequences import (
    chance_to_survive,
    next_round,
    occupier_after,
    stability_after,
)
from engine.autoalgo.aftermath.inputs import (
    AftermathInputs,
    SideInputs,
    command_of,
    fire_share,
    home_of,
    outbreak_of,
    sickness_of,
    start_of,
)
from engine.autoalgo.aftermath.members import result_of
from engine.autoalgo.aftermath.occupation import Occupier, end_morale, occupiers_overcrowding, result, start_efficiency
from engine.autoalgo.aftermath.result import Aftermath, Party
from engine.autoalgo.battle.draw_ids import LEADER_DANGER, LEADER_SURVIVAL, OCCUPATION_OUTBREAK, STABILITY
from engine.autoalgo.battle.state import Battle, Tunables
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.report.battle_terms import overcrowding_terms
from engine.autoalgo.setup.army import army_places, led_by, nation_numbers
from engine.autoalgo.setup.deploy import variables_of_armies
from engine.autoalgo.setup.table_parts import Band
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import SideVariables
from engine.calculation import WHOLE, Calculation, by_name, stated
from engine.rng import Rng, draw
from engine.rule import explain, remember


@dataclass(frozen=True)
class AftermathTerms:
    """The terms of the numbers after a battle; a number decided by a moderator has none (OVR-12)."""

    war: WarInputs  # The war's inputs
    inputs: AftermathInputs  # The inputs of the aftermath
    battle: Battle  # The battle after its last hour
    tunables: Tunables  # Its constant inputs
    variables: tuple[SideVariables, SideVariables]  # The attacker's and the defender's
    aftermath: Aftermath  # Result of the battle and the occupation
    tables: Tables  # The numbers of the rules
    rng: Rng  # The draws of the ruling

    def duration(self) -> Iterator[Calculation]:
        """Yield the hours of a day, and the most hours of a battle (RCPT-01, R-13)."""
        yield stated("hours a day", "RCPT-01", self.tables.strategy.hours_per_day, WHOLE)
        rules = self.tunables.end_rules
        yield stated(
            "hours after which an attack is abandoned",
            "R-13",
            rules.siege_hours if self.battle.siege_begun else rules.hours_most,
            WHOLE,
        )

    def casualties(self, side: int) -> Iterator[Calculation]:
        """Yield the terms of the fates of a side's men who were hit (R-125)."""
        if not any(self.aftermath.decisions.of(loss, side) is not None for loss in decided.LOSSES):
            is_loser = side != self.aftermath.winner
            men = int(self.battle.killed[self.battle.side == side].sum()), pursued(self.battle, side)
            how = is_loser, is_taken(self.battle, side, is_loser)
            fire, numbers = fire_share(self.war, 1 - side, self.battle, self.tables), self.inputs.constants.r_125
            yield from explain(wounded_share, fire, self.war.year, numbers)
            yield from explain(fates_of, *men, *how, self._side(side).wounded_share, numbers)

    def survival(self, army: int) -> Iterator[Calculation]:
        """Yield the terms of a commander's chance to survive, and the deciding draw (LEAD-10, R-08).

        Args:
            army: Number of his army; for a leader's army the number of the side (R-130).
        """
        if army < 2 and self.aftermath.decisions.of(decided.LEADER, army) is not None:
            return
        losses = (self.aftermath.by_army or self.aftermath.losses)[army]
        side, place = army_places(self.war)[army]
        command = command_of(led_by(self.war, side, place), side, self._variables[army], self.tables)
        danger = self._draw(LEADER_DANGER, army)
        men = losses.left, losses.killed, losses.men
        yield from explain(chance_to_survive, command, *men, danger, self.inputs.constants)
        yield stated("the draw that must be below it", "R-08", self._draw(LEADER_SURVIVAL, army))

    def occupation_begins(self) -> Iterator[Calculation]:
        """Yield the terms of an occupation's initial score, morale and Efficiency (OCC-01, R-22)."""
        winner, start = self.aftermath.winner, self.aftermath.occupation.history[0]
        yield from explain(start_of, self.war, winner, self.variables, self.tables)
        conquest = self._side(winner).conquest
        yield from explain(end_morale, self._morale_left(), conquest.morale_full, self.inputs.constants.r_22)
        yield from explain(start_efficiency, conquest.efficiency, start.morale) or (
            stated("Efficiency without morale", "R-22", 0.0),
        )
        men, capacity = self.aftermath.losses[winner].left, float(self.battle.capacity[winner])
        people, most = conquest.local_population, conquest.overcrowding_most
        yield from overcrowding_terms(occupiers_overcrowding, men, people, capacity, most)

    def occupation_round(self, number: int) -> Iterator[Calculation]:
        """Yield the terms of a round, from 1: score, morale and Efficiency (OCC-03, OCC-04, R-22)."""
        before, round = self.aftermath.occupation.history[number - 1], self._round(number)
        yield round["score"]
        if before.morale > 0.0:
            yield from (round["morale"], round["Efficiency"])

    def occupation_hunger(self, number: int) -> Iterator[Calculation]:
        """Yield the terms of the morale lost to natural attrition in a round (OCC-05)."""
        yield self._round(number)["morale lost by hunger"]

    def occupation_disease(self, number: int) -> Iterator[Calculation]:
        """Yield the terms of the morale lost to an outbreak of disease in a round (OCC-06)."""
        winner = self.aftermath.winner
        yield from explain(outbreak_of, self.war, winner, self.variables[winner], self.tables)
        yield stated("the draw below it", "OCC-06", self._draw(OCCUPATION_OUTBREAK, 0, number))
        yield self._round(number)["morale lost by disease"]

    def occupation_ends(self) -> Iterator[Calculation]:
        """Yield the terms of the occupation's result, and the limits of its band (OCC-08, R-23)."""
        if self.aftermath.decisions.of(decided.OCCUPATION) is not None:
            return
        occupation = self.aftermath.occupation
        yield stated("a round that adds less ends the occupation:", "OCC-07", self.inputs.constants.occ_07.change_least)
        yield from explain(result, occupation.history[-1].score, self._side(self.aftermath.winner).conquest.bonus)
        if occupation.band in self.tables.occupation_bands:  # a defender takes nothing (WAR-12)
            yield from _limits(occupation.band.name, self.tables.occupation_bands)

    def is_decided(self, party: int) -> bool:
        """Return True if a moderator decided the Stability of a nation, by its number (OVR-12)."""
        return party < 2 and self.aftermath.decisions.of(decided.STABILITY, party) is not None

    def stability(self, party: int) -> Iterator[Calculation]:
        """Yield the terms of a nation's new Stability (STAB-04), and the limits of its band (R-23)."""
        if self.is_decided(party):
            return
        *before, stability = self.changed_stability(party).values()
        yield from (*before, stability.to_one_decimal())
        yield from _limits(self.aftermath.parties[party].stability.band, self.tables.stability_bands)

    def changed_stability(self, party: int) -> Mapping[str, Calculation]:
        """Return the calculations of a nation's new Stability, before rounding, by the names of their results."""
        return self._stabilities[party]

    @cached_property
    def _variables(self) -> Sequence[SideVariables]:
        return variables_of_armies(self.war, self.variables, self.tables)

    @cached_property
    def _stabilities(self) -> tuple[Mapping[str, Calculation], ...]:
        return tuple(self._stability(party) for party in self.aftermath.parties)

    def _stability(self, party: Party) -> Mapping[str, Calculation]:
        army = nation_numbers(self.war).index(party.number)
        side, place = army_places(self.war)[army]
        home = home_of(led_by(self.war, side, place), side, self._variables[army], self.tables)
        result, draw = result_of(self.aftermath, party), self._draw(STABILITY, party.number)
        return by_name(explain(stability_after, home, result, draw, self.inputs.constants))

    def _side(self, side: int) -> SideInputs:
        return (self.inputs.attacker, self.inputs.defender)[side]

    def _draw(self, purpose: int, index: int, hour: int = 0) -> float:
        return draw(self.rng.seed, self.rng.replicate, hour, purpose, index)

    def _occupier(self) -> Occupier:
        """Return the winner after the battle."""
        winner, morale = self.aftermath.winner, self._morale_left()
        left, capacity = self.aftermath.losses[winner].left, float(self.battle.capacity[winner])
        return occupier_after(self._side(winner).conquest, left, morale, capacity, self.inputs.constants)

    def _morale_left(self) -> float:
        """Return the points of morale of all flanks of the winner (R-70)."""
        morale = 0.0
        for flank in range(self.battle.side.shape[0]):  # not sum(): its rounding differs between versions of Python
            if self.battle.side[flank] == self.aftermath.winner:
                morale += float(self.battle.morale[flank])
        return morale

    def _round(self, number: int) -> Mapping[str, Calculation]:
        """Return the calculations of a round of the occupation, from 1, by the names of their results."""
        sick = remember(sickness_of, self.war, self.aftermath.winner, self.tables)
        before, occupier = self.aftermath.occupation.history[number - 1], self._occupier()._replace(sickness=sick)
        rng, constants = self.rng, self.inputs.constants
        return by_name(explain(next_round, before, occupier, constants, rng.seed, rng.replicate, number))


def _limits(name: str, bands: tuple[Band, ...]) -> Iterator[Calculation]:
    """Yield the limits of a band: its beginning and the next one's."""
    place = next(place for place, band in enumerate(bands) if band.name == name)
    for band in bands[place : place + 2]:
        yield stated(f"{band.name} begins at", "R-23", band.first)
