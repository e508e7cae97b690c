"""The rules of the game in rounds."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.columns import TabDeclaration, choice, columns, number, text, whole, yes_no
from engine.declare import entry, read_table, table
from engine.receipt import Block, Line, ReceiptText
from engine.rng import Rng
from engine.ruleset import Event, LogSink, Outcome, Ruleset, Update, no_op
from engine.settings import Raw, Setting, overridden
from engine.shapes import Number

TAX, RAID, CROWN, GIVE, END, CLOSE = ORDERS = (
    "Set tax", "Raid", "Take the crown", "Give gold", "End round", "Close the game",
)  # fmt: skip
PLAYING, OUT, WON = STATUSES = ("Playing", "Out", "Won")
MOST = 1_000_000
DIE = 0
"""The purpose of the draw."""


@table("rounds", "Rounds")
class RoundTable:
    """The numbers of the game."""

    income: float = entry(Number(0, 1000), "Gold for each per cent of tax.", "RD-02/")
    faces: int = entry(Number(2, 1000, whole=True), "Faces of the die.", "RD-03/")


class RoundTables:
    """The numbers of the game, and those of a workbook with settings of its own."""

    def __init__(self, raw: Raw) -> None:
        self.raw = raw
        self.having(())

    def having(self, settings: Sequence[Setting]) -> RoundTable:
        """Return the numbers in force."""
        return read_table(RoundTable, overridden(self.raw, settings))


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """One row of the Round Players tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration("Round Players", key="name", one="player", about="Who plays.")

    name: str = text("Player", id="RD-01", required=True, note="The name, unique.")
    gold: float = number("Gold ¤", id="RD-02", low=-MOST, high=MOST, default=0, note="May be less than nothing.")
    tax: float = number(
        "Tax %", id="RD-02", low=0, high=100, default=10, unit="per cent", shares=True, note="Rate in per cent."
    )
    taxed_in: int | None = whole("Taxed in round", id="RD-02", low=1, high=MOST, note="When the rate was last set.")
    crown: bool = yes_no("Crown", id="RD-04", note="Yes: this player has it.")
    status: str = choice("Status", "Status", id="RD-05", default=PLAYING, note="Playing, Out or Won.")
    round: int = whole("Round", id="RD-01", low=1, high=MOST, default=1, note="The round the player is in.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One row of the requests."""

    kind: str
    player: str = ""
    round: int | None = None
    target: str = ""
    loot: float = 0
    tax: float | None = None
    gold: float = 0
    gift: float = 0
    die: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundInputs:
    """An order with all players, and how many of them play."""

    order: Order
    players: tuple[Player, ...]
    playing: int
    settings: tuple[Setting, ...] = ()

    @property
    def round(self) -> int | None:
        """Return the round that the order names, or that its player is in."""
        return self.order.round or next((one.round for one in self.players if one.name == self.order.player), None)


def ending(order: Order, players: Sequence[Player]) -> tuple[Player, ...]:
    """Return the players whose round an order ends: its player, or all in the earliest round of any who plays."""
    playing = [player for player in players if player.status == PLAYING and order.player in ("", player.name)]
    round = order.round or min((player.round for player in playing), default=0)
    return tuple(player for player in playing if player.round == round)


@dataclass(frozen=True, slots=True)
class Rounds(Ruleset[RoundInputs]):
    """Ruleset of the game."""

    tables: RoundTables

    def resolve(self, inputs: RoundInputs, rng: Rng, log: LogSink = no_op) -> Outcome:
        """Carry out one order (RD-02 to RD-05)."""
        order, numbers = inputs.order, self.tables.having(inputs.settings)
        before = {player.name: player for player in inputs.players}
        after, said, is_drawn = dict(before), order.kind, False

        def change(name: str, **fields: Any) -> None:
            after[name] = dataclasses.replace(after[name], **fields)

        if order.kind == TAX:
            change(order.player, tax=order.tax, taxed_in=before[order.player].round)
            said = f"Tax {order.tax:g} %"
        elif order.kind == RAID:
            is_drawn = order.die is None
            die = rng.whole(DIE, 1, numbers.faces) if order.die is None else order.die
            is_won = 2 * die <= numbers.faces
            if is_won:
                change(order.player, gold=before[order.player].gold + before[order.target].gold)
                change(order.target, status=OUT, gold=0, crown=False)
            said = f"{order.player} {'beats' if is_won else 'is beaten by'} {order.target}, rolled {die}"
        elif order.kind == CROWN:
            change(order.player, crown=True)
        elif order.kind == GIVE:
            change(order.player, gold=before[order.player].gold + order.gold)
        elif order.kind == END:
            ended = ending(order, inputs.players)
            for player in ended:
                gold = player.gold + player.tax * numbers.income - order.gift
                change(player.name, gold=gold, round=player.round + 1, status=OUT if gold < 0 else PLAYING)
            said = f"Round {ended[0].round} of {', '.join(player.name for player in ended)}"
        else:
            richest = max(inputs.players, key=lambda player: player.gold)
            for player in inputs.players:
                change(player.name, status=WON if player is richest else OUT)
        playing = [player.name for player in after.values() if player.status == PLAYING]
        if order.kind == END and len(playing) == 1 < inputs.playing:
            change(playing[0], status=WON)
        event = Event(None, "", "", "order", None, "RD-01", said)
        log([event.brief_line()])
        return Outcome(
            winner="",
            summary=said,
            receipt=ReceiptText(f"{order.player or 'Everybody'}: {order.kind}", (Block("", (Line("Result", said),)),)),
            figures={"Result": said},
            events=(event,),
            updates=tuple(
                Update(Player.tab.name, name, column.header, old, new)
                for name in before
                for field, column in columns(Player)
                if (old := getattr(before[name], field)) != (new := getattr(after[name], field))
            ),
            typed=() if order.die is None else (f"die {order.die}",),
            is_drawn=is_drawn,
        )
