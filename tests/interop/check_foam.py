"""Opens the foam of a run as VTK, trimesh and Blender do: `check_foam.py RUN_DIR`.

The frames are as many as the run's, at its times; the counts are those of the record; all particles
are inside the domain by their radius; both formats say the same; in Blender each particle stands
where the file has it, with the material of its type.
"""

import json
import pathlib
import runpy
import sys
import xml.etree.ElementTree

import bpy
import numpy
import pyvista
import trimesh

from run_folder import RunFolder, columns, require

TYPES = ["spray", "foam", "bubbles"]


def series_of(run):
    """Files and times of `foam.pvd`."""
    sets = xml.etree.ElementTree.parse(run.path / "foam.pvd").getroot().iter("DataSet")
    return [(float(one.get("timestep")), one.get("file")) for one in sets]


def check_files(run, record):
    """All frames."""
    rate, frames = run.manifest["scene"]["frame_rate"], run.manifest["progress"]["frames_written"]
    series = series_of(run)
    require([time for time, _ in series] == [frame / rate for frame in range(frames)], "times")
    low, high = (numpy.array(run.manifest["scene"]["domain_" + key]) for key in ("min", "max"))
    emitted = 0
    for (_, name), row in zip(series, record["frames"]):
        data = pyvista.read(run.path / name)
        kinds, radii = data.point_data["type"], data.point_data["radius"]
        counts = [int((kinds == kind).sum()) for kind in range(3)]
        require(counts == [row[kind] for kind in TYPES], f"{name}: {counts} of each type")
        gaps = numpy.minimum(data.points - low, high - data.points).min(axis=1, initial=numpy.inf)
        require((gaps > 0.99 * radii).all(), f"{name}: some are outside")
        require(row["next_id"] >= emitted, f"{name}: fewer emitted than before")
        emitted = row["next_id"]
        if data.n_points:
            check_points(run.path / name, data)
    require(emitted > 0, "no foam at all")


def check_points(path, data):
    """The PLY of a frame has what its `.vtp` has."""
    cloud = trimesh.load(path.with_suffix(".ply"), process=False)
    vertices = cloud.metadata["_ply_raw"]["vertex"]["data"]
    for names, values in ((("x", "y", "z"), data.points),
                          (("vx", "vy", "vz"), data.point_data["velocity"]),
                          (("radius",), data.point_data["radius"][:, None]),
                          (("age",), data.point_data["age"][:, None]),
                          (("type",), data.point_data["type"][:, None]),
                          (("id",), data.point_data["id"][:, None])):
        require((columns(vertices, names) == values).all(), f"{path}: the .ply has other {names}")


def values_of(cloud, name, parts):
    """The values of an attribute of points."""
    require(name in cloud.attributes, f"no attribute {name} in {list(cloud.attributes.keys())}")
    data = cloud.attributes[name].data
    values = numpy.empty(len(data) * parts, dtype=numpy.float32)
    data.foreach_get("vector" if parts == 3 else "value", values)
    return values.reshape(-1, parts)


def check_blender(run, record):
    """The run's own script shows the last frame: an object with a material for each type."""
    sys.argv = ["blender", "--"]
    runpy.run_path(str(run.path / "blender.py"), run_name="__main__")
    scene = bpy.data.scenes[run.manifest["scene"]["name"]]
    frame = record["frames"][-1]["frame"]
    data = pyvista.read(run.path / "foam" / f"foam_{frame:05}.vtp")
    scene.frame_set(frame)
    for kind, name in enumerate(["Foam spray", "Foam", "Foam bubbles"]):
        shown = scene.objects[name].evaluated_get(bpy.context.evaluated_depsgraph_get())
        own = data.point_data["type"] == kind
        if not own.any():
            continue
        # The cloud lives as long as the geometry.
        geometry = shown.evaluated_geometry()
        cloud = geometry.pointcloud
        require(len(cloud.points) == own.sum(), f"{name}: {len(cloud.points)} points in Blender")
        for key, values in (("position", data.points), ("radius", data.point_data["radius"]),
                            ("velocity", data.point_data["velocity"])):
            expected = values[own].reshape(own.sum(), -1)
            found = values_of(cloud, key, expected.shape[1])
            require((found == expected).all(), f"{name}: Blender has another {key}")
        require([one.name for one in cloud.materials] == [name], f"{name}: its material")


def main():
    run = RunFolder(pathlib.Path(sys.argv[1]))
    record = json.loads((run.path / "foam/foam.json").read_text())
    check_files(run, record)
    check_blender(run, record)
    last = record["frames"][-1]
    print(f"foam: {len(record['frames'])} frames, {last['next_id']} emitted, at the end "
          + ", ".join(f"{last[kind]} {kind}" for kind in TYPES))


main()
