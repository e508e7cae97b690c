"""The remaining numbers of the rules: `constants.json`, a record for each rule.

Rules, compiled ones too, take these records as arguments. The record of STAB-04 is `stab_04` in `Constants`; its
numbers are named as in the file.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from engine.declare import entry, table
from engine.shapes import Number

LEAST_0, LEAST_1 = Number(0), Number(1)
POSITIVE = Number(above=0)
SHARE = Number(0, 1)
SWITCH = Number(0, 1, whole=True)


class VarEcon(NamedTuple):
    income_divisor: Annotated[float, POSITIVE, "Divides the logarithm of income a head."]
    land_divisor: Annotated[float, POSITIVE, "Divides the logarithms of harvest and herds."]


class VarEff(NamedTuple):
    steel_factor: Annotated[float, POSITIVE, "Steel a man that counts 1."]
    budget_factor: Annotated[float, POSITIVE, "Budget a man that counts 1."]


class VarLim(NamedTuple):
    budget_factor: Annotated[float, LEAST_0, "Factor on Budget/GDP."]


class VarSiege(NamedTuple):
    power_divisor: Annotated[float, POSITIVE, "Power of the artillery that counts 1 (R-04)."]
    skill_divisor: Annotated[float, POSITIVE, "Skill of the commander (R-07) that would count 1 (R-04)."]
    least: Annotated[float, SHARE, "Least Siege Rate."]
    most: Annotated[float, SHARE, "Greatest Siege Rate."]


class Unit11(NamedTuple):
    training_scale: Annotated[float, POSITIVE, "Training that counts 1."]


class Occb2(NamedTuple):
    root_of: Annotated[float, Number(above=1), "The exponent is 1/log of this."]
    factor: Annotated[float, POSITIVE, "Factor on the root."]


class Occb3(NamedTuple):
    hours_a_year: Annotated[float, POSITIVE, "Turns kWh a year into kW."]


class Occb4(NamedTuple):
    factor: Annotated[float, POSITIVE, "Factor on the logarithm."]


class Occb5(NamedTuple):
    age_divisor: Annotated[float, POSITIVE, "Years that count 1."]


class R06(NamedTuple):
    factor_least: Annotated[float, POSITIVE, "Least value of each factor."]
    age_least: Annotated[float, POSITIVE, "Least age of farming in years."]
    diversity_least: Annotated[float, LEAST_1, "Least diversity of a crop."]
    applies: Annotated[int, SWITCH, "1: the logarithms of food are of 1 + x. 0: of x, as printed."]


class R07(NamedTuple):
    skill_scale: Annotated[float, POSITIVE, "Rating that counts 1."]


class R35(NamedTuple):
    urban_least: Annotated[float, POSITIVE, "Least share of townspeople."]
    gdp_least: Annotated[float, POSITIVE, "Least GDP."]
    power_least: Annotated[float, POSITIVE, "Least mean power of a unit."]


class LeadB1(NamedTuple):
    military_base: Annotated[float, LEAST_0, "Added to the commander's skill."]
    national_base: Annotated[float, LEAST_0, "Added to the head of state's skill."]
    national_factor: Annotated[float, POSITIVE, "Factor on that sum."]


class LeadB2(NamedTuple):
    divisor: Annotated[float, POSITIVE, "Divides the skill."]


class LeadB4(NamedTuple):
    divisor: Annotated[float, POSITIVE, "Divides the skill."]


class LeadB5(NamedTuple):
    divisor: Annotated[float, POSITIVE, "Divides the skill."]


class LeadB6(NamedTuple):
    base: Annotated[float, LEAST_0, "Added to the skill."]
    divisor: Annotated[float, POSITIVE, "Divides that sum."]


class LeadB7(NamedTuple):
    divisor: Annotated[float, POSITIVE, "Divides the skill."]


class Lead08(NamedTuple):
    age_assumed: Annotated[int, Number(0, whole=True), "Years where the birth year is missing or impossible."]


class Lead10(NamedTuple):
    luck_most: Annotated[float, LEAST_0, "Most points of luck."]
    martial_factor: Annotated[float, LEAST_0, "Points a martial skill of 1 costs."]
    training_divisor: Annotated[float, POSITIVE, "Divides the mean training."]
    age_divisor: Annotated[float, POSITIVE, "Divides the age."]
    divisor: Annotated[float, POSITIVE, "Points that make certainty."]


class Date05(NamedTuple):
    least: Annotated[float, POSITIVE, "Least Generation times Secular cycle."]
    most: Annotated[float, POSITIVE, "Greatest."]


class Strat04(NamedTuple):
    morale_a_man: Annotated[float, POSITIVE, "Points of morale a man."]


class Dec06(NamedTuple):
    unready_divisor: Annotated[float, POSITIVE, "Divides the share that is not ready."]


class Move02(NamedTuple):
    attack_rounds: Annotated[int, Number(1, whole=True), "Rounds of attack."]
    retreat_rounds: Annotated[int, Number(0, whole=True), "Rounds of retreat."]


class Move03(NamedTuple):
    charge_factor: Annotated[float, POSITIVE, "Factor on speed."]


class Move04(NamedTuple):
    charge_share: Annotated[float, SHARE, "Share of the distance left after a charge on a near enemy."]


class Move05(NamedTuple):
    retreat_factor: Annotated[float, LEAST_0, "Factor on speed."]


class Move06(NamedTuple):
    jitter_m: Annotated[float, LEAST_0, "Metres by which each coordinate may miss."]


class R14(NamedTuple):
    margin_m: Annotated[float, LEAST_0, "Metres nearer than the weapon's reach."]


class R32(NamedTuple):
    men: Annotated[float, POSITIVE, "Men of the flank that a small one never hits harder than; 10,000 is not a bound."]


class R54(NamedTuple):
    applies: Annotated[
        int, SWITCH, "1: no step ends nearer than the best range. 0: none that could reach the enemy does."
    ]


class R66(NamedTuple):
    applies: Annotated[int, SWITCH, "1: a flank is as deep as at the start. 0: as the men left."]


class R67(NamedTuple):
    pace: Annotated[float, Number(0.001, 1), "Factor on speed in the fire of an enemy with a longer reach."]


class R69(NamedTuple):
    share: Annotated[float, SHARE, "Share of the walls' Defense that stops hits on those who hold them."]


class R79(NamedTuple):
    contact_m: Annotated[float, LEAST_0, "Range up to which a weapon is one of contact."]
    share: Annotated[float, SHARE, "Share of hits that a full advantage in armour stops."]


class Unit16(NamedTuple):
    applies: Annotated[int, SWITCH, "1: hits are divided by the Dispersion. 0: everybody's counts 1."]


class R81(NamedTuple):
    hours: Annotated[int, Number(0, whole=True), "Hours for which flanks wait for each other, and an ambush; 0: none."]
    metres: Annotated[float, LEAST_0, "Metres that a line is deep, and within which it meets an enemy."]


class Mil15(NamedTuple):
    applies: Annotated[int, SWITCH, "1: Tactical Training of a force counts for that of its units. 0: it does not."]


class R85(NamedTuple):
    flanks: Annotated[
        int,
        Number(0, whole=True),
        "Even flanks of a side that hit as in the source, others by their share; 0: any does.",
    ]


class R86(NamedTuple):
    stand: Annotated[float, LEAST_0, "What a defender has who stands at a fortified location, in any country."]
    works: Annotated[float, LEAST_0, "Factor on the Defense of Mobile Defenses for those who stand."]
    moving: Annotated[float, SHARE, "Share of the country that a defender has who does not stand."]
    most: Annotated[float, LEAST_0, "Most that stand, country and works add up to."]
    pixels: Annotated[
        int, Number(1, 200, whole=True), "Pixels in each direction from the middle of the map that are the country."
    ]


class R87(NamedTuple):
    fire: Annotated[float, POSITIVE, "Factor on hits of those who stand on an enemy who does not reach them."]
    share: Annotated[float, SHARE, "Least share of a flank of a type whose reach counts here and in R-67."]


class R88(NamedTuple):
    factor: Annotated[
        float, POSITIVE, "Most factor on hits of a flank that gets round a slower enemy whom others attack too."
    ]


class R89(NamedTuple):
    hours: Annotated[int, Number(0, whole=True), "Hours after which a Feigned Retreat turns without a blow."]
    rounds: Annotated[
        int,
        Number(0, whole=True),
        "First attacks after a Feigned Retreat, with its factor; 0: it never ends, nobody escapes.",
    ]
    factor: Annotated[
        float, POSITIVE, "Greatest factor of these on hits, by the ratio of paces; 1 over it is the least."
    ]


class Atk03(NamedTuple):
    small_flank_men: Annotated[float, LEAST_1, "Flanks with fewer men strike without the root."]


class Atk04(NamedTuple):
    luck_most: Annotated[float, POSITIVE, "Greatest draw of luck."]
    mercy: Annotated[float, SHARE, "Factor on kills among the retreating."]


class Atk05(NamedTuple):
    flanking_divisor: Annotated[
        float, POSITIVE, "Attackers of one flank beyond the first, divided by this, add to the effect."
    ]


class Atk07(NamedTuple):
    retreating_below: Annotated[float, SHARE, "Share of starting morale below which a flank retreats."]
    routed_below: Annotated[float, SHARE, "Share below which it is routed."]


class Att04(NamedTuple):
    load_most: Annotated[float, LEAST_1, "Greatest L."]


class R99(NamedTuple):
    hours: Annotated[int, Number(1, whole=True), "Hours in which hunger kills once; 1: it kills every hour."]
    carried: Annotated[float, LEAST_0, "Days of food that men carry for each point of their Logistics (SUP-02)."]
    country: Annotated[
        float, LEAST_0, "Share of the climate's people who feed an army besides the residents; 0: either feeds it."
    ]


class R100(NamedTuple):
    applies: Annotated[int, SWITCH, "1: a fortress is besieged on any ground. 0: as printed, on heights alone."]
    days: Annotated[
        float,
        POSITIVE,
        "Days of food in the works of a garrison as large as the army that its country feeds; half of the reasons to "
        "go have come by then.",
    ]
    eager: Annotated[
        float,
        LEAST_0,
        "Weight in a day of a storm by fed besiegers at even odds, and of terms before a certain one.",
    ]
    cost: Annotated[float, LEAST_0, "Odds that a man falls in a storm by men who are far more."]
    leaves: Annotated[float, LEAST_0, "Weight in a day of besiegers who go without hope of a storm, and of a sally."]
    relief: Annotated[float, LEAST_0, "Weight in a day of an army of relief where the nation has any number of men."]
    misery: Annotated[float, LEAST_0, "How much more besiegers storm who are half unfed, and go who are half in want."]
    captain: Annotated[float, POSITIVE, "Siege skill, 0 to 1, of the captain in every army."]
    hunger: Annotated[float, LEAST_0, "Overcrowding of a side without any food."]
    most: Annotated[int, Number(1, whole=True), "Days after which besiegers go in any case."]


class R101(NamedTuple):
    days: Annotated[
        float,
        POSITIVE,
        "Days in which as many gunners as the garrison, with a Siege Rate of 1, breach works of Defense 1.",
    ]


class Att05(NamedTuple):
    luck_most: Annotated[float, LEAST_0, "Most that luck adds to the hazard."]


class Sup01(NamedTuple):
    chance: Annotated[float, SHARE, "Chance that a cut succeeds."]


class Sup03(NamedTuple):
    capacity_lost: Annotated[float, SHARE, "Share of Capacity lost."]


class Siege02(NamedTuple):
    divisor: Annotated[float, LEAST_1, "Hours in which a Siege Rate of 1 would take all Capacity."]


class Dis02(NamedTuple):
    familiarity_endemic: Annotated[float, POSITIVE, "Familiarity with a disease of one's own."]
    familiarity_strange: Annotated[float, POSITIVE, "Familiarity with any other."]
    divisor: Annotated[float, POSITIVE, "Divides the chance an hour."]


class Dis03(NamedTuple):
    men_divisor: Annotated[float, POSITIVE, "Divides the men."]
    luck_most: Annotated[float, POSITIVE, "Greatest draw of luck."]


class Occ06(NamedTuple):
    divisor: Annotated[float, POSITIVE, "Divides the chance a round."]
    luck_most: Annotated[float, POSITIVE, "Greatest draw of luck."]
    morale_factor: Annotated[float, LEAST_0, "Points of morale a loss costs."]


class Occ07(NamedTuple):
    change_least: Annotated[float, POSITIVE, "A smaller change of the score ends it."]
    rounds_most: Annotated[int, Number(1, 900, whole=True), "Rounds after which it ends anyway."]


class R18(NamedTuple):
    residents_a_berth: Annotated[float, POSITIVE, "Local population for each place on the larger fleet."]


class R21(NamedTuple):
    applies: Annotated[int, SWITCH, "1: 1 is added to the divisor. 0: 1 divides where it would be 0."]


class R29(NamedTuple):
    applies: Annotated[int, SWITCH, "1: flanks that flee are spared, small ones sought less. 0: the nearest is sought."]


class R22(NamedTuple):
    applies: Annotated[int, SWITCH, "1: morale becomes its square over full morale. 0: it falls by that, as printed."]
    morale_share_most: Annotated[float, Number(0, 0.999), "Share of full morale he counts with at most."]


class Stab01(NamedTuple):
    least: Annotated[float, Number(), "Anarchy."]
    most: Annotated[float, Number(), "Fully stable."]


class Stab02(NamedTuple):
    innate_lost: Annotated[float, SHARE, "Share of Innate Stability lost."]


class Stab03(NamedTuple):
    innate_lost_totalitarian: Annotated[float, SHARE, "Share of Innate Stability lost under a totalitarian government."]
    innate_lost: Annotated[float, SHARE, "Share lost under any other."]


class Stab04(NamedTuple):
    casualties_most: Annotated[float, LEAST_0, "Most that casualties over maximum military count."]
    economy_factor: Annotated[float, POSITIVE, "Factor on Economy where it divides."]
    economy_least: Annotated[float, POSITIVE, "Least Economy where it divides."]
    occupation_factor: Annotated[float, LEAST_0, "Factor on the logarithm of the occupation."]
    luck_most: Annotated[float, LEAST_0, "Most points of luck."]


class R115(NamedTuple):
    reserve: Annotated[float, SHARE, "Share of the attackers beyond the front who strike all the same. 1: all do."]
    pixels: Annotated[float, LEAST_0, "Pixels within which flanks of a side are one body."]


class R118(NamedTuple):
    pixels: Annotated[float, LEAST_0, "Pixels from an ambush to the nearest enemy flank."]


class R120(NamedTuple):
    applies: Annotated[int, SWITCH, "1: a disease breaks out once in an army. 0: as often as DIS-02 has it."]


class R121(NamedTuple):
    applies: Annotated[int, SWITCH, "1: field works protect nobody on the march or on Water. 0: they always do."]


class R122(NamedTuple):
    applies: Annotated[
        int,
        SWITCH,
        "1: ships need crews, carry who strikes, flee on Water, are shared as the men; hired boats do not fight.",
    ]


class R123(NamedTuple):
    applies: Annotated[int, SWITCH, "1: a type counts by its share of the flank. 0: by the root of its men."]


class R110(NamedTuple):
    applies: Annotated[int, SWITCH, "1: a war moves Stability by what R-110 weighs. 0: as STAB-04 has it."]
    half_stake: Annotated[float, POSITIVE, "Share of the maximum military whose war weighs half."]
    military_most: Annotated[float, POSITIVE, "Greatest share of the population that counts as maximum military."]
    bearing_least: Annotated[float, POSITIVE, "Least sum of Innate Stability and Economy where it divides."]
    victory: Annotated[float, LEAST_0, "Points for the victory."]
    losses: Annotated[float, LEAST_0, "Points for the loss of all men."]
    hold: Annotated[float, LEAST_0, "Points for an occupation with the result 1."]
    an_hour: Annotated[float, LEAST_0, "Points for an hour of battle."]
    capital: Annotated[float, LEAST_1, "Factor on the points of the occupation where it is the capital's."]
    luck_least: Annotated[float, LEAST_0, "Factor of the lowest draw."]
    luck_most: Annotated[float, LEAST_0, "What the highest draw adds to it."]


class R125(NamedTuple):
    applies: Annotated[int, SWITCH, "1: who is hit is killed, wounded, captured or missing. 0: killed, as printed."]
    contact: Annotated[float, LEAST_0, "Wounded for each man killed by weapons of contact."]
    fire_first: Annotated[float, LEAST_0, "Wounded for each man killed from afar, up to the first year."]
    fire_last: Annotated[float, LEAST_0, "Likewise, from the last year on."]
    year: Annotated[int, Number(whole=True), "The first year."]
    years: Annotated[float, POSITIVE, "Years from the first to the last."]
    left: Annotated[float, SHARE, "Share of the loser's wounded who are left on the field."]
    missing: Annotated[
        float, SHARE, "Share missing of them and of those who are stopped in flight; the others are captured."
    ]
    returning: Annotated[float, SHARE, "Share of the wounded who come back."]


class R126(NamedTuple):
    applies: Annotated[int, SWITCH, "1: a commander shares the danger of his men. 0: his chance is as printed."]
    divisor: Annotated[float, POSITIVE, "Points of his own that would take away all danger."]


class R127(NamedTuple):
    stand: Annotated[
        float, SHARE, "Share of the hits of weapons of contact that kill while the target stands, times Psychology."
    ]
    flight: Annotated[
        float, LEAST_0, "Factor on the share that Mercy leaves of them while it flees, over Psychology; at least 1."
    ]


class Constants(NamedTuple):
    """The other numbers of the rules, each under the rule that uses it."""

    var_econ: VarEcon
    var_eff: VarEff
    var_lim: VarLim
    var_siege: VarSiege
    unit_11: Unit11
    occb_2: Occb2
    occb_3: Occb3
    occb_4: Occb4
    occb_5: Occb5
    r_06: R06
    r_07: R07
    r_35: R35
    lead_b1: LeadB1
    lead_b2: LeadB2
    lead_b4: LeadB4
    lead_b5: LeadB5
    lead_b6: LeadB6
    lead_b7: LeadB7
    lead_08: Lead08
    lead_10: Lead10
    date_05: Date05
    strat_04: Strat04
    dec_06: Dec06
    move_02: Move02
    move_03: Move03
    move_04: Move04
    move_05: Move05
    move_06: Move06
    r_14: R14
    r_32: R32
    r_54: R54
    r_66: R66
    r_67: R67
    r_69: R69
    r_79: R79
    unit_16: Unit16
    mil_15: Mil15
    r_81: R81
    r_85: R85
    r_86: R86
    r_87: R87
    r_88: R88
    r_89: R89
    r_99: R99
    r_100: R100
    r_101: R101
    atk_03: Atk03
    atk_04: Atk04
    atk_05: Atk05
    atk_07: Atk07
    att_04: Att04
    att_05: Att05
    sup_01: Sup01
    sup_03: Sup03
    siege_02: Siege02
    dis_02: Dis02
    dis_03: Dis03
    occ_06: Occ06
    occ_07: Occ07
    r_18: R18
    r_21: R21
    r_22: R22
    r_29: R29
    stab_01: Stab01
    stab_02: Stab02
    stab_03: Stab03
    stab_04: Stab04
    r_110: R110
    r_115: R115
    r_118: R118
    r_120: R120
    r_121: R121
    r_122: R122
    r_123: R123
    r_125: R125
    r_126: R126
    r_127: R127


@table("constants", "Constants")
class ConstantsFile:
    """The other numbers of the rules, each under the rule that uses it."""

    rules: Constants = entry(Constants, "Rule to name to number.", "*")
