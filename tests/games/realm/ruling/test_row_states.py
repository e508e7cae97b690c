"""Rows of realm after their ruling (REQ-16)."""

from __future__ import annotations

from tests.helpers.row_states import a_reused_row_is_changed, an_equal_copy_is_for_another

REQUESTS = "Turn Requests"


def test_a_ruled_row_with_another_name_counts_as_changed() -> None:
    a_reused_row_is_changed("realm", REQUESTS, {"Realm": "another"})


def test_an_equal_copy_is_for_another_order() -> None:
    an_equal_copy_is_for_another("realm", REQUESTS, "order")
