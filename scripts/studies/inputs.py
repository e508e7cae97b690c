#!/usr/bin/env python3
"""Effects of each list of the database, of steel and of budget on the odds of an even war.

Two equal armies of 10,000 men, foot, horse and guns, meet on a plain, all as the generic entries have it. Each value of
a column is typed for the attacker, or for the location, and the same battles are fought: lowest and highest odds.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
AMOUNTS = (0, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 100_000_000)
"""Tons of steel, and dollars of budget in tens."""


def main() -> int:
    """Fight and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--battles", type=int, default=4000, help="battles for each value (4000)")
    parser.add_argument("--rules", default="history", help="history or source")
    args = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    from engine.autoalgo.series.replicates import Battlefield
    from engine.autoalgo.setup.source import RULES
    from engine.settings import Setting
    from scripts.support.pinned_tables import shipped_tables
    from scripts.support.small_battles import machine_code

    tables = shipped_tables().having((Setting(name=RULES, value=args.rules),))
    with machine_code() as kernel:

        def odds(inputs: Any) -> float:
            winner = Battlefield.of(inputs, tables, seed=5).fight(0, args.battles, kernel).ends.winner
            return float((winner == 0).mean())

        base = even_war(tables)
        print(f"As it is: {odds(base):.3f}\n\n| Tab | Column | Lowest | Highest |\n|---|---|---|---|")
        for tab, column, values in varied(base, tables):
            found = {name: odds(inputs) for name, inputs in values.items()}
            least, most = min(found, key=found.__getitem__), max(found, key=found.__getitem__)
            print(f"| {tab} | {column} | {found[least]:.3f} {least} | {found[most]:.3f} {most} |", flush=True)
        for column in ("steel_production", "budget"):
            values = " ".join(f"{amount:,}: {odds(with_amount(base, column, amount)):.3f}" for amount in AMOUNTS)
            print(f"\n{column}: {values}")
    return 0


def even_war(tables: Any) -> Any:
    """Return the war of two generic nations with foot, horse and guns."""
    from scripts.support.small_battles import army, war

    units = tables.units
    types = (units["Huscarl"], units["Norman Knight"], units["Trebuchet"])
    defaults = tables.defaults
    sides = [army(name, 10_000, types=types, shares=(0.7, 0.25, 0.05)) for name in "AB"]
    sides = [
        dataclasses.replace(
            side,
            nation=dataclasses.replace(defaults.nation(1200), name=side.nation.name),
            military=dataclasses.replace(side.military, budget=defaults.military.budget),
        )
        for side in sides
    ]
    return dataclasses.replace(war(*sides), location=defaults.location, year=1200)


def varied(base: Any, tables: Any) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield tab and header of each column with a list, and the wars with its values."""
    from engine.columns import Kind, columns, tab_of

    def units_with(change: dict[str, str]) -> Any:
        units = base.attacker.units
        return of_attacker(base, units=tuple(unit and dataclasses.replace(unit, **change) for unit in units))

    side, place = base.attacker, base.location
    for record, changed in (
        (type(side.nation), lambda change: of_attacker(base, nation=dataclasses.replace(side.nation, **change))),
        (type(side.military), lambda change: of_attacker(base, military=dataclasses.replace(side.military, **change))),
        (type(side.units[0]), units_with),
        (type(place), lambda change: dataclasses.replace(base, location=dataclasses.replace(place, **change))),
    ):
        for attribute, column in columns(record):
            if column.kind is Kind.CHOICE and column.choices in tables.lists and attribute != "terrain":
                values = tables.lists[column.choices].values
                yield tab_of(record).name, column.header, {value: changed({attribute: value}) for value in values}
    motives = tables.lists["Motive"].values
    yield "War Requests", "Motive", {value: dataclasses.replace(base, motive=value) for value in motives}


def of_attacker(base: Any, **changes: Any) -> Any:
    """Return the war with another attacker."""
    return dataclasses.replace(base, attacker=dataclasses.replace(base.attacker, **changes))


def with_amount(base: Any, column: str, amount: int) -> Any:
    """Return the war with so much steel of the attacker's nation, or ten times so many dollars of its army."""
    side = base.attacker
    if column == "budget":
        return of_attacker(base, military=dataclasses.replace(side.military, budget=10 * amount))
    return of_attacker(base, nation=dataclasses.replace(side.nation, steel_production=amount))


if __name__ == "__main__":
    sys.exit(main())
