"""Rounds of a beacon by HTTP, from the first host that gives genuine ones (LUCK-05).

Every host of drand answers `/HASH/info`, `/HASH/public/latest` and `/HASH/public/NUMBER`. None is trusted: after any
other answer, or a slow one, the next host is asked.
"""

from __future__ import annotations

import json
import logging
import queue
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from sheets_algo.ruling.luck.beacon import FAST_S, LATEST, SCHEME, UNCHECKED, Chain, Round, Rounds, can_check_signatures
from sheets_algo.workbook.errors import BadSetting
from sheets_algo.workbook.redact import one_line

HOSTS = ("https://api.drand.sh", "https://api2.drand.sh", "https://api3.drand.sh", "https://drand.cloudflare.com")
"""The hosts of drand quicknet that are asked unless the setting `beacons` names others."""
TIMEOUT_S = 5.0
"""Timeout of a host's whole answer in seconds, from name resolution to the last byte."""
ANSWERS = 3
"""The maximum number of such slow answers in one poll: the chain, the latest round and one more."""
LONGEST = 10_000
"""Maximum bytes of an answer; a round has 300."""
PIECE = 100
"""Bytes of an answer that are read at once."""

Answer = TypeVar("Answer", Round, Chain)
_ROUND = msgspec.json.Decoder(Round)
_CHAIN = msgspec.json.Decoder(Chain)


class _HostFailed(Exception):
    """A host without a genuine answer; the text gives the reason."""


@dataclass
class BeaconHosts:
    """The hosts of a beacon, asked one after the other."""

    hosts: Sequence[str] = HOSTS  # The addresses of the hosts
    timeout_s: float = TIMEOUT_S  # Maximum seconds that an answer is waited for
    _known: set[tuple[str, str]] = field(default_factory=set)
    _unended: dict[str, threading.Thread] = field(default_factory=dict)

    def __call__(self, chain: Chain, wanted: frozenset[int], now: float) -> Rounds:
        """Return the latest round and the published ones of the wanted rounds, at a time in Unix seconds."""
        if not can_check_signatures():
            return Rounds(trouble=UNCHECKED)
        for name in ("urllib3.connection", "urllib3.response"):  # they would log a traceback for a strange head
            logging.getLogger(name).setLevel(logging.ERROR)
        by_number, failures = dict[int, Round](), list[str]()
        latest: Round | None = None
        for address in self.hosts:
            host = _Host(self, address, chain, ANSWERS * self.timeout_s)
            try:
                latest = max(filter(None, (latest, host.latest(now))), key=attrgetter("round"))
                for number in sorted(wanted - by_number.keys() - {LATEST}):
                    if number > latest.round:
                        raise _HostFailed("the round is not out yet")
                    by_number[number] = host.round(str(number))
            except _HostFailed as failure:
                failures.append(f"{_name(address)}: {failure}")
            if latest and wanted <= by_number.keys() | {LATEST}:
                return Rounds(latest, by_number, failed=tuple(failures))
        return Rounds(latest, by_number, f"the beacon gives no round that can be used ({'; '.join(failures)})")


@dataclass
class _Host:
    """A host during one poll."""

    all: BeaconHosts  # The hosts of the beacon
    address: str
    chain: Chain  # The requested chain
    left_s: float  # The remaining seconds of its timeout

    def latest(self, now: float) -> Round:
        """Return its latest round; check first, once, that it knows the chain."""
        if (self.address, self.chain.hash) not in self.all._known:
            if self._get("info", _CHAIN) != self.chain:
                raise _HostFailed("it answers for another chain")
            self.all._known.add((self.address, self.chain.hash))
        round = self.round("latest")
        if self.chain.time_of(round.round) > now + FAST_S:
            raise _HostFailed("its latest round is more than a day ahead of this computer's clock")
        return round

    def round(self, name: str) -> Round:
        """Return a round by its number, or the latest."""
        round = self._get(f"public/{name}", _ROUND)
        if name != "latest" and str(round.round) != name:
            raise _HostFailed("it answers with another round")
        if trouble := round.trouble(self.chain):
            raise _HostFailed(trouble if name != "latest" else "its latest round is not genuine")
        return round

    def _get(self, path: str, decoder: msgspec.json.Decoder[Answer]) -> Answer:
        content = self._download(f"{self.address.rstrip('/')}/{self.chain.hash}/{path}")
        try:
            json.loads(content.decode(), object_pairs_hook=_unique)
            return decoder.decode(content)
        except (ValueError, RecursionError) as error:
            raise _HostFailed("its answer cannot be read") from error

    def _download(self, url: str) -> bytes:
        """Return the content of an answer within a time limit, however the host behaves.

        A thread waits for it: only so does one limit cover names, connections, heads and bodies that arrive byte by
        byte. A host is queried again after its thread has ended, so each has one thread at most.
        """
        before = self.all._unended.pop(self.address, None)
        answers: queue.SimpleQueue[bytes | Exception] = queue.SimpleQueue()
        thread = threading.Thread(target=lambda: answers.put(_answer(url, self.all.timeout_s)), daemon=True)
        begun = time.monotonic()
        try:
            if before and before.is_alive():
                thread = before
                raise queue.Empty
            thread.start()
            answer = answers.get(timeout=max(0.0, min(self.all.timeout_s, self.left_s)))
        except queue.Empty as error:
            self.all._unended[self.address] = thread
            raise _HostFailed(f"no answer within {self.all.timeout_s:g} seconds") from error
        self.left_s -= time.monotonic() - begun
        if isinstance(answer, Exception):
            import requests

            is_away = isinstance(answer, requests.RequestException | OSError)
            says = "no connection" if is_away else "its answer broke off"  # urllib3 has errors of its own
            raise answer if isinstance(answer, _HostFailed) else _HostFailed(says) from answer
        return answer


def _answer(url: str, timeout_s: float) -> bytes | Exception:
    """Return the content of an answer, or its error."""
    import requests  # takes a tenth of a second, and most seasons have no beacon

    plain = {"Accept-Encoding": "identity"}
    try:
        # The waiting thread gives up first, so that a slow host is always reported in the same words.
        with requests.get(url, timeout=2 * timeout_s, stream=True, allow_redirects=False, headers=plain) as response:
            if response.status_code != requests.codes.ok:
                raise _HostFailed(f"status {response.status_code}")
            content = b""
            while piece := response.raw.read(PIECE, decode_content=False):
                content += piece
                if len(content) > LONGEST:
                    raise _HostFailed(f"its answer is longer than {LONGEST:,} bytes")
            return content
    except Exception as error:
        return error


def _name(address: str) -> str:
    """Return the address of a host without a path, user or password."""
    scheme, _, rest = address.partition("//")
    return f"{scheme}//{rest.partition('/')[0].rpartition('@')[2]}"


def _unique(pairs: Iterable[tuple[str, Any]]) -> Mapping[str, Any]:
    """Return an object of JSON as a dictionary; refuse duplicate names."""
    pairs = list(pairs)
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a name is there twice")
    return values


def read_chain(file: Path) -> Chain:
    """Return the chain described in a file, in the format of `/HASH/info`.

    Raises:
        BadSetting: The file cannot be read, or describes no chain that the program can check.
    """
    try:
        content = file.read_bytes()
        described: Any = msgspec.json.decode(content)
        if not isinstance(described, dict) or described.get("schemeID") != SCHEME:
            raise BadSetting(f"beacon_chain: {file} describes no chain with the schemeID {SCHEME}.")
        return _CHAIN.decode(content)
    except OSError as error:
        raise BadSetting(f"beacon_chain: {file} cannot be read ({error.strerror}).") from error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadSetting(f"beacon_chain: {file} describes no chain of a beacon ({one_line(str(error))}).") from error
