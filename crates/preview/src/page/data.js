// Frames: loaded ahead, unpacked, and dropped when there are many.

/** Frames that are loaded ahead, and the bytes that loaded frames may take. */
const AHEAD = 6;
const MOST_BYTES = 300e6;

async function unpacked(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k += 1) bytes[k] = raw.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/** Places of n points and a value of each, from a start on, as four numbers of 16 bits. */
function decodedPoints(bytes, start, n) {
  const places = new Uint16Array(4 * n);
  for (let axis = 0; axis < 3; axis += 1) {
    let now = 0;
    for (let k = 0; k < n; k += 1) {
      now = (now + bytes[start + k] + 256 * bytes[start + n + k]) & 65535;
      places[4 * k + axis] = now;
    }
    start += 2 * n;
  }
  let value = 0;
  for (let k = 0; k < n; k += 1) {
    value = (value + bytes[start + k]) & 255;
    places[4 * k + 3] = 257 * value;
  }
  return places;
}

/** A frame's places and values, those of foam with radii, its normals and its corners. */
function decoded(buffer) {
  const [n, m, foamCount] = new Uint32Array(buffer, 0, 3);
  const bytes = new Uint8Array(buffer);
  const ofSurface = m > 0 ? 2 * n + 12 * m : 0;
  if (bytes.length !== 12 + 7 * n + ofSurface + 7 * foamCount) throw new Error("cut short");
  const places = decodedPoints(bytes, 12, n);
  const foam = decodedPoints(bytes, 12 + 7 * n + ofSurface, foamCount);
  const surface = m > 0 ? decodedSurface(bytes, 12 + 7 * n, n, m) : {};
  const taken = 8 * (n + foamCount) + (m > 0 ? 4 * n + 12 * m : 0);
  return { n, m, foamCount, places, foam, ...surface, bytes: taken };
}

/** The normals and the corners of a surface, from a start on. */
function decodedSurface(bytes, start, n, m) {
  const normals = new Int8Array(4 * n);
  let [u, v] = [0, 0];
  for (let k = 0; k < n; k += 1) {
    u = (u + bytes[start + k]) & 255;
    v = (v + bytes[start + n + k]) & 255;
    let [x, y] = [u / 127.5 - 1, v / 127.5 - 1];
    const z = 1 - Math.abs(x) - Math.abs(y);
    if (z < 0) {
      const [a, b] = [x, y];
      x = (1 - Math.abs(b)) * (a < 0 ? -1 : 1);
      y = (1 - Math.abs(a)) * (b < 0 ? -1 : 1);
    }
    const length = 127 / Math.hypot(x, y, z);
    normals[4 * k] = x * length;
    normals[4 * k + 1] = y * length;
    normals[4 * k + 2] = z * length;
  }
  start += 2 * n;
  const corners = new Uint32Array(3 * m);
  let corner = 0;
  for (let k = 0; k < 3 * m; k += 1) {
    const folded = (bytes[start + k] | bytes[start + 3 * m + k] << 8
      | bytes[start + 6 * m + k] << 16 | bytes[start + 9 * m + k] << 24) >>> 0;
    corner += folded & 1 ? -(folded >>> 1) - 1 : folded >>> 1;
    corners[k] = corner;
  }
  return { normals, corners };
}

/** Loaded frames by their place in the row; `null` while they come, `false` if they cannot. */
const loaded = new Map();
const places = new Map(RUN.frames.map(([number], place) => [number, place]));
/** Places of frames whose scripts have handed them over. */
const handed = new Set();

/** Runs a script, and tells when that has ended, however it did. */
function script(name, ended) {
  const element = document.createElement("script");
  element.src = name;
  for (const event of ["load", "error"]) {
    element.addEventListener(event, () => { element.remove(); ended(); });
  }
  document.head.append(element);
}

/** Notes that a frame cannot be shown. */
function miss(place) {
  loaded.set(place, false);
  redraw();
}

function load(place) {
  if (place >= RUN.frames.length || loaded.has(place)) return;
  loaded.set(place, null);
  const number = String(RUN.frames[place][0]).padStart(5, "0");
  // A script that is cut short runs, but hands nothing over.
  script(`page/f${number}.js`, () => { if (!handed.delete(place)) miss(place); });
}

window.hashfallFrame = async (number, text, moving) => {
  const place = places.get(number);
  if (place === undefined) return;
  handed.add(place);
  try {
    const frame = decoded(await unpacked(text));
    // Obstacles that move.
    if (moving) frame.moving = await unpacked(moving);
    frame.bytes += frame.moving?.byteLength ?? 0;
    loaded.set(place, frame);
    redraw();
  } catch {
    miss(place);
  }
};

/** Loads what comes next, and foamCount what is farthest behind. */
function tend() {
  const count = RUN.frames.length;
  const ahead = (place) => (place - now + count) % count;
  for (let k = 0; k <= Math.min(AHEAD, count - 1); k += 1) load((now + k) % count);
  let bytes = 0;
  const inOrder = [...loaded.keys()].sort((a, b) => ahead(a) - ahead(b));
  for (const place of inOrder) {
    bytes += loaded.get(place)?.bytes ?? 0;
    if (bytes > MOST_BYTES && ahead(place) > AHEAD && loaded.get(place)) loaded.delete(place);
  }
}

/** The obstacles: `null` until they come, `false` if they cannot. */
let solids = null;
let areSolidsHanded = false;
window.hashfallSolids = async (text) => {
  areSolidsHanded = true;
  try {
    solids = uploadedSolids(await unpacked(text));
  } catch {
    solids = false;
  }
  redraw();
};

function loadSolids() {
  script("page/solids.js", () => {
    if (!areSolidsHanded) solids = false;
    redraw();
  });
}
