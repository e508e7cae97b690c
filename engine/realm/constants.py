"""The single numbers of `realm`, as exact fractions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.entry import Entry, constants_of
from engine.exact import exact

FLOOR, NO_FLOOR = "happiness_floor", "none"
PAYS = "charge_leader_pay"
YES_OR_NO = ("no", "yes")
ATTRIBUTES = ("poor", "average", "good", "exceptional", "brilliant")
"""Words for attributes, from the worst to the best (RL-OP-06)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """Single numbers of the rules; what each is for stands in the table's schema."""

    loyalty_decay: Fraction
    pay_weight: Fraction
    experience_scale: Fraction
    loyalty_base: Fraction
    loyalty_scale: Fraction
    action_divisor: Fraction
    initial_loyalty_factor: Fraction
    arrival_base: Fraction
    legend_fame: Fraction
    legend_percent: Fraction
    mercenary_base: Fraction
    mercenary_fame_divisor: Fraction
    interrogation_base: Fraction
    interrogation_experience: Fraction
    interrogation_leadership: Fraction
    interrogation_melee: Fraction
    conversion_base: Fraction
    entice_cost: Fraction
    entice_experience_divisor: Fraction
    escape_stealth: Fraction
    escape_experience_divisor: Fraction
    games_base: Fraction
    games_experience_divisor: Fraction
    games_melee_factor: Fraction
    death_base: Fraction
    death_melee: Fraction
    hero_base: Fraction
    legend_base: Fraction
    ruler_base: Fraction
    execution_loss: Fraction
    bribe_cost: Fraction
    bribe_loss_most: Fraction
    watch_loss: Fraction
    income_factor: Fraction
    happiness_base: Fraction
    tax_square_factor: Fraction
    battle_points: Fraction
    battle_most: Fraction
    captured_points: Fraction
    lost_points: Fraction
    rise_most: Fraction
    growth_base: Fraction
    growth_happiness_divisor: Fraction
    heal_percent: Fraction
    turn_experience: Fraction
    rebellion_factor: Fraction
    threat_base: Fraction
    threat_health: Fraction
    rating_factor: Fraction
    rating_scale: Fraction
    rating_least: Fraction
    poor: Fraction
    average: Fraction
    good: Fraction
    exceptional: Fraction
    brilliant: Fraction
    sold_offer_cost: Fraction
    embezzled_least: Fraction
    embezzled_most: Fraction
    absconded_least: Fraction
    absconded_most: Fraction
    followers_least: Fraction
    followers_most: Fraction
    happiness_floor: Fraction | None
    """Least happiness; None for no floor (RL-OP-14)."""
    charge_leader_pay: bool
    """Whether pay is taken from the treasury (RL-OP-27)."""

    def attribute(self, word: str | float) -> Fraction:
        """What a word such as `good` is worth, or the number itself (RL-OP-06)."""
        value: Fraction = getattr(self, word) if isinstance(word, str) else exact(word)
        return value


def constants(groups: Entry) -> Constants:
    """From the groups of the file, rule id to names and numbers.

    Raises:
        Slip: A name is unknown or missing, a value is not allowed, or a range ends before it begins.
    """
    found = constants_of(Constants, groups, _value)
    for what in ("embezzled", "absconded", "followers"):
        least = getattr(found, f"{what}_least")
        if least > getattr(found, f"{what}_most"):
            place = groups["RL-OP-25"][f"{what}_most"]
            raise place.slip(f"{place.value} is below {what}_least. Use at least {least}.")
    return found


def _value(name: str, it: Entry) -> Any:
    if name == PAYS:
        return it.one_of(YES_OR_NO, "yes or no") == "yes"
    if name == FLOOR and it.value == NO_FLOOR:
        return None
    return exact(it.number())
