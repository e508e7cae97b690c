"""Which spellings of a name are one name."""

from __future__ import annotations

import unicodedata

from engine.columns import folded, loosely


def test_db_07_spellings_of_one_name() -> None:
    cases = [
        ("Québec", unicodedata.normalize("NFD", "QUÉBEC")),
        ("Harold’s Realm", "harold's  realm"),
        ("Hawai\u02bbi", "Hawai`i"),
        ("Côte d´Ivoire", "Côte d\uff07Ivoire"),
        ("Austria–Hungary", "Austria-Hungary"),
        ("Austria\u2011Hungary", "Austria\u2212Hungary"),
        ("Ǆ", "ǆ"),
        ("한국", unicodedata.normalize("NFD", "한국")),
    ]
    assert [(one, other, loosely(one), loosely(other)) for one, other in cases if loosely(one) != loosely(other)] == []


def test_db_07_spellings_of_two_names() -> None:
    cases = [
        ("Cote", "Côte"),
        ("Austria Hungary", "Austria-Hungary"),
        ("Harolds", "Harold's"),
        ("Ｏsk", "Osk"),
        ("ı", "i"),
    ]
    assert [(one, other, loosely(one), loosely(other)) for one, other in cases if loosely(one) == loosely(other)] == []


def test_a_seed_is_made_of_an_id_as_earlier_versions_read_it() -> None:
    assert folded(" W–0007’s\u00a0 É") == "w–0007’s é"
