"""HX-OP-49 ... HX-OP-52: what a new turn does to sides and units, and what marks of other turns do to a combat."""

from typing import Any

from engine.hexcombat.setup.inputs import NewTurnInputs
from engine.hexcombat.setup.records import HexSide, HexUnit
from engine.rng import Rng
from engine.ruleset import Outcome
from tests.games.hexcombat.engine.battles import (
    DD,
    FIGHTER,
    HEXCOMBAT,
    INF,
    TABLES,
    TANK,
    TYPES,
    attacker,
    combat,
    defender,
    expected,
    piece,
    rolled,
    setting,
)  # fmt: skip


def new_turn(*units: HexUnit, **more: Any) -> Outcome:
    """The end of turn 3."""
    sides = (HexSide(name="Blue", turn=3), HexSide(name="Red"))
    inputs = NewTurnInputs(
        name="Dawn",
        turn=3,
        sides=sides,
        units=units,
        types=TYPES,
        terrains=tuple(TABLES.facts.terrains.values()),
        **more,
    )
    return HEXCOMBAT.resolve(inputs, Rng(5))


def changes(*units: HexUnit, **more: Any) -> dict[tuple[str, str], Any]:
    """Return the changes of units at the end of turn 3, by name and column."""
    updates = new_turn(*units, **more).updates
    return {(update.row, update.field): update.after for update in updates if update.tab == "Hex Units"}


def unit(type: Any, name: str = "Unit", **more: Any) -> HexUnit:
    return piece(type, name, **more).unit


def test_a_new_turn_from_its_inputs_to_the_receipt():
    units = (
        unit(FIGHTER, "Ace", intercepted=True, supported=True, turn=3),
        unit(INF, "Foot", hits=2, terrain="City", entrenchment=1, ammo=4),
    )

    ruled = new_turn(*units, settings=(setting("constants/HX-OP-52/turn_supply", 25),), seed_given=True)

    assert ruled.receipt.text() == "\n".join(
        [
            "Dawn",
            "  Turn: 3 is over, 4 begins",
            "Marks cleared",
            "  Ace: Intercepted this turn yes → no, Supported this turn yes → no",
            "  Foot: Hits 2 → 0",
            "Entrenchment",
            "  Foot: Entrenchment 1 → 3",
            "Supply",
            "  Foot: Ammo 4 → 6",
            "Moderator's rulings",
            "  Setting turn_supply: 25",
            "  Seed: 5",
        ]
    )
    assert (ruled.winner, ruled.summary, ruled.figures) == (
        "", "Turn 4 begins; 2 units change", {"Result": "Turn 4 begins; 2 units change"},
    )  # fmt: skip


def test_hx_op_49_every_side_gets_the_turn():
    found = [(update.row, update.before, update.after) for update in new_turn().updates]

    assert found == [("Blue", 3, 4), ("Red", None, 4)]
    assert new_turn().summary == "Turn 4 begins; no units change"


def test_hx_op_50_hx_op_27_hx_op_44_only_marks_of_the_turn_are_cleared():
    marked = unit(INF, hits=1, intercepted=True, supported=True, turn=2, suppressed=3, sabotaged=True, displaced="Fled")

    assert changes(marked) == {
        ("Unit", "Hits"): 0,
        ("Unit", "Intercepted this turn"): False,
        ("Unit", "Supported this turn"): False,
        ("Unit", "Turn"): None,
    }


def test_hx_op_51_a_land_unit_digs_in_to_its_ground_s_level():
    assert changes(unit(TANK, terrain="Forest")) == {("Unit", "Entrenchment"): 2}
    assert changes(unit(TANK, terrain="Forest", entrenchment=4)) == {}
    assert changes(unit(FIGHTER, terrain="City")) == changes(unit(DD, terrain="Port")) == {}


def test_hx_op_52_hx_sab_6_supply_stops_at_the_maximum_and_skips_the_sabotaged():
    """Infantry carries 10 shots; half of them are 5."""
    half = {"settings": (setting("constants/HX-OP-52/turn_supply", 50),)}

    assert changes(unit(INF, ammo=2), **half) == {("Unit", "Ammo"): 7}
    assert changes(unit(INF, ammo=8), **half) == {("Unit", "Ammo"): 10}
    assert changes(unit(INF, ammo=99), **half) == changes(unit(INF), **half) == {}
    assert changes(unit(INF, ammo=2, sabotaged=True), **half) == changes(unit(INF, ammo=2)) == {}


def test_hx_op_50_hits_of_another_turn_do_not_count():
    """HX-ODD-E16: three hits take three from the defence of 6, whose hits they are."""

    def defence(turn: int | None, game_turn: int | None) -> int:
        asked = combat(attacker(TANK), defender(INF, hits=3, turn=turn), game_turn=game_turn)
        return expected(asked).account.explained[3].value

    assert [defence(turn, 4) for turn in (None, 4, 3, 5)] == [3, 3, 6, 6]
    assert [defence(turn, None) for turn in (None, 3)] == [3, 3]


def test_hx_op_50_new_marks_get_the_turn_and_old_ones_are_dropped():
    asked = combat(attacker(TANK, hits=2, turn=3), defender(INF, hits=2, turn=3), turn=4, game_turn=4)

    ruled = HEXCOMBAT.resolve(asked, Rng(1))
    found = {(update.row, update.field): update.after for update in ruled.updates}

    assert rolled(asked, *[1] * 2, *[20] * 10, *[1] * 10).attacker.marks_turn is None
    assert (found["Inf D", "Hits"], found["Inf D", "Turn"]) == (1, 4)


def test_hx_op_50_marks_have_no_turn_in_a_game_without_turns():
    ruled = HEXCOMBAT.resolve(combat(attacker(TANK), defender(INF), turn=4), Rng(1))

    assert "Turn" not in {update.field for update in ruled.updates}
    assert "Hits" in {update.field for update in ruled.updates}


def test_a_new_turn_is_certain():
    inputs = NewTurnInputs(name="Dawn", turn=3, sides=(), units=(), types=(), terrains=())

    found = HEXCOMBAT.replicates(inputs, 1, 0, 3)

    assert found.numbers["Turn"].values.tolist() == [4.0, 4.0, 4.0]
    assert HEXCOMBAT.forecast(inputs) == HEXCOMBAT.course(inputs, found) == "Turn 4 begins; no units change"
    assert HEXCOMBAT.explain(inputs) == ()
