"""Members of a side of several armies: the losses of each army, and the consequences for its nation (R-131)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

from engine.autoalgo.aftermath import decided
from engine.autoalgo.aftermath.consequences import SideResult, chance_to_survive, stability_after, survives
from engine.autoalgo.aftermath.inputs import Home, command_of, home_of
from engine.autoalgo.aftermath.result import Aftermath, LeaderFate, Losses, Party, Stability, fates_of
from engine.autoalgo.battle.draw_ids import LEADER_DANGER, LEADER_SURVIVAL, STABILITY
from engine.autoalgo.battle.state import ATTACKER, Battle, Whole
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.setup.army import apportion, armies_of, army_places, led_by, nation_numbers
from engine.autoalgo.setup.bands import band_of
from engine.autoalgo.setup.deploy import variables_of_armies
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import SideVariables
from engine.rng import Rng, draw

CAUSES = {
    "killed": ((), ("killed",)),
    "wounded": ((), ("killed",)),
    "missing": ((), ("killed",)),
    "captured": (("captured",), ("killed",)),
    "died": (("died", "diseased"), ()),
}
"""Losses of men, the arrays of a battle with their counts, and the arrays that divide the rest (R-125)."""


def with_members(
    aftermath: Aftermath,
    war: WarInputs,
    battle: Battle,
    variables: tuple[SideVariables, SideVariables],
    tables: Tables,
    rng: Rng,
) -> Aftermath:
    """Return the aftermath with the losses of each army and the consequences for each nation (R-131).

    With one army a side, the aftermath has them already.
    """
    places = army_places(war)
    if len(places) == 2:
        return aftermath
    by_army = losses_by_army(aftermath, battle, len(places))
    numbers, of_armies = nation_numbers(war), variables_of_armies(war, variables, tables)
    parties = []
    for number in range(max(numbers) + 1):
        own = [army for army, of in enumerate(numbers) if of == number]
        fates: dict[str, LeaderFate] = {}
        for army in own:
            for fate in _fates(aftermath, war, army, by_army[army], of_armies[army], tables, rng):
                fates[fate.leader] = fate if fate.is_killed else fates.get(fate.leader, fate)
        side, place = places[own[0]]
        losses = _sum([by_army[army] for army in own])
        party = Party(number, side, losses, aftermath.stability[side], tuple(fates.values()))
        home = home_of(led_by(war, side, place), side, of_armies[own[0]], tables)
        parties.append(replace(party, stability=_stability(aftermath, party, home, tables, rng)))
    return replace(
        aftermath,
        by_army=by_army,
        members=tuple(parties),
        fates=(parties[0].fates, parties[1].fates),
        stability=(parties[0].stability, parties[1].stability),
    )


def losses_by_army(aftermath: Aftermath, battle: Battle, count: int) -> tuple[Losses, ...]:
    """Return the losses of each army: counted ones where they fell, decided ones by its remaining men."""

    def sums(array: Whole) -> list[int]:
        return [int(array[battle.army == army].sum()) for army in range(count)]

    men, ships = sums(battle.men_start), sums(battle.ships_start)
    sides = [int(battle.side[battle.army == army][0]) for army in range(count)]
    parts: list[dict[str, int]] = [{} for _ in range(count)]
    for side in (0, 1):
        own, total = [army for army in range(count) if sides[army] == side], aftermath.losses[side]
        left = [men[army] for army in own]
        for cause, arrays in CAUSES.items():
            counted, others = ([sum(sums(getattr(battle, name))[army] for name in of) for army in own] for of in arrays)
            shares = _divided(getattr(total, cause), counted, others, left)
            left = [rest - lost for rest, lost in zip(left, shares, strict=True)]
            for army, lost in zip(own, shares, strict=True):
                parts[army][cause] = lost
        returned = apportion(total.returned, [parts[army]["wounded"] for army in own])
        sunk = _divided(total.sunk, [sums(battle.sunk)[army] for army in own], [], [ships[army] for army in own])
        for army, rest, gone, back in zip(own, left, sunk, returned, strict=True):
            parts[army] |= {"left": rest, "sunk": gone, "returned": back}
    return tuple(Losses(men=men[army], ships=ships[army], **parts[army]) for army in range(count))


def _divided(total: int, counted: Sequence[int], others: Sequence[int], room: Sequence[int]) -> list[int]:
    """Divide losses over armies: as counted, then by `others`, then by remaining room."""
    rest = total - sum(counted)
    shares = [*counted] if rest == 0 else apportion(total, room)
    if rest > 0 and any(others):
        shares = [lost + more for lost, more in zip(counted, apportion(rest, others), strict=True)]
    if any(lost > most for lost, most in zip(shares, room, strict=True)):
        shares = apportion(total, room)
    return shares


def result_of(aftermath: Aftermath, party: Party) -> SideResult:
    """Return the results of a war for a nation, by its own men and their share in the side's men (R-131)."""
    men = [losses.men for losses in aftermath.losses]
    of_side, own = men[party.side], party.losses.men

    def share(total: int) -> int:
        return total if own == of_side else total * own // of_side

    return SideResult(
        int(party.side != aftermath.winner),
        own,
        share(min(men)),
        own if party.side == ATTACKER else share(max(men)),
        party.losses.lost,
        party.losses.casualties,
        int(any(fate.is_killed for fate in party.fates)),
        aftermath.hours,
        aftermath.occupation.result,
    )


def _stability(aftermath: Aftermath, party: Party, home: Home, tables: Tables, rng: Rng) -> Stability:
    """Return the Stability of a nation; a moderator may have decided that of a leader's nation (OVR-12)."""
    fixed = aftermath.decisions.of(decided.STABILITY, party.side) if party.number < 2 else None
    luck = draw(rng.seed, rng.replicate, 0, STABILITY, party.number)
    after = stability_after(home, result_of(aftermath, party), luck, tables.constants) if fixed is None else fixed
    after = round(float(after), 1)
    return Stability(home.stability, after, band_of(after, tables.stability_bands).name)


def _fates(
    aftermath: Aftermath,
    war: WarInputs,
    army: int,
    losses: Losses,
    variables: SideVariables,
    tables: Tables,
    rng: Rng,
) -> tuple[LeaderFate, ...]:
    """Return the fates of one army's leaders, its commander's by his own men (LEAD-10)."""
    side, place = army_places(war)[army]
    command = command_of(led_by(war, side, place), side, variables, tables)
    danger, luck = (draw(rng.seed, rng.replicate, 0, of, army) for of in (LEADER_DANGER, LEADER_SURVIVAL))
    chance = chance_to_survive(command, losses.left, losses.killed, losses.men, danger, tables.constants)
    is_killed = bool(command.is_there) and not survives(chance, luck)
    if place == 0 and (fixed := aftermath.decisions.of(decided.LEADER, side)) is not None:
        is_killed = fixed == decided.KILLED
    return fates_of(armies_of(war, side)[place], is_killed, chance)


def _sum(losses: Sequence[Losses]) -> Losses:
    names = [field.name for field in fields(Losses)]
    return Losses(**{name: sum(getattr(of, name) for of in losses) for name in names})
