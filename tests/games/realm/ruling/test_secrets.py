"""What a ruler may not notice follows from no reports (RL-OP-55): games with and without a hidden act read the same.

Each game is played twice, with the same orders and dice but for one act that the rules keep from others. Whoever is no
party to it, and everybody, must read the same in the turn of the act and in those after it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import pytest

from scripts.support.workbooks import Rows, column, example, forms, read, run, workbook
from sheets_algo.replays.turn_report import turn_report
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from tests.helpers.tabs import key, keys

REALMS, REQUESTS = ("Rome", "Gaul", "Germania"), "Turn Requests"
FIRST, LAST = 12, 14
Order = dict[str, Any]

SWORN = [leader["Leader"] for leader in example("realm")["Realm Leaders"] if leader["Kind"] != "Ruler"]
LOYAL = "; ".join(f"RL-LOY-02 {name}=1" for name in SWORN)
NOBODY_RISES = "; ".join(["RL-REB-01=100"] * 5)


@dataclass(frozen=True)
class Secret:
    """An act that the rules keep from others.

    Args:
        fixed: Dice of Rome's first turn, laid in one of the two games.
        other: Orders of the first turn that one game has instead of `orders`.
        orders: Orders of the first turn of the other game.
        later: Orders of the second turn that only the first game has.
        parties: The realms that may notice.
    """

    fixed: str = ""
    other: tuple[Order, ...] = ()
    orders: tuple[Order, ...] = ()
    later: tuple[Order, ...] = ()
    parties: tuple[str, ...] = ()


def treason(action: int, **more: Any) -> Secret:
    """Lucius Piso is disloyal: at 60 with 30 experience his loyalty becomes 57, so ACTION is the die + 8."""
    fixed = f"RL-LOY-02 Lucius Piso=100; RL-LOY-03 Lucius Piso={action - 8}; RL-LOY-03f=1"
    return Secret(fixed, **more)


def mission(by: str, name: str, fixed: str, agents: int = 4, **more: Any) -> Order:
    return {"Realm": by, "Order": name, "Target realm": "Rome", "Agents": agents, "Fixed rolls": fixed} | more


def accepts() -> tuple[Order, ...]:
    return ({"Realm": "Gaul", "Order": "Accept offer", "Target": "Lucius Piso", "Target realm": "Rome"},)


UNSEEN = "RL-ESP-B=100; RL-ESP-B=100; RL-ESP-D=100"
SAVED = "RL-ESP-2=3; RL-ESP-E=1; "
BRIBES = "RL-ESP-3=1; RL-ESP-3=3; RL-ESP-3=1; RL-ESP-3=2"
SECRETS: Mapping[str, Secret] = {
    "petty disloyalty": treason(20),
    "embezzles": treason(40),
    "embezzles twice as much": Secret(treason(40).fixed + "; RL-LOY-03b=3"),
    "offers information": treason(60, parties=("Gaul",)),
    "offers a thrown battle": treason(75, parties=("Gaul",)),
    "offers himself": treason(95, parties=("Gaul", "Germania")),
    "sells information": treason(60, later=accepts(), parties=("Gaul",)),
    "throws a battle": treason(75, later=accepts(), parties=("Gaul",)),
    "is bribed": Secret(other=(mission("Gaul", "Bribe leaders", f"{UNSEEN}; {BRIBES}", 2),), parties=("Gaul",)),
    "intercepts": Secret(other=(mission("Gaul", "Intercept messages", ""),), parties=("Gaul",)),
    "scouts": Secret(other=(mission("Gaul", "Scout garrison", UNSEEN, Target="Roma"),), parties=("Gaul",)),
    "locates": Secret(other=(mission("Gaul", "Locate cities", UNSEEN),), parties=("Gaul",)),
    "watches": Secret(other=(mission("Gaul", "Watch hero", UNSEEN, Target="Lucius Piso"),), parties=("Gaul",)),
    "spies": Secret(other=(mission("Gaul", "Gather state secrets", UNSEEN),), parties=("Gaul",)),
    "kills no agent": Secret(other=(mission("Gaul", "Assassinate agents", UNSEEN, 1),), parties=("Gaul",)),
    "slanders in vain": Secret(other=(mission("Gaul", "Slander", UNSEEN, 1),), parties=("Gaul",)),
    "who it was": Secret(
        other=(mission("Gaul", "Aid saboteurs", f"{SAVED}{UNSEEN}"),),
        orders=(mission("Germania", "Aid saboteurs", f"{SAVED}{UNSEEN}"),),
        parties=("Gaul", "Germania"),
    ),
    "who is blamed": Secret(
        other=(mission("Gaul", "Aid saboteurs", f"{SAVED}RL-ESP-B=100; RL-ESP-D=1; RL-ESP-D=1"),),
        orders=(mission("Germania", "Aid saboteurs", f"{SAVED}RL-ESP-B=1"),),
        parties=("Gaul", "Germania"),
    ),
}  # fmt: skip

FACTS = "; ".join(["RL-ESP-9=1"] * 7)
"""State secrets are found, all six of them."""
BACKGROUND: tuple[Order, ...] = (
    {"Realm": "Rome", "Order": "Execute", "Target": "Brennus"},
    {"Realm": "Rome", "Order": "Entice", "Target": "Brennus", "Fixed rolls": "RL-DUN-03=100; RL-DUN-03=100"},
    {"Realm": "Rome", "Order": "Hire leader", "Target": "Marcus Atilius"},
    {"Realm": "Rome", "Order": "Award experience", "Target": "Lucius Piso", "Event": "Commanded winner"},
    mission("Germania", "Watch hero", "RL-ESP-B=1", 2, Target="Lucius Piso"),
    mission("Germania", "Gather state secrets", f"{FACTS}; RL-ESP-B=100", 1),
    mission("Germania", "Bribe leaders", "RL-ESP-B=1", 1),
    mission("Germania", "Bribe leaders", f"RL-ESP-B=100; {BRIBES}", 1),
    mission("Germania", "Slander", "RL-ESP-B=100", 1),
)
EVENTS = ("RL-RND-01=1", "RL-RND-01=65", "RL-RND-01=78", "RL-RND-01=88", "RL-RND-01=93", "RL-RND-01=98")
"""Nothing, a fire, a birth, a desertion, a prophecy, an attempt on the ruler's life."""


class Game:
    """A game of three turns, whose orders and dice but for the secret follow from a number."""

    def __init__(self, number: int, secret: Secret, *, is_kept: bool) -> None:
        luck = random.Random(number)
        rows = example("realm")
        del rows["Rating Requests"]
        self._prepare(rows, luck)
        background = luck.sample(BACKGROUND, 5)
        orders: dict[int, list[Order]] = {
            FIRST: [*background[:2], *(secret.other if is_kept else secret.orders)],
            FIRST + 1: [*background[2:4], *(secret.later if is_kept else ())],
            LAST: background[4:],
        }
        for turn, given in orders.items():
            given += self._ends(turn, luck, secret.fixed if turn == FIRST and is_kept else "")
        rows[REQUESTS] = [
            {"Turn": turn, "Seed": crc32(f"{number} {turn} {order['Order']}".encode())} | order
            for turn, given in orders.items()
            for order in given
        ]
        self.edits = [luck.choice([0, -1, 2]) for _ in orders]
        self.book = workbook(rows)
        for turn in orders:
            self._play(turn)

    def _prepare(self, rows: Rows, luck: random.Random) -> None:
        for realm in rows["Realms"]:
            realm |= {"Treasury": luck.choice([60, 300]), "Agents": 12}
        rows["Realm Settings"] = [{"Setting": "charge_leader_pay", "Value": luck.choice(["yes", "no"])}]
        piso = rows["Realm Leaders"][3]
        piso |= {"Pay": luck.choice([5, 10, 15, 20]), "Nearest enemy": "Gaul", "Initial loyalty": luck.choice([70, 95])}

    def _ends(self, turn: int, luck: random.Random, laid: str) -> list[Order]:
        events = [luck.choice(EVENTS) for _ in REALMS]
        if turn == LAST:
            quiet = "; ".join([NOBODY_RISES] * 3 + [LOYAL, *events])
            return [{"Order": "Process all turns", "Fixed rolls": quiet}]
        return [
            {
                "Realm": realm,
                "Order": "Process turn",
                "Fixed rolls": "; ".join(filter(None, (laid if realm == "Rome" else "", LOYAL, NOBODY_RISES, event))),
            }
            for realm, event in zip(REALMS, events, strict=True)
        ]

    def _play(self, turn: int) -> None:
        """Tick the orders of a turn, and untick what cannot be ruled, which would hold the turn up (REQ-12)."""
        sheet = self.book.read(keys(REQUESTS)).sheet(key(REQUESTS))
        assert sheet is not None
        ready = list(sheet.rows[1]).index("Ready") + 1
        for row, of_turn in enumerate(column(self.book, REQUESTS, "Turn"), start=2):
            if of_turn == turn:
                self.book.type_in(REQUESTS, row, ready, True)
        run(self.book)
        for row, status in enumerate(column(self.book, REQUESTS, "Status"), start=2):
            if status == "Invalid":
                self.book.type_in(REQUESTS, row, ready, False)
        run(self.book)
        self._buy(self.edits[turn - FIRST])

    def _buy(self, gold: int) -> None:
        """Let the moderator type what Rome bought or got, between two rulings."""
        sheet = self.book.read(keys("Realms")).sheet(key("Realms"))
        assert sheet is not None
        place = list(sheet.rows[1]).index("Treasury")
        self.book.type_in("Realms", 2, place + 1, int(str(sheet.rows[2][place])) + gold)

    def reports(self, parties: tuple[str, ...]) -> dict[tuple[str, int], str]:
        """All that everybody and the realms but the parties may read."""
        snapshot, readers = read(self.book), [realm for realm in ("", *REALMS) if realm not in parties]
        receipts = read_receipts(snapshot)
        return {
            (reader, turn): turn_report(snapshot, forms(), receipts, reader, turn).text()
            for reader in readers
            for turn in range(FIRST, LAST + 1)
        }


@pytest.mark.parametrize("name", SECRETS)
def test_rl_op_54_hidden_acts_leave_no_trace_in_the_news(name: str) -> None:
    number, secret = crc32(name.encode()), SECRETS[name]
    kept, without = Game(number, secret, is_kept=True), Game(number, secret, is_kept=False)

    assert column(kept.book, "Receipts", "Receipt") != column(without.book, "Receipts", "Receipt")
    assert kept.reports(secret.parties) == without.reports(secret.parties)
