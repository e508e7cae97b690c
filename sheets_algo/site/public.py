"""The public part of a season, without secrets of players and withheld logs or odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from engine.columns import loosely
from engine.receipt import ReceiptText
from sheets_algo.database.problems import problem_lines
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import EVERYBODY, SecretForm
from sheets_algo.forms.databases import open_database
from sheets_algo.replays.long_wars import LongWar
from sheets_algo.replays.shown_results import shown_otherwise
from sheets_algo.replays.turn_report import NoReport, turn_of, turn_report
from sheets_algo.ruling.receipts.chain import UNNUMBERED, LostReceipts, given_up_text
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.runtime.session.session import OpenWorkbook
from sheets_algo.runtime.session.world import Holders
from sheets_algo.season.records import (
    ChangeRecord,
    ForecastRecord,
    LogRecord,
    NationRecord,
    OverrideRecord,
    RecordList,
    RulingRecord,
    StandingRecord,
    standings,
)
from sheets_algo.season.season import Season
from sheets_algo.workbook.csv_files import csv_bytes
from sheets_algo.workbook.head import Head


@dataclass(frozen=True)
class PublicSeason:
    """The public view of a season.

    Numbers of receipts are shown only where no player has secrets, since they count the orders of others.
    """

    book: OpenWorkbook  # The workbook, with its Log
    hidden: frozenset[str] = frozenset()  # The rulesets without public logs, replays and odds
    whole_log: RecordList[LogRecord] | None = None  # The lines of the tab Log, if already read
    with_workbook: bool = False  # True if the site offers a public workbook

    @cached_property
    def _whole(self) -> Season:
        return Season(self.book, self.whole_log)

    @cached_property
    def _forms(self) -> Mapping[str, Form[Any]]:
        """Return the forms with public receipts."""
        return {form.key: form for form in self.book.forms if not isinstance(form, SecretForm)}

    @cached_property
    def secret_games(self) -> frozenset[str]:
        """Return the rulesets of the workbook whose players have secrets."""
        return frozenset(form.ruleset_key for form in self.book.forms if isinstance(form, SecretForm))

    def shows_details(self, ruleset: str) -> bool:
        """Return True if the logs and odds of a form are public."""
        return ruleset in self._forms and self._forms[ruleset].ruleset_key not in self.hidden

    def shows_all(self, ruleset: str) -> bool:
        """Return True if nothing of a form is withheld: inputs and seed would reveal the rest."""
        game = self._forms[ruleset].ruleset_key if ruleset in self._forms else ""
        return self.shows_details(ruleset) and game not in self.secret_games

    @cached_property
    def is_partial(self) -> bool:
        """Return True if the public workbook lacks the receipts of a ruleset, even if there are none yet."""
        ruled = {receipt.ruleset for receipt in self.book.receipts.by_seq.values() if receipt.ruleset}
        return not all(map(self.shows_all, {*ruled, *(form.key for form in self.book.forms)}))

    @property
    def has_own_chain(self) -> bool:
        """Return True if the site offers a workbook whose receipts are renumbered and rechained."""
        return self.with_workbook and self.is_partial

    @cached_property
    def rulings(self) -> RecordList[RulingRecord]:
        """Return the rulings, including undone ones, without withheld ones."""
        public = self._whole.rulings.where(lambda ruling: ruling.ruleset in self._forms)
        kept = (ruling if self.shows_details(ruling.ruleset) else replace(ruling, win_chance=None) for ruling in public)
        if self.secret_games:
            kept = (replace(ruling, receipt=self.receipt(ruling).unnumbered) for ruling in kept)
        return RecordList(RulingRecord, tuple(kept))

    @property
    def land_years(self) -> Sequence[int]:
        """Return the years in which land changed hands, in order; holders are public."""
        return self._whole.land_years

    def holders(self, year: int | None = None) -> Holders:
        """Return owner and occupier of each place at the end of a year, None for now."""
        return self._whole.holders(year)

    @property
    def long_wars(self) -> list[LongWar]:
        """Return the wars of several battles; games whose players have secrets have none (REQ-19)."""
        return self._whole.long_wars

    def receipt(self, ruling: RulingRecord) -> StoredReceipt:
        """Return the stored receipt of a ruling."""
        return self.book.receipts.by_seq[ruling.seq]

    def number_of(self, ruling: RulingRecord) -> int:
        """Return the number of a ruling's receipt; where players have secrets, its number among the public ones."""
        return self._numbers[ruling.seq] if self.secret_games else ruling.seq

    def mark_of(self, receipt: StoredReceipt) -> str:
        """Return a receipt's place in the chain for players' notes (RCP-19): number and digest.

        Where players have secrets it is blank: a number counts the orders of others, and whoever knows all of a public
        receipt could try whether its digest comes directly behind that of another one. So it is where the site offers
        a workbook that has other places.
        """
        return "" if self.secret_games or self.has_own_chain else str(Head(receipt.seq, receipt.digest))

    @property
    def head(self) -> str:
        """Return the place in the chain of the last receipt; blank if there is none, or where none is to be noted."""
        receipts = self.book.receipts
        return self.mark_of(receipts.by_seq[receipts.head.seq]) if receipts.by_seq else ""

    @cached_property
    def shown_otherwise(self) -> tuple[str, ...]:
        """Return the cells that differ from the receipts, in games without secrets (RCP-34)."""
        forms = [form for form in self.book.forms if form.ruleset_key not in self.secret_games]
        return tuple(problem_lines([*shown_otherwise(self.book.snapshot, forms, self.book.receipts)]))

    def told(self, lost: LostReceipts) -> str:
        """Return the lost and changed receipts, a clause without numbers of secret ones; blank for none."""
        return UNNUMBERED if lost and self.secret_games else str(lost)

    @cached_property
    def given_up(self) -> tuple[tuple[str, str], ...]:
        """Return time and text of each receipt that accepts losses, without numbers of secret ones."""
        hidden = "A moderator has accepted that receipts are gone or were changed."
        return tuple(
            (receipt.time, hidden if self.secret_games else given_up_text(receipt))
            for receipt in self.book.receipts.restores
        )

    @cached_property
    def _numbers(self) -> Mapping[int, int]:
        return {ruling.seq: number for number, ruling in enumerate(self.rulings, start=1)}

    def undo_of(self, ruling: RulingRecord) -> StoredReceipt | None:
        """Return the receipt that undid a ruling."""
        receipts = self.book.receipts
        return receipts.by_seq.get(receipts.undone.get(ruling.seq, 0))

    @cached_property
    def changes(self) -> RecordList[ChangeRecord]:
        """Return the database cells that changed, without those of games with secrets."""
        return self._whole.changes.where(
            lambda change: (
                change.ruleset in self._forms and self._forms[change.ruleset].ruleset_key not in self.secret_games
            )
        )

    @cached_property
    def overrides(self) -> RecordList[OverrideRecord]:
        """Return the moderators' decisions about public rulings, including undone ones."""
        return self._whole.overrides.where(lambda decision: decision.ruleset in self._forms)

    @cached_property
    def nations(self) -> RecordList[NationRecord]:
        """Return the Stability of nations over time, without undone rulings and their undos."""
        undone = [(ruling.seq, undo.seq) for ruling in self.rulings if (undo := self.undo_of(ruling))]
        left_out = {seq for pair in undone for seq in pair}
        return self._whole.nations.where(lambda record: record.ruleset in self._forms and record.seq not in left_out)

    @cached_property
    def standings(self) -> RecordList[StandingRecord]:
        """Return each nation's wins and losses, with its luck only where odds are public."""
        return RecordList(StandingRecord, tuple(standings(self.rulings, self.nations)))

    @cached_property
    def forecasts(self) -> RecordList[ForecastRecord]:
        """Return the forecasts of wars that are ruled."""
        ruled = {loosely(ruling.request) for ruling in self.rulings}
        return self._whole.forecasts.where(
            lambda forecast: loosely(forecast.request) in ruled and self.shows_details(forecast.ruleset)
        )

    @cached_property
    def log(self) -> RecordList[LogRecord]:
        """Return the lines of the public logs."""
        detailed = {ruling.seq for ruling in self.rulings if self.shows_details(ruling.ruleset)}
        return self._whole.log.where(lambda line: line.seq in detailed)

    @cached_property
    def tables(self) -> Mapping[str, RecordList[Any]]:
        """Return the tables for download; inputs only if they reveal nothing.

        The logs are not among them: each has pages of its own, and all of them would be written with each ruling.
        """
        without_inputs = [
            ruling if self.shows_all(ruling.ruleset) else replace(ruling, inputs="") for ruling in self.rulings
        ]
        names = ["standings", "nations", "changes", "forecasts", *(["overrides"] if self.overrides else [])]
        return {"rulings": RecordList(RulingRecord, tuple(without_inputs))} | {
            name: getattr(self, name) for name in names
        }

    def csv(self, name: str) -> bytes:
        """Return a table as CSV: without the seed of a ruling whose inputs it lacks."""
        headers, rows = self.tables[name].to_rows()
        headers = [header for header in headers if not (header == "seq" and self.secret_games)]
        for row in rows:
            if name == "rulings" and not row["inputs"]:
                row["seed"] = None
        return csv_bytes(headers, [[row.get(header) for header in headers] for row in rows])

    @cached_property
    def turns(self) -> Mapping[int, ReceiptText]:
        """Return the public report of each finished turn, in a game with secrets."""
        receipts, snapshot = self.book.receipts, self.book.snapshot
        reports: dict[int, ReceiptText] = {}
        for form in (form for form in self.book.forms if isinstance(form, SecretForm)):
            game = [other for other in self.book.forms if other.ruleset_key == form.ruleset_key]
            last = form.readers(open_database(snapshot, game)).get(EVERYBODY, 0)
            rulings = receipts.rulings if last else ()
            played = {turn_of(ruling, form) for ruling in rulings if ruling.ruleset == form.key}
            for turn in sorted(turn for turn in played if isinstance(turn, int) and turn <= last):
                with suppress(NoReport):  # ruled by other rules: its public part is unknown
                    reports[turn] = turn_report(snapshot, game, receipts, EVERYBODY, turn)
        return reports
