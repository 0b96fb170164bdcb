"""Reads array names of any characters back: `check_names.py MESH.vtp PARTICLES.vtk`.

Each array of the particles' points that the mesh carries has its name in both. Runs with the wheel of
VTK and with ParaView's Python.
"""

import sys

from vtkmodules.vtkIOLegacy import vtkPolyDataReader
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader


def names(reader, path):
    """Names of the arrays of points, of a file that has points."""
    reader.SetFileName(path)
    for read_all in ("ReadAllScalarsOn", "ReadAllVectorsOn", "ReadAllFieldsOn"):
        getattr(reader, read_all, lambda: None)()
    reader.Update()
    data = reader.GetOutput()
    if data.GetNumberOfPoints() == 0:
        raise SystemExit(f"failed: {path}: no points")
    arrays = data.GetPointData()
    return {arrays.GetArrayName(index) for index in range(arrays.GetNumberOfArrays())}


mesh, particles = sys.argv[1:]
found = names(vtkXMLPolyDataReader(), mesh)
expected = names(vtkPolyDataReader(), particles)
if not expected <= found:
    raise SystemExit(f"failed: {mesh}: {sorted(found)} lacks {sorted(expected - found)}")
print(f"{len(expected)} names: as they were")
