"""The game while an order is carried out: its pieces as they stand, what has changed, and what is said of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeVar

from engine.ciais.inputs import CiaisInputs
from engine.ciais.records import PLAYING, Player, Site, Unit
from engine.ciais.tables import Constants, Tables
from engine.decimals import cell
from engine.explained import Explained
from engine.fields import column, tab_of
from engine.outcome import Plain, Update

Piece = TypeVar("Piece", Player, Unit, Site)


@dataclass(frozen=True, slots=True)
class Note:
    """One statement of the receipt and line of the log.

    Args:
        heading: Whom or what it is about; the receipt gathers what has one heading.
        label: What it is.
        text: The statement.
        id: The rule behind it.
        kind: Of the event: `roll`, `unrest` ...
        amount: The number in it, or None.
        on_receipt: Else it stands in the log only.
    """

    heading: str
    label: str
    text: str
    id: str
    kind: str
    amount: float | None = None
    on_receipt: bool = True


class Game:
    """Pieces by name, in the order of the inputs; they are replaced as the order goes.

    Args:
        inputs: The order and its part of the game.
        tables: With the settings of the game in place.
    """

    def __init__(self, inputs: CiaisInputs, tables: Tables) -> None:
        self.inputs = inputs
        self.order = inputs.order
        self.tables = tables
        self.players = {it.name: it for it in inputs.players}
        self.types = {it.name: it for it in inputs.types}
        self.units = {it.name: it for it in inputs.units}
        self.sites = {it.name: it for it in inputs.sites}
        self.notes: list[Note] = []
        self.explained: list[Explained] = []
        self._updates: dict[tuple[str, str, str], Update] = {}

    @property
    def constants(self) -> Constants:
        """The single numbers."""
        return self.tables.constants

    @property
    def playing(self) -> tuple[Player, ...]:
        """Who is in the game."""
        return tuple(it for it in self.players.values() if it.status == PLAYING)

    def change(self, piece: Piece, **fields: Any) -> Piece:
        """Give a piece other values, exact ones as a cell holds them (CI-OP-25); what was and is becomes an update."""
        plain: dict[str, Any] = {}
        for name, value in fields.items():
            plain[name] = cell(value) if isinstance(value, Decimal) else value
            self._note_update(piece, name, plain[name])
        changed: Piece = dataclasses.replace(piece, **plain)
        by_name: Any = {Player: self.players, Unit: self.units, Site: self.sites}[type(piece)]
        by_name[piece.name] = changed
        return changed

    def say(
        self, heading: str, label: str, text: str, id: str, kind: str, amount: Decimal | float | None = None
    ) -> None:
        """A statement for receipt and log."""
        self.notes.append(Note(heading, label, text, id, kind, None if amount is None else float(amount)))

    def log(self, heading: str, label: str, text: str, id: str, kind: str, amount: Decimal | float | None) -> None:
        """A statement for the log alone."""
        self.notes.append(Note(heading, label, text, id, kind, None if amount is None else float(amount), False))

    def updates(self) -> Iterator[Update]:
        """What is otherwise than before, in the order in which it first changed."""
        return (it for it in self._updates.values() if it.before != it.after)

    def _note_update(self, piece: Player | Unit | Site, attribute: str, after: Plain) -> None:
        header = column(type(piece), attribute).header
        place = (tab_of(type(piece)).name, piece.name, header)
        before = self._updates[place].before if place in self._updates else _blank(getattr(piece, attribute))
        self._updates[place] = Update(*place, before, _blank(after))


def _blank(value: Plain) -> Plain:
    """A cell's worth: nothing instead of a text without characters."""
    return None if value == "" else value
