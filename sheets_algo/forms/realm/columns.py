"""Columns of the Turn Requests, Rating Requests and Realm Settings tabs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.columns import TabDeclaration, choice, reference, result, text, whole
from engine.realm.setup.records import MOST
from sheets_algo.forms.request_columns import OrderRequest, Request, request_tab
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
        "Turn",
        id="RL-OP-01",
        low=1,
        high=MOST,
        note="Blank: the turn after the realm's last one. Process rebels needs it.",
    )
    realm: str = reference(
        "Realm",
        "Realms",
        id="RL-OP-01",
        default="",
        note="Whose order; blank for all turns and for rebels.",
    )
    order: str = choice("Order", "Order", id="RL-OP-01", required=True, note="What is ordered.")
    target_realm: str = reference(
        "Target realm", "Realms", id="RL-ESP-A", default="", note="For missions of agents: another realm in play."
    )
    target: str = text(
        "Target", id="RL-GEN-05", note="The leader, unit or city in question, as its own tab spells the name."
    )
    agents: int | None = whole(
        "Agents", id="RL-ESP-A", low=1, high=10_000, note="For missions: how many are sent; more do more and are seen."
    )
    event: str = choice("Event", "Event", id="RL-EXP-03", default="", note="For Award experience: what was done.")
    battles_won: int | None = whole("Battles won", id="RL-TAX-03", low=0, high=10_000, note="For Process turn.")
    battles_lost: int | None = whole("Battles lost", id="RL-TAX-03", low=0, high=10_000, note="For Process turn.")
    cities_captured: int | None = whole("Cities captured", id="RL-TAX-04", low=0, high=10_000, note="For Process turn.")
    cities_lost: int | None = whole(
        "Cities lost", id="RL-TAX-04", low=0, high=10_000, note="For Process turn; those lost to rebels do not count."
    )
    nearest_enemy: str = reference(
        "Nearest enemy",
        "Realms",
        id="RL-OP-24",
        default="",
        note="For Process turn: to whom disloyal leaders turn. Blank: each leader's own, else by location.",
    )
    fixed_rolls: str = text(
        "Fixed rolls",
        id="RL-OP-41",
        note="rule-id=number; rule-id name=number: a number in place of a die, printed on the receipt.",
    )
    notes: str = text(
        "Notes", id="RL-OP-01", longest=100_000, decides=False, note="Anything; the program does not read it."
    )
    came_of_it: str = result("Result", id="RL-OP-01", note="What came of it, in one line.")
    target_message: str = result("Target message", id="RL-ESP-D", note="What the other realm may be told.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRequest(Request):
    """One row of the Rating Requests tab: one finished game."""

    tab: ClassVar[TabDeclaration] = request_tab(
        "Rating Requests",
        "One row is one finished game; it changes the ratings of its players.",
        one="game",
        optional=True,
    )

    game: str = text(
        "Game", id="RL-RAT-02", required=True, longest=20_000, decides=False, note="Its name on the receipt."
    )
    standing: str = text(
        "Standing",
        id="RL-RAT-03",
        required=True,
        note="Realms, the best first: A > B > C. To order them, add 100 × rulers eliminated earlier ÷ (players − 1) and"
        " the highest per cent of the score; ties by elimination (RL-RAT-02, RL-OP-32).",
    )
    notes: str = text(
        "Notes", id="RL-RAT-02", longest=100_000, decides=False, note="Anything; the program does not read it."
    )
    came_of_it: str = result("Result", id="RL-RAT-04", note="Every new rating.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmSetting(SettingRow):
    """One row of the Realm Settings tab: a number of the rules that this workbook overrides."""

    tab: ClassVar[TabDeclaration] = settings_tab("Realm Settings")
