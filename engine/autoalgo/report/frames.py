"""The frames of a battle: every flank at the end of every hour, silent hours too."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.autoalgo.battle import events as kinds
from engine.autoalgo.battle.events import KINDS, Events, happenings
from engine.autoalgo.battle.flank import ground_at
from engine.autoalgo.battle.state import LAND_TYPES, SHIP, STATUSES, Battle, Ground, Orders
from engine.autoalgo.inputs import SIDES, WarInputs
from engine.autoalgo.names import Names
from engine.autoalgo.report.log_text import FORTUNE
from engine.autoalgo.setup.army import armies_of, army_places
from engine.recording import Actor, Blow, Chapter, Recording

ROUTINE = frozenset(
    KINDS[kind][0]
    for kind in (kinds.ATTACK, kinds.CHARGE, kinds.HIGHER_GROUND, kinds.ATTRITION, kinds.DISEASE, kinds.PANIC)
)

FOLDED = frozenset({FORTUNE})


class FrameRecorder:
    """Keeps the state of all flanks hour by hour while a battle is fought."""

    def __init__(self, battle: Battle, ground: Ground) -> None:
        self._battle, self._ground = battle, ground
        self._frames: list[tuple[NDArray[Any], ...]] = []
        self._blows: list[tuple[Blow, ...]] = []

    def add_hour(self, events: Events, orders: Orders) -> None:
        """Keep the hour that has just been fought, or the state before the first."""
        battle, metres = self._battle, self._ground.metres
        places = zip(battle.x_m, battle.y_m, strict=True)
        on_water = [self._ground.is_water[ground_at(self._ground, x, y)] for x, y in places]
        morale = np.divide(battle.morale, battle.morale_start, out=np.zeros(len(on_water)), where=battle.men_start > 0)
        self._frames.append(
            (
                (battle.x_m / metres).astype(np.float32),
                (battle.y_m / metres).astype(np.float32),
                battle.men.astype(np.int32),
                np.where(on_water, battle.ships, -1).astype(np.int32),
                morale.astype(np.float32),
                battle.status.astype(np.int8),
                orders.target.astype(np.int16),
            )
        )
        self._blows.append(
            tuple(
                Blow(happening.flank, happening.target, int(happening.amount))
                for happening in happenings(events)
                if happening.kind == kinds.ATTACK
            )
        )

    def recording(self, war: WarInputs, names: Names, chapters: tuple[Chapter, ...]) -> Recording:
        """Return the frames of the battle, which is over."""
        x, y, men, ships, morale, status, target = (np.stack(column) for column in zip(*self._frames, strict=True))
        return Recording(
            actors=tuple(self._actor(war, names, flank) for flank in range(len(names.flanks))),
            x=x,
            y=y,
            men=men,
            ships=ships,
            morale=morale,
            status=status,
            target=target,
            blows=tuple(self._blows),
            statuses=STATUSES,
            routine=ROUTINE,
            folded=FOLDED,
            chapters=chapters,
        )

    def _actor(self, war: WarInputs, names: Names, flank: int) -> Actor:
        side = int(self._battle.side[flank])
        of, place = army_places(war)[self._battle.army[flank]]
        units = armies_of(war, of)[place].units
        shares = [float(share) for share in self._battle.share[flank]]
        types = [(unit.name, share) for unit, share in zip(units[:LAND_TYPES], shares, strict=True) if unit and share]
        if not types and (ship := units[SHIP]):
            types = [(ship.name, 1.0)]  # the crews
        return Actor(SIDES[side], names.flanks[flank], (names.flank(flank), names.flank_of(flank)), tuple(types))
