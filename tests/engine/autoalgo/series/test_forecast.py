"""The battles of a forecast, which equal rulings."""

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.autoalgo import resolve
from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.series.forecast import LOST_MEN
from engine.forecast import joined, summed_up
from engine.receipt import counted
from engine.rng import Rng
from scripts.support.pinned_tables import tables
from scripts.support.small_battles import army, line, war
from scripts.support.workbooks import example, forms, read, workbook
from sheets_algo.database.records import Database

SEED = 1066


def wars():
    form = forms()[0]
    book = Database(read(workbook(example("1066"))), form.records(), form.vocabulary)
    return {row.name: form.read(row, book).inputs for row in book.table(form.request)}


EXAMPLES = wars()
AUTOALGO = forms()[0].ruleset


@pytest.mark.parametrize("request_id", EXAMPLES)
def test_battle_0_of_a_seed_is_its_ruling(request_id):
    inputs = EXAMPLES[request_id]

    found = AUTOALGO.replicates(inputs, SEED, 0, 1)

    ruled = AUTOALGO.resolve(inputs, Rng(SEED))
    numbers = {name: measure.values[0] for name, measure in found.numbers.items()}
    words = {name: kind.names[kind.codes[0]] for name, kind in found.words.items()}
    for side, name in enumerate(("Attacker", "Defender")):
        said = ruled.figures[f"{name} Losses"]
        assert said.startswith(f"{int(numbers[f'{name} losses']):,} of ")
        for what in LOST_MEN:
            lost = int(numbers[f"{name} {what}"])
            assert f"{what} {lost:,}" in said or lost == 0
        assert (found.winner[0] == side) == (ruled.winner == name)
        changed = {update.row: update.after for update in ruled.updates if update.field == "Stability"}
        nation = (inputs.attacker, inputs.defender)[side].nation
        assert nation.stability + numbers[f"{name} stability change"] == pytest.approx(changed[nation.name])
    assert ruled.figures["Occupation"].startswith(f"{words['Occupation']} ({numbers['Occupation result']:.2f})")
    assert ruled.figures["Duration"] == counted(numbers["Duration"], "hour")
    killed = [update.row for update in ruled.updates if update.field == "Status"]
    assert ("killed" in (words.get("Attacker leader"), words.get("Defender leader"))) == bool(killed)


def test_a_battle_fought_alone_equals_the_one_in_its_series():
    inputs = EXAMPLES["W-0002"]
    whole = AUTOALGO.replicates(inputs, SEED, 0, 7)

    parts = joined([AUTOALGO.replicates(inputs, SEED, first, count) for first, count in ((0, 3), (3, 1), (4, 3))])

    assert parts.winner.tolist() == whole.winner.tolist()
    for name, measure in whole.numbers.items():
        assert np.array_equal(parts.numbers[name].values, measure.values, equal_nan=True), name
    assert summed_up(parts) == summed_up(whole)


def test_a_war_is_deployed_once_for_all_its_battles(monkeypatch):
    """Through the command half of the time was once lost to deploying it again for every chunk."""
    deployed = []
    original = resolve.Battlefield.of
    monkeypatch.setattr(resolve.Battlefield, "of", lambda *war: deployed.append(war) or original(*war))

    fight = Autoalgo(tables()).series(EXAMPLES["W-0002"], SEED)
    found = [fight(first, 2) for first in (0, 2, 4)]

    assert (len(deployed), sum(map(len, found))) == (1, 6)


def test_losing_the_battle_for_the_capital_loses_the_capital():
    found = AUTOALGO.replicates(EXAMPLES["W-0002"], SEED, 0, 40)

    capital = found.words["Defender capital"]
    assert [capital.names[code] == "lost" for code in capital.codes] == [winner == 0 for winner in found.winner]


def test_without_attacks_there_is_no_hour_of_contact():
    """Both sides hold their places, out of reach of each other, until the attack is abandoned (R-13)."""
    inputs = war(army("A", flanks=line("Position", y=399)), army("B", flanks=line("Position", y=0)))
    autoalgo = Autoalgo(tables())

    found = autoalgo.replicates(inputs, SEED, 0, 2)

    assert found.winner.tolist() == [1, 1]
    assert all(math.isnan(hour) for hour in found.numbers["Hours to contact"].values)
    assert found.words["Ending"].names[found.words["Ending"].codes[0]] == "attack abandoned"
    assert "hardly a blow" in autoalgo.course(inputs, found)


def test_the_course_describes_the_favourite_s_victories():
    """Byzantium wins Manzikert in most battles; its median losses are those of the battles that it wins."""
    inputs = EXAMPLES["W-0004"]
    found = AUTOALGO.replicates(inputs, SEED, 0, 60)
    won = found.where(found.winner == 1)
    assert len(won) > 30

    said = AUTOALGO.course(inputs, found)

    usual = sorted(won.numbers["Defender losses"].values)[-(-len(won) // 2) - 1]
    assert said.startswith("Most likely Byzantium wins after ")
    assert f"at the price of {usual:,.0f} men of Byzantium and " in said


def test_the_course_has_its_first_blow_before_its_end():
    """Two sieges end by terms without a blow, one in an early storm, and two in storms much later."""
    inputs = war(army("A"), army("B"))
    autoalgo = Autoalgo(tables())
    found = autoalgo.replicates(inputs, SEED, 0, 5)
    hours = {"Hours to contact": [math.nan, math.nan, 436, 718, 719], "Duration": [400, 400, 437, 720, 730]}
    numbers = {name: replace(found.numbers[name], values=np.array(values)) for name, values in hours.items()}

    sieges = replace(found, winner=np.zeros(5, np.int64), numbers={**found.numbers, **numbers})

    assert "wins after 437 hours, first blows in hour 436, " in autoalgo.course(inputs, sieges)
