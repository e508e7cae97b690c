#!/usr/bin/env python3
"""Write the figures of docs/plausibility.md: every metric before and after the calibration, and four plots.

One run over the public rows gives all of them but the table of changes, which takes one for each. What stands between
the markers `<!-- figures: NAME -->` and `<!-- end -->` is replaced, the rest of the page is written by people.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plausibility.changes import Change
    from plausibility.evaluation import Bench, Evaluation

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data" / "history"
PAGE = ROOT / "docs" / "plausibility.md"
FOLDER = ROOT / "docs" / "plausibility"
GAP = "–"


def main() -> int:
    """Fight, draw, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200, help="battles of each row (200)")
    parser.add_argument("--seed", type=int, default=0, help="another seed is other luck (0)")
    parser.add_argument("--orderings", action="store_true", help="fight the ordering checks too; else theirs stay")
    parser.add_argument(
        "--before",
        type=Path,
        metavar="FOLDER",
        help="a checkout with the old numbers: what changed since; else it stays",
    )
    asked = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]
    from plausibility.adapter import adapter_numbers
    from plausibility.cases import read_battles, read_scenarios
    from plausibility.changes import changes
    from plausibility.evaluation import Bench
    from plausibility.fights import Arena, machine
    from plausibility.orderings import checked
    from plausibility.parameters import numbers_of, parameters
    from plausibility.plots import draw

    arena = Arena(kernel=machine(asked.runs * 500))
    bench = Bench(read_battles(DATA / "battles_public.csv"), read_scenarios(DATA / "scenarios_public.csv"), arena=arena)
    raw, numbers = arena.library.raw("autoalgo"), adapter_numbers()
    found = bench.evaluate(raw, numbers, runs=asked.runs, seed=asked.seed)
    before = json.loads((FOLDER / "before.json").read_text(encoding="utf-8"))["metrics"]
    page = PAGE.read_text(encoding="utf-8")
    page = filled(page, "metrics", metrics_table(before, found.metrics))
    page = filled(page, "scenarios", scenarios_table(bench, found))
    if asked.orderings:
        checks = checked(arena, raw, numbers, asked.seed)
        lines = ["| Check | Holds | Found |", "|---|---|---|"]
        lines += [f"| {it.name} | {'yes' if it.holds else '**no**'} | {it.found} |" for it in checks]
        page = filled(page, "orderings", "\n".join(lines))
    if asked.before:
        now, was = (raw, numbers), numbers_of(asked.before, raw, numbers)
        every = changes(bench, now, was, parameters(raw, numbers), runs=asked.runs, seed=asked.seed)
        page = filled(page, "changes", changes_table(found.metrics, every))
    PAGE.write_text(page, encoding="utf-8")
    for file in (PAGE, *draw(found, bench.battles, FOLDER)):
        print(file.relative_to(ROOT))
    return 0


def filled(page: str, name: str, content: str) -> str:
    """The page with other content between the markers of a name.

    Raises:
        ValueError: The page has no such markers.
    """
    between = re.compile(rf"(<!-- figures: {re.escape(name)} -->\n).*?(\n<!-- end -->)", re.DOTALL)
    made, times = between.subn(lambda found: f"{found[1]}\n{content}\n{found[2]}", page)
    if times != 1:
        raise ValueError(f"{PAGE.name}: the markers of {name} stand there {times} times; once is needed.")
    return made


def metrics_table(before: Mapping[str, float], now: Mapping[str, float]) -> str:
    """Every metric beside its bars, as Markdown."""
    from plausibility.targets import TARGETS, spelled

    lines = ["| Metric | What it is | Before | Now | Good | Excellent | Verdict |", "|---|---|---|---|---|---|---|"]
    for it in TARGETS:
        if it.key in now:
            was = f"{before[it.key]:.2f}" if it.key in before else GAP
            bars = f"{spelled(it.good)} | {spelled(it.excellent)}"
            value = now[it.key]
            lines.append(f"| `{it.key}` | {it.says} | {was} | **{value:.2f}** | {bars} | {it.verdict(value)} |")
    return "\n".join(lines)


def scenarios_table(bench: Bench, found: Evaluation) -> str:
    """Each scenario: how likely what happened was, and the losses beside their bands."""
    lines = ["| Case | Year | Odds of what happened | Attacker lost | Defender lost |", "|---|---|---|---|---|"]
    for it, fought in zip(bench.scenarios, found.scenarios, strict=True):
        odds = fought.p_attacker if it.winner == "attacker" else 1 - fought.p_attacker
        lost = [
            f"{100 * share:.0f} %" + (f" ({100 * band[0]:.0f}–{100 * band[1]:.0f})" if band else "")
            for share, band in zip(fought.losses, it.losses, strict=True)
        ]
        year = f"{-it.case.year} BC" if it.case.year < 0 else str(it.case.year)
        lines.append(f"| {it.case.name} | {year} | {odds:.2f} | {lost[0]} | {lost[1]} |")
    return "\n".join(lines)


WORTH = {
    "B.auc": "B.auc",
    "B.accuracy": "Winners (B)",
    "loss.factor": "Losses",
    "duration.factor": "Hours",
    "scenario.accuracy": "Cases",
    "scenario.band_2x": "Their losses",
    "curve.inside": "Curve",
}
"""What is shown of every change: metric to heading."""


def changes_table(now: Mapping[str, float], every: Iterable[Change]) -> str:
    """Each change and the metrics with it alone taken back, as Markdown."""
    lines = ["| Numbers | From, to | " + " | ".join(WORTH.values()) + " | Anchored on |"]
    lines += ["|---" * (len(WORTH) + 3) + "|", f"| All as they are | | {_worth(now)} | |"]
    for it in every:
        span = f"{it.was:.3g}, {it.now:.3g}"
        if len(it.parameter.places) > 1:
            span += f" (× {it.factor:.2g})"
        lines.append(f"| {it.parameter.name} | {span} | {_worth(it.put_back)} | {it.parameter.anchor} |")
    return "\n".join(lines)


def _worth(metrics: Mapping[str, float]) -> str:
    return " | ".join(f"{metrics[key]:.2f}" if key in metrics else GAP for key in WORTH)


if __name__ == "__main__":
    sys.exit(main())
