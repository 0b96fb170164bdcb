"""Opens a run in Blender by its own script: `check_blender.py RUN_DIR`.

Steps through frames and compares what arrives in the scene with the files on disk; renders one.
"""

import csv
import pathlib
import re
import runpy
import sys
import tempfile

import bpy
import numpy
import trimesh

from run_folder import RunFolder, columns, require, require_closed


def run_script(path, *arguments):
    """Runs a script as `blender --python path -- arguments` does."""
    sys.argv = ["blender", "--", *arguments]
    runpy.run_path(str(path), run_name="__main__")


def attribute(mesh, name, components):
    """The values of a point attribute."""
    require(name in mesh.attributes, f"no attribute {name} in {list(mesh.attributes.keys())}")
    data = mesh.attributes[name].data
    values = numpy.empty(len(data) * components, dtype=numpy.float32)
    data.foreach_get("vector" if components == 3 else "value", values)
    return values.reshape(-1, components)


def check_frame(run, scene, blender_frame, frame):
    """The fluid at a frame of Blender is the mesh of a frame of the run."""
    scene.frame_set(blender_frame)
    fluid = scene.objects["Fluid"].evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = fluid.to_mesh()
    ply, vertices = run.ply(frame)
    name = f"frame {blender_frame}"
    require(len(mesh.vertices) == len(vertices), f"{name}: {len(mesh.vertices)} vertices")
    triangles = numpy.empty(3 * len(mesh.polygons), dtype=numpy.int32)
    mesh.polygons.foreach_get("vertices", triangles)
    triangles = triangles.reshape(-1, 3)
    require((triangles == ply.faces).all(), f"{name}: other triangles than the file's")
    require_closed(triangles, name)
    positions = attribute(mesh, "position", 3)
    require((positions == columns(vertices, ("x", "y", "z"))).all(), f"{name}: positions")
    velocities = attribute(mesh, "velocity", 3)
    require((velocities == columns(vertices, ("vx", "vy", "vz"))).all(), f"{name}: velocity")
    normals = numpy.empty(9 * len(mesh.polygons), dtype=numpy.float32)
    mesh.corner_normals.foreach_get("vector", normals)
    expected = columns(vertices, ("nx", "ny", "nz"))[triangles.ravel()]
    # Blender keeps normals as two 16-bit angles.
    require(abs(normals.reshape(-1, 3) - expected).max() < 0.02, f"{name}: normals")
    require(fluid.material_slots or mesh.materials, f"{name}: no material")
    fluid.to_mesh_clear()


def point_cloud(item):
    """The points that an object becomes, and what they live as long as."""
    graph = bpy.context.evaluated_depsgraph_get()
    shown = item.evaluated_get(graph)
    if hasattr(shown, "evaluated_geometry"):
        geometry = shown.evaluated_geometry()
        return geometry.pointcloud, geometry
    # Before Blender 4.5 they are an instance.
    own = (it.object for it in graph.object_instances if it.parent and it.parent.original == item)
    return next(made.data for made in own if made.type == "POINTCLOUD"), graph


def check_points(run, scene, frame):
    """The particles at a frame are points of the run's radius, with velocities."""
    scene.frame_set(frame)
    item = scene.objects["Particles"]
    item.hide_viewport = False
    bpy.context.view_layer.update()
    cloud, _geometry = point_cloud(item)
    path = run.path / "particles" / f"particles_{frame:05}.ply"
    vertices = trimesh.load(path, process=False).metadata["_ply_raw"]["vertex"]["data"]
    require(len(cloud.points) == len(vertices), f"{len(cloud.points)} points")
    for name, names in (("position", ("x", "y", "z")), ("velocity", ("vx", "vy", "vz"))):
        same = (attribute(cloud, name, 3) == columns(vertices, names)).all()
        require(same, f"particles: {name}")
    require((attribute(cloud, "radius", 1) == vertices["radius"][:, None]).all(), "radius")
    item.hide_viewport = True


def moving_body(path):
    """The name of the solid that moves of which a file is a frame; None of one that stands."""
    match = re.fullmatch(r"(spheres|mesh_\d{2,})_\d{5,}", path.stem)
    return match and match[1]


def check_moving(run, scene, blender_frame, frame):
    """Solids that move stand at a frame of Blender where they do at a frame of the run."""
    scene.frame_set(blender_frame)
    for path in run.path.glob(f"solids/*_{frame:05}.ply"):
        body = moving_body(path)
        shown = scene.objects[body].evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = shown.to_mesh()
        places = numpy.array([vertex.co[:] for vertex in mesh.vertices])
        expected = trimesh.load(path, process=False).vertices
        name = f"{body} in frame {blender_frame}"
        require(places.shape == expected.shape, f"{name}: {places.shape[0]} vertices")
        require(abs(places - expected).max() < 1e-5, f"{name}: it stands elsewhere")
        shown.to_mesh_clear()


def check_bodies(run, scene, frame):
    """Bodies that the fluid moves stand at a frame where the table has them."""
    scene.frame_set(frame)
    table = run.path / "bodies.csv"
    rows = csv.DictReader(table.open(newline="")) if table.exists() else []
    for row in (row for row in rows if int(row["frame"]) == frame):
        stem = f"body_{int(row['body']):02}"
        name = row["name"] or stem
        shown = scene.objects[name].evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = shown.to_mesh()
        places = numpy.array([(shown.matrix_world @ vertex.co)[:] for vertex in mesh.vertices])
        rest = trimesh.load(run.path / "solids" / f"{stem}.ply", process=False).vertices
        w, *axis = (float(row[key]) for key in ("qw", "qx", "qy", "qz"))
        # v + 2 w a × v + 2 a × (a × v)
        turned = rest + 2.0 * numpy.cross(axis, w * rest + numpy.cross(axis, rest))
        expected = turned + [float(row[key]) for key in ("x", "y", "z")]
        require(places.shape == expected.shape, f"{name}: {places.shape[0]} vertices")
        require(abs(places - expected).max() < 1e-5, f"{name} in frame {frame}: it is elsewhere")
        shown.to_mesh_clear()


def check_picture(script, frame):
    """A small render shows something."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "frame.png"
        size = ("--size", "96", "72", "--samples", "4")
        run_script(script, "--render", str(frame), str(path), *size)
        picture = bpy.data.images.load(str(path))
        require(tuple(picture.size) == (96, 72), f"picture of {tuple(picture.size)} pixels")
        require(numpy.std(picture.pixels[:]) > 0.02, "the picture is blank")


def main():
    run = RunFolder(sys.argv[1])
    frames = run.frames()
    script = run.path / "blender.py"
    run_script(script)
    scene = bpy.data.scenes[run.manifest["scene"]["name"]]
    require((scene.frame_start, scene.frame_end) == (frames[0], frames[-1]), "frame range")
    rate = scene.render.fps / scene.render.fps_base
    require(abs(rate - run.manifest["scene"]["frame_rate"]) < 1e-3 * rate, f"{rate} frames/s")
    solids = len({moving_body(path) or path.stem for path in run.path.glob("solids/*.ply")})
    meshes = [item for item in scene.objects if item.type == "MESH"]
    clouds = {"Particles", "Foam spray", "Foam", "Foam bubbles"} & set(scene.objects.keys())
    # The fluid, the floor and the tank.
    expected = solids + 3 + len(clouds)
    require(len(meshes) == expected, f"{len(meshes)} objects for {solids} solids")
    if bpy.context.window:
        bpy.context.window.scene = scene
    for frame in {frames[0], frames[len(frames) // 2], frames[-1]}:
        check_frame(run, scene, frame, frame)
        check_moving(run, scene, frame, frame)
        check_bodies(run, scene, frame)
    check_frame(run, scene, frames[-1] + 5, frames[-1])
    if "Particles" in clouds:
        check_points(run, scene, frames[-1])
    check_picture(script, frames[-1])
    require(len(bpy.data.scenes) == 2, "a second run of the script makes a second scene")
    print(f"{run.path}: {len(frames)} frames open in Blender {bpy.app.version_string}")


main()
