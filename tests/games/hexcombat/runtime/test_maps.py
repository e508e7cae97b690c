"""Maps of combats, beside the workbook."""

from __future__ import annotations

from PIL import Image

from scripts.support.workbooks import example, grids, library
from sheets_algo.runtime.run.run_pass import run_pass
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.template_spec import BATTLE_MAP


def test_hex_combats_have_maps(tmp_path, monkeypatch):
    """They are what the site shows; the tab Battle Map is for battles."""
    monkeypatch.setenv("SHEETS_ALGO_SECRET", "a season secret that only tests know")
    book = MemoryWorkbook(grids(example("hexcombat")))

    done = run_pass(Session(workbook=book, folder=tmp_path, library=library()))

    requests = [ruling.receipt.request for ruling in done.plan.rulings if ruling.outcome.places]
    assert len(requests) > 3
    assert [path.name.split()[1] for path in done.pictures] == requests
    for path in done.pictures:
        with Image.open(path) as picture:
            assert picture.width > 300
    assert BATTLE_MAP not in book.tabs
