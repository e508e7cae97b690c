"""Purposes of random draws. A number is never changed or reused, so that old rulings can be replayed."""

SHOT = 0
"""One shot of a fire (HX-LOS-4); hour: number of the fire, index: number of the shot."""

SABOTAGE = 1
EVADE = 2
RUGGED = 3
INITIATIVE = 4
"""Initiative die (HX-INI-10); index: 0 attacker, 1 defender."""

SUPPRESSION = 5
PRESTIGE = 6
BLOW = 7
CRITICAL = 8
"""One die each (HX-SAB-5, HX-EVA-4, HX-RUG-6, HX-BOM-5, HX-STR-1, HX-STR-4, HX-CRI-5)."""
