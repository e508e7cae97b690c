// Rows of the tab Flanks: as text for a spreadsheet, and read back from what was copied there.

import { COUNTS, shareText, wantedFor } from "./shares.js";

const MOST_TEXT = 200_000;

// The cells of an army's rows in the order of `columns`; of one that has allies its name is the last.
export function cellsOf(request, { name, military }, flanks) {
  return flanks.map(flank => [
    request, name, flank.label, flank.x, flank.y, ...COUNTS.map(count => flank[count]), flank.maneuver, ...(military ? [military] : []),
  ]);
}

// The cells of a row as the tab has them, whose last column of people is that of the army.
export function inSheet(cells, { columns, others }) {
  return [...cells.slice(0, columns.length), ...cells.slice(columns.length).flatMap(army => [...others.slice(1).map(() => ""), army])];
}

// Tab-separated rows without headers, to be pasted below those of the tab.
export function tabSeparated(rows) { return rows.map(row => row.map(plain).join("\t")).join("\n"); }

// A text that a spreadsheet would calculate gets an apostrophe, as in the program's own files.
export function commaSeparated(columns, rows) {
  const cell = value => {
    const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map(row => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

function plain(value) { return String(value).replace(/[\t\r\n]+/g, " "); }

// The flanks of pasted rows, of any side if none is named in them; throws an Error whose message says what is wrong.
// `others` are the columns that a board leaves blank; the first has the number of flanks of a row that stands for several.
// `maneuver` is that of a flank for which nobody has typed one.
export function pasted(text, { columns, others, side, maneuvers, maneuver, most }) {
  if (text.length > MOST_TEXT) throw new Error("That is too long for the rows of Flanks.");
  const lines = text.replace(/\r\n?/g, "\n").split("\n").filter(line => line.trim());
  if (!lines.length) throw new Error("There are no rows in what was copied.");
  const grid = lines.map(line => cells(line));
  const head = grid[0].map(loosely), hasHead = head.includes("x") && head.includes("y");
  const known = [...columns, ...others].map(loosely), names = hasHead ? head : known;
  const unknown = hasHead ? head.filter(name => name && !known.includes(name) && !/^end |^\s*$/.test(name)) : [];
  if (unknown.length) throw new Error(`There is no column "${unknown[0]}" in Flanks; there are ${columns.join(", ")}.`);
  const rows = hasHead ? grid.slice(1) : grid;
  if (!hasHead && rows[0].length < 4) throw new Error(`A row has ${rows[0].length} cells; copy whole rows of Flanks.`);
  const flanks = [];
  rows.forEach((row, place) => {
    const value = name => (row[names.indexOf(name)] ?? "").trim();
    if (value("side") && loosely(value("side")) !== loosely(side)) return;
    if (!row.some(cell => cell.trim())) return;
    const stands = hasHead ? value(loosely(others[0])) : besideLast(row, columns.length);
    if (stands !== "" && stands !== "1") throw new Error(`Row ${place + 1 + hasHead} stands for ${stands} flanks; paste rows of single flanks.`);
    flanks.push(read(value, place + 1 + hasHead, maneuvers, maneuver));
  });
  if (!flanks.length) throw new Error(`None of these rows is of the ${side.toLowerCase()}.`);
  if (flanks.length > most) throw new Error(`These are ${flanks.length} flanks; a side has at most ${most}.`);
  return flanks;
}

// The number of flanks in a row without headers: workbooks that lack the column have the place of the end there, two numbers.
function besideLast(row, place) {
  const [first, second] = [row[place] ?? "", row[place + 1] ?? ""].map(cell => cell.trim());
  return /^\d{1,2}$/.test(first) && numberOf(second) === null ? first : "";
}

function read(value, line, maneuvers, usual) {
  const found = { label: value("flank").slice(0, 200) };
  for (const name of ["x", "y", ...COUNTS]) {
    const typed = value(name);
    if (typed === "") continue;
    const isCount = COUNTS.includes(name), share = isCount && typed.endsWith("%") ? numberOf(typed.slice(0, -1)) : null;
    if (share !== null && share >= 0 && share <= 100) {
      found[name] = shareText(share);
      continue;
    }
    const number = numberOf(typed);
    if (number === null || (isCount && (number < 0 || !Number.isInteger(number))) || Math.abs(number) > 1e9)
      throw new Error(`Row ${line}, ${name}: "${typed.slice(0, 40)}" is not ${isCount ? wantedFor(typed) : "a number"}.`);
    found[name] = number;
  }
  if (value("military")) found.military = value("military");
  const maneuver = value("maneuver");
  found.maneuver = maneuver ? maneuvers.find(known => loosely(known) === loosely(maneuver)) : usual;
  if (!found.maneuver) throw new Error(`Row ${line}, maneuver: "${maneuver.slice(0, 40)}" is none of ${maneuvers.join(", ")}.`);
  return found;
}

// 7500, 7,500, 7 500, 199.5 and 199,5.
function numberOf(text) {
  const bare = text.replace(/[\s\u00a0\u202f']/g, "").replace(/^[-+]?\d{1,3}(,\d{3})+(?=$|\.)/, found => found.replaceAll(",", ""));
  const number = /^[-+]?(\d+([.,]\d*)?|[.,]\d+)$/.test(bare) ? Number(bare.replace(",", ".")) : NaN;
  return Number.isFinite(number) ? number : null;
}

// A row of a spreadsheet, or of a CSV file if it has no tab.
function cells(line) {
  if (line.includes("\t")) return line.split("\t");
  const found = [], pattern = /("(?:[^"]|"")*"|[^,;]*)(?:[,;]|$)/g;
  for (const match of line.matchAll(pattern)) {
    found.push(match[1].startsWith('"') ? match[1].slice(1, -1).replaceAll('""', '"') : match[1]);
    if (match.index + match[0].length >= line.length) break;
  }
  return found;
}

export function loosely(text) { return text.trim().toLowerCase().replace(/[\s_-]+/g, " "); }
