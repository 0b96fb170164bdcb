"""Opens this run in ParaView 5.11 or newer.

    paraview --script=paraview.py
    pvpython paraview.py --picture 40 frame.png

or in ParaView: View, Python Shell, Run Script. It shows the surface, or the particles where there
is none, coloured by speed, among the solids, and elastic bodies coloured by stress; what is hidden
waits in the pipeline browser.
"""

import argparse
import csv
import inspect
import os
import sys

# This file has the name of the package, and must not be taken for it.
HERE = os.path.dirname(os.path.abspath(globals().get("__file__", "paraview.py")))
sys.path[:] = [path for path in sys.path if os.path.abspath(path) != HERE]
from paraview.simple import *

RUN = "@RUN@"

# Slow to fast: the colours of speeds, as part of the scale and red, green, blue.
WATER = [0.0, 0.03, 0.23, 0.48, 0.35, 0.10, 0.50, 0.76, 0.7, 0.45, 0.78, 0.90, 1.0, 0.97, 0.99, 1.0]
STONE = [0.78, 0.56, 0.38]
CLOTH = [0.75, 0.28, 0.22]

# Gives a mesh from a PLY its velocity and stress, which ParaView's reader leaves out: all other
# numbers of each vertex stand in the file, too.
VELOCITY = """
import builtins, json, numpy
from vtk.numpy_interface import dataset_adapter as adapter
output.ShallowCopy(inputs[0].VTKObject)
time = self.GetInputDataObject(0, 0).GetInformation().Get(vtk.vtkDataObject.DATA_TIME_STEP())
files = json.load(open(series))["files"]
near = builtins.min(files, key=lambda file: builtins.abs(file["time"] - (time or 0.0)))
with open(os.path.join(os.path.dirname(series), near["name"]), "rb") as ply:
    words, kinds, count, row = [], {"float": "<f4", "double": "<f8", "int": "<i4", "uint": "<u4", "uchar": "<u1"}, 0, []
    while words != ["end_header"]:
        words = ply.readline().decode().split()
        if words[:2] == ["element", "vertex"]:
            count = int(words[2])
        elif words[0] == "property" and words[1] != "list":
            row.append((words[2], kinds[words[1]]))
    vertices = numpy.fromfile(ply, numpy.dtype(row), count)
if count == output.GetNumberOfPoints() and "vx" in vertices.dtype.names:
    velocity = numpy.stack([vertices[name] for name in ("vx", "vy", "vz")], axis=1)
    adapter.WrapDataObject(output).PointData.append(numpy.ascontiguousarray(velocity), "velocity")
if count == output.GetNumberOfPoints() and "stress" in vertices.dtype.names:
    stress = numpy.ascontiguousarray(vertices["stress"])
    adapter.WrapDataObject(output).PointData.append(stress, "stress")
"""

# Puts the meshes of bodies, which stand in files of their own, where the points of a frame have
# them: x = R y + p.
BODIES = """
import os, numpy, vtk
from vtk.numpy_interface import dataset_adapter as adapter
found = inputs[0].VTKObject
found = found.GetBlock(0) if found.IsA("vtkMultiBlockDataSet") else found
poses = adapter.WrapDataObject(found)
meshes, together = self.__dict__.setdefault("meshes", {}), vtk.vtkAppendPolyData()
rows = zip(poses.PointData["body"], poses.PointData["orientation"], poses.Points)
for number, (w, x, y, z), place in rows:
    path = os.path.join(folder, "solids", f"body_{int(number):02}.vtp")
    if path not in meshes:
        reader = vtk.vtkXMLPolyDataReader()
        reader.SetFileName(path)
        reader.Update()
        meshes[path] = reader.GetOutput()
    turn = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    motion = vtk.vtkTransform()
    motion.SetMatrix([v for row, p in zip(turn, place) for v in (*row, p)] + [0.0, 0.0, 0.0, 1.0])
    moved = vtk.vtkTransformPolyDataFilter()
    moved.SetInputData(meshes[path])
    moved.SetTransform(motion)
    moved.Update()
    together.AddInputData(moved.GetOutput())
together.Update()
output.ShallowCopy(together.GetOutput())
"""


def run_folder():
    """The folder of this script, however it was started."""
    files = [globals().get("__file__", ""), inspect.currentframe().f_code.co_filename]
    files += [word.partition("=")[2] for word in command_line() if word.startswith("--script=")]
    folders = [os.path.dirname(os.path.abspath(file)) for file in files if file] + [os.getcwd()]
    for folder in folders:
        if os.path.isfile(os.path.join(folder, "run.json")):
            return folder
    raise SystemExit("paraview.py: no run.json beside this script: start it from its folder")


def command_line():
    """The words that started the program, also where it hides them from its scripts."""
    try:
        with open("/proc/self/cmdline", "rb") as words:
            return words.read().decode(errors="replace").split("\0")
    except OSError:
        return sys.argv


def top_speed(folder):
    """The largest speed of the frames so far [m/s]."""
    try:
        with open(os.path.join(folder, "log.csv"), newline="") as log:
            speeds = [float(row["max_speed"]) for row in csv.DictReader(log)]
    except (OSError, KeyError, ValueError):
        speeds = []
    return max(speeds, default=0.0) or 1.0


def series_of(folder, name):
    """The series of this name, in the format that tells ParaView most; None if there is none."""
    for ending in (".pvd", ".vtk.series", ".ply.series"):
        path = os.path.join(folder, name + ending)
        if os.path.isfile(path):
            return path
    return None


def opened(path, name):
    """A series in the pipeline, under a name; a PLY with its velocity."""
    data = OpenDataFile(path)
    RenameSource(name, data)
    if path.endswith(".ply.series"):
        RenameSource(name + " without velocity", data)
        given = f"import os, vtk\nseries = {path!r}\n"
        data = ProgrammableFilter(registrationName=name, Input=data, Script=given + VELOCITY)
        data.CopyArrays = 1
    return data


def by_speed(display, fastest):
    """Colours by the magnitude of the velocity, from rest to the run's fastest."""
    ColorBy(display, ("POINTS", "velocity", "Magnitude"))
    scale = GetColorTransferFunction("velocity")
    scale.RGBPoints = WATER
    scale.ColorSpace = "Lab"
    scale.RescaleTransferFunction(0.0, fastest)
    display.SetScalarBarVisibility(display_view(), False)


def display_view():
    return GetActiveViewOrCreate("RenderView")


def has_velocity(data):
    """Whether the points of some data have a velocity."""
    data.UpdatePipeline()
    return "velocity" in data.PointData.keys()


def show_surfaces(folder, kind, fastest):
    """The surface of each fluid, or of all, or their spray; how many there are."""
    names = [kind] if len(RUN["fluids"]) == 1 else [f"{kind}_{it}" for it in RUN["fluids"]] + [kind]
    found = [(name, series_of(folder, name)) for name in names]
    # The series of all fluids has the same meshes once more.
    found = [(name, path) for name, path in found if path]
    found = found[:-1] if len(found) > 1 and found[-1][0] == kind else found
    for name, path in found:
        data = opened(path, name.replace("_", " "))
        display = Show(data)
        display.SetRepresentationType("Surface")
        display.Specular, display.SpecularPower = 0.5, 60.0
        if has_velocity(data):
            by_speed(display, fastest)
        else:
            display.DiffuseColor = display.AmbientColor = WATER[5:8]
    return len(found)


def show_elastic(folder):
    """The elastic bodies, coloured by their stress [Pa], each over the range of its last frame."""
    for name in RUN["elastic"]:
        path = series_of(folder, f"elastic_{name}")
        if path is None:
            continue
        data = opened(path, name)
        display = Show(data)
        display.SetRepresentationType("Surface")
        display.DiffuseColor = display.AmbientColor = CLOTH
        times = data.TimestepValues if "TimestepValues" in dir(data) else []
        data.UpdatePipeline(list(times)[-1] if len(times) else None)
        if "stress" in data.PointData.keys():
            ColorBy(display, ("POINTS", "stress"))
            display.RescaleTransferFunctionToDataRange(True, False)
            display.SetScalarBarVisibility(display_view(), True)
            legend = GetScalarBar(GetColorTransferFunction("stress"), display_view())
            legend.Title, legend.ComponentTitle = "stress / Pa", ""
            legend.TitleColor = legend.LabelColor = [0.2, 0.25, 0.3]
            legend.TitleFontSize, legend.LabelFontSize = 14, 12


def show_particles(folder, fastest, is_hidden):
    """The particles as balls of their radius."""
    path = series_of(folder, "particles")
    if path is None:
        return
    data = opened(path, "particles")
    display = Show(data)
    display.SetRepresentationType("Point Gaussian")
    display.ShaderPreset = "Sphere"
    display.GaussianRadius = RUN["particle_radius"]
    if has_velocity(data):
        by_speed(display, fastest)
    if is_hidden:
        Hide(data)


# Spray, foam and bubbles.
FOAM = [("spray", [0.93, 0.96, 1.0], 0.6), ("foam", [1.0, 1.0, 1.0], 0.9),
        ("bubbles", [0.72, 0.87, 0.93], 0.4)]


def show_foam(folder):
    """Spray, foam and bubbles of `sim foam`, each as balls of their radii, of one colour."""
    path = series_of(folder, "foam")
    if path is None:
        return
    all_types = opened(path, "spray, foam and bubbles")
    for number, (name, colour, opacity) in enumerate(FOAM):
        data = Threshold(registrationName=name, Input=all_types)
        data.Scalars = ["POINTS", "type"]
        data.ThresholdMethod = "Between"
        data.LowerThreshold = data.UpperThreshold = number
        data.AllScalars = 0
        display = Show(data)
        display.SetRepresentationType("Point Gaussian")
        display.ShaderPreset = "Sphere"
        display.GaussianRadius = 1.0
        display.ScaleByArray = 1
        display.SetScaleArray = ["POINTS", "radius"]
        display.UseScaleFunction = 0
        display.ColorArrayName = [None, ""]
        display.DiffuseColor = display.AmbientColor = colour
        display.Opacity = opacity


def show_stone(data):
    """A mesh of one colour."""
    display = Show(data)
    display.SetRepresentationType("Surface")
    # `ColorBy(display, None)` fails where nothing is coloured yet.
    display.ColorArrayName = [None, ""]
    display.DiffuseColor = display.AmbientColor = STONE


def show_solids(folder):
    """The solids, bodies that the fluid moves, and the edges of the domain."""
    path = series_of(folder, "solids")
    if path is not None:
        show_stone(opened(path, "solids"))
    path = series_of(folder, "bodies")
    if path is not None:
        given = f"folder = {folder!r}\n"
        poses = opened(path, "poses of bodies")
        bodies = ProgrammableFilter(registrationName="bodies", Input=poses, Script=given + BODIES)
        bodies.OutputDataSetType = "vtkPolyData"
        show_stone(bodies)
    low, high = RUN["domain_min"], RUN["domain_max"]
    box = Box(
        registrationName="domain",
        XLength=high[0] - low[0], YLength=high[1] - low[1], ZLength=high[2] - low[2],
        Center=[(a + b) / 2 for a, b in zip(low, high)])
    display = Show(box)
    display.SetRepresentationType("Outline")
    display.AmbientColor = display.DiffuseColor = [0.4, 0.45, 0.5]
    display.LineWidth = 1.5


def set_camera(view):
    """Sees the whole domain, from the front, the right and above."""
    low, high = RUN["domain_min"], RUN["domain_max"]
    centre = [(a + b) / 2 for a, b in zip(low, high)]
    towards = (-0.55, 1.0, -0.45)
    view.CameraFocalPoint = centre
    view.CameraPosition = [c - d for c, d in zip(centre, towards)]
    view.CameraViewUp = [0.0, 0.0, 1.0]
    view.ResetCamera()
    GetActiveCamera().Zoom(1.3)
    view.CenterOfRotation = centre
    view.UseColorPaletteForBackground = 0
    view.BackgroundColorMode = "Gradient"
    view.Background, view.Background2 = [0.87, 0.90, 0.94], [1.0, 1.0, 1.0]
    view.OrientationAxesVisibility = 1


def build():
    """The whole pipeline, at the first frame."""
    folder = run_folder()
    view = display_view()
    fastest = top_speed(folder)
    surfaces = show_surfaces(folder, "surface", fastest)
    show_surfaces(folder, "spray", fastest)
    show_particles(folder, fastest, surfaces > 0)
    show_foam(folder)
    show_elastic(folder)
    show_solids(folder)
    animation = GetAnimationScene()
    animation.UpdateAnimationUsingDataTimeSteps()
    animation.GoToFirst()
    set_camera(view)
    Render(view)
    return view


def main():
    parser = argparse.ArgumentParser(prog="paraview.py")
    parser.add_argument("--picture", nargs=2, metavar=("FRAME", "FILE"), help="draw a frame")
    parser.add_argument("--size", nargs=2, type=int, default=(1280, 720), metavar=("W", "H"))
    options, _ = parser.parse_known_args(sys.argv[1:])
    view = build()
    if options.picture:
        GetAnimationScene().AnimationTime = int(options.picture[0]) / RUN["frame_rate"]
        SaveScreenshot(options.picture[1], view, ImageResolution=list(options.size))


main()
