"""Database tabs of `ciais`: players, unit types, units and sites, one record class each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.columns import TabDeclaration, choice, number, reference, text, whole, yes_no

MOST = 1_000_000_000_000
"""Upper bound of sums of money and of other numbers without a bound of their own (CI-OP-34)."""
LAST_ROUND = 1_000_000

PLAYING, LOST, WON = "Playing", "Lost", "Won"
ACTIVE, GONE = "Active", "Lost"
LAND, SEA, AIR = "land", "sea", "air"
INFINITY = "Infinity"
"""Cooldown of a unit type that attacks once for each player in a game (CI-BASE-03)."""
BASE, OUTPOST, CITY = "base", "outpost", "city"


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """One row of the CiAIS Players tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "CiAIS Players",
        key="name",
        one="player",
        about="Who plays, with bank, tax and unrest; rulings keep them, and a moderator may correct them in between.",
    )

    name: str = text("Player", required=True, id="CI-RND", note="The player's name, unique.")
    bank: float = number(
        "Bank ¤",
        low=-MOST,
        high=MOST,
        default=0,
        id="CI-TAX-01",
        aliases=("Bank",),
        note="Balance. It goes below 0 by the order Adjust bank only, which counts as economic failure.",
    )
    tax: float = number(
        "Tax %",
        low=0,
        high=100,
        default=10,
        id="CI-TAX-01",
        unit="per cent",
        shares=True,  # CI-OP-33
        aliases=("Tax",),
        note="Rate in per cent: 12.5 is 12.5 %. Each round brings 10 ¤ for each per cent.",
    )
    unrest: float = number(
        "Unrest", low=0, high=MOST, default=0, id="CI-UNR-08", note="Civil unrest; at 10 the player is overthrown."
    )
    alliance: str = text(
        "Alliance", id="CI-WIN-2", note="Name of the alliance; players with the same one are allies. Blank: none."
    )
    status: str = choice("Status", "Player status", default=PLAYING, id="CI-RND", note="Playing, Lost or Won.")
    loss: str = choice(
        "Loss condition",
        "Loss condition",
        default="",
        id="CI-LOSE-2",
        note="How the player lost; an overthrown player's reads 2a, 2b or 2c once the choice is made.",
    )
    round: int = whole("Round", low=1, high=LAST_ROUND, default=1, id="CI-RND", note="The round the player is in.")
    was_negative: bool = yes_no(
        "Bank was negative", id="CI-OP-16", note="Yes: the balance is below 0 and its economic failure is counted."
    )
    tax_changed_in: int | None = whole(
        "Tax changed in round", low=1, high=LAST_ROUND, id="CI-TAX-02", note="The round in which the rate was last set."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CiaisUnitType:
    """One row of the CiAIS Unit Types tab; a ruling never changes it."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "CiAIS Unit Types",
        key="name",
        one="unit type",
        about="The unit types the players agreed on; a ruling never changes them.",
    )

    name: str = text("Name", required=True, id="CI-BASE-01", note="The unit type's name, unique.")
    type: str = choice("Type", "Unit type", required=True, id="CI-BASE-01", note="land, sea or air.")
    cost: float | None = number("Cost", low=0, high=MOST, id="CI-OP-26", note="Price in ¤; noted only.")
    multi_l: float = number(
        "multi-l",
        low=0,
        high=10,
        required=True,
        id="CI-BASE-01",
        note="Multiplier against land units, one decimal; the unit dies when attrition brings it below 0.",
    )
    multi_s: float = number(
        "multi-s", low=0, high=10, required=True, id="CI-BASE-01", note="Multiplier against sea units, one decimal."
    )
    multi_a: float = number(
        "multi-a", low=0, high=10, required=True, id="CI-BASE-01", note="Multiplier against air units, one decimal."
    )
    cost_t: float | None = number(
        "cost-t",
        low=0,
        high=MOST,
        id="CI-OP-26",
        note="Travel cost per 10° (600 nautical miles) at sea, per 1° (60) on land; noted only.",
    )
    range: float | None = number(
        "range",
        low=0,
        high=MOST,
        id="CI-OP-26",
        unit="degrees",
        note="Most degrees in one turn; a Battle further away is ruled with a warning.",
    )
    cooldown: str | float | None = choice(
        "cooldown",
        "Cooldown",
        numeric=True,
        low=0,
        high=LAST_ROUND,
        id="CI-OP-26",
        note="Turns to wait after an attack, or Infinity for once in a game; a Battle before that is ruled with a"
        " warning.",
    )

    def against(self, type: str) -> float:
        """Return the multiplier against units of a type: land, sea or air (CI-OP-04)."""
        return {LAND: self.multi_l, SEA: self.multi_s, AIR: self.multi_a}[type]


@dataclass(frozen=True, slots=True, kw_only=True)
class CiaisUnit:
    """One row of the CiAIS Units tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "CiAIS Units",
        key="name",
        one="unit",
        about="The units on the board; rulings write their attrition and which are lost.",
    )

    name: str = text("Unit", required=True, id="CI-LOG-02", note="The unit's name, unique.")
    owner: str = reference("Owner", "CiAIS Players", required=True, id="CI-LOG-01", note="Whose it is.")
    type: str = reference("Unit type", "CiAIS Unit Types", required=True, id="CI-BASE-01", note="What it is.")
    latitude: float = number(
        "Latitude", low=-90, high=90, required=True, id="CI-BASE-04", unit="degrees", note="North is positive."
    )
    longitude: float = number(
        "Longitude", low=-180, high=180, required=True, id="CI-BASE-04", unit="degrees", note="East is positive."
    )
    status: str = choice("Status", "Unit status", default=ACTIVE, id="CI-OP-20", note="Active or Lost.")
    attrition: int | None = whole(
        "Attrition",
        low=0,
        high=1000,
        id="CI-LOG-03",
        note="Points when last worked out: one for each full degree to its nearest supply. Written by rulings.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CiaisSite:
    """One row of the CiAIS Sites tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "CiAIS Sites",
        key="name",
        one="site",
        about="Bases and outposts supply units; cities and bases are land, without which a player loses.",
    )

    name: str = text("Site", required=True, id="CI-LOG-01", note="The site's name, unique.")
    kind: str = choice("Kind", "Site kind", required=True, id="CI-LOG-01", note="base, outpost or city.")
    owner: str = reference(
        "Owner", "CiAIS Players", default="", id="CI-LOG-01", note="Whose it is; blank: nobody's, or off the board."
    )
    latitude: float | None = number(
        "Latitude",
        low=-90,
        high=90,
        id="CI-BASE-04",
        unit="degrees",
        note="North is positive; needed for bases and outposts.",
    )
    longitude: float | None = number(
        "Longitude",
        low=-180,
        high=180,
        id="CI-BASE-04",
        unit="degrees",
        note="East is positive; needed for bases and outposts.",
    )

    @property
    def supplies(self) -> bool:
        """Return True if units are supplied from here (CI-LOG-01)."""
        return self.kind in (BASE, OUTPOST)

    @property
    def is_land(self) -> bool:
        """Return True if the site counts as its owner's land (CI-LOSE-1)."""
        return self.kind in (CITY, BASE)
