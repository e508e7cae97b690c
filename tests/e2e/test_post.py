"""Receipts posted by the installed command to a program of a moderator, each once, and what is said if it fails."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from scripts.support.moderator import Moderator, only, season, shown, write
from scripts.support.patience import wait_until
from scripts.support.season_records import age, records

KEEP = """
import json, os, sys, time
post = json.load(sys.stdin)
with open("kept.jsonl", "a", encoding="utf-8") as file:
    file.write(json.dumps(post) + "\\n")
if os.path.exists("sleep"):
    time.sleep(30)
if os.path.exists("code"):
    sys.exit(int(open("code").read()))
print("post-" + str(post["number"]))
"""
POSTING = Path(__file__).parents[2] / "docs" / "posting-programs.md"
HOSTILE = "@everyone [[File:x.png]] {{delete}} <!-- sheets-algo --> \u202eעברית " + "x" * 1_900


@pytest.fixture
def poster(moderator: Moderator) -> Moderator:
    """A moderator with a workbook of which one war is ready, and a channel."""
    (moderator.folder / "keep.py").write_text(KEEP, "utf-8")
    channel = f'[[post]]\nname = "archive"\nto = "command"\ncommand = ["{sys.executable}", "keep.py"]\n'
    (moderator.folder / "sheets-algo.toml").write_text(f"post_after_run = false\n{channel}", "utf-8")
    write(moderator.book, only(season(), "W-0001", "W-0002"))
    return moderator


def kept(moderator: Moderator) -> list[dict[str, Any]]:
    file = moderator.folder / "kept.jsonl"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


def posts(moderator: Moderator, *heads: str) -> list[tuple[Any, ...]]:
    return [tuple(row[head] for head in heads) for row in shown(moderator.book, "Posts")]


def test_receipts_are_posted_once_and_an_undo_names_its_post(poster):
    assert poster.types("run", poster.book).code == 0
    assert posts(poster, "Seq", "State") == [(2, "Waiting"), (3, "Waiting")]
    assert kept(poster) == []
    sheet = openpyxl.load_workbook(poster.book)["Posts"]
    (rule,) = [rule for rule in sheet.data_validations.dataValidation if rule.type == "list"]
    action = [cell.value for cell in sheet[1]].index("Action") + 1
    assert (rule.formula1, {area.min_col for area in rule.sqref.ranges}) == ('"Send again,Posted"', {action})
    assert rule.errorStyle == "warning"  # `Posted 123` can be typed too

    said = poster.types("post", poster.book)
    assert (said.code, said.out.splitlines()) == (0, ["Receipt 2, archive: posted.", "Receipt 3, archive: posted."])
    assert posts(poster, "Seq", "State", "Reference", "Attempts") == [
        (2, "Posted", "post-2", 1),
        (3, "Posted", "post-3", 1),
    ]
    first, second = kept(poster)
    receipts = [row for row in shown(poster.book, "Receipts") if row["Kind"] == "Ruling"]
    assert [first["wiki"], second["wiki"]] == [row["Receipt"] for row in receipts]
    assert first["title"] == receipts[0]["War"]
    lines = {line["label"]: line["text"] for block in first["blocks"] for line in block["lines"]}
    assert lines["Motive and location"].endswith(", York and the Derwent")
    assert first["headline"].split()[0] == {"Attacker": "England", "Defender": "Norway"}[first["winner"]]
    assert first["picture"].startswith("iVBORw0KGgo")

    assert poster.types("post", poster.book).out == "Nothing to post.\n"
    assert poster.types("undo", poster.book, "W-0002").code == 0
    assert poster.types("post", poster.book).code == 0
    *_, undone = kept(poster)
    assert len(kept(poster)) == 3
    assert (undone["kind"], undone["corrects"], undone["undoes"]["number"]) == ("Undo", "post-3", 3)


def test_a_dry_run_shows_the_posts_and_sends_none(poster):
    poster.types("run", poster.book)
    before = poster.files()

    said = poster.types("post", poster.book, "--dry-run")

    assert said.code == 0
    assert "Receipt 2 (W-0001), archive: would be posted (dry run):" in said.out
    assert ", York and the Derwent" in said.out
    assert poster.files() == before


def test_a_dry_run_names_failures_and_posts_to_repeat(poster):
    poster.types("run", poster.book)
    settings = poster.folder / "sheets-algo.toml"
    whole = settings.read_text("utf-8")
    template = 'template = "post.j2"\nname = "letters"'
    channel = whole.partition("\n")[2]
    settings.write_text(whole + channel.replace('name = "archive"', template), "utf-8")
    (poster.folder / "post.j2").write_text("{{ lines.Nothing }}", "utf-8")
    poster.types("undo", poster.book, "W-0002")

    said = poster.types("post", poster.book, "--dry-run")
    (poster.folder / "code").write_text("64")
    poster.types("post", poster.book)
    book = openpyxl.load_workbook(poster.book)
    heads = [cell.value for cell in book["Posts"][1]]
    book["Posts"].cell(2, heads.index("Action") + 1).value = "Send again"
    book.save(poster.book)
    sent = len(kept(poster))
    again = poster.types("post", poster.book, "--dry-run")

    assert said.code == 1
    assert re.search(r"\(W-0002\), letters: would fail \(dry run\): .*post.j2, line 1: .*Nothing", said.out)
    assert "Receipt 2 (W-0001), archive: would be posted (dry run):" in said.out
    assert "Receipt 2 (W-0001), archive: would be posted (dry run):" in again.out
    assert len(kept(poster)) == sent


@pytest.mark.parametrize(
    ("code", "state", "exit_code"), [(1, "Unsure", 1), (64, "Failed", 1), (75, "Waiting", 3)], ids=str
)
def test_a_failed_post_is_reported_in_its_row(poster, code, state, exit_code):
    poster.types("run", poster.book)
    (poster.folder / "code").write_text(str(code))

    said = poster.types("post", poster.book)

    assert said.code == exit_code
    state_now, message = posts(poster, "State", "Message")[0]
    assert state_now == state
    assert f"exit code {code}" in message


def test_a_name_with_foreign_markup_reaches_a_program_as_typed(moderator, poster):
    rows = only(season(), "W-0001")
    rows["War Requests"][0]["War"] = HOSTILE
    write(poster.book, rows)

    assert poster.types("run", poster.book).code == 0
    assert poster.types("post", poster.book).code == 0

    (post,) = kept(poster)
    assert post["war"] == post["title"] == f"{HOSTILE}, 1066".replace("\u202e", "")  # the reader of cells drops it


def test_a_hanging_channel_delays_no_ruling_and_its_post_becomes_unsure(poster):
    (poster.folder / "sleep").touch()
    write(poster.book, only(season(), "W-0001"))
    watcher = poster.begins("watch", poster.book, "--interval", "2")
    try:
        wait_until(lambda: kept(poster) != [])
        tick(poster.book, "W-0002")
        wait_until(lambda: [row["Seq"] for row in shown(poster.book, "Posts")] == [2, 3])
        assert posts(poster, "State")[0] == ("Sending",)
    finally:
        watcher.kill()
        watcher.communicate()

    said = poster.types("post", poster.book)
    assert said.code == 3
    assert posts(poster, "State") == [("Sending",), ("Waiting",)]
    assert len(kept(poster)) == 1


def test_a_run_posts_its_rulings_and_no_post_leaves_them_to_the_next(poster):
    settings = {"SHEETS_ALGO_POST_AFTER_RUN": "true"}
    assert "posted" not in poster.types("run", poster.book, "--no-post", **settings).out
    assert poster.types("run", poster.book, "--dry-run", **settings).code == 0
    assert kept(poster) == []

    said = poster.types("run", poster.book, **settings)

    assert said.code == 0
    assert said.out.splitlines()[1:] == ["Receipt 2, archive: posted.", "Receipt 3, archive: posted."]
    assert len(kept(poster)) == 2
    again = poster.types("run", poster.book, "--json", **settings)
    assert (again.code, json.loads(again.out)["posts"]["waiting"]) == (0, [])
    assert "post" not in poster.types("run", poster.book, **settings).out


@pytest.mark.parametrize(("code", "exit_code"), [(1, 1), (75, 0)])
def test_a_run_ends_with_1_if_a_post_needs_a_person(poster, code, exit_code):
    (poster.folder / "code").write_text(str(code))

    said = poster.types("run", poster.book, SHEETS_ALGO_POST_AFTER_RUN="true")

    assert said.code == exit_code
    assert f"exit code {code}" in said.out
    assert {row["Status"] for row in shown(poster.book, "War Requests")} >= {"Done"}


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ('to = "discord"\nsecret_file = "webhook.txt"', "There is no secret of archive in the file"),
        ('to = "discord"\nsecret_file = "other.txt"', "The secret of archive cannot be read from the file"),
        ('to = "command"\ncommand = ["no-such-program"]', "no-such-program cannot be run"),
    ],
)
def test_a_run_ends_with_1_if_a_channel_needs_a_person(poster, lines, says):
    (poster.folder / "sheets-algo.toml").write_text(f'[[post]]\nname = "archive"\n{lines}\n', "utf-8")
    (poster.folder / "webhook.txt").touch()

    for _ in range(2):
        said = poster.types("run", poster.book, SHEETS_ALGO_POST_AFTER_RUN="true")
        assert (said.code, says in said.out) == (1, True)
        assert said.out.endswith("2 posts still to be sent.\n")

    assert posts(poster, "State") == [("Waiting",), ("Waiting",)]
    assert posts(poster, "Message")[0][0].startswith(says)
    assert poster.types("post", poster.book).code == 1


def test_a_run_with_a_broken_template_rules_and_gives_the_reason_for_no_posts(poster):
    with (poster.folder / "sheets-algo.toml").open("a") as settings:
        settings.write('template = "post.j2"\n')
    (poster.folder / "post.j2").write_text("{% if %}")

    said = poster.types("run", poster.book, SHEETS_ALGO_POST_AFTER_RUN="true")

    assert said.code == 1
    assert said.out.splitlines()[-1].startswith("Nothing is posted now. ")
    assert posts(poster, "State") == [("Waiting",), ("Waiting",)]


def edited_receipt(poster: Moderator) -> Moderator:
    """Edit the text of the last receipt, as a person could."""
    opened = openpyxl.load_workbook(poster.book)
    sheet = opened["Receipts"]
    column = [cell.value for cell in sheet[1]].index("Receipt") + 1
    sheet.cell(sheet.max_row, column).value = "Norway wins everything."
    opened.save(poster.book)
    return poster


def copy_elsewhere(poster: Moderator) -> Moderator:
    """Copy the workbook and the settings to a computer that lacks the season's secret."""
    folder = poster.folder / "elsewhere"
    folder.mkdir()
    for name in ("sheets-algo.toml", "keep.py", poster.book.name):
        shutil.copy(poster.folder / name, folder / name)
    return dataclasses.replace(poster, folder=folder)


@pytest.mark.parametrize(
    ("happens", "says"),
    [
        (edited_receipt, "Receipts: receipt 3, or one before it, is not as it was written;"),
        (copy_elsewhere, "The season secret of this workbook (SHA-256 "),
    ],
)
def test_pst_14_nothing_is_posted_from_a_held_workbook(poster, happens, says):
    poster.types("run", poster.book)
    where = happens(poster)

    for words in (("post", where.book), ("post", where.book, "--dry-run")):
        said = where.types(*words)
        assert (said.code, said.err) == (3, "")
        assert said.out.splitlines()[0].startswith(f"Nothing is posted now. {says}")
    assert kept(where) == []
    assert posts(where, "State") == [("Waiting",), ("Waiting",)]


@pytest.mark.parametrize(
    ("comes_back", "states", "sent"),
    [
        ("workbook", ["Posted", "Posted"], 2),
        ("folder", ["Posted", "Posted"], 2),
        ("both", ["Unsure", "Unsure"], 2),
    ],
)
def test_pst_15_a_restored_backup_posts_nothing_twice_by_itself(poster, comes_back, states, sent):
    poster.types("run", poster.book)
    (poster.folder / "code").write_text("75")
    poster.types("post", poster.book)
    (poster.folder / "code").unlink()
    backup, (record,) = poster.folder / "backup.xlsx", records(poster.folder)
    shutil.copy(poster.book, backup)
    shutil.copy(record, poster.folder / "record.jsonl")
    (poster.folder / "kept.jsonl").unlink()
    poster.types("post", poster.book)
    assert len(kept(poster)) == sent

    if comes_back != "folder":
        shutil.copy(backup, poster.book)
    if comes_back != "workbook":
        shutil.copy(poster.folder / "record.jsonl", record)
        age(poster.folder)
    said = poster.types("post", poster.book)
    again = poster.types("post", poster.book)

    assert len(kept(poster)) == sent
    assert [row["State"] for row in shown(poster.book, "Posts")] == states
    if comes_back == "both":
        assert (said.code, again.code) == (1, 1)
        messages = [row["Message"] for row in shown(poster.book, "Posts")]
        assert all(re.search("put back.*look there, and set Action", message) for message in messages)
        shutil.copy(backup, poster.book)  # the workbook once more, and not the folder, which knows of the doubt
        assert poster.types("post", poster.book).code == 1
        assert len(kept(poster)) == sent
        assert [row["State"] for row in shown(poster.book, "Posts")] == states
        set_action(poster.book, 2, "Send again")
        poster.types("post", poster.book)
        assert len(kept(poster)) == sent + 1
    else:
        assert (said.code, again.out) == (0, "Nothing to post.\n")


def test_pst_15_a_backup_on_a_new_computer_needs_a_person_and_posts_new_rulings(poster):
    write(poster.book, only(season(), "W-0001"))
    secret = {"SHEETS_ALGO_SECRET": season_secret_of(poster)}
    poster.types("run", poster.book)
    backup = poster.folder / "backup.xlsx"
    shutil.copy(poster.book, backup)
    poster.types("post", poster.book)
    assert len(kept(poster)) == 1
    shutil.rmtree(poster.folder / ".sheets-algo")
    shutil.copy(backup, poster.book)
    ((written,),) = posts(poster, "Time")
    wait_until(lambda: datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") > written)  # who restores takes a second

    tick(poster.book, "W-0002")
    assert poster.types("run", poster.book, **secret).code == 0
    said = poster.types("post", poster.book, **secret)

    assert said.code == 1
    assert posts(poster, "State") == [("Unsure",), ("Posted",)]
    assert posts(poster, "Message")[0][0].startswith("This computer has not ruled this, and knows nothing of former")
    assert [post["request"] for post in kept(poster)] == ["W-0001", "W-0002"]


def season_secret_of(poster: Moderator) -> str:
    (file,) = (poster.folder / ".sheets-algo").rglob("*.secret")
    return file.read_text("utf-8")


@pytest.mark.parametrize("gone", ["row", "tab"])
def test_pst_15_first_rows_deleted_before_any_poll_are_restored(poster, gone):
    poster.types("run", poster.book)
    opened = openpyxl.load_workbook(poster.book)
    if gone == "row":
        opened["Posts"].delete_rows(2)
    else:
        del opened["Posts"]
    opened.save(poster.book)

    said = poster.types("post", poster.book)

    assert said.out.splitlines()[0] == "The row of receipt 2 for archive was gone from Posts, and is made again."
    assert [post["number"] for post in kept(poster)] == [2, 3]


def test_pst_15_a_row_deleted_before_any_poll_is_restored_and_posted(poster):
    poster.types("run", poster.book)
    poster.types("post", poster.book)
    tick(poster.book, "W-0004")
    poster.types("run", poster.book)
    opened = openpyxl.load_workbook(poster.book)
    opened["Posts"].delete_rows(4)
    opened.save(poster.book)

    said = poster.types("post", poster.book)

    assert said.out.splitlines()[:1] == ["The row of receipt 4 for archive was gone from Posts, and is made again."]
    assert [post["number"] for post in kept(poster)] == [2, 3, 4]


def test_each_game_has_its_channel_and_doctor_names_a_missing_workbook(poster):
    settings = poster.folder / "sheets-algo.toml"
    channel = settings.read_text("utf-8").partition("\n")[2]
    gaul = channel.replace('"archive"', '"gaul"') + 'workbooks = ["gaul.xlsx"]\n'
    both = channel.replace('"archive"', '"both"') + f'workbooks = ["{poster.book.name}", "gaul.xlsx"]\n'
    settings.write_text(f'{channel}workbooks = ["{poster.book.name}"]\n{gaul}{both}', "utf-8")
    write(poster.folder / "gaul.xlsx", only(season(), "W-0004"))

    assert poster.types("run", poster.book, "--no-post").code == 0
    assert poster.types("run", "gaul.xlsx", "--no-post").code == 0

    assert [row["Channel"] for row in shown(poster.book, "Posts")] == ["archive", "both"] * 2
    assert [row["Channel"] for row in shown(poster.folder / "gaul.xlsx", "Posts")] == ["gaul", "both"]
    said = poster.types("doctor", poster.book).out
    assert re.search(r"^ok +post: gaul +it is for other workbooks, and gets nothing of this one.$", said, re.M)
    assert "there is no workbook" not in said
    settings.write_text(settings.read_text("utf-8").replace('["gaul.xlsx"]', '["gual.xlsx"]'), "utf-8")
    assert re.search(r'post: gaul workbooks: there is no workbook ".*gual.xlsx". Did you mean ".*gaul.xlsx"\?',
                     " ".join(poster.types("doctor", poster.book).out.split()))  # fmt: skip


def test_doctor_shows_the_next_message_of_each_channel(poster):
    with (poster.folder / "sheets-algo.toml").open("a", encoding="utf-8") as file:
        file.write('[[post]]\nname = "room"\nto = "discord"\nsecret_file = "none.txt"\n')
    poster.types("run", poster.book)

    said = poster.types("doctor", poster.book).out

    lines = re.findall(r"^ok +post: room +(.*)$", said, re.M)
    assert lines[0] == "its next message (receipt 2) would appear so:"
    assert re.fullmatch(r"\| [\w ]+, 1066: (England|Norway) (takes|holds) .*\.", lines[1])
    assert lines[-1] == "| [map.png]"
    assert re.search(r"^ok +post: archive +\| \* '''Motive and location:''' .*, York and the Derwent$", said, re.M)
    assert kept(poster) == []
    poster.types("post", poster.book)
    assert re.search(r"post: archive +no message waits for it\.", poster.types("doctor", poster.book).out)


def set_action(book: Path, row: int, action: str) -> None:
    opened = openpyxl.load_workbook(book)
    heads = [cell.value for cell in opened["Posts"][1]]
    opened["Posts"].cell(row, heads.index("Action") + 1).value = action
    opened.save(book)


@pytest.mark.parametrize("is_whole_tab", [False, True])
def test_pst_15_lost_rows_are_reported_and_restored_unchanged(poster, is_whole_tab):
    poster.types("run", poster.book)
    poster.types("post", poster.book)
    (poster.folder / "code").write_text("64")
    poster.types("undo", poster.book, "W-0002")
    poster.types("post", poster.book)
    before = posts(poster, "Seq", "Request", "Channel", "State", "Reference", "Attempts")
    assert [row[3] for row in before] == ["Posted", "Posted", "Failed"]
    sent = len(kept(poster))
    opened = openpyxl.load_workbook(poster.book)
    if is_whole_tab:
        del opened["Posts"]
    else:
        opened["Posts"].delete_rows(2, 3)
    opened.save(poster.book)

    said = poster.types("post", poster.book)

    assert said.out.count("was gone from Posts, and is made again.") == 3
    assert posts(poster, "Seq", "Request", "Channel", "State", "Reference", "Attempts") == before
    messages = {message for (message,) in posts(poster, "Message")}
    assert messages == {"This row was gone from Posts, and is made again."}
    assert len(kept(poster)) == sent


def tick(book: Path, request: str) -> None:
    """Set Ready of a request, as a person does."""
    opened = openpyxl.load_workbook(book)
    sheet = opened["War Requests"]
    heads = [cell.value for cell in sheet[1]]
    row = next(row for row in sheet.iter_rows(min_row=2) if row[heads.index("Request")].value == request)
    row[heads.index("Ready")].value = True
    opened.save(book)


def test_the_template_of_the_docs_reports_each_side_its_own_losses(poster):
    (example,) = re.findall(r"^```\n(\*\*\{\{ war.*?)```$", POSTING.read_text("utf-8"), re.M | re.S)
    (poster.folder / "post.j2").write_text(example, "utf-8")
    with (poster.folder / "sheets-algo.toml").open("a") as settings:
        settings.write('template = "post.j2"\n')
    poster.types("run", poster.book)

    said = poster.types("post", poster.book, "--dry-run")

    told = [line.strip() for line in said.out.splitlines() if re.search(r"er: killed", line)]
    receipts = [row["Receipt"] for row in shown(poster.book, "Receipts") if row["Kind"] == "Ruling"]
    side = r"=== (.*er) ===\n(?:\* .*\n)*?\* '''Losses:''' (.*)"
    assert told == [f"{name}: {losses}" for receipt in receipts for name, losses in re.findall(side, receipt)]
    assert len(set(told)) == 4
