"""PST-10: posters that are killed, answers that are lost or late, busy channels: nothing twice, nothing lost.

`scripts/soak.py posts` plays as many schedules as one asks for.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from scripts.support.post_schedules import KINDS, play
from scripts.support.warm_start import run_script
from tests.helpers.example_budget import BUDGET

SOAK = Path(__file__).parents[2] / "scripts" / "soak.py"


@pytest.mark.parametrize("seed", range(round(4 * BUDGET)))
@pytest.mark.parametrize("kind", KINDS)
def test_no_schedule_posts_twice_or_forgets_a_post(kind, seed):
    assert play(kind, seed).faults == []


@pytest.mark.parametrize(
    ("kind", "careless", "says", "seed"),
    [
        ("webhook", "Repeating", "is there 2 times", 0),
        ("webhook", "Trusting", "is Posted and is not there", 2),
        ("bot", "Blind", "is there 2 times", 4),
        ("wiki", "Forgetful", "is there 2 times", 9),
    ],
)
def test_the_schedules_detect_a_faulty_channel(kind, careless, says, seed):
    """One of sixty, and first the one that did last time."""
    found = (fault for number in (seed, *range(60)) for fault in play(kind, number, careless).faults)
    assert any(says in fault for fault in found)


def test_a_soak_reports_its_schedules_and_fails_without_any():
    played = soak("--only", "webhook", "--schedules", "1")
    assert (played.returncode, played.stdout.splitlines()[-1]) == (0, "No schedule broke a rule.")
    assert re.match(r"webhook: 1 schedules \(.*posters \d", played.stdout)

    empty = soak("--only", "webhook", "--minutes", "1e-9")
    assert empty.returncode == 1
    assert empty.stdout.splitlines()[-1].startswith("No schedule ran of webhook")


def test_a_stopped_soak_resumes(tmp_path):
    words = ("--only", "webhook", "--results", str(tmp_path / "results"))
    soak(*words, "--schedules", "1")
    soak(*words, "--schedules", "2")

    again = soak(*words, "--schedules", "2", "--minutes", "1e-9")  # no time for another one

    assert [json.loads(line)["seed"] for line in (tmp_path / "results").read_text().splitlines()] == [0, 1]
    assert (again.returncode, again.stdout.splitlines()[-1]) == (0, "No schedule broke a rule.")
    assert again.stdout.startswith("webhook: 2 schedules (")


def soak(*words: str) -> subprocess.CompletedProcess[str]:
    return run_script(SOAK, "posts", *words)
