"""The rule set `source` by what its logs say: every factor of random wars is one that the source names (R-98)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from hypothesis import HealthCheck, Phase, given, settings

from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.setup.source import RULES
from engine.calculation import Part
from engine.rng import Rng
from engine.ruleset import Outcome
from engine.settings import Setting
from scripts.support.pinned_tables import SHIPPED, shipped_tables
from tests.helpers.example_budget import BUDGET
from tests.helpers.random_wars import seeds, wars

AUTOALGO = Autoalgo(shipped_tables())
SOURCE = (Setting(name=RULES, value="source"),)
RULEBOOK = json.loads((SHIPPED / "rulebook" / "autoalgo.json").read_text(encoding="utf-8"))
SILENT_TOO = {"R-21", "R-22", "R-29", "R-32"}
"""Rulings that are choice in one point and settle a silence in another (division by 0, the score, when it is over), and
R-32, whose bound of 10,000 men is told and out of reach of a flank under 100."""
CHOICES = {id for id, rule in RULEBOOK.items() if isinstance(rule, dict) and "source" in rule} - SILENT_TOO

FACTORS: Mapping[str, str] = {
    "ATK-03": "battalion, men, crews, Limitation, small flank",
    "ATK-04": "Effectiveness, long Power, medium Power, short Power, Efficiency, die, Defense, spared by Mercy, draw,"
    " infantry, cavalry, artillery, ship",
    "ATK-05": "Psychology, flanking",
    "ATK-06": "before, fall, lose heart, a man",
    "ATT-03": "berths, berths of the larger fleet",
    "ATT-04": "Capacity, men of the side, people who feed it, people who feed them, overcrowding",
    "ATT-05": "Attrition, dead",
    "DIS-02": "Outbreak, maximum military, resistance, familiarity, hour",
    "DIS-03": "Infectivity, Reproduction, Deadliness, Medicine, share",
    "LEAD-10": "danger, Martial, Tactical Training, age, men left",
    "MAP-08": "terrain",
    "OCC-01": "Occupation Base, Occupation Base of the loser, Power of the loser's disease",
    "OCC-02": "Efficiency of the type that occupies",
    "OCC-03": "score before",
    "OCC-04": "Efficiency before, morale before, itself, morale at the start, morale after the battle, morale left,"
    " hunger, disease, morale of all flanks at the start",
    "OCC-08": "score, Attack of the national leader",
    "SIEGE-02": "Siege Rate",
    "STAB-03": "national leader killed",
    "STAB-02": "capital lost",
    "STAB-04": "killed and captured, casualties, Economy, occupation, hardship, Innate Stability",
    "STRAT-04": "Morale Bonus",
}
"""Names of the factors of a battle and of what follows it, by the rule of the source that has them."""
NAMED = {name for names in FACTORS.values() for name in names.split(", ")}
PAIR = r"(Federal Government|State Government|Military Type|Climate|Motive|Ideology|Urbanization)–[A-Z][A-Za-z ]+"
TERMS: Mapping[str, str] = {
    "Innate Stability": f"Revenue|Trade|Secular Cycle|Generation|{PAIR}",
    "Economy": r"log\(GDP·Trade/\(Urban·Population\)\)/6|log\(Arable·Diet yield·Diet worth\)/7"
    r"|log\(Animals·Arable\)/7|Generation",
    "Efficiency": r"Training/10|Attrition|Steel/\(Size·Soldier type·Power·10\)|Budget/\(Size·Soldier type·1,000\)"
    f"|{PAIR}",
    "Limitation": rf"√\(Training/10\)|Urbanization|2.5·Budget/GDP|{PAIR}",
    "Defense": r"Mobile Defenses|Fortifications|Defense \(unit\)|Training/10",
    "Capacity": f"Attrition|Fortifications|Road System|{PAIR}",
    "Morale Bonus": f"Attrition|{PAIR}",
    "Effectiveness": r"\(1 \+ Shock\)|Soldier Type",
    "Siege Rate": "Attrition|Power of the artillery",
    "Occupation Base": r"Population\^\(1/3\)|Urban\^\(1/log 8\)·10|log\(Power/8,760 \+ 1\)"
    r"|log\(Arable·Diet protein·Diet yield/\(Urban·Population\)\)·2"
    r"|log\(Diet yield·protein·diversity·domestication·Age/3,700\)"
    "|Civilization Type|Domesticated Animals|Writing|Medicine|Fortifications|Road System",
    "Maximum military": "Population|Share",
    "Resistance to disease": "Generation|Secular cycle",
}
"""Terms of each variable (VAR-STAB to VAR-OCC, MAX-01, DATE-05)."""


def parts_of(parts: Iterable[Part]) -> Iterator[Part]:
    for part in parts:
        yield part
        yield from parts_of(part.parts)


def strange(outcome: Outcome) -> Iterator[str]:
    """Yield each factor of a log that the source does not name, and each ruling told that is choice."""
    for event in outcome.events:
        told = {event.id}
        for calculation in event.calculations():
            told |= set(calculation.formula.id.split(", "))
            for part in parts_of(calculation.formula.parts):
                if part.what and part.what not in NAMED:
                    yield f"{calculation.line()}: {part.what}"
        yield from (f"{event.text}: {id}" for id in told & CHOICES)
    for variable in outcome.explained:
        name = variable.name.partition(": ")[2].partition(", ")[0]
        for term in variable.terms:
            if not re.fullmatch(TERMS.get(name, ""), term.input):
                yield f"{variable.name}: {term.input}"
        if variable.id in CHOICES and variable.value != 1.0:
            yield variable.line()


def of_wars(count: int) -> settings:
    """Return settings for so many random wars, the same in every run, of which none is made simpler."""
    health = list(HealthCheck)
    phases = [Phase.generate]
    return settings(max_examples=count, derandomize=True, deadline=None, suppress_health_check=health, phases=phases)


@of_wars(max(10, round(30 * BUDGET)))
@given(war=wars(is_anywhere=True), seed=seeds())
def test_r_98_logs_of_the_source_name_only_factors_of_the_source(war: WarInputs, seed: int) -> None:
    assert sorted(set(strange(AUTOALGO.resolve(replace(war, settings=SOURCE), Rng(seed))))) == []


@of_wars(5)
@given(war=wars(), seed=seeds())
def test_r_98_logs_of_history_have_factors_missing_from_the_source(war: WarInputs, seed: int) -> None:
    assert any("R-110" in found or "weight of the war" in found for found in strange(AUTOALGO.resolve(war, Rng(seed))))
