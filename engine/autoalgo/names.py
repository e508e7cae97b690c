"""Wording of sides, flanks, years, durations and counts in the receipt and the log."""

from __future__ import annotations

from dataclasses import dataclass

from engine.autoalgo.inputs import SIDES, Belligerent, WarInputs
from engine.receipt import counted, on_one_line

NAMED = 5
"""Maximum number of a side's nations that sentences name one by one."""
PLUS = " + "
"""Text between the names of a side's nations."""


@dataclass(frozen=True, slots=True)
class Names:
    """Names of the two sides and their flanks in the log."""

    sides: tuple[str, str]  # Names of the attacker and of the defender, `Norden + Rivan` of several nations
    side_of: tuple[int, ...]  # Side of every flank, 0 attacker or 1 defender, shape (flanks,)
    flanks: tuple[str, ...]  # Label of every flank, shape (flanks,)
    armies: tuple[str, ...]  # Name of the army of every flank: its side's if it has no other, shape (flanks,)

    def flank(self, number: int) -> str:
        """Return a flank's name as the subject of a sentence: `England, left flank`."""
        return f"{self.armies[number]}, {flank_name(self.flanks[number])}"

    def flank_of(self, number: int) -> str:
        """Return a flank's name as the object of a sentence: `England's left flank`."""
        return f"{possessive(self.armies[number])} {flank_name(self.flanks[number])}"


def side_names(war: WarInputs) -> tuple[str, str]:
    """Return the nations' names; equal names (`default` against `default`) get `(attacker)` and `(defender)`."""
    attacker, defender = (_joined(members_of(side)) for side in (war.attacker, war.defender))
    if attacker != defender:
        return attacker, defender
    return f"{attacker} ({SIDES[0].lower()})", f"{defender} ({SIDES[1].lower()})"


def _joined(members: tuple[str, ...]) -> str:
    """Return the names of a side's nations; of many the leader's and the number of the others (R-130)."""
    leader, *allies = map(on_one_line, members)
    return PLUS.join((leader, *allies) if len(members) <= NAMED else (leader, f"{len(allies)} allies"))


def members_of(side: Belligerent) -> tuple[str, ...]:
    """Return the names of the nations of a side, the leader's first (R-130)."""
    return tuple(dict.fromkeys(army.member for army in (side, *side.allies)))


def party_names(war: WarInputs) -> tuple[str, ...]:
    """Return the name of every nation of a war, in the order of their numbers: both leaders' first (R-131)."""
    sides = [members_of(side) for side in (war.attacker, war.defender)]
    leaders = [name if len(own) == 1 else on_one_line(own[0]) for name, own in zip(side_names(war), sides, strict=True)]
    return (*leaders, *(on_one_line(name) for own in sides for name in own[1:]))


def army_names(war: WarInputs, side: int) -> tuple[str, ...]:
    """Return the name of each army of a side: its nation's, or its own if the nation has several (R-130)."""
    leader = (war.attacker, war.defender)[side]
    members = [army.member for army in (leader, *leader.allies)]
    if len(members) == 1:
        return (side_names(war)[side],)
    return tuple(
        on_one_line(army.member if members.count(army.member) == 1 else army.military.name)
        for army in (leader, *leader.allies)
    )


def possessive(name: str) -> str:
    """Return the possessive form of a name: `England's`, `the Seljuks'`."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def verb_ending(side: str) -> str:
    """Return the ending of a verb in the present after the name of a side: `s`, none after several nations (R-130)."""
    return "" if PLUS in side else "s"


def flank_name(label: str) -> str:
    """Return the words for a flank: `left flank`, `flank 4`; a label of several words is unchanged."""
    label = on_one_line(label)
    if label.isdecimal():
        return f"flank {label}"
    return label if " " in label else f"{label} flank"


def year_text(year: int) -> str:
    """Return a year in words: `1066`, `401 BC` (DATE-01)."""
    return str(year) if year >= 0 else f"{-year} BC"


def battle_time(hours: int, hours_per_day: int) -> str:
    """Return the duration of a battle, with days if it took one or more (RCPT-01).

    `9 hours`, `27 hours (2 days 3 hours, 12 hours a day)`. All else counts a battle in hours alone.
    """
    text = counted(hours, "hour")
    if hours < hours_per_day:
        return text
    return f"{text} ({days_text(hours, hours_per_day)}, {counted(hours_per_day, 'hour')} a day)"


def days_text(hours: int, hours_per_day: int) -> str:
    """Return hours as days of `hours_per_day` hours and a rest: `2 days 3 hours`, `0 hours`."""
    days, rest = divmod(hours, hours_per_day)
    parts = [counted(days, "day")] if days else []
    if rest or not days:
        parts.append(counted(rest, "hour"))
    return " ".join(parts)
