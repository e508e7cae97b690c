"""A small season on a local Sheets server, and its twin with people but without programs.

Every deed of a person is done in both, at the same coordinates. So at the end every cell of a person must be the same
in both, wherever it has been moved meanwhile, and the twin shows which rows there should be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from localsheets.book import Book as Inside
from localsheets.cells import EMPTY, Cell
from localsheets.store import PERSON, ROBOT

from scripts.support.live.begun import receipts_tab
from scripts.support.live.promised import luck
from scripts.support.shared_sheets import sheets
from scripts.support.sheets_server import LocalSheets
from scripts.support.workbooks import example, grids
from sheets_algo.ruling.luck.draw import SeasonLuck
from sheets_algo.workbook.addresses import letters

Grid = list[list[Any]]
State = tuple[Inside, Inside, dict[str, int]]
"""The spreadsheet, its twin, and the ids of the tabs."""

REQUESTS, FLANKS, NATIONS, LEADERS = "War Requests", "Flanks", "Nations", "Leaders"
MILITARIES, DIARY, PLANS = "Militaries", "Diary", "Plans"
JOUSTS, KNIGHTS = "Joust Requests", "Knights"

SEEN = "Seen"
"""The header of a column of people's own that shows something else whenever anything is calculated."""

PROGRAMS_TABS = ("Receipts", "Log", "Battle Map", "Forecasts", "Pending")
PROGRAMS_COLUMNS: Mapping[str, Sequence[str]] = {
    REQUESTS: (
        "Status", "Message", "Winner", "Occupation", "Attacker Losses", "Defender Losses", "Duration", "Ruled At",
    ),
    FLANKS: (
        "Message",
        "End X", "End Y", "End Infantry", "End Cavalry", "End Artillery", "End Ships", "End Morale", "End Status",
    ),
    NATIONS: ("Stability",),
    MILITARIES: ("Size", "Ship Number"),
    LEADERS: ("Status",),
    JOUSTS: ("Status", "Message", "Winner", "Ruled At"),
    KNIGHTS: ("Wins",),
}  # fmt: skip
"""The program's columns as documented for moderators, not as the program declares them."""

NAMES: Mapping[str, str] = {
    REQUESTS: "War",
    FLANKS: "Flank",
    NATIONS: "Name",
    LEADERS: "Name",
    MILITARIES: "Name",
    DIARY: "Day",
    PLANS: "War",
    JOUSTS: "Joust",
    KNIGHTS: "Knight",
}
"""The column by which people identify the rows of a tab."""


def small_season() -> dict[str, Grid]:
    """Return three wars that are ready, one of them without an id; one refused, one not ready; flanks; a diary.

    W-0001 and W-0002 change the same nation and its leader one after the other.
    """
    rows = example("1066")
    stamford_bridge, hastings, channel, manzikert, _ = rows[REQUESTS]
    hastings["War"] = "=Hastings"
    del manzikert["Request"]
    channel["Ready"] = False
    misspelt = stamford_bridge | {"Request": "W-0007", "War": "Fulford", "Defender": "Norwey"}
    rows[REQUESTS] = [stamford_bridge, hastings, manzikert, misspelt, channel]
    shield_wall = {"Request": "W-0002", "Side": "Defender", "X": 200, "Y": 204, "Maneuver": "Position"}
    rows[FLANKS] = [shield_wall | {"Flank": "hill"}, shield_wall | {"Flank": "ridge", "X": 190}]
    grids_: dict[str, Grid] = grids({tab: own for tab, own in rows.items() if tab in WANTED})
    for number, row in enumerate(grids_[REQUESTS]):
        row.append("Remarks" if number == 0 else f"=remark {number}")
    grids_["Receipts"] = receipts_tab(SeasonLuck())
    grids_[DIARY] = [["Day", "What"], ["Monday", "=1+1"], ["Tuesday", "'7"], ["Sunday", 3]]
    return grids_


def busy_wars() -> dict[str, Grid]:
    """Return the small season with a column of people's own in each tab in which the program writes or finds rows."""
    season = small_season()
    for tab in (REQUESTS, FLANKS, NATIONS, MILITARIES, LEADERS):
        header, *rows = season[tab]
        for row in rows:
            row += [*[None] * (len(header) - len(row)), "seen 0 times"]
        header.append(SEEN)
    return season


def both_rulesets() -> dict[str, Grid]:
    """Return the small season and the jousts of another ruleset, which count the wins of knights; no forecasts."""
    rows = example("jousts")
    rows[JOUSTS] = [row | {"Seed": None} for row in rows[JOUSTS] if row["Action"] == "Rule"]
    season = small_season()
    return {**season, **grids(rows), "Receipts": season["Receipts"]}


def with_forecasts() -> dict[str, Grid]:
    """Return the small season, in which Hastings and the war that is not ready ask only for their odds."""
    season = small_season()
    header, *rows = season[REQUESTS]
    for row in rows:
        if row[header.index("War")] in ("=Hastings", "Channel interception"):
            row[header.index("Action")] = "Forecast"
    return season


def promised_wars() -> dict[str, Grid]:
    """Return the small season, begun with beacon luck."""
    return {**small_season(), "Receipts": receipts_tab(luck())}


ASKED = ("War", "Year", "Attacker", "Attacker Military", "Defender", "Defender Military", "Location", "Motive")
"""The columns of a war that say what is asked for, all filled in the small season."""


def planned_wars() -> dict[str, Grid]:
    """Return the small season, whose requests are typed ids and ticks beside formulas that show the tab Plans."""
    season = small_season()
    header, *rows = season[REQUESTS]
    places = [header.index(asked) for asked in ASKED]
    plans: Grid = [list(ASKED), *([row[place] for place in places] for row in rows)]
    for number, row in enumerate(rows, start=2):
        for column, place in enumerate(places, start=1):
            row[place] = Formula(f"=INDEX({PLANS}!{letters(column)}$1:{letters(column)}$40,{number})")
    return {**season, PLANS: plans}


SEASONS: Mapping[str, Callable[[], dict[str, Grid]]] = {
    "wars": small_season,
    "wars and jousts": both_rulesets,
    "wars and forecasts": with_forecasts,
    "promised wars": promised_wars,
    "planned wars": planned_wars,
    "busy wars": busy_wars,
}
"""The seasons by name, so that a schedule can be written down."""

COMMITTED = 5
"""Wars of many that change the database."""
WANTED = (REQUESTS, FLANKS, NATIONS, MILITARIES, "Locations", LEADERS)


def many_wars(wars: int) -> dict[str, Grid]:
    """Return this many wars of the same two nations, none of them ready yet; the first ones change the database.

    After more of them the armies would have no men.
    """
    rows = example("1066")
    war = rows[REQUESTS][3] | {"Ready": False}
    rows[REQUESTS] = [
        war | {"Request": f"W-{number:04}", "War": f"War {number}", "Commit Stability": number <= COMMITTED}
        for number in range(1, wars + 1)
    ]
    rows[FLANKS] = []
    made: dict[str, Grid] = grids({tab: own for tab, own in rows.items() if tab in WANTED})
    return {**made, "Receipts": receipts_tab(SeasonLuck())}


@dataclass(frozen=True)
class Book:
    """One spreadsheet as it is now, read without the server's counters and faults."""

    server: LocalSheets
    id: str

    @property
    def _book(self) -> Inside:
        found = self.server.desk.store.files[self.id].spreadsheet
        assert found is not None
        return found._book

    @property
    def inside(self) -> Inside:
        """Return its state, which every change replaces by a changed copy."""
        return self._book

    def put_inside(self, state: Inside) -> None:
        """Replace its state, as people do who bring an older version back."""
        found = self.server.desk.store.files[self.id].spreadsheet
        assert found is not None
        found._book = state

    @property
    def tabs(self) -> dict[str, int]:
        """Return the ids of tabs by title."""
        return {sheet.title: sheet.id for sheet in self._book.sheets}

    def grid(self, id: int) -> Grid | None:
        """Return the entered content of a tab's cells, None if the tab is gone."""
        return _grid(self._book, id)

    def values(self, id: int) -> Grid:
        """Return the cells of a tab as they are shown, formulas with their results; empty without the tab."""
        title = next((title for title, tab in self.tabs.items() if tab == id), None)
        return self.server.tab(self.id, title) if title is not None else []

    def shown(self, id: int) -> list[dict[str, Any]]:
        """Return the rows of a tab as they are shown, by header; empty without the tab."""
        grid = self.values(id)
        at = next((at for at, row in enumerate(grid[:3]) if "Request" in row and {"War", "Joust"} & {*row}), None)
        return [] if at is None else [dict(zip(grid[at], row, strict=False)) for row in grid[at + 1 :]]

    def turns(self) -> set[int]:
        """Return the ids of the turns that are taken."""
        found = self._book.developer_metadata
        return {record["metadataId"] for record in found if record["metadataKey"] == "sheets-algo-write"}

    def slots(self) -> dict[int, str]:
        """Return the values of the guards that are taken, by id."""
        found = self._book.developer_metadata
        return {
            record["metadataId"]: record["metadataValue"] for record in found if record["metadataKey"] == "sheets-algo"
        }


def _formulas(tabs: Mapping[str, Grid], ids: Mapping[str, int]) -> Iterator[Mapping[str, Any]]:
    """Yield the requests that enter the formulas of some grids."""
    for tab, grid in tabs.items():
        for number, row in enumerate(grid):
            for place, value in enumerate(row):
                if isinstance(value, Formula):
                    start = {"sheetId": ids[tab], "rowIndex": number, "columnIndex": place}
                    cell = {"userEnteredValue": {"formulaValue": str(value)}}
                    yield {"updateCells": {"start": start, "rows": [{"values": [cell]}], "fields": "userEnteredValue"}}


@lru_cache(maxsize=16)
def _grid(book: Inside, id: int) -> Grid | None:
    """Return the content of a tab in one state of a spreadsheet, to be read only."""
    sheet = book.find(id)
    if sheet is None:
        return None
    rows: Grid = []
    for number in sorted(sheet.cells):
        filled = {place: cell for place, cell in sheet.cells[number].items() if not cell.is_empty}
        if filled:
            rows += [[] for _ in range(number + 1 - len(rows))]
            rows[number] = [_value(filled.get(place, EMPTY)) for place in range(max(filled) + 1)]
    return rows


def _value(cell: Cell) -> Any:
    return cell.value if cell.formula is None else Formula(cell.formula)


class Formula(str):
    """A formula, unequal to the text that looks like it."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and str.__eq__(self, other)

    def __hash__(self) -> int:
        return hash((Formula, str(self)))


@dataclass
class Stage:
    """The season and its twin.

    Args:
        book: The spreadsheet in which programs work.
        twin: The spreadsheet in which only people work.
        ids: The id of each tab by its name in the season; it is the same in both.
        looks: Earlier states: of the spreadsheet, of its twin, and the ids of the tabs.
        undone: The tabs that were brought back, with the state before that; blank for all, `metadata` for these too.
        receipts: The cells of each row of Receipts that was ever there, by its Seq.
        before_write: The state before the program's last write, if nobody has done anything since.
        accept: Accepts what is gone by `restore --accept`, with the record of a watcher or without.
        forks: How often the developer metadata were brought back, after which nothing can know what was there.
        forked_to: The state that was brought back with its metadata last.
    """

    book: Book
    twin: Book
    ids: dict[str, int]
    looks: list[State] = field(default_factory=list)
    undone: list[tuple[str, State]] = field(default_factory=list)
    receipts: dict[int, dict[int, Cell]] = field(default_factory=dict)
    before_write: Inside | None = None
    accept: Callable[[bool], None] = lambda has_record: None
    forks: int = 0
    forked_to: Inside | None = None

    @classmethod
    @contextmanager
    def set(cls, tabs: Mapping[str, Grid]) -> Iterator[Stage]:
        """Make two new spreadsheets, which are discarded at the end."""
        server = sheets()
        id = server.make("Our season", tabs)
        if formulas := [*_formulas(tabs, server.tabs(id))]:
            server.user(id, formulas)
        store = server.desk.store
        made = store.files[id].spreadsheet
        twin = store.make("Our season", PERSON, [ROBOT])
        assert made is not None
        twin.spreadsheet = made.copy(twin.id, "Our season")
        book = Book(server, id)
        try:
            yield cls(book, Book(server, twin.id), {title: book.tabs[title] for title in tabs})
        finally:
            del store.files[id], store.files[twin.id]

    @property
    def server(self) -> LocalSheets:
        return self.book.server

    @property
    def state(self) -> State:
        """Return the state of both spreadsheets."""
        return self.book.inside, self.twin.inside, dict(self.ids)

    def remember(self) -> None:
        """Keep the state and the rows of Receipts, so that people can bring them back."""
        self.looks.append(self.state)
        sheet = self.book.inside.titled("Receipts")
        for row in list(sheet.cells.values())[1:] if sheet else ():
            seq = row[0].value if 0 in row else None
            if isinstance(seq, int | float) and not isinstance(seq, bool):
                self.receipts.setdefault(int(seq), row)

    def look_at(self, looks: int) -> State:
        """Return the state some looks ago, the first one if there were fewer."""
        return self.looks[max(0, len(self.looks) - 1 - looks)] if self.looks else self.state

    def note(self, tab: str) -> None:
        """Note the state before a tab is brought back."""
        self.undone.append((tab, self.state))

    def do(self, tab: str, *requests: Mapping[str, Any]) -> bool:
        """Send a person's batch, with the tab's id as `TAB`, to both spreadsheets; return True if it succeeded."""
        if tab not in self.ids:
            return False
        asked = [_with_id(request, self.ids[tab]) for request in requests]
        for book in (self.twin, self.book):
            try:
                self.server.user(book.id, asked)
            except AssertionError:  # the tab is gone, or the row
                return False
        return True

    def grid(self, tab: str) -> Grid:
        """Return a tab as people have left it; empty if there is none."""
        return (self.twin.grid(self.ids[tab]) if tab in self.ids else None) or []

    def place(self, tab: str, header: str) -> int | None:
        """Return the number of a header's column, from 0."""
        return next((row.index(header) for row in self.grid(tab)[:3] if header in row), None)

    def row(self, tab: str, name: str) -> int | None:
        """Return the number of a row, from 0, by its name."""
        place = self.place(tab, NAMES[tab])
        if place is None:
            return None
        grid = self.grid(tab)
        if any(isinstance(row[place], Formula) for row in grid if place < len(row)):
            grid = self.twin.values(self.ids[tab])
        return next((n for n, row in enumerate(grid) if place < len(row) and row[place] == name), None)


TAB = "the tab's id"
PROTECTION = 77
"""The id of the protection that a person adds to a tab."""


def _with_id(value: Any, id: int) -> Any:
    """Return a request with the tab's id inserted."""
    if isinstance(value, Mapping):
        return {key: _with_id(item, id) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_id(item, id) for item in value]
    return id if value is TAB else value


def a1_of(row: int, column: int) -> str:
    """Return a cell's address in A1 notation, counted from 0."""
    return f"{letters(column + 1)}{row + 1}"
