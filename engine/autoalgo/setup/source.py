"""The two rule sets, `history` and `source` (R-98): the tables of `history`, and in `source.json` the differences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.config_value import KINDS, TableError, quote, table_error
from engine.declare import entry, table
from engine.ruleset import Event
from engine.settings import Raw, Setting, merged, overridden, setting_events
from engine.shapes import Known, MapOf, Schema, Shape

HISTORY, SOURCE = "history", "source"
RULE_SETS = (HISTORY, SOURCE)
"""The names of the rule sets for wars."""
RULES = "strategy/rules"
"""The full name of the setting that names one of them."""
FILE = "source"
AGES = "ages"


class TableChanges(Shape):
    """Type of a part of the tables that replaces ours, by path."""

    def schema(self) -> Schema:
        """Return the schema of an object of objects, lists, numbers and words."""
        return {"type": "object", "additionalProperties": {"type": ["object", "array", "number", "string"]}}

    def read(self, value: Any, known: Known) -> Mapping[str, Any]:
        """Return the value unchanged; its paths are checked with the tables that it changes."""
        if not isinstance(value, Mapping):
            raise table_error(f"{quote(value)} is not allowed. Use {KINDS['object']}.")
        return value


@table(FILE, "The source's rules and numbers")
class SourceRules:
    """Numbers and words of `source` that differ from the tables, by the rule that explains the difference (R-98)."""

    rules: Mapping[str, Mapping[str, Any]] = entry(
        MapOf(TableChanges(), about="File to names to value, as in the tables."),
        "Rule id to what its tables have instead.",
    )


def under_rules(raw: Raw, settings: Iterable[Setting] = ()) -> Raw:
    """Return the tables under the rule set named by them or by the settings, with the other settings in place.

    Raises:
        TableError: The tables have no such path.
    """
    chosen = [*settings]
    named = overridden(raw, [setting for setting in chosen if setting.name == RULES])
    if _name_of(named) == SOURCE:
        for rule, changes in raw.get(FILE, {}).get("rules", {}).items():
            try:
                named = merged(named, _of_known_units(changes, named))
            except TableError as error:
                raise TableError(f"{FILE}.json", ("rules", rule, *error.path), error.what) from error
    return overridden(named, [setting for setting in chosen if setting.name != RULES])


def rules_events(raw: Raw, settings: Iterable[Setting]) -> Iterator[Event]:
    """Yield an event for each setting: the name of the rule set, and the changes from its tables (SET-06)."""
    chosen = [*settings]
    rules = [setting for setting in chosen if setting.name == RULES]
    yield from setting_events(raw, rules)
    yield from setting_events(under_rules(raw, rules), [setting for setting in chosen if setting not in rules])


def without_source(raw: Raw) -> Raw:
    """Return the tables without the source's and without the ages, which no setting may replace."""
    return {name: content for name, content in raw.items() if name not in (FILE, AGES)}


def _of_known_units(changes: Mapping[str, Any], raw: Raw) -> Mapping[str, Any]:
    """Return changes without units missing from a moderator's own catalogue."""
    if "units" not in changes:
        return changes
    known = {unit.get("Name") for unit in raw["units"]["units"]}
    units = {name: columns for name, columns in changes["units"]["units"].items() if name in known}
    return {**changes, "units": {"units": units}}


def _name_of(raw: Raw) -> object:
    strategy = raw.get("strategy")
    return strategy.get("rules") if isinstance(strategy, Mapping) else None
