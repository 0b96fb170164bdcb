"""Hashfall and SPlisHSPlasH on the same scenes, in turn: `compare.py CASE... [--rounds 3]`.

Cases: dam-25k dam-100k dam-250k (divergence-free), wcsph-25k wcsph-100k, spheres-32 spheres-64 (2000
static spheres, spacing 1/32 and 1/64 m). SPlisHSPlasH's boundary is particles (its method 0) unless
`--boundary 2` asks for volume maps. A table in Markdown goes to stdout.

Source: the scenes are those that SPlisHSPlasH 2.19 was first measured on for this project; the
spheres are placed by `spheres.py`. Both programs get the same particles, support radius 2 d, cubic
spline, viscosity 0.01 m²/s, mean density error 0.05 %, divergence error 0.1 %, Courant number 0.4,
and write no frames. Times are wall clock, of the whole program for Hashfall but for its few files,
and from the first step's end on for SPlisHSPlasH, as the first prepares its boundary. Peak memory
is the process's; SPlisHSPlasH's holds Python. The largest compression is that at the end.
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
    command = ["/usr/bin/time", "-f", "%e %M", SIM, scene, "--quiet", "--overwrite", "--out", out]
    done = subprocess.run([*command, "--threads", str(threads)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{case.name}: {done.stderr}")
    run = json.loads((out / "run.json").read_text())
    log = [line.split(",") for line in (out / "log.csv").read_text().splitlines()]
    last = dict(zip(log[0], log[-1]))
    wall, kilobytes = (float(number) for number in done.stderr.split()[-2:])
    seconds = wall - run["stage_ms"]["output"] / 1000
    steps = run["progress"]["steps"]
    return {
        "program": "Hashfall",
        "particles": run["scene"]["particles"],
        "steps": steps,
        "ms": 1000 * seconds / steps,
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


def table(rows):
    columns = ["particles", "steps", "ms", "per second", "MB", "kinetic", "compression"]
    print("| case | program | particles | steps | ms per step | wall s per simulated s | peak MB "
          "| kinetic energy, J/kg | largest compression | runs |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for (case, program), runs in rows.items():
        found = [statistics.median(run[column] for run in runs) for column in columns]
        cells = [f"{value:.4g}" if value < 1e4 else f"{value:.0f}" for value in found]
        print("|", " | ".join([case, program, *cells, str(len(runs))]), "|")


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
    options.folder.mkdir(parents=True, exist_ok=True)
    rows = {}
    for name in options.cases:
        case = scenes.CASES[name]
        programs = [
            lambda: run_hashfall(case, options.folder, options.threads),
            lambda: run_splishsplash(case, options.folder, options.threads, options.boundary),
        ]
        for _ in range(options.rounds):
            both = [program() for program in programs]
            programs.reverse()
            for run in both:
                rows.setdefault((name, run.pop("program")), []).append(run)
                print(name, run, file=sys.stderr)
    table(rows)


if __name__ == "__main__":
    main()
