"""Blank cells that the Ages of nations fill, with notes on them (NAT-29)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.autoalgo.inputs import SIDES, Belligerent, Preset
from engine.autoalgo.setup.ages import Age
from engine.columns import column, loosely, tab_of
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.members import candidates
from sheets_algo.database.problems import Problem
from sheets_algo.database.records import Database, ReadRow
from sheets_algo.forms.autoalgo.columns import LocationRow, MilitaryRow, NationRow, WarRequest

Ages = Mapping[str, Age]


def age_of(database: Database, nation: str, ages: Ages) -> Age | None:
    """Return the Age of a nation, None if it has none."""
    rows = database.find(NationRow, nation) if "age" in database.table(NationRow).places else ()
    return ages.get(database.read(rows[0], NationRow).values.get("age", "")) if rows else None


def roads_of(database: Database, values: Mapping[str, Any], ages: Ages) -> Mapping[str, Any]:
    """Return the roads of a location without typed ones: those of the defender's Age."""
    age = age_of(database, next(iter(values.get("defender", ())), ""), ages)
    places = database.find(LocationRow, values.get("location") or "")
    return {"road_system": age.road_system} if age and places and places[0].is_blank("road_system") else {}


def presets_of(
    database: Database, sides: Sequence[Belligerent], roads: Mapping[str, Any], ages: Ages
) -> Iterator[Preset]:
    """Yield the blank cells of a war's rows that the Ages of nations have filled; generic entries have no rows."""
    armies = [(side, army) for side, own in zip(SIDES, sides, strict=True) for army in (own, *own.allies)]
    for side, army in armies:
        owner = army.military.nation[0] if army.military.nation else ""
        nations = database.find(NationRow, army.nation.name)
        forces = database.labelled(MilitaryRow, army.military.label) if owner else ()
        filled: list[tuple[type, str, Mapping[str, Any]]] = [
            *((NationRow, army.nation.name, database.read(row, NationRow).filled) for row in nations[:1]),
            *((MilitaryRow, owner, database.read(row, MilitaryRow).filled) for row in forces[:1]),
            *([(LocationRow, army.nation.name, roads)] if army is sides[1] else ()),
        ]
        for record, nation, values in filled:
            if values and (age := age_of(database, nation, ages)):
                headers = tuple(column(record, name).header for name in values)
                member = "" if army in sides else army.member
                yield Preset(side=side, tab=tab_of(record).name, age=age.name, columns=headers, member=member)


def note_presets(database: Database, ages: Ages) -> Iterator[Problem]:
    """Yield a note for each row that an Age fills, of nations that a war names: more would hide other problems."""
    cells = dict.fromkeys(war.value(side.lower()) for war in database.table(WarRequest) for side in SIDES)
    typed = (name for cell in cells for name in candidates(cell))
    for name in dict.fromkeys(map(loosely, typed)):
        if age := age_of(database, name, ages):
            nation_row = database.find(NationRow, name)[0]
            yield from _row_notes(database.read(nation_row, NationRow), age.name)
            for force in database.table(MilitaryRow).rows_listing("nation", nation_row.name):
                read = database.read(force, MilitaryRow)
                if read.record is not None and loosely(read.record.nation[0]) == loosely(nation_row.name):
                    yield from _row_notes(read, age.name)


def _row_notes(read: ReadRow[Any], age: str) -> Iterator[Problem]:
    """Note the blank cells of a row that an Age fills, with the values (NAT-29)."""
    filled = {name: field.header for name, field in read.row.table.columns if name in read.filled}
    if filled:
        cells = "; ".join(f"{header} {as_text(read.filled[name])}" for name, header in filled.items())
        yield read.row.note(next(iter(filled)), "NAT-29", f"blank cells are by the Age {age}: {cells}")
