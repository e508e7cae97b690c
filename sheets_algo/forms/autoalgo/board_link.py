"""Links of strategy boards that players paste into a war, each with the flanks of one side (WAR-16)."""

from __future__ import annotations

import base64
import binascii
import dataclasses
import zlib
from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec

from engine.autoalgo.inputs import SIDES, FlankOrder
from engine.columns import ValueList, columns, loosely
from sheets_algo.database.cell_text import ReadError
from sheets_algo.database.cells import read_value
from sheets_algo.forms.autoalgo.columns import FlankRow

MARK = "#s="
"""Text before the strategy in a link."""
PROTOCOL = 1
"""The version of boards and links, which identifies links of other releases."""
SIGNS_MOST, BYTES_MOST, FLANKS_MOST = 60_000, 600_000, 99
CUT = "the link is not that of a strategy, or was cut off"
_Count = Annotated[int, msgspec.Meta(ge=0)] | str
"""A count as its cell has it: a number, `40 %`, or blank."""


class LinkedFlank(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """One flank of a link, with the name of its army where the side has several."""

    flank: str
    x: float
    y: float
    infantry: _Count
    cavalry: _Count
    artillery: _Count
    ships: _Count
    maneuver: str
    military: str = ""


_LINK = msgspec.json.Decoder(tuple[int, str, int, list[LinkedFlank]])


def is_link(text: str) -> bool:
    """Return True if a text is the link of a board, and no name of a strategy."""
    return MARK in text


def linked_flanks(text: str, request: str, side: str, lists: Mapping[str, ValueList]) -> list[tuple[FlankOrder, str]]:
    """Return the flanks of a link, read as cells of their columns are, each with its army, blank for that of any.

    Raises:
        ReadError: The link is damaged, is of another war, side or version, or has a value that its column refuses.
    """
    version, of, number, rows = _content(text.partition(MARK)[2].strip())
    again = "Ask for it again"
    if version != PROTOCOL:
        raise ReadError("the link is of another version of the board", again)
    if loosely(of) != loosely(request):
        raise ReadError(f"the link is of {of[:40]!r}, and this is {request or 'a row without an id'}", again)
    if number not in (0, 1) or not 1 <= len(rows) <= FLANKS_MOST:
        raise ReadError(CUT, again)
    if SIDES[number] != side:
        raise ReadError(f"the link is of the {SIDES[number]}'s board", f"Paste it into {SIDES[number]} Strategy")
    return [(_order(place, row, lists), row.military) for place, row in enumerate(rows, start=1)]


def _content(packed: str) -> tuple[int, str, int, Sequence[LinkedFlank]]:
    wrong = ReadError(CUT, "Ask for it again")
    if len(packed) > SIGNS_MOST:
        raise wrong
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        stream = zlib.decompressobj(-zlib.MAX_WBITS)
        content = stream.decompress(data, BYTES_MOST)
        if not stream.eof:
            raise wrong
        return _LINK.decode(content)
    except (binascii.Error, ValueError, zlib.error, msgspec.MsgspecError, RecursionError):
        raise wrong from None


def _order(place: int, row: LinkedFlank, lists: Mapping[str, ValueList]) -> FlankOrder:
    declared = dict(columns(FlankRow))
    values = {}
    for name, value in msgspec.structs.asdict(row).items():
        try:
            values[name] = read_value(declared[name], value, lists) if value != "" else declared[name].default
        except ReadError as error:
            says = f"{declared[name].header} of flank {place} of the link {error.says}"
            raise dataclasses.replace(error, says=says) from None
    del values["military"]
    return FlankOrder(label=values.pop("flank"), **values)
