"""Forecasts on a Dask cluster (`[cluster]` extra); the battles are the same on any number of workers."""

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

from sheets_algo.config.installation import missing
from sheets_algo.database.problems import count
from sheets_algo.forecasts import serialise
from sheets_algo.forecasts.machine_code import MANY
from sheets_algo.forecasts.process_code import SLOW
from sheets_algo.forecasts.questions import ForecastWar
from sheets_algo.forecasts.sampling import SECONDS, SampleBudget, SampleProgress, SampleResult, WorkerLost, refine
from sheets_algo.forecasts.serialise import Job, RulesMismatch, identity, pack_job
from sheets_algo.forms.edits import BadEdit

CONNECTING = 5.0
"""Seconds in which the scheduler must answer and a worker be available."""
GONE = 10.0
"""Seconds to wait for workers to come back; a restarted worker needs less."""
NAMED_MOST = 3
"""Maximum number of workers that a sentence lists."""
LOOK = 1.0
"""Seconds between two checks for remaining workers."""
PATIENCE = 2.0
"""Seconds after which a message explains the wait."""
LONG_ENOUGH = 0.5
"""Minimum seconds of a chunk, longer than on this machine because of the network."""
UNREACHABLE = (OSError, CancelledError, ValueError, RuntimeError)
"""Errors of Dask's client when the scheduler is lost; the last two after it has given up."""


@contextmanager
def cluster_refiner(
    address: str,
) -> Iterator[Callable[[Sequence[ForecastWar], SampleBudget, SampleProgress], SampleResult]]:
    """Return a context with a function like `refine_compiled` that fights on a cluster.

    Args:
        address: The address of the scheduler: `tcp://host:8786`.

    Raises:
        BadEdit: Dask is not installed here, or the address is invalid.
        WorkerLost: Nothing answers at the address, or there is no fit worker.
    """
    cluster = connect(address)
    try:
        cluster.wait_for_worker()
        cluster.compare_rules()
        yield cluster.refine
    finally:
        cluster.close()


def connect(address: str) -> Cluster:
    """Return the cluster of a scheduler, to be closed.

    Raises:
        BadEdit: Dask is not installed here, or the address is invalid.
        WorkerLost: Nothing answers at the address.
    """
    try:
        import dask
        from distributed import Client
    except ImportError as error:
        raise BadEdit(f"--cluster: {missing('Dask', 'cluster')}") from error
    for name in ("asyncio", "distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # errors are reported as one sentence
    warnings.filterwarnings("ignore", module="distributed")
    dask.config.set({"distributed.comm.timeouts.connect": CONNECTING})
    try:
        kind = asyncio.run(asyncio.wait_for(_kind(address), CONNECTING))
        if kind != "Scheduler":
            raise BadEdit(f"--cluster {address} is a {kind.lower()} of Dask; name its scheduler.")
        return Cluster(Client(address, timeout=CONNECTING), address)
    except ValueError as error:
        raise BadEdit(f'--cluster "{address}" is not an address of a scheduler. Type it as tcp://host:8786.') from error
    except TypeError as error:
        raise BadEdit(f"--cluster {address} needs certificates; name them in Dask's own configuration.") from error
    except (OSError, TimeoutError) as error:
        raise WorkerLost(
            f"No Dask scheduler answers at {address}. Check that it runs and that this machine can reach it,"
            " or leave --cluster out."
        ) from error


async def _kind(address: str) -> str:
    """Return the type of a Dask server: `Scheduler`, `Worker` ...; Dask's client would wait for others forever."""
    from distributed import rpc
    from distributed.security import Security

    async with rpc(address, connection_args=Security().get_connection_args("client")) as server:
        return str((await server.identity())["type"])


class Cluster:
    """Workers in other processes and on other machines."""

    def __init__(self, client: Any, address: str) -> None:
        self.address = address
        self._client = client

    def refine(self, wars: Sequence[ForecastWar], budget: SampleBudget, progress: SampleProgress) -> SampleResult:
        """Fight some wars side by side on all workers, as `refine` does on this machine.

        Args:
            budget: The budget; its time begins when the workers are ready.
        """
        battles = len(wars) * budget.runs if budget.seconds >= SECONDS else 0
        jobs = [pack_job(war, battles) for war in wars]
        try:
            self._prepare(jobs[0])
            threads = budget.threads or sum(self.workers().values())
            fights = [self._submit(identity, job) for job in jobs]  # once, not with each chunk
        except KeyboardInterrupt:
            return SampleResult((), "stopped")
        except WorkerLost as lost:
            return SampleResult((), "lost", str(lost))
        return refine(fights, replace(budget, threads=threads), progress, executor=self, long_enough=LONG_ENOUGH)

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> PendingCall:
        """Let a worker call a function.

        Raises:
            WorkerLost: The scheduler does not answer.
        """
        return PendingCall(self, self._submit(function, *arguments), self._has_workers)

    def call(self, function: Callable[..., Any], *arguments: Any, resource: str = "", worker: str = "") -> Any:
        """Let a worker call a function, and return the result.

        Args:
            resource: The name of a resource; if any worker has it, only such workers are asked.
            worker: The address of the only worker that is asked, if it is there.

        Raises:
            WorkerLost: The call can no longer be finished.
        """
        options: dict[str, Any] = {}
        can_finish = self._has_workers
        if resource in self._resources():
            options, can_finish = {"resources": {resource: 1}}, lambda: resource in self._resources()
        elif self._has(worker):
            options, can_finish = {"workers": [worker]}, partial(self._has, worker)
        future = self._submit(function, *arguments, **options)
        try:
            return PendingCall(self, future, can_finish).result()
        except (ImportError, AttributeError) as error:  # of unpickling: the worker's program lacks the function
            raise WorkerLost(self._version_problem(("a worker",))) from error
        except WorkerLost as lost:
            if self._has_workers():
                raise WorkerLost(f"The cluster at {self.address} lost the worker that was asked.") from lost
            raise
        finally:
            future.release()  # otherwise Dask would repeat the call after a later loss of the worker

    def _resources(self) -> set[str]:
        """Return the names of the resources that workers have.

        Raises:
            WorkerLost: The scheduler does not answer.
        """
        try:
            workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
        except (*UNREACHABLE, KeyError) as error:  # Dask reports no workers while it has no connection
            raise self.scheduler_lost() from error
        return {name for worker in workers for name in worker["resources"]}

    @property
    def is_closed(self) -> bool:
        """Return True if the connection has ended for good; Dask repairs a short loss."""
        return self._client.status in ("closing", "closed", "failed")

    def close(self) -> None:
        """End the connection."""
        self._client.close(timeout=LOOK)

    def _submit(self, function: Callable[..., Any], /, *arguments: Any, **options: Any) -> Any:
        """Submit a call to Dask and return its future."""
        try:
            return self._client.submit(function, *arguments, pure=False, **options)
        except UNREACHABLE as error:
            raise self.scheduler_lost() from error

    def workers(self) -> dict[str, int]:
        """Return the number of threads of each worker by its address.

        Raises:
            WorkerLost: The scheduler does not answer.
        """
        try:
            return dict(self._client.nthreads())
        except UNREACHABLE as error:
            raise self.scheduler_lost() from error

    def wait_for_worker(self) -> None:
        """Wait for a first worker.

        Raises:
            WorkerLost: There is none in time.
        """
        try:
            self._client.wait_for_workers(1, timeout=CONNECTING)
        except TimeoutError as error:
            raise WorkerLost(
                f"The cluster at {self.address} has no worker. Start one: dask worker {self.address}"
            ) from error

    def compare_rules(self) -> None:
        """Check that the scheduler and all workers have this version of the program.

        Raises:
            WorkerLost: One of them has another version, or none.
        """
        path = f"{serialise.__name__}:RULES"
        try:
            versions = {**self._client.run(pkgutil.resolve_name, path, on_error="return"), "its scheduler": None}
            with suppress(ImportError, AttributeError):
                versions["its scheduler"] = self._client.run_on_scheduler(pkgutil.resolve_name, path)
        except UNREACHABLE as error:
            raise self.scheduler_lost() from error
        # A worker that has just connected was not asked.
        names = (*(name for name in self.workers() if name in versions), "its scheduler")
        others = [name for name in names if versions[name] != serialise.RULES]
        if others:
            raise WorkerLost(self._version_problem(others))

    def _version_problem(self, workers: Sequence[str]) -> str:
        listed = ", ".join(workers[:NAMED_MOST]) + (
            f" and {len(workers) - NAMED_MOST} more" if len(workers) > NAMED_MOST else ""
        )
        return (
            f"The cluster at {self.address} has no sheets-algo of this version on {listed};"
            " install it there and start it anew."
        )

    def _prepare(self, job: Job) -> None:
        """Let each worker compile its rulesets before the time begins."""
        from distributed import wait

        workers = self.workers()
        futures = {worker: self._submit(Job.get_ready, job, workers=[worker]) for worker in workers}
        try:
            wait(list(futures.values()), timeout=PATIENCE)
        except TimeoutError:
            click.echo(f"Getting {count(len(workers), 'worker')} ready; where they have to compile, {SLOW}.", err=True)
        except CancelledError:
            pass  # reported below
        obstacles = []
        for worker, future in futures.items():
            try:
                obstacles.append(PendingCall(self, future, partial(self._has, worker)).result())
            except WorkerLost:
                if len(workers) == 1 or not self.workers():
                    raise
        reasons = sorted(set(filter(None, obstacles)))
        if reasons and job.battles >= MANY:
            click.echo(
                f"Python fights the battles on {sum(map(bool, obstacles))} of {count(len(obstacles), 'worker')},"
                f" about a hundred times slower than machine code: {'; '.join(reasons)}.",
                err=True,
            )

    def _has(self, worker: str) -> bool:
        return worker in self.workers()

    def _has_workers(self) -> bool:
        return bool(self.workers())

    def scheduler_lost(self) -> WorkerLost:
        """Return the error for a scheduler that no longer answers."""
        return WorkerLost(
            f"The cluster at {self.address} does not answer any more; check that its scheduler still runs."
        )

    def translate_error(self, error: Exception) -> Exception:
        """Return the error to raise for an error in a worker: WorkerLost, or the error of the battle itself."""
        match error:
            case CancelledError() | OSError():
                return self.scheduler_lost()
            case RulesMismatch():
                return WorkerLost(self._version_problem(("a worker that came later",)))
            case _ if type(error).__name__ == "KilledWorker":
                return WorkerLost(f"The cluster at {self.address} lost one worker after another; read their logs.")
        return error


@dataclass(frozen=True, slots=True)
class PendingCall:
    """Call of a function that a worker has not finished yet."""

    cluster: Cluster  # The cluster of the worker
    future: Any  # The future of Dask
    can_finish: Callable[[], bool]  # A function that returns True while there is a worker left to finish the call

    def result(self) -> Any:
        """Wait for the result and return it.

        Raises:
            WorkerLost: The call can no longer be finished.
        """
        last_seen = time.monotonic()
        while True:
            try:
                return self.future.result(timeout=LOOK)
            except TimeoutError as error:
                if self.can_finish():
                    last_seen = time.monotonic()
                elif time.monotonic() - last_seen > GONE:
                    raise WorkerLost(f"The cluster at {self.cluster.address} has no worker any more.") from error
            except Exception as error:
                raise self.cluster.translate_error(error) from error

    def cancel(self) -> None:
        """Cancel the call."""
        self.future.cancel()
