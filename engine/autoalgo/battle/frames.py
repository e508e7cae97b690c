"""The state of all flanks hour by hour, as arrays (LOG-03), for pictures, replays and accounts."""

from __future__ import annotations

from typing import NamedTuple

from engine.autoalgo.battle.state import Battle, Orders, Real, Whole, blank


class Frames(NamedTuple):
    """The flanks of a battle before its first hour and after each; only the first `used[0]` rows are valid.

    Without rows nothing is recorded.
    """

    used: Whole  # Number of frames, shape (1,)
    x_m: Real  # Metres from the west edge, shape (rows, n)
    y_m: Real  # Metres from the north edge, shape (rows, n)
    men: Whole  # Men present, shape (rows, n)
    ships: Whole  # Ships afloat, shape (rows, n)
    morale: Real  # Points of morale, shape (rows, n)
    status: Whole  # Code in `STATUSES`, shape (rows, n)
    target: Whole  # Enemy flank sought at the decision of the hour, -1 = none, shape (rows, n)


def blank_frames(rows: int, flanks: int) -> Frames:
    """Return blank frames for a number of hours."""
    return blank(Frames, (rows, flanks), used=1)


def note_frame(frames: Frames, battle: Battle, orders: Orders) -> None:
    """Append the present state of all flanks, if frames are wanted."""
    if frames.target.shape[0] == 0:
        return
    row = frames.used[0]
    for flank in range(battle.side.shape[0]):
        frames.x_m[row, flank] = battle.x_m[flank]
        frames.y_m[row, flank] = battle.y_m[flank]
        frames.men[row, flank] = battle.men[flank]
        frames.ships[row, flank] = battle.ships[flank]
        frames.morale[row, flank] = battle.morale[flank]
        frames.status[row, flank] = battle.status[flank]
        frames.target[row, flank] = orders.target[flank]
    frames.used[0] = row + 1
