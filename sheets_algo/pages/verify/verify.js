// Takes a workbook from the person, hands it to the worker, and shows what comes back.
const $ = (id) => document.getElementById(id);
const form = $("form");
const root = new URL("./", document.baseURI).href;
let worker;
let equal = 0;
let done = 0;

function say(text) {
  $("said").textContent = text;
}

// Made once: concurrent callers wait for the same one.
function theWorker() {
  return (worker ??= newWorker());
}

async function newWorker() {
  const answer = await fetch("worker.js");
  if (!answer.ok) throw new Error(`worker.js: ${answer.status}`);
  const address = URL.createObjectURL(new Blob([await answer.text()], { type: "text/javascript" }));
  const made = new Worker(address, { type: "module" });
  made.onmessage = ({ data }) => hear[data.state](data);
  made.onerror = (error) => hear.failed({ text: error.message || "the program could not be loaded" });
  made.postMessage({ root, archives: form.dataset.archives.split(" ") });
  return made;
}

// What the worker sends is HTML in which the program has escaped every text of the workbook.
const hear = {
  started: () => say("Reading the workbook …"),
  verdict({ html, isEqual, total }) {
    $("verdicts").insertAdjacentHTML("beforeend", html);
    equal += isEqual;
    done += 1;
    say(`${equal} of ${total} equal${done < total ? `, ${total - done} to compute …` : ""}`);
    $("bar").hidden = false;
    $("bar").max = total;
    $("bar").value = done;
  },
  done({ html, result }) {
    $("notes").innerHTML = html;
    finish(result);
  },
  failed({ text }) {
    worker?.then((made) => made.terminate(), () => {});
    worker = undefined; // the next attempt begins anew
    $("notes").textContent = `The program failed here, which is no fault of the workbook: ${text}`;
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
  equal = done = 0;
  $("verdicts").textContent = $("notes").textContent = "";
  delete document.body.dataset.result;
  $("start").disabled = true;
  say("Loading the program; the first time this takes some seconds …");
  try {
    const content = await file.arrayBuffer();
    (await theWorker()).postMessage({ name: file.name, content, secret: $("secret").value, head: $("head").value }, [content]);
  } catch (error) {
    hear.failed({ text: error.message });
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
