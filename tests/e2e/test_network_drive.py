"""A network drive: what it refuses and nobody needs is passed over, and that it is full it tells late."""

import shutil
import subprocess
from pathlib import Path

import pytest

from scripts.support.moderator import BOOK, Moderator, Said, only, season, shown, write

SOURCE = Path(__file__).with_name("network_drive.c")


@pytest.fixture(scope="module")
def drive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that refuses in the place of a drive."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler (cc) to make a drive that refuses")
    library = tmp_path_factory.mktemp("drive") / "drive.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
    return library


def typed_on(drive: Path, moderator: Moderator, *words: str, full: str = "") -> Said:
    """A command in a folder on that drive; a new process, so that the library is loaded."""
    more = {"LD_PRELOAD": str(drive), "PYTHONDONTWRITEBYTECODE": "1"}
    return moderator.types(*words, **more, **({"FULL": full} if full else {}))


def test_a_drive_without_permissions_and_flushes_accepts_workbooks(drive, moderator):
    made = typed_on(drive, moderator, "init", "new.xlsx")
    write(moderator.book, only(season(), "W-0004"))
    ruled = typed_on(drive, moderator, "run", BOOK)

    assert (made.code, ruled.code) == (0, 0), made.err + ruled.err
    assert [row["Status"] for row in shown(moderator.book, "War Requests")][3] == "Done"
    assert len(list((moderator.folder / ".sheets-algo" / "backups").iterdir())) == 1


@pytest.mark.parametrize("full", ["", "/.sheets-algo/"])
def test_rcp_36_check_and_doctor_detect_a_drive_that_is_full_at_closing(drive, moderator, full):
    write(moderator.book, only(season(), "W-0004"))
    for folder in ("logs", "pictures", ".sheets-algo"):
        (moderator.folder / folder).mkdir(exist_ok=True)
    before = moderator.files()

    codes = [typed_on(drive, moderator, command, BOOK, full=full).code for command in ("check", "doctor")]

    assert codes == ([1, 3] if full else [0, 0])
    assert moderator.files() == before


@pytest.mark.parametrize("full", ["/.sheets-algo/", "/.season.xlsx."])
def test_a_drive_that_is_full_at_closing_ends_a_run_with_a_sentence(drive, moderator, full):
    write(moderator.book, only(season(), "W-0004"))
    before = moderator.files()

    said = typed_on(drive, moderator, "run", BOOK, full=full)

    assert said.code == 3
    assert said.err.startswith("sheets-algo: ")
    assert said.err.count("\n") == 1
    assert "No space left" in said.err or "disk is full" in said.err
    after = moderator.files()
    assert {name: found for name, found in after.items() if not Path(name).name.startswith("record-")} == before
