"""A Dask cluster that fights the battles (`[cluster]` extra); on any number of workers they are the same."""

from __future__ import annotations

import asyncio
import logging
import pkgutil
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import click

from sheets_algo.forecasts import parcels
from sheets_algo.forecasts.asked import Asked
from sheets_algo.forecasts.edits import BadEdit
from sheets_algo.forecasts.haste import MANY, PATIENCE, SLOW
from sheets_algo.forecasts.parcels import OtherRules, Parcel, held, packed
from sheets_algo.forecasts.refining import SECONDS, Budget, Fought, Heard, Lost, refine
from sheets_algo.reports import count

CONNECTING = 5.0
"""Seconds in which the scheduler must answer and a worker be there."""
GONE = 10.0
"""Seconds after which nobody waits any longer for workers to come back; one that is started anew needs fewer."""
NAMED_MOST = 3
"""Workers that a sentence names."""
LOOK = 1.0
"""Seconds between two looks at who is left."""
LONG_ENOUGH = 0.5
"""Seconds of a chunk; longer than on this machine, for it travels."""
UNREACHABLE = (OSError, CancelledError, ValueError, RuntimeError)
"""What Dask's client raises when its scheduler has gone; the last two when it has given up itself."""


@contextmanager
def refining_on(address: str) -> Iterator[Callable[[Sequence[Asked], Budget, Heard], Fought]]:
    """As `refine_in_haste`, on a cluster, for as long as it is used.

    Args:
        address: Of its scheduler: `tcp://host:8786`.

    Raises:
        BadEdit: Dask is not installed here, or that is no address.
        Lost: Nobody answers there, or there is no worker.
    """
    try:
        import dask
        from distributed import Client
    except ImportError as error:
        raise BadEdit("--cluster needs Dask; install the extra: pip install 'sheets-algo[cluster]'.") from error
    for name in ("asyncio", "distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is said in a sentence
    warnings.filterwarnings("ignore", module="distributed")
    dask.config.set({"distributed.comm.timeouts.connect": CONNECTING})
    try:
        kind = asyncio.run(asyncio.wait_for(_kind(address), CONNECTING))
        if kind != "Scheduler":
            raise BadEdit(f"--cluster {address} is a {kind.lower()} of Dask; name its scheduler.")
        client = Client(address, timeout=CONNECTING)
    except ValueError as error:
        raise BadEdit(f'--cluster "{address}" is no address of a scheduler. Type it as tcp://host:8786.') from error
    except TypeError as error:
        raise BadEdit(f"--cluster {address} needs certificates; name them in Dask's own configuration.") from error
    except (OSError, TimeoutError) as error:
        raise Lost(
            f"No Dask scheduler answers at {address}. See that it runs and that this machine reaches it,"
            " or leave --cluster out."
        ) from error
    try:
        cluster = Cluster(client, address)
        cluster.wait_for_somebody()
        cluster.compare_rules()
        yield cluster.refine
    finally:
        client.close(timeout=LOOK)


async def _kind(address: str) -> str:
    """What answers there: `Scheduler`, `Worker` ...; Dask's client would wait for ever for what is no part of Dask."""
    from distributed import rpc
    from distributed.security import Security

    async with rpc(address, connection_args=Security().get_connection_args("client")) as there:
        return str((await there.identity())["type"])


class Cluster:
    """Workers in other processes and on other machines.

    Args:
        client: Of Dask, connected.
        address: Of its scheduler, as typed.
    """

    def __init__(self, client: Any, address: str) -> None:
        self.address = address
        self._client = client

    def refine(self, wars: Sequence[Asked], budget: Budget, heard: Heard) -> Fought:
        """Fight some wars side by side on all workers, as `refine` does on this machine.

        Args:
            wars: At least one.
            budget: When it is enough; its time begins when the workers are ready.
            heard: Who watches.
        """
        battles = len(wars) * budget.runs if budget.seconds >= SECONDS else 0
        packets = [packed(war, battles) for war in wars]
        try:
            self._get_ready(packets[0])
            threads = budget.threads or sum(self.workers().values())
            fights = [self._sent(held, parcel) for parcel in packets]  # once, not with each chunk
        except KeyboardInterrupt:
            return Fought((), "stopped")
        except Lost as lost:
            return Fought((), "lost", str(lost))
        return refine(fights, replace(budget, threads=threads), heard, executor=self, long_enough=LONG_ENOUGH)

    def submit(self, function: Callable[..., Any], /, *given: Any) -> Awaited:
        """Have a worker call a function.

        Raises:
            Lost: The scheduler does not answer.
        """
        return Awaited(self, self._sent(function, *given), self._has_somebody)

    def _sent(self, function: Callable[..., Any], /, *given: Any, **how: Any) -> Any:
        """What Dask makes of a call."""
        try:
            return self._client.submit(function, *given, pure=False, **how)
        except UNREACHABLE as error:
            raise self.gone() from error

    def workers(self) -> dict[str, int]:
        """Address of each to its number of threads.

        Raises:
            Lost: The scheduler does not answer.
        """
        try:
            return dict(self._client.nthreads())
        except UNREACHABLE as error:
            raise self.gone() from error

    def wait_for_somebody(self) -> None:
        """Wait for a first worker.

        Raises:
            Lost: None comes.
        """
        try:
            self._client.wait_for_workers(1, timeout=CONNECTING)
        except TimeoutError as error:
            raise Lost(f"The cluster at {self.address} has no worker. Start one: dask worker {self.address}") from error

    def compare_rules(self) -> None:
        """See that everybody has this program: who has not would fall over what it is sent.

        Raises:
            Lost: Somebody has another, or none.
        """
        where = f"{parcels.__name__}:RULES"
        try:
            found = {**self._client.run(pkgutil.resolve_name, where, on_error="return"), "its scheduler": None}
            with suppress(ImportError, AttributeError):
                found["its scheduler"] = self._client.run_on_scheduler(pkgutil.resolve_name, where)
        except UNREACHABLE as error:
            raise self.gone() from error
        there = (*(who for who in self.workers() if who in found), "its scheduler")  # who has just come was not asked
        others = [who for who in there if found[who] != parcels.RULES]
        if others:
            raise Lost(self._other_rules(others))

    def _other_rules(self, who: Sequence[str]) -> str:
        return (
            f"The cluster at {self.address} has no sheets-algo of this version on {named(who)};"
            " install it there and start it anew."
        )

    def _get_ready(self, parcel: Parcel) -> None:
        """Let each worker compile what it has to before the time begins."""
        from distributed import wait

        workers = self.workers()
        asked = {it: self._sent(Parcel.get_ready, parcel, workers=[it]) for it in workers}
        try:
            wait(list(asked.values()), timeout=PATIENCE)
        except TimeoutError:
            click.echo(f"Getting {count(len(workers), 'worker')} ready; where they have to compile, {SLOW}.", err=True)
        except CancelledError:
            pass  # told below
        found = []
        for worker, future in asked.items():
            try:
                found.append(Awaited(self, future, partial(self._has, worker)).result())
            except Lost:
                if len(workers) == 1 or not self.workers():
                    raise
        reasons = sorted(set(filter(None, found)))
        if reasons and parcel.battles >= MANY:
            click.echo(
                f"Python fights the battles on {sum(map(bool, found))} of {count(len(found), 'worker')},"
                f" about a hundred times slower than need be: {'; '.join(reasons)}.",
                err=True,
            )

    def _has(self, worker: str) -> bool:
        return worker in self.workers()

    def _has_somebody(self) -> bool:
        return bool(self.workers())

    def gone(self) -> Lost:
        """The scheduler does not answer any more."""
        return Lost(f"The cluster at {self.address} answers no longer; see whether its scheduler still runs.")

    def lost(self, error: Exception) -> Exception:
        """What an error in a worker means: that it is no use any more, or a mistake of the battle itself."""
        match error:
            case CancelledError() | OSError():
                return self.gone()
            case OtherRules():
                return Lost(self._other_rules(("a worker that came later",)))
            case _ if type(error).__name__ == "KilledWorker":
                return Lost(f"The cluster at {self.address} lost one worker after another; look into their logs.")
        return error


def named(who: Sequence[str]) -> str:
    """A few names, or how many more there are."""
    return ", ".join(who[:NAMED_MOST]) + (f" and {len(who) - NAMED_MOST} more" if len(who) > NAMED_MOST else "")


@dataclass(frozen=True, slots=True)
class Awaited:
    """What a worker will have found out.

    Args:
        cluster: Whose.
        future: Of Dask.
        has_hope: Whether somebody is left to find it out.
    """

    cluster: Cluster
    future: Any
    has_hope: Callable[[], bool]

    def result(self) -> Any:
        """Wait for it.

        Raises:
            Lost: It will never be found out.
        """
        hopeful = time.monotonic()
        while True:
            try:
                return self.future.result(timeout=LOOK)
            except TimeoutError as error:
                if self.has_hope():
                    hopeful = time.monotonic()
                elif time.monotonic() - hopeful > GONE:
                    raise Lost(f"The cluster at {self.cluster.address} has no worker any more.") from error
            except Exception as error:
                raise self.cluster.lost(error) from error

    def cancel(self) -> None:
        """Nobody wants it any more."""
        self.future.cancel()
