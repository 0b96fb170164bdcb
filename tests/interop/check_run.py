"""Opens a run as ParaView's readers and trimesh do: `check_run.py RUN_DIR`.

Times, arrays and types of every frame; particles that show; surfaces that are closed, hold the
fluid's volume, and are the same in each format that the run wrote; the last checkpoint by its
documentation.
"""

import argparse
import collections
import hashlib
import json

import numpy
import pandas
import pyvista
import safetensors
import trimesh
import vtk

from run_folder import RunFolder, columns, require, require_closed

PARTICLE_ARRAYS = {
    "velocity": (vtk.VTK_FLOAT, 3),
    "density": (vtk.VTK_FLOAT, 1),
    "pressure": (vtk.VTK_FLOAT, 1),
    "id": (vtk.VTK_UNSIGNED_INT, 1),
    "phase": (vtk.VTK_UNSIGNED_CHAR, 1),
    "age": (vtk.VTK_FLOAT, 1),
    "radius": (vtk.VTK_FLOAT, 1),
}
SURFACE_ARRAYS = {
    "velocity": (vtk.VTK_FLOAT, 3),
    "Normals": (vtk.VTK_FLOAT, 3),
    "phase": (vtk.VTK_UNSIGNED_INT, 1),
    "age": (vtk.VTK_FLOAT, 1),
}
# Columns of a PLY, and the arrays of VTK's formats that hold the same; of places, none.
SURFACE_COLUMNS = (
    (("x", "y", "z"), None),
    (("nx", "ny", "nz"), "Normals"),
    (("vx", "vy", "vz"), "velocity"),
    (("phase",), "phase"),
    (("age",), "age"),
)
PARTICLE_COLUMNS = (
    (("x", "y", "z"), None),
    (("vx", "vy", "vz"), "velocity"),
    (("id",), "id"),
    (("phase",), "phase"),
    (("radius",), "radius"),
)
# Of the volume over all frames; what leaks or swells is off in every one.
MEAN_VOLUME_TOLERANCE = 0.03


def check_times(run, series):
    """One step per frame, at the frame's time in the series and in the file."""
    reader = pyvista.PVDReader(run.path / series)
    scene, progress = run.manifest["scene"], run.manifest["progress"]
    expected = [frame / scene["frame_rate"] for frame in range(progress["frames_written"])]
    require(list(reader.time_values) == expected, f"{series}: times {reader.time_values}")
    require([float(row["time"]) for row in run.log] == expected, "log.csv: times")
    return reader


def steps(reader):
    """Number, name and content of each step of a series."""
    for number, time in enumerate(reader.time_values):
        reader.set_active_time_value(time)
        data = reader.read()[0]
        require(data.field_data["TimeValue"][0] == time, f"TimeValue of frame {number}")
        yield number, data


def check_arrays(data, expected, name):
    """The arrays that we promise, of the types that we promise, one tuple per point, finite."""
    for array_name, (kind, components) in expected.items():
        array = data.GetPointData().GetArray(array_name)
        require(array is not None, f"{name}: no {array_name}")
        found = (array.GetDataType(), array.GetNumberOfComponents(), array.GetNumberOfTuples())
        require(found == (kind, components, data.n_points), f"{name}: {array_name} is {found}")
        require(numpy.isfinite(data.point_data[array_name]).all(), f"{name}: {array_name}: NaN")
    require(numpy.isfinite(data.points).all(), f"{name}: positions: NaN")


def check_particles(run):
    """Every particle in every frame, in order of id, in one cell."""
    for number, data in steps(check_times(run, "particles.pvd")):
        name = f"particles of frame {number}"
        check_arrays(data, PARTICLE_ARRAYS, name)
        # A run with emitters or sinks tells how many there are.
        count = int(run.log[number].get("particles", run.manifest["scene"]["particles"]))
        require(data.n_points == count, f"{name}: {data.n_points} of {count}")
        ids = data.point_data["id"].astype(numpy.int64)
        require((numpy.diff(ids) > 0).all(), f"{name}: order of id")
        is_whole = "particles" in run.log[number] or (ids == numpy.arange(count)).all()
        require(is_whole, f"{name}: an id is missing")
        require(data.n_verts == 1 and data.n_cells == 1, f"{name}: no poly-vertex cell")
    require(drawn_pixels(data) > 0, "particles do not show as `Surface` in ParaView")


def drawn_pixels(data):
    """How many pixels change when data is drawn by its cells, as ParaView does at first."""
    plotter = pyvista.Plotter(off_screen=True, window_size=(200, 200))
    plotter.background_color = "white"
    actor = plotter.add_mesh(data, color="black", style="surface", point_size=3)
    plotter.view_isometric()
    image = plotter.screenshot(return_img=True)
    actor.visibility = False
    plotter.render()
    return int((image != plotter.screenshot(return_img=True)).any(axis=2).sum())


def check_surfaces(run, tolerance):
    """Every surface is closed, holds the fluid's volume, and is the same mesh in all formats."""
    fluid_volume = run.manifest["scene"]["fluid_volume"]
    volumes, counts = collections.Counter(), collections.Counter()
    surfaces = run.surfaces()
    require(surfaces, "no surfaces")
    for surface in surfaces:
        check_json_series(run, f"{surface}.ply.series")
        for number in run.frames():
            name = f"{surface} of frame {number}"
            ply, vertices = run.ply(number, surface)
            require_closed(ply.faces, name)
            counts[number] += len(ply.faces)
            lengths = numpy.linalg.norm(columns(vertices, ("nx", "ny", "nz")), axis=1)
            require((abs(lengths - 1) < 1e-3).all(), f"{name}: normals are not unit vectors")
            require(ply.is_watertight and ply.is_winding_consistent, f"{name}: trimesh: not closed")
            volumes[number] += ply.volume
        for data, number, kind in others(run, surface):
            name = f"{surface} of frame {number}"
            check_arrays(data, SURFACE_ARRAYS, name)
            ply, vertices = run.ply(number, surface)
            require((ply.faces == data.regular_faces).all(), f"{name}: other triangles in {kind}")
            check_same(vertices, data, SURFACE_COLUMNS, f"{name}: {kind}")
    for number, count in counts.items():
        require(int(run.log[number]["surface_triangles"]) == count, f"log.csv: frame {number}")
    errors = [volume / fluid_volume - 1 for volume in volumes.values()]
    worst, mean = max(errors, key=abs), sum(errors) / len(errors)
    require(abs(worst) <= tolerance, f"volume of a surface is off by {worst:+.1%}")
    require(abs(mean) <= MEAN_VOLUME_TOLERANCE, f"mean volume is off by {mean:+.1%}")
    return worst


def others(run, surface):
    """A surface in each frame as VTK reads it, by a series or file by file, with its format."""
    if (run.path / f"{surface}.pvd").exists():
        for number, data in steps(check_times(run, f"{surface}.pvd")):
            yield data, number, "vtp"
    for path in sorted(run.path.glob(f"surface/{surface}_[0-9]*.vtk")):
        yield pyvista.read(path), int(path.stem.rpartition("_")[2]), "vtk"


def check_same(vertices, data, pairs, name):
    """The columns of a PLY are the arrays of VTK's data."""
    for names, array in pairs:
        values = data.points if array is None else data.point_data[array]
        same = columns(vertices, names) == values.reshape(len(vertices), -1)
        require(same.all(), f"{name} differs from PLY in {names}")


def check_json_series(run, series):
    """A file for each frame that is there, at its time."""
    rate = run.manifest["scene"]["frame_rate"]
    files = json.loads((run.path / series).read_text())["files"]
    expected = [frame / rate for frame in range(run.manifest["progress"]["frames_written"])]
    require([file["time"] for file in files] == expected, f"{series}: times")
    require(all((run.path / file["name"]).is_file() for file in files), f"{series}: a file is missing")


def check_other_particles(run):
    """Particles in other formats than `.vtp` are the same, at the same times."""
    for kind in ("ply", "vtk"):
        paths = sorted(run.path.glob(f"particles/*.{kind}"))
        if paths:
            check_json_series(run, f"particles.{kind}.series")
        for path in paths:
            expected = pyvista.read(path.with_suffix(".vtp"))
            if kind == "ply":
                vertices = trimesh.load(path, process=False).metadata["_ply_raw"]["vertex"]["data"]
                check_same(vertices, expected, PARTICLE_COLUMNS, str(path))
                continue
            data = pyvista.read(path)
            require(data.n_verts == 1, f"{path}: no poly-vertex cell")
            require((data.points == expected.points).all(), f"{path}: positions")
            require(data.field_data["TIME"][0] == expected.field_data["TimeValue"][0], f"{path}: time")
            for array in PARTICLE_ARRAYS:
                same = (data.point_data[array] == expected.point_data[array]).all()
                require(same, f"{path}: {array}")


def check_checkpoint(run):
    """The last checkpoint is what the documentation says of it, and holds the last frame."""
    path = sorted(run.path.glob("checkpoints/*.safetensors"))[-1]
    raw = path.read_bytes()
    require(hashlib.sha256(raw[:-32]).digest() == raw[-32:], f"{path.name}: its checksum")
    with safetensors.safe_open(path, "numpy") as file:
        head = json.loads(file.metadata()["hashfall"])
        arrays = {name: file.get_tensor(name) for name in file.keys()}
    require(head["frame"] == run.manifest["progress"]["frames_written"] - 1, "checkpoint: frame")
    log = arrays["log"].tobytes()
    require(log == (run.path / "log.csv").read_bytes(), "checkpoint: log.csv")
    reader = pyvista.PVDReader(run.path / "particles.pvd")
    reader.set_active_time_value(reader.time_values[-1])
    last, order = reader.read()[0], numpy.argsort(arrays["id"])
    for name, values in (("position", last.points), ("velocity", last.point_data["velocity"])):
        require((arrays[name][order] == values).all(), f"checkpoint: {name} of the last frame")


def check_obstacles(run):
    """What the fluid hits is there, closed."""
    blocks = [pyvista.read(path) for path in sorted(run.path.glob("solids/body_*.vtp"))]
    if (run.path / "solids.pvd").exists():
        blocks += pyvista.PVDReader(run.path / "solids.pvd").read()
    for block in blocks:
        # Sharp edges of what is smooth elsewhere have two normals, and so two vertices.
        _, places = numpy.unique(block.points, axis=0, return_inverse=True)
        require_closed(places.reshape(-1)[block.regular_faces], "an obstacle")


def check_bodies(run):
    """Bodies have poses at each frame's time, as the table has them."""
    if not (run.path / "bodies.csv").exists():
        return
    table = pandas.read_csv(run.path / "bodies.csv", float_precision="round_trip")
    reader = pyvista.PVDReader(run.path / "bodies.pvd")
    require(list(reader.time_values) == sorted(set(table.time)), "bodies.pvd: times")
    for frame, time in enumerate(reader.time_values):
        reader.set_active_time_value(time)
        poses, rows = reader.read()[0], table[table.frame == frame]
        quaternions = rows[["qw", "qx", "qy", "qz"]].to_numpy()
        require((poses.points == rows[["x", "y", "z"]].to_numpy()).all(), "bodies: places")
        require((poses.point_data["orientation"] == quaternions).all(), "bodies: orientation")
        require(abs((quaternions**2).sum(axis=1) - 1.0).max() < 1e-14, "bodies: a rotation")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run")
    parser.add_argument(
        "--volume-tolerance", type=float, default=0.05, help="of any one frame [default: 0.05]"
    )
    options = parser.parse_args()
    run = RunFolder(options.run)
    require(run.manifest["status"] == "finished", "the run is not finished")
    check_particles(run)
    check_other_particles(run)
    worst = check_surfaces(run, options.volume_tolerance)
    check_obstacles(run)
    check_bodies(run)
    check_checkpoint(run)
    frames = run.manifest["progress"]["frames_written"]
    print(f"{options.run}: {frames} frames open in VTK and trimesh; volume {worst:+.2%} at worst")


main()
