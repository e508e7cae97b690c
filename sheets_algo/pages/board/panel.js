// What stands beside the map: what is placed, the list of flanks, and the sheet of the chosen ones.

import { byId, element } from "../shared/dom.js";
import { wholeOf } from "./board.js";
import { COUNTS, wantedFor } from "./shares.js";
import { nearestOf, paceOf, reachOf, reboundOf } from "./reach.js";

const WORDS = new Intl.NumberFormat("en");

// The armies of both sides: a button that shows each, and a line for what is placed of it.
export function fillArmies(sides, show, textOf) {
  const part = (name, id, more) => Object.assign(element(name), { id, ...more });
  byId("sides").replaceChildren(...sides.flatMap(({ flanks, nation, colour, role }, number) => {
    if (!flanks) return [];
    const button = part("button", `side${number}`, { type: "button" }), mark = part("span", `mark${number}`, { className: role ? "mark" : "mark round" });
    mark.style.background = colour;
    button.append(mark, part("bdi", `nation${number}`, { className: "name", textContent: nation }));
    button.addEventListener("click", () => show(number));
    return [button];
  }));
  byId("placed").replaceChildren(...sides.flatMap((side, number) => {
    if (!side.flanks) return [];
    const line = part("p", `told${number}`, { className: "small" });
    line.append(part("bdi", `army${number}`, { className: "faint", textContent: textOf(side) }), ": ", part("strong", `message${number}`));
    return [line];
  }));
}

// What is placed of each army: red where there are too many, orange where there are too few.
export function showPlaced(board) {
  board.shown.forEach((side, number) => {
    if (!side) return;
    const line = byId(`message${number}`), unlike = board.placed(number).filter(({ excess }) => excess);
    const text = unlike.map(({ header, placed, whole }) => `${header} ${WORDS.format(placed)} of ${WORDS.format(whole)}`).join("; ");
    byId(`told${number}`).hidden = number !== board.store.state.side && !unlike.length;
    line.textContent = text || (side.men === 1 ? "The one man is placed" : `All ${WORDS.format(side.men)} men are placed`);
    line.className = unlike.some(({ excess }) => excess > 0) ? "many" : unlike.length ? "few" : "good";
  });
}

export function showList(board, seen) {
  const { store, wrong } = board, list = byId("flanks");
  const focused = document.activeElement && document.activeElement.dataset.key;
  list.replaceChildren(...seen[store.state.side].map((flank, place) => {
    const item = element("li"), button = element("button", undefined, wrong.has(flank.key) ? "wrong" : "");
    const isChosen = store.state.chosen.includes(flank.key), name = element("strong", `${place + 1} `);
    button.type = "button";
    button.dataset.key = flank.key;
    button.setAttribute("aria-pressed", isChosen);
    name.append(element("bdi", flank.label));
    const ships = flank.ships ? `, ${WORDS.format(flank.ships)}\u00a0ships` : "";
    button.append(name, element("span", `${wrong.has(flank.key) ? "✕ " : ""}${WORDS.format(flank.men)}${ships}`, "men"));
    button.append(element("span", ` at ${flank.x}, ${flank.y}, ${flank.status}${wrong.has(flank.key) ? ", refused by the program" : ""}`, "sr"));
    button.addEventListener("click", event => {
      const chosen = store.state.chosen, several = event.shiftKey || event.ctrlKey || event.metaKey;
      store.choose(several ? (isChosen ? chosen.filter(key => key !== flank.key) : [...chosen, flank.key]) : [flank.key]);
    });
    item.append(button);
    return item;
  }));
  if (focused) list.querySelector(`[data-key="${focused}"]`)?.focus();
}

// The maneuvers of a war as a choice in the sheet.
export function fillManeuvers(names) {
  byId("maneuvers").replaceChildren(element("legend", "Maneuver", "sr"), ...names.map(name => {
    const label = element("label"), choice = element("input");
    Object.assign(choice, { type: "radio", name: "maneuver", value: name });
    label.append(choice, name);
    return label;
  }));
}

// The sheet of the chosen flanks: all of one, and what may be done with several; none without one, or after the battle.
export function showEditor(board, seen) {
  const { store } = board, chosen = board.isAfter ? [] : store.chosen, form = byId("editor"), one = chosen.length === 1;
  byId("sheet").hidden = !chosen.length;
  document.body.classList.toggle("open", chosen.length > 0);
  if (!chosen.length) {
    form.dataset.key = "";
    return;
  }
  const flanks = seen[store.state.side].filter(flank => store.state.chosen.includes(flank.key));
  const count = flanks.reduce((sum, flank) => sum + flank.men, 0);
  const men = element("small", `${WORDS.format(count)} ${count === 1 ? "man" : "men"}`);
  const name = element("bdi", one ? `${store.flanks.indexOf(chosen[0]) + 1} ${chosen[0].label}`.trim() : `${chosen.length} flanks`, "name");
  byId("chosen").replaceChildren(name, " ", men);
  for (const part of document.querySelectorAll("#sheet .one")) part.hidden = !one || part.dataset.is === "off";
  for (const part of document.querySelectorAll("#sheet .several")) part.hidden = one;
  byId("rest-name").textContent = one ? "Name, place, remove" : "Arrange, merge, remove";
  const names = new Set(chosen.map(flank => flank.maneuver));
  for (const choice of form.querySelectorAll("[name=maneuver]")) choice.checked = names.size === 1 && names.has(choice.value);
  const told = names.size === 1 && board.data.maneuvers.find(found => names.has(found.name));
  byId("maneuver-text").textContent = told ? told.text : "";
  byId("facts").textContent = one ? factsOf(board, flanks[0], seen.flat().filter(({ role }) => role !== board.own.role), board.own.morale_a_man) : "";
  const isOther = form.dataset.key !== String(chosen[0].key);
  if (isOther) for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  form.dataset.key = one ? chosen[0].key : "";
  if (!one) return;
  const { units } = board.own, whole = wholeOf(board.own);
  COUNTS.forEach((column, place) => {
    const isOwned = units[place].type && (column !== "ships" || whole[place] > 0), share = whole[place] && 100 * chosen[0][column] / whole[place];
    byId(`row-${column}`).hidden = !isOwned && !chosen[0][column];
    byId(`type-${column}`).textContent = units[place].type || "none";
    form.elements[column].title = share ? `${Number(share.toFixed(1))} % of the army's` : "";
  });
  for (const column of ["label", "x", "y", ...COUNTS]) {
    const field = form.elements[column];
    const isTyped = !isOther && field === document.activeElement && field.value !== field.dataset.shown;
    if (isTyped || field.hasAttribute("aria-invalid")) continue; // what is being typed stays, and what is wrong until it is right
    field.value = field.dataset.shown = chosen[0][column];
  }
}

function factsOf(board, flank, enemies, aMan) {
  const { units } = board.own, { km } = board.data;
  const feature = board.ground && board.ground.at(flank.x, flank.y), pace = paceOf(board.own, flank, feature);
  const told = [`Morale ${WORDS.format(Math.round(flank.men * aMan))}`];
  if (feature) told.push(`on ${feature.name}`);
  told.push(`reach ${(reachOf(units, flank) * km * 1000).toFixed(0)} m`, `${(pace * km).toFixed(1)} km an hour here`);
  if (reboundOf(units, flank)) told.push(`an attack every ${reboundOf(units, flank)} h`);
  const near = nearestOf(flank, enemies);
  if (near) told.push(`${(near.far * km).toFixed(1)} km${pace ? `, ${(near.far / pace).toFixed(1)} h` : ""} to the nearest enemy`);
  return told.join(" · ");
}

// The flank as it stands in the sheet's fields, a share as that part of the whole; throws an Error whose message says what is
// wrong.
export function edited(whole) {
  const form = byId("editor"), { label } = form.elements, found = { label: label.value.trim() };
  label.dataset.shown = label.value;
  for (const name of ["x", "y", ...COUNTS]) {
    const field = form.elements[name], at = COUNTS.indexOf(name), isCount = at >= 0;
    const value = isCount ? countIn(field.value, whole[at]) : Number(field.value);
    const isWrong = field.value.trim() === "" || !Number.isFinite(value) || (isCount && (value < 0 || !Number.isInteger(value)));
    if (isWrong) {
      field.setAttribute("aria-invalid", "true");
      throw new Error(`${name}: "${field.value}" is not ${isCount ? wantedFor(field.value) : "a number"}.`);
    }
    field.removeAttribute("aria-invalid");
    field.dataset.shown = field.value;
    found[name] = value;
  }
  return found;
}

// A count as it is typed: a number, or a share of the whole; NaN for neither.
function countIn(text, whole) {
  const bare = text.trim(), share = Number(bare.slice(0, -1).replace(",", "."));
  if (!bare.endsWith("%")) return Number(bare.replaceAll(",", ""));
  return share <= 100 ? Math.round(whole * share / 100) : NaN;
}
