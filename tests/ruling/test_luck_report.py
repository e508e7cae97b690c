"""How lucky a ruling was: the last lines of its log, and of nothing that players read."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from engine.forecast import Kinds, Measure, Replicates
from engine.ruleset import MachineCode, no_op
from scripts.support.moderator import only
from scripts.support.workbooks import NOW, changed, column, example, forms, grids, library, pass_context, read, workbook
from sheets_algo.database.records import Database
from sheets_algo.forecasts.machine_code import numba_compiler
from sheets_algo.replays.luck_report import how_lucky
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import PassContext, Plan
from sheets_algo.runtime.run import run_pass
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers import machine_code
from tests.helpers.turns import take_back, type_in

WARS, SCORES = forms()[:2]


@dataclass
class Rigged:
    """A form of a ruleset whose battles are known: number 0 is the ruling.

    Args:
        battles: All of them.
    """

    battles: Replicates
    beside: int = 8
    asked: list[tuple[int, int, int]] = field(default_factory=list)

    @property
    def ruleset(self) -> Any:
        return self

    def comparison_battles(self, inputs: Any, rulings: int, *, is_compiled: bool = False) -> int:
        return self.beside

    def series(self, inputs: Any, seed: int, code: MachineCode | None = None) -> Callable[[int, int], Replicates]:
        def fight(first: int, count: int) -> Replicates:
            self.asked.append((seed, first, count))
            numbers = np.arange(len(self.battles))
            return self.battles.where((numbers >= first) & (numbers < first + count))

        return fight


def lines(battles: Replicates, beside: int = 8) -> list[tuple[str, float | None, str]]:
    """What is told of the ruling among the others: side, amount, text."""
    heard: list[str] = []
    rigged: Any = Rigged(battles, beside)
    events = how_lucky(rigged, "inputs", 7, heard.extend)
    assert heard == ["", *(f"luck: {event.text}. [FC-06]" for event in events)]
    fought = [(seed, number) for seed, first, count in rigged.asked for number in range(first, first + count)]
    assert sorted(fought) == ([(7, number) for number in range(beside + 1)] if beside else [])
    return [(event.side, event.amount, event.text) for event in events]


def whole(*codes: int) -> Any:
    return np.array(codes, np.int64)


def measure(*values: float, unit: str = "men") -> Measure:
    return Measure(np.array(values, np.float64), unit)


def test_fc_06_winner_losses_and_duration_are_compared_with_other_battles():
    """Two of eight were won by the attacker; one lost less than 1,200 men and one as many: (1 + 1/2) / 8."""
    battles = Replicates(
        whole(0, 1, 1, 1, 1, 0, -1, 0, 1),
        {
            "Attacker losses": measure(1200, 900, 1200, 1300, 1400, 1500, 1600, 1700, 1800),
            "Defender losses": measure(9, *[1] * 8),
            "Duration": measure(5, *[6] * 8, unit="hours"),
            "Attacker killed": measure(*[3] * 9),
        },
        {"Ending": Kinds(whole(*[0] * 9), ("decided",))},
        ("Attacker losses", "Defender losses", "Duration"),
    )

    assert lines(battles) == [
        ("Attacker", 25.0, "Attacker won, as in 2 of 8 others"),
        ("Attacker", 18.8, "Attacker losses: 1,200 men, more than in 19 % of 8 others"),
        ("Defender", 100.0, "Defender losses: 9 men, more than in 100 % of 8 others"),
        ("", 0.0, "Duration: 5 hours, more than in 0 % of 8 others"),
    ]


def test_a_war_without_a_winner_reports_the_share_of_such_wars():
    battles = Replicates(whole(-1, -1, 0, 1, 1), {}, {})

    assert lines(battles, 4) == [("", 25.0, "Nobody won, as in 1 of 4 others")]


def test_rules_without_a_winner_report_other_possible_words_and_numbers():
    battles = Replicates(
        None,
        {"Grain": measure(12, 10, 12, 14, 16, unit="sheaves"), "Barns": measure(1, 1, 1, 1, 1, unit="")},
        {
            "Harvest": Kinds(whole(0, 0, 1, 1, 0), ("good", "bad")),
            "Weather": Kinds(whole(0, 0, 0, 0, 0), ("dry", "wet")),
            "Feast": Kinds(whole(-1, 0, 0, 0, -1), ("merry",)),
        },
        ("Grain", "Barns"),
    )

    assert lines(battles, 4) == [
        ("", 50.0, "Harvest: good, as in 2 of 4 others"),
        ("", 25.0, "Feast: none, as in 1 of 4 others"),
        ("", 37.5, "Grain: 12 sheaves, more than in 38 % of 4 others"),
    ]


def test_a_missing_number_is_not_compared():
    nan = float("nan")
    battles = Replicates(whole(0, 1, 1), {"Hours to contact": measure(nan, 2, 3)}, {}, ("Hours to contact",))

    assert lines(battles, 2) == [("Attacker", 0.0, "Attacker won, as in 0 of 2 others")]


def test_a_result_without_luck_is_reported_as_such():
    nan = float("nan")
    battles = Replicates(whole(1, 1, 1), {"Grain": measure(nan, nan, nan)}, {"End": Kinds(whole(0, 0, 0), ("peace",))})

    assert lines(battles, 2) == [("", None, "No luck in it: 2 others came to the same")]


def test_an_oversized_war_refers_to_the_command():
    says = "Too long a battle for an answer at once; the command forecast says how lucky this was"
    assert lines(Replicates(whole(0), {}, {}), 0) == [("", None, says)]


@pytest.mark.parametrize(
    ("attackers", "defenders", "battles", "of_many"),
    [
        *((1, 1, 100, 10), (3, 3, 100, 10), (0, 0, 100, 10), (6, 6, 50, 10)),
        *((4, 3, 85, 10), (15, 15, 20, 10), (30, 1, 0, 0), (99, 99, 0, 0)),
    ],
)
def test_fc_07_the_number_of_battles_depends_on_flanks_and_rulings(attackers, defenders, battles, of_many):
    """No flank named is three of them (STRAT-01)."""
    war = read_war()
    orders = war.attacker.flanks or war.defender.flanks
    assert orders
    sides = {
        "attacker": dataclasses.replace(war.attacker, flanks=orders[:1] * attackers),
        "defender": dataclasses.replace(war.defender, flanks=orders[:1] * defenders),
    }

    inputs = dataclasses.replace(war, **sides)
    assert [WARS.comparison_battles(inputs, rulings) for rulings in (1, 1_000)] == [battles, of_many]


def test_fc_07_many_wars_share_the_battles_of_python_but_not_those_of_machine_code():
    war, many = read_war(), (1, 100, 101, 1_000, 100_000)

    assert [WARS.comparison_battles(war, rulings) for rulings in many] == [100, 100, 99, 10, 5]
    assert [WARS.comparison_battles(war, rulings, is_compiled=True) for rulings in many] == [100] * 5


def test_the_rulings_of_a_pass_share_the_comparison_battles(tmp_path, monkeypatch):
    """Six wars with 60 battles among them; what is told is of the first ten of each war's own seed."""
    monkeypatch.setenv("SHEETS_ALGO_FAST", "0")
    monkeypatch.setattr("sheets_algo.forecasts.process_code._codes", {})  # of tests before
    monkeypatch.setattr("sheets_algo.forms.autoalgo.form.PYTHON_BATTLES", 60)
    rows = only(example("1066"), "W-0004")
    (war,) = [row for row in rows["War Requests"] if row["Ready"]]
    rows["War Requests"] = [war | {"Request": f"W-1{number:03}"} for number in range(6)]
    rows["Flanks"] = []
    book = MemoryWorkbook(grids(rows))
    monkeypatch.setenv("SHEETS_ALGO_SECRET", "a season secret that only tests know")
    run_pass.run_pass(Session(workbook=book, folder=tmp_path, library=library(), is_luck_told=True))

    lines = zip(column(book, "Log", "Event"), column(book, "Log", "Text"), strict=True)
    told = [str(text) for kind, text in lines if kind == "luck"]
    assert [text for text in told if "won, as in" in text] != []
    assert {text.rpartition(" of ")[2] for text in told} == {"10 others"}


def test_req_22_a_war_that_is_ruled_again_alone_is_compared_too(tmp_path, monkeypatch):
    """Its id had a ruling, so it counted for no ruling, and the battles of Python were divided by none."""
    monkeypatch.setenv("SHEETS_ALGO_FAST", "0")
    monkeypatch.setattr("sheets_algo.forecasts.process_code._codes", {})  # of tests before
    monkeypatch.setenv("SHEETS_ALGO_SECRET", "a season secret that only tests know")
    book = MemoryWorkbook(grids(only(example("1066"), "W-0004")))
    session = Session(workbook=book, folder=tmp_path, library=library(), is_luck_told=True)
    run_pass.run_pass(session)
    take_back(book, "W-0004")
    place = column(book, "War Requests", "Request").index("W-0004")
    type_in(book, "War Requests", "Action", place + 2, "Rule again")

    run_pass.run_pass(session)

    assert column(book, "War Requests", "Status")[place] == "Done"
    again = column(book, "War Requests", "Request")[place]
    assert again != "W-0004"
    assert (again, "luck") in zip(column(book, "Log", "Request"), column(book, "Log", "Event"), strict=True)


def read_war() -> Any:
    rows = example("1066")
    rows["Flanks"] = [{"Request": "W-0002", "Side": "Defender", "X": 200, "Y": 204, "Maneuver": "Position"}]
    book = Database(read(workbook(rows)), WARS.records(), WARS.vocabulary)
    (row,) = book.table(WARS.request).by_request["w-0002"]
    return WARS.read(row, book).inputs


@pytest.mark.slow
def test_machine_code_gives_the_same_lines():
    pytest.importorskip("numba")
    machine_code.kernel()
    war, code = read_war(), MachineCode()

    why_not = WARS.ruleset.compile(war, numba_compiler(str(machine_code.KERNEL)), code)

    assert (why_not, code.is_compiled) == ("", True)
    assert how_lucky(WARS, war, 1066, no_op, code=code) == how_lucky(WARS, war, 1066, no_op)


def asking(**more: Any) -> PassContext:
    return changed(pass_context(), luck_of=how_lucky, **more)


def log(made: Plan) -> list[Any]:
    """Rule and text of each line of the Log tab."""
    return [row.values[-2:] for row in made.writes.changes.rows if row.tab.name == "Log"]


def test_the_log_ends_with_the_luck_and_nothing_else_has_it():
    book = workbook(only(example("1066"), "W-0003"))
    asked, unasked = (plan_pass(read(book), context, NOW) for context in (asking(), pass_context()))

    many = len(log(unasked))
    assert log(asked)[:many] == log(unasked)
    assert [rule for rule, _ in log(asked)[many:]] == ["FC-06"] * 4
    assert [row for row in asked.writes.changes.rows if row.tab.name != "Log"] == [
        row for row in unasked.writes.changes.rows if row.tab.name != "Log"
    ]
    assert asked.writes.changes.cells == unasked.writes.changes.cells
    assert "others" not in asked.rulings[0].receipt.wiki


def test_a_shortened_log_keeps_the_lines_on_luck():
    book = workbook(only(example("1066"), "W-0003"))

    def told(most: int) -> list[str]:
        return [text for _, text in log(plan_pass(read(book), asking(log_lines_most=most), NOW))]

    whole_log, ten, two, one = (told(most) for most in (500, 10, 2, 1))
    left_out = len(whole_log) - 9
    assert ten == [*whole_log[:5], f"{left_out} more lines stand in the log file of this ruling", *whole_log[-4:]]
    assert (len(two), two[1]) == (2, whole_log[-4])
    assert len(one) == 1


def test_one_ruling_or_many_get_equal_lines(tmp_path, monkeypatch):
    monkeypatch.setenv("SHEETS_ALGO_FAST", "0")

    def told(ready: int) -> list[Any]:
        rows = example("jousts")
        (joust,) = [row for row in rows["Joust Requests"] if row["Request"] == "J-0003"]
        ids = ["J-0003", *(f"J-1{number:03}" for number in range(1, ready))]
        rows["Joust Requests"] = [joust | {"Request": id} for id in ids]
        book = MemoryWorkbook(grids(rows))
        folder = tmp_path / str(ready)
        folder.mkdir()
        monkeypatch.setenv("SHEETS_ALGO_SECRET", "a season secret that only tests know")
        run_pass.run_pass(Session(workbook=book, folder=folder, library=library(), is_luck_told=True))
        found = zip(*(column(book, "Log", head) for head in ("Request", "Event", "Text")), strict=True)
        return [line for line in found if line[:2] == ("J-0003", "luck")]

    assert told(6) == told(1) != []
