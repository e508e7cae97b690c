// Divides the numbers of standard input as the page does, and places formations; writes the results.

import { readFileSync } from "node:fs";
import { apportion, splitEvenly } from "../../sheets_algo/pages/board/divide.js";
import { FORMATIONS, placesOf } from "../../sheets_algo/pages/board/formations.js";
import { cellsFor, countsOfAll } from "../../sheets_algo/pages/board/shares.js";

const { totals, weights, middles, sides, drafts } = JSON.parse(readFileSync(0, "utf8"));
const split = totals.map(([total, parts]) => splitEvenly(total, parts));
const shared = weights.map(([total, parts]) => apportion(total, parts));
const counted = sides.map(([columns, whole, byMen]) => countsOfAll(columns, whole, byMen));
const typed = drafts.map(([flanks, whole, byMen]) => cellsFor(flanks, whole, byMen, true));
const placed = Object.fromEntries(Object.keys(FORMATIONS).map(name => [
  name, middles.map(({ count, ...more }) => placesOf(name, count, { gap: 10, last: 399, ...more })),
]));
process.stdout.write(JSON.stringify({ split, shared, placed, counted, typed }));
