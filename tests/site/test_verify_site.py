"""The folder of the page on which players verify: what is in it, and the link from the site."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from scripts.support.browser import pyodide
from scripts.support.pinned_tables import WORKSHOP
from sheets_algo.commands.in_browser import verify_file
from sheets_algo.replays.replay import CANNOT
from sheets_algo.site.verify_site import write_verify_page
from sheets_algo.workbook.errors import WorkbookUnavailable
from tests.helpers.sites import MemorySeason, pages_of

WITHOUT_CHECKS = """
import sys

sys.modules["platformdirs"] = None
from sheets_algo.config.loader import ConfigLoader

library = ConfigLoader()
print(*(library.fingerprint(name) for name in library.rulesets))
"""


def test_a_short_secret_is_reported_without_words_of_the_terminal() -> None:
    said = verify_file("season.xlsx", " hush \n", "", lambda *_: None, lambda is_equal: None)

    assert said == ('<p class="total">A season secret has at least 16 bytes, and this one has 4.</p>', CANNOT)


@pytest.mark.browser
def test_the_folder_contains_program_tables_and_maps_of_the_season(season: MemorySeason, tmp_path: Path) -> None:
    maps, site = tmp_path / "maps", tmp_path / "site"
    maps.mkdir()
    Image.new("P", (3, 2)).save(maps / "Own.png")
    (maps / "Broken.png").write_text("no picture")
    session = replace(season.session, own_maps=maps)

    first = write_verify_page(session, season.opened(), site, pyodide())

    assert len(first.written) == first.files == 13
    with zipfile.ZipFile(io.BytesIO((site / "verify/program.zip").read_bytes())) as program:
        program.extractall(tmp_path / "program")
    names = {path.relative_to(tmp_path / "program").as_posix() for path in (tmp_path / "program").rglob("*.*")}
    with Image.open(tmp_path / "program/maps/Own.png") as own:
        assert (own.mode, own.size) == ("RGB", (3, 2))
    assert "maps/Hill.png" in names
    assert "maps/Broken.png" not in names
    units = "tables/autoalgo/units.json"
    assert (tmp_path / "program/config" / units).read_bytes() == (WORKSHOP / units).read_bytes()
    command = [sys.executable, "-c", WITHOUT_CHECKS]
    done = subprocess.run(command, cwd=tmp_path / "program", capture_output=True, text=True, check=True)
    library = session.library
    assert done.stdout.split() == [library.fingerprint(name) for name in library.rulesets]

    assert write_verify_page(session, season.opened(), site, pyodide()).written == ()
    season.site(site)
    pages = pages_of(site)
    assert {page.links.count("verify/index.html") for path, page in pages.items() if "/" not in path} == {1}
    assert "../verify/index.html" in pages["wars/w-0001.html"].links
    assert "../index.html" not in pages["verify/index.html"].links
    assert write_verify_page(session, season.opened(), site, pyodide()).written == ("index.html",)
    assert {"../index.html", "../season.png"} <= {*pages_of(site)["verify/index.html"].links}
    season.site(site)
    assert (site / "verify/program.zip").exists()

    (site / "verify/verify.js").write_text("mine")
    (site / "verify/sheets-algo-site.json").unlink()
    with pytest.raises(WorkbookUnavailable, match=r"verify\.js is not of this site"):
        write_verify_page(session, season.opened(), site, pyodide())
