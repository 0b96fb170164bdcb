"""Opens a run in ParaView: `check_run.py RUN_DIR`.

Every .vtp has the points that its head promises, with all its arrays; every series has a time for
each frame. A frame without the spaces before its appended data must read as empty, or this check
could not see that they are missing.
"""

import pathlib
import re
import sys
import tempfile

from paraview import servermanager
from paraview.simple import Delete, PVDReader, XMLPolyDataReader


def require(condition, message):
    """Ends the script with a message unless a condition holds."""
    if not condition:
        raise SystemExit(f"failed: {message}")


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
    require(found == points, f"{path}: {found} of {points} points")
    require(points == 0 or names == set(promised), f"{path}: arrays {sorted(names)}")
    return points


def check_series(path):
    """A series has the times of its text."""
    times = sorted({float(time) for time in re.findall(r'timestep="([^"]+)"', path.read_text())})
    reader = PVDReader(FileName=str(path))
    reader.UpdatePipelineInformation()
    found = reader.TimestepValues
    found = [found] if isinstance(found, float) else list(found)
    Delete(reader)
    require(found == times, f"{path}: times {found}")


def check_that_padding_is_needed(path):
    """The same frame without its padding has no points here."""
    before, after = path.read_bytes().split(b'<AppendedData encoding="raw">\n', 1)
    require(after.startswith(b" " * 8192 + b"_"), f"{path}: no padding")
    with tempfile.TemporaryDirectory() as folder:
        bare = pathlib.Path(folder) / "bare.vtp"
        bare.write_bytes(before + b'<AppendedData encoding="raw">\n' + after.lstrip(b" "))
        points, _ = read(bare)
    require(points == 0, f"without padding {points} points are read: this check sees nothing")


run = pathlib.Path(sys.argv[1])
files = sorted(run.rglob("*.vtp"))
require(files, f"no .vtp in {run}")
points = sum(check_file(path) for path in files)
series = sorted(run.glob("*.pvd"))
require(series, f"no series in {run}")
for path in series:
    check_series(path)
check_that_padding_is_needed(next(path for path in files if read(path)[0] > 0))
print(f"{len(files)} files with {points} points, {len(series)} series: as written")
