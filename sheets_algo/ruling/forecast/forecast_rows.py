"""The Forecasts tab: one row for each request and its inputs, written once, and its summary for the request."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.columns import ColumnPlace, Kind, TabDeclaration, columns, folded, loosely, result
from engine.forecast import PERCENTS, Forecast, Odds, Replicates, summed_up
from engine.receipt import counted
from engine.ruleset import Plain
from sheets_algo.database.cell_text import as_text, is_blank
from sheets_algo.database.problems import Problem, amount, cell_text
from sheets_algo.database.tables import Row, Table
from sheets_algo.forms.base import Form
from sheets_algo.ruling.receipts.receipt_tab import FollowingRow
from sheets_algo.ruling.receipts.receipts import DIGEST_DIGITS, fingerprint_of
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.values import Value

BATTLES = 400
"""Number of battles of a forecast in the sheet (FC-04), for odds with an error of at most 5 points."""
AT = "At 5, 25, 50, 75 and 95 % of the battles."


@dataclass(frozen=True, slots=True, kw_only=True)
class ForecastRow:
    """One row of the Forecasts tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Forecasts",
        about="The odds of requests whose Action is Forecast. Only the program writes here.",
        program_only=True,
    )

    request: str = result("Request", "FC-10", "The request; a new row when its inputs have changed.")
    war: str = result("War", "FC-11", "Its name.")
    ruleset: str = result("Ruleset", "FC-12", "By which rules.")
    runs: int = result("Battles", "FC-13", "How many were fought.", kind=Kind.WHOLE)
    attacker_wins: float = result("Attacker Wins", "FC-14", "In per cent of the battles.", kind=Kind.NUMBER)
    defender_wins: float = result("Defender Wins", "FC-15", "In per cent of the battles.", kind=Kind.NUMBER)
    undecided: float = result("Undecided", "FC-16", "Nobody wins, in per cent.", kind=Kind.NUMBER)
    error: float = result("Error", "FC-17", "Of the odds, points up or down in 95 cases of 100.", kind=Kind.NUMBER)
    course: str = result("Course", "FC-18", "The most likely course.")
    attacker_losses: str = result("Attacker Losses", "FC-19", AT)
    defender_losses: str = result("Defender Losses", "FC-20", AT)
    duration: str = result("Duration", "FC-21", f"In hours. {AT}")
    occupation: str = result("Occupation", "FC-22", "How likely each band is.")
    stability: str = result("Stability", "FC-23", "How likely each band is, for both nations.")
    details: str = result("Details", "FC-24", f"Everything else, a line each. {AT}")
    inputs_fingerprint: str = result("Inputs Fingerprint", "FC-25", "SHA-256 of the inputs.")
    rules_fingerprint: str = result("Rules Fingerprint", "FC-26", "SHA-256 of the ruleset's tables.")
    digest: str = result("Digest", "FC-29", "Of the cells before it, so that a row that is typed over is named.")
    time: str = result("Time", "FC-27", "When, UTC.", place=ColumnPlace.LAST)


def war_of(form: Form[Any], row: Row) -> str:
    """Return the name of a request's war; blank if its tab has no such column."""
    return as_text(row.value("war")) if "war" in dict(columns(form.request)) else ""


GATHERED = ("attacker_losses", "defender_losses", "duration", "occupation", "stability")
"""Columns for the numbers and words of the same name; all others go into the details."""

Cells = Mapping[str, Plain]
"""Cells of a row by attribute."""

ForecastKey = tuple[str, str, str]
"""Request, fingerprint of the inputs, fingerprint of the rules."""


@dataclass(frozen=True, slots=True)
class PendingForecast:
    """A request that waits for its odds."""

    form: Form[Any]  # The form of its ruleset
    request: str  # Its id
    war: str  # The name of its war
    inputs: str  # The inputs, serialised
    rules: str  # The fingerprint of the ruleset's tables

    @property
    def key(self) -> ForecastKey:
        """Return the key of the forecast: request, inputs, rules (FC-04)."""
        return loosely(self.request), fingerprint_of(self.inputs), self.rules


@dataclass(frozen=True, slots=True)
class FinishedForecast:
    """The result of a requested forecast."""

    cells: Cells  # The cells of its row, without the time
    failure: str = ""  # The reason for missing odds, with a traceback; blank for none


class ForecastLog:
    """The Forecasts tab of a snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._table = Table.of(snapshot, ForecastRow)
        self._by_key = {
            (loosely(_text(row, "request")), _text(row, "inputs_fingerprint"), _text(row, "rules_fingerprint")): row
            for row in self._table
        }

    def standing(self, forecast: PendingForecast) -> Cells | None:
        """Return the row of a forecast; None if it is missing or unreadable."""
        row = self._by_key.get(forecast.key)
        return None if row is None else readable_cells(row)

    def new_row(self, cells: Cells, now: str) -> FollowingRow:
        """Return a row to append."""
        return FollowingRow(self._table, {**cells, "digest": _digest(cells), "time": now})


def _digest(cells: Mapping[str, Value]) -> str:
    """Return the digest of a row of Forecasts, in which white space does not count."""
    texts = ["".join(as_text(cells.get(name)).split()) for name, _ in columns(ForecastRow) if name not in UNDIGESTED]
    return fingerprint_of(json.dumps(texts))[:DIGEST_DIGITS]


UNDIGESTED = ("digest", "time")


def typed_over(snapshot: Snapshot) -> Iterator[Problem]:
    """Yield the problem of each row of Forecasts that was changed since it was written (RCP-34)."""
    for row in Table.of(snapshot, ForecastRow):
        if _text(row, "digest") != _digest({name: row.value(name) for name, _ in columns(ForecastRow)}):
            says = f"the odds of {_text(row, 'request') or 'a request'} are not as they were written"
            yield row.problem(
                "request", "RCP-34", says, allowed="Delete the row: odds that are asked for are written anew"
            )


def readable_cells(row: Row) -> Cells | None:
    """Return the cells of a row of Forecasts; None if its numbers are unreadable."""
    cells = {attribute: row.value(attribute) for attribute, _ in columns(ForecastRow)}
    is_whole = all(map(_is_number, (cells["runs"], cells["error"])))
    has_odds = [_is_number(cells[name]) for name in ODDS]
    is_readable = is_whole and (all(has_odds) or all(is_blank(cells[name]) for name in ODDS))
    return cells if is_readable else None  # type: ignore[return-value]  # plain


ODDS = ("attacker_wins", "defender_wins", "undecided")
"""Columns that stay blank under rules without a winner."""


def cells_of(forecast: PendingForecast, battles: Replicates) -> Cells:
    """Return the row of a forecast, without its time."""
    summary = summed_up(battles)
    _, inputs, rules = forecast.key
    sides = summary.winners.each if summary.winners else ()
    course = forecast.form.ruleset.course(forecast.form.deserialize(forecast.inputs), battles)
    gathered, details = _gather(summary)
    return {
        "request": forecast.request,
        "war": forecast.war,
        "ruleset": forecast.form.key,
        "runs": summary.runs,
        **{name: round(100 * side.share, 1) for name, side in zip(ODDS, sides, strict=False)},
        "error": round(100 * summary.error, 1),
        "course": course or headline(summary, battles),
        **{name: cell_text(lines, "... and {} more") for name, lines in gathered.items()},
        "details": cell_text(details, "... and {} more"),
        "inputs_fingerprint": inputs,
        "rules_fingerprint": rules,
    }


def headline(forecast: Forecast, battles: Replicates) -> str:
    """Return the forecast figures in one line: `Treasury 1,200 (800 to 1,450); Revolt none 80 %`."""
    quantiles = ((name, forecast.numbers[name].quantiles) for name in battles.headline_names)
    numbers = [
        f"{name} {amount(values[2])} ({amount(values[0])} to {amount(values[-1])})"
        for name, values in quantiles
        if values
    ]
    likely = [
        (name, max(shares.items(), key=lambda pair: pair[1].share)) for name, shares in forecast.words.items() if shares
    ]
    words = [f"{name} {word} {points(odds.share, 0)}" for name, (word, odds) in likely]
    return "; ".join((*numbers, *words)) or _likeliest_winner(forecast)


def _likeliest_winner(forecast: Forecast) -> str:
    if forecast.winners is None:
        return ""
    sides = zip(("the attacker", "the defender", "nobody"), forecast.winners.each, strict=True)
    return f"Most likely {max(sides, key=lambda side: side[1].share)[0]} wins"


def points(share: float, digits: int = 1) -> str:
    """Return a share in per cent: `62.4 %`."""
    return f"{100 * share:.{digits}f} %"


def line(cells: Cells) -> str:
    """Return a forecast in a line, such as a request's Message.

    `Forecast: attacker wins 74 %, defender wins 26 % ██████████████▒▒░░░░ (± 5 points, 400 battles). Attacker loses 204
    to 4,895, defender 1,042 to 6,647 in 9 of 10 battles. Most likely ...`
    """
    if is_blank(cells.get("attacker_wins")):
        return f"Forecast, {counted(_number(cells['runs']), 'run')}: {cells['course']}"
    exactness = f"± {counted(_number(cells['error']), 'point')}, {counted(_number(cells['runs']), 'battle')}"
    bar = odds_bar(_number(cells["attacker_wins"]), _number(cells["error"]))
    return f"Forecast: {odds_line(cells)} {bar} ({exactness}). {_losses(cells)}{cells['course']}"


def odds_bar(percent: float, error: float) -> str:
    """Return odds as a bar: full up to the certain part, dotted up to the possible part."""
    sure, possible = (min(max(percent + shift, 0), 100) / 100 * BAR_WIDTH for shift in (-error, error))
    full, reach = math.floor(sure), math.ceil(possible)
    return "█" * full + "▒" * (reach - full) + "░" * (BAR_WIDTH - reach)


BAR_WIDTH = 20
"""Number of signs of a bar, each worth five points."""


def _losses(cells: Cells) -> str:
    """Return the losses of both sides in nine of ten battles; blank under rules without losses."""
    known = [str(cells.get(name) or "").split("; ") for name in ("attacker_losses", "defender_losses")]
    if not any(len(values) == len(PERCENTS) for values in known):
        return ""
    attacker, defender = (
        _range(values[0], values[-1]) if len(values) == len(PERCENTS) else "nobody" for values in known
    )
    return f"Attacker loses {attacker}, defender {defender} in 9 of 10 battles. "


def _range(least: str, most: str) -> str:
    """Return a range of losses in words."""
    if least == most:
        return "nobody" if least == "0" else least
    return f"{least} to {most}"


def odds_line(cells: Cells) -> str:
    """Return `attacker wins 74 %, defender wins 26 %`; the probable course under rules without a winner."""
    if is_blank(cells.get("attacker_wins")):
        return str(cells["course"])
    who = [("attacker wins", "attacker_wins"), ("defender wins", "defender_wins")]
    who += [("nobody wins", "undecided")] if cells["undecided"] else []
    return ", ".join(f"{name} {_number(cells[attribute]):.0f} %" for name, attribute in who)


def _gather(summary: Forecast) -> tuple[dict[str, list[str]], list[str]]:
    """Return the lines by column, and the remaining lines."""
    heads = {name: loosely(column.header) for name, column in columns(ForecastRow) if name in GATHERED}
    gathered: dict[str, list[str]] = {name: [] for name in heads}
    details: list[str] = []
    for name, text in _lines(summary):
        for attribute, head in heads.items():
            if loosely(name) == head:
                gathered[attribute].append(text)
                break
            if loosely(name).endswith(f" {head}"):
                gathered[attribute].append(f"{name[: -len(head)].strip()}: {text}")
                break
        else:
            details.append(f"{name}: {text}")
    return gathered, details


def _lines(summary: Forecast) -> Iterator[tuple[str, str]]:
    for name, spread in summary.numbers.items():
        if spread.mean or any(spread.quantiles):
            yield name, "; ".join(map(amount, spread.quantiles))
    for name, shares in summary.words.items():
        yield name, _shares(shares)


def ranges(numbers: str) -> str:
    """Return a cell of numbers at `PERCENTS` as text: their ranges in half of the battles, and in most."""
    name, colon, rest = numbers.rpartition(": ")
    values = rest.split("; ")
    if len(values) != len(PERCENTS):
        return numbers
    (p5, least), (p25, low), _, (p75, high), (p95, most) = zip(PERCENTS, values, strict=True)
    return f"{name}{colon}{low} to {high} in {p75 - p25} % of the battles, {least} to {most} in {p95 - p5} %"


def _shares(shares: Mapping[str, Odds]) -> str:
    likely: Sequence[tuple[str, Odds]] = sorted(shares.items(), key=lambda pair: -pair[1].share)
    return "; ".join(f"{word} {100 * odds.share:.0f} %" for word, odds in likely)


def _number(value: Plain) -> float:
    return float(value or 0)


def _text(row: Row, attribute: str) -> str:
    return as_text(row.value(attribute))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def forecast_seed(request: str, inputs: str) -> int:
    """Return a seed of 64 bits for a request and its serialised inputs (FC-01).

    The seed does not depend on the season secret, so everybody can repeat a forecast, and a forecast reveals nothing
    about the ruling but its odds.
    """
    digest = hashlib.sha256(f"forecast\n{folded(request)}\n{inputs}".encode())
    return int.from_bytes(digest.digest()[:8], "big")
