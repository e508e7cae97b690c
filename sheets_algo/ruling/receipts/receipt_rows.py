"""The columns of the tabs Receipts and Log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from engine.columns import ColumnPlace, Kind, TabDeclaration, result


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptRow:
    """One row of the Receipts tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Receipts", about="The rulings, for good. Only the program writes here.", program_only=True
    )

    seq: int = result("Seq", id="RCP-01", kind=Kind.WHOLE, note="Number of the receipt, counted up.")
    part: int = result("Part", id="RCP-02", kind=Kind.WHOLE, note="1; a receipt longer than a cell goes on in part 2.")
    kind: str = result(
        "Kind",
        id="RCP-03",
        note="Ruling, Undo, Season (the digest of the season secret), Rules (another version of the rules is accepted),"
        " Edits (cells that people have changed after rulings are accepted), Columns (the optional columns that the"
        " workbook has are accepted), Promise (a round of a beacon that will decide a request), Restore (receipts that"
        " are gone or were changed are given up) or Fork (a copy is a game of its own from here on).",
    )
    request: str = result("Request", id="RCP-04", note="The request that was ruled.")
    war: str = result("War", id="RCP-05", note="Title of the receipt.")
    ruleset: str = result("Ruleset", id="RCP-06", note="By which rules.")
    winner: str = result("Winner", id="RCP-07", note="Attacker, Defender or blank.")
    receipt: str = result("Receipt", id="RCP-08", note="Wiki markup, ready to post.")
    seed: str = result("Seed", id="RCP-09", note="The seed of every draw of luck.")
    seed_source: str = result(
        "Seed Source",
        id="RCP-16",
        note="season: drawn from the season secret; given: typed; else the round of the beacon, its signature and"
        " randomness, and the numbers of the promises.",
    )
    inputs_fingerprint: str = result(
        "Inputs Fingerprint", id="RCP-10", note="SHA-256 of the inputs, and of the decisions if any."
    )
    rules_fingerprint: str = result("Rules Fingerprint", id="RCP-11", note="SHA-256 of the ruleset's tables.")
    rules_version: int = result(
        "Rules Version", id="RCP-17", kind=Kind.WHOLE, note="The version of the ruleset's rules."
    )
    changes: str = result("Changes", id="RCP-12", note="Database cells changed: tab, row, field, before, after.")
    inputs: str = result("Inputs", id="RCP-13", note="The inputs as they were, for verify and replay.")
    figures: str = result("Figures", id="RCP-14", note="What the program's columns of the request show.")
    time: str = result("Time", id="RCP-15", place=ColumnPlace.LAST, note="When, UTC.")
    overrides: str = result(
        "Overrides",
        id="RCP-18",
        place=ColumnPlace.LAST,
        note="Moderators' decisions about the ruling, with reason and author, if any.",
    )
    previous: str = result(
        "Previous",
        id="RCP-19",
        place=ColumnPlace.LAST,
        note="The digest of the receipt before, so that none can be removed, changed or put in between.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """One row of the Log tab."""

    tab: ClassVar[TabDeclaration] = TabDeclaration(
        "Log", about="What happened in every ruling, line by line.", program_only=True
    )

    seq: int = result("Seq", id="RCP-20", kind=Kind.WHOLE, note="The receipt it belongs to.")
    request: str = result("Request", id="RCP-21", note="The request.")
    hour: int = result("Hour", id="RCP-22", kind=Kind.WHOLE, note="Hours since the battle began.")
    side: str = result("Side", id="RCP-23", note="Attacker or Defender.")
    flank: str = result("Flank", id="RCP-24", note="The flank it happened to.")
    event: str = result("Event", id="RCP-25", note="What kind of event.")
    amount: float = result("Amount", id="RCP-26", kind=Kind.NUMBER, note="Men, ships or points.")
    rule: str = result("Rule", id="RCP-27", note="The rule behind it.")
    text: str = result("Text", id="RCP-28", note="What happened, in words.")
