"use strict";
// The player: draws a run's frames with WebGL 2, loads those ahead and drops old ones.

const $ = (id) => document.getElementById(id);
const canvas = $("view");
const gl = canvas.getContext("webgl2", { antialias: true, alpha: false });
/** Frames that are loaded ahead, and the bytes that loaded frames may take. */
const AHEAD = 6;
const MOST_BYTES = 300e6;
const isSurface = RUN.radius === null;

// --- Vectors and matrices (columns first) ---

const add = (a, b, s = 1) => a.map((x, k) => x + s * b[k]);
const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);

/** What the eye looks at, and from where. */
const [low, high] = RUN.domain;
const middle = low.map((x, k) => (x + high[k]) / 2);
const diagonal = Math.hypot(...low.map((x, k) => high[k] - x));
const view = {};
function reset() {
  Object.assign(view, {
    azimuth: RUN.view[0] * Math.PI / 180, elevation: RUN.view[1] * Math.PI / 180,
    target: middle.slice(), distance: 0,
  });
  // As near as all corners of the domain are still seen.
  const { right, top, back } = eye();
  const [across, along] = focals().map((focal) => focal / 0.8);
  for (let k = 0; k < 8; k += 1) {
    const to = add(corner(k), middle, -1);
    const off = Math.max(Math.abs(dot(to, right)) * across, Math.abs(dot(to, top)) * along);
    view.distance = Math.max(view.distance, off + dot(to, back));
  }
  redraw();
}

/** A corner of the domain. */
const corner = (k) => [0, 1, 2].map((axis) => (k >> axis & 1 ? high : low)[axis]);

/** How far the lens spreads what is as deep as wide, across and along the picture. */
function focals() {
  const [width, height] = [canvas.clientWidth || 1, canvas.clientHeight || 1];
  const focal = 2.6 * Math.min(width, height);
  return [focal / width, focal / height];
}

/** The eye's axes in space, and its place. */
function eye() {
  const [s, c] = [Math.sin(view.azimuth), Math.cos(view.azimuth)];
  const [up, flat] = [Math.sin(view.elevation), Math.cos(view.elevation)];
  const back = [flat * s, -flat * c, up];
  const right = [c, s, 0];
  const top = [-up * s, up * c, flat];
  return { right, top, back, place: add(view.target, back, view.distance) };
}

function matrices() {
  const { right, top, back, place } = eye();
  const axes = [right, top, back];
  const toEye = new Float32Array(16);
  axes.forEach((axis, row) => {
    axis.forEach((x, column) => { toEye[4 * column + row] = x; });
    toEye[12 + row] = -dot(axis, place);
  });
  toEye[15] = 1;
  const [near, far] = [view.distance * 0.02, view.distance + 8 * diagonal];
  const lens = new Float32Array(16);
  [lens[0], lens[5]] = focals();
  lens[10] = -(far + near) / (far - near);
  lens[11] = -1;
  lens[14] = -2 * far * near / (far - near);
  // The key light comes from the left of the eye, as in the pictures.
  const from = view.azimuth - 0.85;
  const key = [0.56 * Math.sin(from), -0.56 * Math.cos(from), 0.83];
  return { toEye, lens, key: axes.map((a) => dot(a, key)), up: axes.map((a) => a[2]) };
}

// --- Programs ---

const LIGHT = `
uniform vec3 key, up;
vec3 linear(vec3 c) { return pow(c, vec3(2.2)); }
vec4 lit(vec3 colour, vec3 n, vec3 place, float shine) {
  vec3 v = -normalize(place);
  float upward = 0.5 + 0.5 * dot(n, up);
  vec3 light = mix(vec3(0.26, 0.255, 0.25), vec3(0.5, 0.53, 0.57), upward)
    + vec3(0.80, 0.77, 0.72) * max(dot(n, key), 0.0) + 0.12 * max(dot(n, v), 0.0);
  vec3 c = linear(colour) * light;
  float flatness = 1.0 - clamp(dot(n, v), 0.0, 1.0);
  c += shine * (pow(max(dot(n, normalize(v + key)), 0.0), 60.0) + pow(flatness, 5.0));
  return vec4(pow(min(c, 1.0), vec3(1.0 / 2.2)), 1.0);
}`;
const HEAD = "#version 300 es\nprecision highp float;\n";

/** Balls: a square before each, in which every pixel's ray meets the sphere or not. */
const BALL_VERTEX = `${HEAD}
uniform mat4 toEye, lens; uniform vec3 low, size; uniform float radius; uniform bool isSolid;
uniform sampler2D scale;
in vec4 place; in float ball;
out vec3 centre, at; out vec3 colour; flat out float r;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  r = isSolid ? ball : radius;
  centre = (toEye * vec4(isSolid ? place.xyz : low + place.xyz * size, 1.0)).xyz;
  vec3 to = normalize(centre);
  vec3 side = normalize(cross(to, vec3(0.0, 1.0, 0.0)));
  vec3 over = cross(side, to);
  float far = length(centre);
  float wide = r * far / sqrt(max(far * far - r * r, 1e-12)) * 1.06;
  at = centre + wide * (corner.x * side + corner.y * over);
  colour = isSolid ? vec3(0.788, 0.545, 0.353)
    : texelFetch(scale, ivec2(int(place.w * 255.0 + 0.5), 0), 0).rgb;
  gl_Position = lens * vec4(at, 1.0);
}`;
const BALL_PIXEL = `${HEAD}
uniform mat4 lens; uniform bool isSolid;
in vec3 centre, at; in vec3 colour; flat in float r;
out vec4 pixel;
${LIGHT}
void main() {
  vec3 ray = normalize(at);
  float along = dot(ray, centre);
  vec3 off = along * ray - centre;
  float under = r * r - dot(off, off);
  float edge = under / max(fwidth(under), 1e-12);
  if (edge < -0.5) discard;
  vec3 place = ray * (along - sqrt(max(under, 0.0)));
  vec4 clip = lens * vec4(place, 1.0);
  gl_FragDepth = clamp(0.5 + 0.5 * clip.z / clip.w, 0.0, 1.0);
  pixel = lit(colour, normalize(place - centre), place, isSolid ? 0.03 : 0.1);
  pixel.a = clamp(edge + 0.5, 0.0, 1.0);
}`;
const SKIN_VERTEX = `${HEAD}
uniform mat4 toEye, lens; uniform vec3 low, size; uniform bool isSolid; uniform sampler2D scale;
in vec4 place; in vec3 normal;
out vec3 at, n; out vec3 colour;
void main() {
  at = (toEye * vec4(isSolid ? place.xyz : low + place.xyz * size, 1.0)).xyz;
  n = mat3(toEye) * normal;
  colour = isSolid ? vec3(0.788, 0.545, 0.353)
    : texelFetch(scale, ivec2(int(place.w * 255.0 + 0.5), 0), 0).rgb;
  gl_Position = lens * vec4(at, 1.0);
}`;
const SKIN_PIXEL = `${HEAD}
uniform bool isSolid;
in vec3 at, n; in vec3 colour;
out vec4 pixel;
${LIGHT}
void main() { pixel = lit(colour, normalize(n), at, isSolid ? 0.03 : 0.5); }`;
/** The floor and the edges of the domain. */
const PLAIN_VERTEX = `${HEAD}
uniform mat4 toEye, lens;
in vec3 place; out vec3 at;
void main() { at = place; gl_Position = lens * toEye * vec4(place, 1.0); }`;
const PLAIN_PIXEL = `${HEAD}
uniform vec4 colour; uniform vec3 middle; uniform float reach;
in vec3 at; out vec4 pixel;
void main() {
  float fade = reach > 0.0 ? 1.0 - smoothstep(0.28, 1.0, length(at.xy - middle.xy) / reach) : 1.0;
  pixel = vec4(colour.rgb, colour.a * fade);
}`;

/** The background: white above, bluish below. */
const BACK_VERTEX = `${HEAD}
out float up;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  up = 0.5 + 0.5 * corner.y;
  gl_Position = vec4(corner, 1.0, 1.0);
}`;
const BACK_PIXEL = `${HEAD}
in float up; out vec4 pixel;
void main() { pixel = vec4(mix(vec3(0.886, 0.914, 0.941), vec3(1.0), up), 1.0); }`;

function program(vertex, pixel, attributes) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, pixel]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) {
      throw new Error(gl.getShaderInfoLog(shader));
    }
    gl.attachShader(made, shader);
  }
  attributes.forEach((name, k) => gl.bindAttribLocation(made, k, name));
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  const places = {};
  const count = gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS);
  for (let k = 0; k < count; k += 1) {
    const { name } = gl.getActiveUniform(made, k);
    places[name] = gl.getUniformLocation(made, name);
  }
  return { made, places };
}

/** A vertex array: for each attribute data, numbers, their type, stride and offset, per instance. */
function vertices(attributes, corners = null) {
  const array = gl.createVertexArray();
  const buffers = attributes.map(() => gl.createBuffer());
  gl.bindVertexArray(array);
  attributes.forEach(({ data, count, type, isPart, stride, offset, each }, k) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffers[k]);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(k);
    gl.vertexAttribPointer(k, count, type, Boolean(isPart), stride, offset ?? 0);
    gl.vertexAttribDivisor(k, each ?? 0);
  });
  if (corners) {
    const buffer = gl.createBuffer();
    buffers.push(buffer);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, corners, gl.STATIC_DRAW);
  }
  gl.bindVertexArray(null);
  const drop = () => { gl.deleteVertexArray(array); buffers.forEach((b) => gl.deleteBuffer(b)); };
  return { array, drop };
}

// --- Data ---

async function unpacked(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k += 1) bytes[k] = raw.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/** A frame's places and values as four numbers of 16 bits, its normals and its corners. */
function decoded(buffer) {
  const [n, m] = new Uint32Array(buffer, 0, 2);
  const bytes = new Uint8Array(buffer);
  let start = 8;
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
  start += n;
  if (m === 0) return { n, m, places, bytes: places.byteLength };
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
  return { n, m, places, normals, corners, bytes: 12 * n + 12 * m };
}

/** Loaded frames by their place in the row; `null` while they come, `false` if they cannot. */
const loaded = new Map();
const places = new Map(RUN.frames.map(([number], place) => [number, place]));

function script(name, failed) {
  const element = document.createElement("script");
  element.src = name;
  element.onload = () => element.remove();
  element.onerror = () => { element.remove(); failed(); };
  document.head.append(element);
}

function load(place) {
  if (place >= RUN.frames.length || loaded.has(place)) return;
  loaded.set(place, null);
  const number = RUN.frames[place][0];
  script(`page/f${String(number).padStart(5, "0")}.js`, () => {
    loaded.set(place, false);
    $("note").textContent = `frame ${number} is missing`;
  });
}

window.hashfallFrame = async (number, text) => {
  const place = places.get(number);
  if (place === undefined) return;
  loaded.set(place, decoded(await unpacked(text)));
  redraw();
};

/** Loads what comes next, and drops what is farthest behind. */
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

let solids = null;
window.hashfallSolids = async (text) => {
  const buffer = await unpacked(text);
  const [balls, corners] = new Uint32Array(buffer, 0, 2);
  const real = gl.FLOAT;
  const ball = new Float32Array(buffer, 8, 4 * balls);
  const skin = new Float32Array(buffer, 8 + 16 * balls, 6 * corners);
  solids = {
    balls, corners,
    ballArray: vertices([
      { data: ball, count: 3, type: real, stride: 16, each: 1 },
      { data: ball, count: 1, type: real, stride: 16, offset: 12, each: 1 },
    ]).array,
    skinArray: vertices([
      { data: skin, count: 3, type: real, stride: 24 },
      { data: skin, count: 3, type: real, stride: 24, offset: 12 },
    ]).array,
  };
  redraw();
};

// --- Drawing ---

let backProgram, ballProgram, skinProgram, plainProgram, floor, edges, scale;
let shown = { place: -1, array: null };
let isAsked = false;

function prepare() {
  backProgram = program(BACK_VERTEX, BACK_PIXEL, []);
  ballProgram = program(BALL_VERTEX, BALL_PIXEL, ["place", "ball"]);
  skinProgram = program(SKIN_VERTEX, SKIN_PIXEL, ["place", "normal"]);
  plainProgram = program(PLAIN_VERTEX, PLAIN_PIXEL, ["place"]);
  const plain = (data) =>
    vertices([{ data: new Float32Array(data), count: 3, type: gl.FLOAT, stride: 12 }]).array;
  const [reach, z] = [2 * diagonal, low[2] - 2e-3 * diagonal];
  floor = plain([[-1, -1], [1, -1], [-1, 1], [1, 1]].flatMap(([x, y]) =>
    [middle[0] + reach * x, middle[1] + reach * y, z]));
  const lines = [];
  for (let k = 0; k < 8; k += 1) {
    for (let axis = 0; axis < 3; axis += 1) {
      if (!(k >> axis & 1)) lines.push(...corner(k), ...corner(k | 1 << axis));
    }
  }
  edges = plain(lines);
  scale = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, scale);
  const colours = new Uint8Array(RUN.scale.colours.flat());
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, 256, 1, 0, gl.RGB, gl.UNSIGNED_BYTE, colours);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.enable(gl.DEPTH_TEST);
}

/** Hands the present frame to the graphics card, once. */
function upload() {
  const frame = loaded.get(now);
  if (!frame || shown.place === now) return;
  shown.drop?.();
  const place = { data: frame.places, count: 4, type: gl.UNSIGNED_SHORT, isPart: true, stride: 8 };
  const made = frame.m > 0
    ? vertices([place, { data: frame.normals, count: 3, type: gl.BYTE, isPart: true, stride: 4 }],
      frame.corners)
    : vertices([{ ...place, each: 1 }]);
  shown = { place: now, n: frame.n, m: frame.m, ...made };
}

function use({ made, places: at }, m, isSolid) {
  gl.useProgram(made);
  const [a, b] = RUN.quantised;
  gl.uniformMatrix4fv(at.toEye, false, m.toEye);
  gl.uniformMatrix4fv(at.lens, false, m.lens);
  if (at.key) gl.uniform3fv(at.key, m.key);
  if (at.up) gl.uniform3fv(at.up, m.up);
  if (at.low) gl.uniform3fv(at.low, a);
  if (at.size) gl.uniform3fv(at.size, b.map((x, k) => x - a[k]));
  if (at.radius) gl.uniform1f(at.radius, RUN.radius * 1.25);
  if (at.isSolid) gl.uniform1i(at.isSolid, isSolid ? 1 : 0);
  return at;
}

function balls(m, array, count, isSolid) {
  use(ballProgram, m, isSolid);
  gl.bindVertexArray(array);
  gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE);
  gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
  gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE);
}

function plain(m, array, kind, count, colour, reach) {
  const at = use(plainProgram, m, false);
  gl.uniform4fv(at.colour, colour);
  gl.uniform3fv(at.middle, middle);
  gl.uniform1f(at.reach, reach);
  gl.bindVertexArray(array);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  gl.drawArrays(kind, 0, count);
  gl.disable(gl.BLEND);
}

function draw() {
  isAsked = false;
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const [width, height] =
    [canvas.clientWidth, canvas.clientHeight].map((side) => Math.max(1, Math.round(side * ratio)));
  if (canvas.width !== width || canvas.height !== height) {
    [canvas.width, canvas.height] = [width, height];
  }
  tend();
  upload();
  const m = matrices();
  gl.viewport(0, 0, width, height);
  gl.clear(gl.DEPTH_BUFFER_BIT);
  gl.depthMask(false);
  gl.disable(gl.DEPTH_TEST);
  gl.useProgram(backProgram.made);
  gl.bindVertexArray(null);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  gl.enable(gl.DEPTH_TEST);
  gl.depthMask(true);
  if (RUN.floor) plain(m, floor, gl.TRIANGLE_STRIP, 4, [0.81, 0.835, 0.863, 1.0], 2 * diagonal);
  if (solids?.balls) balls(m, solids.ballArray, solids.balls, true);
  // One looks through the near wall of a vessel.
  gl.enable(gl.CULL_FACE);
  if (solids?.corners) {
    use(skinProgram, m, true);
    gl.bindVertexArray(solids.skinArray);
    gl.drawArrays(gl.TRIANGLES, 0, solids.corners);
  }
  if (shown.m > 0) {
    use(skinProgram, m, false);
    gl.bindVertexArray(shown.array);
    gl.drawElements(gl.TRIANGLES, 3 * shown.m, gl.UNSIGNED_INT, 0);
  }
  gl.disable(gl.CULL_FACE);
  if (!isSurface && shown.n > 0) balls(m, shown.array, shown.n, false);
  plain(m, edges, gl.LINES, 24, [0.41, 0.46, 0.52, 0.8], 0);
  gl.bindVertexArray(null);
  if (shown.place === now) document.body.dataset.drawn = RUN.frames[now][0];
}

function redraw() {
  if (!isAsked && scale) {
    isAsked = true;
    requestAnimationFrame(draw);
  }
}

// --- Time ---

let [now, isPlaying, clock, last] = [0, false, 0, null];

function show(place) {
  now = Math.min(Math.max(place, 0), RUN.frames.length - 1);
  const [number, time] = RUN.frames[now];
  $("time").value = now;
  $("label").textContent = `frame ${number} · ${time.toFixed(3)} s`;
  redraw();
}

function play(wanted) {
  isPlaying = wanted && RUN.frames.length > 1;
  $("play").textContent = isPlaying ? "❚❚" : "▶";
  if (isPlaying) {
    [clock, last] = [RUN.frames[now][1], null];
    requestAnimationFrame(tick);
  }
}

function tick(stamp) {
  if (!isPlaying) return;
  const next = (now + 1) % RUN.frames.length;
  const passed = last === null ? 0 : Math.min((stamp - last) / 1000, 0.25);
  last = stamp;
  // The clock waits for frames that are still on their way.
  if (loaded.get(next) === undefined || loaded.get(next) === null) {
    tend();
  } else {
    clock += passed * Number($("speed").value);
    let place = now;
    while (place + 1 < RUN.frames.length && RUN.frames[place + 1][1] <= clock + 1e-9
      && loaded.get(place + 1)) place += 1;
    const end = RUN.frames[RUN.frames.length - 1][1] + 1 / RUN.rate;
    if (clock >= end || (place === now && loaded.get(next) === false)) {
      place = clock >= end ? 0 : next;
      clock = RUN.frames[place][1];
    }
    if (place !== now) show(place);
  }
  requestAnimationFrame(tick);
}

// --- Hands ---

const fingers = new Map();

function turn(dx, dy) {
  const most = Math.PI / 2 - 0.01;
  view.azimuth -= dx * 0.008;
  view.elevation = Math.min(Math.max(view.elevation + dy * 0.008, -most), most);
  redraw();
}

function move(dx, dy) {
  const { right, top } = eye();
  const step = view.distance / canvas.clientHeight;
  view.target = add(add(view.target, right, -dx * step), top, dy * step);
  redraw();
}

function zoom(factor) {
  view.distance = Math.min(Math.max(view.distance * factor, 0.05 * diagonal), 10 * diagonal);
  redraw();
}

canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
});
canvas.addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const at = [event.clientX, event.clientY];
  const [dx, dy] = [at[0] - before[0], at[1] - before[1]];
  if (fingers.size === 1) {
    if (event.shiftKey || event.buttons & 6) move(dx, dy); else turn(dx, dy);
  } else {
    const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
    const far = (p) => Math.max(Math.hypot(p[0] - other[0], p[1] - other[1]), 1);
    zoom(far(before) / far(at));
    move(dx / 2, dy / 2);
  }
  fingers.set(event.pointerId, at);
});
for (const name of ["pointerup", "pointercancel"]) {
  canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
}
canvas.addEventListener("contextmenu", (event) => event.preventDefault());
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * 0.002))));
}, { passive: false });
window.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  const step = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 }[event.key];
  if (event.key === " ") play(!isPlaying);
  else if (step) { play(false); show(now + step); }
  else if (event.key === "r" || event.key === "R") reset();
  else return;
  event.preventDefault();
});
window.addEventListener("resize", redraw);
$("play").addEventListener("click", () => play(!isPlaying));
$("reset").addEventListener("click", reset);
$("time").addEventListener("input", () => { play(false); show(Number($("time").value)); });

// --- Beginning ---

function legend() {
  if (!RUN.scale.title) return;
  $("legend").hidden = false;
  $("title").textContent = RUN.scale.title;
  const css = (colour) => `rgb(${colour.join(",")})`;
  const ends = RUN.scale.names.length ? RUN.scale.names
    : RUN.scale.range.map((value) => String(Number(value.toPrecision(3))));
  ends.forEach((text, k) => {
    const span = document.createElement("span");
    if (RUN.scale.names.length) {
      const dot = document.createElement("i");
      dot.style.background = css(RUN.scale.colours[k]);
      span.append(dot, " ");
    }
    span.append(text);
    $("ends").append(span);
  });
  $("bar").hidden = RUN.scale.names.length > 0;
  const stops = RUN.scale.colours.filter((_, k) => k % 15 === 0).map(css);
  $("bar").style.background = `linear-gradient(to right, ${stops.join(",")})`;
}

document.title = RUN.name;
$("name").textContent = RUN.name;
$("time").max = RUN.frames.length - 1;
legend();
if (!gl) {
  $("note").textContent = "This browser has no WebGL 2.";
} else if (RUN.frames.length === 0) {
  $("note").textContent = "There are no frames.";
} else {
  prepare();
  reset();
  show(0);
  script("page/solids.js", () => {});
}
