// Judges the boards of standard input as the page does, and divides numbers; writes the results.

import { readFileSync } from "node:fs";
import { apportion, splitEvenly } from "../../sheets_algo/pages/board/divide.js";
import { judge } from "../../sheets_algo/pages/board/judge.js";

const { boards, totals, weights } = JSON.parse(readFileSync(0, "utf8"));
const judged = boards.map(({ rules, flanks, enemies, shore }) => judge(rules, flanks, enemies, x => Math.floor(x + 0.5) >= shore));
const split = totals.map(([total, parts]) => splitEvenly(total, parts));
const shared = weights.map(([total, parts]) => apportion(total, parts));
process.stdout.write(JSON.stringify({ judged, split, shared }));
