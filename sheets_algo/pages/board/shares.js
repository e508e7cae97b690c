// What is typed for the men and ships of a side's flanks: blank, a number, or a share of the army's such as `40 %`.

import { apportion } from "./divide.js";

export const COUNTS = ["infantry", "cavalry", "artillery", "ships"];
const UNIT = 1e6, WHOLE = 100 * UNIT, ROUNDED = UNIT, EXCESS = 100; // units of one per cent, as the program counts them
const DIGITS = [0, 1, 2, 4, 5, 6];

// The per cent of a cell with a share, null for any other cell.
export function shareOf(cell) {
  const found = /^(\d+(?:\.\d+)?) %$/.exec(cell);
  return found && Number(found[1]) <= 100 ? Number(found[1]) : null;
}

// A share as a cell; three digits behind the point might be thousands.
export function shareText(share) { return `${share}${/\.\d{3}$/.test(share) ? "0" : ""} %`; }

// What a count has to be that is typed like this.
export function wantedFor(text) { return text.trim().endsWith("%") ? "a share from 0 % to 100 %" : "a whole number from 0"; }

function unitsOf(cell) { return Math.floor((shareOf(cell) ?? 0) * UNIT + 0.5); }

function add(numbers) { return numbers.reduce((sum, number) => sum + number, 0); }

function areWhole(units) { return WHOLE - ROUNDED <= add(units) && add(units) <= WHOLE + EXCESS; }

function isBlank(cells) { return cells.every(cell => cell === ""); }

// The numbers that the cells of one column stand for; blank cells divide by the weights what the others leave.
export function countsOf(cells, total, weights = []) {
  const units = cells.map(unitsOf), parts = apportion(areWhole(units) ? total : Math.floor(total * add(units) / WHOLE + 0.5), units);
  const counts = cells.map((cell, place) => (shareOf(cell) === null ? cell || 0 : parts[place])), even = isBlank(cells) ? 1 : 0;
  const blanks = cells.map((cell, place) => (cell !== "" ? 0 : add(weights) ? weights[place] : even));
  return apportion(Math.max(total - add(counts), 0), blanks).map((more, place) => counts[place] + more);
}

// What divides the blank ships of flanks: their men under a rule, else nothing.
function weightsOf(men, shipsByMen) { return shipsByMen ? men[0].map((_, place) => add(men.map(column => column[place]))) : []; }

// The numbers of all columns; men that nobody counts are none beside numbers.
export function countsOfAll(columns, totals, shipsByMen) {
  const hasNumbers = columns.flat().some(cell => typeof cell === "number"), ships = columns.length - 1;
  const men = columns.slice(0, ships).map((cells, at) => (hasNumbers && isBlank(cells) ? cells.map(() => 0) : countsOf(cells, totals[at])));
  return [...men, countsOf(columns[ships], totals[ships], weightsOf(men, shipsByMen))];
}

function fits(cells, fillsBlanks = false) {
  const shares = cells.filter(cell => shareOf(cell) !== null).map(unitsOf);
  const isFilled = fillsBlanks && cells.includes("") && add(shares) <= WHOLE;
  return !shares.length || ((areWhole(shares) || isFilled) && !cells.some(cell => typeof cell === "number" && cell > 0));
}

// The cells to be typed for the flanks of a side: those that are there while they mean the same; blank cells if these do,
// else shares. The numbers of a side that has more or fewer than its whole army stay numbers.
export function cellsFor(flanks, totals, shipsByMen, isWhole) {
  const counts = COUNTS.map(name => flanks.map(flank => flank[name])), typed = COUNTS.map((_, at) => flanks.map(flank => flank.typed?.[at] ?? ""));
  if (typed.every((cells, at) => fits(cells, shipsByMen && COUNTS[at] === "ships")) && isEqual(countsOfAll(typed, totals, shipsByMen), counts)) return typed;
  if (!isWhole) return counts;
  return counts.map((column, at) => {
    const total = totals[at], isShared = typed[at].some(cell => shareOf(cell) !== null), blank = column.map(() => "");
    if (isShared && fits(typed[at]) && isEqual(countsOf(typed[at], total), column)) return typed[at];
    const weights = COUNTS[at] === "ships" ? weightsOf(counts.slice(0, at), shipsByMen) : [];
    return !add(column) || isEqual(column, countsOf(blank, total, weights)) ? blank : sharesOf(column, total);
  });
}

// The shares with the fewest digits that stand for the numbers of a column.
function sharesOf(column, total) {
  const wanted = apportion(total, column);
  let cells;
  for (const digits of DIGITS) {
    cells = apportion(100 * 10 ** digits, column).map(part => shareText(part / 10 ** digits));
    if (isEqual(countsOf(cells, total), wanted)) break;
  }
  return cells;
}

function isEqual(one, other) { return JSON.stringify(one) === JSON.stringify(other); }
