"""Receipts of the season itself: its beginning, other rules and other columns that a moderator accepts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import msgspec

from engine.receipt import USUAL, SeasonOptions
from sheets_algo.database.problems import shorten_list
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import OptionalColumns
from sheets_algo.ruling.luck.beacon import beacon_name
from sheets_algo.ruling.luck.draw import SECRET_LUCK, SeasonLuck, Secret
from sheets_algo.ruling.receipts.receipt_rows import PROTOCOL, PROTOCOL_RELEASE, Lineage, SeasonVersions
from sheets_algo.ruling.receipts.receipts import DIGEST_DIGITS, Receipts, StoredReceipt

DIFFERS_MOST = 60
"""Maximum number of differences from the release that a Season row names for a ruleset, so that it fits one row."""


def season_receipt(
    seq: int,
    secret: Secret,
    now: str,
    options: SeasonOptions = USUAL,
    columns: OptionalColumns | None = None,
    luck: SeasonLuck = SECRET_LUCK,
    versions: SeasonVersions = SeasonVersions(),  # noqa: B008 - frozen
    lineage: str = "",
) -> StoredReceipt:
    """Return the first receipt of a season: the digest of its secret, options, luck, columns and versions (RCP-13).

    Args:
        lineage: The lineage of its workbook (RCP-38); blank for none.
    """
    wiki = f"The SHA-256 of this season's secret is {secret.digest}."
    wiki += f" Each request is decided by a round of {beacon_name(luck.chain)}." if luck.is_beacon else ""
    for ruleset, lines in versions.differs.items():
        wiki += f" The tables of {ruleset} differ from the release: {'; '.join(lines)}."
    chosen = {name: value for name, value in asdict(options).items() if value}
    chosen |= msgspec.to_builtins(luck) | msgspec.to_builtins(versions)
    chosen |= {"columns": columns} if columns else {}
    chosen |= {"lineage": lineage} if lineage else {}
    inputs = msgspec.json.encode(chosen).decode() if chosen else ""
    begun = StoredReceipt(seq=seq, kind="Season", wiki=wiki, inputs_fingerprint=secret.digest, inputs=inputs, time=now)
    return begun.chained(secret.digest[:DIGEST_DIGITS])


def versions_of(forms: Sequence[Form[Any]], differences: Callable[[str], tuple[str, ...]]) -> SeasonVersions:
    """Return the versions of this program for a new season, with its differences from the release."""
    rules = {form.key: form.ruleset.version for form in forms}
    keys = dict.fromkeys(form.ruleset_key for form in forms)
    maps = {form.ruleset_key: tuple(form.own_maps()) for form in reversed(forms)}
    differs = {key: shorten_list(lines, DIFFERS_MOST) for key in keys if (lines := (*maps[key], *differences(key)))}
    return SeasonVersions(protocol=PROTOCOL, needs=PROTOCOL_RELEASE, rules=rules, differs=differs)


def fork_receipt(receipts: Receipts, lineage: str, now: str) -> StoredReceipt:
    """Return the receipt by which a copy becomes a game of its own (RCP-38)."""
    inputs = Lineage(lineage, receipts.lineage, str(receipts.head))
    return StoredReceipt(
        seq=receipts.next_seq,
        kind="Fork",
        wiki=fork_text(inputs),
        inputs=msgspec.json.encode(inputs).decode(),
        time=now,
    )


def fork_text(fork: Lineage) -> str:
    """Return the content of a receipt of kind Fork, from its inputs."""
    source = f" of {fork.copy_of}" if "://" in fork.copy_of else ""
    return f"From here on this copy{source} is a game of its own. Both share the receipts up to {fork.head}."


def rules_receipt(seq: int, form: Form[Any], now: str) -> StoredReceipt:
    """Return the receipt that accepts this program's version of a ruleset's rules for a season (RCP-17)."""
    version, release = form.ruleset.version, form.ruleset.releases[-1]
    wiki = f"From here on {form.key} is ruled by version {version} of its rules (sheets-algo {release})."
    return StoredReceipt(seq=seq, kind="Rules", ruleset=form.key, wiki=wiki, rules_version=version, time=now)


def columns_receipt(seq: int, columns: OptionalColumns, had: OptionalColumns, now: str) -> StoredReceipt:
    """Return the receipt that accepts exactly the optional columns of a workbook (REQ-11)."""
    inputs = msgspec.json.encode({"columns": columns}).decode()
    lost = [f"the tab {tab}" for tab in had if tab not in columns]
    lost += [f"{head} in {tab}" for tab in columns for head in had.get(tab, ()) if head not in columns[tab]]
    wiki = f"From here on the workbook does without {'; '.join(lost)}." if lost else "These columns are the season's."
    return StoredReceipt(seq=seq, kind="Columns", wiki=wiki, inputs=inputs, time=now)
