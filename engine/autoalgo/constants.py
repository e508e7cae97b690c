"""The numbers of the rules that belong to no list: `constants.json`, each under the rule that uses it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.entry import Entry, Slip, shown, suggestion

FILE = "constants.json"


@dataclass(frozen=True, slots=True)
class Constants:
    """Rule id to name to number."""

    rules: Mapping[str, Mapping[str, float]]

    @classmethod
    def read(cls, file: Entry) -> Constants:
        """From the parsed file.

        Raises:
            Slip: Something in it is no number.
        """
        return cls({rule: {name: it.number() for name, it in group.items()} for rule, group in file.items()})

    def of(self, rule: str, name: str) -> float:
        """One number: `constants.of("ATK-07", "routed_below")`.

        Raises:
            Slip: The file lacks it.
        """
        group = self.rules.get(rule)
        if group is None:
            raise Slip(FILE, (), f"{shown(rule)} is missing.")
        if name not in group:
            raise Slip(FILE, (rule,), f"{shown(name)} is missing. {suggestion(name, group)}")
        return group[name]
