"""The variables that each column of the database feeds, and no others (inputs 1.1 to 1.5, column Feeds).

Battle, disease, occupation and stability read further columns (Speed, ranges, Psychology, Endemic Disease ...), which
no variable may depend on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.autoalgo.inputs import TYPES, WarInputs
from engine.autoalgo.records import Leader, Location, Military, Nation, Unit
from engine.autoalgo.setup.variables import side_variables
from engine.columns import columns
from tests.helpers.hand_made_war import CATAPULT, COMMANDER, HEAD, SHIP, SIDE, SPEARMAN, TABLES, WAR

ARMED = replace(SIDE, units=(SPEARMAN, None, CATAPULT, SHIP), military_leader=COMMANDER, national_leader=HEAD)
BOTH = replace(WAR, attacker=ARMED, defender=replace(ARMED, nation=WAR.defender.nation))

STAB, ECON, EFF, LIM, DEF = "VAR-STAB", "VAR-ECON", "VAR-EFF", "VAR-LIM", "VAR-DEF"
CAP, MOR, EFV, SIEGE, OCC, MAX, SICK = "VAR-CAP", "VAR-MOR", "VAR-EFV", "VAR-SIEGE", "VAR-OCC", "MAX-01", "DATE-05"

NATION: dict[str, tuple[Any, set[str]]] = {
    "NAT-02": (50.0, set()),
    "NAT-03": (2_000_000, {OCC, ECON, MAX}),
    "NAT-04": ("Religious", {MOR}),
    "NAT-05": ("Islam", {STAB, MOR, EFF, LIM, CAP}),
    "NAT-06": ("Dravidian", {STAB, MOR, EFF, LIM, CAP}),
    "NAT-07": ("Somebody", set()),
    "NAT-08": ("Republic", {STAB, MOR, EFF}),
    "NAT-09": ("Unitary", {STAB}),
    "NAT-10": (990, {STAB, SICK}),
    "NAT-11": (990, {STAB, ECON, SICK}),
    "NAT-12": ("Valley", set()),
    "NAT-13": ("Industrial", {OCC, MAX, STAB}),
    "NAT-14": ("Rice", {OCC, ECON}),
    "NAT-15": (2_000_000.0, {OCC, ECON}),
    "NAT-16": (-5000, {OCC}),
    "NAT-17": ("Rodents", {OCC, ECON}),
    "NAT-18": ("Plague", set()),
    "NAT-19": ("Vaccinated", {OCC}),
    "NAT-20": ("Internet", {OCC}),
    "NAT-21": ("Embargoed", {STAB, ECON}),
    "NAT-22": ("Deficit", {STAB}),
    "NAT-23": (2e8, {ECON, LIM}),
    "NAT-24": (0.5, {OCC, ECON}),
    "NAT-25": (1e9, {OCC}),
    "NAT-26": (1_000.0, {EFF}),
}
MILITARY: dict[str, tuple[Any, set[str]]] = {
    "MIL-03": (2_000, {EFF}),
    "MIL-04": ("Somebody", set()),
    "MIL-06": (0.5, set()),
    "MIL-08": (0.5, set()),
    "MIL-10": (0.5, set()),
    "MIL-12": (7, set()),
    "MIL-13": ("none", {DEF}),
    "MIL-14": (500_000.0, {EFF, LIM}),
}
LOCATION: dict[str, tuple[Any, set[str], set[str]]] = {
    "LOC-01": ("Hill", set(), set()),
    "LOC-02": (20_000, set(), set()),
    "LOC-03": ("Arid", {LIM, CAP}, {LIM, CAP}),
    "LOC-04": ("Sea", set(), set()),
    "LOC-05": ("City (Modern)", {LIM, CAP}, {LIM, CAP}),
    "LOC-06": ("Desert", {EFF, CAP, MOR, SIEGE}, {EFF, CAP, MOR}),
    "LOC-07": ("Bunker", set(), {DEF, OCC, CAP}),
    "LOC-08": ("Highways", {OCC, CAP}, {CAP}),
}
"""New value; what it changes for the attacker, for the defender (R-03, OCCB-7)."""
LEADER: dict[str, tuple[set[str], set[str]]] = {
    "LDR-04": ({EFV}, set()),
    "LDR-05": ({DEF}, set()),
    "LDR-06": ({SIEGE}, set()),
    "LDR-07": ({CAP}, {STAB}),
    "LDR-08": ({LIM}, {ECON}),
    "LDR-09": ({MOR}, set()),
    "LDR-10": ({EFF}, set()),
}
"""What a skill changes in command, and as head of state (section 2; his Attack acts on the occupation, OCC-08)."""
UNIT: dict[str, tuple[Any, set[str]]] = {
    "UNIT-02": (20.0, set()),
    "UNIT-03": (3.0, set()),
    "UNIT-04": (0.9, {EFV}),
    "UNIT-05": (90.0, set()),
    "UNIT-06": (80.0, set()),
    "UNIT-07": (70.0, set()),
    "UNIT-08": ((1.0, 1.0, 2.0), {EFF}),
    "UNIT-09": (9.0, set()),
    "UNIT-10": (0.9, {DEF}),
    "UNIT-11": (9.0, {EFF, LIM, DEF}),
    "UNIT-12": ("Personally supplied", {CAP}),
    "UNIT-13": ("Elite", {EFV, EFF}),
    "UNIT-14": ("Mercenary", {EFF, LIM}),
    "UNIT-15": (900, set()),
    "UNIT-16": (4.0, set()),
}


def attribute_of(record: type, id: str) -> str:
    return next(name for name, column in columns(record) if column.id == id)


def changed_variables(war: WarInputs, side: int = 0) -> set[str]:
    """Return the ids of one side's variables that differ from those in `BOTH`."""
    before = {one.name: one.value for one in side_variables(BOTH, side, TABLES).all()}
    return {new.id for new in side_variables(war, side, TABLES).all() if new.value != before.pop(new.name, None)}


def with_attacker(**records: Any) -> WarInputs:
    """Return the war with some records of the attacker replaced."""
    return replace(BOTH, attacker=replace(ARMED, **records))


def test_nat_02_to_nat_26_and_mil_03_to_mil_14_columns_feed_their_own_variables() -> None:
    """Those of the enemy stay as they are."""
    found = {}
    for record, name, table in ((Nation, "nation", NATION), (Military, "military", MILITARY)):
        for id, (value, _) in table.items():
            war = with_attacker(**{name: replace(getattr(ARMED, name), **{attribute_of(record, id): value})})
            found[id] = (changed_variables(war), changed_variables(war, side=1))
    assert found == {id: (feeds, set()) for id, (_, feeds) in (NATION | MILITARY).items()}


def test_loc_01_to_loc_08_a_locations_columns_feed_both_sides() -> None:
    found = {}
    for id, (value, *_) in LOCATION.items():
        war = replace(BOTH, location=replace(BOTH.location, **{attribute_of(Location, id): value}))
        found[id] = (value, changed_variables(war), changed_variables(war, side=1))
    assert found == LOCATION


def test_ldr_04_to_ldr_10_skills_feed_by_post() -> None:
    """LEAD-09: a person who holds both posts gives the bonuses of both."""
    found = {}
    for id in LEADER:
        clumsy: dict[str, Any] = {attribute_of(Leader, id): 1.0}
        commander, head = (replace(leader, **clumsy) for leader in (COMMANDER, HEAD))
        own = ({"military_leader": commander}, {"national_leader": head})
        found[id] = (
            *(changed_variables(with_attacker(**post)) for post in own),
            (changed_variables(with_attacker(**own[0], **own[1]))),
        )
    assert found == {id: (command, home, command | home) for id, (command, home) in LEADER.items()}


def test_unit_02_to_unit_15_a_unit_types_columns_feed_its_variables() -> None:
    found = {}
    for id, (value, _) in UNIT.items():
        spearman = replace(SPEARMAN, **{attribute_of(Unit, id): value})
        found[id] = (value, changed_variables(with_attacker(units=(spearman, None, CATAPULT, SHIP))))
    assert found == UNIT


def test_unit_08_the_artillerys_power_feeds_the_siege() -> None:
    """R-04: the highest of the three."""
    catapult = replace(CATAPULT, power=(3.0, 0.0, 4.0))

    assert changed_variables(with_attacker(units=(SPEARMAN, None, catapult, SHIP))) == {EFF, SIEGE}


@pytest.mark.parametrize("kind", range(4), ids=TYPES)
def test_var_06_a_unit_type_feeds_its_own_variables_and_no_other_types(kind: int) -> None:
    """Infantry, cavalry, artillery, ship: the order of every array (`TYPES`)."""
    units = [SPEARMAN, SPEARMAN, CATAPULT, SHIP]
    before = side_variables(with_attacker(units=tuple(units)), 0, TABLES)
    units[kind] = replace(units[kind], tactical_training=9.0, shock=0.9, defense=0.9)
    after = side_variables(with_attacker(units=tuple(units)), 0, TABLES)

    for name in ("efficiency", "limitation", "defense", "effectiveness"):
        pairs = zip(getattr(before, name), getattr(after, name), strict=True)
        assert [old.value != new.value for old, new in pairs] == [kind == other for other in range(4)]
