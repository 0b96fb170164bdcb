"""Opens a run in ParaView: `check_run.py RUN_DIR`.

Every .vtp has the points that its head promises, with all its arrays; every series has a time for
each frame, and those of PLY other points at each; the run's own script shows what there is, with
its times, coloured by speed. A frame without the spaces before its appended data must read as empty, or this check
could not see that they are missing.
"""

import builtins
import csv
import json
import pathlib
import re
import sys
import tempfile

import numpy
from paraview import servermanager
from paraview.simple import (Delete, GetActiveView, GetDisplayProperties, OpenDataFile, PVDReader,
                             XMLPolyDataReader)

from opened import must, opened


def read(path):
    """Number of points, and names of the arrays of points."""
    reader = XMLPolyDataReader(FileName=[str(path)])
    reader.UpdatePipeline()
    data = servermanager.Fetch(reader)
    arrays = data.GetPointData()
    names = {arrays.GetArrayName(index) for index in range(arrays.GetNumberOfArrays())}
    Delete(reader)
    return data.GetNumberOfPoints(), names


def head(path):
    """The text of a file before its appended data."""
    return path.read_bytes().split(b"<AppendedData", 1)[0].decode()


def check_file(path):
    """A file is read as its own head describes it."""
    text = head(path)
    points = int(re.search(r'NumberOfPoints="(\d+)"', text)[1])
    promised = re.findall(r'Name="([^"]+)"', text.split("<PointData", 1)[1].split("</PointData>")[0])
    found, names = read(path)
    must(found == points, f"{path}: {found} of {points} points")
    must(points == 0 or names == set(promised), f"{path}: arrays {sorted(names)}")
    return points


def check_series(path):
    """A series has the times of its text."""
    times = sorted({float(time) for time in re.findall(r'timestep="([^"]+)"', path.read_text())})
    reader = PVDReader(FileName=str(path))
    reader.UpdatePipelineInformation()
    found = reader.TimestepValues
    found = [found] if isinstance(found, float) else list(found)
    Delete(reader)
    must(found == times, f"{path}: times {found}")


def check_json_series(path):
    """A series of another format has the times and the points of its files."""
    files = json.loads(path.read_text())["files"]
    reader = OpenDataFile(str(path))
    reader.UpdatePipelineInformation()
    found = reader.TimestepValues
    found = [found] if isinstance(found, float) else list(found)
    must(found == [file["time"] for file in files], f"{path}: times {found}")
    for file in files:
        reader.UpdatePipeline(file["time"])
        head = (path.parent / file["name"]).read_bytes()[:4096]
        expected = int(re.search(rb"(?:element vertex|POINTS) (\d+)", head)[1])
        points = servermanager.Fetch(reader).GetNumberOfPoints()
        must(points == expected, f"{path}: {points} of {expected} points in {file['name']}")
    Delete(reader)


def check_script(run):
    """The run's script opens everything, at all times, with velocities as the files have them."""
    times, shown = opened(run)
    must("particles" in shown and "domain" in shown, f"paraview.py: {sorted(shown)}")
    radius = json.loads(re.search(r'"particle_radius": (\S+?),', (run / "paraview.py").read_text())[1])
    look = GetDisplayProperties(shown["particles"], GetActiveView())
    must(look.Representation == "Point Gaussian" and look.GaussianRadius == radius, "particles")
    surfaces = [source for name, source in shown.items()
                if name.startswith("surface") and not name.endswith("without velocity")]
    must(surfaces or not builtins.any(run.glob("surface/*")), f"paraview.py: {sorted(shown)}")
    for surface in surfaces:
        surface.UpdatePipeline(times[-1])
        arrays = surface.PointData
        must("velocity" in arrays.keys(), f"paraview.py: {arrays.keys()}")
        fastest = builtins.max(builtins.abs(bound) for axis in range(3) for bound in arrays["velocity"].GetRange(axis))
        must(fastest > 0.0, "paraview.py: velocities are 0")
    check_bodies(run, times, shown)


def check_bodies(run, times, shown):
    """Bodies that the fluid moves stand where the table has them."""
    table = run / "bodies.csv"
    must(table.exists() == ("bodies" in shown), f"paraview.py: {sorted(shown)}")
    if not table.exists():
        return
    rows = list(csv.DictReader(table.open(newline="")))
    for frame in (0, len(times) - 1):
        expected = []
        for row in (row for row in rows if int(row["frame"]) == frame):
            reader = XMLPolyDataReader(FileName=[str(run / "solids" / f"body_{int(row['body']):02}.vtp")])
            rest = points_of(reader)
            Delete(reader)
            w, *axis = (float(row[key]) for key in ("qw", "qx", "qy", "qz"))
            turned = rest + 2.0 * numpy.cross(axis, w * rest + numpy.cross(axis, rest))
            expected.append(turned + [float(row[key]) for key in ("x", "y", "z")])
        expected = numpy.concatenate(expected)
        found = points_of(shown["bodies"], times[frame])
        must(found.shape == expected.shape, f"bodies: {len(found)} of {len(expected)} points")
        off = numpy.abs(found - expected).max()
        must(off < 1e-5, f"bodies in frame {frame}: {off} m elsewhere")


def points_of(source, time=None):
    """The points of a source at a time."""
    source.UpdatePipeline(time)
    points = servermanager.Fetch(source).GetPoints()
    return numpy.array([points.GetPoint(k) for k in range(points.GetNumberOfPoints())])


def check_that_padding_is_needed(path):
    """The same frame without its padding has no points here."""
    before, after = path.read_bytes().split(b'<AppendedData encoding="raw">\n', 1)
    must(after.startswith(b" " * 8192 + b"_"), f"{path}: no padding")
    with tempfile.TemporaryDirectory() as folder:
        bare = pathlib.Path(folder) / "bare.vtp"
        bare.write_bytes(before + b'<AppendedData encoding="raw">\n' + after.lstrip(b" "))
        points, _ = read(bare)
    must(points == 0, f"without padding {points} points are read: this check sees nothing")


run = pathlib.Path(sys.argv[1])
files = sorted(run.rglob("*.vtp"))
must(files, f"no .vtp in {run}")
points = sum(check_file(path) for path in files)
series = sorted(run.glob("*.pvd"))
must(series, f"no series in {run}")
for path in series:
    check_series(path)
for path in sorted(run.glob("*.series")):
    check_json_series(path)
check_script(run)
check_that_padding_is_needed(next(path for path in files if read(path)[0] > 0))
print(f"{len(files)} files with {points} points, {len(series)} series: as written")
