// Boards of a workbook: choosing a request, saving the rows of a side's armies, and what others saved meanwhile.
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

  // The one button says how many flanks are not saved yet, of all armies.
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
    for (const name of new Set(app.board.shown.flatMap(own => own?.name ?? []))) {
      const armies = app.board.armies(name), rows = armies.map(army => app.rowsOf(army));
      if (!armies.some(changesOf)) continue;
      try {
        const { text, board } = await bridge.write(id, name, rows.flat(), versions[name]);
        armies.forEach((army, place) => { saved[army] = JSON.stringify(rows[place]); });
        versions = app.board.data.versions = board.versions;
        agree();
        told.push(text);
      } catch (error) {
        told.push(error.message);
        if (error.isEdited) await showTheirs(id, name);
        else if (error.isRuled) await open(id);
        break;
      }
    }
    tell(told.join(" "));
    settle();
    app.redraw(true);
  }

  // Draw beside mine what somebody else saved.
  async function showTheirs(id, name) {
    app.theirs = await bridge.read(id);
    if (app.theirs.request.is_ruled) return show(app.theirs);
    if (app.board.own.name !== name) app.board.store.show(app.board.armies(name)[0]);
    app.extras.ghosts = theirFlanks();
    byId("edited").hidden = false;
  }

  // What somebody else saved of the shown side, each flank with its army.
  function theirFlanks() {
    const sides = app.theirs.sides.filter(({ name }) => name === app.board.own.name);
    return sides.flatMap(({ flanks, role, names: [military] }) => flanks.map(flank => ({ ...flank, role, military })));
  }

  function takeTheirs() {
    app.board.data.versions = app.theirs.versions;
    app.board.put(theirFlanks());
    for (const army of app.board.armies(app.board.own.name)) saved[army] = JSON.stringify(app.rowsOf(army));
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
