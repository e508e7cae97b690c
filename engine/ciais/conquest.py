"""Changes of ownership: a captured city (CI-CAP) and the estate of an overthrown player (CI-LOSE-2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from engine.ciais.chance import CiaisRolls
from engine.ciais.game import Game
from engine.ciais.inputs import HEIR, RANDOM, SHARED, allied, opponents
from engine.ciais.records import ACTIVE, CITY, GONE, CiaisSite, CiaisUnit, Player
from engine.ciais.supply import distance, points
from engine.ciais.tables import YES, CiaisConstants
from engine.ciais.unrest import Cause, change_unrest
from engine.ciais.victory import check_land

CHOSEN = {HEIR: "CI-LOSE-2a", RANDOM: "CI-LOSE-2b", SHARED: "CI-LOSE-2c"}
"""Loss conditions by choice."""
CHOICE_TEXTS = {
    HEIR: "land and equipment go to another player",
    RANDOM: "equipment off the board, cities to one who is drawn",
    SHARED: "the other players decide",
}


def capture(game: Game) -> None:
    """Carry out CI-CAP, steps 1 to 3; capturing a base or an outpost is not an order (CI-OP-28)."""
    city, player = game.sites[game.order.city], game.players[game.order.player]
    former = game.players[city.owner]
    game.say("Capture", city.name, f"{former.name} → {player.name}", "CI-CAP", "captured")
    game.change(city, owner=player.name)
    change_unrest(game, player, (Cause("enemy city captured", game.constants.city_captured, "CI-UNR-06"),))
    check_land(game, former)


def take_prize(game: Game) -> bool:
    """Capture the city of a won battle and return True, unless units of its owner or allies hold it (CI-OP-38)."""
    city, player = game.sites[game.order.city], game.players[game.order.player]
    holders = garrison(game.inputs.units, city, game.players[city.owner], game.inputs.players, game.constants)
    held = [unit for unit in holders if unit.name not in (game.order.attacker, game.order.defender)]
    if city.owner == player.name or held:
        reason = f"held by {_names(held)}" if held else f"{player.name}'s already"
        game.say("Capture", city.name, f"not taken: {reason}", "CI-OP-38", "held")
        return False
    capture(game)
    return True


def garrison(
    units: Iterable[CiaisUnit], city: CiaisSite, owner: Player, players: Sequence[Player], constants: CiaisConstants
) -> Iterator[CiaisUnit]:
    """Yield the active units of a city's owner and allies less than a degree from it (CI-OP-38)."""
    friends = {owner.name, *(player.name for player in players if allied(owner, player))}
    for unit in units:
        if unit.owner in friends and unit.status == ACTIVE and stands_at(unit, city, constants):
            yield unit


def stands_at(unit: CiaisUnit, city: CiaisSite, constants: CiaisConstants) -> bool:
    """Return True if a unit is in a city; any unit is in a city without coordinates (CI-OP-38)."""
    is_placed = city.latitude is not None and city.longitude is not None
    return not is_placed or is_inside(distance(unit, city, constants.lon_wrap == YES))


def is_inside(distance: Decimal) -> bool:
    """Return True at less than one full degree from a city (CI-OP-38, CI-OP-08)."""
    return not points(distance)


def dispose_estate(game: Game, rolls: CiaisRolls) -> None:
    """Distribute an overthrown player's land and equipment by the player's choice (CI-LOSE-2a to CI-LOSE-2c)."""
    player, choice = game.players[game.order.player], game.order.choice
    units = [unit for unit in game.units.values() if unit.owner == player.name and unit.status == ACTIVE]
    sites = [site for site in game.sites.values() if site.owner == player.name]
    condition = CHOSEN[choice]
    game.say(player.name, "Choice", f"{condition} {CHOICE_TEXTS[choice]}", condition, "choice")
    if choice == HEIR:
        _give_all(game, game.players[game.order.heir], units, sites)
    elif choice == RANDOM:
        _clear_board(game, player, units, sites, rolls)
    else:
        _share_out(game, units, sites)
    game.change(player, loss=condition)


def _give_all(game: Game, heir: Player, units: Sequence[CiaisUnit], sites: Sequence[CiaisSite]) -> None:
    """Give everything to one player (CI-LOSE-2a)."""
    for label, pieces in (("Units", units), ("Sites", sites)):
        for piece in pieces:
            game.change(piece, owner=heir.name)
        game.say(f"To {heir.name}", label, _names(pieces), "CI-LOSE-2a", "inherited")


def _clear_board(
    game: Game, player: Player, units: Sequence[CiaisUnit], sites: Sequence[CiaisSite], rolls: CiaisRolls
) -> None:
    """Remove equipment, bases and outposts, and give all cities to one drawn player (CI-LOSE-2b, CI-OP-21)."""
    cities = [site for site in sites if site.kind == CITY]
    for unit in units:
        game.change(unit, status=GONE)
    for site in sites:
        game.change(site, owner="")
    removed: list[CiaisUnit | CiaisSite] = [*units, *(site for site in sites if site.kind != CITY)]
    game.say("Off the board", "Removed", _names(removed), "CI-LOSE-2b", "removed", len(removed))
    if rolls.opponent is None:
        text = "nobody's, since no opponent plays" if cities else "none"
        game.say("Off the board", "Cities", text, "CI-OP-21", "cities", len(cities))
        return
    candidates = opponents(player.name, game.inputs.players)
    heir = candidates[rolls.opponent - 1]
    text = f"{rolls.opponent} of {len(candidates)} ({', '.join(candidates)}): {heir}"
    game.say(f"To {heir}", "Drawn", text, "CI-OP-21", "roll", rolls.opponent)
    for city in cities:
        game.change(game.sites[city.name], owner=heir)
    game.say(f"To {heir}", "Cities", _names(cities), "CI-LOSE-2b", "cities", len(cities))


def _share_out(game: Game, units: Sequence[CiaisUnit], sites: Sequence[CiaisSite]) -> None:
    """List units and sites on the receipt; a moderator enters the players' decision (CI-LOSE-2c, CI-OP-22)."""
    for label, names in (("Units", _names(units)), ("Sites", _names(sites))):
        game.say("To be shared out by the other players", label, names, "CI-OP-22", "to share")


def _names(pieces: Sequence[CiaisUnit | CiaisSite]) -> str:
    return ", ".join(piece.name for piece in pieces) or "none"
