"""Contents of posts, from the receipts of a workbook and nothing else, so that any machine can post them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from engine.battle_map import Rgb
from engine.columns import loosely
from engine.receipt import Block, SeasonOptions, without_markup
from sheets_algo.forms.base import Form, open_database
from sheets_algo.pages.receipt_markup import read_receipt
from sheets_algo.pictures import draw
from sheets_algo.posting.channel import Post
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.ruling.replays.replay import replay
from sheets_algo.runtime.session import OpenWorkbook

WINNER = "Winner"
"""The label of the line of a receipt that names the winner."""


def post_of(seen: OpenWorkbook, receipt: StoredReceipt, *, has_picture: bool) -> Post:
    """Return the post of a receipt.

    Args:
        seen: The workbook.
        receipt: A ruling or its undo.
        has_picture: True to draw the map of the battle, if the ruling can be played again here.
    """
    is_escaped = seen.receipts.receipts.options.escape_markup
    if receipt.kind == "Undo":
        ruling = ruling_before(seen, receipt)
        name, war = (
            (without_markup(receipt.request), without_markup(receipt.war))
            if is_escaped
            else (receipt.request, receipt.war)
        )
        text = f"The ruling of {name} ({war}) is undone."
        undoes = post_of(seen, ruling, has_picture=False) if ruling else None
        return replace(_begun(seen, receipt), wiki=text, title=f"Undone: {receipt.war}", undoes=undoes)
    title, blocks = read_receipt(receipt.wiki, is_escaped=is_escaped)
    form = next((form for form in seen.forms if form.key == receipt.ruleset), None)
    colours = form.colours(open_database(seen.snapshot, [form])) if form else {}
    return replace(
        _begun(seen, receipt),
        title=title,
        blocks=blocks,
        colour=_winner_colour(blocks, colours.items()),
        picture=_picture(receipt, form, colours, seen.receipts.receipts.options) if has_picture and form else b"",
    )


def _begun(seen: OpenWorkbook, receipt: StoredReceipt) -> Post:
    """Return a post with what the cells of its receipt hold."""
    receipts = seen.receipts.receipts
    number, salt = receipt.seq, receipt.digest[:8]
    if any(form.has_secrets for form in seen.forms):  # numbers and digests would tell of receipts that are secret
        public = {form.key for form in seen.forms if not form.has_secrets}
        number = sum(other.ruleset in public for seq, other in receipts.by_seq.items() if seq <= receipt.seq)
        salt = receipts.season[:8]
    return Post(
        number=number,
        mark=f"R-{number:04d} {salt}",
        kind=receipt.kind,
        request=receipt.request,
        war=receipt.war,
        ruleset=receipt.ruleset,
        winner=receipt.winner,
        time=receipt.time,
        wiki=receipt.wiki,
        title=receipt.war,
        blocks=(),
    )


def ruling_before(seen: OpenWorkbook, undo: StoredReceipt) -> StoredReceipt | None:
    """Return the ruling that a receipt of kind Undo took back."""
    rulings = seen.receipts.receipts.of_kind("Ruling")
    own = [item for item in rulings if loosely(item.request) == loosely(undo.request) and item.seq < undo.seq]
    return max(own, key=lambda ruling: ruling.seq, default=None)


def _winner_colour(blocks: Iterable[Block], colours: Iterable[tuple[str, Rgb]]) -> Rgb | None:
    winner = next((loosely(line.text) for block in blocks for line in block.lines if line.label == WINNER), "")
    return next((colour for name, colour in colours if loosely(name) == winner), None)


def _picture(receipt: StoredReceipt, form: Form[Any], colours: Mapping[str, Rgb], options: SeasonOptions) -> bytes:
    """Return the map of a battle as PNG; empty if there is none, or if it cannot be fought again here as it was.

    A file beside the workbook might show another ruling of the same request, made on another machine.
    """
    try:
        outcome = replay(receipt, form).in_season(options)
        is_same = (outcome.winner, outcome.figures) == (receipt.winner, receipt.figures.values)
        return draw(outcome.painted(colours).scenes[0]) if is_same and outcome.scenes else b""
    except Exception:  # a post without a picture is better than none
        return b""
