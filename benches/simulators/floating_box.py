"""A floating box in Hashfall and SPlisHSPlasH, in turn: `floating_box.py DENSITY... [--rounds 2]`.

A box of 0.3 × 0.3 × 0.2 m and the given densities [kg/m³] is let go about a spacing above its
equilibrium in a tank of 0.9 × 0.9 m with 0.4 m of water. Such a box floats upright; a cube of
half the water's density does not. Both programs get the same particles, with a gap of a spacing at
walls and box, without which SPlisHSPlasH's burst, the same support radius (2 d), viscosity
(0.01 m²/s, SPlisHSPlasH's default), walls that water slips along, Courant number (0.4), and errors
of density (0.05 %) and divergence (0.1 %), which are those of SPlisHSPlasH's shipped scenes. All
else is each program's default. SPlisHSPlasH's boundary is particles, or volume maps if
`--boundary 2` is given; its box moves by its solver of rigid bodies (position-based dynamics).

The draught is measured alike in both, 20 times in the last second: water that stands above the
plane of the box's bottom, by its mass and away from box and walls, over its area and rest density.
By Archimedes it is the box's height times its relative density whatever walls do to the level, as
the pressure on that plane is the weight of the water above. On the lattice of the start it is off
by 0.005 spacings. A table in Markdown goes to stdout, single runs to stderr.

Times are of steps alone, but for two things against Hashfall: its wall and CPU time hold its
start, and its CPU time its files. Its median of ms per step is over frames, SPlisHSPlasH's over
steps.
"""

import argparse
import csv
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

import numpy

HERE = pathlib.Path(__file__).resolve().parent
SIM = HERE.parents[1] / "target/release/sim"

# The tank's width and height, the level of the water at the start, and the box's width and height
# [m]: whole numbers of spacings of 0.02 and 0.025 m, which keeps both lattices the same.
TANK, TANK_HEIGHT, DEPTH = 0.9, 0.7, 0.4
WIDTH, HEIGHT = 0.3, 0.2
REST_DENSITY, VISCOSITY = 1000.0, 0.01
FRAME_RATE = 20


def immersed(density, spacing):
    """Depth of the box in the water when it is let go, in whole spacings [m]."""
    return spacing * max(1, round(HEIGHT * density / REST_DENSITY / spacing) - 1)


def ron(density, spacing, seconds):
    """The scene for Hashfall."""
    low, high = (TANK - WIDTH) / 2, (TANK + WIDTH) / 2
    bottom = DEPTH - immersed(density, spacing)
    # Rounding must cost no layer.
    slack = 1e-6
    shapes = ", ".join(
        f"Box(min: {tuple(c - slack for c in start)}, max: {tuple(c + slack for c in end)})"
        for start, end in blocks(density, spacing))
    return f"""// Written by floating_box.py.
Scene(
frames: (count: {round(FRAME_RATE * seconds)}, rate: {FRAME_RATE}.0),
domain: Box(min: (0.0, 0.0, 0.0), max: ({TANK}, {TANK}, {TANK_HEIGHT})),
particle_radius: {spacing / 2},
fluids: [(name: "water", rest_density: {REST_DENSITY}, viscosity: {VISCOSITY},
    shapes: [Union(of: [{shapes}])])],
solids: [Box(min: ({low}, {low}, {bottom}), max: ({high}, {high}, {bottom + HEIGHT}),
    motion: Free(density: {density}))],
solver: Dfsph(max_density_error: 5e-4, max_divergence_error: 1e-3),
surface: None, output: (particles: [Ply]), checkpoints: None,
)
"""


def blocks(density, spacing):
    """The water as boxes around the box: lowest and highest corners, z up [m]."""
    gap = spacing
    near, far, floor = gap, TANK - gap, gap
    low, high = (TANK - WIDTH) / 2 - gap, (TANK + WIDTH) / 2 + gap
    below = DEPTH - immersed(density, spacing) - gap
    return [
        ((near, near, floor), (far, far, below)),
        ((near, near, below), (low, far, DEPTH)),
        ((high, near, below), (far, far, DEPTH)),
        ((low, near, below), (high, low, DEPTH)),
        ((low, high, below), (high, far, DEPTH)),
    ]


def splishsplash_scene(density, spacing, boundary):
    """The scene for SPlisHSPlasH, with y up."""
    bottom = DEPTH - immersed(density, spacing)
    # Its lattice leaves half a spacing free on every side.
    half = spacing / 2
    water = [{
        "denseMode": 0,
        "start": [x0 - half, z0 - half, y0 - half],
        "end": [x1 + half, z1 + half, y1 + half],
    } for (x0, y0, z0), (x1, y1, z1) in blocks(density, spacing)]
    rigid = {"geometryFile": "models/UnitBox.obj", "mapThickness": 0.0}
    tank = {
        **rigid, "id": 1, "isDynamic": False, "isWall": True,
        "translation": [TANK / 2, TANK_HEIGHT / 2, TANK / 2],
        "scale": [TANK, TANK_HEIGHT, TANK],
        "mapInvert": True, "mapResolution": [20, 20, 20],
    }
    box = {
        **rigid, "id": 2, "isDynamic": True, "isWall": False, "density": density,
        "translation": [TANK / 2, bottom + HEIGHT / 2, TANK / 2],
        "scale": [WIDTH, HEIGHT, WIDTH],
        "mapInvert": False, "mapResolution": [20, 20, 20],
    }
    configuration = {
        "particleRadius": spacing / 2,
        "simulationMethod": 4,
        "gravitation": [0, -9.81, 0],
        "cflFactor": 1,
        "boundaryHandlingMethod": boundary,
        "DFSPH": {"maxError": 0.05, "maxErrorV": 0.1},
    }
    fluid = {"id": "Fluid", "density0": REST_DENSITY, "viscosityMethod": 1,
             "Standard viscosity": {"viscosity": VISCOSITY}}
    return {"Configuration": configuration, "Materials": [fluid], "RigidBodies": [tank, box],
            "FluidBlocks": water}


def draught(positions, volume, box, up):
    """How deep the box lies, along its axis `up` [m], from the particles of water around it."""
    centre = TANK / 2
    distance = numpy.abs(positions[:, :2] - centre).max(axis=1)
    # A ring half-way between box and walls, weighted by cos², 0.06 m from both: the integral of
    # its weight over the plane is 8 · middle · reach.
    middle, reach = (TANK + WIDTH) / 4, (TANK - WIDTH) / 4 - 0.06
    offset = (distance - middle) / reach
    weight = numpy.where(abs(offset) < 1, numpy.cos(numpy.pi / 2 * offset) ** 2, 0)
    bottom = box[2] - HEIGHT / 2 * up[2]
    # A ramp over four spacings counts layers of a lattice without a jump.
    ramp = 4 * numpy.cbrt(volume)
    above = numpy.clip((positions[:, 2] - bottom) / ramp + 0.5, 0, 1)
    return volume * (weight * above).sum() / (8 * middle * reach) / up[2]


def read_ply(path):
    """Positions of the particles that Hashfall has written."""
    data = path.read_bytes()
    head, _, body = data.partition(b"end_header\n")
    kinds = {"float": "<f4", "uint": "<u4", "uchar": "u1"}
    lines = [line.split() for line in head.decode().splitlines()]
    record = numpy.dtype([(line[2], kinds[line[1]]) for line in lines if line[0] == "property"])
    points = numpy.frombuffer(body, record)
    return numpy.stack([points[axis] for axis in "xyz"], axis=1).astype(float)


def run_hashfall(density, options):
    scene = options.folder / f"box_{density:g}.ron"
    scene.write_text(ron(density, options.spacing, options.seconds))
    out = scene.with_suffix(".out")
    command = ["/usr/bin/time", "-f", "%e %U %S %M", SIM, scene, "--quiet", "--overwrite",
               "--out", out, "--threads", str(options.threads)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{scene}: {done.stderr}")
    wall, user, system, kilobytes = (float(number) for number in done.stderr.split()[-4:])
    run = json.loads((out / "run.json").read_text())
    log = list(csv.DictReader((out / "log.csv").open()))
    stages = [key for key in log[0] if key.endswith("_ms") and key != "output_ms"]
    bodies = list(csv.DictReader((out / "bodies.csv").open()))
    draughts, heights, tilts = [], [], []
    volume = float(log[0]["mass"]) / REST_DENSITY / run["scene"]["particles"]
    for row in bodies[-FRAME_RATE:]:
        box = [float(row[axis]) for axis in "xyz"]
        up = [None, None, 1 - 2 * (float(row["qx"]) ** 2 + float(row["qy"]) ** 2)]
        positions = read_ply(out / "particles" / f"particles_{int(row['frame']):05}.ply")
        draughts.append(draught(positions, volume, box, up))
        heights.append(box[2])
        tilts.append(up[2])
    steps, time = run["progress"]["steps"], run["progress"]["time"]
    shutil.rmtree(out)
    return {
        "program": "Hashfall",
        "steps per second": steps / time,
        "ms": statistics.median(
            sum(float(row[key]) for key in stages) / int(row["steps"]) for row in log[1:]),
        "cpu ms": 1000 * (user + system) / steps,
        "wall per second": (wall - run["stage_ms"]["output"] / 1000) / time,
        "cpu per second": (user + system) / time,
        "MB": kilobytes / 1024,
        **at_rest(density, options.spacing, run["scene"]["particles"], draughts, heights, tilts),
    }


def run_splishsplash(density, options):
    scene = options.folder / f"box_{density:g}.json"
    models = options.folder / "models"
    models.mkdir(exist_ok=True)
    shutil.copy(pathlib.Path(sys.prefix) / "bin/data/models/UnitBox.obj", models)
    described = splishsplash_scene(density, options.spacing, options.boundary)
    scene.write_text(json.dumps(described))
    environment = {**os.environ, "OMP_NUM_THREADS": str(options.threads)}
    # Beside other work on the machine its threads else wait for each other without pause.
    environment["OMP_WAIT_POLICY"] = "passive"
    dispatch = "/lib/x86_64-linux-gnu/libGLdispatch.so.0"
    if os.path.exists(dispatch):
        # The wheel's own OpenGL libraries crash beside the system's on Debian.
        environment["LD_PRELOAD"] = dispatch
    save = scene.with_suffix(".npz")
    child = [sys.executable, HERE / "splishsplash_box.py", scene, str(options.seconds), save]
    save.unlink(missing_ok=True)
    done = subprocess.run(child, capture_output=True, text=True, env=environment,
                          cwd=options.folder)
    if not save.exists():
        sys.exit(f"{scene}: SPlisHSPlasH ended with {done.returncode}\n{done.stderr[-2000:]}")
    found = numpy.load(save)
    mass = WIDTH * WIDTH * HEIGHT * density
    if abs(found["box_mass"] / mass - 1) > 1e-4:
        sys.exit(f"{scene}: the box weighs {found['box_mass']} kg, not {mass}")
    volume = float(found["particle_mass"]) / REST_DENSITY
    draughts = [draught(positions.astype(float), volume, box, up)
                for positions, box, up in zip(found["positions"], found["boxes"], found["ups"])]
    times, wall, cpu = found["times"], found["wall"], found["cpu"]
    time = times[-1] - times[0]
    return {
        "program": f"SPlisHSPlasH, boundary {options.boundary}",
        "steps per second": len(wall) / time,
        "ms": 1000 * float(numpy.median(wall)),
        "cpu ms": 1000 * cpu.sum() / len(cpu),
        "wall per second": wall.sum() / time,
        "cpu per second": cpu.sum() / time,
        "MB": float(found["megabytes"]),
        **at_rest(density, options.spacing, found["positions"].shape[1], draughts,
                  found["boxes"][:, 2], found["ups"][:, 2]),
    }


def at_rest(density, spacing, count, draughts, heights, cosines):
    """Draught, height and tilt in the last second beside their equilibrium."""
    exact = HEIGHT * density / REST_DENSITY
    level = (count * spacing**3 + WIDTH * WIDTH * exact) / TANK**2
    tilts = numpy.degrees(numpy.arccos(numpy.clip(cosines, -1, 1)))
    return {
        "particles": count,
        "draught mm": 1000 * float(numpy.mean(draughts)),
        "swing mm": 1000 * float(numpy.ptp(draughts)),
        "error": float(numpy.mean(draughts) - exact) / spacing,
        "sunk": float(level - exact + HEIGHT / 2 - numpy.mean(heights)) / spacing,
        "tilt": float(max(tilts)),
    }


COLUMNS = {
    "particles": "particles",
    "steps per second": "steps per simulated s",
    "ms": "ms per step, median",
    "cpu ms": "CPU ms per step",
    "wall per second": "wall s per simulated s",
    "cpu per second": "CPU s per simulated s",
    "MB": "peak MB",
    "draught mm": "draught, mm",
    "swing mm": "its range in the last second, mm",
    "error": "its error, spacings",
    "sunk": "centre below equilibrium in the tank, spacings",
    "tilt": "largest tilt, °",
}


def print_table(rows):
    print("| box, kg/m³ | program |", " | ".join(COLUMNS.values()), "| runs |")
    print("|" + "---|" * (len(COLUMNS) + 3))
    for (density, program), runs in rows.items():
        found = [statistics.median(run[column] for run in runs) for column in COLUMNS]
        cells = [f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}" for value in found]
        print(f"| {density:g} | {program} |", " | ".join(cells), f"| {len(runs)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("densities", nargs="+", type=float, metavar="DENSITY")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--spacing", type=float, default=0.025)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--boundary", type=int, choices=[0, 2], default=0)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/tmp/floating_box"))
    options = parser.parse_args()
    if not SIM.exists():
        parser.error(f"{SIM} is missing: cargo build --release")
    # SPlisHSPlasH runs with this as its working directory, from where a relative path is another.
    options.folder = options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    rows = {}
    for turn in range(options.rounds):
        for density in options.densities:
            programs = [run_hashfall, run_splishsplash]
            for program in programs if turn % 2 == 0 else programs[::-1]:
                run = program(density, options)
                rows.setdefault((density, run.pop("program")), []).append(run)
                print(density, program.__name__, run, file=sys.stderr, flush=True)
    print_table(rows)


if __name__ == "__main__":
    main()
