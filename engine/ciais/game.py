"""State of the game during an order: current pieces, updates and notes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any, TypeVar

from engine.calculation import Calculation
from engine.ciais.inputs import CiaisInputs
from engine.ciais.records import PLAYING, CiaisSite, CiaisUnit, Player
from engine.ciais.tables import CiaisTables
from engine.columns import column, tab_of
from engine.decimals import cell
from engine.ruleset import Plain, Update
from engine.terms import explained

Derivation = Callable[[], Calculation]
"""Function that explains a number."""
AnyPiece = Player | CiaisUnit | CiaisSite
Piece = TypeVar("Piece", bound=AnyPiece)


@dataclass(frozen=True, slots=True)
class GameNote:
    """One statement of the receipt and line of the log."""

    heading: str  # The subject; notes with the same heading are grouped on the receipt
    label: str  # The label of the statement
    text: str  # The statement
    id: str  # The rule id
    kind: str  # The kind of the event: `roll`, `unrest` ...
    amount: float | None = None  # The number in the statement, or None
    on_receipt: bool = True  # False if the statement is only in the log


class Game:
    """Pieces by name, in the order of the inputs; they are replaced as the order is carried out."""

    def __init__(self, inputs: CiaisInputs, tables: CiaisTables) -> None:
        self.inputs = inputs
        self.order = inputs.order
        self.tables = tables
        self.constants = tables.constants
        self.players = {player.name: player for player in inputs.players}
        self.types = {unit_type.name: unit_type for unit_type in inputs.types}
        self.units = {unit.name: unit for unit in inputs.units}
        self.sites = {site.name: site for site in inputs.sites}
        self.notes: list[GameNote] = []
        self.derivations: list[Derivation] = []
        self._updates: dict[tuple[str, str, str], Update] = {}

    @property
    def explained(self) -> tuple[Calculation, ...]:
        """Return the numbers with their terms, in the order of computation."""
        return tuple(derivation() for derivation in self.derivations)

    @property
    def playing(self) -> tuple[Player, ...]:
        """Return the players still in the game."""
        return tuple(player for player in self.players.values() if player.status == PLAYING)

    def change(self, piece: Piece, **fields: Any) -> Piece:
        """Replace fields of a piece, with decimals as a cell holds them (CI-OP-25), and note the updates."""
        values: dict[str, Any] = {}
        for name, value in fields.items():
            values[name] = cell(value) if isinstance(value, Decimal) else value
            self._note_update(piece, name, values[name])
        changed: Piece = dataclasses.replace(piece, **values)
        kinds: Any = ((Player, self.players), (CiaisUnit, self.units), (CiaisSite, self.sites))
        next(pieces for kind, pieces in kinds if isinstance(piece, kind))[piece.name] = changed  # a row may have more
        return changed

    def explain(self, formula: Callable[..., Any], *arguments: Any, name: str, id: str = "") -> None:
        """Add a number to the explanations that are made on demand."""
        self.derivations.append(partial(explained, formula, *arguments, name=name, id=id))

    def say(
        self,
        heading: str,
        label: str,
        text: str,
        id: str,
        kind: str,
        amount: Decimal | float | None = None,
        *,
        on_receipt: bool = True,
    ) -> None:
        """Add a statement to the log, and to the receipt unless it is for the log only."""
        number = None if amount is None else float(amount)
        self.notes.append(GameNote(heading, label, text, id, kind, number, on_receipt))

    def updates(self) -> Iterator[Update]:
        """Return the fields that differ from their first value, in the order of their first change."""
        return (update for update in self._updates.values() if update.before != update.after)

    def _note_update(self, piece: AnyPiece, attribute: str, after: Plain) -> None:
        header = column(type(piece), attribute).header
        place = (tab_of(type(piece)).name, piece.name, header)
        before = self._updates[place].before if place in self._updates else _blank(getattr(piece, attribute))
        self._updates[place] = Update(*place, before, _blank(after))


def _blank(value: Plain) -> Plain:
    """Return a cell's value: None instead of an empty text."""
    return None if value == "" else value
