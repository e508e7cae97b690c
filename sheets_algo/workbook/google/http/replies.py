"""The shapes of Google's answers, reduced to what the program reads.

What is not declared here is left out of an answer; what has another type makes the whole answer unreadable, so that the
code behind `Api` never meets a list where it expects a number.
"""

from __future__ import annotations

from typing import Annotated, Any, Required, TypedDict

import msgspec
from msgspec import Meta

INDEX = Annotated[int, Meta(ge=0, le=2**31 - 1)]
COUNT = Annotated[int, Meta(ge=0, le=10_000_000)]
"""Number of rows or columns: a spreadsheet has no more cells."""
_DECLARE: Any = TypedDict  # by values here, of which a type checker knows nothing
_LIST: Any = list


def _object(**fields: Any) -> Any:
    """Return the shape of a JSON object with fields that may be absent unless they are `Required`."""
    return _DECLARE("Object", fields, total=False)


def _list(shape: Any, least: int = 0) -> Any:
    """Return the shape of a JSON list."""
    return Annotated[_LIST[shape], Meta(min_length=least)]


_AREA = _object(sheetId=INDEX, startRowIndex=INDEX, endRowIndex=INDEX, startColumnIndex=INDEX, endColumnIndex=INDEX)
_METADATA = _list(_object(metadataId=int, metadataKey=str, metadataValue=str))
_VALUE = _object(
    numberValue=int | float,
    stringValue=str,
    boolValue=bool,
    formulaValue=str,
    errorValue=_object(type=str, message=str),
)
_CELL = _object(
    userEnteredValue=_VALUE,
    effectiveValue=_VALUE,
    effectiveFormat=_object(numberFormat=_object(type=str, pattern=str)),
    note=str,
    dataValidation=dict[str, Any],
)
_PROTECTION = _object(
    protectedRangeId=int,
    range=_AREA,
    unprotectedRanges=_list(_AREA),
    warningOnly=bool,
    requestingUserCanEdit=bool,
    description=str,
)
_CONDITION = _object(type=str, values=_list(_object(userEnteredValue=str)))
_GROUP = _object(range=Required[_object(startIndex=INDEX, endIndex=Required[INDEX])], depth=Required[int])
_TAB_PROPERTIES = _object(
    sheetId=INDEX, title=str, index=INDEX, sheetType=str, gridProperties=_object(rowCount=COUNT, columnCount=COUNT)
)
_TAB = _object(
    properties=Required[_TAB_PROPERTIES],
    merges=_list(_AREA),
    developerMetadata=_METADATA,
    protectedRanges=_list(_PROTECTION),
    conditionalFormats=_list(_object(ranges=_list(_AREA), booleanRule=_object(condition=_CONDITION))),
    columnGroups=_list(_GROUP),
    data=_list(_object(startRow=INDEX, startColumn=INDEX, rowData=_list(_object(values=_list(_CELL))))),
)
_PROPERTIES = _object(title=str, locale=str, timeZone=str)
_FILE = _object(id=str, modifiedTime=str, capabilities=_object(canEdit=bool))

Spreadsheet = _object(properties=_PROPERTIES, developerMetadata=_METADATA, sheets=_list(_TAB))
"""A spreadsheet (spreadsheets.get)."""
SpreadsheetWithTabs = _object(
    properties=_PROPERTIES, developerMetadata=_METADATA, sheets=Required[_list(_TAB, least=1)]
)
"""A spreadsheet with at least one tab, in answers about tabs."""
ValueRanges = _object(valueRanges=Required[_list(_object(values=_list(_list(str | int | float | bool | None))))])
"""The values of some ranges (values:batchGet)."""
Replies = _object(replies=Required[_list(dict[str, Any])])
"""The answer to a batch (spreadsheets.batchUpdate): a reply for each request."""
RepliesWithTabs = _object(replies=Required[_list(dict[str, Any])], updatedSpreadsheet=Required[SpreadsheetWithTabs])
"""The answer to a batch that requests cells after it."""
ChangeList = _object(changes=_list(_object(fileId=str, file=_FILE)), nextPageToken=str, newStartPageToken=str)
"""A page of changes (changes.list); the last one has the token of the next request."""
FileList = _object(files=_list(_FILE), nextPageToken=str)
"""A page of files (files.list)."""
StartPageToken = _object(startPageToken=Required[str])
"""The token of future changes (changes.getStartPageToken)."""

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
