"""Copies of a workbook: silent until a person accepts them as games of their own (RCP-38)."""

from __future__ import annotations

from scripts.support.moderator import only, season
from scripts.support.workbooks import SECRET
from tests.e2e.online import URL
from tests.e2e.test_post_online import discord, posting  # noqa: F401


def test_a_copy_of_a_spreadsheet_with_the_secret_in_the_environment_posts_nothing(posting, discord):  # noqa: F811
    secret = {"SHEETS_ALGO_SECRET": SECRET.key.decode()}
    id = posting.server.make("Season", {})
    assert posting.types("init", id, "--empty", **secret).code == 0
    for tab, rows in only(season(), "W-0001").items():
        heads = posting.server.tab(id, tab)[0]
        posting.server.type(id, f"'{tab}'!A2", [[row.get(head, "") for head in heads] for row in rows])
    assert posting.types("run", URL.format(id), "--no-post", **secret).code == 0
    copy = posting.server.copy(id)

    run = posting.types("run", URL.format(copy), **secret)
    assert len(discord.messages) == 0, run
    assert posting.types("run", URL.format(id), **secret).code == 0
    assert len(discord.messages) == 1
