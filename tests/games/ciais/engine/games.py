"""Games for the tests of this ruleset: the packaged tables, plain builders, and hypothesis strategies."""

from typing import Any

from hypothesis import strategies as st

from engine.ciais.inputs import CiaisInputs, CiaisOrder
from engine.ciais.records import CiaisSite, CiaisUnit, CiaisUnitType, Player
from engine.ciais.resolve import Ciais
from engine.ciais.tables import CiaisConstants, CiaisTables
from engine.declare import settable_words
from engine.rng import Rng
from engine.ruleset import Outcome
from engine.settings import Setting
from scripts.support.pinned_tables import SHIPPED, raw_tables

TABLES = CiaisTables.of(raw_tables("ciais", SHIPPED))
CONSTANTS = TABLES.constants
CIAIS = Ciais(TABLES)


def reading(name: str, value: str | float) -> tuple[Setting, ...]:
    """A setting by its last name: `death_stat`."""
    places = {place.rpartition("/")[2]: place for place in settable_words(CiaisConstants)}
    return (Setting(name=places[name], value=value),)


def player(name: str = "Anna", **more: Any) -> Player:
    return Player(name=name, **more)


def unit_type(name: str = "Army", **more: Any) -> CiaisUnitType:
    plain: dict[str, Any] = {"type": "land", "multi_l": 5, "multi_s": 1, "multi_a": 0}
    return CiaisUnitType(name=name, **plain | more)


def unit(name: str = "1st Army", owner: str = "Anna", **more: Any) -> CiaisUnit:
    plain: dict[str, Any] = {"type": "Army", "latitude": 0, "longitude": 0}
    return CiaisUnit(name=name, owner=owner, **plain | more)


def site(name: str = "Home", owner: str = "Anna", **more: Any) -> CiaisSite:
    plain: dict[str, Any] = {"kind": "base", "latitude": 0, "longitude": 0}
    return CiaisSite(name=name, owner=owner, **plain | more)


def game(order: CiaisOrder, **more: Any) -> CiaisInputs:
    """Anna and Bola, each with an army at the own base, at the same place."""
    plain: dict[str, Any] = {
        "players": (player(), player("Bola")),
        "types": (unit_type(),),
        "units": (unit(), unit("Guard", "Bola")),
        "sites": (site(), site("Camp", "Bola")),
        "has_land_rows": True,
    }
    return CiaisInputs(order=order, **plain | more)


def battle(roll: int | None = 50, **more: Any) -> CiaisInputs:
    """Anna's army against Bola's guard: 50 % each."""
    return game(CiaisOrder(kind="Battle", player="Anna", attacker="1st Army", defender="Guard", roll=roll), **more)


def end_round(player: str = "Anna", **more: Any) -> CiaisInputs:
    order = {name: more.pop(name) for name in ("tax", "funding", "round") if name in more}
    return game(CiaisOrder(kind="End round", player=player, **order), **more)


def ruled(inputs: CiaisInputs, seed: int = 1) -> Outcome:
    return CIAIS.resolve(inputs, Rng(seed))


def changed(inputs: CiaisInputs, seed: int = 1) -> dict[tuple[str, str], Any]:
    """Row and column to what a ruling wrote."""
    return {(update.row, update.field): update.after for update in ruled(inputs, seed).updates}


def lines(outcome: Outcome, heading: str) -> list[str]:
    """What a receipt says under a heading."""
    blocks = {block.heading: block for block in outcome.receipt.blocks}
    return (
        [f"{line.label}: {line.text}" if line.label else line.text for line in blocks[heading].lines]
        if heading in blocks
        else []
    )


SEEDS = st.integers(0, 2**64 - 1)
TENTHS = st.integers(0, 100).map(lambda tenths: tenths / 10)
LATITUDES = st.integers(-900, 900).map(lambda tenths: tenths / 10)
LONGITUDES = st.integers(-1800, 1800).map(lambda tenths: tenths / 10)
MULTIPLIERS = st.fixed_dictionaries(dict.fromkeys(("multi_l", "multi_s", "multi_a"), TENTHS))
PLACES = st.fixed_dictionaries({"latitude": LATITUDES, "longitude": LONGITUDES})
NAMES = ("Anna", "Bola", "Chen", "Dora")


@st.composite
def games(draw: st.DrawFn, order: CiaisOrder) -> CiaisInputs:
    """Four players with two units each, any alliances, who may be anywhere near rebellion."""
    players = [
        player(
            name,
            bank=draw(st.integers(0, 5000)),
            tax=draw(st.integers(0, 400).map(lambda quarters: quarters / 4)),
            unrest=draw(st.integers(0, 100).map(lambda eighths: eighths / 8)) if draw(st.booleans()) else 0,
            alliance=draw(st.sampled_from(["", "", "East", "West"])),
            status="Playing" if name in (order.player, "Anna", "Bola") else draw(st.sampled_from(["Playing", "Lost"])),
        )
        for name in NAMES
    ]
    types = [
        unit_type(name, type=draw(st.sampled_from(["land", "sea", "air"])), **draw(MULTIPLIERS))
        for name in ("Horse", "Foot")
    ]
    units = [
        unit(f"{name} {number}", name, type=draw(st.sampled_from(["Horse", "Foot"])), **draw(PLACES))
        for name in NAMES
        for number in (1, 2)
    ]
    sites = [
        site(f"{name} {kind}", name, kind=kind, **draw(PLACES))
        for name in NAMES
        for kind in ("base", "outpost", "city")
        if kind == "base" or draw(st.booleans())
    ]
    return CiaisInputs(
        order=order,
        players=tuple(players),
        types=tuple(types),
        units=tuple(units),
        sites=tuple(sites),
        has_land_rows=True,
    )


ORDERS = st.sampled_from(
    [
        CiaisOrder(kind="Battle", player="Anna", attacker="Anna 1", defender="Bola 1"),
        CiaisOrder(kind="End round", player="Anna"),
        CiaisOrder(kind="End round"),
        CiaisOrder(kind="Set tax", player="Anna", tax=30),
        CiaisOrder(kind="Adjust bank", player="Anna", amount=-2500),
        CiaisOrder(kind="Check victory", time_is_up=True),
        CiaisOrder(kind="Check victory", nominee="Anna"),
        CiaisOrder(kind="Check victory"),
    ]
)
GAMES = ORDERS.flatmap(games)
"""Any order in any game."""
