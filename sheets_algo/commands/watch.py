"""The command `watch`: start watchers for the workbooks of the command line or the settings."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sheets_algo.commands.opening import with_site
from sheets_algo.config.settings import FILE, Settings, settings
from sheets_algo.forecasts.sampling import WorkerLost
from sheets_algo.forms.rulesets import open_forms
from sheets_algo.runtime.locate import WorkbookRef, open_workbooks
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.session import Subscriber
from sheets_algo.runtime.watch.event_log import EventLog, log_to
from sheets_algo.runtime.watch.supervisor import StatusWriter, Supervisor, write_heartbeat
from sheets_algo.runtime.watch.watcher import Watcher
from sheets_algo.workbook.errors import BadSetting, Interrupted, WorkbookError
from sheets_algo.workbook.store import RetryNotice, WorkbookAddress
from sheets_algo.workbook.stores import find

if TYPE_CHECKING:
    from sheets_algo.posting.posting_thread import PostingThread

PATIENCE_S = 20.0
"""Seconds for which a watcher repeats a failing request before it reports an error and polls less often."""
POSTING_GRACE_S = 5.0
"""Seconds left to a post in progress after a signal; a slower one is Unsure at the next start."""
POSTING_SHARE = 2
"""Divisor of the requests a minute: the share that posting may use in addition."""


def watch(
    *,
    workbooks: Sequence[WorkbookAddress],
    interval: str | None,
    log_json: bool,
    heartbeat: Path | None,
    metrics: Path | None,
    port: int | None,
    cluster: str | None,
    verbose: bool,
    stop: threading.Event,
    **flags: Any,
) -> None:
    """Watch one workbook or several until stopped."""
    for file, option in ((heartbeat, "--heartbeat"), (metrics, "--metrics")):
        if file is not None and not file.parent.is_dir():
            raise click.BadParameter(f"there is no folder {file.parent}; make it first.", param_hint=option)
    for name in ("config", "maps") if cluster is not None else ():
        if flags[name] is not None:
            raise click.BadParameter(f"write it into the {FILE} of the workers.", param_hint=f"--{name}")
    flags["interval"] = interval
    chosen = settings(Path(), flags)
    make = partial(Watcher, interval=chosen.interval, stop=stop) if cluster is None else _remote(cluster, chosen, stop)
    watchers: dict[str, Watcher] = {}

    def log_retry(id: str, sentence: str) -> None:
        watchers[id].log_retry(sentence)

    with log_to(sys.stderr, as_json=log_json, verbose=verbose):
        try:
            addresses = list(dict.fromkeys(workbooks or _configured_workbooks(chosen)))
            addresses += [address for address in _adopted(chosen) if address not in addresses]
            if (chosen.adopt or len(addresses) > 1) and season_secret.from_environment():
                raise BadSetting(
                    f"{season_secret.VARIABLE}: with adopt, or several workbooks, each game needs a secret of its own:"
                    " unset it, and keep the secret of each season as a file in the folder of its workbook."
                )
            refs, posters = _workbook_refs(addresses, flags, log_retry, stop, cluster)
        except Interrupted:
            EventLog().log("stopped", "Stopped.")
            return
        watchers |= {ref.key: make(ref) for ref in refs}
        writers: list[StatusWriter] = []
        if heartbeat is not None:
            writers.append(lambda watchers: write_heartbeat(heartbeat, watchers, time.time()))
        if metrics is not None:
            from sheets_algo.runtime.watch.metrics import write

            writers.append(lambda watchers: write(metrics, watchers))
        for poster in posters:
            poster.thread.start()
        supervisor = Supervisor([*watchers.values()], stop, writers)

        if port is not None:
            from sheets_algo.runtime.watch.host_page import HostPage

            try:
                page_port = HostPage(port, lambda: supervisor.watchers).port
            except OSError as error:
                raise click.BadParameter(f"{port} cannot be used ({error.strerror}).", param_hint="--port") from error
            EventLog().log("page", f"How they are doing is on http://127.0.0.1:{page_port}/.")

        def add(address: WorkbookAddress) -> None:
            (ref,), own = _workbook_refs([address], flags, log_retry, stop, cluster)
            watchers[ref.key] = make(ref)
            for poster in own:
                poster.thread.start()
            posters.extend(own)
            supervisor.add(watchers[ref.key])

        def drop(watcher: Watcher) -> None:
            supervisor.drop(watcher)
            for poster in posters:
                if poster.key == watcher.ref.key:
                    poster.is_dropped = True

        if chosen.adopt:
            from sheets_algo.commands.adoption import Adopter

            Adopter(chosen, watchers, add, drop, stop, PATIENCE_S).thread.start()
        supervisor.run()
        deadline = time.monotonic() + POSTING_GRACE_S
        for poster in posters:
            poster.thread.join(max(0.0, deadline - time.monotonic()))


def _configured_workbooks(chosen: Settings) -> list[WorkbookAddress]:
    """Return the workbooks of the settings."""
    if not chosen.workbooks and not chosen.adopt:
        raise click.UsageError(f'Name a workbook, or list some in {FILE}: workbooks = ["https://docs.google.com/..."].')
    try:
        return [find(address) for address in chosen.workbooks]
    except WorkbookError as error:
        raise BadSetting(f"workbooks: {error}") from error


def _adopted(chosen: Settings) -> list[WorkbookAddress]:
    """Return the adopted workbooks that were shared with the account."""
    if not chosen.adopt:
        return []
    from sheets_algo.commands.adoption import adopted

    return [find(key) for key in adopted(chosen.data_folder)]


def _workbook_refs(
    addresses: Sequence[WorkbookAddress],
    flags: Mapping[str, Any],
    log_retry: RetryNotice,
    stop: threading.Event,
    cluster: str | None,
) -> tuple[list[WorkbookRef], list[PostingThread]]:
    """Return a reference to each workbook, with the settings of its folder, and the posters of its receipts.

    Raises:
        ConfigError: The tables of a workbook cannot be used, for which waiting would not help.
    """
    refs: list[WorkbookRef] = []
    posters: list[PostingThread] = []
    for folder in dict.fromkeys(address.folder for address in addresses):
        inside = [address for address in addresses if address.folder == folder]
        chosen = settings(folder, flags)
        opened_refs = open_workbooks(
            inside, chosen, patience_s=PATIENCE_S, on_retry=log_retry, stop=stop, interval=chosen.interval
        )
        for address, ref in zip(inside, opened_refs, strict=True):
            # On a cluster the worker does what follows a commit, except for posting.
            ref = with_site(ref, chosen) if cluster is None else _with_subscribers(ref, ())
            ref, poster = _with_posting(ref, address, chosen, stop)
            refs.append(ref)
            posters += [poster] if poster else []
    for ref in refs:
        open_forms(ref.session.library, own_maps=ref.session.own_maps)
    return refs, posters


def _with_posting(
    ref: WorkbookRef, address: WorkbookAddress, chosen: Settings, stop: threading.Event
) -> tuple[WorkbookRef, PostingThread | None]:
    """Return a reference whose commits wake the thread that posts receipts, and that thread, if there are channels.

    The thread opens its own workbook, since a workbook must not be shared between threads.
    """
    if not ref.session.channels:
        return ref, None
    from sheets_algo.posting.open_channels import open_channels
    from sheets_algo.posting.poster import Poster
    from sheets_algo.posting.posting_thread import PostingThread

    few = replace(chosen, requests=max(1, chosen.requests // POSTING_SHARE))
    (posting_ref,) = open_workbooks([address], few, patience_s=PATIENCE_S, stop=stop)
    poster = Poster(posting_ref.session, open_channels(posting_ref.session.channels))
    posting = PostingThread(poster, stop, ref.key)
    return _with_subscribers(ref, (*ref.session.on_committed, posting.wake)), posting


def _with_subscribers(ref: WorkbookRef, subscribers: tuple[Subscriber, ...]) -> WorkbookRef:
    return replace(ref, session=replace(ref.session, on_committed=subscribers))


def _remote(cluster: str, chosen: Settings, stop: threading.Event) -> Callable[[WorkbookRef], Watcher]:
    """Return the factory of watchers with passes on a cluster.

    Raises:
        BadEdit: Dask is not installed here, or the address is invalid.
    """
    from sheets_algo.runtime.watch.cluster_watcher import ClusterLink, ClusterWatcher

    link = ClusterLink(cluster, open_on_worker)
    with suppress(WorkerLost):  # each watcher reports it and tries again
        link.connect()

    def make(ref: WorkbookRef) -> Watcher:
        if not ref.session.workbook.url:
            raise click.BadParameter(
                f"{ref.key} is a file of this computer; name spreadsheets, or leave --cluster out.",
                param_hint="--cluster",
            )
        return ClusterWatcher(ref, chosen.interval, stop, link=link)

    return make


def open_on_worker(url: str, elsewhere: Callable[[str, int, str], object]) -> WorkbookRef:
    """Return a reference to a workbook on a worker of a cluster, with the settings of the folder that it runs in.

    Raises:
        ExpectedError: The settings, credentials or tables there cannot be used.
    """
    address = find(url)
    chosen = settings(address.folder, {})
    (ref,) = open_workbooks([address], chosen, patience_s=PATIENCE_S, elsewhere=elsewhere)
    return with_site(ref, chosen)
