"""The installed plug-ins that cannot be used."""

from __future__ import annotations

from sheets_algo.forms.rulesets import ruleset_faults
from sheets_algo.plugins import CHANNELS, Plugin, load, load_name, open_each
from sheets_algo.workbook.stores import store_faults


def plugin_faults() -> tuple[str, ...]:
    """Return a sentence for each unusable plug-in: rulesets, then stores and channels."""
    _, channel_faults = open_each(CHANNELS, _load_channel)
    return tuple(map(str, (*ruleset_faults(), *store_faults(), *channel_faults)))


def _load_channel(plugin: Plugin) -> None:
    load_name(load(plugin).opens, str(plugin))
