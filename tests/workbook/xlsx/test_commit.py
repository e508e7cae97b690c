"""Putting an edited file in the place of the old one: locks, staleness, backups, and what goes wrong."""

import errno
import fcntl
import hashlib
import os
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import mkdtemp

import openpyxl
import pytest

from sheets_algo.workbook.changes import AppendRow, ChangeSet, CommitResult, SetCell
from sheets_algo.workbook.errors import RefusedChange, StaleWorkbook, WorkbookError, WorkbookLocked, WorkbookUnavailable
from sheets_algo.workbook.staleness import cell_of
from sheets_algo.workbook.values import Value
from sheets_algo.workbook.xlsx import Limits, XlsxWorkbook
from tests.helpers.rows import each
from tests.helpers.tabs import key, keys
from tests.workbook.xlsx.inside import before_the_rename, exchange

SAMPLES = Path(__file__).parent / "samples"
ROOT = Path(__file__).parents[3]
NOW = datetime(1066, 10, 14, 9, 0, tzinfo=UTC)


@pytest.fixture
def war(tmp_path: Path) -> Path:
    """A folder of its own with one workbook: Nations!B2 is 100."""
    return make(tmp_path / "war.xlsx")


def make(path: Path) -> Path:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Nations"
    sheet.append(["Nation", "Stability"])
    sheet.append(["England", 100])
    book.create_sheet("Receipts").append(["Seq", "Request"])
    book.save(path)
    return path


def workbook(path: Path, clock: Callable[[], datetime] = lambda: NOW) -> XlsxWorkbook:
    return XlsxWorkbook(path, clock=clock)


def stability(path: Path) -> Value:
    return cell_of(workbook(path).read(keys("Nations")).sheet(key("Nations")), 2, 2)


def rule(path: Path, value: int = 90, clock: Callable[[], datetime] = lambda: NOW) -> CommitResult:
    """Read and commit: England's stability becomes `value`."""
    book = workbook(path, clock)
    snapshot = book.read(keys("Nations"))
    before = cell_of(snapshot.sheet(key("Nations")), 2, 2)
    return book.commit(snapshot, ChangeSet(cells=(SetCell(key("Nations"), 2, 2, value, before),)))


def refused(path: Path, kind: type[WorkbookError], because: str) -> None:
    """A commit ends in one sentence that names the file, and leaves no trace."""
    before = path.read_bytes() if path.exists() else None
    names = listing(path.parent)
    with pytest.raises(kind, match=because) as caught:
        rule(path)
    assert path.name in str(caught.value)
    assert "\n" not in str(caught.value)
    assert (path.read_bytes() if path.exists() else None) == before
    assert listing(path.parent) == names


def listing(folder: Path) -> list[str]:
    """What is in a folder, the program's own folder left out."""
    return sorted(entry.name for entry in folder.iterdir() if entry.name != ".sheets-algo")


def backups(folder: Path) -> list[str]:
    return sorted(entry.name for entry in (folder / ".sheets-algo" / "backups").iterdir())


# What stays


def test_a_commit_leaves_only_the_workbook_and_its_own_folder(war: Path) -> None:
    done = rule(war)

    assert stability(war) == 90
    assert listing(war.parent) == ["war.xlsx"]
    assert sorted(entry.name for entry in (war.parent / ".sheets-algo").iterdir()) == ["backups"]
    assert done.remarks == ("The file as it was before is .sheets-algo/backups/war.10661014T090000Z.1.xlsx.",)


def test_an_empty_change_set_touches_nothing(war: Path) -> None:
    before = war.read_bytes(), war.stat().st_mtime_ns
    book = workbook(war)

    assert book.commit(book.read(keys("Nations")), ChangeSet()) == CommitResult()
    assert (war.read_bytes(), war.stat().st_mtime_ns) == before
    assert [entry.name for entry in war.parent.iterdir()] == ["war.xlsx"]


@each("mode", [0o600, 0o640, 0o664, 0o755])
def test_the_mode_is_kept(war: Path, mode: int) -> None:
    war.chmod(mode)

    rule(war)

    assert stat.S_IMODE(war.stat().st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_the_owner_is_kept(war: Path) -> None:
    os.chown(war, 65534, 65533)
    war.chmod(0o640)

    rule(war)

    state = war.stat()
    assert (state.st_uid, state.st_gid, stat.S_IMODE(state.st_mode)) == (65534, 65533, 0o640)


@pytest.mark.skipif(sys.platform != "linux", reason="extended attributes are reached on Linux only")
def test_extended_attributes_are_kept(war: Path) -> None:
    try:
        os.setxattr(war, "user.origin", b"castle")
    except OSError as error:
        pytest.skip(f"the file system of {war.parent} has no attributes: {error}")

    rule(war)

    assert os.getxattr(war, "user.origin") == b"castle"


def test_a_link_stays_a_link_and_its_target_changes(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    war = make(folder / "war.xlsx")
    link = tmp_path / "link.xlsx"
    link.symlink_to("games/war.xlsx")

    rule(link)

    assert link.is_symlink()
    assert stability(war) == 90
    assert listing(tmp_path) == ["games", "link.xlsx"]
    assert backups(folder) == ["war.10661014T090000Z.1.xlsx"]
    assert not (tmp_path / ".sheets-algo").exists()


def test_another_hard_link_keeps_the_old_file_and_a_remark_says_so(war: Path) -> None:
    other = war.with_name("other.xlsx")
    os.link(war, other)

    done = rule(war)

    assert (stability(war), stability(other)) == (90, 100)
    assert any("hard link" in remark for remark in done.remarks)
    assert not any("hard link" in remark for remark in rule(war, 80).remarks)


@each(
    "name",
    [
        "war of the roses.xlsx",
        "Μάχη — 曼齐刻尔特 🏰.xlsx",
        ".hidden.xlsx",
        "100% 'true' #1 [x] *.xlsx",
        "no suffix",
        "macros.xlsm",
        "two\nlines.xlsx",
        "x" * 250 + ".xlsx",
        "曼" * 83 + ".xlsx",
    ],
)
def test_any_file_name_works(tmp_path: Path, name: str) -> None:
    folder = Path(mkdtemp(dir=tmp_path))
    path = make(folder / "war.xlsx").rename(folder / name)

    for value in (90, 80):
        rule(path, value)

    assert stability(path) == 80
    assert listing(folder) == [name]
    assert len(backups(folder)) == 2


# Staleness


def test_a_file_saved_since_the_read_is_stale_despite_its_time(war: Path) -> None:
    book = workbook(war)
    snapshot = book.read(keys("Nations"))
    time = war.stat().st_mtime_ns
    rule(war, 95)
    os.utime(war, ns=(time, time))

    with pytest.raises(StaleWorkbook, match=r"war\.xlsx"):
        book.commit(snapshot, ChangeSet(cells=(SetCell(key("Nations"), 2, 2, 90, 100),)))
    assert stability(war) == 95


def test_a_snapshot_of_another_run_works_while_the_file_is_unchanged(war: Path) -> None:
    snapshot = workbook(war).read([])

    workbook(war).commit(snapshot, ChangeSet(cells=(SetCell(key("Nations"), 2, 2, 90, 100),)))

    assert stability(war) == 90


@pytest.mark.parametrize(
    ("moment", "when"), [(1, "while the copy is written"), (2, "between the comparison and the rename")]
)
def test_a_save_during_the_commit_is_never_lost(war: Path, moment: int, when: str) -> None:
    """The commit asks for the time when it locks and when it backs up; somebody saves at that very moment."""
    asked = 0

    def clock() -> datetime:
        nonlocal asked
        asked += 1
        if asked == moment:
            saved = make(war.with_name("saving.xlsx"))
            book = openpyxl.load_workbook(saved)
            book["Nations"]["B2"] = 95
            book.save(saved)
            os.replace(saved, war)
        return NOW

    book = workbook(war, clock)
    snapshot = book.read(keys("Nations"))
    with pytest.raises(StaleWorkbook):
        book.commit(snapshot, ChangeSet(cells=(SetCell(key("Nations"), 2, 2, 90, 100),)))
    assert asked == moment
    assert stability(war) == 95, when
    assert listing(war.parent) == ["war.xlsx"]
    rule(war, 80)
    assert backups(war.parent) == ["war.10661014T090000Z.1.xlsx"]


def saved(war: Path, number: int, *, into_the_open_file: bool = False) -> None:
    """Save a workbook as another program does."""
    new = make(war.with_name("saving.xlsx"))
    book = openpyxl.load_workbook(new)
    book["Nations"]["B2"] = number
    book.save(new)
    if into_the_open_file:
        war.write_bytes(new.read_bytes())
        new.unlink()
    else:
        os.replace(new, war)


@pytest.mark.skipif(sys.platform != "linux", reason="the exchange of two files is tried where CI has it")
@pytest.mark.parametrize("into_the_open_file", [False, True])
@pytest.mark.parametrize("is_stopped", [False, True])
def test_a_save_after_the_last_comparison_is_kept(
    war: Path, monkeypatch: pytest.MonkeyPatch, into_the_open_file: bool, is_stopped: bool
) -> None:
    """The rename replaced it, and the moderator's last edits were in no file; also if the run is stopped there."""

    def act(copy: Path, _: Path) -> None:
        saved(war, 95, into_the_open_file=into_the_open_file)
        if is_stopped:
            assert exchange(copy, war)
            raise KeyboardInterrupt

    before_the_rename(monkeypatch, act)
    book = workbook(war)
    snapshot = book.read(keys("Nations"))
    with pytest.raises(KeyboardInterrupt if is_stopped else StaleWorkbook):
        book.commit(snapshot, ChangeSet(cells=(SetCell(key("Nations"), 2, 2, 90, 100),)))

    assert stability(war) == 95
    assert listing(war.parent) == ["war.xlsx"]
    assert backups(war.parent) == []
    monkeypatch.undo()
    rule(war, 80)
    assert backups(war.parent) == ["war.10661014T090000Z.1.xlsx"]


def test_a_run_stopped_after_the_exchange_has_committed(war: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unlink = Path.unlink

    def stop(file: Path, missing_ok: bool = False) -> None:
        if file.name.endswith(".sheets-algo.tmp") and stability(war) == 90:
            monkeypatch.undo()
            raise KeyboardInterrupt
        unlink(file, missing_ok)

    monkeypatch.setattr(Path, "unlink", stop)
    with pytest.raises(KeyboardInterrupt):
        rule(war, 90)

    assert stability(war) == 90
    assert listing(war.parent) == ["war.xlsx"]
    assert len(backups(war.parent)) == 1


def test_a_file_that_vanished_since_the_read_is_reported(war: Path) -> None:
    book = workbook(war)
    snapshot = book.read(keys("Nations"))
    war.unlink()

    with pytest.raises(WorkbookUnavailable, match=r"war\.xlsx"):
        book.commit(snapshot, ChangeSet(cells=(SetCell(key("Nations"), 2, 2, 90, 100),)))
    assert list(war.parent.iterdir()) == []


def test_a_file_being_written_is_read_as_a_whole_or_refused(war: Path) -> None:
    """Programs that save in place show half a file for a moment."""
    whole = war.read_bytes()
    stop = threading.Event()

    def save_in_place() -> None:
        while not stop.is_set():
            with war.open("r+b") as file:
                file.truncate(len(whole) // 2)
                file.seek(len(whole) // 2)
                file.write(whole[len(whole) // 2 :])

    saving = threading.Thread(target=save_in_place)
    saving.start()
    try:
        for _ in range(50):
            with suppress(WorkbookLocked, WorkbookUnavailable):
                assert stability(war) == 100
    finally:
        stop.set()
        saving.join()
    assert stability(war) == 100


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    (tmp_path / "loop.xlsx").symlink_to("loop.xlsx")
    (tmp_path / "folder.xlsx").mkdir()
    for name in ("missing.xlsx", "loop.xlsx", "folder.xlsx", f"{'long' * 99}.xlsx"):
        with pytest.raises(WorkbookUnavailable, match=name):
            workbook(tmp_path / name).read([])


def test_two_tabs_of_one_name_are_reported_when_requested(war: Path) -> None:
    book = openpyxl.load_workbook(war)
    book.create_sheet("Nations ")
    book.save(war)

    assert workbook(war).read(keys("Receipts")).sheet(key("Receipts"))
    with pytest.raises(WorkbookUnavailable, match=r'war\.xlsx: the tabs "Nations" and "Nations "'):
        workbook(war).read(keys("nations"))


def test_a_receipt_number_typed_as_text_counts(war: Path) -> None:
    book = openpyxl.load_workbook(war)
    book["Receipts"].append(["1", "W-0001"])
    book.save(war)
    backend = workbook(war)

    with pytest.raises(StaleWorkbook, match=r"Receipts!A2.*receipt 1"):
        backend.commit(backend.read([]), ChangeSet(rows=(AppendRow(key("Receipts"), (1, "W-0001")),), guard=1))


# Our own lock


def lock_of(war: Path) -> Path:
    return war.with_name(f".{war.name}.sheets-algo.lock")


HOLD = """
import fcntl, os, sys
file = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR)
fcntl.flock(file, fcntl.LOCK_EX)
os.write(file, b"process 7 on castle, since 1066-10-14 09:00 UTC")
print("held", flush=True)
sys.stdin.read()
"""


def test_a_lock_held_by_another_run_is_honoured_until_it_ends(war: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(lock_of(war))]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"held\n"
        refused(war, WorkbookLocked, r"is writing to it \(process 7 on castle, since 1066-10-14 09:00 UTC\); try again")
        holder.kill()
    assert lock_of(war).exists()

    rule(war)

    assert stability(war) == 90
    assert listing(war.parent) == ["war.xlsx"]


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="no such flag here")
def test_a_link_in_place_of_the_lock_is_not_followed(war: Path, tmp_path: Path) -> None:
    """In a shared folder, a link could name any file of the runner to be overwritten."""
    precious = tmp_path / "precious"
    precious.write_text("kept")
    lock_of(war).symlink_to(precious)

    refused(war, WorkbookUnavailable, r"its lock file .* is a link; delete it")

    assert precious.read_text() == "kept"


def test_a_drive_without_locks_is_written_all_the_same(war: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)

    rule(war)

    assert stability(war) == 90
    assert listing(war.parent) == ["war.xlsx"]


def test_temporary_files_of_killed_runs_are_deleted_and_no_others(war: Path) -> None:
    war.with_name(".war.xlsx.123-0123abcd.sheets-algo.tmp").write_bytes(b"half")
    others = [".war.xlsx.old.123-0123abcd.sheets-algo.tmp", ".awar.xlsx.123-0123abcd.sheets-algo.tmp", "war.tmp"]
    for name in others:
        war.with_name(name).touch()

    rule(war)

    assert listing(war.parent) == sorted([*others, "war.xlsx"])


# Other programs' locks


def test_a_workbook_open_in_libreoffice_is_locked_with_the_user_s_name(war: Path) -> None:
    war.with_name(".~lock.war.xlsx#").write_text(
        r"Harold\, Earl,harold,castle,14.10.1066 09:00,file:///home/harold/.config/libreoffice/4;"
    )

    refused(war, WorkbookLocked, r"LibreOffice \(Harold, Earl on castle since 14\.10\.1066 09:00\)")


def test_a_workbook_open_in_excel_is_locked_with_the_user_s_name(war: Path) -> None:
    name = b"William"
    war.with_name("~$war.xlsx").write_bytes(bytes([len(name)]) + name.ljust(54) + bytes(110))

    refused(war, WorkbookLocked, r"Excel \(William\)")


@each("content", [b"", b"\xff\xfe\x00", b",,,,,,;", b"\xff" * 5000])
@each("name", [".~lock.war.xlsx#", "~$war.xlsx"])
def test_an_unusual_lock_of_another_program_still_counts(war: Path, name: str, content: bytes) -> None:
    war.with_name(name).write_bytes(content)

    refused(war, WorkbookLocked, "open in")
    war.with_name(name).unlink()


def test_a_lock_beside_the_link_counts_as_one_beside_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    make(folder / "war.xlsx")
    link = tmp_path / "link.xlsx"
    link.symlink_to("games/war.xlsx")
    for lock in (tmp_path / ".~lock.link.xlsx#", folder / ".~lock.war.xlsx#"):
        lock.write_text("Harold,harold,castle,,;")
        with pytest.raises(WorkbookLocked, match="Harold on castle"):
            rule(link)
        lock.unlink()
    rule(link)


# Backups


def test_a_backup_equals_the_former_file(war: Path) -> None:
    old = war.read_bytes()
    rule(war)
    middle = war.read_bytes()
    rule(war, 80)

    folder = war.parent / ".sheets-algo" / "backups"
    assert [hashlib.sha256((folder / name).read_bytes()).digest() for name in backups(war.parent)] == [
        hashlib.sha256(data).digest() for data in (old, middle)
    ]
    assert backups(war.parent) == ["war.10661014T090000Z.1.xlsx", "war.10661014T090000Z.2.xlsx"]


def test_the_last_twenty_backups_are_kept(war: Path) -> None:
    for number in range(23):
        rule(war, number, lambda: NOW + timedelta(seconds=number // 12))  # noqa: B023 - called at once

    kept = backups(war.parent)
    assert len(kept) == 20
    assert "war.10661014T090000Z.3.xlsx" not in kept
    assert "war.10661014T090000Z.4.xlsx" in kept
    assert "war.10661014T090001Z.11.xlsx" in kept


def test_backups_older_than_thirty_days_go_except_the_newest(war: Path) -> None:
    for days in (0, 1, 40):
        rule(war, days, lambda: NOW + timedelta(days=days))  # noqa: B023 - called at once
    assert backups(war.parent) == ["war.10661123T090000Z.1.xlsx"]

    rule(war, 7, lambda: NOW)  # the clock was set back: nothing to be sure of
    assert len(backups(war.parent)) == 2


def test_backups_of_other_workbooks_stay(war: Path) -> None:
    folder = war.parent / ".sheets-algo" / "backups"
    folder.mkdir(parents=True)
    others = [
        "war.old.10000101T000000Z.1.xlsx",
        "war.10000101T000000Z.1.xlsm",
        "war.notes.txt",
        "war.10000101T000000Z.xlsx",
    ]
    for name in others:
        (folder / name).touch()

    rule(war)

    assert sorted(set(backups(war.parent)) & set(others)) == sorted(others)


def test_a_program_that_writes_into_its_open_file_does_not_change_the_backup(war: Path) -> None:
    before = war.read_bytes()

    with war.open("r+b") as opened_before:
        rule(war)
        opened_before.write(b"saved in place")

    (backup,) = (war.parent / ".sheets-algo" / "backups").iterdir()
    assert backup.read_bytes() == before
    assert backup.stat().st_mode == war.stat().st_mode


# The world


def test_a_read_only_file_is_left_alone(war: Path) -> None:
    war.chmod(0o444)

    refused(war, WorkbookUnavailable, "read-only")


def test_a_workbook_that_cannot_be_backed_up_is_left_alone(war: Path) -> None:
    (war.parent / ".sheets-algo").write_text("a file where the folder should be")

    refused(war, WorkbookUnavailable, "cannot be written")


def test_a_file_that_would_grow_beyond_the_limit_is_left_alone(war: Path) -> None:
    before = war.read_bytes()
    book = XlsxWorkbook(war, limits=Limits(file=len(before) + 100), clock=lambda: NOW)
    rows = tuple(
        AppendRow(key("Receipts"), (number, hashlib.sha256(bytes(number)).hexdigest())) for number in range(50)
    )

    with pytest.raises(RefusedChange, match=r"war\.xlsx.*limit.*nothing was written"):
        book.commit(book.read([]), ChangeSet(rows=rows))
    assert war.read_bytes() == before
    assert listing(war.parent) == ["war.xlsx"]


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that an ordinary user can reach too; pytest's own is closed to others."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)
        Path(name).chmod(0o755)


DROP_RIGHTS = "os.geteuid() or (os.setgroups([]), os.setgid(65534), os.setuid(65534))"
NO_ROOM = "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))"


def ruled_in_a_process(path: Path, after: str) -> str:
    """What a process says that rules once elsewhere (everything is imported then), does `after`, and rules `path`."""
    script = f"""
        import os, resource, sys
        from pathlib import Path
        from sheets_algo.workbook.changes import ChangeSet, SetCell
        from sheets_algo.workbook.errors import WorkbookError
        from sheets_algo.workbook.tab_key import TabKey
        from sheets_algo.workbook.xlsx import XlsxWorkbook

        NATIONS = TabKey.named("Nations")

        def rule(path):
            book = XlsxWorkbook(path)
            book.commit(book.read([NATIONS]), ChangeSet(cells=(SetCell(NATIONS, 2, 2, "x" * 30_000, 100),)))
            return "landed"

        rule(Path(sys.argv[2]))
        {after}
        try:
            print(rule(Path(sys.argv[1])))
        except WorkbookError as error:
            print(type(error).__name__, error)
    """
    with tempfile.TemporaryDirectory() as elsewhere:
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(script), str(path), str(make(Path(elsewhere, "first.xlsx")))],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
    return done.stdout


def test_an_unwritable_folder_is_reported(open_folder: Path) -> None:
    war = make(open_folder / "war.xlsx")
    war.chmod(0o666)
    open_folder.chmod(0o555)
    before = war.read_bytes()

    said = ruled_in_a_process(war, DROP_RIGHTS)

    assert said.startswith("WorkbookUnavailable war.xlsx: cannot be written: no permission")
    assert said.count("\n") == 1
    assert war.read_bytes() == before
    assert listing(open_folder) == ["war.xlsx"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may make a file that belongs to somebody else")
def test_a_file_of_another_user_is_left_alone(open_folder: Path) -> None:
    war = make(open_folder / "war.xlsx")
    open_folder.chmod(0o777)

    said = ruled_in_a_process(war, DROP_RIGHTS)

    assert said.startswith("WorkbookUnavailable war.xlsx: cannot be written: it is read-only")
    assert listing(open_folder) == ["war.xlsx"]


def test_a_full_disk_is_reported_and_leaves_nothing_behind(war: Path) -> None:
    """The system's limit on file sizes stands for the end of the disk."""
    before = war.read_bytes()

    said = ruled_in_a_process(war, NO_ROOM)

    assert said.startswith("WorkbookUnavailable war.xlsx: cannot be written: the disk is full")
    assert war.read_bytes() == before
    assert listing(war.parent) == ["war.xlsx"]
