"""The values written to the workbook: figures, database changes and end state of the flanks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from engine.autoalgo.aftermath.result import Aftermath, Stability, men_lost
from engine.autoalgo.battle.state import ATTACKER, STATUSES, Battle, Ground
from engine.autoalgo.inputs import SIDES, WarInputs
from engine.autoalgo.names import army_names, party_names, side_names, year_text
from engine.autoalgo.records import GENERIC, Nation
from engine.autoalgo.setup.army import apportion, armies_of, army_places, belligerent, nation_numbers
from engine.autoalgo.setup.deploy import pixels_of
from engine.columns import column, loosely
from engine.receipt import counted, on_one_line
from engine.ruleset import Plain, RowResult, Update

FLANKS = "Flanks"
"""Tab of the strategies, whose end columns a ruling fills in."""


DURATION = "Duration"
"""Column of the battle's time."""


def figures(war: WarInputs, aftermath: Aftermath) -> dict[str, Plain]:
    """Return the values of the request's result columns, by header."""
    return {
        "Winner": side_names(war)[aftermath.winner],
        "Occupation": aftermath.occupation.text(),
        "Attacker Losses": aftermath.losses[0].text() + _by_member(war, aftermath, 0),
        "Defender Losses": aftermath.losses[1].text() + _by_member(war, aftermath, 1),
        DURATION: counted(aftermath.fight, "hour"),
    }


def _by_member(war: WarInputs, aftermath: Aftermath, side: int) -> str:
    """Return the losses in men of each of several nations of a side: `; Norden 700 of 6,000, Rivan 34 of 1,000`."""
    own = [party for party in aftermath.parties if party.side == side]
    names = party_names(war)
    parts = [f"{names[party.number]} {party.losses.lost:,} of {party.losses.men:,}" for party in own]
    return f"; {', '.join(parts)}" if len(parts) > 1 else ""


def men_lost_by_member(member: str, figures: Mapping[str, Plain]) -> int | None:
    """Return the losses in men of one of several nations of a side, from the values of the result columns."""
    pattern = re.compile(rf"(?:\); |, ){re.escape(on_one_line(member))} ([0-9,]+) of ")
    cells = [pattern.search(str(figures.get(f"{side} Losses", ""))) for side in SIDES]
    return next((int(match[1].replace(",", "")) for match in cells if match), None)


def men_lost_by_side(figures: Mapping[str, Plain]) -> tuple[int, int] | None:
    """Return the losses in men of both sides, from the values of the result columns; None if a cell has no number."""
    attacker, defender = (men_lost(str(figures.get(f"{side} Losses", ""))) for side in SIDES)
    return None if attacker is None or defender is None else (attacker, defender)


def numbers(war: WarInputs, aftermath: Aftermath) -> dict[str, object]:
    """Return the battle's length, the occupation, and each side's losses and Stability as numbers."""
    occupation = aftermath.occupation
    return {
        "hours": aftermath.hours,
        "occupation": {"result": round(occupation.result, 2), "score": occupation.score, "band": occupation.band.name},
        **{SIDES[side].lower(): _side_numbers(war, aftermath, side) for side in (0, 1)},
    }


def _side_numbers(war: WarInputs, aftermath: Aftermath, side: int) -> dict[str, object]:
    army, stability = belligerent(war, side), aftermath.stability[side]
    members = {
        army_names(war, side)[place]: asdict(aftermath.by_army[number])
        for number, (of, place) in enumerate(army_places(war) if aftermath.by_army else ())
        if of == side
    }
    return {
        "nation": army.nation.name,
        "military": army.military.name,
        **asdict(aftermath.losses[side]),
        "stability": {"before": stability.before, "after": stability.after, "band": stability.band},
        **({"armies": members} if len(members) > 1 else {}),
    }


def updates(war: WarInputs, aftermath: Aftermath) -> Iterator[Update]:
    """Yield the database changes of the ruling: Stability, and Status of killed commanders (STAB-05, DB-13, LDR-11).

    A war without changes yields none; a generic nation has no row to change (DB-10).
    """
    if not war.commit_stability:
        return
    numbers, places = nation_numbers(war), army_places(war)
    armies = [armies_of(war, side)[place] for side, place in places]
    moves: dict[str, list[Stability]] = {}
    for party in aftermath.parties:
        moves.setdefault(armies[numbers.index(party.number)].nation.name, []).append(party.stability)
    for name, moved in moves.items():
        if name != GENERIC:
            yield Update("Nations", name, "Stability", moved[0].before, _moved(moved))
    killed = set()
    for number, army in enumerate(armies):
        commander = army.military_leader
        if commander is None or commander.name in killed:
            continue
        fates = aftermath.parties[numbers[number]].fates
        if any(fate.is_killed and fate.leader == commander.name for fate in fates):
            killed.add(commander.name)
            status = f"killed in {on_one_line(war.name)}, {year_text(war.year)}"
            yield Update("Leaders", commander.name, "Status", commander.status, status)
    yield from _taken_place(war, aftermath.winner)


def _taken_place(war: WarInputs, winner: int) -> Iterator[Update]:
    """Yield the new holder of the location: the winner, or the nation in For, if the loser held it (LOC-10)."""
    place, sides = war.location, [[army.nation.name for army in armies_of(war, of)] for of in (winner, 1 - winner)]
    owners = [name for name in sides[0] if loosely(name) == loosely(place.owner)]
    named = war.taken_for if winner == ATTACKER else ""
    taker = named or next(iter(owners), sides[0][0])
    if not place.owner or GENERIC in (taker, *sides[1]):
        return
    holder, owner = loosely(place.occupied_by or place.owner), loosely(place.owner)
    if holder in map(loosely, sides[1]) and holder != loosely(taker):
        after = None if loosely(taker) == owner else taker
        yield Update("Locations", place.name, "Occupied By", place.occupied_by, after)


def _moved(moves: Sequence[Stability]) -> float:
    """Return the Stability of a nation after a war; in a civil war the changes of both parties add up (R-133)."""
    if len(moves) == 1:
        return moves[0].after
    field = column(Nation, "stability")
    after = moves[0].before + sum(move.after - move.before for move in moves)
    return round(min(max(after, field.low or 0.0), field.high or 0.0), 1)


def flank_results(war: WarInputs, battle: Battle, ground: Ground) -> Iterator[RowResult]:
    """Yield the end columns of every flank with a row, the attacker's flanks first (STRAT-08)."""
    row = first = 0
    for side, place in sorted(army_places(war)):
        for flank in range(len(armies_of(war, side)[place].flanks)):
            yield RowResult(FLANKS, row, _end_columns(battle, ground, first + flank))
            row += 1
        first += int((battle.army == army_places(war).index((side, place))).sum())


def joined_results(results: Sequence[Mapping[str, Plain]]) -> Mapping[str, Plain]:
    """Return the end columns of a row for several flanks: sums, and the number of flanks by end (STRAT-13).

    They end in several places, so End X and End Y are blank.
    """
    if len(results) == 1:
        return results[0]
    joined: dict[str, Plain] = {}
    for header in results[0]:
        values = [result[header] for result in results]
        if header in ("End X", "End Y"):
            joined[header] = None
        elif header == "End Status":
            joined[header] = ", ".join(f"{number} {status}" for status, number in Counter(values).items())
        else:
            joined[header] = sum(int(value or 0) for value in values)
    return joined


def _end_columns(battle: Battle, ground: Ground, flank: int) -> dict[str, Plain]:
    shares = [float(share) for share in battle.share[flank]]
    infantry, cavalry, artillery = apportion(int(battle.men[flank]), shares)
    return {
        "End X": _pixels(float(battle.x_m[flank]), ground),
        "End Y": _pixels(float(battle.y_m[flank]), ground),
        "End Infantry": infantry,
        "End Cavalry": cavalry,
        "End Artillery": artillery,
        "End Ships": int(battle.ships[flank]),
        "End Morale": round(float(battle.morale[flank])),
        "End Status": STATUSES[battle.status[flank]],
    }


def _pixels(metres: float, ground: Ground) -> float:
    """Convert metres to pixels, to one decimal, within the range of typed coordinates (MAP-01)."""
    last = ground.codes.shape[0] - 1
    return round(min(max(pixels_of(metres, ground.metres), 0.0), float(last)), 1)
