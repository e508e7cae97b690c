"""What `check` says is what `run` does (FC-31): laws over random small seasons, in memory."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

from engine.ruleset import no_op
from scripts.support.workbooks import Rows, library, workbook
from sheets_algo.forecasts.outlook import Outlook
from sheets_algo.ruling.plan import Plan
from sheets_algo.runtime.run.rehearse import rehearse
from sheets_algo.runtime.run.run_pass import run_until_done
from sheets_algo.runtime.session.session import Session, opened
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.example_budget import BUDGET

SEASONS = max(1, round(20 * BUDGET))
NATIONS = ("Left", "Right", "Upper")


def season(seed: int) -> tuple[Rows, str]:
    """Return a small season and its options: wars that share armies, leaders, nations and locations."""
    chance = random.Random(seed)
    armies = [(nation, f"Host {number}") for nation in NATIONS for number in range(chance.choice((1, 1, 2)))]
    sizes = {army: chance.choice((1, 30, 900, 9_000)) for army in armies}
    wars, flanks = [], []
    for number in range(1, chance.randint(1, 6) + 1):
        attacker, defender = chance.sample(armies, 2)
        while attacker[0] == defender[0]:
            attacker, defender = chance.sample(armies, 2)
        war = {
            "Request": f"W-{number}" if chance.random() < 0.9 else None,
            "War": f"War {number}",
            "Year": 1000 if chance.random() < 0.95 else chance.choice((None, "soon")),
            "Attacker": attacker[0],
            "Attacker Military": attacker[1],
            "Defender": defender[0],
            "Defender Military": defender[1],
            "Location": "Nowhere" if chance.random() < 0.05 else chance.choice(("Heath", "Moor")),
            "Action": "Forecast" if chance.random() < 0.1 else None,
            "Ready": chance.random() < 0.9,
        }
        wars.append(war)
        if war["Request"] and chance.random() < 0.3:
            men = sizes[attacker] if chance.random() < 0.8 else sizes[attacker] + 1
            flanks += [
                {"Request": war["Request"], "Side": "Attacker", "Flank": "left", "Infantry": men},
                {"Request": war["Request"], "Side": "Attacker", "Flank": "center", "Infantry": 0},
            ]
    rows: Rows = {
        "War Requests": wars,
        "Flanks": flanks,
        "Nations": [
            {"Name": name, "Population": 1_000_000, "Year Founded": 900, "Year Crisis": 960} for name in NATIONS
        ],
        "Militaries": [
            {
                "Nation": nation,
                "Name": name,
                "Size": sizes[nation, name],
                "Leader": chance.choice((f"Lord of {nation}", f"Lord of {nation}", None)),
            }
            for nation, name in armies
        ],
        "Locations": [{"Name": "Heath"}, {"Name": "Moor"}],
        "Leaders": [{"Name": f"Lord of {name}", "Nation": name} for name in NATIONS],
        "Units": [],
        "Leader Requests": [],
    }
    losses, dead = chance.choice(("apply", "apply", "apply", "tell")), chance.choice(("refuse", "warn"))
    return rows, f'{{"losses":"{losses}","dead_leaders":"{dead}"}}'


def fates(plan: Plan) -> dict[int, str]:
    """Return what a rehearsal says of each ready row of War Requests that is to be ruled, by number."""
    found = {}
    for answer in plan.findings.answers:
        row = answer.cells.row
        if row.table.title != "War Requests" or not row.value("ready") or row.value("action") == "Forecast":
            continue
        is_luck = any(" refused: " in problem.says for problem in answer.problems)
        is_error = any(problem.is_error for problem in answer.problems)
        depends = bool(answer.foreseen and answer.foreseen.after())
        found[row.number] = "refused" if is_error else "luck" if is_luck else "after others" if depends else "ruled"
    return found


def ruled_rows(book: MemoryWorkbook, folder: Path) -> set[int]:
    """Let `run` rule a workbook; return the rows that it ruled."""
    session = Session(workbook=book, folder=folder, library=library(), draws_pictures=False)
    plan = run_until_done(session, dry=False, forced=False, progress=no_op).plan
    return {answer.cells.row.number for answer in plan.findings.answers if answer.ruling}


def test_fc_31_check_accepts_exactly_the_rows_that_run_rules(tmp_path: Path) -> None:
    """But for what luck decides, of which the line of the outlook, or a warning, names the wars before it."""
    counts = Counter[tuple[str, bool]]()
    for seed in range(SEASONS):
        rows, options = season(seed)
        book = workbook(rows, inputs=options)
        session = Session(workbook=book, folder=tmp_path / str(seed), library=library())
        said = fates(rehearse(session, opened(session), Outlook()))
        ruled = ruled_rows(book, tmp_path / str(seed))
        for row, fate in said.items():
            counts[fate, row in ruled] += 1
            assert (fate, row in ruled) not in {("refused", True), ("ruled", False)}, (seed, row, said, ruled)
    assert counts["after others", False] <= 0.02 * counts.total(), counts
