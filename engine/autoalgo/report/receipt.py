"""The receipt of a war for players: its items without inputs and intermediate variables (RCPT-01, RCPT-02)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.autoalgo.aftermath.result import Aftermath, LeaderFate
from engine.autoalgo.inputs import SIDES, WarInputs
from engine.autoalgo.names import duration_text, on_one_line, side_names, year_text
from engine.receipt import Block, Line, ReceiptText


def receipt(war: WarInputs, aftermath: Aftermath, hours_per_day: int, seed: int) -> ReceiptText:
    """Return the items of the receipt: the war, a block for each belligerent, the result (RCPT-01).

    Args:
        war: The war's inputs, for names, year, motive and location.
        aftermath: Result of the battle and the occupation.
        hours_per_day: Hours of a battle day, 12.
        seed: Seed of the ruling; printed only if the moderator gave it.
    """
    return ReceiptText(
        title=f"{on_one_line(war.name)}, {year_text(war.year)}",
        blocks=(
            Block("", (Line("Motive", war.motive), Line("Location", on_one_line(war.location.name)))),
            _side_block(war, aftermath, 0),
            _side_block(war, aftermath, 1),
            Block("Result", tuple(_result_lines(war, aftermath, hours_per_day, seed))),
        ),
    )


def summary(war: WarInputs, aftermath: Aftermath, hours_per_day: int) -> str:
    """Return the ruling in one line: `Normandy wins after 3 hours; Occupation (0.74)`."""
    winner = side_names(war)[aftermath.winner]
    length = duration_text(aftermath.hours, hours_per_day)
    given_up = " (attack abandoned)" if aftermath.is_abandoned else ""
    return f"{winner} wins after {length}{given_up}; {aftermath.occupation.text()}"


def _side_block(war: WarInputs, aftermath: Aftermath, number: int) -> Block:
    losses = aftermath.losses[number]
    lines = [
        Line("Stability", aftermath.stability[number].text()),
        Line("Killed in action", f"{losses.killed:,}"),
        Line("Died of attrition and disease", f"{losses.died:,}"),
        Line("Captured", f"{losses.captured:,}"),
    ]
    if aftermath.is_naval:
        lines.append(Line("Ships sunk", f"{losses.sunk:,}"))
    lines += [Line(fate.role, _fate_text(fate)) for fate in aftermath.fates[number]]
    nation = (war.defender if number else war.attacker).nation
    return Block(f"{on_one_line(nation.name)}, {SIDES[number].lower()}", tuple(lines))


def _fate_text(fate: LeaderFate) -> str:
    return f"{on_one_line(fate.leader)}, {'killed' if fate.is_killed else 'alive'}"


def _battle_text(aftermath: Aftermath, hours_per_day: int) -> str:
    """Return how long the battle took, and when it was decided if a pursuit followed (R-29)."""
    text = duration_text(aftermath.hours, hours_per_day)
    if aftermath.is_abandoned:
        return f"{text}, attack abandoned"
    if 0 < aftermath.decided < aftermath.hours:
        return f"{text}, decided after {duration_text(aftermath.decided, hours_per_day)}"
    return text


def _result_lines(war: WarInputs, aftermath: Aftermath, hours_per_day: int, seed: int) -> Iterator[Line]:
    yield Line("Winner", side_names(war)[aftermath.winner])
    yield Line("Occupation", aftermath.occupation.text())
    yield Line("Battle", _battle_text(aftermath, hours_per_day))
    yield Line("Occupation rounds", str(aftermath.occupation.rounds))
    if war.seed_given:
        yield Line("Seed", f"{seed}, given")
    if not war.commit_stability:
        yield Line("", "Stability and leaders stay as they were in the tables.")
