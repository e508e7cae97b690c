"""The form of years, which reads the whole database and the results of rulings (YRS)."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from engine.autoalgo.inputs import SIDES
from engine.autoalgo.records import LATEST_YEAR, Leader, Military
from engine.autoalgo.years.armies import prisoners_after
from engine.autoalgo.years.world import REBELS, Peace, YearArmy, YearInputs, YearNation, YearPlace, is_same
from engine.autoalgo.years.year import YearRules
from engine.columns import column, columns, loosely, row_label
from engine.dated import YEAR
from engine.ruleset import Plain
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.autoalgo.columns import (
    LeaderRequest,
    LocationRow,
    MilitaryRow,
    NationRow,
    UnitRow,
    WarRequest,
    YearRequest,
)
from sheets_algo.forms.autoalgo.shared_form import SharedForm
from sheets_algo.forms.base import FormResult, FormSource
from sheets_algo.forms.capabilities import AskedRow, EndedWar, OfferedRow, PastRuling, YearlyForm
from sheets_algo.forms.row_reader import RowReader, by_name

WARS = "autoalgo"
"""Key of the form of wars."""
OF_ARMIES = ("name", "nation", "size", "leader", "keep", "infantry_type")
OF_LEADERS = ("name", "nation", "birth_year", "authority", "status")
OF_PLACES = ("name", "owner", "occupied_by", "local_population")
"""Columns that a year reads; errors in others do not block it (YRS-16)."""
OF_WARS = (
    *("war", "attacker", "attacker_military", "defender", "defender_military", "location", "motive", "terrain_map"),
    "attacker_strategy",
)
OF_MAPS = ("name", "local_population", "climate", "terrain", "urbanization")
"""Columns that players fill (YRS-15)."""


class _Name(msgspec.Struct, frozen=True):
    name: str = ""


class _Force(msgspec.Struct, frozen=True):
    name: str = ""
    nation: tuple[str, ...] = ()


class _Side(msgspec.Struct, frozen=True):
    nation: _Name = _Name()
    military: _Force = _Force()
    allies: tuple[_Side, ...] = ()

    @property
    def armies(self) -> tuple[_Side, ...]:
        """Return the armies of the side."""
        return (self, *self.allies)


class _War(msgspec.Struct, frozen=True):
    """Part of the inputs of a war, or of another year, that a year reads."""

    year: int = 0
    attacker: _Side = _Side()
    defender: _Side = _Side()
    location: _Name = _Name()


_WAR = msgspec.json.Decoder(_War)
"""Created during the import, since threads that first decode into a class at once can end the process."""


class YearForm(SharedForm[YearInputs], YearlyForm[YearInputs]):
    """Reader of years."""

    key = "autoalgo-year"
    prefix = "Y-"
    request = YearRequest
    inputs = YearInputs
    derived = frozenset({"since", "nations", "armies", "leaders", "places", "peaces"})
    asked = (
        AskedRow("war", WarRequest, "attacker", OF_WARS, ("attacker", "defender", "location")),
        AskedRow("leader", LeaderRequest, "nation", ("leader", "nation", "age", "trait"), ("leader",)),
        AskedRow("unit", UnitRow, "nation", tuple(dict(columns(UnitRow))), ("name",)),
        AskedRow("map", LocationRow, "nation", OF_MAPS, ("name",)),
        AskedRow("army", MilitaryRow, "nation", ("nation", "name", "keep"), ("nation", "name"), changes=("keep",)),
    )
    players_of = (NationRow, "contact")
    ruleset: YearRules

    def __init__(self, source: FormSource) -> None:
        super().__init__(source)
        self.ruleset = YearRules(self.tables)

    def read(self, row: Row, database: Database) -> FormResult[YearInputs]:
        """Read one year with the whole database.

        Raises:
            Rejected: The row, or a row of the database, has errors.
        """
        reading = RowReader(database)
        request = reading.row(row, YearRequest).record
        year = request.year if request else None
        settings = self.read_settings(reading, row, **{YEAR: year})
        nations, armies = reading.records(NationRow), [*reading.cells(MilitaryRow, OF_ARMIES)]
        leaders, is_owned = [*reading.cells(Leader, OF_LEADERS)], "occupied_by" in database.table(LocationRow).places
        places = [*reading.cells(LocationRow, OF_PLACES, lambda row: is_owned and not row.is_blank("owner"))]
        warnings = reading.finish()
        assert request is not None
        inputs = YearInputs(
            year=request.year,
            since=request.year,
            nations=tuple(YearNation(nation=nation) for nation in by_name(nations)),
            armies=tuple(sorted(map(_army, armies), key=lambda army: (army.name, army.nation))),
            leaders=by_name(Leader(**leader) for leader in leaders),
            places=by_name(map(_place, places)),
            has_keep="keep" in database.table(MilitaryRow).places,
            settings=settings,
            seed_given=request.seed is not None,
        )
        return FormResult(inputs, (), warnings)

    def subject(self, inputs: YearInputs) -> str:
        """Return the year."""
        return f"year {inputs.year}"

    def parties(self, inputs: YearInputs) -> tuple[str, ...]:
        """Return all nations and armies, which a year concerns (LUCK-10)."""
        return (*(each.nation.name for each in inputs.nations), *(army.name for army in inputs.armies))

    def risks(self, inputs: YearInputs) -> tuple[str, ...]:
        """Return nothing: a year destroys no army."""
        return ()

    def forecast(self, inputs: YearInputs) -> str:
        """Return a blank text: a year has no odds."""
        return "a year has no odds"

    def year_of(self, inputs: str) -> int:
        """Return the year that ends."""
        return _WAR.decode(inputs).year

    def with_past(
        self, inputs: YearInputs, last: int | None, rulings: Sequence[PastRuling], wars: Sequence[EndedWar]
    ) -> YearInputs:
        """Return the inputs with wars, casualties, and the Size and Revenue at the beginning of the season."""
        since = inputs.year if last is None else last + 1
        wars_of = [(_WAR.decode(past.inputs), past) for past in rulings if past.form == WARS and past.inputs]
        first = _first_values(rulings)
        fought = _fought(wars_of, since, inputs.year)
        lost = {
            (loosely(loser), loosely(war.location.name))
            for war, past in wars_of
            if past.is_new
            for loser in _loser(war, past)
        }
        hurt = _casualties(wars_of)
        self._add_captives(hurt, rulings)
        return dataclasses.replace(
            inputs,
            since=since,
            nations=tuple(
                dataclasses.replace(
                    each,
                    fought=fought.get(loosely(each.nation.name), ()),
                    has_lost_capital=(loosely(each.nation.name), loosely(each.nation.capital)) in lost,
                    usual_revenue=str(first.get(("Nations", loosely(each.nation.name), "Revenue"), "") or ""),
                )
                for each in inputs.nations
            ),
            armies=tuple(_with_casualties(army, hurt, first) for army in inputs.armies),
            peaces=tuple(Peace(**dataclasses.asdict(war)) for war in wars),
        )

    def _add_captives(self, hurt: dict[str, _Hurt], rulings: Iterable[PastRuling]) -> None:
        """Add the remaining prisoners of the last year (YRS-04)."""
        frozen = next((past.inputs for past in reversed([*rulings]) if past.form == self.key), "")
        if frozen:
            last = self.deserialize(frozen)
            for army, captor, men in prisoners_after(last, self.tables.having(last.settings).years):
                hurt.setdefault(_label(army), _Hurt()).captured[captor] += men

    def offers(self, inputs: YearInputs, cells: Iterable[tuple[str, str, str]]) -> Iterator[OfferedRow]:
        """Yield the next year, and a war of rebels against each nation in which men revolted (YRS-11)."""
        if inputs.year < LATEST_YEAR:
            yield OfferedRow(record=YearRequest, cells={"year": inputs.year + 1}, is_alone=True)
        risen = {row for tab, row, header in cells if (tab, header) == ("Militaries", "Size")}
        for each in inputs.nations:
            name = f"{REBELS}{each.nation.name}"
            if loosely(row_label(name, name)) in risen:
                cells_: dict[str, Plain] = {"war": f"Revolt in {each.nation.name}", "year": inputs.year + 1}
                cells_ |= {"attacker": name, "attacker_military": name, "defender": each.nation.name}
                armies = [army for army in inputs.armies if army.nation[:1] == (each.nation.name,)]
                largest = max(armies, key=lambda army: army.size, default=None)
                cells_ |= {"defender_military": largest.name if largest else "", "location": each.nation.capital}
                yield OfferedRow(record=WarRequest, cells=cells_)


def _army(army: Mapping[str, Any]) -> YearArmy:
    unit = "" if army["infantry_type"] == "0" else army["infantry_type"]
    return YearArmy(unit=unit, **{name: army[name] for name in OF_ARMIES if name != "infantry_type"})


def _label(army: YearArmy | _Force) -> str:
    """Return the label of its row, as labels are compared."""
    return loosely(row_label(army.name, army.nation[0]) if army.nation else army.name)


def _place(place: Mapping[str, Any]) -> YearPlace:
    occupied_by = "" if is_same(place["occupied_by"], place["owner"]) else place["occupied_by"]
    people = place["local_population"]
    return YearPlace(name=place["name"], owner=place["owner"], occupied_by=occupied_by, people=people)


def _first_values(rulings: Iterable[PastRuling]) -> Mapping[tuple[str, str, str], Plain]:
    """Return the value of each changed cell at the beginning of the season."""
    first: dict[tuple[str, str, str], Plain] = {}
    for past in rulings:
        for cell, before in past.changes:
            first.setdefault(cell, before)
    return first


def _fought(wars: Iterable[tuple[_War, PastRuling]], since: int, year: int) -> Mapping[str, tuple[int, ...]]:
    """Return the years in which each nation fought; a war that was ruled late counts in the year that ends."""
    fought: dict[str, set[int]] = {}
    for war, past in wars:
        when = min(max(war.year, since), year) if past.is_new else war.year
        for army in (*war.attacker.armies, *war.defender.armies):
            fought.setdefault(loosely(army.nation.name), set()).add(when)
    return {nation: tuple(sorted(years)) for nation, years in fought.items()}


def _loser(war: _War, past: PastRuling) -> Iterator[str]:
    """Yield the nation that lost a battle."""
    sides = dict(zip(SIDES, (war.defender, war.attacker), strict=True))
    if past.winner in sides:
        yield sides[past.winner].nation.name


class _Hurt(msgspec.Struct):
    """Casualties of an army since the last year."""

    wounded: int = 0
    back: int = 0
    captured: Counter[str] = msgspec.field(default_factory=Counter)  # By captor


def _casualties(wars: Iterable[tuple[_War, PastRuling]]) -> dict[str, _Hurt]:
    """Return the casualties of each army since the last year, by its label; a captor is the leader of a side."""
    hurt: dict[str, _Hurt] = {}
    for war, past in wars:
        attackers = {_label(army.military) for army in war.attacker.armies}
        for casualties in past.casualties if past.is_new else ():
            label = loosely(casualties.army)
            army = hurt.setdefault(label, _Hurt())
            captor = war.defender if label in attackers else war.attacker
            army.wounded += casualties.wounded
            army.back += casualties.returned
            army.captured[captor.nation.name] += casualties.captured
    return hurt


def _with_casualties(
    army: YearArmy, hurt: Mapping[str, _Hurt], first: Mapping[tuple[str, str, str], Plain]
) -> YearArmy:
    label = _label(army)
    own, size = hurt.get(label, _Hurt()), first.get(("Militaries", label, column(Military, "size").header))
    return dataclasses.replace(
        army,
        wounded=own.wounded,
        back=own.back,
        captured=tuple(sorted((name, men) for name, men in own.captured.items() if men)),
        usual_size=int(size) if isinstance(size, int | float) else None,
    )
