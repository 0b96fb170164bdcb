// Hands: what mouse, fingers and keys do.

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
