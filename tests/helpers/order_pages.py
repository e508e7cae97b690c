"""Pages of a game's orders: `# RULE: what it shows` above lines of `typed || outcome`."""

from __future__ import annotations

from pathlib import Path


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
