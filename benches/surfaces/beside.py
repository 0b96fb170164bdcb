"""Two surfaces beside each other, as Blender renders them: `beside.py LEFT.ply RIGHT.ply OUT.jpg`.

Both get the same camera, light and material, and smooth shading by the normals of their files.
`--eye` and `--target` place the camera; `--box` cuts out what lies between two corners, which keeps
a large mesh small. Blender comes as a module: `pip install bpy numpy pillow` (Python 3.11).
"""

import argparse
import math
import pathlib
import tempfile

import bpy
import mathutils
import numpy
from PIL import Image

from quality import read_ply

WATER, FLOOR, SKY = (0.06, 0.25, 0.50, 1.0), (0.42, 0.42, 0.44, 1.0), (0.85, 0.90, 1.0, 1.0)


def cut(mesh, box):
    """The triangles of a mesh that have a corner in a box."""
    low, high = numpy.array(box).reshape(2, 3)
    inside = ((mesh.positions >= low) & (mesh.positions <= high)).all(axis=1)
    triangles = mesh.triangles[inside[mesh.triangles].any(axis=1)]
    kept, triangles = numpy.unique(triangles, return_inverse=True)
    return mesh.positions[kept], mesh.normals[kept], triangles.reshape(-1, 3)


def material(name, colour, roughness):
    """A plain material."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    look = made.node_tree.nodes["Principled BSDF"].inputs
    look["Base Color"].default_value = colour
    look["Roughness"].default_value = roughness
    return made


def add_mesh(name, positions, triangles, look, normals=None):
    """An object with a mesh."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(positions, [], triangles)
    if normals is not None:
        mesh.shade_smooth()
        mesh.normals_split_custom_set_from_vertices(normals)
    mesh.materials.append(look)
    bpy.context.collection.objects.link(bpy.data.objects.new(name, mesh))


def stage(options):
    """An empty scene with floor, light and camera."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = options.samples, True
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y = options.size
    scene.world = bpy.data.worlds.new("sky")
    scene.world.use_nodes = True
    sky = scene.world.node_tree.nodes["Background"].inputs
    sky["Color"].default_value, sky["Strength"].default_value = SKY, 0.45
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy, sun.data.angle = 3.0, math.radians(3.0)
    sun.rotation_euler = [math.radians(angle) for angle in options.sun]
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location, camera.data.lens = options.eye, options.lens
    camera.data.clip_start = 0.001
    towards = mathutils.Vector(options.target) - mathutils.Vector(options.eye)
    camera.rotation_euler = towards.to_track_quat("-Z", "Y").to_euler()
    for item in (sun, camera):
        scene.collection.objects.link(item)
    scene.camera = camera
    far, z = 30.0, options.floor
    corners = [(-far, -far, z), (far, -far, z), (far, far, z), (-far, far, z)]
    add_mesh("floor", corners, [(0, 1, 2, 3)], material("floor", FLOOR, 0.8))
    return scene


def picture(path, options):
    """Renders one surface."""
    scene = stage(options)
    positions, normals, triangles = cut(read_ply(path), options.box)
    add_mesh("water", positions, triangles, material("water", WATER, 0.22), normals)
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = str(pathlib.Path(folder) / "picture.png")
        bpy.ops.render.render(write_still=True)
        return Image.open(scene.render.filepath).convert("RGB")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("meshes", type=pathlib.Path, nargs=2)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--eye", type=float, nargs=3, required=True)
    parser.add_argument("--target", type=float, nargs=3, required=True)
    parser.add_argument("--box", type=float, nargs=6, default=[-1e9] * 3 + [1e9] * 3)
    parser.add_argument("--floor", type=float, default=-1e-3, help="height of the floor")
    parser.add_argument("--lens", type=float, default=50.0, help="focal length, mm")
    parser.add_argument("--sun", type=float, nargs=3, default=(45.0, 0.0, 30.0), help="degrees")
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--size", type=int, nargs=2, default=(640, 560), metavar=("W", "H"))
    options = parser.parse_args()
    pictures = [picture(path, options) for path in options.meshes]
    width, height = options.size
    both = Image.new("RGB", (2 * width + 8, height), "white")
    for place, one in enumerate(pictures):
        both.paste(one, (place * (width + 8), 0))
    both.save(options.out, quality=85)


main()
