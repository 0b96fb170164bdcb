"""Makes a run of one frame with a million particles and a million triangles of a smaller run.

    sim scenes/dam_break.ron --set particle_radius=0.008 --frames 25 --out out/small
    python benches/export/tile_run.py out/small 25 out/million
    python benches/export/measure.py target/release/sim out/million

The frame is set beside itself until there are enough: noise and smoothness are those of a fluid in
motion, which a lattice at rest would not have. Needs numpy, vtk and trimesh.
"""

import json
import pathlib
import shutil
import sys

import numpy
import trimesh
from vtk import vtkPoints, vtkPolyData, vtkXMLPolyDataReader, vtkXMLPolyDataWriter
from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy

COUNT = 1_000_000


def offsets(size, count):
    """Places of tiles of a size, side by side."""
    side = int(numpy.ceil(count ** 0.5))
    return [numpy.array([k % side * size[0], k // side * size[1], 0]) for k in range(count)]


def particles(source, target):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(source))
    reader.Update()
    data = reader.GetOutput()
    places = vtk_to_numpy(data.GetPoints().GetData())
    tiles = -(-COUNT // len(places))
    shifted = [places + shift for shift in offsets(places.max(0) * 1.01, tiles)]
    out, points = vtkPolyData(), vtkPoints()
    places = numpy.concatenate(shifted)[:COUNT].astype(numpy.float32)
    points.SetData(numpy_to_vtk(places, deep=True))
    out.SetPoints(points)
    for k in range(data.GetPointData().GetNumberOfArrays()):
        array = data.GetPointData().GetArray(k)
        values = vtk_to_numpy(array)
        parts = [values + (tile * len(places) if array.GetName() == "id" else 0)
                 for tile in range(tiles)]
        tiled = numpy_to_vtk(numpy.concatenate(parts)[:COUNT].astype(values.dtype), deep=True)
        tiled.SetName(array.GetName())
        out.GetPointData().AddArray(tiled)
    writer = vtkXMLPolyDataWriter()
    writer.SetFileName(str(target))
    writer.SetInputData(out)
    writer.SetDataModeToAppended()
    writer.EncodeAppendedDataOff()
    writer.SetCompressorTypeToNone()
    writer.Write()


def surface(source, target):
    mesh = trimesh.load(source, process=False)
    vertices = mesh.metadata["_ply_raw"]["vertex"]["data"]
    tiles = round(COUNT / len(mesh.faces))
    size = mesh.bounds[1] * 1.01
    rows, faces = [], []
    for tile, shift in enumerate(offsets(size, tiles)):
        row = vertices.copy()
        for axis, name in enumerate("xyz"):
            row[name] += shift[axis]
        rows.append(row)
        faces.append(mesh.faces + tile * len(vertices))
    rows = numpy.concatenate(rows)
    corners = numpy.empty(sum(map(len, faces)), [("count", "u1"), ("at", "<u4", 3)])
    corners["count"], corners["at"] = 3, numpy.concatenate(faces)
    kinds = {"f": "float", "u": "uchar"}
    types = vertices.dtype
    properties = "".join(f"property {kinds[types[n].kind]} {n}\n" for n in types.names)
    head = (f"ply\nformat binary_little_endian 1.0\nelement vertex {len(rows)}\n{properties}"
            f"element face {len(corners)}\nproperty list uchar uint vertex_indices\nend_header\n")
    target.write_bytes(head.encode() + rows.tobytes() + corners.tobytes())
    print(f"{len(rows)} vertices, {len(corners)} triangles")


if __name__ == "__main__":
    source, frame, target = pathlib.Path(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
    for folder in ("particles", "surface"):
        (target / folder).mkdir(parents=True)
    manifest = json.loads((source / "run.json").read_text())
    manifest["progress"]["frames_written"] = 1
    (target / "run.json").write_text(json.dumps(manifest))
    shutil.copy(source / "scene.ron", target)
    particles(source / f"particles/particles_{frame:05}.vtp",
              target / "particles/particles_00000.vtp")
    surface(source / f"surface/surface_{frame:05}.ply", target / "surface/surface_00000.ply")
