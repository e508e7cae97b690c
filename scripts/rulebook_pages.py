"""Pages of the rulebook, one a chapter: each rule with its ruling, its formulas, its numbers in force, cases and tests.

Nothing on them is written by hand. `scripts/docs --rulebook FOLDER` writes them.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from engine.case import CaseFunction, CaseRules, worded
from engine.declare import schema_of, table_of
from sheets_algo.config.cases import CaseFile, read_cases
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forms.base import Form
from sheets_algo.forms.registry import load_all

ROOT = Path(__file__).resolve().parent.parent
ID = re.compile(r"(?<![A-Za-z0-9-])[A-Z]+(?:-[A-Z0-9]+[a-z]?)+(?![A-Za-z0-9-])")
TESTS_NAMED = 12
"""Most tests of a rule that are named."""
LONGEST_LIST = 40
"""Most numbers of a rule that are listed one by one."""


@dataclass(frozen=True, slots=True)
class Place:
    """A function of the program or a test: file and name."""

    file: str
    name: str


def pages() -> Iterator[tuple[Path, str]]:
    """Yield path and content of all pages: `RULESET/CHAPTER.md` for each chapter, then `README.md`."""
    library = ConfigLoader()
    forms = {form.ruleset_key: form for form in reversed(load_all())}
    books = [*sorted(forms), "workbook"]
    index = ["# The rulebook", "", "Written by `scripts/docs --rulebook`. A page per chapter.", ""]
    for book in books:
        rules = library.rulebook(book)
        chapters: dict[str, list[str]] = defaultdict(list)
        for id in rules:
            chapters[chapter_of(id, rules)].append(id)
        index += [f"## {book}", "", "| Chapter | Rules |", "|---|---|"]
        index += [f"| [{name}]({book}/{name}.md) | {ids[0]} ... {ids[-1]} |" for name, ids in chapters.items()]
        index += [""]
        chapter = Chapters(library, book, forms.get(book))
        for name, ids in chapters.items():
            yield Path(book, f"{name}.md"), "\n".join(chapter.page(name, ids)) + "\n"
    yield Path("README.md"), "\n".join(index)


def chapter_of(id: str, ids: Iterable[str]) -> str:
    """Return the chapter of a rule among those of its book: STAB of STAB-04.

    Where all ids of a book begin alike, it is the second part: ESP of RL-ESP-3, `general` of SC-04.
    """
    first, *rest = id.split("-")
    if any(not other.startswith(f"{first}-") for other in ids):
        return first
    return rest[0] if len(rest) > 1 and rest[0].isalpha() else "general"


class Chapters:
    """The chapters of one rulebook.

    Args:
        library: The loader of the tables in force.
        book: The name of the rulebook.
        form: The form of its ruleset; None for the rules of all workbooks.
    """

    def __init__(self, library: ConfigLoader, book: str, form: type[Form[Any]] | None) -> None:
        self._rules = library.rulebook(book)
        self._book = book
        self._raw = library.raw(book) if form else {}
        self._numbers = dict(_numbers(form, self._raw)) if form else {}
        self._cases: CaseRules | None = form.cases if form else None
        self._functions = _by_rule(self._cases) if self._cases else {}
        self._files = [cases for _, files in library.case_files() for cases in read_cases(files, library.rulesets)]
        self._tables = self._cases.tables(self._raw) if self._cases else None

    def page(self, name: str, ids: Sequence[str]) -> Iterator[str]:
        """Yield the lines of a chapter."""
        yield from (f"# {self._book}: {name}", "")
        for id in ids:
            yield from self._rule(id)

    def _rule(self, id: str) -> Iterator[str]:
        rule = self._rules[id]
        yield from (f"## {id}", "", rule["text"], "")
        if rule.get("ruling"):
            yield from (f"**Ruling.** {rule['ruling']}", "")
        if rule.get("why"):
            yield from (f"**Why.** {rule['why']}", "")
        for function in dict.fromkeys(one for called in self._functions.get(id, ()) for one in formulas_of(called)):
            yield from ("```python", source_of(function), "```", "")
        yield from self._table(id)
        yield from self._examples(id)
        yield from _places("Done in", program().get(id.upper(), ()), 6)
        yield from _places("Tests", tests().get(id.upper(), ()), TESTS_NAMED)

    def _table(self, id: str) -> Iterator[str]:
        rows = self._numbers.get(id, [])
        if len(rows) > LONGEST_LIST:
            yield from (f"Numbers: {len(rows)} in `{rows[0][0].split('/')[0]}.json`.", "")
        elif rows:
            yield from ("| Number | In force | Allowed | Meaning |", "|---|--:|---|---|")
            yield from (f"| `{place}` | {value} | {allowed} | {about} |" for place, value, allowed, about in rows)
            yield ""

    def _examples(self, id: str) -> Iterator[str]:
        rules = self._cases
        if rules is None:
            return
        found = list(_cases_of(id, self._book, self._files))
        if found:
            yield from ("Cases:", "")
        for file, row in found:
            called = rules.find(row.rule, row.function)
            inputs = ", ".join(f"{name} {worded(value)}" for name, value in row.inputs.items())
            yield f"- {row.name} (`{file}`): {called.name} of {inputs or 'no inputs'} is **{worded(row.expected)}**"
            yield from (f"  - {line}" for line in rules.explained(called, self._tables, row.inputs))
        if found:
            yield ""


def _cases_of(id: str, book: str, files: Sequence[CaseFile]) -> Iterator[tuple[str, Any]]:
    for cases in files:
        if cases.ruleset == book:
            yield from ((cases.file.name, row) for row in cases.rows if row.rule == id)


def _by_rule(rules: CaseRules) -> Mapping[str, list[CaseFunction]]:
    found: dict[str, list[CaseFunction]] = defaultdict(list)
    for called in rules.functions:
        for id in called.ids:
            found[id].append(called)
    return found


def formulas_of(called: CaseFunction) -> list[FunctionType]:
    """Return a case's function; of one that only reads inputs for others, the functions of the rules that it calls."""
    function = called.function
    assert isinstance(function, FunctionType)
    if not function.__module__.endswith(".cases"):
        return [function]
    names = function.__code__.co_names
    values = [function.__globals__[name] for name in names if name in function.__globals__]
    values += [getattr(value, name, None) for value in values if isinstance(value, ModuleType) for name in names]
    found = [value for value in values if isinstance(value, FunctionType) and value.__module__ != function.__module__]
    return found or [function]


def source_of(function: FunctionType) -> str:
    """Return a function's text without decorators and docstring."""
    text = textwrap.dedent(inspect.getsource(function))
    (tree,) = ast.parse(text).body
    assert isinstance(tree, ast.FunctionDef)
    lines = text.splitlines()
    has_words = ast.get_docstring(tree) is not None and len(tree.body) > 1
    head = lines[tree.lineno - 1 : tree.body[0].lineno - 1]
    return "\n".join((*head, *lines[tree.body[1 if has_words else 0].lineno - 1 :])).rstrip()


def _numbers(form: type[Form[Any]], raw: Mapping[str, Any]) -> Iterator[tuple[str, list[tuple[str, str, str, str]]]]:
    """Yield the numbers that stand under each rule: place, value, what is allowed, meaning."""
    found: dict[str, list[tuple[str, str, str, str]]] = defaultdict(list)
    for cls in form.declared:
        file = table_of(cls).file
        for rule, content in raw[file].items():
            if ID.fullmatch(rule):
                own = schema_of(cls)["properties"].get(rule, {})
                found[rule] += _leaves(f"{file}/{rule}", content, own)
    yield from found.items()


def _leaves(place: str, value: Any, schema: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    if isinstance(value, dict):
        inner = schema.get("properties", {})
        for name, part in value.items():
            of_all = schema.get("additionalProperties")
            yield from _leaves(f"{place}/{name}", part, inner.get(name) or (of_all if isinstance(of_all, dict) else {}))
    elif isinstance(value, list):
        for position, part in enumerate(value):
            yield from _leaves(f"{place}/{position}", part, schema.get("items", {}))
    elif isinstance(value, int | float | str):
        yield place, str(value), _allowed(schema), schema.get("description", "")


def _allowed(schema: Mapping[str, Any]) -> str:
    words = [str(word) for word in schema.get("enum", ())]
    least = [f"{schema['minimum']} or more"] if "minimum" in schema else []
    above = [f"above {schema['exclusiveMinimum']}"] if "exclusiveMinimum" in schema else []
    most = [f"at most {schema['maximum']}"] if "maximum" in schema else []
    return ", ".join((*words, *least, *above, *most))


def _places(title: str, found: Sequence[Place], most: int) -> Iterator[str]:
    if found:
        named = [f"`{place.file}`: {place.name}" for place in found[:most]]
        more = [f"and {len(found) - most} more"] if len(found) > most else []
        yield from (f"{title}: {', '.join((*named, *more))}.", "")


@functools.cache
def program() -> Mapping[str, list[Place]]:
    """Return the functions and classes whose docstrings name a rule, by its id in capitals."""
    found: dict[str, list[Place]] = defaultdict(list)
    for file, node in _definitions("engine", "sheets_algo"):
        for id in dict.fromkeys(ID.findall(ast.get_docstring(node) or "")):
            found[id.upper()].append(Place(file, node.name))
    return found


@functools.cache
def tests() -> Mapping[str, list[Place]]:
    """Return the tests that name a rule, in their names or anywhere in them, by its id in capitals."""
    found: dict[str, list[Place]] = defaultdict(list)
    for file, node in _definitions("tests"):
        if node.name.startswith("test_"):
            parts = node.name.upper().split("_")
            in_name = ("-".join(parts[at : at + many]) for many in (2, 3) for at in range(len(parts)))
            in_text = (id.upper() for text in _texts(node) for id in ID.findall(text))
            for id in dict.fromkeys((*in_name, *in_text)):
                found[id].append(Place(file, node.name))
    return found


def _texts(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value


def _definitions(*folders: str) -> Iterator[tuple[str, ast.FunctionDef | ast.ClassDef]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    yield str(path.relative_to(ROOT)), node
