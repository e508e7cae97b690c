"""Sides of several nations and armies, from their cells to sizes, Stability and undo (R-130, R-131, R-133)."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.workbooks import NOW, Rows, check, forms, grids, read, run, undo
from sheets_algo.database.members import UnclearMembers, members, nation_and_party
from sheets_algo.forms.databases import open_database
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.workbook.memory import MemoryWorkbook

NATIONS = ("Norden", "Rivan", "Westar", "Trinidad and Tobago", "Korea, Republic of", "Tobago")
ARMIES = {"Host": ("Norden", 6_000), "River Host": ("Rivan", 3_000), "West Host": ("Westar", 9_000)}


def season(*wars: dict[str, Any], armies: Rows | None = None, flanks: Any = (), **tabs: Any) -> MemoryWorkbook:
    """Return a season of nations alike, each with an army, and wars at Ford, of which A is Norden's on Westar."""
    nations = [{"Name": name, "Population": 1_000_000, "Year Founded": 200, "Year Crisis": 280} for name in NATIONS]
    own = [{"Nation": nation, "Name": name, "Size": size} for name, (nation, size) in ARMIES.items()]
    requests = [
        {"War": "A", "Year": 300, "Attacker": "Norden", "Defender": "Westar", "Location": "Ford", "Ready": True} | war
        for war in wars
    ]
    rows = {"Nations": nations, "Militaries": [*own, *(armies or [])], "Locations": [{"Name": "Ford"}]}
    return MemoryWorkbook(grids({**rows, "War Requests": requests, "Flanks": list(flanks), **tabs}))


def column(book: MemoryWorkbook, tab: str, header: str) -> list[Any]:
    """Return the cells of a column by the order of the rows."""
    heads, *rows = book.rows(tab)
    place = heads.index(header)
    return [row[place] if place < len(row) else None for row in rows]


def by_name(book: MemoryWorkbook, tab: str, header: str) -> dict[Any, Any]:
    return dict(zip(column(book, tab, "Name"), column(book, tab, header), strict=True))


def problems(book: MemoryWorkbook) -> list[str]:
    return [str(problem) for problem in check(read(book), forms()) if problem.is_error]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Trinidad and Tobago", ["Trinidad and Tobago"]),
        ("Korea, Republic of", ["Korea, Republic of"]),
        ("Tobago and Korea, Republic of", ["Tobago", "Korea, Republic of"]),
        ("Trinidad and Tobago + Tobago", ["Trinidad and Tobago", "Tobago"]),
        ("Norden (rebels)", ["Norden (rebels)"]),
        ("norden (rebels) and Rivan (L)", ["Rivan", "Norden (rebels)"]),
        ("norden, RIVAN", ["Norden", "Rivan"]),
        ("Norden & Rivan", ["Norden", "Rivan"]),
        ("Norden\nRivan", ["Norden", "Rivan"]),
        ("Rivan (leader) and Norden", ["Rivan", "Norden"]),
        ("Norden, Rivan and Korea, Republic of", ["Norden", "Rivan", "Korea, Republic of"]),
    ],
)
def test_wrs_02_whole_names_take_precedence(text: str, names: list[str]) -> None:
    assert list(members(text, NATIONS)) == names


@pytest.mark.parametrize(
    ("text", "known", "says"),
    [
        ("A and B and C", ("A", "B and C", "A and B", "C"), '"A and B and C" may be A | B and C, or A and B | C'),
        ("Norden + Riva", NATIONS, 'no nation is called "Riva"'),
        ("Norden (L) + Rivan (L)", NATIONS, "Norden and Rivan are both marked as the leader"),
    ],
)
def test_wrs_02_unreadable_coalitions_are_refused(text: str, known: tuple[str, ...], says: str) -> None:
    with pytest.raises(UnclearMembers) as refused:
        members(text, known)
    assert str(refused.value) == says


def test_r_133_a_party_without_a_row_belongs_to_a_nation() -> None:
    assert nation_and_party("Norden (rebels)", NATIONS) == ("Norden", "rebels")
    assert nation_and_party("Norden (rebels)", ("Norden (rebels)", "Norden")) == ("Norden (rebels)", "")


def test_r_131_each_army_loses_its_own_men_and_undo_restores_them() -> None:
    wars = [{"War": name, "Attacker": "Norden + Rivan", "Year": 300 + year} for year, name in enumerate("ABCDE")]
    book = season(*wars)
    before = by_name(book, "Militaries", "Size"), by_name(book, "Nations", "Stability")
    run(book)
    after = by_name(book, "Militaries", "Size")

    lost = {name: size - after[name] for name, size in before[0].items()}
    assert min(lost.values()) > 0
    told = [cell.split("; ")[1] for cell in column(book, "War Requests", "Attacker Losses")]
    by_member = [[int(part.split()[1].replace(",", "")) for part in text.split(", ") if part] for text in told]
    fell = [sum(men) for men in zip(*by_member, strict=True)]  # the wounded who are back count there
    assert [men / 2 < lost[army] <= men for men, army in zip(fell, ("Host", "River Host"), strict=True)] == [True] * 2
    moved = by_name(book, "Nations", "Stability")
    assert None not in (moved["Norden"], moved["Rivan"], moved["Westar"])

    for number in (5, 4, 3, 2, 1):
        snapshot = read(book)
        book.commit(snapshot, undo(snapshot, forms(), f"W-000{number}", NOW)[1])
    assert (by_name(book, "Militaries", "Size"), by_name(book, "Nations", "Stability")) == before


def test_r_130_thirty_members_fit_the_limit_of_flanks() -> None:
    names = [f"Duchy {number}" for number in range(29)]
    nations = [{"Name": name, "Population": 90_000, "Year Founded": 200, "Year Crisis": 280} for name in names]
    armies = [{"Nation": name, "Name": f"Guard of {name}", "Size": 1 + 40 * place} for place, name in enumerate(names)]
    book = season({"Attacker": " + ".join(("Norden", *names))}, armies=armies)
    for place, nation in enumerate(nations):
        for header, value in nation.items():
            book.type_in("Nations", 2 + len(NATIONS) + place, book.rows("Nations")[0].index(header) + 1, value)
    run(book)

    (receipt,) = [each for each in read_receipts(read(book)).by_seq.values() if each.kind == "Ruling"]
    assert "\nNorden + 29 allies lost" in receipt.wiki
    (cell,) = column(book, "War Requests", "Attacker Losses")
    assert cell.count(" of ") == 31
    assert f"of {6_000 + sum(1 + 40 * place for place in range(29)):,} (" in cell


def test_strat_01_too_many_armies_get_advice_on_flanks() -> None:
    armies = [{"Nation": "Norden", "Name": f"Guard {number}", "Size": 100} for number in range(40)]
    cells = {"Attacker Military": " + ".join(army["Name"] for army in armies)}
    (problem,) = {each.partition("): ")[2] for each in problems(season(cells, armies=armies)) if "STRAT-01" in each}
    assert "Attacker: Flanks 120 is not allowed; use at most 99 flanks a side, as with one row" in problem

    flanks = [{"Request": "A", "Side": "Attacker", "Infantry": "100 %"}]
    assert run(season(cells, armies=armies, flanks=flanks)).rulings


def test_r_130_explain_marks_variables_of_the_side_s_leader() -> None:
    names = []
    for cell in ("Norden + Rivan", "Rivan + Norden"):
        book = season({"Attacker": cell})
        snapshot = read(book)
        (form,) = [each for each in forms() if each.key == "autoalgo"]
        database = open_database(snapshot, [form])
        war = form.read(next(iter(database.table(form.request))), database).inputs
        names.append({each.name for each in form.ruleset.explain(war)})
    assert "Attacker, Norden for its side: Occupation Base" in names[0] - names[1]
    assert "Attacker, Rivan for its side: Capacity" in names[1] - names[0]
    assert {"Attacker, Norden: Morale Bonus", "Attacker, Rivan: Morale Bonus"} <= names[0] & names[1]


def test_flr_25_a_reused_strategy_keeps_armies_present_in_the_war() -> None:
    flanks = [
        {"Request": "A", "Side": "Attacker", "X": 100, "Y": 150, "Military": "River Host", "Strategy": "wings"},
        {"Request": "A", "Side": "Attacker", "X": 250, "Y": 150, "Strategy": "wings"},
    ]
    wars = [{"Attacker": "Norden + Rivan"}, {"War": "B", "Attacker": "Rivan"}, {"War": "C", "Attacker": "Norden"}]
    book = season(*(war | {"Attacker Strategy": "wings"} for war in wars[1:]), wars[0], flanks=flanks)
    run(book)

    messages = [cell.split("Attacker")[-1].split("Defender")[0] for cell in column(book, "War Requests", "Message")]
    assert ["1 flank." in message for message in messages] == [True, False, True]
    assert "2 flanks." in messages[1]


def test_r_133_a_nation_bears_the_losses_of_both_parties_of_a_civil_war() -> None:
    second = [{"Nation": "Norden", "Name": "Second Host", "Size": 4_000}]
    cells = {"Attacker Military": "Host", "Defender": "Norden (rebels)", "Defender Military": "Second Host"}
    book = season(cells, armies=second)
    run(book)

    (receipt,) = [each for each in read_receipts(read(book)).by_seq.values() if each.kind == "Ruling"]
    assert receipt.wiki.splitlines()[1].startswith(("'''Norden takes Ford", "'''Norden (rebels) holds Ford"))
    sizes = by_name(book, "Militaries", "Size")
    assert sizes["Host"] < 6_000
    assert sizes["Second Host"] < 4_000
    moves = [
        [float(part.split()[0]) for part in line.split(":''' ")[1].split(" → ")]
        for line in receipt.wiki.splitlines()
        if "'''Stability" in line
    ]
    after = round(100 + sum(then - now for now, then in moves), 1)
    assert by_name(book, "Nations", "Stability")["Norden"] == pytest.approx(after)
