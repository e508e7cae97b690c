// The ground: terrain codes of a map, and its picture with smooth outlines. Colours are looked up, never read from a canvas.

const MOST = 1200, FINE = 3; // pixels of the picture's side, and how many of them a pixel of the map is at most

export async function groundOf({ codes }, terrain, pixels, dark) {
  if (!codes) return null;
  const packed = Uint8Array.from(atob(codes), sign => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const places = new Uint8Array(await new Response(stream).arrayBuffer());
  const fine = Math.max(1, Math.min(FINE, Math.floor(MOST / pixels))), strongest = enlarged(places, pixels, fine);
  return {
    picture: pictureOf(strongest, terrain, pixels * fine, dark),
    repaint(isDark) { this.picture = pictureOf(strongest, terrain, pixels * fine, isDark); },
    at: (x, y) => terrain[places[nearest(y, pixels) * pixels + nearest(x, pixels)]],
  };
}

// Whole numbers are the centres of pixels; beyond the edge counts the last pixel.
function nearest(value, pixels) { return Math.min(Math.max(Math.floor(value + 0.5), 0), pixels - 1); }

// The code that prevails at each place of an enlarged map: every code is a mask of its own, softened, and the strongest
// wins. Mixed colours would show a third terrain along the border of two.
function enlarged(places, pixels, fine) {
  const side = pixels * fine, found = new Uint8Array(side * side), best = new Float32Array(side * side).fill(-1);
  for (const code of new Set(places)) {
    const mask = softenedMask(places, code, pixels);
    for (let y = 0, at = 0; y < side; y++) {
      const down = (y + 0.5) / fine - 0.5, top = Math.max(0, Math.floor(down)), low = Math.min(pixels - 1, top + 1), v = Math.max(0, down - top);
      for (let x = 0; x < side; x++, at++) {
        const across = (x + 0.5) / fine - 0.5, left = Math.max(0, Math.floor(across)), right = Math.min(pixels - 1, left + 1), u = Math.max(0, across - left);
        const upper = mask[top * pixels + left] * (1 - u) + mask[top * pixels + right] * u;
        const lower = mask[low * pixels + left] * (1 - u) + mask[low * pixels + right] * u;
        const value = upper * (1 - v) + lower * v;
        if (value > best[at]) {
          best[at] = value;
          found[at] = code;
        }
      }
    }
  }
  return found;
}

function softenedMask(places, code, pixels) {
  let mask = Float32Array.from(places, place => Number(place === code));
  for (const step of [1, pixels]) {
    const from = mask;
    mask = from.map((value, at) => (2 * value + (from[at - step] ?? value) + (from[at + step] ?? value)) / 4);
  }
  return mask;
}

function pictureOf(codes, terrain, side, dark) {
  const colours = terrain.map(({ colour }) => (dark ? darkened : parts => parts)([1, 3, 5].map(start => parseInt(colour.slice(start, start + 2), 16))));
  const image = new ImageData(side, side), words = new Uint32Array(image.data.buffer);
  const packed = colours.map(([red, green, blue]) => new Uint32Array(Uint8ClampedArray.from([red, green, blue, 255]).buffer)[0]);
  codes.forEach((code, at) => { words[at] = packed[code]; });
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = side;
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

// A colour of the ground in the dark, as the style sheet's filter makes it of a picture: its lightness is turned over.
function darkened([red, green, blue]) {
  const light = 0.213 * red + 0.715 * green + 0.072 * blue;
  return [red, green, blue].map(part => 0.85 * (219.3 - 1.44 * light + 0.72 * part));
}
