"""Who has lost and who has won: land, alliances, and the end of the game."""

from __future__ import annotations

from collections.abc import Iterable

from engine.ciais.game import Game
from engine.ciais.inputs import allied
from engine.ciais.records import LOST, PLAYING, WON, Player
from engine.decimals import exact, printed
from engine.explained import Explained

CAPTURED, TIMED_OUT, NOT_AGREED = "CI-LOSE-1", "CI-LOSE-3", "CI-LOSE-4"
LAST_STANDING, ALLIED, TIMEOUT, AGREED = "CI-WIN-1", "CI-WIN-2", "CI-WIN-3", "CI-WIN-4"
SAID = {
    LAST_STANDING: "last man standing",
    ALLIED: "allied victory",
    TIMEOUT: "time is up, highest balance",
    AGREED: "nominated winner",
    CAPTURED: "captured: no city and no base left",
    TIMED_OUT: "time is up, balance not the highest",
    NOT_AGREED: "another player was nominated",
}


def check_land(game: Game, player: Player) -> Player:
    """CI-LOSE-1: a player who owns no city and no base has lost, unless nobody has filled in any (CI-OP-27)."""
    has_land = any(site.is_land and site.owner == player.name for site in game.sites.values())
    if player.status != PLAYING or has_land or not game.inputs.has_land_rows:
        return player
    return _lose(game, player, CAPTURED)


def check_win(game: Game) -> tuple[str, ...]:
    """CI-WIN-1, then CI-WIN-2: who has won now that others have lost; where nobody has, nobody wins (CI-OP-32)."""
    left = game.playing
    others = [it for it in game.players.values() if it.status != PLAYING]
    if not left or not others or any(it.status != LOST for it in others):
        return ()
    if len(left) == 1:
        return _win(game, left, LAST_STANDING)
    first = left[0]
    if all(allied(first, it) for it in left[1:]) and not all(allied(first, it) for it in others):
        return _win(game, left, ALLIED)
    return ()


def check_victory(game: Game) -> tuple[str, ...]:
    """The order Check victory: who has won as the game stands, or, where it ends now, by time or by agreement."""
    lost_before = [it for it in game.players.values() if it.status == LOST]
    won = check_win(game)
    if not won and game.order.time_is_up:
        won = _time_is_up(game)
    elif not won and game.order.nominee:
        won = _agreed(game, game.players[game.order.nominee])
    for it in lost_before:
        game.say(it.name, "Lost", f"{it.loss or 'by the moderator'}, before", "CI-RND", "lost before")
    return won


def _time_is_up(game: Game) -> tuple[str, ...]:
    """CI-WIN-3 and CI-LOSE-3: the highest balance, all who have it (CI-OP-23), and nobody for an ally (CI-OP-24)."""
    playing = game.playing
    balances = {it.name: exact(it.bank) for it in playing}
    for it in playing:
        game.say("Balances", it.name, f"{printed(balances[it.name])} ¤", TIMEOUT, "balance", it.bank)
        game.explained.append(Explained(f"Bank, {it.name}", TIMEOUT, it.bank))
    highest = max(balances.values())
    won = _win(game, [it for it in playing if balances[it.name] == highest], TIMEOUT)
    for it in playing:
        if it.name not in won:
            _lose(game, it, TIMED_OUT)
    return won


def _agreed(game: Game, nominee: Player) -> tuple[str, ...]:
    """CI-WIN-4 and CI-LOSE-4: the nominated player wins; allies neither win nor lose (CI-OP-24)."""
    others = [it for it in game.playing if it.name != nominee.name]
    won = _win(game, [nominee], AGREED)
    for it in others:
        if allied(nominee, it):
            game.say(it.name, "Ally of the winner", "neither wins nor loses", "CI-OP-24", "ally")
        else:
            _lose(game, it, NOT_AGREED)
    return won


def _win(game: Game, winners: Iterable[Player], condition: str) -> tuple[str, ...]:
    names = []
    for it in winners:
        game.say(it.name, "Won", f"{condition} {SAID[condition]}", condition, "win")
        names.append(game.change(it, status=WON).name)
    return tuple(names)


def _lose(game: Game, player: Player, condition: str) -> Player:
    game.say(player.name, "Lost", f"{condition} {SAID[condition]}", condition, "loss")
    return game.change(player, status=LOST, loss=condition)
