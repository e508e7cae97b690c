"""The check of an edited copy before it replaces the workbook: it holds what the change set plans, and nothing else.

Unchanged entries must have the size and checksum of the old file; opening a file compares these with its content. Of
the code that edits, only a few statements are taken: the formulas of the workbook, whose results it removed, and what
new tabs were copied from.
"""

from __future__ import annotations

import zipfile
import zlib
from itertools import chain
from xml.etree.ElementTree import ParseError

from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.errors import RefusedChange, WorkbookUnavailable
from sheets_algo.workbook.xlsx.edit.patch import Patch
from sheets_algo.workbook.xlsx.file import xml
from sheets_algo.workbook.xlsx.file.archive import unpacked
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.verify.additions import invalid
from sheets_algo.workbook.xlsx.verify.differences import Copy, unplanned


def check(package: Package, data: bytes, changes: ChangeSet, patch: Patch) -> None:
    """Check that an edited copy differs from its original exactly as planned.

    Args:
        package: The original.
        data: Content of the copy.
        changes: What is planned.
        patch: Its statements on formulas, removed results and the origin of new tabs.

    Raises:
        RefusedChange: The copy is damaged, lacks something planned, or differs in something else.
    """
    try:
        changed, removed, added = _compare(package.data, data)
        edited = Package(data, package.name, package.limits)
        if package.related("sharedStrings") not in changed | removed:
            edited.shared_strings = package.shared_strings
        copy = Copy(package, edited, changes, patch, changed, removed, added)
        difference = next(chain(invalid(copy), unplanned(copy)), None)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise _failure(package.name, f"its zip structure is damaged ({error})") from error
    except (ParseError, xml.Refused) as error:
        raise _failure(package.name, f"a part is not well-formed XML ({error})") from error
    except WorkbookUnavailable as error:  # a copy that could not be read again, e.g. beyond the limits
        raise RefusedChange(f"{error} That is the edited copy; nothing was written.") from error
    if difference:
        raise _failure(package.name, difference)


def _compare(old: bytes, new: bytes) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return the names of the parts that have other content, by their checksums, that are gone, and that are new."""
    with unpacked(old) as before, unpacked(new) as after:
        sums = [
            {info.filename.replace("\\", "/"): (info.CRC, info.file_size) for info in archive.infolist()}
            for archive in (before, after)
        ]
    names = [frozenset(parts) for parts in sums]
    changed = frozenset(name for name in names[0] & names[1] if sums[0][name] != sums[1][name])
    return changed, names[0] - names[1], names[1] - names[0]


def _failure(name: str, what: str) -> RefusedChange:
    return RefusedChange(f"{name}: the edited copy failed its check: {what}; nothing was written. Please report this.")
