"""Notes of passes under way, so that the next pass makes up for what a killed one left undone.

A note is a file in `.sheets-algo/` of a pass that rules: it names the guard, then each log file before it is begun, and
before the commit the receipts. It is deleted when the last picture is drawn. As long as no receipt has the guard's
number, the pass may still be working; once one has it, the pass is over, or has landed and drawn its pictures, or was
killed.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt

_FOLDER = ".sheets-algo"
_ENDING = ".pass"


@dataclass(frozen=True, slots=True)
class PassNote:
    """The note of one pass."""

    path: Path  # Path of the note
    workbook: str  # Name of the workbook, since workbooks may share a folder
    guard: int  # The number of the first receipt that the pass would write

    @classmethod
    def of_new_pass(cls, folder: Path, workbook: str, guard: int) -> PassNote:
        """Return the note of a pass that begins; its file is made when something is noted."""
        return cls(folder / _FOLDER / f"{os.getpid()}-{secrets.token_hex(4)}{_ENDING}", workbook, guard)

    def add_log(self, request: str, log: Path) -> None:
        """Note the log file of a request, before it is made.

        Raises:
            OSError: The note cannot be written.
        """
        self._add({"request": request, "log": log.name})

    def add_taken(self, log: Path) -> None:
        """Note that a log file that was noted is another run's, which was quicker.

        Raises:
            OSError: The note cannot be written.
        """
        self._add({"taken": log.name})

    def add_receipts(self, receipts: Sequence[StoredReceipt]) -> None:
        """Note the receipts that are about to be written.

        Raises:
            OSError: The note cannot be written.
        """
        for receipt in receipts:
            self._add({"seq": receipt.seq, "identity": identity(receipt)})

    def logs(self) -> list[tuple[str, Path]]:
        """Return request and path of each log file."""
        logs, entries = self.path.parent.parent / "logs", list(self._entries())
        taken = {entry.get("taken") for entry in entries}
        noted = [(entry["request"], entry["log"]) for entry in entries if "log" in entry]
        return [(request, logs / Path(name).name) for request, name in noted if name not in taken]

    def logs_of_others(self) -> set[Path]:
        """Return the log files that other passes in the folder have noted, and may have been killed before making."""
        others = (path for path in self.path.parent.glob(f"*{_ENDING}") if path != self.path)
        return {log for path in others for _, log in PassNote(path, "", 0).logs()}

    def landed(self, receipts: Receipts) -> list[StoredReceipt]:
        """Return those of its receipts that the workbook has."""
        noted = {entry["seq"]: tuple(entry["identity"]) for entry in self._entries() if "seq" in entry}
        written = ((receipts.by_seq.get(seq), mark) for seq, mark in noted.items())
        return [receipt for receipt, mark in written if receipt and identity(receipt) == mark]

    def discard_logs(self, kept: Sequence[str] = ()) -> None:
        """Delete the log files of all requests but these, and the note.

        Raises:
            OSError: A file cannot be deleted.
        """
        for request, log in self.logs():
            if request not in kept:
                log.unlink(missing_ok=True)
        self.delete()

    def delete(self) -> None:
        """Delete the note, if it was written.

        Raises:
            OSError: It cannot be deleted.
        """
        self.path.unlink(missing_ok=True)

    def _add(self, entry: dict[str, Any]) -> None:
        is_new = not self.path.exists()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        entries = [{"workbook": self.workbook, "guard": self.guard}, entry] if is_new else [entry]
        with self.path.open("ab") as file:
            file.write(b"".join(json.dumps(entry).encode() + b"\n" for entry in entries))

    def _entries(self) -> Iterator[dict[str, Any]]:
        return _entries(self.path)


def notes_of(folder: Path, workbook: str) -> Iterator[PassNote]:
    """Yield the notes of passes over a workbook that have not ended, or were killed."""
    for path in sorted((folder / _FOLDER).glob(f"*{_ENDING}")):
        first = next(_entries(path), {})
        if first.get("workbook") == workbook and isinstance(guard := first.get("guard"), int):
            yield PassNote(path, workbook, guard)


def identity(receipt: StoredReceipt | None) -> tuple[str, ...]:
    """Return what distinguishes a receipt from another one with its number; blank for none."""
    return (receipt.request, receipt.seed, receipt.inputs_fingerprint, receipt.time) if receipt else ()


def _entries(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the entries of a note; a last line that was cut off is left out."""
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except FileNotFoundError:  # its pass has ended meanwhile
        return
    for line in lines:
        if line.endswith(b"\n"):
            yield json.loads(line)
