"""The single numbers of `realm`, as exact fractions."""

from __future__ import annotations

from fractions import Fraction

from engine.config_value import table_error
from engine.declare import entry, table
from engine.exact import exact
from engine.shapes import MOST, Choice, Number

NO_FLOOR = "none"
ATTRIBUTES = ("poor", "average", "good", "exceptional", "brilliant")
"""Words for attributes, from the worst to the best (RL-OP-06)."""
NO_YES = Choice(("no", "yes"))
ANY = Number(0, MOST)
WHOLE = Number(0, MOST, whole=True)
DIVISOR = Number(above=0, high=MOST)


@table("constants", "Single numbers")
class RealmConstants:
    """The single numbers of the rules, each under the rule that uses it.

    A workbook can have its own in the Realm Settings tab.
    """

    loyalty_decay: Fraction = entry(ANY, "Lost by every leader each turn before pay counts.", "RL-LOY-01/")
    pay_weight: Fraction = entry(ANY, "Weight of pay.", "RL-LOY-01/")
    experience_scale: Fraction = entry(DIVISOR, "Experience that halves what pay is worth.", "RL-LOY-01/")
    loyalty_base: Fraction = entry(ANY, "What pay is worth without loyalty.", "RL-LOY-01/")
    loyalty_scale: Fraction = entry(DIVISOR, "Loyalty divided by this is added to it.", "RL-LOY-01/")
    action_divisor: Fraction = entry(DIVISOR, "Missing loyalty divided by this is added to ACTION.", "RL-LOY-02/")
    initial_loyalty_factor: Fraction = entry(
        ANY, "Times missing initial loyalty in per cent: raises losses.", "RL-LOY-04/"
    )
    arrival_base: Fraction = entry(ANY, "Per cent without fame and leaders.", "RL-REC-01/")
    legend_fame: Fraction = entry(ANY, "Fame above which legends may come.", "RL-REC-02/")
    legend_percent: Fraction = entry(ANY, "Chance that it is a legend.", "RL-REC-02/")
    mercenary_base: Fraction = entry(ANY, "Per cent without fame.", "RL-MER-01/")
    mercenary_fame_divisor: Fraction = entry(DIVISOR, "Fame divided by this is added.", "RL-MER-01/")
    interrogation_base: Fraction = entry(ANY, "Per cent before what is taken off.", "RL-DUN-01/")
    interrogation_experience: Fraction = entry(ANY, "Taken off for each point.", "RL-DUN-01/")
    interrogation_leadership: Fraction = entry(ANY, "Taken off for each point.", "RL-DUN-01/")
    interrogation_melee: Fraction = entry(ANY, "Taken off for each point.", "RL-DUN-01/")
    conversion_base: Fraction = entry(ANY, "Per cent before loyalty is taken off.", "RL-DUN-02/")
    entice_cost: Fraction = entry(WHOLE, "Gold for each attempt.", "RL-DUN-03/")
    entice_experience_divisor: Fraction = entry(DIVISOR, "Experience divided by this is taken off.", "RL-DUN-03/")
    escape_stealth: Fraction = entry(ANY, "Per cent for each point of stealth.", "RL-DUN-03/")
    escape_experience_divisor: Fraction = entry(DIVISOR, "Experience divided by this is added.", "RL-DUN-03/")
    games_base: Fraction = entry(Number(-MOST, MOST, whole=True), "Added to the roll of the profit.", "RL-DUN-04/")
    games_experience_divisor: Fraction = entry(DIVISOR, "Divides experience, for profit and escape.", "RL-DUN-04/")
    death_base: Fraction = entry(ANY, "Per cent before melee.", "RL-DUN-04/")
    death_melee: Fraction = entry(ANY, "Taken off for each point of melee.", "RL-DUN-04/")
    hero_base: Fraction = entry(WHOLE, "Of a hero, for profit and happiness.", "RL-DUN-05/")
    legend_base: Fraction = entry(WHOLE, "Of a legend.", "RL-DUN-05/")
    ruler_base: Fraction = entry(WHOLE, "Of a ruler.", "RL-DUN-05/")
    execution_loss: Fraction = entry(WHOLE, "Loyalty that every leader of the executioner loses.", "RL-DUN-06/")
    bribe_cost: Fraction = entry(WHOLE, "Gold for each agent.", "RL-ESP-3/")
    bribe_loss_most: Fraction = entry(WHOLE, "Loyalty lost is RND of this.", "RL-ESP-3/")
    watch_loss: Fraction = entry(WHOLE, "Loyalty lost when the watchers are seen.", "RL-ESP-8/")
    income_factor: Fraction = entry(ANY, "Gold for each person and per cent of tax.", "RL-TAX-01/")
    happiness_base: Fraction = entry(ANY, "At no tax.", "RL-TAX-02/")
    tax_square_factor: Fraction = entry(ANY, "Times the square of a tenth of the tax.", "RL-TAX-02/")
    battle_points: Fraction = entry(ANY, "For each battle won, and taken off for each lost.", "RL-TAX-03/")
    battle_most: Fraction = entry(ANY, "Most that battles give or take in a turn.", "RL-TAX-03/")
    captured_points: Fraction = entry(ANY, "For each city captured.", "RL-TAX-04/")
    lost_points: Fraction = entry(ANY, "Taken off for each city lost.", "RL-TAX-04/")
    rise_most: Fraction = entry(ANY, "Most that happiness rises in a turn.", "RL-TAX-05/")
    growth_base: Fraction = entry(ANY, "Growth factor at no happiness.", "RL-POP-01/")
    growth_happiness_divisor: Fraction = entry(DIVISOR, "Happiness divided by this is added.", "RL-POP-01/")
    heal_percent: Fraction = entry(ANY, "Chance of a point of health each turn.", "RL-HEA-01/")
    turn_experience: Fraction = entry(WHOLE, "For living through a turn.", "RL-EXP-01/")
    rebellion_factor: Fraction = entry(ANY, "Per cent for each point of missing happiness.", "RL-REB-01/")
    threat_base: Fraction = entry(ANY, "Of a unit with no health left.", "RL-REB-06/")
    threat_health: Fraction = entry(ANY, "Times the share of health left.", "RL-REB-06/")
    rating_factor: Fraction = entry(ANY, "Most that one opponent can change a rating.", "RL-RAT-04/")
    rating_scale: Fraction = entry(
        Number(1, MOST), "Rating points that make a player ten times as strong.", "RL-RAT-04/"
    )
    rating_least: Fraction = entry(WHOLE, "Least that one opponent changes a rating.", "RL-RAT-05/")
    poor: Fraction = entry(ANY, "What the word is worth.", "RL-OP-06/")
    average: Fraction = entry(ANY, "What the word is worth.", "RL-OP-06/")
    good: Fraction = entry(ANY, "What the word is worth.", "RL-OP-06/")
    exceptional: Fraction = entry(ANY, "What the word is worth.", "RL-OP-06/")
    brilliant: Fraction = entry(ANY, "What the word is worth.", "RL-OP-06/")
    games_melee_factor: Fraction = entry(ANY, "Melee times this counts for the profit of games.", "RL-OP-07/")
    happiness_floor: Fraction | None = entry(Number(-MOST, 100, none=NO_FLOOR), "Least, or none.", "RL-OP-14/")
    sold_offer_cost: Fraction = entry(WHOLE, "Gold for information or a thrown battle.", "RL-OP-23/")
    embezzled_least: Fraction = entry(WHOLE, "Least gold.", "RL-OP-25/")
    embezzled_most: Fraction = entry(WHOLE, "Most gold.", "RL-OP-25/")
    absconded_least: Fraction = entry(WHOLE, "Least gold.", "RL-OP-25/")
    absconded_most: Fraction = entry(WHOLE, "Most gold.", "RL-OP-25/")
    followers_least: Fraction = entry(WHOLE, "Fewest units.", "RL-OP-25/")
    followers_most: Fraction = entry(WHOLE, "Most units.", "RL-OP-25/")
    charge_leader_pay: bool = entry(NO_YES, "Whether the treasury pays the leaders each turn.", "RL-OP-27/")

    def __post_init__(self) -> None:
        for what in ("embezzled", "absconded", "followers"):
            least, most = getattr(self, f"{what}_least"), getattr(self, f"{what}_most")
            if least > most:
                raise table_error(f"{most} is below {what}_least. Use at least {least}.", "RL-OP-25", f"{what}_most")

    def attribute(self, word: str | float) -> Fraction:
        """Return the number of a word such as `good`, or the number itself (RL-OP-06)."""
        value: Fraction = getattr(self, word) if isinstance(word, str) else exact(word)
        return value
