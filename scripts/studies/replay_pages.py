#!/usr/bin/env python3
"""Measure replay pages: bytes, what a page costs beyond its battle, and what a step takes in a browser.

The battles are those of the golden receipts, and one of 99 flanks a side. Times are CPU seconds for the page, and for a
step the milliseconds that the script and the layout of the page take, in Chromium.
"""

from __future__ import annotations

import statistics
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.rng import Rng
from engine.ruleset import Outcome
from scripts.support.browser import browser
from scripts.support.golden_cases import golden_cases, ruled
from scripts.support.rulings import hastings
from scripts.support.small_battles import army, line, terrain, war
from sheets_algo.pages.replay_page import replay_page
from sheets_algo.ruling.plan import Ruling

MEN = 99_000
"""Men of each side of the great battle; on cliffs it takes more than 200 hours."""
STEP = """() => { const best = [];
    for (let pass = 0; pass < 3; pass++) for (let at = 0; at <= LAST; at++) {
        laidOut.clear();
        const begun = performance.now(); step(at); document.body.offsetHeight;
        best[at] = Math.min(performance.now() - begun, best[at] || Infinity);
    } return best; }"""
"""Each hour is shown three times and the best counts, since the machine may be busy."""


def battles(ruling: Ruling) -> Iterator[tuple[str, Outcome, float]]:
    """Yield name and outcome of each battle, and the CPU seconds that it took."""
    for case in golden_cases(ruling.form.key):
        begun = time.process_time()
        outcome = ruled(case)
        yield case.name, outcome, time.process_time() - begun
    sides = (army(name, MEN, flanks=line(*["Normal"] * 99, y=y, apart=1)) for name, y in (("A", 182), ("B", 218)))
    begun = time.process_time()
    outcome = ruling.form.ruleset.resolve(war(*sides, ground=terrain("Cliffs")), Rng(1))
    yield "99 flanks a side", outcome, time.process_time() - begun


def main() -> None:
    """Print a row for each battle."""
    ArgumentParser(description=__doc__).parse_args()
    ruling = hastings()
    replay_page(ruling)  # imports and templates are paid once
    print(f"{'battle':<24}{'hours':>6}{'flanks':>7}{'KB':>6}{'battle s':>10}{'page s':>8}{'step ms':>9}{'worst':>7}")
    with browser() as chromium, TemporaryDirectory() as folder:
        tab = chromium.new_page(viewport={"width": 1200, "height": 900})
        for name, outcome, battle_s in battles(ruling):
            begun = time.process_time()
            html = replay_page(Ruling(ruling.receipt, outcome, ruling.form))
            page_s = time.process_time() - begun
            file = Path(folder, "page.html")
            file.write_text(html, encoding="utf-8")
            tab.goto(file.as_uri())
            tab.locator("body[data-ready]").wait_for()
            steps = tab.evaluate(STEP)
            assert outcome.recording is not None
            frames, flanks = outcome.recording.men.shape
            print(
                f"{name:<24}{frames - 1:>6}{flanks:>7}{len(html.encode()) / 1000:>6.0f}{battle_s:>10.2f}{page_s:>8.2f}"
                f"{statistics.median(steps):>9.1f}{max(steps):>7.1f}"
            )


if __name__ == "__main__":
    main()
