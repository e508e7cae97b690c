"""Rounds of a beacon: when they come, and whether one is genuine (LUCK-05)."""

from __future__ import annotations

import hashlib
import json
import sys

import msgspec
import pytest

from scripts.support.beacon_rounds import REAL
from sheets_algo.ruling.luck import beacon
from sheets_algo.ruling.luck.beacon import QUICKNET, Chain, Round, check_together
from sheets_algo.ruling.receipts.receipts import StoredReceipt

GENUINE = REAL[1000]


def test_luck_05_published_rounds_of_quicknet_are_genuine() -> None:
    cases = [1000, 657413, 10024141]
    assert [(number, REAL[number].trouble(QUICKNET)) for number in cases if REAL[number].trouble(QUICKNET) != ""] == []


def resigned(signature: str) -> Round:
    """Return round 1000 with another signature, and the randomness that belongs to it."""
    randomness = hashlib.sha256(bytes.fromhex(signature)).hexdigest()
    return Round(round=1000, signature=signature, randomness=randomness)


def test_luck_05_any_other_round_is_refused() -> None:
    cases = [
        (msgspec.structs.replace(GENUINE, randomness="00" * 32), "the randomness of round 1000 is not the SHA-256"),
        (msgspec.structs.replace(GENUINE, signature=GENUINE.signature[2:]), "round 1000 is not 48 bytes in hexa"),
        (msgspec.structs.replace(GENUINE, signature=GENUINE.signature.upper()), "round 1000 is not 48 bytes in hexa"),
        (msgspec.structs.replace(REAL[42], round=1000), "the signature of round 1000 is not the beacon's"),
        (resigned("c0" + "00" * 47), "the signature of round 1000 is not the beacon's"),  # the point at infinity
        (resigned("8" + "5" * 95), "the signature of round 1000 is not the beacon's"),
    ]
    assert [(lie, says, lie.trouble(QUICKNET)) for lie, says in cases if says not in lie.trouble(QUICKNET)] == []


def test_luck_05_without_the_package_only_the_hash_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sheets_algo.ruling.luck.bls", None)  # the import fails
    assert msgspec.structs.replace(REAL[42], round=1000).trouble(QUICKNET) == ""
    assert msgspec.structs.replace(GENUINE, randomness="00" * 32).trouble(QUICKNET)


def test_the_signature_package_leaves_the_recursion_limit_unchanged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It allows 100,000 calls within calls, and then JSON that is nested so deep ends the process."""
    for name in [*sys.modules]:
        if name.split(".")[0] == "py_ecc" or name == "sheets_algo.ruling.luck.bls":
            monkeypatch.delitem(sys.modules, name)
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000)
    try:
        assert beacon.can_check_signatures()
        assert sys.getrecursionlimit() == 1_000
    finally:
        sys.setrecursionlimit(before)


def test_luck_02_a_round_s_time_and_the_first_round_from_a_time() -> None:
    """Round 1 of quicknet came at its genesis, on 23 August 2023, and one every three seconds since."""
    assert beacon.clock_time(QUICKNET.time_of(1)) == "2023-08-23 15:09:27 UTC"
    for number in (1, 42, 10_024_141):
        time = QUICKNET.time_of(number)
        found = [QUICKNET.round_from(time + late) for late in (-2.5, 0, 0.5, 3)]
        assert found == [number, number, number + 1, number + 1]
    assert QUICKNET.round_from(0) == 1


def test_a_time_beyond_the_last_date_is_shown_as_the_last_one() -> None:
    assert beacon.clock_time(QUICKNET.time_of(2**63 - 1)) == "9999-12-31 23:59:59 UTC"


@pytest.mark.parametrize("number", [0, -1, 2**63, True, 1.0, "1"])
def test_luck_05_an_impossible_round_number_is_refused(number: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(msgspec.to_builtins(GENUINE) | {"round": number}, Round)
    seed = json.dumps({"beacon": "", "round": number})
    assert StoredReceipt(seq=2, kind="Promise", seed_source=seed).draw is None


SPOILT = ({"hash": "52db"}, {"public_key": "83" * 48}, {"period": 0}, {"period": 86_401}, {"genesis_time": 10**12})


@pytest.mark.parametrize("spoilt", SPOILT)
def test_an_invalid_chain_is_refused(spoilt: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(msgspec.to_builtins(QUICKNET) | spoilt, Chain)


def test_luck_05_a_batch_check_finds_a_forged_signature() -> None:
    assert beacon.can_check_signatures()
    from sheets_algo.ruling.luck import bls  # its import lets calls be 100,000 deep, which the function undoes

    bls._known.clear()
    check_together(QUICKNET, REAL.values())
    assert all(known for known in bls._known.values())
    assert len(bls._known) == len(REAL)
    assert [round.trouble(QUICKNET) for round in REAL.values()] == [""] * len(REAL)

    bls._known.clear()
    wrong = Round(round=123, signature=REAL[42].signature, randomness=REAL[42].randomness)
    swapped = Round(round=42, signature=REAL[123].signature, randomness=REAL[123].randomness)
    check_together(QUICKNET, [REAL[1], wrong, swapped])  # their sum is right, were it not for the weights
    assert not bls._known
    assert REAL[1].trouble(QUICKNET) == ""
    for round in (wrong, swapped):
        assert round.trouble(QUICKNET) == f"the signature of round {round.round} is not the beacon's"
