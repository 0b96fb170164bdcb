"""Writes the particle files of this folder with VTK itself: `python make.py`.

All hold the same 50 particles; tests/surface_files.rs reads each and compares.
"""

from pathlib import Path

import vtk
from vtk.util.numpy_support import numpy_to_vtk
import numpy as np

HERE = Path(__file__).parent
COUNT = 50
# Exact in single precision and in the decimal digits that VTK writes.
GRID = np.arange(COUNT)
POSITIONS = np.stack([GRID % 5, GRID // 5 % 5, GRID // 25], axis=1).astype(np.float32) / 64
VELOCITY = np.stack([GRID / 8, -GRID / 4, GRID * 0 + 0.5], axis=1)
DENSITY = (1000 + GRID / 2).astype(np.float32)


def array(name, values, vtk_type=None):
    array = numpy_to_vtk(np.ascontiguousarray(values), deep=True, array_type=vtk_type)
    array.SetName(name)
    return array


def fill(data, double=False):
    """Points, and an array of each kind."""
    points = vtk.vtkPoints()
    points.SetData(array("Points", POSITIONS.astype(np.float64 if double else np.float32)))
    data.SetPoints(points)
    arrays = data.GetPointData()
    arrays.AddArray(array("velocity", VELOCITY))
    arrays.AddArray(array("density", DENSITY))
    arrays.AddArray(array("id", GRID[::-1].astype(np.int64), vtk.VTK_ID_TYPE))
    arrays.AddArray(array("phase of fluid", (GRID % 2).astype(np.uint8)))
    time = array("TimeValue", np.array([0.25]))
    data.GetFieldData().AddArray(time)
    name = vtk.vtkStringArray()
    name.SetName("solver")
    name.InsertNextValue("made by a test")
    data.GetFieldData().AddArray(name)
    return data


def poly_data(**options):
    data = fill(vtk.vtkPolyData(), **options)
    cells = vtk.vtkCellArray()
    cells.InsertNextCell(COUNT, list(range(COUNT)))
    data.SetVerts(cells)
    return data


def grid(**options):
    data = fill(vtk.vtkUnstructuredGrid(), **options)
    for i in range(COUNT):
        data.InsertNextCell(vtk.VTK_VERTEX, 1, [i])
    return data


def write(writer, name, data):
    writer.SetFileName(str(HERE / name))
    writer.SetInputData(data)
    assert writer.Write() == 1, name


def legacy(name, writer, data, binary, version):
    writer.SetFileType(vtk.VTK_BINARY if binary else vtk.VTK_ASCII)
    writer.SetFileVersion(version)
    # As active arrays they get SCALARS and VECTORS sections; the others stay in a FIELD.
    data.GetPointData().SetActiveVectors("velocity")
    data.GetPointData().SetActiveScalars("density")
    write(writer, name, data)


def xml(name, writer, data, mode, header=64, order="little", compressor=None, encode=True):
    getattr(writer, f"SetDataModeTo{mode}")()
    writer.SetHeaderType(getattr(writer, f"UInt{header}"))
    if order == "little":
        writer.SetByteOrderToLittleEndian()
    else:
        writer.SetByteOrderToBigEndian()
    if compressor:
        writer.SetCompressorType(getattr(vtk.vtkXMLWriterBase, compressor))
        # Small blocks, so that each array has several and a partial last one.
        writer.SetBlockSize(160)
    else:
        writer.SetCompressorTypeToNone()
    writer.SetEncodeAppendedData(encode)
    write(writer, name, data)


def main():
    points, cells = vtk.vtkPolyDataWriter, vtk.vtkUnstructuredGridWriter
    for version in (42, 51):
        for binary in (False, True):
            tail = f"{'binary' if binary else 'ascii'}_{version}.vtk"
            legacy(f"poly_{tail}", points(), poly_data(), binary, version)
            legacy(f"grid_{tail}", cells(), grid(double=binary), binary, version)
    vtp, vtu = vtk.vtkXMLPolyDataWriter, vtk.vtkXMLUnstructuredGridWriter
    xml("ascii.vtp", vtp(), poly_data(), "Ascii")
    xml("inline_32.vtp", vtp(), poly_data(), "Binary", header=32)
    xml("inline_64.vtu", vtu(), grid(), "Binary")
    xml("inline_big_endian.vtp", vtp(), poly_data(), "Binary", order="big")
    xml("inline_zlib.vtu", vtu(), grid(), "Binary", compressor="ZLIB", header=32)
    xml("appended_base64.vtp", vtp(), poly_data(), "Appended")
    xml("appended_base64_lz4.vtu", vtu(), grid(), "Appended", compressor="LZ4")
    xml("appended_raw.vtp", vtp(), poly_data(), "Appended", encode=False)
    xml("appended_raw_big_endian.vtu", vtu(), grid(double=True), "Appended", order="big",
        header=32, encode=False)
    xml("appended_raw_zlib.vtp", vtp(), poly_data(), "Appended", compressor="ZLIB", encode=False)
    xml("appended_raw_lz4.vtp", vtp(), poly_data(), "Appended", compressor="LZ4", encode=False)
    xml("appended_raw_lzma.vtu", vtu(), grid(), "Appended", compressor="LZMA", encode=False)


main()
