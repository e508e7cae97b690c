"""A workbook opened as a season: rulings and forecasts, and battles without a workbook."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from engine.columns import columns, tab_of
from engine.errors import ExpectedError
from engine.forecast import Forecast, Replicates, summed_up
from engine.rng import Rng
from engine.ruleset import Outcome, Plain
from engine.share import Share
from engine.suggest import nearest
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.config.settings import settings
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.grouping import grouped
from sheets_algo.database.tables import Table
from sheets_algo.forecasts.compiled import refine_compiled
from sheets_algo.forecasts.frames import battle_frame
from sheets_algo.forecasts.questions import ForecastWar, WhatIf, from_receipt, from_row
from sheets_algo.forecasts.sampling import sample_budget
from sheets_algo.forms.base import Form
from sheets_algo.forms.edits import parse_edit
from sheets_algo.forms.rulesets import open_forms
from sheets_algo.replays.long_wars import LongWar, RulingSides, long_wars, sides_of
from sheets_algo.replays.luck_report import win_chance
from sheets_algo.ruling.forecast.forecast_rows import ForecastRow
from sheets_algo.ruling.receipts.lookup import row_of
from sheets_algo.ruling.receipts.receipt_rows import LogRow
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.ruling.requests.overrides import decided_inputs, decisions_of
from sheets_algo.runtime.locate import open_workbooks
from sheets_algo.runtime.session.session import OpenWorkbook, opened
from sheets_algo.runtime.session.world import LAND_COLUMNS, Holders, land_changes, world_rows
from sheets_algo.season.records import (
    ChangeRecord,
    FlankRecord,
    ForecastRecord,
    LogRecord,
    NationRecord,
    OverrideRecord,
    RecordList,
    RulingRecord,
    StandingRecord,
    record_of,
    standings,
)
from sheets_algo.workbook.stores import find

if TYPE_CHECKING:
    import pandas

STABILITY = ("Nations", "Stability")
"""Tab and column of the nations' Stability."""

Record = TypeVar("Record")
Number = TypeVar("Number", int, float)
NUMBERS: Mapping[str, type] = {"int | None": int, "float | None": float}
"""Types of fields that are numbers, by their annotation."""


class BadInputs(ExpectedError):
    """Inputs of a battle, or a ruleset, that cannot be used."""


@dataclass(frozen=True, slots=True)
class ForecastBattles:
    """Battles of one request under other luck."""

    request: str  # The id of the request
    replicates: Replicates  # The battles

    def __len__(self) -> int:
        return len(self.replicates)

    @property
    def summary(self) -> Forecast:
        """Return the odds with their errors, the distributions of all numbers and the odds of all words."""
        return summed_up(self.replicates)

    def to_frame(self) -> pandas.DataFrame:
        """Return a DataFrame with one row for each battle: its winner, numbers and words."""
        return battle_frame(self.request, "", self.replicates)


class Season:
    """A read-only workbook, as of its opening.

    Args:
        log: The lines of the tab Log, if already read.
    """

    def __init__(self, book: OpenWorkbook, log: RecordList[LogRecord] | None = None) -> None:
        self._book = book
        if log is not None:
            self.log = log

    @cached_property
    def rulings(self) -> RecordList[RulingRecord]:
        """Return all rulings, undone ones too."""
        receipts = self._book.receipts
        chances = self._win_chances()
        return RecordList(
            RulingRecord,
            tuple(
                record_of(
                    RulingRecord,
                    receipt,
                    attacker=sides.names[0],
                    defender=sides.names[1],
                    members=sides.members,
                    lost_by=sides.lost_by,
                    attacker_lost=sides.lost[0] if sides.lost else None,
                    defender_lost=sides.lost[1] if sides.lost else None,
                    win_chance=chances.get(receipt.seq),
                    is_undone=receipts.is_undone(receipt),
                    seed=int(receipt.seed),
                    results=receipt.figures.values,
                    receipt=receipt.wiki,
                )
                for receipt in receipts.rulings
                for sides in [self._sides(receipt)]
            ),
        )

    @property
    def standings(self) -> RecordList[StandingRecord]:
        """Return each nation's wins and losses, without undone rulings."""
        return RecordList(StandingRecord, tuple(standings(self.rulings, self.nations)))

    @cached_property
    def long_wars(self) -> list[LongWar]:
        """Return the wars of several battles that `Part of` names (REQ-19)."""
        return long_wars(self._book.snapshot, self._book.forms, self._book.receipts)

    @cached_property
    def changes(self) -> RecordList[ChangeRecord]:
        """Return all database cells that rulings and undone rulings changed."""
        receipts = self._book.receipts.by_seq.values()
        records = (record_of(ChangeRecord, change, receipt) for receipt in receipts for change in receipt.changes)
        return RecordList(ChangeRecord, tuple(records))

    @cached_property
    def land_years(self) -> Sequence[int]:
        """Return the years in which land changed hands, in order."""
        return sorted({year for changes in self._land.values() for year, _, _ in changes})

    def holders(self, year: int | None = None) -> Holders:
        """Return owner and occupier of each place at the end of a year, None for now (MAP-09, YRS-14)."""
        held = dict(world_rows(self._book).holders)
        for (place, field), changes in self._land.items():
            if year is None:
                break
            past = [after for ruled, _, after in changes if ruled <= year]
            value = as_text(past[-1] if past else changes[0][1])
            owner, occupier = held.get(place, ("", ""))
            held[place] = (value, occupier) if field == LAND_COLUMNS[0] else (owner, value)
        return held

    @cached_property
    def _land(self) -> Mapping[tuple[str, str], list[tuple[int, Plain, Plain]]]:
        """Return year, value before and value after of each change of an owner or occupier, by place and column."""
        receipts = self._book.receipts
        standing = [receipt for receipt in receipts.rulings if not receipts.is_undone(receipt)]
        dated = sorted((json.loads(receipt.inputs or "{}").get("year") or 0, receipt.seq) for receipt in standing)
        return grouped(
            ((change.row, change.field), (year, change.before, change.after))
            for year, seq in dated
            for change in land_changes(receipts.by_seq[seq])
        )

    @cached_property
    def overrides(self) -> RecordList[OverrideRecord]:
        """Return the moderators' decisions about rulings, undone ones too."""
        receipts = self._book.receipts
        decided = ((decision, receipt) for receipt in receipts.rulings for decision in decisions_of(receipt).rows)
        records = (
            record_of(OverrideRecord, *pair, value=as_text(pair[0].value), is_undone=receipts.is_undone(pair[1]))
            for pair in decided
        )
        return RecordList(OverrideRecord, tuple(records))

    @cached_property
    def nations(self) -> RecordList[NationRecord]:
        """Return the Stability of nations over time, a record for each change; a blank cell counts as its default."""
        blank = {form.key: _blank_stability(form) for form in self._book.forms}
        games = {form.key: form.ruleset_key for form in self._book.forms}  # years are part of the game of wars
        return RecordList(
            NationRecord,
            tuple(
                record_of(
                    NationRecord,
                    change,
                    ruleset=games.get(change.ruleset, change.ruleset),
                    nation=change.row,
                    before=values[0],
                    after=values[1],
                )
                for change in self.changes
                if (change.tab, change.field) == STABILITY
                and (values := _numbers(change.before, change.after, blank.get(change.ruleset)))
            ),
        )

    @cached_property
    def flanks(self) -> RecordList[FlankRecord]:
        """Return the flanks of ruled wars that have rows in the tab Flanks, the attacker's first."""
        return RecordList(FlankRecord, tuple(self._flanks()))

    @cached_property
    def forecasts(self) -> RecordList[ForecastRecord]:
        """Return the rows of the tab Forecasts."""
        rows = _row_records(ForecastRecord, self._table(ForecastRow), {"battles": "runs"})
        return RecordList(ForecastRecord, tuple(rows))

    @cached_property
    def log(self) -> RecordList[LogRecord]:
        """Return the lines of the tab Log; a long ruling has further lines in its log file."""
        return RecordList(LogRecord, tuple(log_records(self._table(LogRow))))

    def forecast(
        self,
        request: str,
        *,
        runs: int | None = None,
        error: float | None = None,
        seconds: float | None = None,
        seed: int | None = None,
        edits: Sequence[str] = (),
    ) -> ForecastBattles:
        """Fight the battles of a request under other luck, like the command `forecast`.

        Args:
            request: The id of a request, ruled or not.
            runs: Fight exactly this number of battles.
            error: Fight until the error of the odds is this many points.
            seconds: Fight at most this long; ten seconds if no limit is given.
            seed: The seed of the battles; None for the request's own.
            edits: Changed cells, `Tab!Row!Column=value`.

        Raises:
            NotFound: There is no such request.
            Rejected: The request cannot be ruled.
            BadEdit: An edit cannot be applied.
        """
        war = self._war(request, seed)
        if edits:
            what_if = WhatIf(self._book.snapshot, war)
            cells = [parse_edit(cell, war.form, what_if.book, war.request) for cell in edits]
            war = what_if.with_edits(", ".join(edits), cells)
        budget = sample_budget(runs=runs, error=error, seconds=seconds, threads=None)
        return ForecastBattles(war.request, refine_compiled([war], budget).wars[0])

    def _war(self, request: str, seed: int | None) -> ForecastWar:
        receipt = self._book.receipts.ruling_of(request)
        form = self._book.form(receipt.ruleset) if receipt else None
        if receipt and form:
            return from_receipt(receipt, form, seed)
        return from_row(*row_of(self._book.snapshot, self._book.forms, request), seed, self._book.overrides)

    def _table(self, record: type) -> Table:
        return Table.of(self._book.snapshot, record)

    def _win_chances(self) -> dict[int, float]:
        """Return the likelihood of each result, by number of the receipt (FC-06)."""
        chances = ((line.seq, win_chance(line.rule, line.text, line.amount)) for line in self.log)
        return {seq: chance for seq, chance in chances if seq is not None and chance is not None}

    def _sides(self, receipt: StoredReceipt) -> RulingSides:
        form = self._book.form(receipt.ruleset)
        return sides_of(form, receipt) if form else RulingSides()

    def _flanks(self) -> Iterator[FlankRecord]:
        for receipt in self._book.receipts.rulings:
            parts = [part.values for part in receipt.figures.parts if part.tab == "Flanks"]
            ends = [end for results in parts for end in _ends(results)]
            if not ends:
                continue
            inputs = json.loads(decided_inputs(receipt))
            orders = [
                (side.title(), number, {name: _ordered(value) for name, value in order.items()})
                for side in ("attacker", "defender")
                for number, order in enumerate(_flanks_of(inputs[side]), start=1)
            ]
            for (side, number, order), results in zip(orders, ends, strict=True):
                yield FlankRecord(
                    seq=receipt.seq, request=receipt.request, side=side, number=number, order=order, results=results
                )


def _flanks_of(side: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the orders of a side's flanks, its leader's army first (R-130)."""
    for army in (side, *side.get("allies", ())):
        yield from army["flanks"]


def _blank_stability(form: Form[Any]) -> Plain:
    """Return the default Stability of a nation; None in games without it."""
    declared = ((tab_of(record).name, column) for record in form.database for _, column in columns(record))
    return next((column.default for tab, column in declared if (tab, column.header) == STABILITY), None)


def _numbers(before: Plain, after: Plain, blank: Plain) -> tuple[float, float] | None:
    """Return the two values of a cell as numbers; None if one is not a number."""
    values = [blank if value is None else value for value in (before, after)]
    numbers = [float(value) for value in values if isinstance(value, int | float)]
    return (numbers[0], numbers[1]) if len(numbers) == len(values) else None


def _ordered(value: Any) -> Any:
    """Return a value of a flank's order, a share of the army as it is typed: `40 %` (R-124)."""
    return str(Share(**value)) if isinstance(value, dict) else value


def _ends(results: Mapping[str, Plain]) -> Sequence[Mapping[str, Plain]]:
    """Return the end of each flank of a row; empty for a formation, whose row has only sums."""
    counts = [int(number) for number in re.findall(r"\b(\d+) ", str(results.get("End Status") or ""))]
    return [{}] * sum(counts) if counts else [results]


def log_records(table: Table) -> Iterator[LogRecord]:
    """Yield the lines of a tab Log."""
    return _row_records(LogRecord, table)


def _row_records(
    kind: type[Record], table: Table, attributes: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Record]:
    """Yield the rows of a tab as records; None stands for what is no number, where the record has numbers.

    Args:
        attributes: The attribute of the tab's column for fields of another name.
    """
    text = lru_cache(None)(as_text)  # most texts of a log occur many times
    declared = [(item.name, NUMBERS.get(str(item.type))) for item in fields(kind)]  # type: ignore[arg-type] # a dataclass
    places = [table.places.get(attributes.get(name, name), 0) - 1 for name, _ in declared]
    for row in table:
        cells = table.cells(row.number)
        values = [cells[place] if 0 <= place < len(cells) else None for place in places]
        yield kind(
            **{
                name: text(value) if number is None else _as_number(value, number)
                for (name, number), value in zip(declared, values, strict=True)
            }
        )


def open_season(workbook: str | Path, **options: Any) -> Season:
    """Read a workbook as a season.

    Args:
        workbook: A file, or the address of a Google spreadsheet.
        options: Like the options of the commands: `credentials`, `folder`, `config`, `maps`.

    Raises:
        WorkbookError: The workbook cannot be read, or is not a map game's.
        ConfigError: A table is wrong.
        BadSetting: An option or a setting cannot be used.
    """
    address = find(str(workbook))
    session = open_workbooks([address], settings(address.folder, options))[0].session
    return Season(opened(session, whole=(LogRow,)))


def rule(inputs: str | Mapping[str, Any], *, ruleset: str, seed: int = 0) -> Outcome:
    """Rule one request without a workbook.

    Args:
        inputs: The inputs as in a receipt, JSON or parsed; fields with a default may be left out.
        ruleset: The ruleset, as in the column Ruleset of Receipts.
        seed: The seed of its luck, 0 to 2**64 - 1.

    Raises:
        BadInputs: There is no such ruleset, or the inputs do not fit it.
    """
    forms = {form.key: form for form in open_forms(ConfigLoader())}
    if ruleset not in forms:
        near = nearest(ruleset, forms) or next(iter(forms))
        raise BadInputs(f'"{ruleset}" is not a ruleset. Did you mean "{near}"?')
    text = inputs if isinstance(inputs, str) else json.dumps(inputs)
    try:
        frozen = forms[ruleset].deserialize(text)
    except ValueError as error:
        raise BadInputs(f"These are not inputs of {ruleset}: take those of a receipt.") from error
    return forms[ruleset].ruleset.resolve(frozen, Rng(seed))


def _as_number(value: object, kind: Callable[[Any], Number]) -> Number | None:
    return kind(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
