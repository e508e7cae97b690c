"""Docstrings promise errors that there are and can be had in their module, and names say what they name."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from pkgutil import resolve_name

from tests.helpers.games import facts_by_game

HOME = Path(__file__).resolve().parents[1]
FILES = [file for package in ("engine", "sheets_algo") for file in sorted((HOME / package).rglob("*.py"))]
SECTION = re.compile(r"^( *)Raises:\n((?:\1 .*\n?|\n)+)", re.MULTILINE)
Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def promised(docstring: str) -> Iterator[str]:
    """Yield the names of errors under `Raises:`."""
    for section in SECTION.finditer(docstring):
        depth = len(section[1]) + 4
        yield from re.findall(rf"^ {{{depth}}}([\w.]+):", section[2], re.MULTILINE)


def is_error(name: str, bases: Mapping[str, Sequence[str]]) -> bool:
    """Return True for an error of Python, or a class of the program that is one."""
    with suppress(AttributeError, ImportError, ValueError):
        return issubclass(resolve_name(name if "." in name else f"builtins.{name}"), BaseException)
    return any(is_error(base, bases) for base in bases.get(name, ()) if base != name)


def test_docstrings_list_existing_errors() -> None:
    nodes = {file: list(ast.walk(ast.parse(file.read_text(encoding="utf-8")))) for file in FILES}
    classes = [node for found in nodes.values() for node in found if isinstance(node, ast.ClassDef)]
    bases = {node.name: [ast.unparse(base).rpartition(".")[2] for base in node.bases] for node in classes}
    unknown, count = set(), 0
    for file, found in nodes.items():
        theirs = {node.attr for node in found if isinstance(node, ast.Attribute)}
        theirs |= {
            name.asname or name.name for node in found if isinstance(node, ast.ImportFrom) for name in node.names
        }
        for node in (node for node in found if isinstance(node, Documented)):
            for name in promised(ast.get_docstring(node) or ""):
                error, count = name.rpartition(".")[2], count + 1
                if not (is_error(name, bases) or is_error(error, bases) or (error not in bases and error in theirs)):
                    unknown.add((str(file.relative_to(HOME)), node.name, name))

    assert count > 300, "so that they are found"
    assert unknown == set()


def test_names_of_tests_have_at_most_80_characters() -> None:
    texts = [file.read_text(encoding="utf-8") for file in (HOME / "tests").rglob("test_*.py")]
    names = [name for text in texts for name in re.findall(r"^ *(?:async )?def (test_\w+)", text, re.MULTILINE)]

    assert len(names) > 3_000, "so that they are found"
    assert [name for name in names if len(name) > 80] == []


RIDDLE = re.compile(
    r"(?:^|_\d+[a-z]?_)(?:who|whom|whose|whoever|whatever|what(?!_if))_"
    r"|_(?:tells?|told)(?:_|$)|_says?_so$|_(?:is|are)_seen$"
)
"""A name of a test that states no behaviour of a subject: `who_is_gone_does_not_fight`, `a_wrong_row_is_told`."""
RIDDLES_LEFT = {"e2e": 2, "runtime": 3, "sheets_server": 2, "workbook": 1}
"""Such names that are left in a folder. They only fall."""


def test_names_of_tests_state_behaviour() -> None:
    riddles: Counter[str] = Counter()
    for file in (HOME / "tests").rglob("test_*.py"):
        names = re.findall(r"^ *(?:async )?def test_(\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
        riddles[file.relative_to(HOME).parts[1]] += sum(bool(RIDDLE.search(name)) for name in names)

    assert {folder: count for folder, count in riddles.items() if count > RIDDLES_LEFT.get(folder, 0)} == {}


VAGUE = {"found", "seen", "shown", "told"}
LEFT = {"autoalgo": 2, "explained.py": 1, "runtime": 12} | facts_by_game("VAGUE")
"""Uses of the vague names that are left in a package: words of messages, of receipts and of JSON. They only fall."""


def test_names_are_nouns_of_their_values() -> None:
    uses: Counter[str] = Counter()
    for file in FILES:
        nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        names = (getattr(node, "id", getattr(node, "arg", None)) for node in nodes)
        uses[file.relative_to(HOME).parts[1]] += sum(name in VAGUE for name in names)

    assert {package: count for package, count in uses.items() if count > LEFT.get(package, 0)} == {}


HABITS = re.compile(
    r"\b(?:[Nn]obody|[Ww]hoever|[Ss]omebody|[Aa]nybody|anew|deeds?|slips?|(?:is|are) to be)\b"
    r"|\b(?:is|are|was|were) told\b"
    r"|\b(?:a|each|every|first|last|next|the) looks?\b"
    r"|^(?:Note|Return|Say|Tell|Yield) (?:how|what|when|where|whether|which|who|why)\b"
    r"|^(?:Fewest|Greatest|Least|Most) ",
    re.MULTILINE,
)
"""Habits of the first docstrings: vague subjects, clauses in place of nouns, words that plain English does not use."""
HABITS_LEFT = {"engine": 55, "sheets_algo": 50}
"""Uses that are left in a package; they only fall."""


def strings_in(tree: ast.AST) -> Iterator[str]:
    """Yield the docstrings of modules, classes and functions, and those below constants."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def test_docstrings_avoid_vague_subjects_and_clauses_in_place_of_nouns() -> None:
    uses: Counter[str] = Counter()
    for file in FILES:
        for text in strings_in(ast.parse(file.read_text(encoding="utf-8"))):
            uses[file.relative_to(HOME).parts[0]] += len(HABITS.findall(text))

    assert {package: count for package, count in uses.items() if count > HABITS_LEFT[package]} == {}
