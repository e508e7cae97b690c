// Short names for what a page does with its document.

export function byId(id) { return document.getElementById(id); }

export function element(tag, text, name) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  return made;
}

// The data of the page; much data is compressed: a text, in base64.
export async function readData() {
  const found = JSON.parse(byId("data").textContent);
  if (typeof found !== "string") return found;
  const bytes = Uint8Array.from(atob(found), sign => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}
