"""Contents of posts, from the receipts of a workbook alone, so that any machine can post them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from engine.battle_map import Rgb
from engine.columns import columns, folded, loosely
from engine.players import discord_ids
from engine.receipt import Block, Line, without_markup
from sheets_algo.config.maps import BadMap
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.problems import Rejected, year_text
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Table
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import SecretForm, TurnForm, WarForm
from sheets_algo.forms.databases import colours_of, open_database, request_tables
from sheets_algo.pages.replay_page import replay_page
from sheets_algo.pages.site_page import read_receipt, war_addresses
from sheets_algo.pictures import draw
from sheets_algo.pictures.side_colours import coloured
from sheets_algo.posting.channel import NationNow, Post, PostRefused
from sheets_algo.replays.long_wars import long_wars
from sheets_algo.replays.replay import replay
from sheets_algo.replays.turn_report import NoReport, turn_report
from sheets_algo.ruling.forecast.forecast_rows import ForecastRow, line, ranges, readable_cells
from sheets_algo.ruling.passes.ruler import mark_of
from sheets_algo.ruling.plan import Ruling
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.ruling.step import REMINDER
from sheets_algo.runtime.session.session import OpenWorkbook
from sheets_algo.runtime.session.world import GameMap, holders_after, land_changes
from sheets_algo.steps.posts.post_row import PostEntry
from sheets_algo.steps.turns.turns_tab import TurnsTab
from sheets_algo.workbook.redact import one_line

STABILITY = "Stability"
"""The header of the column that a nation's page shows."""
WINNER = "Winner"
"""The figure of a ruling that names the winner."""
WORLD_WIDEST = 1600
"""Width in pixels of the map of the game in a post."""


@dataclass(frozen=True, slots=True)
class PostExtras:
    """The attachments of a post."""

    has_picture: bool = False  # True for the map of the battle, if the ruling can be played again here
    has_replay: bool = False  # True for its replay page, likewise
    site: str = ""  # The address of the season's site; blank for no link
    world: GameMap | None = None  # The map of the game for posts of rulings that change who holds land; None for none


TEXT_ALONE = PostExtras()


def post_of(workbook: OpenWorkbook, entry: PostEntry, extras: PostExtras = TEXT_ALONE) -> Post:
    """Return the post of a row of the tab Posts.

    Raises:
        PostRefused: Its contents are missing in the workbook.
    """
    if entry.is_of_turn:
        return turn_post(workbook, entry)
    if entry.is_report:
        return report_post(workbook, entry)
    if not entry.seq:
        return _odds_post(workbook, entry)
    receipt = workbook.receipts.by_seq.get(entry.seq)
    if receipt is None or receipt.kind not in ("Ruling", "Undo"):
        raise PostRefused("There is no such receipt in Receipts.")
    return receipt_post(workbook, receipt, extras)


def receipt_post(workbook: OpenWorkbook, receipt: StoredReceipt, extras: PostExtras = TEXT_ALONE) -> Post:
    """Return the post of a ruling or its undo."""
    if receipt.kind == "Undo":
        ruling = workbook.receipts.ruling_behind(receipt)
        undoes = receipt_post(workbook, ruling, PostExtras(site=extras.site)) if ruling else None
        begun = replace(_draft(workbook, receipt), nations=_nations(workbook, receipt))
        return replace(begun, title=f"Undone: {receipt.war}", undoes=undoes)
    draft = _draft(workbook, receipt)
    printed = read_receipt(draft.wiki)
    part_of, standing = _part_of(workbook, receipt)
    form = workbook.form(receipt.ruleset)
    colours = colours_of(form, workbook.snapshot)
    winner = loosely(str(receipt.figures.values.get(WINNER) or ""))
    picture, page = _draw_battle(workbook, receipt, form, colours, extras) if form else (b"", b"")
    return replace(
        draft,
        title=printed.title,
        blocks=printed.blocks,
        headline=printed.headline,
        part_of=part_of,
        sentences=(*printed.account[1:], *standing),
        colour=next((colour for name, colour in colours.items() if loosely(name) == winner), None),
        picture=_draw_world(workbook, receipt, extras.world) or picture,
        replay=page,
        link=_link(workbook, receipt, extras.site),
        nations=_nations(workbook, receipt),
    )


def _part_of(workbook: OpenWorkbook, ruling: StoredReceipt) -> tuple[str, tuple[str, ...]]:
    """Return the war of several battles that a ruling is part of, and a sentence with its score after it (REQ-19)."""
    for war in long_wars(workbook.snapshot, workbook.forms, workbook.receipts):
        if any(battle.ruling.seq == ruling.seq for battle in war.battles):
            return war.name, (f"{war.name}: {war.until(ruling.seq).standing}.",)
    return "", ()


def _odds_post(workbook: OpenWorkbook, entry: PostEntry) -> Post:
    """Return the post that announces a war, from its row in Forecasts.

    Raises:
        PostRefused: There is no such row.
    """
    table = Table.of(workbook.snapshot, ForecastRow)
    rows = [row for row in table if loosely(as_text(row.value("request"))) == loosely(entry.request)]
    row = next((row for row in rows if as_text(row.value("inputs_fingerprint")).startswith(entry.odds)), None)
    known = readable_cells(row) if row else None
    if row is None or known is None:
        raise PostRefused("There are no such odds in Forecasts.")
    cells = {attribute: as_text(row.value(attribute)) for attribute, _ in columns(ForecastRow)}
    war, head = cells["war"] or entry.request, "War announced" if row is rows[0] else "New odds"
    lines = [Line("Forecast", line(known).removeprefix("Forecast: "))]
    for attribute, name in ODDS_LINES.items():
        each = [as_text(line) for line in str(row.value(attribute) or "").splitlines()]  # one for each side, or one
        text = ". ".join(ranges(line) if attribute in NUMBERS else line for line in each)
        lines += [Line(name, text)] if text else []
    receipts = workbook.receipts
    form = workbook.form(cells["ruleset"])
    wiki = [f"== {head}: {without_markup(war)} =="]
    wiki += [f"* '''{each.label}:''' {without_markup(one_line(each.text))}" for each in lines]
    digest = hashlib.sha256(f"{receipts.season} {folded(entry.request)} {entry.odds}".encode()).hexdigest()
    return Post(
        mark=f"O-{digest[:12]}",
        kind="Odds",
        request=entry.request,
        war=war,
        part_of=entry.part_of.partition("\n")[2],
        ruleset=cells["ruleset"],
        time=cells["time"],
        wiki="\n".join(wiki),
        title=f"{head}: {war}",
        blocks=(Block("", tuple(lines)),),
        players=_players_of_request(workbook, form, entry.request) if form else (),
    )


def _players_of_request(workbook: OpenWorkbook, form: Form[Any], request: str) -> tuple[str, ...]:
    """Return the players of the nations of an unruled war."""
    database = open_database(workbook.snapshot, [form])
    for row in request_tables(workbook.snapshot, [form])[form.key]:
        if loosely(as_text(row.value("request"))) == loosely(request):
            with suppress(Rejected):
                return players_of(form, form.read(row, database).inputs, database)
    return ()


ODDS_LINES = {
    "attacker_losses": "Attacker losses",
    "defender_losses": "Defender losses",
    "duration": "Duration, hours",
    "occupation": "Occupation",
    "stability": "Stability",
}
"""Columns of Forecasts that are posted below the odds, with their labels there."""
NUMBERS = ("attacker_losses", "defender_losses", "duration")
"""Those with numbers instead of words."""


def _draft(workbook: OpenWorkbook, receipt: StoredReceipt) -> Post:
    """Return a post with the contents of its receipt."""
    receipts = workbook.receipts
    ruled = f"{receipts.season} {receipt.seq} {folded(receipt.request)} {receipt.wiki}"  # the same after another ruling
    number, salt, wiki = receipt.seq, hashlib.sha256(ruled.encode()).hexdigest()[:8], receipt.wiki
    public = {form.key for form in workbook.forms if not isinstance(form, SecretForm)}
    if len(public) < len(workbook.forms):  # numbers and digests would give away secret receipts
        number = sum(other.ruleset in public for seq, other in receipts.by_seq.items() if seq <= receipt.seq)
        salt, wiki = receipts.season[:8], receipt.unnumbered
    return Post(
        number=number,
        mark=f"R-{number:04d} {salt}",
        kind=receipt.kind,
        request=receipt.request,
        war=receipt.war,
        ruleset=receipt.ruleset,
        winner=receipt.winner,
        time=receipt.time,
        wiki=wiki,
        title=receipt.war,
        blocks=(),
        players=_players(workbook, receipts.ruling_behind(receipt)),
    )


def _players(workbook: OpenWorkbook, ruling: StoredReceipt | None) -> tuple[str, ...]:
    """Return the players of the nations of a ruling, each once (NAT-28)."""
    form = workbook.form(ruling.ruleset) if ruling else None
    if form is None or ruling is None:
        return ()
    try:
        inputs = form.deserialize(ruling.inputs)
    except ValueError:
        return ()  # edited inputs, which `verify` reports
    return players_of(form, inputs, open_database(workbook.snapshot, [form]))


def players_of(form: Form[Any], inputs: Any, database: Database) -> tuple[str, ...]:
    """Return the players of the nations of a war, each once."""
    players = form.players(database) if isinstance(form, WarForm) else {}
    nations = [party.removeprefix(NATION) for party in form.parties(inputs) if party.startswith(NATION)]
    return tuple(dict.fromkeys(player for nation in nations for player in players.get(nation, ())))


NATION = "nation "
"""Prefix of a nation among the parties of a war."""


def _nations(workbook: OpenWorkbook, receipt: StoredReceipt) -> tuple[NationNow, ...]:
    """Return the nations whose Stability a receipt changed, with their state after all receipts."""
    receipts = workbook.receipts
    names = dict.fromkeys(change.row for change in receipt.changes if change.field == STABILITY)
    nations = []
    for name in names:
        changes = [
            (other, change)
            for _, other in sorted(receipts.by_seq.items())
            if other.ruleset == receipt.ruleset
            for change in other.changes
            if (change.row, change.field) == (name, STABILITY)
        ]
        wars = [other.war for other, _ in changes if other.kind == "Ruling" and other.seq not in receipts.undone]
        nations.append(NationNow(name, as_text(changes[-1][1].after), wars[-1] if wars else ""))
    return tuple(nations)


def _link(workbook: OpenWorkbook, receipt: StoredReceipt, site: str) -> str:
    if not site:
        return ""
    public = {form.key for form in workbook.forms if not isinstance(form, SecretForm)}
    rulings = workbook.receipts.rulings
    pages = war_addresses((ruling.seq, ruling.request) for ruling in rulings if ruling.ruleset in public)
    return f"{site}/wars/{pages[receipt.seq]}.html" if receipt.seq in pages else ""


def _draw_world(workbook: OpenWorkbook, receipt: StoredReceipt, world: GameMap | None) -> bytes:
    """Return the map of the game after a ruling that changed who holds land (MAP-09); empty for others."""
    if world is None or not land_changes(receipt):
        return b""
    label = ""
    with suppress(ValueError, AttributeError):  # inputs that were edited, which `verify` reports
        year = json.loads(receipt.inputs).get("year")
        label = year_text(year) if isinstance(year, int) else ""
    holders = holders_after(world.rows, receipt, workbook.receipts)
    try:
        return world.picture(receipt.war, label, holders, widest=WORLD_WIDEST)
    except BadMap:
        return b""


def _draw_battle(
    workbook: OpenWorkbook, receipt: StoredReceipt, form: Form[Any], colours: Mapping[str, Rgb], extras: PostExtras
) -> tuple[bytes, bytes]:
    """Return the map of a battle and its replay page; empty if the battle cannot be reproduced here.

    A file beside the workbook might show another ruling of the same request, made on another machine.
    """
    if not (extras.has_picture or extras.has_replay):
        return b"", b""
    options = workbook.receipts.options
    try:
        outcome = replay(receipt, form).in_season(options)
        if (outcome.winner, outcome.figures) != (receipt.winner, receipt.figures.values):
            return b"", b""
        outcome = outcome.painted(colours)
        scenes = [coloured(scene) for scene in outcome.scenes[:1]]
        picture = draw(scenes[0]) if extras.has_picture and scenes else b""
        if not extras.has_replay:
            return picture, b""
        ruling = Ruling(receipt, outcome, form, options, mark=mark_of(receipt, workbook.forms))
        return picture, replay_page(ruling).encode()
    except Exception:  # a post without a picture is better than none
        return b"", b""


def turn_post(workbook: OpenWorkbook, entry: PostEntry) -> Post:
    """Return the post of a row about a deadline, from that row and the current tab Turns.

    Raises:
        PostRefused: The row was changed by hand and is unreadable.
    """
    game, _, number = entry.request.rpartition(" ")
    what, _, deadline = entry.odds.partition(" ")
    form = next((form for form in workbook.forms if form.ruleset_key == game and isinstance(form, TurnForm)), None)
    try:
        turn, moment = int(number), datetime.fromisoformat(deadline)
    except ValueError:
        turn, moment, form = 0, datetime.min, None
    if form is None:
        raise PostRefused("The row names no deadline of a turn.")
    known = TurnsTab(workbook.snapshot, workbook.forms).of(game, turn)
    name = f"{form.turn_column.capitalize()} {turn}"
    ends = "ends in less than a day" if what == REMINDER else "takes orders"
    title = f"{name} {ends}, until {moment:%Y-%m-%d %H:%M} UTC"
    is_named = what == REMINDER and not isinstance(form, SecretForm)
    missing = one_line(as_text(known.row.value("missing"))) if known and is_named else ""
    lines = (Line("Has not ordered", missing),) if missing else (Line("", "Orders that come later are of the next."),)
    digest = hashlib.sha256(f"{workbook.receipts.season} {folded(entry.request)} {entry.odds}".encode())
    text = "\n".join(f"* {without_markup(f'{line.label}: {line.text}' if line.label else line.text)}" for line in lines)
    return Post(
        mark=f"T-{digest.hexdigest()[:12]}",
        kind="Turn",
        request=entry.request,
        war=name,
        ruleset=game,
        time=entry.time,
        wiki=f"== {without_markup(title)} ==\n{text}",
        title=title,
        blocks=(Block("", lines),),
    )


def report_post(workbook: OpenWorkbook, entry: PostEntry) -> Post:
    """Return the post of the report of a turn, which goes to the player of its row alone (TRN-09).

    Raises:
        PostRefused: The row was changed by hand, its player no longer plays there, or the turn cannot be reported.
    """
    game, number, reader = [*entry.request.split(" ", 2), "", ""][:3]
    player = entry.odds.rpartition(" ")[2]
    form = next((form for form in workbook.forms if form.ruleset_key == game and isinstance(form, SecretForm)), None)
    if form is None or not number.isdecimal():
        raise PostRefused("The row names no report of a turn.")
    forms = [other for other in workbook.forms if other.ruleset_key == game]
    if player not in discord_ids(form.players(open_database(workbook.snapshot, forms)).get(folded(reader), ())):
        raise PostRefused(f"{one_line(reader)[:80]} has another Player by now.")
    try:
        report = turn_report(workbook.snapshot, forms, workbook.receipts, reader, int(number))
    except NoReport as error:
        raise PostRefused(str(error)) from None
    digest = hashlib.sha256(f"{workbook.receipts.season} {folded(entry.request)} {entry.odds}".encode())
    return Post(
        mark=f"P-{digest.hexdigest()[:12]}",
        kind="Report",
        request=report.title,
        war=report.title,
        ruleset=game,
        time=entry.time,
        wiki=report.wiki(),
        title=report.title,
        blocks=report.blocks,
        recipient=player,
    )
