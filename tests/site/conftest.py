"""A season of three rulesets, one of them with secrets, and its site."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.support.workbooks import example
from sheets_algo.replays.replay import replay
from sheets_algo.runtime.after_commit.artifacts import draw_ruling, picture_path
from tests.helpers.sites import MemorySeason, jousts, season_of


@pytest.fixture(scope="session")
def season(tmp_path_factory: pytest.TempPathFactory) -> MemorySeason:
    """A war with its picture, two jousts and the orders of houses with secrets, in one workbook."""
    rows = example("1066")
    rows["War Requests"] = rows["War Requests"][:1]
    season = season_of(tmp_path_factory.mktemp("season"), rows | jousts(2) | example("plots"))
    seen = season.opened()
    receipt, form = seen.receipts.ruling_of("W-0001"), seen.form("autoalgo")
    assert receipt is not None
    assert form is not None
    path = picture_path(season.session, receipt)
    path.parent.mkdir()
    path.write_bytes(draw_ruling(receipt, replay(receipt, form).scenes[0]))
    return season


@pytest.fixture(scope="session")
def site(season: MemorySeason, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its site, with all that it can show."""
    folder = tmp_path_factory.mktemp("site")
    season.site(folder, replays=True, with_workbook=True)
    return folder
