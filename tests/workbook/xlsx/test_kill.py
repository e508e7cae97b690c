"""Runs that are killed and runs that race: the file is whole, the old one or the new one, and no edit is lost."""

import json
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import openpyxl
import pytest

from sheets_algo.workbook.xlsx import XlsxWorkbook
from tests.helpers.example_budget import BUDGET
from tests.helpers.tabs import key, keys

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are forked and killed as POSIX has it")

ROOT = Path(__file__).parents[3]

COMMON = """
    import json, os, random, signal, sys, time
    from pathlib import Path
    from sheets_algo.workbook.changes import AppendRow, ChangeSet, SetCell
    from sheets_algo.workbook.errors import StaleWorkbook, WorkbookLocked
    from sheets_algo.workbook.staleness import cell_of
    from sheets_algo.workbook.tab_key import TabKey
    from sheets_algo.workbook.xlsx import XlsxWorkbook

    NATIONS, LOG = TabKey.named("Nations"), TabKey.named("Log")
    path = Path(sys.argv[1])

    def step(label):
        "The counter in Nations!B2 goes up by one, and a row with its number is appended."
        book = XlsxWorkbook(path)
        snapshot = book.read([NATIONS, LOG])
        count = cell_of(snapshot.sheet(NATIONS), 2, 2)
        cells = (SetCell(NATIONS, 2, 2, count + 1, count),)
        book.commit(snapshot, ChangeSet(cells=cells, rows=(AppendRow(LOG, (count + 1, label)),)))
        return count + 1

    def state():
        "Counter and log of a file that must be whole: they were written together."
        snapshot = XlsxWorkbook(path).read([NATIONS, LOG])
        log = snapshot.sheet(LOG)
        numbers = [cell_of(log, row, 1) for row in range(2, log.last_row + 1)]
        count = cell_of(snapshot.sheet(NATIONS), 2, 2)
        assert numbers == list(range(1, count + 1)), (count, numbers)
        return count

    def strays():
        return sorted(str(file.relative_to(path.parent)) for file in path.parent.rglob(".war.xlsx.*"))

    def kept():
        "The number of backups: one for each step that landed, at most twenty."
        return len(os.listdir(path.parent / ".sheets-algo" / "backups")) if state() else 0
"""

KILLED_AT_RANDOM = """
    chance = random.Random(int(sys.argv[2]))
    rounds, in_the_act = int(sys.argv[3]), 0
    start = time.perf_counter()
    for _ in range(5):
        step("warm")
    once = (time.perf_counter() - start) / 5
    for _ in range(rounds):
        before = state()
        worker = os.fork()
        if worker == 0:
            while True:
                step("worker")
        time.sleep(chance.uniform(0, 3 * once))
        os.kill(worker, signal.SIGKILL)
        os.waitpid(worker, 0)
        in_the_act += bool(strays())
        after = state()
        assert after >= before
        assert step("next") == after + 1
        assert strays() == []
        assert kept() == min(after + 1, 20)
    print(json.dumps({"in the act": in_the_act, "steps": state()}))
"""

KILLED_AT_EACH_CALL = """
    killed_at, outcomes = 0, []
    while True:
        killed_at += 1
        before = state()
        worker = os.fork()
        if worker == 0:
            calls = 0
            def count(event, arguments):
                global calls
                if event.startswith(("open", "os.", "fcntl.", "shutil.")):
                    calls += 1
                    if calls == killed_at:
                        os.kill(os.getpid(), signal.SIGKILL)
            sys.addaudithook(count)
            step("worker")
            os._exit(0)
        status = os.waitpid(worker, 0)[1]
        if os.waitstatus_to_exitcode(status) == 0:
            break
        after = state()
        outcomes.append(after - before)
        book = XlsxWorkbook(path)
        book.read([NATIONS])
        book.settle()
        assert strays() in ([], [".war.xlsx.sheets-algo.lock"])
        assert kept() == min(after, 20)
    print(json.dumps({"calls": killed_at, "outcomes": outcomes}))
"""

FAILING_AT_EACH_CALL = """
    from sheets_algo.workbook.errors import WorkbookError
    fault = {"full": OSError(28, "No space left on device"), "denied": PermissionError(13, "Permission denied"),
             "stopped": KeyboardInterrupt()}[sys.argv[2]]
    fails_at, calls, outcomes = None, 0, []

    def fail(event, arguments):
        global calls
        if fails_at is not None and event.startswith(("open", "os.", "fcntl.", "shutil.")):
            calls += 1
            if calls == fails_at:
                raise fault

    sys.addaudithook(fail)
    step("first")
    for number in range(1, 1000):
        before = state()
        fails_at, calls = number, 0
        try:
            step("worker")
            outcome = "landed"
        except WorkbookError as error:
            assert "war.xlsx" in str(error) and chr(10) not in str(error), error
            outcome = "refused"
        except KeyboardInterrupt:
            outcome = "stopped"
        fails_at = None
        if calls < number:
            break
        after = state()
        outcomes.append([outcome, after - before, strays()])
        assert step("next") == after + 1
        assert strays() == []
        assert kept() == min(after + 1, 20)
    print(json.dumps({"outcomes": outcomes}))
"""

RACING = """
    landed = refused = 0
    while landed < int(sys.argv[3]):
        try:
            step(sys.argv[2])
            landed += 1
        except (StaleWorkbook, WorkbookLocked):
            refused += 1
    print(json.dumps({"landed": landed, "refused": refused}))
"""


def start(script: str, path: Path, *arguments: object) -> "subprocess.Popen[str]":
    source = textwrap.dedent(COMMON) + textwrap.dedent(script)
    return subprocess.Popen(
        [sys.executable, "-c", source, str(path), *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def result(process: "subprocess.Popen[str]") -> dict[str, object]:
    out, error = process.communicate()
    assert process.returncode == 0, error
    said: dict[str, object] = json.loads(out)
    return said


@pytest.fixture
def war(tmp_path: Path) -> Path:
    path = tmp_path / "war.xlsx"
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Nations"
    sheet.append(["Nation", "Steps"])
    sheet.append(["England", 0])
    book.create_sheet("Log").append(["Step", "By"])
    database = book.create_sheet("Militaries")  # so that writing takes a while
    for row in range(200):
        database.append([f"Host {row}", *range(row, row + 9)])
    book.save(path)
    return path


def every_file_is_whole(war: Path) -> None:
    """The workbook and its backups open, and every entry has its checksum."""
    backups = list((war.parent / ".sheets-algo" / "backups").iterdir())
    assert 0 < len(backups) <= 20
    for file in (war, *backups):
        with zipfile.ZipFile(file) as archive:
            assert archive.testzip() is None
        openpyxl.load_workbook(file).close()


@pytest.mark.slow
def test_a_process_killed_at_any_moment_leaves_the_old_or_the_new_file(war: Path) -> None:
    rounds = round(50 * BUDGET)

    said = result(start(KILLED_AT_RANDOM, war, 1066, rounds))

    assert isinstance(said["in the act"], int)
    assert said["in the act"] > rounds // 10, "the kills missed the commits"
    every_file_is_whole(war)


@pytest.mark.slow
def test_a_process_killed_at_any_system_call_leaves_the_old_or_the_new_file(war: Path) -> None:
    said = result(start(KILLED_AT_EACH_CALL, war))

    outcomes = said["outcomes"]
    assert isinstance(outcomes, list)
    assert len(outcomes) > 15
    assert outcomes == sorted(outcomes), "the old file up to the rename, the new one from there"
    assert set(outcomes) == {0, 1}
    every_file_is_whole(war)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["full", "denied", "stopped"])
def test_the_message_is_right_after_any_failing_system_call(war: Path, fault: str) -> None:
    """A refused commit changed nothing, a landed one everything; nothing is left over but what could not be deleted."""
    outcomes = result(start(FAILING_AT_EACH_CALL, war, fault))["outcomes"]

    assert isinstance(outcomes, list)
    assert len(outcomes) > 15
    assert {(said, steps) for said, steps, _ in outcomes} <= {
        ("refused", 0),
        ("landed", 1),
        ("stopped", 0),
        ("stopped", 1),
    }
    notes = {said for said, _, strays in outcomes for stray in strays if stray.startswith(".sheets-algo")}
    assert notes <= {"landed", "stopped"}, "a note is left only by a commit that landed"
    others = [stray for *_, strays in outcomes for stray in strays if not stray.startswith(".sheets-algo")]
    others = [stray for stray in others if stray != ".war.xlsx.sheets-algo.lock"]  # which nobody holds any more
    assert len(others) <= 1, "one call deletes the copy"
    every_file_is_whole(war)


@pytest.mark.slow
def test_two_writers_lose_no_edit(war: Path) -> None:
    each = round(15 * BUDGET)

    runs = {label: start(RACING, war, label, each) for label in ("attacker", "defender")}

    said = {label: result(process) for label, process in runs.items()}
    log = XlsxWorkbook(war).read(keys("Log")).sheets[key("log")]
    steps = [tuple(log.rows[row]) for row in range(2, log.last_row + 1)]
    assert [number for number, _ in steps] == list(range(1, 2 * each + 1))
    assert sorted(str(label) for _, label in steps) == ["attacker"] * each + ["defender"] * each
    assert [done["landed"] for done in said.values()] == [each, each]
    every_file_is_whole(war)
