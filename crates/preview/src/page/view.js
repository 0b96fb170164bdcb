// The eye: where it is, where it looks, and the matrices that follow (columns first).
"use strict";

const $ = (id) => document.getElementById(id);
const canvas = $("view");
const gl = canvas.getContext("webgl2", { antialias: true, alpha: false });

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
  const [across, along] = focals().map((focal, axis) => focal / [0.8, 0.9 * (1 - lift())][axis]);
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

/** Height that the controls cover [pixels]. */
const COVERED = 72;
/** How far above the canvas's middle the view's is, in half heights: between top and controls. */
const lift = () => Math.min(COVERED / (canvas.clientHeight || 1), 0.4);

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
  lens[9] = -lift();
  lens[10] = -(far + near) / (far - near);
  lens[11] = -1;
  lens[14] = -2 * far * near / (far - near);
  // The key light comes from the left of the eye, as in the pictures.
  const from = view.azimuth - 0.85;
  const key = [0.56 * Math.sin(from), -0.56 * Math.cos(from), 0.83];
  return { toEye, lens, key: axes.map((a) => dot(a, key)), up: axes.map((a) => a[2]) };
}
