"""Rounds over HTTP from hosts that fail in every way; the hosts are real servers on this machine (LUCK-05)."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
import requests
from localbeacon.chain import chain_hash
from localbeacon.server import FAULTS

from sheets_algo.ruling.beacon import LATEST, QUICKNET
from sheets_algo.runtime.beacon_hosts import BeaconHosts, read_chain
from sheets_algo.workbook.base import BadSetting
from tests.helpers.local_beacon import CHAIN, Clock, beacons, chain

OUT, COMING = 100_000, 100_010
SAYS = {
    "late": "the round is not out yet",
    "wrong": "its latest round is not genuine",
    "other": "it answers with another round",
    "lying": "its latest round is not genuine",
    "chain": "it answers for another chain",
    "silent": "no answer within 0.3 seconds",
    "reset": "no connection",
    "half": "its answer ",
    "500": "status 500",
    "page": "its answer cannot be read",
}


def asked(*faults: str, wanted: int = OUT, clock: Clock | None = None):  # type: ignore[no-untyped-def]
    with beacons(clock or Clock(), *faults) as hosts:
        urls = [host.url for host in hosts]
        patience = 0.3 if "silent" in faults else 5.0
        return BeaconHosts(urls, patience)(chain(), frozenset({wanted, LATEST})), hosts


def test_the_program_s_quicknet_has_the_hash_that_drand_computes_of_its_key_and_times() -> None:
    """The hash stands for all of them; the digest of the members is what hosts of quicknet answer."""
    members = bytes.fromhex("f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e")
    key = bytes.fromhex(QUICKNET.public_key)
    assert chain_hash(QUICKNET.period, QUICKNET.genesis_time, key, members, "quicknet") == QUICKNET.hash


def test_luck_05_a_sound_host_gives_the_latest_round_and_those_that_are_out() -> None:
    rounds, (host,) = asked("")
    assert (rounds.latest, [*rounds.by_number], rounds.trouble) == (100_001, [OUT], "")
    assert rounds.by_number[OUT].signature == CHAIN.signature(OUT).hex()
    assert [path.split("/", 2)[2] for path in host.asked] == ["info", "public/latest", f"public/{OUT}"]


@pytest.mark.parametrize("fault", FAULTS)
def test_luck_05_a_host_that_fails_gives_nothing_and_the_next_one_is_asked(fault: str) -> None:
    assert FAULTS.keys() == SAYS.keys()
    alone, _ = asked(fault)
    assert alone.by_number == {}
    assert alone.trouble.startswith("the beacon gives no round that can be used (http://127.0.0.1:")
    assert SAYS[fault] in alone.trouble

    helped, _ = asked(fault, "")
    assert helped.by_number[OUT].signature == CHAIN.signature(OUT).hex()
    assert helped.trouble == ""


def test_luck_05_a_round_that_is_not_out_is_not_asked_for() -> None:
    rounds, (host,) = asked("", wanted=COMING)
    assert (rounds.latest, rounds.by_number) == (100_001, {})
    assert "the round is not out yet" in rounds.trouble
    assert not [path for path in host.asked if str(COMING) in path]


def test_luck_05_where_nobody_listens() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        rounds = BeaconHosts([f"http://127.0.0.1:{free.getsockname()[1]}"])(chain(), frozenset({LATEST}))
    assert (rounds.latest, rounds.by_number) == (0, {})
    assert "no connection" in rounds.trouble


def test_a_fault_is_set_while_the_host_runs() -> None:
    with beacons(Clock(), "") as (host,):
        assert requests.post(f"{host.url}/_control/fault", data="lying", timeout=5).ok
        assert BeaconHosts([host.url])(chain(), frozenset({LATEST})).latest == 0
        assert requests.post(f"{host.url}/_control/fault", data="sleepy", timeout=5).status_code == 400


def test_the_file_of_a_beacon_is_what_its_hosts_answer(tmp_path: Path) -> None:
    file = tmp_path / "chain.json"
    file.write_text(json.dumps(CHAIN.info()))
    assert read_chain(file) == chain()
    for content, says in (
        ('{"schemeID": "pedersen-bls-chained"}', "describes no chain with the schemeID bls-unchained-g1-rfc9380"),
        (json.dumps(CHAIN.info() | {"period": "three"}), "describes no chain of a beacon"),
        (json.dumps(CHAIN.info() | {"hash": "52db"}), "hash is not 32 bytes in hexadecimal"),
        ("<html>", "describes no chain of a beacon"),
    ):
        file.write_text(content)
        with pytest.raises(BadSetting, match=says):
            read_chain(file)
    with pytest.raises(BadSetting, match="cannot be read"):
        read_chain(tmp_path / "none.json")
