"""Base class of rulesets, and the outcome of a ruling."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from engine.battle_map import Rgb, Scene
from engine.calculation import Calculation
from engine.casualties import Casualties
from engine.decisions import DecidableResult, RulingDecisions, WrongDecision
from engine.explained import Explained
from engine.forecast import ATTACKER, DEFENDER, NOBODY, Replicates
from engine.place_map import PlaceMap
from engine.receipt import Block, ReceiptText, SeasonOptions
from engine.recording import Chances, Recording
from engine.rng import Rng

Plain = None | str | bool | int | float
"""The value of a cell."""
SIDES = {"Attacker": ATTACKER, "Defender": DEFENDER}
"""`Outcome.winner` to the code of `Replicates.winner`."""

NOT_COMPILED = "compiling takes longer than so short a forecast; a longer one does it, once for this machine"
"""Result of `Ruleset.compile` on a machine where machine code is possible but missing."""
Function = Callable[..., Any]
Compiler = Callable[[Function, Mapping[Function, Function]], Function | str]
"""Function from a function and compiled substitutes to its machine code, or to the reason for none, a clause."""


@dataclass(frozen=True, slots=True)
class Update:
    """One database field, before and after."""

    tab: str  # Tab name: `Nations`
    row: str  # The row's name: `England`; in a tab with repeated names its label: `Guard (England)`
    field: str  # Column header: `Stability`
    before: Plain  # The previous value, after defaults
    after: Plain  # The absolute new value


@dataclass(frozen=True, slots=True)
class NewRow:
    """An additional row of a database tab, below its last one."""

    tab: str  # Tab name: `Armies`
    # Column header to value; the column that names the row is among them, with a new name. Missing
    # columns stay blank.
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
    text: str  # The sentence for people
    # Function that returns the derivations of its numbers (VAR-05), called on demand.
    calculations: Callable[[], Iterable[Calculation]] = field(default=tuple, compare=False)
    # Indices of the flank and of its counterpart among all flanks, -1 for none; empty without flanks.
    flanks: tuple[int, ...] = ()

    def line(self) -> str:
        """Return the line of the log: `hour 3  attack: Normandy, left flank attacks ... [ATK-04]`."""
        hour = "" if self.hour is None else f"hour {self.hour}  "
        return f"{hour}{self.kind}: {self.text}. [{self.id}]"

    def brief_line(self) -> str:
        """Return the line of a log without hours: `Brennus, loyalty check: rolled 63 of 100 [RL-LOY-02]`."""
        return f"{self.text} [{self.id}]"

    def calculation_lines(self) -> Iterator[str]:
        """Yield the lines below the event that derive its numbers."""
        for calculation in self.calculations():
            yield f"    {calculation.line()}"


@dataclass(frozen=True, slots=True)
class RowResult:
    """Result columns of one of the request's other rows."""

    tab: str  # `Flanks`, `Score Sides`
    row: int  # Index of the row among this request's rows in the tab, from 0, in the order given
    values: Mapping[str, Plain]  # Column header to value


@dataclass(frozen=True, slots=True)
class News:
    """News for one player after a ruling, in a game whose players have secrets."""

    reader: str  # The player's name in the game; blank for everybody
    block: Block  # The lines for the player


Beliefs = dict[tuple[str, str, str], int]
"""Wrong beliefs of players by tab, row and column: the believed value minus the one in the database."""


def no_news(beliefs: Beliefs) -> tuple[News, ...]:
    """Return no news: the game has no secrets."""
    return ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything that one ruling determined."""

    winner: str  # `Attacker`, `Defender`, or blank where the ruleset knows no winner
    summary: str  # One line of result for the request's Message
    receipt: ReceiptText  # For players
    figures: Mapping[str, Plain]  # The request's own result columns, header to value
    # The figures behind the words, as numbers for programs.
    numbers: Mapping[str, object] = field(default_factory=dict)
    updates: tuple[Update, ...] = ()  # Database changes
    # Further database changes, made only in a season that applies losses.
    losses: tuple[Update, ...] = ()
    casualties: tuple[Casualties, ...] = ()  # Of each army, whether or not the season subtracts them
    results: tuple[RowResult, ...] = ()  # Program columns of the request's other rows
    events: tuple[Event, ...] = ()  # The timeline, in order
    # Function that returns the variables behind it, in the order of the log, called on demand.
    explanations: Callable[[], Iterable[Explained]] = field(default=tuple, compare=False)
    scenes: tuple[Scene, ...] = ()  # The scenes to draw
    rows: tuple[NewRow, ...] = ()  # New rows of database tabs, added before `updates` are made
    why: tuple[str, ...] = ()  # Lines for `explain` about the derivation of the result
    # Function that returns the news for single players, or all; none in a game without secrets. Its argument, the
    # players' false beliefs before the ruling, is changed to those after it.
    news: Callable[[Beliefs], tuple[News, ...]] = field(default=no_news, compare=False)
    places: PlaceMap | None = None  # The map of the places, if units stand in hexes or by degrees
    # The battle hour by hour, if its rules have hours.
    recording: Recording | None = field(default=None, compare=False)  # arrays; it follows from the rest
    typed: tuple[str, ...] = ()  # The luck typed in place of draws, in words: `roll 37` (LUCK-12)
    is_drawn: bool = True  # False if nothing was drawn, so that the seed had no effect

    @property
    def explained(self) -> tuple[Explained, ...]:
        """Return the variables behind the outcome, in the order of the log."""
        return tuple(self.explanations())

    def painted(self, colours: Mapping[str, Rgb]) -> Outcome:
        """Return the outcome with flags in the colours of the nations."""
        return replace(self, scenes=tuple(scene.painted(colours) for scene in self.scenes))

    def without_course(self) -> Outcome:
        """Return the outcome without what only its files, pages and explanations show."""
        course = ("events", "explanations", "scenes", "why", "news", "places", "recording")
        blank: dict[str, Any] = {each.name: each.default for each in fields(self) if each.name in course}
        return replace(self, **blank)

    def in_season(self, options: SeasonOptions) -> Outcome:
        """Return the outcome with the database changes under a season's options."""
        return replace(self, updates=(*self.updates, *self.losses), losses=()) if options.applies_losses else self


LogSink = Callable[[Iterable[str]], None]
"""Receiver of the log, some lines at a time, so that it can be written during the battle (LOG-01)."""


def no_op(*_: object) -> None:
    """Ignore the event."""


@dataclass(slots=True)
class MachineCode:
    """The machine code of a ruleset's battles, put here by `Ruleset.compile`; Python fights them until then.

    The caller that asks for battles keeps it and passes it on, because a ruleset is immutable.
    """

    kernel: object = None  # The ruleset's compiled functions, of its own type; None for Python

    @property
    def is_compiled(self) -> bool:
        """Return True if machine code fights the battles."""
        return self.kernel is not None


Inputs = TypeVar("Inputs", contravariant=True)


class Ruleset(ABC, Generic[Inputs]):
    """One game's rules, with the numbers they were built from. Only `resolve` has no default."""

    __slots__ = ()

    releases: ClassVar[tuple[str, ...]] = ("0.2",)
    """The releases of sheets-algo that changed results of the rules, oldest first (RCP-17)."""

    @property
    def version(self) -> int:
        """Return the version of the rules; it increases whenever equal inputs and luck give another outcome."""
        return len(self.releases)

    @abstractmethod
    def resolve(self, inputs: Inputs, rng: Rng, log: LogSink = no_op) -> Outcome:
        """Rule one request. Equal inputs, luck and tables give an equal outcome, bit for bit."""

    def resolve_with(self, code: MachineCode, inputs: Inputs, rng: Rng, log: LogSink = no_op) -> Outcome:
        """Rule one request as `resolve` does, by machine code where there is any."""
        return self.resolve(inputs, rng, log)

    rule_sets: ClassVar[tuple[str, ...]] = ()
    """The names of the rule sets for a new season, the default first; empty if there is one (R-98)."""
    names_draws: ClassVar[bool] = False
    """True if a moderator may set single draws of a ruling by their names (OVR-11)."""
    has_hours: ClassVar[bool] = False
    """True if its outcomes have a recording, hour by hour."""

    def results(self, inputs: Inputs) -> tuple[DecidableResult, ...]:
        """Return the results that `decided` takes (OVR-12); none where single database fields are decided instead."""
        return ()

    def decided(self, inputs: Inputs, rng: Rng, decisions: RulingDecisions, log: LogSink = no_op) -> Outcome:
        """Rule one request with the draws and results that a moderator decided; the rest follows by the rules.

        Override it with `results` or `names_draws`.

        Raises:
            WrongDecision: A draw or result does not exist, or its value does not fit the others.
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
        """Return the losses of attacker and defender in men, from the figures of an outcome; None if not known."""
        return None

    def men_lost_by(self, member: str, figures: Mapping[str, Plain]) -> int | None:
        """Return the losses in men of one of several nations of a side, likewise; None if not known."""
        return None

    def rules_name(self, inputs: Inputs) -> str:
        """Return the name of the rule set of a request; blank if there is only one (R-98)."""
        return ""

    def explain(self, inputs: Inputs) -> tuple[Explained, ...]:
        """Return the derivation of each variable, without luck."""
        return ()

    def replicates(self, inputs: Inputs, seed: int, first: int, count: int) -> Replicates:
        """Return `count` battles of a seed, counted from `first`, without receipt and log.

        Battle number k of a seed is always the same, and number 0 is the seed's ruling. By default each battle is
        ruled for its winner; override it for rules without a winner, for numbers and words, or for speed.
        """
        rulings = (self.resolve(inputs, Rng(seed, first + number)) for number in range(count))
        return Replicates(np.array([SIDES.get(ruling.winner, NOBODY) for ruling in rulings], np.int64), {}, {})

    def series(self, inputs: Inputs, seed: int, code: MachineCode | None = None) -> Callable[[int, int], Replicates]:
        """Return `replicates` of one war and seed, for callers that ask for its battles in parts.

        Override it to set up a war only once.

        Args:
            code: The holder that `compile` fills, perhaps between two parts; None for Python.
        """
        return partial(self.replicates, inputs, seed)

    def compile(self, inputs: Inputs, compiler: Compiler, code: MachineCode) -> str:
        """Make `series` as fast as this machine allows, with equal results; slow the first time.

        Args:
            compiler: The compiler of machine code, used if it pays for the battles to be fought.

        Returns:
            The reason why it is not faster, a clause; empty on success or if there is nothing to gain.
        """
        return ""

    def chances(self, inputs: Inputs, seed: int, code: MachineCode | None = None) -> Chances | None:
        """Return the attacker's chance to win, hour by hour, in the ruling of a seed (FC-28).

        None where battles have no hours, or would take too long.
        """
        return None

    def forecast(self, inputs: Inputs) -> str:
        """Return the expected outcome in one line, without drawing; blank if it has to be simulated."""
        return ""

    def course(self, inputs: Inputs, results: Replicates) -> str:
        """Return the most likely course in a sentence, without its full stop; blank for the median of a headline."""
        return self.forecast(inputs)
