"""Words of rows made those of the engine's lists, so that a file which spells them otherwise can be fought.

A word that no list holds becomes the one that `spelling.json` says, else the one that looks most alike, else what
stands for a blank. Capitals and hyphens change nothing and are not told; everything else is.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engine.fields import loosely
from engine.words import nearest
from plausibility.cases import Army, Case

SPELLING = Path(__file__).with_name("spelling.json")
OF_CASE = {
    "terrain": "Terrain",
    "climate": "Climate",
    "attrition": "Attrition",
    "urbanization": "Urbanization",
    "fortifications": "Fortifications",
    "mobile_defences": "Mobile Defenses",
}
"""Attribute of a case to the engine's list."""
OF_ARMY = {"civilization": "Civilization Type", "soldier_type": "Soldier Type"}
"""Attribute of an army to the engine's list."""
WORDS = re.compile(r"[^\W\d_]+")


@dataclass
class Spelling:
    """Spells cases and remembers what it took for what.

    Args:
        lists: The engine's, by name: every value that is allowed.
        taken: List, word found, word taken; blanks, capitals and hyphens leave nothing here.
    """

    lists: Mapping[str, Sequence[str]]
    taken: set[tuple[str, str, str]] = field(default_factory=set)

    def case(self, case: Case) -> Case:
        """The same case in the engine's words."""
        attacker, defender = (self._army(army, case.year) for army in case.armies)
        words: dict[str, Any] = {
            attribute: self.word(name, getattr(case, attribute), case.year) for attribute, name in OF_CASE.items()
        }
        return replace(case, attacker=attacker, defender=defender, **words)

    def _army(self, army: Army, year: int) -> Army:
        words: dict[str, Any] = {
            attribute: self.word(name, getattr(army, attribute), year) for attribute, name in OF_ARMY.items()
        }
        return replace(army, **words)

    def word(self, name: str, found: str, year: int) -> str:
        """The word of a list that a word found stands for."""
        exact = {_plain(word): word for word in self.lists[name]}
        folded = _plain(found)
        if folded in exact:
            return exact[folded]
        rules = _rules()[name]
        if not WORDS.search(folded):
            return _otherwise(rules, year)
        known = exact | {_plain(other): word for other, word in rules["also"].items()}
        single = WORDS.findall(folded)
        parts = [known[part] for part in (folded, *single, *(it.removesuffix("s") for it in single)) if part in known]
        word = parts[0] if parts else nearest(folded, known.values()) or _otherwise(rules, year)
        self.taken.add((name, found, word))
        return word

    @property
    def notes(self) -> list[str]:
        """A sentence for each word that was taken for another."""
        return [
            f'{name} "{found}" is not in the list of the engine; taken for {word or "that of the unit"}.'
            for name, found, word in sorted(self.taken)
        ]


def _plain(words: str) -> str:
    """Neither capitals nor hyphens."""
    return loosely(words.replace("-", " "))


@functools.cache
def _rules() -> Mapping[str, Any]:
    rules: Mapping[str, Any] = json.loads(SPELLING.read_text(encoding="utf-8"))
    return rules


def _otherwise(rules: Mapping[str, Any], year: int) -> str:
    if until := rules.get("otherwise_until"):
        return str(next((word for last, word in until.items() if year <= int(last)), list(until.values())[-1]))
    return str(rules["otherwise"])
