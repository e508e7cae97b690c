"""Counters of watchers in the text format of Prometheus, in a file for its node exporter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from prometheus_client import generate_latest, write_to_textfile
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from sheets_algo.runtime.watch.watcher import Watcher

LABELS = ("workbook", "key")
CAUSES = "Read requests sent to Google, by what they were for."

COUNTERS: Sequence[tuple[str, str, Callable[[Watcher], float]]] = (
    ("passes", "Looks that ended well.", lambda watcher: watcher.tally.passes + watcher.tally.idle),
    ("failures", "Looks that did not.", lambda watcher: watcher.tally.failures),
    ("rulings", "Requests ruled.", lambda watcher: watcher.tally.rulings),
    ("reads", "Read requests sent to Google.", lambda watcher: _request_count(watcher, "reads")),
    ("writes", "Write requests sent to Google.", lambda watcher: _request_count(watcher, "writes")),
    ("retries", "Requests that were sent again.", lambda watcher: _request_count(watcher, "retries")),
    (
        "wait_seconds",
        "Time spent waiting for Google's or the own limits.",
        lambda watcher: _request_count(watcher, "waited_s"),
    ),
)
GAUGES: Sequence[tuple[str, str, Callable[[Watcher], float]]] = (
    ("refused_requests", "Requests that show a mistake now.", lambda watcher: watcher.tally.refused),
    ("healthy", "1 after a look that ended well, else 0.", lambda watcher: watcher.tally.state == "well"),
    ("reads_left", "Reads that may be sent now.", lambda watcher: watcher.ref.session.workbook.reads_left or 0),
    ("last_success_timestamp_seconds", "When a look ended well.", lambda watcher: watcher.tally.last_success or 0),
)


def write(file: Path, watchers: Sequence[Watcher]) -> None:
    """Rewrite the metrics file, whole or not at all.

    Raises:
        OSError: The file cannot be written.
    """
    write_to_textfile(str(file), _WatcherCollector(watchers))


def exposition(watchers: Sequence[Watcher]) -> bytes:
    """Return the metrics in the format of Prometheus over HTTP."""
    return generate_latest(_WatcherCollector(watchers))


class _WatcherCollector(Collector):
    def __init__(self, watchers: Sequence[Watcher]) -> None:
        self._watchers = watchers

    def collect(self) -> Iterator[Metric]:
        for kind, metrics in ((CounterMetricFamily, COUNTERS), (GaugeMetricFamily, GAUGES)):
            for name, about, value in metrics:
                family = kind(f"sheets_algo_{name}", about, labels=LABELS)
                for watcher in self._watchers:
                    family.add_metric((watcher.ref.session.workbook.name, watcher.ref.key), float(value(watcher)))
                yield family
        causes = CounterMetricFamily("sheets_algo_reads_by_cause", CAUSES, labels=(*LABELS, "cause"))
        for watcher in self._watchers:
            workbook = watcher.ref.session.workbook
            for cause, reads in (workbook.requests.causes if workbook.requests else {}).items():
                causes.add_metric((workbook.name, watcher.ref.key, cause), reads)
        yield causes


def _request_count(watcher: Watcher, counter: str) -> float:
    """Return a count of requests to a service; 0 for a workbook without one."""
    counts = watcher.ref.session.workbook.requests
    return float(getattr(counts, counter)) if counts else 0.0
