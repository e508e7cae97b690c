"""Form of the game in rounds: its tabs, and what keeps an order from being carried out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from engine.columns import TabDeclaration, ValueList, choice, number, reference, result, text, whole
from engine.dated import TURN
from scripts.support.toys.rounds.rules import (
    CLOSE,
    CROWN,
    END,
    MOST,
    ORDERS,
    PLAYING,
    RAID,
    STATUSES,
    TAX,
    WON,
    Order,
    Player,
    RoundInputs,
    Rounds,
    RoundTable,
    RoundTables,
    ending,
)
from sheets_algo.database.problems import CauseKind, Problem
from sheets_algo.database.records import TURN_ACTIONS, Database, Vocabulary
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import FormResult, FormSource
from sheets_algo.forms.capabilities import CurrentTurn, PlayerOrders, TurnForm
from sheets_algo.forms.request_columns import OrderRequest, request_tab
from sheets_algo.forms.row_reader import RowReader, by_name
from sheets_algo.forms.settings_tab import SettingRow, settings_tab


def player_out(player: Player) -> str:
    """Return why a player plays no more, a clause; blank if he plays."""
    says = "" if player.status == PLAYING else "has won" if player.status == WON else "is out"
    return says and f"{player.name} {says}"


PLAYER_OUT = CauseKind(Player, ("status",), lasts=True, gone=player_out)
TARGET_OUT = CauseKind(Player, ("status",), gone=player_out)
TAX_SET = CauseKind(Player, ("taxed_in",), is_used_up=True)
GOLD_GONE = CauseKind(Player, ("gold",))
CROWN_TAKEN = CauseKind(Player, ("crown",))
ROUND = CauseKind(Player, ("round",))


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRequest(OrderRequest):
    """One row of the Round Requests tab: one order."""

    tab: ClassVar[TabDeclaration] = request_tab("Round Requests", "One row is one order.", one="order")

    round: int | None = whole("Round", id="RD-01", low=1, high=MOST, note="Blank: the player's current one.")
    player: str = reference("Player", "Round Players", id="RD-01", default="", note="Who orders; blank: everybody.")
    order: str = choice("Order", "Order", id="RD-01", required=True, note="What is to be done.")
    target: str = reference("Target", "Round Players", id="RD-03", default="", note="Raid: who is raided.")
    loot: float | None = number("Loot ¤", id="RD-03", low=0, high=MOST, note="Raid: what the target has at least.")
    tax: float | None = number(
        "Tax %", id="RD-02", low=0, high=100, unit="per cent", shares=True, note="Set tax: the rate in per cent."
    )
    gold: float | None = number("Gold ¤", id="RD-02", low=-MOST, high=MOST, note="Give gold: how much.")
    gift: float | None = number("Gift ¤", id="RD-02", low=0, high=MOST, note="End round: what is given away.")
    die: int | None = whole("Die", id="RD-03", low=1, high=1000, note="Raid: the moderator's roll; blank: drawn.")
    notes: str = text("Notes", id="RD-01", longest=100_000, decides=False, note="Anything.")
    result: str = result("Result", id="RD-01", note="What came of it.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow(Player):
    """A player as people see it: with an address, which rules nothing."""

    contact: str = text("Contact", id="TRN-11", note="The address by which orders in a Form are known.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSetting(SettingRow):
    """One row of the Round Settings tab."""

    tab: ClassVar[TabDeclaration] = settings_tab("Round Settings")


class RoundForm(TurnForm[RoundInputs]):
    """Reader of orders."""

    key = "rounds"
    declared = (RoundTable,)
    prefix = "R-"
    request = RoundRequest
    turn_column = "round"
    end_of_turn: ClassVar = {"order": END}
    objects: ClassVar = {"player": (PLAYER_OUT,), "target": (TARGET_OUT,)}
    player_orders = PlayerOrders(
        whose="player",
        players=PlayerRow,
        contact="contact",
        orders=frozenset((TAX, RAID, END)),
        cells=("round", "player", "order", "target", "tax", "gift", "notes"),
    )
    database = (PlayerRow, RoundSetting)
    inputs = RoundInputs
    derived = frozenset({"playing", "players"})

    def __init__(self, source: FormSource) -> None:
        self.tables = source.built(RoundTables)
        self.ruleset = Rounds(self.tables)
        self.settings = source.settings_tab(RoundSetting, dict, {}, self.declared, self.tables.having, (TURN,))
        lists = (ValueList("Order", ORDERS), ValueList("Status", STATUSES), TURN_ACTIONS)
        self.vocabulary = Vocabulary(lists={values.name: values for values in lists})

    def read(self, row: Row, database: Database) -> FormResult[RoundInputs]:
        """Read one order with all players."""
        reading = RowReader(database)
        request = reading.row(row, RoundRequest).record
        current = self.current_turn(row, database)
        settings = self.read_settings(reading, row, turn=current.number if current else None)
        players = by_name(reading.records(PlayerRow))
        if request is not None:
            order = Order(
                kind=request.order,
                player=request.player,
                round=request.round,
                target=request.target,
                loot=request.loot or 0,
                tax=request.tax,
                gold=request.gold or 0,
                gift=request.gift or 0,
                die=request.die,
            )
            playing = sum(player.status == PLAYING for player in players)
            inputs = RoundInputs(order=order, players=players, playing=playing, settings=settings)
            reading.add(*self._check(row, inputs))
        warnings = reading.finish()
        return FormResult(inputs, warnings=warnings)

    def current_turn(self, row: Row, database: Database) -> CurrentTurn | None:
        """Return the round of the order's player; for an order of nobody the earliest round of any."""
        values = database.read(row, RoundRequest).values
        kind, name = values.get("order", ""), values.get("player", "")
        if kind == END and not name:
            return self.turn_of_all(database)
        for player in RowReader(database).records(PlayerRow, lambda read: False):
            if player.name == name and player.status == PLAYING:
                return CurrentTurn(player.round, name, kind == END, counters=ROUND.of(name).cells)
        return None

    def turn_of_all(self, database: Database) -> CurrentTurn | None:
        """Return the earliest round of anybody who plays."""
        players = ending(Order(kind=END), RowReader(database).records(PlayerRow, lambda read: False))
        if not players:
            return None
        names = tuple(player.name for player in players)
        counters = tuple(cell for name in names for cell in ROUND.of(name).cells)
        return CurrentTurn(players[0].round, ends=True, players=names, counters=counters)

    def _check(self, row: Row, inputs: RoundInputs) -> Iterator[Problem]:
        """Yield what keeps an order from being carried out."""
        order, by_name = inputs.order, {player.name: player for player in inputs.players}
        player = by_name.get(order.player)
        if player is None:
            yield from self._check_for_all(row, inputs)
            return
        if says := player_out(player):
            yield row.problem("player", "RD-05", says, cause=PLAYER_OUT.of(player.name))
            return
        if order.round not in (None, player.round):
            yield row.problem("round", "RD-01", f"{player.name} is in round {player.round}")
        if order.kind == TAX:
            yield from self._check_tax(row, order, player)
        elif order.kind == RAID:
            yield from self._check_raid(row, order, by_name.get(order.target))
        elif order.kind == CROWN and (holder := next((one for one in inputs.players if one.crown), None)):
            cause = CROWN_TAKEN.of(holder.name)
            yield row.problem("order", "RD-04", f"{holder.name} has the crown", cause=cause)
        elif order.kind == END and order.gift > (most := max(player.gold + player.tax * self._income(inputs), 0)):
            says = f"{order.gift:g} ¤ is more than {player.name} has after this round's income"
            yield row.problem("gift", "RD-02", says, allowed=f"Enter at most {most:g}")

    def _income(self, inputs: RoundInputs) -> float:
        return self.tables.having(inputs.settings).income

    def _check_for_all(self, row: Row, inputs: RoundInputs) -> Iterator[Problem]:
        if inputs.order.kind not in (END, CLOSE):
            yield row.problem("player", "RD-01", f"required for {inputs.order.kind}, but empty", allowed="Name one")
        elif inputs.order.kind == END and not ending(inputs.order, inputs.players):
            cause = next((PLAYER_OUT.of(player.name) for player in inputs.players if player.status == WON), None)
            yield row.problem("order", "RD-05", "nobody is Playing", allowed="Clear Ready", cause=cause)

    def _check_tax(self, row: Row, order: Order, player: Player) -> Iterator[Problem]:
        if order.tax is None:
            yield row.problem("tax", "RD-02", "required for Set tax, but empty", allowed="Enter a rate")
        elif player.taxed_in == player.round:
            says = f"{player.name} has already set the tax in round {player.round}"
            allowed = f"Enter round {player.round + 1}, or clear Ready"
            yield row.problem("tax", "RD-02", says, allowed=allowed, cause=TAX_SET.of(player.name))

    def _check_raid(self, row: Row, order: Order, target: Player | None) -> Iterator[Problem]:
        if target is None or target.name == order.player:
            yield row.problem("target", "RD-03", "a raid has another player as its target", allowed="Name one")
            return
        if target.status != PLAYING:
            cause = TARGET_OUT.of(target.name)
            yield row.problem("target", "RD-03", f"{target.name} is out", cause=cause)
        if order.loot > target.gold:
            cause = GOLD_GONE.of(target.name, least=order.loot)
            yield row.problem("loot", "RD-03", f"{target.name} has no {order.loot:g} ¤", cause=cause)
