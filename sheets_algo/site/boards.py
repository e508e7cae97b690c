"""Strategy boards of wars that are announced: a page for each side, without anything that anybody has planned."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

from sheets_algo.database.cell_text import shown
from sheets_algo.database.problems import Rejected
from sheets_algo.forms.capabilities import BoardForm, SecretForm
from sheets_algo.forms.databases import open_database
from sheets_algo.forms.request_columns import request_id
from sheets_algo.pages.addresses import addresses
from sheets_algo.pages.board_page import board_digest, board_page
from sheets_algo.site.public import PublicSeason
from sheets_algo.site.site_file import SiteFile


@dataclass(frozen=True, slots=True)
class AnnouncedWar:
    """A war that is announced and not ruled."""

    title: str  # Its name
    links: tuple[tuple[str, str], ...]  # Each nation with the place of its side's board
    files: tuple[SiteFile, ...]  # The boards


def announced_wars(season: PublicSeason) -> Iterator[AnnouncedWar]:
    """Yield the wars whose rows can be read and that are not ruled, where players have no secrets."""
    seen = season.seen
    for form in seen.forms:
        if isinstance(form, SecretForm) or not isinstance(form, BoardForm):
            continue
        database = open_database(seen.snapshot, [form])
        rows = [row for row in database.table(form.request) if request_id(row)]
        names = addresses(map(request_id, rows))
        for row in rows:
            if seen.receipts.ruling_of(request_id(row)) is not None:
                continue
            try:
                board = form.board(row, database)
            except Rejected:
                continue
            links, files = [], []
            for side, nation in board.sides.items():
                path = f"boards/{names[request_id(row)]}-{side.lower()}.html"
                data = board.data([side], is_blank=True)
                key = sha256(f"{board_digest()} {json.dumps(data)}".encode()).hexdigest()
                links.append((nation, path))
                files.append(SiteFile(path, key, partial(_page, data)))
            yield AnnouncedWar(shown(row.value("war")) or request_id(row), tuple(links), tuple(files))


def _page(data: Mapping[str, Any]) -> bytes:
    return board_page(data).encode()
