"""Ways of a dishonest moderator that touch other rows than the war's own: earlier wars, armies, leaders, years."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from scripts.support.beacon_rounds import after_round
from scripts.support.fairness.season import TARGET, Season
from scripts.support.fairness.strategies import (
    FORTUNES,
    TRIES,
    Chooser,
    Deed,
    Strategy,
    choose,
    nothing,
    planned,
    promise_step,
)
from scripts.support.workbooks import changed
from sheets_algo.ruling.receipts import chain

EARLIER = ("W-1", "W-2")


def between(deed: Deed) -> Deed:
    """Return a deed that he does when the wars before are ruled, and this one is still held back."""

    def do(season: Season) -> None:
        season.hold(TARGET)
        season.run(after_round(123))
        deed(season)
        season.ready(TARGET)

    return do


def deciding(*cells: dict[str, Any]) -> Iterator[tuple[Deed, str]]:
    """Yield decisions about the wars before, typed when the round is out."""
    for each in cells:

        def deed(season: Season, each: dict[str, Any] = each) -> None:
            for row, request in enumerate(EARLIER, start=2):
                season.write("Overrides", row, {"Request": request, "Reason": "so", "By": "me"} | each)

        yield deed, TARGET


def results() -> Iterator[tuple[Deed, str]]:
    """Yield results of the wars before."""
    for side in ("Left", "Right"):
        yield from deciding({"Kind": "Result", "What": f"{side} Captured", "Value": 3_000})
        yield from deciding({"Kind": "Result", "What": "Winner", "Value": side})


def one_result() -> Iterator[tuple[Deed, str]]:
    """Yield a result of the first war only, which the second one carries on."""
    for what, value in (("Left Captured", 2_000), ("Right Captured", 2_000), ("Winner", "Right"), ("Winner", "Left")):
        cells = {"Request": "W-1", "Kind": "Result", "What": what, "Value": value, "Reason": "so", "By": "me"}
        yield lambda season, cells=cells: season.write("Overrides", 2, cells), TARGET


def undone_decision() -> Iterator[tuple[Deed, str]]:
    """Yield decisions about the first war that are taken from the tab as soon as it is ruled."""
    for deed, request in one_result():

        def both(season: Season, deed: Deed = deed) -> None:
            season.hold("W-2", TARGET)
            deed(season)
            season.run(after_round(123))
            season.write("Overrides", 2, dict.fromkeys(("Request", "Kind", "What", "Value", "Reason", "By")))
            season.ready("W-2", TARGET)

        yield both, request


class EarlierChooser(Chooser):
    """A secret that gives another key for the first war only."""

    def seed(self, request: str, inputs: str) -> int:
        """Return the season's seed."""
        return super(Chooser, self).seed(request, inputs)

    def key_of(self, request: str) -> str:
        """Return one of many keys of the first war."""
        return super(Chooser, self).key_of(f"{request}{self.nonce}" if request == "W-1" else request)


def earlier_keys() -> Iterator[tuple[Deed, str]]:
    """Yield programs that take another key for the first war."""
    for nonce in range(1, 1 + TRIES):

        def deed(season: Season, nonce: int = nonce) -> None:
            secret = EarlierChooser(season.context.secret.key)
            object.__setattr__(secret, "nonce", nonce)
            season.context = changed(season.context, secret=secret)

        yield deed, TARGET


def earlier_seeds() -> Iterator[tuple[Deed, str]]:
    """Yield programs that take other seeds for the wars before."""
    seed = promise_step.promised_seed
    for nonce in range(1, 1 + TRIES):

        def other(key: str, inputs: str, randomness: str, nonce: int = nonce) -> int:
            return seed(key, inputs, randomness) + (0 if '"name":"Quarrel 3"' in inputs else nonce)

        @contextmanager
        def program(other: Any = other) -> Iterator[None]:
            with patch.object(promise_step, "promised_seed", other), patch.object(chain, "promised_seed", other):
                yield

        yield lambda season, program=program: setattr(season, "program", program), TARGET


def typed_between(*cells: tuple[str, int, dict[str, Any]]) -> Iterator[tuple[Deed, str]]:
    """Yield cells that he types between the rulings before and this one."""
    for tab, row, values in cells:
        yield between(lambda season, at=(tab, row, values): season.write(*at)), TARGET  # type: ignore[misc]


def flanks() -> Iterator[tuple[Deed, str]]:
    """Yield flanks of either side."""
    for side in ("Attacker", "Defender"):
        for x in (100, 300):
            cells = {"Request": TARGET, "Side": side, "Flank": "all", "X": x, "Y": 150}
            yield from typed_between(("Flanks", 2, cells))


def leaders() -> Iterator[tuple[Deed, str]]:
    """Yield other skills of a general, and another general."""
    yield from typed_between(*(("Leaders", row, {"Attack": skill}) for row in (2, 3) for skill in (1, 9)))
    yield from typed_between(*(("Militaries", row, {"Leader": name}) for row in (2, 3) for name in ("Ann", "Bob")))


def armies() -> Iterator[tuple[Deed, str]]:
    """Yield armies under one another's names, and of other nations."""
    yield from typed_between(("Militaries", 2, {"Name": "Host of Right"}), ("Militaries", 3, {"Name": "Host of Left"}))
    yield from typed_between(("Militaries", 2, {"Nation": "Right"}), ("Militaries", 4, {"Nation": "Left"}))


def numbers() -> Iterator[tuple[Deed, str]]:
    """Yield numbers in the settings tab, typed between the rulings before and this one."""
    for fortune in FORTUNES:
        yield from typed_between(("Autoalgo Settings", 2, {"Setting": "strategy/fortune/side", "Value": fortune}))


def parts() -> Iterator[tuple[Deed, str]]:
    """Yield wars of which the wars before are said to be a part, or the end."""
    for header, value in (("Part of", "Quarrel 3"), ("Part of", "The long war"), ("Ends War", True)):

        def deed(season: Season, header: str = header, value: Any = value) -> None:
            for request in (*EARLIER, TARGET):
                season.set(request, header, value)

        yield deed, TARGET


def renamed() -> Iterator[tuple[Deed, str]]:
    """Yield other ids of the wars before."""
    for request, id in (("W-1", "W-9"), ("W-2", "W-9"), ("W-1", "W-03"), ("W-2", None)):
        yield lambda season, cell=(request, "Request", id): season.set(*cell), TARGET


def years() -> Iterator[tuple[Deed, str]]:
    """Yield years of the wars before, which decide which one is remembered as the last."""
    for request in EARLIER:
        for year in (900, 1003, 1200):
            yield lambda season, cell=(request, "Year", year): season.set(*cell), TARGET


def joined() -> Iterator[tuple[Deed, str]]:
    """Yield allies of either side."""
    for header, value in (("Attacker", "Left; Third"), ("Defender", "Right; Third")):
        yield between(lambda season, cell=(header, value): season.set(TARGET, *cell)), TARGET  # type: ignore[misc]


def third_nation(season: Season) -> None:
    """Have a third nation with an army, generals of all, and no flanks."""
    season.write("Nations", 4, {"Name": "Third", "Population": 1_000_000, "Year Founded": 900, "Year Crisis": 960})
    season.write("Militaries", 4, {"Nation": "Third", "Name": "Host of Third", "Size": 8_000})
    for row, (name, nation) in enumerate((("Ann", "Left"), ("Bob", "Right")), start=2):
        season.write("Leaders", row, {"Name": name, "Nation": nation, "Attack": 5})
        season.edit("Militaries", row, "Leader", name)


def two_at_once(season: Season, want: str) -> str:
    """Type a decision about the first war and a change between the rulings at once."""
    season.look(123)
    deeds = [
        (functools.partial(_both, one=one, other=other), TARGET)
        for one, _ in one_result()
        for other, _ in (*leaders(), *flanks())
    ]
    request = choose(season, want, deeds[:: max(1, len(deeds) // 12)])
    season.finish()
    return request


def _both(season: Season, one: Deed, other: Deed) -> None:
    one(season)
    other(season)


def _of_three(name: str, play: Any, seen: str, trace: str = "receipt", *, turns: bool = True) -> Strategy:
    return Strategy(name, play, seen, trace, turns=turns, wars=3, start=third_nation)


ANEW = "a new promise, which names it"
LEFT = 'receipt: "Fought with what these left: a decision about W-1 ..."'
OF_EARLIER = (
    _of_three("decides the wars before in `Overrides` after the round", planned(nothing, results), LEFT),
    _of_three("decides the first of them only", planned(nothing, one_result), LEFT),
    _of_three("does so, and clears the tab behind it", planned(nothing, undone_decision), LEFT),
    _of_three(
        "takes another key for the first war, with a changed program",
        planned(nothing, earlier_keys),
        "`verify`: fought with what receipt 5 left, which did not come out again",
        "verify",
    ),
    _of_three(
        "takes other seeds for the wars before, with a changed program",
        planned(nothing, earlier_seeds),
        "`verify`: the same",
        "verify",
    ),
    _of_three("types flanks when the wars before are ruled", planned(nothing, flanks), ANEW, turns=False),
    _of_three("changes generals then", planned(nothing, leaders), ANEW, turns=False),
    _of_three("exchanges armies then", planned(nothing, armies), ANEW, turns=False),
    _of_three("types a setting then", planned(nothing, numbers), ANEW, turns=False),
    _of_three("has an ally join then", planned(nothing, joined), ANEW, turns=False),
    _of_three("decides the first war and does one of these", two_at_once, LEFT),
    _of_three("changes `Part of` or `Ends War` of all", planned(nothing, parts), "nothing changes", turns=False),
    _of_three(
        "gives the wars before other ids",
        planned(nothing, renamed),
        'receipt: "promised earlier and not ruled"',
    ),
    _of_three(
        "gives the wars before other years",
        planned(nothing, years),
        'receipt: "promised earlier and not ruled"',
    ),
)
