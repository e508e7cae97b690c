"""The account of a war: some sentences for players, below the items of the receipt (RCPT-04)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.autoalgo.aftermath.inputs import is_at_sea
from engine.autoalgo.aftermath.result import Aftermath
from engine.autoalgo.battle import events as kinds
from engine.autoalgo.battle.events import Happening
from engine.autoalgo.battle.state import ATTACKER
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.names import Names, counted, on_one_line, possessive
from engine.autoalgo.records import GENERIC
from engine.autoalgo.report.log import Timeline
from engine.autoalgo.setup.strategy import belligerent
from engine.autoalgo.setup.tables import Tables
from engine.recording import Chapter

WAYS_TO_BREAK = {
    kinds.RETREATS: ("fled", "from"),
    kinds.ROUTED: ("was routed", "by"),
    kinds.CAPTURED: ("laid down its arms", "to"),
    kinds.SUNK: ("went down", "under"),
    kinds.WIPED_OUT: ("died of hunger and disease", ""),
    kinds.STARVED_OUT: ("gave up for hunger", ""),
    kinds.TERMS_MADE: ("yielded on terms", ""),
}
"""Words for each kind of event that ends a flank's fight, and the word before the flank that drove it."""


def account(war: WarInputs, aftermath: Aftermath, timeline: Timeline, tables: Tables) -> tuple[str, ...]:
    """Return the sentences of the account: result, armies, decision, the loser's worst hour.

    Args:
        war: The war's inputs, for the names of armies and location.
        aftermath: Result of the battle and the occupation.
        timeline: The timeline of the battle, which is over.
        tables: The numbers of the rules, which name the climate of the sea.
    """
    names = timeline.names
    at_sea = is_at_sea(war, tables)
    worst = worst_hour(aftermath, timeline)
    return (
        _result(war, aftermath, names, at_sea),
        _army(war, aftermath, names, 0, at_sea or aftermath.is_naval),
        _army(war, aftermath, names, 1, at_sea or aftermath.is_naval),
        _decision(aftermath, timeline),
        *([f"Hour {worst.hour:,} cost the loser most: {worst.text}."] if worst else []),
    )


def _result(war: WarInputs, aftermath: Aftermath, names: Names, at_sea: bool) -> str:
    """Return who won and who occupies what: nobody in the lowest band; at sea the winner holds the water (R-92)."""
    winner, place = names.sides[aftermath.winner], on_one_line(war.location.name)
    if aftermath.is_abandoned:
        fought, winner_too, but_nobody = f"{names.sides[ATTACKER]} abandons the attack", f"; {winner}", ";"
    elif aftermath.winner == ATTACKER:
        fought, winner_too, but_nobody = f"{winner} wins the battle", " and", ", but"
    else:
        fought, winner_too, but_nobody = f"{winner} repels the attack", " and", ", and"
    if at_sea:
        return f"{fought}{winner_too} holds the waters of {place}."
    band = aftermath.occupation.band
    meaning = on_one_line(band.meaning or band.name).rstrip(".")
    if band.first == 0:
        return f"{fought}{but_nobody} nobody occupies {place}: {meaning}."
    if aftermath.winner == ATTACKER:
        return f"{fought}{winner_too} occupies {place}: {meaning}."
    return f"{fought}; {possessive(winner)} hold on {place}: {meaning}."


def _army(war: WarInputs, aftermath: Aftermath, names: Names, side: int, has_ships: bool) -> str:
    """Return an army's name, its strength and what is left of it."""
    losses, military = aftermath.losses[side], belligerent(war, side).military.name
    nation = names.sides[side]
    name = f"{possessive(nation)} army" if military == GENERIC else f"{on_one_line(military)} ({nation})"
    start, left = counted(losses.men, "man", "men"), f"{losses.left:,}" if losses.left else "nobody"
    verb = "are" if losses.left > 1 else "is"
    if not has_ships:
        return f"{name} began with {start}; {left} {verb} left."
    afloat = f"{losses.ships - losses.sunk:,} of {counted(losses.ships, 'ship')}"
    return f"{name} began with {start}; {left} {verb} left, and {afloat}."


def _decision(aftermath: Aftermath, timeline: Timeline) -> str:
    """Return how long the battle lasted up to its decision and after it (R-29)."""
    battle = timeline.battle
    end = counted(aftermath.hours, "hour")
    met = "" if battle.first_contact_hour else "The two armies never came to blows. "
    if battle.siege_begun:
        met = f"A siege began in hour {battle.siege_begun:,}. {met}"
    if not aftermath.hours:
        return "The battle was decided before its first hour."
    if not battle.decided_hour:
        return f"{met}Neither army broke, and after {end} the attack was abandoned."
    decided = counted(battle.decided_hour, "hour")
    if aftermath.is_abandoned:
        broken = " and ".join(timeline.names.sides[side] for side in _broken_sides(timeline))
        return f"{met}{broken} had nobody left to fight after {decided}; the attack was abandoned after {end}."
    pursuit = f"; the pursuit lasted until hour {aftermath.hours:,}" if aftermath.hours > battle.decided_hour else ""
    return f"{met}The battle was decided after {decided}{pursuit}."


@dataclass(frozen=True, slots=True)
class WorstHour:
    """The hour that cost the loser of a battle most."""

    hour: int
    text: str  # What happened then, without a full stop


def worst_hour(aftermath: Aftermath, timeline: Timeline) -> WorstHour | None:
    """Return the hour in which the loser's fighting men fell most, the first of equals, if none fights on (R-92)."""
    loser = 1 - aftermath.winner
    men = aftermath.losses[loser].men
    falls = []
    for hour, fighting in timeline.fighting.items():
        falls.append((hour, men, fighting[loser]))
        men = fighting[loser]
    if men or not aftermath.hours:
        return None
    hour, before, after = max(falls, key=lambda fall: fall[1] - fall[2])
    broken = [first for first in timeline.broken.values() if first.side == loser and first.hour == hour]
    what = f"{_breaking(broken, timeline)}; " if broken else ""
    fell = f"fell from {before:,} to {after:,}" if after else f"fell from {before:,} to none"
    return WorstHour(hour, f"{what}{possessive(timeline.names.sides[loser])} fighting men {fell}")


def chapters(war: WarInputs, aftermath: Aftermath, timeline: Timeline, tables: Tables) -> tuple[Chapter, ...]:
    """Return the decisive moments of a battle, as the account tells them; the arguments are those of `account`."""
    battle, names = timeline.battle, timeline.names
    strengths = " against ".join(counted(losses.men, "man", "men") for losses in aftermath.losses)
    place = on_one_line(war.location.name)
    found = [Chapter(0, "Begin", f"{place}: {names.sides[0]} attacks {names.sides[1]}, {strengths}.")]
    if battle.siege_begun:
        found.append(Chapter(battle.siege_begun, "Siege", "A siege begins."))
    if battle.first_contact_hour:
        found.append(Chapter(battle.first_contact_hour, "First blow", "The armies come to blows."))
    if worst := worst_hour(aftermath, timeline):
        found.append(Chapter(worst.hour, "Heaviest loss", f"{worst.text}."))
    if battle.decided_hour:
        broken = " and ".join(names.sides[side] for side in _broken_sides(timeline))
        found.append(Chapter(battle.decided_hour, "Decision", f"{broken} had nobody left to fight."))
    found.sort(key=lambda chapter: chapter.hour)
    end = _result(war, aftermath, names, is_at_sea(war, tables))
    return (*found, Chapter(aftermath.hours, "End", end))


def _broken_sides(timeline: Timeline) -> list[int]:
    """Return the sides that had nobody left to fight when the battle was decided (R-29)."""
    fighting = timeline.fighting[timeline.battle.decided_hour]
    return [side for side in (0, 1) if not fighting[side]]


def _breaking(broken: list[Happening], timeline: Timeline) -> str:
    """Return how the largest of the flanks that broke in an hour did so, and how many others broke."""
    largest = max(broken, key=lambda first: timeline.battle.men_start[first.flank])
    verb, preposition = WAYS_TO_BREAK[largest.kind]
    driver = f" {preposition} {_flank(timeline.names, largest.target)}" if largest.target >= 0 else ""
    others = {1: "", 2: ", and another flank broke"}.get(len(broken), f", and {len(broken) - 1} other flanks broke")
    return f"{_flank(timeline.names, largest.flank)} {verb}{driver}{others}"


def _flank(names: Names, number: int) -> str:
    """Return a flank's name, or its army's if the army has only one flank."""
    side = names.side_of[number]
    return names.flank_of(number) if names.side_of.count(side) > 1 else f"{possessive(names.sides[side])} army"
