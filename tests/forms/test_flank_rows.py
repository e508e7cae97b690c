"""Rows of Flanks that stand for several flanks, and strategies that another war uses again (STRAT-13)."""

from __future__ import annotations

import json
from typing import Any

from engine.autoalgo.setup.strategy import flank_table
from scripts.support.workbooks import column, example, forms, messages, problems, run, workbook
from sheets_algo.forms.autoalgo.form import AutoalgoForm

WAR, OTHER = "W-0002", "W-0004"


def wars(*flanks: dict[str, Any], ids: tuple[str, ...] = (WAR,), **cells: object) -> dict[str, Any]:
    """Wars of the example with these rows of Flanks, and cells of the last war."""
    rows = example("1066")
    rows["War Requests"] = [row for row in rows["War Requests"] if row["Request"] in ids]
    rows["War Requests"][-1] |= cells
    rows["Flanks"] = [{"Request": WAR, "Side": "Attacker"} | row for row in flanks]
    return rows


def fought(rows: dict[str, Any], side: str = "attacker") -> list[dict[str, Any]]:
    """The flanks of a side in the inputs of the last ruling, with the places where they began."""
    [*_, ruling] = run(workbook(rows)).rulings
    frozen = ruling.receipt.inputs
    flanks: list[dict[str, Any]] = json.loads(frozen)[side]["flanks"]
    form = next(form for form in forms() if form.key == ruling.receipt.ruleset)
    assert isinstance(form, AutoalgoForm)
    plans = flank_table(form.deserialize(frozen), ("attacker", "defender").index(side), form.tables)
    return [flank | {"x": plan.x, "y": plan.y} for flank, plan in zip(flanks, plans, strict=True)]


def places(flanks: list[dict[str, Any]]) -> list[tuple[float, float]]:
    return [(flank["x"], flank["y"]) for flank in flanks]


def test_a_line_has_equal_distances_and_divided_men() -> None:
    row = {"Flank": "wall", "X": 180, "Y": 180, "To X": 210, "To Y": 186, "Flanks": 4, "Maneuver": "Position"}
    flanks = fought(wars(row | {"Infantry": 3750, "Cavalry": 2250, "Artillery": 1500}))

    assert places(flanks) == [(180, 180), (190, 182), (200, 184), (210, 186)]
    assert [flank["label"] for flank in flanks] == ["wall 1", "wall 2", "wall 3", "wall 4"]
    assert [flank["infantry"] for flank in flanks] == [938, 938, 937, 937]
    assert {flank["maneuver"] for flank in flanks} == {"Position"}


def test_a_formation_faces_the_enemy_around_its_place() -> None:
    row = {"Flanks": 3, "Formation": "wedge", "X": 100}

    assert places(fought(wars(row))) == [(90, 174.5), (100, 182), (110, 174.5)]
    assert places(fought(wars(row | {"Side": "Defender"}), "defender")) == [(90, 225.5), (100, 218), (110, 225.5)]


def test_a_row_without_formation_is_one_flank_at_its_place() -> None:
    [flank] = fought(wars({"Flank": "host", "X": 100}))

    assert (flank["label"], flank["x"], flank["y"]) == ("host", 100, 182)


def test_single_flanks_and_formations_can_be_mixed() -> None:
    flanks = fought(wars({"Flank": "guard", "X": 200, "Y": 150}, {"Flanks": 2}))

    assert places(flanks) == [(200, 150), (195, 182), (205, 182)]


def test_a_formation_s_row_summarizes_its_flanks_ends() -> None:
    rows = wars({"Flanks": 12, "Formation": "two lines"}, {"Side": "Defender", "Maneuver": "Normal"})
    book = workbook(rows)
    run(book)

    statuses = [part.split() for part in str(column(book, "Flanks", "End Status")[0]).split(", ")]
    assert sum(int(number) for number, _ in statuses) == 12
    assert column(book, "Flanks", "End X")[0] is None
    assert column(book, "Flanks", "End X")[1] is not None
    assert sum(column(book, "Flanks", f"End {kind}")[0] for kind in ("Infantry", "Cavalry", "Artillery")) > 7_500 * 0.1
    assert not run(book).writes.changes


def test_line_ends_off_the_map_or_incomplete_are_refused() -> None:
    made = run(workbook(wars({"Flanks": 2, "X": 1, "Y": 1, "To X": 400, "To Y": "far", "Strategy": "x" * 2001})))

    assert problems(made) == [("Flanks!M2", "FLR-21"), ("Flanks!N2", "FLR-22"), ("Flanks!O2", "FLR-23")]


def test_a_formation_without_places_gets_default_places() -> None:
    """It keeps its shape and gives way to an enemy who was placed in its line (R-111)."""
    enemy = {"Side": "Defender", "X": 200, "Y": 150}
    ring = {"Flanks": 4, "Formation": "ring", "Maneuver": "Position"}

    alone, moved = places(fought(wars(ring))), places(fought(wars(ring, enemy)))
    assert alone == [(200, 189.1), (207.1, 182), (200, 174.9), (192.9, 182)]
    assert moved == [(x, 400 - y) for x, y in alone]


# Strategies that are used again

LINES = {"Flank": "host", "Flanks": 12, "Formation": "two lines", "Strategy": "my lines"}


def test_a_war_can_reuse_another_s_strategy_by_name() -> None:
    rows = wars(LINES, ids=(WAR, OTHER), **{"Attacker Strategy": "My  Lines"})

    assert places(fought(rows)) == places(fought(wars(LINES)))


def test_a_strategy_reused_by_the_other_side_is_mirrored() -> None:
    flanks = fought(wars(LINES, ids=(WAR, OTHER), **{"Defender Strategy": "my lines"}), "defender")

    mirrored = [(x, 400 - y) for x, y in places(fought(wars(LINES)))]
    assert places(flanks) == mirrored


def test_r_111_a_strategy_on_the_enemy_s_places_is_mirrored() -> None:
    """Its rows became the defender's by Switch sides, and stayed in the north."""
    north = LINES | {"Side": "Defender", "X": 200, "Y": 182}
    alone = places(fought(wars(north), "defender"))
    rows = wars(north, {"Request": OTHER, "Side": "Attacker", "X": 200, "Y": 150}, ids=(WAR, OTHER))
    rows["War Requests"][-1]["Defender Strategy"] = "my lines"

    assert max(y for _, y in alone) < 200
    assert places(fought(rows, "defender")) == [(x, 400 - y) for x, y in alone]


def test_changing_a_strategy_changes_wars_that_reuse_it() -> None:
    rows = wars(LINES | {"X": 150}, ids=(WAR, OTHER), **{"Attacker Strategy": "my lines"})

    assert places(fought(rows))[0] == (125, 182)


def test_own_rows_override_a_reused_strategy_with_a_note() -> None:
    own = {"Request": OTHER, "Side": "attacker", "X": 300}
    made = run(workbook(wars(LINES, own, ids=(WAR, OTHER), **{"Attacker Strategy": "my lines"})))

    assert [flank["x"] for flank in json.loads(made.rulings[-1].receipt.inputs)["attacker"]["flanks"]] == [300]
    assert problems(made)[-1][1] == "WAR-16"
    assert 'rows of its own in Flanks, which count instead of "my lines". Clear the cell' in messages(made)[-1][2]


def test_an_unknown_strategy_is_refused_with_the_nearest() -> None:
    made = run(workbook(wars(LINES, ids=(WAR, OTHER), **{"Attacker Strategy": "my line"})))

    assert 'no row of Flanks has "my line" in its column Strategy. Did you mean "my lines"?' in messages(made)[-1][2]


def test_an_ambiguous_strategy_name_is_refused() -> None:
    made = run(
        workbook(wars(LINES, LINES | {"Side": "Defender"}, ids=(WAR, OTHER), **{"Attacker Strategy": "my lines"}))
    )

    assert "several strategies in Flanks: the attacker's of W-0002, the defender's of W-0002" in messages(made)[-1][2]


def test_a_mistake_in_a_strategy_blocks_wars_that_reuse_it() -> None:
    made = run(workbook(wars(LINES | {"X": 500}, ids=(WAR, OTHER), **{"Attacker Strategy": "my lines"})))

    assert not made.rulings
    assert all("Flanks!D2" in text for _, _, text in messages(made))
