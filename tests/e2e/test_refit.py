"""Counts that exceed an army after a battle, and the Action that fits them, on a spreadsheet (REQ-23)."""

from __future__ import annotations

from itertools import chain

from scripts.support.moderator import only, season

WAR = "W-0002"


def test_req_23_counts_are_fitted_to_the_army_after_its_losses_and_ruled(online):
    rows = only(season(), "W-0001", WAR)
    counts = ((1_516, 816), (1_517, 817), (1_517, 817))
    rows["Flanks"] = [
        {"Request": WAR, "Side": "Defender", "X": 190 + 10 * place, "Y": 218, "Infantry": foot, "Cavalry": horse}
        for place, (foot, horse) in enumerate(counts)
    ]
    id = online.make(rows)

    said = online.types("run", id, "--json").data
    [refused] = [one for one in said["requests"] if one["request"] == WAR]
    assert refused["status"] == "Invalid"
    assert len([line for line in refused["message"].splitlines() if "Invalid Inf" in line]) == 1
    assert 'Choose Action "Refit", which writes Infantry' in refused["message"]

    heads, *cells = online.server.tab(id, "War Requests")
    row = [line[0] for line in cells].index(WAR) + 2
    online.server.type(id, f"'War Requests'!{chr(ord('A') + heads.index('Action'))}{row}", [["Refit"]])
    assert online.types("run", id).code == 0
    army = online.column(id, "Name", "Militaries").index("Harold's Host")
    size = int(online.column(id, "Size", "Militaries")[army])
    fitted = [online.column(id, header, "Flanks") for header in ("Infantry", "Cavalry")]
    assert sum(map(int, chain(*fitted))) == size < 7_000
    assert online.column(id, "X", "Flanks") == [190, 200, 210]
    place = online.column(id, "Request").index(WAR)
    assert (online.column(id, "Action")[place], online.column(id, "Ready")[place]) == ("Rule", False)
    assert online.column(id, "Message")[place].startswith(
        f"Counts fit: Attacker Good (7500/7500), Defender Good ({size}/"
    )

    online.tick(id, WAR)
    assert online.types("run", id).code == 0
    assert online.rulings(id) == ["W-0001", WAR]
    assert online.types("run", id).code == 0
    assert online.column(id, "Status")[place] == "Done", "the army is smaller again"
