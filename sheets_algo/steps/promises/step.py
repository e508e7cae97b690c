"""Step of a season with beacon luck: a ready request gets a promise, and then the luck of the promised round."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Self

import msgspec

from engine.columns import loosely
from sheets_algo.database.problems import CellRef, Problem, Severity
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.request_columns import request_id
from sheets_algo.ruling.luck.beacon import LATEST, clock_time, unix_seconds
from sheets_algo.ruling.luck.draw import Draw, commitment, promised_seed
from sheets_algo.ruling.plan import Answer, Contents
from sheets_algo.ruling.promises.promised_inputs import input_differences, rule_changes
from sheets_algo.ruling.promises.promises import PROMISED, Promises, counted_by, is_far, needs, promise_text
from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
from sheets_algo.ruling.receipts.receipt_tab import ReceiptLog
from sheets_algo.ruling.receipts.receipts import Figures, StoredReceipt
from sheets_algo.ruling.request_tab import RequestTab, ValidRequest, refused
from sheets_algo.ruling.requests.overrides import FrozenDecisions
from sheets_algo.ruling.requests.row_states import deciding_cells
from sheets_algo.ruling.step import Luck, PassState, Result, Step, StepFindings, Waiting

AWAITS_ROUND = "a round of the beacon that is still to come decides it: the first run after that rules it"
GRACE_S = 30
"""Tolerance in seconds for a late round or a fast clock before a warning."""

AWAY = "Promised: round {} of the beacon decides it, and no host gives that round; it is asked for at each look"
UNPROMISED = "No round can be promised, for no host of the beacon gives one that can be used; it is asked at each look"
IN_ORDER = "Promised: round {} of the beacon decides it, after the orders above that wait for their rounds"
FAR = "receipt {} promises round {}, which comes on {}: that is too far away, so another round is promised instead"
FAR_AGAIN = "Nothing is to be done: the receipts count the promise that was dropped"
AGAIN = "Nothing; it is asked again at each look, and nothing else decides"


class PromisesStep(Step):
    """The promises of one pass (LUCK-02, LUCK-03, LUCK-08 to LUCK-10).

    Args:
        contents: What the pass has read.
    """

    def __init__(self, contents: Contents) -> None:
        self._contents = contents
        self._chain = contents.receipts.luck.chain
        self._now = unix_seconds(contents.now)
        self._waiting_turns: set[str] = set()
        """The rulesets with an order that waits for luck, for which the orders below it wait too."""
        self._waiting_parties: set[str] = set()
        """The parties of promises that wait for their rounds; later promises wait for them."""
        self._wanted: set[int] = set()
        """The rounds that the pass needs."""
        self._problems: list[Problem] = []
        """The reason for missing rounds, once, and each dropped promise."""

    @classmethod
    def of(cls, contents: Contents) -> Self | None:
        """Return the step of a season with beacon luck."""
        return cls(contents) if contents.receipts.luck.is_beacon else None

    def order(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return the rows in the order of their promises, then of the tab."""
        order = {loosely(promise.request): promise.seq for promise in self._contents.receipts.promises}
        return sorted(rows, key=lambda row: order.get(loosely(request_id(row)), math.inf)) if order else rows

    def claim(self, state: PassState, tab: RequestTab, row: Row, id: str, former: Result | None) -> Answer | None:
        """Refuse a typed seed, which decides nothing (LUCK-07)."""
        if row.is_blank("seed"):
            return None
        says = "a typed seed decides nothing in a season with beacon luck"
        return refused(row, id, (row.problem("seed", "LUCK-07", says, allowed="Clear the cell"),))

    def luck(self, log: ReceiptLog, tab: RequestTab, request: ValidRequest) -> Luck | Waiting | None:
        """Return the luck of a request from its promised round, or the reason to wait.

        Requests of a game that decides them in their order wait for those above.
        """
        form, promises = request.form, Promises(log.with_new)
        draw = self._decide(log, tab.database, request, promises)
        if isinstance(draw, Waiting):
            if form.decides_in_order:
                self._waiting_turns.add(form.ruleset_key)
            return draw
        promised = promised_seed(draw.key, self._contents.receipts.by_seq[draw.promise].inputs, draw.randomness)
        return Luck(promised if request.seed is None else int(request.seed), draw.text)

    def rehearse(
        self, state: PassState, tab: RequestTab, answer: Answer, problems: Sequence[Problem]
    ) -> Iterator[Problem]:
        """Yield the problems of a request, and a notice of its future round."""
        yield from problems
        promise = Promises(self._contents.receipts).last(answer.cells.request) if answer.ruling else None
        draw = promise.draw if promise else None
        if answer.ruling and (draw is None or self._chain.time_of(draw.round) > self._now):
            yield answer.cells.row.note("ready", "LUCK-02", AWAITS_ROUND)

    def finish(self) -> StepFindings:
        """Return the required rounds, and the problems of the beacon."""
        return StepFindings(problems=tuple(self._problems), wanted_rounds=frozenset(self._wanted))

    def _decide(self, log: ReceiptLog, database: Database, request: ValidRequest, promises: Promises) -> Draw | Waiting:
        """Return the round that decides a request, or the reason to wait."""
        promise = promises.last(request.id)
        draw = promise.draw if promise else None
        if promise is None or draw is None:
            return self._promise(log, database, request, promises)
        if changes := self._changes(log, database, request, promise):
            return self._promise(log, database, request, promises, changed=changes)
        due, parties = self._chain.time_of(draw.round), frozenset(draw.parties)
        is_next = request.form.ruleset_key not in self._waiting_turns and parties.isdisjoint(self._waiting_parties)
        if is_far(self._chain, draw.round, self._now):
            waiting = self._promise(log, database, request, promises, far=(promise.seq,))
            if waiting.receipt:
                self._warn("LUCK-08", FAR.format(promise.seq, draw.round, clock_time(due)), FAR_AGAIN)
            return waiting
        not_yet = Waiting(PROMISED.format(draw.round, clock_time(due), promise.seq), due)
        if self._now < due:
            self._waiting_parties |= parties
            return not_yet
        self._wanted.add(draw.round)  # of an order that is not next too: it may be once this look has the others
        rounds = self._contents.context.rounds
        fetched = rounds.by_number.get(draw.round) if rounds and is_next else None
        if fetched is None:
            self._waiting_parties |= parties
            if not is_next:
                return Waiting(IN_ORDER.format(draw.round), due)
            if self._now < due + GRACE_S:
                return not_yet
            self._miss()
            return Waiting(AWAY.format(draw.round), due)
        return msgspec.structs.replace(
            counted_by(promises, promise, self._chain),
            signature=fetched.signature,
            randomness=fetched.randomness,
            promise=promise.seq,
            key=self._contents.context.secret.key_of(request.id),
            subject="",
            parties=(),
            needs=(),
            latest=None,
        )

    def _changes(
        self, log: ReceiptLog, database: Database, request: ValidRequest, promise: StoredReceipt
    ) -> tuple[str, ...]:
        """Return people's changes since a promise, in words; empty if it holds (LUCK-09)."""
        form, receipts = request.form, log.with_new
        rules = rule_changes(promise, self._contents.context.fingerprints[form.ruleset_key], form.ruleset.version)
        cells = deciding_cells(form, request.row, database)
        differences = input_differences(form, promise, request.inputs, cells, receipts, math.inf)
        return (*rules, *differences.unexplained)

    def _promise(
        self,
        log: ReceiptLog,
        database: Database,
        request: ValidRequest,
        promises: Promises,
        *,
        far: tuple[int, ...] = (),
        changed: tuple[str, ...] = (),
    ) -> Waiting:
        """Promise a future round, by the clock and by the beacon, since the clock may be wrong.

        Args:
            far: The promise that it replaces because its round is too far away.
            changed: People's changes since the promise that it replaces, in words.
        """
        self._wanted.add(LATEST)
        context, form, row, inputs = self._contents.context, request.form, request.row, request.inputs
        latest = context.rounds.latest if context.rounds else None
        if latest is None:
            self._miss()
            return Waiting(UNPROMISED, self._now)
        number = self._chain.round_from(max(self._now, self._chain.time_of(latest.round)) + context.lead_s)
        content = form.deserialize(inputs)
        held = FrozenDecisions(rows=tuple(row.decision for row in request.overrides))
        draw = Draw(  # all that decides (LUCK-09, LUCK-11)
            beacon=self._chain.hash,
            round=number,
            far=far,
            latest=latest,
            key=commitment(context.secret.key_of(request.id)),
            subject=form.subject(content),
            parties=form.parties(content),
            needs=needs(form, content, self._contents.receipts.options),
            changed=changed,
        )
        promise = StoredReceipt(
            seq=log.next_seq,
            kind="Promise",
            request=request.id,
            war=str(row.value("war") or "") if "war" in dict(row.table.columns) else "",
            ruleset=form.key,
            seed_source=draw.text,
            inputs=inputs,
            rules_fingerprint=context.fingerprints[form.ruleset_key],
            rules_version=form.ruleset.version,
            figures=Figures("", {}, cells=deciding_cells(form, row, database)),
            overrides=held.encode() if held.rows else "",
            time=self._contents.now,
        )
        draw = msgspec.structs.replace(draw, **{"far": (), **promises.others(promise, self._chain)})
        promise = replace(promise, seed_source=draw.text)
        promise = replace(promise, wiki=promise_text(promise, self._chain))
        due = self._chain.time_of(number)
        return Waiting(PROMISED.format(number, clock_time(due), promise.seq), due, promise)

    def _miss(self) -> None:
        """Note a missing round of the beacon (LUCK-05)."""
        rounds = self._contents.context.rounds
        if rounds and not any(problem.id == "LUCK-05" for problem in self._problems):
            self._warn("LUCK-05", rounds.trouble or "the beacon does not give the round yet", AGAIN)

    def _warn(self, id: str, says: str, allowed: str) -> None:
        cell = CellRef(ReceiptRow.tab.name)
        self._problems.append(Problem(cell=cell, says=says, allowed=allowed, id=id, severity=Severity.WARNING))
