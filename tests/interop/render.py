"""Pictures of a run with VTK: `render.py RUN_DIR --frames 0 40 80 --out DIR`.

Per frame `surface_NNNNN.png`, the water among its obstacles, and `particles_NNNNN.png`, particles
by speed. The camera sees the whole domain from the front, the right and above.
"""

import argparse
import pathlib

import numpy
import pyvista

from run_folder import RunFolder

WATER = {"color": "#3f9fd8", "specular": 0.7, "specular_power": 40, "smooth_shading": True}
STONE = {"color": "#c98b5a", "specular": 0.1, "smooth_shading": True}
SPEED = {"cmap": "YlGnBu_r", "show_scalar_bar": False, "style": "points_gaussian"}
TOWARDS = numpy.array((-0.55, 1.0, -0.5))


def stage(run, size):
    """A plotter with the domain, the obstacles, light and camera."""
    plotter = pyvista.Plotter(off_screen=True, window_size=size, lighting="none")
    plotter.set_background("#e8edf2", top="#ffffff")
    scene = run.manifest["scene"]
    low, high = numpy.array(scene["domain_min"]), numpy.array(scene["domain_max"])
    centre, diagonal = (low + high) / 2, numpy.linalg.norm(high - low)
    box = pyvista.Box(numpy.stack((low, high), axis=1).ravel())
    plotter.add_mesh(box, style="wireframe", color="#7a8794", line_width=1.5)
    below = (centre[0], centre[1], low[2] - 2e-3 * diagonal)
    width, depth = 1.15 * (high - low)[:2]
    floor = pyvista.Plane(center=below, direction=(0, 0, 1), i_size=width, j_size=depth)
    plotter.add_mesh(floor, color="#aab3bd")
    for name in sorted(run.path.glob("solids/*.vtp")):
        plotter.add_mesh(pyvista.read(name), split_sharp_edges=name.stem != "spheres", **STONE)
    for offset, strength in (((0.8, -1.0, 2.0), 0.8), ((-1.5, -0.6, 0.8), 0.35)):
        light = pyvista.Light(position=centre + diagonal * numpy.array(offset), focal_point=centre)
        light.intensity = strength
        plotter.add_light(light)
    plotter.add_light(pyvista.Light(light_type="headlight", intensity=0.25))
    plotter.camera_position = [centre - TOWARDS * diagonal, centre, (0, 0, 1)]
    plotter.reset_camera(bounds=box.bounds)
    plotter.camera.zoom(1.02)
    plotter.enable_anti_aliasing("ssaa")
    return plotter


def surface_picture(run, frame, size, path):
    """The water, a little transparent, so that obstacles show through."""
    plotter = stage(run, size)
    for surface in run.surfaces():
        mesh = pyvista.read(run.path / "surface" / f"{surface}_{frame:05}.ply")
        plotter.add_mesh(mesh, opacity=0.82, **WATER)
    plotter.enable_depth_peeling(6)
    plotter.screenshot(path)


def particles_picture(run, frame, size, path):
    """Every particle as a ball of its volume, coloured by its speed."""
    plotter = stage(run, size)
    data = pyvista.read(run.path / "particles" / f"particles_{frame:05}.vtp")
    data.point_data["speed"] = numpy.linalg.norm(data.point_data["velocity"], axis=1)
    fastest = max(float(row["max_speed"]) for row in run.log)
    scene = run.manifest["scene"]
    radius = (scene["fluid_volume"] / scene["particles"]) ** (1 / 3) * 0.6
    look = {"clim": (0, fastest), "render_points_as_spheres": True, "emissive": False, **SPEED}
    actor = plotter.add_mesh(data, scalars="speed", **look)
    actor.mapper.scale_factor = radius
    plotter.screenshot(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run")
    parser.add_argument("--frames", type=int, nargs="+", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--size", type=int, nargs=2, default=(1200, 900), metavar=("W", "H"))
    options = parser.parse_args()
    run = RunFolder(options.run)
    options.out.mkdir(parents=True, exist_ok=True)
    for frame in options.frames:
        surface_picture(run, frame, options.size, options.out / f"surface_{frame:05}.png")
        particles_picture(run, frame, options.size, options.out / f"particles_{frame:05}.png")


main()
