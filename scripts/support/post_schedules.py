"""Schedules in which posters are killed, answers lost or late, channels busy, and people act; and what came of each.

Each poster is a process of its own that is killed as by `kill -9`, at a random request to the workbook or to the
channel. What is kept is the workbook and the channel, as if each poster ran on another machine.
"""

from __future__ import annotations

import copy
import multiprocessing
import os
import random
import re
import shutil
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from multiprocessing.context import ForkServerContext
from multiprocessing.forkserver import ensure_running
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from faulty.server import Answer, Asked, FaultyServer
from localdiscord.server import LocalDiscord
from localwiki.server import LocalWiki

from scripts.support.poster_life import live
from scripts.support.posting import Outbox
from scripts.support.season_records import age, records
from scripts.support.workbooks import example, workbook
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.database.headers import key_of
from sheets_algo.runtime.session.record import POST, SeasonRecord
from sheets_algo.steps.posts.post_row import PostEntry, PostRow, read_posts
from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.memory import MemoryWorkbook

KINDS = ("wiki", "bot", "bot in a forum", "webhook", "webhook of a forum")
"""The channels that schedules are played with."""
NAMES_UNSURE = ("bot in a forum", "webhook", "webhook of a forum")
"""Those of them in which a person may have to look."""
PAGE = "Talk:Season"
BEGIN = datetime(2026, 3, 1, 12, tzinfo=UTC).timestamp()


@dataclass
class Played:
    """What came of a schedule.

    Args:
        kind: One of `KINDS`.
        seed: The seed of the schedule.
        faults: What went wrong, a sentence each; none if the rules held.
        deeds: How often each thing happened.
    """

    kind: str
    seed: int
    faults: list[str] = field(default_factory=list)
    deeds: Counter[str] = field(default_factory=Counter)


class WikiPlace:
    """A page of a wiki, which people edit too."""

    def __init__(self, server: LocalWiki, folder: Path) -> None:
        self.server, self.api = server, ""
        (folder / "secret").write_text(server.password, "utf-8")
        self.settings = ChannelSettings(
            name="wiki", to="mediawiki", secret_file=folder / "secret", address=server.api, user=server.user,
            page=PAGE, odds=True,
        )  # fmt: skip

    def disturb(self, chance: random.Random, deeds: Counter[str]) -> None:
        """Let something happen on the wiki."""
        kinds = ["reset", "half", "500", "503", "page", "maxlag", "ratelimited", "readonly", "badtoken"]
        kind = chance.choice(kinds)
        when = chance.choice(["before", "after", "late"]) if kind in ("reset", "half") else "before"
        self.server.fail_at(kind, chance.randrange(1, 9), when, match=chance.choice(["POST", "GET", ""]))
        deeds[f"{kind} {when}" if kind in ("reset", "half") else kind] += 1
        if chance.random() < 0.3:
            text = self.server.pages[PAGE].text if PAGE in self.server.pages else "Talk."
            self.server.put(PAGE, f"{text}\n\n== A person ==\nsays something.")
            deeds["edit of a person"] += 1

    def marks(self) -> list[str]:
        text = self.server.pages[PAGE].text if PAGE in self.server.pages else ""
        return [str(int(found[2])) if found[2] else "odds" for found in re.finditer(r"sheets-algo (O-|R-(\d+))", text)]

    def reference(self, what: str) -> str:
        return PAGE

    def is_corrected(self, what: str) -> bool:
        return True  # an undo is a mark of its own


class DiscordPlace:
    """A channel of Discord."""

    def __init__(self, server: LocalDiscord, folder: Path, kind: str) -> None:
        self.server, self.api = server, server.api
        is_forum, is_bot = "forum" in kind, "bot" in kind
        (folder / "secret").write_text(server.bot_token if is_bot else server.webhook, "utf-8")
        server.webhook_channel = "8" if is_forum else "7"
        self.settings = ChannelSettings(
            name="wars", to="discord", secret_file=folder / "secret", odds=True, threads=is_forum or is_bot,
            standing=True, channel=("8" if is_forum else "7") if is_bot else "",
        )  # fmt: skip

    def disturb(self, chance: random.Random, deeds: Counter[str]) -> None:
        """Let something happen at Discord."""
        kind = chance.choice(["reset", "half", "500", "503", "page", "429", "429-global", "429-page"])
        when = chance.choice(["before", "after", "late"]) if kind in ("reset", "half") else "before"
        self.server.fail_at(kind, chance.randrange(1, 9), when, match=chance.choice(["POST", "PATCH", ""]))
        if kind.startswith("429"):
            self.server.faults[-1].times = chance.randrange(1, 7)
            self.server.retry_after = chance.choice([0.2, 600.0])
        deeds[f"{kind} {when}" if kind in ("reset", "half") else kind] += 1
        if chance.random() < 0.3:
            self.server.say("Receipt 2 · W-1", "7")

    def marks(self) -> list[str]:
        return [self._mark(message) for message in self._own()]

    def reference(self, what: str) -> str:
        message = next(message for message in self._own() if self._mark(message) == what)
        return f"{message.channel}/{message.id}"

    def is_corrected(self, what: str) -> bool:
        return all(
            message.data["embeds"][0]["title"].startswith("~~")
            for message in self._own()
            if self._mark(message) == what
        )

    def _own(self) -> list[Any]:
        return [message for message in self.server.messages if message.author != "77"]

    def _mark(self, message: Any) -> str:
        text = message.data["embeds"][0]["footer"]["text"]
        found = re.match(r"R-(\d+)|Receipt (\d+)", text)
        if text.startswith("S"):
            return "standing"
        return str(int(found[1] or found[2])) if found else "odds"


@cache
def _begun() -> bytes:
    """Return a workbook with odds, rulings and an undo that are to be posted to a channel, as rows that wait."""
    rows = example("jousts")
    wars = [row | {"Action": None, "Ready": True} for row in rows["Joust Requests"][:2]]
    rows["Joust Requests"] = [wars[0] | {"Action": "Forecast"}, wars[1]]
    with tempfile.TemporaryDirectory() as folder:
        channel = ChannelSettings(name="NAME", to="command", command=("true",), odds=True)
        outbox = Outbox(Path(folder), (channel,), begun=workbook(rows))
        outbox.rule()
        heads = outbox.book.rows("Joust Requests")[0]
        outbox.book.type_in("Joust Requests", 2, heads.index("Action") + 1, None)
        outbox.rule()
        outbox.undo(str(outbox.book.rows("Joust Requests")[1][heads.index("Request")]))
        return outbox.book  # type: ignore[return-value]


LIFE_S = 120.0
"""The longest life of a poster, of which a request or two wait for five seconds."""


@cache
def _forkserver() -> ForkServerContext:
    """Return what makes processes that have imported everything already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, sys.path))  # its modules are looked for there alone
    ensure_running()
    os.environ.pop("PYTHONPATH")
    if before is not None:
        os.environ["PYTHONPATH"] = before
    return context


class _Stage:
    """The workbook, the channel and the posters of one schedule."""

    def __init__(self, place: Any, seed: int, played: Played, careless: str, folder: Path) -> None:
        self.careless = careless
        self.backups: list[tuple[MemoryWorkbook, Path | None]] = []
        self.folder = folder
        self.place, self.played = place, played
        self.chance = random.Random(seed)
        self.time = BEGIN
        self.book: MemoryWorkbook = copy.deepcopy(_begun())  # type: ignore[assignment]
        heads, *rows = self.book.rows("Posts")
        for number, _ in enumerate(rows, start=2):
            self.book.type_in("Posts", number, heads.index("Channel") + 1, place.settings.name)
        is_one_computer = self.chance.random() < 0.5
        self.computer = folder / "computer" if is_one_computer else None
        if self.computer:
            self.computer.mkdir()
        self.keys = {entry.key for entry in self.entries() if entry.seq}
        self._lock = threading.RLock()
        self._until_death = -1
        self._dies_after = False
        self._processes: list[BaseProcess] = []
        self._context = _forkserver()

    def entries(self) -> tuple[PostEntry, ...]:
        return read_posts(self.book.read([key_of(PostRow)]))

    def strikes(self, *, is_done: bool, process: BaseProcess | None = None) -> bool:
        """Count a request before it is carried out, or look at it afterwards; return True if a poster dies of it.

        Args:
            is_done: True once it is carried out.
            process: The poster, if it is known: of a request to the channel it is not.
        """
        with self._lock:
            self._until_death -= not is_done
            if self._until_death or self._dies_after != is_done:
                return False
            self._until_death = -1
            victim = process or self.chance.choice(self._processes)
            victim.kill()
            self.played.deeds["kill -9"] += 1
            return True

    def run(self, posters: int = 1, dies_at: int = 0, *, is_copy: bool = False) -> None:
        """Let posters work at once, each once.

        Args:
            posters: How many.
            dies_at: The number of the request at which one of them dies; 0 for none.
            is_copy: True if they work on a copy, on a computer without the season's secret.
        """
        self._until_death, self._dies_after = dies_at or -1, self.chance.random() < 0.5
        ends = [self._context.Pipe() for _ in range(posters)]
        computer = str(self.folder / "another computer" if is_copy else self.computer or "")
        arguments = (self.place.settings, self.place.api, self.time, self.careless, computer, is_copy)
        self._processes = [self._context.Process(target=live, args=(theirs, *arguments)) for _, theirs in ends]
        threads = [
            threading.Thread(target=self._serve, args=(own, process))
            for (own, _), process in zip(ends, self._processes, strict=True)
        ]
        for process in self._processes:
            process.start()
        for _, theirs in ends:
            theirs.close()
        for thread in threads:
            thread.start()
        for process in self._processes:  # before their threads, which would wait for a hanging one without an end
            process.join(LIFE_S)
            if process.is_alive():
                process.kill()
                self.played.faults.append(f"a poster did not end within {LIFE_S:.0f} seconds")
        for thread in threads:
            thread.join()
        self.played.deeds["posters"] += posters

    def _serve(self, connection: Any, process: BaseProcess) -> None:
        """Answer the requests of a poster for the workbook until it ends or dies."""
        with connection:
            self._answer(connection, process)

    def _answer(self, connection: Any, process: BaseProcess) -> None:
        while True:
            try:
                name, *arguments = connection.recv()
            except (EOFError, OSError):
                return
            if name == "end":
                return
            if self.strikes(is_done=False, process=process):
                return
            with self._lock:
                try:
                    found: Any = getattr(self.book, name)(*arguments)
                except WorkbookError as error:
                    found = error
            if self.strikes(is_done=True, process=process):
                return
            try:
                connection.send(found)
            except OSError:
                return

    @property
    def record(self) -> Path | None:
        """Return the record of posts of the one computer on which posters live, if there is one."""
        return next(iter(records(self.computer)), None) if self.computer else None

    def run_copy(self) -> None:
        """Let a poster work on a copy of the workbook, without the season's secret: it posts nothing (PST-14)."""
        own, before = self.book, self.place.marks()
        self.book = copy.deepcopy(own)
        self.run(is_copy=True)
        self.book = own
        self.played.deeds["copied"] += 1
        if self.place.marks() != before:
            self.played.faults.append("something was posted from a copy")

    def run_edited(self) -> None:
        """Let a poster work while the text of the first ruling is edited: it posts nothing (PST-14)."""
        column = self.book.rows("Receipts")[0].index("Receipt") + 1
        text, before = self.book.rows("Receipts")[2][column - 1], self.place.marks()
        self.book.type_in("Receipts", 3, column, "Norway wins everything.")
        self.run()
        self.book.type_in("Receipts", 3, column, text)
        self.played.deeds["receipt edited"] += 1
        if self.place.marks() != before:
            self.played.faults.append("something was posted while a receipt was edited")

    def back_up(self) -> None:
        """Keep the workbook and the folder beside it, if there is one, as they are now."""
        if not self.computer and self.book.posts:
            self.backups.append((copy.deepcopy(self.book), None))
        if self.computer and self.record and SeasonRecord(self.record).entries(POST):
            kept = Path(tempfile.mkdtemp(dir=self.folder)) / "backup"
            shutil.copytree(self.computer, kept)
            self.backups.append((copy.deepcopy(self.book), kept))

    def do_deed(self) -> None:
        """Let a person put backups back, or delete and sort rows of Posts; all rows are noted by then."""
        if not self.backups:
            return
        has_tab = key_of(PostRow) in self.book.read([key_of(PostRow)]).sheets
        deeds = ["workbook", *(["rows gone", "all rows gone", "tab gone", "sorted"] if has_tab else [])]
        if self.computer:
            has_rows = self.keys <= {entry.key for entry in self.entries()}
            deeds += ["folder", "both", "torn", *(["moved"] if has_rows else [])]  # else nobody would know what is gone
        deed = self.chance.choice(deeds)
        book, folder = self.chance.choice(self.backups)
        if deed == "torn" and self.record:  # its last line is cut off, and an older workbook comes back
            self.record.write_bytes(self.record.read_bytes()[: -self.chance.randrange(2, 40)])
        if deed in ("workbook", "both", "torn"):
            noted, self.book = self.book.posts, copy.deepcopy(book)
            self.book.posts = noted  # which no person can put back
        if deed in ("folder", "both") and self.computer and folder:
            shutil.rmtree(self.computer)
            shutil.copytree(folder, self.computer)
            age(self.computer)
        if deed == "moved" and self.computer:  # to a computer without the folder, which keeps one from then on
            shutil.rmtree(self.computer)
            self.computer.mkdir()
            self.backups.clear()
        if deed == "tab gone":
            self.book.delete_tab("Posts")
        self.played.deeds[f"{deed} put back" if deed in ("workbook", "folder", "both", "torn") else deed] += 1
        if key_of(PostRow) not in self.book.read([key_of(PostRow)]).sheets:
            return
        heads, *rows = self.book.rows("Posts")
        if deed == "rows gone":
            rows = [[None] * len(row) if row and row[0] and self.chance.random() < 0.5 else row for row in rows]
        if deed == "all rows gone":
            rows = [[None] * len(row) if row and row[0] else row for row in rows]
        if deed == "sorted":
            self.chance.shuffle(rows)
        for number, row in enumerate(rows, start=2):
            for column, value in enumerate([*row, *[None] * (len(heads) - len(row))], start=1):
                self.book.type_in("Posts", number, column, value)

    def move(self, seconds: float) -> None:
        """Let time pass; what is late arrives within the minutes for which Discord knows a nonce."""
        self.time += seconds
        if seconds >= 300:
            self.place.server.carry_out_late()
            if isinstance(self.place.server, LocalDiscord):
                self.place.server.forget_nonces()


def play(kind: str, seed: int, careless: str = "") -> Played:
    """Play a schedule of a channel.

    Args:
        kind: One of `KINDS`.
        seed: The seed of the schedule.
        careless: A channel with a mistake, of `poster_life.CARELESS`, to be found out; blank for none.
    """
    played = Played(kind, seed)
    with tempfile.TemporaryDirectory() as folder, _place(kind, Path(folder)) as place:
        stage = _Stage(place, seed, played, careless, Path(folder))
        deadly = place.server
        whole = deadly.answer

        def answer(asked: Asked) -> tuple[Answer, str]:
            if stage.strikes(is_done=False):
                if stage.chance.random() < 0.5:  # it is on its way, and arrives though nobody waits
                    whole(asked)
                return Answer(200), "reset"
            found = whole(asked)
            return (Answer(200), "reset") if stage.strikes(is_done=True) else found

        deadly.answer = answer  # type: ignore[method-assign]
        _disturbed(stage, place)
        _settled(stage, place)
    return played


def _disturbed(stage: _Stage, place: Any) -> None:
    """Let posters work while things go wrong."""
    chance = stage.chance
    for _ in range(chance.randrange(3, 8)):
        if chance.random() < 0.1:
            stage.run_edited()
        if chance.random() < 0.05:
            stage.run_copy()
        for _ in range(chance.randrange(0, 3)):
            place.disturb(chance, stage.played.deeds)
        stage.run(2 if chance.random() < 0.25 else 1, chance.randrange(1, 24) if chance.random() < 0.6 else 0)
        place.server.faults.clear()
        stage.move(chance.choice([1, 20, 400, 700]))
        stage.back_up()
        if chance.random() < 0.4:
            stage.do_deed()
    place.server.faults.clear()
    place.server.carry_out_late()


def _settled(stage: _Stage, place: Any) -> None:
    """Let posters work undisturbed and people look where they are asked to; note every rule that does not hold."""
    faults, deeds, kind = stage.played.faults, stage.played.deeds, stage.played.kind
    for _ in range(6):  # a claim that was given up, a look, an action, a post, and the edit of what stands
        stage.move(1_000)
        stage.run()
        unsure = [(row, entry) for row, entry in enumerate(stage.entries()) if entry.state == "Unsure"]
        if all(entry.state == "Posted" for entry in stage.entries()):
            break
        for row, entry in unsure:
            deeds["Unsure"] += 1
            if not str(entry.row.value("message") or "").endswith("Send again, or Posted.") and "look there" not in str(
                entry.row.value("message")
            ):
                faults.append(f"{entry.title} is Unsure and its Message does not ask to look")
            _act(stage, place, entry, row)
        if unsure and kind not in NAMES_UNSURE:
            faults.append("a row is Unsure")
    gone = stage.keys - {entry.key for entry in stage.entries()}
    faults += [f"the row of receipt {seq} is gone" for seq, _ in gone]
    if gone:
        return
    marks = Counter(place.marks())
    faults += [f"{what} is there {number} times" for what, number in marks.items() if number > 1]
    is_wiki = kind == "wiki"
    undone = max(entry.seq for entry in stage.entries())
    for entry in stage.entries():
        what = _name(entry)
        if entry.state != "Posted":
            faults.append(f"{entry.title} is {entry.state}: {entry.row.value('message')}")
        elif what not in marks and (is_wiki or entry.seq != undone):
            faults.append(f"{entry.title} is Posted and is not there")
    request = next(entry.request for entry in stage.entries() if entry.seq == undone)
    (ruling,) = (str(entry.seq) for entry in stage.entries() if entry.request == request and 0 < entry.seq < undone)
    if not place.is_corrected(ruling) and str(undone) not in marks:  # of its own where no id is known
        faults.append(f"receipt {ruling} is not shown as undone")


def _name(entry: PostEntry) -> str:
    return str(entry.seq) if entry.seq else "standing" if entry.is_standing else "odds"


def _act(stage: _Stage, place: Any, entry: PostEntry, row: int) -> None:
    """Set Action of a row that is Unsure, as a person who looks."""
    what = _name(entry)
    action = f"Posted {place.reference(what)}" if what in place.marks() else "Send again"
    heads = stage.book.rows("Posts")[0]
    stage.book.type_in("Posts", entry.row.number, heads.index("Action") + 1, action)


@contextmanager
def _place(kind: str, folder: Path) -> Iterator[Any]:
    make: Callable[[], FaultyServer] = LocalWiki if kind == "wiki" else LocalDiscord
    with make() as server:
        yield WikiPlace(server, folder) if isinstance(server, LocalWiki) else DiscordPlace(server, folder, kind)  # type: ignore[arg-type]
