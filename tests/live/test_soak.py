"""The script that plays as many schedules as asked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.support.live.schedules import Schedule
from scripts.support.warm_start import run_script

SOAK = Path(__file__).parents[2] / "scripts" / "soak.py"
ROW_RACE = '{"turns": ["A", "A", "A"], "events": [{"watcher": "A", "at": 7, "kind": "act", "what": "sort nations"}]}'


def soak(*words: str) -> tuple[int, str, str]:
    done = run_script(SOAK, "seasons", *words)
    return done.returncode, done.stdout, done.stderr.strip().splitlines()[-1] if done.stderr.strip() else ""


@pytest.mark.parametrize("place", ["random", "promises", "pairs"])
def test_the_soak_plays_each_kind_of_season(place: str) -> None:
    code, printed, _ = soak("--only", place, "--schedules", "1", "--seed", "7")
    assert (code, printed.splitlines()[-1]) == (0, "No schedule broke a rule.")
    assert printed.startswith(f"{place}: 1 schedules (")


def test_a_printed_schedule_is_played_again() -> None:
    assert soak("--schedule", ROW_RACE)[:2] == (0, "0 violations\n")


def test_an_invalid_schedule_is_refused() -> None:
    assert soak("--schedule", ROW_RACE.replace("sort nations", "sort rivers")) == (
        2,
        "",
        "soak.py: error: --schedule: nobody knows how to 'sort rivers'",
    )
    assert soak("--schedules", "0")[0] == 2


@pytest.mark.parametrize(
    ("was", "is_now", "says"),
    [
        ("act", "deed", "there is no event 'deed'"),
        ('["A", ', '["sort rivers", ', "nobody knows how to 'sort rivers'"),
        ('"turns"', '"turn"', "this is no schedule as one is printed ('turns')"),
    ],
)
def test_a_schedule_with_an_unknown_word_is_refused(was, is_now, says):
    with pytest.raises(ValueError, match="^" + re.escape(says)):
        Schedule.of(ROW_RACE.replace(was, is_now))
