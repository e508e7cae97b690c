// Marks on a map, drawn alike on the replay page and on the strategy board, in the colours of the page's theme.

export const theme = {}; // ink, halo, good and bad as the style sheet has them

// Read the theme, and call a function whenever it changes.
export function followTheme(changed) {
  const isDark = matchMedia("(prefers-color-scheme: dark)");
  const read = () => {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["ink", "halo", "good", "bad"]) theme[name] = style.getPropertyValue(`--${name}`).trim();
    theme.isDark = isDark.matches;
  };
  read();
  isDark.addEventListener("change", () => { read(); changed(); });
}

// Round for the attacker, square for the defender.
export function outline(pen, side, x, y, r) {
  pen.beginPath();
  if (side === 0) pen.arc(x, y, r, 0, 2 * Math.PI);
  else pen.roundRect(x - r * 0.886, y - r * 0.886, r * 1.772, r * 1.772, r * 0.14);
}

// The mark of a flank: filled, or the outline alone of one that is out.
export function sign(pen, { side, x, y, r, colour, isOut }) {
  outline(pen, side, x, y, r + 2.2);
  pen.fillStyle = theme.halo;
  pen.fill();
  outline(pen, side, x, y, isOut ? r - 1 : r);
  pen.fillStyle = isOut ? theme.halo : colour;
  pen.fill();
  if (isOut) {
    pen.strokeStyle = colour;
    pen.lineWidth = 2.5;
    pen.stroke();
  }
}

export function cross(pen, x, y, r) {
  for (const [colour, width] of [[theme.halo, 4], [theme.ink, 2]]) {
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
  pen.strokeStyle = theme.halo;
  pen.lineWidth = 3.5;
  pen.lineJoin = "round";
  pen.strokeText(text, x, y);
  pen.fillStyle = theme.ink;
  pen.fillText(text, x, y);
}

export function box(x, y, width, height) { return [x - width / 2, y - height / 2, x + width / 2, y + height / 2]; }
export function overlap(one, other) { return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]; }
export function shortened(text) { const signs = [...text]; return signs.length > 16 ? signs.slice(0, 15).join("") + "…" : text; }

// A scale at the lower left of a map of `size` pixels that is `wide` kilometres wide.
export function drawScale(pen, size, wide) {
  const km = [100, 50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1].find(length => length <= wide / 4) || 0.1;
  const length = size * km / wide, y = size - 14;
  for (const [colour, width] of [[theme.halo, 6], [theme.ink, 3]]) {
    pen.beginPath();
    pen.moveTo(14, y);
    pen.lineTo(14 + length, y);
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.stroke();
  }
  pen.font = "600 13px system-ui, sans-serif";
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  halo(pen, `${km} km`, 20 + length, y - 1);
}
