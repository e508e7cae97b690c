"""Defeat and victory: land, alliances, and the end of the game."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from engine.calculation import stated
from engine.ciais.game import Game
from engine.ciais.inputs import allied
from engine.ciais.records import LOST, PLAYING, WON, Player
from engine.decimals import exact, printed

CAPTURED, TIMED_OUT, NOT_AGREED = "CI-LOSE-1", "CI-LOSE-3", "CI-LOSE-4"
LAST_STANDING, ALLIED, TIMEOUT, AGREED = "CI-WIN-1", "CI-WIN-2", "CI-WIN-3", "CI-WIN-4"
CONDITION_TEXTS = {
    LAST_STANDING: "last man standing",
    ALLIED: "allied victory",
    TIMEOUT: "time is up, highest balance",
    AGREED: "nominated winner",
    CAPTURED: "captured: no city and no base left",
    TIMED_OUT: "time is up, balance not the highest",
    NOT_AGREED: "another player was nominated",
}


def check_land(game: Game, player: Player) -> Player:
    """Mark a player without city and base as lost (CI-LOSE-1), unless the tab has no such sites (CI-OP-27)."""
    has_land = any(site.is_land and site.owner == player.name for site in game.sites.values())
    if player.status != PLAYING or has_land or not game.inputs.has_land_rows:
        return player
    return _lose(game, player, CAPTURED)


def check_win(game: Game) -> tuple[str, ...]:
    """Return the players who win because all others have lost (CI-WIN-1, then CI-WIN-2, CI-OP-32)."""
    remaining = game.playing
    others = [player for player in game.players.values() if player.status != PLAYING]
    if not remaining or not others or any(player.status != LOST for player in others):
        return ()
    if len(remaining) == 1:
        return _win(game, remaining, LAST_STANDING)
    first = remaining[0]
    if all(allied(first, ally) for ally in remaining[1:]) and not all(allied(first, ally) for ally in others):
        return _win(game, remaining, ALLIED)
    return ()


def check_victory(game: Game) -> tuple[str, ...]:
    """Carry out Check victory: a win in the current state, or, if the game ends now, by time or by agreement."""
    lost_before = [player for player in game.players.values() if player.status == LOST]
    won = check_win(game)
    if not won and game.order.time_is_up:
        won = _time_is_up(game)
    elif not won and game.order.nominee:
        won = _agreed(game, game.players[game.order.nominee])
    for player in lost_before:
        game.say(player.name, "Lost", f"{player.loss or 'by the moderator'}, before", "CI-RND", "lost before")
    return won


def _time_is_up(game: Game) -> tuple[str, ...]:
    """Let all players with the highest balance win and the others lose (CI-WIN-3, CI-LOSE-3, CI-OP-23, CI-OP-24)."""
    playing = game.playing
    balances = {player.name: exact(player.bank) for player in playing}
    for player in playing:
        game.say("Balances", player.name, f"{printed(balances[player.name])} ¤", TIMEOUT, "balance", player.bank)
        game.derivations.append(partial(stated, f"Bank, {player.name}", TIMEOUT, player.bank))
    highest = max(balances.values())
    won = _win(game, [player for player in playing if balances[player.name] == highest], TIMEOUT)
    for player in playing:
        if player.name not in won:
            _lose(game, player, TIMED_OUT)
    return won


def _agreed(game: Game, nominee: Player) -> tuple[str, ...]:
    """Let the nominated player win; allies neither win nor lose (CI-WIN-4, CI-LOSE-4, CI-OP-24)."""
    others = [player for player in game.playing if player.name != nominee.name]
    won = _win(game, [nominee], AGREED)
    for player in others:
        if allied(nominee, player):
            game.say(player.name, "Ally of the winner", "neither wins nor loses", "CI-OP-24", "ally")
        else:
            _lose(game, player, NOT_AGREED)
    return won


def _win(game: Game, winners: Iterable[Player], condition: str) -> tuple[str, ...]:
    names = []
    for player in winners:
        game.say(player.name, "Won", f"{condition} {CONDITION_TEXTS[condition]}", condition, "win")
        names.append(game.change(player, status=WON).name)
    return tuple(names)


def _lose(game: Game, player: Player, condition: str) -> Player:
    game.say(player.name, "Lost", f"{condition} {CONDITION_TEXTS[condition]}", condition, "loss")
    return game.change(player, status=LOST, loss=condition)
