"""A board's link in the row of a war is read as the rows of its side (WAR-16)."""

from __future__ import annotations

import base64
import json
import subprocess
import zlib
from pathlib import Path
from typing import Any

import pytest

from engine.autoalgo.setup.army import armies_of
from scripts.support.browser import node
from scripts.support.smallest_war import war, war_form, war_rows
from scripts.support.workbooks import column, messages, problems, run, workbook
from sheets_algo import pages
from sheets_algo.replays.replay import verify
from tests.ruling.test_lapsed_orders import receipts

FLANKS: list[list[Any]] = [
    ["Left wing", 120, 150.5, 4_000, 0, 0, 0, "Normal"],
    ["", 240, 160, 5_000, 0, 0, 0, "Position"],
]


def link(content: Any = None, *, request: str = "W-1", side: int = 0, rows: Any = FLANKS, version: int = 1) -> str:
    """Return a link as `pages/board/link.js` makes it, behind the address of a page."""
    packed = zlib.compressobj(wbits=-15)
    data = json.dumps([version, request, side, rows] if content is None else content).encode()
    text = base64.urlsafe_b64encode(packed.compress(data) + packed.flush()).decode().rstrip("=")
    return f"https://wars.example.org/boards/w-1-attacker.html#s={text}"


def rows_of(flanks: list[list[Any]], side: str = "Attacker") -> list[dict[str, Any]]:
    heads = ("Flank", "X", "Y", "Infantry", "Cavalry", "Artillery", "Ships", "Maneuver")
    return [{"Side": side} | dict(zip(heads, flank, strict=True)) for flank in flanks]


def test_r_130_flanks_of_a_link_may_name_their_army():
    own, all_men = ["van", 90, 80, "", "", "", "", "Normal", "Guard"], ["", 240, 160, "100 %", "", "", "", "Normal"]
    rows = war_rows(Attacker_Strategy=link(rows=[own, all_men]), Attacker_Military="Host of Left + Guard")
    rows["Militaries"].append({"Nation": "Left", "Name": "Guard", "Size": 500})
    host, guard = armies_of(war(rows), 0)
    assert [flank.x for army in (host, guard) for flank in army.flanks] == [240, 90]

    rows["War Requests"][0]["Attacker Military"] = "Host of Left"
    (message,) = messages(run(workbook(rows)))
    assert message[2].endswith(': "Guard" does not fight on the attacker\'s side. Use Host of Left. [FLR-25]')


def test_war_16_a_link_rules_like_its_rows():
    """The other side has rows: their end columns are their own flanks'."""
    enemy = rows_of([["Shield wall", 200, 260, 9_000, 0, 0, 0, "Position"]], "Defender")
    by_link = workbook(war_rows(*enemy, Attacker_Strategy=link()))
    by_rows = workbook(war_rows(*rows_of(FLANKS), *enemy))
    made, other = run(by_link), run(by_rows)
    ruling, same = (receipts(book).ruling_of("W-1") for book in (by_link, by_rows))
    assert ruling is not None
    assert same is not None

    assert (ruling.inputs, ruling.wiki, ruling.figures.values) == (same.inputs, same.wiki, same.figures.values)
    ends = [part.values for part in same.figures.parts]
    assert [part.values for part in ruling.figures.parts] == ends
    assert column(by_link, "Flanks", "End Status") == column(by_rows, "Flanks", "End Status")[2:]
    assert column(by_link, "Flanks", "End Infantry") == [ends[2]["End Infantry"]]
    form = war_form()
    assert verify(ruling, form, ruling.rules_fingerprint, None).is_equal
    assert not made.findings.of_tabs
    assert [answer.cells.message for answer in made.findings.answers] == [
        answer.cells.message for answer in other.findings.answers
    ]
    assert not run(by_link).writes.changes


def test_war_16_a_page_s_link_is_read():
    script = Path(pages.__file__).with_name("board") / "link.js"
    names = ("label", "x", "y", "infantry", "cavalry", "artillery", "ships", "maneuver")
    flanks = json.dumps([dict(zip(names, flank, strict=True)) for flank in FLANKS])
    code = f"import {{ linkOf }} from {json.dumps(script.as_uri())}; console.log(await linkOf(1, 'W-1', 0, {flanks}));"
    made = subprocess.run([node(), "--input-type=module", "-e", code], capture_output=True, text=True, check=True)
    by_page, by_test = (workbook(war_rows(Attacker_Strategy=each)) for each in (made.stdout.strip(), link()))
    run(by_page)
    run(by_test)
    ruling, same = (receipts(book).ruling_of("W-1") for book in (by_page, by_test))
    assert ruling is not None
    assert same is not None

    assert ruling.inputs == same.inputs
    assert '"label":"Left wing"' in ruling.inputs


def test_war_16_a_replaced_link_marks_a_ruled_row_as_changed():
    enemy = link(side=1, rows=[["", 200, 260, 9_000, 0, 0, 0, "Normal"]])
    book = workbook(war_rows(Attacker_Strategy=link(), Defender_Strategy=enemy))
    assert [ruling.receipt.request for ruling in run(book).rulings] == ["W-1"]
    ruling = receipts(book).ruling_of("W-1")
    assert ruling is not None
    assert len(ruling.figures.parts) == 3

    heads = book.rows("War Requests")[0]
    moved = link(rows=[[*FLANKS[0][:2], 151, *FLANKS[0][3:]], FLANKS[1]])
    book.type_in("War Requests", 2, heads.index("Attacker Strategy") + 1, moved)
    run(book)
    assert column(book, "War Requests", "Status") == ["Changed"]


def test_war_16_rows_override_a_link():
    own = [["", 200, 150, 9_000, 0, 0, 0, "Normal"]]
    made = run(workbook(war_rows(*rows_of(own), Attacker_Strategy=link(request="W-7"))))

    assert "which count instead of the link" in messages(made)[0][2]
    assert [ruling.receipt.request for ruling in made.rulings] == ["W-1"]


AT_LINK = ("'War Requests'!N2", "WAR-16")
DEEP = "[" * 100_000
CUT = "the link is not that of a strategy, or was cut off"


def test_war_16_damaged_and_foreign_links_are_refused():
    cases = [
        ("#s=", CUT),
        ("#s=AAAA", CUT),
        ("#s=<script>alert(1)</script>", CUT),
        ("#s=" + "A" * 40_000, CUT),
        (link()[:-6], CUT),
        (link({"a": 1}), CUT),
        (link([1, "W-1", 0]), CUT),
        (link([1, "W-1", "constructor", FLANKS]), CUT),
        (link(rows=[]), CUT),
        (link(rows=FLANKS * 50), CUT),
        (link(side=2), CUT),
        (link(side=-1), CUT),
        (link(rows=[["", 1, 1, -1, 0, 0, 0, "Normal"]]), CUT),
        (link(rows=[["", 1, 1, 2.5, 0, 0, 0, "Normal"]]), CUT),
        (link(rows=[["", None, 1, 1, 0, 0, 0, "Normal"]]), CUT),
        (link(rows=[[{}, 1, 1, 1, 0, 0, 0, "Normal"]]), CUT),
        (link(rows=["=HYPERLINK(1)"]), CUT),
        (link(rows=[["x" * 700_000, 1, 1, 1, 0, 0, 0, "Normal"]]), CUT),
        (link(version=2), "the link is of another version of the board"),
        (link(request="W-2"), "the link is of 'W-2', and this is W-1"),
        (link(side=1), "the link is of the Defender's board. Paste it into Defender Strategy"),
        (link(rows=[["", 400, 1, 9_000, 0, 0, 0, "Normal"]]), "X of flank 1 of the link"),
        (link(rows=[["", 1e300, 1, 9_000, 0, 0, 0, "Normal"]]), "X of flank 1 of the link"),
        (link(rows=[FLANKS[0], ["", 9, 9, 5_000, 0, 0, 0, "<img>"]]), "Maneuver of flank 2 of the link"),
        (link(rows=[["y" * 2_001, 1, 1, 9_000, 0, 0, 0, "Normal"]]), "Flank of flank 1 of the link"),
    ]
    for typed, says in cases:
        made = run(workbook(war_rows(Attacker_Strategy=typed)))

        assert not made.rulings, typed[:200]
        assert (problems(made), says in messages(made)[0][2]) == ([AT_LINK], True), typed[:200]


def test_war_16_an_endlessly_nested_link_is_refused():
    packed = zlib.compressobj(wbits=-15)
    data = packed.compress(DEEP.encode()) + packed.flush()
    made = run(workbook(war_rows(Attacker_Strategy=f"#s={base64.urlsafe_b64encode(data).decode()}")))

    assert (problems(made), CUT in messages(made)[0][2]) == ([AT_LINK], True)


def test_war_16_too_many_men_in_a_link_are_reported_with_both_numbers():
    made = run(workbook(war_rows(Attacker_Strategy=link(rows=[FLANKS[0]]))))

    assert not made.rulings
    assert "Invalid Inf (4000/9000)" in str(messages(made))


@pytest.mark.parametrize("label", ["=1+1", "@everyone", "[[x]] {{y}} '''z'''", "‮עברית"])
def test_war_16_labels_of_a_link_are_read_as_texts(label):
    flanks = [[label, *FLANKS[0][1:]], FLANKS[1]]
    by_link, by_rows = workbook(war_rows(Attacker_Strategy=link(rows=flanks))), workbook(war_rows(*rows_of(flanks)))
    run(by_link)
    run(by_rows)
    ruling, same = (receipts(book).ruling_of("W-1") for book in (by_link, by_rows))
    assert ruling is not None
    assert same is not None

    assert (ruling.inputs, ruling.wiki) == (same.inputs, same.wiki)
