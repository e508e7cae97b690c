// The board of a server on this computer: the validator's messages, odds, and the best places of a flank.

import { byId, element, readData } from "../shared/dom.js";
import { openBoards } from "./writing.js";

const PAUSE = 60, ODDS_PAUSE = 250, ASK_AGAIN = 15_000; // milliseconds
const GRID = 12; // places a side of the heat map
const TOLD = 12; // most messages

class Refused extends Error {}

async function ask(path, question, signal) {
  const told = question === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question) };
  const answer = await fetch(path, { ...told, signal });
  if (answer.ok) return answer;
  let found;
  try { found = await answer.json(); } catch { found = { text: `The server answers ${answer.status}.` }; }
  throw Object.assign(new Refused(found.text), { isEdited: found.is_edited, isRuled: found.is_ruled });
}

const bridge = {
  list: async () => (await ask("/requests")).json(),
  read: async id => (await ask(`/board?request=${encodeURIComponent(id)}`)).json(),
  write: async (request, side, rows, version) => {
    const written = await (await ask("/rows", { request, side, rows, version })).json();
    check(); // the odds are compared with what is saved
    return written;
  },
  close: async () => window.close(),
};

let app, boards, checking = null, comparing = null, timer = 0, last = null;

function draft() {
  const { data, shown } = app.board, sides = {};
  shown.forEach((side, number) => { if (side) sides[side.name] = app.rowsOf(number); });
  return { request: data.request.id, sides };
}

// --- Messages and odds

function changed() {
  const { sides } = app.board.store.state;
  if (sides === last || app.board.data.request.is_ruled) return;
  last = sides;
  stopComparing();
  clearTimeout(timer);
  timer = setTimeout(check, PAUSE);
}

async function check() {
  if (checking) checking.abort();
  const own = checking = new AbortController();
  try {
    const { problems } = await (await ask("/check", draft(), own.signal)).json();
    showProblems(problems);
    byId("checked").dataset.of = String(Number(byId("checked").dataset.of || 0) + 1);
    if (problems.some(({ is_error: isError }) => isError)) {
      byId("odds").textContent = "There are odds once the validator is content.";
      return;
    }
    await new Promise(done => { setTimeout(done, ODDS_PAUSE); });
    if (own.signal.aborted) return;
    const answer = await ask("/odds", draft(), own.signal);
    for await (const line of linesOf(answer.body)) {
      if (own.signal.aborted) return;
      if (line.text) throw new Error(line.text);
      showOdds(line);
    }
  } catch (error) { if (error.name !== "AbortError") byId("odds").textContent = error.message; }
}

function showProblems(problems) {
  const lines = problems.slice(0, TOLD).map(({ side, flank, text, is_error: isError }) => {
    const item = element("li", undefined, isError ? "wrong" : undefined), place = app.board.shown.findIndex(own => own && own.name === side);
    if (place < 0) {
      item.textContent = text;
      return item;
    }
    const link = element("button", text, "plain");
    link.type = "button";
    link.addEventListener("click", () => {
      app.board.store.show(place);
      app.board.store.choose([app.board.store.flanks[flank].key]);
    });
    item.append(link);
    return item;
  });
  if (problems.length > TOLD) lines.push(element("li", `and ${problems.length - TOLD} more`));
  byId("checked").replaceChildren(...(lines.length ? lines : [element("li", "The validator is content.", "good")]));
}

function inPoints(share) { return `${share < 0 ? "−" : "+"}${(100 * Math.abs(share)).toFixed(1)}`; }

function showOdds({ runs, least, attacker, defender, undecided, error, change }) {
  if (least) {
    byId("odds").textContent = `The odds are not known yet (${runs} of ${least} battles)`;
    return;
  }
  const percent = share => `${(100 * share).toFixed(1)} %`, WORDS = new Intl.NumberFormat("en");
  const shares = [`attacker ${percent(attacker)}`, `defender ${percent(defender)}`, ...(undecided ? [`nobody ${percent(undecided)}`] : [])];
  const line = [`${shares.join(", ")} ± ${(100 * error).toFixed(1)} (${WORDS.format(runs)} battles)`];
  if (change) line.push(`against the saved rows ${inPoints(change.change)} ± ${(100 * change.error).toFixed(1)} points for the attacker`);
  byId("odds").textContent = line.join("; ");
}

// --- Where a flank would do best

function stopComparing() {
  if (comparing) comparing.abort();
  comparing = null;
  app.extras.heat = [];
  byId("best").replaceChildren();
  app.redraw();
}

// Compare ways to place the chosen flank; `label` names one, `place` is called when one is taken.
async function compare(candidates, { label, take, draw = () => {} }) {
  stopComparing();
  const own = comparing = new AbortController(), { store } = app.board, key = store.state.chosen[0];
  const found = new Map(), question = { ...draft(), side: app.board.own.name, flank: store.flanks.findIndex(flank => flank.key === key), candidates };
  let all = candidates.length, done = 0, battles = 0;
  byId("best").replaceChildren(element("li", "Comparing …"));
  try {
    const answer = await ask("/compare", question, own.signal);
    for await (const line of linesOf(answer.body)) {
      if (own.signal.aborted) return;
      if (line.text) throw new Error(line.text);
      if (!line.is_allowed) {
        all -= 1;
        continue;
      }
      done = line.runs === battles ? done + 1 : 1;
      battles = line.runs;
      found.set(line.candidate, line);
      const ranked = [...found.values()].sort((one, other) => other.change - one.change);
      draw(ranked);
      showBest(ranked.slice(0, 5), candidates, label, take);
      byId("best").append(element("li", `${done} of ${all} compared, with ${battles} battles each`, "progress"));
      app.redraw();
    }
    byId("best").querySelector(".progress")?.remove();
    if (!found.size) byId("best").replaceChildren(element("li", "It may stand nowhere here."));
  } catch (error) { if (error.name !== "AbortError") byId("best").replaceChildren(element("li", error.message, "wrong")); }
}

function showBest(ranked, candidates, label, take) {
  byId("best").replaceChildren(...ranked.map(({ candidate, change, error, runs }) => {
    const item = element("li"), button = element("button", label(candidates[candidate]), "plain");
    button.type = "button";
    button.addEventListener("click", () => take(candidates[candidate]));
    item.append(button, ` ${inPoints(change)} ± ${(100 * error).toFixed(1)} points (${runs} battles)`);
    return item;
  }));
}

async function* linesOf(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

function one() {
  if (app.board.store.state.chosen.length === 1 && !app.board.isAfter) return true;
  app.say("Choose the one flank that is to be placed.");
  return false;
}

function takeValues(values) {
  app.board.store.edit(() => values);
  app.redraw(true);
}

function comparePlaces() {
  if (!one()) return;
  const { view, board } = app, wide = view.size / view.scale / GRID, last = board.data.pixels - 1, candidates = [];
  for (let row = 0; row < GRID; row++) for (let column = 0; column < GRID; column++) {
    const [x, y] = view.toMap((column + 0.5) * view.size / GRID, (row + 0.5) * view.size / GRID).map(value => Math.round(10 * value) / 10);
    if (x >= 0 && y >= 0 && x <= last && y <= last) candidates.push({ x, y });
  }
  compare(candidates, {
    label: ({ x, y }) => `${x}, ${y}`, take: takeValues,
    draw: ranked => { app.extras.heat = ranked.map(({ candidate, change, error }, place) => ({ ...candidates[candidate], wide, change, error, isBest: !place })); },
  });
}

function compareManeuvers() {
  if (one()) compare(app.board.names.map(maneuver => ({ maneuver })), { label: ({ maneuver }) => maneuver, take: takeValues });
}

// --- The page

function opened(found) {
  app = found;
  const { id, is_ruled: isRuled } = app.board.data.request;
  byId("play").hidden = !isRuled;
  byId("play").href = `/replay?request=${encodeURIComponent(id)}`;
  byId("advice").hidden = isRuled;
  last = null;
  changed();
}

// Once it is ruled, the page shows the battle.
async function lookAgain() {
  if (document.hidden || !app || app.board.data.request.is_ruled) return;
  const { id } = app.board.data.request, now = (await boards.list()).find(request => request.id === id);
  byId("request").value = id;
  if (now && now.is_ruled) {
    await boards.open(id);
    app.say(`${id} is ruled.`);
  }
}

readData().then(async ({ first }) => {
  boards = await openBoards(bridge, {
    first, opened,
    begun: found => {
      app = found;
      app.board.store.subscribe(changed);
      byId("places").addEventListener("click", comparePlaces);
      byId("compare-maneuvers").addEventListener("click", compareManeuvers);
      byId("stop").addEventListener("click", stopComparing);
    },
  });
  setInterval(() => lookAgain().catch(error => { byId("said").textContent = error.message; }), ASK_AGAIN);
});
