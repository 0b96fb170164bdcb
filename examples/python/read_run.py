"""Reads a run of Hashfall: numbers of each frame, and one picture of the surface.

    sim scenes/dam_break.ron
    python examples/python/read_run.py out/dam_break --picture dam_break.png

Needs `pip install pyvista pandas`. docs/output.md tells what each file holds.
"""

import argparse
from pathlib import Path

import pandas
import pyvista


def frames(series):
    """The time [s] and the mesh of each frame of a `.pvd`, read one at a time."""
    reader = pyvista.PVDReader(series)
    for time in reader.time_values:
        reader.set_active_time_value(time)
        yield time, reader.read()[0]


def table(run):
    """Time, particles, their mean height and the kinetic energy of each frame."""
    rows = [
        {"time_s": time, "particles": fluid.n_points, "mean_height_m": fluid.points[:, 2].mean()}
        for time, fluid in frames(run / "particles.pvd")
    ]
    log = pandas.read_csv(run / "log.csv", index_col="frame")
    return pandas.DataFrame(rows).assign(kinetic_energy_J=log["kinetic_energy"])


def render(run, frame, picture):
    """Draws the surface of a frame, coloured by its speed, without a window.

    VTK's reader of PLY leaves the velocity out, so it is that of the particles near by.
    """
    reader = pyvista.PVDReader(run / "particles.pvd")
    time = reader.time_values[frame]
    reader.set_active_time_point(frame)
    fluid = reader.read()[0]
    surface = pyvista.read(run / "surface" / f"surface_{frame:05}.ply")
    surface = surface.interpolate(fluid, radius=4.0 * fluid["radius"][0])
    surface["speed [m/s]"] = (surface["velocity"] ** 2).sum(axis=1) ** 0.5
    plotter = pyvista.Plotter(off_screen=True, window_size=(1280, 720))
    plotter.add_mesh(surface, scalars="speed [m/s]", cmap="viridis", smooth_shading=True)
    plotter.add_text(f"t = {time:.2f} s", position=(0.03, 0.92), viewport=True)
    plotter.view_vector((0.4, -1.0, 0.4), viewup=(0.0, 0.0, 1.0))
    plotter.screenshot(picture)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path, help="folder of the run")
    parser.add_argument("--frame", type=int, help="frame of the picture [default: the liveliest]")
    parser.add_argument("--picture", default="frame.png", help="file of the picture")
    args = parser.parse_args()

    numbers = table(args.run)
    print(numbers.to_string(float_format="{:.4f}".format))
    liveliest = int(numbers["kinetic_energy_J"].idxmax())
    render(args.run, liveliest if args.frame is None else args.frame, args.picture)
    print(f"drawn: {args.picture}")


if __name__ == "__main__":
    main()
