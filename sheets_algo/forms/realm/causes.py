"""Causes for which an order of realms lapses, a case each (REQ-18)."""

from __future__ import annotations

from engine.realm.setup.records import DEAD, REMOVED, City, Realm, RealmLeader, RealmUnit
from sheets_algo.database.problems import CauseKind


def realm_out(realm: Realm) -> str:
    """Return a clause for a realm that is out of the game; blank if it is in play (RL-RUL-05)."""
    return "" if realm.in_play else f"{realm.name} is out of the game"


def leader_out(leader: RealmLeader) -> str:
    """Return the reason why a leader is out of the game, a clause; blank if he is in it (RL-OP-38)."""
    if leader.status not in (DEAD, REMOVED):
        return ""
    return f"{leader.name} is {'dead' if leader.status == DEAD else 'out of the game'}"


def unit_out(unit: RealmUnit) -> str:
    """Return a clause for a unit that is out of the game; blank if it is in it (RL-RND-06)."""
    return f"{unit.name} is gone: {unit.fate}" if unit.fate else ""


REALM_OUT = CauseKind(Realm, ("in_play",), lasts=True, gone=realm_out)
"""The realm that orders is out of the game."""
TARGET_REALM_OUT = CauseKind(Realm, ("in_play",), gone=realm_out)
"""The realm that agents are sent to went out of the game in the same turn."""
AGENTS_USED = CauseKind(Realm, ("agents_used",), is_used_up=True)
"""Orders above have sent the agents out."""
AGENTS_LOST = CauseKind(Realm, ("agents",))
"""Agents were killed during the turn; an order for more than its initial number is an error instead."""
AGENTS_BANNED = CauseKind(Realm, ("espionage_blocked_until",), lasts=True)
"""An event keeps the realm's agents at home."""
GOLD_SPENT = CauseKind(Realm, ("treasury",), is_used_up=True)
"""Orders above have spent the gold of the turn's beginning."""
LEADER_GONE = CauseKind(RealmLeader, ("status", "employer", "captor", "offer", "offered_to"), gone=leader_out)
"""The leader died, left, was freed or changed his employer in the same turn."""
LEADER_ASKED = CauseKind(RealmLeader, ("interrogated_by",), is_used_up=True)
"""An order above has interrogated the prisoner."""
UNIT_GONE = CauseKind(RealmUnit, ("owner", "offered_to", "fate"), gone=unit_out)
"""The unit was hired, or changed sides, in the same turn."""
CITY_TAKEN = CauseKind(City, ("owner",))
"""The city changed hands in the same turn."""

TURN_OF = CauseKind(Realm, ("last_turn",))
"""Not a cause: the cell that counts a realm's turns, whose last change says which rulings are of the turn."""
