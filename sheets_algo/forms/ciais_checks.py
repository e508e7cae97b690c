"""What must hold within single rows of the CiAIS tabs, and between an order and the pieces it names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.ciais.inputs import (
    ADJUST_BANK,
    END_ROUND,
    HEIR,
    OVERTHROW_CHOICE,
    SET_TAX,
    CiaisInputs,
    Order,
    allied,
    ending,
    suppliers,
)
from engine.ciais.records import ACTIVE, CITY, MOST, PLAYING, Player, Site, UnitType
from engine.ciais.tables import YES, Constants
from engine.ciais.taxes import income
from engine.ciais.unrest import OVERTHROWN
from engine.decimals import ZERO, exact, printed
from sheets_algo.forms.ciais_columns import NEEDS, SPECIFIC, CiaisRequest
from sheets_algo.problems import Problem
from sheets_algo.tables import Row


def a_negative_bank_is_counted(row: Row, it: Player) -> Iterator[Problem]:
    """CI-OP-16: below 0 comes a balance only by an order, which counts the economic failure."""
    if it.bank < 0 and not it.was_negative:
        says = f"{printed(exact(it.bank))} ¤ is below 0, but its economic failure is not counted"
        allowed = f"Enter at least 0 and order {ADJUST_BANK}, or tick {row.table.header('was_negative')}"
        yield row.problem("bank", "CI-OP-16", says, allowed=allowed)


def a_rate_is_in_per_cent(row: Row, it: Player | CiaisRequest) -> Iterator[Problem]:
    """CI-OP-33: 0.12 is 0.12 %, though a cell in a format of per cent shows it as 12 %."""
    if it.tax is not None and 0 < it.tax < 1:
        says = f"{it.tax:g} is read as {it.tax:g} %"
        yield row.warning("tax", "CI-OP-33", says, allowed="Type 12 for 12 %, in a cell without a format of per cent")


def multipliers_have_one_decimal(row: Row, it: UnitType) -> Iterator[Problem]:
    """CI-BASE-01."""
    for attribute in ("multi_l", "multi_s", "multi_a"):
        value = exact(getattr(it, attribute))
        if value * 10 % 1:
            says = f"{printed(value)} has more than one decimal"
            yield row.problem(attribute, "CI-BASE-01", says, allowed="Enter a number from 0 to 10 with one decimal")


def supply_has_a_place(row: Row, it: Site) -> Iterator[Problem]:
    """CI-LOG-01: where a base or an outpost is; of a city nobody asks."""
    for attribute in ("latitude", "longitude"):
        if it.supplies and getattr(it, attribute) is None:
            says = f"required of {'an' if it.kind[0] in 'aou' else 'a'} {it.kind}, but empty"
            bound = 90 if attribute == "latitude" else 180
            yield row.problem(attribute, "CI-BASE-04", says, allowed=f"Enter a number from -{bound} to {bound}")


def cells_fit(row: Row, kind: str) -> Iterator[Problem]:
    """CI-OP-35: each order has the cells it needs; what it does not use is warned of, not silently dropped."""
    needs = NEEDS[kind]
    for attribute in ("player", *needs.required) if needs.player else needs.required:
        if row.is_blank(attribute):
            yield row.problem(
                attribute, "CI-OP-35", f"required for {kind}, but empty", allowed=f"Fill {_head(row, attribute)}"
            )
    for attribute in SPECIFIC:
        if attribute not in (*needs.required, *needs.optional) and _is_filled(row, attribute):
            yield row.warning(attribute, "CI-OP-35", f"{kind} does not use it")


def _head(row: Row, attribute: str) -> str:
    return row.table.header(attribute)


def _is_filled(row: Row, attribute: str) -> bool:
    """An unticked box and the word no are as good as nothing."""
    return not row.is_blank(attribute) and row.value(attribute) not in (False, "no", "No")


def the_player_may(row: Row, order: Order, player: Player) -> Iterator[Problem]:
    """CI-RND: whoever gives an order plays, in the round that it is for; of a lost player CI-LOSE-2 asks one more."""
    if order.kind == OVERTHROW_CHOICE:
        yield from _is_overthrown(row, player)
    elif player.status != PLAYING:
        says = f"{player.name} has {player.status.lower()}"
        yield row.problem("player", "CI-RND", says, allowed="Name a player who is Playing")
    if order.round is not None and order.round != player.round:
        when = "is over for" if order.round < player.round else "has not begun for"
        says = f"round {order.round} {when} {player.name}, who is in round {player.round}"
        if order.kind in (END_ROUND, SET_TAX):
            yield row.problem("round", "CI-RND", says, allowed=f"Enter {player.round}, or leave it blank")
        else:
            yield row.warning("round", "CI-RND", says)


def _is_overthrown(row: Row, player: Player) -> Iterator[Problem]:
    if player.status == PLAYING or not player.loss.startswith(OVERTHROWN):
        yield row.problem("player", "CI-LOSE-2", f"{player.name} was not overthrown", allowed="Name a player who was")
    elif player.loss != OVERTHROWN:
        says = f"{player.name} has chosen {player.loss[-2:]} already"
        yield row.problem("player", "CI-LOSE-2", says, allowed="Undo that request first, if it was a mistake")


def everybody_may(row: Row, order: Order, players: Sequence[Player]) -> Iterator[Problem]:
    """CI-OP-30: an End round without a player is everybody's who is in that round, and spends nobody's money."""
    for attribute in ("tax", "funding"):
        if not row.is_blank(attribute):
            says = "is one player's decision, but no player is named"
            yield row.problem(attribute, "CI-OP-30", says, allowed="Give each such player an End round of his own")
    ended = ending(order, players)
    if ended.before:
        names = ", ".join(it.name for it in ended.before)
        says = f"round {ended.round} has not begun for {names}"
        yield row.problem("round", "CI-OP-30", says, allowed="End the earlier rounds first, or leave it blank")
    elif not ended.players and ended.after:
        says = f"round {ended.round} was ended by everybody already"
        yield row.problem("round", "CI-RND", says, allowed="Leave it blank to end the current one")
    elif not ended.players:
        yield row.problem("order", "CI-RND", "nobody is Playing", allowed="Set a player's Status to Playing")


def money_fits(row: Row, order: Order, player: Player, constants: Constants) -> Iterator[Problem]:
    """CI-TAX-02: one rate a round; CI-UNR-07: funding within the bank; CI-OP-34: the bank within bounds."""
    if abs(after := exact(player.bank) + exact(order.amount)) > MOST:
        says = f"the bank would hold {printed(after)} ¤"
        yield row.problem("amount", "CI-OP-34", says, allowed=f"Leave at most {MOST:,} ¤ in it, or owing")
    if order.tax is not None and player.tax_changed_in == player.round:
        says = f"{player.name} has set the rate in round {player.round} already"
        yield row.problem("tax", "CI-TAX-02", says, allowed="Wait for the next round")
    if order.kind == END_ROUND:
        funding = exact(order.funding)
        rate = exact(player.tax if order.tax is None else order.tax)
        most = max(exact(player.bank) + income(rate, constants), ZERO)
        if funding > most:
            says = f"{printed(funding)} ¤ is more than {player.name} has after this round's income"
            yield row.problem("funding", "CI-UNR-07", says, allowed=f"Enter at most {printed(most)}")


def units_may_fight(row: Row, inputs: CiaisInputs, constants: Constants) -> Iterator[Problem]:
    """CI-BAT: the player's own active unit, and one of a playing enemy; both have supply somewhere."""
    order, players = inputs.order, inputs.players
    by_name, units = {it.name: it for it in players}, {it.name: it for it in inputs.units}
    sides = {"attacker": units[order.attacker], "defender": units[order.defender]}
    attacker, defender = sides.values()
    ours, theirs = by_name[attacker.owner], by_name[defender.owner]
    if ours.name != order.player:
        says = f"{attacker.name} is {ours.name}'s, not {order.player}'s"
        yield row.problem("attacker", "CI-OP-36", says, allowed=f"Name a unit of {order.player}, or another Player")
    if ours.name == theirs.name:
        says = f"{defender.name} is {theirs.name}'s too"
        yield row.problem("defender", "CI-BAT", says, allowed="Name a unit of another player")
    elif allied(ours, theirs):
        says = f"{defender.name} is an ally's: {ours.name} and {theirs.name} are in one alliance"
        yield row.problem("defender", "CI-BAT", says, allowed="Name a unit of a player outside the alliance")
    elif theirs.status != PLAYING:
        says = f"{defender.name} is {theirs.name}'s, who has {theirs.status.lower()}"
        yield row.problem("defender", "CI-BAT", says, allowed="Name a unit of a player who is Playing")
    sites = inputs.sites
    supplying = {it.owner for it in sites if it.supplies}
    for attribute, unit in sides.items():
        if unit.status != ACTIVE:
            says = f"{unit.name} is lost"
            yield row.problem(attribute, "CI-BAT", says, allowed="Name a unit whose Status is Active")
        elif not supplying & suppliers(by_name[unit.owner], players, constants.allied_supply == YES):
            says = f"{unit.owner} has no base and no outpost to supply {unit.name} from"
            yield row.problem(attribute, "CI-OP-27", says, allowed=f"Add one to the tab {Site.tab.name}")


def city_may_be_captured(row: Row, order: Order, city: Site, players: Sequence[Player]) -> Iterator[Problem]:
    """CI-CAP: a city of another player who is no ally."""
    by_name = {it.name: it for it in players}
    if city.kind != CITY:
        says = f"{city.name} is {'an' if city.kind[0] in 'aou' else 'a'} {city.kind}, not a city"
        allowed = f"Name a city; a moderator enters the new Owner of other sites in {Site.tab.name}"
        yield row.problem("city", "CI-OP-28", says, allowed=allowed)
    elif city.owner not in by_name:
        says = f"{city.name} has no owner to be captured from"
        yield row.problem("city", "CI-CAP", says, allowed=f"Enter its Owner in {Site.tab.name}, or name another city")
    elif city.owner == order.player:
        says = f"{city.name} is {order.player}'s already"
        yield row.problem("city", "CI-CAP", says, allowed="Name a city of an enemy")
    elif order.player in by_name and allied(by_name[order.player], by_name[city.owner]):
        says = f"{city.name} is {city.owner}'s, an ally of {order.player}"
        yield row.problem("city", "CI-CAP", says, allowed="Name a city of an enemy")


def heir_fits(row: Row, order: Order, players: Sequence[Player]) -> Iterator[Problem]:
    """CI-LOSE-2a: somebody else, who still plays."""
    by_name = {it.name: it for it in players}
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


def game_may_end(row: Row, order: Order, players: Sequence[Player]) -> Iterator[Problem]:
    """CI-WIN-3, CI-WIN-4: the game ends by time or by agreement, and somebody plays."""
    playing = {it.name for it in players if it.status == PLAYING}
    if order.time_is_up and order.nominee:
        says = "the game ends by time or by agreement, not by both"
        yield row.problem("nominee", "CI-WIN-4", says, allowed="Clear this cell or Time is up")
    elif order.nominee and order.nominee not in playing:
        says = f"{order.nominee} is not in the game any more"
        yield row.problem("nominee", "CI-WIN-4", says, allowed="Name a player who is Playing")
    elif order.time_is_up and not playing:
        says = "nobody is Playing, so nobody can win"
        yield row.problem("time_is_up", "CI-WIN-3", says, allowed="Set a player's Status to Playing")
