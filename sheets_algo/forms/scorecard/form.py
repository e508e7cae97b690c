"""Form of score wars, with checks across rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.columns import folded
from engine.receipt import Block
from engine.scorecard.cases import CASES
from engine.scorecard.inputs import ATTACKER, SIDES, ScoredSide, ScoreInputs, year_of
from engine.scorecard.records import SERVING, ScoreLeader, ScoreNation
from engine.scorecard.resolve import Scorecard
from engine.scorecard.tables import TABLES, ScoreTables
from sheets_algo.database.problems import Problem, count, one_of, quoted
from sheets_algo.database.records import Database, Vocabulary
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import FormResult, FormSource
from sheets_algo.forms.capabilities import ChartForm, PairedBars, figures_of
from sheets_algo.forms.row_reader import RowReader, typed_fields
from sheets_algo.forms.scorecard import cells as cells
from sheets_algo.forms.scorecard.columns import ScoreRequest, ScoreSetting, ScoreSide

TOTAL = "Total"
"""The label of the last line of a card."""


class ScorecardForm(ChartForm[ScoreInputs]):
    """Reader of score wars."""

    key = "scorecard"
    declared = TABLES
    cases = CASES
    prefix = "S-"
    request = ScoreRequest
    parts = (ScoreSide,)
    database = (ScoreNation, ScoreLeader, ScoreSetting)
    inputs = ScoreInputs

    def __init__(self, source: FormSource) -> None:
        self.tables = source.built(ScoreTables.of)
        self.ruleset = Scorecard(self.tables)
        self.settings = source.settings_of(ScoreSetting, self.tables, TABLES)
        self.vocabulary = Vocabulary(
            lists=self.tables.lists, checks={ScoreLeader: (cells.check_wins,), ScoreSide: (self._check_side_cells,)}
        )

    def subject(self, inputs: ScoreInputs) -> str:
        """Return both nations, in an order that does not depend on the attacker, and the date."""
        nations = sorted(folded(side.nation.name) for side in (inputs.attacker, inputs.defender))
        return "|".join((*nations, folded(inputs.date)))

    def bars(self, blocks: Sequence[Block]) -> PairedBars | None:
        """Return the points of both cards, factor by factor."""
        cards = [block for block in blocks if any(line.label == TOTAL for line in block.lines)]
        if len(cards) != len(SIDES):
            return None
        attacker, defender = (figures_of(card.lines) for card in cards)
        rows = tuple((label, attacker[label], defender[label]) for label in attacker if label in defender)
        factors = tuple(row for row in rows if row[0] != TOTAL)
        names = (cards[0].heading, cards[1].heading)
        return PairedBars("The two cards", names, factors, next((row for row in rows if row[0] == TOTAL), None))

    def parties(self, inputs: ScoreInputs) -> tuple[str, ...]:
        """Return the nations and generals of both sides."""
        sides = (inputs.attacker, inputs.defender)
        generals = (f"leader {folded(side.general.name)}" for side in sides if side.general is not None)
        return tuple(sorted({*(f"nation {folded(side.nation.name)}" for side in sides), *generals}))

    def read(self, row: Row, database: Database) -> FormResult[ScoreInputs]:
        """Read one war with its two sides."""
        reading = RowReader(database)
        request = reading.row(row, ScoreRequest)
        rows = self._side_rows(reading, row)
        year = year_of(request.values.get("date", ""))
        sides = {name: self._side(reading, side_row, year) for name, side_row in rows.items()}
        settings = self.read_settings(reading, row)
        attacker, defender = (sides.get(name) for name in SIDES)
        if attacker and defender:
            reading.add(*_check_sides(rows, attacker, defender))
        if request.record is None or attacker is None or defender is None:
            reading.finish()
            raise AssertionError("a part is missing without a problem")  # cannot happen
        war = ScoreInputs(
            name=request.record.war,
            attacker=attacker,
            defender=defender,
            settings=settings,
            seed_given=request.record.seed is not None,
            **typed_fields(request.record, ScoreInputs),
        )
        return FormResult(war, (), reading.finish(), {ScoreSide.tab.name: [rows[name] for name in SIDES]})

    def check(self, database: Database) -> Iterator[Problem]:
        """Yield the problems of the database tabs and of the sides, including sides of unknown requests."""
        yield from super().check(database)
        yield from database.problems_of(ScoreSide)

    def _side_rows(self, reading: RowReader, row: Row) -> Mapping[str, Row]:
        """Return the first row of each side by name, and add problems of missing and duplicate sides."""
        rows = reading.rows_of(ScoreSide, row)
        rows_by_side: dict[str, list[Row]] = {name: [] for name in SIDES}
        for side_row in rows:
            name = reading.row(side_row, ScoreSide).values.get("side")
            if name is not None:
                rows_by_side[name].append(side_row)
        is_every_side_read = sum(map(len, rows_by_side.values())) == len(rows)
        for name, side_rows in rows_by_side.items():
            if not side_rows and is_every_side_read:
                says = f"the tab {ScoreSide.tab.name} has no {name} of this request"
                allowed = f"Add a row there with Request {row.name or quoted(row.title)} and Side {name}"
                reading.add(row.problem("request", "SC-24", says, allowed=allowed))
            for side_row in side_rows[1:]:
                says = f"a second {name} of {row.name or quoted(row.title)}; the first is in row {side_rows[0].number}"
                reading.add(side_row.problem("side", "SC-24", says, allowed="Keep one row for each side"))
        return {name: side_rows[0] for name, side_rows in rows_by_side.items() if side_rows}

    def motives(self, inputs: ScoreInputs) -> Sequence[str]:
        """Return the motive of each side."""
        return inputs.attacker.motive, inputs.defender.motive

    def _side(self, reading: RowReader, row: Row, year: int | None) -> ScoredSide | None:
        side_row = reading.row(row, ScoreSide)
        nation = reading.referenced(ScoreNation, side_row, "nation")
        general = reading.referenced(ScoreLeader, side_row, "general")
        if nation and general:
            reading.add(*_check_general(row, nation, general, year))
        side = side_row.record
        if side is None or nation is None or (side.general and general is None):
            return None
        belligerents = cells.parse_belligerents(side.belligerents)
        reading.add(*cells.check_rows_of_nations(row, belligerents, reading.database))
        given = typed_fields(side, ScoredSide) | {
            "nation": nation,
            "tactical": side.tactical_advantage,
            "belligerents": belligerents,
            "general": general,
            "overrides": cells.parse_overrides(side.overrides, self.tables.factors),
        }
        return ScoredSide(**given)

    def _check_side_cells(self, row: Row, side: ScoreSide) -> Iterator[Problem]:
        """Check the cells of one side: level, belligerents, time or chance, overrides."""
        yield from self._check_tactical_advantage(row, side)
        yield from cells.check_belligerents(row, side.belligerents, tuple(self.tables.letters))
        if side.declared_at is None and side.chance is None:
            allowed = "Enter a UTC time from 00:00 to 23:59, or fill Chance"
            yield row.problem("declared_at", "SC-11", "required unless Chance is filled, but empty", allowed=allowed)
        yield from cells.check_overrides(row, side.overrides, self.tables.factors)

    def _check_tactical_advantage(self, row: Row, side: ScoreSide) -> Iterator[Problem]:
        """Check that the tactical advantage is a level of the side; an attacker has level 1 or 2 only (SC-02)."""
        labels = self.tables.tactics_for(side.side)
        levels = {self.tables.tactics[label].points for label in labels}
        advantage = side.tactical_advantage
        if advantage in labels or advantage in levels:
            return
        displayed = f'"{advantage}"' if isinstance(advantage, str) else f"{advantage:g}"
        says = f"{displayed} is not a level of {'an attacker' if side.side == ATTACKER else 'a defender'}"
        allowed = f"{one_of(labels)}, or a whole number from {min(levels)} to {max(levels)}"
        yield row.problem("tactical_advantage", "SC-02", says, allowed=allowed)


def _check_general(row: Row, nation: ScoreNation, general: ScoreLeader, year: int | None) -> Iterator[Problem]:
    """Check that a general belongs to the nation, is serving and has no unavailable turns left (SC-03).

    Args:
        year: That of the war; None if its date is none.
    """
    if general.nation != nation.name:
        says = f"{general.name} serves {general.nation}, not {nation.name}"
        yield row.problem("general", "SC-03", says, allowed=f"Name a leader of {nation.name}, or nobody")
    if general.status not in SERVING:
        says = f"{general.name} is {general.status.lower()}"
        yield row.problem("general", "SC-03a", says, allowed="Name a leader who is Active, or nobody")
    elif left := general.turns_left(year):
        says = f"{general.name} cannot serve for another {count(left, 'turn')}"
        allowed = "Name another leader, or count the leader's Unavailable turns down to 0"
        yield row.problem("general", "SC-03a", says, allowed=allowed)


def _check_sides(rows: Mapping[str, Row], attacker: ScoredSide, defender: ScoredSide) -> Iterator[Problem]:
    """Check that the two sides have different nations and the data that the factors need."""
    if attacker.nation.name == defender.nation.name:
        says = f"{defender.nation.name} fights against itself"
        allowed = "Give rebels a nation of their own in Score Nations"
        yield rows[defender.side].problem("nation", "SC-OP-31", says, allowed=allowed)
        return
    helped = {cells.bare(ally.name) for ally in attacker.belligerents}
    helped -= {"", cells.bare(attacker.nation.name), cells.bare(defender.nation.name)}
    for ally in defender.belligerents:
        if cells.bare(ally.name) in helped:
            says = f"{ally.name} is on the lists of both sides"
            yield rows[defender.side].problem("belligerents", "SC-OP-25", says, allowed="Keep it on one list")
    for side, enemy in ((attacker, defender), (defender, attacker)):
        row = rows[side.side]
        if cells.bare(enemy.nation.name) in (cells.bare(belligerent.name) for belligerent in side.belligerents):
            says = f"{enemy.nation.name} is the {enemy.side.lower()} and cannot be on the list of the other side"
            yield row.problem("belligerents", "SC-OP-25", says, allowed="Take it off the list")
        if side.chance is None and side.opponent_edits is None and enemy.nation.edits == 0:
            says = f"the edit count of {enemy.nation.name} is 0, so there is no chance to work out"
            allowed = "Fill Opponent edits or Chance, or the Edits in Score Nations"
            yield row.problem("opponent_edits", "SC-OP-16", says, allowed=allowed)
        if side.soldiers is None and enemy.soldiers is not None:
            says = f"soldiers are given only for the {enemy.side.lower()}: SC-13 is left out for both sides"
            yield row.warning("soldiers", "SC-OP-11", says)
