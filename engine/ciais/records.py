"""Database tabs of `ciais`: players, unit types, units and sites, one record class each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from engine import columns
from engine.columns import TabDeclaration, choice, reference, text, yes_no

MOST = 1_000_000_000_000
"""Upper bound of sums of money and of other numbers without a bound of their own (CI-OP-34)."""
number, whole = partial(columns.number, high=MOST), partial(columns.whole, high=MOST)
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

    name: str = text("Player", "CI-RND", "The player's name, unique.", required=True)
    bank: float = number(
        "Bank ¤",
        "CI-TAX-01",
        "Balance. It goes below 0 by the order Adjust bank only, which counts as economic failure.",
        low=-MOST,
        default=0,
        aliases=("Bank",),
    )
    tax: float = number(
        "Tax %",
        "CI-TAX-01",
        "Rate in per cent: 12.5 is 12.5 %. Each round brings 10 ¤ for each per cent.",
        high=100,
        default=10,
        unit="per cent",
        shares=True,  # CI-OP-33
        aliases=("Tax",),
    )
    unrest: float = number("Unrest", "CI-UNR-08", "Civil unrest; at 10 the player is overthrown.", default=0)
    alliance: str = text(
        "Alliance", "CI-WIN-2", "Name of the alliance; players with the same one are allies. Blank: none."
    )
    status: str = choice("Status", "Player status", "CI-RND", "Playing, Lost or Won.", default=PLAYING)
    loss: str = choice(
        "Loss condition",
        "Loss condition",
        "CI-LOSE-2",
        "How the player lost; an overthrown player's reads 2a, 2b or 2c once the choice is made.",
        default="",
    )
    round: int = whole("Round", "CI-RND", "The round the player is in.", low=1, high=LAST_ROUND, default=1)
    was_negative: bool = yes_no(
        "Bank was negative", "CI-OP-16", "Yes: the balance is below 0 and its economic failure is counted."
    )
    tax_changed_in: int | None = whole(
        "Tax changed in round", "CI-TAX-02", "The round in which the rate was last set.", low=1, high=LAST_ROUND
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

    name: str = text("Name", "CI-BASE-01", "The unit type's name, unique.", required=True)
    type: str = choice("Type", "Unit type", "CI-BASE-01", "land, sea or air.", required=True)
    cost: float | None = number("Cost", "CI-OP-26", "Price in ¤; noted only.")
    multi_l: float = number(
        "multi-l",
        "CI-BASE-01",
        "Multiplier against land units, one decimal; the unit dies when attrition brings it below 0.",
        high=10,
        required=True,
    )
    multi_s: float = number(
        "multi-s", "CI-BASE-01", "Multiplier against sea units, one decimal.", high=10, required=True
    )
    multi_a: float = number(
        "multi-a", "CI-BASE-01", "Multiplier against air units, one decimal.", high=10, required=True
    )
    cost_t: float | None = number(
        "cost-t", "CI-OP-26", "Travel cost per 10° (600 nautical miles) at sea, per 1° (60) on land; noted only."
    )
    range: float | None = number(
        "range", "CI-OP-26", "Most degrees in one turn; a Battle further away is ruled with a warning.", unit="degrees"
    )
    cooldown: str | float | None = choice(
        "cooldown",
        "Cooldown",
        "CI-OP-26",
        "Turns to wait after an attack, or Infinity for once in a game; a Battle before that is ruled with a warning.",
        numeric=True,
        low=0,
        high=LAST_ROUND,
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

    name: str = text("Unit", "CI-LOG-02", "The unit's name, unique.", required=True)
    owner: str = reference("Owner", "CiAIS Players", "CI-LOG-01", "Whose it is.", required=True)
    type: str = reference("Unit type", "CiAIS Unit Types", "CI-BASE-01", "What it is.", required=True)
    latitude: float = number(
        "Latitude", "CI-BASE-04", "North is positive.", low=-90, high=90, required=True, unit="degrees"
    )
    longitude: float = number(
        "Longitude", "CI-BASE-04", "East is positive.", low=-180, high=180, required=True, unit="degrees"
    )
    status: str = choice("Status", "Unit status", "CI-OP-20", "Active or Lost.", default=ACTIVE)
    attrition: int | None = whole(
        "Attrition",
        "CI-LOG-03",
        "Points when last worked out: one for each full degree to its nearest supply. Written by rulings.",
        high=1000,
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

    name: str = text("Site", "CI-LOG-01", "The site's name, unique.", required=True)
    kind: str = choice("Kind", "Site kind", "CI-LOG-01", "base, outpost or city.", required=True)
    owner: str = reference(
        "Owner", "CiAIS Players", "CI-LOG-01", "Whose it is; blank: nobody's, or off the board.", default=""
    )
    latitude: float | None = number(
        "Latitude", "CI-BASE-04", "North is positive; needed for bases and outposts.", low=-90, high=90, unit="degrees"
    )
    longitude: float | None = number(
        "Longitude",
        "CI-BASE-04",
        "East is positive; needed for bases and outposts.",
        low=-180,
        high=180,
        unit="degrees",
    )

    @property
    def supplies(self) -> bool:
        """Return True if units are supplied from here (CI-LOG-01)."""
        return self.kind in (BASE, OUTPOST)

    @property
    def is_land(self) -> bool:
        """Return True if the site counts as its owner's land (CI-LOSE-1)."""
        return self.kind in (CITY, BASE)
