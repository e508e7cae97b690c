"""`init` on a spreadsheet in which a game is being played already."""

from __future__ import annotations

from tests.desks import example

IDS = 200


def test_a_game_that_is_played_gets_what_it_lacks_but_no_examples(online):
    """Their wars and nations stand there; leaders, locations and militaries are missing."""
    rows = example("1066")
    id = online.make({"War Requests": rows["War Requests"][:1], "Nations": rows["Nations"][:2]})
    theirs = {name: online.server.tab(id, name) for name in ("War Requests", "Nations")}

    made = online.types("init", id, "--json").data

    assert {"Leaders", "Locations", "Militaries", "Receipts", "Guide"} <= set(made["tabs"])
    assert {name: online.server.tab(id, name) for name in theirs} == theirs
    assert [len(online.server.tab(id, name)) for name in ("Leaders", "Locations", "Militaries")] == [1, 1, 1]
    assert online.types("init", id).out == "Nothing to do: Season has every tab.\n"


def test_a_ruleset_that_comes_later_has_its_rows_ready(online):
    rows = example("1066")
    id = online.make({"War Requests": rows["War Requests"][:1]})
    online.types("init", id)

    made = online.types("init", id, "--ruleset", "scorecard", "--json").data

    assert "Score Requests" in made["tabs"]
    assert len(online.server.tab(id, "Score Requests")) == IDS + 1
    assert online.types("init", id).out == "Nothing to do: Season has every tab.\n"
