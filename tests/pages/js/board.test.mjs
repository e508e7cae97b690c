// The modules of the strategy board that need no page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createBoard } from "../../../sheets_algo/pages/board/board.js";
import { FORMATIONS, aligned, distributed, mirrored, placesOf } from "../../../sheets_algo/pages/board/formations.js";
import { linkOf, strategyOf } from "../../../sheets_algo/pages/board/link.js";
import { paceOf } from "../../../sheets_algo/pages/board/reach.js";
import { cellsOf, commaSeparated, inSheet, pasted, tabSeparated } from "../../../sheets_algo/pages/board/rows.js";
import { createStore } from "../../../sheets_algo/pages/board/store.js";
import { viewOf } from "../../../sheets_algo/pages/board/view.js";

const COLUMNS = ["Request", "Side", "Flank", "X", "Y", "Infantry", "Cavalry", "Artillery", "Ships", "Maneuver"];
const OTHERS = ["Flanks", "Formation", "To X", "To Y", "Strategy", "Military"];
const ASKED = { columns: COLUMNS, others: OTHERS, side: "Attacker", maneuvers: ["Normal", "Hit and run"], maneuver: "Normal", most: 99 };
const flank = (x, more = {}) => ({ label: "left", x, y: 182, infantry: 10, cavalry: 0, artillery: 5, ships: 1, maneuver: "Normal", ...more });

test("every change is undone and done again, the steps of one drag together", () => {
  const store = createStore();
  store.begin([[flank(1), flank(2)], null], 0);
  const before = store.state;
  store.choose([store.flanks[0].key]);
  const chosen = store.state;
  for (const x of [5, 6, 7]) store.edit(() => ({ x }), { merge: "drag" });
  store.settle();
  store.edit(() => ({ x: 9 }), { merge: "drag" });
  assert.deepEqual(store.flanks.map(({ x }) => x), [9, 2]);
  store.undo();
  assert.deepEqual(store.flanks.map(({ x }) => x), [7, 2]);
  store.undo();
  assert.equal(store.state, chosen);
  assert.deepEqual(store.flanks, before.sides[0]);
  assert.equal(store.canUndo, false);
  store.redo();
  store.redo();
  assert.deepEqual(store.flanks.map(({ x }) => x), [9, 2]);
  assert.equal(store.canRedo, false);
});

test("after the battle each flank stands where it ended, whatever is changed before it; a change goes back", () => {
  const ends = [5, 6].map(x => ({ ...flank(x), men: 1, status: "Ready" }));
  const board = createBoard();
  board.load({ request: { id: "W-1" }, pixels: 400, map: 0, maneuvers: [{ name: "Normal" }], sides: [{ name: "Attacker", role: 0, crew: 0, flanks: [flank(1), flank(2)], after: ends }, {}] });
  const seen = () => board.seen()[0].map(({ x }) => x);
  board.store.choose([board.store.flanks[0].key]);
  board.remove();
  assert.deepEqual(seen(), [2]);
  board.isAfter = true;
  assert.deepEqual(seen(), [5, 6]);
  board.store.undo();
  assert.equal(board.isAfter, false);
  assert.deepEqual(seen(), [1, 2]);
});

test("a flank marches at the mean pace of its men, in the source at that of its slowest type, and as its ships on water", () => {
  const units = [["infantry", 3], ["cavalry", 12], ["artillery", 2], ["ships", 8]].map(([column, speed]) => ({ column, speed, type: column }));
  const mixed = flank(1, { infantry: 10, cavalry: 30, artillery: 0 }), crews = flank(1, { infantry: 0, artillery: 0 });
  const pace = (is_averaged, chosen, feature) => paceOf({ units, is_averaged }, chosen, feature);
  assert.equal(pace(1, mixed, { speed: 0.5 }), 0.5 * 9.75);
  assert.equal(pace(0, mixed, { speed: 0.5 }), 1.5);
  assert.equal(pace(1, crews, { speed: 1 }), 8);
  assert.equal(pace(1, mixed, { is_water: true }), 8);
  assert.equal(pace(1, mixed, null), 0);
});

test("a formation has a place for each flank, none twice, and none off the map", () => {
  for (const name of Object.keys(FORMATIONS)) {
    for (const count of [1, 2, 3, 5, 12, 99]) {
      for (const ahead of [1, -1]) {
        const places = placesOf(name, count, { x: 200, y: 182, gap: 3, ahead, last: 399, rows: [0, 399] });
        assert.equal(places.length, count, name);
        assert.equal(new Set(places.map(String)).size, count, `${name} ${count}`);
        const far = placesOf(name, count, { x: 398, y: 2, gap: 10, ahead, last: 399, rows: [0, 399] });
        assert.ok(far.flat().every(value => value >= 0 && value <= 399), name);
        assert.equal(new Set(far.map(String)).size, count, `${name} ${count} at the edge`);
      }
    }
  }
});

test("a reserve stands behind, whichever way the enemy is", () => {
  for (const ahead of [1, -1]) {
    const places = placesOf("two lines and a reserve", 12, { x: 200, y: 200, gap: 10, ahead, last: 399, rows: [0, 399] });
    assert.deepEqual(places.map(([, y]) => (200 - y) * ahead + 0), [0, 0, 0, 0, 0, 10, 10, 10, 10, 10, 20, 20]);
  }
});

test("places are aligned, distributed and mirrored", () => {
  assert.deepEqual(aligned([[0, 1], [4, 5]], 1), [[0, 3], [4, 3]]);
  assert.deepEqual(distributed([[10, 0], [0, 0], [1, 0]], 0), [[10, 0], [0, 0], [5, 0]]);
  assert.deepEqual(mirrored([[0, 1], [4, 5]], 0), [[4, 1], [0, 5]]);
});

test("rows that are copied are read back as they were", () => {
  const flanks = [flank(1.5), flank(2, { label: "the\tright", maneuver: "Hit and run" })], { key: _, ...plain } = flank(2);
  const rows = cellsOf("W-0001", { name: "Attacker" }, flanks);
  const back = pasted(tabSeparated(rows), ASKED);
  assert.deepEqual(back, [flank(1.5), { ...plain, label: "the right", maneuver: "Hit and run" }]);
  assert.deepEqual(pasted(commaSeparated(COLUMNS, rows).replace("the\tright", "the right"), ASKED), back);
});

test("each army of a side has its own rows of a spreadsheet, or else those of no army, and gives them back (R-130)", async () => {
  const sides = [["Host", 60], ["River Host", 30]].map(([military, men]) => ({
    name: "Attacker", role: 0, military, names: [military], crew: 0, counts: [men, 0, 0], ships: 0, tolerances: [0, 0, 0, 0], most: 4,
    units: Array(4).fill({ header: "Men" }), default: [flank(7)], new: { x: 0, y: 0 }, flanks: [flank(7)],
  }));
  const board = createBoard(), request = { id: "W-0001" };
  board.load({ request, pixels: 400, map: 0, maneuvers: [{ name: "Normal" }], sides: [...sides, { name: "Defender", role: 1 }] });
  const named = { x: 1, y: 2, label: "", maneuver: "Normal", military: "river  host" }, free = { ...named, x: 5, military: "Nobody's" };
  board.put([named, free]);
  assert.deepEqual(board.store.state.sides.map(own => own && own.map(({ x, infantry }) => [x, infantry])), [[[5, 60]], [[1, 30]], null]);

  const rows = [0, 1].flatMap(army => cellsOf("W-0001", sides[army], board.typed(army))).map(cells => inSheet(cells, ASKED));
  assert.deepEqual(rows.map(cells => [cells.length, cells[15]]), [[16, "Host"], [16, "River Host"]]);
  assert.deepEqual(pasted(tabSeparated(rows), ASKED).map(({ military }) => military), ["Host", "River Host"]);
  const hash = await linkOf(1, "W-0001", 0, board.store.state.sides[1].map(own => ({ ...own, military: "River Host" })));
  const link = await strategyOf(hash, { protocol: 1, request: "W-0001", sides, maneuvers: ["Normal"], most: 99 });
  assert.deepEqual(link.flanks.map(({ military }) => military), ["River Host"]);

  assert.deepEqual([board.add(), board.add(), board.add()], ["", "", "A side has at most 4 flanks."]);
});

test("what a spreadsheet would calculate gets an apostrophe in the file", () => {
  assert.match(commaSeparated(COLUMNS, cellsOf("W-0001", { name: "Attacker" }, [flank(1, { label: '=1+"x"' })])), /"'=1\+""x"""/);
});

test("rows of a spreadsheet are read in any order of columns, and other sides are left out", () => {
  const text = "Side\tX\tY\tEnd X\tInfantry\nattacker\t1,5\t2\t\t7,500\nDefender\t9\t9\t\t1\n\n";
  assert.deepEqual(pasted(text, ASKED), [{ label: "", x: 1.5, y: 2, infantry: 7500, maneuver: "Normal" }]);
});

test("rows of a workbook with other columns, or with the ends of flanks beside them, are single flanks", () => {
  const [row] = cellsOf("W-0001", { name: "Attacker" }, [flank(1)]);
  const all = [flank(1)];
  assert.deepEqual(pasted(tabSeparated([[...COLUMNS, ...OTHERS], [...row, 1, "", "", "", "mine"]]), ASKED), all);
  assert.deepEqual(pasted(tabSeparated([[...row, 42, 17.5, 10]]), ASKED), all);
  assert.deepEqual(pasted(tabSeparated([[...row, "", "", "", "", "mine"]]), ASKED), all);
});

for (const [text, says] of [
  ["", /no rows/],
  ["X\tY\tFlanks\n1\t2\t12", /Row 2 stands for 12 flanks/],
  [tabSeparated([[...cellsOf("W-0001", { name: "Attacker" }, [flank(1)])[0], 12, "ring"]]), /Row 1 stands for 12 flanks/],
  ["hello", /1 cells/],
  ["X\tY\tColour\n1\t2\tred", /no column "colour"/],
  ["X\tY\tInfantry\n1\t2\t-3", /Row 2, infantry: "-3" is not a whole number/],
  ["X\tY\n1e999\t2", /Row 2, x/],
  ["X\tY\tManeuver\n1\t2\tDance", /"Dance" is none of Normal, Hit and run/],
  ["X\tY\n" + "1\t2\n".repeat(100), /100 flanks; a side has at most 99/],
  ["x".repeat(300_000), /too long/],
]) test(`a paste is refused in a sentence: ${says}`, () => assert.throws(() => pasted(text, ASKED), says));

test("a link gives the strategy back, and nothing else does", async () => {
  const of = { protocol: 1, request: "W-0001", sides: [{ role: 0 }, null], maneuvers: ASKED.maneuvers, most: 99 };
  const hash = await linkOf(1, "W-0001", 0, [flank(1), flank(2)]);
  assert.deepEqual(await strategyOf(hash, of), { side: 0, flanks: [flank(1), flank(2)] });
  assert.equal(await strategyOf("#h=3", of), null);
  const wrong = [
    "#s=", "#s=AAAA", `#s=${"A".repeat(70_000)}`, hash.slice(0, -5),
    await linkOf(1, "W-0001", 1, [flank(1)]), await linkOf(1, "W-0001", "constructor", [flank(1)]), await linkOf(1, "W-0001", 0, []),
    await linkOf(1, "W-0001", 0, [flank(NaN)]), await linkOf(1, "W-0001", 0, [flank(1, { infantry: -1 })]),
    await linkOf(1, "W-0001", 0, [flank(1, { maneuver: "<img>" })]), await linkOf(1, "W-0001", 0, [flank(1, { label: {} })]),
    await linkOf(1, "W-0001", 0, Array(100).fill(flank(1))), await linkOf(1, "W-0001", 0, [flank(1, { label: "x".repeat(2_000_000) })]),
  ];
  for (const other of wrong) await assert.rejects(strategyOf(other, of), /not that of a strategy/);
  await assert.rejects(strategyOf(await linkOf(1, "W-0002", 0, [flank(1)]), of), /W-0002, and this is the board of W-0001/);
  await assert.rejects(strategyOf(await linkOf(2, "W-0001", 0, [flank(1)]), of), /another version/);
});

test("a place of the screen stays under the pointer while one zooms, and the view stays on the map", () => {
  const view = viewOf(400);
  view.resize(800);
  view.fit([[190, 182], [210, 218]]);
  const before = view.toMap(300, 500);
  view.zoom(2, 300, 500);
  view.toMap(300, 500).forEach((value, axis) => assert.ok(Math.abs(value - before[axis]) < 1e-9));
  view.pan(1e6, -1e6);
  const corner = [...view.toMap(0, 0), ...view.toMap(800, 800)];
  assert.ok(corner.every(value => value >= -0.51 && value <= 399.51), corner);
});
