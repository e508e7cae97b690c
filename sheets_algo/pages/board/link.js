// A link that carries a whole strategy behind its `#`, to be sent to a moderator. What comes from a link is checked.

import { shareOf } from "./shares.js";

const SIGNS = 60_000;

// The flanks have in place of their counts what is typed for them; those of one of several armies end with its name.
export async function linkOf(protocol, request, side, flanks) {
  const rows = flanks.map(flank => [flank.label, flank.x, flank.y, flank.infantry, flank.cavalry, flank.artillery, flank.ships, flank.maneuver, ...(flank.military ? [flank.military] : [])]);
  const bytes = new TextEncoder().encode(JSON.stringify([protocol, request, side, rows]));
  const packed = new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
  return `#s=${btoa(String.fromCharCode(...packed)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

// The strategy of a link, null without one; throws an Error whose message says what is wrong.
export async function strategyOf(hash, { protocol, request, sides, maneuvers, most }) {
  if (!hash.startsWith("#s=")) return null;
  const wrong = new Error("The link is not that of a strategy, or was cut off; ask for it again.");
  let found;
  try {
    if (hash.length > SIGNS) throw wrong;
    const packed = Uint8Array.from(atob(hash.slice(3).replaceAll("-", "+").replaceAll("_", "/")), sign => sign.charCodeAt(0));
    found = JSON.parse(await inflated(packed));
  } catch { throw wrong; }
  if (!Array.isArray(found) || found.length !== 4) throw wrong;
  const [of, id, side, rows] = found;
  if (of !== protocol) throw new Error("The link is of another version of the board.");
  if (id !== request) throw new Error(`The link is of ${String(id).slice(0, 40)}, and this is the board of ${request}.`);
  if (!sides.some(own => own && own.role === side) || !Array.isArray(rows) || !rows.length || rows.length > most) throw wrong;
  return { side, flanks: rows.map(row => flankOf(row, maneuvers, wrong)) };
}

function flankOf(row, maneuvers, wrong) {
  if (!Array.isArray(row) || row.length < 8 || row.length > 9) throw wrong;
  const [label, x, y, infantry, cavalry, artillery, ships, maneuver, military] = row, counts = [infantry, cavalry, artillery, ships];
  const isPlace = [x, y].every(value => Number.isFinite(value) && Math.abs(value) < 1e6);
  const areCounts = counts.every(value => value === "" || shareOf(value) !== null || (Number.isInteger(value) && value >= 0 && value <= 1e9));
  if (typeof label !== "string" || (row.length > 8 && typeof military !== "string") || !isPlace || !areCounts || !maneuvers.includes(maneuver)) throw wrong;
  return { label: label.slice(0, 200), x, y, infantry, cavalry, artillery, ships, maneuver, ...(military && { military }) };
}

async function inflated(packed) {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > 10 * SIGNS) throw new Error("too much");
    parts.push(value);
  }
  return await new Blob(parts).text();
}
