"""What one request is made of: the order, and those rows of the game that it may touch or look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.ciais.records import PLAYING, Player, Site, Unit, UnitType
from engine.fields import loosely
from engine.settings import Setting

BATTLE = "Battle"
END_ROUND = "End round"
SET_TAX = "Set tax"
CITY_CAPTURED = "City captured"
ADJUST_BANK = "Adjust bank"
OVERTHROW_CHOICE = "Overthrow choice"
CHECK_VICTORY = "Check victory"
ORDERS = (BATTLE, END_ROUND, SET_TAX, CITY_CAPTURED, ADJUST_BANK, OVERTHROW_CHOICE, CHECK_VICTORY)

HEIR, RANDOM, SHARED = "2a", "2b", "2c"
"""Choices of an overthrown player (CI-LOSE-2a to CI-LOSE-2c)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One row of the requests; what an order does not use is left as it is here.

    Args:
        kind: One of `ORDERS`.
        player: Who gives it; blank for Check victory, and for an End round of everybody.
        round: As typed; None takes the player's own.
        attacker: Unit that attacks (Battle).
        defender: Unit that is attacked (Battle).
        tax: New rate in per cent (Set tax; End round, before anything else).
        funding: Domestic funding in ¤ (End round).
        city: Site (City captured).
        amount: In ¤, either sign (Adjust bank).
        choice: 2a, 2b or 2c (Overthrow choice).
        heir: Player (2a).
        time_is_up: Check victory: the game ends now, the highest balance wins.
        nominee: Check victory: the game ended otherwise, and this player was nominated.
        roll: 1 to 100, the moderator's in place of a drawn one (Battle).
    """

    kind: str
    player: str = ""
    round: int | None = None
    attacker: str = ""
    defender: str = ""
    tax: float | None = None
    funding: float = 0
    city: str = ""
    amount: float = 0
    choice: str = ""
    heir: str = ""
    time_is_up: bool = False
    nominee: str = ""
    roll: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CiaisInputs:
    """One order with what it needs of the game, by name; of a round of everybody the players in sheet order (CI-RND).

    Args:
        order: What is to be done.
        players: All of them.
        types: Of the units below.
        units: That the order moves, counts or removes.
        sites: That supply them or may be lost.
        has_land_rows: Whether the sites tab has any city or base, listed here or not (CI-OP-27).
        settings: Numbers and words of the tables that this game has otherwise (SET-04).
        seed_given: The moderator typed the seed; the receipt names it.
    """

    order: Order
    players: tuple[Player, ...]
    types: tuple[UnitType, ...] = ()
    units: tuple[Unit, ...] = ()
    sites: tuple[Site, ...] = ()
    has_land_rows: bool = False
    settings: tuple[Setting, ...] = ()
    seed_given: bool = False


def allied(one: Player, other: Player) -> bool:
    """Whether two different players are of one alliance; capitals and spaces of its name do not matter."""
    return one.name != other.name and bool(one.alliance) and loosely(one.alliance) == loosely(other.alliance)


def suppliers(owner: Player, players: Sequence[Player], allied_supply: bool) -> frozenset[str]:
    """CI-OP-10: whose bases and outposts supply a player's units: the own ones, by a setting those of allies too."""
    allies = (it.name for it in players if allied_supply and allied(owner, it))
    return frozenset((owner.name, *allies))


def opponents(player: str, players: Sequence[Player]) -> tuple[str, ...]:
    """Everybody else who plays, allies too, in the order of the inputs (CI-OP-21)."""
    return tuple(it.name for it in players if it.name != player and it.status == PLAYING)


@dataclass(frozen=True, slots=True)
class Ending:
    """Whose round an order ends (CI-OP-30).

    Args:
        round: Which.
        players: Those who are in it.
        before: Playing ones who have not come to it yet.
        after: Playing ones who have ended it already.
    """

    round: int
    players: tuple[Player, ...]
    before: tuple[Player, ...] = ()
    after: tuple[Player, ...] = ()


def ending(order: Order, players: Sequence[Player]) -> Ending:
    """The one player's round, or that of everybody who plays; without a number the earliest that somebody is in."""
    asked = [it for it in players if (it.name == order.player if order.player else it.status == PLAYING)]
    round = order.round or min((it.round for it in asked), default=1)
    return Ending(
        round,
        tuple(it for it in asked if it.round == round),
        tuple(it for it in asked if it.round < round),
        tuple(it for it in asked if it.round > round),
    )
