"""Every ruleset in one file, from `init` to `verify`: each is ruled as in a file of its own."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from engine.columns import tab_of
from scripts.support.moderator import SECRET, Moderator
from scripts.support.season_records import forget
from sheets_algo.forms.rulesets import load_all
from sheets_algo.workbook.xlsx import XlsxWorkbook
from tests.e2e.online import Online
from tests.helpers.tabs import key, keys

NAMES = list(dict.fromkeys(form.ruleset_key for form in load_all()))
SEASON = {"SHEETS_ALGO_SECRET": SECRET}
TOLD = ("Request", "Ruleset", "Winner", "Receipt", "Seed", "Inputs Fingerprint", "Changes")


def played(moderator: Moderator, file: str, *rulesets: str) -> list[dict[str, Any]]:
    """What became of each request of a new workbook's examples; the numbers of receipts are the workbook's."""
    chosen = [word for name in rulesets for word in ("--ruleset", name)]
    assert moderator.types("init", file, *chosen, **SEASON).code == 0
    said = moderator.types("run", file, "--json", **SEASON)
    assert said.code == 0, said.err
    told = [request for request in said.data["requests"] if request["status"] or request["message"]]
    return [{name: value for name, value in request.items() if name != "seq"} for request in told]


def receipts(file: Path) -> dict[str, list[tuple[Any, ...]]]:
    """What each ruling's receipt says, part by part."""
    sheet = XlsxWorkbook(file).read(keys("Receipts")).sheet(key("Receipts"))
    assert sheet is not None
    heads = list(sheet.rows[1])
    found: dict[str, list[tuple[Any, ...]]] = {}
    for number, cells in sorted(sheet.rows.items()):
        row = dict(zip(heads, cells, strict=False))
        if number > 1 and row["Kind"] == "Ruling":
            found.setdefault(str(row["Request"]), []).append(tuple(row.get(head) for head in TOLD))
    return found


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory, home: Path) -> tuple[Path, list[dict[str, Any]]]:
    """A folder with a workbook of all rulesets whose examples are ruled, and what became of each request."""
    folder = tmp_path_factory.mktemp("together")
    return folder, played(Moderator(folder, home), "all.xlsx", "all")


@pytest.fixture
def together(moderator: Moderator, first: tuple[Path, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The answers to the requests of `all.xlsx`, that workbook as if it were moved here."""
    folder, told = first
    shutil.copytree(folder, moderator.folder, dirs_exist_ok=True)
    forget(moderator.folder)
    return told


def test_each_ruleset_is_ruled_as_in_its_own_file(moderator: Moderator, together: list[dict[str, Any]]) -> None:
    of_all = receipts(moderator.folder / "all.xlsx")
    for name in NAMES:
        alone = played(moderator, f"{name}.xlsx", name)
        ids = {request["request"] for request in alone}

        assert alone
        assert [request for request in together if request["request"] in ids] == alone
        assert {id: receipt for id, receipt in of_all.items() if id in ids} == receipts(
            moderator.folder / f"{name}.xlsx"
        )
    assert {request["status"] for request in together} <= {"Done", ""}


def test_rulings_of_all_rulesets_are_verified_and_undone(moderator: Moderator, together: list[dict[str, Any]]) -> None:
    ruled = [request["request"] for request in together if request["status"] == "Done"]

    verdict = moderator.types("verify", "all.xlsx", **SEASON)
    again = moderator.types("run", "all.xlsx", **SEASON)

    assert verdict.out.splitlines()[-1] == f"{len(ruled)} of {len(ruled)} receipts equal."
    assert again.out.splitlines()[-1] == "Nothing to do: all.xlsx is as it was."
    for id in (ruled[0], ruled[-1]):
        assert moderator.types("explain", "all.xlsx", id).code == 0
        assert moderator.types("replay", "all.xlsx", id).code == 0
    undone = moderator.types("undo", "all.xlsx", ruled[-1])
    assert undone.code == 0, undone.err
    assert "Undone" in moderator.types("run", "all.xlsx", "--json", **SEASON).out


def test_a_forecast_of_all_ready_requests_proceeds_by_ruleset(moderator: Moderator) -> None:
    assert moderator.types("init", "all.xlsx", "--ruleset", "all").code == 0

    said = moderator.types("forecast", "all.xlsx", "--runs", "20", "--json", SHEETS_ALGO_FAST="0")

    assert said.code == 0, said.err
    found = said.data["forecasts"]
    without_example = {"autoalgo-leader", "autoalgo-year"}
    assert {forecast["ruleset"] for forecast in found} == {form.key for form in load_all()} - without_example
    assert {forecast["runs"] for forecast in found} == {20}


def test_a_spreadsheet_is_ruled_as_a_file(online: Online, together: list[dict[str, Any]]) -> None:
    """Rows that rulings add among it: what stands in the tabs is the same."""
    id = online.server.make("Season", {"Sheet1": []})
    assert online.types("init", id, "--ruleset", "all", **SEASON).code == 0

    said = online.types("run", id, "--json", **SEASON)

    assert said.code == 0, said.err
    told = {request["request"]: request for request in said.data["requests"] if request["status"] or request["message"]}
    assert {id: request["message"] for id, request in told.items()} == {
        request["request"]: request["message"] for request in together
    }
    assert {id: request.get("receipt") for id, request in told.items()} == {
        request["request"]: request.get("receipt") for request in together
    }
    file = XlsxWorkbook(online.moderator.folder / "all.xlsx")
    for tab in dict.fromkeys(tab_of(record).name for form in load_all() for record in form.database):
        sheet = file.read(keys(tab)).sheet(key(tab))
        assert sheet is not None
        assert [row[0] for row in online.server.tab(id, tab)] == [cells[0] for _, cells in sorted(sheet.rows.items())]
    assert online.types("run", id, **SEASON).out.splitlines()[-1] == "Nothing to do: Season is as it was."
