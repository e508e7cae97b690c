"""Proposals to map people's own tabs and headers to those of the rules, from their words and cells (DB-17).

A header is proposed if it is a word for a column that can read most of its cells. Where two headers or tabs fit, the
proposal is a question.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.columns import ColumnPlace, Field, Kind, ValueList, columns, loosely, tab_of
from sheets_algo.database.cell_text import ReadError, as_text, is_blank, is_typed
from sheets_algo.database.cells import read_value, split_names
from sheets_algo.database.headers import HEADER_SEARCH, key_of, scaled
from sheets_algo.database.problems import quoted
from sheets_algo.forms.base import Form
from sheets_algo.forms.rulesets import words_of_headers
from sheets_algo.forms.settings_tab import SettingRow
from sheets_algo.workbook.addresses import letters
from sheets_algo.workbook.own_columns import Assignment
from sheets_algo.workbook.snapshot import Sheet
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.values import PerCent, Value

READ, SURE = 0.6, 0.8
"""Minimum shares of readable cells for a proposal by header, and by cells alone."""
LEAST_COLUMNS, LEAST_CELLS, LEAST_VALUES = 3, 3, 5
"""Minimum number of columns of a proposed tab, and of cells and distinct values that identify a column."""
NAMES = (Kind.REFERENCE, Kind.REFERENCES)


@dataclass(frozen=True, slots=True)
class Heading:
    """A header of people's own."""

    place: int  # The number of its column
    text: str  # The header as typed
    cells: Sequence[Value]  # The cells below it that hold something


@dataclass(frozen=True, slots=True)
class Proposal:
    """Proposed mapping of a person's own tabs."""

    assignments: tuple[Assignment, ...] = ()  # A row for each header, including those that stay people's own
    questions: tuple[str, ...] = ()  # The questions that people must decide
    lacking: tuple[tuple[str, int, int, str], ...] = ()  # Title, row, column and text of headers to add at the right

    def lines(self) -> Iterator[str]:
        """Yield the proposal as a table, a part for each tab, then the questions."""
        for title, rows in itertools.groupby(self.assignments, key=lambda each: each.title):
            by_header: dict[str, list[Assignment]] = {}
            for each in rows:
                by_header.setdefault(each.header, []).append(each)
            tabs = dict.fromkeys(each.tab for some in by_header.values() for each in some if each.tab)
            yield f"Tab {title} looks like {' and '.join(tabs)}:"
            width = max(map(len, by_header))
            main = next(iter(tabs))
            for header, some in by_header.items():
                meant = [each.column if each.tab == main else f"{each.tab}.{each.column}" for each in some if each.tab]
                factor = f"{some[0].factor or 1:,.6f}".rstrip("0").rstrip(".")
                times = f", times {factor}" if factor != "1" else ""
                if meant:
                    yield f"  {header.ljust(width)} = {' and '.join(meant)}{times}"
            yours = [header for header, some in by_header.items() if not some[0].tab]
            if yours:
                stay = "column stays" if len(yours) == 1 else "columns stay"
                yield f"  {len(yours)} {stay} yours: {', '.join(yours)}"
            if added := [header for other, _, _, header in self.lacking if other == title]:
                yield f"  Added at the right, since the rules need them: {', '.join(added)}"
        yield from (f"Question: {question}" for question in self.questions)


def propose(sheets: Iterable[Sheet], forms: Sequence[Form[Any]], present: Collection[TabKey]) -> Proposal:
    """Return the proposed mapping of people's tabs to the missing tabs of some forms."""
    records = dict.fromkeys(record for form in forms for record in form.database if key_of(record) not in present)
    people = [record for record in records if not issubclass(record, SettingRow) and tab_of(record).key]
    vocabulary = forms[0].vocabulary
    builtin = {
        tab: {*map(loosely, (*vocabulary.builtin.get(tab, ()), *vocabulary.spellings.get(tab, ())))}
        for tab in (tab_of(record).name for record in people)
    }
    return _Proposer(_Words(words_of_headers(forms[0].ruleset_key)), people, vocabulary.lists, builtin).propose(sheets)


@dataclass(frozen=True)
class _Words:
    """The words of a ruleset's file of headers, compared without capitals, accents, plural endings and signs."""

    content: Mapping[str, Any]

    @functools.cached_property
    def tabs(self) -> Mapping[str, frozenset[str]]:
        return {tab: frozenset(map(plain, words)) for tab, words in self.content.get("tabs", {}).items()}

    @functools.cached_property
    def columns(self) -> Mapping[str, Mapping[str, frozenset[str]]]:
        listed = self.content.get("columns", {})
        return {
            tab: {header: frozenset(map(plain, words)) for header, words in headers.items()}
            for tab, headers in listed.items()
        }

    def rank(self, record: type, column: Field, header: str) -> int:
        """Return 3 for a header of the rules, 2 for a word for it, 1 for one among such as `active`, 0 for none."""
        word = plain(header)
        if word in map(plain, (column.header, *column.aliases)):
            return 3
        words = self.columns.get(tab_of(record).name, {}).get(column.header, ())
        if word in words:
            return 2
        parts = [part for part in word.split() if part not in self.modifiers]
        return int(bool(parts) and " ".join(parts) in {*words, plain(column.header)})

    @functools.cached_property
    def modifiers(self) -> frozenset[str]:
        return frozenset(self.content.get("modifiers", ()))

    def is_titled(self, record: type, title: str) -> bool:
        """Return True if a tab's title is a word for the rows of a record class."""
        name = tab_of(record).name
        words = {plain(name), *self.tabs.get(name, ())}
        return plain(title) in words or any(word in words for word in plain(title).split())

    def factor(self, column: Field, heading: Heading) -> float | None:
        """Return the factor of the numbers below a header; None if its unit is not known."""
        if column.kind not in (Kind.NUMBER, Kind.WHOLE, Kind.COUNT):
            return 1
        units = self.content.get("units", {})
        known = {**units.get("any", {}), **units.get(column.unit, {})}
        neutral = {column.unit.casefold(), *self.content.get("neutral", ())}
        for unit in units_of(heading.text):
            if unit in known and column.unit != "year":
                return float(known[unit])
            if unit not in neutral and not unit.isdigit():
                return None
        numbers = [cell for cell in heading.cells if isinstance(cell, int | float) and not isinstance(cell, PerCent)]
        is_share = column.unit.startswith("share")
        return 0.01 if is_share and max(numbers, default=0) > 1 and max(numbers) <= 100 else 1


_UNIT = re.compile(r"[(\[](.*?)[)\]]|,? in ([^\W\d_]+)$|, ([^\W\d_]+)$| (k|tsd|mio|mn|mln|bn|mrd)\.?$", re.IGNORECASE)


def units_of(header: str) -> list[str]:
    """Return the unit in a header: in brackets, or at its end (`Troops, k`, `GDP in millions`)."""
    units = (" ".join("".join(groups).split()).casefold() for groups in _UNIT.findall(header))
    return [unit.removeprefix("in ") for unit in units if unit]


@functools.lru_cache(maxsize=10_000)
def plain(header: str) -> str:
    """Return the words of a header without capitals, accents, plural endings, signs and unit."""
    text = unicodedata.normalize("NFKD", _UNIT.sub(" ", header).casefold())
    text = "".join(sign for sign in text if not unicodedata.combining(sign)).replace("%", " percent ")
    words = re.findall(r"[^\W_]+", text.replace("'s ", " "))
    return " ".join(word.removesuffix("s") if len(word) > 3 else word for word in words)


@dataclass
class _Match:
    """A tab of people's own, mapped to a tab of the rules."""

    sheet: Sheet
    record: type
    is_titled: bool
    row: int  # Its row of headers
    headings: Sequence[Heading]
    places: dict[str, Heading] = field(default_factory=dict)  # The header of each attribute
    factors: dict[str, float] = field(default_factory=dict)  # The factor of its numbers
    asked: dict[str, str] = field(default_factory=dict)  # The question about an attribute

    @property
    def key(self) -> str:
        return tab_of(self.record).key

    @property
    def needed(self) -> set[str]:
        """Return the essential attributes of a row: its name, and references to the rows that it belongs to."""
        return {
            self.key,
            *(name for name, column in _fillable(self.record) if column.required and column.kind in NAMES),
        }

    @property
    def score(self) -> int:
        return len(self.places) + 2 * self.is_titled

    @property
    def free(self) -> list[Heading]:
        """Return the unmapped headers."""
        taken = [heading.place for heading in self.places.values()]
        return [heading for heading in self.headings if heading.place not in taken]

    @property
    def names(self) -> set[str]:
        return {loosely(as_text(cell)) for cell in self.places[self.key].cells}


@dataclass(frozen=True)
class _Proposer:
    words: _Words
    records: Sequence[type]  # The record classes to which people's tabs may be mapped
    lists: Mapping[str, ValueList]
    builtin: Mapping[str, Collection[str]]  # The names that references may use without a row, by tab

    @functools.cached_property
    def _headers(self) -> frozenset[str]:
        """Return all words for columns."""
        declared = [column for record in self.records for _, column in columns(record)]
        words = [word for column in declared for word in (column.header, *column.aliases)]
        listed = (self.words.columns.get(tab_of(record).name, {}) for record in self.records)
        return frozenset(map(plain, words)).union(*(named for headers in listed for named in headers.values()))

    def propose(self, sheets: Iterable[Sheet]) -> Proposal:
        questions: list[str] = []
        matches = [*self._chosen([*sheets], questions)]
        if not matches:
            return Proposal(questions=tuple(questions))
        names = {tab: {*known} for tab, known in self.builtin.items()}
        for match in matches:
            names[tab_of(match.record).name] |= match.names
        for match in matches:
            self._check_references(match, names)
        matches = [match for match in matches if match.needed <= match.places.keys()]
        for match in matches:
            self._read_lists(match)
        beside = [*self._beside(matches, names)]
        assignments = [each for match in matches for each in _assignments(match, beside)]
        for match in (*matches, *beside):
            questions += match.asked.values()
        lacking = [each for match in matches for each in _lacking(match)]
        return Proposal(tuple(assignments), tuple(questions), tuple(lacking))

    def _chosen(self, sheets: Sequence[Sheet], questions: list[str]) -> Iterator[_Match]:
        """Yield the mapped tabs; add a question where a tab fits two of the rules, or two fit one."""
        by_record: dict[type, list[_Match]] = {}
        for sheet in sheets:
            matches = [match for record in self.records if (match := self._match(sheet, record))]
            best = [match for match in matches if match.score == max(other.score for other in matches)]
            if len(best) == 1:
                by_record.setdefault(best[0].record, []).append(best[0])
            elif best:
                both = " and like ".join(tab_of(match.record).name for match in best)
                questions.append(f"the tab {quoted(sheet.title)} looks like {both}; {_HOW}.")
        for record in self.records:
            matches = sorted(by_record.get(record, ()), key=lambda match: -match.score)
            if len(matches) > 1 and matches[0].score == matches[1].score:
                both = " and ".join(quoted(match.sheet.title) for match in matches)
                questions.append(f"the tabs {both} look like {tab_of(record).name}, which is one tab; {_HOW}.")
            elif matches and (asked := matches[0].needed & matches[0].asked.keys()):
                questions += (matches[0].asked[name] for name in sorted(asked))
            else:
                yield from matches[:1]

    def _match(self, sheet: Sheet, record: type) -> _Match | None:
        """Return the mapping of a tab to a tab of the rules; None if it does not fit."""
        if loosely(sheet.title) in {loosely(tab_of(other).name) for other in self.records if other is not record}:
            return None  # the key of a tab that the workbook needs beside it
        row, headings = self._headings(sheet)
        match = _Match(sheet, record, self.words.is_titled(record, sheet.title), row, headings)
        for attribute, column in _fillable(record):
            self._assign(match, attribute, column, headings)
        key = match.key
        is_known = match.is_titled or len(match.places) >= LEAST_COLUMNS
        if key not in match.places and is_known and key not in match.asked:
            first = next((heading for heading in match.free if _are_names(heading.cells)), None)
            match.places |= {key: first} if first else {}
        known = len(match.places) + (key in match.asked)
        return match if match.needed <= match.places.keys() | {*match.asked} and known >= LEAST_COLUMNS else None

    def _assign(self, match: _Match, attribute: str, column: Field, headings: Sequence[Heading]) -> None:
        """Note the header of an attribute's column, or a question between several ones."""
        taken = [heading.place for heading in match.places.values()]
        texts = [loosely(heading.text) for heading in headings]
        where = f"{tab_of(match.record).name}, {column.header}"
        fitting: list[tuple[int, Heading, float]] = []
        for heading in headings:
            rank = 0 if heading.place in taken else self.words.rank(match.record, column, heading.text)
            if not rank or (attribute == match.key and not _are_names(heading.cells)):
                continue
            if (factor := self.words.factor(column, heading)) is None:
                match.asked[attribute] = (
                    f"{match.sheet.title}, {quoted(heading.text)} would be {where} if the unit"
                    f" {quoted(units_of(heading.text)[0])} were known; type both and a Factor into the tab Columns."
                )
            elif self._share(column, heading, factor) < READ:
                continue
            elif texts.count(loosely(heading.text)) > 1:
                says = f"{match.sheet.title}: the header {quoted(heading.text)} is there twice and fits {where}"
                match.asked[attribute] = f"{says}; name one of them otherwise, and run init again."
            else:
                fitting.append((rank, heading, factor))
        best = max((rank for rank, _, _ in fitting), default=0)
        fitting = [each for each in fitting if each[0] == best]
        if len(fitting) > 1:
            both = " and ".join(f"{quoted(heading.text)} ({letters(heading.place)})" for _, heading, _ in fitting)
            match.asked[attribute] = f"{match.sheet.title}: {both} both fit {where}; {_HOW}."
        elif fitting:
            match.asked.pop(attribute, None)
            _, match.places[attribute], factor = fitting[0]
            match.factors |= {attribute: factor} if factor != 1 else {}

    def _share(self, column: Field, heading: Heading, factor: float) -> float:
        """Return the share of the cells below a header that a column can read."""
        if not heading.cells:
            return 1
        return sum(self._is_read(column, scaled(cell, factor)) for cell in heading.cells) / len(heading.cells)

    def _is_read(self, column: Field, cell: Value) -> bool:
        if column.kind in NAMES:
            return isinstance(cell, str)
        try:
            read_value(column, cell, self.lists)
        except ReadError:
            return False
        return True

    def _check_references(self, match: _Match, names: Mapping[str, Collection[str]]) -> None:
        """Drop a column of references if most of its cells name no row, with the columns that depend on it."""
        for attribute, column in _fillable(match.record):
            if column.kind in NAMES and (heading := match.places.get(attribute)):
                known = names.get(column.to, ())
                parts = [part for cell in heading.cells for part in split_names(as_text(cell))]
                if sum(loosely(part) in known for part in parts) < READ * len(parts):
                    del match.places[attribute]
        attributes = {column.header: attribute for attribute, column in _fillable(match.record)}
        for pair in self.words.content.get("with", {}).get(tab_of(match.record).name, ()):
            if not all(attributes[header] in match.places for header in pair):
                match.places = {
                    name: each for name, each in match.places.items() if name not in map(attributes.get, pair)
                }

    def _read_lists(self, match: _Match) -> None:
        """Map unknown headers whose cells are words of one list of the rules."""
        fits: dict[int, list[tuple[str, Field]]] = {}
        for heading in match.free:
            texts = {loosely(cell) for cell in heading.cells if isinstance(cell, str)}
            if len(heading.cells) < LEAST_CELLS:
                continue
            fits[heading.place] = [
                (attribute, column)
                for attribute, column in _fillable(match.record)
                if column.kind is Kind.CHOICE and attribute not in match.places and attribute not in match.asked
                if len(self.lists[column.choices].values) >= LEAST_VALUES
                if sum(self.lists[column.choices].canonical(text) is not None for text in texts) > 1
                if self._share(column, heading, 1) >= SURE
            ]
        for heading in match.free:
            fitting = fits.get(heading.place, [])
            rivals = [place for place, others in fits.items() if any(other in others for other in fitting)]
            if len(fitting) == 1 and len(rivals) == 1:
                match.places[fitting[0][0]] = heading
            elif fitting:
                both = " and ".join(column.header for _, column in fitting)
                tab = tab_of(match.record).name
                match.asked[f"{heading.place}"] = (
                    f"{match.sheet.title}: {quoted(heading.text)} fits {tab}, {both}; {_HOW}."
                )

    def _beside(self, matches: Sequence[_Match], names: Mapping[str, Collection[str]]) -> Iterator[_Match]:
        """Yield tabs of the rules whose columns are part of another one's rows: the army of each nation."""
        for tab, owner in self.words.content.get("beside", {}).items():
            record = next((record for record in self.records if tab_of(record).name == tab), None)
            host = next((match for match in matches if tab_of(match.record).name == owner), None)
            if record is None or host is None or any(match.record is record for match in matches):
                continue
            match = _Match(host.sheet, record, False, host.row, host.headings)
            own = {name for name, column in _fillable(record) if column.kind in NAMES and column.to == owner}
            match.places = dict.fromkeys((*own, match.key), host.places[host.key])
            for attribute, column in _fillable(record):
                if attribute not in match.places:
                    self._assign(match, attribute, column, host.free)
            self._check_references(match, {**names, tab: match.names})
            required = {name for name, column in _fillable(record) if column.required}
            if required <= match.places.keys():
                yield match
            elif match.asked.keys() & required:
                host.asked |= {f"{tab}.{name}": match.asked[name] for name in required & match.asked.keys()}

    def _headings(self, sheet: Sheet) -> tuple[int, list[Heading]]:
        """Return the number of the header row, the first row with most words for columns, and the headers."""
        best: tuple[tuple[int, int], int] = ((0, 0), 0)
        for number in range(1, HEADER_SEARCH + 1):
            texts = [cell for cell in sheet.rows.get(number, ()) if isinstance(cell, str) and cell.strip()]
            known = sum(plain(text) in self._headers for text in texts)
            best = max(best, ((known, len(texts)), -number))
        row = -best[1]
        heads = sheet.rows.get(row, ())
        below = [cells for number, cells in sorted(sheet.rows.items()) if number > row]
        return row, [
            Heading(
                place,
                text.strip(),
                [cells[place - 1] for cells in below if place <= len(cells) and is_typed(cells[place - 1])],
            )
            for place, text in enumerate(heads, start=1)
            if isinstance(text, str) and not is_blank(text)
        ]


_HOW = "nothing is taken; type what is meant into the tab Columns"


def _fillable(record: type) -> list[tuple[str, Field]]:
    return [(name, column) for name, column in columns(record) if column.place is ColumnPlace.PERSON]


def _are_names(cells: Sequence[Value]) -> bool:
    """Return True if cells are texts with hardly any duplicates."""
    texts = [loosely(cell) for cell in cells if isinstance(cell, str)]
    return bool(texts) and len(texts) >= SURE * len(cells) and len({*texts}) >= SURE * len(texts)


def _assignments(match: _Match, beside: Sequence[_Match]) -> Iterator[Assignment]:
    """Yield a row for each meaning of each header of a tab, in the order of the tab."""
    sharing = [match, *(other for other in beside if other.sheet is match.sheet)]
    for text in dict.fromkeys(heading.text for heading in match.headings):
        meanings = [
            Assignment(
                0, match.sheet.title, text, tab_of(each.record).name, column.header, each.factors.get(attribute, 1)
            )
            for each in sharing
            for attribute, column in _fillable(each.record)
            if attribute in each.places and each.places[attribute].text == text
        ]
        yield from meanings or [Assignment(0, match.sheet.title, text, "", "", 1)]


def _lacking(match: _Match) -> Iterator[tuple[str, int, int, str]]:
    width = max((len(cells) for cells in match.sheet.rows.values()), default=0)
    needed = (
        column.header
        for attribute, column in _fillable(match.record)
        if column.required and attribute not in match.places and attribute not in match.asked
    )
    for place, header in enumerate(needed, start=width + 1):
        yield match.sheet.title, match.row, place, header
