"""Mapping of a row's archetype to a unit of the catalogue: the one of its name, else the most similar of its slot.

Foreign files name troops that the catalogue lacks. Similarity counts shared words, arms before nations before general
words; then how far a unit's era is from the year, and whether a tribe or a state fields it. A name that shares no word
with any unit becomes what most armies of its time had. The catalogue gives slot and era in a remark (`Slot, era`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.columns import loosely

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
"""Arms, with the beginnings of words for them."""
ALSO = {"kore": "jose", "nors": "viki", "dani": "viki", "harq": "arqu"}
"""Stems that are replaced by a synonym."""
COMMON = frozenset(
    ("infa", "foot", "cava", "hors", "mari", "ship", "arti", "gun", "fiel", "batt", "mixe", "army", "troo", "regu")
)
"""Stems with little meaning."""
ARM_WEIGHT, NATION_WEIGHT, COMMON_WEIGHT = 1.5, 1.0, 0.25
LATE_WEIGHT, YEARS_WEIGHT, YEARS_MOST = 0.15, 0.45, 300
"""Loss of similarity of a unit out of its time: at once, and by that many years or more; full similarity is 1."""
SIMPLE = frozenset(("Hunter-Gatherer", "Proto-Urban", "Nomadic", "Bronze Age", "Iron Age"))
SIMPLE_WEIGHT, SIMPLE_AFTER = 0.2, 1000
"""Year from which these civilizations more likely field tribes, and the others less likely."""
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
"""Usual units of each slot, with their last year."""


@dataclass(frozen=True, slots=True)
class Archetype:
    """One unit of the catalogue.

    Args:
        name: The name of the unit.
        slot: One of `SLOTS`; other units fit every slot.
        first: The first year; BC is negative.
        last: The last year.
        is_tribal: True if its men serve their clan.
    """

    name: str
    slot: str
    first: int
    last: int
    is_tribal: bool

    def years_from(self, year: int) -> int:
        """Return how many years a year lies outside the unit's time."""
        return max(self.first - year, year - self.last, 0)


def catalogue(units: Mapping[str, Any]) -> tuple[Archetype, ...]:
    """Return the armed units of `units.json` that name their slot."""
    found = []
    for unit in units["units"]:
        slot, era = _parts(unit.get("Slot, era", ""))
        if slot in SLOTS and any(unit.get("Power", ())):
            found.append(Archetype(unit["Name"], slot, *_era(era), unit.get("Military Type") == "Tribal"))
    return tuple(found)


def likest(name: str, slot: str, year: int, known: Iterable[Archetype], civilization: str = "") -> str:
    """Return the unit that stands for a name which the catalogue lacks.

    Args:
        name: The name in the row.
        slot: One of `SLOTS`.
        year: The year of the battle.
        known: The catalogue.
        civilization: The Civilization Type of the army.
    """
    fitting = [unit for unit in known if unit.slot == slot]
    for unit in fitting:
        if loosely(unit.name) == loosely(name):
            return unit.name
    name_weights = _word_weights(name)
    specific = {word for word, weight in name_weights.items() if weight > COMMON_WEIGHT}
    is_tribe = year > SIMPLE_AFTER and civilization in SIMPLE
    if not is_tribe and not any(specific & _word_weights(unit.name).keys() for unit in fitting):
        return next((unit for unit, last in USUAL[slot].items() if year <= last), list(USUAL[slot])[-1])
    tribal_bonus = 0.0 if year <= SIMPLE_AFTER or not civilization else SIMPLE_WEIGHT if is_tribe else -SIMPLE_WEIGHT

    def rank(unit: Archetype) -> tuple[float, int]:
        unit_weights = _word_weights(unit.name)
        shared = sum(weight for word, weight in name_weights.items() if word in unit_weights)
        similarity = 2 * shared / (sum(name_weights.values()) + sum(unit_weights.values())) if name_weights else 0.0
        if years := unit.years_from(year):
            similarity -= LATE_WEIGHT + min(years / YEARS_MOST, 1.0) * YEARS_WEIGHT
        return similarity + (tribal_bonus if unit.is_tribal else 0.0), unit.first - unit.last

    return max(fitting, key=rank).name


def slot_of(unit: Mapping[str, Any]) -> str:
    """Return the slot of a unit of `units.json` from its remark; one of `SLOTS`, or another word."""
    return _parts(unit.get("Slot, era", ""))[0]


def _parts(remark: str) -> tuple[str, str]:
    """Return slot and era of a remark such as `ship (also galleon), 1588–1850`."""
    place, _, era = remark.rpartition(", ")
    return place.split(" ")[0], era


@functools.cache
def _word_weights(name: str) -> Mapping[str, float]:
    """Return the weights of a name's arms and stems; stems make `archers` and `archer` one word."""
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
