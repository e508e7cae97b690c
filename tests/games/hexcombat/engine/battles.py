"""Units and combats for the tests of this ruleset: the packaged tables and the stats of the worked examples."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from engine.hexcombat.combat.account import Account
from engine.hexcombat.combat.combat import Combat
from engine.hexcombat.combat.fate import ExpectedFate, RolledFate
from engine.hexcombat.combat.procedures import fight
from engine.hexcombat.resolve import HexCombat
from engine.hexcombat.setup.dice import DiceInOrder
from engine.hexcombat.setup.inputs import CombatInputs, HexGround, Piece, Supporter
from engine.hexcombat.setup.records import HexUnit, HexUnitType
from engine.hexcombat.setup.tables import HexTables
from engine.rng import Rng
from engine.settings import Setting
from scripts.support.pinned_tables import SHIPPED, raw_tables

TABLES = HexTables.of(raw_tables("hexcombat", SHIPPED))
HEXCOMBAT = HexCombat(TABLES)


def kind(name: str, unit_class: str, target: str, **more: Any) -> HexUnitType:
    plain: dict[str, Any] = {"max_ammo": 10, "movement": 3}
    return HexUnitType(name=name, unit_class=unit_class, target=target, **plain | more)


def stats(soft: int = 0, hard: int = 0, air: int = 0, naval: int = 0) -> dict[str, int]:
    return {"soft_attack": soft, "hard_attack": hard, "air_attack": air, "naval_attack": naval}


INF = kind("Inf", "Infantry", "Soft", **stats(6, 3), ground_defence=6, close_defence=4, air_defence=5, initiative=2)
TANK = kind(
    "Tank", "Tank", "Hard", **stats(8, 9), ground_defence=9, close_defence=2, air_defence=5, initiative=6, rdm=2
)
ART = kind(
    "Art", "Artillery", "Soft", **stats(10, 6), ground_defence=3, close_defence=1, air_defence=4, initiative=3, range=3
)
TB = kind(
    "TB", "Tactical Bomber", "Air", **stats(9, 10, 2, 8), ground_defence=8, air_defence=6, initiative=4, max_fuel=60
)
AD = kind(
    "ADg", "Air Defence", "Soft", **stats(2, 2, 12), ground_defence=4, close_defence=2, air_defence=10, initiative=5,
    range=3,
)  # fmt: skip
AT = kind("AT", "Anti-Tank", "Hard", **stats(4, 12), ground_defence=7, initiative=6, rdm=2)
LB = kind("LB", "Level Bomber", "Air", **stats(5, 4, 1, 4), ground_defence=8, air_defence=7, initiative=3, bomb_code=12)
FIGHTER = kind("Fighter", "Fighter", "Air", **stats(3, 3, 12, 1), ground_defence=9, air_defence=10, initiative=7)
FLAK = kind("FlaK", "FlaK", "Soft", **stats(2, 2, 9), ground_defence=4, air_defence=9, initiative=4)
FORT = kind("Fort", "Fortification", "Hard", **stats(8, 7), ground_defence=12, close_defence=6, initiative=3, range=2)
SUB = kind(
    "Sub", "Submarine", "Naval", **stats(naval=12), ground_defence=4, air_defence=4, close_defence=5, initiative=6
)
DD = kind(
    "DD", "Destroyer", "Naval", **stats(3, 3, 4, 8), ground_defence=8, air_defence=7, close_defence=8, initiative=5,
    range=2,
)  # fmt: skip
BB = kind("BB", "Battleship", "Naval", **stats(14, 12, 4, 16), ground_defence=18, air_defence=10, initiative=6, range=5)
TRUCK = kind("Truck", "Ground Transport", "Soft", ground_defence=2, movement=8, initiative=1)
TYPES = (INF, TANK, ART, TB, AD, AT, LB, FIGHTER, FLAK, FORT, SUB, DD, BB)


def ground(terrain: str = "Clear", **more: Any) -> HexGround:
    return HexGround(terrain=TABLES.facts.terrains[terrain], **more)


def piece(
    type: HexUnitType, name: str = "", side: str = "Red", *, on: HexGround | None = None, bars: int = 0, **more: Any
) -> Piece:
    """A unit of 10 SP on clear ground."""
    transport = more.pop("transport_type", None)
    extra = {"transport": transport.name, "mounted": True} if transport else {}
    plain: dict[str, Any] = {"experience": 100 * bars}
    unit = HexUnit(name=name or type.name, side=side, type=type.name, **plain | extra | more)
    return Piece(unit=unit, type=type, ground=on or ground(), transport=transport)


def attacker(type: HexUnitType, **more: Any) -> Piece:
    return piece(type, f"{type.name} A", "Red", **more)


def defender(type: HexUnitType, **more: Any) -> Piece:
    return piece(type, f"{type.name} D", "Blue", **more)


def combat(own: Piece, enemy: Piece | None, **more: Any) -> CombatInputs:
    target = enemy.ground if enemy else more.pop("target", ground())
    return CombatInputs(name="Combat", attacker=own, defender=enemy, target=target, **more)


def supporter(type: HexUnitType, name: str = "Helper", distance: int = 1, side: str = "Blue", **more: Any) -> Supporter:
    return Supporter(piece=piece(type, name, side, **more), distance=distance)


def setting(name: str, value: int | str) -> Setting:
    return Setting(name=name, value=value)


def expected(inputs: CombatInputs) -> Combat:
    """The combat as the formula expects it."""
    account = Account()
    return fight(inputs, TABLES.having(inputs.settings), ExpectedFate(account), account)


def rolled(inputs: CombatInputs, *dice: int, seed: int = 1) -> Combat:
    """The combat with these dice first."""
    account = Account()
    fate = RolledFate(DiceInOrder(dice or inputs.dice, Rng(seed)), account)
    return fight(inputs, TABLES.having(inputs.settings), fate, account)


def strictly(inputs: CombatInputs, *dice: int) -> Combat:
    """The combat with these dice alone: any more would be an error, and any left over too."""
    account = Account()
    order = DiceInOrder(dice, None)
    found = fight(inputs, TABLES.having(inputs.settings), RolledFate(order, account), account)
    assert order.used == len(dice), f"{len(dice) - order.used} dice were not rolled"
    return found


def numbers(found: Combat, start: str = "Exchange") -> list[int]:
    """A.EffAtk, A.EffDef, P.EffAtk, P.EffDef of the exchange, or of another fire, before initiative."""
    return [variable.value for variable in found.account.explained if variable.note.startswith(start)][:4]


def after_initiative(found: Combat) -> str:
    """As the receipt shows attack and defence of both."""
    return next(line.text for _, lines in found.account.blocks for line in lines if line.label == "Attack / defence")


SEEDS = st.integers(0, 2**64 - 1)
BARS = st.integers(0, 5)
TERRAINS = st.sampled_from(sorted(TABLES.facts.terrains))
LEADERS = st.lists(st.sampled_from(TABLES.lists["Leader"].values), max_size=2, unique=True).map(tuple)
ATTRIBUTES = st.lists(st.sampled_from(TABLES.lists["Attribute"].values), max_size=2, unique=True).map(tuple)
ATTACHMENTS = st.lists(st.sampled_from(TABLES.lists["Attachment"].values), max_size=2, unique=True).map(tuple)
GROUNDS = st.builds(
    HexGround,
    terrain=TERRAINS.map(TABLES.facts.terrains.__getitem__),
    bridge=st.booleans(),
    mined=st.booleans(),
    blown_city=st.booleans(),
)


@st.composite
def pieces(draw: st.DrawFn, name: str, side: str, types: st.SearchStrategy[HexUnitType]) -> Piece:
    strength = draw(st.integers(1, 15))
    return piece(
        draw(types),
        name,
        side,
        on=draw(GROUNDS),
        bars=draw(BARS),
        strength=strength,
        suppressed=draw(st.integers(0, strength)),
        entrenchment=draw(st.integers(0, 8)),
        hits=draw(st.integers(0, 3)),
        ammo=draw(st.none() | st.integers(0, 10)),
        leaders=draw(LEADERS),
        attributes=draw(ATTRIBUTES),
        attachments=draw(ATTACHMENTS),
        sabotaged=draw(st.booleans()) and side == "Blue",
    )


@st.composite
def combats(draw: st.DrawFn, kinds: Sequence[str] = ("Attack", "Surprise contact", "Barrage")) -> CombatInputs:
    """Any combat that the form lets through, and some that it does not."""
    own = draw(pieces("Own", "Red", st.sampled_from(TYPES)))
    enemy = draw(pieces("Enemy", "Blue", st.sampled_from(TYPES)))
    battery = draw(pieces("Battery", "Blue", st.sampled_from((ART, DD))))
    gun = draw(pieces("Gun", "Blue", st.sampled_from((AD, FLAK, ART, FIGHTER))))
    friend = draw(pieces("Friend", "Red", st.sampled_from((INF, TANK, TB))))
    return combat(
        own,
        enemy,
        kind=draw(st.sampled_from(kinds)),
        range=draw(st.integers(1, 3)),
        weather=draw(st.sampled_from(["Fair", "Rain"])),
        attacker_moved=draw(st.booleans()),
        interceptors=(Supporter(piece=gun),),
        air_defence=(Supporter(piece=gun, distance=draw(st.integers(1, 3))),),
        fire_support=(Supporter(piece=battery, distance=draw(st.integers(1, 3))),),
        counter_battery=(Supporter(piece=battery, distance=2),),
        beside_attacker=(friend,),
        beside_defender=(friend, gun),
        retreat_free=draw(st.booleans()),
        facility=draw(st.sampled_from(["None", "City", "Bridge"])),
        settings=draw(st.sampled_from([(), (setting("constants/HX-CRI/critical_hit", 1),)])),
    )
