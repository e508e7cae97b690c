"""Reports of a turn for single players and for everybody, from the news of its rulings.

A ruling is replayed to learn its news, and reported only if it equals its receipt. Ids and numbers of
receipts are left out, since they count the orders of others. Two reports could reveal an event that a ruler must not
notice, so each ruling passes on the ruler's false belief.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from engine.columns import loosely
from engine.errors import ExpectedError
from engine.receipt import Block, Line, ReceiptText, on_one_line
from engine.ruleset import Beliefs, News
from engine.suggest import nearest
from sheets_algo.database.problems import one_of, quoted
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import EVERYBODY, SecretForm, TurnForm
from sheets_algo.forms.databases import open_database
from sheets_algo.replays.replay import CannotReplay, replay, verify
from sheets_algo.ruling.promises.promises import Promises
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.workbook.snapshot import Snapshot


class NoReport(ExpectedError):
    """A report that cannot be made; the text gives the reason."""

    exit_code = 1


def turn_report(
    snapshot: Snapshot, forms: Iterable[Form[Any]], receipts: Receipts, reader: str, turn: int | None
) -> ReceiptText:
    """Return the report of a turn for one player, or for everybody.

    Args:
        reader: The player's name in the game; blank for everybody.
        turn: The number of the turn; None for the last one that is over.

    Raises:
        NoReport: The game has no secrets, there is no such player or turn, or a ruling differs from its receipt.
    """
    form, last_turns = _game(snapshot, tuple(forms))
    name = _known_reader(reader, last_turns)
    last = last_turns[name]
    whose = f" of {name}" if name else ""
    if turn is None and not last:
        raise NoReport(f"No turn{whose} is over yet. Use --turn 1 for the current one.")
    number = turn or last
    if number > last + 1:
        raise NoReport(f"Turn {number}{whose} has not begun. Use at most {last + 1}, the current one.")
    news = list(_news_of_turn(form, receipts, name, number))
    known = [item.block for whom in dict.fromkeys((name, EVERYBODY)) for item in news if item.reader == whom]
    ending = "" if number <= last else " (not over yet)"
    title = f"{name or 'Everybody'}, turn {number}{ending}"
    return ReceiptText(title, tuple(_blocks(known)) or (Block("", (Line("", "Nothing happened."),)),))


def ended_turns(snapshot: Snapshot, forms: Iterable[Form[Any]], receipts: Receipts) -> Mapping[str, int]:
    """Return the last turn of each player that is over and has rulings; empty for games without secrets."""
    forms = tuple(forms)
    if not any(isinstance(form, SecretForm) for form in forms):
        return {}
    form, last_turns = _game(snapshot, forms)
    ruled = {turn_of(ruling, form) for ruling in _rulings(receipts, form)}
    return {name: turn for name, turn in last_turns.items() if name and turn in ruled}


def _game(snapshot: Snapshot, forms: tuple[Form[Any], ...]) -> tuple[Form[Any], Mapping[str, int]]:
    """Return the form of the game with secrets, and its readers."""
    for form in forms:
        same = [other for other in forms if other.ruleset_key == form.ruleset_key]
        if isinstance(form, SecretForm):
            return form, form.readers(open_database(snapshot, same))
    names = ", ".join(dict.fromkeys(form.ruleset_key for form in forms))
    raise NoReport(f"The players of {names} have no secrets: show them the receipts.")


def _known_reader(typed: str, readers: Mapping[str, int]) -> str:
    for name in readers:
        if loosely(name) == loosely(typed):
            return name
    names = [name for name in readers if name]
    similar = nearest(typed, names)
    raise NoReport(f"{quoted(typed)} does not play. " + (f'Did you mean "{similar}"?' if similar else one_of(names)))


def _rulings(receipts: Receipts, form: Form[Any]) -> Iterator[StoredReceipt]:
    for receipt in receipts.rulings:
        if receipt.ruleset == form.key and not receipts.is_undone(receipt):
            yield receipt


_INPUTS = msgspec.json.Decoder(dict[str, Any])


def turn_of(ruling: StoredReceipt, form: Form[Any]) -> Any:
    """Return the turn in the frozen inputs of a ruling; None without one."""
    try:
        inputs: dict[str, Any] = _INPUTS.decode(ruling.inputs)
    except msgspec.DecodeError:
        return None
    return inputs.get(form.turn_column) if isinstance(form, TurnForm) else None


def _news_of_turn(form: Form[Any], receipts: Receipts, reader: str, turn: int) -> Iterator[News]:
    """Yield the news of a turn; all earlier rulings determine the reader's false beliefs."""
    beliefs: Beliefs = {}
    for ruling in _rulings(receipts, form):
        if turn_of(ruling, form) == turn:
            verdict = verify(ruling, form, ruling.rules_fingerprint, None, receipts.options, Promises(receipts))
            if not verdict.is_equal:
                name, why = f"Receipt {ruling.seq} ({ruling.request})", verdict.reasons[0]
                raise NoReport(f"{name} cannot be reported: {why}. See verify.")
            yield from replay(ruling, form).news(beliefs)
        elif reader:
            with suppress(CannotReplay):  # a ruling of other rules changes no belief, and no report has it
                replay(ruling, form).news(beliefs)


def _blocks(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield one block for each heading, in order of first appearance, with all texts on one line each."""
    merged: dict[str, list[Line]] = {}
    for block in blocks:
        lines = [Line(on_one_line(line.label), on_one_line(line.text)) for line in block.lines]
        merged.setdefault(on_one_line(block.heading), []).extend(lines)
    for heading, lines in merged.items():
        if lines:
            yield Block(heading, tuple(lines))
