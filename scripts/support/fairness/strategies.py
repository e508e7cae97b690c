"""What a dishonest moderator can do to a war of a season with beacon luck, and what of it players see.

Each strategy plays a season to its end and returns the id of the war that is to count. He acts only on what he knows:
after a round he tries on a copy which deed gives the winner that he wants, and leaves all as it is if none does.
"""

from __future__ import annotations

import copy
import functools
import itertools
import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from unittest.mock import patch

import msgspec

from scripts.support.beacon_rounds import after_round, before_round
from scripts.support.fairness.season import ROUNDS, TARGET, Season, remembering
from scripts.support.pinned_tables import WORKSHOP
from scripts.support.workbooks import changed
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forms.rulesets import open_forms
from sheets_algo.ruling.luck.draw import Draw, Secret
from sheets_algo.ruling.plan import PassContext
from sheets_algo.ruling.receipts import chain
from sheets_algo.ruling.receipts.receipts import fingerprint_of
from sheets_algo.steps.promises import step as promise_step

Deed = Callable[[Season], object]
TRIES = 5
"""Variants that he prepares or tries."""
FORTUNES = (0.0, 0.1, 0.2, 0.3, 0.4)
"""Values of a number of the rules that he tries."""
HIS_ROUNDS = ROUNDS[:-1]
"""The rounds that he looks at, to change something before the next; the last round decides without him."""


def nothing(season: Season) -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to another winner.

    Args:
        name: What he does, for the table of docs/fair-play.md.
        play: Plays a season, given the winner that he wants; returns the war that counts.
        seen: What everybody sees, for the table.
        trace: Where it is seen, at least: `receipt`, `verify` or `post`.
        turns: True if there are seasons in which it turns the winner.
        number: The round after which he acts.
        wars: The wars of the season; the last one is to have another winner.
        start: Makes the season another one before it begins.
        game: The ruleset of whose example the season is; blank for wars of two nations.
    """

    name: str
    play: Callable[[Season, str], str]
    seen: str
    trace: str = "receipt"
    turns: bool = True
    number: int = 123
    wars: int = 1
    start: Deed = nothing
    game: str = ""


def honest(season: Season, number: int = 123) -> str:
    """Play a season in which nobody does anything; return the winner of the war."""
    if number != 123 and not season.posted:
        season.hold(TARGET)
        season.look(123)
        season.ready(TARGET)
    season.look(number)
    season.finish(number)
    ruling = season.receipts.ruling_of(TARGET)
    return ruling.winner if ruling else ""


def choose(season: Season, want: str, deeds: Iterable[tuple[Deed, str]], number: int = 123) -> str:
    """Do the first deed after which a war has the winner that he wants, if any; return that war."""
    for deed, request in deeds:
        trial = season.copy()
        deed(trial)
        if trial.outcome(request, number) == want:
            deed(season)
            return request
    return TARGET


def planned(plant: Deed, deeds: Callable[[], Iterable[tuple[Deed, str]]]) -> Callable[[Season, str], str]:
    """Return a strategy that prepares something before the promise, and chooses after the round."""

    def play(season: Season, want: str) -> str:
        plant(season)
        season.look(123)
        request = choose(season, want, deeds())
        season.finish()
        return request

    return play


def changing(do: Callable[[Season, int], str | None]) -> Callable[[Season, str], str]:
    """Return a strategy that does something whenever the round that is out gives the wrong winner.

    Args:
        do: Takes the season and how often it was done, this time included; returns the war's new id, None if it keeps
            the former one.
    """

    def play(season: Season, want: str) -> str:
        season.look(123)
        request = TARGET
        for place, (number, next_) in enumerate(itertools.pairwise(HIS_ROUNDS), start=1):
            if season.outcome(request, number) == want:
                break
            request = do(season, place) or request
            season.look(next_)
        season.finish()
        return request

    return play


def permutations() -> Iterator[tuple[Deed, str]]:
    """Yield all orders of the rows."""
    for order in itertools.permutations(("W-1", "W-2", TARGET)):
        yield lambda season, order=order: season.swap(order), TARGET


def _copies(season: Season, **cells: Callable[[int], Any]) -> None:
    for number in range(4, 4 + TRIES):
        season.add(f"W-{number}", **{header: value(number) for header, value in cells.items()})


def _only(request: str) -> Deed:
    rows = (TARGET, *(f"W-{number}" for number in range(4, 4 + TRIES)))
    return lambda season: season.hold(*(other for other in rows if other != request))


def one_of_copies() -> Iterator[tuple[Deed, str]]:
    """Yield each row of the war as the only one that is ready."""
    for request in (TARGET, *(f"W-{number}" for number in range(4, 4 + TRIES))):
        yield _only(request), request


@functools.cache
def own_tables(fortune: float) -> Path:
    """Return a folder of tables in which a number was changed."""
    folder = Path(mkdtemp()) / "config"
    shutil.copytree(WORKSHOP, folder, ignore=shutil.ignore_patterns("*.xlsx", "season", "history", "axe"))
    file = folder / "tables" / "autoalgo" / "strategy.json"
    table = json.loads(file.read_text())
    table["fortune"]["side"] = fortune
    file.write_text(json.dumps(table))
    return folder


@functools.cache
def other_rules(fortune: float) -> tuple[Any, str]:
    """Return the forms, and the fingerprint, of tables in which a number was changed."""
    library = ConfigLoader(own_tables(fortune))
    return remembering(open_forms(library)), library.fingerprint("autoalgo")


def _with_rules(context: PassContext, fortune: float) -> PassContext:
    forms, fingerprint = other_rules(fortune)
    return changed(context, forms=forms, fingerprints={**context.fingerprints, "autoalgo": fingerprint})


def other_numbers() -> Iterator[tuple[Deed, str]]:
    """Yield folders of tables in which a number was changed."""
    for fortune in FORTUNES:
        yield lambda season, fortune=fortune: setattr(season, "context", _with_rules(season.context, fortune)), TARGET


class Chooser(Secret):
    """A secret of a patched program, which gives as many seeds and keys as he likes under one digest."""

    nonce = 0

    def seed(self, request: str, inputs: str) -> int:
        """Return one of many seeds."""
        return super().seed(request, inputs) + (self.nonce if request == TARGET else 0)

    def key_of(self, request: str) -> str:
        """Return one of many keys."""
        return super().key_of(f"{request}{self.nonce or ''}" if request == TARGET else request)


def other_secrets() -> Iterator[tuple[Deed, str]]:
    """Yield programs that take another seed, and reveal the key that it is made with."""
    for nonce in range(1, 1 + TRIES):
        yield functools.partial(other_key, nonce=nonce), TARGET


def other_key(season: Season, nonce: int = 1) -> None:
    """Patch the program so that it takes other seeds and keys."""
    secret = Chooser(season.context.secret.key)
    object.__setattr__(secret, "nonce", nonce)
    season.context = changed(season.context, secret=secret)


def other_seeds() -> Iterator[tuple[Deed, str]]:
    """Yield programs that reveal the right key and take another seed."""
    seed = promise_step.promised_seed
    for nonce in range(1, 1 + TRIES):

        @contextmanager
        def program(nonce: int = nonce) -> Iterator[None]:
            with (
                patch.object(promise_step, "promised_seed", lambda *words: seed(*words) + nonce),
                patch.object(chain, "promised_seed", lambda *words: seed(*words) + nonce),
            ):
                yield

        yield lambda season, program=program: setattr(season, "program", program), TARGET


def other_inputs() -> Iterator[tuple[Deed, str]]:
    """Yield programs that keep the promise for whatever inputs there are now."""
    for size in range(7_000, 14_000, 1_400):

        def deed(season: Season, size: int = size) -> None:
            season.edit("Militaries", 2, "Size", size)
            season.program = lambda: patch.object(promise_step.PromisesStep, "_changes", lambda *_: ())

        yield deed, TARGET


def other_numbers_kept() -> Iterator[tuple[Deed, str]]:
    """Yield programs that keep the promise under tables in which a number was changed."""
    for deed, request in other_numbers():

        def both(season: Season, deed: Deed = deed) -> None:
            deed(season)
            season.program = lambda: patch.object(promise_step.PromisesStep, "_changes", lambda *_: ())

        yield both, request


def liars() -> Iterator[tuple[Deed, str]]:
    """Yield programs that hold a war back and do not tell it on the receipt."""
    counted = promise_step.counted_by

    def silent(*words: Any) -> Draw:
        return msgspec.structs.replace(counted(*words), passed=(), later=(), overdue=(), open=(), after=(), changed=())

    for held in (("W-1",), ("W-2",), ("W-1", "W-2")):

        def deed(season: Season, held: tuple[str, ...] = held) -> None:
            season.hold(*held)
            season.program = lambda: patch.object(promise_step, "counted_by", silent)

        yield deed, TARGET


def held_back() -> Iterator[tuple[Deed, str]]:
    """Yield wars that come before and are held back."""
    for held in (("W-1",), ("W-2",), ("W-1", "W-2")):
        yield lambda season, held=held: season.hold(*held), TARGET


def spoilt() -> Iterator[tuple[Deed, str]]:
    """Yield wars that come before and are changed, made invalid or deleted."""
    for request, header, value in itertools.product(
        ("W-1", "W-2"), ("Motive", "Request", "Attacker"), ("Defense", "W-77", None)
    ):
        yield lambda season, cell=(request, header, value): season.set(*cell), TARGET


def in_turn() -> Iterator[tuple[Deed, str]]:
    """Yield orders in which the wars before are made ready and ruled one after the other."""
    for order in (("W-1", "W-2"), ("W-2", "W-1")):

        def deed(season: Season, order: tuple[str, ...] = order) -> None:
            season.hold("W-1", "W-2", TARGET)
            for request in order:
                season.ready(request)
                season.run(after_round(123))
            season.ready(TARGET)

        yield deed, TARGET


def of_others(season: Season) -> None:
    """Make the wars before wars of others: the first weakens an army that then fights the defender of the last."""
    for place, name in enumerate(("Third", "Fourth"), start=4):
        season.write("Nations", place, {"Name": name, "Population": 1_000_000, "Year Founded": 900, "Year Crisis": 960})
        season.write("Militaries", place, {"Nation": name, "Name": f"Host of {name}", "Size": 8_000})
    for request, attacker, defender in (("W-1", "Third", "Fourth"), ("W-2", "Third", "Right")):
        season.set(request, "Attacker", attacker)
        season.set(request, "Defender", defender)


def typed_twice(season: Season) -> None:
    """Make the second war the first one once more."""
    season.set("W-2", "War", "Quarrel 1")
    season.set("W-2", "Year", 1001)


def settled(season: Season) -> None:
    """Have the first war ruled; then make the second one the same war once more, and the last one ready."""
    season.set("W-2", "Year", 1001)
    season.hold("W-2", TARGET)
    season.look(123)
    season.run(after_round(123))
    season.ready("W-2", TARGET)


def beside_settled(season: Season, want: str) -> str:
    """Let the last war be promised beside a second row of a war that is ruled, and hold that row back or not."""
    season.look(1000)
    request = choose(season, want, [(nothing, TARGET), (lambda trial: trial.hold("W-2"), TARGET)], 1000)
    season.finish(1000)
    return request


def one_before() -> Iterator[tuple[Deed, str]]:
    """Yield each of both rows of the war before as the only one that is ready."""
    for held in ("W-1", "W-2"):
        yield lambda season, held=held: season.hold(held), TARGET


def called_done() -> Iterator[tuple[Deed, str]]:
    """Yield wars that come before and of which the row says that they are done."""
    for held in (("W-1",), ("W-2",), ("W-1", "W-2")):

        def deed(season: Season, held: tuple[str, ...] = held) -> None:
            for request in held:
                season.set(request, "Status", "Done")

        yield deed, TARGET


def decisions() -> Iterator[tuple[Deed, str]]:
    """Yield decisions about the winner in the tab Overrides."""
    for winner in ("Left", "Right"):
        cells = {"Request": TARGET, "Kind": "Result", "What": "Winner", "Value": winner, "Reason": "so", "By": "me"}
        yield lambda season, cells=cells: season.write("Overrides", 2, cells), TARGET


def typed_seeds() -> Iterator[tuple[Deed, str]]:
    """Yield seeds in the cell of the war."""
    for seed in range(TRIES):
        yield lambda season, seed=seed: season.set(TARGET, "Seed", seed), TARGET


def settings() -> Iterator[tuple[Deed, str]]:
    """Yield numbers in the settings tab."""
    for fortune in FORTUNES:
        cells = {"Setting": "strategy/fortune/side", "Value": fortune}
        yield lambda season, cells=cells: season.write("Autoalgo Settings", 2, cells), TARGET


def other_population(season: Season, place: int) -> None:
    """Change an input."""
    season.edit("Nations", 2, "Population", 1_000_000 + place)


def other_id(season: Season, place: int) -> str:
    """Give the war another id."""
    season.set(f"W-{2 + place}", "Request", f"W-{3 + place}")
    return f"W-{3 + place}"


def typed_anew(season: Season, place: int) -> str:
    """Leave the war where it is, and type it again as another one: name and year change, the location stays."""
    season.hold(f"W-{2 + place}")
    number = 3 + place
    season.add(f"W-{number}", War=f"Quarrel {number}", Year=1000 + number)
    return f"W-{number}"


def like_names(season: Season, place: int) -> str:
    """Leave the war where it is, and type it again between nations whose names look the same."""
    season.hold(f"W-{2 + place}")
    names = {side: side + "\u034f" * place for side in ("Left", "Right")}
    for row, (side, name) in enumerate(names.items(), start=len(season.book.rows("Nations")) + 1):
        cells = {"Name": name, "Population": 1_000_000, "Year Founded": 900, "Year Crisis": 960}
        season.write("Nations", row, cells)
        military = season.book.rows("Militaries")
        size = military[2 if side == "Right" else 1][military[0].index("Size")]
        season.write("Militaries", row, {"Nation": name, "Name": f"Host of {side}", "Size": size})
    number = 3 + place
    cells = {"Attacker": names["Left"], "Defender": names["Right"], "Year": 1000 + number}
    season.add(f"W-{number}", War=f"Quarrel {number}", **cells)
    return f"W-{number}"


def typed_again(season: Season, place: int) -> str:
    """Leave the war where it is, and type it again under another id."""
    season.hold(f"W-{2 + place}")
    season.add(f"W-{3 + place}")
    return f"W-{3 + place}"


def ruled_again(again: Callable[[Season, int], str]) -> Callable[[Season, str], str]:
    """Return a strategy that undoes the ruling and types the war again; `again` is as for `changing`."""

    def play(season: Season, want: str) -> str:
        season.look(123)
        season.run(after_round(123))
        request = TARGET
        for place, next_ in enumerate(HIS_ROUNDS[1:], start=1):
            if (ruling := season.receipts.ruling_of(request)) and ruling.winner == want:
                break
            season.undo(request)
            request = again(season, place)
            season.look(next_)
            season.run(after_round(next_))
        season.finish()
        return request

    return play


def several_files(season: Season, want: str) -> str:
    """Have the war promised in several files with other inputs, and show the one that pleases after the round."""
    season.look(123)
    posted = season.posted
    files = [season]
    for population in range(1_000_001, 1_000_001 + TRIES):
        other = Season.begun(season.number, 1)
        other.edit("Nations", 2, "Population", population)
        other.look(123)
        files.append(other)
    shown = next((file for file in files if file.outcome(TARGET) == want), season)
    season.book, season.posted = shown.book, posted
    season.finish()
    return TARGET


def undone(season: Season, want: str) -> str:
    """Have the wars before ruled, undo one, and then let the war be ruled."""
    season.look(123)
    season.hold(TARGET)
    season.run(after_round(123))

    def deed(*requests: str) -> Deed:
        def do(trial: Season) -> None:
            for request in filter(trial.receipts.ruling_of, requests):
                trial.undo(request)
            trial.ready(TARGET)

        return do

    request = choose(season, want, [(deed(), TARGET), (deed("W-2"), TARGET), (deed("W-2", "W-1"), TARGET)])
    season.ready(TARGET)
    season.finish()
    return request


def put_back(season: Season, want: str) -> str:
    """Have the wars before ruled, type back what they changed, and then let the war be ruled."""
    season.look(123)
    season.hold(TARGET)
    before = [row[:] for row in map(list, season.book.rows("Militaries"))]
    size = before[0].index("Size")
    season.run(after_round(123))
    for row in (2, 3):
        season.edit("Militaries", row, "Size", before[row - 1][size])
    season.ready(TARGET)
    season.finish()
    return TARGET


def kept_for_later(season: Season, want: str) -> str:
    """Let wars be promised and hold them back until the round of the one that they change is out."""
    others = ("W-1", "W-2")
    season.hold(TARGET)
    season.look(123)
    season.hold(*others)
    season.ready(TARGET)
    season.look(1000)
    deeds = [(lambda trial, ready=ready: trial.ready(*ready), TARGET) for ready in ((), ("W-1",), ("W-2",), others)]
    request = choose(season, want, deeds, 1000)
    season.finish(1000)
    return request


def older_file(season: Season, want: str) -> str:
    """Put back the file as it was before the promise whenever the round gives the wrong winner."""
    before = copy.deepcopy(season.book)
    play = changing(lambda season, _: setattr(season, "book", copy.deepcopy(before)))
    return play(season, want)


def set_back(season: Season, want: str) -> str:
    """Set the clock back: promise a round that is out, with whatever inputs give the winner."""
    for population in range(1_000_000, 1_000_000 + TRIES):
        trial = season.copy()
        trial.edit("Nations", 2, "Population", population)
        trial.run(before_round(123), after_round(123), is_host_his=True)
        if trial.outcome(TARGET) == want:
            season.edit("Nations", 2, "Population", population)
            break
    season.run(before_round(123), after_round(123), is_host_his=True)
    season.posted.append((season.now, season.receipts.head))
    season.finish()
    return TARGET


def slow_clock(season: Season, place: int, *, is_host_his: bool = False) -> None:
    """Change an input after the round, under a clock by which the round is still to come."""
    other_population(season, place)
    out = after_round(HIS_ROUNDS[place - 1])
    season.run(out - 30, out, is_host_his=is_host_his)


def deleted(season: Season, place: int) -> None:
    """Delete the last promise, with all that rows show of it, and change an input."""
    last = len(season.book.rows("Receipts"))
    for column in range(1, len(season.book.rows("Receipts")[0]) + 1):
        season.book.type_in("Receipts", last, column, None)
    season.edit("Nations", 2, "Population", 1_000_000 + HIS_ROUNDS[place - 1])


def promise_edited() -> Iterator[tuple[Deed, str]]:
    """Yield armies, and the promise as if it had been for them."""
    for size in range(7_000, 14_000, 1_400):

        def deed(season: Season, size: int = size) -> None:
            header, row = season.book.rows("Militaries")[:2]
            former = row[header.index("Size")]
            promise = next(promise for promise in season.receipts.promises if promise.request == TARGET)
            inputs = promise.inputs.replace(f'"size":{former},', f'"size":{size},', 1)
            season.edit("Militaries", 2, "Size", size)
            season.edit("Receipts", promise.seq + 1, "Inputs", inputs)
            season.edit("Receipts", promise.seq + 1, "Inputs Fingerprint", fingerprint_of(inputs))

        yield deed, TARGET


STRATEGIES = (
    Strategy(
        "sorts the rows after the round, so that another war is ruled first",
        planned(nothing, permutations),
        "nothing changes: wars are ruled in the order of their promises",
        wars=3,
        turns=False,
    ),
    Strategy(
        "types one war into six rows for one round, and keeps one",
        planned(_copies, one_of_copies),
        'receipt: "Sixth promise; five of the same war under another id open"',
    ),
    Strategy(
        "does so under other names and in other years",
        planned(
            lambda season: _copies(season, War=lambda number: f"Quarrel {number}", Year=lambda number: 1000 + number),
            one_of_copies,
        ),
        'receipt: "two of the same parties promised earlier and not ruled"',
    ),
    Strategy(
        "changes a number of the rules after the round (`--config`)",
        planned(nothing, other_numbers),
        "a new promise, which names the tables; the receipt counts it",
        turns=False,
    ),
    Strategy(
        "changes a number in the settings tab after the round",
        planned(nothing, settings),
        "a new promise, which names the setting; the receipt counts it",
        turns=False,
    ),
    Strategy(
        "takes another seed, with a changed program",
        planned(nothing, other_secrets),
        "`verify`: the key is not the promised one",
        "verify",
    ),
    Strategy(
        "takes another seed beside the right key",
        planned(nothing, other_seeds),
        "`verify`: the seed is not the one that the key gives",
        "verify",
    ),
    Strategy(
        "keeps the promise for other inputs, with a changed program",
        planned(nothing, other_inputs),
        "`verify`: the promise was for other inputs",
        "verify",
    ),
    Strategy(
        "keeps the promise under other numbers, with a changed program",
        planned(nothing, other_numbers_kept),
        "`verify`: the promise was for other rules",
        "verify",
    ),
    Strategy(
        "holds back a war that comes before, and tells nothing, with a changed program",
        planned(nothing, liars),
        "`verify`: the receipt counts other promises than there are",
        "verify",
        wars=3,
    ),
    Strategy(
        "changes an input after the round, and again after the next",
        changing(other_population),
        'receipt: "Changed by people: population of Left: ..."',
    ),
    Strategy(
        "gives the war another id after the round",
        changing(other_id),
        'receipt: "of the same war under another id open"',
    ),
    Strategy(
        "leaves the war, and types it again with another name and year",
        changing(typed_anew),
        'receipt: "promised earlier and not ruled"',
    ),
    Strategy(
        "holds back a war of these nations that comes before",
        planned(nothing, held_back),
        'receipt: "promised earlier and not ruled"',
        wars=3,
    ),
    Strategy(
        "changes such a war, makes it invalid or deletes it",
        planned(nothing, spoilt),
        'receipt: "promised earlier and not ruled"',
        wars=3,
    ),
    Strategy(
        "undoes such a war before this one is ruled",
        undone,
        'receipt: "promised earlier and not ruled"',
        wars=3,
    ),
    Strategy(
        "types back what such a war has changed",
        put_back,
        'receipt: "Changed by people: size of Host of Left"',
        wars=3,
    ),
    Strategy(
        "keeps wars for later, and lets them be ruled just before this one",
        kept_for_later,
        'receipt: "ruled late, after this promise"',
        number=1000,
        wars=3,
    ),
    Strategy(
        "has the wars before ruled in another order, by making them ready one after the other",
        planned(nothing, in_turn),
        'receipt: "one before it ruled after a later promise"',
        wars=3,
    ),
    Strategy(
        "holds back a war of others whose losses reach these nations by a second war",
        planned(nothing, held_back),
        'receipt: "promised earlier and not ruled"',
        wars=3,
        start=of_others,
    ),
    Strategy(
        "has such a war of others ruled too late",
        planned(nothing, in_turn),
        'receipt: "one before it ruled after a later promise"',
        wars=3,
        start=of_others,
    ),
    Strategy(
        "types a war before twice, and has that row ruled which pleases",
        planned(nothing, one_before),
        'receipt: "promised earlier and not ruled"',
        wars=3,
        start=typed_twice,
    ),
    Strategy(
        "types a war that is ruled again, beside this one, and holds that row back",
        beside_settled,
        'receipt: "promised earlier and not ruled"',
        number=1000,
        wars=3,
        start=settled,
    ),
    Strategy(
        "writes that a war before is done, though it is not",
        planned(nothing, called_done),
        "nothing changes: its receipt counts",
        wars=3,
        turns=False,
    ),
    Strategy(
        "undoes the ruling, and has the war ruled again",
        ruled_again(typed_again),
        'receipt: "one kept and undone"',
    ),
    Strategy(
        "undoes the ruling, and types the war again with another name and year",
        ruled_again(typed_anew),
        'receipt: "promised earlier and not ruled"',
    ),
    Strategy(
        "types the war again between nations whose names look the same",
        changing(like_names),
        'receipt: "promised earlier and not ruled"',
    ),
    Strategy(
        "has the war promised in several files, and shows the one that pleases",
        several_files,
        "the posted head is gone",
        "post",
    ),
    Strategy(
        "decides the winner in `Overrides`",
        planned(nothing, decisions),
        "the receipt has the decision",
    ),
    Strategy("types a seed", planned(nothing, typed_seeds), "the row is refused", turns=False),
    Strategy(
        "deletes the last promise after the round",
        changing(deleted),
        "the posted head is gone; in Google nothing more is ruled",
        "post",
    ),
    Strategy(
        "edits the last promise after the round, so that it is for another army",
        planned(nothing, promise_edited),
        "the posted head is another; in Google nothing more is ruled",
        "post",
    ),
    Strategy(
        "puts back an older file after the round",
        older_file,
        "the posted head is gone",
        "post",
    ),
    Strategy(
        "changes an input after the round, under a clock by which the round is still to come",
        changing(slow_clock),
        'receipt: "one withdrawn after"',
    ),
    Strategy(
        "does so, and asks a host of his own that holds back rounds",
        changing(functools.partial(slow_clock, is_host_his=True)),
        "no head with the new promise was posted before",
        "post",
    ),
    Strategy(
        "sets the clock back and promises a round that is out",
        set_back,
        "no head with the promise was posted before",
        "post",
    ),
)
