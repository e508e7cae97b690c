"""The log: section 1 tells where every number comes from, section 2 what happened hour by hour (LOG-02, LOG-03).

The battle leaves numbers, here they become sentences, once; the lines of the file and the events of the outcome are
the same records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from engine.autoalgo import events as kinds
from engine.autoalgo.events import KINDS, Events, Happening, happenings
from engine.autoalgo.flank import ground_at
from engine.autoalgo.inputs import SIDES
from engine.autoalgo.names import Names, counted
from engine.autoalgo.state import Battle, Ground
from engine.explained import Explained
from engine.outcome import Event, Listener
from engine.receipt import Receipt


def heading(title: str) -> tuple[str, str, str]:
    """A title with room around it."""
    return ("", title, "-" * len(title))


def section_one(title: str, explained: Iterable[Explained], settings: Sequence[Event] = ()) -> tuple[str, ...]:
    """LOG-02: a line for each variable, in the order they were explained; above them the settings (SET-06)."""
    return (
        title,
        "=" * len(title),
        *(heading("Settings") if settings else ()),
        *(f"{it.text}. [{it.id}]" for it in settings),
        *heading("1. Variables"),
        *(it.line() for it in explained),
        *heading("2. Timeline"),
    )


def last_block(receipt: Receipt) -> tuple[str, ...]:
    """The result, as the receipt tells it."""
    return (*heading("3. Result"), *receipt.text().splitlines())


def line(event: Event) -> str:
    """One line of the timeline: `hour 3  attack: Normandy, left flank attacks ... [ATK-04]`."""
    return f"hour {event.hour}  {event.kind}: {event.text}. [{event.id}]"


@dataclass
class Timeline:
    """Section 2 of the log while it grows: every event once, told as it happens.

    Args:
        battle: Looked at to see where a fight takes place.
        ground: Likewise.
        names: What sides and flanks are called.
        diseases: Endemic disease of attacker and defender.
        tell: Who hears the lines.
        events: All so far.
        is_naval: Flanks fought on Water, both of them, or ships were sunk (RCPT-01, R-77).
    """

    battle: Battle
    ground: Ground
    names: Names
    diseases: tuple[str, str]
    tell: Listener
    events: list[Event] = field(default_factory=list)
    is_naval: bool = False

    def hear(self, events: Events) -> None:
        """One hour of battle. Who attacks does not move, so he still stands where he fought."""
        self.is_naval = self.is_naval or any(self._is_naval(it) for it in happenings(events))
        self.write(words_of_the_hour(events, self.names, self.diseases))

    def write(self, events: Iterable[Event]) -> None:
        """Keep and tell."""
        new = list(events)
        self.events += new
        self.tell([line(event) for event in new])

    def _is_naval(self, it: Happening) -> bool:
        if it.kind == kinds.ATTACK:
            return self._is_on_water(it.flank) and self._is_on_water(it.target)
        return it.kind == kinds.SUNK

    def _is_on_water(self, flank: int) -> bool:
        code = ground_at(self.ground, self.battle.x_m[flank], self.battle.y_m[flank])
        return bool(self.ground.is_water[code])


def words_of_the_hour(events: Events, names: Names, diseases: tuple[str, str]) -> list[Event]:
    """LOG-03: what the battle noted in one hour, as sentences.

    Args:
        events: The kernel's rows.
        names: What sides and flanks are called.
        diseases: Endemic disease of attacker and defender.
    """
    return [word(happening, names, diseases) for happening in happenings(events)]


def word(happening: Happening, names: Names, diseases: tuple[str, str]) -> Event:
    """One row of the kernel's events as a sentence."""
    kind, rule = KINDS[happening.kind]
    return Event(
        hour=happening.hour,
        side=SIDES[happening.side],
        flank=names.flanks[happening.flank] if happening.flank >= 0 else "",
        kind=kind,
        amount=happening.amount if happening.kind in WITH_AMOUNT else None,
        id=rule,
        text=SENTENCES[happening.kind](happening, names, diseases),
    )


def _attack(it: Happening, names: Names, _: Sequence[str]) -> str:
    shaken = f", {it.shaken:,.0f} {'loses' if round(it.shaken) == 1 else 'lose'} heart" if round(it.shaken) else ""
    return f"{names.flank(it.flank)} attacks {names.flank_of(it.target)} at {_metres(it)}: {_men(it, 'fall')}{shaken}"


def _charge(it: Happening, names: Names, _: Sequence[str]) -> str:
    return f"{names.flank(it.flank)} charges {names.flank_of(it.target)} from {_metres(it)}"


def _higher_ground(it: Happening, names: Names, _: Sequence[str]) -> str:
    return f"{names.flank(it.flank)} has the higher ground over {names.flank_of(it.target)}"


def _retreats(it: Happening, names: Names, _: Sequence[str]) -> str:
    return f"{names.flank(it.flank)} starts to rout{_driven_by(it, names)}"


def _routed(it: Happening, names: Names, _: Sequence[str]) -> str:
    return f"{names.flank(it.flank)} is fully routed{_driven_by(it, names)}"


def _captured(it: Happening, names: Names, _: Sequence[str]) -> str:
    men = counted(it.amount, "man", "men")
    return f"{names.flank(it.flank)} lays down its arms to {names.flank_of(it.target)}: {men} captured"


def _sunk(it: Happening, names: Names, _: Sequence[str]) -> str:
    return f"{names.flank(it.flank)} goes down under {names.flank_of(it.target)}: {counted(it.amount, 'ship')} sunk"


def _attrition(it: Happening, names: Names, _: Sequence[str]) -> str:
    return f"{names.flank(it.flank)} loses {counted(it.amount, 'man', 'men')} to hunger and hardship"


def _disease(it: Happening, names: Names, diseases: Sequence[str]) -> str:
    return f"{diseases[it.target]} breaks out among the men of {names.sides[it.side]}: {_men(it, 'die')}"


def _wiped_out(it: Happening, names: Names, _: Sequence[str]) -> str:
    return f"the last men of {names.flank(it.flank)} are dead of hunger and disease"


def _supply_cut(it: Happening, names: Names, _: Sequence[str]) -> str:
    return f"{names.flank(it.flank)} cuts the supply of {names.flank_of(it.target)}"


def _side_cut(it: Happening, names: Names, _: Sequence[str]) -> str:
    return f"every flank of {names.sides[it.side]} is cut off from its supply"


def _siege(it: Happening, names: Names, _: Sequence[str]) -> str:
    return f"the siege of {names.sides[it.side]} by {names.sides[1 - it.side]} begins"


def _decided(it: Happening, names: Names, _: Sequence[str]) -> str:
    return f"no flank of {names.sides[it.side]} is left to fight"


def _men(it: Happening, verb: str) -> str:
    """`312 men fall`, `1 man dies`, `nobody falls`."""
    men = counted(it.amount, "man", "men") if it.amount else "nobody"
    return f"{men} {verb}{'s' if it.amount <= 1 else ''}"


def _metres(it: Happening) -> str:
    return f"{it.distance_m:,.0f} m"


def _driven_by(it: Happening, names: Names) -> str:
    return f", driven by {names.flank_of(it.target)}" if it.target >= 0 else ""


SENTENCES: dict[int, Callable[[Happening, Names, Sequence[str]], str]] = {
    kinds.ATTACK: _attack,
    kinds.CHARGE: _charge,
    kinds.HIGHER_GROUND: _higher_ground,
    kinds.RETREATS: _retreats,
    kinds.ROUTED: _routed,
    kinds.CAPTURED: _captured,
    kinds.SUNK: _sunk,
    kinds.ATTRITION: _attrition,
    kinds.DISEASE: _disease,
    kinds.WIPED_OUT: _wiped_out,
    kinds.SUPPLY_CUT: _supply_cut,
    kinds.SIDE_CUT: _side_cut,
    kinds.SIEGE: _siege,
    kinds.DECIDED: _decided,
}
"""How each kind of event reads."""

WITH_AMOUNT = frozenset({kinds.ATTACK, kinds.CAPTURED, kinds.SUNK, kinds.ATTRITION, kinds.DISEASE})
"""Kinds whose amount means something."""
