"""State secrets: six facts about a realm, each found out by its own chance, or all of them (RL-ESP-9)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.exact import exact, printed
from engine.realm.course import Course
from engine.realm.inputs import Secrets


def found_out(course: Course) -> tuple[str, ...]:
    """Each fact about the realm in question that its roll reveals (RL-OP-17, RL-OP-23)."""
    known = course.inputs.secrets
    if known is None:
        return ()
    return _told(course, [fact for fact, chance in course.tables.facts.items() if _reveals(course, fact, chance)])


def all_of_them(course: Course) -> tuple[str, ...]:
    """The full status report that a deserter brings (RL-OP-09)."""
    return () if course.inputs.secrets is None else _told(course, list(course.tables.facts))


def _reveals(course: Course, fact: str, chance: Fraction) -> bool:
    return course.dice.succeeds(chance, "RL-ESP-9", "found out", fact)


def _told(course: Course, facts: list[str]) -> tuple[str, ...]:
    assert course.inputs.secrets is not None
    shown = _shown(course.inputs.secrets)
    told = tuple(f"{fact}: {shown[fact]}" for fact in facts)
    for it in told:
        course.note("fact", "RL-ESP-9", f"{course.inputs.secrets.realm}, {it}")
    return told


def _shown(it: Secrets) -> Mapping[str, str]:
    return {
        "happiness": f"{printed(exact(it.happiness))} %",
        "tax rate": f"{it.tax_rate} %",
        "population": f"{it.population:,}",
        "leaders": ", ".join(it.leaders) or "none",
        "treasury": f"{it.treasury:,} gold",
        "legions": str(it.legions),
    }
