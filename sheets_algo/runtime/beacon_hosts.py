"""Rounds of a beacon by HTTP, from the first host that gives genuine ones (LUCK-05).

Every host of drand answers `/HASH/info`, `/HASH/public/latest` and `/HASH/public/NUMBER`. None is trusted: a round with
a wrong hash or signature, or of another chain, is as good as no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import requests

from sheets_algo.ruling.beacon import LATEST, SCHEME, UNCHECKED, Chain, Round, Rounds, can_check_signatures
from sheets_algo.workbook.base import BadSetting
from sheets_algo.workbook.redact import one_line

HOSTS = ("https://api.drand.sh", "https://api2.drand.sh", "https://api3.drand.sh", "https://drand.cloudflare.com")
"""The hosts of drand quicknet that are asked unless the setting `beacons` names others."""
TIMEOUT_S = 5.0
"""Most seconds for a connection, and for an answer, before the next host is asked."""
LONGEST = 100_000
"""Most bytes of an answer that is read; a round has 300."""

Answer = TypeVar("Answer", Round, Chain)


class _HostFailed(Exception):
    """A host that gives no genuine answer; the text says why."""


@dataclass
class BeaconHosts:
    """The hosts of a beacon, asked one after the other.

    Args:
        hosts: The addresses of the hosts.
        timeout_s: Most seconds for a connection, and for an answer.
    """

    hosts: Sequence[str] = HOSTS
    timeout_s: float = TIMEOUT_S
    _known: set[tuple[str, str]] = field(default_factory=set)

    def __call__(self, chain: Chain, wanted: frozenset[int]) -> Rounds:
        """Return the latest round's number and those of the wanted rounds that are out."""
        if not can_check_signatures():
            return Rounds(trouble=UNCHECKED)
        latest, found, failures = 0, dict[int, Round](), list[str]()
        for host in self.hosts:
            try:
                latest = max(latest, self._latest(host, chain))
                for number in sorted(wanted - found.keys() - {LATEST}):
                    if number > latest:
                        raise _HostFailed("the round is not out yet")
                    found[number] = self._round(host, chain, str(number))
            except _HostFailed as failure:
                failures.append(f"{host}: {failure}")
            if latest and wanted <= found.keys() | {LATEST}:
                return Rounds(latest, found)
        return Rounds(latest, found, f"the beacon gives no round that can be used ({'; '.join(failures)})")

    def _latest(self, host: str, chain: Chain) -> int:
        """Return the number of a host's latest round; check first, once, that it knows the chain."""
        if (host, chain.hash) not in self._known:
            if self._get(host, f"{chain.hash}/info", Chain) != chain:
                raise _HostFailed("it answers for another chain")
            self._known.add((host, chain.hash))
        return self._round(host, chain, "latest").round

    def _round(self, host: str, chain: Chain, name: str) -> Round:
        round = self._get(host, f"{chain.hash}/public/{name}", Round)
        if name != "latest" and str(round.round) != name:
            raise _HostFailed("it answers with another round")
        if trouble := round.trouble(chain):
            raise _HostFailed(trouble if name != "latest" else "its latest round is not genuine")
        return round

    def _get(self, host: str, path: str, kind: type[Answer]) -> Answer:
        try:
            with requests.get(f"{host.rstrip('/')}/{path}", timeout=self.timeout_s, stream=True) as response:
                content = response.raw.read(LONGEST, decode_content=True)
        except requests.Timeout as error:
            raise _HostFailed(f"no answer within {self.timeout_s:g} seconds") from error
        except (requests.RequestException, OSError) as error:
            raise _HostFailed("no connection") from error
        except Exception as error:  # urllib3 has errors of its own while a body is read
            raise _HostFailed("its answer broke off") from error
        if not response.ok:
            raise _HostFailed(f"status {response.status_code}")
        try:
            return msgspec.json.decode(content, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise _HostFailed("its answer cannot be read") from error


def read_chain(file: Path) -> Chain:
    """Return the chain that a file describes, as a beacon does under `/HASH/info`.

    Raises:
        BadSetting: The file cannot be read, or describes no chain that the program can check.
    """
    try:
        content = file.read_bytes()
        described: Any = msgspec.json.decode(content)
        if not isinstance(described, dict) or described.get("schemeID") != SCHEME:
            raise BadSetting(f"beacon_chain: {file} describes no chain with the schemeID {SCHEME}.")
        return msgspec.convert(described, Chain)
    except OSError as error:
        raise BadSetting(f"beacon_chain: {file} cannot be read ({error.strerror}).") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadSetting(f"beacon_chain: {file} describes no chain of a beacon ({one_line(str(error))}).") from error
