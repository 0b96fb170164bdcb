// Charts of series over a common axis, such as simulated time: lines or stacked areas, bands behind
// them, a legend that hides series, and a cursor that all charts of a page share.
"use strict";

/** Around a plot, and its height \[pixels\]. */
const MARGIN = { left: 62, right: 14, top: 10, bottom: 40 };
const HEIGHT = 250;
/** Letters of a label that the left margin has room for. */
const LETTERS = 7;
/** Room for a tick of either axis \[pixels\]. */
const TICK_ROOM = { x: 80, y: 38 };

/** The colour of a series, by its place. */
const seriesColour = (place) => `var(--s${place % 9})`;

/** The charts of the page, which share their cursor. */
const together = [];

/** A plot's drawing with its axes; `inner` is what is drawn over them. */
function axes({ width, height = HEIGHT, x, y, xLabel, xTicks, behind = [], inner = [] }) {
  const right = width - MARGIN.right;
  const bottom = height - MARGIN.bottom;
  const across = xTicks ?? ticksOf(x, Math.max(2, (right - MARGIN.left) / TICK_ROOM.x));
  const along = ticksOf(y, Math.max(2, (bottom - MARGIN.top) / TICK_ROOM.y));
  const grid = along.map(([at]) => line(MARGIN.left, at, right, at, "grid"));
  const labels = along.map(([at, label]) => beside(at + 4, label));
  const marks = across.map(([at]) => line(at, bottom, at, bottom + 4, "axis"));
  const names = across.map(([at, label]) => text(at, bottom + 17, label, "middle"));
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height },
    ...behind, ...grid, line(MARGIN.left, bottom, right, bottom, "axis"), ...marks, ...labels,
    ...names, text(right, bottom + 34, xLabel, "end", "label"), ...inner);
}

/** A label beside a plot; one that is too long for the margin is set closer. */
function beside(at, label) {
  const made = text(MARGIN.left - 8, at, label, "end");
  if (label.length > LETTERS) {
    made.setAttribute("textLength", MARGIN.left - 10);
    made.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  return made;
}

/** Ticks of a scale as places and labels. */
function ticksOf(scale, count) {
  const ticks = scale.ticks(count).filter((tick) => !scale.isWhole || Number.isInteger(tick));
  const labels = tickLabels(ticks);
  return ticks.map((tick, i) => [scale(tick), labels[i]]);
}

const line = (x1, y1, x2, y2, kind) => svg("line", { x1, y1, x2, y2, class: kind });

const text = (x, y, content, anchor, kind = "tick") =>
  svg("text", { x, y, class: kind, "text-anchor": anchor }, content);

/** The path through points; where a value is missing it is broken. */
function pathThrough(xs, ys, x, y, places) {
  const parts = [];
  let isDown = false;
  for (const i of places) {
    const isThere = isNumber(ys[i]) && (!y.isLog || ys[i] > 0);
    if (isThere) {
      const point = `${x(xs[i]).toFixed(1)},${y(ys[i]).toFixed(1)}`;
      // A point on its own is a dot by its round ends.
      parts.push(isDown ? `L${point}` : `M${point}h0`);
    }
    isDown = isThere;
  }
  return parts.join("");
}

/** The outline of an area between two series. */
function areaBetween(xs, low, high, x, y) {
  const at = (values) => (i) => `${x(xs[i]).toFixed(1)},${y(values[i]).toFixed(1)}`;
  const places = xs.map((_, i) => i);
  const back = [...places].reverse();
  return `M${places.map(at(high)).join("L")}L${back.map(at(low)).join("L")}Z`;
}

/** What a chart's series reach over. */
function reachOf(options, seen) {
  const isShown = (value) => isNumber(value) && (!options.isLog || value > 0);
  let range;
  if (options.isStacked) {
    range = extent(options.xs.map((_, i) => seen.reduce((sum, { ys }) => sum + (ys[i] ?? 0), 0)));
  } else {
    const ranges = seen.map(({ ys }) => extent(ys.filter(isShown))).filter((found) => found);
    range = extent(ranges.flat());
  }
  if (!range) return options.isLog ? [0.1, 1] : [0, 1];
  const [low, high] = padded(range, options.isLog);
  const fromZero = (options.fromZero || options.isStacked) && range[0] >= 0 && !options.isLog;
  return fromZero ? [0, range[1] > 0 ? high : 1] : [low, high];
}

/** Bands behind a plot, each from one x to another, with a strip of full colour at their foot. */
function drawBands(bands, x, height) {
  const bottom = height - MARGIN.bottom;
  return bands.flatMap(({ from, to, colour }) => {
    const place = { x: x(from).toFixed(1), width: Math.max(0.5, x(to) - x(from)).toFixed(1) };
    const tall = { y: MARGIN.top, height: bottom - MARGIN.top, class: "band" };
    const foot = { y: bottom - 5, height: 5 };
    return [tall, foot].map((shape) => svg("rect", { ...place, ...shape, fill: colour }));
  });
}

function drawLines(options, seen, x, y, columns) {
  return seen.map(({ ys, colour, isDashed }) => {
    const path = pathThrough(options.xs, ys, x, y, thinned(options.xs, ys, columns));
    const kind = options.xs.length === 1 ? "dots" : isDashed ? "line dashed" : "line";
    return svg("path", { d: path, class: kind, stroke: colour });
  });
}

function drawAreas(options, seen, x, y, columns) {
  const { xs, columns: parts } = binned(options.xs, seen.map(({ ys }) => ys), columns);
  let below = xs.map(() => 0);
  return parts.map((ys, k) => {
    const above = below.map((value, i) => value + (ys[i] ?? 0));
    const path = areaBetween(xs, below, above, x, y);
    below = above;
    return svg("path", { d: path, class: "area", fill: seen[k].colour });
  });
}

/**
 * A chart of series over time. `options`: title, unit, xs (ascending), xLabel, series ({name, ys,
 * colour, isDashed}), bands ({from, to, name, colour}), isLog, fromZero, isWhole (ticks are whole
 * numbers), isStacked, isNamed (a single series has its name, too), note, frames.
 */
function timeChart(options) {
  const hidden = new Set();
  const plot = html("div", { class: "plot" });
  const chart = { options, plot, x: null, cursor: null, seen: () => [] };
  chart.seen = () => options.series.filter(({ name }) => !hidden.has(name));
  const redraw = () => drawTimeChart(chart, Math.round(plot.clientWidth));
  const legend = legendOf(options, hidden, redraw);
  const note = options.note ? [html("p", { class: "note" }, options.note)] : [];
  const title = withUnit(options.title, options.unit);
  const tools = html("span", {}, ...bender(options, redraw), saver(options.title));
  const caption = html("figcaption", {}, html("span", {}, title), tools);
  const figure = html("figure", { class: "chart" }, caption, legend, plot, ...note);
  drawByWidth(plot, redraw);
  followPointer(chart);
  together.push(chart);
  return figure;
}

/** A button that makes the axis logarithmic and back; none for areas, which begin at 0. */
function bender(options, redraw) {
  if (options.isStacked) return [];
  const pressed = () => String(Boolean(options.isLog));
  const attributes = { class: "save", type: "button", title: "Logarithmic axis" };
  const button = html("button", { ...attributes, "aria-pressed": pressed() }, "log");
  button.addEventListener("click", () => {
    options.isLog = !options.isLog;
    button.setAttribute("aria-pressed", pressed());
    redraw();
  });
  return [button];
}

function drawTimeChart(chart, width) {
  const { options } = chart;
  const seen = chart.seen();
  const columns = Math.max(1, width - MARGIN.left - MARGIN.right);
  const across = extent(options.xs) ?? [0, 1];
  const domain = across[0] === across[1] ? [across[0], across[0] + 1] : across;
  const x = makeScale(domain, [MARGIN.left, width - MARGIN.right], false);
  const reach = reachOf(options, seen);
  const y = makeScale(reach, [HEIGHT - MARGIN.bottom, MARGIN.top], options.isLog);
  y.isWhole = options.isWhole;
  const draw = options.isStacked ? drawAreas : drawLines;
  chart.x = x;
  chart.cursor = svg("line", { y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom, class: "cursor" });
  chart.cursor.setAttribute("visibility", "hidden");
  const behind = drawBands(options.bands ?? [], x, HEIGHT);
  const inner = [...draw(options, seen, x, y, columns), chart.cursor];
  chart.plot.replaceChildren(axes({ width, x, y, xLabel: options.xLabel, behind, inner }));
}

/** A legend of series that can be hidden, and of bands; an empty one for a single series. */
function legendOf(options, hidden, redraw) {
  const series = options.series.map(({ name, colour, isDashed }) => {
    const button = html("button", { type: "button", "aria-pressed": "true" }, swatch(colour), name);
    if (isDashed) button.firstChild.classList.add("dashed");
    button.addEventListener("click", () => {
      if (!hidden.delete(name)) hidden.add(name);
      button.setAttribute("aria-pressed", String(!hidden.has(name)));
      redraw();
    });
    return button;
  });
  const names = new Map((options.bands ?? []).map(({ name, colour }) => [name, colour]));
  const bands = [...names].map(([name, colour]) => {
    const entry = html("span", {}, swatch(colour), name);
    entry.firstChild.classList.add("wide");
    return entry;
  });
  const isPlain = series.length < 2 && bands.length === 0 && !options.isNamed;
  const label = bands.length ? [html("span", { class: "of" }, "limited by")] : [];
  return html("div", { class: "legend" }, ...(isPlain ? [] : [...series, ...label, ...bands]));
}

function swatch(colour) {
  const mark = html("i");
  mark.style.setProperty("--mark", colour);
  return mark;
}

/** Shows values under the pointer, and the same moment in every chart. */
function followPointer(chart) {
  chart.plot.addEventListener("pointermove", (event) => {
    const { xs } = chart.options;
    if (!xs.length || !chart.x) return;
    const drawing = chart.plot.firstChild.getBoundingClientRect();
    const scale = drawing.width / chart.plot.clientWidth || 1;
    const place = nearest(xs, chart.x.invert((event.clientX - drawing.left) / scale));
    together.forEach((other) => moveCursor(other, xs[place]));
    showTip(event, momentOf(chart.options, place), valuesAt(chart, place));
  });
  chart.plot.addEventListener("pointerleave", () => {
    together.forEach((other) => moveCursor(other, null));
    hideTip();
  });
}

function momentOf({ xs, frames }, place) {
  const frame = frames ? ` · frame ${frames[place]}` : "";
  return `${shown(xs[place], 5)} s${frame}`;
}

/** What series have at a place, as rows of the tip. */
function valuesAt(chart, place) {
  const { unit, bands, xs } = chart.options;
  const rows = chart.seen().map(({ name, ys, colour }) => {
    const value = shown(ys[place], 4);
    return [name, unit && unit !== "%" ? `${value} ${unit}` : value + (unit ?? ""), colour];
  });
  const band = (bands ?? []).find(({ from, to }) => from < xs[place] && xs[place] <= to);
  if (band) rows.push(["limited by", band.name, band.colour]);
  return rows;
}

function moveCursor({ x, cursor }, value) {
  if (!cursor) return;
  cursor.setAttribute("visibility", value === null ? "hidden" : "visible");
  if (value === null) return;
  const at = x(value).toFixed(1);
  cursor.setAttribute("x1", at);
  cursor.setAttribute("x2", at);
}
