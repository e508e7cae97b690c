"""Which unit of the catalogue an archetype of a row is: the one of its name, else the likest of its slot.

Files of others name troops that our catalogue lacks. Likeness is shared words, arms before nations before what all foot
share; then how far a unit's era is from the year, and whether a tribe or a state fields it. A name that shares no word
with any unit is what most armies of its time had. The catalogue tells slot and era in a remark (`Slot, era`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.fields import loosely

SLOTS = ("inf", "cav", "art", "ship")
WORDS = re.compile(r"[a-z]{3,}")
EMPTY_WORDS = frozenset(("and", "the", "with"))
STEM = 4
YEAR = re.compile(r"(\d+)( BC)?")

ARMS: Mapping[str, Collection[str]] = {
    "bow": ("archer", "bow", "longbow", "shortbow"),
    "crossbow": ("crossbow", "arbalest"),
    "spear": ("spear", "hoplit", "lancea"),
    "sword": ("sword", "legion", "comitat", "hastat", "triari"),
    "pike": ("pike", "phalan", "sarissa", "schiltron", "landsknecht"),
    "tribal": ("tribal", "warrior", "clan", "warband", "impi", "zulu"),
    "matchlock": ("matchlock", "arquebus", "harquebus", "handgun", "tufang", "streltsy"),
    "flintlock": ("flintlock", "musket", "fusil"),
    "breech": ("breech", "martini", "snider", "chassepot", "needle", "dreyse", "remington"),
    "magazine": ("magazine", "mauser", "lebel", "krag", "arisaka", "mosin", "metford"),
    "minie": ("minie", "enfield", "springfield", "lorenz"),
    "knight": ("knight", "gendarm", "arms"),
    "heavy": ("heavy", "cataphr", "clibanar", "armoured", "armored", "savaran"),
    "lance": ("lance",),
    "elephant": ("elephant",),
    "stones": ("trebuchet", "mangonel", "catapult", "onager", "siege"),
    "bolts": ("ballist", "scorpio", "springald"),
    "bombard": ("bombard", "basilisk"),
    "machine": ("machine", "maxim", "gatling", "nordenfelt", "mitraill"),
    "galley": ("galley", "galiot", "galleot", "fusta", "galea"),
    "rowed": ("trireme", "bireme", "quinquer", "quadrir", "polyrem", "penteconter", "liburn", "dromon", "pamphyl"),
    "line": ("line", "battleship"),
    "steam": ("steam", "ironclad", "cruiser", "monitor"),
}
"""What troops fight with: how words for it begin."""
ALSO = {"kore": "jose", "nors": "viki", "dani": "viki", "harq": "arqu"}
"""Stems of two names for one people or arm."""
COMMON = frozenset(
    ("infa", "foot", "cava", "hors", "mari", "ship", "arti", "gun", "fiel", "batt", "mixe", "army", "troo", "regu")
)
"""Stems that say little."""
ARM_WEIGHT, NATION_WEIGHT, COMMON_WEIGHT = 1.5, 1.0, 0.25
LATE_WEIGHT, YEARS_WEIGHT, YEARS_MOST = 0.15, 0.45, 300
"""How much less alike a unit out of its time is: at once, and by that many years or more; full likeness is 1."""
SIMPLE = frozenset(("Hunter-Gatherer", "Proto-Urban", "Nomadic", "Bronze Age", "Iron Age"))
SIMPLE_WEIGHT, SIMPLE_AFTER = 0.2, 1000
"""From this year on, peoples of these civilizations are likelier tribes and their neighbours likelier not."""
USUAL: Mapping[str, Mapping[str, int]] = {
    "inf": {
        "Hoplite": -315, "Legionary (manipular)": -107, "Legionary": 284, "Late Roman foot (comitatenses)": 500,
        "Frankish foot": 950, "Norman foot and archers": 1150, "English foot and archers": 1330,
        "Dismounted man-at-arms and foot": 1500, "Mercenary foot": 1560, "Pike and shot": 1690,
        "Line infantry (flintlock)": 1850, "Rifle-musket infantry": 1868, "Breech-loader infantry": 1888,
        "Magazine-rifle infantry": 2020,
    },
    "cav": {
        "Persian horse": -315, "Roman and allied horse": -107, "Auxiliary horse": 400, "Frankish heavy horse": 1000,
        "English knight": 1445, "Gendarme": 1560, "Cuirassier and harquebusier": 1690, "Sabre cavalry": 1865,
        "Carbine cavalry": 2020,
    },
    "art": {
        "Ballista": 500, "Trebuchet": 1400, "Light gun": 1500, "Early field gun": 1690, "Smoothbore field gun": 1858,
        "Rifled field gun (muzzle-loader)": 1868, "Rifled field gun (breech-loader)": 1897,
        "Quick-firing field gun": 2020,
    },
    "ship": {
        "Trireme": 500, "Dromon": 1150, "Galley": 1550, "Galleon": 1650, "Ship of the Line": 1850,
        "Steam Ironclad": 2020,
    },
}  # fmt: skip
"""What most armies had, up to which year."""


@dataclass(frozen=True, slots=True)
class Archetype:
    """One unit of the catalogue.

    Args:
        name: Of the unit.
        slot: One of `SLOTS`; others fit every slot.
        first: Year; BC is negative.
        last: Year.
        is_tribal: Whether its men serve their clan.
    """

    name: str
    slot: str
    first: int
    last: int
    is_tribal: bool

    def years_from(self, year: int) -> int:
        """How far a year lies outside its time."""
        return max(self.first - year, year - self.last, 0)


def catalogue(units: Mapping[str, Any]) -> tuple[Archetype, ...]:
    """The armed units of `units.json` that name their slot."""
    found = []
    for unit in units["units"]:
        slot, era = _parts(unit.get("Slot, era", ""))
        if slot in SLOTS and any(unit.get("Power", ())):
            found.append(Archetype(unit["Name"], slot, *_era(era), unit.get("Military Type") == "Tribal"))
    return tuple(found)


def likest(name: str, slot: str, year: int, known: Iterable[Archetype], civilization: str = "") -> str:
    """The unit that a name which the catalogue lacks stands for.

    Args:
        name: As the row has it.
        slot: One of `SLOTS`.
        year: Of the battle.
        known: The catalogue.
        civilization: Civilization Type of who fields it.
    """
    fitting = [it for it in known if it.slot == slot]
    for it in fitting:
        if loosely(it.name) == loosely(name):
            return it.name
    wanted = _weighed(name)
    speaks = {word for word, weight in wanted.items() if weight > COMMON_WEIGHT}
    is_tribe = year > SIMPLE_AFTER and civilization in SIMPLE
    if not is_tribe and not any(speaks & _weighed(it.name).keys() for it in fitting):
        return next((unit for unit, last in USUAL[slot].items() if year <= last), list(USUAL[slot])[-1])
    tribes = 0.0 if year <= SIMPLE_AFTER or not civilization else SIMPLE_WEIGHT if is_tribe else -SIMPLE_WEIGHT

    def likeness(it: Archetype) -> tuple[float, int]:
        has = _weighed(it.name)
        shared = sum(weight for word, weight in wanted.items() if word in has)
        alike = 2 * shared / (sum(wanted.values()) + sum(has.values())) if wanted else 0.0
        if late := it.years_from(year):
            alike -= LATE_WEIGHT + min(late / YEARS_MOST, 1.0) * YEARS_WEIGHT
        return alike + (tribes if it.is_tribal else 0.0), it.first - it.last

    return max(fitting, key=likeness).name


def slot_of(unit: Mapping[str, Any]) -> str:
    """Where a unit of `units.json` belongs, as its remark says; one of `SLOTS`, or another word."""
    return _parts(unit.get("Slot, era", ""))[0]


def _parts(remark: str) -> tuple[str, str]:
    """Slot and era of `ship (also galleon), 1588–1850`."""
    place, _, era = remark.rpartition(", ")
    return place.split(" ")[0], era


@functools.cache
def _weighed(name: str) -> Mapping[str, float]:
    """Arms and first letters of its words, so that `archers` and `archer` are one word, with what each is worth."""
    found: dict[str, float] = {}
    for word in WORDS.findall(name.lower()):
        if word in EMPTY_WORDS:
            continue
        stem = ALSO.get(word[:STEM], word[:STEM])
        found[stem] = COMMON_WEIGHT if stem in COMMON else NATION_WEIGHT
        for arm, beginnings in ARMS.items():
            if any(word.startswith(beginning) for beginning in beginnings):
                found[f"{arm} arm"] = ARM_WEIGHT
    return found


def _era(text: str) -> tuple[int, int]:
    years: Sequence[int] = [-int(year) if bc else int(year) for year, bc in YEAR.findall(text)]
    return (min(years), max(years)) if years else (-3500, 2020)
