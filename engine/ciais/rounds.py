"""The order End round (CI-RND): income, domestic funding, unrest and attrition of one player or of all."""

from __future__ import annotations

from engine.ciais.game import Game
from engine.ciais.inputs import Ending, ending, suppliers
from engine.ciais.records import ACTIVE, GONE, Player
from engine.ciais.supply import deadly, dies, lowered, supply
from engine.ciais.tables import YES
from engine.ciais.taxes import balance, income, set_tax
from engine.ciais.unrest import change_unrest, failed, funded, taxed
from engine.ciais.victory import check_land
from engine.decimals import exact, printed, signed
from engine.receipt import counted


def end_round(game: Game) -> Ending:
    """Carry out steps 1 to 7 of CI-RND for each player; the win check follows after the last one (CI-OP-31)."""
    ended = ending(game.order, game.inputs.players)
    for player in ended.players:
        _end_for(game, player)
    for player in ended.after:
        game.say(player.name, "Round", f"{ended.round} was ended already", "CI-OP-30", "skipped")
    return ended


def _end_for(game: Game, player: Player) -> None:
    if game.order.tax is not None:
        player = set_tax(game, player, exact(game.order.tax))
    constants, name = game.constants, player.name
    before, funding, rate = exact(player.bank), exact(game.order.funding), exact(player.tax)
    earned = income(rate, constants)
    after = balance(before, earned, funding)
    text = f"{printed(earned)} ¤ at {printed(rate)} % tax"
    game.say(name, "Income", text, "CI-TAX-01", "income", earned)
    if funding:
        game.say(name, "Domestic funding", f"{printed(funding)} ¤", "CI-UNR-07", "funding", funding)
    game.say(
        name, "Bank", f"{printed(before)} → {printed(after)} ¤ ({signed(after - before)})", "CI-RND", "bank", after
    )
    game.explain(balance, before, earned, funding, name=f"Bank, {name}")
    player = game.change(player, bank=after, was_negative=after < 0, round=player.round + 1)
    causes = (taxed(rate, constants), failed(before, after, constants), funded(funding, constants))
    player = change_unrest(game, player, causes)
    _apply_attrition(game, player)
    check_land(game, player)


def _apply_attrition(game: Game, player: Player) -> None:
    """Apply attrition to all the player's units and remove those that it kills (step 6)."""
    owners = suppliers(player, game.inputs.players, game.constants.allied_supply == YES)
    lost, unsupplied = [], []
    for unit in [each for each in game.units.values() if each.owner == player.name and each.status == ACTIVE]:
        nearest = supply(unit, game.inputs.sites, owners, game.constants)
        if nearest is None:
            unsupplied.append(unit.name)  # CI-OP-27
            continue
        type, points = game.types[unit.type], nearest.points
        is_dead = dies(type, points, game.constants)
        text = f"{unit.name}: {points} by {printed(nearest.distance)}° to {nearest.site.name}"
        if is_dead:
            name, value = deadly(type, game.constants)
            remaining = printed(lowered(value, points, game.constants))
            lost.append(f"{unit.name} ({name} {printed(value)} → {remaining} at {counted(points, 'point')})")
            text += ", dies"
        id = "CI-LOG-05" if is_dead else "CI-LOG-03"
        game.say(player.name, "Attrition", text, id, "attrition", points, on_receipt=False)
        game.change(unit, attrition=points, status=GONE if is_dead else ACTIVE)
    if lost:
        game.say(player.name, "Lost to attrition", ", ".join(lost), "CI-LOG-05", "died", len(lost))
    if unsupplied:
        text = f"{', '.join(unsupplied)}: attrition stays as it is"
        game.say(player.name, "Without supply", text, "CI-OP-27", "unsupplied", len(unsupplied))
