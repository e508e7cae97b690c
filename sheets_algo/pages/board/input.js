// Mouse, touch and keyboard on the map.

import { markAt, marksOf } from "./draw.js";

const HELD = 3; // pixels that a pointer may move before it drags

// `tools` says what is under way: `isMeasuring`, and the `ruler` and `lasso` that are drawn; `redraw` draws the map alone.
export function listen(canvas, board, view, tools, redraw) {
  const { store } = board, pointers = new Map();
  let held = null, pinch = null; // what is held by one pointer; where two fingers are, and how far apart

  function at(event) {
    const area = canvas.getBoundingClientRect();
    return [event.clientX - area.left, event.clientY - area.top];
  }

  function down(event) {
    if (event.button > 1) return;
    canvas.focus();
    canvas.setPointerCapture(event.pointerId);
    const [x, y] = at(event);
    pointers.set(event.pointerId, [x, y]);
    if (pointers.size === 2) {
      pinch = fingers();
      held = null;
      return;
    }
    if (tools.isMeasuring) {
      const from = view.toMap(x, y);
      held = { kind: "ruler", from };
      return;
    }
    const mark = board.isAfter ? null : markAt(marksOf(view, board.seen()), x, y, store.state.side, event.pointerType === "touch" ? 12 : 4);
    if (mark) {
      tools.isDragging = true; // the sheet of the flank waits until the pointer is up
      if (mark.side !== store.state.side) store.show(mark.side);
      const key = mark.flank.key, chosen = store.state.chosen;
      if (event.shiftKey) store.choose(chosen.includes(key) ? chosen.filter(other => other !== key) : [...chosen, key]);
      else if (!chosen.includes(key)) store.choose([key]);
      held = { kind: "flanks", x, y, from: store.chosen.map(flank => [flank.x, flank.y]), merge: `drag ${event.timeStamp}` };
    } else held = { kind: event.button === 1 || event.pointerType === "touch" ? "map" : "lasso", x, y, adds: event.shiftKey };
  }

  function move(event) {
    const [x, y] = at(event);
    tools.pointer = view.toMap(x, y);
    if (pointers.has(event.pointerId)) pointers.set(event.pointerId, [x, y]);
    if (pointers.size === 2) {
      const now = fingers();
      view.pan(now.x - pinch.x, now.y - pinch.y);
      view.zoom(now.apart / pinch.apart, now.x, now.y);
      pinch = now;
    } else if (held) drag(x, y);
    redraw();
  }

  function drag(x, y) {
    if (held.kind === "ruler") {
      tools.ruler = { from: held.from, to: view.toMap(x, y) };
      return;
    }
    if (!held.isMoving && Math.hypot(x - held.x, y - held.y) < HELD) return;
    held.isMoving = true;
    if (held.kind === "map") {
      view.pan(x - held.x, y - held.y);
      [held.x, held.y] = [x, y];
    } else if (held.kind === "lasso") tools.lasso = [held.x, held.y, x, y];
    else {
      board.place(held.from.map(([fromX, fromY]) => [
        tenth(fromX + (x - held.x) / view.scale), tenth(fromY + (y - held.y) / view.scale),
      ]), held.merge);
    }
  }

  function up(event) {
    pointers.delete(event.pointerId);
    if (held && held.kind === "lasso") {
      const inside = held.isMoving ? marksOf(view, board.seen()).filter(mark => isInside(mark, tools.lasso) && mark.side === store.state.side) : [];
      store.choose([...(held.adds ? store.state.chosen : []), ...inside.map(mark => mark.flank.key)]);
    } else if (held && held.kind === "map" && !held.isMoving) store.choose([]);
    tools.lasso = held = null;
    tools.isDragging = false;
    store.settle();
    redraw(true);
  }

  function isInside({ x, y }, [left, top, right, bottom]) {
    return x >= Math.min(left, right) && x <= Math.max(left, right) && y >= Math.min(top, bottom) && y <= Math.max(top, bottom);
  }

  function fingers() {
    const [[left, top], [right, bottom]] = [...pointers.values()];
    return { x: (left + right) / 2, y: (top + bottom) / 2, apart: Math.max(1, Math.hypot(left - right, top - bottom)) };
  }

  canvas.addEventListener("pointerdown", down);
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", () => { tools.pointer = null; redraw(); });
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    view.zoom(Math.exp(-event.deltaY / 400), ...at(event));
    redraw();
  }, { passive: false });
}

export function tenth(value) { return Math.round(10 * value) / 10; }

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function isTyping({ target }) { return ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName); }

// The clipboard: chosen flanks are copied as rows of a sheet. Pasted, they are added; rows from elsewhere replace the side.
export function listenToClipboard(board, { textOf, take, say }, redraw) {
  const { store } = board;
  let copied = { flanks: [], text: "" };
  for (const kind of ["copy", "cut"]) document.addEventListener(kind, event => {
    if (isTyping(event) || getSelection().toString() || !store.chosen.length) return;
    event.preventDefault();
    copied = { flanks: store.chosen, text: textOf(store.chosen) };
    event.clipboardData.setData("text/plain", copied.text);
    if (kind === "cut") board.remove();
  });
  document.addEventListener("paste", event => {
    const text = event.clipboardData.getData("text/plain").replace(/\r\n/g, "\n");
    if (isTyping(event)) return;
    if (copied.text && text === copied.text) say(board.addCopies(copied.flanks));
    else if (text.includes("\t")) take(text);
    else return;
    event.preventDefault();
    redraw(true);
  });
}

// Keys; one that is typed into a field stays there.
export function listenToKeys(board, view, redraw) {
  const { store } = board;
  document.addEventListener("keydown", event => {
    const isCommand = event.ctrlKey || event.metaKey, key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (isTyping(event) || event.altKey) return;
    const found = isCommand ? {
      z: () => (event.shiftKey ? store.redo() : store.undo()),
      y: () => store.redo(),
      a: () => store.choose(store.flanks.map(flank => flank.key)),
    }[key] : {
      Delete: () => board.remove(),
      Backspace: () => board.remove(),
      Escape: () => store.choose([]),
      "+": () => view.zoom(1.5),
      "-": () => view.zoom(1 / 1.5),
      0: () => view.whole(),
    }[key];
    const step = !isCommand && event.target.id === "map" && STEPS[key];
    if (step && store.chosen.length) {
      const by = event.shiftKey ? 10 : 1;
      board.place(store.chosen.map(flank => [tenth(flank.x + by * step[0]), tenth(flank.y + by * step[1])]), "keys");
    } else if (step) view.pan(-40 * step[0], -40 * step[1]);
    if (!step && !found) return;
    event.preventDefault();
    if (found) found();
    redraw(true);
  });
}
