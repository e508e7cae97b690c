"""The receipt of a war for players: its items without inputs and intermediate variables (RCPT-01, RCPT-02)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.autoalgo.aftermath.result import Aftermath
from engine.autoalgo.battle.state import AMBUSH, ATTACKER
from engine.autoalgo.inputs import SIDES, WarInputs
from engine.autoalgo.names import army_names, battle_time, members_of, party_names, year_text
from engine.autoalgo.records import Leader
from engine.autoalgo.setup.army import armies_of, army_places, belligerent
from engine.autoalgo.setup.source import RULES
from engine.autoalgo.setup.strategy import flank_table
from engine.autoalgo.setup.table_parts import Strategy
from engine.autoalgo.setup.tables import Tables
from engine.receipt import Block, Line, ReceiptText, counted, on_one_line
from engine.ruleset import Event


def receipt(
    war: WarInputs,
    aftermath: Aftermath,
    strategy: Strategy,
    seed: int,
    settings: Sequence[Event] = (),
    why_stable: Sequence[str] = ("", ""),
    account: tuple[str, ...] = (),
    orders: Sequence[Sequence[Line]] = ((), ()),
) -> ReceiptText:
    """Return the receipt: its account, the war, a block for each belligerent, the result (RCPT-01, RCPT-04).

    Args:
        seed: Seed of the ruling, printed only if the moderator gave it.
        orders: Orders of each side before the battle with an effect on its strength.
        settings: The events of the numbers that differ from the release (SET-06).
    """
    place = Line("Motive and location", f"{war.motive}, {on_one_line(war.location.name)}")
    sides = (_side_block(war, aftermath, side, why_stable, orders[side]) for side in (0, 1))
    result = [*_result_lines(war, aftermath, strategy.hours_per_day), *_setting_lines(settings)]
    result += [Line("Seed", f"{seed}, given")] if war.seed_given else []
    title = f"{on_one_line(war.name)}, {year_text(war.year)}"
    return ReceiptText(title, (Block("", (place,)), *sides, Block("Result", tuple(result))), account)


def _setting_lines(settings: Sequence[Event]) -> Iterator[Line]:
    """Yield a line for each number that differs from the release; log and `explain` name the rule set (R-98)."""
    for setting in settings:
        if not setting.text.startswith(f"{RULES} "):
            yield Line("Setting", setting.text)


def _side_block(
    war: WarInputs, aftermath: Aftermath, number: int, why_stable: Sequence[str], orders: Sequence[Line]
) -> Block:
    losses, parties = aftermath.losses[number], [party for party in aftermath.parties if party.side == number]
    whose = {party.number: f" of {party_names(war)[party.number]}" * (len(parties) > 1) for party in parties}
    lines = [
        Line(f"Stability{whose[party.number]}", party.stability.text() + why_stable[party.number]) for party in parties
    ]
    lines += [
        Line("Losses", losses.items() + (f", ships sunk {losses.sunk:,}" if aftermath.is_naval else "")),
        *_army_lines(war, aftermath, number),
        *_estimate_lines(war, number),
        *orders,
    ]
    dead = {leader.name: leader.status for leader in _dead_leaders(war)}
    lines += [
        Line(f"{fate.role}{whose[party.number]}", _fate_text(fate.leader, fate.is_killed, dead.get(fate.leader, "")))
        for party in parties
        for fate in party.fates
    ]
    members = " + ".join(map(on_one_line, members_of(war.defender if number else war.attacker)))
    return Block(f"{members}, {SIDES[number].lower()}", tuple(lines))


def _estimate_lines(war: WarInputs, side: int) -> Iterator[Line]:
    """Yield a note for each estimated size of a force (R-132)."""
    army = belligerent(war, side)
    if army.estimate and army.military.size:
        yield Line(
            "Size", f"about {counted(army.military.size, 'man', 'men')}, estimated: {on_one_line(army.estimate)}"
        )
    elif army.estimate:
        yield Line("Size", "nobody was there")


def order_lines(war: WarInputs, side: int, tables: Tables) -> Iterator[Line]:
    """Yield lines about the orders of a side before the battle: its ambushes (R-118); none without."""
    hidden = [plan for plan in flank_table(war, side, tables) if plan.maneuver == AMBUSH and plan.men]
    if hidden and tables.constants.r_118.pixels:
        men = sum(plan.men for plan in hidden)
        who = f"{counted(len(hidden), 'flank')} of {counted(men, 'man', 'men')}"
        yield Line("Ambush", f"{who}, in cover until it was found, or the first blow")


def _army_lines(war: WarInputs, aftermath: Aftermath, side: int) -> Iterator[Line]:
    """Yield the losses of each army of a side of several armies (R-131)."""
    names = army_names(war, side)
    for (of, place), losses in zip(army_places(war), aftermath.by_army, strict=False):
        if of == side and len(names) > 1:
            yield Line(names[place], losses.text())


def _dead_leaders(war: WarInputs) -> Iterator[Leader]:
    """Yield the leaders of both sides who were dead before the war (LDR-11)."""
    for army in (armies_of(war, side)[place] for side, place in army_places(war)):
        for leader in (army.military_leader, army.national_leader):
            if leader is not None and leader.status:
                yield leader


def _fate_text(leader: str, is_killed: bool, status: str = "") -> str:
    """Return the fate of a leader, without calling one alive who was dead before (LDR-11)."""
    if not status:
        return f"{on_one_line(leader)}, {'killed' if is_killed else 'alive'}"
    return f"{on_one_line(leader)}, {'killed, ' if is_killed else ''}led although {on_one_line(status)}"


def _result_lines(war: WarInputs, aftermath: Aftermath, hours_per_day: int) -> Iterator[Line]:
    whose = f", for {on_one_line(war.taken_for)}" if war.taken_for and aftermath.winner == ATTACKER else ""
    yield Line("Occupation", aftermath.occupation.text() + whose)
    pursuit = aftermath.hours - aftermath.march - aftermath.fight
    beside = (("march", aftermath.march), ("pursuit", pursuit))
    phases = "".join(f"; {name} {counted(hours, 'hour')}" for name, hours in beside if hours)
    yield Line("Battle", battle_time(aftermath.fight, hours_per_day) + phases)
    if not war.commit_stability:
        yield Line("", "Stability and leaders stay as they were in the tables.")
