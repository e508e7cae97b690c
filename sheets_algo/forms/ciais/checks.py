"""Checks of single rows of the CiAIS tabs and of orders with the rows they name, and causes of lapses (REQ-18)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.ciais.conquest import stands_at
from engine.ciais.inputs import (
    ADJUST_BANK,
    BATTLE,
    END_ROUND,
    HEIR,
    OVERTHROW_CHOICE,
    CiaisInputs,
    CiaisOrder,
    allied,
    ending,
    suppliers,
)
from engine.ciais.records import ACTIVE, CITY, INFINITY, MOST, PLAYING, WON, CiaisSite, CiaisUnit, CiaisUnitType, Player
from engine.ciais.supply import distance
from engine.ciais.tables import YES, CiaisConstants
from engine.ciais.taxes import income
from engine.ciais.unrest import OVERTHROWN
from engine.decimals import ZERO, exact, printed
from sheets_algo.database.problems import CauseKind, Problem
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.ciais.columns import NEEDS, SPECIFIC, CiaisRequest

RULED = (None, "", "Waiting", "Done")
"""Values of Status of a ready row that is ruled before the rows below it."""
NOBODY_PLAYS = f"Clear Ready if the game is over, else correct a Status in the tab {Player.tab.name}"


def player_out(player: Player) -> str:
    """Return the reason why a player has left the game, a clause; blank if he plays."""
    return f"{player.name} has {player.status.lower()}" if player.status != PLAYING else ""


def unit_lost(unit: CiaisUnit) -> str:
    """Return a clause for a lost unit; blank if it is not lost."""
    return f"{unit.name} is lost" if unit.status != ACTIVE else ""


PLAYER_OUT = CauseKind(Player, ("status",), lasts=True, gone=player_out)
"""The player who gives the order has lost or won."""
ENEMY_OUT = CauseKind(Player, ("status",), gone=player_out)
"""The defender's player has lost or won in the same round."""
UNIT_LOST = CauseKind(CiaisUnit, ("status",), gone=unit_lost)
"""A unit was lost in the same round."""
CITY_TAKEN = CauseKind(CiaisSite, ("owner",))
"""A city changed hands in the same round."""
TAX_SET = CauseKind(Player, ("tax_changed_in",), is_used_up=True)
"""An order above has set the tax of the round."""
CHOICE_MADE = CauseKind(Player, ("loss",), is_used_up=True)
"""The overthrown player has chosen already."""

ROUND = CauseKind(Player, ("round",))
"""Not a cause: the cell that counts a player's rounds, whose last change says which rulings are of the round."""


def check_negative_bank(row: Row, player: Player) -> Iterator[Problem]:
    """Check that a negative balance comes from an order, which counts the economic failure (CI-OP-16)."""
    if player.bank < 0 and not player.was_negative:
        says = f"{printed(exact(player.bank))} ¤ is below 0, but Bank was negative is not ticked"
        allowed = f"Enter at least 0 and use the order {ADJUST_BANK}, or tick {row.table.header('was_negative')}"
        yield row.problem("bank", "CI-OP-16", says, allowed=allowed)


def check_multipliers(row: Row, kind: CiaisUnitType) -> Iterator[Problem]:
    """Check that multipliers have at most one decimal (CI-BASE-01)."""
    for attribute in ("multi_l", "multi_s", "multi_a"):
        value = exact(getattr(kind, attribute))
        if value * 10 % 1:
            says = f"{printed(value)} has more than one decimal"
            yield row.problem(attribute, "CI-BASE-01", says, allowed="Enter a number from 0 to 10 with one decimal")


def check_supply_coordinates(row: Row, site: CiaisSite) -> Iterator[Problem]:
    """Check that sites that supply units, unlike cities, have coordinates (CI-LOG-01)."""
    for attribute in ("latitude", "longitude"):
        if site.supplies and getattr(site, attribute) is None:
            says = f"required for {'an' if site.kind[0] in 'aou' else 'a'} {site.kind}, but empty"
            bound = 90 if attribute == "latitude" else 180
            yield row.problem(attribute, "CI-BASE-04", says, allowed=f"Enter a number from -{bound} to {bound}")


def check_order_cells(row: Row, kind: str) -> Iterator[Problem]:
    """Check that an order has the cells it needs, and warn of filled cells that it does not use (CI-OP-35)."""
    needs = NEEDS[kind]
    for attribute in ("player", *needs.required) if needs.player else needs.required:
        if row.is_blank(attribute):
            yield row.problem(
                attribute, "CI-OP-35", f"required for {kind}, but empty", allowed=f"Fill {row.table.header(attribute)}"
            )
    for attribute in SPECIFIC:
        if attribute not in (*needs.required, *needs.optional) and _is_filled(row, attribute):
            yield row.warning(attribute, "CI-OP-35", f"{kind} does not use it")


def _is_filled(row: Row, attribute: str) -> bool:
    """Return True unless a cell is blank, an unticked box or `no`."""
    return not row.is_blank(attribute) and row.value(attribute) not in (False, "no", "No")


def check_player(row: Row, order: CiaisOrder, player: Player) -> Iterator[Problem]:
    """Check that the player is in the game and in the order's round (CI-RND), or overthrown (CI-LOSE-2)."""
    if order.kind == OVERTHROW_CHOICE:
        yield from _check_overthrown(row, player)
    elif says := player_out(player):
        allowed = "Name a player who is Playing"
        yield row.problem("player", "CI-RND", says, allowed=allowed, cause=PLAYER_OUT.of(player.name))
        return  # even without other errors, there is no round in which it could be carried out
    if order.round is not None and order.round != player.round:
        when = "is over for" if order.round < player.round else "has not begun for"
        says = f"round {order.round} {when} {player.name}, who is in round {player.round}"
        yield row.problem("round", "CI-RND", says, allowed=f"Enter {player.round}, or leave it blank")


def _check_overthrown(row: Row, player: Player) -> Iterator[Problem]:
    if player.status == PLAYING or not player.loss.startswith(OVERTHROWN):
        yield row.problem(
            "player", "CI-LOSE-2", f"{player.name} was not overthrown", allowed="Name a player who was overthrown"
        )
    elif player.loss != OVERTHROWN:
        says = f"{player.name} has already chosen {player.loss[-2:]}"
        allowed, cause = "Undo that request first, if it was a mistake", CHOICE_MADE.of(player.name)
        yield row.problem("player", "CI-LOSE-2", says, allowed=allowed, cause=cause)


def check_round_for_all(row: Row, order: CiaisOrder, players: Sequence[Player]) -> Iterator[Problem]:
    """Check an End round without a player, which ends the round of all players in it without spending (CI-OP-30)."""
    for attribute in ("tax", "funding"):
        if not row.is_blank(attribute):
            says = "only one player can decide this, but no player is named"
            yield row.problem(attribute, "CI-OP-30", says, allowed="Give each such player a separate End round")
    ending_players = ending(order, players)
    if ending_players.before:
        names = ", ".join(player.name for player in ending_players.before)
        says = f"round {ending_players.round} has not begun for {names}"
        yield row.problem("round", "CI-OP-30", says, allowed="End the earlier rounds first, or leave it blank")
    elif not ending_players.players and ending_players.after:
        says = f"round {ending_players.round} has already been ended by all players"
        yield row.problem("round", "CI-RND", says, allowed="Leave it blank to end the current one")
    elif not ending_players.players:
        cause = next((PLAYER_OUT.of(player.name) for player in players if player.status == WON), None)
        yield row.problem("order", "CI-RND", "nobody is Playing", allowed=NOBODY_PLAYS, cause=cause)


def check_money(row: Row, order: CiaisOrder, player: Player, constants: CiaisConstants) -> Iterator[Problem]:
    """Check the limits of tax changes (CI-TAX-02), funding (CI-UNR-07) and the bank (CI-OP-34)."""
    if abs(balance := exact(player.bank) + exact(order.amount)) > MOST:
        says = f"the bank would hold {printed(balance)} ¤"
        yield row.problem("amount", "CI-OP-34", says, allowed=f"Leave at most {MOST:,} ¤ in it, or owing")
    if order.tax is not None and player.tax_changed_in == player.round:
        says = f"{player.name} has already set the tax in round {player.round}"
        allowed = f"Enter round {player.round + 1}, or clear Ready"
        yield row.problem("tax", "CI-TAX-02", says, allowed=allowed, cause=TAX_SET.of(player.name))
    if order.kind == END_ROUND:
        funding = exact(order.funding)
        rate = exact(player.tax if order.tax is None else order.tax)
        limit = max(exact(player.bank) + income(rate, constants), ZERO)
        if funding > limit:
            says = f"{printed(funding)} ¤ is more than {player.name} has after this round's income"
            yield row.problem("funding", "CI-UNR-07", says, allowed=f"Enter at most {printed(limit)}")


def check_battle_units(row: Row, inputs: CiaisInputs, constants: CiaisConstants) -> Iterator[Problem]:
    """Check that a battle is between active, supplied units of the player and of an enemy in the game (CI-BAT)."""
    order, players = inputs.order, inputs.players
    by_name, units = {player.name: player for player in players}, {unit.name: unit for unit in inputs.units}
    sides = {"attacker": units[order.attacker], "defender": units[order.defender]}
    attacker, defender = sides.values()
    own_player, enemy_player = by_name[attacker.owner], by_name[defender.owner]
    if own_player.name != order.player:
        says = f"{attacker.name} is {own_player.name}'s, not {order.player}'s"
        yield row.problem("attacker", "CI-OP-36", says, allowed=f"Name a unit of {order.player}, or another Player")
    if own_player.name == enemy_player.name:
        says = f"{defender.name} is {enemy_player.name}'s too"
        yield row.problem("defender", "CI-BAT", says, allowed="Name a unit of another player")
    elif allied(own_player, enemy_player):
        says = f"{defender.name} belongs to an ally: {own_player.name} and {enemy_player.name} are in the same alliance"
        yield row.problem("defender", "CI-BAT", says, allowed="Name a unit of a player outside the alliance")
    elif enemy_player.status != PLAYING:
        says = f"{defender.name} is {enemy_player.name}'s, who has {enemy_player.status.lower()}"
        allowed = "Name a unit of a player who is Playing"
        yield row.problem("defender", "CI-BAT", says, allowed=allowed, cause=ENEMY_OUT.of(enemy_player.name))
    sites = inputs.sites
    supplying = {site.owner for site in sites if site.supplies}
    for attribute, unit in sides.items():
        if says := unit_lost(unit):
            allowed = "Name a unit whose Status is Active"
            yield row.problem(attribute, "CI-BAT", says, allowed=allowed, cause=UNIT_LOST.of(unit.name))
        elif by_name[unit.owner].status == PLAYING and not supplying & suppliers(
            by_name[unit.owner], players, constants.allied_supply == YES
        ):
            says = f"{unit.owner} has no base and no outpost to supply {unit.name} from"
            yield row.problem(attribute, "CI-OP-27", says, allowed=f"Add one to the tab {CiaisSite.tab.name}")


def check_range(row: Row, inputs: CiaisInputs, constants: CiaisConstants) -> Iterator[Problem]:
    """Warn of a battle beyond the attacker's range (CI-OP-26)."""
    attacker, defender, kind = _attack(inputs)
    degrees = distance(attacker, defender, constants.lon_wrap == YES)
    if kind.range is not None and degrees > exact(kind.range):
        most = printed(exact(kind.range))
        says = f"{defender.name} is {printed(degrees)}° away, and the range of {attacker.name} is {most}°"
        yield row.warning("attacker", "CI-OP-26", says)


def check_strength(row: Row, inputs: CiaisInputs) -> Iterator[Problem]:
    """Warn of a unit without any multiplier in a battle, since its loss counts like every other (CI-UNR-05)."""
    types = {unit.name: unit.type for unit in inputs.units}
    powerless = {kind.name for kind in inputs.types if not (kind.multi_l or kind.multi_s or kind.multi_a)}
    for attribute, name in (("attacker", inputs.order.attacker), ("defender", inputs.order.defender)):
        if types[name] in powerless:
            says = f"{name} has no strength, as all multipliers of {types[name]} are 0; who beats it has less unrest"
            yield row.warning(attribute, "CI-UNR-05", f"{says} all the same")


def check_cooldown(row: Row, inputs: CiaisInputs, database: Database) -> Iterator[Problem]:
    """Warn of a battle before the attacker's cooldown is over, by the battles in the rows above (CI-OP-26)."""
    attacker, _, kind = _attack(inputs)
    if not kind.cooldown:
        return
    player = next(player for player in inputs.players if player.name == attacker.owner)
    for name, round in _earlier_attacks(row, player, database):
        if kind.cooldown == INFINITY and _is_of(database, name, kind):
            says = f"{player.name} may attack once in a game with {kind.name}, and {name} did in round {round}"
            yield row.warning("attacker", "CI-OP-26", says)
            return
        if kind.cooldown != INFINITY and name == attacker.name:
            free = round + int(kind.cooldown) + 1
            if player.round < free:
                says = f"{attacker.name} attacked in round {round} and waits until round {free}"
                yield row.warning("attacker", "CI-OP-26", says)
            return


def _attack(inputs: CiaisInputs) -> tuple[CiaisUnit, CiaisUnit, CiaisUnitType]:
    """Return the attacker, the defender and the attacker's type."""
    units = {unit.name: unit for unit in inputs.units}
    attacker = units[inputs.order.attacker]
    kind = next(kind for kind in inputs.types if kind.name == attacker.type)
    return attacker, units[inputs.order.defender], kind


def _earlier_attacks(row: Row, player: Player, database: Database) -> Iterator[tuple[str, int]]:
    """Yield the unit and the round of a player's battles in the rows above, the last one first.

    A row without a round belongs to the player's round at that row: each End round below it adds one.
    """
    round = player.round
    for other in reversed(row.table.rows):
        if other.number >= row.number or other.value("status") not in RULED:
            continue
        values = database.read(other, CiaisRequest).values
        if not values.get("ready") or values.get("action") == "Forecast":
            continue
        if values.get("order") == END_ROUND and values.get("player", "") in ("", player.name):
            round -= 1
        elif values.get("order") == BATTLE and values.get("player") == player.name and "attacker" in values:
            yield values["attacker"], values.get("round", round)


def _is_of(database: Database, unit: str, kind: CiaisUnitType) -> bool:
    """Return True if a unit is of a type."""
    return any(database.read(row, CiaisUnit).values.get("type") == kind.name for row in database.find(CiaisUnit, unit))


def check_captured_city(row: Row, order: CiaisOrder, city: CiaisSite, players: Sequence[Player]) -> Iterator[Problem]:
    """Check that a captured city belongs to another player who is not an ally (CI-CAP)."""
    by_name = {player.name: player for player in players}
    if city.kind != CITY:
        says = f"{city.name} is {'an' if city.kind[0] in 'aou' else 'a'} {city.kind}, not a city"
        allowed = f"Name a city; a moderator enters the new Owner of other sites in {CiaisSite.tab.name}"
        yield row.problem("city", "CI-OP-28", says, allowed=allowed)
    elif city.owner not in by_name:
        says = f"{city.name} has no owner to be captured from"
        allowed = f"Enter its Owner in {CiaisSite.tab.name}, or name another city"
        yield row.problem("city", "CI-CAP", says, allowed=allowed, cause=CITY_TAKEN.of(city.name))
    elif city.owner == order.player:
        says, cause = f"{city.name} is {order.player}'s already", CITY_TAKEN.of(city.name)
        yield row.problem("city", "CI-CAP", says, allowed="Name a city of an enemy", cause=cause)
    elif order.player in by_name and allied(by_name[order.player], by_name[city.owner]):
        says, cause = f"{city.name} is {city.owner}'s, an ally of {order.player}", CITY_TAKEN.of(city.name)
        yield row.problem("city", "CI-CAP", says, allowed="Name a city of an enemy", cause=cause)


def check_prize(row: Row, inputs: CiaisInputs, constants: CiaisConstants) -> Iterator[Problem]:
    """Check that the city of a battle is an enemy's, at the defender's place (CI-OP-38)."""
    order = inputs.order
    city = next((site for site in inputs.sites if site.name == order.city), None)
    if city is None:
        return
    defender = next(unit for unit in inputs.units if unit.name == order.defender)
    if city.owner == order.player:
        yield row.warning("city", "CI-OP-38", f"{city.name} is {order.player}'s already, so the battle takes nothing")
    elif city.kind == CITY and not stands_at(defender, city, constants):
        says = f"{defender.name} is {printed(distance(defender, city, constants.lon_wrap == YES))}° from {city.name}"
        allowed = "Name the city in which the defender stands, or clear the cell"
        yield row.problem("city", "CI-OP-38", says, allowed=allowed)
    else:
        yield from check_captured_city(row, order, city, inputs.players)


def check_heir(row: Row, order: CiaisOrder, players: Sequence[Player]) -> Iterator[Problem]:
    """Check that the heir is another player in the game (CI-LOSE-2a)."""
    by_name = {player.name: player for player in players}
    if order.choice != HEIR:
        if order.choice and order.heir:
            yield row.warning("heir", "CI-OP-35", f"choice {order.choice} does not use it")
    elif row.is_blank("heir"):
        allowed = "Name the player who gets land and equipment"
        yield row.problem("heir", "CI-LOSE-2a", "required for choice 2a, but empty", allowed=allowed)
    elif order.heir == order.player:
        yield row.problem(
            "heir", "CI-LOSE-2a", f"{order.heir} cannot inherit from himself", allowed="Name another player"
        )
    elif order.heir in by_name and by_name[order.heir].status != PLAYING:
        says = f"{order.heir} has {by_name[order.heir].status.lower()}"
        yield row.problem("heir", "CI-LOSE-2a", says, allowed="Name a player who is Playing")


def check_game_end(row: Row, order: CiaisOrder, players: Sequence[Player]) -> Iterator[Problem]:
    """Check that the game ends by time or by agreement, with a player in it (CI-WIN-3, CI-WIN-4)."""
    playing = {player.name for player in players if player.status == PLAYING}
    if order.time_is_up and order.nominee:
        says = "the game ends by time or by agreement, not by both"
        yield row.problem("nominee", "CI-WIN-4", says, allowed="Clear this cell or Time is up")
    elif order.nominee and order.nominee not in playing:
        says = f"{order.nominee} is not in the game any more"
        yield row.problem("nominee", "CI-WIN-4", says, allowed="Name a player who is Playing")
    elif order.time_is_up and not playing:
        says = "nobody is Playing, so nobody can win"
        yield row.problem("time_is_up", "CI-WIN-3", says, allowed=NOBODY_PLAYS)
