"""Which word is proposed for a misspelled one."""

from __future__ import annotations

import pytest

from engine.words import nearest


@pytest.mark.parametrize(
    ("found", "allowed", "meant"),
    [
        ("fortifcations", ["training", "fortifications"], "fortifications"),
        ("HUSCARL", ["Levy Spearman", "Huscarl"], "Huscarl"),
        ("Dry", ["Arid", "Ocean"], ""),
        ("Dry", [], ""),
        ("", ["Arid"], ""),
        ("Manzikert", {"Manzikert II": 1, "Hastings": 2}, "Manzikert II"),
    ],
)
def test_the_word_most_alike_is_proposed_as_it_is_spelled(found, allowed, meant):
    assert nearest(found, allowed) == meant
