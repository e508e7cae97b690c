"""The messages of Sheets v4 that this server knows: field and kind, `?` where a zero is written too."""

from __future__ import annotations

from localsheets.proto import Schema

SCHEMA = Schema("""
Dimension = ROWS COLUMNS
ValueInputOption = RAW USER_ENTERED
ValueRenderOption = FORMATTED_VALUE UNFORMATTED_VALUE FORMULA
DateTimeRenderOption = SERIAL_NUMBER FORMATTED_STRING
RecalculationInterval = ON_CHANGE MINUTE HOUR
SheetType = GRID OBJECT DATA_SOURCE
NumberFormatType = TEXT NUMBER PERCENT CURRENCY DATE TIME DATE_TIME SCIENTIFIC
HorizontalAlign = LEFT CENTER RIGHT
VerticalAlign = TOP MIDDLE BOTTOM
WrapStrategy = OVERFLOW_CELL LEGACY_WRAP CLIP WRAP
TextDirection = LEFT_TO_RIGHT RIGHT_TO_LEFT
HyperlinkDisplayType = LINKED PLAIN_TEXT
BorderStyle = DOTTED DASHED SOLID SOLID_MEDIUM SOLID_THICK NONE DOUBLE
ThemeColorType = TEXT BACKGROUND ACCENT1 ACCENT2 ACCENT3 ACCENT4 ACCENT5 ACCENT6 LINK
ConditionType = NUMBER_GREATER NUMBER_GREATER_THAN_EQ NUMBER_LESS NUMBER_LESS_THAN_EQ NUMBER_BETWEEN TEXT_EQ
  ONE_OF_RANGE ONE_OF_LIST BOOLEAN
SortOrder = ASCENDING DESCENDING
MergeCellsRequest.MergeType = MERGE_ALL
PasteType = PASTE_NORMAL PASTE_VALUES
DeveloperMetadataVisibility = DOCUMENT PROJECT
DeveloperMetadataLocationType = SHEET SPREADSHEET
ErrorType = ERROR NULL_VALUE DIVIDE_BY_ZERO VALUE REF NAME NUM N_A LOADING

Color: red float, green float, blue float, alpha float
ColorStyle: rgbColor Color, themeColor ThemeColorType
GridRange: sheetId int, startRowIndex int?, endRowIndex int?, startColumnIndex int?, endColumnIndex int?
GridCoordinate: sheetId int, rowIndex int, columnIndex int
DimensionRange: sheetId int, dimension Dimension, startIndex int?, endIndex int?
NumberFormat: type NumberFormatType, pattern str
Padding: top int, right int, bottom int, left int
TextFormat: foregroundColor Color, fontFamily str?, fontSize int?, bold bool?, italic bool?, strikethrough bool?,
  underline bool?, foregroundColorStyle ColorStyle
Border: style BorderStyle, width int, color Color, colorStyle ColorStyle
Borders: top Border, bottom Border, left Border, right Border
CellFormat: numberFormat NumberFormat, backgroundColor Color, borders Borders, padding Padding, horizontalAlignment
  HorizontalAlign, verticalAlignment VerticalAlign, wrapStrategy WrapStrategy, textDirection TextDirection, textFormat
  TextFormat, hyperlinkDisplayType HyperlinkDisplayType, backgroundColorStyle ColorStyle
ErrorValue: type ErrorType, message str
ExtendedValue: numberValue float?, stringValue str?, boolValue bool?, formulaValue str?, errorValue ErrorValue
ConditionValue: userEnteredValue str
BooleanCondition: type ConditionType, values [ConditionValue]
DataValidationRule: condition BooleanCondition, inputMessage str, strict bool, showCustomUi bool
CellData: userEnteredValue ExtendedValue, effectiveValue ExtendedValue, formattedValue str, userEnteredFormat
  CellFormat, effectiveFormat CellFormat, note str, dataValidation DataValidationRule
RowData: values [CellData]
DimensionProperties: hiddenByUser bool, pixelSize int
GridData: startRow int, startColumn int, rowData [RowData], rowMetadata [DimensionProperties], columnMetadata
  [DimensionProperties]
GridProperties: rowCount int, columnCount int, frozenRowCount int, frozenColumnCount int, hideGridlines bool,
  rowGroupControlAfter bool, columnGroupControlAfter bool
SheetProperties: sheetId int?, title str, index int?, sheetType SheetType, gridProperties GridProperties, hidden bool,
  tabColor Color, tabColorStyle ColorStyle
BooleanRule: condition BooleanCondition, format CellFormat
ConditionalFormatRule: ranges [GridRange], booleanRule BooleanRule
FilterCriteria: condition BooleanCondition
FilterSpec: filterCriteria FilterCriteria, columnIndex int?
BasicFilter: range GridRange, filterSpecs [FilterSpec]
Editors: users [str], groups [str], domainUsersCanEdit bool
ProtectedRange: protectedRangeId int, range GridRange, description str, warningOnly bool, requestingUserCanEdit bool,
  unprotectedRanges [GridRange], editors Editors
DimensionGroup: range DimensionRange, depth int, collapsed bool
DeveloperMetadataLocation: locationType DeveloperMetadataLocationType, spreadsheet bool, sheetId int?
DeveloperMetadata: metadataId int, metadataKey str, metadataValue str, location DeveloperMetadataLocation, visibility
  DeveloperMetadataVisibility
Sheet: properties SheetProperties, data [GridData], merges [GridRange], conditionalFormats [ConditionalFormatRule],
  protectedRanges [ProtectedRange], basicFilter BasicFilter, developerMetadata [DeveloperMetadata], rowGroups
  [DimensionGroup], columnGroups [DimensionGroup]
ThemeColorPair: colorType ThemeColorType, color ColorStyle
SpreadsheetTheme: primaryFontFamily str, themeColors [ThemeColorPair]
SpreadsheetProperties: title str, locale str, autoRecalc RecalculationInterval, timeZone str, defaultFormat
  CellFormat, spreadsheetTheme SpreadsheetTheme
Spreadsheet: spreadsheetId str, properties SpreadsheetProperties, sheets [Sheet], spreadsheetUrl str,
  developerMetadata [DeveloperMetadata]

DeveloperMetadataLookup: metadataId int, metadataKey str
DataFilter: developerMetadataLookup DeveloperMetadataLookup
ValueRange: range str, majorDimension Dimension, values [list]
BatchUpdateValuesRequest: valueInputOption ValueInputOption, data [ValueRange]
BatchUpdateSpreadsheetRequest: requests [Request], includeSpreadsheetInResponse bool, responseRanges [str],
  responseIncludeGridData bool

UpdateSheetProperties: properties SheetProperties, fields str
AddSheet: properties SheetProperties
DeleteSheet: sheetId int
DuplicateSheet: sourceSheetId int, insertSheetIndex int, newSheetId int?, newSheetName str
UpdateCells: rows [RowData], fields str, start GridCoordinate, range GridRange
AppendCells: sheetId int, rows [RowData], fields str
RepeatCell: range GridRange, cell CellData, fields str
SortSpec: dimensionIndex int?, sortOrder SortOrder
SortRange: range GridRange, sortSpecs [SortSpec]
CopyPaste: source GridRange, destination GridRange, pasteType PasteType
CutPaste: source GridRange, destination GridCoordinate, pasteType PasteType
InsertDimension: range DimensionRange, inheritFromBefore bool
DeleteDimension: range DimensionRange
AppendDimension: sheetId int, dimension Dimension, length int
MoveDimension: source DimensionRange, destinationIndex int
UpdateDimensionProperties: range DimensionRange, properties DimensionProperties, fields str
AddDimensionGroup: range DimensionRange
UpdateDimensionGroup: dimensionGroup DimensionGroup, fields str
MergeCells: range GridRange, mergeType MergeCellsRequest.MergeType
UnmergeCells: range GridRange
AddProtectedRange: protectedRange ProtectedRange
DeleteProtectedRange: protectedRangeId int
SetDataValidation: range GridRange, rule DataValidationRule
AddConditionalFormatRule: rule ConditionalFormatRule, index int
DeleteConditionalFormatRule: index int, sheetId int
SetBasicFilter: filter BasicFilter
CreateDeveloperMetadata: developerMetadata DeveloperMetadata
UpdateDeveloperMetadata: dataFilters [DataFilter], developerMetadata DeveloperMetadata, fields str
DeleteDeveloperMetadata: dataFilter DataFilter
Request: updateSheetProperties UpdateSheetProperties, addSheet AddSheet, deleteSheet DeleteSheet, duplicateSheet
  DuplicateSheet, updateCells UpdateCells, appendCells AppendCells, repeatCell RepeatCell, sortRange SortRange,
  copyPaste CopyPaste, cutPaste CutPaste, insertDimension InsertDimension, deleteDimension DeleteDimension,
  appendDimension AppendDimension, moveDimension MoveDimension, updateDimensionProperties UpdateDimensionProperties,
  addDimensionGroup AddDimensionGroup, updateDimensionGroup UpdateDimensionGroup, mergeCells MergeCells, unmergeCells
  UnmergeCells, addProtectedRange AddProtectedRange, deleteProtectedRange DeleteProtectedRange, setDataValidation
  SetDataValidation, addConditionalFormatRule AddConditionalFormatRule, deleteConditionalFormatRule
  DeleteConditionalFormatRule, setBasicFilter SetBasicFilter, createDeveloperMetadata CreateDeveloperMetadata,
  updateDeveloperMetadata UpdateDeveloperMetadata, deleteDeveloperMetadata DeleteDeveloperMetadata
""")
