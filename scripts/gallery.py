#!/usr/bin/env python3
"""Photograph the site and a replay page of the example season, for docs/site.md; needs Chromium and Playwright."""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import ArgumentParser
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from PIL import Image

from tests.helpers.browser import browser

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
COLOURS = 128
"""Of a palette that keeps the files small."""
SECRET = {"SHEETS_ALGO_SECRET": "the season of the gallery", "SHEETS_ALGO_DEAD_LEADERS": "warn"}


def main() -> None:
    """Rule the example season, write its site, and photograph it."""
    ArgumentParser(description=__doc__).parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        command = Path(sys.executable).with_name("sheets-algo")
        book = "The year 1066.xlsx"
        for words in (["init", book], ["run", book], ["season", book, "--site", "site", "--replays"]):
            subprocess.run(
                [command, *words], cwd=folder, env=os.environ | SECRET, check=True, stdout=subprocess.DEVNULL
            )
        with browser() as chromium:
            for picture, page, (width, height), theme in SHOTS:
                context = chromium.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
                tab = context.new_page()
                address, _, anchor = page.partition("#")
                tab.goto((folder / "site" / address).as_uri() + (f"#{anchor}" if anchor else ""))
                tab.wait_for_load_state("networkidle")
                found = Image.open(BytesIO(tab.screenshot()))
                path = PICTURES / f"{picture}.png"
                found.convert("RGB").quantize(COLOURS).save(path, optimize=True)
                print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1000:.0f} KB")
                context.close()


if __name__ == "__main__":
    main()
