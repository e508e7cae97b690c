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
    done = run_script(SOAK, *words)
    return done.returncode, done.stdout, done.stderr.strip().splitlines()[-1] if done.stderr.strip() else ""


def test_the_soak_counts_its_schedules():
    assert soak("--schedules", "2", "--seed", "7")[:2] == (0, "2 schedules, 0 violations\n")


def test_several_processes_play_at_once_and_are_summed_up():
    assert soak("--schedules", "3", "--seed", "7", "--jobs", "2")[:2] == (0, "3 schedules, 0 violations\n")


def test_a_printed_schedule_is_played_again():
    assert soak("--schedule", ROW_RACE)[:2] == (0, "1 schedule, 0 violations\n")


def test_an_invalid_schedule_is_refused():
    assert soak("--schedule", ROW_RACE.replace("sort nations", "sort rivers")) == (
        2,
        "",
        "soak.py: error: --schedule: nobody knows how to 'sort rivers'",
    )
    assert soak("--schedules", "0")[0] == 2
    assert soak("--jobs", "0")[2] == "soak.py: error: --jobs is 0; give 1 or more"


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
