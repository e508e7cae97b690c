"""Facts of a workbook in pairs: what each command does with any two of them, in a file and in a spreadsheet (FC-31).

Every pair of facts is in one case at least. What must happen is one table of rules, which knows nothing of the program.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from covertable import make
from openpyxl.utils import get_column_letter as letters

from scripts.support.moderator import BOOK, SECRET, Moderator, Said, write_grids
from scripts.support.sheets_server import LocalSheets
from tests.e2e.online import watching
from tests.helpers.example_budget import spread
from tests.helpers.hands import FileHands, Hands, SheetsHands, Traits, column_of, records

WARS = "War Requests"
FILE, SHEETS = "file", "sheets"
MOVED = "moved.xlsx"

FACTORS: Mapping[str, Sequence[Any]] = {
    "store": (FILE, SHEETS),
    "command": ("run", "watch", "check", "doctor", "undo", "verify"),
    "ready": (2, 5, 1, 0),
    "tab": (WARS, "Nations", "Militaries", "Leaders", "Flanks", "Receipts", "Log"),
    "title": ("as made", "in capitals", "with a sign", "another"),
    "banner": ("", WARS, "Nations", "Flanks", "Receipts"),
    "own columns": ("", "first", "between", "last"),
    "hidden": ("", "rows", "columns", WARS, "Nations"),
    "filtered": ("", WARS, "Nations"),
    "merged": ("", "Attacker", "Location", "Status", "Ready", "Request", "Stability"),
    "protected": ("", WARS, "Nations", "Receipts"),
    "formulas": ("", "Population", "Attacker", "Size", "Fortifications", "own"),
    "second table": ("", "beside", "beside, same header", "below", "below the wars"),
    "own tab": ("", "Nations", "Leaders", "Log", "Receipts"),
}
"""The first value of each is the plainest one. A tab has the title; the rest is said by `acts`."""

Case = Mapping[str, Any]
CASES: Sequence[Case] = make(dict(FACTORS), salt="pairs")

ALL, LED, FIRST_TWO, ON_HEATH = map(frozenset, ({1, 2, 3, 4, 5}, {1}, {1, 2}, {1, 2, 4, 5}))
"""The wars; the one with leaders and flanks; the first two; those that are fought on the Heath."""


class Kind(Enum):
    """What follows from a rule. `check` says each; an error among them is its exit code 1."""

    TAB = "a tab is not as it must be: wars are refused, and doctor fails"
    CELL = "a cell is wrong: wars are refused, and check says it of those that are not ready too"
    READY = "a war is refused if it is ready"
    UNUSED = "a row is wrong that no war uses"
    WARNING = "nothing is refused"
    ABSENT = "there are no wars"
    HELD = "nothing is ruled"
    BLOCKED = "nothing is written where a war would be ruled"


@dataclass(frozen=True, slots=True)
class Rule:
    """What follows from facts."""

    applies: Callable[[Case], bool]
    kind: Kind
    says: str  # A part of the sentence
    refuses: frozenset[int] = frozenset()  # The wars that are refused


def lost(tab: str, *titles: str) -> Callable[[Case], bool]:
    """Return whether a file does not know a tab under its title; a spreadsheet knows it by its mark."""
    return lambda case: case["store"] == FILE and case["tab"] == tab and case["title"] in titles


def has(**facts: str) -> Callable[[Case], bool]:
    """Return whether a case has these facts."""
    wanted = {factor.replace("_", " "): value for factor, value in facts.items()}
    return lambda case: wanted.items() <= case.items()


SIGN, OTHER = "with a sign", "another"
RULES = (
    # A file knows tabs by their titles, without regard to capitals and spaces.
    Rule(lost(WARS, SIGN), Kind.ABSENT, 'looks like "War Requests"'),
    Rule(lost(WARS, OTHER), Kind.ABSENT, "so none of its requests is ruled"),
    Rule(lost("Nations", SIGN), Kind.TAB, 'looks like "Nations"', ALL),
    Rule(lost("Nations", OTHER), Kind.TAB, "Nations: the tab is missing", ALL),
    Rule(lost("Militaries", SIGN), Kind.TAB, 'looks like "Militaries"', ALL),
    Rule(lost("Militaries", OTHER), Kind.TAB, "Militaries: the tab is missing", ALL),
    Rule(lost("Leaders", SIGN), Kind.TAB, 'looks like "Leaders"', LED),
    Rule(lost("Leaders", OTHER), Kind.TAB, "Leaders: the tab is missing", LED),
    Rule(lost("Flanks", SIGN), Kind.TAB, 'looks like "Flanks"', ALL),
    Rule(lost("Flanks", OTHER), Kind.WARNING, "Flanks: warning: the tab is gone"),
    Rule(lost("Receipts", SIGN, OTHER), Kind.HELD, "looks like it: name it Receipts again"),
    # Cells that are merged downwards say the same of each row, but a tick or an id is that of one.
    Rule(lambda case: case["merged"] == "Ready" and case["ready"] > 0, Kind.READY, "is one merged cell", FIRST_TWO),
    Rule(has(merged="Request"), Kind.READY, 'the id "W-0001" is also in row', frozenset({2})),
    # What a ruling writes must take a value; where it is only shown, the ruling counts.
    Rule(has(merged="Stability"), Kind.READY, "the cell is inside the merged cells", ALL),
    Rule(has(protected="Nations"), Kind.READY, "is protected", ALL),
    Rule(has(formulas="Size"), Kind.READY, "the cell holds a formula", frozenset({1})),
    Rule(has(protected="Receipts"), Kind.BLOCKED, "is protected"),
    Rule(lambda case: case["merged"] == "Status" and case["ready"] > 1, Kind.WARNING, "is inside the merged cells"),
    Rule(lambda case: case["protected"] == WARS and case["ready"] > 0, Kind.WARNING, "is protected"),
    # A formula that shows nothing is not blank: the walls of the Heath.
    Rule(has(formulas="Fortifications"), Kind.CELL, "a formula that shows nothing", ON_HEATH),
    # A second table beside the first one is somebody's own, unless a header is there twice; below it, it is more rows.
    Rule(has(second_table="beside, same header"), Kind.TAB, 'a second column "Name"', ALL),
    Rule(has(second_table="below"), Kind.UNUSED, '"Gold" is not a number'),
    Rule(has(second_table="below the wars"), Kind.UNUSED, "required, but empty"),
)


@dataclass(frozen=True)
class Expected:
    """What must happen in a case."""

    case: Case

    @cached_property
    def rules(self) -> Sequence[Rule]:
        return [rule for rule in RULES if rule.applies(self.case)]

    def of(self, *kinds: Kind) -> list[Rule]:
        return [rule for rule in self.rules if rule.kind in kinds]

    @property
    def ready(self) -> frozenset[int]:
        """The wars that are ticked; a merged tick counts in each row."""
        merged = 2 if self.case["merged"] == "Ready" and self.case["ready"] else 0
        return frozenset(range(1, max(self.case["ready"], merged) + 1))

    @property
    def refused(self) -> frozenset[int]:
        """The wars that are refused one by one."""
        if self.of(Kind.HELD, Kind.ABSENT):
            return frozenset()
        wrong = (rule.refuses for rule in self.of(Kind.TAB, Kind.CELL, Kind.READY))
        return frozenset().union(*(self.ready & wars for wars in wrong))

    @property
    def is_blocked(self) -> bool:
        """True if a receipt would have to be written, and cannot be."""
        return bool(self.of(Kind.BLOCKED) and not self.of(Kind.HELD, Kind.ABSENT) and self.ready - self.refused)

    @property
    def ruled(self) -> frozenset[int]:
        is_stopped = self.is_blocked or self.of(Kind.HELD, Kind.ABSENT)
        return frozenset() if is_stopped else self.ready - self.refused

    @property
    def run_code(self) -> int:
        return 3 if self.of(Kind.HELD) else 1 if self.refused or self.is_blocked or self.of(Kind.ABSENT) else 0

    @property
    def check_code(self) -> int:
        always = self.of(Kind.TAB, Kind.CELL, Kind.UNUSED, Kind.ABSENT, Kind.HELD)
        return 1 if always or self.refused or self.is_blocked else 0

    @property
    def doctor_code(self) -> int:
        return 3 if self.of(Kind.TAB, Kind.ABSENT, Kind.HELD) else 0

    @property
    def statuses(self) -> Mapping[int, str] | None:
        """What stands in the column Status; None where it cannot be written, or is not looked at."""
        if self.is_blocked or self.of(Kind.HELD, Kind.ABSENT):
            return None
        if self.case["protected"] == WARS or self.case["merged"] == "Status":
            return None
        return dict.fromkeys(self.ruled, "Done") | dict.fromkeys(self.refused, "Invalid")

    def check_words(self, text: str, *kinds: Kind) -> None:
        """Check that a text has a sentence for each war that is refused, and those of some kinds."""
        for war in self.refused:
            sentences = [rule.says for rule in self.rules if war in rule.refuses]
            assert any(sentence in text for sentence in sentences), (war, sentences, text)
        for rule in self.of(*kinds):
            assert rule.says in text, (rule, text)


def typed() -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """Return what a person types into a new workbook: five wars of two nations, each of two armies of its own."""
    numbers, nations = range(1, 6), ("Left", "Right")
    flank = {"Request": "W-0001", "Side": "Attacker", "Y": 250}
    return {
        WARS: [
            {
                "War": f"Battle {number}",
                "Year": 1066,
                "Attacker": "Left",
                "Attacker Military": f"Left Host {number}",
                "Defender": "Right",
                "Defender Military": f"Right Host {number}",
                "Location": "Heath" if number in ON_HEATH else "Moor",
            }
            for number in numbers
        ],
        "Flanks": [flank | {"Flank": "left", "X": 120}, flank | {"Flank": "right", "X": 280}],
        "Nations": [
            {"Name": name, "Stability": 100, "Population": 1_000_000, "Year Founded": 900, "Year Crisis": 960}
            for name in nations
        ],
        "Militaries": [
            {
                "Nation": name,
                "Name": f"{name} Host {number}",
                "Size": 900,
                "Leader": f"Lord of {name}" if number in LED else None,
            }
            for name in nations
            for number in numbers
        ],
        "Locations": [{"Name": "Heath"}, {"Name": "Moor"}],
        "Leaders": [{"Name": f"Lord of {name}", "Nation": name, "Birth Year": 1030} for name in nations],
    }


FIRST = {WARS: "War", "Flanks": "Side", "Nations": "Name", "Receipts": "Seq", "Militaries": "Size"}
"""A header of each tab that is dressed."""
OWN, LINES, FORMULA_TABS = "Notes to self", ("Tribute", "Gold"), {"Population": "Nations", "Size": "Militaries"}


def dress(hands: Hands, case: Case) -> None:
    """Do to a workbook what a case says; the title last, since people name tabs by it."""
    _insert(hands, case)
    for header, place in (("Attacker", WARS), ("Location", WARS), ("Status", WARS), ("Ready", WARS), ("Request", WARS)):
        if case["merged"] == header:
            _merge(hands, place, header)
    if case["merged"] == "Stability":
        _merge(hands, "Nations", "Stability")
    _write_formula(hands, case["formulas"])
    _add_table(hands, case["second table"])
    match case["hidden"]:
        case "rows":
            header, _ = column_of(hands, WARS, "War")
            hands.hide(WARS, header + 1, header + 2, rows=True)
        case "columns":
            _, column = column_of(hands, WARS, "Attacker")
            hands.hide(WARS, column, column + 2, rows=False)
        case "War Requests" | "Nations" as tab:
            hands.hide_tab(tab)
    if tab := case["filtered"]:
        hands.filter(tab, *column_of(hands, tab, FIRST[tab]))
    if tab := case["protected"]:
        hands.protect(tab)
    tab, title = case["tab"], hands.titles.get(case["tab"], case["tab"])
    if case["title"] != "as made":
        hands.rename(tab, {"in capitals": title.upper(), SIGN: f"⚔️ {title}", OTHER: "Bygones"}[case["title"]])


def _insert(hands: Hands, case: Case) -> None:
    if where := case["own columns"]:
        for tab in (WARS, "Flanks", "Nations"):
            row, first = column_of(hands, tab, FIRST[tab])
            place = {"first": 1, "between": first + 1, "last": len(hands.cells(tab)[row - 1]) + 1}[where]
            if where != "last":
                hands.insert(tab, place, 1, rows=False)
            hands.put(tab, row, place, OWN)
            hands.put(tab, row + 1, place, "Remember")
    if tab := case["banner"]:
        hands.insert(tab, 1, 2, rows=True)
        hands.put(tab, 1, 1, f"THE {tab.upper()} OF THE REALM")
        hands.merge(tab, 1, 1, 1, 4)


def _merge(hands: Hands, tab: str, header: str) -> None:
    row, column = column_of(hands, tab, header)
    hands.merge(tab, row + 1, column, row + 2, column)


def _write_formula(hands: Hands, what: str) -> None:
    tabs = {"Population": "Nations", "Size": "Militaries", "Attacker": WARS, "Fortifications": "Locations", "own": WARS}
    formulas = {
        "Population": ("=500000*2", 1_000_000),
        "Size": ("=450*2", 900),
        "Attacker": ('=IF(1=1,"Left","Right")', "Left"),
        "Fortifications": ('=IF(1=1,"","Castle")', ""),
    }
    if what in formulas:
        row, column = column_of(hands, tabs[what], what)
        hands.formula(tabs[what], row + 1, column, *formulas[what])
    elif what == "own":
        row, _ = column_of(hands, WARS, "War")
        column = max(map(len, hands.cells(WARS))) + 1
        hands.put(WARS, row, column, "Own sum")
        hands.formula(WARS, row + 1, column, "=6*7", 42)


def _add_table(hands: Hands, where: str) -> None:
    tab = WARS if where == "below the wars" else "Nations"
    row, first = column_of(hands, tab, FIRST[tab])
    cells = hands.cells(tab)
    width, last = max(map(len, cells)), max(number for number, row in enumerate(cells, start=1) if any(row))
    places = {
        "beside": (row, width + 2),
        "beside, same header": (row, width + 2),
        "below": (last + 3, first),
        "below the wars": (last + 3, first),
    }
    if where in places:
        top, left = places[where]
        head = FIRST[tab] if where == "beside, same header" else LINES[0]
        for number, line in enumerate(((head, LINES[1]), ("Gotland", 10))):
            for place, value in enumerate(line):
                hands.put(tab, top + number, left + place, value)


PROGRAMS = {
    WARS: {
        "Request", "Status", "Message", "Winner", "Occupation", "Attacker Losses", "Defender Losses", "Duration",
        "Ruled At",
    },
    "Flanks": {
        "Message", "End X", "End Y", "End Infantry", "End Cavalry", "End Artillery", "End Ships", "End Morale",
        "End Status",
    },
    "Nations": {"Stability"},
    "Militaries": {"Size"},
    "Leaders": {"Status"},
}  # fmt: skip
"""The columns that the program may write, by tab; all others are people's."""
DIARY = [["Day", "Note"], ["Monday", "Anna joined"]]
"""A tab of people's own with the name of one of the program's."""
PROGRAM_TABS = {"Receipts", "Log", "Forecasts", "Battle Map", "Pending"}


def peoples(hands: Hands, case: Case) -> Traits:
    """Return all that the program must leave as it is."""
    hands.look()
    columns = {
        (hands.titles.get(tab, tab), letters(column_of(hands, tab, header)[1]))
        for tab, headers in PROGRAMS.items()
        for header in headers
    }
    programs = {*PROGRAM_TABS, *(hands.titles.get(tab, tab) for tab in PROGRAM_TABS)} - {case["own tab"]}
    return {
        place: trait
        for place, trait in hands.traits().items()
        if place[0] not in programs and (place[0], str(place[1]).rstrip("0123456789")) not in columns
    }


@dataclass
class Bench:
    """A moderator at one workbook of a case."""

    moderator: Moderator
    word: str
    hands: FileHands | SheetsHands
    environment: Mapping[str, str]
    case: Case

    def types(self, command: str, *words: str) -> Said:
        said = self.moderator.types(command, self.word, *words, **self.environment)
        assert "Traceback" not in said.out + said.err
        assert "Failed" not in said.out
        return said

    def column(self, tab: str, first: str, header: str) -> list[Any]:
        """Return the cells below a header, those of filled rows."""
        self.hands.look()
        return [row.get(header) for row in records(self.hands, tab, first)]

    @property
    def ruled(self) -> frozenset[int]:
        """Return the wars that have a ruling."""
        self.hands.look()
        rows = records(self.hands, "Receipts", "Seq")
        return frozenset(int(row["Request"][-1]) for row in rows if row["Kind"] == "Ruling")

    def statuses(self) -> dict[int, Any]:
        """Return the Status of each war that has one."""
        shown = self.column(WARS, "War", "Status")[:5]
        return {war: status for war, status in enumerate(shown, start=1) if status}


@pytest.fixture(scope="module")
def served() -> Iterator[LocalSheets]:
    with LocalSheets() as server:
        yield server


@dataclass
class Stock:
    """A new workbook of each store, made once by `init` and filled in; each case begins with a copy."""

    folder: Path
    home: Path
    server: LocalSheets
    made: dict[str, Any] = field(default_factory=dict)

    def bench(self, case: Case, folder: Path) -> Bench:
        store, own_tab = case["store"], case["own tab"]
        if (store, own_tab) not in self.made:
            self.made[store, own_tab] = self._make(store, own_tab)
        word, files = self.made[store, own_tab]
        shutil.copytree(self.folder / (store + own_tab), folder, dirs_exist_ok=True)
        if store == FILE:
            (folder / MOVED).rename(folder / BOOK)
        moderator = Moderator(folder, self.home, None)
        if store == SHEETS:
            self.server.put_back(files)
        hands = SheetsHands(self.server, word) if store == SHEETS else FileHands(moderator.book)
        hands.titles |= self._titles(own_tab)
        return Bench(moderator, word, hands, self._environment(store, folder), case)

    def _make(self, store: str, own_tab: str) -> tuple[str, Any]:
        folder = self.folder / (store + own_tab)
        folder.mkdir()
        moderator = Moderator(folder, self.home, None)
        tabs = {own_tab: DIARY} if own_tab else {}
        self.server.control("reset", {})
        word = self.server.make("Season", tabs) if store == SHEETS else BOOK
        if store == FILE and tabs:
            write_grids(moderator.book, tabs)
        said = moderator.types("init", "--empty", "--rename", word, **self._environment(store, folder))
        assert said.code == 0, said.err
        hands = SheetsHands(self.server, word) if store == SHEETS else FileHands(moderator.book)
        hands.titles |= self._titles(own_tab)
        with hands.editing():
            for tab, rows in typed().items():
                for number, row in enumerate(rows, start=1):
                    for header, value in row.items():
                        head, column = column_of(hands, tab, header)
                        hands.put(tab, head + number, column, value)
        if store == FILE:
            moderator.book.rename(folder / MOVED)  # each case has the file itself, not a copy of it (RCP-38)
        return word, self.server.files() if store == SHEETS else {}

    @staticmethod
    def _titles(own_tab: str) -> dict[str, str]:
        """The title of the program's tab beside one of people's own with its name."""
        return {own_tab: f"{own_tab} (algo)"} if own_tab else {}

    def _environment(self, store: str, folder: Path) -> Mapping[str, str]:
        online = {"SHEETS_ALGO_API_URL": self.server.url, "SHEETS_ALGO_FOLDER": "state"}
        if store == SHEETS:
            online["SHEETS_ALGO_CREDENTIALS"] = str(self.server.key_file(folder))
        return {"SHEETS_ALGO_SECRET": SECRET} | (online if store == SHEETS else {})


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory, home: Path, served: LocalSheets) -> Stock:
    return Stock(tmp_path_factory.mktemp("stock"), home, served)


def name(case: Case) -> str:
    return ", ".join(f"{factor} {value}" for factor, value in case.items() if value != FACTORS[factor][0])


@pytest.mark.parametrize("case", spread(CASES, 3), ids=name)
def test_each_command_handles_pairs_of_facts(case: Case, stock: Stock, tmp_path: Path) -> None:
    bench, expected = stock.bench(case, tmp_path), Expected(case)
    with bench.hands.editing():
        for war in range(1, case["ready"] + 1):
            row, column = column_of(bench.hands, WARS, "Ready")
            bench.hands.put(WARS, row + war, column, True)
        dress(bench.hands, case)
    before, whole = peoples(bench.hands, case), bench.hands.traits()

    _check(bench, expected)
    if case["command"] in ("check", "doctor"):
        if case["command"] == "doctor":
            _doctor(bench, expected)
        assert bench.hands.traits() == whole
        return
    if case["command"] == "watch":
        _watch(bench, expected)
    else:
        _run(bench, expected)
    assert bench.ruled == expected.ruled
    assert expected.statuses in (None, bench.statuses())
    assert peoples(bench.hands, case) == before
    after = bench.hands.traits()
    assert bench.types("run").code == expected.run_code
    assert bench.hands.traits() == after, "a second look changes something"
    if case["command"] == "undo":
        _undo(bench, expected)
        assert peoples(bench.hands, case) == before
    _verify(bench, expected)


def _check(bench: Bench, expected: Expected) -> None:
    """What `check` says is what `run` does."""
    said = bench.types("check")
    assert said.code == expected.check_code, said.out
    expected.check_words(said.out, Kind.HELD, Kind.ABSENT)
    if not expected.rules:
        assert said.out.splitlines()[-1] == "No problems."


def _doctor(bench: Bench, expected: Expected) -> None:
    said = bench.types("doctor")
    assert said.code == expected.doctor_code, said.out
    if bench.types("check").out.endswith("No problems.\n"):
        assert "no problems" in said.out


def _run(bench: Bench, expected: Expected) -> None:
    said = bench.types("run")
    assert said.code == expected.run_code, said.out + said.err
    if expected.is_blocked:
        assert "is protected" in said.err
    else:
        expected.check_words(said.out, Kind.HELD, Kind.ABSENT)


def _watch(bench: Bench, expected: Expected) -> None:
    with watching(bench.moderator, [bench.word], bench.environment) as watcher:
        watcher.until(lambda: bench.ruled == expected.ruled and expected.statuses in (None, bench.statuses()))
        for words in [rule.says for rule in expected.of(Kind.HELD)] or ["Watched every 2 seconds."]:
            watcher.hears(words)
        assert watcher.stops() == 0


def _undo(bench: Bench, expected: Expected) -> None:
    last = max(expected.ruled, default=1)
    said = bench.types("undo", f"W-000{last}")
    assert (said.code == 0) == bool(expected.ruled), said.out + said.err
    if expected.ruled:
        names, sizes = (bench.column("Militaries", "Size", header) for header in ("Name", "Size"))
        assert [sizes[names.index(f"{side} Host {last}")] for side in ("Left", "Right")] == [900, 900]
        assert bench.types("run").code == expected.run_code
        if expected.statuses is not None:
            assert bench.statuses() == {**expected.statuses, last: "Undone"}


def _verify(bench: Bench, expected: Expected) -> None:
    said = bench.types("verify")
    undone = {max(expected.ruled, default=0)} if expected.case["command"] == "undo" else set()
    is_unshown = expected.case["protected"] == WARS and expected.ruled - undone  # which verify names (RCP-34)
    assert said.code == (1 if expected.of(Kind.HELD) or is_unshown else 0), said.out
    if count := len(expected.ruled):
        assert f"{count} of {count} receipt{'s' if count > 1 else ''} equal." in said.out.splitlines()
