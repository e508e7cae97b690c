#!/usr/bin/env python3
"""Write the figures of docs/plausibility.md: every metric before and after the calibration, and four plots.

Text between the markers `<!-- figures: NAME -->` and `<!-- end -->` is replaced; people write the rest of the page.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plausibility.arms import Situation
    from plausibility.evaluation import Bench, Evaluation
    from plausibility.fights import Prediction
    from plausibility.levers import Worth

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data" / "history"
PAGE = ROOT / "docs" / "plausibility.md"
FOLDER = ROOT / "docs" / "plausibility"
GAP = "–"


def main() -> int:
    """Fight the rows, draw the plots and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=200, help="battles of each row (200)")
    parser.add_argument("--seed", type=int, default=0, help="another seed is other luck (0)")
    parser.add_argument("--orderings", action="store_true", help="fight the ordering checks too; else theirs stay")
    args = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(ROOT / "scripts" / "studies")]
    from plausibility import ages, arms, levers
    from plausibility.adapter import adapter_numbers
    from plausibility.cases import read_battles, read_scenarios
    from plausibility.evaluation import Bench, changed
    from plausibility.fights import Arena, machine
    from plausibility.orderings import checked
    from plausibility.plain import plain_rows
    from plausibility.plots import draw

    from engine.autoalgo.setup.source import RULE_SETS, RULES

    arena = Arena(kernel=machine(args.runs * 500))
    bench = Bench(read_battles(DATA / "battles_public.csv"), read_scenarios(DATA / "scenarios_public.csv"), arena=arena)
    raw, numbers = arena.library.raw("autoalgo"), adapter_numbers()
    found = bench.evaluate(raw, numbers, runs=args.runs, seed=args.seed)
    few = Bench(scenarios=read_scenarios(DATA / "asymmetric_wars.csv"), arena=arena)
    fought = few.evaluate(raw, numbers, runs=args.runs, seed=args.seed, with_curve=False)
    plain = Bench(scenarios=read_scenarios(DATA / "plain_wars.csv"), arena=replace(arena, typed=plain_rows))
    typed, by_source = (
        plain.evaluate(changed(raw, {RULES: name}), numbers, runs=args.runs, seed=args.seed, with_curve=False)
        for name in RULE_SETS
    )
    before = json.loads((FOLDER / "before.json").read_text(encoding="utf-8"))["metrics"]
    page = PAGE.read_text(encoding="utf-8")
    page = filled(page, "metrics", metrics_table(before, found.metrics))
    page = filled(page, "scenarios", scenarios_table(bench, found))
    page = filled(page, "asymmetric", f"{scenarios_table(few, fought)}\n\n{summary(fought.metrics)}")
    page = filled(page, "plain", plain_text(plain, typed, by_source.metrics))
    page = filled(page, "levers", levers_table(levers.worth(arena, raw, numbers, 10 * args.runs, args.seed)))
    if args.orderings:
        checks = checked(arena, raw, numbers, args.seed)
        lines = ["| Check | Holds | Found |", "|---|---|---|"]
        lines += [f"| {check.name} | {'yes' if check.holds else '**no**'} | {check.found} |" for check in checks]
        page = filled(page, "orderings", "\n".join(lines))
        for name, kinds in (("ages", ages.FOOT), ("guns", ages.GUNS), ("ships", ages.SHIPS)):
            odds = ages.table(arena, raw, numbers, kinds, args.runs, args.seed)
            page = filled(page, name, ages_table(odds))
        page = filled(page, "horse", horse_table(ages.horse_against_foot(arena, raw, numbers, args.runs, args.seed)))
        tried = [
            (situation, arms.tried(arena, raw, numbers, situation, args.runs * 5, args.seed))
            for situation in arms.SITUATIONS
        ]
        page = filled(page, "maneuvers", maneuvers_table(tried))
        page = filled(page, "arms", arms_table(arms.worth(arena, raw, numbers, args.runs * 5, args.seed)))
    PAGE.write_text(page, encoding="utf-8")
    for file in (PAGE, *draw(found, bench.battles, FOLDER)):
        print(file.relative_to(ROOT))
    return 0


def filled(page: str, name: str, content: str) -> str:
    """Return the page with new content between the markers of a name.

    Raises:
        ValueError: The page has no such markers.
    """
    pattern = re.compile(rf"(<!-- figures: {re.escape(name)} -->\n).*?(\n<!-- end -->)", re.DOTALL)
    result, count = pattern.subn(lambda found: f"{found[1]}\n{content}\n{found[2]}", page)
    if count != 1:
        raise ValueError(f"{PAGE.name}: the markers of {name} stand there {count} times; once is needed.")
    return result


def ages_table(odds: Mapping[tuple[str, str], float]) -> str:
    """Return the table of what an arm of each age has against that of every other age."""
    names = list(dict.fromkeys(one for one, _ in odds))
    lines = [f"| | {' | '.join(names)} |", f"|---|{'--:|' * len(names)}"]
    for one in names:
        cells = [GAP if one == other else f"{odds[one, other]:.2f}" for other in names]
        lines.append(f"| **{one}** | {' | '.join(cells)} |")
    return "\n".join(lines)


def levers_table(every: Iterable[Worth]) -> str:
    """Return what each lever is worth, as Markdown."""
    lines = [
        "| Lever | | Odds without | Odds with | Points | Own losses without | with |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for found in every:
        odds, lost = (tuple(f"{100 * share:.0f} %" for share in shares) for shares in (found.odds, found.lost))
        points = f"{100 * (found.odds[1] - found.odds[0]):+.0f}"
        lines.append(
            f"| {found.lever.kind} | {found.lever.says} | {odds[0]} | {odds[1]} | {points} | {lost[0]} | {lost[1]} |"
        )
    return "\n".join(lines)


def horse_table(odds: Mapping[str, float]) -> str:
    """Return the table of what horse has against the foot of its age."""
    return "\n".join(
        (
            f"| {' | '.join(odds)} |",
            "|--:" * len(odds) + "|",
            f"| {' | '.join(f'{chance:.2f}' for chance in odds.values())} |",
        )
    )


def maneuvers_table(tried: Iterable[tuple[Situation, Mapping[str, Prediction]]]) -> str:
    """Return each situation's odds by maneuver, the best in bold, and what the tried side lost by it, as Markdown."""
    from plausibility.arms import MANEUVERS, won

    lines = [f"| Situation | {' | '.join(MANEUVERS)} |", f"|---|{'--:|' * len(MANEUVERS)}"]
    for situation, found in tried:
        cells = []
        for maneuver, prediction in found.items():
            mark = "**" if maneuver == situation.best else ""
            lost = prediction.losses[situation.side]
            cells.append(f"{mark}{won(prediction, situation.side):.2f}{mark} ({100 * lost:.0f} %)")
        lines.append(f"| {situation.name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def arms_table(worth: Mapping[str, Sequence[float]]) -> str:
    """Return the odds by range, speed and Defense along their ladders, as Markdown."""
    from plausibility.arms import LADDERS, MADE_FOR

    lines = ["| Column | Situation | Odds by its value |", "|---|---|---|"]
    for what, odds in worth.items():
        steps = ", ".join(f"{value:g}: {chance:.2f}" for value, chance in zip(LADDERS[what], odds, strict=True))
        lines.append(f"| {what} | {MADE_FOR[what]} | {steps} |")
    return "\n".join(lines)


def metrics_table(before: Mapping[str, float], now: Mapping[str, float]) -> str:
    """Return every metric beside its bars, as Markdown."""
    from plausibility.targets import TARGETS, spelled

    lines = ["| Metric | What it is | Before | Now | Good | Excellent | Verdict |", "|---|---|---|---|---|---|---|"]
    for target in TARGETS:
        if target.key in now:
            was = f"{before[target.key]:.2f}" if target.key in before else GAP
            bars = f"{spelled(target.good)} | {spelled(target.excellent)}"
            value, key = now[target.key], target.key
            lines.append(f"| `{key}` | {target.says} | {was} | **{value:.2f}** | {bars} | {target.verdict(value)} |")
    return "\n".join(lines)


def scenarios_table(bench: Bench, found: Evaluation) -> str:
    """Return each scenario with the odds of what happened, and the losses beside their bands, as Markdown."""
    lines = ["| Case | Year | Odds of what happened | Attacker lost | Defender lost |", "|---|---|---|---|---|"]
    for scenario, fought in zip(bench.scenarios, found.scenarios, strict=True):
        odds = fought.p_attacker if scenario.winner == "attacker" else 1 - fought.p_attacker
        lost = [
            f"{100 * share:.0f} %" + (f" ({100 * band[0]:.0f}–{100 * band[1]:.0f})" if band else "")
            for share, band in zip(fought.losses, scenario.losses, strict=True)
        ]
        year = f"{-scenario.case.year} BC" if scenario.case.year < 0 else str(scenario.case.year)
        lines.append(f"| {scenario.case.name} | {year} | {odds:.2f} | {lost[0]} | {lost[1]} |")
    return "\n".join(lines)


def summary(metrics: Mapping[str, float]) -> str:
    """Return the metrics of some cases as a sentence."""
    shares = {key: f"{100 * value:.0f} %" for key, value in metrics.items()}
    sentences = (
        f"The historical winner is the favourite in {shares['scenario.accuracy']} of these wars, with "
        f"{shares['scenario.mean_p']} on average; {shares['scenario.absurd']} have odds under one in ten. "
        f"{shares['scenario.band']} of the losses are in their range, {shares['scenario.band_2x']} within twice of it."
    )
    return textwrap.fill(sentences, 120)


def plain_text(bench: Bench, found: Evaluation, by_source: Mapping[str, float]) -> str:
    """Return the wars as a moderator types them in a new season, and their summary by the rules of `source` too."""
    text = f"{scenarios_table(bench, found)}\n\n{summary(found.metrics)}"
    return f"{text}\n\nBy the rules of `source`:\n\n{summary(by_source)}"


if __name__ == "__main__":
    sys.exit(main())
