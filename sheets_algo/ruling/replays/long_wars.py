"""Wars of several battles: requests whose `Part of` names the same war, and the score of that war (REQ-19, REQ-20)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.columns import columns, loosely
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import open_database
from sheets_algo.forms.request_columns import ends_war, part_of, request_id
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.requests.overrides import decided_inputs
from sheets_algo.ruling.requests.row_states import RowKind, RowStates
from sheets_algo.workbook.snapshot import Snapshot

WINNERS = ("Attacker", "Defender")


@dataclass(frozen=True, slots=True, kw_only=True)
class PartBattle:
    """A ruling that is part of a longer war."""

    ruling: StoredReceipt
    sides: tuple[str, str]  # Attacker and defender
    lost: int | None  # The men that both lost; None where the ruleset counts none
    ends_war: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LongWar:
    """A war of several battles, as the rulings so far leave it."""

    name: str  # As the row of its first battle spells it
    battles: Sequence[PartBattle]  # In the order of their receipts, without those that were undone
    sides: tuple[Sequence[str], Sequence[str]]  # The nations of either side
    won: tuple[int, int]  # The battles that each side has won

    @classmethod
    def of(cls, name: str, battles: Sequence[PartBattle]) -> LongWar:
        """Return the war of these battles."""
        place = _places(battles)
        won = [0, 0]
        for battle in battles:
            first, second = (place[loosely(nation)] for nation in battle.sides)
            if battle.ruling.winner in WINNERS and first != second:
                won[(first, second)[WINNERS.index(battle.ruling.winner)]] += 1
        names = dict.fromkeys(nation for battle in battles for nation in battle.sides)
        sides = tuple([nation for nation in names if place[loosely(nation)] == side] for side in (0, 1))
        return cls(name=name, battles=battles, sides=(sides[0], sides[1]), won=(won[0], won[1]))

    @property
    def key(self) -> str:
        """Return a text that no other war has: name and ruleset."""
        return f"{loosely(self.name)} {self.battles[0].ruling.ruleset}"

    @property
    def is_over(self) -> bool:
        """Return True if one of its battles ended it."""
        return any(battle.ends_war for battle in self.battles)

    @property
    def standing(self) -> str:
        """Return its score, a sentence: `England 3 : 1 Norway, 41,000 men lost`."""
        left, right = (", ".join(nations) for nations in self.sides)
        known = [battle.lost for battle in self.battles if battle.lost is not None]
        lost = f", {sum(known):,} men lost" if known else ""
        end = f"; over, {self._winner}" if self.is_over else ""
        return f"{left} {self.won[0]} : {self.won[1]} {right}{lost}{end}"

    @property
    def _winner(self) -> str:
        ahead = self.won[0] - self.won[1]
        if not ahead:
            return "won by nobody"
        return f"won by {', '.join(self.sides[0] if ahead > 0 else self.sides[1])}"

    def until(self, seq: int) -> LongWar:
        """Return the war as the receipt with this number left it."""
        return LongWar.of(self.name, [battle for battle in self.battles if battle.ruling.seq <= seq])


def long_wars(snapshot: Snapshot, forms: Iterable[Form[Any]], receipts: Receipts) -> list[LongWar]:
    """Return the wars of several battles, in the order of their first rulings."""
    by_name: dict[tuple[str, str], list[tuple[str, PartBattle]]] = {}
    for form, ruling, name, ends in _rulings(snapshot, tuple(forms), receipts):
        sides, lost = sides_of(form, ruling)
        battle = PartBattle(ruling=ruling, sides=sides, lost=sum(lost) if lost else None, ends_war=ends)
        if all(sides) and not receipts.is_undone(ruling):
            by_name.setdefault((form.ruleset_key, loosely(name)), []).append((name, battle))
    wars = (sorted(each, key=lambda named: named[1].ruling.seq) for each in by_name.values())
    made = [LongWar.of(named[0][0], [battle for _, battle in named]) for named in wars]
    return sorted(made, key=lambda war: war.battles[0].ruling.seq)


def _rulings(
    snapshot: Snapshot, forms: Sequence[Form[Any]], receipts: Receipts
) -> Iterator[tuple[Form[Any], StoredReceipt, str, bool]]:
    """Yield the rulings that are part of a war, undone or not, each with its form, the war's name, and whether it ends.

    A row that shows a ruling says it; without one, the receipt knows what the row said when it was ruled.
    """
    left = {loosely(ruling.request): ruling for ruling in receipts.rulings}
    for states, row, name in _battle_rows(snapshot, forms, receipts):
        ruling = left.get(loosely(request_id(row)))
        if ruling is None or not (name or ruling.figures.part_of):
            continue
        if states.of(row).kind is RowKind.AS_RULED:
            del left[loosely(request_id(row))]
            if name:
                yield states.form, ruling, name, ends_war(row, states.database)
    for form in forms:
        for ruling in left.values():
            if ruling.ruleset == form.key and ruling.figures.part_of:
                yield form, ruling, ruling.figures.part_of, ruling.figures.ends_war


def parts_of_wars(snapshot: Snapshot, forms: Iterable[Form[Any]], receipts: Receipts) -> Mapping[str, str]:
    """Return which war each request is part of, by its id in small letters, ruled or not: its ruleset, and its name."""
    forms = tuple(forms)
    ruled = [(form, ruling.request, name) for form, ruling, name, _ in _rulings(snapshot, forms, receipts)]
    rows = [(states.form, request_id(row), name) for states, row, name in _battle_rows(snapshot, forms, receipts)]
    parts: dict[str, str] = {}
    names: dict[tuple[str, str], str] = {}
    for form, request, name in (*ruled, *(row for row in rows if receipts.ruling_of(row[1]) is None)):
        if name:
            name = names.setdefault((form.ruleset_key, loosely(name)), name)
            parts.setdefault(loosely(request), f"{form.ruleset_key}\n{name}")
    return parts


def sides_of(form: Form[Any], ruling: StoredReceipt) -> tuple[tuple[str, str], tuple[int, int] | None]:
    """Return the names of attacker and defender of a ruling, and the men they lost; blank where neither is known."""
    lost = form.ruleset.men_lost(ruling.figures.values)
    try:
        return form.ruleset.sides(form.deserialize(decided_inputs(ruling))), lost
    except ValueError:  # the inputs were edited, or name something that no longer exists
        return ("", ""), lost


def _battle_rows(
    snapshot: Snapshot, forms: Sequence[Form[Any]], receipts: Receipts
) -> Iterator[tuple[RowStates, Row, str]]:
    """Yield the rows of requests that may be part of a war, each with the states of its tab and the war's name."""
    for form in forms:
        if "part_of" not in (name for name, _ in columns(form.request)):
            continue
        database = open_database(snapshot, [other for other in forms if other.ruleset_key == form.ruleset_key])
        states = RowStates(form, database, receipts)
        for row in database.table(form.request):
            yield states, row, part_of(row)


def _places(battles: Sequence[PartBattle]) -> Mapping[str, int]:
    """Return on which side each nation is: 0 with the attacker of the first battle, 1 against it."""
    place: dict[str, int] = {}
    left = [tuple(map(loosely, battle.sides)) for battle in battles]
    while left:
        linked = next((pair for pair in left if not place.keys().isdisjoint(pair)), left[0])
        left.remove(linked)
        attacker, defender = linked
        if defender in place:
            place.setdefault(attacker, 1 - place[defender])
        place.setdefault(attacker, 0)
        place.setdefault(defender, 1 - place[attacker])
    return place
