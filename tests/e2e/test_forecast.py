"""The command `forecast` on real files."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest
from PIL import Image

from scripts.support.moderator import only, row_of, shown, write
from scripts.support.moderator import season as example

QUICK = ("--runs", "60")
SIZE = "Militaries!Harold's Host!Size"


@pytest.fixture
def season(moderator):
    """The example wars, all ready."""
    write(moderator.book, example())
    return moderator


def changed(folder: Path) -> list[bytes]:
    """What lies in a folder, to see that nothing was written."""
    return [path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()]


def test_a_request_s_odds_stand_beside_their_error(season):
    before = changed(season.folder)

    said = season.types("forecast", "season.xlsx", "W-0002", *QUICK)

    assert said.code == 0, said.err
    first, course, attacker, defender, *_ = said.out.splitlines()
    assert first.startswith("W-0002 Hastings: 60 battles, odds ± ")
    assert course.startswith("  Most likely Normandy wins after ")
    assert [attacker.split()[:2], defender.split()[:2]] == [["Attacker", "wins"], ["Defender", "wins"]]
    shares = [float(line.split()[2]) for line in (attacker, defender)]
    assert sum(shares) == pytest.approx(100, abs=0.11)
    assert changed(season.folder) == before


def test_all_ready_requests_are_forecast_and_ruled_ones_are_not(season):
    assert season.types("run", "season.xlsx").code == 0

    said = season.types("forecast", "season.xlsx", *QUICK)

    assert (said.code, said.out) == (0, "No request is ready. Name one; it need not be ready.\n")


def test_another_seed_fights_other_battles(season):
    found = [
        season.types("forecast", "season.xlsx", "W-0004", *QUICK, "--seed", seed, "--json").data["forecasts"][0]
        for seed in ("1", "2", "1")
    ]

    assert found[0] == found[2]
    assert found[0]["numbers"] != found[1]["numbers"]


def test_the_forecast_of_a_ruling_reports_its_luck(season):
    """The ruling was drawn with the season secret; its percentiles are those of the losses on its receipt."""
    assert season.types("run", "season.xlsx").code == 0

    said = season.types("forecast", "season.xlsx", "W-0002", *QUICK)
    data = season.types("forecast", "season.xlsx", "W-0002", *QUICK, "--json").data["forecasts"][0]

    assert said.code == 0
    assert "  The ruling: " in said.out
    assert data["ruling"]["winner"] in ("attacker", "defender")
    assert all(0 <= percentile <= 100 for percentile in data["ruling"]["percentiles"].values())


def test_what_if_reports_the_difference_under_common_luck(season):
    edit = "Militaries!Harold's Host!Size=20000"

    said = season.types("forecast", "season.xlsx", "W-0002", *QUICK, "--set", edit, "--json")

    (found,) = said.data["forecasts"]
    shift = found["difference"]["odds"]
    gained = found["odds"]["defender"]["share"] - found["before"]["odds"]["defender"]["share"]
    assert shift["defender"]["change"] == pytest.approx(gained)
    assert shift["defender"]["change"] > shift["defender"]["error"] > 0
    assert found["set"] == edit


def test_an_irrelevant_change_is_reported_as_such(season):
    said = season.types("forecast", "season.xlsx", "W-0002", *QUICK, "--set", "Nations!Byzantium!Stability=5")

    assert said.code == 0
    assert "  Attacker wins                       +0.0 ± " in said.out
    assert said.out.endswith("  The change does not affect this request.\n")


@pytest.mark.extra
def test_a_sweep_is_a_table_and_a_curve(season):
    cell = "Militaries!Harold's Host!Size"

    said = season.types(
        "forecast", "season.xlsx", "W-0002", "--runs", "20", "--sweep", f"{cell}=3000:15000:3", "--plot", "curve.png"
    )

    assert said.code == 0, said.err
    assert [line.split()[0] for line in said.out.splitlines()[3:]] == ["3,000", "9,000", "15,000"]
    with Image.open(season.folder / "curve.png") as picture:
        assert picture.size[0] > 600
    assert said.err == "picture  curve.png\n"


def test_a_sensitivity_ranks_the_inputs(season):
    said = season.types("forecast", "season.xlsx", "W-0002", "--runs", "5", "--sensitivity", "--json")

    (found,) = said.data["forecasts"]
    changes = [abs(ranked["attacker"]["change"]) for ranked in found["sensitivity"]]
    assert changes == sorted(changes, reverse=True)
    names = {ranked["change"].rpartition("!")[0] for ranked in found["sensitivity"]}
    assert {"Militaries!Harold's Host", "Leaders!William of Normandy", "Nations!England"} <= names


def test_every_battle_is_in_the_csv_file(season):
    said = season.types("forecast", "season.xlsx", "W-0002", "W-0004", *QUICK, "--csv", "battles.csv", "--json")

    with (season.folder / "battles.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["battle"] for row in rows if row["request"] == "W-0004"] == [str(number) for number in range(60)]
    for found in said.data["forecasts"]:
        battles = [row for row in rows if row["request"] == found["request"]]
        won = sum(row["winner"] == "attacker" for row in battles)
        assert won / 60 == pytest.approx(found["odds"]["attacker"]["share"])
        losses = sorted(int(row["Attacker losses"]) for row in battles)
        assert losses[29] == found["numbers"]["Attacker losses"]["quantiles"]["50"]


def test_odds_are_printed_even_if_their_file_cannot_be_written(season):
    (season.folder / "battles.csv").symlink_to("nowhere/battles.csv")

    said = season.types("forecast", "season.xlsx", "W-0002", *QUICK, "--csv", "battles.csv")

    assert said.code == 1
    assert said.out.startswith("W-0002 Hastings: 60 battles, odds ± ")
    assert said.err == "sheets-algo: battles.csv cannot be written (No such file or directory).\n"


def test_without_its_library_a_picture_is_refused_in_a_sentence(season):
    fake = season.folder / "lib" / "matplotlib"
    fake.mkdir(parents=True)
    (fake / "__init__.py").write_text("raise ImportError('not installed')\n")

    said = season.types("forecast", "season.xlsx", "W-0002", *QUICK, "--plot", "a.png", PYTHONPATH=str(fake.parent))

    assert said.code == 2
    command = f"{sys.executable} -m pip install 'matplotlib>=3.8'"
    assert said.err == f"sheets-algo: --plot: Matplotlib is not installed here. Type: {command}\n"


def test_impossible_options_are_refused_in_a_sentence(season):
    cases = (
        (("--runs", "0"), 2, "0 is not in the range"),
        (("--seconds", "-1"), 2, "-1.0 is not in the range"),
        (("--error", "0"), 2, "0.0 is not in the range"),
        (("--threads", "0"), 2, "0 is not in the range"),
        (("--set", "Size=1"), 2, "names no cell. Type it as Tab!Row!Column=value."),
        (("--set", "Armies!Harold's Host!Size=1"), 2, 'this request has no tab "Armies".'),
        (("--set", "Militaries!Harold's Host!Size=many"), 2, '"many" is not a number.'),
        (("--set", "Militaries!Harold's Host!Size=-4"), 2, "out of range"),
        (("--sweep", "Militaries!Harold's Host!Size=1:2:0"), 2, "0 is not a number of points."),
        (("--sensitivity", "--sweep", "Militaries!Harold's Host!Size=1:2:2"), 2, "Use --sensitivity without"),
        (("--set", f"{SIZE}=1", "--set", f"{SIZE}=2"), 2, f"{SIZE} is set twice; set it once."),
        (("--csv", "nowhere/a.csv"), 1, "nowhere/a.csv cannot be written (there is no folder nowhere)."),
        (("--csv", "season.xlsx"), 2, '"season.xlsx" does not end in .csv; name a file that may be'),
        (("--plot", "season.xlsx"), 2, '"season.xlsx" does not end in .png; name a file that may be'),
        (("--seconds", "nan"), 2, "'nan' is not a number."),
        (("--error", "nan"), 2, "'nan' is not a number."),
    )
    wrong = []
    for words, code, says in cases:
        said = season.types("forecast", "season.xlsx", "W-0002", "--seconds", "0.2", *words)
        if says not in said.err or said.code != code or "Traceback" in said.err:
            wrong.append((words, said.code, said.err))
    assert wrong == []


def test_a_change_needs_a_single_request(season):
    said = season.types("forecast", "season.xlsx", *QUICK, "--set", "Militaries!Harold's Host!Size=1")

    assert said.code == 2
    assert "--set needs one request; name it after the workbook." in said.err


def test_an_unknown_request_is_reported_with_the_nearest(season):
    said = season.types("forecast", "season.xlsx", "W-0OO2", *QUICK)

    assert said.code == 1
    assert said.err.startswith('sheets-algo: No request "W-0OO2" found. Did you mean "W-0002"?')


def test_a_forecast_reports_the_same_problems_as_check(moderator):
    rows = example()
    rows["Locations"][0]["Climate"] = "Damp"
    write(moderator.book, rows)

    checked = moderator.types("check", moderator.book)
    said = moderator.types("forecast", moderator.book, *QUICK)

    problem = checked.out.splitlines()[0]
    assert '"Damp" is not allowed' in problem
    assert said.code == 1
    assert problem in said.out.splitlines()
    assert sum(line.endswith(" points") and "battles, odds" in line for line in said.out.splitlines()) >= 1


def test_a_forecast_is_a_row_and_a_line_in_the_file(moderator):
    """FC-04; nothing is ruled, and a second run finds nothing to do."""
    rows = only(example(), "W-0003")
    for row in rows["War Requests"]:
        row["Action"] = "Forecast"
    write(moderator.book, rows)

    said = moderator.types("run", moderator.book)
    again = moderator.types("run", moderator.book)

    assert (said.code, again.code) == (0, 0), said.err
    (found,) = shown(moderator.book, "Forecasts")
    message = row_of(moderator.book, "War Requests", "Request", "W-0003")["Message"]
    assert (found["Request"], found["Battles"]) == ("W-0003", 400)
    assert message.splitlines()[0].endswith(found["Course"])
    assert said.out.startswith("W-0003            Forecast: attacker wins ")
    assert again.out.splitlines()[-1] == "Nothing to do: season.xlsx is as it was."
