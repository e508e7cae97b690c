"""State secrets: six facts about a realm, each revealed by its own chance, or all of them (RL-ESP-9)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.exact import exact, printed
from engine.realm.setup.inputs import TargetFacts
from engine.realm.turn.course import Course


def reveal_facts(course: Course) -> tuple[str, ...]:
    """Roll for each fact about the target realm and return those revealed (RL-OP-17, RL-OP-23)."""
    known = course.inputs.secrets
    if known is None:
        return ()
    chances = course.tables.facts.items()
    facts = [fact for fact, chance in chances if course.dice.succeeds(chance, "RL-ESP-9", "found out", fact)]
    return _note_facts(course, facts)


def all_facts(course: Course) -> tuple[str, ...]:
    """Return all facts, the full status report that a deserter brings (RL-OP-09)."""
    return () if course.inputs.secrets is None else _note_facts(course, list(course.tables.facts))


def _note_facts(course: Course, facts: list[str]) -> tuple[str, ...]:
    assert course.inputs.secrets is not None
    fact_texts = _fact_texts(course.inputs.secrets, course.unnoticed_gold(course.inputs.secrets.realm))
    texts = tuple(f"{fact}: {fact_texts[fact]}" for fact in facts)
    for text in texts:
        course.note("fact", "RL-ESP-9", f"{course.inputs.secrets.realm}, {text}")
    return texts


def _fact_texts(secrets: TargetFacts, unnoticed: int) -> Mapping[str, str]:
    """Return the facts in words; the gold is that of the realm's books, as its ruler believes it (RL-OP-55)."""
    return {
        "happiness": f"{printed(exact(secrets.happiness))} %",
        "tax rate": f"{secrets.tax_rate} %",
        "population": f"{secrets.population:,}",
        "leaders": ", ".join(secrets.leaders) or "none",
        "treasury": f"{secrets.treasury + unnoticed:,} gold",
        "legions": str(secrets.legions),
    }
