// The strategy board in a dialog of Google Sheets, in Apps Script. docs/board-in-sheets.md says how it gets here.
// The program keeps the tab Boards: the data of each request that is not ruled. Nothing here knows a rule.

function onOpen() { SpreadsheetApp.getUi().createMenu("sheets-algo").addItem("Board", "showBoard").addToUi(); }

function showBoard() {
  const page = HtmlService.createHtmlOutputFromFile("Board").setWidth(1400).setHeight(900);
  SpreadsheetApp.getUi().showModalDialog(page, "Strategy board");
}

// The form in which the program compares names (DB-07): capitals, spaces, the kinds of apostrophes and dashes, and the composition of accents do not matter.
function loosely(value) {
  const text = String(value).trim().replace(/\s+/g, " ").replace(/[^ı]/gu, sign => sign.toUpperCase().toLowerCase());
  return text.normalize("NFC").replace(/[`´ʹʻʼʽˈ‘’‛′＇ꞌ]/g, "'").replace(/[‐‑‒–—―−﹘﹣－]/g, "-");
}

function isSame(one, other) { return loosely(one) === loosely(other); }

// A tab with the place of its headers, and of the places of columns by header, -1 for one that is not there.
function tabOf(name, needed) {
  const sheet = [`${name} (algo)`, name].map(title => SpreadsheetApp.getActive().getSheetByName(title)).find(Boolean);
  const values = sheet ? sheet.getDataRange().getValues() : [];
  const head = values.findIndex(row => needed.every(header => row.some(cell => isSame(cell, header))));
  if (head < 0) throw new Error(`There is no tab ${name} with the columns ${needed.join(", ")}.`);
  return { sheet, values, head, places: headers => headers.map(header => values[head].findIndex(cell => isSame(cell, header))) };
}

function boardRows() { return tabOf("Boards", ["Request", "War", "Part", "Data"]).values.slice(1).filter(([request]) => request !== ""); }

function listBoards() {
  return JSON.stringify(boardRows().filter(([, , part]) => part === 1).map(([id, war]) => ({ id: String(id), war: String(war), is_ruled: false })));
}

// The data of a request's board, the rows of each side as they are now, and a version of them.
function readBoard(id) {
  const parts = boardRows().filter(([request]) => isSame(request, id)).map(row => row[3]);
  if (!parts.length) throw new Error(`${id} has no board here: it is ruled, or check says what is missing, or run was not called yet.`);
  const data = JSON.parse(parts.join("")), { tabs } = data, flanks = flanksOf(data);
  const requests = tabOf(tabs.requests, [tabs.request, tabs.status]), [own, status] = requests.places([tabs.request, tabs.status]);
  data.request.is_ruled = requests.values.slice(requests.head + 1).some(row => isSame(row[own], id) && isSame(row[status], tabs.ruled));
  data.rows = Object.fromEntries(data.sides.map(({ name }) => [name, flanks.rowsOf(name).map(flanks.typed)]));
  data.versions = Object.fromEntries(data.sides.map(({ name }) => [name, JSON.stringify(data.rows[name])]));
  return JSON.stringify(data);
}

// The tab of flanks: the numbers of the rows of a side, which name the request or its war, what people typed into a row, and whether a cell shows a share, which is
// a number in the format of per cent.
function flanksOf({ tabs }) {
  const tab = tabOf(tabs.rows, tabs.columns.slice(0, 2)), typed = tab.places([...tabs.columns, ...tabs.others]);
  const rowsOf = side => tab.values.flatMap((row, number) => (number > tab.head && tabs.names.some(name => isSame(row[typed[0]], name)) && isSame(row[typed[1]], side) ? [number] : []));
  const shared = tab.places(tabs.shares);
  let formats = null;
  function isShare(number, place) {
    const value = shared.includes(place) && tab.values[number] ? tab.values[number][place] : "";
    if (typeof value !== "number" || !value || (value > 1 && Number.isInteger(value))) return false;
    formats ??= tab.sheet.getDataRange().getNumberFormats();
    return formats[number][place].includes("%");
  }
  const textOf = (number, place) => (isShare(number, place) ? `${Number((100 * tab.values[number][place]).toPrecision(15))} %` : String(tab.values[number][place]));
  return { ...tab, rowsOf, isShare, typed: number => typed.map(place => (place < 0 ? "" : textOf(number, place))) };
}

// Put rows in place of those of one side, as the program does: rows that stay, new ones below all, and what is left emptied.
function writeBoard(id, side, rows, version) {
  const lock = LockService.getDocumentLock();
  lock.waitLock(20000);
  try {
    const data = JSON.parse(readBoard(id)), flanks = flanksOf(data), { tabs } = data, old = flanks.rowsOf(side);
    if (data.request.is_ruled) return refused(`${id} is ruled, so its flanks stay as they were; nothing is saved.`, { is_ruled: true });
    if (data.versions[side] !== version) return refused(`Somebody changed the ${side.toLowerCase()}'s rows of ${tabs.rows} meanwhile; nothing is saved.`, { is_edited: true });
    const names = [...tabs.columns, ...tabs.army], columns = flanks.places(names), missing = columns.findIndex((place, at) => place < 0 && rows.some(row => (row[at] ?? "") !== "" && row[at] !== 0));
    if (missing >= 0) return refused(`${tabs.rows} has no column ${names[missing]}; add it, then save again.`);
    const last = flanks.values.reduce((found, row, number) => (row.some(cell => cell !== "" && cell !== false) ? number : found), flanks.head);
    const numbers = rows.map((_, at) => (at < old.length ? old[at] : last + 1 + at - old.length)), bottom = Math.max(0, ...numbers) + 1 - flanks.sheet.getMaxRows();
    if (bottom > 0) flanks.sheet.insertRowsAfter(flanks.sheet.getMaxRows(), bottom);
    const others = flanks.places(tabs.others), kept = flanks.places(tabs.kept);
    const put = (number, places, values) => places.forEach((place, at) => {
      if (place >= 0) flanks.sheet.getRange(number + 1, place + 1).setValue(values[at]);
    });
    numbers.forEach((number, at) => {
      put(number, others, others.map(place => (kept.includes(place) && old.length ? flanks.values[old[0]][place] : "")));
      const cells = rows[at].map((value, column) => cellOf(value, flanks.isShare(number, columns[column])));
      const first = at < old.length && !isSame(flanks.values[number][columns[0]], id) ? 1 : 0; // a row that names the war goes on to do so
      put(number, columns.slice(first, cells.length), cells.slice(first));
    });
    const all = [...tabs.columns, ...tabs.others, ...tabs.results];
    for (const number of old.slice(rows.length)) put(number, flanks.places(all), all.map(() => ""));
    SpreadsheetApp.flush();
    return JSON.stringify({ text: `Saved: ${rows.length} flank${rows.length === 1 ? "" : "s"} of the ${side.toLowerCase()} of ${id}.`, board: JSON.parse(readBoard(id)) });
  } finally { lock.releaseLock(); }
}

// A value as its cell has to hold it: a text stays one, and where a share is shown, a share is a number.
function cellOf(value, isShare) {
  const share = isShare && /^([\d.]+) %$/.exec(value);
  if (share) return Number((share[1] / 100).toPrecision(15));
  return (typeof value === "string" && value) || (isShare && value !== "") ? `'${value}` : value;
}

function refused(text, why = {}) { return JSON.stringify({ refused: text, ...why }); }
