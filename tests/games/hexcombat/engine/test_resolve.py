"""A ruling as the desk sees it: receipt, columns, write-back, log, explanation, forecast."""

import dataclasses

from engine.hexcombat.setup.records import Facility, HexSide
from engine.rng import Rng
from engine.ruleset import MachineCode, Update
from tests.games.hexcombat.engine.battles import (
    AD,
    ART,
    HEXCOMBAT,
    INF,
    LB,
    TANK,
    TB,
    attacker,
    combat,
    defender,
    ground,
    setting,
    supporter,
)  # fmt: skip

MISSES = (1,) * 10
ASKED = combat(
    attacker(TANK, bars=1), defender(INF, entrenchment=2), dice=(1, 1, 20, 20, *[2] * 8, *MISSES), turn=4,
)  # fmt: skip


def test_a_ruling_turns_dice_into_a_receipt():
    ruled = HEXCOMBAT.resolve(ASKED, Rng(5))

    assert ruled.winner == ""
    assert ruled.receipt.text() == "\n".join(
        [
            "Combat",
            "Inf D: 2 killed, 1 suppressed; Tank A: 0 killed, 0 suppressed.",
            "  Turn: 4",
            "  Kind: Attack",
            "  Attacker: Tank A (Red): Tank, 10 SP, 1 bar, Clear, moved",
            "  Defender: Inf D (Blue): Infantry, 10 SP, 0 bars, entrenched 2, Clear",
            "  Range: 1 hex",
            "  Weather: Fair",
            "Exchange",
            "  Initiative: Tank A 8, Inf D 3",
            "  Sequence: SIMULTANEOUS (the attacker leads)",
            "  Attack / defence: Tank A 13 / 15, Inf D 3 / 8",
            "  Fire: Tank A at Inf D, 13 against 8, 10 shots at +4: 2 killed, 1 suppressed",
            "  Fire: Inf D at Tank A, 3 against 15, 10 shots at −12: 0 killed, 0 suppressed",
            "Result",
            "  Tank A: strength 10, experience 122 (+22), ammo 9 (−1)",
            "  Inf D: strength 8 (−2), experience 4 (+4), ammo 9 (−1), entrenchment 1, 1 hit",
            "Moderator's rulings",
            "  Dice: 1, 1, 20, 20, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1",
        ]
    )


def test_hx_los_6_the_request_shows_each_side_s_losses():
    assert HEXCOMBAT.resolve(ASKED, Rng(5)).figures == {
        "Sequence": "SIMULTANEOUS",
        "Attacker kills": 0,
        "Attacker suppressed": 0,
        "Defender kills": 2,
        "Defender suppressed": 1,
        "Result": "Inf D: 2 killed, 1 suppressed; Tank A: 0 killed, 0 suppressed",
    }


def test_hx_upd_changed_fields_are_written_as_absolute_values():
    found = {
        (update.row, update.field): (update.before, update.after) for update in HEXCOMBAT.resolve(ASKED, Rng(5)).updates
    }

    assert found == {
        ("Tank A", "Experience"): (100, 122),
        ("Tank A", "Ammo"): (10, 9),
        ("Inf D", "Strength"): (10, 8),
        ("Inf D", "Experience"): (0, 4),
        ("Inf D", "Ammo"): (10, 9),
        ("Inf D", "Entrenchment"): (2, 1),
        ("Inf D", "Hits"): (0, 1),
    }


def test_prestige_and_a_destroyed_facility_are_written():
    bomber = dataclasses.replace(LB, bomb_code=90, attributes=("Can Blow",))  # 30 %
    asked = combat(
        attacker(bomber),
        None,
        kind="Barrage",
        target=ground("Port"),
        facility="Port",
        facility_owner=HexSide(name="Blue", prestige=10),
        facility_row=Facility(hex="3,4", facility="Port", owner="Blue"),
        settings=(setting("constants/options/allow_barrage_fire", "yes"),),
        dice=(40, 30),
    )

    ruled = HEXCOMBAT.resolve(asked, Rng(5))

    assert ruled.updates == (
        Update("Hex Units", "LB A", "Ammo", 10, 9),
        Update("Hex Sides", "Blue", "Prestige", 10, -30),
        Update("Hex Facilities", "3,4", "Blown", False, True),
    )
    assert ruled.summary == "LB A: 0 killed, 0 suppressed; Blue loses 40 prestige; Port blown up"


def test_hx_def_24_every_die_is_an_event_marked_if_given():
    dice = [event for event in HEXCOMBAT.resolve(ASKED, Rng(5)).events if event.kind == "die"]

    assert [event.amount for event in dice] == list(ASKED.dice)
    assert dice[2].text == "Tank A at Inf D, shot 1: 20 (given), kills: suppression +1"
    assert dice[4].text == "Tank A at Inf D, shot 3: 2 (given) + 4 = 6, nothing"


def test_set_06_the_log_begins_with_the_settings():
    asked = dataclasses.replace(ASKED, settings=(setting("constants/HX-CRI/critical_hit", 2),))
    heard: list[str] = []

    HEXCOMBAT.resolve(asked, Rng(5), heard.extend)

    assert heard[0].endswith("critical_hit is 2 in this workbook, not 0 as in the tables [SET-06]")


def test_explain_needs_no_die():
    lines = [variable.line() for variable in HEXCOMBAT.explain(ASKED)]

    assert lines[:2] == [
        "Attack, Tank A 9 = attack against the target's kind 8 + experience bars 1 [HX-DEF-09] (Exchange)",
        "Defence, Tank A 11 = ground defence 9 + experience bars 1 + half the range defence modifier 1 [HX-DEF-10]"
        " (Exchange)",
    ]


def test_hx_for_1_hx_op_23_the_formula_s_forecast_is_beside_the_dice():
    line = HEXCOMBAT.forecast(dataclasses.replace(ASKED, dice=()))
    found = HEXCOMBAT.replicates(dataclasses.replace(ASKED, dice=()), 1, 0, 200)

    assert line == "By formula: Inf D: 5 killed; Tank A: 1 killed; SIMULTANEOUS"
    assert HEXCOMBAT.course(ASKED, found) == line
    assert HEXCOMBAT.compile(ASKED, lambda function, instead: "refused", MachineCode()) == ""
    assert 4 < found.numbers["Defender killed"].values.mean() < 6
    assert set(found.words) == {"Attacker", "Defender"}


def test_steps_before_the_combat_are_listed_first():
    asked = combat(attacker(TB), defender(INF), air_defence=(supporter(AD, "Gun", 2),), dice=(*MISSES, 1, 1, *MISSES))

    blocks = HEXCOMBAT.resolve(asked, Rng(5)).receipt.blocks

    assert [block.heading for block in blocks] == [
        "", "Before the combat", "Exchange", "Result", "Moderator's rulings",
    ]  # fmt: skip
    assert blocks[1].lines[0].text == "Gun at TB A, 15 against 8, 10 shots at +5: 0 killed, 0 suppressed"


def test_a_title_from_a_cell_may_have_line_breaks():
    asked = dataclasses.replace(combat(attacker(ART), defender(INF), range=3), name="At\n dawn")

    assert HEXCOMBAT.resolve(asked, Rng(5)).receipt.title == "At dawn"
