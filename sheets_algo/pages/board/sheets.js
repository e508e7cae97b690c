// The board in a dialog of Google Sheets: it asks the functions of Code.gs, which read and write the tabs.

import { flanksOf } from "./board.js";
import { pasted, tabSeparated } from "./rows.js";
import { openBoards } from "./writing.js";

// Call a function of Code.gs, whose answer is JSON.
function call(name, ...given) {
  return new Promise((done, fail) => {
    google.script.run.withSuccessHandler(text => done(JSON.parse(text))).withFailureHandler(fail)[name](...given);
  });
}

// The data with the flanks of the rows; rows that do not say where single flanks stand leave those of the rules.
function withFlanks(data) {
  const remarks = [], maneuvers = data.maneuvers.map(({ name }) => name), headers = [...data.columns, ...data.others];
  for (const [name, rows] of Object.entries(data.rows)) {
    const armies = data.sides.filter(side => side.name === name), [{ most, default: [{ maneuver }] }] = armies;
    if (!rows.length) continue;
    try {
      const found = flanksOf(armies, pasted(tabSeparated([headers, ...rows]), { ...data, side: name, maneuvers, maneuver, most }));
      armies.forEach((army, place) => { army.flanks = found[place]; });
    } catch (error) {
      remarks.push(`The ${name.toLowerCase()}'s rows are not shown, and Save would replace them: ${error.message}`);
    }
  }
  return { ...data, remark: remarks.join(" ") };
}

const bridge = {
  list: () => call("listBoards"),
  read: async id => withFlanks(await call("readBoard", id)),
  write: async (request, side, rows, version) => {
    const { refused, is_edited: isEdited, is_ruled: isRuled, text, board } = await call("writeBoard", request, side, rows, version);
    if (refused) throw Object.assign(new Error(refused), { isEdited, isRuled });
    return { text, board: withFlanks(board) };
  },
  close: async () => google.script.host.close(),
};

openBoards(bridge);
