"""State of a watched workbook between passes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sheets_algo.forecasts.queue import ForecastQueue
from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.requests.status_columns import WrittenStatus


@dataclass(slots=True)
class WatchState:
    """State of a workbook between passes; no repair and no ruling depends on it."""

    # The content of each request in the last pass (`PassFindings.known`); None rules a new request at once.
    known: Mapping[str, str] | None = field(default_factory=dict)
    repairs: int = 0  # The number of consecutive passes that only repaired cells
    # The number of consecutive attempts without a write, since cells changed (RCP-35).
    stale_looks: int = 0
    forecasts: ForecastQueue = field(default_factory=ForecastQueue)  # The forecasts that are done or under way
    # The statuses after the last pass (`PassFindings.statuses`).
    last_statuses: Mapping[str, WrittenStatus] = field(default_factory=dict)
    # The digests of the maps that were drawn before rulings, by request.
    previews: Mapping[str, str] = field(default_factory=dict)

    def remember(self, plan: Plan) -> None:
        """Keep the digests of a plan for the next pass, if it compares any."""
        self.stale_looks = 0
        self.repairs = self.repairs + 1 if plan.writes.repaired else 0
        self.last_statuses = plan.findings.statuses
        if self.known is not None:
            self.known = plan.findings.known
