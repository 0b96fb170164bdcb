"""A run's folder as a user's own tools see it, and the checks that several scripts share."""

import csv
import json
import pathlib

import numpy
import trimesh


class RunFolder:
    """The files of a run."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.manifest = json.loads((self.path / "run.json").read_text())
        with open(self.path / "log.csv", newline="") as file:
            self.log = list(csv.DictReader(file))

    def surfaces(self):
        """What the series of surfaces are called, one for each of several fluids."""
        names = (name.stem.rpartition("_")[0] for name in self.path.glob("surface/*.ply"))
        return sorted(set(names))

    def ply(self, frame, surface="surface"):
        """A surface as trimesh reads it: positions, and columns with all properties."""
        name = self.path / "surface" / f"{surface}_{frame:05}.ply"
        mesh = trimesh.load(name, process=False)
        return mesh, mesh.metadata["_ply_raw"]["vertex"]["data"]

    def frames(self):
        """Numbers of the frames that have a surface for Blender."""
        names = self.path.glob("surface/*.ply")
        return sorted({int(name.stem.split("_")[-1]) for name in names})


def require(condition, message):
    """Ends the script with a message unless a condition holds."""
    if not condition:
        raise SystemExit(f"failed: {message}")


def require_closed(triangles, name):
    """Each edge belongs to two triangles that run along it in opposite directions."""
    triangles = numpy.asarray(triangles, dtype=numpy.int64)
    start, end = triangles.ravel(), numpy.roll(triangles, -1, axis=1).ravel()
    there = numpy.sort(start << 32 | end)
    back = numpy.sort(end << 32 | start)
    require((there[1:] != there[:-1]).all(), f"{name}: an edge has more than two triangles")
    require((there == back).all(), f"{name}: an edge has one triangle, or two that disagree")


def columns(table, names):
    """Some columns of a structured array, side by side."""
    return numpy.stack([table[name] for name in names], axis=1)
