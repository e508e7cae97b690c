"""Inputs of one request: the order and the rows of the game that it may change or read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.ciais.records import PLAYING, CiaisSite, CiaisUnit, CiaisUnitType, Player
from engine.columns import loosely
from engine.settings import Setting

BATTLE = "Battle"
END_ROUND = "End round"
SET_TAX = "Set tax"
CITY_CAPTURED = "City captured"
ADJUST_BANK = "Adjust bank"
OVERTHROW_CHOICE = "Overthrow choice"
CHECK_VICTORY = "Check victory"

HEIR, RANDOM, SHARED = "2a", "2b", "2c"
"""Choices of an overthrown player (CI-LOSE-2a to CI-LOSE-2c)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CiaisOrder:
    """One row of the requests; fields that an order does not use keep their defaults."""

    kind: str  # The kind of order: `Battle` ... `Check victory`
    player: str = ""  # The player who gives the order; blank for Check victory, and for an End round of all players
    round: int | None = None  # The round as typed; None for the player's own
    attacker: str = ""  # The unit that attacks (Battle)
    defender: str = ""  # The unit that is attacked (Battle)
    tax: float | None = None  # The new rate in per cent (Set tax; End round, before anything else)
    funding: float = 0  # The domestic funding in ¤ (End round)
    city: str = ""  # The site (City captured; Battle: the attacker's prize)
    amount: float = 0  # The amount in ¤, of either sign (Adjust bank)
    choice: str = ""  # The choice 2a, 2b or 2c (Overthrow choice)
    heir: str = ""  # The player who inherits (2a)
    time_is_up: bool = False  # True if the game ends now and the highest balance wins (Check victory)
    nominee: str = ""  # The player nominated when the game ended otherwise (Check victory)
    roll: int | None = None  # The moderator's roll, 1 to 100, in place of a drawn one (Battle)


@dataclass(frozen=True, slots=True, kw_only=True)
class CiaisInputs:
    """One order with the rows that it needs, by name; for a round of all, players are in sheet order (CI-RND)."""

    order: CiaisOrder
    players: tuple[Player, ...]  # All players
    types: tuple[CiaisUnitType, ...] = ()  # The types of the units below
    units: tuple[CiaisUnit, ...] = ()  # The units that the order moves, counts or removes, or that hold its city
    sites: tuple[CiaisSite, ...] = ()  # The sites that supply the units or may be lost
    has_land_rows: bool = False  # True if the sites tab has any city or base, listed here or not (CI-OP-27)
    settings: tuple[Setting, ...] = ()  # The numbers and words of the tables replaced by this game (SET-04)
    seed_given: bool = False  # True if the moderator typed the seed; the receipt then prints it


def allied(one: Player, other: Player) -> bool:
    """Return True if two different players share an alliance; case and spaces of its name are ignored."""
    return one.name != other.name and bool(one.alliance) and loosely(one.alliance) == loosely(other.alliance)


def suppliers(owner: Player, players: Sequence[Player], allied_supply: bool) -> frozenset[str]:
    """Return the owners of bases and outposts that supply a player: the player, and allies by a setting (CI-OP-10)."""
    allies = (player.name for player in players if allied_supply and allied(owner, player))
    return frozenset((owner.name, *allies))


def opponents(player: str, players: Sequence[Player]) -> tuple[str, ...]:
    """Return all other players in the game, allies included, in the order of the inputs (CI-OP-21)."""
    return tuple(other.name for other in players if other.name != player and other.status == PLAYING)


@dataclass(frozen=True, slots=True)
class Ending:
    """Round that an order ends, and its players (CI-OP-30)."""

    round: int  # The number of the round
    players: tuple[Player, ...]  # The players whose round ends
    before: tuple[Player, ...] = ()  # Playing players before this round
    after: tuple[Player, ...] = ()  # Playing players after this round


def ending(order: CiaisOrder, players: Sequence[Player]) -> Ending:
    """Return the round that an order ends, of one player or of all playing ones; by default their earliest one."""
    selected = [
        player for player in players if (player.name == order.player if order.player else player.status == PLAYING)
    ]
    round = order.round or min((player.round for player in selected), default=1)
    return Ending(
        round,
        tuple(player for player in selected if player.round == round),
        tuple(player for player in selected if player.round < round),
        tuple(player for player in selected if player.round > round),
    )
