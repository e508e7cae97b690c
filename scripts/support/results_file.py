"""Results of a long run, a line of JSON for each part; a run that was stopped goes on after the last one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class ResultsFile:
    """The results of a long run.

    Args:
        path: The file; None to keep nothing.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def read(self) -> list[dict[str, Any]]:
        """Return what was measured so far, each part as `add` got it."""
        if self._path is None or not self._path.exists():
            return []
        return [json.loads(line) for line in self._path.read_text("utf-8").splitlines()]

    def add(self, part: dict[str, Any]) -> None:
        """Keep the results of a part."""
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(part) + "\n")
