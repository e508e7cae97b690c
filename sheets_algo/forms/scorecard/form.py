"""Form of score wars, with the Score Requests and Score Sides tabs and checks across rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from engine.columns import (
    Kind,
    TabDeclaration,
    choice,
    folded,
    number,
    reference,
    result,
    text,
    time_of_day,
    whole,
    yes_no,
)
from engine.receipt import Block
from engine.scorecard.cases import CASES
from engine.scorecard.forecast import forecast
from engine.scorecard.inputs import ATTACKER, SIDES, ScoredSide, ScoreInputs
from engine.scorecard.records import MOST, SERVING, ScoreLeader, ScoreNation
from engine.scorecard.resolve import SIDES_TAB, Scorecard
from engine.scorecard.tables import SETTABLE_WORDS, TABLES, ScoreTables, settable
from sheets_algo.database.problems import Problem, one_of
from sheets_algo.database.records import Database, Vocabulary
from sheets_algo.database.tables import Row
from sheets_algo.forms.bars import PairedBars, figures_of
from sheets_algo.forms.base import FormResult, FormSource
from sheets_algo.forms.capabilities import ChartForm
from sheets_algo.forms.request_columns import Request, ends_war_column, part_of_column, request_id, request_tab
from sheets_algo.forms.row_reader import RowReader
from sheets_algo.forms.scorecard import cells as cells
from sheets_algo.forms.settings_tab import SettingRow, settings_tab

TOTAL = "Total"
"""The label of the last line of a card."""
LEAST_SOLDIERS = 0.001
"""Least number of soldiers; greater than rounding errors of a spreadsheet's arithmetic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRequest(Request):
    """One row of the Score Requests tab: one war."""

    tab: ClassVar[TabDeclaration] = request_tab(
        "Score Requests", "One row is one war to be scored; Score Sides has its two sides.", one="war"
    )

    war: str = text(
        "War",
        id="SC-24",
        required=True,
        longest=20_000,
        decides=False,
        note="Name on the receipt; any text, need not be unique.",
    )
    date: str = text("Date", id="SC-24", decides=False, note="Text or year; only printed on the receipt.")
    near_water: bool = yes_no(
        "Near water", id="SC-09", note="Yes: navies that are nearby score 3 points for each point of naval score."
    )
    beach_landing: bool = yes_no(
        "Beach landing",
        id="SC-02a",
        note="Yes: the defender meets a landing at the beach and has at least high ground.",
    )
    attacking_countries: int | None = whole(
        "Attacking countries",
        id="SC-21",
        low=1,
        high=1000,
        note="For a full transplant; blank: nations of the attacker's list with L or M and without W (SC-OP-10).",
    )
    territory_taken: float | None = number(
        "Territory taken %",
        id="SC-OP-15",
        low=0,
        high=100,
        unit="per cent",
        shares=True,
        aliases=("Territory taken", "Territory taken in %"),
        note="What the winner takes before SC-20 and SC-22, the moderator's figure; blank: not printed.",
    )
    part_of: str = part_of_column()
    ends_war: bool = ends_war_column()
    notes: str = text(
        "Notes", id="SC-OP-20", longest=100_000, decides=False, note="Anything; the program does not read it."
    )
    winner: str = result("Winner", id="SC-24", note="The nation that won, or that the defender holds at a tie.")
    attacker_total: float = result("Attacker Total", id="SC-24", kind=Kind.NUMBER, note="The attacker's grand total.")
    defender_total: float = result("Defender Total", id="SC-24", kind=Kind.NUMBER, note="The defender's grand total.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSide:
    """One row of the Score Sides tab: one side of one war."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        SIDES_TAB,
        key="nation",
        unique=False,
        one="side",
        about="Two rows for each war of Score Requests: one Attacker, one Defender.",
    )

    request: str = reference("Request", "Score Requests", id="SC-24", required=True, note="The war's request id.")
    side: str = choice("Side", "Side", id="SC-24", required=True, decides=True, note="Attacker or Defender.")
    nation: str = reference(
        "Nation", "Score Nations", id="SC-01", required=True, decides=True, note="Whose scores count."
    )
    location: str | float = choice(
        "Location",
        "Location",
        id="SC-01",
        required=True,
        numeric=True,
        low=0,
        high=5,
        note="Where the war is, from the capital: 5 at its location, 4 next to it, 3 close, 2 far, 1 other side of the"
        " world, 0 Antarctica. The label, or the points as a number.",
    )
    tactical_advantage: str | float = choice(
        "Tactical advantage",
        "Tactical advantage",
        id="SC-02",
        default=1,
        numeric=True,
        low=1,
        high=5,
        note="1 open field, 2 high ground or ambush; a defender also 3 basic earthworks, 4 fortifications, 5 fortress."
        " The label, or the level as a number.",
    )
    belligerents: str = text(
        "Belligerents",
        id="SC-04",
        note="Name (letters), Name (letters)...: L leader +4, M military aid +3, S supplies +2, V vassal −1, W withdrew"
        " −1. Blank: the nation itself with L.",
    )
    motive: str = choice(
        "Motive", "Motive", id="SC-05", required=True, note="The one told to the army, when there are several."
    )
    navy_nearby: bool = yes_no("Navy nearby", id="SC-09", note="Yes: its navy is stationed near the war.")
    general: str = reference(
        "General", "Score Leaders", id="SC-03", default="", note="The commander, of the same nation; blank: none."
    )
    soldiers: float | None = number(
        "Soldiers",
        id="SC-13",
        low=LEAST_SOLDIERS,
        high=MOST,
        unit="people",
        note="More than 0, may be approximate; blank: unknown, and SC-13 is left out for both sides.",
    )
    declared_at: str | None = time_of_day(
        "Declared at",
        id="SC-11",
        note="UTC time at which this side declared or acknowledged the war; needed unless Chance is filled.",
    )
    opponent_edits: int | None = whole(
        "Opponent edits",
        id="SC-11",
        low=1,
        high=MOST,
        note="The opponent's wiki edit count at that moment; blank: the Edits of the opponent's nation.",
    )
    chance: int | None = whole(
        "Chance", id="SC-11", low=0, high=9, note="The moderator's value in place of SC-11; blank: worked out."
    )
    general_roll: int | None = whole(
        "General roll", id="SC-03a", low=0, high=9, note="The moderator's roll for the general's fate; blank: drawn."
    )
    leader_killed: bool = yes_no(
        "Leader killed", id="SC-OP-07", note="Yes: the moderator rules that this side's leader is killed, −10."
    )
    overrides: str = text(
        "Overrides",
        id="SC-OP-27",
        note="Factor=points; Factor=points. The moderator's points in place of a factor's, named on the receipt.",
    )
    total: float = result("Total", id="SC-24", kind=Kind.NUMBER, note="Grand total.")
    fate: str = result("Fate", id="SC-03a", note="Of the commander; blank without one.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSetting(SettingRow):
    """One row of the Score Settings tab: a number of the rules that this workbook overrides."""

    tab: ClassVar[TabDeclaration] = settings_tab("Score Settings")


class ScorecardForm(ChartForm[ScoreInputs]):
    """Reader of score wars."""

    follows_rulings = True
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
        self.settings = source.settings_tab(ScoreSetting, settable, SETTABLE_WORDS, TABLES, self.tables.having)
        self.vocabulary = Vocabulary(
            lists=self.tables.lists, checks={ScoreLeader: (cells.check_wins,), ScoreSide: (self._check_side_cells,)}
        )

    def subject(self, inputs: ScoreInputs) -> str:
        """Return both nations, whoever attacks, and the date."""
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
        """Read one war with its two sides.

        Raises:
            Rejected: The war has errors.
        """
        reading = RowReader(database)
        request = reading.row(row, ScoreRequest)
        rows = self._side_rows(reading, row)
        sides = {name: self._side(reading, side_row) for name, side_row in rows.items()}
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
            date=request.record.date,
            near_water=request.record.near_water,
            beach_landing=request.record.beach_landing,
            attacking_countries=request.record.attacking_countries,
            territory_taken=request.record.territory_taken,
            settings=settings,
            seed_given=request.record.seed is not None,
        )
        return FormResult(war, (), reading.finish(), {ScoreSide.tab.name: [rows[name] for name in SIDES]})

    def check(self, database: Database) -> Iterator[Problem]:
        """Yield the problems of the database tabs and of the sides, including sides of unknown requests."""
        yield from super().check(database)
        yield from database.problems_of(ScoreSide)

    def forecast(self, inputs: ScoreInputs) -> str:
        """Return the shares of wins and ranges of totals over all rolls that are not given."""
        return forecast(inputs, self.tables).line()

    def _side_rows(self, reading: RowReader, row: Row) -> Mapping[str, Row]:
        """Return the first row of each side by name, and add problems of missing and duplicate sides."""
        id = request_id(row)
        rows = reading.rows_of(ScoreSide, id) if id else []
        rows_by_side: dict[str, list[Row]] = {name: [] for name in SIDES}
        for side_row in rows:
            name = reading.row(side_row, ScoreSide).values.get("side")
            if name is not None:
                rows_by_side[name].append(side_row)
        is_every_side_read = sum(map(len, rows_by_side.values())) == len(rows)
        for name, side_rows in rows_by_side.items():
            if not side_rows and is_every_side_read:
                says = f"the tab {ScoreSide.tab.name} has no {name} of this request"
                allowed = f"Add a row there with {f'Request {id}' if id else 'the new id as Request'} and Side {name}"
                reading.add(row.problem("request", "SC-24", says, allowed=allowed))
            for side_row in side_rows[1:]:
                says = f"a second {name} of {id}; the first is in row {side_rows[0].number}"
                reading.add(side_row.problem("side", "SC-24", says, allowed="Keep one row for each side"))
        return {name: side_rows[0] for name, side_rows in rows_by_side.items() if side_rows}

    def motives(self, inputs: ScoreInputs) -> Sequence[str]:
        """Return the motive of each side."""
        return inputs.attacker.motive, inputs.defender.motive

    def _side(self, reading: RowReader, row: Row) -> ScoredSide | None:
        side_row = reading.row(row, ScoreSide)
        nation = reading.referenced(ScoreNation, side_row, "nation")
        general = reading.referenced(ScoreLeader, side_row, "general")
        if nation and general:
            reading.add(*_check_general(row, nation, general))
        side = side_row.record
        if side is None or nation is None or (side.general and general is None):
            return None
        belligerents = cells.parse_belligerents(side.belligerents)
        reading.add(*cells.check_rows_of_nations(row, belligerents, reading.database))
        return ScoredSide(
            side=side.side,
            nation=nation,
            location=side.location,
            tactical=side.tactical_advantage,
            motive=side.motive,
            belligerents=belligerents,
            navy_nearby=side.navy_nearby,
            general=general,
            soldiers=side.soldiers,
            declared_at=side.declared_at,
            opponent_edits=side.opponent_edits,
            chance=side.chance,
            general_roll=side.general_roll,
            leader_killed=side.leader_killed,
            overrides=cells.parse_overrides(side.overrides, self.tables.factors),
        )

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


def _check_general(row: Row, nation: ScoreNation, general: ScoreLeader) -> Iterator[Problem]:
    """Check that a general belongs to the nation, is serving and has no unavailable turns left (SC-03)."""
    if general.nation != nation.name:
        says = f"{general.name} serves {general.nation}, not {nation.name}"
        yield row.problem("general", "SC-03", says, allowed=f"Name a leader of {nation.name}, or nobody")
    if general.status not in SERVING:
        says = f"{general.name} is {general.status.lower()}"
        yield row.problem("general", "SC-03a", says, allowed="Name a leader who is Active, or nobody")
    elif general.unavailable_turns > 0:
        says = f"{general.name} cannot serve for another {general.unavailable_turns} turns"
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
