"""Score wars: the Score Requests and Score Sides tabs, and what must hold between a war and the rows it names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from engine.fields import Kind, Tab, choice, number, reference, result, text, time_of_day, whole, yes_no
from engine.scorecard.forecast import forecast
from engine.scorecard.inputs import ATTACKER, SIDES, ScoreInputs, Side
from engine.scorecard.records import MOST, SERVING, Leader, Nation
from engine.scorecard.resolve import SIDES_TAB, Scorecard
from engine.scorecard.tables import SETTABLE_WORDS, Tables, settable
from engine.terrain import Feature
from sheets_algo.book import Book, Vocabulary
from sheets_algo.forms import scorecard_cells as cells
from sheets_algo.forms.base import Filled, Form, Reading, Request, request_id
from sheets_algo.forms.settings import SchemaCheck, SettingRow, SettingsTab
from sheets_algo.problems import Problem, one_of
from sheets_algo.tables import Row

LEAST_SOLDIERS = 0.001
"""More than 0, and more than what a spreadsheet's arithmetic leaves of 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRequest(Request):
    """One row of the Score Requests tab: one war."""

    tab: ClassVar[Tab] = Tab(
        "Score Requests",
        key="request",
        one="request",
        unique=False,  # two rows with one id are the desk's to tell (REQ-01)
        about="One row is one war to be scored; Score Sides has its two sides.",
    )

    war: str = text(
        "War", id="SC-24", required=True, longest=20_000, note="Name on the receipt; any text, need not be unique."
    )
    date: str = text("Date", id="SC-24", note="Text or year; only printed on the receipt.")
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
        aliases=("Territory taken", "Territory taken in %"),
        note="What the winner takes before SC-20 and SC-22, the moderator's figure; blank: not printed.",
    )
    notes: str = text("Notes", id="SC-OP-20", longest=100_000, note="Anything; the program does not read it.")
    winner: str = result("Winner", id="SC-24", note="The nation that won, or that the defender holds at a tie.")
    attacker_total: float = result("Attacker Total", id="SC-24", kind=Kind.NUMBER, note="The attacker's grand total.")
    defender_total: float = result("Defender Total", id="SC-24", kind=Kind.NUMBER, note="The defender's grand total.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSide:
    """One row of the Score Sides tab: one side of one war."""

    tab: ClassVar[Tab] = Tab(
        SIDES_TAB,
        key="nation",
        unique=False,
        one="side",
        about="Two rows for each war of Score Requests: one Attacker, one Defender.",
    )

    request: str = reference("Request", "Score Requests", id="SC-24", required=True, note="The war's request id.")
    side: str = choice("Side", "Side", id="SC-24", required=True, note="Attacker or Defender.")
    nation: str = reference("Nation", "Score Nations", id="SC-01", required=True, note="Whose scores count.")
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
    """One row of the Score Settings tab: a single number of the rules that this workbook has otherwise."""

    tab: ClassVar[Tab] = Tab(
        "Score Settings",
        key="name",
        one="setting",
        unique=False,  # one number has many spellings, so the reader looks for it (SET-01)
        about="Optional: numbers of the rules that this game has otherwise, by name.",
        optional=True,
    )


class ScorecardForm(Form[ScoreInputs]):
    """How a score war is read.

    Args:
        raw: The ruleset's parsed tables.
        open_maps: Not needed: these wars have no map.
        schema: What the schemas say of a table that settings changed.
    """

    key = "scorecard"
    prefix = "S-"
    request = ScoreRequest
    parts = (ScoreSide,)
    database = (Nation, Leader, ScoreSetting)
    inputs = ScoreInputs

    def __init__(
        self, raw: Mapping[str, Any], open_maps: Callable[[Sequence[Feature]], object], schema: SchemaCheck
    ) -> None:
        self.tables = Tables.of(raw)
        self.ruleset = Scorecard(self.tables)
        self.settings = SettingsTab(ScoreSetting, settable(raw), SETTABLE_WORDS, schema, self.tables.having)
        self.vocabulary = Vocabulary(
            lists=self.tables.lists,
            checks={
                Leader: (cells.wins_within_battles,),
                ScoreSide: (self._own_cells_fit,),
            },
        )

    def read(self, row: Row, book: Book) -> Filled[ScoreInputs]:
        """One war with its two sides.

        Raises:
            Rejected: With every problem.
        """
        reading = Reading(book)
        asked = reading.row(row, ScoreRequest)
        rows = self._rows(reading, row)
        sides = {name: self._side(reading, side_row) for name, side_row in rows.items()}
        own = self.settings.read(book)
        reading.add(*own.problems)
        attacker, defender = (sides.get(name) for name in SIDES)
        if attacker and defender:
            reading.add(*_between_sides(rows, attacker, defender))
        if asked.record is None or attacker is None or defender is None:
            reading.finish()
            raise AssertionError("a part is missing without a problem")  # a bug of this form
        war = ScoreInputs(
            name=asked.record.war,
            attacker=attacker,
            defender=defender,
            date=asked.record.date,
            near_water=asked.record.near_water,
            beach_landing=asked.record.beach_landing,
            attacking_countries=asked.record.attacking_countries,
            territory_taken=asked.record.territory_taken,
            settings=own.settings,
            seed_given=asked.record.seed is not None,
        )
        return Filled(war, (), reading.finish(), {ScoreSide.tab.name: [rows[name] for name in SIDES]})

    def check(self, book: Book) -> Iterator[Problem]:
        """The database tabs, and sides of requests that do not exist."""
        yield from super().check(book)
        yield from book.problems_of(ScoreSide)

    def forecast(self, inputs: ScoreInputs) -> str:
        """Shares of wins and spans of totals over every roll that is still open."""
        return forecast(inputs, self.tables).line()

    def _rows(self, reading: Reading, row: Row) -> Mapping[str, Row]:
        """Side to its row, whichever stands first in the sheet; what is missing or twice there is noted."""
        id = request_id(row)
        rows = reading.rows_of(ScoreSide, id) if id else []
        found: dict[str, list[Row]] = {name: [] for name in SIDES}
        for side_row in rows:
            name = reading.row(side_row, ScoreSide).values.get("side")
            if name is not None:
                found[name].append(side_row)
        is_every_side_read = sum(map(len, found.values())) == len(rows)
        for name, its_rows in found.items():
            if not its_rows and is_every_side_read:
                says = f"the tab {ScoreSide.tab.name} has no {name} of this request"
                allowed = f"Add a row there with {f'Request {id}' if id else 'the new id as Request'} and Side {name}"
                reading.add(row.problem("request", "SC-24", says, allowed=allowed))
            for side_row in its_rows[1:]:
                says = f"a second {name} of {id}; the first is in row {its_rows[0].number}"
                reading.add(side_row.problem("side", "SC-24", says, allowed="Keep one row for each side"))
        return {name: its_rows[0] for name, its_rows in found.items() if its_rows}

    def _side(self, reading: Reading, row: Row) -> Side | None:
        asked = reading.row(row, ScoreSide)
        nation = reading.named(Nation, asked.values["nation"]) if "nation" in asked.values else None
        general = reading.named(Leader, asked.values["general"]) if asked.values.get("general") else None
        if nation and general:
            reading.add(*_can_command(row, nation, general))
        it = asked.record
        if it is None or nation is None or (it.general and general is None):
            return None
        return Side(
            side=it.side,
            nation=nation,
            location=it.location,
            tactical=it.tactical_advantage,
            motive=it.motive,
            belligerents=cells.belligerents(it.belligerents),
            navy_nearby=it.navy_nearby,
            general=general,
            soldiers=it.soldiers,
            declared_at=it.declared_at,
            opponent_edits=it.opponent_edits,
            chance=it.chance,
            general_roll=it.general_roll,
            leader_killed=it.leader_killed,
            overrides=cells.overrides(it.overrides, self.tables.factors),
        )

    def _own_cells_fit(self, row: Row, it: ScoreSide) -> Iterator[Problem]:
        """What must hold within one row: level, list, time or chance, overrides."""
        yield from self._tactical_advantage_fits(row, it)
        yield from cells.belligerents_fit(row, it.belligerents, tuple(self.tables.letters))
        if it.declared_at is None and it.chance is None:
            allowed = "Enter a UTC time from 00:00 to 23:59, or fill Chance"
            yield row.problem("declared_at", "SC-11", "required unless Chance is filled, but empty", allowed=allowed)
        yield from cells.overrides_fit(row, it.overrides, self.tables.factors)

    def _tactical_advantage_fits(self, row: Row, it: ScoreSide) -> Iterator[Problem]:
        """SC-02: an attacker has level 1 or 2 only; a level is a whole number."""
        labels = self.tables.tactics_for(it.side)
        levels = {self.tables.tactics[label].points for label in labels}
        found = it.tactical_advantage
        if found in labels or found in levels:
            return
        shown = f'"{found}"' if isinstance(found, str) else f"{found:g}"
        says = f"{shown} is not a level of {'an attacker' if it.side == ATTACKER else 'a defender'}"
        allowed = f"{one_of(labels)}, or a whole number from {min(levels)} to {max(levels)}"
        yield row.problem("tactical_advantage", "SC-02", says, allowed=allowed)


def _can_command(row: Row, nation: Nation, general: Leader) -> Iterator[Problem]:
    """SC-03: an own leader, neither retired nor dead, with no unavailable turns left."""
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


def _between_sides(rows: Mapping[str, Row], attacker: Side, defender: Side) -> Iterator[Problem]:
    """What must hold between the two sides of a war."""
    if attacker.nation.name == defender.nation.name:
        says = f"{defender.nation.name} fights against itself"
        allowed = "Give rebels a nation of their own in Score Nations"
        yield rows[defender.side].problem("nation", "SC-OP-31", says, allowed=allowed)
        return
    for own, enemy in ((attacker, defender), (defender, attacker)):
        row = rows[own.side]
        if own.chance is None and own.opponent_edits is None and enemy.nation.edits == 0:
            says = f"the edit count of {enemy.nation.name} is 0, so there is no chance to work out"
            allowed = "Fill Opponent edits or Chance, or the Edits in Score Nations"
            yield row.problem("opponent_edits", "SC-OP-16", says, allowed=allowed)
        if own.soldiers is None and enemy.soldiers is not None:
            says = f"soldiers are given only for the {enemy.side.lower()}: SC-13 is left out for both sides"
            yield row.warning("soldiers", "SC-OP-11", says)
