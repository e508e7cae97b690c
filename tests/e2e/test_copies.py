"""Copies, older versions, moved and downloaded workbooks: what is ruled and posted from each (RCP-38, PST-15)."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from localdiscord.server import LocalDiscord
from localsheets.store import File

from scripts.support.moderator import BOOK, SECRET, Moderator, shown
from scripts.support.season_records import age, forget, records, renew
from scripts.support.sheets_server import LocalSheets
from sheets_algo.ruling.luck.draw import Secret
from sheets_algo.runtime.session import season_secret
from tests.e2e.online import URL, Online, watching
from tests.helpers.example_budget import spread

GOES_ON = (1, 1, 0)
"""The war that is ticked is ruled and posted: new receipts, new messages, rows that are Unsure."""
NOTHING = (0, 0, 0)
ASKS = (1, 0, 1)
"""It is ruled, and a person is asked whether it was posted."""
ASKS_OF_ALL = (1, 0, 2)
ASKS_OF_OLD = (0, 0, 1)
GOES_ON_AND_ASKS = (1, 1, 1)
"""The war is ruled and posted, and a person is asked of the one that an older version had not posted yet."""
POSTS_AGAIN = (1, 2, 0)
SILENT = "is a copy of"

TABLE: Mapping[tuple[str, str], tuple[Any, Any]] = {
    ("file", "there"): (GOES_ON, NOTHING),
    ("file", "gone"): (GOES_ON, NOTHING),
    ("file", "old"): (ASKS, NOTHING),
    ("copied file", "there"): (SILENT, SILENT),
    ("copied file", "gone"): (GOES_ON, NOTHING),  # nothing tells it from a file that was moved
    ("copied file", "old"): (SILENT, SILENT),
    ("copied folder", "there"): (SILENT, SILENT),
    ("copied folder", "gone"): (GOES_ON, NOTHING),
    ("copied folder", "old"): (SILENT, SILENT),
    ("older file", "there"): (GOES_ON, NOTHING),
    ("older file", "gone"): (GOES_ON_AND_ASKS, ASKS_OF_OLD),
    ("older file", "old"): (ASKS_OF_ALL, ASKS_OF_OLD),
    ("moved file", "there"): (GOES_ON, NOTHING),
    ("moved file", "gone"): (GOES_ON, NOTHING),
    ("moved file", "old"): (ASKS, NOTHING),
    ("download", "there"): (SILENT, SILENT),
    ("download", "gone"): (SILENT, SILENT),
    ("download", "old"): (SILENT, SILENT),
    ("spreadsheet", "there"): (GOES_ON, NOTHING),
    ("spreadsheet", "gone"): (GOES_ON, NOTHING),
    ("spreadsheet", "old"): (ASKS, NOTHING),
    ("copied spreadsheet", "there"): (SILENT, SILENT),
    ("copied spreadsheet", "gone"): (SILENT, SILENT),
    ("copied spreadsheet", "old"): (SILENT, SILENT),
    ("older spreadsheet", "there"): (GOES_ON, NOTHING),
    ("older spreadsheet", "gone"): (GOES_ON_AND_ASKS, ASKS_OF_OLD),
    ("older spreadsheet", "old"): (ASKS_OF_ALL, ASKS_OF_OLD),
    ("older spreadsheet", "folder gone"): (POSTS_AGAIN, (0, 1, 0)),  # a webhook cannot be asked
}
"""Outcomes of `run` and `watch`, and of `post`, by the state of the workbook and of the record beside it.

One war was ruled and posted; an older version is one in which its post waits. Then another war is ticked.
"""

WARS = "Joust Requests"


@dataclass(frozen=True)
class Begun:
    """A season in which one war was ruled and posted, and one waits to be ticked; as a file or a spreadsheet."""

    online: Online
    discord: LocalDiscord
    id: str = ""  # Of the spreadsheet; blank for the file
    older: Mapping[str, File] = field(default_factory=dict)  # The server's files when the post still waited
    files: Mapping[str, File] = field(default_factory=dict)  # The server's files when it was posted

    @property
    def moderator(self) -> Moderator:
        return self.online.moderator

    @property
    def home(self) -> Path:
        """The folder of its record."""
        return self.moderator.folder / "state" / self.id if self.id else self.moderator.folder

    @property
    def typed(self) -> str:
        return URL.format(self.id) if self.id else BOOK

    def tab(self, title: str, place: Any) -> list[dict[str, Any]]:
        if isinstance(place, Path):
            return shown(place, title) if title in openpyxl.load_workbook(place, read_only=True).sheetnames else []
        if title not in self.online.server.tabs(place):
            return []
        heads, *rows = self.online.server.tab(place, title)
        return [dict(zip(heads, row, strict=False)) for row in rows if any(row)]

    def tick(self, place: Any, row: int, ready: bool = True) -> None:
        if isinstance(place, Path):
            book = openpyxl.load_workbook(place)
            heads = [cell.value for cell in book[WARS][1]]
            book[WARS].cell(row, heads.index("Ready") + 1).value = ready
            book.save(place)
        else:
            self.online.set(place, WARS, row, "Ready", ready)

    def types(self, *words: str, **more: str) -> Any:
        return self.online.types(*words, **more)


def begin(online: Online, discord: LocalDiscord, *, is_file: bool) -> Begun:
    """Begin a season, rule one war and post it; keep its older version, and the record of then, in `older`."""
    folder = online.moderator.folder
    (folder / "webhook.txt").write_text(discord.webhook, "utf-8")
    (folder / "webhook.txt").chmod(0o600)
    channel = '[[post]]\nname = "war room"\nto = "discord"\nsecret_file = "webhook.txt"\n'
    (folder / "sheets-algo.toml").write_text(channel, "utf-8")
    begun = Begun(online, discord, "" if is_file else online.server.make("Season", {}))
    place: Any = begun.moderator.book if is_file else begun.id
    secret = {"SHEETS_ALGO_SECRET": SECRET}
    assert begun.types("init", begun.typed, "--ruleset", "jousts", **secret).code == 0
    for row in (3, 4):
        begun.tick(place, row, ready=False)
    assert begun.types("run", begun.typed, "--no-post", **secret).code == 0
    older = folder / "older"
    older.mkdir()
    (record,) = records(begun.home)
    shutil.copy(record, older / record.name)
    if is_file:
        shutil.copy(place, older / BOOK)
    begun = replace(begun, older=online.server.files())
    assert begun.types("post", begun.typed, **secret).code == 0
    assert len(discord.messages) == 1
    season_secret.keep(begun.home, Secret(SECRET.encode()))
    return replace(begun, files=online.server.files())


@pytest.fixture(scope="module")
def discord() -> Iterator[LocalDiscord]:
    with LocalDiscord(silence_s=20) as server:
        assert isinstance(server, LocalDiscord)
        yield server


@pytest.fixture(scope="module")
def seasons(discord, tmp_path_factory, home) -> Iterator[Mapping[bool, tuple[Begun, Path]]]:
    """A season in a file, and one in a spreadsheet, each with a copy of its folder to begin each case with."""
    with LocalSheets() as server:
        made = {}
        for is_file in (True, False):
            folder, kept = tmp_path_factory.mktemp("game"), tmp_path_factory.mktemp("kept") / "folder"
            discord.messages.clear()
            begun = begin(Online(Moderator(folder, home), server), discord, is_file=is_file)
            made[is_file] = begun, Path(shutil.copytree(folder, kept))
        yield made


def fresh(kept: tuple[Begun, Path]) -> Begun:
    begun, folder = kept
    for item in begun.moderator.folder.iterdir():
        shutil.rmtree(item) if item.is_dir() else item.unlink()
    shutil.copytree(folder, begun.moderator.folder, dirs_exist_ok=True)
    renew(begun.home)
    if begun.id:
        begun.online.server.put_back(begun.files)
    return begun


def of_file(begun: Begun, what: str) -> tuple[Begun, Path]:
    """Let something become of a file; return the season as it is worked on then, and the file."""
    folder, book = begun.moderator.folder, begun.moderator.book
    if what == "copied file":
        shutil.copy(book, folder / "copy.xlsx")
        return begun, folder / "copy.xlsx"
    if what == "moved file":
        book.rename(folder / "moved.xlsx")
        return begun, folder / "moved.xlsx"
    if what == "older file":
        shutil.copy(folder / "older" / BOOK, book)
    if what == "copied folder":
        names = ("sheets-algo.toml", "webhook.txt", BOOK)
        (folder / "twin").mkdir()
        for name in names:
            shutil.copy(folder / name, folder / "twin" / name)
        shutil.copytree(folder / ".sheets-algo", folder / "twin" / ".sheets-algo")
        renew(folder / "twin")
        twin = replace(begun.online, moderator=replace(begun.moderator, folder=folder / "twin"))
        return replace(begun, online=twin), folder / "twin" / BOOK
    return begun, book


def of_spreadsheet(begun: Begun, what: str) -> tuple[Begun, Any]:
    """Let something become of a spreadsheet; return the season as it is worked on then, and the id or the file."""
    server, folder = begun.online.server, begun.moderator.folder
    if what == "older spreadsheet":
        server.put_back(begun.older)
    if what in ("copied spreadsheet", "download"):
        new = server.copy(begun.id) if what == "copied spreadsheet" else ""
        (record,) = records(begun.home)
        home = folder / "state" / new if new else folder
        (home / ".sheets-algo").mkdir(parents=True)
        shutil.copy(record, home / ".sheets-algo" / record.name)
        season_secret.keep(home, Secret(SECRET.encode()))
        if new:
            return replace(begun, id=new), new
        (folder / BOOK).write_bytes(server.download(begun.id))
        return replace(begun, id=""), folder / BOOK
    return begun, begun.id


def of_record(begun: Begun, record: str) -> None:
    if record == "gone":
        forget(begun.home)
    if record == "folder gone":
        shutil.rmtree(begun.home)
    if record == "old":
        (former,) = (*begun.moderator.folder.glob("older/record-*"), *begun.moderator.folder.glob("../older/record-*"))
        (file,) = records(begun.home)
        shutil.copy(former, file)
        age(begun.home)


CASES = [
    (what, record, secret, verb)
    for what, record in TABLE
    for secret in ("in a file", "in the environment")
    for verb in ("run", "watch", "post")
    if not (record == "folder gone" and secret == "in a file")
]
FILES = {"file", "copied file", "copied folder", "older file", "moved file"}


@pytest.mark.parametrize(
    ("what", "record", "secret", "verb"), spread(CASES, 2), ids=lambda value: value.replace(" ", "-")
)
def test_rcp_38_what_is_ruled_and_posted_from_each_workbook(seasons, discord, what, record, secret, verb):
    begun, place = (of_file if what in FILES else of_spreadsheet)(fresh(seasons[what in FILES]), what)
    begun.tick(place, 3)
    of_record(begun, record)
    if secret == "in the environment":
        shutil.rmtree(begun.home / ".sheets-algo" / "secrets", ignore_errors=True)
    more = {"SHEETS_ALGO_SECRET": SECRET} if secret == "in the environment" else {}
    typed = URL.format(place) if isinstance(place, str) else place.name
    before, rulings = len(discord.messages), count(begun, place)
    expected = TABLE[what, record][verb == "post"]

    if verb == "watch":
        holds = partial(is_done, begun, place, rulings, expected)
        said = watched(begun, typed, more, holds, is_silent=expected == SILENT)
    else:
        done = begun.types(verb, typed, **more)
        said = done.out + done.err
        assert done.code == (3 if expected == SILENT else 1 if expected[2] else 0), done

    states = [row.get("State") for row in begun.tab("Posts", place)]
    came = (count(begun, place) - rulings, len(discord.messages) - before, states.count("Unsure"))
    allowed = [NOTHING if expected == SILENT else expected]
    if verb == "watch" and expected in (ASKS, ASKS_OF_ALL):  # its poster may have compared the rows before the ruling
        allowed.append((1, 1, expected[2] - 1))
    assert came in allowed, said
    assert said.count(SILENT) == (expected == SILENT), said


@pytest.mark.parametrize("what", ["moved file", "copied file", "spreadsheet", "copied spreadsheet", "download"])
def test_rcp_38_nothing_is_undone_in_a_copy(seasons, what):
    begun, place = (of_file if what in FILES else of_spreadsheet)(fresh(seasons[what in FILES]), what)
    is_copy = TABLE[what, "there"][0] == SILENT
    (request,) = (row["Request"] for row in begun.tab("Receipts", place) if row["Kind"] == "Ruling")

    done = begun.types("undo", URL.format(place) if isinstance(place, str) else place.name, request)

    undone = sum(row["Kind"] == "Undo" for row in begun.tab("Receipts", place))
    assert (done.code, undone, SILENT in done.err) == ((3, 0, True) if is_copy else (0, 1, False)), done


@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
def test_rcp_38_a_fork_names_the_last_receipt_that_is_gone(seasons, dry):
    """No later receipt contradicts its loss; Log and the row that shows its ruling do."""
    begun, place = of_file(fresh(seasons[True]), "copied file")
    (ruling,) = (row for row in begun.tab("Receipts", place) if row["Kind"] == "Ruling")
    whole = json.loads(begun.types("restore", place.name, "--fork", "--dry-run", "--json").out)
    with closing(openpyxl.load_workbook(place)) as book:
        book["Receipts"].delete_rows(book["Receipts"].max_row)
        book.save(place)

    done = begun.types("restore", place.name, "--fork", *dry)

    assert (done.code, whole["gone"]) == (0, []), done
    trace, row = done.out.splitlines()[1:]
    assert trace == f"Log has lines of receipt {ruling['Seq']} ({ruling['Request']}), which is gone."
    assert f"({ruling['Request']}) shows a ruling of {ruling['Time']}, whose receipt is gone." in row


def count(begun: Begun, place: Any) -> int:
    return sum(row["Kind"] == "Ruling" for row in begun.tab("Receipts", place))


def is_done(begun: Begun, place: Any, rulings: int, expected: Any) -> bool:
    if count(begun, place) - rulings != expected[0]:  # read first: a ruling brings its row of Posts
        return False
    return not {"Waiting", "Sending"} & {row.get("State") for row in begun.tab("Posts", place)}


def watched(begun: Begun, typed: str, more: Mapping[str, str], holds: Callable[[], bool], *, is_silent: bool) -> str:
    """Watch until it has done what there is to do; return what it said."""
    for file in begun.moderator.folder.glob("watch-*.txt"):
        file.unlink()
    with watching(begun.moderator, [typed], begun.online.environment | more) as watcher:
        if is_silent:
            watcher.hears(SILENT)
            time.sleep(5)  # it looks twice more, and says nothing more
        else:
            watcher.until(holds)
        watcher.stops()
    return watcher.out.read_text()
