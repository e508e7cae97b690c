"""The table of what moves the Stability of a nation, for docs/plausibility.md."""

from __future__ import annotations

from dataclasses import replace

from engine.autoalgo.aftermath.consequences import SideResult, stability_after
from engine.autoalgo.aftermath.inputs import home_of
from engine.autoalgo.records import Leader
from engine.autoalgo.setup.variables import side_variables
from scripts.support.small_battles import YEAR, army, war
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forms.rulesets import open_forms


def what_moves_stability() -> str:
    """Return the Stability after a war of a nation of the middling kind, from 100, by what happened to it (R-110)."""
    (tables,) = (form.ruleset.tables for form in open_forms(ConfigLoader()) if form.key == "autoalgo")
    king = Leader(name="King", nation=("A",), authority=10)

    def after(lost: int, held: float | None = None, *, men: int = 10_000, draw: float = 0.5, **changed: object) -> str:
        """Stability after a victory, or a defeat after which the enemy holds something.

        The keywords are columns of the nation, `leader`, and what else befell it (1 for yes).
        """
        befell = {name: int(bool(changed.pop(name, 0))) for name in ("is_capital", "leads_both", "is_totalitarian")}
        head = changed.pop("leader", None)
        nation = replace(tables.defaults.nation(YEAR), name="A", **changed)
        inputs = war(replace(army("A", 10_000), nation=nation, national_leader=head))
        home = home_of(inputs, 0, side_variables(inputs, 0, tables), tables)._replace(**befell)
        result = SideResult(int(held is not None), men, men, men, lost, lost, befell["leads_both"], 24, held or 0.0)
        return f"{stability_after(home, result, draw, tables.constants):.1f}"

    beaten = (4_000, 0.4)
    cases = (
        ("Victory, 1,000 of 10,000 men killed, dead or captured", after(1_000)),
        ("Victory, half of them", after(5_000)),
        ("Defeat, 4,000 of them, and the enemy occupies a part (result 0.4)", after(*beaten)),
        ("Defeat, all 10,000", after(10_000, 0.4)),
        ("Defeat, 4,000, and the enemy is in firm control (result 1)", after(4_000, 1.0)),
        ("Defeat, 40 of 100 men, and the enemy occupies a part", after(40, 0.4, men=100)),
        ("Defeat, 4,000 men, with the luck that weighs most", after(*beaten, draw=1.0)),
        ("Defeat, 4,000 men, of a nation with a deficit", after(*beaten, revenue="Deficit")),
        ("Of a nation whose head of state has Authority 10", after(*beaten, leader=king)),
        ("Defeat, 4,000 men, before its capital", after(*beaten, is_capital=1)),
        ("Victory, but the head of state fell with the army that he led", after(1_000, leads_both=1)),
        ("Both: capital and head of state lost", after(*beaten, is_capital=1, leads_both=1)),
        ("Both, under a totalitarian government", after(*beaten, is_capital=1, leads_both=1, is_totalitarian=1)),
        ("Defeat, 4,000 men, from a Stability of 180", after(*beaten, stability=180)),
        ("From a Stability of 5", after(*beaten, stability=5)),
    )
    width = max(len(words) for words, _ in cases)
    return "\n".join(f"{words:<{width}}  {points:>5}" for words, points in cases)
