"""Checks of a Google spreadsheet, from credentials to guard; a trial entry is written and removed again."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from sheets_algo.workbook.errors import UnknownOutcome, WorkbookError
from sheets_algo.workbook.findings import Finding, fail, ok, permission_problem, warn
from sheets_algo.workbook.google.commit import guard
from sheets_algo.workbook.google.commit.requests import create_metadata
from sheets_algo.workbook.google.http.access import IDENTITY
from sheets_algo.workbook.google.http.api import Api, BadRequest

FIELDS = (
    "properties(title,locale,timeZone),developerMetadata(metadataId,metadataKey,metadataValue),"
    "sheets(properties(title),protectedRanges(range,warningOnly,requestingUserCanEdit,description))"
)
SCRATCH_IDS = (1_065_000_000, 1_065_999_999)
"""Range of ids for trial entries, far from the guards of receipts and the small ids that people choose."""

SCRATCH_KEY = "sheets-algo-doctor"
CLOCK_OFF_S = 30.0
"""Seconds of clock error that are reported; Google refuses tokens from some minutes on."""

MOST_METADATA = 30_000
"""Maximum characters of keys and values that a spreadsheet can hold."""

LIMITS = "Google allows an account 60 reads and 60 writes a minute"


def examine(api: Api) -> Iterator[Finding]:
    """Yield the findings about credentials, access, clock, locale, limits, guard and protected ranges."""
    access = api.access
    who = f", {access.email}" if access.email else ""
    yield ok("credentials", f"{access.kind} from {access.source}{who}; for spreadsheets only.")
    if access.file and access.file.exists() and access.kind != IDENTITY:
        danger = "and anybody who has it can change the spreadsheets shared with the account"
        if problem := permission_problem(access.file, danger):
            yield warn("key file", problem)
    try:
        answer = api.get(fields=FIELDS)
    except (WorkbookError, BadRequest) as error:
        yield fail("access", str(error))
        yield from _clock(api)
        yield warn(
            "not seen", "sharing, locale, limits, guard, tabs and receipts: there is no access. Run doctor again."
        )
        return
    properties = answer.get("properties", {})
    yield ok("access", f'the spreadsheet "{properties.get("title", "")}" can be read.')
    yield from _clock(api)
    yield ok(
        "locale",
        f"{properties.get('locale', 'none')}, time zone {properties.get('timeZone', 'none')}; neither matters, because"
        " values are read without their format: a decimal comma is fine.",
    )
    yield from _guard(api)
    yield _slots(answer.get("developerMetadata", ()))
    yield from _protected(answer.get("sheets", ()), access.email)
    left = api.budget.left
    yield ok(
        "limits",
        f"{LIMITS}; the program limits itself further; {left['read']} reads and {left['write']} writes are left now.",
    )


def _clock(api: Api) -> Iterator[Finding]:
    offset = api.access.clock_offset_s
    if offset is None:
        yield warn("clock", "it could not be compared with Google's clock: there was no answer.")
    elif abs(offset) >= CLOCK_OFF_S:
        yield warn(
            "clock",
            f"it is {abs(offset):.0f} seconds {'fast' if offset > 0 else 'slow'}: set it from the network.",
        )
    else:
        yield ok("clock", "it agrees with Google's clock.")


def _guard(api: Api) -> Iterator[Finding]:
    """Check that the account may write, and that an id is accepted only once, on which exactly-once ruling depends."""
    id = random.randint(*SCRATCH_IDS)
    create = {"requests": [create_metadata(SCRATCH_KEY, "", id)]}
    try:
        api.batch_update(create)
    except UnknownOutcome as error:
        yield warn("sharing", f"no answer came to a trial write: {error}")
        return
    except (WorkbookError, BadRequest) as error:
        yield fail("sharing", str(error))
        yield warn("not seen", "the guard: nothing can be written.")
        return
    yield ok("sharing", "the spreadsheet can be written to.")
    try:
        api.batch_update(create)
    except BadRequest:
        yield ok("guard", "Google accepts each id only once: no receipt can be written twice.")
    except WorkbookError as error:
        yield warn("guard", f"it could not be tried: {error}")
    else:
        yield fail(
            "guard", "Google accepted one id twice, so receipts might be written twice: do not run this version here."
        )
    try:
        api.batch_update(guard.removal([id]))
    except (WorkbookError, BadRequest) as error:
        yield warn("guard", f"the trial entry {id} could not be removed, which does no harm: {error}")


def _slots(metadata: Any) -> Finding:
    size = sum(len(entry.get("metadataKey", "")) + len(entry.get("metadataValue", "")) for entry in metadata)
    number = len(guard.slots(metadata))
    guards = f"{number:,} guard{'' if number == 1 else 's'}"
    text = f"{guards} of receipts; {size:,} of {MOST_METADATA:,} characters are used."
    if size > MOST_METADATA * 0.9:
        return warn("guard slots", f"{text} Other programs keep their data there too: remove the data of an add-on.")
    return ok("guard slots", text)


def examine_season(api: Api, season: str) -> Iterator[Finding]:
    """Compare the Season row with the guards, which people cannot edit.

    Args:
        season: The digest in its Season row, or blank.
    """
    try:
        answer = api.get(fields="developerMetadata(metadataId,metadataKey,metadataValue)")
    except (WorkbookError, BadRequest) as error:
        yield warn("season", f"it could not be compared with the guards: {error}")
        return
    slots = guard.slots(answer.get("developerMetadata", ()))
    other = guard.other_season(slots, season)
    if other is not None:
        yield fail("season", f"{guard.OTHER_SEASON.format(other, season[:12])}.")


def _protected(sheets: Any, email: str | None) -> Iterator[Finding]:
    """Check for ranges that the account may not edit, which matter only in the program's own cells."""
    closed = [(tab, area) for tab in sheets for area in tab.get("protectedRanges", ()) if _is_closed(area)]
    for sheet, protected in closed:
        title = sheet.get("properties", {}).get("title", "")
        is_whole = not any("Index" in key for key in protected.get("range", {}))
        part = "the tab" if is_whole else "a part of it"
        text = f'"{title}": {part} is protected against the account. In Data, Protected sheets and ranges, allow'
        finding = fail if is_whole else warn
        yield finding(
            "protection",
            f"{text} {email or 'the account'} to edit it{'' if is_whole else ', if the program writes there'}.",
        )
    if not closed:
        yield ok("protection", "the account may edit every protected range.")


def _is_closed(protected: Mapping[str, Any]) -> bool:
    return not protected.get("warningOnly") and not protected.get("requestingUserCanEdit")
