// Marks on a map, drawn alike on the replay page and on the strategy board.

// Round for the attacker, square for the defender, with a sail on water.
export function outline(pen, side, x, y, r) {
  pen.beginPath();
  if (side === 0) pen.arc(x, y, r, 0, 2 * Math.PI);
  else pen.rect(x - r * 0.886, y - r * 0.886, r * 1.772, r * 1.772);
}

export function cross(pen, x, y, r) {
  for (const [colour, width] of [["#fff", 4], ["#000", 2]]) {
    pen.beginPath();
    for (const slant of [1, -1]) {
      pen.moveTo(x - r, y - slant * r);
      pen.lineTo(x + r, y + slant * r);
    }
    pen.strokeStyle = colour;
    pen.lineWidth = r > 4 ? width : width / 2;
    pen.stroke();
  }
}

export function halo(pen, text, x, y) {
  pen.strokeStyle = "rgba(255, 255, 255, 0.95)";
  pen.lineWidth = 3.5;
  pen.lineJoin = "round";
  pen.strokeText(text, x, y);
  pen.fillStyle = "#000";
  pen.fillText(text, x, y);
}

export function box(x, y, width, height) { return [x - width / 2, y - height / 2, x + width / 2, y + height / 2]; }
export function overlap(one, other) { return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]; }
export function shortened(text) { const signs = [...text]; return signs.length > 16 ? signs.slice(0, 15).join("") + "…" : text; }

// A scale at the lower left of a map of `size` pixels that is `wide` kilometres wide.
export function drawScale(pen, size, wide) {
  const km = [100, 50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1].find(length => length <= wide / 4) || 0.1;
  const length = size * km / wide, y = size - 10;
  for (const [colour, width] of [["#fff", 6], ["#000", 3]]) {
    pen.beginPath();
    pen.moveTo(10, y);
    pen.lineTo(10 + length, y);
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.stroke();
  }
  pen.font = "12px system-ui, sans-serif";
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  halo(pen, `${km} km`, 16 + length, y - 1);
}
