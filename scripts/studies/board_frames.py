#!/usr/bin/env python3
"""Measure the strategy board with 99 flanks a side: bytes of its page, and what a frame takes while 99 are dragged.

Milliseconds are those that the script and the layout of the page take for a frame, in Chromium, and the time from one
frame to the next.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from scripts.support.browser import browser
from scripts.support.workbooks import example, forms, read, workbook
from sheets_algo.pages.board_page import board_page
from sheets_algo.ruling.receipts.lookup import row_of

FRAMES = 90
MOVED = "board.place(board.store.chosen.map(flank => [flank.x + (frame % 2 ? 0.1 : -0.1), flank.y]), 'drag')"
WORK = f"""() => {{ const took = []; tools.isDragging = true;
    for (let frame = 0; frame < {FRAMES}; frame++) {{
        const begun = performance.now(); {MOVED}; show(false); document.body.offsetHeight;
        took.push(performance.now() - begun);
    }} return took; }}"""
BETWEEN = f"""() => new Promise(done => {{ const took = []; let frame = 0, before = performance.now();
    const next = now => {{
        took.push(now - before); before = now;
        if (frame++ === {FRAMES}) return done(took.slice(1));
        {MOVED}; requestAnimationFrame(next);
    }}; requestAnimationFrame(next); }})"""


def page() -> str:
    """Return the board of Hastings."""
    form, database, row = row_of(read(workbook(example("1066"))), forms(), "W-0002")
    board = form.board(row, database)
    assert board is not None
    return board_page(board.data())


def told(name: str, took: list[float]) -> str:
    """Return median, 95th percentile and greatest of some milliseconds in a line."""
    ordered = sorted(took)
    figures = (ordered[len(ordered) // 2], ordered[int(0.95 * len(ordered))], ordered[-1])
    return f"{name:<28}" + "".join(f"{figure:9.1f}" for figure in figures)


def main() -> None:
    """Draw up 99 flanks a side, drag those of one side, and print the figures."""
    ArgumentParser(description=__doc__).parse_args()
    text = page()
    print(f"{len(text.encode()):,} bytes with the map")
    with TemporaryDirectory() as folder, browser() as chromium:
        file = Path(folder) / "board.html"
        file.write_text(text, encoding="utf-8")
        tab = chromium.new_page(viewport={"width": 1440, "height": 900})
        tab.goto(file.as_uri())
        tab.wait_for_selector("body[data-ready]")
        tab.click("summary:has-text('Draw up anew')")
        for side in (0, 1):
            tab.click(f"#side{side}")
            tab.fill("#number", "99")
            tab.select_option("#formation", "two lines")
            tab.click("#make button")
        tab.click("#all")
        print(f"{'ms':<28}{'median':>9}{'95 %':>9}{'most':>9}")
        print(told("work of a frame", tab.evaluate(WORK)))
        print(told("from one frame to the next", tab.evaluate(BETWEEN)))


if __name__ == "__main__":
    main()
