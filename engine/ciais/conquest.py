"""Land that changes hands: a captured city (CI-CAP), and what an overthrown player leaves behind (CI-LOSE-2)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.ciais.chance import Rolls
from engine.ciais.game import Game
from engine.ciais.inputs import HEIR, RANDOM, SHARED, opponents
from engine.ciais.records import ACTIVE, CITY, GONE, Player, Site, Unit
from engine.ciais.unrest import Cause, stir
from engine.ciais.victory import check_land

CHOSEN = {HEIR: "CI-LOSE-2a", RANDOM: "CI-LOSE-2b", SHARED: "CI-LOSE-2c"}
"""Choice to loss condition."""
SAID = {
    HEIR: "land and equipment go to another player",
    RANDOM: "equipment off the board, cities to one who is drawn",
    SHARED: "the other players decide",
}


def capture(game: Game) -> None:
    """CI-CAP, steps 1 to 3; a captured base or outpost is no order (CI-OP-28)."""
    city, player = game.sites[game.order.city], game.players[game.order.player]
    former = game.players[city.owner]
    game.say("Capture", city.name, f"{former.name} → {player.name}", "CI-CAP", "captured")
    game.change(city, owner=player.name)
    stir(game, player, (Cause("enemy city captured", game.constants.city_captured, "CI-UNR-06"),))
    check_land(game, former)


def leave(game: Game, rolls: Rolls) -> None:
    """CI-LOSE-2a to CI-LOSE-2c: what becomes of land and equipment."""
    player, choice = game.players[game.order.player], game.order.choice
    units = [it for it in game.units.values() if it.owner == player.name and it.status == ACTIVE]
    sites = [it for it in game.sites.values() if it.owner == player.name]
    condition = CHOSEN[choice]
    game.say(player.name, "Choice", f"{condition} {SAID[choice]}", condition, "choice")
    if choice == HEIR:
        _bequeath(game, game.players[game.order.heir], units, sites)
    elif choice == RANDOM:
        _clear(game, player, units, sites, rolls)
    else:
        _share_out(game, units, sites)
    game.change(player, loss=condition)


def _bequeath(game: Game, heir: Player, units: Sequence[Unit], sites: Sequence[Site]) -> None:
    """CI-LOSE-2a: all of it to one player."""
    for unit in units:
        game.change(unit, owner=heir.name)
    for site in sites:
        game.change(site, owner=heir.name)
    for label, names in (("Units", _names(units)), ("Sites", _names(sites))):
        game.say(f"To {heir.name}", label, names, "CI-LOSE-2a", "inherited")


def _clear(game: Game, player: Player, units: Sequence[Unit], sites: Sequence[Site], rolls: Rolls) -> None:
    """CI-LOSE-2b: equipment, bases and outposts off the board, all cities to one who is drawn (CI-OP-21)."""
    cities = [it for it in sites if it.kind == CITY]
    for unit in units:
        game.change(unit, status=GONE)
    for site in sites:
        game.change(site, owner="")
    removed: list[Unit | Site] = [*units, *(it for it in sites if it.kind != CITY)]
    game.say("Off the board", "Removed", _names(removed), "CI-LOSE-2b", "removed", len(removed))
    if rolls.opponent is None:
        text = "nobody's, since no opponent plays" if cities else "none"
        game.say("Off the board", "Cities", text, "CI-OP-21", "cities", len(cities))
        return
    drawn_among = opponents(player.name, game.inputs.players)
    lucky = drawn_among[rolls.opponent - 1]
    text = f"{rolls.opponent} of {len(drawn_among)} ({', '.join(drawn_among)}): {lucky}"
    game.say(f"To {lucky}", "Drawn", text, "CI-OP-21", "roll", rolls.opponent)
    for city in cities:
        game.change(game.sites[city.name], owner=lucky)
    game.say(f"To {lucky}", "Cities", _names(cities), "CI-LOSE-2b", "cities", len(cities))


def _share_out(game: Game, units: Sequence[Unit], sites: Sequence[Site]) -> None:
    """CI-LOSE-2c: named on the receipt; a moderator enters what the players decide (CI-OP-22)."""
    for label, names in (("Units", _names(units)), ("Sites", _names(sites))):
        game.say("To be shared out by the other players", label, names, "CI-OP-22", "to share")


def _names(pieces: Sequence[Unit | Site]) -> str:
    return ", ".join(it.name for it in pieces) or "none"
