// The strategy board: puts data, tools and the picture together.

import { byId, element } from "../shared/dom.js";
import { followTheme, theme } from "../shared/marks.js";
import { createBoard, wholeOf } from "./board.js";
import { draw, openMask } from "./draw.js";
import { FORMATIONS, aligned, distributed, mirrored, placesOf } from "./formations.js";
import { listen, listenToClipboard, listenToKeys } from "./input.js";
import { linkOf, strategyOf } from "./link.js";
import { edited, fillArmies, fillManeuvers, showEditor, showList, showPlaced } from "./panel.js";
import { paceOf, reachOf } from "./reach.js";
import { cellsOf, commaSeparated, inSheet, pasted, tabSeparated } from "./rows.js";
import { viewOf } from "./view.js";

const tools = { isMeasuring: false, ruler: null, lasso: null, pointer: null, isDragging: false };
const extras = { heat: [], ghosts: [] }; // what pages that can do more have drawn
const mask = { key: "", picture: null }; // what is open to an ambush
const MEN_A_STEP = 50;
let board, view, canvas, isDue = false, isWhole = false, lastChosen = "";

// Show a war, and return what other modules of a page need of it.
export async function begin(data) {
  followTheme(() => {
    board.ground?.repaint(theme.isDark);
    redraw();
  });
  board = createBoard();
  canvas = byId("map");
  view = viewOf(data.pixels);
  board.load(data);
  await board.choose(data.map);
  fillLists();
  listen(canvas, board, view, tools, redraw);
  listenToKeys(board, view, redraw);
  listenToClipboard(board, { textOf: flanks => sheetText(rowsToCopy(flanks)), take, say }, redraw);
  for (const [id, act] of Object.entries(ACTIONS)) byId(id)?.addEventListener("click", () => { act(); redraw(true); });
  listenToForms();
  board.store.subscribe(() => redraw(!tools.lasso && !tools.isDragging));
  new ResizeObserver(resize).observe(canvas);
  const head = document.querySelector(".head");
  new ResizeObserver(() => document.body.style.setProperty("--head", `${head.offsetHeight}px`)).observe(head);
  resize();
  await takeLink();
  fit();
  listenToBack();
  document.body.dataset.ready = "";
  return { board, view, extras, say, redraw, open, rowsOf };
}

// Show another war, or the same one as it is now.
async function open(data) {
  const isSame = board.data.request.id === data.request.id;
  board.load(data);
  await board.choose(data.map);
  fillLists();
  if (!isSame) fit();
  redraw(true);
}

function fit() {
  view.fit(board.seen().flat().map(flank => [flank.x, flank.y]));
  redraw(true);
}

// --- Drawing

function resize() {
  view.resize(canvas.clientWidth || 1);
  redraw();
}

// Draw at the next frame; `whole` also brings list, messages and editor up to date.
function redraw(whole = false) {
  isWhole = isWhole || whole;
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    const all = isWhole;
    isDue = isWhole = false;
    show(all);
  });
}

function show(all) {
  const { data, store } = board, size = view.size, sharp = window.devicePixelRatio || 1, pen = canvas.getContext("2d");
  if (canvas.width !== Math.round(size * sharp)) canvas.width = canvas.height = Math.round(size * sharp);
  pen.setTransform(sharp, 0, 0, sharp, 0, 0);
  const seen = board.seen();
  draw(pen, {
    view, ground: board.ground, sides: seen, side: store.state.side, chosen: new Set(store.state.chosen), wrong: board.isAfter ? new Set() : board.wrong,
    zone: board.isAfter || coverMask() ? null : startRows(), cover: board.isAfter ? null : coverMask(),
    ruler: tools.ruler && { ...tools.ruler, text: rulerText(seen) }, lasso: tools.lasso, circles: circlesOf(seen), ...extras, km: data.km, pixels: data.pixels,
  });
  byId("where").textContent = whereText();
  if (all || tools.isDragging) showPlaced(board);
  if (!all) return; // the list and the editor wait until a drag ends
  showList(board, seen);
  showEditor(board, seen);
  noteSheet();
  keepInView(seen);
  byId("undo").hidden = !store.canUndo;
  byId("redo").hidden = !store.canRedo;
  byId("measure").setAttribute("aria-pressed", tools.isMeasuring);
  for (const [side, own] of board.shown.entries()) if (own) byId(`side${side}`).setAttribute("aria-pressed", store.state.side === side);
  byId("restore").setAttribute("aria-pressed", board.isAfter);
  byId("add").hidden = byId("reset").hidden = board.isAfter;
}

function isSheetOver() {
  const sheet = byId("sheet");
  return !sheet.hidden && getComputedStyle(sheet).position === "fixed";
}

// An open sheet is an entry of the history, so that a phone's way back closes it and stays on the page.
function noteSheet() {
  const isNoted = Boolean(history.state?.isSheet), isOver = isSheetOver();
  if (isOver && !isNoted) history.pushState({ isSheet: true }, "");
  else if (!isOver && isNoted) history.back();
}

function listenToBack() {
  window.addEventListener("popstate", ({ state }) => {
    if (state?.isSheet || !isSheetOver()) return;
    board.store.choose([]);
    redraw(true);
  });
}

// Move the map so that a flank that was just chosen is not below the sheet that slides over it on a phone.
function keepInView(seen) {
  const chosen = board.store.state.chosen.join(), isNew = chosen && chosen !== lastChosen;
  lastChosen = chosen;
  if (!isNew || !isSheetOver()) return;
  const free = window.innerHeight - byId("sheet").offsetHeight - canvas.getBoundingClientRect().top;
  const flank = seen[board.store.state.side].find(({ key }) => key === board.store.state.chosen[0]);
  const [, y] = view.toScreen(flank.x, flank.y);
  if (y > free - 40 && free > 80) {
    view.pan(0, free / 2 - y);
    redraw();
  }
}

// The rows where the chosen army may start (R-116).
function startRows() { return board.own.rows; }

// What hides no ambush, while a flank in ambush is chosen (R-118).
function coverMask() {
  const { ambush } = board.own;
  if (!board.ground || !ambush || !board.store.chosen.some(({ maneuver }) => maneuver === ambush)) return null;
  const key = `${board.data.request.id} ${board.map} ${theme.isDark}`;
  if (key !== mask.key) Object.assign(mask, { key, picture: openMask(board.ground, board.data.pixels) });
  return mask.picture;
}

function armyText({ nation, army, points, mix }) {
  const known = points === null || points === undefined ? [] : [`${Math.round(points).toLocaleString("en")} points`];
  return army ? [army, ...known].join(", ") + mix : nation;
}

function whereText() {
  if (!tools.pointer || !board.ground) return "";
  const [x, y] = tools.pointer.map(Math.round), last = board.data.pixels - 1;
  if (x < 0 || y < 0 || x > last || y > last) return "off the map";
  return `${x}, ${y}: ${board.ground.at(x, y).name}`;
}

function circlesOf(seen) {
  if (board.store.state.chosen.length !== 1) return [];
  const flank = seen[board.store.state.side].find(({ key }) => key === board.store.state.chosen[0]);
  if (!flank) return [];
  const { units } = board.own, pace = paceOf(board.own, flank, board.ground && board.ground.at(flank.x, flank.y));
  const circle = (radius, dash, text) => ({ x: flank.x, y: flank.y, radius, dash, text });
  return [circle(reachOf(units, flank), [], "reach"), circle(pace, [6, 4], "1 h")];
}

function rulerText(seen) {
  const { from, to } = tools.ruler, far = Math.hypot(to[0] - from[0], to[1] - from[1]), flank = seen[board.store.state.side].find(({ key }) => key === board.store.state.chosen[0]);
  const pace = flank ? paceOf(board.own, flank, board.ground && board.ground.at(flank.x, flank.y)) : 0;
  return `${far.toFixed(1)} px, ${(far * board.data.km).toFixed(1)} km${pace ? `, ${(far / pace).toFixed(1)} h` : ""}`;
}

function say(text) { byId("said").textContent = text; }

function step(button) {
  const { of, by } = button.dataset, field = byId("editor").elements[of];
  field.value = Math.max(0, Number(field.value) + Number(by) * (of === "ships" ? 1 : MEN_A_STEP)) || 0;
  apply();
}

// Take what was typed into the sheet.
function apply() {
  try {
    const found = edited(wholeOf(board.own));
    board.store.edit(() => found);
    say("");
  } catch (error) { say(error.message); }
}

// --- Tools

const ACTIONS = {
  "add": () => say(board.add()),
  "remove": () => board.remove(),
  "undo": () => board.store.undo(),
  "redo": () => board.store.redo(),
  "nearer": () => view.zoom(1.5),
  "farther": () => view.zoom(1 / 1.5),
  "fit": fit,
  "measure": () => { tools.isMeasuring = !tools.isMeasuring; tools.ruler = null; },
  "reset": () => board.reset(),
  "restore": () => { board.isAfter = !board.isAfter; say(board.isAfter ? "After the battle." : "Before the battle."); },
  "even": () => board.evenOut(),
  "split": () => say(board.split(2)),
  "merge": () => board.merge(),
  "align-x": () => rearrange(places => aligned(places, 0)),
  "align-y": () => rearrange(places => aligned(places, 1)),
  "spread-x": () => rearrange(places => distributed(places, 0)),
  "spread-y": () => rearrange(places => distributed(places, 1)),
  "mirror-x": () => rearrange(places => mirrored(places, 0)),
  "mirror-y": () => rearrange(places => mirrored(places, 1)),
  "all": () => board.store.choose(board.store.flanks.map(flank => flank.key)),
  "copy-flanks": () => say(board.addCopies(board.store.chosen)),
  "copy": () => copy(sheetText(rowsToCopy()), "The rows are copied; paste them into Flanks, below its headers."),
  "save": () => download(`${board.data.request.id} ${board.own.name}.csv`, new Blob([commaSeparated([...board.data.columns, ...board.data.others.slice(-1)], rowsToCopy())], { type: "text/csv" })),
  "link": async () => {
    const { protocol, request } = board.data;
    const flanks = board.armies(board.own.name).flatMap(army => board.typed(army).map(flank => ({ ...flank, military: board.shown[army].military })));
    history.replaceState(null, "", await linkOf(protocol, request.id, board.own.role, flanks));
    copy(location.href, "The link is copied; it holds this strategy.");
  },
  "picture": () => {
    show(true);
    canvas.toBlob(blob => download(`${board.data.request.id}.png`, blob));
  },
};

// The rows of an army.
function rowsOf(army, flanks = board.typed(army)) { return cellsOf(board.data.request.id, board.shown[army], flanks); }

// The rows of the shown side, or of some flanks of the shown army, whose blank cells would mean the whole of it.
function rowsToCopy(flanks = []) {
  if (flanks.length && flanks.length < board.store.flanks.length) return rowsOf(board.store.state.side, flanks);
  return board.armies(board.own.name).flatMap(army => rowsOf(army));
}

function sheetText(rows) { return tabSeparated(rows.map(cells => inSheet(cells, board.data))); }

function rearrange(change) { board.place(change(board.store.chosen.map(flank => [flank.x, flank.y]))); }

async function copy(text, says) {
  byId("text").value = text;
  try {
    await navigator.clipboard.writeText(text);
    say(says);
  } catch {
    byId("text").select();
    say("Copy the text from the field: this browser does not let a page do it.");
  }
}

function download(name, blob) {
  const link = element("a");
  link.href = URL.createObjectURL(blob);
  link.download = name.replace(/[^\w. -]+/g, "_");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function take(text) {
  const { most, name } = board.own;
  try {
    board.put(pasted(text, { ...board.data, side: name, maneuvers: board.names, maneuver: board.own.default[0].maneuver, most }));
    say("The rows are on the board.");
  } catch (error) { say(error.message); }
}

async function takeLink() {
  const { protocol, request } = board.data;
  const most = Math.max(...board.shown.map(side => (side ? side.most : 0)));
  try {
    const found = await strategyOf(location.hash, { protocol, request: request.id, sides: board.shown, maneuvers: board.names, most });
    if (!found) return;
    board.store.show(board.shown.findIndex(side => side?.role === found.side));
    board.put(found.flanks);
    say("This is the strategy of the link.");
  } catch (error) { say(error.message); }
}

// --- Forms

function fillLists() {
  const { data } = board, { war, year, id, location } = data.request;
  byId("title").textContent = `${war}, ${year}`;
  byId("subtitle").textContent = `${id}, ${location}`;
  byId("other-maps").hidden = data.maps.length < 2;
  byId("maps").replaceChildren(...data.maps.map(({ name, codes, why }, place) => {
    const option = element("option", codes ? name : `${name} (${why || "not in this page"})`);
    option.value = place;
    option.disabled = !codes;
    option.selected = place === data.map;
    return option;
  }));
  byId("legend").replaceChildren(...data.terrain.map(({ name, colour }) => {
    const item = element("li"), swatch = element("span", undefined, "swatch");
    swatch.style.background = colour;
    swatch.classList.add("ground");
    item.append(swatch, name);
    return item;
  }));
  fillManeuvers(board.names);
  byId("formation").replaceChildren(...Object.keys(FORMATIONS).map(name => element("option", name)));
  fillArmies(data.sides, number => { board.store.show(number); redraw(true); }, armyText);
  byId("sides").hidden = board.shown.filter(Boolean).length < 2;
  byId("restore").hidden = !data.sides.some(side => side.after);
  byId("number").max = Math.max(...board.shown.map(side => (side ? side.most : 0)));
}

function listenToForms() {
  const form = byId("editor");
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("change", ({ target: { name, value } }) => {
    if (name === "maneuver") board.store.edit(() => ({ maneuver: value }));
    else apply();
  });
  for (const button of form.querySelectorAll("[data-by]")) button.addEventListener("click", () => step(button));
  byId("done").addEventListener("click", () => board.store.choose([]));
  byId("maps").addEventListener("change", async () => {
    await board.choose(Number(byId("maps").value));
    redraw(true);
  });
  byId("make").addEventListener("submit", event => {
    event.preventDefault();
    const { most } = board.own, number = Math.floor(Number(byId("number").value));
    if (!(number >= 1 && number <= most)) return say(`Flanks: ${byId("number").value} is not allowed; use 1 to ${most}.`);
    const all = board.store.flanks, chosen = board.store.chosen.length > 1 ? board.store.chosen : all;
    const middle = axis => chosen.reduce((sum, flank) => sum + flank[axis], 0) / Math.max(1, chosen.length);
    const [x, y] = [middle("x"), middle("y")], isSome = chosen.length < all.length;
    const count = isSome ? chosen.length : number;
    if (!isSome && number !== all.length) board.make(number);
    const [left, next] = board.own.default, gap = Math.max(2, Math.abs((next || left).x - left.x));
    board.place(placesOf(byId("formation").value, count, { x, y, gap, ahead: board.ahead, last: board.data.pixels - 1, rows: startRows() }));
    fit();
  });
  byId("paste").addEventListener("submit", event => {
    event.preventDefault();
    take(byId("text").value);
    redraw(true);
  });
  window.addEventListener("hashchange", async () => { await takeLink(); redraw(true); });
}
