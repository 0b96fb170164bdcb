// What columns of `log.csv` are called, and their units.
"use strict";

/** Name and unit of a column, by the column's own name. */
const QUANTITIES = {
  time: ["time", "s"],
  steps: ["steps", ""],
  total_steps: ["steps since the start", ""],
  frames: ["frames", ""],
  particles: ["particles", ""],
  dt_mean: ["mean time step", "s"],
  dt_min: ["smallest time step", "s"],
  rejected_steps: ["steps taken back", ""],
  density_error_max: ["largest compression", ""],
  density_error_mean: ["mean compression", ""],
  density_iterations: ["iterations for density", ""],
  divergence_iterations: ["iterations for divergence", ""],
  density_capped: ["capped solutions for density", ""],
  divergence_capped: ["capped solutions for divergence", ""],
  viscosity_iterations: ["iterations for viscosity", ""],
  viscosity_capped: ["capped solutions for viscosity", ""],
  mass: ["mass", "kg"],
  emitted: ["particles emitted", ""],
  removed: ["particles removed", ""],
  emitted_mass: ["mass emitted", "kg"],
  removed_mass: ["mass removed", "kg"],
  exchanged_energy: ["energy emitted less removed", "J"],
  work_of_solids: ["work of solids that move", "J"],
  momentum_x: ["momentum along x", "kg m/s"],
  momentum_y: ["momentum along y", "kg m/s"],
  momentum_z: ["momentum along z", "kg m/s"],
  kinetic_energy: ["kinetic energy", "J"],
  potential_energy: ["potential energy", "J"],
  max_speed: ["largest speed", "m/s"],
  deepest_penetration: ["deepest penetration", "d"],
  outside: ["particles outside", ""],
  surface_triangles: ["triangles of the surface", ""],
  surface_volume: ["volume in the surface", "m³"],
  elastic_mass: ["mass of elastic bodies", "kg"],
  elastic_momentum_x: ["momentum of elastic bodies along x", "kg m/s"],
  elastic_momentum_y: ["momentum of elastic bodies along y", "kg m/s"],
  elastic_momentum_z: ["momentum of elastic bodies along z", "kg m/s"],
  elastic_kinetic_energy: ["kinetic energy of elastic bodies", "J"],
  elastic_energy: ["elastic energy", "J"],
  elastic_potential_energy: ["potential energy of elastic bodies", "J"],
  elastic_max_speed: ["largest speed of an elastic node", "m/s"],
  elastic_substeps: ["elastic substeps a step", ""],
  elastic_contacts: ["contacts of elastic bodies", ""],
  elastic_passages: ["vertices that went through a triangle", ""],
  elastic_intersections: ["edges through triangles of elastic bodies", ""],
  wall_time: ["wall time", "s"],
  peak_memory: ["peak memory", "bytes"],
};

/** How a metric sums a column up, by the end of its name. */
const SUMMARIES = { last: "at the end", max: "at most", min: "at least", mean: "on average" };

/** Name and unit of a column; `units` knows those that follow from no name. */
function quantity(column, units) {
  const known = units.get(column);
  if (QUANTITIES[column]) return { name: QUANTITIES[column][0], unit: QUANTITIES[column][1] };
  const force = /^(walls|solids\[\d+\])_(force|torque)_([xyz])$/.exec(column);
  if (force) {
    const [, body, kind, axis] = force;
    return { name: `${kind} on ${body} along ${axis}`, unit: kind === "force" ? "N" : "N m" };
  }
  if (/_ms$/.test(column)) return { name: `time in ${column.slice(0, -3)}`, unit: "ms" };
  const summary = /^(.+)_(last|max|min|mean)$/.exec(column);
  if (known === undefined && summary) {
    const { name, unit } = quantity(summary[1], units);
    return { name: `${name} ${SUMMARIES[summary[2]]}`, unit };
  }
  return { name: column, unit: known ?? "" };
}

/** A name with its unit, as axes have it. */
const withUnit = (name, unit) => (unit ? `${name}, ${unit}` : name);
