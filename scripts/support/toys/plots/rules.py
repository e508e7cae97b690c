"""The rules of plots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from engine.columns import TabDeclaration, text, whole
from engine.declare import entry, read_table, table
from engine.receipt import Block, Line, ReceiptText
from engine.rng import Rng
from engine.ruleset import Event, LogSink, News, Outcome, Ruleset, Update, no_op
from engine.settings import Raw, Setting, overridden
from engine.shapes import Number

STEAL, END, END_ALL = ORDERS = ("Steal", "End turn", "End all turns")
MOST = 1_000_000
DIE = 0
"""The purpose of the draw."""


@table("plots", "Plots")
class PlotTable:
    """The numbers of plots."""

    faces: int = entry(Number(2, 1000, whole=True), "Faces of the die.", "PL-02/")
    loot: int = entry(Number(0, 1000, whole=True), "What thieves take.", "PL-02/")
    income: int = entry(Number(0, 1000, whole=True), "Gold a turn.", "PL-03/")


class PlotTables:
    """The numbers of plots, and those of a workbook with settings of its own."""

    def __init__(self, raw: Raw) -> None:
        self.raw = raw
        self.having(())

    def having(self, settings: Sequence[Setting]) -> PlotTable:
        """Return the numbers in force."""
        return read_table(PlotTable, overridden(self.raw, settings))


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """One row of the Houses tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration("Houses", key="name", one="house", about="Who plays.")

    name: str = text("House", id="PL-01", required=True, note="The name, unique.")
    player: str = text("Player", id="TRN-09", note="Who plays it: an id of Discord, an address, a name.")
    gold: int = whole("Gold", id="PL-02", low=-MOST, high=MOST, default=0, note="Only its player knows.")
    turn: int | None = whole("Turn", id="PL-01", low=1, high=MOST, note="The turn it is in; blank: the game has none.")
    rank: int = whole("Rank", id="PL-04", low=-MOST, high=MOST, default=0, note="Of finished games.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotInputs:
    """An order with its houses."""

    kind: str
    turn: int = 1
    houses: tuple[House, ...] = ()
    target: House | None = None
    die: int | None = None
    settings: tuple[Setting, ...] = ()


@dataclass(frozen=True, slots=True)
class Plots(Ruleset[PlotInputs]):
    """Ruleset of orders."""

    tables: PlotTables

    def resolve(self, inputs: PlotInputs, rng: Rng, log: LogSink = no_op) -> Outcome:
        """Carry out one order (PL-02, PL-03)."""
        numbers, target = self.tables.having(inputs.settings), inputs.target
        is_drawn = target is not None and inputs.die is None
        if target is None:
            gold = {house.name: (house, house.gold + numbers.income) for house in inputs.houses}
            said = f"Turn {inputs.turn} of {', '.join(gold)}"
            news = tuple(
                News(name, Block("Treasury", (Line("Gold", f"{house.gold} → {after}"),)))
                for name, (house, after) in gold.items()
            )
        else:
            thief = inputs.houses[0]
            die = rng.whole(DIE, 1, numbers.faces) if inputs.die is None else inputs.die
            is_unseen = 2 * die <= numbers.faces
            loot = numbers.loot if is_unseen else 0
            gold = {thief.name: (thief, thief.gold + loot), target.name: (target, target.gold - loot)}
            said = f"{thief.name} {'robs' if is_unseen else 'fails to rob'} {target.name}, rolled {die}"
            result = f"Thieves bring {loot} from {target.name}" if is_unseen else f"Thieves in {target.name} are caught"
            news = (News(thief.name, Block("Thieves", (Line("", result),))),)
            if not is_unseen:
                news += (News(target.name, Block("Thieves", (Line("", f"Thieves of {thief.name} were caught"),))),)
        event = Event(None, "", "", "order", None, "PL-01", said)
        log([event.brief_line()])
        ended = inputs.houses if target is None else ()
        everybody = tuple(News("", Block("Houses", (Line(house.name, house.player),))) for house in ended)
        return Outcome(
            winner="",
            summary=said,
            receipt=ReceiptText(f"Turn {inputs.turn}: {inputs.kind}", (Block("", (Line("Result", said),)),)),
            figures={"Result": said},
            events=(event,),
            updates=tuple(
                Update("Houses", house.name, header, before, after)
                for house, new_gold in gold.values()
                for header, before, after in (
                    ("Gold", house.gold, new_gold),
                    ("Turn", house.turn, inputs.turn + 1 if ended else house.turn),
                )
                if before != after
            ),
            news=lambda beliefs: (*everybody, *news),
            typed=() if inputs.die is None else (f"die {inputs.die}",),
            is_drawn=is_drawn,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RankInputs:
    """A finished game with its houses, the best first."""

    game: str
    standing: tuple[House, ...]
    settings: tuple[Setting, ...] = ()


class Ranking(Ruleset[RankInputs]):
    """Ruleset of finished games."""

    def resolve(self, inputs: RankInputs, rng: Rng, log: LogSink = no_op) -> Outcome:
        """Raise the rank of each house (PL-04)."""
        updates = tuple(_raised(inputs.standing))
        lines = tuple(Line(update.row, f"{update.before} → {update.after}") for update in updates)
        said = f"{inputs.standing[0].name} has won {inputs.game}"
        event = Event(None, "", "", "game", None, "PL-04", said)
        log([event.brief_line()])
        return Outcome(
            winner="",
            summary=said,
            receipt=ReceiptText(inputs.game, (Block("Ranks", lines),)),
            figures={"Result": said},
            events=(event,),
            updates=updates,
            is_drawn=False,
        )


def _raised(standing: Sequence[House]) -> Iterator[Update]:
    for behind, house in enumerate(reversed(standing)):
        yield Update("Houses", house.name, "Rank", house.rank, house.rank + behind)
