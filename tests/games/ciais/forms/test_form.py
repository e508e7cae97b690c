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


def test_an_impossible_order_is_refused() -> None:
    """CI-OP-34 bounds every number."""
    for rows, cell, rule, says in [
        (fight(Attacker_unit="1st Armee"), ATTACKER, "CI-BAT", 'unit not found: "1st Armee". Did you mean "1st Army"?'),
        (fight(Attacker_unit=None), ATTACKER, "CI-OP-35", "required for Battle, but empty. Fill Attacker unit."),
        (fight(Player="Ana"), PLAYER, "CI-RND", 'player not found: "Ana". Did you mean "Anna"?'),
        (fight(Player=None), PLAYER, "CI-OP-35", "required for Battle, but empty. Fill Player."),
        (fight(Player="Chen"), ATTACKER, "CI-OP-36", "1st Army is Anna's, not Chen's."),
        (fight(Defender_unit="North Sea Squadron"), DEFENDER, "CI-BAT", "North Sea Squadron is Anna's too."),
        (fight(Defender_unit="1st Army"), DEFENDER, "CI-BAT", "1st Army is Anna's too."),
        (fight(Defender_unit="Sydney Scouts"), DEFENDER, "CI-BAT", "Anna and Chen are in the same alliance."),
        (fight(Defender_unit="Guard of Cairo"), DEFENDER, "CI-BAT", "Guard of Cairo is Farid's, who has lost."),
        (having(fight(), PLAYERS, "Anna", Status="Lost"), PLAYER, "CI-RND", "Anna has lost."),
        (having(fight(), PLAYERS, "Anna", Status="Won"), PLAYER, "CI-RND", "Anna has won."),
        (having(fight(), UNITS, "1st Army", Status="Lost"), ATTACKER, "CI-BAT", "1st Army is lost."),
        (having(fight(), UNITS, "Lagos Guard", Status="Lost"), DEFENDER, "CI-BAT", "Lagos Guard is lost."),
        (
            having(fight(), SITES, "Fort Oder", Owner=None),
            ATTACKER,
            "CI-OP-27",
            "Anna has no base and no outpost to supply 1st Army from. Add one to the tab CiAIS Sites.",
        ),
        (fight(Roll=0), ROLL, "CI-BASE-02", "0 is out of range. Enter a whole number from 1 to 100."),
        (fight(Roll="high"), ROLL, "CI-BASE-02", '"high" is not a number.'),
        (fight(Roll=33.3), ROLL, "CI-BASE-02", "33.3 is not a whole number."),
        (fight(Roll=float("nan")), ROLL, "CI-BASE-02", "is not a number."),
        (ordered("Duel"), ORDER, "CI-RND", '"Duel" is not allowed. Use Battle, End round,'),
        (ordered("Set tax"), TAX, "CI-OP-35", "required for Set tax, but empty. Fill Tax %."),
        (ordered("Set tax", Tax=101), TAX, "CI-TAX-02", "101 is out of range. Enter a number from 0 to 100."),
        (
            having(ordered("Set tax", Tax=5), PLAYERS, "Anna", Tax_changed_in_round=3),
            TAX,
            "CI-TAX-02",
            "Anna has already set the tax in round 3. Enter round 4, or clear Ready.",
        ),
        (
            having(ordered("End round", Tax=5), PLAYERS, "Anna", Tax_changed_in_round=3),
            TAX,
            "CI-TAX-02",
            "Anna has already set the tax in round 3.",
        ),
        (
            ordered("Set tax", Tax=5, Round=2, Action="Forecast"),
            ROUND,
            "CI-RND",
            "round 2 is over for Anna, who is in round 3. Enter 3, or leave it blank.",
        ),
        (ordered("End round", Round=2), ROUND, "REQ-10", "the order is for round 2, which is over."),
        (
            ordered("End round", Round=4, Action="Forecast"),
            ROUND,
            "CI-RND",
            "round 4 has not begun for Anna, who is in round 3.",
        ),
        (ordered("End round", Round=0), ROUND, "CI-RND", "0 is out of range. Enter a whole number from 1 to"),
        (
            ordered("End round", Funding=1320.01),
            FUNDING,
            "CI-UNR-07",
            "1,320.01 ¤ is more than Anna has after this round's income. Enter at most 1,320.",
        ),
        (
            ordered("End round", Player="Eve", Funding=200),
            FUNDING,
            "CI-UNR-07",
            "200 ¤ is more than Eve has after this round's income. Enter at most 110.",
        ),
        (ordered("End round", Funding=-1), FUNDING, "CI-UNR-07", "-1 is out of range. Enter a number from 0 to"),
        (
            ordered("End round", Player=None, Funding=100),
            FUNDING,
            "CI-OP-30",
            "only one player can decide this, but no player is named. Give each such player a separate End round.",
        ),
        (ordered("End round", Player=None, Tax=12), TAX, "CI-OP-30", "only one player can decide this"),
        (
            ordered("End round", Player=None, Round=2, Action="Forecast"),
            ROUND,
            "CI-RND",
            "round 2 has already been ended by all players.",
        ),
        (
            having(ordered("End round", Player=None, Round=3, Action="Forecast"), PLAYERS, "Chen", Round=2),
            ROUND,
            "CI-OP-30",
            "round 3 has not begun for Chen. End the earlier rounds first, or leave it blank.",
        ),
        (ordered("City captured"), CITY, "CI-OP-35", "required for City captured, but empty."),
        (ordered("City captured", City="Lagoon"), CITY, "CI-CAP", 'site not found: "Lagoon". Did you mean "Lagos"?'),
        (
            ordered("City captured", City="Camp Niger"),
            CITY,
            "CI-OP-28",
            "Camp Niger is a base, not a city. Name a city; a moderator enters the new Owner of other sites",
        ),
        (ordered("City captured", City="Coral Outpost"), CITY, "CI-OP-28", "Coral Outpost is an outpost, not a city."),
        (ordered("City captured", City="Munich"), CITY, "CI-CAP", "Munich is Anna's already."),
        (ordered("City captured", City="Shanghai"), CITY, "CI-CAP", "Shanghai is Chen's, an ally of Anna."),
        (
            having(ordered("City captured", City="Sydney"), SITES, "Sydney", Owner=None),
            CITY,
            "CI-CAP",
            "Sydney has no owner to be captured from.",
        ),
        (ordered("Adjust bank"), AMOUNT, "CI-OP-35", "required for Adjust bank, but empty. Fill Amount ¤."),
        (ordered("Adjust bank", Amount="a lot"), AMOUNT, "CI-OP-16", '"a lot" is not a number.'),
        (ordered("Adjust bank", Amount=2e12), AMOUNT, "CI-OP-16", "is out of range."),
        (
            ordered("Adjust bank", Amount=999_999_999_999),
            AMOUNT,
            "CI-OP-34",
            "the bank would hold 1,000,000,001,199 ¤. Leave at most 1,000,000,000,000 ¤ in it, or owing.",
        ),
        (ordered("Overthrow choice", Choice="2b"), PLAYER, "CI-LOSE-2", "Anna was not overthrown."),
        (leave(None), CHOICE, "CI-OP-35", "required for Overthrow choice, but empty."),
        (
            leave("2d"),
            CHOICE,
            "CI-LOSE-2",
            '"2d" is not allowed.',
        ),
        (
            having(leave("2b"), PLAYERS, "Farid", Loss_condition="CI-LOSE-2a"),
            PLAYER,
            "CI-LOSE-2",
            "Farid has already chosen 2a.",
        ),
        (
            having(leave("2b"), PLAYERS, "Farid", Loss_condition="CI-LOSE-1"),
            PLAYER,
            "CI-LOSE-2",
            "Farid was not overthrown.",
        ),
        (
            leave("2a"),
            HEIR,
            "CI-LOSE-2a",
            "required for choice 2a, but empty. Name the player who gets land and equipment.",
        ),
        (
            leave("2a", Heir="Farid"),
            HEIR,
            "CI-LOSE-2a",
            "Farid cannot inherit from himself.",
        ),
        (
            having(leave("2a", Heir="Eve"), PLAYERS, "Eve", Status="Lost"),
            HEIR,
            "CI-LOSE-2a",
            "Eve has lost.",
        ),
        (
            ordered("Check victory", Player=None, Time_is_up=True, Nominated_winner="Anna"),
            NOMINEE,
            "CI-WIN-4",
            "the game ends by time or by agreement, not by both.",
        ),
        (
            ordered("Check victory", Player=None, Nominated_winner="Farid"),
            NOMINEE,
            "CI-WIN-4",
            "Farid is not in the game any more.",
        ),
        (ordered("Check victory", Time_is_up="perhaps"), TIME, "CI-WIN-3", '"perhaps" is neither yes nor no.'),
    ]:
        status, message = said(rows)

        assert (cell, rule) in found(rows)
        assert status == "Invalid"
        assert says in message


def test_an_unreadable_row_is_reported() -> None:
    """CI-OP-05: what players must agree on is asked for at its cell."""
    for tab, name, cells, cell, rule, says in [
        (TYPES, "Army", {"multi-l": None}, "D2", "CI-BASE-01", "required, but empty. Enter a number from 0 to 10."),
        (TYPES, "Army", {"multi-s": 11}, "E2", "CI-BASE-01", "11 is out of range."),
        (TYPES, "Army", {"multi-a": -1}, "F2", "CI-BASE-01", "-1 is out of range."),
        (TYPES, "Army", {"multi-l": 2.25}, "D2", "CI-BASE-01", "2.25 has more than one decimal."),
        (TYPES, "Army", {"multi-l": "strong"}, "D2", "CI-BASE-01", '"strong" is not a number.'),
        (TYPES, "Army", {"Type": None}, "B2", "CI-BASE-01", "required, but empty. Use land, sea or air."),
        (TYPES, "Army", {"Type": "naval"}, "B2", "CI-BASE-01", '"naval" is not allowed.'),
        (TYPES, "Army", {"cooldown": "never"}, "I2", "CI-OP-26", '"never" is not allowed. Use Infinity, or a number'),
        (UNITS, "1st Army", {"Unit type": "Legion"}, "C2", "CI-BASE-01", 'unit type not found: "Legion".'),
        (UNITS, "1st Army", {"Latitude": 91}, "D2", "CI-BASE-04", "91 is out of range. Enter a number from -90 to 90."),
        (UNITS, "1st Army", {"Longitude": -180.5}, "E2", "CI-BASE-04", "-180.5 is out of range."),
        (UNITS, "1st Army", {"Longitude": None}, "E2", "CI-BASE-04", "required, but empty."),
        (UNITS, "1st Army", {"Owner": "Nobody"}, "B2", "CI-LOG-01", 'player not found: "Nobody".'),
        (
            SITES,
            "Fort Oder",
            {"Latitude": None},
            "D3",
            "CI-BASE-04",
            "required for a base, but empty. Enter a number from -90 to 90.",
        ),
        (SITES, "Fort Oder", {"Kind": "castle"}, "B3", "CI-LOG-01", '"castle" is not allowed.'),
        (SITES, "Cairo", {"Owner": "Nobody"}, "C14", "CI-LOG-01", 'player not found: "Nobody".'),
        (
            PLAYERS,
            "Eve",
            {"Bank was negative": False},
            "B6",
            "CI-OP-16",
            "−40 ¤ is below 0, but Bank was negative is not ticked. Enter at least 0 and use the order Adjust bank",
        ),
        (PLAYERS, "Eve", {"Unrest": -1}, "D6", "CI-UNR-08", "-1 is out of range."),
        (PLAYERS, "Eve", {"Status": "Dead"}, "F6", "CI-RND", '"Dead" is not allowed. Use Playing, Lost or Won.'),
        (PLAYERS, "Eve", {"Bank ¤": "#REF!"}, "B6", "CI-TAX-01", "shows the error #REF!."),
        (PLAYERS, "Eve", {"Player": "Anna"}, "A6", "CI-RND", '"Anna" is also in row 2.'),
    ]:
        rows = ordered("Set tax", Player=cells.get("Player", "Eve"), Tax=12) if tab == PLAYERS else fight()
        next(row for row in rows[tab] if row[KEYS[tab]] == name).update(cells)
        status, message = said(rows)

        assert (f"'{tab}'!{cell}", rule) in found(rows)
        assert (status, says in message) == ("Invalid", True), message


def test_all_problems_of_an_order_are_reported_together() -> None:
    rows = fight(Defender_unit="Lagos Gard", Roll=200)
    rows[TYPES][0]["multi-l"] = None

    assert found(rows) == [(DEFENDER, "CI-BAT"), (ROLL, "CI-BASE-02")]
    rows = fight(Defender_unit="North Sea Squadron", Round=1, Action="Forecast")
    assert found(rows) == [(ROUND, "CI-RND"), (DEFENDER, "CI-BAT")]


@pytest.mark.parametrize("tab", [PLAYERS, UNITS, SITES, TYPES])
def test_a_missing_tab_is_reported_by_name(tab: str) -> None:
    rows = fight()
    del rows[tab]
    status, message = said(rows)

    assert status == "Invalid"
    assert f"the tab {tab} is missing" in message or f"'{tab}': the tab is missing" in message


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


@pytest.mark.parametrize(
    ("rows", "cells"),
    [
        (fight(Tax=5, Heir="Chen", Time_is_up=True), [TAX, HEIR, TIME]),
        (fight(Time_is_up=False), []),
        (ordered("Adjust bank", Amount=5, Roll=7), [ROLL]),
        (leave("2c", Heir="Eve"), [HEIR]),
        (ordered("Check victory", City="Lagos"), [CITY]),
    ],
)
def test_ci_op_35_unused_cells_give_a_warning(rows: Rows, cells: list[str]) -> None:
    assert [(str(problem.cell), problem.id, problem.is_error) for problem in done(rows).problems] == [
        (cell, "CI-OP-35", False) for cell in cells
    ]


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


def test_ci_op_26_a_battle_out_of_range_is_ruled_with_a_warning() -> None:
    """From 48.1 N 11.6 E to 6.5 N 3.4 E: 41.6 and 8.2 degrees."""
    says = "Lagos Guard is 49.8° away, and the range of 1st Army is 49.7° [CI-OP-26]"

    assert reach_warnings(having(fight(), TYPES, "Army", range=49.7)) == [says]
    assert reach_warnings(having(fight(), TYPES, "Army", range=49.8)) == []
    assert reach_warnings(having(fight(), TYPES, "Army", range=None)) == []


def test_ci_unr_05_a_unit_without_any_multiplier_is_ruled_with_a_warning() -> None:
    says = "Lagos Guard has no strength, as all multipliers of Army are 0; who beats it has less unrest all the same"
    none = {"multi-l": 0, "multi-s": 0, "multi-a": 0}

    warnings = reach_warnings(having(fight(), TYPES, "Army", **none))

    assert f"{says} [CI-UNR-05]" in warnings
    assert reach_warnings(having(fight(), TYPES, "Army", **none | {"multi-a": 0.1})) == []


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


@pytest.mark.parametrize(
    ("rows", "is_stopped"),
    [
        (fight(), False),
        (ordered("Adjust bank", Amount=5), False),
        (ordered("End round"), False),
        (leave("2b"), False),
        (leave("2a", Heir="Eve"), True),
        (ordered("City captured", City="Sydney"), True),
        (ordered("Adjust bank", Player="Eve", Amount=5), True),
        (ordered("End round", Player=None), True),
        (ordered("Check victory", Player=None, Time_is_up=True), True),
    ],
)
def test_ci_op_37_an_unreadable_player_row_blocks_its_orders(rows: Rows, is_stopped: bool) -> None:
    """Eve's bank shows an error; Sydney is hers."""
    spoilt = having(rows, PLAYERS, "Eve", **BROKEN)

    assert ("'CiAIS Players'!B6" in said(spoilt)[1]) is is_stopped
    assert said(spoilt)[0] == ("Invalid" if is_stopped else "Done")


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


@pytest.mark.parametrize("cells", [{"Status": "Dead"}, {"Player": "Bola"}])
def test_ci_op_37_every_order_needs_the_status_of_all_players(cells: dict[str, str]) -> None:
    assert said(having(ordered("Adjust bank", Amount=5), PLAYERS, "Eve", **cells))[0] == "Invalid"


@pytest.mark.parametrize(
    ("tab", "name", "cells"),
    [(UNITS, "Siberian Scouts", {"Latitude": 99}), (SITES, "Volga Base", {"Latitude": "north"})],
)
def test_ci_op_37_another_player_s_rows_block_only_that_player(tab: str, name: str, cells: dict[str, Any]) -> None:
    rounds = [having(ordered("End round", Player=player), tab, name, **cells) for player in ("Bola", "Dmitri")]

    assert [said(rows)[0] for rows in rounds] == ["Done", "Invalid"]


@pytest.mark.parametrize("round", [2, 7])
def test_ci_rnd_a_forecast_of_another_round_is_refused(round: int) -> None:
    assert found(fight(Round=round, Action="Forecast")) == [(ROUND, "CI-RND")]


def test_every_order_accepts_common_spellings() -> None:
    """Other capitals, spaces and numbers as texts."""
    rows = fight(Order=" battle ", Player="ANNA", Attacker_unit="1st  army", Roll="50")

    assert done(rows).rulings[0].outcome.figures["Chance"] == 47


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


@pytest.mark.parametrize(
    ("setting", "value", "says"),
    [
        (
            "death_stat",
            "multi-x",
            '"multi-x" is not allowed. Did you mean "multi-l"? Use multi-l, own type or literal.',
        ),
        ("allied_suply", "yes", '"allied_suply" is not a setting. Did you mean "allied_supply"?'),
        ("attrition_step", -1, "-1 is not allowed"),
        ("low_tax", 16, "16 is more than high_tax 15"),
    ],
)
def test_an_unreadable_setting_is_reported(setting: str, value: Any, says: str) -> None:
    rows = fight()
    rows["CiAIS Settings"] = [{"Setting": setting, "Value": value}]
    status, message = said(rows)

    assert status == "Invalid"
    assert says in message, message
