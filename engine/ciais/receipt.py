"""Receipt, result line and log of an order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.ciais.battle import ATTACKER, DEFENDER, Meeting, titled
from engine.ciais.game import Game
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
from engine.ciais.play import OrderResult
from engine.ciais.records import LOST, Player
from engine.ciais.unrest import OVERTHROWN_TEXT
from engine.ciais.victory import CONDITION_TEXTS
from engine.decimals import exact, printed, signed
from engine.receipt import Block, Line, ReceiptText, as_sentence
from engine.ruleset import Event
from engine.settings import typed_lines

NAMED_MOST = 4
"""Maximum number of players with figures in a result line."""


def receipt(played: OrderResult, seed: int) -> ReceiptText:
    """Return the whole receipt; it prints the seed only if the moderator gave it."""
    blocks: dict[str, list[Line]] = {}
    for note in played.game.notes:
        if note.on_receipt:
            blocks.setdefault(note.heading, []).append(Line(note.label, note.text))
    inputs = played.game.inputs
    blocks["Moderator's rulings"] = [*moderators_rulings(inputs, seed)]
    lined = tuple(Block(heading, tuple(lines)) for heading, lines in blocks.items() if lines)
    fate = "; ".join((*([_fought(played.fought)] if played.fought else []), *_victory(played)))
    return ReceiptText(title(inputs), lined, (as_sentence(fate),) if fate else ())


def title(inputs: CiaisInputs) -> str:
    """Return the receipt's title: `Round 3: Battle, 1st Army against 2nd Fleet`."""
    order = inputs.order
    subject = {
        BATTLE: f"{order.attacker} against {order.defender}",
        END_ROUND: order.player or "all players",
        CITY_CAPTURED: f"{order.city} by {order.player}",
        ADJUST_BANK: f"{order.player}, {signed(exact(order.amount))} ¤",
        OVERTHROW_CHOICE: f"{order.player}, {order.choice}",
        CHECK_VICTORY: order.nominee or ("time is up" if order.time_is_up else ""),
    }.get(order.kind, order.player)
    name = f"{order.kind}, {subject}" if subject else order.kind
    round = _round(inputs)
    return f"Round {round}: {name}" if round else name


def _round(inputs: CiaisInputs) -> int | None:
    order = inputs.order
    if order.kind == END_ROUND:
        return ending(order, inputs.players).round
    player_round = next((player.round for player in inputs.players if player.name == order.player), None)
    return order.round or player_round


def moderators_rulings(inputs: CiaisInputs, seed: int) -> Iterator[Line]:
    """Yield a line for every number that a moderator typed in place of the rules' own."""
    if inputs.order.kind == BATTLE and inputs.order.roll is not None:
        yield Line("", f"Roll: {inputs.order.roll}")
    yield from typed_lines(inputs.settings, seed if inputs.seed_given else None)


def summary(played: OrderResult) -> str:
    """Return one line for the request's Message."""
    game = played.game
    parts = []
    if played.fought is not None:
        meeting = played.fought
        parts.append(_fought(meeting))
        if meeting.chance is not None:
            parts.append(f"chance {percent(meeting.chance)} % for {meeting.attacker.unit.name}")
        parts += [f"{name} {lost}" for name, lost in _losses(game)]
        parts += [f"{note.label} {note.text}" for note in game.notes if note.heading == "Capture"]
    else:
        parts += _changes(game)
    return "; ".join((*parts, *_victory(played))) or "nothing changes"


def _victory(played: OrderResult) -> Iterator[str]:
    """Yield the winners of the game, if an order asks for them or decides the game."""
    yield from (f"{name} has won" for name in played.won)
    if played.game.order.kind == CHECK_VICTORY and not played.won:
        yield "Nobody has won yet"


def _fought(fought: Meeting) -> str:
    if fought.chance is None:
        return f"no battle: {fought.dead} died of attrition"
    winner, loser = (fighter.unit for fighter in fought.sides)
    return f"{winner.name} ({winner.owner}) beats {loser.name} ({loser.owner})"


def _changes(game: Game) -> Iterator[str]:
    """Yield the players' changes, at most `NAMED_MOST` of them, and changes of ownership."""
    lost = dict(_losses(game))
    texts = [text for before in game.inputs.players if (text := _change(before, game, lost))]
    yield from texts[:NAMED_MOST]
    if len(texts) > NAMED_MOST:
        yield f"{len(texts) - NAMED_MOST} more"
    if game.order.kind == CITY_CAPTURED:
        yield f"{game.order.city} is {game.order.player}'s"
    elif game.order.kind == OVERTHROW_CHOICE:
        heirs = sorted({str(update.after) for update in game.updates() if update.field == "Owner" and update.after})
        yield f"choice {game.order.choice}{''.join(f', to {name}' for name in heirs)}"


def _change(before: Player, game: Game, lost: Mapping[str, str]) -> str:
    name, after = before.name, game.players[before.name]
    parts = [
        f"{label} {printed(exact(old))} → {printed(exact(new))}{unit}"
        for label, old, new, unit in (
            ("tax", before.tax, after.tax, " %"),
            ("bank", before.bank, after.bank, " ¤"),
            ("unrest", before.unrest, after.unrest, ""),
        )
        if old != new
    ]
    if name in lost:
        parts.append(lost[name])
    return f"{name}: {', '.join(parts)}" if parts else ""


def _losses(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the name of every player who lost the game by the order, and the reason."""
    for before in game.inputs.players:
        after = game.players[before.name]
        if after.status == LOST != before.status:
            yield after.name, f"lost, {CONDITION_TEXTS.get(after.loss, OVERTHROWN_TEXT)} [{after.loss}]"


def events(played: OrderResult) -> Iterator[Event]:
    """Yield an event for each note, in order, including those that are not on the receipt."""
    sides = _sides(played)
    for note in played.game.notes:
        text = f"{note.heading}, {note.label}: {note.text}"
        yield Event(None, sides.get(note.heading, ""), "", note.kind, note.amount, note.id, text)


def _sides(played: OrderResult) -> dict[str, str]:
    """Return sides in a battle by heading: the owners and their units."""
    if played.fought is None:
        return {}
    sides = zip(played.fought.fighters, (ATTACKER, DEFENDER), strict=True)
    return {heading: side for fighter, side in sides for heading in (fighter.unit.owner, titled(fighter.unit))}
