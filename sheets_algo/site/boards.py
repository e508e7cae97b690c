"""Strategy boards of announced wars: a page for each side, without any plans of players."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

from sheets_algo.boards.board_rows import open_boards
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.tables import Table
from sheets_algo.forms.capabilities import BoardForm, SecretForm
from sheets_algo.forms.request_columns import request_id
from sheets_algo.pages.addresses import addresses
from sheets_algo.pages.board_page import board_digest, board_page
from sheets_algo.site.public import PublicSeason
from sheets_algo.site.site_file import SiteFile


@dataclass(frozen=True, slots=True)
class AnnouncedWar:
    """An announced war without a ruling."""

    title: str  # Its name
    links: tuple[tuple[str, str], ...]  # Each nation with the place of its side's board
    files: tuple[SiteFile, ...]  # The boards


def announced_wars(season: PublicSeason) -> Iterator[AnnouncedWar]:
    """Yield the unruled wars with readable rows, in games without secrets."""
    book = season.book
    forms = [form for form in book.forms if isinstance(form, BoardForm) and not isinstance(form, SecretForm)]
    names = {
        form.key: addresses(filter(None, map(request_id, Table.of(book.snapshot, form.request)))) for form in forms
    }
    for form, _, row, board in open_boards(book.snapshot, forms, book.receipts):
        links, files = [], []
        for side, nation in board.sides.items():
            path = f"boards/{names[form.key][request_id(row)]}-{side.lower()}.html"
            data = board.data([side], is_blank=True)
            key = sha256(f"{board_digest()} {json.dumps(data)}".encode()).hexdigest()
            links.append((nation, path))
            files.append(SiteFile(path, key, partial(_page, data)))
        yield AnnouncedWar(as_text(row.value("war")) or request_id(row), tuple(links), tuple(files))


def _page(data: Mapping[str, Any]) -> bytes:
    return board_page(data).encode()
