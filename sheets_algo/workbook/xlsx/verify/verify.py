"""The check of an edited copy before it replaces the workbook: it holds what the change set plans, and nothing else.

The zip is read with the standard library, not with the code that wrote it. Unchanged entries must have the same
compressed bytes as in the old file, whose checksums were verified when it was read. Of the code that edits, only a few
statements are taken: the formulas of the workbook, whose results it removed, and what new tabs were copied from.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from itertools import chain
from xml.etree.ElementTree import ParseError

from sheets_algo.workbook.changes import ChangeSet
from sheets_algo.workbook.errors import RefusedChange, WorkbookUnavailable
from sheets_algo.workbook.xlsx.edit.patch import Patch
from sheets_algo.workbook.xlsx.file import xml
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.verify.additions import invalid
from sheets_algo.workbook.xlsx.verify.differences import Copy, unplanned

_LOCAL_HEADER = 30
_NAME_AND_EXTRA = struct.Struct("<HH")


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
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError) as error:
        raise _failure(package.name, f"its zip structure is damaged ({error})") from error
    except (ParseError, xml.Refused) as error:
        raise _failure(package.name, f"a part is not well-formed XML ({error})") from error
    except WorkbookUnavailable as error:  # a copy that could not be read again, e.g. beyond the limits
        raise RefusedChange(f"{error} That is the edited copy; nothing was written.") from error
    if difference:
        raise _failure(package.name, difference)


def _compare(old: bytes, new: bytes) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return the names of the parts that have other bytes, that are gone, and that are new."""
    with zipfile.ZipFile(io.BytesIO(old)) as before, zipfile.ZipFile(io.BytesIO(new)) as after:
        infos = [{info.filename: info for info in archive.infolist()} for archive in (before, after)]
        if len(infos[1]) < len(after.infolist()):
            raise zipfile.BadZipFile("it has two entries of one name")
    changed = frozenset(
        name.replace("\\", "/")
        for name, info in infos[1].items()
        if (was := infos[0].get(name))
        and (info.CRC != was.CRC or _compressed_bytes(new, info) != _compressed_bytes(old, was))
    )
    names = [frozenset(name.replace("\\", "/") for name in info) for info in infos]
    return changed, names[0] - names[1], names[1] - names[0]


def _compressed_bytes(data: bytes, info: zipfile.ZipInfo) -> memoryview:
    name, extra = _NAME_AND_EXTRA.unpack_from(data, info.header_offset + _LOCAL_HEADER - _NAME_AND_EXTRA.size)
    start = info.header_offset + _LOCAL_HEADER + name + extra
    return memoryview(data)[start : start + info.compress_size]


def _failure(name: str, what: str) -> RefusedChange:
    return RefusedChange(f"{name}: the edited copy failed its check: {what}; nothing was written. Please report this.")
