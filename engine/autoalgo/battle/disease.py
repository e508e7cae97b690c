"""Disease (DIS): every hour, each side is exposed to the endemic diseases of both nations."""

from __future__ import annotations

from engine.autoalgo.battle.draw_ids import DISEASE, DISEASE_WHOLE, OUTBREAK
from engine.autoalgo.battle.events import DISEASE as OUTBREAKS
from engine.autoalgo.battle.events import SICKENED, Events, Toll, keep, note
from engine.autoalgo.battle.flank import dead_of, is_out, waste
from engine.autoalgo.battle.state import Battle, Real, Tunables
from engine.autoalgo.constants import Dis02
from engine.calculation import WHOLE
from engine.elementary import LOG_2, log
from engine.rule import Label, part, rule


def disease(battle: Battle, tunables: Tunables, draws: Real, events: Events, hour: int) -> None:
    """Test both sides for outbreaks of both diseases; shape of draws (purposes, n) (DIS-01, R-120)."""
    country, spares = tunables.country, tunables.constants.r_120.applies
    for side in range(2):
        for carrier in range(2):
            which = carrier * country.other_disease
            if spares and battle.outbreaks[side, which] > 0:
                continue
            men = men_exposed(battle, side)
            if draws[OUTBREAK + carrier, side] < outbreak_chance(country.outbreak[side, carrier], men):
                battle.outbreaks[side, which] += 1
                dice = draws[DISEASE + carrier, side] * tunables.constants.dis_03.luck_most
                share = share_of_dead(country.severity[side, carrier], dice)
                draw = draws[OUTBREAK + carrier, side]
                keep(events, 0, Toll(float(men), draw, dice, share, 0.0, 0.0, 0.0, 0.0))
                strike_side(battle, tunables, side, carrier, share, draws, events, hour)


def strike_side(
    battle: Battle, tunables: Tunables, side: int, carrier: int, share: float, draws: Real, events: Events, hour: int
) -> None:
    """Let the disease of side `carrier` kill a share of the men of every flank of a side that is not out."""
    row = events.used[0]  # noted before the events it causes; the amount is filled in at the end
    note(events, hour, OUTBREAKS, side, -1, carrier, 0.0, 0.0, 0.0)
    total = 0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] != side or is_out(battle.status[flank]):
            continue
        men, draw = battle.men[flank], draws[DISEASE_WHOLE + carrier, flank]
        dead = dead_of_disease(men, share, draw)
        if dead > 0:
            total += dead
            battle.diseased[flank] += dead
            if events.terms.shape[0] > 0:
                keep(events, 0, Toll(float(men), draw, 0.0, share, 0.0, 0.0, 0.0, 0.0))
                note(events, hour, SICKENED, side, flank, carrier, dead, 0.0, 0.0)
            waste(battle, tunables.constants.strat_04, flank, dead, events, hour)
    events.amount[row] = total


def men_exposed(battle: Battle, side: int) -> int:
    """Return the men of a side whose flanks are not out of the battle (R-33)."""
    men = 0
    for flank in range(battle.side.shape[0]):
        if battle.side[flank] == side and not is_out(battle.status[flank]):
            men += battle.men[flank]
    return men


def familiarity_with(is_endemic: bool, numbers: Dis02) -> float:
    """Return a nation's familiarity with a disease; `is_endemic` for its own (DIS-02, OCC-06)."""
    return numbers.familiarity_endemic if is_endemic else numbers.familiarity_strange


@part(outbreak="Outbreak", maximum=Label("maximum military", WHOLE), resistance="resistance", familiarity="familiarity")
def outbreak_a_man(outbreak: float, maximum: float, resistance: float, familiarity: float, divisor: float) -> float:
    """Return the chance of an outbreak per hour and man (DIS-02, R-62).

    Args:
        maximum: The maximum military of the exposed nation.
        resistance: Generation · Secular cycle of the exposed nation (DATE-05).
        familiarity: 10 with the nation's own disease, 1 with any other.
        divisor: 6 in DIS-02.
    """
    return outbreak / maximum / (resistance * familiarity * divisor)


@rule("DIS-02", "chance of an outbreak", men=Label("men", WHOLE))
def outbreak_chance(a_man: float, men: float) -> float:
    """Return the chance of an outbreak in an hour among the exposed men; `a_man` comes from `outbreak_a_man`."""
    return a_man * men


@part(infectivity="Infectivity", reproduction="Reproduction", deadliness="Deadliness", medicine="Medicine")
def severity(infectivity: float, reproduction: float, deadliness: float, medicine: float, men_divisor: float) -> float:
    """Return the share of men who die in an outbreak per point of the dice (DIS-03).

    Args:
        medicine: The number of the exposed nation's Medicine.
        men_divisor: 500 in DIS-03.
    """
    return log(infectivity * reproduction * deadliness + 1.0) / LOG_2 / men_divisor * medicine


@rule("DIS-03", "share of the men who die", die="die")
def share_of_dead(severity: float, die: float) -> float:
    """Return the share of the men of every flank of a side who die in an outbreak (DIS-03)."""
    return severity * die


@rule("DIS-03, R-26", "dead", WHOLE, men=Label("men", WHOLE), share="share", draw="draw")
def dead_of_disease(men: int, share: float, draw: float) -> int:
    """Return the men of a flank who die in an outbreak; the draw, in [0, 1), rounds them (R-26)."""
    return dead_of(men * share, draw, men)
