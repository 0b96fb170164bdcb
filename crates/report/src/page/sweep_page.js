// The page of a sweep: one metric at a time, over each parameter, over two at once, in pictures and
// in a table. The metric is remembered in the address.
"use strict";

const sweep = JSON.parse(document.getElementById("data").textContent);
const root = document.getElementById("sweep");
const units = new Map(sweep.units);
const count = sweep.table.columns[0]?.length ?? 0;
/** Pictures that are shown before somebody asks for all. */
const FIRST_PICTURES = 120;

/** The values of a column; none of one that is not there. */
function valuesOf(name) {
  const at = sweep.table.header.indexOf(name);
  return at < 0 ? Array(count).fill(null) : sweep.table.columns[at];
}

const points = valuesOf("point");
const statuses = valuesOf("status");
/** Points that have not come to their end: what is known of them counts for nothing. */
const failed = statuses.map((status) => status !== "finished");
const parameters = sweep.parameters.map((name) => ({ name, values: valuesOf(name) }));
const varied = parameters.filter(({ values }) => levels(values).length > 1);

/** The columns that are metrics: those with a number in them. */
const metrics = sweep.table.header.filter((name, i) =>
  !["point", "status", "reason", ...sweep.parameters].includes(name)
  && sweep.table.columns[i].some(isNumber));

/** What is shown now: the metric, its scale, and the parameters of colours, rows and columns. */
const state = { metric: rememberedMetric(), isLog: false, colour: null, rows: null, columns: null };

function rememberedMetric() {
  const asked = new URLSearchParams(location.hash.slice(1)).get("metric");
  if (metrics.includes(asked)) return asked;
  // Probes first: they are what somebody asked for. What is the same everywhere tells nothing.
  const isProbe = (name) => [...units.keys()].some((probe) => name.startsWith(`${probe}_`));
  const differs = metrics.filter((name) =>
    name !== "wall_time" && levels(valuesOf(name).filter(isNumber)).length > 1);
  return differs.find(isProbe) ?? differs[0] ?? metrics[0];
}

/** The metric that is shown. */
function chosenMetric() {
  const values = valuesOf(state.metric).map((value) => (isNumber(value) ? value : null));
  const { name, unit } = quantity(state.metric, units);
  return { column: state.metric, title: name, unit, values, isLog: state.isLog };
}

/** What the tip tells of a point: title and rows. */
function describe(metric) {
  return (i) => [`point ${points[i]}`, [
    ...varied.map(({ name, values }) => [name, shown(values[i], 5)]),
    [metric.column, shown(metric.values[i], 5)],
    ...(statuses[i] === "finished" ? [] : [["status", shown(statuses[i])]]),
  ]];
}

/** The first two parameters that span a grid. */
function firstGrid() {
  for (const [i, rows] of varied.entries()) {
    const columns = varied.slice(i + 1).find(({ values }) => isGrid(rows.values, values));
    if (columns) return [rows, columns];
  }
  return [null, null];
}

function plots(metric) {
  const charts = varied.map((parameter) => {
    const other = varied.length === 2 ? varied.find((one) => one !== parameter) : state.colour;
    const colour = other === parameter ? null : other;
    const isAlone = varied.length === 1;
    return scatterChart({ parameter, colour, metric, failed, isAlone, describe: describe(metric) });
  });
  return html("div", { class: "charts" }, ...charts);
}

/** The heat map, with choosers of its parameters where there are more than two. */
function map(metric, redraw) {
  const { rows, columns } = state;
  if (!rows || !columns || rows === columns) return [];
  const figure = heatMap({ rows, columns, metric, failed, describe: describe(metric) });
  if (varied.length === 2) return [figure];
  const choose = (label, key, other) => {
    const options = varied.filter((one) => one !== state[other]).map(({ name }) => [name, name]);
    return chooser(label, options, state[key].name, (name) => {
      state[key] = varied.find((one) => one.name === name);
      redraw();
    });
  };
  const choosers = [choose("Across", "columns", "rows"), choose("Up", "rows", "columns")];
  figure.firstChild.after(html("div", { class: "controls" }, ...choosers));
  return [figure];
}

/** A picture with what belongs to its point. */
function pictureOf(place, { frame, address }, metric, withParameters) {
  const name = points[place] ?? "";
  const value = html("span", {}, ` ${withUnit(shown(metric.values[place], 4), "")} ${metric.unit}`);
  const told = withParameters
    ? [html("div", { class: "soft" }, varied.map(({ name: key, values }) =>
      `${key} = ${shown(values[place], 4)}`).join(", "))] : [];
  const image = html("img", { src: address, alt: `point ${name}`, loading: "lazy" });
  const moment = html("span", { class: "soft" }, ` frame ${frame}`);
  const caption = html("figcaption", {}, pointLink(name), value, moment, ...told);
  return html("figure", {}, image, caption);
}

/** Where each picture belongs: the place of its point in the table, and its address. */
const pictures = (() => {
  const placeOf = new Map(points.map((point, place) => [point, place]));
  const all = sweep.pictures.map(([point, frame, address]) =>
    [placeOf.get(point), { frame, address }]);
  return all.filter(([place]) => place !== undefined);
})();

/** Whether pictures can be set out by the two parameters of the map, one to a cell. */
function isTable() {
  const { rows, columns } = state;
  if (!rows || !columns || levels(columns.values).length > 8) return false;
  const cells = pictures.map(([i]) => JSON.stringify([rows.values[i], columns.values[i]]));
  return new Set(cells).size === cells.length;
}

function pictureTable(metric) {
  const { rows, columns } = state;
  const [down, across] = [levels(rows.values), levels(columns.values)];
  const directions = [`${columns.name} →`, html("br"), `${rows.name} ↑`];
  const corner = html("th", { class: "corner" }, ...directions);
  const heads = labelsOf(across, 40).map((label) => html("th", { scope: "col" }, label));
  const names = labelsOf(down, 40);
  // As in the map above, values ascend upwards.
  const lines = down.map((row, i) => {
    const cells = across.map((column) => {
      const found = pictures.find(([i]) =>
        rows.values[i] === row && columns.values[i] === column);
      return html("td", {}, ...(found ? [pictureOf(...found, metric, false)] : []));
    });
    return html("tr", {}, html("th", { scope: "row" }, names[i]), ...cells);
  }).reverse();
  return html("div", { class: "scroll" }, html("table", { class: "by-two" },
    html("thead", {}, html("tr", {}, corner, ...heads)), html("tbody", {}, ...lines)));
}

function pictureList(metric) {
  const show = (all) => all.map(([place, address]) => pictureOf(place, address, metric, true));
  const list = html("div", { class: "pictures" }, ...show(pictures.slice(0, FIRST_PICTURES)));
  if (pictures.length <= FIRST_PICTURES) return list;
  const button = html("button", { type: "button" }, `Show all ${pictures.length} pictures`);
  button.addEventListener("click", () => {
    list.append(...show(pictures.slice(FIRST_PICTURES)));
    button.remove();
  });
  return html("div", {}, list, html("div", { class: "pager" }, button));
}

/** A section under a heading. */
const part = (title, ...children) => html("section", {}, html("h2", {}, title), ...children);

/** The column of the table that shows the metric. */
const metricColumn = (metric) => ({
  name: withUnit(metric.column, metric.unit), values: metric.values, isFigure: true,
});

/** The choosers above all that depends on them. */
function controls(redraw, choose) {
  const items = [chooser("Metric", metrics.map((name) => [name, name]), state.metric, choose),
    checkBox("logarithmic", state.isLog, (isOn) => {
      state.isLog = isOn;
      redraw();
    })];
  if (varied.length > 2) {
    const options = [["", "nothing"], ...varied.map(({ name }) => [name, name])];
    items.push(chooser("Colour by", options, state.colour?.name ?? "", (name) => {
      state.colour = varied.find((one) => one.name === name) ?? null;
      redraw();
    }));
  }
  return items;
}

/** Builds the page, and draws it anew as choices change. */
function build() {
  const bar = html("div", { class: "controls" });
  const drawings = html("div");
  const figures = parameters.map(({ name, values }) => ({
    name, values, isFigure: values.every((value) => value === null || isNumber(value)),
  }));
  const table = pointsTable([{ name: "point", values: points, isFigure: false }, ...figures,
    { name: "status", values: statuses, isFigure: false }, metricColumn(chosenMetric())], failed);
  const redraw = () => {
    const metric = chosenMetric();
    const title = varied.length > 1 ? "Over each parameter" : "Over the parameter";
    const sections = varied.length ? [part(title, plots(metric))] : [];
    const maps = map(metric, redraw);
    if (maps.length) sections.push(part("Over two parameters", ...maps));
    const shownPictures = () => (isTable() ? pictureTable(metric) : pictureList(metric));
    if (pictures.length) sections.push(part("Pictures", shownPictures()));
    // Charts are drawn a frame later: the page must not shrink, and scroll, until then.
    drawings.style.minHeight = `${drawings.offsetHeight}px`;
    drawings.replaceChildren(...sections);
    requestAnimationFrame(() => requestAnimationFrame(() => {
      drawings.style.minHeight = "";
    }));
    table.replaceColumn(metricColumn(metric));
  };
  const choose = (name) => {
    state.metric = name;
    state.isLog = asksForLog(valuesOf(name));
    history.replaceState(null, "", `#${new URLSearchParams({ metric: name })}`);
    bar.replaceChildren(...controls(redraw, choose));
    redraw();
  };
  window.addEventListener("hashchange", () => choose(rememberedMetric()));
  root.append(bar, drawings, part("All points", table.element));
  state.isLog = asksForLog(valuesOf(state.metric));
  bar.replaceChildren(...controls(redraw, choose));
  redraw();
}

[state.rows, state.columns] = firstGrid();
if (metrics.length) build();
else root.append(html("p", { class: "note" }, "No point has a metric yet."));
// For programs that look at the page.
document.body.dataset.drawn = "yes";
