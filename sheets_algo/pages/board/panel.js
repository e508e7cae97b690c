// What stands beside the map: messages, the list of flanks, and the flank editor.

import { byId, element } from "../shared/dom.js";
import { COUNTS } from "./rows.js";
import { nearestOf, paceOf, reachOf, reboundOf } from "./reach.js";

const WORDS = new Intl.NumberFormat("en");

// The messages of both sides: red where there are too many, orange where there are too few.
export function showMessages(board) {
  board.shown.forEach((side, number) => {
    const line = byId(`message${number}`);
    if (!side) {
      line.parentElement.hidden = true;
      return;
    }
    const { text, problems, warnings } = board.judged(number);
    line.textContent = text;
    const excess = problems.map(problem => problem.excess);
    const isMany = excess.includes(side.rules.words.too_many), isFew = excess.includes(side.rules.words.too_few);
    line.className = isMany ? "many" : isFew ? "few" : problems.length ? "many" : "good";
    const cells = problems.filter(problem => !problem.excess);
    const told = cells.slice(0, 6).map(({ kind, found, allowed, flank, id }) => {
      const whose = flank === null || flank >= board.store.state.sides[number].length ? "" : `Flank ${flank + 1}, `;
      return `${whose}${kind} ${found} is not allowed; use ${allowed} [${id}]`;
    });
    if (cells.length > 6) told.push(`and ${cells.length - 6} more`);
    byId(`notes${number}`).replaceChildren(
      ...told.map(words => element("li", words, "wrong")), ...warnings.map(words => element("li", words)),
    );
  });
}

export function showList(board, seen) {
  const { store } = board, wrong = board.wrong(), list = byId("flanks");
  const focused = document.activeElement && document.activeElement.dataset.key;
  list.replaceChildren(...seen[store.state.side].map((flank, place) => {
    const item = element("li"), button = element("button", undefined, wrong.has(flank.key) ? "flank wrong" : "flank");
    const isChosen = store.state.chosen.includes(flank.key);
    const dot = element("span", undefined, "dot");
    dot.style.background = board.data.statuses.find(({ name }) => name === flank.status).colour;
    button.type = "button";
    button.dataset.key = flank.key;
    button.setAttribute("aria-pressed", isChosen);
    const label = element("bdi", flank.label);
    button.append(dot, `${place + 1} `, label, ` ${WORDS.format(flank.men)}`, flank.ships ? `, ${WORDS.format(flank.ships)} ships` : "");
    button.append(element("span", ` at ${flank.x}, ${flank.y}, ${flank.status}${wrong.has(flank.key) ? ", stands where it may not or has men it may not have" : ""}`, "sr"));
    button.addEventListener("click", event => {
      const chosen = store.state.chosen, several = event.shiftKey || event.ctrlKey || event.metaKey;
      store.choose(several ? (isChosen ? chosen.filter(key => key !== flank.key) : [...chosen, flank.key]) : [flank.key]);
    });
    item.append(button);
    return item;
  }));
  if (focused) list.querySelector(`[data-key="${focused}"]`)?.focus();
}

// The editor of one flank; with several chosen, what they add up to.
export function showEditor(board, seen) {
  const { store } = board, chosen = store.chosen, form = byId("editor"), one = chosen.length === 1 && !board.isAfter;
  byId("fields").disabled = !one;
  const flanks = seen[store.state.side].filter(flank => store.state.chosen.includes(flank.key));
  byId("chosen").textContent = chosen.length === 1 ? `Flank ${store.flanks.indexOf(chosen[0]) + 1}`
    : chosen.length ? `${chosen.length} flanks, ${WORDS.format(flanks.reduce((sum, flank) => sum + flank.men, 0))} men` : "No flank is chosen";
  form.dataset.key = one ? chosen[0].key : "";
  const { units, morale_a_man: aMan } = board.own;
  COUNTS.forEach((name, place) => {
    const field = form.elements[name];
    field.value = one ? chosen[0][name] : "";
    field.disabled = !units[place].type;
    byId(`type-${name}`).textContent = units[place].type || "none";
  });
  for (const name of ["label", "x", "y"]) form.elements[name].value = one ? chosen[0][name] : "";
  form.elements.maneuver.value = one ? chosen[0].maneuver : board.names[0];
  byId("facts").textContent = one ? factsOf(board, flanks[0], seen[1 - store.state.side], aMan) : "";
  showManeuver(board);
}

export function showManeuver(board) {
  const chosen = byId("editor").elements.maneuver.value;
  byId("maneuver-text").textContent = (board.data.maneuvers.find(({ name }) => name === chosen) || { text: "" }).text;
}

function factsOf(board, flank, enemies, aMan) {
  const { units } = board.own, { km } = board.data;
  const feature = board.ground && board.ground.at(flank.x, flank.y), pace = paceOf(units, flank, feature);
  const told = [`${WORDS.format(flank.men)} men, ${flank.status}`, `morale ${WORDS.format(Math.round(flank.men * aMan))}`];
  if (feature) told.push(`on ${feature.name}`);
  told.push(`reach ${(reachOf(units, flank) * km * 1000).toFixed(0)} m`, `${(pace * km).toFixed(1)} km an hour here`);
  if (reboundOf(units, flank)) told.push(`an attack every ${reboundOf(units, flank)} h`);
  const near = nearestOf(flank, enemies);
  if (near) told.push(`${(near.far * km).toFixed(1)} km${pace ? `, ${(near.far / pace).toFixed(1)} h` : ""} to the nearest enemy`);
  return told.join(" · ");
}

// The flank as it stands in the editor's fields; throws an Error whose message says what is wrong.
export function edited(board) {
  const form = byId("editor"), found = { label: form.elements.label.value.trim() };
  for (const name of ["x", "y", ...COUNTS]) {
    const field = form.elements[name];
    if (field.disabled) continue;
    const value = Number(field.value), isCount = COUNTS.includes(name);
    const isWrong = field.value.trim() === "" || !Number.isFinite(value) || (isCount && (value < 0 || !Number.isInteger(value)));
    if (isWrong) throw new Error(`${name}: "${field.value}" is not ${isCount ? "a whole number from 0" : "a number"}.`);
    found[name] = value;
  }
  found.maneuver = form.elements.maneuver.value;
  return found;
}
