// Where an ambush may lie. A field has the map's last pixel, what its ground is, and the enemy's
// flanks with men, null if they are not known.

// Whether an ambush may lie at a place.
export function isHidden(x, y, apart, { last, isCover, enemies }) {
  return x >= 0 && y >= 0 && x <= last && y <= last && isCover(x, y) && isApart(x, y, apart, enemies);
}

function isApart(x, y, apart, enemies) {
  return (enemies ?? []).every(enemy => (x - enemy.x) * (x - enemy.x) + (y - enemy.y) * (y - enemy.y) >= apart * apart);
}

// The pixel nearest to a place where an ambush may lie, the first of equally near ones; null if there is none.
export function nearestCover(x, y, apart, field) {
  let nearest = null, least = Infinity;
  [x, y] = [x, y].map(value => Math.min(Math.max(value, 0), field.last));
  for (let row = 0; row <= field.last; row++) {
    for (let column = 0; column <= field.last; column++) {
      const squared = (column - x) * (column - x) + (row - y) * (row - y);
      if (squared < least && isHidden(column, row, apart, field)) [nearest, least] = [{ x: column, y: row }, squared];
    }
  }
  return nearest;
}
