"""Rulings of small workbooks, for tests of what is made of them afterwards."""

from __future__ import annotations

from collections.abc import Callable

from scripts.support.workbooks import Rows, example, run, workbook
from sheets_algo.ruling.plan import Ruling


def rulings_of(name: str, edit: Callable[[Rows], object] = lambda rows: None, tab: str = "") -> tuple[Ruling, ...]:
    """Rule the requests of an example.

    Args:
        name: The example.
        edit: Changes the rows before.
        tab: The tab of requests whose other rows than the first are left out; blank for none.
    """
    rows = example(name)
    if tab:
        rows[tab] = rows[tab][:1]
    edit(rows)
    plan = run(workbook(rows))
    assert plan.rulings, [answer.cells.message for answer in plan.findings.answers]
    return tuple(plan.rulings)


def hastings(edit: Callable[[Rows], object] = lambda rows: None) -> Ruling:
    """Rule the battle of Hastings; `edit` changes the rows before."""

    def only(rows: Rows) -> None:
        rows["War Requests"] = rows["War Requests"][1:2]
        edit(rows)

    (ruling,) = rulings_of("1066", only)
    return ruling


SCRIPT = "</script><script>document.title='run'</script><img src=x onerror=document.title='run'>"
HOSTILE = {
    "script": SCRIPT,
    "comment": "<!--<script>\u2028\u2029&lt;",
    "right to left": "\u202eהמלך ריצ'רד\u2066 ملك",
    "emoji": "👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿" * 20,
    "wiki markup": "[[File:x.png]] {{delete}} '''bold''' ~~~~",
    "formula": '=HYPERLINK("https://example.com"; "x")',
    "template": "{{ 7 * 7 }}{% raw %}${7*7}`",
}
"""Texts that players may type as the name of anything."""


def named(name: str, war: str | None = None) -> Callable[[Rows], object]:
    """Return an edit that gives this name to the war, its attacker, and the flanks of both sides."""

    def edit(rows: Rows) -> None:
        request = rows["War Requests"][0]
        attacker = request["Attacker"]
        for row in rows["Nations"]:
            if row["Name"] == attacker:
                row |= {"Name": name, "Leader": None, "Capital": None}
        for tab in ("Militaries", "Leaders"):  # lists of nations, which have signs of their own
            rows[tab] = [row for row in rows[tab] if attacker not in row["Nation"]]
        rows["War Requests"] = [
            request | {"Attacker": name, "Attacker Military": "default", "War": war or name, "Seed": 7}
        ]
        rows["Flanks"] = [
            {"Request": request["Request"], "Side": side, "Flank": f"{name} {number}"}
            for side in ("Attacker", "Defender")
            for number in range(2)
        ]

    return edit
