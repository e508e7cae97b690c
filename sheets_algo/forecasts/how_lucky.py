"""How lucky a ruling was: other battles of its seed are fought after it, and its log ends with where it fell (FC-06).

The ruling is battle 0 of its seed, the others are those from 1 on. Nothing of it stands on the receipt: what players
read is what happened, not what might have.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from engine.forecast import ATTACKER, DEFENDER, NOBODY, Replicates, joined, percentile
from engine.outcome import Event, Listener
from sheets_algo.forecasts.words import HEADLINES_MOST, amount, headlines_of
from sheets_algo.forms.base import Form

RULE = "FC-06"
AT_ONCE = 5
"""Battles; of a long siege they take Python half a second."""

WON = {ATTACKER: ("Attacker", "Attacker won"), DEFENDER: ("Defender", "Defender won"), NOBODY: ("", "Nobody won")}


LuckOf = Callable[[Form[Any], Any, int, Listener], tuple[Event, ...]]
"""Says how lucky a ruling was: form, inputs, seed, who hears it."""


def untold(form: Form[Any], inputs: Any, seed: int, tell: Listener) -> tuple[Event, ...]:
    """Nobody asks."""
    return ()


def how_lucky(form: Form[Any], inputs: Any, seed: int, tell: Listener) -> tuple[Event, ...]:
    """At which percentile of its forecast a ruling fell, as the last lines of its log.

    Args:
        form: Of its ruleset.
        inputs: Thawed.
        seed: The ruling's.
        tell: Hears the same lines.
    """
    return told(form, inputs, seed, [*fought_beside(form, inputs, seed)], tell)


def fought_beside(form: Form[Any], inputs: Any, seed: int) -> Iterator[Replicates]:
    """The other battles, a few at a time: who has to do something else may leave off in between."""
    number = form.battles_beside(inputs)
    for first in range(1, number + 1, AT_ONCE):
        yield form.ruleset.replicates(inputs, seed, first, min(AT_ONCE, number + 1 - first))


def told(form: Form[Any], inputs: Any, seed: int, others: Sequence[Replicates], tell: Listener) -> tuple[Event, ...]:
    """As `how_lucky`, when the other battles have been fought."""
    if others:
        events = tuple(_placed(form.ruleset.replicates(inputs, seed, 0, 1), joined(others)))
    else:
        events = (_event("Too long a battle for an answer at once; the command forecast says how lucky this was"),)
    tell(["", *(f"{it.kind}: {it.text}. [{it.id}]" for it in events)])
    return events


def _placed(ruling: Replicates, others: Replicates) -> Iterator[Event]:
    """The ruling among the others; one line where luck had no say in it."""
    if _is_certain(ruling, others):
        yield _event(f"No luck in it: {len(others)} others came to the same")
        return
    if ruling.winner is not None and others.winner is not None:
        yield _of_winner(int(ruling.winner[0]), others.winner.tolist())
    else:
        yield from _of_words(ruling, others)
    for name in headlines_of(others):
        value = float(ruling.numbers[name].values[0])
        values = others.numbers[name].values
        place = percentile(values, value)
        if not (math.isnan(value) or math.isnan(place) or bool(np.all(values == value))):
            unit = ruling.numbers[name].unit
            measured = f"{amount(value)} {unit}" if unit else amount(value)
            told = f"{name}: {measured}, at percentile {place:.0f} of {len(others)} others"
            yield _event(told, side=_side(name), amount=round(place, 1))


def _of_winner(winner: int, others: Sequence[int]) -> Event:
    side, won = WON[winner]
    alike = others.count(winner)
    return _event(f"{won}, as in {alike} of {len(others)} others", side, round(100 * alike / len(others), 1))


def _of_words(ruling: Replicates, others: Replicates) -> Iterator[Event]:
    """The first few words that might have been others, where nobody wins."""
    open_ = [(name, it) for name, it in ruling.words.items() if not bool(np.all(others.words[name].codes == it.codes))]
    for name, it in open_[:HEADLINES_MOST]:
        code = int(it.codes[0])
        alike = int(np.count_nonzero(others.words[name].codes == code))
        said = it.names[code] if code >= 0 else "none"
        share = round(100 * alike / len(others), 1)
        yield _event(f"{name}: {said}, as in {alike} of {len(others)} others", _side(name), share)


def _is_certain(ruling: Replicates, others: Replicates) -> bool:
    """Whether everything that a forecast measures came out alike."""
    if ruling.winner is not None and others.winner is not None and bool(np.any(others.winner != ruling.winner)):
        return False
    numbers = (
        np.array_equal(np.broadcast_to(it.values, len(others)), others.numbers[name].values, equal_nan=True)
        for name, it in ruling.numbers.items()
    )
    words = (bool(np.all(others.words[name].codes == it.codes)) for name, it in ruling.words.items())
    return all(numbers) and all(words)


def _side(name: str) -> str:
    first = name.partition(" ")[0]
    return first if first in ("Attacker", "Defender") else ""


def _event(text: str, side: str = "", amount: float | None = None) -> Event:
    return Event(hour=None, side=side, flank="", kind="luck", amount=amount, id=RULE, text=text)
