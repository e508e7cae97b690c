#!/usr/bin/env python3
"""Lines of the program by folder and kind, now or at an earlier commit, and how many of them say something twice.

Kinds are docstrings, imports, comments on lines of their own, blank lines, and all else, which is code. Functions say
something twice if their bodies are equal but for names and constants; short ones are left out.
"""

from __future__ import annotations

import argparse
import ast
import io
import subprocess
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "sheets_algo")
KINDS = ("code", "docstrings", "comments", "imports", "blank")
LEAST_NODES = 18
"""Least nodes of the syntax tree of a body that counts as said twice; `return self.name.upper()` has fewer."""


class _Names(ast.NodeTransformer):
    """Replaces names by their order, and constants by one."""

    def __init__(self) -> None:
        self._found: dict[str, str] = {}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._found.setdefault(node.id, str(len(self._found))))

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant("")


def sources(commit: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of each Python file, of a commit or, if it is blank, as the file is now."""
    if not commit:
        files = (file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
        yield from ((file.relative_to(ROOT).as_posix(), file.read_text("utf-8")) for file in files)
        return
    packed = subprocess.run(["git", "archive", commit, *PACKAGES], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            if member.name.endswith(".py") and (file := archive.extractfile(member)):
                yield member.name, file.read().decode()


def kinds_of(text: str, tree: ast.Module) -> list[str]:
    """Return the kind of each line."""
    lines = text.splitlines()
    kinds = ["comments" if line.lstrip().startswith("#") else "code" for line in lines]
    for node in ast.walk(tree):
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if is_docstring or isinstance(node, ast.Import | ast.ImportFrom):
            kind = "docstrings" if is_docstring else "imports"
            kinds[node.lineno - 1 : node.end_lineno] = [kind] * (1 + (node.end_lineno or 0) - node.lineno)
    return [kind if line.strip() else "blank" for kind, line in zip(kinds, lines, strict=True)]


def bodies(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the shape of each function's body, and its lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            lines = 1 + (node.end_lineno or 0) - node.lineno
            body = node.body[ast.get_docstring(node) is not None :]
            if sum(1 for part in body for _ in ast.walk(part)) >= LEAST_NODES:
                names = _Names()
                yield " ".join(ast.dump(names.visit(part)) for part in body), lines


def main() -> None:
    """Print a table of the folders, the longest first, and the lines that are said twice."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--at", default="", metavar="COMMIT", help="Count the lines of this commit.")
    folders: defaultdict[str, Counter[str]] = defaultdict(Counter)
    shapes: defaultdict[str, list[int]] = defaultdict(list)
    for name, text in sources(options.parse_args().at):
        tree = ast.parse(text)
        kinds = Counter(kinds_of(text, tree))
        for folder in ("/".join(name.split("/")[:-1][:3]), "all"):
            folders[folder] += kinds
        for shape, lines in bodies(tree):
            shapes[shape].append(lines)
    print(f"| Folder | lines | {' | '.join(KINDS)} |\n|---{'|---:' * (1 + len(KINDS))}|")
    for folder, kinds in sorted(folders.items(), key=lambda pair: -pair[1].total()):
        print(f"| {folder} | {kinds.total():,} | {' | '.join(f'{kinds[kind]:,}' for kind in KINDS)} |")
    twice = sum(sum(lines) - max(lines) for lines in shapes.values())
    print(f"\nFunctions that say what another one says, but for names: {twice:,} lines.")


if __name__ == "__main__":
    main()
