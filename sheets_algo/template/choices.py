"""Sources of the drop-down lists of a new workbook.

Excel, LibreOffice and Google Sheets all accept a range of cells as a source; only the first two accept a formula, so
every drop-down list refers to a range. A list that depends on another cell (the militaries of the chosen nation) is
computed by formulas in a hidden tab, in one row for each row of the visible tab.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.columns import ColumnPlace, Field, Kind, ValueList, columns, loosely, tab_of
from sheets_algo.database.headers import key_of
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import by_ruleset, vocabulary_of
from sheets_algo.template.looks import INK, PALE, PLAIN, heading
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.template_spec import (
    AreaSpec,
    CellCheck,
    CellSpec,
    ColumnSpec,
    FormulaSpec,
    Style,
    TabSpec,
    fixed,
    quoted,
)

LISTS, CHOICES = TabKey.named("Lists"), TabKey.named("Choices")
FIRST_ROW = 2
"""Number of the first row below the headers."""
NAMED_ROWS = 300
"""Minimum number of rows of a database tab that drop-down lists offer; names of later rows have to be typed."""
OWN_ROWS = 100
"""Number of rows of a tab whose names are listed together with built-in ones."""
ROWS = (FIRST_ROW, 2001)
"""First and last row to which a column's drop-down list or range check applies."""
TITLED = Style(fill=PALE, ink=INK, bold=True, is_at_top=True)
FOLLOWED_ROWS = 200
"""Minimum number of rows below a header that have a dependent drop-down list."""
MATCHES = 10
"""Maximum number of names in a dependent drop-down list; others have to be typed."""


class Choices:
    """The value lists and the dependent lists, collected while the columns are made.

    Args:
        filled: The number of rows with initial content by tab name.
    """

    def __init__(self, forms: Sequence[Form[Any]], filled: Mapping[str, int]) -> None:
        self._filled = filled
        self._lists: list[tuple[CellSpec, CellSpec, CellSpec]] = []
        self._areas: dict[tuple[str, str], AreaSpec] = {}
        self._settings: dict[str, AreaSpec] = {}
        self._helper = _HelperTab()
        self._records = {tab_of(record).name: record for form in forms for record in form.records()}
        for group in by_ruleset(forms):
            vocabulary = vocabulary_of(group)
            for values in vocabulary.lists.values():
                self._add_list(group, values)
            if settings := group[0].settings:
                tab = tab_of(settings.record).name
                self._settings[tab] = self._add_rows([f"{tab}: Setting"], settings.names())
            for tab, builtin in vocabulary.builtin.items():
                self._add_rows([f"{tab}, built in"], {name: _record_text(record) for name, record in builtin.items()})

    def checks(self, form: Form[Any], record: type, column: Field) -> Iterator[CellCheck]:
        """Yield the drop-down lists of a column, one for all rows or one for each row.

        The column is a choice, a reference or the names of settings.
        """
        if column.kind is Kind.TEXT:
            says = "This is not in the list. The end of a name is read too; check says if this one is not."
            yield CellCheck(rows=ROWS, source=self._settings[tab_of(record).name], says=says)
            return
        if column.kind is Kind.CHOICE:
            says = "This is not in the list. Other spellings of the rules are read too; check says if this one is not."
            yield CellCheck(rows=ROWS, source=self._areas[form.ruleset_key, column.choices], says=says)
            return
        target = self._records[column.to]
        always_allowed = "".join(f' ("{word}" always is one)' for word in column.also)
        says = f"There is no such name in {column.to} yet{always_allowed}."
        if tab_of(target).title:
            says = f"This is no id in {column.to}. The name of a {tab_of(target).one} is read too, if no other has it."
        owner, narrowing = _narrowing_attributes(record, column, target)
        if owner and narrowing:
            for row, area in self._matches(record, column, target, owner, narrowing):
                yield CellCheck(rows=(row, row), source=area, says=says)
        elif tab_of(target).name in form.vocabulary.builtin:
            yield CellCheck(rows=ROWS, source=self._with_builtin(form, column, target), says=says)
        else:
            yield CellCheck(rows=ROWS, source=self._cells(target, tab_of(target).key), says=says)

    def tabs(self) -> tuple[TabSpec, ...]:
        """Return the hidden tabs: values with their meanings and, if needed, formulas."""
        style = heading(ColumnPlace.PERSON)
        headers = (("Column", 34), ("Value", 44), ("Meaning", 96))
        lists = TabSpec(
            key=LISTS,
            columns=[ColumnSpec(header=head, width=width, heading=style, style=PLAIN) for head, width in headers],
            rows=self._lists,
            is_hidden=True,
            is_needed=False,
        )
        helper = TabSpec(
            key=CHOICES,
            columns=[
                ColumnSpec(header=header, width=20, heading=style, is_programs=True) for header in self._helper.headers
            ],
            rows=self._helper.rows(),
            is_hidden=True,
            is_needed=False,
        )
        return (lists, helper) if self._helper.headers else (lists,)

    def _add_list(self, forms: Sequence[Form[Any]], values: ValueList) -> None:
        """Add the block of a value list, titled with the columns that use it."""
        used = [
            f"{tab_of(record).name}: {column.header}"
            for record in dict.fromkeys(record for form in forms for record in form.records())
            for _, column in columns(record)
            if column.kind in (Kind.CHOICE, Kind.CHOICES) and column.choices == values.name
        ]
        meanings = {value: values.meanings.get(value, "") for value in values.values}
        self._areas[forms[0].ruleset_key, values.name] = self._add_rows(used, meanings)

    def _add_rows(self, titles: Sequence[str], meanings: Mapping[str, str]) -> AreaSpec:
        """Add a block to the tab of lists, with titles beside its first values; return the area of the values."""
        first = FIRST_ROW + len(self._lists)
        for number, (value, meaning) in enumerate(meanings.items()):
            head = CellSpec(titles[number], TITLED) if number < len(titles) else CellSpec()
            self._lists.append((head, CellSpec(value), CellSpec(meaning or None)))
        return AreaSpec(LISTS, (first, 2), (first + len(meanings) - 1, 2))

    def _rows_of(self, record: type) -> int:
        filled = self._filled.get(tab_of(record).name, 0)
        return max(NAMED_ROWS, filled + OWN_ROWS)

    def _cells(self, record: type, attribute: str) -> AreaSpec:
        place = _column_number(record, attribute)
        return AreaSpec(key_of(record), (FIRST_ROW, place), (FIRST_ROW + self._rows_of(record) - 1, place))

    def _with_builtin(self, form: Form[Any], column: Field, record: type) -> AreaSpec:
        """Return the cells with built-in names, then those of the tab; 0 is first if it means none in the column.

        Built-in names with years are in the order of the catalogue, those of the last request's year before the others.
        """
        tab = tab_of(record).name
        title = f"{form.ruleset_key}: {tab}"
        if title not in self._helper.headers:
            names = list(form.vocabulary.builtin[tab])
            periods = form.vocabulary.periods.get(tab, {})
            listed = self._by_year(form, title, names, periods) if periods else names
            place = _column_number(record, tab_of(record).key)
            name_cells = (f"{quoted(tab)}!{fixed(row, place)}" for row in range(FIRST_ROW, FIRST_ROW + OWN_ROWS))
            cells = [CellSpec(0), *map(CellSpec, listed)]
            cells += [CellSpec(FormulaSpec(f'IF({name}="","",{name})')) for name in name_cells]
            self._helper.add([title], [[cell] for cell in cells])
        area = self._helper.area(title)
        top, left = area.first
        return area if column.zero_means_none else AreaSpec(CHOICES, (top + 1, left), area.last)

    def _by_year(
        self, form: Form[Any], title: str, names: Sequence[str], periods: Mapping[str, tuple[int, int]]
    ) -> list[FormulaSpec]:
        """Return formulas that list the names; their ranks by the greatest year of the requests are in a block."""
        years, block = self._cells(form.request, "year").address, f"{title} by year"
        ranks: list[list[CellSpec]] = [[CellSpec(FormulaSpec(f'IF(COUNT({years})=0,"",MAX({years}))')), CellSpec()]]
        year = fixed(FIRST_ROW, len(self._helper.headers) + 1)
        for rank, name in enumerate(names, start=1):
            first, last = periods.get(name, (None, None))
            by_year = FormulaSpec(f"IF(AND({year}>={first},{year}<={last}),{rank},{rank + 1000})")
            ranks.append([CellSpec(rank if first is None else by_year), CellSpec(name)])
        self._helper.add([block, ""], ranks)
        (top, left), (bottom, _) = (area := self._helper.area(block)).first, area.last
        keys, table = (AreaSpec(CHOICES, (top + 1, left), (bottom, right)).address for right in (left, left + 1))
        return [FormulaSpec(f"VLOOKUP(SMALL({keys},{rank}),{table},2,FALSE)") for rank in range(1, len(names) + 1)]

    def _matches(
        self, record: type, column: Field, target: type, owner: str, narrowing: str
    ) -> Iterator[tuple[int, AreaSpec]]:
        """Yield each row number with the cells that list the row's matching names."""
        tab = tab_of(record).name
        table = self._owner_table(target, owner)
        place = _column_number(record, narrowing)
        rows = range(FIRST_ROW, FIRST_ROW + max(FOLLOWED_ROWS, self._filled.get(tab, 0)))
        formulas = [FormulaSpec(_matches_formula(f"{quoted(tab)}!{fixed(row, place)}", table), MATCHES) for row in rows]
        title = f"{tab}: {column.header}"
        self._helper.add([title, *[""] * (MATCHES - 1)], [[CellSpec(formula)] for formula in formulas])
        left = self._helper.area(title).first[1]
        for row in rows:
            yield row, AreaSpec(CHOICES, (row, left), (row, left + MATCHES - 1))

    def _owner_table(self, target: type, owner: str) -> AreaSpec:
        """Return the cells with row numbers, names and normalised owners of a tab's rows."""
        tab = tab_of(target).name
        title = f"{tab} by {owner}"
        if title not in self._helper.headers:
            owners, names = _column_number(target, owner), _column_number(target, tab_of(target).key)
            rows = []
            for row in range(FIRST_ROW, FIRST_ROW + self._rows_of(target)):
                name = f"{quoted(tab)}!{fixed(row, names)}"
                spelled = _owners_formula(f"{quoted(tab)}!{fixed(row, owners)}")
                rows.append(
                    [CellSpec(row), CellSpec(FormulaSpec(f'IF({name}="","",{name})')), CellSpec(FormulaSpec(spelled))]
                )
            self._helper.add([title, "", ""], rows)
        (top, left), (bottom, _) = (area := self._helper.area(title)).first, area.last
        return AreaSpec(CHOICES, (top, left), (bottom, left + 2))


def _record_text(record: Any) -> str:
    """Return the values of a built-in record as text, with the headers of its tab."""
    tab = type(record)
    cells = {column.header: getattr(record, name) for name, column in columns(tab) if name != tab_of(tab).key}
    return "; ".join(f"{header} {_value_text(value)}" for header, value in cells.items())


def _value_text(value: Any) -> str:
    if isinstance(value, tuple):
        return " / ".join(map(_value_text, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _owners_formula(owners: str) -> str:
    """Return a formula that turns `England / Norway` into `;england;norway;` (DB-05)."""
    for separator in ('"/"', '"|"', "CHAR(10)"):
        owners = f'SUBSTITUTE({owners},{separator},";")'
    for spaced in ('"; "', '" ;"'):
        owners = f'SUBSTITUTE({owners},{spaced},";")'
    return f'";"&LOWER(TRIM({owners}))&";"'


def _matches_formula(chosen: str, table: AreaSpec) -> str:
    """Return a formula for the names of the rows that the chosen owner has, in `MATCHES` cells.

    The separators around the owner prevent a match of Guinea in Papua New Guinea. VLOOKUP accepts an array of rows
    in all three programs; INDEX does not in Google Sheets.
    """
    (top, left), (bottom, right) = table.first, table.last
    rows, owners = (AreaSpec(table.tab, (top, place), (bottom, place)).address for place in (left, right))
    slots = ",".join(str(slot) for slot in range(1, MATCHES + 1))
    matching_rows = f'IF(ISNUMBER(FIND(";"&LOWER(TRIM({chosen}))&";",{owners})),{rows})'
    return f'IF({chosen}="","",IFERROR(VLOOKUP(SMALL({matching_rows},{{{slots}}}),{table.address},2,FALSE),""))'


def _narrowing_attributes(record: type, column: Field, target: type) -> tuple[str, str]:
    """Return the attributes that narrow a reference, of the target's rows and of the referring row; blank if none.

    The target's rows have an owner in another tab (a military has its nation), and the referring row names such an
    owner further left, in the only such column or in the one whose header is a prefix (Attacker, Attacker Military).
    """
    for owner, owner_column in columns(target):
        if not owner_column.required or owner_column.kind not in (Kind.REFERENCE, Kind.REFERENCES):
            continue
        rivals = {
            name: other
            for name, other in itertools.takewhile(lambda pair: pair[1] is not column, columns(record))
            if other.kind is Kind.REFERENCE and other.to == owner_column.to
        }
        alike = [
            name for name, rival in rivals.items() if loosely(column.header).startswith(f"{loosely(rival.header)} ")
        ]
        for narrowing in alike or (rivals if len(rivals) == 1 else ()):
            return owner, narrowing
    return "", ""


def _column_number(record: type, attribute: str) -> int:
    """Return the number of an attribute's column in a new workbook."""
    return 1 + [name for name, _ in columns(record)].index(attribute)


@dataclass
class _HelperTab:
    """The hidden tab, with blocks of columns side by side."""

    headers: list[str] = field(default_factory=list)
    _cells: dict[int, dict[int, CellSpec]] = field(default_factory=lambda: defaultdict(dict))
    _heights: dict[str, int] = field(default_factory=dict)

    def add(self, headers: Sequence[str], rows: Sequence[Sequence[CellSpec]]) -> None:
        """Add a block to the right of the last one, from row 2."""
        left = len(self.headers)
        self.headers += headers
        self._heights[headers[0]] = len(rows)
        for number, cells in enumerate(rows):
            self._cells[number] |= {left + place: cell for place, cell in enumerate(cells)}

    def area(self, title: str) -> AreaSpec:
        """Return the first column of a block."""
        left = 1 + self.headers.index(title)
        return AreaSpec(CHOICES, (FIRST_ROW, left), (FIRST_ROW + self._heights[title] - 1, left))

    def rows(self) -> list[list[CellSpec]]:
        """Return the cells of all blocks by row."""
        blank = CellSpec()
        return [
            [self._cells[number].get(place, blank) for place in range(len(self.headers))]
            for number in range(max(self._cells, default=-1) + 1)
        ]
