"""The aftermath of a ruling: losses, leaders, occupation and Stability, for the receipt (RCPT-01)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.autoalgo.aftermath.battle_end import Ends, fight_hours
from engine.autoalgo.aftermath.casualties import returning
from engine.autoalgo.aftermath.consequences import (
    Consequences,
    blank_consequences,
    note_fates,
    note_occupation,
    note_stability,
)
from engine.autoalgo.aftermath.decided import (
    NONE_DECIDED,
    DecidedResults,
    decide_ends,
    decide_fates,
    decide_occupation,
    decide_stability,
)
from engine.autoalgo.aftermath.inputs import AftermathInputs, leads_both, occupying_type
from engine.autoalgo.aftermath.occupation import OccupationState
from engine.autoalgo.battle.state import DEFENDER, Battle
from engine.autoalgo.inputs import TYPES, Belligerent, WarInputs
from engine.autoalgo.setup.army import belligerent
from engine.autoalgo.setup.bands import band_of
from engine.autoalgo.setup.source import HISTORY
from engine.autoalgo.setup.table_parts import Band
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import SideVariables
from engine.receipt import counted
from engine.rng import Rng

NOTHING_TAKEN = Band(first=0.0, name="nothing is taken", meaning="the defender holds the place")
"""The occupation after a victory of the defender, of any result (WAR-12)."""

BothVariables = tuple[SideVariables, SideVariables]
"""The variables of the attacker and of the defender."""


@dataclass(frozen=True, slots=True)
class Losses:
    """One side's men and ships; start = left + lost."""

    men: int  # At the start
    left: int  # Not lost
    killed: int  # In action, with the crews of sunk ships
    died: int  # Of attrition and disease (DIS-04)
    captured: int  # ATK-08, R-125
    ships: int  # At the start
    sunk: int  # ATK-08
    wounded: int = 0  # Carried off by their own side
    missing: int = 0  # Scattered in the flight
    returned: int = 0  # Wounded who have already returned to the army

    @property
    def lost(self) -> int:
        """Return the number of men lost from any cause."""
        return self.casualties + self.died

    @property
    def casualties(self) -> int:
        """Return the number of men lost in action, without deaths from attrition or disease (R-24)."""
        return self.killed + self.wounded + self.captured + self.missing

    def text(self) -> str:
        """Return the text of a cell: `1,234 of 7,000 (killed 900, died 120, captured 214; 3 ships sunk)`."""
        ships = f"; {counted(self.sunk, 'ship')} sunk" if self.sunk else ""
        return f"{self.lost:,} of {self.men:,} ({self.items()}{ships})"

    def items(self) -> str:
        """Return the men lost by cause: `killed 400, wounded 480, died 120, captured 214, missing 20`."""
        wounded = f"wounded {self.wounded:,}, " if self.wounded else ""
        missing = f", missing {self.missing:,}" if self.missing else ""
        return f"killed {self.killed:,}, {wounded}died {self.died:,}, captured {self.captured:,}{missing}"


def men_lost(text: str) -> int | None:
    """Return the number of men that the text of a cell counts as lost; None for any other text."""
    match = re.match(r"([0-9,]+) of [0-9,]+ \(", text)
    return int(match[1].replace(",", "")) if match else None


@dataclass(frozen=True, slots=True)
class LeaderFate:
    """The fate of one leader (LEAD-10)."""

    leader: str  # The name
    role: str  # `Military leader`, `National leader` or `Military and national leader`
    is_killed: bool  # True if killed, which only a military leader can be
    chance: float  # Of surviving, 0 to 1; 1 for a national leader who stayed at home


@dataclass(frozen=True, slots=True)
class Occupation:
    """The occupation by the winner (OCC-08)."""

    score: float  # With the national leader's Attack
    result: float  # log(score + 1)
    band: Band  # Its band, `NOTHING_TAKEN` for a defender
    history: tuple[OccupationState, ...]  # Before the first round, and after each
    type_name: str  # The unit type that occupies (OCC-02)
    limitation: float  # Its Limitation, absent from the formula and only logged

    @property
    def rounds(self) -> int:
        """Return the number of rounds."""
        return len(self.history) - 1

    def text(self) -> str:
        """Return the name of the band and the result: `Occupation (0.74)`."""
        return f"{self.band.name} ({self.result:.2f})"


@dataclass(frozen=True, slots=True)
class Stability:
    """A nation's Stability (STAB-04)."""

    before: float  # 0 to 200
    after: float  # 0 to 200, rounded to one decimal
    band: str  # Name of the new one

    def text(self) -> str:
        """Return the change as text: `110 → 92.4 (Strained)`."""
        return f"{round(self.before, 1):g} → {self.after:g} ({self.band})"


@dataclass(frozen=True, slots=True)
class Party:
    """Result of a war for one nation (R-131)."""

    number: int  # As in `nation_numbers`: the side of a leader's nation, then the allied ones
    side: int  # 0 the attacker's, 1 the defender's
    losses: Losses  # Of its own armies
    stability: Stability
    fates: tuple[LeaderFate, ...]  # Of its leaders, the military leaders first


@dataclass(frozen=True, slots=True)
class Aftermath:
    """The aftermath of a war; pairs are attacker, defender."""

    winner: int  # 0 the attacker, 1 the defender
    hours: int  # The battle's length, with the pursuit
    is_abandoned: bool  # It ended with the time limit
    is_naval: bool  # There was fighting on water (RCPT-01)
    losses: tuple[Losses, Losses]  # Of the militaries
    fates: tuple[tuple[LeaderFate, ...], tuple[LeaderFate, ...]]  # Of each side's leaders, the military leader first
    occupation: Occupation  # The winner's
    stability: tuple[Stability, Stability]  # Of the nations
    fight: int = 0  # The hours from the first blow to the decision, of a siege all; in the source all of the battle
    march: int = 0  # The hours before the first blow; 0 without a blow, and in the source
    decided: int = 0  # The hour in which one side had no fighting flank left, 0 for none
    decisions: DecidedResults = NONE_DECIDED  # The results that a moderator decided
    by_army: tuple[Losses, ...] = ()  # Of each army, in the order of `army_places`; none where each side has one
    members: tuple[Party, ...] = ()  # Every nation, in the order of their numbers; none where each side has one army

    @property
    def parties(self) -> tuple[Party, ...]:
        """Return the nations of the war, both leaders' first (R-131)."""
        sides = zip(self.losses, self.stability, self.fates, strict=True)
        return self.members or tuple(Party(side, side, *of_side) for side, of_side in enumerate(sides))


def aftermath_of(
    war: WarInputs,
    battle: Battle,
    variables: BothVariables,
    tables: Tables,
    rng: Rng,
    is_naval: bool,
    inputs: AftermathInputs,
    ends: Ends,
    consequences: Consequences,
    decided: DecidedResults = NONE_DECIDED,
) -> Aftermath:
    """Return the aftermath of a finished battle.

    Args:
        variables: The variables of the attacker and of the defender.
        ends: The end of the battle alone, to which decided results are written.
        consequences: What followed from it, if there was room for every round of the occupation.
        decided: The results decided by a moderator; their consequences follow by the rules (OVR-12, R-97).

    Raises:
        WrongDecision: The losses exceed the men or ships present.
    """
    decide_ends(decided, battle, ends)
    if decided.values:
        consequences = _consequences(ends, inputs, rng, blank_consequences(1), decided)
    if int(consequences.rounds[0]) >= consequences.history.shape[0]:  # now that its length is known
        history = blank_consequences(1, history=int(consequences.rounds[0]) + 1)
        consequences = _consequences(ends, inputs, rng, history, decided)
    winner = int(ends.winner[0])
    fight = int((fight_hours(ends) if tables.strategy.rules == HISTORY else ends.hours)[0])
    return Aftermath(
        winner=winner,
        hours=int(ends.hours[0]),
        fight=fight,
        march=max(int(ends.first_contact[0]) - 1, 0) if fight < int(ends.hours[0]) else 0,
        decided=int(ends.decided[0]),
        is_abandoned=bool(ends.is_abandoned[0]),
        is_naval=is_naval,
        losses=(_losses(war, battle, ends, 0, tables), _losses(war, battle, ends, 1, tables)),
        fates=(_fates(war, 0, consequences), _fates(war, 1, consequences)),
        occupation=_occupation(war, winner, battle, variables[winner], consequences, tables),
        stability=(_stability(war, 0, consequences, tables), _stability(war, 1, consequences, tables)),
        decisions=decided,
    )


def _consequences(
    ends: Ends, inputs: AftermathInputs, rng: Rng, consequences: Consequences, decided: DecidedResults
) -> Consequences:
    """Return the consequences of a battle, in the order of `note_consequences`, each after the decisions before it."""
    note_fates(ends, 0, inputs, rng.seed, rng.replicate, consequences)
    decide_fates(decided, consequences)
    note_occupation(ends, 0, inputs, rng.seed, rng.replicate, consequences)
    decide_occupation(decided, consequences)
    note_stability(ends, 0, inputs, rng.seed, rng.replicate, consequences)
    decide_stability(decided, consequences)
    return consequences


def _losses(war: WarInputs, battle: Battle, ends: Ends, side: int, tables: Tables) -> Losses:
    wounded = int(ends.wounded[0, side])
    flanks = [flank for flank in range(battle.side.shape[0]) if battle.side[flank] == side]
    return Losses(
        men=sum(int(battle.men_start[flank]) for flank in flanks),
        left=int(ends.left[0, side]),
        killed=int(ends.killed[0, side]),
        died=int(ends.died[0, side]),
        captured=int(ends.captured[0, side]),
        ships=sum(int(battle.ships_start[flank]) for flank in flanks),
        sunk=int(ends.sunk[0, side]),
        wounded=wounded,
        missing=int(ends.missing[0, side]),
        returned=returning(wounded, tables.constants.r_125) if war.wounded_return else 0,
    )


def fates_of(army: Belligerent, is_killed: bool, chance: float) -> tuple[LeaderFate, ...]:
    """Return the fates of an army's leaders (DB-11, LEAD-09); one not in command is safe (MD-11).

    Args:
        is_killed: True if its commander, where it has one, is killed.
        chance: His chance to survive.
    """
    fates = []
    if army.military_leader is not None:
        role = "Military and national leader" if leads_both(army) else "Military leader"
        fates.append(LeaderFate(army.military_leader.name, role, is_killed, chance))
    if army.national_leader is not None and not leads_both(army):
        fates.append(LeaderFate(army.national_leader.name, "National leader", False, 1.0))
    return tuple(fates)


def _fates(war: WarInputs, side: int, consequences: Consequences) -> tuple[LeaderFate, ...]:
    is_killed, chance = bool(consequences.is_killed[0, side]), float(consequences.chance[0, side])
    return fates_of(belligerent(war, side), is_killed, chance)


def _occupation(
    war: WarInputs, winner: int, battle: Battle, variables: SideVariables, consequences: Consequences, tables: Tables
) -> Occupation:
    kind = occupying_type(war, winner, battle, variables, tables)
    result = float(consequences.result[0])
    return Occupation(
        score=float(consequences.score[0]),
        result=result,
        band=NOTHING_TAKEN if winner == DEFENDER else band_of(round(result, 2), tables.occupation_bands),
        history=tuple(
            OccupationState(*map(float, row)) for row in consequences.history[: int(consequences.rounds[0]) + 1]
        ),
        type_name=TYPES[kind],
        limitation=variables.limitation[kind].value,
    )


def _stability(war: WarInputs, side: int, consequences: Consequences, tables: Tables) -> Stability:
    before = belligerent(war, side).nation.stability
    after = round(float(consequences.stability[0, side]), 1)
    return Stability(before, after, band_of(after, tables.stability_bands).name)
