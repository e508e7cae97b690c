"""`explain`, `replay`, `verify` and `undo` on files."""

from __future__ import annotations

import shutil

import pytest
from PIL import Image

from scripts.support.bad_input_cases import edit
from scripts.support.moderator import BOOK, DRAWING, Moderator, only, row_of, season, shown, write
from sheets_algo.commands.verification import SECRET_PROVES
from tests.helpers.games import facts_by_game

MOVED = "moved.xlsx"


@pytest.fixture(scope="module")
def manzikert(tmp_path_factory, home):
    """A folder with a season in which Manzikert is ruled, and the other wars are not ready."""
    first = Moderator(tmp_path_factory.mktemp("manzikert"), home)
    write(first.book, only(season(), "W-0004"))
    assert first.types("run", BOOK, **DRAWING).code == 0
    first.book.rename(first.folder / MOVED)
    return first.folder


@pytest.fixture
def ruled(moderator, manzikert):
    """That season, moved: a copy beside the original would not be ruled on (RCP-38)."""
    shutil.copytree(manzikert, moderator.folder, dirs_exist_ok=True)
    (moderator.folder / MOVED).rename(moderator.book)
    return moderator


def test_explain_shows_the_terms_of_every_variable(ruled):
    lines = ruled.types("explain", BOOK, "W-0004").out.splitlines()

    assert (
        'Attacker: Effectiveness, infantry 10.53 = (1 + Shock) "0.5" 1.5 × Soldier Type "Elite" 3.9'
        ' × Attack of Alp Arslan "8" 1.8 [VAR-EFV]'
    ) in lines


def test_explain_ends_with_the_reasons_for_a_ruled_war(ruled):
    """R-93."""
    lines = ruled.types("explain", BOOK, "W-0004").out.splitlines()
    why = lines[lines.index("Why") :]

    assert lines[lines.index("Why") - 1] == ""
    assert why[1] == "---"
    assert why[2] == "Seljuk Sultanate's stability (R-110): 145 before the war"
    assert [line for line in why if line.startswith("Losses of ")]
    assert ruled.types("explain", "--json", BOOK, "W-0004").data["why"] == why[2:]
    assert "Why" not in ruled.types("explain", BOOK, "W-0005").out.splitlines()


def test_explain_before_a_ruling_differs_only_by_the_luck_of_the_day(ruled):
    """R-28: only the fortunes of the day are drawn when the war is ruled."""
    before = ruled.types("explain", "--json", BOOK, "W-0005").data["variables"]
    edit(ruled.book, "War Requests", "Ready", 6, True)
    ruled.types("run", BOOK)
    after = ruled.types("explain", "--json", BOOK, "W-0005").data["variables"]

    drawn = {variable["id"] for variable in before if variable not in after} | {
        variable["id"] for variable in after if variable not in before
    }
    assert drawn == {"R-28"}


def test_replay_prints_the_log_as_written(ruled):
    (log,) = (ruled.folder / "logs").iterdir()

    assert ruled.types("replay", BOOK, "W-0004").out == log.read_text(encoding="utf-8")


BYZANTIUM = 5
"""The row of the defender of W-0004 in Nations; two flags that look alike give way to other colours."""


def test_nat_27_replay_uses_a_flag_chosen_after_the_ruling(ruled):
    """The colour is read from the workbook, since no receipt has it; `verify` finds nothing changed."""
    (picture,) = (ruled.folder / "pictures").iterdir()
    for row in range(2, 8):
        edit(ruled.book, "Nations", "Color", row, "#6a0dad" if row == BYZANTIUM else "#e6c828")

    assert ruled.types("replay", BOOK, "W-0004", "--png", "again.png").code == 0

    with Image.open(ruled.folder / "again.png") as again, Image.open(picture) as first:
        colours = [{colour for _, colour in image.convert("RGB").getcolors(1 << 20)} for image in (again, first)]
    assert (0x6A, 0x0D, 0xAD) in colours[0] - colours[1]
    assert ruled.types("verify", BOOK).out.splitlines()[-1] == "1 of 1 receipt equal."


def test_replay_draws_the_original_picture(ruled):
    (picture,) = (ruled.folder / "pictures").iterdir()

    said = ruled.types("replay", BOOK, "W-0004", "--png", "again.png")

    assert (said.code, said.out) == (0, "picture  again.png\n")
    with Image.open(ruled.folder / "again.png") as again, Image.open(picture) as first:
        assert again.tobytes() == first.tobytes()


def test_verify_finds_receipts_equal_without_the_secret(ruled):
    """Anybody who has the workbook may check it."""
    (ruled.folder / ".sheets-algo").rename(ruled.folder / "elsewhere")

    said = ruled.types("verify", BOOK)

    assert (said.code, said.out.splitlines()[-1]) == (0, "1 of 1 receipt equal.")
    missing = "The season secret is missing: seeds are used as the receipts show them, without a check."
    assert said.err == f"{missing} {SECRET_PROVES}\n"


def test_verify_detects_a_changed_receipt(ruled):
    receipt = row_of(ruled.book, "Receipts", "Request", "W-0004")["Receipt"]
    edit(ruled.book, "Receipts", "Receipt", 3, receipt.replace("'''Battle:''' ", "'''Battle:''' not "))

    said = ruled.types("verify", "--json", BOOK)

    assert said.code == 1
    assert not said.data["receipts"][0]["equal"]
    assert any("Battle" in line for line in said.data["receipts"][0]["differences"])


def test_undo_restores_the_database_and_keeps_the_receipt(ruled):
    write(fresh := ruled.folder / "fresh.xlsx", season())

    said = ruled.types("undo", BOOK, "W-0004")

    assert said.code == 0
    assert said.out.splitlines()[-1] == "W-0004 (Manzikert, 1071) is undone by receipt 3."
    for tab in ("Nations", "Leaders"):
        assert shown(ruled.book, tab) == shown(fresh, tab)
    assert [row["Kind"] for row in shown(ruled.book, "Receipts")] == ["Season", "Ruling", "Undo"]


def test_undo_prints_each_cell_before_and_after(moderator):
    """Seed 32 costs Alp Arslan his life; his Status was blank."""
    rows = only(season(), "W-0004")
    for row in rows["War Requests"]:
        row["Seed"] = 32
    write(moderator.book, rows)
    moderator.types("run", BOOK)

    said = moderator.types("undo", BOOK, "W-0004")

    assert "Leaders, Alp Arslan: Status killed in Manzikert, 1071 → blank" in said.out.splitlines()


def test_undo_in_a_dry_run_writes_nothing(ruled):
    before = ruled.files()

    said = ruled.types("undo", "--dry-run", BOOK, "W-0004")

    assert said.code == 0
    assert "would be undone (dry run, nothing is written)" in said.out
    assert ruled.files() == before


@pytest.mark.parametrize(
    ("ruleset", "request_id", "without"), [(game, *ids) for game, ids in facts_by_game("PLACES").items() if ids]
)
def test_replay_draws_the_places_of_units(moderator, ruleset, request_id, without):
    assert moderator.types("init", BOOK, "--ruleset", ruleset).code == 0
    assert moderator.types("run", BOOK).code == 0

    said = moderator.types("replay", BOOK, request_id, "--png", "places.png")
    refused = moderator.types("replay", BOOK, without, "--png", "none.png")

    assert (said.code, said.out) == (0, "picture  places.png\n")
    with Image.open(moderator.folder / "places.png") as picture:
        assert picture.size[0] == 848
    assert refused.code == 1
    assert f"The ruling of {without} has no map." in refused.err
    assert not (moderator.folder / "none.png").exists()
