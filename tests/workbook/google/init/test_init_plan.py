"""What `init` sends to a Google spreadsheet, read from the requests themselves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from scripts.support.workbooks import forms
from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.google.init.complete import Completion, plan
from sheets_algo.workbook.google.init.current_template import CurrentSpreadsheet, CurrentTab
from sheets_algo.workbook.google.init.styles import number_format
from sheets_algo.workbook.google.init.template_places import Places, in_every_locale
from sheets_algo.workbook.template_spec import AreaSpec, CellCheck, CellSpec, ColumnSpec, FormulaSpec, TabSpec, Template
from tests.helpers.rows import each
from tests.helpers.tabs import key
from tests.helpers.templates import SEASON_START, of_rulesets, whole

WHEN = datetime(2026, 3, 1, 12, tzinfo=UTC)
FRESH = CurrentSpreadsheet(name="Game", ids=frozenset([0]), spare=0)
SHOULD_STAY_BELOW = 2_000_000


def receipts() -> TabSpec:
    return next(tab for tab in whole().tabs if tab.name == "Receipts")


def small(*tabs: TabSpec) -> Template:
    """Some tabs and Receipts, without a season."""
    return Template((*tabs, replace(receipts(), rows=[])), opens_with=tabs[0].key)


def people(*columns: ColumnSpec, rows: tuple[tuple[CellSpec, ...], ...] = ()) -> TabSpec:
    return TabSpec(key=key("Nations"), columns=columns, rows=rows)


def requested(completion: Completion, kind: str) -> Iterator[dict[str, Any]]:
    return (request[kind] for batch in completion.batches for request in batch if kind in request)


def conditions(completion: Completion) -> list[tuple[str, tuple[str, ...]]]:
    """Kind and values of the drop-downs and ranges."""
    found = [rule["rule"]["condition"] for rule in requested(completion, "setDataValidation")]
    return [
        (condition["type"], tuple(value["userEnteredValue"] for value in condition.get("values", ())))
        for condition in found
    ]


def takes(check: CellCheck) -> Completion:
    return plan(small(people(ColumnSpec(header="Name", width=9, checks=[check]))), FRESH, WHEN)


def test_a_new_spreadsheet_is_one_bounded_request_opened_by_the_guard() -> None:
    main = of_rulesets(forms()[0].key)
    made = plan(main, FRESH, WHEN)
    digest = SEASON_START.digest

    assert len(made.batches) == 1
    assert len(json.dumps({"requests": made.batches[0]})) < SHOULD_STAY_BELOW
    assert made.batches[0][0]["createDeveloperMetadata"]["developerMetadata"] == {
        "metadataId": 1_066_000_001,
        "metadataKey": "sheets-algo",
        "metadataValue": f"1772366400 fbd347b0f54d31ac 1-{digest}",
        "location": {"spreadsheet": True},
        "visibility": "DOCUMENT",
    }
    assert made.batches[0][-1] == {"deleteSheet": {"sheetId": 0}}
    assert made.tabs == tuple(tab.key for tab in main.tabs)


def test_all_rulesets_at_once_take_a_few_requests_of_bounded_size() -> None:
    made = plan(whole(), FRESH, WHEN)

    assert made.tabs == tuple(tab.key for tab in whole().tabs)
    assert len(made.batches) <= 4
    assert all(len(json.dumps({"requests": batch})) < SHOULD_STAY_BELOW for batch in made.batches)


def test_long_requests_are_split_with_tabs_and_receipts_first() -> None:
    rows = tuple((CellSpec("x" * 1000),) for _ in range(1500))
    notes, more = (
        TabSpec(key=key(name), columns=[ColumnSpec(header="Note", width=9)], rows=rows) for name in ("Notes", "More")
    )
    made = plan(replace(small(notes, more), season=whole().season, tabs=(notes, more, receipts())), FRESH, WHEN)

    assert [len(json.dumps({"requests": batch})) < SHOULD_STAY_BELOW for batch in made.batches] == [True, True]
    kinds = [next(iter(request)) for request in made.batches[0]]
    assert kinds[:4] == ["createDeveloperMetadata", "addSheet", "addSheet", "addSheet"]
    assert "addSheet" not in [next(iter(request)) for request in made.batches[1]]


def test_equal_spreadsheets_get_equal_requests_and_ids() -> None:
    once, again = plan(whole(), FRESH, WHEN), plan(whole(), FRESH, WHEN)

    assert once == again
    ids = [sheet["properties"]["sheetId"] for sheet in requested(once, "addSheet")]
    ids += [protection["protectedRange"]["protectedRangeId"] for protection in requested(once, "addProtectedRange")]
    assert len(set(ids)) == len(ids)
    assert all(0 < id < 2**31 for id in ids)


def test_an_id_of_an_existing_tab_is_not_reused() -> None:
    usual = next(requested(plan(whole(), FRESH, WHEN), "addSheet"))["properties"]["sheetId"]
    other = next(requested(plan(whole(), replace(FRESH, ids=frozenset([0, usual])), WHEN), "addSheet"))["properties"][
        "sheetId"
    ]

    assert other != usual


def test_columns_are_grouped_once_and_closed_by_default() -> None:
    tab = people(*(ColumnSpec(header=word, width=9, is_grouped=word in "bcf") for word in "abcdef"))
    made, opened = (plan(small(spec), FRESH, WHEN) for spec in (tab, replace(tab, is_open=True)))

    spans = [group["range"] for group in requested(made, "addDimensionGroup")]
    assert [(span["dimension"], span["startIndex"], span["endIndex"]) for span in spans] == [
        ("COLUMNS", 1, 3),
        ("COLUMNS", 5, 6),
    ]
    closed = [request["dimensionGroup"] for request in requested(made, "updateDimensionGroup")]
    assert closed == [{"range": span, "depth": 1, "collapsed": True} for span in spans]
    assert [group["range"] for group in requested(opened, "addDimensionGroup")] == spans
    assert not [*requested(opened, "updateDimensionGroup")]


def test_a_blank_tab_keeps_groups_made_by_a_person() -> None:
    tab = people(*(ColumnSpec(header=word, width=9, is_grouped=word in "bc") for word in "abcd"))
    blank = CurrentTab(id=7, title="Nations", rows=9, columns=4, groups=frozenset([(1, 2, 1)]))

    made = plan(small(tab), replace(FRESH, tabs={key("Nations"): blank}), WHEN)

    assert not [*requested(made, "addDimensionGroup"), *requested(made, "updateDimensionGroup")]


def test_only_template_formulas_become_formulas() -> None:
    hazards = ("=1+1", "+1", "@A1", "'007", "TRUE", "1066", "{=A1}")
    tab = people(
        ColumnSpec(header="Name", width=9),
        rows=(*((CellSpec(text),) for text in hazards), (CellSpec(FormulaSpec("1+1")),)),
    )
    grids = [update["rows"] for update in requested(plan(small(tab), FRESH, WHEN), "updateCells")]
    cells = [cell.get("userEnteredValue", {}) for rows in grids for row in rows for cell in row["values"]]

    assert [cell for cell in cells if "formulaValue" in cell] == [{"formulaValue": "=ARRAYFORMULA(1+1)"}]
    assert [{"stringValue": text} in cells for text in hazards] == [True] * len(hazards)


def test_values_keep_their_types() -> None:
    tab = people(
        *(ColumnSpec(header=name, width=9) for name in "ABCD"),
        rows=((CellSpec(True), CellSpec(0.5), CellSpec(7), CellSpec()),),
    )
    grids = [update["rows"] for update in requested(plan(small(tab), FRESH, WHEN), "updateCells")]

    assert {"values": [
        {"userEnteredValue": {"boolValue": True}},
        {"userEnteredValue": {"numberValue": 0.5}},
        {"userEnteredValue": {"numberValue": 7}},
        {},
    ]} in [row for rows in grids for row in rows]  # fmt: skip


@each(
    ("check", "condition"),
    [
        (CellCheck(rows=(2, 9), low=0, high=1), ("NUMBER_BETWEEN", ("0", "1"))),
        (CellCheck(rows=(2, 9), low=0.001, high=1e12), ("NUMBER_BETWEEN", ("=1/1000", "1000000000000"))),
        (CellCheck(rows=(2, 9), low=-3500, is_whole=True), ("NUMBER_GREATER_THAN_EQ", ("-3500",))),
        (CellCheck(rows=(2, 9), high=2.5), ("NUMBER_LESS_THAN_EQ", ("=5/2",))),
        (CellCheck(rows=(2, 9), source=("TRUE", "FALSE"), is_box=True), ("BOOLEAN", ())),
        (CellCheck(rows=(2, 9), source=("TRUE", "FALSE")), ("ONE_OF_LIST", ("TRUE", "FALSE"))),
        (
            CellCheck(rows=(2, 9), source=AreaSpec(key("Nations"), (2, 1), (9, 1))),
            ("ONE_OF_RANGE", ("='Nations'!$A$2:$A",)),
        ),
    ],
)
def test_every_value_that_cells_accept_is_written(check: CellCheck, condition: tuple[str, tuple[str, ...]]) -> None:
    """Fractions are formulas: 0.001 is no number where people write a comma."""
    made = takes(check)

    assert conditions(made) == [condition]
    rule = next(requested(made, "setDataValidation"))
    assert (rule["range"]["startRowIndex"], rule["range"]["endRowIndex"]) == (1, 9)
    assert (rule["rule"]["strict"], rule["rule"]["showCustomUi"]) == (False, True)


def test_a_column_without_limits_has_no_rule() -> None:
    assert conditions(takes(CellCheck(rows=(2, 2001), hint="The program writes this column."))) == []


def test_a_fixed_list_needs_no_range() -> None:
    lists = TabSpec(
        key=key("Lists"),
        columns=[ColumnSpec(header=name, width=9) for name in ("Column", "Value")],
        rows=[(CellSpec(), CellSpec("Ocean")), (CellSpec(), CellSpec("Arid"))],
        is_needed=False,
    )
    check = CellCheck(rows=(2, 2001), source=AreaSpec(key("Lists"), (2, 2), (3, 2)))
    made = plan(small(people(ColumnSpec(header="Climate", width=9, checks=[check])), lists), FRESH, WHEN)

    assert conditions(made) == [("ONE_OF_LIST", ("Ocean", "Arid"))]


def test_every_dependent_drop_down_names_its_own_row() -> None:
    """The example workbook fills 205 rows of War Requests; each side's military has its own list in each."""
    made = plan(whole(), FRESH, WHEN)
    war = next(
        sheet["properties"]["sheetId"]
        for sheet in requested(made, "addSheet")
        if sheet["properties"]["title"] == "War Requests"
    )
    own = [
        (validation["range"]["startRowIndex"] + 1, validation["rule"]["condition"]["values"][0]["userEnteredValue"])
        for validation in requested(made, "setDataValidation")
        if validation["range"]["sheetId"] == war
        and validation["range"].get("endRowIndex") == validation["range"]["startRowIndex"] + 1
    ]

    assert sorted({row for row, _ in own}) == list(range(2, 207))
    assert len(own) == 2 * 205
    assert all(f"${row}:" in address and address.endswith(f"${row}") for row, address in own)


def test_cells_with_a_default_no_have_check_marks() -> None:
    """A box that nobody has ticked looks like a no; Commit Stability is yes when blank."""
    made = plan(whole(), FRESH, WHEN)
    tabs = {sheet["properties"]["title"]: sheet["properties"]["sheetId"] for sheet in requested(made, "addSheet")}
    heads = next(tab for tab in whole().tabs if tab.name == "War Requests").top_row
    kinds = {
        heads[validation["range"]["startColumnIndex"]]: validation["rule"]["condition"]["type"]
        for validation in requested(made, "setDataValidation")
        if validation["range"]["sheetId"] == tabs["War Requests"]
    }

    assert (kinds["Ready"], kinds["Commit Stability"]) == ("BOOLEAN", "ONE_OF_LIST")


def test_number_formats_are_translated() -> None:
    cases = [
        ("General", None),
        ('"TRUE";"TRUE";"FALSE"', None),
        ("@", {"type": "TEXT"}),
        ("0.00", {"type": "NUMBER", "pattern": "0.00"}),
        ('"$"#,##0_)', {"type": "NUMBER", "pattern": '"$"#,##0_)'}),
    ]
    assert [(excel, number_format(excel)) for excel, _ in cases] == cases


def test_addresses_follow_renamed_tabs_and_moved_columns() -> None:
    """The headers stand in row 3, and the second column where the fourth was."""
    places = Places({key("War Requests"): CurrentTab(id=1, title="wars  of '66", header_row=3, places={1: 1, 2: 4})})

    assert places.address(AreaSpec(key("War Requests"), (2, 2), (9, 2))) == "'wars  of ''66'!$D$4:$D$11"
    assert places.address(AreaSpec(key("War Requests"), (2, 2), (9, 2)), is_open=True) == "'wars  of ''66'!$D$4:$D"
    assert places.formula("IF('War Requests'!$B$2=\"\",\"\",'War Requests'!$A$2:$B$9)") == (
        "IF('wars  of ''66'!$D$4=\"\",\"\",'wars  of ''66'!$A$4:$D$11)"
    )
    assert places.address(AreaSpec(key("War Requests"), (2, 3), (9, 3))) is None
    assert places.formula("'War Requests'!$C$2") is None


def test_formulas_work_with_a_decimal_comma() -> None:
    cases = [
        ('IF(A1="","",A1)', 'IF(A1="";"";A1)'),
        ('SUBSTITUTE(A1,", ",";")', 'SUBSTITUTE(A1;", ";";")'),
        ("VLOOKUP('a, b'!$A$1,B2,2,FALSE)", "VLOOKUP('a, b'!$A$1;B2;2;FALSE)"),
        ("SMALL(A1,{1,2,3})", "SMALL(A1;COLUMN($A$1:$C$1))"),
    ]
    assert [(english, in_every_locale(english)) for english, _ in cases] == cases


def test_no_formula_of_a_new_spreadsheet_depends_on_the_locale() -> None:
    grids = [update["rows"] for update in requested(plan(whole(), FRESH, WHEN), "updateCells")]
    cells = (cell for rows in grids for row in rows for cell in row["values"])
    formulas = {
        cell["userEnteredValue"]["formulaValue"] for cell in cells if "formulaValue" in cell.get("userEnteredValue", {})
    }

    assert len(formulas) > 1000
    assert not [formula for formula in formulas if set(re.sub('"[^"]*"', "", formula)) & set(",{}\\")]


def test_deleted_receipts_do_not_begin_a_new_season() -> None:
    with pytest.raises(WorkbookUnavailable, match=r"^Game: receipts were written here.*Version history, or begin"):
        plan(whole(), replace(FRESH, slots=frozenset([1_066_000_007])), WHEN)
