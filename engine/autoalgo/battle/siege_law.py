"""The law of a siege: a day's chances of storm, terms, sally, relief and leaving, food and breach (R-100, R-101)."""

from __future__ import annotations

import math

from engine.autoalgo.battle.flank import dead_of
from engine.autoalgo.battle.state import SiegeDay
from engine.autoalgo.constants import R100, R101, Siege02
from engine.calculation import WHOLE
from engine.rule import Label, rule


@rule(
    "R-100",
    "chance of a siege",
    silent=1.0,
    storming=Label("share on Storm", silent=0.0),
    outside=Label("share of the defenders outside", silent=0.0),
)
def chance_of_siege(storming: float, outside: float) -> float:
    """Return the chance that the armies sit down to a siege in the first hour (R-100)."""
    return (1.0 - storming) * (1.0 - outside)


@rule(
    "R-100",
    "share of the besiegers whom the country does not feed",
    men=Label("men", WHOLE),
    people=Label("people who feed them", WHOLE),
    capacity="Capacity",
)
def unfed_camp(men: float, people: float, capacity: float) -> float:
    """Return the share of the besiegers not fed by the country: one half if they are as many as it feeds."""
    fed = people * capacity
    return men * men / (men * men + fed * fed)


@rule(
    "R-100",
    "share of the garrison whom nothing that comes in feeds",
    besiegers=Label("besiegers", WHOLE),
    garrison=Label("garrison", WHOLE),
    berths=Label("berths past the besiegers", silent=0.0),
)
def unfed_garrison(besiegers: float, garrison: float, berths: float) -> float:
    """Return the share of a garrison without supplies past the lines, by land or by sea.

    Args:
        berths: Capacity in people of the defender's ships past the besiegers' (R-18).
    """
    passing = garrison / (garrison + besiegers)
    return (1.0 - passing * passing) * (garrison / (garrison + berths))


@rule("R-100", "want", unfed="unfed", days="days of food")
def want(unfed: float, days: float) -> float:
    """Return the want of a side: its unfed share, lowered by its stores (R-100)."""
    return unfed / (1.0 + days)


@rule("R-100", "urgency", want="want")
def urgency(want: float) -> float:
    """Return the odds of a share in want, up to `MOST_URGENT` for a side that nothing feeds (R-100)."""
    return want / max(1.0 - want, 1.0 / MOST_URGENT)


MOST_URGENT = 1_000_000
"""Greatest urgency, which leaves no doubt."""


@rule("R-100", "overcrowding of a camp", camp="camp", share="share", unfed="unfed", days="days of food")
def load_in_siege(camp: float, share: float, unfed: float, days: float, numbers: R100) -> float:
    """Return the overcrowding of a side in a siege: by its camp, and by want (R-100, ATT-05).

    Args:
        camp: The hardship of camps in this climate and season (R-114).
        share: The side's share in it: 1 for besiegers, one half for a garrison under roofs.
    """
    return 1.0 + camp * share + numbers.hunger * want(unfed, days)


@rule(
    "R-100",
    "quality",
    own_efficiency="Efficiency of the besiegers",
    efficiency="Efficiency of the garrison",
    command="ratio of the commanders' Siege",
    ground="ground",
)
def quality(own_efficiency: float, efficiency: float, command: float, ground: float) -> float:
    """Return the superiority of the besiegers: Efficiency, ground, and commanders by the fourth power (R-100)."""
    square = command * command
    return own_efficiency / efficiency * (square * square) * ground


@rule("R-100", "odds in the open", besiegers="besiegers", garrison="garrison", quality="quality")
def odds_in_open(day: SiegeDay) -> float:
    """Return the ratio of the besiegers' strength to the garrison's outside its works (R-100)."""
    return day.besiegers / day.garrison * day.quality


@rule("R-100", "odds at the works", besiegers="besiegers", garrison="garrison", walls="walls", quality="quality")
def odds_at_works(day: SiegeDay) -> float:
    """Return the besiegers' strength over the garrison's in its works, by the root of men and walls (R-100, R-69)."""
    return math.sqrt(day.besiegers / day.garrison * (1.0 - day.walls)) * day.quality


@rule("R-100", "chance of the besiegers", odds="odds")
def by_odds(odds: float) -> float:
    """Return the chance of an event by its odds: of a fight won, or of what has this weight in a day (R-100)."""
    return odds / (1.0 + odds)


@rule(
    "R-100",
    "weight of a storm",
    unfed_besiegers="unfed",
)
def storm_weight(day: SiegeDay, numbers: R100) -> float:
    """Return the weight of a storm: by its odds, and by the share of the besiegers whom nobody feeds (R-100)."""
    return numbers.eager * odds_at_works(day) * (1.0 + numbers.misery * urgency(day.unfed_besiegers))


@rule(
    "R-100",
    "hope of relief",
    relief=Label("men who may come", WHOLE),
    garrison="garrison",
    besiegers="besiegers",
)
def hope(day: SiegeDay) -> float:
    """Return the hope of relief: by the men that the nation can arm, and by the size of the garrison (R-100)."""
    army = math.sqrt(day.relief * day.garrison)
    return army / (army + day.besiegers)


@rule("R-100", "weight of terms", opened="breach")
def terms_weight(day: SiegeDay, numbers: R100) -> float:
    """Return the weight of terms: by the odds of a storm, by want and by a breach (R-100)."""
    return numbers.eager * by_odds(odds_at_works(day)) * (want(day.unfed_garrison, day.days_garrison) + day.opened)


@rule("R-100", "share of the garrison captured")
def captured_on_terms(day: SiegeDay) -> float:
    """Return the share of a yielding garrison that is captured: one half, rising to all in full want (R-100)."""
    return (1.0 + want(day.unfed_garrison, day.days_garrison)) / 2.0


@rule("R-100", "weight of a sally")
def sally_weight(day: SiegeDay, numbers: R100) -> float:
    """Return the weight of a sally, beyond all bounds against far weaker besiegers (R-100)."""
    odds = odds_in_open(day)
    return numbers.leaves * (1.0 - by_odds(odds)) / odds


@rule(
    "R-100, WAR-19",
    "weight of relief",
    arrived="arrived",
    coming=Label("men who come", WHOLE),
    besiegers="besiegers",
    relief_quality="Efficiency of the relief over the besiegers'",
)
def relief_weight(day: SiegeDay, numbers: R100) -> float:
    """Return the weight of an army of relief that lifts the siege: by hope, or a typed one by its odds on its day."""
    return numbers.relief * day.arrived * hope(day) + day.coming / day.besiegers * day.relief_quality


@rule("R-100", "weight of leaving", arrived="arrived", lost="share lost")
def leaving_weight(day: SiegeDay, numbers: R100) -> float:
    """Return the weight of leaving: by relief, and by want and losses, reduced by the odds of a storm (R-100)."""
    misery = urgency(want(day.unfed_besiegers, day.days_besiegers)) + day.lost
    weary = (1.0 - by_odds(odds_at_works(day))) * (1.0 + numbers.misery * misery)
    return relief_weight(day, numbers) + numbers.leaves * day.arrived * weary


@rule(
    "R-100",
    "share who fall",
    own=Label("men", WHOLE),
    enemy=Label("enemies", WHOLE),
    walls=Label("walls", silent=0.0, id="R-69"),
)
def share_fallen(own: float, enemy: float, walls: float, numbers: R100) -> float:
    """Return the share of a side killed in a fight of a siege, by the enemies' share of all men (R-100).

    Args:
        walls: Share of the hits that its walls stop (R-69).
    """
    hits = numbers.cost * enemy / (own + enemy) * (1.0 - walls)
    return hits / (1.0 + hits)


@rule(
    "R-100",
    "days of food in the works",
    people=Label("people who feed it", WHOLE),
    capacity="Capacity",
    men=Label("men", WHOLE),
)
def days_in_store(people: float, capacity: float, men: float, numbers: R100) -> float:
    """Return the days of food in the works: by the eighth root of fed people over the garrison."""
    return numbers.days * math.sqrt(math.sqrt(math.sqrt(people * capacity / men)))


@rule("R-100, LEAD-B3", "ratio of the commanders' Siege", own="Siege of the besieger", other="Siege of the defender")
def command_ratio(own: float, other: float, numbers: R100) -> float:
    """Return the ratio of the commanders in a siege: a captain and a commander a side, by Siege from 0 to 1 (R-100).

    An army whose commander is worse than a captain, or that has none, has a captain in his place.
    """
    captain = numbers.captain
    return (captain + max(own, captain)) / (captain + max(other, captain))


@rule("R-101", "breach in an hour", men=Label("gunners", WHOLE), garrison=Label("garrison", WHOLE), rate="breach rate")
def breach_an_hour(men: float, garrison: float, rate: float) -> float:
    """Return the share of a breach opened by the artillery in an hour (R-101)."""
    return men / garrison * rate


@rule(
    "R-101",
    "breach rate",
    siege_rate="Siege Rate",
    power="Power of the artillery",
    needed="Power that the works need",
    works="Defense of the works",
    hours="hours a day",
)
def breach_rate(siege_rate: float, power: float, needed: float, works: float, hours: float, numbers: R101) -> float:
    """Return the breach in an hour by as many gunners as the garrison, slower with guns too weak for the works."""
    fit = min(power / needed, 1.0)
    return siege_rate * (fit * fit) / (works * numbers.days * hours)


@rule("R-100, R-26", "killed", WHOLE, men=Label("men", WHOLE), share="share", draw="draw")
def killed_in_siege(men: int, share: float, draw: float) -> int:
    """Return the number of a flank's men killed in a storm or a sally; the draw, in [0, 1), rounds it (R-26)."""
    return dead_of(men * share, draw, men)


@rule("SIEGE-02", "share of its Capacity left each hour", siege_rate="Siege Rate")
def capacity_under_siege(siege_rate: float, numbers: Siege02) -> float:
    """Return the share of the defender's Capacity left by an hour of siege (SIEGE-02)."""
    return 1.0 - siege_rate / numbers.divisor
