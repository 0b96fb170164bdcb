// A metric over a parameter: a dot for each point of a sweep, coloured by another parameter, and
// lines through the means where several points share a value. Dots of one colour are one path, so
// that ten thousand of them are drawn at once.
"use strict";

/** More values than these of the parameter that colours are shown by shades. */
const MAX_SERIES = 8;
const SHADES = 24;
/** So many dots are drawn small. */
const MANY = 600;
/** How near the pointer must be to a dot \[pixels\]. */
const REACH = 30;
/** Letters of a label on an axis at the most. */
const MAX_LETTERS = 24;

/** A text, cut where it is too long for a label. */
const clipped = (value, letters = MAX_LETTERS) => {
  const label = typeof value === "number" ? shown(value, 5) : String(value);
  return label.length > letters ? `${label.slice(0, letters - 1)}…` : label;
};

/** The labels of all values of a parameter: of numbers in one notation. */
const labelsOf = (all, letters) =>
  (all.every(isNumber) ? tickLabels(all) : all).map((label) => clipped(label, letters));

/** Where the values of a parameter stand on an axis: numbers as such, texts one by one. */
function parameterAxis(values) {
  const all = levels(values);
  if (all.every(isNumber)) {
    const isLog = asksForLog(all);
    return { at: values, all, isLog, domain: padded(extent(all) ?? [0, 1], isLog), isText: false };
  }
  const place = new Map(all.map((value, i) => [value, i]));
  const at = values.map((value) => place.get(value) ?? null);
  return { at, all, isLog: false, domain: [-0.5, all.length - 0.5], isText: true };
}

/** Ticks of an axis of texts: as many as have room. */
function textTicks({ all }, x, width) {
  const room = width / all.length;
  const stride = Math.ceil(26 / room);
  const letters = Math.max(4, Math.floor((room * stride) / 6.6));
  const kept = all.map((value, i) => [x(i), clipped(value, letters)]);
  return kept.filter((_, i) => i % stride === 0);
}

/** How points are coloured by a parameter: the colour of each, and a legend. */
function colouring(parameter) {
  const plain = seriesColour(0);
  const nothing = html("div", { class: "legend" });
  if (!parameter) return { of: () => plain, legend: nothing, groups: null };
  const all = levels(parameter.values);
  if (all.length <= MAX_SERIES || !all.every(isNumber)) {
    const place = new Map(all.map((value, i) => [value, i]));
    const of = (i) => seriesColour(place.get(parameter.values[i]) ?? MAX_SERIES);
    const entries = labelsOf(all.slice(0, MAX_SERIES + 1), 32).map((label, i) =>
      html("span", { title: String(all[i]) }, swatch(seriesColour(i)), label));
    const name = html("span", { class: "of" }, parameter.name);
    return { of, legend: html("div", { class: "legend" }, name, ...entries), groups: all };
  }
  const isLog = asksForLog(all);
  const scale = makeScale(extent(all), [0, 1], isLog);
  const of = (i) => {
    const value = parameter.values[i];
    return isNumber(value) ? shade(Math.round(scale(value) * SHADES) / SHADES) : plain;
  };
  return { of, legend: shadesLegend(parameter.name, extent(all)), groups: null };
}

/** Dark and pale ends of the colours would be lost on paper or on a dark page. */
const shade = (part) => `rgb(${viridis(0.08 + 0.84 * part).join(" ")})`;

function shadesLegend(name, [low, high]) {
  const steps = Array.from({ length: 24 }, (_, i) =>
    svg("rect", { x: 5 * i, width: 5.2, height: 9, fill: shade(i / 23) }));
  const bar = svg("svg", { width: 120, height: 9, viewBox: "0 0 120 9" }, ...steps);
  const ends = [low, high].map((value) => html("span", {}, shown(value, 3)));
  const label = html("span", { class: "of" }, name);
  return html("div", { class: "legend" }, label, ends[0], bar, ends[1]);
}

/**
 * A chart of a metric over a parameter. `options`: parameter and colour ({name, values}), metric
 * ({name, title, unit, values, isLog}), failed (of each point), describe (rows of the tip), title.
 */
function scatterChart(options) {
  const plot = html("div", { class: "plot" });
  const { metric, parameter } = options;
  const colours = colouring(options.colour);
  const title = `${metric.column} over ${parameter.name}`;
  const name = withUnit(metric.title, metric.unit);
  const caption = html("figcaption", {}, html("span", {}, name), saver(title));
  const note = html("p", { class: "note" }, "× not finished");
  const notes = options.failed.includes(true) ? [note] : [];
  const figure = html("figure", { class: "chart" }, caption, colours.legend, plot, ...notes);
  let places = [];
  drawByWidth(plot, (width) => {
    places = drawScatter(plot, options, colours, width);
  });
  plot.addEventListener("pointermove", (event) => {
    if (!plot.firstChild) return;
    const drawing = plot.firstChild.getBoundingClientRect();
    const found = nearestPlace(places, event.clientX - drawing.left, event.clientY - drawing.top);
    if (found === null) hideTip();
    else showTip(event, ...options.describe(found));
  });
  plot.addEventListener("pointerleave", hideTip);
  return figure;
}

/** Draws, and returns where each point is: `[x, y, point]`. */
function drawScatter(plot, options, colours, width) {
  const { metric, parameter, failed } = options;
  const axis = parameterAxis(parameter.values);
  const range = [MARGIN.left, width - MARGIN.right];
  const x = makeScale(axis.domain, range, axis.isLog);
  const isShown = (value) => isNumber(value) && (!metric.isLog || value > 0);
  const reach = extent(metric.values.filter(isShown)) ?? (metric.isLog ? [0.1, 1] : [0, 1]);
  const y = makeScale(padded(reach, metric.isLog), [HEIGHT - MARGIN.bottom, MARGIN.top],
    metric.isLog);
  const places = [];
  axis.at.forEach((at, i) => {
    if (at === null || (!isShown(metric.values[i]) && !failed[i])) return;
    const height = isShown(metric.values[i]) ? y(metric.values[i]) : HEIGHT - MARGIN.bottom - 8;
    places.push([x(at), height, i]);
  });
  const inner = [...meanLines(options, colours, axis, x, y), ...dots(places, colours, failed),
    crosses(places.filter(([, , i]) => failed[i]))];
  const xTicks = axis.isText ? textTicks(axis, x, range[1] - range[0]) : undefined;
  plot.replaceChildren(axes({ width, x, y, xLabel: parameter.name, xTicks, inner }));
  return places;
}

/** A path of dots for each colour. */
function dots(places, colours, failed) {
  const paths = new Map();
  for (const [x, y, i] of places) {
    if (failed[i]) continue;
    const colour = colours.of(i);
    paths.set(colour, `${paths.get(colour) ?? ""}M${x.toFixed(1)},${y.toFixed(1)}h0`);
  }
  const kind = places.length > MANY ? "dots fine" : "dots";
  return [...paths].map(([stroke, d]) => svg("path", { class: kind, d, stroke }));
}

/** Crosses where points failed. */
function crosses(places) {
  const d = places.map(([x, y]) =>
    `M${(x - 4).toFixed(1)},${(y - 4).toFixed(1)}l8,8m0,-8l-8,8`).join("");
  return svg("path", { class: "failed", d });
}

/** Lines through the means over each value, where a line means something. */
function meanLines({ metric, failed, colour, isAlone }, colours, axis, x, y) {
  if (axis.isText) return [];
  const isMany = axis.all.length * 2 <= axis.at.length;
  if (!isMany && !isAlone) return [];
  const groups = colours.groups ?? [null];
  return groups.map((level) => {
    const members = axis.at.map((_, i) => i).filter((i) =>
      axis.at[i] !== null && (level === null || colour.values[i] === level));
    const values = members.map((i) => (failed[i] ? null : metric.values[i]));
    const means = meansByX(members.map((i) => axis.at[i]), values);
    const [xs, ys] = [means.map(([at]) => at), means.map(([, mean]) => mean)];
    const stroke = members.length ? colours.of(members[0]) : "none";
    return svg("path", { class: "means", stroke, d: pathThrough(xs, ys, x, y, xs.keys()) });
  });
}

/** The point whose dot is nearest; null if none is near. */
function nearestPlace(places, x, y) {
  let [found, least] = [null, REACH ** 2];
  for (const [atX, atY, i] of places) {
    const distance = (atX - x) ** 2 + (atY - y) ** 2;
    if (distance < least) [found, least] = [i, distance];
  }
  return found;
}
