// The part of the map that is seen: its middle in pixels of the map, and how many pixels of the screen one of them is.

const NEAREST = 60; // pixels of the screen

export function viewOf(pixels) {
  const view = { x: pixels / 2, y: pixels / 2, scale: 1, size: 1 };

  function least() { return view.size / pixels; }

  function settle() {
    view.scale = Math.min(Math.max(view.scale, least()), NEAREST);
    const half = view.size / view.scale / 2;
    for (const axis of ["x", "y"]) view[axis] = Math.min(Math.max(view[axis], half - 0.5), pixels - half - 0.5);
  }

  return {
    get scale() { return view.scale; },
    get size() { return view.size; },
    toScreen: (x, y) => [(x - view.x) * view.scale + view.size / 2, (y - view.y) * view.scale + view.size / 2],
    toMap: (x, y) => [(x - view.size / 2) / view.scale + view.x, (y - view.size / 2) / view.scale + view.y],
    resize(size) {
      view.scale *= size / view.size;
      view.size = size;
      settle();
    },
    // Zoom by a factor, so that a place of the screen stays where it is.
    zoom(factor, x = view.size / 2, y = view.size / 2) {
      const before = this.toMap(x, y);
      view.scale *= factor;
      settle();
      const after = this.toMap(x, y);
      view.x += before[0] - after[0];
      view.y += before[1] - after[1];
      settle();
    },
    pan(dx, dy) {
      view.x -= dx / view.scale;
      view.y -= dy / view.scale;
      settle();
    },
    whole() {
      view.scale = least();
      settle();
    },
    // Show places with room around them.
    fit(places) {
      if (!places.length) return this.whole();
      const [low, high] = [Math.min, Math.max].map(end => [0, 1].map(axis => end(...places.map(place => place[axis]))));
      const wide = Math.max(high[0] - low[0], high[1] - low[1], 20) * 1.4 + 6;
      [view.x, view.y, view.scale] = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, view.size / wide];
      settle();
    },
  };
}
