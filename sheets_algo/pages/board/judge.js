// Judges a strategy by the record of its rules that the engine exports: it adds, compares and looks up, and knows no rule.

import { isHidden, nearestCover } from "./cover.js";
import { apportion } from "./divide.js";
import { COUNTS } from "./shares.js";

// The men of each flank: those of its slots, and its share of the crews.
export function menOf(rules, flanks) {
  const crews = apportion(rules.crew, flanks.map(flank => flank.ships));
  return flanks.map((flank, place) => flank.infantry + flank.cavalry + flank.artillery + crews[place]);
}

// The message of a side, its problems and its warnings, in the order and words of the engine's own check. `enemies` is the
// number of the enemy's flanks, null if that is not known; `field` has the ground and the enemy's places (see `cover.js`).
export function judge(rules, flanks, enemies, field) {
  const { words } = rules, men = menOf(rules, flanks);
  const judged = flanks.map((flank, place) => ({ ...flank, men: men[place], label: flank.label || String(place + 1) }));
  const totals = wrongTotals(rules, judged);
  const good = fill(words.good, { found: sum(judged, "men"), expected: rules.men });
  const invalid = totals.map(({ kind, value, allowed }) => fill(words.invalid, { kind, found: value, expected: allowed }));
  const problems = [...totals, ...tooMany(rules, judged)];
  judged.forEach((flank, place) => problems.push(...wrongCells(rules, flank, place, field, false), ...inTheOpen(rules.ambush, flank, place, field)));
  judged.forEach((flank, place) => problems.push(...wrongCells(rules, flank, place, field, true)));
  return { text: invalid.join("; ") || good, problems, warnings: warningsOf(rules, judged, enemies) };
}

// Whether a flank stands where it may not, or has men that it may not have.
export function isWrong(rules, flank, field) {
  return rules.limits.some(limit => breaks(limit, flank, field)) || isInTheOpen(rules.ambush, flank, field);
}

// The limits that one flank breaks; those of water are asked for apart, since they come last.
function wrongCells(rules, flank, place, field, onWater) {
  return rules.limits.filter(limit => limit.on_water === onWater && breaks(limit, flank, field)).map(limit => (
    { id: limit.id, kind: limit.header, excess: "", value: flank[limit.column], allowed: limit.allowed, flank: place }
  ));
}

function breaks(limit, flank, { isWater }) {
  if (limit.on_water) return flank.ships > 0 && !isWater(flank.x, flank.y);
  if (limit.free && flank.maneuver === limit.free) return false;
  const value = flank[limit.column];
  return !(limit.low <= value && (limit.high === null || value <= limit.high));
}

function inTheOpen(ambush, flank, place, field) {
  if (!isInTheOpen(ambush, flank, field)) return [];
  const nearest = nearestCover(flank.x, flank.y, ambush.apart, field);
  const allowed = nearest ? fill(ambush.place, nearest) : ambush.nowhere;
  return [{ id: ambush.id, kind: ambush.header, excess: "", value: flank[ambush.column], allowed, flank: place }];
}

function isInTheOpen(ambush, flank, field) {
  return Boolean(ambush) && flank.maneuver === ambush.maneuver && !isHidden(flank.x, flank.y, ambush.apart, field);
}

// Whether flanks have the men and ships of their army.
export function isWholeArmy(rules, flanks) {
  const men = menOf(rules, flanks), lacks = rules.limits.filter(({ column }) => COUNTS.includes(column));
  return !wrongTotals(rules, flanks.map((flank, place) => ({ ...flank, men: men[place] }))).length && !lacks.some(({ column }) => sum(flanks, column));
}

function wrongTotals(rules, flanks) {
  const totals = rules.totals.flatMap(total => wrongTotal(total, flanks, rules.words));
  return totals.length ? totals : wrongTotal(rules.size, flanks, rules.words);
}

function wrongTotal(total, flanks, words) {
  const value = sum(flanks, total.column);
  if (Math.abs(value - total.expected) <= total.tolerance) return [];
  const excess = value > total.expected ? words.too_many : words.too_few;
  return [{ id: total.id, kind: total.kind, excess, value, allowed: String(total.expected), flank: null }];
}

function tooMany(rules, flanks) {
  if (flanks.length <= rules.flanks_most) return [];
  const allowed = rules.flanks_allowed;
  return [{ id: "STRAT-01", kind: "Flanks", excess: "", value: flanks.length, allowed, flank: rules.flanks_most }];
}

function warningsOf(rules, flanks, enemies) {
  const { words } = rules, warnings = [];
  if (enemies !== null && flanks.length !== enemies && rules.more_hit_harder) {
    const counted = flanks.length === 1 ? words.one_flank : fill(words.flanks, { number: flanks.length });
    warnings.push(fill(words.unlike, { flanks: counted, enemies }));
  }
  const small = flanks.filter(flank => flank.men > 0 && flank.men < rules.small);
  if (small.length)
    warnings.push(fill(words.small, { men: rules.small_text, flanks: listed(small.map(flank => fill(words.men, flank)), words) }));
  const empty = flanks.filter(flank => flank.men === 0);
  const named = empty.map(flank => (flank.ships ? fill(words.ships, flank) : flank.label));
  if (empty.length) warnings.push(fill(words.empty, { flanks: listed(named, words) }));
  return warnings;
}

function listed(names, words) {
  const more = names.length > words.listed ? fill(words.more, { number: names.length - words.listed }) : "";
  return names.slice(0, words.listed).join(", ") + more;
}

export function sum(flanks, column) { return flanks.reduce((total, flank) => total + flank[column], 0); }

// A text with the values in place of their names in braces.
export function fill(text, values) { return text.replace(/\{(\w+)\}/g, (_, name) => values[name]); }
