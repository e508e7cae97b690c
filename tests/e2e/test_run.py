"""`run` from the outside: what it writes, what it leaves alone, what it says."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
import zipfile
from datetime import datetime
from pathlib import Path

import openpyxl
import pytest
from PIL import Image

from scripts.support.bad_input_cases import edit
from scripts.support.moderator import BOOK, DRAWING, only, row_of, season, shown, write
from scripts.support.workbooks import SECRET
from sheets_algo.commands.verification import SECRET_PROVES

DROP_RIGHTS = "os.geteuid() or (os.setgroups([]), os.setgid(65534), os.setuid(65534))"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "file.md"

FIVE = ["W-0001", "W-0002", "W-0003", "W-0004", "W-0005"]


@pytest.fixture
def begun(moderator):
    """The workbook that `init` makes."""
    assert moderator.types("init", BOOK).code == 0
    return moderator


@pytest.fixture
def simple(moderator):
    """A plain workbook with one war ready."""
    write(moderator.book, only(season(), "W-0004"))
    return moderator


def test_the_five_example_wars_are_ruled_in_one_run(begun):
    said = begun.types("run", BOOK)

    assert said.code == 0
    assert said.out.splitlines()[-1] == "5 requests ruled; season.xlsx is written."
    requests = shown(begun.book, "War Requests")[:5]
    assert [row["Request"] for row in requests] == FIVE
    assert {row["Status"] for row in requests} == {"Done"}
    for row in requests:
        assert row["Winner"] in (row["Attacker"], row["Defender"])
        assert all(
            row[header] for header in ("Message", "Occupation", "Attacker Losses", "Defender Losses", "Duration")
        )
        assert datetime.fromisoformat(row["Ruled At"]).tzinfo is not None
    receipts = [row for row in shown(begun.book, "Receipts") if row["Kind"] == "Ruling"]
    assert [row["Request"] for row in receipts] == FIVE
    assert receipts[1]["Receipt"].startswith("== Hastings, 1066 ==")
    assert {row["Request"] for row in shown(begun.book, "Log")} == set(FIVE)


def test_flr_01_a_flank_without_a_request_is_reported_beside_rulings(moderator):
    rows = only(season(), "W-0004")
    for row in rows["Flanks"]:
        row["Request"] = "W-0O05"
    write(moderator.book, rows)

    said = moderator.types("run", BOOK)

    assert said.code == 1
    cell, says = "Flanks!A2 (W-0O05, Defender, west wall, Request)", 'war not found: "W-0O05"'
    assert said.out.splitlines()[0] == f'{cell}: {says}. Did you mean "W-0005"? [FLR-01]'
    assert said.out.splitlines()[-1] == "1 request ruled; season.xlsx is written."
    assert sum("W-0O05" in line for line in said.out.splitlines()) == 1


def test_flr_01_a_strategy_may_precede_its_war(begun):
    """The ids of a new workbook's empty rows are there from the start."""
    edit(begun.book, "Flanks", "Request", 5, "W-0006")
    edit(begun.book, "Flanks", "Side", 5, "Attacker")
    edit(begun.book, "Flanks", "X", 5, 200)

    said = begun.types("check", BOOK).out.splitlines()
    assert [line for line in said if ": Forecast: " not in line] == [
        'Flanks!A5 (W-0006, Attacker, Request): the row of war "W-0006" is still empty.'
        " Fill it in on the tab War Requests. [FLR-01]",
        "1 error, 0 warnings.",
    ]
    said = begun.types("run", BOOK)
    assert (said.code, said.out.splitlines()[-1]) == (0, "5 requests ruled; season.xlsx is written.")


def test_refused_requests_are_counted_and_repeated_by_a_second_run(moderator):
    rows = only(season(), "W-0001", "W-0004")
    rows["War Requests"][0]["Attacker"] = "Engalnd"
    write(moderator.book, rows)

    first, second = moderator.types("run", BOOK), moderator.types("run", BOOK)

    assert first.out.splitlines()[-1] == "1 request ruled, 1 refused; season.xlsx is written."
    assert second.out.splitlines()[-1] == "Nothing new: 1 request refused as before; season.xlsx is as it was."
    assert first.code == second.code == 1


def test_a_ruling_is_reported_once_beside_a_copy_without_an_id(moderator):
    """The copy's id is a formula; the first pass rules the war, the second completes its log."""
    write(moderator.book, only(season(), "W-0004"), finish=copy_with_formula)
    cache_formula(moderator.book, "W-0004")

    first, second = (moderator.types("run", BOOK, SHEETS_ALGO_HOW_LUCKY="true") for _ in range(2))

    assert [line[:17].split() for line in first.out.splitlines() if line.startswith("W-")] == [
        ["W-0004", "Done"],
        ["W-0004", "Invalid"],
    ]
    assert first.out.splitlines()[-1] == "1 request ruled, 1 refused; season.xlsx is written."
    assert second.out.splitlines()[-1] == "Nothing new: 1 request refused as before; season.xlsx is as it was."


def copy_with_formula(book: openpyxl.Workbook) -> None:
    """Copy the fourth war below the last one, with a formula that shows its id."""
    sheet = book["War Requests"]
    heads = [cell.value for cell in sheet[1]]
    cells = [cell.value for cell in sheet[5]]
    assert (heads[0], cells[0]) == ("Request", "W-0004")
    sheet.append(["=A5", *cells[1:]])


def cache_formula(book: Path, shows: str) -> None:
    """Store what the only formula of a workbook shows, as the program of whoever typed it would."""
    with zipfile.ZipFile(book) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    for name, content in parts.items():
        parts[name] = re.sub(
            rb'<c r="(\w+)"([^>]*)><f>(\w+)</f><v ?/?>(</v>)?</c>',
            rb'<c r="\1"\2 t="str"><f>\3</f><v>' + shows.encode() + rb"</v></c>",
            content,
        )
    with zipfile.ZipFile(book, "w") as package:
        for name, content in parts.items():
            package.writestr(name, content)


def test_logs_and_pictures_are_beside_the_workbook(begun):
    said = begun.types("run", "--json", BOOK, **DRAWING).data

    assert len(said["logs"]) == len(said["pictures"]) == 5
    for log in said["logs"]:
        assert (begun.folder / log).read_text(encoding="utf-8").count("\n") > 20
    for picture in said["pictures"]:
        with Image.open(begun.folder / picture) as image:
            assert image.format == "PNG"


def test_fc_06_the_log_ends_with_the_luck_of_the_war(moderator):
    write(moderator.book, only(season(), "W-0004"))

    assert moderator.types("run", BOOK, SHEETS_ALGO_HOW_LUCKY="true").code == 0

    odds, *numbers = shown(moderator.book, "Log")[-4:]
    assert re.fullmatch(r"(Attacker|Defender) won, as in \d+ of 100 others", odds["Text"])
    assert all(re.search(r", more than in \d+ % of 100 others$", row["Text"]) for row in numbers)


def test_the_last_battle_is_shown_in_the_battle_map(begun):
    said = begun.types("run", "--json", BOOK, **DRAWING).data

    with zipfile.ZipFile(begun.book) as package:
        pictures = [name for name in package.namelist() if name.startswith("xl/media/")]
        assert len(pictures) == 1
        placed = package.read(pictures[0])
    saved = (begun.folder / said["pictures"][-1]).read_bytes()
    with Image.open(io.BytesIO(placed)) as one, Image.open(io.BytesIO(saved)) as other:
        assert one.tobytes() == other.tobytes()


def test_a_second_run_changes_nothing(begun):
    begun.types("run", BOOK)
    before = begun.files()

    said = begun.types("run", BOOK)

    assert (said.code, said.out) == (0, "Nothing to do: season.xlsx is as it was.\n")
    assert begun.files() == before


def test_a_dry_run_writes_nothing_anywhere(begun):
    """Not the workbook, no log, no picture, no secret, nothing hidden."""
    before = begun.files()

    said = begun.types("run", "--dry-run", BOOK)

    assert said.code == 0
    assert said.out.splitlines()[-1] == "5 requests would be ruled. Nothing is written (dry run)."
    assert begun.files() == before


@pytest.mark.parametrize("command", ["check", "verify", "explain", "replay"])
def test_read_only_commands_write_nothing(begun, command):
    begun.types("run", BOOK)
    before = begun.files()

    said = begun.types(command, BOOK, *(["W-0002"] if command in ("explain", "replay") else []))

    proves = f"{SECRET_PROVES}\n" if command == "verify" else ""
    assert (said.code, said.err) == (0, proves)
    assert begun.files() == before


def test_stability_and_fates_of_leaders_are_written_into_the_database(simple):
    """STAB-05: what the receipt says is what the next war begins with."""
    said = simple.types("run", "--json", BOOK).data
    receipt = next(request["receipt"] for request in said["requests"] if request["request"] == "W-0004")

    for nation in ("Seljuk Sultanate", "Byzantium"):
        after = row_of(simple.book, "Nations", "Name", nation)["Stability"]
        assert f"→ {after:g} (" in receipt


def test_json_has_every_field_of_a_ruling(simple):
    said = simple.types("run", "--json", BOOK).data

    assert set(said) == {"workbook", "written", "requests", "problems", "logs", "pictures", "pages", "exit_code"}
    assert (said["workbook"], said["written"], said["exit_code"]) == (BOOK, True, 0)
    ruled = next(request for request in said["requests"] if request["status"] == "Done")
    assert set(ruled) == {"request", "status", "message", "problems", "seq", "winner", "receipt", "seed", "numbers"}


def test_json_has_every_part_of_a_problem(simple):
    rows = season()
    rows["Locations"][2]["Climate"] = "Damp"
    write(simple.book, rows)

    (problem,) = simple.types("check", "--json", BOOK).data["problems"]

    assert problem | {"text": "", "allowed": ""} == {
        "cell": "Locations!C4",
        "tab": "Locations",
        "row": "Manzikert",
        "column": "Climate",
        "found": "Damp",
        "allowed": "",
        "nearest": "",
        "rule": "LOC-03",
        "severity": "error",
        "text": "",
    }
    assert problem["text"].startswith('Locations!C4 (Manzikert, Climate): "Damp" is not allowed. Use Ocean,')


def test_json_of_a_failure_is_one_object_too(moderator):
    said = moderator.types("run", "--json", "nowhere.xlsx")

    assert json.loads(said.out) == {"error": "nowhere.xlsx: there is no such file.", "exit_code": 3}
    assert said.err == "sheets-algo: nowhere.xlsx: there is no such file.\n"


def test_the_title_of_a_spreadsheet_is_not_an_address(moderator):
    assert moderator.types("check", "My game").err == (
        "sheets-algo: My game: there is no such file. A Google spreadsheet is named by its address: copy that from the"
        " browser.\n"
    )


def test_check_reads_the_results_of_the_orders_above(moderator):
    """Tax may be set once a round: alone, each row would be in order."""
    rows = season("rounds")
    anna, bola = ({"Player": name, "Order": "Set tax", "Ready": True} for name in ("Anna", "Bola"))
    rows["Round Requests"] = [
        anna | {"Request": "R-1", "Tax %": 15},
        bola | {"Request": "R-2", "Tax %": 16},
        anna | {"Request": "R-3", "Tax %": 17},
        bola | {"Request": "R-4", "Tax %": 16},
    ]
    write(moderator.book, rows)
    before = moderator.files()

    checked = moderator.types("check", BOOK)

    assert (checked.code, checked.out.splitlines()[-1]) == (0, "0 errors, 2 warnings.")
    assert "(R-3, Tax %): warning: Anna has already set the tax in round 3. It lapses with its turn," in checked.out
    assert "(R-4, Tax %): warning: Bola has already set the tax in round 3." in checked.out
    assert moderator.files() == before


def test_rcp_19_a_link_shares_secret_logs_and_record_with_its_file(moderator):
    real, desk = moderator.folder / "real", moderator.folder / "desk"
    for folder in (real, desk):
        folder.mkdir()
    book = write(real / BOOK, only(season(), "W-0001"))
    (desk / "link.xlsx").symlink_to(f"../real/{BOOK}")
    before = book.read_bytes()

    assert moderator.types("run", "desk/link.xlsx").code == 0
    assert [*desk.iterdir()] == [desk / "link.xlsx"]
    assert len([*(real / "logs").iterdir()]) == 1

    book.write_bytes(before)  # an older version, brought back
    for path in ("desk/link.xlsx", f"real/{BOOK}"):
        assert "receipt 2 is gone; the record on this computer says" in moderator.types("check", path).out


def test_db_04_a_misspelt_request_tab_is_reported_beside_other_rulesets(moderator):
    write(
        moderator.book,
        season() | only(season("jousts")),
        finish=lambda book: rename(book, "War Requests", "War Request"),
    )

    ruled = moderator.types("run", BOOK)

    assert "'War Request': the title of this tab looks like \"War Requests\", which is missing." in ruled.out
    assert ruled.code == 1


def rename(book, tab, title):
    book[tab].title = title


def test_an_invalid_request_waits_for_its_correction(simple):
    """The others are ruled, the code says that something is wrong, and mending is all that is needed."""
    rows = only(season(), "W-0004", "W-0005")
    rows["War Requests"][3]["Year"] = "MLXXI"
    write(simple.book, rows)

    first = simple.types("run", BOOK)
    message = row_of(simple.book, "War Requests", "Request", "W-0004")

    assert first.code == 1
    assert message["Status"] == "Invalid"
    assert message["Message"].startswith("'War Requests'!C5 (W-0004, Year): \"MLXXI\" is not a number.")
    assert row_of(simple.book, "War Requests", "Request", "W-0005")["Status"] == "Done"

    edit(simple.book, "War Requests", "Year", 5, 1071)

    assert simple.types("run", BOOK).code == 0
    assert row_of(simple.book, "War Requests", "Request", "W-0004")["Status"] == "Done"


CHANGED = {"Nations": {"Stability"}, "Militaries": {"Size"}, "Leaders": {"Status"}}
"""Columns of the database that rulings write."""


def test_people_s_cells_stay_unchanged(simple):
    """Only the program's columns and what the ruling changes differ."""
    before = {tab: shown(simple.book, tab) for tab in ("War Requests", "Nations", "Militaries", "Locations", "Leaders")}

    simple.types("run", BOOK)

    for tab, rows in before.items():
        for old, new in zip(rows, shown(simple.book, tab), strict=True):
            written = {header for header in old if old[header] != new[header]}
            if tab == "War Requests":
                written -= {"Status", "Message", "Winner", "Occupation", "Attacker Losses", "Defender Losses"}
                written -= {"Duration", "Ruled At"}
            assert written <= CHANGED.get(tab, set())


def test_only_the_owner_can_read_the_secret_which_is_nowhere_else(begun):
    begun.types("run", BOOK)
    (file,) = (begun.folder / ".sheets-algo" / "secrets").iterdir()

    assert file.stat().st_mode & 0o777 == 0o600
    secret = file.read_text().strip().encode()
    for other in begun.folder.rglob("*"):
        if other.is_file() and other != file:
            assert secret not in other.read_bytes()
            if other.suffix == ".xlsx":
                with zipfile.ZipFile(other) as package:
                    assert not any(secret in package.read(name) for name in package.namelist())


def test_the_same_request_gives_the_same_battle_after_a_loss(simple):
    """An old copy gives the published receipt again once the workbook is lost."""
    copy = simple.folder / "elsewhere" / BOOK
    copy.parent.mkdir()
    shutil.copy(simple.book, copy)
    secret = {"SHEETS_ALGO_SECRET": "a season secret that only tests know"}

    first = simple.types("run", "--json", BOOK, **secret).data
    simple.book.unlink()
    again = simple.types("run", "--json", copy, **secret).data

    assert [request.get("receipt") for request in first["requests"]] == [
        request.get("receipt") for request in again["requests"]
    ]


def test_without_the_setting_the_map_is_only_in_the_workbook(simple):
    said = simple.types("run", "--json", BOOK).data

    assert said["pictures"] == []
    assert not (simple.folder / "pictures").exists()
    with zipfile.ZipFile(simple.book) as package:
        assert any(name.startswith("xl/media/") for name in package.namelist())


def test_unwritable_pictures_do_not_undo_the_ruling(simple):
    """The receipt stands, and one sentence says how to come by the picture."""
    (simple.folder / "pictures").write_text("in the way")

    said = simple.types("run", BOOK, **DRAWING)

    assert said.code == 0
    assert said.err.startswith("pictures/season W-0004 Manzikert, 1071.png cannot be written")
    (simple.folder / "pictures").unlink()
    assert "picture  pictures/season W-0004 Manzikert, 1071.png\n" in simple.types("run", BOOK, **DRAWING).out
    assert row_of(simple.book, "War Requests", "Request", "W-0004")["Status"] == "Done"
    assert simple.types("replay", BOOK, "W-0004", "--png", "map.png").code == 0


def test_log_01_the_console_prints_the_battle_hour_by_hour_like_the_file(simple):
    said = simple.types("run", BOOK, "--verbose")

    (log,) = (simple.folder / "logs").iterdir()
    lines = log.read_text().splitlines()
    heard = said.err.splitlines()
    assert [line.split() for line in heard[: len(lines)]] == [line.split() for line in lines]


def test_an_unwritable_record_stops_the_run(simple):
    """Without its line nobody would know whose files have to be made."""
    shutil.rmtree(simple.folder / ".sheets-algo", ignore_errors=True)
    (simple.folder / ".sheets-algo").write_text("in the way")
    before = simple.book.read_bytes()

    said = simple.types("run", BOOK, SHEETS_ALGO_SECRET=SECRET.key.decode())

    assert said.code == 3
    says = "The record of the season cannot be written to .sheets-algo (File exists), and nothing is ruled without it."
    assert said.err == f"sheets-algo: {says}\n"
    assert simple.book.read_bytes() == before


def test_run_json_has_losses_occupation_and_stability_as_numbers(moderator):
    rows = only(season(), "W-0004")
    for request in rows["War Requests"]:
        request["Seed"] = 3  # the attacker wins
    write(moderator.book, rows)

    ruled = moderator.types("run", BOOK, "--json").data["requests"]

    row = row_of(moderator.book, "War Requests", "Request", "W-0004")
    [numbers] = [request["numbers"] for request in ruled if request["request"] == "W-0004"]
    occupation = numbers["occupation"]
    assert f"{occupation['band']} ({occupation['result']:.2f})" == row["Occupation"]
    for side, nation in (("attacker", "Seljuk Sultanate"), ("defender", "Byzantium")):
        found = numbers[side]
        lost = sum(found[fate] for fate in ("killed", "wounded", "died", "captured", "missing"))
        assert found["nation"] == nation
        assert found["men"] == found["left"] + lost
        assert row[f"{side.capitalize()} Losses"].startswith(
            f"{lost:,} of {found['men']:,} (killed {found['killed']:,},"
        )
        assert row_of(moderator.book, "Nations", "Name", nation)["Stability"] == found["stability"]["after"]


def test_db_10_six_cells_are_enough_for_a_first_war(moderator):
    """The row that the page on files shows, in the workbook that it makes, whose Guide says so too."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    first = lines.index("| War | Year | Attacker | Defender | Location | Ready |")
    heads, _, cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[first : first + 3]]
    moderator.types("init", "--empty", BOOK)
    for head, cell in zip(heads, cells, strict=True):
        edit(moderator.book, "War Requests", head, 2, {"TRUE": True, "1200": 1200}.get(cell, cell))

    said = moderator.types("run", BOOK)

    assert (said.code, row_of(moderator.book, "War Requests", "Request", "W-0001")["Status"]) == (0, "Done")
    guide = [str(row[0].value) for row in openpyxl.load_workbook(moderator.book)["Guide"].iter_rows()]
    assert (
        "1. 6 cells of War Requests are enough for a first try: War and Year, the word default as Attacker, Defender"
        " and Location, and Ready."
    ) in guide


def test_a_workbook_saved_by_another_program_after_a_ruling_is_ruled_again(moderator):
    """Excel, LibreOffice and openpyxl give the picture of the last battle a name of their own; it is replaced."""
    rows = season()
    rows["War Requests"][1]["Ready"] = False
    write(moderator.book, rows)
    assert moderator.types("run", BOOK).code == 0
    edit(moderator.book, "War Requests", "Ready", 3, True)
    assert "xl/media/image1.png" in zipfile.ZipFile(moderator.book).namelist()

    said = moderator.types("run", BOOK)

    assert (said.code, row_of(moderator.book, "War Requests", "Request", "W-0002")["Status"]) == (0, "Done")
    assert "xl/media/image1.png" not in zipfile.ZipFile(moderator.book).namelist()


def type_in(path, tab, cells):
    """Type values into cells of a tab, by row and header."""
    book = openpyxl.load_workbook(path)
    heads = {cell.value: cell.column for cell in book[tab][1]}
    for (row, head), value in cells.items():
        book[tab].cell(row, heads[head]).value = value
    book.save(path)


def test_req_18_a_lapsed_order_stays_lapsed_in_every_command(moderator):
    """Anna's second tax was refused, nobody could mend it, and the round of everybody waited for it."""
    tab = "Round Requests"
    assert moderator.types("init", BOOK, "--ruleset", "rounds").code == 0
    second_tax = {(5, "Order"): "Set tax", (5, "Tax %"): 12, (5, "Gold ¤"): None}
    ready = {(row, "Ready"): row in (2, 5, 7) for row in range(2, 8)}
    type_in(moderator.book, tab, ready | second_tax)
    assert moderator.types("run", BOOK).code == 0
    written = moderator.book.read_bytes()

    row = row_of(moderator.book, tab, "Request", "R-0004")
    assert (row["Status"], row["Message"]) == (
        "Lapsed",
        "Lapsed with R-0006: Anna has already set the tax in round 3 (R-0001). Type a new order into another row",
    )
    for command in (("check",), ("run",), ("verify",), ("doctor",), ("season", "--site", "pages")):
        done = moderator.types(command[0], BOOK, *command[1:])
        assert done.code == 0, (command, done.out, done.err)
    assert moderator.book.read_bytes() == written


def test_a_workbook_without_a_season_refers_to_init(moderator):
    """RCP-13: nothing is ruled, no secret is made, and the sentence says what to type."""
    write(moderator.book, only(season(), "W-0004"), finish=lambda book: book.remove(book["Receipts"]))

    said = moderator.types("run", BOOK)

    assert said.code == 3
    assert "Receipts: no season has begun in this workbook, so nothing is ruled." in said.out
    assert "Type sheets-algo init WORKBOOK first. [RCP-13]" in said.out
    assert moderator.types("init", BOOK).code == 0
    assert moderator.types("run", BOOK).code == 0
    assert row_of(moderator.book, "War Requests", "Request", "W-0004")["Status"] == "Done"


def test_an_output_without_a_character_prints_a_question_mark(simple):
    said = simple.types("check", BOOK, PYTHONIOENCODING="iso8859-5")

    assert (said.code, said.out.splitlines()[-1]) == (0, "No problems.")
    assert "defender wins" in said.out
    assert "????" in said.out, "the bar of the odds"


def test_an_output_without_minus_and_arrow_prints_others(simple):
    simple.types("run", BOOK)

    names = ("iso8859-5", "utf-8")
    lacking, whole = (simple.types("explain", BOOK, "W-0004", PYTHONIOENCODING=name).out for name in names)

    plain = whole.replace("−", "-").replace("–", "-").replace("→", "->")
    assert {"−", "–", "→"} <= set(whole)
    assert lacking == re.sub(r"[^ -~\n]", "?", plain)


def test_json_is_the_same_in_every_encoding_and_keeps_names(simple):
    """Letters that the console lacks were `?`, and the others were not UTF-8."""
    edit(simple.book, "War Requests", "War", 2, "Łódź, 東京")

    printed = [simple.types("check", BOOK, "--json", PYTHONIOENCODING=name) for name in ("cp1252", "utf-8")]

    assert printed[0].out == printed[1].out
    assert "Łódź, 東京" in str(printed[0].data), printed[0].out


def test_a_forbidden_folder_is_reported_in_one_sentence(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir()
    code = f"import os; from sheets_algo.cli import main; os.chmod('.', 0); {DROP_RIGHTS}; main(['doctor'])"
    said = subprocess.run([sys.executable, "-c", code], cwd=closed, capture_output=True, text=True)

    assert (said.returncode, said.stdout) == (1, "")
    assert said.stderr == "Error: this account may not enter the current folder; go to another one first.\n"
