#!/usr/bin/env python3
"""Effects of the rulings that differ from the source's rules on the odds of ten wars (R-98).

Each war is fought by the rules of history, by those of source, and by those of history with one entry of `source.json`
alone in place: what the ruling of that id changes. `--write` puts the figures where `scripts/docs` reads them for
docs/reference/rulings.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plausibility.cases import Case

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data" / "history"
FIGURES = ROOT / "docs" / "plausibility" / "rulings.json"
WARS = (
    *("marathon-0490bc", "cannae-0216bc", "hastings-1066", "agincourt-1415", "lepanto-1571", "malta-1565"),
    *("cdb90-009", "cdb90-117", "cdb90-194", "cdb90-234"),
)
"""Wars of all ages: fields, a sea fight, a siege, a colonial war."""


def main() -> int:
    """Fight, print, and write if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000, help="battles of each war and ruling (1000)")
    parser.add_argument("--seed", type=int, default=0, help="another seed is other luck (0)")
    parser.add_argument("--write", action="store_true", help="write the figures for docs/reference/rulings.md")
    args = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "studies")]
    found = figures(args.runs, args.seed)
    text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    print(text, end="")
    if args.write:
        FIGURES.write_text(text, encoding="utf-8")
    return 0


def figures(runs: int, seed: int) -> dict[str, Any]:
    """Return names and years of the wars, and the attacker's odds in each, under every rules."""
    from plausibility.adapter import adapter_numbers
    from plausibility.fights import Arena, machine

    from engine.autoalgo.setup.source import RULE_SETS, RULES, SourceRules, under_rules
    from engine.declare import read_table
    from engine.settings import Setting, merged

    cases, numbers = wars(), adapter_numbers()
    arena = Arena(kernel=machine(runs * len(cases) * 16))
    raw = arena.library.raw("autoalgo")
    by_rules = {name: under_rules(raw, [Setting(name=RULES, value=name)]) for name in RULE_SETS}
    by_rules |= {rule: merged(raw, changes) for rule, changes in read_table(SourceRules, raw).rules.items()}
    odds = {
        name: [round(war.p_attacker, 3) for war in arena.predict(tables, numbers, cases, runs, seed)]
        for name, tables in by_rules.items()
    }
    return {"runs": runs, "seed": seed, "wars": [f"{case.name}, {year(case.year)}" for case in cases], "odds": odds}


def wars() -> list[Case]:
    """Return the wars, as a moderator knows them beforehand."""
    from plausibility.cases import read_battles, read_scenarios

    rows = [*read_battles(DATA / "battles_public.csv"), *read_scenarios(DATA / "scenarios_public.csv")]
    cases = {row.case.id: row.case for row in rows}
    return [cases[id].on_track("B") for id in WARS]


def year(number: int) -> str:
    """Return a year as it is written."""
    return f"{-number} BC" if number < 0 else str(number)


if __name__ == "__main__":
    sys.exit(main())
