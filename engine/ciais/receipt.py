"""The receipt of an order, its line of result, and its log: what the rules said while it was carried out."""

from __future__ import annotations

from collections.abc import Iterator

from engine.ciais.battle import ATTACKER, DEFENDER, Fought, named
from engine.ciais.game import Game, Note
from engine.ciais.inputs import (
    ADJUST_BANK,
    BATTLE,
    CHECK_VICTORY,
    CITY_CAPTURED,
    END_ROUND,
    OVERTHROW_CHOICE,
    CiaisInputs,
    ending,
)
from engine.ciais.odds import percent
from engine.ciais.play import Played
from engine.ciais.records import LOST
from engine.decimals import exact, printed, signed
from engine.outcome import Event
from engine.receipt import Block, Line, Receipt

NAMED_MOST = 4
"""Players whose figures a line of result tells."""


def receipt(played: Played, seed: int) -> Receipt:
    """The whole receipt.

    Args:
        played: What came of the order.
        seed: Named only if the moderator gave it.
    """
    blocks: dict[str, list[Line]] = {}
    for note in played.game.notes:
        if note.on_receipt:
            blocks.setdefault(note.heading, []).append(Line(note.label, note.text))
    inputs = played.game.inputs
    if inputs.order.kind == CHECK_VICTORY and not played.won:
        blocks["Victory"] = [Line("", NOBODY)]
    blocks["Moderator's rulings"] = [*moderators_rulings(inputs, seed)]
    return Receipt(title(inputs), tuple(Block(heading, tuple(lines)) for heading, lines in blocks.items() if lines))


NOBODY = "Nobody has won yet."


def title(inputs: CiaisInputs) -> str:
    """`Round 3: Battle, 1st Army against 2nd Fleet`."""
    order = inputs.order
    about = {
        BATTLE: f"{order.attacker} against {order.defender}",
        END_ROUND: order.player or "all players",
        CITY_CAPTURED: f"{order.city} by {order.player}",
        ADJUST_BANK: f"{order.player}, {signed(exact(order.amount))} ¤",
        OVERTHROW_CHOICE: f"{order.player}, {order.choice}",
        CHECK_VICTORY: order.nominee or ("time is up" if order.time_is_up else ""),
    }.get(order.kind, order.player)
    name = f"{order.kind}, {about}" if about else order.kind
    round = _round(inputs)
    return f"Round {round}: {name}" if round else name


def _round(inputs: CiaisInputs) -> int | None:
    order = inputs.order
    if order.kind == END_ROUND:
        return ending(order, inputs.players).round
    own = next((it.round for it in inputs.players if it.name == order.player), None)
    return order.round or own


def moderators_rulings(inputs: CiaisInputs, seed: int) -> Iterator[Line]:
    """Every number that a moderator typed in place of the rules' own."""
    if inputs.order.kind == BATTLE and inputs.order.roll is not None:
        yield Line("", f"Roll: {inputs.order.roll}")
    for setting in inputs.settings:
        yield Line("", f"Setting {setting.name.rpartition('/')[2]}: {setting.value}")
    if inputs.seed_given:
        yield Line("", f"Seed: {seed}")


def summary(played: Played) -> str:
    """One line for the request's Message."""
    game = played.game
    parts = []
    if played.fought is not None:
        parts.append(_fought(played.fought))
        parts += [f"{name} lost ({condition})" for name, condition in _losses(game)]
    elif game.order.kind == CHECK_VICTORY and not played.won:
        parts.append(NOBODY.removesuffix("."))
    else:
        parts += _changes(game)
    parts += [f"{name} has won" for name in played.won]
    return "; ".join(parts) or "nothing changes"


def _fought(fought: Fought) -> str:
    meeting = fought.meeting
    if meeting.chance is None:
        return f"no battle: {' and '.join(it.unit.name for it in meeting.fighters if it.is_dead)} died of attrition"
    winner, loser = (it.unit for it in fought.sides)
    chance = f"{percent(meeting.chance)} % for {meeting.attacker.unit.name}"
    return f"{winner.name} ({winner.owner}) beats {loser.name} ({loser.owner}); chance {chance}"


def _changes(game: Game) -> Iterator[str]:
    """What changed for the players; of many only the first are told."""
    told = [text for name in game.players if (text := _change(game, name))]
    yield from told[:NAMED_MOST]
    if len(told) > NAMED_MOST:
        yield f"{len(told) - NAMED_MOST} more"
    if game.order.kind == CITY_CAPTURED:
        yield f"{game.order.city} is {game.order.player}'s"
    elif game.order.kind == OVERTHROW_CHOICE:
        heirs = sorted({str(it.after) for it in game.updates() if it.field == "Owner" and it.after})
        yield f"choice {game.order.choice}{''.join(f', to {name}' for name in heirs)}"


def _change(game: Game, name: str) -> str:
    before = next(it for it in game.inputs.players if it.name == name)
    after = game.players[name]
    parts = [
        f"{what} {printed(exact(old))} → {printed(exact(new))}{unit}"
        for what, old, new, unit in (
            ("tax", before.tax, after.tax, " %"),
            ("bank", before.bank, after.bank, " ¤"),
            ("unrest", before.unrest, after.unrest, ""),
        )
        if old != new
    ]
    if name in (lost := dict(_losses(game))):
        parts.append(f"lost ({lost[name]})")
    return f"{name}: {', '.join(parts)}" if parts else ""


def _losses(game: Game) -> Iterator[tuple[str, str]]:
    """Name and condition of everybody who lost the game by the order."""
    for before in game.inputs.players:
        after = game.players[before.name]
        if after.status == LOST != before.status:
            yield after.name, after.loss


def events(played: Played) -> Iterator[Event]:
    """Everything that was said, in its order; the log has lines that the receipt leaves out."""
    sides = _sides(played)
    for note in played.game.notes:
        yield Event(None, sides.get(note.heading, ""), "", note.kind, note.amount, note.id, _sentence(note))


def _sides(played: Played) -> dict[str, str]:
    """Heading to side in a battle: of owners and of their units."""
    if played.fought is None:
        return {}
    sides = zip(played.fought.meeting.fighters, (ATTACKER, DEFENDER), strict=True)
    return {heading: side for it, side in sides for heading in (it.unit.owner, named(it.unit))}


def _sentence(note: Note) -> str:
    return f"{note.heading}, {note.label}: {note.text}"


def line(event: Event) -> str:
    """As a person reads it: `England, Unrest: 0 → 1 (unit lost in battle +1) [CI-UNR-02]`."""
    return f"{event.text} [{event.id}]"
