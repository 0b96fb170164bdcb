#!/usr/bin/env python3
"""What solid meshes of 1k to 1M triangles cost around 26 000 particles.

Water stands around a ball with bumps, whose radius is 7 support radii in mean. Of each mesh this
prints

- the CPU seconds and the peak of memory of `sim check`,
- milliseconds a step of a run: `solids` and `collide` of the line that `sim run` prints, wall
  time, so that nothing else should run; the first steps, which fill the fields, are among them,
- bytes a triangle: the peak of the run beyond that of the same water around the smallest mesh,
  over the triangles beyond.

    cargo build --release
    python3 benches/fine_meshes/fine_meshes.py [--sim target/release/sim] [--older OTHER_SIM]
        [--sizes 3 5 6 8] [--frames 2]

With `--older` each run is made with both programs, one after the other.
"""

import argparse
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

SCENE = """Scene(
    frames: (count: {frames}, rate: 25.0),
    gravity: (0.0, 0.0, -9.81),
    domain: Box(min: (0.0, 0.0, 0.0), max: (1.0, 1.0, 1.0)),
    particle_radius: 0.011,
    fluids: [(name: "water", rest_density: 1000.0, viscosity: 1e-6,
        shapes: [Box(min: (0.0, 0.0, 0.0), max: (1.0, 1.0, 0.33))])],
    solids: [Mesh(path: "ball{size}.ply")],
    surface: None,
)
"""


def ball(subdivisions):
    """An icosphere with bumps: its vertices and triangles, 20 · 4ⁿ of them."""
    t = (1 + 5**0.5) / 2
    vertices = [(-1, t, 0), (1, t, 0), (-1, -t, 0), (1, -t, 0), (0, -1, t), (0, 1, t),
                (0, -1, -t), (0, 1, -t), (t, 0, -1), (t, 0, 1), (-t, 0, -1), (-t, 0, 1)]
    triangles = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4),
                 (11, 10, 2), (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8),
                 (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]

    def unit(x, y, z):
        length = math.sqrt(x * x + y * y + z * z)
        return (x / length, y / length, z / length)

    vertices = [unit(*v) for v in vertices]
    for _ in range(subdivisions):
        middles = {}

        def middle(a, b):
            key = (a, b) if a < b else (b, a)
            if key not in middles:
                middles[key] = len(vertices)
                vertices.append(unit(*(p + q for p, q in zip(vertices[a], vertices[b]))))
            return middles[key]

        finer = []
        for a, b, c in triangles:
            d, e, f = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, d, f), (d, b, e), (f, e, c), (d, e, f)]
        triangles = finer

    def placed(x, y, z):
        r = 0.3 * (1 + 0.05 * math.sin(8 * x) * math.sin(8 * y) * math.cos(6 * z))
        return (0.5 + r * x, 0.5 + r * y, 0.35 + r * z)

    return [placed(*v) for v in vertices], triangles


def write_ply(path, vertices, triangles):
    header = (f"ply\nformat binary_little_endian 1.0\nelement vertex {len(vertices)}\n"
              "property float x\nproperty float y\nproperty float z\n"
              f"element face {len(triangles)}\nproperty list uchar int vertex_indices\n"
              "end_header\n")
    with open(path, "wb") as file:
        file.write(header.encode())
        file.write(b"".join(struct.pack("<3f", *v) for v in vertices))
        file.write(b"".join(struct.pack("<B3i", 3, *t) for t in triangles))


def run(command):
    """Runs a command; returns what it printed, CPU seconds, and its peak of memory in bytes."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}:\n{text}")
    return text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def number(pattern, text):
    found = re.search(pattern, text)
    return float(found.group(1)) if found else math.nan


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--sim", default="target/release/sim")
    arguments.add_argument("--older")
    arguments.add_argument("--sizes", type=int, nargs="+", default=[3, 5, 6, 8])
    arguments.add_argument("--frames", type=int, default=2)
    arguments.add_argument("--folder", help="where meshes and runs go; kept")
    chosen = arguments.parse_args()
    programs = [os.path.abspath(p) for p in (chosen.sim, chosen.older) if p]
    with tempfile.TemporaryDirectory() as temporary:
        folder = chosen.folder or temporary
        os.makedirs(folder, exist_ok=True)
        first = {}
        print("program          triangles   check CPU s   peak MB   solids ms   collide ms   "
              "steps   run CPU s   peak MB   bytes a triangle")
        for size in chosen.sizes:
            mesh = os.path.join(folder, f"ball{size}.ply")
            if not os.path.exists(mesh):
                write_ply(mesh, *ball(size))
            scene = os.path.join(folder, f"ball{size}.ron")
            with open(scene, "w") as file:
                file.write(SCENE.format(frames=chosen.frames, size=size))
            triangles = 20 * 4**size
            for program in programs:
                os.environ["RAYON_NUM_THREADS"] = "1"
                _, check, check_peak = run([program, "check", scene])
                text, cpu, peak = run([program, "run", scene, "--threads", "1", "--overwrite",
                                       "-o", os.path.join(folder, "out")])
                steps = number(r"\nsteps +(\d+)", text)
                stages = ("solids", "collide")
                solids, collide = (number(name + r" ([\d.]+)", text) for name in stages)
                base = first.setdefault(program, (peak, triangles))
                more = triangles - base[1]
                beyond = (peak - base[0]) / more if more > 0 else math.nan
                print(f"{os.path.basename(program):16} {triangles:9} {check:13.2f} "
                      f"{check_peak / 1e6:9.0f} {solids:11.2f} {collide:12.2f} {steps:7.0f} "
                      f"{cpu:11.1f} {peak / 1e6:9.0f} {beyond:18.0f}", flush=True)


if __name__ == "__main__":
    main()
