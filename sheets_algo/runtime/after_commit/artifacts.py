"""Names and maps of the files beside a workbook."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from engine.battle_map import Scene
from engine.place_map import PlaceMap
from engine.ruleset import Outcome
from sheets_algo.config.maps import chunk
from sheets_algo.ruling.plan import Ruling
from sheets_algo.ruling.receipts.receipts import StoredReceipt, fingerprint_of
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.atomic_file import write_in_folder
from sheets_algo.workbook.changes import ChangeSet, NewTab, Picture
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.template_spec import BATTLE_MAP, MAP_CAPTION

NAME_MOST = 80
"""Maximum bytes of one part of a file name: three joined parts stay below the 255 of common file systems."""
MARK_AT = 33
"""Bytes of a PNG up to the end of its first chunk, after which the ruling's chunk follows."""
MARKED = b"Ruling\0"
"""Beginning of the text of that chunk."""


def file_name(text: str) -> str:
    """Return a text as part of a name that every file system accepts, of at most `NAME_MOST` bytes."""
    safe = "".join(sign if sign.isalnum() or sign in " -_.,'" else "_" for sign in text)
    return safe.encode()[:NAME_MOST].decode(errors="ignore").strip(" .") or "_"


def picture_path(session: Session, receipt: StoredReceipt) -> Path:
    """Return the path of the map of a ruling's battle."""
    return artifact_path(picture_folder(session), session.workbook.name, receipt, "png")


def picture_folder(session: Session) -> Path:
    """Return the folder of the maps of battles."""
    return session.folder / "pictures"


def preview_path(folder: Path, workbook: str, request: str) -> Path:
    """Return the path of the map of a request before its ruling."""
    return folder / f"{' '.join(map(file_name, (stem(workbook), request)))} preview.png"


def write_previews(scenes: Iterable[tuple[Path, Scene]]) -> Iterator[Path]:
    """Draw and write maps before rulings one by one, and yield the files.

    Raises:
        OSError: A file cannot be written.
    """
    for path, scene in scenes:
        write_in_folder(path, draw_map(scene))
        yield path


def artifact_path(folder: Path, workbook: str, receipt: StoredReceipt, ending: str) -> Path:
    """Return the path of a file on a ruling, named after the workbook, the request and the war."""
    parts = (stem(workbook), receipt.request, receipt.war)
    return folder / f"{' '.join(map(file_name, parts))}.{ending}"


def stem(workbook: str) -> str:
    """Return the name of a workbook without the ending of a file."""
    return re.sub(r"(?i)\.xlsx$", "", workbook)


def maps_of(outcome: Outcome) -> tuple[Scene | PlaceMap, ...]:
    """Return the map of a ruling: its battle, otherwise the places of its units."""
    return outcome.scenes or ((outcome.places,) if outcome.places else ())


def draw_map(battle_map: Scene | PlaceMap) -> bytes:
    """Return a map as a PNG."""
    from sheets_algo.pictures import draw, places, side_colours, strokes  # Pillow: a pass without rulings draws nothing

    if isinstance(battle_map, Scene):
        return draw(side_colours.coloured(battle_map))
    return places.draw_places(battle_map, strokes.SIDE_COLOURS)


def draw_ruling(receipt: StoredReceipt, battle_map: Scene | PlaceMap) -> bytes:
    """Return the map of a ruling as a PNG with a mark of the ruling."""
    png = draw_map(battle_map)
    return png[:MARK_AT] + _mark(receipt) + png[MARK_AT:]


def is_drawn(path: Path, receipt: StoredReceipt) -> bool:
    """Return True if a file is the map of this ruling, and not of another one with the same names."""
    mark = _mark(receipt)
    with suppress(OSError), path.open("rb") as file:
        return file.read(MARK_AT + len(mark))[MARK_AT:] == mark
    return False


def _mark(receipt: StoredReceipt) -> bytes:
    """Return the chunk that names a ruling, without its place in the chain, which secret games keep (RCP-19)."""
    drawn_from = f"{receipt.fingerprint} {receipt.seed} {receipt.rules_fingerprint}"
    return chunk(b"tEXt", MARKED + fingerprint_of(drawn_from).encode())


def with_last_map(
    changes: ChangeSet, rulings: Sequence[Ruling], snapshot: Snapshot, session: Session
) -> tuple[ChangeSet, Mapping[int, bytes]]:
    """Return changes with the map of the last battle, its file's name (MAP-07) and its tab; and it by its receipt.

    It is drawn before the commit, for the tab of the workbook.
    """
    maps = [(ruling.receipt, battle_map) for ruling in rulings for battle_map in maps_of(ruling.outcome)]
    last = next((drawn for drawn in reversed(maps) if isinstance(drawn[1], Scene)), None)
    if last is None:
        return changes, {}
    receipt, png = last[0], draw_ruling(*last)
    file = f"the file {picture_path(session, receipt).name} in the folder pictures, and on the site of the season"
    where = file if session.draws_pictures else f"drawn by replay {receipt.request} --png"
    key = snapshot.key(BATTLE_MAP)
    picture = Picture(key, png, text=f"{MAP_CAPTION} {receipt.war}, before and after, is {where}.")
    tabs = () if snapshot.sheet(key) else (NewTab(key, ()),)
    return replace(changes, tabs=(*changes.tabs, *tabs), pictures=(picture,)), {receipt.seq: png}
