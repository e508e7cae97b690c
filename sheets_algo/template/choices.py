"""Where the drop-downs of a new workbook find their values.

Excel, LibreOffice and Google Sheets all take a range of cells; only the first two take a formula. So every drop-down
is a range. A list that depends on another cell (the militaries of the chosen nation) is worked out by formulas in a
hidden tab, one row for each row of people's, and each cell's drop-down names its own row there.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.fields import Field, Kind, Place, ValueList, columns, loosely, tab_of
from sheets_algo.forms.base import Form, by_ruleset, vocabulary_of
from sheets_algo.template.looks import INK, PALE, PLAIN, heading
from sheets_algo.template.parts import Area, Cell, Check, Column, Formula, Style, Tab, fixed, quoted

LISTS, CHOICES = "Lists", "Choices"
FIRST_ROW = 2
"""Below the headers."""
NAMED_ROWS = 300
"""Rows of a database tab that drop-downs offer at least; later ones are typed."""
OWN_ROWS = 100
"""Rows of a tab whose names stand beside built-in ones."""
ROWS = (FIRST_ROW, 2001)
"""Rows that have their column's drop-down or range."""
TITLED = Style(fill=PALE, ink=INK, bold=True, is_at_top=True)
FOLLOWED_ROWS = 200
"""Rows below a header that have a dependent drop-down at least."""
MATCHES = 10
"""Names that a dependent drop-down offers; others are typed."""


class Choices:
    """The value lists and the dependent lists, collected while the columns are made.

    Args:
        forms: Whose values they are.
        filled: Tab name to the number of rows that hold something from the start.
    """

    def __init__(self, forms: Sequence[Form[Any]], filled: Mapping[str, int]) -> None:
        self._filled = filled
        self._lists: list[tuple[Cell, Cell, Cell]] = []
        self._areas: dict[tuple[str, str], Area] = {}
        self._helper = _Helper()
        self._records = {tab_of(record).name: record for form in forms for record in form.records()}
        for group in by_ruleset(forms):
            vocabulary = vocabulary_of(group)
            for values in vocabulary.lists.values():
                self._add_list(group, values)
            for tab, builtin in vocabulary.builtin.items():
                self._add_rows([f"{tab}, built in"], {name: _figures(it) for name, it in builtin.items()})

    def checks(self, form: Form[Any], record: type, column: Field) -> Iterator[Check]:
        """The drop-downs of a choice or a reference: one for all its rows, or one a row."""
        if column.kind is Kind.CHOICE:
            says = "This is not in the list. Other spellings of the rules are read too; check says if this one is not."
            yield Check(rows=ROWS, source=self._areas[form.ruleset_key, column.choices], says=says)
            return
        target = self._records[column.to]
        always = "".join(f' ("{word}" always is one)' for word in column.also)
        says = f"There is no such name in {column.to} yet{always}."
        owner, narrowing = _narrowed(record, column, target)
        if owner and narrowing:
            for row, area in self._matches(record, column, target, owner, narrowing):
                yield Check(rows=(row, row), source=area, says=says)
        elif tab_of(target).name in form.vocabulary.builtin:
            yield Check(rows=ROWS, source=self._with_builtin(form, column, target), says=says)
        else:
            yield Check(rows=ROWS, source=self._names(target), says=says)

    def tabs(self) -> tuple[Tab, ...]:
        """Every value with its meaning, for people; and the hidden tab of formulas."""
        style = heading(Place.PERSON)
        heads = (("Column", 34), ("Value", 44), ("Meaning", 96))
        lists = Tab(
            name=LISTS,
            columns=[Column(header=head, width=width, heading=style, style=PLAIN) for head, width in heads],
            rows=self._lists,
            is_needed=False,
        )
        helper = Tab(
            name=CHOICES,
            columns=[
                Column(header=header, width=20, heading=style, is_programs=True) for header in self._helper.headers
            ],
            rows=self._helper.rows(),
            is_hidden=True,
            is_needed=False,
        )
        return (lists, helper) if self._helper.headers else (lists,)

    def _add_list(self, forms: Sequence[Form[Any]], values: ValueList) -> None:
        """A list's block, with the columns that it is for."""
        used = [
            f"{tab_of(record).name}: {column.header}"
            for record in dict.fromkeys(record for form in forms for record in form.records())
            for _, column in columns(record)
            if column.kind in (Kind.CHOICE, Kind.CHOICES) and column.choices == values.name
        ]
        meanings = {value: values.meanings.get(value, "") for value in values.values}
        self._areas[forms[0].ruleset_key, values.name] = self._add_rows(used, meanings)

    def _add_rows(self, titles: Sequence[str], meanings: Mapping[str, str]) -> Area:
        """A block of the tab of lists; the titles stand beside its first values."""
        first = FIRST_ROW + len(self._lists)
        for number, (value, meaning) in enumerate(meanings.items()):
            head = Cell(titles[number], TITLED) if number < len(titles) else Cell()
            self._lists.append((head, Cell(value), Cell(meaning or None)))
        return Area(LISTS, (first, 2), (first + len(meanings) - 1, 2))

    def _rows_of(self, record: type) -> int:
        filled = self._filled.get(tab_of(record).name, 0)
        return max(NAMED_ROWS, filled + OWN_ROWS)

    def _names(self, record: type) -> Area:
        """The cells that name a tab's rows."""
        return self._cells(record, tab_of(record).key)

    def _cells(self, record: type, attribute: str) -> Area:
        place = _place(record, attribute)
        return Area(tab_of(record).name, (FIRST_ROW, place), (FIRST_ROW + self._rows_of(record) - 1, place))

    def _with_builtin(self, form: Form[Any], column: Field, record: type) -> Area:
        """Names that exist without a row, then those of the tab; 0 comes first, for columns in which it means none."""
        tab = tab_of(record).name
        title = f"{form.ruleset_key}: {tab}"
        if title not in self._helper.headers:
            place = _place(record, tab_of(record).key)
            own = (f"{quoted(tab)}!{fixed(row, place)}" for row in range(FIRST_ROW, FIRST_ROW + OWN_ROWS))
            cells = [Cell(0), *map(Cell, form.vocabulary.builtin[tab])]
            cells += [Cell(Formula(f'IF({name}="","",{name})')) for name in own]
            self._helper.add([title], [[cell] for cell in cells])
        area = self._helper.area(title)
        above, left = area.first
        return area if column.zero_means_none else Area(CHOICES, (above + 1, left), area.last)

    def _matches(
        self, record: type, column: Field, target: type, owner: str, narrowing: str
    ) -> Iterator[tuple[int, Area]]:
        """Each row with the cells that list what fits it."""
        tab = tab_of(record).name
        table = self._owned(target, owner)
        place = _place(record, narrowing)
        rows = range(FIRST_ROW, FIRST_ROW + max(FOLLOWED_ROWS, self._filled.get(tab, 0)))
        formulas = [Formula(_fitting(f"{quoted(tab)}!{fixed(row, place)}", table), MATCHES) for row in rows]
        title = f"{tab}: {column.header}"
        self._helper.add([title, *[""] * (MATCHES - 1)], [[Cell(formula)] for formula in formulas])
        left = self._helper.area(title).first[1]
        for row in rows:
            yield row, Area(CHOICES, (row, left), (row, left + MATCHES - 1))

    def _owned(self, target: type, owner: str) -> Area:
        """A tab's rows by number, with their names and their owners, the owners in one spelling."""
        tab = tab_of(target).name
        title = f"{tab} by {owner}"
        if title not in self._helper.headers:
            owners, names = _place(target, owner), _place(target, tab_of(target).key)
            rows = []
            for row in range(FIRST_ROW, FIRST_ROW + self._rows_of(target)):
                name = f"{quoted(tab)}!{fixed(row, names)}"
                spelled = _in_one_spelling(f"{quoted(tab)}!{fixed(row, owners)}")
                rows.append([Cell(row), Cell(Formula(f'IF({name}="","",{name})')), Cell(Formula(spelled))])
            self._helper.add([title, "", ""], rows)
        (top, left), (bottom, _) = (area := self._helper.area(title)).first, area.last
        return Area(CHOICES, (top, left), (bottom, left + 2))


def _figures(record: Any) -> str:
    """What a built-in row would hold in its tab."""
    tab = type(record)
    cells = {column.header: getattr(record, name) for name, column in columns(tab) if name != tab_of(tab).key}
    return "; ".join(f"{header} {_figure(value)}" for header, value in cells.items())


def _figure(value: Any) -> str:
    if isinstance(value, tuple):
        return " / ".join(map(_figure, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _in_one_spelling(owners: str) -> str:
    """`England / Norway` as `;england;norway;` (DB-05)."""
    for separator in ('"/"', '"|"', "CHAR(10)"):
        owners = f'SUBSTITUTE({owners},{separator},";")'
    for spaced in ('"; "', '" ;"'):
        owners = f'SUBSTITUTE({owners},{spaced},";")'
    return f'";"&LOWER(TRIM({owners}))&";"'


def _fitting(chosen: str, table: Area) -> str:
    """The names of the rows that the chosen one owns, in as many cells as there are slots.

    The separators around it keep Guinea from being found in Papua New Guinea. VLOOKUP because it takes an array of
    rows in all three programs; INDEX does not in Google Sheets.
    """
    (top, left), (bottom, right) = table.first, table.last
    rows, owners = (Area(table.tab, (top, place), (bottom, place)).address for place in (left, right))
    slots = ",".join(str(slot) for slot in range(1, MATCHES + 1))
    found = f'IF(ISNUMBER(FIND(";"&LOWER(TRIM({chosen}))&";",{owners})),{rows})'
    return f'IF({chosen}="","",IFERROR(VLOOKUP(SMALL({found},{{{slots}}}),{table.address},2,FALSE),""))'


def _narrowed(record: type, column: Field, target: type) -> tuple[str, str]:
    """How a reference is narrowed down: by which attribute of the rows it names, and by which of its own row.

    The rows belong to one of another tab (a military to its nation), and the same row names one of those further left,
    in the only such column or in the one whose header begins alike (Attacker, Attacker Military).
    """
    for owner, owning in columns(target):
        if not owning.required or owning.kind not in (Kind.REFERENCE, Kind.REFERENCES):
            continue
        rivals = {
            name: other
            for name, other in itertools.takewhile(lambda it: it[1] is not column, columns(record))
            if other.kind is Kind.REFERENCE and other.to == owning.to
        }
        alike = [name for name, it in rivals.items() if loosely(column.header).startswith(f"{loosely(it.header)} ")]
        for narrowing in alike or (rivals if len(rivals) == 1 else ()):
            return owner, narrowing
    return "", ""


def _place(record: type, attribute: str) -> int:
    """Number of an attribute's column in a new workbook."""
    return 1 + [name for name, _ in columns(record)].index(attribute)


@dataclass
class _Helper:
    """The hidden tab: blocks side by side."""

    headers: list[str] = field(default_factory=list)
    _cells: dict[int, dict[int, Cell]] = field(default_factory=lambda: defaultdict(dict))
    _heights: dict[str, int] = field(default_factory=dict)

    def add(self, headers: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        """A block to the right of the last, from row 2."""
        left = len(self.headers)
        self.headers += headers
        self._heights[headers[0]] = len(rows)
        for number, cells in enumerate(rows):
            self._cells[number] |= {left + place: cell for place, cell in enumerate(cells)}

    def area(self, title: str) -> Area:
        """The first column of a block."""
        left = 1 + self.headers.index(title)
        return Area(CHOICES, (FIRST_ROW, left), (FIRST_ROW + self._heights[title] - 1, left))

    def rows(self) -> list[list[Cell]]:
        """All blocks, row by row."""
        blank = Cell()
        return [
            [self._cells[number].get(place, blank) for place in range(len(self.headers))]
            for number in range(max(self._cells, default=-1) + 1)
        ]
