// Runs Code.gs as Apps Script would, on a spreadsheet of the local Sheets server: each service here is one or two real requests.
// It reads {name, given} a line and answers {value} or {error} a line. Arguments: the script, the server, the id, a key file.

import { createSign } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { runInNewContext } from "node:vm";
import { MessageChannel, Worker, receiveMessageOnPort } from "node:worker_threads";

const [script, server, id, keyFile] = process.argv.slice(2);

// Apps Script waits for its services; a worker asks, and the main thread sleeps meanwhile.
const signal = new Int32Array(new SharedArrayBuffer(4)), { port1, port2 } = new MessageChannel();
const worker = new Worker(`
  const { parentPort, workerData: { signal, port } } = require("node:worker_threads");
  parentPort.on("message", async ({ url, how }) => {
    const answer = await fetch(url, how);
    port.postMessage({ status: answer.status, text: await answer.text() });
    Atomics.store(signal, 0, 1);
    Atomics.notify(signal, 0);
  });`, { eval: true, workerData: { signal, port: port2 }, transferList: [port2] });
worker.unref();

function fetched(url, how) {
  Atomics.store(signal, 0, 0);
  worker.postMessage({ url, how });
  Atomics.wait(signal, 0, 0, 30_000);
  const { message: { status, text } } = receiveMessageOnPort(port1);
  if (status >= 400) throw new Error(text);
  return JSON.parse(text);
}

function token() {
  const key = JSON.parse(readFileSync(keyFile, "utf-8")), now = Math.floor(Date.now() / 1000);
  const packed = value => Buffer.from(JSON.stringify(value)).toString("base64url");
  const scope = "https://www.googleapis.com/auth/spreadsheets";
  const signed = `${packed({ alg: "RS256", typ: "JWT" })}.${packed({ iss: key.client_email, scope, aud: key.token_uri, iat: now, exp: now + 3600 })}`;
  const assertion = `${signed}.${createSign("RSA-SHA256").update(signed).sign(key.private_key).toString("base64url")}`;
  const body = new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion }).toString();
  return fetched(key.token_uri, { method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" }, body }).access_token;
}

const headers = { Authorization: `Bearer ${token()}`, "Content-Type": "application/json" };
const asked = (path, body) => fetched(`${server}/v4/spreadsheets/${id}${path}`, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) });
const quoted = title => `'${title.replaceAll("'", "''")}'`;
let written = [], isLocked = false;

function flush() {
  if (written.length) asked("/values:batchUpdate", { valueInputOption: "USER_ENTERED", data: written });
  written = [];
}

function sheetOf({ sheetId, title, gridProperties: { rowCount } }) {
  return {
    getDataRange: () => ({
      getValues() {
        flush();
        const rows = asked(`/values/${encodeURIComponent(quoted(title))}?valueRenderOption=UNFORMATTED_VALUE`).values || [];
        const wide = Math.max(1, ...rows.map(row => row.length));
        return rows.map(row => Array.from({ length: wide }, (_, at) => row[at] ?? ""));
      },
      getNumberFormats() {
        const [{ data: [{ rowData = [] }] }] = asked(`?ranges=${encodeURIComponent(quoted(title))}&fields=sheets.data.rowData.values.effectiveFormat.numberFormat`).sheets;
        return this.getValues().map((row, number) => row.map((_, at) => rowData[number]?.values?.[at]?.effectiveFormat?.numberFormat?.pattern ?? ""));
      },
    }),
    getMaxRows: () => rowCount,
    insertRowsAfter(after, number) {
      if (after > rowCount) throw new Error("Those rows are out of bounds.");
      asked(":batchUpdate", { requests: [{ insertDimension: { range: { sheetId, dimension: "ROWS", startIndex: after, endIndex: after + number }, inheritFromBefore: true } }] });
      rowCount += number;
    },
    getRange(row, column) {
      if (row > rowCount) throw new Error("The coordinates of the range are outside the dimensions of the sheet.");
      let letters = "";
      for (let left = column; left; left = Math.floor((left - 1) / 26)) letters = String.fromCharCode(65 + (left - 1) % 26) + letters;
      return { setValue(value) {
        if (!isLocked) throw new Error("written without a lock");
        written.push({ range: `${quoted(title)}!${letters}${row}`, values: [[value]] });
      } };
    },
  };
}

const shown = [], menu = [];
const services = {
  SpreadsheetApp: {
    getActive: () => ({
      getSheetByName(name) {
        const found = asked("?fields=sheets.properties").sheets.find(({ properties }) => properties.title === name);
        return found ? sheetOf(found.properties) : null;
      },
    }),
    flush,
    getUi: () => ({
      createMenu: title => ({ addItem: (text, name) => ({ addToUi: () => menu.push([title, text, name]) }) }),
      showModalDialog: ({ file }, title) => shown.push([file, title]),
    }),
  },
  HtmlService: { createHtmlOutputFromFile: file => ({ file, setWidth() { return this; }, setHeight() { return this; } }) },
  LockService: { getDocumentLock: () => ({ waitLock() { isLocked = true; }, releaseLock() { isLocked = false; } }) },
};
runInNewContext(readFileSync(script, "utf-8"), services);

for await (const line of createInterface({ input: process.stdin })) {
  const { name, given } = JSON.parse(line);
  let answer;
  try {
    const value = services[name](...given);
    flush();
    answer = { value: value ?? null, menu, shown };
  } catch (error) { answer = { error: error.message }; }
  if (isLocked) answer = { error: "the lock is not released" };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
