"""Mistakes made on purpose, and the line a moderator then sees.

`test_bad_input.py` makes every one of them on real files with the installed command; `scripts/docs` makes
`docs/reference/bad-input.md` of the list. Mistakes in the tabs of a game are in `tests/games/<game>/bad_input_cases.py`.
"""

# ruff: noqa: E501 - what is shown stands here as it is shown

from __future__ import annotations

import runpy
import shutil
import zipfile
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.packaging.custom import BoolProperty

from scripts.support.bad_input import Arrange, Case, added, cells, spoiled
from scripts.support.moderator import BOOK, SECRET, Moderator, only, row_of, season, write
from scripts.support.pinned_tables import SHIPPED
from scripts.support.workbooks import cell_name
from sheets_algo.forms.rulesets import form_entries, ruleset_names

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


def decided(**cells: Any) -> Arrange:
    """A moderator's decision about Hastings, which is ready."""
    return added("Overrides", DECISION | cells)


DECISION = {
    "Request": "W-0002",
    "Kind": "Result",
    "What": "Winner",
    "Value": "England",
    "Reason": "a slip",
    "By": "Anna",
}


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


def _of_games() -> Iterator[Case]:
    """Yield the mistakes in the tabs of games."""
    for module in sorted(GAMES.glob("*/bad_input_cases.py")):
        yield from runpy.run_path(str(module))["CASES"]


LEGACY = bytes.fromhex("d0cf11e0a1b11ae1")

CASES: tuple[Case, ...] = (
    # War Requests
    Case(
        "War Requests",
        "A war without a name",
        "'War Requests'!B3 (W-0002, War): required, but empty. Enter a text. [WAR-01]",
        cells("War Requests", "W-0002", {"War": None}),
    ),
    Case(
        "War Requests",
        "A year in words",
        "'War Requests'!C3 (W-0002, Year): \"MLXVI\" is not a number. Enter a year from -3500 to 2020. [WAR-02]",
        cells("War Requests", "W-0002", {"Year": "MLXVI"}),
    ),
    Case(
        "War Requests",
        "A year that is not certain",
        "'War Requests'!C3 (W-0002, Year): \"c. 1071\" is not a number. Type 1071. [WAR-02]",
        cells("War Requests", "W-0002", {"Year": "c. 1071"}),
    ),
    Case(
        "War Requests",
        "A year with its era in another language",
        "'War Requests'!C3 (W-0002, Year): \"50 v. Chr.\" is not a number. Type -50. [WAR-02]",
        cells("War Requests", "W-0002", {"Year": "50 v. Chr."}),
    ),
    Case(
        "War Requests",
        "The headers again, inside the tab",
        "'War Requests'!7:7: warning: row 7 looks like headers. Move it above the headers, or out of the tab. [DB-03]",
        added("War Requests", {head: head for head in ("Request", "War", "Year", "Attacker", "Ready")}),
        code=0,
    ),
    Case(
        "War Requests",
        "A tab that is decorated, before init",
        'season.xlsx is not completed: the tab "⚔️ War Requests" looks like War Requests, which would be made beside it, empty. Rename it to "War Requests"; if it is a tab of your own, make an empty tab "War Requests" first.',
        renamed("War Requests", "⚔️ War Requests"),
        words=("init", BOOK),
    ),
    Case(
        "War Requests",
        "A year far in the future",
        "'War Requests'!C3 (W-0002, Year): 2066 is out of range; as a date it is 1905-08-27. Enter a year from -3500 to 2020. [WAR-02]",
        cells("War Requests", "W-0002", {"Year": 2066}),
    ),
    Case(
        "War Requests",
        "A nation misspelled",
        '\'War Requests\'!D3 (W-0002, Attacker): nation not found: "Normandie". Did you mean "Normandy"? [WAR-03]',
        cells("War Requests", "W-0002", {"Attacker": "Normandie"}),
    ),
    Case(
        "War Requests",
        "A nation against itself",
        "'War Requests'!F3 (W-0002, Defender): Normandy cannot fight itself. Enter another nation. [WAR-05]",
        cells("War Requests", "W-0002", {"Defender": "Normandy", "Defender Military": "William's Army"}),
    ),
    Case(
        "War Requests",
        "The military of another nation",
        "'War Requests'!E3 (W-0002, Attacker Military): \"Channel Fleet\" is not a military of Normandy. Use William's Army. [DB-10]",
        cells("War Requests", "W-0002", {"Attacker Military": "Channel Fleet"}),
    ),
    Case(
        "War Requests",
        "No military named where a nation has several",
        "'War Requests'!G3 (W-0002, Defender Military): England has 2 militaries, so one must be named. Use Harold's Host or Channel Fleet. [DB-10]",
        cells("War Requests", "W-0002", {"Defender Military": None}),
    ),
    Case(
        "War Requests",
        "A location that is not in the tab Locations",
        '\'War Requests\'!H3 (W-0002, Location): location not found: "Southwest England". Did you mean "Southeast England"? [WAR-07]',
        cells("War Requests", "W-0002", {"Location": "Southwest England"}),
    ),
    Case(
        "War Requests",
        "A motive that is not in the list",
        "'War Requests'!I3 (W-0002, Motive): \"Glory\" is not allowed. Use Conquest, Ideological, Economic, Hegemony or Existential. [WAR-08]",
        cells("War Requests", "W-0002", {"Motive": "Glory"}),
    ),
    Case(
        "War Requests",
        "A terrain map that does not exist",
        '\'War Requests\'!J3 (W-0002, Terrain Map): "Moutain" is not allowed. Did you mean "Mountain"? Use Channel, Hard Coast, Hill, Hillcountry, Island, Mountain, Mountain Pass, Normal Coast, Normal River, Plain, River with Bridge or Sea; --maps DIR or the setting maps names a folder of own maps. [WAR-09]',
        cells("War Requests", "W-0002", {"Terrain Map": "Moutain"}),
    ),
    Case(
        "War Requests",
        "Two requests with the same id",
        "'War Requests'!A3 (W-0001, Request): warning: has the id of row 2; the program gives the copy an id of its own. Tick Ready anew after that. [REQ-17]",
        cells("War Requests", "W-0002", {"Request": "W-0001"}),
        code=0,
    ),
    Case(
        "War Requests",
        "A seed in words",
        f'{cell_name("War Requests", "Seed", 3)} (W-0002, Seed): "lucky" is not a number. Enter a whole number from 0 to 18,446,744,073,709,551,615. [REQ-03]',
        cells("War Requests", "W-0002", {"Seed": "lucky"}),
    ),
    Case(
        "War Requests",
        "Ready, but not as a checkbox",
        f'{cell_name("War Requests", "Ready", 3)} (W-0002, Ready): "maybe" is neither yes nor no. Use yes or no, or a checkbox. [REQ-04]',
        cells("War Requests", "W-0002", {"Ready": "maybe"}),
        ("run", BOOK),
    ),
    Case(
        "War Requests",
        "A war before a nation was founded",
        "Nations!J3 (Normandy, Year Founded): Normandy is founded in 911, which is after the war year 900. Enter a year of at most 900. [DATE-04]",
        cells("War Requests", "W-0002", {"Year": 900}),
    ),
    Case(
        "War Requests",
        "The column Attacker deleted",
        "'War Requests'!1:1: no column \"Attacker\" found. Add it. [WAR-03]",
        header("War Requests", "Attacker", None),
    ),
    Case(
        "War Requests",
        "The column Year renamed",
        '\'War Requests\'!C1: says "Years". Did you mean "Year"? Rename the header, or add a column "Year". [WAR-02]',
        header("War Requests", "Year", "Years"),
    ),
    Case(
        "War Requests",
        "The column Attacker renamed",
        '\'War Requests\'!D1: says "Agressor". Did you mean "Attacker"? Rename the header, or add a column "Attacker". [WAR-03]',
        header("War Requests", "Attacker", "Agressor"),
    ),
    Case(
        "War Requests",
        "The column Ready deleted",
        "'War Requests'!1:1: no column \"Ready\" found. Add it. [REQ-04]",
        header("War Requests", "Ready", None),
    ),
    Case(
        "War Requests",
        "The column Request renamed",
        '\'War Requests\'!A1: says "Requests". Did you mean "Request"? Rename the header, or add a column "Request". [REQ-01]',
        header("War Requests", "Request", "Requests"),
    ),
    Case(
        "War Requests",
        "Two columns named Location",
        "'War Requests'!I1: a second column \"Location\"; the first is 'War Requests'!H1. Keep one of them. [DB-03]",
        header("War Requests", "Motive", "Location"),
    ),
    # Flanks
    Case(
        "Flanks",
        "A flank of a request that does not exist",
        'Flanks!A3 (W-0055, Defender, citadel, Request): war not found: "W-0055". Did you mean "W-0005"? [FLR-01]',
        cells("Flanks", "citadel", {"Request": "W-0055"}),
    ),
    Case(
        "Flanks",
        "A side that does not exist",
        'Flanks!B3 (W-0005, Defence, citadel, Side): "Defence" is not allowed. Did you mean "Defender"? Use Attacker or Defender. [FLR-02]',
        cells("Flanks", "citadel", {"Side": "Defence"}),
    ),
    Case(
        "Flanks",
        "A flank off the map",
        "Flanks!D3 (W-0005, Defender, citadel, X): 400 is out of range. Enter a number from 0 to 399. [FLR-04]",
        cells("Flanks", "citadel", {"X": 400}),
    ),
    Case(
        "Flanks",
        "A flank in the enemy's half of the map",
        "Flanks!E3 (W-0005, Defender, citadel, Y): Defender: Y 150 is not allowed; use pixels from 202 to 399, the southern half where the army starts. [R-116]",
        cells("Flanks", "citadel", {"Y": 150}),
        environment={"SHEETS_ALGO_CONFIG": str(SHIPPED)},
    ),
    Case(
        "Flanks",
        "An ambush in the open",
        "Flanks!E3 (W-0005, Defender, citadel, Y): Defender: Y 20 is not allowed; use X 6, Y 20, the nearest place on Forest, Cliffs or High ground at least 4 pixels (1 km) from every enemy flank. [R-118]",
        cells("Flanks", "citadel", {"X": 20, "Y": 20, "Maneuver": "Ambush"}),
    ),
    Case(
        "Flanks",
        "A maneuver that does not exist",
        'Flanks!J3 (W-0005, Defender, citadel, Maneuver): "Feign" is not allowed. Use Normal, Position, Feigned Retreat, Hit and run, Pillaging, Storm or Ambush. [FLR-10]',
        cells("Flanks", "citadel", {"Maneuver": "Feign"}),
    ),
    Case(
        "Flanks",
        "More men than the military has",
        'Flanks!F2 (W-0005, Defender, west wall, Infantry): Defender: Invalid Inf (9000/2800), too many; Invalid Cav (0/1200), too few: all flanks together have 9,000 infantry and 0 cavalry, and Jerusalem Garrison has 2,800 and 1,200 of Size 4,000. Choose Action "Refit", which writes Infantry 0, 2800, 0; Cavalry 400, 400, 400; or leave all counts blank for an even split. [STRAT-07]',
        cells("Flanks", "citadel", {"Infantry": 9000}),
    ),
    Case(
        "Flanks",
        "Shares of a part of the army",
        'Flanks!F2 (W-0005, Defender, west wall, Infantry): Defender: the shares of infantry sum to 60 %; use shares that sum to 100 %. Choose Action "Refit", which writes Infantry 0 %, 100 %, 0 %; or leave all counts blank for an even split. [R-124]',
        cells("Flanks", "citadel", {"Infantry": "60 %"}),
    ),
    Case(
        "Flanks",
        "Half a man",
        "Flanks!F3 (W-0005, Defender, citadel, Infantry): 10.5 is not a whole number. Enter a whole number of at least 0, or a share such as 40 %. [FLR-06]",
        cells("Flanks", "citadel", {"Infantry": 10.5}),
    ),
    # Nations
    Case(
        "Nations",
        "No population",
        "Nations!C2 (England, Population): required, but empty. Enter a whole number from 1 to 8,000,000,000. [NAT-03]",
        cells("Nations", "England", {"Population": None}),
    ),
    Case(
        "Nations",
        "A number in words",
        'Nations!C2 (England, Population): "two million" is not a number. Enter a whole number from 1 to 8,000,000,000. [NAT-03]',
        cells("Nations", "England", {"Population": "two million"}),
    ),
    Case(
        "Nations",
        "A number that could mean two things",
        'Nations!W2 (England, GDP): "7.000" could mean 7 or 7000. Type 7 or 7000. [NAT-23]',
        cells("Nations", "England", {"GDP": "7.000"}),
    ),
    Case(
        "Nations",
        "A share above one",
        "Nations!X2 (England, Urban Population): 9 is out of range. Enter a number from 0 to 1. [NAT-24]",
        cells("Nations", "England", {"Urban Population": 9}),
    ),
    Case(
        "Nations",
        "A colour of the flag that is none: a warning, and the wars are ruled",
        'Nations!AA2 (England, Color): warning: "blu" is not a colour; the cell counts as blank. Did you mean "blue"? Enter #rrggbb or a common name such as red, navy or gold. [NAT-27]',
        cells("Nations", "England", {"Color": "blu"}),
        code=0,
    ),
    Case(
        "Nations",
        "A value that is not in the list",
        'Nations!I2 (England, State Government): "Economic" is not allowed. Use Unitary, Meritocracy, Nomadic, Republic, Feudal or Plutocracy. [NAT-09]',
        cells("Nations", "England", {"State Government": "Economic"}),
    ),
    Case(
        "Nations",
        "An unknown word for what hardly moves the odds: a warning, and the wars are ruled",
        'Nations!D2 (England, Ideology): warning: "Economic" is not allowed; the cell counts as blank. Use Religious, Ethnic, Statist, Ethno-Nationalist, Ideological, Dynastic or Status Quo. [NAT-04]',
        cells("Nations", "England", {"Ideology": "Economic"}),
        code=0,
    ),
    Case(
        "Nations",
        "A leader who is not in the tab Leaders",
        'Nations!G2 (England, Leader): leader not found: "Harold Godwinsson". Did you mean "Harold Godwinson"? [NAT-07]',
        cells("Nations", "England", {"Leader": "Harold Godwinsson"}),
    ),
    Case(
        "Nations",
        "A crisis after the war",
        "Nations!K2 (England, Year Crisis): England has its crisis in 1086, which is after the war year 1066. Enter a year of at most 1066. [DATE-04]",
        cells("Nations", "England", {"Year Crisis": 1086}),
    ),
    Case(
        "Nations",
        "Two nations with the same name",
        'Nations!A4 (england, Name): "england" is also in row 2. Give every nation its own name. [NAT-01]',
        cells("Nations", "Norway", {"Name": "england"}),
    ),
    Case(
        "Nations",
        "A nation called default",
        'Nations!A8 (Default, Name): "Default" is reserved for the generic entry. Use another name. [DB-10]',
        added("Nations", {"Name": "Default", "Population": 1, "Year Founded": 1, "Year Crisis": 1}),
    ),
    Case(
        "Nations",
        "A formula that shows an error",
        "Nations!C2 (England, Population): shows the error #REF!. Repair the formula or type a value. [NAT-03]",
        cell("Nations", "Population", 2, "#REF!"),
    ),
    Case(
        "Nations",
        "A formula that was never calculated",
        "Nations!C2 (England, Population): is a formula that has not been calculated. Open and save the file in Excel or LibreOffice, or pass --recalc. [DB-01]",
        cell("Nations", "Population", 2, "=1000000*2"),
    ),
    Case(
        "Nations",
        "The tab deleted",
        "Nations: the tab is missing. Add it with its headers, or run init on the workbook. [DB-03]",
        spoiled(lambda rows: rows.pop("Nations")),
    ),
    Case(
        "War Requests",
        "A year with its era",
        "'War Requests'!C5 (W-0004, Year): \"50 BC\" is not a number. Type -50. [WAR-02]",
        cells("War Requests", "W-0004", {"Year": "50 BC"}),
    ),
    Case(
        "War Requests",
        "A nation in place of a location",
        "'War Requests'!H5 (W-0004, Location): location not found: \"England\", which is a nation. Enter a name from"
        ' Locations or "default". [WAR-07]',
        cells("War Requests", "W-0004", {"Location": "England"}),
    ),
    Case(
        "Flanks",
        "The tab misspelt, which a war may do without",
        'Flank: the title of this tab looks like "Flanks", which is missing. Rename it to "Flanks"; if it is a tab of'
        " your own, give it a title less alike. [DB-04]",
        renamed("Flanks", "Flank"),
    ),
    Case(
        "War Requests",
        "The column Motive under another name",
        '\'War Requests\'!I1: the header "Motif" looks like "Motive", which is missing. Rename it to "Motive"; if it'
        " is a column of your own, give it a name less alike. [DB-04]",
        header("War Requests", "Motive", "Motif"),
    ),
    Case(
        "War Requests",
        "The column Motive deleted from a season that had it",
        '\'War Requests\'!1:1: warning: the column "Motive" is gone, so every row counts as "Conquest". Bring it back, or'
        " accept that with run --accept-columns. [REQ-11]",
        without_motives,
        code=0,
    ),
    Case(
        "War Requests",
        "The tab misspelt, so that no war would be ruled",
        f"sheets-algo: season.xlsx: it has no tab {' or '.join(entry.request_tab.name for entry in form_entries())}."
        " 'War Request': the title of this tab looks like \"War Requests\", which is"
        ' missing. Rename it to "War Requests"; if it is a tab of your own, give it a title less alike. [DB-04]',
        renamed("War Requests", "War Request"),
    ),
    Case(
        "Leader Requests",
        "A new leader with the name of one who is there",
        "'Leader Requests'!B2 (L-0001, Leader): \"Harold Godwinson\" is in Leaders already, row 2. Give the leader another name. [LDR-21]",
        added(
            "Leader Requests",
            {
                "Request": "L-0001",
                "Leader": "Harold Godwinson",
                "Nation": "England",
                "Year": 1070,
                "Age": 30,
                "Strongest Trait": "Zeal",
                "Ready": True,
            },
        ),
    ),
    Case(
        "Nations",
        "An Age with a slip",
        'Nations!AC2 (England, Age): "High medievl Europe" is not allowed. Did you mean "High medieval Europe"?',
        cells("Nations", "England", {"Age": "High medievl Europe"}),
    ),
    # Militaries
    Case(
        "Militaries",
        "A unit type with a slip",
        'Militaries!E2 (Harold\'s Host, Infantry Type): unit type not found: "huscarll". Did you mean "Huscarl"? [MIL-05]',
        cells("Militaries", "Harold's Host", {"Infantry Type": "huscarll"}),
    ),
    Case(
        "Militaries",
        "Shares that sum to more than one",
        "Militaries!F2 (Harold's Host, Infantry Proportion): the proportions sum to 1.2. Use shares that sum to at most 1. [MD-04]",
        cells("Militaries", "Harold's Host", {"Infantry Proportion": 0.8, "Cavalry Proportion": 0.4}),
    ),
    Case(
        "Militaries",
        "An army of which a third are gunners",
        "Militaries!J2 (Harold's Host, Artillery Proportion): warning: 33% of the army are gunners; few armies of history had a fifth. Nothing, if that is meant. [MIL-16]",
        cells(
            "Militaries",
            "Harold's Host",
            {
                "Infantry Proportion": 0.67,
                "Cavalry Type": 0,
                "Cavalry Proportion": 0,
                "Artillery Type": "Trebuchet",
                "Artillery Proportion": 0.33,
            },
        ),
        code=0,
    ),
    Case(
        "Militaries",
        "A unit of a later age",
        "Militaries!E2 (Harold's Host, Infantry Type): warning: Rifled Infantry is of 1850 to 1900, and the war is in 1066. Nothing, if that is meant. [MIL-16]",
        cells("Militaries", "Harold's Host", {"Infantry Type": "Rifled Infantry"}),
        code=0,
    ),
    Case(
        "Militaries",
        "An army that costs more than its nation earns",
        "Militaries!N2 (Harold's Host, Budget): warning: 2,000,000,000 US dollars, but the GDP of England is 1,500,000,000. Check Budget, and GDP of the nation. [MIL-14]",
        cells("Militaries", "Harold's Host", {"Budget": 2_000_000_000}),
        code=0,
    ),
    Case(
        "Militaries",
        "Thousands that may be thousands of thousands",
        'Militaries!C2 (Harold\'s Host, Size): "1,200k" could mean 1200 or 1200000. Type 1200 or 1200000. [MIL-03]',
        cells("Militaries", "Harold's Host", {"Size": "1,200k"}),
    ),
    Case(
        "Militaries",
        "A name that the spreadsheet made a date",
        "Militaries!B2 (2026-03-01, Name): warning: is the date 2026-03-01, which spreadsheets make of names like 1-Mar. If a name was meant, format the cell as text and type it again. [MIL-02]",
        cell("Militaries", "Name", 2, date(2026, 3, 1)),
    ),
    Case(
        "Militaries",
        "A comma between two nations",
        'Militaries!A2 (Harold\'s Host, Nation): "England, Norway": a comma cannot separate names. Did you mean "England; Norway"? Separate the names with a semicolon. [DB-05]',
        cells("Militaries", "Harold's Host", {"Nation": "England, Norway"}),
    ),
    Case(
        "Militaries",
        "No men at all",
        "Militaries!C2 (Harold's Host, Size): 0 people, so nobody can fight. Enter a whole number from 1 to 15,000,000. [MIL-03]",
        cells("Militaries", "Harold's Host", {"Size": 0}),
    ),
    # Locations
    Case(
        "Locations",
        "The column Fortifications misspelt",
        'Locations!G1: the header "Fortification" looks like "Fortifications", which is missing. Rename it to'
        ' "Fortifications"; if it is a column of your own, give it a name less alike. [DB-04]',
        header("Locations", "Fortifications", "Fortification"),
    ),
    Case(
        "Locations",
        "A climate that is not in the list",
        'Locations!C4 (Manzikert, Climate): "Damp" is not allowed. Use Ocean, Temperate, Tropical, Continental, Arid or Arctic. [LOC-03]',
        cells("Locations", "Manzikert", {"Climate": "Damp"}),
    ),
    Case(
        "Locations",
        "A population below zero",
        "Locations!B4 (Manzikert, Local Population): -5 is out of range. Enter a whole number from 0 to 200,000,000. [LOC-02]",
        cells("Locations", "Manzikert", {"Local Population": -5}),
    ),
    # Leaders
    Case(
        "Leaders",
        "A value off the scale",
        "Leaders!D2 (Harold Godwinson, Attack): 11 is out of range. Enter a number from 0 to 10. [LDR-04]",
        cells("Leaders", "Harold Godwinson", {"Attack": 11}),
    ),
    Case(
        "Leaders",
        "A nation misspelled",
        'Leaders!B2 (Harold Godwinson, Nation): nation not found: "Englnd". Did you mean "England"? [LDR-02]',
        cells("Leaders", "Harold Godwinson", {"Nation": "Englnd"}),
    ),
    # Units
    Case(
        "Units",
        "A unit without a speed",
        'Units!B2 (Slinger, Speed): "fast" is not a number. Enter a number from 1 to 500. [UNIT-02]',
        added("Units", {"Name": "Slinger", "Speed": "fast"}),
    ),
    Case(
        "Autoalgo Settings",
        "A setting misspelled",
        '\'Autoalgo Settings\'!A2 (fortune/sied, Setting): "fortune/sied" is not a setting. Did you mean "fortune/side"? Write the file and the names in the tables, for example army_sizes/words/small/pre-urban. [SET-01]',
        added("Autoalgo Settings", {"Setting": "fortune/sied", "Value": 0.2}),
    ),
    Case(
        "Autoalgo Settings",
        "A name that fits several numbers",
        "'Autoalgo Settings'!A2 (least, Setting): \"least\" could mean constants/VAR-SIEGE/least, constants/DATE-05/least, constants/STAB-01/least. Add the part of the name that comes before it. [SET-01]",
        added("Autoalgo Settings", {"Setting": "least", "Value": 0.2}),
    ),
    Case(
        "Autoalgo Settings",
        "A number out of range",
        "'Autoalgo Settings'!B2 (fortune/side, Value): 5 is not allowed. Use a number from 0 to 4. [SET-02]",
        added("Autoalgo Settings", {"Setting": "fortune/side", "Value": 5}),
    ),
    Case(
        "Autoalgo Settings",
        "A number that breaks the order of a list",
        "'Autoalgo Settings'!B2 (Jungle/constant, Value): attrition/values/Desert/constant: 0.022 is below 0.9, the number of the next milder value. [SET-05]",
        added("Autoalgo Settings", {"Setting": "Jungle/constant", "Value": 0.9}),
    ),
    # The file
    Case(
        "The file",
        "A file name mistyped",
        'sheets-algo: seasons.xlsx: there is no such file. Did you mean "season.xlsx"?',
        sound,
        ("run", "seasons.xlsx"),
        3,
    ),
    Case(
        "The file",
        "A folder instead of a file",
        "Error: Invalid value for 'WORKBOOK': File '.' is a directory.",
        nothing,
        ("run", "."),
        2,
    ),
    Case(
        "The file",
        "A Google document's address",
        "Error: Invalid value for 'WORKBOOK': https://docs.google.com/document/d/1AbC/edit: this is a text document, not a spreadsheet. Open the spreadsheet in a browser and copy its address (https://docs.google.com/spreadsheets/d/...).",
        nothing,
        ("run", "https://docs.google.com/document/d/1AbC/edit"),
        2,
    ),
    Case(
        "The file",
        "Another site's address",
        "Error: Invalid value for 'WORKBOOK': https://example.org/season: this address is not one of Google Sheets. Name a .xlsx file, or a spreadsheet by its address (https://docs.google.com/spreadsheets/d/...).",
        nothing,
        ("run", "https://example.org/season"),
        2,
    ),
    Case(
        "The file",
        "A Google spreadsheet whose key file is missing",
        "sheets-algo: There is no credentials file key.json: check the path. docs/google.md says how to make a service account and its key.",
        nothing,
        ("run", "https://docs.google.com/spreadsheets/d/1AbC", "--credentials", "key.json"),
        3,
    ),
    Case("The file", "An empty file", "sheets-algo: season.xlsx: it is empty.", file(b""), ("run", BOOK), 3),
    Case(
        "The file",
        "A CSV file renamed to .xlsx",
        "sheets-algo: season.xlsx: it is a text file such as CSV; open it in a spreadsheet program and save it as .xlsx.",
        file(b"Name,Stability\nEngland,110\n"),
        ("run", BOOK),
        3,
    ),
    Case(
        "The file",
        "A login page saved as a workbook",
        "sheets-algo: season.xlsx: it is a web page, perhaps because the download needed a login; sign in and download the workbook again.",
        file(b"<!DOCTYPE html><html><body>Sign in</body></html>"),
        ("run", BOOK),
        3,
    ),
    Case(
        "The file",
        "A workbook with a password",
        "sheets-algo: season.xlsx: it is password-protected; save it without a password.",
        file(LEGACY + bytes(504) + "EncryptedPackage".encode("utf-16-le") + bytes(512)),
        ("run", BOOK),
        3,
    ),
    Case(
        "The file",
        "An old .xls workbook",
        "sheets-algo: old.xls: it is an old .xls workbook; save it as .xlsx.",
        file(LEGACY + bytes(504) + "Workbook".encode("utf-16-le") + bytes(512), "old.xls"),
        ("run", "old.xls"),
        3,
    ),
    Case(
        "The file",
        "Half a download",
        "sheets-algo: season.xlsx: it is damaged: its zip directory is missing, as after an interrupted download; copy or download it again.",
        cut_off,
        ("run", BOOK),
        3,
    ),
    Case(
        "The file",
        "A zip bomb",
        "sheets-algo: season.xlsx: its part xl/media/image1.bmp unpacks to 1,028 times its size, like a zip bomb; the limit is 300.",
        bomb,
        ("run", BOOK),
        3,
    ),
    Case(
        "The file",
        "Two tabs that another program stored as one",
        "sheets-algo: season.xlsx: it is damaged: its tabs War Requests and Flanks are stored in one part, xl/worksheets/sheet1.xml.",
        foreign("xl/workbook.xml", 'r:id="rId2"', 'r:id="rId1"'),
        ("run", BOOK),
        3,
    ),
    Case(
        "The file",
        "A tab whose content is missing",
        "sheets-algo: season.xlsx: it is damaged: its tab Flanks is stored in xl/worksheets/sheet22.xml, which is not there; restore a backup, or delete the tab and save the workbook anew.",
        foreign("xl/_rels/workbook.xml.rels", "worksheets/sheet2.xml", "worksheets/sheet22.xml"),
        ("check", BOOK),
        3,
    ),
    Case(
        "The file",
        "Marked as final",
        "sheets-algo: season.xlsx: the workbook is marked as final: lift that mark (in Excel: Edit Anyway, then save), or pass --force; nothing was written.",
        finished(marked_as_final),
        ("run", BOOK),
    ),
    Case(
        "The file",
        "Signed",
        "sheets-algo: season.xlsx: the workbook is signed, and a change makes the signature invalid: remove the signature, or pass --force; nothing was written.",
        foreign(
            "_rels/.rels",
            "</Relationships>",
            '<Relationship Type="http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin"'
            ' Target="_xmlsignatures/origin.sigs" Id="rId9"/></Relationships>',
        ),
        ("run", BOOK),
    ),
    Case(
        "The file",
        "A cell that another program wrote twice",
        "sheets-algo: War Requests: the tab cannot be edited: its cell B2 is there twice; nothing was written.",
        foreign("xl/worksheets/sheet1.xml", '<c r="B2"', '<c r="B2"/><c r="B2"'),
        ("run", BOOK),
    ),
    Case(
        "The file",
        "Rows that another program wrote with two prefixes",
        "sheets-algo: War Requests: the tab cannot be edited: it spells one namespace with two prefixes, (none) and q; nothing was written.",
        foreign(
            "xl/worksheets/sheet1.xml",
            "</row></sheetData>",
            '</row><q:row xmlns:q="http://schemas.openxmlformats.org/spreadsheetml/2006/main" r="9"/></sheetData>',
        ),
        ("run", BOOK),
    ),
    Case(
        "The file",
        "Open in Excel",
        "sheets-algo: season.xlsx: open in Excel (Harold); close it there and try again (or delete ~$season.xlsx if Excel is not running).",
        beside(f"~${BOOK}", "\x06Harold"),
        ("run", BOOK),
        4,
    ),
    Case(
        "The file",
        "Open in LibreOffice",
        "sheets-algo: season.xlsx: open in LibreOffice (Harold Godwinson on wessex since 14.10.2026 09:00); close it there and try again (or delete .~lock.season.xlsx# if LibreOffice is not running).",
        beside(
            f".~lock.{BOOK}#",
            "Harold Godwinson,harold,wessex,14.10.2026 09:00,file:///home/harold/.config/libreoffice/4;",
        ),
        ("run", BOOK),
        4,
    ),
    # The season
    Case(
        "The season",
        "The file of the season secret lost",
        "sheets-algo: The season secret of this workbook (SHA-256 fbd347b0f54d...) is not in .sheets-algo/secrets/fbd347b0f54d31ac.secret (No such file or directory): if it goes on here and nowhere else, copy that file from where the season began, or set SHEETS_ALGO_SECRET.",
        without_secret,
        ("run", BOOK),
        3,
    ),
    Case(
        "The season",
        "Another season's secret in the environment",
        "sheets-algo: The season secret at hand (SHA-256 165a9de85355...) is not this workbook's (fbd347b0f54d...): use the secret that the season began with.",
        ruled,
        ("run", BOOK),
        3,
        {"SHEETS_ALGO_SECRET": "the secret of another season"},
    ),
    Case(
        "The season",
        "The first row of Receipts deleted, which holds the digest of the secret",
        "Receipts: The row of Kind Season in Receipts, or the digest of the season secret in it, is gone: bring it back from an older version; nothing is ruled without it. [RCP-03]",
        without_season,
        ("run", BOOK),
        3,
    ),
    Case(
        "The season",
        "A season secret of a few letters in the environment",
        "sheets-algo: The season secret in SHEETS_ALGO_SECRET has 7 bytes and could be guessed: set one of at least 16 bytes, or none, and init makes one of 64.",
        ruled,
        ("verify", BOOK),
        3,
        {"SHEETS_ALGO_SECRET": "hunter2"},
    ),
    Case(
        "The season",
        "A receipt changed by hand",
        "the receipt says: * '''Losses:''' killed ",
        changed_receipt,
        ("verify", BOOK),
    ),
    Case(
        "The season",
        "A cell of an earlier receipt changed by hand, before the next run",
        "Receipts: receipt 1 is not as it was written; nothing is ruled until that is settled. Bring it back from an older version (if a name was replaced in all tabs, replace it back in Receipts), or accept that with sheets-algo restore WORKBOOK --accept. [RCP-19]",
        ruled_and_edited("Receipts", "Time", 2, "2026-01-01T00:00:00Z"),
        ("run", BOOK),
        3,
        {"SHEETS_ALGO_SECRET": SECRET},
    ),
    Case(
        "The season",
        "A receipt's inputs deleted",
        "its inputs are not those whose fingerprint it has",
        ruled_and_edited("Receipts", "Inputs", 3, None),
        ("verify", BOOK),
    ),
    Case(
        "The season",
        "An undo after the nation has been changed",
        "sheets-algo: Nations!B5 (Byzantium, Stability): the ruling wrote 74.5, but the cell now shows 99; type 74.5 again.",
        ruled_and_edited("Nations", "Stability", 5, 99),
        ("undo", BOOK, "W-0004"),
    ),
    # Commands
    Case(
        "Commands",
        "A command misspelled",
        "Error: No such command 'chekc'. Did you mean 'check'?",
        sound,
        ("chekc", BOOK),
        2,
    ),
    Case(
        "Commands",
        "A request that does not exist",
        'sheets-algo: No request "W-0022" found. Did you mean "W-0002"?',
        sound,
        ("explain", BOOK, "W-0022"),
        1,
    ),
    Case(
        "Commands",
        "The log of a war that is not ruled yet",
        'sheets-algo: No ruling of "W-0002" found. Nothing has been ruled yet.',
        sound,
        ("replay", BOOK, "W-0002"),
        1,
    ),
    Case(
        "Commands",
        "An undo of a war that is not ruled yet",
        'sheets-algo: No ruling of "W-0002" found. Nothing has been ruled yet.',
        sound,
        ("undo", BOOK, "W-0002"),
        1,
    ),
    Case(
        "Commands",
        "A ruleset that does not exist",
        f'Error: Invalid value for --ruleset: there is no ruleset "autoalgos". Use {", ".join(ruleset_names())} or all.',
        nothing,
        ("schema", "--ruleset", "autoalgos"),
        2,
    ),
    # Settings
    Case(
        "Settings",
        "A setting misspelled",
        'sheets-algo: sheets-algo.toml: there is no setting "log_line". Did you mean "log_lines"?',
        beside("sheets-algo.toml", "log_line = 100\n"),
        ("check", BOOK),
        2,
    ),
    Case(
        "Settings",
        "A number in words",
        'sheets-algo: sheets-algo.toml: log_lines: "many" is not a number of lines. Enter a whole number from 1 to 100,000.',
        beside("sheets-algo.toml", 'log_lines = "many"\n'),
        ("check", BOOK),
        2,
    ),
    Case(
        "Settings",
        "A number out of range in the environment",
        'sheets-algo: SHEETS_ALGO_LOG_LINES: "0" is not a number of lines. Enter a whole number from 1 to 100,000.',
        sound,
        ("check", BOOK),
        2,
        {"SHEETS_ALGO_LOG_LINES": "0"},
    ),
    Case(
        "Settings",
        "A settings file that is not valid TOML",
        "sheets-algo: sheets-algo.toml: cannot be read as settings (Expected '=' after a key in a key/value pair (at line 1, column 10))."
        ' Write texts in quotation marks, with commas between them, and / instead of a backslash: folder = "C:/my-game".',
        beside("sheets-algo.toml", "log_lines: 100\n"),
        ("check", BOOK),
        2,
    ),
    Case(
        "Settings",
        "A folder of maps that does not exist",
        "Error: Invalid value for '--maps': Directory 'map' does not exist.",
        sound,
        ("check", "--maps", "map", BOOK),
        2,
    ),
    Case(
        "Settings",
        "A folder of maps in the settings that does not exist",
        "sheets-algo: sheets-algo.toml: maps: the folder map does not exist. Enter the path of a folder.",
        beside("sheets-algo.toml", 'maps = "map"\n'),
        ("check", BOOK),
        2,
    ),
    Case(
        "Settings",
        "A kind of luck that there is not",
        'sheets-algo: sheets-algo.toml: luck: "dice" is not allowed. Use secret or beacon.',
        beside("sheets-algo.toml", 'luck = "dice"\n'),
        ("check", BOOK),
        2,
    ),
    Case(
        "Settings",
        "A host of the beacon without https",
        'sheets-algo: sheets-algo.toml: beacons: "api.drand.sh" is not the address of a host. Enter it as https://api.drand.sh.',
        beside("sheets-algo.toml", 'beacons = ["api.drand.sh"]\n'),
        ("check", BOOK),
        2,
    ),
    Case(
        "Settings",
        "A file that describes a beacon of another kind",
        "sheets-algo: beacon_chain: chain.json describes no chain with the schemeID bls-unchained-g1-rfc9380.",
        another_beacon,
        ("check", BOOK),
        2,
    ),
    Case(
        "A season with beacon luck",
        "A seed typed for a war",
        f"{cell_name('War Requests', 'Seed', 2)} (W-0001, Seed): a typed seed decides nothing in a season with beacon luck. Clear the cell. [LUCK-07]",
        seeded_with_beacon_luck,
        environment={"SHEETS_ALGO_SECRET": SECRET},
    ),
    Case(
        "A season with beacon luck",
        "Another luck asked for when it has begun",
        "Error: Invalid value for --luck: the season has begun with beacon luck, which stays. Begin another season for secret.",
        with_beacon_luck,
        ("init", "--luck", "secret", BOOK),
        2,
    ),
    Case(
        "A season with beacon luck",
        "No host of the beacon answers",
        "Receipts: warning: the beacon gives no round that can be used (http://127.0.0.1:9: no connection). Nothing; it is asked again at each look, and nothing else decides. [LUCK-05]",
        with_beacon_luck,
        ("run", BOOK),
        0,
        {"SHEETS_ALGO_BEACONS": "http://127.0.0.1:9", "SHEETS_ALGO_SECRET": SECRET},
    ),
    Case(
        "Settings",
        "A map that is not a picture",
        "'War Requests'!H5 (W-0004, Location): Plain.png is not a picture; a terrain map must be a PNG. [MAP-03]",
        beside("own/Plain.png", "not a picture"),
        ("check", "--maps", "own", BOOK),
        1,
    ),
    Case(
        "Settings",
        "A number out of range in a table file",
        "sheets-algo: own/tables/autoalgo/weights.json#/major: 0 is not allowed. Use a number above 0.",
        beside("own/tables/autoalgo/weights.json", '{"major": 0, "moderate": 2, "minor": 1}'),
        ("check", "--config", "own", BOOK),
        2,
    ),
    Case(
        "Settings",
        "A comma missing in a table",
        "sheets-algo: own/tables/autoalgo/weights.json: line 2, column 2: not valid JSON: Expecting ',' delimiter.",
        beside("own/tables/autoalgo/weights.json", '{"major": 3\n "moderate": 2}'),
        ("check", "--config", "own", BOOK),
        2,
    ),
    Case(
        "Settings",
        "A table misnamed",
        'sheets-algo: own/tables/autoalgo/weight.json: the program does not use a file of this name. Did you mean "tables/autoalgo/weights.json"?',
        beside("own/tables/autoalgo/weight.json", "{}"),
        ("check", "--config", "own", BOOK),
        2,
    ),
    # Overrides
    Case(
        "Overrides",
        "A decision without a reason",
        "Overrides!E2 (Reason): required, but empty. Enter a text. [OVR-05]",
        decided(Reason=None),
    ),
    Case(
        "Overrides",
        "A decision without an author",
        "Overrides!F2 (By): required, but empty. Enter a text. [OVR-06]",
        decided(By=None),
    ),
    Case(
        "Overrides",
        "A kind that does not exist",
        'Overrides!B2 (Kind): "Dice" is not allowed. Use Input, Draw or Result. [OVR-02]',
        decided(Kind="Dice"),
    ),
    Case(
        "Overrides",
        "A request that does not exist",
        'Overrides!A2 (Request): there is no request "W-0022". Did you mean "W-0002"? [OVR-01]',
        decided(Request="W-0022"),
    ),
    Case(
        "Overrides",
        "A decided cell of an army that does not exist",
        'Overrides!C2 (What): "Militaries!Harolds Host!Size": Militaries has no row "Harolds Host". Did you mean "Harold\'s Host"? [OVR-10]',
        decided(Kind="Input", What="Militaries!Harolds Host!Size", Value=9000),
    ),
    Case(
        "Overrides",
        "A decided cell with a value out of range",
        "Overrides!D2 (Value): 300 is out of range. Enter a number from 0 to 200. [OVR-10]",
        decided(Kind="Input", What="Nations!England!Stability", Value=300),
    ),
    Case(
        "Overrides",
        "A draw of a flank that does not exist",
        'Overrides!C2 (What): there is no such side or flank. Did you mean "Normandy left flank"? Use Normandy, England, Normandy left flank, Normandy centre flank, Normandy right flank, England left flank, England centre flank or England right flank. [OVR-11]',
        decided(Kind="Draw", What="hour 3, Norway left flank, attack", Value=0.5),
    ),
    Case(
        "Overrides",
        "A draw after the end of any battle",
        "Overrides!C2 (What): there is no hour 1300, since no battle lasts longer than 1,200. Use an hour from 1 to 1200. [OVR-11]",
        decided(Kind="Draw", What="hour 1300, England left flank, attack", Value=0.5),
    ),
    Case(
        "Overrides",
        "A draw of 1",
        "Overrides!D2 (Value): 1 is out of range. Enter a number from 0 to less than 1. [OVR-11]",
        decided(Kind="Draw", What="hour 3, England left flank, attack", Value=1),
    ),
    Case(
        "Overrides",
        "A result that does not exist",
        'Overrides!C2 (What): there is no such result. Did you mean "Winner"? Use Winner, Occupation, Normandy Stability,',
        decided(What="Winer"),
    ),
    Case(
        "Overrides",
        "A winner who is not in the war",
        'Overrides!D2 (Value): "Norway" is not allowed. Did you mean "Normandy"? Use Attacker, Normandy, Defender or England. [OVR-12]',
        decided(Value="Norway"),
    ),
    Case(
        "Overrides",
        "The same result twice",
        "Overrides!C3 (What): row 2 decides this already. Keep one of them. [OVR-15]",
        spoiled(lambda rows: rows.setdefault("Overrides", []).extend([DECISION, DECISION | {"Value": "Normandy"}])),
    ),
    *_of_games(),
)
