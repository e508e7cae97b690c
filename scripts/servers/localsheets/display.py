"""Values as a cell shows them: number formats, dates, the automatic format."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Any

from localsheets.cells import Fault, Scalar
from localsheets.locales import Locale, locale_of
from localsheets.typed import EPOCH, MONTHS

FIRST_DAY, LAST_DAY = -693_000, 2_958_465
"""The range of days that have a date: from the year 2 to 9999."""
MOMENTS = ("DATE", "TIME", "DATE_TIME")
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_DEFAULTS = {
    "NUMBER": "#,##0.00",
    "PERCENT": "0.00%",
    "CURRENCY": '"$"#,##0.00',
    "SCIENTIFIC": "0.00E+00",
    "DATE": "m/d/yyyy",
    "TIME": "h:mm:ss am/pm",
    "DATE_TIME": "m/d/yyyy h:mm:ss",
}
_TOKENS = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[(?P<elapsed>h+|m+|s+)\]|\[[^\]]*\]|_.|\*.'
    r"|(?P<half>am/pm|a/p)|(?P<part>y+|m+|d+|h+|s+)|(?P<fraction>\.0+)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)


def shown(value: Scalar, pattern: Mapping[str, Any], locale: str) -> str:
    """Return a value as text, formatted by a NumberFormat."""
    if value is None:
        return ""
    if isinstance(value, Fault):
        return value.text
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return value
    country = locale_of(locale)
    format = pattern.get("pattern") or _DEFAULTS.get(pattern.get("type", ""), "")
    if not format or format == "General" or pattern.get("type") == "TEXT":
        return country.number(general(value))
    section, value = _section(format, value)
    if pattern.get("type") in MOMENTS or _is_date(section):
        if not FIRST_DAY <= value < LAST_DAY:
            return country.number(general(value))
        return _moment(value, section, country)
    return _number(value, section, country)


def is_moment(value: Scalar, pattern: Mapping[str, Any]) -> bool:
    """Return True if a cell shows a date or a time."""
    return isinstance(value, int | float) and not isinstance(value, bool) and pattern.get("type") in MOMENTS


def general(value: float) -> str:
    """Return a number in the automatic format: ten digits, whole numbers in full up to fifteen."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    text = f"{value:.10g}"
    if "e" not in text:
        return text
    mantissa, _, exponent = text.partition("e")
    if -6 <= int(exponent) < 0:
        return f"{Decimal(text):f}"
    return f"{mantissa}E{exponent}"


def _section(pattern: str, value: float) -> tuple[str, float]:
    """Return the part of a pattern for the number's sign, and the number as that part shows it."""
    sections = re.findall(r'(?:"[^"]*"|\\.|[^;"\\])+', pattern)
    if len(sections) > 1 and value < 0:
        return sections[1], -value
    if len(sections) > 2 and value == 0:
        return sections[2], value
    return (sections[0] if sections else pattern), value


def _is_date(section: str) -> bool:
    found = {name for match in _TOKENS.finditer(section) if (name := match.lastgroup) in ("part", "half", "elapsed")}
    return bool(found) and not re.search(r"[0#?]", re.sub(r'"[^"]*"|\.0+', "", section))


def _number(value: float, section: str, country: Locale) -> str:
    masked = re.sub(r'"[^"]*"|\\.|\[[^\]]*\]', lambda match: "\0" * len(match[0]), section)
    digits = [place for place, sign in enumerate(masked) if sign in "0#?"]
    if not digits:
        return ("-" if value < 0 else "") + _literal(section, general(abs(value)))
    start, end = digits[0], digits[-1] + 1
    while end < len(masked) and masked[end] == ",":
        end += 1
    if start and masked[start - 1] == ".":
        start -= 1
    before, body, after = section[:start], masked[start:end], section[end:]
    number = Decimal(repr(value))
    number *= 100 ** masked.count("%")
    is_negative, number = number < 0, abs(number)
    head, _, exponent = re.sub(r"[^0#?.,Ee+-]", "", body).upper().partition("E")
    with localcontext(prec=400):  # every digit of the largest number
        text, is_zero = _scientific(number, head, exponent) if exponent else _fixed(number, head)
    sign = "-" if is_negative and not is_zero else ""
    return sign + _literal(before) + country.number(text) + _literal(after)


def _fixed(number: Decimal, body: str) -> tuple[str, bool]:
    integer, _, decimals = body.partition(".")
    scale = len(integer) - len(integer.rstrip(",")) if not decimals else len(decimals) - len(decimals.rstrip(","))
    number /= Decimal(1000) ** scale
    decimals, integer = decimals.rstrip(","), integer.rstrip(",")
    rounded = number.quantize(Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP)
    left, _, right = f"{rounded:f}".partition(".")
    least = len(re.sub("[#?,]", "", integer))
    left = left.lstrip("0").rjust(least, "0")
    if "," in integer:
        left = re.sub(r"(?<=\d)(?=(\d{3})+$)", ",", left)
    kept = len(decimals.rstrip("#?"))
    right = right[:kept] + right[kept:].rstrip("0")
    return (f"{left}.{right}" if right or (decimals and not kept and "." in body and right) else left), not rounded


def _scientific(number: Decimal, body: str, exponent: str) -> tuple[str, bool]:
    power = number.adjusted() if number else 0
    mantissa, is_zero = _fixed(number.scaleb(-power), body)
    if mantissa.startswith("10") and not body.startswith("00"):
        power += 1
        mantissa, is_zero = _fixed(number.scaleb(-power), body)
    sign = "-" if power < 0 else "+" if exponent.startswith("+") else ""
    return f"{mantissa}E{sign}{str(abs(power)).rjust(exponent.count('0'), '0')}", is_zero


def _literal(text: str, number: str = "") -> str:
    """Return the literal text of a pattern."""
    out = []
    for match in _TOKENS.finditer(text):
        if match["quoted"] is not None or match["escaped"]:
            out.append(match["quoted"] or match["escaped"] or "")
        elif match[0] == "@":
            out.append(number)
        elif match[0].startswith("_"):
            out.append(" ")
        elif match["part"] or match["half"] or match["other"] or match["fraction"]:
            out.append(match[0])
    return "".join(out)


def _moment(value: float, section: str, country: Locale) -> str:
    tokens = list(_TOKENS.finditer(section))
    total = timedelta(milliseconds=round(value * 86_400_000))
    day, clock = EPOCH + timedelta(days=total.days), total.seconds
    has_half = any(token["half"] for token in tokens)
    if not any(token["fraction"] for token in tokens) and total.microseconds >= 500_000:
        clock += 1
    hours, minutes, seconds = clock // 3600 % 24, clock // 60 % 60, clock % 60
    out: list[str] = []
    last = ""
    for place, token in enumerate(tokens):
        if token["elapsed"]:
            unit = token["elapsed"][0].lower()
            count = int(total.total_seconds()) // {"h": 3600, "m": 60, "s": 1}[unit]
            out.append(str(count).rjust(len(token["elapsed"]), "0"))
            last = unit
        elif token["half"]:
            word = "AM" if hours < 12 else "PM"
            out.append(word if len(token["half"]) > 3 else word[0])
        elif token["part"]:
            unit, size = token["part"][0].lower(), len(token["part"])
            if unit == "m" and (last == "h" or _next(tokens, place) == "s") and size < 3:
                out.append(str(minutes).rjust(size, "0"))
            elif unit in "hs":
                number = seconds if unit == "s" else (hours % 12 or 12) if has_half else hours
                out.append(str(number).rjust(size, "0"))
            else:
                out.append(_date_part(unit, size, day.year, day.month, day.day, day.weekday()))
            last = unit
        elif token["fraction"]:
            out.append(country.decimal + f"{total.microseconds:06d}"[: len(token["fraction"]) - 1])
        else:
            out.append(_literal(token[0]))
    return "".join(out)


def _next(tokens: list[re.Match[str]], place: int) -> str:
    """Return the unit of the next date or time part."""
    found = (token["part"] or token["elapsed"] for token in tokens[place + 1 :] if token["part"] or token["elapsed"])
    return next(found, " ")[0].lower()


def _date_part(unit: str, size: int, year: int, month: int, day: int, weekday: int) -> str:
    if unit == "y":
        return str(year) if size > 2 else f"{year % 100:02d}"
    if size < 3:
        return str(month if unit == "m" else day).rjust(size, "0")
    name = (MONTHS[month - 1] if unit == "m" else DAYS[weekday]).capitalize()
    return name[:1] if size == 5 else name[:3] if size == 3 else name
