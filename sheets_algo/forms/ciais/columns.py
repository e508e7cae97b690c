"""Columns of the CiAIS Requests and CiAIS Settings tabs, and the columns that each order uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.ciais.chance import FACES
from engine.ciais.inputs import ADJUST_BANK, BATTLE, CHECK_VICTORY, CITY_CAPTURED, END_ROUND, OVERTHROW_CHOICE, SET_TAX
from engine.ciais.records import LAST_ROUND, MOST, Player, number, whole
from engine.columns import Kind, TabDeclaration, choice, reference, result, text, yes_no
from sheets_algo.forms.request_columns import OrderRequest, notes_column, request_tab
from sheets_algo.forms.settings_tab import SettingRow, settings_tab


@dataclass(frozen=True, slots=True, kw_only=True)
class CiaisRequest(OrderRequest):
    """One row of the CiAIS Requests tab: one order."""

    tab: ClassVar[TabDeclaration] = request_tab(
        "CiAIS Requests", "One row is one order: a battle, a round, a tax rate, a captured city ...", one="order"
    )

    round: int | None = whole(
        "Round", "CI-RND", "The round it belongs to; blank: the player's current one.", low=1, high=LAST_ROUND
    )
    player: str = reference(
        "Player",
        "CiAIS Players",
        "CI-RND",
        "Who gives the order; in a battle the attacker. Blank on End round: everybody who plays.",
        default="",
    )
    order: str = choice("Order", "Order", "CI-RND", "What is to be done.", required=True)
    attacker: str = reference(
        "Attacker unit", "CiAIS Units", "CI-BAT", "Battle: the player's unit that attacks.", default=""
    )
    defender: str = reference(
        "Defender unit", "CiAIS Units", "CI-BAT", "Battle: another player's unit, not an ally's.", default=""
    )
    tax: float | None = number(
        "Tax %",
        "CI-TAX-02",
        "Set tax, or End round (set before anything else): the new rate, 12.5 is 12.5 %. Blank: as it is.",
        high=100,
        unit="per cent",
        shares=True,  # CI-OP-33
        aliases=("Tax",),
    )
    funding: float | None = number(
        "Domestic funding ¤",
        "CI-UNR-07",
        "End round: paid out of the bank; each full 100 ¤ lower unrest by 0.1. Blank: nothing.",
        aliases=("Domestic funding",),
    )
    city: str = reference(
        "City",
        "CiAIS Sites",
        "CI-CAP",
        "City captured: which one. Battle: the city that the attacker takes by winning.",
        default="",
    )
    amount: float | None = number(
        "Amount ¤",
        "CI-OP-16",
        "Adjust bank: what is added, with a minus sign what is taken.",
        low=-MOST,
        aliases=("Amount",),
    )
    choice: str | None = choice(
        "Choice",
        "Choice",
        "CI-LOSE-2",
        "Overthrow choice: 2a all to the Heir, 2b cities to a drawn opponent and the rest off the board, 2c the"
        " other players decide.",
    )
    heir: str = reference("Heir", "CiAIS Players", "CI-LOSE-2a", "Choice 2a: who gets land and equipment.", default="")
    time_is_up: bool = yes_no("Time is up", "CI-WIN-3", "Check victory: yes ends the game, the highest balance wins.")
    nominee: str = reference(
        "Nominated winner",
        "CiAIS Players",
        "CI-WIN-4",
        "Check victory: ends the game by agreement; this player wins.",
        default="",
    )
    roll: int | None = whole(
        "Roll",
        "CI-BASE-02",
        "Battle: the moderator's roll, named on the receipt; blank: drawn.",
        low=FACES[0],
        high=FACES[1],
    )
    notes: str = notes_column("CI-RND")
    winner: str = result(
        "Winner", "CI-BASE-02", "Owner of the winning unit; of other orders who has won the game by them."
    )
    chance: int = result("Chance", "CI-EQ-01", "Of the attacker in a battle, in whole per cent.", kind=Kind.WHOLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow(Player):
    """One row of the CiAIS Players tab as people see it: a player, and the address, which rules nothing."""

    contact: str = text(
        "Contact",
        "TRN-11",
        "The address by which orders in a Google Form are known as the player's; several with ; between them.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CiaisSetting(SettingRow):
    """One row of the CiAIS Settings tab: a number or reading of the rules that this workbook overrides."""

    tab: ClassVar[TabDeclaration] = settings_tab(
        "CiAIS Settings", "numbers and readings of the rules that this game has otherwise, by name"
    )


@dataclass(frozen=True, slots=True)
class OrderColumns:
    """Columns of an order besides Order, Round and Player."""

    required: tuple[str, ...] = ()  # The attributes of cells that must be filled
    optional: tuple[str, ...] = ()  # The attributes of cells that may be filled
    player: bool = True  # True if the player must be named


NEEDS = {
    BATTLE: OrderColumns(("attacker", "defender"), ("roll", "city")),
    END_ROUND: OrderColumns((), ("tax", "funding"), player=False),
    SET_TAX: OrderColumns(("tax",)),
    CITY_CAPTURED: OrderColumns(("city",)),
    ADJUST_BANK: OrderColumns(("amount",)),
    OVERTHROW_CHOICE: OrderColumns(("choice",), ("heir",)),
    CHECK_VICTORY: OrderColumns((), ("time_is_up", "nominee"), player=False),
}
SPECIFIC = tuple(dict.fromkeys(name for needs in NEEDS.values() for name in (*needs.required, *needs.optional)))
"""Attributes that some orders use and others do not."""
