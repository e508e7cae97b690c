"""The receipt: what players read of a war, terse, without inputs and intermediate variables (RCPT-01, RCPT-02).

RCPT-04 is left to people: the moderator who posts it replaces the bare occupation result by an account of the battle.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.autoalgo.aftermath import Aftermath, Fate, Losses, Occupation
from engine.autoalgo.inputs import SIDES, WarInputs
from engine.autoalgo.names import counted, duration_text, on_one_line, side_names, year_text
from engine.receipt import Block, Line, Receipt


def receipt(war: WarInputs, aftermath: Aftermath, hours_per_day: int, seed: int) -> Receipt:
    """RCPT-01: the war, a block for each belligerent, what it came to.

    Args:
        war: For names, year, motive and location.
        aftermath: What was found.
        hours_per_day: Hours of a battle day, 12.
        seed: Named only if the moderator gave it.
    """
    return Receipt(
        title=f"{on_one_line(war.name)}, {year_text(war.year)}",
        blocks=(
            Block("", (Line("Motive", war.motive), Line("Location", on_one_line(war.location.name)))),
            _side_block(war, aftermath, 0),
            _side_block(war, aftermath, 1),
            Block("Result", tuple(_result_lines(war, aftermath, hours_per_day, seed))),
        ),
    )


def occupation_text(occupation: Occupation) -> str:
    """`Occupation (0.74)`: the band's name and the result log(score + 1)."""
    return f"{occupation.band} ({occupation.result:.2f})"


def losses_text(losses: Losses) -> str:
    """One cell: `1,234 of 7,000 (killed 900, died 120, captured 214; 3 ships sunk)`."""
    ships = f"; {counted(losses.sunk, 'ship')} sunk" if losses.sunk else ""
    parts = f"killed {losses.killed:,}, died {losses.died:,}, captured {losses.captured:,}{ships}"
    return f"{losses.lost:,} of {losses.men:,} ({parts})"


def summary(war: WarInputs, aftermath: Aftermath, hours_per_day: int) -> str:
    """One line: `Normandy wins after 3 hours; Occupation (0.74)`."""
    winner = side_names(war)[aftermath.winner]
    length = duration_text(aftermath.hours, hours_per_day)
    given_up = " (attack abandoned)" if aftermath.is_abandoned else ""
    return f"{winner} wins after {length}{given_up}; {occupation_text(aftermath.occupation)}"


def _side_block(war: WarInputs, aftermath: Aftermath, number: int) -> Block:
    after = aftermath.sides[number]
    lines = [
        Line("Stability", f"{after.stability_before:g} → {after.stability:g} ({after.stability_band})"),
        Line("Killed in action", f"{after.losses.killed:,}"),
        Line("Died of attrition and disease", f"{after.losses.died:,}"),
        Line("Captured", f"{after.losses.captured:,}"),
    ]
    if aftermath.is_naval:
        lines.append(Line("Ships sunk", f"{after.losses.sunk:,}"))
    lines += [Line(fate.role, _fate_text(fate)) for fate in after.fates]
    nation = (war.defender if number else war.attacker).nation
    return Block(f"{on_one_line(nation.name)}, {SIDES[number].lower()}", tuple(lines))


def _fate_text(fate: Fate) -> str:
    return f"{on_one_line(fate.leader)}, {'killed' if fate.is_killed else 'alive'}"


def _result_lines(war: WarInputs, aftermath: Aftermath, hours_per_day: int, seed: int) -> Iterator[Line]:
    yield Line("Winner", side_names(war)[aftermath.winner])
    yield Line("Occupation", occupation_text(aftermath.occupation))
    given_up = ", attack abandoned" if aftermath.is_abandoned else ""
    yield Line("Battle", duration_text(aftermath.hours, hours_per_day) + given_up)
    yield Line("Occupation rounds", str(aftermath.occupation.rounds))
    if war.seed_given:
        yield Line("Seed", f"{seed}, given")
    if not war.commit_stability:
        yield Line("", "Stability and leaders stay as they were in the tables.")
