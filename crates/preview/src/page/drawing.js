// Drawing: the present frame, the obstacles, the floor and the edges of the domain.

let backProgram, ballProgram, skinProgram, foamProgram, plainProgram, floor, edges, scale;
/** What the graphics card has of the fluid. */
const NOTHING = { place: -1, n: 0, m: 0, foamCount: 0 };
let shown = NOTHING;
let isAsked = false;

function prepare() {
  backProgram = program(BACK_VERTEX, BACK_PIXEL, []);
  ballProgram = program(BALL_VERTEX, BALL_PIXEL, ["place", "ball"]);
  skinProgram = program(SKIN_VERTEX, SKIN_PIXEL, ["place", "normal"]);
  foamProgram = program(FOAM_VERTEX, FOAM_PIXEL, ["place"]);
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

/** Hands the present frame to the graphics card, once; in place of a missing one none stays. */
function upload() {
  const frame = loaded.get(now);
  if (frame === false) {
    shown.drop?.();
    shown = NOTHING;
  }
  if (!frame || shown.place === now) return;
  shown.drop?.();
  const place = { data: frame.places, count: 4, type: gl.UNSIGNED_SHORT, isPart: true, stride: 8 };
  const made = frame.m > 0
    ? vertices([place, { data: frame.normals, count: 3, type: gl.BYTE, isPart: true, stride: 4 }],
      frame.corners)
    : vertices([{ ...place, each: 1 }]);
  const foam = vertices([{ ...place, data: frame.foam }]);
  const moving = frame.moving ? uploadedSolids(frame.moving) : null;
  const drop = () => {
    made.drop();
    foam.drop();
    moving?.drop();
  };
  const { n, m, foamCount } = frame;
  shown = { place: now, n, m, foamCount, foamArray: foam.array, moving, ...made, drop };
}

/** Hands obstacles to the graphics card. */
function uploadedSolids(buffer) {
  const [balls, corners] = new Uint32Array(buffer, 0, 2);
  const real = gl.FLOAT;
  const ball = new Float32Array(buffer, 8, 4 * balls);
  const skin = new Float32Array(buffer, 8 + 16 * balls, 6 * corners);
  const ballPart = vertices([
    { data: ball, count: 3, type: real, stride: 16, each: 1 },
    { data: ball, count: 1, type: real, stride: 16, offset: 12, each: 1 },
  ]);
  const skinPart = vertices([
    { data: skin, count: 3, type: real, stride: 24 },
    { data: skin, count: 3, type: real, stride: 24, offset: 12 },
  ]);
  const drop = () => {
    ballPart.drop();
    skinPart.drop();
  };
  return { balls, corners, ballArray: ballPart.array, skinArray: skinPart.array, drop };
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

/** Foam hides nothing and needs no order: all of it is white. */
function whitewater(m) {
  const at = use(foamProgram, m, false);
  gl.uniform1f(at.radius, RUN.radius);
  gl.uniform1f(at.pixels, canvas.height);
  gl.bindVertexArray(shown.foamArray);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.depthMask(false);
  gl.drawArrays(gl.POINTS, 0, shown.foamCount);
  gl.depthMask(true);
  gl.disable(gl.BLEND);
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

/** Says what cannot be shown. */
function tellMissing() {
  const missing = [];
  if (loaded.get(now) === false) missing.push(`frame ${RUN.frames[now][0]} is missing`);
  if (solids === false) missing.push("the obstacles are missing");
  $("note").textContent = missing.join(", ");
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
  tellMissing();
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
  const obstacles = [solids, shown.moving].filter((some) => some);
  for (const some of obstacles) if (some.balls) balls(m, some.ballArray, some.balls, true);
  // One looks through the near wall of a vessel.
  gl.enable(gl.CULL_FACE);
  for (const some of obstacles) {
    if (!some.corners) continue;
    use(skinProgram, m, true);
    gl.bindVertexArray(some.skinArray);
    gl.drawArrays(gl.TRIANGLES, 0, some.corners);
  }
  if (shown.m > 0) {
    use(skinProgram, m, false);
    gl.bindVertexArray(shown.array);
    gl.drawElements(gl.TRIANGLES, 3 * shown.m, gl.UNSIGNED_INT, 0);
  }
  gl.disable(gl.CULL_FACE);
  if (shown.m === 0 && shown.n > 0) balls(m, shown.array, shown.n, false);
  if (shown.foamCount > 0) whitewater(m);
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
