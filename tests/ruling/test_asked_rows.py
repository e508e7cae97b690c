"""What players ask for in a Google Form, taken when a year ends at its deadline (YRS-15, NAT-30)."""

from __future__ import annotations

from typing import Any

from scripts.support.smallest_war import war_rows
from scripts.support.workbooks import changed, column, pass_context, problems, workbook
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.sent_orders import seen

HEADS = ["Timestamp", "Email Address", "War", "Attacker", "Defender", "Location", "Motive"]
LEFT, RIGHT, STRANGER = "ann@example.org", "bob@example.org", "eve@example.org"
BEFORE, AFTER = "2026-03-01T11:00:00Z", "2026-03-01T12:00:05Z"


def asked(minute: int, sender: str, attacker: str, war: str = "Raid", place: str = "Heath") -> list[Any]:
    """Return a response, sent some minutes after eleven."""
    other = "Right" if attacker == "Left" else "Left"
    return [f"2026-03-01 11:{minute:02}:00" if minute < 60 else AFTER, sender, war, attacker, other, place, "Conquest"]


def book_of(*responses: list[Any], heads: list[str] = HEADS) -> MemoryWorkbook:
    rows = war_rows(Ready=None) | {"Leader Requests": []}
    rows["War Requests"] = []
    rows["Nations"][0] |= {"Contact": LEFT}
    rows["Nations"][1] |= {"Contact": f"carl@example.org; {RIGHT.upper()}"}
    rows["Years"] = [{"Request": "Y-1", "Year": 1000, "Deadline": "2026-03-01 12:00", "Asked In": "Responses"}]
    made = workbook(rows)
    return MemoryWorkbook({name: made.rows(name) for name in made.tabs} | {"Responses": [heads, *responses]})


def look(book: MemoryWorkbook, now: str, **more: Any) -> Plan:
    before = seen(book)
    plan = plan_pass(before, changed(pass_context(), **more), now)
    if plan.writes.changes:
        book.commit(before, plan.writes.changes)
    return plan


def test_yrs_15_wars_are_taken_at_the_deadline_and_wait_for_a_tick() -> None:
    book = book_of(asked(1, LEFT, "Left"), asked(2, RIGHT, "Right", "=1+1"), asked(70, LEFT, "Left", "Late"))

    look(book, BEFORE)
    assert column(book, "War Requests", "War") == []
    look(book, AFTER)
    look(book, AFTER)
    look(book, AFTER)

    assert column(book, "War Requests", "War") == ["Raid", "=1+1"]
    assert column(book, "War Requests", "Year") == [1001, 1001]
    assert not any(column(book, "War Requests", "Ready"))
    kinds = [(receipt.kind, receipt.war) for receipt in read_receipts(seen(book)).by_seq.values()]
    assert kinds == [("Season", ""), ("Orders", "The year 1000"), ("Ruling", "The year 1000")]
    assert "SHA-256" in read_receipts(seen(book)).by_seq[2].wiki


def test_yrs_15_a_late_request_is_taken_a_year_later_and_only_once() -> None:
    book = book_of(asked(1, LEFT, "Left"), asked(70, LEFT, "Left", "Late"))
    for _ in range(3):
        look(book, AFTER)
    heads = list(book.rows("Years")[0])
    for header, value in (("Deadline", "2026-03-02 12:00"), ("Asked In", "Responses")):
        book.type_in("Years", 3, heads.index(header) + 1, value)

    for _ in range(3):
        look(book, "2026-03-02T12:00:01Z")

    assert column(book, "War Requests", "War") == ["Raid", "Late"]
    assert column(book, "War Requests", "Year") == [1001, 1002]


def test_yrs_15_of_two_requests_for_one_war_the_last_counts() -> None:
    book = book_of(asked(1, LEFT, "Left", "First"), asked(5, LEFT, "Left", "Second"), asked(3, LEFT, "Left", "Between"))

    look(book, AFTER)

    assert column(book, "War Requests", "War") == ["Second"]


def test_yrs_15_nat_30_a_request_for_another_nation_is_reported() -> None:
    book = book_of(asked(1, STRANGER, "Left"), asked(2, LEFT, "Right"), asked(3, LEFT, "Left"))

    plan = look(book, BEFORE)
    look(book, AFTER)

    assert [problem for problem in problems(plan) if problem[1] == "YRS-15"] == [
        ("Responses!D2", "YRS-15"),
        ("Responses!D3", "YRS-15"),
    ]
    assert column(book, "War Requests", "War") == ["Raid"]


def test_yrs_15_one_player_asks_for_at_most_twenty_wars() -> None:
    book = book_of(*(asked(minute, LEFT, "Left", f"War {minute}", f"Place {minute}") for minute in range(30)))

    look(book, AFTER)

    assert len(column(book, "War Requests", "War")) == 20


def test_yrs_15_a_tab_that_is_no_form_is_named() -> None:
    book = book_of(["x"], heads=["Name"])

    plan = look(book, BEFORE)

    assert problems(plan) == [("Responses!1:1", "YRS-15")]
    look(book, AFTER)
    assert column(book, "Years", "Ready") == [None]


OF_ALL = [
    *("Timestamp", "Email Address", "Ask For", "Nation", "Name", "Keep", "Leader", "Age", "Strongest Trait"),
    *("Speed", "Defense", "Terrain", "War", "Attacker", "Defender", "Location", "Tactical Training"),
]


def answer(minute: int, sender: str, kind: str, **cells: Any) -> list[Any]:
    """Return a response of a Form for all that players ask for; cells by header, `_` for a blank."""
    said = {head.replace("_", " "): value for head, value in cells.items()}
    return [f"2026-03-01 11:{minute:02}:00", sender, kind, *(said.get(head) for head in OF_ALL[3:])]


def book_of_all(*responses: list[Any]) -> MemoryWorkbook:
    return book_of(*responses, heads=OF_ALL)


def reported(plan: Plan) -> list[str]:
    """Return what is said of responses, each as cell and sentence."""
    return [f"{each.cell} {each.says}" for each in plan.problems if each.id and each.cell.tab == "Responses"]


def test_yrs_15_one_form_collects_all_kinds_of_rows() -> None:
    book = book_of_all(
        answer(1, LEFT, "leader", Nation="Left", Leader="Ada", Age=30, Strongest_Trait="Attack"),
        answer(2, LEFT, "Unit", Name="Pikeman of Left", Speed=4, Defense=0.4, Tactical_Training="militia"),
        answer(3, RIGHT, "map", Nation="right", Name="Moor", Terrain="Plain"),
        answer(4, RIGHT, "Army", Keep=4_000),
        answer(5, LEFT, "WAR", War="Raid", Attacker="Left", Defender="Right", Location="Heath"),
    )

    for _ in range(3):
        look(book, AFTER)

    assert column(book, "Leader Requests", "Leader") == ["Ada"]
    assert column(book, "Leader Requests", "Year") == [1001]
    assert column(book, "Units", "Name") == ["Pikeman of Left"]
    assert column(book, "Units", "Tactical Training") == ["militia"]
    assert column(book, "Locations", "Name") == ["Heath", "Moor"]
    assert column(book, "Locations", "Owner") == [None, None]
    assert column(book, "Militaries", "Keep") == [None, 4_000]
    assert column(book, "War Requests", "War") == ["Raid"]
    assert column(book, "Years", "Status")[0] == "Done"
    receipt = read_receipts(seen(book)).by_seq[2]
    assert receipt.wiki.startswith("Asked for by players until 2026-03-01T12:00:00Z: 5.\n* L-0001: Left, sent ")
    assert "* army Host of Right (Right): Right, sent 2026-03-01 11:04:00, SHA-256 " in receipt.wiki
    assert "example.org" not in receipt.wiki


def test_yrs_15_yrs_05_a_keep_request_counts_in_the_ending_year() -> None:
    book = book_of_all(answer(4, RIGHT, "army", Keep=4_000), answer(6, RIGHT, "army", Keep=3_000))

    for _ in range(3):
        look(book, AFTER)

    assert column(book, "Militaries", "Keep") == [None, 3_000]
    left, right = column(book, "Militaries", "Size")
    assert left == 9_000
    assert 3_000 < right < 9_000


def test_yrs_15_a_hostile_answer_changes_nothing_and_is_reported() -> None:
    """A database tab holds no row that its columns do not take: one would hold the year."""
    book = book_of_all(
        answer(1, LEFT, "army", Nation="Right", Keep=0),
        answer(2, STRANGER, "unit", Name="Ghost", Speed=400),
        answer(3, LEFT, "army", Keep=-5),
        answer(4, LEFT, "army", Keep="=1E9"),
        answer(5, LEFT, "army", Name="Host of Right", Keep=1),
        answer(6, LEFT, "unit", Name="Pikeman", Speed=10_000),
        answer(7, LEFT, "unit", Name="", Speed=4),
        answer(8, LEFT, "map", Name="heath", Terrain="Plain"),
        answer(9, LEFT, "gold", Name="Heap"),
        answer(10, LEFT, "map", Name="Ice", Terrain="Moon"),
        answer(11, LEFT, "army"),
        answer(12, LEFT, "unit", Name="Levy", Tactical_Training="militant"),
    )

    plan = look(book, BEFORE)
    for _ in range(3):
        look(book, AFTER)

    assert reported(plan)[:3] == [
        'Responses!D2 "ann@example.org" asks for "Right", which he does not play',
        'Responses!D3 "eve@example.org" names no nation of his',
        "Responses!F4 -5 is out of range",
    ]
    assert [text.split(" ")[0] for text in reported(plan)[3:]] == [
        f"Responses!{cell}" for cell in ("F5", "E6", "J7", "E8", "E9", "C10", "L11", "Q13")
    ]
    assert [column(book, tab, "Name") for tab in ("Units", "Locations")] == [[], ["Heath"]]
    assert column(book, "Militaries", "Keep") == [None, None]
    assert column(book, "Years", "Status")[0] == "Done"


def test_yrs_15_built_in_units_and_units_of_other_players_stay_unchanged() -> None:
    book = book_of_all(
        answer(1, LEFT, "unit", Name="soldier", Speed=40),
        answer(2, LEFT, "unit", Name="Guard", Speed=5),
        answer(3, RIGHT, "unit", Name="guard", Speed=6),
    )

    for _ in range(3):
        look(book, AFTER)

    assert column(book, "Units", "Name") == ["Guard"]
    assert column(book, "Units", "Speed") == [5]


def test_yrs_15_protected_cells_and_formulas_keep_their_values() -> None:
    book = book_of_all(answer(1, RIGHT, "army", Keep=4_000), answer(2, LEFT, "army", Keep=4_000))
    keep = list(book.rows("Militaries")[0]).index("Keep") + 1
    key = seen(book).key(next(tab for tab in seen(book).sheets if tab.name == "Militaries"))

    for _ in range(3):
        look(book, AFTER, blocked={(key, 3, keep): "it is protected"})

    assert column(book, "Militaries", "Keep") == [4_000, None]
    assert "army Host of Right" not in read_receipts(seen(book)).by_seq[2].wiki


def test_yrs_15_a_missing_tab_is_reported_and_not_created() -> None:
    made = book_of_all(
        answer(1, LEFT, "leader", Leader="Ada", Age=30, Strongest_Trait="Attack"),
        answer(2, LEFT, "unit", Name="Guard", Speed=5),
    )
    book = MemoryWorkbook({tab: made.rows(tab) for tab in made.tabs if tab not in ("Leader Requests", "Units")})

    plan = look(book, BEFORE)
    for _ in range(3):
        look(book, AFTER)

    assert reported(plan) == [
        "Responses!2:2 the workbook has no tab Leader Requests with headers",
        "Responses!3:3 the workbook has no tab Units with headers",
    ]
    assert not {"Leader Requests", "Units"} & set(book.tabs)
    assert column(book, "Years", "Status")[0] == "Done"


def test_yrs_15_texts_from_two_forms_are_copied_as_texts() -> None:
    name = "Guard\n* [[Evil]] '''bold''' <b>"
    made = book_of_all(answer(1, LEFT, "unit", Name=name, Speed="5,5"), answer(2, RIGHT, "army", Keep="4,000"))
    heads = list(made.rows("Years")[0])
    book = MemoryWorkbook(
        {tab: made.rows(tab) for tab in made.tabs} | {"Wars of 1000": [HEADS, asked(5, LEFT, "Left")]}
    )
    book.type_in("Years", 2, heads.index("Asked In") + 1, "Responses; wars of 1000")

    for _ in range(3):
        look(book, AFTER)

    assert column(book, "Units", "Name") == [name]
    assert column(book, "Militaries", "Keep")[1] == 4_000
    assert column(book, "War Requests", "War") == ["Raid"]
    lines = read_receipts(seen(book)).by_seq[2].wiki.splitlines()
    assert len(lines) == 4
    assert not any(sign in line for line in lines for sign in ("[[", "'''", "<b>"))


def test_yrs_15_a_year_ticked_by_a_moderator_takes_requests_once() -> None:
    """Without a Deadline up to the tick, before one up to the tick, after one up to the Deadline."""
    for deadline, wars in (
        ("", ["Raid", "Late"]),
        ("2026-03-01 12:00", ["Raid"]),
        ("2026-03-01 13:00", ["Raid", "Late"]),
    ):
        book = book_of(asked(1, LEFT, "Left"), asked(70, RIGHT, "Right", "Late"))
        for header, value in (("Deadline", deadline), ("Ready", True)):
            book.type_in("Years", 2, list(book.rows("Years")[0]).index(header) + 1, value)

        look(book, "2026-03-01T12:30:00Z")
        for place, value in enumerate(asked(2, LEFT, "Left", "Second", "Moor"), start=1):
            book.type_in("Responses", 4, place, value)
        for _ in range(3):
            look(book, "2026-03-01T12:30:01Z")

        assert column(book, "War Requests", "War") == wars
        assert column(book, "Years", "Status")[0] == "Done"


def test_yrs_15_trn_12_a_war_edited_after_its_request_is_reported() -> None:
    """What a moderator adds is no edit; the time of it is of no account."""
    book = book_of(asked(1, LEFT, "Left"))
    for _ in range(3):
        look(book, AFTER)
    heads = list(book.rows("War Requests")[0])
    for header, value in (("Month", "May"), ("Ready", True)):
        book.type_in("War Requests", 2, heads.index(header) + 1, value)
    unedited = look(book, "2026-03-01T13:00:00Z").rulings[0].receipt.figures.message
    other = book_of(asked(1, LEFT, "Left"))
    for _ in range(3):
        look(other, AFTER)
    for header, value in (("Motive", "Economic"), ("Ready", True)):
        other.type_in("War Requests", 2, heads.index(header) + 1, value)

    edited = look(other, "2026-03-01T13:00:00Z").rulings[0].receipt.figures.message

    assert "as it was sent" not in unedited
    assert 'Not as it was sent: Motive was "Conquest"' in edited
