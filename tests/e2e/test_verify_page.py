"""`verify --html` and `verify --site`: what verify finds on a page, and what a player's browser finds by itself."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

from scripts.support.beacon_rounds import REAL, BeaconSeason, Round, Rounds, after_round, before_round
from scripts.support.browser import AXE, BARRIERS, browser, pyodide
from scripts.support.moderator import BOOK, SECRET, Moderator, only, season, shown, write
from scripts.support.smallest_war import war_rows
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forms.rulesets import form_entries
from sheets_algo.site.verify_site import LIBRARY, PYODIDE
from tests.helpers.sites import Html
from tests.helpers.verify_page import Player, Server, player_at

WITH_SECRET = {"SHEETS_ALGO_SECRET": SECRET}


@pytest.fixture
def ruled(tmp_path: Path) -> Moderator:
    """A moderator with one ruling, whose war has a name that is markup."""
    found = Moderator(tmp_path / "game", tmp_path / "home")
    found.folder.mkdir()
    rows = only(season("jousts"), "J-0001")
    rows["Joust Requests"][0] |= {"Joust": "<img src=x onerror=alert(1)> & Co", "Seed": None}
    rows["Knights"][0]["Skill"] = 40  # Tancred wins, whatever he draws
    write(found.book, rows)
    assert found.types("run", BOOK, **WITH_SECRET).code == 0
    return found


def spoil(book: Path, header: str, old: str, new: str) -> None:
    """Change a text in a column of the tab Receipts, once."""
    workbook = openpyxl.load_workbook(book)
    sheet = workbook["Receipts"]
    (column,) = (cell.column for row in sheet.iter_rows(max_row=10) for cell in row if cell.value == header)
    (cell,) = (row[0] for row in sheet.iter_rows(min_col=column, max_col=column) if old in str(row[0].value))
    cell.value = str(cell.value).replace(old, new, 1)
    cell.data_type = "s"  # a receipt that begins with = is no formula
    workbook.save(book)


def test_a_page_shows_differences_side_by_side(ruled: Moderator) -> None:
    receipt = ruled.types("verify", BOOK, "--html", "page.html", **WITH_SECRET)
    assert (receipt.code, receipt.out.splitlines()[-1]) == (0, "1 of 1 receipt equal.")
    assert receipt.err.splitlines()[-1] == "page     page.html"
    equal = Html((ruled.folder / "page.html").read_text("utf-8"))
    assert equal.rows == []
    assert "The one result comes out again." in equal.text
    spoil(ruled.book, "Receipt", "'''Result:'''", "'''Outcome:'''")
    spoil(ruled.book, "Winner", "Attacker", "Defender")

    said = ruled.types("verify", BOOK, "--html", "page.html", "--json", **WITH_SECRET)

    assert (said.code, said.data["page"]) == (1, "page.html")
    text = (ruled.folder / "page.html").read_text("utf-8")
    page = Html(text)
    heads, winner, line = page.rows
    assert heads == ["What", "Announced", "Computed"]
    assert winner == ["winner", "Defender", "Attacker"]
    assert line[0].startswith("receipt, line ")
    assert "'''Outcome:'''" in line[1]
    assert line[2] == line[1].replace("Outcome", "Result")
    assert said.data["receipts"][0]["differences"] == [
        "winner: the receipt says Defender, it comes to Attacker",
        f"the receipt says: {line[1]}",
        f"it comes to: {line[2]}",
    ]
    assert "0 of 1 receipt equal, 1 different." in page.text
    assert "&lt;img src=x onerror=alert(1)&gt; &amp; Co" in text
    assert not {"img", "script"} & {*page.tags}
    refused = ruled.types("verify", BOOK, "--html", BOOK)
    assert refused.code == 2
    assert "does not end in .html" in refused.err


@pytest.mark.browser
def test_without_the_library_its_download_command_is_printed(ruled: Moderator) -> None:
    shutil.copy(pyodide(), ruled.folder)
    missing = ruled.types("verify", BOOK, "--site", "public")
    assert missing.code == 2
    where = f"{LIBRARY.file} cannot be read (No such file or directory)"
    assert f"The page needs {LIBRARY.title}, and {where}. Type: {LIBRARY.command} (once; pip" in missing.err
    assert not (ruled.folder / "public").exists()


def test_without_pyodide_its_download_command_is_printed(ruled: Moderator) -> None:
    missing = ruled.types("verify", BOOK, "--site", "public")
    assert missing.code == 2
    where = f"{PYODIDE.file} cannot be read (No such file or directory)"
    assert f"The page needs {PYODIDE.title}, and {where}. Type: {PYODIDE.command} (once; npm" in missing.err
    (ruled.folder / PYODIDE.file).write_bytes(b"another file")
    other = ruled.types("verify", BOOK, "--site", "public")
    assert other.code == 2
    assert re.search(
        rf"{PYODIDE.file} is not the file of Pyodide [0-9.]+ \(its SHA-256 is 100ef6a71bac\.\.\., not 66b7", other.err
    )
    assert not (ruled.folder / "public").exists()
    for words, says in (
        (("--pyodide", "."), "--pyodide needs --site"),
        (("J-0001", "--site", "x"), "leave out REQUESTS"),
    ):
        said = ruled.types("verify", BOOK, *words)
        assert (said.code, says in said.err) == (2, True)


# In a browser


@pytest.fixture(scope="module")
def all_rulesets(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Moderator:
    """A moderator with tables of their own and rulings of all rulesets, the last of which ends a year."""
    folder = tmp_path_factory.mktemp("all")
    found = Moderator(folder / "game", home)
    found.folder.mkdir()
    library = ConfigLoader(found.config)
    rows = {tab: rows for name in library.examples for tab, rows in library.example(name).items()}
    write(found.book, rows | {"Years": [{"Request": "Y-0001", "Year": 1073, "Ready": True}]})
    assert found.types("run", BOOK, **WITH_SECRET).code == 0
    return found


@pytest.fixture(scope="module")
def player(all_rulesets: Moderator) -> Iterator[Player]:
    site = all_rulesets.folder / "public"
    said = all_rulesets.types("verify", BOOK, "--site", site, "--pyodide", pyodide())
    assert (said.code, said.out) == (0, f"page     {site}/verify/index.html (13 files, 13 written, 0 removed)\n"), (
        said.err
    )
    with browser() as chromium, player_at(site, chromium, 360) as found:
        yield found


@pytest.mark.browser
def test_every_ruling_of_every_ruleset_is_equal_in_a_browser(player: Player, all_rulesets: Moderator) -> None:
    """Its C library is musl; the tables are the moderator's own."""
    player.requests.clear()  # another test opens the page from disk
    player.tab.goto(f"{player.server.address}verify/index.html")
    page = player.verifies(all_rulesets.book, SECRET)
    ruled = [str(row["Request"]) for row in shown(all_rulesets.book, "Receipts") if row["Kind"] == "Ruling"]
    count, all_kinds = len(ruled), {id.split("-")[0] for id in ruled}

    assert {entry.prefix.rstrip("-") for entry in form_entries()} - {"L"} == all_kinds
    counted = f"All {count} results come out again. "
    if "S" in all_kinds:  # not in a copy without the games
        counted += "40 by luck and rules alone, 8 decided by people (S-0001, S-0002,"
    assert player.text("#notes .total").startswith(counted)
    assert player.text("#notes > p.faint").startswith("The season has secret luck: equal receipts prove")
    assert player.tab.locator("#notes details[open], #notes h2").count() == 0
    more = player.tab.locator("#more").text_content()
    assert "The season was begun by these rules: history." in more
    assert f"The head of the receipts is {count + 1}-" in more
    assert page.text.count("equal ") >= count
    assert (player.tab.locator(".badge.equal").count(), player.tab.locator(".badge").count()) == (count, count)
    kinds = {id.split("-")[0] for id in player.tab.locator(".verdicts strong").all_text_contents()}
    assert kinds == all_kinds
    own = player.server.address
    assert all(address.startswith((f"{own}verify/", f"blob:{own}")) for address in player.requests), player.requests
    assert player.tab.evaluate("document.documentElement.scrollWidth") <= 360
    player.tab.evaluate(AXE.read_text(encoding="utf-8"))
    player.tab.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    for scheme in ("light", "dark"):
        player.tab.emulate_media(color_scheme=scheme)
        assert player.tab.evaluate(BARRIERS) == []
    assert player.tab.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.browser
def test_a_changed_digit_and_a_wrong_secret_are_reported_as_on_the_command_line(
    player: Player, ruled: Moderator
) -> None:
    spoil(ruled.book, "Receipt", "Result:''' Tancred", "Result:''' Baldwin")
    wrong = "another season's secret, of another game"

    page = player.verifies(ruled.book, wrong)

    told = ruled.types("verify", BOOK, "--html", "page.html", SHEETS_ALGO_SECRET=wrong)
    assert told.code == 1
    on_page = Html((ruled.folder / "page.html").read_text("utf-8"))
    heads, (_, announced, computed) = page.rows
    assert heads[1:] == ["Announced", "Computed"]
    assert announced.startswith("* '''Result:''' Baldwin wins, ")
    assert computed == announced.replace("Baldwin", "Tancred")
    assert page.rows == on_page.rows
    assert "the seed is not the one that the season secret gives for these inputs" in page.text
    for text in (page.text, on_page.text):  # what is wrong, then the count
        assert (
            "Each receipt for itself: 0 of 1 receipt equal, 1 different."
            in text.partition("The season secret at hand")[2]
        )
    assert "img" not in page.tags
    assert player.tab.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.browser
def test_a_receipt_of_other_tables_cannot_be_computed_in_a_browser_either(player: Player, ruled: Moderator) -> None:
    """RCP-11: the page was made with the tables of another season."""
    spoil(ruled.book, "Receipt", "Result:''' Tancred", "Result:''' Baldwin")
    [fingerprint] = {row["Rules Fingerprint"] for row in shown(ruled.book, "Receipts") if row["Kind"] == "Ruling"}
    spoil(ruled.book, "Rules Fingerprint", fingerprint, "0" * 64)

    page = player.verifies(ruled.book, SECRET)

    assert player.tab.locator("body").get_attribute("data-result") == "cannot be computed"
    assert player.tab.locator(".badge.cannot-be-computed").all_inner_texts() == ["? cannot be computed"]
    assert "the tables here are not those that it was ruled with (Rules Fingerprint 000000000000" in page.text
    assert "1 of 1 result cannot be computed here." in page.text


def saved(season: BeaconSeason, file: Path) -> Path:
    """Write a season in memory to a file."""
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for tab in ("War Requests", "Flanks", "Nations", "Militaries", "Locations", "Leaders", "Units", "Receipts"):
        sheet = workbook.create_sheet(tab)
        for row in season.book.rows(tab):
            sheet.append(list(row))
    workbook.save(file)
    return file


@pytest.mark.browser
def test_luck_05_a_browser_checks_the_beacons_signatures(player: Player, tmp_path: Path) -> None:
    """One round is of another beacon: its hash is right, and its signature is that of another round."""
    genuine, forged = BeaconSeason(war_rows()), BeaconSeason(war_rows())
    other = Round(round=123, signature=REAL[42].signature, randomness=REAL[42].randomness)
    for wars, round in ((genuine, REAL[123]), (forged, other)):
        wars.run(before_round(123))
        wars.run(after_round(123), Rounds(REAL[123], {123: round}))

    player.verifies(saved(genuine, tmp_path / "genuine.xlsx"), "")
    assert player.text("#notes .total") == "The one result comes out again."
    assert "signature is not checked" not in player.text("#notes")
    assert "This proves no order in time" in player.text("#notes > p.faint")

    player.verifies(saved(forged, tmp_path / "forged.xlsx"), "")
    assert player.text("#notes .total") == "1 of 1 result did not come out again."
    assert "the signature of round 123 is not the beacon's" in player.text("#notes")


DROPPED = """() => {
  const files = [new File(["not a workbook"], "season.xlsx"), new File(["a season secret of tests\\n"], "1066.secret")];
  const dropped = new DataTransfer();
  for (const file of files) dropped.items.add(file);
  return dropped;
}"""


@pytest.mark.browser
def test_dropped_files_are_accepted_and_other_files_get_one_sentence(player: Player, ruled: Moderator) -> None:
    player.tab.dispatch_event("h1", "drop", {"dataTransfer": player.tab.evaluate_handle(DROPPED)})
    from playwright.sync_api import expect

    expect(player.tab.locator("#secret")).to_have_value("a season secret of tests")
    player.tab.locator("#start:enabled").click()
    player.tab.locator("body[data-result]").wait_for()

    ruled.book.write_text("not a workbook")
    said = ruled.types("verify", BOOK)
    assert said.code == 3
    assert f"sheets-algo: {player.text('#notes')}\n" == said.err
    assert player.tab.locator(".verdicts li").count() == 0


@pytest.mark.browser
@pytest.mark.parametrize("file", ["worker.js", "pyodide/pyodide.mjs"])
def test_a_missing_file_of_the_folder_is_reported_and_the_next_attempt_begins_again(
    player: Player, ruled: Moderator, file: str
) -> None:
    other = replace(player, tab=player.tab.context.new_page())
    other.tab.goto(f"{player.server.address}verify/index.html")
    path = player.site / "verify" / file
    path.rename(path.with_suffix(".gone"))
    try:
        for _ in range(2):
            other.verifies(ruled.book, SECRET)
            assert other.text("#notes").startswith("The program failed here, which is no fault of the workbook: ")
            assert file in other.text("#notes")
            assert other.tab.locator("#start").is_enabled()
    finally:
        path.with_suffix(".gone").rename(path)
        other.tab.close()


@pytest.mark.browser
def test_a_page_recovers_from_a_lost_connection_and_contacts_no_other_server(player: Player, ruled: Moderator) -> None:
    with player_at(player.site, player.tab.context.browser, 360) as own:  # its requests count for no other test
        own.tab.context.set_offline(True)
        own.verifies(ruled.book, SECRET)
        assert own.text("#notes").startswith(
            "The program failed here, which is no fault of the workbook: Failed to fetch"
        )
        own.tab.context.set_offline(False)
        own.verifies(ruled.book, SECRET)
        assert own.text("#notes .total") == "The one result comes out again."

        foreign = Server(ruled.folder)
        ask = f"fetch('{foreign.address}').then(() => 'answered', () => 'refused')"
        load = f"import('{foreign.address}{BOOK}').then(() => 'answered', () => 'refused')"
        (worker,) = own.tab.workers
        assert worker.evaluate(ask) == "refused"
        assert own.tab.evaluate(ask) == "refused"
        assert worker.evaluate(load) == "refused"
        assert foreign.asked == []
        foreign.close()

        own.tab.context.set_offline(True)
        bad = ruled.folder / "bad.xlsx"
        bad.write_text("not a workbook")
        own.verifies(bad, SECRET)
        own.verifies(ruled.book, SECRET)
        assert own.text("#notes .total") == "The one result comes out again."


@pytest.mark.browser
def test_a_page_opened_from_disk_names_its_requirements(player: Player) -> None:
    tab = player.tab.context.new_page()
    tab.goto((player.site / "verify/index.html").as_uri())
    assert tab.locator("#disk").inner_text().startswith("This page has to come from a web server: opened from disk")
    assert (tab.locator("#disk").is_visible(), tab.locator("#form").is_visible()) == (True, False)
    assert (player.tab.locator("#disk").is_visible(), player.tab.locator("#form").is_visible()) == (False, True)
    tab.close()
