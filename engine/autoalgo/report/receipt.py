"""The receipt of a war for players: its items without inputs and intermediate variables (RCPT-01, RCPT-02)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.autoalgo.aftermath.result import Aftermath
from engine.autoalgo.inputs import SIDES, WarInputs
from engine.autoalgo.names import battle_time, counted, on_one_line, side_names, year_text
from engine.autoalgo.records import Leader
from engine.autoalgo.setup.source import RULES
from engine.autoalgo.setup.table_parts import Strategy
from engine.receipt import Block, Line, ReceiptText
from engine.ruleset import Event


def receipt(
    war: WarInputs,
    aftermath: Aftermath,
    strategy: Strategy,
    seed: int,
    settings: Sequence[Event] = (),
    why_stable: Sequence[str] = ("", ""),
) -> ReceiptText:
    """Return the items of the receipt: the war, a block for each belligerent, the result (RCPT-01).

    Args:
        war: The war's inputs, for names, year, motive and location.
        aftermath: Result of the battle and the occupation.
        strategy: The clock of a battle, and the rule set.
        seed: Seed of the ruling; printed only if the moderator gave it.
        settings: The events of the numbers that differ from the release (SET-06).
        why_stable: For each side the clause that says why its Stability moved.
    """
    return ReceiptText(
        title=f"{on_one_line(war.name)}, {year_text(war.year)}",
        blocks=(
            Block("", (Line("Motive", war.motive), Line("Location", on_one_line(war.location.name)))),
            _side_block(war, aftermath, 0, why_stable[0]),
            _side_block(war, aftermath, 1, why_stable[1]),
            Block(
                "Result",
                (
                    *_result_lines(war, aftermath, strategy.hours_per_day, seed),
                    *_setting_lines(settings),
                    Line("Rules", strategy.rules),
                ),
            ),
        ),
    )


def _setting_lines(settings: Sequence[Event]) -> Iterator[Line]:
    """Yield a line for each number that differs from the release; the rule set has a line of its own (R-98)."""
    for setting in settings:
        if not setting.text.startswith(f"{RULES} "):
            yield Line("Setting", setting.text)


def summary(war: WarInputs, aftermath: Aftermath) -> str:
    """Return the ruling in one line: `Normandy wins after 3 hours; Occupation (0.74)`."""
    winner = side_names(war)[aftermath.winner]
    length = counted(aftermath.hours, "hour")
    given_up = " (attack abandoned)" if aftermath.is_abandoned else ""
    return f"{winner} wins after {length}{given_up}; {aftermath.occupation.text()}"


def _side_block(war: WarInputs, aftermath: Aftermath, number: int, why_stable: str) -> Block:
    losses = aftermath.losses[number]
    lines = [
        Line("Stability", aftermath.stability[number].text() + why_stable),
        Line("Killed in action", f"{losses.killed:,}"),
        Line("Died of attrition and disease", f"{losses.died:,}"),
        Line("Captured", f"{losses.captured:,}"),
    ]
    if aftermath.is_naval:
        lines.append(Line("Ships sunk", f"{losses.sunk:,}"))
    dead = {leader.name: leader.status for leader in _dead_leaders(war)}
    lines += [
        Line(fate.role, _fate_text(fate.leader, fate.is_killed, dead.get(fate.leader, "")))
        for fate in aftermath.fates[number]
    ]
    nation = (war.defender if number else war.attacker).nation
    return Block(f"{on_one_line(nation.name)}, {SIDES[number].lower()}", tuple(lines))


def _dead_leaders(war: WarInputs) -> Iterator[Leader]:
    """Yield the leaders of both sides who were dead before the war (LDR-11)."""
    for side in (war.attacker, war.defender):
        for leader in (side.military_leader, side.national_leader):
            if leader is not None and leader.status:
                yield leader


def _fate_text(leader: str, is_killed: bool, status: str = "") -> str:
    """Return what became of a leader; nobody who was dead before is called alive (LDR-11)."""
    if not status:
        return f"{on_one_line(leader)}, {'killed' if is_killed else 'alive'}"
    return f"{on_one_line(leader)}, {'killed, ' if is_killed else ''}led although {on_one_line(status)}"


def _battle_line(aftermath: Aftermath, hours_per_day: int) -> Line:
    """Return how long the battle took, and when it was decided if a pursuit followed (RCPT-01, R-29)."""
    how = ""
    if aftermath.is_abandoned:
        how = ", attack abandoned"
    elif 0 < aftermath.decided < aftermath.hours:
        how = f", decided after {counted(aftermath.decided, 'hour')}"
    return Line("Battle", battle_time(aftermath.hours, hours_per_day) + how)


def _result_lines(war: WarInputs, aftermath: Aftermath, hours_per_day: int, seed: int) -> Iterator[Line]:
    yield Line("Winner", side_names(war)[aftermath.winner])
    yield Line("Occupation", aftermath.occupation.text())
    yield _battle_line(aftermath, hours_per_day)
    yield Line("Occupation rounds", str(aftermath.occupation.rounds))
    if war.seed_given:
        yield Line("Seed", f"{seed}, given")
    if not war.commit_stability:
        yield Line("", "Stability and leaders stay as they were in the tables.")
