"""Replacement of numbers in a JSON file that preserves layout, order and remarks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[\[\]{},:]')


def rewrite(file: Path, numbers: Mapping[str, float]) -> None:
    """Write other numbers into a file, by path with `/` between its steps.

    Raises:
        ValueError: The file has no number at a path.
    """
    text = file.read_text(encoding="utf-8")
    file.write_text(rewritten(text, numbers, file.name), encoding="utf-8")


def rewritten(text: str, numbers: Mapping[str, float], name: str = "the text") -> str:
    """Return the text with other numbers.

    Raises:
        ValueError: The text has no number at a path.
    """
    spans = dict(_numbers(text))
    for path in numbers:
        if path not in spans:
            raise ValueError(f"{name}#/{path}: there is no number.")
    for path, value in sorted(numbers.items(), key=lambda entry: spans[entry[0]], reverse=True):
        start, end = spans[path]
        if float(text[start:end]) != value:
            text = text[:start] + f"{value:.10g}" + text[end:]
    return text


def _numbers(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield path and span of every number."""
    steps: list[str | int] = []
    at_key: list[bool] = []
    for token in TOKEN.finditer(text):
        word = token[0]
        if word in "{[":
            steps.append("" if word == "{" else 0)
            at_key.append(word == "{")
        elif word in "}]":
            steps.pop()
            at_key.pop()
        elif word == ",":
            last = steps[-1]
            steps[-1] = last + 1 if isinstance(last, int) else ""
            at_key[-1] = not isinstance(last, int)
        elif word == ":":
            at_key[-1] = False
        elif at_key and at_key[-1]:
            steps[-1] = json.loads(word)
        elif word[0] in "-0123456789":
            yield "/".join(map(str, steps)), token.span()
