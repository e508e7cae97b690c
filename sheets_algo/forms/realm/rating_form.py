"""Form of finished games, which reads the realms of a standing with their ratings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.realm.resolve import RealmRating
from engine.realm.setup.inputs import RatingInputs
from engine.realm.setup.records import Realm
from engine.receipt import Block
from sheets_algo.database.cell_text import trimmed
from sheets_algo.database.problems import Problem, quoted
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import FormResult, FormSource
from sheets_algo.forms.capabilities import ChartForm, PairedBars, leading_number
from sheets_algo.forms.realm import turn_rows
from sheets_algo.forms.realm.columns import RatingRequest
from sheets_algo.forms.realm.form import RealmBase
from sheets_algo.forms.row_reader import RowReader

ARROW = " → "
"""Sign between the ratings before and after a game."""


class RealmRatingForm(RealmBase[RatingInputs], ChartForm[RatingInputs]):
    """Reader of finished games."""

    key = "realm-rating"
    prefix = "G-"
    request = RatingRequest
    inputs = RatingInputs
    derived = frozenset({"standing"})
    course = ("Ratings", "Rating")
    ruleset: RealmRating

    def __init__(self, source: FormSource) -> None:
        super().__init__(source)
        self.ruleset = RealmRating(self.tables)

    def read(self, row: Row, database: Database) -> FormResult[RatingInputs]:
        """Read one game with its players' ratings."""
        reading = RowReader(database)
        request = reading.row(row, RatingRequest).record
        settings = self.read_settings(reading, row)
        reading.add(*database.table(Realm).header_problems)
        standing = tuple(_read_standing(reading, row, request.standing)) if request else ()
        reading.add(*(turn_rows.check_rated_game(row, database, request) if request else ()))
        warnings = reading.finish()
        assert request is not None
        game = RatingInputs(
            game=request.game, standing=standing, settings=settings, seed_given=request.seed is not None
        )
        return FormResult(game, (), warnings)

    def check(self, database: Database) -> Iterator[Problem]:
        """Yield nothing, since the form of orders checks the shared database."""
        return iter(())

    def bars(self, blocks: Sequence[Block]) -> PairedBars | None:
        """Return the ratings before and after the game."""
        lines = [line for block in blocks for line in block.lines if ARROW in line.text]
        halves = ((line.label, line.text.partition(ARROW)) for line in lines)
        read = ((name, leading_number(before), leading_number(after)) for name, (before, _, after) in halves)
        rows = tuple((name, before, after) for name, before, after in read if before is not None and after is not None)
        return PairedBars(self.course[0], ("Before", "After"), rows) if rows else None


def _read_standing(reading: RowReader, row: Row, cell: str) -> Iterator[Realm]:
    """Yield the realms of a standing, best first; add problems unless it has two or more, each once (RL-RAT-03)."""
    names = [trimmed(part) for part in cell.split(">")]
    syntax = "Write the realms, the best first, as A > B > C"
    if len(names) < 2 or not all(names):
        reading.add(row.problem("standing", "RL-RAT-03", f"{quoted(cell)} is not a standing", allowed=syntax))
        return
    for place, name in enumerate(names):
        rows = reading.database.find(Realm, name)
        if not rows:
            similar = reading.database.names(Realm).nearest(name)
            allowed = "" if similar else "Enter names from Realms"
            says = f"realm not found: {quoted(name)}"
            reading.add(row.problem("standing", "RL-RAT-03", says, allowed=allowed, nearest=similar))
            continue
        if any(reading.database.find(Realm, other) == rows for other in names[:place]):
            says = f"{quoted(name)} is listed twice"
            reading.add(row.problem("standing", "RL-RAT-03", says, allowed="Name each realm once"))
            continue
        realm = reading.row(rows[0], Realm).record
        if realm is not None:
            yield realm
