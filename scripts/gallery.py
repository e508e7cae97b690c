#!/usr/bin/env python3
"""Photograph the pages of the example season for the docs; needs Chromium and Playwright.

These are the site, a replay, and the strategy board: as a file, on a phone, and live. With `--folder` every kind of
page is photographed on a phone and on a desktop, light and dark: a gallery, to compare with that of another commit.
"""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from signal import SIGINT
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from PIL import Image

from scripts.support.browser import browser

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
SCREEN, PHONE = (1000, 1100), (360, 780)
SHOTS = (
    ("site-first-page", "index.html", SCREEN, "light"),
    ("site-nation", "nations/england.html", SCREEN, "dark"),
    ("site-war-phone", "wars/w-0002.html", PHONE, "light"),
    ("site-first-page-phone", "index.html", PHONE, "dark"),
    ("site-replay", "replays/w-0002.html#h=8", SCREEN, "light"),
)
"""Name, page, size of the window, theme."""
GALLERY = {
    "board": "board.html",
    "board-flank": "board.html",
    "site": "site/index.html",
    "war": "site/wars/w-0002.html",
    "naval-war": "site/wars/w-0001.html",
    "nations": "site/nations/index.html",
    "replay": "site/replays/w-0002.html#h=8",
    "verify": "verify.html",
}
"""The pages of the gallery."""
SIZES = {"390": (390, 844), "1280": (1280, 800)}
BOARD, BOARD_PHONE = (1440, 900), (390, 844)
WAR, OTHER_FLANK = "W-0002", "#flanks button >> nth=1"
SHEET_MS = 400  # until the sheet of a flank stands
MINUTES = 180_000  # milliseconds, for battles without machine code
COLOURS = 128
"""Of a palette that keeps the files small."""
SECRET = {"SHEETS_ALGO_SECRET": "the season of the gallery"}
COMMAND = Path(sys.executable).with_name("sheets-algo")
RARE = Image.Quantize.MAXCOVERAGE
"""Keeps rare colours, such as those of the statuses in a legend, apart."""
BOOK = "The year 1066.xlsx"


def main() -> None:
    """Photograph the boards of the example season, then rule it, write its site and photograph that."""
    options = ArgumentParser(description=__doc__)
    options.add_argument("--folder", type=Path, help="write the gallery of all pages there instead")
    pictures = options.parse_args().folder
    with TemporaryDirectory() as name, browser() as chromium:
        folder = Path(name)
        if pictures:
            gallery(chromium, folder, pictures)
            return
        program(folder, "init", BOOK)
        program(folder, "board", BOOK, WAR, "--html", "board.html")
        boards(chromium, folder)
        program(folder, "run", BOOK)
        program(folder, "season", BOOK, "--site", "site", "--replays")
        for picture, page, size, theme in SHOTS:
            address, _, anchor = page.partition("#")
            with opened(
                chromium, (folder / "site" / address).as_uri() + (f"#{anchor}" if anchor else ""), size, theme
            ) as tab:
                photograph(tab, picture)


def gallery(chromium: Any, folder: Path, pictures: Path) -> None:
    """Photograph each page of the example season at each size, light and dark; boards show what a window holds."""
    pictures.mkdir(parents=True, exist_ok=True)
    program(folder, "init", BOOK)
    program(folder, "board", BOOK, WAR, "--html", "board.html")
    program(folder, "run", BOOK)
    program(folder, "season", BOOK, "--site", "site", "--replays")
    program(folder, "verify", BOOK, "--html", "verify.html")
    for name, page in GALLERY.items():
        address, _, anchor = page.partition("#")
        for width, size in SIZES.items():
            for theme in ("light", "dark"):
                file = (folder / address).as_uri() + (f"#{anchor}" if anchor else "")
                with opened(chromium, file, size, theme) as tab:
                    if name == "board-flank":
                        tab.click(OTHER_FLANK)
                        tab.wait_for_timeout(SHEET_MS)
                    tab.screenshot(
                        path=pictures / f"{name}-{width}-{theme}.png", full_page=not name.startswith("board")
                    )


def boards(chromium: Any, folder: Path) -> None:
    """Photograph twelve flanks that are drawn up on a board, on a phone too, and the places that are compared live."""
    for picture, size, theme in (("board", BOARD, "light"), ("board-phone", BOARD_PHONE, "dark")):
        with opened(chromium, (folder / "board.html").as_uri(), size, theme) as tab:
            tab.click("text=Draw up anew")
            tab.fill("#number", "12")
            tab.select_option("#formation", "two lines and a reserve")
            tab.click("#make button")
            tab.evaluate("scrollTo(0, 0)")
            photograph(tab, picture)
    command = [COMMAND, "board", BOOK, WAR, "--no-browser"]
    with subprocess.Popen(command, cwd=folder, env=os.environ | SECRET, stdout=subprocess.PIPE, text=True) as server:
        try:
            address = next(word for line in server.stdout for word in line.split() if word.startswith("http"))
            with opened(chromium, address, BOARD, "light") as tab:
                tab.locator("#share0", has_text="%").wait_for(timeout=MINUTES)
                tab.click(OTHER_FLANK)
                tab.click("#places")
                tab.wait_for_selector("#best li >> nth=5", timeout=MINUTES)
                photograph(tab, "board-live")
        finally:
            server.send_signal(SIGINT)


def program(folder: Path, *words: str) -> None:
    """Run a command of the program in a folder.

    Raises:
        subprocess.CalledProcessError: It failed.
    """
    subprocess.run([COMMAND, *words], cwd=folder, env=os.environ | SECRET, check=True, stdout=subprocess.DEVNULL)


@contextmanager
def opened(chromium: Any, address: str, size: tuple[int, int], theme: str) -> Iterator[Any]:
    """Open a page in a window of a size within the context."""
    context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=theme)
    tab = context.new_page()
    tab.goto(address)
    tab.wait_for_load_state("networkidle")
    yield tab
    context.close()


def photograph(tab: Any, picture: str) -> None:
    """Write what a window shows as a picture of the docs."""
    path = PICTURES / f"{picture}.png"
    Image.open(BytesIO(tab.screenshot())).convert("RGB").quantize(COLOURS, RARE).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    main()
