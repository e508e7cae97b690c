"""Causes for which an order of realms lapses, a case each (REQ-18); whatever else is wrong with it is to be mended."""

from __future__ import annotations

from engine.realm.setup.records import City, Realm, RealmLeader, RealmUnit
from sheets_algo.database.causes import CauseKind

REALM_OUT = CauseKind(Realm, ("in_play",), lasts=True)
"""The realm that orders is out of the game."""
TARGET_REALM_OUT = CauseKind(Realm, ("in_play",))
"""The realm that agents are sent to went out of the game in the same turn."""
AGENTS_USED = CauseKind(Realm, ("agents_used",), is_used_up=True)
"""Orders above have sent the agents out."""
AGENTS_LOST = CauseKind(Realm, ("agents",))
"""Agents were killed who were there when the turn began; asking for more than there were is to be mended."""
AGENTS_BANNED = CauseKind(Realm, ("espionage_blocked_until",), lasts=True)
"""An event keeps the realm's agents at home."""
GOLD_SPENT = CauseKind(Realm, ("treasury",), is_used_up=True)
"""Orders above have spent gold that was enough when the turn began."""
LEADER_GONE = CauseKind(RealmLeader, ("status", "employer", "captor", "offer", "offered_to"))
"""The leader died, left, was freed or went over to somebody else in the same turn."""
LEADER_ASKED = CauseKind(RealmLeader, ("interrogated_by",), is_used_up=True)
"""An order above has interrogated the prisoner."""
UNIT_GONE = CauseKind(RealmUnit, ("owner", "offered_to"))
"""The unit was hired, or changed sides, in the same turn."""
CITY_TAKEN = CauseKind(City, ("owner",))
"""The city changed hands in the same turn."""

TURN_OF = CauseKind(Realm, ("last_turn",))
"""Not a cause: the cell that counts a realm's turns, whose last change says which rulings are of the turn."""
