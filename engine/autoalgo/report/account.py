"""The account of a war: a headline and three sentences at the beginning of its receipt (RCPT-04)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.autoalgo.aftermath.inputs import is_at_sea
from engine.autoalgo.aftermath.result import Aftermath, Losses
from engine.autoalgo.battle import events as kinds
from engine.autoalgo.battle.events import Happening
from engine.autoalgo.battle.state import DEFENDER
from engine.autoalgo.fight.recorded import RecordedBattle
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.names import Names, possessive, verb_ending
from engine.autoalgo.setup.tables import Tables
from engine.receipt import counted, on_one_line
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


def account(
    war: WarInputs, aftermath: Aftermath, fought: RecordedBattle, names: Names, tables: Tables
) -> tuple[str, ...]:
    """Return the headline, the course of the battle, the loser's worst hour, and the losses."""
    worst = worst_hour(aftermath, fought, names)
    return (
        headline(war, aftermath, names, tables),
        _course(aftermath, fought, names),
        *_relief(war, aftermath, fought),
        *([f"Hour {worst.hour:,} cost the loser most: {worst.text}."] if worst else []),
        _cost(aftermath, names),
    )


def headline(war: WarInputs, aftermath: Aftermath, names: Names, tables: Tables) -> str:
    """Return the result and the fallen leaders in a sentence."""
    killed = dict.fromkeys(
        on_one_line(fate.leader) for party in aftermath.parties for fate in party.fates if fate.is_killed
    )
    fallen = f"; {' and '.join(killed)} {'is' if len(killed) == 1 else 'are'} killed" if killed else ""
    return f"{_result(war, aftermath, names, is_at_sea(war, tables))}{fallen}."


def _result(war: WarInputs, aftermath: Aftermath, names: Names, at_sea: bool) -> str:
    """Return the result of the war: nothing in the lowest band; at sea the winner holds the water (R-92)."""
    attacker, defender = names.sides
    place = f"{'the waters of ' if at_sea else ''}{on_one_line(war.location.name)}"
    if aftermath.winner == DEFENDER:
        beaten = f"{possessive(attacker)} attack is beaten off"
        how = f"{attacker} abandon{verb_ending(attacker)} the attack" if aftermath.is_abandoned else beaten
        return f"{defender} hold{verb_ending(defender)} {place}: {how}"
    if aftermath.occupation.band.first == 0 and not at_sea:
        return f"{attacker} win{verb_ending(attacker)} the battle, but cannot hold {place}"
    taken_for = f" for {on_one_line(war.taken_for)}" if war.taken_for else ""
    return f"{attacker} take{verb_ending(attacker)} {place}{taken_for}"


def _cost(aftermath: Aftermath, names: Names) -> str:
    first, second = map(_lost, aftermath.losses)
    return f"{names.sides[0]} {first}, {names.sides[1]} {second.removeprefix('lost ')}."


def _lost(losses: Losses) -> str:
    """Return a side's losses among its strength: `lost 1,128 of 7,500 men`, `lost all 60 men`, `had no men`."""
    if not losses.men:
        return "had no men"
    men = counted(losses.men, "man", "men")
    part = f"{losses.lost:,}" if losses.lost else "none"
    lost = f"all {men}" if losses.lost == losses.men > 1 else f"{part} of {men}"
    return f"lost {lost}" + (f" and {losses.sunk:,} of {counted(losses.ships, 'ship')}" if losses.sunk else "")


def _course(aftermath: Aftermath, fought: RecordedBattle, names: Names) -> str:
    """Return the course of the battle: siege, first blow, decision, pursuit (R-29)."""
    battle = fought.battle
    if not aftermath.losses[DEFENDER].men:
        return "Nobody defended the place, so it is occupied without a battle."
    if not aftermath.hours:
        return "The battle was decided before its first hour."
    met = f"the armies met in hour {battle.first_contact_hour:,}" if battle.first_contact_hour else NO_BLOWS
    siege = f"a siege began in hour {battle.siege_begun:,}, and " if battle.siege_begun else ""
    begun = f"{siege}{met}"
    return f"{begun[0].upper()}{begun[1:]}; {_decision(aftermath, fought, names)}."


def _relief(war: WarInputs, aftermath: Aftermath, fought: RecordedBattle) -> Iterator[str]:
    """Yield what became of the typed relief of a siege (WAR-19, R-100)."""
    if not war.relief or not war.relief.men or not fought.battle.siege_begun:
        return
    men = f"{counted(war.relief.men, 'man', 'men')}, expected on day {war.relief.day:,} of the siege,"
    fallen = [event for event in fought.happened if event.kind == kinds.RELIEF_FELL]
    if not fallen:
        end = "was not needed" if aftermath.winner == DEFENDER else "came too late"
    else:
        is_in_time = aftermath.winner == DEFENDER and fallen[0].hour == aftermath.hours
        lost = counted(fallen[0].amount, "man", "men") if fallen[0].amount else "nobody"
        end = f"{'came in time' if is_in_time else 'was beaten'} and lost {lost}"
    yield f"A relief of {men} {end}."


NO_BLOWS = "the armies never came to blows"


def _decision(aftermath: Aftermath, fought: RecordedBattle, names: Names) -> str:
    """Return the end of a side's resistance, as a clause, and its sequel (R-29)."""
    end = counted(aftermath.hours, "hour")
    decided = fought.battle.decided_hour
    if not decided:
        given_up = "the siege was lifted" if fought.battle.siege_begun else "the attack was abandoned"
        return f"neither broke, and after {end} {given_up}"
    broken = " and ".join(names.sides[side] for side in _broken_sides(fought))
    begun = f"{broken} had nobody left to fight after {counted(decided, 'hour')}"
    if aftermath.is_abandoned:
        return f"{begun}, and the attack was abandoned after {end}"
    return f"{begun}, and the pursuit lasted until hour {aftermath.hours:,}" if aftermath.hours > decided else begun


@dataclass(frozen=True, slots=True)
class WorstHour:
    """The hour with the loser's heaviest loss of fighting men."""

    hour: int
    text: str  # The event of that hour, without a full stop


def worst_hour(aftermath: Aftermath, fought: RecordedBattle, names: Names) -> WorstHour | None:
    """Return the hour with the greatest fall in the loser's fighting men, the first of equals, if any (R-92)."""
    loser = 1 - aftermath.winner
    men = aftermath.losses[loser].men
    falls = []
    for hour in dict.fromkeys(event.hour for event in fought.happened):
        fighting = fought.fighting_men(hour)[loser]
        falls.append((hour, men, fighting))
        men = fighting
    if men or not aftermath.hours:
        return None
    hour, before, after = max(falls, key=lambda fall: fall[1] - fall[2])
    broken: dict[int, Happening] = {}  # flank to the event that ended its fight
    for event in fought.happened:
        if event.kind in WAYS_TO_BREAK:
            broken.setdefault(event.flank, event)
    then = [first for first in broken.values() if first.side == loser and first.hour == hour]
    what = f"{_breaking(then, fought, names)}; " if then else ""
    fell = f"fell from {before:,} to {after:,}" if after else f"fell from {before:,} to none"
    return WorstHour(hour, f"{what}{possessive(names.sides[loser])} fighting men {fell}")


def chapters(
    war: WarInputs, aftermath: Aftermath, fought: RecordedBattle, names: Names, tables: Tables
) -> tuple[Chapter, ...]:
    """Return the decisive moments of a battle, for the account; the arguments are those of `account`."""
    battle = fought.battle
    strengths = " against ".join(counted(losses.men, "man", "men") for losses in aftermath.losses)
    place = on_one_line(war.location.name)
    attacker, defender = names.sides
    begun = f"{place}: {attacker} attack{verb_ending(attacker)} {defender}, {strengths}."
    moments = [Chapter(0, "Begin", begun)]
    if battle.siege_begun:
        moments.append(Chapter(battle.siege_begun, "Siege", "A siege begins."))
    if battle.first_contact_hour:
        moments.append(Chapter(battle.first_contact_hour, "First blow", "The armies come to blows."))
    if worst := worst_hour(aftermath, fought, names):
        moments.append(Chapter(worst.hour, "Heaviest loss", f"{worst.text}."))
    if battle.decided_hour:
        broken = " and ".join(names.sides[side] for side in _broken_sides(fought))
        moments.append(Chapter(battle.decided_hour, "Decision", f"{broken} had nobody left to fight."))
    moments.sort(key=lambda chapter: chapter.hour)
    return (*moments, Chapter(aftermath.hours, "End", headline(war, aftermath, names, tables)))


def _broken_sides(fought: RecordedBattle) -> list[int]:
    """Return the sides without a fighting flank at the decision (R-29)."""
    fighting = fought.fighting_men(fought.battle.decided_hour)
    return [side for side in (0, 1) if not fighting[side]]


def _breaking(broken: list[Happening], fought: RecordedBattle, names: Names) -> str:
    """Return the collapse of the largest flank that broke in an hour, and the number of others."""
    largest = max(broken, key=lambda first: fought.battle.men_start[first.flank])
    verb, preposition = WAYS_TO_BREAK[largest.kind]
    driver = f" {preposition} {_flank(names, largest.target)}" if largest.target >= 0 else ""
    others = {1: "", 2: ", and another flank broke"}.get(len(broken), f", and {len(broken) - 1} other flanks broke")
    return f"{_flank(names, largest.flank)} {verb}{driver}{others}"


def _flank(names: Names, number: int) -> str:
    """Return a flank's name, or its army's if the army has only one flank."""
    side = names.side_of[number]
    return names.flank_of(number) if names.side_of.count(side) > 1 else f"{possessive(names.sides[side])} army"
