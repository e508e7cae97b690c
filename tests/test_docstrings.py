"""Docstrings promise errors that there are, and names of tests fit a line."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
FILES = [file for package in ("engine", "sheets_algo") for file in sorted((HOME / package).rglob("*.py"))]
SECTION = re.compile(r"^( *)Raises:\n((?:\1 .*\n?|\n)+)", re.MULTILINE)
Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def promised(docstring: str) -> Iterator[str]:
    """Yield the names of errors under `Raises:`."""
    for section in SECTION.finditer(docstring):
        depth = len(section[1]) + 4
        yield from re.findall(rf"^ {{{depth}}}([\w.]+):", section[2], re.MULTILINE)


def test_docstrings_promise_errors_that_there_are() -> None:
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in FILES}
    nodes = {file: list(ast.walk(tree)) for file, tree in trees.items()}
    known = set(vars(builtins))
    for found in nodes.values():
        known |= {node.name for node in found if isinstance(node, ast.ClassDef)}
        known |= {node.attr for node in found if isinstance(node, ast.Attribute) and node.attr[:1].isupper()}
        known |= {name.asname or name.name for node in found if isinstance(node, ast.ImportFrom) for name in node.names}
    names = {
        (str(file.relative_to(HOME)), node.name, name)
        for file, found in nodes.items()
        for node in found
        if isinstance(node, Documented)
        for name in promised(ast.get_docstring(node) or "")
    }

    assert len(names) > 300, "so that they are found"
    assert {place for place in names if place[2].rpartition(".")[2] not in known} == set()


def test_names_of_tests_have_at_most_80_characters() -> None:
    texts = [file.read_text(encoding="utf-8") for file in (HOME / "tests").rglob("test_*.py")]
    names = [name for text in texts for name in re.findall(r"^ *(?:async )?def (test_\w+)", text, re.MULTILINE)]

    assert len(names) > 3_000, "so that they are found"
    assert [name for name in names if len(name) > 80] == []
