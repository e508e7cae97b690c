"""The rules of each ruleset: chapters of its rulebook, and its tables with the numbers in force.

Nothing is duplicated: formulas are the text of the computing functions, numbers come from the tables.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from types import FunctionType, ModuleType
from typing import Any

from engine.case import CaseFunction, CaseRules, worded
from engine.declare import schema_of, table_of
from engine.settings import ConfigPaths, Setting
from sheets_algo.config.cases import CaseFile, read_cases
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import open_database
from sheets_algo.forms.rulesets import rulebook
from sheets_algo.site.paging import Data, SiteFile, weighed_parts
from sheets_algo.site.season_index import SeasonIndex

NUMBERS_MOST = 40
"""Numbers of a rule that its chapter lists."""


def rule_pages(index: SeasonIndex) -> Iterator[SiteFile]:
    """Yield the rules of each ruleset by chapters and its tables, with the numbers that the settings leave."""
    for key, forms in index.games:
        settings: tuple[Setting, ...] = ()
        dated: list[str] = []
        raw = index.library.raw(key)
        if tab := forms[0].settings:
            dated += [
                f"{name} = {value} from {change.since}"
                for change in tab.dated
                for name, value in change.numbers.items()
            ]
            settings = tab.read(open_database(index.season.book.snapshot, forms)).settings
            raw = {**raw, **tab.numbers(settings)}  # a tab has those of the tables that it may change
        changed = {setting.name for setting in settings}
        tables: dict[str, dict[str, list[tuple[str, str, bool]]]] = {}
        for path in ConfigPaths(raw, {}).by_name.values():
            table, _, rest = path.name.partition("/")
            group, _, last = rest.rpartition("/")
            groups = tables.setdefault(table, {})
            groups.setdefault(group, []).append((last, f"{path.value:,}", path.name in changed))
        book = Chapters(index.library, key, [type(form) for form in forms], raw, changed)
        data = {"title": f"Rules of {key}", "ruleset": key, "version": forms[0].ruleset.version}
        data |= {"tables": [(table, sum(map(len, groups.values()))) for table, groups in tables.items()]}
        data |= {"chapters": [(name, ids[0], ids[-1]) for name, ids in book.chapters.items()]}
        data |= {"changed": [*(f"{setting.name} = {setting.value}" for setting in settings), *dated]}
        yield index.page(f"rules/{key}.html", "rules.html", data)
        yield from _chapters(index, book)
        for table, groups in tables.items():
            page = {"title": f"{table} of {key}", "ruleset": key, "table": table}
            about = str(raw[table].get("about", ""))
            rows = [{"name": name, "numbers": group} for name, group in groups.items()]
            parts = [{**page, "rows": part, "about": about} for part in weighed_parts(rows)]
            yield from index.pages(f"rules/{key}/{table}", "numbers.html", parts)


def _chapters(index: SeasonIndex, book: Chapters) -> Iterator[SiteFile]:
    """Yield the chapters of a rulebook; a long one takes several pages."""
    for chapter, ids in book.chapters.items():
        page = {"title": f"{chapter} of {book.book}", "ruleset": book.book, "chapter": chapter}
        parts = [{**page, "rows": part} for part in weighed_parts([_rule(book.entry(id)) for id in ids])]
        yield from index.pages(f"rules/{book.book}/rulebook/{chapter}", "chapter.html", parts)


def _rule(rule: RuleEntry) -> Data:
    """Return a rule for its chapter; of many numbers only the count, since the page of their table has them."""
    data = {**asdict(rule), "listed": 0}
    if len(rule.numbers) > NUMBERS_MOST:
        data |= {"numbers": (), "listed": len(rule.numbers), "table": rule.numbers[0].name.partition("/")[0]}
    return data


RULE_ID = re.compile(r"(?<![A-Za-z0-9-])[A-Z]+(?:-[A-Z0-9]+[a-z]?)+(?![A-Za-z0-9-])")


@dataclass(frozen=True, slots=True)
class RuleNumber:
    """A number or word of a table."""

    name: str  # Its settable name, as in a Settings tab
    value: str  # Its value in force
    allowed: str  # The allowed values
    about: str  # Its meaning and unit
    is_own: bool = False  # True if it is a setting of the season


@dataclass(frozen=True, slots=True)
class WorkedCase:
    """A case of a rule: a line with inputs and result, and the lines of the arithmetic."""

    name: str
    file: str
    says: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """A rule with all its parts, blank or empty where it has none."""

    id: str
    text: str
    ruling: str
    why: str
    formulas: tuple[str, ...]
    numbers: tuple[RuleNumber, ...]
    cases: tuple[WorkedCase, ...]


@dataclass(frozen=True)
class Chapters:
    """The chapters of one rulebook."""

    library: ConfigLoader  # The loader of the tables
    book: str  # The name of the rulebook
    forms: Sequence[type[Form[Any]]] = ()  # The forms of its ruleset; none for the rules of all workbooks
    # The content of tables with settings in place, instead of the library's.
    raw: Mapping[str, Any] = field(default_factory=dict)
    changed: Collection[str] = field(default=())  # Names of the numbers that are settings of the season

    @property
    def form(self) -> type[Form[Any]] | None:
        """Return the form that has the tables and cases of the ruleset; None for the rules of all workbooks."""
        return self.forms[0] if self.forms else None

    @cached_property
    def chapters(self) -> Mapping[str, Sequence[str]]:
        """Return the ids of each chapter by its name, in the order of their numbers."""
        ids: dict[str, list[str]] = defaultdict(list)
        for id in sorted(self._rules, key=_by_number):
            ids[chapter_of(id, self._rules)].append(id)
        return ids

    def entry(self, id: str) -> RuleEntry:
        """Return a rule of the book.

        Raises:
            KeyError: The book has no rule of this id.
        """
        rule = self._rules[id]
        called = [function for case in self._functions.get(id, ()) for function in formulas_of(case)]
        return RuleEntry(
            id=id,
            text=rule["text"],
            ruling=rule.get("ruling", ""),
            why=rule.get("why", ""),
            formulas=tuple(map(source_of, dict.fromkeys(called))),
            numbers=tuple(self._numbers.get(id, ())),
            cases=tuple(self._worked(id)),
        )

    @cached_property
    def _rules(self) -> Mapping[str, Mapping[str, str]]:
        return rulebook(self.library, self.book, self.forms)

    @cached_property
    def _functions(self) -> Mapping[str, Sequence[CaseFunction]]:
        by_rule: dict[str, list[CaseFunction]] = defaultdict(list)
        for called in self.form.cases.functions if self.form and self.form.cases else ():
            for id in called.ids:
                by_rule[id].append(called)
        return by_rule

    @cached_property
    def _numbers(self) -> Mapping[str, Sequence[RuleNumber]]:
        """Return the numbers of each rule."""
        by_rule: dict[str, list[RuleNumber]] = defaultdict(list)
        raw = {**(self.library.raw(self.book) if self.form else {}), **self.raw}
        for declared in self.form.declared if self.form else ():
            file = table_of(declared).file
            for rule, content in raw[file].items():
                if RULE_ID.fullmatch(rule):
                    schema = schema_of(declared)["properties"].get(rule, {})
                    by_rule[rule] += self._leaves(f"{file}/{rule}", content, schema)
        return by_rule

    def _leaves(self, name: str, value: Any, schema: Mapping[str, Any]) -> Iterator[RuleNumber]:
        if isinstance(value, dict):
            inner, of_all = schema.get("properties", {}), schema.get("additionalProperties")
            for key, part in value.items():
                yield from self._leaves(
                    f"{name}/{key}", part, inner.get(key) or (of_all if isinstance(of_all, dict) else {})
                )
        elif isinstance(value, list):
            for position, part in enumerate(value):
                yield from self._leaves(f"{name}/{position}", part, schema.get("items", {}))
        elif isinstance(value, int | float | str):
            yield RuleNumber(name, str(value), _allowed(schema), schema.get("description", ""), name in self.changed)

    @cached_property
    def _case_files(self) -> Sequence[tuple[CaseRules, Any, CaseFile]]:
        """Return the files of cases of the ruleset, each with its rules and the tables that it is computed with."""
        rules = self.form.cases if self.form else None
        if rules is None:
            return ()
        read = (
            (loader, cases)
            for loader, files in self.library.case_files()
            for cases in read_cases(files, self.library.rulesets)
        )
        ours = ((loader.raw(self.book), cases) for loader, cases in read if cases.ruleset == self.book)
        return [(rules, rules.tables(raw), cases) for raw, cases in ours]

    def _worked(self, id: str) -> Iterator[WorkedCase]:
        for rules, tables, cases in self._case_files:
            for row in cases.rows:
                if row.rule == id:
                    called = rules.find(row.rule, row.function)
                    inputs = ", ".join(f"{name} {worded(value)}" for name, value in row.inputs.items())
                    says = f"{called.name} of {inputs or 'no inputs'} is {worded(row.expected)}"
                    yield WorkedCase(
                        row.name, cases.file.name, says, tuple(rules.explained(called, tables, row.inputs))
                    )


def _by_number(id: str) -> list[tuple[int, str]]:
    """Return the key that sorts R-99 before R-100."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.findall(r"\d+|\D+", id)]


def chapter_of(id: str, ids: Iterable[str]) -> str:
    """Return the chapter of a rule among those of its book: STAB of STAB-04.

    If all ids of a book have the same beginning, it is the second part: ESP of RL-ESP-3, `general` of SC-04.
    """
    first, *rest = id.split("-")
    if any(not other.startswith(f"{first}-") for other in ids):
        return first
    return rest[0] if len(rest) > 1 and rest[0].isalpha() else "general"


def formulas_of(called: CaseFunction) -> Sequence[FunctionType]:
    """Return a case's function; if it only reads inputs, the functions of the rules that it calls."""
    function = called.function
    assert isinstance(function, FunctionType)
    if not function.__module__.endswith(".cases"):
        return [function]
    names = function.__code__.co_names
    values = [function.__globals__[name] for name in names if name in function.__globals__]
    values += [getattr(value, name, None) for value in values if isinstance(value, ModuleType) for name in names]
    called_functions = [
        value for value in values if isinstance(value, FunctionType) and value.__module__ != function.__module__
    ]
    return called_functions or [function]


def source_of(function: FunctionType) -> str:
    """Return a function's text without decorators and docstring."""
    text = textwrap.dedent(inspect.getsource(function))
    (tree,) = ast.parse(text).body
    assert isinstance(tree, ast.FunctionDef)
    lines = text.splitlines()
    has_words = ast.get_docstring(tree) is not None and len(tree.body) > 1
    head = lines[tree.lineno - 1 : tree.body[0].lineno - 1]
    return "\n".join((*head, *lines[tree.body[1 if has_words else 0].lineno - 1 :])).rstrip()


def _allowed(schema: Mapping[str, Any]) -> str:
    words = [str(word) for word in schema.get("enum", ())]
    least = [f"{schema['minimum']} or more"] if "minimum" in schema else []
    above = [f"above {schema['exclusiveMinimum']}"] if "exclusiveMinimum" in schema else []
    most = [f"at most {schema['maximum']}"] if "maximum" in schema else []
    return ", ".join((*words, *least, *above, *most))
