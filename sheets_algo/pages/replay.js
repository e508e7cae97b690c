// Plain functions over the data of one battle: `show` puts an hour on the page, everything else calls it or is called.

import { byId, element, readData } from "./shared/dom.js";
import { box, cross, drawScale, followTheme, halo, outline, overlap, shortened, sign, theme } from "./shared/marks.js";

const RETREATING = 2, OUT = 3; // statuses from 3 on are out of the battle
const LABELLED = 8, MANY = 24; // with more flanks, labels and lines would hide them
const TRAIL = 12; // hours
const WORDS = new Intl.NumberFormat("en"); // made once, since making one takes longer than an hour of words
const SWIPE = 40; // pixels
const EVENTS_SHOWN = 40; // the others of an hour are made when somebody asks for them
const QUIET = matchMedia("(prefers-reduced-motion: reduce)");
let data, FLANKS, LAST, NEAR, HAS_SHIPS, columns, events, keyHours, full, most, up; // of the battle, set once
let hour = 0, seen = 0, playing = false, speed = 1, started = 0, laidOut = new Map(), rows = [];

function prepare(found) {
  data = found;
  FLANKS = data.flanks.length;
  LAST = data.hours;
  NEAR = FLANKS > MANY ? 0.01 : 5; // pixels
  columns = {};
  for (const name of ["x", "y", "men", "ships", "morale", "status", "target"]) columns[name] = data[name].map(unpacked);
  HAS_SHIPS = columns.ships.some(row => row.some(ships => ships >= 0));
  events = new Map(data.events);
  keyHours = hoursToGoTo();
  full = [0, 1].map(side => total(side, 0, "men"));
  most = Math.max(1, ...columns.men.map(row => row[0]));
  // Whether the attacker begins above the defender, to part flanks on one spot the way they came.
  up = meanStart(0) <= meanStart(1) ? 1 : -1;
}

function inWords(number) { return WORDS.format(number); }

function inMen(number) { return `${inWords(number)} ${number === 1 ? "man" : "men"}`; }
function percent(share) { return `${Math.round(100 * share)} %`; }

// Undo `changes_of`: the first number, then changes; a text is a number of hours without a change.
function unpacked(changes) {
  const numbers = [];
  let now = 0;
  for (const change of changes) {
    if (typeof change === "string") for (let left = +change; left > 0; left--) numbers.push(now);
    else numbers.push(now += change);
  }
  return numbers;
}

function meanStart(side) {
  const own = columns.y.filter((_, flank) => data.flanks[flank][0] === side);
  return own.reduce((sum, row) => sum + row[0], 0) / Math.max(1, own.length);
}

function total(side, at, column) {
  let sum = 0;
  for (let flank = 0; flank < FLANKS; flank++) if (data.flanks[flank][0] === side) sum += columns[column][flank][at];
  return sum;
}

// Morale of a side: that of its flanks, weighed by their men at the start.
function morale(side, at) {
  let sum = 0;
  for (let flank = 0; flank < FLANKS; flank++)
    if (data.flanks[flank][0] === side) sum += columns.morale[flank][at] * columns.men[flank][0];
  return full[side] ? sum / full[side] / 1000 : 0;
}

// Hours with an event that is not routine, the first blow, and the end.
function hoursToGoTo() {
  const hours = new Set([LAST]);
  for (const [at, found] of events) if (found.some(([kind]) => data.kinds[kind][1] === 1)) hours.add(at);
  const contact = data.blows.findIndex(blows => blows.length);
  if (contact >= 0) hours.add(contact);
  return [...hours].sort((one, other) => one - other);
}

// --- The map: flanks are drawn beside each other where they stand on one spot, a line leads to their true place.

function radius(flank, at, size) {
  const largest = Math.min(18, size / 26) * Math.min(1, Math.sqrt(14 / FLANKS));
  return Math.max(2.5, largest * Math.sqrt(columns.men[flank][at] / most));
}

function place(flank, at, size) {
  const [left, top, side] = data.view;
  return [(columns.x[flank][at] / data.steps - left) * size / side, (columns.y[flank][at] / data.steps - top) * size / side];
}

// The places at which flanks are drawn in an hour: pushed apart until they do not overlap, kept inside the map.
function layout(at, size) {
  if (laidOut.has(at)) return laidOut.get(at);
  const xs = new Float64Array(FLANKS), ys = new Float64Array(FLANKS), rs = new Float64Array(FLANKS);
  for (let flank = 0; flank < FLANKS; flank++) {
    const [x, y] = place(flank, at, size);
    rs[flank] = radius(flank, at, size);
    xs[flank] = within(x, rs[flank] + 2, size);
    ys[flank] = within(y, rs[flank] + 2, size);
  }
  const rounds = Math.min(60, Math.ceil(2400 / Math.max(1, FLANKS)));
  for (let round = 0; round < rounds && pushed(xs, ys, rs, size); round++);
  const found = [xs, ys, rs];
  laidOut.set(at, found);
  return found;
}

function within(value, margin, size) { return Math.min(Math.max(value, margin), size - margin); }

function pushed(xs, ys, rs, size) {
  let moved = false;
  for (let one = 0; one < FLANKS; one++) {
    for (let other = one + 1; other < FLANKS; other++) {
      const isOwn = data.flanks[one][0] === data.flanks[other][0];
      const apart = rs[one] + rs[other] + (FLANKS > MANY || isOwn ? 2 : Math.min(20, size / 28)); // between enemies is room for a blow
      let dx = xs[other] - xs[one], dy = ys[other] - ys[one];
      if (dx > apart || dx < -apart || dy > apart || dy < -apart) continue;
      let far = Math.hypot(dx, dy);
      if (far >= apart - 0.05) continue;
      // Flanks that stand on one spot have no direction: sides part up and down, flanks of one side left and right.
      if (far < NEAR) [dx, dy, far] = isOwn ? [1, 0.1, 1] : [0.1, data.flanks[one][0] ? -up : up, 1];
      const push = (apart - Math.min(far, apart)) / 2 / Math.hypot(dx, dy);
      xs[one] = within(xs[one] - dx * push, rs[one] + 2, size);
      ys[one] = within(ys[one] - dy * push, rs[one] + 2, size);
      xs[other] = within(xs[other] + dx * push, rs[other] + 2, size);
      ys[other] = within(ys[other] + dy * push, rs[other] + 2, size);
      moved = true;
    }
  }
  return moved;
}

// Draw the map between the hour before and this one: at share 1 it is this hour.
function drawMap(share) {
  const canvas = byId("map"), size = canvas.clientWidth, sharp = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(size * sharp)) {
    canvas.width = canvas.height = Math.round(size * sharp);
    laidOut = new Map();
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(sharp, 0, 0, sharp, 0, 0);
  pen.clearRect(0, 0, size, size);
  const [xs, ys, rs] = layout(hour, size), [fromX, fromY] = layout(Math.max(0, hour - 1), size);
  const at = flank => [fromX[flank] + (xs[flank] - fromX[flank]) * share, fromY[flank] + (ys[flank] - fromY[flank]) * share];
  for (let flank = 0; flank < FLANKS; flank++) drawTrail(pen, flank, size);
  const order = [...Array(FLANKS).keys()].sort((one, other) => rs[other] - rs[one]);
  if (FLANKS <= MANY) for (const flank of order) drawLeader(pen, flank, at(flank), rs[flank], size);
  if (share === 1 && FLANKS > MANY) drawBlows(pen, xs, ys, rs); // below the flanks, which they would hide
  for (const flank of order) drawMark(pen, flank, at(flank), rs[flank], size);
  if (share === 1 && FLANKS <= MANY) drawBlows(pen, xs, ys, rs);
  if (FLANKS <= LABELLED) drawLabels(pen, order, at, rs, size);
  drawScale(pen, size, data.view[2] * data.km);
}

function drawTrail(pen, flank, size) {
  const first = Math.max(0, hour - TRAIL);
  if (first === hour) return;
  pen.beginPath();
  for (let at = first; at <= hour; at++) pen.lineTo(...place(flank, at, size));
  pen.strokeStyle = theme.ink;
  pen.globalAlpha = 0.4;
  pen.lineWidth = 1.5;
  pen.setLineDash(data.flanks[flank][0] ? [4, 3] : []);
  pen.stroke();
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

function drawLeader(pen, flank, [x, y], r, size) {
  const [trueX, trueY] = place(flank, hour, size);
  if (isOutside(flank) || Math.hypot(trueX - x, trueY - y) < r) return;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(trueX, trueY);
  pen.arc(trueX, trueY, 1.5, 0, 7);
  pen.strokeStyle = theme.ink;
  pen.lineWidth = 1;
  pen.stroke();
}

function isOutside(flank) {
  const [left, top, side] = data.view;
  const x = columns.x[flank][hour] / data.steps - left, y = columns.y[flank][hour] / data.steps - top;
  return x < 0 || y < 0 || x > side || y > side;
}

function drawMark(pen, flank, [x, y], r, size) {
  const status = columns.status[flank][hour], side = data.flanks[flank][0], isEmpty = columns.men[flank][hour] === 0;
  pen.globalAlpha = status === RETREATING ? 0.6 : status >= OUT ? 0.75 : 1;
  sign(pen, { side, x, y, r, colour: data.sides[side][1], isOut: isEmpty || status >= OUT });
  pen.globalAlpha = 1;
  if (status === RETREATING) {
    outline(pen, side, x, y, r + 2.5);
    pen.strokeStyle = theme.ink;
    pen.lineWidth = 2;
    pen.stroke();
  }
  if (status >= OUT) cross(pen, x, y, r);
  if (isOutside(flank)) triangle(pen, flank, x, y, r, size);
}

// A flank beyond the edge is drawn at the edge, with a triangle that points outward.
function triangle(pen, flank, x, y, r, size) {
  const [trueX, trueY] = place(flank, hour, size), angle = Math.atan2(trueY - y, trueX - x);
  pen.beginPath();
  for (const turn of [0, 2.5, -2.5]) pen.lineTo(x + r * Math.cos(angle + turn), y + r * Math.sin(angle + turn));
  pen.closePath();
  pen.fillStyle = theme.ink;
  pen.fill();
}

function drawBlows(pen, xs, ys, rs) {
  const blows = data.blows[hour];
  for (let place = 0; place < blows.length; place += 3) {
    const from = blows[place], to = blows[place + 1], killed = blows[place + 2];
    arrow(pen, [xs[from], ys[from], rs[from]], [xs[to], ys[to], rs[to]], killed);
  }
}

function arrow(pen, [x, y, r], [toX, toY, toR], killed) {
  const far = Math.hypot(toX - x, toY - y) || 1, dx = (toX - x) / far, dy = (toY - y) / far;
  const width = FLANKS > MANY ? 1 : Math.min(5, 1.5 + Math.sqrt(killed) / 8);
  const head = 4 + 1.5 * width, tip = far - toR - 1;
  // A blow and the blow back run beside each other, not on each other.
  const aside = width + 1.5, ox = -dy * aside, oy = dx * aside;
  const start = FLANKS > MANY ? 0 : Math.min(r * 0.6, tip - head);
  const shaft = [[x + dx * start + ox, y + dy * start + oy], [x + dx * (tip - head) + ox, y + dy * (tip - head) + oy]];
  const strokes = [[theme.halo, 2.5], [theme.ink, 0]];
  for (const [colour, extra] of FLANKS > MANY ? strokes.slice(1) : strokes) {
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = width + extra;
    pen.beginPath();
    pen.moveTo(...shaft[0]);
    pen.lineTo(...shaft[1]);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(x + dx * tip + ox, y + dy * tip + oy);
    for (const wing of [1, -1])
      pen.lineTo(shaft[1][0] - dy * wing * (head / 2 + extra / 2), shaft[1][1] + dx * wing * (head / 2 + extra / 2));
    pen.closePath();
    pen.fill();
  }
}

// Labels stand below, above or beside their flank, where the first has room; one without room is left out.
function drawLabels(pen, order, at, rs, size) {
  pen.font = "600 12px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const taken = order.map(flank => box(...at(flank), 2 * rs[flank], 2 * rs[flank]));
  const blows = data.blows[hour];
  for (let place = 0; place < blows.length; place += 3) {
    const [x, y] = at(blows[place]), [toX, toY] = at(blows[place + 1]);
    taken.push(box((x + toX) / 2, (y + toY) / 2, 16, 10));
  }
  for (const flank of order) {
    const [x, y] = at(flank), r = rs[flank], text = shortened(data.flanks[flank][1]);
    const width = pen.measureText(text).width + 4, away = data.flanks[flank][0] ? up : -up;
    const beside = r + width / 2 + 3, above = r + 10;
    for (const [dx, dy] of [[0, away * above], [beside, 0], [-beside, 0], [0, -away * above], [beside, away * above], [-beside, away * above]]) {
      const room = box(x + dx, y + dy, width, 14);
      const isFree = room[0] >= 0 && room[1] >= 0 && room[2] <= size && room[3] <= size;
      if (!isFree || taken.some(other => overlap(room, other))) continue;
      taken.push(room);
      halo(pen, text, x + dx, y + dy);
      break;
    }
  }
}

// --- Words and numbers

function drawArmies() {
  for (const side of [0, 1]) {
    const men = total(side, hour, "men"), spirit = morale(side, hour);
    byId(`men${side}`).style.width = `${full[side] ? 100 * men / full[side] : 0}%`;
    byId(`morale${side}`).style.width = `${100 * spirit}%`;
    byId(`men-text${side}`).textContent = `${inWords(men)} of ${inMen(full[side])}`;
    byId(`morale-text${side}`).textContent = `morale ${percent(spirit)}`;
  }
}

// A sentence: its words, and between them numbers and the names of flanks, isolated since they may run right to left.
function sentence([kind, ...values]) {
  const [, weight, ...words] = data.kinds[kind];
  const item = element("li", undefined, weight === 1 ? "key" : "");
  words.forEach((text, place) => {
    item.append(text);
    if (place === values.length) return;
    const value = values[place];
    item.append(value < 0 ? element("bdi", data.names[-1 - value]) : inWords(value));
  });
  return item;
}

function drawEvents() {
  const found = events.get(hour) || [];
  const [folded, open] = [true, false].map(isFolded => found.filter(([kind]) => (data.kinds[kind][1] === 2) === isFolded));
  const items = open.slice(0, EVENTS_SHOWN).map(sentence);
  if (open.length > EVENTS_SHOWN) items.push(foldedEvents(open.slice(EVENTS_SHOWN), "More events"));
  if (folded.length) items.push(foldedEvents(folded, "Fortunes of the day"));
  byId("events").replaceChildren(...(items.length ? items : [element("li", "Nothing worth telling.", "faint")]));
}

function foldedEvents(found, title) {
  const item = element("li", undefined, "folded"), details = element("details"), list = element("ul");
  details.addEventListener("toggle", () => list.replaceChildren(...found.map(sentence)));
  details.append(element("summary", `${title} (${found.length})`), list);
  item.append(details);
  return item;
}

function makeRows() {
  rows = data.flanks.map(([side, label]) => {
    const row = element("tr"), sign = element("span", undefined, side ? "mark" : "mark round"), head = element("th");
    sign.style.background = data.sides[side][1];
    head.scope = "row";
    const name = element("span", undefined, "name");
    name.append(element("bdi", label));
    name.title = `${label} (${data.sides[side][0]})`;
    head.append(sign, " ", name, element("span", side ? " defender" : " attacker", "sr"));
    row.append(head);
    const cells = ["n", ...(HAS_SHIPS ? ["n"] : []), "n", "status", "", "wide"].map(name => element("td", "", name));
    row.append(...cells);
    const enemy = element("span", "", "name");
    cells[cells.length - 2].append(enemy);
    return { row, shown: [], cells: cells.map((cell, place) => (place === cells.length - 2 ? enemy : cell)) };
  });
  byId("rows").replaceChildren(...rows.map(({ row }) => row));
}

function drawRows() {
  rows.forEach(({ row, shown, cells }, flank) => {
    const men = columns.men[flank][hour], ships = columns.ships[flank][hour], status = columns.status[flank][hour];
    const target = columns.target[flank][hour];
    const texts = [inWords(men)];
    if (HAS_SHIPS) texts.push(ships < 0 ? "" : inWords(ships));
    texts.push(percent(columns.morale[flank][hour] / 1000), data.statuses[status]);
    texts.push(target < 0 ? "–" : data.flanks[target][1]);
    texts.push(data.flanks[flank][2].map(([name, share]) => `${inWords(Math.round(men * share))} ${name}`).join(", "));
    texts.forEach((text, place) => { if (shown[place] !== text) cells[place].textContent = shown[place] = text; });
    const name = status >= OUT ? "out" : "";
    if (row.className !== name) row.className = name;
  });
}

// --- The charts

function svg(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function across(at) { return 1000 * at / Math.max(1, LAST); }

function drawCharts() {
  const chart = byId("men-chart"), chances = byId("chance-chart"), top = Math.max(1, ...full);
  for (const side of [0, 1]) {
    const points = [];
    for (let at = 0; at <= LAST; at++) points.push(`${across(at).toFixed(1)},${(100 - 92 * total(side, at, "men") / top).toFixed(2)}`);
    const dashed = side ? " dashed" : "";
    chart.append(svg("polyline", { class: `casing${dashed}`, points: points.join(" ") }));
    chart.append(svg("polyline", { class: `curve${dashed}`, points: points.join(" "), stroke: data.sides[side][1] }));
  }
  if (chances) drawChances(chances);
  if (byId("men-top")) {
    byId("men-top").textContent = inWords(top);
    byId("curves").textContent = `solid: ${shortened(data.sides[0][0])}, dashed: ${shortened(data.sides[1][0])}`;
  }
  for (const drawn of [chart, chances]) if (drawn) drawn.append(svg("rect", { class: "veil", y: -4, height: 108 }));
  const timeline = chances || chart; // the marks tell nothing of what comes
  for (const at of keyHours) timeline.append(svg("line", { class: "tick", x1: across(at), x2: across(at), y1: 0, y2: 7 }));
}

function drawChances(chart) {
  const decided = data.chances[data.chances.length - 1];
  const line = [...data.chances, [LAST, ...decided.slice(1)]]; // then it was decided
  const point = (at, share) => `${across(at).toFixed(1)},${(100 - 100 * share).toFixed(2)}`;
  const points = line.map(([at, share]) => point(at, share));
  const low = line.map(([at, , share]) => point(at, share));
  const high = line.map(([at, , , share]) => point(at, share)).reverse();
  for (const [side, edge] of [[0, 100], [1, 0]])
    chart.append(svg("polygon", { class: "share", fill: data.sides[side][1], points: [`0,${edge}`, ...points, `1000,${edge}`].join(" ") }));
  chart.append(svg("line", { class: "even", x1: 0, x2: 1000, y1: 50, y2: 50 }));
  chart.append(svg("polygon", { class: "band", points: [...low, ...high].join(" ") }));
  chart.append(svg("polyline", { class: "chance", points: points.join(" ") }));
  for (const [at, , , , isGreat] of data.chances)
    if (isGreat) chart.append(svg("line", { class: "leap", x1: across(at), x2: across(at), y1: 0, y2: 100 }));
}

// What the timeline shows at this hour, in words.
function drawNow() {
  if (!data.chances.length) {
    byId("now").textContent = `men; solid: ${shortened(data.sides[0][0])}, dashed: ${shortened(data.sides[1][0])}`;
    return;
  }
  byId("cursor").style.left = `${100 * hour / Math.max(1, LAST)}%`;
  const [at, share, low, high] = data.chances.reduce((found, chance) => (chance[0] <= hour ? chance : found));
  byId("now").textContent = `${shortened(data.sides[0][0])}, hour ${at}: ${percent(share)} (${Math.round(100 * low)} to ${percent(high)})`;
}

// Until the battle is decided before the reader's eyes, nothing says who wins or how long it lasts, and the charts end
// where the reader is.
function drawStory() {
  const isKnown = seen >= data.known;
  document.body.classList.toggle("unknown", !isKnown);
  byId("hour").textContent = isKnown ? `Hour ${hour} of ${LAST}` : `Hour ${hour}`;
  const from = across(isKnown ? LAST : seen);
  for (const veil of document.querySelectorAll(".veil")) {
    veil.setAttribute("x", from);
    veil.setAttribute("width", isKnown ? 0 : 1005 - from);
  }
  if (!data.chapters.length) return;
  byId("headline").textContent = data.chapters[isKnown ? data.chapters.length - 1 : 0][2];
  const told = data.chapters.slice(1, -1).filter(([at]) => at === hour);
  byId("chapter").hidden = !told.length;
  byId("chapter").replaceChildren(...told.flatMap(([, name, text]) => [element("strong", `${name}:`), ` ${text} `]));
  const reached = data.chapters.filter(([at]) => at <= hour).length - 1;
  document.querySelectorAll(".chapters a").forEach((link, place) => {
    link.parentElement.hidden = !isKnown && data.chapters[place][0] > seen;
    if (place === reached) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  });
}

// --- Going from hour to hour

function show(at, options = {}) {
  hour = Math.min(Math.max(0, at), LAST);
  byId("slider").value = hour;
  byId("slider").setAttribute("aria-valuetext", `hour ${hour}`);
  byId("link").setAttribute("href", `#h=${hour}`);
  byId("back").disabled = hour === 0;
  byId("on").disabled = byId("next").disabled = hour === LAST;
  drawMap(options.share === undefined ? 1 : options.share);
  drawArmies();
  drawEvents();
  drawRows();
  drawNow();
  seen = Math.max(seen, hour);
  drawStory();
  if (!playing) byId("said").textContent = spoken();
}

function spoken() {
  const [one, other] = [0, 1].map(side => `${shortened(data.sides[side][0])} ${inMen(total(side, hour, "men"))}`);
  const told = (events.get(hour) || []).length;
  const chapters = data.chapters.filter(([at]) => at === hour).map(([, name, text]) => ` ${name}: ${text}`);
  return `${byId("hour").textContent}: ${one}, ${other}, ${told} ${told === 1 ? "event" : "events"}.${chapters.join("")}`;
}

function step(at) {
  pause();
  show(at);
}

function play() {
  if (hour === LAST) hour = 0;
  playing = true;
  byId("play").textContent = "Pause";
  started = performance.now();
  show(hour);
  requestAnimationFrame(tick);
}

function pause() {
  if (!playing) return;
  playing = false;
  byId("play").textContent = "Play";
  show(hour);
}

// An hour takes a second at 1×; between two hours flanks glide, unless the reader wants no motion.
function tick(now) {
  if (!playing) return;
  const share = (now - started) * speed / 1000;
  if (share >= 1) {
    started = now;
    if (hour === LAST) return pause();
    show(hour + 1, { share: QUIET.matches ? 1 : 0 });
  } else if (!QUIET.matches && share > 0) {
    drawMap(Math.min(1, share * 1.6)); // the rest of the hour it stands still, with its blows
  }
  requestAnimationFrame(tick);
}

function nextEvent() {
  const at = keyHours.find(other => other > hour);
  if (at !== undefined) step(at);
}

function fromAddress() {
  const found = /^#h=(\d{1,6})$/.exec(location.hash);
  if (found) step(+found[1]);
  return found;
}

// Space plays wherever the focus is, since a button keeps it after a click; Enter presses a button, a link, a summary.
function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const target = event.target, isSideways = event.key.startsWith("Arrow") && target.scrollWidth > target.clientWidth;
  const isScrolled = target.tabIndex === 0 && (isSideways || target.scrollHeight > target.clientHeight && !event.key.startsWith("Arrow"));
  if (event.key !== " " && isScrolled && /^(?:DIV|OL)$/.test(target.tagName)) return;
  const action = {
    " ": () => event.repeat || toggle(),
    ArrowLeft: () => step(hour - 1),
    ArrowRight: () => step(hour + 1),
    Home: () => step(0),
    End: () => step(LAST),
  }[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

function toggle() { return playing ? pause() : play(); }

function nextSpeed() {
  speed = speed === 8 ? 1 : 2 * speed;
  byId("speed").textContent = `${speed}×`;
  byId("speed").setAttribute("aria-label", `${speed}×: speed`);
}

// A finger that goes over the map from right to left goes an hour on, from left to right an hour back.
function swipes(area) {
  let from = null;
  area.addEventListener("pointerdown", event => { from = event.isPrimary && event.pointerType !== "mouse" ? event : null; });
  area.addEventListener("pointerup", event => {
    if (!from || event.pointerId !== from.pointerId) return;
    const dx = event.clientX - from.clientX, dy = event.clientY - from.clientY;
    if (Math.abs(dx) >= SWIPE && Math.abs(dx) > Math.abs(dy)) step(hour + (dx < 0 ? 1 : -1));
    from = null;
  });
}

function begin(found) {
  prepare(found);
  followTheme(() => drawMap(1));
  for (const coloured of document.querySelectorAll("[data-colour]")) coloured.style.background = coloured.dataset.colour;
  makeRows();
  drawCharts();
  byId("play").addEventListener("click", toggle);
  byId("speed").addEventListener("click", nextSpeed);
  byId("back").addEventListener("click", () => step(hour - 1));
  byId("on").addEventListener("click", () => step(hour + 1));
  byId("next").addEventListener("click", nextEvent);
  byId("slider").addEventListener("input", () => step(+byId("slider").value));
  document.addEventListener("keydown", onKey);
  document.addEventListener("keyup", event => { if (event.key === " ") event.preventDefault(); }); // Firefox clicks a button then
  swipes(byId("map"));
  byId("reveal").addEventListener("click", () => { step(LAST); scrollTo(0, 0); });
  window.addEventListener("hashchange", fromAddress);
  window.addEventListener("resize", () => { laidOut = new Map(); drawMap(1); });
  if (!fromAddress()) show(0);
  document.body.dataset.ready = "";
}

document.body.classList.add("unknown");
readData().then(begin);
