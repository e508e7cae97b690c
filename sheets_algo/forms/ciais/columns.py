"""Columns of the CiAIS Requests and CiAIS Settings tabs, and the columns that each order uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.ciais.chance import FACES
from engine.ciais.inputs import ADJUST_BANK, BATTLE, CHECK_VICTORY, CITY_CAPTURED, END_ROUND, OVERTHROW_CHOICE, SET_TAX
from engine.ciais.records import LAST_ROUND, MOST, Player
from engine.columns import Kind, TabDeclaration, choice, number, reference, result, text, whole, yes_no
from sheets_algo.forms.request_columns import OrderRequest, request_tab
from sheets_algo.forms.settings_tab import SettingRow, settings_tab


@dataclass(frozen=True, slots=True, kw_only=True)
class CiaisRequest(OrderRequest):
    """One row of the CiAIS Requests tab: one order."""

    tab: ClassVar[TabDeclaration] = request_tab(
        "CiAIS Requests", "One row is one order: a battle, a round, a tax rate, a captured city ...", one="order"
    )

    round: int | None = whole(
        "Round", id="CI-RND", low=1, high=LAST_ROUND, note="The round it belongs to; blank: the player's current one."
    )
    player: str = reference(
        "Player",
        "CiAIS Players",
        id="CI-RND",
        default="",
        note="Who gives the order; in a battle the attacker. Blank on End round: everybody who plays.",
    )
    order: str = choice("Order", "Order", id="CI-RND", required=True, note="What is to be done.")
    attacker: str = reference(
        "Attacker unit", "CiAIS Units", id="CI-BAT", default="", note="Battle: the player's unit that attacks."
    )
    defender: str = reference(
        "Defender unit", "CiAIS Units", id="CI-BAT", default="", note="Battle: another player's unit, not an ally's."
    )
    tax: float | None = number(
        "Tax %",
        id="CI-TAX-02",
        low=0,
        high=100,
        unit="per cent",
        shares=True,  # CI-OP-33
        aliases=("Tax",),
        note="Set tax, or End round (set before anything else): the new rate, 12.5 is 12.5 %. Blank: as it is.",
    )
    funding: float | None = number(
        "Domestic funding ¤",
        id="CI-UNR-07",
        low=0,
        high=MOST,
        aliases=("Domestic funding",),
        note="End round: paid out of the bank; each full 100 ¤ lower unrest by 0.1. Blank: nothing.",
    )
    city: str = reference(
        "City",
        "CiAIS Sites",
        id="CI-CAP",
        default="",
        note="City captured: which one. Battle: the city that the attacker takes by winning.",
    )
    amount: float | None = number(
        "Amount ¤",
        id="CI-OP-16",
        low=-MOST,
        high=MOST,
        aliases=("Amount",),
        note="Adjust bank: what is added, with a minus sign what is taken.",
    )
    choice: str | None = choice(
        "Choice",
        "Choice",
        id="CI-LOSE-2",
        note="Overthrow choice: 2a all to the Heir, 2b cities to a drawn opponent and the rest off the board, 2c the"
        " other players decide.",
    )
    heir: str = reference(
        "Heir", "CiAIS Players", id="CI-LOSE-2a", default="", note="Choice 2a: who gets land and equipment."
    )
    time_is_up: bool = yes_no(
        "Time is up", id="CI-WIN-3", note="Check victory: yes ends the game, the highest balance wins."
    )
    nominee: str = reference(
        "Nominated winner",
        "CiAIS Players",
        id="CI-WIN-4",
        default="",
        note="Check victory: ends the game by agreement; this player wins.",
    )
    roll: int | None = whole(
        "Roll",
        id="CI-BASE-02",
        low=FACES[0],
        high=FACES[1],
        note="Battle: the moderator's roll, named on the receipt; blank: drawn.",
    )
    notes: str = text(
        "Notes", id="CI-RND", longest=100_000, decides=False, note="Anything; the program does not read it."
    )
    winner: str = result(
        "Winner", id="CI-BASE-02", note="Owner of the winning unit; of other orders who has won the game by them."
    )
    chance: int = result(
        "Chance", id="CI-EQ-01", kind=Kind.WHOLE, note="Of the attacker in a battle, in whole per cent."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow(Player):
    """One row of the CiAIS Players tab as people see it: a player, and the address, which rules nothing."""

    contact: str = text(
        "Contact",
        id="TRN-11",
        note="The address by which orders in a Google Form are known as the player's; several with ; between them.",
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
