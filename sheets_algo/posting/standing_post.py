"""The standing post: wars to come, last results, standings, and the next decisions.

It is one message of a channel, which is edited in place. It shows what the channel's other posts have announced.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence

from engine.columns import loosely
from engine.receipt import Block, Line
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.tables import Table
from sheets_algo.forms.capabilities import SecretForm
from sheets_algo.posting.channel import Post
from sheets_algo.posting.content import receipt_post
from sheets_algo.replays.long_wars import long_wars, sides_of
from sheets_algo.ruling.forecast.forecast_rows import ForecastRow, odds_line, readable_cells
from sheets_algo.ruling.luck.beacon import clock_time
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.requests.provenance import decided_text
from sheets_algo.runtime.session.session import OpenWorkbook
from sheets_algo.steps.posts.post_row import STANDING, PostEntry
from sheets_algo.steps.posts.step import PostFilter
from sheets_algo.workbook.redact import one_line

RESULTS, NATIONS, WARS = 5, 12, 10
"""Maximum number of lines of each kind."""
TITLE = "Where things stand"


def standing_post(workbook: OpenWorkbook, entries: Sequence[PostEntry], settings: ChannelSettings) -> Post:
    """Return the standing post of a channel, by the receipts that its settings choose (PST-16)."""
    receipts = workbook.receipts
    chosen = PostFilter((settings,), workbook.forms)
    rulings = [
        ruling
        for ruling in receipts.rulings
        if not receipts.is_undone(ruling) and any(chosen.channels_of(ruling, ruling))
    ]
    has_secrets = any(isinstance(form, SecretForm) for form in workbook.forms)
    parts = {
        "Wars to come": _wars(workbook, entries, settings),
        "Decided next": _promised(workbook.receipts, rulings),
        "Wars of several battles": _long_wars(workbook, rulings),
        "Last results": _results(workbook, rulings),
        "Luck and people": [Line("", text)] if not has_secrets and (text := decided_text(rulings)) else [],
        "Standings": _standings(workbook, rulings),
    }
    blocks = tuple(Block(heading, lines) for heading, part in parts.items() if (lines := tuple(part)))
    text = "\n".join(f"{block.heading}: {line.label} {line.text}" for block in blocks for line in block.lines)
    digest = hashlib.sha256(f"{receipts.record_key} {loosely(settings.name)}".encode()).hexdigest()
    return Post(
        mark=f"S-{digest[:12]}",
        kind="Standing",
        request=TITLE,
        war=TITLE,
        ruleset="",
        time=min(receipt.time for receipt in receipts.by_seq.values()),
        wiki=text,
        title=TITLE,
        blocks=blocks or (Block("", (Line("", "No war is ruled yet."),)),),
    )


def digest_of(post: Post) -> str:
    """Return the digest of a standing post's text, for the column Odds."""
    return f"{STANDING} {hashlib.sha256(repr(post.blocks).encode()).hexdigest()[:8]}"


def _wars(workbook: OpenWorkbook, entries: Sequence[PostEntry], settings: ChannelSettings) -> Iterator[Line]:
    """Yield the announced wars of the channel that are not ruled, with their last odds."""
    ruled = {loosely(ruling.request) for ruling in workbook.receipts.rulings}
    announcements = {
        loosely(entry.request): entry for entry in entries if entry.odds and entry.key[1] == loosely(settings.name)
    }
    rows = {loosely(as_text(row.value("request"))): row for row in Table.of(workbook.snapshot, ForecastRow)}
    for request in [request for request in announcements if request not in ruled and request in rows][:WARS]:
        row = rows[request]
        cells = readable_cells(row)
        if cells is not None and as_text(row.value("inputs_fingerprint")).startswith(announcements[request].odds):
            yield Line(one_line(as_text(row.value("war")) or announcements[request].request), odds_line(cells))


def _promised(receipts: Receipts, rulings: Sequence[StoredReceipt]) -> Iterator[Line]:
    """Yield the wars with a promised but unused round of the beacon, with its time."""
    last = {loosely(promise.request): promise for promise in receipts.promises}
    ruled = {loosely(ruling.request): ruling.seq for ruling in rulings}
    for request, promise in [*last.items()][:WARS]:
        draw = promise.draw
        if draw is not None and ruled.get(request, 0) < promise.seq:
            yield Line(one_line(promise.war or promise.request), clock_time(receipts.luck.chain.time_of(draw.round)))


def _long_wars(workbook: OpenWorkbook, rulings: Sequence[StoredReceipt]) -> Iterator[Line]:
    """Yield the open wars of several battles among the channel's posted rulings, the last one first."""
    posted = {ruling.seq for ruling in rulings}
    wars = [war for war in long_wars(workbook.snapshot, workbook.forms, workbook.receipts) if not war.is_over]
    wars = [war for war in wars if posted.issuperset(battle.ruling.seq for battle in war.battles)]
    for war in wars[: -WARS - 1 : -1]:
        yield Line(war.name, war.standing)


def _results(workbook: OpenWorkbook, rulings: Sequence[StoredReceipt]) -> Iterator[Line]:
    for ruling in rulings[: -RESULTS - 1 : -1]:
        post = receipt_post(workbook, ruling)
        yield Line(post.title, post.headline or "ruled")


def _standings(workbook: OpenWorkbook, rulings: Sequence[StoredReceipt]) -> Iterator[Line]:
    """Yield the number of wars that each nation has won, most first."""
    wars, won = Counter[str](), Counter[str]()
    for ruling in rulings:
        form = workbook.form(ruling.ruleset)
        sides = sides_of(form, ruling).members if form else ((), ())
        for name, members in zip(("Attacker", "Defender"), sides, strict=True):
            nations = [one_line(member) for member in members if member]
            wars.update(nations)
            won.update(nations if name == ruling.winner else ())
    for nation in sorted(wars, key=lambda name: (-won[name], wars[name], name))[:NATIONS]:
        yield Line(nation, f"{won[nation]} of {wars[nation]} won")
