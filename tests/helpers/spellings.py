"""Spellings of names, for whatever compares names: the program, and the script of the board in a spreadsheet."""

from __future__ import annotations

import unicodedata

ONE_NAME = [
    ("Québec", unicodedata.normalize("NFD", "QUÉBEC")),
    ("Harold’s Realm", "harold's  realm"),
    ("Hawai\u02bbi", "Hawai`i"),
    ("Côte d´Ivoire", "Côte d\uff07Ivoire"),
    ("Austria–Hungary", "Austria-Hungary"),
    ("Austria\u2011Hungary", "Austria\u2212Hungary"),
    ("Ǆ", "ǆ"),
    ("한국", unicodedata.normalize("NFD", "한국")),
    ("Großmähren", "GROSSMÄHREN"),
    (" W-0002\u00a0", "w–0002"),
]
TWO_NAMES = [
    ("Cote", "Côte"),
    ("Austria Hungary", "Austria-Hungary"),
    ("Harolds", "Harold's"),
    ("Ｏsk", "Osk"),
    ("ı", "i"),
]
