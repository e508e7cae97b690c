"""Formulas of the rules, exact and without random numbers."""

from __future__ import annotations

import math
from fractions import Fraction

from engine.exact import exact, printed
from engine.realm.setup.constants import RealmConstants
from engine.realm.setup.records import HERO, LEGEND
from engine.rule import Label, rule

FULL = 100
TENTH = Fraction(1, 10)


def loyalty_modifier(initial: int, constants: RealmConstants) -> Fraction:
    """Return the factor on losses of loyalty, by the initial loyalty, 0 to 100 (RL-LOY-04)."""
    return 1 + (FULL - initial) * constants.initial_loyalty_factor / 100


@rule("RL-LOY-04, RL-GEN-03", "loss of loyalty", points="loss", initial="initial loyalty")
def loyalty_loss(points: int, initial: int, constants: RealmConstants) -> int:
    """Return a loss times the modifier, rounded down (RL-LOY-04, RL-GEN-03)."""
    return math.floor(points * loyalty_modifier(initial, constants))


@rule("RL-GEN-03, RL-OP-14", "loyalty", loyalty="loyalty")
def bounded(loyalty: Fraction) -> int:
    """Return loyalty as it is stored: a whole number from 0 to 100 (RL-OP-14)."""
    return max(0, min(FULL, math.trunc(loyalty)))


@rule("RL-LOY-02", "ACTION", rolled="rolled", loyalty="loyalty")
def action_number(rolled: int, loyalty: int, constants: RealmConstants) -> int:
    """Return ACTION of a disloyal leader, by the number rolled (RL-LOY-02)."""
    return rolled + math.trunc((FULL - loyalty) / constants.action_divisor)


def pay_modifier(pay: float, upkeep: float) -> Fraction:
    """Return PAY ÷ UPKEEP; 1 without upkeep (RL-OP-28)."""
    return exact(pay) / exact(upkeep) if upkeep else Fraction(1)


@rule(
    "RL-LOY-01",
    "loyalty",
    loyalty="loyalty",
    nation="nation",
    loyalty_decay="each turn",
    experience="experience",
    pay=Label("pay", spell=lambda pay: f"{printed(pay)} of the upkeep"),
)
def adjusted_loyalty(
    loyalty: int, nation: Fraction, pay: Fraction, experience: int, constants: RealmConstants
) -> Fraction:
    """Return the loyalty of RL-LOY-01 before it is rounded for storage.

    Args:
        loyalty: The current loyalty, 0 to 100.
        nation: The nation type's modifier, −2 to 1.
        pay: The ratio PAY ÷ UPKEEP.
    """
    by_experience = 1 / (1 + experience / constants.experience_scale)
    by_loyalty = constants.loyalty_base + loyalty / constants.loyalty_scale
    return loyalty + nation - constants.loyalty_decay + constants.pay_weight * pay * by_experience * by_loyalty


@rule("RL-REC-01", "A leader arrives", arrival_base="base", fame="fame", hired=Label("hired", spell=str))
def arrival_chance(fame: int, hired: int, constants: RealmConstants) -> Fraction:
    """Return the chance of RL-REC-01 in per cent; heroes and legends count alike (RL-OP-02, RL-OP-20)."""
    return constants.arrival_base + fame - hired * hired


@rule("RL-MER-01", "Mercenaries come", mercenary_base="base", fame="fame")
def mercenary_chance(fame: int, constants: RealmConstants) -> Fraction:
    """Return the chance of RL-MER-01 in per cent."""
    return constants.mercenary_base + fame / constants.mercenary_fame_divisor


@rule(
    "RL-DUN-01",
    "Talks",
    interrogation_base="base",
    loyalty="loyalty",
    experience="experience",
    leadership="leadership",
    melee="melee",
)
def interrogation_chance(
    loyalty: int, experience: int, leadership: Fraction, melee: Fraction, constants: RealmConstants
) -> Fraction:
    """Return the chance of RL-DUN-01 in per cent, with current attributes (RL-GEN-05)."""
    strength = constants.interrogation_leadership * leadership + constants.interrogation_melee * melee
    return constants.interrogation_base - loyalty - constants.interrogation_experience * experience - strength


@rule("RL-DUN-02", "Enters service", conversion_base="base", loyalty="loyalty")
def release_conversion_chance(loyalty: int, constants: RealmConstants, is_excluded: bool = False) -> Fraction:
    """Return the chance of RL-DUN-02, step 1, in per cent; 0 for a realm barred by RL-LOY-05."""
    return Fraction(0) if is_excluded else constants.conversion_base - loyalty


@rule("RL-DUN-02", "Else goes home", loyalty="loyalty")
def return_chance(loyalty: int) -> int:
    """Return the chance of RL-DUN-02, step 2, in per cent."""
    return loyalty


@rule("RL-DUN-03", "Enters service", conversion_base="base", loyalty="loyalty", experience="experience")
def entice_conversion_chance(
    loyalty: int, experience: int, constants: RealmConstants, is_excluded: bool = False
) -> Fraction:
    """Return the chance of RL-DUN-03, step 1, in per cent; 0 for a realm barred by RL-LOY-05."""
    if is_excluded:
        return Fraction(0)
    return constants.conversion_base - loyalty - experience / constants.entice_experience_divisor


@rule("RL-DUN-03", "Else escapes", melee="melee", stealth="stealth", experience="experience")
def entice_escape_chance(melee: Fraction, stealth: Fraction, experience: int, constants: RealmConstants) -> Fraction:
    """Return the chance of RL-DUN-03, step 2, in per cent."""
    return melee + constants.escape_stealth * stealth + experience / constants.escape_experience_divisor


def games_base(kind: str, constants: RealmConstants) -> int:
    """Return the base of the games' profit and happiness (RL-DUN-05)."""
    return math.trunc(
        constants.hero_base if kind == HERO else constants.legend_base if kind == LEGEND else constants.ruler_base
    )


@rule("RL-DUN-04, RL-OP-07", "Faces of the profit's die", base="base", melee="melee", experience="experience")
def games_faces(base: int, melee: Fraction, experience: int, constants: RealmConstants) -> int:
    """Return the number of faces of the die for the profit, rounded towards zero (RL-DUN-04, RL-OP-07)."""
    return math.trunc(base + constants.games_melee_factor * melee + experience / constants.games_experience_divisor)


def games_profit(rolled: int, constants: RealmConstants) -> int:
    """Return the profit of the games, from the number of its die (RL-DUN-04)."""
    return math.trunc(constants.games_base) + rolled


@rule("RL-DUN-04", "Dies", death_base="base", melee="melee")
def games_death_chance(melee: Fraction, constants: RealmConstants) -> Fraction:
    """Return the chance of RL-DUN-04, step 2, in per cent."""
    return constants.death_base - constants.death_melee * melee


@rule("RL-DUN-04", "Else escapes", stealth="stealth", experience="experience, with the games'")
def games_escape_chance(stealth: Fraction, experience: int, constants: RealmConstants) -> Fraction:
    """Return the chance of RL-DUN-04, step 4, in per cent, with the experience gained in the games (RL-OP-35)."""
    return stealth + experience / constants.games_experience_divisor


@rule("RL-TAX-01", "Income", tax_rate="tax rate", population="population")
def income(tax_rate: int, population: int, constants: RealmConstants) -> Fraction:
    """Return the income of RL-TAX-01 before rounding."""
    return tax_rate * population * constants.income_factor


@rule("RL-TAX-02", "Base happiness", happiness_base="base", tax_rate="tax")
def base_happiness(tax_rate: int, constants: RealmConstants) -> Fraction:
    """Return the base happiness, 110 − tax − 0.5 × (tax ÷ 10)² (RL-TAX-02, RL-OP-03)."""
    tenth = tax_rate * TENTH
    return constants.happiness_base - tax_rate - constants.tax_square_factor * tenth * tenth


@rule("RL-TAX-03, RL-OP-15", "battles", won="won", lost="lost")
def battle_points(won: int, lost: int, constants: RealmConstants) -> Fraction:
    """Return the net effect of battles in percentage points (RL-TAX-03, RL-OP-15)."""
    net = (won - lost) * constants.battle_points
    return max(-constants.battle_most, min(constants.battle_most, net))


@rule("RL-TAX-04", "cities", captured="captured", lost="lost")
def city_points(captured: int, lost: int, constants: RealmConstants) -> Fraction:
    """Return the effect of cities won and lost in percentage points (RL-TAX-04)."""
    return captured * constants.captured_points - lost * constants.lost_points


@rule("RL-TAX-05", "happiness", current="happiness before", base="base")
def moved_happiness(current: Fraction, base: Fraction, constants: RealmConstants) -> Fraction:
    """Return happiness moved to its base: down at once, up by at most 5 (RL-TAX-05)."""
    return min(base, current + constants.rise_most)


@rule("RL-OP-14", "happiness", happiness="happiness")
def capped_happiness(happiness: Fraction, constants: RealmConstants) -> Fraction:
    """Limit happiness to 100, and to the tables' floor if there is one (RL-OP-14)."""
    capped = min(Fraction(FULL), happiness)
    return capped if constants.happiness_floor is None else max(capped, constants.happiness_floor)


@rule(
    "RL-POP-01, RL-OP-08",
    "Each city's people are multiplied by",
    growth_base="base",
    happiness="happiness",
    growth=Label("growth of the nation", silent=0),
)
def growth_factor(happiness: Fraction, growth: Fraction, constants: RealmConstants) -> Fraction:
    """Return the growth factor, not below 0; the nation's part is inside the product (RL-POP-01, RL-OP-08)."""
    return max(Fraction(0), constants.growth_base + happiness / constants.growth_happiness_divisor + growth / 100)


@rule("RL-REB-01", "missing happiness", happiness="happiness")
def missing_happiness(happiness: Fraction) -> Fraction:
    """Return the points of happiness below the maximum."""
    return FULL - happiness


@rule("RL-REB-01", "Each city rebels", rebellion_factor="factor")
def rebellion_chance(happiness: Fraction, constants: RealmConstants) -> Fraction:
    """Return the chance in per cent that a city rebels (RL-REB-01)."""
    return missing_happiness(happiness) * constants.rebellion_factor


def threat(attack: float, modifier: Fraction, health: int, max_health: int, constants: RealmConstants) -> Fraction:
    """Return (attack + modifier) × (0.5 + 0.5 × health ÷ maximum) (RL-REB-06)."""
    return (exact(attack) + modifier) * (constants.threat_base + constants.threat_health * Fraction(health, max_health))
