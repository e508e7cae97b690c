"""Runs that are killed beside the workbook: the next one makes files from receipts, and tidies up."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.support.moderator import BOOK, DRAWING, Moderator, only, season, shown, write
from scripts.support.season_records import forget

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are killed as POSIX has it")

KILLED = """
import os, signal, sys

def stop(event, arguments):
    global left
    if event == sys.argv[1] and sys.argv[2] in str(arguments):
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

left = int(sys.argv[3])
sys.addaudithook(stop)
from sheets_algo.cli import main
main(sys.argv[4:])
"""


def killed(moderator: Moderator, event: str, path: str, *typed: str, nth: int = 1) -> bool:
    """Type a command in a process that is killed at the nth such event with such a path; return False if it ends."""
    words = [sys.executable, "-c", KILLED, event, path, str(nth), *(typed or ("run", BOOK))]
    done = subprocess.run(
        words, cwd=moderator.folder, env=moderator.environment(DRAWING), capture_output=True, check=False
    )
    assert done.returncode in (-9, 0), done.stderr
    return done.returncode == -9


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir()) if folder.is_dir() else []


def strays(moderator: Moderator) -> list[str]:
    found = (str(file.relative_to(moderator.folder)) for file in moderator.folder.rglob("*") if file.is_file())
    known = (BOOK, "logs/", "pictures/", ".sheets-algo/backups/", ".sheets-algo/secrets/", ".sheets-algo/record-")
    return [name for name in found if not name.startswith(known)]


def is_complete(moderator: Moderator) -> None:
    """One log, one picture, one backup, and nothing else."""
    assert [row["Status"] for row in shown(moderator.book, "War Requests")][3] == "Done"
    (log,) = names(moderator.folder / "logs")
    assert log.endswith(" W-0004.txt")
    assert names(moderator.folder / "pictures") == ["season W-0004 Manzikert, 1071.png"]
    assert len(names(moderator.folder / ".sheets-algo" / "backups")) == 1
    assert strays(moderator) == []


def test_the_next_run_draws_the_picture_of_a_killed_run(moderator):
    write(moderator.book, only(season(), "W-0004"))
    assert killed(moderator, "open", "/pictures/.")
    assert names(moderator.folder / "pictures") == []
    before = moderator.book.read_bytes()

    again = moderator.types("run", BOOK, **DRAWING)

    assert again.code == 0
    assert moderator.book.read_bytes() == before
    is_complete(moderator)
    picture = next((moderator.folder / "pictures").iterdir())
    drawn = picture.read_bytes()
    assert moderator.types("replay", BOOK, "W-0004", "--png", "again.png").code == 0
    assert (moderator.folder / "again.png").read_bytes() == drawn


def test_a_run_killed_before_its_commit_leaves_no_log(moderator):
    write(moderator.book, only(season(), "W-0004"))
    assert killed(moderator, "ctypes.dlsym", "renameat2")  # the copy and the workbook are about to be exchanged
    assert names(moderator.folder / "logs") == []

    assert moderator.types("run", BOOK, **DRAWING).code == 0

    is_complete(moderator)


def test_a_log_lost_before_the_picture_is_written_again(moderator):
    write(moderator.book, only(season(), "W-0004"))
    assert killed(moderator, "open", "/pictures/.")
    (log,) = (moderator.folder / "logs").iterdir()
    text = log.read_text()
    log.unlink()

    assert moderator.types("run", BOOK, **DRAWING).code == 0

    is_complete(moderator)
    assert next((moderator.folder / "logs").iterdir()).read_text() == text


WRITES = [
    *(("open", "record-", nth) for nth in range(1, 8)),
    *(("os.rename", path, 1) for path in ("/logs/.", "/pictures/.", "season.xlsx")),
    ("os.remove", f".{BOOK}.sheets-algo.lock", 1),
]
"""The writes of a run beside the workbook: each line of the record, and each file as it gets its name."""


@pytest.mark.parametrize(("event", "path", "nth"), WRITES)
def test_the_next_run_completes_a_run_killed_at_any_write(moderator, event, path, nth):
    write(moderator.book, only(season(), "W-0004"))
    killed(moderator, event, path, nth=nth)

    assert moderator.types("run", BOOK, **DRAWING).code == 0

    is_complete(moderator)


@pytest.mark.parametrize(
    ("event", "path", "nth"), [("open", "record-", 2), ("open", "record-", 4), ("open", "/site/", 3)]
)
def test_the_next_run_completes_the_site_after_a_killed_undo(moderator, event, path, nth):
    write(moderator.book, only(season(), "W-0004"))
    (moderator.folder / "sheets-algo.toml").write_text('site = "site"\n', "utf-8")
    assert moderator.types("run", BOOK, **DRAWING).code == 0
    killed(moderator, event, path, "undo", BOOK, "W-0004", nth=nth)

    assert moderator.types("run", BOOK, **DRAWING).code == 0
    if shown(moderator.book, "Receipts")[-1]["Kind"] != "Undo":  # it was killed before it wrote
        assert moderator.types("undo", BOOK, "W-0004").code == 0

    before = {file: file.read_bytes() for file in (moderator.folder / "site").rglob("*.html")}
    assert moderator.types("season", BOOK, "--site", "site").code == 0
    assert {file: file.read_bytes() for file in (moderator.folder / "site").rglob("*.html")} == before


@pytest.mark.parametrize("gone", ["logs", "pictures", ".sheets-algo/record", "logs and record"])
def test_a_file_deleted_after_a_kill_is_no_loss(moderator, gone):
    """Without the record nobody knows that the run was killed: then `season --files` makes what is missing."""
    write(moderator.book, only(season(), "W-0004"))
    assert killed(moderator, "open", "/pictures/.")
    if "logs" in gone:
        shutil.rmtree(moderator.folder / "logs")
    if "record" in gone:
        forget(moderator.folder)

    assert moderator.types("run", BOOK, **DRAWING).code == 0
    if "record" in gone:
        assert names(moderator.folder / "pictures") == []
        made = moderator.types("season", BOOK, "--files", **DRAWING)
        assert "pictures/season W-0004 Manzikert, 1071.png" in made.err + made.out

    is_complete(moderator)
