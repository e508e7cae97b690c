"""The messages of Sheets v4 that this server knows: field and kind, `?` where a zero is written too."""

from __future__ import annotations

from localsheets.proto import Schema

SCHEMA = Schema("""
Dimension = ROWS COLUMNS
ValueInputOption = RAW USER_ENTERED
ValueRenderOption = FORMATTED_VALUE UNFORMATTED_VALUE FORMULA
DateTimeRenderOption = SERIAL_NUMBER FORMATTED_STRING
InsertDataOption = OVERWRITE INSERT_ROWS
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
ConditionType = NUMBER_GREATER NUMBER_GREATER_THAN_EQ NUMBER_LESS NUMBER_LESS_THAN_EQ NUMBER_EQ NUMBER_NOT_EQ
  NUMBER_BETWEEN NUMBER_NOT_BETWEEN TEXT_CONTAINS TEXT_NOT_CONTAINS TEXT_STARTS_WITH TEXT_ENDS_WITH TEXT_EQ
  TEXT_IS_EMAIL TEXT_IS_URL DATE_EQ DATE_BEFORE DATE_AFTER DATE_ON_OR_BEFORE DATE_ON_OR_AFTER DATE_BETWEEN
  DATE_NOT_BETWEEN DATE_IS_VALID ONE_OF_RANGE ONE_OF_LIST BLANK NOT_BLANK CUSTOM_FORMULA BOOLEAN TEXT_NOT_EQ
  DATE_NOT_EQ FILTER_EXPRESSION
RelativeDate = PAST_YEAR PAST_MONTH PAST_WEEK YESTERDAY TODAY TOMORROW
SortOrder = ASCENDING DESCENDING
MergeCellsRequest.MergeType = MERGE_ALL MERGE_COLUMNS MERGE_ROWS
InterpolationPointType = MIN MAX NUMBER PERCENT PERCENTILE
PasteType = PASTE_NORMAL PASTE_VALUES PASTE_FORMAT PASTE_NO_BORDERS PASTE_FORMULA PASTE_DATA_VALIDATION
  PASTE_CONDITIONAL_FORMATTING
PasteOrientation = NORMAL TRANSPOSE
DeveloperMetadataVisibility = DOCUMENT PROJECT
DeveloperMetadataLocationType = ROW COLUMN SHEET SPREADSHEET
DeveloperMetadataLocationMatchingStrategy = EXACT_LOCATION INTERSECTING_LOCATION
ErrorType = ERROR NULL_VALUE DIVIDE_BY_ZERO VALUE REF NAME NUM N_A LOADING

Color: red float, green float, blue float, alpha float
ColorStyle: rgbColor Color, themeColor ThemeColorType
GridRange: sheetId int, startRowIndex int?, endRowIndex int?, startColumnIndex int?, endColumnIndex int?
GridCoordinate: sheetId int, rowIndex int, columnIndex int
DimensionRange: sheetId int, dimension Dimension, startIndex int?, endIndex int?
NumberFormat: type NumberFormatType, pattern str
Padding: top int, right int, bottom int, left int
Link: uri str
TextFormat: foregroundColor Color, fontFamily str?, fontSize int?, bold bool?, italic bool?, strikethrough bool?,
  underline bool?, foregroundColorStyle ColorStyle, link Link
TextRotation: angle int?, vertical bool?
Border: style BorderStyle, width int, color Color, colorStyle ColorStyle
Borders: top Border, bottom Border, left Border, right Border
CellFormat: numberFormat NumberFormat, backgroundColor Color, borders Borders, padding Padding, horizontalAlignment
  HorizontalAlign, verticalAlignment VerticalAlign, wrapStrategy WrapStrategy, textDirection TextDirection, textFormat
  TextFormat, hyperlinkDisplayType HyperlinkDisplayType, textRotation TextRotation, backgroundColorStyle ColorStyle
ErrorValue: type ErrorType, message str
ExtendedValue: numberValue float?, stringValue str?, boolValue bool?, formulaValue str?, errorValue ErrorValue
TextFormatRun: startIndex int, format TextFormat
ConditionValue: relativeDate RelativeDate, userEnteredValue str
BooleanCondition: type ConditionType, values [ConditionValue]
DataValidationRule: condition BooleanCondition, inputMessage str, strict bool, showCustomUi bool
ChipRun: startIndex int, chip any
CellData: userEnteredValue ExtendedValue, effectiveValue ExtendedValue, formattedValue str, userEnteredFormat
  CellFormat, effectiveFormat CellFormat, hyperlink str, note str, textFormatRuns [TextFormatRun], dataValidation
  DataValidationRule, pivotTable any, dataSourceTable any, dataSourceFormula any, chipRuns [ChipRun]
RowData: values [CellData]
DimensionProperties: hiddenByFilter bool, hiddenByUser bool, pixelSize int, developerMetadata [DeveloperMetadata],
  dataSourceColumnReference any
GridData: startRow int, startColumn int, rowData [RowData], rowMetadata [DimensionProperties], columnMetadata
  [DimensionProperties]
GridProperties: rowCount int, columnCount int, frozenRowCount int, frozenColumnCount int, hideGridlines bool,
  rowGroupControlAfter bool, columnGroupControlAfter bool
SheetProperties: sheetId int?, title str, index int?, sheetType SheetType, gridProperties GridProperties, hidden bool,
  tabColor Color, tabColorStyle ColorStyle, rightToLeft bool, dataSourceSheetProperties any
InterpolationPoint: color Color, colorStyle ColorStyle, type InterpolationPointType, value str
GradientRule: minpoint InterpolationPoint, midpoint InterpolationPoint, maxpoint InterpolationPoint
BooleanRule: condition BooleanCondition, format CellFormat
ConditionalFormatRule: ranges [GridRange], booleanRule BooleanRule, gradientRule GradientRule
SortSpec: dimensionIndex int?, sortOrder SortOrder, foregroundColor Color, foregroundColorStyle ColorStyle,
  backgroundColor Color, backgroundColorStyle ColorStyle, dataSourceColumnReference any
FilterCriteria: hiddenValues [str], condition BooleanCondition, visibleBackgroundColor Color,
  visibleBackgroundColorStyle ColorStyle, visibleForegroundColor Color, visibleForegroundColorStyle ColorStyle
FilterSpec: filterCriteria FilterCriteria, columnIndex int?, dataSourceColumnReference any
FilterView: filterViewId int, title str, range GridRange, namedRangeId str, tableId str, sortSpecs [SortSpec],
  criteria any, filterSpecs [FilterSpec]
BasicFilter: range GridRange, tableId str, sortSpecs [SortSpec], criteria any, filterSpecs [FilterSpec]
Editors: users [str], groups [str], domainUsersCanEdit bool
ProtectedRange: protectedRangeId int, range GridRange, namedRangeId str, tableId str, description str, warningOnly
  bool, requestingUserCanEdit bool, unprotectedRanges [GridRange], editors Editors
BandingProperties: headerColor Color, headerColorStyle ColorStyle, firstBandColor Color, firstBandColorStyle
  ColorStyle, secondBandColor Color, secondBandColorStyle ColorStyle, footerColor Color, footerColorStyle ColorStyle
BandedRange: bandedRangeId int, bandedRangeReference str, range GridRange, rowProperties BandingProperties,
  columnProperties BandingProperties
DimensionGroup: range DimensionRange, depth int, collapsed bool
DeveloperMetadataLocation: locationType DeveloperMetadataLocationType, spreadsheet bool, sheetId int?, dimensionRange
  DimensionRange
DeveloperMetadata: metadataId int, metadataKey str, metadataValue str, location DeveloperMetadataLocation, visibility
  DeveloperMetadataVisibility
Sheet: properties SheetProperties, data [GridData], merges [GridRange], conditionalFormats [ConditionalFormatRule],
  filterViews [FilterView], protectedRanges [ProtectedRange], basicFilter BasicFilter, charts [any], bandedRanges
  [BandedRange], developerMetadata [DeveloperMetadata], rowGroups [DimensionGroup], columnGroups [DimensionGroup],
  slicers [any], tables [any]
ThemeColorPair: colorType ThemeColorType, color ColorStyle
SpreadsheetTheme: primaryFontFamily str, themeColors [ThemeColorPair]
IterativeCalculationSettings: maxIterations int, convergenceThreshold float
SpreadsheetProperties: title str, locale str, autoRecalc RecalculationInterval, timeZone str, defaultFormat
  CellFormat, iterativeCalculationSettings IterativeCalculationSettings, spreadsheetTheme SpreadsheetTheme,
  importFunctionsExternalUrlAccessAllowed bool
NamedRange: namedRangeId str, name str, range GridRange
Spreadsheet: spreadsheetId str, properties SpreadsheetProperties, sheets [Sheet], namedRanges [NamedRange],
  spreadsheetUrl str, developerMetadata [DeveloperMetadata], dataSources [any], dataSourceSchedules [any]

DeveloperMetadataLookup: locationType DeveloperMetadataLocationType, metadataLocation DeveloperMetadataLocation,
  locationMatchingStrategy DeveloperMetadataLocationMatchingStrategy, metadataId int, metadataKey str, metadataValue
  str, visibility DeveloperMetadataVisibility
DataFilter: developerMetadataLookup DeveloperMetadataLookup, a1Range str, gridRange GridRange
SearchDeveloperMetadataRequest: dataFilters [DataFilter]
ValueRange: range str, majorDimension Dimension, values [list]
BatchUpdateValuesRequest: valueInputOption ValueInputOption, data [ValueRange], includeValuesInResponse bool,
  responseValueRenderOption ValueRenderOption, responseDateTimeRenderOption DateTimeRenderOption
BatchClearValuesRequest: ranges [str]
CopySheetToAnotherSpreadsheetRequest: destinationSpreadsheetId str
BatchUpdateSpreadsheetRequest: requests [Request], includeSpreadsheetInResponse bool, responseRanges [str],
  responseIncludeGridData bool

UpdateSpreadsheetProperties: properties SpreadsheetProperties, fields str
UpdateSheetProperties: properties SheetProperties, fields str
AddSheet: properties SheetProperties
DeleteSheet: sheetId int
DuplicateSheet: sourceSheetId int, insertSheetIndex int, newSheetId int?, newSheetName str
UpdateCells: rows [RowData], fields str, start GridCoordinate, range GridRange, dataSourceSchedule any
AppendCells: sheetId int, rows [RowData], fields str, tableId str
RepeatCell: range GridRange, cell CellData, fields str
UpdateBorders: range GridRange, top Border, bottom Border, left Border, right Border, innerHorizontal Border,
  innerVertical Border
FindReplace: find str, replacement str, matchCase bool, matchEntireCell bool, searchByRegex bool, includeFormulas
  bool, range GridRange, sheetId int?, allSheets bool
SortRange: range GridRange, sortSpecs [SortSpec]
CopyPaste: source GridRange, destination GridRange, pasteType PasteType, pasteOrientation PasteOrientation
CutPaste: source GridRange, destination GridCoordinate, pasteType PasteType
InsertDimension: range DimensionRange, inheritFromBefore bool
DeleteDimension: range DimensionRange
AppendDimension: sheetId int, dimension Dimension, length int, tableId str
MoveDimension: source DimensionRange, destinationIndex int
UpdateDimensionProperties: range DimensionRange, dataSourceSheetRange any, properties DimensionProperties, fields str
AutoResizeDimensions: dimensions DimensionRange, dataSourceSheetDimensions any
InsertRange: range GridRange, shiftDimension Dimension
DeleteRange: range GridRange, shiftDimension Dimension
AddDimensionGroup: range DimensionRange
DeleteDimensionGroup: range DimensionRange
UpdateDimensionGroup: dimensionGroup DimensionGroup, fields str
MergeCells: range GridRange, mergeType MergeCellsRequest.MergeType
UnmergeCells: range GridRange
AddNamedRange: namedRange NamedRange
UpdateNamedRange: namedRange NamedRange, fields str
DeleteNamedRange: namedRangeId str
AddProtectedRange: protectedRange ProtectedRange
UpdateProtectedRange: protectedRange ProtectedRange, fields str
DeleteProtectedRange: protectedRangeId int
SetDataValidation: range GridRange, rule DataValidationRule, filteredRowsIncluded bool
AddConditionalFormatRule: rule ConditionalFormatRule, index int
UpdateConditionalFormatRule: index int, sheetId int, rule ConditionalFormatRule, newIndex int?
DeleteConditionalFormatRule: index int, sheetId int
SetBasicFilter: filter BasicFilter
ClearBasicFilter: sheetId int
CreateDeveloperMetadata: developerMetadata DeveloperMetadata
UpdateDeveloperMetadata: dataFilters [DataFilter], developerMetadata DeveloperMetadata, fields str
DeleteDeveloperMetadata: dataFilter DataFilter
Request: updateSpreadsheetProperties UpdateSpreadsheetProperties, updateSheetProperties UpdateSheetProperties,
  addSheet AddSheet, deleteSheet DeleteSheet, duplicateSheet DuplicateSheet, updateCells UpdateCells, appendCells
  AppendCells, repeatCell RepeatCell, updateBorders UpdateBorders, findReplace FindReplace, sortRange SortRange,
  copyPaste CopyPaste, cutPaste CutPaste, insertDimension InsertDimension, deleteDimension DeleteDimension,
  appendDimension AppendDimension, moveDimension MoveDimension,
  updateDimensionProperties UpdateDimensionProperties, autoResizeDimensions AutoResizeDimensions, insertRange
  InsertRange, deleteRange DeleteRange, addDimensionGroup AddDimensionGroup, deleteDimensionGroup
  DeleteDimensionGroup, updateDimensionGroup UpdateDimensionGroup, mergeCells MergeCells, unmergeCells UnmergeCells,
  addNamedRange AddNamedRange, updateNamedRange UpdateNamedRange, deleteNamedRange DeleteNamedRange, addProtectedRange
  AddProtectedRange, updateProtectedRange UpdateProtectedRange, deleteProtectedRange DeleteProtectedRange,
  setDataValidation SetDataValidation, addConditionalFormatRule AddConditionalFormatRule, updateConditionalFormatRule
  UpdateConditionalFormatRule, deleteConditionalFormatRule DeleteConditionalFormatRule, setBasicFilter SetBasicFilter,
  clearBasicFilter ClearBasicFilter,
  createDeveloperMetadata CreateDeveloperMetadata, updateDeveloperMetadata
  UpdateDeveloperMetadata, deleteDeveloperMetadata DeleteDeveloperMetadata, addChart any, updateChartSpec any,
  updateEmbeddedObjectPosition any, updateEmbeddedObjectBorder any, deleteEmbeddedObject any, addSlicer any,
  updateSlicerSpec any, addDataSource any, updateDataSource any, deleteDataSource any, refreshDataSource any,
  cancelDataSourceRefresh any, addTable any, updateTable any, deleteTable any
""")
