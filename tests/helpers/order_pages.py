"""Pages of a game's orders or combats: `# RULE: what it shows` above lines of `typed || outcome`.

`python -m tests.helpers.order_pages` writes what becomes of them now on all pages.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

GAMES = Path(__file__).parents[1] / "games"


def chapters(page: Path) -> dict[str, list[str]]:
    """Return the lines of a page by the family of the rule that their heading names first.

    Raises:
        ValueError: A line has no outcome, or stands above the first heading.
    """
    made: dict[str, list[str]] = {}
    lines: list[str] | None = None
    for line in page.read_text("utf-8").splitlines():
        if line.startswith("# "):
            family = "-".join(line.split(":")[0].removeprefix("# ").split(", ")[0].split("-")[:2])
            lines = made.setdefault(family, [])
        elif line and (lines is None or " || " not in line):
            raise ValueError(f"{page}: this line needs a heading above it and ` || ` before its outcome: {line}")
        elif lines is not None and line:
            lines.append(line)
    return made


def answered(line: str, outcome: Callable[[str], str]) -> str:
    """Return a line with what becomes of it now."""
    typed = line.rpartition(" || ")[0]
    return f"{typed} || {outcome(typed)}"


if __name__ == "__main__":
    for page in sorted(GAMES.glob("*/engine/stories.txt")):
        outcome = import_module(f"tests.games.{page.parents[1].name}.engine.test_stories").outcome
        lines = page.read_text("utf-8").splitlines()
        page.write_text("".join(f"{answered(x, outcome) if ' || ' in x else x}\n" for x in lines), "utf-8")
