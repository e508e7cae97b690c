// The board of a server on this computer: the validator's messages, odds, and the best places of a flank.

import { byId, element, readData } from "../shared/dom.js";
import { openBoards } from "./writing.js";

const PAUSE = 60, ODDS_PAUSE = 250, ASK_AGAIN = 15_000; // milliseconds
const GRID = 12; // places a side of the heat map
const TOLD = 12; // most messages

class Refused extends Error {}

let key = "";

async function ask(path, question, signal) {
  const sent = question === undefined ? {} : { method: "POST", body: JSON.stringify(question) };
  const headers = { "X-Board-Key": key, ...(sent.body && { "Content-Type": "application/json" }) };
  return accepted(await fetch(path, { ...sent, headers, signal }));
}

async function accepted(answer) {
  if (answer.ok) return answer;
  let found;
  try { found = await answer.json(); } catch { found = { text: `The server answers ${answer.status}.` }; }
  throw Object.assign(new Refused(found.text), { isEdited: found.is_edited, isRuled: found.is_ruled });
}

// The address that opens the board buys the key, once; it stays in this tab, where no other server sees it.
async function openKey() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  key = sessionStorage.getItem("key") ?? "";
  if (!token) return;
  history.replaceState(null, "", "/");
  const answer = await fetch("/open", { method: "POST", headers: { "X-Board-Token": token } });
  if (!answer.ok && key) return; // the address was opened again in its own tab
  ({ key } = await (await accepted(answer)).json());
  sessionStorage.setItem("key", key);
}

const bridge = {
  list: async () => (await ask("/requests")).json(),
  read: async id => (await ask(`/board?request=${encodeURIComponent(id)}`)).json(),
  write: async (request, side, rows, version) => {
    const written = await (await ask("/rows", { request, side, rows, version })).json();
    check(); // the odds are compared with what is saved
    return written;
  },
};

let app, boards, checking = null, comparing = null, timer = 0, last = null;

function draft() {
  const { data, shown } = app.board, sides = {};
  shown.forEach((side, number) => { if (side) (sides[side.name] ??= []).push(...app.rowsOf(number)); });
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
    const reason = refusal(problems);
    byId("checked").dataset.of = String(Number(byId("checked").dataset.of || 0) + 1);
    if (reason) {
      showOdds({ runs: 0, least: 1 });
      byId("odds").textContent = `No odds yet. ${reason}`;
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

function flankOf({ side, flank }) {
  return app.board.armies(side).flatMap(army => app.board.store.state.sides[army].map(({ key }) => ({ army, key })))[flank];
}

// Why the draft is refused, the chosen flank's reason first: the head shows it above the sheet of that flank.
function refusal(problems) {
  const wrong = problems.filter(({ is_error: isError }) => isError), { chosen } = app.board.store.state;
  return (wrong.find(problem => chosen.includes(flankOf(problem)?.key)) ?? wrong[0])?.text;
}

function showProblems(problems) {
  const { store } = app.board;
  app.board.wrong = new Set(problems.filter(({ is_error: isError }) => isError).map(problem => flankOf(problem)?.key));
  app.redraw(true);
  const lines = problems.slice(0, TOLD).map(problem => {
    const item = element("li", undefined, problem.is_error ? "wrong" : undefined), flank = flankOf(problem);
    if (!flank) {
      item.textContent = problem.text;
      return item;
    }
    const link = element("button", problem.text, "plain");
    link.type = "button";
    link.addEventListener("click", () => {
      app.board.store.show(flank.army);
      app.board.store.choose([flank.key]);
    });
    item.append(link);
    return item;
  });
  if (problems.length > TOLD) lines.push(element("li", `and ${problems.length - TOLD} more`));
  byId("checked").replaceChildren(...(lines.length ? lines : [element("li", "The validator is content.", "good")]));
}

function inPoints(share) { return `${share < 0 ? "−" : "+"}${(100 * Math.abs(share)).toFixed(1)}`; }

// Both shares stand at the ends of the bar, and the error as a pale stretch around their border.
function showOdds({ runs, least, attacker, defender, undecided, error, change }) {
  const percent = share => `${(100 * share).toFixed(0)} %`, isKnown = !least, width = share => `${isKnown ? 100 * share : 0}%`;
  const leaders = [0, 1].map(role => app.board.data.sides.find(side => side.role === role)), shares = isKnown ? [percent(attacker), percent(defender)] : ["", ""];
  shares.forEach((text, side) => { byId(`share${side}`).textContent = text; });
  byId("error").textContent = isKnown ? `± ${(100 * error).toFixed(0)}` : "";
  byId("won0").style.width = width(attacker);
  byId("won0").style.background = leaders[0].colour;
  byId("bar").style.background = isKnown ? `linear-gradient(90deg, transparent ${100 - 100 * defender}%, ${leaders[1].colour} 0)` : "";
  byId("band").style.left = width(Math.max(0, attacker - error));
  byId("band").style.width = width(2 * error);
  const { names } = app.board.data;
  byId("bar").setAttribute("aria-label", isKnown ? `Odds: ${names[0]} ${shares[0]}, ${names[1]} ${shares[1]}` : "Odds not known yet");
  if (!isKnown) {
    byId("odds").textContent = `The odds are not known yet (${runs} of ${least} battles).`;
    return;
  }
  const line = [`${new Intl.NumberFormat("en").format(runs)} battles`, ...(undecided ? [`nobody wins ${percent(undecided)}`] : [])];
  if (change) line.push(inWordsOf(change, names[0]));
  byId("odds").textContent = `${line.join("; ")}.`;
}

function inWordsOf({ change, error }, attacker) {
  if (Math.abs(change) <= error) return "about as good as the saved plan";
  return `${(100 * Math.abs(change)).toFixed(1)} ± ${(100 * error).toFixed(1)} points ${change > 0 ? "better" : "worse"} for ${attacker} than the saved plan`;
}

// --- Where a flank would do best

function stopComparing() {
  if (comparing) comparing.abort();
  comparing = null;
  byId("stop").hidden = true;
  app.extras.heat = [];
  byId("best").replaceChildren();
  app.redraw();
}

// Compare ways to place the chosen flank; `label` names one, `place` is called when one is taken.
async function compare(candidates, { label, take, draw = () => {} }) {
  stopComparing();
  const own = comparing = new AbortController(), { store } = app.board, key = store.state.chosen[0];
  const found = new Map(), question = { ...draft(), side: app.board.own.name, flank: app.board.armies(app.board.own.name).flatMap(army => store.state.sides[army]).findIndex(flank => flank.key === key), candidates };
  let all = candidates.length, done = 0, battles = 0;
  byId("stop").hidden = false;
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
    byId("stop").hidden = true;
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

function takeValues(values) {
  app.board.store.edit(() => values);
  app.redraw(true);
}

function comparePlaces() {
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
  compare(app.board.names.map(maneuver => ({ maneuver })), { label: ({ maneuver }) => maneuver, take: takeValues });
}

// --- The page

function opened(found) {
  app = found;
  const { id, is_ruled: isRuled } = app.board.data.request;
  byId("play").hidden = true;
  if (isRuled) offerReplay(id).catch(error => app.say(error.message));
  app.board.data.names.forEach((name, number) => { byId(`name${number}`).textContent = name; });
  for (const id of ["chance", "checked"]) byId(id).hidden = isRuled;
  byId("advice").dataset.is = isRuled ? "off" : "";
  last = null;
  changed();
}

async function offerReplay(id) {
  const named = `request=${encodeURIComponent(id)}`;
  const { ticket } = await (await ask(`/ticket?${named}`)).json();
  byId("play").href = `/replay?${named}&ticket=${ticket}`;
  byId("play").hidden = id !== app.board.data.request.id;
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
  await openKey();
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
}).catch(error => { byId("said").textContent = error.message; });
