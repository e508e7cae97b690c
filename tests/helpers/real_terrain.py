"""The legend and the maps of the program, for tests that need real terrain."""

from __future__ import annotations

import json
from pathlib import Path

from engine.terrain import Feature

ROOT = Path(__file__).resolve().parent.parent.parent
MAPS = ROOT / "maps"

LEGEND = tuple(
    Feature(entry["name"], tuple(entry["rgb"]), entry["speed"], entry["Efficiency"], entry["Limitation"])
    for entry in json.loads((ROOT / "config/tables/autoalgo/terrain.json").read_text("utf-8"))["legend"]
)
STRATEGY = json.loads((ROOT / "config/tables/autoalgo/strategy.json").read_text("utf-8"))
"""Scale and default places."""

NAMED = (
    "Plain",
    "Hill",
    "Hillcountry",
    "Mountain Pass",
    "Mountain",
    "Sea",
    "Normal Coast",
    "Hard Coast",
    "Normal River",
    "Channel",
    "River with Bridge",
    "Island",
)
"""MAP-05: the terrains that locations name."""
