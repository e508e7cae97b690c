"""What an order may be: every mistake names its cell, and says what is allowed."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.beacon_rounds import BeaconSeason, after_round, before_round
from scripts.support.workbooks import (
    NOW,
    Rows,
    check,
    column,
    example,
    forms,
    messages,
    problems,
    read,
    run,
    undo,
    workbook,
)
from sheets_algo.database.records import Database
from sheets_algo.ruling.plan import Plan
from sheets_algo.workbook.values import PerCent
from tests.games.ciais.ruling.games import type_in
from tests.helpers.decided import with_overrides

REQUESTS, PLAYERS, TYPES, UNITS, SITES = (
    "CiAIS Requests",
    "CiAIS Players",
    "CiAIS Unit Types",
    "CiAIS Units",
    "CiAIS Sites",
)
KEYS = {PLAYERS: "Player", TYPES: "Name", UNITS: "Unit", SITES: "Site"}


def ordered(order: str, **cells: Any) -> Rows:
    """The example game with one order of Anna's; underscores stand for spaces."""
    rows = example("ciais")
    named = {name.replace("_", " "): value for name, value in cells.items()}
    more = {"Tax": "Tax %", "Amount": "Amount ¤", "Funding": "Domestic funding ¤"}
    named = {more.get(name, name): value for name, value in named.items()}
    rows[REQUESTS] = [{"Request": "C-1", "Player": "Anna", "Order": order, "Ready": True} | named]
    return rows


def fight(**cells: Any) -> Rows:
    return ordered("Battle", **{"Attacker_unit": "1st Army", "Defender_unit": "Lagos Guard"} | cells)


def leave(choice: str | None, **cells: Any) -> Rows:
    return ordered("Overthrow choice", **{"Player": "Farid", "Choice": choice} | cells)


def having(rows: Rows, tab: str, name: str, **cells: Any) -> Rows:
    """The same with other cells in a row of the database."""
    row = next(row for row in rows[tab] if row[KEYS[tab]] == name)
    for header, value in cells.items():
        row[{"Bank": "Bank ¤", "Tax": "Tax %"}.get(header, header.replace("_", " "))] = value
    return rows


def found(rows: Rows) -> list[tuple[str, str]]:
    """Errors and warnings as (cell, rule)."""
    return problems(run(workbook(rows)))


def said(rows: Rows) -> tuple[str, str]:
    """Status and message."""
    [(_, status, message)] = messages(run(workbook(rows)))
    return status, message


def done(rows: Rows) -> Plan:
    made = run(workbook(rows))
    assert [status for _, status, _ in messages(made)] == ["Done"], messages(made)
    return made


ROUND, PLAYER, ORDER, ATTACKER, DEFENDER, TAX, FUNDING, CITY, AMOUNT, CHOICE, HEIR, TIME, NOMINEE, ROLL = (
    f"'CiAIS Requests'!{letter}2" for letter in "BCDEFGHIJKLMNO"
)


def test_the_example_game_has_no_problem() -> None:
    own = [form for form in forms() if form.key == "ciais"]

    assert check(read(workbook(example("ciais"))), own) == ()


def test_an_empty_tab_of_sites_supplies_no_units() -> None:
    rows = fight()
    rows[SITES] = []

    assert found(rows) == [(ATTACKER, "CI-OP-27"), (DEFENDER, "CI-OP-27")]


def test_a_row_overrides_the_built_in_bomb() -> None:
    """CI-BASE-03."""
    rows = ordered("Battle", Player="Eve", Attacker_unit="Last Resort", Defender_unit="Lagos Guard", Roll=1)
    book = workbook(rows)
    run(book)
    assert column(book, REQUESTS, "Chance") == [96]  # 9.9 against 0.4

    rows[TYPES].append({"Name": "Thermonuclear Bomb", "Type": "air", "multi-l": 5, "multi-s": 0, "multi-a": 0})
    rows[TYPES][0]["multi-a"] = 2.5
    book = workbook(rows)
    run(book)
    assert column(book, REQUESTS, "Chance") == [67]  # 4.9 against 2.4


def test_ci_op_33_a_share_is_read_as_shown() -> None:
    """A cell in the format of per cent has 0.175 and shows 17.5 %; a plain 0.2 could be 0.2 % or 20 %."""
    rows = having(ordered("Set tax", Tax=PerCent(0.175)), PLAYERS, "Bola", Tax=PerCent(0.2))
    rows = having(rows, PLAYERS, "Chen", Tax="0.5")
    book = workbook(rows)
    [ruling] = done(rows).rulings

    run(book)
    assert column(book, PLAYERS, "Tax %")[0] == 17.5  # its cell is in no format of per cent
    ciais = next(form for form in forms() if form.key == "ciais")
    frozen = {player.name: player.tax for player in ciais.deserialize(ruling.receipt.inputs).players}
    assert (frozen["Bola"], frozen["Chen"]) == (20, 0.5)
    assert "0.2 could mean 0.2 % or 20 %. Type 0.2 % or 20 %. [NUM-03]" in said(ordered("Set tax", Tax=0.2))[1]


@pytest.mark.parametrize("held", [15, "15 %", None])
@pytest.mark.parametrize("typed", ["0.5 %", "0.5", PerCent(0.005)])
def test_ci_op_33_a_tax_below_1_per_cent_is_accepted(typed: Any, held: Any) -> None:
    """The program wrote a plain 0.5, which it then refused itself: no round ended any more, of nobody."""
    rows = having(ordered("Set tax", Tax=typed), PLAYERS, "Anna", Tax=held)
    rows[REQUESTS].append({"Request": "C-2", "Player": "Anna", "Order": "End round", "Ready": True})
    rows[REQUESTS].append({"Request": "C-3", "Order": "End round"})
    book = workbook(rows)
    assert [status for _, status, _ in messages(run(book))] == ["Done", "Done"]
    type_in(book, "Ready", 3, True)

    made = run(book)

    assert [status for _, status, _ in messages(made)][-1] == "Done"
    assert made.problems == ()
    assert column(book, PLAYERS, "Tax %")[0] == "0.5 %"


def test_ci_op_33_decisions_and_undo_write_a_tax_below_1_per_cent() -> None:
    own = [form for form in forms() if form.key == "ciais"]
    rows = having(ordered("Set tax", Tax=12), PLAYERS, "Anna", Tax="0.4 %")
    book = with_overrides(rows, ("C-1", "Result", f"{PLAYERS}!Anna!Tax %", "0.5 %"))
    run(book)
    assert column(book, PLAYERS, "Tax %")[0] == "0.5 %"
    assert check(read(book), own) == ()

    snapshot = read(book)
    book.commit(snapshot, undo(snapshot, forms(), "C-1", NOW)[1])

    assert column(book, PLAYERS, "Tax %")[0] == "0.4 %"
    assert check(read(book), own) == ()


def test_luck_09_a_written_tax_below_1_per_cent_keeps_promises() -> None:
    rows = ordered("Set tax", Tax="0.5 %")
    rows[REQUESTS].append({"Request": "C-2", "Player": "Anna", "Order": "End round", "Ready": True})
    beacon = BeaconSeason(rows)
    beacon.run(before_round(123))

    made = beacon.run(after_round(123))

    assert [status for _, status, _ in messages(made)] == ["Done", "Done"]
    assert beacon.verified("C-2", None).is_equal


def test_num_03_a_blank_share_is_written_as_format_independent_text() -> None:
    rows = having(ordered("Set tax", Tax="17.5 %"), PLAYERS, "Anna", Tax=None)
    book = workbook(having(rows, PLAYERS, "Bola", Tax=PerCent(0.2)))
    run(book)

    assert column(book, PLAYERS, "Tax %")[:2] == ["17.5 %", 0.2]
    assert problems(run(book)) == []


def reach_warnings(rows: Rows) -> list[str]:
    """The warnings about range, cooldown and strength of the last order, which can be ruled all the same."""
    form = next(form for form in forms() if form.key == "ciais")
    book = Database(read(workbook(rows)), form.records(), form.vocabulary)
    *_, row = book.table(form.request)
    return [f"{problem.says} [{problem.id}]" for problem in form.read(row, book).warnings]


def after(*cells: dict[str, Any], cooldown: Any = 1) -> Rows:
    """A battle of Anna's in round 3, below other rows that were ruled."""
    rows = having(fight(), TYPES, "Army", cooldown=cooldown)
    above = [
        {"Request": f"C-0{id}", "Player": "Anna", "Ready": True, "Status": "Done"} | row for id, row in enumerate(cells)
    ]
    rows[REQUESTS] = [*above, *rows[REQUESTS]]
    return rows


ATTACK = {"Order": "Battle", "Attacker unit": "1st Army", "Defender unit": "Gulf Squadron"}
MINE, ALL = {"Order": "End round"}, {"Order": "End round", "Player": None}


@pytest.mark.parametrize(
    ("rows", "waits"),
    [
        (after(ATTACK), (3, 5)),
        (after(ATTACK, MINE), (2, 4)),
        (after(ATTACK, ALL), (2, 4)),
        (after(ATTACK, MINE, ALL), None),
        (after(ATTACK, MINE, ALL, cooldown=2), (1, 4)),
        (after(ATTACK | {"Round": 2}), (2, 4)),
        (after(ATTACK, MINE | {"Player": "Bola"}), (3, 5)),
        (after(ATTACK | {"Status": None}), (3, 5)),
        (after(ATTACK | {"Status": "Invalid"}), None),
        (after(ATTACK | {"Status": None, "Action": "Forecast"}), None),
        (after(ATTACK | {"Ready": None, "Status": None}), None),
        (after(ATTACK | {"Attacker unit": "North Sea Squadron"}), None),
        (after(ATTACK, cooldown=0), None),
        (after(ATTACK, cooldown=None), None),
    ],
)
def test_ci_op_26_an_attack_before_the_cooldown_is_over_warns(rows: Rows, waits: tuple[int, int] | None) -> None:
    """Anna is in round 3: a cooldown of 1 after an attack in round 2 ends with round 3."""
    says = "1st Army attacked in round {} and waits until round {} [CI-OP-26]"

    assert reach_warnings(rows) == ([says.format(*waits)] if waits else [])


def test_ci_op_26_an_infinite_cooldown_allows_one_use_per_player_and_type() -> None:
    rows = after(ATTACK | {"Attacker unit": "2nd Army"}, MINE, cooldown="Infinity")
    rows[UNITS].append({**rows[UNITS][0], "Unit": "2nd Army"})

    assert reach_warnings(rows) == ["Anna may attack once in a game with Army, and 2nd Army did in round 2 [CI-OP-26]"]
    rows[UNITS][-1]["Unit type"] = "Scout"
    assert reach_warnings(rows) == []


BROKEN = {"Bank": "#REF!"}


def test_ci_op_37_status_alone_identifies_the_remaining_players() -> None:
    """Only Anna and her ally Chen, whose bank cannot be read, are left when Bola loses: an allied victory."""
    rows = ordered("Adjust bank", Player="Bola", Amount=-200)
    for name in ("Dmitri", "Eve", "Farid"):
        rows = having(rows, PLAYERS, name, Status="Lost")
    rows = having(having(rows, PLAYERS, "Chen", **BROKEN), PLAYERS, "Bola", Unrest=9)
    book = workbook(rows)

    assert messages(run(book))[0][2].endswith("Anna has won; Chen has won")
    assert column(book, PLAYERS, "Status") == ["Won", "Lost", "Won", "Lost", "Lost", "Lost"]
    assert column(book, PLAYERS, "Bank ¤")[2] == "#REF!"


def test_settings_of_the_workbook_override_the_tables() -> None:
    """CI-OP-10, with the sites of an ally; each setting is named on the receipt."""
    rows = fight()
    rows[SITES][1]["Owner"] = "Chen"
    assert found(rows) == [(ATTACKER, "CI-OP-27")]

    rows["CiAIS Settings"] = [{"Setting": "allied_supply", "Value": "yes"}, {"Setting": "attrition_step", "Value": 0.2}]
    [ruling] = done(rows).rulings
    assert "* Setting attrition_step: 0.2\n* Setting allied_supply: yes" in ruling.receipt.wiki
    assert "Fort Oder (base), 6.2° away" in ruling.receipt.wiki
    assert "5 → 3.8 (−1.2)" in ruling.receipt.wiki
