"""Strategy boards of a form: the rows that a board fills, and the answers that its page needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engine.battle_map import Scene
from engine.columns import columns


@dataclass(frozen=True, slots=True)
class BoardRows:
    """The rows in which a strategy board's strategies stand, one for each flank."""

    record: type  # The record class of their tab, one of `Form.parts`
    side: str  # The attribute of the column that names the side
    columns: tuple[str, ...]  # The attributes of the columns that a board gives, in its order; all others stay blank

    @property
    def others(self) -> list[str]:
        """Return the attributes of the columns of people that a board leaves blank, in declared order."""
        declared = columns(self.record)
        return [name for name, column in declared if name not in self.columns and not column.place.is_programs]


class StrategyBoard(Protocol):
    """A strategy board: what is placed in the rows of a request, to be placed with the mouse."""

    def data(
        self, sides: Sequence[str] = (), *, is_blank: bool = False, has_other_maps: bool = True
    ) -> Mapping[str, Any]:
        """Return what its page needs.

        Args:
            sides: The sides that are shown, all if none is named.
            is_blank: True to leave out what the rows have: the page begins as the rules do without rows.
            has_other_maps: True to add other maps than that of the request, as many as have room.
        """

    @property
    def sides(self) -> Mapping[str, str]:
        """Return the name of each side with the nation that fights on it."""

    @property
    def scene(self) -> Scene | None:
        """Return the picture of what is placed, None if nothing is."""
