"""Runs that are killed beside the workbook: the next one makes up for pictures, logs and journal, and tidies up."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.support.moderator import BOOK, DRAWING, Moderator, only, season, shown, write

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are killed as POSIX has it")

KILLED = """
import os, signal, sys

def stop(event, arguments):
    if event == sys.argv[1] and sys.argv[2] in str(arguments):
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(stop)
from sheets_algo.cli import main
main(["run", "season.xlsx"])
"""


def killed(moderator: Moderator, event: str, path: str) -> None:
    """Run in a process that is killed at the first such event with such a path."""
    words = [sys.executable, "-c", KILLED, event, path]
    done = subprocess.run(
        words, cwd=moderator.folder, env=moderator.environment(DRAWING), capture_output=True, check=False
    )
    assert done.returncode == -9, done.stderr


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir()) if folder.is_dir() else []


def strays(moderator: Moderator) -> list[str]:
    found = (str(file.relative_to(moderator.folder)) for file in moderator.folder.rglob("*") if file.is_file())
    known = (BOOK, "logs/", "pictures/", ".sheets-algo/backups/", ".sheets-algo/secrets/", ".sheets-algo/heads/")
    known += (".sheets-algo/journal.jsonl",)
    return [name for name in found if not name.startswith(known)]


def is_complete(moderator: Moderator) -> None:
    """One log, one picture, one backup and one line of the journal, and nothing else."""
    assert [row["Status"] for row in shown(moderator.book, "War Requests")][3] == "Done"
    (log,) = names(moderator.folder / "logs")
    assert log.endswith(" W-0004.txt")
    assert names(moderator.folder / "pictures") == ["season W-0004 Manzikert, 1071.png"]
    lines = (moderator.folder / ".sheets-algo" / "journal.jsonl").read_text().splitlines()
    assert names(moderator.folder / ".sheets-algo" / "backups") == [json.loads(line)["backup"] for line in lines]
    assert len(lines) == 1
    assert strays(moderator) == []


def test_killed_before_the_picture_it_is_drawn_by_the_next_run_that_rules_nothing(moderator):
    write(moderator.book, only(season(), "W-0004"))
    killed(moderator, "open", "/pictures/.")
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


def test_killed_after_the_log_it_is_written_anew_and_the_first_one_goes(moderator):
    write(moderator.book, only(season(), "W-0004"))
    killed(moderator, "ctypes.dlsym", "renameat2")  # the copy and the workbook are about to be exchanged
    (first,) = (moderator.folder / "logs").iterdir()
    first.write_text("cut off\n")
    (moderator.folder / "logs" / "mine.txt").write_text("a person's\n")

    assert moderator.types("run", BOOK, **DRAWING).code == 0

    (moderator.folder / "logs" / "mine.txt").unlink()
    is_complete(moderator)
    assert [log.read_text() for log in (moderator.folder / "logs").iterdir()] != ["cut off\n"]


def test_killed_before_the_picture_a_lost_log_is_written_again(moderator):
    write(moderator.book, only(season(), "W-0004"))
    killed(moderator, "open", "/pictures/.")
    (log,) = (moderator.folder / "logs").iterdir()
    text = log.read_text()
    log.unlink()

    assert moderator.types("run", BOOK, **DRAWING).code == 0

    is_complete(moderator)
    assert next((moderator.folder / "logs").iterdir()).read_text() == text


@pytest.mark.parametrize(
    ("event", "path"), [("open", ".pass"), ("os.rename", "/pictures/."), ("os.remove", f".{BOOK}.sheets-algo.lock")]
)
def test_killed_with_a_file_half_made_nothing_is_left_by_the_next_run(moderator, event, path):
    """Before the note of the log, before the picture has its name, and before the lock is released."""
    write(moderator.book, only(season(), "W-0004"))
    killed(moderator, event, path)

    assert moderator.types("run", BOOK, **DRAWING).code == 0

    is_complete(moderator)
