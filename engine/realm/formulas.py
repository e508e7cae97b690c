"""The rules' formulas: exact numbers in, exact numbers out, nothing drawn."""

from __future__ import annotations

import math
from fractions import Fraction

from engine.exact import exact
from engine.realm.constants import Constants
from engine.realm.records import HERO, LEGEND

FULL = 100


def loyalty_modifier(initial: int, it: Constants) -> Fraction:
    """RL-LOY-04: what losses are multiplied with, 1 + (100 − initial) × 3 ÷ 100.

    Args:
        initial: Initial loyalty, 0 to 100.
        it: Numbers.
    """
    return 1 + (FULL - initial) * it.initial_loyalty_factor / 100


def loyalty_loss(points: int, initial: int, it: Constants) -> int:
    """RL-LOY-04: a loss times the modifier, its fraction dropped (RL-GEN-03)."""
    return math.floor(points * loyalty_modifier(initial, it))


def bounded(loyalty: Fraction | int) -> int:
    """Loyalty as it is stored: whole, from 0 to 100 (RL-OP-14)."""
    return max(0, min(FULL, math.trunc(loyalty)))


def pay_modifier(pay: float, upkeep: float) -> Fraction:
    """PAY ÷ UPKEEP; 1 where there is no upkeep (RL-OP-28)."""
    return exact(pay) / exact(upkeep) if upkeep else Fraction(1)


def adjusted_loyalty(loyalty: int, nation: float, pay: Fraction, experience: int, it: Constants) -> Fraction:
    """RL-LOY-01, before it is stored.

    Args:
        loyalty: 0 to 100.
        nation: The nation type's, −2 to 1.
        pay: PAY ÷ UPKEEP.
        experience: Points.
        it: Numbers.
    """
    by_experience = 1 / (1 + experience / it.experience_scale)
    by_loyalty = it.loyalty_base + loyalty / it.loyalty_scale
    return loyalty + exact(nation) - it.loyalty_decay + it.pay_weight * pay * by_experience * by_loyalty


def arrival_chance(fame: int, hired: int, it: Constants) -> Fraction:
    """RL-REC-01 in per cent: 10 + fame − hired², heroes and legends alike (RL-OP-02, RL-OP-20)."""
    return it.arrival_base + fame - hired * hired


def mercenary_chance(fame: int, it: Constants) -> Fraction:
    """RL-MER-01 in per cent."""
    return it.mercenary_base + fame / it.mercenary_fame_divisor


def interrogation_chance(
    loyalty: int, experience: int, leadership: Fraction, melee: Fraction, it: Constants
) -> Fraction:
    """RL-DUN-01 in per cent; attributes as they are now (RL-GEN-05)."""
    strength = it.interrogation_leadership * leadership + it.interrogation_melee * melee
    return it.interrogation_base - loyalty - it.interrogation_experience * experience - strength


def release_conversion_chance(loyalty: int, it: Constants) -> Fraction:
    """RL-DUN-02, step 1, in per cent."""
    return it.conversion_base - loyalty


def entice_conversion_chance(loyalty: int, experience: int, it: Constants) -> Fraction:
    """RL-DUN-03, step 1, in per cent."""
    return it.conversion_base - loyalty - experience / it.entice_experience_divisor


def entice_escape_chance(melee: Fraction, stealth: Fraction, experience: int, it: Constants) -> Fraction:
    """RL-DUN-03, step 2, in per cent."""
    return melee + it.escape_stealth * stealth + experience / it.escape_experience_divisor


def games_base(kind: str, it: Constants) -> int:
    """RL-DUN-05: for profit and happiness alike."""
    return math.trunc(it.hero_base if kind == HERO else it.legend_base if kind == LEGEND else it.ruler_base)


def games_faces(base: int, melee: Fraction, experience: int, it: Constants) -> int:
    """RL-DUN-04: of the die of the profit, its fraction dropped (RL-OP-07)."""
    return math.trunc(base + it.games_melee_factor * melee + experience / it.games_experience_divisor)


def games_death_chance(melee: Fraction, it: Constants) -> Fraction:
    """RL-DUN-04, step 2, in per cent."""
    return it.death_base - it.death_melee * melee


def games_escape_chance(stealth: Fraction, experience: int, it: Constants) -> Fraction:
    """RL-DUN-04, step 4, in per cent; experience with what the games taught (RL-OP-35)."""
    return stealth + experience / it.games_experience_divisor


def income(tax_rate: int, population: int, it: Constants) -> Fraction:
    """RL-TAX-01, before its fraction is dropped."""
    return tax_rate * population * it.income_factor


def base_happiness(tax_rate: int, it: Constants) -> Fraction:
    """RL-TAX-02: 110 − tax − 0.5 × (tax ÷ 10)² (RL-OP-03)."""
    tenth = Fraction(tax_rate, 10)
    return it.happiness_base - tax_rate - it.tax_square_factor * tenth * tenth


def battle_points(won: int, lost: int, it: Constants) -> Fraction:
    """RL-TAX-03: the net effect of battles, in percentage points (RL-OP-15)."""
    net = (won - lost) * it.battle_points
    return max(-it.battle_most, min(it.battle_most, net))


def city_points(captured: int, lost: int, it: Constants) -> Fraction:
    """RL-TAX-04, in percentage points."""
    return captured * it.captured_points - lost * it.lost_points


def moved_happiness(current: Fraction, base: Fraction, it: Constants) -> Fraction:
    """RL-TAX-05: down to the base at once, up towards it by at most 5."""
    return min(base, current + it.rise_most)


def capped_happiness(happiness: Fraction, it: Constants) -> Fraction:
    """At most 100; no floor unless the tables have one (RL-OP-14)."""
    capped = min(Fraction(FULL), happiness)
    return capped if it.happiness_floor is None else max(capped, it.happiness_floor)


def growth_factor(happiness: Fraction, growth: float, it: Constants) -> Fraction:
    """RL-POP-01, the nation's part inside the product (RL-OP-08); never below 0."""
    return max(Fraction(0), it.growth_base + happiness / it.growth_happiness_divisor + exact(growth) / 100)


def rebellion_chance(happiness: Fraction, it: Constants) -> Fraction:
    """RL-REB-01 in per cent, for each city."""
    return it.rebellion_factor * (FULL - happiness)


def threat(attack: float, modifier: Fraction, health: int, max_health: int, it: Constants) -> Fraction:
    """RL-REB-06: (attack + modifier) × (0.5 + 0.5 × health ÷ maximum)."""
    return (exact(attack) + modifier) * (it.threat_base + it.threat_health * Fraction(health, max_health))
