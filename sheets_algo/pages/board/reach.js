// What a flank reaches and how long it takes, from numbers that the engine exports: the script compares and divides.

const COLUMNS = ["infantry", "cavalry", "artillery"];

// The types of men in a flank; a flank without men of a slot is its ships' crews.
function typesOf(units, flank) {
  const land = units.filter((unit, place) => place < COLUMNS.length && unit.type && flank[unit.column] > 0);
  return land.length ? land : units.slice(3);
}

// Pixels that the farthest weapon reaches, 0 for none.
export function reachOf(units, flank) { return Math.max(0, ...typesOf(units, flank).map(unit => unit.reach)); }

// Pixels that a flank goes in an hour on its ground, at the mean pace of its men, or of its slowest type; on water ships carry it.
export function paceOf({ units, is_averaged }, flank, feature) {
  if (!feature) return 0;
  if (feature.is_water) return units[3].speed;
  const types = typesOf(units, flank), sum = value => types.reduce((total, unit) => total + value(unit), 0), men = sum(unit => flank[unit.column]);
  const mean = sum(unit => flank[unit.column] * unit.speed) / men;
  return feature.speed * (is_averaged && men ? mean : Math.min(...types.map(unit => unit.speed)));
}

// Hours between two attacks of the slowest type.
export function reboundOf(units, flank) { return Math.max(0, ...typesOf(units, flank).map(unit => unit.rebound)); }

// The nearest of other flanks, with its distance in pixels; null without any.
export function nearestOf(flank, others) {
  let best = null;
  for (const other of others) {
    const far = Math.hypot(other.x - flank.x, other.y - flank.y);
    if (!best || far < best.far) best = { other, far };
  }
  return best;
}
