"""How sides, flanks, years and lengths of time are called in receipt and log."""

from __future__ import annotations

from dataclasses import dataclass

from engine.autoalgo.inputs import SIDES, WarInputs


@dataclass(frozen=True, slots=True)
class Names:
    """What the log calls the two sides and their flanks.

    Args:
        sides: Attacker, defender.
        side_of: Side of every flank, 0 or 1, shape (flanks,).
        flanks: Label of every flank, shape (flanks,).
    """

    sides: tuple[str, str]
    side_of: tuple[int, ...]
    flanks: tuple[str, ...]

    def flank(self, number: int) -> str:
        """As the subject of a sentence: `England, left flank`."""
        return f"{self.sides[self.side_of[number]]}, {flank_name(self.flanks[number])}"

    def flank_of(self, number: int) -> str:
        """As its object: `England's left flank`."""
        return f"{possessive(self.sides[self.side_of[number]])} {flank_name(self.flanks[number])}"


def side_names(war: WarInputs) -> tuple[str, str]:
    """The nations' names; two of one name (`default` against `default`) are told apart by their part in the war."""
    attacker, defender = on_one_line(war.attacker.nation.name), on_one_line(war.defender.nation.name)
    if attacker != defender:
        return attacker, defender
    return f"{attacker} ({SIDES[0].lower()})", f"{defender} ({SIDES[1].lower()})"


def possessive(name: str) -> str:
    """`England's`, `the Seljuks'`."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def flank_name(label: str) -> str:
    """`left flank`, `flank 4`; a label of one's own that already says what it is stays as it is."""
    label = on_one_line(label)
    if label.isdecimal():
        return f"flank {label}"
    return label if " " in label else f"{label} flank"


def year_text(year: int) -> str:
    """`1066`, `401 BC` (DATE-01)."""
    return str(year) if year >= 0 else f"{-year} BC"


def duration_text(hours: int, hours_per_day: int) -> str:
    """`2 days 3 hours` of so many hours a day; `0 hours` when nothing was fought."""
    days, rest = divmod(hours, hours_per_day)
    parts = [counted(days, "day")] if days else []
    if rest or not days:
        parts.append(counted(rest, "hour"))
    return " ".join(parts)


def counted(number: float, noun: str, plural: str = "") -> str:
    """`1 day`, `2 days`, `1,200 men`; rounded to whole numbers."""
    whole = round(number)
    return f"{whole:,} {noun if whole == 1 else plural or noun + 's'}"


def on_one_line(text: str) -> str:
    """A name from a cell, which may hold line breaks, without them; markup in it stays (RCPT-02)."""
    return " ".join(text.split())
