"""Inputs of a year: the current database, and the effects of rulings since the last year."""

from __future__ import annotations

from dataclasses import dataclass

from engine.autoalgo.records import Leader, Nation
from engine.settings import Setting


@dataclass(frozen=True, slots=True, kw_only=True)
class YearNation:
    """A nation, and its wars."""

    nation: Nation
    fought: tuple[int, ...] = ()  # The years in which it fought
    has_lost_capital: bool = False  # True if it lost a battle in its capital since the last year
    usual_revenue: str = ""  # Revenue at the beginning of the season; blank if it has not changed


@dataclass(frozen=True, slots=True, kw_only=True)
class YearArmy:
    """An army, its casualties since the last year, and its prisoners."""

    name: str
    nation: tuple[str, ...]  # Its nations, of which the first one recruits
    size: int  # Men
    leader: str = ""
    keep: int | None = None  # Men that the nation keeps; None for a blank cell
    usual_size: int | None = None  # Men at the beginning of the season; None if they have not changed
    wounded: int = 0
    back: int = 0  # Wounded who have returned already
    captured: tuple[tuple[str, int], ...] = ()  # Prisoners by captor, with those of earlier years
    unit: str = ""  # Unit of its infantry


@dataclass(frozen=True, slots=True, kw_only=True)
class YearPlace:
    """A location that has an owner."""

    name: str
    owner: str
    occupied_by: str = ""  # Blank while the owner holds it
    people: int = 0  # Residents


@dataclass(frozen=True, slots=True, kw_only=True)
class Peace:
    """A war that has ended since the last year (YRS-13)."""

    war: str
    winners: tuple[str, ...]  # Nations of one side, even of a war without a winner
    losers: tuple[str, ...]  # Nations of the other side
    is_won: bool  # False without a winner
    terms: str = ""  # The terms as typed


@dataclass(frozen=True, slots=True, kw_only=True)
class YearInputs:
    """The inputs of the ruling of a year."""

    year: int  # The year that ends
    since: int  # The first year that the ruling ends; the same one unless years were skipped
    nations: tuple[YearNation, ...] = ()  # Sorted by name, like all below
    armies: tuple[YearArmy, ...] = ()
    leaders: tuple[Leader, ...] = ()
    places: tuple[YearPlace, ...] = ()
    peaces: tuple[Peace, ...] = ()
    has_keep: bool = False  # True if Militaries has the column Keep
    settings: tuple[Setting, ...] = ()  # Numbers of the tables replaced by the workbook (SET-04)
    seed_given: bool = False  # True if the moderator typed the seed
