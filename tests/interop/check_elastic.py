"""Opens the elastic bodies of a run as VTK, trimesh and Blender do: `check_elastic.py RUN_DIR`.

The same vertices and triangles in each frame, finite velocities and stresses, the same in each
format; in Blender each body stands at each frame where the file has it, with its velocity.
"""

import json
import pathlib
import runpy
import sys
import tempfile

import bpy
import numpy
import pyvista
import trimesh

from run_folder import RunFolder, columns, require


def plys(run, name):
    """The files of a body, by frame."""
    return sorted(run.path.glob(f"elastic/elastic_{name}_[0-9]*.ply"))


def vertices_of(path):
    """A mesh as trimesh reads it, and the columns of its vertices."""
    mesh = trimesh.load(path, process=False)
    return mesh, mesh.metadata["_ply_raw"]["vertex"]["data"]


def check_files(run, name):
    """All frames of a body, at their times."""
    series = json.loads((run.path / f"elastic_{name}.ply.series").read_text())["files"]
    rate, frames = run.manifest["scene"]["frame_rate"], run.manifest["progress"]["frames_written"]
    times = [frame / rate for frame in range(frames)]
    require([file["time"] for file in series] == times, f"{name}: times")
    first, _ = vertices_of(plys(run, name)[0])
    for path in plys(run, name):
        mesh, vertices = vertices_of(path)
        require((mesh.faces == first.faces).all(), f"{path}: other triangles")
        for names in (("x", "y", "z"), ("nx", "ny", "nz"), ("vx", "vy", "vz"), ("stress",)):
            require(numpy.isfinite(columns(vertices, names)).all(), f"{path}: {names}")
        data = pyvista.read(path.with_suffix(".vtp"))
        for names, values in ((("x", "y", "z"), data.points),
                              (("vx", "vy", "vz"), data.point_data["velocity"]),
                              (("stress",), data.point_data["stress"][:, None])):
            require((columns(vertices, names) == values).all(), f"{path}: the .vtp has other {names}")
        require((mesh.faces == data.regular_faces).all(), f"{path}: the .vtp has other triangles")
    require(abs(columns(vertices, ("vx", "vy", "vz"))).max() > 0.0, f"{name}: nothing moves")
    require(abs(vertices["stress"]).max() > 0.0, f"{name}: without stress")


def check_blender(run, names):
    """The run's own script shows each body, frame by frame."""
    script = run.path / "blender.py"
    sys.argv = ["blender", "--"]
    runpy.run_path(str(script), run_name="__main__")
    scene = bpy.data.scenes[run.manifest["scene"]["name"]]
    for name in names:
        for frame, path in list(enumerate(plys(run, name)))[::2]:
            scene.frame_set(frame)
            shown = scene.objects[name].evaluated_get(bpy.context.evaluated_depsgraph_get())
            mesh, (_, vertices) = shown.to_mesh(), vertices_of(path)
            for attribute, parts in (("position", ("x", "y", "z")), ("velocity", ("vx", "vy", "vz"))):
                values = numpy.empty(3 * len(mesh.vertices), dtype=numpy.float32)
                mesh.attributes[attribute].data.foreach_get("vector", values)
                same = (values.reshape(-1, 3) == columns(vertices, parts)).all()
                require(same, f"Blender: {attribute} of {name} in frame {frame}")
            require(shown.material_slots or mesh.materials, f"Blender: {name} has no material")
            shown.to_mesh_clear()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "frame.png"
        sys.argv = ["blender", "--", "--render", "2", str(path), "--size", "96", "72", "--samples", "4"]
        runpy.run_path(str(script), run_name="__main__")
        picture = bpy.data.images.load(str(path))
        require(numpy.std(picture.pixels[:]) > 0.02, "Blender: the picture is blank")


run = RunFolder(sys.argv[1])
names = sorted({path.stem.split("_", 1)[1].rpartition("_")[0] for path in run.path.glob("elastic/*.ply")})
require(names, f"no elastic bodies in {run.path}")
for name in names:
    check_files(run, name)
check_blender(run, names)
print(f"{run.path}: {', '.join(names)} open in VTK, trimesh and Blender")
