"""A new leader at a player's request: one strong trait, the other skills drawn (LDR-12)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.autoalgo.names import year_text
from engine.autoalgo.records import Leader
from engine.columns import column
from engine.receipt import Block, Line, ReceiptText, counted, on_one_line
from engine.rng import Rng
from engine.ruleset import Event, LogSink, NewRow, Outcome, Plain, Ruleset, no_op

SKILLS = ("attack", "defense", "siege", "authority", "cunning", "zeal", "martial")
"""Attributes of a leader's skills; the position is the index of a skill's draw and never changes."""
SKILL_DRAW = 0
"""Purpose of the draws (R-25); they share no seed with a war's."""


def header(attribute: str) -> str:
    """Return the header of an attribute in the Leaders tab."""
    return column(Leader, attribute).header


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLeaderInputs:
    """One row of Leader Requests."""

    leader: str  # The leader's name
    nations: tuple[str, ...]  # The nations that the leader serves
    year: int  # The present year
    age: int  # The leader's age
    trait: str  # The header of the strongest skill
    trait_value: int  # The strongest skill
    others_most: int  # The maximum of each other skill
    seed_given: bool = False  # True if the moderator typed the seed; the receipt then prints it


@dataclass(frozen=True, slots=True)
class NewLeader(Ruleset[NewLeaderInputs]):
    """Ruleset of new leaders."""

    def resolve(self, inputs: NewLeaderInputs, rng: Rng, log: LogSink = no_op) -> Outcome:
        """Draw the skills of one leader and add the leader to the database."""
        skills = drawn_skills(inputs.trait, inputs.trait_value, inputs.others_most, rng)
        events = tuple(
            Event(None, "", "", "skill", value, "LDR-12", f"{name}: {value}, {_origin(inputs, name)}")
            for name, value in skills.items()
        )
        log(map(Event.brief_line, events))
        summary = ", ".join(f"{name} {value}" for name, value in skills.items())
        born = inputs.year - inputs.age
        return Outcome(
            winner="",
            summary=summary,
            receipt=_receipt(inputs, skills, born, rng.seed),
            figures={"Skills": summary},
            events=events,
            rows=(leader_row(inputs.leader, inputs.nations, born, skills),),
        )


def drawn_skills(
    trait: str, trait_value: int, others_most: int, rng: Rng, *, hour: int = 0, first: int = 0
) -> dict[str, int]:
    """Return the skills of a leader by header: one strong trait, each other skill drawn (LDR-12).

    Args:
        trait: The header of the strongest skill.
        hour: Hour of the draws.
        first: Index of the first draw.
    """
    return {
        header(attribute): trait_value
        if header(attribute) == trait
        else rng.whole(SKILL_DRAW, 0, others_most, hour=hour, index=first + index)
        for index, attribute in enumerate(SKILLS)
    }


def leader_row(name: str, nations: Iterable[str], born: int, skills: Mapping[str, int]) -> NewRow:
    """Return the row of a new leader, with skills by header."""
    cells: dict[str, Plain] = {header("name"): name, header("nation"): "; ".join(nations), header("birth_year"): born}
    return NewRow(Leader.tab.name, {**cells, **skills})


def _origin(inputs: NewLeaderInputs, name: str) -> str:
    return "the strongest trait" if name == inputs.trait else f"drawn from 0 to {inputs.others_most}"


def _receipt(inputs: NewLeaderInputs, skills: Mapping[str, int], born: int, seed: int) -> ReceiptText:
    about = (
        Line("Nation", on_one_line("; ".join(inputs.nations))),
        Line("Born", f"{year_text(born)}, {counted(inputs.age, 'year')} old in {year_text(inputs.year)}"),
    )
    lines = tuple(Line(name, f"{value}, {_origin(inputs, name)}") for name, value in skills.items())
    blocks = (Block("", about), Block("Skills", lines))
    rulings = (Block("Moderator's rulings", (Line("", f"Seed: {seed}"),)),) if inputs.seed_given else ()
    return ReceiptText(on_one_line(inputs.leader), (*blocks, *rulings))
