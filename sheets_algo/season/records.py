"""The records of a season, lists of them that become pandas DataFrames, and standings of nations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from engine.ruleset import Plain

if TYPE_CHECKING:
    import pandas
import math
from collections.abc import Iterable

from engine.receipt import without_markup
from sheets_algo.forms.base import COMPARISON_BATTLES

Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class RecordList(Sequence[Record], Generic[Record]):
    """Records of one kind in the order of the season."""

    kind: type[Record]  # The class of the records, whose attributes are the columns of a DataFrame
    items: tuple[Record, ...]  # The records

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> RecordList[Record]: ...
    def __getitem__(self, index: int | slice) -> Record | RecordList[Record]:
        return RecordList(self.kind, self.items[index]) if isinstance(index, slice) else self.items[index]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Record]:
        return iter(self.items)

    def where(self, holds: Callable[[Record], bool]) -> RecordList[Record]:
        """Return the records that meet a condition."""
        return RecordList(self.kind, tuple(filter(holds, self.items)))

    def to_rows(self) -> tuple[list[str], list[dict[str, Any]]]:
        """Return the columns of a table and its rows by column; a row may lack columns that come from a mapping."""
        attributes = [item.name for item in fields(self.kind) if item.repr]  # type: ignore[arg-type] # a dataclass
        rows = [_flat(record, attributes) for record in self.items]
        headers = dict.fromkeys(name for row in rows for name in row) or [
            item.name
            for item in fields(self.kind)  # type: ignore[arg-type] # a dataclass
            if item.repr and not str(item.type).startswith("Mapping")
        ]
        return list(headers), rows

    def to_frame(self) -> pandas.DataFrame:
        """Return a DataFrame with one row for each record and one column for each attribute.

        An attribute that is a mapping becomes a column for each of its keys. Times are in UTC; whole numbers of which
        some are missing have the type `Int64`.
        """
        import pandas

        headers, rows = self.to_rows()
        frame = pandas.DataFrame(rows, columns=headers).convert_dtypes()
        if "time" in frame:
            frame["time"] = pandas.to_datetime(frame["time"], utc=True, errors="coerce")
        return frame


def record_of(kind: type[Record], *sources: object, **values: object) -> Record:
    """Return a record of some values; each other attribute comes from the first source with that name."""
    others = [item.name for item in fields(kind) if item.name not in values]  # type: ignore[arg-type] # a dataclass
    taken = {name: next(getattr(source, name) for source in sources if hasattr(source, name)) for name in others}
    return kind(**taken, **values)


def _flat(record: object, attributes: Sequence[str]) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name in attributes:
        value = getattr(record, name)
        if isinstance(value, Mapping):
            row |= value
        else:
            row[name] = value
    return row


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingRecord:
    """A ruling."""

    seq: int  # The number of its receipt
    time: str  # When it was ruled, UTC, in ISO 8601
    request: str  # The id of the request
    war: str  # The title of the receipt
    ruleset: str  # By which rules
    attacker: str  # The name of the attacker; blank in orders without sides
    defender: str  # The name of the defender, likewise
    winner: str  # `Attacker`, `Defender`, or blank without a winner
    attacker_lost: int | None  # The attacker's losses in men; None if the ruleset counts none
    defender_lost: int | None  # Likewise
    # The share of comparison battles that the winner won, 0 to 1, from the log (FC-06); None without one.
    win_chance: float | None
    is_undone: bool  # True if the ruling was taken back
    seed: int  # The seed of its luck
    results: Mapping[str, Plain]  # The result columns of the request by header
    receipt: str  # The receipt as wiki markup
    # The inputs as JSON, for `sheets_algo.rule`, without moderators' decisions (`overrides` of the season).
    inputs: str
    # The nations of both sides, and the men that each lost of a side of several; no columns of a table.
    members: tuple[tuple[str, ...], tuple[str, ...]] = field(default=((), ()), repr=False)
    lost_by: Mapping[str, int] = field(default_factory=dict, repr=False)

    @property
    def nations(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the nations of both sides; none if the rules have no sides."""
        attacker, defender = (
            own or (name,) for own, name in zip(self.members, (self.attacker, self.defender), strict=True)
        )
        return (attacker, defender) if self.attacker and self.defender else ((), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRecord:
    """A database cell that a ruling or an undo changed."""

    seq: int  # The number of the receipt
    time: str  # When, UTC, in ISO 8601
    request: str  # The request that was ruled or undone; blank where people's edits were accepted
    ruleset: str  # By which rules
    kind: str  # `Ruling`, `Undo` or `Edits`
    tab: str  # The name of the tab
    row: str  # The name of the row: of a nation, of an army
    field: str  # The header of the column
    before: Plain  # The value before
    after: Plain  # The value after


@dataclass(frozen=True, slots=True, kw_only=True)
class NationRecord:
    """The Stability of a nation before and after a receipt."""

    seq: int  # The number of the receipt
    time: str  # When, UTC, in ISO 8601
    request: str  # The request that was ruled or undone
    ruleset: str  # By which rules
    nation: str  # The name of the nation
    before: float  # Its Stability before
    after: float  # Its Stability after


@dataclass(frozen=True, slots=True, kw_only=True)
class FlankRecord:
    """A flank that a strategy placed in a ruled war."""

    seq: int  # The number of the receipt
    request: str  # The id of the request
    side: str  # `Attacker` or `Defender`
    number: int  # The number of the flank on its side, from 1
    # The order: label, place in pixels, men by slot, ships, maneuver; None for each that is missing.
    order: Mapping[str, Plain]
    # Its remains at the end: the columns `End ...` of the tab Flanks; empty if its row is a formation.
    results: Mapping[str, Plain]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverrideRecord:
    """A moderator's decision about a ruling."""

    seq: int  # The number of the receipt
    time: str  # When it was ruled, UTC, in ISO 8601
    request: str  # The id of the request
    war: str  # The title of the receipt
    ruleset: str  # By which rules
    kind: str  # `Input`, `Draw` or `Result`
    what: str  # The cell, draw or result that was decided
    value: str  # Its value as text
    reason: str  # Why
    by: str  # Who decided it
    is_undone: bool  # True if the ruling was taken back


@dataclass(frozen=True, slots=True, kw_only=True)
class ForecastRecord:
    """A row of the tab Forecasts."""

    time: str  # When it was written, UTC, in ISO 8601
    request: str  # The id of the request
    war: str  # The name of the war
    ruleset: str  # By which rules
    battles: int | None  # The number of battles
    attacker_wins: float | None  # In per cent of the battles; None if the rules have no winner
    defender_wins: float | None  # Likewise
    undecided: float | None  # Likewise
    error: float | None  # Of the odds, in points up or down in 95 cases of 100
    course: str  # The most likely course


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRecord:
    """A line of the tab Log."""

    seq: int | None  # The number of the receipt it belongs to
    request: str  # The id of the request
    hour: int | None  # Hours since the battle began; None outside the timeline
    side: str  # `Attacker`, `Defender` or blank
    flank: str  # The flank's label or blank
    event: str  # The kind of event
    amount: float | None  # Men, ships or points; None for none
    rule: str  # The id of the rule
    text: str  # The event in words


SIDES = ("Attacker", "Defender")


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRecord:
    """A nation's wars of a season under one ruleset."""

    nation: str  # The name of the nation
    ruleset: str  # The ruleset of the wars
    wars: int  # Wars that were ruled and not undone
    won: int  # Wars that it won
    as_attacker: int  # Wars that it began
    as_defender: int  # Wars in which it was attacked
    men_lost: int | None  # Its losses in men; None if the ruleset counts none
    men_inflicted: int | None  # Men that its enemies lost, likewise
    stability_then: float | None  # Its Stability before the first change of the season; None if nothing changed it
    stability_now: float | None  # Its Stability after the last one, likewise
    # The sum of result (1 or 0) minus win chance over the wars whose log has a chance; None if no log does. Above 0
    # it had luck.
    wins_above_expectation: float | None
    error: float | None  # The standard error of that sum under pure luck


@dataclass(frozen=True, slots=True)
class _Part:
    """A nation's part in one war."""

    is_attacker: bool
    is_won: bool
    lost: int | None
    inflicted: int | None
    chance: float | None


def standings(rulings: Iterable[RulingRecord], nations: Iterable[NationRecord]) -> Iterator[StandingRecord]:
    """Yield the standing of each nation: by ruleset, most wins first, then fewest wars, then by name."""
    parts: dict[tuple[str, str], list[_Part]] = {}
    for ruling in rulings:
        if ruling.is_undone:
            continue
        lost = (ruling.attacker_lost, ruling.defender_lost)
        sided = [(side, nation) for side in (0, 1) for nation in ruling.nations[side]]
        for side, nation in sided:
            is_won = ruling.winner == SIDES[side]
            chance = ruling.win_chance if ruling.winner else None
            part = _Part(
                is_attacker=side == 0,
                is_won=is_won,
                lost=ruling.lost_by.get(nation, lost[side]),
                inflicted=lost[1 - side],
                chance=chance if is_won or chance is None else 1 - chance,
            )
            parts.setdefault((ruling.ruleset, nation), []).append(part)
    history = list(nations)
    records = [_standing(nation, ruleset, wars, history) for (ruleset, nation), wars in parts.items()]
    yield from sorted(records, key=lambda row: (row.ruleset, -row.won, row.wars, row.nation))


def _standing(nation: str, ruleset: str, wars: Sequence[_Part], history: Sequence[NationRecord]) -> StandingRecord:
    stability = [record for record in history if (record.ruleset, record.nation) == (ruleset, nation)]
    chances = [(war.is_won, war.chance) for war in wars if war.chance is not None]
    return StandingRecord(
        nation=nation,
        ruleset=ruleset,
        wars=len(wars),
        won=sum(war.is_won for war in wars),
        as_attacker=sum(war.is_attacker for war in wars),
        as_defender=sum(not war.is_attacker for war in wars),
        men_lost=_total(war.lost for war in wars),
        men_inflicted=_total(war.inflicted for war in wars),
        stability_then=stability[0].before if stability else None,
        stability_now=stability[-1].after if stability else None,
        # A sum just below 0 is not shown as -0.00.
        wins_above_expectation=round(sum(won - chance for won, chance in chances), 2) + 0.0 if chances else None,
        error=round(math.sqrt(sum(_variance(chance) for _, chance in chances)), 2) if chances else None,
    )


def _variance(chance: float) -> float:
    """Return the variance of a win; a result that never occurred in a hundred battles still has a chance (Laplace)."""
    least = 1 / (COMPARISON_BATTLES + 2)
    share = min(max(chance, least), 1 - least)
    return share * (1 - share)


def _total(numbers: Iterable[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None


COLUMNS: dict[str, Callable[[StandingRecord], str]] = {
    "Nation": lambda row: row.nation,
    "Wars": lambda row: str(row.wars),
    "Won": lambda row: str(row.won),
    "As attacker": lambda row: str(row.as_attacker),
    "As defender": lambda row: str(row.as_defender),
    "Men lost": lambda row: _count(row.men_lost),
    "Men inflicted": lambda row: _count(row.men_inflicted),
    "Stability": lambda row: _change(row.stability_then, row.stability_now),
    "Wins above expectation": lambda row: _luck(row.wins_above_expectation, row.error),
}
"""Columns of a table of standings, and the text of their cells."""


def wikitable(rows: Sequence[StandingRecord]) -> list[str]:
    """Return the lines of a sortable wikitable."""
    lines = ['{| class="wikitable sortable"', "! " + " !! ".join(COLUMNS)]
    for row in rows:
        lines += ["|-", "| " + " || ".join(without_markup(text(row)) for text in COLUMNS.values())]
    return [*lines, "|}"]


def text_table(rows: Sequence[StandingRecord]) -> list[str]:
    """Return the lines of a table for a terminal, names to the left and numbers to the right."""
    cells = [list(COLUMNS), *([text(row) for text in COLUMNS.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(cell.rjust(width) if place else cell.ljust(width) for place, (cell, width) in enumerate(line))
        for line in (list(zip(texts, widths, strict=True)) for texts in cells)
    ]


def _count(number: int | None) -> str:
    return "" if number is None else f"{number:,}"


def _change(before: float | None, after: float | None) -> str:
    return "" if before is None or after is None else f"{before:g} → {after:g}"


def _luck(sum_of_luck: float | None, error: float | None) -> str:
    return "" if sum_of_luck is None else f"{sum_of_luck:+.2f} ± {error:.2f}"
