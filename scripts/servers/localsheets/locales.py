"""Differences between countries in typing and showing numbers and dates."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Locale:
    """The conventions of a country.

    Attributes:
        decimal: The sign before decimals.
        group: The sign between thousands.
        is_month_first: Read 3/1 as the first of March.
        separator: The sign between the parts of a short date.
        currency: The sign of an amount of money.
    """

    decimal: str = "."
    group: str = ","
    is_month_first: bool = True
    separator: str = "/"
    currency: str = "$"

    def number(self, text: str) -> str:
        """Return a number written with `.` and `,` as the country writes it."""
        return text.translate({ord("."): self.decimal, ord(","): self.group})


_EURO = "€"
_LOCALES = {
    "en_US": Locale(),
    "en_GB": Locale(is_month_first=False, currency="£"),
    "en": Locale(is_month_first=False),
    "de": Locale(",", ".", False, ".", _EURO),
    "fr": Locale(",", "\u202f", False, "/", _EURO),
    "es": Locale(",", ".", False, "/", _EURO),
    "it": Locale(",", ".", False, "/", _EURO),
    "nl": Locale(",", ".", False, "-", _EURO),
    "pt": Locale(",", ".", False, "/", "R$"),
    "ru": Locale(",", "\xa0", False, ".", "₽"),
    "uk": Locale(",", "\xa0", False, ".", "₴"),
    "pl": Locale(",", "\xa0", False, ".", "zł"),
    "cs": Locale(",", "\xa0", False, ".", "Kč"),
    "sv": Locale(",", "\xa0", False, "-", "kr"),
    "nb": Locale(",", "\xa0", False, ".", "kr"),
    "da": Locale(",", ".", False, ".", "kr."),
    "fi": Locale(",", "\xa0", False, ".", _EURO),
    "tr": Locale(",", ".", False, ".", "₺"),
}


def locale_of(name: str) -> Locale:
    """Return the conventions of a spreadsheet's locale, `fr_FR` or `fr`; those of the United States if unknown."""
    return _LOCALES.get(name) or _LOCALES.get(name.partition("_")[0]) or _LOCALES["en_US"]
