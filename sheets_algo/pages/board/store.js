// The state of a board: the flanks of each army, what is chosen, and all that was before, for undo and redo.

let lastKey = 0;

// A flank with a key, by which it is known however the flanks are ordered.
export function keyed(flank) { return { ...flank, key: ++lastKey }; }

export function createStore() {
  const listeners = [], past = [], future = [];
  let now = { sides: [], side: 0, chosen: [] }, merging = "";

  function tell() { for (const listener of listeners) listener(now); }

  function put(next) {
    now = next;
    tell();
  }

  const store = {
    get state() { return now; },
    get flanks() { return now.sides[now.side]; },
    get chosen() { return store.flanks.filter(flank => now.chosen.includes(flank.key)); },
    get canUndo() { return past.length > 0; },
    get canRedo() { return future.length > 0; },
    subscribe(listener) { listeners.push(listener); },
    // Begin with the flanks of each army, null for one that is not shown; what was before is forgotten.
    begin(sides, side) {
      past.length = future.length = 0;
      merging = "";
      put({ sides: sides.map(flanks => (flanks ? flanks.map(keyed) : null)), side, chosen: [] });
    },
    // Replace the flanks of the shown army; changes with one `merge` in a row are undone together, as the steps of a drag.
    change(flanks, options) { store.replace(now.sides.map((own, side) => (side === now.side ? flanks : own)), options); },
    // Replace the flanks of all armies.
    replace(sides, { chosen = now.chosen, merge = "" } = {}) {
      if (!merge || merge !== merging) past.push(now);
      merging = merge;
      future.length = 0;
      const keys = new Set(sides[now.side].map(flank => flank.key));
      put({ ...now, sides, chosen: chosen.filter(key => keys.has(key)) });
    },
    // Change each chosen flank.
    edit(change, options) {
      store.change(store.flanks.map(flank => (now.chosen.includes(flank.key) ? { ...flank, ...change(flank) } : flank)), options);
    },
    choose(keys) {
      merging = "";
      put({ ...now, chosen: [...new Set(keys)] });
    },
    show(side) {
      merging = "";
      put({ ...now, side, chosen: [] });
    },
    settle() { merging = ""; },
    undo() {
      if (!past.length) return;
      future.push(now);
      merging = "";
      put(past.pop());
    },
    redo() {
      if (!future.length) return;
      past.push(now);
      merging = "";
      put(future.pop());
    },
  };
  return store;
}
