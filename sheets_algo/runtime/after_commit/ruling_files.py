"""Files of rulings beside the workbook: log, picture and replay page, which follow from a receipt.

They are written after the commit. The record of the season notes up to which receipt this computer has them, so that
the next pass writes missing ones (LOG-01).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from engine.ruleset import no_op
from sheets_algo.forecasts.machine_code import MANY
from sheets_algo.ruling.plan import Progress, Ruling
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.runtime.after_commit.artifacts import (
    artifact_path,
    draw_ruling,
    file_name,
    is_drawn,
    maps_of,
    picture_path,
)
from sheets_algo.runtime.session.session import Session
from sheets_algo.workbook.atomic_file import write_in_folder

DRAWN_MOST = 100
"""Maximum number of maps that a run draws; the receipts of the others can draw theirs at any time."""
UNDRAWN = "Only the last {:,} maps are drawn; replay with --png draws any other."
UNSAVED = "{} cannot be written ({}); the next run makes it."


@dataclass(frozen=True, slots=True)
class MadeFiles:
    """Written files of rulings."""

    by_receipt: Mapping[int, Sequence[Path]] = field(default_factory=dict)  # Those of rulings that have all their files
    failures: tuple[str, ...] = ()  # Sentences about files that cannot be written

    def __or__(self, other: MadeFiles) -> MadeFiles:
        """Return the files of both, and each sentence once."""
        failures = tuple(dict.fromkeys((*self.failures, *other.failures)))
        return MadeFiles({**self.by_receipt, **other.by_receipt}, failures)

    def complete_up_to(self, last: int, rulings: Iterable[StoredReceipt]) -> int:
        """Return the number of the last receipt, or of the one before the first ruling that lacks files."""
        return min((each.seq - 1 for each in rulings if each.seq not in self.by_receipt), default=last)

    def inside(self, folder: str) -> tuple[Path, ...]:
        """Return the files in a folder: `logs`, `pictures` or `replays`."""
        return tuple(path for paths in self.by_receipt.values() for path in paths if path.parent.name == folder)


@dataclass(slots=True)
class FileWriter:
    """Writer of the files of rulings."""

    session: Session
    progress: Progress = no_op

    def write_all(
        self, rulings: Sequence[tuple[Ruling, Sequence[str]]], drawn: Mapping[int, bytes], left: int = 0
    ) -> MadeFiles:
        """Write the files of a pass's rulings, each with the lines of its log; draw the last maps.

        Args:
            drawn: The maps that are drawn already, by number of the receipt.
            left: The number of requests that the next passes rule, whose maps count among the last ones.
        """
        made = MadeFiles()
        with_maps = [ruling.receipt.seq for ruling, _ in rulings if maps_of(ruling.outcome)]
        late = {*with_maps[max(0, len(with_maps) + left - DRAWN_MOST) :]} if self.session.draws_pictures else set()
        for ruling, lines in rulings:
            seq = ruling.receipt.seq
            if seq in late:
                self.progress("Drawing", ruling.receipt.request, len(late))
            made |= self.write(ruling, lines, drawn.get(seq, b""), draws=seq in late)
        is_cut = self.session.draws_pictures and len(late) < len(with_maps)
        return made | MadeFiles(failures=(UNDRAWN.format(DRAWN_MOST),) if is_cut else ())

    def write(self, ruling: Ruling, lines: Sequence[str], png: bytes = b"", *, draws: bool = True) -> MadeFiles:
        """Write the files of one ruling."""
        receipt, failures, paths = ruling.receipt, list[str](), list[Path]()
        for path, content in self._contents(ruling, lines, png, draws=draws):
            paths.append(path)
            if path.suffix == ".html":
                self.progress("Pages", path.name, None)
            try:
                if path.suffix != ".png" or not is_drawn(path, receipt):
                    write_in_folder(path, content())
            except OSError as error:
                failures.append(UNSAVED.format(path, error.strerror))
        return MadeFiles({} if failures else {receipt.seq: paths}, tuple(failures))

    def _contents(
        self, ruling: Ruling, lines: Sequence[str], png: bytes, *, draws: bool
    ) -> Iterator[tuple[Path, Callable[[], bytes]]]:
        session, receipt = self.session, ruling.receipt
        text = "".join(f"{line}\n" for line in lines).encode(errors="replace")
        yield _log_path(session, ruling, text), lambda: text
        maps = maps_of(ruling.outcome)
        if maps and draws and session.draws_pictures:
            yield picture_path(session, receipt), lambda: png or draw_ruling(receipt, maps[-1])
        if session.writes_replays:
            from sheets_algo.runtime.after_commit.replay_pages import replay_html  # imports much, for few

            path = artifact_path(session.folder / "replays", session.workbook.name, receipt, "html")
            luck = session.is_luck_told
            yield path, lambda: replay_html(ruling, is_luck_told=luck, battles=MANY if luck else 0).encode()


def _log_path(session: Session, ruling: Ruling, text: bytes) -> Path:
    """Return the path of a ruling's log: with a number if another ruling of its second has that name."""
    receipt = ruling.receipt
    time = receipt.time.replace(":", "-")
    name = f"{ruling.form.key.capitalize()} log {time} {file_name(receipt.request)}"
    paths = (session.folder / "logs" / f"{name}{f' ({number})' if number > 1 else ''}.txt" for number in count(1))
    return next(path for path in paths if _is_free(path, text))


def _is_free(path: Path, text: bytes) -> bool:
    """Return True if a log may have this path: no file exists, or only a beginning or completion of this log."""
    try:
        there = path.read_bytes()
    except OSError:
        return True
    return text.startswith(there) or there.startswith(text)
