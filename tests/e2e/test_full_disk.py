"""A disk with hardly any room: one sentence, exit code 3, no halves of files; the workbook is the old or the new one.

Real disks stand here, small ones in memory, filled up to some bytes before each command; only root may make those.
Where a single file may not grow, as under a quota, the system's limit on file sizes does the same.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import openpyxl
import pytest

from scripts.support.moderator import BOOK, COMMAND, Moderator, only, season, shown, write
from tests.e2e.online import Online
from tests.helpers.example_budget import spread

KIB = 1024
ROOMS = (0, 12, 48, 96)
"""KiB that are left; a ruled workbook, its log, picture, journal and copy take some two hundred."""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 2 MiB."""
    place = tmp_path / "disk"
    place.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=2m,mode=0755", "tmpfs", place]
    made = subprocess.run(words, capture_output=True, text=True, check=False) if shutil.which("mount") else None
    if made is None or made.returncode:
        pytest.skip(f"no small disk can be made here: {made.stderr.strip() if made else 'there is no mount'}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


def fill(disk: Path, left: int) -> None:
    """Leave so many KiB of room."""
    room = os.statvfs(disk)
    with (disk / "filler").open("wb") as filler:
        filler.write(bytes(room.f_bavail * room.f_frsize - left * KIB))


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name != "filler"
    }


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> dict[str, bytes]:
    """Files that are new, other or gone (empty); the record of what was read and begun may be longer, but whole."""
    new = {name: content for name, content in after.items() if before.get(name) != content}
    notes = {name for name in new if Path(name).name.startswith("record-") and new[name].endswith(b"}\n")}
    return {name: content for name, content in new.items() if name not in notes} | dict.fromkeys(
        before.keys() - after, b""
    )


def is_whole(name: str, content: bytes) -> bool:
    """Whether a file that a run leaves is one that it meant to leave."""
    if name.endswith((".xlsx", ".png", ".txt", ".json", ".jsonl", ".secret")):
        ends = {".png": b"IEND\xaeB`\x82", ".txt": b"\n", ".json": b"}\n", ".jsonl": b"}\n", ".secret": b"\n"}
        return content.endswith(ends.get(Path(name).suffix, b"")) and bool(content)
    return False


COMMANDS: dict[str, tuple[Callable[[Moderator], object], tuple[str, ...]]] = {
    "init": (lambda moderator: None, ("init", BOOK)),
    "init of more tabs": (lambda moderator: write(moderator.book, only(season())), ("init", BOOK)),
    "run": (lambda moderator: write(moderator.book, only(season(), "W-0004")), ("run", BOOK)),
    "undo": (
        lambda moderator: (write(moderator.book, only(season(), "W-0004")), moderator.types("run", BOOK)),
        ("undo", BOOK, "W-0004"),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("command", "left"), spread(product(COMMANDS, ROOMS), 2))
def test_a_command_on_a_full_disk_ends_in_a_sentence_without_partial_files(disk, home, command, left):
    moderator = Moderator(disk, home)
    prepare, words = COMMANDS[command]
    prepare(moderator)
    before = files(disk)
    fill(disk, left)

    said = moderator.types(*words)
    after = files(disk)

    assert "Traceback" not in said.err
    assert said.code in (0, 3), said.err
    if said.code == 3:
        assert said.err.startswith("sheets-algo: ")
        assert said.err.count("\n") == 1
        assert changed(before, after) == {}
    else:
        assert [name for name in after if not is_whole(name, after[name])] == []
        openpyxl.load_workbook(moderator.book).close()
    (disk / "filler").unlink()
    assert moderator.types(*words).code == (1 if command == "undo" and said.code == 0 else 0)


@pytest.mark.parametrize("left", [0, 48, 150, 250, 500])
def test_rcp_36_check_and_doctor_predict_a_full_disk(disk, home, left):
    moderator = Moderator(disk, home)
    write(moderator.book, only(season(), "W-0004"))
    assert moderator.types("check", BOOK).out.endswith("No problems.\n")
    before = files(disk)
    fill(disk, left)

    checked, examined = moderator.types("check", BOOK), moderator.types("doctor", BOOK)

    assert (checked.code, examined.code) in ((1, 3), (0, 0))
    assert changed(before, files(disk)) == {}
    if checked.code:
        says = "cannot be written to, and each ruling needs it (No space left on device)"
        assert f"{says}. Make room, allow it, or choose another --folder. [RCP-36]" in checked.out
        assert any(f"FAIL  folder       {place} {says}" in examined.out for place in (disk, ".sheets-algo"))
    assert not (checked.code == 0 and moderator.types("run", BOOK).code)
    assert left or checked.code


@pytest.mark.parametrize("left", [0, 4, 24])
def test_a_full_disk_blocks_a_spreadsheet_without_room_for_secret_and_log(disk, home, left):
    from scripts.support.sheets_server import LocalSheets

    with LocalSheets() as server:
        online = Online(Moderator(disk, home), server)
        id = online.make(only(season(), "W-0004"))
        environment = online.environment
        before = files(disk)
        fill(disk, left)

        said = online.moderator.types("run", id, **environment)

        assert "Traceback" not in said.err
        assert said.code in (0, 3)
        if said.code == 3:
            assert said.err.count("\n") == 1
            assert online.rulings(id) == []
            assert changed(before, files(disk)) == {}
        else:
            after = files(disk)
            assert [name for name in after.keys() - before.keys() if not is_whole(name, after[name])] == []
        (disk / "filler").unlink()
        assert online.moderator.types("run", id, **environment).code == 0
        assert online.rulings(id) == ["W-0004"]


@pytest.mark.parametrize("most", [0, 1000, 12000])
@pytest.mark.parametrize("command", ["init", "run"])
def test_a_file_size_limit_leaves_no_partial_files(moderator, command, most):
    prepare, words = COMMANDS[command]
    prepare(moderator)
    before = files(moderator.folder)

    done = limited(moderator, most, *words)

    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 3), done.stderr
    after = files(moderator.folder)
    if done.returncode == 3:
        assert done.stderr.startswith("sheets-algo: ")
        assert done.stderr.count("\n") == 1
        assert changed(before, after) == {}
    else:
        assert [name for name in after if not is_whole(name, after[name])] == []


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (("replay", BOOK, "W-0004", "--png", "war.png"), "war.png"),
        (("forecast", BOOK, "W-0004", "--runs", "200", "--csv", "war.csv"), "war.csv"),
    ],
    ids=["picture", "battles"],
)
def test_a_requested_file_is_complete_or_unchanged(moderator, words, file):
    write(moderator.book, only(season(), "W-0004"))
    moderator.types("run", BOOK)
    asked = moderator.folder / file
    asked.write_text("from before")

    done = limited(moderator, 1000, *words)

    assert done.returncode in (1, 2, 3)
    assert f"{file}" in done.stderr
    assert "Traceback" not in done.stderr
    assert asked.read_text() == "from before"
    assert [found.name for found in moderator.folder.iterdir() if file in found.name] == [file]


def limited(moderator: Moderator, most: int, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command that may write files of so many bytes."""
    return subprocess.run(
        [COMMAND, *words],
        cwd=moderator.folder,
        env=moderator.environment({"PYTHONDONTWRITEBYTECODE": "1"}),  # else halves of compiled modules would stay
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("words", [("check", BOOK), ("run", BOOK), ("run", BOOK, "--json"), ("schema",)])
def test_output_without_room_ends_in_an_error(moderator, words):
    write(moderator.book, only(season(), "W-0004"))

    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [COMMAND, *words],
            cwd=moderator.folder,
            env=moderator.environment({}),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
            check=False,
        )

    assert (done.returncode, done.stderr) == (
        3,
        "sheets-algo: The output cannot be written (No space left on device); make room and look again.\n",
    )
    if words[0] == "run":
        assert [row["Status"] for row in shown(moderator.book, "War Requests")][3] == "Done"
