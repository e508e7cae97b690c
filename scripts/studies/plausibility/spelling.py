"""Translation of words in rows to those of the engine's lists, for files that spell them differently.

An unknown word becomes the one given in `spelling.json`, else the most similar one, else the replacement of a blank.
Differences in capitals and hyphens are not reported; all others are.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engine.columns import loosely
from engine.suggest import nearest
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
"""Lists of the engine by attribute of a case."""
OF_ARMY = {"civilization": "Civilization Type", "soldier_type": "Soldier Type"}
"""Lists of the engine by attribute of an army."""
WORDS = re.compile(r"[^\W\d_]+")


@dataclass
class Spelling:
    """Translator of cases, which records the words it replaced.

    Args:
        lists: The allowed values of the engine's lists, by name.
        taken: The replacements: list, word found, word taken; without blanks, capitals and hyphens.
    """

    lists: Mapping[str, Sequence[str]]
    taken: set[tuple[str, str, str]] = field(default_factory=set)

    def case(self, case: Case) -> Case:
        """Return the case in the engine's words."""
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
        """Return the word of a list that stands for a word found."""
        exact = {_folded(word): word for word in self.lists[name]}
        folded = _folded(found)
        if folded in exact:
            return exact[folded]
        rules = _rules()[name]
        if not WORDS.search(folded):
            return _default(rules, year)
        known = exact | {_folded(other): word for other, word in rules["also"].items()}
        single = WORDS.findall(folded)
        parts = [known[part] for part in (folded, *single, *(one.removesuffix("s") for one in single)) if part in known]
        word = parts[0] if parts else nearest(folded, known.values()) or _default(rules, year)
        self.taken.add((name, found, word))
        return word

    @property
    def notes(self) -> list[str]:
        """Return a sentence for each word that was replaced."""
        return [
            f'{name} "{found}" is not in the list of the engine; taken for {word or "that of the unit"}.'
            for name, found, word in sorted(self.taken)
        ]


def _folded(text: str) -> str:
    """Return words without capitals and hyphens."""
    return loosely(text.replace("-", " "))


@functools.cache
def _rules() -> Mapping[str, Any]:
    rules: Mapping[str, Any] = json.loads(SPELLING.read_text(encoding="utf-8"))
    return rules


def _default(rules: Mapping[str, Any], year: int) -> str:
    if until := rules.get("otherwise_until"):
        return str(next((word for last, word in until.items() if year <= int(last)), list(until.values())[-1]))
    return str(rules["otherwise"])
