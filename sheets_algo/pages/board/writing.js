// Boards of a workbook: choosing a request, saving a side's rows, and what others saved meanwhile.
// A bridge has list, read, write and close, wherever the page is shown; data may have a remark that is told.

import { byId, element } from "../shared/dom.js";
import { begin } from "./main.js";

// Open the first board; `begun` is called with it once there is one, `opened` after each.
export async function openBoards(bridge, { first = "", begun = () => {}, opened = () => {} } = {}) {
  const choice = byId("request");
  let app = null, saved = [];

  function tell(text) { byId("said").textContent = text; }
  function cellsOfAll() { return app.board.shown.map((side, number) => side && JSON.stringify(app.rowsOf(number))); }
  function isChanged() { return Boolean(app) && !app.board.data.request.is_ruled && cellsOfAll().some((cells, side) => cells !== saved[side]); }

  async function list() {
    const found = await bridge.list();
    choice.replaceChildren(...found.map(({ id, war, is_ruled: isRuled }) => {
      const option = element("option", `${id} ${war}${isRuled ? " (ruled)" : ""}`);
      option.value = id;
      return option;
    }));
    return found;
  }

  async function show(data) {
    if (app) await app.open(data);
    else {
      app = await begin(data);
      app.board.store.subscribe(settle);
      byId("save-rows").addEventListener("click", () => save());
      byId("take-theirs").addEventListener("click", takeTheirs);
      byId("keep-mine").addEventListener("click", () => save(app.theirs.versions));
      begun(app);
    }
    saved = cellsOfAll();
    agree();
    settle();
    choice.value = data.request.id;
    if (data.remark) tell(data.remark);
    opened(app);
  }

  async function open(id) {
    try {
      await show(await bridge.read(id));
    } catch (error) {
      tell(error.message);
      if (app) choice.value = app.board.data.request.id;
      document.body.dataset.ready = "";
    }
  }

  // The one button says how many flanks are not saved yet, of both sides.
  function settle() {
    const changed = app.board.data.request.is_ruled ? 0 : app.board.shown.reduce((sum, own, side) => sum + (own ? changesOf(side) : 0), 0);
    byId("save-rows").hidden = app.board.data.request.is_ruled;
    byId("save-rows").disabled = !changed;
    byId("save-rows").textContent = changed ? `Save ${changed} ${changed === 1 ? "change" : "changes"}` : "Saved";
  }

  function changesOf(side) {
    const [before, now] = [JSON.parse(saved[side]), app.rowsOf(side)];
    return Array.from({ length: Math.max(before.length, now.length) }, (_, row) => row)
      .filter(row => JSON.stringify(before[row]) !== JSON.stringify(now[row])).length;
  }

  async function save(versions = app.board.data.versions) {
    const { data } = app.board, id = data.request.id, told = [];
    byId("save-rows").disabled = true;
    for (const [side, own] of app.board.shown.entries()) {
      if (!own || !changesOf(side)) continue;
      const rows = app.rowsOf(side);
      try {
        const { text, board } = await bridge.write(id, own.name, rows, versions[own.name]);
        saved[side] = JSON.stringify(rows);
        versions = app.board.data.versions = board.versions;
        agree();
        told.push(text);
      } catch (error) {
        told.push(error.message);
        if (error.isEdited) await showTheirs(id, side);
        else if (error.isRuled) await open(id);
        break;
      }
    }
    tell(told.join(" "));
    settle();
    app.redraw(true);
  }

  // Draw beside mine what somebody else saved.
  async function showTheirs(id, side) {
    app.theirs = await bridge.read(id);
    if (app.theirs.request.is_ruled) return show(app.theirs);
    app.board.store.show(side);
    app.extras.ghosts = app.theirs.sides[side].flanks.map(({ x, y }) => ({ x, y, side }));
    byId("edited").hidden = false;
  }

  function takeTheirs() {
    const { side } = app.board.store.state, { flanks } = app.theirs.sides[side];
    app.board.data.versions = app.theirs.versions;
    app.board.put(flanks);
    saved[side] = JSON.stringify(app.rowsOf(side));
    agree();
    settle();
    app.redraw(true);
  }

  function agree() {
    app.extras.ghosts = [];
    app.theirs = null;
    byId("edited").hidden = true;
  }

  choice.addEventListener("change", () => {
    if (isChanged() && !confirm("What you changed is not saved. Leave it?")) choice.value = app.board.data.request.id;
    else open(choice.value);
  });
  window.addEventListener("beforeunload", event => { if (isChanged()) event.preventDefault(); });
  byId("close")?.addEventListener("click", () => bridge.close());

  try {
    const found = await list();
    const wanted = found.find(({ id }) => id === first) || found.find(({ is_ruled: isRuled }) => !isRuled) || found[0];
    if (wanted) await open(wanted.id);
    else tell("There is no war yet: fill in a row of requests, then load this page again.");
  } catch (error) { tell(error.message); }
  document.body.dataset.ready = "";
  return { list, open };
}
