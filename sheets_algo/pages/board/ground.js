// The ground: terrain codes of a map, and its picture. Colours are looked up, never read back from a canvas.

export async function groundOf({ codes }, terrain, pixels) {
  if (!codes) return null;
  const packed = Uint8Array.from(atob(codes), sign => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const places = new Uint8Array(await new Response(stream).arrayBuffer());
  return { places, picture: pictureOf(places, terrain, pixels), at: (x, y) => terrain[places[nearest(y, pixels) * pixels + nearest(x, pixels)]] };
}

// Whole numbers are the centres of pixels; beyond the edge counts the last pixel.
function nearest(value, pixels) { return Math.min(Math.max(Math.floor(value + 0.5), 0), pixels - 1); }

function pictureOf(places, terrain, pixels) {
  const colours = terrain.map(({ colour }) => softened(colour));
  const image = new ImageData(pixels, pixels);
  places.forEach((code, place) => image.data.set([...colours[code], 255], 4 * place));
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = pixels;
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

// Red, green and blue of a colour, towards white, so that flanks and names stand out.
export function softened(colour) {
  return [1, 3, 5].map(start => parseInt(colour.slice(start, start + 2), 16)).map(value => Math.round(value + (255 - value) * 0.45));
}
