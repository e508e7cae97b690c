"""Pages of the rulebook, one a chapter: each rule with its ruling, its formulas, its numbers in force, cases and tests.

Nothing on them is written by hand. `scripts/docs --rulebook FOLDER` writes them.
"""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sheets_algo.config.loader import ConfigLoader
from sheets_algo.database.grouping import grouped
from sheets_algo.forms.rulesets import load_all
from sheets_algo.site.season_pages.rules import RULE_ID, Chapters, RuleEntry

ROOT = Path(__file__).resolve().parent.parent
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
    forms = grouped((form.ruleset_key, form) for form in load_all())
    index = ["# The rulebook", "", "Written by `scripts/docs --rulebook`. A page per chapter.", ""]
    for name in (*sorted(forms), "workbook"):
        book = Chapters(library, name, forms.get(name, ()))
        index += [f"## {name}", "", "| Chapter | Rules |", "|---|---|"]
        index += [f"| [{each}]({name}/{each}.md) | {ids[0]} ... {ids[-1]} |" for each, ids in book.chapters.items()]
        index += [""]
        for chapter, ids in book.chapters.items():
            lines = (f"# {name}: {chapter}", "", *(line for id in ids for line in _rule(book.entry(id))))
            yield Path(name, f"{chapter}.md"), "\n".join(lines) + "\n"
    yield Path("README.md"), "\n".join(index)


def _rule(rule: RuleEntry) -> Iterator[str]:
    yield from (f"## {rule.id}", "", rule.text, "")
    yield from (f"**Ruling.** {rule.ruling}", "") if rule.ruling else ()
    yield from (f"**Why.** {rule.why}", "") if rule.why else ()
    for formula in rule.formulas:
        yield from ("```python", formula, "```", "")
    if len(rule.numbers) > LONGEST_LIST:
        yield from (f"Numbers: {len(rule.numbers)} in `{rule.numbers[0].name.split('/')[0]}.json`.", "")
    elif rule.numbers:
        yield from ("| Number | In force | Allowed | Meaning |", "|---|--:|---|---|")
        yield from (f"| `{each.name}` | {each.value} | {each.allowed} | {each.about} |" for each in rule.numbers)
        yield ""
    if rule.cases:
        yield from ("Cases:", "")
        for case in rule.cases:
            yield f"- {case.name} (`{case.file}`): {case.says}"
            yield from (f"  - {line}" for line in case.lines)
        yield ""
    yield from _places("Done in", program().get(rule.id.upper(), ()), 6)
    yield from _places("Tests", tests().get(rule.id.upper(), ()), TESTS_NAMED)


def _places(title: str, found: Sequence[Place], most: int) -> Iterator[str]:
    if found:
        named = [f"`{place.file}`: {place.name}" for place in found[:most]]
        more = [f"and {len(found) - most} more"] if len(found) > most else []
        yield from (f"{title}: {', '.join((*named, *more))}.", "")


@functools.cache
def program() -> Mapping[str, list[Place]]:
    """Return the functions and classes whose docstrings, or notes on fields, name a rule, by its id in capitals."""
    found: dict[str, list[Place]] = defaultdict(list)
    for file, node in _definitions("engine", "sheets_algo"):
        notes = "".join((ast.get_docstring(node) or "", *_field_notes(file, node)))
        for id in dict.fromkeys(RULE_ID.findall(notes)):
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
            in_text = (id.upper() for text in _texts(node) for id in RULE_ID.findall(text))
            for id in dict.fromkeys((*in_name, *in_text)):
                found[id].append(Place(file, node.name))
    return found


def _field_notes(file: str, node: ast.FunctionDef | ast.ClassDef) -> Iterator[str]:
    """Yield the comments on the fields of a class."""
    ends = [inner.end_lineno for inner in node.body if isinstance(inner, ast.AnnAssign)]
    if ends and isinstance(node, ast.ClassDef):
        lines = (ROOT / file).read_text(encoding="utf-8").splitlines()[node.lineno : ends[-1]]
        yield from (line.partition("#")[2] for line in lines)


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
