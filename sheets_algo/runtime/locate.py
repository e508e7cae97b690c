"""References to workbooks: an open workbook with its settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.receipt import SeasonOptions
from engine.ruleset import no_op
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.config.settings import Settings
from sheets_algo.forms.rulesets import check_rulesets
from sheets_algo.ruling.luck.beacon import QUICKNET
from sheets_algo.ruling.luck.draw import SeasonLuck
from sheets_algo.runtime.after_commit.turn_reports import with_reports
from sheets_algo.runtime.session.beacon_hosts import HOSTS, BeaconHosts, read_chain
from sheets_algo.runtime.session.lineage import original_of
from sheets_algo.runtime.session.session import Session
from sheets_algo.runtime.subscribers import subscribers
from sheets_algo.workbook.errors import BadAddress
from sheets_algo.workbook.own_columns import translated
from sheets_algo.workbook.store import OpenOptions, RetryNotice, Workbook, WorkbookAddress
from sheets_algo.workbook.stores import find


@dataclass(frozen=True, slots=True)
class WorkbookRef:
    """A workbook with everything that commands need for it."""

    key: str  # The unique key of the workbook: its path or spreadsheet id
    session: Session  # The session that a pass needs

    def own_maps(self) -> object:
        """Return a value that changes when a map in the moderator's own folder changes; None without such a folder."""
        try:
            folder = self.session.own_maps
            files = [(file.name, file.stat()) for file in folder.iterdir()] if folder else []
        except OSError:
            return None
        return sorted((name, stat.st_mtime_ns, stat.st_size) for name, stat in files)


def open_options(chosen: Settings, *, on_retry: RetryNotice = no_op, **how: Any) -> OpenOptions:
    """Return the options with which stores open workbooks.

    Args:
        on_retry: The callback for repeated requests.
        how: Other fields of `OpenOptions` that no setting decides; the defaults suit what is opened once.
    """
    return OpenOptions(
        folder=chosen.data_folder,
        credentials=chosen.credentials,
        requests=chosen.requests,
        on_retry=on_retry,
        **how,
    )


def open_workbooks(addresses: Sequence[WorkbookAddress], chosen: Settings, **how: Any) -> list[WorkbookRef]:
    """Return references to workbooks with the same settings; nothing is read yet.

    Args:
        addresses: The workbooks; those of one store are opened together.
        how: Arguments of `open_options`.

    Raises:
        WorkbookError: A store can open nothing: it lacks credentials, for example.
        ConfigError: The tables are invalid.
        BadSetting: A channel names a ruleset that does not exist.
        Interrupted: `stop` was set meanwhile.
    """
    options = open_options(chosen, **how)
    workbooks: dict[WorkbookAddress, Workbook] = {}
    for store in dict.fromkeys(address.store for address in addresses):
        of_store = [address for address in addresses if address.store is store]
        workbooks |= zip(of_store, store.open([address.key for address in of_store], options), strict=True)
    library = ConfigLoader(chosen.config)
    return [
        WorkbookRef(address.key, with_reports(_session(workbooks[address], chosen, address, library)))
        for address in addresses
    ]


def _session(workbook: Workbook, chosen: Settings, address: WorkbookAddress, library: ConfigLoader) -> Session:
    return Session(
        workbook=translated(workbook),
        folder=workbook.folder,
        library=library,
        own_maps=chosen.maps,
        world_map=chosen.world_map,
        log_lines_most=chosen.log_lines,
        is_luck_told=chosen.how_lucky,
        draws_pictures=chosen.pictures,
        keeps_boards=chosen.boards and workbook.has_scripts,
        title=chosen.title,
        season_options=SeasonOptions(
            losses=chosen.losses,
            dead_leaders=chosen.dead_leaders,
            rules_name=chosen.rules,
        ),
        season_luck=SeasonLuck(
            luck=chosen.luck,
            chain=read_chain(chosen.beacon_chain) if chosen.beacon_chain else QUICKNET,
        ),
        fetch_rounds=BeaconHosts(chosen.beacons or HOSTS),
        find_original=original_of,
        most=workbook.most_at_once,
        channels=tuple(
            channel
            for channel in map(_checked_channel, chosen.post)
            if not channel.workbooks or any(is_same(typed, address) for typed in channel.workbooks)
        ),
        writes_replays=chosen.replays,
        on_committed=subscribers(),
    )


def _checked_channel(channel: ChannelSettings) -> ChannelSettings:
    """Return a channel with the rulesets that it names.

    Raises:
        BadSetting: There is no such ruleset.
    """
    named = check_rulesets(f"post: {channel.name}: rulesets", channel.rulesets)
    return replace(channel, rulesets=tuple(sorted(named)))


def is_same(typed: str, address: WorkbookAddress) -> bool:
    """Return True if a text names this workbook; False also for an invalid name."""
    try:
        named = find(typed)
    except BadAddress:
        return False
    keys = [named.key, address.key]
    if not address.store.is_online:
        keys = [str(Path(key).resolve()) for key in keys]
    return named.store is address.store and keys[0] == keys[1]
