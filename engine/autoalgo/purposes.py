"""What each draw of an autoalgo ruling is for (R-25): the numbers that `engine.luck` hashes.

A purpose is never renumbered and never reused, or every battle already ruled would come out differently. The battle has
0 to 63, what follows it 64 and up. Purposes with several numbers in a row say so.
"""

from __future__ import annotations

FORTUNE_SIDE = 0
"""Fortune of the day of a side (R-28): hour 0, index = side."""
FORTUNE_FLANK = 1
"""Fortune of the day of a flank (R-28): hour 0, index = flank."""
CHARGE = 2
"""Charge or attack (DEC-06)."""
MOVE_ORDER = 3
"""Rank among the movers of the hour (R-12)."""
JITTER_X = 4
"""Scatter of a move (MOVE-06)."""
JITTER_Y = 5
"""Scatter of a move (MOVE-06)."""
ATTACK_ORDER = 6
"""Rank among the attackers of the hour (R-12)."""
ATTACK = 7
"""Four numbers, one a unit type: the dice of an attack (ATK-04, ATK-05, R-28)."""
KILLED_WHOLE = 11
"""Rounding of the killed (R-26), index = the attacking flank."""
SUPPLY_CUT = 12
"""Whether a pillaging flank cuts a supply (SUP-01)."""
ATTRITION = 13
"""Severity of natural attrition (ATT-05)."""
ATTRITION_WHOLE = 14
"""Rounding of the dead of attrition (R-26)."""
OUTBREAK = 15
"""Two numbers, the attacker's disease and the defender's: whether it breaks out (DIS-02), index = the exposed side."""
DISEASE = 17
"""Two numbers, likewise: its severity (DIS-03), index = the exposed side."""
DISEASE_WHOLE = 19
"""Two numbers, likewise: rounding of its dead (R-26), index = flank."""

FORTUNE_PANIC = 21
"""Fortune of the day on the men whom a side shakes (R-28): hour 0, index = side."""

BATTLE_PURPOSES = 22
"""How many rows an hour's block of draws has."""

OCCUPATION_ATTRITION = 64
"""Severity of attrition in an occupation round (OCC-05); hour = round."""
OCCUPATION_OUTBREAK = 65
"""Whether the loser's disease breaks out in an occupation round (OCC-06); hour = round."""
OCCUPATION_SEVERITY = 66
"""What that outbreak costs (OCC-06); hour = round."""
LEADER_DANGER = 67
"""The dice within a military leader's chance (LEAD-10), index = side."""
LEADER_SURVIVAL = 68
"""Whether he lives (LEAD-10, R-08), index = side."""
STABILITY = 69
"""The dice of a nation's new stability (STAB-04), index = side."""
