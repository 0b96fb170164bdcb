"""Reads meshes of other programs with `sim check`: `check_meshes.py SIM FOLDER`.

Writes the same solid, an L that is long in another direction along each axis, by VTK's, trimesh's and
Blender's writers in each format, and compares volume, size and number of particles that the program
finds in each with what they are. FOLDER keeps the files.
"""

import pathlib
import re
import subprocess
import sys

import bpy
import numpy
import trimesh
import vtk

from run_folder import require

# The L in the plane of x and z, and its extent along y [m]; all are multiples of the spacing.
OUTLINE = [(0.1, 0.1), (0.6, 0.1), (0.6, 0.3), (0.3, 0.3), (0.3, 0.7), (0.1, 0.7)]
FRONT, BACK = 0.2, 0.5
VOLUME = 0.18 * (BACK - FRONT)
SPACING = 0.02
EXTENT = "0.500 × 0.300 × 0.600 m"

SCENE = """Scene(
    frames: (count: 1, rate: 10.0),
    domain: Box(min: (0, 0, 0), max: (1, 1, 1)),
    particle_radius: {radius},
    fluids: [(name: "water", rest_density: 1000, viscosity: 0, shapes: [
        Mesh(path: "{path}"{keys}),
    ])],
)
"""


def corners_and_faces():
    """The corners of the solid, and its faces as polygons, all facing outwards."""
    count = len(OUTLINE)
    corners = [(x, y, z) for y in (FRONT, BACK) for x, z in OUTLINE]
    front = list(range(count))
    back = [count + k for k in reversed(range(count))]
    sides = [[(k + 1) % count, k, count + k, count + (k + 1) % count] for k in range(count)]
    return corners, [front, back, *sides]


def triangles(faces):
    """Triangles of the faces; those of the L by its corners."""
    ends = [[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5]]
    cut = [[face[k] for k in end] for face in faces[:2] for end in ends_of(face, ends)]
    return cut + [t for a, b, c, d in faces[2:] for t in ([a, b, c], [a, c, d])]


def ends_of(face, ends):
    """The triangles of an end by the places of its corners in the face."""
    if face[0] == 0:
        return ends
    last = len(face) - 1
    return [[last - k for k in reversed(end)] for end in ends]


def poly_data(corners, faces):
    """The solid as VTK has it."""
    points = vtk.vtkPoints()
    points.SetDataTypeToDouble()
    for corner in corners:
        points.InsertNextPoint(corner)
    cells = vtk.vtkCellArray()
    for face in faces:
        cells.InsertNextCell(len(face), face)
    data = vtk.vtkPolyData()
    data.SetPoints(points)
    data.SetPolys(cells)
    # What a mesh of ParaView may carry: a time, and an array of the points.
    time = vtk.vtkDoubleArray()
    time.SetName("TimeValue")
    time.InsertNextValue(0.25)
    data.GetFieldData().AddArray(time)
    heights = vtk.vtkFloatArray()
    heights.SetName("height above ground")
    for _, _, z in corners:
        heights.InsertNextValue(z)
    data.GetPointData().AddArray(heights)
    return data


def strips(data):
    """The solid as strips of triangles."""
    triangulated = vtk.vtkTriangleFilter()
    triangulated.SetInputData(data)
    stripper = vtk.vtkStripper()
    stripper.SetInputConnection(triangulated.GetOutputPort())
    stripper.Update()
    return stripper.GetOutput()


def grid(data):
    """The solid as an unstructured grid."""
    append = vtk.vtkAppendFilter()
    append.AddInputData(data)
    append.Update()
    return append.GetOutput()


def write_vtk(folder, corners, faces):
    """The files of VTK's writers."""
    data = poly_data(corners, faces)
    flat = poly_data(corners, triangles(faces))

    def write(writer, name, data, binary, version=None):
        writer.SetFileName(str(folder / name))
        writer.SetInputData(data)
        if binary is not None:
            writer.SetFileTypeToBinary() if binary else writer.SetFileTypeToASCII()
        if version:
            writer.SetFileVersion(version)
        require(writer.Write() == 1, f"VTK cannot write {name}")

    for binary in (False, True):
        kind = "binary" if binary else "ascii"
        write(vtk.vtkSTLWriter(), f"vtk_{kind}.stl", flat, binary)
        write(vtk.vtkPLYWriter(), f"vtk_{kind}.ply", data, binary)
        for version in (42, 51):
            write(vtk.vtkPolyDataWriter(), f"vtk_{kind}_v{version}.vtk", data, binary, version)
            name = f"vtk_grid_{kind}_v{version}.vtk"
            write(vtk.vtkUnstructuredGridWriter(), name, grid(data), binary, version)
        write(vtk.vtkPolyDataWriter(), f"vtk_strips_{kind}.vtk", strips(data), binary)
    write(vtk.vtkOBJWriter(), "vtk.obj", data, None)


def write_trimesh(folder, corners, faces):
    """The files of trimesh's writers; it writes the axes as they are, also into glTF."""
    mesh = trimesh.Trimesh(vertices=corners, faces=triangles(faces), process=False)
    mesh.export(folder / "trimesh.stl")
    mesh.export(folder / "trimesh_ascii.stl", file_type="stl_ascii")
    mesh.export(folder / "trimesh.ply")
    mesh.export(folder / "trimesh_ascii.ply", encoding="ascii")
    mesh.export(folder / "trimesh.obj")
    mesh.export(folder / "trimesh.glb")
    # The same, placed by the node that it hangs on.
    scene = trimesh.Scene()
    turn = trimesh.transformations.rotation_matrix(0.7, (1, 2, 3), (0.3, 0.1, 0.2))
    moved = mesh.copy()
    moved.apply_transform(numpy.linalg.inv(turn))
    scene.add_geometry(moved, transform=turn)
    for name, content in trimesh.exchange.gltf.export_gltf(scene).items():
        named = {"model.gltf": "trimesh_nodes.gltf"}.get(name, name)
        (folder / named).write_bytes(content)


def write_blender(folder, corners, faces):
    """The files of Blender's writers, with the axes that it gives by default."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    mesh = bpy.data.meshes.new("Ell")
    mesh.from_pydata([(x, y, z - 0.1) for x, y, z in corners], [], faces)
    # Raised by its object, which writers have to heed.
    ell = bpy.data.objects.new("Ell", mesh)
    ell.location = (0, 0, 0.1)
    bpy.context.scene.collection.objects.link(ell)

    def path(name):
        return str(folder / name)

    bpy.ops.wm.stl_export(filepath=path("blender.stl"))
    bpy.ops.wm.stl_export(filepath=path("blender_ascii.stl"), ascii_format=True)
    bpy.ops.wm.ply_export(filepath=path("blender.ply"))
    bpy.ops.wm.ply_export(filepath=path("blender_ascii.ply"), ascii_format=True)
    bpy.ops.wm.obj_export(filepath=path("blender.obj"), export_materials=False)
    for kind, name in (("GLB", "blender.glb"), ("GLTF_SEPARATE", "blender.gltf")):
        bpy.ops.export_scene.gltf(filepath=path(name), export_format=kind)


def keys_of(name):
    """What a scene has to say about a file: which axis points up, unless that is as usual."""
    if name == "blender.obj":
        return ", up: Y"
    if name.startswith("trimesh") and name.endswith((".glb", ".gltf")):
        return ", up: Z"
    return ""


def check(sim, folder, name):
    """The program finds the solid in a file."""
    scene = folder / f"{name}.ron"
    scene.write_text(SCENE.format(radius=SPACING / 2, path=name, keys=keys_of(name)))
    done = subprocess.run([sim, "check", scene], capture_output=True, text=True)
    require(done.returncode == 0, f"{name}: {done.stdout}{done.stderr}")
    require(not done.stderr, f"{name}: {done.stderr}")
    line = next((line for line in done.stdout.splitlines() if f'"{name}"' in line), done.stdout)
    require(f"{EXTENT}, {VOLUME:.4f} m³, 1 shell" in line, f"{name}: {line}")
    particles = re.search(r"^ *particles +(\d+)", done.stdout, re.MULTILINE)
    expected = round(VOLUME / SPACING**3)
    require(int(particles[1]) == expected, f"{name}: {particles[1]} particles, not {expected}")


def main():
    sim, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    corners, faces = corners_and_faces()
    write_vtk(folder, corners, faces)
    write_trimesh(folder, corners, faces)
    write_blender(folder, corners, faces)
    kinds = {".stl", ".ply", ".obj", ".glb", ".gltf", ".vtk"}
    names = sorted(path.name for path in folder.iterdir() if path.suffix in kinds)
    require(len(names) == 29, f"{len(names)} files: {names}")
    for name in names:
        check(sim, folder, name)
    print(f"{folder}: {len(names)} files of VTK, trimesh and Blender hold the same solid")


main()
