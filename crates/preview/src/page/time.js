// Time: which frame is shown, and playing.

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
