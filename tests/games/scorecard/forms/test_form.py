"""What a score war may be: every mistake names its cell, all of them at once; what may be doubted is warned of."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.workbooks import Rows, column, example, forms, messages, problems, read, run, workbook
from sheets_algo.database.records import Database
from sheets_algo.ruling.plan import Plan
from tests.helpers.tabs import key, keys

ATTACKER, DEFENDER = 0, 1


def one_war(attacker: dict[str, Any] | None = None, defender: dict[str, Any] | None = None, **cells: Any) -> Rows:
    """A sound war of China against Formosa, with some cells changed."""
    rows = example("scorecard")
    rows["Score Requests"] = [{"Request": "S-1", "War": "War", "Action": "Rule", "Ready": True} | cells]
    rows["Score Sides"] = [
        {
            "Request": "S-1",
            "Side": "Attacker",
            "Nation": "China",
            "Location": "Close to it",
            "Belligerents": "China (L)",
            "Motive": "Political",
            "Declared at": "09:05",
        }
        | (attacker or {}),
        {
            "Request": "S-1",
            "Side": "Defender",
            "Nation": "Formosa",
            "Location": 5,
            "Motive": "Life or death",
            "Declared at": "19:59",
        }
        | (defender or {}),
    ]
    return rows


def ruled(rows: Rows) -> Plan:
    return run(workbook(rows))


def found(rows: Rows) -> list[tuple[str, str]]:
    """Errors and warnings as (cell, rule)."""
    return problems(ruled(rows))


def says(rows: Rows) -> str:
    return messages(ruled(rows))[0][2]


def status(rows: Rows) -> str:
    return messages(ruled(rows))[0][1]


def row_of(rows: Rows, tab: str, name: str) -> dict[str, Any]:
    return next(row for row in rows[tab] if name in (row.get("Nation"), row.get("Leader")))


def test_a_valid_war_is_ruled_without_remarks() -> None:
    rows = one_war()

    assert (found(rows), status(rows)) == ([], "Done")


@pytest.mark.parametrize("side", [ATTACKER, DEFENDER])
def test_sc_24_a_missing_side_is_reported(side: int) -> None:
    rows = one_war()
    missing = rows["Score Sides"].pop(side)["Side"]

    assert found(rows) == [("'Score Requests'!A2", "SC-24")]
    assert f"the tab Score Sides has no {missing} of this request. Add a row there with Request S-1" in says(rows)


def test_check_reports_sides_without_a_war() -> None:
    rows = one_war()
    rows["Score Sides"][1]["Request"] = "S-2"
    form = next(form for form in forms() if form.key == "scorecard")
    book = Database(read(workbook(rows)), form.records(), form.vocabulary)

    assert [(str(problem.cell), problem.nearest) for problem in form.check(book)] == [("'Score Sides'!A3", "S-1")]


def test_sc_24_a_duplicate_side_is_refused() -> None:
    rows = one_war()
    rows["Score Sides"].append(rows["Score Sides"][0] | {"Nation": "France"})

    assert found(rows) == [("'Score Sides'!B4", "SC-24")]
    assert "a second Attacker of S-1; the first is in row 2. Keep one row for each side." in says(rows)


def test_an_unreadable_side_is_not_reported_as_missing() -> None:
    assert found(one_war(defender={"Side": "Defendant"})) == [("'Score Sides'!B3", "SC-24")]


def test_invariant_12_the_order_of_the_sides_changes_nothing() -> None:
    """Neither totals nor seed, and each row gets its own result."""
    rows = one_war(attacker={"General": "Wu Peifu"}, defender={"General": "Tang Jingsong"})
    book, swapped_book = workbook(rows), workbook(rows | {"Score Sides": rows["Score Sides"][::-1]})
    [first], [second] = run(book).rulings, run(swapped_book).rulings

    assert (first.receipt.wiki, first.receipt.seed) == (second.receipt.wiki, second.receipt.seed)
    for header in ("Total", "Fate"):
        assert column(book, "Score Sides", header) == column(swapped_book, "Score Sides", header)[::-1]


def test_invariant_14_only_leaders_cells_change() -> None:
    rows = example("scorecard")
    book = workbook(rows)
    before = book.read(keys(*rows))
    run(book)
    after = book.read(keys(*rows))

    for tab in ("Score Nations", "Score Settings"):
        assert after.sheet(key(tab)) == before.sheet(key(tab))
    for tab in ("Score Requests", "Score Sides"):
        for row in rows[tab]:
            for header, value in row.items():
                assert column(book, tab, header)[rows[tab].index(row)] == value


@pytest.mark.parametrize(
    ("side", "level", "is_allowed"),
    [
        ("attacker", 2, True),
        ("attacker", "High ground", True),
        ("attacker", 3, False),
        ("attacker", "High-security fortress", False),
        ("attacker", 1.5, False),
        ("defender", 5, True),
        ("defender", "fortress", True),
        ("defender", 2.5, False),
    ],
)
def test_sc_02_each_side_accepts_its_levels(side: str, level: float | str, is_allowed: bool) -> None:
    rows = one_war(**{side: {"Tactical advantage": level}})
    row = 2 if side == "attacker" else 3

    assert found(rows) == ([] if is_allowed else [(f"'Score Sides'!E{row}", "SC-02")])


def test_sc_02_the_message_lists_an_attacker_s_levels() -> None:
    assert (
        "3 is not a level of an attacker. Use No defences, open field and the like or High ground / ambush,"
        " or a whole number from 1 to 2. [SC-02]"
    ) in says(one_war(attacker={"Tactical advantage": 3}))


@pytest.mark.parametrize("level", ["Open field", "open field (1)", None, 1, "1"])
def test_sc_02_the_default_level_has_several_spellings(level: Any) -> None:
    [ruling] = ruled(one_war(attacker={"Tactical advantage": level})).rulings

    assert "* '''Tactical advantage:''' 1 (No defences, open field and the like)" in ruling.receipt.wiki


@pytest.mark.parametrize(
    ("listed", "message"),
    [
        ("China (L), Japan (MX)", "Japan (MX): X is not one of the letters. Use L, M, S, V or W"),
        ("Korea (North)", "Korea (NORTH): H, N, O, R, T are not among the letters"),
        ("China (L), (M)", '"(M)" has no name before it'),
        ("China (L), Japan (M", '"Japan (M" has one bracket too many or too few'),
        ("China (L), Japan (M), Mali (S), japan (M), JAPAN (M)", '"Japan" is listed more than once. Write it once'),
        ("China (L), formosa (M)", "Formosa is the defender and cannot be on the list of the other side"),
    ],
)
def test_sc_04_invalid_lists_are_refused(listed: str, message: str) -> None:
    rows = one_war(attacker={"Belligerents": listed})

    assert status(rows) == "Invalid"
    assert message in says(rows)


@pytest.mark.parametrize(
    ("listed", "points"),
    [
        ("China (L)", 4),
        ("China(l) ,  Japan (m s)", 9),
        ("China (L); Japan (S, M),", 9),
        ("Korea (North) (L)", 4),
        ("[[China]] (L), Mali", 4),
        (None, 4),
    ],
)
def test_sc_04_lists_are_read_in_any_notation(listed: str | None, points: int) -> None:
    [ruling] = ruled(one_war(attacker={"Belligerents": listed})).rulings

    assert f"* '''Nations per side:''' {points} (" in ruling.receipt.wiki


@pytest.mark.parametrize(
    "other", ["Sao Tome", "São Tome", "Sao-Tome", "SaoTome", "Sa\u0303o Tome\u0301.", "(Sao) Tomé"]
)
def test_sc_op_25_two_spellings_of_a_nation_are_a_duplicate(other: str) -> None:
    rows = one_war(attacker={"Belligerents": f"China (L), São Tomé (M), {other} (M)"})
    rows["Score Nations"] += [{"Nation": "São Tomé", "Stability": 8}]

    assert status(rows) == "Invalid"
    assert '"São Tomé" is listed more than once' in says(rows)


@pytest.mark.parametrize("names", [("バリ", "パリ"), ("राम", "रोम"), ("กิน", "กัน")])
def test_sc_op_25_different_letters_make_different_names(names: tuple[str, str]) -> None:
    """Bali and Paris in Japanese, Ram and Rome in Hindi, and two words of Thai."""
    first, second = names
    rows = one_war(attacker={"Belligerents": f"China (L), {first} (MS), {second} (V)"})

    assert status(rows) == "Done"
    assert f"{first}, {second}" in says(rows)


@pytest.mark.parametrize("other", ["ﾊﾞﾘ", "バ・リ", "ハ\u3099リ"])
def test_sc_op_25_spellings_of_a_japanese_name_are_equal(other: str) -> None:
    assert "listed more than once" in says(one_war(attacker={"Belligerents": f"China (L), バリ (M), {other} (V)"}))


def test_sc_op_25_an_enemy_in_another_spelling_is_refused() -> None:
    assert "Formosa is the defender" in says(one_war(attacker={"Belligerents": "China (L), For-mosá (M)"}))


def test_sc_op_25_an_ally_on_both_sides_is_refused() -> None:
    rows = one_war({"Belligerents": "China (L), Mali (M)"}, {"Belligerents": "Formosa (L), Malí (S)"})

    assert status(rows) == "Invalid"
    assert "'Score Sides'!F3 (Formosa, Belligerents): Malí is on the lists of both sides. Keep it" in says(rows)


def test_sc_op_25_allies_without_a_row_give_a_warning() -> None:
    rows = one_war(attacker={"Belligerents": "China (L), Málí (M), Duchy 1 (M), Duchy 2 (S), Egypt"})

    assert status(rows) == "Done"
    assert [text.partition("warning: ")[2] for text in says(rows).splitlines()[1:]] == [
        'no row in Score Nations: "Málí". Did you mean "Mali"? [SC-OP-25]',
        "no row in Score Nations: Duchy 1, Duchy 2. Add one for each, or correct it. [SC-OP-25]",
    ]


@pytest.mark.parametrize(
    ("listed", "rule"),
    [
        ("China (M)", "SC-OP-03"),
        ("China (L), Japan (L)", "SC-OP-03"),
        ("China (L), Japan (MM)", "SC-OP-25"),
        ("China L", "SC-04"),
        ("China (L), Japan MW", "SC-04"),
    ],
)
def test_sc_op_03_sc_op_25_doubtful_lists_are_ruled_with_a_warning(listed: str, rule: str) -> None:
    rows = one_war(attacker={"Belligerents": listed})

    assert (found(rows), status(rows)) == ([("'Score Sides'!F2", rule)], "Done")


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"Nation": "France"}, "Wu Peifu serves France, not China"),
        ({"Status": "Retired"}, "Wu Peifu is retired"),
        ({"Status": "Dead"}, "Wu Peifu is dead"),
        ({"Status": "Wounded", "Unavailable turns": 2}, "Wu Peifu cannot serve for another 2 turns"),
    ],
)
def test_sc_03_unavailable_leaders_are_refused(cells: dict[str, Any], message: str) -> None:
    rows = one_war(attacker={"General": "Wu Peifu"})
    row_of(rows, "Score Leaders", "Wu Peifu").update(cells)

    assert [cell for cell, _ in found(rows)] == ["'Score Sides'!I2"]
    assert message in says(rows)


def test_sc_03a_a_recovered_leader_may_command() -> None:
    rows = one_war(attacker={"General": "Wu Peifu"})
    row_of(rows, "Score Leaders", "Wu Peifu").update({"Status": "Wounded", "Unavailable turns": 0})

    assert status(rows) == "Done"


def test_sc_03a_the_turns_without_service_count_down_with_the_year() -> None:
    wound = {"Status": "Wounded", "Unavailable turns": 3, "Wounded in": 1898}
    for date, left in (("1898", 3), ("1900", 1), ("1901", 0), ("1890", 3), ("May 1901", 3)):
        rows = one_war(attacker={"General": "Wu Peifu"})
        rows["Score Requests"][0]["Date"] = date
        row_of(rows, "Score Leaders", "Wu Peifu").update(wound)

        assert status(rows) == ("Invalid" if left else "Done"), date
        assert not left or f"Wu Peifu cannot serve for another {left} turn" in says(rows), date


def test_sc_03b_more_wins_than_battles_are_refused() -> None:
    rows = one_war(attacker={"General": "Wu Peifu"})
    row_of(rows, "Score Leaders", "Wu Peifu").update(Wins=3, Battles=2)

    assert "3 wins, but only 2 battles. Enter at most as many wins as battles. [SC-03b]" in says(rows)


def test_sc_op_16_missing_edits_without_chance_are_refused() -> None:
    rows = one_war()
    row_of(rows, "Score Nations", "China")["Edits"] = 0

    assert found(rows) == [("'Score Sides'!L3", "SC-OP-16")]
    for cells in ({"Chance": 3}, {"Opponent edits": 12}):
        mended = one_war(defender=cells)
        row_of(mended, "Score Nations", "China")["Edits"] = 0
        assert status(mended) == "Done"


def test_sc_11_a_time_is_required_without_a_given_chance() -> None:
    assert found(one_war(attacker={"Declared at": None})) == [("'Score Sides'!K2", "SC-11")]
    assert status(one_war(attacker={"Declared at": None, "Chance": 0})) == "Done"


def test_sc_op_11_soldiers_of_one_side_only_give_a_warning() -> None:
    rows = one_war(attacker={"Soldiers": 20_000})

    assert (found(rows), status(rows)) == ([("'Score Sides'!J3", "SC-OP-11")], "Done")


def test_sc_op_31_a_nation_against_itself_is_refused() -> None:
    assert found(one_war(defender={"Nation": "china"})) == [("'Score Sides'!C3", "SC-OP-31")]


@pytest.mark.parametrize("cell", ["Army=5; motive = 2", "Army=5;Motive=2;", "ARMY=5,0; Motive=+2"])
def test_sc_op_27_overrides_are_read_in_any_notation(cell: str) -> None:
    [ruling] = ruled(one_war(attacker={"Overrides": cell})).rulings

    assert "* China (Attacker), Motive: 2\n* China (Attacker), Army: 5" in ruling.receipt.wiki


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("Armee=5", '"Armee" is not a factor. Did you mean "Army"?'),
        ("Army", '"Army" has no points.'),
        ("Army=many", '"many" is not a number of points.'),
        ("Army=1e30", '"1e30" is not a number of points.'),
        ("Army=1,000", '"1,000" could mean 1 or 1000.'),
        ("Army=1; army=2", "Army is there twice. Keep one number for each factor."),
    ],
)
def test_sc_op_27_invalid_overrides_are_refused(cell: str, message: str) -> None:
    rows = one_war(attacker={"Overrides": cell})

    assert found(rows) == [("'Score Sides'!P2", "SC-OP-27")]
    assert message in says(rows)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("chance_digits", "hundredths", '"chance_digits" is not a setting. Did you mean "chance_digit"?'),
        ("chance_digit", "tenths", '"tenths" is not allowed. Use hundredths or thousandths.'),
        ("army_factor", "ten", '"ten" is not a number. Enter a number; the tables have 10.'),
        ("army_factor", "1e12", "1000000000000 is not allowed. Use a number from -1,000,000 to 1,000,000."),
        ("Next to it/points", 3, '"Next to it/points" is not a setting'),
    ],
)
def test_sc_op_01_invalid_settings_are_refused(name: str, value: str, message: str) -> None:
    rows = one_war() | {"Score Settings": [{"Setting": name, "Value": value}]}

    assert status(rows) == "Invalid"
    assert message in says(rows)


def test_sc_op_01_settings_are_read_in_any_notation() -> None:
    rows = one_war()
    rows["Score Settings"] = [
        {"Setting": "Chance_Digit", "Value": "Thousandths"},
        {"Setting": "army_factor", "Value": "0,5"},
    ]
    [ruling] = ruled(rows).rulings

    assert "* Setting army_factor: 0.5\n* Setting chance_digit: thousandths" in ruling.receipt.wiki
    assert "* '''Chance:''' 5 (09:05, 1,200 edits, X = 83.7758)" in ruling.receipt.wiki
    assert "* '''Army:''' 1 (2 × 0.5)" in ruling.receipt.wiki


def test_a_workbook_needs_no_settings() -> None:
    rows = one_war()
    del rows["Score Settings"]

    assert status(rows) == "Done"


def test_sc_op_30_numbers_beyond_a_million_million_are_refused() -> None:
    rows = one_war()
    row_of(rows, "Score Nations", "China")["Army score"] = 2e12

    assert found(rows) == [("'Score Nations'!D6", "SC-07")]


def test_a_given_seed_is_printed_and_reproducible() -> None:
    wikis = {ruled(one_war(attacker={"General": "Wu Peifu"}, Seed=42)).rulings[0].receipt.wiki for _ in range(2)}

    assert len(wikis) == 1
    assert wikis.pop().endswith("=== Moderator's rulings ===\n* Seed: 42")


def test_wars_of_a_pass_see_results_of_earlier_ones() -> None:
    """A general who dies in the first war cannot command in the second."""
    rows = one_war(attacker={"General": "Wu Peifu", "General roll": 9})
    rows["Score Requests"].append(rows["Score Requests"][0] | {"Request": "S-2"})
    rows["Score Sides"] += [side | {"Request": "S-2"} for side in rows["Score Sides"]]

    (_, first, _), (_, second, message) = messages(ruled(rows))
    assert (first, second) == ("Done", "Invalid")
    assert "Wu Peifu is dead" in message
