#!/usr/bin/env python3
"""`sim surface` beside splashsurf's command line: the same files in, finished meshes out.

    commands.py SIM SPLASHSURF SETS... [--radius 0.01] [--cube-size 0.5] [--threads 1 2] [--turns 7]

Both read a file of raw `x y z` triplets (f32, little endian; `particle_sets.py` writes them), clean
the mesh up, smooth it 30 times with weights, compute normals, smooth these 10 times, and write a
binary PLY. They run in turns, so that a busy machine slows both; the table has medians of CPU
seconds (user and system) and of wall seconds, and the medians of the ratios of each pair. Files are
in the page cache after the first turn, which does not count.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sim", help="the program `sim`")
    parser.add_argument("splashsurf", help="the program `splashsurf` (crates.io, 0.14.1)")
    parser.add_argument("sets", nargs="+", help="files of particles (.xyz)")
    parser.add_argument("--radius", type=float, default=0.01, help="particle radius [m]")
    parser.add_argument("--cube-size", type=float, default=0.5, help="cell edge in radii")
    parser.add_argument("--smoothing", type=int, default=30, help="iterations")
    parser.add_argument("--threads", type=int, nargs="+", default=[1], help="one table row each")
    parser.add_argument("--turns", type=int, default=7, help="pairs of runs")
    return parser.parse_args()


def sim(options, particles, mesh, threads):
    return [
        options.sim, "surface", particles, f"--particle-radius={options.radius}",
        f"--cube-size={options.cube_size}", f"--mesh-smoothing-iters={options.smoothing}",
        "--mesh-cleanup=on", "--mesh-smoothing-weights=on", "--normals-smoothing-iters=10",
        f"--threads={threads}", f"--out={mesh}", "--overwrite", "--quiet",
    ]


def splashsurf(options, particles, mesh, threads):
    return [
        options.splashsurf, "reconstruct", particles, f"--particle-radius={options.radius}",
        "--smoothing-length=2.0", f"--cube-size={options.cube_size}", "--surface-threshold=0.6",
        "--mesh-cleanup=on", "--mesh-smoothing-weights=on",
        f"--mesh-smoothing-iters={options.smoothing}", "--normals=on",
        "--normals-smoothing-iters=10", f"--num-threads={threads}", f"--output-file={mesh}", "--quiet",
    ]


def run(command):
    """CPU and wall seconds of a command."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start


def triangles(mesh):
    """The faces that the head of a PLY file tells."""
    with open(mesh, "rb") as file:
        for line in file:
            if line.startswith(b"element face"):
                return int(line.split()[2])
    return 0


def main():
    options = arguments()
    print("| set | threads | triangles, ours / theirs | CPU s | splashsurf | times | wall s | splashsurf | times |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for particles in options.sets:
            for threads in options.threads:
                meshes = [os.path.join(folder, name) for name in ("ours.ply", "theirs.ply")]
                commands = [
                    program(options, particles, mesh, threads)
                    for program, mesh in zip((sim, splashsurf), meshes)
                ]
                turns = [[run(command) for command in commands] for _ in range(options.turns + 1)]
                row(pathlib.Path(particles).stem, threads, map(triangles, meshes), turns[1:])


def row(name, threads, counts, turns):
    cells = [name, str(threads), " / ".join(f"{count:,}".replace(",", " ") for count in counts)]
    for kind in range(2):
        ours = [pair[0][kind] for pair in turns]
        theirs = [pair[1][kind] for pair in turns]
        ratio = statistics.median(b / a for a, b in zip(ours, theirs))
        cells += [
            f"{statistics.median(ours):.3f}", f"{statistics.median(theirs):.3f}", f"{ratio:.2f}"
        ]
    print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
