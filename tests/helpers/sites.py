"""Seasons in memory and the sites made of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from engine.ruleset import MachineCode
from scripts.support.rulings import HOSTILE
from scripts.support.workbooks import Rows, changed, example, forms, grids, library, pass_context, read, undo
from sheets_algo.replays.luck_report import how_lucky
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.runtime.session.session import OpenWorkbook, Session
from sheets_algo.site.build import SiteOptions, write_site
from sheets_algo.site.folder import MANIFEST, SiteResult
from sheets_algo.steps import HEADERS_TO_READ, tabs_to_read
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers import machine_code

LATER = "2026-03-02T12:00:00Z"


@dataclass
class MemorySeason:
    """A season in memory, with a folder for what lies beside the workbook."""

    folder: Path
    book: MemoryWorkbook
    session: Session = field(init=False)

    def __post_init__(self) -> None:
        self.book.folder = self.folder
        self.session = Session(workbook=self.book, folder=self.folder, library=library())

    def rule(self, *, with_luck: bool = False) -> None:
        """Rule what is ready."""
        luck = partial(how_lucky, code=MachineCode(machine_code.kernel())) if with_luck else None
        context = changed(pass_context(), luck_of=luck)
        snapshot = read(self.book)
        plan = plan_pass(snapshot, changed(context, forms=self.forms), "2026-03-01T12:00:00Z")
        assert plan.rulings, [answer.cells.message for answer in plan.findings.answers]
        self.book.commit(snapshot, plan.writes.changes)

    def undo(self, request: str) -> None:
        """Take a ruling back."""
        _, changes = undo(read(self.book), self.forms, request, LATER)
        self.book.commit(read(self.book), changes)

    @property
    def forms(self) -> Any:
        """The forms whose request tabs the workbook has."""
        return tuple(form for form in forms() if form.request.tab.name in self.book.tabs)

    def opened(self) -> OpenWorkbook:
        """The season as it is now, with its log."""
        snapshot = self.book.read((*tabs_to_read(self.forms), *HEADERS_TO_READ))
        return OpenWorkbook(snapshot, self.forms, read_receipts(snapshot))

    def site(self, folder: Path, **choices: Any) -> SiteResult:
        """Write its site."""
        return write_site(self.session, self.opened(), SiteOptions(folder, **choices))


def season_of(folder: Path, rows: Rows, *, with_luck: bool = False) -> MemorySeason:
    """Return a season with these rows, ruled."""
    season = MemorySeason(folder, MemoryWorkbook(grids(rows), name="The Long War.xlsx"))
    season.rule(with_luck=with_luck)
    return season


def jousts(count: int) -> Rows:
    """Many jousts of two knights."""
    rows = example("jousts")
    first = rows["Joust Requests"][0] | {"Seed": None}
    ids = [f"J-{number:04}" for number in range(1, count + 1)]
    rows["Joust Requests"] = [first | {"Request": id, "Joust": f"Joust {id}"} for id in ids]
    return rows


def hostile_jousts() -> Rows:
    """Return jousts with hostile names, of knights with hostile names."""
    texts = [*HOSTILE.values(), "M" * 10_000]
    rows = jousts(len(texts))
    for request, text in zip(rows["Joust Requests"], texts, strict=True):
        request |= {"Joust": text, "Challenged": text}
        rows["Knights"].append({"Knight": text, "Skill": 4})
    return rows


class Html(HTMLParser):
    """A page: its links, its ids, its text, and the cells of its tables."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.text = ""
        self.rows: list[list[str]] = []
        self._in_cell = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        found = dict(attributes)
        self.links += [found[name] or "" for name in ("href", "src") if name in found]
        self.links += [found["content"] or ""] if found.get("property") == "og:image" else []
        self.ids |= {found["id"] or ""} if "id" in found else set()
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self._in_cell = True

    def handle_endtag(self, tag: str) -> None:
        self._in_cell = self._in_cell and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._in_cell:
            self.rows[-1][-1] += data


def pages_of(folder: Path) -> dict[str, Html]:
    """Return the pages of a site by path, without replays."""
    files = (file for file in sorted(folder.rglob("*.html")) if file.parent.name != "replays")
    return {file.relative_to(folder).as_posix(): Html(file.read_text("utf-8")) for file in files}


def content_of(folder: Path) -> dict[str, bytes]:
    """Return all files of a site but the list of them."""
    files = (file for file in sorted(folder.rglob("*")) if file.is_file() and file.name != MANIFEST)
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}
