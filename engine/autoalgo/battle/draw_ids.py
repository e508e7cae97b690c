"""Ids of the purposes of random draws (R-25), hashed by `engine.rng`.

An id is never changed or reused: otherwise past battles could not be repeated. The battle uses ids 0 to 63, the
aftermath 64 and up. The docstring of a purpose with several consecutive ids says so.
"""

from __future__ import annotations

FORTUNE_SIDE = 0
"""Fortune of the day of a side (R-28); hour 0, index = side."""
FORTUNE_FLANK = 1
"""Fortune of the day of a flank (R-28); hour 0, index = flank."""
CHARGE = 2
"""Choice between charge and attack (DEC-06)."""
MOVE_ORDER = 3
"""Rank in the order of moves (R-12)."""
JITTER_X = 4
"""Scatter of a move in x (MOVE-06)."""
JITTER_Y = 5
"""Scatter of a move in y (MOVE-06)."""
ATTACK_ORDER = 6
"""Rank in the order of attacks (R-12)."""
ATTACK = 7
"""Dice of an attack (ATK-04, ATK-05, R-28); four ids, one per unit type."""
KILLED_WHOLE = 11
"""Rounding of the killed (R-26); index = attacking flank."""
SUPPLY_CUT = 12
"""Success of a supply cut (SUP-01)."""
ATTRITION = 13
"""Severity of natural attrition (ATT-05)."""
ATTRITION_WHOLE = 14
"""Rounding of the men dead of attrition (R-26)."""
OUTBREAK = 15
"""Outbreak of a disease (DIS-02); two ids, the attacker's disease and the defender's; index = exposed side."""
DISEASE = 17
"""Severity of an outbreak (DIS-03); two ids, likewise; index = exposed side."""
DISEASE_WHOLE = 19
"""Rounding of the men dead of disease (R-26); two ids, likewise; index = flank."""

FORTUNE_PANIC = 21
"""Fortune of the day of a side on the demoralised (R-28); hour 0, index = side."""

SIEGE_MIND = 22
"""Acts of a side on a day of a siege (R-100); index = side."""
SIEGE_FIGHT = 23
"""Success of a storm, and of a sally (R-100); index = the attacking side."""

AMBUSH_FOUND = 24
"""Discovery of a side's ambush (R-118); hour 1, index = side."""

HOURLY, RARE = CHARGE, DISEASE
"""First ids of the draws of every hour, and of those that only hour 1, an outbreak or a day of a siege needs."""
BATTLE_PURPOSES = 25
"""Number of rows of an hour's block of draws."""

OCCUPATION_ATTRITION = 64
"""Severity of attrition in an occupation round (OCC-05); hour = round."""
OCCUPATION_OUTBREAK = 65
"""Outbreak of the loser's disease in an occupation round (OCC-06); hour = round."""
OCCUPATION_SEVERITY = 66
"""Severity of that outbreak (OCC-06); hour = round."""
LEADER_DANGER = 67
"""Dice in the formula of a military leader's chance (LEAD-10); index = side."""
LEADER_SURVIVAL = 68
"""Survival of the military leader (LEAD-10, R-08); index = side."""
STABILITY = 69
"""Dice of a nation's new Stability (STAB-04); index = side."""
