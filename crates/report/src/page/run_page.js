// The charts of a run: of its log, frame by frame, and of its probes at times of their own.
"use strict";

const run = JSON.parse(document.getElementById("data").textContent);
const columnsOf = ({ header, columns }) => new Map(header.map((name, i) => [name, columns[i]]));
const log = columnsOf(run.log);
const times = log.get("time") ?? [];
const units = new Map(run.units);
/** Bodies whose forces are shown one by one; more are chosen from. */
const MAX_BODIES = 4;
/** What may limit a time step, each with its colour, so that it is the same on every page. */
const LIMITS = ["frame", "speed", "pressure", "sound", "force", "viscosity", "rejection"];

/** A section under a heading; none where there is nothing to show. */
function section(id, title, figures) {
  const shownFigures = figures.filter((figure) => figure);
  if (!shownFigures.length) return;
  const grid = html("div", { class: "charts" }, ...shownFigures);
  const part = html("section", { id }, html("h2", {}, title), grid);
  document.getElementById("charts").append(part);
}

/** Whether a column has any other value than 0. */
const isAlive = (column) => (log.get(column) ?? []).some((value) => isNumber(value) && value !== 0);

/** A chart of columns of the log, `[column, name, more]` each; none if there is nothing in them. */
function logChart(title, unit, columns, { factor = 1, ...options } = {}) {
  const scaled = (ys) => (factor === 1 ? ys : ys.map((y) => (isNumber(y) ? factor * y : y)));
  const series = columns.filter(([column]) => log.has(column)).map(([column, name, more], i) => ({
    name, colour: seriesColour(i), ys: scaled(log.get(column)), ...more,
  }));
  const isDrawn = (y) => isNumber(y) && (!options.isLog || y > 0);
  if (!series.some(({ ys }) => ys.some(isDrawn))) return null;
  const frames = log.get("frame");
  return timeChart({ title, unit, xs: times, xLabel: "time, s", series, frames, ...options });
}

/** What limited most steps of each frame, frames with the same limit together. */
function limitBands() {
  const bands = [];
  (log.get("limited_by") ?? []).forEach((name, i) => {
    if (!name || i === 0) return;
    const last = bands[bands.length - 1];
    if (last && last.name === name && last.to === times[i - 1]) {
      last.to = times[i];
      return;
    }
    const place = LIMITS.indexOf(name);
    bands.push({ from: times[i - 1], to: times[i], name, colour: seriesColour(place + 2) });
  });
  return bands;
}

// No step was made before frame 0: what tells of steps has no first value.
for (const name of run.since_last_frame) {
  if (log.get("frame")?.[0] === 0) log.get(name)[0] = null;
}

function stepCharts() {
  const given = [["density_capped", "capped for density"],
    ["divergence_capped", "capped for divergence"], ["viscosity_capped", "capped for viscosity"],
    ["rejected_steps", "taken back"]];
  const iterations = [["density_iterations", "for density"],
    ["divergence_iterations", "for divergence"], ["viscosity_iterations", "for viscosity"]];
  const isIterating = iterations.some(([column]) => isAlive(column));
  const isGiven = given.some(([column]) => isAlive(column));
  const calm = "No step reached the most iterations, and none was taken back.";
  return [
    logChart("Time step", "s", [["dt_mean", "mean"], ["dt_min", "smallest"]],
      { isLog: true, bands: limitBands() }),
    isIterating && logChart("Iterations a step", "", iterations,
      { fromZero: true, note: isGiven ? null : calm }),
    logChart("Steps a frame", "", [["steps", "steps"]],
      { fromZero: true, isWhole: true, note: isIterating || isGiven ? null : calm }),
    isGiven && logChart("Steps capped or taken back, a frame", "",
      given.filter(([column]) => isAlive(column)),
      { fromZero: true, isWhole: true, isNamed: true }),
  ];
}

/** A chart of energies, `[column, name]` each, and of their sum. */
function energyChart(title, parts) {
  const columns = parts.map(([column]) => log.get(column));
  if (!columns.every((column) => column)) return null;
  const sum = times.map((_, i) =>
    (columns.every((column) => isNumber(column[i]))
      ? columns.reduce((all, column) => all + column[i], 0) : null));
  const name = `${parts[0][0]}_sum`;
  log.set(name, sum);
  return logChart(title, "J", [...parts, [name, "sum"]]);
}

/** The volume that the surface encloses, beside that of the fluid at rest. */
function volumeChart() {
  if (!isAlive("surface_volume")) return null;
  log.set("fluid_volume", times.map(() => run.fluid_volume));
  const reference = { colour: "var(--soft)", isDashed: true };
  return logChart("Volume", "m³",
    [["surface_volume", "in the surface"], ["fluid_volume", "of the fluid at rest", reference]]);
}

function stateCharts() {
  return [
    energyChart("Energy",
      [["kinetic_energy", "kinetic"], ["potential_energy", "potential"]]),
    logChart("Largest speed", "m/s", [["max_speed", "largest"]], { fromZero: true }),
    logChart("Compression", "%",
      [["density_error_max", "largest"], ["density_error_mean", "largest mean"]],
      { factor: 100, fromZero: true }),
    volumeChart(),
    isAlive("deepest_penetration") && logChart("Deepest penetration", "spacings d",
      [["deepest_penetration", "deepest"]], { fromZero: true }),
    isAlive("outside") && logChart("Particles outside the domain", "",
      [["outside", "outside"]], { fromZero: true, isWhole: true }),
  ];
}

/** Energies, momentum and contact of the elastic bodies; nothing if there are none. */
function elasticCharts() {
  if (!log.has("elastic_energy")) return [];
  const momentum = ["x", "y", "z"].map((axis) => [`elastic_momentum_${axis}`, `along ${axis}`]);
  const isWhole = { fromZero: true, isWhole: true };
  return [
    energyChart("Energy of elastic bodies", [["elastic_kinetic_energy", "kinetic"],
      ["elastic_energy", "elastic"], ["elastic_potential_energy", "potential"]]),
    logChart("Momentum of elastic bodies", "kg m/s", momentum),
    logChart("Largest speed of an elastic node", "m/s", [["elastic_max_speed", "largest"]],
      { fromZero: true }),
    logChart("Elastic substeps a step", "", [["elastic_substeps", "mean"]], { fromZero: true }),
    isAlive("elastic_contacts") && logChart("Contacts that acted, a frame", "",
      [["elastic_contacts", "contacts"]], isWhole),
    isAlive("elastic_passages") && logChart("Vertices that went through a triangle, a frame", "",
      [["elastic_passages", "vertices"]], isWhole),
    isAlive("elastic_intersections") && logChart("Edges through triangles", "",
      [["elastic_intersections", "edges"]], isWhole),
  ];
}

/** Whether there is fluid, or was. */
const hasFluid = run.fluid_volume > 0 || isAlive("mass");

/** The bodies that forces are told of, in the log's order. */
function bodies() {
  const names = [...log.keys()].filter((column) => column.endsWith("_force_x"));
  return names.map((column) => column.slice(0, -"_force_x".length)).filter((body) =>
    ["x", "y", "z"].some((axis) => isAlive(`${body}_force_${axis}`)));
}

function forceChart(body, kind, unit) {
  const columns = ["x", "y", "z"].map((axis) => [`${body}_${kind}_${axis}`, `along ${axis}`]);
  const noun = kind === "force" ? "Force" : "Torque";
  return logChart(`${noun} on ${body === "walls" ? "the walls" : body}`, unit, columns);
}

function forceCharts() {
  const all = bodies();
  const both = (body) => [forceChart(body, "force", "N"), forceChart(body, "torque", "N m")];
  if (all.length <= MAX_BODIES) {
    section("forces", "Forces of the fluid", all.flatMap(both));
    return;
  }
  section("forces", "Forces of the fluid", both(all[0]));
  const part = document.getElementById("forces");
  const choose = (body) => {
    part.lastChild.replaceChildren(...both(body));
  };
  part.lastChild.before(chooser("Body", all.map((body) => [body, body]), all[0], choose));
}

/** Probes with the same unit share a chart. */
function probeCharts() {
  const probes = columnsOf(run.probes);
  const xs = probes.get("time");
  if (!xs?.length) return [];
  const names = run.probes.header.slice(1);
  const groups = new Map();
  names.forEach((name, i) => {
    const unit = units.get(name) ?? "";
    const series = { name, ys: run.probes.columns[i + 1], colour: seriesColour(i) };
    groups.set(unit, [...(groups.get(unit) ?? []), series]);
  });
  const titles = { Pa: "Pressure", m: "Level or front" };
  return [...groups].map(([unit, series]) => {
    const title = series.length > 1 ? titles[unit] ?? "Probes" : series[0].name;
    return timeChart({ title, unit, xs, xLabel: "time, s", series });
  });
}

/** Where the first bodies that move freely went. */
function bodyCharts() {
  if (!run.bodies.length) return [];
  const chart = (title, axis) => timeChart({
    title, unit: "m", xs: run.bodies[0].time, xLabel: "time, s",
    series: run.bodies.map((body, i) =>
      ({ name: body.name, ys: body[axis], colour: seriesColour(i) })),
  });
  return [chart("Height of the centre of mass", "z"), chart("Centre of mass along x", "x")];
}

/** The time that each frame took, stage upon stage, beside the table of the sums. */
function costChart() {
  const stages = [...log.keys()].filter((column) => column.endsWith("_ms"));
  const place = document.querySelector("#cost .pair");
  const figure = logChart("Wall time a frame", "ms",
    stages.map((column) => [column, column.slice(0, -"_ms".length)]), { isStacked: true });
  if (!figure) return;
  place.prepend(figure);
  document.querySelectorAll(".stages tbody tr").forEach((row) => {
    const at = stages.indexOf(`${row.cells[0].textContent}_ms`);
    row.querySelector("rect").style.fill = seriesColour(at);
  });
}

if (times.length) {
  section("steps", "Time step and solver", stepCharts());
  if (hasFluid) section("state", "State of the fluid", stateCharts());
  section("elastic", "Elastic bodies", elasticCharts());
  section("bodies", "Free bodies", bodyCharts());
  forceCharts();
  section("probes", "Probes", probeCharts());
  costChart();
} else {
  const nothing = "There is no frame yet: the log has no whole row.";
  document.getElementById("charts").append(html("p", { class: "note" }, nothing));
}
// For programs that look at the page.
document.body.dataset.drawn = "yes";
