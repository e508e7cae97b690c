"""Comparison of a ruling with other battles of its seed, for the last lines of its log (FC-06).

The ruling is battle 0 of its seed, the others are those from 1 on. The receipt does not contain the comparison, since
it is about the actual result.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from engine.forecast import ATTACKER, DEFENDER, HEADLINES_MOST, NOBODY, Odds, Replicates, odds, percentile
from engine.ruleset import Event, LogSink, MachineCode
from sheets_algo.database.problems import amount
from sheets_algo.forms.base import Form

RULE = "FC-06"

WON = {ATTACKER: ("Attacker", "Attacker won"), DEFENDER: ("Defender", "Defender won"), NOBODY: ("", "Nobody won")}


def how_lucky(
    form: Form[Any], inputs: Any, seed: int, log: LogSink, rulings: int = 1, code: MachineCode | None = None
) -> tuple[Event, ...]:
    """Return the last log lines of a ruling, compared with other battles of its seed.

    Args:
        log: The function that receives the same lines as text.
        rulings: The number of rulings that are compared at once.
        code: The machine code of the battles; None for Python.
    """
    others = form.comparison_battles(inputs, rulings, is_compiled=code is not None and code.is_compiled)
    if others:
        fought = form.ruleset.series(inputs, seed, code)(0, others + 1)
        events = tuple(_comparison_events(fought.first(1), fought.where(np.arange(len(fought)) > 0)))
    else:
        events = (_event("Too long a battle for an answer at once; the command forecast says how lucky this was"),)
    log(["", *(f"{event.kind}: {event.text}. [{event.id}]" for event in events)])
    return events


def _comparison_events(ruling: Replicates, others: Replicates) -> Iterator[Event]:
    """Yield the lines that compare the ruling with the others, or one line if all results are equal."""
    if _is_certain(ruling, others):
        yield _event(f"No luck in it: {len(others)} others came to the same")
        return
    if ruling.winner is not None and others.winner is not None:
        yield _winner_event(int(ruling.winner[0]), others.winner.tolist())
    else:
        yield from _word_events(ruling, others)
    for name in others.headline_names:
        value = float(ruling.numbers[name].values[0])
        values = others.numbers[name].values
        rank = percentile(values, value)
        if not (math.isnan(value) or math.isnan(rank) or bool(np.all(values == value))):
            unit = ruling.numbers[name].unit
            displayed = f"{amount(value)} {unit}" if unit else amount(value)
            known = np.count_nonzero(~np.isnan(values))
            text = f"{name}: {displayed}, more than in {rank:.0f} % of {known} others"
            yield _event(text, side=_side(name), amount=round(rank, 1))


def _winner_event(winner: int, others: Sequence[int]) -> Event:
    side, verb = WON[winner]
    equal = others.count(winner)
    return _event(f"{verb}, as in {equal} of {len(others)} others", side, round(100 * equal / len(others), 1))


_WINNER = re.compile(rf"({'|'.join(verb for _, verb in WON.values())}), as in (\d+) of (\d+) others")


def win_chance(rule: str, text: str, amount: float | None) -> float | None:
    """Return the share of other battles that ended like the ruling, 0 to 1; None for other lines.

    Args:
        rule: The rule id of a line of the log.
    """
    if rule != RULE or amount is None or not _WINNER.fullmatch(text):
        return None
    return round(amount / 100, 6)  # office programs round numbers


def is_consistent(text: str, amount: Any) -> bool:
    """Return False for a line that says who else won, and has another share beside it than its counts give."""
    match = _WINNER.fullmatch(text)
    return not match or amount == round(100 * int(match[2]) / max(1, int(match[3])), 1)


def opening_odds(luck: Iterable[Event]) -> Odds | None:
    """Return the attacker's odds before the first hour, from the comparison battles in the lines on luck.

    Args:
        luck: The lines of `how_lucky`, of rules under which one of two sides wins.

    Returns:
        The odds; None if the lines do not count other winners.
    """
    for event in luck:
        if event.id == RULE and (match := _WINNER.fullmatch(event.text)) and match[1] != WON[NOBODY][1]:
            equal, others = int(match[2]), int(match[3])
            return odds(equal if match[1] == WON[ATTACKER][1] else others - equal, others)
    return None


def _word_events(ruling: Replicates, others: Replicates) -> Iterator[Event]:
    """Yield lines for the first few words that differ among battles, for rules without a winner."""
    varying = [
        (name, words)
        for name, words in ruling.words.items()
        if not bool(np.all(others.words[name].codes == words.codes))
    ]
    for name, words in varying[:HEADLINES_MOST]:
        code = int(words.codes[0])
        equal = int(np.count_nonzero(others.words[name].codes == code))
        word = words.names[code] if code >= 0 else "none"
        share = round(100 * equal / len(others), 1)
        yield _event(f"{name}: {word}, as in {equal} of {len(others)} others", _side(name), share)


def _is_certain(ruling: Replicates, others: Replicates) -> bool:
    if ruling.winner is not None and others.winner is not None and bool(np.any(others.winner != ruling.winner)):
        return False
    numbers = (
        np.array_equal(np.broadcast_to(number.values, len(others)), others.numbers[name].values, equal_nan=True)
        for name, number in ruling.numbers.items()
    )
    words = (bool(np.all(others.words[name].codes == word.codes)) for name, word in ruling.words.items())
    return all(numbers) and all(words)


def _side(name: str) -> str:
    first = name.partition(" ")[0]
    return first if first in ("Attacker", "Defender") else ""


def _event(text: str, side: str = "", amount: float | None = None) -> Event:
    return Event(hour=None, side=side, flank="", kind="luck", amount=amount, id=RULE, text=text)
