"""Numbers of the years of a game, `years.json`: effects of a year on armies, nations and leaders (YRS)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from engine.config_value import table_error
from engine.declare import entry, record, table
from engine.shapes import ListOf, MapOf, Number, Text

SHARE = Number(0, 1)
COUNT = Number(0, whole=True)
BY_GROUP = MapOf(SHARE, about="A share a year.")
BY_BAND = MapOf(SHARE, about="A share a year, at the beginning of the band.")


@record
class LifeRow:
    """A row of the life table; between two ages the chance grows evenly."""

    age: int = entry(Number(0, whole=True), "Years.")
    chance: float = entry(SHARE, "Chance to die within a year.")


@table("years", "Years of the game")
class YearNumbers:
    """Numbers of a year; 0 switches an effect off.

    Groups are those of `max_military.json`, bands those of `stability_bands.json`; between the beginnings of two bands
    a share changes evenly, and a missing band has 0.
    """

    exchanged: float = entry(SHARE, "Share of the prisoners who are exchanged while a war lasts.", "YRS-04/exchanged")
    released: float = entry(SHARE, "Share who come home at the peace.", "YRS-04/released")
    recruits: Mapping[str, float] = entry(
        BY_GROUP, "Share of the missing men who are recruited in a year, by group.", "YRS-05/recruits"
    )
    obedience: float = entry(
        Number(above=0), "Stability from which on all of them come; below it they are fewer.", "YRS-05/obedience"
    )
    levy: float = entry(SHARE, "Most recruits of a year, as a share of the population.", "YRS-05/levy")
    rise: float = entry(SHARE, "Share of the distance that Stability rises in a year.", "YRS-06/rise")
    fall: float = entry(SHARE, "Share that it falls.", "YRS-06/fall")
    innate: float = entry(SHARE, "Weight of Innate Stability in what it nears; the rest is `mean`.", "YRS-06/innate")
    mean: float = entry(Number(0, 200), "Stability of a usual nation.", "YRS-06/mean")
    occupied: float = entry(SHARE, "Share that is lost of it where all land is occupied.", "YRS-06/occupied")
    growth: Mapping[str, float] = entry(BY_GROUP, "Growth of the population in peace, by group.", "YRS-07/growth")
    war: float = entry(SHARE, "Share of the growth that a year of war takes.", "YRS-07/war")
    life: tuple[LifeRow, ...] = entry(ListOf(LifeRow, repeats=True), "In order of age.", "YRS-08/life")
    heir_least: int = entry(COUNT, "Least age of an heir.", "YRS-08/heir_least")
    heir_most: int = entry(COUNT, "Greatest age of an heir.", "YRS-08/heir_most")
    trait: int = entry(Number(0, 10, whole=True), "Strongest skill of an heir.", "YRS-08/trait")
    others: int = entry(Number(0, 10, whole=True), "Most that each other skill can be.", "YRS-08/others")
    names: Mapping[str, tuple[str, ...]] = entry(
        MapOf(ListOf(Text()), about="Names."), "Names of heirs by Ethnicity; without any: heir of.", "YRS-08/names"
    )
    war_years: int = entry(
        COUNT, "Years of war in a row after which Revenue falls a step; 0: never.", "YRS-09/war_years"
    )
    peace_years: int = entry(COUNT, "Years of peace after which it rises a step; 0: never.", "YRS-09/peace_years")
    capital: int = entry(
        Number(0, 1, whole=True), "1: a battle lost in the capital sets Year Crisis.", "YRS-09/capital"
    )
    desertion: Mapping[str, float] = entry(BY_BAND, "Share of an army that deserts in a year.", "YRS-10/desertion")
    revolt: Mapping[str, float] = entry(BY_BAND, "Chance of a revolt in a year.", "YRS-11/revolt")
    rebels: float = entry(SHARE, "Rebels, as a share of the population.", "YRS-11/rebels")
    rebels_most: int = entry(COUNT, "Most rebels of a revolt.", "YRS-11/rebels_most")

    def __post_init__(self) -> None:
        for position, (younger, older) in enumerate(pairwise(self.life)):
            if younger.age >= older.age:
                raise table_error(
                    f"{younger.age} is not below the next age, {older.age}.", "YRS-08", "life", position, "age"
                )
        if self.heir_least > self.heir_most:
            raise table_error(f"{self.heir_least} is above heir_most, {self.heir_most}.", "YRS-08", "heir_least")
