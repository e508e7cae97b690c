"""The order Battle (CI-BAT): two units and one roll."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import partial

from engine.calculation import WHOLE, Calculation, stated
from engine.ciais.chance import CiaisRolls
from engine.ciais.game import Derivation, Game
from engine.ciais.inputs import suppliers
from engine.ciais.odds import chance, exception, per_cent, percent
from engine.ciais.records import GONE, CiaisUnit, CiaisUnitType
from engine.ciais.supply import Supply, deadly, dies, left, lowered, points, supply
from engine.ciais.tables import YES, CiaisConstants
from engine.ciais.unrest import Cause, change_unrest
from engine.decimals import exact, printed, signed
from engine.receipt import counted
from engine.rule import Label, TracedNumber, named
from engine.terms import explained

ATTACKER, DEFENDER = "Attacker", "Defender"


@dataclass(frozen=True, slots=True)
class CiaisFighter:
    """One unit before the roll."""

    unit: CiaisUnit  # The unit on the board
    type: CiaisUnitType  # The unit's type
    supply: Supply  # The unit's nearest supply
    before: Decimal  # The multiplier against the enemy's type
    after: Decimal  # The multiplier less attrition, not below 0 (CI-OP-11)
    is_dead: bool  # True if attrition killed the unit


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two units that meet, before the roll or after it."""

    attacker: CiaisFighter  # Unit A
    defender: CiaisFighter  # Unit B
    # The attacker's chance, 0 to 1; None if attrition killed a unit before the battle.
    chance: Fraction | None
    winner: str = ""  # `Attacker` or `Defender`; blank before the roll, or without a battle

    @property
    def fighters(self) -> tuple[CiaisFighter, CiaisFighter]:
        """Return the attacker and the defender."""
        return self.attacker, self.defender

    @property
    def sides(self) -> tuple[CiaisFighter, CiaisFighter]:
        """Return the winner and the loser."""
        return self.fighters if self.winner == ATTACKER else self.fighters[::-1]

    @property
    def dead(self) -> str:
        """Return the units that attrition killed."""
        return " and ".join(fighter.unit.name for fighter in self.fighters if fighter.is_dead)


def meet(game: Game) -> Meeting:
    """Compute attrition, deaths, multipliers and odds (CI-BAT, steps 1 to 4) without changing the game."""
    names = game.order.attacker, game.order.defender
    units = game.units[names[0]], game.units[names[1]]
    attacker, defender = _fighter(game, *units), _fighter(game, *units[::-1])
    if attacker.is_dead or defender.is_dead:
        return Meeting(attacker, defender, None)
    return Meeting(attacker, defender, chance(attacker.after, defender.after, game.constants))


def fight(game: Game, rolls: CiaisRolls) -> Meeting:
    """Carry out CI-BAT, steps 1 to 8; the caller checks whether the game is won."""
    meeting = meet(game)
    for fighter in meeting.fighters:
        _report_fighter(game, fighter)
        game.change(fighter.unit, attrition=fighter.supply.points)
    game.derivations += derivations(meeting, game.constants)
    if meeting.chance is None:
        for fighter in meeting.fighters:
            if fighter.is_dead:
                game.change(game.units[fighter.unit.name], status=GONE)
        game.say("Battle", "Result", "no battle: attrition came first, and nobody wins", "CI-OP-19", "result")
        for fighter in meeting.fighters:
            change_unrest(game, game.players[fighter.unit.owner])
        return meeting
    share = percent(meeting.chance)
    game.say("Battle", "Chance", f"{share} % for {meeting.attacker.unit.name}", "CI-EQ-01", "chance", share)
    number = rolls.battle or 0
    source = "drawn" if game.order.roll is None else "moderator's"
    game.say("Battle", "Roll", f"{number} ({source}), at most {share} is a win", "CI-BASE-02", "roll", number)
    fought = replace(meeting, winner=ATTACKER if number <= share else DEFENDER)
    winner, loser = fought.sides
    game.say("Battle", "Winner", titled(winner.unit), "CI-BASE-02", "result")
    game.say("Battle", "Lost", titled(loser.unit), "CI-OP-20", "lost")
    game.change(game.units[loser.unit.name], status=GONE)
    lost, won = game.constants.unit_lost, game.constants.battle_won
    change_unrest(game, game.players[loser.unit.owner], (Cause("unit lost in battle", lost, "CI-UNR-02"),))
    change_unrest(game, game.players[winner.unit.owner], (Cause("battle won", won, "CI-UNR-05"),))
    return fought


def derivations(meeting: Meeting, constants: CiaisConstants) -> Iterator[Derivation]:
    """Yield attrition and multiplier of both units, and the odds if there is a battle."""
    for fighter in meeting.fighters:
        note, name = f"full degrees to {fighter.supply.site.name}", f"Attrition, {fighter.unit.name}"
        yield partial(explained, points, fighter.supply.distance, name=name, note=note)
        yield partial(_multiplier, fighter, constants)
    if meeting.chance is not None:
        yield partial(_chance, meeting, constants)


def _multiplier(fighter: CiaisFighter, constants: CiaisConstants) -> Calculation:
    return explained(left, fighter.before, fighter.supply.points, constants, name=f"Multiplier, {fighter.unit.name}")


def _chance(meeting: Meeting, constants: CiaisConstants) -> Calculation:
    """Explain the chance as the average of certain victory and defeat, weighted by the multipliers (CI-EQ-01)."""
    name, share = f"Chance of {meeting.attacker.unit.name}", percent(meeting.chance or Fraction(0))
    own, enemy = (fighter.after for fighter in meeting.fighters)
    if named_chance := exception(own, enemy, constants):
        return stated(name, named_chance.id, share, WHOLE, named_chance.why)
    weights = [_weight(fighter) for fighter in meeting.fighters]
    return explained(per_cent, *weights, name=name, note="per cent, rounded")._replace(value=share)


def _weight(fighter: CiaisFighter) -> TracedNumber:
    return named(Fraction(fighter.after), Label("", spell=lambda _: fighter.unit.name))


def _fighter(game: Game, unit: CiaisUnit, enemy: CiaisUnit) -> CiaisFighter:
    constants, type = game.constants, game.types[unit.type]
    owners = suppliers(game.players[unit.owner], game.inputs.players, constants.allied_supply == YES)
    nearest = supply(unit, game.inputs.sites, owners, constants)
    if nearest is None:
        raise ValueError(f"{unit.name} has no supply")  # excluded by the input checks
    before = exact(type.against(game.types[enemy.type].type))
    after = left(before, nearest.points, constants)
    return CiaisFighter(unit, type, nearest, before, after, dies(type, nearest.points, constants))


def _report_fighter(game: Game, fighter: CiaisFighter) -> None:
    unit, heading, count = fighter.unit, titled(fighter.unit), fighter.supply.points
    place = f"{printed(exact(unit.latitude))}, {printed(exact(unit.longitude))}"
    theatre = game.tables.theatre(unit.longitude)
    game.say(heading, "Unit", f"{fighter.type.name} ({fighter.type.type}) at {place}, {theatre}", "CI-BASE-04", "unit")
    site = f"{fighter.supply.site.name} ({fighter.supply.site.kind}), {printed(fighter.supply.distance)}° away"
    game.say(heading, "Supply", site, "CI-LOG-02", "supply", fighter.supply.distance)
    game.say(heading, "Attrition", counted(count, "point"), "CI-LOG-03", "attrition", count)
    name, value = deadly(fighter.type, game.constants)
    remaining = lowered(value, count, game.constants)
    if fighter.is_dead:
        text = f"dies of attrition: {name} {printed(value)} → {printed(remaining)}, below 0"
        game.say(heading, "Lost", text, "CI-LOG-05", "died", remaining)
    loss = lowered(fighter.before, count, game.constants) - fighter.before
    text = f"{printed(fighter.before)} → {printed(fighter.after)} ({signed(loss)})"
    game.say(heading, "Multiplier", text, "CI-LOG-04", "multiplier", fighter.after)


def titled(unit: CiaisUnit) -> str:
    """Return a unit's name with its owner: `1st Army (Anna)`."""
    return f"{unit.name} ({unit.owner})"
