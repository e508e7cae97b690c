"""A folder of spreadsheets: one JSON snapshot each, or a sub-folder with a CSV file for each tab."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from localsheets.fill import fill
from localsheets.store import PERSON, File, Store


def seed(store: Store, folder: Path) -> None:
    """Load the files of a folder: `NAME.json`, or `NAME/TAB.csv`, where the name is title and id.

    Raises:
        ValueError: A file of the folder is no snapshot.
    """
    for snapshot in sorted(folder.glob("*.json")):
        try:
            file = File.from_json(json.loads(snapshot.read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{snapshot} is no snapshot of a spreadsheet; --save writes such files") from error
        store.files[file.id] = file
    for tabs in sorted(path for path in folder.iterdir() if path.is_dir()):
        found = {path.stem: _rows(path) for path in sorted(tabs.glob("*.csv"))}
        if found:
            made = store.make(tabs.name, PERSON, ["anyone"], id=tabs.name)
            assert made.spreadsheet is not None
            fill(made.spreadsheet, found, is_typed=True)


def save(store: Store, folder: Path) -> list[str]:
    """Write one snapshot for each file, whole or not at all; return the ids."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in store.files.values():
        part = folder / f".{file.id}.part"
        part.write_text(json.dumps(file.to_json(), ensure_ascii=False), encoding="utf-8")
        part.replace(folder / f"{file.id}.json")
    for gone in folder.glob("*.json"):
        if gone.stem not in store.files:
            gone.unlink()
    return list(store.files)


def _rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.reader(lines))
