"""The values that a ruling writes to the workbook: figures, database changes and end state of the flanks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from engine.autoalgo.aftermath.result import Aftermath, men_lost
from engine.autoalgo.battle.state import STATUSES, Battle, Ground
from engine.autoalgo.inputs import SIDES, WarInputs
from engine.autoalgo.names import counted, side_names, year_text
from engine.autoalgo.records import GENERIC
from engine.autoalgo.setup.army import apportion, belligerent
from engine.autoalgo.setup.deploy import pixels_of
from engine.columns import loosely
from engine.receipt import on_one_line
from engine.ruleset import Plain, RowResult, Update

FLANKS = "Flanks"
"""Tab of the strategies, whose end columns a ruling fills in."""


DURATION = "Duration"
"""Column of the battle's time."""


def figures(war: WarInputs, aftermath: Aftermath) -> dict[str, Plain]:
    """Return the values of the request's result columns, by header."""
    return {
        "Winner": side_names(war)[aftermath.winner],
        "Occupation": aftermath.taken,
        "Attacker Losses": aftermath.losses[0].text(),
        "Defender Losses": aftermath.losses[1].text(),
        DURATION: counted(aftermath.hours, "hour"),
    }


def men_lost_by_side(figures: Mapping[str, Plain]) -> tuple[int, int] | None:
    """Return the men that both sides lost, from the values of the result columns; None if a cell has no number."""
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
    return {
        "nation": army.nation.name,
        "military": army.military.name,
        **asdict(aftermath.losses[side]),
        "stability": {"before": stability.before, "after": stability.after, "band": stability.band},
    }


def updates(war: WarInputs, aftermath: Aftermath) -> Iterator[Update]:
    """Yield the database changes of the ruling: Stability, and Status of killed commanders (STAB-05, DB-13, LDR-11).

    A war that shall change nothing yields none; a generic nation has no row to change (DB-10).
    """
    if not war.commit_stability:
        return
    for side in (0, 1):
        nation = belligerent(war, side).nation
        if nation.name != GENERIC:
            yield Update("Nations", nation.name, "Stability", nation.stability, aftermath.stability[side].after)
    killed = set()
    for side in (0, 1):
        commander = belligerent(war, side).military_leader
        if commander is None or commander.name in killed:
            continue
        if any(fate.is_killed and fate.leader == commander.name for fate in aftermath.fates[side]):
            killed.add(commander.name)
            status = f"killed in {on_one_line(war.name)}, {year_text(war.year)}"
            yield Update("Leaders", commander.name, "Status", commander.status, status)
    yield from _taken_place(war, aftermath.winner)


def _taken_place(war: WarInputs, winner: int) -> Iterator[Update]:
    """Yield who holds the location after the battle: the winner, if the loser held it (LOC-10)."""
    place, names = war.location, [belligerent(war, side).nation.name for side in (winner, 1 - winner)]
    if not place.owner or GENERIC in names:
        return
    holder, owner = loosely(place.occupied_by or place.owner), loosely(place.owner)
    if holder == loosely(names[1]) and holder != loosely(names[0]):
        after = None if loosely(names[0]) == owner else names[0]
        yield Update("Locations", place.name, "Occupied By", place.occupied_by, after)


def flank_results(war: WarInputs, battle: Battle, ground: Ground) -> Iterator[RowResult]:
    """Yield the end columns of every flank that has a row, the attacker's flanks first (STRAT-08)."""
    row = 0
    for side in (0, 1):
        first = int((battle.side < side).sum())
        for place in range(len(belligerent(war, side).flanks)):
            yield RowResult(FLANKS, row, _end_columns(battle, ground, first + place))
            row += 1


def joined_results(results: Sequence[Mapping[str, Plain]]) -> Mapping[str, Plain]:
    """Return the end columns of a row that stands for several flanks: sums, and how many ended how (STRAT-13).

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
    """Convert metres to pixels, to one decimal, within the coordinates that may be typed (MAP-01)."""
    last = ground.codes.shape[0] - 1
    return round(min(max(pixels_of(metres, ground.metres), 0.0), float(last)), 1)
