"""The numbers of the rules that belong to no list: `constants.json`, each under the rule that uses it."""

from __future__ import annotations

from collections.abc import Mapping

from engine.config_value import TableError, shown, suggestion
from engine.declare import NUMBERS_OF, Entry, FixedKeys, Number, Shape, entry, table, table_of

LEAST_0, LEAST_1 = Number(0), Number(1)
POSITIVE = Number(above=0)
SHARE = Number(0, 1)
SWITCH = Number(0, 1, whole=True)
NUMBERS: Mapping[str, tuple[Shape, str]] = {
    "VAR-ECON income_divisor": (POSITIVE, "Divides the logarithm of income a head."),
    "VAR-ECON land_divisor": (POSITIVE, "Divides the logarithms of harvest and herds."),
    "VAR-EFF steel_factor": (POSITIVE, "Steel a man that counts 1."),
    "VAR-EFF budget_factor": (POSITIVE, "Budget a man that counts 1."),
    "VAR-LIM budget_factor": (LEAST_0, "Factor on Budget/GDP."),
    "VAR-SIEGE power_divisor": (POSITIVE, "Power of the artillery that counts 1 (R-04)."),
    "VAR-SIEGE skill_divisor": (POSITIVE, "Skill of the commander (R-07) that would count 1 (R-04)."),
    "VAR-SIEGE least": (SHARE, "Least Siege Rate."),
    "VAR-SIEGE most": (SHARE, "Greatest Siege Rate."),
    "UNIT-11 training_scale": (POSITIVE, "Training that counts 1."),
    "OCCB-2 root_of": (Number(above=1), "The exponent is 1/log of this."),
    "OCCB-2 factor": (POSITIVE, "Factor on the root."),
    "OCCB-3 hours_a_year": (POSITIVE, "Turns kWh a year into kW."),
    "OCCB-4 factor": (POSITIVE, "Factor on the logarithm."),
    "OCCB-5 age_divisor": (POSITIVE, "Years that count 1."),
    "R-06 factor_least": (POSITIVE, "Least value of each factor."),
    "R-06 age_least": (POSITIVE, "Least age of farming in years."),
    "R-06 diversity_least": (LEAST_1, "Least diversity of a crop."),
    "R-07 skill_scale": (POSITIVE, "Rating that counts 1."),
    "R-35 urban_least": (POSITIVE, "Least share of townspeople."),
    "R-35 gdp_least": (POSITIVE, "Least GDP."),
    "R-35 power_least": (POSITIVE, "Least mean power of a unit."),
    "LEAD-B1 military_base": (LEAST_0, "Added to the commander's skill."),
    "LEAD-B1 national_base": (LEAST_0, "Added to the head of state's skill."),
    "LEAD-B1 national_factor": (POSITIVE, "Factor on that sum."),
    "LEAD-B2 divisor": (POSITIVE, "Divides the skill."),
    "LEAD-B4 divisor": (POSITIVE, "Divides the skill."),
    "LEAD-B5 divisor": (POSITIVE, "Divides the skill."),
    "LEAD-B6 base": (LEAST_0, "Added to the skill."),
    "LEAD-B6 divisor": (POSITIVE, "Divides that sum."),
    "LEAD-B7 divisor": (POSITIVE, "Divides the skill."),
    "LEAD-08 age_assumed": (Number(0, whole=True), "Years where the birth year is missing or impossible."),
    "LEAD-10 luck_most": (LEAST_0, "Most points of luck."),
    "LEAD-10 martial_factor": (LEAST_0, "Points a martial skill of 1 costs."),
    "LEAD-10 training_divisor": (POSITIVE, "Divides the mean training."),
    "LEAD-10 age_divisor": (POSITIVE, "Divides the age."),
    "LEAD-10 divisor": (POSITIVE, "Points that make certainty."),
    "DATE-05 least": (POSITIVE, "Least Generation times Secular cycle."),
    "DATE-05 most": (POSITIVE, "Greatest."),
    "STRAT-04 morale_a_man": (POSITIVE, "Points of morale a man."),
    "DEC-06 unready_divisor": (POSITIVE, "Divides the share that is not ready."),
    "MOVE-02 attack_rounds": (Number(1, whole=True), "Rounds of attack."),
    "MOVE-02 retreat_rounds": (Number(0, whole=True), "Rounds of retreat."),
    "MOVE-03 charge_factor": (POSITIVE, "Factor on speed."),
    "MOVE-04 charge_share": (SHARE, "Share of the distance left after a charge on a near enemy."),
    "MOVE-05 retreat_factor": (LEAST_0, "Factor on speed."),
    "MOVE-06 jitter_m": (LEAST_0, "Metres by which each coordinate may miss."),
    "R-14 margin_m": (LEAST_0, "Metres nearer than the weapon's reach."),
    "R-32 men": (POSITIVE, "Men of the flank that a small one never hits harder than; 10,000 is no bound."),
    "R-54 applies": (SWITCH, "1: no step ends nearer than the best range. 0: none that could reach the enemy does."),
    "R-66 applies": (SWITCH, "1: a flank is as deep as at the start. 0: as the men left."),
    "R-67 pace": (Number(0.001, 1), "Factor on speed in the fire of an enemy with a longer reach."),
    "R-68 applies": (SWITCH, "1: an attack on a faster flank that goes away can fail. 0: it never does."),
    "R-69 share": (SHARE, "Share of the walls' Defense that stops hits on those who hold them."),
    "R-79 contact_m": (LEAST_0, "Range up to which a weapon is one of contact."),
    "R-79 share": (SHARE, "Share of hits that a full advantage in armour stops."),
    "R-80 applies": (SWITCH, "1: a Feigned Retreat ends with the first blow. 0: it never ends."),
    "UNIT-16 applies": (SWITCH, "1: hits are divided by the Dispersion. 0: everybody's counts 1."),
    "R-85 flanks": (Number(1, whole=True), "Flanks of a side that hit as in the source."),
    "R-85 crowded": (Number(1, whole=True), "Flanks beyond which a side's hits fall with the number of its flanks."),
    "R-86 stand": (LEAST_0, "What a defender has who stands, in any country."),
    "R-86 works": (LEAST_0, "Factor on the Defense of Mobile Defenses for those who stand."),
    "R-86 most": (LEAST_0, "Most that stand, country and works add up to."),
    "R-86 pixels": (Number(0, 400, whole=True), "Pixels in each direction that are the country of a flank."),
    "R-87 fire": (POSITIVE, "Factor on hits of those who stand on an enemy who does not reach them."),
    "R-88 factor": (POSITIVE, "Factor on hits of a flank that gets round a slower enemy whom others attack too."),
    "R-89 hours": (Number(0, whole=True), "Hours after which a Feigned Retreat turns without a blow."),
    "R-89 rounds": (Number(0, whole=True), "Attacks of a flank after its Feigned Retreat that its factor is for."),
    "R-89 factor": (POSITIVE, "Factor of these on hits on a slower enemy who comes on; else they are divided by it."),
    "R-89 run": (Number(0, whole=True), "Rounds of a run of Hit and run."),
    "ATK-03 small_flank_men": (LEAST_1, "Flanks with fewer men strike without the root."),
    "ATK-04 luck_most": (POSITIVE, "Greatest draw of luck."),
    "ATK-04 mercy": (SHARE, "Factor on kills among the retreating."),
    "ATK-05 flanking_divisor": (
        POSITIVE,
        "Attackers of one flank beyond the first, divided by this, add to the effect.",
    ),
    "ATK-07 retreating_below": (SHARE, "Share of starting morale below which a flank retreats."),
    "ATK-07 routed_below": (SHARE, "Share below which it is routed."),
    "ATT-03 residents_a_berth": (POSITIVE, "Local population for each place on the larger fleet."),
    "ATT-04 load_most": (LEAST_1, "Greatest L."),
    "ATT-05 luck_most": (LEAST_0, "Most that luck adds to the hazard."),
    "SUP-01 chance": (SHARE, "Chance that a cut succeeds."),
    "SUP-03 capacity_lost": (SHARE, "Share of Capacity lost."),
    "SIEGE-02 divisor": (LEAST_1, "Hours in which a Siege Rate of 1 would take all Capacity."),
    "DIS-02 familiarity_endemic": (POSITIVE, "Familiarity with a disease of one's own."),
    "DIS-02 familiarity_strange": (POSITIVE, "Familiarity with any other."),
    "DIS-02 divisor": (POSITIVE, "Divides the chance an hour."),
    "DIS-03 men_divisor": (POSITIVE, "Divides the men."),
    "DIS-03 luck_most": (POSITIVE, "Greatest draw of luck."),
    "OCC-06 divisor": (POSITIVE, "Divides the chance a round."),
    "OCC-06 luck_most": (POSITIVE, "Greatest draw of luck."),
    "OCC-06 morale_factor": (LEAST_0, "Points of morale a loss costs."),
    "OCC-07 change_least": (POSITIVE, "A smaller change of the score ends it."),
    "R-22 morale_share_most": (Number(0, 0.999), "Share of full morale he counts with at most."),
    "STAB-01 least": (Number(), "Anarchy."),
    "STAB-01 most": (Number(), "Fully stable."),
    "STAB-02 innate_lost": (SHARE, "Share of Innate Stability lost."),
    "STAB-03 innate_lost_totalitarian": (SHARE, "Share of Innate Stability lost under a totalitarian government."),
    "STAB-03 innate_lost": (SHARE, "Share lost under any other."),
    "STAB-04 casualties_most": (LEAST_0, "Most that casualties over maximum military count."),
    "STAB-04 economy_factor": (POSITIVE, "Factor on Economy where it divides."),
    "STAB-04 economy_least": (POSITIVE, "Least Economy where it divides."),
    "STAB-04 occupation_factor": (LEAST_0, "Factor on the logarithm of the occupation."),
    "STAB-04 luck_most": (LEAST_0, "Most points of luck."),
}
"""Rule and name to the number's range and what it is for."""


def _by_rule() -> FixedKeys:
    rules: dict[str, dict[str, Entry]] = {}
    for place, (shape, about) in NUMBERS.items():
        rule, _, name = place.partition(" ")
        rules.setdefault(rule, {})[name] = Entry(shape, about)
    return FixedKeys({rule: Entry(FixedKeys(group), f"{NUMBERS_OF}{rule}.") for rule, group in rules.items()})


@table("constants", "Constants")
class Constants:
    """The other numbers of the rules, each under the rule that uses it."""

    rules: Mapping[str, Mapping[str, float]] = entry(_by_rule(), "Rule to name to number.", "*")

    def of(self, rule: str, name: str) -> float:
        """Return one number: `constants.of("ATK-07", "routed_below")`.

        Raises:
            Slip: The file lacks it.
        """
        group, file = self.rules.get(rule), f"{table_of(Constants).file}.json"
        if group is None:
            raise TableError(file, (), f"{shown(rule)} is missing.")
        if name not in group:
            raise TableError(file, (rule,), f"{shown(name)} is missing. {suggestion(name, group)}")
        return group[name]
