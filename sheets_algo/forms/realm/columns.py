"""Columns of the Turn Requests, Rating Requests and Realm Settings tabs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.columns import TabDeclaration, choice, reference, result, text
from engine.realm.setup.records import whole
from sheets_algo.forms.request_columns import OrderRequest, Request, notes_column, request_tab
from sheets_algo.forms.settings_tab import SettingRow, settings_tab


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRequest(OrderRequest):
    """One row of the Turn Requests tab: one order."""

    tab: ClassVar[TabDeclaration] = request_tab(
        "Turn Requests",
        "One row is one order: a whole turn of a realm, or one thing that its ruler wants done.",
        one="order",
    )

    turn: int | None = whole(
        "Turn", "RL-OP-01", "Blank: the turn after the realm's last one. Process rebels needs it.", low=1
    )
    realm: str = reference(
        "Realm", "Realms", "RL-OP-01", "Whose order; blank for all turns and for rebels.", default=""
    )
    order: str = choice("Order", "Order", "RL-OP-01", "What is ordered.", required=True)
    target_realm: str = reference(
        "Target realm", "Realms", "RL-ESP-A", "For missions of agents: another realm in play.", default=""
    )
    target: str = text("Target", "RL-GEN-05", "The leader, unit or city in question, as its own tab spells the name.")
    agents: int | None = whole(
        "Agents", "RL-ESP-A", "For missions: how many are sent; more do more and are seen.", low=1, high=10_000
    )
    event: str = choice("Event", "Event", "RL-EXP-03", "For Award experience: what was done.", default="")
    battles_won: int | None = whole("Battles won", "RL-TAX-03", "For Process turn.", high=10_000)
    battles_lost: int | None = whole("Battles lost", "RL-TAX-03", "For Process turn.", high=10_000)
    cities_captured: int | None = whole("Cities captured", "RL-TAX-04", "For Process turn.", high=10_000)
    cities_lost: int | None = whole(
        "Cities lost", "RL-TAX-04", "For Process turn; those lost to rebels do not count.", high=10_000
    )
    nearest_enemy: str = reference(
        "Nearest enemy",
        "Realms",
        "RL-OP-24",
        "For Process turn: to whom disloyal leaders turn. Blank: each leader's own, else by location.",
        default="",
    )
    fixed_rolls: str = text(
        "Fixed rolls",
        "RL-OP-41",
        "rule-id=number; rule-id name=number: a number in place of a die, printed on the receipt.",
    )
    notes: str = notes_column("RL-OP-01")
    came_of_it: str = result("Result", "RL-OP-01", "What came of it, in one line.")
    target_message: str = result("Target message", "RL-ESP-D", "What the other realm may be told.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRequest(Request):
    """One row of the Rating Requests tab: one finished game."""

    tab: ClassVar[TabDeclaration] = request_tab(
        "Rating Requests",
        "One row is one finished game; it changes the ratings of its players.",
        one="game",
        optional=True,
    )

    game: str = text("Game", "RL-RAT-02", "Its name on the receipt.", required=True, longest=20_000, decides=False)
    standing: str = text(
        "Standing",
        "RL-RAT-03",
        "Realms, the best first: A > B > C. To order them, add 100 × rulers eliminated earlier ÷ (players − 1) and"
        " the highest per cent of the score; ties by elimination (RL-RAT-02, RL-OP-32).",
        required=True,
    )
    notes: str = notes_column("RL-RAT-02")
    came_of_it: str = result("Result", "RL-RAT-04", "Every new rating.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmSetting(SettingRow):
    """One row of the Realm Settings tab: a number of the rules that this workbook overrides."""

    tab: ClassVar[TabDeclaration] = settings_tab("Realm Settings")
