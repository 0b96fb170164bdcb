"""Runs a sweep, and plots how far a dam break spreads in time.

    python examples/python/sweep.py --sim target/release/sim

needs pandas, pyarrow and matplotlib. The sweep goes on where it was stopped, so that calling this
again costs nothing but the plot.
"""

import argparse
import subprocess
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd

VISCOSITY = "fluids[0].viscosity"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sim", default="sim", help="the simulator's program")
    parser.add_argument("--sweep", default="sweeps/dam_break_viscosity.ron", help="the sweep's file")
    parser.add_argument("--out", type=Path, default=Path("out/dam_break_viscosity"))
    return parser.parse_args()


def main() -> None:
    args = arguments()
    # Exit code 1: some points failed; the others are worth a plot.
    command = [args.sim, "sweep", args.sweep, "--out", str(args.out)]
    if subprocess.run(command, check=False).returncode not in (0, 1):
        raise SystemExit("the sweep was refused, or stopped")

    results = pd.read_csv(args.out / "results.csv")
    print(results[["point", VISCOSITY, "particle_radius", "status", "front_max", "wall_time"]])

    _, axes = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
    finished = results[results["status"] == "finished"]
    for viscosity, points in finished.groupby(VISCOSITY):
        label = f"ν = {viscosity:g} m²/s"
        finest = points.sort_values("particle_radius").iloc[0]
        probes = pd.read_csv(args.out / "points" / f"{finest['point']:04}" / "probes.csv")
        axes[0].plot(probes["time"], probes["front"], label=label)
        points = points.sort_values("particle_radius")
        axes[1].plot(points["particle_radius"], points["front_mean"], "o-", label=label)
    axes[0].set(xlabel="time [s]", ylabel="front [m]", title="with the smallest particles")
    axes[1].set(xlabel="particle radius [m]", ylabel="mean front [m]", title="with all")
    axes[0].legend()
    picture = args.out / "front.png"
    plt.savefig(picture, dpi=150)
    print(picture)


if __name__ == "__main__":
    main()
