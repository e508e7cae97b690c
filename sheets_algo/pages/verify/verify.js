// Takes a workbook from the person, hands it to the worker, and shows what comes back.
const $ = (id) => document.getElementById(id);
const form = $("form");
const root = new URL("./", document.baseURI).href;
const RULING_S = 2;
const SIGNATURE_S = 0.3; // on a computer; a phone takes some times as long, which its first results tell
let worker;
let total = 0;
let equal = 0;
let done = 0;
let began = 0;

function say(text) {
  $("said").textContent = text;
}

// Made once: concurrent callers wait for the same one. One that fails is forgotten, so that the next attempt begins anew.
function theWorker() {
  return (worker ??= newWorker().catch((error) => {
    worker = undefined;
    throw error;
  }));
}

async function newWorker() {
  const answer = await fetch("worker.js");
  if (!answer.ok) throw new Error(`worker.js: ${answer.status}`);
  const address = URL.createObjectURL(new Blob([await answer.text()], { type: "text/javascript" }));
  const made = new Worker(address, { type: "module" });
  made.onmessage = ({ data }) => hear[data.state](data);
  made.onerror = (error) => hear.failed({ text: error.message || "the program could not be loaded", isOver: true });
  made.postMessage({ root, archives: form.dataset.archives.split(" ") });
  return made;
}

function howLong(seconds) {
  if (seconds < 50) return `${Math.max(5, Math.ceil(seconds / 5) * 5)} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}

function counted(number, what) {
  return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}

// What the worker sends is HTML in which the program has escaped every text of the workbook.
const hear = {
  started: () => say("Reading the workbook …"),
  begun({ rulings, signatures }) {
    total = rulings;
    const what = counted(rulings, "ruling") + (signatures ? ` and ${counted(signatures, "signature")}` : "");
    const takes = howLong(rulings * RULING_S + signatures * SIGNATURE_S);
    say(`${what}: this takes about ${takes} on a computer, and some times as long on a phone …`);
    $("bar").hidden = false;
    $("bar").max = total || 1;
    $("bar").value = 0;
  },
  verdict({ isEqual }) {
    began ||= performance.now();
    equal += isEqual;
    done += 1;
    $("bar").value = done;
    const left = total - done;
    if (left && done > 1) {
      const takes = howLong((((performance.now() - began) / (done - 1)) * left) / 1000);
      say(`${done} of ${total} computed, ${equal} as before; about ${takes} more …`);
    }
  },
  done({ html, result }) {
    $("notes").innerHTML = html;
    finish(result);
  },
  failed({ text, isOver }) {
    if (isOver) {
      worker?.then((made) => made.terminate(), () => {});
      worker = undefined; // the next attempt begins anew
    }
    $("notes").textContent = `The program failed here, which is no fault of the workbook: ${text}. Try again.`;
    finish("failed");
  },
};

function finish(result) {
  say("");
  $("bar").hidden = true;
  $("start").disabled = false;
  document.body.dataset.result = result;
}

async function verify() {
  const [file] = $("file").files;
  if (!file) return;
  total = equal = done = began = 0;
  $("notes").textContent = "";
  delete document.body.dataset.result;
  $("start").disabled = true;
  say("Loading the program; the first time this takes some seconds …");
  try {
    const content = await file.arrayBuffer();
    (await theWorker()).postMessage({ name: file.name, content, secret: $("secret").value, head: $("head").value }, [content]);
  } catch (error) {
    hear.failed({ text: error.message, isOver: false });
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  verify();
});
function chosen() {
  $("start").disabled = !$("file").files.length;
  theWorker().catch(() => {}); // loads the program while the person looks for the secret; failure is told later
}
$("file").addEventListener("change", chosen);
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  const workbook = new DataTransfer();
  for (const file of [...event.dataTransfer.files]) {
    if (file.name.endsWith(".secret")) $("secret").value = (await file.text()).trim();
    else workbook.items.add(file);
  }
  if (workbook.files.length) {
    $("file").files = workbook.files;
    chosen();
  }
});
if (location.protocol.startsWith("http")) {
  $("disk").hidden = true;
  form.hidden = false;
}
