"""Sieges of all ages: what the file promises of its rows, and what the study makes of them."""

from __future__ import annotations

import csv
from dataclasses import replace

from plausibility.cases import SIDES, read_scenarios
from plausibility.evaluation import Bench
from plausibility.fights import Arena
from plausibility.plain import plain_rows

from scripts.support.warm_start import run_script
from tests.helpers import machine_code
from tests.history.rows import DATA, ROOT, arena

FILE = DATA / "sieges.csv"
ENDINGS = {"storm": "attacker", "hunger": "attacker", "terms": "attacker", "held": "defender", "relieved": "defender"}
"""How a siege ended, and for whom."""


def rows(file: str = FILE.name) -> list[dict[str, str]]:
    with (DATA / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_every_siege_names_two_sources_and_is_in_no_other_file() -> None:
    others = {(row["name"], row["year"]) for file in ("plain_wars.csv", "scenarios_public.csv") for row in rows(file)}
    years = [int(row["year"]) for row in rows()]
    ages = [sum(low <= year < high for year in years) for low, high in ((-400, 700), (700, 1500), (1500, 1850))]

    assert len(rows()) == 205
    assert min(*ages, sum(year >= 1850 for year in years)) >= 4
    assert {row["ending"] for row in rows()} == set(ENDINGS)
    for row in rows():
        assert len(row["sources"].split("; ")) == 2, row["name"]
        assert row["winner"] in SIDES
        assert row["winner"] == ENDINGS[row["ending"]], row["name"]
        assert (row["name"], row["year"]) not in others


def test_sieges_alternate_between_training_and_test() -> None:
    for winner in SIDES:
        of_winner = [row["half"] for row in rows() if row["winner"] == winner and row["half"] != "fresh"]

        assert of_winner == [("training", "test")[place % 2] for place in range(len(of_winner))]


def test_more_than_half_of_the_fresh_sieges_failed() -> None:
    winners = [row["winner"] for row in rows() if row["half"] == "fresh"]

    assert len(winners) == 65
    assert winners.count("defender") == 36


def test_every_siege_is_typed_in_words_of_the_engine() -> None:
    assert Bench(scenarios=read_scenarios(FILE), arena=arena()).notes == []


def test_typed_reliefs_of_the_training_half_make_relieved_sieges_hold() -> None:
    """Two thirds of the sieges were relieved; those besiegers who beat a relief lose little."""
    typed = [siege.case for siege in read_scenarios(FILE) if siege.case.relief]
    fights = Arena(kernel=machine_code.kernel(), typed=plain_rows)
    tables = fights.library.raw("autoalgo")
    odds = [
        [fought.p_attacker for fought in fights.predict(tables, {}, cases, 100, 0)]
        for cases in ([replace(case, relief="") for case in typed], typed)
    ]
    relieved = [row["ending"] == "relieved" for row in rows() if row["relief"]]
    gains = [before - after for before, after in zip(*odds, strict=True)]

    assert {row["half"] for row in rows() if row["relief"]} == {"training"}
    assert len(typed) == 23
    assert sum(gain for gain, is_relieved in zip(gains, relieved, strict=True) if is_relieved) > 1.5
    assert min(gains) > -0.15


def test_the_study_prints_a_line_for_each_siege() -> None:
    said = run_script(ROOT / "scripts" / "studies" / "sieges.py", "--runs", "2", "--half", "test")

    assert said.returncode == 0, said.stderr
    lines = said.stdout.splitlines()
    tested = [row for row in rows() if row["half"] == "test"]
    assert [line.split("  ")[0] for line in lines[1:-7]] == [row["name"] for row in tested]
    assert [line.split(":")[0] for line in lines[-7:]] == [
        "Brier score",
        "favoured right, of those that fell",
        "favoured right, of those that held",
        "days within a factor of 2",
        "losses of the besieger within a factor of 2",
        "losses of the garrison within a factor of 2",
        "certain outcomes",
    ]
