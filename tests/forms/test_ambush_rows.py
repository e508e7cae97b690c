"""Messages about rows of Flanks whose flanks cannot lie in ambush (R-118, STRAT-13)."""

from __future__ import annotations

from typing import Any

from scripts.support.smallest_war import war_rows
from scripts.support.workbooks import messages, run, workbook


def refused(*flanks: dict[str, Any]) -> list[str]:
    """Return the places that Message names for a war in woods by the coast."""
    rows = war_rows(*flanks)
    rows["Locations"][0]["Terrain"] = "Hard Coast"
    [(_, status, message)] = messages(run(workbook(rows)))
    return message.splitlines() if status == "Invalid" else []


def test_r_118_messages_name_an_allowed_place_for_each_flank() -> None:
    three = {"Side": "Attacker", "Flank": "band", "Flanks": 3, "Maneuver": "Ambush"}
    named = refused(three)

    assert [f"of band {number} is not allowed; use X 21" in line for number, line in enumerate(named, 1)] == [True] * 3
    assert all(line.endswith("in a row of its own. [R-118]") for line in named)
    one = {"Side": "Attacker", "Maneuver": "Ambush"}
    places = [(210, 163), (211, 164), (211, 164)]
    assert [f"X {x}, Y {y}," in line for (x, y), line in zip(places, named, strict=True)] == [True] * 3
    assert refused(*(one | {"Flank": str(flank), "X": x, "Y": y} for flank, (x, y) in enumerate(places))) == []
