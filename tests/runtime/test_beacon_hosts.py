"""Rounds over HTTP from hosts that fail in every way or answer anything; they are real servers here (LUCK-05)."""

from __future__ import annotations

import json
import logging
import socket
import sys
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec
import pytest
import requests
from hypothesis import given, settings
from hypothesis import strategies as st
from localbeacon.chain import chain_hash
from localbeacon.server import FAULTS, LocalBeacon, whole

from scripts.support.local_beacon import BEGIN, CHAIN, Clock, beacons, chain
from sheets_algo.ruling.luck.beacon import LATEST, QUICKNET, UNCHECKED, Round, Rounds
from sheets_algo.runtime.session.beacon_hosts import ANSWERS, HOSTS, TIMEOUT_S, BeaconHosts, read_chain
from sheets_algo.workbook.errors import BadSetting
from tests.helpers.example_budget import BUDGET

HOME = Path(__file__).parents[2]
OUT, COMING = 100_000, 100_010
LAST = msgspec.convert(CHAIN.round(100_001), Round)
SAYS = {
    "late": "the round is not out yet",
    "wrong": "its latest round is not genuine",
    "other": "it answers with another round",
    "lying": "its latest round is not genuine",
    "chain": "it answers for another chain",
    "silent": "no answer within 1.5 seconds",
    "reset": "no connection",
    "half": "its answer ",
    "500": "status 500",
    "page": "its answer cannot be read",
    "drip": "no answer within 1.5 seconds",
    "endless": "its answer is longer than 10,000 bytes",
    "negative": "its answer cannot be read",
    "huge": "its answer cannot be read",
    "far": "its latest round is not genuine",
    "early": "its latest round is more than a day ahead of this computer's clock",
    "types": "its answer cannot be read",
    "twice": "its answer cannot be read",
    "deep": "its answer cannot be read",
    "nan": "its answer cannot be read",
    "bytes": "its answer cannot be read",
    "packed": "its answer cannot be read",
    "redirect": "status 302",
}
SLOW = {"silent", "drip"}
PATIENCE_S = 1.5
"""How long a slow host is waited for; a sound one beside it answers sooner on a busy machine, too."""


def asked(*faults: str, wanted: int = OUT, clock: Clock | None = None):  # type: ignore[no-untyped-def]
    with beacons(clock or Clock(), *faults) as hosts:
        urls = [host.url for host in hosts]
        patience = PATIENCE_S if SLOW & {*faults} else 5.0
        return BeaconHosts(urls, patience)(chain(), frozenset({wanted, LATEST}), BEGIN), hosts


def test_the_program_s_quicknet_has_the_hash_computed_by_drand() -> None:
    """The hash stands for all of them; the digest of the members is what hosts of quicknet answer."""
    members = bytes.fromhex("f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e")
    key = bytes.fromhex(QUICKNET.public_key)
    assert chain_hash(QUICKNET.period, QUICKNET.genesis_time, key, members, "quicknet") == QUICKNET.hash


def test_luck_05_a_working_host_gives_the_latest_and_published_rounds() -> None:
    rounds, (host,) = asked("")
    assert (rounds.latest, [*rounds.by_number], rounds.trouble) == (LAST, [OUT], "")
    assert rounds.by_number[OUT].signature == CHAIN.signature(OUT).hex()
    assert [path.split("/", 2)[2] for path in host.asked] == ["info", "public/latest", f"public/{OUT}"]


@pytest.mark.parametrize("fault", FAULTS)
def test_luck_05_the_next_host_replaces_a_failing_one(fault: str) -> None:
    assert FAULTS.keys() == SAYS.keys()
    alone, _ = asked(fault)
    assert alone.by_number == {}
    assert alone.trouble.startswith("the beacon gives no round that can be used (http://127.0.0.1:")
    assert SAYS[fault] in alone.trouble

    helped, _ = asked(fault, "")
    assert helped.by_number[OUT].signature == CHAIN.signature(OUT).hex()
    assert helped.trouble == ""
    assert [SAYS[fault] in says for says in helped.failed] == [True]


def test_luck_05_moderators_are_told_the_time_lost_by_silent_hosts() -> None:
    text = " ".join((HOME / "docs" / "fair-play.md").read_text(encoding="utf-8").split())
    assert f"Each answer is waited for {TIMEOUT_S:g} seconds" in text
    assert f"all answers of a host at one look for {ANSWERS * TIMEOUT_S:g}" in text
    assert f"all four hosts of drand {len(HOSTS) * TIMEOUT_S:g}; a host" in text


def test_luck_05_a_dripping_host_is_not_queried_again_before_it_ends() -> None:
    with beacons(Clock(), "drip", "") as (slow, sound):
        hosts = BeaconHosts([slow.url, sound.url], PATIENCE_S)
        looks = [hosts(chain(), frozenset({LATEST}), BEGIN) for _ in range(3)]
    assert len(slow.asked) == 1
    assert [look.latest for look in looks] == [LAST] * 3
    assert {says.split(": ")[1] for look in looks for says in look.failed} == {SAYS["drip"]}


def test_luck_05_no_host_is_queried_if_signatures_cannot_be_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sheets_algo.ruling.luck.bls", None)  # the import fails
    rounds, (host,) = asked("")
    assert (rounds, host.asked) == (Rounds(trouble=UNCHECKED), [])


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(2**62, 2**70) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(["round", "signature", "randomness", "hash", "public_key", "period", "genesis_time", "more"])
HEX = st.binary(max_size=50).map(bytes.hex)
SPOILT = st.dictionaries(NAMES, ANY_JSON | HEX, min_size=1, max_size=2).map(
    lambda fields: lambda sound: whole(json.dumps(json.loads(sound) | fields).encode())
)
"""Sound answers, in which fields have any value."""
HEADS = st.dictionaries(
    st.sampled_from(["Content_Length", "Content_Encoding", "Transfer_Encoding", "Location", "Content_Type"]),
    st.sampled_from(["0", "5", "-1", "x", "gzip", "deflate", "chunked", "/", "text/html; charset=utf-16"]),
    max_size=2,
)
ODD = st.tuples(st.sampled_from(HTTPStatus), HEADS).map(lambda odd: lambda sound: whole(sound, odd[0], **odd[1]))
"""Sound content under any head."""
ANYTHING = st.one_of(
    st.binary(max_size=60).map(lambda raw: lambda sound: raw),
    st.binary(max_size=60).map(lambda content: lambda sound: whole(content)),
    ANY_JSON.map(lambda value: lambda sound: whole(json.dumps(value).encode())),
    st.tuples(st.integers(0, 300), st.binary(max_size=3)).map(
        lambda cut: lambda sound: whole(sound[: cut[0]] + cut[1] + sound[cut[0] + 1 :])
    ),
    SPOILT,
    SPOILT,
    ODD,
)


@pytest.fixture(scope="module")
def pair() -> Iterator[list[LocalBeacon]]:
    with beacons(Clock(), "", "") as hosts:
        yield hosts


@settings(deadline=None, max_examples=round(40 * BUDGET))
@given(reply=ANYTHING, where=st.sampled_from(["/info", "/public/latest", f"/public/{OUT}"]))
def test_luck_05_any_answer_of_a_host_is_a_genuine_round_or_a_sentence(
    pair: list[LocalBeacon], reply: Any, where: str
) -> None:
    hostile, sound = pair
    hostile.reply = lambda path, content: reply(content) if path.endswith(where) else whole(content)
    genuine = CHAIN.signature(OUT).hex()

    alone = BeaconHosts([hostile.url], 2.0)(chain(), frozenset({OUT, LATEST}), BEGIN)
    if alone.trouble:
        assert alone.trouble.startswith(f"the beacon gives no round that can be used ({hostile.url}: ")
        assert alone.trouble.isprintable()
    assert {round.signature for round in alone.by_number.values()} <= {genuine}
    assert alone.latest in (None, LAST)

    helped = BeaconHosts([hostile.url, sound.url], 2.0)(chain(), frozenset({OUT, LATEST}), BEGIN)
    assert (helped.latest, helped.by_number[OUT].signature, helped.trouble) == (LAST, genuine, "")
    assert len(helped.failed) == bool(alone.trouble)


def test_luck_05_an_unpublished_round_is_not_requested() -> None:
    rounds, (host,) = asked("", wanted=COMING)
    assert (rounds.latest, rounds.by_number) == (LAST, {})
    assert "the round is not out yet" in rounds.trouble
    assert not [path for path in host.asked if str(COMING) in path]


@pytest.mark.parametrize("head", ["no header", "Content-Length: 9\r\nTransfer-Encoding: chunked"])
def test_luck_05_a_host_writes_nothing_into_the_log(
    head: str, pair: list[LocalBeacon], caplog: pytest.LogCaptureFixture
) -> None:
    pair[0].reply = lambda path, content: f"HTTP/1.0 200 OK\r\n{head}\r\n\r\n".encode() + content
    BeaconHosts([pair[0].url])(chain(), frozenset({LATEST}), BEGIN)
    assert [record.getMessage() for record in caplog.records if record.levelno > logging.DEBUG] == []


def test_luck_05_a_host_without_a_server_is_reported() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        rounds = BeaconHosts([f"http://me:word@127.0.0.1:{port}/token"])(chain(), frozenset({LATEST}), BEGIN)
    assert (rounds.latest, rounds.by_number) == (None, {})
    assert rounds.trouble == f"the beacon gives no round that can be used (http://127.0.0.1:{port}: no connection)"


def test_a_fault_can_be_set_while_the_host_runs() -> None:
    with beacons(Clock(), "") as (host,):
        assert requests.post(f"{host.url}/_control/fault", data="lying", timeout=60).ok
        assert BeaconHosts([host.url])(chain(), frozenset({LATEST}), BEGIN).latest is None
        assert requests.post(f"{host.url}/_control/fault", data="sleepy", timeout=60).status_code == 400


def test_the_file_of_a_beacon_equals_the_answer_of_its_hosts(tmp_path: Path) -> None:
    file = tmp_path / "chain.json"
    file.write_text(json.dumps(CHAIN.info()))
    assert read_chain(file) == chain()
    for content, says in (
        ('{"schemeID": "pedersen-bls-chained"}', "describes no chain with the schemeID bls-unchained-g1-rfc9380"),
        (json.dumps(CHAIN.info() | {"period": "three"}), "describes no chain of a beacon"),
        (json.dumps(CHAIN.info() | {"hash": "52db"}), "hash is not 32 bytes in hexadecimal"),
        ("<html>", "describes no chain of a beacon"),
        ("[" * 100_000, "describes no chain of a beacon"),
    ):
        file.write_text(content)
        with pytest.raises(BadSetting, match=says):
            read_chain(file)
    with pytest.raises(BadSetting, match="cannot be read"):
        read_chain(tmp_path / "none.json")
