"""Further ways of a dishonest moderator: those of outsiders, and others against the rules that answered them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from scripts.support.beacon_rounds import after_round, at, before_round
from scripts.support.fairness.earlier import OF_EARLIER
from scripts.support.fairness.games import OF_GAMES
from scripts.support.fairness.season import TARGET, Season, remembering
from scripts.support.fairness.strategies import (
    FORTUNES,
    STRATEGIES,
    TRIES,
    Deed,
    Strategy,
    changing,
    nothing,
    other_key,
    own_tables,
    planned,
    promise_edited,
)
from scripts.support.pinned_tables import WORKSHOP
from scripts.support.workbooks import changed, forms, read
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forms.rulesets import open_forms
from sheets_algo.ruling.corrections import restore
from sheets_algo.ruling.luck.beacon import SIGNATURE_BYTES, Round
from sheets_algo.ruling.receipts.chain import NotedHead
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.steps.promises import step as promise_step


class RiggedLoader(ConfigLoader):
    """The moderator's own tables; the release has those with which all other seasons are ruled."""

    def released(self, ruleset: str) -> Mapping[str, Any]:
        """Return the tables of the release."""
        return ConfigLoader(WORKSHOP).raw(ruleset)


def rigged(season: Season, want: str) -> str:
    """Rule the season with rigged tables from the first day on."""
    library = RiggedLoader(own_tables(FORTUNES[0]))
    fingerprints = {**season.context.fingerprints, "autoalgo": library.fingerprint("autoalgo")}
    season.context = changed(season.context, forms=remembering(open_forms(library)), fingerprints=fingerprints)
    season.look(123)
    season.finish()
    return TARGET


def typed_back(season: Season, want: str) -> str:
    """Have the wars before ruled, and type back what they took before the last one is promised."""
    season.hold(TARGET)
    season.look(123)
    header, *rows = map(list, season.book.rows("Militaries"))
    season.run(after_round(123))
    for place, row in enumerate(rows, start=2):
        season.edit("Militaries", place, "Size", row[header.index("Size")])
    season.ready(TARGET)
    season.look(1000)
    season.finish(1000)
    return TARGET


def forged_rounds() -> Iterator[tuple[Deed, str]]:
    """Yield programs that take a number of his own for the round, with a hash that fits."""
    for place in range(TRIES):
        signature = hashlib.shake_256(f"forged {place}".encode()).digest(SIGNATURE_BYTES)
        randomness = hashlib.sha256(signature).hexdigest()
        forged = {123: Round(round=123, signature=signature.hex(), randomness=randomness)}
        yield lambda season, forged=forged: setattr(season, "forged", forged), TARGET


def _shown_after(season: Season, want: str, files: list[Season]) -> str:
    """Show the first file after the round that has the winner that he wants; only then its head is posted."""
    for file in files:
        file.run(before_round(123))
    shown = next((file for file in files if file.outcome(TARGET) == want), files[0])
    season.book, season.context = shown.book, shown.context
    season.now = after_round(123)
    season.posted = [(season.now, season.receipts.head)]
    season.finish()
    return TARGET


def withheld(season: Season, want: str) -> str:
    """Keep the commits of several promises back behind a proxy, and let one through after the round."""
    files = [season, *(Season.begun(season.number, 1) for _ in range(TRIES))]
    for place, file in enumerate(files[1:], start=1):
        file.edit("Nations", 2, "Population", 1_000_000 + place)
    return _shown_after(season, want, files)


def many_seasons(season: Season, want: str) -> str:
    """Begin many seasons, each under a secret of its own, and publish the one that pleases."""
    files = [Season.begun(season.number, 1, other=f", number {place}") for place in range(1, 1 + TRIES)]
    return _shown_after(season, want, [season, *files])


def other_map(season: Season, place: int) -> None:
    """Choose another terrain map."""
    season.set(TARGET, "Terrain Map", ("Hill", "Plain", "Island")[place - 1])


def other_stability(season: Season, place: int) -> None:
    """Say that the ruling shall change no database cell, or that it shall."""
    season.set(TARGET, "Commit Stability", place % 2 == 0)


def other_army(season: Season, place: int) -> None:
    """Give the army another name."""
    season.edit("Militaries", 2, "Name", f"Army number {place}")


def two_promises(season: Season) -> None:
    """Have two watchers with two secrets promise the war."""
    season.run(before_round(123))
    other_key(season)

    @contextmanager
    def program() -> Iterator[None]:
        with patch.object(promise_step.PromisesStep, "_changes", lambda *_: ("size of Host of Left: 8,000 → 8,000",)):
            yield

    ours = season.program
    season.program = program
    season.run(before_round(123))
    season.program = ours


def one_of_two_secrets() -> Iterator[tuple[Deed, str]]:
    """Yield both watchers."""
    yield nothing, TARGET

    def first(season: Season) -> None:
        object.__setattr__(season.context.secret, "nonce", 0)
        season.program = lambda: patch.object(promise_step.PromisesStep, "_changes", lambda *_: ())

    yield first, TARGET


def without_beacon(season: Season, want: str) -> str:
    """Keep the beacon away while its round gives the wrong winner."""
    season.look(123)
    season.finish(1000)
    return TARGET


def restored() -> Iterator[tuple[Deed, str]]:
    """Yield the promise as if it had been for another army, accepted by restore in words of his own."""
    for edit, request in promise_edited():

        def deed(season: Season, edit: Deed = edit) -> None:
            noted = [NotedHead(season.receipts.head, "the guards")]
            edit(season)
            snapshot = read(season.book)
            _, _, changes = restore(snapshot, forms(), read_receipts(snapshot), at(season.now + 1), noted)
            season.book.commit(snapshot, changes)
            season.edit("Receipts", len(season.book.rows("Receipts")), "Receipt", "Release notes.")

        yield deed, request


def promised_after(season: Season) -> None:
    """Have another war promised behind the target, so that a head covers the target's promise."""
    season.add("W-4", War="Quarrel 4", Year=1004)


def elsewhere(season: Season, place: int) -> None:
    """Have the war fought at another location."""
    season.write("Locations", 2 + place, {"Name": f"Heath {place}"})
    season.set(TARGET, "Location", f"Heath {place}")


def other_flanks(season: Season, place: int) -> None:
    """Give one side flanks of its own."""
    for row, x in enumerate((120, 200, 280), start=2):
        cells = {"Request": TARGET, "Side": "Attacker", "Flank": str(row), "X": x, "Y": 100 + 10 * place}
        season.write("Flanks", row, cells)


def other_options() -> Iterator[tuple[Deed, str]]:
    """Yield the Season row with other options."""

    def deed(season: Season) -> None:
        header, row = season.book.rows("Receipts")[:2]
        inputs = str(row[header.index("Inputs")]).replace('"apply"', '"tell"')
        season.edit("Receipts", 2, "Inputs", inputs)

    yield deed, TARGET


FURTHER = (
    Strategy(
        "edits the last promise after the round, and accepts that with `restore`",
        planned(nothing, restored),
        "the posted head is gone; a receipt of kind Restore",
        "post",
    ),
    Strategy(
        "edits an earlier promise after the round, accepts that with `restore`, and rewrites that row",
        planned(promised_after, restored),
        "the posted head no longer vouches for what is before it",
        "post",
    ),
    Strategy(
        "has the war fought at another place after the round",
        changing(elsewhere),
        'receipt: "Changed by people: location of Quarrel 3"',
    ),
    Strategy(
        "types a strategy after the round",
        changing(other_flanks),
        'receipt: "Changed by people: flanks of Quarrel 3"',
    ),
    Strategy(
        "rigs a number of the tables from the first day on",
        rigged,
        'receipt, `verify`: "strategy/fortune/side is 0.0, not 0.6 as in the release"',
        "verify",
    ),
    Strategy(
        "types back what the wars before took, before this one is promised",
        typed_back,
        'receipt: "Changed by people after rulings: Size of ..."',
        wars=3,
        number=1000,
    ),
    Strategy(
        "takes a number of his own for the round, with a changed program",
        planned(nothing, forged_rounds),
        "`verify`: the signature of the round is not the beacon's",
        "verify",
    ),
    Strategy(
        "keeps several promises back behind a proxy, and lets one through after the round",
        withheld,
        "no head with the promise was posted before",
        "post",
    ),
    Strategy(
        "begins many seasons under secrets of their own, and publishes the one that pleases",
        many_seasons,
        "no head with the promise was posted before",
        "post",
    ),
    Strategy(
        "chooses another map after the round",
        changing(other_map),
        'receipt: "Changed by people: terrain of Quarrel 3"',
    ),
    Strategy(
        "switches Commit Stability after the round",
        changing(other_stability),
        'receipt: "Changed by people: commit stability of Quarrel 3"',
    ),
    Strategy(
        "gives an army another name after the round",
        changing(other_army),
        'receipt: "Changed by people: military of Quarrel 3"',
    ),
    Strategy(
        "has two watchers with two secrets promise the war, and one of them rule it, with a changed program",
        planned(two_promises, one_of_two_secrets),
        "`verify`: a promise does not say what was changed, or the key is not the promised one",
        "verify",
    ),
    Strategy(
        "keeps the beacon away until another round is out",
        without_beacon,
        "nothing changes",
        turns=False,
    ),
    Strategy(
        "edits the Season row, so that losses do not count",
        planned(nothing, other_options),
        "nothing more is ruled, and every row says why",
        wars=3,
        turns=False,
    ),
)
ALL = (*STRATEGIES, *FURTHER, *OF_EARLIER, *OF_GAMES)
