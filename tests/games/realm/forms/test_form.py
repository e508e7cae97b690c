"""What an order of a realm may be: every mistake names its cell; orders of one pass see what earlier ones changed."""

from __future__ import annotations

from typing import Any

import pytest

from engine.columns import columns
from scripts.support.workbooks import Rows, check, column, example, forms, messages, read, run, workbook
from sheets_algo.database.records import Database
from sheets_algo.forms.realm.columns import RatingRequest, TurnRequest
from tests.helpers.tabs import key, keys

REQUESTS, REALMS, LEADERS, UNITS, CITIES, TYPES = (
    "Turn Requests",
    "Realms",
    "Realm Leaders",
    "Realm Units",
    "Realm Cities",
    "Realm Unit Types",
)


def ordered(*orders: dict[str, Any], **tabs: Any) -> Rows:
    """The example's realms with these orders of Rome alone."""
    rows = example("realm")
    rows.pop("Rating Requests")
    plain = {"Realm": "Rome", "Action": "Rule", "Ready": True}
    rows[REQUESTS] = [{"Request": f"T-{number}", **plain, **order} for number, order in enumerate(orders, start=1)]
    for tab, its_rows in tabs.items():
        rows[tab.replace("_", " ")] = its_rows
    return rows


def changed(rows: Rows, tab: str, name: str, **cells: Any) -> Rows:
    """Other cells in one row of a tab; underscores in headers are spaces."""
    key = next(iter(rows[tab][0]))
    row = next(row for row in rows[tab] if row[key] == name)
    row |= {header.replace("_", " "): value for header, value in cells.items()}
    return rows


def says(rows: Rows, number: int = 0) -> str:
    return messages(run(workbook(rows)))[number][2]


def status(rows: Rows, number: int = 0) -> str:
    return messages(run(workbook(rows)))[number][1]


TURN = {"Order": "Process turn"}
SPY = {"Order": "Aid saboteurs", "Target realm": "Gaul", "Agents": 2}
ENTICE = {"Order": "Entice", "Target": "Brennus"}
ASK = {"Order": "Interrogate", "Target": "Brennus"}
HIRE = {"Order": "Hire leader", "Target": "Marcus Atilius"}


def test_check_reports_mistakes_in_unread_rows() -> None:
    rows = changed(ordered(TURN), LEADERS, "Celtillus", Employer=None)
    rows = changed(rows, LEADERS, "Brennus", Captor=None)
    told = [str(problem) for problem in check(read(workbook(rows)), forms()) if problem.cell.tab == LEADERS]
    assert len(told) == 2
    assert "the Status is Employed, but no realm is named. Name the realm, or change Status. [RL-OP-18]" in told[0]
    assert "the Status is Prisoner, but no realm is named. Name the realm, or change Status. [RL-OP-17]" in told[1]


def test_improbable_orders_give_warnings() -> None:
    """A place that is missing is one warning, however many rows name it."""
    rows = changed(changed(ordered(), REALMS, "Rome", Happiness=None), UNITS, "Legio I", Health=50)
    for name in ("Legio II", "First Spears"):
        rows = changed(rows, UNITS, name, Location="Nowhere")
    book = workbook(changed(rows, LEADERS, "Camulogenus", Location="nowhere"))
    told = [str(problem) for problem in check(read(book), [form for form in forms() if form.key == "realm"])]

    assert told == [
        "Realms!F2 (Rome, Happiness): warning: blank counts as 100. Enter it. [RL-OP-14]",
        "'Realm Leaders'!V10 (Camulogenus, Location): warning: \"nowhere\" is not in Realm Places, so no way leads"
        " there (2 other rows too). Add it. [RL-OP-24]",
        "'Realm Units'!E2 (Legio I, Health): warning: 50 is more than the 6 of Legion. Lower it, or enter a Max health."
        " [RL-HEA-01]",
    ]


def test_orders_of_one_pass_see_what_earlier_ones_changed() -> None:
    """18 of 30 gold go for one leader, so there are not enough for the other, whose order lapses (REQ-18)."""
    rows = ordered(
        HIRE, HIRE | {"Target": "Gnaeus Norbanus"}, TURN | {"Fixed rolls": "RL-LOY-02=1; RL-LOY-02=1; RL-RND-01=1"}
    )
    rows = changed(rows, REALMS, "Rome", Treasury=30, Happiness=88, Fame=0)
    rows = changed(rows, LEADERS, "Gnaeus Norbanus", Offer="Service", Offered_to="Rome")
    made = run(workbook(rows))
    assert [message[1] for message in messages(made)] == ["Done", "Lapsed", "Done"]
    assert "it costs 22 gold, and Rome has 12 (T-1)" in messages(made)[1][2]
    assert len(made.rulings) == 2


def test_rl_op_01_a_realm_is_processed_once_a_turn() -> None:
    made = run(workbook(ordered(TURN | {"Turn": 12}, TURN | {"Turn": 12})))
    assert [message[1] for message in messages(made)] == ["Done", "Lapsed"]
    assert "T-1 ends turn 12" in messages(made)[1][2]


@pytest.mark.parametrize("order", [TURN, SPY])
def test_rl_op_01_an_order_for_a_later_turn_waits(order: dict[str, Any]) -> None:
    """Else a typed turn would pass the block of agents, which lasts until a turn; a forecast of one is refused."""
    assert says(ordered(order | {"Turn": 14})) == "Waits for turn 14; Rome is in turn 12"
    forecast = order | {"Turn": 14, "Action": "Forecast"}
    assert "turn 14 of Rome has not begun; its current turn is 12. Enter 12" in says(ordered(forecast))


def test_a_blank_turn_is_the_next_one() -> None:
    book = workbook(ordered(TURN, TURN | {"Turn": 13}))
    assert [message[1] for message in messages(run(book))] == ["Done", "Done"]
    assert column(book, REALMS, "Last turn")[0] == 13


@pytest.mark.parametrize("first", ["Rome", "Gaul"])
def test_rl_op_46_a_deserter_counts_once_a_turn_in_any_sequence(first: str) -> None:
    """Lucius Piso rebels against Rome and goes over to Gaul with the legion that stands beside him."""
    dice = "RL-RND-01=1; RL-REC-01=100; RL-MER-01=100; RL-HEA-01=100; RL-HEA-01=100; RL-HEA-01=100"
    rebels = "RL-LOY-02 Lucius Piso=100; RL-LOY-03 Lucius Piso=100; RL-LOY-03g Lucius Piso=1; "
    loyal = "; RL-LOY-02 Camulogenus=1; RL-REB-01=100"
    turns = [
        TURN | {"Realm": "Rome", "Nearest enemy": "Gaul", "Fixed rolls": rebels + dice + loyal},
        TURN | {"Realm": "Gaul", "Fixed rolls": dice + loyal + "; RL-LOY-02 Lucius Piso=1"},
    ]
    book = workbook(ordered(*(turns if first == "Rome" else reversed(turns))))
    assert [message[1] for message in messages(run(book))] == ["Done", "Done"], messages(run(book))

    piso = column(book, LEADERS, "Leader").index("Lucius Piso")
    follower = column(book, UNITS, "Unit").index("Legio II")
    assert [column(book, LEADERS, header)[piso] for header in ("Employer", "Experience", "Loyalty", "Last turn")] == [
        "Gaul", 31, 70, 12,
    ]  # fmt: skip
    assert [column(book, UNITS, header)[follower] for header in ("Owner", "Experience", "Last turn")] == ["Gaul", 4, 12]


@pytest.mark.parametrize("name", ["Lucius Piso", "lucius  PISO"])
def test_rl_op_41_fixed_rolls_match_names_in_any_case(name: str) -> None:
    made = run(workbook(ordered(TURN | {"Fixed rolls": f"RL-LOY-02 {name}=97"})))
    assert "Lucius Piso, loyalty check: moderator's 97 of 100" in [
        event.text for event in made.rulings[0].outcome.events
    ]
    assert "Fixed rolls)" not in messages(made)[0][2]


def test_rl_op_45_rebels_act_once_in_a_turn() -> None:
    rebels = {"Order": "Process rebels", "Realm": None}
    made = run(workbook(ordered(rebels | {"Turn": 12}, rebels | {"Turn": 12}, rebels | {"Turn": 11})))
    assert [message[1] for message in messages(made)] == ["Done", "Invalid", "Done"]
    assert "the rebels' turn 12 is in row 2 already, T-1" in messages(made)[1][2]


def test_rl_op_45_rebels_act_once_even_with_a_new_row_above() -> None:
    rebels = {"Order": "Process rebels", "Realm": None, "Turn": 12}
    book = workbook(ordered(rebels | {"Ready": False}, rebels))
    run(book)
    sheet = book.read(keys(REQUESTS)).sheet(key(REQUESTS))
    assert sheet is not None
    book.type_in(REQUESTS, 2, list(sheet.rows[1]).index("Ready") + 1, True)

    assert [message[1] for message in messages(run(book))] == ["Invalid", "Done"]


def test_rl_op_48_a_game_is_rated_once() -> None:
    rows = example("realm")
    rows[REQUESTS] = []
    game = {"Game": "Ides of March", "Standing": "Rome > Gaul", "Action": "Rule", "Ready": True}
    rows["Rating Requests"] = [
        game | {"Request": "G-1"},
        game | {"Request": "G-2", "Game": " ides of  march"},
        game | {"Request": "G-3", "Game": "Nones of March"},
    ]
    made = run(workbook(rows))

    assert [message[1] for message in messages(made)] == ["Done", "Invalid", "Done"]
    assert 'the game "ides of march" is in row 2 already, G-1' in messages(made)[1][2]


def test_rl_reb_03_rebel_units_get_the_first_free_number() -> None:
    rebels = {"Order": "Process rebels", "Realm": None}
    book = workbook(ordered(rebels | {"Turn": 11}, rebels | {"Turn": 12}))
    rows = ("Angry Mob Cenabum 1", "Angry Mob Cenabum 2", "Pirate Ship Burdigala 1", "Pirate Ship Burdigala 2")
    run(book)
    assert set(rows) <= set(column(book, UNITS, "Unit"))


def test_rl_op_22_new_mercenaries_can_be_hired_in_the_same_pass() -> None:
    fixed = "RL-MER-01=1; RL-MER-03=1; RL-MER-02=1; RL-REC-01=100; RL-RND-01=1; RL-LOY-02=1; RL-REB-01=100; "
    came = TURN | {"Fixed rolls": fixed + "RL-REB-01=100; RL-REB-01=100"}
    hire = {"Order": "Hire mercenary", "Target": "Numidian Horse Rome 1"}
    book = workbook(ordered(came, hire))
    made = run(book)
    assert [message[1] for message in messages(made)] == ["Done", "Done"]
    place = column(book, UNITS, "Unit").index("Numidian Horse Rome 1")
    assert column(book, UNITS, "Owner")[place] == "Rome"
    assert column(book, UNITS, "Location")[place] == "Roma"
    assert column(book, UNITS, "Offered to")[place] is None
    assert "Cost: 18 gold" in messages(made)[1][2]


def test_rl_op_44_the_forecast_shows_the_order_s_chance() -> None:
    rows = ordered(ENTICE | {"Action": "Forecast"}, TURN | {"Action": "Forecast"})
    made = run(workbook(rows))
    assert [(message[1], message[2]) for message in messages(made)] == [
        ("Waiting", "Enters service 14 %; Else escapes 11 %"),
        ("Waiting", "Its odds are being worked out; nothing is ruled"),
    ]
    assert [forecast.request for forecast in made.owes.requested_forecasts] == ["T-1", "T-2"]


def test_set_02_settings_accept_words_and_numbers() -> None:
    own = [{"Setting": "happiness_floor", "Value": 70}, {"Setting": "good", "Value": 4}]
    poor = changed(ordered(TURN | {"Fixed rolls": "RL-RND-01=1"}), REALMS, "Rome", Tax_rate=100)
    rows = poor | {"Realm Settings": own}
    assert "happiness 70" in says(rows)
    wrong = ordered(TURN) | {"Realm Settings": [{"Setting": "charge_leader_pay", "Value": "perhaps"}]}
    assert "is not allowed. Use no or yes. [SET-02]" in says(wrong)
    floor = ordered(TURN) | {"Realm Settings": [{"Setting": "happiness_floor", "Value": "deep"}]}
    assert '"deep" is not allowed. Use none.' in says(floor)


def game(standing: str) -> Rows:
    rows = ordered()
    rows["Rating Requests"] = [
        {"Request": "G-1", "Game": "First", "Standing": standing, "Action": "Rule", "Ready": True}
    ]
    return rows


def test_rl_op_32_rl_rat_02_the_note_of_standing_explains_the_order() -> None:
    notes = {column.header: column.note for _, column in columns(RatingRequest)}
    assert "100 × rulers eliminated earlier ÷ (players − 1)" in notes["Standing"]


def test_frozen_inputs_are_restored_unchanged() -> None:
    rows = example("realm")
    snapshot = read(workbook(rows))
    for form in forms():
        if form.ruleset_key == "realm":
            book = Database(snapshot, form.records(), form.vocabulary)
            for row in book.table(form.request):
                if row.name in ("T-0001", "T-0006", "T-0008", "G-0001"):
                    inputs = form.read(row, book).inputs
                    assert form.serialize(form.deserialize(form.serialize(inputs))) == form.serialize(inputs)


def test_rl_op_01_every_column_of_an_order_is_written_by_one_side() -> None:
    programs = [column.header for _, column in columns(TurnRequest) if column.place.is_programs]
    assert programs == ["Ready Since", "Status", "Message", "Result", "Target message", "Ruled At"]
