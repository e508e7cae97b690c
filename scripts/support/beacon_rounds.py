"""Rounds that drand quicknet has really given, and a season in memory that they decide."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from scripts.support.workbooks import SECRET, Rows, changed, forms, grids, pass_context, read, season_grid, undo
from sheets_algo.replays.replay import Verdict, verify
from sheets_algo.ruling.luck.beacon import QUICKNET, Round, Rounds
from sheets_algo.ruling.luck.draw import Secret
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.promises.promises import LEAD_S, Promises
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.tab_key import TabKey

REAL = {
    number: Round(round=number, signature=signature, randomness=randomness)
    for number, signature, randomness in (
        (
            1,
            "b55e7cb2d5c613ee0b2e28d6750aabbb78c39dcc96bd9d38c2c2e12198df95571de8e8e402a0cc48871c7089a2b3af4b",
            "1466a6cd24e327188770752f6134001c64d6efcc590ccc26b721611ad96f165a",
        ),
        (
            42,
            "95a9f9f5b231b7714de1553105d8ffdf3dcda24cfdb1e689319bccf79a9c8ce430a91b811fbfaf763900bc998b5d686a",
            "8ada64bae5c6c0f5540a6a13af56e663240edfbd2c76ac6a8f27671eb7259ce3",
        ),
        (
            123,
            "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92",
            "fb8f7bc29bf24db51871ec8c79f3a1e4bd0557bc0dfcee9ed1d924e69d1c60dc",
        ),
        (
            1000,
            "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
            "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd",
        ),
        (
            657413,
            "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
            "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587",
        ),
        (
            1000000,
            "83ad29e4c409f9470fc2ef02f90214df49e02b441a1a241a82d622d9f608ef98fd8b11a029f1bee9d9e83b45088abe72",
            "b22aad4794f7451896f7a371aa46106fd84d919f3f569acd5b2fddf1d1440af3",
        ),
        (
            10024141,
            "8c87caf26bb4f5e9fdfad5ddf739ff8683344f8cf04a8c381225ff067557b5d9d51937eed765fcef21971bf5ddef44bb",
            "08622adf60800b20ad45b39792a6fe32cb4bf428925550921b01ac3843e714e6",
        ),
    )
}
"""By number. They stand in the tests and papers of several drand clients (42 in drand's own documentation, 1, 123 and
1000 in the tests of drand and drand-verify, 657413 in those of a Python client, 10024141 in a timelock library).
"""


def at(seconds: float) -> str:
    """Return Unix seconds as the time of a pass."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def before_round(number: int) -> float:
    """Return the time at which a promise names a round, in Unix seconds."""
    return QUICKNET.time_of(number) - LEAD_S


def unsigned(number: int) -> Round:
    """Return a round that nobody has signed; only `verify` and whoever asks a host check that."""
    return Round(round=number, signature="", randomness="")


def after_round(number: int) -> float:
    """Return a time shortly after a round, in Unix seconds."""
    return QUICKNET.time_of(number) + 7


INPUTS = '{"losses":"apply","dead_leaders":"warn","luck":"beacon"}'
"""Inputs of the Season row."""


class BeaconSeason:
    """A season with beacon luck in a workbook in memory, ruled by passes at chosen times."""

    def __init__(self, rows: Rows, secret: Secret = SECRET, inputs: str = INPUTS) -> None:
        self.context = replace(pass_context(), secret=secret)
        self.book = MemoryWorkbook(grids(rows) | {"Receipts": season_grid(inputs, secret)})
        self.forged: Receipts | None = None

    def run(self, seconds: float, rounds: Rounds | str | None = "genuine") -> Plan:
        """Make one pass at a time and commit it; the beacon has given the recorded rounds that are out by then.

        The last of these is the latest that its host knows.
        """
        if isinstance(rounds, str):
            out = {number: round for number, round in REAL.items() if QUICKNET.time_of(number) <= seconds}
            rounds = Rounds(REAL[max(out, default=1)], out)
        snapshot = read(self.book)
        plan = plan_pass(snapshot, changed(self.context, rounds=rounds), at(seconds))
        if plan.writes.changes:
            self.book.commit(snapshot, plan.writes.changes)
        return plan

    def edit(self, tab: str, row: int, header: str, value: Any) -> None:
        """Type a value into a cell; row 2 is the first below the headers."""
        sheet = self.book.read([key := TabKey.named(tab)]).sheet(key)
        assert sheet is not None
        self.book.type_in(tab, row, list(sheet.rows[1]).index(header) + 1, value)

    def undo(self, request: str, seconds: float) -> StoredReceipt:
        """Undo a ruling."""
        snapshot = read(self.book)
        receipt, changes = undo(snapshot, forms(), request, at(seconds))
        self.book.commit(snapshot, changes)
        return receipt

    @classmethod
    def of(cls, receipts: Receipts) -> BeaconSeason:
        """Return a season of which only receipts are known, to be verified."""
        season = cls({})
        season.forged = receipts
        return season

    @property
    def receipts(self) -> Receipts:
        """Return the receipts as they are now."""
        return self.forged or read_receipts(read(self.book))

    def verified(self, request: str, secret: Secret | None = SECRET) -> Verdict:
        """Return the ruling of a request, computed again by anybody who has the secret, or has none."""
        receipts = self.receipts
        ruling = receipts.ruling_of(request)
        assert ruling is not None
        form = next(form for form in forms() if form.key == ruling.ruleset)
        fingerprint = pass_context().fingerprints[form.ruleset_key]
        return verify(ruling, form, fingerprint, secret, receipts.options, Promises(receipts))


def luck_line(receipt: StoredReceipt | None) -> str:
    """Return the sentences of a receipt about its luck."""
    assert receipt is not None
    return receipt.wiki.partition("=== Luck ===\n* ")[2]
