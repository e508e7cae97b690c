// Runs the program beside the page, which stays free meanwhile. It is started from a blob, so that the page's policy
// binds it: it can ask nobody but the server of the page for anything.
let program;

async function start(root, archives) {
  const { loadPyodide } = await import(`${root}pyodide/pyodide.mjs`);
  const [pyodide, ...contents] = await Promise.all([
    loadPyodide({ indexURL: `${root}pyodide/` }),
    ...archives.map(async (name) => {
      const answer = await fetch(root + name);
      if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
      return answer.arrayBuffer();
    }),
  ]);
  for (const content of contents) pyodide.unpackArchive(content, "zip", { extractDir: "/program" });
  pyodide.FS.mkdir("/chosen");
  pyodide.runPython("import sys; sys.path.insert(0, '/program'); from engine import plain_numpy; plain_numpy.install()");
  return { pyodide, verify: pyodide.pyimport("sheets_algo.commands.in_browser").verify_file };
}

// The first message names what to load; each further one is a workbook. An error of Python leaves the program as it is,
// any other one ends it.
onmessage = async ({ data: { root, archives, name, content, secret, head } }) => {
  if (root) {
    program = start(root, archives);
    program.catch(() => {}); // told with the first workbook
    return;
  }
  try {
    const { pyodide, verify } = await program;
    postMessage({ state: "started" });
    const path = `/chosen/${name.replaceAll("/", "_")}`;
    pyodide.FS.writeFile(path, new Uint8Array(content));
    const [html, result] = verify(
      path,
      secret,
      head,
      (rulings, signatures) => postMessage({ state: "begun", rulings, signatures }),
      (isEqual) => postMessage({ state: "verdict", isEqual }),
    );
    pyodide.FS.unlink(path);
    postMessage({ state: "done", html, result });
  } catch (error) {
    const text = String(error.message ?? error).trim().split("\n").at(-1);
    postMessage({ state: "failed", text, isOver: error.name !== "PythonError" });
  }
};
