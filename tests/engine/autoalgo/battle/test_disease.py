"""Disease (DIS)."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.autoalgo.battle.disease import disease
from engine.autoalgo.battle.draw_ids import DISEASE_WHOLE, OUTBREAK
from engine.autoalgo.battle.events import DISEASE, WIPED_OUT
from engine.autoalgo.battle.state import ROUTED
from engine.autoalgo.constants import R120
from engine.autoalgo.inputs import Belligerent
from engine.autoalgo.setup.variables import side_variables
from scripts.support.pinned_tables import tables
from scripts.support.small_battles import Field, army, field_of, line, war

NEVER = 0.999999


def with_medicine(own: Belligerent, medicine: str) -> Belligerent:
    return replace(own, nation=replace(own.nation, medicine=medicine))


def field_without_outbreaks(attacker: Belligerent, defender: Belligerent) -> Field:
    """Return a field whose draws cause no outbreaks."""
    field = field_of(war(attacker, defender))
    field.draws[OUTBREAK : OUTBREAK + 2] = NEVER
    field.draws[DISEASE_WHOLE : DISEASE_WHOLE + 2] = NEVER
    return field


def run_disease(field: Field) -> list[tuple[int, int, int, float]]:
    disease(field.battle, field.tunables, field.draws, field.events, 1)
    return [(event.kind, event.side, event.target, event.amount) for event in field.drain()]


def test_dis_01_each_side_is_exposed_to_both_nations_diseases() -> None:
    field = field_without_outbreaks(army("A", disease="Smallpox"), army("B", disease="Plague"))
    field.draws[OUTBREAK : OUTBREAK + 2] = 0.0

    assert [(kind, side, carrier) for kind, side, carrier, _ in run_disease(field)] == [
        (DISEASE, 0, 0),
        (DISEASE, 0, 1),
        (DISEASE, 1, 0),
        (DISEASE, 1, 1),
    ]


def test_dis_02_an_outbreak_has_the_chance_by_formula() -> None:
    """Outbreak·(men/maximum)/(phases·familiarity·6); the strange disease is ten times as likely."""
    own, enemy = army("A", disease="Smallpox"), army("B", disease="Plague")
    field = field_without_outbreaks(own, enemy)
    variables = side_variables(war(own, enemy), 0, tables())
    maximum, phases = variables.maximum_military.value, variables.resistance.value

    chances = field.tunables.country.outbreak[0] * 9_000

    assert maximum == 70_000
    assert chances.tolist() == pytest.approx(
        [1.0 * 9_000 / 70_000 / (phases * 10 * 6), 0.9 * 9_000 / 70_000 / (phases * 1 * 6)]
    )
    field.draws[OUTBREAK + 1, 0] = chances[1] * 0.999
    assert [event[:3] for event in run_disease(field)] == [(DISEASE, 0, 1)]
    field.draws[OUTBREAK + 1, 0] = chances[1] * 1.001
    assert run_disease(field) == []


def test_r_62_the_enemys_disease_counts_apart_even_if_shared() -> None:
    same = field_without_outbreaks(army("A", disease="Cholera"), army("B", disease="Cholera"))
    none = field_without_outbreaks(army("A", disease="Cholera"), army("B"))
    own, enemys = same.tunables.country.outbreak[0]

    assert own == enemys == none.tunables.country.outbreak[0, 0] > 0
    assert none.tunables.country.outbreak[0, 1] == 0


def test_dis_03_deaths_are_divided_by_size() -> None:
    """Smallpox: log2(10·5.5·0.3 + 1) = log2 17.5; Classical Medicine 3; dice 2.5: 0.0619 of the men."""
    own = army("A", 9_000, disease="Smallpox", flanks=line("Normal", "Normal", "Normal", y=182))
    field = field_without_outbreaks(own, army("B"))
    field.battle.men[:3] = 6_000, 2_000, 1_000
    field.draws[OUTBREAK, 0] = 0.0
    share = math.log2(17.5) / 500 * 3.0 * 2.5

    happened = run_disease(field)

    dead = [math.floor(share * men) for men in (6_000, 2_000, 1_000)]
    assert happened == [(DISEASE, 0, 0, float(sum(dead)))]
    assert field.battle.diseased[:3].tolist() == dead == [371, 123, 61]
    assert field.battle.men[:3].tolist() == [6_000 - 371, 2_000 - 123, 1_000 - 61]


def test_dis_01_r_25_each_disease_has_its_own_draws() -> None:
    """The purposes are 15 and 16, 17 and 18, 19 and 20: the attacker's disease first. Dice of 0.8 and 0.2 on 9,000."""
    field = field_without_outbreaks(
        army("A", disease="Smallpox", flanks=line("Normal", y=182)),
        army("B", disease="Plague", flanks=line("Normal", y=218)),
    )
    field.draws[:] = NEVER
    field.draws[15:17, 1] = 0.0
    field.draws[17:19, 1] = 0.8, 0.2
    field.draws[19:21, 1] = 0.999, 0.0
    smallpox, plague = field.tunables.country.severity[1]
    first = math.floor(smallpox * 4.0 * 9_000)
    second = math.floor(plague * 1.0 * (9_000 - first)) + 1

    assert run_disease(field) == [(DISEASE, 1, 0, float(first)), (DISEASE, 1, 1, float(second))]


def test_dis_03_the_vaccinated_do_not_die() -> None:
    """Invariant 11."""
    own = with_medicine(army("A", disease="Plague"), "Vaccinated")
    field = field_without_outbreaks(own, army("B"))
    field.draws[OUTBREAK] = 0.0
    field.draws[DISEASE_WHOLE] = 0.0

    assert run_disease(field)[0] == (DISEASE, 0, 0, 0.0)
    assert field.battle.diseased[:3].sum() == 0


def test_r_33_routed_men_neither_count_nor_die() -> None:
    field = field_without_outbreaks(army("A", disease="Smallpox"), army("B"))
    field.battle.status[0] = ROUTED
    limit = field.tunables.country.outbreak[0, 0] * 6_000
    field.draws[OUTBREAK, 0] = limit * 1.01

    assert run_disease(field) == []
    field.draws[OUTBREAK, 0] = limit * 0.99
    run_disease(field)
    assert field.battle.diseased[:3].tolist() == [0, 185, 185]


def test_att_06_disease_can_take_the_last_man() -> None:
    field = field_without_outbreaks(army("A", 3, disease="Smallpox"), army("B"))
    field.draws[OUTBREAK, 0] = 0.0
    field.draws[DISEASE_WHOLE] = np.array([0.0, NEVER, NEVER, NEVER, NEVER, NEVER])

    assert [event[0] for event in run_disease(field)] == [DISEASE, WIPED_OUT]
    assert field.battle.men[:3].tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("own", "enemys", "applies", "outbreaks"),
    [
        ("none", "Smallpox", 1, 1),
        ("Plague", "Smallpox", 1, 2),
        ("Smallpox", "Smallpox", 1, 1),
        ("none", "Smallpox", 0, 3),
        ("Smallpox", "Smallpox", 0, 6),
    ],
)
def test_r_120_a_disease_breaks_out_once_in_an_army(own: str, enemys: str, applies: int, outbreaks: int) -> None:
    """In three hours in which every test for an outbreak succeeds."""
    field = field_of(war(army("A", disease=own), army("B", disease=enemys)))
    constants = field.tunables.constants._replace(r_120=R120(applies))
    field.tunables = field.tunables._replace(constants=constants)
    field.draws[OUTBREAK : OUTBREAK + 2] = 0.0

    broke_out = [kind for _ in range(3) for kind, side, _, _ in run_disease(field) if side == 0]

    assert broke_out.count(DISEASE) == outbreaks
