"""The records of a season, and lists of them that become pandas DataFrames."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from engine.ruleset import Plain

if TYPE_CHECKING:
    import pandas

Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class RecordList(Sequence[Record], Generic[Record]):
    """Records of one kind in the order of the season.

    Args:
        kind: The class of the records, whose attributes are the columns of a DataFrame.
        items: The records.
    """

    kind: type[Record]
    items: tuple[Record, ...]

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
        """Return the records for which a condition holds."""
        return RecordList(self.kind, tuple(filter(holds, self.items)))

    def to_rows(self) -> tuple[list[str], list[dict[str, Any]]]:
        """Return the columns of a table and its rows by column; a row may lack columns that come from a mapping."""
        attributes = [item.name for item in fields(self.kind)]  # type: ignore[arg-type] # a dataclass
        rows = [_flat(record, attributes) for record in self.items]
        headers = dict.fromkeys(name for row in rows for name in row) or dict.fromkeys(_names(self.kind))
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


def _names(kind: type) -> Iterator[str]:
    return (item.name for item in fields(kind) if not str(item.type).startswith("Mapping"))


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
    """A ruling.

    Args:
        seq: The number of its receipt.
        time: When it was ruled, UTC, in ISO 8601.
        request: The id of the request.
        war: The title of the receipt.
        ruleset: By which rules.
        attacker: The name of the attacker; blank in orders without sides.
        defender: The name of the defender, likewise.
        winner: `Attacker`, `Defender`, or blank if nobody won.
        attacker_lost: The men that the attacker lost; None where the ruleset counts none.
        defender_lost: Likewise.
        win_chance: The share of other battles of the same war that the winner won, 0 to 1, as the log says (FC-06);
            None if it says nothing.
        is_undone: True if the ruling was taken back.
        seed: The seed of its luck.
        results: The result columns of the request by header.
        receipt: The receipt as wiki markup.
        inputs: The inputs as JSON, for `sheets_algo.rule`, without what moderators decided (`overrides` of the season).
    """

    seq: int
    time: str
    request: str
    war: str
    ruleset: str
    attacker: str
    defender: str
    winner: str
    attacker_lost: int | None
    defender_lost: int | None
    win_chance: float | None
    is_undone: bool
    seed: int
    results: Mapping[str, Plain]
    receipt: str
    inputs: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRecord:
    """A database cell that a ruling, or the undoing of one, changed.

    Args:
        seq: The number of the receipt.
        time: When, UTC, in ISO 8601.
        request: The request that was ruled or undone; blank where people's edits were accepted.
        ruleset: By which rules.
        kind: `Ruling`, `Undo` or `Edits`.
        tab: The name of the tab.
        row: The name of the row: of a nation, of an army.
        field: The header of the column.
        before: The value before.
        after: The value after.
    """

    seq: int
    time: str
    request: str
    ruleset: str
    kind: str
    tab: str
    row: str
    field: str
    before: Plain
    after: Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class NationRecord:
    """The Stability of a nation before and after a receipt.

    Args:
        seq: The number of the receipt.
        time: When, UTC, in ISO 8601.
        request: The request that was ruled or undone.
        ruleset: By which rules.
        nation: The name of the nation.
        before: Its Stability before.
        after: Its Stability after.
    """

    seq: int
    time: str
    request: str
    ruleset: str
    nation: str
    before: float
    after: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FlankRecord:
    """A flank that a strategy placed in a ruled war.

    Args:
        seq: The number of the receipt.
        request: The id of the request.
        side: `Attacker` or `Defender`.
        number: The number of the flank on its side, from 1.
        order: What the strategy says: label, place in pixels, men by slot, ships, maneuver; None where it says nothing.
        results: What was left of it at the end: the columns `End ...` of the tab Flanks.
    """

    seq: int
    request: str
    side: str
    number: int
    order: Mapping[str, Plain]
    results: Mapping[str, Plain]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverrideRecord:
    """A moderator's decision about a ruling.

    Args:
        seq: The number of the receipt.
        time: When it was ruled, UTC, in ISO 8601.
        request: The id of the request.
        war: The title of the receipt.
        ruleset: By which rules.
        kind: `Input`, `Draw` or `Result`.
        what: The cell, draw or result that was decided.
        value: Its value as text.
        reason: Why.
        by: Who decided it.
        is_undone: True if the ruling was taken back.
    """

    seq: int
    time: str
    request: str
    war: str
    ruleset: str
    kind: str
    what: str
    value: str
    reason: str
    by: str
    is_undone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ForecastRecord:
    """A row of the tab Forecasts.

    Args:
        time: When it was written, UTC, in ISO 8601.
        request: The id of the request.
        war: The name of the war.
        ruleset: By which rules.
        battles: How many battles were fought.
        attacker_wins: In per cent of the battles; None where the rules know no winner.
        defender_wins: Likewise.
        undecided: Likewise.
        error: Of the odds, in points up or down in 95 cases of 100.
        course: The most likely course.
    """

    time: str
    request: str
    war: str
    ruleset: str
    battles: int | None
    attacker_wins: float | None
    defender_wins: float | None
    undecided: float | None
    error: float | None
    course: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRecord:
    """A line of the tab Log.

    Args:
        seq: The number of the receipt it belongs to.
        request: The id of the request.
        hour: Hours since the battle began; None outside the timeline.
        side: `Attacker`, `Defender` or blank.
        flank: The flank's label or blank.
        event: The kind of event.
        amount: Men, ships or points; None for none.
        rule: The id of the rule.
        text: What happened, in words.
    """

    seq: int | None
    request: str
    hour: int | None
    side: str
    flank: str
    event: str
    amount: float | None
    rule: str
    text: str
