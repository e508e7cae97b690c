// The picker of the map of the game: a click on the drawing is the pixel of the chosen place.

import { byId, element, readData } from "../shared/dom.js";

const ZOOM_MOST = 16, RADIUS = 5; // screen pixels
const SVG = "http://www.w3.org/2000/svg";
let data, isLive, zoom = 1;
const pixels = new Map(), undone = []; // the pixels that were clicked, by name: [x, y], or null for none

async function ask(path, question) {
  const sent = question && { method: "POST", body: JSON.stringify(question) };
  const headers = { "X-Board-Key": sessionStorage.getItem("key") ?? "", ...(sent && { "Content-Type": "application/json" }) };
  const answer = await fetch(path, { ...sent, headers }), found = await answer.json();
  if (!answer.ok) throw new Error(found.text);
  return found;
}

function say(text, isBad = false) {
  byId("said").textContent = text;
  byId("said").classList.toggle("bad", isBad);
}

// The pixel of a place: what was clicked, or else its cells; null where they are no pixel of the drawing.
function pixelOf({ name, before }) {
  if (pixels.has(name)) return pixels.get(name);
  const typed = before.map(text => (text.trim() === "" ? NaN : Number(text)));
  return typed.every((at, axis) => Number.isInteger(at) && at >= 0 && at < data.size[axis]) ? typed : null;
}

function isWrong(place) { return !pixels.has(place.name) && place.before.some(text => text.trim()) && !pixelOf(place); }

function chosen() { return data.places[byId("place").selectedIndex]; }

function set(place, pixel) {
  undone.push([place.name, pixels.has(place.name), pixels.get(place.name)]);
  pixels.set(place.name, pixel);
}

// Choose the next place that has no pixel, from the chosen one on.
function goOn() {
  const at = byId("place").selectedIndex, count = data.places.length;
  for (let step = 1; step < count; step++) if (!pixelOf(data.places[(at + step) % count])) {
    byId("place").selectedIndex = (at + step) % count;
    return;
  }
  say("Every place has a pixel.");
}

function rows() {
  const found = new Map(data.places.map(place => [place.row, place])), lines = [];
  for (let row = data.places[0].row; row <= data.places.at(-1).row; row++) {
    const place = found.get(row);
    lines.push(place ? (pixels.has(place.name) ? (pixels.get(place.name) ?? ["", ""]) : place.before).join("\t") : "\t");
  }
  return lines.join("\n");
}

function show() {
  const [width] = data.size, scale = width / (byId("drawing").clientWidth || width);
  data.places.forEach((place, at) => {
    const pixel = pixelOf(place);
    byId("place").options[at].textContent = `${pixel ? "✓" : isWrong(place) ? "✕" : "–"} ${place.name}${pixel ? ` (${pixel.join(", ")})` : ""}`;
  });
  byId("marks").replaceChildren(...data.places.flatMap(place => {
    const pixel = pixelOf(place);
    if (!pixel) return [];
    const mark = document.createElementNS(SVG, "circle"), isChosen = place === chosen();
    const parts = { cx: pixel[0] + 0.5, cy: pixel[1] + 0.5, r: (isChosen ? 1.6 : 1) * RADIUS * scale, "stroke-width": 1.5 * scale, class: isChosen ? "chosen" : "" };
    for (const [name, value] of Object.entries(parts)) mark.setAttribute(name, value);
    return [mark];
  }));
  byId("undo").disabled = !undone.length;
  byId("clear").disabled = !pixelOf(chosen()) && !isWrong(chosen());
  if (isLive) {
    byId("write").disabled = !pixels.size;
    byId("write").textContent = pixels.size ? `Save ${pixels.size}` : "Saved";
  } else byId("text").value = rows();
}

function zoomTo(wanted) {
  const box = document.querySelector(".world"), before = zoom;
  zoom = Math.min(ZOOM_MOST, Math.max(1, wanted));
  const middle = [box.scrollLeft + box.clientWidth / 2, box.scrollTop + box.clientHeight / 2].map(at => at * zoom / before);
  byId("drawn").style.width = `${100 * zoom}%`;
  box.scrollTo(middle[0] - box.clientWidth / 2, middle[1] - box.clientHeight / 2);
  show();
}

async function save() {
  const before = Object.fromEntries(data.places.filter(({ name }) => pixels.has(name)).map(place => [place.name, place.before]));
  byId("write").disabled = true;
  try {
    const { text, page } = await ask("/places", { before, after: Object.fromEntries(pixels) });
    pixels.clear();
    undone.length = 0;
    data.places = page.places;
    say(text);
  } catch (error) { say(error.message, true); }
  show();
}

async function copy() {
  byId("text").select();
  try { await navigator.clipboard.writeText(byId("text").value); } catch { document.execCommand("copy"); }
  say(`Copied. Paste it into ${data.cell}.`);
}

function begin() {
  const drawing = byId("drawing");
  drawing.src = data.drawing;
  byId("marks").setAttribute("viewBox", `0 0 ${data.size.join(" ")}`);
  byId("place").replaceChildren(...data.places.map(({ name }) => element("option", name)));
  const open = data.places.findIndex(place => !pixelOf(place));
  byId("place").selectedIndex = Math.max(0, open);
  byId("place").addEventListener("change", show);
  drawing.addEventListener("load", show);
  drawing.addEventListener("click", ({ clientX, clientY }) => {
    const box = drawing.getBoundingClientRect(), at = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
    say("");
    set(chosen(), at.map((share, axis) => Math.min(data.size[axis] - 1, Math.max(0, Math.floor(share * data.size[axis])))));
    goOn();
    show();
  });
  byId("clear").addEventListener("click", () => { set(chosen(), null); show(); });
  byId("undo").addEventListener("click", () => {
    const [name, had, pixel] = undone.pop();
    if (had) pixels.set(name, pixel);
    else pixels.delete(name);
    byId("place").selectedIndex = data.places.findIndex(place => place.name === name);
    show();
  });
  byId("nearer").addEventListener("click", () => zoomTo(2 * zoom));
  byId("farther").addEventListener("click", () => zoomTo(zoom / 2));
  byId("write").addEventListener("click", isLive ? save : copy);
  window.addEventListener("resize", show);
  window.addEventListener("beforeunload", event => { if (isLive && pixels.size) event.preventDefault(); });
  show();
  document.body.dataset.ready = "";
}

readData().then(async found => {
  isLive = !found.places;
  data = isLive ? await ask("/places") : found;
  begin();
}).catch(error => say(error.message, true));
