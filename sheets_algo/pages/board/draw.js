// The picture of a board: ground, circles, flanks and their labels.

import { box, cross, drawScale, halo, outline, overlap, shortened, sign, theme } from "../shared/marks.js";

const MANY = 24; // with more flanks, labels are their numbers alone
const LARGEST = 18, LEAST = 8; // pixels of the screen

export function draw(pen, { view, ground, zone, cover, sides, side, chosen, wrong, ruler, lasso, circles, heat, ghosts, km, pixels }) {
  const size = view.size;
  pen.clearRect(0, 0, size, size);
  if (ground) {
    const [left, top] = view.toScreen(-0.5, -0.5);
    pen.drawImage(ground.picture, left, top, pixels * view.scale, pixels * view.scale);
  }
  if (zone) drawBeyond(pen, view, zone, pixels);
  if (cover) drawOpen(pen, view, cover, pixels);
  for (const square of heat) drawHeat(pen, view, square);
  for (const circle of circles) drawCircle(pen, view, circle);
  for (const ghost of ghosts) drawGhost(pen, view, ghost);
  const marks = marksOf(view, sides);
  const ordered = [...marks].sort((one, other) => (one.side === side) - (other.side === side)); // armies may share a place
  for (const mark of ordered) drawMark(pen, mark, { side, chosen, wrong });
  drawLabels(pen, marks, size);
  if (ruler) drawRuler(pen, view, ruler);
  if (lasso) drawLasso(pen, lasso);
  drawScale(pen, size, size / view.scale * km);
}

// Shades the rows of the map where the chosen side may not start.
function drawBeyond(pen, view, [low, high], pixels) {
  pen.fillStyle = theme.ink;
  pen.globalAlpha = 0.12;
  for (const [first, last] of [[-0.5, low - 0.5], [high + 0.5, pixels - 0.5]]) {
    const [left, top] = view.toScreen(-0.5, first), height = (last - first) * view.scale;
    if (height > 0) pen.fillRect(left, top, pixels * view.scale, height);
  }
  pen.globalAlpha = 1;
}

// Shades what hides no ambush, so that the places of one stay bright.
function drawOpen(pen, view, mask, pixels) {
  const [left, top] = view.toScreen(-0.5, -0.5);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(mask, left, top, pixels * view.scale, pixels * view.scale);
  pen.imageSmoothingEnabled = true;
}

// A picture of the map, dark where nothing hides an ambush.
export function openMask(ground, side) {
  const image = new ImageData(side, side), canvas = document.createElement("canvas");
  for (let y = 0, at = 3; y < side; y++) {
    for (let x = 0; x < side; x++, at += 4) image.data[at] = ground.at(x, y).is_cover ? 0 : 31;
  }
  canvas.width = canvas.height = side;
  const pen = canvas.getContext("2d");
  pen.putImageData(image, 0, 0);
  pen.globalCompositeOperation = "source-in";
  pen.fillStyle = theme.ink;
  pen.fillRect(0, 0, side, side);
  return canvas;
}

// Where each flank is drawn: just where it stands, larger with more men.
export function marksOf(view, sides) {
  const all = sides.flatMap((own, side) => own.map((flank, place) => ({ flank, side, place, colour: flank.colour })));
  const most = Math.max(1, ...all.map(({ flank }) => flank.men));
  for (const mark of all) {
    [mark.x, mark.y] = view.toScreen(mark.flank.x, mark.flank.y);
    mark.r = Math.max(LEAST, LARGEST * Math.sqrt(mark.flank.men / most));
  }
  return all;
}

// The mark under a place of the screen: of several the nearest, of the shown army first.
export function markAt(marks, x, y, side, room = 4) {
  const near = marks.map(mark => ({ mark, far: Math.hypot(mark.x - x, mark.y - y) })).filter(({ mark, far }) => far <= mark.r + room);
  near.sort((one, other) => (one.mark.side !== side) - (other.mark.side !== side) || one.far - other.far);
  return near.length ? near[0].mark : null;
}

function drawMark(pen, { flank, side, x, y, r, colour }, { side: own, chosen, wrong }) {
  const { role } = flank;
  const isWrong = wrong.has(flank.key), counts = [flank.infantry, flank.cavalry, flank.artillery];
  if (chosen.has(flank.key) || isWrong) {
    outline(pen, role, x, y, r + 4.5);
    pen.strokeStyle = isWrong ? theme.bad : theme.ink;
    pen.lineWidth = 3;
    pen.stroke();
  }
  pen.globalAlpha = side === own ? 1 : 0.85;
  const arm = flank.ships > 0 && flank.isAtSea ? 3 : counts.indexOf(Math.max(...counts));
  const isOut = !flank.men || flank.status === "Routed";
  sign(pen, { side: role, x, y, r, colour, isOut });
  drawArm(pen, arm, x, y, r, isOut ? colour : onColour(colour));
  pen.globalAlpha = 1;
  if (isWrong) cross(pen, x, y, r * 0.6);
}

// The strongest arm of a flank: cross for infantry, slash for cavalry, ring for artillery, sail for ships.
function drawArm(pen, arm, x, y, r, colour) {
  const s = r * 0.5;
  pen.beginPath();
  for (const [fromX, fromY, toX, toY] of [[[-s, -s, s, s], [-s, s, s, -s]], [[-s, s, s, -s]], [], [[0, -s, s, s * 0.7], [s, s * 0.7, -s, s * 0.7], [-s, s * 0.7, 0, -s]]][arm]) {
    pen.moveTo(x + fromX, y + fromY);
    pen.lineTo(x + toX, y + toY);
  }
  if (arm === 2) pen.arc(x, y, r * 0.3, 0, 2 * Math.PI);
  pen.strokeStyle = colour;
  pen.lineWidth = Math.max(1.5, r * 0.17);
  pen.lineCap = "round";
  pen.stroke();
  pen.lineCap = "butt";
}

function onColour(colour) {
  const [red, green, blue] = [1, 3, 5].map(start => parseInt(colour.slice(start, start + 2), 16));
  return 0.3 * red + 0.59 * green + 0.11 * blue > 150 ? "#10151b" : "#ffffff";
}

// A place that is better or worse for a flank, the stronger the more; the best has a frame.
function drawHeat(pen, view, { x, y, wide, change, error, isBest }) {
  const [left, top] = view.toScreen(x - wide / 2, y - wide / 2), size = wide * view.scale;
  pen.globalAlpha = 0.12 + 0.6 * Math.min(1, Math.abs(change) / 0.1) * (Math.abs(change) > error ? 1 : 0.4);
  pen.fillStyle = change >= 0 ? theme.good : theme.bad;
  pen.fillRect(left, top, size, size);
  pen.globalAlpha = 1;
  if (!isBest) return;
  pen.strokeStyle = theme.ink;
  pen.lineWidth = 2.5;
  pen.strokeRect(left, top, size, size);
}

// Where somebody else has put a flank meanwhile.
function drawGhost(pen, view, { x, y, role }) {
  const [left, top] = view.toScreen(x, y);
  pen.setLineDash([3, 3]);
  for (const [colour, width] of [[theme.halo, 4], [theme.ink, 1.6]]) {
    outline(pen, role, left, top, LARGEST);
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.stroke();
  }
  pen.setLineDash([]);
}

function drawLabels(pen, marks, size) {
  pen.font = "600 12px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const taken = [];
  for (const { flank, x, y, r, place } of marks) {
    const text = marks.length > MANY ? String(place + 1) : `${place + 1} ${shortened(flank.label)}`.trim();
    const room = box(x, y + r + 9, pen.measureText(text).width + 2, 13);
    if (room[0] < 0 || room[2] > size || room[3] > size || taken.some(other => overlap(room, other))) continue;
    taken.push(room);
    halo(pen, text, x, y + r + 9);
  }
}

function drawCircle(pen, view, { x, y, radius, dash, text }) {
  const [left, top] = view.toScreen(x, y), r = radius * view.scale;
  if (r < 2) return;
  for (const [colour, width] of [[theme.halo, 3], [theme.ink, 1.2]]) {
    pen.beginPath();
    pen.arc(left, top, r, 0, 2 * Math.PI);
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.setLineDash(dash);
    pen.stroke();
  }
  pen.setLineDash([]);
  if (r < 2 * LARGEST) return;
  pen.font = "11px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  halo(pen, text, left, top - r);
}

function drawRuler(pen, view, { from, to, text }) {
  const [one, other] = [view.toScreen(...from), view.toScreen(...to)];
  for (const [colour, width] of [[theme.halo, 5], [theme.ink, 2]]) {
    pen.beginPath();
    pen.moveTo(...one);
    pen.lineTo(...other);
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.stroke();
  }
  pen.font = "600 12px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  halo(pen, text, (one[0] + other[0]) / 2, (one[1] + other[1]) / 2 - 12);
}

function drawLasso(pen, [x, y, toX, toY]) {
  pen.strokeStyle = theme.ink;
  pen.lineWidth = 1.5;
  pen.setLineDash([5, 4]);
  pen.strokeRect(Math.min(x, toX), Math.min(y, toY), Math.abs(toX - x), Math.abs(toY - y));
  pen.setLineDash([]);
}
