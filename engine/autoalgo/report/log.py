"""The log: section 1 explains the variables, section 2 is the hourly timeline, section 3 the result (LOG-02, LOG-03).

The numeric events of the battle are turned into sentences once, for both the lines of the log and the outcome's events.
The terms of an event's numbers follow it, indented (VAR-05).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from engine.autoalgo.battle import events as kinds
from engine.autoalgo.battle.events import KINDS, Happening
from engine.autoalgo.inputs import SIDES
from engine.autoalgo.names import Names, verb_ending
from engine.autoalgo.report.battle_terms import BattleTerms
from engine.autoalgo.setup.source import HISTORY
from engine.calculation import Calculation
from engine.explained import Explanation
from engine.receipt import ReceiptText, counted
from engine.ruleset import Event


def heading(title: str) -> tuple[str, str, str]:
    """Return the lines of a heading: blank, the title, and an underline."""
    return ("", title, "-" * len(title))


def variables_section(
    title: str, explained: Iterable[Explanation], settings: Sequence[Event] = (), rules: str = HISTORY
) -> tuple[str, ...]:
    """Return the lines from the title to the first event: settings (SET-06), then a line per variable (LOG-02).

    The line below the title points past the variables to the timeline (R-95), and names the rule set (R-98).
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


def hour_events(
    hour: Iterable[Happening], names: Names, diseases: tuple[str, str], terms: BattleTerms | None = None
) -> list[Event]:
    """Return the events of one hour with their sentences (LOG-03).

    Args:
        diseases: Endemic disease of attacker and defender.
        terms: The terms of the battle's numbers; None without.
    """
    events: list[Event] = []
    sickened: list[Happening] = []  # by the last outbreak
    for happening in hour:
        if happening.kind == kinds.SICKENED:
            sickened.append(happening)
        else:
            sickened = [] if happening.kind == kinds.DISEASE else sickened
            why = partial(terms.of, happening, sickened) if terms else tuple
            events.append(event_of(happening, names, diseases, why))
    return events


def event_of(
    happening: Happening, names: Names, diseases: tuple[str, str], why: Callable[[], Iterable[Calculation]] = tuple
) -> Event:
    """Return one row of the battle's events with its sentence; `why` derives its numbers."""
    kind = KINDS[happening.kind]
    return Event(
        hour=happening.hour,
        side=SIDES[happening.side],
        flank=names.flanks[happening.flank] if happening.flank >= 0 else "",
        kind=kind.name,
        amount=happening.amount if any(word in kind.sentence for word in COUNTED) else None,
        id="MOVE-07" if happening.target == kinds.LEFT_MAP else kind.id,
        text=BRACES.sub(lambda word: WORDS[word[1]](happening, names, diseases), kind.sentence),
        calculations=why,
        flanks=(happening.flank, happening.target),
    )


COUNTED = ("{men}", "{ships}", "{fall}", "{die}")
"""Words of events that have an amount."""
BRACES = re.compile(r"\{(\w+)\}")


def _fallen(happening: Happening, verb: str) -> str:
    """Return the number of men with a verb: `312 men fall`, `1 man dies`, `nobody falls`."""
    men = counted(happening.amount, "man", "men") if happening.amount else "nobody"
    return f"{men} {verb}{'s' if happening.amount <= 1 else ''}"


def _shaken(happening: Happening) -> str:
    shaken = max(round(happening.shaken), 1)
    return f"{counted(shaken, 'man', 'men')} {_lose_heart(shaken)}"


def _panic(happening: Happening) -> str:
    shaken = round(happening.shaken)
    return f", {shaken:,} {_lose_heart(shaken)}" if shaken else ""


def _lose_heart(shaken: int) -> str:
    return "loses heart" if shaken == 1 else "lose heart"


WORDS: dict[str, Callable[[Happening, Names, Sequence[str]], str]] = {
    "flank": lambda happening, names, _: names.flank(happening.flank),
    "target": lambda happening, names, _: names.flank_of(happening.target),
    "side": lambda happening, names, _: names.sides[happening.side],
    "s": lambda happening, names, _: verb_ending(names.sides[happening.side]),
    "enemy": lambda happening, names, _: names.sides[1 - happening.side],
    "disease": lambda happening, _, diseases: diseases[happening.target],
    "men": lambda happening, *_: counted(happening.amount, "man", "men"),
    "ships": lambda happening, *_: counted(happening.amount, "ship"),
    "fall": lambda happening, *_: _fallen(happening, "fall"),
    "die": lambda happening, *_: _fallen(happening, "die"),
    "metres": lambda happening, *_: f"{happening.distance_m:,.0f} m",
    "panic": lambda happening, *_: _panic(happening),
    "shaken": lambda happening, *_: _shaken(happening),
    "driven": lambda happening, names, _: (
        f", driven by {names.flank_of(happening.target)}" if happening.target >= 0 else ""
    ),
    "routed": lambda happening, *_: (
        "leaves the map, fully routed" if happening.target == kinds.LEFT_MAP else "is fully routed"
    ),
}
"""Text of each name in a sentence, made from the happening, the names of the sides and their diseases."""
