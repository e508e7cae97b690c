"""The table of what moves the Stability of a nation, for docs/plausibility.md."""

from __future__ import annotations

from dataclasses import replace

from engine.autoalgo.aftermath.consequences import stability_after
from engine.autoalgo.aftermath.inputs import home_of
from engine.autoalgo.records import Leader
from engine.autoalgo.setup.variables import side_variables
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forms.registry import open_forms
from tests.helpers.small_battles import YEAR, army, war


def what_moves_stability() -> str:
    """Return the Stability after a war of a nation of the middling kind, from 100, by what happened to it (STAB-04)."""
    (tables,) = (form.ruleset.tables for form in open_forms(ConfigLoader()) if form.key == "autoalgo")
    king = Leader(name="King", nation=("A",), authority=10)

    def after(lost: int, occupation: float = 1.0, draw: float = 0.5, **changed: object) -> str:
        """Stability after a war; the keywords are columns of the nation, `leader`, and what befell it (1 for yes)."""
        befell = {name: int(bool(changed.pop(name, 0))) for name in ("is_capital", "leads_both", "is_totalitarian")}
        head = changed.pop("leader", None)
        nation = replace(tables.defaults.nation(YEAR), name="A", **changed)
        inputs = war(replace(army("A", 10_000), nation=nation, national_leader=head))
        home = home_of(inputs, 0, side_variables(inputs, 0, tables), tables)._replace(**befell)
        is_loser, is_killed = occupation != 1.0, befell["leads_both"]  # a victory has no factor of occupation
        return f"{stability_after(home, is_loser, lost, is_killed, occupation, draw, tables.constants):.1f}"

    beaten = (2_000, 0.8)
    cases = (
        ("Victory, 500 of 10,000 men killed or captured", after(500)),
        ("Defeat, 2,000 of them, and the enemy occupies (result 0.8)", after(*beaten)),
        ("Defeat, all 10,000", after(10_000, 0.8)),
        ("Defeat, 70,000 men: all whom the nation can arm", after(70_000, 0.8)),
        ("The same, and the enemy dominates (result 2.5)", after(70_000, 2.5)),
        ("Defeat, 2,000 men, with the worst draw of luck", after(*beaten, draw=0.0)),
        ("With the best draw", after(*beaten, draw=1.0)),
        ("Defeat, 2,000 men, of a nation with a deficit", after(*beaten, revenue="Deficit")),
        ("Of a nation whose head of state has Authority 10", after(*beaten, leader=king)),
        ("Defeat, 2,000 men, before its capital", after(*beaten, is_capital=1)),
        ("Victory, but the head of state fell with the army that he led", after(500, leads_both=1)),
        ("Both: capital and head of state lost", after(*beaten, is_capital=1, leads_both=1)),
        ("Both, under a totalitarian government", after(*beaten, is_capital=1, leads_both=1, is_totalitarian=1)),
        ("Defeat, 2,000 men, from a Stability of 180", after(*beaten, stability=180)),
        ("From a Stability of 30", after(*beaten, stability=30)),
    )
    width = max(len(words) for words, _ in cases)
    return "\n".join(f"{words:<{width}}  {points:>5}" for words, points in cases)
