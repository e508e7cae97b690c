"""Pages of stories: on each line what is typed between passes, and what the program answers after each.

A page begins with its season, `== rounds: Round Requests ==`: an example, or `smallest war`, and its request tab, which
is emptied. `beacon rounds: Round Requests` has beacon luck; `, watched` behind it a watcher, which waits for rows that
are still being typed, `, checked` the command check in place of passes, and `, {"losses":"tell"}` other inputs of the
season. Below come lines `with` of cells in other tabs, as in `cell_pages.py` (`*` for each row), and names for rows or
cells, `tax = Player: Anna & Order: Set tax`, or for several. The rows of the example have their ids as names, and `war`
is the first of them.

A line below is a story, of steps with ` >> ` between them: `typed | answered`. The first step types rows with `, `
between them, each of a name and cells with ` & ` between them; they are ticked and get the ids R-1, R-2 and so on.
Cells of other tabs and a time may stand among them. Later steps have ` & ` between cells, `R-2!Tax %: 15` in the second
row of the request tab, `Tab!Row!Header: value` in another; `undo R-1` takes a ruling back, `copy R-1 to R-9` pastes a
row, or a blank one, `at 20:00:03` is the time of the pass, `before 123` and `after 123 + 15` that of a round of the
beacon.

Answered are the statuses of all rows in their order, `-` for a blank, and then, with ` || ` between them, what else is
asked: `R-2 says ...` (part of its message), `R-2 does not say ...`, `ruled R-2 R-1` (in this order), `nothing new` (the
pass writes nothing), `no undo: ...` (the first line of why), `problems ...` (all, with ` + ` between them), `check ...`
(all that it reports), `receipt R-2 has ...` (or `receipt 5 has ...`), `inputs R-2 have ...` (or `lack`), `luck R-2:
...` (what its receipt says of promises), `kinds ...` of all receipts, and `cell Tab!Row!Header: value`. After the last
step every ruling is verified. `python -m scripts.support.story_pages` writes what the program answers now on all pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engine.columns import tab_of
from scripts.support import toys
from scripts.support.beacon_rounds import BeaconSeason, after_round, at, before_round, luck_line
from scripts.support.cell_pages import TESTS, row_named, type_cells, value_of
from scripts.support.smallest_war import war_rows
from scripts.support.workbooks import (
    INPUTS,
    NOW,
    SECRET,
    Rows,
    changed,
    check,
    column,
    example,
    forms,
    messages,
    pass_context,
    read,
    rehearse,
    undo,
    workbook,
)
from sheets_algo.replays.promise_problems import promise_problems
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.corrections import CannotUndo
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.promises.promises import Promises
from sheets_algo.ruling.receipts.chain import season_trouble
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.tab_key import TabKey

PAGES = (TESTS / "forms" / "stories.txt", TESTS / "ruling" / "stories.txt", *sorted(TESTS.glob("games/*/stories.txt")))
HEADING = re.compile(
    r"== (?P<luck>beacon )?(?P<example>[^:]+): (?P<tab>[^,=]+)"
    r"(?P<watched>, watched)?(?P<checked>, checked)?(?P<inputs>, \{.*\})? =="
)
ROUND = re.compile(r"(before|after) (\d+)(?: ([+-]) (\d+))?")
OF_ROW = re.compile(r"[A-Z]+-(\d+)")


@dataclass(frozen=True, slots=True)
class Scene:
    """The season of stories: its heading, the cells of other tabs, and the rows that have a name."""

    heading: str
    cells: tuple[str, ...] = ()
    names: dict[str, str] = field(default_factory=dict)

    def rows(self) -> tuple[Rows, dict[str, dict[str, Any]]]:
        """Return the rows of the season without requests, and those of its requests by id; `war` is the first."""
        heading = HEADING.fullmatch(self.heading)
        assert heading, self.heading
        rows = war_rows() if heading["example"] == "smallest war" else example(heading["example"])
        tab = heading["tab"]
        prefix = next(form.prefix for form in forms() if tab_of(form.request).name == tab)
        requests = {str(row["Request"]): row for row in rows.get(tab) or [{"Request": f"{prefix}1"}]}
        requests["war"] = {name: value for name, value in next(iter(requests.values())).items() if name != "Request"}
        rows[tab] = []
        for cells in self.cells:
            for_each = re.fullmatch(r"([^!]+)!\*!(.*)", cells)
            for row in rows[for_each[1]] if for_each else ():
                header, _, value = str(for_each and for_each[2]).partition(":")
                row[header] = value_of(value.strip())
            if not for_each:
                type_cells(rows, (tab, ""), cells)
        return rows, requests

    def ordered(self, requests: dict[str, dict[str, Any]], spec: str) -> dict[str, Any]:
        """Return the cells of a row: those of its name, and what is typed beside it."""
        cells: dict[str, Any] = {}
        for part in filter(None, spec.split(" & ")):
            if part in requests:
                cells |= requests[part]
            elif part in self.names:
                cells |= self.ordered(requests, self.names[part])
            else:
                header, colon, value = part.partition(":")
                assert colon, part
                cells[header] = value_of(value.strip())
        return cells


@dataclass(frozen=True, slots=True)
class Story:
    """One line of a page."""

    scene: Scene
    line: str

    def answer(self) -> str:
        """Return the line with what the program answers, and of what else is asked that which holds."""
        return " >> ".join(self._steps())

    def _steps(self) -> Iterator[str]:
        rows, requests = self.scene.rows()
        start, *later = self.line.split(" >> ")
        heading = HEADING.fullmatch(self.scene.heading)
        assert heading
        typed, bar, asked = start.partition(" | ")
        several = {name: text for name, text in self.scene.names.items() if ", " in text or "!" in text}
        words = [word for part in typed.strip().split(", ") for word in several.get(part, part).split(", ")]
        cells = [word for word in words if "!" in word]
        for word in cells:
            type_cells(rows, (heading["tab"], ""), word)
        times = [word for word in words if _is_time(word)]
        letter = next(iter(requests)).partition("-")[0]
        rows[heading["tab"]] = [
            {"Request": f"{letter}-{number}", "Ready": True} | self.scene.ordered(requests, spec)
            for number, spec in enumerate((word for word in words if word and word not in (*times, *cells)), start=1)
        ]
        played = _Played(rows, heading)
        played.pass_at(times)
        yield f"{typed} | {played.answered(asked)}" if bar else typed
        for step in later:
            typed, bar, asked = step.partition("| ")
            played.type_in([word for word in typed.strip().split(" & ") if word])
            yield f"{typed}| {played.answered(asked)}" if bar else typed
        yield from played.lies()


def _is_time(word: str) -> bool:
    return word.startswith("at ") or bool(ROUND.fullmatch(word))


class _Played:
    """A season while its story is played."""

    def __init__(self, rows: Rows, heading: re.Match[str]) -> None:
        self.tab = heading["tab"]
        self.beacon = BeaconSeason(rows) if heading["luck"] else None
        inputs = (heading["inputs"] or f", {INPUTS}").removeprefix(", ")
        self.book: MemoryWorkbook = self.beacon.book if self.beacon else workbook(rows, inputs=inputs)
        self.known: Any = {} if heading["watched"] else None
        self.is_checked = bool(heading["checked"])
        self.now: float | str = before_round(123) if self.beacon else NOW
        self.plan: Plan | None = None
        self.refusal = ""

    @property
    def receipts(self) -> Receipts:
        return read_receipts(read(self.book))

    def type_in(self, typed: list[str]) -> None:
        """Type what a step types, and make its pass."""
        for word in typed:
            if word.startswith("undo "):
                self._undo(word.removeprefix("undo "))
            elif copied := re.fullmatch(r"copy (\S+) to (\S+)", word):
                rows, source, target = (
                    self.book.rows(self.tab),
                    *(self._row(self.tab, name) for name in copied.groups()),
                )
                cells = [*(rows[source - 1] if source <= len(rows) else ())]
                for place in range(len(rows[0])):
                    self.book.type_in(self.tab, target, place + 1, cells[place] if place < len(cells) else None)
            elif not _is_time(word):
                self._type(word)
        self.pass_at([word for word in typed if _is_time(word)])

    def _undo(self, request: str) -> None:
        snapshot = read(self.book)
        now = self.now if isinstance(self.now, str) else at(self.now)
        try:
            self.book.commit(snapshot, undo(snapshot, forms(), request, now)[1])
        except CannotUndo as refusal:
            self.refusal = str(refusal)

    def _type(self, cell: str) -> None:
        place, colon, value = cell.partition(":")
        assert colon, cell
        tab, name, header = (self.tab, *place.split("!")) if place.count("!") == 1 else place.split("!")
        sheet = self.book.read([key := TabKey.named(tab)]).sheet(key)
        assert sheet is not None
        self.book.type_in(tab, self._row(tab, name), list(sheet.rows[1]).index(header) + 1, value_of(value.strip()))

    def _row(self, tab: str, name: str) -> int:
        """Return the number of a row; R-2 is the second request, whatever its id is."""
        if number := (OF_ROW if tab == self.tab else re.compile(r"row (\d+)")).fullmatch(name):
            return int(number[1]) + (tab == self.tab)
        heads, *found = self.book.rows(tab)
        rows: list[dict[str, Any]] = [dict(zip(map(str, heads), row, strict=False)) for row in found]
        return rows.index(row_named(rows, tab, name)) + 2

    def pass_at(self, times: list[str]) -> None:
        """Make a pass at a time, or at that of the pass before."""
        for time in times:
            if of_round := ROUND.fullmatch(time):
                seconds = (before_round if of_round[1] == "before" else after_round)(int(of_round[2]))
                self.now = seconds + int(f"{of_round[3]}{of_round[4]}" if of_round[3] else 0)
            else:
                clock = time.removeprefix("at ")
                self.now = clock if "T" in clock else f"2026-03-01T{clock}Z"
        if self.beacon:
            assert not isinstance(self.now, str)
            self.plan = self.beacon.run(self.now)
            return
        snapshot = read(self.book)
        if self.is_checked:
            self.plan = rehearse(snapshot, self._forms())
            return
        context = pass_context() if self.known is None else changed(pass_context(), known=self.known)
        self.plan = plan_pass(snapshot, context, str(self.now))
        self.known = None if self.known is None else self.plan.findings.known
        if self.plan.writes.changes:
            self.book.commit(snapshot, self.plan.writes.changes)

    def answered(self, asked: str) -> str:
        """Return the statuses, and what holds of the rest that is asked."""
        assert self.plan
        statuses = [status or "-" for _, status, _ in messages(self.plan)]
        _, *more = asked.split(" || ")
        return " || ".join([" ".join(statuses) or "-", *(self._holds(one) for one in more)])

    def _holds(self, asked: str) -> str:
        """Return what is asked if it holds, else what holds in its place."""
        assert self.plan
        about, _, text = asked.partition(" ")
        if number := OF_ROW.fullmatch(about):
            says = messages(self.plan)[int(number[1]) - 1][2].replace("\n", " / ")
            said = re.fullmatch("(says|does not say) (.*)", text)
            return asked if said and (said[2] in says) == (said[1] == "says") else f"{about} says {says}"
        if about == "ruled":
            return " ".join(["ruled", *(ruling.receipt.request for ruling in self.plan.rulings)])
        if asked in ("nothing new", "something new"):
            return "something new" if self.plan.writes.changes else "nothing new"
        if about == "no":
            return f"no undo: {self.refusal}".partition("\n")[0]
        if about in ("problems", "check"):
            found = self.plan.problems if about == "problems" else check(read(self.book), self._forms())
            return f"{about} {' + '.join(map(str, found))}".strip()
        if about == "kinds":
            return " ".join(["kinds", *map(str, column(self.book, "Receipts", "Kind"))])
        if about == "cell":
            tab, name, header = text.partition(": ")[0].rstrip(":").split("!")
            values, place = column(self.book, tab, header), self._row(tab, name) - 2
            value = values[place] if place < len(values) else None
            is_met = value == value_of(text.partition(": ")[2])
            return asked if is_met else f"cell {tab}!{name}!{header}: {'' if value is None else value}"
        request, _, part = text.partition(" has " if about == "receipt" else ": ")
        receipts = self.receipts
        receipt = receipts.by_seq.get(int(request)) if request.isdigit() else receipts.ruling_of(request)
        if about == "receipt":
            text = receipt.wiki.replace("\n", " / ") if receipt else ""
            return asked if part in text else f"receipt {request} has {text}"
        if about == "inputs":
            request, _, part = text.split(" ", 2)
            receipt = self.receipts.ruling_of(request)
            is_in = receipt is not None and part in receipt.inputs
            return f"inputs {request} {'have' if is_in else 'lack'} {part}"
        assert about == "luck", asked
        said = luck_line(receipt).partition(" promised in receipt ")[2].partition(". ")[2]
        return f"luck {request}: {said}"

    def _forms(self) -> list[Any]:
        (ruleset,) = {form.ruleset_key for form in forms() if tab_of(form.request).name == self.tab}
        return [form for form in forms() if form.ruleset_key == ruleset]

    def lies(self) -> Iterator[str]:
        """Yield what is wrong with the receipts: each ruling is what anybody computes, with and without the secret."""
        known = self.receipts
        yield from filter(None, [season_trouble(known, SECRET)])
        if self.beacon:
            yield from promise_problems(Promises(known), {form.key: form for form in forms()})
        for ruling in known.rulings:
            form = next(form for form in forms() if form.key == ruling.ruleset)
            for secret in (None, SECRET) if self.beacon else (SECRET,):
                rules = pass_context().fingerprints[form.ruleset_key]
                if not known.is_undone(ruling):
                    verdict = verify(
                        ruling, form, rules, secret, known.options, Promises(known) if self.beacon else None
                    )
                    yield from verdict.differences
                    yield from verdict.remarks if self.beacon and self.tab == "War Requests" else ()


def stories(page: Path) -> Iterator[Story]:
    """Yield the stories of a page."""
    for _, story in _lines(page):
        if story:
            yield story


def _lines(page: Path) -> Iterator[tuple[str, Story | None]]:
    scene = Scene("")
    for line in page.read_text(encoding="utf-8").splitlines():
        name = re.fullmatch(r"([a-z][a-z ]*) = (.*)", line)
        if line.startswith("=="):
            scene = Scene(line)
        elif line.startswith("with "):
            scene = replace(scene, cells=(*scene.cells, line.removeprefix("with ")))
        elif name:
            scene = replace(scene, names={**scene.names, name[1]: name[2]})
        is_story = bool(line) and not name and not line.startswith(("==", "with ", "#"))
        if is_story and " | " not in line:
            raise ValueError(f"{page.name}: this line is no story, since it lacks ` | ` before its answer: {line}")
        yield line, Story(scene, line) if is_story else None


def update(page: Path) -> None:
    """Write on a page what the program answers now, for `git diff` to show."""
    page.write_text("".join(f"{story.answer() if story else line}\n" for line, story in _lines(page)), encoding="utf-8")


if __name__ == "__main__":
    toys.install()
    for page in PAGES:
        update(page)
