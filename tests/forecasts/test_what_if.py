"""What if: cells named as people name them, and every check of the form still there."""

from dataclasses import replace

import pytest

from scripts.support.workbooks import example, forms, read, workbook
from sheets_algo.database.records import Database
from sheets_algo.forecasts.questions import WhatIf, from_receipt, from_row
from sheets_algo.forecasts.what_if import parse_sweep
from sheets_algo.forms.edits import BadEdit, apply_edits, parse_edit
from sheets_algo.replays.replay import CannotReplay
from sheets_algo.ruling.forecast.forecast_rows import forecast_seed
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from tests.helpers.tabs import key

WARS = forms()[0]


def opened(rows=None, form=WARS, name="1066", request="W-0002"):
    """Snapshot, book and the request as it stands."""
    snapshot = read(workbook(rows or example(name)))
    book = Database(snapshot, form.records(), form.vocabulary)
    return snapshot, book, from_row(form, book, book.table(form.request).by_request[request.casefold()][0], 1)


def edit(typed, form=WARS, **more):
    _, book, asked = opened(form=form, **more)
    return parse_edit(typed, form, book, asked.request)


@pytest.mark.parametrize(
    ("typed", "row", "attribute", "value"),
    [
        ("Militaries!Harold's Host!Size=7.000", "Harold's Host", "size", "7.000"),  # NUM-02: the column decides
        ("Militaries!Harold's Host!Size=9000", "Harold's Host", "size", 9000),
        ("militaries ! harold's host ! SIZE = 9000", "Harold's Host", "size", 9000),
        ("Nations!England!Stability=87.5", "England", "stability", 87.5),
        ("Nations!England!Trade=", "England", "trade", None),
        ("Nations!England!Trade=Major", "England", "trade", "Major"),
        ("War Requests!W-0002!Year=1070", "W-0002", "year", 1070),
        ("War Requests!W-0002!War=A = B! C!Year=5", "W-0002", "war", "A = B! C!Year=5"),
        ("Nations!row 2!Stability=1", "England", "stability", 1),
    ],
)
def test_an_edit_names_tab_row_and_header(typed, row, attribute, value):
    found = edit(typed)

    assert (found.row.name, found.attribute, found.value) == (row, attribute, value)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("Size=9000", "names no cell. Type it as Tab!Row!Column=value."),
        ("Militaries!Harold's Host", "names no cell."),
        ("Militarys!Harold's Host!Size=1", 'this request has no tab "Militarys". Did you mean "Militaries"?'),
        ("Militaries!Harolds Host!Size=1", 'Militaries has no row "Harolds Host". Did you mean "Harold\'s Host"?'),
        ("Militaries!Harold's Host!Sise=1", 'Militaries has no column "Sise". Did you mean "Size"?'),
        ("War Requests!W-0002!Status=Done", "Status is the program's own; change another column."),
        ("War Requests!W-0002!Seed=4", "Seed is no input of what is ruled; change another column."),
        ("War Requests!W-0002!Request=X", "Request is no input of what is ruled"),
        ("Units!Huscarl!Speed=9", "It is built in; to change it, add it to the tab Units."),
        ("Flanks!left!X=9", "rows of Flanks have no names; type row 7 for the one in line 7."),
        ("Nations!row 999!Stability=9", 'Nations has no row "row 999".'),
    ],
)
def test_missing_cells_are_reported_in_a_sentence(typed, says):
    with pytest.raises(BadEdit) as found:
        edit(typed)

    assert says in str(found.value)
    assert str(found.value).startswith(f'"{typed}"')


def test_fc_02_a_changed_cell_is_read_by_the_form():
    snapshot, _, asked = opened()
    what_if = WhatIf(snapshot, asked)

    changed = what_if.with_edits("", [parse_edit("Militaries!Harold's Host!Size=9000", WARS, what_if.book, "W-0002")])

    assert changed.inputs.defender.military.size == 9000
    assert changed.seed == asked.seed
    assert asked.inputs.defender.military.size == 7000
    assert changed.inputs.attacker == asked.inputs.attacker


def test_an_edit_refused_by_the_form_names_its_cell():
    snapshot, _, asked = opened()
    what_if = WhatIf(snapshot, asked)
    typed = "Locations!Southeast England!Climate=Damp"

    with pytest.raises(BadEdit) as found:
        what_if.with_edits(typed, [parse_edit(typed, WARS, what_if.book, "W-0002")])

    assert str(found.value).startswith(f'"{typed}": Locations!')
    assert '"Damp" is not allowed. Use ' in str(found.value)
    assert str(found.value).endswith("[LOC-03]")


def test_two_missing_columns_can_be_edited_together():
    rows = example("1066")
    kept = [{name: row[name] for name in row if name not in ("Trade", "Medicine")} for row in rows["Nations"]]
    heads = list(dict.fromkeys(name for row in kept for name in row))
    snapshot = read(workbook({**rows, "Nations": kept}, {"Nations": heads}))
    book = Database(snapshot, WARS.records(), WARS.vocabulary)
    edits = [parse_edit(f"Nations!England!{text}", WARS, book, "W-0002") for text in ("Trade=Major", "Medicine=Herbs")]

    for _ in range(2):  # the snapshot that was read is left alone
        sheet = apply_edits(snapshot, edits).sheet(key("Nations"))
        assert [*sheet.rows[1][len(heads) :]] == ["Trade", "Medicine"]
        assert [*sheet.rows[2][len(heads) :]] == ["Major", "Herbs"]
    assert len(snapshot.sheet(key("Nations")).rows[1]) == len(heads)


def test_a_ruled_request_cannot_be_edited():
    snapshot, _, asked = opened()
    with pytest.raises(BadEdit, match="W-0002 is ruled"):
        WhatIf(snapshot, replace(asked, receipt=StoredReceipt(seq=2, kind="Ruling")))


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ({"inputs": "{}"}, "Receipt 2 (W-0002) cannot be forecast again: its inputs have been changed"),
        ({"seed": "lucky"}, 'Receipt 2 (W-0002) cannot be forecast again: its seed "lucky" is not a number.'),
    ],
)
def test_a_damaged_receipt_is_reported(damage, says):
    _, _, asked = opened()
    kept = {"seq": 2, "kind": "Ruling", "request": "W-0002", "inputs": asked.frozen, "seed": "7"}

    with pytest.raises(CannotReplay) as found:
        from_receipt(StoredReceipt(**kept | damage), WARS, None)

    assert str(found.value).startswith(says)
    assert from_receipt(StoredReceipt(**kept), WARS, None).seed == forecast_seed("W-0002", asked.frozen)


def sweep(typed):
    _, book, asked = opened()
    return parse_sweep(typed, WARS, book, asked.request).values


def test_a_sweep_covers_its_range():
    assert sweep("Militaries!Harold's Host!Size=5000:12000:8") == tuple(range(5000, 12001, 1000))
    assert sweep("Militaries!Harold's Host!Size=5:7:9") == (5, 6, 7)  # a whole number of men, each once
    assert sweep("Nations!England!Stability=100:50:3") == (100, 75, 50)
    assert sweep("Nations!England!Stability=70:90:1") == (70,)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("Nations!England!Stability=1:2:0", "0 is not a number of points. Use a whole number from 1 to 200."),
        ("Nations!England!Stability=1:2:2.5", "2.5 is not a number of points."),
        ("Nations!England!Stability=1:2:201", "201 is not a number of points."),
        ("Nations!England!Stability=1:2", '"1:2" is not a range. Type it as 5000:12000:8: from, to, points.'),
        ("Nations!England!Stability=", '"" is not a range.'),
        ("Nations!England!Stability=low:high:3", '"low:high:3" is not a range.'),
        ("Nations!England!Trade=1:2:3", "Trade is not a number, so it has no range; use --set."),
    ],
)
def test_a_sweep_without_points_is_refused(typed, says):
    with pytest.raises(BadEdit) as found:
        sweep(typed)

    assert says in str(found.value)


def test_a_sensitivity_varies_each_input_once():
    snapshot, _, asked = opened()

    found = WhatIf(snapshot, asked).levers()

    moved = {edit.name: (now, edit.value) for edit, now, _ in found}
    assert moved["Militaries!Harold's Host!Size"] == (7000, 7700)
    assert moved["Leaders!William of Normandy!Attack"] == (8, 8.8)
    assert len(moved) == len(found)
    assert not any(name.startswith(("Nations!Norway", "Nations!Byzantium")) for name in moved)
    assert not any("Year" in name or name.endswith("!Name") for name in moved)
    assert all(war.frozen != asked.frozen for _, _, war in found)


def test_a_number_at_its_maximum_is_lowered_and_a_word_moves_a_step():
    rows = example("1066")
    for leader in rows["Leaders"]:
        leader["Attack"] = 10
    for nation in rows["Nations"]:
        nation["Stability"] = 200
    rows["Units"] = [{"Name": "Huscarl", "Tactical Training": "Militia"}]
    next(row for row in rows["Militaries"] if row["Name"] == "William's Army")["Tactical Training"] = "Veterans"
    snapshot, _, asked = opened(rows)

    moved = {edit.name: edit.value for edit, _, _ in WhatIf(snapshot, asked).levers()}

    assert moved["Leaders!William of Normandy!Attack"] == 9
    assert moved["Units!Huscarl!Tactical Training"] == "Regular"
    assert moved["Militaries!William's Army!Tactical Training"] == "Professional"
    assert moved["Nations!England!Stability"] == 180
    ranked = WARS.ranks["Fortifications"]
    place = next(row for row in rows["Locations"] if row["Name"] == "Southeast England")
    before = place.get("Fortifications", "none")
    assert moved["Locations!Southeast England!Fortifications"] == ranked[ranked.index(before) + 1]


def test_a_sensitivity_varies_numbers_of_flanks():
    """A tenth further, back where the map ends; not the men, who must add up to the army."""
    rows = example("1066")
    flank = {"Request": "W-0002", "Side": "Defender", "Maneuver": "Normal"}
    rows["Flanks"] = [
        flank | {"X": 200, "Y": 390, "Infantry": 2000, "Cavalry": 2000},
        flank | {"X": 150, "Y": 204, "Infantry": 2550, "Cavalry": 450},
        flank | {"Request": "W-0001", "X": 9},
    ]
    snapshot, _, asked = opened(rows)

    moved = {edit.name: (now, edit.value) for edit, now, _ in WhatIf(snapshot, asked).levers()}

    assert {name: value for name, value in moved.items() if name.startswith("Flanks!")} == {
        "Flanks!row 2!X": (200, 220),
        "Flanks!row 2!Y": (390, 351),
        "Flanks!row 3!X": (150, 165),
        "Flanks!row 3!Y": (204, 224.4),
    }


def test_a_list_of_numbers_is_varied_as_one():
    """The power of a unit in three ranges, each of them a tenth stronger."""
    rows = example("1066")
    rows["Units"] = [{"Name": "Huscarl", "Power": "0.5; 1; 0"}]
    snapshot, _, asked = opened(rows)

    moved = {edit.name: (now, edit.value) for edit, now, _ in WhatIf(snapshot, asked).levers()}

    assert moved["Units!Huscarl!Power"] == ("0.5000; 1.0000; 0.0000", "0.5500; 1.1000; 0.0000")
