"""Contents of posts: made from the workbook alone, and silent about receipts that are secret."""

from __future__ import annotations

import json

from scripts.support.moderator import only
from scripts.support.posting import Outbox
from scripts.support.workbooks import example, grids, season_grid, workbook
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.posting.command import post_data
from sheets_algo.posting.content import PostExtras, post_of
from sheets_algo.ruling.luck.draw import Secret
from sheets_algo.runtime.session.session import opened
from sheets_algo.steps.posts.post_row import PostRow, read_posts
from sheets_algo.workbook.memory import MemoryWorkbook

CHANNEL = ChannelSettings(name="archive", to="command", command=("true",))


def test_in_a_game_with_secrets_a_post_has_neither_number_nor_digest(tmp_path):
    outbox = Outbox(tmp_path, (CHANNEL,), story="plots")
    seen = opened(outbox.session(), whole=(PostRow,))
    (entry,) = read_posts(seen.snapshot)
    receipt = seen.receipts.by_seq[entry.seq]

    post = post_of(seen, entry, PostExtras(has_picture=True, has_replay=True, site="https://wars.example.org"))

    assert (entry.seq, post.number) == (7, 1)
    sent = json.dumps(post_data(post))
    assert receipt.digest[:8] not in sent
    secrets = [other.wiki for other in seen.receipts.by_seq.values() if other.ruleset == "plots"]
    assert len(secrets) == 5
    assert [wiki for wiki in secrets if json.dumps(wiki)[1:-1] in sent] == []


def test_the_mark_of_a_receipt_is_unique_across_seasons(tmp_path, monkeypatch):
    marks: list[str] = []
    for name in ("first", "second"):
        secret = f"the secret of the {name} season"
        monkeypatch.setenv("SHEETS_ALGO_SECRET", secret)
        begun = grids(example("jousts")) | {"Receipts": season_grid(secret=Secret(secret.encode()))}
        outbox = Outbox(tmp_path / name, (CHANNEL,), begun=MemoryWorkbook(begun))
        seen = opened(outbox.session(), whole=(PostRow,))
        marks += (post_of(seen, entry).mark for entry in read_posts(seen.snapshot))
    assert len(set(marks)) == len(marks) == 6


def test_a_post_states_the_results_for_nations_and_an_undo_the_former_values(tmp_path):
    outbox = Outbox(tmp_path, (CHANNEL,), begun=workbook(only(example("1066"), "W-0001", "W-0002")))

    def nations(row: int) -> dict[str, tuple[str, str]]:
        seen = opened(outbox.session(), whole=(PostRow,))
        found = post_of(seen, read_posts(seen.snapshot)[row]).nations
        return {nation.name: (nation.stability, nation.war) for nation in found}

    def in_the_workbook(nation: str) -> str:
        heads, *rows = outbox.book.rows("Nations")
        return f"{next(row[heads.index('Stability')] for row in rows if row[heads.index('Name')] == nation):g}"

    hastings, england = nations(1), nations(0)["England"]
    assert england[0] == in_the_workbook("England")
    assert list(hastings) == ["Normandy", "England"]
    assert {war for _, war in hastings.values()} == {"Hastings, 1066"}
    assert england == hastings["England"]  # as it is now, whatever is posted first

    outbox.undo("W-0002")
    before = in_the_workbook("England")
    assert before != england[0]
    assert nations(-1) == {"Normandy": ("140", ""), "England": (before, "Stamford Bridge, 1066")}
    assert nations(1) == nations(-1)
