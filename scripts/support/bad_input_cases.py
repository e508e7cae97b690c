"""Mistakes made on purpose, and the line a moderator then sees.

`test_bad_input.py` makes every one of them on real files with the installed command; `scripts/docs` makes
`docs/reference/bad-input.md` of the list. They are lines of `mistakes.txt`, those of a game of `mistakes.txt` in its
folder of tests: the mistake, what is typed, the line that is shown, and if they are not the usual ones, what is typed
after `sheets-algo`, the exit code and variables. What is typed is as in `cell_pages.py`, without the tab of the heading;
behind `= ` is one of the functions below. Few cases of games that need rows of their own are in Python.
"""

# ruff: noqa: E501 - what is shown stands here as it is shown

from __future__ import annotations

import re
import runpy
import shutil
import zipfile
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.packaging.custom import BoolProperty

from scripts.support.bad_input import Arrange, Case
from scripts.support.cell_pages import type_cells
from scripts.support.moderator import BOOK, SECRET, Moderator, Rows, only, row_of, season, write
from scripts.support.pinned_tables import SHIPPED
from scripts.support.workbooks import cell_name
from sheets_algo.forms.rulesets import form_entries, ruleset_names

PAGE = Path(__file__).with_name("mistakes.txt")
GAMES = Path(__file__).resolve().parents[2] / "tests" / "games"


def finished(finish: Callable[[openpyxl.Workbook], None]) -> Arrange:
    """Anything that only a spreadsheet program does."""
    return lambda folder: void(write(folder / BOOK, season(), finish=finish))


def heading(book: openpyxl.Workbook, tab: str, header: str) -> Any:
    """The cell of a header."""
    return next(found for found in book[tab][1] if found.value == header)


def cell(tab: str, header: str, row: int, value: Any) -> Arrange:
    """One cell as only a spreadsheet program makes it."""
    return finished(lambda book: setattr(book[tab].cell(row, heading(book, tab, header).column), "value", value))


def edit(path: Path, tab: str, header: str, row: int, value: Any) -> None:
    """Open a workbook, change one cell, save it."""
    book = openpyxl.load_workbook(path)
    found = book[tab].cell(row, heading(book, tab, header).column)
    found.value = value
    if isinstance(value, str):
        found.data_type = "s"  # openpyxl takes "== Hastings ==" for a formula
    book.save(path)


def header(tab: str, old: str, new: str | None) -> Arrange:
    """Another header, or none."""
    return finished(lambda book: setattr(heading(book, tab, old), "value", new))


def renamed(tab: str, title: str) -> Arrange:
    """A tab under another title."""
    return finished(lambda book: setattr(book[tab], "title", title))


def file(content: bytes, name: str = BOOK) -> Arrange:
    """Something that is no workbook."""
    return lambda folder: void((folder / name).write_bytes(content))


def beside(name: str, content: str) -> Arrange:
    """A sound workbook, with another file beside it."""

    def arrange(folder: Path) -> None:
        write(folder / BOOK, season())
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")

    return arrange


def foreign(part: str, old: str, new: str) -> Arrange:
    """A workbook in which another program wrote one part differently."""

    def arrange(folder: Path) -> None:
        parts = {}
        with zipfile.ZipFile(write(folder / BOOK, season())) as package:
            for name in package.namelist():
                parts[name] = package.read(name)
        assert old.encode() in parts[part]
        parts[part] = parts[part].replace(old.encode(), new.encode(), 1)
        with zipfile.ZipFile(folder / BOOK, "w", zipfile.ZIP_DEFLATED) as package:
            for name, content in parts.items():
                package.writestr(name, content)

    return arrange


def marked_as_final(book: openpyxl.Workbook) -> None:
    """Property that Excel writes for Mark as Final."""
    book.custom_doc_props.append(BoolProperty(name="_MarkAsFinal", value=True))


def bomb(folder: Path) -> None:
    """A workbook of 30 million zeros."""
    write(folder / BOOK, season())
    with zipfile.ZipFile(folder / BOOK, "a", zipfile.ZIP_DEFLATED) as package:
        package.writestr("xl/media/image1.bmp", bytes(30_000_000))


def cut_off(folder: Path) -> None:
    """Half of a workbook, as after a broken download."""
    whole = write(folder / BOOK, season()).read_bytes()
    (folder / BOOK).write_bytes(whole[: len(whole) // 2])


def void(made: object) -> None:
    """What was made lies on disk."""


def nothing(folder: Path) -> None:
    """An empty folder."""


def sound(folder: Path) -> None:
    """A workbook without a mistake."""
    write(folder / BOOK, season())


def ruled(folder: Path) -> None:
    """A workbook in which one war is ruled and another waits."""
    home = folder / ".home"
    home.mkdir()
    rows = only(season(), "W-0004")
    next(row for row in rows["War Requests"] if row["Request"] == "W-0004")["Seed"] = 1071
    write(folder / BOOK, rows)
    assert Moderator(folder, home).types("run", BOOK, SHEETS_ALGO_SECRET=SECRET).code == 0
    edit(folder / BOOK, "War Requests", "Ready", 3, True)


def without_secret(folder: Path) -> None:
    """The same, copied to a new computer without the hidden folder that holds the secret."""
    ruled(folder)
    shutil.rmtree(folder / ".sheets-algo")


def without_season(folder: Path) -> None:
    """The same, without the first receipt."""
    ruled(folder)
    book = openpyxl.load_workbook(folder / BOOK)
    book["Receipts"].delete_rows(2)
    book.save(folder / BOOK)


def with_beacon_luck(folder: Path) -> None:
    """A season that has begun with beacon luck."""
    home = folder / "home"
    home.mkdir()
    begun = Moderator(folder, home).types("init", "--luck", "beacon", BOOK, SHEETS_ALGO_SECRET=SECRET)
    assert begun.code == 0
    shutil.rmtree(home)


def seeded_with_beacon_luck(folder: Path) -> None:
    """The same, and a seed that was typed."""
    with_beacon_luck(folder)
    edit(folder / BOOK, "War Requests", "Seed", 2, 7)


def another_beacon(folder: Path) -> None:
    """A setting that names a chain of drand with another scheme."""
    beside("chain.json", '{"schemeID": "pedersen-bls-chained"}')(folder)
    (folder / "sheets-algo.toml").write_text('beacon_chain = "chain.json"\n')


def changed_receipt(folder: Path) -> None:
    """The same, with other losses on the receipt."""
    ruled(folder)
    receipt = row_of(folder / BOOK, "Receipts", "Request", "W-0004")["Receipt"]
    edit(folder / BOOK, "Receipts", "Receipt", 3, receipt.replace("captured 0", "captured 12"))


def ruled_and_edited(tab: str, header: str, row: int, value: Any) -> Arrange:
    """The same, with another value in a cell."""

    def arrange(folder: Path) -> None:
        ruled(folder)
        edit(folder / BOOK, tab, header, row, value)

    return arrange


def without_motives(folder: Path) -> None:
    """A season that `init` began, in which a moderator deleted a column."""
    home = folder / ".home"
    home.mkdir()
    assert Moderator(folder, home).types("init", BOOK).code == 0
    book = openpyxl.load_workbook(folder / BOOK)
    book["War Requests"].delete_cols(heading(book, "War Requests", "Motive").column)
    book.save(folder / BOOK)


MARCH = date(2026, 3, 1)
LEGACY = bytes.fromhex("d0cf11e0a1b11ae1")


def decided_twice(folder: Path) -> None:
    """Two decisions of the winner of Hastings."""
    decision = {"Request": "W-0002", "Kind": "Result", "What": "Winner", "Reason": "a slip", "By": "Anna"}
    write(folder / BOOK, season() | {"Overrides": [decision | {"Value": name} for name in ("England", "Normandy")]})


def lines_of(page: Path) -> Iterator[Case]:
    """Yield the cases of a page."""
    example, about = "1066", ""
    for line in filter(None, page.read_text(encoding="utf-8").splitlines()):
        if heading := re.fullmatch(r"== (?:([a-z]+): )?(.*) ==", line):
            example, about = heading[1] or "1066", heading[2]
            continue
        did, typed, shown, *more = line.split(" | ")
        words = [part.removeprefix("$ ").split() for part in more if part.startswith("$ ")]
        codes = [int(part.removeprefix("exit ")) for part in more if part.startswith("exit ")]
        variables = dict(_filled(part).split("=", 1) for part in more if re.match("[A-Z_]+=", part))
        rows = None if typed.startswith("= ") else partial(_typed, about, typed, example)
        yield Case(
            about,
            did,
            _filled(shown),
            eval(typed[2:], globals()) if rows is None else partial(_write, rows),
            tuple(words[0]) if words else ("check", BOOK),
            codes[0] if codes else 1,
            variables or None,
            rows,
        )


def _typed(tab: str, cells: str, example: str) -> Rows:
    rows = season(example)
    type_cells(rows, (tab, ""), cells)
    return rows


def _write(rows: Callable[[], Rows], folder: Path) -> None:
    write(folder / BOOK, rows())


def _filled(text: str) -> str:
    """Return a text of a page with what depends on other files: addresses of columns that move, lists of names."""
    text = re.sub(r"\{([^!{}]+)!([^{}]+)\}(\d+)", lambda cell: cell_name(cell[1], cell[2], int(cell[3])), text)
    tabs = " or ".join(entry.request_tab.name for entry in form_entries())
    names = {"{rulesets}": ", ".join(ruleset_names()), "{request tabs}": tabs}
    for name, value in (names | {"{secret}": SECRET, "{shipped}": str(SHIPPED)}).items():
        text = text.replace(name, value)
    return text


def _of_games() -> Iterator[Case]:
    """Yield the mistakes in the tabs of games."""
    for page in sorted(GAMES.glob("*/mistakes.txt")):
        yield from lines_of(page)
    for module in sorted(GAMES.glob("*/bad_input_cases.py")):
        yield from runpy.run_path(str(module))["CASES"]


CASES: tuple[Case, ...] = (*lines_of(PAGE), *_of_games())
