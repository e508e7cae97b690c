"""The log: section 1 explains the variables, section 2 is the hourly timeline, section 3 the result (LOG-02, LOG-03).

The numeric events of the battle are turned into sentences once, for both the lines of the log and the outcome's events.
The terms of an event's numbers stand below it, indented (VAR-05).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from engine.autoalgo.battle import events as kinds
from engine.autoalgo.battle.events import KINDS, Events, Happening, happenings
from engine.autoalgo.battle.flank import ground_at
from engine.autoalgo.battle.state import RETREATING, Battle, Ground
from engine.autoalgo.inputs import SIDES
from engine.autoalgo.names import Names, counted
from engine.autoalgo.report.battle_terms import BattleTerms
from engine.autoalgo.setup.source import HISTORY
from engine.calculation import Calculation
from engine.explained import Explanation
from engine.receipt import ReceiptText
from engine.ruleset import Event, LogSink


def heading(title: str) -> tuple[str, str, str]:
    """Return the lines of a heading: blank, the title, and an underline."""
    return ("", title, "-" * len(title))


def variables_section(
    title: str, explained: Iterable[Explanation], settings: Sequence[Event] = (), rules: str = HISTORY
) -> tuple[str, ...]:
    """Return the lines from the title to the first event: settings (SET-06), then a line per variable (LOG-02).

    Few want to read the variables first, so the line below the title says where the timeline begins (R-95), and by
    which rule set the war is fought (R-98).
    """
    variables = (
        *(heading("Settings") if settings else ()),
        *(f"{setting.text}. [{setting.id}]" for setting in settings),
        *heading("1. Variables"),
        *(variable.line() for variable in explained),
    )
    top = (title, "=" * len(title))
    timeline = heading("2. Timeline")
    line = len(top) + 1 + len(variables) + timeline.index("2. Timeline") + 1
    contents = f"The timeline begins in line {line}, below the variables; the result follows it. Rules: {rules}."
    return (*top, contents, *variables, *timeline)


def result_section(receipt: ReceiptText) -> tuple[str, ...]:
    """Return the lines of the last section, which repeats the receipt."""
    return (*heading("3. Result"), *receipt.text().splitlines())


def event_lines(events: Iterable[Event]) -> Iterator[str]:
    """Yield the lines of events in the timeline, each with the terms of its numbers below it."""
    for event in events:
        yield event.line()
        yield from event.calculation_lines()


@dataclass
class Timeline:
    """Section 2 of the log, which grows while the battle is fought."""

    battle: Battle  # The battle, for the places of the flanks
    ground: Ground  # The battle's map
    names: Names  # Names of the sides and flanks
    diseases: tuple[str, str]  # Endemic disease of attacker and defender
    log_sink: LogSink  # Receiver of the lines
    terms: BattleTerms | None = None  # The terms of the battle's numbers; None without
    events: list[Event] = field(default_factory=list)  # All events so far
    is_naval: bool = False  # True once a flank on Water attacked one on Water, or ships were sunk (RCPT-01, R-77)
    # Hour to the men of attacker and defender who still fight at its end, for hours with events.
    fighting: dict[int, tuple[int, int]] = field(default_factory=dict)
    broken: dict[int, Happening] = field(default_factory=dict)  # Flank to the event that ended its fight

    def add_hour(self, events: Events) -> None:
        """Add the events of one hour of battle."""
        self.fighting[self.battle.hours] = (fighting_men(self.battle, 0), fighting_men(self.battle, 1))
        hour = list(happenings(events))
        for happening in hour:
            if happening.kind in BREAKING:
                self.broken.setdefault(happening.flank, happening)
        # An attacking flank does not move in the same hour, so its place is still the one it fought from.
        self.is_naval = self.is_naval or any(map(self._is_naval, hour))
        self.add(hour_events(hour, self.names, self.diseases, self.terms))

    def add(self, events: Iterable[Event]) -> None:
        """Keep the events and pass their lines to the log sink."""
        new = list(events)
        self.events += new
        self.log_sink(event_lines(new))

    def _is_naval(self, happening: Happening) -> bool:
        if happening.kind == kinds.ATTACK:
            return self._is_on_water(happening.flank) and self._is_on_water(happening.target)
        return happening.kind == kinds.SUNK

    def _is_on_water(self, flank: int) -> bool:
        code = ground_at(self.ground, self.battle.x_m[flank], self.battle.y_m[flank])
        return bool(self.ground.is_water[code])


def fighting_men(battle: Battle, side: int) -> int:
    """Return the men of a side's flanks that neither retreat nor are out of the battle (R-92)."""
    flanks = zip(battle.side.tolist(), battle.status.tolist(), battle.men.tolist(), strict=True)
    return sum(men for own, status, men in flanks if own == side and status < RETREATING)


def hour_events(
    hour: Iterable[Happening], names: Names, diseases: tuple[str, str], terms: BattleTerms | None = None
) -> list[Event]:
    """Return the events of one hour with their sentences (LOG-03).

    Args:
        diseases: Endemic disease of attacker and defender.
        terms: The terms of the battle's numbers; None without.
    """
    found: list[Event] = []
    sickened: list[Happening] = []  # by the last outbreak
    for happening in hour:
        if happening.kind == kinds.SICKENED:
            sickened.append(happening)
        else:
            sickened = [] if happening.kind == kinds.DISEASE else sickened
            why = partial(terms.of, happening, sickened) if terms else tuple
            found.append(event_of(happening, names, diseases, why))
    return found


def event_of(
    happening: Happening, names: Names, diseases: tuple[str, str], why: Callable[[], Iterable[Calculation]] = tuple
) -> Event:
    """Return one row of the battle's events with its sentence; `why` computes its numbers again."""
    kind, rule = KINDS[happening.kind]
    return Event(
        hour=happening.hour,
        side=SIDES[happening.side],
        flank=names.flanks[happening.flank] if happening.flank >= 0 else "",
        kind=kind,
        amount=happening.amount if happening.kind in WITH_AMOUNT else None,
        id="MOVE-07" if happening.target == kinds.LEFT_MAP else rule,
        text=SENTENCES[happening.kind](happening, names, diseases),
        calculations=why,
        flanks=(happening.flank, happening.target),
    )


def _attack(happening: Happening, names: Names, _: Sequence[str]) -> str:
    shaken = round(happening.shaken)
    panic = f", {shaken:,} {'loses' if shaken == 1 else 'lose'} heart" if shaken else ""
    attack = f"{names.flank(happening.flank)} attacks {names.flank_of(happening.target)}"
    return f"{attack} at {_metres(happening)}: {_men(happening, 'fall')}{panic}"


def _charge(happening: Happening, names: Names, _: Sequence[str]) -> str:
    return f"{names.flank(happening.flank)} charges {names.flank_of(happening.target)} from {_metres(happening)}"


def _higher_ground(happening: Happening, names: Names, _: Sequence[str]) -> str:
    return f"{names.flank(happening.flank)} has the higher ground over {names.flank_of(happening.target)}"


def _retreats(happening: Happening, names: Names, _: Sequence[str]) -> str:
    return f"{names.flank(happening.flank)} starts to rout{_driven_by(happening, names)}"


def _routed(happening: Happening, names: Names, _: Sequence[str]) -> str:
    routed = "leaves the map, fully routed" if happening.target == kinds.LEFT_MAP else "is fully routed"
    return f"{names.flank(happening.flank)} {routed}{_driven_by(happening, names)}"


def _captured(happening: Happening, names: Names, _: Sequence[str]) -> str:
    to = names.flank_of(happening.target)
    return f"{names.flank(happening.flank)} lays down its arms to {to}: {_captives(happening)}"


def _sunk(happening: Happening, names: Names, _: Sequence[str]) -> str:
    ships = counted(happening.amount, "ship")
    return f"{names.flank(happening.flank)} goes down under {names.flank_of(happening.target)}: {ships} sunk"


def _attrition(happening: Happening, names: Names, _: Sequence[str]) -> str:
    return f"{names.flank(happening.flank)} loses {counted(happening.amount, 'man', 'men')} to hunger and hardship"


def _disease(happening: Happening, names: Names, diseases: Sequence[str]) -> str:
    disease, side = diseases[happening.target], names.sides[happening.side]
    return f"{disease} breaks out among the men of {side}: {_men(happening, 'die')}"


def _wiped_out(happening: Happening, names: Names, _: Sequence[str]) -> str:
    return f"the last men of {names.flank(happening.flank)} are dead of hunger and disease"


def _supply_cut(happening: Happening, names: Names, _: Sequence[str]) -> str:
    return f"{names.flank(happening.flank)} cuts the supply of {names.flank_of(happening.target)}"


def _side_cut(happening: Happening, names: Names, _: Sequence[str]) -> str:
    return f"every flank of {names.sides[happening.side]} is cut off from its supply"


def _siege(happening: Happening, names: Names, _: Sequence[str]) -> str:
    return f"the siege of {names.sides[happening.side]} by {names.sides[1 - happening.side]} begins"


def _starved_out(happening: Happening, names: Names, _: Sequence[str]) -> str:
    return f"{names.flank(happening.flank)} lays down its arms for hunger: {_captives(happening)}"


def _stores_out(happening: Happening, names: Names, _: Sequence[str]) -> str:
    return f"{names.sides[happening.side]} has eaten its stores, and hunger begins"


def _sally(happening: Happening, names: Names, _: Sequence[str]) -> str:
    return f"the garrison of {names.sides[happening.side]} comes out to fight"


def _breach(happening: Happening, names: Names, _: Sequence[str]) -> str:
    return f"a breach is open in the works of {names.sides[happening.side]}"


def _storm(happening: Happening, names: Names, _: Sequence[str]) -> str:
    return f"{names.sides[happening.side]} storms the works of {names.sides[1 - happening.side]}"


def _terms_made(happening: Happening, names: Names, _: Sequence[str]) -> str:
    return f"{names.flank(happening.flank)} lays down its arms on terms: {_captives(happening)}"


def _taken(happening: Happening, names: Names, _: Sequence[str]) -> str:
    return f"{names.flank(happening.flank)} is taken with the works: {_captives(happening)}"


def _lifted(happening: Happening, names: Names, _: Sequence[str]) -> str:
    return f"{names.sides[happening.side]} lifts the siege, having lost too many men to hunger and hardship"


def _decided(happening: Happening, names: Names, _: Sequence[str]) -> str:
    return f"no flank of {names.sides[happening.side]} is left to fight"


def _panic(happening: Happening, names: Names, _: Sequence[str]) -> str:
    shaken = max(round(happening.shaken), 1)
    men = f"{counted(shaken, 'man', 'men')} {'loses' if shaken == 1 else 'lose'} heart"
    return f"{names.flank(happening.flank)} sees {names.flank_of(happening.target)} break: {men}"


def _captives(happening: Happening) -> str:
    return f"{counted(happening.amount, 'man', 'men')} captured"


def _men(happening: Happening, verb: str) -> str:
    """Return the number of men with a verb: `312 men fall`, `1 man dies`, `nobody falls`."""
    men = counted(happening.amount, "man", "men") if happening.amount else "nobody"
    return f"{men} {verb}{'s' if happening.amount <= 1 else ''}"


def _metres(happening: Happening) -> str:
    return f"{happening.distance_m:,.0f} m"


def _driven_by(happening: Happening, names: Names) -> str:
    return f", driven by {names.flank_of(happening.target)}" if happening.target >= 0 else ""


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
    kinds.PANIC: _panic,
    kinds.STARVED_OUT: _starved_out,
    kinds.STORES_OUT: _stores_out,
    kinds.SALLY: _sally,
    kinds.BREACH: _breach,
    kinds.STORM: _storm,
    kinds.TERMS_MADE: _terms_made,
    kinds.TAKEN: _taken,
    kinds.LIFTED: _lifted,
}
"""Function that writes the sentence of each kind of event."""

BREAKING = frozenset(
    {kinds.RETREATS, kinds.ROUTED, kinds.CAPTURED, kinds.SUNK, kinds.WIPED_OUT, kinds.STARVED_OUT, kinds.TERMS_MADE}
)
"""Kinds of events that end a flank's fight."""

WITH_AMOUNT = frozenset(
    {kinds.ATTACK, kinds.CAPTURED, kinds.SUNK, kinds.ATTRITION, kinds.DISEASE}
    | {kinds.STARVED_OUT, kinds.TERMS_MADE, kinds.TAKEN}
)
"""Kinds of events that have an amount."""
