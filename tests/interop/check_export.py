"""Opens what `sim export` has written of a run in the programs that it is for.

    check_export.py RUN_DIR            all that is in RUN_DIR/export
    check_export.py RUN_DIR CLIENT     by one client

Each client has a process of its own: Blender and the wheel `usd-core` each bring a USD, and cannot
share one. What arrives is compared with the frames of the run.
"""

import pathlib
import subprocess
import sys

import numpy

from run_folder import RunFolder, columns, require, require_closed

TOLERANCE = 1e-6


def clouds(run):
    """What of the run is points."""
    return [kind for kind in ("particles", "foam") if (run.path / kind).is_dir()]


def points_of(run, kind, frame):
    """The particles or the foam of a frame, by VTK: positions and arrays by name."""
    from vtk import vtkXMLPolyDataReader

    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(run.path / kind / f"{kind}_{frame:05}.vtp"))
    reader.Update()
    return arrays(reader.GetOutput())


def arrays(polydata):
    """Positions and arrays of points."""
    from vtk.util.numpy_support import vtk_to_numpy

    data = polydata.GetPointData()
    arrays = [data.GetArray(k) for k in range(data.GetNumberOfArrays())]
    named = {array.GetName(): vtk_to_numpy(array) for array in arrays}
    points = polydata.GetPoints()
    positions = vtk_to_numpy(points.GetData()) if points else numpy.empty((0, 3), numpy.float32)
    return positions, named


def bodies(run):
    """Positions and quaternions of bodies by frame and number."""
    import csv

    table = run.path / "bodies.csv"
    if not table.exists():
        return {}
    poses = {}
    for row in csv.DictReader(table.open(newline="")):
        place = [float(row[key]) for key in ("x", "y", "z")]
        turn = [float(row[key]) for key in ("qw", "qx", "qy", "qz")]
        poses[int(row["frame"]), int(row["body"])] = (place, turn)
    return poses


def titles(run):
    """What the scene calls things of the run, by their names in files."""
    import re

    scene = (run.path / "scene.ron").read_text(encoding="utf-8")
    named = lambda text: re.search(r'name: "([^"]*)"', text)
    fluid = named(scene[scene.index("fluids:"):])
    found = {"surface": fluid.group(1)}
    solids = scene[scene.index("solids:"):] if "solids:" in scene else ""
    entries = re.split(r"\n {8}(?=[A-Z])", solids)[1:]
    for number, entry in enumerate(entries):
        if name := named(entry):
            found[f"body_{number:02}"] = name.group(1)
    return found


def frames(run):
    return range(run.manifest["progress"]["frames_written"])


def near(a, b, what, tolerance=TOLERANCE):
    a, b = numpy.asarray(a), numpy.asarray(b)
    require(a.shape == b.shape, f"{what}: {a.shape} for {b.shape}")
    require(a.size == 0 or abs(a - b).max() <= tolerance, f"{what}: values differ")


def usd(run):
    """USD by `usd-core`: all validators, times, and values by frame."""
    from pxr import Usd, UsdGeom, UsdValidation

    stage = Usd.Stage.Open(str(run.path / "export/usd/run.usda"))
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    require(len(validators) > 20, "validators are missing")
    context = UsdValidation.ValidationContext(validators)
    found = [error.GetMessage() for error in context.Validate(stage)]
    for layer in stage.GetUsedLayers():
        found += [error.GetMessage() for error in context.Validate(layer)]
    require(not found, f"USD: {found}")
    # A layer without its units is found: the validators are at work.
    broken = Usd.Stage.CreateInMemory()
    broken.SetDefaultPrim(broken.DefinePrim("/run", "Xform"))
    require(context.Validate(broken), "the validators find nothing in a bad layer")
    last = len(frames(run)) - 1
    require((stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, last), "range of times")
    require(stage.GetTimeCodesPerSecond() == run.manifest["scene"]["frame_rate"], "rate")
    require(UsdGeom.GetStageUpAxis(stage) == "Z", "axis")
    require(UsdGeom.GetStageMetersPerUnit(stage) == 1, "unit")
    value = lambda prim, name, frame: numpy.array(prim.GetAttribute(name).Get(frame))
    poses = bodies(run)
    for frame in frames(run):
        name = f"USD at {frame}"
        for kind in clouds(run):
            prim = stage.GetPrimAtPath(f"/run/{kind}")
            positions, named = points_of(run, kind, frame)
            near(value(prim, "points", frame), positions, f"{name}: {kind}")
            near(value(prim, "velocities", frame), named["velocity"], f"{name}: velocities")
            near(value(prim, "ids", frame), named["id"], f"{name}: ids")
            # Those of particles are one for all.
            widths = numpy.broadcast_to(value(prim, "widths", frame), named["radius"].shape)
            near(widths, 2 * named["radius"], f"{name}: widths")
            own, tolerance = ("density", 1e-3) if kind == "particles" else ("type", 0)
            near(value(prim, f"primvars:{own}", frame), named[own], f"{name}: {own}", tolerance)
        prim = stage.GetPrimAtPath("/run/surface")
        mesh, vertices = run.ply(frame)
        near(value(prim, "points", frame), columns(vertices, "xyz"), f"{name}: surface")
        normals, velocities = value(prim, "normals", frame), value(prim, "velocities", frame)
        near(normals, columns(vertices, ("nx", "ny", "nz")), f"{name}: normals")
        near(velocities, columns(vertices, ("vx", "vy", "vz")), f"{name}: velocities")
        triangles = value(prim, "faceVertexIndices", frame).reshape(-1, 3)
        require((triangles == mesh.faces).all(), f"{name}: triangles")
        require((value(prim, "faceVertexCounts", frame) == 3).all(), f"{name}: counts")
        for (at, body), (place, turn) in poses.items():
            if at == frame:
                prim = stage.GetPrimAtPath(f"/run/bodies/body_{body:02}")
                matrix = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(frame)
                near(matrix.ExtractTranslation(), place, f"{name}: body {body}")
                rotation = matrix.ExtractRotationQuat()
                read = [rotation.GetReal(), *rotation.GetImaginary()]
                require(abs(numpy.dot(read, turn)) > 1 - 1e-9, f"{name}: turn of body {body}")


def vtkhdf(run):
    """VTKHDF by h5py and by VTK's reader: times and values by step."""
    import h5py
    from vtk import vtkHDFReader, vtkStreamingDemandDrivenPipeline

    rate = run.manifest["scene"]["frame_rate"]
    expected = [frame / rate for frame in frames(run)]
    for part in [*clouds(run), "surface"]:
        path = run.path / "export/vtkhdf" / f"{part}.vtkhdf"
        with h5py.File(path) as file:
            group = file["VTKHDF"]
            require(group.attrs["Type"] == b"PolyData", f"{part}: type")
            near(group["Steps/Values"][:], expected, f"{part}: times")
            total = int(group["NumberOfPoints"][:].sum())
            require(group["Points"].shape == (total, 3), f"{part}: number of points")
        reader = vtkHDFReader()
        reader.SetFileName(str(path))
        reader.UpdateInformation()
        key = vtkStreamingDemandDrivenPipeline.TIME_STEPS()
        information = reader.GetOutputInformation(0)
        times = [information.Get(key, k) for k in range(information.Length(key))]
        near(times, expected, f"{part}: times in VTK")
        for frame in frames(run):
            reader.UpdateTimeStep(times[frame])
            output = reader.GetOutput()
            positions, named = arrays(output)
            name = f"VTKHDF, {part} at {frame}"
            if part in clouds(run):
                places, values = points_of(run, part, frame)
                require(output.GetNumberOfCells() == (len(places) > 0), f"{name}: cells")
                own = ("density", "pressure") if part == "particles" else ("type", "radius")
                for array in ("velocity", "id", "age", *own):
                    require((named[array] == values[array]).all(), f"{name}: {array}")
            else:
                from vtk.util.numpy_support import vtk_to_numpy

                mesh, vertices = run.ply(frame)
                places = columns(vertices, "xyz")
                corners = vtk_to_numpy(output.GetPolys().GetConnectivityArray()).reshape(-1, 3)
                require((corners == mesh.faces).all(), f"{name}: triangles")
                velocity = columns(vertices, ("vx", "vy", "vz"))
                require((named["velocity"] == velocity).all(), f"{name}: velocity")
            require((positions == places).all(), f"{name}: positions")


def blender_openvdb():
    """The module that Blender brings for its own Python."""
    import bpy

    above = pathlib.Path(bpy.__file__).parents[3]
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    sys.path.append(str(above / "python/lib" / version / "site-packages"))
    import openvdb

    return openvdb


def vdb(run):
    """Level sets by Blender's OpenVDB, beside VTK's distance to the mesh."""
    from vtk import vtkCellArray, vtkImplicitPolyDataDistance, vtkPoints, vtkPolyData
    from vtk.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray

    openvdb = blender_openvdb()
    random = numpy.random.default_rng(1)
    last = len(frames(run)) - 1
    for frame in sorted({0, last // 2, last}):
        path = str(run.path / "export/vdb" / f"surface_{frame:05}.vdb")
        grid = openvdb.read(path, "surface")
        name = f"level set at {frame}"
        require(str(grid.gridClass) == "level set", f"{name}: class")
        voxel = grid.transform.voxelSize()[0]
        require(abs(grid.background - 3 * voxel) < 1e-3 * voxel, f"{name}: background")
        mesh, vertices = run.ply(frame)
        data, points, cells = vtkPolyData(), vtkPoints(), vtkCellArray()
        points.SetData(numpy_to_vtk(columns(vertices, "xyz").astype(float), deep=True))
        ends = numpy.arange(0, 3 * len(mesh.faces) + 1, 3)
        corners = numpy.ascontiguousarray(mesh.faces.ravel())
        cells.SetData(numpy_to_vtkIdTypeArray(ends, 1), numpy_to_vtkIdTypeArray(corners, 1))
        data.SetPoints(points)
        data.SetPolys(cells)
        distance = vtkImplicitPolyDataDistance()
        distance.SetInput(data)
        low = numpy.floor(mesh.bounds[0] / voxel).astype(int) - 5
        high = numpy.ceil(mesh.bounds[1] / voxel).astype(int) + 5
        voxels = random.integers(low, high, size=(4000, 3))
        values = grid.getConstAccessor()
        found = numpy.array([values.getValue(tuple(map(int, at))) for at in voxels])
        exact = numpy.array([distance.FunctionValue(at * voxel) for at in voxels])
        # The reader has the background in single precision.
        exact = numpy.clip(exact, -grid.background, grid.background)
        in_band = (abs(exact) < grid.background).sum()
        require(in_band > 200 and (exact < 0).sum() > 200, f"{name}: {in_band} voxels in the band")
        # On ridges of a sheet VTK's sign is that of one of two faces that are as near.
        wrong = abs(found - exact) > 1e-4 * voxel
        require(wrong.sum() <= 4, f"{name}: {wrong.sum()} of 4000 voxels differ")
        near(abs(found), abs(exact), f"{name}: distances", 1e-4 * voxel)
        velocity = openvdb.read(path, "velocity")
        require(velocity.activeVoxelCount() == grid.activeVoxelCount(), f"{name}: velocities")
        points, quads = grid.convertToQuads()
        near(points.min(axis=0), mesh.bounds[0], f"{name}: as a mesh again", voxel)
        near(points.max(axis=0), mesh.bounds[1], f"{name}: as a mesh again", voxel)


def gltf(run):
    """glTF by trimesh: the surface, with y up."""
    import trimesh

    for frame in frames(run):
        scene = trimesh.load(run.path / "export/gltf" / f"frame_{frame:05}.glb", process=False)
        matrix, geometry = scene.graph[titles(run)["surface"]]
        read = scene.geometry[geometry]
        mesh, vertices = run.ply(frame)
        place = trimesh.transform_points(read.vertices, matrix)
        x, y, z = columns(vertices, "xyz").T
        near(place, numpy.stack([x, z, -y], axis=1), f"glTF at {frame}: positions", 1e-6)
        require((read.faces == mesh.faces).all(), f"glTF at {frame}: triangles")
        require_closed(read.faces, f"glTF at {frame}")


def blender(run):
    """USD, OpenVDB and glTF in Blender: what moves, velocities, and z up."""
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.usd_import(filepath=str(run.path / "export/usd/run.usda"))
    scene = bpy.context.scene
    last = len(frames(run)) - 1
    require((scene.frame_start, scene.frame_end) == (0, last), "Blender: range of frames")
    poses = bodies(run)

    def values(data, name, key, width):
        array = numpy.empty(width * len(data.attributes[name].data), numpy.float32)
        data.attributes[name].data.foreach_get(key, array)
        return array.reshape(-1, width)

    for frame in frames(run):
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        name = f"Blender at {frame}"
        fluid = scene.objects["surface"].evaluated_get(graph).data
        _, vertices = run.ply(frame)
        near(values(fluid, "position", "vector", 3), columns(vertices, "xyz"), f"{name}: surface")
        velocity = columns(vertices, ("vx", "vy", "vz"))
        near(values(fluid, "velocity", "vector", 3), velocity, f"{name}: velocity")
        for kind in clouds(run):
            cloud = scene.objects[kind].evaluated_get(graph).data
            positions, named = points_of(run, kind, frame)
            require(len(cloud.points) == len(positions), f"{name}: number of {kind}")
            if not len(positions):
                continue
            near(values(cloud, "position", "vector", 3), positions, f"{name}: {kind}")
            near(values(cloud, "velocity", "vector", 3), named["velocity"], f"{name}: {kind}")
            near(values(cloud, "radius", "value", 1)[:, 0], named["radius"], f"{name}: radii")
        for (at, body), (place, _) in poses.items():
            if at == frame:
                mesh = scene.objects[f"body_{body:02}_mesh"].evaluated_get(graph)
                near(mesh.matrix_world.translation, place, f"{name}: body {body}", 1e-5)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(run.path / "export/gltf" / f"frame_{last:05}.glb"))
    fluid = bpy.context.scene.objects[titles(run)["surface"]]
    _, vertices = run.ply(last)
    # Blender turns y up into z up, so that everything is as in the run.
    turn = numpy.array(fluid.matrix_world)[:3, :3]
    near(values(fluid.data, "position", "vector", 3) @ turn.T, columns(vertices, "xyz"), "glTF")
    require("_VELOCITY" in fluid.data.attributes, "glTF: velocity in Blender")
    bpy.ops.object.volume_import(filepath=str(run.path / "export/vdb" / f"surface_{last:05}.vdb"))
    volume = bpy.context.object.data
    require(volume.grids.load(), "Blender does not load the volume")
    require([grid.name for grid in volume.grids] == ["surface", "velocity"], "grids in Blender")


def alembic(run):
    """Alembic by its own library and by Blender: times, values, and z up."""
    import bpy
    from alembic3d import Abc, AbcGeom

    path = str(run.path / "export/alembic/run.abc")
    top = Abc.IArchive(path).getTop().getChild(0)
    names = {top.getChild(k).getName() for k in range(top.getNumChildren())}
    called = titles(run)
    fluid_name = called["surface"]
    require({*clouds(run), fluid_name} <= names, f"Alembic: objects {names}")
    rate = run.manifest["scene"]["frame_rate"]
    vectors = lambda array: numpy.array([tuple(x) for x in array]).reshape(-1, 3)
    surface = AbcGeom.IPolyMesh(top.getChild(fluid_name), f"{fluid_name}_shape").getSchema()
    points = {kind: AbcGeom.IPoints(top.getChild(kind), f"{kind}_shape").getSchema()
              for kind in clouds(run)}
    poses = bodies(run)
    for frame in frames(run):
        name = f"Alembic at {frame}"
        at = Abc.ISampleSelector(frame / rate)
        mesh, vertices = run.ply(frame)
        sample = surface.getValue(at)
        near(vectors(sample.getPositions()), columns(vertices, "xyz"), f"{name}: surface")
        velocity = columns(vertices, ("vx", "vy", "vz"))
        near(vectors(sample.getVelocities()), velocity, f"{name}: velocities")
        corners = numpy.array(list(sample.getFaceIndices())).reshape(-1, 3)
        require((corners == mesh.faces[:, [0, 2, 1]]).all(), f"{name}: triangles")
        for kind, schema in points.items():
            positions, named = points_of(run, kind, frame)
            sample = schema.getValue(at)
            near(vectors(sample.getPositions()), positions, f"{name}: {kind}")
            require((numpy.array(list(sample.getIds())) == named["id"]).all(), f"{name}: ids")
        for (of, body), (place, _) in poses.items():
            if of == frame:
                key = f"body_{body:02}"
                transform = AbcGeom.IXform(top, called.get(key, key)).getSchema().getValue(at)
                near(tuple(transform.getTranslation()), place, f"{name}: body {body}")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = round(rate)
    bpy.ops.wm.alembic_import(filepath=path, as_background_job=False)
    for frame in frames(run):
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        fluid = scene.objects[fluid_name].evaluated_get(graph)
        read = numpy.empty(3 * len(fluid.data.vertices), numpy.float32)
        fluid.data.vertices.foreach_get("co", read)
        turn = numpy.array(fluid.matrix_world)[:3, :3]
        place = read.reshape(-1, 3) @ turn.T
        mesh, vertices = run.ply(frame)
        near(place, columns(vertices, "xyz"), f"Alembic in Blender at {frame}")
        corners = numpy.empty(3 * len(fluid.data.polygons), numpy.int32)
        fluid.data.polygons.foreach_get("vertices", corners)
        triangles = corners.reshape(-1, 3)
        a, b, c = (place[triangles[:, k]].astype(float) for k in range(3))
        volume = numpy.einsum("ij,ij->i", a, numpy.cross(b, c)).sum() / 6
        require(volume > 0, f"Alembic in Blender at {frame}: faces look inwards")


CLIENTS = {"usd": usd, "vtkhdf": vtkhdf, "vdb": vdb, "gltf": gltf, "alembic": alembic,
           "blender": blender}

if __name__ == "__main__":
    if len(sys.argv) > 2:
        CLIENTS[sys.argv[2]](RunFolder(sys.argv[1]))
        print(f"{sys.argv[2]}: as in the run")
        sys.exit()
    for client in CLIENTS:
        # Blender's OpenVDB lists what Python has not freed, at its end.
        process = subprocess.run([sys.executable, __file__, sys.argv[1], client], text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        print(process.stdout.strip().splitlines()[-1] if process.stdout else "")
        if process.returncode:
            sys.exit(f"{client} failed:\n{process.stderr[-3000:]}")
