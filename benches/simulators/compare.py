"""Hashfall beside SPlisHSPlasH or LAMMPS on the same scenes: `compare.py CASE... [--rounds 3]`.

Beside SPlisHSPlasH: dam-25k dam-100k dam-250k (divergence-free), wcsph-25k wcsph-100k, spheres-32
spheres-64 (2000 static spheres, spacing 1/32 and 1/64 m). Its boundary is particles (its method 0)
unless `--boundary 2` asks for volume maps. Beside LAMMPS: summation-2.0d summation-3.46d
continuity-2.0d continuity-3.46d, weakly compressible, by how densities are found and by support
radius. A table in Markdown goes to stdout.

Source: the scenes are those that SPlisHSPlasH 2.19 was first measured on for this project; the
spheres are placed by `spheres.py`. All programs get the same particles, support radius (2 d unless
the case says otherwise), viscosity 0.01 m²/s, and write no frames. SPlisHSPlasH gets the cubic
spline, mean density error 0.05 %, divergence error 0.1 %, Courant number 0.4. LAMMPS has Lucy's
kernel, reflecting walls, and as many steps as Hashfall took, of their mean length.

Times are wall clock, and CPU time in nanoseconds a particle and step: of the whole program for
Hashfall but for its few files, of the steps but the first for the others, which prepare themselves
in it. Peak memory is the process's; that of the others holds Python. The largest compression is
that at the end.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

import scenes

HERE = pathlib.Path(__file__).resolve().parent
SIM = HERE.parents[1] / "target/release/sim"


def run_hashfall(case, folder, threads):
    scene = folder / f"{case.name}.ron"
    scene.write_text(case.ron())
    out = folder / f"{case.name}.out"
    timed = ["/usr/bin/time", "-f", "%e %U %S %M"]
    command = [*timed, SIM, scene, "--quiet", "--overwrite", "--out", out]
    done = subprocess.run([*command, "--threads", str(threads)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{case.name}: {done.stderr}")
    run = json.loads((out / "run.json").read_text())
    log = [line.split(",") for line in (out / "log.csv").read_text().splitlines()]
    last = dict(zip(log[0], log[-1]))
    wall, user, system, kilobytes = (float(number) for number in done.stderr.split()[-4:])
    seconds = wall - run["stage_ms"]["output"] / 1000
    steps = run["progress"]["steps"]
    return {
        "program": "Hashfall",
        "particles": run["scene"]["particles"],
        "steps": steps,
        "ms": 1000 * seconds / steps,
        "cpu ns": 1e9 * (user + system) / steps / run["scene"]["particles"],
        "time": run["progress"]["time"],
        "per second": seconds / run["progress"]["time"],
        "MB": kilobytes / 1024,
        "compression": float(last["density_error_max"]),
        "kinetic": float(last["kinetic_energy"]) / float(last["mass"]),
    }


def run_splishsplash(case, folder, threads, boundary):
    scene = folder / f"{case.name}.json"
    scene.write_text(json.dumps(case.json(folder, boundary)))
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    dispatch = "/lib/x86_64-linux-gnu/libGLdispatch.so.0"
    if os.path.exists(dispatch):
        # The wheel's own OpenGL libraries crash beside the system's on Debian.
        environment["LD_PRELOAD"] = dispatch
    child = [sys.executable, HERE / "splishsplash.py", scene, str(case.seconds)]
    done = subprocess.run(child, capture_output=True, text=True, env=environment, cwd=folder)
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    if not lines:
        sys.exit(f"{case.name}: SPlisHSPlasH ended with {done.returncode}\n{done.stderr[-2000:]}")
    found = json.loads(lines[-1].removeprefix("RESULT "))
    return {"program": f"SPlisHSPlasH, boundary {boundary}", **found}


def run_lammps(case, folder, ours):
    """The case in LAMMPS, with the steps that Hashfall took."""
    setup = folder / f"{case.name}.json"
    steps = ours["steps"]
    setup.write_text(json.dumps(case.lammps(ours["time"] / steps, steps)))
    # Its library asks for MPI's, which comes as a package beside it.
    beside = pathlib.Path(sys.prefix) / "lib"
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "LD_LIBRARY_PATH": str(beside)}
    child = [sys.executable, HERE / "lammps_run.py", setup]
    done = subprocess.run(child, capture_output=True, text=True, env=environment)
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    if not lines:
        sys.exit(f"{case.name}: LAMMPS ended with {done.returncode}\n{done.stderr[-2000:]}")
    return {"program": "LAMMPS", **json.loads(lines[-1].removeprefix("RESULT "))}


def table(rows):
    columns = ["particles", "steps", "ms", "cpu ns", "per second", "MB", "kinetic", "compression"]
    print("| case | program | particles | steps | ms per step | CPU ns a particle and step "
          "| wall s per simulated s | peak MB | kinetic energy, J/kg | largest compression | runs |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for (case, program), runs in rows.items():
        found = [statistics.median(run[column] for run in runs) for column in columns]
        cells = [f"{value:.4g}" if value < 1e4 else f"{value:.0f}" for value in found]
        print("|", " | ".join([case, program, *cells, str(len(runs))]), "|")


def run_both(case, options, turn):
    """Both programs, one after the other; who comes first takes turns, but for LAMMPS, which takes
    the steps that Hashfall took."""
    if case.density:
        ours = run_hashfall(case, options.folder, 1)
        return ours, run_lammps(case, options.folder, ours)
    programs = [
        lambda: run_hashfall(case, options.folder, options.threads),
        lambda: run_splishsplash(case, options.folder, options.threads, options.boundary),
    ]
    return [program() for program in (programs if turn % 2 == 0 else programs[::-1])]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="+", choices=sorted(scenes.CASES))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--boundary", type=int, choices=[0, 2], default=0)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/tmp/simulators"))
    options = parser.parse_args()
    if not SIM.exists():
        parser.error(f"{SIM} is missing: cargo build --release")
    if options.boundary == 2 and any(scenes.CASES[name].spheres for name in options.cases):
        parser.error("a volume map of 20³ nodes does not see 2000 spheres")
    # SPlisHSPlasH runs with this as its working directory, from where a relative path is another.
    options.folder = options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    rows = {}
    for name in options.cases:
        case = scenes.CASES[name]
        for turn in range(options.rounds):
            for run in run_both(case, options, turn):
                run.pop("time", None)
                rows.setdefault((name, run.pop("program")), []).append(run)
                print(name, run, file=sys.stderr)
    table(rows)


if __name__ == "__main__":
    main()
