"""A small world, of which ten years are computed with numpy and without."""

from __future__ import annotations

from engine.autoalgo.records import Leader, Nation
from engine.autoalgo.years.world import YearArmy, YearInputs, YearNation
from engine.autoalgo.years.year import YearRules
from engine.rng import Rng
from scripts.support.pinned_tables import shipped_tables

KING = Leader(name="Lear", nation=("Arva",), birth_year=1510, authority=6)
NATION = Nation(
    name="Arva",
    stability=20,
    population=900_000,
    leader="Lear",
    year_founded=1500,
    year_crisis=1580,
    civilization_type="Early Modern",
)
HOST = YearArmy(name="Host", nation=("Arva",), size=4_000, keep=9_000, wounded=300, captured=(("Brod", 90),))
INPUTS = YearInputs(
    year=1609, since=1600, nations=(YearNation(nation=NATION, fought=(1600,)),), armies=(HOST,), leaders=(KING,)
)


def receipt() -> str:
    """Return the receipt of ten years."""
    return YearRules(shipped_tables()).resolve(INPUTS, Rng(7)).receipt.wiki()
