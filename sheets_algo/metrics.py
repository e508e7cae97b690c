"""Counters in the text format of Prometheus, in a file that its node exporter (or anything else) collects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from prometheus_client import CollectorRegistry, write_to_textfile
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from sheets_algo.watcher import Watcher

LABELS = ("workbook", "key")

COUNTERS: Sequence[tuple[str, str, Callable[[Watcher], float]]] = (
    ("passes", "Looks that ended well.", lambda it: it.tally.passes + it.tally.idle),
    ("failures", "Looks that did not.", lambda it: it.tally.failures),
    ("rulings", "Requests ruled.", lambda it: it.tally.rulings),
    ("reads", "Read requests sent to Google.", lambda it: _sent(it, "reads")),
    ("writes", "Write requests sent to Google.", lambda it: _sent(it, "writes")),
    ("retries", "Requests that were sent again.", lambda it: _sent(it, "retries")),
    ("wait_seconds", "Time spent waiting for Google's or the own limits.", lambda it: _sent(it, "waited_s")),
)
GAUGES: Sequence[tuple[str, str, Callable[[Watcher], float]]] = (
    ("refused_requests", "Requests that show a mistake now.", lambda it: it.tally.refused),
    ("healthy", "1 after a look that ended well, else 0.", lambda it: it.tally.state == "well"),
    ("last_success_timestamp_seconds", "When a look ended well.", lambda it: it.tally.last_success or 0),
)


def write(file: Path, watchers: Sequence[Watcher]) -> None:
    """Rewrite the file, whole or not at all.

    Raises:
        OSError: It cannot be written.
    """
    registry = CollectorRegistry()
    registry.register(_Counted(watchers))
    write_to_textfile(str(file), registry)


class _Counted(Collector):
    def __init__(self, watchers: Sequence[Watcher]) -> None:
        self._watchers = watchers

    def collect(self) -> Iterator[Metric]:
        for kind, metrics in ((CounterMetricFamily, COUNTERS), (GaugeMetricFamily, GAUGES)):
            for name, about, value in metrics:
                family = kind(f"sheets_algo_{name}", about, labels=LABELS)
                for watcher in self._watchers:
                    family.add_metric((watcher.site.place.workbook.name, watcher.site.key), float(value(watcher)))
                yield family


def _sent(watcher: Watcher, what: str) -> float:
    """Of the requests to Google; a file needs none."""
    google = watcher.site.google
    return float(getattr(google.api.counts, what)) if google else 0.0
