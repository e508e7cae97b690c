"""The shapes of Google's answers, reduced to what the program reads.

What is not declared here is left out of an answer; what has another type makes the whole answer unreadable, so that the
code behind `Api` never meets a list where it expects a number.
"""

from __future__ import annotations

from typing import Annotated, Any, Required, TypedDict

import msgspec
from msgspec import Meta

Index = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Count = Annotated[int, Meta(ge=0, le=10_000_000)]
"""Maximum number of rows or columns: a spreadsheet has no more cells."""


class GridRange(TypedDict, total=False):
    """An area; an absent end is open."""

    sheetId: Index
    startRowIndex: Index
    endRowIndex: Index
    startColumnIndex: Index
    endColumnIndex: Index


class DeveloperMetadata(TypedDict, total=False):
    """An entry of a program: a guard, a turn, the mark of a tab."""

    metadataId: int
    metadataKey: str
    metadataValue: str


class GridProperties(TypedDict, total=False):
    """The size of a tab."""

    rowCount: Count
    columnCount: Count


class SheetProperties(TypedDict, total=False):
    """The properties that identify a tab."""

    sheetId: Index
    title: str
    index: Index
    sheetType: str
    gridProperties: GridProperties


class ErrorValue(TypedDict, total=False):
    """The error that a cell shows."""

    type: str
    message: str


class ExtendedValue(TypedDict, total=False):
    """The value of a cell under the name of its type."""

    numberValue: int | float
    stringValue: str
    boolValue: bool
    formulaValue: str
    errorValue: ErrorValue


class NumberFormat(TypedDict, total=False):
    """The format in which a number is shown."""

    type: str
    pattern: str


class CellFormat(TypedDict, total=False):
    """The format of a cell."""

    numberFormat: NumberFormat


class CellData(TypedDict, total=False):
    """A cell."""

    userEnteredValue: ExtendedValue
    effectiveValue: ExtendedValue
    effectiveFormat: CellFormat
    note: str
    dataValidation: dict[str, Any]


class RowData(TypedDict, total=False):
    """A row of cells."""

    values: list[CellData]


class GridData(TypedDict, total=False):
    """A block of cells."""

    startRow: Index
    startColumn: Index
    rowData: list[RowData]


class ProtectedRange(TypedDict, total=False):
    """A protected range."""

    protectedRangeId: int
    range: GridRange
    unprotectedRanges: list[GridRange]
    warningOnly: bool
    requestingUserCanEdit: bool
    description: str


class ConditionValue(TypedDict, total=False):
    """A value that a condition compares with."""

    userEnteredValue: str


class BooleanCondition(TypedDict, total=False):
    """A condition."""

    type: str
    values: list[ConditionValue]


class BooleanRule(TypedDict, total=False):
    """A rule that a condition begins."""

    condition: BooleanCondition


class ConditionalFormat(TypedDict, total=False):
    """A conditional format."""

    ranges: list[GridRange]
    booleanRule: BooleanRule


class DimensionRange(TypedDict, total=False):
    """Some rows or columns."""

    startIndex: Index
    endIndex: Required[Index]


class DimensionGroup(TypedDict):
    """A group of rows or columns."""

    range: DimensionRange
    depth: int


class SheetData(TypedDict, total=False):
    """A tab."""

    properties: Required[SheetProperties]
    merges: list[GridRange]
    developerMetadata: list[DeveloperMetadata]
    protectedRanges: list[ProtectedRange]
    conditionalFormats: list[ConditionalFormat]
    columnGroups: list[DimensionGroup]
    data: list[GridData]


class SpreadsheetProperties(TypedDict, total=False):
    """The properties of a spreadsheet as a whole."""

    title: str
    locale: str
    timeZone: str


class _Spreadsheet(TypedDict, total=False):
    properties: SpreadsheetProperties
    developerMetadata: list[DeveloperMetadata]


class Spreadsheet(_Spreadsheet, total=False):
    """A spreadsheet (spreadsheets.get)."""

    sheets: list[SheetData]


class SpreadsheetWithTabs(_Spreadsheet):
    """A spreadsheet with at least one tab, in answers about tabs."""

    sheets: Annotated[list[SheetData], Meta(min_length=1)]


class ValueRange(TypedDict, total=False):
    """The values of a range."""

    values: list[list[str | int | float | bool | None]]


class ValueRanges(TypedDict):
    """The values of some ranges (values:batchGet)."""

    valueRanges: list[ValueRange]


class Replies(TypedDict):
    """The answer to a batch (spreadsheets.batchUpdate): a reply for each request."""

    replies: list[dict[str, Any]]


class RepliesWithTabs(Replies):
    """The answer to a batch that requests cells after it."""

    updatedSpreadsheet: SpreadsheetWithTabs


class Capabilities(TypedDict, total=False):
    """The account's rights on a file."""

    canEdit: bool


class DriveFile(TypedDict, total=False):
    """A file of Drive."""

    id: str
    modifiedTime: str
    capabilities: Capabilities


class FileChange(TypedDict, total=False):
    """A change of a file."""

    fileId: str
    file: DriveFile


class ChangeList(TypedDict, total=False):
    """A page of changes (changes.list); the last one has the token of the next request."""

    changes: list[FileChange]
    nextPageToken: str
    newStartPageToken: str


class FileList(TypedDict, total=False):
    """A page of files (files.list)."""

    files: list[DriveFile]
    nextPageToken: str


class StartPageToken(TypedDict):
    """The token of future changes (changes.getStartPageToken)."""

    startPageToken: str


# Made here, where one thread is: two that teach msgspec one shape at the same time end the process
_DECODERS: dict[type, msgspec.json.Decoder[Any]] = {
    shape: msgspec.json.Decoder(shape)
    for shape in (
        dict,
        Spreadsheet,
        SpreadsheetWithTabs,
        ValueRanges,
        Replies,
        RepliesWithTabs,
        ChangeList,
        FileList,
        StartPageToken,
    )
}


def decoded(content: bytes, shape: type) -> Any:
    """Return an answer's body in the shape that it should have; None if it has another, or is not JSON."""
    try:
        return _DECODERS[shape].decode(content)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
