"""The checks of schedules: displaced cells that may stay."""

from __future__ import annotations

import pytest

from scripts.support.live.invariants import Witness
from scripts.support.live.stage import NATIONS, REQUESTS, Stage, small_season


@pytest.mark.parametrize(
    ("deeds", "named", "is_excused"),
    [
        ({"delete a nation"}, "Nations!B2 (England, Stability): 80 stands there.", True),
        ({"delete a nation"}, "Nations!B21 (England, Stability): 80 stands there.", False),
        ({"delete a nation"}, "'Our Nations'!B2 (England, Stability): 80 stands there.", False),
        ({"delete a nation"}, "", False),
        ({"sort nations"}, "Nations!B2 (England, Stability): 80 stands there.", False),
    ],
)
def test_a_displaced_cell_with_a_spoilt_repair_may_stay_if_reported(deeds, named, is_excused):
    with Stage.set(small_season()) as stage:
        witness = Witness(stage, deeds, named=named)
        witness.report_displaced(NATIONS, 1, 1, " is not what the receipts say")
    assert witness.violations == ([] if is_excused else ["Nations B2 is not what the receipts say"])


def test_a_cell_of_a_tab_with_a_blank_in_its_name_is_named_in_quotes():
    with Stage.set(small_season()) as stage:
        witness = Witness(stage, {"clear an id"}, named="'War Requests'!A3 (W-0002, Request): another id.")
        witness.report_displaced(REQUESTS, 2, 0, ": another id")
    assert witness.violations == []
