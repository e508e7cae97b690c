// The board in a dialog of Google Sheets: it asks the functions of Code.gs, which read and write the tabs.

import { completed } from "./board.js";
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
  for (const side of data.sides) {
    const rows = data.rows[side.name];
    if (!rows.length) continue;
    try {
      const found = pasted(tabSeparated([headers, ...rows]), { ...data, side: side.name, maneuvers, maneuver: side.default[0].maneuver, most: side.most });
      side.flanks = completed(side, found);
    } catch (error) {
      remarks.push(`The ${side.name.toLowerCase()}'s rows are not shown, and Save would replace them: ${error.message}`);
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
