// Formations: where a number of flanks stand around a place, `gap` pixels from one to the next.
// `ahead` is 1 if the enemy is further down on the map, -1 if further up.

function row(count, gap, y = 0) {
  return Array.from({ length: count }, (_, place) => [(place - (count - 1) / 2) * gap, y]);
}

// The distance of a place of a row from its middle, from 0 to 1.
function outward(place, count) { return count > 1 ? Math.abs(place - (count - 1) / 2) / ((count - 1) / 2) : 0; }

export const FORMATIONS = {
  "line": (count, gap) => row(count, gap),
  "column": (count, gap) => row(count, gap).map(([x]) => [0, x]),
  "wedge": (count, gap) => row(count, gap).map(([x], place) => [x, -outward(place, count) * count * gap / 4]),
  "crescent": (count, gap) => row(count, gap).map(([x], place) => [x, outward(place, count) ** 2 * count * gap / 5]),
  "refused flank": (count, gap) => row(count, gap).map(([x], place) => [x, -Math.max(0, place - count / 2) * gap / 2]),
  "two lines": (count, gap) => lines(Math.ceil(count / 2), Math.floor(count / 2), gap),
  "two lines and a reserve": (count, gap) => {
    const reserve = count > 3 ? Math.max(1, Math.round(count / 6)) : 0, fight = count - reserve;
    return [...lines(Math.ceil(fight / 2), Math.floor(fight / 2), gap), ...row(reserve, gap, -2 * gap)];
  },
  "ring": (count, gap) => {
    const radius = count > 1 ? gap / (2 * Math.sin(Math.PI / count)) : 0;
    return Array.from({ length: count }, (_, place) => {
      const turn = 2 * Math.PI * place / count;
      return [radius * Math.sin(turn), radius * Math.cos(turn)];
    });
  },
  "reserve": (count, gap) => {
    const behind = count > 1 ? Math.max(1, Math.round(count / 4)) : 0;
    return [...row(count - behind, gap), ...row(behind, gap, -gap)];
  },
};

function lines(first, second, gap) { return [...row(first, gap), ...row(second, gap, -gap)]; }

// The places of a formation; one that is wider than its room stands closer, and one across the room's edge is moved.
export function placesOf(name, count, { x, y, gap, ahead, last, rows }) {
  const form = FORMATIONS[name](count, 1), wide = [0, 1].map(axis => Math.max(...along(form, axis)) - Math.min(...along(form, axis)));
  const ends = [[0, last], rows], room = Math.min(gap, ...wide.map((extent, axis) => (ends[axis][1] - ends[axis][0]) / extent));
  const places = form.map(([aside, forward]) => [x + aside * room, y + ahead * forward * room]);
  const shift = ends.map(([low, high], axis) => Math.max(0, low - Math.min(...along(places, axis))) - Math.max(0, Math.max(...along(places, axis)) - high));
  return places.map(place => place.map((value, axis) => Math.min(Math.max(Math.floor(10 * (value + shift[axis]) + 0.5 + 1e-6) / 10, ends[axis][0]), ends[axis][1])));
}

function along(places, axis) { return places.map(place => place[axis]); }

// --- Places of chosen flanks, as lists of [x, y]

export function aligned(places, axis) {
  const mean = places.reduce((sum, place) => sum + place[axis], 0) / places.length;
  return places.map(place => place.map((value, at) => (at === axis ? Math.round(10 * mean) / 10 : value)));
}

export function distributed(places, axis) {
  const order = places.map((_, place) => place).sort((one, other) => places[one][axis] - places[other][axis]);
  const first = places[order[0]][axis], step = (places[order[order.length - 1]][axis] - first) / Math.max(1, order.length - 1);
  const moved = places.map(place => [...place]);
  order.forEach((place, rank) => { moved[place][axis] = Math.round(10 * (first + rank * step)) / 10; });
  return moved;
}

export function mirrored(places, axis) {
  const values = places.map(place => place[axis]), twice = Math.min(...values) + Math.max(...values);
  return places.map(place => place.map((value, at) => (at === axis ? Math.round(10 * (twice - value)) / 10 : value)));
}
