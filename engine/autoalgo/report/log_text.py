"""Events of the timeline before and after the battle: opening, ending, leaders, occupation, stability (LOG-03)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from engine.autoalgo.aftermath import decided
from engine.autoalgo.aftermath.occupation import OccupationState
from engine.autoalgo.aftermath.result import LeaderFate
from engine.autoalgo.battle.draw_names import FixedDraw
from engine.autoalgo.battle.state import STATUSES, Battle, Ground
from engine.autoalgo.inputs import SIDES, WarInputs
from engine.autoalgo.names import Names, party_names, possessive, verb_ending, year_text
from engine.autoalgo.report.aftermath_terms import AftermathTerms
from engine.autoalgo.report.battle_terms import BattleTerms
from engine.autoalgo.setup.army import armies_of, army_places
from engine.autoalgo.setup.deploy import pixels_of
from engine.receipt import counted, on_one_line
from engine.ruleset import Event

BATTLE_BEGINS = "battle begins"
BATTLE_ENDS = "battle ends"
COURSE = "course of the battle"
FORTUNE = "fortune"
FLANK_ENDS = "flank at the end"
CASUALTIES = "casualties"
LEADER_SURVIVES = "leader survives"
LEADER_KILLED = "leader killed"
OCCUPATION_BEGINS = "occupation begins"
OCCUPATION_ROUND = "occupation round"
OCCUPATION_ATTRITION = "natural attrition"
OCCUPATION_DISEASE = "disease outbreak"
OCCUPATION_ENDS = "occupation ends"
STABILITY = "stability"
DECIDED = ", as the moderator decided"


def opening(war: WarInputs, battle: Battle, terms: BattleTerms, names: Names) -> Iterator[Event]:
    """Yield the events of the opening: the two armies, and the fortunes of the day, except neutral ones (R-28)."""
    before = tuple(terms.opening())
    men = [counted(int(battle.men_start[battle.side == side].sum()), "man", "men") for side in (0, 1)]
    attack = f"attack{verb_ending(names.sides[0])}"
    text = f"{names.sides[0]} with {men[0]} {attack} {names.sides[1]} with {men[1]}: {place_and_year(war)}"
    yield Event(0, "", "", BATTLE_BEGINS, None, "FLK-05", text, lambda: before)
    for fortunes, says in (
        (battle.fortune_side, "the blows of {} count {:.2f} times today"),
        (battle.fortune_panic, "{} shake{s} {:.2f} times as many men as usual today"),
    ):
        for side, name in enumerate(names.sides):
            if (fortune := float(fortunes[side])) != 1.0:
                text = says.format(name, fortune, s=verb_ending(name))
                yield Event(0, SIDES[side], "", FORTUNE, fortune, "R-28", text)
    for flank, label in enumerate(names.flanks):
        if (fortune := float(battle.fortune_flank[flank])) == 1.0:
            continue
        text = f"the blows of {names.flank_of(flank)} count {fortune:.2f} times that"
        yield Event(0, SIDES[names.side_of[flank]], label, FORTUNE, fortune, "R-28", text)


def ending(battle: Battle, ground: Ground, terms: AftermathTerms, names: Names) -> Iterator[Event]:
    """Yield the events of the battle's end: winner, course, and final state of every flank (STRAT-08)."""
    aftermath = terms.aftermath
    winner = names.sides[aftermath.winner]
    wins = f"{winner} win{verb_ending(winner)}"
    length = counted(aftermath.hours, "hour")
    if aftermath.is_abandoned:
        text, rule = f"the attack is abandoned after {length}; {wins}", "R-13"
    else:
        says = DECIDED if aftermath.decisions.of(decided.WINNER) is not None else ""
        text, rule = f"{wins} after {length}{says}", "FLK-06"
    yield Event(aftermath.hours, SIDES[aftermath.winner], "", BATTLE_ENDS, aftermath.hours, rule, text, terms.duration)
    yield Event(aftermath.hours, "", "", COURSE, None, "R-29", _course(battle, names))
    for flank, label in enumerate(names.flanks):
        yield Event(
            aftermath.hours,
            SIDES[names.side_of[flank]],
            label,
            FLANK_ENDS,
            int(battle.men[flank]),
            "STRAT-08",
            f"{names.flank(flank)} {_state(battle, ground, flank)}",
            flanks=(flank, -1),
        )


def casualties(terms: AftermathTerms, names: Names) -> Iterator[Event]:
    """Yield the fates of each side's men who were hit (R-125)."""
    aftermath = terms.aftermath
    for side, losses in enumerate(aftermath.losses):
        if losses.casualties and terms.inputs.constants.r_125.applies:
            says = DECIDED if any(aftermath.decisions.of(loss, side) is not None for loss in decided.LOSSES) else ""
            text = f"of {names.sides[side]}, {losses.items()}{says}"
            why = partial(terms.casualties, side)
            yield Event(aftermath.hours, SIDES[side], "", CASUALTIES, losses.casualties, "R-125", text, why)


def leaders(terms: AftermathTerms, names: Names) -> Iterator[Event]:
    """Yield the fates of the military leaders (LEAD-10)."""
    aftermath, places = terms.aftermath, army_places(terms.war)
    fates = {fate.leader: (party, fate) for party in aftermath.parties for fate in party.fates}
    for army, (side, place) in enumerate(places):
        commander = armies_of(terms.war, side)[place].military_leader
        if commander is None or commander.name not in fates:
            continue
        party, fate = fates.pop(commander.name)
        event = _fate(fate, side, party_names(terms.war)[party.number], aftermath.hours)
        says = DECIDED if army < 2 and aftermath.decisions.of(decided.LEADER, army) is not None else ""
        yield replace(event, text=event.text + says, calculations=partial(terms.survival, army))


def occupation(terms: AftermathTerms, names: Names) -> Iterator[Event]:
    """Yield the events of the occupation (OCC-01 to OCC-08); a round counts as an hour after the battle (R-78)."""
    occupation, winner, hours = terms.aftermath.occupation, terms.aftermath.winner, terms.aftermath.hours
    name, start, end = names.sides[winner], occupation.history[0], occupation.history[-1]
    text = (
        f"{name} begin{verb_ending(name)} to occupy by its {occupation.type_name}: score {start.score:.3f}, "
        f"Efficiency {start.efficiency:.3f}, Limitation {occupation.limitation:.3f}, morale {start.morale:,.0f}"
    )
    yield Event(hours, SIDES[winner], "", OCCUPATION_BEGINS, start.score, "OCC-01", text, terms.occupation_begins)
    for number, (before, after) in enumerate(zip(occupation.history, occupation.history[1:], strict=False), start=1):
        yield from _round(number, before, after, SIDES[winner], terms, name)
    bonus = "" if occupation.score == end.score else f", {occupation.score:.3f} with its national leader's Attack"
    result = f"result {occupation.result:.2f}, {occupation.band.name}"
    text = f"the occupation by {name} ends: score {end.score:.3f}{bonus}, {result}"
    if terms.aftermath.decisions.of(decided.OCCUPATION) is not None:
        text = f"the occupation by {name} ends: {result}{DECIDED}"
    hour = hours + occupation.rounds
    yield Event(hour, SIDES[winner], "", OCCUPATION_ENDS, occupation.result, "OCC-08", text, terms.occupation_ends)


def stability(terms: AftermathTerms, names: Names) -> Iterator[Event]:
    """Yield the change of the Stability of every nation (STAB-04, R-131)."""
    aftermath = terms.aftermath
    hour = aftermath.hours + aftermath.occupation.rounds
    for party, name in zip(aftermath.parties, party_names(terms.war), strict=True):
        text = f"{possessive(name)} Stability {party.stability.text()}"
        text += DECIDED if terms.is_decided(party.number) else ""
        why = partial(terms.stability, party.number)
        yield Event(hour, SIDES[party.side], "", STABILITY, party.stability.after, "STAB-04", text, why)


def set_draws(draws: Iterable[FixedDraw], hour: int, names: Names) -> Iterator[Event]:
    """Yield an event for each draw of an hour set by a moderator (OVR-11)."""
    for draw in draws:
        place, fixed = draw.place, draw.decided
        flank = names.flanks[place.flank] if place.flank >= 0 else ""
        text = f"the moderator sets {on_one_line(fixed.what)} to {fixed.value:g}{fixed.says}"
        flanks = (place.flank, -1) if place.flank >= 0 else ()
        yield Event(hour, SIDES[place.side], flank, "decision", fixed.value, "OVR-11", text, flanks=flanks)


def place_and_year(war: WarInputs) -> str:
    """Return place and year of the war: `Southeast England, 1066`."""
    return f"{on_one_line(war.location.name)}, {year_text(war.year)}"


def _course(battle: Battle, names: Names) -> str:
    """Return the course of the battle: first contact, decision, losses before and after the decision (R-29)."""
    if not battle.first_contact_hour:
        return "the two sides never came to blows"
    contact = f"first contact in hour {battle.first_contact_hour}"
    if not battle.decided_hour:
        return f"{contact}, never decided"
    lost = battle.killed + battle.died + battle.diseased + battle.captured
    losses = []
    for side, name in enumerate(names.sides):
        before = int(battle.lost_before[battle.side == side].sum())
        after = int(lost[battle.side == side].sum()) - before
        losses.append(f"{name} lost {before:,} before and {after:,} after that")
    return f"{contact}, decided in hour {battle.decided_hour}; {', '.join(losses)}"


def _state(battle: Battle, ground: Ground, flank: int) -> str:
    x, y = (pixels_of(float(metres[flank]), ground.metres) for metres in (battle.x_m, battle.y_m))
    men = f"{battle.men[flank]:,} of {counted(int(battle.men_start[flank]), 'man', 'men')}"
    ships = f", {battle.ships[flank]:,} of {counted(int(battle.ships_start[flank]), 'ship')}"
    start = float(battle.morale_start[flank])
    morale = f"{float(battle.morale[flank]) / start:.0%}" if start > 0 else "none"
    status = STATUSES[battle.status[flank]]
    return f"stands at ({x:.1f}, {y:.1f}), {status}: {men}{ships if battle.ships_start[flank] else ''}, morale {morale}"


def _fate(fate: LeaderFate, side: int, nation: str, hour: int) -> Event:
    leader = f"{on_one_line(fate.leader)}, {fate.role.lower()} of {nation},"
    text = f"{leader} {'is killed' if fate.is_killed else 'survives'}, at a chance to survive of {fate.chance:.0%}"
    kind = LEADER_KILLED if fate.is_killed else LEADER_SURVIVES
    return Event(hour, SIDES[side], "", kind, None, "LEAD-10", text)


def _round(
    number: int, before: OccupationState, after: OccupationState, side: str, terms: AftermathTerms, name: str
) -> Iterator[Event]:
    hour = terms.aftermath.hours + number
    growth = after.score - before.score
    text = (
        f"{possessive(name)} occupation score grows by {growth:.3f} to {after.score:.3f} in round {number}; "
        f"Efficiency falls to {after.efficiency:.3f}, morale to {after.morale:,.0f}"
    )
    yield Event(hour, side, "", OCCUPATION_ROUND, growth, "OCC-03", text, partial(terms.occupation_round, number))
    for points, kind, rule, what, why in (
        (after.exhausted, OCCUPATION_ATTRITION, "OCC-05", "hunger and hardship cost", terms.occupation_hunger),
        (after.sickened, OCCUPATION_DISEASE, "OCC-06", "an outbreak of disease costs", terms.occupation_disease),
    ):
        if points > 0:
            text = f"{what} the occupiers {points:,.0f} points of morale"
            yield Event(hour, side, "", kind, points, rule, text, partial(why, number))
