"""Wars of several battles: requests whose `Part of` names the same war, and the score of that war (REQ-19, REQ-20).

The sides are the typed ones of the tab Wars, as in receipts (WRS-05); they are never guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.columns import columns, loosely
from engine.receipt import counted
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import open_database
from sheets_algo.forms.request_columns import ends_war, part_of, request_id
from sheets_algo.ruling.receipts.receipt_rows import WarSides
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.requests.overrides import decided_inputs
from sheets_algo.ruling.requests.row_states import RowKind, RowStates
from sheets_algo.workbook.snapshot import Snapshot

WINNERS = ("Attacker", "Defender")
SIDES_UNKNOWN = "sides not known: add the war to Wars"


@dataclass(frozen=True, slots=True, kw_only=True)
class PartBattle:
    """A ruling that is part of a longer war."""

    ruling: StoredReceipt
    sides: tuple[str, str]  # Attacker and defender
    members: tuple[tuple[str, ...], tuple[str, ...]]  # The nations of both
    year: int | None  # Its year; None if the ruleset has none
    lost: int | None  # The losses of both in men; None if the ruleset counts none
    ends_war: bool

    @property
    def winner(self) -> str:
        """Return the nation that won; blank for none."""
        return self.sides[WINNERS.index(self.ruling.winner)] if self.ruling.winner in WINNERS else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LongWar:
    """A war of several battles, after the rulings so far."""

    name: str  # Its name, as in the row of its first battle
    battles: Sequence[PartBattle]  # In the order of their receipts, without undone ones
    declared: Sequence[tuple[StoredReceipt, WarSides]] = ()  # The receipts of its sides, in their order (WRS-05)

    @property
    def key(self) -> str:
        """Return a unique text of the war: name and ruleset."""
        return f"{loosely(self.name)} {self.battles[0].ruling.ruleset}"

    @property
    def sides(self) -> WarSides | None:
        """Return the typed sides; None without them."""
        last = self.declared[-1][1] if self.declared else None
        return last if last and last.a and last.b else None

    @property
    def is_over(self) -> bool:
        """Return True if one of its battles ended it, or it has a winner."""
        return any(battle.ends_war for battle in self.battles) or bool(self.sides and self.sides.winner)

    @property
    def won(self) -> tuple[int, int]:
        """Return the number of battles that each side has won; none without sides."""
        winners = [*self.winners.values()]
        return winners.count(0), winners.count(1)

    @property
    def winners(self) -> Mapping[int, int | None]:
        """Return the side that won each battle between the sides, by the number of its receipt; None for neither."""
        winners: dict[int, int | None] = {}
        sides = self.sides or WarSides()
        for battle in self.battles:
            places = [sides.side_of_all(own, battle.year) for own in battle.members]
            if {*places} == {0, 1}:
                winner = battle.ruling.winner
                winners[battle.ruling.seq] = places[WINNERS.index(winner)] if winner in WINNERS else None
        return winners

    @property
    def winner(self) -> str:
        """Return the typed winner at the peace, `Norden and allies` or `nobody`; blank until then."""
        if self.sides is None or not self.sides.winner:
            return ""
        return dict(zip(("Side A", "Side B"), self.sides.short_names, strict=True)).get(self.sides.winner, "nobody")

    @property
    def score(self) -> str:
        """Return the battles won by each side: `England 3 : 1 Norway + Scotland`; without sides, by pair of nations."""
        if self.sides:
            (left, right), won = self.sides.short_names, self.won
            return f"{left} {won[0]} : {won[1]} {right}"
        pairs: dict[frozenset[str], list[PartBattle]] = {}
        for battle in self.battles:
            pairs.setdefault(frozenset(map(loosely, battle.sides)), []).append(battle)
        scores = []
        for battles in pairs.values():
            left, right = battles[0].sides
            winners = [loosely(battle.winner) for battle in battles]
            scores.append(f"{left} {winners.count(loosely(left))} : {winners.count(loosely(right))} {right}")
        return "; ".join(scores)

    @property
    def standing(self) -> str:
        """Return its score, a sentence: `England 3 : 1 Norway, 41,000 men lost`."""
        has_losses = any(battle.lost is not None for battle in self.battles)
        return (", " if has_losses else "; ").join(filter(None, (self.score, self.state)))

    @property
    def state(self) -> str:
        """Return the remarks on the score: `41,000 men lost; over`."""
        return "; ".join(self._remarks)

    @property
    def _remarks(self) -> Iterator[str]:
        """Yield the losses, remarks on the score, and the end of the war."""
        known = [battle.lost for battle in self.battles if battle.lost is not None]
        if known:
            yield f"{counted(sum(known), 'man', 'men')} lost"
        left_out = len(self.battles) - len(self.winners)
        if self.sides and left_out:
            one, them = ("battle", "its") if left_out == 1 else ("battles", "their")
            yield f"{left_out} {one} left out, {them} nations are not on both sides in Wars"
        elif not self.sides and len({frozenset(map(loosely, battle.sides)) for battle in self.battles}) > 1:
            yield SIDES_UNKNOWN
        if self.winner:
            yield f"over, won by {self.winner}"
        elif self.is_over:
            yield "over"

    @property
    def source(self) -> str:
        """Return the receipts of the sides, a clause; blank for none."""
        numbers = ", ".join(str(receipt.seq) for receipt, _ in self.declared)
        return f"sides by receipt{'s' if len(self.declared) > 1 else ''} {numbers}" if self.declared else ""

    def until(self, seq: int) -> LongWar:
        """Return the war after the receipt with this number."""
        battles = [battle for battle in self.battles if battle.ruling.seq <= seq]
        declared = [pair for pair in self.declared if pair[0].seq <= seq]
        return replace(self, battles=battles, declared=declared)


def long_wars(snapshot: Snapshot, forms: Iterable[Form[Any]], receipts: Receipts) -> list[LongWar]:
    """Return the wars of several battles, in the order of their first rulings."""
    by_name: dict[tuple[str, str], list[tuple[str, PartBattle]]] = {}
    for form, ruling, name, ends in _rulings(snapshot, tuple(forms), receipts):
        fought = sides_of(form, ruling)
        men = sum(fought.lost) if fought.lost else None
        battle = PartBattle(
            ruling=ruling, sides=fought.names, members=fought.members, year=fought.year, lost=men, ends_war=ends
        )
        if all(fought.names) and not receipts.is_undone(ruling):
            by_name.setdefault((form.ruleset_key, loosely(name)), []).append((name, battle))
    wars = (sorted(each, key=lambda named: named[1].ruling.seq) for each in by_name.values())
    made = [
        LongWar(
            name=named[0][0],
            battles=[battle for _, battle in named],
            declared=receipts.sides.get(loosely(named[0][0]), ()),
        )
        for named in wars
    ]
    return sorted(made, key=lambda war: war.battles[0].ruling.seq)


def _rulings(
    snapshot: Snapshot, forms: Sequence[Form[Any]], receipts: Receipts
) -> Iterator[tuple[Form[Any], StoredReceipt, str, bool]]:
    """Yield the rulings of wars, undone or not, each with its form, the war's name, and True for the last battle.

    This comes from the row that shows the ruling; without one, from the receipt.
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
    """Return ruleset and name of the war of each request, ruled or not, by its id in small letters."""
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


@dataclass(frozen=True, slots=True)
class RulingSides:
    """The sides of a ruling."""

    # The names of attacker and defender, `Norden + Rivan`; blank if the rules have none
    names: tuple[str, str] = ("", "")
    members: tuple[tuple[str, ...], tuple[str, ...]] = (("",), ("",))  # The nations of both
    lost: tuple[int, int] | None = None  # The losses of each in men; None if the ruleset counts none
    lost_by: Mapping[str, int] = field(default_factory=dict)  # Of a side of several nations
    year: int | None = None  # The year; None if the ruleset has none


def sides_of(form: Form[Any], ruling: StoredReceipt) -> RulingSides:
    """Return the sides of a ruling, with blank names if unknown."""
    figures = ruling.figures.values
    lost = form.ruleset.men_lost(figures)
    try:
        inputs = form.deserialize(decided_inputs(ruling))
    except ValueError:  # inputs that were edited, or name something lost
        return RulingSides(lost=lost)
    members = form.ruleset.members(inputs)
    known = {name: form.ruleset.men_lost_by(name, figures) for own in members if len(own) > 1 for name in own}
    lost_by = {name: men for name, men in known.items() if men is not None}
    year = getattr(inputs, "year", None)
    return RulingSides(form.ruleset.sides(inputs), members, lost, lost_by, year if isinstance(year, int) else None)


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
