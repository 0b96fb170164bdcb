"""Opens this run in Blender 4.2 LTS or newer; no add-on is needed.

    blender --python blender.py
    blender --background --python blender.py -- --render 40 frame.png

or open it in Blender's text editor and run it. Run it again to see frames written since. It adds
a scene of its own and leaves all others alone. Before Blender 4.5, which reads files of frames
itself, this script reads them as frames change: run it again after a saved scene is opened.

Particles are there, too, if the run wrote them as PLY: `sim run SCENE --set
'output.particles=[Vtp, Ply]'`. Beside a surface they are hidden at first.
"""

import argparse
import csv
import inspect
import math
import os
import re
import sys

import bpy
import numpy
from mathutils import Quaternion, Vector

OLDEST = (4, 2, 0)
if bpy.app.version < OLDEST:
    raise SystemExit(f"blender.py: Blender 4.2 LTS or newer is needed; this is {bpy.app.version_string}")

RUN = "@RUN@"


def run_folder():
    """The folder of this script, however it was started."""
    files = [globals().get("__file__", ""), inspect.currentframe().f_code.co_filename]
    files += [bpy.path.abspath(text.filepath) for text in bpy.data.texts]
    folders = [os.path.dirname(os.path.abspath(file)) for file in files if file] + [os.getcwd()]
    for folder in folders:
        if os.path.isfile(os.path.join(folder, "run.json")):
            return folder
    raise SystemExit("blender.py: no run.json beside this script: open the script from its folder")


def meshes_in(folder, kind):
    """Frames of each sequence of files in a folder, by the name of the fluid or the elastic body, empty for all."""
    kind_folder = os.path.join(folder, kind)
    names = os.listdir(kind_folder) if os.path.isdir(kind_folder) else []
    frames = {}
    for name in sorted(names):
        match = re.fullmatch(kind + r"(?:_(.+))?_(\d{5,})\.ply", name)
        if match:
            frames.setdefault(match[1] or "", []).append(int(match[2]))
    return frames


def has_points(path):
    """Whether a PLY file has any vertex."""
    with open(path, "rb") as file:
        return b"element vertex 0\n" not in file.read(1024)


def frames_in(folder):
    """Numbers of the frames that have a surface, an elastic body, particles or foam, in order."""
    names = ("surface", "elastic", "particles", "foam")
    kinds = (meshes_in(folder, kind).values() for kind in names)
    return sorted({frame for owners in kinds for frames in owners for frame in frames})


def new_scene(name):
    """An empty scene of this name; one that an earlier run of this script made is replaced."""
    old = bpy.data.scenes.get(name)
    scene = bpy.data.scenes.new(name)
    if old and old.get("is_simulation_run"):
        bpy.data.batch_remove(list(old.collection.all_objects))
        bpy.data.scenes.remove(old)
        scene.name = name
    scene["is_simulation_run"] = True
    for window in bpy.context.window_manager.windows:
        window.scene = scene
    return scene


def set_frames(scene, frames):
    """One Blender frame per frame of the run, at the run's rate."""
    scene.frame_start, scene.frame_end = frames[0], frames[-1]
    scene.render.fps = max(1, round(RUN["frame_rate"]))
    scene.render.fps_base = scene.render.fps / RUN["frame_rate"]


def nodes_of(made):
    """The nodes of a material or a world, which have none before Blender 5.0 until they are asked for."""
    if made.node_tree is None:
        made.use_nodes = True
    return made.node_tree


def material(name, colour, **inputs):
    """A Principled material; inputs by their names, with _ for a space."""
    made = bpy.data.materials.new(name)
    made.diffuse_color = (*colour, 1.0)
    shader = nodes_of(made).nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1.0)
    for key, value in inputs.items():
        shader.inputs[key.replace("_", " ")].default_value = value
    return made


# Whether nodes can import files.
HAS_IMPORT = hasattr(bpy.types, "GeometryNodeImportPLY")
# Types of numbers in PLY files.
PLY_TYPES = {"float": "<f4", "uchar": "u1", "ushort": "<u2", "int": "<i4", "uint": "<u4"}


def read_ply(path):
    """Vertices, as an array with a field for each property, and triangles of a PLY file of the run."""
    with open(path, "rb") as file:
        counts, fields, corner = {}, [], "<u4"
        for line in iter(lambda: file.readline().decode().split(), ["end_header"]):
            if line[0] == "element":
                counts[line[1]] = int(line[2])
            elif line[:2] == ["property", "list"]:
                corner = PLY_TYPES[line[3]]
            elif line[0] == "property":
                fields.append((line[2], PLY_TYPES[line[1]]))
        vertices = numpy.fromfile(file, fields, counts["vertex"])
        faces = numpy.fromfile(file, [("count", "u1"), ("corners", corner, 3)], counts.get("face", 0))
    return vertices, faces["corners"].astype("i4")


def fill(mesh, path):
    """Gives a mesh what is in a file: the positions, the normals, and each other property by its name."""
    vertices, triangles = read_ply(path)
    columns = lambda names: numpy.stack([vertices[name] for name in names], axis=1)
    mesh.clear_geometry()
    mesh.from_pydata(columns("xyz"), [], triangles)
    for name in vertices.dtype.names:
        if name not in ("x", "y", "z", "nx", "ny", "nz"):
            is_real = vertices[name].dtype.kind == "f"
            made = mesh.attributes.new(name, "FLOAT" if is_real else "INT", "POINT")
            made.data.foreach_set("value", vertices[name].astype("f4" if is_real else "i4"))
    if len(triangles) and "nx" in vertices.dtype.names:
        mesh.normals_split_custom_set_from_vertices(columns(("nx", "ny", "nz")))


def load_frames(scene, *_):
    """Reads the files of the scene's frame into its objects that play one, before Blender 4.5."""
    for made in scene.objects:
        frames = list(made.get("frames", []))
        if not frames:
            continue
        # As the nodes that import files choose it.
        every = max(1, math.gcd(*frames))
        frame = min(max(scene.frame_current, frames[0]), frames[-1]) // every * every
        path = made["files"] + f"{frame:05}.ply"
        if scene.frame_current < frames[0]:
            path = ""
        if made.get("loaded") != path:
            fill(made.data, path) if path else made.data.clear_geometry()
            made["loaded"] = path


def play(made, folder, kind, stem, frames, *looks):
    """Shows files on an object, frame by frame, as `playback` describes."""
    nodes = playback(folder, kind, stem, frames, *looks)
    made.modifiers.new("Playback", "NODES").node_group = nodes
    if not HAS_IMPORT:
        made["files"], made["frames"] = os.path.join(folder, kind, stem + "_"), frames


def playback(folder, kind, stem, frames, water, radius=None, of_type=None):
    """Nodes that import the file of the scene's frame and give it velocity and material.

    Where a file is there every so many frames, it stays until the next; before the first there is
    nothing. With a radius, a number or the name of an attribute, the vertices become points, which
    Cycles renders as balls; of one `type` alone, if that is given. Where nodes cannot import files,
    they take the mesh of the object.
    """
    tree = bpy.data.node_groups.new(stem.capitalize() + " of the frame", "GeometryNodeTree")
    tree.is_modifier = True
    tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    column = iter(range(-1400, 1400, 200))

    def node(kind, x=None, y=0.0, **settings):
        made = tree.nodes.new(kind)
        made.location = (next(column) if x is None else x, y)
        for key, value in settings.items():
            setattr(made, key, value)
        return made

    link = tree.links.new
    if HAS_IMPORT:
        shape = import_of_frame(node, link, os.path.join(folder, kind, stem + "_"), frames)
    else:
        shape = node("NodeGroupInput").outputs[0]

    velocity = node("ShaderNodeCombineXYZ", y=-300.0)
    for socket, component in enumerate(("vx", "vy", "vz")):
        place = (velocity.location.x - 200.0, -300.0 - 200.0 * socket)
        part = node("GeometryNodeInputNamedAttribute", *place)
        part.data_type = "FLOAT"
        part.inputs["Name"].default_value = component
        link(part.outputs["Attribute"], velocity.inputs[socket])
    store = node("GeometryNodeStoreNamedAttribute", data_type="FLOAT_VECTOR", domain="POINT")
    store.inputs["Name"].default_value = "velocity"
    link(shape, store.inputs["Geometry"])
    link(velocity.outputs[0], store.inputs["Value"])
    shape = store.outputs[0]
    if radius is not None:
        points = node("GeometryNodeMeshToPoints")
        if isinstance(radius, str):
            own = node("GeometryNodeInputNamedAttribute", points.location.x, 300.0)
            own.inputs["Name"].default_value = radius
            link(own.outputs["Attribute"], points.inputs["Radius"])
        else:
            points.inputs["Radius"].default_value = radius
        if of_type is not None:
            own = node("GeometryNodeInputNamedAttribute", points.location.x - 200.0, 450.0)
            own.inputs["Name"].default_value = "type"
            is_type = node("FunctionNodeCompare", points.location.x, 450.0, operation="EQUAL")
            is_type.inputs["B"].default_value = of_type
            link(own.outputs["Attribute"], is_type.inputs["A"])
            link(is_type.outputs[0], points.inputs["Selection"])
        link(shape, points.inputs[0])
        shape = points.outputs[0]
    painted = node("GeometryNodeSetMaterial")
    painted.inputs["Material"].default_value = water
    link(shape, painted.inputs["Geometry"])
    link(painted.outputs[0], node("NodeGroupOutput").inputs[0])
    return tree


def import_of_frame(node, link, files, frames):
    """Nodes that import the file of the scene's frame; the paths begin with `files`."""
    # The frame of the file to show: the scene's, between the first and the last.
    frame = now = node("GeometryNodeInputSceneTime").outputs["Frame"]
    every = max(1, math.gcd(*frames))
    for operation, bound in (("MAXIMUM", frames[0]), ("MINIMUM", frames[-1]), ("SNAP", every)):
        math_node = node("ShaderNodeMath", operation=operation)
        math_node.inputs[1].default_value = bound
        link(frame, math_node.inputs[0])
        frame = math_node.outputs[0]
    whole = node("FunctionNodeFloatToInt", rounding_mode="FLOOR")
    link(frame, whole.inputs[0])

    name = node("FunctionNodeFormatString")
    name.format_items.new("INT", "frame")
    name.inputs["Format"].default_value = files.replace("{", "{{").replace("}", "}}") + "{frame:05}.ply"
    link(whole.outputs[0], name.inputs["frame"])
    mesh = node("GeometryNodeImportPLY")
    link(name.outputs[0], mesh.inputs[0])
    begun = node("FunctionNodeCompare", mesh.location.x, 300.0, operation="GREATER_THAN")
    begun.inputs["B"].default_value = frames[0] - 1
    link(now, begun.inputs["A"])
    shown = node("GeometryNodeSwitch", input_type="GEOMETRY")
    link(begun.outputs[0], shown.inputs["Switch"])
    link(mesh.outputs[0], shown.inputs["True"])
    return shown.outputs[0]


def add_object(scene, name, data):
    made = bpy.data.objects.new(name, data)
    scene.collection.objects.link(made)
    return made


# Of the fluids, in the order of the scene: what is left of white light after a length of water.
COLOURS = [(0.03, 0.30, 0.50), (0.60, 0.20, 0.01), (0.12, 0.50, 0.06), (0.50, 0.05, 0.12)]
# Of drops of a fluid, which are not clear.
DROPS = (0.4, 0.8, 0.95)


def clear(name, colour, ior, length=None):
    """A clear material of some index of refraction; light of a colour is left after a length."""
    made = material(name, (1.0, 1.0, 1.0), Roughness=0.0, IOR=ior, Transmission_Weight=1.0)
    made.diffuse_color = (*colour, 0.5)
    if length:
        # Lambert and Beer: the node absorbs density × (1 − colour) per metre.
        losses = [-math.log(channel) / length for channel in colour]
        tree, density = nodes_of(made), max(losses)
        absorption = tree.nodes.new("ShaderNodeVolumeAbsorption")
        absorption.inputs["Density"].default_value = density
        absorption.inputs["Color"].default_value = (*(1.0 - loss / density for loss in losses), 1.0)
        tree.links.new(absorption.outputs[0], tree.nodes["Material Output"].inputs["Volume"])
    return made


def add_fluid(scene, folder, length):
    """Each fluid, and its spray as an object of its own if the run has it apart."""
    waters = {}
    for name, kind in (("Fluid", "surface"), ("Spray", "spray")):
        for fluid, frames in meshes_in(folder, kind).items():
            if fluid not in waters:
                place = RUN["fluids"].index(fluid) if fluid else 0
                colour = COLOURS[place % len(COLOURS)]
                waters[fluid] = clear(fluid or "Water", colour, 1.333, length)
            shown = f"{name} {fluid}" if fluid else name
            made = add_object(scene, shown, bpy.data.meshes.new(shown))
            # The sun shines through: paths that clear fluid bends towards it are hardly ever found.
            made.visible_shadow = False
            stem = f"{kind}_{fluid}" if fluid else kind
            play(made, folder, kind, stem, frames, waters[fluid])


# Of the elastic bodies, in the order of the scene.
CLOTHS = [(0.55, 0.06, 0.05), (0.05, 0.2, 0.5), (0.6, 0.4, 0.08), (0.08, 0.35, 0.15)]


def add_elastic(scene, folder):
    """Each elastic body, frame by frame, blurred by its velocity."""
    bodies = meshes_in(folder, "elastic")
    for place, name in enumerate(name for name in RUN["elastic"] if name in bodies):
        cloth = material(name, CLOTHS[place % len(CLOTHS)], Roughness=0.8, Sheen_Weight=0.3)
        made = add_object(scene, name, bpy.data.meshes.new(name))
        play(made, folder, "elastic", "elastic_" + name, bodies[name], cloth)


def add_particles(scene, folder):
    """The particles as points of their radius; hidden where there is a surface."""
    frames = meshes_in(folder, "particles").get("")
    if not frames:
        return
    made = add_object(scene, "Particles", bpy.data.meshes.new("Particles"))
    drops = material("Drops", DROPS, Roughness=0.2)
    play(made, folder, "particles", "particles", frames, drops, RUN["particle_radius"])
    made.hide_viewport = made.hide_render = bool(meshes_in(folder, "surface"))


def add_foam(scene, folder):
    """Spray, foam and bubbles of `sim foam` as points of their radius, each with its material: a
    cloud of points has one alone."""
    frames = meshes_in(folder, "foam").get("", [])
    if not frames and os.path.isdir(os.path.join(folder, "foam")):
        print("the foam has no .ply files, which Blender reads: "
              "`sim foam DIR --set 'foam.output=[Vtp, Ply]'` writes them")
    # The importer complains about files without points, as those before the first splash are.
    while frames and not has_points(os.path.join(folder, "foam", f"foam_{frames[0]:05}.ply")):
        frames = frames[1:]
    looks = [
        ("Foam spray", (0.97, 0.98, 1.0), {"Roughness": 0.5}),
        ("Foam", (1.0, 1.0, 1.0), {"Roughness": 1.0}),
        ("Foam bubbles", (0.85, 0.95, 1.0), {"Roughness": 0.5}),
    ]
    for number, (name, colour, inputs) in enumerate(looks if frames else []):
        made = add_object(scene, name, bpy.data.meshes.new(name))
        # White comes from light that is scattered between many points, more often than paths are
        # followed: points let it pass to each other.
        made.visible_shadow = False
        paint = material(name, colour, **inputs)
        play(made, folder, "foam", "foam", frames, paint, "radius", number)


def moving_in(solids):
    """Frames of each solid that moves, by its name."""
    frames = {}
    for name in sorted(os.listdir(solids)) if os.path.isdir(solids) else []:
        match = re.fullmatch(r"(spheres|mesh_\d{2,})_(\d{5,})\.ply", name)
        if match:
            frames.setdefault(match[1], []).append(int(match[2]))
    return frames


def body_rows(folder):
    """The rows of `bodies.csv`, frame by frame, by the name of the body's mesh."""
    path = os.path.join(folder, "bodies.csv")
    rows = {}
    if os.path.isfile(path):
        with open(path, newline="") as table:
            for row in csv.DictReader(table):
                rows.setdefault(f"body_{int(row['body']):02}", []).append(row)
    return rows


def set_keyframes(body, rows):
    """Place and orientation of a body at each frame, linear in between."""
    body.rotation_mode, turn = "QUATERNION", None
    # A name that a spreadsheet would take for a formula has an apostrophe before it.
    body.name = rows[0]["name"].removeprefix("'") or body.name
    for row in rows:
        before, turn = turn, Quaternion([float(row[key]) for key in ("qw", "qx", "qy", "qz")])
        if before:
            turn.make_compatible(before)
        body.location = [float(row[key]) for key in ("x", "y", "z")]
        body.rotation_quaternion = turn
        for path in ("location", "rotation_quaternion"):
            body.keyframe_insert(path, frame=int(row["frame"]))


def add_obstacles(scene, folder):
    """The solids: those that move by a law frame by frame, others as ordinary meshes, of which
    bodies that the fluid moves have keyframes."""
    edit = bpy.context.preferences.edit
    usual, edit.keyframe_new_interpolation_type = edit.keyframe_new_interpolation_type, "LINEAR"
    bodies = body_rows(folder)
    solids = os.path.join(folder, "solids")
    stone = material("Obstacle", (0.62, 0.50, 0.38), Roughness=0.6)
    moving = moving_in(solids)
    for stem, frames in moving.items():
        made = add_object(scene, stem, bpy.data.meshes.new(stem))
        play(made, folder, "solids", stem, frames, stone)
    # Smooth but for sharp edges.
    for name in sorted(os.listdir(solids)) if os.path.isdir(solids) else []:
        if not name.endswith(".ply") or name[:-4].rpartition("_")[0] in moving:
            continue
        before = set(bpy.data.objects)
        bpy.ops.wm.ply_import(filepath=os.path.join(solids, name))
        for made in set(bpy.data.objects) - before:
            for collection in list(made.users_collection):
                collection.objects.unlink(made)
            scene.collection.objects.link(made)
            made.data.materials.append(stone)
            made.data.set_sharp_from_angle(angle=math.radians(35.0))
            if name[:-4] in bodies:
                set_keyframes(made, bodies[name[:-4]])
    edit.keyframe_new_interpolation_type = usual


def add_tank(scene, low, high):
    """Panes of glass around the domain, a little apart from the fluid."""
    if RUN["dimensions"] == 2:
        return
    size = (high - low).length
    gap, thick = 0.0015 * size, 0.004 * size
    inner = [low - Vector((gap,) * 3), high + Vector((gap, gap, 0.0))]
    outer = [inner[0] - Vector((thick, thick, 0.0)), inner[1] + Vector((thick, thick, 0.0))]
    corners = [(box[i].x, box[j].y, box[k].z)
               for k in (0, 1) for box in (inner, outer)
               for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
    faces = []
    for a, b in ((0, 1), (1, 2), (2, 3), (3, 0)):
        faces += [(b, a, 8 + a, 8 + b), (4 + a, 4 + b, 12 + b, 12 + a),
                  (8 + a, 12 + a, 12 + b, 8 + b), (a, b, 4 + b, 4 + a)]
    mesh = bpy.data.meshes.new("Tank")
    mesh.from_pydata(corners, [], faces)
    glass = clear("Glass", (0.9, 0.97, 0.94), 1.5)
    mesh.materials.append(glass)
    made = add_object(scene, "Tank", mesh)
    made.display_type = "WIRE"
    # Light comes through panes as if they were not there, or the tank would be dark.
    made.visible_shadow = False


def add_floor(scene, low, high):
    """A floor under the domain, so that things stand somewhere."""
    size = (high - low).length
    centre, half, depth = (low + high) / 2, 200 * size, low.z - 0.002 * size
    corners = [(centre.x + sx * half, centre.y + sy * half, depth)
               for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    mesh = bpy.data.meshes.new("Floor")
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    mesh.materials.append(material("Floor", (0.16, 0.17, 0.18), Roughness=0.6))
    add_object(scene, "Floor", mesh)


def add_camera(scene, low, high):
    """A camera that sees the whole domain, from the front, the right and above."""
    size = (high - low).length
    camera = add_object(scene, "Camera", bpy.data.cameras.new("Camera"))
    camera.data.clip_start, camera.data.clip_end = size / 100, size * 100
    towards = Vector((-0.55, 1.0, -0.45))
    camera.rotation_euler = towards.to_track_quat("-Z", "Y").to_euler()
    scene.camera = camera
    corners = [c for x in (low.x, high.x) for y in (low.y, high.y) for z in (low.z, high.z)
               for c in (x, y, z)]
    view = scene.view_layers[0]
    view.update()
    camera.location, _ = camera.camera_fit_coords(view.depsgraph, corners)


# The sky's radiance in the unit that the sun's energy has.
SKY_STRENGTH = 0.12


def add_light(scene, low, high):
    """A sun, and the sky around it."""
    towards = Vector((0.75, -0.5, 0.8)).normalized()
    sun = add_object(scene, "Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy, sun.data.angle = 4.5, math.radians(3.0)
    sun.data.color = (1.0, 0.93, 0.82)
    sun.rotation_euler = (-towards).to_track_quat("-Z", "Y").to_euler()
    sky = bpy.data.worlds.new("Sky")
    tree = nodes_of(sky)
    air = tree.nodes.new("ShaderNodeTexSky")
    # The light above is the sun: a disc of the sky would be a second one.
    air.sun_disc = False
    air.sun_elevation = math.asin(towards.z)
    air.sun_rotation = math.atan2(towards.x, towards.y)
    background = tree.nodes["Background"]
    tree.links.new(air.outputs[0], background.inputs["Color"])
    background.inputs["Strength"].default_value = SKY_STRENGTH
    scene.world = sky


def set_render(scene):
    """Cycles with motion blur from the velocity attribute."""
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 64
    scene.cycles.use_denoising = True
    # Light goes through glass, water, a solid's far side and out again.
    scene.cycles.max_bounces = scene.cycles.transmission_bounces = 16
    scene.cycles.caustics_refractive = scene.cycles.caustics_reflective = False
    scene.render.use_motion_blur = True
    scene.render.motion_blur_shutter = 0.5
    scene.view_settings.view_transform = "AgX"
    scene.view_settings.look = "AgX - Medium High Contrast"


def build():
    """The whole scene."""
    folder = run_folder()
    frames = frames_in(folder)
    if not frames:
        raise SystemExit("blender.py: no surface, elastic body or particles as .ply in " + folder)
    scene = new_scene(RUN["name"])
    low, high = Vector(RUN["domain_min"]), Vector(RUN["domain_max"])
    set_frames(scene, frames)
    add_fluid(scene, folder, 0.3 * (high - low).length)
    add_elastic(scene, folder)
    add_particles(scene, folder)
    add_foam(scene, folder)
    add_obstacles(scene, folder)
    add_tank(scene, low, high)
    add_floor(scene, low, high)
    add_light(scene, low, high)
    add_camera(scene, low, high)
    set_render(scene)
    if not HAS_IMPORT:
        bpy.app.handlers.frame_change_pre.append(load_frames)
    scene.frame_set(frames[0])
    return scene


def render(scene, arguments):
    """What the arguments after `--` ask for."""
    parser = argparse.ArgumentParser(prog="blender.py")
    parser.add_argument("--render", nargs=2, metavar=("FRAME", "FILE"), help="render a frame")
    parser.add_argument("--size", nargs=2, type=int, default=(640, 480), metavar=("W", "H"))
    parser.add_argument("--samples", type=int, default=32, help="Cycles samples per pixel")
    options = parser.parse_args(arguments)
    if options.render is None:
        return
    scene.render.resolution_x, scene.render.resolution_y = options.size
    scene.cycles.samples = options.samples
    scene.render.filepath = os.path.abspath(options.render[1])
    scene.render.image_settings.file_format = "PNG"
    scene.frame_set(int(options.render[0]))
    bpy.ops.render.render(write_still=True, scene=scene.name)


render(build(), sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else [])
