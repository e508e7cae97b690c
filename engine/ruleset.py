"""Base class of rulesets, and the outcome of a ruling."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from engine.battle_map import Rgb, Scene
from engine.calculation import Calculation
from engine.casualties import Casualties
from engine.decisions import DecidableResult, RulingDecisions, WrongDecision
from engine.explained import Explanation
from engine.forecast import ATTACKER, DEFENDER, NOBODY, Replicates
from engine.place_map import PlaceMap
from engine.receipt import Block, ReceiptText, SeasonOptions
from engine.recording import Chances, Recording
from engine.rng import Rng

Plain = None | str | bool | int | float
"""A cell's worth of value."""
SIDES = {"Attacker": ATTACKER, "Defender": DEFENDER}
"""`Outcome.winner` to the code of `Replicates.winner`."""

NOT_COMPILED = "compiling takes longer than so short a forecast; a longer one does it, once for this machine"
"""Answer of `Ruleset.compile` for a machine that could have machine code and has none."""
Function = Callable[..., Any]
Compiler = Callable[[Function, Mapping[Function, Function]], Function | str]
"""Takes a function and those compiled in place of others; returns its machine code, or why there is none, a clause."""


@dataclass(frozen=True, slots=True)
class Update:
    """One database field, before and after."""

    tab: str  # Tab name: `Nations`
    row: str  # The row's name: `England`; in a tab in which rows may share a name its label: `Guard (England)`
    field: str  # Column header: `Stability`
    before: Plain  # The value the ruling started from, after defaults
    after: Plain  # The absolute new value


@dataclass(frozen=True, slots=True)
class NewRow:
    """One row more in a database tab, below its last one."""

    tab: str  # Tab name: `Armies`
    # Column header to value; the column that names the row is among them, with a name that no row has. Columns that are
    # left out stay blank.
    values: Mapping[str, Plain]


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the log."""

    hour: int | None  # Hours since the battle began; None outside the timeline
    side: str  # `Attacker`, `Defender` or blank
    flank: str  # The flank's label or blank
    kind: str  # The kind of event, from the ruleset's own list: `attack`, `charge` ...
    amount: float | None  # Men, points ... or None
    id: str  # The rule id
    text: str  # The sentence a person reads
    # Function that returns how its numbers are computed (VAR-05), to be called if somebody reads them.
    calculations: Callable[[], Iterable[Calculation]] = field(default=tuple, compare=False)
    # The numbers of the flank and of the other one among all flanks, -1 for none; empty without flanks.
    flanks: tuple[int, ...] = ()

    def line(self) -> str:
        """Return the line of the log: `hour 3  attack: Normandy, left flank attacks ... [ATK-04]`."""
        hour = "" if self.hour is None else f"hour {self.hour}  "
        return f"{hour}{self.kind}: {self.text}. [{self.id}]"

    def brief_line(self) -> str:
        """Return the line of a log without hours: `Brennus, loyalty check: rolled 63 of 100 [RL-LOY-02]`."""
        return f"{self.text} [{self.id}]"

    def calculation_lines(self) -> Iterator[str]:
        """Yield the lines below the event that say how its numbers are computed."""
        for calculation in self.calculations():
            yield f"    {calculation.line()}"


@dataclass(frozen=True, slots=True)
class RowResult:
    """The program's columns of one request-side row other than the request's own."""

    tab: str  # `Flanks`, `Score Sides`
    row: int  # The number of the row in this tab among those of this request, from 0, in the order given
    values: Mapping[str, Plain]  # Column header to value


@dataclass(frozen=True, slots=True)
class News:
    """Part of a ruling that a player may know, in a game whose players have secrets."""

    reader: str  # The name by which the player is known to the game; blank for everybody
    block: Block  # The lines that the player may read


Beliefs = dict[tuple[str, str, str], int]
"""Wrong beliefs of players by tab, row and column: the believed value minus the one in the database."""


def no_news(beliefs: Beliefs) -> tuple[News, ...]:
    """Return no news: the game has no secrets."""
    return ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything one ruling found."""

    winner: str  # `Attacker`, `Defender`, or blank where the ruleset knows no winner
    summary: str  # One line of result for the request's Message
    receipt: ReceiptText  # For players
    figures: Mapping[str, Plain]  # The request's own result columns, header to value
    # What the figures say in words, as numbers for programs.
    numbers: Mapping[str, object] = field(default_factory=dict)
    updates: tuple[Update, ...] = ()  # Database changes
    # Further database changes, which only a season makes whose losses are applied.
    losses: tuple[Update, ...] = ()
    casualties: tuple[Casualties, ...] = ()  # Of each army, whether or not the season subtracts them
    results: tuple[RowResult, ...] = ()  # Program columns of the request's other rows
    events: tuple[Event, ...] = ()  # The timeline, in order
    # Function that returns the variables behind it, in the order of the log, to be called if somebody reads them.
    explanations: Callable[[], Iterable[Explanation]] = field(default=tuple, compare=False)
    scenes: tuple[Scene, ...] = ()  # The scenes to draw
    rows: tuple[NewRow, ...] = ()  # Rows that database tabs get; they are added before `updates` are made
    why: tuple[str, ...] = ()  # Lines for `explain` that say how the result came about
    # Function that returns the parts that single players, or all, may know; none in a game without secrets. It takes
    # what players believe wrongly before the ruling, and changes it to what they believe after it.
    news: Callable[[Beliefs], tuple[News, ...]] = field(default=no_news, compare=False)
    places: PlaceMap | None = None  # The map of the places, if units stand in hexes or by degrees
    # The battle hour by hour, if it has hours.
    recording: Recording | None = field(default=None, compare=False)  # arrays; it follows from the rest
    typed: tuple[str, ...] = ()  # The luck that people typed in place of draws, in words: `roll 37` (LUCK-12)
    is_drawn: bool = True  # False if nothing was drawn, so that no seed decided it

    @property
    def explained(self) -> tuple[Explanation, ...]:
        """Return the variables behind it, in the order of the log."""
        return tuple(self.explanations())

    def painted(self, colours: Mapping[str, Rgb]) -> Outcome:
        """Return the outcome with the colours of flags in its scenes, by the nation's name."""
        return replace(self, scenes=tuple(scene.painted(colours) for scene in self.scenes))

    def in_season(self, options: SeasonOptions) -> Outcome:
        """Return the outcome with the database changes of a season with these options."""
        return replace(self, updates=(*self.updates, *self.losses), losses=()) if options.applies_losses else self


LogSink = Callable[[Iterable[str]], None]
"""Hears the log as it happens, some lines at a time, so that an edge can write it while the battle runs (LOG-01)."""


def no_op(*_: object) -> None:
    """Ignore the event."""


@dataclass(slots=True)
class MachineCode:
    """The machine code of a ruleset's battles, put here by `Ruleset.compile`; until then Python fights them.

    Whoever wants battles holds one and hands it on: a ruleset does not change.
    """

    kernel: object = None  # What the ruleset made, of a type of its own; None for Python

    @property
    def is_compiled(self) -> bool:
        """Return True if machine code fights the battles."""
        return self.kernel is not None


Inputs = TypeVar("Inputs", contravariant=True)


class Ruleset(ABC, Generic[Inputs]):
    """One game's rules, with the numbers they were built from. Only `resolve` has no default."""

    __slots__ = ()

    releases: ClassVar[tuple[str, ...]] = ("0.2",)
    """The releases of sheets-algo that changed what the rules come to, oldest first (RCP-17)."""

    @property
    def version(self) -> int:
        """Return the version of the rules; it goes up whenever equal inputs and luck come to another outcome."""
        return len(self.releases)

    @abstractmethod
    def resolve(self, inputs: Inputs, rng: Rng, log: LogSink = no_op) -> Outcome:
        """Rule one request. Equal inputs, luck and tables give an equal outcome, bit for bit."""

    rule_sets: ClassVar[tuple[str, ...]] = ()
    """The names of the rule sets by which a season can be begun, the default first; empty if there is one (R-98)."""
    names_draws: ClassVar[bool] = False
    """True if a moderator may set single draws of a ruling by their names (OVR-11)."""
    has_hours: ClassVar[bool] = False
    """True if its outcomes have a recording, hour by hour."""

    def results(self, inputs: Inputs) -> tuple[DecidableResult, ...]:
        """Return the results that `decided` takes (OVR-12); none where single database fields are decided instead."""
        return ()

    def decided(self, inputs: Inputs, rng: Rng, decisions: RulingDecisions, log: LogSink = no_op) -> Outcome:
        """Rule one request with the draws and results that a moderator decided; all else follows by the rules.

        Override it with `results` or `names_draws`.

        Raises:
            WrongDecision: There is no such draw or result, or its value does not fit the others.
        """
        raise WrongDecision("", "this ruleset takes no decisions")

    def sides(self, inputs: Inputs) -> tuple[str, str]:
        """Return the names of the attacker and of the defender; blank where the rules know no sides."""
        return "", ""

    def members(self, inputs: Inputs) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the nations of both sides, the leaders' first (R-130)."""
        attacker, defender = self.sides(inputs)
        return (attacker,), (defender,)

    def men_lost(self, figures: Mapping[str, Plain]) -> tuple[int, int] | None:
        """Return the men that attacker and defender lost, from the figures of an outcome; None where there are none."""
        return None

    def men_lost_by(self, member: str, figures: Mapping[str, Plain]) -> int | None:
        """Return the men that one of several nations of a side lost, likewise; None where that is not known."""
        return None

    def rules_name(self, inputs: Inputs) -> str:
        """Return the name of the rule set by which a request is resolved; blank if there is only one (R-98)."""
        return ""

    def explain(self, inputs: Inputs) -> tuple[Explanation, ...]:
        """Return how each variable comes about, without luck."""
        return ()

    def replicates(self, inputs: Inputs, seed: int, first: int, count: int) -> Replicates:
        """Return `count` battles of a seed, counted from `first`, without receipt and log.

        Battle number k of a seed is always the same, and number 0 is the seed's ruling. By default each battle is
        ruled, which says who won; override it for rules without a winner, for numbers and words, or for speed.
        """
        rulings = (self.resolve(inputs, Rng(seed, first + number)) for number in range(count))
        return Replicates(np.array([SIDES.get(ruling.winner, NOBODY) for ruling in rulings], np.int64), {}, {})

    def series(self, inputs: Inputs, seed: int, code: MachineCode | None = None) -> Callable[[int, int], Replicates]:
        """Return `replicates` of one war and seed, for callers that ask for its battles in parts.

        Override it where a war is set up before its first battle, so that this is done once.

        Args:
            code: Where `compile` puts machine code, which may happen between two parts; None for Python.
        """
        return partial(self.replicates, inputs, seed)

    def compile(self, inputs: Inputs, compiler: Compiler, code: MachineCode) -> str:
        """Make `series` as fast as this machine allows, with the same results; heavy, and slow the first time.

        Args:
            compiler: What makes machine code, if it pays for the battles to be fought.

        Returns:
            Why it is not made faster, a clause; empty when it is, or when there is nothing to gain.
        """
        return ""

    def chances(self, inputs: Inputs, seed: int, code: MachineCode | None = None) -> Chances | None:
        """Return the attacker's chance to win, hour by hour, in the ruling of a seed (FC-28).

        None where battles have no hours, or would take too long.
        """
        return None

    def course(self, inputs: Inputs, results: Replicates) -> str:
        """Return the most likely course in a sentence, without its full stop; blank for the median of a headline."""
        return ""
