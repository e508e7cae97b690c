"""A season as data: what Python reads is what the workbook says, and docs/python.md runs as it stands."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest

import sheets_algo
from engine.ruleset import no_op
from scripts.support.moderator import Moderator, shown
from scripts.support.season_records import forget
from scripts.support.smallest_war import war_rows
from scripts.support.workbooks import example
from sheets_algo.commands.season import season_report
from sheets_algo.season.records import NationRecord, RulingRecord, standings, wikitable
from sheets_algo.season.season import BadInputs, Season
from tests.helpers.sites import season_of

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
REQUESTS = ("W-0001", "W-0002", "W-0003")
TABLES = ("rulings", "standings", "overrides", "nations", "changes", "flanks", "forecasts", "log")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Path:
    """With three wars of the example season, ruled."""
    moderator = Moderator(tmp_path_factory.mktemp("season"), home, config=None)
    assert moderator.types("init", "season.xlsx").code == 0
    book = openpyxl.load_workbook(moderator.book)
    heads = {cell.value: place for place, cell in enumerate(book["War Requests"][1])}
    for row in book["War Requests"].iter_rows(min_row=2):
        row[heads["Ready"]].value = row[heads["Request"]].value in REQUESTS
    book.save(moderator.book)
    said = moderator.types("run", "season.xlsx", SHEETS_ALGO_HOW_LUCKY="true")
    assert said.code == 0, said.err
    return moderator.folder


@pytest.fixture(scope="module")
def season(folder: Path) -> Season:
    return sheets_algo.open_season(folder / "season.xlsx")


@pytest.fixture
def undone(folder: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Moderator:
    """Return a moderator with a copy of the season in this folder, its last war undone."""
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    forget(tmp_path)
    moderator = Moderator(tmp_path, tmp_path_factory.mktemp("home"), config=None)
    assert moderator.types("undo", "season.xlsx", "W-0003").code == 0
    return moderator


def ruling(seq: int, winner: str, chance: float | None, *, is_undone: bool = False) -> RulingRecord:
    return RulingRecord(
        seq=seq,
        time="",
        request=f"W-{seq:04}",
        war="",
        ruleset="autoalgo",
        attacker="Rome",
        defender="[[Carthage]]",
        winner=winner,
        attacker_lost=100,
        defender_lost=30,
        win_chance=chance,
        is_undone=is_undone,
        seed=seq,
        results={},
        receipt="",
        inputs="{}",
    )


def test_every_code_block_of_the_page_runs_in_order(folder, monkeypatch):
    monkeypatch.chdir(folder)
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) == 10
    names: dict[str, object] = {}

    for number, block in enumerate(blocks, start=1):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, f"recipe {number}", "exec"), names)
        assert printed.getvalue().strip(), f"recipe {number} shows nothing"


def test_rulings_equal_those_of_the_tab(season, folder):
    rows = [row for row in shown(folder / "season.xlsx", "Receipts") if row["Kind"] == "Ruling" and row["Part"] == 1]

    assert [(found.seq, found.request, found.winner, str(found.seed)) for found in season.rulings] == [
        (row["Seq"], row["Request"], row["Winner"], row["Seed"]) for row in rows
    ]
    hastings = season.rulings[1]
    assert (hastings.attacker, hastings.defender) == ("Normandy", "England")


def test_fc_06_the_chance_of_a_result_comes_from_the_log(season, folder):
    told = {
        row["Request"]: int(found[1]) / int(found[2])
        for row in shown(folder / "season.xlsx", "Log")
        if (found := re.search(r"won, as in (\d+) of (\d+) others", str(row["Text"])))
    }

    assert sorted(told) == list(REQUESTS)
    assert {found.request: found.win_chance for found in season.rulings} == pytest.approx(told, abs=0.0006)


def test_losses_equal_the_request_s_cells(season, folder):
    def number(cell: str) -> int:
        return int(re.sub(r" of .*", "", cell).replace(",", ""))

    rows = [row for row in shown(folder / "season.xlsx", "War Requests") if row["Request"] in REQUESTS]
    for row, found in zip(rows, season.rulings, strict=True):
        losses = (number(row["Attacker Losses"]), number(row["Defender Losses"]))
        assert losses == (found.attacker_lost, found.defender_lost), found.request


def test_the_last_stability_of_a_nation_equals_its_row(season, folder):
    rows = {row["Name"]: row["Stability"] for row in shown(folder / "season.xlsx", "Nations")}
    last = {record.nation: record.after for record in season.nations}

    assert sorted(last) == ["Apulia", "Byzantium", "England", "Normandy", "Norway"]
    assert last == {nation: rows[nation] for nation in last}


def test_a_blank_stability_is_100_before_the_first_ruling_and_after_its_undo(tmp_path):
    """The cells of both nations are blank (NAT-02)."""
    season = season_of(tmp_path, war_rows())
    assert [record.before for record in Season(season.opened()).nations] == [100, 100]

    season.undo("W-1")
    assert [record.after for record in Season(season.opened()).nations][2:] == [100, 100]


def test_standings_sum_up_the_rulings(season):
    table = season.standings

    assert sum(row.wars for row in table) == 2 * len(season.rulings)
    assert sum(row.won for row in table) == sum(bool(found.winner) for found in season.rulings)
    assert sum(row.men_lost or 0 for row in table) == sum(row.men_inflicted or 0 for row in table)
    assert sum(row.wins_above_expectation or 0 for row in table) == pytest.approx(0, abs=0.03)


def test_an_undone_ruling_leaves_no_trace_in_the_standings(undone):
    after = sheets_algo.open_season(undone.book)

    assert [found.request for found in after.rulings if found.is_undone] == ["W-0003"]
    assert {row.nation: row.wars for row in after.standings} == {"England": 2, "Normandy": 1, "Norway": 1}
    kept = [found for found in after.rulings if not found.is_undone]
    assert sum(row.men_lost or 0 for row in after.standings) == sum(
        (found.attacker_lost or 0) + (found.defender_lost or 0) for found in kept
    )
    rows = {row["Name"]: row["Stability"] for row in shown(undone.book, "Nations")}
    assert {row.nation: row.stability_now for row in after.standings} == {
        name: rows[name] for name in ("England", "Normandy", "Norway")
    }


def test_wins_above_expectation_are_results_minus_chances():
    rome, carthage = standings(
        [
            ruling(2, "Attacker", 0.9),
            ruling(3, "Attacker", 0.4),
            ruling(4, "Defender", 0.5),
            ruling(5, "Attacker", None),
            ruling(6, "Attacker", 0.1, is_undone=True),
        ],
        [
            NationRecord(seq=2, time="", request="W-0002", ruleset="autoalgo", nation="Rome", before=90, after=95),
            NationRecord(seq=4, time="", request="W-0004", ruleset="autoalgo", nation="Rome", before=95, after=70),
        ],
    )

    assert (rome.nation, rome.wars, rome.won, rome.as_attacker, rome.as_defender) == ("Rome", 4, 3, 4, 0)
    assert (rome.men_lost, rome.men_inflicted) == (400, 120)
    assert (rome.stability_then, rome.stability_now, carthage.stability_now) == (90, 70, None)
    assert rome.wins_above_expectation == pytest.approx(2 - 0.9 - 0.4 - 0.5)
    assert rome.error == pytest.approx((0.09 + 0.24 + 0.25) ** 0.5, abs=0.005)
    assert carthage.wins_above_expectation == pytest.approx(1 - 0.1 - 0.6 - 0.5)
    assert "| &#91;&#91;Carthage&#93;&#93; ||" in wikitable([carthage])[3]


def test_a_war_without_a_winner_is_neither_luck_nor_a_win():
    rome, carthage = standings([ruling(2, "", 0.14), ruling(3, "Attacker", 0.6)], [])
    assert (rome.wars, rome.won, carthage.won) == (2, 1, 0)
    assert rome.wins_above_expectation == pytest.approx(0.4)
    assert carthage.wins_above_expectation == pytest.approx(-0.4)


def test_luck_without_error_has_no_error_shown():
    (rome, _) = standings([ruling(2, "Attacker", 0)], [])
    assert wikitable([rome])[3].endswith("+1.00 ± 0.10")


@pytest.mark.parametrize("chance", [1.0, 0.9975, 0.5, 0.0])
def test_errors_and_negative_luck_are_never_shown_as_0(chance):
    for row in standings([ruling(2, "Attacker", chance)], []):
        shown = wikitable([row])[3].rpartition("|| ")[2]
        assert float(shown.split(" ± ")[1]) >= 0.1
        assert not shown.startswith("-0.00")


@pytest.mark.parametrize("place", range(3))
def test_a_battle_without_a_workbook_equals_the_ruling(season, place):
    found = season.rulings[place]

    outcome = sheets_algo.rule(found.inputs, ruleset=found.ruleset, seed=found.seed)

    assert (outcome.winner, dict(outcome.figures)) == (found.winner, dict(found.results))


def test_an_unknown_ruleset_or_invalid_input_is_reported_in_a_sentence():
    with pytest.raises(BadInputs, match=r'^"autoalgos" is not a ruleset\. Did you mean "autoalgo"\?$'):
        sheets_algo.rule("{}", ruleset="autoalgos")
    with pytest.raises(BadInputs, match=r"^These are not inputs of autoalgo: take those of a receipt\."):
        sheets_algo.rule({}, ruleset="autoalgo")


def test_a_forecast_equals_that_of_the_command(season, undone):
    said = undone.types("forecast", "season.xlsx", "W-0002", "--runs", "40", "--json")
    (expected,) = said.data["forecasts"]

    found = season.forecast("W-0002", runs=40)

    assert (len(found), found.summary.winners.attacker.share) == (40, expected["odds"]["attacker"]["share"])
    assert (found.to_frame()["winner"] == "attacker").mean() == pytest.approx(found.summary.winners.attacker.share)


def test_the_command_writes_the_tables(season, undone):
    said = undone.types("season", "season.xlsx", "--csv", "tables")
    files = {
        file.stem: list(csv.reader(file.read_text().splitlines(keepends=True)))
        for file in (undone.folder / "tables").iterdir()
    }

    assert (said.code, sorted(files)) == (0, sorted(TABLES))
    after = sheets_algo.open_season(undone.book)
    assert {name: len(rows) - 1 for name, rows in files.items()} == {name: len(getattr(after, name)) for name in files}
    assert re.search(r"^Norway +1 +[01] +1 +0 ", said.out, re.M)
    assert said.err.count("table    tables/") == len(TABLES)
    (receipt, *_) = (row[files["rulings"][0].index("receipt")] for row in files["rulings"][1:])
    assert receipt.startswith("'== ")

    assert "--exact needs --csv DIR." in undone.types("season", "season.xlsx", "--exact").err
    undone.types("season", "season.xlsx", "--csv", "tables", "--exact")
    rulings = csv.DictReader((undone.folder / "tables" / "rulings.csv").read_text().splitlines(keepends=True))
    assert [row["receipt"] for row in rulings] == [found.receipt for found in after.rulings]


def test_without_rulings_the_tables_are_empty_and_the_command_reports_it(tmp_path, tmp_path_factory):
    moderator = Moderator(tmp_path, tmp_path_factory.mktemp("home"))
    moderator.types("init", "season.xlsx", "--empty")
    empty = sheets_algo.open_season(moderator.book)

    assert {name: len(getattr(empty, name).to_frame()) for name in TABLES} == dict.fromkeys(TABLES, 0)
    assert "war" in empty.rulings.to_frame()
    assert moderator.types("season", "season.xlsx").out == "No war between two nations has been ruled yet.\n"


def test_pandas_is_imported_only_for_frames(folder):
    code = (
        "import sys, sheets_algo; season = sheets_algo.open_season('season.xlsx'); list(season.standings);"
        " assert 'pandas' not in sys.modules; season.rulings.to_frame(); assert 'pandas' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=folder, env=dict(os.environ), check=True)


def test_rl_op_50_a_wiki_has_no_decisions_about_games_with_secrets(tmp_path: Path) -> None:
    rows = example("plots")
    decided = {"Kind": "Input", "What": "Houses!York!Gold", "Value": 4242, "Reason": "a gift", "By": "Ann"}
    rows["Overrides"] = [
        {"Request": "P-0001"} | decided,
        {"Request": "K-0001"} | decided | {"What": "Houses!York!Rank"},
    ]
    season = season_of(tmp_path, rows)

    def lines(*, wiki: bool) -> str:
        return "\n".join(
            season_report(season.session, season.opened(), None, None, is_exact=False, wiki=wiki, progress=no_op).lines
        )

    assert "Ann: P-0001" in lines(wiki=False)
    assert "Ann: K-0001" in lines(wiki=True)
    assert "P-0001" not in lines(wiki=True)


def test_r_124_a_flank_has_the_typed_share(tmp_path: Path) -> None:
    rows = [{"Side": "Attacker", "Infantry": cell} for cell in ("40 %", "60%")]

    flanks = Season(season_of(tmp_path, war_rows(*rows)).opened()).flanks

    assert [flank.order["infantry"] for flank in flanks] == ["40 %", "60 %"]
    assert [flank.order["cavalry"] for flank in flanks] == [None, None]


def test_strat_13_flanks_of_a_formation_have_no_separate_end(tmp_path: Path) -> None:
    """The row of a formation has sums; the other side's flank has its own end."""
    wing = {"Side": "Attacker", "Flanks": 3, "Infantry": 9_000}
    wall = {"Side": "Defender", "X": 200, "Y": 260, "Infantry": 9_000}
    flanks = Season(season_of(tmp_path, war_rows(wing, wall)).opened()).flanks

    assert [(flank.side, flank.number) for flank in flanks] == [
        *(("Attacker", number) for number in (1, 2, 3)),
        ("Defender", 1),
    ]
    assert [bool(flank.results) for flank in flanks] == [False, False, False, True]
    assert len(flanks.to_frame()) == 4
