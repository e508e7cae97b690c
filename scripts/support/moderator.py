"""A moderator at a terminal: real files made with openpyxl, and the installed command run on them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import openpyxl

from scripts.support.pinned_tables import WORKSHOP
from scripts.support.toys import INSTALLED
from scripts.support.warm_start import WarmProcess, can_be_warm
from scripts.support.workbooks import INPUTS, example, grids
from scripts.support.workbooks import SECRET as SEASON_SECRET
from sheets_algo.runtime.session import season_secret

COMMAND = Path(sys.executable).with_name("sheets-algo")
BOOK = "season.xlsx"
SECRET = "a season secret that only tests know"

DRAWING = {"SHEETS_ALGO_PICTURES": "true"}
"""For `types`: draw a file for each map."""

PROGRESS = re.compile(r"^[A-Z][a-z ]+: [\d,]+( of [\d,]+)?, .*\n", re.M)
"""Lines that long work prints: from ten seconds on, so a busy machine decides whether they are there."""

Rows = dict[str, list[dict[str, Any]]]


def without_progress(errors: str) -> str:
    """Return what a command says of errors, without its lines of progress."""
    return PROGRESS.sub("", errors)


@dataclass(frozen=True, slots=True)
class Said:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Of `--json`."""
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Moderator:
    """Somebody with a folder of their own, an empty home and no settings but the numbers they play with.

    Args:
        folder: Where they are.
        home: Their account's.
        config: Their numbers, the workshop's unless a test is about the shipped ones: None.
        command: What they type as `sheets-algo`.
    """

    folder: Path
    home: Path
    config: Path | None = WORKSHOP
    command: Path = COMMAND

    def types(self, *words: str | Path, **more: str) -> Said:
        """Run `sheets-algo` with these words; `more` are environment variables."""
        with TemporaryDirectory() as streams:
            out, err = Path(streams, "out"), Path(streams, "err")
            process = self.starts(words, more, out, err)
            try:
                code = process.wait(300)
            finally:
                process.kill()
            return Said(code, out.read_text(), without_progress(err.read_text()))

    def starts(
        self, words: Sequence[str | Path], more: Mapping[str, str], out: Path, err: Path
    ) -> WarmProcess | subprocess.Popen[bytes]:
        """Start the command with its output in files; variables that change Python itself make Python start anew."""
        texts = [*map(str, words)]
        if self.command == COMMAND and can_be_warm(more):
            return WarmProcess(texts, self.folder, self.environment(more), out, err)
        with out.open("ab") as stdout, err.open("ab") as stderr:
            return subprocess.Popen(
                [self.command, *texts], cwd=self.folder, env=self.environment(more), stdout=stdout, stderr=stderr
            )

    def begins(self, *words: str | Path, **more: str) -> subprocess.Popen[str]:
        """The same, without waiting for its end."""
        return subprocess.Popen(
            [self.command, *map(str, words)],
            cwd=self.folder,
            env=self.environment(more),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def environment(self, more: Mapping[str, str]) -> dict[str, str]:
        """As on a fresh account, but without the dear: how lucky a war was, a file for each map.

        In the workshop's story dead leaders lead with a warning, since luck decides who is killed in one war and leads
        in the next; the shipped example needs no such leave. What LibreOffice and Python need is kept, and the toys.
        """
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "LC_ALL", "TMPDIR")}
        kept |= {"PYTHONPATH": INSTALLED} if INSTALLED in sys.path else {}
        own = {"HOME": str(self.home), "XDG_CACHE_HOME": str(self.home / "cache")}
        own |= {"SHEETS_ALGO_HOW_LUCKY": "false", "SHEETS_ALGO_PICTURES": "false"}
        if self.config is not None:
            own |= {"SHEETS_ALGO_CONFIG": str(self.config), "SHEETS_ALGO_DEAD_LEADERS": "warn"}
        return kept | own | dict(more)

    @property
    def book(self) -> Path:
        """The workbook they work in."""
        return self.folder / BOOK

    def files(self) -> dict[str, tuple[str, int]]:
        """Every file below the folder: its SHA-256 and when it was written."""
        return {
            str(file.relative_to(self.folder)): (sha256(file.read_bytes()).hexdigest(), file.stat().st_mtime_ns)
            for file in sorted(self.folder.rglob("*"))
            if file.is_file()
        }


def only(rows: Rows, *requests: str) -> Rows:
    """The rows with these requests alone ready."""
    for tab, its_rows in rows.items():
        if tab.endswith("Requests"):
            for row in its_rows:
                row["Ready"] = row.get("Request") in requests
    return rows


def write(
    path: Path,
    rows: Mapping[str, Sequence[Mapping[str, Any]]],
    headers: Mapping[str, Sequence[str]] = {},
    finish: Callable[[openpyxl.Workbook], None] | None = None,
) -> Path:
    """A workbook as people make one, headers in row 1, a row below another, whose season has begun.

    Under another name than `BOOK` it is a game of its own, with another lineage (RCP-38).
    """
    season_secret.keep(path.parent, SEASON_SECRET)
    inputs = INPUTS if path.name == BOOK else json.dumps(json.loads(INPUTS) | {"lineage": f"file-{path.stem}"})
    return write_grids(path, grids(rows, headers, inputs), finish)


def write_grids(
    path: Path,
    tabs: Mapping[str, Sequence[Sequence[Any]]],
    finish: Callable[[openpyxl.Workbook], None] | None = None,
    *,
    write_only: bool = False,
) -> Path:
    """A workbook with these cells; `write_only` is quicker for many, and nothing can be finished."""
    book = openpyxl.Workbook(write_only=write_only)
    for sheet in book.worksheets:
        book.remove(sheet)
    for tab, grid in tabs.items():
        sheet = book.create_sheet(tab)
        for cells in grid:
            sheet.append(list(cells))
    if finish is not None:
        finish(book)
    book.save(path)
    return path


def season(name: str = "1066") -> Rows:
    """An example's rows, to spoil at will."""
    return example(name)


def shown(path: Path, tab: str) -> list[dict[str, Any]]:
    """A tab as openpyxl reads it: header to value, row by row."""
    with closing(openpyxl.load_workbook(path, read_only=True, data_only=True)) as book:  # reads this tab alone
        head, *rows = book[tab].iter_rows(values_only=True)
    return [dict(zip(map(str, head), row, strict=False)) for row in rows if any(cell is not None for cell in row)]


def row_of(path: Path, tab: str, column: str, name: str) -> dict[str, Any]:
    """The first row whose column shows a name."""
    return next(row for row in shown(path, tab) if row[column] == name)
