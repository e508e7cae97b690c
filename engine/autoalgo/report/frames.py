"""The frames of a battle: every flank at the end of every hour, silent hours too."""

from __future__ import annotations

import numpy as np

from engine.autoalgo.battle import events as kinds
from engine.autoalgo.battle.events import KINDS
from engine.autoalgo.battle.state import LAND_TYPES, SHIP, STATUSES, Battle
from engine.autoalgo.fight.recorded import RecordedBattle
from engine.autoalgo.inputs import SIDES, WarInputs
from engine.autoalgo.names import Names
from engine.autoalgo.report.log_text import FORTUNE
from engine.autoalgo.setup.army import armies_of, army_places
from engine.recording import Actor, Blow, Chapter, Recording

ROUTINE = frozenset(
    KINDS[kind].name
    for kind in (kinds.ATTACK, kinds.CHARGE, kinds.HIGHER_GROUND, kinds.ATTRITION, kinds.DISEASE, kinds.PANIC)
)

FOLDED = frozenset({FORTUNE})


def recording(war: WarInputs, names: Names, fought: RecordedBattle, chapters: tuple[Chapter, ...]) -> Recording:
    """Return the frames of a finished battle."""
    frames, battle, metres = fought.frames, fought.battle, fought.stage.tunables.ground.metres
    blows: list[list[Blow]] = [[] for _ in frames.x_m]
    for event in fought.happened:
        if event.kind == kinds.ATTACK:
            blows[event.hour].append(Blow(event.flank, event.target, int(event.amount)))
    has_men = battle.men_start > 0
    morale = np.where(has_men, frames.morale / np.where(has_men, battle.morale_start, 1.0), 0.0)
    return Recording(
        actors=tuple(_actor(war, names, battle, flank) for flank in range(len(names.flanks))),
        x=(frames.x_m / metres).astype(np.float32),
        y=(frames.y_m / metres).astype(np.float32),
        men=frames.men.astype(np.int32),
        ships=np.where(fought.on_water > 0, frames.ships, -1).astype(np.int32),
        morale=morale.astype(np.float32),
        status=frames.status.astype(np.int8),
        target=frames.target.astype(np.int16),
        blows=tuple(map(tuple, blows)),
        statuses=STATUSES,
        routine=ROUTINE,
        folded=FOLDED,
        chapters=chapters,
    )


def _actor(war: WarInputs, names: Names, battle: Battle, flank: int) -> Actor:
    side = int(battle.side[flank])
    of, place = army_places(war)[battle.army[flank]]
    units = armies_of(war, of)[place].units
    shares = [float(share) for share in battle.share[flank]]
    types = [(unit.name, share) for unit, share in zip(units[:LAND_TYPES], shares, strict=True) if unit and share]
    if not types and (ship := units[SHIP]):
        types = [(ship.name, 1.0)]  # the crews
    return Actor(SIDES[side], names.flanks[flank], (names.flank(flank), names.flank_of(flank)), tuple(types))
