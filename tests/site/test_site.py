"""The site of a season: what its pages say, what they leave out, and which files a change writes again."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import shutil
import unicodedata
from dataclasses import replace
from pathlib import Path
from posixpath import normpath
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from engine.autoalgo.aftermath.stability import capital_factor
from engine.receipt import ReceiptText
from engine.settings import ConfigPaths
from scripts.support.beacon_rounds import BeaconSeason, after_round, before_round
from scripts.support.rulings import HOSTILE
from scripts.support.workbooks import NOW, SECRET, Rows, example
from sheets_algo.commands.verification import verification
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.forms.rulesets import check_rulesets, load_all, rulebook
from sheets_algo.posting.content import receipt_post
from sheets_algo.replays.replay import EQUAL, replay, verify
from sheets_algo.ruling.corrections import restore
from sheets_algo.ruling.passes.writer import FROM_SECRET
from sheets_algo.ruling.receipts.chain import find_head, losses
from sheets_algo.ruling.receipts.receipt_rows import LogRow
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.runtime.after_commit.artifacts import draw_map, is_drawn, maps_of, picture_path
from sheets_algo.runtime.after_commit.settle import make_files
from sheets_algo.runtime.session.session import Session, opened
from sheets_algo.season.records import COLUMNS
from sheets_algo.site import paging
from sheets_algo.site.build import SiteOptions, write_site
from sheets_algo.site.folder import MANIFEST, SiteFolder
from sheets_algo.site.public import PublicSeason
from sheets_algo.site.season_pages.rules import chapter_of, source_of
from sheets_algo.site.workbook_copy import workbook_copy
from sheets_algo.steps import HEADERS_TO_READ, tabs_to_read
from sheets_algo.workbook.errors import BadSetting, WorkbookUnavailable
from sheets_algo.workbook.values import Uncalculated
from tests.helpers.decided import with_overrides
from tests.helpers.sites import MemorySeason, content_of, hostile_jousts, jousts, pages_of, season_of
from tests.helpers.tabs import key

NUMBER = "jousts/JO-02/faces"
"""A number of the rules that a workbook may set."""
HIDDEN = ("Plot Requests", "Rank Requests", "Houses")
MOST = 100_000
"""Bytes that a page may have."""


def test_every_link_has_a_target_and_no_page_is_large(site: Path) -> None:
    pages, files = pages_of(site), content_of(site)
    assert len(pages) > 40
    met = {"index.html", "style.css", "feed.xml"}
    for path, page in pages.items():
        assert len(files[path]) <= MOST, path
        for link in page.links:
            assert not link.startswith(("http", "/", "javascript")), link
            if link.startswith("data:"):
                continue
            target, _, anchor = link.partition("#")
            place = normpath(f"{path}/../{unquote(target)}") if target else path
            assert place in files, f"{path}: {link}"
            assert not anchor or anchor in pages[place].ids, link
            met.add(place)
        assert "script" not in page.tags
    assert set(files) == met


def test_standings_equal_the_receipts(season: MemorySeason, site: Path) -> None:
    pages = [page for path, page in pages_of(site).items() if path.startswith("nations/index")]
    found = {row[0]: row[1:] for page in pages for row in page.rows if row and row[0]}
    rows = PublicSeason(season.opened()).standings
    assert len(rows) == 4

    for row in rows:
        texts = [text(row) for header, text in COLUMNS.items() if header != "Nation"]
        assert [text for text in texts if text] == [cell for cell in found[row.nation] if cell]
    wars = [ruling for ruling in PublicSeason(season.opened()).rulings if ruling.attacker and ruling.defender]
    assert sum(row.wars for row in rows) == 2 * len(wars)
    assert sum(row.men_lost or 0 for row in rows) == sum(
        (war.attacker_lost or 0) + (war.defender_lost or 0) for war in wars
    )


def test_a_season_without_a_title_is_named_by_the_years_of_its_wars(site: Path) -> None:
    assert "<h1><bdi>Wars of 1066</bdi></h1>" in (site / "index.html").read_text("utf-8")


def test_a_leader_s_draw_is_listed_but_neither_as_headline_nor_as_war(tmp_path: Path) -> None:
    rows = example("1066")
    rows["War Requests"] = rows["War Requests"][:1]
    drawn = {"Leader": "Edgar", "Nation": "England", "Year": 1067, "Age": 16, "Strongest Trait": "Defense"}
    rows["Leader Requests"] = [drawn | {"Request": "L-0009", "Ready": True}]
    season_of(tmp_path, rows).site(tmp_path / "site")

    pages, feed = pages_of(tmp_path / "site"), (tmp_path / "site" / "feed.xml").read_text("utf-8")
    first = pages["index.html"]
    assert "wars/l-0009.html" in first.links
    assert "Edgar" not in first.text[: first.text.index("News")] + pages["wars/index.html"].text + feed


def test_the_first_page_begins_with_the_last_ruling_and_the_typed_title(season: MemorySeason, tmp_path: Path) -> None:
    named = replace(season.session, title="Wars of 1066")
    write_site(named, season.opened(), SiteOptions(tmp_path / "site"))
    last = PublicSeason(season.opened()).rulings[-1]

    page = pages_of(tmp_path / "site")["index.html"]

    assert "<h1><bdi>Wars of 1066</bdi></h1>" in (tmp_path / "site" / "index.html").read_text("utf-8")
    assert 0 < page.text.index("Latest: ") < page.text.index(last.war) < page.text.rindex("Nations, ")


def test_a_formula_without_a_result_is_shown_as_its_formula(tmp_path: Path) -> None:
    season = season_of(tmp_path, jousts(1))
    heads = [str(cell) for cell in season.book.rows("Receipts")[0]]
    row = next(number for number, cells in enumerate(season.book.rows("Receipts"), start=1) if "J-0001" in cells)
    season.book.type_in("Receipts", row, heads.index("Receipt") + 1, Uncalculated('="Ann " & B2'))

    season.site(tmp_path / "site")

    page = pages_of(tmp_path / "site")["wars/j-0001.html"].text
    assert '="Ann " & B2' in page
    assert "Uncalculated" not in page


def test_a_war_s_page_has_its_receipt_changes_log_and_verdict(season: MemorySeason, site: Path) -> None:
    pages, public = pages_of(site), PublicSeason(season.opened())
    for ruling in public.rulings:
        address = ruling.request.lower()
        shown = pages[f"wars/{address}.html"].text
        for line in re.sub(r"&#(\d+);", lambda code: chr(int(code[1])), ruling.receipt).splitlines()[1:]:
            label, _, text = line.removeprefix("* ").replace("'''", "").strip("= ").partition(": ")
            assert label in shown
            is_scored = label == "Occupation"  # a score is in the workbook's receipt alone
            assert (re.sub(r" \(\d+\.\d+\)$", "", text) if is_scored else text) in shown
        for change in public.changes.where(lambda change, seq=ruling.seq: change.seq == seq):
            assert change.field in shown
        for line in public.log.where(lambda line, seq=ruling.seq: line.seq == seq):
            assert line.text in pages[f"logs/{address}.html"].text
        assert re.search(r"\(\d+\.\d+\)", pages[f"wars/{address}.html"].text.partition("What it changed")[0]) is None
        assert "Equal: the same inputs and seed give this receipt again." in shown
        has_hours = ruling.ruleset == "autoalgo"
        assert (site / "replays" / f"{address}.html").exists() == has_hours
        assert (f"../replays/{address}.html" in pages[f"wars/{address}.html"].links) == has_hours


def meta_of(text: str) -> dict[str, str]:
    """The tags of a page that chats read, by name."""
    found = re.findall(r'<meta (?:name|property)="(description|og:\w+)" content="([^"]*)">', text)
    return {name: html.unescape(value) for name, value in found}


def test_a_link_preview_has_title_sentence_and_picture(site: Path) -> None:
    files = content_of(site)
    pages = {path: content.decode() for path, content in files.items() if path.endswith(".html")}
    assert "replays/w-0001.html" in pages
    for path, text in pages.items():
        meta = meta_of(text)
        assert meta["og:title"]
        assert meta["description"] == meta["og:description"] != ""
        assert files[normpath(f"{path}/../{meta['og:image']}")].startswith(b"\x89PNG"), path
    war, replayed, score = (meta_of(pages[f"{path}-0001.html"]) for path in ("wars/w", "replays/w", "wars/j"))
    assert war["og:title"] == replayed["og:title"] == "Stamford Bridge, 1066"
    assert normpath(f"wars/{war['og:image']}") == normpath(f"replays/{replayed['og:image']}") == "replays/w-0001.png"
    assert " had nobody left to fight after " in war["og:description"]
    assert war["og:description"].startswith(replayed["og:description"])  # its chance never changed: 100 %
    assert score["og:image"] == "../season.png"


def test_link_previews_have_the_same_address_as_posts(season: MemorySeason, tmp_path: Path) -> None:
    channel = ChannelSettings(name="Wars", to="command", command=("true",), site="https://wars.example.org/s3/")
    session = replace(season.session, channels=(channel,))
    write_site(session, season.opened(), SiteOptions(tmp_path, replays=True))
    for path in ("index.html", "wars/w-0001.html", "replays/w-0001.html"):
        picture = meta_of((tmp_path / path).read_text())["og:image"]
        assert (tmp_path / picture.removeprefix("https://wars.example.org/s3/")).is_file()


def test_the_luckiest_rulings_are_the_rarest_wins(tmp_path: Path) -> None:
    season = season_of(tmp_path / "season", example("1066"), with_luck=True)
    season.site(tmp_path / "site")
    chances = {ruling.war: ruling.win_chance for ruling in PublicSeason(season.opened()).rulings}
    expected = sorted((chance, war) for war, chance in chances.items() if chance is not None and chance < 0.5)
    page = pages_of(tmp_path / "site")["luckiest.html"]
    assert [(row[0], row[2]) for row in page.rows[1:]] == [(war, f"{100 * chance:.0f} %") for chance, war in expected]
    assert expected
    assert "luckiest.html" in pages_of(tmp_path / "site")["index.html"].links
    season.site(tmp_path / "kept", hidden=frozenset({"autoalgo"}))
    assert "luckiest.html" not in pages_of(tmp_path / "kept")


def test_hidden_odds_appear_in_no_link(season: MemorySeason, tmp_path: Path) -> None:
    season.site(tmp_path, hidden=frozenset({"autoalgo"}), replays=True)
    meta = meta_of((tmp_path / "wars/w-0001.html").read_text())
    assert meta["og:image"] == "../maps/w-0001.png"
    assert "%" not in meta["og:description"]


def test_a_page_shows_no_map_of_a_former_war_with_its_id_and_name(season: MemorySeason, tmp_path: Path) -> None:
    """The workbook went back to an older version, and another computer ruled another war in the same row."""
    rows = example("1066")
    rows["War Requests"] = [rows["War Requests"][0] | {"Location": "Manzikert"}]
    other = season_of(tmp_path / "other", rows)
    shutil.copytree(season.folder / "pictures", other.folder / "pictures")
    (picture,) = (other.folder / "pictures").iterdir()

    other.site(tmp_path / "site", with_workbook=True)
    assert not (tmp_path / "site" / "maps").exists()

    seen = other.opened()
    receipt, form = seen.receipts.ruling_of("W-0001"), seen.form("autoalgo")
    assert receipt is not None
    assert form is not None
    assert (picture_path(other.session, receipt), is_drawn(picture, receipt)) == (picture, False)
    make_files(other.session, seen, [receipt])
    assert is_drawn(picture, receipt)
    other.site(tmp_path / "site", with_workbook=True)
    assert (tmp_path / "site" / "maps" / "w-0001.png").read_bytes() == picture.read_bytes()

    picture.write_bytes(draw_map(maps_of(replay(receipt, form))[0]))
    assert not is_drawn(picture, receipt), "a picture without a mark may be another ruling's"


def test_two_runs_give_the_same_bytes_and_the_second_writes_nothing(
    season: MemorySeason, site: Path, tmp_path: Path
) -> None:
    season.site(tmp_path, replays=True, with_workbook=True)
    assert content_of(tmp_path) == content_of(site)
    assert (tmp_path / MANIFEST).read_bytes() == (site / MANIFEST).read_bytes()

    times = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*")}
    again = season.site(tmp_path, with_workbook=True)  # replays that are there stay
    assert (again.written, again.removed) == ((), ())
    assert times == {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*")}


def test_a_receipt_is_verified_once_and_again_after_a_change(tmp_path: Path, monkeypatch) -> None:
    season, folder = season_of(tmp_path, jousts(2)), tmp_path / "site"
    verified: list[str] = []

    def spy(receipt: StoredReceipt, *args: Any) -> Any:
        verified.append(receipt.request)
        return verify(receipt, *args)

    def verdicts() -> list[str]:
        pages = pages_of(folder)
        texts = [pages[f"wars/j-000{number}.html"].text for number in (1, 2)]
        return [word for text in texts for word in ("Equal: the same", "Different: ") if word in text]

    monkeypatch.setattr("sheets_algo.site.build.verify", spy)
    season.site(folder)
    assert (verdicts(), verified) == ([], [])

    season.site(folder, verifies=True)
    assert (verdicts(), verified) == (["Equal: the same"] * 2, ["J-0001", "J-0002"])
    assert not (folder / "replays").exists()

    assert season.site(folder, verifies=True).written == season.site(folder).written == ()
    assert len(verified) == 2
    row, cells = next(
        (row, cells)
        for row, cells in season.opened().snapshot.sheets[key("receipts")].rows.items()
        if "J-0002" in cells
    )
    heads = season.book.rows("Receipts")[0]
    wiki = heads.index("Receipt")
    season.book.type_in("Receipts", row, wiki + 1, f"{cells[wiki]} And gold.")

    season.site(folder)
    assert verdicts() == ["Equal: the same"]  # what was said of the other receipt is nobody's
    season.site(folder, verifies=True)
    assert (verdicts(), verified[2:]) == (["Equal: the same", "Different: "], ["J-0002"])


def test_an_undone_ruling_leaves_no_trace_in_totals(tmp_path: Path) -> None:
    rows = example("1066")
    rows["War Requests"] = rows["War Requests"][:2]
    season, without = season_of(tmp_path, rows), tmp_path / "without"
    rows["War Requests"] = rows["War Requests"][:1]
    season_of(tmp_path, rows).site(without)
    folder = tmp_path / "site"
    season.site(folder)
    season.undo("W-0002")

    changed = season.site(folder)

    expected, found = pages_of(without), pages_of(folder)
    nations = {page: expected[page].rows for page in ("index.html", "nations/index.html")}
    assert all(len(rows) == 3 for rows in nations.values())  # with the heads
    assert nations == {page: found[page].rows for page in nations}
    assert expected["nations/norway.html"].text == found["nations/norway.html"].text
    assert "This ruling was undone on 2026-03-02" in found["wars/w-0002.html"].text
    assert "undone" in found["nations/normandy.html"].text
    pages = {path for path in changed.written if path.endswith(".html")}
    assert pages == {
        *("index.html", "wars/index.html", "wars/w-0002.html", "nations/index.html"),
        *("nations/england.html", "nations/normandy.html"),
    }
    assert 'datetime="2026-03-02' in (folder / "wars/w-0002.html").read_text()
    assert "(undone)" in (folder / "feed.xml").read_text()


def test_another_ruling_rewrites_its_war_its_nations_and_the_lists(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(paging, "LISTED", 10)
    rows = jousts(15)
    for row in rows["Joust Requests"][-1:]:
        row["Ready"] = False
    season = season_of(tmp_path, rows)
    folder = tmp_path / "site"
    season.site(folder)
    before = content_of(folder)
    last = len(rows["Joust Requests"]) + 1
    heads = season.book.rows("Joust Requests")[0]
    season.book.type_in("Joust Requests", last, heads.index("Ready") + 1, True)
    season.rule()

    changed = season.site(folder)

    nations = {path for path in before if re.fullmatch(r"nations/[a-z]+\.html", path)}
    pages = {path for path in changed.written if path.endswith(".html")}
    assert pages == {
        "index.html",
        "wars/index.html",
        "wars/j-0014.html",
        "wars/j-0015.html",
        "logs/j-0015.html",
        *nations,
    }
    assert {path: before[path] for path in before if path not in changed.written} == {
        path: content for path, content in content_of(folder).items() if path in before and path not in changed.written
    }
    assert [len(pages_of(folder)[f"wars/index{page}.html"].rows) - 1 for page in ("", "/1")] == [5, 10]
    assert all(len(content) <= MOST for path, content in content_of(folder).items() if path.endswith(".html"))


def test_foreign_files_are_never_touched(season: MemorySeason, site: Path, tmp_path: Path) -> None:
    folder = tmp_path / "web"
    (folder / ".git").mkdir(parents=True)
    own = {"CNAME": "example.com", ".git/HEAD": "ref", "wars/notes.txt": "mine"}
    season.site(folder, hidden=frozenset({"autoalgo"}))
    for name, text in own.items():
        (folder / name).write_text(text)
    assert (folder / "logs/j-0001.html").exists()
    (folder / "logs/j-0001.html").write_text("changed by hand")

    season.site(folder, hidden=frozenset({"autoalgo", "jousts"}))

    assert {name: (folder / name).read_text() for name in own} == own
    assert (folder / "logs/j-0001.html").read_text() == "changed by hand"
    assert not (folder / "logs/j-0002.html").exists()

    (tmp_path / "other").mkdir()
    (tmp_path / "other/index.html").write_text("somebody else's page")
    with pytest.raises(WorkbookUnavailable, match=r"index\.html is not of this site: move it, or name another folder"):
        season.site(tmp_path / "other")
    assert [file.name for file in (tmp_path / "other").iterdir()] == ["index.html"]


def test_an_interrupted_site_is_completed(season: MemorySeason, tmp_path: Path, monkeypatch) -> None:
    put, count = SiteFolder._put, [0]

    def interrupted(self: SiteFolder, file: Path, content: bytes) -> None:
        count[0] += 1
        if count[0] == 12:
            raise KeyboardInterrupt
        put(self, file, content)

    with monkeypatch.context() as patch:
        patch.setattr(SiteFolder, "_put", interrupted)
        with pytest.raises(KeyboardInterrupt):
            season.site(tmp_path)
    (tmp_path / "index.html").write_text("half a page")

    season.site(tmp_path)

    assert "half a page" not in (tmp_path / "index.html").read_text()
    assert season.site(tmp_path).written == ()


def test_a_folder_belongs_to_the_site_of_one_season(season: MemorySeason, tmp_path: Path) -> None:
    season.site(tmp_path)
    manifest = (tmp_path / MANIFEST).read_text()
    (tmp_path / MANIFEST).write_text(re.sub(r'"season": "..', '"season": "??', manifest))
    with pytest.raises(WorkbookUnavailable, match="holds the site of another season: name another folder"):
        season.site(tmp_path)
    (tmp_path / MANIFEST).write_text(manifest[:100])
    with pytest.raises(WorkbookUnavailable, match=f"{MANIFEST} is damaged .*: name an empty folder for the site"):
        season.site(tmp_path)


def texts_of(folder: Path) -> str:
    """Return all that a site says, the cells of its workbook too."""
    import openpyxl

    texts = [
        content.decode() for path, content in content_of(folder).items() if path.endswith((".html", ".csv", ".xml"))
    ]
    for file in folder.rglob("*.xlsx"):
        book = openpyxl.load_workbook(file)
        texts += [str(cell) for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row]
    return "\n".join(texts)


def test_secrets_of_players_never_appear(season: MemorySeason, site: Path) -> None:
    seen, said = season.opened(), texts_of(site)
    public = "\n".join(page.text for path, page in pages_of(site).items() if path.startswith("turns/")) + FROM_SECRET
    secret = [receipt for receipt in seen.receipts.rulings if receipt.ruleset == "plots"]
    assert len(secret) > 3
    kept = 0
    for receipt in secret:
        assert receipt.request not in said
        assert receipt.seed not in said
        for line in receipt.wiki.splitlines()[1:]:
            text = line.removeprefix("* ").replace("'''", "")
            if len(text) >= 20 and text not in public:
                kept += 1
                assert text not in said
    assert kept >= 5
    table = list(csv.DictReader(io.StringIO((site / "downloads/rulings.csv").read_text())))
    assert {row["ruleset"] for row in table} == {"autoalgo", "jousts", "plots-rank"}
    assert "seq" not in table[0]
    assert 'class="date"' in said


def downloaded(site: Path, folder: Path) -> Session:
    """Return a session of the workbook of a site, as a player has it."""
    from scripts.support.pinned_tables import WORKSHOP
    from sheets_algo.config.settings import settings
    from sheets_algo.runtime.locate import open_workbooks
    from sheets_algo.workbook.stores import find

    shutil.copy(site / "downloads/season.xlsx", folder)
    address = find(str(folder / "season.xlsx"))
    return open_workbooks([address], settings(folder, {"config": WORKSHOP}, {}))[0].session


def test_the_workbook_of_a_site_has_the_public_part_and_is_verified(
    season: MemorySeason, site: Path, tmp_path: Path
) -> None:
    import openpyxl

    session = downloaded(site, tmp_path)
    seen = opened(session, whole=(LogRow,))
    found = list(seen.receipts.rulings)
    assert {receipt.ruleset for receipt in found} == {"autoalgo", "jousts"}
    assert [receipt.seq for receipt in seen.receipts.by_seq.values()] == [*range(1, len(found) + 2)]
    for receipt in found:
        form = seen.form(receipt.ruleset)
        assert form is not None
        fingerprint = session.library.fingerprint(form.ruleset_key)
        assert verify(receipt, form, fingerprint, SECRET, seen.receipts.options).is_equal
    assert not [tab for tab in openpyxl.load_workbook(tmp_path / "season.xlsx").sheetnames if tab in HIDDEN]
    assert (verification(session).sentence, verification(session).trouble) == ("All 3 results come out again.", "")
    assert "season.xlsx has only the receipts that everybody may read" in pages_of(site)["index.html"].text


def test_rcp_19_a_workbook_without_some_receipts_has_its_own_chain(tmp_path: Path) -> None:
    """No text names a receipt by its number, so that all is equal; what people typed is nobody's to change."""
    wars = example("1066")
    wars["War Requests"] = wars["War Requests"][:2]
    wars["War Requests"][1] |= {"Ready": False, "War": "Hastings (receipt 6)"}
    season = season_of(tmp_path, jousts(2) | wars)
    type_in(season, "Nations", "England", "Stability", 77)
    type_in(season, "War Requests", "W-0002", "Ready", True)
    season.rule()
    season.undo("W-0002")
    before = season.opened().receipts
    kinds = [(receipt.kind, receipt.ruleset) for receipt in before.by_seq.values()]
    assert kinds == [
        ("Season", ""), ("Ruling", "autoalgo"), ("Ruling", "jousts"), ("Ruling", "jousts"),
        ("Edits", "autoalgo"), ("Ruling", "autoalgo"), ("Undo", "autoalgo"),
    ]  # fmt: skip

    hidden = frozenset({"jousts"})
    season.site(tmp_path / "site", hidden=hidden, replays=True, with_workbook=True)

    session = downloaded(tmp_path / "site", tmp_path)
    found, copied = verification(session), opened(session).receipts
    assert (found.result, found.trouble, found.sheet) == (EQUAL, "", "")
    assert [receipt.seq for receipt in copied.by_seq.values()] == [1, 2, 3, 4, 5]
    assert copied.season == before.season
    assert re.search(r"Stability of England: [\d.]+ → 77\.\n", copied.by_seq[4].wiki)
    assert copied.by_seq[5].wiki == "The ruling of W-0002 (Hastings (receipt 6), 1066) is undone."
    assert "Its ruling is undone." in texts_of(tmp_path / "site")
    assert set(re.findall(r"(?i)receipts? \d+", texts_of(tmp_path / "site"))) == {"receipt 6"}
    assert not find_head(copied, str(before.head))
    said = "".join(content.decode(errors="replace") for content in content_of(tmp_path / "site").values())
    assert [receipt.digest for receipt in before.by_seq.values() if receipt.digest in said] == []
    season.site(tmp_path / "site", hidden=hidden)
    assert str(before.head) in pages_of(tmp_path / "site")["index.html"].text


def test_rcp_19_a_new_chain_hides_no_changed_receipt(tmp_path: Path) -> None:
    """Neither before a moderator accepts it nor after that."""
    season = season_of(tmp_path, jousts(3) | example("plots"))
    type_in(season, "Receipts", "J-0002", "Winner", "Nobody")
    refused = "--with-workbook: the workbook cannot be offered in a season of which something is kept once receipts are"
    with pytest.raises(BadSetting, match=refused):
        season.site(tmp_path / "site", with_workbook=True)

    snapshot = season.book.read([*tabs_to_read(season.forms), *HEADERS_TO_READ])
    season.book.commit(snapshot, restore(snapshot, season.forms, read_receipts(snapshot), NOW, ())[2])
    assert not losses(season.opened().receipts)
    with pytest.raises(BadSetting, match=refused):
        season.site(tmp_path / "site", with_workbook=True)


RAID = {"Player": "Anna", "Order": "Raid", "Target": "Dmitri", "Die": 1}


def game(*orders: dict[str, Any]) -> Rows:
    """Return a game in round 3 with these orders; a raid puts Dmitri out."""
    return example("rounds") | {
        "Round Requests": [
            {"Request": f"R-{number}", "Ready": True} | order for number, order in enumerate(orders, start=1)
        ]
    }


def secret_season(folder: Path) -> MemorySeason:
    """Return orders of houses with secrets, then a round in which an order lapses and a cell is typed over."""
    late = game(RAID, {"Player": "Dmitri", "Order": "Set tax", "Tax %": 12}, {"Order": "End round"})
    late["Round Requests"].append({"Request": "R-4", "Player": "Anna", "Order": "Set tax", "Tax %": 11})
    for row in late["Round Requests"]:
        row["Ready"] = False
    season = season_of(folder, example("plots") | late)
    for ids in (["R-1", "R-2", "R-3"], ["R-4"]):
        for id in ids:
            type_in(season, "Round Requests", id, "Ready", True)
        season.rule()
        type_in(season, "Round Players", "Anna", "Gold ¤", 5)
    return season


def test_in_games_with_secrets_no_text_has_a_receipt_number(tmp_path: Path) -> None:
    """An order that lapsed, a cell that was typed over and an undo name rulings; orders could be counted by numbers."""
    season = secret_season(tmp_path)
    season.undo("R-4")
    assert season.opened().receipts.ruling_of("R-1") is not None

    season.site(tmp_path / "site", with_workbook=True, verifies=True)

    said = texts_of(tmp_path / "site")
    assert "R-2: Dmitri is out (R-1)." in said
    assert "Gold ¤ of Anna: " in said
    assert re.findall(r"(?i).*receipts? \d+.*", said) == []
    found = verification(downloaded(tmp_path / "site", tmp_path))
    assert (found.result, found.trouble, found.sheet) == (EQUAL, "", "")


def test_in_games_with_secrets_keys_of_files_reveal_nothing_hidden(tmp_path: Path) -> None:
    """A digest with numbers that the table hides tells who tries all numbers how many orders there were."""
    season = secret_season(tmp_path)

    season.site(tmp_path / "site", verifies=True)

    files = json.loads((tmp_path / "site" / MANIFEST).read_text())["files"]
    tables = {path: entry for path, entry in files.items() if path.endswith(".csv")}
    assert len(tables) == 5
    assert [path for path, entry in tables.items() if entry["key"] != entry["digest"]] == []


def test_luck_04_in_games_with_secrets_a_promise_has_no_number(tmp_path: Path) -> None:
    """Nor are orders of others counted that are promised and not ruled; on receipts they are."""
    rows = game({"Player": "Anna", "Order": "Set tax", "Tax %": 15}, RAID) | example("plots")
    beacon = BeaconSeason(rows)
    beacon.run(before_round(123))
    beacon.edit("Round Requests", 2, "Tax %", 14)
    beacon.edit("Plot Requests", 2, "Ready", False)
    beacon.run(before_round(1000))
    beacon.run(after_round(1000))
    receipt = beacon.receipts.ruling_of("R-1")
    assert receipt is not None
    assert re.search(r"promised in receipt \d+\. Second promise; .* of other parties .*\(receipts? \d", receipt.wiki)
    season = MemorySeason(tmp_path, beacon.book)

    season.site(tmp_path / "site")

    said = texts_of(tmp_path / "site")
    told = "promised before. Second promise; none withdrawn before their round, one after; one of the same parties"
    assert told in said
    assert re.findall(r"(?i).*receipts? \d+.*|.*of other parties.*", said) == []
    assert told in receipt_post(season.opened(), receipt).wiki


def test_in_games_with_secrets_nothing_else_names_receipts(tmp_path: Path) -> None:
    """Receipts that were changed, a cell that was typed over and one that is not equal are told without numbers."""
    season = secret_season(tmp_path)
    type_in(season, "Round Players", "Bola", "Gold ¤", 7)
    type_in(season, "Receipts", "R-1", "Seed", "1")

    season.site(tmp_path / "site", verifies=True)

    pages = pages_of(tmp_path / "site")
    said = texts_of(tmp_path / "site")
    assert "In the workbook of this season receipts are gone or were changed." in pages["index.html"].text
    assert "the last receipt left it at" in pages["index.html"].text
    assert "Different: verify tells moderators why" in said
    assert re.findall(r"(?i).*receipts? \d+.*", said) == []


def type_in(season: MemorySeason, tab: str, row: str, header: str, value: Any) -> None:
    """Type a value into the row that has a name or id."""
    heads, *rows = season.book.rows(tab)
    place = next(place for place, cells in enumerate(rows, start=2) if row in cells)
    season.book.type_in(tab, place, heads.index(header) + 1, value)


def test_the_workbook_omits_unruled_rows_and_people_s_columns(tmp_path: Path) -> None:
    rows = jousts(3)
    rows["Joust Requests"][2] |= {"Ready": False, "Joust": "The secret plan"}
    rows["Joust Requests"][0]["Notes"] = "Ann must not know"
    season = season_of(tmp_path, rows)
    season.book.type_in("Joust Requests", 1, 40, "Notes")
    season.book.type_in("Joust Requests", 2, 40, "ask Ann about the betrayal")

    season.site(tmp_path / "site", with_workbook=True)

    said = texts_of(tmp_path / "site")
    assert "Joust J-0002" in said
    assert "The secret plan" not in said
    assert "betrayal" not in said
    assert "Ann must not know" not in said
    season.site(tmp_path / "site")
    assert not (tmp_path / "site/downloads/season.xlsx").exists()


def test_decisions_of_moderators_have_a_page_by_author(tmp_path: Path) -> None:
    book = with_overrides(
        jousts(2),
        ("J-0002", "Result", "Knights!Tancred!Wins", 7, "agreed in chat", "Zoe"),
        ("J-0001", "Result", "Knights!Tancred!Wins", 5, "the <sheet> was wrong", "Anna"),
    )
    season = MemorySeason(tmp_path, book)
    season.rule()

    season.site(tmp_path / "site")

    pages = pages_of(tmp_path / "site")
    _, *rows = pages["decisions.html"].rows
    assert [[cell.strip() for cell in row] for row in rows] == [
        ["Anna", "Joust J-0001", "Result: Knights!Tancred!Wins = 5", "the <sheet> was wrong"],
        ["Zoe", "Joust J-0002", "Result: Knights!Tancred!Wins = 7", "agreed in chat"],
    ]
    assert "decisions.html" in pages["index.html"].links
    assert "wars/j-0001.html" in [link.lower() for link in pages["decisions.html"].links]
    season.undo("J-0002")
    season.site(tmp_path / "site")
    assert "undone" in pages_of(tmp_path / "site")["decisions.html"].rows[2][1]


def test_receipts_that_name_each_other_by_number_are_not_renumbered(tmp_path: Path) -> None:
    """LUCK-04: in a season with beacon luck a ruling names its promise; with secrets, numbers would tell of orders."""
    season = season_of(tmp_path, jousts(1) | example("plots"))
    receipts = season.opened().snapshot.sheets[key("receipts")].rows
    heads = list(receipts[1])
    begun = next(number for number, row in receipts.items() if row[heads.index("Kind")] == "Season")
    season.book.type_in("Receipts", begun, heads.index("Inputs") + 1, '{"luck":"beacon"}')

    with pytest.raises(BadSetting, match="--with-workbook: the workbook cannot be offered"):
        season.site(tmp_path / "site", with_workbook=True)


def test_the_workbook_is_refused_while_a_promise_reveals_plans(tmp_path: Path) -> None:
    """LUCK-02: a promise holds all that decides, and neither it nor its number can be left out of the chain."""
    book = season_of(tmp_path, jousts(1)).opened()
    promise = StoredReceipt(seq=3, kind="Promise", request="J-0002", ruleset="jousts", inputs="The secret plan")
    with_promise = replace(book, receipts=Receipts({**book.receipts.by_seq, 3: promise.chained("")}))

    with pytest.raises(BadSetting, match=r"^--with-workbook: J-0002 is promised \(receipt 3\) and not ruled, and the"):
        workbook_copy(PublicSeason(with_promise))
    assert workbook_copy(PublicSeason(book))


def test_logs_replays_and_odds_of_a_ruleset_can_be_hidden(tmp_path: Path) -> None:
    rows = jousts(2)
    wars = example("1066")
    wars["War Requests"] = wars["War Requests"][:1]
    season = season_of(tmp_path, rows | wars, with_luck=True)
    season.site(tmp_path / "all")
    season.site(tmp_path / "wars hidden", hidden=frozenset({"autoalgo"}))
    season.site(tmp_path / "hidden", hidden=frozenset({"autoalgo", "jousts"}), replays=True, with_workbook=True)
    said = {name: texts_of(tmp_path / name) for name in ("all", "hidden")}

    assert "Wins above expectation" in said["all"]
    assert " others" in said["all"]
    assert "Wins above expectation" not in said["hidden"]
    assert not re.search(r"as in \d+ of \d+ others|more than in \d+ %", said["hidden"])
    assert (tmp_path / "wars hidden/logs/j-0001.html").exists()
    assert not (tmp_path / "wars hidden/logs/w-0001.html").exists()
    assert not (tmp_path / "hidden/logs").exists()
    assert not (tmp_path / "hidden/replays").exists()
    seeds = [ruling.seed for ruling in PublicSeason(season.opened()).rulings]
    for seed in seeds:  # with seed and inputs, anybody could play it again
        assert str(seed) in said["all"]
        assert str(seed) not in said["hidden"]
    assert '{""' not in said["hidden"]


def test_a_ruleset_in_a_setting_must_exist() -> None:
    assert check_rulesets("site_hides", ["all"]) >= {"autoalgo", "plots"}
    assert check_rulesets("site_hides", ["jousts"]) == {"jousts"}
    with pytest.raises(BadSetting, match=r'^site_hides: there is no ruleset "autoalg"\. Did you mean "autoalgo"\?$'):
        check_rulesets("site_hides", ["autoalg"])


def test_the_feed_is_atom_with_permanent_ids(season: MemorySeason, site: Path) -> None:
    atom = "{http://www.w3.org/2005/Atom}"
    feed = ElementTree.fromstring((site / "feed.xml").read_bytes())
    entries = feed.findall(f"{atom}entry")
    assert len(entries) == len(PublicSeason(season.opened()).rulings)
    for entry in (feed, *entries):
        assert [entry.findtext(f"{atom}{name}") for name in ("id", "title", "updated")] == [
            pytest.approx(entry.findtext(f"{atom}{name}")) for name in ("id", "title", "updated")
        ]
        assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", entry.findtext(f"{atom}id") or "")
        assert entry.findtext(f"{atom}updated") == NOW
    assert len({entry.findtext(f"{atom}id") for entry in entries}) == len(entries)
    for entry in entries:
        link = entry.find(f"{atom}link")
        assert link is not None
        assert (site / link.attrib["href"]).exists()


def test_the_rules_list_the_numbers_in_force(tmp_path: Path) -> None:
    rows = jousts(1)
    season = season_of(tmp_path, rows)
    season.site(tmp_path / "plain")
    plain = pages_of(tmp_path / "plain")
    assert "This season's own" not in plain["rules/jousts.html"].text
    rows["Joust Settings"] = [{"Setting": NUMBER, "Value": 43}]

    season_of(tmp_path, rows).site(tmp_path / "own")

    own = pages_of(tmp_path / "own")
    assert f"{NUMBER} = 43" in own["rules/jousts.html"].text
    table = f"rules/jousts/{NUMBER.partition('/')[0]}.html"
    assert "faces 43" in own[table].text
    assert "faces 43" not in plain[table].text
    assert "mark" in own[table].tags
    chapter = f"rules/jousts/rulebook/{chapter_of('JO-02', season.session.library.rulebook('jousts'))}.html"
    assert "faces43" in own[chapter].text
    assert "mark" in own[chapter].tags
    assert "mark" not in plain[chapter].tags
    paths = ConfigPaths(season.session.library.raw("jousts"), {}).by_name.values()
    shown = [page.text for path, page in plain.items() if path.startswith("rules/jousts/")]
    assert sum(text.count(f" {path.value:,}") > 0 for path in paths for text in ["".join(shown)]) == len(paths)


def test_chapters_have_each_rule_with_its_formula_from_the_code(site: Path) -> None:
    pages = pages_of(site)
    found = (page.text for path, page in pages.items() if path.startswith("rules/autoalgo/rulebook/"))
    chapters = [" ".join(text.split()) for text in found]
    rules = rulebook(ConfigLoader(), "autoalgo", [form for form in load_all() if form.key == "autoalgo"])
    assert [
        id for id in rules if not any(f"{id} {' '.join(rules[id]['text'].split())}" in text for text in chapters)
    ] == []
    formula = " ".join(source_of(capital_factor).split())
    assert any(formula in text for text in chapters)


def visible(text: str) -> str:
    """Return a text without white space and the invisible signs that the program takes out of cells."""
    return "".join(sign for sign in text if not sign.isspace() and unicodedata.category(sign) != "Cf")


def test_hostile_names_are_shown_and_execute_nothing(tmp_path: Path) -> None:
    season = season_of(tmp_path, hostile_jousts())
    season.site(tmp_path / "site", with_workbook=True)
    pages = pages_of(tmp_path / "site")
    for path, page in pages.items():
        assert "script" not in page.tags, path
        assert "img" not in page.tags, path
        assert (tmp_path / "site" / path).stat().st_size <= MOST
    said = visible("".join(page.text for page in pages.values()))
    for text in HOSTILE.values():
        assert visible(text)[:40] in said
    ElementTree.fromstring((tmp_path / "site/feed.xml").read_bytes())


def test_downloads_are_safe_for_spreadsheets(tmp_path: Path) -> None:
    def names() -> set[str]:
        rows = csv.DictReader(io.StringIO((tmp_path / "site/downloads/standings.csv").read_text()))
        return {row["nation"] for row in rows}

    season = season_of(tmp_path, hostile_jousts())
    season.site(tmp_path / "site")
    assert HOSTILE["formula"].startswith("=")
    assert f"'{HOSTILE['formula']}" in names()


def test_a_long_receipt_has_a_bounded_page() -> None:
    from engine.receipt import Block, Line
    from sheets_algo.site.paging import ROOM, fitted_blocks, weight_of

    long = ReceiptText("War", tuple(Block("&" * 3_000, (Line("<" * 3_000, '"' * 3_000),) * 40) for _ in range(40)))
    assert weight_of(fitted_blocks(long.blocks)) <= ROOM
    short = ReceiptText("War", (Block("Side", (Line("Killed", "3"),)),))
    assert fitted_blocks(short.blocks) == [{"heading": "Side", "lines": [("Killed", "3")]}]


def test_rl_op_50_a_hidden_order_does_not_change_the_site(tmp_path: Path) -> None:
    """Neither its numbers, names nor dates count the orders that nobody noticed."""
    sites = []
    for hidden in ([], [THIEVES]):
        rows = jousts(1) | example("plots")
        orders = [order | {"Seed": seed} for seed, order in enumerate(rows["Plot Requests"])]
        rows["Plot Requests"] = [*orders[:5], *hidden, *orders[5:]]
        season = season_of(tmp_path / str(len(hidden)), rows)
        season.site(tmp_path / f"site{len(hidden)}", replays=True, with_workbook=True)
        sites.append(content_of(tmp_path / f"site{len(hidden)}"))

    assert sites[0] == sites[1]


THIEVES = {"Request": "P-0100", "House": "York", "Order": "Steal", "Target": "Tudor", "Die": 1, "Ready": True}
"""Nobody notices these thieves."""


def test_rcp_19_players_find_the_head_of_the_receipts_and_accepted_losses(tmp_path: Path) -> None:
    season = season_of(tmp_path, jousts(3))
    receipts = season.opened().receipts
    folder = tmp_path / "public"
    season.site(folder)
    pages, feed = pages_of(folder), content_of(folder)["feed.xml"].decode()
    last = next(reversed([*receipts.rulings]))

    assert f"Head of the receipts: {receipts.head}." in pages["index.html"].text
    assert f"Receipt {last.seq}-{last.digest}" in pages[f"wars/{last.request.lower()}.html"].text
    assert f"Receipt {last.seq}-{last.digest}." in feed
    assert "In the workbook of this season" not in pages["index.html"].text

    for place in range(1, 25):
        season.book.type_in("Receipts", 3, place, None)
    season.site(folder)
    assert "In the workbook of this season receipt 2 is gone." in pages_of(folder)["index.html"].text
    snapshot = season.book.read([*tabs_to_read(season.forms), *HEADERS_TO_READ])
    season.book.commit(snapshot, restore(snapshot, season.forms, read_receipts(snapshot), NOW, ())[2])
    season.site(folder)
    pages, feed = pages_of(folder), content_of(folder)["feed.xml"].decode()
    assert "In the workbook of this season" not in pages["index.html"].text
    assert "2026-03-01: A moderator has accepted that receipt 2 is gone." in pages["index.html"].text
    assert "Receipts were given up" in feed


def test_rcp_19_in_games_with_secrets_no_page_counts_or_links_receipts(tmp_path: Path) -> None:
    season = season_of(tmp_path, example("plots"))
    digests = [receipt.digest for receipt in season.opened().receipts.by_seq.values()]

    season.site(tmp_path / "public")
    texts = "".join(content.decode(errors="replace") for content in content_of(tmp_path / "public").values())
    assert [digest for digest in digests if digest in texts] == []

    for place in range(1, 25):
        season.book.type_in("Receipts", 5, place, None)
    season.site(tmp_path / "public")
    told = pages_of(tmp_path / "public")["index.html"].text
    assert "In the workbook of this season receipts are gone or were changed." in told
