"""The order Battle (CI-BAT): two units, one roll."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from engine.ciais.chance import Rolls
from engine.ciais.game import Game
from engine.ciais.inputs import suppliers
from engine.ciais.odds import chance, percent
from engine.ciais.records import GONE, Unit, UnitType
from engine.ciais.supply import Supply, deadly, dies, lowered, supply
from engine.ciais.tables import YES, Constants
from engine.ciais.unrest import Cause, stir
from engine.decimals import ZERO, exact, printed, signed
from engine.explained import Explained, Term

ATTACKER, DEFENDER = "Attacker", "Defender"


@dataclass(frozen=True, slots=True)
class Fighter:
    """One unit before the roll.

    Args:
        unit: On the board.
        type: Its type.
        supply: Its nearest.
        before: Its multiplier against the enemy's type.
        after: That less attrition, not below 0 (CI-OP-11).
        is_dead: Attrition killed it.
    """

    unit: Unit
    type: UnitType
    supply: Supply
    before: Decimal
    after: Decimal
    is_dead: bool


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two units that meet.

    Args:
        attacker: Unit A.
        defender: Unit B.
        chance: Of the attacker, 0 to 1; None where a unit died of attrition, so that no battle takes place.
    """

    attacker: Fighter
    defender: Fighter
    chance: Fraction | None

    @property
    def fighters(self) -> tuple[Fighter, Fighter]:
        """Attacker, defender."""
        return self.attacker, self.defender


@dataclass(frozen=True, slots=True)
class Fought:
    """What came of it.

    Args:
        meeting: Of whom.
        winner: `Attacker` or `Defender`; blank where no battle took place.
    """

    meeting: Meeting
    winner: str

    @property
    def sides(self) -> tuple[Fighter, Fighter]:
        """Winner, loser."""
        return self.meeting.fighters if self.winner == ATTACKER else self.meeting.fighters[::-1]


def meet(game: Game) -> Meeting:
    """Steps 1 to 4 of CI-BAT: attrition, deaths, multipliers, odds; nothing is changed."""
    names = game.order.attacker, game.order.defender
    units = game.units[names[0]], game.units[names[1]]
    attacker, defender = _fighter(game, *units), _fighter(game, *units[::-1])
    if attacker.is_dead or defender.is_dead:
        return Meeting(attacker, defender, None)
    return Meeting(attacker, defender, chance(attacker.after, defender.after, game.constants))


def fight(game: Game, rolls: Rolls) -> Fought:
    """CI-BAT, steps 1 to 8; who has won the game is looked at afterwards."""
    meeting = meet(game)
    for it in meeting.fighters:
        _present(game, it)
        game.change(it.unit, attrition=it.supply.points)
    game.explained += explained(meeting, game.constants)
    if meeting.chance is None:
        for it in meeting.fighters:
            if it.is_dead:
                game.change(game.units[it.unit.name], status=GONE)
        game.say("Battle", "Result", "no battle: attrition came first, and nobody wins", "CI-OP-19", "result")
        for it in meeting.fighters:
            stir(game, game.players[it.unit.owner])
        return Fought(meeting, "")
    share = percent(meeting.chance)
    game.say("Battle", "Chance", f"{share} % for {meeting.attacker.unit.name}", "CI-EQ-01", "chance", share)
    rolled = rolls.battle or 0
    how = "drawn" if game.order.roll is None else "moderator's"
    game.say("Battle", "Roll", f"{rolled} ({how}), at most {share} is a win", "CI-BASE-02", "roll", rolled)
    fought = Fought(meeting, ATTACKER if rolled <= share else DEFENDER)
    winner, loser = fought.sides
    game.say("Battle", "Winner", named(winner.unit), "CI-BASE-02", "result")
    game.say("Battle", "Lost", named(loser.unit), "CI-OP-20", "lost")
    game.change(game.units[loser.unit.name], status=GONE)
    lost, won = game.constants.unit_lost, game.constants.battle_won
    stir(game, game.players[loser.unit.owner], (Cause("unit lost in battle", lost, "CI-UNR-02"),))
    stir(game, game.players[winner.unit.owner], (Cause("battle won", won, "CI-UNR-05"),))
    return fought


def explained(meeting: Meeting, constants: Constants) -> Iterator[Explained]:
    """Attrition and multiplier of both units, and the odds if there is a battle."""
    for it in meeting.fighters:
        points = it.supply.points
        distance = (Term("distance", "", float(it.supply.distance)),)
        note = f"full degrees to {it.supply.site.name}"
        yield Explained(f"Attrition, {it.unit.name}", "CI-LOG-03", points, distance, "sum", note=note)
        loss = -points * constants.attrition_step
        terms = (Term("multiplier", "", float(it.before)), Term("attrition", "", float(loss)))
        note = "not below 0" if it.before + loss < 0 else ""
        yield Explained(f"Multiplier, {it.unit.name}", "CI-LOG-04", float(it.after), terms, "sum", note=note)
    if meeting.chance is not None:
        yield _explained_chance(meeting, meeting.chance)


def _explained_chance(meeting: Meeting, chance: Fraction) -> Explained:
    """As an average of certain victory and certain defeat by the multipliers, which is what the formula says."""
    weights = [it.after for it in meeting.fighters]
    name, share = f"Chance of {meeting.attacker.unit.name}", percent(chance)
    if not any(weights):
        return Explained(name, "CI-OP-12", share, note="neither has any multiplier left")
    if chance * Fraction(sum(weights)) != Fraction(weights[0]):
        return Explained(name, "CI-OP-13", share, note="10 against less is certain in this game")
    terms = (
        Term("wins", meeting.attacker.unit.name, 100, float(weights[0])),
        Term("loses", meeting.defender.unit.name, 0, float(weights[1])),
    )
    return Explained(name, "CI-EQ-01", share, terms, note="per cent, rounded")


def _fighter(game: Game, unit: Unit, enemy: Unit) -> Fighter:
    constants, type = game.constants, game.types[unit.type]
    owners = suppliers(game.players[unit.owner], game.inputs.players, constants.allied_supply == YES)
    found = supply(unit, game.inputs.sites, owners, constants)
    if found is None:
        raise ValueError(f"{unit.name} has no supply")  # the form never lets it fight
    before = exact(type.against(game.types[enemy.type].type))
    after = max(lowered(before, found.points, constants), ZERO)
    return Fighter(unit, type, found, before, after, dies(type, found.points, constants))


def _present(game: Game, it: Fighter) -> None:
    unit, heading, points = it.unit, named(it.unit), it.supply.points
    place = f"{printed(exact(unit.latitude))}, {printed(exact(unit.longitude))}"
    theatre = game.tables.theatre(unit.longitude)
    game.say(heading, "Unit", f"{it.type.name} ({it.type.type}) at {place}, {theatre}", "CI-BASE-04", "unit")
    site = f"{it.supply.site.name} ({it.supply.site.kind}), {printed(it.supply.distance)}° away"
    game.say(heading, "Supply", site, "CI-LOG-02", "supply", it.supply.distance)
    game.say(heading, "Attrition", _points(points), "CI-LOG-03", "attrition", points)
    name, value = deadly(it.type, game.constants)
    left = lowered(value, points, game.constants)
    if it.is_dead:
        text = f"dies of attrition: {name} {printed(value)} → {printed(left)}, below 0"
        game.say(heading, "Lost", text, "CI-LOG-05", "died", left)
    loss = -points * game.constants.attrition_step
    text = f"{printed(it.before)} → {printed(it.after)} ({signed(loss)})"
    game.say(heading, "Multiplier", text, "CI-LOG-04", "multiplier", it.after)


def named(unit: Unit) -> str:
    """`1st Army (Anna)`."""
    return f"{unit.name} ({unit.owner})"


def _points(count: int) -> str:
    return "1 point" if count == 1 else f"{count} points"
