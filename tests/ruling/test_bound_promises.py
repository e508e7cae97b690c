"""Promises that commit to all that decides: inputs, rules, order and key (LUCK-04, LUCK-09 to LUCK-11)."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from engine.columns import DASHES
from scripts.support.beacon_rounds import REAL, BeaconSeason, after_round, at, before_round, luck_line
from scripts.support.smallest_war import war_form, war_rows
from scripts.support.workbooks import SECRET, changed, column, messages, pass_context
from sheets_algo.replays.promise_problems import promise_problems
from sheets_algo.replays.replay import Verdict
from sheets_algo.ruling.luck.beacon import QUICKNET, Round, Rounds, unix_seconds
from sheets_algo.ruling.luck.draw import Secret
from sheets_algo.ruling.promises.promises import Promises
from sheets_algo.ruling.receipts.chain import season_trouble
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from tests.helpers.beacon_games import orders_keep_their_promises
from tests.helpers.tabs import key, keys


def season(*others: dict[str, Any], **cells: Any) -> BeaconSeason:
    """Return a season with the smallest war and more rows of it, each with its own id and other cells."""
    rows = war_rows(**cells)
    first = rows["War Requests"][0]
    rows["War Requests"] += [
        first | {"Request": f"W-{number}", "War": f"Quarrel {number}"} | more
        for number, more in enumerate(others, start=2)
    ]
    return BeaconSeason(rows)


def promised(*others: dict[str, Any], **cells: Any) -> BeaconSeason:
    """Return the season after its promises for round 123."""
    wars = season(*others, **cells)
    wars.run(before_round(123))
    return wars


def kinds(wars: BeaconSeason) -> list[object]:
    return column(wars.book, "Receipts", "Kind")


def line(wars: BeaconSeason, request: str = "W-1") -> str:
    """Return what the receipt of a request says of its promises."""
    return luck_line(wars.receipts.ruling_of(request)).partition(" promised in receipt ")[2].partition(". ")[2]


def is_sound(wars: BeaconSeason) -> bool:
    """Tell whether anybody who has no secret finds every ruling and promise as it should be, and who has it, too."""
    known = wars.receipts
    rulings = [ruling.request for ruling in known.rulings if not known.is_undone(ruling)]
    verdicts = [wars.verified(request, secret) for request in rulings for secret in (None, SECRET)]
    lies = [*promise_problems(Promises(known), {"autoalgo": war_form()})]
    assert not lies
    assert season_trouble(known, SECRET) == ""
    return all(verdict.is_equal and not verdict.remarks for verdict in verdicts)


def test_luck_09_a_promise_contains_its_inputs_and_rules() -> None:
    wars = promised()
    promise, draw = wars.receipts.by_seq[2], wars.receipts.by_seq[2].draw
    assert '"name":"Quarrel"' in promise.inputs
    assert promise.inputs_fingerprint == hashlib.sha256(promise.inputs.encode()).hexdigest()
    assert promise.rules_fingerprint == pass_context().fingerprints["autoalgo"]
    assert draw is not None
    assert draw.subject == "left|right|heath|1000"
    assert "nation left" in draw.parties


def test_luck_11_a_promise_commits_to_the_key_of_the_seed() -> None:
    wars = promised()
    key = hmac.new(SECRET.key, b"w-1", hashlib.sha256).digest()
    assert wars.receipts.by_seq[2].draw.key == hashlib.sha256(key).hexdigest()  # type: ignore[union-attr]
    assert key.hex() not in str(wars.book.rows("Receipts"))
    wars.run(after_round(123))
    ruling = wars.receipts.by_seq[3]
    assert ruling.draw.key == key.hex()  # type: ignore[union-attr]
    text = f"{ruling.inputs}\n{REAL[123].randomness}".encode()
    assert ruling.seed == str(int.from_bytes(hmac.new(key, text, hashlib.sha256).digest()[:8], "big"))
    assert is_sound(wars)


def test_luck_11_a_wrong_seed_or_key_is_detected_without_the_secret() -> None:
    wars = promised()
    wars.run(after_round(123))
    seed = forged(wars, 3, seed="1")
    assert seed.differences[0] == "the seed is not the one that its key, the promised inputs and the round give"
    other = Secret(b"another secret of sixteen bytes").key_of("W-1")
    key = forged(wars, 3, seed_source=msgspec.structs.replace(wars.receipts.by_seq[3].draw, key=other).text)  # type: ignore[type-var]
    assert key.differences[0] == "its key is not the one that receipt 2 commits to"


def forged(wars: BeaconSeason, seq: int, **cells: Any) -> Verdict:
    """Return what anybody without the secret finds after some cells of a receipt were written anew."""
    known = wars.receipts
    wars = BeaconSeason.of(Receipts({**known.by_seq, seq: replace(known.by_seq[seq], **cells)}))
    return wars.verified("W-1", None)


def test_luck_09_changed_tables_need_a_new_promise_that_names_them() -> None:
    wars = promised()
    wars.context = changed(wars.context, fingerprints={**wars.context.fingerprints, "autoalgo": "ab" * 32})
    assert messages(wars.run(after_round(123)))[0][1] == "Waiting"
    old = pass_context().fingerprints["autoalgo"]
    said = f"Changed by people: the tables of the rules: {old[:12]} → abababababab"
    assert wars.receipts.by_seq[3].wiki.endswith(f"one after. {said}.")
    wars.run(before_round(1000) + 600)
    assert kinds(wars)[-1] == "Promise"


def test_luck_09_a_ruling_by_other_tables_than_promised_is_different() -> None:
    wars = promised()
    wars.run(after_round(123))
    found = forged(wars, 3, rules_fingerprint="ab" * 32).differences
    assert any(
        text.startswith("receipt 2 promised a round for other rules: the tables of the rules:") for text in found
    )


def test_luck_09_rulings_and_row_order_void_no_promise() -> None:
    """Five wars of the same nations: all are ruled by the round that they were promised, whatever row they stand in."""

    def played(swap: bool) -> dict[str, tuple[str, str]]:
        wars = promised(*({"Year": 1000 + number} for number in range(1, 5)))
        if swap:
            swap_rows(wars, 2, 6)
            swap_rows(wars, 3, 4)
        wars.run(after_round(123))
        assert kinds(wars) == ["Season", *["Promise"] * 5, *["Ruling"] * 5]
        assert is_sound(wars)
        assert all(line(wars, f"W-{number}") == "First promise." for number in range(1, 6))
        rulings = [*wars.receipts.rulings]
        assert [ruling.request for ruling in rulings] == [f"W-{number}" for number in range(1, 6)]
        assert len({ruling.inputs for ruling in rulings}) == 5
        return {ruling.request: (ruling.seed, ruling.wiki) for ruling in rulings}

    assert played(False) == played(True)


def swap_rows(wars: BeaconSeason, one: int, other: int, tab: str = "War Requests") -> None:
    """Let two rows change places, as a person does who sorts."""
    sheet = wars.book.read(keys(tab)).sheet(key(tab))
    assert sheet is not None
    first, second = list(sheet.rows[one]), list(sheet.rows[other])
    for place in range(max(len(first), len(second))):
        for row, cells in ((one, second), (other, first)):
            wars.book.type_in(tab, row, place + 1, cells[place] if place < len(cells) else None)


def test_luck_10_later_rulings_report_a_ruling_out_of_order() -> None:
    rows = war_rows()
    nations = [("Left", "Right"), ("Up", "Down"), ("East", "West")]
    first, nation, army = rows["War Requests"][0], rows["Nations"][0], rows["Militaries"][0]
    rows["Nations"] = [nation | {"Name": name} for pair in nations for name in pair]
    rows["Militaries"] = [army | {"Nation": name, "Name": f"Host of {name}"} for pair in nations for name in pair]
    rows["War Requests"] = [
        first | {"Request": f"W-{number}", "War": f"Quarrel {number}", "Attacker": attacker, "Defender": defender}
        for number, (attacker, defender) in enumerate(nations, start=1)
    ]
    wars = BeaconSeason(rows)
    wars.run(before_round(123))
    for ready in ((3,), (2, 3), (2, 3, 4)):
        for row in (2, 3, 4):
            wars.edit("War Requests", row, "Ready", row in ready)
        wars.run(after_round(123))
    assert [ruling.request for ruling in wars.receipts.rulings] == ["W-2", "W-1", "W-3"]
    assert line(wars, "W-2") == "First promise; one of other parties promised earlier and not ruled (receipt 2)."
    assert line(wars, "W-3") == "First promise; one before it ruled after a later promise (receipt 6)."
    assert is_sound(wars)


def test_luck_06_a_promise_without_its_subject_is_detected() -> None:
    wars = promised()
    known = wars.receipts

    def lies(**cells: Any) -> list[str]:
        promise: StoredReceipt = replace(known.by_seq[2], **cells)
        return [*promise_problems(Promises(Receipts({**known.by_seq, 2: promise})), {"autoalgo": war_form()})]

    draw = known.by_seq[2].draw
    assert draw is not None
    hidden = msgspec.structs.replace(draw, parties=()).text
    assert lies(seed_source=hidden) == ["Receipt 2 (W-1) names another war, or other parties, than its inputs have."]
    other = known.by_seq[2].inputs.replace("9000", "9100")
    assert lies(inputs=other) == ["Receipt 2 (W-1) does not promise a round for the inputs whose fingerprint it has."]
    assert lies() == []


def test_luck_06_a_promise_under_five_minutes_before_its_round_is_detected() -> None:
    """What was kept for later may be out by then, and these minutes are what is told from receipts alone."""
    wars = promised()
    wars.run(after_round(123))
    known = wars.receipts
    late = replace(known.by_seq[2], time=at(before_round(123) + 1))
    spoilt = BeaconSeason.of(Receipts({**known.by_seq, 2: late}))
    assert spoilt.verified("W-1").differences == ("receipt 2 promises a round that comes in less than 300 seconds",)


def edited_by_a_slow_clock() -> BeaconSeason:
    """Return a season whose army was changed after round 123 was out, under a clock that is 299 s slow."""
    wars = promised()
    wars.edit("Militaries", 2, "Size", 9_100)
    now = after_round(123) - 299
    wars.run(now, rounds=Rounds(REAL[123]))
    assert unix_seconds(wars.receipts.by_seq[3].time) == now < QUICKNET.time_of(123)
    return wars


def test_luck_02_a_slow_clock_does_not_make_a_late_change_an_early_one() -> None:
    """The promise has the latest round that the beacon had published, whatever the clock says."""
    wars = edited_by_a_slow_clock()
    assert wars.receipts.by_seq[3].draw.latest == REAL[123]  # type: ignore[union-attr]
    assert "none withdrawn before their round, one after" in wars.receipts.by_seq[3].wiki
    assert "0 withdrawn before their round, 1 after" in Promises(wars.receipts).summary()


@pytest.mark.parametrize(
    ("latest", "told"),
    [
        (None, "does not have the latest round that the beacon had published."),
        (
            msgspec.structs.replace(REAL[42], round=43),
            "does not have a genuine round as the beacon's latest: the signature of round 43 is not the beacon's.",
        ),
    ],
)
def test_luck_06_a_promise_without_a_genuine_latest_round_is_detected(latest: Round | None, told: str) -> None:
    known = edited_by_a_slow_clock().receipts
    draw = known.by_seq[3].draw
    assert draw is not None
    forged = replace(known.by_seq[3], seed_source=msgspec.structs.replace(draw, latest=latest).text)
    lies = [*promise_problems(Promises(Receipts({**known.by_seq, 3: forged})), {"autoalgo": war_form()})]
    assert lies == [f"Receipt 3 (W-1) {told}"]


def test_luck_06_a_promise_of_a_published_round_is_detected() -> None:
    wars = promised()
    wars.run(after_round(123))
    draw = wars.receipts.by_seq[2].draw
    assert draw is not None
    late = forged(wars, 2, seed_source=msgspec.structs.replace(draw, latest=REAL[123]).text)
    assert "receipt 2 is not older than its round" in late.differences


def test_luck_06_a_ruling_on_changed_inputs_is_different() -> None:
    """A patched program keeps its promise for other inputs: receipts alone tell what they should be."""
    wars = promised({"Year": 1001})
    wars.run(after_round(123))
    second = wars.receipts.ruling_of("W-2")
    assert second is not None
    inputs = second.inputs.replace('"population":1000000', '"population":1000001', 1)
    cells = {"inputs": inputs, "inputs_fingerprint": hashlib.sha256(inputs.encode()).hexdigest()}
    known = wars.receipts
    spoilt = BeaconSeason.of(Receipts({**known.by_seq, second.seq: replace(second, **cells)}))
    assert "receipt 3 promised a round for other inputs: population of Left: 1,000,000 → 1,000,001" in (
        spoilt.verified("W-2", None).differences
    )


def test_luck_09_orders_of_other_games_keep_their_promises() -> None:
    """A raid puts a player out, so fewer play in the orders below."""
    orders_keep_their_promises("jousts", 3, 0, ("Joust Requests", 2, "Seed", None))
    orders_keep_their_promises("rounds", 5, 3, ("Round Requests", 3, "Die", 1))
    orders_keep_their_promises("plots", 6, 0)


@pytest.mark.parametrize("dash", DASHES)
def test_req_01_an_id_autocorrected_by_a_phone_is_the_same_id(dash: str) -> None:
    wars = promised()
    wars.edit("War Requests", 2, "Request", f"W{dash}1")
    wars.run(after_round(123))
    ruling = wars.receipts.ruling_of("W-1")
    assert ruling is not None
    assert ruling.request == "W-1"
    assert line(wars) == "First promise."
    assert is_sound(wars)
